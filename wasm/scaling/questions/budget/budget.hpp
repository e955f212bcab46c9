// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/field.hpp"
#include "scaling/training/loss_law.hpp"

namespace scaling {

/// The limit of a training.
enum class BudgetKind : std::uint8_t {
  kMoney,  ///< so many dollars, at the price of the chip
  kTime,   ///< so many days on the chips of the run
};
inline constexpr const char* kBudgetKindNames[] = {"money", "time"};

/// The means of a training, and the number of tokens for a model's size.
template <class R>
struct Budget {
  static constexpr const char* kGroup = "budget";
  static constexpr const char* kPrefix = "budget.";
  template <class T>
  struct Slot {
    T budget;
    static constexpr T Slot::*kMember = &Slot::budget;
  };

  BudgetKind kind;
  Quantity<kDollar, R> money;
  Count<R> days;
  Quantity<kToken / kParam, R> tokens_per_parameter;
  LossFit law;
  Maybe<Quantity<kToken, R>> unique_tokens;
  Quantity<kToken, R> served_tokens;

  static constexpr auto fields() {
    return Fields{
        choice(&Budget::kind, "kind", kBudgetKindNames).asked().fallback(BudgetKind::kMoney),
        number(&Budget::money, "money", "cost", {1, 1e15})
            .asked()
            .for_targets()
            .fallback(1e6)
            .when("kind", BudgetKind::kMoney),
        number(&Budget::days, "days", "t_days", {1e-3, 1e6})
            .asked()
            .for_targets()
            .fallback(30)
            .when("kind", BudgetKind::kTime),
        // Compute-optimal by Hoffmann et al. 2022 (arXiv:2203.15556), whose table 3 has 20 tokens
        // for each parameter of its models.
        number(&Budget::tokens_per_parameter, "tokensPerParameter", "r", {1e-2, 1e6})
            .asked()
            .for_targets()
            .fallback(20),
        choice(&Budget::law, "law", kLossFitNames).rare().fallback(LossFit::kBesiroglu),
        // Left out, all tokens differ.
        number(&Budget::unique_tokens, "uniqueTokens", "U", {1e6, 1e18}).rare(),
        number(&Budget::served_tokens, "servedTokens", "n_served", {0, 1e20}).rare().fallback(0),
    };
  }
};

}  // namespace scaling
