// SPDX-License-Identifier: MIT
//
// Targets whose answers take a search each: what is found is asked forward again, by the same
// searches that plans and servers have.

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "inputs.hpp"
#include "plans.hpp"
#include "scaling/views/plan_target.hpp"
#include "scaling/views/serving_target.hpp"
#include "servers.hpp"

namespace scaling::test::target_search_test {
namespace {

TEST_CASE("a turn that asks for one answer at a time is the one that is found at once") {
  class Falling final : public AnswerAlong {
   public:
    double operator()(double x) const override { return x > 5e6 ? std::nan("") : 1e9 / x + 3; }
  };
  inputs::Numbers numbers;
  const FieldInfo& field = field_of<Run>("chips");
  for (int n = 0; n < 200; ++n) {
    const double now = 1 + static_cast<double>(numbers.below(100000));
    const Target target{0, n % 2 == 0 ? Wanted::kAtMost : Wanted::kAtLeast,
                        Falling()(now) * (0.01 + 3 * numbers.share())};
    const Turn at_once = turn_number(Falling(), {field}, target, now);
    LongTurn step_by_step({field}, target, now);
    int asked = 0;
    while (!step_by_step.done()) {
      step_by_step.tell(Falling()(step_by_step.asks()));
      REQUIRE(++asked < 1000);
    }
    const Turn& turn = step_by_step.turn();
    INFO(now << ", " << target.value);
    CHECK(turn.effect == at_once.effect);
    CHECK(turn.value == at_once.value);
    CHECK(turn.reached == at_once.reached);
  }
}

template <class Question, class Search>
std::vector<Turn> all_turns(Search& search, std::size_t count) {
  int calls = 0;
  while (!search.advance(count)) REQUIRE(++calls < 1000000);
  return {search.turns().begin(), search.turns().end()};
}

template <class Question>
std::string name_of(const Turn& turn) {
  const FieldInfo& info = Question::kGroups[turn.place.group][turn.place.field];
  return std::string(info.group) + "." + info.key;
}

/// The answer to a plan with a turn made, by a search for its best layout.
double planned(PlanQuestion::Input input, const Turn& turn, std::size_t answer) {
  PlanQuestion::groups(input)[turn.place.group][turn.place.field] = turn.value;
  if (turn.slices > 0) input.run["slices"] = turn.slices;
  PlanQuestion::Input checked = input;
  Issues issues;
  PlanQuestion::check_fields(checked, issues);
  fail_on(issues);
  const auto in = PlanQuestion::read<double>(checked).plain;
  check_machine(in, issues);
  fail_on(issues);
  const auto search = std::make_unique<LayoutSearch>(in, MapField::kTensor, MapField::kPipeline);
  search->find_best();
  REQUIRE_FALSE(search->chosen().empty());
  const Layout<double>& best = search->chosen()[0].layout;
  input.layout = with(input.layout, {{"tensor", best.tensor.value()},
                                     {"context", best.context.value()},
                                     {"pipeline", best.pipeline.value()},
                                     {"schedule", best.schedule},
                                     {"virtualStages", best.virtual_stages.value()},
                                     {"expert", best.expert.value()},
                                     {"expertTensor", best.expert_tensor.value()},
                                     {"microBatch", best.micro_batch.value()},
                                     {"sharding", best.sharding},
                                     {"recompute", best.recompute}});
  const auto outcome = estimate<PlanQuestion>(input);
  fail_on(outcome.issues);
  REQUIRE(outcome.answers.absences()[answer] == Absence::kPresent);
  return outcome.answers.values()[answer];
}

/// LLaMA 3-8B on 64 H100, in 128 sequences a step.
PlanQuestion::Input small_plan() {
  Planned plan;
  plan.run = with(plan.run, {{"tokens", 1e11}, {"sequenceLength", 8192}});
  plan.assumptions = Raw<Assumptions>::defaults();
  plan.layout = Raw<Layout>::defaults();
  return plan.input();
}

struct PlanSolved {
  Solved solved;
  std::vector<Turn> turns;
};

PlanSolved solve_plan(const PlanQuestion::Input& input, const Target& target, std::size_t count) {
  const auto forward = std::make_unique<PlanForward>();
  const auto search = std::make_unique<PlanTarget>(input, input, target, *forward);
  fail_on(search->solved().issues);
  auto turns = all_turns<PlanQuestion>(*search, count);
  return {search->solved(), std::move(turns)};
}

TEST_CASE("a plan's target is met when asked forward, and the count before it fails") {
  const auto input = small_plan();
  for (const auto& [term, factor] :
       {std::pair{&term::kTrainingTime, 0.4}, std::pair{&term::kCost, 0.7}}) {
    const std::size_t answer = answer_of<PlanQuestion>(*term);
    const double now = estimate<PlanQuestion>(input).answers.values()[answer];
    const Target target{answer, Wanted::kAtMost, factor * now};
    const auto found = solve_plan(input, target, 5000);
    CHECK(found.solved.now == now);
    int met = 0;
    for (const Turn& turn : found.turns) {
      const std::string name = name_of<PlanQuestion>(turn);
      INFO(term->key << " " << name << " at " << turn.value);
      if (turn.effect != Effect::kMeets) continue;
      ++met;
      CHECK(target.is_met_by(turn.reached));
      if (name == "run.mfu") {
        // Time is in proportion to 1 / MFU.
        const double mfu = estimate<PlanQuestion>(input).answers.get<term::kMfu>().value.value();
        CHECK_THAT(turn.value, WithinRel(mfu / factor, 0.0101));
        continue;
      }
      if (PlanForward::searched(PlanQuestion::kGroups[turn.place.group][turn.place.field])) {
        CHECK(planned(input, turn, answer) == turn.reached);
      } else {
        auto there = input;
        PlanQuestion::groups(there)[turn.place.group][turn.place.field] = turn.value;
        CHECK(estimate<PlanQuestion>(there).answers.values()[answer] == turn.reached);
      }
      if (name == "run.chips") {
        // Whole nodes of 8 chips; the nearest ones that fail are next to it.
        CHECK(std::fmod(turn.value, 8) == 0);
        Turn before = turn;
        before.value -= turn.value > 64 ? 8 : -8;
        CHECK_FALSE(target.is_met_by(planned(input, before, answer)));
      }
    }
    CHECK(met >= 2);
  }
}

TEST_CASE("in slices of any size a plan's target has the same turns") {
  const auto input = small_plan();
  const std::size_t answer = answer_of<PlanQuestion>(term::kTrainingTime);
  const double now = estimate<PlanQuestion>(input).answers.values()[answer];
  const Target target{answer, Wanted::kAtMost, 0.6 * now};
  const auto one = solve_plan(input, target, 60000);
  const auto other = solve_plan(input, target, 700);
  REQUIRE(one.turns.size() == other.turns.size());
  for (std::size_t i = 0; i < one.turns.size(); ++i) {
    CHECK(one.turns[i].value == other.turns[i].value);
    CHECK(one.turns[i].reached == other.turns[i].reached);
  }
}

TEST_CASE("a plan's target that is met, or has no answer, has no turns") {
  const auto input = small_plan();
  const std::size_t answer = answer_of<PlanQuestion>(term::kTrainingTime);
  CHECK(solve_plan(input, {answer, Wanted::kAtMost, 1e12}, 100).solved.met);
  auto unpriced = input;
  unpriced.chip["price"] = std::nan("");
  const auto found =
      solve_plan(unpriced, {answer_of<PlanQuestion>(term::kCost), Wanted::kAtMost, 1}, 100);
  CHECK(found.solved.absence == Absence::kNotListed);
  CHECK(found.turns.empty());
  auto wrong = input;
  wrong.run["chips"] = 0;
  PlanForward forward;
  const PlanTarget none(wrong, wrong, {answer, Wanted::kAtMost, 1}, forward);
  CHECK_FALSE(none.solved().issues.empty());
}

/// The answer to servers with a turn made, divided the best way.
double served(ServingQuestion::Input input, const Turn& turn, std::size_t answer) {
  ServingQuestion::groups(input)[turn.place.group][turn.place.field] = turn.value;
  const ServingForward forward{GivenWays{}};
  forward.divide(input);
  const auto outcome = estimate<ServingQuestion>(input);
  fail_on(outcome.issues);
  REQUIRE(outcome.answers.absences()[answer] == Absence::kPresent);
  return outcome.answers.values()[answer];
}

TEST_CASE("targets of servers are met when asked forward, and leave no invalid input") {
  inputs::Numbers numbers;
  int met = 0;
  int short_of = 0;
  const Term* const terms[] = {&term::kTokenTime, &term::kFirstToken, &term::kOutputSpeed,
                               &term::kCostOutput, &term::kChipsForLoad};
  for (int n = 0; n < 24; ++n) {
    const char* const kChips[] = {"h100-sxm", "b200-sxm", "tpu-v5e"};
    const char* const kModels[] = {"llama-3.1-8b", "llama-3-70b", "mixtral-8x7b"};
    auto input = serve(kChips[numbers.place(3)], kModels[numbers.place(3)],
                       {{"users", 1 + static_cast<double>(numbers.below(200))},
                        {"chips", 8 * static_cast<double>(1 + numbers.below(4))},
                        {"promptTokens", 256 * static_cast<double>(1 + numbers.below(16))}});
    input.chip["price"] = 2.5;
    const ServingForward once{GivenWays{}};
    auto divided = input;
    once.divide(divided);
    const auto outcome = estimate<ServingQuestion>(divided);
    const std::size_t answer = answer_of<ServingQuestion>(*terms[numbers.place(5)]);
    if (outcome.answers.absences()[answer] != Absence::kPresent) continue;
    const double now = outcome.answers.values()[answer];
    constexpr double kFactors[] = {0.3, 0.8, 0.99, 1.01, 1.5, 4};
    const double factor = kFactors[numbers.place(6)];
    const Target target{answer, factor < 1 ? Wanted::kAtMost : Wanted::kAtLeast, factor * now};
    ServingForward forward{GivenWays{}};
    const auto search = std::make_unique<ServingTarget>(divided, input, target, forward);
    CHECK(search->solved().now == now);
    for (const Turn& turn : all_turns<ServingQuestion>(*search, 8)) {
      INFO(n << " " << ServingQuestion::Answers<double>::kList[answer]->key << " "
             << name_of<ServingQuestion>(turn) << " at " << turn.value);
      if (turn.effect == Effect::kNone) continue;
      const double reached = served(input, turn, answer);
      CHECK(reached == turn.reached);
      CHECK(target.is_met_by(reached) == (turn.effect == Effect::kMeets));
      ++(turn.effect == Effect::kMeets ? met : short_of);
    }
  }
  CHECK(met > 20);
  CHECK(short_of > 5);
}

}  // namespace
}  // namespace scaling::test::target_search_test
