// The numbers of concepts are answers of the engine to the reader's own state, and each opens in the
// calculator as it is.

import { beforeAll, describe, expect, test } from 'vitest';
import { createEngine, type Engine } from '../../web/src/engine/index.ts';
import { readAddress, writeAddress } from '../../web/src/link/address.ts';
import { evaluate } from '../../web/src/model/evaluate.ts';
import type { FieldId } from '../../web/src/model/fields.ts';
import { withField, withView, type State } from '../../web/src/model/state.ts';
import { concepts, others } from '../../web/src/ui/features/glossary/concepts.ts';
import {
  infoOf,
  isFound,
  Numbers,
  type Found,
} from '../../web/src/ui/features/glossary/numbers.ts';
import { onFewestForLoad } from '../../web/src/ui/views/serving/fewest-chips.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await createEngine();
  await Promise.all([engine.planner(), engine.serving(), engine.operations()]);
});

const read = (link: string): State => withView(readAddress(engine.describe(), link).state, 'plan');
const conceptOf = (id: string) => concepts.find((each) => each.id === id)!;
function numberOf(id: string, link: string): Found {
  const found = new Numbers(engine, read(link), onFewestForLoad).of(conceptOf(id).number);
  if (!isFound(found)) throw new Error(`${id}: ${JSON.stringify(found.issues)}`);
  return found;
}

/** Layouts are fixed: the page searches them, which is not asked here. */
const readers = {
  'one chip':
    'view=plan&chip=h100-sxm&model=llama-3.1-8b&chips=1&tokens=1T&layout.tensor=1&layout.context=1',
  'eight chips':
    'view=plan&chip=h100-sxm&model=llama-3.1-8b&chips=8&tokens=1T&batch=1048576&layout.tensor=1&layout.context=1&layout.recompute=full',
  'a torus': 'view=plan&chips=8960&layout.tensor=8&layout.context=16',
  'most chips':
    'view=plan&chip=h100-sxm&model=llama-3.1-405b&chips=131072&batch=67108864&layout.tensor=8&layout.pipeline=16',
  experts:
    'view=plan&chip=h800-sxm&model=deepseek-v3&chips=2048&batch=62914560&layout.tensor=1&layout.context=1&layout.pipeline=16&layout.expert=64',
  'what can’t be': 'view=plan&chip=h100-sxm&model=llama-3.1-8b&chips=100&layout.tensor=8',
  'no layout of its own': 'view=training&chip=a100-sxm-80gb&model=llama-3.1-8b',
};

// The layout without it had recomputed until it fit: 76 GB, all that is usable, were said to become 46.7.
test.each(['zero1', 'zero2', 'zero3', 'offload'])('%s takes memory of states alone', (id) => {
  const link = 'view=plan&chip=h100-sxm&model=llama-3.1-405b&chips=16384&layout.tensor=8';
  const { state, value, before } = numberOf(id, `${link}&layout.pipeline=16`);
  const memory = (key: string, at: State): number => {
    const reply = evaluate(engine, at);
    return reply.ok ? Number(reply.answers[key]) : NaN;
  };
  const field: FieldId = id === 'offload' ? 'layout.offload' : 'layout.sharding';
  const without = withField(engine.describe(), state, field, 'none');
  expect(memory('memoryActivations', without)).toBe(memory('memoryActivations', state));
  expect(memory('memoryUsed', without)).toBe(before);
  expect(Number(before)).toBeGreaterThan(Number(value));
});

// 8 layers in 5 chunks work as in 4: the card said 270 ms, a fifth of 1.08 s is 216.
test.each([
  ['layout.virtualStages=8&layout.schedule=interleaved', 8],
  ['layout.virtualStages=1&layout.schedule=oneFOneB', 4],
])('interleaving has the plan’s own chunks, or some that divide a stage: %s', (how, chunks) => {
  const { state, value, before } = numberOf('interleaved', `${readers['most chips']}&${how}`);
  expect(state.edits.layout['virtualStages'] ?? 1).toBe(chunks);
  expect(Number(before) / Number(value)).toBeCloseTo(chunks, 1);
});

describe.each(Object.entries(readers))('for %s', (_, link) => {
  test('each concept has a number, and its link opens it as it is', () => {
    const description = engine.describe();
    const numbers = new Numbers(engine, read(link), onFewestForLoad);
    for (const { id, number } of concepts) {
      const found = numbers.of(number);
      expect(isFound(found), `${id}: ${JSON.stringify(found)}`).toBe(true);
      if (!isFound(found)) continue;
      const address = writeAddress(description, found.state);
      const { state, problems } = readAddress(description, address);
      expect(problems, `${id} ${address}`).toEqual([]);
      expect(state.view, id).toBe(number.view);
      const reply = evaluate(engine, state);
      expect(reply.ok && reply.answers[number.answer], `${id} ${address}`).toEqual(found.value);
      if (typeof found.value === 'number') {
        expect(Number.isFinite(found.value), id).toBe(true);
        expect(infoOf(description, number).kind, id).toBe('number');
      }
    }
  });
});

