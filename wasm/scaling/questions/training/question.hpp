// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/hardware/chip_hour.hpp"
#include "scaling/input/chip.hpp"
#include "scaling/input/model.hpp"
#include "scaling/input/question.hpp"
#include "scaling/input/run.hpp"
#include "scaling/model/tower.hpp"
#include "scaling/training/parallel_limits.hpp"
#include "scaling/training/training_flops.hpp"
#include "scaling/training/training_memory.hpp"

namespace scaling {

namespace term {

inline constexpr Term kShareFeedForward =
    Term{"shareFeedForward", "P_ffn/P", kOne, "book-applied-training"}.in_percent();
inline constexpr Term kShareAttention =
    Term{"shareAttention", "P_attn/P", kOne, "book-applied-training"}.in_percent();
inline constexpr Term kShareVocabulary =
    Term{"shareVocabulary", "P_vocab/P", kOne, "book-applied-training"}.in_percent();
inline constexpr Term kRowsPerWeight{"rowsPerWeight", "B_local", kToken, "book-transformers"};
inline constexpr Term kMatmulBound{"matmulBound", "", kOne, "book-roofline", kBoundNames};
inline constexpr Term kFsdpBound{"fsdpBound", "", kOne, "book-training", kBoundNames};
inline constexpr Term kMixedBound{"mixedBound", "", kOne, "book-training", kBoundNames};
inline constexpr Term kSliceBound{"sliceBound", "", kOne, "book-training", kBoundNames};

}  // namespace term

/// "Train this model on so many of these chips": what it takes.
struct TrainingQuestion : QuestionOf<Chip, Model, Run> {
  static constexpr const char* kName = "training";

  template <class R>
  using Answers =
      Sheet<R, term::kParametersFeedForward, term::kParametersAttention,
            term::kParametersVocabulary, term::kParametersNorms, term::kParametersRouter,
            term::kParametersPositions, term::kComputedParameters, term::kComputedActiveParameters,
            term::kMatmulParameters, term::kMtpParameters, term::kTowerParameters,
            term::kParameters, term::kActiveParameters, term::kShareFeedForward,
            term::kShareAttention, term::kShareVocabulary, term::kKvCachePerToken,
            // FLOPs and time
            term::kForwardFlopsPerToken, term::kTrainingFlopsPerToken, term::kSixNFlopsPerToken,
            term::kExactFlopsPerToken, term::kMfuExact, term::kRematFlopsPerToken,
            term::kTotalFlops, term::kOneChipTokenTime, term::kOneChipTime, term::kTrainingTime,
            term::kSteps, term::kStepTime, term::kTokensPerSecond, term::kChipHours,
            term::kChipHourPrice, term::kCost, term::kEnergy,
            // memory
            term::kBytesPerParameter, term::kWeightMemory, term::kGradientMemory,
            term::kOptimizerMemory, term::kCheckpointMemory, term::kTotalMemory,
            term::kWeightsPerChip, term::kGradientsPerChip, term::kOptimizerPerChip,
            term::kCheckpointsPerChip, term::kMemoryPerChip, term::kMemoryFraction,
            term::kMemoryLeft, term::kFractionalMinimumChips, term::kMinimumChips,
            term::kTimeOnMinimum,
            // bounds
            term::kBound, term::kMatmulBound, term::kRowsPerWeight, term::kIntensity,
            term::kCriticalIntensity, term::kFractionOfPeak, term::kCriticalBatch,
            term::kExactCriticalBatch, term::kTokensEachChip, term::kSequences,
            term::kFsdpThreshold, term::kFsdpMaximumChips, term::kFsdpBound, term::kMixedThreshold,
            term::kMixedMaximumChips, term::kMixedBound, term::kTensorLimit, term::kOptimalData,
            term::kOptimalTensor, term::kMeshData, term::kMeshTensor, term::kTokensEachSlice,
            term::kSliceThreshold, term::kSliceBound>;

  static constexpr const Term* kFirst[] = {&term::kTrainingTime,   &term::kBound,
                                           &term::kMemoryPerChip,  &term::kCost,
                                           &term::kTokensEachChip, &term::kMinimumChips};

  /// Checks how the fields fit together. Issues stop the answer, notices do not.
  static void check_relations(const Typed<double>& input, Issues& issues, Issues& notices);

  template <class R>
  static Answers<R> answer(const Typed<R>& input);

  /// Adds what only the answers show: an MFU that cannot be.
  static void check_answers(const Answers<double>& answers, Issues& notices) {
    const auto exact = answers.get<term::kMfuExact>();
    if (!exact.present() || exact.value.value() <= 1) return;
    notices.add(IssueCode::kMfuAbovePeak, Run<double>::kGroup, "mfu", exact.value.value());
  }
};

}  // namespace scaling
