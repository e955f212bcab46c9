// SPDX-License-Identifier: MIT
#include "scaling/serving/step_memo.hpp"

#include <cstdint>
#include <cstring>

#include "scaling/quantity/logarithm.hpp"
#include "scaling/serving/transfers.hpp"

namespace scaling {
namespace {

std::size_t hash_of(std::span<const double> key) {
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
  return parts.network + parts.exchange + parts.experts + parts.attention;
}

}  // namespace

/// The value under `key`, remembered or computed now.
template <class Kept>
const Kept& StepMemo::find(std::span<Place<Kept>> places, const Key& key, StepNeeds needs,
                           const ServingInput<double>& in, const WeightBytes<double>& weights,
                           const ServerWays<double>& ways, const StepTokens<double>& tokens) {
  auto& place = places[hash_of(key) & (places.size() - 1)];  // a power of two
  if (place.key != key) {
    place.key = key;
    place.kept = scaling::kept(serial_parts(in, weights, ways, tokens, needs), &place.kept);
  }
  return place.kept;
}

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
  for (auto& place : exchanges_) place.key = {};
}

double StepMemo::logarithm_of(double chips) {
  if (!(chips < static_cast<double>(logarithms_.size()))) return logarithm(chips);
  double& kept = logarithms_[static_cast<std::size_t>(chips)];
  if (!(kept > 0)) kept = logarithm(chips);
  return kept;
}

StepParts<double> StepMemo::step(const ServingInput<double>& in, const WeightBytes<double>& weights,
                                 const ServerWays<double>& ways, const StepTokens<double>& tokens) {
  const auto parts = serial(in, weights, ways, tokens);
  if (!takes_turns(in, parts)) return parts;
  return in_turns(parts, serial(in, weights, ways, half_of(tokens)));
}

StepParts<double> StepMemo::serial(const ServingInput<double>& in,
                                   const WeightBytes<double>& weights,
                                   const ServerWays<double>& ways,
                                   const StepTokens<double>& tokens) {
  // A step at stated rates takes a few multiplications, so it is not kept.
  if (!in.measured()) return serial_parts(in, weights, ways, tokens);
  const double sustained = tokens.sustained.value();
  Key key = {
      ways.tensor.value(),    tokens.decoding.value(), tokens.context.value(), tokens.each.value(),
      tokens.prompts.value(), tokens.queries.value(),  tokens.past.value(),    sustained};
  auto parts = find<StepParts<double>>(ranks_, key, {true, false, false, false, false}, in, weights,
                                       ways, tokens);
  using Time = Quantity<kSecond, double>;
  // Tensor ways are positive; attention and transfers differ where they divide the cache.
  const double tensor = in.server.divide_by_batch ? -ways.tensor.value() : ways.tensor.value();
  key.front() = tensor;
  key.back() = 0;
  parts.attention =
      find<Time>(attention_, key, {false, false, false, false, true}, in, weights, ways, tokens);
  if (depth == Depth::kRanks) return parts;
  parts.network = find<Time>(
      networks_,
      {tensor, ways.data.value(), ways.pipeline.value(), tokens.all().value(),
       tokens.decoded().value(), tokens.prompts.value(), gathers_tokens(in, ways) ? 1.0 : 0.0},
      {false, false, true, false, false}, in, weights, ways, tokens);
  if (!in.model.sparse()) return parts;
  if (ways.data.value() > 1 && !gathers_tokens(in, ways)) {
    parts.exchange = find<Time>(exchanges_,
                                {ways.tensor.value(), ways.data.value(), ways.expert.value(),
                                 tokens.all().value(), tokens.prompts.value()},
                                {false, false, false, true, false}, in, weights, ways, tokens);
  }
  parts.experts = find<Time>(experts_,
                             {ways.expert.value(), ways.expert_tensor().value(),
                              (tokens.all() * ways.data).value(), sustained},
                             {false, true, false, false, false}, in, weights, ways, tokens);
  return parts;
}

}  // namespace scaling
