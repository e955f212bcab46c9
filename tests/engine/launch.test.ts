// Launches written and read again: what comes back is what went out, but for what is named as lost.

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { createEngine, type Description, type Engine } from '../../web/src/engine/index.ts';
import { readLaunch, type Launch } from '../../web/src/launch/read.ts';
import { readScript, Unclosed } from '../../web/src/launch/shell.ts';
import type { SoftwareId } from '../../web/src/launch/software.ts';
import { fieldsOf, givenOf, stateOf } from '../../web/src/launch/state.ts';
import { softwareFor, writeLaunch, type Written } from '../../web/src/launch/write.ts';
import { readAddress } from '../../web/src/link/address.ts';
import { evaluate } from '../../web/src/model/evaluate.ts';
import type { State } from '../../web/src/model/state.ts';
import '../all-presets.ts';

let engine: Engine;
let description: Description;
beforeAll(async () => {
  engine = await createEngine();
  await Promise.all([engine.planner(), engine.serving()]);
  description = engine.describe();
});

function stateOfLink(link: string): State {
  const { state, problems } = readAddress(description, link);
  expect(problems).toEqual([]);
  return state;
}

function written(id: SoftwareId, state: State): Promise<Written> {
  const reply = evaluate(engine, state);
  return writeLaunch(description, id, givenOf(engine, state, reply.ok ? reply.answers : {}));
}

async function read(text: string, state: State): Promise<Launch> {
  const launch = await readLaunch(description, text, fieldsOf(engine, state));
  if (!launch || !('fields' in launch)) throw new Error(JSON.stringify(launch));
  return launch;
}

const llama =
  'view=plan&chip=h100-sxm&model=llama-3.1-405b&chips=1024&tokens=1T&batch=8388608&sequence=8192';
const deepseek =
  'view=plan&chip=h100-sxm&model=deepseek-v3&chips=2048&tokens=1T&batch=8388608&sequence=4096';

/** Links with the fields that are lost in each software; none in those that are not named. */
const roundTrips: [link: string, lost: Partial<Record<SoftwareId, string[]>>][] = [
  [
    `${llama}&layout.tensor=8&layout.context=2&layout.pipeline=2&layout.virtualStages=3&layout.sharding=optimizer&layout.recompute=full`,
    {
      torchtitan: ['layout.sharding'],
      deepspeed: [
        ...['run.tokens', 'run.sequenceLength', 'layout.context'],
        ...['layout.pipeline', 'layout.virtualStages', 'layout.recompute'],
      ],
    },
  ],
  [
    `${deepseek}&layout.tensor=2&layout.context=1&layout.pipeline=1&layout.expert=32&layout.sharding=parameters&layout.recompute=full`,
    { deepspeed: ['run.tokens', 'run.sequenceLength', 'layout.recompute'] },
  ],
  [
    `${deepseek}&layout.tensor=2&layout.context=1&layout.pipeline=1&layout.expert=32&layout.sharding=optimizer&layout.recompute=selective&stack.selective=latent&layout.fp8Hidden=yes`,
    {
      torchtitan: ['layout.sharding', 'stack.selective'],
      maxtext: ['stack.selective'],
      deepspeed: ['run.tokens', 'run.sequenceLength', 'layout.recompute', 'stack.selective'],
    },
  ],
  [
    'view=plan&chip=h100-sxm&model=llama-3.1-8b&chips=64&tokens=100B&batch=1048576&sequence=8192&layout.tensor=1&layout.context=1&layout.sharding=none&layout.recompute=none&layout.microBatch=2',
    {
      maxtext: ['layout.recompute'],
      deepspeed: ['run.tokens', 'run.sequenceLength'],
    },
  ],
  [
    'view=plan&chip=h100-sxm&model=llama-3.1-70b&chips=64&tokens=100B&batch=4194304&sequence=8192&layout.tensor=4&layout.context=1&layout.sharding=parameters&layout.shardGroup=8&layout.recompute=full&layout.fp8Matmuls=yes',
    {
      torchtitan: ['layout.fp8Matmuls'],
      deepspeed: ['run.tokens', 'run.sequenceLength', 'layout.recompute', 'layout.fp8Matmuls'],
    },
  ],
  // No launch says which part of a model is frozen.
  [
    'view=plan&chip=h100-sxm&model=llama-3.1-8b&chips=64&tokens=100B&batch=1048576&sequence=8192&layout.tensor=1&layout.context=1&layout.sharding=none&layout.recompute=full&layout.microBatch=2&trained=last',
    {
      megatron: ['run.trained'],
      torchtitan: ['run.trained'],
      maxtext: ['run.trained'],
      deepspeed: ['run.tokens', 'run.sequenceLength', 'run.trained', 'layout.recompute'],
    },
  ],
  [
    'view=serving&chip=h200-sxm&model=deepseek-v3&serve.chips=16&serve.tensor=1&serve.attentionData=16&serve.expert=16&serve.draftTokens=2&server.memoryShare=0.9',
    { tensorrt: ['server.shareOf'] },
  ],
  [
    'view=serving&chip=h200-sxm&model=deepseek-v3&serve.chips=16&serve.tensor=4&serve.attentionData=4&serve.expert=8&server.shareOf=free&server.memoryShare=0.8',
    {
      vllm: ['serving.expert', 'server.shareOf', 'server.memoryShare'],
      sglang: ['server.shareOf', 'server.memoryShare'],
      tensorrt: ['serving.tensor', 'serving.attentionData'],
    },
  ],
  [
    'view=serving&chip=h100-sxm&model=llama-3.1-70b&serve.chips=8&serve.tensor=4&serve.attentionData=1&serve.expert=1&serve.pipeline=1&server.cacheFormat=fp8&server.weights=fp8',
    { tensorrt: ['serving.chips', 'server.shareOf', 'server.memoryShare'] },
  ],
  [
    'view=serving&chip=h200-sxm&model=deepseek-v3&serve.chips=24&serve.apart=yes&serve.prefillChips=8&serve.prefillTensor=8&serve.prefillData=1&serve.prefillExpert=1&serve.tensor=1&serve.attentionData=16&serve.expert=16&server.memoryShare=0.9',
    { tensorrt: ['server.shareOf'] },
  ],
];

