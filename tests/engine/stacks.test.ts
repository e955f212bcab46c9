// Software to train with: valid by its schema, known to the core, and one choice that a link holds.

import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import file from '../../shared/stacks.json' with { type: 'json' };
import torus from '../../shared/torus-stack.json' with { type: 'json' };
import schema from '../../shared/stacks.schema.json' with { type: 'json' };
import { createEngine, type Description, type Engine } from '../../web/src/engine/index.ts';
import { readAddress, writeAddress } from '../../web/src/link/address.ts';
import { evaluateNearby } from '../../web/src/model/evaluate.ts';
import { fieldInfo, valueFits } from '../../web/src/model/fields.ts';
import { stackIn, stacks, usualStack, withStack } from '../../web/src/model/stacks.ts';
import { inputOf, withField, withPreset, type State } from '../../web/src/model/state.ts';
import { chipsBySize } from '../../web/src/ui/views/plan/most.ts';

let engine: Engine;
let description: Description;
beforeAll(async () => {
  engine = await createEngine();
  await engine.planner();
  description = engine.describe();
});

const plan = (link = ''): State =>
  readAddress(description, `view=plan&chip=h100-sxm&chips=64&${link}`).state;
const fixed = 'layout.tensor=4&layout.context=1&layout.sharding=gradients';

describe('the file', () => {
  test('is valid by its schema, which refuses what it should', () => {
    const validate = new Ajv2020({ allErrors: true }).compile(schema);
    for (const valid of [file, { ...file, stacks: [torus] }]) {
      validate(valid);
      expect(validate.errors).toBeNull();
    }
    const [first] = file.stacks;
    for (const wrong of [
      { stack: { flash: 'flash9' } },
      { stack: { speed: 1 } },
      { layout: { tensor: 8 } },
      { sources: ['a-source'] },
      { name: '' },
    ]) {
      expect(validate({ ...file, stacks: [{ ...first, ...wrong }] }), JSON.stringify(wrong)).toBe(
        false,
      );
    }
  });

  test('has each software once, with fields that the core knows', () => {
    expect(new Set(stacks.map(({ id }) => id)).size).toBe(stacks.length);
    expect(new Set(stacks.map(({ name }) => name)).size).toBe(stacks.length);
    for (const { id, stack, layout, assumptions = {} } of stacks) {
      for (const [group, values] of Object.entries({ stack, layout, assumptions })) {
        for (const [key, value] of Object.entries(values)) {
          const info = fieldInfo(description, `${group as 'stack'}.${key}`);
          expect(info && valueFits(info, value), `${id} ${key}`).toBe(true);
        }
      }
    }
  });
});

describe('memory that the allocator holds', () => {
  const share = (link: string) => {
    const { state } = readAddress(description, `view=plan&${link}`);
    return [
      inputOf(description, state, 'assumptions')['allocatorShare'],
      stackIn(description, state)?.id,
    ];
  };

  test("is PyTorch's share on switched chips, and none on a torus, where XLA runs", () => {
    const usual = fieldInfo(description, 'assumptions.allocatorShare')!.default;
    expect(usual).toBeGreaterThan(0);
    expect(share('chip=h100-sxm')).toEqual([usual, usualStack.id]);
    expect(share('chip=tpu-v5p')).toEqual([0, torus.id]);
    expect(share('chip=tpu-v5p&chip.network=switched')).toEqual([usual, usualStack.id]);
  });

  test('is what the reader says, on any chip', () => {
    for (const chip of ['h100-sxm', 'tpu-v5p']) {
      expect(share(`chip=${chip}&assume.allocatorShare=20%25`)).toEqual([0.2, undefined]);
    }
  });
});

describe('a choice', () => {
  test.each(['', fixed])('sets all fields, whatever was chosen before: %s', (link) => {
    for (const before of stacks) {
      const there = withStack(description, plan(link), before);
      expect(there.layout).toBe(link ? 'fixed' : 'best');
      expect(evaluateNearby(engine, there).ok, before.id).toBe(true);
      for (const stack of stacks) {
        const state = withStack(description, there, stack);
        expect(stackIn(description, state)?.id, `${before.id} ${stack.id}`).toBe(stack.id);
        expect(inputOf(description, state, 'stack')).toMatchObject(stack.stack);
        expect(inputOf(description, state, 'layout')).toMatchObject(stack.layout);
        const read = readAddress(description, writeAddress(description, state));
        expect(read).toEqual({ state, problems: [], language: null });
      }
    }
  });

  test('leaves nothing behind when it is taken back', () => {
    for (const stack of stacks) {
      const there = withStack(description, plan(), stack);
      expect(withStack(description, there, usualStack)).toEqual(plan());
    }
  });

  test('stays as it is in what it pins of a layout that was found', () => {
    const found = { of: '', fields: { tensor: 2, sharding: 'none' } };
    const megatron = stacks.find(({ layout }) => layout.sharding === 'optimizer')!;
    const state = withStack(description, { ...plan(), found }, megatron);
    expect(state.layout).toBe('best');
    expect(inputOf(description, state, 'layout')).toMatchObject({
      tensor: 2,
      sharding: 'optimizer',
    });
  });

  test('is none that is listed once one of its fields is another', () => {
    for (const stack of stacks) {
      const there = withStack(description, plan(), stack);
      const other = withField(description, there, 'stack.rowwiseScales', true);
      expect(stackIn(description, other), stack.id).toBeUndefined();
    }
  });
});

describe('the smallest chip that would do', () => {
  const onOf = (link: string): [State, string[]] => {
    const { state } = readAddress(description, `view=plan&${link}`);
    return [state, chipsBySize(description, state)];
  };

  test('is sought where the same software runs', () => {
    const software = stacks.find(({ id }) => id === 'unsloth')!;
    const [usual, cards] = onOf('chip=rtx-4090&trained=qlora');
    const chosen = withStack(description, usual, software);
    const [slice, tpus] = onOf('chip=tpu-v5p');
    for (const [state, chips, id] of [
      [usual, cards, usualStack.id],
      [chosen, chipsBySize(description, chosen), software.id],
      [slice, tpus, torus.id],
    ] as const) {
      expect(chips).toContain(state.chip);
      for (const chip of chips) {
        const next = withPreset(state, 'chip', chip);
        expect(stackIn(description, next)?.id, `${id} on ${chip}`).toBe(id);
      }
    }
    // A card's software, PyTorch, is not that of a TPU, though both have software of their own.
    expect(cards).toContain('a10g');
    expect(cards).not.toContain('tpu-v5e');
    expect(tpus).toContain('tpu-v5e');
    expect(tpus).not.toContain('a10g');
  });

  test('may be any where the software runs on all', () => {
    const [usual] = onOf('chip=rtx-4090');
    const chips = chipsBySize(
      description,
      withStack(
        description,
        usual,
        stacks.find(({ id }) => id === torus.id)!,
      ),
    );
    expect(chips).toEqual(expect.arrayContaining(['rtx-4090', 'tpu-v5e']));
  });
});
