// SPDX-License-Identifier: MIT
//
// The price of an hour of an owned chip: expected values are worked by hand.

#include <array>
#include <cmath>
#include <memory>

#include "inputs.hpp"
#include "plans.hpp"
#include "scaling/questions/budget/question.hpp"
#include "scaling/questions/plan/question.hpp"
#include "scaling/questions/serving/question.hpp"
#include "support.hpp"

namespace scaling::test::price_test {
namespace {

/// A DGX H100 sold at 270,000 $ (SemiAnalysis, May 2023): 33,750 $ for each of its 8 chips, with
/// their share of the server and its network cards.
Raw<Chip> owned(const Settings& settings = {}) {
  const auto chip = with(h100(), {{"payment", Payment::kOwned},
                                  {"purchase", 270000.0 / 8},
                                  {"power", 700},
                                  {"price", std::nan("")}});
  return with(chip, settings);
}

Raw<Run> at_pue(double pue) { return make<Run>({{"chips", 1024}, {"pue", pue}}); }

double hour_of(const Raw<Chip>& chip, double pue = 1.25) {
  return number<term::kChipHourPrice>(training(chip, llama3_70b(), at_pue(pue)));
}

TEST_CASE("an owned H100 by hand: 0.77 $ an hour") {
  // 33,750 $ / (5.5 years x 8766 h) = 0.70002 $; 0.7 kW x 1.25 x 0.0806 $ = 0.070525 $.
  CHECK_THAT(hour_of(owned()), WithinRel(0.7705436671644577, 1e-14));
  // A chip at work 4 hours of 5, at 0.10 $ an hour for its place: 0.87502 + 0.070525 + 0.125 $.
  CHECK_THAT(hour_of(owned({{"utilisation", 0.8}, {"hosting", 0.1}})),
             WithinRel(1.0705483339555721, 1e-14));
}

TEST_CASE("one price for trainings, plans, budgets and servers") {
  const auto chip = owned({{"utilisation", 0.6}, {"years", 4}, {"hosting", 0.2}});
  const double hour = hour_of(chip);
  const auto trained = training(chip, llama3_70b(), at_pue(1.25));
  CHECK_THAT(number<term::kCost>(trained),
             WithinRel(hour * number<term::kChipHours>(trained), 1e-14));

  Planned planned;
  planned.chip = chip;
  planned.run = with(planned.run, {{"pue", 1.25}});
  const auto plan = planned.answers();
  CHECK(number<term::kChipHourPrice>(plan) == hour);
  CHECK_THAT(number<term::kCost>(plan), WithinRel(hour * number<term::kChipHours>(plan), 1e-14));
  CHECK_THAT(number<term::kWallCost>(plan),
             WithinRel(hour * 64 * number<term::kWallTime>(plan) / 3600, 1e-14));

  const auto bought = answers_to<BudgetQuestion>(
      {chip, llama3_70b(), at_pue(1.25), make<Budget>({{"money", 1e6}})});
  CHECK(number<term::kChipHourPrice>(bought) == hour);
  CHECK_THAT(number<term::kChipHours>(bought), WithinRel(1e6 / hour, 1e-14));

  const auto served = answers_to<ServingQuestion>(
      {chip, llama3_8b(), make<Serving>({{"pue", 1.25}, {"budget", 10}}), Raw<Server>::defaults()});
  CHECK(number<term::kChipHourPrice>(served) == hour);
  CHECK(number<term::kChipsInBudget>(served) == std::floor(10 / hour));
  CHECK_THAT(number<term::kCostAll>(served),
             WithinRel(hour * 8 * 1e6 / number<term::kOutputSpeed>(served) / 3600, 1e-12));
}

TEST_CASE("what is rented costs its price, whatever was paid for it") {
  const auto rented = owned({{"payment", Payment::kRented}, {"price", 2}});
  const auto answers = training(rented, llama3_70b(), at_pue(1.25));
  CHECK(absence<term::kChipHourPrice>(answers) == Absence::kNotApplicable);
  CHECK(number<term::kCost>(answers) == 2 * number<term::kChipHours>(answers));
}

TEST_CASE(
    "the cost of owning rises with price, PUE, tariff and hosting, and falls with years and use") {
  inputs::Numbers numbers;
  for (int n = 0; n < 200; ++n) {
    const auto some = [&](double most) { return most * (0.01 + 0.99 * numbers.share()); };
    const Settings settings{{"purchase", some(1e5)},    {"years", 0.2 + some(9)},
                            {"utilisation", some(0.9)}, {"tariff", some(1)},
                            {"hosting", some(1)},       {"power", some(2000)}};
    const auto chip = owned(settings);
    const double pue = 1 + numbers.share();
    const double hour = hour_of(chip, pue);
    CHECK(hour_of(chip, 1.1 * pue) > hour);
    for (const char* key : {"purchase", "tariff", "hosting", "power"}) {
      INFO(key);
      auto more = chip;
      more[key] *= 1.1;
      CHECK(hour_of(more, pue) > hour);
    }
    for (const char* key : {"years", "utilisation"}) {
      INFO(key);
      auto more = chip;
      more[key] *= 1.1;
      CHECK(hour_of(more, pue) < hour);
    }
  }
}

TEST_CASE("without the purchase or the power there is no price, and a wrong number is named") {
  const auto asked = [](const Settings& settings) {
    return training(owned(settings), llama3_70b(), at_pue(1));
  };
  for (const char* key : {"purchase", "power"}) {
    INFO(key);
    CHECK(absence<term::kChipHourPrice>(asked({{key, std::nan("")}})) == Absence::kNotListed);
    CHECK(absence<term::kCost>(asked({{key, std::nan("")}})) == Absence::kNotListed);
  }
  // Free chips on free power cost nothing; a budget buys no end of them.
  const auto free = owned({{"purchase", 0}, {"tariff", 0}});
  CHECK(hour_of(free) == 0);
  const auto bought =
      answers_to<BudgetQuestion>({free, llama3_70b(), at_pue(1), Raw<Budget>::defaults()});
  CHECK(absence<term::kBudgetTokens>(bought) == Absence::kOutOfRange);
  const struct {
    const char* key;
    double value;
  } wrong[] = {{"years", 0},      {"years", 101},  {"utilisation", 0}, {"utilisation", 1.01},
               {"tariff", -0.01}, {"tariff", 101}, {"hosting", -1},    {"purchase", -1}};
  for (const auto& [key, value] : wrong) {
    INFO(key << " " << value);
    const TrainingQuestion::Input input{owned({{key, value}}), llama3_70b(), at_pue(1)};
    const auto outcome = estimate<TrainingQuestion>(input);
    REQUIRE(outcome.issues.items().size() == 1);
    CHECK(outcome.issues.items()[0].field == std::string_view(key));
    // It does not matter for rented chips.
    auto rented = input;
    rented.chip = with(rented.chip, {{"payment", Payment::kRented}, {"price", 2}});
    CHECK(estimate<TrainingQuestion>(rented).issues.empty());
  }
}

TEST_CASE("the price of an owned chip has a derivation") {
  const auto storage = std::make_unique<std::array<Node, 8192>>();
  Tape tape(*storage);
  Issues issues;
  const NodeId root =
      explain<TrainingQuestion>({owned(), llama3_70b(), at_pue(1.25)},
                                answer_of<TrainingQuestion>(term::kChipHourPrice), tape, issues);
  REQUIRE(issues.empty());
  REQUIRE(root != kNowhere);
  CHECK(tape[root].value == hour_of(owned()));
  int fields = 0;
  for (NodeId id = 1; id <= root; ++id) {
    const FieldInfo* const field = tape[id].field;
    if (field == nullptr) continue;
    for (const char* key : {"purchase", "years", "utilisation", "tariff", "hosting", "pue"}) {
      fields += field->key == std::string_view(key) ? 1 : 0;
    }
  }
  CHECK(fields == 6);
}

}  // namespace
}  // namespace scaling::test::price_test
