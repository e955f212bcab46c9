// SPDX-License-Identifier: MIT
#include "scaling/quantity/trace.hpp"

namespace scaling {

Tape* Tape::current_ = nullptr;

const Node& Traced::read() const { return (*Tape::current_)[node_]; }

Traced Traced::place(const Node& node) { return at(Tape::current_->add(node)); }

NodeId Traced::recorded() const { return node_ == kNowhere ? Traced(0).node_ : node_; }

double Traced::value() const { return node_ == kNowhere ? 0 : read().value; }

Traced::Traced(double number, const Dimension* dimension)
    : Traced(place({.value = number, .op = Op::kNumber, .dimension = dimension})) {}

Traced Traced::input(double value, const FieldInfo& field) {
  return place({.value = value, .op = Op::kInput, .field = &field});
}

Traced Traced::at(NodeId node) {
  Traced result;
  result.node_ = node;
  return result;
}

Traced Traced::unary(Op op, Traced a, double value) {
  return place({.value = value, .left = a.recorded(), .op = op});
}

Traced Traced::binary(Op op, Traced a, Traced b, double value) {
  // A factor of 1 (weights that are not gated, a part that is not divided) is not worth a word.
  const auto is_one = [](Traced x) {
    return x.node_ != kNowhere && x.read().op == Op::kNumber && x.read().value == 1;
  };
  if ((op == Op::kMultiply || op == Op::kDivide) && is_one(b)) return a;
  if (op == Op::kMultiply && is_one(a)) return b;
  // Nor is a part that a sum has not got.
  if (op == Op::kAdd && a.node_ == kNowhere) return b;
  if (op == Op::kAdd && b.node_ == kNowhere) return a;
  return place({.value = value, .left = a.recorded(), .right = b.recorded(), .op = op});
}

Traced Traced::named(const Term& term) const {
  if (node_ != kNowhere && read().term == &term) return *this;
  return place({.value = value(), .left = recorded(), .op = Op::kStep, .term = &term});
}

Traced operator+(Traced a, Traced b) {
  return Traced::binary(Op::kAdd, a, b, a.value() + b.value());
}
Traced operator-(Traced a, Traced b) {
  return Traced::binary(Op::kSubtract, a, b, a.value() - b.value());
}
Traced operator*(Traced a, Traced b) {
  return Traced::binary(Op::kMultiply, a, b, a.value() * b.value());
}
Traced operator/(Traced a, Traced b) {
  return Traced::binary(Op::kDivide, a, b, a.value() / b.value());
}

}  // namespace scaling
