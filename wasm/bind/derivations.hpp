// SPDX-License-Identifier: MIT
#pragma once

// Derivations as JavaScript sees them: how an answer came about, for those who ask. A module of
// them answers some of the questions.

#include "bind.hpp"
#include "scaling/hardware/kernel_rates.hpp"

namespace scaling {

inline constexpr const char* kOpNames[] = {"number",
                                           "input",
                                           "step",
                                           "add",
                                           "subtract",
                                           "multiply",
                                           "divide",
                                           "square",
                                           "sqrt",
                                           "ceil",
                                           "floor",
                                           "min",
                                           "max",
                                           "nearestPowerOfTwo",
                                           "powerOfTwoBelow",
                                           "expMinusOne",
                                           "logarithm",
                                           "chooseIfBelow"};

inline val node_object(const Node& node) {
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
  if (node.constant != 0) {
    const ConstantName& name = constant_name(node.constant);
    object.set("key", val(name.key));
    object.set("of", val(name.of));
    object.set("symbol", val(name.symbol));
    object.set("source", val(name.source));
  }
  object.set("unit", unit_string(dimension));
  return object;
}

inline constexpr std::size_t kTapeNodes = 1u << 15;
inline std::array<Node, kTapeNodes> storage;
inline std::array<bool, kTapeNodes> needed;

/// {issues} or {root, nodes}: the nodes under `root`, each under its number; 0 and none where there
/// is no derivation.
inline val explained(const Tape& tape, NodeId root, const Issues& issues) {
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

/// The same of the answer at `index` of the description's list.
template <class Question>
val explain_question(std::size_t index) {
  Tape tape(storage);
  Issues issues;
  const NodeId root = explain<Question>(read_input<Question>(), index, tape, issues);
  return explained(tape, root, issues);
}

}  // namespace scaling
