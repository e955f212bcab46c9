// SPDX-License-Identifier: MIT
//
// Training by reward as JavaScript sees it.

#include "questions.hpp"
#include "sampling.hpp"
#include "scaling/questions/reward/question.hpp"

namespace scaling {

EMSCRIPTEN_BINDINGS(reward) {
  emscripten::function("axis", &axis_view);
  bind_of<"estimate", RewardQuestion>(&estimate_question<RewardQuestion>);
  bind_of<"sweep", RewardQuestion>(&sweep_question<RewardQuestion>);
}

}  // namespace scaling
