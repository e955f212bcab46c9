// SPDX-License-Identifier: MIT
#include "scaling/quantity/quantity.hpp"

namespace scaling::rep {

Traced choose_if_below(Traced a, Traced b, double choice) {
  return Traced::binary(Op::kChooseIfBelow, a, b, choose_if_below(a.value(), b.value(), choice));
}

Traced square(Traced x) { return Traced::unary(Op::kSquare, x, square(x.value())); }

Traced sqrt(Traced x) { return Traced::unary(Op::kSqrt, x, sqrt(x.value())); }

Traced cube_root(Traced x) { return Traced::unary(Op::kCubeRoot, x, cube_root(x.value())); }

Traced ceil(Traced x) { return Traced::unary(Op::kCeil, x, ceil(x.value())); }

Traced floor(Traced x) { return Traced::unary(Op::kFloor, x, floor(x.value())); }

Traced min(Traced a, Traced b) { return Traced::binary(Op::kMin, a, b, min(a.value(), b.value())); }

Traced max(Traced a, Traced b) { return Traced::binary(Op::kMax, a, b, max(a.value(), b.value())); }

Traced nearest_power_of_two(Traced x) {
  return Traced::unary(Op::kNearestPowerOfTwo, x, nearest_power_of_two(x.value()));
}

Traced power_of_two_below(Traced x) {
  return Traced::unary(Op::kPowerOfTwoBelow, x, power_of_two_below(x.value()));
}

Traced logarithm(Traced x) { return Traced::unary(Op::kLogarithm, x, logarithm(x.value())); }

Traced exp_minus_one(Traced x) {
  return Traced::unary(Op::kExpMinusOne, x, exp_minus_one(x.value()));
}

Traced power(Traced x, Traced y) {
  return Traced::binary(Op::kPower, x, y, power(x.value(), y.value()));
}

}  // namespace scaling::rep
