// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/assumptions.hpp"
#include "scaling/input/chip.hpp"
#include "scaling/input/groups.hpp"
#include "scaling/input/layout.hpp"
#include "scaling/input/model.hpp"
#include "scaling/input/run.hpp"
#include "scaling/input/search_space.hpp"
#include "scaling/input/stack.hpp"

namespace scaling {

/// The input of a search for layouts.
template <class R>
using SearchInput = Groups<R, Chip, Model, Run, Layout, Stack, Assumptions, SearchSpace>;

/// Checks what no layout can mend.
void check_machine(const SearchInput<double>& in, Issues& issues);

/// Checks how the layout's ways fit the model and the chips.
void check_ways(const SearchInput<double>& in, Issues& issues);

/// Whether check_ways finds no fault.
bool fits_together(const SearchInput<double>& in);

}  // namespace scaling
