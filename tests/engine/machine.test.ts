// What a machine measured beside the engine's predictions, and the figures that follow from it.

import { beforeAll, describe, expect, test } from 'vitest';
import { createEngine, type Engine, type Planner } from '../../web/src/engine/index.ts';
import { readAddress, writeAddress } from '../../web/src/link/address.ts';
import { chips } from '../../web/src/model/presets.ts';
import { initialState, inputOf, withField, withPreset } from '../../web/src/model/state.ts';
import type { InputGroup } from '../../web/src/model/presets.ts';
import type { Machine } from '../../web/src/ui/views/evidence/machine/line.ts';
import {
  differs,
  figuresOf,
  isOther,
  ratesOf,
} from '../../web/src/ui/views/evidence/machine/rates.ts';
import { sample } from '../machine.ts';
import { operations } from './inputs.ts';

let engine: Engine;
let planner: Planner;
beforeAll(async () => {
  engine = await createEngine();
  planner = await engine.planner();
});

const chipOf = (id: string): InputGroup =>
  inputOf(engine.describe(), withPreset(initialState, 'chip', id), 'chip');
const times = (chip: InputGroup, factors: Record<string, number>): InputGroup => ({
  ...chip,
  ...Object.fromEntries(
    Object.entries(factors).map(([key, factor]) => [key, factor * Number(chip[key])]),
  ),
});

/** The line of a machine that is as fast as predictions of a chip. */
function measuredOn(chip: InputGroup): Machine {
  const expected = (outcome: { ok: boolean; answers?: object }): number =>
    (outcome.answers as { timeExpected: number }).timeExpected;
  const operation = (fields: object) =>
    expected(operations.roofline({ chip, operation: fields } as never));
  return {
    ...sample,
    matmuls: sample.matmuls.map(({ m, k, n }) => ({
      ...{ m, k, n },
      seconds: operation({ kind: 'matmul', batch: m, contraction: k, output: n }),
    })),
    copy: {
      bytes: 2 ** 30,
      seconds: operation({ kind: 'elementwise', length: 2 ** 28, inputs: 1 }),
    },
    reductions: sample.reductions.map(({ devices, bytes }) => ({
      ...{ devices, bytes },
      seconds: expected(
        operations.collective({
          chip,
          mesh: { x: devices },
          collective: { kind: 'allReduce', bytes },
        } as never),
      ),
    })),
  };
}

describe('rates', () => {
  test('are shares of what bounds an operation, each with its prediction', () => {
    const chip = chipOf('h100-sxm');
    const rates = ratesOf(operations, planner, chip, sample);
    const of = (kind: string) => rates.filter((rate) => rate.of.kind === kind);
    const [large, , , small] = of('matmul');
    expect(large!.told).toBe('peak');
    expect(large!.measured).toBeCloseTo(
      (2 * 4096 * 4096 * 6144) / 3e-4 / Number(chip['peakBf16']),
      10,
    );
    expect(small!.told).toBe('bandwidth');
    const bytes = 2 * (32 * 4096 + 4096 * 28672 + 32 * 28672);
    expect(small!.measured).toBeCloseTo(bytes / 9e-5 / Number(chip['memoryBandwidth']), 10);
    const [copy] = of('copy');
    expect(copy!.measured).toBeCloseTo(2 ** 30 / 3.9e-4 / Number(chip['memoryBandwidth']), 10);
    for (const { predicted, told } of [...of('matmul'), ...of('copy'), ...of('forward')]) {
      expect(['peak', 'bandwidth']).toContain(told);
      expect(predicted).toBeGreaterThan(0.3);
      expect(predicted).toBeLessThan(1);
    }
    expect(of('eager')).toMatchObject([{ told: 'time', predicted: undefined }]);
    // A step of 4 layers takes tens of milliseconds; training all needs states, LoRA few.
    const [step, memory] = of('all');
    const [lora, less] = of('lora');
    expect(step!.predicted).toBeGreaterThan(0.03);
    expect(lora!.predicted).toBeLessThan(step!.predicted!);
    expect(memory!.predicted).toBeGreaterThan(18 * 1.1e9);
    expect(less!.predicted).toBeLessThan(10e9);
  });

  test('differ where they are more than a tenth off', () => {
    const of = { kind: 'copy' } as const;
    const rate = (measured: number) =>
      ({ told: 'bandwidth', of, measured, predicted: 0.8 }) as const;
    expect([0.7, 0.73, 0.87, 0.9].map((each) => differs(rate(each)))).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect(differs({ ...rate(0.7), predicted: undefined })).toBe(false);
  });

  test('of steps wait for the planner', () => {
    const rates = ratesOf(operations, undefined, chipOf('h100-sxm'), sample);
    const steps = rates.filter(({ of }) => of.kind === 'all' || of.kind === 'lora');
    expect(steps.map(({ predicted }) => predicted)).toEqual(Array(4).fill(undefined));
  });

  test('are numbers on every chip, or there are none', () => {
    for (const { id } of chips) {
      const chip = chipOf(id);
      for (const { measured, predicted } of ratesOf(operations, planner, chip, sample)) {
        expect([id, Number.isFinite(measured)]).toEqual([id, true]);
        if (predicted !== undefined) expect([id, predicted > 0]).toEqual([id, true]);
      }
      for (const [field, value] of figuresOf(operations, chip, sample).figures)
        expect([id, field, value > 0]).toEqual([id, field, true]);
    }
  });
});

