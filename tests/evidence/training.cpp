// SPDX-License-Identifier: MIT
//
// The error of predicted steps on measured ones: with the constants of the product, and fitted with
// parts of the runs left out.
#include "training.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>

#include "errors.hpp"
#include "fit.hpp"
#include "predictions.hpp"
#include "tuning_evidence.hpp"
#include "tuning_runs.hpp"
#include "unknown_software.hpp"

namespace scaling::evidence {
namespace {

void print(const char* title, const Runs& runs, const Predicted& predicted) {
  std::printf("%s\n", title);
  for (const auto& slices : {kinds_of_runs(), sources_of(runs), chips_and_formats_of(runs)}) {
    for (const auto& slice : slices) {
      const Error e = error_of(runs, predicted, slice.holds);
      if (e.count == 0) continue;
      std::printf("  %-34s %4zu rows  %5.1f / %5.1f %%  bias %+.1f\n", slice.name.c_str(), e.count,
                  e.median, e.ninth, e.bias);
    }
  }
  const Order order = order_of(runs, predicted);
  std::printf(
      "  %.0f %% of %zu pairs of layouts in the right order; regret %.1f / %.1f %% of %zu\n",
      order.right, order.pairs, order.regret, order.ninth_regret, order.tasks);
}

/// Prints which shares of runs the bounds and the band hold, by kind and by another way.
Json coverage_of(const Runs& runs, const Predictions& predictions,
                 const std::vector<Slice>& others) {
  Json result;
  for (const auto& slices : {kinds_of_runs(), others}) {
    for (const auto& slice : slices) {
      const auto share = coverage_of(runs, predictions, slice.holds);
      const auto range = range_of_share(share.band, share.count);
      std::printf(
          "  %-20s %4zu rows  above the lower bound %.1f %%, below the upper %.1f %%, in the band "
          "%.1f %% (%.0f to %.0f)\n",
          slice.name.c_str(), share.count, share.lower, share.upper, share.band, range.low,
          range.high);
      result[slice.name] = {{"rows", share.count},
                            {"lower", to_tenth(share.lower)},
                            {"upper", to_tenth(share.upper)},
                            {"band", to_tenth(share.band)}};
    }
  }
  return result;
}

Json errors_by(const std::vector<Slice>& slices, const Runs& runs, const Predicted& predicted) {
  Json errors;
  for (const auto& slice : slices) {
    const Error e = error_of(runs, predicted, slice.holds);
    if (e.count == 0) continue;
    errors[slice.name] = {{"rows", e.count},
                          {"median", to_tenth(e.median)},
                          {"ninth", to_tenth(e.ninth)},
                          {"bias", to_tenth(e.bias)}};
  }
  return errors;
}

Json errors_of(const Runs& runs, const Predicted& predicted) {
  Json errors = errors_by(kinds_of_runs(), runs, predicted);
  errors.update(errors_by(sources_of(runs), runs, predicted));
  const Order order = order_of(runs, predicted);
  return {{"errors", errors},
          {"order",
           {{"pairs", order.pairs},
            {"right", to_tenth(order.right)},
            {"regretNinth", to_tenth(order.ninth_regret)}}}};
}

/// The presets and the trainings of a file, or a message on what is wrong with them.
struct Read {
  std::string error;
  Presets presets;
  std::vector<TrainingRun> runs;

  Read(const std::string& shared, const std::string& file) : presets(read_presets(shared, error)) {
    if (good()) runs = read_runs(file, presets, error);
    if (!good()) std::fprintf(stderr, "%s\n", error.c_str());
  }

