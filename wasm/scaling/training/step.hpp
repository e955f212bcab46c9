// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "scaling/hardware/roofline.hpp"
#include "scaling/training/launches.hpp"
#include "scaling/training/step_base.hpp"

namespace scaling {

/// The part of a step that takes longest, if each had the chip to itself.
enum class StepBound : std::uint8_t {
  kCompute,
  kMemory,
  kTensor,
  kContext,
  kExpert,
  kData,
  kPipeline,
  kHost,
};
inline constexpr const char* kStepBoundNames[] = {"compute", "memory", "tensor",   "context",
                                                  "expert",  "data",   "pipeline", "host"};

namespace term {

inline constexpr Term kTimeForward{"timeForward", "T_fwd", kSecond, "book-training"};
inline constexpr Term kTimeBackward{"timeBackward", "T_bwd", kSecond, "book-training"};
inline constexpr Term kTimeRecompute{"timeRecompute", "T_again", kSecond, "korthikanti"};
inline constexpr Term kTimeTensor{"timeTensor", "T_tensor", kSecond, "book-training"};
inline constexpr Term kTimeContext{"timeContext", "T_context", kSecond, "engineering-flops"};
inline constexpr Term kTimeExpert{"timeExpert", "T_expert", kSecond, "book-gpus"};
inline constexpr Term kTimeData{"timeData", "T_data", kSecond, "book-training"};
inline constexpr Term kTimePipeline{"timePipeline", "T_pp", kSecond, "book-gpus"};
inline constexpr Term kTimeHost{"timeHost", "T_host", kSecond, "deepspeed"};
inline constexpr Term kTimeLaunch{"timeLaunch", "T_launch", kSecond, "measured-steps"};
inline constexpr Term kTimeOverhead{"timeOverhead", "T_over", kSecond, "measured-steps"};
inline constexpr Term kTimeOptimizer{"timeOptimizer", "T_opt", kSecond, "definition"};
inline constexpr Term kExposedTensor{"exposedTensor", "E_tensor", kSecond, "definition"};
inline constexpr Term kExposedContext{"exposedContext", "E_context", kSecond, "definition"};
inline constexpr Term kExposedExpert{"exposedExpert", "E_expert", kSecond, "definition"};
inline constexpr Term kExposedData{"exposedData", "E_data", kSecond, "definition"};
inline constexpr Term kExposedPipeline{"exposedPipeline", "E_pp", kSecond, "definition"};
inline constexpr Term kExposedHost{"exposedHost", "E_host", kSecond, "definition"};
inline constexpr Term kMicroForward{"microForward", "t_fwd", kSecond, "book-training"};
inline constexpr Term kMicroBackward{"microBackward", "t_bwd", kSecond, "book-training"};
inline constexpr Term kLowerForward{"lowerForward", "t_fwd,lower", kSecond, "book-roofline"};
inline constexpr Term kLowerBackward{"lowerBackward", "t_bwd,lower", kSecond, "book-roofline"};
inline constexpr Term kStepLower = Term{"stepLower", "T_lower", kSecond, "book-roofline"}.of_step();
inline constexpr Term kStepSum{"stepSum", "T_sum", kSecond, "definition"};
inline constexpr Term kStepExpected =
    Term{"stepExpected", "T_step", kSecond, "book-roofline"}.of_step();
inline constexpr Term kKnownLow{"knownLow", "T_low,known", kSecond, "measured-steps"};
inline constexpr Term kKnownHigh{"knownHigh", "T_high,known", kSecond, "measured-steps"};
inline constexpr Term kStepUpper = Term{"stepUpper", "T_upper", kSecond, "book-roofline"}.of_step();
inline constexpr Term kStepLow = Term{"stepLow", "T_low", kSecond, "measured-steps"}.of_step();
inline constexpr Term kStepHigh = Term{"stepHigh", "T_high", kSecond, "measured-steps"}.of_step();
inline constexpr Term kPlanBound{"planBound", "", kOne, "book-roofline", kStepBoundNames};
inline constexpr Term kNextBound{"nextBound", "", kOne, "book-roofline", kStepBoundNames};

}  // namespace term

/// A training step.
template <class R>
struct Step {
  Count<R> micro_batches;
  /// Parts of one step, on the slowest stage, at the rates that are reached.
  Quantity<kSecond, R> forward, backward, recompute;
  Quantity<kSecond, R> tensor, context, expert, data, pipeline, host, optimizer, bubble;
  Quantity<kSecond, R> exposed_tensor, exposed_context, exposed_expert, exposed_data,
      exposed_pipeline, exposed_host;
  Quantity<kSecond, R> launches;  ///< time that waiting for the host's launches adds to the passes
  Quantity<kSecond, R> overhead;  ///< of each step: logging, input, synchronisation
  Quantity<kSecond, R> once, exposed_once;             ///< the part of data that moves once a step
  Quantity<kSecond, R> micro_forward, micro_backward;  ///< of one micro-batch, waiting included
  Quantity<kSecond, R> weights;  ///< the part of micro_backward for weights' gradients
  Quantity<kSecond, R> lower, expected, upper;
  Quantity<kFlop, R> recompute_flops;  ///< of all chips
  Count<R> bound, next_bound;          ///< StepBound
  Intensity<R> intensity;              ///< FLOPs for each byte of HBM, of all kernels of the stage
  StageMemory<R> memory;               ///< of the fullest stage
  Count<R> fullest, slowest;           ///< indices of stages: the slowest sets the pace
};

/// Costs a step under `in.layout`'s sharding and recomputation.
///
/// A micro-batch passes the slowest stage in forward and backward time, each its kernels and what
/// its transfers exceed of the computing that may hide them, context first, then experts, data and
/// tensor ways. A step is m of these, the bubble, and what reduces gradients and updates weights
/// behind them. Lower bound: full rates and perfect overlap, the longest of computing (with its
/// bubble) and each kind of transfer. Upper bound: no overlap, at rates that 19 of 20 steps reach.
/// Source: book ch. 1, 5 and 12; ZeRO 7; SC21 3.
template <class R>
Step<R> finish_step(const StepInput<R>& in, const StepBase<R>& base, const KeptStages<R>& kept);

/// A forward pass alone over the tokens of a step, as for the probabilities of tokens [s]: the
/// micro-batches one behind another, after the first has come through the stages. With chunks, a
/// micro-batch comes to the next stage sooner.
template <class R>
Quantity<kSecond, R> forward_pass(const Step<R>& step, const Layout<R>& layout) {
  const auto filling = (layout.pipeline - Count<R>(R(1))) / layout.virtual_stages;
  return step.micro_forward * (step.micro_batches + filling);
}

/// Transfers of a stage's states beside the passes of each micro-batch.
template <class R>
struct PassTransfers {
  Timed<R> forward, back;
};

/// Transfers of a sharding, which gathers weights for each pass, or reduces gradients behind each.
template <class R>
PassTransfers<R> pass_transfers(StateSharding sharding, const StepBase<R>& base,
                                const StageCost<R>& cost);

/// The times of a step that a search goes by.
template <class R>
struct StepTimes {
  Quantity<kSecond, R> lower, expected;
};

/// The same as of finish_step, to the bit.
template <class R>
StepTimes<R> step_times(const StepInput<R>& in, const StepBase<R>& base, const KeptStages<R>& kept);

/// The seconds that 9 of 10 measured steps would lie between of which `step` is predicted from
/// measured rates. Kernels are the surest part of it.
template <class R>
struct StepBand {
  Quantity<kSecond, R> low, high;
};

template <class R>
StepBand<R> step_band(const StepInput<R>& in, const Step<R>& step);

/// The bytes that 9 of 10 chips of published trainings would lie between of which `memory` is
/// predicted. No chip holds less than its states.
template <class R>
struct MemoryBand {
  Quantity<kByte, R> low, high;
};

template <class R>
MemoryBand<R> memory_band(const StepInput<R>& in, const StageMemory<R>& memory);

/// The place of `limit` beside the memory that has to fit and the most that is likely: it is
/// `kTight` between them.
enum class MemoryState : std::uint8_t { kOver, kTight, kFits };
inline constexpr const char* kMemoryStateNames[] = {"over", "tight", "fits"};

/// MemoryState, as a number.
template <class R>
Count<R> memory_state(Quantity<kByte, R> limit, Quantity<kByte, R> allocated,
                      Quantity<kByte, R> high) {
  return Count<R>(R(2)) - choose_if_below(limit, allocated, 1) - choose_if_below(limit, high, 1);
}

/// Bytes that a stage could drop of each kind of tensor, by Dropped: of its dense and sparse layers
/// on average, as the same kinds go in both.
std::array<DropOption, kDroppedKinds> drop_options(const StepBase<double>& base,
                                                   const Stage<double>& stage);

/// state_memory of each stage of a base, by its place there.
using StageStates = std::array<StateMemory<double>, kStagesCosted>;

/// The bytes of each stage of a base, by its place there [B].
using StageBytes = std::array<double, kStagesCosted>;

StageBytes stage_bytes(const StepInput<double>& in, const StepBase<double>& base,
                       const StageStates& states, const KeptStages<double>& kept);

/// The shares that `in.layout.recompute` drops: with kCheapest, so much that the stage that lacks
/// most fits `limit`, if that can be; else nothing. Sets `kept` to what they leave.
DroppedShares choose_dropped(const StepInput<double>& in, const StepBase<double>& base,
                             Quantity<kByte, double> limit, KeptStages<double>& kept);

/// The same, of a base whose states are counted; `whole` is what stages hold if nothing is dropped.
DroppedShares choose_dropped(const StepInput<double>& in, const StepBase<double>& base,
                             const StageStates& states, const StageBytes& whole,
                             Quantity<kByte, double> limit, KeptStages<double>& kept);

}  // namespace scaling
