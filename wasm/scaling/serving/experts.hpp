// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/serving/step.hpp"

namespace scaling {

/// The routed experts of one layer on the slowest rank, of the tokens of all ranks of attention
/// [s]: one launch, from the order that tokens are brought into to the sum of what comes back.
template <class R>
Quantity<kSecond, R> experts_time(const ServingInput<R>& in, const ServerWays<R>& ways,
                                  const StepTokens<R>& tokens);

/// The least that the routed experts of a step take for `tokens` tokens of all ranks that reach
/// `reached` experts [s]: what they read and compute, without tiles; of 0 expert ways, however many
/// there are. 0 with stated rates, where no part is theirs alone.
template <class R>
Quantity<kSecond, R> experts_floor(const ServingInput<R>& in, const ServerWays<R>& ways,
                                   Count<R> tokens, Count<R> reached);

}  // namespace scaling
