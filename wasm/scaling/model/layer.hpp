// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/model/attention.hpp"

namespace scaling {

/// Adds the kernels of one layer of `model`, or of a part of it, for `request`'s tokens. The layer
/// has the mixer of `group`; of a model with experts, it is one that has them, with tokens spread
/// evenly over them. Activation functions, rotary positions and residual sums are taken as fused.
/// Source: book ch. 4.
template <class R>
void add_layer_operation(Operations<R>& list, const OperationRequest<R>& request,
                         const Model<R>& model, const MixerGroup<R>& group,
                         Maybe<Quantity<kByte, R>> block_memory);

/// The work of a mixer's kernels between its projections for `request`'s tokens: attention and the
/// scores of an indexer, or products with a state.
template <class R>
void add_mixing(Operations<R>& list, Pass pass, const OperationRequest<R>& request,
                const Model<R>& model, const MixerGroup<R>& group,
                Maybe<Quantity<kByte, R>> block_memory);

/// The group of layers that a request asks for: of its mixer, or the first of the model's.
template <class R>
MixerGroup<R> asked_group(const OperationRequest<R>& request, const Model<R>& model);

}  // namespace scaling
