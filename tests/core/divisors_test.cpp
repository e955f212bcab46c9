// SPDX-License-Identifier: MIT

#include "scaling/quantity/divisors.hpp"

#include <vector>

#include "catch.hpp"

namespace scaling::test::divisors_test {
namespace {

std::vector<double> divisors_of(double number) {
  const Divisors divisors(number);
  return {divisors.items().begin(), divisors.items().end()};
}

TEST_CASE("divisors, in ascending order") {
  CHECK(divisors_of(1) == std::vector<double>{1});
  CHECK(divisors_of(7) == std::vector<double>{1, 7});
  CHECK(divisors_of(36) == std::vector<double>{1, 2, 3, 4, 6, 9, 12, 18, 36});
  CHECK(divisors_of(96) == std::vector<double>{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 96});
  CHECK(divisors_of(999999937) == std::vector<double>{1, 999999937});  // a prime
}

TEST_CASE("all divisors of the numbers up to 3000, and nothing else") {
  for (int number = 1; number <= 3000; ++number) {
    std::vector<double> expected;
    for (int i = 1; i <= number; ++i) {
      if (number % i == 0) expected.push_back(i);
    }
    CAPTURE(number);
    CHECK(divisors_of(number) == expected);
  }
}

TEST_CASE("room for the number below 1e9 that has the most") {
  // OEIS A002182: 735,134,400 has 1344.
  const auto divisors = divisors_of(735134400);
  CHECK(divisors.size() == 1344);
  for (std::size_t i = 0; i < divisors.size(); ++i) {
    CHECK(divisors[i] * divisors[divisors.size() - 1 - i] == 735134400);
    if (i > 0) CHECK(divisors[i - 1] < divisors[i]);
  }
}

TEST_CASE("of a number beyond, divisors that divide, in order, and the number itself") {
  // 2^40 and two with more divisors than there is room for.
  for (const double number : {0x1p40, 963761198400.0, 9316358251200.0, 999999999989.0, 1e12}) {
    const auto divisors = divisors_of(number);
    CAPTURE(number);
    REQUIRE_FALSE(divisors.empty());
    CHECK(divisors.front() == 1);
    CHECK(divisors.back() == number);
    for (std::size_t i = 0; i < divisors.size(); ++i) {
      CHECK(divides(divisors[i], number));
      if (i > 0) CHECK(divisors[i - 1] < divisors[i]);
    }
  }
}

TEST_CASE("whole numbers divide without rounding") {
  CHECK(divides(3, 9));
  CHECK_FALSE(divides(3, 10));
  CHECK_FALSE(divides(10, 3));
  CHECK(divides(1, 1));
  CHECK(divides(94906266.0, 94906266.0 * 94906265.0));
  CHECK_FALSE(divides(94906266.0, 94906266.0 * 94906265.0 - 1));
}

TEST_CASE("up to a most, and whether these are all") {
  const auto up_to = [](double number, double most) {
    const Divisors divisors(number, most);
    CHECK(divisors.complete());
    return std::vector<double>{divisors.items().begin(), divisors.items().end()};
  };
  CHECK(up_to(96, 6) == std::vector<double>{1, 2, 3, 4, 6});
  CHECK(up_to(96, 95) == std::vector<double>{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48});
  CHECK(up_to(1e12, 10) == std::vector<double>{1, 2, 4, 5, 8, 10});
  CHECK(up_to(999999999989, 31623) == std::vector<double>{1});  // a prime
  CHECK(Divisors(735134400).complete());
  CHECK(Divisors(1e9).complete());
  // 31627 x 31643: neither is found among the small ones.
  CHECK_FALSE(Divisors(31627.0 * 31643).complete());
  CHECK(Divisors(31627.0 * 31643, 31000).complete());
  CHECK_FALSE(Divisors(963761198400).complete());  // 6720 of them
}

}  // namespace
}  // namespace scaling::test::divisors_test
