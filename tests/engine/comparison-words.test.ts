// The sentences of a comparison: each cause is one, and its effect a number of what it changed.

import { expect, test } from 'vitest';
import en from '../../shared/text/en.json' with { type: 'json' };
import { reasonOf } from '../../web/src/compare/causes.ts';
import { differences } from '../../web/src/compare/inputs.ts';
import type { Cause, Named, Reason } from '../../web/src/compare/reason.ts';
import { splitId, type FieldId } from '../../web/src/model/fields.ts';
import { explain, makeFinder } from '../../web/src/model/evaluate.ts';
import { inputOf } from '../../web/src/model/state.ts';
import { sayReason, type Telling } from '../../web/src/ui/features/compare/kept/reasons.ts';
import { calculating, features } from './calculating.ts';

const prepared = calculating((engine) => engine.derivations());
const { contextOf, stateOf } = prepared;

const base = 'view=serving&model=qwen3-235b-a22b&serve.users=1000';
const told = ['utilisation', 'chipsForLoad', 'mixedStep', 'decodeNetwork', 'outputSpeed'];

test.each([
  [
    'chip=h200-sxm&serve.load=open&serve.requestRate=20',
    'chip=b200-sxm&serve.load=open&serve.requestRate=2',
  ],
  ['chip=h200-sxm&serve.load=open&serve.requestRate=2&serve.chips=40', 'chip=b200-sxm'],
])('%s against %s', (kept, now) => {
  const { engine } = prepared;
  const description = engine.describe();
  const finder = makeFinder(engine, features.views, () => {});
  const [was, is] = [kept, now].map((link) => finder.complete(stateOf(`${base}&${link}`))!);
  const { answers } = description.questions.serving;
  const tells = ({ kind, key }: Named): boolean => {
    if (kind === 'step') return answers.some((answer) => answer.key === key);
    const [group, field] = splitId(key as FieldId);
    const [old, present] = [was!, is!].map((state) => inputOf(description, state, group));
    return old![field] !== present![field];
  };
  const telling: Telling = {
    ctx: contextOf(is!),
    words: en.compare,
    inputs: differences(description, was!, is!),
  };
  for (const key of told) {
    const [before, after] = [was!, is!].map((state) => explain(engine, state, key));
    if (!before!.ok || !after!.ok) continue;
    const reason = reasonOf(before!.derivation, after!.derivation, tells);
    if (!reason || reason.causes.length === 0) continue;
    const said = sayReason(telling, reason, []);
    expect(said, key).toMatch(/^Because of /);
    expect(said, key).not.toMatch(/how it is counted|gone/);
    if (Number.isInteger(reason.from) && Number.isInteger(reason.to)) {
      expect(said, key).not.toMatch(/\d\.\d+ chips\)/);
    }
    // A quantity that came or went is a term of the answer.
    for (const [, unit] of said.matchAll(
      / [\d.,]+ ?([^\d\s,]*), (?:\d[^;]*before|which is new)/g,
    )) {
      expect(unit, said).not.toBe('%');
    }
  }
});

test('a part that came or went is told as a term, else as another formula', () => {
  const ctx = contextOf(stateOf('view=serving'));
  const inputs = { things: [], fields: [], follow: [] };
  const say = (cause: Cause): string => {
    const rest: Cause = {
      kind: 'step',
      key: 'decodeStep',
      from: 1,
      to: 2,
      unit: 's',
      difference: 9,
    };
    const reason: Reason = {
      ...{ key: 'tokenTime', unit: 's', from: 1, to: 5, terms: [], takeovers: [], verdicts: [] },
      causes: [rest, cause],
    };
    return sayReason({ ctx, words: en.compare, inputs }, reason, []).replaceAll('\u00a0', ' ');
  };
  const lone = { kind: 'step' as const, key: 'prefillTime' };
  expect(say({ ...lone, from: 5, unit: 's', difference: -5 })).toContain(
    '5.00 s (removed) (−5.00 s)',
  );
  expect(say({ ...lone, to: 5, unit: 's', difference: 5 })).toContain('which is new (+5.00 s)');
  const formula = 'different counting rule (+5.00 s)';
  // Nothing that went makes an answer greater, and a share is no time.
  expect(say({ ...lone, from: 5, unit: 's', difference: 5 })).toContain(formula);
  expect(say({ ...lone, from: 0.525, unit: '', difference: 5 })).toContain(formula);
});
