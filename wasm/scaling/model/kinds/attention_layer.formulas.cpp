// SPDX-License-Identifier: MIT
//
// Attention over keys of tokens: grouped or latent, of all tokens, of a window, or of those that an
// indexer chooses. Source: transformers, modeling_llama.py (grouped), modeling_deepseek_v3.py
// (latent), modeling_qwen3_next.py and mlx-lm's step3p5.py (gates), modeling_gemma4.py (keys that
// are values), modeling_deepseek_v4.py (shared ones, output groups), mlx-lm's mimo_v2_flash.py
// (widths of values, sinks of windowed layers).
#include "scaling/model/kinds/attention_layer.hpp"

namespace scaling {
namespace {

/// Grouped heads whose queries, keys and values are each projected from the hidden state.
template <class R>
bool is_classic(const Model<R>& model, const AttentionDims<R>& dims) {
  return dims.projects_values && !dims.own_value && !dims.shares &&
         model.output_groups.value() <= 0 && model.output_gate == OutputGate::kNone;
}

}  // namespace

template <class R>
[[gnu::noinline]] AttentionDims<R> attention_dims(const Model<R>& model,
                                                  const MixerGroup<R>& group) {
  AttentionDims<R> dims{};
  if (model.attention == Attention::kLatent) {
    dims.latent = true;
    dims.heads = dims.kv_heads = model.heads;
    dims.key = model.nope_dim + model.rope_dim;
    dims.value = own_or(model.value_dim, model.nope_dim);
    dims.own_value = dims.projects_values = true;
    return dims;
  }
  dims.shares = group.shares;
  dims.heads = model.heads;
  dims.kv_heads = group.mixer == Mixer::kCompressed ? model.kv_heads : group.size;
  dims.key = model.head_dim;
  auto value = model.value_dim;
  dims.projects_values = !(model.key_is_value || model.shared_key_value);
  if (group.mixer == Mixer::kWindowed) {
    dims.heads = own_or(model.window_heads, model.heads);
    dims.key = own_or(model.window_head_dim, model.head_dim);
    value = own_or(model.window_value_dim, model.value_dim);
    dims.projects_values = !model.shared_key_value;
  }
  dims.own_value = dims.projects_values && value.value() > 0;
  dims.value = dims.own_value ? value : dims.key;
  return dims;
}

template <class R>
[[gnu::noinline]] bool is_standard(const Model<R>& model, const MixerGroup<R>& group) {
  if (group.mixer > Mixer::kWindowed) return false;
  const auto dims = attention_dims(model, group);
  if (!dims.latent) return is_classic(model, dims);
  return model.output_gate == OutputGate::kNone && model.output_groups.value() <= 0;
}

template <class R>
[[gnu::noinline]] MixerWidths<R> attention_layer_widths(const Model<R>& model,
                                                        const MixerGroup<R>& group) {
  const auto dims = attention_dims(model, group);
  MixerWidths<R> widths{};
  widths.query = dims.heads * dims.key;
  widths.key = dims.latent ? widths.query : dims.kv_heads * dims.key;
  widths.value = widths.key;
  widths.output = widths.query;
  if (dims.own_value) {
    widths.output = dims.heads * dims.value;
    widths.value = dims.latent ? widths.output : dims.kv_heads * dims.value;
  }
  if (model.shared_key_value) widths.value = {};
  if (dims.shares) widths.key = widths.value = {};
  if (model.output_gate == OutputGate::kHeadwise) widths.others = dims.heads;
  if (model.output_gate == OutputGate::kElementwise) widths.others = widths.output;
  return widths;
}

/// The numbers that a layer reads of each token it sees, even if an earlier layer keeps them: keys
/// and values of each head, or the latent vector and the rotary key of latent attention. Shared
/// keys are the values, too. Keys that are merely projected like values are cached beside them, as
/// they are normed and rotated (modeling_gemma4.py).
template <class R>
Count<R> cached_numbers(const Model<R>& model, const MixerGroup<R>& group) {
  const auto dims = attention_dims(model, group);
  if (dims.latent) return model.kv_rank + model.rope_dim;
  if (model.shared_key_value) return dims.kv_heads * dims.key;
  if (dims.own_value) return dims.kv_heads * (dims.key + dims.value);
  return 2.0 * dims.kv_heads * dims.key;
}

template <class R>
MixerCache<R> attention_cache(const Model<R>& model, const MixerGroup<R>& group) {
  MixerCache<R> cache{};
  if (group.shares) return cache;
  const auto numbers = cached_numbers(model, group);
  if (group.mixer == Mixer::kSparse) {
    cache.chosen = numbers;
    cache.limit = index_tokens(model);
    if (group.indexes) cache.kept = model.index_head_dim;
    return cache;
  }
  if (group.mixer == Mixer::kCompressed) return cache;
  const auto share = group.windowed / group.layers;
  cache.windowed = share * numbers;
  cache.kept = (one<R>() - share) * numbers;
  return cache;
}

template AttentionDims<SCALING_REP> attention_dims(const Model<SCALING_REP>&,
                                                   const MixerGroup<SCALING_REP>&);
template bool is_standard(const Model<SCALING_REP>&, const MixerGroup<SCALING_REP>&);
template MixerWidths<SCALING_REP> attention_layer_widths(const Model<SCALING_REP>&,
                                                         const MixerGroup<SCALING_REP>&);
template Count<SCALING_REP> cached_numbers(const Model<SCALING_REP>&,
                                           const MixerGroup<SCALING_REP>&);
template MixerCache<SCALING_REP> attention_cache(const Model<SCALING_REP>&,
                                                 const MixerGroup<SCALING_REP>&);

}  // namespace scaling
