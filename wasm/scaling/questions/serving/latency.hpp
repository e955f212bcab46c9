// SPDX-License-Identifier: MIT
//
// How late tokens come, of all requests and of shares of them, and what targets make of it.
#pragma once

#include "scaling/questions/serving/question.hpp"
#include "scaling/serving/percentiles.hpp"

namespace scaling {

template <class R>
bool has_targets(const Serving<R>& serving) {
  return serving.first_target.present() || serving.token_target.present();
}

/// The requests that keep to all targets, `within` of them. Source: DistServe's goodput, which is
/// the most requests a second of which 90 % do.
template <class R, class Answers>
void answer_goodput(const Serving<R>& serving, Count<R> within,
                    decltype(Count<R>{} / Quantity<kSecond, R>{}) requests, Answers& sheet) {
  const auto share = sheet.template put<term::kWithinTargets>(within);
  const auto goodput = sheet.template put<term::kRequestGoodput>(share * requests);
  sheet.template put<term::kRequestGoodputPerChip>(goodput / serving.chips);
}

/// Percentiles of both times, where requests of a load differ, and of the requests those that keep
/// to their targets: `speed` tokens a second are answered.
template <class R, class Answers>
void answer_percentiles(const Serving<R>& serving, const Percentiles& percentiles,
                        Quantity<kSecond, R> first, Quantity<kSecond, R> token,
                        Quantity<kToken / kSecond, R> speed, Answers& sheet) {
  const auto at = [&]<const Term & kFirst, const Term & kToken>(std::size_t i) {
    sheet.template put<kFirst>(first * named_number<term::kFirstRatio, R>(percentiles.first[i]));
    sheet.template put<kToken>(token * named_number<term::kTokenRatio, R>(percentiles.token[i]));
  };
  if (serving.load != ServingLoad::kStatic) {
    at.template operator()<term::kFirstTokenP50, term::kTokenTimeP50>(0);
    at.template operator()<term::kFirstTokenP90, term::kTokenTimeP90>(1);
    at.template operator()<term::kFirstTokenP99, term::kTokenTimeP99>(2);
  }
  if (!has_targets(serving)) return;
  const auto of_first = named_number<term::kFirstWithin, R>(percentiles.first_within);
  const auto of_token = named_number<term::kTokenWithin, R>(percentiles.token_within);
  auto within = of_first * of_token;
  if (!serving.token_target.present()) within = of_first;
  if (!serving.first_target.present()) within = of_token;
  if (serving.first_target.present() && serving.token_target.present() && percentiles.opposed) {
    within = max(of_first + of_token - scalar<R>(1), Count<R>{});
  }
  answer_goodput(serving, within, speed / serving.answer, sheet);
}

/// The time for each further token, what targets make of it, and the time of an answer.
template <class R, class Answers>
void answer_latency(const Serving<R>& serving, const Served<R>& served, Quantity<kSecond, R> first,
                    Quantity<kSecond, R> token, const Percentiles& percentiles, Answers& sheet) {
  sheet.template put<term::kTokenTimeLower>(served.token_floor);
  // Tokens that are all sent at once come at no speed.
  using Time = Maybe<Quantity<kSecond, R>>;
  sheet.template put<term::kUserSpeed>(when_present(
      [](auto seconds) { return constant<kToken, R>(1) / seconds; }, if_positive(Time(token))));
  if (serving.target_share.present()) {
    sheet.template put<term::kFirstTokenTail>(max(served.first_tail, served.first_floor));
    sheet.template put<term::kTokenTail>(max(served.token_tail, served.token_floor));
  }
  if (has_targets(serving)) {
    const auto excess = sheet.template put<term::kTargetExcess>(target_excess(serving, served));
    const auto limit = target_limit(serving, served);
    sheet.template put<term::kMeetsTargets>(scalar<R>(excess.value() <= 1 ? 1 : 0));
    sheet.template put<term::kTargetLimit>(scalar<R>(static_cast<double>(limit)));
  }
  answer_percentiles(serving, percentiles, first, token, served.speed, sheet);
  const auto further = as<kOne>(serving.answer) - scalar<R>(1);
  sheet.template put<term::kAnswerTime>(first + further * token);
}

}  // namespace scaling
