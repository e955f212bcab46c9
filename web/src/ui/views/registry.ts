// The views of the page, each with what the page needs to know before it is opened.

import type { Engine } from '../../engine/index.ts';
import { moduleImports } from '../../engine/module-imports.ts';
import { Lazy } from '../../engine/lazy.ts';
import { loadModule } from '../../model/evaluate.ts';
import { presetParts } from '../../model/preset-parts.ts';
import { providePresets } from '../../model/presets.ts';
import { questions, views, type Page, type Question } from '../../model/views.ts';
import type { RenderContext } from '../kit/render-context.ts';
import { kernelSource } from '../parts/explorer/kernel-facts.ts';
import { addViews, type View } from '../parts/view.ts';
import { evidencePage } from './evidence/page.ts';
import { lazyViews } from './lazy-views.ts';
import { trainingFixes } from './training/fixes.ts';
import { trainingOffers } from './predicted.ts';
import { withTargets } from './targets.ts';
import { training } from './training/training.ts';

/** The view that comes with the page. */
const first: View = { ...training, ...trainingFixes, ...trainingOffers };

/** The contents of the pages. */
export const pageContents: Readonly<Record<Page, (ctx: RenderContext) => unknown>> = {
  evidence: evidencePage,
};

/** The links that new readers are offered, with what each shows: a view, or several answers. */
export const firstExamples: readonly (readonly [shows: Question | 'sides', link: string])[] =
  questions.flatMap((question) => {
    const { example } = views[question];
    if (!example) return [];
    const several = `${example}&sides=chip:h100-sxm,b200-sxm,tpu-v5p`;
    return [
      [question, example] as const,
      ...(question === 'plan' ? [['sides', several] as const] : []),
    ];
  });

/** Adds the view that need not be loaded. */
export function addPageViews(): void {
  providePresets(presetParts);
  kernelSource.facts = new Lazy(async () => (await import('./operation/kernels.ts')).facts);
  addViews({ training: withTargets(first) });
}

/** Loads a view that loads on first use, with what computes its answers. */
export async function loadView(name: Question, engine: Engine): Promise<void> {
  const page = lazyViews.get(name);
  if (!page) return;
  const { module } = views[name];
  const [{ view, load }] = await Promise.all([page(), module && moduleImports[module]()]);
  if (load) await load(engine);
  else if (module) await loadModule(engine, module);
  addViews({ [name]: withTargets(view) });
}
