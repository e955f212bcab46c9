// SPDX-License-Identifier: MIT
#pragma once

// Targets as JavaScript sees them, for modules that solve them at once or step by step.

#include "bind.hpp"
#include "scaling/views/target.hpp"

namespace scaling {

inline constexpr std::size_t kMostTurns = 128;
inline constexpr std::size_t kTurnNumbers = 6;

/// Six numbers a turn, see Turn: a view that holds until the next call.
inline val turn_rows(std::span<const Turn> turns) {
  static std::array<double, kMostTurns * kTurnNumbers> rows;
  std::size_t n = 0;
  for (const Turn& turn : turns) {
    for (const double number :
         {static_cast<double>(turn.place.group), static_cast<double>(turn.place.field),
          static_cast<double>(turn.effect), turn.value, turn.slices, turn.reached}) {
      rows[n++] = number;
    }
  }
  return val(typed_memory_view(n, rows.data()));
}

/// {issues}, or {absence, now, met, turns}.
inline val solution(const Solved& solved, std::span<const Turn> turns) {
  val result = val::object();
  if (!solved.issues.empty()) {
    result.set("issues", issue_list(solved.issues));
    return result;
  }
  result.set("absence", static_cast<unsigned>(solved.absence));
  result.set("now", solved.now);
  result.set("met", solved.met);
  result.set("turns", turn_rows(turns));
  return result;
}

/// Whether a question has such an answer, and a target can want this of it.
template <class Question>
bool can_want(std::size_t answer, unsigned wanted) {
  return has_answer<Question>(answer) && wanted < std::size(kWantedNames);
}

/// {done, turns} after more work on a target that is solved step by step.
template <class Search>
val advanced(Search& search, unsigned count) {
  /// A call may be asked for so much work, lest it never end.
  constexpr unsigned kMostAtOnce = 1u << 16;
  val result = val::object();
  result.set("done", search.advance(count < kMostAtOnce ? count : kMostAtOnce));
  result.set("turns", turn_rows(search.turns()));
  return result;
}

}  // namespace scaling
