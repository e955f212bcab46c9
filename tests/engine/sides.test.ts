// Sides of a comparison: each answers as it does alone, with the reasons for differences.

import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import en from '../../shared/text/en.json' with { type: 'json' };
import type { Engine } from '../../web/src/engine/index.ts';
import { readAddress, writeAddress } from '../../web/src/link/address.ts';
import { evaluate, inputsOf, makeFinder, type Reply } from '../../web/src/model/evaluate.ts';
import { initialState, type State } from '../../web/src/model/state.ts';
import { Asking, type Asked, type Tries } from '../../web/src/ui/features/compare/asking.ts';
import { cheapest, fastest, placedOf } from '../../web/src/ui/features/compare/sides/chart.ts';
import { contestOf } from '../../web/src/compare/contest.ts';
import type { CollectedSides } from '../../web/src/ui/features/compare/sides/collected.ts';
import { bestOf, summary } from '../../web/src/ui/features/compare/sides/differences.ts';
import { qualifies, timeAndCost, whyOther } from '../../web/src/ui/features/compare/sides/facts.ts';
import { sidesOf, sizedState, sizesOf } from '../../web/src/ui/features/compare/sides/rows.ts';
import { chipsIn } from '../../web/src/ui/features/compare/sides/facts.ts';
import {
  readSides,
  usualSides,
  writeSides,
  type Along,
} from '../../web/src/ui/features/compare/sides/setting.ts';
import { slicesOf } from '../../web/src/ui/features/compare/subjects.ts';
import { searchedInput } from '../../web/src/ui/views/plan/input.ts';
import { calculating, features } from './calculating.ts';

const prepared = calculating();
const { contextOf, stateOf } = prepared;
let engine: Engine;
beforeAll(() => void (engine = prepared.engine));

/** Asks for all, as the page does. */
async function askAll<One extends { id: string }>(
  list: readonly One[],
  of: (one: One) => State,
  tries?: (one: One, first: Asked) => Tries,
): Promise<Asking<One>> {
  const asking: Asking<One> = await new Promise((resolve) => {
    const made = new Asking<One>(() => {
      if (made.left === 0) resolve(made);
    });
    made.begin({ state: initialState, engine, views: features.views }, list, of, '', tries);
    if (made.left === 0) resolve(made);
  });
  return asking;
}

/** Asks for one alone, as its link says it. */
async function askAlone(state: State): Promise<Reply> {
  const link = writeAddress(engine.describe(), state);
  const there = readAddress(engine.describe(), link).state;
  const complete = await new Promise<State>((resolve) => {
    const finder = makeFinder(engine, features.views, () => {
      const found = finder.complete(there);
      if (found) resolve(found);
    });
    const found = finder.complete(there);
    if (found) resolve(found);
  });
  if (complete.view === 'plan') {
    // This search uses nothing that earlier ones found.
    const started = engine.loaded('planner')!.search(searchedInput(engine, there));
    if (started.ok) {
      while (!started.search.advance(1e4).done);
      const plan = started.search.chosen() ?? started.search.best()[0];
      if (plan) expect(complete.found!.fields).toEqual(plan.layout);
    }
  }
  return evaluate(engine, complete);
}

const plan = 'view=plan&chip=h100-sxm&model=llama-3.1-8b&tokens=1T&batch=4194304';
const serving = 'view=serving&chip=h100-sxm&model=llama-3.1-8b';

