// SPDX-License-Identifier: MIT
//
// Weights with bits of their own, and layers and experts in the memory of a chip's host.

#include "scaling/serving/host.hpp"
#include "scaling/search/serving_division.hpp"
#include "scaling/serving/experts.hpp"
#include "scaling/serving/step_floor.hpp"
#include "servers.hpp"

namespace scaling::test::host_test {
namespace {

using Input = ServingQuestion::Input;

auto ask(const Input& input) { return answers_to<ServingQuestion>(input); }

/// One user of llama.cpp, on one card.
Input llama_cpp(const char* chip, const char* model, Settings serving, Settings server) {
  Settings load{{"chips", 1}, {"users", 1}, {"promptTokens", 512}, {"answerTokens", 128}};
  load.insert(load.end(), serving.begin(), serving.end());
  Settings software{{"weights", WeightFormat::kInt4},
                    {"headWeights", PartFormat::kAsWeights},
                    {"computeIn", ComputeIn::kInt8Blocks},
                    {"groupSize", 32},
                    {"zeroPoints", ZeroPoints::kNone},
                    {"allocation", CacheAllocation::kWhole},
                    {"tokenBudget", 512},
                    {"memoryShare", 1}};
  software.insert(software.end(), server.begin(), server.end());
  return serve(chip, model, load, software);
}

TEST_CASE("a file's bits for each weight give its size") {
  // Llama 3.1 8B, 8.03e9 parameters: files as bartowski publishes them, bits as llama-quantize's
  // README tells them.
  for (const auto& [bits, size] : {std::pair{3.1593, 3.18e9},
                                   {3.9960, 4.02e9},
                                   {4.8944, 4.92e9},
                                   {5.7036, 5.73e9},
                                   {6.5633, 6.60e9},
                                   {8.5008, 8.54e9}}) {
    INFO(bits);
    const auto answers = ask(llama_cpp("rtx-4090", "llama-3.1-8b", {}, {{"weightBits", bits}}));
    CHECK_THAT(number<term::kServingWeights>(answers), WithinRel(size, 0.005));
    // Decoding reads all but the embedding: no faster than the memory, and not twice as slow.
    const double least = (size - 128256 * 4096 * bits / 8) / 1.008e12;
    CHECK(number<term::kTokenTime>(answers) > least);
    CHECK(number<term::kTokenTime>(answers) < 2 * least);
  }
}

TEST_CASE("decoding with experts or layers on the host takes what was measured") {
  struct Measured {
    const char* chip;
    const char* model;
    Settings serving, server;
    double speed, low, high;  ///< tokens a second, and how far expected ones may be off
  };
  const Settings mxfp4{{"weights", WeightFormat::kInt8}, {"expertWeights", PartFormat::kMxfp4}};
  const Measured rows[] = {
      // llama-bench, gpt-oss-120b on a card of 24 GB and a desktop's DDR5; "Bigger ubatch made
      // gpt-oss-120b prompt processing much faster on my RTX 3090", -ub 512.
      {"rtx-3090", "gpt-oss-120b", {{"hostExperts", 26}}, mxfp4, 32.29, 0.85, 1.15},
      {"rtx-3090", "gpt-oss-120b", {{"hostExperts", 28}}, mxfp4, 30.05, 0.85, 1.15},
      // llama-server with --n-cpu-moe 36 on an i9-14900K and 96 GB of DDR5-6000: "120B runs awesome
      // on just 8GB VRAM".
      {"rtx-3090",
       "gpt-oss-120b",
       {{"hostExperts", 36}, {"hostMemory", 96e9}, {"hostMemoryBandwidth", 96e9}},
       mxfp4,
       25.62,
       0.85,
       1.15},
      // KTransformers, DeepSeek-R1 in Q4_K_M on one Xeon Gold 6454S with eight channels of
      // DDR5-4800 and an RTX 4090D: doc/en/DeepseekR1_V3_tutorial.md.
      {"rtx-4090",
       "deepseek-r1",
       {{"hostExperts", 58},
        {"hostMemory", 512e9},
        {"hostMemoryBandwidth", 307.2e9},
        {"hostCompute", 5e12}},
       {{"weightBits", 4.8}, {"hostPrompts", HostPrompts::kComputed}},
       8.73,
       0.75,
       1.5},
  };
  for (const auto& [chip, model, serving, server, speed, low, high] : rows) {
    INFO(model << " at " << speed);
    const auto answers = ask(llama_cpp(chip, model, serving, server));
    const double expected = 1 / number<term::kTokenTime>(answers);
    INFO(expected << " expected");
    CHECK(expected > low * speed);
    CHECK(expected < high * speed);
    CHECK(1 / number<term::kTokenTimeLower>(answers) > speed);
  }
}

TEST_CASE("cores of a host read at 0.6 of its channels' rate") {
  // llama-bench, Phi-4 on 64 cores of an EPYC 9554, whose channels have 460.8 GB/s: ahelpme.com,
  // "LLM inference benchmarks with llamacpp and AMD EPYC 9554 CPU".
  for (const auto& [bytes, speed] : {std::pair{8.43, 28.74}, {9.87, 25.44}, {11.20, 23.25}}) {
    const double share = bytes * 0x1p30 * speed / 460.8e9;
    CHECK_THAT(kServingConstants.host_memory, WithinAbs(share, 0.05));
  }
}

TEST_CASE("prompts bring the experts of a host over its link, for each step anew") {
  // llama-bench, gpt-oss-120b, RTX 3090 in PCIe 4.0, --n-cpu-moe 25 and 26: as above. Measured ones
  // are faster: experts that no token of a step chooses stay there, and texts leave out more than
  // chance does.
  const Settings mxfp4{{"weights", WeightFormat::kInt8}, {"expertWeights", PartFormat::kMxfp4}};
  for (const auto& [budget, layers, speed] :
       {std::tuple{512, 26, 380.27}, {2048, 25, 1112.54}, {4096, 26, 1682.47}}) {
    INFO(budget);
    Settings server = mxfp4;
    server.emplace_back("tokenBudget", budget);
    const auto answers = ask(llama_cpp("rtx-3090", "gpt-oss-120b",
                                       {{"hostExperts", layers}, {"promptTokens", 4096}}, server));
    const double expected = 4096 / number<term::kPrefillTime>(answers);
    CHECK(expected > 0.55 * speed);
    CHECK(expected < 1.1 * speed);
  }
}

TEST_CASE("layers on the host leave the chip, with their cache, and take their bytes' time") {
  const Settings q4{{"weightBits", 4.85}};
  const auto of = [&](double layers) {
    return ask(llama_cpp("rtx-4090", "llama-3.1-70b", {{"hostLayers", layers}}, q4));
  };
  CHECK(of(0).get<term::kServingFits>().value.value() == 0);
  const auto half = of(40), most = of(60);
  const double all = number<term::kServingWeights>(half);
  const double ends = 2 * 128256.0 * 8192 * 4.85 / 8;
  CHECK_THAT(number<term::kWeightsOnHost>(half), WithinRel((all - ends) / 2, 1e-3));
  CHECK_THAT(number<term::kWeightsOnChip>(half) + number<term::kWeightsOnHost>(half),
             WithinRel(all, 1e-12));
  // 20 GB at 0.6 of 89.6 GB/s: 2 to 3 tokens a second, as owners of such machines tell.
  CHECK_THAT(number<term::kDecodeHost>(half),
             WithinRel(number<term::kWeightsOnHost>(half) / (0.6 * 89.6e9), 0.01));
  CHECK(1 / number<term::kTokenTime>(half) > 2);
  CHECK(1 / number<term::kTokenTime>(half) < 3);
  CHECK(number<term::kTokenTime>(most) > number<term::kTokenTime>(half));
  CHECK(number<term::kMaxSequences>(most) > 1.9 * number<term::kMaxSequences>(half));
  CHECK(half.get<term::kDecodeBound>().value.value() == static_cast<double>(ServingBound::kHost));
}

TEST_CASE("the work of chip and host is that of the step, and no less than its floor") {
  for (const char* model : {"llama-3.1-70b", "gpt-oss-120b", "deepseek-v3"}) {
    for (const double layers : {0.0, 7.0, 30.0}) {
      for (const double experts : {0.0, 20.0}) {
        if (experts > 0 && std::string(model) == "llama-3.1-70b") continue;
        for (const double users : {1.0, 16.0, 31.0, 32.0, 256.0}) {
          for (const auto how : {HostPrompts::kCopied, HostPrompts::kComputed}) {
            INFO(model << ", " << layers << ", " << experts << ", " << users);
            const AskedServer asked(llama_cpp("h200-sxm", model,
                                              {{"users", users},
                                               {"hostLayers", layers},
                                               {"hostExperts", experts},
                                               {"hostMemory", 2e12},
                                               {"hostMemoryBandwidth", 300e9}},
                                              {{"hostPrompts", how}}));
            const auto ways = answering_ways(asked.in.serving);
            const auto tokens =
                decoding(asked.in.serving, Count<double>(users), Count<double>(900));
            const auto parts = step_parts(asked.in, asked.weights, ways, tokens);
            CHECK(parts.total().value() >=
                  step_floor(asked.in, asked.weights, ways, tokens).value());
            CHECK((parts.host.value() > 0) == (layers > 0 || experts > 0));
            const auto reached =
                asked.in.model.sparse()
                    ? reached_experts(asked.in.model.experts, asked.in.model.experts_per_token,
                                      tokens.all())
                    : Count<double>(1);
            CHECK(parts.experts.value() >=
                  experts_floor(asked.in, ways, tokens.all(), reached).value());
          }
        }
      }
    }
  }
}

TEST_CASE("a host works for one chip of a stage, and has room for what it holds") {
  const auto expect = [](Settings serving, IssueCode code, const char* field, double first = 0) {
    serving.emplace_back("chips", 4);
    auto input = llama_cpp("rtx-3090", "gpt-oss-120b", serving, {});
    const auto issues = estimate<ServingQuestion>(input).issues;
    REQUIRE(issues.items().size() == 1);
    INFO(kIssueNames[static_cast<std::size_t>(issues.items()[0].code)].code);
    CHECK(static_cast<int>(issues.items()[0].code) == static_cast<int>(code));
    CHECK(std::string(issues.items()[0].field) == field);
    if (first > 0) CHECK_THAT(issues.items()[0].arguments[0], WithinAbs(first, 1e9));
  };
  expect({{"hostExperts", 5}, {"tensor", 2}}, IssueCode::kHostAlone, "tensor");
  expect({{"hostLayers", 5}, {"attentionData", 2}}, IssueCode::kHostAlone, "attentionData");
  expect({{"hostLayers", 36}}, IssueCode::kAboveMaximum, "hostLayers");
  expect({{"hostExperts", 37}}, IssueCode::kAboveMaximum, "hostExperts");
  // 36 layers of 128 experts, each with three matrices of 2880 x 2880, in 4.5 bits.
  const double experts = 36 * 128 * 3 * 2880.0 * 2880;
  expect({{"hostExperts", 36}, {"hostMemory", 8e9}}, IssueCode::kBelowMinimum, "hostMemory",
         experts * 4.5 / 8);
}

TEST_CASE("the best division of chips with hosts has one chip in each stage") {
  for (const char* model : {"llama-3.1-70b", "gpt-oss-120b"}) {
    const auto input = llama_cpp("rtx-3090", model, {{"chips", 4}, {"hostLayers", 4}}, {});
    const auto read = ServingQuestion::read<double>(input);
    const auto best = DivisionSearch(ServingInput<double>(read), {}).best();
    CHECK(best.fits);
    CHECK(best.tensor * best.data * best.expert == 1);
    CHECK(best.pipeline > 1);
  }
}

}  // namespace
}  // namespace scaling::test::host_test
