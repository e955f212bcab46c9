// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/model/kernels/parts.hpp"

namespace scaling {

/// Writes down kernels of a model behind those of a list. Those who write a kind of part derive
/// from it, each in a file; they are the only places that know the traits of a model.
template <class R>
class KernelWriter {
 public:
  KernelWriter(const Model<R>& model, KernelList<R>& list)
      : model_(model), hidden_(model.hidden), list_(list) {}

 protected:
  using C = Count<R>;

  Kernel<R>& matmul(const char* name, FormatClass format, DividedBy divided, C contraction,
                    C outputs, C grain = {}, bool joined = false);
  /// A projection whose result the backward pass of the mixer takes.
  Kernel<R>& projection(const char* name, C contraction, C outputs, C grain, bool joined = false);
  /// A pass over memory, which a kernel that fuses all it can does with `least` of both.
  Kernel<R>& move(const char* name, ParameterPart part, C read, C written);
  Kernel<R>& last() { return list_.last(); }
  KernelTransfer<R> sum() const { return {KernelCollective::kSum, hidden_}; }

  const Model<R>& model_;
  const C& hidden_;
  KernelList<R>& list_;
};

}  // namespace scaling
