// SPDX-License-Identifier: MIT
//
// The steps of a server, and the cycle in which it answers each of its sequences once.
#pragma once

#include <type_traits>

#include "scaling/serving/lengths.hpp"
#include "scaling/serving/step_memo.hpp"

namespace scaling {

namespace term {

inline constexpr Term kDecodeStep{"decodeStep", "T_step", kSecond, "book-inference"};
inline constexpr Term kDecodeMatmuls{"decodeMatmuls", "T_matmul", kSecond, "book-inference"};
inline constexpr Term kDecodeAttention{"decodeAttention", "T_kv,read", kSecond, "book-inference"};
inline constexpr Term kDecodeExperts{"decodeExperts", "T_moe", kSecond, "book-inference"};
inline constexpr Term kDecodeNetwork{"decodeNetwork", "T_net", kSecond, "book-inference"};
inline constexpr Term kDecodeElementwise{"decodeElementwise", "T_elem", kSecond,
                                         "measured-serving"};
inline constexpr Term kDecodeHead{"decodeHead", "T_head", kSecond, "measured-serving"};
inline constexpr Term kDecodeLaunches{"decodeLaunches", "T_host", kSecond, "measured-serving"};
inline constexpr Term kDecodeHost{"decodeHost", "T_cpu", kSecond, "definition"};
inline constexpr Term kMixedStep{"mixedStep", "T_mixed", kSecond, "sarathi"};
inline constexpr Term kPrefillMatmuls{"prefillMatmuls", "T_prefill,matmul", kSecond,
                                      "book-applied-inference"};
inline constexpr Term kPrefillAttention{"prefillAttention", "T_prefill,attn", kSecond,
                                        "book-applied-inference"};
inline constexpr Term kPrefillExperts{"prefillExperts", "T_prefill,moe", kSecond,
                                      "book-applied-inference"};
inline constexpr Term kPrefillTower{"prefillTower", "T_prefill,vit", kSecond, "vit"};
inline constexpr Term kMixedTower{"mixedTower", "T_mixed,vit", kSecond, "vit"};
inline constexpr Term kMixedMatmuls{"mixedMatmuls", "T_mixed,matmul", kSecond, "sarathi"};
inline constexpr Term kMixedAttention{"mixedAttention", "T_mixed,attn", kSecond, "sarathi"};
inline constexpr Term kMixedExperts{"mixedExperts", "T_mixed,moe", kSecond, "sarathi"};
inline constexpr Term kBurstStep{"burstStep", "T_mixed,burst", kSecond, "measured-serving"};
inline constexpr Term kBurstMatmuls{"burstMatmuls", "T_matmul,burst", kSecond, "measured-serving"};
inline constexpr Term kBurstExperts{"burstExperts", "T_moe,burst", kSecond, "measured-serving"};
inline constexpr Term kSustainedMatmuls{"sustainedMatmuls", "T_matmul,sustained", kSecond,
                                        "measured-serving"};
inline constexpr Term kSustainedExperts{"sustainedExperts", "T_moe,sustained", kSecond,
                                        "measured-serving"};
inline constexpr Term kSustainedShare{"sustainedShare", "s_sustained", kOne, "measured-serving"};
inline constexpr Term kPromptsOfStep{"promptsOfStep", "B_prompts", kOne, "sarathi"};
inline constexpr Term kPromptSteps{"promptSteps", "n_pieces", kOne, "sarathi"};
inline constexpr Term kDecodeAlone{"decodeAlone", "T_step,alone", kSecond, "book-inference"};
inline constexpr Term kCycleTime{"cycleTime", "T_cycle", kSecond, "orca"};
inline constexpr Term kMixedSteps{"mixedSteps", "n_mixed", kOne, "sarathi"};

}  // namespace term

/// Whether steps have all their parts: in the bounds of a search they leave some out.
template <class R>
bool counts_all(const ServingInput<R>& in) {
  if constexpr (std::is_same_v<R, double>) {
    return in.memo == nullptr || in.memo->depth == StepMemo::Depth::kAll;
  }
  return true;
}

/// The parts of a step; those that a search has computed already it remembers. A step that is
/// shorter than the loop of the program that schedules it waits for that: its launches take longer.
template <class R>
[[gnu::noinline]] StepParts<R> step_of(const ServingInput<R>& in, const WeightBytes<R>& weights,
                                       const ServerWays<R>& ways, const StepTokens<R>& tokens) {
  StepParts<R> parts;
  if constexpr (std::is_same_v<R, double>) {
    parts = in.memo != nullptr ? in.memo->step(in, weights, ways, tokens)
                               : step_parts(in, weights, ways, tokens);
  } else {
    parts = step_parts(in, weights, ways, tokens);
  }
  const bool scripted = in.measured() && in.server.host == HostWork::kScripted;
  const auto loop = seconds_of<R>(in.constants.host_loop);
  const auto chip = parts.total();
  if (scripted && counts_all(in) && chip < loop) parts.launches = parts.launches + (loop - chip);
  return parts;
}

/// New tokens of a prompt, and those that the cache holds already.
template <class R>
struct PromptTokens {
  Count<R> fresh, held;
  Count<R> square{};  ///< mean of prompts' squares over the square of their mean; 0: all are alike

