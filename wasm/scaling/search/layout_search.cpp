// SPDX-License-Identifier: MIT
#include "scaling/search/layout_search.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace scaling {
namespace {

Count<double> count_of(double x) { return Count<double>(x); }

/// Sequences that the busiest replica works on in a step.
double sequences_each(const Run<double>& run, double replicas) {
  return std::ceil(run.batch_tokens.value() / run.sequence_length.value() / replicas);
}

// What parts of a search take, as shares of the time that a layout takes to cost: measured on the
// machines of tests/core/plan_search_test.cpp.
constexpr double kWorkOfDegrees = 1.0 / 32;   // to see whether degrees fit model and chips
constexpr double kWorkOfTry = 1.0 / 256;      // one of Placements::tries()
constexpr double kWorkOfDivisor = 1.0 / 512;  // to see whether one number divides another
constexpr double kWorkOfPlacement = 1;        // to price its transfers
constexpr double kWorkOfKernels = 4;          // to price a micro-batch's
constexpr double kWorkOfBound = 1.0 / 8;      // to see that a candidate is hopeless
constexpr double kWorkOfBase = 1;             // to make the StepBase that layouts share
constexpr double kWorkOfChoice = 1;           // to choose what to compute again

/// Layouts whose times, or bytes, differ by less are told apart by what else they need.
constexpr double kTied = 1.01;

int kinds_of_ways(const CostedLayout& plan) {
  const auto& layout = plan.layout;
  const double ways[] = {layout.tensor.value(),        layout.context.value(),
                         layout.pipeline.value(),      layout.expert.value(),
                         layout.expert_tensor.value(), plan.data_ways};
  return static_cast<int>(
      std::count_if(std::begin(ways), std::end(ways), [](double count) { return count > 1; }));
}

/// Whether `a` is at least as good as `b` in all that a choice among the best goes by.
bool as_good(const CostedLayout& a, const CostedLayout& b) {
  return a.expected <= b.expected && a.memory <= b.memory && kinds_of_ways(a) <= kinds_of_ways(b);
}

}  // namespace

LayoutSearch::Values::Values(double number, double most) {
  const Divisors divisors(number, most);
  complete_ = divisors.complete();
  for (const double divisor : divisors.items()) {
    if (divisor > most) break;
    items_[size_++] = divisor;
  }
}

LayoutSearch::Values LayoutSearch::values(bool searched, double pinned, double number,
                                          double most) {
  if (!searched) return Values(pinned);
  work_ += kWorkOfDivisor * std::fmin(std::sqrt(number), most);
  Values result(number, most);
  leave_out(LeftOut::kDegrees, !result.complete());
  return result;
}

LayoutSearch::LayoutSearch(const SearchInput<double>& in, MapField x, MapField y)
    : in_(in),
      asked_(in.layout),
      x_field_(x),
      y_field_(y),
      slice_chips_(in.run.chips.value() / in.run.slices.value()),
      limit_(memory_limit(in.chip, in.assumptions)) {
  const auto& model = in.model;
  const auto& layout = in.layout;
  const auto& search = in.search;
  const auto most = [](const FieldInfo& field, double other) {
    return std::fmin(field.maximum, other);
  };
  tensors_ = values(search.tensor, layout.tensor.value(), slice_chips_,
                    most(field_of<Layout>("tensor"), model.heads.value()));
  contexts_ = values(search.context, layout.context.value(), slice_chips_,
                     most(field_of<Layout>("context"), in.run.sequence_length.value()));
  pipelines_ = values(search.pipeline, layout.pipeline.value(), slice_chips_,
                      most(field_of<Layout>("pipeline"), model.layers.value()));
  experts_ = values(search.expert && model.sparse(), layout.expert.value(), model.experts.value(),
                    field_of<Layout>("expert").maximum);
  expert_tensors_ =
      values(search.expert_tensor && model.sparse(), layout.expert_tensor.value(), slice_chips_,
             most(field_of<Layout>("expertTensor"), model.heads.value()));
}

double LayoutSearch::fraction() const {
  if (done()) return 1;
  // Of the turn, by its two outermost degrees.
  const double tensors = static_cast<double>(tensors_.items().size());
  const double contexts = static_cast<double>(contexts_.items().size());
  return (static_cast<double>(at_[0]) + static_cast<double>(at_[1]) / contexts) / tensors;
}

