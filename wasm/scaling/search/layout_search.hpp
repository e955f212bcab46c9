// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>

#include "scaling/quantity/divisors.hpp"
#include "scaling/search/layer_prices.hpp"
#include "scaling/search/layout_bounds.hpp"
#include "scaling/search/layout_degrees.hpp"
#include "scaling/search/search_input.hpp"
#include "scaling/search/search_results.hpp"
#include "scaling/search/sharding_floors.hpp"
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
  void find_best() {
    while (!best_known()) advance(4096);
  }

  /// Bytes that a chip may hold.
  double limit() const { return memory_limit(in_.chip, in_.assumptions).value(); }

  bool best_known() const { return results_.turn() != SearchResults::Turn::kBest; }
  bool roomy_known() const { return results_.turn() > SearchResults::Turn::kRoomy; }
  bool done() const { return results_.done(); }
  double fraction() const { return done() ? 1 : degrees_.fraction(); }
  /// Layouts of the grid that this turn has settled, whether they were costed or ruled out.
  std::size_t grid() const { return grid_; }
  /// Layouts costed in this turn, and those of them that fit.
  std::size_t evaluated() const { return results_.evaluated(); }
  std::size_t fitting() const { return results_.fitting(); }
  /// Lists that ran out of room so far.
  bool left_out(LeftOut what) const { return left_out_[static_cast<std::size_t>(what)]; }
  /// No layout that fits can take less; 0 until all are costed.
  double lower() const { return results_.lower(); }

  /// See BestLayouts.
  std::span<const CostedLayout> best() const { return results_.best().items(); }
  std::span<const CostedLayout> chosen() const { return results_.best().chosen(); }
  /// The fastest layout that leaves the share kRoom of the limit free: none, or one. What it
  /// computes again is chosen for that room, as `memory_reserve` would have it.
  std::span<const CostedLayout> roomy() const { return results_.roomy(); }
  /// See LayoutFront.
  std::span<const CostedLayout> front() const { return results_.front().items(); }

  /// See LayoutMap.
  std::span<const double> map_x() const { return results_.map().x(); }
  std::span<const double> map_y() const { return results_.map().y(); }
  double map_at(std::size_t x, std::size_t y) const { return results_.map().at(x, y); }

 private:
  /// The ends of what there is to choose between: to compute nothing again, or all.
  struct RecomputeChoices {
    KeptStages<double> all, inputs;
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
  Quantity<kByte, double> limit_now() const { return Quantity<kByte, double>(results_.limit()); }
  void set_values(DegreeValues& values, bool searched, double pinned, double number, double most);
  void next_turn();
  void open_degrees();
  bool is_way_too_long();
  bool open_schedule(std::size_t first);
  void open_placement(std::size_t index);
  void make_stages();
  void open_chunks(std::size_t index);
  void search_candidate();
  void next_candidate();
  double set_floors();
  void price_stages();
  template <class Use>
  void for_each_model(Use use);
  void set_priced();
  void set_cell();
  void set_kernels();
  LeastPasses& least_passes();
  void set_bubble() { quick_.set_bubble(in_.layout, in_.layout.virtual_stages.value()); }
  void settle(LeastPasses& least);
  bool is_hopeless_by(LeastPasses& least, const StageSeconds& kernels, double memory) const;
  bool is_too_long();
  bool is_hopeless_at_a_glance(double memory);
  void search_states(StepFloor& floor);
  void search_recompute(const RecomputeChoices& choices, const RecomputeFloors::Open& open,
                        const StepFloor& floor);
  void cost(const KeptStages<double>& kept, const DroppedShares& dropped, double seconds,
            double lower);

  SearchInput<double> in_;  ///< with the layout in hand
  ModelKernels<double> compiled_{in_.model};
  Layout<double> asked_;  ///< the layout that the search was begun with
  MapField x_field_, y_field_;
  Slice slice_;

  LayoutDegrees degrees_;
  double data_ways_ = 1;

  // The candidates of these degrees, the last one changing fastest.
  bool open_ = false;
  Placements placements_;
  WayTimes way_times_;
  /// The last that were priced; before, those of ways of one chip each.
  PlacedTransfers<double> placed_{};
  DegreeValues chunks_;
  /// The micro-batches of the last numbers of sequences of a replica in a step, and those in hand.
  Memo<double, DegreeValues, 1, 16> micro_batches_of_;
  const DegreeValues* micro_batches_ = nullptr;
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
  ShardingFloors shardings_;
  double least_memory_ = 0;  ///< of any sharding and micro-batch of the stages in hand [B]
  LayerPrices prices_;
  StageTable stage_table_;

  SearchResults results_;
  std::size_t grid_ = 0;
  double work_ = 0;  ///< so far, in layouts costed
  std::array<bool, std::size(kLeftOutNames)> left_out_{};
};

}  // namespace scaling
