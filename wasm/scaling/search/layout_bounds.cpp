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
  const bool full = in.stack.graphs == CudaGraphs::kFull;
  return {in.overlaps_tensor() ? of.exposed_tensor : 1, of.exposed_context,
          full ? of.exposed_expert_graphs : 1, in.exposed_hops()};
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

}  // namespace

LayerSeconds::LayerSeconds(const LayerWork<double>& work, const EndsWork<double>& ends)
    : dense((work.dense_forward() + work.dense_backward).expected.value()),
      sparse((work.sparse_forward() + work.sparse_backward).expected.value()),
      head((ends.head_forward + ends.head_backward).expected.value()) {}

QuickFloor::QuickFloor(const SearchInput<double>& groups, StepBase<double>& base,
                       const StepTransfers<double>& transfers) {
  const auto& layout = groups.layout;
  const StepInput<double> in(groups);
  const ShownShares shown = shown_shares(in);
  const double contexts = layout.context_kind == ContextKind::kUlysses ? 2 : 3;
  /// Exposed transfers of a layer of each kind, by stage.
  using Shows = std::array<std::array<double, 2>, kStagesCosted>;
  const auto of_micro_batch = [&](double sequences) {
    SearchInput<double> one = groups;
    one.layout.micro_batch = Count<double>(sequences);
    set_layers<double>(base, one, base.work, transfers);
    const auto shows = [&](const Timed<double>& tensor, const Timed<double>& regather,
                           const Timed<double>& context, const Timed<double>& expert) {
      return shown.tensor * (2 * tensor.expected.value() + regather.expected.value()) +
             shown.context * contexts * context.expected.value() +
             shown.expert * 2 * expert.expected.value();
    };
    Shows result{};
    for (std::size_t i = 0; i < base.stage_count; ++i) {
      const auto& context = base.layers_of(base.stages[i].stage).context;
      result[i] = {shows(base.dense_tensor, base.dense_regather, context, {}),
                   shows(base.sparse_tensor, base.sparse_regather, context, base.expert)};
    }
    return result;
  };
  const auto once = of_micro_batch(1);
  const auto twice = of_micro_batch(2);
  const auto line = [](double of_one, double of_two) -> Line {
    return {2 * of_one - of_two, of_two - of_one};
  };
  for (std::size_t i = 0; i < base.stage_count; ++i) {
    const Stage<double>& stage = base.stages[i].stage;
    stages_[size_++] = {stage.worked(stage.dense).value(),
                        stage.worked(stage.sparse).value(),
                        stage.head ? stage.worked(stage.heads).value() : 0,
                        stage.own,
                        line(once[i][0], twice[i][0]),
                        line(once[i][1], twice[i][1])};
  }
  const PipelineScheduleRow& schedule = row_of(layout.schedule);
  if (layout.pipeline.value() > 1 && !schedule.splits_backward) {
    const double chunks = schedule.asks_chunks ? layout.virtual_stages.value() : 1;
    waiting_ = (layout.pipeline.value() - 1) / chunks;
  }
  if (in.measured()) {
    const double doublings = std::fmax(tree_steps(in.run.chips.value()) - 3, 0);
    more_ = 1 + in.constants.growth * doublings;
    overhead_ = in.constants.overhead;
  }
}

double QuickFloor::seconds(double micro_batches, double micro_batch,
                           std::span<const LayerSeconds> kernels) const {
  double longest = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    const StageLayers& stage = stages_[i];
    const LayerSeconds& own = kernels[stage.own];
    const double dense = own.dense + stage.of_dense.start + stage.of_dense.slope * micro_batch;
    const double sparse = own.sparse + stage.of_sparse.start + stage.of_sparse.slope * micro_batch;
    longest =
        std::max(longest, stage.dense * dense + stage.sparse * sparse + stage.heads * own.head);
  }
  return kRounding * (overhead_ + more_ * (micro_batches + waiting_) * longest);
}

double step_seconds(const StepInput<double>& in, const StepBase<double>& base) {
  const double m = base.micro_batches.value();
  if (!in.measured()) return kRounding * m;
  const double doublings = std::fmax(tree_steps(in.run.chips.value()) - 3, 0);
  return kRounding * m * (1 + in.constants.growth * doublings);
}

