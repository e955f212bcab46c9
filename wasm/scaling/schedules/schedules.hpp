// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "scaling/quantity/kind_list.hpp"
#include "scaling/schedules/dual_pipe.hpp"
#include "scaling/schedules/gpipe.hpp"
#include "scaling/schedules/interleaved.hpp"
#include "scaling/schedules/one_f_one_b.hpp"
#include "scaling/schedules/v_blocks.hpp"
#include "scaling/schedules/zbv.hpp"
#include "scaling/schedules/zero_bubble.hpp"

namespace scaling {

/// One of the schedules.
enum class PipelineSchedule : std::uint8_t {};

/// Every schedule, in the order in which forms list them and searches try them.
using PipelineSchedules = KindList<PipelineSchedule, Gpipe, OneFOneB, Interleaved, Zb1p, Zb2p, Zbv,
                                   VHalf, VMin, DualPipe>;

/// The number of a schedule, e.g. `kSchedule<OneFOneB>`.
template <class Schedule>
inline constexpr PipelineSchedule kSchedule = PipelineSchedules::of<Schedule>();

constexpr const PipelineScheduleRow& row_of(PipelineSchedule schedule) {
  return PipelineSchedules::row_of(schedule);
}

}  // namespace scaling
