// The comparisons behind a choice that came out otherwise.

import { toldOf } from '../engine/told.ts';
import type { Expression, Step } from '../engine/index.ts';
import type { Decomposition } from './decomposition.ts';
import { nameOf, partsOf } from './expressions.ts';
import { match, shapeOf } from './match.ts';
import type { Side, Verdict } from './reason.ts';

export function verdictsOf(decomposition: Decomposition, was: Step, is: Step): Verdict[] {
  const verdicts: Verdict[] = [];
  const seen = new Set<string>();
  const walk = (one: Expression | undefined, other: Expression): void => {
    if (one?.value === other.value) return;
    const { op, key, choice, args = [] } = other;
    if (op === 'step' && choice !== undefined) {
      if (seen.has(key!)) return;
      seen.add(key!);
      const earlier = one?.key === key ? decomposition.before.get(key!)?.expression : undefined;
      walk(earlier, decomposition.after.get(key!)!.expression);
      return;
    }
    const earlier = one?.op === op ? (one.args ?? []) : [];
    if (op === 'chooseIfBelow') {
      const [left, right] = [0, 1].map((index) =>
        sideOf(decomposition, earlier[index], args[index]!),
      );
      const below = args[0]!.value < args[1]!.value;
      verdicts.push({ left: left!, right: right!, below });
      return;
    }
    for (const { before, after } of match(partsOf(earlier), partsOf(args), () => op)) {
      // The active branch of a limit decides. If the limit gave way, so does the branch that was
      // active before.
      const gave = op === 'max' ? one && one.value > other.value : one && one.value < other.value;
      const decides =
        (op !== 'max' && op !== 'min') ||
        after?.expression.value === other.value ||
        (gave && before?.expression.value === one?.value);
      if (after && decides) walk(before?.expression, after.expression);
    }
  };
  walk(was.expression, is.expression);
  return verdicts;
}

/** One side of a comparison, with the causes of its own change. */
function sideOf(decomposition: Decomposition, was: Expression | undefined, is: Expression): Side {
  const told = { ...nameOf(is), to: is.value, ...toldOf(is) };
  if (!was || shapeOf(was) !== shapeOf(is)) return { ...told, causes: [] };
  const shares = decomposition.ofExpressions(is.key ?? '', was, is);
  return { ...told, from: was.value, causes: shares.sorted(is.key ?? '') };
}
