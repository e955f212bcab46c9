// SPDX-License-Identifier: MIT
#include "scaling/search/search_results.hpp"

#include <cmath>

namespace scaling {

/// Makes ready to look for the fastest that leaves room; whether there is any to look for.
bool SearchResults::begin_roomy() {
  // None is faster than the best; what that computes again is chosen for less room, so that it
  // would be the same with more.
  const auto best = best_.items();
  for (const CostedLayout& plan : best) {
    if (plan.memory > room_) continue;
    roomy_ = plan;
    has_roomy_ = true;
    break;
  }
  const bool open = !best.empty() && limit_ > room_;
  if (!open || (has_roomy_ && roomy_.expected <= best[0].expected)) return false;
  limit_ = room_;
  return true;
}

void SearchResults::next_turn() {
  turn_ = static_cast<Turn>(static_cast<int>(turn_) + 1);
  if (turn_ == Turn::kRoomy && !begin_roomy()) turn_ = Turn::kAll;
  if (done()) return;
  evaluated_ = fitting_ = 0;
  if (turn_ != Turn::kAll) return;
  limit_ = budget_;
  // The best that are known rule others out from the start.
  for (const CostedLayout& plan : best_.items()) {
    if (!front_.is_behind(plan.memory, plan.expected)) front_.keep(plan);
    lower_ = std::fmin(lower_, plan.lower);
  }
}

void SearchResults::set_ways(const Layout<double>& layout) {
  if (turn_ != Turn::kRoomy) {
    fastest_limit_ = best_.limit_for(layout);
  } else {
    fastest_limit_ = has_roomy_ ? roomy_.expected : BestLayouts::kUnlimited;
  }
}

[[gnu::noinline]] void SearchResults::set_cell(double x, double y) { cell_ = map_.at_values(x, y); }

[[gnu::noinline]] bool SearchResults::hopeless(double memory, double seconds, double lower) const {
  const bool fits = memory <= kMoreByRounding * limit_;
  if (for_fastest()) {
    if (!fits) return true;
    return seconds >= fastest_limit_;
  }
  if (fits && !(cell_ > 0 && seconds >= cell_ && lower >= lower_)) return false;
  return front_.is_behind(memory, seconds);
}

bool SearchResults::is_wanted(double memory, double expected) const {
  if (for_fastest()) return memory <= limit_ && expected < fastest_limit_;
  return !front_.is_behind(memory, expected);
}

bool SearchResults::keep(const CostedLayout& plan) {
  if (!for_fastest()) return front_.keep(plan);
  if (turn_ == Turn::kRoomy) {
    roomy_ = plan;
    has_roomy_ = true;
  } else {
    best_.keep(plan);
  }
  set_ways(plan.layout);
  return true;
}

bool SearchResults::keep_times(double x, double y, double expected, double lower) {
  const bool kept = map_.keep(x, y, expected);
  set_cell(x, y);
  lower_ = std::fmin(lower_, lower);
  return kept;
}

}  // namespace scaling
