// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/groups.hpp"

namespace scaling {

/// Braces keep the order of the groups, in which inputs are recorded.
template <class R, template <class> class... Group>
Groups<R, Group...> read_groups(const RawGroups<Group...>& raw) {
  return {{read_group<Group, R>(raw_group<Group>(raw))}...};
}

}  // namespace scaling
