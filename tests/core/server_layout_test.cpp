// SPDX-License-Identifier: MIT
//
// Layouts that serving software refuses to start, and those that it starts.

#include "scaling/questions/estimate.hpp"
#include "servers.hpp"
#include "support.hpp"

namespace scaling::test::server_layout_test {
namespace {

using Input = ServingQuestion::Input;

/// The field and the code of the first issue, or "runs".
std::string said_of(const Input& input) {
  const auto outcome = estimate<ServingQuestion>(input);
  if (outcome.issues.empty()) return "runs";
  const Issue& issue = outcome.issues.items()[0];
  return std::string(issue.field) + ": " + kIssueNames[static_cast<std::size_t>(issue.code)].code;
}

std::string said_of(const char* model, const Settings& serving, const Settings& server = {}) {
  Settings asked = {{"chips", 256}};
  asked.insert(asked.end(), serving.begin(), serving.end());
  return said_of(serve("b200-sxm", model, asked, server));
}

constexpr const char* kHeads = "tensor: tensorDoesntDivideHeads";

TEST_CASE("tensor ways divide query heads, and key heads or are a multiple of them") {
  // Source: vllm-project/vllm#5003 and #5951, and the assertions in vLLM's model classes.
  CHECK(said_of("qwen2.5-7b", {{"tensor", 8}}) == kHeads);
  CHECK(said_of("qwen2.5-7b", {{"tensor", 4}}) == "runs");
  CHECK(said_of("llama-3-70b", {{"tensor", 3}}) == kHeads);
  CHECK(said_of("llama-3-70b", {{"tensor", 6}}) == kHeads);
  CHECK(said_of("llama-3-70b", {{"tensor", 16}}) == "runs");  // two ranks to a key head
  CHECK(said_of("phi-3-medium-4k", {{"tensor", 4}}) == kHeads);
  CHECK(said_of("phi-3-medium-4k", {{"tensor", 2}}) == "runs");
  // A latent vector has no heads.
  CHECK(said_of("deepseek-v3", {{"tensor", 64}}) == "runs");
}

TEST_CASE("servers that prefill are held to the same") {
  const Settings apart = {{"apart", 1}, {"prefillChips", 64}};
  const auto with = [&](const Settings& more) {
    Settings all = apart;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  CHECK(said_of("qwen2.5-7b", with({{"prefillTensor", 8}})) ==
        "prefillTensor: tensorDoesntDivideHeads");
  CHECK(said_of("qwen3-30b-a3b", with({{"prefillData", 5}, {"prefillExpert", 5}})) ==
        "prefillExpert: expertsDontDivide");
}

TEST_CASE("no rank has a part of a block that shares a scale") {
  const Settings fp8{{"weights", WeightFormat::kFp8Block}};
  const Settings int4{{"weights", WeightFormat::kInt4}};
  // Experts of 1,536: QwenLM/Qwen3#1485, vllm-project/vllm#17569.
  CHECK(said_of("qwen3-235b-a22b", {{"tensor", 8}}, fp8) == "expert: blocksDontDivide");
  CHECK(said_of("qwen3-235b-a22b", {{"tensor", 8}, {"expert", 2}}, fp8) == "runs");
  CHECK(said_of("qwen3-235b-a22b", {{"tensor", 4}}, fp8) == "runs");
  CHECK(said_of("qwen3-235b-a22b", {{"tensor", 8}}) == "runs");
  CHECK(said_of("qwen3-30b-a3b", {{"tensor", 4}}, fp8) == "expert: blocksDontDivide");
  // A shared expert of 512: sgl-project/sglang#10852.
  CHECK(said_of("qwen3-next-80b-a3b", {{"tensor", 8}, {"expert", 8}}, fp8) ==
        "tensor: blocksDontDivide");
  // 231 groups of 128: vllm-project/vllm#21695.
  CHECK(said_of("qwen2.5-72b", {{"tensor", 2}}, int4) == "tensor: blocksDontDivide");
  CHECK(said_of("qwen2.5-72b", {{"tensor", 2}},
                {{"weights", WeightFormat::kInt4}, {"groupSize", 64}}) == "runs");
  // One scale for each column is whole on each rank.
  CHECK(said_of("qwen2.5-72b", {{"tensor", 8}},
                {{"weights", WeightFormat::kInt4}, {"groupSize", 1e6}}) == "runs");
  // DeepSeek-V3 in its own format, as it is served, and on 32 tensor ways, as it is not.
  CHECK(said_of("deepseek-v3", {{"tensor", 16}}, fp8) == "runs");
  CHECK(said_of("deepseek-v3", {{"tensor", 32}}, fp8) == "tensor: blocksDontDivide");
  // Kernels for mxfp4 pad: gpt-oss has 90 groups in a row, and runs on 8.
  CHECK(said_of("gpt-oss-120b", {{"tensor", 8}}, {{"expertWeights", PartFormat::kMxfp4}}) ==
        "runs");
}

TEST_CASE("each expert way holds as many experts") {
  CHECK(said_of("qwen3-30b-a3b", {{"attentionData", 5}, {"expert", 5}}) ==
        "expert: expertsDontDivide");
  CHECK(said_of("qwen3-30b-a3b", {{"attentionData", 5}, {"expert", 5}},
                {{"redundantExperts", 2}}) == "runs");
  CHECK(said_of("deepseek-v3", {{"attentionData", 144}, {"expert", 144}}) ==
        "expert: expertsDontDivide");
  CHECK(said_of("deepseek-v3", {{"attentionData", 144}, {"expert", 144}},
                {{"redundantExperts", 32}}) == "runs");
}

TEST_CASE("software that pads runs what others refuse, and copies of experts take memory") {
  CHECK(said_of("qwen2.5-7b", {{"tensor", 8}}, {{"unevenHeads", 1}}) == "runs");
  CHECK(said_of("qwen2.5-72b", {{"tensor", 2}},
                {{"weights", WeightFormat::kInt4}, {"unevenBlocks", 1}}) == "runs");
  const auto on_chip = [](const Settings& server) {
    const auto outcome = estimate<ServingQuestion>(serve(
        "b200-sxm", "qwen3-30b-a3b", {{"chips", 8}, {"attentionData", 8}, {"expert", 8}}, server));
    REQUIRE(outcome.issues.empty());
    return number<term::kWeightsOnChip>(outcome.answers);
  };
  // 48 layers of 8 experts, each of three matrices of 2,048 by 768 in 16 bits, over 8 chips.
  CHECK_THAT(on_chip({{"redundantExperts", 8}}) - on_chip({}),
             WithinRel(48.0 * 8 * 3 * 2048 * 768 * 2 / 8, 1e-12));
  // A padded rank holds as many key heads as its fullest: 10 on 4 are 3, 3, 3 and 3.
  const auto sequences = [](double tensor, bool uneven) {
    const auto outcome = estimate<ServingQuestion>(
        serve("b200-sxm", "phi-3-medium-4k", {{"chips", tensor}, {"tensor", tensor}},
              {{"unevenHeads", uneven ? 1.0 : 0.0}, {"reservedMemory", 0}}));
    REQUIRE(outcome.issues.empty());
    return number<term::kCacheUsed>(outcome.answers);
  };
  CHECK_THAT(sequences(4, true) / sequences(2, false), WithinRel(3.0 / 5, 1e-12));
}

TEST_CASE("an issue with too many ways names those that leave no chip, and how many there may be") {
  using Named = std::pair<std::string, double>;
  const auto first = [](const Settings& serving) {
    const auto outcome = estimate<ServingQuestion>(serve("h100-sxm", "qwen3-30b-a3b", serving));
    REQUIRE(!outcome.issues.empty());
    const Issue& issue = outcome.issues.items()[0];
    CHECK(issue.code == IssueCode::kAboveMaximum);
    return Named{issue.field, issue.arguments[1]};
  };
  CHECK(first({{"chips", 8}, {"tensor", 2}, {"pipeline", 40}}) == Named{"pipeline", 4.0});
  CHECK(first({{"chips", 8}, {"tensor", 16}}) == Named{"tensor", 8.0});
  CHECK(first({{"chips", 8}, {"tensor", 4}, {"attentionData", 4}}) == Named{"attentionData", 2.0});
  CHECK(first({{"chips", 16},
               {"apart", 1},
               {"prefillChips", 4},
               {"prefillTensor", 2},
               {"prefillData", 4}}) == Named{"prefillData", 2.0});
}

TEST_CASE("drafts take memory: a model that makes them, and its cache") {
  const auto outcome_of = [](const char* model, double drafts, double cost) {
    const auto outcome = estimate<ServingQuestion>(serve("h200-sxm", model,
                                                         {{"chips", 8},
                                                          {"tensor", 8},
                                                          {"load", ServingLoad::kMost},
                                                          {"draftTokens", drafts},
                                                          {"draftCost", cost}},
                                                         {{"weights", WeightFormat::kFp8}}));
    REQUIRE(outcome.issues.empty());
    return outcome.answers;
  };
  const auto plain = outcome_of("llama-3.1-70b", 0, 0.05);
  const auto drafted = outcome_of("llama-3.1-70b", 3, 0.05);
  CHECK_THAT(number<term::kWeightsOnChip>(drafted),
             WithinRel(1.05 * number<term::kWeightsOnChip>(plain), 1e-12));
  CHECK(number<term::kMaxSequences>(drafted) < number<term::kMaxSequences>(plain) / 1.05 + 1);
  // A look-up in the prompt costs nothing, and holds nothing.
  CHECK(number<term::kWeightsOnChip>(outcome_of("llama-3.1-70b", 3, 0)) ==
        number<term::kWeightsOnChip>(plain));
}

}  // namespace
}  // namespace scaling::test::server_layout_test
