// Properties of every input, tried on many.

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { createEngine } from '../../web/src/engine/index.ts';
import type {
  Derivations,
  Description,
  Engine,
  FieldInfo,
  Outcome,
  CoreQuestion,
} from '../../web/src/engine/index.ts';
import {
  answersTo,
  ask,
  bases,
  change,
  explain,
  fault,
  matters,
  places,
  questions,
  type Answers,
  type Input,
  type Place,
} from './inputs.ts';

let engine: Engine;
let derivations: Derivations;
let description: Description;

beforeAll(async () => {
  engine = await createEngine();
  derivations = await engine.derivations();
  description = engine.describe();
});

// --- arbitrary inputs ---

/** Numbers of a range, each order of magnitude as likely as another; its ends as well. */
function inRange(min: number, max: number, whole: boolean): fc.Arbitrary<number> {
  const least = min > 0 ? min : whole ? 1 : Math.min(1e-3, max);
  const exponent = fc.double({ min: Math.log(least), max: Math.log(max), noNaN: true });
  const inside = exponent.map((power) => {
    const value = Math.min(Math.max(Math.exp(power), min), max);
    return whole ? Math.floor(value) : value;
  });
  return fc.oneof(
    { weight: 8, arbitrary: inside },
    { weight: 1, arbitrary: fc.constantFrom(min, max) },
  );
}

function valueOf({ kind, optional, min, max, choices }: FieldInfo): fc.Arbitrary<unknown> {
  if (kind === 'choice') return fc.constantFrom(...choices);
  if (kind === 'flag') return fc.boolean();
  if (kind === 'text') return fc.constant('');
  const value = inRange(min, max, kind === 'count');
  return optional ? fc.option(value, { freq: 8 }) : value;
}

function faultyValueOf(field: FieldInfo): fc.Arbitrary<unknown> {
  const { kind, min, max } = field;
  const others = fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true });
  const below = fc.double({ max: min, maxExcluded: true, noNaN: true });
  const above = fc.double({ min: max, minExcluded: true, noNaN: true });
  const fraction = fc.double({ min, max: Math.min(max, 1e9), noInteger: true, noNaN: true });
  const any =
    kind === 'choice' || kind === 'flag' || kind === 'text'
      ? fc.oneof(others, fc.string(), fc.double(), fc.integer())
      : fc.oneof(others, below, above, ...(kind === 'count' ? [fraction] : []));
  return any.filter((value) => fault(field, value) !== undefined);
}

/** An input of presets with a few fields changed to other valid values. */
function inputOf(question: CoreQuestion, unchanged: string[] = []): fc.Arbitrary<Input> {
  const open = places(description, question).filter(({ name }) => !unchanged.includes(name));
  const changed = fc
    .constantFrom(...open)
    .chain(({ group, field }) => valueOf(field).map((value) => ({ group, key: field.key, value })));
  return fc
    .tuple(fc.constantFrom(...bases[question]), fc.array(changed, { maxLength: 6 }))
    .map(([base, changes]) =>
      changes.reduce((input, { group, key, value }) => change(input, group, key, value), base),
    );
}

/** One whose fields fit together. */
const answerable = (question: CoreQuestion, unchanged?: string[]) =>
  inputOf(question, unchanged).filter((input) => ask(engine, question, input).ok);

const check = <Values extends [unknown, ...unknown[]]>(
  arbitraries: { [Key in keyof Values]: fc.Arbitrary<Values[Key]> },
  law: (...values: Values) => void,
) => fc.assert(fc.property(...(arbitraries as never as [fc.Arbitrary<unknown>]), law as never));

// --- laws ---

