// SPDX-License-Identifier: MIT
#include "scaling/serving/load.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "scaling/model/transformer.hpp"
#include "scaling/quantity/logarithm.hpp"
#include "scaling/serving/step_memo.hpp"

namespace scaling {
namespace {

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

/// Slows the matmuls of a step that comes so many times a second: prompts keep the chip at its
/// power limit for as much of the time as these take.
template <class R>
void throttle(const ServingInput<R>& in, const WeightBytes<R>& weights, const ServerWays<R>& ways,
              StepTokens<R> tokens, decltype(Count<R>{} / Quantity<kSecond, R>{}) pace,
              StepParts<R>& parts) {
  tokens.sustained = scalar<R>(1);
  const auto hot = step_of(in, weights, ways, tokens);
  const auto share = named<term::kSustainedShare>(pace * (parts.matmuls + parts.experts));
  const auto matmuls = named<term::kSustainedMatmuls>(hot.matmuls);
  const auto experts = named<term::kSustainedExperts>(hot.experts);
  parts.matmuls = parts.matmuls + share * (matmuls - parts.matmuls);
  parts.experts = parts.experts + share * (experts - parts.experts);
}

/// New tokens of a prompt, and those that the cache holds already.
template <class R>
struct PromptTokens {
  Count<R> fresh, held;
};

template <class R>
PromptTokens<R> prompt_of(const Serving<R>& serving) {
  const auto prompt = as<kOne>(serving.prompt);
  if (serving.prefix.value() <= 0) return {prompt, Count<R>{}};
  const auto held = serving.prefix * prompt;
  return {max(prompt - held, scalar<R>(1)), held};
}

template <class R>
StepTokens<R> prompts_alone(Count<R> prompts, Count<R> queries, Count<R> past) {
  return {Count<R>{}, Count<R>{}, scalar<R>(1), prompts, queries, past};
}

/// The context of a sequence on average: its prompt and half of its answer.
template <class R>
Count<R> mean_context(const Serving<R>& serving) {
  return as<kOne>(serving.prompt) + as<kOne>(serving.answer) / 2.0;
}

template <class R>
[[gnu::noinline]] StepTokens<R> decoding(const Serving<R>& serving, Count<R> batch,
                                         Count<R> context) {
  return {batch, context, serving.draft_tokens + scalar<R>(1), Count<R>{}, Count<R>{}, Count<R>{}};
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
  const auto alone = step_of(in, weights, server_ways(in.serving), single).total();
  return step + in.serving.draft_tokens * in.serving.draft_cost * alone;
}

/// The share of requests that come all at once: of n that come by chance, some of the root of n.
template <class R>
[[gnu::noinline]] Count<R> together_share(const ServingInput<R>& in, Count<R> sequences) {
  if (in.serving.together.present()) return in.serving.together.value;
  const auto one = scalar<R>(1);
  return min(one, scalar<R>(in.constants.clump) / sqrt(max(sequences, one)));
}

/// The wait that a share of requests stays below: where servers are busy for a share of the time,
/// as many wait, and the mean of those is the mean over the share. The wait is exponential, after
/// Kingman.
template <class R>
[[gnu::noinline]] Quantity<kSecond, R> tail_of_queue(const Serving<R>& serving, Count<R> busy,
                                                     Quantity<kSecond, R> mean) {
  if (!serving.target_share.present()) return mean;
  const auto above = scalar<R>(1) - serving.target_share.value;
  if (!(busy > above)) return Quantity<kSecond, R>{};
  return mean / busy * scalar<R>(logarithm((busy / above).value()));
}

/// The same of a wave, whose waits lie evenly between none and twice their mean.
template <class R>
Quantity<kSecond, R> tail_of_wave(const Serving<R>& serving, Quantity<kSecond, R> mean) {
  if (!serving.target_share.present()) return mean;
  return 2.0 * serving.target_share.value * mean;
}

/// Says of all requests what is said of them on average.
template <class R>
void for_all(Served<R>& served) {
  served.first_spread = served.first;
  served.first_burst = served.first;
  served.first_tail = served.first;
}

/// Time that a wave of `prompts` equal prompts waits on average, served in steps of `per`.
template <class R>
Quantity<kSecond, R> wave_wait(Quantity<kSecond, R> one, Quantity<kSecond, R> of_step,
                               double prompts, double per) {
  const double steps = prompts / per;
  const auto half = scalar<R>(steps > 1 ? (steps - 1) / 2 : 0);
  return of_step - one + half * of_step;
}

}  // namespace

template <class R>
Count<R> tokens_of_step(Count<R> drafts, Count<R> acceptance) {
  const auto one = scalar<R>(1);
  auto sum = one;
  auto power = one;
  const auto n = static_cast<std::uint64_t>(drafts.value());
  for (std::uint64_t i = 0; i < n; ++i) {
    power = power * acceptance;
    sum = sum + power;
  }
  return sum;
}

template <class R>
Quantity<kSecond, R> prefill_time(const ServingInput<R>& in, const WeightBytes<R>& weights,
                                  const ServerWays<R>& ways, double prompts, bool idle) {
  const auto prompt = prompt_of(in.serving);
  const double fresh = prompt.fresh.value();
  const double budget = in.server.token_budget.value();
  const auto launches = idle ? prompt_launches(in) : Quantity<kSecond, R>{};
  const auto in_step = [&](double count, Count<R> queries, Count<R> past) {
    const auto tokens = prompts_alone(scalar<R>(count), queries, past);
    auto parts = step_of(in, weights, ways, tokens);
    if (idle && prompts <= 1) {
      parts.matmuls = named<term::kPrefillMatmuls>(parts.matmuls);
      parts.attention = named<term::kPrefillAttention>(parts.attention);
      parts.experts = named<term::kPrefillExperts>(parts.experts);
    }
    const auto kernels = parts.total();
    return launches.value() > 0 ? max(kernels, launches) : kernels;
  };
  if (fresh > budget) {
    const double pieces = std::ceil(fresh / budget);
    const auto piece = prompt.fresh / scalar<R>(pieces);
    const auto past = prompt.held + (prompt.fresh - piece) / 2.0;
    return scalar<R>(pieces * prompts) * in_step(1, piece, past);
  }
  const double per = std::fmax(1, std::fmin(prompts, std::floor(budget / fresh)));
  const double whole = std::floor(prompts / per);
  auto time = scalar<R>(whole) * in_step(per, prompt.fresh, prompt.held);
  const double rest = prompts - whole * per;
  if (rest > 1e-9) time = time + in_step(rest, prompt.fresh, prompt.held);
  return time;
}

template <class R>
ServingCycle<R> serving_cycle(const ServingInput<R>& in, const WeightBytes<R>& weights,
                              Count<R> batch) {
  const auto& serving = in.serving;
  const auto ways = server_ways(serving);
  const auto prompt = prompt_of(serving);
  const auto context = mean_context(serving);
  ServingCycle<R> cycle;
  cycle.steps =
      max(as<kOne>(serving.answer) / tokens_of_step(serving.draft_tokens, serving.acceptance),
          scalar<R>(1));
  cycle.decode_tokens = decoding(serving, batch, context);
  cycle.decode = step_of(in, weights, ways, cycle.decode_tokens);
  auto& parts = cycle.decode;
  parts.matmuls = named<term::kDecodeMatmuls>(parts.matmuls);
  parts.attention = named<term::kDecodeAttention>(parts.attention);
  parts.experts = named<term::kDecodeExperts>(parts.experts);
  parts.network = named<term::kDecodeNetwork>(parts.network);
  parts.elementwise = named<term::kDecodeElementwise>(parts.elementwise);
  parts.head = named<term::kDecodeHead>(parts.head);
  parts.launches = named<term::kDecodeLaunches>(parts.launches);
  const auto alone = named<term::kDecodeAlone>(parts.total());
  cycle.step = named<term::kDecodeStep>(with_drafts(in, weights, cycle.decode_tokens, alone));
  cycle.mixed_tokens = cycle.decode_tokens;
  cycle.mixed = cycle.step;
  cycle.mixed_steps = Count<R>{};
  cycle.time = cycle.steps * cycle.step;
  if (serving.apart || serving.load == ServingLoad::kStatic) return cycle;

  // A piece of prompts: whole ones where they fit, else a part of one, after half of the others.
  const double fresh = prompt.fresh.value();
  const double pace = batch.value() * fresh / cycle.steps.value();
  const double piece = std::fmin(in.server.token_budget.value(), std::fmax(fresh, pace));
  auto prompts = scalar<R>(1);
  auto queries = prompt.fresh;
  auto past = prompt.held;
  if (piece >= fresh) {
    prompts = scalar<R>(std::fmax(1, std::floor(piece / fresh + 0.5)));
  } else {
    queries = scalar<R>(piece);
    past = prompt.held + (prompt.fresh - queries) / 2.0;
  }
  cycle.mixed_steps = batch * prompt.fresh / (prompts * queries);
  auto decoding_then = batch;
  if (cycle.mixed_steps > cycle.steps) {
    decoding_then = batch * (cycle.steps / cycle.mixed_steps);
  }
  cycle.mixed_tokens = decoding(serving, decoding_then, context);
  cycle.mixed_tokens.prompts = prompts;
  cycle.mixed_tokens.queries = queries;
  cycle.mixed_tokens.past = past;
  const auto drafts = cycle.step - alone;
  cycle.mixed_steps = named<term::kMixedSteps>(cycle.mixed_steps);
  auto mixed = step_of(in, weights, ways, cycle.mixed_tokens);
  const auto others = max(cycle.steps - cycle.mixed_steps, Count<R>{}) * cycle.step;
  if (in.measured() && counts_all(in)) {
    mixed.matmuls = named<term::kBurstMatmuls>(mixed.matmuls);
    mixed.experts = named<term::kBurstExperts>(mixed.experts);
    const auto whole = others + cycle.mixed_steps * named<term::kBurstStep>(mixed.total() + drafts);
    throttle(in, weights, ways, cycle.mixed_tokens, cycle.mixed_steps / whole, mixed);
  }
  mixed.matmuls = named<term::kMixedMatmuls>(mixed.matmuls);
  mixed.attention = named<term::kMixedAttention>(mixed.attention);
  mixed.experts = named<term::kMixedExperts>(mixed.experts);
  cycle.mixed = named<term::kMixedStep>(mixed.total() + drafts);
  cycle.time = named<term::kCycleTime>(others + cycle.mixed_steps * cycle.mixed);
  return cycle;
}

template <class R>
Served<R> serve(const ServingInput<R>& in, const WeightBytes<R>& weights,
                const LoadChoice& choice) {
  const auto& serving = in.serving;
  const auto& constants = in.constants;
  const auto ways = server_ways(serving);
  const auto first_ways = prefill_ways(serving);
  const auto prompt = prompt_of(serving);
  const auto one = scalar<R>(1);
  Served<R> served;
  const auto groups = scalar<R>(choice.groups);
  const bool by_users =
      serving.load == ServingLoad::kClosed || serving.load == ServingLoad::kStatic;
  // Fewer users than groups leave some groups idle.
  const bool idle = by_users && in.serving.users.value() < choice.groups;
  served.batch = scalar<R>(choice.batch);
  if (by_users && choice.batch == choice.wanted) served.batch = max(serving.users / groups, one);
  served.batch = named<term::kServingBatch>(served.batch);
  served.cycle = serving_cycle(in, weights, served.batch);
  const auto& cycle = served.cycle;
  served.prefill = named<term::kPrefillTime>(prefill_time(in, weights, first_ways, 1, true));
  // One batch has no front end before it.
  const bool batch_alone = serving.load == ServingLoad::kStatic;
  const auto front = seconds_of<R>(in.measured() && !batch_alone ? constants.front_end : 0);
  const auto begin = front + seconds_of<R>(in.measured() ? constants.first_token : 0);
  const auto answer = serving.answer;
  const auto further = max(cycle.steps - one, Count<R>{});
  served.token = cycle.step;
  served.busy = one;
  served.wait = Quantity<kSecond, R>{};
  served.transfer = Quantity<kSecond, R>{};

  // The time that one prompt takes a group, among steps that decode.
  const auto each = named<term::kPromptTime>(
      max((cycle.time - cycle.steps * cycle.step) / served.batch, Quantity<kSecond, R>{}));
  const double per_step =
      std::fmax(1, std::floor(in.server.token_budget.value() / prompt.fresh.value()));
  const double pieces = std::fmax(1, prompt.fresh.value() / in.server.token_budget.value());

  if (serving.apart) {
    // The host launches the kernels of the next prompt while one runs.
    const auto steady = prefill_time(in, weights, first_ways, 1);
    const auto prefillers = scalar<R>(choice.prefillers) * first_ways.data;
    auto batch_speed = groups * served.batch * answer / cycle.time;
    const auto limit = prefillers * answer / steady;
    // Servers that answer are busy with all that they hold, not with what prompts leave them.
    auto full = served.batch;
    auto full_time = cycle.time;
    const double held = std::fmin(std::fmax(1, choice.most), in.server.most_sequences.value());
    if (by_users && std::fmin(choice.wanted, held) > choice.batch) {
      full = scalar<R>(std::fmin(choice.wanted, held));
      full_time = serving_cycle(in, weights, full).time;
    }
    served.balance = steady * full * ways.data * ways.pipeline / (full_time * first_ways.data);
    batch_speed = min(batch_speed, limit);
    auto requests = batch_speed / answer;
    if (serving.load == ServingLoad::kOpen) requests = serving.request_rate;
    const auto kv = kv_bytes(in).of_sequence(serving.prompt);
    const auto out = in.chip.scale_out_bandwidth;
    if (out.present()) {
      served.transfer = kv / (of_one_chip(out.value) * min(first_ways.chips(), ways.chips()));
    }
    served.busy = min(requests * steady / prefillers, scalar<R>(constants.most_busy));
    served.wait = served.busy * steady / (2.0 * (one - served.busy));
    if (serving.load == ServingLoad::kMost) served.wait = Quantity<kSecond, R>{};
    // No more than there are users: on average half of the others' prompts come before.
    const double wave = choice.wanted * choice.groups / choice.prefillers;
    const auto others = scalar<R>(wave > 1 ? (wave - 1) / 2 : 0) * steady;
    if (by_users) served.wait = min(served.wait, others);
    served.first_spread = served.prefill + begin + served.transfer + served.wait;
    served.first_burst = served.first_spread;
    if (by_users) served.first_burst = served.first_spread + others;
    served.first =
        served.first_spread + together_share(in, scalar<R>(choice.wanted * choice.groups)) *
                                  (served.first_burst - served.first_spread);
    served.first_tail =
        served.first - served.wait + tail_of_queue(serving, served.busy, served.wait);
    served.token = cycle.time / cycle.steps;
    served.speed = batch_speed;
    if (serving.load == ServingLoad::kOpen && !choice.saturated) {
      served.speed = serving.request_rate * answer;
    }
    if (by_users) {
      if (choice.batch < choice.wanted) {
        // The others wait, for prefill or for room (Little's law).
        const auto waiting = serving.users * answer / batch_speed - further * served.token;
        served.first = max(served.first, waiting);
        served.first_burst = max(served.first_burst, waiting);
        served.first_tail = max(served.first_tail, waiting);
      }
      // Users wait for their first tokens, too.
      served.speed =
          min(batch_speed, serving.users * answer / (served.first + further * served.token));
    }
  } else {
    switch (serving.load) {
      case ServingLoad::kStatic: {
        const auto prompts = prefill_time(in, weights, ways, choice.batch, true);
        served.first = prompts + begin;
        for_all(served);
        if (further.value() > 0) {
          // Contexts grow: the mean of a smooth function over them.
          const double points[] = {0.1127, 0.5, 0.8873};
          const double shares[] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
          Quantity<kSecond, R> mean{};
          for (int i = 0; i < 3; ++i) {
            const auto context = as<kOne>(serving.prompt) + scalar<R>(points[i]) * as<kOne>(answer);
            const auto tokens = decoding(serving, served.batch, context);
            mean = mean +
                   scalar<R>(shares[i]) *
                       with_drafts(in, weights, tokens, step_of(in, weights, ways, tokens).total());
          }
          served.token = mean;
        }
        const auto whole = served.first + further * served.token;
        served.busy = prompts / whole;
        served.speed = (idle ? serving.users : groups * served.batch) * answer / whole;
        break;
      }
      case ServingLoad::kMost:
        served.busy = served.batch * each / cycle.time;
        served.token = cycle.time / cycle.steps;
        served.wait = served.busy * cycle.mixed / 2.0;
        served.first = served.prefill + begin + cycle.step / 2.0;
        for_all(served);
        served.speed = groups * served.batch * answer / cycle.time;
        break;
      case ServingLoad::kClosed: {
        served.busy = min(served.batch * each / cycle.time, scalar<R>(constants.most_busy));
        served.busy = named<term::kPrefillShare>(served.busy);
        const auto queued = min(served.busy * each / (2.0 * (one - served.busy)),
                                max((served.batch - one) / 2.0, Count<R>{}) * each);
        const double together =
            pieces > 1 ? 1 : std::fmax(1, std::floor(std::fmin(choice.batch, per_step)));
        const auto of_step =
            pieces > 1 ? served.prefill : prefill_time(in, weights, ways, together, true);
        auto wave = wave_wait(served.prefill, of_step, choice.batch, together);
        wave = named<term::kWaveTime>(max(min(wave, 0.9 * cycle.time), Quantity<kSecond, R>{}));
        const auto together_now = together_share(in, served.batch);
        const auto waited = [&] {
          return queued + together_now * max(wave - queued, Quantity<kSecond, R>{});
        };
        // A request takes a cycle from its first prompt to its last answer.
        served.token = max(cycle.step, (cycle.time - served.prefill - waited()) / cycle.steps);
        // The front end, beside the steps, takes them one by one, too.
        wave = wave + front * ((served.batch - one) / 2.0);
        served.wait = waited();
        auto base = served.prefill + begin + cycle.step / 2.0;
        if (choice.wanted > choice.batch) {
          base = base + scalar<R>(choice.wanted / choice.batch - 1) * cycle.time;
        }
        served.first = base + served.wait;
        if (serving.target_share.present()) {
          const auto one_by_one = tail_of_queue(serving, served.busy, queued);
          const auto at_once = tail_of_wave(serving, wave);
          served.first_tail =
              base + one_by_one + together_now * max(at_once - one_by_one, Quantity<kSecond, R>{});
        } else {
          served.first_tail = served.first;
        }
        served.first_spread = base + min(queued, wave);
        served.first_burst = base + max(queued, wave);
        const auto asking = idle ? serving.users : scalar<R>(choice.wanted) * groups;
        served.speed = asking * answer / (served.first + further * served.token);
        break;
      }
      case ServingLoad::kOpen: {
        const auto slowed = max(cycle.mixed - cycle.step, Quantity<kSecond, R>{});
        const auto arriving = serving.request_rate / groups;
        const auto of_prompt = pieces > 1 || cycle.mixed_tokens.prompts.value() > 1 ? each : slowed;
        served.busy = min(arriving * of_prompt, scalar<R>(constants.most_busy));
        served.token = cycle.step / (one - served.busy);
        served.wait = served.busy * of_prompt / (2.0 * (one - served.busy));
        served.first_spread = served.prefill + begin + served.token / 2.0 + served.wait;
        served.first = served.first_spread;
        served.first_burst = served.first_spread + served.busy * served.prefill;
        served.first_tail =
            served.first - served.wait + tail_of_queue(serving, served.busy, served.wait);
        served.speed = serving.request_rate * answer;
        break;
      }
    }
  }
  // Speculation gives several tokens a step.
  served.token = served.token * (cycle.steps / as<kOne>(answer));
  served.token_tail = served.token;
  if (serving.target_share.present() && cycle.mixed_steps.value() > 0) {
    // Steps with prompts of others are the long ones.
    const bool often =
        cycle.mixed_steps > (scalar<R>(1) - serving.target_share.value) * cycle.steps;
    const auto longest = often ? cycle.mixed : cycle.step;
    served.token_tail = max(served.token, longest * (cycle.steps / as<kOne>(answer)));
  }

  served.first_floor =
      step_floor(in, weights, first_ways, prompts_alone(one, prompt.fresh, prompt.held));
  const bool full = serving.load == ServingLoad::kStatic;
  auto lone = decoding(serving, full ? served.batch : one, as<kOne>(serving.prompt));
  served.token_floor = step_floor(in, weights, ways, lone) * (cycle.steps / as<kOne>(answer));
  const auto sent = min(in.server.stream_interval, as<kOne>(answer));
  if (sent.value() > 1) {
    // Tokens that are sent together come with the last of them, so that fewer come after the first.
    const auto held = (sent - one) * served.token;
    served.first = served.first + held;
    served.first_spread = served.first_spread + held;
    served.first_burst = served.first_burst + held;
    served.first_tail = served.first_tail + held;
    const auto later = (as<kOne>(answer) - sent) / (as<kOne>(answer) - one);
    served.token = served.token * later;
    served.token_floor = served.token_floor * later;
  }
  // Each sequence takes all steps of a cycle, and all tokens their FLOPs. More sequences may fit if
  // all memory but that of weights holds tokens.
  auto most = served.batch;
  if (serving.load == ServingLoad::kMost) {
    const auto room =
        max(of_one_chip(in.chip.memory) - weights_of_chip(weights, ways), Quantity<kByte, R>{});
    const auto kv = kv_of_chip(in, ways).of_sequence(serving.prompt);
    most = max(most, room / (kv * ways.pipeline));
  }
  auto work = decoding(serving, most, as<kOne>(serving.prompt));
  const auto reading = cycle.steps * step_floor(in, weights, ways, work);
  auto least = reading;
  if (!serving.apart) {
    const auto batch_prompts =
        step_floor(in, weights, ways, prompts_alone(most, prompt.fresh, Count<R>{}));
    least = max(reading, batch_prompts);
  }
  served.speed_limit = groups * most * answer / least;
  return served;
}

namespace {

template <class R>
Count<R> first_excess(const Serving<R>& serving, const Served<R>& served) {
  if (!serving.first_target.present()) return {};
  return max(served.first_tail, served.first_floor) / serving.first_target.value;
}

template <class R>
Count<R> token_excess(const Serving<R>& serving, const Served<R>& served) {
  if (!serving.token_target.present()) return {};
  return max(served.token_tail, served.token_floor) / serving.token_target.value;
}

}  // namespace

template <class R>
Count<R> target_excess(const Serving<R>& serving, const Served<R>& served) {
  return max(first_excess(serving, served), token_excess(serving, served));
}

template <class R>
TargetLimit target_limit(const Serving<R>& serving, const Served<R>& served) {
  const auto of_first = first_excess(serving, served).value();
  const auto of_token = token_excess(serving, served).value();
  if (of_first <= 1 && of_token <= 1) return TargetLimit::kNone;
  if (of_first >= of_token) {
    if (served.first_floor > serving.first_target.value) return TargetLimit::kPromptFloor;
    return served.prefill > serving.first_target.value ? TargetLimit::kPrompt : TargetLimit::kQueue;
  }
  if (served.token_floor > serving.token_target.value) return TargetLimit::kStepFloor;
  const auto of_step = served.cycle.step * (served.cycle.steps / as<kOne>(serving.answer));
  return of_step > serving.token_target.value ? TargetLimit::kStep : TargetLimit::kPrompts;
}

template Count<SCALING_REP> target_excess(const Serving<SCALING_REP>&, const Served<SCALING_REP>&);
template TargetLimit target_limit(const Serving<SCALING_REP>&, const Served<SCALING_REP>&);
template Count<SCALING_REP> tokens_of_step(Count<SCALING_REP>, Count<SCALING_REP>);
template Quantity<kSecond, SCALING_REP> prefill_time(const ServingInput<SCALING_REP>&,
                                                     const WeightBytes<SCALING_REP>&,
                                                     const ServerWays<SCALING_REP>&, double, bool);
template ServingCycle<SCALING_REP> serving_cycle(const ServingInput<SCALING_REP>&,
                                                 const WeightBytes<SCALING_REP>&,
                                                 Count<SCALING_REP>);
template Served<SCALING_REP> serve(const ServingInput<SCALING_REP>&,
                                   const WeightBytes<SCALING_REP>&, const LoadChoice&);

}  // namespace scaling
