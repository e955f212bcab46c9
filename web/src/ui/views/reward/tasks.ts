// What a step of training by reward does: the answer behind each task, and how it looks.

import type { Part } from '../../../charts/kit/looks.ts';
import type { Task } from '../../../charts/drawn/pools/layout.ts';

/** In time's order; generating is told without its tail. */
export const tasks = {
  generate: { key: 'generateTime', look: 'generate' },
  tail: { key: 'tailTime', look: 'tail' },
  rest: { key: 'restTime', look: 'scores' },
  logProbs: { key: 'logProbTime', look: 'logProbs' },
  update: { key: 'updateTime', look: 'update' },
  critic: { key: 'criticTime', look: 'critic' },
  handOver: { key: 'handOverTime', look: 'handOver' },
} as const satisfies Record<Exclude<Task, 'waits'>, { key: string; look: Part }>;
