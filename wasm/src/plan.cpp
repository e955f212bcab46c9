// SPDX-License-Identifier: MIT
#include "scaling/plan.hpp"

#include <algorithm>
#include <cmath>

namespace scaling {
namespace {

Count<double> count_of(double x) { return Count<double>(x); }

/// Sequences that the busiest replica works on in a step.
double sequences_each(const Run<double>& run, double replicas) {
  return std::ceil(run.batch_tokens.value() / run.sequence_length.value() / replicas);
}

}  // namespace

PlanSearch::Values::Values(bool searched, double pinned, double number, double most) {
  if (!searched) {
    items_[size_++] = pinned;
    return;
  }
  const Divisors divisors(number);
  for (const double divisor : divisors.items()) {
    if (divisor > most || size_ == items_.size()) break;
    items_[size_++] = divisor;
  }
}

PlanSearch::PlanSearch(const PlanQuestion::Groups<double>& in, MapField x, MapField y)
    : in_(in),
      x_field_(x),
      y_field_(y),
      slice_chips_(in.run.chips.value() / in.run.slices.value()),
      limit_(memory_limit(in.chip, in.assumptions)),
      tensors_(in.search.tensor, in.layout.tensor.value(), slice_chips_, in.model.heads.value()),
      contexts_(in.search.context, in.layout.context.value(), slice_chips_,
                in.run.sequence_length.value()),
      pipelines_(in.search.pipeline, in.layout.pipeline.value(), slice_chips_,
                 in.model.layers.value()),
      experts_(in.search.expert && in.model.sparse(), in.layout.expert.value(),
               in.model.experts.value()),
      expert_tensors_(in.search.expert_tensor && in.model.sparse(), in.layout.expert_tensor.value(),
                      slice_chips_, in.model.heads.value()) {}

double PlanSearch::fraction() const {
  if (done()) return 1;
  // Of the turn, by its two outermost degrees.
  const double tensors = static_cast<double>(tensors_.items().size());
  const double contexts = static_cast<double>(contexts_.items().size());
  return (static_cast<double>(at_[0]) + static_cast<double>(at_[1]) / contexts) / tensors;
}

/// Goes on to the next degrees, valid or not; pipelines change fastest, as they share the most.
bool PlanSearch::next_degrees() {
  if (!started_) {
    started_ = true;
    return true;
  }
  const std::size_t sizes[] = {tensors_.items().size(), contexts_.items().size(),
                               expert_tensors_.items().size(), experts_.items().size(),
                               pipelines_.items().size()};
  for (std::size_t i = at_.size(); i-- > 0;) {
    if (++at_[i] < sizes[i]) return true;
    at_[i] = 0;
  }
  return false;
}

bool PlanSearch::advance(std::size_t count) {
  const std::size_t goal = evaluated_ + count;
  // Degrees that fit nothing cost little, but not nothing.
  for (std::size_t tries = 0; !done() && evaluated_ < goal && tries < count; ++tries) {
    if (!next_degrees()) {
      turn_ = turn_ == Turn::kBest ? Turn::kAll : Turn::kDone;
      if (done()) break;
      started_ = false;
      evaluated_ = fitting_ = 0;
      break;
    }
    auto& layout = in_.layout;
    layout.tensor = count_of(tensors_.items()[at_[0]]);
    layout.context = count_of(contexts_.items()[at_[1]]);
    layout.expert_tensor = count_of(expert_tensors_.items()[at_[2]]);
    layout.expert = count_of(experts_.items()[at_[3]]);
    layout.pipeline = count_of(pipelines_.items()[at_[4]]);
    search_degrees();
  }
  return done();
}

void PlanSearch::find_best() {
  while (!best_known()) advance(4096);
}

void PlanSearch::search_degrees() {
  auto& layout = in_.layout;
  const double ways = layout.model_ways().value();
  if (!divides(ways, slice_chips_)) return;
  data_ways_ = in_.run.chips.value() / ways;
  const bool choose_schedule = in_.search.schedule;
  const double asked_virtual = layout.virtual_stages.value();
  const PipelineSchedule asked = layout.schedule;
  // Whatever the schedule is: it decides on chunks only.
  layout.virtual_stages = count_of(1);
  layout.schedule = PipelineSchedule::kOneFOneB;
  const bool fits = PlanQuestion::fits_together(in_);
  layout.schedule = asked;
  if (fits) {
    const Placements placements(in_.chip, layout, slice_chips_, in_.run.slices.value(),
                                in_.model.sparse());
    for (const Placement& placement : placements.items()) {
      const auto transfers = make_transfers(in_.chip, in_.model, layout, placement,
                                            in_.assumptions.in_network_reduction);
      const std::size_t schedules = choose_schedule ? std::size(kPipelineScheduleNames) : 1;
      for (std::size_t i = 0; i < schedules; ++i) {
        if (choose_schedule) layout.schedule = static_cast<PipelineSchedule>(i);
        if (layout.pipeline.value() <= 1 && i > 0) break;  // all alike
        const bool odd = layout.pipeline.value() > 1 && !divides(2, layout.pipeline.value());
        if (layout.schedule == PipelineSchedule::kDualPipe && odd) continue;
        const bool chunks =
            layout.schedule == PipelineSchedule::kInterleaved && layout.pipeline.value() > 1;
        const double of_stage = std::ceil(in_.model.layers.value() / layout.pipeline.value());
        const Values virtual_stages(in_.search.virtual_stages && chunks, chunks ? asked_virtual : 1,
                                    of_stage);
        for (const double v : virtual_stages.items()) {
          if (!divides(v, of_stage)) continue;
          layout.virtual_stages = count_of(v);
          search_micro_batches(placement, transfers);
        }
      }
    }
  }
  layout.virtual_stages = count_of(asked_virtual);
  layout.schedule = asked;
}

const PlanSearch::Priced& PlanSearch::priced() {
  const auto& layout = in_.layout;
  const std::array<double, 4> wanted{layout.tensor.value(), layout.context.value(),
                                     layout.expert.value(), layout.expert_tensor.value()};
  if (wanted != priced_for_) {
    priced_for_ = wanted;
    priced_size_ = 0;
  }
  const double micro_batch = layout.micro_batch.value();
  for (std::size_t i = 0; i < priced_size_; ++i) {
    if (priced_[i].micro_batch == micro_batch) return priced_[i];
  }
  if (priced_size_ == priced_.size()) priced_size_ = 0;
  Priced& entry = priced_[priced_size_++];
  entry.micro_batch = micro_batch;
  entry.work = layer_work(in_.chip, in_.model, in_.run, layout, in_.assumptions);
  entry.ends = ends_work(in_.chip, in_.model, in_.run, layout, in_.assumptions);
  return entry;
}

void PlanSearch::search_micro_batches(const Placement& placement,
                                      const Transfers<double>& transfers) {
  auto& layout = in_.layout;
  const double asked = layout.micro_batch.value();
  const Values micro_batches(in_.search.micro_batch, asked, sequences_each(in_.run, data_ways_));
  for (const double micro_batch : micro_batches.items()) {
    layout.micro_batch = count_of(micro_batch);
    const Priced& price = priced();
    if (turn_ == Turn::kBest && hopeless(price)) continue;
    const auto base = make_step_base(in_.step(), price.work, price.ends, transfers, placement);
    search_states(base);
  }
  layout.micro_batch = count_of(asked);
}

/// Seconds from which on a step changes nothing of what is kept.
double PlanSearch::cutoff() const {
  const std::size_t place = cell();
  const double kept = place < cells_.size() ? cells_[place] : 0;
  if (best_size_ < kBest || kept == 0) return 1e300;
  return std::fmax(best_[kBest - 1].expected, kept);
}

/// Whether computing alone, with the bubble that it makes, takes longer than what is kept.
bool PlanSearch::hopeless(const Priced& price) const {
  const auto& layout = in_.layout;
  const auto& work = price.work;
  const auto layers = stage_layers(in_.model.layers, layout.pipeline).most;
  const auto moe = moe_layers(in_.model);
  const auto shorter = [&](const Work<double>& dense, const Work<double>& sparse) {
    if (moe.value() <= 0) return layers * dense.expected;
    if (moe >= in_.model.layers) return layers * sparse.expected;
    return layers * min(dense.expected, sparse.expected);
  };
  PassTimes<double> times{shorter(work.dense_forward(), work.sparse_forward()),
                          shorter(work.dense_backward, work.sparse_backward),
                          {}};
  const auto micro_batches = count_micro_batches(in_.run, layout);
  auto seconds = micro_batches * (times.forward + times.backward);
  // What zero-bubble schedules put off is not known here.
  const bool bubble = layout.schedule <= PipelineSchedule::kInterleaved;
  if (bubble) seconds = seconds + bubble_time(layout, micro_batches, times);
  return seconds.value() >= cutoff();
}

void PlanSearch::search_states(const StepBase<double>& base) {
  auto& layout = in_.layout;
  const Recompute asked_recompute = layout.recompute;
  const StateSharding asked_sharding = layout.sharding;
  const bool one_rank = base.ways.dense.value() <= 1 && base.ways.experts.value() <= 1;
  const int shardings = in_.search.sharding && !one_rank ? 4 : 1;  // on one rank, all are alike
  for (int sharding = 0; sharding < shardings; ++sharding) {
    if (in_.search.sharding) layout.sharding = static_cast<StateSharding>(sharding);
    if (!in_.search.recompute) {
      cost(base, choose_dropped(in_.step(), base, limit_));
    } else {
      search_recompute(base);
    }
  }
  layout.recompute = asked_recompute;
  layout.sharding = asked_sharding;
}

void PlanSearch::search_recompute(const StepBase<double>& base) {
  auto& layout = in_.layout;
  layout.recompute = Recompute::kCheapest;
  if (turn_ == Turn::kBest) {
    // Nothing computed again is the fastest; what is, takes longer the more it is.
    const Costed none = cost(base, {});
    if (none.fits || none.seconds >= cutoff()) return;
    const DroppedShares dropped = choose_dropped(in_.step(), base, limit_);
    if (dropped == DroppedShares{} || cost(base, dropped).fits) return;
    layout.recompute = Recompute::kFull;
    cost(base, {});
    return;
  }
  const DroppedShares dropped = choose_dropped(in_.step(), base, limit_);
  cost(base, dropped);
  // The ends of what there is to choose between, for the front.
  if (dropped != DroppedShares{}) {
    layout.recompute = Recompute::kNone;
    cost(base, {});
  }
  layout.recompute = Recompute::kFull;
  cost(base, {});
}

PlanSearch::Costed PlanSearch::cost(const StepBase<double>& base, const DroppedShares& dropped) {
  const auto& in = in_;
  const auto kept_dense =
      keep(base.dense_activations, base.work, false, in.model, in.run, in.layout, dropped);
  const auto kept_sparse =
      keep(base.sparse_activations, base.work, true, in.model, in.run, in.layout, dropped);
  const auto step = finish_step(in.step(), base, kept_dense, kept_sparse);
  ++evaluated_;
  const bool fits = step.memory.total() <= limit_;
  if (fits) ++fitting_;
  if (turn_ == Turn::kAll) {
    keep_front(step);
    if (fits) lower_ = std::fmin(lower_, step.lower.value());
  } else if (fits) {
    keep_best(step);
    keep_cell(step.expected.value());
  }
  return {step.expected.value(), fits};
}

Plan PlanSearch::make_plan(const Step<double>& step) const {
  Plan plan;
  plan.layout = in_.layout;
  plan.data_ways = data_ways_;
  plan.micro_batches = step.micro_batches.value();
  plan.expected = step.expected.value();
  plan.lower = step.lower.value();
  plan.upper = step.upper.value();
  plan.memory = step.memory.total().value();
  plan.bound = step.bound.value();
  plan.next_bound = step.next_bound.value();
  plan.parts = {(step.forward + step.backward).value(),
                step.recompute.value(),
                step.exposed_tensor.value(),
                step.exposed_context.value(),
                step.exposed_expert.value(),
                step.exposed_data.value(),
                step.exposed_pipeline.value(),
                step.bubble.value(),
                step.optimizer.value(),
                step.exposed_host.value()};
  return plan;
}

void PlanSearch::keep_best(const Step<double>& step) {
  const double seconds = step.expected.value();
  if (best_size_ == kBest && seconds >= best_[kBest - 1].expected) return;
  // One of each way to split: the place of the one that is there, or of the last.
  const auto& layout = in_.layout;
  std::size_t place = best_size_;
  for (std::size_t i = 0; i < best_size_; ++i) {
    const auto& other = best_[i].layout;
    const bool same = other.tensor.value() == layout.tensor.value() &&
                      other.context.value() == layout.context.value() &&
                      other.pipeline.value() == layout.pipeline.value() &&
                      other.expert.value() == layout.expert.value() &&
                      other.expert_tensor.value() == layout.expert_tensor.value();
    if (!same) continue;
    if (best_[i].expected <= seconds) return;
    place = i;
    break;
  }
  if (place == best_size_) {
    if (best_size_ < kBest) {
      ++best_size_;
    } else {
      --place;
    }
  }
  for (; place > 0 && best_[place - 1].expected > seconds; --place) best_[place] = best_[place - 1];
  best_[place] = make_plan(step);
}

void PlanSearch::keep_front(const Step<double>& step) {
  const double memory = step.memory.total().value();
  const double seconds = step.expected.value();
  // Sorted by memory, and so by falling time.
  const auto* begin = front_.data();
  const auto* end = begin + front_size_;
  const auto* after = std::upper_bound(
      begin, end, memory, [](double bytes, const Plan& plan) { return bytes < plan.memory; });
  if (after != begin && (after - 1)->expected <= seconds) return;
  auto place = static_cast<std::size_t>(after - begin);
  if (place > 0 && front_[place - 1].memory == memory) --place;
  std::size_t next = place;
  while (next < front_size_ && front_[next].expected >= seconds) ++next;
  if (next == place) {
    if (front_size_ == kFront) return;
    for (std::size_t i = front_size_++; i > place; --i) front_[i] = front_[i - 1];
  } else {
    // The first that it beats gives its place, the others go.
    const std::size_t gone = next - place - 1;
    for (std::size_t i = next; i < front_size_; ++i) front_[i - gone] = front_[i];
    front_size_ -= gone;
  }
  front_[place] = make_plan(step);
}

double PlanSearch::map_value(MapField field) const {
  const auto& layout = in_.layout;
  switch (field) {
    case MapField::kTensor:
      return layout.tensor.value();
    case MapField::kContext:
      return layout.context.value();
    case MapField::kPipeline:
      return layout.pipeline.value();
    case MapField::kExpert:
      return layout.expert.value();
    case MapField::kMicroBatch:
      return layout.micro_batch.value();
    case MapField::kData:
      break;
  }
  return data_ways_;
}

/// The place of the layout in hand on the map; that of its end, where its values are not there yet.
std::size_t PlanSearch::cell() const {
  const auto find = [](std::span<const double> values, double value) {
    return static_cast<std::size_t>(std::find(values.begin(), values.end(), value) -
                                    values.begin());
  };
  const std::size_t x = find(map_x(), map_value(x_field_));
  const std::size_t y = find(map_y(), map_value(y_field_));
  return x == map_x_size_ || y == map_y_size_ ? cells_.size() : y * kMapValues + x;
}

void PlanSearch::keep_cell(double seconds) {
  const auto add = [](std::array<double, kMapValues>& values, std::size_t& size, double value) {
    const auto end = values.begin() + static_cast<std::ptrdiff_t>(size);
    if (std::find(values.begin(), end, value) == end && size < kMapValues) values[size++] = value;
  };
  add(map_x_, map_x_size_, map_value(x_field_));
  add(map_y_, map_y_size_, map_value(y_field_));
  const std::size_t place = cell();
  if (place == cells_.size()) return;  // more values than the map has room for
  double& kept = cells_[place];
  if (kept == 0 || seconds < kept) kept = seconds;
}

bool set_chips(PlanQuestion::Groups<double>& in, double chips, bool weak) {
  auto& run = in.run;
  if (chips == run.chips.value()) return true;
  double slices = divides(run.slices.value(), chips) ? run.slices.value() : 1;
  if (in.chip.network == Network::kTorus) {
    const double fewest = std::ceil(chips / in.chip.domain_chips().value());
    const auto whole = [&](double n) {
      return divides(n, chips) && slice_shape(in.chip, chips / n)[0] > 0;
    };
    constexpr double kMore = 64;
    for (slices = fewest; !whole(slices); ++slices) {
      if (slices == fewest + kMore) return false;
    }
  } else if (in.chip.network == Network::kNone && chips > 1) {
    return false;
  }
  if (weak) {
    const double own = (run.batch_tokens / run.sequence_length).value();
    const double sequences = std::round(own * chips / run.chips.value());
    run.batch_tokens = count_of(sequences < 1 ? 1 : sequences) * run.sequence_length;
  }
  run.chips = Quantity<kChip, double>(chips);
  run.slices = count_of(slices);
  return true;
}

bool pull(PlanQuestion::Groups<double>& in, Lever lever) {
  switch (lever) {
    case Lever::kMoreChips:
      return set_chips(in, 2 * in.run.chips.value(), false);
    case Lever::kLargerBatch:
      in.run.batch_tokens = 2.0 * in.run.batch_tokens;
      return in.run.batch_tokens <= in.run.tokens;
    case Lever::kFp8:
      if (in.layout.fp8_matmuls || !in.chip.peak(Format::kFp8).present()) return false;
      in.layout.fp8_matmuls = true;
      return true;
    case Lever::kFasterNetwork:
      in.chip.link_bandwidth = 2.0 * in.chip.link_bandwidth;
      in.chip.scale_up_bandwidth = 2.0 * in.chip.scale_up_bandwidth;
      if (in.chip.scale_out_bandwidth.present()) {
        in.chip.scale_out_bandwidth.value = 2.0 * in.chip.scale_out_bandwidth.value;
      }
      return in.run.chips.value() > 1;
    case Lever::kMoreMemory:
      in.chip.memory = 2.0 * in.chip.memory;
      return true;
    case Lever::kFasterMemory:
      in.chip.memory_bandwidth = 2.0 * in.chip.memory_bandwidth;
      return true;
    case Lever::kMoreOverlap:
      in.assumptions.overlap_tensor = count_of(1);
      in.assumptions.overlap_expert = count_of(1);
      return in.run.chips.value() > 1;
    case Lever::kLessRecompute:
      in.chip.memory = 1e3 * in.chip.memory;
      in.layout.recompute = Recompute::kNone;
      in.search.recompute = false;
      return true;
  }
  return false;
}

}  // namespace scaling
