// One question has one answer, wherever it is asked: as a plan or as a budget, by a link, the command
// line, agents or the package, in a row of all chips and side by side.

import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAddress, writeAddress } from '../../web/src/link/address.ts';
import { linkOf } from '../../web/src/link/questions.ts';
import { createEngine, type PackagedEngine } from '../../web/src/library/index.ts';
import {
  evaluate,
  explain,
  makeFinder,
  type Answers,
  type Reply,
} from '../../web/src/model/evaluate.ts';
import type { State } from '../../web/src/model/state.ts';
import type { RenderContext } from '../../web/src/ui/kit/render-context.ts';
import { Asking } from '../../web/src/ui/features/compare/asking.ts';
import { sidesOf } from '../../web/src/ui/features/compare/sides/rows.ts';
import { stateFor, subjects } from '../../web/src/ui/features/compare/subjects.ts';
import { calculating } from './calculating.ts';

const chips = ['h100-sxm', 'b200-sxm', 'tpu-v5p'];
const models = ['llama-3-70b', 'llama-3.1-8b', 'mixtral-8x7b'];
const sizes = [256, 1024];
const tokens = 2e12;

const run = promisify(execFile);
const program = path.resolve(import.meta.dirname, '../../build/cli/cli.js');
const client = new Client({ name: 'test', version: '1' });
const prepared = calculating((engine) => engine.derivations());
const { contextOf, stateOf } = prepared;
let packaged: PackagedEngine;
beforeAll(async () => {
  packaged = await createEngine();
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'] }),
  );
});
afterAll(() => client.close());

/** The questions asked in turn, each in the place of the page's own. */
const asked = async (ctx: RenderContext, list: { id: string; state: State }[]) => {
  const { engine, features } = ctx;
  const asking = await new Promise<Asking<{ id: string; state: State }>>((resolve) => {
    const made: Asking<{ id: string; state: State }> = new Asking(() => {
      if (made.left === 0) resolve(made);
    });
    made.begin({ state: ctx.state, engine, views: features.views }, list, ({ state }) => state, '');
  });
  return list.map(({ id }) => answersIn(asking.of(id)?.reply));
};

function answersIn(reply: Reply | undefined): Answers {
  if (!reply?.ok) throw new Error(JSON.stringify(reply));
  return reply.answers;
}

/** The answers that the page has to a link. */
const answered = async (link: string): Promise<Answers> => {
  const state = stateOf(link);
  return (await asked(contextOf(state), [{ id: 'page', state }]))[0]!;
};

/** The answers that an agent is told. */
const told = async (name: 'plan' | 'budget', input: Record<string, unknown>): Promise<Answers> => {
  const { structuredContent, content } = await client.callTool({ name, arguments: input });
  if (!structuredContent) throw new Error(JSON.stringify(content));
  return (structuredContent as { answers: Answers }).answers;
};

/** The answers that the command line prints. */
const printed = async (...words: string[]): Promise<Answers> => {
  const { stdout } = await run(process.execPath, [program, ...words, '--format', 'json']);
  return (JSON.parse(stdout) as { answers: Answers }).answers;
};

const number = (answers: Answers | object, key: string): number => {
  const value = (answers as Record<string, unknown>)[key];
  if (typeof value !== 'number') throw new Error(`${key}: ${JSON.stringify(value)}`);
  return value;
};

describe.each(models)('%s', (model) => {
  describe.each(sizes)('on %d chips', (n) => {
    const run = (chip: string) => ({ chip, model, run: { chips: n, tokens } });
    const linkTo = (chip: string): string =>
      linkOf(prepared.engine.describe(), 'plan', [
        ['chip', chip],
        ['model', model],
        ['chips', String(n)],
        ['tokens', String(tokens)],
      ]);

    test('time and cost are the same wherever they are asked for', async () => {
      for (const chip of chips) {
        const page = await answered(linkTo(chip));
        const agent = await told('plan', run(chip));
        const package_ = answersIn(packaged.plan(run(chip)) as Reply);
        const other = chips.find((each) => each !== chip)!;
        const ctx = contextOf(stateOf(linkTo(other)));
        const row = subjects(ctx, 'chip').find(({ id }) => id === chip)!;
        const [side] = sidesOf(ctx, { along: 'chip', items: [chip] });
        const [inTable, beside] = await asked(ctx, [
          { id: 'row', state: stateFor(ctx, 'chip', row) },
          { id: 'side', state: side!.state() },
        ]);
        for (const key of ['wallTime', 'wallCost', 'stepExpected', 'mfu', 'memoryUsed']) {
          const places = { agent, package_, inTable, beside };
          for (const [place, answers] of Object.entries(places)) {
            expect([chip, key, place, number(answers!, key)]).toEqual([
              chip,
              key,
              place,
              number(page, key),
            ]);
          }
        }
      }
    });

    test('a budget buys what the plan of it costs', async () => {
      for (const chip of chips) {
        const cost = number(await answered(linkTo(chip)), 'wallCost');
        const input = { chip, model, run: { chips: n }, budget: { money: cost } };
        const link = linkOf(prepared.engine.describe(), 'budget', [
          ['chip', chip],
          ['model', model],
          ['chips', String(n)],
          ['budget.money', String(cost)],
        ]);
        const other = chips.find((each) => each !== chip)!;
        const ctx = contextOf(stateOf(link.replace(chip, other)));
        const row = subjects(ctx, 'chip').find(({ id }) => id === chip)!;
        const [inTable] = await asked(ctx, [{ id: 'row', state: stateFor(ctx, 'chip', row) }]);
        const places = {
          page: await answered(link),
          agent: await told('budget', input),
          package_: answersIn(packaged.budget(input) as Reply),
          inTable,
        };
        for (const [place, answers] of Object.entries(places)) {
          const bought = number(answers!, 'budgetTokens');
          expect(bought / tokens, `${chip} ${place}`).toBeCloseTo(1, 9);
        }
      }
    });
  });
});

