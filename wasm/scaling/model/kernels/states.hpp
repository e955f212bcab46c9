// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/model/kernels/writer.hpp"

namespace scaling {

/// Mixers that keep a state of constant size.
template <class R>
class StateKernels : public KernelWriter<R> {
 public:
  using KernelWriter<R>::KernelWriter;

  void linear();
  void mamba();
  void convolution();

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

  void scan(KernelScan<R> kind, C state, C taps, C heads, C result);
};

}  // namespace scaling
