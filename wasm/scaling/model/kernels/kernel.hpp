// SPDX-License-Identifier: MIT
//
// A layer of a model as a list of kernels, in symbols of the model alone: no batch, no degree of
// parallelism, no chip. Parameters, FLOPs, caches, activations, transfers and times are folds over
// such lists.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "scaling/input/model.hpp"

namespace scaling {

enum class KernelType : std::uint8_t {
  kMatmul,     ///< tokens by contraction, contraction by outputs; `copies` of it
  kExperts,    ///< the same of `copies` experts, of which a token goes to `chosen`, in one launch
  kAttention,  ///< scores and values; of an indexer scores alone
  kScan,       ///< products with a state, and the convolution before it
  kMove,       ///< passes over memory: norms, activation functions, lookups
};

/// The sum to which a kernel's parameters belong.
enum class ParameterPart : std::uint8_t {
  kMixer,
  kFeedForward,
  kRouter,
  kJoint,
  kVocabulary,
  kPositions,
};
inline constexpr std::size_t kParameterParts = 6;

/// Weights that a recipe or a server may keep, and compute, in a format of their own.
enum class FormatClass : std::uint8_t { kAttention, kDense, kExpert, kSixteenBit, kHead };
inline constexpr std::size_t kFormatClasses = 5;

/// The side of a kernel that TP shards; ETP does it for experts.
enum class DividedBy : std::uint8_t { kNothing, kOutputs, kInputs, kCopies };

/// The tokens that a kernel works on.
enum class RowsOf : std::uint8_t {
  kAll,
  kShare,   ///< with sequence parallelism, each tensor rank's share
  kRouted,  ///< those that come to the chip's experts
  kLogits,  ///< those whose next token is asked for
};

/// The outputs of a projection of attention. Values of latent attention come with keys.
enum class Projects : std::uint8_t { kOther, kQuery, kKey, kValue };

/// Latent attention has two forms: unfolded for many queries, absorbed for few.
enum class KernelForm : std::uint8_t { kAny, kUnfolded, kAbsorbed };

/// Tensors that may be computed again in the backward pass; each is the result of the kernel that
/// keeps it, whose time that costs.
enum class Dropped : std::uint8_t {
  kNorms,
  kProduct,
  kQkv,
  kAttention,
  kHidden,
  kMiddle,
  kResults,
  kNever,  ///< always kept
};
inline constexpr std::size_t kDroppedKinds = 7;  ///< those that may be
inline constexpr const char* kDroppedNames[kDroppedKinds] = {
    "norms", "product", "qkv", "attention", "hidden", "middle", "results"};

/// The format in which a tensor is kept for the backward pass.
enum class KeptFormat : std::uint8_t { kActivation, kMatmulInput, kFp32 };

/// How a layout divides a tensor that is kept.
enum class KeptShare : std::uint8_t {
  kSequence,  ///< by sequence parallelism
  kTensor,    ///< by tensor parallelism
  kWhole,     ///< not at all
  kRouted,    ///< tokens as they lie at the experts
};

/// A tensor that a kernel keeps for the backward pass.
template <class R>
struct KeptTensor {
  Count<R> numbers{};  ///< of a token; of kRouted, of each of its experts
  KeptFormat format = KeptFormat::kActivation;
  KeptShare share = KeptShare::kTensor;
  Dropped drop = Dropped::kNever;
  Count<R> grain{};  ///< of kTensor: heads, of which each rank holds one at least; 0: any number
};

/// The numbers that a layer keeps of a sequence for tokens to come.
template <class R>
struct KernelCache {
  Count<R> kept{};      ///< of each token, all of it read
  Count<R> windowed{};  ///< of each token of the window
  Count<R> chosen{};    ///< of each token, of which an indexer shows `limit` tokens at most
  Count<R> limit{};
  Count<R> state{};                      ///< of a sequence, in fp32
  Count<R> inputs{};                     ///< of a sequence, in the format of activations
  Count<R> reread{}, reread_windowed{};  ///< kept by an earlier layer and read here
  Count<R> window{};                     ///< tokens
  Count<R> grain{};  ///< heads by which tensor parallelism divides it; 0: whole on each rank
};

/// The collective before or behind a kernel.
enum class KernelCollective : std::uint8_t { kNone, kSum, kDispatch, kCombine };
template <class R>
struct KernelTransfer {
  KernelCollective kind = KernelCollective::kNone;
  Count<R> numbers{};  ///< of a token; of dispatch and combine, of each of its experts
};

/// The keys that a token sees: a window's, and far ones. One far key stands for `ratio` tokens,
/// and an indexer shows `most` far keys at most.
template <class R>
struct KernelReach {
  Count<R> window{};  ///< 0: none
  Count<R> ratio{};   ///< 0: no far keys
  Count<R> most{};    ///< 0: all
};

template <class R>
struct KernelHeads {
  Count<R> heads{}, kv_heads{}, key{}, value{};  ///< value 0: an indexer, scores alone
  Count<R> rank{}, nope{}, rope{};               ///< of latent attention; rank 0: grouped heads
  bool one_vector = false;                       ///< the key is the value
  KernelReach<R> reach{};
};

/// Kernels that keep a state: products of a token, numbers that it brings, and the convolution.
enum class ScanKind : std::uint8_t { kDelta, kKimi, kLightning, kMamba1, kMamba2, kConvolution };
template <class R>
struct KernelScan {
  ScanKind kind = ScanKind::kDelta;
  Count<R> products{};  ///< multiplications of a token, with their sums
  Count<R> moved{};     ///< numbers of a token that a chunk reads and writes
  Count<R> least{};     ///< of these, those that any kernel moves: grouped keys once
  Count<R> channels{};  ///< of the convolution
};

template <class R>
struct Kernel {
  const char* name = "";
  KernelType type = KernelType::kMatmul;
  ParameterPart part = ParameterPart::kMixer;
  FormatClass format = FormatClass::kSixteenBit;
  DividedBy divided = DividedBy::kNothing;
  RowsOf rows = RowsOf::kAll;
  KernelForm form = KernelForm::kAny;
  Projects projects = Projects::kOther;
  bool joined = false;  ///< launched with the one before, which reads the same rows
  bool again = false;   ///< its weights are those of another kernel
  bool fused = false;   ///< of kMove: a neighbour may do it on the way, so that no floor has it

