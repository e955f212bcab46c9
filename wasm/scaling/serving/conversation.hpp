// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/serving.hpp"
#include "scaling/quantity/term.hpp"

namespace scaling {

template <class R>
struct ServingInput;
template <class R>
struct WeightBytes;

namespace term {

inline constexpr Term kPromptMean{"promptMean", "T_in,mean", kToken, "multi-turn"};
inline constexpr Term kPrefixFindable =
    Term{"prefixFindable", "f_findable", kOne, "multi-turn"}.in_percent();
inline constexpr Term kPrefixFound = Term{"prefixFound", "f_found", kOne, "lru"}.in_percent();
inline constexpr Term kFoundOnHost = Term{"foundOnHost", "f_host", kOne, "lru"}.in_percent();
inline constexpr Term kFoundOnDisk = Term{"foundOnDisk", "f_disk", kOne, "lru"}.in_percent();
inline constexpr Term kConversationsHeld{"conversationsHeld", "n_held", kOne, "lru"};
inline constexpr Term kCacheToUse = Term{"cacheToUse", "x", kOne, "lru"}.in_percent();
inline constexpr Term kFetchTime{"fetchTime", "T_fetch", kSecond, "multi-turn"};

}  // namespace term

/// The share of prompts, in tokens, that earlier requests have left in a cache with room for all:
/// of a first turn what all conversations have in common, of a later one all of the prompt but its
/// new tokens. Source: multi-turn benchmarks of SGLang and Mooncake, which measure it so.
template <class R>
Count<R> findable_share(const Serving<R>& serving);

/// The share of conversations that are still in a cache when their next turn comes, which holds a
/// share `held` of all of them, least recently used first to go.
/// - random gaps, exponential: the turn of another comes in between by chance, so that the share is
///   `held` itself (Che, Tung and Wang 2002, which is exact here);
/// - rounds, each in an order of chance: a conversation at place u of a round and v of the next
///   sees a share 1 - u (1 - v) of the others in between, so that x + (1 - x) ln(1 - x) of them are
///   found;
/// - even gaps: all others come in between, so that nothing is found unless all fit.
/// Checked against a simulated cache in tests.
template <class R>
Count<R> still_held(TurnGaps gaps, Count<R> held);

/// The share of prompts that is found, by the memory that it is found in.
template <class R>
struct FoundPrefix {
  Count<R> findable;  ///< as if caches had room for all
  Count<R> on_chip, on_host, on_disk;
  Count<R> conversations;         ///< that the caches of all servers hold on their chips
  Quantity<kSecond, R> fetching;  ///< time to bring what hosts and disks hold of a prompt

  Count<R> all() const { return on_chip + on_host + on_disk; }
};

/// What servers find of the prompts of conversations, each of which stays with a server: the cache
/// of their chips, that of their hosts beyond it and that of disks beyond these hold the latest.
/// The load has further turns.
template <class R>
FoundPrefix<R> found_prefix(const ServingInput<R>& in, const WeightBytes<R>& weights);

}  // namespace scaling
