// SPDX-License-Identifier: MIT
#include "scaling/model/request_kernels.hpp"

namespace scaling {

/// The kernels of one pass of a request that tells the sizes itself: what its kind adds to.
template <class R>
class RequestKernels {
 public:
  RequestKernels(Operations<R>& list, Pass pass, const OperationRequest<R>& request, Count<R> chips,
                 Maybe<Quantity<kByte, R>> block_memory)
      : list_(list), pass_(pass), request_(request), chips_(chips), block_memory_(block_memory) {}

  const OperationRequest<R>& request() const { return request_; }
  Pass pass() const { return pass_; }
  Operations<R>& list() { return list_; }
  void add(const Operation<R>& operation) { list_.add(operation); }

  MatmulShape<R> whole_matmul() const { return matmul_shape(request_); }
  MatmulShape<R> local_matmul() const { return local_shape(request_, chips_); }

  void attention() {
    const auto shape = attention_shape(request_);
    if (request_.attention_kernel == AttentionKernel::kNaive) {
      add_naive_attention(list_, pass_, shape);
    } else {
      add_flash_attention(list_, pass_, shape, block_memory_);
    }
  }

 private:
  Operations<R>& list_;
  Pass pass_;
  const OperationRequest<R>& request_;
  Count<R> chips_;
  Maybe<Quantity<kByte, R>> block_memory_;
};

template <class R>
MatmulShape<R> matmul_shape(const OperationRequest<R>& request) {
  return {request.batch,         request.contraction,  request.output, request.activation_format,
          request.weight_format, request.output_format};
}

template <class R>
MatmulShape<R> local_shape(const OperationRequest<R>& request, Count<R> chips) {
  MatmulShape<R> shape = matmul_shape(request);
  const bool rows = request.activation_sharding == ActivationSharding::kBatch;
  const bool columns = request.weight_sharding == WeightSharding::kOutput;
  if (rows && !(columns && request.gathered == Gathered::kActivations)) {
    shape.batch = shape.batch / chips;
  } else if (columns) {
    shape.output = shape.output / chips;
  } else if (request.activation_sharding == ActivationSharding::kContraction &&
             request.weight_sharding == WeightSharding::kContraction) {
    shape.contraction = shape.contraction / chips;
  }
  return shape;
}

template <class R>
AttentionShape<R> attention_shape(const OperationRequest<R>& request) {
  AttentionShape<R> shape{};
  shape.sequences = request.sequences;
  shape.queries = request.queries;
  shape.keys = request.keys;
  shape.causal = request.attention_kernel == AttentionKernel::kFlash &&
                 request.attention_mask == AttentionMask::kCausal;
  shape.format = request.activation_format;
  shape.key_value_format = request.key_value_format;
  shape.heads = request.heads;
  if (request.attention == Attention::kGrouped) {
    shape.kv_heads = request.kv_heads;
    shape.key_width = shape.value_width = request.head_dim;
    return shape;
  }
  if (request.latent_form == LatentForm::kAbsorbed) {
    // All heads look at the one latent vector, which is key and value at once.
    shape.kv_heads = one<R>();
    shape.key_width = request.latent_rank + request.rope_dim;
    shape.value_width = request.latent_rank;
    shape.values_in_keys = true;
    return shape;
  }
  shape.kv_heads = shape.heads;
  shape.key_width = request.nope_dim + request.rope_dim;
  shape.value_width = request.value_dim;
  return shape;
}

template <class R>
void add_operation(Operations<R>& list, const OperationRequest<R>& request, Count<R> chips,
                   Maybe<Quantity<kByte, R>> block_memory) {
  const auto add_pass = [&](Pass pass) {
    RequestKernels<R> kernels(list, pass, request, chips, block_memory);
    OperationKinds::with(request.kind, [&]<class Kind>() {
      if constexpr (!Kind::kRow.has(kAsksModel)) Kind::add(kernels);
    });
  };
  if (request.pass != Pass::kBackward) add_pass(Pass::kForward);
  if (request.pass != Pass::kForward) add_pass(Pass::kBackward);
}

template MatmulShape<SCALING_REP> matmul_shape(const OperationRequest<SCALING_REP>&);
template MatmulShape<SCALING_REP> local_shape(const OperationRequest<SCALING_REP>&,
                                              Count<SCALING_REP>);
template AttentionShape<SCALING_REP> attention_shape(const OperationRequest<SCALING_REP>&);
template void add_operation(Operations<SCALING_REP>&, const OperationRequest<SCALING_REP>&,
                            Count<SCALING_REP>, Maybe<Quantity<kByte, SCALING_REP>>);

}  // namespace scaling
