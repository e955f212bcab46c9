// SPDX-License-Identifier: MIT
#include "serving_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>

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

}  // namespace

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

std::vector<std::pair<std::string, double>> fitted_values(const ServingConstants& constants) {
  std::vector<std::pair<std::string, double>> values;
  for (const auto& fitted : kFitted) {
    values.emplace_back(fitted.name, (constants.*fitted.member).value);
  }
  return values;
}

}  // namespace scaling::evidence
