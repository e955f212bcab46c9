// SPDX-License-Identifier: MIT
#include "scaling/questions/training/question.hpp"

#include "scaling/input/check.hpp"

namespace scaling {

void TrainingQuestion::check_relations(const Typed<double>& input, Issues& issues,
                                       Issues& notices) {
  check_model(input.model, issues);
  check_run(input.chip, input.model, input.run, issues);
  if (issues.empty()) notice_run(input.model, input.run, notices);
}

}  // namespace scaling
