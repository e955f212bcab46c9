// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/groups.hpp"

namespace scaling {

/// Braces keep the order of the groups, in which inputs are recorded.
template <template <class> class... Group>
template <class R>
Groups<R, Group...> RawGroups<Group...>::read() const {
  return {{read_group<Group, R>(raw_group<Group>(*this))}...};
}

}  // namespace scaling
