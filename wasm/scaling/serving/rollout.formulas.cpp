// SPDX-License-Identifier: MIT
#include "scaling/serving/rollout.hpp"

#include "scaling/serving/step_floor.hpp"

namespace scaling {
namespace {

/// Each prompt once, whatever number of samples share it.
template <class R>
Quantity<kSecond, R> prompts_time(const ServingInput<R>& in, const WeightBytes<R>& weights,
                                  const Rollout<R>& rollout) {
  return named<term::kRolloutPrefill>(
      prefill_time(in, weights, answering_ways(in.serving), rollout.prompts));
}

/// The time of `samples` more than the slots hold, by full slots at the length that their tokens
/// see on average.
template <class R>
Quantity<kSecond, R> full_time(const ServingInput<R>& in, const WeightBytes<R>& weights,
                               const Rollout<R>& rollout, Count<R> samples) {
  const auto weighted = named_number<term::kWeightedLength, R>(rollout.lengths.weighted);
  const auto context = as<kOne>(in.serving.prompt()) + weighted / 2.0;
  const auto step = named<term::kFullStep>(decode_time(in, weights, rollout.slots, context));
  return named<term::kFullTime>(samples / rollout.slots * as<kOne>(in.serving.answer) * step);
}

}  // namespace

template <class R>
RolloutTime<R> drain(const ServingInput<R>& in, const WeightBytes<R>& weights,
                     const Rollout<R>& rollout) {
  RolloutTime<R> result{prompts_time(in, weights, rollout), {}, {}};
  auto answering = Quantity<kSecond, R>{};
  auto worked = Quantity<kSecond, R>{};
  if (rollout.samples > rollout.slots) {
    answering = full_time(in, weights, rollout, rollout.samples - rollout.slots);
    worked = answering;
  }
  auto from = Count<R>{};
  for (const auto& stretch : rollout.lengths.stretches) {
    if (!(stretch.until > from.value())) continue;
    const auto until = stretch.until == in.serving.answer.value()
                           ? as<kOne>(in.serving.answer)
                           : named_number<term::kStretchLength, R>(stretch.until);
    const auto share = named_number<term::kStretchShare, R>(stretch.active);
    const auto context = as<kOne>(in.serving.prompt()) + (from + until) / 2.0;
    const auto step = named<term::kStretchStep>(
        decode_time(in, weights, max(share * rollout.slots, scalar<R>(1)), context));
    const auto time = (until - from) * step;
    answering = answering + time;
    worked = worked + share * time;
    if (stretch.tail) result.tail = result.tail + time;
    from = until;
  }
  result.busy = worked / answering;
  result.time = result.time + answering;
  return result;
}

template <class R>
RolloutTime<R> keep_full(const ServingInput<R>& in, const WeightBytes<R>& weights,
                         const Rollout<R>& rollout) {
  return {prompts_time(in, weights, rollout) + full_time(in, weights, rollout, rollout.samples),
          {},
          scalar<R>(1)};
}

template <class R>
Quantity<kSecond, R> drain_even(const ServingInput<R>& in, const WeightBytes<R>& weights,
                                const Rollout<R>& rollout) {
  const auto answer = as<kOne>(in.serving.answer);
  const auto context = as<kOne>(in.serving.prompt()) + answer / 2.0;
  return prompts_time(in, weights, rollout) + rollout.samples / rollout.slots * answer *
                                                  decode_time(in, weights, rollout.slots, context);
}

template <class R>
Quantity<kSecond, R> rollout_floor(const ServingInput<R>& in, const WeightBytes<R>& weights,
                                   const Rollout<R>& rollout) {
  const auto tokens = decoding(in.serving, rollout.slots, as<kOne>(in.serving.prompt()));
  return rollout.samples / rollout.slots * as<kOne>(in.serving.answer) *
         step_floor(in, weights, answering_ways(in.serving), tokens);
}

template RolloutTime<SCALING_REP> drain(const ServingInput<SCALING_REP>&,
                                        const WeightBytes<SCALING_REP>&,
                                        const Rollout<SCALING_REP>&);
template RolloutTime<SCALING_REP> keep_full(const ServingInput<SCALING_REP>&,
                                            const WeightBytes<SCALING_REP>&,
                                            const Rollout<SCALING_REP>&);
template Quantity<kSecond, SCALING_REP> drain_even(const ServingInput<SCALING_REP>&,
                                                   const WeightBytes<SCALING_REP>&,
                                                   const Rollout<SCALING_REP>&);
template Quantity<kSecond, SCALING_REP> rollout_floor(const ServingInput<SCALING_REP>&,
                                                      const WeightBytes<SCALING_REP>&,
                                                      const Rollout<SCALING_REP>&);

}  // namespace scaling
