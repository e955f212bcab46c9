// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/hardware/collective.hpp"
#include "scaling/hardware/roofline.hpp"
#include "scaling/input/chip.hpp"
#include "scaling/input/mesh.hpp"
#include "scaling/input/model.hpp"
#include "scaling/input/question.hpp"
#include "scaling/model/attention.hpp"
#include "scaling/model/request_kernels.hpp"

namespace scaling {

/// The collective of a sharded matmul that takes the longest; its first value is none.
inline constexpr const char* kNetworkCollectiveNames[] = {"none", "allGather", "reduceScatter",
                                                          "allReduce"};

/// Strategies for weights divided along the contraction: gather them, or reduce the result.
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

/// The collectives of a sharded matmul, at most two in a pass, in order.
template <class R>
class OperandCollectives {
 public:
  void add(CollectiveKind kind, Quantity<kByte, R> bytes) {
    CollectiveRequest<R>& request = items_[size_++];
    request.kind = kind;
    request.bytes = bytes;
  }
  std::span<const CollectiveRequest<R>> items() const { return std::span(items_).first(size_); }

 private:
  std::array<CollectiveRequest<R>, 4> items_{};
  std::size_t size_ = 0;
};

/// "What bounds this operation on this chip, or on these chips?"
struct OperationQuestion : QuestionOf<Chip, Model, Mesh, OperationRequest> {
  static constexpr const char* kName = "operation";

  /// Some kinds of operations have sizes of their own instead of a model's, and only one a mesh.
  static constexpr GroupCondition kGroupConditions[] = {
      {Model<double>::kGroup, &field_of<OperationRequest>("kind"), kinds_with(kAsksModel)},
      {Mesh<double>::kGroup, &field_of<OperationRequest>("kind"), kinds_with(kAsksMesh)},
  };

  template <class R>
  using Answers =
      Sheet<R, term::kFlops, term::kMemoryBytes, term::kNetworkBytes, term::kMathTime,
            term::kMemoryTime, term::kNetworkTime, term::kCommunicationTime, term::kLowerBound,
            term::kUpperBound, term::kTimeExpected, term::kIntensity, term::kCriticalIntensity,
            term::kNetworkIntensity, term::kCriticalNetworkIntensity, term::kBound,
            term::kAchievedFlops, term::kFractionOfPeak, term::kCriticalBatch,
            term::kExactCriticalBatch, term::kHostCriticalBatch, term::kCriticalContraction,
            term::kComputeRate, term::kMemoryRate, term::kNetworkCollective, term::kNetworkSteps,
            term::kNetworkBandwidthTime, term::kNetworkLatencyTime, term::kTileBytes,
            term::kAttentionBlockRows, term::kAttentionPasses, term::kGatherTime, term::kReduceTime,
            term::kBetterStrategy, term::kCriticalWays>;

  static constexpr const Term* kFirst[] = {&term::kLowerBound, &term::kBound};
  static constexpr AnswerBound kBounds[] = {
      {&term::kLowerBound, BoundKind::kLower, &term::kTimeExpected}};

  /// Groups that the kind of operation does not ask for become harmless.
  static void check_fields(Input& input, Issues& issues);

  static void check_relations(const Typed<double>& input, Issues& issues, Issues& notices);

  template <class R>
  static Answers<R> answer(const Typed<R>& input);
};

/// The kernels of a request, one after another.
template <class R>
void add_kernels(Operations<R>& list, const OperationQuestion::Typed<R>& in);

/// Transfers of a sharded matmul. Forward, the four cases of chapter 3: a contraction that only one
/// operand divides is gathered; if both do, partial sums are reduced; an axis can divide one
/// dimension of the result only. Backward their transposes: gathers become reductions, and what was
/// gathered forward, and not kept, is gathered again.
template <class R>
OperandCollectives<R> operand_collectives(const OperationRequest<R>& request);

/// The source of the expected time, from the request and its lower bound; none in modules that do
/// without (answer_expected_times).
template <class R>
inline Maybe<Quantity<kSecond, R>> (*expected_operation)(
    const OperationQuestion::Typed<R>&, const Maybe<Quantity<kSecond, R>>&) = nullptr;

}  // namespace scaling
