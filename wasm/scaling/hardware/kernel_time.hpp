// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>

#include "scaling/hardware/kernel_rates.hpp"
#include "scaling/input/chip.hpp"
#include "scaling/model/operation.hpp"

namespace scaling {

/// A chip as kernels find it: its data sheet, and what kernels reach of it.
template <class R>
struct KernelChip {
  Count<R> cores;  ///< that take tiles each for itself: SMs, compute units, matrix units
  std::array<Quantity<kFlop / kSecond, R>, kKernelFormats> peak;  ///< dense
  Quantity<kByte / kSecond, R> memory;                            ///< bandwidth
  Quantity<kByte, R> cache;                                       ///< L2; 0: none
  Quantity<kByte / kSecond, R> link;  ///< scale-up bandwidth of a chip, one way; 0: none
  const KernelRates* rates;           ///< constants; must outlive this

  Quantity<kFlop / kSecond, R> peak_in(KernelFormat format) const {
    return peak[static_cast<std::size_t>(format)];
  }
};

/// `chip` with `cores` cores. A format without a peak of its own computes at that of the next wider
/// one, as kernels that first widen their operands do; a chip without any peak has 0, and no kernel
/// must be priced on it.
template <class R>
KernelChip<R> kernel_chip(const Chip<R>& chip, Count<R> cores, const KernelRates& rates);

/// The format in which kernels with operands in `format` compute; wider ones run at the rate of 16
/// bits.
constexpr KernelFormat kernel_format(Format format) {
  switch (format) {
    case Format::kFp32:
    case Format::kTf32:
    case Format::kBf16:
    case Format::kFp16:
      return KernelFormat::kBf16;
    case Format::kFp8:
    case Format::kInt8:
      return KernelFormat::kFp8;
    case Format::kFp4:
    case Format::kInt4:
      return KernelFormat::kFp4;
  }
  return KernelFormat::kBf16;
}

/// `kernels` of `chip` where operands are integers, if `format` is such and the chip has a rate of
/// its own for it: some have another for floating point of as many bits.
template <class R>
KernelChip<R> computing_in(Format format, const Chip<R>& chip, KernelChip<R> kernels) {
  if (format != Format::kInt8 && format != Format::kInt4) return kernels;
  const auto peak = chip.peak(format);
  if (peak.present()) {
    kernels.peak[static_cast<std::size_t>(kernel_format(format))] = of_one_chip(peak.value);
  }
  return kernels;
}

/// The time of a kernel.
template <class R>
struct KernelTime {
  Quantity<kSecond, R> floor;     ///< at full rates: never less
  Quantity<kSecond, R> expected;  ///< time of measured kernels of such a shape

