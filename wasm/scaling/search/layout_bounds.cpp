// SPDX-License-Identifier: MIT
#include "scaling/search/layout_bounds.hpp"

#include <algorithm>
#include <cmath>

namespace scaling {
namespace {

/// Sums in another order differ by rounding; it is far below a billionth.
constexpr double kRounding = 1 - 1e-9;

/// The shares of transfers that show, whatever computing hides.
struct ShownShares {
  double tensor, context, expert, pipeline;
};

ShownShares shown_shares(const StepInput<double>& in) {
  if (!in.measured()) {
    const auto& of = in.assumptions;
    return {1 - of.overlap_tensor.value(), 1 - of.overlap_context.value(),
            1 - of.overlap_expert.value(), 1 - of.overlap_pipeline.value()};
  }
  const auto& of = in.constants;
  return {in.overlaps_tensor() ? of.exposed_tensor : 1.0, of.exposed_context, in.exposed_experts(),
          in.exposed_hops()};
}

/// Both passes of a micro-batch, or a whole step: what computing and the transfers that show come
/// to, and the longest transfer if that is longer.
struct AtLeast {
  double added, longest;
};

AtLeast pass_at_least(double computing, double tensor, double context, double expert,
                      const ShownShares& shown) {
  const double added =
      computing + (shown.tensor * tensor + shown.context * context + shown.expert * expert);
  return {added, std::max(added, std::max(tensor, std::max(context, expert)))};
}

/// Least times of a micro-batch's transfers through a stage, both passes, by kind: with perfect
/// overlap, a step takes no less than each of them.
[[gnu::noinline]] std::array<double, 3> moved_at_least(const StepInput<double>& in,
                                                       const StepBase<double>& base,
                                                       const Stage<double>& stage) {
  // No less than what is passed through both ways.
  const double dense = stage.worked(stage.back.dense).value();
  const double sparse = stage.worked(stage.back.sparse).value();
  const double contexts = in.layout.context_kind == ContextKind::kUlysses ? 2 : 3;
  return {dense * (2 * base.dense_tensor.lower + base.dense_regather.lower).value() +
              sparse * (2 * base.sparse_tensor.lower + base.sparse_regather.lower).value(),
          (dense + sparse) * contexts * base.layers_of(stage.back).context.lower.value(),
          2 * sparse * base.expert.lower.value()};
}

}  // namespace

StateTransfers state_transfers(StateSharding sharding, const StepBase<double>& base) {
  StateTransfers result{};
  for (std::size_t i = 0; i < base.stage_count; ++i) {
    const auto of = pass_transfers(sharding, base, base.stages[i]);
    result.stages[i] = {of.forward.expected.value(), of.back.expected.value()};
    result.lower = std::max(result.lower, (of.forward.lower + of.back.lower).value());
    result.some = result.some || result.stages[i].forward + result.stages[i].back > 0;
  }
  return result;
}

TransferBeside::TransferBeside(const StepInput<double>& in) {
  if (!in.measured()) {
    hides_ = in.assumptions.overlap_data.value();
    room_ = 1;
  } else if (in.stack.data_overlap) {
    hides_ = 1 - in.constants.interference;
    room_ = hides_ * in.constants.window;
  }
}

double with_launches(double chip, double host, bool asks) {
  if (host <= 0) return chip;
  if (asks) return std::sqrt(chip * chip + host * host);
  const double most = std::max(chip, host);
  const double share = std::min(chip, host) / most;
  return most * rep::cube_root(1 + share * share * share);
}

StepScale::StepScale(const StepInput<double>& in) {
  if (!in.measured()) return;
  const double doublings = std::fmax(tree_steps(in.run.chips.value()) - 3, 0);
  more = 1 + in.constants.growth * doublings;
  overhead = in.fixed_time().value;
}

[[gnu::noinline]] LayerSeconds::LayerSeconds(const LayerWork<double>& work,
                                             const EndsWork<double>& ends) {
  const auto set = [](Seconds& seconds, const Work<double>& forward, const Work<double>& back) {
    seconds = {forward.expected.value(), back.expected.value()};
  };
  const auto set_lower = [](Seconds& seconds, const Work<double>& forward,
                            const Work<double>& back) {
    seconds = {forward.lower.value(), back.lower.value()};
  };
  set(dense, work.dense_forward(), work.dense_backward);
  set(sparse, work.sparse_forward(), work.sparse_backward);
  set(head, ends.head_forward, ends.head_backward);
  set_lower(dense_lower, work.dense_forward(), work.dense_backward);
  set_lower(sparse_lower, work.sparse_forward(), work.sparse_backward);
  set_lower(head_lower, ends.head_forward, ends.head_backward);
}

void MemoryFloor::set(const SearchInput<double>& groups, StepBase<double>& base) {
  runtime_ = groups.assumptions.runtime_overhead.value();
  Layout<double> one = groups.layout;
  one.micro_batch = Count<double>(1);
  const StepInput<double> in(StepInput<double>(groups), one);
  set_transients<double>(base, in);
  // A layer keeps as much of a sequence in pipelines of any length.
  const std::array<double, 4> ways{one.tensor.value(), one.context.value(), one.expert.value(),
                                   one.expert_tensor.value()};
  if (ways != ways_) {
    ways_ = ways;
    set_activations<double>(layers_, in);
  }
  // The allocator holds its share of what comes and goes.
  const double held = 1 + in.assumptions.allocator_share.value();
  for (std::size_t i = 0; i < base.stage_count; ++i) {
    const Stage<double>& stage = base.stages[i].stage;
    const auto& transient = base.stages[i].transient;
    Bytes& bytes = stages_[i] = {};
    bytes.gathered = held * transient.gathered.value();
    // Other software has no room that logits leave.
    bytes.shared = in.stack.reuses_logits() ? transient.logits.value() : 0;
    bytes.passing = held * (transient.logits + transient.buffers).value();
    if (!groups.search.recompute) continue;
    const double here = 1 - in.layout.host_activations.value();
    bytes.kept = held * here * (stage.back.layers() * layers_.dense_activations.input).value();
    if (stage.back.own > 0) continue;
    const auto add = [&](Count<double> layers, const LayerActivations<double>& of) {
      const double others = std::fmin(layers.value(), 1) * (of.total() - of.input).value();
      const double working = layers.value() > 0 ? others + of.gradients.value() : 0;
      bytes.working = std::fmax(bytes.working, held * bytes.beside_logits(working));
    };
    add(stage.back.dense, layers_.dense_activations);
    add(stage.back.sparse, layers_.sparse_activations);
  }
}

QuickFloor::QuickFloor(const SearchInput<double>& groups, const StepBase<double>& base) {
  const StepInput<double> in(groups);
  for (std::size_t i = 0; i < base.stage_count; ++i) {
    const Stage<double>& stage = base.stages[i].stage;
    const auto host = launch_times(in, stage);
    const auto& back = stage.back;
    stages_[size_++] = {stage.worked(stage.dense).value(),
                        stage.worked(stage.sparse).value(),
                        stage.worked(back.dense).value(),
                        stage.worked(back.sparse).value(),
                        stage.head ? stage.worked(stage.heads).value() : 0,
                        (host.forward + host.back).value(),
                        waits_often(in, stage),
                        stage.own,
                        back.own,
                        {},
                        {}};
  }
  some_end_ = base.some_end;
  scale_ = StepScale(in);
  beside_ = TransferBeside(in);
}

QuickFloor::QuickFloor(const SearchInput<double>& groups, StepBase<double>& base,
                       const StepTransfers<double>& transfers)
    : QuickFloor(groups, base) {
  const auto& layout = groups.layout;
  const StepInput<double> in(groups);
  const ShownShares shown = shown_shares(in);
  const double contexts = layout.context_kind == ContextKind::kUlysses ? 2 : 3;
  /// Exposed transfers of a layer of each kind, by stage.
  using Shows = std::array<std::array<double, 2>, kStagesCosted>;
  std::array<std::array<double, 3>, kStagesCosted> moved{};
  const auto of_micro_batch = [&](double sequences) {
    Layout<double> one = layout;
    one.micro_batch = Count<double>(sequences);
    set_layers<double>(base, StepInput<double>(in, one), base.work, transfers);
    const auto shows = [&](const Timed<double>& tensor, const Timed<double>& regather,
                           const Timed<double>& context, const Timed<double>& expert) {
      return shown.tensor * (2 * tensor.expected.value() + regather.expected.value()) +
             shown.context * contexts * context.expected.value() +
             shown.expert * 2 * expert.expected.value();
    };
    Shows result{};
    for (std::size_t i = 0; i < base.stage_count; ++i) {
      const Stage<double>& stage = base.stages[i].stage;
      // No transfer's time grows by less than from one sequence to two: it is a line behind a flat
      // start.
      const auto least = moved_at_least(in, base, stage);
      for (std::size_t kind = 0; kind < least.size(); ++kind) {
        moved_ = std::max(moved_, least[kind] - moved[i][kind]);
      }
      moved[i] = least;
      const auto& context = base.layers_of(stage.back).context;
      result[i] = {shows(base.dense_tensor, base.dense_regather, context, {}),
                   shows(base.sparse_tensor, base.sparse_regather, context, base.expert)};
    }
    return result;
  };
  const auto once = of_micro_batch(1);
  moved_ = 0;
  const auto twice = of_micro_batch(2);
  const auto line = [](double of_one, double of_two) -> Line {
    return {2 * of_one - of_two, of_two - of_one};
  };
  for (std::size_t i = 0; i < size_; ++i) {
    stages_[i].of_dense = line(once[i][0], twice[i][0]);
    stages_[i].of_sparse = line(once[i][1], twice[i][1]);
  }
}

[[gnu::noinline]] double QuickFloor::passes(double micro_batch,
                                            std::span<const LayerSeconds> kernels,
                                            const StateTransfers& states) const {
  double longest = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    const StageLayers& stage = stages_[i];
    const LayerSeconds& there = kernels[stage.own];
    const LayerSeconds& back = kernels[stage.own_back];
    // Transfers of layers that are passed through both ways, at least.
    const double dense =
        back.dense.back + stage.of_dense.start + stage.of_dense.slope * micro_batch;
    const double sparse =
        back.sparse.back + stage.of_sparse.start + stage.of_sparse.slope * micro_batch;
    double passes = stage.dense * there.dense.forward + stage.sparse * there.sparse.forward +
                    stage.dense_back * dense + stage.sparse_back * sparse +
                    stage.heads * there.head.both();
    if (states.some) {
      // Both passes at once hide no less than each of them apart.
      passes = beside_.pass(passes, states.stages[i].forward + states.stages[i].back);
    }
    longest = std::max(longest, with_launches(passes, stage.host, stage.asks));
  }
  return longest;
}

