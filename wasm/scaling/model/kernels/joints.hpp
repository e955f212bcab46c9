// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/model/kernels/writer.hpp"

namespace scaling {

/// Whole parts, with what joins them to the residual, and the ends of a model.
template <class R>
class JointKernels : public KernelWriter<R> {
 public:
  using KernelWriter<R>::KernelWriter;

  void mixer(const LayerPart<R>& part);
  void feed_forward(const LayerPart<R>& part);
  void ends();
  void mtp_entry();

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

  /// The kernels that join a part to the residual: norms and streams. The first part of a
  /// layer keeps its input.
  void joint(const LayerPart<R>& part);
  /// A token's own input to the layer.
  void own_input();
  void keep_middle();

  C residual() const {
    return given(model_.residual_streams) ? model_.residual_streams * hidden_ : hidden_;
  }

  /// Vectors of a norm: its weights, and its biases.
  double vectors_ = model_.norm == Norm::kLayerNorm ? 2 : 1;
  /// Both parts of a layer read the result of one norm.
  bool parallel_ = model_.norms_per_layer.value() == 1;
};

}  // namespace scaling
