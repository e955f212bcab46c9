// SPDX-License-Identifier: MIT
//
// The presets by which published trainings become inputs.
#pragma once

#include <string>

#include "catch.hpp"
#include "training_runs.hpp"

namespace scaling::test::evidence_presets {

/// The presets of shared/, which are read once.
inline const evidence::Presets& presets() {
  static const evidence::Presets result = [] {
    std::string error;
    auto read = evidence::read_presets(SCALING_SHARED_DIR, error);
    INFO(error);
    REQUIRE(error.empty());
    return read;
  }();
  return result;
}

}  // namespace scaling::test::evidence_presets