describe('out and in again', () => {
  const cases = roundTrips.flatMap(([link, lost]) => {
    const question = link.startsWith('view=plan') ? 'plan' : 'serving';
    return softwareFor(question).map((id) => [id, link, lost[id] ?? []] as const);
  });
  test.each(cases)('%s: %s', async (id, link, lost) => {
    const state = stateOfLink(link);
    const out = await written(id, state);
    expect(out.lost.map(({ field }) => field)).toEqual(lost);
    const launch = await read(out.text, state);
    expect(launch.software).toBe(id);
    expect([launch.troubles, launch.unknown, launch.unplaced]).toEqual([[], [], []]);
    // The state that comes back says the same, and asks for the same launch.
    const back = stateOf(description, state, launch);
    const again = await written(id, back);
    if (lost.length === 0) expect(again.text).toBe(out.text);
    // The second launch says each field that was lost as the software does it.
    const third = await written(id, stateOf(description, back, await read(again.text, back)));
    expect(third.text).toBe(again.text);
    if (launch.model) expect(back.model).toBe(state.model);
  });

  test('any layout of a plan comes back from Megatron-LM as it went out', async () => {
    const some = <T>(...values: T[]) => fc.constantFrom(...values);
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          tensor: some(1, 2, 4, 8),
          context: some(1, 2, 4),
          contextKind: some('ring', 'allGather', 'ulysses'),
          pipeline: some(1, 2, 4, 8),
          virtualStages: some(1, 2, 5, 7),
          microBatch: some(1, 2, 4),
          sharding: some('none', 'optimizer', 'gradients', 'parameters'),
          recompute: some('none', 'full', 'everyN'),
          recomputeLayers: some(2, 4),
          offload: some('none', 'optimizer'),
          fp8Matmuls: fc.boolean(),
          dropout: fc.boolean(),
          sequenceParallel: fc.boolean(),
        }),
        async (layout) => {
          const words = Object.entries(layout).map(
            ([key, value]) =>
              `layout.${key}=${typeof value === 'boolean' ? (value ? 'yes' : 'no') : value}`,
          );
          const state = stateOfLink(
            `view=plan&chip=h100-sxm&model=llama-3.1-70b&chips=1024&tokens=1T&batch=33554432&sequence=8192&${words.join('&')}`,
          );
          const { lost, text } = await written('megatron', state);
          expect(lost, text).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });
});

