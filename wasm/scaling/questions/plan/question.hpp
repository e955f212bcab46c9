// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/hardware/chip_hour.hpp"
#include "scaling/input/question.hpp"
#include "scaling/search/search_input.hpp"
#include "scaling/training/layout_choice.hpp"
#include "scaling/training/reliability.hpp"
#include "scaling/training/step_yield.hpp"
#include "scaling/training/tuning.hpp"

namespace scaling {

inline constexpr const char* kFitsNames[] = {"no", "yes"};

namespace term {

inline constexpr Term kDataWays{"dataWays", "d", kOne, "definition"};
inline constexpr Term kSequenceSlots{"sequenceSlots", "n_slots", kOne, "definition"};
inline constexpr Term kIdleSlots{"idleSlots", "n_slots,idle", kOne, "definition"};
inline constexpr Term kMicroTokens{"microTokens", "b T/c", kToken, "definition"};
inline constexpr Term kMemoryStateTerm{"memoryState", "", kOne, "measured-steps",
                                       kMemoryStateNames};
inline constexpr Term kFullestLayers{"fullestLayers", "L_full", kOne, "definition"};
inline constexpr Term kSlowestStage{"slowestStage", "i_slow", kOne, "definition"};
inline constexpr Term kFullestStage{"fullestStage", "i_full", kOne, "definition"};
inline constexpr Term kFits{"fits", "", kOne, "definition", kFitsNames};
inline constexpr Term kMfu = Term{"mfu", "MFU", kOne, "korthikanti"}.in_percent();
inline constexpr Term kHfu = Term{"hfu", "HFU", kOne, "korthikanti"}.in_percent();
inline constexpr Term kTokensPerSecondPerChip{"tokensPerSecondPerChip", "B/(n T_step)",
                                              kToken / kSecond / kChip, "definition"};
inline constexpr Term kWallTime{"wallTime", "T_wall", kSecond, "young-daly"};
inline constexpr Term kWallChipHours{"wallChipHours", "h_wall", kChip* kHour, "young-daly"};
inline constexpr Term kWallCost{"wallCost", "cost_wall", kDollar, "young-daly"};

}  // namespace term

/// "How do I split this training?": what one layout comes to.
struct PlanQuestion : QuestionOf<Chip, Model, Run, Layout, Stack, Assumptions, SearchSpace> {
  static constexpr const char* kName = "plan";

  /// Placement and recomputation are chosen on plain numbers.
  template <class R>
  struct Typed : SearchInput<R> {
    SearchInput<double> plain;
  };

  template <class R>
  using Answers = Sheet<
      R, term::kDataWays, term::kShardWaysTerm, term::kMicroBatches, term::kMicroTokens,
      term::kSequenceSlots, term::kIdleSlots, term::kLayersPerStage, term::kInFlight,
      term::kDomains, term::kDomainUsed, term::kDomainIdle,
      // the block of a torus
      term::kSliceAlongX, term::kSliceAlongY, term::kSliceAlongZ, term::kTensorAlongX,
      term::kTensorAlongY, term::kTensorAlongZ, term::kContextAlongX, term::kContextAlongY,
      term::kContextAlongZ, term::kDataAlongX, term::kDataAlongY, term::kDataAlongZ,
      term::kPipelineAlongX, term::kPipelineAlongY, term::kPipelineAlongZ, term::kSliceShapeX,
      term::kSliceShapeY, term::kSliceShapeZ,
      // memory of the fullest chip
      term::kMemoryUsed, term::kMemoryLow, term::kMemoryHigh, term::kMemoryLimit, term::kMemoryRoom,
      term::kFits, term::kMemoryStateTerm, term::kFullestStage, term::kSlowestStage,
      term::kFullestLayers, term::kMemoryParameters, term::kMemoryGradients, term::kMemoryOptimizer,
      term::kMemoryActivations, term::kMemoryWorking, term::kMemoryLogits, term::kMemoryBuffers,
      term::kMemoryOverhead, term::kMemoryAllocator, term::kLayerActivations, term::kOptimizerBytes,
      // computed again
      term::kAgainNorms, term::kAgainProduct, term::kAgainQkv, term::kAgainAttention,
      term::kAgainHidden, term::kAgainMiddle, term::kAgainResults,
      // time of a step
      term::kStepExpected, term::kStepLower, term::kStepUpper, term::kStepLow, term::kStepHigh,
      term::kPlanBound, term::kNextBound, term::kIntensity, term::kCriticalIntensity,
      term::kTimeForward, term::kTimeBackward, term::kTimeRecompute, term::kTimeTensor,
      term::kTimeContext, term::kTimeExpert, term::kTimeData, term::kTimePipeline, term::kTimeHost,
      term::kTimeLaunch, term::kTimeOverhead, term::kTimeOptimizer, term::kBubbleTime,
      term::kExposedTensor, term::kExposedContext, term::kExposedExpert, term::kExposedData,
      term::kExposedPipeline, term::kExposedHost, term::kMicroForward, term::kMicroBackward,
      // what it comes to
      term::kMfu, term::kMfuExact, term::kHfu, term::kTokensPerSecond,
      term::kTokensPerSecondPerChip, term::kTrainingFlopsPerToken, term::kExactFlopsPerToken,
      term::kSteps, term::kTrainedParameters, term::kTrainingTime, term::kChipHours,
      term::kChipHourPrice, term::kCost, term::kEnergy,
      // a long run
      term::kFailuresPerDay, term::kJobMttf, term::kSaveBytes, term::kSaveTime, term::kSaveInterval,
      term::kGoodput, term::kWallTime, term::kWallChipHours, term::kWallCost>;

  static constexpr const Term* kFirst[] = {
      &term::kMemoryUsed, &term::kStepExpected, &term::kPlanBound, &term::kMfu,
      &term::kWallTime,   &term::kWallCost,     &term::kGoodput};
  static constexpr AnswerBound kBounds[] = {
      {&term::kStepLow, BoundKind::kLow, &term::kStepExpected},
      {&term::kStepHigh, BoundKind::kHigh, &term::kStepExpected},
      {&term::kStepLower, BoundKind::kLower, &term::kStepExpected},
      {&term::kStepUpper, BoundKind::kUpper, &term::kStepExpected},
      {&term::kMemoryLow, BoundKind::kLow, &term::kMemoryUsed},
      {&term::kMemoryHigh, BoundKind::kHigh, &term::kMemoryUsed}};

  template <class R>
  static Typed<R> read(const Input& input);

  static void check_relations(const Typed<double>& input, Issues& issues, Issues& notices);

  template <class R>
  static Answers<R> answer(const Typed<R>& input);

  /// Adds what only the answers show: an MFU that cannot be.
  static void check_answers(const Answers<double>& answers, Issues& notices);
};

}  // namespace scaling