describe('side by side', () => {
  const cases: [string, string][] = [
    [`${plan}&chips=256&sequence=8192`, 'chip:h100-sxm,b200-sxm,tpu-v5p,mi355x'],
    [`${plan}&chips=256`, 'sequence:4096,8192,32768,131072'],
    [`${plan}&chips=64&prices=lambda`, 'chips:32,64,128,256'],
    [`${plan}&chips=64&chip.price=2`, 'computeFormat:bf16,fp8'],
    [`${plan}&chips=64&chip.years=4&prices=owned`, 'chip:h100-sxm,b200-sxm'],
    [`${plan}&chips=128`, 'model:llama-3.1-8b,llama-3-70b'],
    [`${serving}&serve.chips=8`, 'chip:h100-sxm,b200-sxm,tpu-v5e'],
    [`${serving}&serve.chips=4`, 'serve.promptTokens:4096,8192,32768'],
  ];
  test.each(cases)('%s with %s is what each is alone, to the bit', async (link, text) => {
    const ctx = contextOf(stateOf(link));
    const setting = readSides(engine.describe(), text)!;
    const sides = sidesOf(ctx, setting);
    expect(sides.length).toBe(text.split(',').length);
    const asking = await askAll(sides, (side) => side.state());
    for (const side of sides) {
      const { reply } = asking.of(side.id)!;
      expect(reply!.ok, side.name).toBe(true);
      expect(reply, side.name).toEqual(await askAlone(side.state()));
    }
  });

  test('leaves the slices of a torus to the core, and says how many it takes', async () => {
    const ctx = contextOf(stateOf(`${plan}&chips=1024&slices=2`));
    const sides = sidesOf(ctx, readSides(engine.describe(), 'chip:h100-sxm,tpu-v5e,tpu-v5p')!);
    const asking = await askAll(sides, (side) => side.state());
    const told = sides.map(({ id, state }) => [
      state().edits.run['slices'],
      slicesOf(engine.describe(), asking.of(id)!),
    ]);
    expect(told).toEqual([
      [2, 2], // the reader's own
      [undefined, 4],
      [undefined, 0],
    ]);
  });

  describe('plans stand on the chips that they need', () => {
    /** Chips, days and dollars of each side. */
    async function placedFor(limits: string, along = 'chip:h100-sxm,b200-sxm,a100-sxm-80gb') {
      const link = `${plan}&chips=64&${limits}`;
      const ctx = contextOf(stateOf(link));
      const sides = sidesOf(ctx, readSides(engine.describe(), along)!);
      const asking = await askAll(
        sides,
        (side) => side.state(),
        (side, first) => side.tries(first),
      );
      return sides.map((side) => {
        const asked = asking.of(side.id)!;
        expect(chipsIn(ctx, side.state())).toBe(chipsIn(ctx, asked.state));
        const { wallTime, wallCost } = asked.reply!.ok ? asked.reply!.answers : {};
        const [days, cost] = [Number(wallTime) / 86400, Number(wallCost)];
        return { chips: chipsIn(ctx, side.state()), days, cost, kept: qualifies(ctx, asked) };
      });
    }

    test('where there is a deadline: the fewest with which they are done', async () => {
      const asked = await placedFor('');
      expect(asked.map(({ chips }) => chips)).toEqual([64, 64, 64]);
      const sides = await placedFor('deadline=10');
      for (const [index, { chips, days, kept }] of sides.entries()) {
        expect(kept).toBe(true);
        expect(days).toBeLessThanOrEqual(10);
        // An eighth fewer would take longer: times are all but in proportion.
        expect((days * chips) / (chips - 2 ** Math.ceil(Math.log2(chips)) / 8)).toBeGreaterThan(
          9.5,
        );
        expect(chips > 64).toBe(asked[index]!.days > 10);
      }
      expect(new Set(sides.map(({ chips }) => chips)).size).toBe(3);
    });

    test('as asked where none are enough, which is told', async () => {
      const sides = await placedFor('deadline=0.0001');
      expect(sides.map(({ chips, kept }) => [chips, kept])).toEqual(Array(3).fill([64, false]));
    });

    test('where there is a budget: no more than it is enough for', async () => {
      const [first] = await placedFor('');
      const budget = Math.round(first!.cost * 1.001);
      const [same, other] = await placedFor(`budget=${budget}`);
      expect(same).toMatchObject({ chips: 64, kept: true });
      expect(other!.kept).toBe(other!.cost <= budget);
    });

    test('but not where they differ in the chips', async () => {
      const sides = await placedFor('deadline=10', 'chips:32,64');
      expect(sides.map(({ chips }) => chips)).toEqual([32, 64]);
    });
  });

  test('of random chips, numbers and lengths is what each is alone', async () => {
    const chips = ['h100-sxm', 'a100-sxm-80gb', 'b200-sxm', 'tpu-v5p', 'tpu-v6e', 'mi300x'];
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.constantFrom(...chips), { minLength: 2, maxLength: 4 }),
        fc.integer({ min: 2, max: 9 }),
        fc.constantFrom(2048, 4096, 8192, 16384),
        async (ids, doublings, sequence) => {
          const link = `${plan}&chips=${2 ** doublings}&sequence=${sequence}`;
          const ctx = contextOf(stateOf(link));
          const sides = sidesOf(ctx, { along: 'chip', items: ids });
          const asking = await askAll(sides, (side) => side.state());
          for (const side of sides) {
            const asked = asking.of(side.id)!.reply;
            expect(asked).toEqual(await askAlone(side.state()));
          }
        },
      ),
      { numRuns: 8 },
    );
  });

  test('of random servers, loads and formats is what each is alone', async () => {
    const chips = ['h100-sxm', 'a100-sxm-80gb', 'b200-sxm', 'tpu-v5e', 'tpu-v6e', 'mi300x'];
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.constantFrom(...chips), { minLength: 2, maxLength: 3 }),
        fc.constantFrom('llama-3.1-8b', 'mixtral-8x7b', 'gpt-oss-20b'),
        fc.constantFrom(1, 7, 32, 200),
        fc.constantFrom('bf16', 'fp8', 'int4'),
        async (ids, model, users, weights) => {
          const link =
            `view=serving&chip=h100-sxm&model=${model}&serve.chips=8` +
            `&serve.users=${users}&server.weights=${weights}`;
          const ctx = contextOf(stateOf(link));
          const sides = sidesOf(ctx, { along: 'chip', items: ids });
          const asking = await askAll(sides, (side) => side.state());
          for (const side of sides) {
            const asked = asking.of(side.id)!.reply;
            expect(asked).toEqual(await askAlone(side.state()));
          }
        },
      ),
      { numRuns: 12 },
    );
  });

  test('explains the whole difference from the first, by parts that readers know', async () => {
    for (const [link, text] of cases) {
      const ctx = contextOf(stateOf(link));
      const sides = sidesOf(ctx, readSides(engine.describe(), text)!);
      const asking = await askAll(sides, (side) => side.state());
      const [first, ...others] = sides.map(({ id }): Asked => asking.of(id)!);
      for (const other of others) {
        for (const key of timeAndCost(ctx)) {
          const why = whyOther(ctx, first!, other, key);
          if (!why) continue;
          const told = why.causes.reduce((sum, { difference }) => sum + difference, 0);
          expect(Math.abs(told / (why.difference || 1) - 1)).toBeLessThan(
            why.difference === 0 ? 2 : 1e-6,
          );
        }
      }
    }
  });

  test('names what makes a training dearer', async () => {
    // A batch that is small for so many chips: they wait for gradients.
    const ctx = contextOf(stateOf(`${plan}&chips=256&sequence=8192`));
    const sides = sidesOf(ctx, { along: 'run.chips', items: ['256', '2048'] });
    const asking = await askAll(sides, (side) => side.state());
    const [few, many] = sides.map(({ id }) => asking.of(id)!);
    const cost = whyOther(ctx, few!, many!, 'wallCost')!;
    expect(cost.difference).toBeGreaterThan(0);
    expect(cost.causes[0]).toMatchObject({ kind: 'step', key: 'chips' });
  });
});

