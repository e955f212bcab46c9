// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/model/attention.hpp"

namespace scaling {

/// Adds the kernels of one layer of `model`, or of a part of it, for `request`'s tokens. The layer
/// is the last one: of a model with experts, one that has them, with tokens spread evenly over
/// them. Activation functions, rotary positions and residual sums are taken as fused.
/// Source: book ch. 4.
template <class R>
void add_layer_operation(Operations<R>& list, const OperationRequest<R>& request,
                         const Model<R>& model, Maybe<Quantity<kByte, R>> block_memory);

}  // namespace scaling
