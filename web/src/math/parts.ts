// Formulas with limits in limits, or as long as a page, a part at a time.

import type { Expression } from '../engine/index.ts';
import { isSum } from './formula.ts';

/** The nodes of an expression. */
export const sizeOf = once(({ args = [] }: Expression): number =>
  args.reduce((sum, arg) => sum + sizeOf(arg), 1),
);

/** A limit, or a long sum, that stands inside a formula, taken out of it: `max_1`, `sum_1`. */
export interface Part {
  symbol: string;
  unit: string;
  expression: Expression;
}

/** A sum inside a formula that has more nodes is a part of its own: a line can be read. */
const mostNodes = 48;

const isLimit = ({ op }: Expression): boolean => op === 'max' || op === 'min';

/** Remembers what is made of each node: formulas share thousands of theirs. */
function once<Made>(make: (node: Expression) => Made): (node: Expression) => Made {
  const known = new WeakMap<Expression, Made>();
  return (node) => {
    if (!known.has(node)) known.set(node, make(node));
    return known.get(node)!;
  };
}

/** The greatest of several, one of which is the greatest of others, is one of them all. */
const flat = once((node: Expression): Expression => {
  const args = node.args?.map(flat);
  if (!args) return node;
  if (!isLimit(node)) return { ...node, args };
  return { ...node, args: args.flatMap((arg) => (arg.op === node.op ? arg.args! : [arg])) };
});

/** Whether a limit stands anywhere below a node. */
const holdsLimit = once((node: Expression): boolean =>
  (node.args ?? []).some((arg) => isLimit(arg) || holdsLimit(arg)),
);

/** Whether one stands inside another below a node. */
const holdsNested = once((node: Expression): boolean =>
  (node.args ?? []).some((arg) => (isLimit(arg) && holdsLimit(arg)) || holdsNested(arg)),
);

/** Exponents of the units in a product. */
type Units = Map<string, number>;

/** Units that count; beside another they go without saying: bytes of a chip over its rate are a time. */
const counting = new Set(['tokens', 'params', 'chip', 'chips']);

function raised(units: Units, exponent: number, into: Units = new Map()): Units {
  for (const [unit, power] of units) into.set(unit, (into.get(unit) ?? 0) + exponent * power);
  return into;
}

/** Exponents of a unit as it is written: `B/s`. */
const written = (unit: string): Units =>
  new Map(unit ? unit.split('/').map((each, place) => [each, place ? -1 : 1]) : []);

/** Exponents of the unit of a result; sums and limits have those of their first operand with any. */
function unitsOf(node: Expression): Units {
  const { op, unit, args = [] } = node;
  const [first, ...others] = args;
  if (!first) return written(unit);
  if (op === 'sqrt') return raised(unitsOf(first), 1 / 2);
  if (op === 'square') return raised(unitsOf(first), 2);
  if (op === 'multiply' || op === 'divide') {
    const sign = op === 'divide' ? -1 : 1;
    return others.reduce(
      (units, arg) => raised(unitsOf(arg), sign, units),
      raised(unitsOf(first), 1),
    );
  }
  const kept = isLimit(node) || ['add', 'subtract', 'ceil', 'floor'].includes(op);
  return (kept && args.map(unitsOf).find((units) => named(units))) || written(unit);
}

/** A unit, or one over another, as it is written; empty for all that has no short name. */
function named(units: Units): string {
  const all = [...units].filter(([, power]) => power !== 0);
  const others = all.filter(([unit]) => !counting.has(unit));
  const [[unit, power] = ['', 0], over, ...more] = (others.length > 0 ? others : all).sort(
    ([, one], [, other]) => other - one,
  );
  if (power !== 1 || more.length > 0) return '';
  if (!over) return unit;
  return over[1] === -1 ? `${unit}/${over[0]}` : '';
}

const unitOf = (expression: Expression): string => named(unitsOf(expression));

/**
 * An expression in which no limit stands inside another, nor beside other factors, and no long sum
 * inside anything; and the parts that were taken out of it, each before those that it rests on. A
 * limit that stands alone, or as a term of a sum, stays.
 */
export const parted = once((expression: Expression): { whole: Expression; parts: Part[] } => {
  const whole = flat(expression);
  // A single limit without others inside needs no name.
  const nested = isLimit(whole) ? holdsLimit(whole) : holdsNested(whole);
  const taken: { named: Expression; expression: Expression }[] = [];
  // A part that occurs several times has one name.
  const known = new Map<string, Expression>();
  const takeOut = (node: Expression, place: number): Expression => {
    const form = JSON.stringify(node);
    const before = known.get(form);
    if (before) return before;
    // Their symbols count them in the order of the list, which is known at the end.
    const symbol = `part ${known.size}`;
    const named: Expression = { op: 'step', symbol, value: node.value, unit: unitOf(node) };
    known.set(form, named);
    taken.splice(place, 0, { named, expression: node });
    return named;
  };
  const within = (node: Expression, areTerms: boolean): Expression => {
    if (!node.args) return node;
    const args = node.args.map((arg, index) =>
      areTerms && isSum(arg) && (index === 0 || node.op === 'add')
        ? within(arg, true)
        : inside(arg),
    );
    return { ...node, args };
  };
  const inside = once((node: Expression): Expression => {
    const place = taken.length;
    const made = within(node, false);
    const isLong = (isLimit(node) || isSum(node)) && sizeOf(made) > mostNodes;
    return isLong || (nested && isLimit(node)) ? takeOut(made, place) : made;
  });
  // Terms of the sum that a formula is stand in lines of their own.
  const made = within(whole, isSum(whole));
  const counts = new Map<string, number>();
  const parts = taken.map(({ named, expression }): Part => {
    const name = isLimit(expression) ? expression.op : 'sum';
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    const symbol = (named.symbol = `${name}_${count}`);
    return { symbol, unit: named.unit, expression };
  });
  return { whole: made, parts };
});
