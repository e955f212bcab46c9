// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "scaling/search/search_input.hpp"
#include "scaling/training/pace.hpp"
#include "scaling/training/step.hpp"

namespace scaling {

/// The ways to share states that a search chooses among: StateSharding.
inline constexpr std::size_t kShardings = 4;

/// Transfers of states beside the passes of one micro-batch, by stage [s]. Without any, `some` is
/// not set.
struct StateTransfers {
  struct OfPass {
    double forward, back;
  };
  std::array<OfPass, kStagesCosted> stages;
  bool some;
  double lower;  ///< of both passes at full rates, of the stage that moves the most
};

/// The transfers where chips share no states: none.
inline constexpr StateTransfers kNoStates{};

/// Transfers of the states of a base, once set_states has priced them.
StateTransfers state_transfers(StateSharding sharding, const StepBase<double>& base);

/// How much longer a pass takes at least for a transfer of states beside it.
class TransferBeside {
 public:
  TransferBeside() = default;
  explicit TransferBeside(const StepInput<double>& in);

  /// The least time of a pass that takes at least `pass` without the transfer [s].
  double pass(double pass, double transfer) const {
    return pass + transfer - std::min(hides_ * transfer, room_ * pass);
  }

 private:
  double hides_ = 0;  ///< the share of it that does not show, if there is room
  double room_ = 0;   ///< the share of a pass that hides it
};

/// How long chips take for `chip` seconds of work that their host launches for `host` seconds, as
/// either waits for the other; with experts, the host `asks` what the chips found. For both passes
/// at once no more than for each apart.
double with_launches(double chip, double host, bool asks);

/// The part of a step's time that is there besides its passes, and by how much chips in step with
/// each other take longer.
struct StepScale {
  double overhead = 0, more = 1;

  StepScale() = default;
  explicit StepScale(const StepInput<double>& in);
};

/// The time of a step, but for the update, from the passes of a micro-batch.
class StepSum {
 public:
  StepSum() = default;
  StepSum(const StepInput<double>& in, const StepBase<double>& base, double shown_hops);

  /// The time of both passes of all micro-batches with their bubble [s].
  double passes(double forward, double back) const;
  /// The least time of a step [s].
  double step(double forward, double back) const;

 private:
  double forward_ = 0, back_ = 0;  ///< passes of micro-batches, and those that fill the bubble
  double hops_ = 0;
  StepScale scale_;
};

/// Floors of all layouts of a StepBase, whatever it computes again [s]. Computing and the part of
/// its transfers that shows, with the bubble and the hops between stages; nothing of the update. A
/// billionth less than what the formulas come to, as they add up in another order.
struct StepFloor {
  /// A stage's passes of a micro-batch: `added` are the parts that take their time whatever else
  /// does; the pass is no shorter than its longest transfer, either. The host launches for as long
  /// as `host_forward` and `host_back`.
  struct Passes {
    double forward, back_added, back, host_forward, host_back;
    bool asks;  ///< what the chips found, to launch more
  };

  /// The least time of a step if a stage computes again for so long in each backward pass [s].
  double with_again(std::size_t stage, double again, const StateTransfers& states) const;

  double lower = 0;
  /// By sharding, with the transfers of states beside the passes.
  std::array<double, kShardings> sharded{};
  std::array<Passes, kStagesCosted> stages{};
  std::size_t slowest = 0;  ///< of them
  StepSum sum;
  TransferBeside beside;
};

/// The least times of a step of a base whose layers are set; its stages' passes need not be.
/// `states` are state_transfers of each sharding that is asked for.
StepFloor step_floor(const StepInput<double>& in, const StepBase<double>& base,
                     const EndsWork<double>& ends, std::span<const StateTransfers> states);

/// The kernels of one micro-batch in a layer of each kind and in a head [s].
struct LayerSeconds {
  struct Seconds {
    double forward = 0, back = 0;

    double both() const { return forward + back; }
    friend Seconds operator*(double n, const Seconds& a) { return {n * a.forward, n * a.back}; }
  };
  Seconds dense, sparse, head;
  Seconds dense_lower, sparse_lower, head_lower;  ///< at full rates, if `work` tells

  LayerSeconds() = default;
  LayerSeconds(const LayerWork<double>& work, const EndsWork<double>& ends);
};

/// The kernels of the average layer, then of the stages with layers of their own.
using StageSeconds = std::array<LayerSeconds, 1 + kOwnLayers>;

/// A looser bound that takes no look at what a micro-batch moves: the transfers of a layer grow
/// evenly with it, so that two micro-batches tell of all.
class QuickFloor {
 public:
  QuickFloor() = default;
  /// Takes the stages of a base, and no transfers.
  QuickFloor(const SearchInput<double>& in, const StepBase<double>& base);
  /// Takes a base with stages. Sets its layers anew, for micro-batches of any size.
  QuickFloor(const SearchInput<double>& in, StepBase<double>& base,
             const StepTransfers<double>& transfers);

