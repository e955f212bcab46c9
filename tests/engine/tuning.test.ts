// The batch of a fine-tuning, wherever it is asked, and what leads on to one.

import { beforeAll, describe, expect, test } from 'vitest';
import '../../web/src/cli/surroundings.ts';
import { Asking } from '../../web/src/asking/asking.ts';
import { schemaOf } from '../../web/src/engine/schema.ts';
import { linkOf } from '../../web/src/link/questions.ts';
import { readAddress, writeAddress } from '../../web/src/link/address.ts';
import { inputOf, withField, type State } from '../../web/src/model/state.ts';
import { suggestedFixes } from '../../web/src/ui/parts/question/suggested-fixes.ts';
import { turned } from '../../web/src/ui/features/target/turns.ts';
import { questionText } from '../../web/src/ui/parts/question/question.ts';
import { answersTo, chip, model } from './inputs.ts';
import '../all-presets.ts';

const small = 65536;
const large = 4194304;
const card = 'chip=rtx-4090&model=qwen3-8b&chips=1';

let asking: Asking;
beforeAll(async () => {
  asking = await Asking.start('en');
});
const description = () => asking.engine.describe();
const stateOf = (link: string): State => {
  const { state, problems } = readAddress(description(), link);
  expect(problems).toEqual([]);
  return state;
};
const batchOf = (state: State): unknown => inputOf(description(), state, 'run')['batchTokens'];

describe('the batch that nobody gives', () => {
  test.each([[Object.create(null)], [[Object.create(null)]], [Symbol('lora')], [['lora']]])(
    'is not looked for beside what is no choice: %o',
    (trained) => {
      const outcome = asking.engine.estimate({
        chip: chip('h100-sxm'),
        model: model('llama-3-8b'),
        run: { trained: trained as never },
      });
      expect(outcome).toMatchObject({ ok: false, issues: [{ field: 'run.trained' }] });
    },
  );

  test.each([
    [{}, large],
    [{ trained: 'all', corpus: 'tokens' }, large],
    [{ trained: 'last' }, small],
    [{ trained: 'lora' }, small],
    [{ trained: 'qlora' }, small],
    [{ corpus: 'examples' }, small],
  ])('of an input with %j', (run, batchTokens) => {
    const ask = (more: object): unknown =>
      answersTo(asking.engine, 'training', {
        chip: chip('h100-sxm'),
        model: model('llama-3-8b'),
        run: { chips: 8, ...run, ...more },
      });
    expect(ask({})).toEqual(ask({ batchTokens }));
    expect(ask({})).not.toEqual(ask({ batchTokens: 2 * batchTokens }));
  });

  test.each([
    [`view=plan&${card}`, large],
    [`view=plan&${card}&trained=qlora`, small],
    [`view=plan&${card}&corpus=examples`, small],
    [`view=training&${card}&trained=lora`, small],
    [`view=training&${card}`, 4e6],
    [`view=plan&${card}&trained=qlora&batch=4194304`, large],
    [`view=plan&${card}&batch=4194304&trained=qlora`, large],
    [`view=training&${card}&batch=8192&corpus=examples`, 8192],
  ])('of the link %s', (link, batch) => {
    const state = stateOf(link);
    expect(batchOf(state)).toBe(batch);
    expect(stateOf(writeAddress(description(), state))).toEqual(state);
  });

  test('of fields that programs give', () => {
    const asked = (pairs: [string, string][]): unknown =>
      batchOf(stateOf(linkOf(description(), 'training', [['chip', 'rtx-4090'], ...pairs])));
    expect(asked([])).toBe(large);
    expect(asked([['trained', 'qlora']])).toBe(small);
    expect(asked([['corpus', 'examples']])).toBe(small);
    expect(
      asked([
        ['batch', '128'],
        ['trained', 'lora'],
      ]),
    ).toBe(128);
  });

  test('changes with what is trained, but for a target', () => {
    const state = stateOf(`view=plan&${card}`);
    const tuned = withField(description(), state, 'run.trained', 'lora');
    expect(batchOf(tuned)).toBe(small);
    expect(withField(description(), tuned, 'run.trained', 'all')).toEqual(state);
    const turn = { field: 'run.trained', value: 'lora', effect: 'meets', reached: 0 } as const;
    const alone = turned(asking.engine, state, turn);
    expect(batchOf(alone)).toBe(large);
    const own = withField(description(), state, 'run.batchTokens', small);
    expect(withField(description(), own, 'run.trained', 'lora').edits.run).toEqual({
      chips: 1,
      trained: 'lora',
    });
  });

  test('is told with its condition', () => {
    const [, run] = Object.entries(schemaOf(asking.describe(), 'plan').properties as object).find(
      ([group]) => group === 'run',
    )!;
    const { batchTokens } = (run as { properties: Record<string, { description: string }> })
      .properties;
    expect(batchTokens!.description).toContain(
      'Default 65536 while trained is last or lora or qlora',
    );
  });
});

test.each([
  ['', 'in batches of 65,536 tokens (64 examples) and'],
  ['&packing=no', 'in batches of 65,536 tokens (16 examples) and'],
  ['&exampleTokens=65536&sequence=65536', 'in batches of 65,536 tokens (1 example) and'],
  ['&exampleTokens=700', 'in batches of 65,536 tokens (94 examples) and'],
])('the sentence tells the examples of a batch: %s', async (more, says) => {
  const { ctx } = await asking.answer(`view=plan&${card}&trained=qlora&corpus=examples${more}`);
  expect(questionText(ctx)).toContain(says);
});

