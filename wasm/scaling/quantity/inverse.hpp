// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "scaling/quantity/trace.hpp"

namespace scaling {

/// The equation of `root` solved for the input `field`, where it should be `target` [in the unit of
/// the root]: recorded on the same tape, and kNowhere where it cannot be written down, as where the
/// field stands in both factors of a product. A minimum or a maximum counts as the part that it was
/// on the tape; rounding up and down is left out. `depends` is room for as many as the tape has
/// nodes. Must be called while the tape records.
NodeId solve_for(const Tape& tape, NodeId root, const FieldInfo& field, Traced target,
                 std::span<bool> depends);

}  // namespace scaling
