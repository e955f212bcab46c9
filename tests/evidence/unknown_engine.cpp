// SPDX-License-Identifier: MIT
#include "unknown_engine.hpp"

#include <set>

#include "serving_fit.hpp"
#include "serving_predictions.hpp"

namespace scaling::evidence {
namespace {

/// The presets without an engine.
ServingPresets without(const ServingPresets& presets, const std::string& engine) {
  ServingPresets others = presets;
  others.servers = Json::array();
  for (const auto& each : presets.servers) {
    if (each.at("engine") != engine) others.servers.push_back(each);
  }
  return others;
}

}  // namespace

std::vector<ServingFigure> with_engine_left_out(const std::string& shared,
                                                const ServingPresets& presets,
                                                const ServingRuns& runs,
                                                const ServingConstants& start) {
  constexpr int kRounds = 3;
  std::set<std::string> engines;
  for (const ServingRun* run : runs) engines.insert(run->engine);
  engines.erase("");
  std::vector<ServingFigure> unknown;
  for (const auto& engine : engines) {
    ServingRuns rest;
    for (const ServingRun* run : runs) {
      if (run->engine != engine) rest.push_back(run);
    }
    const auto constants = fit_serving(rest, start, kRounds);
    std::string error;
    std::map<std::string, ServingRun> read;
    for (auto& run : all_serving_runs(shared, without(presets, engine), error)) {
      read[run.id] = std::move(run);
    }
    for (const ServingRun* run : runs) {
      if (run->engine != engine || !run->unfit.empty()) continue;
      const ServingRun& other = read.at(run->id);
      if (!other.reason.empty()) continue;
      const auto predicted = predict(other, constants);
      for (std::size_t i = 0; i < kServingMeasures; ++i) {
        if (!(run->measured[i] > 0) || !predicted[i].present) continue;
        unknown.push_back({run, static_cast<ServingMeasure>(i), run->measured[i], predicted[i]});
      }
    }
  }
  return unknown;
}

std::vector<Needed> needed_of(const std::vector<ServingFigure>& unknown, ServingMeasure measure,
                              bool sparse) {
  std::vector<Needed> needed;
  for (const auto& each : unknown) {
    if (each.measure != measure || each.run->sparse != sparse) continue;
    const auto& p = each.predicted;
    needed.push_back({each.run->engine, widening_for(each.measured, p.low, p.expected, p.high)});
  }
  return needed;
}

}  // namespace scaling::evidence
