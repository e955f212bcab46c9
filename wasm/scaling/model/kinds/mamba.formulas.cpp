// SPDX-License-Identifier: MIT
//
// Mamba-2: each head keeps a matrix of its size by the state's. Source: transformers,
// modeling_nemotron_h.py (in_proj of z, x, B, C and dt, conv1d with bias, dt_bias, A_log, D, norm,
// out_proj); Megatron-LM, num_floating_point_operations, for the scan.
#include "scaling/model/kinds/mamba.hpp"

namespace scaling {
namespace {

template <class R>
struct MambaWidths {
  Count<R> inner, groups;  ///< of x, and of B and C together

  explicit MambaWidths(const Model<R>& model)
      : inner(model.mamba_heads * model.mamba_head_dim),
        groups(2.0 * model.mamba_groups * model.mamba_state) {}

  Count<R> convolved() const { return inner + groups; }
};

}  // namespace

/// x as values, B as keys, C as queries.
template <class R>
MixerWidths<R> mamba_widths(const Model<R>& model) {
  const MambaWidths<R> widths(model);
  const auto half = widths.groups / 2.0;
  return {half, half, widths.inner, widths.inner,
          widths.convolved() + widths.inner + model.mamba_heads};
}

template <class R>
MixerParameters<R> mamba_parameters(const Model<R>& model) {
  const MambaWidths<R> widths(model);
  const auto& d = model.hidden;
  MixerParameters<R> result{};
  result.weights = d * (widths.inner + widths.convolved() + model.mamba_heads) + widths.inner * d;
  result.extras =
      (model.mamba_convolution + one<R>()) * widths.convolved() + 3.0 * model.mamba_heads;
  result.norms = widths.inner;
  return result;
}

template <class R>
MixerCache<R> mamba_cache(const Model<R>& model) {
  const MambaWidths<R> widths(model);
  MixerCache<R> cache{};
  cache.state = widths.inner * model.mamba_state;
  cache.inputs = max(model.mamba_convolution - one<R>(), Count<R>{}) * widths.convolved();
  return cache;
}

/// Seven FLOPs for each number of the state are three and a half multiplications with their sums.
template <class R>
Count<R> mamba_products(const Model<R>& model) {
  const MambaWidths<R> widths(model);
  return 3.5 * widths.inner * model.mamba_state + model.mamba_convolution * widths.convolved();
}

template MixerWidths<SCALING_REP> mamba_widths(const Model<SCALING_REP>&);
template MixerParameters<SCALING_REP> mamba_parameters(const Model<SCALING_REP>&);
template MixerCache<SCALING_REP> mamba_cache(const Model<SCALING_REP>&);
template Count<SCALING_REP> mamba_products(const Model<SCALING_REP>&);

}  // namespace scaling