void QuickFloor::set_bubble(const Layout<double>& layout, double chunks) {
  const PipelineScheduleRow& schedule = row_of(layout.schedule);
  waiting_ = 0;
  if (layout.pipeline.value() > 1 && !schedule.splits_backward && !some_end_) {
    waiting_ = (layout.pipeline.value() - 1) / (schedule.asks_chunks ? chunks : 1);
  }
}

double QuickFloor::seconds(double micro_batches, double passes) const {
  return kRounding * (scale_.overhead + scale_.more * (micro_batches + waiting_) * passes);
}

void QuickFloor::set_least(double sequences, double smallest, double largest) {
  // On each stage, the passes of a step are a line in the number of micro-batches: least at an end.
  double longest = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    const StageLayers& stage = stages_[i];
    const auto passes = [&](double micro_batch) {
      return sequences *
             (stage.dense_back * (stage.of_dense.start / micro_batch + stage.of_dense.slope) +
              stage.sparse_back * (stage.of_sparse.start / micro_batch + stage.of_sparse.slope));
    };
    longest = std::max(longest, std::min(passes(smallest), passes(largest)));
  }
  least_ = kRounding * (scale_.overhead + scale_.more * longest);
}

double QuickFloor::lower_passes(std::span<const LayerSeconds> kernels) const {
  double longest = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    const StageLayers& stage = stages_[i];
    const LayerSeconds& there = kernels[stage.own];
    const LayerSeconds& back = kernels[stage.own_back];
    longest = std::max(longest, stage.dense * there.dense_lower.forward +
                                    stage.sparse * there.sparse_lower.forward +
                                    stage.dense_back * back.dense_lower.back +
                                    stage.sparse_back * back.sparse_lower.back +
                                    stage.heads * there.head_lower.both());
  }
  return longest;
}

