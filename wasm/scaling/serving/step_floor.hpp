// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/serving/kv_cache.hpp"
#include "scaling/serving/step.hpp"

namespace scaling {

/// Bytes of the cache that a step reads on a chip [B].
template <class R>
Quantity<kByte, R> cache_read(const ServingInput<R>& in, const ServerWays<R>& ways,
                              const StepTokens<R>& tokens);

/// Weights that a step reads on the chips of one stage after another [B], with so many experts.
template <class R>
Quantity<kByte, R> weights_read(const ServingInput<R>& in, const WeightBytes<R>& weights,
                                const ServerWays<R>& ways, Count<R> experts);

/// Experts that the tokens of a step reach, of all ranks; 1 without experts.
template <class R>
Count<R> reached_of_step(const ServingInput<R>& in, const WeightBytes<R>& weights,
                         const ServerWays<R>& ways, const StepTokens<R>& tokens);

/// Images among the new tokens of a step's prompts: they lie evenly in these; 0: none.
template <class R>
Count<R> images_of(const ServingInput<R>& in, const StepTokens<R>& tokens);

/// FLOPs of weights' matmuls of `tokens` on a chip, 2 for each active parameter.
template <class R>
Quantity<kFlop, R> weight_flops(const ServingInput<R>& in, const ServerWays<R>& ways,
                                Count<R> tokens);

/// The least work of tokens and images: parameters that a token multiplies, FLOPs of an image.
template <class R>
struct FloorNumbers {
  Count<R> each;  ///< any token
  Count<R> head;  ///< one with logits, besides
  Quantity<kFlop, R> image{};
};

template <class R>
FloorNumbers<R> floor_numbers(const Model<R>& model);

/// The least that a step can take [s]: every FLOP at the peak or every byte at the full bandwidth,
/// whichever takes longer; of experts those of one token; with the tower of its images, in 16 bits;
/// before or after that of hosts. Nothing beats it.
/// Source: book ch. 1 and 7.
template <class R>
Quantity<kSecond, R> step_floor(const ServingInput<R>& in, const WeightBytes<R>& weights,
                                const ServerWays<R>& ways, const StepTokens<R>& tokens);

/// The limit of a step: the largest of its parts.
enum class ServingBound : std::uint8_t { kWeights, kCache, kCompute, kNetwork, kLaunches, kHost };
inline constexpr const char* kServingBoundNames[] = {"weights", "cache",    "compute",
                                                     "network", "launches", "host"};

/// Matmuls count as computing where their FLOPs take longer than their weights at full rates, else
/// as weights. Index of ServingBound.
template <class R>
Count<R> step_bound(const ServingInput<R>& in, const WeightBytes<R>& weights,
                    const ServerWays<R>& ways, const StepTokens<R>& tokens,
                    const StepParts<R>& parts);

}  // namespace scaling