describe('outcomes', () => {
  function expectSound(question: CoreQuestion, outcome: Outcome<Answers>) {
    if (!outcome.ok) {
      expect(outcome.issues).not.toEqual([]);
      const names = new Set(places(description, question).map(({ name }) => name));
      for (const { code, field, arguments: numbers } of outcome.issues) {
        expect(description.issueCodes).toContain(code);
        expect(names).toContain(field);
        expect(Object.values(numbers).every(Number.isFinite)).toBe(true);
      }
      return;
    }
    for (const { key, choices } of description.questions[question].answers) {
      const answer = outcome.answers[key]!;
      if (typeof answer === 'object') expect(description.absences).toContain(answer.absent);
      else if (choices.length > 0) expect(choices).toContain(answer);
      else {
        const finite = Number.isFinite(answer) && !Object.is(answer, -0);
        expect(finite, `${key}: ${answer}`).toBe(true);
      }
    }
  }

  test.each(questions)('%s: numbers, choices and reasons, or issues', (question) => {
    check([inputOf(question)], (input) => expectSound(question, ask(engine, question, input)));
  });

  test.each(questions)('%s: an input that went through JSON has the same', (question) => {
    check([inputOf(question)], (input) => {
      const copy = JSON.parse(JSON.stringify(input)) as Input;
      expect(ask(engine, question, copy)).toEqual(ask(engine, question, input));
    });
  });

  test.each(questions)('%s: a derivation has the same answer first', (question) => {
    const keys = description.questions[question].answers.map(({ key }) => key);
    check([answerable(question), fc.constantFrom(...keys)], (input, key) => {
      const answer = answersTo(engine, question, input)[key];
      const explanation = explain(derivations, question, input, key);
      if (!explanation.ok) throw new Error('not explained');
      const [first] = explanation.derivation.steps;
      const said = typeof answer === 'object' ? undefined : answer;
      expect(first?.choice ?? first?.value).toBe(said);
    });
  });

  test.each(questions)(
    '%s: one wrong field is the one named; put right, all is well',
    (question) => {
      const wrong = fc.constantFrom(...bases[question].entries()).chain(([, base]) =>
        fc
          .constantFrom(...places(description, question))
          .filter((place) => matters(description, base, place))
          .chain((place) => faultyValueOf(place.field).map((value) => ({ base, place, value }))),
      );
      /** Fields that begin to matter with the wrong value may be wrong too. */
      const depends = (place: Place, name: string) =>
        description.groups[place.group].some(
          ({ key, when }) => name === `${place.group}.${key}` && when?.field === place.field.key,
        );
      check([wrong], ({ base, place, value }) => {
        const outcome = ask(engine, question, change(base, place.group, place.field.key, value));
        if (outcome.ok) throw new Error('answered');
        const [first, ...others] = outcome.issues;
        expect(first).toMatchObject({ code: fault(place.field, value), field: place.name });
        expect(others.filter(({ field }) => !depends(place, field))).toEqual([]);
        expect(ask(engine, question, base)).toMatchObject({ ok: true });
      });
    },
  );
});

/** The answer, which must be a number. */
function number(answers: Answers, key: string): number {
  const answer = answers[key];
  if (typeof answer !== 'number') throw new Error(`${key}: ${JSON.stringify(answer)}`);
  return answer;
}

/** Compares two answers with `holds` wherever both have a number. */
function compare(
  [before, after]: Answers[],
  keys: string[],
  holds: (before: number, after: number) => boolean,
) {
  for (const key of keys) {
    const pair = [before![key], after![key]];
    if (!pair.every((answer) => typeof answer === 'number')) continue;
    const [a, b] = pair as [number, number];
    expect(holds(a, b), `${key}: ${a}, then ${b}`).toBe(true);
  }
}

const noMore = (before: number, after: number) => after <= before;
const noLess = (before: number, after: number) => after >= before;
const times = (factor: number) => (before: number, after: number) => after === factor * before;
const closeTo = (factor: number) => (before: number, after: number) =>
  Math.abs(after - factor * before) <= 1e-12 * Math.abs(factor * before);

