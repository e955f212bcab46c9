// What a view needs loads side by side, to save round trips.

import { moduleImports } from '../../engine/module-imports.ts';
import { dictionaryOf, partOf } from '../../i18n/dictionary.ts';
import type { Language } from '../../i18n/language.ts';
import { chartsOf, views, type Question } from '../../model/views.ts';
import { lazyViews } from './lazy-views.ts';

/** Begins to load what will be asked for; whoever asks is told where it can't be had. */
export function preload(language: Language, view: Question | undefined): void {
  const parts: (() => Promise<unknown>)[] = [() => dictionaryOf(language).get()];
  if (view) {
    parts.push(...(views[view].texts ?? []).map((part) => () => partOf(language, part).get()));
    for (const each of [view, views[view].predictedBy]) {
      const page = each && lazyViews.get(each);
      const module = each && views[each].module;
      if (page) parts.push(page);
      if (module) parts.push(moduleImports[module]);
    }
    if (chartsOf(view).length > 0) parts.push(() => import('../parts/explorer/explorer.ts'));
  }
  for (const part of parts) part().catch(() => undefined);
}
