// Launch commands and settings as they are published, each with what it asks.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createEngine, type Description } from '../../web/src/engine/index.ts';
import { readLaunch, type Launch } from '../../web/src/launch/read.ts';
import '../all-presets.ts';

let description: Description;
beforeAll(async () => {
  const engine = await createEngine();
  await Promise.all([engine.planner(), engine.serving()]);
  description = engine.describe();
});

async function read(text: string): Promise<Launch> {
  const launch = await readLaunch(description, text, {});
  if (!launch || !('fields' in launch)) throw new Error(JSON.stringify(launch));
  if (process.env['SHOW']) console.log(launch);
  return launch;
}

const folder = path.resolve(import.meta.dirname, '../golden/launches');
const file = (name: string): string => readFileSync(path.join(folder, name), 'utf8');

type Case = [
  name: string,
  text: string | (() => string),
  software: string,
  model: string | undefined,
  fields: Record<string, unknown>,
  more?: { unplaced?: string[]; unknown?: string[]; chip?: string; troubles?: string[] },
];

const cases: Case[] = [
  [
    'Megatron-LM, examples/llama',
    () => file('megatron-train_llama3_8b_h100_fp8.sh'),
    'megatron',
    undefined,
    {
      'run.chips': 8,
      'run.sequenceLength': 8192,
      'run.batchTokens': 128 * 8192,
      'run.tokens': 1953125000 * 8192,
      'layout.tensor': 1,
      'layout.microBatch': 1,
      'layout.sharding': 'optimizer',
      'layout.fp8Matmuls': true,
      'stack.dataOverlap': true,
      'stack.reduceFormat': 'bf16',
      'layout.dropout': false,
    },
  ],
  [
    'Megatron-LM, examples/mixtral',
    () => file('megatron-train_mixtral_8x7b_distributed.sh'),
    'megatron',
    'mixtral-8x7b',
    {
      'run.chips': 8,
      'layout.tensor': 1,
      'layout.pipeline': 4,
      'layout.expert': 8,
      'layout.expertTensor': 1,
      'run.batchTokens': 256 * 4096,
      'run.tokens': 500000 * 256 * 4096,
      'layout.sharding': 'optimizer',
    },
  ],
  [
    'Megatron-LM, examples/gpt3',
    () => file('megatron-train_gpt3_175b_distributed.sh'),
    'megatron',
    'gpt-3-175b',
    {
      'layout.tensor': 8,
      'layout.pipeline': 16,
      'layout.sequenceParallel': false,
      'layout.sharding': 'none',
      'run.computeFormat': 'fp16',
      'layout.dropout': true,
    },
    { unplaced: ['step-batch-size-schedule'] },
  ],
  [
    'Megatron-LM, examples/megatron_fsdp: the command in a variable',
    () => file('megatron-sbatch_mfsdp_deepseek_v3.sh'),
    'megatron',
    'deepseek-v3',
    {
      'layout.expert': 8,
      'layout.expertTensor': 1,
      'layout.microBatch': 4,
      'run.batchTokens': 2048 * 4096,
      'layout.sharding': 'parameters',
      'layout.recompute': 'selective',
      'stack.selective': 'experts',
    },
    { unplaced: ['moe-router-group-topk', 'moe-router-num-groups'] },
  ],
  [
    'Megatron-Bridge, settings as key=value',
    'torchrun --nproc-per-node=8 --nnodes=4 scripts/training/run_recipe.py --recipe llama3_70b model.tensor_model_parallel_size=4 model.pipeline_model_parallel_size=4 model.virtual_pipeline_model_parallel_size=5 model.context_parallel_size=2 model.sequence_parallel=true train.global_batch_size=128 train.micro_batch_size=1 model.seq_length=8192 mixed_precision=bf16_with_fp8_current_scaling_mixed ddp.use_distributed_optimizer=true',
    'megatron',
    undefined,
    {
      'run.chips': 32,
      'layout.tensor': 4,
      'layout.pipeline': 4,
      'layout.context': 2,
      'layout.virtualStages': 5,
      'layout.schedule': 'interleaved',
      'layout.sequenceParallel': true,
      'layout.fp8Matmuls': true,
      'run.batchTokens': 128 * 8192,
    },
  ],
  [
    'NeMo, YAML',
    `
trainer:
  num_nodes: 16
  devices: 8
  precision: bf16
  max_steps: 300000
model:
  micro_batch_size: 1
  global_batch_size: 2048
  tensor_model_parallel_size: 8
  pipeline_model_parallel_size: 8
  virtual_pipeline_model_parallel_size: null
  encoder_seq_length: 2048
  max_position_embeddings: 2048
  num_layers: 96
  hidden_size: 12288
  ffn_hidden_size: 49152
  num_attention_heads: 96
  sequence_parallel: true
  activations_checkpoint_granularity: selective
  optim:
    name: distributed_fused_adam
`,
    'megatron',
    'gpt-3-175b',
    {
      'run.chips': 128,
      'layout.tensor': 8,
      'layout.pipeline': 8,
      'layout.virtualStages': 1,
      'layout.recompute': 'selective',
      'run.batchTokens': 2048 * 2048,
      'run.tokens': 300000 * 2048 * 2048,
    },
  ],
  [
    'Megatron-LM, the default of experts by tensor',
    'torchrun --nproc_per_node 8 --nnodes 2 pretrain_gpt.py --num-layers 32 --hidden-size 4096 --num-attention-heads 32 --group-query-attention --num-query-groups 8 --ffn-hidden-size 14336 --swiglu --num-experts 8 --moe-router-topk 2 --seq-length 4096 --micro-batch-size 1 --global-batch-size 64 --tensor-model-parallel-size 4 --expert-model-parallel-size 2 --bf16',
    'megatron',
    'mixtral-8x7b',
    { 'run.chips': 16, 'layout.expertTensor': 4, 'layout.expert': 2, 'layout.tensor': 4 },
  ],
  [
    'torchtitan, TOML of 2024',
    `
[job]
dump_folder = "./outputs"
[model]
name = "llama3"
flavor = "405B"
[training]
local_batch_size = 2
seq_len = 8192
steps = 3000
[parallelism]
data_parallel_replicate_degree = 1
data_parallel_shard_degree = -1
tensor_parallel_degree = 8  # 8-way TP
pipeline_parallel_degree = 1
context_parallel_degree = 1
[activation_checkpoint]
mode = 'full'
`,
    'torchtitan',
    'llama-3.1-405b',
    {
      'layout.tensor': 8,
      'layout.sharding': 'parameters',
      'layout.recompute': 'full',
      'layout.microBatch': 2,
      'run.sequenceLength': 8192,
    },
  ],
  [
    'torchtitan, flags of 2026: micro-batches in tokens',
    'NGPU=64 MODULE=llama3 CONFIG=llama3_8b ./run_train.sh --training.num_tokens_per_microbatch_per_dp_rank 16384 --training.max_context_length 8192 --training.num_tokens_per_train_step 4194304 --parallelism.data_parallel_replicate_degree 8 --parallelism.data_parallel_shard_degree 8 --parallelism.fsdp_reshard_after_forward never activation-checkpoint:selective',
    'torchtitan',
    undefined,
    {
      'run.chips': 64,
      'layout.microBatch': 2,
      'run.batchTokens': 4194304,
      'layout.sharding': 'gradients',
      'layout.shardGroup': 8,
      'layout.recompute': 'selective',
    },
  ],
  [
    'torchtitan, a config in Python',
    `
def llama3_70b() -> Trainer.Config:
    return Trainer.Config(
        hf_assets_path="./assets/hf/Llama-3.1-70B",
        training=TrainingConfig(
            num_tokens_per_microbatch_per_dp_rank=8 * 8192,
            max_context_length=8192,
            steps=1000,
        ),
        parallelism=ParallelismConfig(
            tensor_parallel_degree=8,
        ),
        activation_checkpoint=FullAC.Config(),
    )
`,
    'torchtitan',
    'llama-3.1-70b',
    {
      'layout.tensor': 8,
      'layout.microBatch': 8,
      'run.sequenceLength': 8192,
      'layout.recompute': 'full',
    },
    { unknown: ['steps'] },
  ],
  [
    'MaxText, its guide to DeepSeek',
    `python3 -m maxtext.trainers.pre_train.train src/maxtext/configs/base.yml \\
    base_output_directory=\${BASE_OUTPUT_DIRECTORY?} \\
    run_name=deepseek_mtp_finetuning \\
    per_device_batch_size=1 \\
    model_name=deepseek3-671b \\
    steps=10000 \\
    max_target_length=2048 \\
    ici_fsdp_parallelism=128 \\
    attention=flash \\
    tokenizer_path=deepseek-ai/DeepSeek-V3 \\
    # MTP-specific flags
    mtp_num_layers=1`,
    'maxtext',
    'deepseek-v3',
    {
      'run.chips': 128,
      'layout.sharding': 'parameters',
      'layout.microBatch': 1,
      'run.sequenceLength': 2048,
      'run.batchTokens': 128 * 2048,
      'layout.recompute': 'full',
    },
  ],
  [
    'MaxText, a batch of each chip: less than a sequence, and two slices',
    'python3 -m MaxText.train_compile MaxText/configs/base.yml compile_topology=v5p-512 compile_topology_num_slices=2 model_name=llama2-70b max_target_length=4096 per_device_batch_size=0.5 ici_fsdp_parallelism=32 ici_tensor_parallelism=8 dcn_data_parallelism=2 remat_policy=minimal quantization=int8',
    'maxtext',
    'llama-2-70b',
    {
      'run.chips': 512,
      'run.slices': 2,
      'layout.tensor': 8,
      'layout.microBatch': 4,
      'run.batchTokens': 256 * 4096,
      'layout.sharding': 'parameters',
    },
    { chip: 'tpu-v5p' },
  ],
  [
    'DeepSpeed, settings with "auto"',
    `{
  "bf16": { "enabled": "auto" }, // as the Trainer has it
  "optimizer": { "type": "AdamW", "params": { "lr": "auto" } },
  "zero_optimization": {
    "stage": 3,
    "offload_optimizer": { "device": "cpu", "pin_memory": true },
    "overlap_comm": true,
  },
  "gradient_accumulation_steps": 4,
  "train_batch_size": "auto",
  "train_micro_batch_size_per_gpu": 2
}`,
    'deepspeed',
    undefined,
    { 'layout.sharding': 'parameters', 'layout.offload': 'optimizer', 'layout.microBatch': 2 },
    { troubles: ['bf16.enabled', 'train_batch_size'] },
  ],
  [
    'DeepSpeed and the Trainer',
    'deepspeed --num_nodes 2 --num_gpus 8 train.py --model_name_or_path Qwen/Qwen2.5-7B --deepspeed ds_z2.json --zero_stage 2 --per_device_train_batch_size 4 --gradient_accumulation_steps 8 --model_max_length 4096 --bf16 True --gradient_checkpointing True --learning_rate 1e-5',
    'deepspeed',
    'qwen2.5-7b',
    {
      'run.chips': 16,
      'layout.sharding': 'gradients',
      'layout.microBatch': 4,
      'run.batchTokens': 4 * 8 * 16 * 4096,
      'layout.recompute': 'full',
      'run.computeFormat': 'bf16',
    },
  ],
  [
    'vLLM, a dense model',
    'vllm serve meta-llama/Llama-3.1-70B-Instruct --tensor-parallel-size 4 --pipeline-parallel-size 2 --max-model-len 32k --gpu-memory-utilization=0.95',
    'vllm',
    'llama-3.1-70b',
    {
      'serving.tensor': 4,
      'serving.pipeline': 2,
      'serving.chips': 8,
      'server.longestSequence': 32000,
      'server.memoryShare': 0.95,
    },
  ],
  [
    'vLLM, experts over all ranks, and 8 bits by the name',
    `# single node
vllm serve Qwen/Qwen3-235B-A22B-FP8 \\
  -tp 4 -dp 2 --enable-expert-parallel \\
  --max_model_len=32K --no-enable-prefix-caching \\
  --enforce-eager --host 0.0.0.0 --port 8000`,
    'vllm',
    'qwen3-235b-a22b',
    {
      'serving.tensor': 4,
      'serving.attentionData': 2,
      'serving.expert': 8,
      'serving.chips': 8,
      'server.weights': 'fp8',
      'server.longestSequence': 32768,
      'server.twoBatches': false,
    },
    { unplaced: ['enforce-eager'] },
  ],
  [
    'vLLM, an entry point of Python, in a container',
    'docker run --runtime nvidia --gpus all -v ~/.cache/huggingface:/root/.cache/huggingface --env "HUGGING_FACE_HUB_TOKEN=<secret>" -p 8000:8000 --ipc=host vllm/vllm-openai:latest --model deepseek-ai/DeepSeek-R1-Distill-Llama-70B --tensor-parallel-size 8',
    'vllm',
    'llama-3.3-70b',
    { 'serving.tensor': 8, 'serving.chips': 8 },
  ],
  [
    'vLLM, prefill and decode apart',
    `vllm serve deepseek-ai/DeepSeek-V3 --tensor-parallel-size 8 --kv-transfer-config '{"kv_connector":"NixlConnector","kv_role":"kv_producer"}' &
vllm serve deepseek-ai/DeepSeek-V3 --tensor-parallel-size 1 --data-parallel-size 16 --enable-expert-parallel --kv-transfer-config '{"kv_connector":"NixlConnector","kv_role":"kv_consumer"}'`,
    'vllm',
    'deepseek-v3',
    {
      'serving.apart': true,
      'serving.prefillTensor': 8,
      'serving.prefillChips': 8,
      'serving.attentionData': 16,
      'serving.expert': 16,
      'serving.chips': 24,
    },
  ],
  [
    'vLLM in Kubernetes',
    `
apiVersion: apps/v1
kind: Deployment
spec:
  template:
    spec:
      containers:
      - name: vllm
        image: vllm/vllm-openai:v0.10.0
        command: ["/bin/sh", "-c"]
        args: ["vllm serve mistralai/Mixtral-8x7B-Instruct-v0.1 --tensor-parallel-size 2 --max-num-seqs 64"]
        resources:
          limits:
            nvidia.com/gpu: "2"
`,
    'vllm',
    'mixtral-8x7b',
    { 'serving.tensor': 2, 'server.mostSequences': 64 },
  ],
  [
    'SGLang: tensor ways count all chips',
    'python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 --tp 16 --dp 16 --enable-dp-attention --trust-remote-code --nnodes 2 --node-rank 0 --dist-init-addr 10.0.0.1:5000 --chunked-prefill-size 131072 --max-running-requests 2048',
    'sglang',
    'deepseek-v3',
    {
      'serving.tensor': 1,
      'serving.attentionData': 16,
      'serving.expert': 1,
      'serving.chips': 16,
      'server.tokenBudget': 8192,
      'server.mostSequences': 128,
    },
  ],
  [
    'SGLang: data ranks that are whole copies',
    'python -m sglang.launch_server --model meta-llama/Meta-Llama-3-8B-Instruct --dp 2 --tp 2 --mem-fraction-static 0.85',
    'sglang',
    'llama-3-8b',
    {
      'serving.tensor': 2,
      'serving.attentionData': 1,
      'serving.chips': 4,
      'server.memoryShare': 0.85,
    },
  ],
  [
    'SGLang: experts by the way of their AllToAll, and drafts',
    'python3 -m sglang.launch_server --model-path ${MODEL_PATH:-deepseek-ai/DeepSeek-R1} --tp 32 --dp 32 --enable-dp-attention --moe-a2a-backend deepep --speculative-algorithm EAGLE --speculative-num-steps 3 --speculative-eagle-topk 1 --speculative-num-draft-tokens 4 --disable-overlap-schedule',
    'sglang',
    'deepseek-r1',
    {
      'serving.expert': 32,
      'serving.draftTokens': 3,
      'serving.chips': 32,
      'server.host': 'between',
    },
  ],
  [
    'SGLang: halves of a batch that take turns',
    'python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 --tp 72 --dp 72 --enable-dp-attention --moe-a2a-backend deepep --enable-two-batch-overlap',
    'sglang',
    'deepseek-v3',
    {
      'serving.expert': 72,
      'serving.chips': 72,
      'server.twoBatches': true,
      'server.expertDispatch': 'kernels',
    },
  ],
  [
    'vLLM: how tokens reach their experts',
    'vllm serve deepseek-ai/DeepSeek-V3 --data-parallel-size 16 --enable-expert-parallel --all2all-backend deepep_low_latency --enable-dbo',
    'vllm',
    'deepseek-v3',
    {
      'serving.expert': 16,
      'server.twoBatches': true,
      'server.expertDispatch': 'kernels',
    },
  ],
  [
    'TensorRT-LLM, its example for DeepSeek-R1',
    `#! /usr/bin/env bash
cat >./config.yml <<EOF
cuda_graph_config:
    enable_padding: true
    max_batch_size: 512
enable_attention_dp: true
kv_cache_config:
    dtype: fp8
    free_gpu_memory_fraction: 0.8
stream_interval: 10
moe_config:
    backend: DEEPGEMM
EOF

trtllm-serve \\
    deepseek-ai/DeepSeek-R1 \\
    --host localhost --port 8000 \\
    --trust_remote_code \\
    --max_batch_size 1024 --max_num_tokens 8192 \\
    --tp_size 8 --ep_size 8 --pp_size 1 \\
    --config ./config.yml \\
    --reasoning_parser deepseek-r1`,
    'tensorrt',
    'deepseek-r1',
    {
      'serving.tensor': 1,
      'serving.attentionData': 8,
      'serving.expert': 8,
      'serving.chips': 8,
      'server.cacheFormat': 'fp8',
      'server.shareOf': 'free',
      'server.memoryShare': 0.8,
      'server.streamInterval': 10,
      'server.mostSequences': 1024,
    },
  ],
  [
    'llama.cpp, gpt-oss-120b with all experts on the host',
    `~/build/llama.cpp/build-cuda/bin/llama-server \\
    -m $LLAMA_MODEL_DIR/gpt-oss-120b-mxfp4-00001-of-00003.gguf \\
    --n-cpu-moe 36 --n-gpu-layers 999 -c 0 -fa --jinja --reasoning-format none \\
    --host 0.0.0.0 --port 8502 --api-key "dummy"`,
    'llama-cpp',
    'gpt-oss-120b',
    {
      'serving.hostExperts': 36,
      'serving.hostLayers': 0,
      'serving.tensor': 1,
      'server.weights': 'int8',
      'server.expertWeights': 'mxfp4',
    },
  ],
  [
    'llama.cpp, half of the layers of Llama 3.1 70B',
    'llama-cli -hf bartowski/Meta-Llama-3.1-70B-Instruct-GGUF:Q4_K_M -ngl 40 -c 8192 -ctk q8_0 -ctv q8_0 -ub 1024',
    'llama-cpp',
    'llama-3.1-70b',
    {
      'serving.hostLayers': 40,
      'server.weightBits': 4.8944,
      'server.cacheTokens': 8192,
      'server.cacheFormat': 'scaled8',
      'server.tokenBudget': 1024,
    },
  ],
  [
    'llama.cpp, experts of DeepSeek-R1 by a pattern',
    'llama-server -hf unsloth/DeepSeek-R1-GGUF:Q2_K -ngl 99 -ot ".ffn_.*_exps.=CPU" -ts 1,1',
    'llama-cpp',
    'deepseek-r1',
    { 'serving.hostExperts': 58, 'serving.pipeline': 2, 'server.weightBits': 3.1593 },
  ],
];

describe('published launches', () => {
  test.each(cases)('%s', async (_, text, software, model, fields, more = {}) => {
    const launch = await read(typeof text === 'string' ? text : text());
    expect(launch.software).toBe(software);
    expect(launch.fields).toMatchObject(fields);
    if (model) expect(launch.model).toMatchObject({ preset: model });
    expect(launch.troubles.map(({ key }) => key)).toEqual(more.troubles ?? []);
    if (more.chip) expect(launch.chip).toBe(more.chip);
    for (const key of more.unplaced ?? []) expect(launch.unplaced).toContain(key);
    expect(launch.unknown).toEqual(more.unknown ?? []);
  });
});
