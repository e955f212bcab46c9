// SPDX-License-Identifier: MIT
//
// Parameters, FLOPs, KV cache and activation checkpoints of models: book, chapter 4; DeepSeek-V2
// and V3; Korthikanti et al. 2022 ("Kort"); Narayanan et al. 2021 ("SC21").

#include "presets.hpp"

namespace scaling::test::transformer_test {
namespace {

Parameters<double> parameters_of(const Raw<Model>& model) { return count_parameters(typed(model)); }

/// A GPT layer stack as Megatron's papers count it.
Raw<Model> gpt(double layers, double hidden, double heads) {
  return make<Model>({{"layers", layers},
                      {"hidden", hidden},
                      {"feedForward", 4 * hidden},
                      {"heads", heads},
                      {"kvHeads", heads},
                      {"headDim", hidden / heads},
                      {"vocabulary", 51200},
                      {"gatedFeedForward", false},
                      {"tiedEmbeddings", true},
                      {"norm", Norm::kLayerNorm},
                      {"qkvBias", true},
                      {"attentionOutputBias", true},
                      {"feedForwardBias", true},
                      {"learnedPositions", 2048}});
}

Raw<Run> exact_run(double sequence_length, AttentionMask mask) {
  return make<Run>({{"sequenceLength", sequence_length},
                    {"flopsRule", FlopsRule::kExact},
                    {"attentionMask", mask}});
}

double exact_flops(const Raw<Model>& model, const Raw<Run>& run) {
  const auto m = typed(model);
  return 3 * count_token_flops(m, count_parameters(m), typed(run)).exact.value();
}

double attention_flops(const Raw<Model>& model, const Raw<Run>& run) {
  const auto m = typed(model);
  return count_token_flops(m, count_parameters(m), typed(run)).attention.value();
}

// --- parameters ---

TEST_CASE("every preset has the parameters of its checkpoint, and its parts are all of them") {
  const auto presets = model_presets();
  const auto goldens = read_json(SCALING_GOLDEN_DIR "/models.json").at("models");
  REQUIRE(goldens.size() == presets.size());
  for (const auto& golden : goldens) {
    const auto id = golden["id"].get<std::string>();
    INFO(id);
    const auto p = parameters_of(presets.at(id));
    CHECK(p.total.value() == golden["parameters"].get<double>());
    CHECK(p.active.value() == golden["activeParameters"].get<double>());
    CHECK(p.mtp.value() == golden["mtpParameters"].get<double>());
    const double parts =
        (p.feed_forward + p.attention + p.vocabulary + p.norms + p.router + p.positions).value();
    CHECK(parts == p.total.value());
    CHECK(p.active.value() <= p.total.value());
    CHECK(p.matmul.value() <= p.active.value());
    const double vocabulary = typed(presets.at(id)).vocabulary.value();
    CHECK(p.matmul.value() >= vocabulary * typed(presets.at(id)).hidden.value());
    const double kv_bytes = kv_cache_per_token(typed(presets.at(id)), Format::kInt8).value();
    CHECK(kv_bytes == golden["kvValuesPerToken"].get<double>());
  }
}

TEST_CASE("LLaMA 3 8B part by part") {
  const auto p = parameters_of(llama3_8b());
  CHECK(p.feed_forward.value() == 32.0 * 3 * 4096 * 14336);        // L 3DF
  CHECK(p.attention.value() == 32.0 * 2 * 4096 * (32 + 8) * 128);  // L 2D(N + K)H
  CHECK(p.vocabulary.value() == 2.0 * 128256 * 4096);              // 2DV
  CHECK(p.norms.value() == 32.0 * 2 * 4096 + 4096);                // L 2D and the last one
  CHECK(p.router.value() == 0);
  CHECK(p.positions.value() == 0);
  CHECK(p.total.value() == 8030261248);
  // Matmuls take neither norms nor the embedding that is looked up.
  CHECK(p.matmul.value() == 8030261248.0 - 32.0 * 2 * 4096 - 4096 - 128256.0 * 4096);
}

TEST_CASE("tied embeddings are there once but still multiply") {
  const auto untied = parameters_of(llama3_8b());
  const auto tied = parameters_of(with(llama3_8b(), {{"tiedEmbeddings", true}}));
  CHECK((untied.total - tied.total).value() == 128256.0 * 4096);
  CHECK(tied.matmul.value() == untied.matmul.value());
}

TEST_CASE("two matrices a feed-forward layer where it is not gated") {
  const auto gated = parameters_of(llama3_8b());
  const auto plain = parameters_of(with(llama3_8b(), {{"gatedFeedForward", false}}));
  CHECK(plain.feed_forward.value() * 3 == gated.feed_forward.value() * 2);
}

TEST_CASE("biases: 9hL of a GPT layer beside its norms") {
  const Settings none{
      {"qkvBias", false}, {"attentionOutputBias", false}, {"feedForwardBias", false}};
  const double with_biases = parameters_of(gpt(44, 6144, 64)).total.value();
  const double without = parameters_of(with(gpt(44, 6144, 64), none)).total.value();
  CHECK(with_biases - without == 9.0 * 6144 * 44);  // GPT-NeoX-20B: 2,433,024
}

TEST_CASE("biases of a gated layer: two wide ones and a narrow one") {
  const auto plain = parameters_of(llama3_8b());
  const auto biased = parameters_of(with(llama3_8b(), {{"feedForwardBias", true}}));
  CHECK((biased.total - plain.total).value() == 32.0 * (2 * 14336 + 4096));
  CHECK(biased.matmul.value() == plain.matmul.value());  // added, not multiplied
}

TEST_CASE("SC21 Eq. 2: P = 12 L h^2 (1 + 13/(12h) + (V + s)/(12 L h))") {
  struct Row {
    double layers, hidden, heads, billions;
  };
  // Its Table 1, rounded to 0.1 billion there.
  const Row rows[] = {{24, 2304, 24, 1.7},      {30, 3072, 32, 3.6},     {36, 4096, 32, 7.5},
                      {40, 6144, 48, 18.4},     {48, 8192, 64, 39.1},    {60, 10240, 80, 76.1},
                      {80, 12288, 96, 145.6},   {96, 16384, 128, 310.1}, {105, 20480, 128, 529.6},
                      {128, 25600, 160, 1008.0}};
  for (const Row& row : rows) {
    const double last_norm = 2 * row.hidden;  // the equation leaves it out
    const double total = parameters_of(gpt(row.layers, row.hidden, row.heads)).total.value();
    const double h = row.hidden;
    CHECK_THAT(total - last_norm,
               WithinRel(12 * row.layers * h * h *
                             (1 + 13 / (12 * h) + (51200 + 2048) / (12 * row.layers * h)),
                         1e-14));
    CHECK_THAT(total / 1e9, WithinAbs(row.billions, 0.06));
  }
}

TEST_CASE("multi-head latent attention: DeepSeek-V3, projection by projection") {
  const auto p = parameters_of(deepseek_v3());
  const double queries = 7168.0 * 1536 + 1536.0 * 128 * (128 + 64);
  const double keys_and_values = 7168.0 * (512 + 64) + 512.0 * 128 * (128 + 128);
  const double output = 128.0 * 128 * 7168;
  CHECK(p.attention.value() == 61 * (queries + keys_and_values + output));
  CHECK(p.norms.value() == 61.0 * (2 * 7168 + 1536 + 512) + 7168);
  CHECK(p.total.value() == 671026419200);
  // Queries that are not compressed come straight from the hidden state.
  const auto direct = parameters_of(with(deepseek_v3(), {{"queryRank", 0}}));
  CHECK(direct.attention.value() == 61 * (7168.0 * 128 * (128 + 64) + keys_and_values + output));
}

TEST_CASE("experts: all of them in total, k and the shared ones active, the router whole") {
  const auto p = parameters_of(deepseek_v3());
  const double expert = 3.0 * 7168 * 2048;
  const double dense = 3 * 3.0 * 7168 * 18432;  // three dense layers come first
  CHECK(p.feed_forward.value() == dense + 58 * (256 + 1) * expert);
  CHECK(p.router.value() == 58.0 * (7168 * 256 + 256));  // with the score bias
  CHECK((p.total - p.active).value() == 58 * (256 - 8) * expert);
  CHECK(p.active.value() == 37552297472);
  const auto mixtral = parameters_of(mixtral_8x7b());
  CHECK(mixtral.total.value() == 46702792704);
  CHECK(mixtral.active.value() == 12879925248);
}

TEST_CASE("every second layer with experts, the others dense") {
  const auto model = with(mixtral_8x7b(), {{"moeEvery", 2}});
  CHECK(moe_layers(typed(model)).value() == 16);
  const double dense = 3.0 * 4096 * 14336;
  CHECK(parameters_of(model).feed_forward.value() == 16 * dense + 16 * 8 * dense);
  CHECK(moe_layers(typed(llama3_8b())).value() == 0);
  CHECK(moe_layers(typed(deepseek_v3())).value() == 58);
}

TEST_CASE("a prediction module: a layer, a projection of two states to one, three norms") {
  const auto without = with(deepseek_v3(), {{"mtpModules", 0}});
  CHECK(parameters_of(without).mtp.value() == 0);
  const auto p = parameters_of(deepseek_v3());
  CHECK(p.total.value() == parameters_of(without).total.value());  // stands apart
  CHECK_THAT(p.mtp.value(), WithinRel(11.61e9, 1e-3));             // README_WEIGHTS: 11.5B
  CHECK(parameters_of(with(deepseek_v3(), {{"mtpModules", 2}})).mtp.value() == 2 * p.mtp.value());
}

TEST_CASE("norms on queries and keys, and more of them a layer") {
  const auto plain = parameters_of(llama3_8b()).norms.value();
  const auto norms = [](const Settings& settings) {
    return parameters_of(with(llama3_8b(), settings)).norms.value();
  };
  CHECK(norms({{"qkNorm", QkNorm::kPerHead}}) - plain == 32.0 * 2 * 128);
  CHECK(norms({{"qkNorm", QkNorm::kFull}}) - plain == 32.0 * (32 + 8) * 128);
  CHECK(norms({{"normsPerLayer", 4}}) - plain == 32.0 * 2 * 4096);
  CHECK(norms({{"norm", Norm::kLayerNorm}}) == 2 * plain);
  CHECK(norms({{"norm", Norm::kLayerNormNoBias}}) == plain);
  CHECK(norms({{"embeddingNorm", true}}) - plain == 4096);
}

TEST_CASE("feed-forward parameters grow with the layers, vocabulary does not") {
  const auto once = parameters_of(llama3_8b());
  const auto twice = parameters_of(with(llama3_8b(), {{"layers", 64}}));
  CHECK(twice.feed_forward.value() == 2 * once.feed_forward.value());
  CHECK(twice.attention.value() == 2 * once.attention.value());
  CHECK(twice.vocabulary.value() == once.vocabulary.value());
}

// --- FLOPs ---

TEST_CASE("training FLOPs of a token at 8192 tokens, as published sources count them") {
  // Megatron and MaxText: half of the attention is masked. torchtitan: all of it counts, and the
  // norms are counted as if they multiplied (a difference in the sixth digit).
  struct Row {
    Raw<Model> model;
    double six_n, causal, full;
  };
  const Row rows[] = {{llama3_8b(), 48.2e9, 51.5e9, 57.9e9},
                      {llama3_70b(), 423e9, 449e9, 481e9},
                      {llama3_405b(), 2435e9, 2524e9, 2625e9}};
  for (const Row& row : rows) {
    CHECK_THAT(6 * parameters_of(row.model).total.value(), WithinRel(row.six_n, 1e-3));
    CHECK_THAT(exact_flops(row.model, exact_run(8192, AttentionMask::kCausal)),
               WithinRel(row.causal, 1e-3));
    CHECK_THAT(exact_flops(row.model, exact_run(8192, AttentionMask::kFull)),
               WithinRel(row.full, 1e-3));
  }
  // 6 (L (2D(N+K)H + 3DF) + VD) + 6 L N H T of the 8B, and twice the last term.
  CHECK(exact_flops(llama3_8b(), exact_run(8192, AttentionMask::kCausal)) == 51470401536);
  CHECK(exact_flops(llama3_8b(), exact_run(8192, AttentionMask::kFull)) ==
        51470401536 + 6 * 32 * 32 * 128 * 8192.0);
}

TEST_CASE("DeepSeek-V3 at 4096 tokens: 249.8 GFLOPs by Megatron, which leaves out the router") {
  const double all = exact_flops(deepseek_v3(), exact_run(4096, AttentionMask::kCausal));
  const double router = 6.0 * 58 * 7168 * 256;
  CHECK_THAT(all - router, WithinRel(249.8e9, 1e-4));
}

TEST_CASE("Kort Eq. 7: 72 L h^2 (1 + s/(6h) + V/(12 h L)) for each token of a GPT") {
  for (const double length : {1024.0, 2048.0, 8192.0}) {
    const double layers = 96;
    const double hidden = 12288;
    CHECK_THAT(exact_flops(gpt(layers, hidden, 96), exact_run(length, AttentionMask::kFull)),
               WithinRel(72 * layers * hidden * hidden *
                             (1 + length / (6 * hidden) + 51200 / (12 * hidden * layers)),
                         1e-13));
  }
}

TEST_CASE("attention outweighs the rest from T = 8D on, and its projections from T = 2D on") {
  // Chapter 4, with F = 4D and D = NH and as many KV heads as heads.
  const auto model = with(llama3_8b(), {{"kvHeads", 32}, {"feedForward", 4 * 4096}});
  const auto run = [](double length) {
    return with(exact_run(length, AttentionMask::kFull), {{"countLmHead", false}});
  };
  const auto share = [&](double length) {
    return attention_flops(model, run(length)) * 3 / exact_flops(model, run(length));
  };
  CHECK_THAT(share(8 * 4096), WithinRel(0.5, 1e-15));
  CHECK(share(8 * 4096 - 1) < 0.5);
  const double projections = 2 * parameters_of(model).attention.value();
  CHECK(attention_flops(model, run(2 * 4096)) == projections);
}

TEST_CASE("a causal mask halves attention") {
  CHECK(attention_flops(llama3_8b(), exact_run(4096, AttentionMask::kFull)) ==
        2 * attention_flops(llama3_8b(), exact_run(4096, AttentionMask::kCausal)));
}

TEST_CASE("latent attention multiplies queries of one width with values of another") {
  // 2 x T/2 x N (192 + 128) in each of 61 layers.
  CHECK(attention_flops(deepseek_v3(), exact_run(4096, AttentionMask::kCausal)) ==
        4096.0 * 128 * (192 + 128) * 61);
}

TEST_CASE("windowed layers see their window") {
  const auto half = with(llama3_8b(), {{"slidingWindow", 1024}, {"windowedLayers", 16}});
  const auto all = with(half, {{"windowedLayers", 32}});
  const auto none = with(half, {{"windowedLayers", 0}});
  const auto at = [](const Raw<Model>& model, double length, AttentionMask mask) {
    return attention_flops(model, exact_run(length, mask));
  };
  const double width = 2.0 * 32 * (4096 + 4096);  // FLOPs for each position seen
  // Causal: w - w^2 / 2T positions on average, full: w.
  CHECK(at(all, 8192, AttentionMask::kCausal) == width * (1024 - 1024.0 * 1024 / (2 * 8192)));
  CHECK(at(all, 8192, AttentionMask::kFull) == width * 1024);
  CHECK(at(none, 8192, AttentionMask::kFull) == width * 8192);
  CHECK(at(half, 8192, AttentionMask::kFull) == width * (1024 + 8192) / 2);
  // A window that is not shorter than the sequence is none, and the two cases meet there.
  CHECK(at(all, 1024, AttentionMask::kCausal) == width * 512);
  CHECK(at(all, 512, AttentionMask::kCausal) == width * 256);
}

TEST_CASE("the LM head counts unless told otherwise") {
  const auto counted = exact_run(4096, AttentionMask::kCausal);
  const auto left_out = with(counted, {{"countLmHead", false}});
  CHECK(exact_flops(llama3_8b(), counted) - exact_flops(llama3_8b(), left_out) ==
        6.0 * 128256 * 4096);
}

// --- KV cache ---

TEST_CASE("KV cache of a token in bf16, as published") {
  const auto kib = [](const Raw<Model>& model) {
    return kv_cache_per_token(typed(model), Format::kBf16).value() / 1024;
  };
  const auto presets = model_presets();
  CHECK(kib(presets.at("llama-2-7b")) == 512);
  CHECK(kib(presets.at("llama-2-70b")) == 320);
  CHECK(kib(presets.at("llama-3-8b")) == 128);
  CHECK(kib(presets.at("llama-3.1-405b")) == 504);
  CHECK(kib(presets.at("gpt-3-175b")) == 4.5 * 1024);
  // The compressed vector and the rotary key: (512 + 64) x 61 x 2.
  CHECK(kv_cache_per_token(typed(deepseek_v3()), Format::kBf16).value() == 70272);
}

TEST_CASE("one KV head for all queries divides the cache by the heads") {
  const auto cache = [](double kv_heads) {
    return kv_cache_per_token(typed(with(llama3_8b(), {{"kvHeads", kv_heads}})), Format::kBf16)
        .value();
  };
  CHECK(cache(32) == 32 * cache(1));
}

// --- activation checkpoints ---

double checkpoint_bytes(const Raw<Model>& model, CheckpointRule rule, const Settings& more = {}) {
  const auto run = with(make<Run>({{"checkpointRule", rule}}), more);
  return checkpoint_bytes_per_token(typed(model), typed(run)).value();
}

TEST_CASE("checkpoints: copies of the hidden state, and the outputs of the big matmuls") {
  const auto model = llama3_70b();
  CHECK(checkpoint_bytes(model, CheckpointRule::kCopies) == 2.0 * 4 * 80 * 8192);
  CHECK(checkpoint_bytes(model, CheckpointRule::kCopies, {{"checkpointsPerLayer", 1}}) ==
        2.0 * 80 * 8192);
  // Chapter 5: 2 L B (D + 2F) bytes.
  CHECK(checkpoint_bytes(model, CheckpointRule::kBigMatmuls) == 2.0 * 80 * (8192 + 2 * 28672));
  CHECK(checkpoint_bytes(model, CheckpointRule::kBigMatmuls,
                         {{"activationFormat", Format::kFp8}}) == 80.0 * (8192 + 2 * 28672));
}

TEST_CASE("Kort Table 2: 34 sbh a layer, and 5 a s^2 b more with the scores") {
  const auto model = gpt(96, 12288, 96);
  CHECK(checkpoint_bytes(model, CheckpointRule::kKorthikantiSelective) == 34.0 * 12288 * 96);
  CHECK(checkpoint_bytes(model, CheckpointRule::kKorthikantiNone, {{"sequenceLength", 2048}}) ==
        (34.0 * 12288 + 5.0 * 96 * 2048) * 96);
  // Section 5: leaving out the scores saves 70 % of GPT-3's activations.
  const double saved =
      1 - checkpoint_bytes(model, CheckpointRule::kKorthikantiSelective) /
              checkpoint_bytes(model, CheckpointRule::kKorthikantiNone, {{"sequenceLength", 2048}});
  CHECK_THAT(saved, WithinAbs(0.70, 0.005));
}

TEST_CASE("a modern layer: 8h + 4ad + 4kd + 6f + 4a bytes a token") {
  CHECK(checkpoint_bytes(llama3_8b(), CheckpointRule::kModernLayer) == 139392.0 * 32);  // 17 copies
  const double copies_70b =
      checkpoint_bytes(llama3_70b(), CheckpointRule::kModernLayer) / (80 * 8192);
  CHECK_THAT(copies_70b, WithinAbs(33.5, 0.05));
  const auto llama2_7b = model_presets().at("llama-2-7b");
  CHECK_THAT(checkpoint_bytes(llama2_7b, CheckpointRule::kModernLayer) / (32 * 4096),
             WithinAbs(32.2, 0.05));
}

TEST_CASE("experts keep what a token's own experts made of it") {
  const auto model = mixtral_8x7b();
  // Two experts of the width of the dense layer.
  CHECK(checkpoint_bytes(model, CheckpointRule::kBigMatmuls) == 2.0 * 32 * (4096 + 2 * 2 * 14336));
}

TEST_CASE("the rules keep more the less they recompute") {
  for (const auto& [id, model] : model_presets()) {
    INFO(id);
    const double one =
        checkpoint_bytes(model, CheckpointRule::kCopies, {{"checkpointsPerLayer", 1}});
    const double big = checkpoint_bytes(model, CheckpointRule::kBigMatmuls);
    const double modern = checkpoint_bytes(model, CheckpointRule::kModernLayer);
    const double selective = checkpoint_bytes(model, CheckpointRule::kKorthikantiSelective);
    const double none = checkpoint_bytes(model, CheckpointRule::kKorthikantiNone);
    CHECK(one < big);
    CHECK(big < modern);
    CHECK(selective < none);
  }
}

}  // namespace
}  // namespace scaling::test::transformer_test
