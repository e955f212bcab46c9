// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/field.hpp"
#include "scaling/input/length_list.hpp"

namespace scaling {

namespace term {

inline constexpr Term kListedMean{"listedMean", "E[l]", kToken, "definition"};
inline constexpr Term kListedLongest{"listedLongest", "l_max", kToken, "definition"};

}  // namespace term

/// The source of requests.
enum class ServingLoad : std::uint8_t {
  kClosed,  ///< so many users, each of whom asks again once answered
  kOpen,    ///< so many requests a second, whatever the answers take
  kMost,    ///< requests queue, and as many are served at once as memory holds
  kStatic,  ///< one batch, prompts first and then answers
};
inline constexpr const char* kServingLoadNames[] = {"closed", "open", "most", "static"};

/// How the further turns of conversations come back to a server.
enum class TurnGaps : std::uint8_t {
  kRandom,  ///< each after a time of its own, by chance: exponential
  kRounds,  ///< each once in a round, in an order of chance
  kEven,    ///< all after the same time, so that their order stays
};
inline constexpr const char* kTurnGapsNames[] = {"random", "rounds", "even"};

/// The load of the servers, and their division.
template <class R>
struct Serving {
  static constexpr const char* kGroup = "serving";
  static constexpr const char* kPrefix = "serve.";
  template <class T>
  struct Slot {
    T serving;
    static constexpr T Slot::*kMember = &Slot::serving;
  };

  ServingLoad load;
  Count<R> users;                            ///< that wait or are answered at a time
  Quantity<kOne / kSecond, R> request_rate;  ///< requests a second
  Quantity<kToken, R> first_prompt, answer;  ///< of a request, or of a conversation's first turn
  /// Deviations of their lengths, over their means; 0: all are alike.
  Count<R> prompt_spread, answer_spread;
  LengthList prompt_list, answer_list;  ///< in place of their means and spreads, unless empty
  Count<R> images;                      ///< of that prompt, whose tokens it holds besides
  Count<R> prefix;                      ///< share of that prompt that the cache holds already
  Count<R> further_turns;               ///< of a conversation, after its first
  Quantity<kToken, R> turn;             ///< new tokens of each of these
  TurnGaps gaps;
  Quantity<kByte, R> host_cache, disk_cache;    ///< of a chip, for prefixes
  Quantity<kByte / kSecond, R> disk_bandwidth;  ///< of a chip, to its disks
  Count<R> host_layers;   ///< whole ones that lie in the host's memory, and that it computes
  Count<R> host_experts;  ///< layers whose routed experts do, those among them
  Quantity<kByte, R> host_memory;                      ///< of a chip
  Quantity<kByte / kSecond, R> host_memory_bandwidth;  ///< of a chip, by its channels
  Quantity<kFlop / kSecond, R> host_compute;           ///< of a chip
  Quantity<kSecond, R> think;  ///< time from an answer to the user's next request
  Maybe<Count<R>> together;    ///< share of requests that come all at once; none: as measured
  Quantity<kChip, R> chips;    ///< in all
  Count<R> tensor, attention_data, expert, pipeline;  ///< ways of a server's chips
  bool apart;                        ///< prefill and decode on servers of their own
  Quantity<kChip, R> prefill_chips;  ///< the chips that prefill, where that is apart
  Count<R> prefill_tensor, prefill_expert, prefill_data;
  Count<R> draft_tokens, acceptance, draft_cost;           ///< speculative decoding
  Maybe<Quantity<kSecond, R>> first_target, token_target;  ///< times to keep to
  Count<R> pue;                                ///< power of the site for that of the chips
  Maybe<Count<R>> target_share;                ///< share of requests within them; none: on average
  Maybe<Quantity<kDollar / kHour, R>> budget;  ///< for all chips

  /// Whether so many are served as there are users, not as requests come or queue.
  bool by_users() const { return load == ServingLoad::kClosed || load == ServingLoad::kStatic; }

  /// Whether users talk in turns, so that prompts repeat what came before.
  bool in_turns() const { return load == ServingLoad::kClosed && further_turns.value() > 0; }

