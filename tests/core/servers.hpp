// SPDX-License-Identifier: MIT
//
// Shared by the tests of serving: servers of presets.
#pragma once

#include <map>
#include <string>

#include "presets.hpp"
#include "scaling/questions/serving/question.hpp"

namespace scaling::test {

inline const std::map<std::string, Raw<Chip>>& chips() {
  static const auto presets = chip_presets();
  return presets;
}
inline const std::map<std::string, Raw<Model>>& models() {
  static const auto presets = model_presets();
  return presets;
}

inline ServingQuestion::Input serve(const char* chip, const char* model, const Settings& serving,
                                    const Settings& server = {}) {
  return {chips().at(chip), models().at(model), make<Serving>(serving), make<Server>(server)};
}

}  // namespace scaling::test
