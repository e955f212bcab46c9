// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>

#include "scaling/quantity/divisors.hpp"
#include "scaling/search/layout_bounds.hpp"
#include "scaling/search/search_input.hpp"
#include "scaling/training/step.hpp"

namespace scaling {

/// The parts of a step's time: the chips work, or wait for transfers that do not hide.
enum class StepPart : std::uint8_t {
  kComputing,
  kRecompute,
  kTensor,
  kContext,
  kExpert,
  kData,
  kPipeline,
  kBubble,
  kOptimizer,
  kHost,
  kLaunch,    ///< waiting for the host's kernel launches
  kOverhead,  ///< of each step
};
inline constexpr std::size_t kStepParts = 12;
inline constexpr const char* kStepPartNames[kStepParts] = {
    "computing", "recompute", "tensor",    "context", "expert", "data",
    "pipeline",  "bubble",    "optimizer", "host",    "launch", "overhead"};

/// A layout that a search has costed.
struct CostedLayout {
  Layout<double> layout;
  double data_ways;
  double micro_batches;
  double expected, lower, upper;  ///< of a step [s]
  double memory;                  ///< of the fullest chip [B]
  double bound, next_bound;       ///< StepBound
  std::array<double, kStepParts> parts;
};

/// A field of the layout over which a search keeps the best.
enum class MapField : std::uint8_t { kTensor, kContext, kPipeline, kExpert, kMicroBatch, kData };
inline constexpr const char* kMapFieldNames[] = {"tensor", "context",    "pipeline",
                                                 "expert", "microBatch", "data"};

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
  static constexpr std::size_t kBest = 16;
  static constexpr std::size_t kFront = 128;
  static constexpr std::size_t kTies = 64;
  static constexpr std::size_t kMapValues = 48;

  /// `in` is one that check_machine has found no fault with. The search goes through all layouts
  /// twice: first for the best, then for the map, the front and the lower bound. A layout is costed
  /// unless what it needs and takes at least (step_floor) shows that it changes none of these.
  LayoutSearch(const SearchInput<double>& in, MapField x, MapField y);

  /// Works for as long as costing about `count` layouts takes, or until none is left; whether none
  /// is. Looking for degrees that fit and placing layouts is work too, so that no call takes much
  /// longer than another with the same count.
  bool advance(std::size_t count);

  /// Costs layouts until the best are known.
  void find_best();

  /// Bytes that a chip may hold.
  double limit() const { return limit_.value(); }

  bool best_known() const { return turn_ != Turn::kBest; }
  bool done() const { return turn_ == Turn::kDone; }
  double fraction() const;
  /// Layouts of the grid that this turn has settled, whether they were costed or ruled out.
  std::size_t grid() const { return grid_; }
  /// Layouts costed in this turn, and those of them that fit.
  std::size_t evaluated() const { return evaluated_; }
  std::size_t fitting() const { return fitting_; }
  /// Lists that ran out of room so far.
  bool left_out(LeftOut what) const { return left_out_[static_cast<std::size_t>(what)]; }
  /// No layout that fits can take less; 0 until all are costed.
  double lower() const { return done() && fitting_ > 0 ? lower_ : 0; }

  /// The fastest that fit, one for each way to split by tensor, context, pipeline and expert.
  std::span<const CostedLayout> best() const { return std::span(best_).first(best_size_); }
  /// The layout to use: none, or one. Candidates take at most 1 % longer than the fastest, and at
  /// most 1 % more memory than the least of these. The choice is the one with the fewest kinds of
  /// ways, then the fastest.
  std::span<const CostedLayout> chosen() const;
  /// None is faster with as much memory, by memory.
  std::span<const CostedLayout> front() const { return std::span(front_).first(front_size_); }

  std::span<const double> map_x() const { return std::span(map_x_).first(map_x_size_); }
  std::span<const double> map_y() const { return std::span(map_y_).first(map_y_size_); }
  /// Seconds of the best that fits; 0: none does.
  double map_at(std::size_t x, std::size_t y) const { return cells_[y * kMapValues + x]; }

 private:
  struct Priced {
    std::array<double, 4> of;    ///< sequences on a chip, expert, tensor and expert tensor ways
    LayerPattern::Counts kinds;  ///< layers of a stage; none: of all stages on average
    LayerSeconds seconds;
    LayerCost<double> layers;  ///< but for context
    EndsWork<double> ends;
  };

  struct PricedRow {
    std::array<Priced, 4> entries;
    std::size_t next;
  };

  /// The ends of what there is to choose between: to compute nothing again, or all.
  struct RecomputeChoices {
    KeptStages<double> all, inputs;
    std::array<double, kStagesCosted> again{};  ///< by stage: again_floor with `inputs` [s]
    std::size_t drops_of = kStagesCosted;       ///< the stage of `drops`
    DropFloor drops;
  };

