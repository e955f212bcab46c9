// Says in words why an answer changed.

import type { Told } from '../../../../engine/told.ts';
import { spokenUnit } from '../../../../model/presentation.ts';
import type { FieldValue } from '../../../../engine/index.ts';
import { isMoney, isTime } from '../../../../number/unit.ts';
import type { Branch, Cause, Reason, Side } from '../../../../compare/reason.ts';
import type { Differences, FieldDifference } from '../../../../compare/inputs.ts';
import type { State } from '../../../../model/state.ts';
import type { FieldId } from '../../../../model/fields.ts';
import { aside } from '../../../../i18n/language.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
import { sayListed } from '../../../parts/question/basis.ts';
import type { Words } from '../words.ts';

/** Causes that are told one by one; the rest together. */
const mostTold = 3;
/** Against the greatest, smaller ones are not told. */
const worthSaying = 0.02;
/** Ratios within are said in percent. */
const farFrom = 1.5;

const signed = (value: number, said: string): string => `${value < 0 ? '−' : '+'}${said}`;

/** Times that are better long: nothing is slower where one is longer. */
const intervals: ReadonlySet<string> = new Set(['checkpointInterval', 'jobMttf']);

/** `10.3× faster` or `+12%`; nothing where a ratio says nothing. */
export function sayRatio(
  ctx: RenderContext,
  { ratios }: Words,
  { key, unit }: { key: string; unit: string },
  ratio: number,
): string {
  if (!Number.isFinite(ratio) || ratio <= 0) return '';
  if (ratio < farFrom && ratio > 1 / farFrom) {
    return signed(ratio - 1, ctx.format.say(Math.abs(ratio - 1), '%'));
  }
  const words = isMoney(unit)
    ? ratios.cost
    : isTime(unit) && !intervals.has(key)
      ? ratios.time
      : ratios.amount;
  return ctx.fill(ratio > 1 ? words.more : words.less, {
    n: ctx.format.number(Math.max(ratio, 1 / ratio)),
  });
}

/** `−22.1 days`, `+3.20 points`. */
export function sayDifference(ctx: RenderContext, words: Words, info: Told, value: number): string {
  const size = Math.abs(value);
  const { format } = ctx;
  const spoken = spokenUnit(info);
  if (spoken === '%')
    return signed(value, ctx.fill(words.points, { n: format.number(100 * size) }));
  return signed(value, format.say(size, spoken));
}

/** The context of a reason's sentences. */
export interface Telling {
  ctx: RenderContext;
  words: Words;
  /** The inputs in which the two states differ. */
  inputs: Differences;
}

/** The one field that makes all the difference, if it is one. */
function soleField({ things, fields }: Differences): FieldDifference | undefined {
  return things.length === 0 && fields.length === 1 ? fields[0] : undefined;
}

/** The sentences about one answer: what moved it, what took over, what fell below what. */
export function sayReason(telling: Telling, reason: Reason, parts: readonly Cause[]): string {
  const { ctx, words, inputs } = telling;
  const { takeovers, verdicts } = reason;
  const sole = soleField(inputs);
  const decided = takeovers.length + verdicts.length > 0;
  const causes =
    sayCauses(telling, reason, reason.causes) || (sole && !decided ? sayField(telling, sole) : '');
  // A sum is explained by its parts first, then by their causes.
  const lead = sayCauses(telling, reason, parts);
  return ctx.sentences([
    (lead || causes) && ctx.fill(words.because, { causes: lead || causes }),
    lead && causes && !sole ? ctx.fill(words.behind, { causes }) : '',
    ...takeovers.map(({ before, after }) =>
      ctx.fill(words.takeover, {
        before: sayBranch(telling, before),
        after: sayBranch(telling, after),
      }),
    ),
    ...verdicts.map(({ left, right, below }) =>
      ctx.fill(below ? words.below : words.notBelow, {
        left: saySide(telling, left),
        right: saySide(telling, right),
      }),
    ),
  ]);
}

/**
 * The causes of which a reader can make sense. A part that only one of the two has is told where it is
 * a term that came or went; a factor or a limit says nothing without what does its work on the other
 * side, and the two together are another formula.
 */
function sensible({ key, unit }: Reason, causes: readonly Cause[]): Cause[] {
  const makesSense = ({ from, to, unit: own, difference, kind, successor }: Cause): boolean =>
    kind === 'formula' ||
    successor !== undefined ||
    (from !== undefined && to !== undefined) ||
    (own === unit && difference * ((to ?? 0) - (from ?? 0)) > 0);
  const told = causes.filter((cause) => makesSense(cause) && cause.kind !== 'formula');
  const others = causes.filter((cause) => !told.includes(cause));
  const difference = others.reduce((sum, each) => sum + each.difference, 0);
  const formula: Cause = { kind: 'formula', key, unit: '', difference };
  return [...told, ...(difference === 0 ? [] : [formula])].sort(
    (a, b) => Math.abs(b.difference) - Math.abs(a.difference),
  );
}

