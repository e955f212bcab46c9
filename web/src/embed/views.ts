// What an element can show.

import type { Chart } from '../model/charts.ts';
import type { Question } from '../model/state.ts';

/** The scripts that bring what is shown: each has its own part of the core. */
export type Bundle = 'training' | 'operation' | 'plan';

/** Parts of a plan, each drawn alone. */
export type PlanPart = 'memory' | 'timeline' | 'front' | 'map' | 'levers' | 'scaling';

export interface Shown {
  question: Question;
  bundle: Bundle;
  /** These answers, not all. */
  rows?: readonly string[];
  /** This chart, and no answers. */
  chart?: Chart;
  part?: PlanPart;
}

export const bundleOf: Record<Question, Bundle> = {
  training: 'training',
  operation: 'operation',
  collective: 'operation',
  plan: 'plan',
};

const whole = (question: Question): Shown => ({ question, bundle: bundleOf[question] });
const chart = (name: Chart): Shown => ({ ...whole('operation'), chart: name });
const part = (name: PlanPart): Shown => ({ ...whole('plan'), part: name });

/** By the name that the attribute `view` gives. */
const views: Readonly<Record<string, Shown>> = {
  training: whole('training'),
  memory: { ...whole('training'), rows: ['memoryPerChip'] },
  operation: whole('operation'),
  collective: whole('collective'),
  roofline: chart('roofline'),
  sweep: chart('sweep'),
  heatMap: chart('heatMap'),
  plan: whole('plan'),
  stages: part('memory'),
  timeline: part('timeline'),
  front: part('front'),
  map: part('map'),
  levers: part('levers'),
  scaling: part('scaling'),
};

export const viewNames = Object.keys(views);

export const shownOf = (view: string): Shown | undefined =>
  Object.hasOwn(views, view) ? views[view] : undefined;