double QuickFloor::lower(double micro_batches, double micro_batch, double lower_passes) const {
  return kRounding *
         std::max((micro_batches + waiting_) * lower_passes, micro_batches * micro_batch * moved_);
}

StepSum::StepSum(const StepInput<double>& in, const StepBase<double>& base, double shown_hops)
    : forward_(base.micro_batches.value()), back_(forward_), scale_(in) {
  const auto& layout = in.layout;
  if (layout.pipeline.value() <= 1) return;
  // Zero-bubble schedules add nothing here: the work that fills their bubble changes with what is
  // put off. The bubble of the others is a sum of so many forward and so many backward passes.
  if (!row_of(layout.schedule).splits_backward) {
    using Seconds = Quantity<kSecond, double>;
    const auto bubble = [&](double forward, double back) {
      const PassTimes<double> times{Seconds(forward), Seconds(back), Seconds{}};
      return bubble_time(layout, base.micro_batches, base.in_bubble(times)).value();
    };
    forward_ += bubble(1, 0);
    back_ += bubble(0, 1);
  }
  const double others = layout.pipeline.value() - 1;
  const double crossings = base.micro_batches.value() * stage_crossings(layout).value() - 1;
  const double ways = base.some_end ? 1 : 2;  // at least
  hops_ = ways * (others + shown_hops * crossings) * base.hop.expected.value();
}

