// SPDX-License-Identifier: MIT
//
// The limits of decoding in closed form.
#pragma once

#include "scaling/questions/serving/question.hpp"
#include "scaling/serving/computing.hpp"

namespace scaling {

/// Book ch. 7: when decoding stops being bound by weights, how far tensor ways help, and when
/// weights are better divided along both dimensions.
template <class R, class Answers>
void answer_limits(const ServingInput<R>& in, Answers& sheet) {
  const auto& model = in.model;
  const auto& kernels = in.kernels_chip;
  const Computing computing = computing_of(in, in.server.weights);
  const auto peak = kernels.peak_in(computing.kernel);
  auto critical = peak * bytes_of<R>(computing.weight) / (constant<kFlop, R>(2) * kernels.memory);
  if (model.sparse()) critical = critical * model.experts / model.experts_per_token;
  sheet.template put<term::kServingCriticalBatch>(critical);
  const auto& hidden = model.hidden;
  const auto& inner = model.feed_forward;
  const auto chips = as<kOne>(in.serving.chips);
  sheet.template put<term::kStationaryWays>(sqrt(chips * hidden / (2.0 * inner)));
  sheet.template put<term::kStationaryChips>(18.0 * inner / hidden);

  Quantity<kByte / kSecond, R> link{};
  if (in.chip.network == Network::kTorus) link = 2.0 * of_one_chip(in.chip.link_bandwidth);
  if (in.chip.network == Network::kSwitched) link = of_one_chip(in.chip.scale_up_bandwidth);
  if (!(link.value() > 0)) return;
  const auto beta = sheet.template put<term::kMemoryOverNetwork>(kernels.memory / link);
  sheet.template put<term::kComputeOverNetwork>(peak / link);
  if (!in.serving.by_users()) return;
  sheet.template put<term::kDecodeTensorLimit>(inner / (in.serving.users * beta));
}

}  // namespace scaling