describe.each(['h100-sxm', 'b200-sxm', 'tpu-v5p', 'mi300x'])('a budget on %s', (chip) => {
  const plannedFor = (bought: number) =>
    packaged.plan({ chip, model: 'llama-3-70b', run: { chips: 1024, tokens: Math.floor(bought) } });

  test.each([
    ['money', { money: 5e6 }, 'wallCost', 5e6],
    ['days', { kind: 'time', days: 30 }, 'wallTime', 30 * 86400],
  ] as const)('of %s is what the plan of its tokens takes', (_, budget, key, wanted) => {
    const input = { chip, model: 'llama-3-70b', run: { chips: 1024 }, budget };
    const bought = number(answersIn(packaged.budget(input) as Reply), 'budgetTokens');
    const plan = answersIn(plannedFor(bought) as Reply);
    expect(number(plan, key) / wanted).toBeCloseTo(1, 9);
  });

  test('counted by the book has the MFU that it states', () => {
    const input = { chip, model: 'llama-3-70b', run: { chips: 1024 }, budget: { money: 5e6 } };
    const book = answersIn(packaged.budget(input, { counting: 'book' }) as Reply);
    const { budget } = prepared.engine;
    const filled = packaged.filled('budget', input);
    if (!filled.ok) throw new Error(JSON.stringify(filled.issues));
    expect(book).toEqual(answersIn(budget(filled.input) as Reply));
    expect(number(book, 'budgetTokens')).not.toBeCloseTo(
      number(answersIn(packaged.budget(input) as Reply), 'budgetTokens'),
      -9,
    );
  });
});

test('the command line answers so, too', async () => {
  const words = ['--chip', 'b200-sxm', '--model', 'llama-3-70b', '--chips', '1024'];
  const plan = await printed('plan', ...words, '--tokens', '2T');
  const cost = number(plan, 'wallCost');
  const money = ['--budget.money', String(cost)];
  const budget = await printed('budget', ...words, ...money);
  expect(number(budget, 'budgetTokens') / tokens).toBeCloseTo(1, 9);
  const book = await printed('budget', ...words, ...money, '--counting', 'book');
  expect(book).toEqual(await printed(`view=budget&chip=b200-sxm&chips=1024&budget.money=${cost}`));
  expect(number(book, 'budgetTokens')).toBeGreaterThan(1.1 * tokens);
});

describe('links of budgets', () => {
  test.each([
    ['view=budget&chip=b200-sxm&chips=1024&budget.money=5M', 'book'],
    ['view=budget&chip=b200-sxm&counting=predicted&chips=1024&budget.money=5M', 'predicted'],
  ])('%s is counted: %s', (link, counting) => {
    const state = stateOf(link);
    expect(state.counting).toBe(counting);
    expect(writeAddress(prepared.engine.describe(), state)).toBe(link);
  });

  test('that count in no such way say so, as do questions with one way', () => {
    for (const link of ['view=budget&counting=magic', 'view=serving&counting=book']) {
      const { problems } = readAddress(prepared.engine.describe(), link);
      expect(problems).toMatchObject([{ reason: 'badValue', key: 'counting' }]);
    }
  });
});

test('the derivation of a predicted budget leads on to the plan’s', async () => {
  for (const chip of ['h100-sxm', 'tpu-v5p']) {
    const state = stateOf(`view=budget&counting=predicted&chips=1024&chip=${chip}`);
    const ctx = contextOf(state);
    const { engine, features } = ctx;
    const complete = await new Promise<State>((resolve) => {
      const finder = makeFinder(engine, features.views, () => told());
      const told = (): void => {
        const found = finder.complete(state);
        if (found) resolve(found);
      };
      told();
    });
    const explained = explain(engine, complete, 'budgetTokens');
    if (!explained.ok) throw new Error(JSON.stringify(explained.issues));
    const { steps } = explained.derivation;
    const answers = answersIn(evaluate(engine, complete));
    expect(steps[0]!.value).toBe(number(answers, 'budgetTokens'));
    const keys = steps.map(({ key }) => key);
    expect(keys).toEqual([...new Set(keys)]);
    for (const key of ['mfuWithFailures', 'mfu', 'goodput', 'stepExpected']) {
      expect(keys).toContain(key);
    }
    // A step that is named has the value of the step that it names.
    const values = new Map(steps.map(({ key, value }) => [key, value]));
    type Node = (typeof steps)[number]['expression'];
    const check = ({ op, key, value, args = [] }: Node): void => {
      expect([op, key]).not.toEqual(['input', 'run.mfu']);
      if (op === 'step') expect([key, values.get(key!)]).toEqual([key, value]);
      args.forEach(check);
    };
    for (const { expression } of steps) check(expression);
  }
});