  /// Least time of both passes of a micro-batch of so many sequences on the slowest stage [s];
  /// `kernels` of the average layer, then of the stages with layers of their own. The same for all
  /// schedules that divide the model alike.
  double passes(double micro_batch, std::span<const LayerSeconds> kernels,
                const StateTransfers& states) const;

  /// The same at full rates: the kernels alone.
  double lower_passes(std::span<const LayerSeconds> kernels) const;

  /// Takes the smallest and the largest micro-batch for so many sequences of a replica in a step.
  void set_least(double sequences, double smallest, double largest);
  /// Least time of a step of any of these micro-batches, by what they move alone [s].
  double least() const { return least_; }

  /// Takes the bubble of the layout's schedule, in so many chunks if it works in any.
  void set_bubble(const Layout<double>& layout, double chunks);
  /// Takes none: no schedule has less.
  void forget_bubble() { waiting_ = 0; }
  /// Least time of a step of so many micro-batches, of which each takes `passes` [s].
  double seconds(double micro_batches, double passes) const;
  /// The same at full rates and with perfect overlap, for micro-batches of so many sequences.
  double lower(double micro_batches, double micro_batch, double lower_passes) const;

 private:
  /// Seconds of both passes of a micro-batch: without sequences, and more for each.
  struct Line {
    double start, slope;
  };
  struct StageLayers {
    double dense, sparse, dense_back, sparse_back, heads, host;
    bool asks;  ///< what the chips found, to launch more
    std::size_t own, own_back;
    Line of_dense, of_sparse;
  };
  std::array<StageLayers, kStagesCosted> stages_{};
  std::size_t size_ = 0;
  bool some_end_ = false;
  double waiting_ = 0;  ///< for how many micro-batches, in the bubble
  double moved_ = 0;    ///< least time of the longest kind of transfers for a sequence [s]
  double least_ = 0;
  StepScale scale_;
  TransferBeside beside_;
};

/// A lower bound of what each stage holds, whatever it computes again: as much as if it computed
/// all again, or where that is not to choose, without activations. All but the states grows evenly
/// with a micro-batch.
class MemoryFloor {
 public:
  /// Takes a base with stages of a model and a run that stay; sets anew what these hold of a
  /// micro-batch.
  void set(const SearchInput<double>& in, StepBase<double>& base);

  /// The bytes of a stage with these states that no micro-batch changes [B].
  double fixed(std::size_t stage, double states, bool gathers) const {
    return states + runtime_ + (gathers ? stages_[stage].gathered : 0);
  }
  /// The bytes of a stage for each sequence of a micro-batch beside its activations [B].
  double passing(std::size_t stage) const { return stages_[stage].passing; }
  /// Those of them that the layer at work may take again [B].
  double shared(std::size_t stage) const { return stages_[stage].shared; }
  /// The bytes of a stage for each sequence of a micro-batch, with so many in flight [B].
  double of_sequence(std::size_t stage, double in_flight) const {
    const Bytes& bytes = stages_[stage];
    return bytes.kept * in_flight + bytes.passing + bytes.working * std::min(in_flight, 1.0);
  }

 private:
  struct Bytes {
    double gathered, kept, passing, shared, working;

    double beside_logits(double of_layer) const { return std::max(of_layer - shared, 0.0); }
  };
  std::array<Bytes, kStagesCosted> stages_;
  double runtime_;
  std::array<double, 4> ways_{};  ///< tensor, context, expert and expert tensor ways of `layers_`
  LayerCost<double> layers_{};    ///< what the average layer keeps of one sequence
};

/// The least time by which a stage's backward pass grows if it computes all again: its kernels, and
/// what shows of the transfers that it repeats [s].
double again_floor(const StepInput<double>& in, const StepBase<double>& base,
                   const Stage<double>& stage, const KeptLayers<double>& kept);

/// A lower bound of the time in which a stage recomputes the tensors whose bytes another frees, as
/// all stages drop the same shares: the cheapest by these bytes first, as if each could be dropped
/// in part.
class DropFloor {
 public:
  DropFloor() = default;
  DropFloor(const StepBase<double>& base, const Stage<double>& frees, const Stage<double>& works);

  /// Bytes that are freed where all is computed again.
  double most() const { return most_; }
  /// The least time that freeing `freed` bytes adds to a backward pass [s].
  double seconds(double freed) const;

 private:
  struct Part {
    double bytes, seconds, rate;
  };
  std::array<Part, kDroppedKinds> parts_{};
  std::size_t size_ = 0;
  double most_ = 0;
};

/// The place in the base of the stage that holds the most.
std::size_t fullest_stage(const StepBase<double>& base, const StageBytes& bytes);

}  // namespace scaling
