// SPDX-License-Identifier: MIT
//
// All questions, also those that are answered by the module that searches.
#pragma once

#include "questions.hpp"
#include "scaling/questions/budget/question.hpp"
#include "scaling/questions/plan/question.hpp"
#include "scaling/questions/reward/question.hpp"
#include "scaling/questions/serving/question.hpp"

namespace scaling {
namespace {

/// Questions that are described and explained.
using AllQuestions =
    CoreQuestions::With<PlanQuestion, ServingQuestion, RewardQuestion, BudgetQuestion>;

}  // namespace
}  // namespace scaling
