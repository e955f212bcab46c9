// SPDX-License-Identifier: MIT

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "scaling/quantity/longest.hpp"
#include "support.hpp"

namespace scaling::test::quantity_test {
namespace {

using Flops = Quantity<kFlop, double>;
using Bytes = Quantity<kByte, double>;
using Seconds = Quantity<kSecond, double>;
using FlopRate = Quantity<kFlop / kSecond, double>;
using Number = Count<double>;

std::string unit(Dimension dimension) { return UnitName(dimension).c_str(); }

TEST_CASE("units have the names that the page and the URL use") {
  CHECK(unit(kOne).empty());
  CHECK(unit(kFlop) == "FLOPs");
  CHECK(unit(kFlop / kSecond) == "FLOPs/s");
  CHECK(unit(kFlop / kSecond / kChip) == "FLOPs/s/chip");
  CHECK(unit(kByte) == "B");
  CHECK(unit(kByte / kChip) == "B/chip");
  CHECK(unit(kByte / kSecond) == "B/s");
  CHECK(unit(kByte / kSecond / kChip) == "B/s/chip");
  CHECK(unit(kFlop / kByte) == "FLOPs/B");
  CHECK(unit(kSecond) == "s");
  CHECK(unit(kHour) == "h");
  CHECK(unit(kChip * kHour) == "chip·h");
  CHECK(unit(kToken) == "tokens");
  CHECK(unit(kToken / kChip) == "tokens/chip");
  CHECK(unit(kToken / kSecond) == "tokens/s");
  CHECK(unit(kChip) == "chips");
  CHECK(unit(kParam) == "params");
  CHECK(unit(kByte / kParam) == "B/param");
  CHECK(unit(kFlop / kToken) == "FLOPs/token");
  CHECK(unit(kDollar) == "USD");
  CHECK(unit(kDollar / kChip / kHour) == "USD/chip/h");
  CHECK(unit(kJoule) == "J");
  CHECK(unit(kWatt / kChip) == "W/chip");
}

TEST_CASE("units that no field has are still readable") {
  CHECK(unit(kOne / kSecond) == "1/s");
  CHECK(unit(kWatt) == "W");
  CHECK(unit(kFlop / kToken / kParam) == "FLOPs/param/token");
  CHECK(unit(kByte * kByte) == "B·B");
  // A name longer than its room is cut, not written past its end.
  Dimension far{};
  far.token = 100;
  CHECK(unit(far).size() < 48);
}

TEST_CASE("dimensions multiply and divide") {
  CHECK(kFlop * kOne == kFlop);
  CHECK(kFlop / kFlop == kOne);
  CHECK((kFlop / kSecond) * kSecond == kFlop);
  CHECK(kWatt * kSecond == kJoule);
  CHECK_FALSE(kFlop == kByte);
  CHECK_FALSE(kHour == kSecond);  // the step between them is a number in the derivation
}

template <class A, class B>
constexpr bool kAddable = requires(A a, B b) {
  a + b;
};
template <class A, class B>
constexpr bool kSubtractable = requires(A a, B b) {
  a - b;
};
template <class A, class B>
constexpr bool kComparable = requires(A a, B b) {
  a < b;
};
template <class A, class B>
constexpr bool kConvertible = requires(A a, B b) {
  a = b;
};
template <class A, class B>
constexpr bool kOneOfTheLarger = requires(A a, B b) {
  max(a, b);
};
template <class A>
constexpr bool kHasRoot = requires(A a) {
  sqrt(a);
};
template <class A>
constexpr bool kNameable = requires(A a) {
  named<term::kMathTime>(a);
};

TEST_CASE("the compiler refuses what mixes units") {
  CHECK(kAddable<Seconds, Seconds>);
  CHECK_FALSE(kAddable<Seconds, Bytes>);
  CHECK_FALSE(kAddable<Seconds, Quantity<kHour, double>>);
  CHECK_FALSE(kAddable<Seconds, Number>);
  CHECK_FALSE(kAddable<Seconds, double>);
  CHECK_FALSE(kSubtractable<Flops, FlopRate>);
  CHECK(kComparable<Bytes, Bytes>);
  CHECK_FALSE(kComparable<Bytes, Quantity<kByte / kChip, double>>);
  CHECK_FALSE(kConvertible<Seconds, double>);
  CHECK_FALSE(kConvertible<double, Seconds>);
  CHECK_FALSE(kConvertible<Seconds, Bytes>);
  CHECK_FALSE(kOneOfTheLarger<Seconds, Flops>);
  CHECK(kHasRoot<Number>);
  CHECK_FALSE(kHasRoot<Bytes>);
  CHECK(kNameable<Seconds>);
  CHECK_FALSE(kNameable<Flops>);
  // Nor do the two representations mix.
  CHECK_FALSE(kAddable<Seconds, Quantity<kSecond, Traced>>);
}

TEST_CASE("quotients and products have the unit that follows") {
  CHECK(decltype(Flops(1) / FlopRate(1))::kDimension == kSecond);
  CHECK(decltype(FlopRate(1) * Seconds(1))::kDimension == kFlop);
  CHECK(decltype(2.0 * Seconds(1))::kDimension == kSecond);
  CHECK(decltype(of_one_chip(Quantity<kByte / kChip, double>(1)))::kDimension == kByte);
  CHECK((Flops(6e12) / FlopRate(3e12)).value() == 2);
  CHECK(as<kToken>(Number(7)).value() == 7);
}

TEST_CASE("a quantity is as small as its number") {
  CHECK(sizeof(Seconds) == sizeof(double));
  CHECK(sizeof(Quantity<kSecond, Traced>) == sizeof(NodeId));
}

TEST_CASE("rounding and extremes") {
  CHECK(ceil(Number(225.7)).value() == 226);
  CHECK(ceil(Number(225)).value() == 225);
  CHECK(floor(Number(225.7)).value() == 225);
  CHECK(min(Number(2), Number(3)).value() == 2);
  CHECK(max(Number(2), Number(3)).value() == 3);
  CHECK(sqrt(Number(9)).value() == 3);
}

TEST_CASE("a cube root is that of the library, of any number from 1 on") {
  CHECK(rep::cube_root(1) == 1);
  CHECK(rep::cube_root(8) == 2);
  for (double x = 1; x < 1e300; x *= 1.37) {
    CHECK_THAT(rep::cube_root(x), WithinRel(std::cbrt(x), 1e-14));
  }
}

TEST_CASE("the nearest power of two is nearest in ratio") {
  const auto nearest = [](double x) { return nearest_power_of_two(Number(x)).value(); };
  CHECK(nearest(1) == 1);
  CHECK(nearest(1.41) == 1);  // sqrt 2 lies between
  CHECK(nearest(1.42) == 2);
  CHECK(nearest(2) == 2);
  CHECK(nearest(1448) == 1024);  // 1024 sqrt 2 = 1448.15
  CHECK(nearest(1449) == 2048);
  CHECK(nearest(1618.3) == 2048);
  CHECK(nearest(0.001) == 1);
  CHECK(nearest(0) == 1);
  CHECK(nearest(-5) == 1);
  CHECK(nearest(0x1p900) == 0x1p900);
}

TEST_CASE("the power of two below") {
  const auto below = [](double x) { return power_of_two_below(Number(x)).value(); };
  CHECK(below(1) == 1);
  CHECK(below(1.99) == 1);
  CHECK(below(2) == 2);
  CHECK(below(8960) == 8192);
  CHECK(below(8192) == 8192);
  CHECK(below(0.5) == 1);
}

TEST_CASE("powers of two end on any number") {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double x : {1e308, infinity, nan}) {
    CHECK(nearest_power_of_two(Number(x)).value() >= 1);
    CHECK(power_of_two_below(Number(x)).value() >= 1);
  }
}

TEST_CASE("a choice is made below, not at, the limit") {
  const auto choice = [](double a, double b) {
    return choose_if_below(Seconds(a), Seconds(b), Bound::kMemory).value();
  };
  CHECK(choice(1, 2) == static_cast<double>(Bound::kMemory));
  CHECK(choice(2, 2) == static_cast<double>(Bound::kCompute));
  CHECK(choice(3, 2) == static_cast<double>(Bound::kCompute));
}

TEST_CASE("the longest part is the first of equal ones, and the next is none of it") {
  const auto longest = [](const std::array<double, 4>& times, std::size_t without = 4) {
    PartsOf<double, 4> parts;
    std::transform(times.begin(), times.end(), parts.begin(), [](double t) { return Seconds(t); });
    return longest_of(parts, without).value();
  };
  CHECK(longest({4, 1, 2, 3}) == 0);
  CHECK(longest({1, 4, 2, 3}) == 1);
  CHECK(longest({1, 2, 3, 4}) == 3);
  CHECK(longest({4, 1, 2, 3}, 0) == 3);
  CHECK(longest({3, 4, 2, 1}, 1) == 0);
  CHECK(longest({2, 2, 2, 2}) == 0);
  CHECK(longest({1, 2, 2, 2}) == 1);
  CHECK(longest({2, 2, 2, 2}, 0) == 1);
  CHECK(longest({0, 0, 5, 0}) == 2);
  CHECK(longest({0, 0, 5, 0}, 2) == 0);
}

TEST_CASE("bytes of a number by format") {
  const auto bytes = [](Format format) { return bytes_of<double>(format).value(); };
  CHECK(bytes(Format::kFp32) == 4);
  CHECK(bytes(Format::kTf32) == 4);  // in memory, fp32
  CHECK(bytes(Format::kBf16) == 2);
  CHECK(bytes(Format::kFp16) == 2);
  CHECK(bytes(Format::kFp8) == 1);
  CHECK(bytes(Format::kInt8) == 1);
  CHECK(bytes(Format::kFp4) == 0.5);
  CHECK(bytes(Format::kInt4) == 0.5);
}

TEST_CASE("an absent value says why, the first reason first") {
  using Time = Maybe<Seconds>;
  const auto sum = [](Seconds a, Seconds b) { return a + b; };
  const Time one(Seconds(1));
  CHECK(when_present(sum, one, one).value.value() == 2);
  CHECK(when_present(sum, one, Time(Absence::kNever)).absence == Absence::kNever);
  CHECK(when_present(sum, Time(Absence::kNotListed), Time(Absence::kNever)).absence ==
        Absence::kNotListed);
  CHECK(Time().absence == Absence::kNotListed);
}

TEST_CASE("a sheet starts empty and takes no infinity for an answer") {
  Sheet<double, term::kMathTime, term::kFlops, term::kBound> sheet;
  CHECK(sheet.get<term::kMathTime>().absence == Absence::kNotApplicable);
  sheet.put<term::kMathTime>(Seconds(2));
  CHECK(sheet.get<term::kMathTime>().value.value() == 2);
  sheet.put<term::kMathTime>(Maybe<Seconds>(Absence::kNever));
  CHECK(sheet.get<term::kMathTime>().absence == Absence::kNever);
  sheet.put<term::kFlops>(Flops(std::numeric_limits<double>::infinity()));
  CHECK(sheet.get<term::kFlops>().absence == Absence::kOutOfRange);
  sheet.put<term::kFlops>(Flops(std::numeric_limits<double>::quiet_NaN()));
  CHECK(sheet.get<term::kFlops>().absence == Absence::kOutOfRange);
  sheet.put<term::kBound>(choose_if_below(Number(1), Number(2), Bound::kNetwork));
  CHECK(sheet.get<term::kBound>().value.value() == 2);
}

}  // namespace
}  // namespace scaling::test::quantity_test