double StepSum::passes(double forward, double back) const {
  return forward_ * forward + back_ * back;
}

double StepSum::step(double forward, double back) const {
  return kRounding * (scale_.overhead + scale_.more * (passes(forward, back) + hops_));
}

[[gnu::noinline]] double StepFloor::with_again(std::size_t stage, double again,
                                               const StateTransfers& states) const {
  const Passes& own = stages[stage];
  const auto& moved = states.stages[stage];
  const double back = std::max(own.back, own.back_added + again);
  return sum.step(
      with_launches(beside.pass(own.forward, moved.forward), own.host_forward, own.asks),
      with_launches(beside.pass(back, moved.back), own.host_back, own.asks));
}

StepFloor step_floor(const StepInput<double>& in, const StepBase<double>& base,
                     const EndsWork<double>& ends, std::span<const StateTransfers> states) {
  const auto& layout = in.layout;
  const ShownShares shown = shown_shares(in);
  const bool twice = layout.context_kind != ContextKind::kUlysses;
  StepFloor floor;
  floor.sum = StepSum(in, base, shown.pipeline);
  floor.beside = TransferBeside(in);
  double longest_step = 0;
  for (std::size_t i = 0; i < base.stage_count; ++i) {
    const Stage<double>& stage = base.stages[i].stage;
    const LayerCost<double>& layers = base.layers_of(stage);
    const LayerCost<double>& layers_back = base.layers_of(stage.back);
    const auto& work = layers.work;
    const auto& work_back = layers_back.work;
    const double dense = stage.worked(stage.dense).value();
    const double sparse = stage.worked(stage.sparse).value();
    const double dense_b = stage.worked(stage.back.dense).value();
    const double sparse_b = stage.worked(stage.back.sparse).value();
    double forward = dense * work.dense_forward().expected.value() +
                     sparse * work.sparse_forward().expected.value();
    double backward = dense_b * work_back.dense_backward.expected.value() +
                      sparse_b * work_back.sparse_backward.expected.value();
    double lower_f =
        dense * work.dense_forward().lower.value() + sparse * work.sparse_forward().lower.value();
    double lower_b = dense_b * work_back.dense_backward.lower.value() +
                     sparse_b * work_back.sparse_backward.lower.value();
    if (stage.head) {
      const double heads = stage.worked(stage.heads).value();
      forward += heads * ends.head_forward.expected.value();
      backward += heads * ends.head_backward.expected.value();
      lower_f += heads * ends.head_forward.lower.value();
      lower_b += heads * ends.head_backward.lower.value();
    }
    const auto of_tensor = [&](double of_dense, double of_sparse) {
      return of_dense * base.dense_tensor.expected.value() +
             of_sparse * base.sparse_tensor.expected.value();
    };
    const double regather = dense_b * base.dense_regather.expected.value() +
                            sparse_b * base.sparse_regather.expected.value();
    const double context = (dense + sparse) * layers.context.expected.value();
    const double context_b = (dense_b + sparse_b) * layers_back.context.expected.value();
    const double expert = base.expert.expected.value();
    const AtLeast f =
        pass_at_least(forward, of_tensor(dense, sparse), context, sparse * expert, shown);
    const AtLeast b = pass_at_least(backward, of_tensor(dense_b, sparse_b) + regather,
                                    twice ? 2 * context_b : context_b, sparse_b * expert, shown);
    const auto host = launch_times(in, stage);
    floor.stages[i] = {f.longest,         b.added,
                       b.longest,         host.forward.value(),
                       host.back.value(), waits_often(in, stage)};
    const double of_stage = floor.with_again(i, 0, kNoStates);
    if (of_stage > longest_step) {
      longest_step = of_stage;
      floor.slowest = i;
    }
    for (std::size_t at = 0; at < states.size(); ++at) {
      const double sharded = states[at].some ? floor.with_again(i, 0, states[at]) : of_stage;
      floor.sharded[at] = std::max(floor.sharded[at], sharded);
    }
    const auto moved = moved_at_least(in, base, stage);
    const double longest = *std::max_element(moved.begin(), moved.end());
    const double lower =
        std::max(floor.sum.passes(lower_f, lower_b), base.micro_batches.value() * longest);
    floor.lower = std::max(floor.lower, kRounding * lower);
  }
  return floor;
}

