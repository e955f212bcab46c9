// SPDX-License-Identifier: MIT
//
// The translation of the introduction, and the article on the engineering of training.

#include "golden.hpp"

namespace scaling::test::golden_articles_test {
namespace {

/// The ratio of the slower chip's time to the faster one's for the same operation.
double peak_ratio(const Given& in) {
  const auto time = [&](double peak) {
    return number<term::kMathTime>(operate(with(tpu_v5p(), {{"peakBf16", peak}}), in, {}));
  };
  return time(in("peak")) / time(in("rate"));
}

Raw<Run> adam_run(const Given& in) {
  return with(run_of(in),
              {{"gradientBytes", 2}, {"optimizerBytes", 12}, {"checkpointsPerLayer", 0}});
}

double bytes_per_parameter(const Given& in) {
  REQUIRE(in("weightBytes") == 2);
  return number<term::kBytesPerParameter>(training(chip_of(in), model_of(in), run_of(in)));
}

double model_states(const Given& in) {
  const auto answers = training(chip_of(in), model_of(in), adam_run(in));
  REQUIRE(number<term::kBytesPerParameter>(answers) == in("parameterBytes"));
  return number<term::kTotalMemory>(answers);
}

auto train_sharded(const Given& in, StateSharding sharding) {
  return training(chip_of(in), with(model_of(in), {{"statedParameters", 7.5e9}}),
                  with(adam_run(in), {{"stateSharding", sharding}}));
}

double saving(const Given& in, StateSharding sharding) {
  return number<term::kMemoryPerChip>(train_sharded(in, StateSharding::kNone)) /
         number<term::kMemoryPerChip>(train_sharded(in, sharding));
}

double zero1_saving(const Given& in) { return saving(in, StateSharding::kOptimizer); }

double zero2_saving(const Given& in) { return saving(in, StateSharding::kGradients); }

double zero3_saving(const Given& in) { return saving(in, StateSharding::kParameters); }

/// The limit on many chips: what the stage divides is gone, what it leaves whole remains.
double saving_limit(const Given& in, StateSharding sharding) {
  REQUIRE(in("weightBytes") + in("gradientBytes") + in("optimizerBytes") == 16);
  const auto answers = train_sharded(in, sharding);
  double whole = number<term::kWeightsPerChip>(answers);
  if (sharding == StateSharding::kOptimizer) whole += number<term::kGradientsPerChip>(answers);
  return number<term::kMemoryPerChip>(train_sharded(in, StateSharding::kNone)) / whole;
}

double zero1_limit(const Given& in) { return saving_limit(in, StateSharding::kOptimizer); }

double zero2_limit(const Given& in) { return saving_limit(in, StateSharding::kGradients); }

/// A compute-bound matmul reaches the peak.
double peak_rate(const Given& in) {
  return number<term::kAchievedFlops>(operate(in, {{"batch", 65536}}));
}

/// The bytes that a chip sends of its partial sums, over the bytes of these.
double ring_all_reduce(const Given& in) {
  const auto chip = with(chip_of(in), {{"network", Network::kTorus},
                                       {"torusX", in("chips")},
                                       {"wraparound", Wraparound::kFullAxis},
                                       {"linkBandwidth", 1e9}});
  return number<term::kBytesSent>(collect(chip, make<Mesh>({{"x", in("chips")}}),
                                          {{"kind", CollectiveKind::kAllReduce}, {"bytes", 1e9}})) /
         1e9;
}

/// The scores of one head are what naive attention moves beside queries, keys, values and result,
/// four times.
double score_matrix(const Given& in) {
  REQUIRE(in("elementBytes") == 2);
  const double length = in("sequenceLength");
  const auto bytes = [&](AttentionKernel kernel) {
    return number<term::kMemoryBytes>(operate(with(chip_of(in), {{"peakVector", 1e13}}), in,
                                              {{"kind", kOperation<operations::Attention>},
                                               {"attentionKernel", kernel},
                                               {"queries", length},
                                               {"keys", length},
                                               {"heads", 1},
                                               {"kvHeads", 1}}));
  };
  return (bytes(AttentionKernel::kNaive) - bytes(AttentionKernel::kFlash)) / 4;
}

double total_flops_as_given(const Given& in) {
  return number<term::kTotalFlops>(train_for_all(in));
}

BOOK_GOLDEN("introduction-zh-peak-ratio", peak_ratio)
BOOK_GOLDEN("engineering-article-bytes-per-parameter", bytes_per_parameter)
BOOK_GOLDEN("engineering-article-states-7b", model_states)
BOOK_GOLDEN("engineering-article-states-70b", model_states)
BOOK_GOLDEN("engineering-article-zero1-limit", zero1_limit)
BOOK_GOLDEN("engineering-article-zero2-limit", zero2_limit)
BOOK_GOLDEN("engineering-article-zero1-64", zero1_saving)
BOOK_GOLDEN("engineering-article-zero2-64", zero2_saving)
BOOK_GOLDEN("engineering-article-zero3-64", zero3_saving)
BOOK_GOLDEN("engineering-article-a100-critical-intensity", critical_intensity_of)
BOOK_GOLDEN("engineering-article-a100-peak", peak_rate)
BOOK_GOLDEN("engineering-article-ring-all-reduce", ring_all_reduce)
BOOK_GOLDEN("engineering-article-exaflops", total_flops_as_given)
BOOK_GOLDEN("engineering-article-score-matrix", score_matrix)

}  // namespace
}  // namespace scaling::test::golden_articles_test
