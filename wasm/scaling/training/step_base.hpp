// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "scaling/hardware/transfer.hpp"
#include "scaling/training/step_memory.hpp"

namespace scaling {

namespace term {

inline constexpr Term kMicroBatches{"microBatches", "m", kOne, "sc21"};
inline constexpr Term kStageForward{"stageForward", "t_stage", kSecond, "book-training"};
inline constexpr Term kStageBackward{"stageBackward", "t_bwd,stage", kSecond, "book-training"};
inline constexpr Term kTensorTransfer{"tensorTransfer", "t_tensor", kSecond, "korthikanti"};
inline constexpr Term kContextTransfer{"contextTransfer", "t_context", kSecond,
                                       "engineering-flops"};
inline constexpr Term kExpertTransfer{"expertTransfer", "t_expert", kSecond, "book-gpus"};
inline constexpr Term kHopTime{"hopTime", "t_hop,stage", kSecond, "book-gpus"};
inline constexpr Term kGatherTransfer{"gatherTransfer", "t_gather", kSecond, "zero"};
inline constexpr Term kRenewalTransfer{"renewalTransfer", "t_renewal", kSecond, "zero"};
inline constexpr Term kScatterTransfer{"scatterTransfer", "t_scatter", kSecond, "zero"};
inline constexpr Term kReduceTransfer{"reduceTransfer", "t_reduce", kSecond, "zero"};

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
  Timed<R> tensor, context, expert;  ///< forward
  Timed<R> tensor_backward, context_backward, expert_backward;
  Timed<R> context_again;                                ///< of what is computed again backward
  Quantity<kSecond, R> weights_lower, weights_expected;  ///< backward, for gradients of weights
  /// Transfers of all states, once a step: weight AllGather, gradient ReduceScatter, gradient
  /// AllReduce.
  Timed<R> gather, scatter, reduce;
  Timed<R> gather_back;  ///< weights for the backward pass
  Timed<R> renewal;      ///< AllGather of the weights that an update has changed
  Timed<R> replicas;     ///< of shares of gradients: across groups and slices
  TransientMemory<R> transient;
};

/// The average cost of a layer, over all layers or over those of a stage.
template <class R>
struct LayerCost {
  LayerWork<R> work;
  LayerActivations<R> dense_activations, sparse_activations;
  Timed<R> context;  ///< forward
};

/// The basis of a layout's step, without sharding and recomputation. Made once, it serves all
/// that differ in these: see `finish_step`.
template <class R>
struct StepBase : LayerCost<R> {
  Count<R> micro_batches;
  Timed<R> dense_tensor, sparse_tensor, expert;  ///< of one layer forward
  Timed<R> dense_regather, sparse_regather;      ///< of one layer backward
  Timed<R> hop;                                  ///< to the next stage
  Timed<R> tower_tensor{};                       ///< of a tower forward
  LayerSums<R> sums;
  ShardWays<R> ways;
  std::array<StageCost<R>, kStagesCosted> stages;
  std::size_t stage_count;
  /// The layer cost of each stage that differs, and of the part of it that is passed through on the
  /// way back: see Stage::own.
  std::array<LayerCost<R>, kOwnLayers> own;
  /// Whether some stages have no backward pass; and what is then left of those of a bubble.
  bool some_end = false;
  Count<R> returns;

  template <template <class> class Part>
  const LayerCost<R>& layers_of(const Part<R>& part) const {
    return part.own == 0 ? *this : own[part.own - 1];
  }

  /// The passes that a bubble is made of.
  PassTimes<R> in_bubble(const PassTimes<R>& times) const {
    return some_end ? passes_back(times, returns) : times;
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
  std::array<KeptLayers<R>, kOwnLayers> own;

  const KeptLayers<R>& of(const Stage<R>& stage) const {
    return stage.back.own == 0 ? *this : own[stage.back.own - 1];
  }
};

/// The activations that `in.layout.recompute` keeps of each stage's layers; see keep.
template <class R>
KeptStages<R> keep_layers(const StepInput<R>& in, const StepBase<R>& base,
                          const DroppedShares& dropped);

/// Micro-batches of the busiest replica: those of the batch, rounded up.
template <class R>
Count<R> count_micro_batches(const TrainingJob<R>& run, const Degrees<R>& layout);

/// The transfers of `in.layout` at `placement`: where rates are measured, also as they reach. See
/// make_step_transfers for those that may be known.
template <class R>
StepTransfers<R> step_transfers(const StepInput<R>& in, const Placement& placement,
                                const PlacedTransfers<R>* known = nullptr);

// A StepBase is made in steps, so that a search repeats only those that a change asks for.

/// Calls `use(model, part)` with each stage, or part of one, that has layers of its own, and with
/// the model whose layers these are.
template <class R, class Use>
void each_own(const StepBase<R>& base, const Model<R>& model, Use use) {
  const auto visit = [&](const auto& part) {
    if (part.own > 0) use(model_of(model, part), part);
  };
  for (std::size_t i = 0; i < base.stage_count; ++i) {
    const Stage<R>& stage = base.stages[i].stage;
    visit(stage);
    if (stage.back.own != stage.own) visit(stage.back);
  }
}

/// Begins with the stages of `in.layout`, whatever its context ways, its micro-batch and number of
/// chunks.
template <class R>
void set_stages(StepBase<R>& base, const StepInput<R>& in);

/// Sets the ways that share the states of a stage.
template <class R>
void set_ways(StepBase<R>& base, const Placement& placement) {
  base.ways = shard_ways<R>(placement);
}

/// Prices the collectives of the stages' states, of which `set_stages` made the parameters.
template <class R>
void set_states(StepBase<R>& base, const StepInput<R>& in, const StepTransfers<R>& transfers,
                const Placement& placement);

/// Counts micro-batches, and prices what a layer takes of one and what goes from stage to stage;
/// `work` is layer_work of the same layout, `transfers` those of its placement. Sets all but the
/// work of the layers of stages that differ: see set_own_layers.
template <class R>
void set_layers(StepBase<R>& base, const StepInput<R>& in, const LayerWork<R>& work,
                const StepTransfers<R>& transfers);

/// Counts what a layer of each kind keeps of a micro-batch; like its work, the same for all layouts
/// with as many sequences, experts and tensor ways on a chip.
template <class R>
void set_activations(LayerCost<R>& cost, const StepInput<R>& in);

/// Prices the kernels of the layers of each stage, where these differ, and counts what they keep.
template <class R>
void set_own_layers(StepBase<R>& base, const StepInput<R>& in);

/// Counts what takes memory beside states and activations, and the micro-batches that each stage
/// holds, of as many as there are.
template <class R>
void set_transients(StepBase<R>& base, const StepInput<R>& in);

/// Prices the passes of a micro-batch through each stage; `ends` is ends_work of the same layout.
template <class R>
void set_passes(StepBase<R>& base, const StepInput<R>& in, const EndsWork<R>& ends);

/// All of them.
template <class R>
StepBase<R> make_step_base(const StepInput<R>& in, const LayerWork<R>& work,
                           const EndsWork<R>& ends, const StepTransfers<R>& transfers,
                           const Placement& placement);

}  // namespace scaling
