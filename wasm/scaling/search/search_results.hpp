// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "scaling/search/kept_layouts.hpp"

namespace scaling {

/// The share of the memory that may be used which a search's roomy layout leaves free.
inline constexpr double kRoom = 0.1;

/// Sums of bytes and times may be added up in another order where they are bounded.
inline constexpr double kMoreByRounding = 1 + 1e-9;
inline constexpr double kLessByRounding = 2 - kMoreByRounding;

/// What a search keeps of the layouts that it costs, turn by turn, and which layouts can still
/// change that.
class SearchResults {
 public:
  /// For the best, for the fastest that leaves room, for map, front and lower bound.
  enum class Turn : std::uint8_t { kBest, kRoomy, kAll, kDone };

  /// `limit`: bytes that a chip may hold; `budget`: those that the search may fill.
  SearchResults(double limit, double budget)
      : budget_(budget), room_((1 - kRoom) * limit), limit_(budget) {}

  /// Begins the next turn that has anything to look for.
  void next_turn();
  Turn turn() const { return turn_; }
  bool done() const { return turn_ == Turn::kDone; }
  /// Whether the turn is for the fastest alone: all, or those that leave room.
  bool for_fastest() const { return turn_ <= Turn::kRoomy; }
  /// Bytes that a layout may fill in this turn.
  double limit() const { return limit_; }
  /// Whether so many bytes are more, however they are added up, in a turn that drops what is more.
  bool exceeds(double memory) const { return for_fastest() && memory > kMoreByRounding * limit_; }

  /// Sets the time from which on a layout that divides the model as `layout` does is not among what
  /// a turn for the fastest keeps.
  void set_ways(const Layout<double>& layout);
  double fastest_limit() const { return fastest_limit_; }
  /// Looks up the fastest of the values of the map's fields that layouts in hand have.
  void set_cell(double x, double y);

  /// Whether no layout that needs at least so many bytes and takes at least so long can change what
  /// the turn keeps.
  bool hopeless(double memory, double seconds, double lower) const;
  /// Whether the turn keeps a layout that takes this time: as one of the fastest, or on the front.
  bool is_wanted(double memory, double expected) const;
  /// Counts a layout that is costed.
  void count(bool fits) {
    ++evaluated_;
    if (fits) ++fitting_;
  }
  /// Keeps a layout that is wanted; whether there was room.
  bool keep(const CostedLayout& plan);
  /// Keeps the times of one that fits, by the values of the map's fields; whether there was room.
  bool keep_times(double x, double y, double expected, double lower);

  std::size_t evaluated() const { return evaluated_; }
  std::size_t fitting() const { return fitting_; }
  /// No layout that fits can take less; 0 until all are costed.
  double lower() const { return done() && fitting_ > 0 ? lower_ : 0; }
  const BestLayouts& best() const { return best_; }
  const LayoutFront& front() const { return front_; }
  const LayoutMap& map() const { return map_; }
  /// The fastest layout that leaves the share kRoom of the limit free: none, or one.
  std::span<const CostedLayout> roomy() const {
    return std::span(&roomy_, turn_ > Turn::kRoomy && has_roomy_ ? 1 : 0);
  }

 private:
  bool begin_roomy();

  double budget_, room_, limit_;  ///< of any turn, of that for room, of the turn in hand [B]
  Turn turn_ = Turn::kBest;
  BestLayouts best_;
  CostedLayout roomy_;
  bool has_roomy_ = false;
  double fastest_limit_ = BestLayouts::kUnlimited;  ///< for the degrees in hand [s]
  LayoutFront front_;
  LayoutMap map_;
  double cell_ = 0;  ///< of the map, for the candidate in hand [s]
  std::size_t evaluated_ = 0, fitting_ = 0;
  double lower_ = 1e300;
};

}  // namespace scaling
