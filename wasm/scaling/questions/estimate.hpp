// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/question.hpp"
#include "scaling/questions/complete.hpp"

namespace scaling {

/// The answers to `input`, or what is wrong with it.
template <class Question>
struct Outcome {
  Issues issues;
  Issues notices;
  typename Question::template Answers<double> answers;  ///< meaningless where there are issues
};

/// Checks `input`, completes it and brings its fields that do not matter to harmless values; calls
/// `then` with it, typed, if nothing is wrong.
template <class Question, class Then>
void check(typename Question::Input& input, Issues& issues, Issues& notices, Then then) {
  Question::check_fields(input, issues);
  if (!issues.empty()) return;  // relations between fields mean nothing while one is wrong
  complete(input, notices);
  const auto typed = Question::template read<double>(input);
  Question::check_relations(typed, issues, notices);
  if (issues.empty()) then(typed);
}

template <class Question>
Outcome<Question> estimate(typename Question::Input input) {
  Outcome<Question> outcome;
  check<Question>(input, outcome.issues, outcome.notices, [&](const auto& typed) {
    outcome.answers = Question::answer(typed);
    if constexpr (requires { &Question::check_answers; }) {
      Question::check_answers(outcome.answers, outcome.notices);
    }
  });
  return outcome;
}

/// Records on `tape` how the answers to `input` come about and returns the node of the answer at
/// `index` of the question's list; kNowhere where it has none (a bad input, no such answer, an
/// absent one).
template <class Question>
NodeId explain(typename Question::Input input, std::size_t index, Tape& tape, Issues& issues) {
  Issues notices;
  NodeId result = kNowhere;
  check<Question>(input, issues, notices, [&](const auto&) {
    const Tape::Recording recording(tape);
    const auto answers = Question::answer(Question::template read<Traced>(input));
    if (index >= answers.kSize || answers.absences()[index] != Absence::kPresent) return;
    result = answers.values()[index].node();
  });
  return result;
}

}  // namespace scaling
