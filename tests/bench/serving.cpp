// SPDX-License-Identifier: MIT
#include <memory>

#include "../core/inputs.hpp"
#include "bench.hpp"
#include "scaling/questions/serving/question.hpp"
#include "scaling/search/serving_division.hpp"
#include "scaling/search/serving_frontier.hpp"

namespace scaling::bench {
namespace {

using inputs::raw;

constexpr std::size_t kRounds = 101;

/// An H100 whose kernels take what measured ones do, in domains of so many.
Raw<Chip> hopper(double domain) {
  auto chip = inputs::chip(1);
  chip["generation"] = inputs::index(ChipGeneration::kHopper);
  chip["scaleUpChips"] = domain;
  return chip;
}

/// A GB200 of a rack of 72.
Raw<Chip> blackwell() {
  return raw<Chip>({{"generation", inputs::index(ChipGeneration::kBlackwell)},
                    {"multiprocessors", 148},
                    {"memory", 199715979264},
                    {"memoryBandwidth", 8e12},
                    {"peakBf16", 2.5e15},
                    {"peakFp8", 5e15},
                    {"peakFp4", 1e16},
                    {"network", inputs::index(Network::kSwitched)},
                    {"scaleUpChips", 72},
                    {"scaleUpBandwidth", 9e11}});
}

/// Layers of four kinds, experts in a latent space.
Raw<Model> kimi_k3() {
  auto model = raw<Model>({{"layers", 93},
                           {"hidden", 7168},
                           {"feedForward", 33792},
                           {"heads", 96},
                           {"vocabulary", 163840},
                           {"attention", inputs::index(Attention::kLatent)},
                           {"queryRank", 1536},
                           {"kvRank", 512},
                           {"nopeDim", 128},
                           {"ropeDim", 64},
                           {"valueDim", 128},
                           {"experts", 896},
                           {"expertsPerToken", 16},
                           {"expertFeedForward", 3072},
                           {"sharedExperts", 2},
                           {"expertLatent", 3584},
                           {"linearAttention", inputs::index(LinearAttention::kKimiDelta)},
                           {"linearKeyHeads", 96},
                           {"linearValueHeads", 96},
                           {"linearKeyDim", 128},
                           {"linearValueDim", 128}});
  model.text("layerPattern") = Text("ld.2xle.22x(ae.3xle).2xae");
  return model;
}

ServingQuestion::Input input_of(const Raw<Model>& model, double chips, bool apart) {
  return {hopper(8), model,
          raw<Serving>({{"chips", chips}, {"users", 16 * chips}, {"apart", apart ? 1 : 0}}),
          raw<Server>({{"weights", inputs::index(WeightFormat::kFp8)}})};
}

/// `search` of an input that differs each round, so that nothing can be computed once for all.
template <class Search>
ServingFigures measure(const char* name, ServingQuestion::Input input, Search search) {
  std::array<double, kRounds> times{};
  ServingFigures figures{name, 0, 0, 0, 0};
  for (std::size_t round = 0; round < kRounds; ++round) {
    input.serving["promptTokens"] = 4096 + 16 * static_cast<double>(round);
    const auto typed = ServingQuestion::read<double>(input);
    const ServingInput<double> in(typed);
    times[round] = time_of([&] { search(in, figures); });
  }
  std::sort(times.begin(), times.end());
  figures.median = times[kRounds / 2];
  figures.p99 = times[kRounds * 99 / 100];
  return figures;
}

ServingFigures measure_frontier(const char* name, const ServingQuestion::Input& input) {
  const auto frontier = [](const ServingInput<double>& in, ServingFigures& figures) {
    const auto found = std::make_unique<ServingFrontier>(in);
    figures.grid = static_cast<double>(found->grid());
    for (const auto& point : found->points()) figures.sum += point.token * point.chips;
  };
  return measure(name, input, frontier);
}

ServingFigures measure_division(const char* name, const ServingQuestion::Input& input) {
  const auto division = [](const ServingInput<double>& in, ServingFigures& figures) {
    const DivisionSearch search(in, {});
    figures.grid = static_cast<double>(search.grid());
    figures.sum += search.best().speed;
  };
  return measure(name, input, division);
}

}  // namespace

std::array<ServingFigures, 11> measure_serving() {
  auto rack = input_of(inputs::deepseek_v3(), 8, false);
  rack.chip = hopper(72);
  auto newer = rack;
  newer.chip = blackwell();
  auto four = newer;
  four.server["weights"] = inputs::index(WeightFormat::kNvfp4);
  auto kimi = four;
  kimi.model = kimi_k3();
  auto oss = input_of(inputs::gpt_oss_120b(), 8, false);
  oss.server["weights"] = inputs::index(WeightFormat::kMxfp4);
  return {measure_frontier("frontier of LLaMA 3 70B", input_of(inputs::llama3_70b(), 8, false)),
          measure_frontier("frontier of DeepSeek-V3", input_of(inputs::deepseek_v3(), 8, false)),
          measure_frontier("frontier of DeepSeek-V3, racks of 72", rack),
          measure_frontier("frontier of DeepSeek-V3, GB200", newer),
          measure_frontier("frontier of DeepSeek-V3, GB200, nvfp4", four),
          measure_frontier("frontier of Kimi K3, GB200", kimi),
          measure_frontier("frontier of gpt-oss 120B", oss),
          measure_division("division of 8", input_of(inputs::llama3_70b(), 8, false)),
          measure_division("division of 64, experts", input_of(inputs::deepseek_v3(), 64, false)),
          measure_division("division of 256, experts", input_of(inputs::deepseek_v3(), 256, false)),
          measure_division("division of 32, apart", input_of(inputs::deepseek_v3(), 32, true))};
}

}  // namespace scaling::bench
