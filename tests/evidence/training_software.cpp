// SPDX-License-Identifier: MIT
#include "training_software.hpp"

#include <algorithm>

namespace scaling::evidence {
namespace {

/// Whether a list of JSON has a value.
bool lists(const Json& list, const std::string& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
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

void take_recipe(PlanQuestion::Input& input, const std::string& id, const Presets& presets) {
  for (const auto& recipe : presets.recipes) {
    for (const auto& start : recipe.at("rows")) {
      if (id.rfind(start.get<std::string>(), 0) == 0) take_software(input, recipe);
    }
  }
}

}  // namespace scaling::evidence
