// SPDX-License-Identifier: MIT
//
// The matrices of a layer's mixer, for those who price them one by one.
#pragma once

#include "scaling/model/kernels/kernel.hpp"
#include "scaling/model/kinds/mixer.hpp"

namespace scaling {

/// A projection of a mixer: `copies` matrices of `rows` inputs by `columns` outputs. Tensor ways
/// divide its outputs, its inputs, or nothing.
template <class R>
struct MixerMatrix {
  Count<R> rows, columns;
  DividedBy divided;
  Count<R> copies = Count<R>(R(1));
};

/// The matrices of one layer of a group, in the order in which they are used. Matrices that read
/// the same input stand next to each other.
template <class R>
class MixerMatrices {
 public:
  MixerMatrices(const Model<R>& model, const MixerGroup<R>& group);

  std::span<const MixerMatrix<R>> items() const { return std::span(items_).first(size_); }

 private:
  void add(Count<R> rows, Count<R> columns, DividedBy divided, Count<R> copies = Count<R>(R(1))) {
    items_[size_++] = {rows, columns, divided, copies};
  }
  void add_attention(const Model<R>& model, const MixerGroup<R>& group);
  void add_indexer(const Model<R>& model);
  void add_compressor(const Model<R>& model, Count<R> ratio);
  void add_linear(const Model<R>& model);
  void add_mamba(const Model<R>& model);
  void add_convolution(const Model<R>& model);

  std::array<MixerMatrix<R>, 16> items_;
  std::size_t size_ = 0;
};

}  // namespace scaling