  /// Whether users pause before they ask again.
  bool pauses() const { return load == ServingLoad::kClosed && think.value() > 0; }

  /// Requests of one batch are alike.
  bool prompts_differ() const { return differ(prompt_list, prompt_spread); }
  bool answers_differ() const { return differ(answer_list, answer_spread); }

  /// Whether weights lie in the host's memory.
  bool on_host() const { return host_layers.value() > 0 || host_experts.value() > 0; }

  /// Tokens of a prompt; of conversations on average, as each turn repeats all before it.
  Quantity<kToken, R> prompt() const {
    return in_turns() ? first_prompt + further_turns * (turn + answer) / 2.0 : first_prompt;
  }

  /// Tokens of the longest prompt and its answer, the last ones of a conversation. Without a list
  /// the longest is not known, and the mean stands for it.
  Quantity<kToken, R> longest() const {
    const auto sequence = longest_of(prompt_list, first_prompt) + longest_of(answer_list, answer);
    return in_turns() ? sequence + further_turns * (turn + answer) : sequence;
  }

  /// Takes the means of lengths that are listed.
  void settle() {
    const auto take = [](const LengthList& list, Quantity<kToken, R>& mean) {
      if (!list.empty()) mean = named_number<term::kListedMean, R>(list.mean);
    };
    take(prompt_list, first_prompt);
    take(answer_list, answer);
  }

  /// Chips that hold the model once.
  Count<R> server_chips() const { return tensor * attention_data * pipeline; }

