// SPDX-License-Identifier: MIT
//
// Serving: what must hold whatever the model, the chip and the load, and mistakes that tools make.

#include <array>
#include <cmath>
#include <memory>
#include <optional>

#include "scaling/search/serving_frontier.hpp"
#include "servers.hpp"

namespace scaling::test::serving_test {
namespace {

using Input = ServingQuestion::Input;

auto ask(const Input& input) { return answers_to<ServingQuestion>(input); }

TEST_CASE("a token's cache counts key heads, latent vectors and both keys and values") {
  const auto of = [](const char* model) {
    return number<term::kKvPerToken>(ask(serve("h200-sxm", model, {})));
  };
  CHECK(of("llama-3.1-70b") == 2 * 2 * 80 * 8 * 128);
  CHECK(of("llama-2-13b") == 2 * 2 * 40 * 40 * 128);
  CHECK(of("deepseek-v3") == 2 * 61 * (512 + 64));
  for (const auto& [id, raw] : plain_presets()) {
    INFO(id);
    const auto model = typed(raw);
    const double each = model.attention == Attention::kLatent
                            ? (model.kv_rank + model.rope_dim).value()
                            : 2 * (model.kv_heads * model.head_dim).value();
    CHECK(of(id.c_str()) == 2 * model.layers.value() * each);
  }
}

TEST_CASE("the critical batch is that of the format in which a step computes") {
  const auto batch = [](const char* chip, WeightFormat weights) {
    const auto input =
        serve(chip, "llama-3-70b", {{"chips", 8}, {"tensor", 8}}, {{"weights", weights}});
    return answers_to<ServingQuestion>(input).get<term::kServingCriticalBatch>().value.value();
  };
  // FLOPs/s by bytes of a weight, over 2 and B/s. A100 has no fp8, H100 no fp4: weights are
  // widened.
  CHECK_THAT(batch("a100-sxm-80gb", WeightFormat::kFp8), WithinRel(312e12 / (2 * 2.039e12), 1e-9));
  CHECK_THAT(batch("h100-sxm", WeightFormat::kNvfp4),
             WithinRel(989.5e12 * 0.5 / (2 * 3.35e12), 1e-3));
  // B200 computes both in fp4, though scales differ.
  CHECK(batch("b200-sxm", WeightFormat::kMxfp4) == batch("b200-sxm", WeightFormat::kNvfp4));
  CHECK_THAT(batch("b200-sxm", WeightFormat::kNvfp4), WithinRel(9e15 * 0.5 / (2 * 8e12), 1e-9));
}

TEST_CASE("a window bounds the cache of its layers") {
  const auto bytes = [](double prompt) {
    return number<term::kKvPerSequence>(
        ask(serve("h200-sxm", "gpt-oss-120b", {{"promptTokens", prompt}, {"answerTokens", 1}})));
  };
  // 36 layers, 18 of them with a window of 128 tokens, 2048 B a layer and token.
  CHECK(bytes(99) == 36 * 100 * 2048);
  CHECK(bytes(9999) == 18 * 2048 * (10000 + 128));
}

TEST_CASE("what a sequence keeps is told by the kind of its layers") {
  const auto keeps = [](const char* model, double tokens) {
    return ask(serve("h200-sxm", model, {{"promptTokens", tokens - 1}, {"answerTokens", 1}}));
  };
  // 15 of 60 layers have attention: 2 key heads of 256; 45 Gated DeltaNet: 64 heads of 128 x 128 in
  // fp32, and 3 tokens of what the convolution of width 4 reads in 16 bits (Qwen3-Next).
  const auto hybrid = keeps("qwen3.5-397b-a17b", 1000);
  CHECK(number<term::kKvOfFull>(hybrid) == 15 * 1000 * 2.0 * 2 * 256 * 2);
  const double inputs = 2 * 16 * 128 + 64 * 128;
  CHECK(number<term::kStateOfLinear>(hybrid) == 45 * (64 * 128 * 128 * 4 + 3 * inputs * 2));
  CHECK_FALSE(hybrid.get<term::kKvOfWindowed>().present());
  CHECK_FALSE(hybrid.get<term::kStateOfMamba>().present());
  // A state is the same however long the context is.
  CHECK(number<term::kStateOfLinear>(keeps("qwen3.5-397b-a17b", 100000)) ==
        number<term::kStateOfLinear>(hybrid));
  const auto windows = keeps("gpt-oss-120b", 10000);
  CHECK(number<term::kKvOfFull>(windows) == 18 * 2048.0 * 10000);
  CHECK(number<term::kKvOfWindowed>(windows) == 18 * 2048.0 * 128);
  // 50 of 60 layers have a window of 1,024 tokens, which longer contexts fill.
  CHECK(number<term::kKvOfWindowed>(keeps("gemma-4-31b", 5000)) ==
        number<term::kKvOfWindowed>(keeps("gemma-4-31b", 1024)));
  CHECK(number<term::kKvOfWindowed>(keeps("gemma-4-31b", 512)) ==
        number<term::kKvOfWindowed>(keeps("gemma-4-31b", 1024)) / 2);
  CHECK(number<term::kKvOfFull>(keeps("gemma-4-31b", 5000)) ==
        10 * number<term::kKvOfFull>(keeps("gemma-4-31b", 500)));
  for (const auto& [id, raw] : model_presets()) {
    INFO(id);
    const auto answers = keeps(id.c_str(), 4096);
    double sum = 0;
    const auto add = [&](const auto& answer) {
      sum += answer.present() ? answer.value.value() : 0;
    };
    add(answers.get<term::kKvOfFull>());
    add(answers.get<term::kKvOfWindowed>());
    add(answers.get<term::kKvOfSparse>());
    add(answers.get<term::kKvOfCompressed>());
    add(answers.get<term::kStateOfLinear>());
    add(answers.get<term::kStateOfMamba>());
    add(answers.get<term::kStateOfConvolution>());
    CHECK(std::fabs(sum / number<term::kKvPerSequence>(answers) - 1) < 1e-12);
  }
}

TEST_CASE("the time for a token never falls with more users") {
  for (const char* model : {"llama-3.1-8b", "gpt-oss-120b"}) {
    for (const char* chip : {"h100-sxm", "b200-sxm"}) {
      double before = 0;
      for (double users = 1; users <= 256; users *= 2) {
        const auto answers = ask(serve(chip, model,
                                       {{"load", ServingLoad::kStatic},
                                        {"users", users},
                                        {"chips", 4},
                                        {"tensor", 4},
                                        {"promptTokens", 1024}}));
        INFO(model << " on " << chip << ", " << users);
        const double time = number<term::kDecodeStep>(answers);
        CHECK(time >= 0.999 * before);
        before = time;
      }
    }
  }
}

TEST_CASE("what does not fit has no speed, and says so") {
  const auto answers = ask(serve("h100-sxm", "llama-3.1-405b", {{"chips", 4}, {"tensor", 4}}));
  CHECK(number<term::kServingFits>(answers) == 0);
  CHECK_FALSE(answers.get<term::kOutputSpeed>().present());
  CHECK_FALSE(answers.get<term::kTokenTime>().present());
  CHECK_FALSE(answers.get<term::kCostOutput>().present());
  CHECK(number<term::kFewestChips>(answers) > 4);
}

TEST_CASE("a decode step reads as many experts as its tokens reach") {
  const auto reached = [](double users) {
    return number<term::kExpertsReached>(ask(serve("b200-sxm", "deepseek-v3",
                                                   {{"load", ServingLoad::kStatic},
                                                    {"users", users},
                                                    {"promptTokens", 64},
                                                    {"answerTokens", 16},
                                                    {"chips", 8},
                                                    {"tensor", 8}},
                                                   {{"weights", WeightFormat::kFp8Block}})));
  };
  CHECK_THAT(reached(1), WithinRel(8.0, 1e-9));
  CHECK_THAT(reached(64), WithinRel(256 * (1 - std::pow(1 - 8.0 / 256, 64)), 1e-9));
  CHECK(reached(4096) <= 256);
  CHECK(reached(64) > 8);
  CHECK(reached(64) < 256);
}

TEST_CASE("users share what the servers give") {
  const auto at = [](double users) {
    return ask(serve("h100-sxm", "llama-3.1-8b", {{"users", users}, {"chips", 1}}));
  };
  const auto one = at(1);
  const auto many = at(128);
  CHECK(number<term::kOutputSpeed>(many) < 128 * number<term::kOutputSpeed>(one));
  CHECK(number<term::kOutputSpeed>(many) > number<term::kOutputSpeed>(one));
  CHECK(number<term::kUserSpeed>(many) < number<term::kUserSpeed>(one));
}

/// Dollars of a chip-hour: presets have theirs in shared/prices.json, which the page brings.
constexpr double kPrice = 3.99;

ServingQuestion::Input priced(ServingQuestion::Input in) {
  in.chip = with(in.chip, {{"price", kPrice}});
  return in;
}

TEST_CASE(
    "servers that nobody asks give no tokens: one user's speed is not multiplied by servers") {
  for (const auto load : {ServingLoad::kClosed, ServingLoad::kStatic}) {
    const auto at = [&](double servers) {
      return ask(priced(
          serve("h100-sxm", "llama-3.1-8b", {{"load", load}, {"users", 1}, {"chips", servers}})));
    };
    CHECK(number<term::kOutputSpeed>(at(8)) == number<term::kOutputSpeed>(at(1)));
    CHECK(number<term::kDecodeSpeed>(at(8)) == number<term::kDecodeSpeed>(at(1)));
    CHECK(number<term::kCostAll>(at(8)) > 7 * number<term::kCostAll>(at(1)));
  }
}

TEST_CASE("requests that prefill servers cannot take pile up, too") {
  const auto at = [](double rate) {
    return ask(serve("h100-sxm", "llama-3.1-8b",
                     {{"load", ServingLoad::kOpen},
                      {"requestRate", rate},
                      {"promptTokens", 8192},
                      {"answerTokens", 32},
                      {"apart", 1},
                      {"chips", 8},
                      {"prefillChips", 1}}));
  };
  const auto few = at(0.5);
  CHECK(number<term::kSaturated>(few) == 0);
  CHECK_THAT(number<term::kOutputSpeed>(few), WithinRel(16.0, 1e-9));
  const auto many = at(20);
  CHECK(number<term::kSaturated>(many) == 1);
  CHECK(number<term::kOutputSpeed>(many) < 20 * 32);
}

TEST_CASE("a share of requests waits longer than the mean, and more so the larger it is") {
  for (const auto load :
       {ServingLoad::kClosed, ServingLoad::kOpen, ServingLoad::kMost, ServingLoad::kStatic}) {
    double before = 0;
    for (const double share : {0.9, 0.95, 0.99, 0.999}) {
      const auto answers = ask(serve("h100-sxm", "llama-3.1-8b",
                                     {{"load", load},
                                      {"users", 64},
                                      {"requestRate", 4},
                                      {"chips", 1},
                                      {"targetShare", share}}));
      INFO("load " << static_cast<int>(load) << ", " << share);
      const double tail = number<term::kFirstTokenTail>(answers);
      CHECK(tail >= before);
      CHECK(number<term::kTokenTail>(answers) >= number<term::kTokenTime>(answers));
      before = tail;
    }
  }
  // An exponential of mean m over those that wait has a share p below m ln(busy / (1 - p)).
  const auto answers = ask(serve(
      "h100-sxm", "llama-3.1-8b",
      {{"load", ServingLoad::kOpen}, {"requestRate", 4}, {"chips", 1}, {"targetShare", 0.99}}));
  const double busy = number<term::kPrefillShare>(answers);
  const double wait = number<term::kQueueTime>(answers);
  const double rest = number<term::kFirstToken>(answers) - wait;
  CHECK(busy > 0.01);
  CHECK_THAT(number<term::kFirstTokenTail>(answers),
             WithinRel(rest + wait / busy * std::log(busy / 0.01), 1e-6));
}

TEST_CASE("a target that cannot be met says what stands in its way") {
  const auto limit = [](const Settings& targets) {
    Settings settings{{"users", 64}, {"chips", 1}};
    settings.insert(settings.end(), targets.begin(), targets.end());
    const auto answers = ask(serve("h100-sxm", "llama-3.1-8b", settings));
    const auto which = static_cast<TargetLimit>(number<term::kTargetLimit>(answers));
    CHECK((number<term::kMeetsTargets>(answers) > 0) == (which == TargetLimit::kNone));
    return which;
  };
  CHECK(limit({{"firstTarget", 1e-3}}) == TargetLimit::kPromptFloor);
  CHECK(limit({{"firstTarget", 0.08}}) == TargetLimit::kPrompt);
  CHECK(limit({{"firstTarget", 0.3}}) == TargetLimit::kQueue);
  CHECK(limit({{"firstTarget", 100}}) == TargetLimit::kNone);
  CHECK(limit({{"tokenTarget", 1e-3}}) == TargetLimit::kStepFloor);
  CHECK(limit({{"tokenTarget", 6e-3}}) == TargetLimit::kStep);
  CHECK(limit({{"tokenTarget", 1}}) == TargetLimit::kNone);
}

// Source: ggml-org/llama.cpp, benches/dgx-spark.md @4c7e989: 4,096 tokens of a prompt. Its kernels
// compute in integers whatever the weights are in, at a share of their peak.
TEST_CASE("llama.cpp multiplies blocks of integers") {
  const auto ask_for = [](const char* chip, const char* model, Settings server, ComputeIn how) {
    server.emplace_back("computeIn", how);
    server.emplace_back("headWeights", PartFormat::kInt8);
    server.emplace_back("groupSize", 32);
    server.emplace_back("zeroPoints", ZeroPoints::kNone);
    server.emplace_back("tokenBudget", 2048);
    return ask(serve(chip, model,
                     {{"chips", 1},
                      {"users", 1},
                      {"load", ServingLoad::kStatic},
                      {"promptTokens", 4096},
                      {"answerTokens", 32}},
                     server));
  };
  struct Measured {
    const char* model;
    Settings weights;
    double seconds;
  };
  const Settings int8{{"weights", WeightFormat::kInt8}};
  const Settings mxfp4{{"weights", WeightFormat::kInt8}, {"expertWeights", PartFormat::kMxfp4}};
  for (const auto& [model, weights, seconds] : {Measured{"qwen2.5-7b", int8, 1.813},
                                                {"qwen3-30b-a3b", int8, 1.319},
                                                {"gpt-oss-20b", mxfp4, 1.166},
                                                {"gpt-oss-120b", mxfp4, 2.245}}) {
    INFO(model);
    const auto blocks = ask_for("dgx-spark", model, weights, ComputeIn::kInt8Blocks);
    CHECK(number<term::kPrefillTime>(blocks) > 0.8 * seconds);
    CHECK(number<term::kPrefillTime>(blocks) < 1.2 * seconds);
    CHECK(number<term::kFirstTokenLower>(blocks) < seconds);
    const auto own = ask_for("dgx-spark", model, weights, ComputeIn::kAsWeights);
    CHECK(number<term::kPrefillTime>(own) < 0.6 * seconds);
  }
  // A chip that multiplies no integers widens them.
  const auto prefill = [&](const char* chip, const Settings& weights, ComputeIn how) {
    return number<term::kPrefillTime>(ask_for(chip, "llama-3.1-8b", weights, how));
  };
  CHECK(prefill("apple-m2-ultra", int8, ComputeIn::kInt8Blocks) ==
        prefill("apple-m2-ultra", int8, ComputeIn::kBf16));
}

TEST_CASE("a budget pays for whole chips") {
  const auto answers =
      ask(priced(serve("h100-sxm", "llama-3.1-8b", {{"chips", 1}, {"budget", 20}})));
  CHECK(number<term::kChipsInBudget>(answers) == std::floor(20 / kPrice));
}

TEST_CASE("the bracket of the first token is that of requests one by one and all at once") {
  const auto at = [](std::optional<double> together) {
    Settings settings{{"users", 64}, {"chips", 1}};
    if (together) settings.push_back({"together", *together});
    return ask(serve("h100-sxm", "llama-3.1-8b", settings));
  };
  const auto open = at({});
  const double width = number<term::kFirstTokenHigh>(open) / number<term::kFirstTokenLow>(open);
  for (const double together : {0.0, 0.5, 1.0}) {
    const auto known = at(together);
    CHECK(number<term::kFirstTokenHigh>(known) / number<term::kFirstTokenLow>(known) < width);
    CHECK(number<term::kFirstToken>(known) >= number<term::kFirstTokenSpread>(open) * (1 - 1e-9));
    CHECK(number<term::kFirstToken>(known) <= number<term::kFirstTokenBurst>(open) * (1 + 1e-9));
  }
}

TEST_CASE("peaks are dense, and decoding is not priced at the rate of prompts") {
  const auto answers = ask(serve("h100-sxm", "llama-3.1-8b", {{"users", 1}, {"chips", 1}}));
  const double weights = number<term::kServingWeights>(answers);
  CHECK(number<term::kDecodeFloor>(answers) >= 0.9 * weights / 3.35e12);
  CHECK(number<term::kPrefillTime>(answers) >= 2 * 7.5e9 * 4096 / 989.5e12);
  CHECK(number<term::kDecodeStep>(answers) > weights / 3.35e12);
}

TEST_CASE("weights in integers compute at the chip's rate for integers") {
  const auto prefill = [](WeightFormat weights, double floating, double integers) {
    auto input =
        serve("h200-sxm", "llama-3.1-8b", {{"users", 1}, {"chips", 1}}, {{"weights", weights}});
    input.chip["peakFp8"] = floating;
    input.chip["peakInt8"] = integers;
    return number<term::kPrefillTime>(ask(input));
  };
  const double at_two = prefill(WeightFormat::kInt8, 2e15, 2e15);
  CHECK(prefill(WeightFormat::kInt8, 1e15, 2e15) == at_two);
  CHECK(prefill(WeightFormat::kInt8, 2e15, 1e15) > at_two);
  CHECK(prefill(WeightFormat::kFp8, 2e15, 1e15) == prefill(WeightFormat::kFp8, 2e15, 2e15));
}

TEST_CASE("nothing is below its bound, and bands hold what is expected") {
  for (std::size_t which = 0; which < 9 * 28; ++which) {
    const auto answers = ask(inputs::base<ServingQuestion>(which));
    INFO("serving " << which);
    const auto not_above = [&](const auto& low, const auto& high) {
      if (low.present() && high.present()) {
        CHECK(low.value.value() <= high.value.value() * (1 + 1e-9));
      }
    };
    not_above(answers.get<term::kFirstTokenLower>(), answers.get<term::kFirstToken>());
    not_above(answers.get<term::kTokenTimeLower>(), answers.get<term::kTokenTime>());
    not_above(answers.get<term::kOutputSpeed>(), answers.get<term::kOutputSpeedUpper>());
    not_above(answers.get<term::kFirstTokenLow>(), answers.get<term::kFirstToken>());
    not_above(answers.get<term::kFirstToken>(), answers.get<term::kFirstTokenHigh>());
    not_above(answers.get<term::kTokenTimeLow>(), answers.get<term::kTokenTime>());
    not_above(answers.get<term::kTokenTime>(), answers.get<term::kTokenTimeHigh>());
    not_above(answers.get<term::kOutputSpeedLow>(), answers.get<term::kOutputSpeed>());
    not_above(answers.get<term::kOutputSpeed>(), answers.get<term::kOutputSpeedHigh>());
  }
}

TEST_CASE("more memory never holds fewer sequences, and more chips never less") {
  double before = 0;
  for (double share = 0.5; share < 1; share += 0.05) {
    const auto answers =
        ask(serve("h100-sxm", "llama-3.1-8b", {{"chips", 1}}, {{"memoryShare", share}}));
    const double most = number<term::kMaxSequences>(answers);
    CHECK(most >= before);
    before = most;
  }
  before = 0;
  for (double ways = 1; ways <= 8; ways *= 2) {
    const double most = number<term::kMaxSequences>(
        ask(serve("h100-sxm", "llama-3.1-8b", {{"chips", ways}, {"tensor", ways}})));
    CHECK(most >= before);
    before = most;
  }
}

TEST_CASE("more tensor ways than key heads hold each head twice") {
  const auto room = [](bool by_batch) {
    return number<term::kMaxSequences>(
        ask(serve("h100-sxm", "llama-3.1-70b", {{"chips", 16}, {"tensor", 16}},
                  {{"divideByBatch", by_batch}})));
  };
  CHECK_THAT(room(true), WithinRel(2 * room(false), 0.01));
}

TEST_CASE("requests that come too fast have no latency") {
  const auto at = [](double rate) {
    return ask(serve("h100-sxm", "llama-3.1-8b",
                     {{"load", ServingLoad::kOpen}, {"requestRate", rate}, {"chips", 1}}));
  };
  const auto few = at(0.5);
  CHECK(number<term::kSaturated>(few) == 0);
  CHECK_THAT(number<term::kRequestSpeed>(few), WithinRel(0.5, 1e-9));
  const auto many = at(1e4);
  CHECK(number<term::kSaturated>(many) == 1);
  CHECK_FALSE(many.get<term::kFirstToken>().present());
  CHECK(number<term::kChipsForLoad>(many) > 1);
}

TEST_CASE("a prompt at an idle server takes no less than the launches of its kernels") {
  const auto& constants = kServingConstants;
  const auto prefill = [](const char* model, double prompt, PromptLaunch launch) {
    return answers_to<ServingQuestion>(serve(
        "h200-sxm", model, {{"chips", 8}, {"tensor", 8}, {"users", 4}, {"promptTokens", prompt}},
        {{"weights", WeightFormat::kFp8}, {"promptLaunch", launch}}));
  };
  using enum PromptLaunch;
  struct Case {
    const char* model;
    double kernels;
  };
  for (const auto& [model, kernels] :
       {Case{"llama-3.1-8b", 32 * constants.kernels_layer.value},
        Case{"mixtral-8x7b",
             32 * (constants.kernels_layer.value + constants.kernels_experts.value)},
        Case{"deepseek-v3", 61 * (constants.kernels_layer.value + constants.kernels_latent.value) +
                                58 * constants.kernels_experts.value}}) {
    INFO(model);
    const auto ahead = prefill(model, 16, kAhead);
    const auto eager = prefill(model, 16, kEager);
    const double launches = kernels * constants.eager_launch;
    REQUIRE(number<term::kPrefillTime>(ahead) < launches);
    CHECK_THAT(number<term::kPrefillTime>(eager), WithinRel(launches, 1e-12));
    CHECK(number<term::kFirstToken>(eager) > number<term::kFirstToken>(ahead));
    // Neither the bound nor a step that decodes knows of it.
    CHECK(number<term::kFirstTokenLower>(eager) == number<term::kFirstTokenLower>(ahead));
    CHECK(number<term::kDecodeStep>(eager) == number<term::kDecodeStep>(ahead));
    // The kernels of a long prompt take longer than their launches.
    CHECK(number<term::kPrefillTime>(prefill(model, 65536, kEager)) ==
          number<term::kPrefillTime>(prefill(model, 65536, kAhead)));
  }
}

TEST_CASE("a batch keeps a target of the first token only if its prompts do") {
  const auto meets = [](double target) {
    return number<term::kMeetsTargets>(
        ask(serve("h100-sxm", "llama-3.1-8b",
                  {{"load", ServingLoad::kStatic}, {"users", 32}, {"firstTarget", target}})));
  };
  const double first = number<term::kFirstToken>(
      ask(serve("h100-sxm", "llama-3.1-8b", {{"load", ServingLoad::kStatic}, {"users", 32}})));
  CHECK(meets(first * 1.01) == 1);
  CHECK(meets(first * 0.99) == 0);
}

TEST_CASE("tokens that a server sends together come with the last of them") {
  const auto sent = [](double tokens) {
    return ask(serve("h100-sxm", "llama-3.1-8b",
                     {{"users", 8}, {"promptTokens", 1000}, {"answerTokens", 101}},
                     {{"streamInterval", tokens}}));
  };
  const auto each = sent(1);
  const double first = number<term::kFirstToken>(each);
  const double token = number<term::kTokenTime>(each);
  for (const double tokens : {2.0, 20.0, 101.0, 1000.0}) {
    INFO(tokens);
    const auto groups = sent(tokens);
    const double held = std::fmin(tokens, 101) - 1;
    CHECK_THAT(number<term::kFirstToken>(groups), WithinRel(first + held * token, 1e-9));
    CHECK_THAT(number<term::kTokenTime>(groups), WithinRel(token * (100 - held) / 100, 1e-9));
    // A request takes as long as ever, and as many come out.
    CHECK_THAT(number<term::kAnswerTime>(groups), WithinRel(number<term::kAnswerTime>(each), 1e-9));
    CHECK_THAT(number<term::kOutputSpeed>(groups),
               WithinRel(number<term::kOutputSpeed>(each), 1e-9));
    CHECK(number<term::kTokenTimeLower>(groups) <= number<term::kTokenTime>(groups));
  }
}

TEST_CASE("one batch is the less sure in 4 bits, and on chips whose attention was not measured") {
  const auto& constants = kServingConstants;
  const auto high = [](const char* chip, WeightFormat weights) {
    const auto answers =
        ask(serve(chip, "llama-3.1-8b", {{"load", ServingLoad::kStatic}, {"users", 16}},
                  {{"weights", weights}}));
    return number<term::kTokenTimeHigh>(answers) / number<term::kTokenTime>(answers);
  };
  const double usual = constants.steady_token_high;
  CHECK_THAT(high("b200-sxm", WeightFormat::kFp8), WithinRel(usual, 1e-9));
  CHECK_THAT(high("b200-sxm", WeightFormat::kNvfp4),
             WithinRel(usual * constants.steady_four, 1e-9));
  CHECK_THAT(high("trainium-1", WeightFormat::kBf16), WithinRel(usual, 1e-9));
  CHECK_THAT(high("mi300x", WeightFormat::kBf16), WithinRel(usual * constants.unmeasured, 1e-9));
}

TEST_CASE("models with experts may be the slower, the more of the time prompts take") {
  const auto& constants = kServingConstants;
  const auto slow = [&](const char* chip, const char* model, double prompt) {
    const auto answers = ask(serve(chip, model,
                                   {{"chips", 8},
                                    {"tensor", 8},
                                    {"users", 32},
                                    {"promptTokens", prompt},
                                    {"answerTokens", 500}},
                                   {{"weights", WeightFormat::kFp8}}));
    const double token = number<term::kTokenTimeHigh>(answers) / number<term::kTokenTime>(answers);
    const double share = number<term::kPrefillShare>(answers);
    const double output =
        number<term::kOutputSpeed>(answers) / number<term::kOutputSpeedLow>(answers);
    return std::array<double, 3>{share, token, output};
  };
  // Of Blackwell most served models were measured.
  const std::pair<const char*, double> chips[] = {{"b200-sxm", 1},
                                                  {"h200-sxm", constants.sparse_elsewhere}};
  for (const auto& [chip, wider] : chips) {
    double before = 0;
    for (const double prompt : {100.0, 1000.0, 4000.0}) {
      INFO(chip << " " << prompt);
      const auto [share, token, output] = slow(chip, "mixtral-8x7b", prompt);
      CHECK(share > before);
      before = share;
      const double prompts = constants.sparse_prompts * share;
      CHECK_THAT(token, WithinRel(wider * (constants.sparse_token_high + prompts), 1e-6));
      CHECK_THAT(output, WithinRel(wider * (1 / constants.sparse_rate_low + prompts), 1e-6));
      const auto dense = slow(chip, "llama-3.1-8b", prompt);
      CHECK_THAT(dense[1], WithinRel(constants.token_high, 1e-9));
      CHECK_THAT(dense[2], WithinRel(1 / constants.rate_low, 1e-9));
    }
  }
}

TEST_CASE("a program compiled for one shape reads all of the cache that is reserved") {
  const auto reading = [](HostWork host, double prompt, double longest) {
    const auto answers = ask(serve(
        "trainium-1", "llama-3.1-8b",
        {{"chips", 12},
         {"tensor", 4},
         {"users", 4},
         {"load", ServingLoad::kStatic},
         {"promptTokens", prompt},
         {"answerTokens", 100}},
        {{"host", host}, {"allocation", CacheAllocation::kLongest}, {"longestSequence", longest}}));
    return number<term::kDecodeAttention>(answers);
  };
  using enum HostWork;
  CHECK(reading(kCompiled, 100, 8192) == reading(kCompiled, 4000, 8192));
  CHECK(reading(kCompiled, 100, 8192) > 1.5 * reading(kCompiled, 100, 4096));
  CHECK(reading(kCompiled, 100, 8192) > 5 * reading(kBetween, 100, 8192));
  CHECK(reading(kBetween, 100, 8192) == reading(kBetween, 100, 4096));
  CHECK(reading(kBetween, 4000, 8192) > 2 * reading(kBetween, 100, 8192));
}

TEST_CASE("heads of a group that read keys one by one find them in L2, where there is one") {
  const auto reading = [](const char* chip, GroupedRead read) {
    return number<term::kDecodeAttention>(ask(
        serve(chip, "llama-3.1-8b", {{"users", 8}, {"promptTokens", 4000}, {"answerTokens", 100}},
              {{"groupedRead", read}})));
  };
  using enum GroupedRead;
  // 4 query heads share a key head: a chip without L2 reads each key for each of them.
  CHECK(reading("trainium-1", kNone) > 2.5 * reading("trainium-1", kAll));
  CHECK(reading("h100-sxm", kNone) > reading("h100-sxm", kAll));
  CHECK(reading("h100-sxm", kNone) < 3 * reading("h100-sxm", kAll));
}

TEST_CASE("the frontier is one: no point beats another in both") {
  const auto input = serve("h100-sxm", "llama-3.1-70b", {{"chips", 4}, {"tensor", 4}},
                           {{"weights", WeightFormat::kFp8}});
  const auto typed_input = ServingQuestion::read<double>(input);
  const ServingFrontier frontier{ServingInput<double>(typed_input)};
  REQUIRE(frontier.points().size() > 3);
  CHECK(frontier.evaluated() > frontier.points().size());
  const ServingPoint* before = nullptr;
  for (const auto& point : frontier.points()) {
    if (before != nullptr) {
      CHECK(point.token > before->token);
      CHECK(point.speed > before->speed);
    }
    before = &point;
  }
}

TEST_CASE("points of the frontier cost what an hour of an owned chip comes to") {
  const auto cost_of = [](const Settings& changes) {
    auto input = serve("h100-sxm", "llama-3.1-70b", {{"chips", 4}, {"tensor", 4}, {"pue", 1.2}},
                       {{"weights", WeightFormat::kFp8}});
    auto& chip = raw_group<Chip>(input);
    chip["payment"] = static_cast<double>(Payment::kOwned);
    chip["purchase"] = 33750;
    for (const auto& [key, value] : changes) chip[key] = value;
    const ServingFrontier frontier{ServingInput<double>(ServingQuestion::read<double>(input))};
    REQUIRE_FALSE(frontier.points().empty());
    return frontier.points()[0].cost;
  };
  const double listed = cost_of({{"payment", Payment::kRented}, {"price", 1}});
  // Worked by hand: $33,750 over 5.5 years of 8,766 h, and 0.7 kW x 1.2 at 8.06 cents.
  CHECK_THAT(cost_of({}) / listed, WithinRel(33750 / (5.5 * 8766) + 0.7 * 1.2 * 0.0806, 1e-12));
}

/// The time to the first token by its parts.
template <class Answers>
double parts_of_first(const Answers& answers) {
  const auto of = [](const auto& answer) { return answer.present() ? answer.value.value() : 0; };
  return of(answers.template get<term::kPrefillTime>()) +
         of(answers.template get<term::kQueueTime>()) +
         of(answers.template get<term::kPlaceTime>()) +
         of(answers.template get<term::kTransferTime>()) +
         of(answers.template get<term::kBeginTime>());
}

TEST_CASE("the time to the first token is the sum of its parts, whatever the load") {
  for (const auto load :
       {ServingLoad::kClosed, ServingLoad::kOpen, ServingLoad::kMost, ServingLoad::kStatic}) {
    for (const double apart : {0.0, 1.0}) {
      for (const double users : {8.0, 200.0, 4000.0}) {
        for (const double interval : {1.0, 8.0}) {
          INFO(kServingLoadNames[static_cast<std::size_t>(load)]
               << ", " << users << " users, apart " << apart << ", sent " << interval);
          const auto answers = ask(serve("h200-sxm", "llama-3.1-70b",
                                         {{"load", load},
                                          {"users", users},
                                          {"requestRate", 1},
                                          {"apart", apart},
                                          {"chips", 16},
                                          {"tensor", 8},
                                          {"prefillChips", 8},
                                          {"prefillTensor", 8}},
                                         {{"streamInterval", interval}}));
          if (number<term::kServingFits>(answers) == 0) continue;
          CHECK_THAT(parts_of_first(answers), WithinRel(number<term::kFirstToken>(answers), 1e-12));
        }
      }
    }
  }
}

TEST_CASE("users that the cache has no room for wait for a place") {
  const auto of = [](double users) {
    return ask(serve("h200-sxm", "qwen3-235b-a22b",
                     {{"chips", 8}, {"tensor", 8}, {"expert", 8}, {"users", users}}));
  };
  const auto answers = of(1000);
  const double placed = number<term::kUsersPlaced>(answers);
  CHECK(placed == number<term::kMaxSequences>(answers));
  CHECK(placed < 1000);
  const double first = number<term::kFirstToken>(answers);
  const double place = number<term::kPlaceTime>(answers);
  CHECK(place > 0.9 * first);
  // A request takes a wait and its answer, while all others take theirs once: Little's law.
  const double answer = number<term::kAnswerTime>(answers);
  const double served = answer - place - number<term::kQueueTime>(answers);
  CHECK_THAT(place / served, WithinRel(1000 / placed - 1, 0.1));
  const auto all = of(placed);
  CHECK_FALSE(all.get<term::kPlaceTime>().present());
  CHECK(number<term::kUsersPlaced>(all) == placed);
}

TEST_CASE("long prompts wait for a place, too") {
  const auto answers =
      ask(serve("h200-sxm", "llama-3.1-8b",
                {{"chips", 8}, {"tensor", 8}, {"users", 12}, {"promptTokens", 1e6}}));
  CHECK(number<term::kUsersPlaced>(answers) < 12);
  CHECK(number<term::kPlaceTime>(answers) > 0);
}

TEST_CASE("software that serves few at a time lets users wait for a place") {
  const auto answers = ask(
      serve("h200-sxm", "llama-3.1-8b", {{"chips", 1}, {"users", 64}}, {{"mostSequences", 16}}));
  CHECK(number<term::kUsersPlaced>(answers) == 16);
  CHECK(number<term::kPlaceTime>(answers) > 0);
}

TEST_CASE("the wait for a place is a step of the derivation, with its cycles") {
  const auto input = serve("h200-sxm", "qwen3-235b-a22b",
                           {{"chips", 8}, {"tensor", 8}, {"expert", 8}, {"users", 1000}});
  const auto storage = std::make_unique<std::array<Node, 1u << 15>>();
  Tape tape(*storage);
  Issues issues;
  const NodeId root =
      explain<ServingQuestion>(input, answer_of<ServingQuestion>(term::kFirstToken), tape, issues);
  REQUIRE(root != kNowhere);
  bool place = false;
  bool cycles = false;
  for (NodeId id = 1; id <= root; ++id) {
    place |= tape[id].term == &term::kPlaceTime;
    cycles |= tape[id].term == &term::kPlaceCycles;
  }
  CHECK(place);
  CHECK(cycles);
}

TEST_CASE("chips are bought in whole nodes, and in slices on a torus") {
  const auto bought = [](const char* chip, double chips) {
    return number<term::kChipsBought>(ask(serve(chip, "llama-3.1-8b", {{"chips", chips}})));
  };
  CHECK(bought("h200-sxm", 5) == 8);
  CHECK(bought("h200-sxm", 8) == 8);
  CHECK(bought("h200-sxm", 17) == 24);
  CHECK(bought("gb200-nvl72", 20) == 72);
  CHECK(bought("tpu-v5e", 5) == 8);
  CHECK(bought("l40s", 5) == 5);
  CHECK(bought("dgx-spark", 1) == 1);
  CHECK(bought("maia-200", 5) == 8);
  const auto answers = ask(serve("h200-sxm", "llama-3.1-70b", {{"chips", 24}, {"tensor", 8}}));
  CHECK(number<term::kServers>(answers) == 3);
  CHECK(number<term::kServerChips>(answers) == 8);
  CHECK(number<term::kNodes>(answers) == 3);
  CHECK(number<term::kNodeChips>(answers) == 8);
  CHECK_FALSE(ask(serve("l40s", "llama-3.1-8b", {})).get<term::kNodes>().present());
}

TEST_CASE("chips for a load can be bought, and prefill's are among them") {
  for (const double users : {1.0, 30.0, 100.0, 3000.0}) {
    for (const double apart : {0.0, 1.0}) {
      const auto answers = ask(serve("h200-sxm", "llama-3.1-70b",
                                     {{"chips", 64},
                                      {"tensor", 4},
                                      {"users", users},
                                      {"apart", apart},
                                      {"prefillChips", 32},
                                      {"prefillTensor", 4}}));
      const double chips = number<term::kChipsForLoad>(answers);
      INFO(users << " users: " << chips);
      CHECK(std::fmod(chips, 8) == 0);
      CHECK(chips >= 8);
    }
  }
}

TEST_CASE("a number of chips that nobody sells is answered with a notice") {
  const auto notices = [](const char* chip, double chips) {
    const auto outcome = estimate<ServingQuestion>(serve(chip, "llama-3.1-8b", {{"chips", chips}}));
    REQUIRE(outcome.issues.empty());
    int found = 0;
    for (const Issue& notice : outcome.notices.items()) {
      if (notice.code != IssueCode::kNotWholeNodes) continue;
      CHECK(notice.arguments[0] == 8);
      CHECK(notice.arguments[1] == 8 * std::ceil(chips / 8));
      ++found;
    }
    return found;
  };
  CHECK(notices("h200-sxm", 5) == 1);
  CHECK(notices("h200-sxm", 12) == 1);
  CHECK(notices("h200-sxm", 4) == 0);
  CHECK(notices("h200-sxm", 24) == 0);
  CHECK(notices("l40s", 5) == 0);
}

}  // namespace
}  // namespace scaling::test::serving_test
