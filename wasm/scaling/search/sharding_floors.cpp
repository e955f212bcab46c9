// SPDX-License-Identifier: MIT
#include "scaling/search/sharding_floors.hpp"

#include <algorithm>
#include <cmath>

#include "scaling/training/tower_work.hpp"

namespace scaling {

void choose_sharding(SearchInput<double>& in, std::size_t index) {
  if (in.search.sharding) in.layout.sharding = static_cast<StateSharding>(index);
}

void ShardingFloors::set_stages(SearchInput<double>& in, StepBase<double>& base) {
  memory_.set(in, base);
  for (std::size_t i = 0; i < count_; ++i) {
    choose_sharding(in, i);
    const bool gathers =
        in.layout.sharding == StateSharding::kParameters || in.layout.offload == Offload::kAll;
    for (std::size_t stage = 0; stage < base.stage_count; ++stage) {
      states_[i][stage] = state_memory<double>(in.model, in.run, in.layout, in.stack,
                                               base.stages[stage].stage, base.ways);
      fixed_[i][stage] =
          kLessByRounding * memory_.fixed(stage, states_[i][stage].total().value(), gathers);
    }
  }
}

void ShardingFloors::set_transfers(SearchInput<double>& in, const StepBase<double>& base) {
  for (std::size_t i = 0; i < count_; ++i) {
    choose_sharding(in, i);
    transfers_[i] = state_transfers(in.layout.sharding, base);
  }
}

[[gnu::noinline]] double ShardingFloors::set_bytes(const SearchInput<double>& in,
                                                   StepBase<double>& base, double micro_batches) {
  const double micro_batch = in.layout.micro_batch.value();
  std::fill_n(bytes_.begin(), count_, 0.0);
  for (std::size_t stage = 0; stage < base.stage_count; ++stage) {
    Stage<double>& of = base.stages[stage].stage;
    of.in_flight = Count<double>(0);
    if (micro_batches > 0) of.in_flight = held_by(of, in.layout, Count<double>(micro_batches));
    const double passing =
        kLessByRounding * micro_batch * memory_.of_sequence(stage, of.in_flight.value());
    for (std::size_t i = 0; i < count_; ++i) {
      bytes_[i] = std::max(bytes_[i], fixed_[i][stage] + passing);
    }
  }
  return *std::min_element(bytes_.begin(), bytes_.begin() + count_);
}

[[gnu::noinline]] double ShardingFloors::lower(std::size_t sharding, double micro_batches,
                                               double lower) const {
  return std::max(lower, kLessByRounding * micro_batches * transfers_[sharding].lower);
}

[[gnu::noinline]] double seconds_with(const SearchInput<double>& in, const StepBase<double>& base,
                                      const StepFloor& floor, std::size_t sharding,
                                      const StateTransfers& states,
                                      const KeptStages<double>& kept) {
  double seconds = floor.sharded[sharding];
  for (std::size_t i = 0; i < base.stage_count; ++i) {
    const Stage<double>& stage = base.stages[i].stage;
    const double again = again_floor(in, base, stage, kept.of(stage));
    seconds = std::max(seconds, floor.with_again(i, again, states));
  }
  return seconds;
}

[[gnu::noinline]] void RecomputeFloors::set(const SearchInput<double>& in,
                                            const StepBase<double>& base,
                                            const MemoryFloor& memory) {
  const double held = 1 + in.assumptions.allocator_share.value();
  const double here = 1 - in.layout.host_activations.value();
  const double micro_batch = in.layout.micro_batch.value();
  for (std::size_t i = 0; i < base.stage_count; ++i) {
    const Stage<double>& stage = base.stages[i].stage;
    const LayerCost<double>& layers = base.layers_of(stage.back);
    KeptLayers<double> none{};
    double kept = 0;
    double layer = 0;
    double gradients = 0;
    const auto add = [&](Count<double> count, const LayerActivations<double>& of, Kept<double>& all,
                         bool sparse) {
      if (count.value() <= 0) return;
      kept += (count * of.total()).value();
      layer = std::max(layer, of.total().value());
      gradients = std::max(gradients, of.gradients.value());
      all.compute_all(layers.work, sparse, in.layout.sequence_parallel);
    };
    add(stage.back.dense, layers.dense_activations, none.dense, false);
    add(stage.back.sparse, layers.sparse_activations, none.sparse, true);
    kept *= stage.in_flight.value();
    if (here < 1) kept = here * kept + (1 - here) * std::fmin(kept, 2 * layer);
    kept += tower_kept(in.model, in.run, in.layout, stage).value();
    const double beside = std::fmax(gradients - micro_batch * memory.shared(i), 0);
    whole_[i] = kLessByRounding * (held * (kept + beside) + micro_batch * memory.passing(i));
    again_[i] = again_floor(in, base, stage, none);
  }
}

RecomputeFloors::Open RecomputeFloors::open(const SearchInput<double>& in,
                                            const StepBase<double>& base,
                                            const ShardingFloors& shardings, std::size_t sharding,
                                            const StepFloor& floor, const SearchResults& results) {
  const StateTransfers& states = shardings.transfers(sharding);
  const double least = shardings.bytes(sharding);
  double seconds = floor.sharded[sharding];
  double whole = 0;
  std::size_t fullest = 0;
  Open open;
  for (std::size_t i = 0; i < base.stage_count; ++i) {
    const double bytes = shardings.fixed(sharding, i) + whole_[i];
    if (bytes > whole) {
      whole = bytes;
      fullest = i;
    }
  }
  open.none = !results.hopeless(std::fmax(whole, least), seconds, floor.lower);
  // A stage that fits has nothing to drop.
  open.some = kMoreByRounding * kMoreByRounding * whole > results.limit() &&
              !is_drop_hopeless(in, base, shardings, sharding, fullest, whole, floor, results);
  for (std::size_t i = 0; i < base.stage_count; ++i) {
    seconds = std::max(seconds, floor.with_again(i, again_[i], states));
  }
  open.all = !results.hopeless(least, seconds, floor.lower);
  return open;
}

/// Whether no choice of what to compute again can change what the turn keeps, if the fullest stage,
/// which holds `whole` bytes, has to get rid of what exceeds the limit.
[[gnu::noinline]] bool RecomputeFloors::is_drop_hopeless(const SearchInput<double>& in,
                                                         const StepBase<double>& base,
                                                         const ShardingFloors& shardings,
                                                         std::size_t sharding, std::size_t fullest,
                                                         double whole, const StepFloor& floor,
                                                         const SearchResults& results) {
  if (drops_of_ != fullest) {
    drops_of_ = fullest;
    drops_ = DropFloor(base, base.stages[fullest].stage, base.stages[floor.slowest].stage);
  }
  const DropFloor& drops = drops_;
  // The allocator gives back its share of what tensors no longer take.
  const double held = 1 + in.assumptions.allocator_share.value();
  const double most = held * drops.most();
  const double needed = std::fmax(whole - results.limit(), 0);
  const auto hopeless_between = [&](double freed, double end) {
    const double seconds = std::fmax(floor.sharded[sharding],
                                     floor.with_again(floor.slowest, drops.seconds(freed / held),
                                                      shardings.transfers(sharding)));
    const double left = kLessByRounding * (whole - end);
    return results.hopeless(std::fmax(shardings.bytes(sharding), left), seconds, floor.lower);
  };
  if (hopeless_between(needed, most)) return true;
  // The more it drops, the less it holds, and the longer it takes.
  const double step = (most - needed) / kDropParts;
  if (results.for_fastest() || step <= 0) return false;
  for (int part = 0; part < kDropParts; ++part) {
    const double freed = needed + part * step;
    if (!hopeless_between(freed, freed + step)) return false;
  }
  return true;
}

}  // namespace scaling