  friend KernelTime operator+(const KernelTime& a, const KernelTime& b) {
    return {a.floor + b.floor, a.expected + b.expected};
  }
  friend KernelTime operator*(Count<R> n, const KernelTime& a) {
    return {n * a.floor, n * a.expected};
  }
};

/// The memory that a kernel reads from.
enum class Heat : std::uint8_t {
  kCold,            ///< in memory: other kernels of a model have replaced it in L2
  kHotActivations,  ///< activations are in L2 as far as they fit: they were just written
  kHot,             ///< all operands that fit are in L2: a benchmark reads the same again
};

/// The kernel that quantises activations of 16 bits.
enum class Quantising : std::uint8_t {
  kFused,    ///< whoever wrote them, or no one needs to
  kDynamic,  ///< kernels of their own before the matmul
};

/// C[M,N] = A[M,K] B[K,N], `copies` of them in one launch: M the batch, N the output of the shape.
template <class R>
struct MatmulKernel {
  MatmulShape<R> shape;  ///< with the formats in memory
  KernelFormat format = KernelFormat::kBf16;
  Count<R> copies = Count<R>(R(1));
  bool accumulates = false;  ///< into a result that is read first
  Quantising quantising = Quantising::kFused;
  /// Share of the time in which the chip is at its power limit: 1 in hours of training, 0 alone.
  Count<R> sustained = Count<R>(R(1));
  Heat heat = Heat::kCold;
  Count<R> rotation = Count<R>(R(1));  ///< weights of so many are read in turn, where all is hot
  Quantity<kByte, R> stored{};         ///< of a weight in memory; 0: that of its format
};

/// Prices a matmul [s]: tiles of the fastest of six sizes over the cores, their contraction in one
/// part or in up to 16; the memory's time beside it; and kernels that quantise:
///
///   start + |compute, move| + quantise, |a, b| = sqrt(a a + b b): both overlap, but not fully
///   compute = w (u ceil(K/p) + tile), with p > 1 parts + split; longer by the throttle
///   w = max(1, M/m N/n p / cores) waves of tiles of m x n, u = max(2mn/peak, (m+n) bytes/feed,
///   step)
///
/// The tile is chosen on plain numbers, so that a derivation holds the chosen one alone. Sizes must
/// be at least 1. Source: form and constants fitted to measured kernels, shared/efficiency.json.
template <class R>
KernelTime<R> kernel_time(const KernelChip<R>& chip, const MatmulKernel<R>& kernel);

/// `experts` experts have `rows` rows each.
template <class R>
struct ExpertLoad {
  Count<R> experts, rows;
};

/// One matmul for each expert in one launch: rows as in `loads`, weights [K,N] of each. Experts
/// without rows are not listed. The loads must outlive this.
template <class R>
struct GroupedMatmulKernel {
  std::span<const ExpertLoad<R>> loads;
  Count<R> contraction, output;
  Format activation_format = Format::kBf16, weight_format = Format::kBf16,
         output_format = Format::kBf16;
  KernelFormat format = KernelFormat::kBf16;
  bool accumulates = false;
  Count<R> sustained = Count<R>(R(1));
  Heat heat = Heat::kCold;
  Quantity<kByte, R> others{};  ///< read in turn with the weights, where all is hot
  Quantity<kByte, R> stored{};  ///< of a weight in memory; 0: that of its format
};

/// Prices it as a matmul, in whole waves of the tiles of all experts [s]. Without a start: that is
/// the layer's, whose routing comes first (MoeLayerKernel).
template <class R>
KernelTime<R> kernel_time(const KernelChip<R>& chip, const GroupedMatmulKernel<R>& kernel);

/// The experts of one layer on one chip, forward: routing, the matmuls in or gate and up, the one
/// out, the weighted sum.
template <class R>
struct MoeLayerKernel {
  std::span<const ExpertLoad<R>> loads;  ///< of the experts on this chip that have rows
  Count<R> experts;                      ///< on this chip, with rows or without
  Count<R> tokens, top_k;                ///< that are routed, before they are copied to experts
  Count<R> hidden, inner;                ///< D, and F of an expert: this chip's share of it
  bool gated = true;
  KernelFormat format = KernelFormat::kBf16;
  Format weight_format = Format::kBf16;
  Count<R> sustained = Count<R>(R(1));
  Heat heat = Heat::kCold;
  Quantity<kByte, R> stored{};  ///< of a weight in memory; 0: that of its format
};

/// Prices it [s]: both grouped matmuls, the bytes of permuting tokens and of the activation, a time
/// for each token's choices and for each expert.
template <class R>
KernelTime<R> kernel_time(const KernelChip<R>& chip, const MoeLayerKernel<R>& kernel);

/// A kernel that moves `bytes`, begins `rows` rows (a convolution: the channels of each sequence),
/// and takes `chunks` steps that wait for one another (a linear attention).
template <class R>
struct StreamingKernel {
  StreamKernel kind = StreamKernel::kElementwise;
  Quantity<kByte, R> bytes;
  Quantity<kByte, R> padding{};  ///< worked on besides, as chunks are filled up
  Count<R> rows{}, chunks{};
  Heat heat = Heat::kCold;
};

template <class R>
KernelTime<R> kernel_time(const KernelChip<R>& chip, const StreamingKernel<R>& kernel);

/// Bytes of a number in memory: those of its format, and of 4 bits its share of a scale for 16.
template <class R>
Quantity<kByte, R> stored_bytes(Format format) {
  if (format == Format::kFp4 || format == Format::kInt4) {
    return bytes_of<R>(format) + constant<kByte, R>(1) / 16.0;
  }
  return bytes_of<R>(format);
}

/// The same of weights whose bytes may be told apart from their format: 0 where they are not.
template <class R>
Quantity<kByte, R> stored_or(Quantity<kByte, R> stored, Format format) {
  return stored.value() > 0 ? stored : stored_bytes<R>(format);
}

/// The time of two that overlap, though not fully: |a, b| [s].
template <class R>
Quantity<kSecond, R> together(Quantity<kSecond, R> a, Quantity<kSecond, R> b) {
  return as<kSecond>(sqrt(as<kOne>(square(a) + square(b))));
}

}  // namespace scaling