  /// Tokens before a piece of `queries` new ones. Of unlike prompts, on average over their tokens,
  /// most of which are a long prompt's: so that attention computes the mean square of prompts.
  Count<R> before(Count<R> queries) const {
    if (given(square)) {
      const auto further = (square * fresh - queries) / 2.0;
      return given(held) ? square * held + further : further;
    }
    return queries < fresh ? held + (fresh - queries) / 2.0 : held;
  }
};

template <class R>
PromptTokens<R> prompt_of(const ServingInput<R>& in) {
  const auto prompt = as<kOne>(in.serving.prompt());
  Count<R> square{};
  // Stated rates count no attention among the tokens of prompts.
  if (in.measured() && in.serving.prompts_differ()) {
    square =
        named<term::kPromptSquare>(mean_square(in.serving.prompt_list, in.serving.prompt_spread));
  }
  if (in.found.value() <= 0) return {prompt, Count<R>{}, square};
  const auto held = in.found * prompt;
  return {max(prompt - held, scalar<R>(1)), held, square};
}

template <class R>
StepTokens<R> prompts_alone(Count<R> prompts, Count<R> queries, Count<R> past) {
  return {Count<R>{}, Count<R>{}, scalar<R>(1), prompts, queries, past};
}

template <class R>
[[gnu::noinline]] StepTokens<R> decoding(const Serving<R>& serving, Count<R> batch,
                                         Count<R> context) {
  const auto one = scalar<R>(1);
  const bool drafts = serving.draft_tokens.value() > 0;
  const auto each = drafts ? serving.draft_tokens + one : one;
  return {batch, context, each, Count<R>{}, Count<R>{}, Count<R>{}};
}

/// A step that decodes, with the drafts that it verifies.
template <class R>
[[gnu::noinline]] Quantity<kSecond, R> with_drafts(const ServingInput<R>& in,
                                                   const WeightBytes<R>& weights,
                                                   const StepTokens<R>& tokens,
                                                   Quantity<kSecond, R> step) {
  if (in.serving.draft_tokens.value() <= 0) return step;
  auto single = tokens;
  single.each = scalar<R>(1);
  const auto alone = step_of(in, weights, answering_ways(in.serving), single).total();
  return step + in.serving.draft_tokens * in.serving.draft_cost * alone;
}

/// The time of a step of `batch` sequences of `context` tokens that only decodes, with drafts made
/// for it [s].
template <class R>
[[gnu::noinline]] Quantity<kSecond, R> decode_time(const ServingInput<R>& in,
                                                   const WeightBytes<R>& weights, Count<R> batch,
                                                   Count<R> context) {
  const auto tokens = decoding(in.serving, batch, context);
  return with_drafts(in, weights, tokens,
                     step_of(in, weights, answering_ways(in.serving), tokens).total());
}

/// Tokens that a step gives each sequence on average, with `drafts` drafts that are each accepted
/// with `acceptance`: (1 - a^(g+1)) / (1 - a). Source: Leviathan et al. 2023, equation 1.
template <class R>
Count<R> tokens_of_step(Count<R> drafts, Count<R> acceptance);

/// Steady work of a group of `batch` sequences: steps that only decode, and mixed ones with pieces
/// of prompts. In a cycle each sequence is answered once and as many prompts come.
template <class R>
struct ServingCycle {
  StepTokens<R> decode_tokens, mixed_tokens;
  StepParts<R> decode;          ///< a step without prompts
  Quantity<kSecond, R> step;    ///< the same, with drafts made for it
  Quantity<kSecond, R> mixed;   ///< a step with a piece of prompts
  Count<R> steps, mixed_steps;  ///< steps of a cycle that decode, and that have prompts
  Quantity<kSecond, R> time;    ///< of a cycle
};

/// Prompts come in mixed steps of up to the token budget, as many as keep pace with the answers; if
/// that is more than there are steps, the sequences wait for prompts.
template <class R>
ServingCycle<R> serving_cycle(const ServingInput<R>& in, const WeightBytes<R>& weights,
                              Count<R> batch);

/// The time of `prompts` prompts of `prompt` tokens that come together to an idle server [s], in
/// steps of up to the token budget; longer ones in pieces. `idle`: no step runs before, so that
/// kernels that the host launches one by one show their launches. In steady work it launches the
/// next step's beside them: measured times per token have no such launches.
template <class R>
Quantity<kSecond, R> prefill_time(const ServingInput<R>& in, const WeightBytes<R>& weights,
                                  const ServerWays<R>& ways, const PromptTokens<R>& prompt,
                                  double prompts, bool idle = false);

/// The same of those that are asked about.
template <class R>
Quantity<kSecond, R> prefill_time(const ServingInput<R>& in, const WeightBytes<R>& weights,
                                  const ServerWays<R>& ways, double prompts, bool idle = false) {
  return prefill_time(in, weights, ways, prompt_of(in), prompts, idle);
}

}  // namespace scaling
