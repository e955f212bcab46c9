// SPDX-License-Identifier: MIT
//
// Kinds of layers that few families have: inputs of a layer's own and keys of an earlier one
// (Gemma 4 E2B and E4B), short convolutions (LFM2), lightning attention (MiniMax-Text-01, Ling 2.5)
// and Mamba-1 (Jamba, Falcon-Mamba). Numbers are worked out module by module from the code that the
// sources in wasm/scaling/model/kernels/ and transformer.formulas.cpp name.

#include <cmath>
#include <string>
#include <vector>

#include "kind_counts.hpp"
#include "scaling/serving/kv_cache.hpp"

namespace scaling::test::newer_kinds_test {
namespace {

using namespace kind_counts;
using namespace kind_models;

struct Counted {
  const char* name;
  Raw<Model> model;
  double total, active;
  double published, published_active;  ///< as makers name them; 0: not published
};

std::vector<Counted> counted() {
  return {
      // Published with encoders of 0.45B: 5.1B and 8B.
      {"Gemma 4 E2B", gemma4_e2b(), 4628569344, 2279759104, 4.65e9, 0},
      {"Gemma 4 E4B", gemma4_e4b(), 7463013376, 4644441088, 7.5e9, 0},
      {"LFM2-8B-A1B", lfm2_8b(), 8339930560, 1557740992, 8.34e9, 1.56e9},
      // Active without embedding and head: 45.9B.
      {"MiniMax-Text-01", minimax_text_01(), 456089655296, 48403306496, 456e9, 48.4e9},
      {"Ling 2.5", ling_25(), 1012231160320, 63580258816, 1.01e12, 63.5e9},
      {"Jamba 1.5 Large", jamba_large(), 398555145696, 94149338592, 398e9, 94e9},
      // Between 18.6B and 31.3B are active, 27B on average.
      {"LongCat-Flash", longcat_flash(), 560664980480, 27954818048, 560e9, 0},
      {"Falcon-Mamba-7B", falcon_mamba(), 7272665088, 7272665088, 7.27e9, 0},
  };
}

TEST_CASE("parameters of newer kinds are those of the reference code's modules") {
  for (const Counted& each : counted()) {
    INFO(each.name);
    const auto parameters = count_parameters(typed(each.model));
    CHECK(parameters.total.value() == each.total);
    CHECK(parameters.active.value() == each.active);
    CHECK_THAT(each.total, WithinRel(each.published, 0.005));
    if (each.published_active > 0) CHECK_THAT(each.active, WithinRel(each.published_active, 0.005));
  }
}

TEST_CASE("the parts of newer kinds add up to all parameters") {
  for (const Counted& each : counted()) {
    INFO(each.name);
    CHECK_THAT(sum_of_parts(each.model), WithinRel(each.total, 1e-12));
  }
}

// --- caches and states ---

TEST_CASE("the cache of a sequence of newer kinds at 4k, 128k and 1M tokens, worked by hand") {
  struct Cached {
    const char* name;
    Raw<Model> model;
    double per_token;  ///< of what grows [B]
    double fixed;      ///< of windows that are full [B]
    double state;
  };
  const Cached models[] = {
      // 3 of 7 full and 12 of 28 windowed layers have keys: 1 head of 512, and of 256.
      {"Gemma 4 E2B", gemma4_e2b(), 3 * 2 * 512 * 2, 12 * 512.0 * 2 * 256 * 2, 0},
      // 4 of 7 and 20 of 35, 2 heads each.
      {"Gemma 4 E4B", gemma4_e4b(), 4 * 2 * 2 * 512 * 2, 20 * 512.0 * 2 * 2 * 256 * 2, 0},
      // 6 layers of 8 heads of 64; of 18 two tokens of 2,048 channels.
      {"LFM2-8B-A1B", lfm2_8b(), 6 * 2 * 8 * 64 * 2, 0, 18 * 2 * 2048 * 2},
      // 10 layers of 8 heads; 70 of 64 matrices of 128 x 128 in fp32.
      {"MiniMax-Text-01", minimax_text_01(), 10 * 2 * 8 * 128 * 2, 0, 70 * 64 * 128 * 128 * 4.0},
      // 10 layers of latent vectors.
      {"Ling 2.5", ling_25(), 10 * 576 * 2, 0, 70 * 64 * 128 * 128 * 4.0},
      // 9 layers of 8 heads; of 63 layers 16 numbers for each of 16,384 channels, and three tokens.
      {"Jamba 1.5 Large", jamba_large(), 9 * 2 * 8 * 128 * 2, 0,
       63 * (16384 * 16 * 4.0 + 3 * 16384 * 2)},
      {"Falcon-Mamba-7B", falcon_mamba(), 0, 0, 64 * (8192 * 16 * 4.0 + 3 * 8192 * 2)},
  };
  for (const Cached& each : models) {
    INFO(each.name);
    for (const double tokens : {4096.0, 131072.0, 1048576.0}) {
      CHECK(cache_at(each.model, tokens) == each.per_token * tokens + each.fixed);
    }
    CHECK(state_of(each.model) == each.state);
  }
}

TEST_CASE("a layer that shares keys has none to keep, and reads those of another") {
  auto own = gemma4_e4b();
  own.text("layerPattern") = Text("7x(5xwd.ad)");
  const auto shared = gemma4_e4b();
  // Projections of keys and values and the norm of keys, in 15 windowed and 3 full layers.
  const double saved = 15 * (2 * 2560 * 2 * 256.0 + 256) + 3 * (2 * 2560 * 2 * 512.0 + 512);
  CHECK((count_parameters(typed(own)).total - count_parameters(typed(shared)).total).value() ==
        saved);
  CHECK(cache_at(shared, 131072) < cache_at(own, 131072));
  const auto run = typed(make<Run>({{"sequenceLength", 8192}, {"batchTokens", 1e6}}));
  const auto products = [&](const Raw<Model>& raw) {
    const auto model = typed(raw);
    return count_token_flops(model, count_parameters(model), run).attention.value();
  };
  CHECK(products(shared) == products(own));

  const auto read = [](const Raw<Model>& model) {
    auto input = inputs::base<ServingQuestion>(1);
    input.model = model;
    const auto kv = kv_bytes(ServingInput<double>(ServingQuestion::read<double>(input)));
    const Quantity<kToken, double> tokens(8192);
    return std::pair(kv.of_sequence(tokens).value(), kv.read_of(tokens).value());
  };
  CHECK(read(shared).second == read(own).second);
  CHECK(read(shared).first < read(shared).second);
  CHECK(read(own).first == read(own).second);
}

TEST_CASE("keys are shared only behind a layer that has them") {
  const auto issues = [](const char* pattern, const Settings& settings = {}) {
    auto input = inputs::base<TrainingQuestion>(0);
    input.model = with(patterned(pattern, inputs::llama3_70b()), settings);
    return estimate<TrainingQuestion>(input).issues;
  };
  CHECK(issues("ad.79xa0d").empty());
  const auto none = issues("a0d.79xad");
  REQUIRE(none.items().size() == 1);
  CHECK(none.items()[0].code == IssueCode::kPatternNoKeys);
  CHECK(none.items()[0].arguments[0] == 2);
  // A window's keys are no full layer's.
  const auto other = issues("wd.79xa0d", {{"slidingWindow", 128}});
  REQUIRE(other.items().size() == 1);
  CHECK(other.items()[0].code == IssueCode::kPatternNoKeys);
  for (const char* wrong : {"ad.s0d", "ad.c0d", "ad.l0d", "ad.v0d", "ad.d0"}) {
    INFO(wrong);
    REQUIRE(issues(wrong).items().size() == 1);
    CHECK(issues(wrong).items()[0].code == IssueCode::kPatternUnreadable);
  }
  const auto latent = inputs::deepseek_v3();
  auto input = inputs::base<TrainingQuestion>(0);
  input.model = patterned("ad.60xa0d", latent);
  CHECK(estimate<TrainingQuestion>(input).issues.items().size() == 1);
}

// --- FLOPs ---

TEST_CASE("FLOPs of newer kinds against context") {
  for (const double length : {4096.0, 131072.0, 1048576.0}) {
    // Taps and two gates over 2,048 channels; scores and values of 32 heads of 64 in 6 layers.
    CHECK(products_at(lfm2_8b(), length) ==
          18 * 2 * (3 + 1) * 2048.0 + 6 * 2 * length * 2 * 32 * 64);
    // 5 FLOPs for each number of 64 matrices.
    CHECK(products_at(minimax_text_01(), length) ==
          70 * 5 * 64 * 128 * 128.0 + 10 * 2 * length * 2 * 64 * 128);
    // 9 FLOPs for each number of the state, and the convolution.
    CHECK(products_at(falcon_mamba(), length) == 64 * (9 * 8192 * 16.0 + 2 * 4 * 8192));
  }
}

TEST_CASE("a router scores experts that compute nothing, too") {
  const auto all = count_parameters(typed(longcat_flash()));
  const auto without = count_parameters(typed(with(longcat_flash(), {{"zeroExperts", 0}})));
  const double outputs = 28 * 256 * (6144.0 + 1);
  CHECK((all.total - without.total).value() == outputs);
  CHECK((all.active - without.active).value() == outputs);
  CHECK((all.matmul - without.matmul).value() == 28 * 256 * 6144.0);
}

TEST_CASE("a layer's own input is multiplied, its table is looked up") {
  const auto with_inputs = count_parameters(typed(gemma4_e2b()));
  const auto without = count_parameters(typed(with(gemma4_e2b(), {{"perLayerInput", 0}})));
  const double table = 262144.0 * 35 * 256;
  const double matrices = 35 * 2 * 1536 * 256.0 + 1536.0 * 35 * 256;
  const double norms = 35 * 1536 + 256;
  CHECK((with_inputs.total - without.total).value() == table + matrices + norms);
  CHECK((with_inputs.active - without.active).value() == matrices + norms);
  CHECK((with_inputs.matmul - without.matmul).value() == matrices);
  // Rows may be fewer than tokens.
  const auto fewer = count_parameters(typed(with(gemma4_e2b(), {{"perLayerVocabulary", 1000}})));
  CHECK((with_inputs.total - fewer.total).value() == (262144.0 - 1000) * 35 * 256);
}

// --- training and serving ---

TEST_CASE("newer kinds are trained, planned and served") {
  for (const Counted& each : counted()) {
    INFO(each.name);
    auto training = inputs::base<TrainingQuestion>(0);
    training.model = each.model;
    CHECK(estimate<TrainingQuestion>(training).issues.empty());
    auto plan = inputs::base<PlanQuestion>(0);
    plan.model = each.model;
    plan.layout = with(plan.layout, {{"pipeline", 1}, {"tensor", 1}, {"virtualStages", 1}});
    const auto planned = estimate<PlanQuestion>(plan);
    REQUIRE(planned.issues.empty());
    CHECK(number<term::kStepExpected>(planned.answers) > 0);
    CHECK(number<term::kStepExpected>(planned.answers) >=
          number<term::kStepLower>(planned.answers));
  }
}

TEST_CASE("layers' own inputs take memory and time of a step") {
  const auto step = [](const Raw<Model>& model) {
    auto input = inputs::base<PlanQuestion>(0);
    input.model = model;
    input.layout = with(Raw<Layout>::defaults(), {{"tensor", 1}});
    return answers_to<PlanQuestion>(input);
  };
  const auto own = step(gemma4_e2b());
  const auto without = step(with(gemma4_e2b(), {{"perLayerInput", 0}}));
  CHECK(number<term::kStepExpected>(own) > number<term::kStepExpected>(without));
  CHECK(number<term::kMemoryUsed>(own) > number<term::kMemoryUsed>(without));
}

/// A decode step [s] of 16 sequences on a chip.
template <const Term& kTerm>
double decode(const Raw<Model>& model, double tokens = 4096) {
  auto input = inputs::base<ServingQuestion>(1);
  input.chip = with(h100(), {{"memory", 4e12}});
  input.model = model;
  input.serving = make<Serving>({{"load", ServingLoad::kClosed},
                                 {"users", 16},
                                 {"promptTokens", tokens},
                                 {"answerTokens", 2},
                                 {"chips", 1},
                                 {"tensor", 1}});
  input.server = make<Server>({{"tokenBudget", 1e9}, {"longestSequence", 1e8}});
  return number<kTerm>(answers_to<ServingQuestion>(input));
}

TEST_CASE("a server holds the table of layers' own inputs and reads rows of it") {
  const double table = 262144.0 * 35 * 256 * 2;
  const auto without = with(gemma4_e2b(), {{"perLayerInput", 0}});
  const double more =
      decode<term::kServingWeights>(gemma4_e2b()) - decode<term::kServingWeights>(without);
  CHECK(more > table);
  CHECK(more < 1.02 * table);
  // A step reads the matrices, which are a hundredth of it.
  const double longer =
      decode<term::kDecodeMatmuls>(gemma4_e2b()) - decode<term::kDecodeMatmuls>(without);
  CHECK(longer > 0);
  CHECK(longer < 0.5 * table / 3.35e12);
}

TEST_CASE("the time of a token grows with context where newer kinds attend") {
  const auto attention = [](const Raw<Model>& model, double tokens) {
    return decode<term::kDecodeAttention>(model, tokens);
  };
  CHECK(attention(falcon_mamba(), 131072) == attention(falcon_mamba(), 4096));
  CHECK(attention(falcon_mamba(), 4096) > 0);
  for (const auto& model : {lfm2_8b(), minimax_text_01(), jamba_large()}) {
    CHECK(attention(model, 131072) > attention(model, 4096));
    auto none = model;
    none.text("layerPattern") =
        Text(std::to_string(static_cast<int>(typed(model).layers.value())) + "xad");
    CHECK(attention(none, 131072) > 3 * attention(model, 131072));
  }
}

}  // namespace
}  // namespace scaling::test::newer_kinds_test
