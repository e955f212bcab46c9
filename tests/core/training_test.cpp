// SPDX-License-Identifier: MIT
//
// FLOPs, time, cost and energy of a training run: book, chapters 4 to 6.

#include <cmath>

#include "support.hpp"

namespace scaling::test::training_test {
namespace {

constexpr double kDay = 86400;

auto train(const Raw<Chip>& chip, const Raw<Model>& model, const Settings& settings) {
  return training(chip, model, make<Run>(settings));
}

Raw<Model> stated(double parameters) {
  return with(llama3_70b(), {{"statedParameters", parameters}});
}

TEST_CASE("6N: two FLOPs a parameter forward, four backward, two more if computed again") {
  const auto answers = train(tpu_v5p(), llama3_70b(), {});
  const double parameters = 70553706496;
  CHECK(number<term::kForwardFlopsPerToken>(answers) == 2 * parameters);
  CHECK(number<term::kTrainingFlopsPerToken>(answers) == 6 * parameters);
  CHECK(number<term::kSixNFlopsPerToken>(answers) == 6 * parameters);
  CHECK(number<term::kRematFlopsPerToken>(answers) == 8 * parameters);
  CHECK(number<term::kTotalFlops>(answers) == 6 * parameters * 15e12);
}

TEST_CASE("6N without the embedding that is only looked up") {
  const auto answers = train(tpu_v5p(), llama3_70b(), {{"flopsRule", FlopsRule::kSixNMatmul}});
  const double looked_up = 128256.0 * 8192;
  const double norms = 161.0 * 8192;
  CHECK(number<term::kTrainingFlopsPerToken>(answers) == 6 * (70553706496 - looked_up - norms));
  // The other rules are still there for comparison.
  CHECK(number<term::kSixNFlopsPerToken>(answers) == 6 * 70553706496.0);
}

TEST_CASE("exact: every rule trains for three times its forward pass") {
  for (const auto rule : {FlopsRule::kSixN, FlopsRule::kSixNMatmul, FlopsRule::kExact}) {
    for (const auto& model : {llama3_8b(), mixtral_8x7b(), deepseek_v3()}) {
      const auto answers = train(tpu_v5p(), model, {{"flopsRule", rule}});
      const double forward = number<term::kForwardFlopsPerToken>(answers);
      CHECK_THAT(number<term::kTrainingFlopsPerToken>(answers), WithinRel(3 * forward, 1e-15));
      CHECK_THAT(number<term::kRematFlopsPerToken>(answers), WithinRel(4 * forward, 1e-15));
      if (rule == FlopsRule::kExact) {
        CHECK(number<term::kExactFlopsPerToken>(answers) ==
              number<term::kTrainingFlopsPerToken>(answers));
      }
    }
  }
}

TEST_CASE("stated counts stand in for computed ones, which are still told") {
  const auto answers = train(tpu_v5p(), stated(70e9), {});
  CHECK(number<term::kParameters>(answers) == 70e9);
  CHECK(number<term::kActiveParameters>(answers) == 70e9);  // all are active in a dense model
  CHECK(number<term::kComputedParameters>(answers) == 70553706496);
  CHECK(number<term::kWeightMemory>(answers) == 140e9);
}

TEST_CASE("of experts only the active ones compute, but all are held") {
  const auto answers = train(tpu_v5p(), mixtral_8x7b(), {});
  CHECK(number<term::kTrainingFlopsPerToken>(answers) == 6 * 12879925248.0);
  CHECK(number<term::kWeightMemory>(answers) == 2 * 46702792704.0);
  const auto published = train(
      tpu_v5p(),
      with(mixtral_8x7b(), {{"statedParameters", 46.7e9}, {"statedActiveParameters", 12.9e9}}), {});
  CHECK(number<term::kTrainingFlopsPerToken>(published) == 6 * 12.9e9);
  CHECK(number<term::kWeightMemory>(published) == 2 * 46.7e9);
}

TEST_CASE("shares are parts of the computed whole") {
  for (const auto& model : {llama3_8b(), mixtral_8x7b(), deepseek_v3()}) {
    const auto answers = train(tpu_v5p(), with(model, {{"statedParameters", 1e12}}), {});
    const double computed = number<term::kComputedParameters>(answers);
    CHECK(number<term::kShareFeedForward>(answers) ==
          number<term::kParametersFeedForward>(answers) / computed);
    const double shares = number<term::kShareFeedForward>(answers) +
                          number<term::kShareAttention>(answers) +
                          number<term::kShareVocabulary>(answers);
    CHECK(shares > 0.99);  // norms and router are the rest
    CHECK(shares < 1);
  }
}

TEST_CASE("chapter 12, quiz 5: 70e9 parameters on 4096 H100 at 45 % take 40 days") {
  const auto answers = train(h100(), stated(70e9), {{"chips", 4096}, {"mfu", 0.45}});
  CHECK_THAT(number<term::kTrainingTime>(answers), WithinRel(3452493.687, 1e-9));
  CHECK_THAT(number<term::kTrainingTime>(answers) / kDay, WithinRel(39.9594, 1e-6));
}

TEST_CASE("chapter 5, question 3: a step of 3e6 tokens of a 13B takes 310 ms") {
  const auto chip = with(tpu_v5p(), {{"peakBf16", 4.6e14}});
  const auto answers =
      train(chip, stated(13e9), {{"chips", 4096}, {"batchTokens", 3e6}, {"mfu", 0.4}});
  CHECK_THAT(number<term::kStepTime>(answers), WithinRel(0.3104832, 1e-6));
}

TEST_CASE("LLaMA 3.1's model card: 30.84e6 hours of 700 W are 21.6 GWh") {
  const auto answers = train(h100(), llama3_405b(), {{"chips", 16384}});
  const double hours = number<term::kChipHours>(answers);
  CHECK_THAT(number<term::kEnergy>(answers), WithinRel(hours * 3600 * 700, 1e-12));
  CHECK_THAT(number<term::kEnergy>(answers) / hours * 30.84e6 / 3.6e12, WithinRel(21.6, 1e-3));
  const auto with_cooling = train(h100(), llama3_405b(), {{"chips", 16384}, {"pue", 1.5}});
  CHECK_THAT(number<term::kEnergy>(with_cooling),
             WithinRel(1.5 * number<term::kEnergy>(answers), 1e-15));
}

TEST_CASE("DeepSeek-V3's report: 2.788e6 hours at 2 USD cost 5.576e6 USD") {
  const auto answers = train(with(h100(), {{"price", 2}}), deepseek_v3(), {{"chips", 2048}});
  CHECK_THAT(number<term::kCost>(answers) / number<term::kChipHours>(answers) * 2.788e6,
             WithinRel(5.576e6, 1e-12));
}

TEST_CASE("without a price there is no cost, without a power no energy") {
  Raw<Chip> chip = h100();
  for (const char* key : {"price", "power"}) chip.values[index_of<Chip>(key)] = std::nan("");
  const auto answers = train(chip, llama3_8b(), {});
  CHECK(absence<term::kCost>(answers) == Absence::kNotListed);
  CHECK(absence<term::kEnergy>(answers) == Absence::kNotListed);
  CHECK(number<term::kChipHours>(answers) > 0);
  const auto free = train(with(h100(), {{"price", 0}}), llama3_8b(), {});
  CHECK(number<term::kCost>(free) == 0);
}

TEST_CASE("steps, step time and throughput add up to the training time") {
  for (const double batch : {4096.0, 1e6, 4194304.0}) {
    const auto answers = train(tpu_v5p(), llama3_70b(), {{"batchTokens", batch}});
    const double time = number<term::kTrainingTime>(answers);
    CHECK_THAT(number<term::kSteps>(answers) * number<term::kStepTime>(answers),
               WithinRel(time, 1e-12));
    CHECK_THAT(number<term::kTokensPerSecond>(answers) * time, WithinRel(15e12, 1e-12));
    CHECK_THAT(number<term::kChipHours>(answers) * 3600, WithinRel(8960 * time, 1e-12));
  }
}

TEST_CASE("one chip at peak: a token, and all of them") {
  const auto answers = train(tpu_v5p(), stated(70e9), {});
  CHECK_THAT(number<term::kOneChipTokenTime>(answers), WithinRel(4.2e11 / 4.59e14, 1e-15));
  CHECK_THAT(number<term::kOneChipTime>(answers),
             WithinRel(number<term::kOneChipTokenTime>(answers) * 15e12, 1e-15));
}

// --- scaling laws ---

TEST_CASE("twice the chips, half the time, the same cost and energy") {
  const auto once = train(h100(), llama3_70b(), {{"chips", 1024}});
  const auto twice = train(h100(), llama3_70b(), {{"chips", 2048}});
  CHECK(number<term::kTrainingTime>(once) == 2 * number<term::kTrainingTime>(twice));
  CHECK(number<term::kStepTime>(once) == 2 * number<term::kStepTime>(twice));
  CHECK(number<term::kChipHours>(once) == number<term::kChipHours>(twice));
  CHECK(number<term::kCost>(once) == number<term::kCost>(twice));
  CHECK(number<term::kEnergy>(once) == number<term::kEnergy>(twice));
}

TEST_CASE("half the utilisation, twice the time") {
  const auto full = train(tpu_v5p(), llama3_70b(), {{"mfu", 0.5}});
  const auto half = train(tpu_v5p(), llama3_70b(), {{"mfu", 0.25}});
  CHECK(number<term::kTrainingTime>(half) == 2 * number<term::kTrainingTime>(full));
  // Answers at the peak do not depend on it.
  CHECK(number<term::kOneChipTime>(half) == number<term::kOneChipTime>(full));
}

TEST_CASE("twice the tokens, twice the time and cost, the same step") {
  const auto once = train(tpu_v5p(), llama3_70b(), {{"tokens", 1e12}});
  const auto twice = train(tpu_v5p(), llama3_70b(), {{"tokens", 2e12}});
  CHECK(number<term::kTrainingTime>(twice) == 2 * number<term::kTrainingTime>(once));
  CHECK(number<term::kCost>(twice) == 2 * number<term::kCost>(once));
  CHECK(number<term::kStepTime>(twice) == number<term::kStepTime>(once));
}

TEST_CASE("twice the layers: twice their parameters, the same vocabulary") {
  const auto once = train(tpu_v5p(), llama3_70b(), {});
  const auto twice = train(tpu_v5p(), with(llama3_70b(), {{"layers", 160}}), {});
  CHECK(number<term::kParametersFeedForward>(twice) ==
        2 * number<term::kParametersFeedForward>(once));
  CHECK(number<term::kParametersAttention>(twice) == 2 * number<term::kParametersAttention>(once));
  CHECK(number<term::kCheckpointMemory>(twice) == 2 * number<term::kCheckpointMemory>(once));
  CHECK(number<term::kKvCachePerToken>(twice) == 2 * number<term::kKvCachePerToken>(once));
}

TEST_CASE("the step takes longer with a longer sequence only where attention is counted") {
  const auto step = [](FlopsRule rule, double length) {
    return number<term::kStepTime>(
        train(tpu_v5p(), llama3_70b(), {{"flopsRule", rule}, {"sequenceLength", length}}));
  };
  CHECK(step(FlopsRule::kSixN, 8192) == step(FlopsRule::kSixN, 4096));
  CHECK(step(FlopsRule::kExact, 8192) > step(FlopsRule::kExact, 4096));
}

TEST_CASE("it does not matter in which unit of time the rates are given") {
  // Rates in another unit of time: times shrink with it, ratios and thresholds stay.
  const double unit = 1024;  // a power of two, so that nothing is rounded
  Raw<Chip> fast = tpu_v5p();
  for (const char* key :
       {"peakBf16", "peakInt8", "memoryBandwidth", "linkBandwidth", "scaleOutBandwidth"}) {
    fast.values[index_of<Chip>(key)] *= unit;
  }
  const Settings run{{"slices", 2}, {"chips", 2 * 8960}};
  const auto slow_answers = train(tpu_v5p(), llama3_70b(), run);
  const auto fast_answers = train(fast, llama3_70b(), run);
  CHECK(number<term::kTrainingTime>(slow_answers) ==
        unit * number<term::kTrainingTime>(fast_answers));
  const auto same = [&](double a, double b) { CHECK_THAT(a, WithinRel(b, 1e-14)); };
  same(number<term::kCriticalBatch>(slow_answers), number<term::kCriticalBatch>(fast_answers));
  same(number<term::kExactCriticalBatch>(slow_answers),
       number<term::kExactCriticalBatch>(fast_answers));
  same(number<term::kFsdpThreshold>(slow_answers), number<term::kFsdpThreshold>(fast_answers));
  same(number<term::kMixedThreshold>(slow_answers), number<term::kMixedThreshold>(fast_answers));
  same(number<term::kTensorLimit>(slow_answers), number<term::kTensorLimit>(fast_answers));
  same(number<term::kSliceThreshold>(slow_answers), number<term::kSliceThreshold>(fast_answers));
  same(number<term::kFractionOfPeak>(slow_answers), number<term::kFractionOfPeak>(fast_answers));
  same(number<term::kMemoryPerChip>(slow_answers), number<term::kMemoryPerChip>(fast_answers));
}

}  // namespace
}  // namespace scaling::test::training_test
