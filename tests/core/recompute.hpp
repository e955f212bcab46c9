// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <limits>

#include "scaling/quantity/quantity.hpp"

namespace scaling {

/// Recomputes the result of a tape node's operation on the values of its arguments.
inline double recompute(const Node& node, double left, double right) {
  switch (node.op) {
    case Op::kNumber:
    case Op::kInput:
      return node.value;
    case Op::kStep:
      return left;
    case Op::kAdd:
      return left + right;
    case Op::kSubtract:
      return left - right;
    case Op::kMultiply:
      return left * right;
    case Op::kDivide:
      return left / right;
    case Op::kSquare:
      return rep::square(left);
    case Op::kSqrt:
      return rep::sqrt(left);
    case Op::kCubeRoot:
      return rep::cube_root(left);
    case Op::kCeil:
      return rep::ceil(left);
    case Op::kFloor:
      return rep::floor(left);
    case Op::kMin:
      return rep::min(left, right);
    case Op::kMax:
      return rep::max(left, right);
    case Op::kNearestPowerOfTwo:
      return rep::nearest_power_of_two(left);
    case Op::kPowerOfTwoBelow:
      return rep::power_of_two_below(left);
    case Op::kExpMinusOne:
      return rep::exp_minus_one(left);
    case Op::kLogarithm:
      return rep::logarithm(left);
    case Op::kPower:
      return rep::power(left, right);
    case Op::kChooseIfBelow:
      return left < right ? std::max(1.0, node.value) : 0;  // one of the choices, or the first
  }
  return std::numeric_limits<double>::quiet_NaN();  // no such operation
}

}  // namespace scaling
