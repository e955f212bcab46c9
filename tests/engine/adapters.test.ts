// Files of adapters: adapter_config.json of PEFT, as it is published beside weights.

import { beforeAll, describe, expect, test } from 'vitest';
import { createEngine, type Description, type Engine } from '../../web/src/engine/index.ts';
import { readLaunch, type Launch } from '../../web/src/launch/read.ts';
import { fieldsOf, stateOf } from '../../web/src/launch/state.ts';
import { softwareFor } from '../../web/src/launch/write.ts';
import { readAddress, writeAddress } from '../../web/src/link/address.ts';
import '../all-presets.ts';

let engine: Engine;
let description: Description;
beforeAll(async () => {
  engine = await createEngine();
  await engine.planner();
  description = engine.describe();
});

const start = 'view=plan&chip=rtx-4090&model=qwen3-8b&chips=1';
const read = (file: object, link = start): Promise<Launch | undefined> => {
  const { state } = readAddress(description, link);
  const text = JSON.stringify(file, null, 2);
  return readLaunch(description, text, fieldsOf(engine, state)) as Promise<Launch | undefined>;
};
const linkAfter = async (file: object, link = start): Promise<string> => {
  const { state } = readAddress(description, link);
  return writeAddress(description, stateOf(description, state, (await read(file, link))!));
};

/** What PEFT 0.17 writes for LoRA. */
const lora = {
  alpha_pattern: {},
  auto_mapping: null,
  base_model_name_or_path: 'meta-llama/Llama-3.1-8B-Instruct',
  bias: 'none',
  corda_config: null,
  eva_config: null,
  exclude_modules: null,
  fan_in_fan_out: false,
  inference_mode: true,
  init_lora_weights: true,
  layer_replication: null,
  layers_pattern: null,
  layers_to_transform: null,
  loftq_config: {},
  lora_alpha: 32,
  lora_bias: false,
  lora_dropout: 0.05,
  megatron_config: null,
  megatron_core: 'megatron.core',
  modules_to_save: null,
  peft_type: 'LORA',
  qalora_group_size: 16,
  r: 16,
  rank_pattern: {},
  revision: null,
  target_modules: ['v_proj', 'o_proj', 'k_proj', 'up_proj', 'q_proj', 'gate_proj', 'down_proj'],
  target_parameters: null,
  task_type: 'CAUSAL_LM',
  trainable_token_indices: null,
  use_dora: false,
  use_qalora: false,
  use_rslora: false,
};