describe('training', () => {
  /** Answers to two inputs that differ in one field; where both have some. */
  function compareRuns(
    field: string,
    values: fc.Arbitrary<[number, number]>,
    law: (answers: Answers[], values: [number, number]) => void,
  ) {
    const [group, key] = field.split('.') as ['chip' | 'model' | 'run', string];
    const info = description.groups[group].find((each) => each.key === key)!;
    check([answerable('training', [field]), values], (input, pair) => {
      fc.pre(matters(description, input, { group, field: info, name: field }));
      const outcomes = pair.map((value) =>
        ask(engine, 'training', change(input, group, key, value)),
      );
      fc.pre(outcomes.every(({ ok }) => ok));
      // Slices that are joined hold a copy of the states each.
      const joins = (outcome: (typeof outcomes)[number]): boolean =>
        outcome.ok && outcome.notices.some(({ code }) => code === 'slicesJoined');
      fc.pre(!outcomes.some(joins));
      law(
        outcomes.map((outcome) => (outcome as { answers: Answers }).answers),
        pair,
      );
    });
  }
  /** Two numbers, the smaller one first. */
  const ascending = (min: number, max: number, whole: boolean) =>
    fc
      .tuple(inRange(min, max, whole), inRange(min, max, whole))
      .map((pair) => pair.sort((a, b) => a - b));
  /** A number and its double: doubling changes nothing but the exponent. */
  const doubled = (min: number, max: number, whole: boolean) =>
    inRange(min, max / 2, whole).map((value): [number, number] => [value, 2 * value]);

  test('more chips never take more time or more memory each', () => {
    compareRuns('run.chips', ascending(1, 1e5, true), (answers) => {
      compare(answers, ['trainingTime', 'stepTime', 'memoryPerChip', 'tokensPerChip'], noMore);
      compare(answers, ['tokensPerSecond', 'memoryLeft'], noLess);
      const fixed = ['totalFlops', 'totalMemory', 'parameters', 'oneChipTime', 'minimumChips'];
      compare(answers, fixed, times(1));
      compare(answers, ['chipHours', 'cost', 'energy'], closeTo(1));
    });
  });

  test('a higher MFU is never slower or dearer', () => {
    compareRuns('run.mfu', ascending(1e-4, 1, false), (answers) => {
      compare(answers, ['trainingTime', 'stepTime', 'chipHours', 'cost', 'energy'], noMore);
      compare(answers, ['totalFlops', 'memoryPerChip', 'oneChipTime'], times(1));
    });
  });

  test('a larger batch never needs less memory or fewer chips', () => {
    compareRuns('run.batchTokens', ascending(1, 1e12, true), (answers) => {
      const more = ['checkpointMemory', 'memoryPerChip', 'totalMemory', 'minimumChips', 'stepTime'];
      compare(answers, more, noLess);
      compare(answers, ['steps'], noMore);
      compare(answers, ['weightMemory', 'optimizerMemory', 'totalFlops'], times(1));
    });
  });

  test('more memory never needs more chips', () => {
    compareRuns('chip.memory', ascending(1e6, 1e15, false), (answers) => {
      compare(answers, ['minimumChips', 'memoryFraction'], noMore);
      compare(answers, ['memoryLeft'], noLess);
      compare(answers, ['memoryPerChip', 'trainingTime'], times(1));
    });
  });

  test('a wider vocabulary never has fewer parameters', () => {
    compareRuns('model.vocabulary', ascending(1, 1e8, true), (answers) => {
      const more = ['computedParameters', 'computedActiveParameters', 'exactFlopsPerToken'];
      compare(answers, more, noLess);
      compare(answers, ['parametersFeedForward', 'parametersAttention'], times(1));
    });
  });

  test('more layers never have fewer parameters, less cache or fewer FLOPs', () => {
    compareRuns('model.layers', ascending(1, 1e5, true), (answers) => {
      const more = ['computedParameters', 'parametersAttention', 'parametersFeedForward'];
      compare(answers, [...more, 'kvCachePerToken', 'sixNFlopsPerToken'], noLess);
    });
  });

  test('twice the tokens: twice the work, time and cost', () => {
    compareRuns('run.tokens', doubled(1, 1e18, true), (answers) => {
      const twice = ['totalFlops', 'trainingTime', 'oneChipTime', 'chipHours', 'cost', 'energy'];
      compare(answers, [...twice, 'steps', 'timeOnMinimumChips'], times(2));
      compare(answers, ['stepTime', 'memoryPerChip', 'minimumChips'], times(1));
    });
  });

  test('twice the chips: half the time, on each half the tokens', () => {
    compareRuns('run.chips', doubled(1, 1e6, true), (answers) => {
      compare(answers, ['trainingTime', 'stepTime', 'tokensPerChip'], times(1 / 2));
      compare(answers, ['chipHours', 'cost'], times(1));
    });
  });

  test('twice the price: twice the cost, and nothing else', () => {
    compareRuns('chip.price', doubled(0, 1e6, false), (answers) => {
      const others = description.questions.training.answers.map(({ key }) => key);
      compare(answers, ['cost'], times(2));
      compare(
        answers,
        others.filter((key) => key !== 'cost'),
        times(1),
      );
    });
  });

  test('twice the memory bandwidth: half the critical intensity', () => {
    compareRuns('chip.memoryBandwidth', doubled(1e3, 1e18, false), (answers) => {
      compare(answers, ['criticalIntensity', 'criticalBatch'], times(1 / 2));
      compare(answers, ['trainingTime', 'intensity', 'memoryPerChip'], times(1));
    });
  });

  test('parts add up', () => {
    const sums: Record<string, string[]> = {
      totalMemory: ['weightMemory', 'gradientMemory', 'optimizerMemory', 'checkpointMemory'],
      memoryPerChip: [
        ...['weightMemoryPerChip', 'gradientMemoryPerChip'],
        ...['optimizerMemoryPerChip', 'checkpointMemoryPerChip'],
      ],
      computedParameters: [
        ...['parametersFeedForward', 'parametersAttention', 'parametersVocabulary'],
        ...['parametersNorms', 'parametersRouter', 'parametersPositions'],
      ],
    };
    check([answerable('training')], (input) => {
      const answers = answersTo(engine, 'training', input);
      for (const [whole, parts] of Object.entries(sums)) {
        const sum = parts.reduce((total, part) => total + number(answers, part), 0);
        expect(closeTo(1)(number(answers, whole), sum), whole).toBe(true);
      }
      const { minimumChips, fractionalMinimumChips } = answers;
      if (typeof minimumChips === 'number') {
        expect(Number.isInteger(minimumChips)).toBe(true);
        expect(minimumChips).toBeGreaterThanOrEqual(fractionalMinimumChips as number);
      }
    });
  });
});

