// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "scaling/input/field.hpp"
#include "scaling/input/format.hpp"
#include "scaling/model/attention.hpp"
#include "scaling/model/kernels/sections.hpp"
#include "scaling/quantity/kind_list.hpp"

namespace scaling {

/// The fields and groups that a kind of operation asks for, and its other properties.
enum OperationTraits : std::uint32_t {
  kHasBackward = 1u << 0,      ///< has a backward pass
  kAsksLength = 1u << 1,       ///< the length of arrays
  kAsksChain = 1u << 2,        ///< the length of a chain of elementwise operations
  kAsksRows = 1u << 3,         ///< X[B,D]
  kAsksColumns = 1u << 4,      ///< Y[D,F]
  kAsksTile = 1u << 5,         ///< blocks
  kAsksMesh = 1u << 6,         ///< the mesh group, and what is divided among its chips
  kAsksModel = 1u << 7,        ///< the model group
  kAsksExperts = 1u << 8,      ///< a model with experts
  kAsksSequences = 1u << 9,    ///< sequences of tokens
  kAsksQueries = 1u << 10,     ///< tokens of each sequence
  kAsksKeys = 1u << 11,        ///< keys and values, and their format
  kAsksHeads = 1u << 12,       ///< an attention of its own
  kAsksLatentForm = 1u << 13,  ///< the form of latent attention
  kAsksKernel = 1u << 14,      ///< the kernel of attention, and its mask
  kAsksWeights = 1u << 15,     ///< the format of weights
  kAsksOutput = 1u << 16,      ///< a format of the result's own
  kOnMatrixUnits = 1u << 17,   ///< all or part of it; asks in which format
  kOnVectorUnits = 1u << 18,   ///< all or part of it
  kVectorBackward = 1u << 19,  ///< runs on vector units in the backward pass
  kVectorNaive = 1u << 20,     ///< runs on vector units with the naive attention kernel
  kHasCriticalBatch = 1u << 21,
  kHasBlockRows = 1u << 22,  ///< rows of the flash attention kernel
  kAsksMixer = 1u << 23,     ///< which of the model's layers
  kAsksScores = 1u << 24,    ///< a layer whose tokens look at keys
};

struct OperationKindRow {
  const char* name;
  std::uint32_t traits;

  constexpr bool has(OperationTraits trait) const { return (traits & trait) != 0; }
};

namespace detail {

inline constexpr std::uint32_t kAnyMatmul =
    kHasBackward | kAsksRows | kAsksColumns | kAsksWeights | kAsksOutput | kOnMatrixUnits;
inline constexpr std::uint32_t kTokensOfModel =
    kHasBackward | kAsksModel | kAsksSequences | kAsksQueries;
inline constexpr std::uint32_t kWeightsOfModel = kTokensOfModel | kAsksWeights | kOnMatrixUnits;
inline constexpr std::uint32_t kAttentionOfModel =
    kTokensOfModel | kAsksKeys | kAsksLatentForm | kOnMatrixUnits;

}  // namespace detail

// A kind of operation is a type: its name and traits, and the kernels that it adds in each pass.
// The lists that they are added to also know the request; see request_kernels.formulas.cpp and
// layer.formulas.cpp.
template <class R>
class RequestKernels;
template <class R>
class LayerKernels;

namespace operations {

// --- the request tells the sizes ---

/// x[N] . y[N]; backward dx = g y and dy = g x, of the sum's gradient g.
struct DotProduct {
  static constexpr OperationKindRow kRow{"dotProduct",
                                         kHasBackward | kAsksLength | kAsksOutput | kOnMatrixUnits};

  template <class R>
  static void add(RequestKernels<R>& to) {
    const auto& request = to.request();
    if (to.pass() == Pass::kForward) {
      to.add(dot_product(request.length, request.activation_format, request.output_format));
      return;
    }
    const auto array = bytes_of<R>(request.activation_format) * request.length;
    to.add({2.0 * (constant<kFlop, R>(1) * request.length), array, array, 2.0 * array});
  }
};

/// A chain of operations on arrays of N numbers. Each reads what the one before has made and
/// `inputs` - 1 other arrays; those fused into one kernel pass it on without memory.
struct Elementwise {
  static constexpr OperationKindRow kRow{
      "elementwise", kHasBackward | kAsksLength | kAsksChain | kAsksOutput | kOnVectorUnits};

  template <class R>
  static void add(RequestKernels<R>& to) {
    const auto& request = to.request();
    const auto kernels = ceil(request.chain / request.fused);
    const auto others = request.chain * (request.inputs - one<R>());
    const auto input = bytes_of<R>(request.activation_format) * request.length * (kernels + others);
    const auto output = bytes_of<R>(request.output_format) * request.length * kernels;
    const auto flops = constant<kFlop, R>(1) * request.chain * request.length;
    if (to.pass() == Pass::kForward) {
      to.add({flops, input, {}, output, true});
    } else {
      // The gradient of the result comes in as well, and one of each input goes out.
      to.add({2.0 * flops, input + output, {}, input, true});
    }
  }
};

/// X[B,D] -> sums[B]; backward each number gets a copy of its row's gradient.
struct Reduction {
  static constexpr OperationKindRow kRow{"reduction",
                                         kHasBackward | kAsksRows | kAsksOutput | kOnVectorUnits};

