// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/model/attention.hpp"
#include "scaling/model/operation_request.hpp"

namespace scaling {

/// The whole of a request's matmul.
template <class R>
MatmulShape<R> matmul_shape(const OperationRequest<R>& request);

/// One chip's share of a sharded matmul, once what has to be gathered is.
template <class R>
MatmulShape<R> local_shape(const OperationRequest<R>& request, Count<R> chips);

/// The attention of a request that tells its sizes.
template <class R>
AttentionShape<R> attention_shape(const OperationRequest<R>& request);

/// The kernels of a request of sizes of its own.
template <class R>
void add_operation(Operations<R>& list, const OperationRequest<R>& request, Count<R> chips,
                   Maybe<Quantity<kByte, R>> block_memory);

}  // namespace scaling
