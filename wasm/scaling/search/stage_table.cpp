// SPDX-License-Identifier: MIT
#include "scaling/search/stage_table.hpp"

#include <algorithm>

namespace scaling {

void StageTable::set(StepBase<double>& base, const StepInput<double>& in) {
  // A pattern's layers lie on a stage by the chunks of its schedule, too.
  if (!in.model.pattern.empty()) return set_stages<double>(base, in);
  const auto& layout = in.layout;
  const Key key{layout.tensor.value(), layout.expert_tensor.value(), layout.expert.value(),
                layout.pipeline.value(), course_of(layout)};
  Entry& entry =
      entries_[(static_cast<std::size_t>(key.pipeline) * 3 + static_cast<std::size_t>(key.course)) %
               kEntries];
  if (entry.key == key) {
    base.stage_count = entry.count;
    std::copy_n(entry.stages.begin(), entry.count, base.stages.begin());
    return;
  }
  set_stages<double>(base, in);
  if (base.stage_count > kMost) return;
  entry.key = key;
  entry.count = base.stage_count;
  std::copy_n(base.stages.begin(), entry.count, entry.stages.begin());
}

}  // namespace scaling