test('states that stand in for the reader’s are understood, and named by some concept', () => {
  for (const [key, link] of Object.entries(others)) {
    expect(readAddress(engine.describe(), link).problems, key).toEqual([]);
    expect(
      concepts.some(({ number }) => number.other === key),
      key,
    ).toBe(true);
  }
});

describe('known answers', () => {
  // 8B of 8 H100, by hand: 2 bytes of weights, 4 of gradients and 12 of states for 8.03e9 parameters
  // are 145 GB; ZeRO-1 leaves an eighth of the 96 GB of states.
  test('what ZeRO shards leaves each chip', () => {
    const link = readers['eight chips'];
    const [ddp, zero1, zero2, zero3] = ['dataParallel', 'zero1', 'zero2', 'zero3'].map((id) =>
      numberOf(id, link),
    ) as [Found, Found, Found, Found];
    const states = 8.03e9;
    expect(zero1.before).toBe(ddp.value);
    expect(Number(ddp.value) - Number(zero1.value)).toBeCloseTo(states * 12 * (7 / 8), -8.5);
    expect(Number(zero1.value)).toBeGreaterThan(Number(zero2.value));
    expect(Number(zero2.value)).toBeGreaterThan(Number(zero3.value));
    expect([ddp, zero1, zero2, zero3].every(({ isOther }) => !isOther)).toBe(true);
  });

  test('the cache of a sequence, and by how much groups make it smaller', () => {
    const link = 'view=plan&chip=h100-sxm&model=llama-3-70b&layout.tensor=8';
    // 80 layers x 8 heads x 128 x keys and values x 2 bytes.
    const gqa = numberOf('gqa', link);
    expect(gqa.value).toBe(80 * 8 * 128 * 2 * 2);
    expect(gqa.before).toBe(80 * 64 * 128 * 2 * 2);
    expect(numberOf('kvCache', link).value).toBe(80 * 8 * 128 * 2 * 2 * 4608);
  });

  test('bubbles get smaller by schedule, activations by recomputation', () => {
    const link =
      'view=plan&chip=h100-sxm&model=llama-3-70b&chips=512&tokens=1T&layout.tensor=8&layout.context=1&layout.pipeline=8';
    for (const id of ['interleaved', 'zeroBubble', 'dualPipe', 'recompute', 'selectiveRecompute']) {
      const { before, value, isOther } = numberOf(id, link);
      expect(Number(value), id).toBeLessThan(Number(before));
      expect(isOther, id).toBe(false);
    }
    expect(numberOf('oneFOneB', link).value).toBeLessThan(numberOf('gpipe', link).value as number);
  });

  test('degrees that the reader has chosen stay', () => {
    const link =
      'view=plan&chip=h100-sxm&model=llama-3-70b&chips=512&layout.tensor=4&layout.pipeline=2&layout.context=1';
    const { state } = numberOf('tensorParallel', link);
    expect(state.edits.layout).toMatchObject({ tensor: 4, pipeline: 2 });
    expect(numberOf('bubble', link).state.edits.layout).toMatchObject({ pipeline: 2 });
  });

  test('a model without experts is told of one that has them; one without latent attention, too', () => {
    expect(numberOf('moe', readers['eight chips'])).toMatchObject({ isOther: true, value: 37e9 });
    expect(numberOf('mla', readers['eight chips']).isOther).toBe(true);
    expect(numberOf('moe', readers.experts).isOther).toBe(false);
    expect(numberOf('mla', readers.experts).isOther).toBe(false);
  });

  test('so is a format that the chip does not compute in: it would only be slower', () => {
    for (const link of Object.values(readers)) {
      const { value, before } = numberOf('fp8', link);
      expect(value, link).toBeLessThan(before as number);
    }
    expect(numberOf('fp8', readers['a torus']).isOther).toBe(true);
    expect(numberOf('fp8', readers['eight chips']).isOther).toBe(false);
  });

  test('a model that eight chips don’t hold is served by as many as hold it', () => {
    const { state, set } = numberOf('decode', readers.experts);
    expect(set).toContain('serving.chips');
    expect(Number(state.edits.serving['chips'])).toBeGreaterThan(8);
  });
});
