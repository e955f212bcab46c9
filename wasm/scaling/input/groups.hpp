// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/field.hpp"

namespace scaling {

/// Where a value that belongs to a group lies among those of others: a member with the group's
/// name.
template <template <class> class Group, class T>
using SlotOf = typename Group<double>::template Slot<T>;

/// Groups side by side: `Groups<R, Chip, Run>` has the members `chip` and `run`.
template <class R, template <class> class... Group>
struct Groups : SlotOf<Group, Group<R>>... {
  Groups() = default;
  Groups(const Group<R>&... group) : SlotOf<Group, Group<R>>{group}... {}
};

/// The same groups as they come in.
template <template <class> class... Group>
struct RawGroups : SlotOf<Group, Raw<Group>>... {
  RawGroups() = default;
  RawGroups(const Raw<Group>&... group) : SlotOf<Group, Raw<Group>>{group}... {}
};

template <template <class> class Group>
Raw<Group>& raw_group(SlotOf<Group, Raw<Group>>& slot) {
  auto& [group] = slot;
  return group;
}

template <template <class> class Group>
const Raw<Group>& raw_group(const SlotOf<Group, Raw<Group>>& slot) {
  const auto& [group] = slot;
  return group;
}

}  // namespace scaling
