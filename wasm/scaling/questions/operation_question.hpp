// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/hardware/collective.hpp"
#include "scaling/hardware/roofline.hpp"
#include "scaling/input/chip.hpp"
#include "scaling/input/mesh.hpp"
#include "scaling/input/model.hpp"
#include "scaling/model/attention.hpp"
#include "scaling/model/operation.hpp"
#include "scaling/questions/question.hpp"

namespace scaling {

/// The collective of a sharded matmul that takes the longest; its first value is none.
inline constexpr const char* kNetworkCollectiveNames[] = {"none", "allGather", "reduceScatter",
                                                          "allReduce"};

/// Of a matmul whose weights are divided along the contraction: gather them, or reduce the result.
enum class Strategy : std::uint8_t { kGather, kReduce };
inline constexpr const char* kStrategyNames[] = {"gather", "reduce"};

namespace term {

inline constexpr Dimension kRate = kFlop / kSecond / kChip;

inline constexpr Term kComputeRate{"computeRate", "C", kRate, "book-roofline"};
inline constexpr Term kMemoryRate{"memoryRate", "W", kByte / kSecond / kChip, "book-roofline"};
inline constexpr Term kNetworkCollective{"networkCollective", "", kOne, "book-sharding",
                                         kNetworkCollectiveNames};
inline constexpr Term kNetworkSteps{"networkSteps", "n_steps", kOne, "book-sharding"};
inline constexpr Term kNetworkBandwidthTime{"networkBandwidthTime", "T_net,bw", kSecond,
                                            "book-sharding"};
inline constexpr Term kNetworkLatencyTime{"networkLatencyTime", "T_net,lat", kSecond,
                                          "book-sharding"};
inline constexpr Term kTileBytes{"tileBytes", "b_tile", kByte, "book-roofline"};
inline constexpr Term kGatherTime{"gatherTime", "T_gather", kSecond, "book-sharding"};
inline constexpr Term kReduceTime{"reduceTime", "T_reduce", kSecond, "book-sharding"};
inline constexpr Term kBetterStrategy{"betterStrategy", "", kOne, "book-sharding", kStrategyNames};
inline constexpr Term kCriticalWays{"criticalWays", "X_crit", kOne, "book-sharding"};

}  // namespace term

/// "What bounds this operation on this chip, or on these chips?"
struct OperationQuestion : QuestionOf<Chip, Model, Mesh, OperationRequest> {
  static constexpr const char* kName = "operation";

  template <class R>
  using Answers =
      Sheet<R, term::kFlops, term::kMemoryBytes, term::kNetworkBytes, term::kMathTime,
            term::kMemoryTime, term::kNetworkTime, term::kCommunicationTime, term::kLowerBound,
            term::kUpperBound, term::kIntensity, term::kCriticalIntensity, term::kNetworkIntensity,
            term::kCriticalNetworkIntensity, term::kBound, term::kAchievedFlops,
            term::kFractionOfPeak, term::kCriticalBatch, term::kExactCriticalBatch,
            term::kHostCriticalBatch, term::kCriticalContraction, term::kComputeRate,
            term::kMemoryRate, term::kNetworkCollective, term::kNetworkSteps,
            term::kNetworkBandwidthTime, term::kNetworkLatencyTime, term::kTileBytes,
            term::kAttentionBlockRows, term::kAttentionPasses, term::kGatherTime, term::kReduceTime,
            term::kBetterStrategy, term::kCriticalWays>;

  /// Groups that the kind of operation does not ask for become harmless.
  static void check_fields(Input& input, Issues& issues);

  static void check_relations(const Typed<double>& input, Issues& issues, Issues& notices);

  template <class R>
  static Answers<R> answer(const Typed<R>& input);
};

}  // namespace scaling
