// SPDX-License-Identifier: MIT
#include "scaling/model/transformer.hpp"

#include "scaling/model/kinds/feed_forward.hpp"
#include "scaling/model/kinds/mixer.hpp"

namespace scaling {
namespace {

template <class R>
Quantity<kParam, R> parameters(Count<R> elements) {
  return as<kParam>(elements);
}

/// Parameters of what joins one part of a layer to the residual besides norms. Hyper-connections
/// mix streams before and behind each part; attention to residuals has a norm and a projection to
/// one number. Source: transformers, modeling_deepseek_v4.py; Kimi K3's modeling_kimi_linear.py.
template <class R>
Count<R> joint_of_part(const Model<R>& model) {
  const auto& streams = model.residual_streams;
  Count<R> joint{};
  if (streams.value() > 0) {
    const auto numbers = (streams + scalar<R>(2)) * streams;
    joint = numbers * streams * model.hidden + numbers + scalar<R>(3);
  }
  if (model.residual_block.value() > 0) joint = joint + 2.0 * model.hidden;
  return joint;
}

/// The matrices of a layer's own input: its gate and the way back. The norm behind it is one of
/// `input_joint`. Source: transformers, modeling_gemma4.py (per_layer_input_gate,
/// per_layer_projection, post_per_layer_input_norm).
template <class R>
Count<R> input_weights(const Model<R>& model) {
  return 2.0 * model.hidden * model.per_layer_input;
}

/// Parameters by which a layer's own input joins the residual.
template <class R>
Count<R> input_joint(const Model<R>& model) {
  if (model.per_layer_input.value() <= 0) return {};
  const double vectors = model.norm == Norm::kLayerNorm ? 2 : 1;
  return input_weights(model) + vectors * model.hidden;
}

/// Parameters of norms and joints of a layer that has a mixer and a feed-forward part.
template <class R>
Count<R> joints_of_layer(const Model<R>& model) {
  const double vectors = model.norm == Norm::kLayerNorm ? 2 : 1;
  const auto norms = vectors * model.norms_per_layer * model.hidden;
  const auto joint = joint_of_part(model);
  return joint.value() > 0 ? norms + 2.0 * joint : norms;
}

/// Parameters of norms and joints of all layers. A layer with one part has half of the norms.
template <class R>
Count<R> joints_of_layers(const Model<R>& model, const LayerMix<R>& mix) {
  const double vectors = model.norm == Norm::kLayerNorm ? 2 : 1;
  auto all = joints_of_layer(model) * mix.both;
  const auto own = input_joint(model);
  if (own.value() > 0) all = all + own * mix.layers;
  if (mix.one_part.value() <= 0) return all;
  const auto norms = vectors * ceil(model.norms_per_layer / 2.0) * model.hidden;
  return all + (norms + joint_of_part(model)) * mix.one_part;
}

/// The weights of matmuls among them: the projections that make up how streams are mixed, and those
/// of layers' own inputs.
template <class R>
Count<R> joint_weights(const Model<R>& model, const LayerMix<R>& mix) {
  Count<R> weights{};
  const auto& streams = model.residual_streams;
  if (streams.value() > 0) {
    const auto parts = 2.0 * mix.both + mix.one_part;
    weights = parts * ((streams + scalar<R>(2)) * streams * streams * model.hidden);
  }
  if (model.per_layer_input.value() <= 0) return weights;
  return weights + input_weights(model) * mix.layers + per_layer_projection(model);
}

/// Parameters at the end of the residual.
template <class R>
Count<R> end_parameters(const Model<R>& model) {
  const double vectors = model.norm == Norm::kLayerNorm ? 2 : 1;
  const double single_norms = model.embedding_norm ? 2 : 1;  // the final one always
  auto ends = single_norms * vectors * model.hidden;
  const auto& streams = model.residual_streams;
  if (streams.value() > 0) ends = ends + streams * streams * model.hidden + streams + one<R>();
  if (model.residual_block.value() > 0) ends = ends + 2.0 * model.hidden;
  if (model.per_layer_input.value() > 0) ends = ends + vectors * model.per_layer_input;
  return ends;
}

/// Numbers of the hidden state that a layer keeps for its backward pass: inputs of both norms, with
/// all streams, and of both first matmuls.
template <class R>
Count<R> hidden_inputs(const Model<R>& model) {
  const auto& d = model.hidden;
  const auto& streams = model.residual_streams;
  const auto all = streams.value() > 0 ? (2.0 * streams + scalar<R>(2)) * d : 4.0 * d;
  // The gate, the way back and the norm behind it read a layer's own input.
  const auto& own = model.per_layer_input;
  const auto inputs = own.value() > 0 ? 2.0 * d + 3.0 * own : Count<R>{};
  if (model.pattern.empty()) return own.value() > 0 ? all + inputs : all;
  const auto mix = layer_mix(model);
  const auto parts = (mix.both + mix.one_part / 2.0) / mix.layers * all;
  return own.value() > 0 ? parts + inputs : parts;
}

/// The attention of a multi-token-prediction module: the model's own, before any other kind.
template <class R>
MixerGroup<R> mtp_mixer(const LayerMix<R>& mix) {
  MixerGroup<R> best =
      mix.mixers().empty() ? MixerGroup<R>{Mixer::kNone, {}, {}, {}, false} : mix.mixers()[0];
  if (best.mixer <= Mixer::kCompressed) return best;
  return {Mixer::kNone, {}, {}, {}, false};
}

}  // namespace

template <class R>
AttentionWidths<R> attention_widths(const Model<R>& model) {
  const auto of_group = [&](const MixerGroup<R>& group) -> AttentionWidths<R> {
    const auto width = mixer_widths(model, group);
    return {width.query, width.key, width.value, width.output, width.others};
  };
  if (has_one_mixer(model)) return of_group(one_mixer(model));
  const auto mix = layer_mix(model);
  return sum_over(mix.mixers(), [&](const MixerGroup<R>& group) {
    const auto share = group.layers / mix.layers;
    const auto width = of_group(group);
    return AttentionWidths<R>{share * width.query, share * width.key, share * width.value,
                              share * width.output, share * width.others};
  });
}

template <class R>
Count<R> attention_heads(const Model<R>& model) {
  if (has_one_mixer(model)) return attention_dims(model, one_mixer(model)).heads;
  const auto mix = layer_mix(model);
  return sum_over(mix.mixers(), [&](const MixerGroup<R>& group) {
    return group.mixer > Mixer::kCompressed
               ? Count<R>{}
               : group.layers / mix.layers * attention_dims(model, group).heads;
  });
}

template <class R>
Count<R> moe_layers(const Model<R>& model) {
  if (!model.pattern.empty()) {
    double layers = 0;
    for (const LayerPattern::Group& group : model.pattern.groups()) {
      if (group.feed_forward == FeedForward::kExperts) layers += group.layers;
    }
    return named_number<term::kKindLayers, R>(layers);
  }
  if (!model.sparse()) return Count<R>{};
  return floor((model.layers - model.dense_layers) / model.moe_every);
}

template <class R>
bool has_experts(const Model<R>& model) {
  return moe_layers(model).value() > 0;
}

template <class R>
FeedForwardWidths<R> feed_forward_widths(const Model<R>& model) {
  const auto mix = layer_mix(model);
  const auto dense =
      sum_over(mix.dense(), [](const DenseGroup<R>& group) { return group.width * group.layers; });
  if (!model.sparse()) return {dense, dense};
  const auto& moe = mix.with_experts;
  const bool alike =
      model.shared_expert_feed_forward.value() <= 0 && model.dense_beside_experts.value() <= 0;
  const auto of_experts = [&](Count<R> experts) {
    if (alike) return dense + moe * (experts + model.shared_experts) * model.expert_feed_forward;
    return dense + moe * (experts * model.expert_feed_forward + shared_width(model));
  };
  return {of_experts(model.experts), of_experts(model.experts_per_token)};
}

template <class R>
Parameters<R> count_parameters(const Model<R>& model) {
  const auto& d = model.hidden;
  const double vectors = model.norm == Norm::kLayerNorm ? 2 : 1;
  const auto mix = layer_mix(model);
  const auto& moe = mix.with_experts;

  Parameters<R> result;

  // Feed-forward: all experts, those that one token passes through, and their matrices alone.
  const auto of_dense = [&](const DenseGroup<R>& group) {
    return feed_forward_block(model, d, group.width, model.feed_forward_bias) * group.layers;
  };
  auto feed_forward = sum_over(mix.dense(), of_dense);
  auto active_feed_forward = feed_forward;
  auto matmul_feed_forward = sum_over(mix.dense(), [&](const DenseGroup<R>& group) {
    return feed_forward_weights(model, d, group.width) * group.layers;
  });
  auto last_feed_forward = mix.dense().empty() ? Count<R>{}
                                               : feed_forward_block(model, d, mix.dense()[0].width,
                                                                    model.feed_forward_bias);
  Count<R> router{};
  if (model.sparse()) {
    const auto parts = expert_parameters(model);
    const auto others = parts.beside.value() > 0 ? parts.shared + parts.beside : parts.shared;
    const auto experts = model.experts * parts.expert + others;
    feed_forward = feed_forward + moe * experts;
    active_feed_forward =
        active_feed_forward + moe * (model.experts_per_token * parts.expert + others);
    matmul_feed_forward =
        matmul_feed_forward + moe * (model.experts_per_token * parts.expert_weights +
                                     parts.others_weights + parts.router_weights);
    router = moe * parts.router;
    if (model.hash_layers.value() > 0) {
      router = router - min(model.hash_layers, moe) * parts.score;
    }
    if (moe.value() > 0) last_feed_forward = experts + parts.router;
  }
  result.feed_forward = named<term::kParametersFeedForward>(parameters(feed_forward));
  result.router =
      model.sparse() ? named<term::kParametersRouter>(parameters(router)) : parameters(router);

  const auto of_mixers = [&](Count<R> MixerParameters<R>::*member) {
    return sum_over(mix.mixers(), [&](const MixerGroup<R>& group) {
      return mixer_parameters(model, group).*member * group.layers;
    });
  };
  const auto projections = of_mixers(&MixerParameters<R>::weights);
  const auto extras = of_mixers(&MixerParameters<R>::extras);
  result.attention = named<term::kParametersAttention>(
      parameters(extras.value() > 0 ? projections + extras : projections));

  const bool own_inputs = model.per_layer_input.value() > 0;
  auto vocabulary = (model.tied_embeddings ? 1.0 : 2.0) * model.vocabulary * d;
  if (own_inputs) vocabulary = vocabulary + per_layer_table(model);
  if (model.head_bias) vocabulary = vocabulary + model.vocabulary;
  result.vocabulary = named<term::kParametersVocabulary>(parameters(vocabulary));

  auto norms = joints_of_layers(model, mix) + end_parameters(model);
  if (own_inputs) norms = norms + per_layer_projection(model);
  const auto inner = of_mixers(&MixerParameters<R>::norms);
  if (inner.value() > 0) norms = norms + inner;
  result.norms = named<term::kParametersNorms>(parameters(norms));

  Count<R> positions = model.learned_positions * d;
  if (model.relative_positions) {
    positions = positions + model.heads * model.head_dim * d * mix.mixing;
  }
  result.positions = named<term::kParametersPositions>(parameters(positions));

  auto common = result.attention + result.vocabulary + result.norms;
  if (positions.value() > 0) common = common + result.positions;
  if (model.sparse()) common = common + result.router;
  result.total = named<term::kComputedParameters>(result.feed_forward + common);
  if (own_inputs) common = common - parameters(per_layer_table(model));
  result.active =
      model.sparse() || own_inputs
          ? named<term::kComputedActiveParameters>(parameters(active_feed_forward) + common)
          : result.total;

  auto matmul = matmul_feed_forward + projections + model.vocabulary * d;
  const auto joints = joint_weights(model, mix);
  if (joints.value() > 0) matmul = matmul + joints;
  result.matmul = named<term::kMatmulParameters>(parameters(matmul));

  // A multi-token-prediction module: a layer of the last one's kind, a projection of two hidden
  // states to one, three norms; embedding and head are the model's own.
  const auto mtp_attention = mixer_parameters(model, mtp_mixer(mix));
  const auto mtp_layer = mtp_attention.weights + mtp_attention.extras + mtp_attention.norms +
                         joints_of_layer(model) + last_feed_forward;
  result.mtp = named<term::kMtpParameters>(
      parameters(model.mtp_modules * (mtp_layer + 2.0 * d * d + 3.0 * vectors * d)));
  return result;
}

template <class R>
Count<R> per_layer_table(const Model<R>& model) {
  const auto& own = model.per_layer_vocabulary;
  const auto& rows = own.value() > 0 ? own : model.vocabulary;
  return rows * model.layers * model.per_layer_input;
}

template <class R>
Count<R> per_layer_projection(const Model<R>& model) {
  return model.hidden * model.layers * model.per_layer_input;
}

template <class R>
LayerParameters<R> layer_parameters(const Model<R>& model) {
  const auto& d = model.hidden;
  const auto mix = layer_mix(model);
  LayerParameters<R> result;
  const auto of_mixer = [&](Count<R> MixerParameters<R>::*member) {
    return mean_over(
        mix, [&](const MixerGroup<R>& group) { return mixer_parameters(model, group).*member; });
  };
  auto attention = of_mixer(&MixerParameters<R>::weights) + of_mixer(&MixerParameters<R>::extras);
  if (model.relative_positions) {
    const auto positions = model.heads * model.head_dim * d;
    attention =
        attention + (mix.mixing < mix.layers ? mix.mixing / mix.layers * positions : positions);
  }
  result.attention = parameters(attention);
  const auto own = input_joint(model);
  const auto whole = own.value() > 0 ? joints_of_layer(model) + own : joints_of_layer(model);
  const auto joints = mix.both < mix.layers ? joints_of_layers(model, mix) / mix.layers : whole;
  result.norms = parameters(joints + of_mixer(&MixerParameters<R>::norms));
  const auto blocks = sum_over(mix.dense(), [&](const DenseGroup<R>& group) {
    return feed_forward_block(model, d, group.width, model.feed_forward_bias) * group.layers;
  });
  const auto dense = mix.dense();
  result.feed_forward = parameters(
      dense.size() == 1 && !(dense[0].layers < mix.without_experts)
          ? feed_forward_block(model, d, dense[0].width, model.feed_forward_bias)
          : (mix.without_experts.value() > 0 ? blocks / mix.without_experts : Count<R>{}));
  if (model.sparse()) {
    const auto parts = expert_parameters(model);
    auto router = parts.router;
    if (model.hash_layers.value() > 0 && mix.with_experts.value() > 0) {
      router = router - min(model.hash_layers, mix.with_experts) / mix.with_experts * parts.score;
    }
    result.router = parameters(router);
    result.shared =
        parameters(parts.beside.value() > 0 ? parts.shared + parts.beside : parts.shared);
    result.experts = parameters(model.experts * parts.expert);
  }
  result.embedding = parameters(model.vocabulary * d);
  result.head = result.embedding;
  if (model.head_bias) result.head = result.head + parameters(model.vocabulary);
  result.ends_norms = parameters(end_parameters(model));
  result.positions = parameters(model.learned_positions * d);
  return result;
}

template <class R>
TokenFlops<R> count_token_flops(const Model<R>& model, const Parameters<R>& parameters_,
                                const TrainingJob<R>& run) {
  const auto mix = layer_mix(model);
  const auto length = as<kOne>(run.sequence_length);
  const bool causal = run.attention_mask == AttentionMask::kCausal;
  const auto per_product = constant<term::kFlopsPerToken, R>(2);
  TokenFlops<R> result;
  const auto products = sum_over(mix.mixers(), [&](const MixerGroup<R>& group) {
    return mixer_products(model, group, length, causal);
  });
  result.attention = named<term::kAttentionFlopsPerToken>(per_product * products);
  const auto per_parameter = constant<kFlop / kToken / kParam, R>(2);
  const auto matmul = run.count_lm_head
                          ? parameters_.matmul
                          : parameters_.matmul - as<kParam>(model.vocabulary * model.hidden);
  result.exact = named<term::kForwardFlopsExact>(per_parameter * matmul + result.attention);
  return result;
}

template <class R>
Quantity<kByte / kToken, R> kv_cache_per_token(const Model<R>& model, Format format) {
  const auto mix = layer_mix(model);
  const auto values = sum_over(mix.mixers(), [&](const MixerGroup<R>& group) {
    if (group.shares) return Count<R>{};
    // Layers that see only a window keep each token for a while.
    if (group.mixer <= Mixer::kWindowed) return group.layers * cached_numbers(model, group);
    const auto cache = mixer_cache(model, group);
    return group.layers * (cache.kept + cache.chosen);
  });
  return named<term::kKvCachePerToken>(as<kByte / kToken>(bytes_of<R>(format) * values));
}

template <class R>
Quantity<kByte, R> state_of_sequence(const Model<R>& model, Format format) {
  const auto mix = layer_mix(model);
  return sum_over(mix.mixers(), [&](const MixerGroup<R>& group) {
    const auto cache = mixer_cache(model, group);
    return group.layers *
           (bytes_of<R>(Format::kFp32) * cache.state + bytes_of<R>(format) * cache.inputs);
  });
}

template <class R>
Quantity<kByte, R> cache_of_sequence(const Model<R>& model, Format format, Count<R> tokens) {
  const auto mix = layer_mix(model);
  const auto numbers = sum_over(mix.mixers(), [&](const MixerGroup<R>& group) {
    const auto near = min(tokens, model.sliding_window);
    if (group.shares) return Count<R>{};
    if (group.mixer <= Mixer::kWindowed) {
      const auto whole = (group.layers - group.windowed) * tokens;
      return cached_numbers(model, group) * (whole + group.windowed * near);
    }
    const auto cache = mixer_cache(model, group);
    return group.layers * ((cache.kept + cache.chosen) * tokens + cache.windowed * near);
  });
  return bytes_of<R>(format) * numbers;
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
      auto attention = width.query + width.key + width.value + width.output;
      if (width.others.value() > 0) attention = attention + width.others;
      const double wide = model.gated_feed_forward ? 3 : 2;
      return save(bytes * (layers * (hidden_inputs(model) + attention) +
                           wide * feed_forward_widths(model).active) +
                  4.0 * one_byte * (layers * attention_heads(model)));
    }
    case CheckpointRule::kKorthikantiSelective:
    case CheckpointRule::kKorthikantiNone: {
      // 16-bit tensors count by the format, the two dropout masks a layer one byte each: 34 D for
      // F = 4D, and 5 N T more with the scores.
      const auto selective = bytes * (8.0 * d * layers + 2.0 * feed_forward_widths(model).active) +
                             2.0 * one_byte * (d * layers);
      if (run.checkpoint_rule == CheckpointRule::kKorthikantiSelective) return save(selective);
      const auto scores = attention_heads(model) * as<kOne>(run.sequence_length) * layers;
      return save(selective + (2.0 * bytes + one_byte) * scores);
    }
    case CheckpointRule::kCopies:
      break;
  }
  return save(bytes * run.checkpoints_per_layer * d * layers);
}

