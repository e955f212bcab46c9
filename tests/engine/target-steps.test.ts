// Targets whose answers take a search each: what is found is met when it is asked forward, to the last
// bit, and leaves no state that is invalid.

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Engine, Target, TargetSearch, Turn } from '../../web/src/engine/index.ts';
import { evaluate, explainTurn, inputsOf, makeFinder } from '../../web/src/model/evaluate.ts';
import { withField, withLayoutBest, type State } from '../../web/src/model/state.ts';
import type { FieldId } from '../../web/src/model/fields.ts';
import type { Forward } from '../../web/src/ui/kit/forward.ts';
import { turnsOf } from '../../web/src/ui/features/target/stepping.ts';
import { RenderContext } from '../../web/src/ui/kit/render-context.ts';
import { planForward } from '../../web/src/ui/views/plan/forward.ts';
import { servingForward } from '../../web/src/ui/views/serving/forward.ts';
import { calculating, features } from './calculating.ts';

const prepared = calculating((engine) => engine.targets());
const { contextOf } = prepared;
let engine: Engine;
beforeAll(() => void (engine = prepared.engine));

/** The state with its best layout. */
const completed = (state: State): Promise<State> =>
  new Promise((resolve) => {
    const finder = makeFinder(engine, features.views, () => {
      const found = finder.complete(state);
      if (found) resolve(found);
    });
    const found = finder.complete(state);
    if (found) resolve(found);
  });

const stateOf = (link: string): Promise<State> => completed(prepared.stateOf(link));

/** The answer of a state, with its best layout. */
async function answerOf(state: State, key: string): Promise<unknown> {
  const reply = evaluate(engine, await completed(state));
  if (!reply.ok) throw new Error(JSON.stringify(reply.issues));
  return reply.answers[key];
}

function all(ctx: RenderContext, target: Target, forward: Forward): Turn[] {
  const known = [...turnsOf(ctx, target, forward)].filter((turn) => turn !== undefined);
  return [...(forward.turns ?? []), ...known];
}

/** The state with a turn made. */
function turned(state: State, { field, value, slices }: Turn): State {
  const description = engine.describe();
  const there = withField(description, state, field as FieldId, value);
  return slices === undefined ? there : withField(description, there, 'run.slices', slices);
}

/** Asks each turn of a target forward; returns those that meet it. */
async function asked(link: string, target: Omit<Target, 'value'>, factor: number): Promise<Turn[]> {
  const state = await stateOf(link);
  const ctx = contextOf(state);
  const now = Number(await answerOf(state, target.answer));
  const wish = { ...target, value: factor * now } as Target;
  const forward = state.view === 'plan' ? planForward(ctx, wish)! : servingForward(ctx, wish);
  expect(forward.now).toBe(now);
  const met: Turn[] = [];
  for (const turn of all(ctx, wish, forward)) {
    if (turn.effect === 'none' || turn.field === 'run.mfu') continue;
    const best =
      state.view === 'plan' && forward.found!.turned!(turned(state, turn), turn).layout === 'best';
    const there = best
      ? withLayoutBest(engine.describe(), turned(state, turn))
      : turned(state, turn);
    const reached = Number(await answerOf(there, target.answer));
    expect(reached, `${link} ${turn.field} ${String(turn.value)}`).toBe(turn.reached);
    const meets = target.wanted === 'atMost' ? reached <= factor * now : reached >= factor * now;
    expect(meets, `${link} ${turn.field}`).toBe(turn.effect === 'meets');
    if (meets) met.push(turn);
  }
  return met;
}

const plan = 'view=plan&chip=h100-sxm&model=llama-3.1-8b&chips=64&tokens=1T&batch=1048576';
const of = (turns: readonly Turn[], field: string): Turn | undefined =>
  turns.find((turn) => turn.field === field);

