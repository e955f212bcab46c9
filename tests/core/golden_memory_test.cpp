// SPDX-License-Identifier: MIT
//
// Memory of a training on a chip: activations by Korthikanti et al., states by ZeRO, and how the
// repositories of LLM engineering estimate both.

#include "golden_plan.hpp"

namespace scaling::test::golden_memory_test {
namespace {

// --- activations ---

constexpr bool kSequences = true;

/// A GPT layer as Korthikanti et al. have it: dropout, and a kernel that writes the scores.
Raw<Layout> gpt_layout(const Given& in, bool sequence_parallel, Recompute recompute) {
  return layout_of(in, {{"sequenceParallel", sequence_parallel},
                        {"recompute", recompute},
                        {"attentionKernel", AttentionKernel::kNaive},
                        {"dropout", true}});
}

Raw<Model> ungated(const Given& in) { return with(model_of(in), {{"gatedFeedForward", false}}); }

double gpt_activations(const Given& in, bool sequence_parallel, Recompute recompute) {
  return number<term::kMemoryActivations>(
      plan(in, ungated(in), gpt_layout(in, sequence_parallel, recompute)));
}

double all_activations(const Given& in) {
  return gpt_activations(in, !kSequences, Recompute::kNone);
}
double sequence_parallel_activations(const Given& in) {
  return gpt_activations(in, kSequences, Recompute::kNone);
}
double selective_activations(const Given& in) {
  return gpt_activations(in, !kSequences, Recompute::kSelective);
}
double sequence_parallel_selective_activations(const Given& in) {
  return gpt_activations(in, kSequences, Recompute::kSelective);
}
double full_activations(const Given& in) {
  return gpt_activations(in, !kSequences, Recompute::kFull);
}

template <Runner kActivations>
double share_of_all(const Given& in) {
  return kActivations(in) / all_activations(in);
}

/// Outputs of a layer, which are the next one's inputs, of all micro-batches in flight.
double outputs_in_flight(const Given& in) {
  const auto layout = typed(layout_of(in));
  const auto run = typed(plan_run_of(in));
  const auto outputs = layer_activations(typed(model_of(in)), run, layout, false).input;
  return (in_flight(layout, count_micro_batches(run, layout), Count<double>(0)) * outputs).value();
}

double interleaved_over_plain(const Given& in) {
  const auto activations = [&](const Settings& schedule) {
    const auto model = with(model_of(in), {{"layers", in("pipeline") * in("virtualStages")}});
    return number<term::kMemoryActivations>(plan(in, model, layout_of(in, schedule)));
  };
  return activations({}) / activations({{"schedule", kSchedule<OneFOneB>}});
}

/// A GPT of the model's width and feed-forward width, as Megatron-LM takes any model to be.
Raw<Model> as_gpt(const Given& in) {
  const auto model = model_of(in);
  const auto value = [&](const char* key) { return model.values[index_of<Model>(key)]; };
  return with(model, {{"gatedFeedForward", false},
                      {"experts", 0},
                      {"kvHeads", value("heads")},
                      {"headDim", value("hidden") / value("heads")}});
}

/// Activations, and on a single stage the memory of the LM head, at `logit_bytes` a logit.
double megatron_activations(const Given& in, bool sequence_parallel, double logit_bytes) {
  const auto answers =
      plan(in, as_gpt(in), gpt_layout(in, sequence_parallel, Recompute::kSelective),
           {{"logitBytes", logit_bytes}});
  const double activations = number<term::kMemoryActivations>(answers);
  if (ways_of(in, "pipeline") > 1) return activations;
  return activations + number<term::kMemoryLogits>(answers);
}

double megatron_sequence_parallel_activations(const Given& in) {
  return megatron_activations(in, kSequences, 4);
}

double megatron_plain_activations(const Given& in) {
  return in("margin") * megatron_activations(in, !kSequences, 2);
}

double bridge_activations(const Given& in) {
  return number<term::kMemoryActivations>(
      plan(in, ungated(in), gpt_layout(in, kSequences, Recompute::kSelective)));
}

/// One layer, FlashAttention.
double modern_layer_activations(const Given& in, Recompute recompute) {
  const auto model = with(model_of(in), {{"layers", 1}});
  return number<term::kMemoryActivations>(
      plan(in, model, layout_of(in, {{"recompute", recompute}})));
}
double modern_layer(const Given& in) { return modern_layer_activations(in, Recompute::kNone); }
double modern_layer_input(const Given& in) {
  return modern_layer_activations(in, Recompute::kFull);
}

double layer_inputs(const Given& in) {
  return number<term::kMemoryActivations>(
      plan(in, model_of(in), layout_of(in, {{"recompute", Recompute::kFull}})));
}

// --- states ---

template <class Answers>
double states(const Answers& answers) {
  return number<term::kMemoryParameters>(answers) + number<term::kMemoryGradients>(answers) +
         number<term::kMemoryOptimizer>(answers);
}

const Settings kNoBiases{{"qkvBias", false},
                         {"attentionOutputBias", false},
                         {"feedForwardBias", false},
                         {"learnedPositions", 0}};

/// Adam with fp32 gradients, as Megatron-LM has it; its states divided among data ranks.
double megatron_states(const Given& in) {
  return states(plan(in, with(model_of(in), kNoBiases),
                     layout_of(in, {{"sharding", StateSharding::kOptimizer}})));
}

/// A stage between the first and the last.
double middle_stage_states(const Given& in) {
  const auto model = typed(with(model_of(in), {{"gatedFeedForward", false}, {"normsPerLayer", 0}}));
  const auto layout = typed(layout_of(in));
  const auto stage = make_stage(model, layout, Count<double>(1), 1);
  const ShardWays<double> alone{Count<double>(1), Count<double>(1)};
  return state_memory(model, typed(run_of(in)), layout, Stack<double>{}, stage, alone)
      .total()
      .value();
}

/// Experts twice as wide hold their states once more; on the stage with most of them, if little
/// else is there.
double expert_states(const Given& in) {
  const auto model =
      with(model_of(in),
           {{"sharedExperts", 0}, {"mtpModules", 0}, {"feedForward", 1}, {"vocabulary", 1}});
  const auto layout = layout_of(in, {{"sharding", StateSharding::kOptimizer}});
  const double width = model.values[index_of<Model>("expertFeedForward")];
  const auto states_with = [&](double expert_width) {
    return states(plan(in, with(model, {{"expertFeedForward", expert_width}}), layout));
  };
  return states_with(2 * width) - states_with(width);
}

Copy copy_of(double bytes) {
  if (bytes == 0) return Copy::kNone;
  return bytes == 2 ? Copy::kBf16 : Copy::kFp32;
}

GradientCopies gradients_of(double bytes) {
  if (bytes == 0) return GradientCopies::kNone;
  return bytes == 2 ? GradientCopies::kBf16 : GradientCopies::kFp32;
}

Optimizer adam_of(double moment_bytes) {
  return moment_bytes == 4 ? Optimizer::kAdamBf16 : Optimizer::kAdam;
}

/// The planner has gradients once; where they are there in two formats, training is asked.
double bytes_per_parameter(const Given& in) {
  const double gradient = in("gradientBytes");
  const double optimizer = in("masterBytes") + in("momentBytes");
  const auto weights = format_of(in("weightBytes"));
  const double bytes = number<term::kBytesPerParameter>(
      training(chip_of(in), model_of(in),
               with(run_of(in), {{"weightFormat", weights}, {"optimizerBytes", optimizer}})));
  if (gradient > 4) return bytes;
  const auto layout = typed(layout_of(in, {{"masterFormat", copy_of(in("masterBytes"))},
                                           {"gradientFormat", gradients_of(gradient)},
                                           {"optimizer", adam_of(in("momentBytes"))}}));
  const auto model = typed(model_of(in));
  Stage<double> stage{};
  stage.matrices = Quantity<kParam, double>(1e9);
  const ShardWays<double> alone{Count<double>(1), Count<double>(1)};
  const auto run = typed(with(run_of(in), {{"weightFormat", weights}}));
  const double planned =
      state_memory(model, run, layout, Stack<double>{}, stage, alone).total().value() / 1e9;
  CHECK(planned == bytes);
  return planned;
}

/// States of so many parameters on a chip.
StateMemory<double> zero_states(const Given& in, const Settings& settings) {
  const auto layout = typed(with(layout_of(in, settings), {{"sharding", in("stage")}}));
  Stage<double> stage{};
  stage.matrices = Quantity<kParam, double>(in("parameters"));
  const Count<double> chips(in("chips"));
  return state_memory(typed(model_of(in)), typed(run_of(in)), layout, Stack<double>{}, stage,
                      {chips, chips});
}

/// The paper has gradients in 16 bits.
double zero_memory(const Given& in) {
  const double planned =
      zero_states(in, {{"gradientFormat", GradientCopies::kBf16}}).total().value();
  const auto run = with(run_of(in), {{"gradientBytes", 2},
                                     {"optimizerBytes", 12},
                                     {"stateSharding", in("stage")},
                                     {"checkpointsPerLayer", 0}});
  CHECK_THAT(number<term::kMemoryPerChip>(training(chip_of(in), model_of(in), run)),
             WithinRel(planned, kPrecise));
  return planned;
}

/// Gradients leave for the host with the optimizer, as they come.
Settings offloaded(const Given& in) {
  if (!in.has("offload")) return {{"gradientFormat", GradientCopies::kFp32}};
  return {{"offload", in("offload")}, {"gradientFormat", GradientCopies::kNone}};
}

/// Beside the states, a layer's weights and their gradients in 16 bits.
double deepspeed_3_memory(const Given& in) {
  return zero_states(in, offloaded(in)).total().value() + 4 * in("gatheredParameters");
}

/// It keeps gradients in both formats, which training can say; with the optimizer on the host, only
/// the weights stay.
double deepspeed_2_memory(const Given& in) {
  if (in.has("offload")) return zero_states(in, offloaded(in)).total().value();
  const auto run = with(run_of(in), {{"gradientBytes", 6},
                                     {"optimizerBytes", 12},
                                     {"stateSharding", in("stage")},
                                     {"checkpointsPerLayer", 0}});
  return number<term::kMemoryPerChip>(training(chip_of(in), model_of(in), run));
}

// --- both ---

/// Tensor and data ranks, attention computed again.
auto cookbook(const Given& in) {
  auto layout = gpt_layout(in, kSequences, Recompute::kSelective);
  return plan(in, model_of(in), with(layout, {{"sharding", StateSharding::kOptimizer}}));
}

double cookbook_activations(const Given& in) {
  return number<term::kMemoryActivations>(cookbook(in));
}
double cookbook_weights(const Given& in) { return number<term::kMemoryParameters>(cookbook(in)); }
double cookbook_gradients(const Given& in) { return number<term::kMemoryGradients>(cookbook(in)); }
double cookbook_optimizer(const Given& in) { return number<term::kMemoryOptimizer>(cookbook(in)); }
double cookbook_total(const Given& in) { return states(cookbook(in)) + cookbook_activations(in); }

ENGINEERING_GOLDEN("korthikanti-layer-none-22b", all_activations)
ENGINEERING_GOLDEN("korthikanti-layer-tensor-22b", all_activations)
ENGINEERING_GOLDEN("korthikanti-layer-sequence-22b", sequence_parallel_activations)
ENGINEERING_GOLDEN("korthikanti-layer-selective-22b", selective_activations)
ENGINEERING_GOLDEN("korthikanti-layer-both-22b", sequence_parallel_selective_activations)
ENGINEERING_GOLDEN("korthikanti-layer-full-22b", full_activations)
ENGINEERING_GOLDEN("korthikanti-layer-none-175b", all_activations)
ENGINEERING_GOLDEN("korthikanti-layer-tensor-175b", all_activations)
ENGINEERING_GOLDEN("korthikanti-layer-sequence-175b", sequence_parallel_activations)
ENGINEERING_GOLDEN("korthikanti-layer-selective-175b", selective_activations)
ENGINEERING_GOLDEN("korthikanti-layer-full-175b", full_activations)
ENGINEERING_GOLDEN("korthikanti-layer-sequence-530b", sequence_parallel_activations)
ENGINEERING_GOLDEN("korthikanti-layer-both-530b", sequence_parallel_selective_activations)
ENGINEERING_GOLDEN("korthikanti-layer-sequence-1t", sequence_parallel_activations)
ENGINEERING_GOLDEN("korthikanti-layer-both-1t", sequence_parallel_selective_activations)
ENGINEERING_GOLDEN("korthikanti-activations-both-22b", sequence_parallel_selective_activations)
ENGINEERING_GOLDEN("korthikanti-activations-tensor-175b", all_activations)
ENGINEERING_GOLDEN("korthikanti-activations-tensor-530b", all_activations)
ENGINEERING_GOLDEN("korthikanti-activations-both-530b", sequence_parallel_selective_activations)
ENGINEERING_GOLDEN("korthikanti-activations-both-1t", sequence_parallel_selective_activations)
ENGINEERING_GOLDEN("korthikanti-states-175b", middle_stage_states)
ENGINEERING_GOLDEN("korthikanti-states-530b", middle_stage_states)
ENGINEERING_GOLDEN("korthikanti-states-1t", middle_stage_states)
ENGINEERING_GOLDEN("korthikanti-share-sequence-22b", share_of_all<sequence_parallel_activations>)
ENGINEERING_GOLDEN("korthikanti-share-selective-22b", share_of_all<selective_activations>)
ENGINEERING_GOLDEN("korthikanti-share-both-22b",
                   share_of_all<sequence_parallel_selective_activations>)
ENGINEERING_GOLDEN("korthikanti-share-full-22b", share_of_all<full_activations>)
ENGINEERING_GOLDEN("korthikanti-share-selective-175b", share_of_all<selective_activations>)
ENGINEERING_GOLDEN("korthikanti-share-sequence-530b", share_of_all<sequence_parallel_activations>)
ENGINEERING_GOLDEN("korthikanti-share-selective-530b", share_of_all<selective_activations>)
ENGINEERING_GOLDEN("korthikanti-share-both-530b",
                   share_of_all<sequence_parallel_selective_activations>)
ENGINEERING_GOLDEN("korthikanti-share-full-530b", share_of_all<full_activations>)
ENGINEERING_GOLDEN("korthikanti-share-sequence-1t", share_of_all<sequence_parallel_activations>)
ENGINEERING_GOLDEN("korthikanti-share-both-1t",
                   share_of_all<sequence_parallel_selective_activations>)
ENGINEERING_GOLDEN("korthikanti-share-full-1t", share_of_all<full_activations>)
ENGINEERING_GOLDEN("korthikanti-outputs-530b", outputs_in_flight)
ENGINEERING_GOLDEN("interleaved-in-flight-8", interleaved_over_plain)
ENGINEERING_GOLDEN("interleaved-in-flight-35", interleaved_over_plain)
ENGINEERING_GOLDEN("megatron-activations-gpt-22b", megatron_sequence_parallel_activations)
ENGINEERING_GOLDEN("megatron-activations-plain-gpt-22b", megatron_plain_activations)
ENGINEERING_GOLDEN("megatron-activations-gpt-3-175b", megatron_sequence_parallel_activations)
ENGINEERING_GOLDEN("megatron-activations-megatron-530b", megatron_sequence_parallel_activations)
ENGINEERING_GOLDEN("megatron-activations-plain-gpt-3-175b", megatron_plain_activations)
ENGINEERING_GOLDEN("megatron-activations-gpt-neox-20b", megatron_sequence_parallel_activations)
ENGINEERING_GOLDEN("megatron-activations-llama-2-7b", megatron_sequence_parallel_activations)
ENGINEERING_GOLDEN("megatron-activations-plain-llama-2-7b", megatron_plain_activations)
ENGINEERING_GOLDEN("megatron-activations-llama-2-70b", megatron_sequence_parallel_activations)
ENGINEERING_GOLDEN("megatron-activations-plain-llama-2-70b", megatron_plain_activations)
ENGINEERING_GOLDEN("megatron-activations-llama-3-8b", megatron_sequence_parallel_activations)
ENGINEERING_GOLDEN("megatron-activations-llama-3.1-405b", megatron_sequence_parallel_activations)
ENGINEERING_GOLDEN("megatron-activations-plain-llama-3.1-405b", megatron_plain_activations)
ENGINEERING_GOLDEN("megatron-activations-llama-3.1-405b-interleaved",
                   megatron_sequence_parallel_activations)
ENGINEERING_GOLDEN("megatron-activations-mixtral-8x7b", megatron_sequence_parallel_activations)
ENGINEERING_GOLDEN("megatron-states-gpt-3-175b", megatron_states)
ENGINEERING_GOLDEN("megatron-states-llama-2-7b", megatron_states)
ENGINEERING_GOLDEN("megatron-states-llama-2-70b", megatron_states)
ENGINEERING_GOLDEN("megatron-states-llama-3-8b", megatron_states)
ENGINEERING_GOLDEN("megatron-states-llama-3.1-405b", megatron_states)
ENGINEERING_GOLDEN("megatron-states-mixtral-8x7b", megatron_states)
ENGINEERING_GOLDEN("bridge-states-llama-3-8b", megatron_states)
ENGINEERING_GOLDEN("bridge-activations-llama-3-70b", megatron_sequence_parallel_activations)
ENGINEERING_GOLDEN("bridge-experts-mixtral-8x7b", expert_states)
ENGINEERING_GOLDEN("bridge-experts-deepseek-v3", expert_states)
ENGINEERING_GOLDEN("bridge-activations-mixtral-8x7b", bridge_activations)
ENGINEERING_GOLDEN("cookbook-memory-activations-6.9b", cookbook_activations)
ENGINEERING_GOLDEN("cookbook-memory-weights-6.9b", cookbook_weights)
ENGINEERING_GOLDEN("cookbook-memory-gradients-6.9b", cookbook_gradients)
ENGINEERING_GOLDEN("cookbook-memory-total-6.9b", cookbook_total)
ENGINEERING_GOLDEN("cookbook-memory-activations-12b", cookbook_activations)
ENGINEERING_GOLDEN("cookbook-memory-weights-12b", cookbook_weights)
ENGINEERING_GOLDEN("cookbook-memory-gradients-12b", cookbook_gradients)
ENGINEERING_GOLDEN("cookbook-memory-total-12b", cookbook_total)
ENGINEERING_GOLDEN("cookbook-memory-activations-20b", cookbook_activations)
ENGINEERING_GOLDEN("cookbook-memory-gradients-20b", cookbook_gradients)
ENGINEERING_GOLDEN("cookbook-memory-optimizer-20b", cookbook_optimizer)
ENGINEERING_GOLDEN("cookbook-memory-total-20b", cookbook_total)
ENGINEERING_GOLDEN("llm-analysis-layer-llama-2-7b", modern_layer)
ENGINEERING_GOLDEN("llm-analysis-layer-full-llama-2-7b", modern_layer_input)
ENGINEERING_GOLDEN("mle-layer-llama-3-8b", modern_layer)
ENGINEERING_GOLDEN("mle-checkpoints-llama-3-8b", layer_inputs)
ENGINEERING_GOLDEN("sheet-activations-20", checkpoint_memory)
ENGINEERING_GOLDEN("bytes-per-parameter-16", bytes_per_parameter)
ENGINEERING_GOLDEN("bytes-per-parameter-18", bytes_per_parameter)
ENGINEERING_GOLDEN("bytes-per-parameter-20", bytes_per_parameter)
ENGINEERING_GOLDEN("bytes-per-parameter-14", bytes_per_parameter)
ENGINEERING_GOLDEN("bytes-per-parameter-8", bytes_per_parameter)
ENGINEERING_GOLDEN("bytes-per-parameter-10", bytes_per_parameter)
ENGINEERING_GOLDEN("zero-1-7.5b-4", zero_memory)
ENGINEERING_GOLDEN("zero-2-7.5b-4", zero_memory)
ENGINEERING_GOLDEN("zero-1-7.5b-16", zero_memory)
ENGINEERING_GOLDEN("zero-1-7.5b-64", zero_memory)
ENGINEERING_GOLDEN("zero-2-7.5b-64", zero_memory)
ENGINEERING_GOLDEN("zero-1-7.5b-256", zero_memory)
ENGINEERING_GOLDEN("zero-2-7.5b-256", zero_memory)
ENGINEERING_GOLDEN("zero-3-7.5b-256", zero_memory)
ENGINEERING_GOLDEN("zero-2-7.5b-1024", zero_memory)
ENGINEERING_GOLDEN("zero-0-128b-1", zero_memory)
ENGINEERING_GOLDEN("zero-1-128b-4", zero_memory)
ENGINEERING_GOLDEN("zero-2-128b-4", zero_memory)
ENGINEERING_GOLDEN("zero-3-128b-4", zero_memory)
ENGINEERING_GOLDEN("zero-1-128b-16", zero_memory)
ENGINEERING_GOLDEN("zero-1-128b-64", zero_memory)
ENGINEERING_GOLDEN("zero-2-128b-64", zero_memory)
ENGINEERING_GOLDEN("zero-2-128b-256", zero_memory)
ENGINEERING_GOLDEN("zero-3-128b-256", zero_memory)
ENGINEERING_GOLDEN("zero-1-128b-1024", zero_memory)
ENGINEERING_GOLDEN("zero-2-128b-1024", zero_memory)
ENGINEERING_GOLDEN("zero-0-1t-1", zero_memory)
ENGINEERING_GOLDEN("zero-2-1t-16", zero_memory)
ENGINEERING_GOLDEN("zero-3-1t-16", zero_memory)
ENGINEERING_GOLDEN("zero-2-1t-64", zero_memory)
ENGINEERING_GOLDEN("zero-3-1t-64", zero_memory)
ENGINEERING_GOLDEN("zero-1-1t-256", zero_memory)
ENGINEERING_GOLDEN("zero-2-1t-256", zero_memory)
ENGINEERING_GOLDEN("zero-3-1t-256", zero_memory)
ENGINEERING_GOLDEN("zero-1-1t-1024", zero_memory)
ENGINEERING_GOLDEN("zero-2-1t-1024", zero_memory)
ENGINEERING_GOLDEN("zero-3-1t-1024", zero_memory)
ENGINEERING_GOLDEN("zero-0-7.5b-1", zero_memory)
ENGINEERING_GOLDEN("zero-3-7.5b-64", zero_memory)
ENGINEERING_GOLDEN("zero-gpt-2", zero_memory)
ENGINEERING_GOLDEN("deepspeed-3-t5-3b-offloaded", deepspeed_3_memory)
ENGINEERING_GOLDEN("deepspeed-2-t5-3b", deepspeed_2_memory)
ENGINEERING_GOLDEN("deepspeed-3-llama-2-7b", deepspeed_3_memory)
ENGINEERING_GOLDEN("deepspeed-3-llama-2-7b-offloaded", deepspeed_3_memory)
ENGINEERING_GOLDEN("deepspeed-2-llama-2-7b", deepspeed_2_memory)
ENGINEERING_GOLDEN("deepspeed-3-llama-2-70b", deepspeed_3_memory)
ENGINEERING_GOLDEN("deepspeed-3-llama-2-70b-offloaded", deepspeed_3_memory)
ENGINEERING_GOLDEN("deepspeed-2-llama-2-70b-offloaded", deepspeed_2_memory)
ENGINEERING_GOLDEN("deepspeed-3-llama-3.1-405b", deepspeed_3_memory)
ENGINEERING_GOLDEN("deepspeed-3-llama-3.1-405b-offloaded", deepspeed_3_memory)
ENGINEERING_GOLDEN("deepspeed-3-llama-3.1-405b-all-offloaded", deepspeed_3_memory)
ENGINEERING_GOLDEN("deepspeed-2-llama-3.1-405b-offloaded", deepspeed_2_memory)
ENGINEERING_GOLDEN("deepspeed-3-gpt-neox-20b", deepspeed_3_memory)
ENGINEERING_GOLDEN("deepspeed-3-gpt-neox-20b-offloaded", deepspeed_3_memory)
ENGINEERING_GOLDEN("deepspeed-3-gpt-neox-20b-all-offloaded", deepspeed_3_memory)
ENGINEERING_GOLDEN("deepspeed-2-gpt-neox-20b", deepspeed_2_memory)
ENGINEERING_GOLDEN("deepspeed-2-gpt-neox-20b-offloaded", deepspeed_2_memory)

}  // namespace
}  // namespace scaling::test::golden_memory_test
