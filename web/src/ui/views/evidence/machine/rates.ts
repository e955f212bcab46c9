// What a machine measured beside what the engine predicts of the chip, and the figures of the chip
// at which both agree.

import type { OperationsModule, Planner } from '../../../../engine/index.ts';
import type { FieldId } from '../../../../model/fields.ts';
import type { InputGroup } from '../../../../model/presets.ts';
import { quantile } from '../runs/statistics.ts';
import type { Machine, MeasuredStep } from './line.ts';

/** The kinds of values in a row: shares of a peak or of a bandwidth, seconds, or bytes. */
export const measures = ['peak', 'bandwidth', 'time', 'memory'] as const;
export type Told = (typeof measures)[number];

/** A measurement with its prediction, in the unit that `told` says; none where the engine has none. */
export interface Rate {
  readonly told: Told;
  readonly of:
    | { readonly kind: 'matmul'; readonly sizes: readonly [m: number, k: number, n: number] }
    | { readonly kind: 'forward' | 'backward' | 'copy' | 'eager' | 'captured' }
    | { readonly kind: 'reduction'; readonly devices: number; readonly bytes: number }
    | { readonly kind: 'all' | 'lora' };
  readonly measured: number;
  readonly predicted: number | undefined;
}

interface Kernel {
  seconds: number;
  flops: number;
  bytes: number;
  peak: number;
  bandwidth: number;
  bound: string;
}

/** An operation on the chip; undefined where the chip lacks a figure that it takes. */
function kernelOf(
  operations: OperationsModule,
  chip: InputGroup,
  operation: InputGroup,
): Kernel | undefined {
  const outcome = operations.roofline({ chip, operation } as never);
  if (!outcome.ok) return undefined;
  const { timeExpected, flops, memoryBytes, computeRate, memoryRate, bound } = outcome.answers;
  const numbers = [timeExpected, flops, memoryBytes, memoryRate];
  if (!numbers.every((each) => typeof each === 'number' && Number.isFinite(each))) return undefined;
  return {
    seconds: Number(timeExpected),
    flops: Number(flops),
    bytes: Number(memoryBytes),
    // Elementwise kernels have no peak of the matrix units.
    peak: typeof computeRate === 'number' ? computeRate : 0,
    bandwidth: Number(memoryRate),
    bound: String(bound),
  };
}

const matmul = ({ format }: Machine, m: number, k: number, n: number): InputGroup => ({
  kind: 'matmul',
  batch: m,
  contraction: k,
  output: n,
  computeFormat: format,
  activationFormat: format,
  weightFormat: format,
  outputFormat: format,
});

const attention = ({ attention: of, format }: Machine, pass: string): InputGroup => ({
  kind: 'attention',
  pass,
  sequences: of.sequences,
  queries: of.tokens,
  keys: of.tokens,
  attention: 'grouped',
  heads: of.heads,
  kvHeads: of.heads,
  headDim: of.headDim,
  attentionKernel: of.kernel,
  ...(of.kernel === 'flash' && { attentionMask: 'causal' }),
  computeFormat: format,
  activationFormat: format,
  keyValueFormat: format,
  outputFormat: format,
});

/** A kernel that reads and writes so many bytes, half each. */
const stream = (bytes: number): InputGroup => ({
  kind: 'elementwise',
  length: Math.ceil(bytes / 4),
  inputs: 1,
});

const reductionTime = (
  operations: OperationsModule,
  chip: InputGroup,
  { devices, bytes }: Machine['reductions'][number],
): number | undefined => {
  const outcome = operations.collective({
    chip,
    mesh: { x: devices },
    collective: { kind: 'allReduce', bytes },
  } as never);
  const seconds = outcome.ok && outcome.answers.timeExpected;
  return typeof seconds === 'number' ? seconds : undefined;
};

/** A step of the small model as PyTorch runs it, kernel by kernel: its time, and the bytes of its
 * tensors. */
