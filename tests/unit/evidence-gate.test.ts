// Figures of the evidence that a change makes worse, and their history.

import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import history from '../../shared/evidence-history.json' with { type: 'json' };
import schema from '../../shared/evidence-history.schema.json' with { type: 'json' };
import golden from '../golden/evidence.json' with { type: 'json' };
import {
  faultsOf,
  figuresOf,
  mainFigures,
  withVersion,
  worseIn,
} from '../../web/tools/evidence-gate.mjs';

/** The evidence with one figure changed. */
function changed(path: readonly string[], by: number): typeof golden {
  const copy = structuredClone(golden);
  const at = path
    .slice(0, -1)
    .reduce((part, key) => part[key] as Record<string, unknown>, copy as Record<string, any>);
  at[path.at(-1)!] = (at[path.at(-1)!] as number) + by;
  return copy;
}

test('the history ends in the evidence, and says why a version is worse', () => {
  const validate = new Ajv2020({ strictTuples: false, allowUnionTypes: true }).compile(schema);
  expect(validate(history), JSON.stringify(validate.errors?.[0])).toBe(true);
  expect(faultsOf(history, golden)).toEqual([]);
});

test('every group is held: errors, ranges, floors, order and what fits', () => {
  expect(worseIn(golden, golden)).toEqual([]);
  const names = figuresOf(golden).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of [
    'asShipped / errors / GPU, dense / median',
    'asShipped / undescribed / GPU, dense / ninth',
    'asShipped / order / right',
    'coverage / h100-sxm / lower',
    'sixFold / coverage / TPU / band',
    'softwareLeftOut / coverage / nemo / band',
    'softwareLeftOut / widening / dense / held',
    'memory / ran / GPU / over',
    'memory / sourceLeftOut',
    'serving / asShipped / tokensPerSecond / sound',
    'serving / groupLeftOut / tokensPerSecond / ninth',
    'serving / engineLeftOut / vllm left out: timePerToken / band',
    'serving / engineLeftOut / widening / dense: tokensPerSecond / times',
  ]) {
    expect(names).toContain(name);
  }
});

test.each([
  [['asShipped', 'errors', 'TPU', 'median'], 0.1, -0.1],
  [['sixFold', 'errors', 'GPU', 'ninth'], 0.1, -0.1],
  [['coverage', 'all', 'lower'], -0.2, undefined],
  [['asShipped', 'order', 'right'], -0.8, 0.8],
  [['memory', 'ran', 'GPU', 'over'], 1, -1],
  // A range that holds more than nine of ten is too wide.
  [['serving', 'asShipped', 'tokensPerSecond', 'band'], 0.4, -0.4],
])('%j is worse by %d', (path, by, better) => {
  const found = worseIn(golden, changed(path, by));
  expect(found.map(({ name }) => name)).toEqual([path.join(' / ')]);
  if (better !== undefined) expect(worseIn(golden, changed(path, better))).toEqual([]);
});

test('a group that is no longer there is worse', () => {
  const { TPU: _, ...others } = golden.sixFold.coverage;
  const without = { ...golden, sixFold: { ...golden.sixFold, coverage: others } };
  expect(worseIn(golden, without).map(({ to }) => to)).toEqual([null, null, null]);
});

test('a worse version is taken with its reason alone', () => {
  const after = changed(['sixFold', 'errors', 'GPU, dense', 'median'], 0.5);
  const worse = worseIn(golden, after);
  const why = { en: 'more rows', zh: '行数更多' };
  const taken = withVersion(history, '2999-01-01', after, worse, why);
  expect(faultsOf(taken, after)).toEqual([]);
  expect(taken.versions.at(-1)!.worse).toEqual([
    { why, figures: ['sixFold / errors / GPU, dense / median'] },
  ]);
  const silent = withVersion(history, '2999-01-01', after, [], why);
  expect(faultsOf(silent, after)).toEqual(['2999-01-01: dense, median is worse, without a reason']);
  // The same day once more: one version, with its reasons.
  const again = withVersion(taken, '2999-01-01', golden, [], why);
  expect(again.versions).toHaveLength(taken.versions.length);
  expect(again.versions.at(-1)).toMatchObject({ figures: mainFigures(golden), worse: [{ why }] });
  expect(faultsOf(again, after)).toEqual(['the last version has other figures than the evidence']);
});
