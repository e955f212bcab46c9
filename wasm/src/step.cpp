// SPDX-License-Identifier: MIT
//
// What is chosen of a layout on plain numbers: where it lies and what it computes again.

#include <algorithm>

#include "scaling/plan_question.hpp"

namespace scaling {

DroppedLayers choose_dropped(const StepInput<double>& in, const StepBase<double>& base,
                             Quantity<kByte, double> limit) {
  DroppedLayers dropped;
  if (in.layout.recompute != Recompute::kCheapest) return dropped;
  const auto& model = in.model;
  const auto& run = in.run;
  const auto& layout = in.layout;
  const auto& assumptions = in.assumptions;
  const auto all = [&](bool sparse) {
    return keep(sparse ? base.sparse_activations : base.dense_activations, base.work, sparse,
                model, run, layout, {});
  };
  const auto dense = all(false);
  const auto sparse = all(true);
  // The stage that lacks most decides for all.
  const Stage<double>* stage = nullptr;
  double needed = 0;
  for (std::size_t i = 0; i < base.stage_count; ++i) {
    const StageCost<double>& cost = base.stages[i];
    const auto states = state_memory(model, run, layout, cost.stage, base.ways);
    const auto memory =
        stage_memory(states, cost.transient, dense, sparse, cost.stage, assumptions);
    const double lacks = memory.total().value() - limit.value();
    if (lacks <= needed) continue;
    needed = lacks;
    stage = &cost.stage;
  }
  if (stage == nullptr) return dropped;

  std::array<DropOption, kDropOptions> options{};
  const auto add = [&](std::size_t first, const LayerActivations<double>& a, bool is_sparse,
                       double layers) {
    const auto& work = base.work;
    const auto option = [&](Dropped kind, Quantity<kByte, double> bytes,
                            const Work<double>& again) {
      double cost = again.expected.value();
      if (kind == Dropped::kMiddle) {
        const auto& sums = is_sparse ? base.sparse_tensor : base.dense_tensor;
        cost += sums.expected.value() / 4;
      }
      options[first + static_cast<std::size_t>(kind)] = {bytes.value(), cost, layers};
    };
    option(Dropped::kNorms, a.norms, work.norms);
    option(Dropped::kProduct, a.product, is_sparse ? work.sparse_activation : work.dense_activation);
    option(Dropped::kQkv, a.qkv, work.projections);
    option(Dropped::kAttention, a.attention + a.scores, work.attention);
    option(Dropped::kHidden, a.hidden, is_sparse ? work.sparse_up : work.dense_up);
    option(Dropped::kMiddle, a.middle, work.output);
  };
  const double of_dense = stage->dense.value();
  const double of_sparse = stage->sparse.value();
  if (of_dense > 0) add(0, base.dense_activations, false, of_dense);
  if (of_sparse > 0) add(kDroppedKinds, base.sparse_activations, true, of_sparse);
  const auto counts = cheapest_drops(options, stage->in_flight.value(), needed);
  for (std::size_t i = 0; i < kDroppedKinds; ++i) {
    if (of_dense > 0) dropped.dense[i] = counts[i] / of_dense;
    if (of_sparse > 0) dropped.sparse[i] = counts[kDroppedKinds + i] / of_sparse;
  }
  return dropped;
}

LayoutChoice choose_for_layout(const PlanQuestion::Groups<double>& in) {
  const auto step_in = in.step();
  const auto work = layer_work(in.chip, in.model, in.run, in.layout, in.assumptions);
  const auto ends = ends_work(in.chip, in.model, in.run, in.layout, in.assumptions);
  const double slices = in.run.slices.value();
  const Placements placements(in.chip, in.layout, in.run.chips.value() / slices, slices,
                              in.model.sparse());
  const auto limit = memory_limit(in.chip, in.assumptions);
  LayoutChoice best;
  double least = -1;
  for (const Placement& placement : placements.items()) {
    const auto transfers =
        make_transfers(in.chip, in.model, placement, in.assumptions.in_network_reduction);
    const auto base = make_step_base(step_in, work, ends, transfers, placement);
    const auto dropped = choose_dropped(step_in, base, limit);
    const auto kept = [&](bool sparse) {
      return keep(sparse ? base.sparse_activations : base.dense_activations, work, sparse,
                  in.model, in.run, in.layout, sparse ? dropped.sparse : dropped.dense);
    };
    const double seconds = finish_step(step_in, base, kept(false), kept(true)).expected.value();
    if (least >= 0 && seconds >= least) continue;
    least = seconds;
    best = {placement, dropped};
  }
  return best;
}

}  // namespace scaling
