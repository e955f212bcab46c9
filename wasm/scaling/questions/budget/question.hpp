// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/hardware/chip_hour.hpp"
#include "scaling/input/chip.hpp"
#include "scaling/input/model.hpp"
#include "scaling/input/question.hpp"
#include "scaling/input/run.hpp"
#include "scaling/questions/budget/budget.hpp"
#include "scaling/training/training_flops.hpp"

namespace scaling {

namespace term {

inline constexpr Term kBudgetTokens{"budgetTokens", "n_tokens", kToken, "book-applied-training"};
inline constexpr Term kBudgetRatio{"budgetRatio", "n_tokens/P", kToken / kParam, "definition"};
inline constexpr Term kLargestParameters{"largestParameters", "P_largest", kParam, "hoffmann"};
inline constexpr Term kLargestTokens{"largestTokens", "n_largest", kToken, "hoffmann"};

inline constexpr Term kLoss{"loss", "L", kOne, "scaling-laws"};
inline constexpr Term kExcessLoss{"excessLoss", "L - E", kOne, "scaling-laws"};
inline constexpr Term kOptimalParameters{"optimalParameters", "P_opt", kParam, "scaling-laws"};
inline constexpr Term kOptimalTokens{"optimalTokens", "n_opt", kToken, "scaling-laws"};
inline constexpr Term kOptimalLoss{"optimalLoss", "L_opt", kOne, "scaling-laws"};
inline constexpr Term kNeededFlops{"neededFlops", "C_needed", kFlop, "scaling-laws"};
inline constexpr Term kOvertraining =
    Term{"overtraining", "1 - C_needed/C", kOne, "scaling-laws"}.in_percent();
inline constexpr Term kLifeParameters{"lifeParameters", "P_life", kParam, "scaling-laws"};
inline constexpr Term kLifeTokens{"lifeTokens", "n_life", kToken, "scaling-laws"};
inline constexpr Term kLifeSaving =
    Term{"lifeSaving", "f_saved", kOne, "scaling-laws"}.in_percent();

}  // namespace term

/// "What can I train for this?": the tokens that a budget buys for a model, and the largest model
/// that it trains at a number of tokens for each parameter; the loss that published laws give to
/// both, of dense models that are trained whole.
struct BudgetQuestion : QuestionOf<Chip, Model, Run, Budget> {
  static constexpr const char* kName = "budget";

  template <class R>
  using Answers =
      Sheet<R, term::kBudgetTokens, term::kBudgetRatio, term::kLargestParameters,
            term::kLargestTokens, term::kTrainingTime, term::kChipHours, term::kTotalFlops,
            term::kChipHourPrice, term::kCost, term::kEnergy, term::kParameters,
            term::kActiveParameters, term::kTrainingFlopsPerToken, term::kLoss, term::kExcessLoss,
            term::kOptimalParameters, term::kOptimalTokens, term::kOptimalLoss, term::kNeededFlops,
            term::kOvertraining, term::kLifeParameters, term::kLifeTokens, term::kLifeSaving>;

  static constexpr const Term* kFirst[] = {&term::kBudgetTokens, &term::kLargestParameters,
                                           &term::kTrainingTime, &term::kCost};

  static void check_relations(const Typed<double>& input, Issues& issues, Issues& notices);

  /// Money without a price of the chip buys what is not listed: all but the model's own counts.
  template <class R>
  static Answers<R> answer(const Typed<R>& input);
};

}  // namespace scaling
