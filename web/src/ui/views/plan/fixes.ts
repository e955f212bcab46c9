import type { Issue } from '../../../engine/index.ts';
import { alongThese, divisorsOf } from '../../../number/along.ts';
import type { Along } from '../../../number/step.ts';
import type { Reply } from '../../../model/evaluate.ts';
import type { State } from '../../../model/state.ts';
import type { FieldId } from '../../../model/fields.ts';
import { suggest, type Change } from '../../parts/question/suggested-fixes.ts';
import type { Fix } from '../../parts/view.ts';
import type { Scope } from '../../kit/scope.ts';

type Ask = (state: State) => Reply;

const ways = ['tensor', 'context', 'pipeline', 'virtualStages', 'expert', 'expertTensor'];
const alone: Change[] = ways.map((key) => [`layout.${key}`, 1]);

const valueOf = (scope: Scope, id: FieldId): number => Number(scope.value(id));

export const fits = (reply: Reply): boolean => reply.ok && reply.answers.fits === 'yes';

/** It can be computed but not held: divide more, or recompute more. */
export function fixesToFit(scope: Scope, ask: Ask): Fix[] {
  const { offers: says } = scope.text;
  const divide: Change = ['layout.sharding', 'parameters'];
  const recompute: Change = ['layout.recompute', 'full'];
  const works = ({ state }: Fix): boolean => state !== scope.state && fits(ask(state));
  const one = [
    suggest(scope, says.divideStates, divide),
    suggest(scope, says.recompute, recompute),
  ].filter(works);
  const both = [suggest(scope, says.divideAndRecompute, divide, recompute)].filter(works);
  return [
    ...(one.length > 0 ? one : both),
    ...(['tensor', 'pipeline'] as const).flatMap((key) => {
      const id: FieldId = `layout.${key}`;
      return divisors(scope, id)
        .filter((value) => value > valueOf(scope, id))
        .map((value) => suggest(scope, says[key], [id, value]))
        .filter(works)
        .slice(0, 1);
    }),
  ];
}

/** A layout that does not go: the nearest number below that does. */
export function fixesOf(scope: Scope, ask: Ask, issues: readonly Issue[]): Fix[] {
  const { offers: says } = scope.text;
  return issues.flatMap(({ code, field, arguments: found }) => {
    if (code === 'noSliceShape') {
      return [found.below, found.above]
        .filter((chips) => Number(chips) > 0)
        .map((chips) => withChips(scope, ask, Number(chips)));
    }
    if (code === 'moreChipsThanNetwork') return [withChips(scope, ask, Number(found.maximum))];
    const id = field as FieldId;
    if (scope.state.layout === 'best') return [];
    if (code === 'noExperts') return [suggest(scope, says.dataOnly, ...alone)];
    if (!id.startsWith('layout.') || scope.info(id).kind !== 'count') return [];
    const sentence = says.value
      .replace('{field}', scope.label(id))
      .replace('{value}', `{${id.slice('layout.'.length)}}`);
    const nearest = divisors(scope, id)
      .filter((value) => value <= valueOf(scope, id))
      .reverse()
      .map((value) => suggest(scope, sentence, [id, value]))
      .find(({ state }) => ask(state).ok);
    return [...(nearest ? [nearest] : []), suggest(scope, says.dataOnly, ...alone)];
  });
}

/** Other chips may need another layout too. */
function withChips(scope: Scope, ask: Ask, chips: number): Fix {
  const change: Change = ['run.chips', chips];
  const same = suggest(scope, scope.text.offers.chips, change);
  if (scope.state.layout === 'best') return same;
  return ask(same.state).ok ? same : suggest(scope, scope.text.offers.chips, change, ...alone);
}

/** What the field could be: ways divide a slice's chips, chunks the layers. */
function divisors(scope: Scope, id: FieldId): number[] {
  const whole =
    id === 'layout.virtualStages'
      ? Math.ceil(valueOf(scope, 'model.layers') / valueOf(scope, 'layout.pipeline'))
      : valueOf(scope, 'run.chips') / valueOf(scope, 'run.slices');
  return divisorsOf(whole);
}

const chipWays: readonly FieldId[] = ['layout.tensor', 'layout.context', 'layout.pipeline'];

/** How the ways of a layout are stepped: along what divides what they share out. */
export function layoutAlong(scope: Scope, id: FieldId): Along | undefined {
  if (id === 'layout.expert') return alongThese(() => divisorsOf(valueOf(scope, 'model.experts')));
  if (id === 'layout.virtualStages') return alongThese(() => divisors(scope, id));
  if (!chipWays.includes(id)) return undefined;
  const others = chipWays.filter((other) => other !== id).map((other) => valueOf(scope, other));
  const left = others.reduce(
    (chips, ways) => chips / ways,
    valueOf(scope, 'run.chips') / valueOf(scope, 'run.slices'),
  );
  const divides: Partial<Record<FieldId, (ways: number) => boolean>> = {
    'layout.tensor': (ways) => valueOf(scope, 'model.heads') % ways === 0,
    'layout.context': (ways) => valueOf(scope, 'run.sequenceLength') % ways === 0,
    'layout.pipeline': (ways) => ways <= valueOf(scope, 'model.layers'),
  };
  // What doesn't come out whole now is not mended by steps.
  return Number.isInteger(left)
    ? alongThese(() => divisorsOf(left).filter(divides[id]!))
    : undefined;
}
