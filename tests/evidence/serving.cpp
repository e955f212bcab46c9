// SPDX-License-Identifier: MIT
//
// The errors of predictions of serving against published measurements.
#include "serving.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "csv.hpp"
#include "rows.hpp"
#include "serving_predictions.hpp"

namespace scaling::evidence {
namespace {

/// A constant that is fitted, what it may be, and what it would be taken for without any run: that
/// of kernels alone, of choice by chance, of a launch or a round trip on the host.
struct FittedConstant {
  const char* name;
  Constant ServingConstants::*member;
  double prior;
  double least, most;
};

constexpr FittedConstant kFitted[] = {
    {"collective", &ServingConstants::collective, 1.5, 0.5, 3},
    {"collectiveWait", &ServingConstants::collective_wait, 2e-6, 1e-7, 3e-5},
    {"hostBetween", &ServingConstants::host_between, 1e-3, 1e-5, 5e-3},
    {"hostBeside", &ServingConstants::host_beside, 2e-5, 1e-5, 5e-3},
    {"hostCompiled", &ServingConstants::host_compiled, 5e-4, 1e-5, 5e-3},
    {"firstToken", &ServingConstants::first_token, 1.5e-3, 1e-4, 5e-2},
    {"frontEnd", &ServingConstants::front_end, 4e-3, 1e-4, 5e-2},
    {"imbalance", &ServingConstants::imbalance, 0.3, 0, 3},
    {"expertSixteen", &ServingConstants::expert_sixteen, 1, 0.2, 2},
    {"expertLow", &ServingConstants::expert_low, 1, 0.2, 2},
    {"expertBlock", &ServingConstants::expert_block, 1, 0.2, 2},
    {"expertFour", &ServingConstants::expert_four, 0.5, 0.2, 2},
    {"blockRate", &ServingConstants::block_rate, 0.2, 0.02, 1},
    {"expertEach", &ServingConstants::expert_each, 0.3, 0, 2},
    {"clump", &ServingConstants::clump, 1, 0.2, 5},
    {"absorbed", &ServingConstants::absorbed, 5e-7, 0, 1e-5},
    {"smallKernel", &ServingConstants::small_kernel, 4e-6, 5e-7, 8e-6},
    {"eagerLaunch", &ServingConstants::eager_launch, 5e-5, 2e-6, 2e-4},
};

/// The weight of priors: a constant that is off by a factor of e counts as this error of all runs.
constexpr double kPriorWeight = 0.002;

/// The addition to the loss for constants off their priors: those that runs say little of stay
/// near.
double strain_of(const ServingConstants& constants) {
  double sum = 0;
  for (const auto& fitted : kFitted) {
    const double off = std::log(std::fmax(constants.*fitted.member, 1e-12) / fitted.prior);
    sum += off * off;
  }
  return kPriorWeight * sum;
}

/// Mean of |log(predicted / measured)|, each up to 0.6, every family and measure of as much weight
/// as the root of its figures.
double loss_of(const ServingRuns& runs, const ServingConstants& constants) {
  const auto figures = serving_figures(runs, false, constants);
  std::map<std::string, int> counts;
  const auto key = [](const ServingFigure& f) {
    return f.run->group + std::to_string(static_cast<int>(f.measure)) + (f.run->sparse ? "s" : "d");
  };
  for (const auto& f : figures) ++counts[key(f)];
  double sum = 0;
  double all = 0;
  for (const auto& f : figures) {
    // The time to the first token under load is that of a queue, and says little of the rest.
    const bool queue = f.measure == ServingMeasure::kFirst && f.run->loaded;
    const double weight = (queue ? 0.1 : 1) / std::sqrt(counts[key(f)]);
    sum += weight * std::fmin(std::fabs(std::log(f.ratio())), 0.6);
    all += weight;
  }
  return strain_of(constants) + (all > 0 ? sum / all : 0);
}

/// Fits one constant after another, in steps that shrink.
ServingConstants fit_serving(const ServingRuns& runs, ServingConstants constants, int rounds) {
  double least = loss_of(runs, constants);
  double step = 0.3;
  for (int round = 0; round < rounds; ++round, step *= 0.6) {
    for (const auto& fitted : kFitted) {
      for (const double direction : {1.0, -1.0}) {
        for (int more = 0; more < 4; ++more) {
          auto other = constants;
          other.*fitted.member = std::clamp(constants.*fitted.member * std::exp(direction * step),
                                            fitted.least, fitted.most);
          const double loss = loss_of(runs, other);
          if (!(loss < least - 1e-7)) break;
          least = loss;
          constants = other;
        }
      }
    }
  }
  return constants;
}

Json print(const char* title, const std::vector<ServingFigure>& figures) {
  std::printf("%s\n", title);
  Json result;
  for (const auto& slice : serving_slices()) {
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

/// A fold of a family's name: the same everywhere.
unsigned fold_of(const std::string& name, unsigned folds) {
  unsigned hash = 2166136261u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash % folds;
}

}  // namespace

std::vector<ServingFigure> serving_figures(const ServingRuns& runs, bool all,
                                           const ServingConstants& constants) {
  std::vector<ServingFigure> figures;
  for (const ServingRun* run : runs) {
    if (!all && !run->unfit.empty()) continue;
    const auto predicted = predict(*run, constants);
    for (std::size_t i = 0; i < kServingMeasures; ++i) {
      if (!(run->measured[i] > 0) || !predicted[i].present) continue;
      figures.push_back({run, static_cast<ServingMeasure>(i), run->measured[i], predicted[i]});
    }
  }
  return figures;
}

std::vector<ServingSlice> serving_slices() {
  using enum ServingMeasure;
  const auto described = [](const ServingFigure& f) {
    return !f.run->silicon && f.run->group.rfind("trtllm", 0) == 0;
  };
  const auto is = [](ServingMeasure measure, auto test) {
    return [=](const ServingFigure& f) { return f.measure == measure && test(f); };
  };
  const auto any = [](const ServingFigure&) { return true; };
  const auto rows = [](const ServingFigure& f) { return !f.run->silicon; };
  const auto silicon = [](const ServingFigure& f) { return f.run->silicon; };
  std::vector<ServingSlice> slices{
      {"tokensPerSecond", is(kSpeed, any)},
      {"timePerToken", is(kToken, any)},
      {"described: tokensPerSecond", is(kSpeed, described)},
      {"rows: tokensPerSecond", is(kSpeed, rows)},
      {"rows: timePerToken", is(kToken, rows)},
      {"timeToFirstToken unloaded",
       is(kFirst, [](const ServingFigure& f) { return !f.run->loaded; })},
      {"timeToFirstToken loaded", is(kFirst, [](const ServingFigure& f) { return f.run->loaded; })},
      {"silicon: tokensPerSecond", is(kSpeed, silicon)},
      {"silicon: timePerToken", is(kToken, silicon)},
      {"silicon: timeToFirstToken", is(kFirst, silicon)},
      {"silicon dense: tokensPerSecond",
       is(kSpeed, [=](const ServingFigure& f) { return silicon(f) && !f.run->sparse; })},
      {"silicon dense: timePerToken",
       is(kToken, [=](const ServingFigure& f) { return silicon(f) && !f.run->sparse; })},
      {"silicon experts: timePerToken",
       is(kToken, [=](const ServingFigure& f) { return silicon(f) && f.run->sparse; })},
      {"silicon apart: tokensPerSecond",
       is(kSpeed, [=](const ServingFigure& f) { return silicon(f) && f.run->apart; })},
      {"silicon apart: timePerToken",
       is(kToken, [=](const ServingFigure& f) { return silicon(f) && f.run->apart; })},
  };
  for (const char* chip : {"b200_sxm", "gb200", "b300_sxm", "gb300", "h100_sxm", "h200_sxm"}) {
    const std::string name = chip;
    slices.push_back({"experts on " + name + ": timePerToken",
                      is(kToken, [name, silicon](const ServingFigure& f) {
                        return silicon(f) && f.run->sparse && f.run->chip == name;
                      })});
  }
  for (const char* group :
       {"trtllm-static", "trtllm-ifb", "trtllm-online", "gpt-fast", "vllm-load", "vllm-itl-fit",
        "aws-neuron", "tpu-recipes", "mlperf-inference", "inferencex-decode-slo"}) {
    const std::string name = group;
    for (std::size_t i = 0; i < kServingMeasures; ++i) {
      slices.push_back({name + ": " + kServingMeasureNames[i],
                        is(static_cast<ServingMeasure>(i),
                           [name](const ServingFigure& f) { return f.run->group == name; })});
    }
  }
  return slices;
}

ServingError serving_error(const std::vector<ServingFigure>& figures, const ServingSlice& slice) {
  std::vector<double> errors, ratios;
  double sound = 0;
  double band = 0;
  for (const auto& f : figures) {
    if (!slice.holds(f)) continue;
    errors.push_back(100 * std::fabs(f.ratio() - 1));
    ratios.push_back(f.ratio());
    sound += f.sound() ? 1 : 0;
    band += f.in_band() ? 1 : 0;
  }
  ServingError result;
  result.error.count = errors.size();
  if (errors.empty()) return result;
  result.error.median = quantile(errors, 0.5);
  result.error.ninth = quantile(errors, 0.9);
  result.error.bias = 100 * (quantile(ratios, 0.5) - 1);
  const auto n = static_cast<double>(errors.size());
  result.sound = 100 * sound / n;
  result.band = 100 * band / n;
  return result;
}

bool holds_serving_rows(const std::string& file) {
  if (is_csv(file)) return true;
  std::ifstream stream(file);
  const Json json = Json::parse(stream, nullptr, false);
  if (json.is_discarded()) return false;
  const Json& rows = rows_of(json);
  return rows.is_array() && std::any_of(rows.begin(), rows.end(), is_serving_row);
}

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
  for (const auto& constant : kFitted) {
    std::printf("  %-28s %.4g\n", constant.name, (fitted.*constant.member).value);
    result["fitted"][constant.name] = (fitted.*constant.member).value;
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
  return golden.empty() ? 0 : add_to_golden(golden, "serving", result);
}

}  // namespace scaling::evidence
