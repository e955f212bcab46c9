// SPDX-License-Identifier: MIT
#include "scaling/training/training_memory.hpp"

#include "scaling/model/tower.hpp"
#include "scaling/training/tuning.hpp"

namespace scaling {

template <class R>
TrainingMemory<R> training_memory(const Chip<R>& chip, const Model<R>& model, const Run<R>& run,
                                  Quantity<kParam, R> parameters) {
  TrainingMemory<R> result;
  const auto weight_bytes = bytes_of<R, kByte / kParam>(run.weight_format);
  auto weights = weight_bytes * parameters;
  auto trained = trained_parameters(model, run, parameters);
  if (run.ends_early() && run.train_head && model.tied_embeddings) {
    weights = weights + weight_bytes * end_parameters(model).head;  // a copy of its own
  }
  if (run.adapts()) {
    weights = weights + weight_bytes * trained;
    if (run.quantises()) {
      // A count that was stated may be less than what the architecture says.
      weights = weights - (weight_bytes - base_bytes(run)) *
                              min(quantised_parameters(model, run), parameters);
    }
  }
  if (run.sees()) {
    const auto tower = tower_parameters(model);
    weights = weights + weight_bytes * tower;
    if (run.trains_tower()) trained = trained + tower;
  }
  result.weights = named<term::kWeightMemory>(weights);
  result.gradients = named<term::kGradientMemory>(run.gradient_bytes * trained);
  result.optimizer = named<term::kOptimizerMemory>(run.optimizer_bytes * trained);
  auto checkpoints = checkpoint_bytes_per_token(model, run) * run.batch_tokens;
  if (run.ends_early()) checkpoints = run.trained_layers / model.layers * checkpoints;
  result.checkpoints = named<term::kCheckpointMemory>(checkpoints);
  result.total = named<term::kTotalMemory>(result.weights + result.gradients + result.optimizer +
                                           result.checkpoints);

  const bool several_slices = run.slices.value() > 1;
  const auto slice_chips = several_slices ? run.chips / run.slices : run.chips;
  const auto one = constant<kChip, R>(1);

  // States that every chip holds whole, and those that the chips of a slice share.
  Quantity<kByte, R> whole{};
  Quantity<kByte, R> shared{};
  const auto place = [&](Quantity<kByte, R> states, StateSharding from) {
    if (run.state_sharding >= from) {
      shared = shared.value() > 0 ? shared + states : states;
      return states / slice_chips;
    }
    whole = whole.value() > 0 ? whole + states : states;
    return states / one;
  };
  result.weights_per_chip =
      named<term::kWeightsPerChip>(place(result.weights, StateSharding::kParameters));
  result.gradients_per_chip =
      named<term::kGradientsPerChip>(place(result.gradients, StateSharding::kGradients));
  result.optimizer_per_chip =
      named<term::kOptimizerPerChip>(place(result.optimizer, StateSharding::kOptimizer));
  result.checkpoints_per_chip = named<term::kCheckpointsPerChip>(result.checkpoints / run.chips);
  result.per_chip =
      named<term::kMemoryPerChip>(result.weights_per_chip + result.gradients_per_chip +
                                  result.optimizer_per_chip + result.checkpoints_per_chip);

  const auto divided = (several_slices ? run.slices * shared : shared) + result.checkpoints;
  const auto room = whole.value() > 0 ? chip.memory - whole / one : chip.memory;
  if (room.value() > 0) {
    const auto fractional = named<term::kFractionalMinimumChips>(divided / room);
    result.fractional_minimum_chips = fractional;
    const auto whole_chips =
        several_slices ? run.slices * ceil(fractional / run.slices) : ceil(fractional);
    const auto one_each = several_slices ? as<kChip>(run.slices) : one;
    result.minimum_chips = named<term::kMinimumChips>(max(whole_chips, one_each));
  } else {
    result.fractional_minimum_chips = Absence::kNever;
    result.minimum_chips = Absence::kNever;
  }
  return result;
}

template TrainingMemory<SCALING_REP> training_memory(const Chip<SCALING_REP>&,
                                                     const Model<SCALING_REP>&,
                                                     const Run<SCALING_REP>&,
                                                     Quantity<kParam, SCALING_REP>);

}  // namespace scaling
