// SPDX-License-Identifier: MIT
#include "scaling/training/layout_choice.hpp"

namespace scaling {

LayoutChoice choose_for_layout(const StepInput<double>& in) {
  const auto work = layer_work(in);
  const auto ends = ends_work(in);
  const double slices = in.run.slices.value();
  const Placements placements(in.chip, in.layout, in.run.chips.value() / slices, slices,
                              in.model.sparse());
  const auto limit = memory_budget(in.chip, in.assumptions);
  LayoutChoice best;
  double least = -1;
  for (const Placement& placement : placements.items()) {
    const auto transfers = step_transfers(in, placement);
    const auto base = make_step_base(in, work, ends, transfers, placement);
    KeptStages<double> kept;
    const auto dropped = choose_dropped(in, base, limit, kept);
    const double seconds = finish_step(in, base, kept).expected.value();
    if (least >= 0 && seconds >= least) continue;
    least = seconds;
    best = {placement, dropped};
  }
  return best;
}

DroppedShares shares_again(const StepInput<double>& in, const DroppedShares& dropped) {
  return shares_again(
      in.layout, dropped,
      layer_activations(in.model, in.run, in.layout, has_experts(in.model),
                        expert_imbalance(in.layout, in.assumptions), TensorCopies(in)));
}

double fullest_layers(const StepInput<double>& in, double micro_batches, double fullest) {
  const auto stage = make_stage(in.model, in.layout, Count<double>(micro_batches), fullest, in.run);
  return stage.dense.value() + stage.sparse.value();
}

StageMemory<double> memory_of_stage(const StepInput<double>& of_model, const LayoutChoice& choice,
                                    double index) {
  const auto stage =
      make_stage(of_model.model, of_model.layout,
                 count_micro_batches(of_model.run, of_model.layout), index, of_model.run);
  const bool own = stages_differ(of_model.model, of_model.layout);
  const auto model = own ? model_of(of_model.model, stage) : of_model.model;
  // Activations are kept of the layers that are passed through on the way back.
  const bool some = of_model.run.ends_early() && of_model.model.pattern.differs() &&
                    stage.back.layers().value() > 0;
  const auto back = some ? model_of(of_model.model, stage.back) : model;
  const StepInput<double> in(of_model, model);
  const StepInput<double> of_back(of_model, back);
  const auto work = layer_work(of_back);
  const auto kept = [&](bool sparse) {
    const auto imbalance = sparse ? expert_imbalance(in.layout, in.assumptions) : Count<double>(1);
    return keep(layer_activations(back, in.run, in.layout, sparse, imbalance, TensorCopies(in)),
                work, sparse, back, in.run, in.layout, choice.dropped);
  };
  const ShardWays<double> ways{Count<double>(choice.placement.shards.chips),
                               Count<double>(choice.placement.expert_shards.chips)};
  return stage_memory(
      in.layout, in.stack, state_memory(in.model, in.run, in.layout, in.stack, stage, ways),
      transient_memory(in.model, in.run, in.layout, in.assumptions, stage,
                       gathered_memory(in.model, in.run, in.layout, in.stack, stage)),
      kept(false), kept(true), stage, in.assumptions);
}

}  // namespace scaling
