// SPDX-License-Identifier: MIT

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "scaling/serving/serving_constants.hpp"
#include "scaling/training/step_constants.hpp"
#include "support.hpp"

namespace scaling::test::trace_test {
namespace {

constexpr Term kSum{"sum", "S", kByte, "definition"};
constexpr Term kTotal{"total", "T", kByte, "definition"};

using Bytes = Quantity<kByte, Traced>;
using Plain = Count<Traced>;

/// A tape of its own size, recording.
template <std::size_t kNodes = 64>
struct Recorded {
  std::array<Node, kNodes> storage{};
  Tape tape{storage};
  Tape::Recording recording{tape};

  const Node& node(Traced traced) const { return tape[traced.node()]; }
};

TEST_CASE("a tape keeps each operation with its arguments") {
  const Recorded record;
  const Traced three(3);
  const Traced four(4);
  const Traced product = three * four;
  CHECK(product.value() == 12);
  const Node& node = record.node(product);
  CHECK(node.op == Op::kMultiply);
  CHECK(node.left == three.node());
  CHECK(node.right == four.node());
  CHECK(record.node(three).op == Op::kNumber);
  CHECK(record.tape.size() == 4);  // the first place stands for no node
}

TEST_CASE("every operation of quantities is recorded and gives the number that doubles give") {
  const Recorded record;
  const Plain a(Traced::input(7, kFields<Run>[0]));
  const Plain b(Traced::input(2, kFields<Run>[1]));
  const auto is = [&](const Plain& result, Op op, double value) {
    CHECK(record.node(result.rep()).op == op);
    CHECK(result.value() == value);
  };
  is(a + b, Op::kAdd, 9);
  is(a - b, Op::kSubtract, 5);
  is(a * b, Op::kMultiply, 14);
  is(a / b, Op::kDivide, 3.5);
  is(square(a), Op::kSquare, 49);
  is(sqrt(b), Op::kSqrt, std::sqrt(2.0));
  is(cube_root(a), Op::kCubeRoot, rep::cube_root(7.0));
  is(power(a, b), Op::kPower, rep::power(7.0, 2.0));
  is(ceil(a / b), Op::kCeil, 4);
  is(floor(a / b), Op::kFloor, 3);
  is(min(a, b), Op::kMin, 2);
  is(max(a, b), Op::kMax, 7);
  is(nearest_power_of_two(a), Op::kNearestPowerOfTwo, 8);
  is(power_of_two_below(a), Op::kPowerOfTwoBelow, 4);
  is(logarithm(a), Op::kLogarithm, logarithm(7.0));
  is(choose_if_below(b, a, Bound::kNetwork), Op::kChooseIfBelow, 2);
  is(choose_if_below(a, b, Bound::kNetwork), Op::kChooseIfBelow, 0);
  is(3.0 * a, Op::kMultiply, 21);
  is(a * 3.0, Op::kMultiply, 21);
  is(a / 2.0, Op::kDivide, 3.5);
}

TEST_CASE("a constant carries its unit, a plain number none") {
  const Recorded record;
  const auto bytes = constant<kByte, Traced>(2);
  REQUIRE(record.node(bytes.rep()).dimension != nullptr);
  CHECK(*record.node(bytes.rep()).dimension == kByte);
  CHECK(record.node(Traced(2)).dimension == nullptr);
}

TEST_CASE("an input refers to its field") {
  const Recorded record;
  const FieldInfo& field = kFields<Chip>[0];
  const Traced memory = Traced::input(96e9, field);
  CHECK(record.node(memory).op == Op::kInput);
  CHECK(record.node(memory).field == &field);
  CHECK(memory.value() == 96e9);
}

TEST_CASE("a name stands on the value it names") {
  const Recorded record;
  const Bytes bytes = constant<kByte, Traced>(2) + constant<kByte, Traced>(3);
  const Bytes sum = named<kSum>(bytes);
  CHECK(sum.value() == 5);
  CHECK(record.node(sum.rep()).op == Op::kStep);
  CHECK(record.node(sum.rep()).term == &kSum);
  CHECK(record.node(sum.rep()).left == bytes.rep().node());

  SECTION("naming it again the same way changes nothing") {
    CHECK(named<kSum>(sum).rep().node() == sum.rep().node());
  }
  SECTION("another name is another step") {
    const Bytes total = named<kTotal>(sum);
    CHECK(record.node(total.rep()).left == sum.rep().node());
  }
}

TEST_CASE("on doubles a name costs nothing") {
  CHECK(named<kSum>(Quantity<kByte, double>(5)).value() == 5);
}

TEST_CASE("a factor of 1 is not worth a word") {
  const Recorded record;
  const Traced x(5);
  const Traced one(1);
  CHECK((x * one).node() == x.node());
  CHECK((one * x).node() == x.node());
  CHECK((x / one).node() == x.node());

  SECTION("but 1/x, 1 + x and 1 - x are") {
    CHECK(record.node(one / x).op == Op::kDivide);
    CHECK(record.node(one + x).op == Op::kAdd);
    CHECK(record.node(one - x).op == Op::kSubtract);
  }
  SECTION("and so is an input that happens to be 1") {
    const Traced chips = Traced::input(1, kFields<Run>[0]);
    CHECK(record.node(x * chips).op == Op::kMultiply);
  }
}

TEST_CASE("a part that a sum has not got leaves no trace") {
  const Recorded record;
  const Traced x(5);
  const Traced nothing;
  CHECK(nothing.value() == 0);
  CHECK((x + nothing).node() == x.node());
  CHECK((nothing + x).node() == x.node());
  // Elsewhere it is a 0 like any other.
  const Traced difference = nothing - x;
  CHECK(difference.value() == -5);
  CHECK(record.node(difference).left != kNowhere);
}

TEST_CASE("a literal that changes nothing leaves no trace, an input or a name does") {
  const Recorded record;
  const Traced x = Traced::input(5, kFields<Run>[0]);
  const Traced zero(0);
  const Traced one(1);
  CHECK((x + zero).node() == x.node());
  CHECK((zero + x).node() == x.node());
  CHECK((x - zero).node() == x.node());
  CHECK((x * zero).node() == kNowhere);
  CHECK((zero / x).node() == kNowhere);
  CHECK((zero / x).value() == 0);
  CHECK(rep::max(x, zero).node() == x.node());
  CHECK(rep::max(one, x).node() == x.node());
  CHECK(rep::min(x, Traced(500)).node() == x.node());
  CHECK(rep::max(x, x).node() == x.node());
  CHECK(rep::ceil(Traced(4)).value() == 4);
  CHECK(record.node(rep::ceil(Traced(4))).op == Op::kNumber);

  SECTION("a limit that is reached says why") {
    CHECK(record.node(rep::max(x, Traced(8))).op == Op::kMax);
    CHECK(rep::max(x, Traced(8)).value() == 8);
  }
  SECTION("what divides itself, or is taken from itself, neither") {
    CHECK((x / x).value() == 1);
    CHECK(((x / x) * x).node() == x.node());
    CHECK((x - x).node() == kNowhere);
  }
  SECTION("what the reader has set to 0 stays, and so does a step that comes to 0") {
    const Traced none = Traced::input(0, kFields<Run>[1]);
    CHECK(record.node(x + none).op == Op::kAdd);
    CHECK(record.node(x - none).op == Op::kSubtract);
    CHECK(record.node(x * none).op == Op::kMultiply);
    CHECK(record.node(rep::max(x, none)).op == Op::kMax);
    CHECK(record.node(x + (none * x).named(kSum)).op == Op::kAdd);
    // But for one that is nothing else.
    CHECK((x + zero.named(kSum)).node() == x.node());
    CHECK((x * zero.named(kSum)).node() == kNowhere);
  }
}

TEST_CASE("a constant keeps its name, whatever its value") {
  const Recorded record;
  const Traced x = Traced::input(5, kFields<Run>[0]);
  const Constant rate(1, 7);
  const auto traced = scalar<Traced>(rate).rep();
  CHECK(traced.value() == 1);
  CHECK(record.node(traced).constant == 7);
  CHECK(record.node(x * traced).op == Op::kMultiply);
  CHECK(record.node(seconds_of<Traced>(rate).rep()).constant == 7);
  CHECK(scalar<double>(rate).value() == 1);

  SECTION("also with another value, but not as a part of a plain number") {
    Constant other = rate;
    other = 2;
    CHECK(other.name == 7);
    CHECK(record.node(scalar<Traced>(2 * other).rep()).constant == 0);
  }
}

TEST_CASE("a constant of 0 is a 0 like any other") {
  const Recorded record;
  const Traced x = Traced::input(5, kFields<Run>[0]);
  CHECK((x + scalar<Traced>(Constant(0, 7)).rep()).node() == x.node());
}

TEST_CASE("every constant has a name with a symbol and a source of its own") {
  const KernelRates& rates = kernel_rates(ChipGeneration::kHopper);
  const ConstantName& name = constant_name(rates.matmul[2].efficiency.name);
  CHECK(std::string_view(name.key) == "matmul.efficiency");
  CHECK(std::string_view(name.of) == "fp8Block");
  CHECK(std::string_view(name.symbol) == "eta_mm");
  CHECK(std::string_view(name.source) == "measured-kernels");
  CHECK(rates.matmul[2].efficiency.name ==
        kernel_rates(ChipGeneration::kGeneral).matmul[2].efficiency.name);
  const auto key = [](const Constant& constant) {
    return std::string_view(constant_name(constant.name).key);
  };
  CHECK(key(rates.stream[1].chunk) == "stream.chunk");
  CHECK(key(kStepConstants.interference) == "step.interference");
  CHECK(key(kStepConstants.generations[0].host) == "training.host");
  CHECK(key(kServingConstants.front_end) == "serving.frontEnd");
  CHECK(key(kKernelConstants.throttle_time) == "kernels.throttleTime");
}

TEST_CASE("a full tape stops recording and says so") {
  Recorded<4> record;  // room for three nodes
  const Traced a(1.5);
  const Traced b(2.5);
  const Traced sum = a + b;
  CHECK_FALSE(record.tape.full());
  CHECK(sum.node() != kNowhere);
  const Traced late = sum * b;
  CHECK(record.tape.full());
  CHECK(late.node() == kNowhere);
  CHECK(record.tape.size() == 4);
  // Earlier entries are unchanged.
  CHECK(sum.value() == 4);
}

TEST_CASE("a tape with no room at all is no danger") {
  std::array<Node, 1> storage{};
  Tape tape(storage);
  const Tape::Recording recording(tape);
  CHECK(Traced(3).node() == kNowhere);
  CHECK((Traced(3) + Traced(4)).node() == kNowhere);
  CHECK(tape.full());
}

TEST_CASE("explaining on a tape that is too small gives no derivation") {
  std::array<Node, 16> storage{};
  Tape tape(storage);
  Issues issues;
  const auto& terms = TrainingQuestion::Answers<double>::kList;
  const auto at = std::find(terms.begin(), terms.end(), &term::kTrainingTime) - terms.begin();
  CHECK(explain<TrainingQuestion>({tpu_v5p(), llama3_70b(), chapter6_run()},
                                  static_cast<std::size_t>(at), tape, issues) == kNowhere);
  CHECK(tape.full());
  CHECK(issues.empty());
}

TEST_CASE("a recording within a recording leaves the outer one as it was") {
  Recorded outer;
  const Traced before(1);
  const std::size_t size = outer.tape.size();
  {
    Recorded inner;
    const Traced other = Traced(2) + Traced(3);
    CHECK(inner.tape.size() == 4);
    CHECK(other.value() == 5);
    CHECK(outer.tape.size() == size);
  }
  const Traced after = before + Traced(4);
  CHECK(after.value() == 5);
  CHECK(outer.tape.size() == size + 2);
}

}  // namespace
}  // namespace scaling::test::trace_test
