// A line of measure.py for tests: invented, of a machine like an H100.

import type { Machine } from '../web/src/ui/views/evidence/machine/line.ts';

const model = {
  layers: 4,
  hidden: 4096,
  feedForward: 14336,
  heads: 32,
  kvHeads: 8,
  headDim: 128,
  vocabulary: 32000,
  sequences: 2,
  tokens: 2048,
};

export const sample: Machine & { readonly measure: 1 } = {
  measure: 1,
  kind: 'cuda',
  device: 'NVIDIA H100 80GB HBM3',
  cores: 132,
  memory: 84942323712,
  torch: '2.9.0',
  format: 'bf16',
  matmuls: [
    { m: 4096, k: 4096, n: 6144, seconds: 3e-4 },
    { m: 4096, k: 4096, n: 28672, seconds: 1.4e-3 },
    { m: 4096, k: 14336, n: 4096, seconds: 7e-4 },
    { m: 32, k: 4096, n: 28672, seconds: 9e-5 },
  ],
  attention: {
    sequences: 2,
    tokens: 2048,
    heads: 32,
    headDim: 128,
    kernel: 'flash',
    forward: 2e-4,
    backward: 5e-4,
  },
  copy: { bytes: 2 ** 30, seconds: 3.9e-4 },
  launch: { eager: 4.2e-6, captured: 1.7e-6 },
  reductions: [
    { devices: 8, bytes: 2 ** 20, seconds: 3e-5 },
    { devices: 8, bytes: 2 ** 28, seconds: 1.5e-3 },
  ],
  steps: [
    { trained: 'all', ...model, seconds: 0.08, memory: 26e9 },
    { trained: 'lora', ...model, rank: 16, seconds: 0.055, memory: 8e9 },
  ],
};
