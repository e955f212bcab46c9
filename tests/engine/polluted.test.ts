// A host page or an extension may have given every object more properties.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'vite';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  createEngine,
  type Engine,
  type Planner,
  type ServingModule,
  type TargetsModule,
  type Derivations,
} from '../../web/src/engine/index.ts';
import { readAddress, writeAddress } from '../../web/src/link/address.ts';
import { evaluate, inputsOf } from '../../web/src/model/evaluate.ts';
import { withLayoutFixed } from '../../web/src/model/state.ts';
import { filesUnder, root } from '../../web/tools/run.mjs';
import { operations } from './inputs.ts';

let engine: Engine;
let planner: Planner;
let serving: ServingModule;
let targets: TargetsModule;
let derivations: Derivations;
beforeAll(async () => {
  engine = await createEngine();
  planner = await engine.planner();
  derivations = await engine.derivations();
});

/** The names that have been put on all objects. */
const put: string[] = [];
const everything = Object.prototype as unknown as Record<string, unknown>;
function pollute(names: readonly string[], value: unknown): void {
  for (const name of names) {
    if (Object.hasOwn(everything, name)) continue;
    everything[name] = value;
    put.push(name);
  }
}
const clean = (): void => void put.splice(0).forEach((name) => delete everything[name]);
afterEach(clean);

const links = [
  '',
  'chip=h100-sxm&model=llama-3.1-8b&chips=64&slices=2',
  'view=plan&chip=h100-sxm&model=deepseek-v3&chips=64&layout.tensor=8&sides=chip:h100-sxm,b200-sxm',
  'view=serving&chip=h200-sxm&model=kimi-k2.5&serve.chips=16&chips=4&also=training',
  'view=budget&budget.money=10M',
  'view=operation&op.kind=attention&lines=op.batch:1,2&over=op.queries',
  'chip=own&chip.name=Mine&chip.memory=80G&view=collective&coll.kind=allGather',
  'chps=8&chip=nothing&pin=view=plan%26layout.tensor=4',
];

/** All that engine and links say of some questions. */
function said(): string {
  const description = engine.describe();
  const chip = { memory: 80e9, memoryBandwidth: 3.35e12, peakBf16: 9.895e14 };
  const run = { chips: 64, tokens: 1e12 };
  return JSON.stringify([
    ...links.map((link) => {
      const { state, problems } = readAddress(description, link);
      const fixed = withLayoutFixed(description, state);
      const inputs = inputsOf(engine, fixed);
      return [problems, writeAddress(description, state), inputs, evaluate(engine, fixed)];
    }),
    engine.estimate({ chip, run }),
    operations.roofline({}),
    planner.estimate({ chip, run }),
    serving?.estimate({ chip, serving: { chips: 8 } }),
    targets?.solve(
      'training',
      { chip, run },
      { answer: 'trainingTime', wanted: 'atMost', value: 1e6 },
    ),
    derivations.explain('training', { chip, run }, 'trainingTime'),
  ]);
}

const values = [['a function', () => 7] as const, ['a text', 'evil'] as const, ['7', 7] as const];

/** Names that the language or the host reads of objects that are given to it. */
const native = [
  ...['value', 'get', 'set', 'writable', 'enumerable', 'configurable', 'then', 'toJSON', 'done'],
];

/** All names by which engine, links and models know something. */
function namesKnown(): string[] {
  const { groups, questions } = engine.describe();
  const names = new Set([
    ...Object.keys(groups),
    ...Object.keys(questions),
    ...Object.values(groups).flatMap((fields) => fields.map(({ key }) => key)),
    ...Object.values(questions).flatMap(({ answers }) => answers.map(({ key }) => key)),
  ]);
  for (const file of filesUnder(
    'web/src/engine',
    'web/src/link',
    'web/src/model',
    'web/src/number',
  )) {
    if (!file.endsWith('.ts')) continue;
    new Visitor({
      MemberExpression: ({ computed, property }) => {
        if (!computed && property.type === 'Identifier') names.add(property.name);
      },
      Property: ({ computed, key }) => {
        if (!computed && key.type === 'Identifier') names.add(key.name);
      },
    }).visit(parseSync(file, readFileSync(path.join(root, file), 'utf8')).program);
  }
  return [...names].filter((name) => !(name in {}) && !native.includes(name));
}

describe.each(values)('what all objects have does not reach engine or links: %s', (_, value) => {
  beforeAll(async () => {
    serving = await engine.serving();
    targets = await engine.targets();
  });

  test('by any name that they know', () => {
    const before = said();
    const saidWith = (names: readonly string[]): string => {
      pollute(names, value);
      try {
        return said();
      } catch (error) {
        return String(error);
      } finally {
        clean();
      }
    };
    /** The names among these that change an answer; one run tells most often that none does. */
    const reaching = (names: readonly string[]): readonly string[] => {
      if (saidWith(names) === before) return [];
      if (names.length === 1) return names;
      const half = names.length >> 1;
      return [...reaching(names.slice(0, half)), ...reaching(names.slice(half))];
    };
    const names = namesKnown();
    expect(names).toContain('sides');
    expect(reaching(names)).toEqual([]);
  });
});

test('before modules have loaded, either', () => {
  const { groups, questions } = engine.describe();
  const { serving: _, server: __, budget: ___, ...few } = groups;
  const { serving: ____, budget: _____, ...asked } = questions;
  const little = { ...engine.describe(), groups: few, questions: asked } as typeof engine extends {
    describe(): infer D;
  }
    ? D
    : never;
  const read = (): string =>
    JSON.stringify(['', 'chips=64', 'view=plan'].map((link) => readAddress(little, link)));
  const before = read();
  pollute(['serving', 'server', 'budget', 'chip'], () => 7);
  const now = read();
  clean();
  expect(now).toBe(before);
});