StepFloor step_floor(const StepInput<double>& in, const StepBase<double>& base,
                     const EndsWork<double>& ends) {
  using Seconds = Quantity<kSecond, double>;
  const auto& layout = in.layout;
  const ShownShares shown = shown_shares(in);
  const double m = base.micro_batches.value();
  // Zero-bubble schedules add nothing here: the work that fills their bubble changes with what is
  // put off.
  const bool bubbles = layout.pipeline.value() > 1 && !row_of(layout.schedule).splits_backward;
  const auto bubble = [&](double f, double b) {
    if (!bubbles) return 0.0;
    const PassTimes<double> times{Seconds(f), Seconds(b), Seconds{}};
    return bubble_time(layout, base.micro_batches, times).value();
  };
  double hops = 0;
  if (layout.pipeline.value() > 1) {
    const double others = layout.pipeline.value() - 1;
    const double crossings = m * stage_crossings(layout).value() - 1;
    hops = 2 * (others + shown.pipeline * crossings) * base.hop.expected.value();
  }
  double more = 1;
  double overhead = 0;
  if (in.measured()) {
    const double doublings = std::fmax(tree_steps(in.run.chips.value()) - 3, 0);
    more = 1 + in.constants.growth * doublings;
    overhead = in.constants.overhead;
  }
  const bool twice = layout.context_kind != ContextKind::kUlysses;
  StepFloor floor;
  for (std::size_t i = 0; i < base.stage_count; ++i) {
    const Stage<double>& stage = base.stages[i].stage;
    const LayerCost<double>& layers = base.layers_of(stage);
    const auto& work = layers.work;
    const double dense = stage.worked(stage.dense).value();
    const double sparse = stage.worked(stage.sparse).value();
    double forward = dense * work.dense_forward().expected.value() +
                     sparse * work.sparse_forward().expected.value();
    double backward = dense * work.dense_backward.expected.value() +
                      sparse * work.sparse_backward.expected.value();
    double lower_f =
        dense * work.dense_forward().lower.value() + sparse * work.sparse_forward().lower.value();
    double lower_b =
        dense * work.dense_backward.lower.value() + sparse * work.sparse_backward.lower.value();
    if (stage.head) {
      const double heads = stage.worked(stage.heads).value();
      forward += heads * ends.head_forward.expected.value();
      backward += heads * ends.head_backward.expected.value();
      lower_f += heads * ends.head_forward.lower.value();
      lower_b += heads * ends.head_backward.lower.value();
    }
    const double tensor =
        dense * base.dense_tensor.expected.value() + sparse * base.sparse_tensor.expected.value();
    const double regather = dense * base.dense_regather.expected.value() +
                            sparse * base.sparse_regather.expected.value();
    const double context = (dense + sparse) * layers.context.expected.value();
    const double expert = sparse * base.expert.expected.value();
    const AtLeast f = pass_at_least(forward, tensor, context, expert, shown);
    const AtLeast b =
        pass_at_least(backward, tensor + regather, twice ? 2 * context : context, expert, shown);
    const auto step = [&](double forward_pass, double backward_pass) {
      const double passes = m * (forward_pass + backward_pass);
      const double all = passes + bubble(forward_pass, backward_pass) + hops;
      return kRounding * (overhead + more * all);
    };
    floor.stages[i] = step(f.added, b.added);
    floor.expected = std::max(floor.expected, f.added < f.longest || b.added < b.longest
                                                  ? step(f.longest, b.longest)
                                                  : floor.stages[i]);
    const double lower = m * (lower_f + lower_b) + bubble(lower_f, lower_b);
    floor.lower = std::max(floor.lower, kRounding * lower);
  }
  return floor;
}

DropFloor::DropFloor(const StepInput<double>& in, const StepBase<double>& base,
                     const Stage<double>& stage) {
  const double layers = stage.dense.value() + stage.sparse.value();
  const double of_pass = step_seconds(in, base) * layers;
  auto options = drop_options(base, stage);
  // Repeated sums over tensor ways may be exposed in part only.
  options[static_cast<std::size_t>(Dropped::kMiddle)].cost =
      base.layers_of(stage).work.output.expected.value();
  for (const DropOption& option : options) {
    if (!(option.bytes > 0)) continue;
    const Part part{layers * stage.in_flight.value() * option.bytes,
                    of_pass * stage.worked(Count<double>(option.cost)).value(), 0};
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

FullestStage fullest_stage(const StepInput<double>& in, const StepBase<double>& base,
                           const std::array<StateMemory<double>, kStagesCosted>& states,
                           const KeptStages<double>& kept) {
  FullestStage fullest{0, -1};
  for (std::size_t i = 0; i < base.stage_count; ++i) {
    const StageCost<double>& cost = base.stages[i];
    const auto& [dense, sparse] = kept.of(cost.stage);
    const double total = stage_memory(in.layout, states[i], cost.transient, dense, sparse,
                                      cost.stage, in.assumptions)
                             .total()
                             .value();
    if (total > fullest.bytes) fullest = {i, total};
  }
  return fullest;
}

}  // namespace scaling
