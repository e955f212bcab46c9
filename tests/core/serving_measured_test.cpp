// SPDX-License-Identifier: MIT
//
// Serving: effects that published measurements show one by one.

#include <cmath>

#include "scaling/serving/load.hpp"
#include "scaling/serving/weights.hpp"
#include "servers.hpp"

namespace scaling::test::serving_measured_test {
namespace {

double output_speed(const char* chip, const char* model, double tensor, double users,
                    double answer) {
  return number<term::kOutputSpeed>(
      answers_to<ServingQuestion>(serve(chip, model,
                                        {{"load", ServingLoad::kStatic},
                                         {"users", users},
                                         {"promptTokens", 128},
                                         {"answerTokens", answer},
                                         {"chips", tensor},
                                         {"tensor", tensor}},
                                        {{"weights", WeightFormat::kFp8},
                                         {"cacheFormat", KvFormat::kFp8},
                                         {"groupedRead", GroupedRead::kEights},
                                         {"tokenBudget", 1e9},
                                         {"mostSequences", 1e7}})));
}

// Output tokens a second with weights and caches in fp8. Source: TensorRT-LLM 0.9.0,
// docs/source/performance.md.
TEST_CASE("blocks of attention share a core: caches in 8 bits are read at the memory's pace") {
  CHECK_THAT(output_speed("h100-sxm", "llama-2-7b", 1, 896, 128), WithinRel(19854.0, 0.15));
  CHECK_THAT(output_speed("h200-sxm", "llama-2-7b", 1, 896, 128), WithinRel(20618.0, 0.15));
}

TEST_CASE("kernels that do not share keys among heads read them for each") {
  // Groups of 4 heads.
  CHECK_THAT(output_speed("h100-sxm", "mistral-7b-v0.1", 1, 896, 128), WithinRel(20404.0, 0.15));
}

TEST_CASE("where prompts have chips of their own, they limit how many are answered at a time") {
  const auto at = [](double users) {
    return answers_to<ServingQuestion>(serve("h100-sxm", "llama-3.1-8b",
                                             {{"users", users},
                                              {"promptTokens", 8192},
                                              {"answerTokens", 128},
                                              {"apart", 1},
                                              {"chips", 2},
                                              {"prefillChips", 1}}));
  };
  const auto few = at(8);
  const auto many = at(64);
  // More users wait for the same chip.
  CHECK_THAT(number<term::kServingBatch>(many), WithinRel(number<term::kServingBatch>(few), 1e-6));
  CHECK_THAT(number<term::kTokenTime>(many), WithinRel(number<term::kTokenTime>(few), 1e-6));
  CHECK(number<term::kFirstToken>(many) > 6 * number<term::kFirstToken>(few));
  // Little's law: all of them wait or are answered.
  const double speed = number<term::kOutputSpeed>(many);
  CHECK_THAT(speed * (number<term::kFirstToken>(many) + 127 * number<term::kTokenTime>(many)),
             WithinRel(64.0 * 128, 1e-6));
}

/// How far a step with prompts is from one alone, at burst clocks, to one of many, at sustained
/// ones.
double sustained_share(double prompt, double answer) {
  const auto typed = ServingQuestion::read<double>(
      serve("h100-sxm", "llama-3.1-8b",
            {{"users", 64}, {"promptTokens", prompt}, {"answerTokens", answer}, {"chips", 1}}));
  const ServingInput<double> in(typed);
  const auto weights = weight_bytes(in);
  const auto ways = answering_ways(in.serving);
  const auto cycle = serving_cycle(in, weights, Count<double>(64));
  auto tokens = cycle.mixed_tokens;
  const auto alone = step_parts(in, weights, ways, tokens).total();
  tokens.sustained = Count<double>(1);
  const auto many = step_parts(in, weights, ways, tokens).total();
  CHECK(alone < many);
  return ((cycle.mixed - alone) / (many - alone)).value();
}

TEST_CASE("prompts beside answers slow clocks for the share of the time that they take") {
  const double few = sustained_share(512, 2048);
  const double many = sustained_share(4096, 128);
  CHECK(few > 0);
  CHECK(few < 0.2);
  CHECK(many > 0.5);
  CHECK(many < 1);
}

}  // namespace
}  // namespace scaling::test::serving_measured_test