function stepOf(
  planner: Planner | undefined,
  chip: InputGroup,
  { trained, sequences, tokens, rank, ...step }: MeasuredStep,
  { attention: { kernel }, format }: Machine,
): { seconds: number; memory: number } | undefined {
  const { layers, hidden, feedForward, heads, kvHeads, headDim, vocabulary } = step;
  const outcome = planner?.estimate({
    chip,
    model: { layers, hidden, feedForward, heads, kvHeads, headDim, vocabulary, contextLength: 0 },
    run: {
      chips: 1,
      batchTokens: sequences * tokens,
      sequenceLength: tokens,
      trained,
      ...(trained === 'lora' && { loraRank: rank ?? 16 }),
      computeFormat: format,
      weightFormat: format,
      activationFormat: format,
    },
    layout: {
      microBatch: sequences,
      sharding: 'none',
      recompute: 'none',
      optimizer: 'adam',
      masterFormat: trained === 'lora' ? 'none' : 'fp32',
      gradientFormat: 'fp32',
      attentionKernel: kernel,
    },
    stack: { kernels: 'eager', unfused: true, timer: 'iteration', flash: 'flash2' },
    assumptions: { runtimeOverhead: 0, allocatorShare: 0, usableMemory: 1 },
  } as never);
  if (!outcome?.ok) return undefined;
  const { stepExpected, memoryUsed } = outcome.answers;
  return typeof stepExpected === 'number' && typeof memoryUsed === 'number'
    ? { seconds: stepExpected, memory: memoryUsed }
    : undefined;
}

/** All that was measured, beside what is predicted of `chip`. */
export function ratesOf(
  operations: OperationsModule,
  planner: Planner | undefined,
  chip: InputGroup,
  machine: Machine,
): Rate[] {
  const rates: Rate[] = [];
  /** A kernel as a share of what bounds it. */
  const share = (of: Rate['of'], seconds: number, kernel: Kernel | undefined): void => {
    if (!kernel) {
      rates.push({ told: 'time', of, measured: seconds, predicted: undefined });
      return;
    }
    const inMemory = kernel.bound === 'memory' || kernel.peak === 0;
    const most = inMemory ? kernel.bytes / kernel.bandwidth : kernel.flops / kernel.peak;
    rates.push({
      told: inMemory ? 'bandwidth' : 'peak',
      of,
      measured: most / seconds,
      predicted: most / kernel.seconds,
    });
  };
  for (const { m, k, n, seconds } of machine.matmuls) {
    const sizes = [m, k, n] as const;
    share({ kind: 'matmul', sizes }, seconds, kernelOf(operations, chip, matmul(machine, m, k, n)));
  }
  for (const pass of ['forward', 'backward'] as const) {
    const kernel = kernelOf(operations, chip, attention(machine, pass));
    share({ kind: pass }, machine.attention[pass], kernel);
  }
  const { copy, launch } = machine;
  share({ kind: 'copy' }, copy.seconds, kernelOf(operations, chip, stream(copy.bytes)));
  const time = (of: Rate['of'], measured: number, predicted: number | undefined): void => {
    rates.push({ told: 'time', of, measured, predicted });
  };
  for (const each of machine.reductions) {
    const { devices, bytes, seconds } = each;
    time({ kind: 'reduction', devices, bytes }, seconds, reductionTime(operations, chip, each));
  }
  time({ kind: 'eager' }, launch.eager, undefined);
  if (launch.captured !== undefined) {
    time({ kind: 'captured' }, launch.captured, kernelOf(operations, chip, stream(4))?.seconds);
  }
  for (const step of machine.steps) {
    const predicted = stepOf(planner, chip, step, machine);
    time({ kind: step.trained }, step.seconds, predicted?.seconds);
    if (step.memory !== undefined) {
      rates.push({
        told: 'memory',
        of: { kind: step.trained },
        measured: step.memory,
        predicted: predicted?.memory,
      });
    }
  }
  return measures.flatMap((told) => rates.filter((rate) => rate.told === told));
}

/** How far off the prediction a rate is from which on it is said to differ. */
const differing = 0.1;
export const differs = ({ measured, predicted }: Rate): boolean =>
  predicted !== undefined && Math.abs(measured / predicted - 1) > differing;

/** Beyond these, other figures of the chip explain nothing: it is another chip. */
const isPlausible = (factor: number): boolean => factor >= 0.2 && factor <= 2;

