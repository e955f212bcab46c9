// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/field.hpp"

namespace scaling {

/// The place of a group's value among those of others: a member with the group's
/// name.
template <template <class> class Group, class T>
using SlotOf = typename Group<double>::template Slot<T>;

/// Groups side by side: `Groups<R, Chip, Run>` has the members `chip` and `run`.
template <class R, template <class> class... Group>
struct Groups : SlotOf<Group, Group<R>>... {};

/// The same groups before they are checked.
template <template <class> class... Group>
struct RawGroups : SlotOf<Group, Raw<Group>>... {
  RawGroups() = default;
  RawGroups(const Raw<Group>&... group) : SlotOf<Group, Raw<Group>>{group}... {}

  /// The typed groups, of raw ones that are right by themselves. Each question instantiates it
  /// beside its formula, by read_groups.hpp: there it is compiled for speed, whatever module calls
  /// it. A member, as compilers name a function with these groups as its parameters differently.
  template <class R>
  Groups<R, Group...> read() const;
};

template <template <class> class Group>
Raw<Group>& raw_group(SlotOf<Group, Raw<Group>>& slot) {
  return slot.*SlotOf<Group, Raw<Group>>::kMember;
}

template <template <class> class Group>
const Raw<Group>& raw_group(const SlotOf<Group, Raw<Group>>& slot) {
  return slot.*SlotOf<Group, Raw<Group>>::kMember;
}

}  // namespace scaling
