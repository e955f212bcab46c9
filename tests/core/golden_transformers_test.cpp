// SPDX-License-Identifier: MIT
//
// Chapter 4 of the book, Transformer math.

#include "golden.hpp"

namespace scaling::test::golden_transformers_test {
namespace {

/// FLOPs of attention grow with the length, those of the matmuls do not: the length where they
/// are equal is their quotient at length 1. With F = 4D, as many KV heads as heads, NH = D.
double attention_length(const Given& in) {
  const double hidden = in("hidden");
  const auto model = with(model_of(in), {{"feedForward", 4 * hidden},
                                         {"heads", hidden / 128},
                                         {"kvHeads", hidden / 128},
                                         {"headDim", 128}});
  const auto run = with(run_of(in), {{"flopsRule", FlopsRule::kExact},
                                     {"attentionMask", AttentionMask::kFull},
                                     {"countLmHead", false}});
  const auto flops = count_token_flops(typed(model), count_parameters(typed(model)), typed(run));
  return (flops.exact - flops.attention).value() / flops.attention.value();
}

double recompute_factor(const Given& in) {
  const auto answers = train(in);
  const double forward = number<term::kForwardFlopsPerToken>(answers);
  const double training = number<term::kTrainingFlopsPerToken>(answers);
  const double remat = number<term::kRematFlopsPerToken>(answers);
  CHECK(training / forward == in("without") / 2);
  CHECK(remat / forward == in("withRecompute") / 2);
  return remat / training;
}

double kv_cache(const Given& in) {
  REQUIRE(in("elementBytes") == 1);
  const double kv_heads = in("kvWidth") / 128;
  const auto model =
      with(model_of(in), {{"heads", kv_heads}, {"kvHeads", kv_heads}, {"headDim", 128}});
  const auto run = with(run_of(in), {{"activationFormat", Format::kInt8}});
  return number<term::kKvCachePerToken>(training(chip_of(in), model, run)) * in("contextLength");
}

double attention_share_of_layer(const Given& in) {
  const auto parameters = parameters_of(in);
  return (parameters.attention / (parameters.attention + parameters.feed_forward)).value();
}

/// Chips among which a matmul is divided, and chips that all do the whole of it.
double replication_factor(const Given& in) {
  const auto flops = [&](double chips) {
    return number<term::kFlops>(answers_to<OperationQuestion>(
        {tpu_v5e(), model_of(in), make<Mesh>({{"x", chips}}),
         make<OperationRequest>({{"kind", kOperation<operations::ShardedMatmul>}})}));
  };
  return flops(1) / flops(in("replicas"));
}

/// One query of each of the heads that share keys and values.
double generation_intensity(const Given& in) {
  return number<term::kIntensity>(operate(in, {{"kind", kOperation<operations::Attention>},
                                               {"queries", 1},
                                               {"keys", in("contextLength")},
                                               {"heads", 8 * in("queriesPerKvHead")},
                                               {"kvHeads", 8}}));
}

double total_flops(const Given& in) { return number<term::kTotalFlops>(train(in)); }

/// The FLOPs that a run gets out of a chip-hour at peak.
double available_flops(const Given& in) {
  const auto answers = train(in);
  return in("chipHours") * number<term::kTotalFlops>(answers) / number<term::kChipHours>(answers);
}

/// A chip whose dense critical batch is the golden's: with int8 weights, C = 2 B_crit W.
double moe_critical_batch(const Given& in) {
  const auto chip = with(chip_of(in), {{"peakBf16", 2 * in("denseCriticalBatch") * 1e12}});
  const auto run = with(run_of(in), {{"weightFormat", Format::kInt8}});
  return number<term::kCriticalBatch>(training(chip, model_of(in), run));
}

/// 6 and 2 FLOPs alike: the quotient of the forward passes is that of the training.
double attention_ratio(const Given& in) {
  const auto run = with(
      run_of(in), {{"batchTokens", in("sequenceLength")}, {"attentionMask", AttentionMask::kFull}});
  const auto model = typed(model_of(in));
  const auto computed = count_parameters(model);
  const auto flops = training_flops(model, typed(run), computed, used_parameters(model, computed));
  return (count_token_flops(model, computed, typed(run)).attention / flops.forward).value();
}

double exact_flops_per_token(const Given& in) {
  const auto run = with(
      run_of(in), {{"batchTokens", in("sequenceLength")}, {"attentionMask", AttentionMask::kFull}});
  return number<term::kExactFlopsPerToken>(training(chip_of(in), model_of(in), run));
}

BOOK_GOLDEN("gemma-27b-attention-length", attention_length)
BOOK_GOLDEN("checkpoints-one", checkpoint_memory)
BOOK_GOLDEN("checkpoints-seven", checkpoint_memory)
BOOK_GOLDEN("recompute-factor", recompute_factor)
BOOK_GOLDEN("kv-cache-8k", kv_cache)
BOOK_GOLDEN("parameters-16b", parameters_without_last_norm)
BOOK_GOLDEN("parameters-16b-rounded", parameters_without_last_norm)
BOOK_GOLDEN("attention-share", attention_share_of_layer)
BOOK_GOLDEN("replication-factor", replication_factor)
BOOK_GOLDEN("generation-intensity", generation_intensity)
BOOK_GOLDEN("deepseek-available-flops", available_flops)
BOOK_GOLDEN("deepseek-model-flops", total_flops)
BOOK_GOLDEN("deepseek-utilisation", utilisation)
BOOK_GOLDEN("moe-critical-batch", moe_critical_batch)
BOOK_GOLDEN("llama3-70b-attention-ratio", attention_ratio)
BOOK_GOLDEN("llama3-70b-flops-per-token-exact", exact_flops_per_token)

}  // namespace
}  // namespace scaling::test::golden_transformers_test
