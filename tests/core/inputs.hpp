// SPDX-License-Identifier: MIT
//
// Inputs for tests that need many: valid ones to start from, and values spread over a field's
// range. Only exact arithmetic makes them, so they are the same natively and as wasm.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <utility>

#include "scaling/questions/budget/question.hpp"
#include "scaling/questions/collective/question.hpp"
#include "scaling/questions/estimate.hpp"
#include "scaling/questions/operation/question.hpp"
#include "scaling/questions/plan/question.hpp"
#include "scaling/questions/reward/question.hpp"
#include "scaling/questions/serving/question.hpp"
#include "scaling/questions/training/question.hpp"

namespace scaling::inputs {

using Values = std::initializer_list<std::pair<const char*, double>>;

template <template <class> class Group>
Raw<Group> raw(Values values) {
  Raw<Group> result = Raw<Group>::defaults();
  for (const auto& [key, value] : values) result[key] = value;
  return result;
}

template <class Enum>
double index(Enum choice) {
  return static_cast<double>(choice);
}

inline Raw<Model> llama3_70b() {
  return raw<Model>({{"layers", 80},
                     {"hidden", 8192},
                     {"feedForward", 28672},
                     {"heads", 64},
                     {"kvHeads", 8},
                     {"headDim", 128},
                     {"vocabulary", 128256}});
}

/// Its heads have no sizes of grouped attention; those here matter once that is asked for.
inline Raw<Model> deepseek_v3() {
  return raw<Model>({{"layers", 61},         {"hidden", 7168},
                     {"feedForward", 18432}, {"heads", 128},
                     {"kvHeads", 128},       {"headDim", 128},
                     {"vocabulary", 129280}, {"attention", index(Attention::kLatent)},
                     {"queryRank", 1536},    {"kvRank", 512},
                     {"nopeDim", 128},       {"ropeDim", 64},
                     {"valueDim", 128},      {"experts", 256},
                     {"expertsPerToken", 8}, {"expertFeedForward", 2048},
                     {"sharedExperts", 1},   {"denseLayers", 3},
                     {"scoreBias", 1},       {"mtpModules", 1}});
}

inline Raw<Model> gpt_oss_120b() {
  return raw<Model>({{"layers", 36},
                     {"hidden", 2880},
                     {"feedForward", 2880},
                     {"heads", 64},
                     {"kvHeads", 8},
                     {"headDim", 64},
                     {"vocabulary", 201088},
                     {"contextLength", 131072},
                     {"qkvBias", 1},
                     {"attentionOutputBias", 1},
                     {"attentionSinks", 1},
                     {"experts", 128},
                     {"expertsPerToken", 4},
                     {"expertFeedForward", 2880},
                     {"routerBias", 1},
                     {"expertBias", 1},
                     {"slidingWindow", 128},
                     {"windowedLayers", 18}});
}

/// `model` with the tower of Gemma 3: SigLIP-So400m at 896 pixels, whose 4,096 patches are pooled
/// to 256 tokens; a matrix to the hidden size behind it.
inline Raw<Model> seeing(Raw<Model> model) {
  const double hidden = 1152, width = 4304, layers = 27;
  const Values tower = {
      {"towerLayers", layers},
      {"towerHidden", hidden},
      {"towerFeedForward", width},
      {"towerHeads", 16},
      {"towerRest", (3 * 14 * 14 + 4096) * hidden + layers * (7 * hidden + width)},
      {"projectorParameters", hidden * model["hidden"]},
      {"imagePatches", 4096},
      {"imageTokens", 256}};
  for (const auto& [key, value] : tower) model[key] = value;
  return model;
}

// Made once: by their names, which takes far longer than what tests then ask of them.

inline const Raw<Chip>& chip(std::size_t which) {
  static const Raw<Chip> chips[] = {
      raw<Chip>({{"memory", 96e9},  // TPU v5p
                 {"memoryBandwidth", 2.8e12},
                 {"onChipMemory", 134217728},
                 {"onChipBandwidth", 6.16e13},
                 {"tileMemory", 67108864},
                 {"peakBf16", 4.59e14},
                 {"peakInt8", 9.18e14},
                 {"peakVector", 1.4336e13},
                 {"network", index(Network::kTorus)},
                 {"torusX", 16},
                 {"torusY", 20},
                 {"torusZ", 28},
                 {"wraparound", index(Wraparound::kCubes)},
                 {"linkBandwidth", 9e10},
                 {"scaleOutBandwidth", 6.25e9},
                 {"hostBandwidth", 1.6e10},
                 {"price", 4.2}}),
      raw<Chip>({{"memory", 80e9},  // H100
                 {"memoryBandwidth", 3.35e12},
                 {"onChipMemory", 52428800},
                 {"onChipBandwidth", 5.5e12},
                 {"tileMemory", 262144},
                 {"peakFp32", 6.7e13},
                 {"peakTf32", 4.95e14},
                 {"peakBf16", 9.9e14},
                 {"peakFp8", 1.98e15},
                 {"network", index(Network::kSwitched)},
                 {"scaleUpChips", 8},
                 {"scaleUpBandwidth", 4.5e11},
                 {"scaleOutBandwidth", 5e10},
                 {"leafDomains", 4},
                 {"oversubscription", 2},
                 {"hostBandwidth", 6.3e10},
                 {"price", 10.8},
                 {"purchase", 33750},
                 {"power", 700}}),
      raw<Chip>({{"memory", 24e9},  // a chip without a network
                 {"memoryBandwidth", 1e12},
                 {"peakFp32", 8.2e13},
                 {"peakBf16", 1.65e14}}),
  };
  return chips[which % std::size(chips)];
}

inline const Raw<Model>& model(std::size_t which) {
  static const Raw<Model> models[] = {llama3_70b(), deepseek_v3(), gpt_oss_120b()};
  return models[which % std::size(models)];
}

/// Few enough for every chip's network: one ring or line, all axes, one way.
inline const Raw<Mesh>& mesh(std::size_t which) {
  static const Raw<Mesh> meshes[] = {
      raw<Mesh>({{"x", 16}}), raw<Mesh>({{"x", 4}, {"y", 3}, {"z", 2}, {"otherShards", 2}}),
      raw<Mesh>({{"x", 8}, {"y", 4}, {"direction", index(Direction::kOneWay)}})};
  return meshes[which % std::size(meshes)];
}

/// A valid input; `which` chooses among several that lead to different parts of the formulas.
template <class Question>
typename Question::Input base(std::size_t which);

template <>
inline TrainingQuestion::Input base<TrainingQuestion>(std::size_t which) {
  return {chip(which), model(which / 3),
          raw<Run>({{"chips", which % 3 == 2 ? 64 : 4096}, {"batchTokens", 4e6}})};
}

/// Money and time by turns; laws, data that repeats, and tokens served.
template <>
inline BudgetQuestion::Input base<BudgetQuestion>(std::size_t which) {
  return {chip(which), model(which / 3), raw<Run>({{"chips", which % 3 == 2 ? 64 : 4096}}),
          raw<Budget>({{"kind", static_cast<double>(which / 9 % 2)},
                       {"law", static_cast<double>(which % 3)},
                       {"uniqueTokens", which % 2 == 1 ? 1e10 : std::nan("")},
                       {"servedTokens", which % 4 == 3 ? 1e13 : 0}})};
}

template <>
inline OperationQuestion::Input base<OperationQuestion>(std::size_t which) {
  const std::size_t kind = which / 3 % std::size(kOperationKindNames);
  const std::size_t round = which / 3 / std::size(kOperationKindNames);
  const bool of_experts = kind == static_cast<std::size_t>(kOperation<operations::Router>) ||
                          kind == static_cast<std::size_t>(kOperation<operations::Experts>);
  const auto request =
      raw<OperationRequest>({{"kind", static_cast<double>(kind)},
                             {"pass", static_cast<double>(round % std::size(kPassNames))}});
  return {chip(which), model(of_experts ? 1 + round % 2 : round), mesh(round), request};
}

template <>
inline CollectiveQuestion::Input base<CollectiveQuestion>(std::size_t which) {
  const auto kind = static_cast<double>(which / 3 % std::size(kCollectiveKindNames));
  return {chip(which), mesh(which / 3 / std::size(kCollectiveKindNames)),
          raw<CollectiveRequest>({{"kind", kind}})};
}

/// Layouts that use each of the ways, by turns with each schedule; of a single chip, none.
template <>
inline PlanQuestion::Input base<PlanQuestion>(std::size_t which) {
  const bool alone = which % 3 == 2;
  const bool sparse = which / 3 % 3 > 0;
  const auto schedule = static_cast<double>(which / 36 % std::size(kPipelineScheduleNames));
  static const Raw<Layout> layouts[] = {
      raw<Layout>({{"tensor", 8}}),
      raw<Layout>({{"tensor", 4},
                   {"context", 2},
                   {"contextKind", index(ContextKind::kRing)},
                   {"pipeline", 4},
                   {"sharding", index(StateSharding::kOptimizer)}}),
      raw<Layout>({{"tensor", 2},
                   {"pipeline", 8},
                   {"sharding", index(StateSharding::kNone)},
                   {"recompute", index(Recompute::kFull)},
                   {"optimizer", index(Optimizer::kMuon)}}),
      raw<Layout>({{"context", 4},
                   {"contextKind", index(ContextKind::kUlysses)},
                   {"pipeline", 2},
                   {"sharding", index(StateSharding::kGradients)},
                   {"shardGroup", 16},
                   {"recompute", index(Recompute::kSelective)},
                   {"attentionKernel", index(AttentionKernel::kNaive)}}),
  };
  auto layout = alone ? Raw<Layout>::defaults() : layouts[which / 9 % std::size(layouts)];
  if (!alone) layout["schedule"] = schedule;
  if (sparse && !alone) layout["expert"] = 8;
  return {chip(which),
          model(which / 3),
          raw<Run>({{"chips", alone ? 1 : 512}, {"batchTokens", 4e6}}),
          layout,
          Raw<Stack>::defaults(),
          raw<Assumptions>({{"rates", static_cast<double>(which % 2)}}),
          Raw<SearchSpace>::defaults()};
}

/// Loads, ways and formats by turns; of a single chip, no ways.
template <>
inline ServingQuestion::Input base<ServingQuestion>(std::size_t which) {
  const bool alone = which % 3 == 2;
  const bool sparse = which / 3 % 3 > 0;
  const auto turn = which / 9;
  auto serving = raw<Serving>({{"load", static_cast<double>(which % std::size(kServingLoadNames))},
                               {"users", 32},
                               {"requestRate", 0.5},
                               {"promptTokens", 1024},
                               {"answerTokens", 256},
                               {"chips", alone ? 1 : 32},
                               {"tensor", alone ? 1 : 8},
                               {"attentionData", alone || turn % 2 == 0 ? 1 : 2},
                               {"expert", alone || !sparse ? 1 : 8},
                               {"draftTokens", turn % 3 == 1 ? 3 : 0},
                               {"prefixShare", turn % 3 == 2 ? 0.5 : 0}});
  if (!alone && turn % 4 == 3) {
    serving["apart"] = 1;
    serving["prefillChips"] = 8;
    serving["prefillTensor"] = 8;
  }
  const auto server =
      raw<Server>({{"weights", static_cast<double>(turn % std::size(kWeightFormatNames))},
                   {"cacheFormat", static_cast<double>(turn % std::size(kKvFormatNames))},
                   {"rates", static_cast<double>(which % 2)},
                   {"unevenBlocks", 1}});
  return {chip(which), model(which / 3), serving, server};
}

/// Calls `visit(field, value)` for every field of an input but texts.
template <template <class> class Group, class Visit>
void visit_fields(Raw<Group>& group, Visit&& visit) {
  for (std::size_t i = 0; i < group.values.size(); ++i) {
    if (kFields<Group>[i].kind != Kind::kText) visit(kFields<Group>[i], group.values[i]);
  }
}

template <template <class> class... Group, class Visit>
void visit_fields(RawGroups<Group...>& input, Visit&& visit) {
  (visit_fields(raw_group<Group>(input), visit), ...);
}

/// The number of fields that `visit_fields` visits.
template <class Question>
inline constexpr std::size_t kFieldsVisited = [] {
  std::size_t count = 0;
  Question::for_each_group(
      [&]<template <class> class Group>() { count += kFieldCount<Group> - kTextCount<Group>; });
  return count;
}();

/// A valid value of a field; `share`, from 0 to 1, goes through its range: choices and flags in
/// equal steps, sizes by their order of magnitude.
inline double spread(const FieldInfo& info, double share) {
  if (info.kind == Kind::kChoice || info.kind == Kind::kFlag) {
    return std::min(std::floor(share * (info.maximum + 1)), info.maximum);
  }
  const bool whole = info.kind == Kind::kCount;
  const int least = info.minimum > 0 ? std::ilogb(info.minimum) : (whole ? 0 : -10);
  const double place = share * (std::ilogb(info.maximum) - least + 1);
  const double power = std::floor(place);
  const double value = std::ldexp(1 + place - power, least + static_cast<int>(power));
  const double inside = std::clamp(value, info.minimum, info.maximum);
  return whole ? std::floor(inside) : inside;
}

/// SplitMix64: the same numbers everywhere, which the standard's distributions are not.
class Numbers {
 public:
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  std::uint64_t below(std::uint64_t limit) { return next() % limit; }

  /// One of so many places.
  std::size_t place(std::size_t count) { return static_cast<std::size_t>(below(count)); }

  /// A number from 0 to 1, 1 excluded.
  double share() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_ = 0;
};

/// `input` with up to `most` fields at other values that they may have by themselves.
template <class Question>
typename Question::Input vary(typename Question::Input input, Numbers& numbers,
                              std::uint64_t most) {
  for (auto changes = numbers.below(most + 1); changes > 0; --changes) {
    auto changed = numbers.below(kFieldsVisited<Question>);
    const double share = numbers.share();
    visit_fields(input, [&](const FieldInfo& info, double& value) {
      if (changed-- == 0) value = spread(info, share);
    });
  }
  return input;
}

}  // namespace scaling::inputs
