// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>

#include "scaling/quantity/divisors.hpp"
#include "scaling/search/kept_layouts.hpp"
#include "scaling/search/layer_prices.hpp"
#include "scaling/search/layout_bounds.hpp"
#include "scaling/search/layout_degrees.hpp"
#include "scaling/search/search_input.hpp"
#include "scaling/search/stage_table.hpp"
#include "scaling/training/step.hpp"

namespace scaling {

/// Lists that a search may run out of room for: it says so rather than truncate in silence.
enum class LeftOut : std::uint8_t {
  kDegrees,     ///< not all divisors are known of a number above 1e9, or of one with very many
  kPlacements,  ///< not all ways to place a layout on a torus were tried
  kFront,       ///< more on the front than it holds
  kMap,         ///< more values than the map has rows or columns
};
inline constexpr const char* kLeftOutNames[] = {"degrees", "placements", "front", "map"};

/// The share of the memory that may be used which a search's roomy layout leaves free.
inline constexpr double kRoom = 0.1;

/// All layouts that `in.search` leaves open, one after another. Degrees are all divisors that fit
/// model and chips and that a layout's field allows, micro-batches all that divide a replica's
/// sequences, and each is costed by `finish_step` as a single layout would be. Keeps nothing on the
/// heap.
class LayoutSearch {
 public:
  static constexpr std::size_t kBest = BestLayouts::kMost;
  static constexpr std::size_t kFront = LayoutFront::kMost;
  static constexpr std::size_t kMapValues = LayoutMap::kMost;

  /// `in` is one that check_machine has found no fault with. The search goes through all layouts
  /// up to three times: first for the best, then, unless that leaves room, for the fastest that
  /// does, then for the map, the front and the lower bound. A layout is costed unless what it needs
  /// and takes at least (step_floor) shows that it changes none of these.
  LayoutSearch(const SearchInput<double>& in, MapField x, MapField y);

  /// Works for as long as costing about `count` layouts takes, or until none is left; whether none
  /// is. Looking for degrees that fit and placing layouts is work too, so that no call takes much
  /// longer than another with the same count.
  bool advance(std::size_t count);

  /// Costs layouts until the best are known.
  void find_best();

  /// Bytes that a chip may hold.
  double limit() const { return memory_limit(in_.chip, in_.assumptions).value(); }

  bool best_known() const { return turn_ != Turn::kBest; }
  bool roomy_known() const { return best_known() && turn_ != Turn::kRoomy; }
  bool done() const { return turn_ == Turn::kDone; }
  double fraction() const { return done() ? 1 : degrees_.fraction(); }
  /// Layouts of the grid that this turn has settled, whether they were costed or ruled out.
  std::size_t grid() const { return grid_; }
  /// Layouts costed in this turn, and those of them that fit.
  std::size_t evaluated() const { return evaluated_; }
  std::size_t fitting() const { return fitting_; }
  /// Lists that ran out of room so far.
  bool left_out(LeftOut what) const { return left_out_[static_cast<std::size_t>(what)]; }
  /// No layout that fits can take less; 0 until all are costed.
  double lower() const { return done() && fitting_ > 0 ? lower_ : 0; }

  /// See BestLayouts.
  std::span<const CostedLayout> best() const { return best_.items(); }
  std::span<const CostedLayout> chosen() const { return best_.chosen(); }
  /// The fastest layout that leaves the share kRoom of the limit free: none, or one. What it
  /// computes again is chosen for that room, as `memory_reserve` would have it.
  std::span<const CostedLayout> roomy() const {
    return std::span(&roomy_, roomy_known() && has_roomy_ ? 1 : 0);
  }
  /// See LayoutFront.
  std::span<const CostedLayout> front() const { return front_.items(); }

  /// See LayoutMap.
  std::span<const double> map_x() const { return map_.x(); }
  std::span<const double> map_y() const { return map_.y(); }
  double map_at(std::size_t x, std::size_t y) const { return map_.at(x, y); }

 private:
  /// The ends of what there is to choose between: to compute nothing again, or all.
  struct RecomputeChoices {
    KeptStages<double> all, inputs;
  };

  /// Lower bounds of a candidate's bytes and times by what it computes again, whatever its
  /// sharding.
  struct RecomputeFloors {
    std::array<double, kStagesCosted> whole;  ///< of each stage beside states, if it keeps all [B]
    /// The time that it takes to compute all again in a backward pass; none is set while the first
    /// is
    /// negative [s].
    std::array<double, kStagesCosted> again{-1};
    std::size_t drops_of = kStagesCosted;  ///< the stage of `drops`
    DropFloor drops;
  };

  /// The choices that may change what the turn keeps: to compute nothing again, some or all.
  struct OpenChoices {
    bool none, some, all;
  };

  /// Least times of both passes of a micro-batch (QuickFloor) [s].
  struct LeastPasses {
    enum class By : std::uint8_t { kNothing, kTransfers, kKernels };
    By by;         ///< what they count
    bool sharded;  ///< whether those of each sharding are set
    bool settled;  ///< whether all layouts with these stages and this micro-batch are ruled out
    double micro_batches;
    double unsharded;  ///< without transfers of states: no sharding takes less
    std::array<double, kShardings> of;
    double lower;  ///< at full rates: of the kernels alone
  };

