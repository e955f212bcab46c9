// SPDX-License-Identifier: MIT
//
// Waits of requests for the prompts before them.
#pragma once

#include <cmath>
#include <limits>
#include <optional>

#include "scaling/quantity/logarithm.hpp"
#include "scaling/serving/cycle.hpp"
#include "scaling/serving/lengths.hpp"

namespace scaling {

namespace term {

inline constexpr Term kWorkSquare{"workSquare", "E[T^2]/E[T]^2", kOne, "queueing"};
inline constexpr Term kPromptAndWait{"promptAndWait", "T_prefill+wait,p", kSecond, "queueing"};
inline constexpr Term kPromptAndWave{"promptAndWave", "T_prefill+wave,p", kSecond, "queueing"};
inline constexpr Term kLongPrompt{"longPrompt", "T_prefill,p", kSecond, "book-applied-inference"};

}  // namespace term

/// The share of requests that come all at once: of n that come by chance, some of the root of n.
template <class R>
[[gnu::noinline]] Count<R> together_share(const ServingInput<R>& in, Count<R> sequences) {
  if (in.serving.together.present()) return in.serving.together.value;
  const auto one = scalar<R>(1);
  return min(one, scalar<R>(in.constants.clump) / sqrt(max(sequences, one)));
}

/// The wait that a share of requests stays below: where servers are busy for a share of the time,
/// as many wait, and the mean of those is the mean over the share. The wait is exponential, after
/// Kingman.
template <class R>
[[gnu::noinline]] Quantity<kSecond, R> exponential_tail(const Count<R>& share, Count<R> busy,
                                                        Quantity<kSecond, R> mean) {
  const auto above = scalar<R>(1) - share;
  if (!(busy > above)) return Quantity<kSecond, R>{};
  return mean / busy * logarithm(busy / above);
}

/// The mean wait for a server that is busy for a share of the time, with work of `each` on average:
/// all alike (M/D/1), or as unlike as prompts are (M/G/1). Source: Pollaczek-Khinchine.
template <class R>
Quantity<kSecond, R> queue_wait(Count<R> busy, Quantity<kSecond, R> each,
                                const std::optional<UnlikePrompts>& unlike) {
  const auto wait = busy * each / (2.0 * (scalar<R>(1) - busy));
  if (!unlike.has_value()) return wait;
  return named_number<term::kWorkSquare, R>(unlike->square()) * wait;
}

/// Prompts as servers of `ways` take them, where these are unlike. None is longer than the model's
/// context. What attention takes of a prompt is what unlike ones take longer than if they were
/// alike.
template <class R>
std::optional<UnlikePrompts> unlike_prompts(const ServingInput<R>& in,
                                            const WeightBytes<R>& weights,
                                            const ServerWays<R>& ways,
                                            const PromptTokens<R>& prompt) {
  if (!in.serving.prompts_differ()) return {};
  const RequestLengths lengths(in.serving.prompt_list, in.serving.prompt_spread.value());
  auto alike = prompt;
  alike.square = {};
  const auto time_of = [&](const PromptTokens<R>& tokens) {
    return prefill_time(in, weights, ways, tokens, 1).value();
  };
  const double more = time_of(prompt) / time_of(alike) - 1;
  const double attention =
      more > 0 ? std::fmin(1, more / (lengths.spread() * lengths.spread())) : 0;
  const double context = in.model.context_length.value();
  const double longest =
      context > 0 ? context / in.serving.prompt().value() : std::numeric_limits<double>::infinity();
  return UnlikePrompts(lengths, attention, std::fmax(1, longest));
}

/// Time that a wave of `prompts` equal prompts waits on average, served in steps of `per`.
template <class R>
Quantity<kSecond, R> wave_wait(Quantity<kSecond, R> one, Quantity<kSecond, R> of_step,
                               Count<R> prompts, double per) {
  const auto steps = prompts / named_number<term::kPromptsOfStep, R>(per);
  const auto more = of_step - one;
  if (steps.value() <= 1) return more;
  return more + (steps - scalar<R>(1)) / 2.0 * of_step;
}

}  // namespace scaling
