// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/serving/serving_input.hpp"

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
  Quantity<kSecond, R> host{};      ///< layers and experts in its memory, while the chip waits
  Quantity<kSecond, R> tower{};     ///< that makes tokens of the images in prompts

  Quantity<kSecond, R> total() const {
    auto all = matmuls + attention + experts + network + exchange + elementwise + head + launches;
    if (host.value() > 0) all = all + host;
    return tower.value() > 0 ? all + tower : all;
  }
};

/// Half of a step's sequences and prompts.
template <class R>
StepTokens<R> half_of(StepTokens<R> tokens) {
  tokens.decoding = tokens.decoding / 2.0;
  tokens.prompts = tokens.prompts / 2.0;
  return tokens;
}

}  // namespace scaling
