// SPDX-License-Identifier: MIT
#include "scaling/questions/budget/question.hpp"

#include "scaling/input/check.hpp"

namespace scaling {

void BudgetQuestion::check_relations(const Typed<double>& input, Issues& issues, Issues&) {
  check_model(input.model, issues);
  check_chips(input.chip, input.run, issues);
  check_tuning(input.model, input.run, issues);
}

}  // namespace scaling
