// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/field.hpp"

namespace scaling {

/// The fields of a layout that a search may choose; the others stay as the layout says.
template <class R>
struct SearchSpace {
  static constexpr const char* kGroup = "search";
  template <class T>
  struct Slot {
    T search;
    static constexpr T Slot::*kMember = &Slot::search;
  };

  bool tensor, context, pipeline, virtual_stages, schedule, expert, expert_tensor, micro_batch,
      sharding, recompute;

  static constexpr auto fields() {
    return Fields{
        flag(&SearchSpace::tensor, "tensor").fallback(1),
        flag(&SearchSpace::context, "context").fallback(1),
        flag(&SearchSpace::pipeline, "pipeline").fallback(1),
        flag(&SearchSpace::virtual_stages, "virtualStages").fallback(1),
        flag(&SearchSpace::schedule, "schedule").fallback(0),
        flag(&SearchSpace::expert, "expert").fallback(1),
        flag(&SearchSpace::expert_tensor, "expertTensor").fallback(0),
        flag(&SearchSpace::micro_batch, "microBatch").fallback(1),
        flag(&SearchSpace::sharding, "sharding").fallback(1),
        flag(&SearchSpace::recompute, "recompute").fallback(1),
    };
  }
};

}  // namespace scaling
