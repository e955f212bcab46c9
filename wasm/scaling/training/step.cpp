// SPDX-License-Identifier: MIT
#include "scaling/training/step.hpp"

#include <algorithm>

namespace scaling {
[[gnu::noinline]] StageBytes stage_bytes(const StepInput<double>& in, const StepBase<double>& base,
                                         const StageStates& states,
                                         const KeptStages<double>& kept) {
  StageBytes bytes;
  for (std::size_t i = 0; i < base.stage_count; ++i) {
    const StageCost<double>& cost = base.stages[i];
    const auto& [dense, sparse] = kept.of(cost.stage);
    bytes[i] = stage_memory(in.layout, states[i], cost.transient, dense, sparse, cost.stage,
                            in.assumptions)
                   .total()
                   .value();
  }
  return bytes;
}

std::array<DropOption, kDroppedKinds> drop_options(const StepBase<double>& base,
                                                   const Stage<double>& stage) {
  const LayerCost<double>& of_stage = base.layers_of(stage);
  const auto& work = of_stage.work;
  const double of_dense = stage.dense.value();
  const double of_sparse = stage.sparse.value();
  const double layers = of_dense + of_sparse;
  const auto& d = of_stage.dense_activations;
  const auto& s = of_stage.sparse_activations;
  using Bytes = Quantity<kByte, double>;
  const auto option = [&](Bytes dense_bytes, Bytes sparse_bytes, double dense_cost,
                          double sparse_cost) -> DropOption {
    return {(of_dense * dense_bytes.value() + of_sparse * sparse_bytes.value()) / layers,
            (of_dense * dense_cost + of_sparse * sparse_cost) / layers};
  };
  const auto of_any = [&](Bytes dense_bytes, Bytes sparse_bytes, const Work<double>& again) {
    const double cost = again.expected.value();
    return option(dense_bytes, sparse_bytes, cost, cost);
  };
  const double output = work.output.expected.value();
  std::array<DropOption, kDroppedKinds> options{};
  const auto offer = [&](Dropped kind, DropOption one) {
    options[static_cast<std::size_t>(kind)] = one;
  };
  offer(Dropped::kNorms, of_any(d.norms, s.norms, work.norms));
  offer(Dropped::kProduct, option(d.product, s.product, work.dense_activation.expected.value(),
                                  work.sparse_activation.expected.value()));
  offer(Dropped::kQkv, of_any(d.qkv, s.qkv, work.projections));
  offer(Dropped::kAttention,
        of_any(d.attention + d.scores, s.attention + s.scores, work.attention));
  offer(Dropped::kHidden, option(d.hidden, s.hidden, work.dense_up.expected.value(),
                                 work.sparse_up.expected.value()));
  offer(Dropped::kMiddle,
        option(d.middle, s.middle, output + base.dense_tensor.expected.value() / 4,
               output + base.sparse_tensor.expected.value() / 4));
  offer(Dropped::kResults, option(d.results, s.results, 0, work.sparse_down.expected.value()));
  return options;
}

DroppedShares choose_dropped(const StepInput<double>& in, const StepBase<double>& base,
                             Quantity<kByte, double> limit, KeptStages<double>& kept) {
  StageStates states;
  for (std::size_t i = 0; i < base.stage_count; ++i) {
    states[i] = state_memory(in.model, in.run, in.layout, base.stages[i].stage, base.ways);
  }
  const auto whole = stage_bytes(in, base, states, keep_layers(in, base, {}));
  return choose_dropped(in, base, states, whole, limit, kept);
}

DroppedShares choose_dropped(const StepInput<double>& in, const StepBase<double>& base,
                             const StageStates& states, const StageBytes& whole,
                             Quantity<kByte, double> limit, KeptStages<double>& kept) {
  DroppedShares dropped{};
  if (in.layout.recompute == Recompute::kSelective) dropped = selective_drops(in.stack.selective);
  if (in.layout.recompute == Recompute::kCheapest) {
    for (std::size_t i = 0; i < base.stage_count; ++i) {
      // The allocator gives back its share of what tensors no longer take.
      const double needed =
          (whole[i] - limit.value()) / (1 + in.assumptions.allocator_share.value());
      const auto& stage = base.stages[i].stage;
      const double layers = stage.dense.value() + stage.sparse.value();
      if (needed <= 0 || layers <= 0) continue;
      const auto drops =
          cheapest_drops(drop_options(base, stage), layers, stage.in_flight.value(), needed);
      for (std::size_t kind = 0; kind < kDroppedKinds; ++kind) {
        dropped[kind] = std::max(dropped[kind], drops[kind]);
      }
    }
  }
  kept = keep_layers(in, base, dropped);
  if (in.layout.recompute != Recompute::kCheapest || dropped == DroppedShares{}) return dropped;
  // A share that another stage needs dropped takes room while it is recomputed; dropping it in all
  // layers frees enough for that.
  const auto left = stage_bytes(in, base, states, kept);
  const auto last = left.begin() + static_cast<std::ptrdiff_t>(base.stage_count);
  if (*std::max_element(left.begin(), last) > limit.value()) {
    for (double& share : dropped) share = share > 0 ? 1 : 0;
    kept = keep_layers(in, base, dropped);
  }
  return dropped;
}

}  // namespace scaling
