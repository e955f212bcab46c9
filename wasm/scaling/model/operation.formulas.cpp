// SPDX-License-Identifier: MIT
#include "scaling/model/operation.hpp"

#include "scaling/model/kernel_shapes.hpp"

namespace scaling {
namespace {

template <class R>
Quantity<kFlop, R> multiply_adds(Count<R> count) {
  return constant<kFlop, R>(2) * count;
}

}  // namespace

template <class R>
Operation<R> dot_product(Count<R> length, Format input, Format output) {
  return {multiply_adds(length) - constant<kFlop, R>(1), bytes_of<R>(input) * length,
          bytes_of<R>(input) * length, bytes_of<R>(output)};
}

template <class R>
Operation<R> matmul(const MatmulShape<R>& shape) {
  const auto& [b, d, f, activation_format, weight_format, output_format] = shape;
  return {multiply_adds(b * d * f), bytes_of<R>(activation_format) * b * d,
          bytes_of<R>(weight_format) * d * f, bytes_of<R>(output_format) * b * f};
}

template <class R>
Operation<R> matmul_per_batch_weights(const MatmulShape<R>& shape) {
  Operation<R> operation = matmul(shape);
  operation.weight_bytes =
      bytes_of<R>(shape.weight_format) * shape.batch * shape.contraction * shape.output;
  return operation;
}

template <class R>
Operation<R> tiled_matmul(const MatmulShape<R>& shape, const Tile<R>& tile) {
  Operation<R> operation = matmul(shape);
  operation.activation_bytes = ceil(shape.output / tile.output) * operation.activation_bytes;
  operation.weight_bytes = ceil(shape.batch / tile.rows) * operation.weight_bytes;
  return operation;
}

template <class R>
Quantity<kByte, R> tile_bytes(const MatmulShape<R>& shape, const Tile<R>& tile) {
  return 2.0 * (bytes_of<R>(shape.activation_format) * tile.rows * tile.contraction +
                bytes_of<R>(shape.weight_format) * tile.contraction * tile.output) +
         bytes_of<R>(Format::kFp32) * tile.rows * tile.output;
}

template <class R>
Operation<R> rms_norm(Count<R> rows, Count<R> length, Format input, Format weights, Format output,
                      Pass pass) {
  const auto flops = constant<kFlop, R>(4) * rows * length;
  const auto read = bytes_of<R>(input) * rows * length;
  const auto written = bytes_of<R>(output) * rows * length;
  const auto weight = bytes_of<R>(weights) * length;
  if (pass == Pass::kForward) return {flops, read, weight, written, true};
  return {2.0 * flops, read + written, weight, read + weight, true};
}

template <class R>
Operation<R> softmax(Count<R> rows, Count<R> length, Format input, Format output, Pass pass) {
  const auto read = bytes_of<R>(input) * rows * length;
  const auto written = bytes_of<R>(output) * rows * length;
  if (pass == Pass::kForward) {
    return {constant<kFlop, R>(5) * rows * length, read, {}, written, true};
  }
  // Reads the result and its gradient, not the input.
  return {constant<kFlop, R>(4) * rows * length, 2.0 * written, {}, read, true};
}

template <class R>
void add_matmul(Operations<R>& list, Pass pass, const MatmulShape<R>& shape, Count<R> copies,
                bool are_experts) {
  const auto tell = [&](const MatmulShape<R>& each, bool accumulates) {
    if (list.shapes() == nullptr) return;
    const auto kind = are_experts ? ShapeKind::kExperts : ShapeKind::kMatmul;
    list.shapes()->set_last(list, {kind, copies, each, accumulates, {}, false});
  };
  if (pass == Pass::kForward) {
    list.add(repeated(copies, matmul(shape)));
    tell(shape, false);
    return;
  }
  list.add(repeated(copies, matmul(shape.activation_gradient())));
  tell(shape.activation_gradient(), false);
  if (list.frozen()) return;
  auto gradient = matmul(shape.weight_gradient());
  if (list.gradient_sum().value() > 0) {
    const auto sums = list.gradient_sum() * shape.contraction * shape.output;
    gradient.weight_bytes = gradient.weight_bytes + sums;
    gradient.output_bytes = sums;
  }
  list.add(repeated(copies, gradient));
  tell(shape.weight_gradient(), list.gradient_sum().value() > 0);
}

template Operation<SCALING_REP> dot_product(Count<SCALING_REP>, Format, Format);
template Operation<SCALING_REP> matmul(const MatmulShape<SCALING_REP>&);
template Operation<SCALING_REP> matmul_per_batch_weights(const MatmulShape<SCALING_REP>&);
template Operation<SCALING_REP> tiled_matmul(const MatmulShape<SCALING_REP>&,
                                             const Tile<SCALING_REP>&);
template Quantity<kByte, SCALING_REP> tile_bytes(const MatmulShape<SCALING_REP>&,
                                                 const Tile<SCALING_REP>&);
template Operation<SCALING_REP> rms_norm(Count<SCALING_REP>, Count<SCALING_REP>, Format, Format,
                                         Format, Pass);
template Operation<SCALING_REP> softmax(Count<SCALING_REP>, Count<SCALING_REP>, Format, Format,
                                        Pass);
template void add_matmul(Operations<SCALING_REP>&, Pass, const MatmulShape<SCALING_REP>&,
                         Count<SCALING_REP>, bool);

}  // namespace scaling
