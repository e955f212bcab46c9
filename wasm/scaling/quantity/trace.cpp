// SPDX-License-Identifier: MIT
#include "scaling/quantity/trace.hpp"

namespace scaling {

Tape* Tape::current_ = nullptr;

const Node& Traced::read() const { return (*Tape::current_)[node_]; }

Traced Traced::place(const Node& node) { return at(Tape::current_->add(node)); }

NodeId Traced::recorded() const { return node_ == kNowhere ? Traced(0).node_ : node_; }

double Traced::value() const { return node_ == kNowhere ? 0 : read().value; }

bool Traced::is_literal() const {
  return node_ == kNowhere || (read().op == Op::kNumber && read().constant == 0);
}

bool Traced::is_nothing() const {
  if (is_literal()) return value() == 0;
  return read().op == Op::kStep && at(read().left).is_nothing();
}

Traced::Traced(double number, const Dimension* dimension, ConstantId constant)
    : Traced(place(
          {.value = number, .op = Op::kNumber, .constant = constant, .dimension = dimension})) {}

Traced Traced::input(double value, const FieldInfo& field) {
  return place({.value = value, .op = Op::kInput, .field = &field});
}

Traced Traced::at(NodeId node) {
  Traced result;
  result.node_ = node;
  return result;
}

Traced Traced::unary(Op op, Traced a, double value) {
  // A whole number rounded is the same.
  const bool rounds = op == Op::kCeil || op == Op::kFloor;
  if (rounds && a.is_literal() && a.value() == value) return a;
  return place({.value = value, .left = a.recorded(), .op = op});
}

Traced Traced::binary(Op op, Traced a, Traced b, double value) {
  const auto is = [](Traced x, double number) { return x.is_literal() && x.value() == number; };
  switch (op) {
    case Op::kAdd:
      if (b.is_nothing()) return a;
      if (a.is_nothing()) return b;
      break;
    case Op::kSubtract:
      if (b.is_nothing()) return a;
      if (a.node_ == b.node_ && value == 0) return {};
      break;
    case Op::kMultiply:
      if (is(b, 1)) return a;
      if (is(a, 1)) return b;
      if (value == 0 && (a.is_nothing() || b.is_nothing())) return {};
      break;
    case Op::kDivide:
      if (is(b, 1)) return a;
      if (value == 0 && a.is_nothing()) return {};
      if (a.node_ == b.node_ && value == 1) return Traced(1);
      break;
    case Op::kMin:
    case Op::kMax:
      // Of two that are alike, the one that says where it is from.
      if (a.is_literal() && b.value() == value) return b;
      if (b.is_literal() && a.value() == value) return a;
      if (a.node_ == b.node_) return a;
      break;
    default:
      break;
  }
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