  void leave_out(LeftOut what, bool left = true) {
    if (left) left_out_[static_cast<std::size_t>(what)] = true;
  }
  void set_values(DegreeValues& values, bool searched, double pinned, double number, double most);
  void next_turn();
  /// Whether the turn is for the fastest alone: all, or those that leave room.
  bool for_fastest() const { return turn_ <= Turn::kRoomy; }
  double room_limit() const { return (1 - kRoom) * limit(); }
  bool begin_roomy();
  void set_best_limit();
  void open_degrees();
  bool is_way_too_long();
  bool open_schedule(std::size_t first);
  void open_placement(std::size_t index);
  void make_stages();
  void choose_sharding(std::size_t index);
  void open_chunks(std::size_t index);
  void search_candidate();
  void next_candidate();
  double set_floors(bool of_all = false);
  void price_stages();
  template <class Use>
  void for_each_model(Use use);
  void set_priced();
  void set_cell();
  bool hopeless(double memory, double seconds, double lower) const;
  double lower_of(std::size_t sharding, double lower) const;
  void set_kernels();
  LeastPasses& least_passes();
  void set_bubble();
  void settle(LeastPasses& least);
  bool is_hopeless_by(LeastPasses& least, const StageSeconds& kernels, double memory) const;
  bool is_too_long();
  bool is_hopeless_at_a_glance(double memory);
  KeptStages<double> kept(const DroppedShares& dropped) const;
  void search_states(StepFloor& floor);
  double seconds_with(const KeptStages<double>& kept, const StepFloor& floor) const;
  void set_recompute_floors(RecomputeFloors& floors) const;
  OpenChoices open_choices(RecomputeFloors& floors, const StepFloor& floor) const;
  bool is_drop_hopeless(RecomputeFloors& floors, std::size_t fullest, double whole,
                        const StepFloor& floor) const;
  void search_recompute(const RecomputeChoices& choices, const OpenChoices& open,
                        const StepFloor& floor);
  void cost(const KeptStages<double>& kept, const DroppedShares& dropped, double seconds,
            double lower);
  CostedLayout make_costed(const Step<double>& step, const DroppedShares& dropped) const;
  double map_value(MapField field) const;

  SearchInput<double> in_;  ///< with the layout in hand
  ModelKernels<double> compiled_{in_.model};
  Layout<double> asked_;  ///< the layout that the search was begun with
  MapField x_field_, y_field_;
  enum class Turn : std::uint8_t { kBest, kRoomy, kAll, kDone };
  Turn turn_ = Turn::kBest;
  Slice slice_;
  Quantity<kByte, double> limit_;  ///< bytes that a layout may fill in the turn in hand

  LayoutDegrees degrees_;
  double data_ways_ = 1;

  // The candidates of these degrees, the last one changing fastest.
  bool open_ = false;
  Placements placements_;
  WayTimes way_times_;
  /// The last that were priced; before, those of ways of one chip each.
  PlacedTransfers<double> placed_{};
  DegreeValues chunks_;
  DegreeTable micro_batches_;  ///< by the sequences of a replica in a step
  std::size_t placement_at_ = 0, schedule_at_ = 0, chunks_at_ = 0, micro_batch_at_ = 0;
  std::size_t sharding_at_ = 0;

  // Prices that candidates share: made when the first asks for it.
  bool transfers_priced_ = false, stages_made_ = false, stages_priced_ = false;
  PipelineCourse course_ = PipelineCourse::kLoop;
  QuickFloor quick_;
  std::array<LeastPasses, Divisors::kMost> least_passes_;  ///< by micro-batch
  StepBase<double> base_{};
  EndsWork<double> ends_{};
  StageSeconds kernels_{};  ///< of the micro-batch that last asked for them
  std::size_t shardings_ = 1;
  // By sharding.
  std::array<StageStates, kShardings> states_{};
  std::array<StateTransfers, kShardings> state_transfers_;
  std::array<std::array<double, kStagesCosted>, kShardings> fixed_bytes_;  ///< MemoryFloor
  std::array<double, kShardings> floors_;  ///< bytes that are needed at least
  double least_memory_ = 0;                ///< of them, for any micro-batch of the stages in hand
  MemoryFloor memory_floor_;
  LayerPrices prices_;
  StageTable stage_table_;

  BestLayouts best_;
  CostedLayout roomy_;
  bool has_roomy_ = false;
  double best_limit_ = BestLayouts::kUnlimited;  ///< of it, for the degrees in hand [s]
  LayoutFront front_;
  LayoutMap map_;
  double cell_ = 0;  ///< of the map, for the candidate in hand [s]
  std::size_t evaluated_ = 0, fitting_ = 0, grid_ = 0;
  double work_ = 0;  ///< so far, in layouts costed
  std::array<bool, std::size(kLeftOutNames)> left_out_{};
  double lower_ = 1e300;
};

}  // namespace scaling