  template <class R>
  static void add(RequestKernels<R>& to) {
    const auto& request = to.request();
    const auto numbers =
        bytes_of<R>(request.activation_format) * request.batch * request.contraction;
    const auto sums = bytes_of<R>(request.output_format) * request.batch;
    if (to.pass() == Pass::kBackward) {
      to.add({{}, sums, {}, numbers, true});
      return;
    }
    const auto flops = constant<kFlop, R>(1) * request.batch * (request.contraction - one<R>());
    to.add({flops, numbers, {}, sums, true});
  }
};

/// Over the rows of X[B,D].
struct Softmax {
  static constexpr OperationKindRow kRow{"softmax",
                                         kHasBackward | kAsksRows | kAsksOutput | kOnVectorUnits};

  template <class R>
  static void add(RequestKernels<R>& to) {
    const auto& request = to.request();
    to.add(softmax(request.batch, request.contraction, request.activation_format,
                   request.output_format, to.pass()));
  }
};

/// Over the rows of X[B,D].
struct RmsNorm {
  static constexpr OperationKindRow kRow{
      "rmsNorm", kHasBackward | kAsksRows | kAsksWeights | kAsksOutput | kOnVectorUnits};

  template <class R>
  static void add(RequestKernels<R>& to) {
    const auto& request = to.request();
    to.add(rms_norm(request.batch, request.contraction, request.activation_format,
                    request.weight_format, request.output_format, to.pass()));
  }
};

/// X[B,D] Y[D,F] -> Z[B,F].
struct Matmul {
  static constexpr OperationKindRow kRow{"matmul", detail::kAnyMatmul | kHasCriticalBatch};

  template <class R>
  static void add(RequestKernels<R>& to) {
    add_matmul(to.list(), to.pass(), to.whole_matmul());
  }
};

/// X[B,D] Y[B,D,F] -> Z[B,F]; backward each row's weights get an outer product of their own.
struct PerBatchWeights {
  static constexpr OperationKindRow kRow{"perBatchWeights", detail::kAnyMatmul};

  template <class R>
  static void add(RequestKernels<R>& to) {
    const auto shape = to.whole_matmul();
    if (to.pass() == Pass::kForward) {
      to.add(matmul_per_batch_weights(shape));
      return;
    }
    to.add(matmul_per_batch_weights(shape.activation_gradient()));
    const auto rows = [&](Count<R> width, Format format) {
      return bytes_of<R>(format) * shape.batch * width;
    };
    const auto weights = shape.batch * shape.contraction * shape.output;
    to.add(
        {constant<kFlop, R>(1) * weights,
         rows(shape.contraction, shape.activation_format) + rows(shape.output, shape.output_format),
         {},
         bytes_of<R>(shape.weight_format) * weights});
  }
};

/// A matmul in blocks that fit a core's memory.
struct TiledMatmul {
  static constexpr OperationKindRow kRow{"tiledMatmul", detail::kAnyMatmul | kAsksTile};

  template <class R>
  static void add(RequestKernels<R>& to) {
    const auto& request = to.request();
    const auto shape = to.whole_matmul();
    const Tile<R> tile{request.tile_rows, request.tile_contraction, request.tile_output};
    if (to.pass() == Pass::kForward) {
      to.add(tiled_matmul(shape, tile));
      return;
    }
    const Tile<R> activations{tile.rows, tile.output, tile.contraction};
    const Tile<R> weights{tile.contraction, tile.rows, tile.output};
    to.add(tiled_matmul(shape.activation_gradient(), activations));
    to.add(tiled_matmul(shape.weight_gradient(), weights));
  }
};

/// A matmul divided among the chips of a mesh.
struct ShardedMatmul {
  static constexpr OperationKindRow kRow{"shardedMatmul",
                                         detail::kAnyMatmul | kAsksMesh | kHasCriticalBatch};

  template <class R>
  static void add(RequestKernels<R>& to) {
    add_matmul(to.list(), to.pass(), to.local_matmul());
  }
};

struct Attention {
  static constexpr OperationKindRow kRow{"attention", kHasBackward | kAsksSequences | kAsksQueries |
                                                          kAsksKeys | kAsksHeads | kAsksLatentForm |
                                                          kAsksKernel | kOnMatrixUnits |
                                                          kVectorNaive | kHasBlockRows};

  template <class R>
  static void add(RequestKernels<R>& to) {
    to.attention();
  }
};

// --- the model tells the sizes: of one of its layers, or of its ends ---

struct Norm {
  static constexpr OperationKindRow kRow{"norm",
                                         detail::kTokensOfModel | kAsksWeights | kOnVectorUnits};

