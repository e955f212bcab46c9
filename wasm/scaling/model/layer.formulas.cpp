// SPDX-License-Identifier: MIT
#include "scaling/model/layer.hpp"

#include "scaling/model/transformer.hpp"

namespace scaling {
namespace {

/// The kernels of one pass through parts of a layer.
template <class R>
class LayerKernels {
 public:
  LayerKernels(Operations<R>& list, const OperationRequest<R>& request, const Model<R>& model,
               Pass pass)
      : list_(list),
        request_(request),
        model_(model),
        pass_(pass),
        tokens_(request.sequences * request.queries) {}

  void add(OperationKind kind, Maybe<Quantity<kByte, R>> block_memory) {
    switch (kind) {
      case OperationKind::kNorm:
        return norm(Count<R>(R(1)));
      case OperationKind::kQkvProjection:
        return qkv_projection();
      case OperationKind::kAttentionScores:
        return add_attention_scores(list_, pass_, attention_shape(request_, model_));
      case OperationKind::kAttentionValues:
        return add_attention_values(list_, pass_, attention_shape(request_, model_));
      case OperationKind::kAttentionCore:
        return attention_core(block_memory);
      case OperationKind::kOutputProjection:
        return output_projection();
      case OperationKind::kFeedForward:
        return feed_forward(model_.feed_forward);
      case OperationKind::kRouter:
        return weights(tokens_, model_.hidden, model_.experts);
      case OperationKind::kExperts:
        return experts();
      case OperationKind::kLmHead:
        return weights(tokens_, model_.hidden, model_.vocabulary);
      case OperationKind::kEmbedding:
        return embedding();
      case OperationKind::kKvRead:
        return kv_read();
      case OperationKind::kLayer:
        return layer(block_memory);
      // The request tells their sizes: see add_operation.
      case OperationKind::kDotProduct:
      case OperationKind::kElementwise:
      case OperationKind::kReduction:
      case OperationKind::kSoftmax:
      case OperationKind::kRmsNorm:
      case OperationKind::kMatmul:
      case OperationKind::kPerBatchWeights:
      case OperationKind::kTiledMatmul:
      case OperationKind::kShardedMatmul:
      case OperationKind::kAttention:
        return;
    }
  }

 private:
  void weights(Count<R> rows, Count<R> from, Count<R> to, Count<R> copies = Count<R>(R(1)),
               bool are_experts = false) {
    add_matmul(list_, pass_,
               MatmulShape<R>{rows, from, to, request_.activation_format, request_.weight_format,
                              request_.activation_format},
               copies, are_experts);
  }

  void norm(Count<R> copies) {
    list_.add(
        repeated(copies, rms_norm(tokens_, model_.hidden, request_.activation_format,
                                  request_.weight_format, request_.activation_format, pass_)));
  }

  bool absorbed() const { return request_.latent_form == LatentForm::kAbsorbed; }

  void qkv_projection() {
    const auto& d = model_.hidden;
    if (model_.attention == Attention::kGrouped) {
      return weights(tokens_, d, (model_.heads + 2.0 * model_.kv_heads) * model_.head_dim);
    }
    const auto query_width = model_.heads * (model_.nope_dim + model_.rope_dim);
    if (model_.query_rank.value() > 0) {
      weights(tokens_, d, model_.query_rank);
      weights(tokens_, model_.query_rank, query_width);
    } else {
      weights(tokens_, d, query_width);
    }
    weights(tokens_, d, model_.kv_rank + model_.rope_dim);
    if (absorbed()) {
      // Each head takes its queries into the latent space.
      weights(tokens_, model_.nope_dim, model_.kv_rank, model_.heads);
    } else {
      weights(tokens_, model_.kv_rank, model_.heads * (model_.nope_dim + model_.value_dim));
    }
  }

  void attention_core(Maybe<Quantity<kByte, R>> block_memory) {
    const auto shape = attention_shape(request_, model_);
    if (request_.attention_kernel == AttentionKernel::kNaive) {
      add_naive_attention(list_, pass_, shape);
    } else {
      add_flash_attention(list_, pass_, shape, block_memory);
    }
  }

  void output_projection() {
    if (model_.attention == Attention::kGrouped) {
      return weights(tokens_, model_.heads * model_.head_dim, model_.hidden);
    }
    if (absorbed()) weights(tokens_, model_.kv_rank, model_.value_dim, model_.heads);
    weights(tokens_, model_.heads * model_.value_dim, model_.hidden);
  }

  void feed_forward(Count<R> width) {
    weights(tokens_, model_.hidden, model_.gated_feed_forward ? 2.0 * width : width);
    weights(tokens_, width, model_.hidden);
  }

  void experts() {
    const auto& width = model_.expert_feed_forward;
    const auto routed = tokens_ * model_.experts_per_token;
    const auto touched = min(model_.experts, routed);
    const auto rows = routed / touched;
    weights(rows, model_.hidden, model_.gated_feed_forward ? 2.0 * width : width, touched, true);
    weights(rows, width, model_.hidden, touched, true);
    if (model_.shared_experts.value() > 0) feed_forward(model_.shared_experts * width);
  }

  /// A row of the table for each token; backward its gradient is added to the row's.
  void embedding() {
    const auto numbers = tokens_ * model_.hidden;
    const auto activations = bytes_of<R>(request_.activation_format) * numbers;
    const auto weight = bytes_of<R>(request_.weight_format);
    if (pass_ == Pass::kForward) {
      list_.add({{}, {}, weight * numbers, activations});
    } else {
      const auto sums =
          (list_.gradient_sum().value() > 0 ? list_.gradient_sum() : weight) * numbers;
      list_.add({constant<kFlop, R>(1) * numbers, activations, sums, sums, true});
    }
  }

  void kv_read() {
    const auto width = model_.attention == Attention::kLatent
                           ? model_.kv_rank + model_.rope_dim
                           : 2.0 * model_.kv_heads * model_.head_dim;
    const auto positions = request_.sequences * request_.keys;
    list_.add({{}, bytes_of<R>(request_.key_value_format) * positions * width, {}, {}});
  }

  void layer(Maybe<Quantity<kByte, R>> block_memory) {
    if (model_.norms_per_layer.value() > 0) norm(model_.norms_per_layer);
    qkv_projection();
    attention_core(block_memory);
    output_projection();
    if (has_experts(model_)) {
      weights(tokens_, model_.hidden, model_.experts);
      experts();
    } else {
      feed_forward(model_.feed_forward);
    }
  }

  Operations<R>& list_;
  const OperationRequest<R>& request_;
  const Model<R>& model_;
  Pass pass_;
  Count<R> tokens_;
};

}  // namespace

template <class R>
void add_layer_operation(Operations<R>& list, const OperationRequest<R>& request,
                         const Model<R>& model, Maybe<Quantity<kByte, R>> block_memory) {
  const bool backward = row_of(request.kind).has(kHasBackward);
  if (!backward || request.pass != Pass::kBackward) {
    LayerKernels<R>(list, request, model, Pass::kForward).add(request.kind, block_memory);
  }
  if (backward && request.pass != Pass::kForward) {
    LayerKernels<R>(list, request, model, Pass::kBackward).add(request.kind, block_memory);
  }
}

template void add_layer_operation(Operations<SCALING_REP>&, const OperationRequest<SCALING_REP>&,
                                  const Model<SCALING_REP>&, Maybe<Quantity<kByte, SCALING_REP>>);

}  // namespace scaling
