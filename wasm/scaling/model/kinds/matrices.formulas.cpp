// SPDX-License-Identifier: MIT
#include "scaling/model/kinds/matrices.hpp"

namespace scaling {

template <class R>
MixerMatrices<R>::MixerMatrices(const Model<R>& model, const MixerGroup<R>& group) {
  switch (group.mixer) {
    case Mixer::kAttention:
    case Mixer::kWindowed:
      add_attention(model, group);
      break;
    case Mixer::kSparse:
      add_attention(model, group);
      if (group.indexes) add_indexer(model);
      break;
    case Mixer::kCompressed:
      add_attention(model, group);
      add_compressor(model, group.size);
      break;
    case Mixer::kLinear:
      add_linear(model);
      break;
    case Mixer::kMamba:
      add_mamba(model);
      break;
    case Mixer::kConvolution:
      add_convolution(model);
      break;
    case Mixer::kNone:
      break;
  }
}

template <class R>
void MixerMatrices<R>::add_attention(const Model<R>& model, const MixerGroup<R>& group) {
  using enum DividedBy;
  const auto& d = model.hidden;
  const auto dims = attention_dims(model, group);
  const auto width = attention_layer_widths(model, group);
  const bool compressed = model.query_rank.value() > 0 && (dims.latent || model.shared_key_value);
  if (compressed) {
    add(d, model.query_rank, kNothing);
    add(model.query_rank, width.query, kOutputs);
  } else {
    add(d, width.query, kOutputs);
  }
  if (dims.latent) {
    add(d, model.kv_rank + model.rope_dim, kNothing);
    add(model.kv_rank, model.heads * (model.nope_dim + dims.value), kOutputs);
  } else {
    if (!dims.shares) add(d, width.key, model.shared_key_value ? kNothing : kOutputs);
    if (dims.projects_values && !dims.shares) add(d, width.value, kOutputs);
  }
  switch (model.output_gate) {
    case OutputGate::kNone:
      break;
    case OutputGate::kHeadwise:
      add(d, dims.heads, kOutputs);
      break;
    case OutputGate::kElementwise:
      add(d, width.output, kOutputs);
      break;
  }
  const auto& groups = model.output_groups;
  if (groups.value() > 0) {
    add(width.output / groups, model.output_rank, kNothing, groups);
    add(groups * model.output_rank, d, kInputs);
  } else {
    add(width.output, d, kInputs);
  }
}

template <class R>
void MixerMatrices<R>::add_indexer(const Model<R>& model) {
  using enum DividedBy;
  const auto& d = model.hidden;
  const bool latent = model.attention == Attention::kLatent;
  const auto& from = latent && model.query_rank.value() > 0 ? model.query_rank : d;
  add(from, model.index_heads * model.index_head_dim, kNothing);
  add(d, model.index_head_dim, kNothing);
  if (latent) add(d, model.index_heads, kNothing);
}

template <class R>
void MixerMatrices<R>::add_compressor(const Model<R>& model, Count<R> ratio) {
  using enum DividedBy;
  const auto& d = model.hidden;
  const double series = overlapping_keys(ratio) ? 2 : 1;
  add(d, 2.0 * series * model.head_dim, kNothing);
  if (!overlapping_keys(ratio) || model.index_top_k.value() <= 0) return;
  add(d, 2.0 * series * model.index_head_dim, kNothing);
  const auto& from = model.query_rank.value() > 0 ? model.query_rank : d;
  add(from, model.index_heads * model.index_head_dim, kNothing);
  add(d, model.index_heads, kNothing);
}

template <class R>
void MixerMatrices<R>::add_linear(const Model<R>& model) {
  using enum DividedBy;
  const auto& d = model.hidden;
  const auto width = linear_widths(model);
  const auto projected = width.query + width.key + width.value;
  const auto& heads = model.linear_value_heads;
  switch (model.linear_attention) {
    case LinearAttention::kGatedDeltaNet:
      add(d, projected + width.value + 2.0 * heads, kOutputs);
      break;
    case LinearAttention::kKimiDelta: {
      const auto& rank = model.linear_gate_rank;
      add(d, (rank.value() > 0 ? projected : projected + width.value) + heads, kOutputs);
      add(d, rank.value() > 0 ? model.linear_key_dim + rank : model.linear_key_dim, kNothing);
      add(model.linear_key_dim, width.key, kOutputs);
      if (rank.value() > 0) add(rank, width.value, kOutputs);
      break;
    }
    case LinearAttention::kLightning:
      add(d, projected + width.value, kOutputs);
      break;
  }
  add(width.output, d, kInputs);
}

template <class R>
void MixerMatrices<R>::add_mamba(const Model<R>& model) {
  using enum DividedBy;
  const auto width = mamba_widths(model);
  const auto& rank = model.mamba_rank;
  if (rank.value() > 0) {
    // x and z; of x the steps' rank, B and C; the steps.
    add(model.hidden, 2.0 * width.value, kOutputs);
    add(width.value, rank + width.query + width.key, kInputs);
    add(rank, width.value, kOutputs);
    add(width.output, model.hidden, kInputs);
    return;
  }
  // z, x, B, C and a step for each head.
  const auto all = 2.0 * width.value + width.query + width.key + model.mamba_heads;
  add(model.hidden, all, kOutputs);
  add(width.output, model.hidden, kInputs);
}

template <class R>
void MixerMatrices<R>::add_convolution(const Model<R>& model) {
  using enum DividedBy;
  const auto channels = convolution_widths(model).value;
  add(model.hidden, 3.0 * channels, kOutputs);
  add(channels, model.hidden, kInputs);
}

template class MixerMatrices<SCALING_REP>;

}  // namespace scaling
