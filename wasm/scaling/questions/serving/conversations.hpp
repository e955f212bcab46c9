// SPDX-License-Identifier: MIT
//
// What conversations add to the answers of serving.
#pragma once

#include "scaling/questions/serving/question.hpp"

namespace scaling {

/// What of their prompts the turns of conversations find in caches, and what that does to the time
/// to the first token of a further turn, without waits.
template <class R, class Answers>
void answer_conversations(const ServingInput<R>& in, const WeightBytes<R>& weights,
                          const Served<R>& served, Answers& sheet) {
  const auto& serving = in.serving;
  if (!serving.in_turns()) return;
  const auto& found = in.prefix;
  const auto prompt = serving.prompt();
  sheet.template put<term::kPrefixFindable>(found.findable);
  sheet.template put<term::kPrefixFound>(in.found);
  if (serving.host_cache.value() > 0) sheet.template put<term::kFoundOnHost>(found.on_host);
  if (serving.disk_cache.value() > 0) sheet.template put<term::kFoundOnDisk>(found.on_disk);
  sheet.template put<term::kConversationsHeld>(found.conversations);
  if (found.fetching.value() > 0) sheet.template put<term::kFetchTime>(found.fetching);
  const auto first_if = [&](Count<R> share) {
    auto other = in;
    other.found = share;
    const auto ways = servers_of(serving, ServerRole::kPrefills).ways;
    return prefill_time(other, weights, ways, 1, true) + served.begin;
  };
  const auto later = max(scalar<R>(1) - serving.turn / prompt, Count<R>{});
  sheet.template put<term::kFirstTokenCached>(first_if(later));
  sheet.template put<term::kFirstTokenLost>(
      first_if(serving.prefix * serving.first_prompt / prompt));
}

}  // namespace scaling
