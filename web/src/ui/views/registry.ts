// The views of the page, each with what the page needs to know before it is opened.

import type { Engine } from '../../engine/index.ts';
import { Lazy } from '../../engine/lazy.ts';
import { loadPlanner, loadTargets } from '../../model/evaluate.ts';
import { provideMorePresets } from '../../model/presets.ts';
import type { Page, Question } from '../../model/views.ts';
import type { RenderContext } from '../kit/render-context.ts';
import { kernelSource } from '../parts/explorer/kernel-facts.ts';
import { addViews, type View } from '../parts/view.ts';
import { collective } from './collective/collective.ts';
import { evidencePage } from './evidence/page.ts';
import { lazyViews } from './lazy-views.ts';
import { operation } from './operation/operation.ts';
import { trainingFixes } from './training/fixes.ts';
import { trainingOffers } from './predicted.ts';
import { withTargets } from './targets.ts';
import { training } from './training/training.ts';

interface PageView {
  /** The view, unless it loads on first use. */
  view?: View;
  /** Loads it, with what computes its answers. */
  load?(engine: Engine): Promise<View>;
  /** A link that new readers are offered; views that answer alike need only one. */
  example?: string;
}

const pageViews: Readonly<Record<Question, PageView>> = {
  training: {
    view: { ...training, ...trainingFixes, ...trainingOffers },
    example: 'chip=h100-sxm&model=llama-3.1-8b&chips=8&tokens=160B&batch=262144',
  },
  plan: {
    async load(engine) {
      const [{ plan }] = await Promise.all([lazyViews.plan.view(), loadPlanner(engine)]);
      return withTargets(plan);
    },
    example:
      'view=plan&chip=h100-sxm&model=llama-3.1-405b&chips=16384&tokens=15.6T&batch=16777216&sequence=8192',
  },
  serving: {
    async load(engine) {
      // The view fills in ways, without which nothing may be evaluated.
      const [{ serving }, { loadServing }] = await Promise.all([
        lazyViews.serving.view(),
        import('../../model/divide-servers.ts'),
        engine.serving(),
      ]);
      await loadServing(engine);
      return withTargets(serving);
    },
    example: 'view=serving&chip=h100-sxm&model=llama-3-70b&serve.chips=4&server.weights=fp8',
  },
  budget: {
    async load(engine) {
      const [{ budget }] = await Promise.all([lazyViews.budget.view(), loadTargets(engine)]);
      return withTargets(budget);
    },
    example: 'view=budget',
  },
  operation: { view: operation, example: 'view=operation&chip=tpu-v5e' },
  collective: { view: collective },
};
const entries = Object.entries(pageViews) as [Question, PageView][];

/** The contents of the pages. */
export const pageContents: Readonly<Record<Page, (ctx: RenderContext) => unknown>> = {
  evidence: evidencePage,
};

function exampleOf(name: Question): (readonly [shows: Question, link: string])[] {
  const { example } = pageViews[name];
  return example ? [[name, example]] : [];
}

/** The links that new readers are offered, with what each shows: a view, or several answers. */
export const firstExamples: readonly (readonly [shows: Question | 'sides', link: string])[] = [
  ...exampleOf('training'),
  ...exampleOf('plan'),
  ['sides', `${pageViews.plan.example}&sides=chip:h100-sxm,b200-sxm,tpu-v5p`],
  ...exampleOf('serving'),
  ...exampleOf('budget'),
  ...exampleOf('operation'),
];

/** Adds the views that need not be loaded. */
export function addPageViews(): void {
  provideMorePresets(async () => (await import('../../model/more-presets.ts')).more);
  kernelSource.facts = new Lazy(async () => (await import('./operation/kernels.ts')).facts);
  for (const [name, { view }] of entries) if (view) addViews({ [name]: withTargets(view) });
}

/** Loads a view that loads on first use, with what computes its answers. */
export async function loadView(name: Question, engine: Engine): Promise<void> {
  const view = await pageViews[name].load?.(engine);
  if (view) addViews({ [name]: view });
}
