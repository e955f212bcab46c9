// SPDX-License-Identifier: MIT
#include "scaling/search/stage_table.hpp"

#include <algorithm>

namespace scaling {

void StageTable::set(StepBase<double>& base, const StepInput<double>& in) {
  if (chunks_matter(in)) return set_stages<double>(base, in);
  const auto& layout = in.layout;
  const Kept& kept = kept_.find(
      {layout.tensor.value(), layout.expert_tensor.value(), layout.expert.value(),
       layout.pipeline.value(), static_cast<double>(course_of(layout))},
      [&] {
        set_stages<double>(base, in);
        Kept made{base.stage_count, {}};
        std::copy_n(base.stages.begin(), std::min(made.count, kMost), made.stages.begin());
        return made;
      });
  if (kept.count > kMost) return set_stages<double>(base, in);
  base.stage_count = kept.count;
  std::copy_n(kept.stages.begin(), kept.count, base.stages.begin());
}

}  // namespace scaling
