// SPDX-License-Identifier: MIT
#include "scaling/training/layout_choice.hpp"

namespace scaling {

LayoutChoice choose_for_layout(const StepInput<double>& in) {
  const auto work = layer_work(in);
  const auto ends = ends_work(in);
  const double slices = in.run.slices.value();
  const Placements placements(in.chip, in.layout, in.run.chips.value() / slices, slices,
                              in.model.sparse());
  const auto limit = memory_limit(in.chip, in.assumptions);
  LayoutChoice best;
  double least = -1;
  for (const Placement& placement : placements.items()) {
    const auto transfers = step_transfers(in, placement);
    const auto base = make_step_base(in, work, ends, transfers, placement);
    const auto dropped = choose_dropped(in, base, limit);
    const auto kept = [&](bool sparse) {
      return keep(sparse ? base.sparse_activations : base.dense_activations, work, sparse, in.model,
                  in.run, in.layout, dropped);
    };
    const double seconds = finish_step(in, base, kept(false), kept(true)).expected.value();
    if (least >= 0 && seconds >= least) continue;
    least = seconds;
    best = {placement, dropped};
  }
  return best;
}

StageMemory<double> memory_of_stage(const StepInput<double>& in, const LayoutChoice& choice,
                                    double index) {
  const auto work = layer_work(in);
  const auto kept = [&](bool sparse) {
    const auto imbalance = sparse ? expert_imbalance(in.layout, in.assumptions) : Count<double>(1);
    return keep(layer_activations(in.model, in.run, in.layout, sparse, imbalance), work, sparse,
                in.model, in.run, in.layout, choice.dropped);
  };
  const auto stage = make_stage(in.model, in.layout, count_micro_batches(in.run, in.layout), index);
  const ShardWays<double> ways{Count<double>(choice.placement.shards.chips),
                               Count<double>(choice.placement.expert_shards.chips)};
  return stage_memory(in.layout, state_memory(in.model, in.run, in.layout, stage, ways),
                      transient_memory(in.model, in.run, in.layout, in.assumptions, stage),
                      kept(false), kept(true), stage, in.assumptions);
}

}  // namespace scaling
