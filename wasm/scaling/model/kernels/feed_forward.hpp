// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/model/kernels/writer.hpp"

namespace scaling {

/// Feed-forward parts.
template <class R>
class FeedForwardKernels : public KernelWriter<R> {
 public:
  using KernelWriter<R>::KernelWriter;

  void dense(const LayerPart<R>& part);
  void experts(const LayerPart<R>& part);

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

  /// Up (and gate), the function between, down: `blocks` of them beside each other.
  struct DenseNames {
    const char* gate;
    const char* up;
    const char* activation;
    const char* down;
  };
  void dense(const DenseNames& names, C width, bool biases, C blocks);
  /// The router, and the gate of shared experts beside it.
  void route(const LayerPart<R>& part);
};

}  // namespace scaling
