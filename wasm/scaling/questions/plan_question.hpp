// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/issue.hpp"
#include "scaling/training/reliability.hpp"
#include "scaling/input/search_space.hpp"
#include "scaling/quantity/sheet.hpp"
#include "scaling/training/step.hpp"
#include "scaling/training/training.hpp"

namespace scaling {

inline constexpr const char* kFitsNames[] = {"no", "yes"};

namespace term {

inline constexpr Term kDataWays{"dataWays", "d", kOne, "definition"};
inline constexpr Term kShardWaysTerm{"shardWays", "n_shard", kOne, "zero"};
inline constexpr Term kMicroTokens{"microTokens", "b T/c", kToken, "definition"};
inline constexpr Term kFullestStage{"fullestStage", "i_full", kOne, "definition"};
inline constexpr Term kFits{"fits", "", kOne, "definition", kFitsNames};
inline constexpr Term kMfu{"mfu", "MFU", kOne, "korthikanti"};
inline constexpr Term kHfu{"hfu", "HFU", kOne, "korthikanti"};
inline constexpr Term kTokensPerSecondPerChip{"tokensPerSecondPerChip", "B/(n T_step)",
                                              kToken / kSecond / kChip, "definition"};
inline constexpr Term kWallTime{"wallTime", "T_wall", kSecond, "young-daly"};
inline constexpr Term kWallCost{"wallCost", "cost_wall", kDollar, "young-daly"};

}  // namespace term

/// "How do I split this training?": what one layout comes to.
struct PlanQuestion {
  static constexpr const char* kName = "plan";

  struct Input {
    Raw<Chip> chip;
    Raw<Model> model;
    Raw<Run> run;
    Raw<Layout> layout;
    Raw<Assumptions> assumptions;
    Raw<SearchSpace> search;
  };

  static constexpr std::span<const FieldInfo> kGroups[] = {
      kFields<Chip>,   kFields<Model>,       kFields<Run>,
      kFields<Layout>, kFields<Assumptions>, kFields<SearchSpace>};
  static std::array<std::span<double>, 6> groups(Input& in) {
    return {in.chip.values,   in.model.values,       in.run.values,
            in.layout.values, in.assumptions.values, in.search.values};
  }

  template <class R>
  struct Groups {
    Chip<R> chip;
    Model<R> model;
    Run<R> run;
    Layout<R> layout;
    Assumptions<R> assumptions;
    SearchSpace<R> search;

    StepInput<R> step() const { return {chip, model, run, layout, assumptions}; }
  };

  /// Where a layout lies and what it computes again is chosen on plain numbers.
  template <class R>
  struct Typed : Groups<R> {
    Groups<double> plain;
  };

  template <class R>
  using Answers = Sheet<
      R, term::kDataWays, term::kShardWaysTerm, term::kMicroBatches, term::kMicroTokens,
      term::kLayersPerStage, term::kInFlight, term::kDomains, term::kDomainUsed, term::kDomainIdle,
      // memory of the fullest chip
      term::kMemoryUsed, term::kMemoryLimit, term::kMemoryRoom, term::kFits, term::kFullestStage,
      term::kMemoryParameters, term::kMemoryGradients, term::kMemoryOptimizer,
      term::kMemoryActivations, term::kMemoryWorking, term::kMemoryLogits, term::kMemoryBuffers,
      term::kMemoryOverhead, term::kLayerActivations, term::kOptimizerBytes,
      // time of a step
      term::kStepExpected, term::kStepLower, term::kStepUpper, term::kPlanBound, term::kNextBound,
      term::kTimeForward, term::kTimeBackward, term::kTimeRecompute, term::kTimeTensor,
      term::kTimeContext, term::kTimeExpert, term::kTimeData, term::kTimePipeline, term::kTimeHost,
      term::kTimeOptimizer, term::kBubbleTime, term::kExposedTensor, term::kExposedContext,
      term::kExposedExpert, term::kExposedData, term::kExposedPipeline, term::kExposedHost,
      term::kMicroForward, term::kMicroBackward,
      // what it comes to
      term::kMfu, term::kMfuExact, term::kHfu, term::kTokensPerSecond,
      term::kTokensPerSecondPerChip, term::kTrainingFlopsPerToken, term::kExactFlopsPerToken,
      term::kSteps, term::kTrainingTime, term::kChipHours, term::kCost, term::kEnergy,
      // a long run
      term::kFailuresPerDay, term::kJobMttf, term::kCheckpointBytes, term::kCheckpointTime,
      term::kCheckpointInterval, term::kGoodput, term::kWallTime, term::kWallCost>;

  static void check_fields(Input& input, Issues& issues);

  template <class R>
  static Typed<R> read(const Input& input);

  static void check_relations(const Typed<double>& input, Issues& issues, Issues& notices);

  /// The part of the checks that no layout can mend.
  static void check_machine(const Groups<double>& in, Issues& issues);

  /// Whether a layout fits model and chips.
  static bool fits_together(const Groups<double>& in);

  template <class R>
  static Answers<R> answer(const Typed<R>& input);

  /// Adds what only the answers show: an MFU that cannot be.
  static void check_answers(const Answers<double>& answers, Issues& notices);
};

/// What a step does for the model, and all chips' peak: what MFU counts by.
template <class R>
struct StepYield {
  Quantity<kFlop / kToken, R> flops_per_token;  ///< by the rule that the run chooses
  Quantity<kFlop / kToken, R> exact_per_token;  ///< each matmul, with attention
  Quantity<kToken, R> tokens;
  Quantity<kFlop / kSecond, R> peak;

  Quantity<kFlop, R> flops() const { return flops_per_token * tokens; }
  /// In a step of `time`. Source: Korthikanti et al., without what is computed again.
  Count<R> mfu(Quantity<kSecond, R> time) const { return flops() / (peak * time); }
  /// The same of what is computed, attention counted: never above 1. Source: Megatron-LM.
  Count<R> mfu_exact(Quantity<kSecond, R> time) const {
    return exact_per_token * tokens / (peak * time);
  }
  Quantity<kToken / kSecond, R> speed(Quantity<kSecond, R> time) const { return tokens / time; }
};

template <class R>
StepYield<R> step_yield(const PlanQuestion::Groups<R>& in);

/// What is chosen of a layout before it is costed.
struct LayoutChoice {
  Placement placement;
  DroppedShares dropped;
};

/// The placement with the shortest expected step, and what to compute again. The layout is one that
/// PlanQuestion's checks have found no fault with.
LayoutChoice choose_for_layout(const PlanQuestion::Groups<double>& in);

/// What a layer (one with experts, if the model has them) keeps of a micro-batch, by tensor, once
/// `dropped` is.
template <class R>
LayerActivations<R> kept_of_layer(const PlanQuestion::Groups<R>& in, const DroppedShares& dropped);

/// A step of `in` as `choice` has it.
template <class R>
Step<R> cost_step(const PlanQuestion::Groups<R>& in, const LayoutChoice& choice);

}  // namespace scaling
