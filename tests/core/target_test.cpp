// SPDX-License-Identifier: MIT
//
// Questions asked backward: expected values are worked by hand from C = 6 P n, and what is found is
// asked forward again.

#include "scaling/views/target.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "scaling/questions/budget/question.hpp"
#include "scaling/views/solved.hpp"
#include "share.hpp"
#include "support.hpp"

namespace scaling::test::target_test {
namespace {

constexpr double kDay = 86400;

template <class Question>
struct Found {
  Solved solved;
  std::vector<Turn> turns;

  std::string name(const Turn& turn) const {
    const FieldInfo& info = Question::kGroups[turn.place.group][turn.place.field];
    return std::string(info.group) + "." + info.key;
  }
  /// The turns of a field, which there may be several of if it has choices.
  std::vector<Turn> of(const std::string& field) const {
    std::vector<Turn> result;
    for (const Turn& turn : turns) {
      if (name(turn) == field) result.push_back(turn);
    }
    return result;
  }
  Turn one(const std::string& field) const {
    const auto all = of(field);
    INFO(field);
    REQUIRE(all.size() == 1);
    return all[0];
  }
};

template <class Question>
Found<Question> solve(const typename Question::Input& input, const Target& target) {
  std::array<Turn, 128> turns;
  Found<Question> found;
  solve_target<Question>(input, target, turns, found.solved);
  found.turns.assign(turns.begin(), turns.begin() + static_cast<std::ptrdiff_t>(found.solved.size));
  return found;
}

/// The input with a field at a turn's value.
template <class Question>
typename Question::Input turned(typename Question::Input input, const Turn& turn) {
  Question::groups(input)[turn.place.group][turn.place.field] = turn.value;
  if constexpr (detail::HasRun<typename Question::Input>) {
    if (turn.slices > 0) input.run["slices"] = turn.slices;
  }
  return input;
}

Target most(const Term& term, double value) {
  return {answer_of<TrainingQuestion>(term), Wanted::kAtMost, value};
}

/// 6.3e24 FLOPs on 8960 chips of 4.59e14 at 40 %: 44.3 days.
TrainingQuestion::Input chapter6() {
  return {tpu_v5p(), with(llama3_70b(), {{"statedParameters", 70e9}}), chapter6_run()};
}

TEST_CASE("a time at most: chips, tokens and MFU by C = 6 P n") {
  const auto found = solve<TrainingQuestion>(chapter6(), most(term::kTrainingTime, 14 * kDay));
  CHECK_FALSE(found.solved.met);
  const double rate = 4.59e14 * 0.4;
  CHECK_THAT(found.solved.now, WithinRel(6.3e24 / (8960 * rate), 1e-12));
  // 6.3e24 / (14 days x 1.836e14 FLOPs/s) = 28,367.35 chips, in four pods of 16 x 20 x 28: slices
  // of 7,091.8 chips, of which 7,168 = 16 x 16 x 28 is the next that is made of cubes of 4 x 4 x 4.
  const Turn chips = found.one("run.chips");
  CHECK(chips.effect == Effect::kMeets);
  CHECK(chips.value == 4 * 7168);
  CHECK(chips.slices == 4);
  CHECK_THAT(chips.reached, WithinRel(6.3e24 / (chips.value * rate), 1e-12));
  // 14 days x 8960 x 1.836e14 / 4.2e11 = 4.7378e12 tokens.
  const Turn tokens = found.one("run.tokens");
  CHECK(tokens.value == 4.73e12);
  // MFU would have to be 126.6 %: at the peak it still takes 17.73 days.
  const Turn mfu = found.one("run.mfu");
  CHECK(mfu.effect == Effect::kFallsShort);
  CHECK(mfu.value == 1);
  CHECK_THAT(mfu.reached, WithinRel(6.3e24 / (8960 * 4.59e14), 1e-12));
  // A time knows no price.
  CHECK(found.one("chip.price").effect == Effect::kNone);
  CHECK(found.one("run.batchTokens").effect == Effect::kNone);
}

TEST_CASE("an MFU that would do is told to three digits") {
  const auto found = solve<TrainingQuestion>(chapter6(), most(term::kTrainingTime, 30 * kDay));
  // 6.3e24 / (8960 x 4.59e14) / 30 days = 59.0997 %
  CHECK(found.one("run.mfu").value == 0.591);
}

TEST_CASE("money at most: tokens, the price and the MFU, but never the number of chips") {
  const auto found = solve<TrainingQuestion>(chapter6(), most(term::kCost, 1e7));
  // 6.3e24 / (4.59e14 x 0.4) / 3600 h x 4.2 $ = 40.03 M$, whatever the chips.
  CHECK_THAT(found.solved.now, WithinRel(6.3e24 / (4.59e14 * 0.4) / 3600 * 4.2, 1e-12));
  CHECK(found.one("run.chips").effect == Effect::kNone);
  CHECK(found.one("run.tokens").value == 3.74e12);  // 15e12 / 4.0032 = 3.747e12
  CHECK(found.one("chip.price").value == 1.04);     // 4.2 / 4.0032 = 1.0492
  CHECK(found.one("run.mfu").effect == Effect::kFallsShort);
}

TEST_CASE("what fits: fewer bytes or more chips") {
  const TrainingQuestion::Input input{h100(), llama3_70b(), make<Run>({{"chips", 8}})};
  const auto found = solve<TrainingQuestion>(
      input, {answer_of<TrainingQuestion>(term::kMemoryFraction), Wanted::kAtMost, 1});
  const Turn chips = found.one("run.chips");
  CHECK(chips.effect == Effect::kMeets);
  CHECK(std::fmod(chips.value, 8) == 0);
  const auto minimum = number<term::kMinimumChips>(answers_to<TrainingQuestion>(input));
  CHECK(chips.value == 8 * std::ceil(minimum / 8));
  CHECK(found.one("chip.memory").effect == Effect::kMeets);
}

TEST_CASE("a choice is asked for by its name: where a matmul becomes compute-bound") {
  const OperationQuestion::Input input{
      tpu_v5e(), Raw<Model>::defaults(), Raw<Mesh>::defaults(),
      make<OperationRequest>({{"batch", 64}, {"contraction", 8192}, {"output", 8192}})};
  const auto found =
      solve<OperationQuestion>(input, {answer_of<OperationQuestion>(term::kBound), Wanted::kIs,
                                       static_cast<double>(Bound::kCompute)});
  // 2BDF/C >= 2(BD + DF + BF)/W: B >= 1 / (W/C - 2/8192) = 255.23
  const double batch = 1 / (8.2e11 / 1.97e14 - 2 / 8192.0);
  CHECK(found.one("operation.batch").value == std::ceil(batch));
}

TEST_CASE("a target that is met already is kept so far, and no further") {
  const auto found = solve<TrainingQuestion>(chapter6(), most(term::kTrainingTime, 45 * kDay));
  CHECK(found.solved.met);
  // 45 days x 8960 x 1.836e14 / 4.2e11 = 1.52288e13 tokens: 15.2e12 of three digits.
  const Turn tokens = found.one("run.tokens");
  CHECK(tokens.effect == Effect::kKeeps);
  CHECK_THAT(tokens.value, WithinRel(15.2e12, 1e-12));
  CHECK(tokens.reached <= 45 * kDay);
  // 6.3e24 / (45 days x 1.836e14) = 8,825.4 chips at least; 8,832 = 64 x 138 are no block of cubes,
  // the present 8,960 = 16 x 20 x 28 are the fewest.
  CHECK(found.one("run.chips").effect == Effect::kNone);
  const auto far = solve<TrainingQuestion>(chapter6(), most(term::kTrainingTime, 90 * kDay));
  const Turn chips = far.one("run.chips");
  // 4,412.7 chips at least: of 64 x 69 = 4,416, 69 = 3 x 23 is no block; 64 x 70 is 8 x 20 x 28.
  CHECK(chips.effect == Effect::kKeeps);
  CHECK(chips.value == 4480);
}

TEST_CASE("of counts, a target met is kept up to the last one that brute force finds") {
  const auto ask = [](double rows) {
    return number<term::kLowerBound>(operation(
        tpu_v5e(),
        make<OperationRequest>({{"batch", rows}, {"contraction", 4096}, {"output", 4096}})));
  };
  const auto request =
      make<OperationRequest>({{"batch", 300}, {"contraction", 4096}, {"output", 4096}});
  const Target target{answer_of<OperationQuestion>(term::kLowerBound), Wanted::kAtMost,
                      1.7 * ask(300)};
  const auto found = solve<OperationQuestion>(
      {tpu_v5e(), Raw<Model>::defaults(), Raw<Mesh>::defaults(), request}, target);
  double last = 300;
  while (target.is_met_by(ask(last + 1))) ++last;
  const Turn turn = found.one("operation.batch");
  CHECK(turn.effect == Effect::kKeeps);
  CHECK(turn.value == last);
  CHECK(turn.reached == ask(last));
}

TEST_CASE("a target has no turns where the input is wrong or the answer absent") {
  auto wrong = chapter6();
  wrong.run["chips"] = 0;
  CHECK_FALSE(
      solve<TrainingQuestion>(wrong, most(term::kTrainingTime, kDay)).solved.issues.empty());
  auto unpriced = chapter6();
  unpriced.chip["price"] = std::nan("");
  const auto found = solve<TrainingQuestion>(unpriced, most(term::kCost, 1));
  CHECK(found.solved.absence == Absence::kNotListed);
  CHECK(found.turns.empty());
}

/// Numbers near an answer, and far from it.
Target some_target(std::size_t answer, double now, inputs::Numbers& numbers) {
  constexpr double kFactors[] = {0.01, 0.5, 0.9, 0.999, 1.001, 1.1, 2, 30};
  const double factor = kFactors[numbers.place(std::size(kFactors))];
  return {answer, factor < 1 ? Wanted::kAtMost : Wanted::kAtLeast, factor * now};
}

struct Counts {
  int met = 0;
  int kept = 0;
  int short_of = 0;
};

/// Turns by chance: a target met is met when asked forward, and no turn leaves an invalid input.
template <class Question>
Counts test_turns(int inputs_tried) {
  inputs::Numbers numbers;
  Share share;
  Counts counts;
  for (int n = 0; n < inputs_tried; ++n) {
    auto input =
        inputs::vary<Question>(inputs::base<Question>(static_cast<std::size_t>(n)), numbers, 3);
    const auto outcome = estimate<Question>(input);
    if (!outcome.issues.empty() || !share.takes()) continue;
    const std::size_t answer = numbers.place(outcome.answers.kSize);
    if (outcome.answers.absences()[answer] != Absence::kPresent) continue;
    const Term& term = *Question::template Answers<double>::kList[answer];
    const double now = outcome.answers.values()[answer];
    const auto test = [&](const Target& target) {
      const auto found = solve<Question>(input, target);
      REQUIRE(found.solved.issues.empty());
      for (const Turn& turn : found.turns) {
        const auto then = estimate<Question>(turned<Question>(input, turn));
        INFO(n << ": " << term.key << " " << found.name(turn) << " at " << turn.value);
        if (!then.issues.empty()) FAIL("the turn leaves an invalid input");
        if (turn.effect == Effect::kNone) continue;
        if (then.answers.absences()[answer] != Absence::kPresent) FAIL("no answer");
        const double reached = then.answers.values()[answer];
        if (reached != turn.reached) FAIL("told another answer: " << turn.reached);
        const bool met = target.is_met_by(reached);
        const bool kept = turn.effect == Effect::kKeeps;
        if (met != (kept || turn.effect == Effect::kMeets)) FAIL("met or not: " << reached);
        if (kept != (found.solved.met && met)) FAIL("kept or not: " << reached);
        ++(kept ? counts.kept : met ? counts.met : counts.short_of);
      }
    };
    if (!term.choices.empty()) {
      test({answer, Wanted::kIs, static_cast<double>(numbers.place(term.choices.size()))});
      continue;
    }
    const Target target = some_target(answer, now, numbers);
    test(target);
    // The opposite is met already.
    if (n % 4 == 0) {
      const bool most = target.wanted == Wanted::kAtMost;
      test({answer, most ? Wanted::kAtLeast : Wanted::kAtMost, target.value});
    }
  }
  return counts;
}

/// `count` of what all cases come to, for as many as are tried.
int of_all(int count) { return count / static_cast<int>(Share::one_in()); }

TEST_CASE("a target met is met when asked forward: trainings") {
  const Counts counts = test_turns<TrainingQuestion>(900);
  CHECK(counts.met > of_all(500));
  CHECK(counts.kept > of_all(20));
  CHECK(counts.short_of > of_all(100));
}

TEST_CASE("a target met is met when asked forward: operations") {
  const Counts counts = test_turns<OperationQuestion>(600);
  CHECK(counts.met > of_all(500));
  CHECK(counts.short_of > of_all(100));
}

TEST_CASE("a target met is met when asked forward: collectives and budgets") {
  CHECK(test_turns<CollectiveQuestion>(300).met > of_all(100));
  CHECK(test_turns<BudgetQuestion>(300).met > of_all(100));
}

TEST_CASE("of counts, the nearest one is found that brute force finds") {
  inputs::Numbers numbers;
  int compared = 0;
  for (int n = 0; n < 60; ++n) {
    const double batch = 1 + static_cast<double>(numbers.below(200));
    const double width = 256 + 128 * static_cast<double>(numbers.below(32));
    const auto request = [&](double rows) {
      return make<OperationRequest>({{"batch", rows}, {"contraction", width}, {"output", width}});
    };
    const auto ask = [&](double rows) {
      return number<term::kLowerBound>(operation(tpu_v5e(), request(rows)));
    };
    const std::size_t answer = answer_of<OperationQuestion>(term::kLowerBound);
    const Target target = some_target(answer, ask(batch), numbers);
    const auto found = solve<OperationQuestion>(
        {tpu_v5e(), Raw<Model>::defaults(), Raw<Mesh>::defaults(), request(batch)}, target);
    if (found.solved.met) continue;
    double nearest = 0;
    for (double rows = 1; rows < 1000; ++rows) {
      if (!target.is_met_by(ask(rows))) continue;
      if (nearest == 0 || std::abs(rows - batch) < std::abs(nearest - batch)) nearest = rows;
    }
    const Turn turn = found.one("operation.batch");
    INFO(batch << " x " << width << ", " << target.value);
    if (nearest == 0) {
      CHECK((turn.effect != Effect::kMeets || turn.value >= 1000));
    } else {
      CHECK(turn.value == nearest);
      ++compared;
    }
  }
  CHECK(compared > 20);
}

TEST_CASE("a turn that asks for one answer at a time is the one that is found at once") {
  class Falling final : public AnswerAlong {
   public:
    double operator()(double x) const override { return x > 5e6 ? std::nan("") : 1e9 / x + 3; }
  };
  inputs::Numbers numbers;
  const ChipCounts nodes(typed(h100()), 1);
  int met = 0;
  int kept = 0;
  for (int n = 0; n < 400; ++n) {
    TurnedField field{field_of<Run>("chips")};
    field.doublings = n % 3 == 0 ? 0 : 12;
    if (n % 4 == 0) field.chips = &nodes;
    const double now = 8 * (1 + static_cast<double>(numbers.below(10000)));
    const Target target{0, n % 2 == 0 ? Wanted::kAtMost : Wanted::kAtLeast,
                        Falling()(now) * (0.01 + 3 * numbers.share())};
    const Turn at_once = turn_number(Falling(), field, target, now);
    LongTurn step_by_step(field, target, now);
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
    const bool keeps = turn.effect == Effect::kKeeps;
    if (!keeps && turn.effect != Effect::kMeets) continue;
    ++(keeps ? kept : met);
    CHECK(target.is_met_by(Falling()(turn.value)));
    if (field.chips == nullptr) continue;
    // Whole nodes; of a falling answer the one before a crossing fails, or the one after the last.
    CHECK(std::fmod(turn.value, 8) == 0);
    const double before = turn.value + ((turn.value > now) == keeps ? 8 : -8);
    if (before > 8) CHECK_FALSE(target.is_met_by(Falling()(before)));
  }
  CHECK(met > 100);
  CHECK(kept > 50);
}

TEST_CASE("the solved equation gives the crossing") {
  const auto input = chapter6();
  const auto storage = std::make_unique<std::array<Node, 8192>>();
  const auto depends = std::make_unique<std::array<bool, 8192>>();
  int solved = 0;
  for (const Term* term : {&term::kTrainingTime, &term::kCost, &term::kStepTime,
                           &term::kMemoryPerChip, &term::kChipHours, &term::kTotalFlops}) {
    const std::size_t answer = answer_of<TrainingQuestion>(*term);
    const double now = estimate<TrainingQuestion>(input).answers.values()[answer];
    const double wanted = 0.71 * now;
    const auto found = solve<TrainingQuestion>(input, {answer, Wanted::kAtMost, wanted});
    for (const Turn& turn : found.turns) {
      if (turn.effect != Effect::kMeets) continue;
      Tape tape(*storage);
      Issues issues;
      static constexpr Term kField{"field", "x", kOne, "definition"};
      const NodeId root =
          explain_solved<TrainingQuestion>(turned<TrainingQuestion>(input, turn), turn.place,
                                           answer, wanted, kField, tape, *depends, issues);
      INFO(term->key << " " << found.name(turn));
      REQUIRE(issues.empty());
      if (root == kNowhere) continue;
      ++solved;
      // Chips come in whole slices of cubes, other numbers in three digits.
      const bool whole = turn.slices > 0;
      CHECK_THAT(turn.value, WithinRel(tape[root].value, whole ? 0.05 : 0.0101));
      auto there = input;
      TrainingQuestion::groups(there)[turn.place.group][turn.place.field] = tape[root].value;
      if (TrainingQuestion::kGroups[turn.place.group][turn.place.field].kind != Kind::kNumber) {
        continue;
      }
      CHECK_THAT(estimate<TrainingQuestion>(there).answers.values()[answer],
                 WithinRel(wanted, 1e-12));
    }
  }
  CHECK(solved >= 10);
}

TEST_CASE("numbers of chips are those that a network has") {
  const ChipCounts cubes(typed(tpu_v5p()), 1);
  CHECK(cubes.nearest(8960, true) == 8960);
  CHECK(cubes.nearest(65, true) == 128);
  CHECK(cubes.nearest(8961, true) == 2 * 4608);  // 71 cubes have no shape, 72 do
  CHECK(cubes.slices_for(8961) == 2);
  CHECK(std::fmod(cubes.nearest(20000.5, true), 3) == 0);
  const ChipCounts nodes(typed(h100()), 1);
  CHECK(nodes.nearest(5, true) == 5);
  CHECK(nodes.nearest(9, true) == 16);
  CHECK(nodes.nearest(4097, false) == 4096);
  const ChipCounts halves(typed(h100()), 2);
  CHECK(halves.nearest(17, true) == 32);
  CHECK(halves.nearest(13, true) == 14);
  CHECK(nodes.nearest(0.5, false) == 0);
}

// --- what a budget trains ---

Raw<Chip> at_two_dollars() { return with(h100(), {{"price", 2}, {"peakBf16", 1e15}}); }

TEST_CASE("a million dollars at 2 $ an hour") {
  // 500,000 chip hours x 3600 s x 1e15 x 40 % = 7.2e23 FLOPs.
  const auto answers = answers_to<BudgetQuestion>(
      {at_two_dollars(), with(llama3_70b(), {{"statedParameters", 70e9}}),
       make<Run>({{"chips", 1000}}), Raw<Budget>::defaults()});
  CHECK(number<term::kChipHours>(answers) == 5e5);
  CHECK_THAT(number<term::kTotalFlops>(answers), WithinRel(7.2e23, 1e-14));
  CHECK_THAT(number<term::kTrainingTime>(answers), WithinRel(500 * 3600.0, 1e-14));
  CHECK(number<term::kCost>(answers) == 1e6);
  // / 4.2e11 FLOPs a token = 1.714e12 tokens, 24.5 for each parameter.
  CHECK_THAT(number<term::kBudgetTokens>(answers), WithinRel(7.2e23 / 4.2e11, 1e-14));
  CHECK_THAT(number<term::kBudgetRatio>(answers), WithinRel(7.2e23 / 4.2e11 / 70e9, 1e-14));
  // 120 P^2 = 7.2e23: P = sqrt(6e21) = 77.46e9.
  CHECK_THAT(number<term::kLargestParameters>(answers), WithinRel(7.745966692414834e10, 1e-14));
  CHECK_THAT(number<term::kLargestTokens>(answers), WithinRel(20 * 7.745966692414834e10, 1e-14));
}

TEST_CASE("chips and days, over-trained as LLaMA 3 70B was: 15e12 tokens") {
  // 1024 chips x 30 days x 86400 s x 1e15 x 40 % = 1.0617e24 FLOPs.
  const auto answers = answers_to<BudgetQuestion>(
      {at_two_dollars(), llama3_70b(), make<Run>({{"chips", 1024}}),
       make<Budget>(
           {{"kind", BudgetKind::kTime}, {"days", 30}, {"tokensPerParameter", 15e12 / 70e9}})});
  const double flops = 1024 * 30 * 86400.0 * 4e14;
  CHECK_THAT(number<term::kTotalFlops>(answers), WithinRel(flops, 1e-14));
  CHECK_THAT(number<term::kTrainingTime>(answers), WithinRel(30 * 86400.0, 1e-14));
  CHECK_THAT(number<term::kCost>(answers), WithinRel(1024 * 30 * 24 * 2.0, 1e-14));
  CHECK_THAT(number<term::kLargestParameters>(answers),
             WithinRel(std::sqrt(flops / 6 / (15e12 / 70e9)), 1e-14));
}

TEST_CASE("a training of the tokens that a budget buys takes that budget") {
  inputs::Numbers numbers;
  int compared = 0;
  for (int n = 0; n < 300; ++n) {
    auto input = inputs::vary<BudgetQuestion>(
        inputs::base<BudgetQuestion>(static_cast<std::size_t>(n)), numbers, 3);
    const auto outcome = estimate<BudgetQuestion>(input);
    if (!outcome.issues.empty()) continue;
    const auto tokens = outcome.answers.get<term::kBudgetTokens>();
    const auto time = outcome.answers.get<term::kTrainingTime>();
    if (!tokens.present() || !time.present()) continue;
    auto run = input.run;
    run["corpus"] = 0;  // a budget's tokens are not those of examples
    run["tokens"] = std::floor(tokens.value.value());
    run["batchTokens"] = run["sequenceLength"];
    const double least = std::max(1e6, run["batchTokens"]);
    if (!(run["tokens"] >= least && run["tokens"] <= 1e18)) continue;
    const auto trained = training(input.chip, input.model, run);
    CHECK_THAT(number<term::kTrainingTime>(trained), WithinRel(time.value.value(), 2e-6));
    ++compared;
  }
  CHECK(compared > 50);
}

TEST_CASE("no budget without a price, and no end of one without a cost") {
  const auto asked = [](double price) {
    return answers_to<BudgetQuestion>({with(h100(), {{"price", price}}), llama3_70b(),
                                       Raw<Run>::defaults(), Raw<Budget>::defaults()});
  };
  CHECK(absence<term::kBudgetTokens>(asked(std::nan(""))) == Absence::kNotListed);
  CHECK(absence<term::kBudgetTokens>(asked(0)) == Absence::kOutOfRange);
}

}  // namespace
}  // namespace scaling::test::target_test
