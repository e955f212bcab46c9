// SPDX-License-Identifier: MIT
#include "scaling/serving/conversation.hpp"

#include "scaling/serving/load.hpp"

namespace scaling {

template <class R>
Count<R> findable_share(const Serving<R>& serving) {
  if (!serving.in_turns()) return serving.prefix;
  const auto& further = serving.further_turns;
  const auto turn = serving.turn + serving.answer;
  const auto common = serving.prefix * serving.first_prompt;
  const auto second = serving.first_prompt + serving.answer;
  const auto one = scalar<R>(1);
  const auto found = common + further * (second + (further - one) * turn / 2.0);
  return found / ((further + one) * serving.prompt());
}

template <class R>
Count<R> still_held(TurnGaps gaps, Count<R> held) {
  const auto one = scalar<R>(1);
  if (!(held < one)) return one;
  switch (gaps) {
    case TurnGaps::kRandom:
      return held;
    case TurnGaps::kRounds:
      return held - (one - held) * logarithm(one / (one - held));
    case TurnGaps::kEven:
      break;
  }
  return Count<R>{};
}

template <class R>
FoundPrefix<R> found_prefix(const ServingInput<R>& in, const WeightBytes<R>& weights) {
  const auto& serving = in.serving;
  FoundPrefix<R> found{};
  found.findable = named<term::kPrefixFindable>(findable_share(serving));
  const auto servers = servers_of(serving, ServerRole::kPrefills);
  const auto kv = kv_of_chip(in, servers.ways);
  const auto of_prompt = kv.of_sequence(serving.prompt());
  const auto common_tokens = serving.prefix * serving.first_prompt;
  const auto common = kv.of_sequence(common_tokens);
  const auto each = kv.of_sequence(serving.prompt() + serving.answer) - common;
  const auto room = cache_room(in, weights, servers, kv).room - common;
  const auto ranks = (serving.apart ? named_number<term::kPrefillersUsed, R>(servers.count())
                                    : named_number<term::kServersUsed, R>(servers.count())) *
                     servers.ways.data;
  const auto of_rank = serving.users / ranks;
  const auto always = common_tokens / serving.prompt();
  const auto holds = [&](Quantity<kByte, R> bytes) {
    const auto share = max(bytes, Quantity<kByte, R>{}) / (of_rank * each);
    return still_held(serving.gaps, named<term::kCacheToUse>(share));
  };
  const auto found_in = [&](Count<R> held) {
    return always + held * max(found.findable - always, Count<R>{});
  };
  found.conversations = named<term::kConversationsHeld>(
      min(serving.users, max(room, Quantity<kByte, R>{}) / each * ranks));
  found.on_chip = found_in(holds(room));
  auto inner = room;
  const auto beyond = [&](Quantity<kByte, R> more, Count<R> already) {
    inner = inner + more;
    return max(found_in(holds(inner)) - already, Count<R>{});
  };
  if (serving.host_cache.value() > 0 && in.chip.host_bandwidth.present()) {
    found.on_host = named<term::kFoundOnHost>(beyond(serving.host_cache, found.on_chip));
    found.fetching = found.on_host * of_prompt / of_one_chip(in.chip.host_bandwidth.value);
  }
  if (serving.disk_cache.value() > 0) {
    found.on_disk =
        named<term::kFoundOnDisk>(beyond(serving.disk_cache, found.on_chip + found.on_host));
    found.fetching = found.fetching + found.on_disk * of_prompt / serving.disk_bandwidth;
  }
  found.fetching = named<term::kFetchTime>(found.fetching);
  return found;
}

template Count<SCALING_REP> findable_share(const Serving<SCALING_REP>&);
template Count<SCALING_REP> still_held(TurnGaps, Count<SCALING_REP>);
template FoundPrefix<SCALING_REP> found_prefix(const ServingInput<SCALING_REP>&,
                                               const WeightBytes<SCALING_REP>&);

}  // namespace scaling
