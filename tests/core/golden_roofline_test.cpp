// SPDX-License-Identifier: MIT
//
// Chapter 1 of the book, rooflines, and texts drawn from it.

#include "golden.hpp"

namespace scaling::test::golden_roofline_test {
namespace {

double int8_critical_batch(const Given& in) {
  return number<term::kCriticalBatch>(
      operate(in, {{"weightFormat", Format::kInt8}, {"computeFormat", Format::kInt8}}));
}

/// int8 weights are multiplied as bf16 numbers, at the bf16 rate.
double int8_weights_critical_batch(const Given& in) {
  const auto chip = with(chip_of(in), {{"peakBf16", in("criticalIntensity") * 1e12}});
  return number<term::kCriticalBatch>(operate(chip, in, {{"weightFormat", Format::kInt8}}));
}

/// The contraction divided between two chips; their result is reduced over the link between them.
auto operate_on_two(const Given& in) {
  return answers_to<OperationQuestion>(
      {chip_of(in), model_of(in), make<Mesh>({{"x", 2}}),
       make<OperationRequest>({{"kind", kOperation<operations::ShardedMatmul>}})});
}

double two_chips_intensity(const Given& in) {
  return number<term::kCriticalNetworkIntensity>(operate_on_two(in));
}

double two_chips_contraction(const Given& in) {
  return number<term::kCriticalContraction>(operate_on_two(in));
}

/// The intensity of a contraction so long that the result does not count.
double tile_intensity(const Given& in) {
  return number<term::kIntensity>(operate(in, {{"kind", kOperation<operations::TiledMatmul>},
                                               {"batch", 4 * in("tileRows")},
                                               {"contraction", 1e12},
                                               {"output", 4 * in("tileColumns")},
                                               {"tileRows", in("tileRows")},
                                               {"tileOutput", in("tileColumns")}}));
}

const Settings kInt8Weights{{"weightFormat", Format::kInt8}};

double exact_critical_batch_int8_weights(const Given& in) {
  return number<term::kExactCriticalBatch>(operate(in, kInt8Weights));
}

double achieved_rate_int8_weights(const Given& in) {
  return number<term::kAchievedFlops>(operate(in, kInt8Weights));
}

/// The golden's own inputs are rounded to seven digits; the batches come from the core.
double exact_critical_batch_ratio(const Given& in) {
  const auto exact = [&](double size) {
    return number<term::kExactCriticalBatch>(operate(
        tpu_v5e(), in, {{"weightFormat", Format::kInt8}, {"contraction", size}, {"output", size}}));
  };
  CHECK_THAT(exact(1024), WithinRel(in("batchAt1024"), 1e-6));
  CHECK_THAT(exact(4096), WithinRel(in("batchAt4096"), 1e-6));
  return exact(1024) / exact(4096);
}

double per_batch_weights_intensity(const Given& in) {
  return number<term::kIntensity>(operate(in, {{"kind", kOperation<operations::PerBatchWeights>},
                                               {"activationFormat", Format::kInt8},
                                               {"weightFormat", Format::kInt8},
                                               {"outputFormat", Format::kInt8}}));
}

double dot_product_intensity(const Given& in) {
  return number<term::kIntensity>(operate(in, {{"kind", kOperation<operations::DotProduct>}}));
}

BOOK_GOLDEN("h100-1e12-flops", math_time)
BOOK_GOLDEN("v5e-critical-intensity", critical_intensity_of)
BOOK_GOLDEN("v5p-vpu-critical-intensity", critical_intensity_of)
BOOK_GOLDEN("v5e-critical-batch", critical_batch_of)
BOOK_GOLDEN("local-batch", local_batch)
BOOK_GOLDEN("two-chips-intensity", two_chips_intensity)
BOOK_GOLDEN("two-chips-contraction", two_chips_contraction)
BOOK_GOLDEN("tile-intensity", tile_intensity)
BOOK_GOLDEN("exact-critical-batch-4096", exact_critical_batch_int8_weights)
BOOK_GOLDEN("roofline-64-1024", achieved_rate_int8_weights)
BOOK_GOLDEN("roofline-240-1024", achieved_rate_int8_weights)
BOOK_GOLDEN("batched-weights-intensity", per_batch_weights_intensity)

// The article on rooflines.
BOOK_GOLDEN("roofline-article-h100-1e12-flops", math_time)
BOOK_GOLDEN("roofline-article-v6e-1e12-flops", math_time)
BOOK_GOLDEN("roofline-article-v5e-critical-intensity", critical_intensity_of)
BOOK_GOLDEN("roofline-article-dot-product", dot_product_intensity)
BOOK_GOLDEN("roofline-article-critical-batch", critical_batch_of)
BOOK_GOLDEN("roofline-article-two-chips-intensity", two_chips_intensity)
BOOK_GOLDEN("roofline-article-two-chips-contraction", two_chips_contraction)

// The translation.
BOOK_GOLDEN("roofline-zh-h100-1e12-flops", math_time)
BOOK_GOLDEN("roofline-zh-v5e-critical-intensity", critical_intensity_of)
BOOK_GOLDEN("roofline-zh-two-chips-contraction", two_chips_contraction)
BOOK_GOLDEN("roofline-zh-int8-intensity", critical_intensity_of)
BOOK_GOLDEN("roofline-zh-int8-critical-batch", int8_critical_batch)
BOOK_GOLDEN("roofline-zh-int8-weights-critical-batch", int8_weights_critical_batch)
GOLDEN_WITHIN("book", "roofline-zh-exact-critical-batch-ratio", exact_critical_batch_ratio, 1e-6)
BOOK_GOLDEN("roofline-zh-h100-critical-batch", critical_batch_of)
BOOK_GOLDEN("roofline-zh-h100-critical-batch-exact", critical_batch_of)

// Earlier editions.
BOOK_GOLDEN("h100-critical-batch-2025", critical_batch_of)
BOOK_GOLDEN("v5e-int8-critical-batch-2025", int8_critical_batch)

}  // namespace
}  // namespace scaling::test::golden_roofline_test
