// Catch2, version 2 or 3, whichever the system has. Use only what both share: TEST_CASE, SECTION,
// CHECK, CHECK_FALSE, REQUIRE, REQUIRE_FALSE, CHECK_THAT, REQUIRE_THAT with WithinRel or WithinAbs,
// INFO, CAPTURE, FAIL.
//
// A system with version 3 has it compiled for itself, not for wasm: there the same tests run on
// doctest, which is one header, under Catch2's names.
#pragma once

#if __has_include(<catch2/catch.hpp>)

#include <catch2/catch.hpp>

// Version 3 does not have it here.
#pragma GCC poison Approx

using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

#elif !defined(__EMSCRIPTEN__)

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

#else

#define DOCTEST_CONFIG_NO_SHORT_MACRO_NAMES
#define DOCTEST_CONFIG_SUPER_FAST_ASSERTS
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#define TEST_CASE(name, ...) DOCTEST_TEST_CASE(name)
#define SECTION(...) DOCTEST_SUBCASE((std::ostringstream() << __VA_ARGS__).str().c_str())
#define CHECK(...) DOCTEST_CHECK(__VA_ARGS__)
#define CHECK_FALSE(...) DOCTEST_CHECK_FALSE(__VA_ARGS__)
#define REQUIRE(...) DOCTEST_REQUIRE(__VA_ARGS__)
#define REQUIRE_FALSE(...) DOCTEST_REQUIRE_FALSE(__VA_ARGS__)
#define CHECK_THAT(value, matcher) DOCTEST_CHECK_MESSAGE((matcher).match(value), (value))
#define REQUIRE_THAT(value, matcher) DOCTEST_REQUIRE_MESSAGE((matcher).match(value), (value))
#define INFO(message) DOCTEST_INFO((std::ostringstream() << message).str())
#define CAPTURE(value) DOCTEST_CAPTURE(value)
#define FAIL(message) DOCTEST_FAIL((std::ostringstream() << message).str())

struct WithinAbs {
  double target;
  double margin;
  bool match(double value) const { return std::fabs(value - target) <= margin; }
};

struct WithinRel {
  double target;
  double tolerance;
  bool match(double value) const {
    return value == target ||
           std::fabs(value - target) <= tolerance * std::max(std::fabs(value), std::fabs(target));
  }
};

#endif
