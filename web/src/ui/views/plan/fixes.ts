// Suggests fixes for a plan that does not fit in memory, or can't be divided as asked. Elements in
// posts suggest none.

import { evaluateNearby, type Reply } from '../../../model/evaluate.ts';
import type { FieldId } from '../../../model/fields.ts';
import { suggest, type Change } from '../../parts/question/suggested-fixes.ts';
import type { Fix, View } from '../../parts/view.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { trains } from '../../kit/trained.ts';
import { divisors, valueOf } from './along.ts';

const ways = ['tensor', 'context', 'pipeline', 'virtualStages', 'expert', 'expertTensor'];
const alone: Change[] = ways.map((key) => [`layout.${key}`, 1]);

const ask = (ctx: RenderContext, { state }: Fix): Reply => evaluateNearby(ctx.engine, state);

const fits = (reply: Reply): boolean => reply.ok && reply.answers.fits === 'yes';

/** It can be computed but not held: divide more, or recompute more. */
function fixesToFit(ctx: RenderContext): Fix[] {
  const { offers: says } = ctx.text;
  const divide: Change = ['layout.sharding', 'parameters'];
  const recompute: Change = ['layout.recompute', 'full'];
  const works = (fix: Fix): boolean => fix.state !== ctx.state && fits(ask(ctx, fix));
  const one = [
    suggest(ctx, says.divideStates, divide),
    suggest(ctx, says.recompute, recompute),
  ].filter(works);
  const both = [suggest(ctx, says.divideAndRecompute, divide, recompute)].filter(works);
  return [
    ...(one.length > 0 ? one : both),
    ...(['tensor', 'pipeline'] as const).flatMap((key) => {
      const id: FieldId = `layout.${key}`;
      return divisors(ctx, id)
        .filter((value) => value > valueOf(ctx, id))
        .map((value) => suggest(ctx, says[key], [id, value]))
        .filter(works)
        .slice(0, 1);
    }),
  ];
}

/** A layout that does not go: the nearest number below that does. */
function fixesOf(ctx: RenderContext): Fix[] {
  const { offers: says } = ctx.text;
  return ctx.issues.flatMap(({ code, field, arguments: found }) => {
    if (code === 'noSliceShape') {
      return [found.below, found.above]
        .filter((chips) => Number(chips) > 0)
        .map((chips) => withChips(ctx, Number(chips)));
    }
    if (code === 'moreChipsThanNetwork') return [withChips(ctx, Number(found.maximum))];
    const id = field as FieldId;
    if (ctx.state.layout === 'best') return [];
    if (code === 'noExperts') return [suggest(ctx, says.dataOnly, ...alone)];
    if (!id.startsWith('layout.') || ctx.info(id).kind !== 'count') return [];
    const sentence = says.value
      .replace('{field}', ctx.label(id))
      .replace('{value}', `{${id.slice('layout.'.length)}}`);
    const nearest = divisors(ctx, id)
      .filter((value) => value <= valueOf(ctx, id))
      .reverse()
      .map((value) => suggest(ctx, sentence, [id, value]))
      .find((fix) => ask(ctx, fix).ok);
    return [...(nearest ? [nearest] : []), suggest(ctx, says.dataOnly, ...alone)];
  });
}

/** Other chips may need another layout too. */
function withChips(ctx: RenderContext, chips: number): Fix {
  const change: Change = ['run.chips', chips];
  const same = suggest(ctx, ctx.text.offers.chips, change);
  if (ctx.state.layout === 'best') return same;
  return ask(ctx, same).ok ? same : suggest(ctx, ctx.text.offers.chips, change, ...alone);
}

/** Adapters on a data set of examples, in place of a training of all that does not fit. Their time is
 *  that of a layout which divides nothing: the best one is no slower. */
function fixesByTuning(ctx: RenderContext, reply: Reply): Fix[] {
  const asks = trains(ctx, 'all') && ctx.value('run.corpus') === 'tokens';
  if (!asks || fits(reply)) return [];
  return ['lora', 'qlora'].flatMap((way) => {
    const { state } = suggest(ctx, '', ['run.trained', way], ['run.corpus', 'examples']);
    const tuned = evaluateNearby(ctx.engine, state);
    if (!tuned.ok || !fits(tuned)) return [];
    const parts = {
      trained: ctx.say('run.trained', way),
      examples: ctx.say('run.examples', ctx.value('run.examples')),
      time: ctx.format.say(Number(tuned.answers.wallTime), 's'),
    };
    return [{ says: ctx.fill(ctx.text.offers.tune, parts), state }];
  });
}

function fixes(ctx: RenderContext, reply: Reply): Fix[] {
  if (!reply.ok) return fixesOf(ctx);
  // If nothing fits the best way, no layout fits.
  const others = fits(reply) || ctx.state.layout === 'best' ? [] : fixesToFit(ctx);
  return [...others, ...fixesByTuning(ctx, reply)];
}

export const planFixes = { fixes, fits } satisfies Partial<View>;