describe('tasks', () => {
  afterEach(() => void vi.restoreAllMocks());
  // Chips that no other test has: what was found before needs no search.
  const unknown = `${plan}&chips=96&sequence=8192`;
  const several = 'chip:h100-sxm,b200-sxm,tpu-v5p';

  test('that draw begin no search', async () => {
    const search = vi.spyOn(engine.loaded('planner')!, 'search');
    const ctx = contextOf(stateOf(`${unknown}&sides=${several}`));
    const sides = sidesOf(ctx, readSides(engine.describe(), several)!);
    const finder = makeFinder(engine, features.views, () => {});
    const asking = new Asking<(typeof sides)[number]>(() => {});
    expect(finder.complete(ctx.state)).toBeUndefined();
    asking.begin(
      { state: ctx.state, engine, views: features.views },
      sides,
      (side) => side.state(),
      '',
    );
    expect(search).not.toHaveBeenCalled();
    await expect.poll(() => asking.left).toBe(0);
    expect(search).toHaveBeenCalled();
    finder.stop();
    asking.stop();
  });

  test('that search tell of nothing', async () => {
    const tasks: string[][] = [];
    let now: string[] | undefined;
    const note = (what: string): void => {
      if (!now) {
        tasks.push((now = []));
        queueMicrotask(() => (now = undefined));
      }
      now.push(what);
    };
    const planner = engine.loaded('planner')!;
    const { search } = planner;
    vi.spyOn(planner, 'search').mockImplementation((...parts) => {
      note('searches');
      return search(...parts);
    });
    const ctx = contextOf(stateOf(`${plan}&chips=192&sequence=8192`));
    const sides = sidesOf(ctx, readSides(engine.describe(), several)!);
    const asking = new Asking<(typeof sides)[number]>(() => note('tells'));
    asking.begin(
      { state: ctx.state, engine, views: features.views },
      sides,
      (side) => side.state(),
      '',
    );
    note('draws');
    await expect.poll(() => asking.left === 0 && tasks.at(-1)?.includes('tells')).toBe(true);
    expect(tasks[0]).toEqual(['draws']);
    expect(tasks.flat()).toContain('searches');
    for (const each of tasks) expect(new Set(each).size).toBe(1);
  });
});

