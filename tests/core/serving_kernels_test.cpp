// SPDX-License-Identifier: MIT
//
// Weights, caches, the division of servers and their steps are folds over a model's kernels.
// Expected values: the numbers of a model's published configuration, counted by hand beside each.

#include "presets.hpp"
#include "scaling/serving/forward.hpp"
#include "scaling/serving/kv_cache.hpp"
#include "scaling/serving/server_layout.hpp"
#include "scaling/serving/step_prices.hpp"
#include "servers.hpp"

namespace scaling::test::serving_kernels_test {
namespace {

/// Serves a model on 64 chips, and gives what `of` says of the input.
template <class Of>
auto on_server(const Raw<Model>& model, const Settings& server, Of of) {
  ServingQuestion::Input input{chip_presets().at("h100-sxm"), model,
                               make<Serving>({{"chips", 64}, {"users", 1}}), make<Server>(server)};
  const auto typed = ServingQuestion::read<double>(input);
  return of(ServingInput<double>(typed));
}

const auto kBytes = [](const ServingInput<double>& in) { return weight_bytes(in); };
const auto kCache = [](const ServingInput<double>& in) { return kv_bytes(in); };

ServerWays<double> tensor_ways(double tensor) {
  const Count<double> one(1);
  return {Count<double>(tensor), one, one, one};
}

TEST_CASE("weights in 16 bits are two bytes for each parameter of all models") {
  for (const auto& [id, raw] : model_presets()) {
    INFO(id);
    const auto model = read_group<Model, double>(raw);
    CHECK(on_server(raw, {}, kBytes).total().value() == 2 * count_parameters(model).total.value());
  }
  const auto biased = with(model_presets().at("llama-3.1-8b"), {{"headBias", 1}});
  CHECK(on_server(biased, {}, kBytes).total().value() ==
        2 * count_parameters(read_group<Model, double>(biased)).total.value());
}

TEST_CASE("shared experts are one matrix, which has its scales once") {
  // DeepSeek-V2: 59 layers with two shared experts of 1,536, one dense of 12,288; an fp16 scale for
  // each column.
  const auto part = [](double width) { return 3 * 5120 * width + 2 * (2 * width + 5120); };
  CHECK(on_server(model_presets().at("deepseek-v2"), {{"weights", WeightFormat::kInt8}}, kBytes)
            .feed_forward.value() == part(12288) + 59 * part(2 * 1536));
}

TEST_CASE("a cache in 8 bits has a scale for each token and head, whatever the other layers are") {
  const Settings scaled = {{"cacheFormat", KvFormat::kScaled8}};
  const auto per_token = [&](const char* id) {
    return on_server(model_presets().at(id), scaled, kCache).per_token.value();
  };
  // vLLM's fp8_ds_mla: 512 numbers with four scales, 64 in 16 bits; an index key of 128.
  CHECK(per_token("deepseek-v3") == 61 * 656);
  CHECK(per_token("deepseek-v3.2") == 61 * (656 + 128 + 4));
  // 12 layers of attention, two key heads of 256.
  CHECK(per_token("qwen3-next-80b-a3b") == 12 * 2 * 2 * (256 + 4));
}

TEST_CASE("the heads of a state are whole on each chip, as key heads are") {
  // Qwen3-Next: 36 layers of 32 heads of 128 x 128 in fp32, and three tokens of 8,192 channels.
  const auto state = [](double tensor) {
    return on_server(model_presets().at("qwen3-next-80b-a3b"), {{"unevenHeads", 1}},
                     [&](const ServingInput<double>& in) {
                       return kv_of_chip(in, tensor_ways(tensor)).state.value();
                     });
  };
  const double head = 36 * (128 * 128 * 4 + 3 * 8192 / 32 * 2);
  CHECK(state(1) == 32 * head);
  CHECK(state(8) == 4 * head);
  CHECK(state(12) == 3 * head);
  CHECK(state(64) == head);
}

TEST_CASE("tensor ways divide the heads and the blocks of each kernel, or leave pieces") {
  const auto fault = [](const char* id, double tensor, const Settings& server) {
    return on_server(model_presets().at(id), server, [&](const ServingInput<double>& in) {
      return tensor_fault(in, tensor).value_or(LayoutFault{IssueCode::kNotANumber});
    });
  };
  const auto expect = [](const LayoutFault& found, IssueCode code, double first, double second) {
    CHECK(static_cast<int>(found.code) == static_cast<int>(code));
    CHECK(found.first == first);
    CHECK(found.second == second);
  };
  using enum IssueCode;
  // 32 and 8 heads of Llama; of Jamba 64 and 8, whatever its channels of Mamba.
  expect(fault("llama-3.1-8b", 3, {}), kTensorDoesntDivideHeads, 32, 8);
  expect(fault("jamba-1.5-large", 3, {}), kTensorDoesntDivideHeads, 64, 8);
  expect(fault("llama-3.1-8b", 8, {}), kNotANumber, 0, 0);
  // Qwen3-Next's linear attention: 16 key heads and 32 value heads, beside 16 and 2.
  expect(fault("qwen3-next-80b-a3b", 16, {}), kNotANumber, 0, 0);
  // 16 ranks have one and a half blocks of 128 each of two shared experts of 1,536 columns.
  const Settings blocks = {{"weights", WeightFormat::kFp8Block}};
  expect(fault("deepseek-v2", 8, blocks), kNotANumber, 0, 0);
  expect(fault("deepseek-v2", 16, blocks), kBlocksDontDivide, 3072, 128);
}

// --- a step ---

using Kernels = std::span<const Kernel<double>>;

StepTokens<double> decoding(double sequences) {
  StepTokens<double> tokens{};
  tokens.decoding = Count<double>(sequences);
  tokens.context = Count<double>(4096);
  tokens.each = Count<double>(1);
  return tokens;
}

StepTokens<double> prefilling(double prompts, double queries) {
  StepTokens<double> tokens{};
  tokens.prompts = Count<double>(prompts);
  tokens.queries = Count<double>(queries);
  return tokens;
}

/// Outputs of the launch that begins with a kernel of this name in the first part that has one.
double outputs_of(const char* id, const char* name, double tensor) {
  double outputs = 0;
  KernelDegrees<double> by;
  by.tensor = Count<double>(tensor);
  each_part(typed(model_presets().at(id)), [&](const LayerPart<double>&, Kernels kernels) {
    for (std::size_t i = 0; i < kernels.size() && outputs == 0; ++i) {
      if (std::string(kernels[i].name) != name) continue;
      outputs = launch_of(kernels, i, {Count<double>(1), Count<double>(1)}, by).outputs.value();
    }
  });
  return outputs;
}

/// Bytes that the move of this name takes of a step, of the first part that has one.
double moved_by(const char* id, const char* name, double tensor) {
  return on_server(model_presets().at(id), {}, [&](const ServingInput<double>& in) {
    const auto ways = tensor_ways(tensor);
    const auto tokens = decoding(1);
    const StepPrices<double> prices(in, ways, tokens);
    double time = 0;
    bool found = false;
    each_part(in.model, [&](const LayerPart<double>&, Kernels kernels) {
      for (const auto& kernel : kernels) {
        if (found || std::string(kernel.name) != name) continue;
        found = true;
        time = prices.move(kernel).value();
      }
    });
    CHECK(found);
    return time * in.chip.memory_bandwidth.value() * static_cast<double>(in.constants.memory);
  });
}

ServedLayers<double> layers_of(const char* id) {
  return served_layers(typed(model_presets().at(id)));
}

// Serving joined these in DeepSeek-V3 only: whoever has an indexer or a gate besides joins them,
// too. Source: vLLM, fused_qkv_a_proj.
TEST_CASE("down-projections of queries and keys are one launch in all latent attention") {
  CHECK(outputs_of("deepseek-v3", "qDown", 8) == 1536 + 576);
  CHECK(outputs_of("deepseek-v3.2", "qDown", 8) == 1536 + 576);
  CHECK(outputs_of("deepseek-v3.2", "indexK", 8) == 128 + 64);
  // Kimi Linear's matrices up read different inputs: 32 heads of 128 each.
  CHECK(outputs_of("kimi-linear-48b-a3b", "decayUp", 1) == 4096);
}

// They were divided evenly. Source: Megatron-LM and vLLM, which copy groups and key heads.
TEST_CASE("heads and groups that tensor parallelism can't divide are whole on each rank") {
  // Granite 4.0 H small: 128 heads of 64, one group of B and C of 128 numbers each.
  CHECK(outputs_of("granite-4.0-h-small", "inZXDt", 8) == (2 * 8192 + 128) / 8 + 2 * 128);
  // Qwen3-Next: 16 heads with as many gates, and two key heads, of 256.
  CHECK(outputs_of("qwen3-next-80b-a3b", "q", 8) == (2 + 1 + 1 + 2) * 256);
}

TEST_CASE("a shared expert's gate is a column beside the router's") {
  CHECK(outputs_of("qwen3-next-80b-a3b", "router", 8) == 512 + 1);
}

TEST_CASE("a launch of a step is priced by the shape of a chip's share") {
  on_server(model_presets().at("llama-3.1-70b"), {}, [](const ServingInput<double>& in) {
    const auto ways = tensor_ways(8);
    const auto tokens = decoding(64);
    const StepPrices<double> prices(in, ways, tokens);
    const auto count = [](double n) { return Count<double>(n); };
    each_part(in.model, [&](const LayerPart<double>& part, Kernels kernels) {
      if (!part.mixes) return;
      std::size_t at = 1;  // behind the norm
      const MatmulKernel<double> expected{{count(64), count(8192), count((8 + 2) * 128),
                                           Format::kBf16, Format::kBf16, Format::kBf16},
                                          KernelFormat::kBf16,
                                          count(1),
                                          false,
                                          Quantising::kFused,
                                          count(0)};
      CHECK(prices.matmuls(kernels, at).value() ==
            kernel_time(in.kernels_chip, expected).expected.value());
      CHECK(at == 3);  // q, k and v
    });
    return 0;
  });
}

TEST_CASE("servers join the sum with a norm: four numbers a part, five of both parallel parts") {
  CHECK_THAT(moved_by("llama-3.1-8b", "norm", 8), WithinRel(4 * 4096 * 2.0, 1e-12));
  CHECK_THAT(moved_by("palm-540b", "norm", 8), WithinRel(5 * 18432 * 2.0, 1e-12));
  CHECK(layers_of("llama-3.1-8b").normless.value() == 0);
  CHECK(layers_of("palm-540b").normless.value() == 118);
  CHECK(layers_of("palm-540b").whole.value() == 118);
}

TEST_CASE("passes over memory are those of the list, or of a kernel that does them on the way") {
  // The gate, the shared expert's 2,048 numbers and their product, an eighth of each.
  CHECK_THAT(moved_by("deepseek-v3", "sharedActivation", 8), WithinRel(3 * 2048 * 2.0 / 8, 1e-12));
  CHECK(moved_by("deepseek-v3", "rotate", 8) == 0);
  CHECK(moved_by("deepseek-v3", "permute", 8) == 0);
  // mHC, table 2: four streams are read for a part's input and again for its result, and written.
  CHECK_THAT(moved_by("deepseek-v4-flash", "streamsMixed", 8),
             WithinRel(3 * 4 * 4096 * 2.0, 1e-12));
}

TEST_CASE("sums over tensor ranks are those behind kernels") {
  CHECK(layers_of("llama-3.1-8b").sums.value() == 2 * 32);
  CHECK(layers_of("palm-540b").sums.value() == 118);
  CHECK(layers_of("nemotron-h-56b").sums.value() == 118);
  // 61 mixers and 3 dense parts; those with experts have one more where ranks share none of them.
  CHECK(layers_of("deepseek-v3").sums.value() == 61 + 3);
  CHECK(layers_of("deepseek-v3").experts.layers.value() == 58);
  // 63 layers of Mamba-1 besides: the steps' rank, B and C of 16.
  const auto jamba = layers_of("jamba-1.5-large");
  CHECK(jamba.narrow_sums.value() == 63);
  CHECK(jamba.narrow.value() == 512 + 2 * 16);
}

TEST_CASE("experts take and give the latent width where they have one") {
  const auto sizes = [](const char* id) {
    const auto experts = layers_of(id).experts;
    return std::array{experts.inputs.value(), experts.width.value(), experts.gated ? 3.0 : 2.0};
  };
  CHECK(sizes("deepseek-v3") == std::array{7168.0, 2048.0, 3.0});
  CHECK(sizes("nemotron-3-super-120b-a12b") == std::array{1024.0, 2688.0, 2.0});
}

TEST_CASE("prompts alone read no cache of sequences that decode, however it is divided") {
  const auto attention = [](double context) {
    return on_server(
        model_presets().at("deepseek-v3"), {{"divideByBatch", 1}},
        [&](const ServingInput<double>& in) {
          auto tokens = prefilling(2, 2048);
          tokens.context = Count<double>(context);
          tokens.each = Count<double>(1);
          return serial_parts(in, weight_bytes(in), tensor_ways(8), tokens).attention.value();
        });
  };
  CHECK(attention(1e6) == attention(1));
}

TEST_CASE("a host launches further kernels for states, latent attention and indexers") {
  // 36 layers of linear attention of 48; DeepSeek-V4 has indexers in every other layer behind two.
  CHECK(layers_of("qwen3-next-80b-a3b").eager_state.value() == 36);
  CHECK(layers_of("deepseek-v3").eager_latent.value() == 61);
  CHECK(layers_of("deepseek-v4-flash").eager_index.value() == 21);
  CHECK(layers_of("lfm2-8b-a1b").eager_state.value() == 0);  // a convolution keeps inputs alone
}

}  // namespace
}  // namespace scaling::test::serving_kernels_test
