// SPDX-License-Identifier: MIT
//
// Chapter 5 of the book, how to parallelize a Transformer for training.

#include <cmath>

#include "golden.hpp"

namespace scaling::test::golden_parallelism_test {
namespace {

double bytes_per_parameter(const Given& in) {
  REQUIRE(in("weightBytes") == 2);
  return number<term::kBytesPerParameter>(train(in));
}

/// Each chip holds all of it.
double largest_model(const Given& in) {
  const double largest = in("memory") / bytes_per_parameter(in);
  const auto run =
      with(run_of(in), {{"checkpointsPerLayer", 0}, {"stateSharding", StateSharding::kNone}});
  const auto model = with(model_of(in), {{"statedParameters", largest}});
  CHECK(number<term::kMemoryPerChip>(training(chip_of(in), model, run)) == in("memory"));
  return largest;
}

double total_flops(const Given& in) { return number<term::kTotalFlops>(train(in)); }

double most_chips(const Given& in) {
  REQUIRE(in("dataAxes") == 3);
  return number<term::kFsdpMaximumChips>(train_on_pod(in));
}

/// The limit grows with F.
double width_for_ways(const Given& in) {
  REQUIRE(in("tensorAxes") == 1);
  const auto answers = training(pod_of(in), with(model_of(in), {{"feedForward", 30000}}),
                                with(run_of(in), {{"chips", 8960}}));
  return 30000 * in("ways") / number<term::kTensorLimit>(answers);
}

double mixed_gain(const Given& in) { return fsdp_threshold(in) / mixed_threshold(in); }

/// Tokens for which the matmuls of two matrices take as long as gathering these in bf16, of D = 1
/// and F = 8.
double crossing(const Given& in) {
  REQUIRE(in("dataAxes") == 2);
  const auto pod =
      with(pod_of(in),
           {{"torusX", 16}, {"torusY", 32}, {"torusZ", 1}, {"wraparound", Wraparound::kFullAxis}});
  REQUIRE(in("chips") == 16 * 32 * in("tensor"));
  const auto gather =
      collect(pod, make<Mesh>({{"x", 16}, {"y", 32}, {"otherShards", in("tensor")}}),
              {{"bytes", 2 * 2 * 8}});
  const auto product = operate(pod, in, {{"batch", 1}, {"contraction", 1}, {"output", 8}});
  return in("chips") * number<term::kCollectiveBandwidthTime>(gather) /
         (2 * number<term::kMathTime>(product));
}

double time_of(const Given& in, CollectiveKind kind, double bytes) {
  return number<term::kCollectiveTime>(
      collect(ring_chip(in), in, {{"kind", kind}, {"bytes", bytes}}));
}

/// Two matrices in bf16.
double layer_bytes(const Given& in) { return 2 * 2 * in("hidden") * in("feedForward"); }

double layer_gather_time(const Given& in) {
  return time_of(in, CollectiveKind::kAllGather, layer_bytes(in));
}

double tensor_transfer_time(const Given& in) {
  const double bytes = 2 * in("batchTokens") * in("hidden");
  return time_of(in, CollectiveKind::kAllGather, bytes) +
         time_of(in, CollectiveKind::kReduceScatter, bytes);
}

/// On the best mesh both transfers take equally long: each twice as long for a quarter of the
/// tokens, so the ratio of the times is the root of that of the tokens.
double math_over_transfer(const Given& in) {
  const double tokens = number<term::kTokensEachChip>(train_on_pod(in));
  return std::sqrt(tokens / mixed_threshold(in));
}

double slice_threshold(const Given& in) {
  return number<term::kSliceThreshold>(
      training(chip_of(in), model_of(in), with(run_of(in), {{"chips", 2}, {"slices", 2}})));
}

double sequences(const Given& in) { return number<term::kSequences>(train(in)); }

Raw<Run> run_with_matmul_checkpoints(const Given& in) {
  return with(run_of(in), {{"checkpointRule", CheckpointRule::kBigMatmuls}});
}

double matmul_checkpoints(const Given& in) {
  REQUIRE(in("elementBytes") == 2);
  return number<term::kCheckpointMemory>(
      training(chip_of(in), model_of(in), run_with_matmul_checkpoints(in)));
}

double memory_per_chip(const Given& in) {
  REQUIRE(in("weightBytes") == 2);
  return number<term::kMemoryPerChip>(
      training(chip_of(in), model_of(in), run_with_matmul_checkpoints(in)));
}

double step_time(const Given& in) { return number<term::kStepTime>(train(in)); }

/// Bytes of a ring that gathers the weights forward and backward and scatters the gradients.
double fsdp_traffic(const Given& in) {
  const auto chip = with(ring_chip(in), {{"torusX", 16}});
  const auto bytes = [&](CollectiveKind kind) {
    return 2 * in("linkBandwidth") *
           number<term::kCollectiveBandwidthTime>(collect(
               chip, make<Mesh>({{"x", 16}}), {{"kind", kind}, {"bytes", layer_bytes(in)}}));
  };
  return 2 * bytes(CollectiveKind::kAllGather) + bytes(CollectiveKind::kReduceScatter);
}

BOOK_GOLDEN("data-parallel-largest-model", largest_model)
BOOK_GOLDEN("adam-bytes-per-parameter", bytes_per_parameter)
BOOK_GOLDEN("data-parallel-ring-threshold", ring_threshold)
BOOK_GOLDEN("fsdp-ring-threshold", ring_threshold)
BOOK_GOLDEN("fsdp-three-axes-threshold", fsdp_threshold)
BOOK_GOLDEN("llama3-70b-training-flops", total_flops)
BOOK_GOLDEN("fsdp-most-chips", most_chips)
BOOK_GOLDEN("tensor-limit-30000", axis_tensor_limit)
BOOK_GOLDEN("tensor-limit-28672", axis_tensor_limit)
BOOK_GOLDEN("tensor-width-16", width_for_ways)
BOOK_GOLDEN("tensor-limit-gemma-7b", axis_tensor_limit)
BOOK_GOLDEN("best-data-ways-64", optimal_data_ways)
BOOK_GOLDEN("mixed-threshold-32768", mixed_threshold)
BOOK_GOLDEN("mixed-gain", mixed_gain)
BOOK_GOLDEN("crossing-512x8", crossing)
BOOK_GOLDEN("gather-plateau", layer_gather_time)
BOOK_GOLDEN("tensor-transfer", tensor_transfer_time)
BOOK_GOLDEN("math-over-transfer", math_over_transfer)
BOOK_GOLDEN("slice-threshold", slice_threshold)
BOOK_GOLDEN("slice-threshold-takeaway", slice_threshold)
BOOK_GOLDEN("mixed-threshold-30000", mixed_threshold)
BOOK_GOLDEN("two-pods-tokens", tokens_per_chip)
BOOK_GOLDEN("llama2-13b-feed-forward", feed_forward_parameters)
BOOK_GOLDEN("llama2-13b-attention", attention_parameters)
BOOK_GOLDEN("llama2-13b-parameters", parameters_without_norms)
BOOK_GOLDEN("llama2-13b-states", model_states)
BOOK_GOLDEN("llama2-13b-sequences", sequences)
BOOK_GOLDEN("v5p-slice-memory", pod_memory)
BOOK_GOLDEN("llama2-13b-checkpoints", matmul_checkpoints)
BOOK_GOLDEN("llama2-13b-memory-per-chip", memory_per_chip)
BOOK_GOLDEN("mixed-threshold-13824", mixed_threshold)
BOOK_GOLDEN("llama2-13b-tokens-per-chip", tokens_per_chip)
BOOK_GOLDEN("llama2-13b-step", step_time)
BOOK_GOLDEN("fsdp-layer-traffic", fsdp_traffic)

// Earlier editions.
BOOK_GOLDEN("mixed-threshold-13824-2025", mixed_threshold_without_overlap)
BOOK_GOLDEN("mixed-threshold-32768-2025", mixed_threshold_without_overlap)

}  // namespace
}  // namespace scaling::test::golden_parallelism_test
