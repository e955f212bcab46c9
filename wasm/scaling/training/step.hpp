// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "scaling/hardware/placement.hpp"
#include "scaling/training/step_memory.hpp"

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

inline constexpr Term kMicroBatches{"microBatches", "m", kOne, "sc21"};
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
inline constexpr Term kStageForward{"stageForward", "t_stage", kSecond, "book-training"};
inline constexpr Term kStageBackward{"stageBackward", "t_bwd,stage", kSecond, "book-training"};
inline constexpr Term kTensorTransfer{"tensorTransfer", "t_tensor", kSecond, "korthikanti"};
inline constexpr Term kContextTransfer{"contextTransfer", "t_context", kSecond,
                                       "engineering-flops"};
inline constexpr Term kExpertTransfer{"expertTransfer", "t_expert", kSecond, "book-gpus"};
inline constexpr Term kHopTime{"hopTime", "t_hop,stage", kSecond, "book-gpus"};
inline constexpr Term kGatherTransfer{"gatherTransfer", "t_gather", kSecond, "zero"};
inline constexpr Term kScatterTransfer{"scatterTransfer", "t_scatter", kSecond, "zero"};
inline constexpr Term kReduceTransfer{"reduceTransfer", "t_reduce", kSecond, "zero"};
inline constexpr Term kLowerForward{"lowerForward", "t_fwd,lower", kSecond, "book-roofline"};
inline constexpr Term kLowerBackward{"lowerBackward", "t_bwd,lower", kSecond, "book-roofline"};
inline constexpr Term kStepLower{"stepLower", "T_lower", kSecond, "book-roofline"};
inline constexpr Term kStepExpected{"stepExpected", "T_step", kSecond, "book-roofline"};
inline constexpr Term kStepUpper{"stepUpper", "T_upper", kSecond, "book-roofline"};
inline constexpr Term kStepLow{"stepLow", "T_low", kSecond, "measured-steps"};
inline constexpr Term kStepHigh{"stepHigh", "T_high", kSecond, "measured-steps"};
inline constexpr Term kPlanBound{"planBound", "", kOne, "book-roofline", kStepBoundNames};
inline constexpr Term kNextBound{"nextBound", "", kOne, "book-roofline", kStepBoundNames};

}  // namespace term

/// A transfer's time at full bandwidth and at that which is reached [s].
template <class R>
struct Timed {
  Quantity<kSecond, R> lower{}, expected{};

  friend Timed operator+(const Timed& a, const Timed& b) {
    return {a.lower + b.lower, a.expected + b.expected};
  }
  friend Timed operator*(Count<R> n, const Timed& a) { return {n * a.lower, n * a.expected}; }
};

/// Gives the time that is expected its name.
template <const Term& kTerm, class R>
Timed<R> named(Timed<R> timed) {
  timed.expected = scaling::named<kTerm>(timed.expected);
  return timed;
}

/// Times of one micro-batch, or of one step, on a stage, but for those that depend on sharding and
/// recomputation.
template <class R>
struct StageCost {
  Stage<R> stage;
  Work<R> forward, backward;
  Timed<R> tensor, context, context_backward,
      expert;         ///< forward pass; backward costs the same except context
  Timed<R> regather;  ///< backward, of inputs that sequence parallelism has divided
  Quantity<kSecond, R> weights_lower, weights_expected;  ///< backward, for gradients of weights
  /// Transfers of all states, once a step: weight AllGather, gradient ReduceScatter, gradient
  /// AllReduce.
  Timed<R> gather, scatter, reduce;
  Timed<R> replicas;  ///< of shares of gradients: across groups and slices
  TransientMemory<R> transient;
};

/// The average cost of a layer, over all layers or over those of a stage.
template <class R>
struct LayerCost {
  LayerWork<R> work;
  LayerActivations<R> dense_activations, sparse_activations;
  Timed<R> context;  ///< forward
};

/// All that a layout's step comes from but sharding and recomputation. Made once, it serves all
/// that differ in these: see `finish_step`.
template <class R>
struct StepBase : LayerCost<R> {
  Count<R> micro_batches;
  Timed<R> dense_tensor, sparse_tensor, expert;  ///< of one layer forward
  Timed<R> dense_regather, sparse_regather;      ///< of one layer backward
  Timed<R> hop;                                  ///< to the next stage
  ShardWays<R> ways;
  std::array<StageCost<R>, kStagesCosted> stages;
  std::size_t stage_count;
  /// The layer cost of each stage that differs: see Stage::own.
  std::array<LayerCost<R>, kStagesCosted> own;

  const LayerCost<R>& layers_of(const Stage<R>& stage) const {
    return stage.own == 0 ? *this : own[stage.own - 1];
  }
};

/// The activations that recomputation keeps of a layer, on average over all layers or over those of
/// a stage.
template <class R>
struct KeptLayers {
  Kept<R> dense, sparse;
};

