// SPDX-License-Identifier: MIT
#include "tuning.hpp"

#include <algorithm>

namespace scaling::evidence {
namespace {

Json error_of_tunings(const Tunings& predictions, Measured measured, const Slice& slice) {
  const bool steps = measured == &TrainingRun::measured;
  std::vector<double> ratios;
  double above = 0, inside = 0;
  for (const auto& [run, p] : predictions) {
    if (!slice.holds(*run)) continue;
    const double found = run->*measured;
    ratios.push_back((steps ? p.expected : p.memory) / found);
    if (p.lower <= found) ++above;
    const double low = steps ? p.low : p.memory_low;
    const double high = steps ? p.high : p.memory_high;
    if (low <= found && found <= high) ++inside;
  }
  if (ratios.empty()) return nullptr;
  const Error e = error_of_ratios(ratios);
  const double share = 100 / static_cast<double>(e.count);
  Json error{{"rows", e.count},
             {"median", to_tenth(e.median)},
             {"ninth", to_tenth(e.ninth)},
             {"bias", to_tenth(e.bias)},
             {"band", to_tenth(share * inside)}};
  if (steps) error["lower"] = to_tenth(share * above);
  return error;
}

}  // namespace

std::vector<Slice> kinds_of_tunings() {
  const auto of_mlperf = [](const TrainingRun& r) { return r.source.rfind("mlperf", 0) == 0; };
  const auto one_chip = [](Trained trained) {
    return [=](const TrainingRun& r) {
      return r.groups.run.chips.value() == 1 && r.groups.run.trained == trained;
    };
  };
  return {{"all", [](const TrainingRun&) { return true; }},
          {"one chip, LoRA", one_chip(Trained::kLora)},
          {"one chip, QLoRA", one_chip(Trained::kQlora)},
          {"one chip, full", one_chip(Trained::kAll)},
          {"several chips",
           [=](const TrainingRun& r) { return r.groups.run.chips.value() > 1 && !of_mlperf(r); }},
          {"MLPerf", of_mlperf}};
}

Tunings predict_all(const Runs& runs, const StepConstants& constants) {
  Tunings predictions;
  for (const TrainingRun* run : runs) predictions[run] = predict(*run, constants);
  return predictions;
}

Json errors_of(const Tunings& predictions, Measured measured) {
  Runs runs;
  for (const auto& each : predictions) runs.push_back(each.first);
  Json errors;
  for (const auto& slices : {kinds_of_tunings(), sources_of(runs)}) {
    for (const auto& slice : slices) {
      const Json error = error_of_tunings(predictions, measured, slice);
      if (!error.is_null()) errors[slice.name] = error;
    }
  }
  return errors;
}

Json tuning_errors(const TuningRuns& runs) {
  std::size_t ran[3]{};
  std::size_t failed = 0, missed = 0;
  for (const auto& card : runs.cards) {
    if (!card.run.reason.empty()) continue;
    const auto state = predict(card.run, kStepConstants).state;
    if (card.ran) {
      ++ran[static_cast<std::size_t>(state)];
    } else {
      ++failed;
      if (state == MemoryState::kFits) ++missed;
    }
  }
  Json verdicts;
  for (std::size_t i = 0; i < std::size(ran); ++i) verdicts[kMemoryStateNames[i]] = ran[i];
  const auto errors = [](const std::vector<TrainingRun>& all, Measured measured) {
    return errors_of(predict_all(predictable(all), kStepConstants), measured);
  };
  return {{"stepTime", errors(runs.steps, &TrainingRun::measured)},
          {"memory", errors(runs.memory, &TrainingRun::memory)},
          {"ran", verdicts},
          {"ranOut", {{"rows", failed}, {"missed", missed}}}};
}

}  // namespace scaling::evidence
