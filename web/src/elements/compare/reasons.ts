// Why an answer changed, in words.

import {
  factorOf,
  type Branch,
  type Cause,
  type Reason,
  type Side,
} from '../../state/compare-causes.ts';
import type { Differences, FieldDifference } from '../../state/compare-inputs.ts';
import { isPercent } from '../../state/presentation.ts';
import type { FieldId } from '../../state/state.ts';
import type { loadPart } from '../../text/dictionary.ts';
import type { Scope } from '../scope.ts';

export type Words = Awaited<ReturnType<typeof loadPart<'compare'>>>;

/** Causes that are told one by one; the rest together. */
const mostTold = 3;
/** Against the greatest, smaller ones are not told. */
const worthSaying = 0.02;
/** Ratios within are said in percent. */
const farFrom = 1.5;

const signed = (value: number, said: string): string => `${value < 0 ? '−' : '+'}${said}`;

/** `×0.50` or `+12 %`; nothing where a ratio says nothing. */
export function sayRatio({ format }: Scope, ratio: number | undefined): string {
  if (ratio === undefined || !Number.isFinite(ratio) || ratio <= 0) return '';
  if (ratio >= farFrom || ratio <= 1 / farFrom) return `×${format.number(ratio)}`;
  return signed(ratio - 1, format.say(Math.abs(ratio - 1), '%'));
}

/** `−22.1 days`, `+3.20 points`. */
export function sayDifference(
  scope: Scope,
  words: Words,
  key: string,
  value: number,
  unit: string,
): string {
  const size = Math.abs(value);
  const { format } = scope;
  if (isPercent(key))
    return signed(value, scope.fill(words.points, { n: format.number(100 * size) }));
  return signed(value, format.say(size, unit));
}

/** What a reason's sentences need to know besides the reason. */
export interface Telling {
  scope: Scope;
  words: Words;
  /** In what the two states differ. */
  inputs: Differences;
}

/** The one field that makes all the difference, if it is one. */
function soleField({ things, fields }: Differences): FieldDifference | undefined {
  return things.length === 0 && fields.length === 1 ? fields[0] : undefined;
}

/** The sentences about one answer: what moved it, what took over, what fell below what. */
export function sayReason(telling: Telling, reason: Reason): string {
  const { scope, words, inputs } = telling;
  const { takeovers, verdicts } = reason;
  const sole = soleField(inputs);
  const decided = takeovers.length + verdicts.length > 0;
  const causes = sayCauses(telling, reason) || (sole && !decided ? sayField(telling, sole) : '');
  return [
    causes && scope.fill(words.because, { causes }),
    ...takeovers.map(({ before, after }) =>
      scope.fill(words.takeover, {
        before: sayBranch(telling, before),
        after: sayBranch(telling, after),
      }),
    ),
    ...verdicts.map(({ left, right, below }) =>
      scope.fill(below ? words.below : words.notBelow, {
        left: saySide(telling, left),
        right: saySide(telling, right),
      }),
    ),
  ]
    .filter(Boolean)
    .join(scope.text.summary.between);
}