  template <class R>
  static void add(LayerKernels<R>& to) {
    to.norm();
  }
};

struct QkvProjection {
  static constexpr OperationKindRow kRow{"qkvProjection",
                                         detail::kWeightsOfModel | kAsksLatentForm | kAsksMixer};

  template <class R>
  static void add(LayerKernels<R>& to) {
    to.mixer(Section::kProjections);
  }
};

/// Q K^T on its own.
struct AttentionScores {
  static constexpr OperationKindRow kRow{"attentionScores",
                                         detail::kAttentionOfModel | kAsksMixer | kAsksScores};

  template <class R>
  static void add(LayerKernels<R>& to) {
    to.attention(&add_attention_scores<R>);
  }
};

/// Scores times V on its own.
struct AttentionValues {
  static constexpr OperationKindRow kRow{"attentionValues",
                                         detail::kAttentionOfModel | kAsksMixer | kAsksScores};

  template <class R>
  static void add(LayerKernels<R>& to) {
    to.attention(&add_attention_values<R>);
  }
};

/// Both, with the softmax between them.
struct AttentionCore {
  static constexpr OperationKindRow kRow{"attentionCore", detail::kAttentionOfModel | kAsksKernel |
                                                              kVectorNaive | kHasBlockRows |
                                                              kAsksMixer};

  template <class R>
  static void add(LayerKernels<R>& to) {
    to.mixer(Section::kMixing);
  }
};

struct OutputProjection {
  static constexpr OperationKindRow kRow{"outputProjection",
                                         detail::kWeightsOfModel | kAsksLatentForm | kAsksMixer};

  template <class R>
  static void add(LayerKernels<R>& to) {
    to.mixer(Section::kOutput);
  }
};

struct FeedForward {
  static constexpr OperationKindRow kRow{"feedForward", detail::kWeightsOfModel};

  template <class R>
  static void add(LayerKernels<R>& to) {
    to.dense();
  }
};

struct Router {
  static constexpr OperationKindRow kRow{"router", detail::kWeightsOfModel | kAsksExperts};

  template <class R>
  static void add(LayerKernels<R>& to) {
    to.router();
  }
};

struct Experts {
  static constexpr OperationKindRow kRow{"experts", detail::kWeightsOfModel | kAsksExperts};

  template <class R>
  static void add(LayerKernels<R>& to) {
    to.experts();
  }
};

struct LmHead {
  static constexpr OperationKindRow kRow{"lmHead", detail::kWeightsOfModel};

  template <class R>
  static void add(LayerKernels<R>& to) {
    to.lm_head();
  }
};

/// A row of the table for each token; backward its gradient is added to the row's.
struct Embedding {
  static constexpr OperationKindRow kRow{"embedding",
                                         detail::kTokensOfModel | kAsksWeights | kVectorBackward};

  template <class R>
  static void add(LayerKernels<R>& to) {
    to.embedding();
  }
};

struct KvRead {
  static constexpr OperationKindRow kRow{"kvRead",
                                         kAsksModel | kAsksSequences | kAsksKeys | kAsksMixer};

  template <class R>
  static void add(LayerKernels<R>& to) {
    to.kv_read();
  }
};

struct Layer {
  static constexpr OperationKindRow kRow{"layer", detail::kAttentionOfModel |
                                                      detail::kWeightsOfModel | kAsksKernel |
                                                      kOnVectorUnits | kAsksMixer};

  template <class R>
  static void add(LayerKernels<R>& to) {
    to.layer();
  }
};

}  // namespace operations

/// One of the kinds of operations.
enum class OperationKind : std::uint8_t {};

/// Every kind of operation, in the order in which forms list them.
using OperationKinds =
    KindList<OperationKind, operations::DotProduct, operations::Elementwise, operations::Reduction,
             operations::Softmax, operations::RmsNorm, operations::Matmul,
             operations::PerBatchWeights, operations::TiledMatmul, operations::ShardedMatmul,
             operations::Attention, operations::Norm, operations::QkvProjection,
             operations::AttentionScores, operations::AttentionValues, operations::AttentionCore,
             operations::OutputProjection, operations::FeedForward, operations::Router,
             operations::Experts, operations::LmHead, operations::Embedding, operations::KvRead,
             operations::Layer>;

inline constexpr auto kOperationKindNames = names_of(OperationKinds::kRows);

/// The number of a kind, e.g. `kOperation<operations::Matmul>`.
template <class Kind>
inline constexpr OperationKind kOperation = OperationKinds::of<Kind>();

constexpr const OperationKindRow& row_of(OperationKind kind) {
  return OperationKinds::row_of(kind);
}

/// A mask of the kinds that have a trait.
constexpr std::uint32_t kinds_with(OperationTraits trait) {
  return choices_where(OperationKinds::kRows,
                       [=](const OperationKindRow& row) { return row.has(trait); });
}

}  // namespace scaling