/// Goes on to the next degrees, valid or not; pipelines change fastest, as they share the most.
bool LayoutSearch::next_degrees() {
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

void LayoutSearch::next_turn() {
  turn_ = turn_ == Turn::kBest ? Turn::kAll : Turn::kDone;
  if (done()) return;
  started_ = false;
  evaluated_ = fitting_ = 0;
}

bool LayoutSearch::advance(std::size_t count) {
  const double goal = work_ + static_cast<double>(count);
  while (!done() && work_ < goal) {
    if (open_) {
      search_candidate();
    } else if (next_degrees()) {
      open_degrees();
    } else {
      next_turn();
      break;  // what the turn has found is final
    }
  }
  return done();
}

void LayoutSearch::find_best() {
  while (!best_known()) advance(4096);
}

/// Takes up the candidates of the degrees in hand, if these fit model and chips.
void LayoutSearch::open_degrees() {
  work_ += kWorkOfDegrees;
  auto& layout = in_.layout;
  layout = asked_;
  layout.tensor = count_of(tensors_.items()[at_[0]]);
  layout.context = count_of(contexts_.items()[at_[1]]);
  layout.expert_tensor = count_of(expert_tensors_.items()[at_[2]]);
  layout.expert = count_of(experts_.items()[at_[3]]);
  layout.pipeline = count_of(pipelines_.items()[at_[4]]);
  const double ways = layout.model_ways().value();
  if (!divides(ways, slice_chips_)) return;
  data_ways_ = in_.run.chips.value() / ways;
  // Whatever the schedule is: it decides on chunks only.
  layout.virtual_stages = count_of(1);
  layout.schedule = PipelineSchedule::kOneFOneB;
  if (!fits_together(in_)) return;
  placements_ =
      Placements(in_.chip, layout, slice_chips_, in_.run.slices.value(), in_.model.sparse());
  work_ += kWorkOfTry * placements_.tries();
  leave_out(LeftOut::kPlacements, !placements_.complete());
  if (placements_.items().empty() || !open_schedule(0)) return;
  micro_batches_ =
      values(in_.search.micro_batch, asked_.micro_batch.value(),
             sequences_each(in_.run, data_ways_), field_of<Layout>("microBatch").maximum);
  open_placement(0);
  open_ = true;
}

void LayoutSearch::open_placement(std::size_t index) {
  work_ += kWorkOfPlacement;
  placement_at_ = index;
  transfers_ = make_step_transfers(in_.chip, in_.model, in_.layout, placements_.items()[index],
                                   in_.assumptions.in_network_reduction);
}

/// Takes up the first schedule from `first` on that the stages in hand allow; whether there is one.
bool LayoutSearch::open_schedule(std::size_t first) {
  auto& layout = in_.layout;
  const bool choose = in_.search.schedule;
  const double stages = layout.pipeline.value();
  // Of a single stage, all are alike.
  const std::size_t last = choose && stages > 1 ? std::size(kPipelineScheduleNames) : 1;
  for (schedule_at_ = first; schedule_at_ < last; ++schedule_at_) {
    layout.schedule = choose ? static_cast<PipelineSchedule>(schedule_at_) : asked_.schedule;
    const PipelineScheduleRow& schedule = row_of(layout.schedule);
    if (schedule.even_stages && stages > 1 && !divides(2, stages)) continue;
    const bool chunks = schedule.asks_chunks && stages > 1;
    const double asked = chunks ? asked_.virtual_stages.value() : 1;
    const double of_stage = std::ceil(in_.model.layers.value() / stages);
    const bool searched = in_.search.virtual_stages && chunks;
    if (!searched && !divides(asked, of_stage)) continue;
    chunks_ = values(searched, asked, of_stage, field_of<Layout>("virtualStages").maximum);
    open_chunks(0);
    return true;
  }
  return false;
}

void LayoutSearch::open_chunks(std::size_t index) {
  chunks_at_ = index;
  in_.layout.virtual_stages = count_of(chunks_.items()[index]);
}

/// Costs the candidate in hand, and takes up the next.
void LayoutSearch::search_candidate() {
  in_.layout.micro_batch = count_of(micro_batches_.items()[micro_batch_at_]);
  const Priced& price = priced();
  work_ += kWorkOfBound;
  if (turn_ == Turn::kAll || !hopeless(price)) {
    work_ += kWorkOfBase;
    search_states(make_step_base<double>(in_, price.work, price.ends, transfers_,
                                         placements_.items()[placement_at_]));
  }
  next_candidate();
}

void LayoutSearch::next_candidate() {
  if (++micro_batch_at_ < micro_batches_.items().size()) return;
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

const LayoutSearch::Priced& LayoutSearch::priced() {
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
  work_ += kWorkOfKernels;
  Priced& entry = priced_[priced_size_++];
  entry.micro_batch = micro_batch;
  entry.work = layer_work(in_.chip, in_.model, in_.run, layout, in_.assumptions);
  entry.ends = ends_work(in_.chip, in_.model, in_.run, layout, in_.assumptions);
  return entry;
}

/// Steps that take at least this long [s] cannot enter the best list or the map.
double LayoutSearch::cutoff() const {
  const std::size_t place = cell();
  const double kept = place < cells_.size() ? cells_[place] : 0;
  if (best_size_ < kBest || kept == 0) return 1e300;
  return std::fmax(std::fmax(best_[kBest - 1].expected, kTied * best_[0].expected), kept);
}

/// Whether computing alone, with the bubble that it makes, takes longer than what is kept.
bool LayoutSearch::hopeless(const Priced& price) const {
  const auto& layout = in_.layout;
  const auto& work = price.work;
  const auto layers = busiest_layers(in_.model.layers, layout);
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
  const bool bubble = !row_of(layout.schedule).splits_backward;
  if (bubble) seconds = seconds + bubble_time(layout, micro_batches, times);
  return seconds.value() >= cutoff();
}

void LayoutSearch::search_states(const StepBase<double>& base) {
  auto& layout = in_.layout;
  const bool one_rank = base.ways.dense.value() <= 1 && base.ways.experts.value() <= 1;
  const int shardings = in_.search.sharding && !one_rank ? 4 : 1;  // on one rank, all are alike
  for (int sharding = 0; sharding < shardings; ++sharding) {
    if (in_.search.sharding) layout.sharding = static_cast<StateSharding>(sharding);
    if (!in_.search.recompute) {
      cost(base, dropped(base));
    } else {
      search_recompute(base);
    }
  }
  layout.recompute = asked_.recompute;
  layout.sharding = asked_.sharding;
}

DroppedShares LayoutSearch::dropped(const StepBase<double>& base) {
  work_ += kWorkOfChoice;
  return choose_dropped(in_, base, limit_);
}

void LayoutSearch::search_recompute(const StepBase<double>& base) {
  auto& layout = in_.layout;
  layout.recompute = Recompute::kCheapest;
  if (turn_ == Turn::kBest) {
    // Nothing computed again is the fastest; what is, takes longer the more it is.
    const Costed none = cost(base, {});
    if (none.fits || none.seconds >= cutoff()) return;
    const DroppedShares fewest = dropped(base);
    if (fewest == DroppedShares{} || cost(base, fewest).fits) return;
    layout.recompute = Recompute::kFull;
    cost(base, {});
    return;
  }
  const DroppedShares fewest = dropped(base);
  cost(base, fewest);
  // The ends of what there is to choose between, for the front.
  if (fewest != DroppedShares{}) {
    layout.recompute = Recompute::kNone;
    cost(base, {});
  }
  layout.recompute = Recompute::kFull;
  cost(base, {});
}

LayoutSearch::Costed LayoutSearch::cost(const StepBase<double>& base,
                                        const DroppedShares& dropped) {
  const auto& in = in_;
  const auto kept_dense =
      keep(base.dense_activations, base.work, false, in.model, in.run, in.layout, dropped);
  const auto kept_sparse =
      keep(base.sparse_activations, base.work, true, in.model, in.run, in.layout, dropped);
  const auto step = finish_step<double>(in, base, kept_dense, kept_sparse);
  ++evaluated_;
  ++work_;
  const bool fits = step.memory.total() <= limit_;
  if (fits) ++fitting_;
  if (turn_ == Turn::kAll) {
    keep_front(step);
    if (fits) lower_ = std::fmin(lower_, step.lower.value());
  } else if (fits) {
    keep_best(step);
    keep_tie(step);
    keep_cell(step.expected.value());
  }
  return {step.expected.value(), fits};
}

CostedLayout LayoutSearch::make_costed(const Step<double>& step) const {
  CostedLayout plan;
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

void LayoutSearch::keep_best(const Step<double>& step) {
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
  best_[place] = make_costed(step);
}

void LayoutSearch::keep_tie(const Step<double>& step) {
  const double latest = kTied * best_[0].expected;
  if (step.expected.value() > latest) return;
  const CostedLayout plan = make_costed(step);
  std::size_t kept = 0;
  bool beaten = false;
  for (std::size_t i = 0; i < ties_size_; ++i) {
    const CostedLayout& other = ties_[i];
    beaten = beaten || as_good(other, plan);
    if (other.expected > latest || (!beaten && as_good(plan, other))) continue;
    ties_[kept++] = other;
  }
  ties_size_ = kept;
  if (beaten) return;
  if (ties_size_ < kTies) {
    ties_[ties_size_++] = plan;
    return;
  }
  const auto less = [](const CostedLayout& a, const CostedLayout& b) {
    return a.memory < b.memory;
  };
  CostedLayout& largest = *std::max_element(ties_.begin(), ties_.end(), less);
  if (less(plan, largest)) largest = plan;
}

std::span<const CostedLayout> LayoutSearch::chosen() const {
  const auto ties = std::span(ties_).first(ties_size_);
  if (ties.empty()) return best().first(best_size_ == 0 ? 0 : 1);
  double least = ties[0].memory;
  for (const CostedLayout& plan : ties) least = std::fmin(least, plan.memory);
  const CostedLayout* best = nullptr;
  for (const CostedLayout& plan : ties) {
    if (plan.memory > kTied * least) continue;
    if (best == nullptr || kinds_of_ways(plan) < kinds_of_ways(*best) ||
        (kinds_of_ways(plan) == kinds_of_ways(*best) && plan.memory < best->memory)) {
      best = &plan;
    }
  }
  return {best, 1};
}

void LayoutSearch::keep_front(const Step<double>& step) {
  const double memory = step.memory.total().value();
  const double seconds = step.expected.value();
  // Sorted by memory, and so by falling time.
  const auto* begin = front_.data();
  const auto* end = begin + front_size_;
  const auto* after =
      std::upper_bound(begin, end, memory,
                       [](double bytes, const CostedLayout& plan) { return bytes < plan.memory; });
  if (after != begin && (after - 1)->expected <= seconds) return;
  auto place = static_cast<std::size_t>(after - begin);
  if (place > 0 && front_[place - 1].memory == memory) --place;
  std::size_t next = place;
  while (next < front_size_ && front_[next].expected >= seconds) ++next;
  if (next == place) {
    if (front_size_ == kFront) return leave_out(LeftOut::kFront);
    for (std::size_t i = front_size_++; i > place; --i) front_[i] = front_[i - 1];
  } else {
    // The first that it beats gives its place, the others go.
    const std::size_t gone = next - place - 1;
    for (std::size_t i = next; i < front_size_; ++i) front_[i - gone] = front_[i];
    front_size_ -= gone;
  }
  front_[place] = make_costed(step);
}

double LayoutSearch::map_value(MapField field) const {
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
std::size_t LayoutSearch::cell() const {
  const auto find = [](std::span<const double> values, double value) {
    return static_cast<std::size_t>(std::find(values.begin(), values.end(), value) -
                                    values.begin());
  };
  const std::size_t x = find(map_x(), map_value(x_field_));
  const std::size_t y = find(map_y(), map_value(y_field_));
  return x == map_x_size_ || y == map_y_size_ ? cells_.size() : y * kMapValues + x;
}

void LayoutSearch::keep_cell(double seconds) {
  const auto add = [](std::array<double, kMapValues>& kept, std::size_t& size, double value) {
    const auto end = kept.begin() + static_cast<std::ptrdiff_t>(size);
    if (std::find(kept.begin(), end, value) == end && size < kMapValues) kept[size++] = value;
  };
  add(map_x_, map_x_size_, map_value(x_field_));
  add(map_y_, map_y_size_, map_value(y_field_));
  const std::size_t place = cell();
  if (place == cells_.size()) return leave_out(LeftOut::kMap);
  double& kept = cells_[place];
  if (kept == 0 || seconds < kept) kept = seconds;
}

bool set_chips(SearchInput<double>& in, double chips, bool weak) {
  if (!is_allowed(field_of<Run>("chips"), chips)) return false;
  auto& run = in.run;
  if (chips == run.chips.value()) return true;
  double slices = divides(run.slices.value(), chips) ? run.slices.value() : 1;
  if (in.chip.network == Network::kTorus) {
    const double fewest = std::ceil(chips / in.chip.domain_chips().value());
    const auto whole = [&](double n) {
      return divides(n, chips) && slice_shape(pod_of(in.chip), chips / n)[0] > 0;
    };
    constexpr double kMore = 64;
    for (slices = fewest; !whole(slices); ++slices) {
      if (slices == fewest + kMore) return false;
    }
  } else if (in.chip.network == Network::kNone && chips > 1) {
    return false;
  }
  auto batch = run.batch_tokens;
  if (weak) {
    const double own = (run.batch_tokens / run.sequence_length).value();
    const double sequences = std::round(own * chips / run.chips.value());
    batch = count_of(sequences < 1 ? 1 : sequences) * run.sequence_length;
  }
  // What goes with so many chips is an input like any other.
  if (!is_allowed(field_of<Run>("slices"), slices)) return false;
  if (!is_allowed(field_of<Run>("batchTokens"), batch.value())) return false;
  run.chips = Quantity<kChip, double>(chips);
  run.slices = count_of(slices);
  run.batch_tokens = batch;
  return true;
}

bool pull(SearchInput<double>& in, Lever lever) {
  switch (lever) {
    case Lever::kMoreChips:
      return set_chips(in, 2 * in.run.chips.value(), false);
    case Lever::kLargerBatch:
      in.run.batch_tokens = 2.0 * in.run.batch_tokens;
      return in.run.batch_tokens <= in.run.tokens &&
             is_allowed(field_of<Run>("batchTokens"), in.run.batch_tokens.value());
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
