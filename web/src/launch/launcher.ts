// What starts a training's processes: torchrun, srun, the settings of NeMo's trainer.

import { node } from './software.ts';
import { numberOf, type Ours, type Row } from './values.ts';

/** Chips per node and nodes: their product. */
export const launcher: readonly Row[] = [
  {
    keys: [
      'nproc-per-node',
      'gpus-per-node',
      'ntasks-per-node',
      'devices',
      'num-gpus-per-node',
      'num-gpus',
      'ngpu',
    ],
    place: 'launcher',
    put: (ours) => node(ours),
    take: (value, read) => chipsOf(numberOf(value), read.other('nnodes', 1)),
  },
  {
    keys: ['nnodes', 'num-nodes', 'nodes'],
    place: 'launcher',
    put: (ours) => ours.number('run.chips') / node(ours),
    take: (value, read) => {
      // Elastic launches name a range.
      const nodes = Number(
        /^(\d+)(?::(\d+))?$/.exec(String(value))?.slice(1).filter(Boolean).pop(),
      );
      return chipsOf(read.other('nproc-per-node', 8), nodes);
    },
  },
];

const chipsOf = (each: number, nodes: number): Ours | undefined =>
  Number.isSafeInteger(each * nodes) && each * nodes > 0
    ? { 'run.chips': each * nodes }
    : undefined;
