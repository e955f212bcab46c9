// The views and parts that an element can show, by the value of its attribute `view`.

import {
  charts,
  chartsOf,
  questions,
  views,
  type Chart,
  type PlanSection,
  type Question,
} from '../model/views.ts';

export interface Shown {
  question: Question;
  /** These answers, not all. */
  rows?: readonly string[];
  /** This chart, and no answers. */
  chart?: Chart;
  /** This section of a plan, and no answers. */
  section?: PlanSection;
}

const named = new Map<string, Shown>();
for (const question of questions) {
  const { rows = {}, sections = {} } = views[question];
  named.set(question, { question });
  for (const [row, name] of Object.entries(rows)) named.set(name, { question, rows: [row] });
  for (const [section, name] of Object.entries(sections)) {
    named.set(name, { question, section: section as PlanSection });
  }
}
for (const chart of charts) {
  const question = questions.find((each) => chartsOf(each).includes(chart))!;
  named.set(chart, { question, chart });
}

export const viewNames = [...named.keys()];

export const shownOf = (view: string): Shown | undefined => named.get(view);
