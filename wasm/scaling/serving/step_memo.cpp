// SPDX-License-Identifier: MIT
#include "scaling/serving/step_memo.hpp"

#include <cstdint>
#include <cstring>

#include "scaling/quantity/logarithm.hpp"

namespace scaling {
namespace {

template <std::size_t kNumbers>
std::size_t hash_of(const std::array<double, kNumbers>& key) {
  std::uint64_t hash = 0;
  for (const double number : key) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    hash = (hash ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
  }
  return static_cast<std::size_t>(hash >> 32);
}

StepParts<double> kept(const StepParts<double>& parts, StepParts<double>*) { return parts; }

/// The one part that is not left out.
Quantity<kSecond, double> kept(const StepParts<double>& parts, Quantity<kSecond, double>*) {
  return parts.network + parts.experts + parts.attention;
}

/// The value under `key`, remembered or computed now.
template <std::size_t kNumbers, class Places>
const auto& find(Places& places, const std::array<double, kNumbers>& key, StepNeeds needs,
                 const ServingInput<double>& in, const WeightBytes<double>& weights,
                 const ServerWays<double>& ways, const StepTokens<double>& tokens) {
  auto& place = places[hash_of(key) % places.size()];
  if (place.key != key) {
    place.key = key;
    place.kept = kept(step_parts(in, weights, ways, tokens, needs), &place.kept);
  }
  return place.kept;
}

}  // namespace

FloorNumbers<double> StepMemo::floor_numbers(const Model<double>& model) {
  if (!floor_numbers_.has_value()) floor_numbers_ = scaling::floor_numbers(model);
  return *floor_numbers_;
}

void StepMemo::clear() {
  floor_numbers_.reset();
  for (auto& place : ranks_) place.key = {};
  for (auto& place : attention_) place.key = {};
  for (auto& place : experts_) place.key = {};
  for (auto& place : networks_) place.key = {};
}

double StepMemo::logarithm_of(double chips) {
  if (!(chips < static_cast<double>(logarithms_.size()))) return logarithm(chips);
  double& kept = logarithms_[static_cast<std::size_t>(chips)];
  if (!(kept > 0)) kept = logarithm(chips);
  return kept;
}

StepParts<double> StepMemo::step(const ServingInput<double>& in, const WeightBytes<double>& weights,
                                 const ServerWays<double>& ways, const StepTokens<double>& tokens) {
  // A step at stated rates takes a few multiplications, so it is not kept.
  if (!in.measured()) return step_parts(in, weights, ways, tokens);
  std::array<double, 7> key = {ways.tensor.value(), tokens.decoding.value(), tokens.context.value(),
                               tokens.each.value(), tokens.prompts.value(),  tokens.queries.value(),
                               tokens.past.value()};
  StepParts<double> parts =
      find<7>(ranks_, key, {true, false, false, false}, in, weights, ways, tokens);
  // Tensor ways are positive; attention and transfers differ where they divide the cache.
  const double tensor = in.server.divide_by_batch ? -ways.tensor.value() : ways.tensor.value();
  key[0] = tensor;
  parts.attention =
      find<7>(attention_, key, {false, false, false, true}, in, weights, ways, tokens);
  if (depth == Depth::kRanks) return parts;
  parts.network = find<6>(networks_,
                          {tensor, ways.data.value(), ways.pipeline.value(), tokens.all().value(),
                           tokens.decoded().value(), tokens.prompts.value()},
                          {false, false, true, false}, in, weights, ways, tokens);
  if (!in.model.sparse()) return parts;
  parts.experts = find<3>(
      experts_,
      {ways.expert.value(), ways.expert_tensor().value(), (tokens.all() * ways.data).value()},
      {false, true, false, false}, in, weights, ways, tokens);
  return parts;
}

}  // namespace scaling
