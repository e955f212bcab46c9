// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/hardware/attention_time.hpp"
#include "scaling/model/kernels/share.hpp"
#include "scaling/serving/computing.hpp"
#include "scaling/serving/step.hpp"

namespace scaling {

/// Prices the kernels of a step on a chip of a server at measured rates, but for routed experts:
/// the only place that does. Tensor parallelism divides them as those of a training.
template <class R>
class StepPrices {
 public:
  using Seconds = Quantity<kSecond, R>;

  StepPrices(const ServingInput<R>& in, const ServerWays<R>& ways, const StepTokens<R>& tokens);

  /// The matmuls that are launched with the one at `first`, which moves to the last of them.
  Seconds matmuls(std::span<const Kernel<R>> kernels, std::size_t& first) const;

  /// A pass over memory; nothing where another kernel does it on the way: rotations are made where
  /// the cache is written, and tokens are brought in order where experts run.
  Seconds move(const Kernel<R>& kernel) const;

  /// Kernels that mix tokens: attention, the scores of an indexer, a state.
  Seconds mixing(const Kernel<R>& kernel) const;

  /// The choice of a token by its logits, of which `head` makes a chip's share.
  Seconds sampling(const Kernel<R>& head) const;

 private:
  struct Heads {
    Count<R> query, key;  ///< of a chip
    Count<R> sequences;   ///< that decode there
  };
  Heads heads_of(const Kernel<R>& kernel) const;
  Seconds absorbed(const Kernel<R>& kernel) const;
  Seconds attention(const Kernel<R>& kernel) const;
  Seconds decode(const Kernel<R>& kernel, Count<R> sequences, Count<R> context, Count<R> heads,
                 Count<R> key_heads) const;
  Seconds prefill(const Kernel<R>& kernel, const Heads& heads) const;
  Seconds whole_prefill(const Kernel<R>& kernel, const Heads& heads, Count<R> window) const;
  Seconds index_scores(const Kernel<R>& kernel) const;
  Seconds state(const Kernel<R>& kernel) const;
  Seconds moved(Count<R> numbers, Quantity<kByte, R> each) const {
    return numbers * each / memory_;
  }
  bool decodes() const { return given(tokens_.decoding); }
  bool prefills() const { return given(tokens_.prompts); }
  bool reads_together(double group) const;
  Count<R> context_read() const;

  const ServingInput<R>& in_;
  const StepTokens<R>& tokens_;
  KernelDegrees<R> by_;
  KernelBatch<R> batch_, prompts_;
  CacheFormat cache_;
  Quantity<kByte / kSecond, R> memory_;
};

}  // namespace scaling
