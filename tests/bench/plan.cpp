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
          Raw<Assumptions>::defaults(),
          Raw<SearchSpace>::defaults()};
}

/// As it was trained, but for what the search chooses and for the schedule.
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

SearchFigures measure(const char* name, const PlanQuestion::Input& input) {
  static std::optional<LayoutSearch> search;  // it holds too much for a stack
  const auto groups = PlanQuestion::read<double>(input).plain;
  constexpr std::size_t kRounds = 5;
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
  figures.layouts = static_cast<double>(search->evaluated());
  figures.sum = search->lower() + static_cast<double>(search->fitting());
  for (const CostedLayout& plan : search->best()) figures.sum += plan.expected;
  for (const CostedLayout& plan : search->front()) figures.sum += plan.memory * 1e-10;
  return figures;
}

}  // namespace

std::array<SearchFigures, 3> measure_searches() {
  const auto llama = [](double chips, double slices) {
    return raw<Run>({{"chips", chips},
                     {"slices", slices},
                     {"batchTokens", 16777216},
                     {"sequenceLength", 8192}});
  };
  return {measure("405B on 16,384 H100", input_of(h100(), llama3_405b(), llama(16384, 1))),
          measure("405B on 8 v5p pods", input_of(inputs::chip(0), llama3_405b(), llama(71680, 8))),
          measure("DeepSeek-V3 on 2,048 H800", deepseek_v3())};
}

}  // namespace scaling::bench
