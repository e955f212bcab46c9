// SPDX-License-Identifier: MIT
#include "scaling/model/transformer.hpp"

namespace scaling {
namespace {

template <class R>
Quantity<kParam, R> parameters(Count<R> elements) {
  return as<kParam>(elements);
}

/// Weights of one feed-forward block of width `width`, without biases.
template <class R>
Count<R> feed_forward_weights(const Model<R>& model, Count<R> width) {
  return (model.gated_feed_forward ? 3.0 : 2.0) * model.hidden * width;
}

/// The parameters of a feed-forward block, with its biases if it has them.
template <class R>
Count<R> feed_forward_block(const Model<R>& model, Count<R> width, bool biases) {
  const auto weights = feed_forward_weights(model, width);
  if (!biases) return weights;
  return weights + (model.gated_feed_forward ? 2.0 * width : width) + model.hidden;
}

/// Projections of one attention layer, without biases.
template <class R>
Count<R> attention_weights(const Model<R>& model) {
  const auto& d = model.hidden;
  if (model.attention == Attention::kLatent) {
    const auto width = attention_widths(model);
    const auto query = model.query_rank.value() > 0
                           ? d * model.query_rank + model.query_rank * width.query
                           : d * width.query;
    return query + d * (model.kv_rank + model.rope_dim) +
           model.kv_rank * model.heads * (model.nope_dim + model.value_dim) + width.value * d;
  }
  return 2.0 * d * model.heads * model.head_dim + 2.0 * d * model.kv_heads * model.head_dim;
}

/// Further parameters of an attention layer: biases, sinks.
template <class R>
Count<R> attention_extras(const Model<R>& model) {
  Count<R> extras{};
  if (model.qkv_bias && model.attention == Attention::kGrouped) {
    extras = (model.heads + 2.0 * model.kv_heads) * model.head_dim;
  }
  if (model.attention_output_bias) extras = extras + model.hidden;
  if (model.attention_sinks) extras = extras + model.heads;
  return extras;
}

/// Weights of the norms on queries, keys and latent vectors of one layer.
template <class R>
Count<R> inner_norms(const Model<R>& model) {
  Count<R> norms{};
  if (model.attention == Attention::kLatent) norms = model.query_rank + model.kv_rank;
  if (model.qk_norm == QkNorm::kPerHead) norms = norms + 2.0 * model.head_dim;
  if (model.qk_norm == QkNorm::kFull) {
    norms = norms + (model.heads + model.kv_heads) * model.head_dim;
  }
  return norms;
}

/// Sequence positions that a token sees, averaged over the sequence and the layers.
template <class R>
Count<R> visible_context(const Model<R>& model, const Run<R>& run) {
  const auto length = as<kOne>(run.sequence_length);
  const bool causal = run.attention_mask == AttentionMask::kCausal;
  const auto whole = causal ? length / 2.0 : length;
  const auto& window = model.sliding_window;
  if (window.value() <= 0 || window >= length || model.windowed_layers.value() <= 0) return whole;
  const auto windowed = causal ? window - window * window / (2.0 * length) : window;
  return (model.windowed_layers * windowed + (model.layers - model.windowed_layers) * whole) /
         model.layers;
}

}  // namespace

template <class R>
AttentionWidths<R> attention_widths(const Model<R>& model) {
  if (model.attention == Attention::kLatent) {
    const auto query = model.heads * (model.nope_dim + model.rope_dim);
    const auto value = model.heads * model.value_dim;
    return {query, query, value, value};
  }
  const auto query = model.heads * model.head_dim;
  const auto key = model.kv_heads * model.head_dim;
  return {query, key, key, query};
}

template <class R>
Count<R> moe_layers(const Model<R>& model) {
  if (!model.sparse()) return Count<R>{};
  return floor((model.layers - model.dense_layers) / model.moe_every);
}

template <class R>
bool has_experts(const Model<R>& model) {
  return moe_layers(model).value() > 0;
}

template <class R>
FeedForwardWidths<R> feed_forward_widths(const Model<R>& model) {
  if (!model.sparse()) {
    const auto width = model.feed_forward * model.layers;
    return {width, width};
  }
  const auto moe = moe_layers(model);
  const auto dense = model.feed_forward * (model.layers - moe);
  const auto of_experts = [&](Count<R> experts) {
    return dense + moe * (experts + model.shared_experts) * model.expert_feed_forward;
  };
  return {of_experts(model.experts), of_experts(model.experts_per_token)};
}

template <class R>
Parameters<R> count_parameters(const Model<R>& model) {
  const auto& d = model.hidden;
  const double vectors = model.norm == Norm::kLayerNorm ? 2 : 1;
  const auto moe = moe_layers(model);
  const auto dense = model.sparse() ? model.layers - moe : model.layers;

  Parameters<R> result;

  // Feed-forward: all experts, those that one token passes through, and their matrices alone.
  const auto dense_block = feed_forward_block(model, model.feed_forward, model.feed_forward_bias);
  auto feed_forward = dense_block * dense;
  auto active_feed_forward = feed_forward;
  auto matmul_feed_forward = feed_forward_weights(model, model.feed_forward) * dense;
  auto last_feed_forward = dense_block;
  Count<R> router{};
  if (model.sparse()) {
    const auto expert = feed_forward_block(model, model.expert_feed_forward, model.expert_bias);
    const auto active_experts = model.experts_per_token + model.shared_experts;
    const auto router_weights = d * model.experts;
    const double router_vectors = (model.router_bias ? 1 : 0) + (model.score_bias ? 1 : 0);
    const auto router_block =
        router_vectors > 0 ? router_weights + router_vectors * model.experts : router_weights;
    const auto experts = (model.experts + model.shared_experts) * expert;
    feed_forward = feed_forward + moe * experts;
    active_feed_forward = active_feed_forward + moe * active_experts * expert;
    matmul_feed_forward =
        matmul_feed_forward +
        moe * (active_experts * feed_forward_weights(model, model.expert_feed_forward) +
               router_weights);
    router = moe * router_block;
    if (moe.value() > 0) last_feed_forward = experts + router_block;
  }
  result.feed_forward = named<term::kParametersFeedForward>(parameters(feed_forward));
  result.router =
      model.sparse() ? named<term::kParametersRouter>(parameters(router)) : parameters(router);

  const auto projections = attention_weights(model) * model.layers;
  const auto extras = attention_extras(model);
  result.attention = named<term::kParametersAttention>(
      parameters(extras.value() > 0 ? projections + extras * model.layers : projections));

  result.vocabulary = named<term::kParametersVocabulary>(
      parameters((model.tied_embeddings ? 1.0 : 2.0) * model.vocabulary * d));

  const double single_norms = model.embedding_norm ? 2 : 1;  // the final one always
  auto norms = vectors * model.norms_per_layer * d * model.layers + single_norms * vectors * d;
  const auto inner = inner_norms(model);
  if (inner.value() > 0) norms = norms + inner * model.layers;
  result.norms = named<term::kParametersNorms>(parameters(norms));

  Count<R> positions = model.learned_positions * d;
  if (model.relative_positions) {
    positions = positions + model.heads * model.head_dim * d * model.layers;
  }
  result.positions = named<term::kParametersPositions>(parameters(positions));

  auto common = result.attention + result.vocabulary + result.norms;
  if (positions.value() > 0) common = common + result.positions;
  if (model.sparse()) common = common + result.router;
  result.total = named<term::kComputedParameters>(result.feed_forward + common);
  result.active =
      model.sparse()
          ? named<term::kComputedActiveParameters>(parameters(active_feed_forward) + common)
          : result.total;

  result.matmul = named<term::kMatmulParameters>(
      parameters(matmul_feed_forward + projections + model.vocabulary * d));

  // A multi-token-prediction module: a layer of the last one's kind, a projection of two hidden
  // states to one, three norms; embedding and head are the model's own.
  const auto mtp_layer = attention_weights(model) + extras + inner +
                         vectors * model.norms_per_layer * d + last_feed_forward;
  result.mtp = named<term::kMtpParameters>(
      parameters(model.mtp_modules * (mtp_layer + 2.0 * d * d + 3.0 * vectors * d)));
  return result;
}

template <class R>
LayerParameters<R> layer_parameters(const Model<R>& model) {
  const auto& d = model.hidden;
  const double vectors = model.norm == Norm::kLayerNorm ? 2 : 1;
  LayerParameters<R> result;
  auto attention = attention_weights(model) + attention_extras(model);
  if (model.relative_positions) attention = attention + model.heads * model.head_dim * d;
  result.attention = parameters(attention);
  result.norms = parameters(vectors * model.norms_per_layer * d + inner_norms(model));
  result.feed_forward =
      parameters(feed_forward_block(model, model.feed_forward, model.feed_forward_bias));
  if (model.sparse()) {
    const auto expert = feed_forward_block(model, model.expert_feed_forward, model.expert_bias);
    const double vectors_of_router = (model.router_bias ? 1 : 0) + (model.score_bias ? 1 : 0);
    result.router = parameters(d * model.experts + vectors_of_router * model.experts);
    result.shared = parameters(model.shared_experts * expert);
    result.experts = parameters(model.experts * expert);
  }
  result.embedding = parameters(model.vocabulary * d);
  result.head = result.embedding;
  result.ends_norms = parameters((model.embedding_norm ? 2.0 : 1.0) * vectors * d);
  result.positions = parameters(model.learned_positions * d);
  return result;
}

template <class R>
TokenFlops<R> count_token_flops(const Model<R>& model, const Parameters<R>& parameters_,
                                const Run<R>& run) {
  const auto width = attention_widths(model);
  const auto seen = named<term::kVisibleContext>(visible_context(model, run));
  const auto per_product = constant<term::kFlopsPerToken, R>(2);
  TokenFlops<R> result;
  result.attention = named<term::kAttentionFlopsPerToken>(
      per_product * seen * (width.query + width.output) * model.layers);
  const auto per_parameter = constant<kFlop / kToken / kParam, R>(2);
  const auto matmul = run.count_lm_head
                          ? parameters_.matmul
                          : parameters_.matmul - as<kParam>(model.vocabulary * model.hidden);
  result.exact = named<term::kForwardFlopsExact>(per_parameter * matmul + result.attention);
  return result;
}

template <class R>
Quantity<kByte / kToken, R> kv_cache_per_token(const Model<R>& model, Format format) {
  const auto values = model.attention == Attention::kLatent
                          ? model.layers * (model.kv_rank + model.rope_dim)
                          : 2.0 * model.layers * model.kv_heads * model.head_dim;
  return named<term::kKvCachePerToken>(as<kByte / kToken>(bytes_of<R>(format) * values));
}

template <class R>
Quantity<kByte / kToken, R> checkpoint_bytes_per_token(const Model<R>& model, const Run<R>& run) {
  const auto bytes = bytes_of<R, kByte / kToken>(run.activation_format);
  const auto one_byte = constant<kByte / kToken, R>(1);
  const auto& d = model.hidden;
  const auto& layers = model.layers;
  const auto save = [](auto quantity) { return named<term::kCheckpointBytesPerToken>(quantity); };
  switch (run.checkpoint_rule) {
    case CheckpointRule::kBigMatmuls:
      return save(bytes * (layers * d + 2.0 * feed_forward_widths(model).active));
    case CheckpointRule::kModernLayer: {
      // Two norm inputs and the inputs of QKV and MLP; Q, K, V and the attention output; gate, up
      // and their product; FlashAttention's log-sum-exp in fp32.
      const auto width = attention_widths(model);
      const auto attention = width.query + width.key + width.value + width.output;
      const double wide = model.gated_feed_forward ? 3 : 2;
      return save(bytes *
                      (layers * (4.0 * d + attention) + wide * feed_forward_widths(model).active) +
                  4.0 * one_byte * (layers * model.heads));
    }
    case CheckpointRule::kKorthikantiSelective:
    case CheckpointRule::kKorthikantiNone: {
      // 16-bit tensors count by the format, the two dropout masks a layer one byte each: 34 D for
      // F = 4D, and 5 N T more with the scores.
      const auto selective = bytes * (8.0 * d * layers + 2.0 * feed_forward_widths(model).active) +
                             2.0 * one_byte * (d * layers);
      if (run.checkpoint_rule == CheckpointRule::kKorthikantiSelective) return save(selective);
      const auto scores = model.heads * as<kOne>(run.sequence_length) * layers;
      return save(selective + (2.0 * bytes + one_byte) * scores);
    }
    case CheckpointRule::kCopies:
      break;
  }
  return save(bytes * run.checkpoints_per_layer * d * layers);
}

template <class R>
Operation<R> feed_forward_matmul(const Model<R>& model, const Run<R>& run, Count<R> rows) {
  const auto& width = has_experts(model) ? model.expert_feed_forward : model.feed_forward;
  return matmul(MatmulShape<R>{rows, model.hidden, width, run.activation_format, run.weight_format,
                               run.activation_format});
}

template AttentionWidths<SCALING_REP> attention_widths(const Model<SCALING_REP>&);
template Count<SCALING_REP> moe_layers(const Model<SCALING_REP>&);
template bool has_experts(const Model<SCALING_REP>&);
template FeedForwardWidths<SCALING_REP> feed_forward_widths(const Model<SCALING_REP>&);
template Parameters<SCALING_REP> count_parameters(const Model<SCALING_REP>&);
template LayerParameters<SCALING_REP> layer_parameters(const Model<SCALING_REP>&);
template TokenFlops<SCALING_REP> count_token_flops(const Model<SCALING_REP>&,
                                                   const Parameters<SCALING_REP>&,
                                                   const Run<SCALING_REP>&);
template Quantity<kByte / kToken, SCALING_REP> kv_cache_per_token(const Model<SCALING_REP>&,
                                                                  Format);
template Quantity<kByte / kToken, SCALING_REP> checkpoint_bytes_per_token(const Model<SCALING_REP>&,
                                                                          const Run<SCALING_REP>&);
template Operation<SCALING_REP> feed_forward_matmul(const Model<SCALING_REP>&,
                                                    const Run<SCALING_REP>&, Count<SCALING_REP>);

}  // namespace scaling
