// SPDX-License-Identifier: MIT
//
// Kernels as operations: the FLOPs and bytes of a chip's share, which the hardware's formulas price
// at full rates and at stated ones.
#pragma once

#include "scaling/model/attention.hpp"
#include "scaling/model/kernels/share.hpp"

namespace scaling {

/// The tokens, the formats and the division of kernels.
template <class R>
struct KernelWork {
  Count<R> sequences{}, queries{}, keys{};  ///< as attention finds them
  bool causal = false;
  bool flash = true;
  KernelForm latent = KernelForm::kUnfolded;
  Format activations = Format::kBf16, weights = Format::kBf16, key_values = Format::kBf16;
  Maybe<Quantity<kByte, R>> block_memory{};
  KernelBatch<R> batch{};
  KernelDegrees<R> by{};

  /// Whether queries are the last tokens of longer sequences.
  bool continues() const { return queries < keys; }
};

/// The attention of a kernel. A window, an indexer, or keys that stand for several tokens reduce
/// the keys to those that a token sees on average, without a mask.
template <class R>
AttentionShape<R> attention_shape(const Kernel<R>& kernel, const KernelWork<R>& work);

/// Adds a launch of matmuls, of which `kernel` is the first. Experts without tokens are not read.
template <class R>
void add_launch(Operations<R>& list, Pass pass, const LocalMatmul<R>& launch,
                const Kernel<R>& kernel, const KernelWork<R>& work);

/// Adds any other kernel. A pass over memory is one that fuses all it can: backward it takes twice
/// as many FLOPs, and what was read is read again with the gradient of what was written; rows that
/// are put in order are moved back.
template <class R>
void add_kernel(Operations<R>& list, Pass pass, const Kernel<R>& kernel, const KernelWork<R>& work);

}  // namespace scaling
