// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/quantity/inverse.hpp"
#include "scaling/views/target.hpp"

namespace scaling {

/// Records on `tape` the equation of an answer, solved for the field at `place`, where the answer
/// is `value`: of an input in which the field meets that target. Returns the node of the field as a
/// step, named by `term`; kNowhere where the input is not valid, or the equation cannot be solved.
/// `depends`: see solve_for.
template <class Question>
NodeId explain_solved(typename Question::Input input, FieldPlace place, std::size_t answer,
                      double value, const Term& term, Tape& tape, std::span<bool> depends,
                      Issues& issues) {
  Issues notices;
  NodeId result = kNowhere;
  if (!has_field<Question>(place) || !has_answer<Question>(answer)) return result;
  check<Question>(input, issues, notices, [&](const auto&) {
    const Tape::Recording recording(tape);
    const auto answers = Question::answer(Question::template read<Traced>(input));
    if (answers.absences()[answer] != Absence::kPresent || tape.full()) return;
    const FieldInfo& field = Question::kGroups[place.group][place.field];
    const Term& asked = *Question::template Answers<Traced>::kList[answer];
    const NodeId solved = solve_for(tape, answers.values()[answer].node(), field,
                                    Traced(value, &asked.dimension).named(asked), depends);
    if (solved != kNowhere) result = Traced::at(solved).named(term).node();
  });
  return result;
}

}  // namespace scaling
