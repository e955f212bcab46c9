// SPDX-License-Identifier: MIT
#include "fit.hpp"

#include <cmath>
#include <map>
#include <stdexcept>

// Written by web/tools/efficiency.mjs, into the folder of the build.
#include <efficiency_table.hpp>

namespace scaling::evidence {
namespace {

/// Calls `use` with each constant at a place.
template <class Constants, class Use>
void at_place(Constants& constants, const std::string& place, Use use) {
  const auto dot = place.find('.');
  const std::string set = place.substr(0, dot);
  const std::string key = place.substr(dot + 1);
  bool found = false;
  const auto named = [&](std::string_view name, auto& constant) {
    if (name != key) return;
    use(constant);
    found = true;
  };
  if (set == "step") each_step_constant(constants, named);
  for (std::size_t i = 0; i < kChipGenerations; ++i) {
    if (set != "general" && set != kChipGenerationNames[i]) continue;
    each_training_constant(constants.generations[i], named);
  }
  if (!found) throw std::invalid_argument("no constant " + place);
}

/// Solves a x = b, a symmetric and positive definite, in place.
void solve(std::vector<std::vector<double>>& a, std::vector<double>& b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = a[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i][k] * a[j][k];
      a[i][j] = i == j ? std::sqrt(std::max(sum, 1e-300)) : sum / a[j][j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= a[k][i] * b[k];
    b[i] /= a[i][i];
  }
}

double robust(double residual) {
  constexpr double kScale = 0.05;
  const double z = residual / kScale;
  const double size = std::sqrt(2 * (std::sqrt(1 + z * z) - 1));
  return residual < 0 ? -size : size;
}

}  // namespace

std::vector<Fitted> fitted_constants() {
  using Places = std::vector<std::string>;
  const auto both = [](const std::string& key) {
    return Places{"blackwell." + key, "blackwellUltra." + key};
  };
  const auto tpus = [](const std::string& key) {
    return Places{"tpu." + key, "trillium." + key, "ironwood." + key};
  };
  // Trainings in 8 bits share one constant yet, whether scales are per tensor or per block.
  const auto eight = [](const std::string& generation) {
    return Places{generation + ".sustainedFp8", generation + ".sustainedFp8Block"};
  };
  auto tpu_grouped = tpus("grouped");
  for (const auto& place : tpus("groupedLow")) tpu_grouped.push_back(place);
  auto blackwell_eight = both("sustainedFp8");
  for (const auto& place : both("sustainedFp8Block")) blackwell_eight.push_back(place);
  return {
      {"ampere matmul bf16", 0.9, 0.15, {"ampere.sustainedBf16"}, {}},
      {"hopper matmul bf16", 0.85, 0.15, {"hopper.sustainedBf16"}, {}},
      {"hopper matmul fp8", 0.85, 0.15, eight("hopper"), {}},
      {"blackwell matmul bf16", 0.85, 0.15, both("sustainedBf16"), {}},
      {"blackwell matmul fp8", 0.85, 0.15, blackwell_eight, {}},
      {"blackwell matmul fp4", 0.85, 0.15, both("sustainedFp4"), {}},
      {"tpu matmul bf16", 0.85, 0.15, {"tpu.sustainedBf16"}, {}},
      {"trillium matmul bf16", 0.85, 0.15, {"trillium.sustainedBf16"}, {}},
      {"ironwood matmul bf16", 0.85, 0.15, {"ironwood.sustainedBf16"}, {}},
      {"ironwood matmul fp8", 0.85, 0.15, eight("ironwood"), {}},
      {"ampere attention", 0.9, 0.2, {"ampere.sustainedAttention"}, {}},
      {"hopper attention", 0.9, 0.2, {"hopper.sustainedAttention"}, {}},
      {"blackwell attention", 0.9, 0.25, {"blackwell.sustainedAttention"}, {}},
      {"blackwell ultra attention", 0.9, 0.25, {"blackwellUltra.sustainedAttention"}, {}},
      {"tpu attention", 0.7, 0.3, tpus("sustainedAttention"), {}},
      {"ampere flash1", 0.75, 0.3, {"ampere.flash1"}, {}},
      {"hopper flash1", 0.35, 0.3, {"hopper.flash1"}, {}},
      {"hopper flash2", 0.55, 0.3, {"hopper.flash2"}, {}},
      {"grouped", 1.25, 0.3, {"general.grouped"}, {}},
      // Tokens of each expert are padded and quantised apart.
      {"grouped low", 1, 0.15, {"general.groupedLow"}, "general.grouped"},
      {"tpu grouped", 1.25, 0.3, tpu_grouped, {}},
      {"blackwell grouped bf16", 1.6, 0.3, both("grouped"), {}},
      {"scale out", 0.7, 0.25, {"general.scaleOut"}, {}},
      {"backward attention", 0.8, 0.15, {"step.backwardAttention"}, {}},
      {"elementwise", 1.3, 0.3, {"step.elementwise"}, {}},
      {"cast", 1.2, 0.4, {"step.cast"}, {}},
      {"misaligned", 1.3, 0.25, {"step.misaligned"}, {}},
      {"exposed tensor", 0.35, 0.5, {"step.exposedTensor"}, {}},
      {"exposed pipeline", 0.35, 0.5, {"step.exposedPipeline"}, {}},
      {"exposed expert", 0.25, 0.5, {"step.exposedExpert"}, {}},
      {"interference", 0.15, 0.5, {"step.interference"}, {}},
      {"ring step", 1e-6, 1.0, {"step.ringStep"}, {}},
      {"share start", 1e-3, 1.0, {"step.shareStart"}, {}},
      {"growth", 4e-3, 0.8, {"step.growth"}, {}},
      {"host sparse", 3e-3, 0.9, {"step.hostSparse"}, {}},
      {"host expert", 1e-4, 0.9, {"step.hostExpert"}, {}},
      {"host partial", 0.6, 0.3, {"step.hostPartial"}, {}},
      {"step", 0.02, 0.9, {"step.overhead"}, {}},
  };
}

double constant_at(const StepConstants& constants, const std::string& place) {
  const Constant* first = nullptr;
  at_place(constants, place, [&](const Constant& constant) {
    if (first == nullptr) first = &constant;
  });
  return first->value;
}

StepConstants with_constants(const std::vector<Fitted>& list, const std::vector<double>& logs) {
  StepConstants constants = kStepConstants;
  for (std::size_t i = 0; i < list.size(); ++i) {
    double value = list[i].prior * std::exp(logs[i]);
    if (!list[i].times.empty()) value *= constant_at(constants, list[i].times);
    for (const auto& place : list[i].places) {
      at_place(constants, place, [&](Constant& constant) { constant = value; });
    }
  }
  return constants;
}

double step_ratio(const TrainingRun& run, const StepConstants& constants) {
  return predict(run, constants).expected / run.measured;
}

std::vector<double> fit(const std::vector<const TrainingRun*>& runs,
                        const std::vector<Fitted>& list, std::vector<double> x, int rounds,
                        RatioOf ratio_of) {
  std::map<std::string, int> sizes;
  for (const TrainingRun* run : runs) ++sizes[run->configuration];
  std::vector<double> weights;
  for (const TrainingRun* run : runs) weights.push_back(1 / std::sqrt(sizes[run->configuration]));
  const auto residuals = [&](const std::vector<double>& at) {
    const StepConstants constants = with_constants(list, at);
    std::vector<double> result;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      result.push_back(weights[i] * robust(std::log(ratio_of(*runs[i], constants))));
    }
    for (std::size_t i = 0; i < list.size(); ++i) result.push_back(at[i] / list[i].sigma);
    return result;
  };
  const auto cost = [](const std::vector<double>& r) {
    double sum = 0;
    for (const double each : r) sum += each * each;
    return sum;
  };
  auto r = residuals(x);
  double best = cost(r);
  double damping = 1e-2;
  const std::size_t n = list.size();
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::vector<double>> jacobian;
    for (std::size_t j = 0; j < n; ++j) {
      auto moved = x;
      constexpr double kStep = 1e-4;
      moved[j] += kStep;
      auto there = residuals(moved);
      for (std::size_t i = 0; i < there.size(); ++i) there[i] = (there[i] - r[i]) / kStep;
      jacobian.push_back(std::move(there));
    }
    bool better = false;
    for (int attempt = 0; attempt < 6 && !better; ++attempt) {
      std::vector<std::vector<double>> a(n, std::vector<double>(n));
      std::vector<double> b(n);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
          double sum = 0;
          for (std::size_t k = 0; k < r.size(); ++k) sum += jacobian[i][k] * jacobian[j][k];
          a[i][j] = a[j][i] = sum;
        }
        a[i][i] *= 1 + damping;
        for (std::size_t k = 0; k < r.size(); ++k) b[i] -= jacobian[i][k] * r[k];
      }
      solve(a, b);
      auto moved = x;
      for (std::size_t i = 0; i < n; ++i) moved[i] += b[i];
      auto there = residuals(moved);
      const double now = cost(there);
      if (now < best) {
        const double gain = (best - now) / best;
        x = moved;
        r = std::move(there);
        best = now;
        damping *= 0.3;
        better = true;
        if (gain < 1e-4) return x;
      } else {
        damping *= 4;
      }
    }
    if (!better) break;
  }
  return x;
}

}  // namespace scaling::evidence
