// Leads a derivation on to that of the plan whose MFU it takes.

import type { Explanation, Expression, Step } from '../engine/index.ts';

const assumed = 'run.mfu';
const reached = 'mfuWithFailures';
const factors = ['mfu', 'goodput'] as const;

/** The derivation with the plan's in place of the MFU that it takes as an input. */
export function ledOn(own: Explanation, ofPlan: (key: string) => Explanation): Explanation {
  if (!own.ok) return own;
  let taken: Expression | undefined;
  const led = (node: Expression): Expression => {
    if (node.op === 'input' && node.key === assumed) {
      taken = { ...node, op: 'step', key: reached, symbol: 'MFU_good' };
      return taken;
    }
    return node.args ? { ...node, args: node.args.map(led) } : node;
  };
  const steps = own.derivation.steps.map((step) => ({ ...step, expression: led(step.expression) }));
  if (!taken) return own;
  const { unit, value, shown } = taken;
  const told = { unit, value, ...(shown && { shown }) };
  const behind: Step[] = [];
  const args: Expression[] = [];
  for (const key of factors) {
    const explained = ofPlan(key);
    if (!explained.ok) return own;
    const [{ expression: _, source: __, ...first }] = explained.derivation.steps as [Step];
    args.push({ op: 'step', ...first });
    behind.push(...explained.derivation.steps);
  }
  const link: Step = {
    key: reached,
    symbol: 'MFU_good',
    ...told,
    source: 'young-daly',
    expression: { op: 'multiply', ...told, args },
  };
  const known = new Set<string>();
  const all = [...steps, link, ...behind].filter(({ key }) => !known.has(key) && known.add(key));
  return { ok: true, derivation: { key: own.derivation.key, steps: all } };
}