describe('the chart', () => {
  test('has the cheapest in time and the fastest for the money', async () => {
    const ctx = contextOf(stateOf(`${plan}&chips=256&sequence=8192`));
    const sides = sidesOf(ctx, readSides(engine.describe(), 'chip:h100-sxm,b200-sxm')!);
    const sizes = sizesOf(ctx, sides, 'chip');
    expect(sizes.map(({ chips }) => chips)).toEqual([
      ...[32, 64, 128, 256, 512, 1024, 2048],
      ...[32, 64, 128, 256, 512, 1024, 2048],
    ]);
    const asking = await askAll(sizes, (sized) => sizedState(ctx, sized));
    const points = placedOf(ctx, sizes, asking.of);
    expect(points.length).toBeGreaterThan(10);
    const day = 86400;
    const soon = cheapest(points, { time: 2 * day })!;
    expect(soon.time).toBeLessThanOrEqual(2 * day);
    for (const { time, cost } of points) {
      if (time <= 2 * day) expect(cost).toBeGreaterThanOrEqual(soon.cost);
    }
    const budget = 1.2 * cheapest(points, {})!.cost;
    const cheap = fastest(points, { cost: budget })!;
    for (const { time, cost } of points) {
      if (cost <= budget) expect(time).toBeGreaterThanOrEqual(cheap.time);
    }
    expect(cheapest(points, { time: 1 })).toBeUndefined();
  });
});

describe('links', () => {
  const read = (text: string) => readSides(engine.describe(), text);

  test('hold what stands side by side', () => {
    const description = engine.describe();
    for (const along of ['chip', 'model', 'run.sequenceLength', 'run.chips'] as Along[]) {
      const setting = usualSides(description, stateOf(`${plan}&chips=64`), along);
      expect(read(writeSides(description, setting))).toEqual({ ...setting, refused: [] });
    }
    const kept = { along: 'kept' as const, items: [`${plan}&chips=64`, serving] };
    const link = `${plan}&chips=64&sides=${encodeURIComponent(writeSides(description, kept))}`;
    const { state, problems } = readAddress(description, link);
    expect(problems).toEqual([]);
    expect(read(state.charts.sides!)).toEqual({ ...kept, refused: [] });
    expect(readAddress(description, writeAddress(description, state)).state).toEqual(state);
  });

  test('leave out what makes no sense, and more than six', () => {
    expect(read('chip:h100-sxm,no-such-chip')?.items).toEqual(['h100-sxm']);
    expect(read('sequence:4096,-1,many,4096')?.items).toEqual(['4096']);
    expect(read('colour:red')).toBeUndefined();
    expect(read('chips:1,2,4,8,16,32,64,128')?.items).toHaveLength(6);
    expect(read('model:%')?.items).toEqual([]);
    expect(read('chip:h100-sxm,no-such-chip')?.refused).toEqual(['no-such-chip']);
    expect(read('sequence:4096,-1,many,4096')?.refused).toEqual(['-1', 'many']);
    expect(read('model:%')?.refused).toEqual(['%']);
  });

  test('read whatever is written in them', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('chip', 'kept', 'sequence', 'x'), (text, key) => {
        const setting = read(`${key}:${text}`);
        const ctx = contextOf(stateOf(`${plan}&chips=64`));
        if (setting) for (const side of sidesOf(ctx, setting)) expect(side.name).toBeTruthy();
      }),
    );
  });
});

