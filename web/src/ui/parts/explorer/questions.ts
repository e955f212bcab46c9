// The questions whose charts the explorer draws.

import type { FieldId } from '../../../model/fields.ts';
import type { RenderContext } from '../../kit/render-context.ts';

interface ExploredQuestion {
  /** The group whose fields are varied. */
  group: 'operation' | 'collective';
  /** The answer that says what binds. */
  bound: 'bound' | 'collectiveBound';
  /** The answer that a sweep draws unless the reader chooses another. */
  answer: string;
  /** The field that is varied unless the reader chooses another. */
  axis(ctx: RenderContext): FieldId;
  /** Fields of the chip that are offered besides. */
  chipFields(ctx: RenderContext): FieldId[];
}

/** The bandwidth that operands come by, from where they are. */
const memories: Record<string, FieldId> = {
  hbm: 'chip.memoryBandwidth',
  onChip: 'chip.onChipBandwidth',
  host: 'chip.hostBandwidth',
};

const operation: ExploredQuestion = {
  group: 'operation',
  bound: 'bound',
  answer: 'achievedFlops',
  axis(ctx) {
    const kind = String(ctx.value('operation.kind'));
    if (kind === 'dotProduct' || kind === 'elementwise') return 'operation.length';
    if (kind === 'kvRead') return 'operation.keys';
    if (kind === 'shardedMatmul' && dividesContraction(ctx)) return 'operation.contraction';
    return kind === 'attention' || ctx.asksFor('model') ? 'operation.queries' : 'operation.batch';
  },
  chipFields(ctx) {
    const memory = memories[String(ctx.value('operation.operandsIn'))];
    return memory ? [memory] : [];
  },
};

const collective: ExploredQuestion = {
  group: 'collective',
  bound: 'collectiveBound',
  answer: 'collectiveTime',
  axis: () => 'collective.bytes',
  chipFields: () => [],
};

const explored: Readonly<Record<string, ExploredQuestion>> = { operation, collective };

/** The settings for exploring the present question. */
export const exploredIn = (ctx: RenderContext): ExploredQuestion =>
  explored[ctx.state.view] ?? operation;

const dividesContraction = (ctx: RenderContext): boolean =>
  ctx.value('operation.activationSharding') === 'contraction' &&
  ctx.value('operation.weightSharding') === 'contraction';
