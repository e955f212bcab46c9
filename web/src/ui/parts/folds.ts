// What the first screen has no room for stands behind three folds; tables stand below them.

import { html, nothing, type TemplateResult } from 'lit';
import type { ChartSettings } from '../../model/charts.ts';
import type { State } from '../../model/state.ts';
import { disclosure } from '../kit/disclosure.ts';
import type { RenderContext } from '../kit/render-context.ts';

/** The folds, in their order. */
export const folds = ['why', 'assumptions', 'compare'] as const;
export type Fold = (typeof folds)[number];

/** A fold among all parts that can open. */
export const foldPart = (fold: Fold): string => `fold ${fold}`;

export const isFold = (part: string): boolean => folds.some((fold) => foldPart(fold) === part);

export const isOpen = ({ open }: Pick<RenderContext, 'open'>, fold: Fold): boolean =>
  open.has(foldPart(fold));

/** The folds among open parts. */
export const foldsIn = (open: ReadonlySet<string>): Fold[] =>
  folds.filter((fold) => open.has(foldPart(fold)));

/** A fold; `mark` says beside its name what is worth a look inside. */
export function fold(
  ctx: RenderContext,
  which: Fold,
  content: () => unknown,
  mark: unknown = nothing,
): TemplateResult {
  return disclosure(
    ctx,
    {
      part: foldPart(which),
      kind: 'fold',
      summary: html`<h2 id=${which}>${ctx.text.ui.folds[which]}</h2>
        ${mark}`,
    },
    content,
  );
}

/** Where the settings of a link show: a fold, and the part inside that has them. */
const shownIn: Partial<Record<keyof ChartSettings, readonly [fold: Fold, part?: string]>> = {
  target: ['why'],
  measured: ['why'],
  map: ['compare', 'plan map'],
  scaling: ['compare', 'plan scaling'],
  models: ['compare', 'serving context'],
  columns: ['compare', 'panel all-chip'],
  sort: ['compare', 'panel all-chip'],
};

/** The parts that a state names, which are open where a link brings it. */
export function partsOf({ charts, pinned }: State): string[] {
  const shown = (Object.keys(shownIn) as (keyof typeof shownIn)[])
    .filter((key) => charts[key] !== undefined)
    .map((key) => shownIn[key]!);
  const all = pinned ? [...shown, ['compare'] as const] : shown;
  return all.flatMap(([fold, part]) => [foldPart(fold), ...(part ? [part] : [])]);
}