  static constexpr auto fields() {  // NOLINT(readability-function-size): a table
    constexpr Range kShare{0, 1};
    constexpr Range kWays{1, 1e4};
    constexpr Range kTokens{1, 1e8};
    constexpr Range kSpread{0, 10};
    return Fields{
        choice(&Serving::load, "load", kServingLoadNames).asked().fallback(ServingLoad::kClosed),
        count(&Serving::users, "users", "B", {1, 1e7})
            .asked()
            .doubling()
            .fallback(64)
            .when("load", ServingLoad::kClosed, ServingLoad::kStatic),
        number(&Serving::request_rate, "requestRate", "q", {1e-6, 1e9})
            .asked()
            .fallback(1)
            .when("load", ServingLoad::kOpen),
        count(&Serving::first_prompt, "promptTokens", "T_in", kTokens)
            .asked()
            .doubling()
            .fallback(4096)
            .when_empty("promptLengths"),
        count(&Serving::answer, "answerTokens", "T_out", kTokens)
            .asked()
            .doubling()
            .fallback(512)
            .when_empty("answerLengths"),
        number(&Serving::prompt_spread, "promptSpread", "c_in", kSpread)
            .rare()
            .fallback(0)
            .when_empty("promptLengths"),
        number(&Serving::answer_spread, "answerSpread", "c_out", kSpread)
            .rare()
            .fallback(0)
            .when_empty("answerLengths"),
        text(&Serving::prompt_list, "promptLengths", {}).rare(),
        text(&Serving::answer_list, "answerLengths", {}).rare(),
        count(&Serving::images, "imagesPerPrompt", "n_image", {0, 1e5}).rare().fallback(0),
        number(&Serving::prefix, "prefixShare", "f_prefix", {0, 0.999}).in_percent().fallback(0),
        count(&Serving::further_turns, "furtherTurns", "n_turns", {0, 9999})
            .doubling()
            .fallback(0)
            .when("load", ServingLoad::kClosed),
        count(&Serving::turn, "turnTokens", "T_turn", kTokens)
            .doubling()
            .fallback(512)
            .when_positive("furtherTurns"),
        choice(&Serving::gaps, "turnGaps", kTurnGapsNames)
            .rare()
            .fallback(TurnGaps::kRandom)
            .when_positive("furtherTurns"),
        number(&Serving::host_cache, "hostCache", "M_host", {0, 1e14})
            .rare()
            .fallback(0)
            .when_positive("furtherTurns"),
        number(&Serving::disk_cache, "diskCache", "M_disk", {0, 1e16})
            .rare()
            .fallback(0)
            .when_positive("furtherTurns"),
        number(&Serving::disk_bandwidth, "diskBandwidth", "W_disk", {1e6, 1e13})
            .rare()
            .fallback(5e9)
            .when_positive("furtherTurns"),
        number(&Serving::think, "thinkTime", "T_think", {0, 86400})
            .fallback(0)
            .when("load", ServingLoad::kClosed),
        number(&Serving::together, "together", "sigma", kShare)
            .rare()
            .in_percent()
            .when("load", ServingLoad::kClosed),
        count(&Serving::chips, "chips", "n", {1, 1e6}).asked().doubling().fallback(8),
        count(&Serving::tensor, "tensor", "t", kWays).asked().doubling().searched().fallback(1),
        count(&Serving::attention_data, "attentionData", "d_attn", kWays)
            .asked()
            .doubling()
            .searched()
            .fallback(1),
        count(&Serving::expert, "expert", "e", kWays).asked().doubling().searched().fallback(1),
        count(&Serving::pipeline, "pipeline", "p", kWays).asked().doubling().searched().fallback(1),
        count(&Serving::host_layers, "hostLayers", "n_cpu", {0, 1e4}).rare().fallback(0),
        count(&Serving::host_experts, "hostExperts", "n_cpu,moe", {0, 1e4}).rare().fallback(0),
        number(&Serving::host_memory, "hostMemory", "M_ram", {0, 1e14}).rare().fallback(64e9),
        number(&Serving::host_memory_bandwidth, "hostMemoryBandwidth", "W_ram", {1e8, 1e14})
            .rare()
            .fallback(89.6e9),
        number(&Serving::host_compute, "hostCompute", "C_cpu", {1e9, 1e16}).rare().fallback(1e12),
        flag(&Serving::apart, "apart").asked().fallback(0),
        count(&Serving::prefill_chips, "prefillChips", "n_prefill", {1, 1e6})
            .doubling()
            .searched()
            .fallback(1)
            .when_positive("apart"),
        count(&Serving::prefill_tensor, "prefillTensor", "t_prefill", kWays)
            .rare()
            .doubling()
            .searched()
            .fallback(1)
            .when_positive("apart"),
        count(&Serving::prefill_expert, "prefillExpert", "e_prefill", kWays)
            .rare()
            .doubling()
            .searched()
            .fallback(1)
            .when_positive("apart"),
        count(&Serving::prefill_data, "prefillData", "d_prefill", kWays)
            .rare()
            .doubling()
            .searched()
            .fallback(1)
            .when_positive("apart"),
        count(&Serving::draft_tokens, "draftTokens", "gamma", {0, 64}).fallback(0),
        number(&Serving::acceptance, "acceptance", "alpha_draft", {0, 0.9999})
            .in_percent()
            .fallback(0.7)
            .when_positive("draftTokens"),
        number(&Serving::draft_cost, "draftCost", "c_draft", kShare)
            .rare()
            .in_percent()
            .fallback(0.05)
            .when_positive("draftTokens"),
        number(&Serving::first_target, "firstTarget", "TTFT_max", {1e-6, 1e6}),
        number(&Serving::token_target, "tokenTarget", "TPOT_max", {1e-6, 1e6}),
        number(&Serving::target_share, "targetShare", "p_target", {0.5, 0.9999}).in_percent(),
        number(&Serving::pue, "pue", "PUE", {1, 10}).rare().fallback(1),
        number(&Serving::budget, "budget", "b", {1e-3, 1e9}),
    };
  }

 private:
  bool differ(const LengthList& list, const Count<R>& spread) const {
    if (load == ServingLoad::kStatic) return false;
    return list.empty() ? spread.value() > 0 : list.square > 1;
  }
  static Quantity<kToken, R> longest_of(const LengthList& list, const Quantity<kToken, R>& mean) {
    return list.empty() ? mean : named_number<term::kListedLongest, R>(list.longest);
  }
};

}  // namespace scaling
