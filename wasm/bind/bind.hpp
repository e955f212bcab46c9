// SPDX-License-Identifier: MIT
//
// What both modules' bindings share: how inputs cross into the core, and issues, answers and
// derivations out of it. One call crosses for each question: plain objects in, and out come issues
// or views of flat arrays, whose meaning `describe()` tells once. The views lie in the module's
// memory and hold until the next call. Included once by each module.
#pragma once

#include <emscripten/bind.h>

#include <array>
#include <cstdlib>
#include <new>
#include <string>
#include <type_traits>

#include "scaling/estimate.hpp"

// What embind takes of the standard library, and needs little of: the library's own `new` and
// `sprintf` would bring all of printf along, to say that memory is exhausted and to name the
// address of a type that is not registered.
extern "C" int siprintf(char* text, const char*, ...) {
  *text = '\0';
  return 0;
}

void* operator new(std::size_t size) {
  void* memory = std::malloc(size);
  if (memory == nullptr) std::abort();
  return memory;
}

namespace scaling {
namespace {

using emscripten::typed_memory_view;
using emscripten::val;

val string_list(std::span<const char* const> names) {
  val list = val::array();
  unsigned index = 0;
  for (const char* name : names) list.set(index++, val(name));
  return list;
}

// --- in ---

template <template <class> class Group, std::size_t kIndex>
double get_field(const Raw<Group>& raw) {
  return raw.values[kIndex];
}

template <template <class> class Group, std::size_t kIndex>
void set_field(Raw<Group>& raw, double value) {
  raw.values[kIndex] = value;
}

template <template <class> class Group>
void bind_group() {
  emscripten::value_object<Raw<Group>> object(Group<double>::kGroup);
  [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
    (object.field(kFields<Group>[kIndex].key, &get_field<Group, kIndex>, &set_field<Group, kIndex>),
     ...);
  }
  (std::make_index_sequence<kFieldCount<Group>>());
}

// --- out ---

/// As a std::string, which crosses as UTF-8: units may have a raised dot.
val unit_string(Dimension dimension) { return val(std::string(UnitName(dimension).c_str())); }

val issue_list(const Issues& issues) {
  val list = val::array();
  unsigned index = 0;
  for (const Issue& issue : issues.items()) {
    const IssueName& name = kIssueNames[static_cast<std::size_t>(issue.code)];
    val arguments = val::object();
    for (std::size_t i = 0; i < name.arguments.size(); ++i) {
      if (name.arguments[i] != nullptr) arguments.set(name.arguments[i], issue.arguments[i]);
    }
    val item = val::object();
    item.set("code", val(name.code));
    item.set("group", val(issue.group));
    item.set("key", val(issue.field));
    item.set("arguments", arguments);
    list.set(index++, item);
  }
  return list;
}

template <class Question>
val estimate_question(const typename Question::Input& input) {
  static typename Question::template Answers<double> answers;  // outlives the call, for the views
  const Outcome<Question> outcome = estimate<Question>(input);
  val result = val::object();
  if (!outcome.issues.empty()) {
    result.set("issues", issue_list(outcome.issues));
    return result;
  }
  answers = outcome.answers;
  const auto& values = answers.values();
  const auto& absences = answers.absences();
  using Byte = std::underlying_type_t<Absence>;
  result.set("values", typed_memory_view(values.size(), values.data()));
  result.set("absences",
             typed_memory_view(absences.size(), reinterpret_cast<const Byte*>(absences.data())));
  if (!outcome.notices.empty()) result.set("notices", issue_list(outcome.notices));
  return result;
}

// --- why ---

inline constexpr const char* kOpNames[] = {"number",
                                           "input",
                                           "step",
                                           "add",
                                           "subtract",
                                           "multiply",
                                           "divide",
                                           "sqrt",
                                           "ceil",
                                           "floor",
                                           "min",
                                           "max",
                                           "nearestPowerOfTwo",
                                           "powerOfTwoBelow",
                                           "expMinusOne",
                                           "chooseIfBelow"};

val node_object(const Node& node) {
  val object = val::object();
  Dimension dimension = node.dimension != nullptr ? *node.dimension : kOne;
  object.set("op", val(kOpNames[static_cast<std::size_t>(node.op)]));
  object.set("value", node.value);
  if (node.left != kNowhere) object.set("left", node.left);
  if (node.right != kNowhere) object.set("right", node.right);
  if (node.field != nullptr) {
    dimension = node.field->dimension;
    object.set("group", val(node.field->group));
    object.set("key", val(node.field->key));
    object.set("symbol", val(node.field->symbol));
  }
  if (node.term != nullptr) {
    dimension = node.term->dimension;
    object.set("key", val(node.term->key));
    object.set("symbol", val(node.term->symbol));
    object.set("source", val(node.term->source));
  }
  object.set("unit", unit_string(dimension));
  return object;
}

/// {issues} or {root, nodes} of the answer at `index` of the description's list: the nodes under
/// `root`, each under its number; 0 and none where the answer has no derivation.
template <class Question, std::size_t kTapeNodes>
val explain_question(const typename Question::Input& input, std::size_t index) {
  static std::array<Node, kTapeNodes> storage;
  static std::array<bool, kTapeNodes> needed;
  Tape tape(storage);
  Issues issues;
  const NodeId root = explain<Question>(input, index, tape, issues);
  val result = val::object();
  if (!issues.empty()) {
    result.set("issues", issue_list(issues));
    return result;
  }
  val nodes = val::object();
  result.set("root", root);
  result.set("nodes", nodes);
  if (root == kNowhere || tape.full()) return result;
  // Arguments stand before what they are arguments of.
  needed.fill(false);
  needed[root] = true;
  for (NodeId id = root; id != kNowhere; --id) {
    if (!needed[id]) continue;
    needed[tape[id].left] = true;
    needed[tape[id].right] = true;
    nodes.set(id, node_object(tape[id]));
  }
  return result;
}

}  // namespace
}  // namespace scaling