test('every set has a name, and sides that links hold', () => {
  const { sets } = en.sides;
  const description = engine.describe();
  for (const link of [plan, serving]) {
    const state = stateOf(link);
    for (const along of contextOf(state).features.views.get(state.view)!.value!.sides!.fields) {
      expect(sets).toHaveProperty(along.split('.')[1]!);
      const setting = usualSides(description, state, along);
      expect(setting.items.length, along).toBeGreaterThan(1);
      expect(readSides(description, writeSides(description, setting))).toMatchObject(setting);
    }
  }
});

describe('chips side by side', () => {
  test('start with the reader’s own', () => {
    const description = engine.describe();
    const items = (link: string) => usualSides(description, stateOf(link), 'chip').items;
    expect(items('view=plan&chip=h200-sxm')[0]).toBe('h200-sxm');
    expect(items('view=plan&chip=h200-sxm')).toContain('h100-sxm');
    expect(items('view=plan&chip=b200-sxm')).toEqual(['b200-sxm', 'h100-sxm', 'tpu-v5p', 'mi355x']);
  });

  test('of servers take as many as each needs, and the cheapest that meets the targets wins', async () => {
    const link =
      'view=serving&chip=h200-sxm&model=llama-3-70b&serve.users=256&serve.firstTarget=4&serve.tokenTarget=0.06';
    const text = 'chip:h200-sxm,h100-sxm,b200-sxm';
    const ctx = contextOf(stateOf(`${link}&sides=${text}`));
    const sides = sidesOf(ctx, readSides(engine.describe(), text)!);
    const asking = await askAll(sides, (side) => side.state());
    const found = sides.map(({ id }) => asking.of(id)!);
    const chips = found.map(({ state }) => chipsIn(ctx, state));
    expect(new Set(chips).size, chips.join()).toBeGreaterThan(1);
    for (const each of found) {
      expect(each.reply).toMatchObject({ ok: true, answers: { meetsTargets: 'yes' } });
      const { bought } = engine.loaded('serving')!;
      const less = bought(
        inputsOf(engine, each.state) as never,
        chipsIn(ctx, each.state) - 1,
        true,
      );
      // Nobody sells fewer than one node.
      if (!less) continue;
      const fewer = { ...each.state.edits.serving, chips: less };
      const state = { ...each.state, edits: { ...each.state.edits, serving: fewer } };
      const reply = evaluate(engine, state);
      expect(reply.ok && qualifies(ctx, { state, reply })).toBe(false);
    }
    const all = { sides, of: asking.of, sidesLeft: 0 } as unknown as CollectedSides;
    const said = summary({ ctx, words: en.sides, all });
    expect(said).toMatch(/meets the targets/);
    expect(said).not.toMatch(/Fastest/);
  });

  test('of which none meets the targets have no winner', async () => {
    const link = 'view=serving&chip=h200-sxm&model=llama-3-70b&serve.tokenTarget=0.000001';
    const text = 'chip:h200-sxm,b200-sxm';
    const ctx = contextOf(stateOf(`${link}&sides=${text}`));
    const sides = sidesOf(ctx, readSides(engine.describe(), text)!);
    const asking = await askAll(sides, (side) => side.state());
    const all = { sides, of: asking.of, sidesLeft: 0 } as unknown as CollectedSides;
    expect(summary({ ctx, words: en.sides, all })).toBe('None meets the targets.');
    expect(bestOf(ctx, all, 'costAll')).toBeUndefined();
  });
});

describe('a contest', () => {
  const one = (value: number, low = value, high = value) => ({ value, band: [low, high] as const });

  test('has a winner where no likely range reaches into its own', () => {
    const [a, b, c] = [one(10, 8, 12), one(20, 15, 25), { value: 30 }];
    expect(contestOf([b, a, c])).toEqual({ best: a, alike: [] });
    expect(contestOf([])).toBeUndefined();
  });

  test('of likely ranges that overlap has none', () => {
    const [h100, b200] = [one(91, 82, 106), one(96, 85, 111)];
    expect(contestOf([h100, b200, one(200, 150, 250)])).toEqual({ best: h100, alike: [b200] });
    expect(contestOf([{ value: 5 }, one(7, 4, 9)])?.alike).toHaveLength(1);
    expect(contestOf([{ value: 5 }, { value: 5 }])?.alike).toHaveLength(1);
  });
});