describe('an adapter', () => {
  test('says what is trained, at which rank, beside which matrices, of which model', async () => {
    const launch = (await read(lora))!;
    expect(launch).toMatchObject({
      software: 'peft',
      question: 'plan',
      model: { by: 'name', preset: 'llama-3.1-8b' },
      troubles: [],
      unplaced: [],
      unknown: [],
    });
    expect(launch.fields).toEqual({
      'run.trained': 'lora',
      'run.corpus': 'examples',
      'run.loraRank': 16,
      'run.loraTargets': 'all',
    });
  });

  test('leaves the chips and the layout as they are', async () => {
    expect(await linkAfter(lora)).toBe(
      'view=plan&chip=rtx-4090&model=llama-3.1-8b&chips=1&trained=lora&corpus=examples',
    );
    const fixed = `${start}&layout.tensor=1&layout.recompute=full&trained=qlora&loraRank=64&tokens=1e9`;
    const after = new URLSearchParams(await linkAfter({ ...lora, r: 8 }, fixed));
    expect(Object.fromEntries(after)).toMatchObject({
      ...{ trained: 'qlora', loraRank: '8', tokens: '1B', 'layout.recompute': 'full' },
    });
    expect(after.get('corpus')).toBeNull();
  });

  test.each<[unknown, string]>([
    ['all-linear', 'all'],
    [['q_proj', 'v_proj'], 'queryValue'],
    [['q_proj', 'k_proj', 'v_proj'], 'qkv'],
    [['qkv_proj'], 'qkv'],
    [['query_key_value'], 'qkv'],
    [['q_proj', 'k_proj', 'v_proj', 'o_proj'], 'attention'],
    [['qkv_proj', 'o_proj'], 'attention'],
    [['Wqkv', 'out_proj'], 'attention'],
    [['gate_proj', 'up_proj', 'down_proj'], 'feedForward'],
    [['c_fc', 'c_proj'], 'feedForward'],
    [['qkv_proj', 'o_proj', 'gate_up_proj', 'down_proj'], 'all'],
    [['query_key_value', 'dense', 'dense_h_to_4h', 'dense_4h_to_h'], 'all'],
    [['c_attn', 'c_proj', 'w1', 'w2', 'w3'], 'all'],
    ['.*\\.(q_proj|v_proj)$', 'queryValue'],
    ['.*self_attn\\.(q|k|v|o)_proj', 'attention'],
    ['(?:.*?(?:language|text).*?(?:self_attn|mlp).*?(?:q|k|v|o|gate|up|down)_proj.*?)', 'all'],
    ['^(?!.*visual).*(?:q_proj|k_proj|v_proj|o_proj|gate_proj|up_proj|down_proj).*', 'all'],
    ['.*\\.mlp\\..*', 'feedForward'],
    [['model.layers.0.self_attn.q_proj', 'model.layers.0.self_attn.v_proj'], 'queryValue'],
  ])('on %j', async (target_modules, targets) => {
    const launch = (await read({ ...lora, target_modules }))!;
    expect(launch.fields['run.loraTargets']).toBe(targets);
  });

  test.each<[unknown, string]>([
    [['q_proj', 'o_proj'], 'attention'],
    [['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj'], 'all'],
    [['down_proj'], 'feedForward'],
    [['q_proj'], 'queryValue'],
    [['k_proj'], 'qkv'],
    ['model\\.layers\\.(1[6-9]|2\\d|3[01])\\..*(q_proj|v_proj)', 'queryValue'],
  ])('on %j is counted by the choice that has them, and says so', async (target_modules, of) => {
    const launch = (await read({ ...lora, target_modules }))!;
    expect(launch.fields['run.loraTargets']).toBe(of);
    expect(launch.troubles).toMatchObject([
      { code: 'more', key: 'target_modules', field: 'run.loraTargets' },
    ]);
  });

  test.each([[['lm_head']], ['(((('], [['nothing_known']], [7]])(
    'on %j can’t be used, which names the key',
    async (target_modules) => {
      const launch = (await read({ ...lora, target_modules }))!;
      expect(launch.troubles).toMatchObject([{ code: 'badValue', key: 'target_modules' }]);
    },
  );

  test.each([
    [{ r: 0 }, 'outOfRange', 'r'],
    [{ r: 100000 }, 'outOfRange', 'r'],
    [{ r: 'many' }, 'badValue', 'r'],
  ])('with %j names the key', async (wrong, code, key) => {
    const launch = (await read({ ...lora, ...wrong }))!;
    expect(launch.troubles).toMatchObject([{ code, key }]);
  });

  test('names what it has and no field is for', async () => {
    const more = {
      ...{ use_dora: true, bias: 'all', modules_to_save: ['lm_head', 'embed_tokens'] },
      ...{ layers_to_transform: [30, 31], rank_pattern: { q_proj: 64 }, use_rslora: true },
    };
    const launch = (await read({ ...lora, ...more }))!;
    expect(launch.unplaced).toEqual([
      ...['bias', 'layers_to_transform', 'modules_to_save', 'rank_pattern.q_proj', 'use_dora'],
    ]);
    expect(launch.unknown).toEqual([]);
  });

  test('of few keys has what PEFT takes', async () => {
    const launch = (await read({ r: 8, lora_alpha: 16, target_modules: ['q_proj', 'v_proj'] }))!;
    expect(launch.fields).toMatchObject({ 'run.trained': 'lora', 'run.loraRank': 8 });
    const bare = (await read({ peft_type: 'LORA', r: 4, base_model_name_or_path: 'a/b' }))!;
    expect(bare.assumptions).toMatchObject([
      { code: 'software', field: 'run.loraTargets', value: 'queryValue' },
    ]);
    expect(bare.model).toEqual({ by: 'unknown', written: 'a/b' });
  });

  test.each([
    ['unsloth/llama-3.1-8b-Instruct-bnb-4bit', 'nf4Double', 'llama-3.1-8b'],
    ['unsloth/Qwen3-8B-unsloth-bnb-4bit', 'nf4Double', 'qwen3-8b'],
    ['TheBloke/Llama-2-7B-GPTQ', 'int4', 'llama-2-7b'],
  ])('of %s is QLoRA', async (base_model_name_or_path, format, preset) => {
    const launch = (await read({ ...lora, base_model_name_or_path }))!;
    expect(launch.fields).toMatchObject({ 'run.trained': 'qlora', 'run.baseFormat': format });
    expect(launch.model).toMatchObject({ by: 'name', preset });
  });

  test.each(['IA3', 'PREFIX_TUNING', 'LOHA', 'ADALORA', 7])(
    'of another kind is not read: %s',
    async (peft_type) => {
      expect(await read({ ...lora, peft_type })).toBeUndefined();
    },
  );

  test('is only read', () => {
    expect(softwareFor('plan')).not.toContain('peft');
  });

  test('of any text is read in no time', async () => {
    for (const bad of ['(a+)+$', '('.repeat(1e5), 'q_proj|'.repeat(1e5), '(?:'.repeat(1e4)]) {
      const begun = performance.now();
      await read({ ...lora, target_modules: bad });
      expect(performance.now() - begun).toBeLessThan(1000);
    }
  });
});
