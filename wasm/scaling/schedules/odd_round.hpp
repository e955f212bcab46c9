// SPDX-License-Identifier: MIT
#pragma once

namespace scaling {

/// Forward passes of chunks that the longest way through an interleaved step has more than where
/// its last round is full: of `stages` stages of `chunks` chunks each, where `missing`
/// micro-batches are missing to the last round, and there is a round before it.
///
/// Backward passes take at least as long as forward ones. So the longest ways are those with the
/// most backward passes: each stays on its stage, or follows a micro-batch to the next one. Of
/// these, the longest is that which meets the most forward passes. Staying meets the forward pass
/// that comes next in the stage's order, unless that one is missing; following skips two.
///
/// Source: the order of Megatron-LM (SC21) 2.2, as `draw_pipeline` works it through. Beyond
/// 262,144 passes to go through, a bound that it does not exceed.
double late_passes(double stages, double chunks, double missing);

}  // namespace scaling
