// The evidence beside answers of other views. It loads when the reader asks for it.

import { html, type TemplateResult } from 'lit';
import { afterPresets, Feature } from '../../kit/lazily.ts';
import { disclosure } from '../../kit/disclosure.ts';
import type { Results } from '../../kit/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import type { Interval } from './beside/how-sure.ts';
import type { ServingMeasure } from './runs/serving-data.ts';

const feature = new Feature(
  (ctx) => afterPresets(ctx, () => import('./beside/training-evidence.ts')),
  'evidence',
);
const servers = new Feature(
  (ctx) => afterPresets(ctx, () => import('./beside/serving-evidence.ts')),
  'evidence',
);

/** The accuracy of predictions of runs like this one, beside the step whose interval is shown. */
export const howSure = (ctx: RenderContext, title: string, step?: Results): TemplateResult =>
  disclosure(
    ctx,
    {
      part: 'how sure',
      kind: 'panel',
      summary: html`<span class="title">${title}</span>`,
    },
    () =>
      feature.show(ctx, (words, { howSurePart, stepsOf, traitsOf }) =>
        howSurePart(ctx, words, stepsOf(ctx), traitsOf, intervalOf(step, 'stepExpected')),
      ),
  );

/** The same of one answer of serving. */
export const howSureOfServing = (
  ctx: RenderContext,
  measure: ServingMeasure,
  title: string,
  results: Results,
): TemplateResult =>
  disclosure(
    ctx,
    {
      part: `how sure ${measure}`,
      kind: 'panel',
      summary: html`<span class="title">${title}</span>`,
    },
    () =>
      servers.show(ctx, (words, { howSurePart, servingCollection, traitsOfServing }) =>
        howSurePart(
          ctx,
          words,
          servingCollection(measure),
          traitsOfServing,
          intervalOf(results, measure),
        ),
      ),
  );

/** The interval of an answer as it is shown. */
function intervalOf(results: Results | undefined, key: string): Interval | undefined {
  const [expected, range] = [results?.number(key), results?.range(key)];
  if (!results || !expected || !range) return undefined;
  return { expected, range, said: results.sayRange(key) };
}

/** The reader's measurement among the others; opens by itself if a link has one. */
function own(
  ctx: RenderContext,
  title: string,
  draw: (ctx: RenderContext) => unknown,
): TemplateResult {
  return disclosure(
    ctx,
    {
      part: 'own run',
      kind: 'panel',
      summary: html`<span class="title">${title}</span>`,
      forced: ctx.state.charts.measured !== undefined,
    },
    () => draw(ctx),
  );
}

/** The measure of a plan: a step. */
export const ownRun = (ctx: RenderContext, results: Results): TemplateResult =>
  own(ctx, ctx.text.planner.ownRun, () =>
    feature.show(ctx, (words, { ownRunPart, trainingSubject }) =>
      ownRunPart(ctx, results, words, trainingSubject),
    ),
  );

/** The measures of servers: tokens a second, the time for a token or to the first one. */
export const ownServers = (ctx: RenderContext, results: Results): TemplateResult =>
  own(ctx, ctx.text.served.ownRun, () =>
    servers.show(ctx, (words, { ownRunPart, servingSubject }) =>
      ownRunPart(ctx, results, words, servingSubject),
    ),
  );
