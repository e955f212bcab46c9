// SPDX-License-Identifier: MIT
#include "scaling/serving/load.hpp"

#include <algorithm>
#include <cmath>

#include "scaling/model/transformer.hpp"
#include "scaling/serving/load_parts.hpp"
#include "scaling/serving/percentiles.hpp"
#include "scaling/serving/waits.hpp"

namespace scaling {
namespace {

/// Says of requests that come together, or never do, what is said of them on average.
template <class R>
void for_all(Served<R>& served) {
  served.first_spread = served.first;
  served.first_burst = served.first;
}

/// Sequences that a group works on at a time, from what limits them.
template <class R>
Count<R> batch_of(const LoadParts<R>& of) {
  const auto& choice = of.choice;
  if (of.by_users && choice.batch == choice.wanted && !of.in.serving.pauses()) {
    return max(of.in.serving.users / of.groups, scalar<R>(1));
  }
  const auto& most = of.in.server.most_sequences;
  if (choice.batch == most.value()) return most;
  // On plain numbers it is known.
  if constexpr (!std::is_same_v<R, double>) {
    if (choice.batch == choice.most) {
      return cache_room(of.in, of.weights, of.answering).sequences / of.answering.ways.pipeline;
    }
  }
  return scalar<R>(choice.batch);
}

template <class R>
void serve_apart(const LoadParts<R>& of, Served<R>& served) {
  const auto& in = of.in;
  const auto& choice = of.choice;
  const auto& serving = in.serving;
  const auto& cycle = served.cycle;
  const auto answer = serving.answer;
  // The host launches the kernels of the next prompt while one runs.
  const auto steady = prefill_time(in, of.weights, of.prefilling.ways, 1);
  const auto prefillers =
      named_number<term::kPrefillersUsed, R>(choice.prefillers) * of.prefilling.ways.data;
  auto batch_speed = of.groups * served.batch * answer / cycle.time;
  const auto limit = prefillers * answer / steady;
  // Servers that answer are busy with all that they hold, not with what prompts leave them.
  auto full = served.batch;
  auto full_time = cycle.time;
  const bool by_prompts = of.by_users && std::fmin(choice.wanted, of.held()) > choice.batch;
  if (by_prompts) {
    full = named_number<term::kSequencesHeld, R>(std::fmin(choice.wanted, of.held()));
    full_time = serving_cycle(in, of.weights, full).time;
  }
  served.balance = steady * full * of.answering.ways.data * of.answering.ways.pipeline /
                   (full_time * of.prefilling.ways.data);
  batch_speed = min(batch_speed, limit);
  auto requests = batch_speed / answer;
  if (serving.load == ServingLoad::kOpen) requests = serving.request_rate;
  const auto kv = kv_bytes(in).of_sequence(serving.prompt());
  const auto out = in.chip.scale_out_bandwidth;
  if (out.present()) {
    served.transfer =
        kv / (of_one_chip(out.value) * min(of.prefilling.ways.chips(), of.answering.ways.chips()));
  }
  served.busy = min(requests * steady / prefillers, scalar<R>(in.constants.most_busy));
  served.begin = named<term::kBeginTime>(of.begin);
  auto& queued = served.queued;
  if (serving.load != ServingLoad::kMost) queued = queue_wait(served.busy, steady, of.unlike);
  // No more than there are users: on average half of the others' prompts come before.
  const double wave = choice.wanted * choice.groups / choice.prefillers;
  const auto others = named_number<term::kWaveOthers, R>(wave > 1 ? (wave - 1) / 2 : 0) * steady;
  if (of.by_users) queued = min(queued, others);
  served.first_spread = of.unhindered(served) + served.transfer + queued;
  served.first_burst = served.first_spread;
  if (of.by_users) served.first_burst = served.first_spread + others;
  const auto together =
      together_share(in, named_number<term::kSequencesWanted, R>(choice.wanted * choice.groups)) *
      (served.first_burst - served.first_spread);
  served.wait = queued + together;
  served.first = served.first_spread + together;
  served.clear = served.first - queued;
  served.token = cycle.time / cycle.steps;
  served.speed = batch_speed;
  if (serving.load == ServingLoad::kOpen && !choice.saturated) {
    const auto own = named_number<term::kSequencesWanted, R>(choice.wanted);
    served.token = open_answer(in, of.weights, cycle, own, OpenPrompts<R>{}) / cycle.steps;
    served.speed = serving.request_rate * answer;
  }
  if (!of.by_users) return;
  const auto further = of.further(served);
  if (choice.batch < choice.wanted) {
    // The others wait, for prefill or for room (Little's law).
    auto whole = serving.users * answer / batch_speed - further * served.token;
    if (serving.pauses()) whole = whole - serving.think;
    const auto more = max(whole - served.first, Quantity<kSecond, R>{});
    if (by_prompts) {
      served.wait = served.wait + more;
    } else {
      served.place = named<term::kPlaceTime>(more);
    }
    served.first = served.first + more;
    served.clear = served.clear + more;
    served.first_burst = max(served.first_burst, served.first);
  }
  // Users wait for their first tokens, too.
  served.speed = min(batch_speed, serving.users * answer / of.round_of(served));
}

template <class R>
void serve_static(const LoadParts<R>& of, Served<R>& served) {
  const auto& in = of.in;
  const auto& serving = in.serving;
  const auto answer = serving.answer;
  const auto prompts = prefill_time(in, of.weights, of.answering.ways, of.choice.batch, true);
  served.begin = named<term::kBeginTime>(of.begin);
  served.wait = max(prompts - served.prefill, Quantity<kSecond, R>{});
  served.first = prompts + served.begin;
  for_all(served);
  const auto further = of.further(served);
  if (further.value() > 0) {
    const auto one = scalar<R>(1);
    // Contexts grow: the mean of a smooth function over them.
    const auto near = scalar<R>(in.constants.gauss_point);
    const Count<R> points[] = {near, one / 2.0, one - near};
    const double shares[] = {5, 8, 5};
    Quantity<kSecond, R> mean{};
    for (int i = 0; i < 3; ++i) {
      const auto context = as<kOne>(serving.prompt()) + points[i] * as<kOne>(answer);
      mean =
          mean + scalar<R>(shares[i]) / 18.0 * decode_time(in, of.weights, served.batch, context);
    }
    served.token = mean;
  }
  const auto whole = served.first + further * served.token;
  served.busy = prompts / whole;
  served.speed = (of.idle ? serving.users : of.groups * served.batch) * answer / whole;
}

template <class R>
void serve_most(const LoadParts<R>& of, Served<R>& served) {
  const auto& cycle = served.cycle;
  served.busy = served.batch * of.each(cycle, served.batch) / cycle.time;
  served.token = cycle.time / cycle.steps;
  // The queue never ends: the first token counts from where a request leaves it.
  served.begin = named<term::kBeginTime>(of.begin + cycle.step / 2.0);
  served.first = of.unhindered(served);
  served.clear = served.first - served.prefill;
  for_all(served);
  served.speed = of.groups * served.batch * of.in.serving.answer / cycle.time;
}

template <class R>
void serve_closed(const LoadParts<R>& of, Served<R>& served) {
  const auto& in = of.in;
  const auto& choice = of.choice;
  const auto& serving = in.serving;
  const auto& cycle = served.cycle;
  const auto one = scalar<R>(1);
  const auto each = of.each(cycle, served.batch);
  const double per_step =
      std::fmax(1, std::floor(in.server.token_budget.value() / of.prompt.fresh.value()));
  served.busy = min(served.batch * each / cycle.time, scalar<R>(in.constants.most_busy));
  served.busy = named<term::kPrefillShare>(served.busy);
  served.queued = min(queue_wait(served.busy, each, of.unlike),
                      max((served.batch - one) / 2.0, Count<R>{}) * each);
  const auto& queued = served.queued;
  const bool pieces = of.pieces() > 1;
  const double together = pieces ? 1 : std::fmax(1, std::floor(std::fmin(choice.batch, per_step)));
  const auto of_step =
      pieces ? served.prefill : prefill_time(in, of.weights, of.answering.ways, together, true);
  auto& wave = served.wave;
  wave = wave_wait(served.prefill, of_step, served.batch, together);
  wave = named<term::kWaveTime>(
      max(min(wave, scalar<R>(in.constants.most_wave) * cycle.time), Quantity<kSecond, R>{}));
  served.together = together_share(in, served.batch);
  const auto waited = [&] {
    return queued + served.together * max(wave - queued, Quantity<kSecond, R>{});
  };
  // A request takes a cycle from its first prompt to its last answer.
  served.token = max(cycle.step, (cycle.time - served.prefill - waited()) / cycle.steps);
  // The front end, beside the steps, takes them one by one, too.
  wave = wave + of.front * ((served.batch - one) / 2.0);
  served.wait = waited();
  served.begin = named<term::kBeginTime>(of.begin + cycle.step / 2.0);
  auto base = of.unhindered(served);
  if (choice.wanted > choice.batch) {
    // Users without a place wait until the ones who have one are answered.
    const auto asking = serving.pauses() ? named_number<term::kSequencesWanted, R>(choice.wanted)
                                         : serving.users / of.groups;
    const auto cycles = named<term::kPlaceCycles>(asking / served.batch - scalar<R>(1));
    served.place = named<term::kPlaceTime>(cycles * cycle.time);
    base = base + served.place;
  }
  served.first = base + served.wait;
  served.clear = base;
  served.first_spread = base + min(queued, wave);
  served.first_burst = base + max(queued, wave);
  const auto asking = of.idle || serving.pauses()
                          ? serving.users
                          : named_number<term::kSequencesWanted, R>(choice.wanted) * of.groups;
  served.speed = asking * serving.answer / of.round_of(served);
}

template <class R>
void serve_open(const LoadParts<R>& of, Served<R>& served) {
  const auto& in = of.in;
  const auto& serving = in.serving;
  const auto& cycle = served.cycle;
  const auto prompts = open_prompts(of, cycle, served.batch);
  const auto others = named_number<term::kSequencesWanted, R>(of.choice.wanted);
  served.busy = prompts.busy;
  served.token = open_answer(in, of.weights, cycle, others, prompts) / cycle.steps;
  served.queued = prompts.wait;
  served.ahead = prompts.ahead();
  served.wait = served.queued;
  served.begin = named<term::kBeginTime>(of.begin + served.token / 2.0);
  served.first_spread = of.unhindered(served) + served.wait;
  served.first = served.first_spread;
  served.first_burst = served.first_spread + served.busy * served.prefill;
  served.clear = served.first - served.wait;
  served.speed = serving.request_rate * serving.answer;
}

/// Tokens that are sent together come with the last of them, so that fewer come after the first.
template <class R>
void send_together(const Serving<R>& serving, Count<R> sent, Served<R>& served) {
  const auto one = scalar<R>(1);
  const auto held = (sent - one) * served.token;
  served.begin = named<term::kBeginTime>(served.begin + held);
  served.first = served.first + held;
  served.first_spread = served.first_spread + held;
  served.first_burst = served.first_burst + held;
  served.clear = served.clear + held;
  served.first_tail = served.first_tail + held;
  const auto later = (as<kOne>(serving.answer) - sent) / (as<kOne>(serving.answer) - one);
  served.token = served.token * later;
  served.token_floor = served.token_floor * later;
}

/// The most tokens a second: each sequence takes all steps of a cycle, and all tokens their FLOPs.
/// More sequences may fit if all memory but that of weights holds tokens.
template <class R>
Quantity<kToken / kSecond, R> speed_limit(const LoadParts<R>& of, const Served<R>& served) {
  const auto& in = of.in;
  const auto& serving = in.serving;
  auto most = served.batch;
  if (serving.load == ServingLoad::kMost) {
    const auto room =
        max(of_one_chip(in.chip.memory) - weights_of_chip(of.weights, of.answering.ways),
            Quantity<kByte, R>{});
    const auto kv = kv_of_chip(in, of.answering.ways).of_sequence(serving.prompt());
    most = max(most, room / (kv * of.answering.ways.pipeline));
  }
  auto work = decoding(serving, most, as<kOne>(serving.prompt()));
  const auto reading = served.cycle.steps * step_floor(in, of.weights, of.answering.ways, work);
  auto least = reading;
  if (!serving.apart) {
    const auto batch_prompts = step_floor(in, of.weights, of.answering.ways,
                                          prompts_alone(most, of.prompt.fresh, Count<R>{}));
    least = max(reading, batch_prompts);
  }
  return of.groups * most * serving.answer / least;
}

}  // namespace

template <class R>
Served<R> serve(const ServingInput<R>& in, const WeightBytes<R>& weights,
                const LoadChoice& choice) {
  const LoadParts<R> of(in, weights, choice);
  const auto& serving = in.serving;
  const auto one = scalar<R>(1);
  Served<R> served;
  served.batch = batch_of(of);
  served.batch = named<term::kServingBatch>(served.batch);
  served.cycle = serving_cycle(in, weights, served.batch);
  const auto& cycle = served.cycle;
  served.prefill =
      named<term::kPrefillTime>(prefill_time(in, weights, of.prefilling.ways, 1, true));
  const auto& share = serving.target_share;
  served.prefill_tail =
      share.present() ? long_prefill(served, share.value, of.unlike) : served.prefill;
  served.token = cycle.step;
  served.busy = one;
  served.fetch = in.prefix.fetching;
  if (serving.apart) {
    serve_apart(of, served);
  } else {
    switch (serving.load) {
      case ServingLoad::kStatic:
        serve_static(of, served);
        break;
      case ServingLoad::kMost:
        serve_most(of, served);
        break;
      case ServingLoad::kClosed:
        serve_closed(of, served);
        break;
      case ServingLoad::kOpen:
        serve_open(of, served);
        break;
    }
  }
  served.first_tail = share.present()
                          ? first_tail(serving.load, serving.apart, served, share.value, of.unlike)
                          : served.first;
  served.answering = served.token * cycle.steps;
  // Speculation gives several tokens a step.
  const auto answer = as<kOne>(serving.answer);
  served.token = served.token * (cycle.steps / answer);
  const auto& prompt = of.prompt;
  served.first_floor =
      step_floor(in, weights, of.prefilling.ways, prompts_alone(one, prompt.fresh, prompt.held));
  const bool full = serving.load == ServingLoad::kStatic;
  auto lone = decoding(serving, full ? served.batch : one, as<kOne>(serving.prompt()));
  served.token_floor = step_floor(in, weights, of.answering.ways, lone) * (cycle.steps / answer);
  const auto sent = min(in.server.stream_interval, answer);
  if (sent.value() > 1) send_together(serving, sent, served);
  served.token_tail = served.token;
  if (share.present()) {
    const double ratio = RequestTimes(of, served).token_at(share.value.value());
    served.token_tail = named_number<term::kTokenRatio, R>(ratio) * served.token;
  }
  served.speed_limit = speed_limit(of, served);
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
    if (served.prefill_tail > serving.first_target.value) return TargetLimit::kPrompt;
    return served.place > served.wait ? TargetLimit::kPlace : TargetLimit::kQueue;
  }
  if (served.token_floor > serving.token_target.value) return TargetLimit::kStepFloor;
  const auto of_step = served.cycle.step * (served.cycle.steps / as<kOne>(serving.answer));
  return of_step > serving.token_target.value ? TargetLimit::kStep : TargetLimit::kPrompts;
}

template Count<SCALING_REP> target_excess(const Serving<SCALING_REP>&, const Served<SCALING_REP>&);
template TargetLimit target_limit(const Serving<SCALING_REP>&, const Served<SCALING_REP>&);
template Served<SCALING_REP> serve(const ServingInput<SCALING_REP>&,
                                   const WeightBytes<SCALING_REP>&, const LoadChoice&);

}  // namespace scaling
