// SPDX-License-Identifier: MIT
//
// Scaling laws: values worked by hand from the published equations, and optima against all sizes.

#include "scaling/training/loss_law.hpp"

#include <cmath>
#include <limits>

#include "inputs.hpp"
#include "scaling/questions/budget/question.hpp"
#include "support.hpp"

namespace scaling::test::loss_test {
namespace {

using Params = Quantity<kParam, double>;
using Tokens = Quantity<kToken, double>;
using Flops = Quantity<kFlop, double>;

constexpr LossFit kAllFits[] = {LossFit::kBesiroglu, LossFit::kHoffmann, LossFit::kMuennighoff};

double loss_of(LossFit fit, double parameters, double tokens) {
  return loss_law<double>(fit).loss(Params(parameters), Tokens(tokens)).value();
}

}  // namespace

TEST_CASE("a power is that of the library, to its last digits") {
  for (const double x : {1.0, 1.5, 20.0, 7e10, 1.4e12, 5.76e23}) {
    for (const double y : {0.0, 0.28, 0.3478, 1.0, 1.61, 2.5}) {
      CHECK_THAT(rep::power(x, y) / std::pow(x, y), WithinRel(1.0, 1e-13));
    }
  }
}

TEST_CASE("what has no end has no logarithm that ends") {
  const double endless = std::numeric_limits<double>::infinity();
  CHECK(logarithm(endless) == endless);
  CHECK(rep::power(endless, 0.28) == endless);
}

// Chinchilla, 70B parameters on 1.4T tokens: 1.69 + 406.4/4867 + 410.7/2517 = 1.937.
TEST_CASE("the loss of Chinchilla by its own law") {
  CHECK_THAT(loss_of(LossFit::kHoffmann, 70e9, 1.4e12), WithinRel(1.937, 1e-3));
}

// Hoffmann et al. trained Chinchilla for Gopher's 5.76e23 FLOPs: 70B on 1.4T tokens, some 20 for
// each.
TEST_CASE("the fits of 2024 and of C4 find Chinchilla's size for Gopher's FLOPs") {
  for (const LossFit fit : {LossFit::kBesiroglu, LossFit::kMuennighoff}) {
    const double best = loss_law<double>(fit).optimal_parameters(Flops(5.76e23)).value();
    CHECK_THAT(best, WithinRel(70e9, 0.05));
    CHECK_THAT(5.76e23 / 6 / best / best, WithinRel(20.0, 0.1));
  }
}

TEST_CASE("no other size has less loss at the same FLOPs") {
  for (const LossFit fit : kAllFits) {
    for (const double flops : {1e18, 1e21, 5.76e23, 4e25}) {
      const double best = loss_law<double>(fit).optimal_parameters(Flops(flops)).value();
      const double least = loss_of(fit, best, flops / 6 / best);
      for (double ratio = 1.0 / 64; ratio <= 64; ratio *= 1.5) {
        CHECK(loss_of(fit, ratio * best, flops / 6 / (ratio * best)) >= least);
      }
    }
  }
}

TEST_CASE("the FLOPs that a loss needs are those whose best training has it") {
  for (const LossFit fit : kAllFits) {
    const auto law = loss_law<double>(fit);
    const auto known = Flops(1e24);
    const auto least = [&](Flops flops) {
      const auto best = law.optimal_parameters(flops);
      return law.loss(best, Tokens(flops.value() / 6 / best.value()));
    };
    const double over = loss_of(fit, 8e9, 15e12);
    const auto needed = law.flops_for(Count<double>(over), known, least(known));
    CHECK_THAT(least(needed).value(), WithinRel(over, 1e-12));
  }
}

// Muennighoff et al. 2023: four epochs are nearly as good as new data: 1 + 15.39 (1 - e^(-3/15.39))
// = 3.73 of 4; and no number of epochs is worth more than 16.39 times the data.
TEST_CASE("repeated tokens are worth less and less") {
  const auto worth = [](double epochs) {
    return useful_tokens(Tokens(epochs * 1e9), Tokens(1e9)).value() / 1e9;
  };
  CHECK(worth(0.5) == 0.5);
  CHECK(worth(1) == 1);
  CHECK_THAT(worth(4), WithinRel(3.727, 1e-3));
  CHECK_THAT(worth(40), WithinRel(1 + 15.39 * (1 - std::exp(-39 / 15.39)), 1e-12));
  CHECK_THAT(worth(1e6), WithinRel(16.39, 1e-9));
}

TEST_CASE("with serving, no other size takes fewer FLOPs to the same loss") {
  for (const LossFit fit : kAllFits) {
    const auto law = loss_law<double>(fit);
    const double most = 13e9;
    const double tokens = 2.6e11;
    const auto loss = law.loss(Params(most), Tokens(tokens));
    double before = most;
    for (const double served : {1e9, 1e12, 2e12, 1e14}) {
      const auto cost = [&](double size) {
        return size * (6 * law.tokens_for(loss, Params(size)).value() + 2 * served);
      };
      const double best = parameters_for_life(fit, most, tokens, served);
      CHECK(best < before);  // the more is served, the smaller
      before = best;
      for (double ratio = 0.8; ratio <= 1.25; ratio *= 1.01) {
        if (ratio * best <= most) CHECK(cost(ratio * best) >= cost(best) * (1 - 1e-9));
      }
    }
  }
}

TEST_CASE("a budget says nothing of the loss of models with experts, or of adapters") {
  using Answers = BudgetQuestion::Answers<double>;
  const auto loss = [](const Answers& answers) { return answers.get<term::kLoss>(); };
  const Raw<Chip> chip = h100();
  const Answers dense = answers_to<BudgetQuestion>(
      {chip, llama3_70b(), Raw<Run>::defaults(), Raw<Budget>::defaults()});
  CHECK(loss(dense).present());
  CHECK(dense.get<term::kLifeParameters>().absence == Absence::kNotApplicable);
  const Answers sparse = answers_to<BudgetQuestion>(
      {chip, mixtral_8x7b(), Raw<Run>::defaults(), Raw<Budget>::defaults()});
  CHECK(loss(sparse).absence == Absence::kNotApplicable);
  const Answers adapters = answers_to<BudgetQuestion>(
      {chip, llama3_70b(), with(Raw<Run>::defaults(), {{"trained", 1}}), Raw<Budget>::defaults()});
  CHECK(loss(adapters).absence == Absence::kNotApplicable);
}

}  // namespace scaling::test::loss_test
