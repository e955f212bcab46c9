// SPDX-License-Identifier: MIT
//
// The software that a published training ran.
#pragma once

#include <string>

#include "training_runs.hpp"

namespace scaling::evidence {

/// The software of shared/stacks.json with an id; null: none has it.
const Json* stack_by_id(const Json& id, const Presets& presets);

/// The software of shared/stacks.json that a row names, or that its source ran; null: not known.
const Json* stated_stack(const std::string& name, const std::string& source,
                         const Presets& presets);

/// The software that most published trainings of such a kind ran, by the kind that says most; null:
/// not known.
const Json* usual_stack(const std::string& generation, const std::string& precision,
                        StateSharding sharding, const Presets& presets);

/// The layers of each of `stages`, at most as many as the layers of `model`, as `stack` places
/// them: a list as the planner takes it; empty: evenly, or not known.
std::string placed_layers(const Json& stack, const Raw<Model>& model, double stages,
                          const Presets& presets);

/// Sets what the recipe sets that the row `id` was measured with, if one is known.
void take_recipe(PlanQuestion::Input& input, const std::string& id, const Presets& presets);

}  // namespace scaling::evidence
