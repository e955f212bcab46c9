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

/// Percentiles of the times of requests, where those of a load differ.
template <class R, class Answers>
void answer_percentiles(const RequestTimes& times, Quantity<kSecond, R> first,
                        Quantity<kSecond, R> token, Quantity<kSecond, R> whole, Answers& sheet) {
  const auto wholes = times.wholes();
  const auto at =
      [&]<const Term & kFirst, const Term & kToken, const Term & kWhole>(std::size_t i) {
        const double of_first = times.first_at(kPercentiles[i]) / first.value();
        const double of_token = times.token_at(kPercentiles[i]);
        sheet.template put<kFirst>(first * named_number<term::kFirstRatio, R>(of_first));
        sheet.template put<kToken>(token * named_number<term::kTokenRatio, R>(of_token));
        sheet.template put<kWhole>(whole * named_number<term::kWholeRatio, R>(wholes[i]));
      };
  at.template operator()<term::kFirstTokenP50, term::kTokenTimeP50, term::kAnswerTimeP50>(0);
  at.template operator()<term::kFirstTokenP90, term::kTokenTimeP90, term::kAnswerTimeP90>(1);
  at.template operator()<term::kFirstTokenP99, term::kTokenTimeP99, term::kAnswerTimeP99>(2);
}

/// The requests that keep to their targets: `speed` tokens a second are answered.
template <class R, class Answers>
void answer_within(const Serving<R>& serving, const RequestTimes& times,
                   Quantity<kToken / kSecond, R> speed, Answers& sheet) {
  const auto one = scalar<R>(1);
  const auto& first = serving.first_target;
  const auto& token = serving.token_target;
  auto of_first = one;
  auto of_token = one;
  if (first.present()) {
    of_first = named_number<term::kFirstWithin, R>(times.first_within(first.value.value()));
  }
  if (token.present()) {
    of_token = named_number<term::kTokenWithin, R>(times.token_within(token.value.value()));
  }
  auto within = of_first * of_token;
  if (!token.present()) within = of_first;
  if (!first.present()) within = of_token;
  if (first.present() && token.present() && times.opposed()) {
    within = max(of_first + of_token - one, Count<R>{});
  }
  answer_goodput(serving, within, speed / serving.answer, sheet);
}

/// The time for each further token, what targets make of it, and the time of an answer.
template <class R, class Answers>
void answer_latency(const Serving<R>& serving, const Served<R>& served, Quantity<kSecond, R> first,
                    Quantity<kSecond, R> token, const RequestTimes& times, Answers& sheet) {
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
  const auto further = as<kOne>(serving.answer) - scalar<R>(1);
  const auto whole = sheet.template put<term::kAnswerTime>(first + further * token);
  if (serving.load != ServingLoad::kStatic) {
    answer_percentiles(times, first, token, whole, sheet);
  }
  if (has_targets(serving)) answer_within(serving, times, served.speed, sheet);
}

}  // namespace scaling
