// SPDX-License-Identifier: MIT
//
// Mixers that keep a state of constant size. Source, of linear attention: transformers,
// modeling_qwen3_next.py (in_proj of q, k, v, z, b and a, conv1d, dt_bias, A_log, norm, out_proj),
// modeling_kimi_linear.py (q, k, v and their convolutions, f_a and f_b of the decay, b, the
// output's gate, A_log, dt_bias, o_norm, o_proj), modeling_minimax.py (qkv_proj, output_gate, a
// norm over all heads, slopes that are not learned), inclusionAI's modeling_bailing_moe_v2_5.py
// (the same, with norms of queries and keys). Of Mamba-2: modeling_nemotron_h.py (in_proj of z, x,
// B, C and dt, conv1d with bias, dt_bias, A_log, D, norm, out_proj). Of Mamba-1: modeling_jamba.py
// (in_proj of x and z, conv1d of x, x_proj to the steps' rank, B and C, dt_proj with a bias, A_log,
// D, norms of the three, out_proj), modeling_falcon_mamba.py (the same, its norms without weights);
// state-spaces/mamba, issue 110, for the scan. Of short convolutions: modeling_lfm2.py (in_proj of
// B, C and x, conv of one filter a channel, out_proj). Products with the state: Megatron-LM,
// num_floating_point_operations.
#include "scaling/model/kernels/states.hpp"