/** Kinds that are one kernel, forward. */
const singleKernels = [
  ...['dotProduct', 'elementwise', 'reduction', 'softmax', 'rmsNorm', 'matmul', 'perBatchWeights'],
  ...['tiledMatmul', 'shardedMatmul', 'norm', 'lmHead', 'router', 'kvRead'],
];

const isSingle = ({ operation = {} }: Input) =>
  (operation.pass ?? 'forward') === 'forward' &&
  singleKernels.includes((operation.kind ?? 'matmul') as string);

describe('operations', () => {
  test('between perfect overlap and none lies a factor of at most two', () => {
    check([answerable('operation')], (input) => {
      const answers = answersTo(engine, 'operation', input);
      if (typeof answers.lowerBound !== 'number') return;
      const [lower, upper] = [number(answers, 'lowerBound'), number(answers, 'upperBound')];
      const parts = ['mathTime', 'memoryTime', 'networkTime']
        .map((key) => answers[key])
        .filter((time) => typeof time === 'number');
      // Kernels that follow one another do not overlap; sums of their times round.
      const rounding = isSingle(input) ? 1 : 1 + 1e-12;
      expect(lower).toBeLessThanOrEqual(rounding * upper);
      expect(upper).toBeLessThanOrEqual(2 * rounding * lower);
      if (isSingle(input)) expect(lower).toBe(Math.max(...parts));
      else expect(rounding * lower).toBeGreaterThanOrEqual(Math.max(...parts));
      expect(number(answers, 'fractionOfPeak')).toBeLessThanOrEqual(1);
    });
  });

  test('the bound is what intensity says', () => {
    const single = answerable('operation').filter(isSingle);
    check([single], (input) => {
      const answers = answersTo(engine, 'operation', input);
      if (answers.bound === 'network' || typeof answers.criticalIntensity !== 'number') return;
      const ratio = number(answers, 'intensity') / answers.criticalIntensity;
      if (Math.abs(ratio - 1) < 1e-9) return;
      expect(answers.bound).toBe(ratio > 1 ? 'compute' : 'memory');
    });
  });

  /** A matmul, forward. */
  const matmuls = () =>
    inputOf('operation', ['operation.kind', 'operation.pass'])
      .map((input) =>
        change(change(input, 'operation', 'kind', 'matmul'), 'operation', 'pass', 'forward'),
      )
      .filter((input) => ask(engine, 'operation', input).ok);

  test('a matmul of twice the rows: twice the FLOPs, at no lower intensity', () => {
    const rows = inRange(1, 5e11, true);
    check([matmuls(), rows], (matmul, batch) => {
      const [before, after] = [batch, 2 * batch].map((value) =>
        answersTo(engine, 'operation', change(matmul, 'operation', 'batch', value)),
      ) as [Answers, Answers];
      compare([before, after], ['flops', 'mathTime'], times(2));
      compare([before, after], ['memoryTime', 'lowerBound', 'upperBound'], noLess);
      compare([before, after], ['criticalBatch', 'exactCriticalBatch'], times(1));
      const gain = number(after, 'intensity') / number(before, 'intensity');
      expect(gain).toBeGreaterThan(1 - 1e-12);
    });
  });

  test('from the exact critical batch on, a matmul is bound by computing', () => {
    check([matmuls()], (matmul) => {
      const { exactCriticalBatch: critical } = answersTo(engine, 'operation', matmul);
      const boundAt = (batch: number) =>
        answersTo(engine, 'operation', change(matmul, 'operation', 'batch', batch)).bound;
      if (typeof critical !== 'number') {
        expect(boundAt(1e12)).toBe('memory');
        return;
      }
      // A whole number of rows, clear of the edge by more than rounding.
      const [below, above] = [Math.floor(critical * 0.999), Math.ceil(critical * 1.001)];
      if (below >= 1 && below <= 1e12) expect(boundAt(below)).toBe('memory');
      if (above <= 1e12) expect(boundAt(above)).toBe('compute');
    });
  });

  test('both passes are the one and the other', () => {
    check([answerable('operation', ['operation.pass'])], (input) => {
      const outcomes = ['forward', 'backward', 'both'].map((pass) =>
        ask(engine, 'operation', change(input, 'operation', 'pass', pass)),
      );
      fc.pre(outcomes.every(({ ok }) => ok));
      const [forward, backward, both] = outcomes.map(
        (outcome) => (outcome as { answers: Answers }).answers,
      ) as [Answers, Answers, Answers];
      const kind = input.operation?.kind ?? 'matmul';
      fc.pre(kind !== 'kvRead'); // has no passes
      for (const key of ['flops', 'memoryBytes', 'mathTime']) {
        const sum = number(forward, key) + number(backward, key);
        expect(closeTo(1)(number(both, key), sum), key).toBe(true);
      }
    });
  });

  test('of a model, more tokens never take less', () => {
    const ofModel = answerable('operation', ['operation.sequences']).filter(({ model }) => !!model);
    const pair = fc
      .tuple(inRange(1, 1e9, true), inRange(1, 1e9, true))
      .map((values) => values.sort((a, b) => a - b));
    check([ofModel, pair], (input, values) => {
      const both = values.map((value) =>
        answersTo(engine, 'operation', change(input, 'operation', 'sequences', value)),
      );
      compare(both, ['flops', 'memoryBytes', 'mathTime', 'memoryTime', 'lowerBound'], noLess);
    });
  });

  test('a faster chip is never slower', () => {
    const faster = fc.constantFrom('memoryBandwidth', 'peakBf16', 'linkBandwidth');
    check(
      [answerable('operation'), faster, fc.double({ min: 1, max: 10, noNaN: true })],
      (...given) => {
        const [input, key, factor] = given;
        const before = input.chip![key];
        fc.pre(typeof before === 'number');
        const after = ask(engine, 'operation', change(input, 'chip', key, before * factor));
        fc.pre(after.ok);
        const answers = [
          answersTo(engine, 'operation', input),
          (after as { answers: Answers }).answers,
        ];
        compare(
          answers,
          ['lowerBound', 'upperBound', 'mathTime', 'memoryTime', 'networkTime'],
          noMore,
        );
        compare(answers, ['flops', 'memoryBytes', 'networkBytes'], times(1));
      },
    );
  });
});

