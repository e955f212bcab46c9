// The evidence beside answers of other views. It loads when the reader asks for it.

import { html, type TemplateResult } from 'lit';
import { afterPresets } from '../../../model/presets.ts';
import { Feature } from '../../kit/lazily.ts';
import { disclosure } from '../../kit/disclosure.ts';
import type { Results } from '../../parts/answers/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';

const feature = new Feature(() => afterPresets(() => import('./evidence.ts')), 'evidence');

/** How near predictions of runs like this one came. */
export const howSure = (ctx: RenderContext, title: string): TemplateResult =>
  disclosure(
    ctx,
    {
      part: 'how sure',
      kind: 'panel',
      summary: html`<span class="title">${title}</span>`,
    },
    () =>
      feature.show(
        ctx,
        (words) => html`<scaling-how-sure .ctx=${ctx} .words=${words}></scaling-how-sure>`,
      ),
  );

/** Where a step that the reader measured stands; it opens by itself where a link has one. */
export const ownRun = (ctx: RenderContext, results: Results): TemplateResult =>
  disclosure(
    ctx,
    {
      part: 'own run',
      kind: 'panel',
      summary: html`<span class="title">${ctx.text.planner.ownRun}</span>`,
      forced: ctx.state.charts.measured !== undefined,
    },
    () =>
      feature.show(
        ctx,
        (words) =>
          html`<scaling-own-run .ctx=${ctx} .results=${results} .words=${words}></scaling-own-run>`,
      ),
  );