namespace scaling {

/// A kernel with a state of `heads` heads, and the convolution of `taps` before it; `result` is
/// what the output projection reads.
template <class R>
[[gnu::noinline]] void StateKernels<R>::scan(KernelScan<R> kind, C state, C taps, C heads,
                                             C result) {
  Kernel<R> kernel;
  kernel.name = "scan";
  kernel.type = KernelType::kScan;
  kernel.divided = DividedBy::kCopies;
  kernel.cache.inputs = max(taps - one<R>(), C{}) * kind.channels;
  kernel.cache.state = state;
  kernel.cache.grain = heads;
  if (!given(taps)) kind.channels = {};
  kernel.scan = kind;
  kernel.kept[0] = {result, KeptFormat::kActivation, KeptShare::kTensor, Dropped::kAttention};
  list_.add(kernel);
}

template <class R>
void StateKernels<R>::linear() {
  const Model<R>& m = model_;
  const C key = m.linear_key_heads * m.linear_key_dim;
  const C value = m.linear_value_heads * m.linear_value_dim;
  const C& heads = m.linear_value_heads;
  const C convolved = 2.0 * key + value;
  const C cells = heads * m.linear_key_dim * m.linear_value_dim;
  const bool kimi = m.linear_attention == LinearAttention::kKimiDelta;
  const bool lightning = m.linear_attention == LinearAttention::kLightning;
  const C& rank = m.linear_gate_rank;
  const bool low_rank_gate = kimi && given(rank);

  C in = low_rank_gate ? value : 2.0 * value;  // values and the output's gate
  if (m.linear_attention == LinearAttention::kGatedDeltaNet) in = in + 2.0 * heads;
  if (kimi) in = in + heads;
  // Kept: what goes into the convolution, what comes out of it, the gate.
  projection("inQK", hidden_, 2.0 * key, m.linear_key_heads).kept[0].numbers = 4.0 * key;
  projection("inV", hidden_, in, heads, true).kept[0].numbers = 3.0 * value;
  if (kimi) {
    const auto add = [&](const char* name, DividedBy divided, const C& from, const C& to, C grain,
                         bool joined) {
      matmul(name, FormatClass::kAttention, divided, from, to, grain, joined);
    };
    add("decayDown", DividedBy::kNothing, hidden_, m.linear_key_dim, {}, false);
    if (low_rank_gate) add("gateDown", DividedBy::kNothing, hidden_, rank, {}, true);
    add("decayUp", DividedBy::kOutputs, m.linear_key_dim, key, heads, false);
    if (low_rank_gate) add("gateUp", DividedBy::kOutputs, rank, value, heads, false);
  }
  // A delta rule takes four products with the matrix of each head; without it the matrix decays, a
  // key by a value is added, and a query reads it: 5 FLOPs for each number.
  KernelScan<R> kind;
  kind.kind = lightning ? ScanKind::kLightning : kimi ? ScanKind::kKimi : ScanKind::kDelta;
  kind.products = (lightning ? 2.5 : 4.0) * cells + m.linear_convolution * convolved;
  kind.moved = 2.0 * heads * (m.linear_key_dim + m.linear_value_dim);
  kind.least = 2.0 * (key + value);
  kind.channels = convolved;
  scan(kind, cells, m.linear_convolution, heads, value);
  Kernel<R>& core = last();
  core.heads.heads = heads;
  core.heads.kv_heads = m.linear_key_heads;
  core.heads.key = m.linear_key_dim;
  core.heads.value = m.linear_value_dim;
  core.extras = m.linear_convolution * convolved;
  core.norms = m.linear_value_dim;
  switch (m.linear_attention) {
    case LinearAttention::kGatedDeltaNet:
      core.extras = core.extras + 2.0 * heads;
      break;
    case LinearAttention::kKimiDelta:
      core.extras = core.extras + m.linear_key_heads + key;
      break;
    case LinearAttention::kLightning:
      core.norms = m.linear_qk_norm ? value + 2.0 * m.linear_key_dim : value;
      break;
  }
  matmul("o", FormatClass::kAttention, DividedBy::kInputs, value, hidden_, heads).behind = sum();
}

template <class R>
void StateKernels<R>::mamba() {
  const Model<R>& m = model_;
  const C& heads = m.mamba_heads;
  const C inner = heads * m.mamba_head_dim;
  const C groups = 2.0 * m.mamba_groups * m.mamba_state;  // B and C
  const C& rank = m.mamba_rank;
  const C& taps = m.mamba_convolution;
  const bool first = given(rank);
  const C cells = inner * m.mamba_state;
  // z, x, what goes into the convolution, the steps; B and C.
  const C kept = 3.0 * inner + heads;
  KernelScan<R> kind;
  kind.kind = first ? ScanKind::kMamba1 : ScanKind::kMamba2;
  kind.channels = first ? inner : inner + groups;
  kind.least = 2.0 * inner + groups;
  kind.moved = first ? kind.least + inner : kind.least;
  // Seven FLOPs for each number of the state are three and a half products; in Mamba-1 nine.
  kind.products = (first ? 4.5 : 3.5) * cells + taps * kind.channels;
  if (first) {
    projection("in", hidden_, 2.0 * inner, heads).kept[0].numbers = kept;
    Kernel<R>& x =
        matmul("x", FormatClass::kAttention, DividedBy::kInputs, inner, rank + groups, heads);
    x.behind = {KernelCollective::kSum, rank + groups};
    x.kept[0] = {rank + groups, KeptFormat::kActivation, KeptShare::kWhole, Dropped::kQkv};
    matmul("steps", FormatClass::kAttention, DividedBy::kOutputs, rank, inner, heads);
  } else {
    projection("inZXDt", hidden_, 2.0 * inner + heads, heads).kept[0].numbers = kept;
    projection("inBC", hidden_, groups, m.mamba_groups, true).kept[0].numbers = 2.0 * groups;
  }
  scan(kind, cells, taps, heads, inner);
  Kernel<R>& core = last();
  if (first) {
    // The convolution with its bias, the steps' bias and D; A_log.
    core.extras = (taps + scalar<R>(3)) * inner + inner * m.mamba_state;
    if (m.mamba_norm) core.norms = rank + groups;
  } else {
    core.heads.heads = heads;
    core.heads.kv_heads = m.mamba_groups;
    core.heads.key = m.mamba_state;
    core.heads.value = m.mamba_head_dim;
    core.extras = (taps + one<R>()) * kind.channels + 3.0 * heads;
    if (m.mamba_norm) core.norms = inner;
  }
  matmul("o", FormatClass::kAttention, DividedBy::kInputs, inner, hidden_, heads).behind = sum();
}

template <class R>
void StateKernels<R>::convolution() {
  const Model<R>& m = model_;
  const C channels = own_or(m.convolution_channels, hidden_);
  const C& taps = m.short_convolution;
  projection("in", hidden_, 3.0 * channels, channels).kept[0].numbers = 5.0 * channels;
  // The taps, and two gates, which multiply without a sum.
  KernelScan<R> kind;
  kind.kind = ScanKind::kConvolution;
  kind.products = (taps + one<R>()) * channels;
  kind.channels = channels;
  scan(kind, {}, taps, channels, channels);
  last().extras = taps * channels;
  // Gates and taps pass once over the three projections.
  last().scan.channels = 2.0 * channels;
  last().scan.least = 4.0 * channels;
  matmul("o", FormatClass::kAttention, DividedBy::kInputs, channels, hidden_).behind = sum();
}

template void StateKernels<SCALING_REP>::linear();
template void StateKernels<SCALING_REP>::mamba();
template void StateKernels<SCALING_REP>::convolution();

}  // namespace scaling
