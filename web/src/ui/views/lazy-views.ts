// The views that load on first use: `<view>-page.ts`.

import { questions, type Question } from '../../model/views.ts';
import type { View } from '../parts/view.ts';

/** A view as the page has it. */
export interface LazyView {
  view: View;
}

const pages = import.meta.glob<LazyView>('./*-page.ts');

/** The modules of the views, by view; they load beside those that compute the answers. */
export const lazyViews: ReadonlyMap<Question, () => Promise<LazyView>> = new Map(
  questions.flatMap((view) => {
    const load = pages[`./${view}-page.ts`];
    return load ? [[view, load] as const] : [];
  }),
);

/** Loads the page's modules of a view by their own type. */
export const loadPage = <Page extends LazyView>(view: Question): Promise<Page> =>
  lazyViews.get(view)!() as Promise<Page>;
