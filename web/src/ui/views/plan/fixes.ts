import type { Issue } from '../../../engine/index.ts';
import { alongThese, divisorsOf } from '../../../number/along.ts';
import type { Along } from '../../../number/step.ts';
import type { Reply } from '../../../model/evaluate.ts';
import type { State } from '../../../model/state.ts';
import type { FieldId } from '../../../model/fields.ts';
import { suggest, type Change } from '../../parts/question/suggested-fixes.ts';
import type { Fix } from '../../parts/view.ts';
import type { RenderContext } from '../../kit/render-context.ts';

type Ask = (state: State) => Reply;

const ways = ['tensor', 'context', 'pipeline', 'virtualStages', 'expert', 'expertTensor'];
const alone: Change[] = ways.map((key) => [`layout.${key}`, 1]);

const valueOf = (ctx: RenderContext, id: FieldId): number => Number(ctx.value(id));

export const fits = (reply: Reply): boolean => reply.ok && reply.answers.fits === 'yes';

/** It can be computed but not held: divide more, or recompute more. */
export function fixesToFit(ctx: RenderContext, ask: Ask): Fix[] {
  const { offers: says } = ctx.text;
  const divide: Change = ['layout.sharding', 'parameters'];
  const recompute: Change = ['layout.recompute', 'full'];
  const works = ({ state }: Fix): boolean => state !== ctx.state && fits(ask(state));
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
export function fixesOf(ctx: RenderContext, ask: Ask, issues: readonly Issue[]): Fix[] {
  const { offers: says } = ctx.text;
  return issues.flatMap(({ code, field, arguments: found }) => {
    if (code === 'noSliceShape') {
      return [found.below, found.above]
        .filter((chips) => Number(chips) > 0)
        .map((chips) => withChips(ctx, ask, Number(chips)));
    }
    if (code === 'moreChipsThanNetwork') return [withChips(ctx, ask, Number(found.maximum))];
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
      .find(({ state }) => ask(state).ok);
    return [...(nearest ? [nearest] : []), suggest(ctx, says.dataOnly, ...alone)];
  });
}

/** Other chips may need another layout too. */
function withChips(ctx: RenderContext, ask: Ask, chips: number): Fix {
  const change: Change = ['run.chips', chips];
  const same = suggest(ctx, ctx.text.offers.chips, change);
  if (ctx.state.layout === 'best') return same;
  return ask(same.state).ok ? same : suggest(ctx, ctx.text.offers.chips, change, ...alone);
}

/** Valid values of the field: ways divide a slice's chips, chunks the layers. */
function divisors(ctx: RenderContext, id: FieldId): number[] {
  const whole =
    id === 'layout.virtualStages'
      ? Math.ceil(valueOf(ctx, 'model.layers') / valueOf(ctx, 'layout.pipeline'))
      : valueOf(ctx, 'run.chips') / valueOf(ctx, 'run.slices');
  return divisorsOf(whole);
}

const chipWays: readonly FieldId[] = ['layout.tensor', 'layout.context', 'layout.pipeline'];

/** The steps of a layout's ways: divisors of the number that they divide. */
export function layoutAlong(ctx: RenderContext, id: FieldId): Along | undefined {
  if (id === 'layout.expert') return alongThese(() => divisorsOf(valueOf(ctx, 'model.experts')));
  if (id === 'layout.virtualStages') return alongThese(() => divisors(ctx, id));
  if (!chipWays.includes(id)) return undefined;
  const others = chipWays.filter((other) => other !== id).map((other) => valueOf(ctx, other));
  const left = others.reduce(
    (chips, ways) => chips / ways,
    valueOf(ctx, 'run.chips') / valueOf(ctx, 'run.slices'),
  );
  const divides: Partial<Record<FieldId, (ways: number) => boolean>> = {
    'layout.tensor': (ways) => valueOf(ctx, 'model.heads') % ways === 0,
    'layout.context': (ways) => valueOf(ctx, 'run.sequenceLength') % ways === 0,
    'layout.pipeline': (ways) => ways <= valueOf(ctx, 'model.layers'),
  };
  // Steps cannot mend a quotient that is not whole to begin with.
  return Number.isInteger(left)
    ? alongThese(() => divisorsOf(left).filter(divides[id]!))
    : undefined;
}
