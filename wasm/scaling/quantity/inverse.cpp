// SPDX-License-Identifier: MIT
#include "scaling/quantity/inverse.hpp"

namespace scaling {

NodeId solve_for(const Tape& tape, NodeId root, const FieldInfo& field, Traced target,
                 std::span<bool> depends) {
  if (root >= depends.size()) return kNowhere;
  depends[kNowhere] = false;
  for (NodeId id = 1; id <= root; ++id) {
    const Node& node = tape[id];
    depends[id] = node.field == &field || depends[node.left] || depends[node.right];
  }
  if (!depends[root]) return kNowhere;

  // Operations are undone on the other side, from the outermost one inwards.
  Traced other = target;
  NodeId id = root;
  while (tape[id].op != Op::kInput) {
    const Node node = tape[id];
    const bool left = depends[node.left];
    const bool right = depends[node.right];
    NodeId inner = left ? node.left : node.right;
    if (left && right) {
      if (node.op != Op::kMin && node.op != Op::kMax) return kNowhere;
      inner = tape[node.left].value == node.value ? node.left : node.right;
    }
    switch (node.op) {
      case Op::kStep:
      case Op::kCeil:
      case Op::kFloor:
        break;
      case Op::kAdd:
        other = other - Traced::at(left ? node.right : node.left);
        break;
      case Op::kSubtract:
        other = left ? other + Traced::at(node.right) : Traced::at(node.left) - other;
        break;
      case Op::kMultiply:
        other = other / Traced::at(left ? node.right : node.left);
        break;
      case Op::kDivide:
        other = left ? other * Traced::at(node.right) : Traced::at(node.left) / other;
        break;
      case Op::kSqrt:
        other = other * other;
        break;
      case Op::kMin:
      case Op::kMax:
        // The other part is what the field can't change.
        if (tape[inner].value != node.value) return kNowhere;
        break;
      default:
        return kNowhere;
    }
    id = inner;
  }
  return other.node();
}

}  // namespace scaling
