// The views and charts that there are. views.json lists them once: header, links, the element's
// attributes, exports, site templates, scripts and size budgets follow from it.

import type { QuestionName } from '../engine/index.ts';
import { charts as chartViews, views as viewList, type bundles } from './views.json';

export type Question = QuestionName;
/** A script of the element, with its own part of the core. */
export type Bundle = keyof typeof bundles;
/** A chart that the explorer draws. */
export type Chart = keyof typeof chartViews;
/** A section of the search for plans, which can be shown alone. */
export type PlanSection = keyof typeof viewList.plan.sections;

interface ViewEntry {
  /** The element's script that brings it. */
  bundle: Bundle;
  /** Its module and its texts load when it is first opened. */
  lazy?: boolean;
  /** Answers that can be shown alone, with the names by which they are asked for. */
  rows?: Readonly<Record<string, string>>;
  /** Sections that can be shown alone, with the names by which they are asked for. */
  sections?: Readonly<Record<string, string>>;
}

export const views = viewList as Readonly<Record<Question, ViewEntry>>;
export const questions = Object.keys(views) as readonly Question[];
export const charts = Object.keys(chartViews) as readonly Chart[];

/** The charts of a view, in the order of their tabs. */
export const chartsOf = (view: Question): readonly Chart[] =>
  charts.filter((chart) => (chartViews[chart] as readonly string[]).includes(view));

/** The names of what can be shown of a view without the rest. */
export const partsOf = (view: Question): string[] => {
  const { rows, sections } = views[view];
  return [...Object.values(rows ?? {}), ...Object.values(sections ?? {}), ...chartsOf(view)];
};
