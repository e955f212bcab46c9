// SPDX-License-Identifier: MIT
//
// Mamba-2: each head keeps a matrix of its size by the state's. Source: transformers,
// modeling_nemotron_h.py (in_proj of z, x, B, C and dt, conv1d with bias, dt_bias, A_log, D, norm,
// out_proj); Megatron-LM, num_floating_point_operations, for the scan. Mamba-1: each channel keeps
// a vector of the state's size. Source: modeling_jamba.py (in_proj of x and z, conv1d of x, x_proj
// to the steps' rank, B and C, dt_proj with a bias, A_log, D, norms of the three, out_proj) and
// modeling_falcon_mamba.py (the same, its norms without weights); state-spaces/mamba, issue 110,
// for the scan: 9 FLOPs for each number of the state.
#include "scaling/model/kinds/mamba.hpp"

namespace scaling {
namespace {

template <class R>
struct MambaWidths {
  Count<R> inner, groups;  ///< of x, and of B and C together
  bool first;              ///< Mamba-1: x alone is convolved

  explicit MambaWidths(const Model<R>& model)
      : inner(model.mamba_heads * model.mamba_head_dim),
        groups(2.0 * model.mamba_groups * model.mamba_state),
        first(model.mamba_rank.value() > 0) {}

  Count<R> convolved() const { return first ? inner : inner + groups; }
};

}  // namespace

/// x as values, B as keys, C as queries.
template <class R>
MixerWidths<R> mamba_widths(const Model<R>& model) {
  const MambaWidths<R> widths(model);
  const auto half = widths.groups / 2.0;
  auto others = widths.convolved() + widths.inner + model.mamba_heads;
  if (widths.first) others = others + model.mamba_rank;
  return {half, half, widths.inner, widths.inner, others};
}

template <class R>
MixerCache<R> mamba_cache(const Model<R>& model) {
  const MambaWidths<R> widths(model);
  MixerCache<R> cache{};
  cache.state = widths.inner * model.mamba_state;
  cache.inputs = max(model.mamba_convolution - one<R>(), Count<R>{}) * widths.convolved();
  return cache;
}

/// Seven FLOPs for each number of the state are three and a half multiplications with their sums;
/// in Mamba-1 nine are four and a half.
template <class R>
Count<R> mamba_products(const Model<R>& model) {
  const MambaWidths<R> widths(model);
  return (widths.first ? 4.5 : 3.5) * widths.inner * model.mamba_state +
         model.mamba_convolution * widths.convolved();
}

template MixerWidths<SCALING_REP> mamba_widths(const Model<SCALING_REP>&);
template MixerCache<SCALING_REP> mamba_cache(const Model<SCALING_REP>&);
template Count<SCALING_REP> mamba_products(const Model<SCALING_REP>&);

}  // namespace scaling