describe('a plan', () => {
  test('is met on the chips and in the format that are found, each divided its best way', async () => {
    const met = await asked(plan, { answer: 'trainingTime', wanted: 'atMost' } as never, 0.85);
    const chips = of(met, 'run.chips')!;
    // Whole nodes, and no fewer would do.
    expect(Number(chips.value) % 8).toBe(0);
    expect(of(met, 'layout.fp8Matmuls')).toMatchObject({ value: true });
    expect(of(met, 'run.tokens')).toBeDefined();
    const state = await stateOf(plan);
    const now = Number(await answerOf(state, 'trainingTime'));
    const fewer = withField(engine.describe(), state, 'run.chips', Number(chips.value) - 8);
    expect(Number(await answerOf(fewer, 'trainingTime'))).toBeGreaterThan(0.85 * now);
  });

  test('of any load and target', async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('h100-sxm', 'tpu-v5e', 'mi300x'),
        fc.constantFrom(16, 48, 256),
        fc.constantFrom('trainingTime', 'cost', 'energy', 'mfu'),
        fc.constantFrom(0.6, 0.95, 1.02, 1.3),
        async (chip, chips, answer, factor) => {
          const link =
            `view=plan&chip=${chip}&model=llama-3.2-1b&chips=${chips}&tokens=1T` +
            `&batch=1048576&chip.price=2&chip.power=500` +
            // Nobody publishes how domains of MI300X are joined.
            (chip === 'mi300x' ? '&chip.scaleOutBandwidth=50G' : '');
          const wanted = factor < 1 ? 'atMost' : 'atLeast';
          count += (await asked(link, { answer, wanted } as never, factor)).length;
        },
      ),
      { numRuns: 8 },
    );
    expect(count).toBeGreaterThan(8);
  });

  test('tells the MFU that would do, which is no input of a plan', async () => {
    const ctx = contextOf(await stateOf(plan));
    const now = Number(await answerOf(ctx.state, 'trainingTime'));
    const target: Target = { answer: 'trainingTime', wanted: 'atMost', value: 0.9 * now };
    const { turns, found } = planForward(ctx, target)!;
    const mfu = found!.before!['run.mfu']!;
    // Time falls as 1 / MFU; three digits, rounded up.
    expect(Number(turns![0]!.value)).toBeGreaterThanOrEqual(mfu / 0.9);
    expect(Number(turns![0]!.value)).toBeLessThan(mfu / 0.9 + 0.001);
  });
});

describe('servers', () => {
  const serving = 'view=serving&chip=h100-sxm&model=llama-3.1-8b&serve.chips=8';

  test('of any load and target', async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('h100-sxm', 'tpu-v5e', 'b200-sxm'),
        fc.constantFrom('llama-3.1-8b', 'gpt-oss-20b'),
        fc.constantFrom(3, 64, 250),
        fc.constantFrom('tokenTime', 'firstToken', 'costOutput', 'outputSpeed'),
        fc.constantFrom(0.5, 0.97, 1.01, 2),
        async (chip, model, users, answer, factor) => {
          const link =
            `view=serving&chip=${chip}&model=${model}&serve.chips=8&serve.users=${users}` +
            `&chip.price=2&chip.power=700`;
          const wanted = factor < 1 ? 'atMost' : 'atLeast';
          count += (await asked(link, { answer, wanted } as never, factor)).length;
        },
      ),
      { numRuns: 10 },
    );
    expect(count).toBeGreaterThan(10);
  });

  test('are met by the last user that they can be', async () => {
    const link = `${serving}&serve.users=64`;
    const met = await asked(link, { answer: 'tokenTime', wanted: 'atMost' } as never, 0.8);
    const users = of(met, 'serving.users')!;
    const state = await stateOf(link);
    const now = Number(await answerOf(state, 'tokenTime'));
    const more = withField(engine.describe(), state, 'serving.users', Number(users.value) + 1);
    expect(Number(await answerOf(more, 'tokenTime'))).toBeGreaterThan(0.8 * now);
  });

  test('keep 90% of requests on target up to a rate, which is their goodput', async () => {
    const link = `${serving}&serve.load=open&serve.firstTarget=0.3&serve.tokenTarget=0.015`;
    const rate = 'serving.requestRate';
    const state = await stateOf(`${link}&serve.requestRate=5`);
    expect(await answerOf(state, 'withinTargets')).toBeGreaterThan(0.95);
    const target: Target = { answer: 'withinTargets', wanted: 'atLeast', value: 0.9 };
    const ctx = contextOf(state);
    const most = of(all(ctx, target, servingForward(ctx, target)), rate)!;
    expect(Number(most.value)).toBeGreaterThan(5);
    const within = async (factor: number): Promise<unknown> =>
      answerOf(
        withField(engine.describe(), state, rate, factor * Number(most.value)),
        'withinTargets',
      );
    expect(await within(1)).toBeGreaterThanOrEqual(0.9);
    expect(await within(1.01)).toBeLessThan(0.9);
  });

  test('have the equation of a price, solved for it', async () => {
    await engine.derivations();
    const state = await stateOf(`${serving}&chip.price=2`);
    const now = Number(await answerOf(state, 'costOutput'));
    const target: Target = { answer: 'costOutput', wanted: 'atMost', value: 0.6 * now };
    const there = withField(engine.describe(), state, 'chip.price', 1.19);
    const told = explainTurn(engine, 'serving', inputsOf(engine, there), target, 'chip.price')!;
    if (!told.ok) throw new Error(JSON.stringify(told.issues));
    expect(told.derivation.steps[0]!.value).toBeCloseTo(1.2, 12);
  });
});