describe('collectives', () => {
  test('take as long as the longer of hops and bytes, a transfer both', () => {
    check([answerable('collective')], (input) => {
      const answers = answersTo(engine, 'collective', input);
      if (typeof answers.collectiveTime !== 'number') return;
      const parts = ['collectiveBandwidthTime', 'collectiveLatencyTime'].map((key) =>
        number(answers, key),
      ) as [number, number];
      const [moving, waiting] = parts;
      const transfer = input.collective?.kind === 'pointToPoint';
      expect(answers.collectiveTime).toBe(transfer ? waiting + moving : Math.max(...parts));
      expect(answers.collectiveBound).toBe(moving < waiting ? 'latency' : 'bandwidth');
    });
  });

  test('an AllReduce is a ReduceScatter and an AllGather', () => {
    const plain = answerable('collective', ['collective.kind', 'collective.inNetworkReduction']);
    check([plain], (input) => {
      const ofKind = (kind: string) =>
        answersTo(engine, 'collective', {
          ...input,
          collective: { ...input.collective, kind, inNetworkReduction: false },
        });
      const [all, scatter, gather] = ['allReduce', 'reduceScatter', 'allGather'].map(ofKind) as [
        Answers,
        Answers,
        Answers,
      ];
      for (const key of ['bytesSent', 'collectiveSteps', 'collectiveTime', 'domainTime']) {
        if (typeof all[key] !== 'number') continue;
        expect(all[key], key).toBe(number(scatter, key) + number(gather, key));
      }
    });
  });

  test('twice the bytes: twice the time to move them, and no hop more', () => {
    const bytes = inRange(1, 5e17, false);
    check([answerable('collective', ['collective.bytes']), bytes], (input, value) => {
      const both = [value, 2 * value].map((each) =>
        answersTo(engine, 'collective', change(input, 'collective', 'bytes', each)),
      );
      compare(both, ['collectiveBandwidthTime', 'bytesSent', 'shardBytes', 'leafTime'], times(2));
      compare(both, ['collectiveSteps', 'collectiveLatencyTime'], times(1));
      compare(both, ['latencyBytes'], closeTo(1));
      compare(both, ['collectiveTime', 'effectiveBandwidth'], noLess);
    });
  });

  test('twice the latency: each hop takes twice as long', () => {
    const latency = inRange(1e-9, 0.5, false);
    const latencies = ['chip.hopLatency', 'chip.scaleOutLatency'];
    check([answerable('collective', latencies), latency], (input, value) => {
      const both = [value, 2 * value].map((each) => {
        const hops = change(input, 'chip', 'hopLatency', each);
        return answersTo(engine, 'collective', change(hops, 'chip', 'scaleOutLatency', each));
      });
      compare(both, ['collectiveLatencyTime', 'latencyBytes'], closeTo(2));
      compare(both, ['collectiveBandwidthTime', 'bytesSent', 'collectiveSteps'], times(1));
      compare(both, ['collectiveTime'], noLess);
    });
  });
});
