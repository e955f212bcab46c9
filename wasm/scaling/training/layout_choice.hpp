// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/training/step.hpp"

namespace scaling {

/// The choices of a layout that are made before it is costed.
struct LayoutChoice {
  Placement placement;
  DroppedShares dropped;
};

/// The placement with the shortest expected step, and what to compute again. The layout is one that
/// the checks of SearchInput find no fault with.
LayoutChoice choose_for_layout(const StepInput<double>& in);

/// Bytes that a layer (one with experts, if the model has them) keeps of a micro-batch, once
/// `dropped` is.
template <class R>
LayerActivations<R> kept_of_layer(const StepInput<R>& in, const DroppedShares& dropped);

/// shares_again of such a layer.
DroppedShares shares_again(const StepInput<double>& in, const DroppedShares& dropped);

/// The layers of the fullest stage of a step.
double fullest_layers(const StepInput<double>& in, double micro_batches, double fullest);

/// A step of `in` as `choice` has it.
template <class R>
Step<R> cost_step(const StepInput<R>& in, const LayoutChoice& choice);

/// Memory of the chips of stage `index` [B], by item.
StageMemory<double> memory_of_stage(const StepInput<double>& in, const LayoutChoice& choice,
                                    double index);

}  // namespace scaling
