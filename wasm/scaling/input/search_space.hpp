// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/field.hpp"

namespace scaling {

/// The fields of a layout that a search may choose; the others stay as the layout says.
template <class R>
struct SearchSpace {
  static constexpr const char* kGroup = "search";
  static constexpr const char* kPrefix = "search.";
  template <class T>
  struct Slot {
    T search;
    static constexpr T Slot::*kMember = &Slot::search;
  };

  bool tensor, context, pipeline, virtual_stages, schedule, expert, expert_tensor, micro_batch,
      sharding, recompute;

  static constexpr auto fields() {
    return Fields{
        flag(&SearchSpace::tensor, "tensor").rare().fallback(1),
        flag(&SearchSpace::context, "context").rare().fallback(1),
        flag(&SearchSpace::pipeline, "pipeline").rare().fallback(1),
        flag(&SearchSpace::virtual_stages, "virtualStages").rare().fallback(1),
        flag(&SearchSpace::schedule, "schedule").rare().fallback(0),
        flag(&SearchSpace::expert, "expert").rare().fallback(1),
        flag(&SearchSpace::expert_tensor, "expertTensor").rare().fallback(0),
        flag(&SearchSpace::micro_batch, "microBatch").rare().fallback(1),
        flag(&SearchSpace::sharding, "sharding").rare().fallback(1),
        flag(&SearchSpace::recompute, "recompute").rare().fallback(1),
    };
  }
};

}  // namespace scaling