// Megatron-LM spreads no layers that do not divide, but takes a list of them: the fastest layout of
// 126 layers was refused.
describe('layers that do not divide by stages or chunks', () => {
  test.each([
    [16, 8],
    [16, 3],
    [16, 1],
    [8, 2],
    [4, 5],
  ])('go to Megatron-LM as a list, and cost the same: PP %i, VPP %i', async (stages, chunks) => {
    const schedule = chunks > 1 ? 'interleaved' : 'oneFOneB';
    const link = `${llama}&layout.tensor=8&layout.context=1&layout.pipeline=${stages}&layout.virtualStages=${chunks}&layout.schedule=${schedule}&layout.recompute=full`;
    const state = stateOfLink(link);
    const { text, refusals, lost } = await written('megatron', state);
    expect([...refusals, ...lost]).toEqual([]);
    const [, list] = /--pipeline-model-parallel-layout '?(\S+?)'?( |\n|$)/.exec(text)!;
    const time = (at: State): unknown => {
      const reply = evaluate(engine, at);
      return reply.ok ? reply.answers['stepExpected'] : reply;
    };
    const listed = stateOfLink(`${link}&layout.stageLayers=${encodeURIComponent(list!)}`);
    expect(Number(time(listed))).toBeCloseTo(Number(time(state)), 9);
  });
});

describe('traps', () => {
  const fields = async (text: string, link = llama) =>
    (await read(text, stateOfLink(link))).fields as Record<string, unknown>;

  test('a command that does not say how many chips runs on the fewest', async () => {
    expect(
      (
        await fields(
          'python pretrain_gpt.py --tensor-model-parallel-size 4 --pipeline-model-parallel-size 2',
        )
      )['run.chips'],
    ).toBe(8);
    expect(
      (
        await fields(
          'python pretrain_gpt.py --tensor-model-parallel-size 2 --expert-model-parallel-size 8 --expert-tensor-parallel-size 1 --num-experts 8',
        )
      )['run.chips'],
    ).toBe(8);
  });

  test('--num-layers-per-virtual-pipeline-stage counts layers, not parts', async () => {
    const found = await fields(
      'torchrun --nproc-per-node 8 pretrain_gpt.py --num-layers 96 --hidden-size 12288 --num-attention-heads 96 --pipeline-model-parallel-size 8 --num-layers-per-virtual-pipeline-stage 3 --micro-batch-size 1',
    );
    expect(found).toMatchObject({ 'layout.virtualStages': 4, 'layout.schedule': 'interleaved' });
  });

  test('layouts of stages, and stages of unlike numbers of layers', async () => {
    const start =
      'torchrun --nproc-per-node 8 pretrain_gpt.py --num-layers 61 --hidden-size 7168 --num-attention-heads 128 --pipeline-model-parallel-size 8 --micro-batch-size 1';
    expect(
      await fields(`${start} --pipeline-model-parallel-layout 'Et*3|(tt|)*29,m|L'`),
    ).toMatchObject({
      'layout.stageLayers': 'Et*3|(tt|)*29,m|L',
      'layout.virtualStages': 4,
    });
    expect(
      await fields(
        `${start} --decoder-first-pipeline-num-layers 9 --decoder-last-pipeline-num-layers 4`,
      ),
    ).toMatchObject({ 'layout.stageLayers': '9,8*6,4' });
  });

  test('a later option goes before an earlier one, and names have either line', async () => {
    const found = await fields(
      'vllm serve deepseek-ai/DeepSeek-V3 --tensor-parallel-size 8 --tensor_parallel_size=4 --max_num_seqs 64',
      'view=serving',
    );
    expect(found).toMatchObject({ 'serving.tensor': 4, 'server.mostSequences': 64 });
  });

  test('1k is 1,000 and 1K is 1,024', async () => {
    for (const [written, tokens] of [
      ['32k', 32000],
      ['32K', 32768],
      ['131072', 131072],
    ] as const) {
      const found = await fields(`vllm serve x/y --max-model-len ${written}`, 'view=serving');
      expect(found['server.longestSequence']).toBe(tokens);
    }
  });

  test('the name of a model that there is not is said', async () => {
    const launch = await read('vllm serve acme/Unheard-Of-7B -tp 2', stateOfLink('view=serving'));
    expect(launch.model).toEqual({ by: 'unknown', written: 'acme/Unheard-Of-7B' });
  });

  test('a value from elsewhere is no value', async () => {
    const launch = await read(
      'torchrun --nproc_per_node 8 --nnodes $N pretrain_gpt.py --tensor-model-parallel-size ${TP} --pipeline-model-parallel-size 2',
      stateOfLink(llama),
    );
    expect(launch.troubles.map(({ code, key }) => [code, key])).toEqual([
      ['noValue', 'nnodes'],
      ['noValue', 'tensor-model-parallel-size'],
    ]);
    expect(launch.fields).toMatchObject({ 'layout.pipeline': 2, 'layout.tensor': 1 });
  });
});

