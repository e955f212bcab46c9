// SPDX-License-Identifier: MIT
//
// Fields of plans and of servers, turned by one answer at a time.

#include "scaling/views/searched_turns.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "inputs.hpp"
#include "support.hpp"

namespace scaling::test::searched_turns_test {
namespace {

template <class Question>
void check_searched_fields() {
  int first_searched = -1;
  for (std::size_t i = 0; i < kSearchedFields<Question>.size(); ++i) {
    const SearchedField& field = kSearchedFields<Question>[i];
    const FieldInfo& info = field.info();
    INFO(info.group << "." << info.key);
    // Its place is that in the question.
    CHECK(&Question::kGroups[field.place.group][field.place.field] == &info);
    CHECK(info.kind != Kind::kText);
    // Fields that need no search come first: readers see their turns at once.
    if (field.divides && first_searched < 0) first_searched = static_cast<int>(i);
    if (!field.divides) CHECK(first_searched < 0);
  }
}

TEST_CASE("the fields of plans and servers that can meet a target are theirs") {
  check_searched_fields<PlanQuestion>();
  check_searched_fields<ServingQuestion>();
}

TEST_CASE("a field whose answers take a search each is turned by one answer at a time") {
  const Target target{0, Wanted::kAtMost, 5};
  const ChipCounts nodes(typed(h100()), 1);
  const auto find = [](std::string_view key) -> const SearchedField& {
    for (const SearchedField& field : kSearchedFields<PlanQuestion>) {
      if (key == field.info().key) return field;
    }
    FAIL("no field " << key);
    std::abort();
  };
  SECTION("chips, in whole nodes") {
    const TurnedField field = turned_field(find("chips"), nodes, 4096);
    SearchedTurns search(field, target, 64, 10);
    while (!search.done()) search.tell(640 / search.asks());
    REQUIRE(search.turns().size() == 1);
    CHECK(search.turns()[0].value == 128);
    CHECK(search.turns()[0].reached == 5);
  }
  SECTION("a batch, in whole sequences") {
    const TurnedField field = turned_field(find("batchTokens"), nodes, 4096);
    SearchedTurns search(field, target, 4096, 10);
    while (!search.done()) search.tell(10 - search.asks() / 4095 + 4096.0 / 4095);
    REQUIRE(search.turns().size() == 1);
    CHECK(std::fmod(search.turns()[0].value, 4096) == 0);
    CHECK(search.turns()[0].effect == Effect::kMeets);
  }
  SECTION("of choices, each that meets it; the present one is not asked for") {
    const auto& weights = field_of<Server>("weights");
    const TurnedField field{weights};
    SearchedTurns search(field, target, 1, 10);
    std::vector<double> asked;
    while (!search.done()) {
      asked.push_back(search.asks());
      // One that has no answer meets nothing.
      search.tell(search.asks() == 0 ? std::nan("") : search.asks() + 2);
    }
    CHECK(asked.size() == static_cast<std::size_t>(weights.maximum));
    CHECK(std::find(asked.begin(), asked.end(), 1) == asked.end());
    for (const Turn& turn : search.turns()) CHECK(turn.reached == turn.value + 2);
    REQUIRE(!search.turns().empty());
    CHECK(search.turns()[0].value == 2);
  }
}

}  // namespace
}  // namespace scaling::test::searched_turns_test
