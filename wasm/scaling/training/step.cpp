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
    bytes[i] = stage_memory(in.layout, in.stack, states[i], cost.transient, dense, sparse,
                            cost.stage, in.assumptions)
                   .total()
                   .value();
  }
  return bytes;
}

std::array<DropOption, kDroppedKinds> drop_options(const StepBase<double>& base,
                                                   const Stage<double>& stage) {
  const LayerCost<double>& of_stage = base.layers_of(stage.back);
  const auto& work = of_stage.work;
  const double of_dense = stage.back.dense.value();
  const double of_sparse = stage.back.sparse.value();
  const double layers = of_dense + of_sparse;
  const auto& d = of_stage.dense_activations;
  const auto& s = of_stage.sparse_activations;
  using Bytes = Quantity<kByte, double>;
  std::array<DropOption, kDroppedKinds> options{};
  const auto offer = [&](Dropped kind, Bytes dense_bytes, Bytes sparse_bytes, double dense_more = 0,
                         double sparse_more = 0) {
    const auto cost = [&](bool sparse) { return work.again(kind, sparse).expected.value(); };
    options[static_cast<std::size_t>(kind)] = {
        (of_dense * dense_bytes.value() + of_sparse * sparse_bytes.value()) / layers,
        (of_dense * (cost(false) + dense_more) + of_sparse * (cost(true) + sparse_more)) / layers};
  };
  offer(Dropped::kNorms, d.norms, s.norms);
  offer(Dropped::kProduct, d.product, s.product);
  offer(Dropped::kQkv, d.qkv, s.qkv);
  offer(Dropped::kAttention, d.attention + d.scores, s.attention + s.scores);
  offer(Dropped::kHidden, d.hidden, s.hidden);
  offer(Dropped::kMiddle, d.middle, s.middle, base.dense_tensor.expected.value() / 4,
        base.sparse_tensor.expected.value() / 4);
  offer(Dropped::kResults, d.results, s.results);
  return options;
}

namespace {

/// Seconds in which the slowest stage computes again what it drops of a micro-batch.
double cost_of_drops(const StepBase<double>& base, const DroppedShares& drops) {
  double most = 0;
  for (std::size_t i = 0; i < base.stage_count; ++i) {
    const auto& stage = base.stages[i].stage;
    const auto layers = stage.back.layers();
    if (!(layers.value() > 0)) continue;
    const auto options = drop_options(base, stage);
    double cost = 0;
    for (std::size_t kind = 0; kind < kDroppedKinds; ++kind) {
      cost += drops[kind] * options[kind].cost;
    }
    most = std::max(most, cost * stage.worked(layers).value());
  }
  return most;
}

}  // namespace

DroppedShares choose_dropped(const StepInput<double>& in, const StepBase<double>& base,
                             Quantity<kByte, double> limit, KeptStages<double>& kept) {
  StageStates states;
  for (std::size_t i = 0; i < base.stage_count; ++i) {
    states[i] =
        state_memory(in.model, in.run, in.layout, in.stack, base.stages[i].stage, base.ways);
  }
  const auto whole = stage_bytes(in, base, states, keep_layers(in, base, {}));
  return choose_dropped(in, base, states, whole, limit, kept);
}

DroppedShares choose_dropped(const StepInput<double>& in, const StepBase<double>& base,
                             const StageStates& states, const StageBytes& whole,
                             Quantity<kByte, double> limit, KeptStages<double>& kept) {
  DroppedShares dropped{};
  std::array<DroppedShares, kStagesCosted> own{};
  std::size_t choices = 0;
  if (in.layout.recompute == Recompute::kSelective) dropped = selective_drops(in.stack.selective);
  if (in.layout.recompute == Recompute::kCheapest) {
    for (std::size_t i = 0; i < base.stage_count; ++i) {
      // The allocator gives back its share of what tensors no longer take.
      const double needed =
          (whole[i] - limit.value()) / (1 + in.assumptions.allocator_share.value());
      const auto& stage = base.stages[i].stage;
      const double layers = stage.back.layers().value();
      if (needed <= 0 || layers <= 0) continue;
      const auto drops =
          cheapest_drops(drop_options(base, stage), layers, stage.in_flight.value(), needed);
      own[choices++] = drops;
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
  // All stages drop alike. Where they choose different kinds, what one of them chooses may be
  // enough for all, and cost less than what any of them does.
  double least = cost_of_drops(base, dropped);
  for (std::size_t i = 0; i < choices; ++i) {
    const double cost = cost_of_drops(base, own[i]);
    if (!(cost < least)) continue;
    const auto alone = keep_layers(in, base, own[i]);
    const auto bytes = stage_bytes(in, base, states, alone);
    if (*std::max_element(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(
                                                             base.stage_count)) > limit.value()) {
      continue;
    }
    least = cost;
    dropped = own[i];
    kept = alone;
  }
  return dropped;
}

}  // namespace scaling
