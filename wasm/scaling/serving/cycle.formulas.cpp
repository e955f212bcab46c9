// SPDX-License-Identifier: MIT
#include "scaling/serving/cycle.hpp"

#include <cmath>
#include <cstdint>

namespace scaling {
namespace {

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

/// The context of a sequence that is answered, on average: its prompt and half of its answer.
template <class R>
Count<R> mean_context(const Serving<R>& serving) {
  return as<kOne>(serving.prompt()) + as<kOne>(running_answer(serving)) / 2.0;
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
                                  const ServerWays<R>& ways, const PromptTokens<R>& prompt,
                                  double prompts, bool idle) {
  const double fresh = prompt.fresh.value();
  const double budget = in.server.token_budget.value();
  const auto launches = idle ? prompt_launches(in) : Quantity<kSecond, R>{};
  const auto in_step = [&](double count, Count<R> queries, Count<R> past) {
    const auto tokens = prompts_alone(named_number<term::kPromptsOfStep, R>(count), queries, past);
    auto parts = step_of(in, weights, ways, tokens);
    if (idle && prompts <= 1) {
      parts.matmuls = named<term::kPrefillMatmuls>(parts.matmuls);
      parts.attention = named<term::kPrefillAttention>(parts.attention);
      parts.experts = named<term::kPrefillExperts>(parts.experts);
      if (given(in.serving.images)) parts.tower = named<term::kPrefillTower>(parts.tower);
    }
    const auto kernels = parts.total();
    return launches.value() > 0 ? max(kernels, launches) : kernels;
  };
  if (fresh > budget) {
    const double pieces = std::ceil(fresh / budget);
    const auto steps = named_number<term::kPromptSteps, R>(pieces);
    const auto piece = prompt.fresh / steps;
    return steps * named_number<term::kPromptsOfStep, R>(prompts) *
           in_step(1, piece, prompt.before(piece));
  }
  const double per = std::fmax(1, std::fmin(prompts, std::floor(budget / fresh)));
  const double whole = std::floor(prompts / per);
  const auto past = prompt.before(prompt.fresh);
  auto time = named_number<term::kPromptSteps, R>(whole) * in_step(per, prompt.fresh, past);
  const double rest = prompts - whole * per;
  if (rest > 1e-9) time = time + in_step(rest, prompt.fresh, past);
  return time;
}

template <class R>
ServingCycle<R> serving_cycle(const ServingInput<R>& in, const WeightBytes<R>& weights,
                              Count<R> batch) {
  const auto& serving = in.serving;
  const auto ways = answering_ways(serving);
  const auto prompt = prompt_of(in);
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
  parts.network = named<term::kDecodeNetwork>(
      parts.exchange.value() > 0 ? parts.network + parts.exchange : parts.network);
  parts.exchange = {};
  parts.elementwise = named<term::kDecodeElementwise>(parts.elementwise);
  parts.head = named<term::kDecodeHead>(parts.head);
  parts.launches = named<term::kDecodeLaunches>(parts.launches);
  if (parts.host.value() > 0) parts.host = named<term::kDecodeHost>(parts.host);
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
  if (piece >= fresh) {
    prompts = named_number<term::kPromptsOfStep, R>(std::fmax(1, std::floor(piece / fresh + 0.5)));
  } else {
    queries = as<kOne>(in.server.token_budget);
  }
  cycle.mixed_steps = batch * prompt.fresh / (prompts * queries);
  auto decoding_then = batch;
  if (cycle.mixed_steps > cycle.steps) {
    decoding_then = batch * (cycle.steps / cycle.mixed_steps);
  }
  cycle.mixed_tokens = decoding(serving, decoding_then, context);
  cycle.mixed_tokens.prompts = prompts;
  cycle.mixed_tokens.queries = queries;
  cycle.mixed_tokens.past = prompt.before(queries);
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
  if (given(serving.images)) mixed.tower = named<term::kMixedTower>(mixed.tower);
  cycle.mixed = named<term::kMixedStep>(mixed.total() + drafts);
  cycle.time = named<term::kCycleTime>(others + cycle.mixed_steps * cycle.mixed);
  return cycle;
}

template Count<SCALING_REP> tokens_of_step(Count<SCALING_REP>, Count<SCALING_REP>);
template Quantity<kSecond, SCALING_REP> prefill_time(const ServingInput<SCALING_REP>&,
                                                     const WeightBytes<SCALING_REP>&,
                                                     const ServerWays<SCALING_REP>&,
                                                     const PromptTokens<SCALING_REP>&, double,
                                                     bool);
template ServingCycle<SCALING_REP> serving_cycle(const ServingInput<SCALING_REP>&,
                                                 const WeightBytes<SCALING_REP>&,
                                                 Count<SCALING_REP>);

}  // namespace scaling
