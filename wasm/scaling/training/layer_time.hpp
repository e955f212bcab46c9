// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/training/layer_work.hpp"

namespace scaling {

/// Sets the expected times of `work` [s] to those that measured trainings take.
///
/// Each matmul forward and both of its backward ones are priced by their shapes (`kernel_time`), as
/// is attention; elementwise kernels, casts, the permutation of tokens and the cross entropy by the
/// bytes that they move. Rates are lower than those of a kernel alone by the constants of the
/// chip's generation, and by the power that the chip is given for its peak. Weight matmuls of
/// layers run in the layout's or the run's format, attention and head in 16 bits.
/// Source: fitted to published training steps, shared/efficiency.json.
template <class R>
void set_measured_times(LayerWork<R>& work, const StepInput<R>& in);

/// The same of embedding and head.
template <class R>
void set_measured_times(EndsWork<R>& work, const StepInput<R>& in);

}  // namespace scaling
