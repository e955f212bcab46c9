// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/model/kernels/writer.hpp"

namespace scaling {

/// Attention over keys of tokens.
template <class R>
class AttentionKernels : public KernelWriter<R> {
 public:
  using KernelWriter<R>::KernelWriter;

  void attention(const LayerPart<R>& part);

 private:
  using C = Count<R>;
  using KernelWriter<R>::matmul;
  using KernelWriter<R>::projection;
  using KernelWriter<R>::move;
  using KernelWriter<R>::last;
  using KernelWriter<R>::sum;
  using KernelWriter<R>::model_;
  using KernelWriter<R>::hidden_;
  using KernelWriter<R>::list_;

  KernelHeads<R> heads_of(const LayerPart<R>& part, bool latent, bool projects) const;
  KernelReach<R> reach_of(const LayerPart<R>& part) const;
  KernelCache<R> cache_of(const LayerPart<R>& part, const KernelHeads<R>& heads) const;
  void queries(const KernelHeads<R>& heads, bool in_two_steps);
  void keys(const KernelHeads<R>& heads, bool projects);
  void attention_core(const LayerPart<R>& part, const KernelHeads<R>& heads, bool projects);
  void attention_output(const KernelHeads<R>& heads);
  void absorbed(const char* name, C contraction, C outputs);
  void indexer(bool latent);
  void index_scores(C ratio, C kept);
  void compressor(const C& ratio);
};

}  // namespace scaling
