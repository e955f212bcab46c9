// SPDX-License-Identifier: MIT
#include "errors.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>

namespace scaling::evidence {

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const auto above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

double to_tenth(double percent) { return std::round(10 * percent) / 10; }

double with_percent(double ratio) { return std::round(1000 * ratio) / 1000; }

int add_to_golden(const std::string& golden, const char* name, const Json& result) {
  Json file = Json::object();
  {
    std::ifstream stream(golden);
    const Json before = Json::parse(stream, nullptr, false);
    if (!before.is_discarded()) file = before;
  }
  file[name] = result;
  std::ofstream stream(golden);
  stream << file.dump(2) << "\n";
  return stream ? 0 : 1;
}

Error error_of_ratios(const std::vector<double>& ratios) {
  std::vector<double> sizes;
  for (const double ratio : ratios) sizes.push_back(100 * std::fabs(ratio - 1));
  return {quantile(sizes, 0.5), quantile(sizes, 0.9), 100 * (quantile(ratios, 0.5) - 1),
          sizes.size()};
}

namespace {

/// A slice for each name that runs have.
std::vector<Slice> slices_by(const Runs& runs, std::string (*name_of)(const TrainingRun&)) {
  std::set<std::string> names;
  for (const TrainingRun* run : runs) names.insert(name_of(*run));
  std::vector<Slice> slices;
  for (const auto& name : names) {
    slices.push_back({name, [=](const TrainingRun& r) { return name_of(r) == name; }});
  }
  return slices;
}

}  // namespace

Runs predictable(const std::vector<TrainingRun>& runs) {
  Runs found;
  for (const auto& run : runs) {
    if (run.reason.empty()) found.push_back(&run);
  }
  return found;
}

Error error_of(const Runs& runs, const Predicted& predicted,
               const std::function<bool(const TrainingRun&)>& which) {
  std::vector<double> ratios;
  for (const TrainingRun* run : runs) {
    if (which(*run)) ratios.push_back(predicted.at(run) / run->measured);
  }
  return ratios.empty() ? Error{} : error_of_ratios(ratios);
}

std::vector<Slice> kinds_of_runs() {
  return {{"all", [](const TrainingRun&) { return true; }},
          {"GPU", [](const TrainingRun& r) { return !r.torus; }},
          {"GPU, dense", [](const TrainingRun& r) { return !r.torus && !r.sparse; }},
          {"GPU, MoE", [](const TrainingRun& r) { return !r.torus && r.sparse; }},
          {"TPU", [](const TrainingRun& r) { return r.torus; }}};
}

std::vector<Slice> sources_of(const Runs& runs) {
  return slices_by(runs, [](const TrainingRun& r) { return r.source; });
}

std::vector<Slice> chips_and_formats_of(const Runs& runs) {
  return slices_by(runs, [](const TrainingRun& r) { return r.chip + ", " + r.precision; });
}

std::vector<Slice> chips_of(const Runs& runs) {
  return slices_by(runs, [](const TrainingRun& r) { return r.preset; });
}

std::vector<Slice> software_of(const Runs& runs) {
  return slices_by(runs, [](const TrainingRun& r) { return r.stack; });
}

Order order_of(const Runs& runs, const Predicted& predicted) {
  std::map<std::string, Runs> tasks;
  for (const TrainingRun* run : runs) tasks[run->task].push_back(run);
  Order order;
  std::size_t right = 0;
  std::vector<double> regrets;
  for (const auto& task : tasks) {
    const Runs& same = task.second;  // no binding: older compilers do not capture one
    if (same.size() < 2) continue;
    for (std::size_t i = 0; i < same.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const double ratio = same[i]->measured / same[j]->measured;
        if (ratio < 1.1 && ratio > 1 / 1.1) continue;
        if (predicted.at(same[i]) == predicted.at(same[j])) continue;  // the same layout, too
        ++order.pairs;
        if ((predicted.at(same[i]) > predicted.at(same[j])) == (ratio > 1)) ++right;
      }
    }
    const auto least = [&](const auto& time_of) {
      return *std::min_element(
          same.begin(), same.end(),
          [&](const TrainingRun* a, const TrainingRun* b) { return time_of(a) < time_of(b); });
    };
    const auto best = least([](const TrainingRun* run) { return run->measured; });
    const auto chosen = least([&](const TrainingRun* run) { return predicted.at(run); });
    regrets.push_back(100 * (chosen->measured / best->measured - 1));
  }
  order.tasks = regrets.size();
  order.regret = quantile(regrets, 0.5);
  order.ninth_regret = quantile(regrets, 0.9);
  if (order.pairs > 0) {
    order.right = 100.0 * static_cast<double>(right) / static_cast<double>(order.pairs);
  }
  return order;
}

