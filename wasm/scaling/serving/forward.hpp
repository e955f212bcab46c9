// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/collective_request.hpp"
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
  Quantity<kSecond, R> network{};
  Quantity<kSecond, R> elementwise{};
  Quantity<kSecond, R> head{};      ///< logits and sampling
  Quantity<kSecond, R> launches{};  ///< small kernels, and the host

  Quantity<kSecond, R> total() const {
    return matmuls + attention + experts + network + elementwise + head + launches;
  }
};

/// The parts of a step that are computed; the others stay 0. The work of a rank of attention by
/// itself depends on its tokens and tensor ways alone, so that a search computes it once for many
/// ways.
struct StepNeeds {
  bool rank = true;       ///< all but those below
  bool experts = true;    ///< routed ones: by expert ways, tensor ways of an expert, and all tokens
  bool network = true;    ///< depends on all ways
  bool attention = true;  ///< also depends on the division of the cache
};

/// Prices a step of `tokens` on the chips of `ways`, each kernel by its shape; collectives of a
/// step take longer than alone, and each step has the host's time. With stated rates: the longer of
/// computing 2 FLOPs for each active parameter and reading the weights, and reading the cache
/// behind it, as book ch. 7 has it; transfers as far as they take longer than both, so that all
/// parts are computed. Source: fitted to published measurements, shared/efficiency.json.
template <class R>
StepParts<R> step_parts(const ServingInput<R>& in, const WeightBytes<R>& weights,
                        const ServerWays<R>& ways, const StepTokens<R>& tokens,
                        StepNeeds needs = {});

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

/// The hidden states of a step's tokens on one rank of attention, 2 bytes a number [B].
template <class R>
Quantity<kByte, R> hidden_states(const ServingInput<R>& in, const StepTokens<R>& tokens);

/// The transfers of a step among tensor ways, each as alone [s]: of data ways it matters only
/// whether there are several. `state`: the hidden states of its tokens.
template <class R>
Quantity<kSecond, R> tensor_transfers(const ServingInput<R>& in, const ServerWays<R>& ways,
                                      const StepTokens<R>& tokens, Quantity<kByte, R> state);

/// The transfers of a step among `data` ranks of attention and their experts, each as alone [s],
/// the same for all tensor ways.
template <class R>
Quantity<kSecond, R> data_transfers(const ServingInput<R>& in, Count<R> data,
                                    Quantity<kByte, R> state);

/// The time of a collective of `bytes` among `ranks` of a server [s].
template <class R>
Quantity<kSecond, R> serving_collective(const ServingInput<R>& in, CollectiveKind kind,
                                        Quantity<kByte, R> bytes, Count<R> ranks);

}  // namespace scaling