/** Predicted times over measured ones, of one chip or another. */
type Ratios = (chip: InputGroup) => readonly number[];

const scaled = (chip: InputGroup, keys: readonly string[], factor: number): InputGroup => ({
  ...chip,
  ...Object.fromEntries(keys.map((key) => [key, Number(chip[key]) * factor])),
});

/** The factor of a chip's figures at which, in the median, predictions take as long as was measured;
 * beyond all that is plausible where none does, NaN where nothing can be compared. */
function factorOf(chip: InputGroup, keys: readonly string[], ratios: Ratios): number {
  let factor = 1;
  for (let tries = 0; tries < 30; ++tries) {
    const found = ratios(scaled(chip, keys, factor));
    if (found.length === 0) return NaN;
    const ratio = quantile(found, 0.5);
    factor *= ratio;
    if (!isPlausible(factor) || Math.abs(ratio - 1) < 1e-4) break;
  }
  return factor;
}

/** The figures of a chip as a machine has them; `unlike`: some are beyond what one can have. */
export interface Figures {
  readonly figures: readonly (readonly [FieldId, number])[];
  readonly unlike: boolean;
}

/** The bandwidth of the chip's memory by the copy, its peak in 16 bits by the matmuls that compute
 * bounds, and the bandwidth of its links by the largest AllReduce within a scale-up domain. */
export function figuresOf(
  operations: OperationsModule,
  chip: InputGroup,
  machine: Machine,
): Figures {
  const { copy } = machine;
  const ratios = (
    ...times: readonly { predicted: number | undefined; seconds: number }[]
  ): readonly number[] =>
    times.flatMap(({ predicted, seconds }) => (predicted ? [predicted / seconds] : []));
  const bounded = machine.matmuls
    .map(({ m, k, n, seconds }) => ({ operation: matmul(machine, m, k, n), seconds }))
    .filter(({ operation }) => kernelOf(operations, chip, operation)?.bound === 'compute');
  const inDomain = machine.reductions.filter(
    ({ devices }) => devices <= Number(chip['scaleUpChips']),
  );
  const largest = [...inDomain].sort((one, other) => other.bytes - one.bytes).slice(0, 1);

  const parts: readonly [keys: readonly string[], of: Ratios][] = [
    [
      ['memoryBandwidth'],
      (on) =>
        ratios({
          predicted: kernelOf(operations, on, stream(copy.bytes))?.seconds,
          seconds: copy.seconds,
        }),
    ],
    [
      ['peakBf16', 'peakFp16'],
      (on) =>
        ratios(
          ...bounded.map(({ operation, seconds }) => ({
            predicted: kernelOf(operations, on, operation)?.seconds,
            seconds,
          })),
        ),
    ],
    [
      ['scaleUpBandwidth'],
      (on) =>
        ratios(
          ...largest.map((each) => ({
            predicted: reductionTime(operations, on, each),
            seconds: each.seconds,
          })),
        ),
    ],
  ];
  // Each is found with those before: memory also counts where compute bounds.
  let so = chip;
  let unlike = false;
  const figures: [FieldId, number][] = [];
  for (const [all, of] of parts) {
    const keys = all.filter((key) => typeof chip[key] === 'number');
    const factor = keys.length > 0 ? factorOf(so, keys, of) : NaN;
    if (isPlausible(factor)) {
      so = scaled(so, keys, factor);
      for (const key of keys) figures.push([`chip.${key}`, Number(Number(so[key]).toPrecision(4))]);
    } else if (!Number.isNaN(factor)) unlike = true;
  }
  return { figures, unlike };
}

/** Whether the machine has other cores or another memory than the chip: it is another. */
export function isOther(chip: InputGroup, { cores, memory }: Machine): boolean {
  const far = (key: string, measured: number, most: number): boolean => {
    const figure = chip[key];
    return typeof figure === 'number' && Math.abs(measured / figure - 1) > most;
  };
  // Drivers keep some of the memory, and print it in binary units.
  return far('multiprocessors', cores, 0.02) || far('memory', memory, 0.15);
}
