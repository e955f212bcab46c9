// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/serving/kv_cache.hpp"

namespace scaling {

/// The tokens of one step on one rank of attention: sequences that get their next tokens, and
/// prompts, or pieces of them.
template <class R>
struct StepTokens {
  Count<R> decoding;     ///< sequences
  Count<R> context;      ///< tokens of each so far
  Count<R> each;         ///< tokens of each in this step: drafts to verify, and one
  Count<R> prompts;      ///< 0: none
  Count<R> queries;      ///< new tokens of each prompt
  Count<R> past;         ///< tokens of each prompt that the cache holds
  Count<R> sustained{};  ///< share of the time in which the chip is at its power limit besides

  Count<R> decoded() const { return decoding * each; }
  Count<R> all() const { return decoding * each + prompts * queries; }
};

/// The arithmetic and the operands of a matmul with weights of a format. The kernel before it
/// writes activations in its format.
struct Computing {
  KernelFormat kernel;
  Format weight;        ///< in memory
  Format activation;    ///< of its operands
  bool blocks = false;  ///< in integers, with a scale for each block of them
};

template <class R>
Computing computing_of(const ServingInput<R>& in, WeightFormat format);

/// The parts of a step's time [s].
template <class R>
struct StepParts {
  Quantity<kSecond, R> matmuls{};    ///< of weights that are not experts
  Quantity<kSecond, R> attention{};  ///< scores and values: reading the cache
  Quantity<kSecond, R> experts{};
  Quantity<kSecond, R> network{};   ///< collectives
  Quantity<kSecond, R> exchange{};  ///< of tokens with their experts
  Quantity<kSecond, R> elementwise{};
  Quantity<kSecond, R> head{};      ///< logits and sampling
  Quantity<kSecond, R> launches{};  ///< small kernels, and the host

  Quantity<kSecond, R> total() const {
    return matmuls + attention + experts + network + exchange + elementwise + head + launches;
  }
};

/// The parts of a step that are computed; the others stay 0. The work of a rank of attention by
/// itself depends on its tokens and tensor ways alone, so that a search computes it once for many
/// ways.
struct StepNeeds {
  bool rank = true;       ///< all but those below
  bool experts = true;    ///< routed ones: by expert ways, tensor ways of an expert, and all tokens
  bool network = true;    ///< depends on all ways
  bool exchange = true;   ///< the same
  bool attention = true;  ///< also depends on the division of the cache
};

/// Prices the parts of a step of `tokens` on the chips of `ways`, each kernel by its shape, all one
/// after another; collectives of a step take longer than alone, and each step has the host's time.
/// With stated rates: the longer of computing 2 FLOPs for each active parameter and reading the
/// weights, and reading the cache behind it, as book ch. 7 has it; transfers as far as they take
/// longer than both, so that all parts are computed. Source: fitted to published measurements,
/// shared/efficiency.json.
template <class R>
StepParts<R> serial_parts(const ServingInput<R>& in, const WeightBytes<R>& weights,
                          const ServerWays<R>& ways, const StepTokens<R>& tokens,
                          StepNeeds needs = {});

/// Whether the halves of a step of these parts take turns.
template <class R>
bool takes_turns(const ServingInput<R>& in, const StepParts<R>& parts) {
  return in.server.two_batches && in.measured() && parts.exchange.value() > 0;
}

/// Half of a step's sequences and prompts.
template <class R>
StepTokens<R> half_of(StepTokens<R> tokens) {
  tokens.decoding = tokens.decoding / 2.0;
  tokens.prompts = tokens.prompts / 2.0;
  return tokens;
}

/// `parts` of a step whose halves take turns: while one exchanges its tokens, the other computes.
/// Of C computing and N exchanging, and C', N' of a half, the step takes
///
///   min(C + N, max(2 C', 2 N', C' + N')), and no less than C
///
/// The exchange is what it takes longer than C. Source: DeepSeek-V3, 3.4; SGLang, two-batch
/// overlap.
template <class R>
StepParts<R> in_turns(StepParts<R> parts, const StepParts<R>& half) {
  const auto exchanged = parts.exchange;
  parts.exchange = {};
  const auto computed = parts.total();
  auto of_half = half;
  of_half.exchange = {};
  const auto one = of_half.total();
  const auto turns = max(2.0 * max(one, half.exchange), one + half.exchange);
  parts.exchange = max(min(exchanged, turns - computed), Quantity<kSecond, R>{});
  return parts;
}

/// The parts of a step as software runs it: one after another, or its halves in turns.
template <class R>
StepParts<R> step_parts(const ServingInput<R>& in, const WeightBytes<R>& weights,
                        const ServerWays<R>& ways, const StepTokens<R>& tokens);

/// The host's time for the kernels of a step with prompts, where it launches them one by one [s]; 0
/// where it does not, or with stated rates.
template <class R>
Quantity<kSecond, R> prompt_launches(const ServingInput<R>& in);

/// Parameters that a token multiplies at least.
template <class R>
struct FloorNumbers {
  Count<R> each;  ///< any token
  Count<R> head;  ///< one with logits, besides
};

template <class R>
FloorNumbers<R> floor_numbers(const Model<R>& model);

/// The least that a step can take [s]: every FLOP at the peak or every byte at the full bandwidth,
/// whichever takes longer; of experts those of one token. Nothing beats it.
/// Source: book ch. 1 and 7.
template <class R>
Quantity<kSecond, R> step_floor(const ServingInput<R>& in, const WeightBytes<R>& weights,
                                const ServerWays<R>& ways, const StepTokens<R>& tokens);

/// The least that the routed experts of a step take for `tokens` tokens of all ranks that reach
/// `reached` experts [s]: what they read and compute, without tiles; of 0 expert ways, however many
/// there are. 0 with stated rates, where no part is theirs alone.
template <class R>
Quantity<kSecond, R> experts_floor(const ServingInput<R>& in, const ServerWays<R>& ways,
                                   Count<R> tokens, Count<R> reached);

/// The limit of a step: the largest of its parts.
enum class ServingBound : std::uint8_t { kWeights, kCache, kCompute, kNetwork, kLaunches };
inline constexpr const char* kServingBoundNames[] = {"weights", "cache", "compute", "network",
                                                     "launches"};

/// Matmuls count as computing where their FLOPs take longer than their weights at full rates, else
/// as weights. Index of ServingBound.
template <class R>
Count<R> step_bound(const ServingInput<R>& in, const WeightBytes<R>& weights,
                    const ServerWays<R>& ways, const StepTokens<R>& tokens,
                    const StepParts<R>& parts);

}  // namespace scaling
