// SPDX-License-Identifier: MIT
#include "scaling/training/step.hpp"

#include "scaling/quantity/longest.hpp"
#include "scaling/training/pace.hpp"

namespace scaling {
namespace {

template <class R>
using Seconds = Quantity<kSecond, R>;

/// FLOPs that all chips do again: of all layers, for each token of the batch.
template <class R>
Quantity<kFlop, R> flops_again(const StepInput<R>& in, const Kept<R>& dense,
                               const Kept<R>& sparse) {
  const auto of_layers = [&](Count<R> layers, const Kept<R>& kept) {
    return layers.value() > 0 ? layers * kept.work.flops : Quantity<kFlop, R>{};
  };
  auto with_experts = moe_layers(in.model);
  auto without = in.model.layers - with_experts;
  if (in.run.ends_early()) {
    const auto last = last_layers(in.model, in.run);
    without = last.dense;
    with_experts = last.sparse;
  }
  const auto layers = of_layers(without, dense) + of_layers(with_experts, sparse);
  const auto micro_batches = in.run.batch_tokens / (in.layout.micro_batch * in.run.sequence_length);
  return layers * in.layout.tensor * in.layout.context * micro_batches;
}

/// Time of a whole step at full rates and with perfect overlap.
template <class R>
Seconds<R> lower_bound(const StepInput<R>& in, const StepBase<R>& base, const Pace<R>& pace) {
  const auto& m = base.micro_batches;
  const StageCost<R>& cost = *pace.cost;
  const auto f = named<term::kLowerForward>(cost.forward.lower);
  const auto b = named<term::kLowerBackward>(cost.backward.lower + pace.again.lower);
  auto lower = m * (f + b) + bubble_time(in.layout, m, base.in_bubble({f, b, cost.weights_lower})) +
               pace.optimizer.lower;
  auto host = pace.host.lower;
  if (pace.host_pass.lower.value() > 0) {
    const auto way = m * pace.host_pass.lower;
    host = host.value() > 0 ? host + way : way;
  }
  for (const Seconds<R>& transfer : {pace.tensor.lower, pace.context.lower, pace.expert.lower,
                                     pace.data.lower, pace.pipeline.lower, host}) {
    if (transfer.value() > 0) lower = max(lower, transfer);
  }
  return lower;
}

/// One step in twenty takes longer than expected by more than this: shares of its kernels and of
/// the rest.
template <class R>
struct Spread {
  Count<R> kernels, rest;
};

template <class R>
Spread<R> spread_of(const StepInput<R>& in) {
  const auto& constants = in.constants;
  const Format format = in.matmul_format();
  auto times = scalar<R>(in.generation().spread);
  if (kernel_format(format) != KernelFormat::kBf16) {
    times =
        times * scalar<R>(format == Format::kFp4 ? constants.spread_four : constants.spread_eight);
  }
  // Their software was measured less, and its host decides more.
  if (in.run.adapts()) times = times * scalar<R>(constants.spread_tuning);
  return {times * scalar<R>(constants.spread_kernels), times * scalar<R>(constants.spread_rest)};
}

template <class R>
Seconds<R> longer_by(const Spread<R>& spread, Seconds<R> kernels, Seconds<R> all) {
  return spread.kernels * kernels + spread.rest * (all - kernels);
}

/// Whether the range is that of other software than the constants were fitted to. The spread of
/// adapters was measured on such.
template <class R>
bool is_unsure(const StepInput<R>& in) {
  return in.stack.software == SoftwareFit::kOther && !in.run.adapts();
}

/// The ratio to the expected time of an end of the range of other software, from that of known.
template <class R>
Count<R> unsure(const StepInput<R>& in, Count<R> ratio) {
  const bool sparse = in.model.experts.value() > 0;
  const auto& wider = sparse ? in.constants.spread_other_experts : in.constants.spread_other;
  return exp_minus_one(scalar<R>(wider) * logarithm(ratio)) + one<R>();
}

/// Time of a step if nothing overlaps, not even the host's launches. At measured rates, each of its
/// parts is as slow as in the slowest twentieth of steps, so that the band of what is likely lies
/// below it.
template <class R>
Seconds<R> upper_bound(const StepInput<R>& in, const StepBase<R>& base, const Pace<R>& pace) {
  const auto& m = base.micro_batches;
  const StageCost<R>& cost = *pace.cost;
  const auto alone = [&](const Work<R>& work) -> Seconds<R> {
    if (in.measured()) return work.expected;
    return work.math / in.assumptions.compute_efficiency +
           work.memory / in.assumptions.memory_efficiency;
  };
  const auto forward = alone(cost.forward);
  const auto back = alone(cost.backward) + alone(pace.again);
  const auto f = forward + cost.tensor.expected + cost.context.expected + cost.expert.expected +
                 pace.forward_data.expected + pace.launches_forward + pace.host_pass.expected;
  const auto b = back + pace.tensor_back.expected + pace.context_back.expected +
                 pace.expert_back.expected + pace.back_data.expected + pace.launches_back +
                 pace.host_pass.expected;
  const auto upper =
      m * (f + b) + waiting_time(in, m, base.in_bubble({f, b, cost.weights_expected})) +
      pace.pipeline.expected + pace.once.expected + pace.optimizer.expected + pace.host.expected;
  if (!in.measured()) return upper;
  // Full rates bound a step from below, and so its likely time.
  const auto all = upper + max(overhead_of(in, upper), pace.overhead);
  auto spread = spread_of(in);
  spread.kernels = max(spread.kernels, one<R>() / scalar<R>(in.constants.slowest) - one<R>());
  const auto known = all + longer_by(spread, m * (forward + back), all);
  return is_unsure(in) ? all * unsure<R>(in, known / all) : known;
}

/// Sets what a stage makes of a step, no shorter than its lower bound, which it returns.
template <class R>
Seconds<R> set_bounded_pace(Pace<R>& pace, const StepInput<R>& in, const StepBase<R>& base,
                            const StageCost<R>& cost, const KeptStages<R>& kept) {
  set_pace(pace, in, base, cost, kept);
  const auto lower = lower_bound(in, base, pace);
  if (in.measured() && pace.expected < lower) {
    // Partial overlap can't beat full overlap.
    pace.overhead = pace.overhead + (lower - pace.expected);
    pace.expected = lower;
  }
  return lower;
}

/// Sets the parts of a step whose pace the slowest stage sets.
template <class R>
void set_parts(Step<R>& step, const StepInput<R>& in, const Pace<R>& pace,
               const KeptStages<R>& kept) {
  const auto& m = step.micro_batches;
  const StageCost<R>& cost = *pace.cost;
  step.expected = pace.expected;
  step.micro_forward = pace.micro_forward;
  step.micro_backward = pace.micro_backward;
  step.weights = pace.weights;
  step.bubble = pace.bubble;
  step.forward = named<term::kTimeForward>(m * cost.forward.expected);
  step.backward = named<term::kTimeBackward>(m * cost.backward.expected);
  if (pace.again.expected.value() > 0) {
    step.recompute = named<term::kTimeRecompute>(m * pace.again.expected);
    step.recompute_flops = flops_again(in, kept.dense, kept.sparse);
  }
  step.tensor = named<term::kTimeTensor>(pace.tensor.expected);
  step.context = named<term::kTimeContext>(pace.context.expected);
  step.expert = named<term::kTimeExpert>(pace.expert.expected);
  step.data = named<term::kTimeData>(pace.data.expected);
  step.pipeline = named<term::kTimePipeline>(pace.pipeline.expected);
  step.optimizer = pace.optimizer.expected;
  step.host = pace.host.expected;
  step.exposed_host = pace.exposed_host;
  if (pace.host_pass.expected.value() > 0) {
    const auto ways = 2.0 * (m * pace.host_pass.expected);
    const bool states = step.host.value() > 0;
    step.host = states ? step.host + ways : ways;
    step.exposed_host = states ? step.exposed_host + pace.host_waits : pace.host_waits;
  }
  step.host = named<term::kTimeHost>(step.host);
  const auto& f = pace.forward;
  const auto& b = pace.back;
  step.exposed_tensor = named<term::kExposedTensor>(m * (f.tensor + b.tensor));
  step.exposed_context = named<term::kExposedContext>(m * (f.context + b.context));
  step.exposed_expert = named<term::kExposedExpert>(m * (f.expert + b.expert));
  step.exposed_data = named<term::kExposedData>(m * (f.data + b.data) + pace.exposed_once);
  step.once = pace.once.expected;
  step.exposed_once = pace.exposed_once;
  step.exposed_pipeline = pace.exposed_pipeline;
  if (step.host.value() > 0) {
    step.exposed_host = named<term::kExposedHost>(step.exposed_host);
  }
  if (pace.waits.value() > 0) step.launches = named<term::kTimeLaunch>(pace.waits);
  if (in.measured()) {
    step.overhead = named<term::kTimeOverhead>(pace.overhead);
  }
}

/// Names the two longest of a step's parts, whose pace the slowest stage sets, and the intensity of
/// its kernels.
template <class R>
void name_bounds(Step<R>& step, const StepInput<R>& in, const Pace<R>& pace) {
  const auto& m = step.micro_batches;
  const StageCost<R>& cost = *pace.cost;
  const auto busy = cost.forward + cost.backward + pace.again;
  step.intensity = busy.flops / (busy.memory * of_one_chip(in.chip.memory_bandwidth));
  auto computing = Seconds<R>{};
  auto moving = Seconds<R>{};
  if (in.measured()) {
    auto& kernels = busy.math < busy.memory ? moving : computing;
    kernels = step.forward + step.backward;
    if (step.recompute.value() > 0) kernels = kernels + step.recompute;
  } else {
    computing = m * busy.math / in.assumptions.compute_efficiency;
    moving = m * busy.memory / in.assumptions.memory_efficiency;
  }
  const PartsOf<R, std::size(kStepBoundNames)> parts{computing,     moving,      step.tensor,
                                                     step.context,  step.expert, step.data,
                                                     step.pipeline, step.host};
  step.bound = longest_of(parts);
  step.next_bound = longest_of(parts, static_cast<std::size_t>(step.bound.value()));
}

}  // namespace

template <class R>
StepTimes<R> step_times(const StepInput<R>& in, const StepBase<R>& base,
                        const KeptStages<R>& kept) {
  StepTimes<R> times{};
  Pace<R> pace;
  for (std::size_t i = 0; i < base.stage_count; ++i) {
    const auto lower = set_bounded_pace(pace, in, base, base.stages[i], kept);
    times.lower = i == 0 ? lower : max(times.lower, lower);
    times.expected = i == 0 ? pace.expected : max(times.expected, pace.expected);
  }
  return times;
}

template <class R>
Step<R> finish_step(const StepInput<R>& in, const StepBase<R>& base, const KeptStages<R>& kept) {
  Step<R> step{};
  step.micro_batches = base.micro_batches;

  // The slowest stage sets the pace, the fullest what has to fit; the step's bounds are the
  // longest.
  std::array<Pace<R>, 2> paces;
  std::size_t slowest = 0;
  double longest = -1;
  double most = -1;
  for (std::size_t i = 0; i < base.stage_count; ++i) {
    const StageCost<R>& cost = base.stages[i];
    const std::size_t other = longest < 0 ? 0 : 1 - slowest;
    Pace<R>& own = paces[other];
    const auto lower = set_bounded_pace(own, in, base, cost, kept);
    const auto upper = upper_bound(in, base, own);
    step.lower = longest < 0 ? lower : max(step.lower, lower);
    step.upper = longest < 0 ? upper : max(step.upper, upper);
    if (own.expected.value() > longest) {
      longest = own.expected.value();
      slowest = other;
      step.slowest = cost.stage.index;
    }
    const auto states = state_memory(in.model, in.run, in.layout, in.stack, cost.stage, base.ways);
    const auto& [dense, sparse] = kept.of(cost.stage);
    const auto memory = stage_memory(in.layout, in.stack, states, cost.transient, dense, sparse,
                                     cost.stage, in.assumptions);
    if (memory.total().value() > most) {
      most = memory.total().value();
      step.memory = memory;
      step.fullest = cost.stage.index;
    }
  }

  step.lower = named<term::kStepLower>(step.lower);
  step.upper = named<term::kStepUpper>(step.upper);
  set_parts(step, in, paces[slowest], kept);
  name_bounds(step, in, paces[slowest]);
  return step;
}

template <class R>
StepBand<R> step_band(const StepInput<R>& in, const Step<R>& step) {
  const auto spread = spread_of(in);
  auto kernels = step.forward + step.backward;
  if (step.recompute.value() > 0) kernels = kernels + step.recompute;
  const auto more = longer_by(spread, kernels, step.expected);
  const auto low = scalar<R>(in.constants.spread_low);
  auto less = low * more;
  // Hosts launch as much faster as slower.
  if (step.launches.value() > 0) {
    less = less + (one<R>() - low) * spread.rest * step.launches;
  }
  auto low_end = max(step.expected - less, step.lower);
  auto high_end = step.expected + more;
  if (is_unsure(in)) {
    low_end = named<term::kKnownLow>(low_end);
    high_end = named<term::kKnownHigh>(high_end);
    low_end = max(step.expected / unsure<R>(in, step.expected / low_end), step.lower);
    high_end = step.expected * unsure<R>(in, high_end / step.expected);
  }
  // The upper bound is no less, but for rounding.
  return {low_end, min(high_end, step.upper)};
}

template <class R>
MemoryBand<R> memory_band(const StepInput<R>& in, const StageMemory<R>& memory) {
  const auto& constants = in.constants;
  const auto total = memory.total();
  return {max(memory.states.total(), (one<R>() - scalar<R>(constants.memory_less)) * total),
          (one<R>() + scalar<R>(constants.memory_more)) * total};
}

template MemoryBand<SCALING_REP> memory_band(const StepInput<SCALING_REP>&,
                                             const StageMemory<SCALING_REP>&);
template StepBand<SCALING_REP> step_band(const StepInput<SCALING_REP>&, const Step<SCALING_REP>&);
template StepTimes<SCALING_REP> step_times(const StepInput<SCALING_REP>&,
                                           const StepBase<SCALING_REP>&,
                                           const KeptStages<SCALING_REP>&);
template Step<SCALING_REP> finish_step(const StepInput<SCALING_REP>&, const StepBase<SCALING_REP>&,
                                       const KeptStages<SCALING_REP>&);

}  // namespace scaling
