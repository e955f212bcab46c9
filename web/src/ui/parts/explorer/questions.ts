// The questions whose charts the explorer draws.

import { isModelKind } from '../../../model/presentation.ts';
import type { FieldId } from '../../../model/fields.ts';
import type { Scope } from '../../kit/scope.ts';

interface ExploredQuestion {
  /** The group whose fields are varied. */
  group: 'operation' | 'collective';
  /** The answer that says what binds. */
  bound: 'bound' | 'collectiveBound';
  /** The answer that a sweep draws unless the reader chooses another. */
  answer: string;
  /** The field that is varied unless the reader chooses another. */
  axis(scope: Scope): FieldId;
  /** Fields of the chip that are offered besides. */
  chipFields(scope: Scope): FieldId[];
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
  axis(scope) {
    const kind = String(scope.value('operation.kind'));
    if (kind === 'dotProduct' || kind === 'elementwise') return 'operation.length';
    if (kind === 'kvRead') return 'operation.keys';
    if (kind === 'shardedMatmul' && dividesContraction(scope)) return 'operation.contraction';
    return kind === 'attention' || isModelKind(kind) ? 'operation.queries' : 'operation.batch';
  },
  chipFields(scope) {
    const memory = memories[String(scope.value('operation.operandsIn'))];
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

/** How the present question is explored. */
export const exploredIn = (scope: Scope): ExploredQuestion =>
  explored[scope.state.view] ?? operation;

const dividesContraction = (scope: Scope): boolean =>
  scope.value('operation.activationSharding') === 'contraction' &&
  scope.value('operation.weightSharding') === 'contraction';
