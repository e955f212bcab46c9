// SPDX-License-Identifier: MIT
#include <optional>

#include "../core/inputs.hpp"
#include "bench.hpp"
#include "scaling/search/layout_search.hpp"

namespace scaling::bench {
namespace {

using inputs::raw;

template <template <class> class Group>
Raw<Group> with(Raw<Group> group, inputs::Values values) {
  for (const auto& [key, value] : values) group[key] = value;
  return group;
}

Raw<Chip> h100() { return with(inputs::chip(1), {{"leafDomains", 32}, {"oversubscription", 1}}); }

Raw<Model> llama3_405b() {
  return with(inputs::llama3_70b(),
              {{"layers", 126}, {"hidden", 16384}, {"feedForward", 53248}, {"heads", 128}});
}

PlanQuestion::Input input_of(const Raw<Chip>& chip, const Raw<Model>& model, const Raw<Run>& run) {
  return {chip,
          model,
          run,
          Raw<Layout>::defaults(),
          Raw<Stack>::defaults(),
          Raw<Assumptions>::defaults(),
          Raw<SearchSpace>::defaults()};
}

/// The model as it was trained, except for what the search chooses and for the schedule.
PlanQuestion::Input deepseek_v3() {
  auto input = input_of(
      with(h100(), {{"scaleUpBandwidth", 2e11}}), inputs::deepseek_v3(),
      raw<Run>({{"chips", 2048}, {"batchTokens", 15360 * 4096}, {"sequenceLength", 4096}}));
  input.layout["optimizer"] = inputs::index(Optimizer::kAdamBf16);
  input.layout["fp8Matmuls"] = 1;
  input.layout["expertNodes"] = 4;
  input.assumptions["overlapExpert"] = 1;
  return input;
}

template <std::size_t kRounds>
SearchFigures measure(const char* name, const PlanQuestion::Input& input) {
  static std::optional<LayoutSearch> search;  // it holds too much for a stack
  const auto groups = PlanQuestion::read<double>(input).plain;
  std::array<double, kRounds> best{}, all{};
  SearchFigures figures{};
  for (std::size_t round = 0; round < kRounds; ++round) {
    best[round] = time_of([&] {
      search.emplace(groups, MapField::kTensor, MapField::kPipeline);
      search->find_best();
    });
    all[round] = time_of([&] {
      while (!search->done()) search->advance(4096);
    });
  }
  figures.name = name;
  figures.best = median(best);
  figures.all = median(all);
  figures.layouts = static_cast<double>(search->grid());
  figures.sum = search->lower() + static_cast<double>(search->fitting());
  for (const CostedLayout& plan : search->best()) figures.sum += plan.expected;
  for (const CostedLayout& plan : search->front()) figures.sum += plan.memory * 1e-10;
  return figures;
}

}  // namespace

std::array<SearchFigures, 11> measure_searches() {
  const auto llama = [](double chips, double slices) {
    return raw<Run>({{"chips", chips},
                     {"slices", slices},
                     {"batchTokens", 16777216},
                     {"sequenceLength", 8192}});
  };
  std::array<SearchFigures, 11> figures{
      measure<5>("405B on 16,384 H100", input_of(h100(), llama3_405b(), llama(16384, 1))),
      measure<5>("405B on 8 v5p pods", input_of(inputs::chip(0), llama3_405b(), llama(71680, 8))),
      measure<5>("DeepSeek-V3 on 2,048 H800", deepseek_v3())};
  constexpr std::array<const char*, 8> kNames{
      "DeepSeek-V3 x1,024",  "DeepSeek-V3 x2,048",  "DeepSeek-V3 x4,096",  "DeepSeek-V3 x8,192",
      "DeepSeek-V3 x16,384", "DeepSeek-V3 x32,768", "DeepSeek-V3 x65,536", "DeepSeek-V3 x131,072"};
  double chips = 1024;
  for (std::size_t i = 0; i < kNames.size(); ++i, chips *= 2) {
    auto input = deepseek_v3();
    input.run["chips"] = chips;
    input.run["batchTokens"] = chips * 8 * 4096;
    figures[3 + i] = measure<1>(kNames[i], input);
  }
  return figures;
}

}  // namespace scaling::bench
