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

}  // namespace term

/// "What can I train for this?": the tokens that a budget buys for a model, and the largest model
/// that it trains at a number of tokens for each parameter. It says nothing of the loss.
struct BudgetQuestion : QuestionOf<Chip, Model, Run, Budget> {
  static constexpr const char* kName = "budget";

  template <class R>
  using Answers = Sheet<R, term::kBudgetTokens, term::kBudgetRatio, term::kLargestParameters,
                        term::kLargestTokens, term::kTrainingTime, term::kChipHours,
                        term::kTotalFlops, term::kChipHourPrice, term::kCost, term::kEnergy,
                        term::kParameters, term::kActiveParameters, term::kTrainingFlopsPerToken>;

  static constexpr const Term* kFirst[] = {&term::kBudgetTokens, &term::kLargestParameters,
                                           &term::kTrainingTime, &term::kCost};

  static void check_relations(const Typed<double>& input, Issues& issues, Issues& notices);

  /// Money without a price of the chip buys what is not listed: all but the model's own counts.
  template <class R>
  static Answers<R> answer(const Typed<R>& input);
};

}  // namespace scaling
