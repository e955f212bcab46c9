// SPDX-License-Identifier: MIT
#include "scaling/model/operation.hpp"

#include "scaling/model/kernel_shapes.hpp"

namespace scaling {
namespace {

template <class R>
Quantity<kFlop, R> multiply_adds(Count<R> count) {
  return constant<kFlop, R>(2) * count;
}

/// A chain of operations on arrays of one length. Each reads what the one before has made and
/// `inputs` - 1 other arrays; those fused into one kernel pass it on without memory.
template <class R>
Operation<R> elementwise(const OperationRequest<R>& request, Pass pass) {
  const auto kernels = ceil(request.chain / request.fused);
  const auto others = request.chain * (request.inputs - one<R>());
  const auto input = bytes_of<R>(request.activation_format) * request.length * (kernels + others);
  const auto output = bytes_of<R>(request.output_format) * request.length * kernels;
  const auto flops = constant<kFlop, R>(1) * request.chain * request.length;
  if (pass == Pass::kForward) return {flops, input, {}, output, true};
  // The gradient of the result comes in as well, and one of each input goes out.
  return {2.0 * flops, input + output, {}, input, true};
}

/// Sums of rows; backward each number gets a copy of its row's gradient.
template <class R>
Operation<R> reduction(const OperationRequest<R>& request, Pass pass) {
  const auto numbers = bytes_of<R>(request.activation_format) * request.batch * request.contraction;
  const auto sums = bytes_of<R>(request.output_format) * request.batch;
  if (pass == Pass::kBackward) return {{}, sums, {}, numbers, true};
  return {constant<kFlop, R>(1) * request.batch * (request.contraction - one<R>()),
          numbers,
          {},
          sums,
          true};
}

/// dx = g y and dy = g x, of a sum's gradient g.
template <class R>
Operation<R> dot_product_backward(Count<R> length, Format input) {
  const auto array = bytes_of<R>(input) * length;
  return {2.0 * (constant<kFlop, R>(1) * length), array, array, 2.0 * array};
}

template <class R>
void add_per_batch_weights(Operations<R>& list, Pass pass, const MatmulShape<R>& shape) {
  if (pass == Pass::kForward) {
    list.add(matmul_per_batch_weights(shape));
    return;
  }
  list.add(matmul_per_batch_weights(shape.activation_gradient()));
  // Each row's weights get an outer product of their own.
  const auto rows = [&](Count<R> width, Format format) {
    return bytes_of<R>(format) * shape.batch * width;
  };
  const auto weights = shape.batch * shape.contraction * shape.output;
  list.add(
      {constant<kFlop, R>(1) * weights,
       rows(shape.contraction, shape.activation_format) + rows(shape.output, shape.output_format),
       {},
       bytes_of<R>(shape.weight_format) * weights});
}

template <class R>
void add_tiled(Operations<R>& list, Pass pass, const MatmulShape<R>& shape, const Tile<R>& tile) {
  if (pass == Pass::kForward) {
    list.add(tiled_matmul(shape, tile));
    return;
  }
  const Tile<R> activations{tile.rows, tile.output, tile.contraction};
  const Tile<R> weights{tile.contraction, tile.rows, tile.output};
  list.add(tiled_matmul(shape.activation_gradient(), activations));
  list.add(tiled_matmul(shape.weight_gradient(), weights));
}

/// Adds the kernels of one pass, forward or backward.
template <class R>
void add_pass(Operations<R>& list, Pass pass, const OperationRequest<R>& request, Count<R> chips,
              Maybe<Quantity<kByte, R>> block_memory) {
  switch (request.kind) {
    case OperationKind::kDotProduct:
      list.add(pass == Pass::kForward
                   ? dot_product(request.length, request.activation_format, request.output_format)
                   : dot_product_backward(request.length, request.activation_format));
      return;
    case OperationKind::kElementwise:
      list.add(elementwise(request, pass));
      return;
    case OperationKind::kReduction:
      list.add(reduction(request, pass));
      return;
    case OperationKind::kSoftmax:
      list.add(softmax(request.batch, request.contraction, request.activation_format,
                       request.output_format, pass));
      return;
    case OperationKind::kRmsNorm:
      list.add(rms_norm(request.batch, request.contraction, request.activation_format,
                        request.weight_format, request.output_format, pass));
      return;
    case OperationKind::kPerBatchWeights:
      add_per_batch_weights(list, pass, matmul_shape(request));
      return;
    case OperationKind::kTiledMatmul:
      add_tiled(list, pass, matmul_shape(request),
                {request.tile_rows, request.tile_contraction, request.tile_output});
      return;
    case OperationKind::kShardedMatmul:
      add_matmul(list, pass, local_shape(request, chips));
      return;
    case OperationKind::kAttention: {
      const auto shape = attention_shape(request, Model<R>{}, MixerGroup<R>{});
      if (request.attention_kernel == AttentionKernel::kNaive) {
        add_naive_attention(list, pass, shape);
      } else {
        add_flash_attention(list, pass, shape, block_memory);
      }
      return;
    }
    case OperationKind::kMatmul:
      add_matmul(list, pass, matmul_shape(request));
      return;
    // The model tells their sizes: see add_layer_operation.
    case OperationKind::kNorm:
    case OperationKind::kQkvProjection:
    case OperationKind::kAttentionScores:
    case OperationKind::kAttentionValues:
    case OperationKind::kAttentionCore:
    case OperationKind::kOutputProjection:
    case OperationKind::kFeedForward:
    case OperationKind::kRouter:
    case OperationKind::kExperts:
    case OperationKind::kLmHead:
    case OperationKind::kEmbedding:
    case OperationKind::kKvRead:
    case OperationKind::kLayer:
      return;
  }
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
  auto gradient = matmul(shape.weight_gradient());
  if (list.gradient_sum().value() > 0) {
    const auto sums = list.gradient_sum() * shape.contraction * shape.output;
    gradient.weight_bytes = gradient.weight_bytes + sums;
    gradient.output_bytes = sums;
  }
  list.add(repeated(copies, gradient));
  tell(shape.weight_gradient(), list.gradient_sum().value() > 0);
}

template <class R>
MatmulShape<R> matmul_shape(const OperationRequest<R>& request) {
  return {request.batch,         request.contraction,  request.output, request.activation_format,
          request.weight_format, request.output_format};
}

template <class R>
MatmulShape<R> local_shape(const OperationRequest<R>& request, Count<R> chips) {
  MatmulShape<R> shape = matmul_shape(request);
  const bool rows = request.activation_sharding == ActivationSharding::kBatch;
  const bool columns = request.weight_sharding == WeightSharding::kOutput;
  if (rows && !(columns && request.gathered == Gathered::kActivations)) {
    shape.batch = shape.batch / chips;
  } else if (columns) {
    shape.output = shape.output / chips;
  } else if (request.activation_sharding == ActivationSharding::kContraction &&
             request.weight_sharding == WeightSharding::kContraction) {
    shape.contraction = shape.contraction / chips;
  }
  return shape;
}

template <class R>
void add_operation(Operations<R>& list, const OperationRequest<R>& request, Count<R> chips,
                   Maybe<Quantity<kByte, R>> block_memory) {
  if (request.pass != Pass::kBackward) {
    add_pass(list, Pass::kForward, request, chips, block_memory);
  }
  if (request.pass != Pass::kForward) {
    add_pass(list, Pass::kBackward, request, chips, block_memory);
  }
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
template MatmulShape<SCALING_REP> matmul_shape(const OperationRequest<SCALING_REP>&);
template MatmulShape<SCALING_REP> local_shape(const OperationRequest<SCALING_REP>&,
                                              Count<SCALING_REP>);
template void add_operation(Operations<SCALING_REP>&, const OperationRequest<SCALING_REP>&,
                            Count<SCALING_REP>, Maybe<Quantity<kByte, SCALING_REP>>);

}  // namespace scaling
