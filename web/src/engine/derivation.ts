// Converts the core's tape to the steps of a derivation.

import { toldOf } from './told.ts';
import type { RawExplanation, RawName } from './core.ts';
import type { Derivation, Description, Expression, Operator, Step } from './types.ts';

interface RawNode extends RawName {
  op: string;
  value: number;
  left?: number;
  right?: number;
}

/** The nodes of a derivation by their places. */
function nodesOf({ columns, rows, names, operations }: RawExplanation): Map<number, RawNode> {
  const nodes = new Map<number, RawNode>();
  // Objects of thousands of rows would take longer than all the rest.
  const places = Object.fromEntries(columns.map((name, place) => [name, place]));
  const { place, operation, value, left, right, name } = places as Record<
    (typeof columns)[number],
    number
  >;
  for (let from = 0; from < rows.length; from += columns.length) {
    const at = (column: number): number => rows[from + column]!;
    const node: RawNode = {
      op: operations[at(operation)]!,
      value: at(value),
      ...names[at(name)]!,
    };
    if (at(left) > 0) node.left = at(left);
    if (at(right) > 0) node.right = at(right);
    nodes.set(at(place), node);
  }
  return nodes;
}

/** The derivation under its root, or one without steps where the answer has no value. */
export function readDerivation(
  key: string,
  raw: RawExplanation,
  choices: ReadonlyMap<string, string[]>,
): Derivation {
  const { root } = raw;
  const nodes = nodesOf(raw);
  const steps: Step[] = [];
  const waiting = new Set([root]);
  /** The step that bears a key. Another step with the key, such as a second collective of its kind,
   * is written out where it is used. */
  const bearers = new Map([[nodes.get(root)?.key, root]]);
  /** Numbers that are taken as given, by their keys. */
  const given = new Map<string, Step>();

  /** The step of a number: one for each value that a name stands for. */
  const givenStep = (key: string, { value, ...node }: RawNode): Step => {
    const told = toldOf(node);
    for (let place = 1; ; place++) {
      const own = place > 1 ? `${key}#${place}` : key;
      const known = given.get(own);
      if (known && known.value !== value) continue;
      const symbol =
        place > 1
          ? `${node.symbol}${node.symbol!.includes('_') ? ',' : '_'}${place}`
          : node.symbol!;
      const expression: Expression = { op: 'number', value, ...told };
      const step = known ?? { key: own, symbol, ...told, value, source: node.source!, expression };
      given.set(own, step);
      return step;
    }
  };

  /** Expressions by node: what many formulas share is read once. */
  const read = new Map<number, Expression>();
  const expression = (id: number): Expression => {
    const known = read.get(id);
    if (known) return known;
    const made = convert(id);
    read.set(id, made);
    return made;
  };

  const convert = (id: number): Expression => {
    const node = nodes.get(id)!;
    const op = node.op as Operator;
    const isConstant = op === 'number' && node.key !== undefined;
    const isNamed = op === 'step' && isPlain(nodes.get(node.left!)!);
    const isGiven = isNamed && !choices.has(node.key!) && !bearers.has(node.key);
    if (isConstant || isGiven) {
      const {
        expression: _,
        source: __,
        ...step
      } = isConstant
        ? givenStep(`constants.${node.key}${node.of && `#${node.of}`}`, {
            ...node,
            symbol: node.of ? `${node.symbol},${node.of}` : node.symbol!,
          })
        : givenStep(node.key!, node);
      return { op: 'step', ...step };
    }
    if (op === 'step') {
      const bearer = bearers.get(node.key) ?? id;
      if (bearer !== id || given.has(node.key!)) return expression(node.left!);
      bearers.set(node.key, id);
    }
    const result: Expression = { op, value: node.value, ...toldOf(node) };
    if (node.symbol !== undefined) result.symbol = node.symbol;
    if (op === 'input') result.key = `${node.group}.${node.key}`;
    if (op === 'step') {
      result.key = node.key!;
      if (choices.has(node.key!)) result.choice = choices.get(node.key!)![node.value]!;
      waiting.add(id);
      return result;
    }
    const args = [node.left, node.right].filter((argument) => argument !== undefined);
    if (args.length > 0) result.args = operands(op, node.value, args);
    return result;
  };

  // Operands of the same kind give their own operands to sums and products, unless that rounds
  // otherwise: then only the first one does.
  const operands = (op: Operator, value: number, ids: number[]): Expression[] => {
    const each = ids.map((id) => expression(id));
    if (op !== 'add' && op !== 'multiply') return each;
    const merged = each.map((operand) => (operand.op === op ? operand.args! : [operand]));
    const flat = merged.flat();
    const result = flat.map((operand) => operand.value).reduce(op === 'add' ? plus : times);
    return result === value ? flat : [...merged[0]!, ...each.slice(1)];
  };

  // Arguments have the lower numbers: from the highest down, a step comes before all it rests on.
  while (waiting.size > 0) {
    const id = Math.max(...waiting);
    waiting.delete(id);
    const node = nodes.get(id);
    if (node === undefined) continue;
    const step: Step = {
      key: node.key!,
      symbol: node.symbol!,
      ...toldOf(node),
      value: node.value,
      source: node.source!,
      expression: expression(node.left!),
    };
    const named = choices.get(step.key);
    if (named) step.choice = named[step.value]!;
    steps.push(step);
  }
  return { key, steps: [...byDepth(steps), ...given.values()] };
}

/** The steps that an expression names, in the order in which it does. */
const namedIn = ({ op, key, args = [] }: Expression): string[] =>
  op === 'step' ? [key!] : args.flatMap(namedIn);

/**
 * Steps that come before all they rest on, so that what makes an answer is told before what makes its
 * parts: by their distance from the first, and then as they are named.
 */
function byDepth(steps: readonly Step[]): Step[] {
  const bearers = new Map(steps.map((step) => [step.key, step]));
  const partsOf = new Map(
    steps.map((step) => [step, namedIn(step.expression).flatMap((key) => bearers.get(key) ?? [])]),
  );
  const depths = new Map<Step, number>();
  for (const step of steps) {
    const depth = depths.get(step) ?? 0;
    depths.set(step, depth);
    for (const part of partsOf.get(step)!) {
      depths.set(part, Math.max(depths.get(part) ?? 0, depth + 1));
    }
  }
  const levels: Set<Step>[] = [];
  for (const step of steps) (levels[depths.get(step)!] ??= new Set()).add(step);
  return levels.flatMap((level, depth) => {
    const named = [...(levels[depth - 1] ?? [])].flatMap((step) => partsOf.get(step)!);
    const told = new Set(named.filter((part) => level.has(part)));
    levels[depth] = new Set([...told, ...level]);
    return [...levels[depth]];
  });
}

/** A number of the formula without a name of its own. */
const isPlain = ({ op, key }: RawNode): boolean => op === 'number' && key === undefined;

const plus = (a: number, b: number): number => a + b;
const times = (a: number, b: number): number => a * b;

/** The names of the values of answers that are choices, by key. */
export const choicesOf = (description: Description): Map<string, string[]> =>
  new Map(
    Object.values(description.questions)
      .flatMap(({ answers }) => answers)
      .filter((answer) => answer.kind === 'choice')
      .map((answer) => [answer.key, answer.choices]),
  );
