// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/model/kernels/parts.hpp"

namespace scaling {

/// Writes down the kernels of a part of a layer. Each kind of part has a function and a file; these
/// are the only places that know the traits of a model.
template <class R>
class KernelWriter {
 public:
  /// Writes behind the kernels of `list`.
  KernelWriter(const Model<R>& model, KernelList<R>& list)
      : model_(model),
        hidden_(model.hidden),
        vectors_(model.norm == Norm::kLayerNorm ? 2 : 1),
        parallel_(model.norms_per_layer.value() == 1),
        list_(list) {}

  void mixer(const LayerPart<R>& part);
  void feed_forward(const LayerPart<R>& part);
  void ends();
  void mtp_entry();

 private:
  using C = Count<R>;

  // Kinds of mixers and of feed-forward parts.
  void attention(const LayerPart<R>& part);
  void linear();
  void mamba();
  void convolution();
  /// Up (and gate), the function between, down: `blocks` of them beside each other.
  struct DenseNames {
    const char* gate;
    const char* up;
    const char* activation;
    const char* down;
  };
  void dense(const DenseNames& names, C width, bool biases, C blocks);
  void experts(const LayerPart<R>& part);

  // What they are made of; see attention.formulas.cpp.
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
  void scan(KernelScan<R> kind, C state, C taps, C heads, C result);

  /// What joins a part to the residual: norms, and the streams of the residual. `first` parts keep
  /// the layer's input.
  void joint(C norms, bool first);
  /// A token's own input to the layer.
  void own_input();
  void keep_middle();

  Kernel<R>& matmul(const char* name, FormatClass format, DividedBy divided, C contraction,
                    C outputs, C grain = {}, bool joined = false);
  /// A projection whose result the backward pass of the mixer takes.
  Kernel<R>& projection(const char* name, C contraction, C outputs, C grain, bool joined = false);
  /// A pass over memory, which a kernel that fuses all it can does with `least` of both.
  Kernel<R>& move(const char* name, ParameterPart part, C read, C written);
  Kernel<R>& last() { return list_.last(); }
  KernelTransfer<R> sum() const { return {KernelCollective::kSum, hidden_}; }

  C half_of_norms() const { return ceil(model_.norms_per_layer / 2.0); }
  C residual() const {
    return given(model_.residual_streams) ? model_.residual_streams * hidden_ : hidden_;
  }

  const Model<R>& model_;
  const C& hidden_;
  double vectors_;  ///< of a norm: weights, and biases
  bool parallel_;   ///< both parts of a layer read the result of one norm
  KernelList<R>& list_;
};

/// Whether keys that stand for `ratio` tokens overlap, and an indexer chooses among them:
/// DeepSeek-V4 has keys of 4 tokens, which do, and of 128.
template <class R>
bool overlapping_keys(const Count<R>& ratio) {
  return ratio.value() < 16;
}

}  // namespace scaling
