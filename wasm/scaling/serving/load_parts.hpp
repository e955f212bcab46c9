// SPDX-License-Identifier: MIT
//
// The parts that the kinds of load have in common, and the distribution of first tokens under each.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "scaling/serving/load.hpp"
#include "scaling/serving/waits.hpp"

namespace scaling {

/// The longest prefill of a share of prompts.
template <class R>
Quantity<kSecond, R> long_prefill(const Served<R>& served, const Count<R>& share,
                                  const std::optional<UnlikePrompts>& prompts) {
  if (!prompts.has_value()) return served.prefill;
  return named_number<term::kLongPrompt, R>(prompts->tail(share.value(), served.prefill.value()));
}

/// The longest wait of a share of requests, where servers are busy for a share of the time:
/// beside the mean prefill, so that long prompts count as waits.
template <class R>
Quantity<kSecond, R> tail_of_queue(const Served<R>& served, const Count<R>& share,
                                   const std::optional<UnlikePrompts>& prompts) {
  if (!prompts.has_value()) return exponential_tail(share, served.busy, served.queued);
  const double tail = prompts->tail_in_queue(share.value(), served.prefill.value(),
                                             served.busy.value(), served.queued.value());
  return named_number<term::kPromptAndWait, R>(tail) - served.prefill;
}

/// The same of a wave, whose waits lie evenly between none and twice their mean.
template <class R>
Quantity<kSecond, R> tail_of_wave(const Served<R>& served, const Count<R>& share,
                                  const std::optional<UnlikePrompts>& prompts) {
  if (!prompts.has_value()) return 2.0 * share * served.wave;
  const double tail =
      prompts->tail_in_wave(share.value(), served.prefill.value(), served.wave.value());
  return named_number<term::kPromptAndWave, R>(tail) - served.prefill;
}

/// The time to the first token that a share of requests of a load keeps to, if their prompts are as
/// unlike as `prompts`; `apart`: prefill is.
template <class R>
Quantity<kSecond, R> first_tail(ServingLoad load, bool apart, const Served<R>& served,
                                const Count<R>& share,
                                const std::optional<UnlikePrompts>& prompts) {
  if (!apart) {
    switch (load) {
      case ServingLoad::kStatic:
        return served.first;
      case ServingLoad::kMost:
        if (!prompts.has_value()) return served.first;
        return served.clear + long_prefill(served, share, prompts);
      case ServingLoad::kClosed: {
        const auto one_by_one = tail_of_queue(served, share, prompts);
        const auto at_once = tail_of_wave(served, share, prompts);
        return served.clear + one_by_one +
               served.together * max(at_once - one_by_one, Quantity<kSecond, R>{});
      }
      case ServingLoad::kOpen:
        break;
    }
  }
  return served.clear + tail_of_queue(served, share, prompts);
}

/// The prompts of an open loop among steps that decode.
template <class R>
struct OpenPrompts {
  Quantity<kSecond, R> each;  ///< time that one takes a group
  Count<R> busy;              ///< share of the time that all take
  Quantity<kSecond, R> wait;  ///< of one for those before it

  /// The time of those that come while one waits and runs: they are in the way of its answer.
  Quantity<kSecond, R> ahead() const { return busy * (wait + each) / (scalar<R>(1) - busy); }
};

/// The time of an answer in an open loop, of which `others` are given on average while it is. By
/// itself it makes each step one of a sequence more, and prompts that come while its own waits and
/// runs come between its first tokens; further ones as long as it is given.
/// Source: the numbers in system of a queue of shared processors whose speed depends on their
/// number (Kelly 1979): mean sojourns are those at one more than the mean, exact for steps that
/// grow by the same with each sequence.
template <class R>
Quantity<kSecond, R> open_answer(const ServingInput<R>& in, const WeightBytes<R>& weights,
                                 const ServingCycle<R>& cycle, Count<R> others,
                                 const OpenPrompts<R>& prompts) {
  const auto one = scalar<R>(1);
  const auto step =
      named<term::kOwnStep>(decode_time(in, weights, others + one, cycle.decode_tokens.context));
  return cycle.steps * step / (one - prompts.busy) + prompts.ahead();
}

/// The parts that the kinds of load have in common.
template <class R>
struct LoadParts {
  const ServingInput<R>& in;
  const WeightBytes<R>& weights;
  const LoadChoice& choice;
  const Servers<R> answering, prefilling;
  const PromptTokens<R> prompt;
  const std::optional<UnlikePrompts> unlike;  ///< where prompts are
  const Count<R> groups;
  const bool by_users;
  const bool idle;  ///< fewer users than groups leave some groups idle
  /// Time of the front end, and with that of the first token. One batch has no front end before it.
  const Quantity<kSecond, R> front, begin;

  LoadParts(const ServingInput<R>& input, const WeightBytes<R>& of_weights,
            const LoadChoice& chosen)
      : in(input),
        weights(of_weights),
        choice(chosen),
        answering(servers_of(in.serving, ServerRole::kAnswers)),
        prefilling(servers_of(in.serving, ServerRole::kPrefills)),
        prompt(prompt_of(in)),
        unlike(unlike_prompts(in, of_weights, prefilling.ways, prompt)),
        groups(named_number<term::kBatchGroups, R>(choice.groups)),
        by_users(in.serving.by_users()),
        idle(by_users && in.serving.users.value() < choice.groups),
        front(seconds_of<R>(in.measured() && in.serving.load != ServingLoad::kStatic
                                ? in.constants.front_end
                                : Constant{})),
        begin(front + seconds_of<R>(in.measured() ? in.constants.first_token : Constant{})) {}

  /// Sequences of a group that its cache and the software hold at a time.
  double held() const {
    return std::fmin(std::fmax(1, choice.most), in.server.most_sequences.value());
  }

  /// A prompt's pieces of the token budget.
  double pieces() const {
    return std::fmax(1, prompt.fresh.value() / in.server.token_budget.value());
  }

  Count<R> further(const Served<R>& served) const {
    return max(served.cycle.steps - scalar<R>(1), Count<R>{});
  }

  /// The time that one prompt takes a group, among steps that decode.
  Quantity<kSecond, R> each(const ServingCycle<R>& cycle, Count<R> batch) const {
    return named<term::kPromptTime>(
        max((cycle.time - cycle.steps * cycle.step) / batch, Quantity<kSecond, R>{}));
  }

  /// The time from a user's request to the next one.
  Quantity<kSecond, R> round_of(const Served<R>& served) const {
    const auto answered = served.first + further(served) * served.token;
    return in.serving.pauses() ? answered + in.serving.think : answered;
  }

  /// The time to the first token without waits.
  Quantity<kSecond, R> unhindered(const Served<R>& served) const {
    const auto alone = served.prefill + served.begin;
    return served.fetch.value() > 0 ? alone + served.fetch : alone;
  }
};

/// The prompts of an open loop beside `batch` sequences of a cycle; none where prefill is apart.
template <class R>
OpenPrompts<R> open_prompts(const LoadParts<R>& of, const ServingCycle<R>& cycle, Count<R> batch) {
  OpenPrompts<R> prompts{};
  if (of.in.serving.apart) return prompts;
  prompts.each = of.pieces() > 1 || cycle.mixed_tokens.prompts.value() > 1
                     ? of.each(cycle, batch)
                     : max(cycle.mixed - cycle.step, Quantity<kSecond, R>{});
  prompts.busy = min(of.in.serving.request_rate / of.groups * prompts.each,
                     scalar<R>(of.in.constants.most_busy));
  prompts.wait = queue_wait(prompts.busy, prompts.each, of.unlike);
  return prompts;
}

}  // namespace scaling
