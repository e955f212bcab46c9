// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/serving/experts.hpp"
#include "scaling/serving/step_floor.hpp"

namespace scaling {

/// The parts of a step that are computed; the others stay 0. The work of a rank of attention by
/// itself depends on its tokens and tensor ways alone, so that a search computes it once for many
/// ways.
struct StepNeeds {
  bool rank = true;       ///< all but those below
  bool experts = true;    ///< routed ones: by expert ways, tensor ways of an expert, and all tokens
  bool network = true;    ///< depends on all ways
  bool exchange = true;   ///< the same
  bool attention = true;  ///< also depends on the division of the cache
};

/// Prices the parts of a step of `tokens` on the chips of `ways`, each kernel by its shape, all one
/// after another; collectives of a step take longer than alone, and each step has the host's time.
/// With stated rates: the longer of computing 2 FLOPs for each active parameter and reading the
/// weights, and reading the cache behind it, as book ch. 7 has it; transfers as far as they take
/// longer than both, so that all parts are computed. Source: fitted to published measurements,
/// shared/efficiency.json.
template <class R>
StepParts<R> serial_parts(const ServingInput<R>& in, const WeightBytes<R>& weights,
                          const ServerWays<R>& ways, const StepTokens<R>& tokens,
                          StepNeeds needs = {});

/// Whether the halves of a step of these parts take turns.
template <class R>
bool takes_turns(const ServingInput<R>& in, const StepParts<R>& parts) {
  return in.server.two_batches && in.measured() && parts.exchange.value() > 0;
}

/// `parts` of a step whose halves take turns: while one exchanges its tokens, the other computes.
/// Of C computing and N exchanging, and C', N' of a half, the step takes
///
///   min(C + N, max(2 C', 2 N', C' + N')), and no less than C
///
/// The exchange is what it takes longer than C. Source: DeepSeek-V3, 3.4; SGLang, two-batch
/// overlap.
template <class R>
StepParts<R> in_turns(StepParts<R> parts, const StepParts<R>& half) {
  const auto exchanged = parts.exchange;
  parts.exchange = {};
  const auto computed = parts.total();
  auto of_half = half;
  of_half.exchange = {};
  const auto one = of_half.total();
  const auto turns = max(2.0 * max(one, half.exchange), one + half.exchange);
  parts.exchange = max(min(exchanged, turns - computed), Quantity<kSecond, R>{});
  return parts;
}

/// The parts of a step as software runs it: one after another, or its halves in turns.
template <class R>
StepParts<R> step_parts(const ServingInput<R>& in, const WeightBytes<R>& weights,
                        const ServerWays<R>& ways, const StepTokens<R>& tokens);

/// The host's time for the kernels of a step with prompts, where it launches them one by one [s]; 0
/// where it does not, or with stated rates.
template <class R>
Quantity<kSecond, R> prompt_launches(const ServingInput<R>& in);

}  // namespace scaling