describe('hostile texts', () => {
  const ask = (text: string) => readLaunch(description, text, {});

  test('name the line of what has no end', async () => {
    expect(await ask("vllm serve a/b \\\n --x 'y")).toEqual({ code: 'unclosed', line: 2 });
    expect(await ask('cat > x <<EOF\nvllm serve a/b')).toMatchObject({ code: 'unclosed' });
    expect(await ask('ARGS=( --tensor-model-parallel-size 8')).toMatchObject({ code: 'unclosed' });
    expect(() => readScript('"')).toThrow(Unclosed);
  });

  test('are refused where they are too large, or would become so', async () => {
    expect(await ask('x'.repeat(9e6))).toMatchObject({ code: 'tooLarge' });
    const doubling = Array.from({ length: 60 }, (_, at) => `A${at + 1}="$A${at}$A${at}"`);
    expect(await ask(`A0=--x\n${doubling.join('\n')}\nvllm serve $A60`)).toMatchObject({
      code: 'tooLarge',
    });
  });

  test('take no time for their length', async () => {
    const start = performance.now();
    await ask(`vllm serve a/b ${'--x 1 '.repeat(100_000)}`);
    await ask('('.repeat(200_000));
    await ask(`a: ${'['.repeat(5000)}`);
    await ask(`x: &a [${'*a,'.repeat(10_000)}]`);
    expect(performance.now() - start).toBeLessThan(15_000);
  });

  test('leave objects as they are', async () => {
    for (const text of [
      'vllm serve a/b --__proto__.polluted 1 --constructor 2 --tensor-parallel-size 2',
      '{"__proto__": {"polluted": 1}, "zero_optimization": {"stage": 2}, "train_batch_size": 8}',
      '__proto__:\n  polluted: 1\ntensor_model_parallel_size: 2\npipeline_model_parallel_size: 2',
      '[__proto__]\npolluted = 1\n[parallelism]\ntensor_parallel_degree = 2\n[training]\nseq_len = 4096',
      'deepspeed x.py --deepspeed <(echo) --zero_stage 2 toString=1',
    ]) {
      await ask(text);
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    }
  });

  test('are no launch where they are none', async () => {
    for (const text of [
      'hello world',
      '',
      '{}',
      '[]',
      'a: 1',
      'ls -la',
      'x = 1',
      '<html></html>',
    ]) {
      expect(await ask(text), text).toBeUndefined();
    }
  });

  test('say numbers out of range', async () => {
    const launch = await ask(
      'vllm serve a/b --tensor-parallel-size 99999999999 --max-num-seqs 0.5',
    );
    expect(launch).toMatchObject({
      troubles: [
        { code: 'outOfRange', field: 'serving.tensor' },
        { code: 'outOfRange', field: 'server.mostSequences' },
      ],
    });
  });

  test('whatever they are, end in an answer', async () => {
    const word = fc.oneof(
      fc.constantFrom(
        ...[
          'vllm',
          'serve',
          'torchrun',
          'pretrain_gpt.py',
          '--tp',
          '-tp',
          '=',
          '$X',
          '${Y:-8}',
          '(',
          ')',
        ],
        ...[
          '<<EOF',
          'EOF',
          '\\\n',
          '"',
          "'",
          '#',
          ';',
          '|',
          '--tensor-model-parallel-size',
          '8',
          '-1',
        ],
        ...[
          'model:',
          '[a]',
          'tensor_parallel_size: 2',
          '{',
          '}',
          '--deepspeed',
          'sglang.launch_server',
        ],
      ),
      fc.string({ maxLength: 6 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 20 }), async (words) => {
        await ask(words.join(' '));
      }),
      { numRuns: 300 },
    );
  });
});
