// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "scaling/model/attention.hpp"
#include "scaling/model/kernels/parts.hpp"
#include "scaling/model/operation_request.hpp"

namespace scaling {

/// Adds the kernels of one layer of `model`, or of a section of it, for `request`'s tokens, with
/// the mixer that is asked for; of a model with experts, a layer that has them, with tokens spread
/// evenly over them. Of passes over memory norms alone: activation functions, rotary positions and
/// residual sums are taken as fused, and tokens as in the order of their experts. Source: book
/// ch. 4.
template <class R>
void add_layer_operation(Operations<R>& list, const OperationRequest<R>& request,
                         const Model<R>& model, Maybe<Quantity<kByte, R>> block_memory);

/// The mixer that a request asks for: the first kind that the model has, in the order of `Mixer`,
/// or the one that it names; that of a layer with both parts before others.
template <class R>
LayerPart<R> asked_mixer(const OperationRequest<R>& request, const Model<R>& model);

/// The attention that a request asks for; none where the mixer looks at no keys.
template <class R>
std::optional<AttentionShape<R>> asked_attention(const OperationRequest<R>& request,
                                                 const Model<R>& model);

}  // namespace scaling
