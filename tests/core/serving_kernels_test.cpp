// SPDX-License-Identifier: MIT
//
// Weights, caches and the division of servers are folds over a model's kernels.
// Expected values: the numbers of a model's published configuration, counted by hand beside each.

#include "presets.hpp"
#include "scaling/serving/kv_cache.hpp"
#include "scaling/serving/server_layout.hpp"
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

}  // namespace
}  // namespace scaling::test::serving_kernels_test
