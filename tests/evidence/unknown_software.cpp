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

/// How many times wider in logarithms the range would have to be, on the side of the measurement.
double widening_for(const Prediction& p, double measured) {
  const double end = measured < p.expected ? p.low : p.high;
  return std::log(measured / p.expected) / std::log(end / p.expected);
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
          {run, as_known, predict(other, constants), widening_for(as_known, run->measured)});
    }
  }
  return unknown;
}

Widening widening_of(const std::vector<UnknownRun>& unknown, bool sparse) {
  std::map<std::string, std::vector<double>> of_software;
  std::vector<double> all;
  for (const auto& each : unknown) {
    if (each.run->sparse != sparse) continue;
    of_software[each.run->stack].push_back(each.widening);
    all.push_back(each.widening);
  }
  std::size_t held = 0;
  for (const auto& [name, own] : of_software) {
    std::vector<double> others;
    for (const auto& [other, widenings] : of_software) {
      if (other != name) others.insert(others.end(), widenings.begin(), widenings.end());
    }
    const double times = quantile(others, kHeld);
    held += static_cast<std::size_t>(
        std::count_if(own.begin(), own.end(), [=](double needed) { return needed <= times; }));
  }
  const double share = all.empty() ? 0 : 100 / static_cast<double>(all.size());
  return {quantile(all, kHeld), share * static_cast<double>(held), all.size()};
}

}  // namespace scaling::evidence
