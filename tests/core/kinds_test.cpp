// SPDX-License-Identifier: MIT
//
// Models whose layers are not all alike: parameters by the modules of the reference code, the cache
// and the state of a sequence, FLOPs against context. Numbers are worked out from the code that the
// sources in wasm/scaling/model/kernels/ name, module by module.

#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "kind_counts.hpp"

namespace scaling::test::kinds_test {
namespace {

using namespace kind_counts;
using namespace kind_models;

struct Counted {
  const char* name;
  Raw<Model> model;
  double total, active;
  double published;  ///< as makers name it; 0: not published
};

std::vector<Counted> counted() {
  return {
      {"Qwen3.5-397B-A17B", qwen35_397b(), 396346350336, 17349040896, 397e9},
      {"Qwen3.5-27B", qwen35_27b(), 26895998464, 26895998464, 27e9},
      {"Nemotron 3 Nano", nemotron3_nano(), 31577940288, 3580076352, 31.6e9},
      {"Nemotron 3 Super", nemotron3_super(), 120668707840, 12770237440, 120e9},
      // A_log as the code has it, one a head.
      {"Kimi K3", kimi_k3(), 2779484476000, 105364017760, 2.8e12},
      {"DeepSeek-V3.2", deepseek_v32(), 671877944064, 38403822336, 0},
      {"GLM-5", glm5(), 743911218432, 41784728832, 744e9},
      {"DeepSeek-V4-Flash", deepseek_v4_flash(), 284332240471, 13799632471, 0},
      {"Gemma 4 26B-A4B", gemma4_26b(), 25233141760, 3822530560, 0},
      {"MiMo-V2-Flash", mimo_v2_flash(), 308778780864, 15445936320, 309e9},
      {"MiniMax-M3", minimax_m3(), 426174572928, 25962473856, 0},
      {"Nemotron Super 49B", nemotron_super_49b(), 49867145216, 49867145216, 0},
  };
}

TEST_CASE("parameters of each kind are those of the reference code's modules") {
  for (const Counted& each : counted()) {
    INFO(each.name);
    const auto parameters = count_parameters(typed(each.model));
    CHECK(parameters.total.value() == each.total);
    CHECK(parameters.active.value() == each.active);
    if (each.published > 0) CHECK_THAT(each.total, WithinRel(each.published, 0.0075));
  }
  // DeepSeek names 685B with the module that predicts a second token.
  const auto deepseek = count_parameters(typed(deepseek_v32()));
  CHECK((deepseek.total + deepseek.mtp).value() == 683501971712);
}

TEST_CASE("the parts of layers add up to all parameters") {
  for (const Counted& each : counted()) {
    INFO(each.name);
    CHECK_THAT(sum_of_parts(each.model), WithinRel(each.total, 1e-12));
  }
}

// --- what sequences leave ---

TEST_CASE("the cache of a sequence at 4k, 128k and 1M tokens, worked by hand") {
  struct Cached {
    const char* name;
    Raw<Model> model;
    double per_token;  ///< of what grows [B]
    double fixed;      ///< of windows that are full [B]
    double state;
  };
  const Cached models[] = {
      // 15 layers of 2 heads, 256 wide; 45 of 64 heads, 128 x 128 in fp32, and three tokens of
      // 12,288 channels.
      {"Qwen3.5-397B-A17B", qwen35_397b(), 15 * 2 * 2 * 256 * 2, 0,
       45 * (64 * 128 * 128 * 4.0 + 3 * 12288 * 2)},
      // 6 layers of 2 heads, 128 wide; 23 of 64 heads, 64 x 128, and three tokens of 6,144.
      {"Nemotron 3 Nano", nemotron3_nano(), 6 * 2 * 2 * 128 * 2, 0,
       23 * (64 * 64 * 128 * 4.0 + 3 * 6144 * 2)},
      // 24 layers of latent vectors; 69 of 96 heads, and three tokens of 36,864.
      {"Kimi K3", kimi_k3(), 24 * 576 * 2, 0, 69 * (96 * 128 * 128 * 4.0 + 3 * 36864 * 2)},
      // Latent vectors and one index key of 128 in each layer.
      {"DeepSeek-V3.2", deepseek_v32(), 61 * (576 + 128) * 2, 0, 0},
      {"GLM-5", glm5(), 78 * (576 + 128) * 2, 0, 0},
      // A key of 512 and an index key of 128 for 4 tokens in 21 layers, a key of 512 for 128 tokens
      // in 20; a window of 128 in all 43. The waiting tokens take 2 series of keys and gates in 2
      // windows of 4 tokens; 1 of each in a window of 128.
      {"DeepSeek-V4-Flash", deepseek_v4_flash(), 21 * (512 + 128) * 2 / 4.0 + 20 * 512 * 2 / 128.0,
       43 * 128 * 512 * 2, 21 * (2 * 2 * 2 * 4) * (512 + 128) * 4.0 + 20 * (2 * 128) * 512 * 4.0},
      // Keys that are projected like values are cached beside them.
      {"Gemma 4 26B-A4B", gemma4_26b(), 5 * 2 * 2 * 512 * 2, 25 * 1024.0 * 2 * 8 * 256 * 2, 0},
      {"MiMo-V2-Flash", mimo_v2_flash(), 9 * 4 * (192 + 128) * 2, 39 * 128.0 * 8 * (192 + 128) * 2,
       0},
      // An index key of 128 in the 57 sparse layers.
      {"MiniMax-M3", minimax_m3(), 60 * 2 * 4 * 128 * 2 + 57 * 128 * 2, 0, 0},
  };
  for (const Cached& each : models) {
    INFO(each.name);
    for (const double tokens : {4096.0, 131072.0, 1048576.0}) {
      CHECK_THAT(cache_at(each.model, tokens),
                 WithinRel(each.per_token * tokens + each.fixed, 1e-12));
    }
    CHECK(state_of(each.model) == each.state);
  }
  // Qwen3.5 keeps 30,720 bytes a token where its 60 layers with attention would take 122,880.
  CHECK(cache_at(qwen35_397b(), 131072) == 4026531840);
  CHECK(state_of(qwen35_397b()) == 192061440);
  CHECK(state_of(inputs::llama3_70b()) == 0);
}

TEST_CASE("one of several indexers serves layers that have none") {
  // GLM-5.2: 21 of 78 layers compute an index.
  const auto all = typed(glm5());
  const auto some = typed(with(glm5(), {{"indexLayers", 21}}));
  const double indexer = 2048 * 32 * 128 + 6144 * 128 + 6144 * 32 + 2 * 128;
  CHECK((count_parameters(all).total - count_parameters(some).total).value() == 57 * indexer);
  CHECK(cache_at(glm5(), 1000) - cache_at(with(glm5(), {{"indexLayers", 21}}), 1000) ==
        57 * 128 * 2 * 1000);
}

// --- FLOPs ---

TEST_CASE("FLOPs of states do not grow with context, those of attention do") {
  // Four products with 64 matrices of 128 x 128, and a convolution of 4 over 12,288 channels, in 45
  // layers; scores and values of 32 heads of 256 in 15.
  const double states = 45 * 2 * (4 * 64 * 128 * 128.0 + 4 * 12288);
  for (const double length : {4096.0, 131072.0, 1048576.0}) {
    CHECK(products_at(qwen35_397b(), length) == states + 15 * 2 * length * 2 * 32 * 256);
  }
  // 7 FLOPs for each number of the state, and the convolution.
  const double scans = 23 * (7 * 4096 * 128.0 + 2 * 4 * 6144);
  CHECK(products_at(nemotron3_nano(), 4096) == scans + 6 * 2 * 4096 * 2 * 32 * 128.0);
}

TEST_CASE("sparse attention stops growing at what its indexer shows, the indexer does not") {
  const auto attention = [](double seen) { return 61 * 2 * seen * 128 * (192 + 128); };
  const auto indexer = [](double length) { return 61 * 2 * length * 64 * 128; };
  for (const double length : {1024.0, 2048.0, 4096.0, 131072.0, 1048576.0}) {
    CHECK(products_at(deepseek_v32(), length) ==
          attention(std::fmin(length, 2048)) + indexer(length));
  }
  // Past some context the indexer takes more than attention, and before all of it less than
  // DeepSeek-V3.
  CHECK(indexer(4096) < attention(2048));
  CHECK(indexer(131072) > attention(2048));
  CHECK(products_at(deepseek_v32(), 131072) < products_at(inputs::deepseek_v3(), 131072) / 4);
  // 16 blocks of 128 are 2048 tokens.
  for (const double length : {4096.0, 131072.0}) {
    const double full = 3 * 2 * length * 2 * 64 * 128.0;
    CHECK(products_at(minimax_m3(), length) ==
          full + 57 * 2 * (2048 * 2 * 64 * 128.0 + length * 4 * 128));
  }
}

TEST_CASE("compressed keys are few") {
  // 64 heads of 512: a window of 128; with it 512 chosen keys of 4 tokens, and all of 128 tokens.
  const double heads = 2 * 2 * 64 * 512;
  for (const double length : {4096.0, 131072.0, 1048576.0}) {
    const double keys = length / 4;
    const double expected = heads * (43 * 128 + 21 * std::fmin(keys, 512) + 20 * length / 128) +
                            2 * 21 * keys * 64 * 128;
    CHECK_THAT(products_at(deepseek_v4_flash(), length), WithinRel(expected, 1e-12));
  }
}

// --- one kind ---

template <class Question>
void expect_same_bits(const typename Question::Input& a, const typename Question::Input& b) {
  const auto one = answers_to<Question>(a);
  const auto other = answers_to<Question>(b);
  for (std::size_t i = 0; i < one.kSize; ++i) {
    INFO(one.kList[i]->key);
    CHECK(one.absences()[i] == other.absences()[i]);
    CHECK(one.values()[i] == other.values()[i]);
  }
}

/// Expects the same answers of an input that has either model; where both are wrong, by the same
/// issues. Counts don't say on which stage a window lies, as a pattern does: where mixers differ,
/// of one stage.
template <class Question>
void expect_same_bits_of(std::size_t which, const Raw<Model>& a, const Raw<Model>& b) {
  auto one = inputs::base<Question>(which);
  one.model = a;
  if constexpr (std::is_same_v<Question, PlanQuestion>) {
    if (typed(b).pattern.differs()) one.layout = with(one.layout, {{"pipeline", 1}});
  }
  auto other = one;
  other.model = b;
  const auto issues = estimate<Question>(one).issues;
  CHECK(issues.items().size() == estimate<Question>(other).issues.items().size());
  if (issues.empty()) expect_same_bits<Question>(one, other);
}

TEST_CASE("a pattern that says what the counts say gives the same answers to the bit") {
  struct Pair {
    Raw<Model> counts;
    const char* pattern;
  };
  const Pair pairs[] = {
      {inputs::llama3_70b(), "80xad"},
      {inputs::llama3_70b(), "2x(40xad)"},
      {inputs::deepseek_v3(), "3xad.58xae"},
      {inputs::gpt_oss_120b(), "18x(we ae)"},
      {deepseek_v32(), "3xsd,58xse"},
      {with(inputs::llama3_70b(), {{"slidingWindow", 4096}, {"windowedLayers", 40}}), "40x(wd.ad)"},
      {with(inputs::llama3_70b(),
            {{"slidingWindow", 4096}, {"windowedLayers", 40}, {"windowHeadDim", 64}}),
       "40x(ad.wd)"},
  };
  for (const Pair& pair : pairs) {
    INFO(pair.pattern);
    Raw<Model> told = pair.counts;
    told.text("layerPattern") = Text(pair.pattern);
    for (std::size_t which = 0; which < 36; ++which) {
      auto training = inputs::base<TrainingQuestion>(which);
      training.model = pair.counts;
      auto other = training;
      other.model = told;
      expect_same_bits<TrainingQuestion>(training, other);
      expect_same_bits_of<PlanQuestion>(which, pair.counts, told);
      expect_same_bits_of<ServingQuestion>(which, pair.counts, told);
    }
    for (std::size_t which = 0; which < 3 * std::size(kOperationKindNames); ++which) {
      expect_same_bits_of<OperationQuestion>(which, pair.counts, told);
    }
  }
}

TEST_CASE("stages that have as many layers of each kind take what layers take on average") {
  const auto counts = with(inputs::llama3_70b(), {{"slidingWindow", 4096}, {"windowedLayers", 40}});
  auto told = counts;
  told.text("layerPattern") = Text("40x(wd.ad)");
  for (const double stages : {2, 4, 8, 20, 40}) {
    const auto of = [&](const Raw<Model>& model) {
      auto input = inputs::base<PlanQuestion>(0);
      input.model = model;
      input.run = with(input.run, {{"chips", 320}, {"sequenceLength", 16384}});
      input.layout = with(Raw<Layout>::defaults(), {{"pipeline", stages}});
      return answers_to<PlanQuestion>(input);
    };
    const auto average = of(counts);
    const auto placed = of(told);
    CHECK_THAT(number<term::kStepExpected>(placed),
               WithinRel(number<term::kStepExpected>(average), 1e-12));
    CHECK_THAT(number<term::kMemoryUsed>(placed),
               WithinRel(number<term::kMemoryUsed>(average), 1e-12));
  }
}

// --- any mix ---

/// A small model that may have layers of any kind.
Raw<Model> any_kind() {
  return make<Model>({{"layers", 1},
                      {"hidden", 512},
                      {"feedForward", 1024},
                      {"heads", 8},
                      {"kvHeads", 1},
                      {"headDim", 64},
                      {"vocabulary", 1000},
                      {"queryRank", 128},
                      {"sharedKeyValue", 1},
                      {"outputGate", OutputGate::kHeadwise},
                      {"slidingWindow", 128},
                      {"windowHeads", 4},
                      {"windowHeadDim", 32},
                      {"indexTopK", 64},
                      {"indexHeads", 4},
                      {"indexHeadDim", 32},
                      {"linearKeyHeads", 4},
                      {"linearValueHeads", 8},
                      {"linearKeyDim", 32},
                      {"linearValueDim", 64},
                      {"mambaHeads", 8},
                      {"mambaHeadDim", 64},
                      {"mambaState", 16},
                      {"mambaGroups", 4},
                      {"shortConvolution", 5},
                      {"convolutionChannels", 384},
                      {"perLayerInput", 48},
                      {"perLayerVocabulary", 500},
                      {"experts", 16},
                      {"expertsPerToken", 2},
                      {"expertFeedForward", 256},
                      {"sharedExperts", 1},
                      {"sharedExpertFeedForward", 128},
                      {"sharedExpertGate", 1},
                      {"expertLatent", 256},
                      {"expertLatentNorm", 1},
                      {"denseBesideExperts", 64},
                      {"residualStreams", 2},
                      {"residualBlock", 3}});
}

const char* const kKinds[] = {"ad",  "ae",  "a-",   "wd",   "we", "sd", "se", "c4d", "c128e",
                              "ld",  "le",  "l-",   "md",   "m-", "-d", "-e", "--",  "a2d",
                              "w2e", "s4d", "ad96", "-d32", "l-", "vd", "ve", "v-"};

/// The quantities that add up over layers: parameters, caches, states and products.
std::array<double, 6> sums_of(const Raw<Model>& raw) {
  const auto model = typed(raw);
  const auto parameters = count_parameters(model);
  const auto run = typed(make<Run>({{"sequenceLength", 1000}, {"batchTokens", 1e6}}));
  return {parameters.total.value(),
          parameters.active.value(),
          parameters.matmul.value(),
          cache_at(raw, 1000),
          state_of(raw),
          count_token_flops(model, parameters, run).attention.value()};
}

/// `count` kinds of layers, some of them repeated.
std::vector<std::string> some_kinds(inputs::Numbers& numbers) {
  std::vector<std::string> kinds;
  for (auto count = 1 + numbers.below(8); count > 0; --count) {
    const std::string kind = kKinds[numbers.place(std::size(kKinds))];
    for (auto times = 1 + numbers.below(3); times > 0; --times) kinds.push_back(kind);
  }
  return kinds;
}

std::string joined(const std::vector<std::string>& kinds) {
  std::string pattern;
  for (const auto& kind : kinds) pattern += (pattern.empty() ? "" : ".") + kind;
  return pattern;
}

TEST_CASE("counts of any mix of kinds are the sums of its layers") {
  const auto empty = sums_of(patterned("--", any_kind()));
  // A layer with neither part still has its own input.
  const auto twice = sums_of(patterned("--.--", any_kind()));
  std::map<std::string, std::array<double, 6>> alone;
  for (const char* kind : kKinds) alone[kind] = sums_of(patterned(kind, any_kind()));
  inputs::Numbers numbers;
  for (int i = 0; i < 300; ++i) {
    const auto kinds = some_kinds(numbers);
    const auto pattern = joined(kinds);
    INFO(pattern);
    const auto found = sums_of(patterned(pattern, any_kind()));
    for (std::size_t which = 0; which < found.size(); ++which) {
      INFO(which);
      double sum = 2 * empty[which] - twice[which];
      for (const auto& kind : kinds) {
        sum += alone[kind][which] - (2 * empty[which] - twice[which]);
      }
      CHECK_THAT(found[which], WithinRel(sum, 1e-12));
    }
  }
}

/// The answers that there are, each a finite number.
template <class Question>
int check_finite(typename Question::Input input, const Raw<Model>& model) {
  input.model = model;
  const auto outcome = estimate<Question>(input);
  if (!outcome.issues.empty()) return 0;
  for (std::size_t i = 0; i < outcome.answers.kSize; ++i) {
    if (outcome.answers.absences()[i] != Absence::kPresent) continue;
    if (!std::isfinite(outcome.answers.values()[i])) {
      FAIL(outcome.answers.kList[i]->key << " is " << outcome.answers.values()[i]);
    }
  }
  return 1;
}

TEST_CASE("any mix of kinds is trained, planned and served") {
  inputs::Numbers numbers;
  int trained = 0;
  int planned = 0;
  int served = 0;
  for (std::size_t i = 0; i < 300; ++i) {
    const auto pattern = joined(some_kinds(numbers));
    INFO(pattern);
    const auto model = patterned("8x(" + pattern + ")", any_kind());
    trained += check_finite<TrainingQuestion>(inputs::base<TrainingQuestion>(i), model);
    planned += check_finite<PlanQuestion>(inputs::base<PlanQuestion>(i), model);
    served += check_finite<ServingQuestion>(inputs::base<ServingQuestion>(i), model);
    check_finite<OperationQuestion>(inputs::base<OperationQuestion>(i), model);
  }
  CHECK(trained > 200);
  CHECK(planned > 50);
  CHECK(served > 50);
}

TEST_CASE("an operation's layer is of the kind that is asked for") {
  const auto layer = [](const Raw<Model>& model, AskedMixer mixer, double keys = 4096) {
    return estimate<OperationQuestion>(
        {h100(), model, Raw<Mesh>::defaults(),
         make<OperationRequest>({{"kind", kOperation<operations::Layer>},
                                 {"mixer", mixer},
                                 {"queries", 1},
                                 {"keys", keys},
                                 {"sequences", 16}})});
  };
  const auto flops = [&](const Raw<Model>& model, AskedMixer mixer, double keys = 4096) {
    const auto outcome = layer(model, mixer, keys);
    REQUIRE(outcome.issues.empty());
    return number<term::kFlops>(outcome.answers);
  };
  const auto model = qwen35_397b();
  CHECK(flops(model, AskedMixer::kFirst) == flops(model, AskedMixer::kAttention));
  CHECK(flops(model, AskedMixer::kLinear) != flops(model, AskedMixer::kAttention));
  // A state costs the same at any context, attention does not.
  CHECK(flops(model, AskedMixer::kLinear, 1 << 20) == flops(model, AskedMixer::kLinear));
  CHECK(flops(model, AskedMixer::kAttention, 1 << 20) > flops(model, AskedMixer::kAttention));
  const auto wrong = layer(model, AskedMixer::kMamba);
  REQUIRE(wrong.issues.items().size() == 1);
  CHECK(wrong.issues.items()[0].code == IssueCode::kNoSuchLayers);
  CHECK(std::string(wrong.issues.items()[0].field) == "mixer");
  // A state has no scores.
  const auto request = make<OperationRequest>(
      {{"kind", kOperation<operations::AttentionScores>}, {"mixer", AskedMixer::kLinear}});
  const auto scores = estimate<OperationQuestion>({h100(), model, Raw<Mesh>::defaults(), request});
  REQUIRE(scores.issues.items().size() == 1);
  CHECK(scores.issues.items()[0].code == IssueCode::kNoScores);
  CHECK(std::string(scores.issues.items()[0].field) == "mixer");
}

// --- serving ---

/// A decode step [s] at a context.
double decode_at(const Raw<Model>& model, double tokens) {
  auto input = inputs::base<ServingQuestion>(1);
  input.chip = with(h100(), {{"memory", 4e12}});
  input.model = model;
  input.serving = make<Serving>({{"load", ServingLoad::kClosed},
                                 {"users", 16},
                                 {"promptTokens", tokens},
                                 {"answerTokens", 2},
                                 {"chips", 8},
                                 {"tensor", 8}});
  input.server = make<Server>({{"tokenBudget", 1e9}, {"longestSequence", 1e8}});
  return number<term::kDecodeAttention>(answers_to<ServingQuestion>(input));
}

TEST_CASE("the time of a token's attention grows with context only where its cache does") {
  // 15 of 60 layers grow.
  const double shorter = decode_at(qwen35_397b(), 4096);
  const double longer = decode_at(qwen35_397b(), 131072);
  CHECK(longer > shorter);
  auto all = qwen35_397b();
  all.text("layerPattern") = Text("60xae");
  CHECK(decode_at(all, 131072) > 2.5 * longer);
  auto none = qwen35_397b();
  none.text("layerPattern") = Text("60xle");
  CHECK(decode_at(none, 131072) == decode_at(none, 4096));
  // DeepSeek-V3.2 reads 2,048 keys and the index of all.
  CHECK(decode_at(deepseek_v32(), 131072) < decode_at(inputs::deepseek_v3(), 131072) / 2);
}

}  // namespace
}  // namespace scaling::test::kinds_test
