// SPDX-License-Identifier: MIT
//
// Properties of every question, whatever comes in.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>

#include "../core/recompute.hpp"
#include "input.hpp"

namespace scaling::fuzz {

inline void expect_valid(const FieldInfo& info, double value) {
  if (std::isnan(value)) {
    if (!info.optional) fail("no value passed the check", info.key);
    return;
  }
  if (!(value >= info.minimum && value <= info.maximum)) {
    fail("a value out of range passed the check", info.key, value);
  }
  if (info.kind != Kind::kNumber && value != std::floor(value)) {
    fail("a fraction passed the check", info.key, value);
  }
}

inline void expect_named(const Issues& issues) {
  for (const Issue& issue : issues.items()) {
    if (issue.group == nullptr || issue.field == nullptr) fail("an issue without a field");
    if (static_cast<std::size_t>(issue.code) >= kIssueNames.size()) fail("no such issue");
    for (const double argument : issue.arguments) {
      if (!std::isfinite(argument)) fail("an issue's argument", issue.field, argument);
    }
  }
}

inline void expect_answer(const Term& term, double value, Absence absence) {
  if (static_cast<std::size_t>(absence) >= std::size(kAbsenceNames)) fail("no such absence");
  if (absence != Absence::kPresent) return;
  if (!std::isfinite(value)) fail("an answer is not finite", term.key, value);
  const std::string_view key = term.key;
  const bool may_lack = key == "memoryLeft" || key == "memoryRoom" || key == "servingLeft";
  if (std::signbit(value) && !may_lack) {
    fail("an answer is below zero", term.key, value);
  }
  const auto choices = static_cast<double>(term.choices.size());
  if (choices > 0 && (value >= choices || value != std::floor(value))) {
    fail("an answer is none of its choices", term.key, value);
  }
}

inline std::size_t arguments_of(Op op) {
  switch (op) {
    case Op::kNumber:
    case Op::kInput:
      return 0;
    case Op::kStep:
    case Op::kSquare:
    case Op::kSqrt:
    case Op::kCubeRoot:
    case Op::kCeil:
    case Op::kFloor:
    case Op::kNearestPowerOfTwo:
    case Op::kPowerOfTwoBelow:
    case Op::kExpMinusOne:
    case Op::kLogarithm:
      return 1;
    default:
      return 2;
  }
}

/// Every value on the tape is what its operation makes of values that stand before it.
inline void expect_sound(const Tape& tape) {
  if (tape.full()) fail("the tape is full");
  for (NodeId id = 1; id < tape.size(); ++id) {
    const Node& node = tape[id];
    const std::size_t arguments = arguments_of(node.op);
    if ((node.left != kNowhere) != (arguments > 0) || (node.right != kNowhere) != (arguments > 1)) {
      fail("an operation has too few or too many arguments", node.term ? node.term->key : "", id);
    }
    if (node.left >= id || node.right >= id) fail("an argument stands after its operation");
    if ((node.op == Op::kStep) != (node.term != nullptr)) fail("a step without a name");
    if ((node.op == Op::kInput) != (node.field != nullptr)) fail("an input without a field");
    const double value = recompute(node, tape[node.left].value, tape[node.right].value);
    if (!same_bits(node.value, value) && !(std::isnan(node.value) && std::isnan(value))) {
      fail("a value is not what its operation makes", node.term ? node.term->key : "", value);
    }
  }
}

/// `kNodes`: as many as the binding has.
template <class Question, std::size_t kNodes = 4096>
void expect_explained(const typename Question::Input& input, const Outcome<Question>& outcome,
                      std::size_t index) {
  static std::array<Node, kNodes> storage;
  Tape tape(storage);
  Issues issues;
  const NodeId root = explain<Question>(input, index, tape, issues);
  if (issues.items().size() != outcome.issues.items().size()) fail("explain finds other issues");
  if (!issues.empty()) {
    if (root != kNowhere) fail("a bad input is explained");
    return;
  }
  expect_sound(tape);
  const Term& term = *outcome.answers.kList[index];
  const bool present = outcome.answers.absences()[index] == Absence::kPresent;
  if ((root != kNowhere) != present) fail("a derivation too many or too few", term.key);
  if (root == kNowhere) return;
  if (tape[root].term != &term) fail("a derivation of something else", term.key);
  if (!same_bits(tape[root].value, outcome.answers.values()[index])) {
    fail("the derivation comes to another value", term.key, tape[root].value);
  }
}

/// Memory for a derivation may run out at any place: the tape says so.
template <class Question>
void expect_bounded(const typename Question::Input& input, std::size_t index, std::size_t room) {
  static std::array<Node, 256> storage;
  Tape tape(std::span(storage).first(room));
  Issues issues;
  const NodeId root = explain<Question>(input, index, tape, issues);
  if (root > tape.size()) fail("a derivation outside its tape");
  if (!tape.full()) expect_sound(tape);
}

}  // namespace scaling::fuzz