  /// The values of a degree: divisors of a number up to a most, or the one that is pinned.
  class Values {
   public:
    Values() = default;
    explicit Values(double pinned) : size_(1) { items_[0] = pinned; }
    Values(double number, double most);
    std::span<const double> items() const { return std::span(items_).first(size_); }
    bool complete() const { return complete_; }

   private:
    std::array<double, Divisors::kMost> items_;
    std::size_t size_ = 0;
    bool complete_ = true;
  };

  void leave_out(LeftOut what, bool left = true) {
    if (left) left_out_[static_cast<std::size_t>(what)] = true;
  }
  Values values(bool searched, double pinned, double number, double most);
  bool next_degrees();
  void next_turn();
  void open_degrees();
  bool open_schedule(std::size_t first);
  void open_stages();
  void choose_sharding(std::size_t index);
  void open_chunks(std::size_t index);
  void search_candidate();
  void next_candidate();
  double least_memory();
  void price_transfers();
  template <class Use>
  void for_each_priced(Use use);
  void set_priced();
  const Priced& priced(const StepInput<double>& in, const LayerPattern::Counts& kinds);
  bool hopeless(double memory, double seconds, double lower) const;
  bool is_hopeless_at_a_glance();
  bool is_hopeless(const StepFloor& floor, const std::array<double, kShardings>& bytes) const;
  KeptStages<double> kept(const DroppedShares& dropped) const;
  void search_states(const StepFloor& floor);
  void search_recompute(RecomputeChoices& choices, const StepFloor& floor);
  bool is_drop_hopeless(RecomputeChoices& choices, const FullestStage& fullest,
                        const StepFloor& floor) const;
  DroppedShares dropped();
  void cost(const KeptStages<double>& kept, double seconds, double lower);
  void keep_best(const CostedLayout& plan);
  void keep_tie(const CostedLayout& plan);
  const CostedLayout* front_above(double memory) const;
  bool is_behind_front(double memory, double seconds) const;
  void keep_front(const CostedLayout& plan);
  void keep_cell(double seconds);
  CostedLayout make_costed(const Step<double>& step) const;
  std::size_t cell() const;
  double map_value(MapField field) const;

  SearchInput<double> in_;  ///< with the layout in hand
  Layout<double> asked_;    ///< the layout that the search was begun with
  MapField x_field_, y_field_;
  enum class Turn : std::uint8_t { kBest, kAll, kDone };
  Turn turn_ = Turn::kBest;
  Slice slice_;
  Quantity<kByte, double> limit_;

  Values tensors_, contexts_, pipelines_, experts_, expert_tensors_;
  std::array<std::size_t, 5> at_{};  ///< of the degrees in hand
  bool started_ = false;
  double data_ways_ = 1;

  // The candidates of these degrees, the last one changing fastest.
  bool open_ = false;
  Placements placements_;
  StepTransfers<double> transfers_;
  Values chunks_, micro_batches_;
  std::size_t placement_at_ = 0, schedule_at_ = 0, chunks_at_ = 0, micro_batch_at_ = 0;
  std::size_t sharding_at_ = 0;

  // Prices that candidates share: made when the first asks for it.
  bool transfers_priced_ = false, states_priced_ = false, quick_made_ = false;
  QuickFloor quick_;
  StepBase<double> base_{};
  EndsWork<double> ends_{};
  std::size_t shardings_ = 1;
  // By sharding.
  std::array<StageStates, kShardings> states_{};
  std::array<StateTransfers, kShardings> state_transfers_{};
  std::array<double, kShardings> least_bytes_{};  ///< with the states alone
  std::array<double, kShardings> floors_{};       ///< bytes that are needed at least
  std::array<PricedRow, 512> priced_{};

  std::array<CostedLayout, kBest> best_;
  std::size_t best_size_ = 0;
  std::array<CostedLayout, kTies>
      ties_;  ///< layouts as fast as the best; none beats another in all that counts
  std::size_t ties_size_ = 0;
  std::array<CostedLayout, kFront> front_;
  std::array<double, kFront> front_bytes_;  ///< memory of each, next to each other
  std::size_t front_size_ = 0;
  std::array<double, kMapValues> map_x_, map_y_;
  std::size_t map_x_size_ = 0, map_y_size_ = 0;
  std::array<double, kMapValues * kMapValues> cells_{};
  std::size_t evaluated_ = 0, fitting_ = 0, grid_ = 0;
  double work_ = 0;  ///< so far, in layouts costed
  std::array<bool, std::size(kLeftOutNames)> left_out_{};
  double lower_ = 1e300;
};

}  // namespace scaling