template <class R>
struct KeptStages : KeptLayers<R> {
  std::array<KeptLayers<R>, kStagesCosted> own;

  const KeptLayers<R>& of(const Stage<R>& stage) const {
    return stage.own == 0 ? *this : own[stage.own - 1];
  }
};

/// The activations that `in.layout.recompute` keeps of each stage's layers; see keep.
template <class R>
KeptStages<R> keep_layers(const StepInput<R>& in, const StepBase<R>& base,
                          const DroppedShares& dropped);

/// Micro-batches of the busiest replica: those of the batch, rounded up.
template <class R>
Count<R> count_micro_batches(const TrainingJob<R>& run, const Degrees<R>& layout);

/// The transfers of `in.layout` at `placement`: where rates are measured, also as they reach.
template <class R>
StepTransfers<R> step_transfers(const StepInput<R>& in, const Placement& placement);

// A StepBase is made in steps, so that a search repeats only those that a change asks for.

/// Begins with the stages of `in.layout`, whatever its micro-batch and number of chunks.
template <class R>
void set_stages(StepBase<R>& base, const StepInput<R>& in, const Placement& placement);

/// Prices the collectives of the stages' states, of which `set_stages` made the parameters.
template <class R>
void set_states(StepBase<R>& base, const StepInput<R>& in, const StepTransfers<R>& transfers,
                const Placement& placement);

/// Counts micro-batches, and prices what a layer takes of one and what goes from stage to stage;
/// `work` is layer_work of the same layout, `transfers` those of its placement. Sets all but the
/// work of the layers of stages that differ: see set_own_work.
template <class R>
void set_layers(StepBase<R>& base, const StepInput<R>& in, const LayerWork<R>& work,
                const StepTransfers<R>& transfers);

/// Prices the kernels of the layers of each stage, where these differ.
template <class R>
void set_own_work(StepBase<R>& base, const StepInput<R>& in);

/// Counts all that takes memory beside the states, of as many micro-batches as there are.
template <class R>
void set_activations(StepBase<R>& base, const StepInput<R>& in);

/// Prices the passes of a micro-batch through each stage; `ends` is ends_work of the same layout.
template <class R>
void set_passes(StepBase<R>& base, const StepInput<R>& in, const EndsWork<R>& ends);

/// All of them.
template <class R>
StepBase<R> make_step_base(const StepInput<R>& in, const LayerWork<R>& work,
                           const EndsWork<R>& ends, const StepTransfers<R>& transfers,
                           const Placement& placement);

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
  StageMemory<R> memory;               ///< of the fullest stage
  Count<R> fullest;                    ///< its index
};

/// Costs a step under `in.layout`'s sharding and recomputation.
///
/// A micro-batch passes the slowest stage in forward and backward time, each its kernels and what
/// its transfers exceed of the computing that may hide them, context first, then experts, data and
/// tensor ways. A step is m of these, the bubble, and what reduces gradients and updates weights
/// behind them. Lower bound: full rates and perfect overlap, the longest of computing (with its
/// bubble) and each kind of transfer. Upper bound: reached rates and no overlap.
/// Source: book ch. 1, 5 and 12; ZeRO 7; SC21 3.
template <class R>
Step<R> finish_step(const StepInput<R>& in, const StepBase<R>& base, const KeptStages<R>& kept);

/// Time of the host to launch the kernels of one micro-batch on a stage, without recomputation
/// [s]; none where it does not count.
template <class R>
Quantity<kSecond, R> launch_time(const StepInput<R>& in, const Stage<R>& stage);

/// The times of a step that a search goes by.
template <class R>
struct StepTimes {
  Quantity<kSecond, R> lower, expected;
};

/// The same as of finish_step, to the bit.
template <class R>
StepTimes<R> step_times(const StepInput<R>& in, const StepBase<R>& base, const KeptStages<R>& kept);

/// The seconds that 9 of 10 measured steps of such a model would lie between, where `expected` is
/// the prediction from measured rates.
template <class R>
struct StepBand {
  Quantity<kSecond, R> low, high;
};

template <class R>
StepBand<R> step_band(const StepInput<R>& in, Quantity<kSecond, R> expected);

/// Bytes that a stage could drop of each kind of tensor, by Dropped: of its dense and sparse layers
/// on average, as the same kinds go in both.
std::array<DropOption, kDroppedKinds> drop_options(const StepBase<double>& base,
                                                   const Stage<double>& stage);

/// The shares that `in.layout.recompute` drops: with kCheapest, so much that the stage that lacks
/// most fits `limit`, if that can be; else nothing.
DroppedShares choose_dropped(const StepInput<double>& in, const StepBase<double>& base,
                             Quantity<kByte, double> limit);

}  // namespace scaling