  bool good() const { return error.empty(); }
};

/// The logarithms of the constants, fitted to all runs and printed.
std::vector<double> fit_to_all(const Runs& runs, const std::vector<Fitted>& list) {
  constexpr int kRounds = 15;
  const auto x = fit(runs, list, std::vector<double>(list.size(), 0), kRounds);
  std::printf("fitted to all of them\n");
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::printf("  %-28s %.4g\n", list[i].name.c_str(), list[i].prior * std::exp(x[i]));
  }
  return x;
}

/// The kinds of trainings whose ranges other software widens: their name, and whether it is the
/// models with experts.
constexpr std::pair<const char*, bool> kWidened[] = {{"dense", false}, {"experts", true}};

/// Prints predictions of trainings whose software was left out of all that is known.
Json print_unknown(const Runs& runs, const std::vector<UnknownRun>& unknown) {
  Predicted predicted;
  Predictions as_known, as_other;
  for (const auto& each : unknown) {
    predicted[each.run] = each.as_other.expected;
    as_known[each.run] = each.as_known;
    as_other[each.run] = each.as_other;
  }
  print("each software left out, and what it does", runs, predicted);
  Json result = errors_of(runs, predicted);
  std::printf("with the range of known software\n");
  result["asKnown"] = coverage_of(runs, as_known, software_of(runs));
  std::printf("with that of other software\n");
  result["coverage"] = coverage_of(runs, as_other, software_of(runs));
  for (const auto& [name, sparse] : kWidened) {
    const auto [times, held, count] = widening_of(needed_of(unknown, sparse));
    std::printf(
        "  %s, %zu rows: a range %.2f times as wide in logarithms holds 9 of 10; that of the "
        "other software holds %.1f %%\n",
        name, count, times, held);
    result["widening"][name] = {
        {"rows", count}, {"times", with_percent(times)}, {"held", to_tenth(held)}};
  }
  return result;
}

/// Prints how many trainings that ran are said to fit.
Json print_verdicts(const std::vector<TrainingRun>& runs) {
  Json result;
  for (const bool torus : {false, true}) {
    const auto said = verdicts_of(runs, kStepConstants, torus);
    const char* const kind = torus ? "TPU" : "GPU";
    std::printf("  %s runs that ran: %zu fit, %zu are tight, %zu do not fit\n", kind, said.fits,
                said.tight, said.over);
    result[kind] = {{"fits", said.fits}, {"tight", said.tight}, {"over", said.over}};
    if (said.ran_out == 0) continue;
    std::printf("  of %zu that ran out of memory, %zu are said to fit or to be tight\n",
                said.ran_out, said.missed);
    result[kind]["ranOut"] = {{"rows", said.ran_out}, {"missed", said.missed}};
  }
  return result;
}

}  // namespace

int fit_steps(const std::string& shared, const std::string& out) {
  const Read read(shared, shared + "/runs.json");
  if (!read.good()) return 1;
  const Runs runs = predictable(read.runs);
  const auto list = fitted_constants();
  const auto x = fit_to_all(runs, list);
  const auto constants = with_constants(list, x);
  const auto unknown = with_software_left_out(shared + "/runs.json", read.presets, runs, list, x);
  Json places{{"step.spreadOther", widening_of(needed_of(unknown, false)).times},
              {"step.spreadOtherExperts", widening_of(needed_of(unknown, true)).times}};
  for (const auto& fitted : list) {
    for (const auto& place : fitted.places) places[place] = constant_at(constants, place);
  }
  std::ofstream stream(out);
  stream << places.dump(1) << "\n";
  return stream ? 0 : 1;
}

