// The views of the page, each with what the page needs to know before it is opened.

import { createEngine } from '../../engine/index.ts';
import { moduleImports } from '../../engine/module-imports.ts';
import { Lazy } from '../../engine/lazy.ts';
import { questions, views, type Page, type Question } from '../../model/views.ts';
import type { Features, RenderContext } from '../kit/render-context.ts';
import type { View } from '../parts/view.ts';
import { conceptsPage } from '../features/glossary/page.ts';
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
  concepts: conceptsPage,
  evidence: evidencePage,
};

/** The views, each with what computes its answers; all but the first load when they are opened. */
export const pageViews: Features['views'] = new Map(
  questions.map((question) => [question, lazyView(question)]),
);

function lazyView(name: Question): Lazy<View> {
  const page = lazyViews.get(name);
  if (!page) return Lazy.of(withTargets(first));
  const { module, predictedBy } = views[name];
  return new Lazy(async () => {
    // Its code loads beside that of the module, not after it.
    const [{ view }, engine] = await Promise.all([
      page(),
      createEngine(),
      module && moduleImports[module](),
      predictedBy && pageViews.get(predictedBy)!.get(),
    ]);
    if (module) await engine[module]();
    return withTargets(view);
  });
}

/** The loader of kernels that were measured. */
export const kernels: Required<Features>['kernels'] = new Lazy(
  async () => (await import('./operation/kernels.ts')).facts,
);