ShareRange range_of_share(double share, std::size_t count) {
  if (count == 0) return {};
  constexpr double z = 1.96;
  const double n = static_cast<double>(count);
  const double p = share / 100;
  const double middle = p + z * z / (2 * n);
  const double half = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  const double whole = 1 + z * z / n;
  return {100 * (middle - half) / whole, 100 * (middle + half) / whole};
}

Coverage coverage_of(const Runs& runs, const Predictions& predictions,
                     const std::function<bool(const TrainingRun&)>& which) {
  Coverage coverage;
  for (const TrainingRun* run : runs) {
    if (!which(*run)) continue;
    const auto& p = predictions.at(run);
    const double measured = run->measured;
    ++coverage.count;
    if (p.lower <= measured) ++coverage.lower;
    if (p.upper >= measured) ++coverage.upper;
    if (p.low <= measured && measured <= p.high) ++coverage.band;
  }
  const double count = std::max(1.0, static_cast<double>(coverage.count));
  return {100 * coverage.lower / count, 100 * coverage.upper / count, 100 * coverage.band / count,
          coverage.count};
}

Verdicts verdicts_of(const std::vector<TrainingRun>& runs, const StepConstants& constants,
                     bool torus) {
  Verdicts verdicts;
  for (const auto& run : runs) {
    if (!run.readable || run.torus != torus) continue;
    if (!run.ran) {
      ++verdicts.ran_out;
      if (predict(run, constants).state != MemoryState::kOver) ++verdicts.missed;
      continue;
    }
    switch (predict(run, constants).state) {
      case MemoryState::kOver:
        ++verdicts.over;
        break;
      case MemoryState::kTight:
        ++verdicts.tight;
        break;
      case MemoryState::kFits:
        ++verdicts.fits;
        break;
    }
  }
  return verdicts;
}

Runs runs_with_memory(const std::vector<TrainingRun>& trainings,
                      const std::vector<TrainingRun>& tunings) {
  Runs found;
  for (const auto* list : {&trainings, &tunings}) {
    for (const auto& run : *list) {
      if (run.memory > 0 && run.readable) found.push_back(&run);
    }
  }
  return found;
}

MemoryCoverage memory_coverage(const Runs& runs, const StepConstants& constants) {
  std::map<std::string, std::vector<double>> of_source;
  std::vector<double> all;
  std::size_t inside = 0;
  for (const TrainingRun* run : runs) {
    const Prediction p = predict(*run, constants);
    of_source[run->source].push_back(run->memory / p.memory);
    all.push_back(run->memory / p.memory);
    if (p.memory_low <= run->memory && run->memory <= p.memory_high) ++inside;
  }
  std::size_t left_out = 0;
  for (const auto& [name, own] : of_source) {
    std::vector<double> others;
    for (const auto& [other, ratios] : of_source) {
      if (other != name) others.insert(others.end(), ratios.begin(), ratios.end());
    }
    const double low = quantile(others, 0.05);
    const double high = quantile(others, 0.95);
    left_out += static_cast<std::size_t>(std::count_if(
        own.begin(), own.end(), [=](double ratio) { return low <= ratio && ratio <= high; }));
  }
  const double share = all.empty() ? 0 : 100 / static_cast<double>(all.size());
  return {quantile(all, 0.05), quantile(all, 0.95), share * static_cast<double>(inside),
          share * static_cast<double>(left_out)};
}

Error memory_error(const std::vector<TrainingRun>& runs, const StepConstants& constants,
                   const std::string& source) {
  std::vector<double> ratios;
  for (const auto& run : runs) {
    if (run.memory <= 0 || !run.readable || (!source.empty() && run.source != source)) continue;
    ratios.push_back(predict(run, constants).memory / run.memory);
  }
  return ratios.empty() ? Error{} : error_of_ratios(ratios);
}

}  // namespace scaling::evidence