template <class R>
Operation<R> feed_forward_matmul(const Model<R>& model, const TrainingJob<R>& run, Count<R> rows) {
  const auto& width = has_experts(model) ? model.expert_feed_forward : model.feed_forward;
  return matmul(MatmulShape<R>{rows, model.hidden, width, run.activation_format, run.weight_format,
                               run.activation_format});
}

template AttentionWidths<SCALING_REP> attention_widths(const Model<SCALING_REP>&);
template Count<SCALING_REP> attention_heads(const Model<SCALING_REP>&);
template Count<SCALING_REP> moe_layers(const Model<SCALING_REP>&);
template bool has_experts(const Model<SCALING_REP>&);
template FeedForwardWidths<SCALING_REP> feed_forward_widths(const Model<SCALING_REP>&);
template Parameters<SCALING_REP> count_parameters(const Model<SCALING_REP>&);
template LayerParameters<SCALING_REP> layer_parameters(const Model<SCALING_REP>&);
template Count<SCALING_REP> per_layer_table(const Model<SCALING_REP>&);
template Count<SCALING_REP> per_layer_projection(const Model<SCALING_REP>&);
template TokenFlops<SCALING_REP> count_token_flops(const Model<SCALING_REP>&,
                                                   const Parameters<SCALING_REP>&,
                                                   const TrainingJob<SCALING_REP>&);
template Quantity<kByte / kToken, SCALING_REP> kv_cache_per_token(const Model<SCALING_REP>&,
                                                                  Format);
template Quantity<kByte, SCALING_REP> state_of_sequence(const Model<SCALING_REP>&, Format);
template Quantity<kByte, SCALING_REP> cache_of_sequence(const Model<SCALING_REP>&, Format,
                                                        Count<SCALING_REP>);
template Quantity<kByte / kToken, SCALING_REP> checkpoint_bytes_per_token(const Model<SCALING_REP>&,
                                                                          const Run<SCALING_REP>&);
template Operation<SCALING_REP> feed_forward_matmul(const Model<SCALING_REP>&,
                                                    const TrainingJob<SCALING_REP>&,
                                                    Count<SCALING_REP>);

}  // namespace scaling
