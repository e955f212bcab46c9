// SPDX-License-Identifier: MIT
//
// What is chosen of a layout on plain numbers: where it lies and what it computes again.

#include <algorithm>

#include "scaling/plan_question.hpp"

namespace scaling {

DroppedShares choose_dropped(const StepInput<double>& in, const StepBase<double>& base,
                             Quantity<kByte, double> limit) {
  if (in.layout.recompute != Recompute::kCheapest) return {};
  const auto& model = in.model;
  const auto& run = in.run;
  const auto& layout = in.layout;
  const auto& assumptions = in.assumptions;
  const auto all = [&](bool sparse) {
    return keep(sparse ? base.sparse_activations : base.dense_activations, base.work, sparse, model,
                run, layout, {});
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
        stage_memory(layout, states, cost.transient, dense, sparse, cost.stage, assumptions);
    const double lacks = memory.total().value() - limit.value();
    if (lacks <= needed) continue;
    needed = lacks;
    stage = &cost.stage;
  }
  if (stage == nullptr) return {};

  // Dense and sparse layers on average: the same kinds go in both.
  const auto& work = base.work;
  const double of_dense = stage->dense.value();
  const double of_sparse = stage->sparse.value();
  const double layers = of_dense + of_sparse;
  const auto& d = base.dense_activations;
  const auto& s = base.sparse_activations;
  const auto option = [&](Quantity<kByte, double> dense_bytes, Quantity<kByte, double> sparse_bytes,
                          double dense_cost, double sparse_cost) -> DropOption {
    return {(of_dense * dense_bytes.value() + of_sparse * sparse_bytes.value()) / layers,
            (of_dense * dense_cost + of_sparse * sparse_cost) / layers};
  };
  const auto of_any = [&](Quantity<kByte, double> dense_bytes, Quantity<kByte, double> sparse_bytes,
                          const Work<double>& again) {
    const double cost = again.expected.value();
    return option(dense_bytes, sparse_bytes, cost, cost);
  };
  const double output = work.output.expected.value();
  const std::array<DropOption, kDroppedKinds> options{
      of_any(d.norms, s.norms, work.norms),
      option(d.product, s.product, work.dense_activation.expected.value(),
             work.sparse_activation.expected.value()),
      of_any(d.qkv, s.qkv, work.projections),
      of_any(d.attention + d.scores, s.attention + s.scores, work.attention),
      option(d.hidden, s.hidden, work.dense_up.expected.value(), work.sparse_up.expected.value()),
      option(d.middle, s.middle, output + base.dense_tensor.expected.value() / 4,
             output + base.sparse_tensor.expected.value() / 4)};
  return cheapest_drops(options, layers, stage->in_flight.value(), needed);
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
    const auto transfers = make_transfers(in.chip, in.model, in.layout, placement,
                                          in.assumptions.in_network_reduction);
    const auto base = make_step_base(step_in, work, ends, transfers, placement);
    const auto dropped = choose_dropped(step_in, base, limit);
    const auto kept = [&](bool sparse) {
      return keep(sparse ? base.sparse_activations : base.dense_activations, work, sparse, in.model,
                  in.run, in.layout, dropped);
    };
    const double seconds = finish_step(step_in, base, kept(false), kept(true)).expected.value();
    if (least >= 0 && seconds >= least) continue;
    least = seconds;
    best = {placement, dropped};
  }
  return best;
}

}  // namespace scaling
