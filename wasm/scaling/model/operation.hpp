// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>

#include "scaling/input/format.hpp"

namespace scaling {

enum class Pass : std::uint8_t { kForward, kBackward, kBoth };
inline constexpr const char* kPassNames[] = {"forward", "backward", "both"};

/// The FLOPs and bytes of one chip for an operation, which the hardware's formulas price.
template <class R>
struct Operation {
  Quantity<kFlop, R> flops;
  Quantity<kByte, R> activation_bytes;  ///< read from memory
  Quantity<kByte, R> weight_bytes;      ///< read from memory
  Quantity<kByte, R> output_bytes;      ///< written to memory
  bool on_vector_units = false;         ///< computed by these, not by the matrix units

  Quantity<kByte, R> memory_bytes() const { return activation_bytes + weight_bytes + output_bytes; }
};

/// `count` such operations as one.
template <class R>
Operation<R> repeated(Count<R> count, const Operation<R>& operation) {
  return {count * operation.flops, count * operation.activation_bytes,
          count * operation.weight_bytes, count * operation.output_bytes,
          operation.on_vector_units};
}

template <class R>
class KernelShapes;

/// The kernels of a request: they that run one after another, with room for a whole layer,
/// forward and backward.
template <class R>
class Operations {
 public:
  // A layer of latent attention and shared experts, by naive kernels and both ways, has 43, with
  // two norms; a model may have 16.
  static constexpr std::size_t kMost = 96;

  // Room that is not used is not set: of a search, it would take longer than the kernels' prices.
  Operations() {}

  void add(const Operation<R>& operation) {
    if (size_ < items_.size()) {
      items_[size_++] = operation;
    } else {
      complete_ = false;
    }
  }

  std::span<const Operation<R>> items() const { return std::span(items_).first(size_); }

  /// Whether there was room for all of them. No request has more: tests ask the largest.
  bool complete() const { return complete_; }

  /// Gradients of weights are added to sums of so many bytes each, which are read and written.
  /// Unless told so, they are written once, in the format of the weights.
  void add_gradients_to(Quantity<kByte, R> sum) { gradient_sum_ = sum; }
  Quantity<kByte, R> gradient_sum() const { return gradient_sum_; }

  /// No gradients of weights are computed from now on.
  void freeze() { frozen_ = true; }
  bool frozen() const { return frozen_; }

  /// Tells `shapes` what each kernel is that is added from now on.
  void tell(KernelShapes<R>& shapes) { shapes_ = &shapes; }
  KernelShapes<R>* shapes() const { return shapes_; }

 private:
  Quantity<kByte, R> gradient_sum_{};
  KernelShapes<R>* shapes_ = nullptr;
  union {
    std::array<Operation<R>, kMost> items_;
  };
  std::size_t size_ = 0;
  bool complete_ = true;
  bool frozen_ = false;
};

/// Sizes and formats of X[B,D] Y[D,F] -> Z[B,F].
template <class R>
struct MatmulShape {
  Count<R> batch, contraction, output;
  Format activation_format, weight_format, output_format;

  /// dX[B,D] = dZ[B,F] Y^T[F,D].
  MatmulShape activation_gradient() const {
    return {batch, output, contraction, output_format, weight_format, activation_format};
  }
  /// dY[D,F] = X^T[D,B] dZ[B,F], written in the format of the weights.
  MatmulShape weight_gradient() const {
    return {contraction, batch, output, activation_format, output_format, weight_format};
  }
};

/// Rows, contraction and columns of the blocks that a core works on at a time.
template <class R>
struct Tile {
  Count<R> rows, contraction, output;
};

/// x[N] . y[N]: 2N - 1 FLOPs. Source: book ch. 1.
template <class R>
Operation<R> dot_product(Count<R> length, Format input, Format output);

/// X[B,D] Y[D,F]: 2BDF FLOPs (the book's count; exactly BF(2D - 1)). Source: book ch. 1.
template <class R>
Operation<R> matmul(const MatmulShape<R>& shape);

/// X[B,D] Y[B,D,F]: each row has weights of its own. Source: book ch. 1, question 4.
template <class R>
Operation<R> matmul_per_batch_weights(const MatmulShape<R>& shape);

/// A matmul whose blocks are read anew for each block of the result: X once for each column of
/// blocks, Y once for each row of them. Source: book ch. 1, footnote on tiling.
template <class R>
Operation<R> tiled_matmul(const MatmulShape<R>& shape, const Tile<R>& tile);

/// Core memory that a tile takes: two blocks of each operand, as the next are loaded during the
/// work on these, and the sums in fp32.
template <class R>
Quantity<kByte, R> tile_bytes(const MatmulShape<R>& shape, const Tile<R>& tile);

/// Normalises `rows` of `length` numbers: 4 FLOPs each (square, add, scale, weight).
template <class R>
Operation<R> rms_norm(Count<R> rows, Count<R> length, Format input, Format weights, Format output,
                      Pass pass);

/// Softmax over `rows` of `length` numbers, each row read once: 5 FLOPs a number (maximum,
/// subtract, exponential, sum, divide); backward 4.
template <class R>
Operation<R> softmax(Count<R> rows, Count<R> length, Format input, Format output, Pass pass);

/// Adds to `list` what `pass` takes of a matmul: one forward, two backward. `copies` of it follow
/// one another, or are experts, which run together.
template <class R>
void add_matmul(Operations<R>& list, Pass pass, const MatmulShape<R>& shape,
                Count<R> copies = Count<R>(R(1)), bool are_experts = false);

}  // namespace scaling
