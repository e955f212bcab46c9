// SPDX-License-Identifier: MIT
#pragma once

#include "derivations.hpp"
#include "scaling/views/solved.hpp"

namespace scaling {

/// {issues} or a derivation as explain_question has them: the equation of an answer solved for a
/// field.
template <class Question>
val explain_turn(std::size_t answer, std::size_t group, std::size_t field, double value) {
  if (!has_field<Question>({group, field})) return val::null();
  const FieldInfo& info = Question::kGroups[group][field];
  // The page knows a field by its group, too, which is said beside the key.
  static Term turned{"", "", kOne, "definition"};
  turned = {info.key, info.symbol, info.dimension, "definition", {}, info.shown};
  Tape tape(storage);
  Issues issues;
  const NodeId root = explain_solved<Question>(read_input<Question>(), {group, field}, answer,
                                               value, turned, tape, needed, issues);
  return explained(tape, root, issues);
}

}  // namespace scaling
