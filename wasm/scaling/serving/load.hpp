// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "scaling/serving/cycle.hpp"

namespace scaling {

namespace term {

inline constexpr Term kPrefillTime{"prefillTime", "T_prefill", kSecond, "book-applied-inference"};
inline constexpr Term kServingBatch{"servingBatch", "B_step", kOne, "orca"};
inline constexpr Term kSequencesWanted{"sequencesWanted", "B_asked", kOne, "definition"};
inline constexpr Term kSequencesHeld{"sequencesHeld", "B_held", kOne, "paged-attention"};
inline constexpr Term kBatchGroups{"batchGroups", "n_groups", kOne, "definition"};
inline constexpr Term kWaveOthers{"waveOthers", "n_others", kOne, "queueing"};
inline constexpr Term kServersUsed{"serversUsed", "n_servers", kOne, "definition"};
inline constexpr Term kPrefillersUsed{"prefillersUsed", "n_prefillers", kOne, "definition"};
inline constexpr Term kQueueTime{"queueTime", "T_wait", kSecond, "queueing"};
inline constexpr Term kPrefillShare = Term{"prefillShare", "rho", kOne, "queueing"}.in_percent();
inline constexpr Term kPromptTime{"promptTime", "T_prompt", kSecond, "sarathi"};
inline constexpr Term kWaveTime{"waveTime", "T_wave", kSecond, "queueing"};
inline constexpr Term kPlaceCycles{"placeCycles", "n_wait", kOne, "queueing"};
inline constexpr Term kPlaceTime{"placeTime", "T_place", kSecond, "queueing"};
inline constexpr Term kOwnStep{"ownStep", "T_step,own", kSecond, "queueing"};
inline constexpr Term kTokenRatio{"tokenRatio", "TPOT_p/TPOT", kOne, "queueing"};
inline constexpr Term kBeginTime{"beginTime", "T_begin", kSecond, "measured-serving"};

}  // namespace term

/// Sequences that are served at a time, chosen on plain numbers: a fixed point where requests come
/// at a rate.
struct LoadChoice {
  bool fits = false;       ///< one sequence, beside the weights, of servers of each role
  bool saturated = false;  ///< requests come faster than they can be served
  double servers = 1;      ///< that answer
  double prefillers = 0;   ///< that prefill, where they are apart
  double groups = 1;       ///< ranks of attention times stages, of all servers: each has a batch
  double wanted = 1;       ///< sequences of a group that wait or are answered
  double most = 0;         ///< that a group's cache holds
  double batch = 1;        ///< that a group works on at a time
};

LoadChoice choose_load(const ServingInput<double>& in, const WeightBytes<double>& weights);

/// The same, whatever prefills.
LoadChoice choose_answers(const ServingInput<double>& in, const WeightBytes<double>& weights);

/// Limits the load, where prefill is apart, to the prompts that come through, `prompts` a second:
/// users that are not among them wait for prefill, and requests that come faster pile up.
void limit_to_prompts(const ServingInput<double>& in, const WeightBytes<double>& weights,
                      double prompts, LoadChoice& choice);

/// The result of serving a load.
template <class R>
struct Served {
  Count<R> batch;  ///< of a group
  ServingCycle<R> cycle;
  Quantity<kSecond, R> prefill;       ///< of one prompt alone, on average
  Quantity<kSecond, R> prefill_tail;  ///< that a share of prompts keeps to; on average without one
  Quantity<kSecond, R> first;         ///< time to the first token, on average
  Quantity<kSecond, R> first_floor;   ///< never less
  Quantity<kSecond, R> first_spread;  ///< if requests never come together
  Quantity<kSecond, R> first_burst;   ///< if they always do
  Quantity<kSecond, R> wait{};        ///< the part of it that waits for the prompts of others
  Quantity<kSecond, R> queued{};      ///< the same of requests that come one by one
  Quantity<kSecond, R> wave{};        ///< the same of those that come together
  Count<R> together{};                ///< share of requests that do
  Quantity<kSecond, R> clear{};       ///< the part of it that requests do not differ in
  Quantity<kSecond, R> place{};       ///< the part of it that waits for a place among those served
  Quantity<kSecond, R> begin;         ///< the part of it beside prefill, waits and transfer
  Quantity<kSecond, R> transfer{};    ///< the part of it that moves the cache from prefill
  Quantity<kSecond, R> fetch;         ///< the part of it that brings prefixes from beyond the chips
  Quantity<kSecond, R> first_tail;    ///< that a share of requests keeps to; on average without one
  Quantity<kSecond, R> answering;     ///< time that the steps of an answer take, on average
  Quantity<kSecond, R> ahead{};      ///< of that, for prompts that came before, whatever its length
  Quantity<kSecond, R> token;        ///< time for each further token, on average
  Quantity<kSecond, R> token_tail;   ///< that a share of requests keeps to; on average without one
  Quantity<kSecond, R> token_floor;  ///< never less
  Quantity<kToken / kSecond, R> speed;        ///< tokens a second, answers of all users
  Quantity<kToken / kSecond, R> speed_limit;  ///< never more
  Count<R> busy;                              ///< share of steps that prompts take, or of the time
  Count<R> balance;  ///< prefill servers for one that answers, where all are busy
};

/// Computes it. The time to the first token is the sum of its parts. A batch takes its prompts
/// first, then its steps at the mean context, by three points of Gauss. In a closed loop, requests
/// wait for the prompts before them: of those that come one by one as in a queue of fixed work
/// (M/D/1; M/G/1 where prompts are unlike), of those that come together for half of the others.
/// Users beyond those that are served at a time wait for a place: as many cycles as the others are
/// more. In an open loop, prompts slow the answers (see `open_answer`). Apart, prompts wait for
/// prefill servers alone, and the cache moves over the scale-out network. That a share of requests
/// waits at most so long follows from the mean: waiting times of requests that come one by one are
/// taken as exponential, those of requests that come together as uniform. Prompts of unlike lengths
/// add to their waits. Source: fitted to published measurements; M/D/1:
/// Pollaczek-Khinchine; exponential tail: Kingman 1962, heavy traffic.
template <class R>
Served<R> serve(const ServingInput<R>& in, const WeightBytes<R>& weights, const LoadChoice& choice);

/// The time to the first token, or for a further one, over its target, whichever is larger; 0
/// without targets. A ratio of at most 1 keeps to them.
template <class R>
Count<R> target_excess(const Serving<R>& serving, const Served<R>& served);

/// The obstacle of the target that is missed the most.
enum class TargetLimit : std::uint8_t {
  kNone,         ///< nothing: targets are kept
  kPromptFloor,  ///< a prompt alone, even at full rates
  kPrompt,       ///< a prompt alone
  kQueue,        ///< waiting for the prompts of others
  kStepFloor,    ///< a step of one sequence, even at full rates
  kStep,         ///< a step
  kPrompts,      ///< prompts of others in steps
  kPlace,        ///< waiting for a place among those that are served
};
inline constexpr const char* kTargetLimitNames[] = {"none",      "promptFloor", "prompt",  "queue",
                                                    "stepFloor", "step",        "prompts", "place"};

template <class R>
TargetLimit target_limit(const Serving<R>& serving, const Served<R>& served);

}  // namespace scaling
