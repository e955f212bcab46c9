// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>

#include "scaling/training/step_base.hpp"

namespace scaling {

/// The stages of layouts that divide the model alike: those with the same tensor, expert and
/// pipeline ways and the same course through them, whatever their context and data ways. Keeps
/// nothing on the heap.
class StageTable {
 public:
  /// Does what `set_stages` does.
  void set(StepBase<double>& base, const StepInput<double>& in);

 private:
  struct Key {
    double tensor = 0, expert_tensor = 0, expert = 0, pipeline = 0;
    PipelineCourse course = PipelineCourse::kLoop;

    bool operator==(const Key&) const = default;
  };
  /// Without a pattern, stages are of few kinds; see make_stages.
  static constexpr std::size_t kMost = 3, kEntries = 61;
  struct Entry {
    Key key;
    std::size_t count;
    std::array<StageCost<double>, kMost> stages;
  };

  std::array<Entry, kEntries> entries_{};
};

}  // namespace scaling
