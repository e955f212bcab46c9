// The views of the page, each with what the page needs to know before it is opened.

import type { Engine } from '../../engine/index.ts';
import { loadPlanner } from '../../model/evaluate.ts';
import type { Question } from '../../model/views.ts';
import { addViews, type View } from '../parts/view.ts';
import { collective } from './collective/collective.ts';
import { operation } from './operation/operation.ts';
import { trainingFixes } from './training/fixes.ts';
import { training } from './training/training.ts';

interface PageView {
  /** How it is drawn, unless that loads when the view is first opened. */
  view?: View;
  /** Loads it, with what computes its answers. */
  load?(engine: Engine): Promise<View>;
  /** A link that new readers are offered; views that answer alike need only one. */
  example?: string;
}

const pageViews: Readonly<Record<Question, PageView>> = {
  training: {
    view: { ...training, ...trainingFixes },
    example: 'chip=h100-sxm&model=llama-3.1-8b&chips=8&tokens=160B&batch=262144',
  },
  plan: {
    async load(engine) {
      const [{ plan }] = await Promise.all([import('./plan/plan.ts'), loadPlanner(engine)]);
      return plan;
    },
    example:
      'view=plan&chip=h100-sxm&model=llama-3.1-405b&chips=16384&tokens=15.6T&batch=16777216&sequence=8192',
  },
  operation: { view: operation, example: 'view=operation&chip=tpu-v5e' },
  collective: { view: collective },
};
const entries = Object.entries(pageViews) as [Question, PageView][];

/** The links that new readers are offered, with the view that each shows. */
export const firstExamples: readonly (readonly [view: Question, link: string])[] = entries.flatMap(
  ([name, { example }]) => (example ? [[name, example] as const] : []),
);

/** Adds the views that need not be loaded. */
export function addPageViews(): void {
  for (const [name, { view }] of entries) if (view) addViews({ [name]: view });
}

/** Loads the views that come later, with what computes their answers. */
export async function loadLazyViews(engine: Engine): Promise<void> {
  await Promise.all(
    entries.map(async ([name, { load }]) => {
      if (load) addViews({ [name]: await load(engine) });
    }),
  );
}
