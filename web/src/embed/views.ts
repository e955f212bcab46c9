// The views and parts that an element can show, by the value of its attribute `view`.

import {
  charts,
  chartsOf,
  questions,
  views,
  type Bundle,
  type Chart,
  type PlanSection,
  type Question,
} from '../model/views.ts';

export interface Shown {
  question: Question;
  bundle: Bundle;
  /** These answers, not all. */
  rows?: readonly string[];
  /** This chart, and no answers. */
  chart?: Chart;
  /** This section of a plan, and no answers. */
  section?: PlanSection;
}

const named = new Map<string, Shown>();
for (const question of questions) {
  const { bundle, rows = {}, sections = {} } = views[question];
  const whole: Shown = { question, bundle };
  named.set(question, whole);
  for (const [row, name] of Object.entries(rows)) named.set(name, { ...whole, rows: [row] });
  for (const [section, name] of Object.entries(sections)) {
    named.set(name, { ...whole, section: section as PlanSection });
  }
}
for (const chart of charts) {
  const question = questions.find((each) => chartsOf(each).includes(chart))!;
  named.set(chart, { question, bundle: views[question].bundle, chart });
}

export const viewNames = [...named.keys()];

/** The script that answers a question, or shows several of its answers side by side. */
export const bundleOf = (question: Question, beside: boolean): Bundle =>
  (beside && views[question].sides) || views[question].bundle;

export const shownOf = (view: string): Shown | undefined => named.get(view);
