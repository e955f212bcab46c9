// Converts the core's tape to the steps of a derivation.

import type { RawNode } from './core.ts';
import type { Derivation, Description, Expression, Operator, Step } from './types.ts';

/** The derivation under `root`, or one without steps where the answer has no value. */
export function readDerivation(
  key: string,
  root: number,
  nodes: Record<number, RawNode>,
  choices: ReadonlyMap<string, string[]>,
): Derivation {
  const steps: Step[] = [];
  const waiting = new Set([root]);
  /** The step that bears a key. Another step with the key, such as a second collective of its kind,
   * is written out where it is used. */
  const bearers = new Map([[nodes[root]?.key, root]]);

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
    const node = nodes[id]!;
    const op = node.op as Operator;
    if (op === 'step') {
      const bearer = bearers.get(node.key) ?? id;
      if (bearer !== id) return expression(node.left!);
      bearers.set(node.key, id);
    }
    const result: Expression = { op, value: node.value, unit: node.unit };
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
    const node = nodes[id];
    if (node === undefined) continue;
    const step: Step = {
      key: node.key!,
      symbol: node.symbol!,
      unit: node.unit,
      value: node.value,
      source: node.source!,
      expression: expression(node.left!),
    };
    const named = choices.get(step.key);
    if (named) step.choice = named[step.value]!;
    steps.push(step);
  }
  return { key, steps };
}

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
