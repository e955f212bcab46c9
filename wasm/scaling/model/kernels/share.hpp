// SPDX-License-Identifier: MIT
//
// One chip's share of a kernel under degrees of parallelism.
#pragma once

#include <cmath>

#include "scaling/model/kernels/kernel.hpp"

namespace scaling {

/// The degrees that divide the kernels of a layer among chips.
template <class R>
struct KernelDegrees {
  Count<R> tensor = one<R>(), expert = one<R>(), expert_tensor = one<R>();
  bool sequence_parallel = false;
  Count<R> imbalance = one<R>();  ///< tokens at the busiest expert rank over those of the mean
};

/// Tokens on a chip, before tensor parallelism divides any.
template <class R>
struct KernelBatch {
  Count<R> tokens{};
  Count<R> logits{};  ///< those whose next token is asked for
};

/// A matmul as a chip computes it: `copies` of [rows, contraction] [contraction, outputs].
template <class R>
struct LocalMatmul {
  Count<R> rows, contraction, outputs, copies;
};

/// Numbers of a matmul's matrices.
template <class R>
Count<R> elements(const LocalMatmul<R>& matmul) {
  return matmul.copies * matmul.contraction * matmul.outputs;
}

/// The share of the rank that has the most of `all`, in whole units of which there are `grain`; 0:
/// any number. A rank has at least one.
template <class R>
Count<R> share_of(const Count<R>& all, const Count<R>& grain, const Count<R>& degree) {
  if (degree.value() == 1) return all;
  const auto share = all / degree;
  if (!given(grain)) return max(share, one<R>());
  const double units = grain.value() / degree.value();
  const bool even = units == std::floor(units);
  return even ? share : ceil(grain / degree) * (all / grain);
}

/// Tokens at a chip's experts, each as often as it has experts there.
template <class R>
Count<R> routed_tokens(const Count<R>& chosen, const Count<R>& tokens, const KernelDegrees<R>& by) {
  return tokens / by.tensor * by.expert_tensor * chosen * by.imbalance;
}

template <class R>
LocalMatmul<R> local(const Kernel<R>& kernel, const KernelBatch<R>& batch,
                     const KernelDegrees<R>& by) {
  LocalMatmul<R> share{batch.tokens, kernel.contraction, kernel.outputs,
                       own_or(kernel.copies, one<R>())};
  if (kernel.rows == RowsOf::kShare && by.sequence_parallel) share.rows = share.rows / by.tensor;
  if (kernel.rows == RowsOf::kLogits) share.rows = batch.logits;
  const bool experts = kernel.type == KernelType::kExperts;
  const auto& degree = experts ? by.expert_tensor : by.tensor;
  if (experts) {
    share.copies = kernel.copies / by.expert;
    share.rows = routed_tokens(kernel.chosen, batch.tokens, by) / share.copies;
  }
  switch (kernel.divided) {
    case DividedBy::kNothing:
      break;
    case DividedBy::kOutputs:
      share.outputs = share_of(kernel.outputs, kernel.grain, degree);
      break;
    case DividedBy::kInputs:
      share.contraction = share_of(kernel.contraction, kernel.grain, degree);
      break;
    case DividedBy::kCopies:
      share.copies = share_of(share.copies, share.copies, degree);
      break;
  }
  return share;
}

/// The launch that begins at `first`: matmuls joined with it read the same rows. Moves `first` to
/// the last of them.
template <class R>
LocalMatmul<R> launch_of(std::span<const Kernel<R>> kernels, std::size_t& first,
                         const KernelBatch<R>& batch, const KernelDegrees<R>& by) {
  auto launch = local(kernels[first], batch, by);
  while (first + 1 < kernels.size() && kernels[first + 1].joined) {
    launch.outputs = launch.outputs + local(kernels[++first], batch, by).outputs;
  }
  return launch;
}

/// Whether a pass over memory puts rows in another order: that of experts, or back.
template <class R>
bool reorders(const Kernel<R>& kernel) {
  return kernel.rows == RowsOf::kRouted && kernel.divided == DividedBy::kNothing;
}

/// Tokens of a chip whose numbers a pass over memory reads and writes.
template <class R>
Count<R> moving_tokens(const Kernel<R>& kernel, const KernelBatch<R>& batch,
                       const KernelDegrees<R>& by) {
  auto tokens = batch.tokens;
  if (reorders(kernel)) return routed_tokens(kernel.chosen, tokens, by);
  if (kernel.rows == RowsOf::kShare && by.sequence_parallel) tokens = tokens / by.tensor;
  if (kernel.rows == RowsOf::kRouted) tokens = tokens * by.imbalance;
  return kernel.divided == DividedBy::kOutputs ? tokens / by.tensor : tokens;
}

/// Numbers of a tensor that a chip keeps of `tokens` tokens for the backward pass.
template <class R>
Count<R> kept_numbers(const Kernel<R>& kernel, const KeptTensor<R>& kept, const Count<R>& tokens,
                      const KernelDegrees<R>& by) {
  const auto numbers = tokens * kept.numbers;
  switch (kept.share) {
    case KeptShare::kWhole:
      break;
    case KeptShare::kSequence:
      return by.sequence_parallel ? numbers / by.tensor : numbers;
    case KeptShare::kTensor: {
      const auto own = tokens * share_of(kept.numbers, kept.grain, by.tensor);
      return kernel.rows == RowsOf::kRouted || kernel.type == KernelType::kExperts
                 ? by.imbalance * own
                 : own;
    }
    case KeptShare::kRouted:
      return routed_tokens(kernel.chosen, tokens, by) * kept.numbers;
  }
  return numbers;
}

// --- what a sequence shows of itself ---

/// Keys, of `most` at most, that each of `length` tokens sees on average.
template <class R>
Count<R> seen_at_most(const Count<R>& most, const Count<R>& length, bool causal) {
  return causal ? most - most * most / (2.0 * length) : most;
}

/// Keys that a token of a sequence of `length` sees on average.
template <class R>
Count<R> seen_keys(const KernelReach<R>& reach, const Count<R>& length, bool causal) {
  const auto whole = causal ? length / 2.0 : length;
  Count<R> sum{};
  if (given(reach.window)) {
    sum = reach.window < length ? seen_at_most(reach.window, length, causal) : whole;
  }
  if (given(reach.ratio)) {
    const auto keys = length / reach.ratio;
    const bool few = given(reach.most) && reach.most < keys;
    sum = sum + (few ? seen_at_most(reach.most, keys, causal) : whole / reach.ratio);
  }
  return sum;
}

/// Whether a token sees a part of the keys before it only.
template <class R>
bool sees_part(const KernelReach<R>& reach, const Count<R>& length) {
  if (given(reach.window)) return given(reach.ratio) || reach.window < length;
  return given(reach.most) && reach.most < length / reach.ratio;
}

/// Keys that the last token of a sequence of `length` sees, one at least.
template <class R>
Count<R> shown_keys(const KernelReach<R>& reach, const Count<R>& length) {
  Count<R> sum{};
  if (given(reach.window)) sum = min(length, reach.window);
  if (given(reach.ratio)) {
    const auto keys = reach.ratio.value() == 1 ? length : length / reach.ratio;
    const auto far = given(reach.most) ? min(keys, reach.most) : keys;
    sum = given(reach.window) ? sum + far : far;
  }
  return max(sum, one<R>());
}

/// Multiplications of a token in a sequence of `length` that no weights take part in.
template <class R>
Count<R> products_of(const Kernel<R>& kernel, const Count<R>& length, bool causal) {
  if (kernel.type == KernelType::kScan) return kernel.scan.products;
  if (kernel.type != KernelType::kAttention) return {};
  const auto& heads = kernel.heads;
  return seen_keys(heads.reach, length, causal) * (heads.heads * (heads.key + heads.value));
}

}  // namespace scaling
