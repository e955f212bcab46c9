// SPDX-License-Identifier: MIT
#include "fit.hpp"

#include <cmath>
#include <map>

namespace scaling::evidence {
namespace {

TrainingRates& of(StepConstants& constants, ChipGeneration generation) {
  return constants.generations[static_cast<std::size_t>(generation)];
}

void set_sustained(TrainingRates& rates, KernelFormat format, double value) {
  switch (format) {
    case KernelFormat::kBf16:
      rates.sustained_bf16 = value;
      return;
    case KernelFormat::kFp8:
    case KernelFormat::kFp8Block:
      rates.sustained_fp8 = rates.sustained_fp8_block = value;
      return;
    case KernelFormat::kFp4:
      rates.sustained_fp4 = value;
  }
}

Fitted shared(const char* name, double prior, double sigma, Constant StepConstants::*member) {
  return {name, prior, sigma, [member](StepConstants& c, double value) { c.*member = value; }};
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
  using enum ChipGeneration;
  std::vector<Fitted> list;
  const auto matmul = [&](const char* name, double prior, ChipGeneration generation,
                          KernelFormat format) {
    list.push_back({name, prior, 0.15, [=](StepConstants& c, double value) {
                      set_sustained(of(c, generation), format, value);
                      if (generation == kBlackwell) {
                        set_sustained(of(c, kBlackwellUltra), format, value);
                      }
                    }});
  };
  const auto member = [&](const char* name, double prior, double sigma, ChipGeneration generation,
                          Constant TrainingRates::*where, bool ultra = true) {
    list.push_back({name, prior, sigma, [=](StepConstants& c, double value) {
                      of(c, generation).*where = value;
                      if (ultra && generation == kBlackwell) of(c, kBlackwellUltra).*where = value;
                    }});
  };
  matmul("ampere matmul bf16", 0.9, kAmpere, KernelFormat::kBf16);
  matmul("hopper matmul bf16", 0.85, kHopper, KernelFormat::kBf16);
  matmul("hopper matmul fp8", 0.85, kHopper, KernelFormat::kFp8);
  matmul("blackwell matmul bf16", 0.85, kBlackwell, KernelFormat::kBf16);
  matmul("blackwell matmul fp8", 0.85, kBlackwell, KernelFormat::kFp8);
  matmul("blackwell matmul fp4", 0.85, kBlackwell, KernelFormat::kFp4);
  matmul("tpu matmul bf16", 0.85, kTpu, KernelFormat::kBf16);
  matmul("trillium matmul bf16", 0.85, kTrillium, KernelFormat::kBf16);
  matmul("ironwood matmul bf16", 0.85, kIronwood, KernelFormat::kBf16);
  matmul("ironwood matmul fp8", 0.85, kIronwood, KernelFormat::kFp8);
  member("ampere attention", 0.9, 0.2, kAmpere, &TrainingRates::sustained_attention);
  member("hopper attention", 0.9, 0.2, kHopper, &TrainingRates::sustained_attention);
  member("blackwell attention", 0.9, 0.25, kBlackwell, &TrainingRates::sustained_attention, false);
  member("blackwell ultra attention", 0.9, 0.25, kBlackwellUltra,
         &TrainingRates::sustained_attention);
  list.push_back({"tpu attention", 0.7, 0.3, [](StepConstants& c, double value) {
                    for (const auto g : {kTpu, kTrillium, kIronwood}) {
                      of(c, g).sustained_attention = value;
                    }
                  }});
  member("ampere flash1", 0.75, 0.3, kAmpere, &TrainingRates::flash1);
  member("hopper flash1", 0.35, 0.3, kHopper, &TrainingRates::flash1);
  member("hopper flash2", 0.55, 0.3, kHopper, &TrainingRates::flash2);
  list.push_back({"grouped", 1.25, 0.3, [](StepConstants& c, double value) {
                    for (auto& g : c.generations) g.grouped = value;
                  }});
  // In 8 bits over 16: tokens of each expert are padded and quantised apart.
  list.push_back({"grouped low", 1, 0.15, [](StepConstants& c, double value) {
                    const double sixteen = of(c, kHopper).grouped;
                    for (auto& g : c.generations) g.grouped_low = value * sixteen;
                  }});
  list.push_back({"tpu grouped", 1.25, 0.3, [](StepConstants& c, double value) {
                    for (const auto g : {kTpu, kTrillium, kIronwood}) {
                      of(c, g).grouped = of(c, g).grouped_low = value;
                    }
                  }});
  member("blackwell grouped bf16", 1.6, 0.3, kBlackwell, &TrainingRates::grouped);
  list.push_back({"scale out", 0.7, 0.25, [](StepConstants& c, double value) {
                    for (auto& g : c.generations) g.scale_out = value;
                  }});
  list.push_back(shared("backward attention", 0.8, 0.15, &StepConstants::backward_attention));
  list.push_back(shared("elementwise", 1.3, 0.3, &StepConstants::elementwise));
  list.push_back(shared("cast", 1.2, 0.4, &StepConstants::cast));
  list.push_back(shared("misaligned", 1.3, 0.25, &StepConstants::misaligned));
  list.push_back(shared("exposed tensor", 0.35, 0.5, &StepConstants::exposed_tensor));
  list.push_back(shared("exposed pipeline", 0.35, 0.5, &StepConstants::exposed_pipeline));
  list.push_back(shared("exposed expert", 0.25, 0.5, &StepConstants::exposed_expert));
  list.push_back(shared("interference", 0.15, 0.5, &StepConstants::interference));
  list.push_back(shared("ring step", 1e-6, 1.0, &StepConstants::ring_step));
  list.push_back(shared("share start", 1e-3, 1.0, &StepConstants::share_start));
  list.push_back(shared("growth", 4e-3, 0.8, &StepConstants::growth));
  list.push_back(shared("host sparse", 3e-3, 0.9, &StepConstants::host_sparse));
  list.push_back(shared("host expert", 1e-4, 0.9, &StepConstants::host_expert));
  list.push_back(shared("host partial", 0.6, 0.3, &StepConstants::host_partial));
  list.push_back(shared("step", 0.02, 0.9, &StepConstants::overhead));
  return list;
}

StepConstants with_constants(const std::vector<Fitted>& list, const std::vector<double>& logs) {
  StepConstants constants = kStepConstants;
  for (std::size_t i = 0; i < list.size(); ++i) {
    list[i].set(constants, list[i].prior * std::exp(logs[i]));
  }
  return constants;
}

std::vector<double> fit(const std::vector<const TrainingRun*>& runs,
                        const std::vector<Fitted>& list, std::vector<double> x, int rounds) {
  std::map<std::string, int> sizes;
  for (const TrainingRun* run : runs) ++sizes[run->configuration];
  std::vector<double> weights;
  for (const TrainingRun* run : runs) weights.push_back(1 / std::sqrt(sizes[run->configuration]));
  const auto residuals = [&](const std::vector<double>& at) {
    const StepConstants constants = with_constants(list, at);
    std::vector<double> result;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const double predicted = predict(*runs[i], constants).expected;
      result.push_back(weights[i] * robust(std::log(predicted / runs[i]->measured)));
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
