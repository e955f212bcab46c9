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
import { withTargets } from './targets.ts';

/** The contents of the pages. */
export const pageContents: Readonly<Record<Page, (ctx: RenderContext) => unknown>> = {
  concepts: conceptsPage,
  evidence: evidencePage,
};

/** The views, each with what computes its answers; they load when they are opened. */
export const pageViews: Features['views'] = new Map(
  questions.map((question) => [question, lazyView(question)]),
);

function lazyView(name: Question): Lazy<View> {
  const page = lazyViews.get(name)!;
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
