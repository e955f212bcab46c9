// SPDX-License-Identifier: MIT
#include "scaling/serving/step_memo.hpp"

#include "scaling/quantity/logarithm.hpp"
#include "scaling/serving/transfers.hpp"

namespace scaling {

FloorNumbers<double> StepMemo::floor_numbers(const Model<double>& model) {
  if (!floor_numbers_.has_value()) floor_numbers_ = scaling::floor_numbers(model);
  return *floor_numbers_;
}

void StepMemo::clear() {
  floor_numbers_.reset();
  ranks_.clear();
  attention_.clear();
  networks_.clear();
  exchanges_.clear();
  experts_.clear();
  reaches_.clear();
  expert_exchanges_.clear();
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
  const auto of = [&](StepNeeds needs) { return serial_parts(in, weights, ways, tokens, needs); };
  const double sustained = tokens.sustained.value();
  auto parts = ranks_.find(
      {ways.tensor.value(), tokens.decoding.value(), tokens.context.value(), tokens.each.value(),
       tokens.prompts.value(), tokens.queries.value(), tokens.past.value(), sustained},
      [&] {
        return of({true, false, false, false, false});
      });
  // Tensor ways are positive; attention and transfers differ where they divide the cache.
  const double tensor = in.server.divide_by_batch ? -ways.tensor.value() : ways.tensor.value();
  parts.attention =
      attention_.find({tensor, tokens.decoding.value(), tokens.context.value(), tokens.each.value(),
                       tokens.prompts.value(), tokens.queries.value(), tokens.past.value()},
                      [&] {
                        return of({false, false, false, false, true}).attention;
                      });
  if (depth == Depth::kRanks) return parts;
  const bool gathers = gathers_tokens(in, ways);
  parts.network =
      networks_.find({tensor, ways.data.value(), ways.pipeline.value(), tokens.all().value(),
                      tokens.decoded().value(), tokens.prompts.value(), gathers ? 1.0 : 0.0},
                     [&] {
                       return of({false, false, true, false, false}).network;
                     });
  if (!in.model.sparse()) return parts;
  if (ways.data.value() > 1 && !gathers) {
    parts.exchange = exchanges_.find({ways.tensor.value(), ways.data.value(), ways.expert.value(),
                                      tokens.all().value(), tokens.prompts.value()},
                                     [&] {
                                       return of({false, false, false, true, false}).exchange;
                                     });
  }
  parts.experts = experts_.find({ways.expert.value(), ways.expert_tensor().value(),
                                 (tokens.all() * ways.data).value(), sustained},
                                [&] {
                                  return of({false, true, false, false, false}).experts;
                                });
  return parts;
}

}  // namespace scaling