test('the sentence of tokens has no examples', async () => {
  const { ctx } = await asking.answer(`view=plan&${card}&trained=qlora`);
  expect(questionText(ctx)).toContain('in batches of 65,536 tokens and');
});

describe('a training that does not fit', () => {
  test.each([
    [card, ['QLoRA']],
    ['chip=h100-sxm&model=qwen3-8b&chips=1', ['LoRA', 'QLoRA']],
  ])('leads on to adapters that fit, with their time: %s', async (where, ways) => {
    const { ctx, reply } = await asking.answer(`view=plan&${where}`);
    const fixes = suggestedFixes(ctx, reply);
    const hours = '10,000 examples in at most [\\d.]+ (hours|min)$';
    const spaced = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ');
    expect(fixes.map(({ says }) => spaced(says))).toEqual(
      ways.map((way) => expect.stringMatching(new RegExp(`^Fine-tune it by ${way}: ${hours}`))),
    );
    for (const { says, state } of fixes) {
      const tuned = await asking.answer(writeAddress(ctx.description, state));
      if (!tuned.reply.ok) throw new Error(says);
      const { fits, wallTime } = tuned.reply.answers;
      expect(fits).toBe('yes');
      const [, most, unit] = /at most ([\d.]+) (\w+)/.exec(spaced(says))!;
      const seconds = unit === 'hours' ? 3600 : 60;
      expect(Number(wallTime)).toBeLessThan(1.005 * Number(most) * seconds);
      expect(Number(wallTime)).toBeGreaterThan(0.2 * Number(most) * seconds);
    }
  });

  test.each([
    'view=plan&chip=h100-sxm&model=qwen3-8b&chips=8',
    `view=plan&${card}&trained=lora&corpus=examples`,
  ])('other ones lead nowhere: %s', async (link) => {
    const { ctx, reply } = await asking.answer(link);
    expect(suggestedFixes(ctx, reply)).toEqual([]);
  });
});

describe('a training of the last layers', () => {
  const link = 'view=plan&chip=h100-sxm&model=qwen3-8b&chips=8&trained=last';
  const spaced = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ');
  const numbersOf = async (address: string): Promise<Record<string, number>> => {
    const { reply } = await asking.answer(address);
    if (!reply.ok) throw new Error(JSON.stringify(reply.issues));
    return reply.answers as Record<string, number>;
  };

  test.each([
    ['en', '&corpus=examples', 'Fine-tune the last 4 layers of Qwen3 8B on 8 × H100'],
    ['en', '&trainedLayers=1', 'Fine-tune the last 1 layer of Qwen3 8B on'],
    ['en', '&trainHead=yes', 'Fine-tune the last 4 layers and the head of Qwen3 8B on'],
    ['zh', '', '微调 Qwen3 8B 的最后 4 层：'],
    ['zh', '&trainHead=yes', '微调 Qwen3 8B 的最后 4 层和输出头：'],
  ] as const)('is a sentence in %s: %s', async (language, more, says) => {
    const { ctx } = await (await Asking.start(language)).answer(link + more);
    expect(spaced(questionText(ctx))).toContain(says);
  });

  test.each([
    ['en', 'Last layers that are trained: the model has only 36 layers.'],
    ['zh', '训练最后几层：模型只有 36 层。'],
  ] as const)('of more than the model has is told its range in %s', async (language, says) => {
    const { ctx, reply } = await (await Asking.start(language)).answer(`${link}&trainedLayers=37`);
    expect(reply.ok).toBe(false);
    if (reply.ok) return;
    expect(reply.issues.map((issue) => spaced(ctx.issueMessage(issue)))).toEqual([says]);
  });

  test.each(['0', '1.5', '1e9'])('of %s layers names the field', async (layers) => {
    const { reply } = await asking.answer(`${link}&trainedLayers=${layers}`);
    expect(reply).toMatchObject({ ok: false, issues: [{ field: 'run.trainedLayers' }] });
  });

  test('holds, takes and costs less than a whole training, and more with each layer', async () => {
    const fixed = `${link}&batch=65536&layout.tensor=1&layout.sharding=parameters`;
    const whole = await numbersOf(fixed.replace('last', 'all'));
    const some = await numbersOf(fixed);
    const more = await numbersOf(`${fixed}&trainedLayers=12`);
    for (const key of ['memoryOptimizer', 'memoryGradients', 'memoryActivations', 'timeBackward']) {
      expect(some[key]).toBeLessThan(more[key]!);
      expect(more[key]).toBeLessThan(whole[key]!);
    }
    expect(some['timeForward']).toBeCloseTo(more['timeForward']!, 12);
    // 4 of 36 layers, by the model's own counts.
    expect(some['trainedParameters']).toBeCloseTo(4 * 192946432, -3);
  });

  test('names the stage that sets the pace', async () => {
    const staged = `${link}&layout.tensor=1&layout.context=1&layout.pipeline=4&layout.schedule=oneFOneB`;
    expect((await numbersOf(staged))['slowestStage']).toBe(4);
    const { slowestStage } = await numbersOf(link);
    expect(slowestStage).toEqual({ absent: 'notApplicable' });
  });
});
