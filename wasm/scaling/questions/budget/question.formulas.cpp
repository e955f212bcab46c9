// SPDX-License-Identifier: MIT
#include "scaling/questions/budget/question.hpp"

#include "scaling/input/read_groups.hpp"

namespace scaling {
namespace {

/// Hours that all chips together may be busy. At a price of 0, money would buy any number.
template <class R>
Maybe<Quantity<kChip * kHour, R>> hours_of(
    const BudgetQuestion::Typed<R>& in, const Maybe<Quantity<kDollar / kChip / kHour, R>>& price) {
  const auto& budget = in.budget;
  if (budget.kind == BudgetKind::kTime) {
    return in.run.chips * (budget.days * constant<kHour, R>(24));
  }
  if (price.present() && !(price.value.value() > 0)) return Absence::kOutOfRange;
  return when_present([&](auto each) { return budget.money / each; }, price);
}

/// The answers of published laws about a training of so many FLOPs, and the model with its tokens.
template <class R>
void answer_loss(const BudgetQuestion::Typed<R>& in, Quantity<kFlop, R> flops,
                 Quantity<kParam, R> parameters, Quantity<kToken, R> tokens,
                 BudgetQuestion::Answers<R>& sheet) {
  const auto& budget = in.budget;
  const auto law = loss_law<R>(budget.law);
  const auto some = constant<kToken, R>(1);
  const auto rule = constant<kFlop / kToken / kParam, R>(6);
  const auto tokens_of = [&](auto all, auto size) { return max(all / (rule * size), some); };

  const auto best = sheet.template put<term::kOptimalParameters>(law.optimal_parameters(flops));
  const auto best_tokens = sheet.template put<term::kOptimalTokens>(tokens_of(flops, best));
  const auto least = sheet.template put<term::kOptimalLoss>(law.loss(best, best_tokens));

  auto useful = max(tokens, some);
  auto size = parameters;
  if (budget.unique_tokens.present()) {
    const auto unique = budget.unique_tokens.value;
    useful = useful_tokens(useful, unique);
    size = useful_parameters(size, law.parameters_for(min(useful, unique)));
  }
  const auto loss = sheet.template put<term::kLoss>(law.loss(size, useful));
  sheet.template put<term::kExcessLoss>(loss - law.floor);
  const auto needed =
      sheet.template put<term::kNeededFlops>(law.flops_for(max(loss, least), flops, least));
  sheet.template put<term::kOvertraining>(scalar<R>(1) - needed / flops);

  if (!(budget.served_tokens.value() > 0)) return;
  const auto served = constant<kFlop / kToken / kParam, R>(2) * budget.served_tokens;
  const auto smaller =
      sheet.template put<term::kLifeParameters>(constant<kParam, R>(parameters_for_life(
          budget.law, best.value(), best_tokens.value(), budget.served_tokens.value())));
  const auto longer = sheet.template put<term::kLifeTokens>(law.tokens_for(least, smaller));
  const auto life = [&](auto count, auto trained) { return count * (rule * trained + served); };
  sheet.template put<term::kLifeSaving>(scalar<R>(1) -
                                        life(smaller, longer) / life(best, best_tokens));
}

}  // namespace

template <class R>
BudgetQuestion::Answers<R> BudgetQuestion::answer(const Typed<R>& in) {
  const auto& run = in.run;
  const auto peak = in.chip.peak(run.compute_format).value;
  Answers<R> sheet;

  const auto computed = count_parameters(in.model);
  const auto used = used_parameters(in.model, computed);
  sheet.template put<term::kParameters>(used.total);
  const auto active = sheet.template put<term::kActiveParameters>(used.active);
  const auto per_token = sheet.template put<term::kTrainingFlopsPerToken>(
      training_flops(in.model, run, computed, used).training);

  const auto price = answer_chip_hour(in.chip, run.pue, sheet);
  const auto hours = sheet.template put<term::kChipHours>(hours_of(in, price));
  const auto an_hour = constant<kSecond / kHour, R>(3600);
  sheet.template put<term::kTrainingTime>(
      when_present([&](auto all) { return all * an_hour / run.chips; }, hours));
  const auto flops = sheet.template put<term::kTotalFlops>(
      when_present([&](auto all) { return all * an_hour * peak * run.mfu; }, hours));
  const auto tokens = sheet.template put<term::kBudgetTokens>(
      when_present([&](auto all) { return all / per_token; }, flops));
  sheet.template put<term::kBudgetRatio>(
      when_present([&](auto all) { return all / active; }, tokens));

  // C = 6 P n with n = r P. The largest model is a dense one, which 6 FLOPs for each parameter and
  // token count well, whatever the rule for the present one.
  const auto rule = constant<kFlop / kToken / kParam, R>(6);
  const auto ratio = in.budget.tokens_per_parameter;
  const auto largest = sheet.template put<term::kLargestParameters>(when_present(
      [&](auto all) { return as<kParam>(sqrt(as<kOne>(all / (rule * ratio)))); }, flops));
  sheet.template put<term::kLargestTokens>(
      when_present([&](auto parameters) { return ratio * parameters; }, largest));

  const bool whole_dense = !(in.model.experts.value() > 0) && run.trained == Trained::kAll;
  if (whole_dense && flops.present()) {
    answer_loss<R>(in, flops.value, used.total, tokens.value, sheet);
  }

  // The money itself, not what dividing and multiplying by the price makes of it.
  const bool of_money = in.budget.kind == BudgetKind::kMoney;
  sheet.template put<term::kCost>(
      of_money ? when_present([&](auto) { return in.budget.money; }, hours)
               : when_present([](auto each, auto all) { return each * all; }, price, hours));
  sheet.template put<term::kEnergy>(
      when_present([&](auto power, auto all) { return power * run.pue * (all * an_hour); },
                   in.chip.power, hours));
  return sheet;
}

template BudgetQuestion::Typed<SCALING_REP> BudgetQuestion::Input::read<SCALING_REP>() const;
template BudgetQuestion::Answers<SCALING_REP> BudgetQuestion::answer(const Typed<SCALING_REP>&);

}  // namespace scaling
