// SPDX-License-Identifier: MIT
#pragma once

// Derivations as JavaScript sees them: how an answer came about, for those who ask. A module of
// them answers some of the questions.

#include <vector>

#include "bind.hpp"
#include "rows.hpp"
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
                                           "cubeRoot",
                                           "ceil",
                                           "floor",
                                           "min",
                                           "max",
                                           "nearestPowerOfTwo",
                                           "powerOfTwoBelow",
                                           "expMinusOne",
                                           "logarithm",
                                           "power",
                                           "chooseIfBelow"};

/// The names of a node: its unit, how it is shown, and its key, symbol and source if it has them.
inline val name_object(const Node& node) {
  val object = val::object();
  Shown shown = Shown::kPlain;
  Dimension dimension = node.dimension != nullptr ? *node.dimension : kOne;
  if (node.field != nullptr) {
    dimension = node.field->dimension;
    shown = node.field->shown;
    object.set("group", val(node.field->group));
    object.set("key", val(node.field->key));
    object.set("symbol", val(node.field->symbol));
  }
  if (node.term != nullptr) {
    dimension = node.term->dimension;
    shown = node.term->shown;
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
  if (shown != Shown::kPlain) {
    object.set("shown", val(kShownNames[static_cast<std::size_t>(shown)]));
  }
  return object;
}

inline constexpr std::size_t kTapeNodes = 1u << 15;
inline std::array<Node, kTapeNodes> storage;
inline std::array<bool, kTapeNodes> needed;

/// The names of nodes, each once: thousands of nodes have few hundred names, and what crosses to
/// JavaScript as an object takes far longer than a number.
class NameList {
 public:
  NameList() { added({}, {}); }

  const val& objects() const { return objects_; }

  /// The place of a node's name in the list.
  unsigned place_of(const Node& node) {
    const Key key{node.field, node.term, node.dimension, node.constant};
    // Most nodes are operations without a name. Others with one name lie together: the last names
    // come first.
    if (key == Key{}) return 0;
    for (std::size_t place = keys_.size(); place > 0; --place) {
      if (keys_[place - 1] == key) return static_cast<unsigned>(place - 1);
    }
    return added(key, node);
  }

 private:
  struct Key {
    const FieldInfo* field = nullptr;
    const Term* term = nullptr;
    const Dimension* dimension = nullptr;
    ConstantId constant = 0;
    bool operator==(const Key&) const = default;
  };

  unsigned added(const Key& key, const Node& node) {
    const auto place = static_cast<unsigned>(keys_.size());
    keys_.push_back(key);
    objects_.set(place, name_object(node));
    return place;
  }

  val objects_ = val::array();
  std::vector<Key> keys_;
};

/// A node with its place on the tape, and that of its name.
struct PlacedNode {
  NodeId place;
  const Node& node;
  unsigned name;
};
inline constexpr Column<PlacedNode> kNodeColumns[] = {
    {"place", [](const auto& placed) { return static_cast<double>(placed.place); }},
    {"operation", [](const auto& placed) { return static_cast<double>(placed.node.op); }},
    {"value", [](const auto& placed) { return placed.node.value; }},
    {"left", [](const auto& placed) { return static_cast<double>(placed.node.left); }},
    {"right", [](const auto& placed) { return static_cast<double>(placed.node.right); }},
    {"name", [](const auto& placed) { return static_cast<double>(placed.name); }},
};
inline std::vector<double> node_rows;

/// {issues} or {root, columns, rows, names, operations}: the nodes under `root`, from the last one
/// down; 0 and none where there is no derivation.
inline val explained(const Tape& tape, NodeId root, const Issues& issues) {
  val result = val::object();
  if (!issues.empty()) {
    result.set("issues", issue_list(issues));
    return result;
  }
  NameList names;
  node_rows.clear();
  if (!tape.full()) {
    // Arguments stand before what they are arguments of.
    needed.fill(false);
    needed[root] = true;
    for (NodeId id = root; id != kNowhere; --id) {
      if (!needed[id]) continue;
      const Node& node = tape[id];
      needed[node.left] = true;
      needed[node.right] = true;
      const std::size_t end = node_rows.size();
      node_rows.resize(end + std::size(kNodeColumns));
      put_row(kNodeColumns, PlacedNode{id, node, names.place_of(node)}, node_rows, end);
    }
  }
  result.set("root", root);
  result.set("columns", column_names(kNodeColumns));
  result.set("rows", typed_memory_view(node_rows.size(), node_rows.data()));
  result.set("names", names.objects());
  result.set("operations", string_list(kOpNames));
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
