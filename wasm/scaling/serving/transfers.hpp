// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/serving/forward.hpp"

namespace scaling {

// The transfers of a step of a server, whose ways lie on domains, nodes and slices: tensor ways
// next to each other, then ranks of attention, then stages; experts as in a training.

/// Whether ranks of attention gather all tokens to their experts: where software says so, and
/// usually among up to 8 of one domain; else kernels send each token to the ranks of its experts.
template <class R>
bool gathers_tokens(const ServingInput<R>& in, const ServerWays<R>& ways);

/// Transfers of one step among tensor ways, each as alone [s]: sums of the results of both parts of
/// each layer, and logits. Of data ways it matters only whether there are several.
template <class R>
Quantity<kSecond, R> tensor_transfers(const ServingInput<R>& in, const ServerWays<R>& ways,
                                      const StepTokens<R>& tokens);

/// Transfers of one step with which ranks of attention gather their tokens and scatter the sums,
/// each as alone [s]; 0 where they don't.
template <class R>
Quantity<kSecond, R> gather_transfers(const ServingInput<R>& in, const ServerWays<R>& ways,
                                      const StepTokens<R>& tokens);

/// Transfers of one step with which tokens go to their experts and back [s]; 0 where ranks gather
/// them.
template <class R>
Quantity<kSecond, R> exchange_transfers(const ServingInput<R>& in, const ServerWays<R>& ways,
                                        const StepTokens<R>& tokens);

/// The hops of a step from each stage to the next [s], with which software takes a while whatever
/// it sends.
template <class R>
Quantity<kSecond, R> stage_hops(const ServingInput<R>& in, const ServerWays<R>& ways,
                                const StepTokens<R>& tokens);

}  // namespace scaling
