// SPDX-License-Identifier: MIT
//
// Models whose layers are not all alike: parameters by the modules of the reference code, the cache
// and the state of a sequence, FLOPs against context. Numbers are worked out from the code that the
// sources in wasm/scaling/model/kinds/ name, module by module.

#include <cmath>

#include "kind_models.hpp"
#include "scaling/model/transformer.hpp"

namespace scaling::test::kinds_test {
namespace {

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
    const auto model = typed(each.model);
    const auto parts = layer_parameters(model);
    const auto moe = moe_layers(model);
    const auto dense = model.layers - moe;
    const auto tied = model.tied_embeddings ? 1.0 : 2.0;
    const auto sum = (parts.attention + parts.norms) * model.layers + parts.feed_forward * dense +
                     (parts.router + parts.shared + parts.experts) * moe + tied * parts.head +
                     parts.ends_norms;
    CHECK_THAT(sum.value(), WithinRel(each.total, 1e-12));
  }
}

// --- what sequences leave ---

double cache_at(const Raw<Model>& model, double tokens) {
  return cache_of_sequence(typed(model), Format::kBf16, Count<double>(tokens)).value();
}

double state_of(const Raw<Model>& model) {
  return state_of_sequence(typed(model), Format::kBf16).value();
}

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
      // in 20; a window of 128 in all 43. Of what waits: 2 series of keys and gates in 2 windows of
      // 4 tokens; 1 of each in a window of 128.
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
  // In bytes: Qwen3.5 keeps 30,720 a token where its 60 layers with attention would take 122,880.
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

double products_at(const Raw<Model>& model, double length) {
  const auto run = typed(make<Run>(
      {{"sequenceLength", length}, {"batchTokens", 1e9}, {"attentionMask", AttentionMask::kFull}}));
  const auto of = typed(model);
  return count_token_flops(of, count_parameters(of), run).attention.value();
}

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
    }
  }
}

}  // namespace
}  // namespace scaling::test::kinds_test