int predict_rows(const std::string& shared, const std::string& file, const std::string& out) {
  const Read read(shared, file);
  if (!read.good()) return 1;
  const auto& presets = read.presets;
  const auto& runs = read.runs;
  Json rows = Json::array();
  Runs used;
  Predicted predicted;
  for (const auto& run : runs) {
    Json row{{"id", run.id}};
    if (run.measured > 0) row["measured"] = run.measured;
    if (run.readable) {
      const auto p = predict(run, kStepConstants);
      row["memory"] = p.memory;
      row["memoryLow"] = p.memory_low;
      row["memoryHigh"] = p.memory_high;
      row["memoryState"] = kMemoryStateNames[static_cast<std::size_t>(p.state)];
      if (run.memory > 0) row["measuredMemory"] = run.memory;
      row["lower"] = p.lower;
      row["low"] = p.low;
      row["expected"] = p.expected;
      row["high"] = p.high;
      row["upper"] = p.upper;
      row["input"] = input_of(run, presets);
      if (run.reason.empty()) {
        used.push_back(&run);
        predicted[&run] = p.expected;
      }
    }
    if (!run.reason.empty()) row["reason"] = run.reason;
    rows.push_back(std::move(row));
  }
  print(file.c_str(), used, predicted);
  std::vector<TrainingRun> stated;
  std::copy_if(runs.begin(), runs.end(), std::back_inserter(stated),
               [](const TrainingRun& run) { return run.readable && run.memory > 0; });
  print_memory(stated);
  print_verdicts(runs);
  if (out.empty()) return 0;
  std::ofstream stream(out);
  stream << rows.dump(1) << "\n";
  return stream ? 0 : 1;
}