double again_floor(const StepInput<double>& in, const StepBase<double>& base,
                   const Stage<double>& stage, const KeptLayers<double>& kept) {
  const ShownShares shown = shown_shares(in);
  const double dense = stage.worked(stage.back.dense).value();
  const double sparse = stage.worked(stage.back.sparse).value();
  double again =
      dense * kept.dense.work.expected.value() + sparse * kept.sparse.work.expected.value();
  again += shown.tensor * (dense * kept.dense.sums.value() * base.dense_tensor.expected.value() +
                           sparse * kept.sparse.sums.value() * base.sparse_tensor.expected.value());
  if (kept.dense.others.value() > 0) {
    again +=
        shown.context * (dense + sparse) * base.layers_of(stage.back).context.expected.value() +
        shown.expert * sparse * base.expert.expected.value();
  }
  return again;
}

DropFloor::DropFloor(const StepBase<double>& base, const Stage<double>& frees,
                     const Stage<double>& works) {
  const auto layers = [](const Stage<double>& of) { return of.back.layers(); };
  const double held = (layers(frees) * frees.in_flight).value();
  const double worked = works.worked(layers(works)).value();
  const auto freed = drop_options(base, frees);
  auto costs = drop_options(base, works);
  // Repeated sums over tensor ways may be exposed in part only.
  costs[static_cast<std::size_t>(Dropped::kMiddle)].cost =
      base.layers_of(works.back).work.output.expected.value();
  for (std::size_t kind = 0; kind < kDroppedKinds; ++kind) {
    if (!(freed[kind].bytes > 0)) continue;
    most_ += held * freed[kind].bytes;
    if (!(worked > 0)) continue;
    const Part part{held * freed[kind].bytes, worked * costs[kind].cost, 0};
    const double rate = part.seconds / part.bytes;
    std::size_t place = size_++;
    for (; place > 0 && parts_[place - 1].rate > rate; --place) parts_[place] = parts_[place - 1];
    parts_[place] = {part.bytes, part.seconds, rate};
  }
}

double DropFloor::seconds(double freed) const {
  double result = 0;
  for (std::size_t i = 0; i < size_ && freed > 0; ++i) {
    const Part& part = parts_[i];
    if (freed < part.bytes) return kRounding * (result + freed * part.rate);
    result += part.seconds;
    freed -= part.bytes;
  }
  return kRounding * result;
}

std::size_t fullest_stage(const StepBase<double>& base, const StageBytes& bytes) {
  const auto last = bytes.begin() + static_cast<std::ptrdiff_t>(base.stage_count);
  return static_cast<std::size_t>(std::max_element(bytes.begin(), last) - bytes.begin());
}

}  // namespace scaling