describe('the figures of a machine', () => {
  test('are those at which predictions agree with it', () => {
    const chip = chipOf('h100-sxm');
    const factors = { peakBf16: 0.8, peakFp16: 0.8, memoryBandwidth: 0.9, scaleUpBandwidth: 0.7 };
    const slower = times(chip, factors);
    const machine = measuredOn(slower);
    const { figures, unlike } = figuresOf(operations, chip, machine);
    expect(unlike).toBe(false);
    expect(figures.map(([id]) => id).sort()).toEqual(
      Object.keys(factors)
        .map((key) => `chip.${key}`)
        .sort(),
    );
    for (const [id, value] of figures)
      expect(value / Number(slower[id.replace('chip.', '')])).toBeCloseTo(1, 2);
    // Once they are set, nothing is left to be set.
    const set = {
      ...chip,
      ...Object.fromEntries(figures.map(([id, value]) => [id.replace('chip.', ''), value])),
    };
    for (const [id, value] of figuresOf(operations, set, machine).figures)
      expect(value / Number(set[id.replace('chip.', '')])).toBeCloseTo(1, 3);
  });

  test('leave the chip as it is where it is as predicted, or not measured', () => {
    const chip = chipOf('h100-sxm');
    const { figures } = figuresOf(operations, chip, { ...measuredOn(chip), reductions: [] });
    expect(figures.map(([id]) => id)).not.toContain('chip.scaleUpBandwidth');
    for (const [id, value] of figures)
      expect(value / Number(chip[id.replace('chip.', '')])).toBeCloseTo(1, 3);
    // Eight devices are more than a domain of two.
    const pairs = { ...chip, scaleUpChips: 2 };
    expect(figuresOf(operations, pairs, measuredOn(chip)).figures.map(([id]) => id)).not.toContain(
      'chip.scaleUpBandwidth',
    );
  });

  test('are none where no chip of the kind can be so slow', () => {
    const chip = chipOf('h100-sxm');
    const machine = measuredOn(times(chip, { peakBf16: 0.01, peakFp16: 0.01 }));
    const { figures, unlike } = figuresOf(operations, chip, machine);
    expect(unlike).toBe(true);
    expect(figures.map(([id]) => id)).not.toContain('chip.peakBf16');
  });

  test('leave all else as it was entered', () => {
    const description = engine.describe();
    const link =
      'view=plan&chip=h100-sxm&model=llama-3-70b&chips=64&batch=1M&chip.price=2.5&layout.tensor=4&assume.usableMemory=90%&measured=step:3';
    const before = readAddress(description, link).state;
    const { figures } = figuresOf(
      operations,
      inputOf(description, before, 'chip'),
      measuredOn(times(chipOf('h100-sxm'), { memoryBandwidth: 0.9 })),
    );
    const after = figures.reduce(
      (state, [id, value]) => withField(description, state, id, value),
      before,
    );
    const pairs = new URLSearchParams(writeAddress(description, after));
    expect(pairs.get('chip.memoryBandwidth')).toBe('3.015T');
    for (const key of [
      'chip.memoryBandwidth',
      'chip.peakBf16',
      'chip.peakFp16',
      'chip.scaleUpBandwidth',
    ])
      pairs.delete(key);
    expect([...pairs].sort()).toEqual(
      [...new URLSearchParams(writeAddress(description, before))].sort(),
    );
  });

  test('are another chip’s where cores or memory are', () => {
    expect(isOther(chipOf('h100-sxm'), sample)).toBe(false);
    for (const id of ['h100-pcie', 'h200-sxm', 'a100-sxm-80gb', 'mi300x'])
      expect([id, isOther(chipOf(id), sample)]).toEqual([id, true]);
  });
});
