// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/quantity/memo.hpp"
#include "scaling/training/step_base.hpp"

namespace scaling {

/// Whether layers of different kinds lie on a stage by the chunks of its schedule, too: those of a
/// pattern, or those that are trained.
inline bool chunks_matter(const StepInput<double>& in) {
  return !in.model.pattern.empty() || in.run.ends_early();
}

/// The stages of layouts that divide the model alike: those with the same tensor, expert and
/// pipeline ways and the same course through them, whatever their context and data ways. Keeps
/// nothing on the heap.
class StageTable {
 public:
  /// Does what `set_stages` does.
  void set(StepBase<double>& base, const StepInput<double>& in);

 private:
  /// Without a pattern, stages are of few kinds; see make_stages.
  static constexpr std::size_t kMost = 3;
  struct Kept {
    std::size_t count;
    std::array<StageCost<double>, kMost> stages;
  };

  /// By tensor, expert tensor, expert and pipeline ways, and the course.
  Memo<std::array<double, 5>, Kept, 64> kept_;
};

}  // namespace scaling
