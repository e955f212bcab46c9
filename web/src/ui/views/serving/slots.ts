// The verdict on servers: whether all users fit, how fast answers come against what is asked for, at what
// cost, and what binds, each with its range.

import { shapes } from '../../parts/answers/bound.ts';
import { noSlot, type Slot } from '../../parts/picture/picture.ts';
import { signs } from '../../parts/picture/signs.ts';
import type { Results } from '../../kit/results.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { boundOf, unshaped } from './looks.ts';
import { targetsOf, usersOf } from './told.ts';

/** Less than this share of the places free is tight. */
const tight = 0.1;

export const verdictKeys = ['servingFits', 'firstToken', 'costAll', 'decodeBound'];

export const verdictOf = (ctx: RenderContext, results: Results): Slot[] => [
  usersSlot(ctx, results),
  speedSlot(ctx, results),
  costSlot(ctx, results),
  boundSlot(ctx, results),
];

function usersSlot(ctx: RenderContext, results: Results): Slot {
  const { drawn: words } = ctx.text.served;
  const key = 'servingFits';
  const count = (value: number): string => ctx.format.count(value);
  const { all, placed, waiting, places, taken } = usersOf(ctx, results);
  const parts = { users: count(all ?? 0), placed: count(placed), most: count(places) };
  const most = ctx.fill(words.most, parts);
  if (results.choice(key) !== 'yes' && placed === 0) {
    const needs = ctx.fill(words.needs, { chips: results.say('fewestBought') });
    return { key, large: ctx.text.drawn.over, sign: signs.over, bound: 'memory', note: needs };
  }
  if (all === undefined) {
    const saturated = results.choice('saturated') === 'yes';
    const isOpen = ctx.value('serving.load') === 'open';
    const large = !isOpen
      ? ctx.fill(words.running, { n: count(taken) })
      : saturated
        ? words.overloaded
        : words.open;
    return {
      key: isOpen ? 'saturated' : 'servingBatch',
      large,
      sign: saturated ? signs.over : signs.fits,
      note: saturated
        ? words.grows
        : isOpen
          ? ctx.fill(words.load, { used: results.say('utilisation') })
          : most,
    };
  }
  if (waiting > 0) {
    const bySoftware = placed < places;
    const known = results.number('placeTime') !== undefined;
    return {
      key,
      large: ctx.fill(words.placed, parts),
      sign: signs.over,
      bound: bySoftware ? undefined : 'memory',
      note: known
        ? ctx.fill(words.wait, { time: results.say('placeTime') })
        : ctx.fill(words.needs, { chips: results.say('fewestBought') }),
      also: bySoftware ? ctx.fill(words.byEngine, parts) : '',
    };
  }
  const isTight = places - placed < tight * places;
  return {
    key,
    large: ctx.fill(words.fit, parts, { users: all }),
    sign: isTight ? signs.tight : signs.fits,
    bound: isTight ? 'memory' : undefined,
    note: most,
  };
}

/** TTFT, or the target that is missed, and how it is met. */
function speedSlot(ctx: RenderContext, results: Results): Slot {
  const { drawn: words } = ctx.text.served;
  if (results.number('firstToken') === undefined) return noSlot('firstToken');
  const targets = targetsOf(ctx, results);
  const worst = (['no', 'unlikely', 'likely', 'yes'] as const).find((each) =>
    targets.some(({ met }) => met === each),
  );
  const missed = targets.filter(({ met }) => met === worst);
  const isMissed = worst === 'no' || worst === 'unlikely';
  const shown = isMissed ? missed[0]!.key : 'firstToken';
  const beside = shown === 'firstToken' ? 'tokenTime' : 'firstToken';
  const named = (key: string, told: string): string =>
    key === 'firstToken'
      ? ctx.fill(words.ttft, { range: told })
      : ctx.fill(words.tpot, { value: told });
  const [large, range] = [results.say(shown), results.sayRange(shown)];
  const told = [results.say(beside), results.sayRange(beside)].filter(Boolean);
  const what = missed.length > 1 ? words.both : (missed[0]?.short ?? '');
  const met = worst && ctx.fill(words.met[worst], { what });
  const asIs = { key: shown, large, also: named(beside, told.join(words.between)) };
  // There its name stands beside it, and not in small letters below.
  const onCard = {
    large: named(shown, large),
    of: undefined,
    also: named(beside, results.say(beside)),
  };
  const of = (told: string): string => named(shown, told);
  if (!met) {
    return { ...asIs, ...(range ? { range, of } : { note: named(shown, large) }), onCard };
  }
  return {
    ...asIs,
    key: results.absence('meetsTargets') === undefined ? 'meetsTargets' : shown,
    sign: worst === 'yes' ? signs.fits : worst === 'no' ? signs.over : signs.tight,
    ...(range ? { note: met, range, of } : { note: `${met} · ${named(shown, large)}` }),
    onCard,
  };
}

function costSlot(ctx: RenderContext, results: Results): Slot {
  const { drawn: words } = ctx.text.served;
  const key = 'costAll';
  const known = results.number(key) !== undefined;
  const answers = results.choice('servingFits') === 'yes';
  return {
    key,
    large: known ? results.say(key) : '–',
    note: known ? words.perMillion : answers && !isPriced(ctx) ? ctx.text.drawn.price : '',
    range: results.sayRange(key),
    isGhost: !known,
    ...(known && { onCard: { note: words.perOutput } }),
  };
}

const isPriced = (ctx: RenderContext): boolean => typeof ctx.value('chip.price') === 'number';

function boundSlot(ctx: RenderContext, results: Results): Slot {
  const { drawn: words } = ctx.text.served;
  const key = 'decodeBound';
  const choice = results.choice(key);
  if (!choice) return noSlot(key);
  const which = boundOf(choice);
  const prefill = results.choice('prefillBound');
  const ofPrefill = boundOf(prefill);
  const word = ofPrefill
    ? `${shapes[ofPrefill]} ${ctx.text.bounds[ofPrefill]}`
    : words[unshaped(prefill)];
  return {
    key,
    large: which ? ctx.text.bounds[which] : words[unshaped(choice)],
    sign: which && shapes[which],
    bound: which,
    note: words.decode,
    also: prefill ? ctx.fill(words.prefillBound, { bound: word }) : '',
  };
}
