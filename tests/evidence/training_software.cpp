// SPDX-License-Identifier: MIT
#include "training_software.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "rows.hpp"

namespace scaling::evidence {
namespace {

/// Whether a list of JSON has a value.
bool lists(const Json& list, const std::string& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// A stage ends behind the layer that passes an even share of what layers and head cost. Source:
/// nanotron, models/base.py, build_model; LlamaModel, get_block_compute_costs.
std::vector<int> placed_by_cost(const Raw<Model>& model, double stages) {
  const double hidden = model.values[index_of<Model>("hidden")];
  const double feed_forward = model.values[index_of<Model>("feedForward")];
  const double layer = 4 * hidden * hidden + 3 * feed_forward * hidden;
  const double layers = model.values[index_of<Model>("layers")];
  const double all = layers * layer + model.values[index_of<Model>("vocabulary")] * hidden;
  std::vector<int> placed(static_cast<std::size_t>(stages));
  std::size_t stage = 0;
  for (double i = 1; i <= layers; ++i) {
    ++placed[stage];
    const double share = (static_cast<double>(stage) + 1) / stages;
    if (i * layer > all * share && stage + 1 < placed.size()) ++stage;
  }
  return placed;
}

/// Layers that do not divide go to the last. Source: InternEvo, partition_uniform.
std::vector<int> placed_last(const Raw<Model>& model, double stages) {
  const double layers = model.values[index_of<Model>("layers")];
  const double even = std::floor(layers / stages);
  const double more = layers - even * stages;
  std::vector<int> placed;
  for (double i = 0; i < stages; ++i) {
    placed.push_back(static_cast<int>(even) + (i >= stages - more ? 1 : 0));
  }
  return placed;
}

}  // namespace

const Json* stack_by_id(const Json& id, const Presets& presets) {
  for (const auto& stack : presets.stacks) {
    if (stack.at("id") == id) return &stack;
  }
  return nullptr;
}

const Json* stated_stack(const std::string& name, const std::string& source,
                         const Presets& presets) {
  for (const auto& each : presets.software) {
    for (const auto& known : each.value("names", Json::array())) {
      const auto start = known.get<std::string>();
      if (name.compare(0, start.size(), start) == 0) return stack_by_id(each.at("stack"), presets);
    }
  }
  for (const auto& each : presets.software) {
    if (lists(each.value("sources", Json::array()), source))
      return stack_by_id(each.at("stack"), presets);
  }
  return nullptr;
}

const Json* usual_stack(const std::string& generation, const std::string& precision,
                        StateSharding sharding, const Presets& presets) {
  const char* const shared = kStateShardingNames[static_cast<std::size_t>(sharding)];
  const Json* found = nullptr;
  std::size_t said = 0;
  for (const auto& each : presets.software) {
    for (const auto& usual : each.value("usualOn", Json::array())) {
      const auto fits = [&](const char* key, const std::string& value) {
        const auto list = usual.find(key);
        return list == usual.end() || lists(*list, value);
      };
      if (usual.size() > said && fits("generations", generation) && fits("precisions", precision) &&
          fits("shardings", shared)) {
        found = &each;
        said = usual.size();
      }
    }
  }
  return found == nullptr ? nullptr : stack_by_id(found->at("stack"), presets);
}

std::string placed_layers(const Json& stack, const Raw<Model>& model, double stages,
                          const Presets& presets) {
  if (!(stages > 1) || !(stages <= model.values[index_of<Model>("layers")])) return "";
  const auto rule =
      std::find_if(presets.software.begin(), presets.software.end(), [&](const Json& each) {
        return each.at("stack") == stack.at("id") && each.contains("stages");
      });
  if (rule == presets.software.end()) return "";
  std::string list;
  const auto placed =
      rule->at("stages") == "evenCost" ? placed_by_cost(model, stages) : placed_last(model, stages);
  for (const int layers : placed) list += (list.empty() ? "" : ",") + std::to_string(layers);
  return list;
}

void take_recipe(PlanQuestion::Input& input, const std::string& id, const Presets& presets) {
  for (const auto& recipe : presets.recipes) {
    for (const auto& start : recipe.at("rows")) {
      if (id.rfind(start.get<std::string>(), 0) == 0) take_software(input, recipe);
    }
  }
}

}  // namespace scaling::evidence
