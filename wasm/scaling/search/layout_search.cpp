// SPDX-License-Identifier: MIT
#include "scaling/search/layout_search.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "scaling/search/search_work.hpp"
#include "scaling/training/layout_choice.hpp"

namespace scaling {
namespace {

Count<double> count_of(double x) { return Count<double>(x); }

/// Sequences that the busiest replica works on in a step.
double sequences_each(const TrainingJob<double>& run, double replicas) {
  return std::ceil(run.batch_tokens.value() / run.sequence_length.value() / replicas);
}

// In wasm, to make it anew each time takes as long as to use it.
constexpr StageSeconds kNoKernels{};

}  // namespace

[[gnu::noinline]] void LayoutSearch::set_values(DegreeValues& values, bool searched, double pinned,
                                                double number, double most) {
  if (!searched) return values.pin(pinned);
  work_ += kWorkOfDivisor * std::fmin(std::sqrt(number), most);
  values.divide(number, most);
  leave_out(LeftOut::kDegrees, !values.complete());
}

LayoutSearch::LayoutSearch(const SearchInput<double>& in, MapField x, MapField y)
    : in_(in),
      asked_(in.layout),
      x_field_(x),
      y_field_(y),
      slice_(in.chip, in.run.chips.value() / in.run.slices.value()),
      results_(limit(), memory_budget(in.chip, in.assumptions).value()) {
  // A list of layers belongs to the stages of one layout.
  asked_.stage_layers = in_.layout.stage_layers = {};
  compiled_.serve(in_.model);
  const auto& model = in.model;
  const auto& layout = in.layout;
  const auto& search = in.search;
  const auto most = [](const FieldInfo& field, double other) {
    return std::fmin(field.maximum, other);
  };
  set_values(degrees_.values_of(LayoutDegrees::kTensor), search.tensor, layout.tensor.value(),
             slice_.chips, most(field_of<Layout>("tensor"), model.heads.value()));
  set_values(degrees_.values_of(LayoutDegrees::kContext), search.context, layout.context.value(),
             slice_.chips, most(field_of<Layout>("context"), in.run.sequence_length.value()));
  set_values(degrees_.values_of(LayoutDegrees::kPipeline), search.pipeline, layout.pipeline.value(),
             slice_.chips, most(field_of<Layout>("pipeline"), model.layers.value()));
  set_values(degrees_.values_of(LayoutDegrees::kExpert), search.expert && model.sparse(),
             layout.expert.value(), model.experts.value(), field_of<Layout>("expert").maximum);
  set_values(degrees_.values_of(LayoutDegrees::kExpertTensor),
             search.expert_tensor && model.sparse(), layout.expert_tensor.value(), slice_.chips,
             most(field_of<Layout>("expertTensor"), model.heads.value()));
  // The fastest rarely have the fewest expert ways, or the most. The sooner they are found, the
  // sooner they rule others out.
  degrees_.values_of(LayoutDegrees::kExpert).order_from_middle();
}

void LayoutSearch::next_turn() {
  results_.next_turn();
  if (done()) return;
  degrees_.restart();
  grid_ = 0;
}

bool LayoutSearch::advance(std::size_t count) {
  const double goal = work_ + static_cast<double>(count);
  while (!done() && work_ < goal) {
    if (open_) {
      search_candidate();
    } else if (degrees_.next()) {
      open_degrees();
    } else {
      next_turn();
      break;  // the results of the turn are final
    }
  }
  return done();
}

/// Takes up the candidates of the degrees in hand, if these fit model and chips.
void LayoutSearch::open_degrees() {
  work_ += kWorkOfDegrees;
  auto& layout = in_.layout = asked_;
  degrees_.set(layout);
  const double ways = layout.model_ways().value();
  if (!divides(ways, slice_.chips)) return;
  data_ways_ = in_.run.chips.value() / ways;
  results_.set_ways(layout);
  // The schedule does not matter here: it decides on chunks only.
  layout.virtual_stages = count_of(1);
  layout.schedule = kSchedule<OneFOneB>;
  if (!fits_together(in_)) return;
  const double sequences = sequences_each(in_.run, data_ways_);
  micro_batches_ = &micro_batches_of_.find(sequences, [&] {
    DegreeValues values;
    set_values(values, in_.search.micro_batch, asked_.micro_batch.value(), sequences,
               field_of<Layout>("microBatch").maximum);
    return values;
  });
  if (results_.for_fastest() && is_way_too_long()) return;
  placements_.place(in_.chip, layout, slice_, in_.run.slices.value(), in_.model.sparse(),
                    &way_times_);
  work_ += kWorkOfTry * placements_.tries();
  leave_out(LeftOut::kPlacements, !placements_.complete());
  if (placements_.items().empty()) return;
  open_placement(0);
  open_ = open_schedule(0);
}

/// Whether the kernels alone of the way to divide the model in hand, wherever it is placed, take
/// longer than the best.
bool LayoutSearch::is_way_too_long() {
  // Only places on a torus take longer to find than this. Schedules, and of a pattern the chunks,
  // divide a model in other stages each.
  if (in_.chip.network != Network::kTorus || in_.search.schedule || chunks_matter(in_)) {
    return false;
  }
  auto& layout = in_.layout;
  layout.schedule = asked_.schedule;
  stage_table_.set(base_, in_);
  QuickFloor quick(in_, base_);
  const bool searched = in_.search.virtual_stages;
  quick.set_bubble(layout, searched ? std::ceil((in_.model.layers / layout.pipeline).value())
                                    : asked_.virtual_stages.value());
  const auto micro_batches = micro_batches_->items();
  return std::all_of(micro_batches.rbegin(), micro_batches.rend(), [&](double sequences) {
    layout.micro_batch = count_of(sequences);
    work_ += kWorkOfQuick;
    set_kernels();
    const double passes = quick.passes(sequences, kernels_, kNoStates);
    const auto count = count_micro_batches<double>(in_.run, layout);
    return quick.seconds(count.value(), passes) >= results_.fastest_limit();
  });
}

/// Takes up the first schedule from `first` on that the stages in hand allow; whether there is one.
bool LayoutSearch::open_schedule(std::size_t first) {
  auto& layout = in_.layout;
  const bool choose = in_.search.schedule;
  const double stages = layout.pipeline.value();
  // All schedules are alike for a single stage.
  const std::size_t last = choose && stages > 1 ? std::size(kPipelineScheduleNames) : 1;
  for (schedule_at_ = first; schedule_at_ < last; ++schedule_at_) {
    layout.schedule = choose ? static_cast<PipelineSchedule>(schedule_at_) : asked_.schedule;
    const PipelineScheduleRow& schedule = row_of(layout.schedule);
    if (schedule.even_stages && stages > 1 && !divides(2, stages)) continue;
    const bool chunks = schedule.asks_chunks && stages > 1;
    const double asked = chunks ? asked_.virtual_stages.value() : 1;
    const double of_stage = std::ceil(in_.model.layers.value() / stages);
    const bool searched = in_.search.virtual_stages && chunks;
    if (!searched && asked > of_stage) continue;
    set_values(chunks_, searched, asked, of_stage, field_of<Layout>("virtualStages").maximum);
    open_chunks(0);
    return true;
  }
  return false;
}

/// Makes what all candidates of a placement share.
void LayoutSearch::open_placement(std::size_t index) {
  placement_at_ = index;
  transfers_priced_ = stages_made_ = false;
  const Placement& placement = placements_.items()[index];
  set_ways(base_, placement);
  const bool one_rank = base_.ways.dense.value() <= 1 && base_.ways.experts.value() <= 1;
  shardings_.set_count(in_.search.sharding && !one_rank ? kShardings : 1);  // on one, all are alike
}

/// Makes the stages in hand, which all micro-batches share, and, without a pattern, all schedules
/// that divide the model alike.
void LayoutSearch::make_stages() {
  work_ += kWorkOfStages;
  stage_table_.set(base_, in_);
  shardings_.set_stages(in_, base_);
  // The first micro-batch is the smallest.
  least_memory_ = shardings_.set_bytes(in_, base_, 0);
  stages_made_ = true;
  stages_priced_ = false;
}

void LayoutSearch::open_chunks(std::size_t index) {
  chunks_at_ = index;
  in_.layout.virtual_stages = count_of(chunks_.items()[index]);
  // Schedules of one course divide the model alike; the chunks decide which layers of a pattern lie
  // on a stage.
  const PipelineCourse course = course_of(in_.layout);
  if (course != course_ || chunks_matter(in_)) stages_made_ = false;
  course_ = course;
  set_bubble();
}

/// Looks up the fastest of its values in the map.
[[gnu::noinline]] void LayoutSearch::set_cell() {
  results_.set_cell(map_value(x_field_, in_.layout, data_ways_),
                    map_value(y_field_, in_.layout, data_ways_));
}

/// Looks at the candidate in hand, and takes up the next.
void LayoutSearch::search_candidate() {
  in_.layout.micro_batch = count_of(micro_batches_->items()[micro_batch_at_]);
  const std::size_t of_each = shardings_.count() * (in_.search.recompute ? 3 : 1);
  grid_ += of_each;
  const bool for_best = results_.for_fastest();
  const auto skip_larger_micro_batches = [&] {
    const std::size_t last = micro_batches_->items().size() - 1;
    grid_ += of_each * (last - micro_batch_at_);
    micro_batch_at_ = last;
    next_candidate();
  };
  if (!stages_made_) make_stages();
  if (results_.exceeds(least_memory_)) return skip_larger_micro_batches();
  if (!stages_priced_) price_stages();
  work_ += kWorkOfQuick;
  if (least_passes_[micro_batch_at_].settled) return next_candidate();
  if (!for_best) set_cell();
  if (for_best && quick_.least() >= results_.fastest_limit()) return skip_larger_micro_batches();
  if (for_best && is_too_long()) return next_candidate();
  const double memory = set_floors();
  // A larger micro-batch needs no less memory.
  if (results_.exceeds(memory)) return skip_larger_micro_batches();
  if (is_hopeless_at_a_glance(memory)) return next_candidate();
  work_ += kWorkOfFloor;
  set_priced();
  StepFloor floor = step_floor(in_, base_, ends_, shardings_.transfers());
  search_states(floor);
  next_candidate();
}

/// Sets the kernels of the micro-batch in hand.
[[gnu::noinline]] void LayoutSearch::set_kernels() {
  for_each_model(
      [&](std::size_t own, const StepInput<double>& in, const LayerPattern::Counts& kinds) {
        kernels_[own] = prices_.seconds(in, kinds, !results_.for_fastest());
      });
}

/// Sees whether the micro-batch in hand is hopeless in any number of chunks and any schedule that
/// share its stages.
[[gnu::noinline]] void LayoutSearch::settle(LeastPasses& least) {
  const bool schedules = in_.search.schedule && in_.layout.pipeline.value() > 1;
  // A pattern's stages differ by the chunks.
  if (chunks_matter(in_) || (chunks_.items().size() < 2 && !schedules)) return;
  if (schedules) {
    quick_.forget_bubble();
  } else {
    quick_.set_bubble(in_.layout, chunks_.items().back());
  }
  least.settled = is_hopeless_by(least, kernels_, shardings_.set_bytes(in_, base_, 0));
  set_bubble();
}

/// The least times of the passes of the micro-batch in hand, at least by what they move.
[[gnu::noinline]] LayoutSearch::LeastPasses& LayoutSearch::least_passes() {
  LeastPasses& least = least_passes_[micro_batch_at_];
  if (least.by == LeastPasses::By::kNothing) {
    least.by = LeastPasses::By::kTransfers;
    least.micro_batches = count_micro_batches<double>(in_.run, in_.layout).value();
    least.unsharded = quick_.passes(in_.layout.micro_batch.value(), kNoKernels, kNoStates);
  }
  return least;
}

/// Whether the passes of the candidate in hand alone take too long. All schedules with these stages
/// share the bound of a pass.
bool LayoutSearch::is_too_long() {
  const LeastPasses& least = least_passes();
  return quick_.seconds(least.micro_batches, least.unsharded) >= results_.fastest_limit();
}

/// Whether, at these least times, no sharding of the candidate in hand can be among what the turn
/// keeps, if none needs less than `memory`.
[[gnu::noinline]] bool LayoutSearch::is_hopeless_by(LeastPasses& least, const StageSeconds& kernels,
                                                    double memory) const {
  const double micro_batch = in_.layout.micro_batch.value();
  const double lower = quick_.lower(least.micro_batches, micro_batch, least.lower);
  if (results_.hopeless(memory, quick_.seconds(least.micro_batches, least.unsharded), lower))
    return true;
  for (std::size_t i = 0; i < shardings_.count(); ++i) {
    const StateTransfers& states = shardings_.transfers(i);
    if (!least.sharded) {
      least.of[i] = states.some ? quick_.passes(micro_batch, kernels, states) : least.unsharded;
    }
  }
  least.sharded = true;
  for (std::size_t i = 0; i < shardings_.count(); ++i) {
    // One that needs no less and takes no less than the next is hopeless if that is.
    const std::size_t next = i + 1;
    if (next < shardings_.count() && shardings_.bytes(next) <= shardings_.bytes(i) &&
        least.of[next] <= least.of[i] &&
        shardings_.transfers(next).lower <= shardings_.transfers(i).lower) {
      continue;
    }
    if (!results_.hopeless(
            shardings_.bytes(i), quick_.seconds(least.micro_batches, least.of[i]),
            shardings_.lower(i, least_passes_[micro_batch_at_].micro_batches, lower))) {
      return false;
    }
  }
  return true;
}

/// Whether, at a loose bound of its time, no sharding of the candidate in hand can be among the
/// best, if none needs less than `memory`.
bool LayoutSearch::is_hopeless_at_a_glance(double memory) {
  LeastPasses& least = least_passes();
  if (least.by == LeastPasses::By::kTransfers) {
    // Transfers alone rule most out where only the best count, and spare their kernels' prices.
    const bool for_best = results_.for_fastest();
    if (for_best && is_hopeless_by(least, kNoKernels, memory)) return true;
    set_kernels();
    least.by = LeastPasses::By::kKernels;
    least.sharded = false;
    least.unsharded = quick_.passes(in_.layout.micro_batch.value(), kernels_, kNoStates);
    least.lower = quick_.lower_passes(kernels_);
    if (!for_best) {
      settle(least);
      if (least.settled) return true;
      set_floors();
    }
    return is_hopeless_by(least, kernels_, memory);
  }
  if (!least.sharded) set_kernels();
  return is_hopeless_by(least, kernels_, memory);
}

/// Sets the bytes that each sharding of the candidate in hand needs at least, and returns the least
/// of them.
double LayoutSearch::set_floors() {
  return shardings_.set_bytes(in_, base_, least_passes().micro_batches);
}

void LayoutSearch::next_candidate() {
  if (++micro_batch_at_ < micro_batches_->items().size()) return;
  micro_batch_at_ = 0;
  if (chunks_at_ + 1 < chunks_.items().size()) return open_chunks(chunks_at_ + 1);
  if (open_schedule(schedule_at_ + 1)) return;
  if (placement_at_ + 1 < placements_.items().size()) {
    open_placement(placement_at_ + 1);
    open_schedule(0);
    return;
  }
  open_ = false;
}

/// Prices the transfers of the stages in hand.
void LayoutSearch::price_stages() {
  if (!transfers_priced_) {
    work_ += kWorkOfTransfers;
    const Placement& placement = placements_.items()[placement_at_];
    placed_ = {placement, step_transfers<double>(in_, placement, &placed_)};
    transfers_priced_ = true;
  }
  work_ += kWorkOfStates + kWorkOfFloor;
  set_states<double>(base_, in_, placed_.transfers, placed_.placement);
  shardings_.set_transfers(in_, base_);
  quick_ = QuickFloor(in_, base_, placed_.transfers);
  set_bubble();
  const auto micro_batches = micro_batches_->items();
  quick_.set_least(sequences_each(in_.run, data_ways_), micro_batches.front(),
                   micro_batches.back());
  for (std::size_t i = 0; i < micro_batches.size(); ++i) least_passes_[i] = {};
  stages_priced_ = true;
}

/// Calls `use`, which asks for prices, with the average layer of the candidate in hand, and with
/// those of each stage that has layers of its own, by Stage::own.
template <class Use>
void LayoutSearch::for_each_model(Use use) {
  const std::size_t before = prices_.made();
  use(std::size_t{0}, StepInput<double>(in_), LayerPattern::Counts{});
  each_own(base_, in_.model, [&](const Model<double>& model, const auto& part) {
    use(part.own, StepInput<double>(in_, model), part.kinds);
  });
  work_ += kWorkOfKernels * static_cast<double>(prices_.made() - before);
}

/// Sets the layers of the candidate in hand.
void LayoutSearch::set_priced() {
  for_each_model(
      [&](std::size_t own, const StepInput<double>& in, const LayerPattern::Counts& kinds) {
        const LayerPrice& price = prices_.find(in, kinds);
        LayerCost<double>& cost = own == 0 ? base_ : base_.own[own - 1];
        cost.work = price.layers.work;
        cost.dense_activations = price.layers.dense_activations;
        cost.sparse_activations = price.layers.sparse_activations;
        if (own == 0) ends_ = price.ends;
      });
  set_layers<double>(base_, in_, base_.work, placed_.transfers);
}

void LayoutSearch::search_states(StepFloor& floor) {
  auto& layout = in_.layout;
  const double lower = floor.lower;
  const bool choose = in_.search.recompute;
  RecomputeFloors floors;
  RecomputeChoices choices;
  RecomputeFloors::Open open{};
  bool first = true;
  for (std::size_t i = 0; i < shardings_.count(); ++i) {
    work_ += kWorkOfBytes;
    floor.lower = shardings_.lower(i, least_passes_[micro_batch_at_].micro_batches, lower);
    if (results_.hopeless(shardings_.bytes(i), floor.sharded[i], floor.lower)) continue;
    sharding_at_ = i;
    if (choose) {
      if (!floors.is_set()) floors.set(in_, base_, shardings_.memory());
      open = floors.open(in_, base_, shardings_, i, floor, results_);
      if (!open.none && !open.some && !open.all) continue;
    }
    choose_sharding(in_, i);
    if (first) {
      first = false;
      work_ += kWorkOfMemory;
      set_transients<double>(base_, in_);
      set_passes<double>(base_, in_, ends_);
      if (choose) {
        layout.recompute = Recompute::kNone;
        choices.all = keep_layers<double>(in_, base_, {});
        layout.recompute = Recompute::kFull;
        choices.inputs = keep_layers<double>(in_, base_, {});
      }
    }
    if (choose) {
      search_recompute(choices, open, floor);
    } else {
      KeptStages<double> left;
      work_ += kWorkOfChoice;
      const auto dropped = choose_dropped(in_, base_, limit_now(), left);
      cost(left, dropped, floor.sharded[i], floor.lower);
    }
  }
  layout.recompute = asked_.recompute;
  layout.sharding = asked_.sharding;
}

void LayoutSearch::search_recompute(const RecomputeChoices& choices,
                                    const RecomputeFloors::Open& open, const StepFloor& floor) {
  auto& layout = in_.layout;
  const double seconds = floor.sharded[sharding_at_];
  const auto seconds_of = [&](const KeptStages<double>& kept) {
    return seconds_with(in_, base_, floor, sharding_at_, shardings_.transfers(sharding_at_), kept);
  };
  layout.recompute = Recompute::kCheapest;
  // Recomputation takes longer, but for a little where transfers hide it.
  if (open.none || open.some) {
    const auto whole = stage_bytes(in_, base_, shardings_.states(sharding_at_), choices.all);
    const bool fits = whole[fullest_stage(base_, whole)] <= results_.limit();
    if (!fits && open.some) {
      work_ += kWorkOfChoice;
      KeptStages<double> left;
      const auto dropped =
          choose_dropped(in_, base_, shardings_.states(sharding_at_), whole, limit_now(), left);
      if (dropped != DroppedShares{}) {
        cost(left, dropped, seconds_of(left), floor.lower);
      }
    }
    if (!fits) layout.recompute = Recompute::kNone;
    if (open.none) cost(choices.all, {}, seconds, floor.lower);
  }
  if (!open.all) return;
  layout.recompute = Recompute::kFull;
  cost(choices.inputs, {}, seconds_of(choices.inputs), floor.lower);
}

/// Costs the layout in hand, unless its memory and the times that it takes at least rule it out.
void LayoutSearch::cost(const KeptStages<double>& kept, const DroppedShares& dropped,
                        double seconds, double lower) {
  work_ += kWorkOfBytes;
  const auto bytes = stage_bytes(in_, base_, shardings_.states(sharding_at_), kept);
  const double memory = bytes[fullest_stage(base_, bytes)];
  if (results_.hopeless(memory, seconds, lower)) return;
  const bool fits = memory <= results_.limit();
  results_.count(fits);
  ++work_;
  const auto times = step_times<double>(in_, base_, kept);
  const double expected = times.expected.value();
  if (results_.is_wanted(memory, expected)) {
    ++work_;
    const bool room =
        results_.keep(make_costed(in_, data_ways_, finish_step<double>(in_, base_, kept), dropped));
    leave_out(LeftOut::kFront, !room);
  }
  if (!fits || results_.for_fastest()) return;
  const bool has_cell = results_.keep_times(map_value(x_field_, in_.layout, data_ways_),
                                            map_value(y_field_, in_.layout, data_ways_), expected,
                                            times.lower.value());
  leave_out(LeftOut::kMap, !has_cell);
}

}  // namespace scaling
