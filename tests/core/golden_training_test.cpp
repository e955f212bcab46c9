// SPDX-License-Identifier: MIT
//
// Chapter 6 of the book, training LLaMA 3, and its translation.

#include "golden.hpp"

namespace scaling::test::golden_training_test {
namespace {

double vocabulary_parameters(const Given& in) {
  return number<term::kParametersVocabulary>(train(in));
}

double all_parameters(const Given& in) { return number<term::kComputedParameters>(train(in)); }

double feed_forward_share(const Given& in) {
  const auto parameters = parameters_of(in);
  const double share = (parameters.feed_forward / without_norms(parameters)).value();
  // The core's own share counts the norms: the same to four digits.
  CHECK_THAT(number<term::kShareFeedForward>(train(in)), WithinRel(share, 1e-4));
  return share;
}

double attention_share(const Given& in) {
  const auto parameters = parameters_of(in);
  const double share = (parameters.attention / without_norms(parameters)).value();
  CHECK_THAT(number<term::kShareAttention>(train(in)), WithinRel(share, 1e-4));
  return share;
}

double vocabulary_share(const Given& in) {
  const auto parameters = parameters_of(in);
  const double share = (parameters.vocabulary / without_norms(parameters)).value();
  CHECK_THAT(number<term::kShareVocabulary>(train(in)), WithinRel(share, 1e-4));
  return share;
}

double flops_per_token(const Given& in) { return number<term::kTrainingFlopsPerToken>(train(in)); }

double time_per_token(const Given& in) {
  const double flops = in(in.has("flops") ? "flops" : "flopsPerToken");
  return number<term::kOneChipTokenTime>(train_for(in, flops, kTokens));
}

double total_flops_of_tokens(const Given& in) {
  return number<term::kTotalFlops>(train_for(in, in("flopsPerToken"), in("tokens")));
}

double one_chip_time(const Given& in) {
  if (in.has("secondsPerYear")) {
    REQUIRE(in("secondsPerYear") == 365.25 * 86400);
  }
  return number<term::kOneChipTime>(train_for_all(in));
}

double cost(const Given& in) { return number<term::kCost>(train_for_all(in)); }

double weight_memory(const Given& in) {
  REQUIRE(in("parameterBytes") == 2);
  return number<term::kWeightMemory>(train(in));
}

double checkpoint_share(const Given& in) {
  const auto answers = train(in);
  return number<term::kCheckpointMemory>(answers) / number<term::kTotalMemory>(answers);
}

double minimum_chips(const Given& in) { return number<term::kMinimumChips>(train(in)); }

double memory_per_chip(const Given& in) { return number<term::kMemoryPerChip>(train(in)); }

/// A run that holds the golden's total: states of 10 bytes per parameter, nothing else.
auto hold(const Given& in) {
  return training(chip_of(in), with(model_of(in), {{"statedParameters", in("totalMemory") / 10}}),
                  with(run_of(in), {{"checkpointsPerLayer", 0}}));
}

double minimum_chips_of_total(const Given& in) { return number<term::kMinimumChips>(hold(in)); }

double memory_per_chip_of_total(const Given& in) { return number<term::kMemoryPerChip>(hold(in)); }

/// A model that takes the pod its days, trained on the few chips.
double time_on_few_chips(const Given& in) {
  const double peak = 4.59e14;
  const double parameters = in("podDays") * 86400 * in("podChips") * peak / (6 * kTokens);
  const auto chip = make<Chip>({{"memory", 1e15}, {"memoryBandwidth", 1e12}, {"peakBf16", peak}});
  const auto time = [&](double chips) {
    return number<term::kTrainingTime>(
        training(chip, with(model_of(in), {{"statedParameters", parameters}}),
                 with(run_of(in), {{"tokens", kTokens}, {"chips", chips}})));
  };
  CHECK_THAT(time(in("podChips")), WithinRel(in("podDays") * 86400, 1e-12));
  return time(in("chips"));
}

double fsdp_compute_bound(const Given& in) {
  REQUIRE(in("dataAxes") == 3);
  return bound<term::kFsdpBound>(train_on_pod(in)) == Bound::kCompute ? 1 : 0;
}

double mixed_compute_bound(const Given& in) {
  REQUIRE(in("axisProduct") == 2);
  return bound<term::kMixedBound>(train_on_pod(in)) == Bound::kCompute ? 1 : 0;
}

/// The mesh that the core proposes for chapter 6. Sequence parallelism counts to the data.
double mesh_chips(const Given& in) {
  const auto answers = training(tpu_v5p(), llama3_70b(), chapter6_run());
  const double data = number<term::kMeshData>(answers);
  const double tensor = number<term::kMeshTensor>(answers);
  CHECK(data == in("data") * (in.has("sequence") ? in("sequence") : 1));
  CHECK(tensor == in("tensor"));
  return data * tensor;
}

/// The most chips that so many pods have: what the core says when asked for one more.
double chips_of_pods(const Given& in) {
  REQUIRE(number<term::kTrainingTime>(training(
              tpu_v5p(), llama3_70b(),
              with(chapter6_run(),
                   {{"slices", in("pods")}, {"chips", in("pods") * in("podChips")}}))) > 0);
  const auto outcome = estimate<TrainingQuestion>(
      {tpu_v5p(), llama3_70b(),
       with(chapter6_run(), {{"slices", in("pods")}, {"chips", in("pods") * in("podChips") * 2}})});
  REQUIRE(outcome.issues.items().size() == 1);
  REQUIRE(outcome.issues.items()[0].code == IssueCode::kMoreChipsThanNetwork);
  return outcome.issues.items()[0].arguments[0];
}

double tokens_per_pod(const Given& in) {
  return number<term::kTokensEachSlice>(
      training(tpu_v5p(), llama3_70b(),
               with(chapter6_run(), {{"batchTokens", in("batchTokens")},
                                     {"slices", in("pods")},
                                     {"chips", in("pods") * 8960}})));
}

/// Tokens per chip at the threshold, on all chips of eight pods.
double smallest_batch(const Given& in) {
  REQUIRE(in("axisProduct") == 2);
  const auto run = with(run_of(in), {{"slices", in("chips") / 8960}});
  return number<term::kMixedThreshold>(training(pod_of(in), model_of(in), run)) * in("chips");
}

BOOK_GOLDEN("llama3-70b-feed-forward", feed_forward_parameters)
BOOK_GOLDEN("llama3-70b-attention", attention_parameters)
BOOK_GOLDEN("llama3-70b-vocabulary", vocabulary_parameters)
BOOK_GOLDEN("llama3-70b-parameters", parameters_without_norms)
BOOK_GOLDEN("llama3-70b-parameters-exact", all_parameters)
BOOK_GOLDEN("llama3-70b-flops-per-token", flops_per_token)
BOOK_GOLDEN("llama3-70b-time-per-token", time_per_token)
BOOK_GOLDEN("llama3-70b-total-flops", total_flops_of_tokens)
BOOK_GOLDEN("llama3-70b-one-chip", one_chip_time)
BOOK_GOLDEN("llama3-70b-pod-seconds", training_time)
BOOK_GOLDEN("llama3-70b-pod-days", training_time)
BOOK_GOLDEN("llama3-70b-weights", weight_memory)
BOOK_GOLDEN("llama3-70b-checkpoints", checkpoint_memory)
BOOK_GOLDEN("llama3-70b-memory", total_memory)
BOOK_GOLDEN("llama3-70b-minimum-chips", minimum_chips)
BOOK_GOLDEN("llama3-70b-minimum-chips-rounded", minimum_chips_of_total)
BOOK_GOLDEN("llama3-70b-minimum-years", time_on_few_chips)
BOOK_GOLDEN("llama3-70b-memory-per-chip", memory_per_chip_of_total)
BOOK_GOLDEN("llama3-70b-memory-per-chip-12", memory_per_chip)
BOOK_GOLDEN("llama3-70b-fsdp-threshold", fsdp_threshold)
BOOK_GOLDEN("llama3-70b-fsdp-bound", fsdp_compute_bound)
BOOK_GOLDEN("llama3-70b-mixed-bound", mixed_compute_bound)
BOOK_GOLDEN("llama3-70b-best-data-ways", optimal_data_ways)
BOOK_GOLDEN("llama3-70b-mesh", mesh_chips)
BOOK_GOLDEN("llama3-70b-tensor-limit", axis_tensor_limit)
BOOK_GOLDEN("four-pods-chips", chips_of_pods)
BOOK_GOLDEN("four-pods-tokens", tokens_per_pod)
BOOK_GOLDEN("four-pods-days", training_time)
BOOK_GOLDEN("llama3-405b-flops-per-token", flops_per_token)
BOOK_GOLDEN("llama3-405b-batch", smallest_batch)
BOOK_GOLDEN("llama3-8b-parameters", parameters_without_norms)
BOOK_GOLDEN("llama3-70b-cost", cost)

// The translation.
BOOK_GOLDEN("llama3-zh-feed-forward", feed_forward_parameters)
BOOK_GOLDEN("llama3-zh-attention", attention_parameters)
BOOK_GOLDEN("llama3-zh-vocabulary", vocabulary_parameters)
BOOK_GOLDEN("llama3-zh-parameters", parameters_without_norms)
BOOK_GOLDEN("llama3-zh-feed-forward-share", feed_forward_share)
BOOK_GOLDEN("llama3-zh-attention-share", attention_share)
BOOK_GOLDEN("llama3-zh-vocabulary-share", vocabulary_share)
BOOK_GOLDEN("llama3-zh-flops-per-token", flops_per_token)
BOOK_GOLDEN("llama3-zh-time-per-token", time_per_token)
BOOK_GOLDEN("llama3-zh-total-flops", total_flops_of_tokens)
BOOK_GOLDEN("llama3-zh-one-chip-seconds", one_chip_time)
BOOK_GOLDEN("llama3-zh-one-chip-years", one_chip_time)
BOOK_GOLDEN("llama3-zh-pod-days", training_time)
BOOK_GOLDEN("llama3-zh-checkpoints", checkpoint_memory)
BOOK_GOLDEN("llama3-zh-memory", total_memory)
BOOK_GOLDEN("llama3-zh-checkpoint-share", checkpoint_share)
BOOK_GOLDEN("llama3-zh-minimum-chips", minimum_chips)
BOOK_GOLDEN("llama3-zh-minimum-days", time_on_few_chips)
BOOK_GOLDEN("llama3-zh-minimum-years", time_on_few_chips)
BOOK_GOLDEN("llama3-zh-memory-per-chip", memory_per_chip_of_total)
BOOK_GOLDEN("llama3-zh-memory-per-chip-12", memory_per_chip)
BOOK_GOLDEN("llama3-zh-tokens-per-chip", tokens_per_chip)
BOOK_GOLDEN("llama3-zh-fsdp-threshold", fsdp_threshold)
BOOK_GOLDEN("llama3-zh-mixed-threshold", mixed_threshold)
BOOK_GOLDEN("llama3-zh-best-data-ways", optimal_data_ways)
BOOK_GOLDEN("llama3-zh-mesh", mesh_chips)
BOOK_GOLDEN("llama3-zh-four-pods", chips_of_pods)

// Earlier editions.
BOOK_GOLDEN("mixed-threshold-2025", mixed_threshold_without_overlap)

}  // namespace
}  // namespace scaling::test::golden_training_test
