// Other software that trains adapters: where it is offered, and what it holds.

import { describe, expect, test } from 'vitest';
import tunings from '../../shared/tuning-runs.json' with { type: 'json' };
import type { Plan } from '../../web/src/engine/index.ts';
import { chipOf } from '../../web/src/model/presets.ts';
import { otherTuners, stacks, withStack } from '../../web/src/model/stacks.ts';
import { searchedInput } from '../../web/src/ui/views/plan/input.ts';
import { bestChange, changesOf, type Pulled } from '../../web/src/ui/views/plan/levers.ts';
import { mostTasks, type Most, type MostOf } from '../../web/src/ui/views/plan/most.ts';
import { Searching } from '../../web/src/ui/views/plan/searching.ts';
import { calculating } from './calculating.ts';
import '../all-presets.ts';

const calculation = calculating();
const card = 'view=plan&chip=rtx-4090&model=qwen3-8b&chips=1&corpus=examples';
const idsOf = (link: string): string[] =>
  otherTuners(calculation.engine.describe(), calculation.stateOf(link)).map(({ id }) => id);

describe('other software', () => {
  test('is offered for all trainings that were measured with it', () => {
    const tuners = stacks.filter(({ tunes }) => tunes);
    const measured = tunings.runs.filter(
      ({ stack, run }) =>
        'trained' in run &&
        String(run.trained).endsWith('lora') &&
        tuners.some(({ id }) => id === stack),
    );
    expect(measured.length).toBeGreaterThan(100);
    for (const { id, stack, run, chip } of measured) {
      const { tunes, vendors } = tuners.find((each) => each.id === stack)!;
      expect(tunes, id).toContain((run as { trained: string }).trained);
      expect(vendors, id).toContain(chipOf(chip).vendor);
    }
  });

  test('is none that trains no adapters, runs on no such chip, or is had already', () => {
    expect(idsOf(`${card}&trained=qlora`)).toContain('unsloth');
    expect(idsOf(`${card}&trained=all`)).toEqual([]);
    for (const chip of ['tpu-v5e', 'apple-m2-ultra', 'gaudi-3'])
      expect(idsOf(`view=plan&chip=${chip}&chips=1&trained=qlora`), chip).toEqual([]);
    const description = calculation.engine.describe();
    const [first, ...others] = otherTuners(
      description,
      calculation.stateOf(`${card}&trained=qlora`),
    );
    const chosen = withStack(description, calculation.stateOf(`${card}&trained=qlora`), first!);
    expect(otherTuners(description, chosen)).toEqual(others);
  });
});

describe('a full card', () => {
  const context = () => calculation.contextOf(calculation.stateOf(`${card}&trained=qlora`));

  test('holds longer sequences with a loss that keeps no logits', async () => {
    const ctx = context();
    const found = new Map<MostOf, Most>();
    const searching = new Searching(() => {});
    const input = searchedInput(ctx.engine, ctx.state);
    searching.begin(
      mostTasks(
        ctx,
        ctx.engine.loaded('planner')!,
        input,
        (what, most) => found.set(what, most),
        (task) => searching.add([task]),
      ),
    );
    await expect.poll(() => found.size, { timeout: 60_000 }).toBe(4);
    const valueOf = (what: MostOf) => found.get(what) as Exclude<Most, 'nothing'>;
    const other = valueOf('software');
    expect(other.stack?.assumptions?.['logitBytes']).toBe(0);
    expect(Number(other.value)).toBeGreaterThan(4 * Number(valueOf('sequence').value));
    expect(chipOf(String(valueOf('chip').value)).family).not.toBe('TPU');
  });

  test('gains by other software before it takes other hardware', () => {
    const ctx = context();
    const changes = changesOf(ctx, ctx.engine.loaded('planner')!);
    const best = { wallTime: 100, memory: 1 } as Plan;
    const nextOf = (times: Record<string, number>) =>
      bestChange(
        changes,
        new Map(
          Object.entries(times).map(([id, wallTime]): [string, Pulled] => [
            id,
            { ...best, wallTime },
          ]),
        ),
        best,
        10,
      )?.change.id;
    expect(nextOf({ moreMemory: 79, unsloth: 81, torchtune: 82 })).toBe('unsloth');
    expect(nextOf({ moreMemory: 79, unsloth: 99.5 })).toBe('moreMemory');
    expect(nextOf({ moreMemory: 79 })).toBe('moreMemory');
    // Matmuls in fp8 take no other hardware either.
    expect(nextOf({ fp8: 70, unsloth: 81, moreMemory: 79 })).toBe('fp8');
    expect(nextOf({ moreChips: 50 })).toBeUndefined();
  });
});
