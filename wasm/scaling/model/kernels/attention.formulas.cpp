// SPDX-License-Identifier: MIT
//
// Attention over keys of tokens: grouped or latent, of all tokens, of a window, of those that an
// indexer chooses, or over keys that stand for several tokens. Source: transformers,
// modeling_llama.py (grouped), modeling_deepseek_v3.py (latent), modeling_qwen3_next.py and
// mlx-lm's step3p5.py (gates), modeling_gemma4.py (keys that are values, layers that share keys),
// modeling_deepseek_v32.py and modeling_glm_moe_dsa.py (wq_b, wk, k_norm, weights_proj of an
// indexer), modeling_deepseek_v4.py (shared ones, output groups, compressors and their indexer);
// mlx-lm's mimo_v2_flash.py (widths of values, sinks of windowed layers); vLLM, minimax_m3.py
// (index queries and keys of the hidden state, both normed).
#include "scaling/model/kernels/attention.hpp"

namespace scaling {

template <class R>
void AttentionKernels<R>::attention(const LayerPart<R>& part) {
  const Model<R>& m = model_;
  const bool latent = m.attention == Attention::kLatent;
  const bool windowed = part.mixer == Mixer::kWindowed;
  const bool projects = latent || !(m.shared_key_value || (m.key_is_value && !windowed));
  const KernelHeads<R> heads = heads_of(part, latent, projects);
  const C query = heads.heads * heads.key;
  const C output = heads.heads * heads.value;
  // Queries of grouped heads are compressed where key and value are shared only: elsewhere the rank
  // is what is left of a latent attention.
  const bool in_two_steps = given(m.query_rank) && (latent || m.shared_key_value);

  queries(heads, in_two_steps);
  if (latent) {
    const C first = m.kv_rank + m.rope_dim;
    Kernel<R>& down = matmul("kvDown", FormatClass::kAttention, DividedBy::kNothing, hidden_, first,
                             {}, in_two_steps);
    down.norms = m.kv_rank;
    down.kept[0] = {first, KeptFormat::kActivation, KeptShare::kWhole, Dropped::kQkv};
  } else if (!part.shares) {
    keys(heads, projects);
  }
  if (m.output_gate != OutputGate::kNone) {
    const bool of_heads = m.output_gate == OutputGate::kHeadwise;
    // Matrices that are divided and those that are whole on each rank are two launches.
    projection("gate", hidden_, of_heads ? heads.heads : output, heads.heads,
               !in_two_steps && !latent);
  }
  if (in_two_steps) {
    projection("qUp", m.query_rank, query, heads.heads).projects = Projects::kQuery;
  }
  if (latent) {
    Kernel<R>& up = projection("kvUp", m.kv_rank, m.heads * (m.nope_dim + heads.value), m.heads);
    up.form = KernelForm::kUnfolded;
    up.projects = Projects::kValue;
    up.kept[0].numbers = query + output;  // each head's key has the rotary part, too
    absorbed("absorbedQ", m.nope_dim, m.kv_rank);
  }
  if (part.indexes) indexer(latent);
  if (part.mixer == Mixer::kCompressed) compressor(part.size);
  attention_core(part, heads, projects);
  if (latent) absorbed("absorbedV", m.kv_rank, heads.value);
  attention_output(heads);
}

template <class R>
KernelHeads<R> AttentionKernels<R>::heads_of(const LayerPart<R>& part, bool latent,
                                             bool projects) const {
  const Model<R>& m = model_;
  const bool windowed = part.mixer == Mixer::kWindowed;
  KernelHeads<R> heads;
  heads.heads = !latent && windowed ? own_or(m.window_heads, m.heads) : m.heads;
  C value{};
  if (latent) {
    heads.kv_heads = m.heads;
    heads.key = m.nope_dim + m.rope_dim;
    value = own_or(m.value_dim, m.nope_dim);
    heads.rank = m.kv_rank;
    heads.nope = m.nope_dim;
    heads.rope = m.rope_dim;
  } else {
    heads.kv_heads = part.mixer == Mixer::kCompressed ? m.kv_heads : part.size;
    heads.key = windowed ? own_or(m.window_head_dim, m.head_dim) : m.head_dim;
    value = windowed ? own_or(m.window_value_dim, m.value_dim) : m.value_dim;
    heads.one_vector = m.shared_key_value;
  }
  heads.value = projects ? own_or(value, heads.key) : heads.key;
  heads.reach = reach_of(part);
  return heads;
}

template <class R>
KernelReach<R> AttentionKernels<R>::reach_of(const LayerPart<R>& part) const {
  const Model<R>& m = model_;
  switch (part.mixer) {
    case Mixer::kWindowed:
      return {m.sliding_window, {}, {}};
    case Mixer::kSparse:
      return {{}, one<R>(), given(m.index_block) ? m.index_top_k * m.index_block : m.index_top_k};
    case Mixer::kCompressed:
      return {m.sliding_window, part.size, overlapping_keys(part.size) ? m.index_top_k : C{}};
    default:
      return {{}, one<R>(), {}};
  }
}

template <class R>
void AttentionKernels<R>::queries(const KernelHeads<R>& heads, bool in_two_steps) {
  if (!in_two_steps) {
    projection("q", hidden_, heads.heads * heads.key, heads.heads).projects = Projects::kQuery;
    return;
  }
  const C& rank = model_.query_rank;
  Kernel<R>& down = matmul("qDown", FormatClass::kAttention, DividedBy::kNothing, hidden_, rank);
  down.norms = rank;
  down.kept[0] = {rank, KeptFormat::kActivation, KeptShare::kWhole, Dropped::kQkv};
}

template <class R>
void AttentionKernels<R>::keys(const KernelHeads<R>& heads, bool projects) {
  const C key = heads.kv_heads * heads.key;
  const C value = heads.kv_heads * heads.value;
  Kernel<R>& k = projection("k", hidden_, key, heads.kv_heads, true);
  k.projects = Projects::kKey;
  if (model_.shared_key_value) {
    k.divided = DividedBy::kNothing;
    k.norms = heads.key;
  } else if (!projects) {
    k.kept[0].numbers = key + value;  // the same numbers, normed and rotated apart
  }
  if (projects) {
    projection("v", hidden_, value, heads.kv_heads, true).projects = Projects::kValue;
  }
}

template <class R>
void AttentionKernels<R>::attention_core(const LayerPart<R>& part, const KernelHeads<R>& heads,
                                         bool projects) {
  const Model<R>& m = model_;
  const bool latent = given(heads.rank);
  const C query = heads.heads * heads.key;
  const C output = heads.heads * heads.value;
  const C key = heads.kv_heads * heads.key;
  const C value = heads.kv_heads * heads.value;
  const C of_keys = part.shares ? C{} : key + (projects ? value : key);
  const C turned = query + (latent ? query + output : of_keys);
  Kernel<R>& rotate = move("rotate", ParameterPart::kMixer, turned, turned);
  rotate.divided = DividedBy::kOutputs;
  rotate.fused = true;

  Kernel<R> core;
  core.name = "attention";
  core.type = KernelType::kAttention;
  core.format = FormatClass::kAttention;
  core.divided = DividedBy::kCopies;
  core.heads = heads;
  core.kept[0] = {output, KeptFormat::kActivation, KeptShare::kTensor, Dropped::kAttention};
  core.kept[1] = {heads.heads, KeptFormat::kFp32, KeptShare::kTensor, Dropped::kAttention};
  core.cache = cache_of(part, heads);
  if (m.qkv_bias && !latent) {
    core.extras = query + (part.shares ? C{} : (projects ? key + value : key));
  }
  const bool windowed = part.mixer == Mixer::kWindowed;
  if (m.attention_sinks || (windowed && m.window_sinks)) core.extras = core.extras + heads.heads;
  if (m.qk_norm == QkNorm::kPerHead) {
    core.norms = (part.shares ? 1.0 : 2.0) * (latent ? m.head_dim : heads.key);
  } else if (m.qk_norm == QkNorm::kFull) {
    const C all =
        latent ? m.heads + m.kv_heads : heads.heads + (part.shares ? C{} : heads.kv_heads);
    core.norms = all * (latent ? m.head_dim : heads.key);
  }
  list_.add(core);
}

template <class R>
KernelCache<R> AttentionKernels<R>::cache_of(const LayerPart<R>& part,
                                             const KernelHeads<R>& heads) const {
  const Model<R>& m = model_;
  const bool latent = given(heads.rank);
  KernelCache<R> cache;
  const C numbers = latent             ? heads.rank + heads.rope
                    : heads.one_vector ? heads.kv_heads * heads.key
                                       : heads.kv_heads * (heads.key + heads.value);
  if (!latent && part.mixer != Mixer::kCompressed) cache.grain = part.size;
  cache.window = m.sliding_window;
  switch (part.mixer) {
    case Mixer::kWindowed:
      (part.shares ? cache.reread_windowed : cache.windowed) = numbers;
      break;
    case Mixer::kSparse:
      cache.chosen = numbers;
      cache.limit = heads.reach.most;
      break;
    case Mixer::kCompressed: {
      // A window of keys, one key of each `size` tokens, and the tokens that wait to become the
      // next one, with their gates, in fp32.
      const double series = overlapping_keys(part.size) ? 2 : 1;
      cache.windowed = m.head_dim;
      cache.state = 2.0 * series * series * part.size * m.head_dim;
      const C far = m.head_dim / part.size;
      if (given(heads.reach.most)) {
        cache.chosen = far;
        cache.limit = m.index_top_k * part.size;
      } else {
        cache.kept = far;
      }
      break;
    }
    default:
      (part.shares ? cache.reread : cache.kept) = numbers;
  }
  return cache;
}

template <class R>
void AttentionKernels<R>::attention_output(const KernelHeads<R>& heads) {
  const Model<R>& m = model_;
  C from = heads.heads * heads.value;
  C grain = heads.heads;
  if (given(m.output_groups)) {
    // Each group of heads goes to `output_rank` numbers for itself.
    Kernel<R>& groups = matmul("oGroups", FormatClass::kAttention, DividedBy::kCopies,
                               from / m.output_groups, m.output_rank);
    groups.copies = m.output_groups;
    from = m.output_groups * m.output_rank;
    grain = m.output_groups;
  }
  Kernel<R>& o = matmul("o", FormatClass::kAttention, DividedBy::kInputs, from, hidden_, grain);
  if (m.attention_output_bias) o.extras = hidden_;
  o.behind = sum();
}

/// Latent attention of few queries takes them into the latent space, head by head, and the result
/// out of it. The weights are those of kvUp.
template <class R>
[[gnu::noinline]] void AttentionKernels<R>::absorbed(const char* name, C contraction, C outputs) {
  Kernel<R>& kernel =
      matmul(name, FormatClass::kSixteenBit, DividedBy::kCopies, contraction, outputs);
  kernel.copies = model_.heads;
  kernel.form = KernelForm::kAbsorbed;
  kernel.again = true;
}

/// Queries and keys that choose; of latent attention with a weight for each head.
template <class R>
void AttentionKernels<R>::indexer(bool latent) {
  const Model<R>& m = model_;
  const auto whole = [&](const char* name, const C& from, const C& to, bool joined = false) {
    matmul(name, FormatClass::kAttention, DividedBy::kNothing, from, to, {}, joined);
  };
  whole("indexQ", latent ? own_or(m.query_rank, hidden_) : hidden_,
        m.index_heads * m.index_head_dim);
  whole("indexK", hidden_, m.index_head_dim, !latent);
  if (latent) whole("indexWeights", hidden_, m.index_heads, true);
  index_scores(one<R>(), m.index_head_dim);
  last().norms = 2.0 * m.index_head_dim;  // with a bias
}

template <class R>
[[gnu::noinline]] void AttentionKernels<R>::index_scores(C ratio, C kept) {
  Kernel<R> scores;
  scores.name = "indexScores";
  scores.type = KernelType::kAttention;
  scores.format = FormatClass::kAttention;
  scores.heads.heads = model_.index_heads;
  scores.heads.kv_heads = one<R>();
  scores.heads.key = model_.index_head_dim;
  scores.heads.reach = {{}, ratio, {}};
  scores.cache.kept = kept;
  list_.add(scores);
}

/// Keys that stand for several tokens, with their gates, and their indexer.
template <class R>
void AttentionKernels<R>::compressor(const C& ratio) {
  const Model<R>& m = model_;
  const double series = overlapping_keys(ratio) ? 2 : 1;
  const auto whole = [&](const char* name, const C& from, const C& to,
                         bool joined = false) -> Kernel<R>& {
    return matmul(name, FormatClass::kAttention, DividedBy::kNothing, from, to, {}, joined);
  };
  Kernel<R>& keys = whole("compress", hidden_, 2.0 * series * m.head_dim);
  keys.extras = ratio * (series * m.head_dim);  // a bias for each place in a window
  keys.norms = m.head_dim;
  if (!overlapping_keys(ratio) || !given(m.index_top_k)) return;
  const C index = series * m.index_head_dim;
  Kernel<R>& coarse = whole("compressIndex", hidden_, 2.0 * index, true);
  coarse.extras = ratio * index;
  coarse.norms = m.index_head_dim;
  whole("indexWeights", hidden_, m.index_heads, true);
  whole("indexQ", own_or(m.query_rank, hidden_), m.index_heads * m.index_head_dim);
  index_scores(ratio, m.index_head_dim / ratio);
  last().cache.state = 2.0 * series * series * ratio * m.index_head_dim;
}

template void AttentionKernels<SCALING_REP>::attention(const LayerPart<SCALING_REP>&);

}  // namespace scaling
