import type { Issue } from '../../engine/index.ts';
import type { Reply } from '../../state/ask.ts';
import type { FieldId, State } from '../../state/state.ts';
import { offer, type Change, type Offer } from '../offers.ts';
import type { Scope } from '../scope.ts';

type Ask = (state: State) => Reply;

const ways = ['tensor', 'context', 'pipeline', 'virtualStages', 'expert', 'expertTensor'];
const alone: Change[] = ways.map((key) => [`layout.${key}`, 1]);

const valueOf = (scope: Scope, id: FieldId): number => Number(scope.value(id));

export const fits = (reply: Reply): boolean => reply.ok && reply.answers.fits === 'yes';

/** It can be computed but not held: divide more, or recompute more. */
export function toFit(scope: Scope, ask: Ask): Offer[] {
  const { offers: says } = scope.text;
  const divide: Change = ['layout.sharding', 'parameters'];
  const recompute: Change = ['layout.recompute', 'full'];
  const works = ({ state }: Offer): boolean => state !== scope.state && fits(ask(state));
  const one = [
    offer(scope, says.divideStates, divide),
    offer(scope, says.recompute, recompute),
  ].filter(works);
  const both = [offer(scope, says.divideAndRecompute, divide, recompute)].filter(works);
  return [
    ...(one.length > 0 ? one : both),
    ...(['tensor', 'pipeline'] as const).flatMap((key) => {
      const id: FieldId = `layout.${key}`;
      return divisors(scope, id)
        .filter((value) => value > valueOf(scope, id))
        .map((value) => offer(scope, says[key], [id, value]))
        .filter(works)
        .slice(0, 1);
    }),
  ];
}

/** A layout that does not go: the nearest number below that does. */
export function toMend(scope: Scope, ask: Ask, issues: readonly Issue[]): Offer[] {
  const { offers: says } = scope.text;
  return issues.flatMap(({ code, field, arguments: found }) => {
    if (code === 'noSliceShape') {
      return [found.below, found.above]
        .filter((chips) => Number(chips) > 0)
        .map((chips) => withChips(scope, ask, Number(chips)));
    }
    if (code === 'moreChipsThanNetwork') return [withChips(scope, ask, Number(found.maximum))];
    const id = field as FieldId;
    if (code === 'noExperts') return [offer(scope, says.dataOnly, ...alone)];
    if (!id.startsWith('layout.') || scope.info(id).kind !== 'count') return [];
    const sentence = says.value
      .replace('{field}', scope.label(id))
      .replace('{value}', `{${id.slice('layout.'.length)}}`);
    const nearest = divisors(scope, id)
      .filter((value) => value <= valueOf(scope, id))
      .reverse()
      .map((value) => offer(scope, sentence, [id, value]))
      .find(({ state }) => ask(state).ok);
    return [...(nearest ? [nearest] : []), offer(scope, says.dataOnly, ...alone)];
  });
}

/** Other chips may need another layout too. */
function withChips(scope: Scope, ask: Ask, chips: number): Offer {
  const change: Change = ['run.chips', chips];
  const same = offer(scope, scope.text.offers.chips, change);
  return ask(same.state).ok ? same : offer(scope, scope.text.offers.chips, change, ...alone);
}

/** What the field could be: ways divide a slice's chips, chunks the layers. */
function divisors(scope: Scope, id: FieldId): number[] {
  const whole =
    id === 'layout.virtualStages'
      ? Math.ceil(valueOf(scope, 'model.layers') / valueOf(scope, 'layout.pipeline'))
      : valueOf(scope, 'run.chips') / valueOf(scope, 'run.slices');
  const found = new Set<number>();
  for (let n = 1; n * n <= whole; ++n) if (whole % n === 0) found.add(n).add(whole / n);
  return [...found].sort((a, b) => a - b);
}
