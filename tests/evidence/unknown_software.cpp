// SPDX-License-Identifier: MIT
#include "unknown_software.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace scaling::evidence {
namespace {

constexpr double kHeld = 0.9;

/// The presets without what tells of one software.
Presets without(const Presets& presets, const std::string& stack) {
  Presets others = presets;
  others.software = Json::array();
  for (const auto& each : presets.software) {
    if (each.at("stack") != stack) others.software.push_back(each);
  }
  return others;
}

}  // namespace

std::vector<UnknownRun> with_software_left_out(const std::string& file, const Presets& presets,
                                               const Runs& runs, const std::vector<Fitted>& list,
                                               const std::vector<double>& start) {
  constexpr int kRounds = 6;
  std::set<std::string> names;
  for (const TrainingRun* run : runs) names.insert(run->stack);
  std::vector<UnknownRun> unknown;
  for (const auto& name : names) {
    Runs rest;
    for (const TrainingRun* run : runs) {
      if (run->stack != name) rest.push_back(run);
    }
    const auto constants = with_constants(list, fit(rest, list, start, kRounds));
    std::string error;
    std::map<std::string, TrainingRun> read;
    for (auto& run : read_runs(file, without(presets, name), error)) {
      read[run.id] = std::move(run);
    }
    for (const TrainingRun* run : runs) {
      if (run->stack != name) continue;
      // Rules about its other settings may refuse it.
      TrainingRun& other = read[run->id];
      if (!other.readable) other = *run;
      other.groups.stack.software = SoftwareFit::kKnown;
      const auto as_known = predict(other, constants);
      other.groups.stack.software = SoftwareFit::kOther;
      unknown.push_back(
          {run, as_known, predict(other, constants),
           widening_for(run->measured, as_known.low, as_known.expected, as_known.high)});
    }
  }
  return unknown;
}

double widening_for(double measured, double low, double expected, double high) {
  const double end = measured < expected ? low : high;
  return std::log(measured / expected) / std::log(end / expected);
}

std::vector<Needed> needed_of(const std::vector<UnknownRun>& unknown, bool sparse) {
  std::vector<Needed> needed;
  for (const auto& each : unknown) {
    if (each.run->sparse == sparse) needed.push_back({each.run->stack, each.widening});
  }
  return needed;
}

Widening widening_of(const std::vector<Needed>& all) {
  std::set<std::string> names;
  std::vector<double> times;
  for (const auto& each : all) {
    names.insert(each.software);
    times.push_back(each.times);
  }
  std::size_t held = 0;
  for (const auto& name : names) {
    std::vector<double> others;
    for (const auto& each : all) {
      if (each.software != name) others.push_back(each.times);
    }
    const double wide = quantile(others, kHeld);
    held += static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const Needed& each) {
      return each.software == name && each.times <= wide;
    }));
  }
  const double share = all.empty() ? 0 : 100 / static_cast<double>(all.size());
  return {quantile(times, kHeld), share * static_cast<double>(held), all.size()};
}

}  // namespace scaling::evidence