function sayCauses(telling: Telling, reason: Reason): string {
  const { scope, words } = telling;
  const told = worthTelling(reason.causes);
  if (told.length === 0) return '';
  const rest = reason.causes
    .slice(told.length)
    .reduce((sum, { difference }) => sum + difference, 0);
  const alone = told.length === 1 && Math.abs(rest) < worthSaying * Math.abs(told[0]!.difference);
  const effect = (cause: Cause): string => sayEffect(telling, reason, cause);
  const said = told.map((cause) => {
    const what = sayCause(telling, cause);
    return alone ? what : scope.fill(words.effect, { cause: what, effect: effect(cause) });
  });
  if (!alone && reason.causes.length > told.length) {
    const others: Cause = { ...told[0]!, difference: rest };
    if (Math.abs(rest) >= worthSaying * Math.abs(told[0]!.difference)) {
      said.push(scope.fill(words.others, { effect: effect(others) }));
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

/** What a cause alone does to the answer: a ratio where there is one. */
function sayEffect({ scope, words }: Telling, reason: Reason, cause: Cause): string {
  const ratio = sayRatio(scope, factorOf(reason, cause));
  return ratio || sayDifference(scope, words, reason.key, cause.difference, reason.unit);
}

function sayCause(telling: Telling, cause: Cause): string {
  const { scope, words, inputs } = telling;
  const { kind, key, successor, from, to } = cause;
  if (kind === 'formula') {
    // Formulas become others where choices do.
    const sole = soleField(inputs);
    if (sole) return sayField(telling, sole);
    const all = [...inputs.fields, ...inputs.follow.flatMap(({ fields }) => fields)];
    const chosen = all.filter(({ now }) => typeof now === 'string' || typeof now === 'boolean');
    const fields = chosen.map((field) => sayField(telling, field)).join(words.between);
    return fields ? scope.fill(words.otherwiseBy, { fields }) : words.otherwise;
  }
  const say = (value: number | undefined, which = { kind, key }): string =>
    value === undefined ? '' : sayValue(scope, which, value, cause.unit);
  const parts = {
    name: nameOf(scope, { kind, key }),
    from: say(from),
    to: say(to, successor ?? { kind, key }),
    successor: successor ? nameOf(scope, successor) : '',
  };
  const sentence = successor
    ? words.instead
    : from === undefined
      ? words.came
      : to === undefined
        ? words.went
        : words.moved;
  return scope.fill(sentence, parts);
}

type Named = { kind: Cause['kind']; key: string };

const nameOf = (scope: Scope, { kind, key }: Named): string =>
  kind === 'input' ? scope.label(key as FieldId) : scope.answer(key).label;

function sayValue(scope: Scope, { kind, key }: Named, value: number, unit: string): string {
  if (kind === 'input') return scope.say(key as FieldId, value);
  return scope.format.say(value, isPercent(key) ? '%' : unit);
}

export const sayField = ({ scope, words }: Telling, { id, before, now }: FieldDifference): string =>
  scope.fill(words.moved, {
    name: scope.label(id),
    from: scope.say(id, before),
    to: scope.say(id, now),
  });

function sayBranch({ scope, words }: Telling, { key, resource }: Branch): string {
  if (resource) return words.resources[resource];
  return key!.includes('.') ? scope.label(key as FieldId) : scope.answer(key!).label;
}

function saySide(telling: Telling, { key, kind, from, to, unit }: Side): string {
  const { scope, words } = telling;
  const named = key !== undefined && kind !== undefined ? { kind, key } : undefined;
  const say = (value: number): string =>
    named ? sayValue(scope, named, value, unit) : scope.format.say(value, unit);
  const moved = from !== undefined && from !== to;
  return scope.fill(words.side, {
    name: named ? nameOf(scope, named) : words.threshold,
    value: moved ? scope.fill(words.fromTo, { from: say(from), to: say(to) }) : say(to),
  });
}

export interface ToldTerm {
  name: string;
  values: string;
  effect: string;
}

/** The terms of the answer's own formula, where they say more than the causes do. */
export function tellTerms(telling: Telling, reason: Reason): ToldTerm[] {
  const { scope, words } = telling;
  const named = reason.terms.filter(({ kind }) => kind !== 'formula');
  const same = named.every((term, index) => term.key === reason.causes[index]?.key);
  if (named.length === 0 || same) return [];
  return reason.terms.map((term) => {
    const { kind, key, successor, from, to, unit } = term;
    const say = (value: number | undefined, which: Named): string =>
      value === undefined ? '–' : sayValue(scope, which, value, unit);
    return {
      name: kind === 'formula' ? words.otherwise : nameOf(scope, successor ?? { kind, key }),
      values:
        kind === 'formula'
          ? ''
          : scope.fill(words.fromTo, {
              from: say(from, { kind, key }),
              to: say(to, successor ?? { kind, key }),
            }),
      effect: sayDifference(scope, words, reason.key, term.difference, reason.unit),
    };
  });
}
