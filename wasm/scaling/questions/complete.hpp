// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/chip.hpp"
#include "scaling/input/issue.hpp"
#include "scaling/input/run.hpp"

namespace scaling {

/// Chooses what a run of right fields leaves to its chip, and says so: as many slices as the chips
/// need, where one torus has too few, and fp16 on a chip that does not compute in bf16.
void complete_run(const Raw<Chip>& chip, Raw<Run>& run, Issues& notices);

template <class Input>
void complete(Input& input, Issues& notices) {
  if constexpr (requires { raw_group<Chip>(input), raw_group<Run>(input); }) {
    complete_run(raw_group<Chip>(input), raw_group<Run>(input), notices);
  }
}

}  // namespace scaling
