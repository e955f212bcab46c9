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

const named = new Map<string, Shown>([
  ...questions.flatMap((question): [string, Shown][] => {
    const { rows = {}, sections = {} } = views[question];
    return [
      [question, { question }],
      ...Object.entries(rows).map(([row, name]): [string, Shown] => [
        name,
        { question, rows: [row] },
      ]),
      ...Object.entries(sections).map(([section, name]): [string, Shown] => [
        name,
        { question, section: section as PlanSection },
      ]),
    ];
  }),
  ...charts.map((chart): [string, Shown] => [
    chart,
    { question: questions.find((each) => chartsOf(each).includes(chart))!, chart },
  ]),
]);

export const viewNames = [...named.keys()];

export const shownOf = (view: string): Shown | undefined => named.get(view);
