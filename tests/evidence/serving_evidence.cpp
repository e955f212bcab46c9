// SPDX-License-Identifier: MIT
#include "serving_evidence.hpp"

#include <cstdio>
#include <fstream>
#include <set>

#include "rows.hpp"
#include "serving.hpp"
#include "serving_fit.hpp"
#include "serving_predictions.hpp"
#include "unknown_engine.hpp"

namespace scaling::evidence {
namespace {

Json print(const char* title, const std::vector<ServingFigure>& figures,
           const std::vector<ServingSlice>& slices = serving_slices()) {
  std::printf("%s\n", title);
  Json result;
  for (const auto& slice : slices) {
    const auto e = serving_error(figures, slice);
    if (e.error.count == 0) continue;
    const auto range = range_of_share(e.band, e.error.count);
    std::printf(
        "  %-44s %4zu  %5.1f / %5.1f %%  bias %+6.1f  sound %5.1f %%  band %5.1f %% (%.0f to "
        "%.0f)\n",
        slice.name.c_str(), e.error.count, e.error.median, e.error.ninth, e.error.bias, e.sound,
        e.band, range.low, range.high);
    result[slice.name] = {{"figures", e.error.count},         {"median", to_tenth(e.error.median)},
                          {"ninth", to_tenth(e.error.ninth)}, {"bias", to_tenth(e.error.bias)},
                          {"sound", to_tenth(e.sound)},       {"band", to_tenth(e.band)}};
  }
  return result;
}

ServingRuns used(const std::vector<ServingRun>& runs) {
  ServingRuns result;
  for (const auto& run : runs) {
    if (run.reason.empty()) result.push_back(&run);
  }
  return result;
}

/// Prints predictions of servers whose engine was left out of all that is known, by engine, too;
/// and how much wider the ranges would have to be for them.
Json print_unknown(const std::vector<ServingFigure>& unknown) {
  std::set<std::string> engines;
  for (const auto& each : unknown) engines.insert(each.run->engine);
  auto slices = serving_slices();
  for (const auto& engine : engines) {
    for (std::size_t i = 0; i < kServingMeasures; ++i) {
      slices.push_back(
          {engine + " left out: " + kServingMeasureNames[i], [engine, i](const ServingFigure& f) {
             return f.run->engine == engine && static_cast<std::size_t>(f.measure) == i;
           }});
    }
  }
  Json result = print("serving, each engine left out, and what it does", unknown, slices);
  for (std::size_t i = 0; i < kServingMeasures; ++i) {
    for (const bool sparse : {false, true}) {
      const auto [times, held, count] =
          widening_of(needed_of(unknown, static_cast<ServingMeasure>(i), sparse));
      const std::string kind = sparse ? "experts" : "dense";
      std::printf(
          "  %s %s, %zu figures: a range %.2f times as wide in logarithms holds 9 of 10; that of "
          "the other engines holds %.1f %%\n",
          kind.c_str(), kServingMeasureNames[i], count, times, held);
      result["widening"][kind + ": " + kServingMeasureNames[i]] = {
          {"figures", count}, {"times", with_percent(times)}, {"held", to_tenth(held)}};
    }
  }
  return result;
}

/// A fold of a family's name: the same everywhere.
unsigned fold_of(const std::string& name, unsigned folds) {
  unsigned hash = 2166136261u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash % folds;
}

}  // namespace

int predict_serving_rows(const std::string& shared, const std::string& file,
                         const std::string& out) {
  std::string error;
  const auto presets = read_serving_presets(shared, error);
  const auto runs =
      error.empty() ? read_serving_runs(file, presets, error) : std::vector<ServingRun>{};
  if (!error.empty()) {
    std::fprintf(stderr, "%s\n", error.c_str());
    return 1;
  }
  Json rows = Json::array();
  std::map<std::string, int> reasons;
  for (const auto& run : runs) {
    Json row{{"id", run.id}};
    if (!run.reason.empty()) {
      ++reasons[run.reason];
      row["reason"] = run.reason;
    } else {
      const auto predicted = predict(run);
      for (std::size_t i = 0; i < kServingMeasures; ++i) {
        const auto& p = predicted[i];
        if (!p.present) continue;
        // A speed's lower bound is an upper one: nothing is faster.
        row[kServingMeasureNames[i]] = {{i == 0 ? "upper" : "lower", p.bound},
                                        {"low", p.low},
                                        {"expected", p.expected},
                                        {"high", p.high}};
        if (i == 0) row[kServingMeasureNames[i]]["lower"] = p.low;
        if (run.measured[i] > 0) row["measured"][kServingMeasureNames[i]] = run.measured[i];
      }
      if (!run.unfit.empty()) row["note"] = run.unfit;
    }
    rows.push_back(std::move(row));
  }
  std::printf("%zu rows\n", runs.size());
  for (const auto& [reason, count] : reasons) std::printf("  %4d %s\n", count, reason.c_str());
  print(file.c_str(), serving_figures(used(runs), true));
  if (out.empty()) return 0;
  std::ofstream stream(out);
  stream << rows.dump(1) << "\n";
  return stream ? 0 : 1;
}

int serving_evidence(const std::string& shared, const std::string& golden) {
  std::string error;
  const auto presets = read_serving_presets(shared, error);
  const auto runs = all_serving_runs(shared, presets, error);
  if (!error.empty()) {
    std::fprintf(stderr, "%s\n", error.c_str());
    return 1;
  }
  const auto all = used(runs);
  std::map<std::string, int> reasons;
  for (const auto& run : runs) {
    if (!run.reason.empty()) ++reasons[run.reason];
  }
  std::printf("%zu measurements of serving, %zu of them predicted; of the others:\n", runs.size(),
              all.size());
  for (const auto& [reason, count] : reasons) std::printf("  %4d %s\n", count, reason.c_str());
  Json result;
  const auto figures = serving_figures(all, false);
  result["asShipped"] = print("serving, as the product predicts it", figures);
  print("serving, with those that a rule keeps out", serving_figures(all, true));
  for (const auto& f : figures) {
    if (f.sound()) continue;
    std::printf("  below the bound: %s %s: measured %.4g, bound %.4g\n", f.run->id.c_str(),
                kServingMeasureNames[static_cast<std::size_t>(f.measure)], f.measured,
                f.predicted.bound);
  }

  const auto fitted = fit_serving(all, kServingConstants, 4);
  std::printf("fitted to all of them\n");
  for (const auto& [name, value] : fitted_values(fitted)) {
    std::printf("  %-28s %.4g\n", name.c_str(), value);
    result["fitted"][name] = value;
  }
  // Whole groups of a model on a chip, or of a published configuration, are left out together.
  constexpr unsigned kFolds = 6;
  std::vector<ServingFigure> left_out;
  for (unsigned fold = 0; fold < kFolds; ++fold) {
    ServingRuns rest, others;
    for (const ServingRun* run : all) {
      const auto family = run->model + "|" + run->chip;
      (fold_of(family, kFolds) == fold ? others : rest).push_back(run);
    }
    const auto constants = fit_serving(rest, fitted, 3);
    for (const auto& figure : serving_figures(others, false, constants)) {
      left_out.push_back(figure);
    }
  }
  result["groupLeftOut"] = print("serving, each model on a chip left out", left_out);
  for (std::size_t i = 0; i < kServingMeasures; ++i) {
    for (const bool sparse : {false, true}) {
      std::vector<double> ratios;
      for (const auto& f : left_out) {
        if (static_cast<std::size_t>(f.measure) == i && f.run->sparse == sparse) {
          ratios.push_back(1 / f.ratio());
        }
      }
      std::printf("  %s %s: measured over expected %.3f to %.3f for 9 of 10\n",
                  sparse ? "experts" : "dense", kServingMeasureNames[i], quantile(ratios, 0.05),
                  quantile(ratios, 0.95));
    }
  }
  result["engineLeftOut"] = print_unknown(with_engine_left_out(shared, presets, all, fitted));
  return golden.empty() ? 0 : add_to_golden(golden, "serving", result);
}

}  // namespace scaling::evidence
