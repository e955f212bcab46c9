// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "scaling/schedules/dual_pipe.hpp"
#include "scaling/schedules/gpipe.hpp"
#include "scaling/schedules/interleaved.hpp"
#include "scaling/schedules/one_f_one_b.hpp"
#include "scaling/schedules/v_blocks.hpp"
#include "scaling/schedules/zbv.hpp"
#include "scaling/schedules/zero_bubble.hpp"

namespace scaling {

template <class... Schedule>
struct ScheduleList;

/// Every schedule, in the order in which forms list them and searches try them.
using PipelineSchedules =
    ScheduleList<Gpipe, OneFOneB, Interleaved, Zb1p, Zb2p, Zbv, VHalf, VMin, DualPipe>;

/// One of the schedules: its place in the list, by which fields and answers know it.
enum class PipelineSchedule : std::uint8_t {};

/// What a schedule must have; see schedule.hpp.
template <class S>
concept IsSchedule = requires(const Pipeline<double>& pipeline, const Held<double>& held,
                              PipelineOrder& order) {
  requires std::is_same_v<decltype(S::kRow), const PipelineScheduleRow>;
  requires std::is_same_v<decltype(S::bubble(pipeline)), Quantity<kSecond, double>>;
  requires std::is_same_v<decltype(S::held(held)), Count<double>>;
  S::order(order);
};

template <class... Schedule>
struct ScheduleList {
  static_assert((IsSchedule<Schedule> && ...));

  static constexpr PipelineScheduleRow kRows[] = {Schedule::kRow...};

  template <class Wanted>
  static consteval PipelineSchedule of() {
    static_assert((std::is_same_v<Wanted, Schedule> || ...), "the list doesn't have it");
    std::size_t place = 0;
    (void)((std::is_same_v<Wanted, Schedule> || (++place, false)) || ...);
    return static_cast<PipelineSchedule>(place);
  }

  /// Calls `use` with the type of `schedule` as its template argument.
  template <class Use>
  static constexpr auto with(PipelineSchedule schedule, const Use& use) {
    return with_next<Use, Schedule...>(schedule, use);
  }

 private:
  template <class Use, class First, class... Others>
  static constexpr auto with_next(PipelineSchedule schedule, const Use& use) {
    if constexpr (sizeof...(Others) > 0) {
      if (schedule != of<First>()) return with_next<Use, Others...>(schedule, use);
    }
    return use.template operator()<First>();
  }
};

/// The place of a schedule, e.g. `kSchedule<OneFOneB>`.
template <class Schedule>
inline constexpr PipelineSchedule kSchedule = PipelineSchedules::of<Schedule>();

constexpr const PipelineScheduleRow& row_of(PipelineSchedule schedule) {
  return PipelineSchedules::kRows[static_cast<std::size_t>(schedule)];
}

}  // namespace scaling
