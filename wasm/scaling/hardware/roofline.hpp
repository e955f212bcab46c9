// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "scaling/input/chip.hpp"
#include "scaling/model/operation.hpp"

namespace scaling {

/// The resource that takes the longest. The maximum prefers the one that binds more; computing
/// binds least.
enum class Bound : std::uint8_t { kCompute, kMemory, kNetwork };
inline constexpr const char* kBoundNames[] = {"compute", "memory", "network"};

namespace term {

inline constexpr Dimension kIntensityUnit = kFlop / kByte;

inline constexpr Term kFlops{"flops", "FLOPs", kFlop, "book-roofline"};
inline constexpr Term kMemoryBytes{"memoryBytes", "b_hbm", kByte, "book-roofline"};
inline constexpr Term kNetworkBytes{"networkBytes", "b_net", kByte, "book-roofline"};
inline constexpr Term kMathTime{"mathTime", "T_math", kSecond, "book-roofline"};
inline constexpr Term kMemoryTime{"memoryTime", "T_hbm", kSecond, "book-roofline"};
inline constexpr Term kNetworkTime{"networkTime", "T_net", kSecond, "book-roofline"};
inline constexpr Term kCommunicationTime{"communicationTime", "T_comms", kSecond, "book-roofline"};
inline constexpr Term kLowerBound{"lowerBound", "T_lower", kSecond, "book-roofline"};
inline constexpr Term kUpperBound{"upperBound", "T_upper", kSecond, "book-roofline"};
inline constexpr Term kIntensity{"intensity", "I", kIntensityUnit, "book-roofline"};
inline constexpr Term kCriticalIntensity{"criticalIntensity", "I_crit", kIntensityUnit,
                                         "book-roofline"};
inline constexpr Term kNetworkIntensity{"networkIntensity", "I_net", kIntensityUnit,
                                        "book-roofline"};
inline constexpr Term kCriticalNetworkIntensity{"criticalNetworkIntensity", "I_net,crit",
                                                kIntensityUnit, "book-roofline"};
inline constexpr Term kBound{"bound", "", kOne, "book-roofline", kBoundNames};
inline constexpr Term kAchievedFlops{"achievedFlops", "FLOPs/s", kFlop / kSecond, "book-roofline"};
inline constexpr Term kFractionOfPeak =
    Term{"fractionOfPeak", "T_math/T_lower", kOne, "book-roofline"}.in_percent();
inline constexpr Term kCriticalBatch{"criticalBatch", "B_crit", kToken, "book-roofline"};
inline constexpr Term kExactCriticalBatch{"exactCriticalBatch", "B_crit,exact", kToken,
                                          "book-roofline"};
inline constexpr Term kHostCriticalBatch{"hostCriticalBatch", "B_host", kToken, "book-tpus"};
inline constexpr Term kCriticalContraction{"criticalContraction", "D_crit", kOne, "book-roofline"};

}  // namespace term

template <class R>
using PeakRate = Quantity<kFlop / kSecond / kChip, R>;
template <class R>
using Bandwidth = Quantity<kByte / kSecond / kChip, R>;
template <class R>
using Intensity = Quantity<term::kIntensityUnit, R>;

/// FLOPs per byte at which computing at `peak` takes as long as moving at `bandwidth`
/// [FLOPs/B]. Source: book ch. 1.
template <class R>
Intensity<R> critical_intensity(PeakRate<R> peak, Bandwidth<R> bandwidth) {
  return peak / bandwidth;
}

/// Cost of an operation, or of a list of them, on a chip. The network's part is absent where
/// nothing is sent.
template <class R>
struct Roofline {
  PeakRate<R> rate;  ///< rate of the units that compute; the matrix units' if both do
  Quantity<kFlop, R> flops;
  Quantity<kByte, R> memory_bytes;
  Quantity<kSecond, R> math_time, memory_time;
  Maybe<Quantity<kSecond, R>> communication_time;  ///< the longer of memory and network
  Maybe<Quantity<kSecond, R>> lower, upper;        ///< perfect overlap: max; none: sum
  Intensity<R> intensity, critical_intensity;
  Maybe<Intensity<R>> network_intensity, critical_network_intensity;
  Maybe<Quantity<kFlop / kSecond, R>> achieved;  ///< at the lower bound
  Maybe<Count<R>> fraction_of_peak;
  Count<R> bound;  ///< a Bound; of two that take equally long, the one named first
};

/// The rates of a chip: FLOPs and bytes per second.
template <class R>
struct Rates {
  PeakRate<R> matrix;
  Maybe<PeakRate<R>> vector;  ///< needed where all operations run on vector units
  Bandwidth<R> memory;
};

/// The traffic during the operations: bytes that each chip sends, and their time.
template <class R>
struct NetworkUse {
  Maybe<Quantity<kByte, R>> bytes = Absence::kNotApplicable;
  Maybe<Quantity<kSecond, R>> time = Absence::kNotApplicable;
};

/// Prices `operations`, which run one after another; each overlaps its computing with its moving,
/// and the network with both. A single operation is compute-bound where computing takes at least as
/// long as moving; a list is bound by what most of its time goes to. Source: book ch. 1.
template <class R>
Roofline<R> price(std::span<const Operation<R>> operations, const Rates<R>& rates,
                  const NetworkUse<R>& network);

/// Tokens that must work on a weight so that computing with it (2 FLOPs a token) takes as long as
/// moving it: over HBM the critical batch of a matmul with B << D, F, over a network the tokens a
/// chip needs to hide gathering its weights. `alpha` is the critical intensity of peak and
/// bandwidth; weights alone count. Source: book ch. 1 and 5.
template <class R>
Quantity<kToken, R> tokens_per_moved_weight(Intensity<R> alpha, Format weight_format) {
  return alpha * bytes_of<R, kByte / kParam>(weight_format) /
         constant<kFlop / kToken / kParam, R>(2);
}

/// Smallest batch, in tokens at one weight matrix, at which a matmul with B << D, F is
/// compute-bound: C s_w / 2 W. Source: book ch. 1.
template <class R>
Quantity<kToken, R> critical_batch(PeakRate<R> peak, Bandwidth<R> memory, Format weight_format) {
  return tokens_per_moved_weight(critical_intensity(peak, memory), weight_format);
}

/// The critical batch with activations and result counted; kNever if it is never compute-bound.
/// Source: book ch. 1, question 3.
template <class R>
Maybe<Quantity<kToken, R>> exact_critical_batch(Count<R> contraction, Count<R> output,
                                                PeakRate<R> peak, Bandwidth<R> memory,
                                                Format activation_format, Format weight_format,
                                                Format output_format);

/// Smallest contraction D at which a matmul that is divided along it does not wait for its network,
/// whatever the batch: computing grows with D, the result that is reduced does not. 8755 for two
/// v5e. Source: book ch. 1.
template <class R>
Count<R> critical_contraction(Count<R> contraction, Quantity<kSecond, R> math_time,
                              Quantity<kSecond, R> network_time);

}  // namespace scaling
