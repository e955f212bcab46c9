// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>

#include "scaling/search/layout_bounds.hpp"
#include "scaling/search/search_input.hpp"
#include "scaling/search/search_results.hpp"

namespace scaling {

/// Sets the sharding of the layout in hand to the one at this place, if it is searched.
void choose_sharding(SearchInput<double>& in, std::size_t index);

/// The least that each sharding of the candidate in hand holds and moves.
class ShardingFloors {
 public:
  void set_count(std::size_t count) { count_ = count; }
  std::size_t count() const { return count_; }

  /// Sets what the states of the stages in hand hold.
  void set_stages(SearchInput<double>& in, StepBase<double>& base);
  /// Sets what the states' transfers take.
  void set_transfers(SearchInput<double>& in, const StepBase<double>& base);
  /// Sets the bytes that each needs in so many micro-batches, and returns the least of them; with
  /// 0, of any number of micro-batches.
  double set_bytes(const SearchInput<double>& in, StepBase<double>& base, double micro_batches);

  const StageStates& states(std::size_t sharding) const { return states_[sharding]; }
  std::span<const StateTransfers> transfers() const { return std::span(transfers_).first(count_); }
  const StateTransfers& transfers(std::size_t sharding) const { return transfers_[sharding]; }
  double bytes(std::size_t sharding) const { return bytes_[sharding]; }
  double fixed(std::size_t sharding, std::size_t stage) const { return fixed_[sharding][stage]; }
  const MemoryFloor& memory() const { return memory_; }
  /// The time at full rates of so many micro-batches that take at least `lower` without the
  /// transfers of states.
  double lower(std::size_t sharding, double micro_batches, double lower) const;

 private:
  std::size_t count_ = 1;
  std::array<StageStates, kShardings> states_{};
  std::array<StateTransfers, kShardings> transfers_;
  std::array<std::array<double, kStagesCosted>, kShardings> fixed_;  ///< of the states [B]
  std::array<double, kShardings> bytes_;
  MemoryFloor memory_;
};

/// The time of a step that has the `floor` and the states' transfers, and computes again what
/// `kept` lacks, at least [s].
double seconds_with(const SearchInput<double>& in, const StepBase<double>& base,
                    const StepFloor& floor, std::size_t sharding, const StateTransfers& states,
                    const KeptStages<double>& kept);

/// The least that a candidate holds and takes by its recomputation, whatever its sharding.
class RecomputeFloors {
 public:
  /// The choices that may change what the turn keeps: to compute nothing again, some or all.
  struct Open {
    bool none, some, all;
  };

  bool is_set() const { return again_[0] >= 0; }
  /// For a candidate whose layers are set.
  void set(const SearchInput<double>& in, const StepBase<double>& base, const MemoryFloor& memory);
  /// The choices of a sharding that its floors leave a chance.
  Open open(const SearchInput<double>& in, const StepBase<double>& base,
            const ShardingFloors& shardings, std::size_t sharding, const StepFloor& floor,
            const SearchResults& results);

 private:
  /// Parts of what may be dropped that are bounded apart.
  static constexpr int kDropParts = 4;

  bool is_drop_hopeless(const SearchInput<double>& in, const StepBase<double>& base,
                        const ShardingFloors& shardings, std::size_t sharding, std::size_t fullest,
                        double whole, const StepFloor& floor, const SearchResults& results);

  std::array<double, kStagesCosted> whole_;  ///< of each stage beside states, if it keeps all [B]
  /// The time that it takes to compute all again in a backward pass; none is set while the first is
  /// negative [s].
  std::array<double, kStagesCosted> again_{-1};
  std::size_t drops_of_ = kStagesCosted;  ///< the stage of `drops_`
  DropFloor drops_;
};

}  // namespace scaling