int training_evidence(const std::string& shared, const std::string& golden) {
  Read read(shared, shared + "/runs.json");
  if (!read.good()) return 1;
  const auto& all = read.runs;
  std::map<std::string, int> reasons;
  Runs runs;
  for (const auto& run : all) {
    if (run.reason.empty()) {
      runs.push_back(&run);
    } else {
      ++reasons[run.reason];
    }
  }
  std::printf("%zu runs, %zu of them predicted; of the others:\n", all.size(), runs.size());
  for (const auto& [reason, count] : reasons) std::printf("  %4d %s\n", count, reason.c_str());

  Predicted predicted;
  Predictions predictions;
  const auto predict_by = [&](const TrainingRun* run, const StepConstants& constants) {
    predictions[run] = predict(*run, constants);
    predicted[run] = predictions[run].expected;
  };
  for (const TrainingRun* run : runs) predict_by(run, kStepConstants);
  print("as the product predicts them", runs, predicted);
  Json result{{"asShipped", errors_of(runs, predicted)}};
  // The same trainings, with nothing known of their software.
  const auto usual = read_runs(shared + "/runs.json", read.presets, read.error, Software::kUsual);
  const auto undescribed = [&](const TrainingRun* run) -> const TrainingRun& {
    return usual.at(static_cast<std::size_t>(run - all.data()));
  };
  Predicted blind;
  for (const TrainingRun* run : runs) {
    blind[run] = predict(undescribed(run), kStepConstants).expected;
  }
  print("the same, software not described", runs, blind);
  result["asShipped"]["undescribed"] = errors_by(kinds_of_runs(), runs, blind);
  result["coverage"] = coverage_of(runs, predictions, chips_of(runs));
  const Error memory = memory_error(all, kStepConstants);
  std::printf("  memory of a chip %zu rows %.1f / %.1f %%  bias %+.1f\n", memory.count,
              memory.median, memory.ninth, memory.bias);
  const auto tunings =
      read_tuning_runs(shared + "/tuning-runs.json", read.presets, read.error).memory;
  const Runs with_memory = runs_with_memory(all, tunings);
  const MemoryCoverage held = memory_coverage(with_memory, kStepConstants);
  std::printf(
      "  of fine-tunings, too, %zu rows: measured over predicted %.3f to %.3f for 9 of 10; in the "
      "band %.1f %%, in that of all "
      "other sources %.1f %%\n",
      with_memory.size(), held.low, held.high, held.band, held.left_out);
  const Json ran = print_verdicts(all);
  result["memory"] = {{"rows", memory.count},
                      {"median", to_tenth(memory.median)},
                      {"ninth", to_tenth(memory.ninth)},
                      {"low", with_percent(held.low)},
                      {"high", with_percent(held.high)},
                      {"band", to_tenth(held.band)},
                      {"sourceLeftOut", to_tenth(held.left_out)},
                      {"ran", ran}};

  const auto list = fitted_constants();
  const auto x = fit_to_all(runs, list);
  for (std::size_t i = 0; i < list.size(); ++i) {
    result["fitted"][list[i].name] = list[i].prior * std::exp(x[i]);
  }
  const auto constants = with_constants(list, x);
  for (const TrainingRun* run : runs) predicted[run] = predict(*run, constants).expected;
  print("with these", runs, predicted);

  const auto cross = [&](const auto& fold_of, std::size_t folds, const char* title,
                         const char* key) {
    for (std::size_t fold = 0; fold < folds; ++fold) {
      Runs rest;
      for (const TrainingRun* run : runs) {
        if (fold_of(*run) != fold) rest.push_back(run);
      }
      const auto at = with_constants(list, fit(rest, list, x, 6));
      for (const TrainingRun* run : runs) {
        if (fold_of(*run) != fold) continue;
        predict_by(run, at);
        blind[run] = predict(undescribed(run), at).expected;
      }
    }
    print(title, runs, predicted);
    result[key] = errors_of(runs, predicted);
    print("the same, software not described", runs, blind);
    result[key]["undescribed"] = errors_by(kinds_of_runs(), runs, blind);
    result[key]["coverage"] = coverage_of(runs, predictions, chips_of(runs));
    // 5 and 95 % of measured over expected.
    for (const auto& slice : kinds_of_runs()) {
      std::vector<double> ratios;
      for (const TrainingRun* run : runs) {
        if (slice.holds(*run)) ratios.push_back(run->measured / predicted.at(run));
      }
      std::printf("  %s: measured over expected %.3f to %.3f for 9 of 10\n", slice.name.c_str(),
                  quantile(ratios, 0.05), quantile(ratios, 0.95));
    }
  };
  // The same folds each time, for whatever tells runs apart.
  constexpr std::size_t kFolds = 6;
  const auto folds_by = [&](const auto& name_of) {
    std::map<std::string, std::size_t> folds;
    for (const TrainingRun* run : runs) folds.emplace(name_of(*run), 0);
    std::vector<std::string> shuffled;
    for (const auto& [name, unused] : folds) shuffled.push_back(name);
    unsigned seed = 12345;  // any
    for (std::size_t i = shuffled.size(); i > 1; --i) {
      seed = seed * 1664525u + 1013904223u;
      std::swap(shuffled[i - 1], shuffled[seed % i]);
    }
    std::size_t next = 0;
    for (const auto& name : shuffled) folds[name] = next++ % kFolds;
    return folds;
  };
  const auto configurations = folds_by([](const TrainingRun& r) { return r.configuration; });
  cross([&](const TrainingRun& r) { return configurations.at(r.configuration); }, kFolds,
        "six-fold, by configuration", "sixFold");
  // All layouts of a run are left out together, and compared by the same constants.
  const auto tasks = folds_by([](const TrainingRun& r) { return r.task; });
  cross([&](const TrainingRun& r) { return tasks.at(r.task); }, kFolds,
        "six-fold, all layouts of a run together", "sixFoldByRun");
  std::map<std::string, std::size_t> sources;
  for (const TrainingRun* run : runs) sources.emplace(run->source, 0);
  std::size_t next = 0;
  for (auto& [name, place] : sources) place = next++;
  cross([&](const TrainingRun& r) { return sources.at(r.source); }, sources.size(),
        "each source left out", "sourceLeftOut");
  result["softwareLeftOut"] = print_unknown(
      runs, with_software_left_out(shared + "/runs.json", read.presets, runs, list, x));
  if (golden.empty()) return 0;
  std::ofstream stream(golden);
  stream << result.dump(2) << "\n";
  return stream ? write_predictions(shared) : 1;
}

}  // namespace scaling::evidence
