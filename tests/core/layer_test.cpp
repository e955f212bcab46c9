// SPDX-License-Identifier: MIT
//
// A layer and its parts: that they add up to what the model as a whole has and computes (book,
// chapter 4), for every preset.

#include <algorithm>
#include <cmath>
#include <vector>

#include "presets.hpp"
#include "scaling/model/layer.hpp"
#include "scaling/model/transformer.hpp"
#include "scaling/training/layer_work.hpp"

namespace scaling::test::layer_test {
namespace {

constexpr double kLength = 4096;

Raw<OperationRequest> request_of(OperationKind kind, const Settings& others = {}) {
  return with(make<OperationRequest>({{"kind", kind}, {"queries", kLength}, {"keys", kLength}}),
              others);
}

/// The kernels of a request, with all that fits read once.
Operations<double> kernels_of(const Raw<Model>& model, const Raw<OperationRequest>& request) {
  Operations<double> list;
  add_layer_operation(list, typed(request), typed(model),
                      Maybe<Quantity<kByte, double>>(Absence::kNotListed));
  return list;
}

/// FLOPs on one kind of unit and bytes of kernels, together.
struct Work {
  double matrix_flops = 0;
  double vector_flops = 0;
  double weight_bytes = 0;
  double bytes = 0;
  std::size_t kernels = 0;
};

Work work(const Raw<Model>& model, const Raw<OperationRequest>& request) {
  Work sum;
  const auto list = kernels_of(model, request);
  for (const auto& kernel : list.items()) {
    (kernel.on_vector_units ? sum.vector_flops : sum.matrix_flops) += kernel.flops.value();
    sum.weight_bytes += kernel.weight_bytes.value();
    sum.bytes += kernel.memory_bytes().value();
    ++sum.kernels;
  }
  return sum;
}

Work work(const Raw<Model>& model, OperationKind kind, const Settings& others = {}) {
  return work(model, request_of(kind, others));
}

/// Parts that the layer of a model has, in order.
std::vector<OperationKind> parts_of(const Raw<Model>& model) {
  std::vector<OperationKind> parts{kOperation<operations::QkvProjection>,
                                   kOperation<operations::AttentionCore>,
                                   kOperation<operations::OutputProjection>};
  if (has_experts(typed(model))) {
    parts.insert(parts.end(), {kOperation<operations::Router>, kOperation<operations::Experts>});
  } else {
    parts.push_back(kOperation<operations::FeedForward>);
  }
  return parts;
}

Raw<Model> without_experts(const Raw<Model>& model) { return with(model, {{"experts", 0}}); }

/// All layers see the whole sequence.
Raw<Model> without_window(const Raw<Model>& model) { return with(model, {{"slidingWindow", 0}}); }

TEST_CASE("of every model, layers and LM head take the exact FLOPs of its forward pass") {
  for (const auto& [id, preset] : plain_presets()) {
    INFO(id);
    const auto raw = without_window(preset);
    const auto model = typed(raw);
    const auto run =
        typed(make<Run>({{"sequenceLength", kLength}, {"attentionMask", AttentionMask::kFull}}));
    const double exact =
        count_token_flops(model, count_parameters(model), run).exact.value() * kLength * 3;
    const double moe = moe_layers(model).value();
    const double dense = model.layers.value() - moe;
    for (const auto kernel : {AttentionKernel::kFlash, AttentionKernel::kNaive}) {
      const Settings settings{{"sequences", 3}, {"attentionKernel", kernel}};
      const auto layer = [&](const Raw<Model>& of) {
        return work(of, kOperation<operations::Layer>, settings).matrix_flops;
      };
      const double layers = (moe > 0 ? moe * layer(raw) : 0) + dense * layer(without_experts(raw));
      const double head = work(raw, kOperation<operations::LmHead>, settings).matrix_flops;
      CHECK_THAT(layers + head, WithinRel(exact, 1e-12));
    }
  }
}

TEST_CASE("of every model, a layer is its parts") {
  for (const auto& [id, model] : plain_presets()) {
    INFO(id);
    const auto norms = typed(model).norms_per_layer.value();
    for (const auto pass : {Pass::kForward, Pass::kBackward, Pass::kBoth}) {
      for (const auto kernel : {AttentionKernel::kFlash, AttentionKernel::kNaive}) {
        for (const auto form : {LatentForm::kExpanded, LatentForm::kAbsorbed}) {
          const Settings settings{
              {"pass", pass}, {"attentionKernel", kernel}, {"latentForm", form}};
          const auto layer = work(model, kOperation<operations::Layer>, settings);
          Work sum;
          const auto add = [&](const Work& part, double times) {
            sum.matrix_flops += times * part.matrix_flops;
            sum.vector_flops += times * part.vector_flops;
            sum.weight_bytes += times * part.weight_bytes;
            sum.bytes += times * part.bytes;
          };
          add(work(model, kOperation<operations::Norm>, settings), norms);
          for (const auto part : parts_of(model)) add(work(model, part, settings), 1);
          CHECK_THAT(layer.matrix_flops, WithinRel(sum.matrix_flops, 1e-12));
          CHECK_THAT(layer.vector_flops, WithinRel(sum.vector_flops, 1e-12));
          CHECK_THAT(layer.weight_bytes, WithinRel(sum.weight_bytes, 1e-12));
          CHECK_THAT(layer.bytes, WithinRel(sum.bytes, 1e-12));
        }
      }
    }
  }
}

TEST_CASE("of every model, a layer reads each of its weights once") {
  for (const auto& [id, preset] : plain_presets()) {
    INFO(id);
    // One layer like the last, without what is no matrix: biases, sinks, norms of heads.
    auto model = with(preset, {{"layers", 1},
                               {"qkvBias", 0},
                               {"attentionOutputBias", 0},
                               {"feedForwardBias", 0},
                               {"routerBias", 0},
                               {"expertBias", 0},
                               {"scoreBias", 0},
                               {"attentionSinks", 0},
                               {"norm", Norm::kRmsNorm},
                               {"windowedLayers", 0},
                               {"denseLayers", 0},
                               {"moeEvery", 1}});
    if (!has_experts(typed(preset))) model = without_experts(model);
    const auto parameters = count_parameters(typed(model));
    const double norms = typed(model).norms_per_layer.value() * typed(model).hidden.value();
    const double weights =
        (parameters.attention + parameters.feed_forward + parameters.router).value();
    for (const auto form : {LatentForm::kExpanded, LatentForm::kAbsorbed}) {
      const Settings bytes{{"weightFormat", Format::kInt8}, {"latentForm", form}};
      CHECK_THAT(work(model, kOperation<operations::Layer>, bytes).weight_bytes,
                 WithinRel(weights + norms, 1e-12));
      CHECK_THAT(work(model, kOperation<operations::QkvProjection>, bytes).weight_bytes +
                     work(model, kOperation<operations::OutputProjection>, bytes).weight_bytes,
                 WithinRel(parameters.attention.value(), 1e-12));
    }
    CHECK_THAT(
        work(model, kOperation<operations::LmHead>, {{"weightFormat", Format::kInt8}}).weight_bytes,
        WithinRel(typed(model).vocabulary.value() * typed(model).hidden.value(), 1e-12));
  }
}

TEST_CASE("backward, matmuls take twice the FLOPs, FlashAttention more") {
  for (const auto& [id, model] : plain_presets()) {
    INFO(id);
    const auto ratio = [&, &raw = model](OperationKind kind, const Settings& others = {}) {
      auto backward = others;
      backward.push_back({"pass", Pass::kBackward});
      return work(raw, kind, backward).matrix_flops / work(raw, kind, others).matrix_flops;
    };
    for (const auto form : {LatentForm::kExpanded, LatentForm::kAbsorbed}) {
      const Settings latent{{"latentForm", form}};
      for (const auto kind :
           {kOperation<operations::QkvProjection>, kOperation<operations::AttentionScores>,
            kOperation<operations::AttentionValues>, kOperation<operations::OutputProjection>,
            kOperation<operations::LmHead>}) {
        CHECK_THAT(ratio(kind, latent), WithinRel(2.0, 1e-12));
      }
      Settings naive = latent;
      naive.push_back({"attentionKernel", AttentionKernel::kNaive});
      CHECK_THAT(ratio(kOperation<operations::AttentionCore>, naive), WithinRel(2.0, 1e-12));
      CHECK_THAT(ratio(kOperation<operations::Layer>, naive), WithinRel(2.0, 1e-12));
      CHECK(ratio(kOperation<operations::AttentionCore>, latent) > 2.49);
      CHECK(ratio(kOperation<operations::AttentionCore>, latent) < 2.7);
    }
    for (const auto kind : {kOperation<operations::FeedForward>, kOperation<operations::Router>,
                            kOperation<operations::Experts>}) {
      if (kind != kOperation<operations::FeedForward> && !typed(model).sparse()) continue;
      CHECK_THAT(ratio(kind), WithinRel(2.0, 1e-12));
    }
  }
}

TEST_CASE("LLaMA 3 70B: the parts of a layer, by hand") {
  const auto part = [](OperationKind kind) { return work(llama3_70b(), kind); };
  const double d = 8192;
  CHECK(part(kOperation<operations::Norm>).vector_flops == 4 * kLength * d);
  CHECK(part(kOperation<operations::QkvProjection>).matrix_flops ==
        2 * kLength * d * (64 + 16) * 128);
  CHECK(part(kOperation<operations::QkvProjection>).bytes ==
        2 * (kLength * d + d * 80 * 128 + kLength * 80 * 128));
  CHECK(part(kOperation<operations::AttentionScores>).matrix_flops ==
        2 * kLength * kLength * 64 * 128);
  CHECK(part(kOperation<operations::AttentionScores>).bytes ==
        2 * (kLength * 64 * 128 + kLength * 8 * 128 + 64 * kLength * kLength));
  CHECK(part(kOperation<operations::AttentionValues>).matrix_flops ==
        2 * kLength * kLength * 64 * 128);
  CHECK(part(kOperation<operations::AttentionCore>).matrix_flops ==
        4 * kLength * kLength * 64 * 128);
  CHECK(part(kOperation<operations::AttentionCore>).bytes == 4 * kLength * (64 + 8) * 128);
  CHECK(part(kOperation<operations::OutputProjection>).matrix_flops == 2 * kLength * 64 * 128 * d);
  CHECK(part(kOperation<operations::FeedForward>).matrix_flops == 6 * kLength * d * 28672);
  CHECK(part(kOperation<operations::FeedForward>).kernels == 2);  // gate and up together, then down
  CHECK(part(kOperation<operations::FeedForward>).weight_bytes == 2 * 3 * d * 28672);
  CHECK(part(kOperation<operations::LmHead>).matrix_flops == 2 * kLength * d * 128256);
  CHECK(part(kOperation<operations::Embedding>).bytes == 2 * 2 * kLength * d);
  CHECK(part(kOperation<operations::KvRead>).bytes == 2 * 2 * 8 * 128 * kLength);
  // A norm stands before each part.
  CHECK(part(kOperation<operations::Layer>).kernels == 7);
}

TEST_CASE("a feed-forward block without a gate has two matrices") {
  const auto plain = with(llama3_8b(), {{"gatedFeedForward", 0}});
  CHECK(work(plain, kOperation<operations::FeedForward>).matrix_flops ==
        4 * kLength * 4096 * 14336);
  CHECK(work(plain, kOperation<operations::FeedForward>).weight_bytes == 2 * 2 * 4096.0 * 14336);
}

TEST_CASE("a model without norms has none in its layers") {
  const auto bare = with(llama3_8b(), {{"normsPerLayer", 0}});
  CHECK(work(bare, kOperation<operations::Layer>).vector_flops == 0);
  CHECK(work(bare, kOperation<operations::Layer>).kernels == 5);
}

// --- experts ---

TEST_CASE("few tokens touch few experts, many tokens all of them") {
  const double expert = 3 * 4096.0 * 14336;
  const auto of_tokens = [](double tokens) {
    return work(mixtral_8x7b(), kOperation<operations::Experts>,
                {{"queries", tokens}, {"keys", 1}, {"weightFormat", Format::kInt8}});
  };
  for (const double tokens : {1.0, 2.0, 3.0, 4.0, 5.0, 1000.0}) {
    const auto found = of_tokens(tokens);
    CHECK_THAT(found.weight_bytes, WithinRel(std::min(8.0, 2 * tokens) * expert, 1e-14));
    CHECK_THAT(found.matrix_flops, WithinRel(2 * expert * 2 * tokens, 1e-14));
  }
}

TEST_CASE("shared experts see every token") {
  // DeepSeek V3: 8 of 256 experts and a shared one, each D x 2048 three times.
  const double expert = 3 * 7168.0 * 2048;
  const auto found =
      work(deepseek_v3(), kOperation<operations::Experts>, {{"weightFormat", Format::kInt8}});
  CHECK_THAT(found.weight_bytes, WithinRel(257 * expert, 1e-14));
  CHECK_THAT(found.matrix_flops, WithinRel(2 * kLength * 9 * expert, 1e-14));
  CHECK(found.kernels == 4);
  CHECK(work(deepseek_v3(), kOperation<operations::Router>).matrix_flops ==
        2 * kLength * 7168 * 256);
}

TEST_CASE("the intensity of experts is that of their share of the tokens: E / k times as many") {
  const auto intensity = [](const Raw<Model>& model, OperationKind kind, double tokens) {
    const auto sum = work(model, kind, {{"queries", tokens}, {"keys", 1}});
    return sum.matrix_flops / sum.weight_bytes;
  };
  // 2 FLOPs for each token at a weight of 2 bytes.
  CHECK_THAT(intensity(mixtral_8x7b(), kOperation<operations::FeedForward>, 512),
             WithinRel(512.0, 1e-14));
  CHECK_THAT(intensity(mixtral_8x7b(), kOperation<operations::Experts>, 512),
             WithinRel(512 * 2 / 8.0, 1e-14));
}

// --- latent attention ---

TEST_CASE("DeepSeek V3: projections of latent attention, in both forms") {
  const double d = 7168;
  const double query = d * 1536 + 1536 * 128.0 * 192;
  const double latent = d * 576;
  const double keys_and_values = 512 * 128.0 * (128 + 128);
  const double output = 128 * 128 * d;
  const auto flops = [](OperationKind kind, LatentForm form) {
    return work(deepseek_v3(), kind, {{"latentForm", form}}).matrix_flops / (2 * kLength);
  };
  CHECK(flops(kOperation<operations::QkvProjection>, LatentForm::kExpanded) ==
        query + latent + keys_and_values);
  CHECK(flops(kOperation<operations::OutputProjection>, LatentForm::kExpanded) == output);
  // Absorbed, queries go through the keys' half, results through the values'.
  CHECK(flops(kOperation<operations::QkvProjection>, LatentForm::kAbsorbed) ==
        query + latent + 128 * 128 * 512.0);
  CHECK(flops(kOperation<operations::OutputProjection>, LatentForm::kAbsorbed) ==
        output + 128 * 128 * 512.0);
}

TEST_CASE("without a rank of queries these are projected at once") {
  const auto lite = with(deepseek_v3(), {{"queryRank", 0}});
  const double keys_and_values = 512 * 128.0 * (128 + 128);
  CHECK(work(lite, kOperation<operations::QkvProjection>).matrix_flops / (2 * kLength) ==
        7168 * 128.0 * 192 + 7168 * 576 + keys_and_values);
}

TEST_CASE("the cache of latent attention is one vector a position, whatever the heads") {
  CHECK(work(deepseek_v3(), kOperation<operations::KvRead>).bytes == 2 * 576 * kLength);
  CHECK(work(deepseek_v3(), kOperation<operations::KvRead>,
             {{"keyValueFormat", Format::kFp8}, {"sequences", 7}})
            .bytes == 7 * 576 * kLength);
  // All layers' make the cache of a token, as long as windows show all.
  for (const auto& [id, model] : plain_presets()) {
    INFO(id);
    CHECK_THAT(work(model, kOperation<operations::KvRead>, {{"keys", 128}}).bytes / 128 *
                   typed(model).layers.value(),
               WithinRel(kv_cache_per_token(typed(model), Format::kBf16).value(), 1e-12));
  }
}

TEST_CASE("where all layers see a window, so does the one that is asked for") {
  // Phi-3 mini 4k: all 32 layers see 2,047 tokens, 32 key heads of 96.
  const auto phi = model_presets().at("phi-3-mini-4k");
  CHECK(work(phi, kOperation<operations::KvRead>, {{"keys", 8192}}).bytes ==
        2 * 2 * 32 * 96 * 2047.0);
  const auto scores = [&](double keys) {
    return work(phi, kOperation<operations::AttentionScores>, {{"keys", keys}}).matrix_flops;
  };
  CHECK(scores(8192) == 2 * kLength * 2047 * 32 * 96);
  CHECK(scores(1024) == 2 * kLength * 1024 * 32 * 96);
}

TEST_CASE("a mixer with a state has no scores of its own") {
  const auto asked = [](const char* id, AskedMixer mixer) {
    return asked_attention(
               typed(request_of(kOperation<operations::AttentionScores>, {{"mixer", mixer}})),
               typed(model_presets().at(id)))
        .has_value();
  };
  CHECK(asked("qwen3-next-80b-a3b", AskedMixer::kFirst));
  CHECK(!asked("qwen3-next-80b-a3b", AskedMixer::kLinear));
  CHECK(!asked("jamba-1.5-large", AskedMixer::kMamba));
}

TEST_CASE("matmuls that read the same rows are one launch, of any layer") {
  // Qwen3-Next: queries, keys, values and gates of 16 and 2 heads of 256. DeepSeek-V3: both
  // down-projections, then those up.
  const auto launches = [](const char* id) {
    return work(model_presets().at(id), kOperation<operations::QkvProjection>).kernels;
  };
  CHECK(launches("qwen3-next-80b-a3b") == 1);
  CHECK(launches("deepseek-v3") == 3);
}

// --- tokens ---

TEST_CASE("tokens are the queries of all sequences, weights are read once for all of them") {
  const auto one =
      work(llama3_8b(), kOperation<operations::FeedForward>, {{"sequences", 1}, {"queries", 512}});
  const auto many =
      work(llama3_8b(), kOperation<operations::FeedForward>, {{"sequences", 512}, {"queries", 1}});
  CHECK(one.matrix_flops == many.matrix_flops);
  CHECK(one.bytes == many.bytes);
  const auto decode =
      work(llama3_8b(), kOperation<operations::Layer>, {{"sequences", 512}, {"queries", 1}});
  const auto prefill =
      work(llama3_8b(), kOperation<operations::Layer>, {{"sequences", 1}, {"queries", 512}});
  CHECK(decode.weight_bytes == prefill.weight_bytes);
  CHECK(decode.bytes > prefill.bytes);  // each sequence has keys and values of its own
}

TEST_CASE("a layer on a chip: weights bind few tokens, computing binds many") {
  const auto bound_at = [](double sequences) {
    return bound<term::kBound>(
        operation(tpu_v5e(), llama3_8b(),
                  request_of(kOperation<operations::Layer>,
                             {{"sequences", sequences}, {"queries", 1}, {"keys", 128}})));
  };
  CHECK(bound_at(1) == Bound::kMemory);
  CHECK(bound_at(64) == Bound::kMemory);
  CHECK(bound_at(1024) == Bound::kCompute);
}

// Kernels that had no room in the list were once left out of the sums silently.
TEST_CASE("the largest layer there can be has room for all of its kernels") {
  Raw<Model> model = model_presets().at("deepseek-v3");
  model = with(model, {{"normsPerLayer", 16},
                       {"sharedExperts", 8},
                       {"qkNorm", QkNorm::kFull},
                       {"attentionSinks", true}});
  for (const auto kernel : {AttentionKernel::kNaive, AttentionKernel::kFlash}) {
    for (const auto form : {LatentForm::kExpanded, LatentForm::kAbsorbed}) {
      const Settings others{
          {"pass", Pass::kBoth}, {"attentionKernel", kernel}, {"latentForm", form}};
      CHECK(kernels_of(model, request_of(kOperation<operations::Layer>, others)).complete());
    }
  }
  const auto layer = [&](double norms) {
    const SearchInput<double> in{{typed(h100())},
                                 {typed(with(model, {{"normsPerLayer", norms}}))},
                                 {typed(make<Run>({}))},
                                 {typed(make<Layout>({}))},
                                 {typed(make<Stack>({}))},
                                 {typed(make<Assumptions>({{"rates", RatesFrom::kStated}}))},
                                 {typed(make<SearchSpace>({}))}};
    return layer_work<double>(in);
  };
  const auto none = layer(0);
  const auto one = layer(1);
  const auto most = layer(16);
  const auto bytes = [](const auto& work) { return work.memory.value(); };
  CHECK_THAT(bytes(most.norms), WithinRel(16 * bytes(one.norms), 1e-9));
  CHECK_THAT(bytes(most.sparse_backward) - bytes(none.sparse_backward),
             WithinRel(16 * (bytes(one.sparse_backward) - bytes(none.sparse_backward)), 1e-6));
}

}  // namespace
}  // namespace scaling::test::layer_test