  Count<R> contraction{}, outputs{};
  Count<R> copies{}, chosen{};  ///< see KernelType; 0: one
  Count<R> grain{};             ///< units of what is divided that stay whole, heads; 0: any number
  Count<R> extras{};            ///< parameters besides: biases, convolutions, sinks
  Count<R> norms{};             ///< parameters of norms
  Count<R> table{};             ///< parameters of which a token reads a row
  KernelHeads<R> heads{};       ///< of kAttention, and of kScan where channels are in heads
  KernelScan<R> scan{};         ///< of kScan
  Count<R> read{}, written{};   ///< of kMove: numbers of a token
  Count<R> handed{};  ///< of `read`: what it has itself if it is joined with the kernel before
  Count<R> least_read{}, least_written{};  ///< of both, those of a kernel that fuses all it can
  double flops = 0;                        ///< of kMove: for each number of `least_written`

  std::array<KeptTensor<R>, 2> kept{};
  KernelCache<R> cache{};
  KernelTransfer<R> before{}, behind{};

  /// Whether keys of tokens and values behind them are looked at.
  bool attends() const { return type == KernelType::kAttention && heads.value.value() > 0; }
  bool multiplies() const { return type == KernelType::kMatmul || type == KernelType::kExperts; }
};

/// The kernels of a part of a layer, in the order in which they run. Those that read the same input
/// stand next to each other.
template <class R>
class KernelList {
 public:
  static constexpr std::size_t kMost = 32;

  // Room that is not used is not set.
  KernelList() {}

  Kernel<R>& add(const Kernel<R>& kernel) {
    if (size_ == kMost) --size_;  // no model has as many; tests ask the largest
    return items_[size_++] = kernel;
  }
  Kernel<R>& last() { return items_[size_ - 1]; }
  std::span<const Kernel<R>> items() const { return std::span(items_).first(size_); }

 private:
  union {
    std::array<Kernel<R>, kMost> items_;
  };
  std::size_t size_ = 0;
};

/// Whether a number of the model is given: 0 stands for none.
template <class R>
bool given(const Count<R>& number) {
  return number.value() > 0;
}

/// A number of its own, or the other.
template <class R>
Count<R> own_or(const Count<R>& own, const Count<R>& other) {
  return given(own) ? own : other;
}

}  // namespace scaling
