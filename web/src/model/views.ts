// The views and charts that there are. views.json lists them once: header, links, the element's
// attributes, exports, site templates and size budgets follow from it.

import { bare } from '../engine/bare.ts';
import type { ViewPart } from '../i18n/dictionary.ts';
import type { moduleImports } from '../engine/module-imports.ts';
import type { FieldId } from './fields.ts';
import type { GroupName, QuestionName, Topic } from '../engine/index.ts';
import {
  charts as chartViews,
  examples as exampleList,
  pages as pageList,
  views as viewList,
} from './views.json';

export type Question = QuestionName;
/** A page besides the questions: it asks nothing of the core. */
export type Page = keyof typeof pageList;
/** A chart that the explorer draws. */
export type Chart = keyof typeof chartViews;
/** A section of the search for plans, which can be shown alone. */
export type PlanSection = keyof typeof viewList.plan.sections;

interface ViewEntry {
  /** The method that answers it: of the engine, or of its module. */
  engine: string;
  /** The module that answers it, which loads on first use. */
  module?: LazyModule;
  /** The view that answers the same as the book counts; this one's answers are predicted. */
  book?: Question;
  /** Links that leave out the batch mean the book's, not that which it starts with. */
  unsaidBatch?: boolean;
  /** Its answers wait for a search, which its module provides. */
  searched?: boolean;
  /** The view whose best layout tells the MFU, unless it is counted as the book does. */
  predictedBy?: Question;
  /** The view in which several of its answers can stand side by side. */
  sides?: Question;
  /** The ways of its servers are left to its module, unless the reader fixes them. */
  divided?: boolean;
  /** The field of its chips; without it, that of a run. */
  chips?: FieldId;
  /** Parts of the texts that load with it. */
  texts?: readonly ViewPart[];
  /** The topics of groups of which answers rest on some fields only. */
  topics?: Readonly<Partial<Record<GroupName, readonly Topic[]>>>;
  /** Answers that can be shown alone, with the names by which they are asked for. */
  rows?: Readonly<Record<string, string>>;
  /** Sections that can be shown alone, with the names by which they are asked for. */
  sections?: Readonly<Record<string, string>>;
}

export const views = bare(viewList) as Readonly<Record<Question, ViewEntry>>;
/** The engine's methods that load modules of views. */
export type LazyModule = keyof typeof moduleImports;
export const questions = Object.keys(views) as readonly Question[];
/** The view by which readers know a question: of one that counts as the book, that which predicts. */
export const tabOf = (view: Question): Question =>
  questions.find((each) => views[each].book === view) ?? view;
/** Links that new readers are offered, by the name of what each asks. */
export const examples = Object.entries(exampleList) as readonly (readonly [Example, string])[];
export type Example = keyof typeof exampleList;
/** The questions as readers tell them apart, however answers are counted. */
export const tabs = questions.filter((view) => tabOf(view) === view);
export const pages = Object.keys(pageList) as readonly Page[];
/** The parts of the views' texts that a page, or the view of a question, needs. */
export const textsOf = (view: Question, page?: Page): readonly ViewPart[] =>
  (page ? (pageList[page] as { texts: ViewPart[] }).texts : views[view].texts) ?? [];
export const isPage = (view: string): view is Page => Object.hasOwn(pageList, view);
export const charts = Object.keys(chartViews) as readonly Chart[];

/** The charts of a view, in the order of their tabs. */
export const chartsOf = (view: Question): readonly Chart[] =>
  charts.filter((chart) => (chartViews[chart] as readonly string[]).includes(view));

/** The names of what can be shown of a view without the rest. */
export const partsOf = (view: Question): string[] => {
  const { rows, sections } = views[view];
  return [...Object.values(rows ?? {}), ...Object.values(sections ?? {}), ...chartsOf(view)];
};
