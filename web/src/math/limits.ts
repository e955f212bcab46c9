// Formulas with limits in limits, a step at a time.

import type { Expression } from '../engine/index.ts';

/** A limit that stands inside a formula, taken out of it under a symbol of its own: `max_1`. */
export interface Limit {
  symbol: string;
  unit: string;
  expression: Expression;
}

const isLimit = ({ op }: Expression): boolean => op === 'max' || op === 'min';

/** The greatest of several, one of which is the greatest of others, is one of them all. */
function flat(node: Expression): Expression {
  const args = node.args?.map(flat);
  if (!args) return node;
  if (!isLimit(node)) return { ...node, args };
  return { ...node, args: args.flatMap((arg) => (arg.op === node.op ? arg.args! : [arg])) };
}

/** Limits below a node, the outermost of each branch. */
const limitsIn = (node: Expression): Expression[] =>
  (node.args ?? []).flatMap((arg) => (isLimit(arg) ? [arg] : limitsIn(arg)));

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
 * An expression in which no limit stands inside another, nor beside other factors, and the limits
 * that were taken out of it, each before those that it rests on. One that stands alone, or as a term
 * of a sum, stays.
 */
export function parted(expression: Expression): Parted {
  let known = partedBefore.get(expression);
  if (!known) partedBefore.set(expression, (known = part(expression)));
  return known;
}

interface Parted {
  whole: Expression;
  limits: Limit[];
}

/** Derivations are drawn again with every change of the page. */
const partedBefore = new WeakMap<Expression, Parted>();

function part(expression: Expression): Parted {
  const limits: Limit[] = [];
  const counts = { max: 0, min: 0 };
  // A part that occurs several times has one name.
  const known = new Map<string, Expression>();
  const takeOut = (node: Expression): Expression => {
    const form = JSON.stringify(node);
    const before = known.get(form);
    if (before) return before;
    const op = node.op as 'max' | 'min';
    const symbol = `${op}_${++counts[op]}`;
    const unit = unitOf(node);
    const limit = { symbol, unit, expression: node };
    limits.push(limit);
    const named: Expression = { op: 'step', symbol, value: node.value, unit };
    known.set(form, named);
    limit.expression = within(node);
    return named;
  };
  /** All limits below a node are taken out. */
  const within = (node: Expression): Expression =>
    node.args
      ? { ...node, args: node.args.map((arg) => (isLimit(arg) ? takeOut(arg) : within(arg))) }
      : node;
  const whole = flat(expression);
  // A single limit without others inside needs no name.
  const nested = limitsIn(whole).some((limit) => isLimit(whole) || limitsIn(limit).length > 0);
  if (!nested) return { whole, limits };
  return { whole: within(whole), limits };
}
