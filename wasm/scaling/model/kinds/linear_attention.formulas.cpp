// SPDX-License-Identifier: MIT
//
// Linear attention: each head keeps a matrix of keys by values, whatever the context.
// Source: transformers, modeling_qwen3_next.py (in_proj of q, k, v, z, b and a, conv1d, dt_bias,
// A_log, norm, out_proj); modeling_kimi_linear.py (q, k, v and their convolutions, f_a and f_b of
// the decay, b, the output's gate, A_log, dt_bias, o_norm, o_proj); modeling_minimax.py
// (qkv_proj, output_gate, a norm over all heads, slopes that are not learned) and inclusionAI's
// modeling_bailing_moe_v2_5.py (the same, with norms of queries and keys); Megatron-LM,
// num_floating_point_operations, for the products with the state.
#include "scaling/model/kinds/linear_attention.hpp"

namespace scaling {
namespace {

template <class R>
struct LinearWidths {
  Count<R> key, value;

  explicit LinearWidths(const Model<R>& model)
      : key(model.linear_key_heads * model.linear_key_dim),
        value(model.linear_value_heads * model.linear_value_dim) {}

  Count<R> convolved() const { return 2.0 * key + value; }
};

}  // namespace

template <class R>
MixerWidths<R> linear_widths(const Model<R>& model) {
  const LinearWidths<R> widths(model);
  // Besides: what goes into the convolution, and the gate of the output.
  return {widths.key, widths.key, widths.value, widths.value, widths.convolved() + widths.value};
}

template <class R>
MixerCache<R> linear_cache(const Model<R>& model) {
  const LinearWidths<R> widths(model);
  MixerCache<R> cache{};
  cache.state = model.linear_value_heads * model.linear_key_dim * model.linear_value_dim;
  cache.inputs = max(model.linear_convolution - one<R>(), Count<R>{}) * widths.convolved();
  return cache;
}

/// Products with the matrix of each head, and the convolution. A delta rule takes four; without it
/// the matrix decays, a key by a value is added, and a query reads it: 5 FLOPs for each number.
template <class R>
Count<R> linear_products(const Model<R>& model) {
  const LinearWidths<R> widths(model);
  const double each = model.linear_attention == LinearAttention::kLightning ? 2.5 : 4;
  return each * model.linear_value_heads * model.linear_key_dim * model.linear_value_dim +
         model.linear_convolution * widths.convolved();
}

template MixerWidths<SCALING_REP> linear_widths(const Model<SCALING_REP>&);
template MixerCache<SCALING_REP> linear_cache(const Model<SCALING_REP>&);
template Count<SCALING_REP> linear_products(const Model<SCALING_REP>&);

}  // namespace scaling
