// SPDX-License-Identifier: MIT
//
// The least and the most that each field allows.
#pragma once

#include <cstddef>

#include "catch.hpp"
#include "inputs.hpp"

namespace scaling::test {

/// Calls `use` with an input for the least and the most of each field.
template <class Question, class Use>
void at_ends(const typename Question::Input& input, Use use) {
  for (std::size_t field = 0; field < inputs::kFieldsVisited<Question>; ++field) {
    for (const bool most : {false, true}) {
      auto changed = input;
      const FieldInfo* info = nullptr;
      std::size_t i = 0;
      inputs::visit_fields(changed, [&](const FieldInfo& each, double& value) {
        if (i++ != field) return;
        info = &each;
        value = most ? each.maximum : each.minimum;
      });
      CAPTURE(info->group);
      CAPTURE(info->key);
      CAPTURE(most);
      use(changed);
    }
  }
}

}  // namespace scaling::test
