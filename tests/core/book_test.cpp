// SPDX-License-Identifier: MIT
//
// The book's best-known numbers by name, and the questions of its chapter 6 asked again for
// LLaMA 3.1 405B: expected values worked out by hand from the formulas, written at each line.

#include "support.hpp"

namespace scaling::test::book_test {
namespace {

constexpr double kDay = 86400;
constexpr double kYear = 365.25 * kDay;

TEST_CASE("chapter 1: an H100 does 1e12 bf16 FLOPs in 1.01 ms") {
  const auto chip = with(h100(), {{"peakBf16", 9.89e14}});
  const auto answers = operation(
      chip, make<OperationRequest>({{"batch", 1000}, {"contraction", 1e6}, {"output", 500}}));
  CHECK(number<term::kFlops>(answers) == 1e12);
  CHECK_THAT(number<term::kMathTime>(answers), WithinRel(1.0111e-3, 1e-4));  // 1e12 / 9.89e14
}

TEST_CASE("chapter 1: the critical intensity of TPU v5e is 240") {
  const auto answers = operation(tpu_v5e(), make<OperationRequest>({}));
  CHECK_THAT(number<term::kCriticalIntensity>(answers), WithinRel(240.24, 1e-4));
}

TEST_CASE("chapter 1: the intensity of a dot product tends to 0.5") {
  const auto intensity = [](double length) {
    return number<term::kIntensity>(
        operation(tpu_v5e(), make<OperationRequest>({{"kind", kOperation<operations::DotProduct>},
                                                     {"length", length}})));
  };
  CHECK(intensity(1) == 1.0 / 6);  // (2N - 1) / (4N + 2)
  CHECK_THAT(intensity(1e12), WithinRel(0.5, 1e-11));
}

TEST_CASE("chapter 1: int8 weights halve the critical batch with bf16 activations, to 120") {
  const auto batch = [](const Raw<Chip>& chip, Format weights, Format compute) {
    return number<term::kCriticalBatch>(operation(
        chip, make<OperationRequest>({{"weightFormat", weights}, {"computeFormat", compute}})));
  };
  CHECK_THAT(batch(tpu_v5e(), Format::kInt8, Format::kBf16), WithinRel(120.12, 1e-4));
  CHECK_THAT(batch(tpu_v5e(), Format::kInt8, Format::kInt8), WithinRel(240.24, 1e-4));
  // The book's bandwidth before May 2026.
  const auto earlier = with(tpu_v5e(), {{"memoryBandwidth", 8.1e11}});
  CHECK_THAT(batch(earlier, Format::kInt8, Format::kInt8), WithinRel(243.21, 1e-4));
}

TEST_CASE("chapter 1: a matmul split over two v5e is compute-bound from D > 8755 at any batch") {
  const auto bound_at = [](double contraction, double batch) {
    return bound<term::kBound>(
        operation(tpu_v5e(), make<Mesh>({{"x", 2}}),
                  make<OperationRequest>({{"kind", kOperation<operations::ShardedMatmul>},
                                          {"batch", batch},
                                          {"contraction", contraction},
                                          {"output", 65536}})));
  };
  for (const double batch : {1024.0, 8192.0, 1e6}) {
    CHECK(bound_at(8755, batch) == Bound::kNetwork);
    CHECK(bound_at(8756, batch) == Bound::kCompute);
  }
}

TEST_CASE("chapter 1: the critical batch of an H100 is 295, and 298 with the rounded peak") {
  const auto batch = [](double peak) {
    return number<term::kCriticalBatch>(
        operation(with(h100(), {{"peakBf16", peak}}), make<OperationRequest>({})));
  };
  CHECK_THAT(batch(9.89e14), WithinRel(295.22, 1e-4));
  CHECK_THAT(batch(1e15), WithinRel(298.51, 1e-4));
}

TEST_CASE("chapter 6: LLaMA 3 70B on a TPU v5p pod") {
  const auto model = with(llama3_70b(), {{"statedParameters", 70e9}});
  const auto answers = training(tpu_v5p(), model, chapter6_run());
  CHECK(number<term::kParametersFeedForward>(answers) == 56371445760);
  CHECK(number<term::kParametersAttention>(answers) == 12079595520);
  CHECK(number<term::kParametersVocabulary>(answers) == 2101346304);
  CHECK_THAT(number<term::kShareFeedForward>(answers), WithinAbs(0.80, 0.005));
  CHECK_THAT(number<term::kShareAttention>(answers), WithinAbs(0.17, 0.005));
  CHECK_THAT(number<term::kShareVocabulary>(answers), WithinAbs(0.03, 0.005));
  CHECK(number<term::kTrainingFlopsPerToken>(answers) == 4.2e11);
  CHECK(number<term::kTotalFlops>(answers) == 6.3e24);
  CHECK_THAT(number<term::kTrainingTime>(answers) / kDay, WithinRel(44.325, 1e-4));
  CHECK(number<term::kWeightMemory>(answers) == 140e9);
  CHECK(number<term::kOptimizerMemory>(answers) == 560e9);
  CHECK(number<term::kCheckpointMemory>(answers) == 20.97152e12);  // 2 x 8192 x 4e6 x 4 x 80
  CHECK(number<term::kTotalMemory>(answers) == 21.67152e12);
  CHECK_THAT(number<term::kFractionalMinimumChips>(answers), WithinRel(225.745, 1e-5));
  CHECK(number<term::kMinimumChips>(answers) == 226);  // the book's 225 is an erratum
  CHECK_THAT(number<term::kMemoryPerChip>(answers), WithinRel(2.4187e9, 1e-4));
  CHECK(number<term::kFsdpThreshold>(answers) == 850);
  CHECK_THAT(number<term::kMixedThreshold>(answers), WithinRel(113.39, 1e-4));
}

TEST_CASE("chapter 6: a batch of 4 x 2^20 tokens needs tensor parallelism beside FSDP") {
  const auto run = with(chapter6_run(), {{"batchTokens", 4 << 20}});
  const auto answers = training(tpu_v5p(), llama3_70b(), run);
  CHECK(number<term::kSequences>(answers) == 1024);
  CHECK_THAT(number<term::kTokensEachChip>(answers), WithinRel(468.11, 1e-4));
  CHECK(bound<term::kFsdpBound>(answers) == Bound::kNetwork);   // 468 < 850
  CHECK(bound<term::kMixedBound>(answers) == Bound::kCompute);  // 468 > 113
  CHECK(bound<term::kBound>(answers) == Bound::kCompute);
  CHECK(number<term::kMeshData>(answers) == 2048);
  CHECK(number<term::kMeshTensor>(answers) == 4);
  const auto rounded = training(tpu_v5p(), llama3_70b(), with(run, {{"batchTokens", 4.19e6}}));
  CHECK_THAT(number<term::kOptimalData>(rounded), WithinRel(1618.26, 1e-5));
}

TEST_CASE("LLaMA 3.1 405B: parameters by part") {
  const auto answers = training(tpu_v5p(), llama3_405b(), chapter6_run());
  CHECK(number<term::kParametersFeedForward>(answers) == 329772957696);  // 126 x 3 x D x 53248
  CHECK(number<term::kParametersAttention>(answers) == 71873593344);  // 126 x 2D x (128 + 8) x 128
  CHECK(number<term::kParametersVocabulary>(answers) == 4202692608);  // 2 x 128256 x 16384
  CHECK(number<term::kParametersNorms>(answers) == 4145152);          // (126 x 2 + 1) x 16384
  CHECK(number<term::kParameters>(answers) == 405853388800);          // that of the checkpoint
  CHECK_THAT(number<term::kShareFeedForward>(answers), WithinAbs(0.8125, 5e-5));
  CHECK_THAT(number<term::kShareAttention>(answers), WithinAbs(0.1771, 5e-5));
  CHECK_THAT(number<term::kShareVocabulary>(answers), WithinAbs(0.0104, 5e-5));
}

TEST_CASE("LLaMA 3.1 405B: FLOPs, time and cost of 15e12 tokens") {
  const auto run = with(chapter6_run(), {{"chips", 8 * 8960}, {"slices", 8}});
  const auto answers = training(tpu_v5p(), llama3_405b(), run);
  CHECK(number<term::kTrainingFlopsPerToken>(answers) == 2435120332800);  // 6P
  CHECK(number<term::kTotalFlops>(answers) == 3.6526804992e25);
  CHECK_THAT(number<term::kOneChipTokenTime>(answers), WithinRel(5.305273056e-3, 1e-9));
  CHECK_THAT(number<term::kOneChipTime>(answers) / kYear, WithinRel(2521.709377, 1e-9));
  // 3.6526804992e25 / (71680 x 4.59e14 x 0.4) s
  CHECK_THAT(number<term::kTrainingTime>(answers) / kDay, WithinRel(32.12382638, 1e-9));
  CHECK_THAT(number<term::kChipHours>(answers), WithinRel(55263261.0, 1e-9));
  CHECK_THAT(number<term::kCost>(answers), WithinRel(232105696.2, 1e-9));  // at 4.2 USD
  const auto one_pod = training(tpu_v5p(), llama3_405b(), chapter6_run());
  CHECK_THAT(number<term::kTrainingTime>(one_pod) / kDay, WithinRel(256.9906111, 1e-9));
}

TEST_CASE("LLaMA 3.1 405B: memory and the fewest chips") {
  const auto answers = training(tpu_v5p(), llama3_405b(), chapter6_run());
  CHECK(number<term::kWeightMemory>(answers) == 811706777600);      // 2P
  CHECK(number<term::kOptimizerMemory>(answers) == 3246827110400);  // 8P
  CHECK(number<term::kCheckpointMemory>(answers) == 66.060288e12);  // 2 x 16384 x 4e6 x 4 x 126
  CHECK(number<term::kTotalMemory>(answers) == 70118821888000);
  CHECK_THAT(number<term::kFractionalMinimumChips>(answers), WithinRel(730.4043947, 1e-9));
  CHECK(number<term::kMinimumChips>(answers) == 731);
  CHECK_THAT(number<term::kTimeOnMinimum>(answers) / kYear, WithinRel(8.624177077, 1e-9));
  CHECK_THAT(number<term::kMemoryPerChip>(answers), WithinRel(7825761371.43, 1e-9));  // on 8960
  // Eight pods hold the states eight times, the checkpoints once.
  const auto pods = training(tpu_v5p(), llama3_405b(),
                             with(chapter6_run(), {{"chips", 8 * 8960}, {"slices", 8}}));
  CHECK_THAT(number<term::kMemoryPerChip>(pods), WithinRel(1374561371.43, 1e-9));
  CHECK_THAT(number<term::kFractionalMinimumChips>(pods), WithinRel(1026.339157, 1e-9));
  CHECK(number<term::kMinimumChips>(pods) == 1032);  // a multiple of eight
}

TEST_CASE("LLaMA 3.1 405B: how to shard a batch of 4 x 2^20 tokens") {
  const auto run = with(chapter6_run(), {{"batchTokens", 4 << 20}});
  const auto answers = training(tpu_v5p(), llama3_405b(), run);
  CHECK(number<term::kSequences>(answers) == 1024);     // FSDP by whole sequences ends here
  CHECK(number<term::kFsdpThreshold>(answers) == 850);  // 2550 / 3: of the chip, not of the model
  CHECK_THAT(number<term::kMixedThreshold>(answers), WithinRel(61.05863131, 1e-9));  // a^2 / 2F
  CHECK_THAT(number<term::kTensorLimit>(answers), WithinRel(20.88156863, 1e-9));     // F / 2550
  CHECK_THAT(number<term::kFsdpMaximumChips>(answers), WithinRel(4194304 / 850.0, 1e-12));
  // sqrt(4194304 / 53248 x 2 x 8960)
  CHECK_THAT(number<term::kOptimalData>(answers), WithinRel(1188.084431, 1e-9));
  CHECK_THAT(number<term::kOptimalTensor>(answers), WithinRel(7.541551564, 1e-9));
  CHECK(number<term::kMeshData>(answers) == 1024);
  CHECK(number<term::kMeshTensor>(answers) == 8);
  CHECK(bound<term::kFsdpBound>(answers) == Bound::kNetwork);   // 468 < 850
  CHECK(bound<term::kMixedBound>(answers) == Bound::kCompute);  // 468 > 61

  // On eight pods the batch is too small: 58.5 tokens a chip, and 524,288 a pod are enough for the
  // network between pods (73,440) but not for the one inside.
  const auto pods =
      training(tpu_v5p(), llama3_405b(), with(run, {{"chips", 8 * 8960}, {"slices", 8}}));
  CHECK_THAT(number<term::kTokensEachChip>(pods), WithinRel(58.51428571, 1e-9));
  CHECK(number<term::kTokensEachSlice>(pods) == 524288);
  CHECK(number<term::kSliceThreshold>(pods) == 73440);
  CHECK(bound<term::kMixedBound>(pods) == Bound::kNetwork);
  CHECK(bound<term::kSliceBound>(pods) == Bound::kCompute);
  CHECK(bound<term::kBound>(pods) == Bound::kNetwork);
}

}  // namespace
}  // namespace scaling::test::book_test