test('a search that another takes the place of in the module goes on where it was', async () => {
  const targets = await engine.targets();
  const state = await stateOf(plan);
  const input = inputsOf(engine, state) as never;
  const begin = (value: number): TargetSearch =>
    targets.search('plan', input, { answer: 'trainingTime', wanted: 'atMost', value }, 100);
  /** Falls with the chips, and with fp8; rises with the tokens. */
  const answer = ({ field, value }: NonNullable<TargetSearch['asks']>): number => {
    if (field === 'run.chips') return 6400 / Number(value);
    if (field === 'run.tokens') return Number(value) / 1e10;
    return field === 'layout.fp8Matmuls' ? 2 : 100;
  };
  const alone = [10, 3].map((value) => {
    const search = begin(value);
    while (search.asks) search.tell(answer(search.asks));
    return search.turns;
  });
  const both = [begin(10), begin(3)];
  while (both.some(({ asks }) => asks)) {
    for (const each of both) if (each.asks) each.tell(answer(each.asks));
  }
  expect(both.map(({ turns }) => turns)).toEqual(alone);
  const [ten, three] = alone as [Turn[], Turn[]];
  expect(of(ten, 'run.chips')).toMatchObject({ effect: 'meets', value: 640, divides: true });
  // 2,133.3 chips: whole nodes of 8.
  expect(of(three, 'run.chips')).toMatchObject({ effect: 'meets', value: 2136 });
  expect(of(three, 'layout.fp8Matmuls')).toMatchObject({ value: true, reached: 2 });
  expect(of(ten, 'run.tokens')).toMatchObject({ effect: 'meets', value: 1e11 });
});

test('a bound that no answer has is none that is reached', async () => {
  const link =
    'view=plan&chip=tpu-v5e&model=llama-3.2-1b&chips=256&tokens=1T&batch=1048576&chip.price=2';
  const ctx = contextOf(await stateOf(link));
  const target: Target = { answer: 'planBound', wanted: 'is', value: 'tensor' };
  // On two chips no layout holds the model, and its plan has no bound.
  for (const turn of all(ctx, target, planForward(ctx, target)!)) {
    expect(typeof turn.reached, turn.field).toBe('string');
  }
});

test('what is asked of neither plans nor servers is the caller’s mistake', async () => {
  const targets = await engine.targets();
  const state = await stateOf(plan);
  const input = inputsOf(engine, state) as never;
  const wrong: Target = { answer: 'noSuch', wanted: 'atMost', value: 1 };
  expect(() => targets.search('plan', input, wrong, 1)).toThrow(RangeError);
  const time: Target = { answer: 'trainingTime', wanted: 'atMost', value: 1 };
  expect(() => targets.search('training' as never, input, time, 1)).toThrow(RangeError);
  // An input that is not valid asks for nothing.
  const invalid = { ...(input as object), run: { chips: 0 } } as never;
  expect(targets.search('plan', invalid, time, 1).asks).toBeUndefined();
});