function sayCauses(telling: Telling, reason: Reason, all: readonly Cause[]): string {
  const { ctx, words } = telling;
  const causes = sensible(reason, all);
  const told = worthTelling(causes);
  if (told.length === 0) return '';
  const rest = causes.slice(told.length).reduce((sum, { difference }) => sum + difference, 0);
  const alone = told.length === 1 && Math.abs(rest) < worthSaying * Math.abs(told[0]!.difference);
  const effect = (cause: Cause): string => sayEffect(telling, reason, cause);
  const said = told.map((cause) => {
    const what = sayCause(telling, cause);
    const moved = alone ? '' : effect(cause);
    return moved ? ctx.fill(words.effect, { cause: what, effect: moved }) : what;
  });
  if (!alone && causes.length > told.length) {
    const others: Cause = { ...told[0]!, difference: rest };
    if (Math.abs(rest) >= worthSaying * Math.abs(told[0]!.difference)) {
      const moved = effect(others);
      if (moved) said.push(ctx.fill(words.others, { effect: moved }));
    }
  }
  return said.join(words.between);
}

const worthTelling = (causes: readonly Cause[]): Cause[] => {
  const most = Math.abs(causes[0]?.difference ?? 0);
  return causes
    .slice(0, mostTold)
    .filter(({ difference }) => Math.abs(difference) >= worthSaying * most);
};

/** A cause's share in the answer's change, in the answer's own unit; nothing for less than one of what
 * is counted in wholes. */
function sayEffect({ ctx, words }: Telling, reason: Reason, { difference }: Cause): string {
  const { from, to } = reason;
  const counted = Number.isInteger(from) && Number.isInteger(to);
  const share = counted ? Math.round(difference) : difference;
  return share === 0 ? '' : sayDifference(ctx, words, reason, share);
}

function sayCause(telling: Telling, cause: Cause): string {
  const { ctx, words, inputs } = telling;
  const { kind, key, successor, from, to } = cause;
  if (kind === 'formula') {
    // Formulas become others where choices do.
    const sole = soleField(inputs);
    if (sole) return sayField(telling, sole);
    const all = [...inputs.fields, ...inputs.follow.flatMap(({ fields }) => fields)];
    const chosen = all.filter(({ now }) => typeof now === 'string' || typeof now === 'boolean');
    const fields = chosen.map((field) => sayField(telling, field)).join(words.comma);
    return fields ? ctx.fill(words.otherwiseBy, { fields }) : words.otherwise;
  }
  const say = (value: number | undefined, which = { kind, key }): string =>
    value === undefined ? '' : sayValue(ctx, which, value, cause);
  const parts = {
    name: nameOf(ctx, { kind, key }),
    from: say(from),
    to: say(to, successor ?? { kind, key }),
    successor: successor ? nameOf(ctx, successor) : '',
  };
  const sentence = successor
    ? words.instead
    : from === undefined
      ? words.came
      : to === undefined
        ? words.went
        : words.moved;
  return ctx.fill(sentence, parts);
}

type Named = { kind: Cause['kind']; key: string };

const nameOf = (ctx: RenderContext, { kind, key }: Named): string =>
  kind === 'input' ? ctx.label(key as FieldId) : ctx.answer(key).label;

function sayValue(ctx: RenderContext, { kind, key }: Named, value: number, told: Told): string {
  if (kind === 'input') return ctx.say(key as FieldId, value);
  return ctx.format.say(value, spokenUnit(told));
}

export function sayField({ ctx, words }: Telling, { id, before, now }: FieldDifference): string {
  const say = (value: FieldValue, state: State | undefined): string => {
    const said = ctx.say(id, value);
    const basis = id === 'chip.price' && state ? sayListed(ctx, state) : '';
    return basis ? aside(said, basis) : said;
  };
  return ctx.fill(words.moved, {
    name: ctx.label(id),
    from: say(before, ctx.state.pinned),
    to: say(now, ctx.state),
  });
}
function sayBranch({ ctx, words }: Telling, { key, resource }: Branch): string {
  if (resource) return words.resources[resource];
  return key!.includes('.') ? ctx.label(key as FieldId) : ctx.answer(key!).label;
}

function saySide(telling: Telling, side: Side): string {
  const { key, kind, from, to } = side;
  const { ctx, words } = telling;
  const named = key !== undefined && kind !== undefined ? { kind, key } : undefined;
  const say = (value: number): string =>
    named ? sayValue(ctx, named, value, side) : ctx.format.say(value, side.unit);
  const moved = from !== undefined && from !== to;
  return ctx.fill(words.side, {
    name: named ? nameOf(ctx, named) : words.threshold,
    value: moved ? ctx.fill(words.fromTo, { from: say(from), to: say(to) }) : say(to),
  });
}

interface ToldTerm {
  name: string;
  values: string;
  effect: string;
}

/** The terms of the answer's own formula, where they say more than the causes do. */
export function tellTerms(telling: Telling, reason: Reason): ToldTerm[] {
  const { ctx, words } = telling;
  const named = reason.terms.filter(({ kind }) => kind !== 'formula');
  const same = named.every((term, index) => term.key === reason.causes[index]?.key);
  if (named.length === 0 || same) return [];
  return reason.terms.map((term) => {
    const { kind, key, successor, from, to } = term;
    const say = (value: number | undefined, which: Named): string =>
      value === undefined ? '–' : sayValue(ctx, which, value, term);
    return {
      name: kind === 'formula' ? words.otherwise : nameOf(ctx, successor ?? { kind, key }),
      values:
        kind === 'formula'
          ? ''
          : ctx.fill(words.fromTo, {
              from: say(from, { kind, key }),
              to: say(to, successor ?? { kind, key }),
            }),
      effect: sayEffect(telling, reason, term),
    };
  });
}
