// SPDX-License-Identifier: MIT
#include "scaling/training/pace.hpp"

#include <cmath>

#include "scaling/hardware/kernel_time.hpp"
#include "scaling/training/launches.hpp"
#include "scaling/training/tuning.hpp"

namespace scaling {
namespace {

template <class R>
using Bytes = Quantity<kByte, R>;
template <class R>
using Seconds = Quantity<kSecond, R>;

/// The exposed part of a transfer once as much of it hides as may and can; takes its place
/// from `window`.
template <class R>
Seconds<R> exposed(Seconds<R> transfer, Count<R> overlap, Seconds<R>& window) {
  if (transfer.value() <= 0) return {};
  const auto hidden = min(overlap * transfer, window);
  window = window - hidden;
  return transfer - hidden;
}

/// The part of a data transfer that shows beside a pass of `window`: what exceeds it, and the share
/// of the rest by which that slows the pass.
template <class R>
Seconds<R> beside_pass(const StepInput<R>& in, Seconds<R> transfer, Seconds<R> window) {
  if (transfer.value() <= 0) return {};
  const auto hidden = min(transfer, scalar<R>(in.constants.window) * window);
  return transfer - hidden + scalar<R>(in.constants.interference) * hidden;
}

/// The exposed part of a data transfer, where software may run it beside a pass of `window`.
template <class R>
Seconds<R> exposed_data(const StepInput<R>& in, Seconds<R> transfer, Seconds<R> window) {
  return in.stack.data_overlap ? beside_pass(in, transfer, window) : transfer;
}

/// A share of the transfers of tensor, context and expert ways shows, as in measured trainings.
template <class R>
Exposed<R> expose_measured(const StepInput<R>& in, Seconds<R> computing, Seconds<R> tensor,
                           Seconds<R> context, Seconds<R> expert, Seconds<R> data) {
  const auto& constants = in.constants;
  // No more hides than there is computing, of all together: what hides one hides no other.
  auto window = computing;
  const auto shown = [&](Seconds<R> transfer, const Constant& share) {
    if (transfer.value() <= 0) return Seconds<R>{};
    const auto shows = max(scalar<R>(share) * transfer, transfer - window);
    window = max(window - (transfer - shows), Seconds<R>{});
    return shows;
  };
  Exposed<R> result{};
  result.tensor = shown(tensor, in.overlaps_tensor() ? constants.exposed_tensor : Constant{1});
  result.context = shown(context, constants.exposed_context);
  result.expert = shown(expert, in.exposed_experts());
  result.data = exposed_data(in, data, computing + result.total());
  return result;
}

template <class R>
Exposed<R> expose(const StepInput<R>& in, Seconds<R> window, Seconds<R> tensor, Seconds<R> context,
                  Seconds<R> expert, Seconds<R> data) {
  if (in.measured()) return expose_measured(in, window, tensor, context, expert, data);
  const auto& assumptions = in.assumptions;
  Exposed<R> result{};
  result.context = exposed(context, assumptions.overlap_context, window);
  result.expert = exposed(expert, assumptions.overlap_expert, window);
  result.data = exposed(data, assumptions.overlap_data, window);
  result.tensor = exposed(tensor, assumptions.overlap_tensor, window);
  return result;
}

/// Work that is done again by a stage for each micro-batch.
template <class R>
Work<R> work_again(const Stage<R>& stage, const Kept<R>& dense, const Kept<R>& sparse) {
  Work<R> again{};
  const auto& back = stage.back;
  if (back.dense.value() > 0) again = stage.worked(back.dense) * dense.work;
  if (back.sparse.value() > 0) again = again + stage.worked(back.sparse) * sparse.work;
  return again;
}

/// Bytes that the optimizer reads and writes of each parameter.
template <class R>
Quantity<kByte / kParam, R> update_bytes(const StepInput<R>& in, bool matrices) {
  const auto gradient = max(gradient_bytes(in.layout), constant<kByte / kParam, R>(2));
  return gradient + 2.0 * optimizer_bytes(in.model, in.layout, matrices) +
         bytes_of<R, kByte / kParam>(in.run.weight_format);
}

/// The same of software that fuses nothing, which goes over all parameters once for each operation
/// of Adam: 4 times over weights, twice over gradients, 3 times over the first moment, and 11 times
/// over the second and its root. Source: PyTorch, optim/adamw.py, _multi_tensor_adamw.
template <class R>
Quantity<kByte / kParam, R> unfused_update_bytes(const StepInput<R>& in, bool matrices) {
  const auto optimizer = in.layout.optimizer;
  if (optimizer != Optimizer::kAdam && optimizer != Optimizer::kAdamBf16) {
    return update_bytes(in, matrices);
  }
  const auto gradient = max(gradient_bytes(in.layout), constant<kByte / kParam, R>(2));
  const auto weight = bytes_of<R, kByte / kParam>(in.run.weight_format);
  const auto master = constant<kByte / kParam, R>(copy_width(in.layout.master_format));
  const auto moments = optimizer_bytes(in.model, in.layout, matrices) - master;
  const auto weights = master.value() > 0 ? 4.0 * master + weight : 4.0 * weight;
  return weights + 2.0 * gradient + 7.0 * moments;
}

/// Parameters that a chip updates: its share of those of its stage.
template <class R>
struct Updated {
  Quantity<kParam, R> matrices, vocabulary;
};

template <class R>
Updated<R> updated(const StepInput<R>& in, const StepBase<R>& base, const Stage<R>& stage) {
  const bool divided = in.layout.sharding >= StateSharding::kOptimizer;
  const auto share = [&](Quantity<kParam, R> parameters, Count<R> ways) {
    return divided ? parameters / ways : parameters;
  };
  const auto trained = trained_of(in.model, in.run, in.layout, stage);
  return {share(trained.matrices, base.ways.dense) + share(trained.experts, base.ways.experts),
          share(trained.vocabulary, base.ways.dense)};
}

/// The share of a gather, a reduction or a hop that may hide, if there is time.
template <class R>
Count<R> pipeline_overlap(const StepInput<R>& in) {
  return in.measured() ? one<R>() - scalar<R>(in.exposed_hops()) : in.assumptions.overlap_pipeline;
}

/// Shares of the memory's and of the host link's bandwidth that are reached.
template <class R>
Count<R> memory_share(const StepInput<R>& in) {
  return in.measured() ? scalar<R>(in.constants.memory) : in.assumptions.memory_efficiency;
}
template <class R>
Count<R> host_link_share(const StepInput<R>& in) {
  return in.measured() ? scalar<R>(in.generation().scale_up) : in.assumptions.network_efficiency;
}

}  // namespace

template <class R>
PassTransfers<R> pass_transfers(StateSharding sharding, const StepBase<R>& base,
                                const StageCost<R>& cost) {
  const Stage<R>& stage = cost.stage;
  PassTransfers<R> transfers{};
  if (sharding == StateSharding::kParameters && base.ways.dense.value() > 1) {
    const auto gather = stage.worked(one<R>()) * cost.gather;
    transfers.forward = gather;
    // Software may keep for the backward pass what the forward one has gathered, as far as there is
    // room: no lower bound counts it twice. Source: PyTorch FSDP2, reshard_after_forward.
    const auto again = stage.worked(one<R>()) * cost.gather_back;
    transfers.back = Timed<R>{{}, again.expected} + stage.worked(one<R>()) * cost.scatter;
  } else if (sharding == StateSharding::kGradients) {
    transfers.back = stage.worked(one<R>()) * cost.scatter;
  }
  return transfers;
}

namespace {

/// Time of the host to launch the kernels of one micro-batch.
template <class R>
void add_launches(Pace<R>& pace, const StepInput<R>& in) {
  const auto host = launch_times(in, pace.cost->stage);
  if (host.forward.value() <= 0) return;
  pace.launches_forward = host.forward;
  pace.launches_back = host.back;
  if (pace.again.expected.value() > 0) {
    // Launches are shared out by FLOPs, as faster kernels are no fewer.
    const auto& all = pace.cost->forward.flops;
    const auto share = all.value() > 0 ? pace.again.flops / all : one<R>();
    pace.launches_back = pace.launches_back + share * pace.launches_forward;
  }
}

/// How much longer chips and host take at work side by side than the chips alone. The host runs
/// ahead, and where it does not, one waits for the other: together (chip^3 + host^3)^(1/3). With
/// experts sqrt(chip^2 + host^2), as the chips wait at each place where the host needs to know what
/// they found, such as the tokens of each expert. Written without a difference, which would leave
/// nothing but rounding of a short wait.
template <class R>
Seconds<R> wait_for(Seconds<R> chip, Seconds<R> host, bool asks) {
  const auto times = host / chip;
  const auto ratio = square(times);
  if (asks) return chip * (ratio / (scalar<R>(1) + sqrt(scalar<R>(1) + ratio)));
  const auto cube = ratio * times;
  const auto root = cube_root(scalar<R>(1) + cube);
  return chip * (cube / (scalar<R>(1) + root + square(root)));
}

/// Transfers of one micro-batch, forward and back.
template <class R>
void add_transfers(Pace<R>& pace, const StepInput<R>& in, const StepBase<R>& base,
                   const Kept<R>& dense, const Kept<R>& sparse) {
  const StageCost<R>& cost = *pace.cost;
  const Stage<R>& stage = cost.stage;
  const auto& back = stage.back;
  pace.tensor_back = cost.tensor_backward;
  pace.context_back = cost.context_backward;
  pace.expert_back = cost.expert_backward;
  if (dense.sums.value() > 0 && back.dense.value() > 0) {
    pace.tensor_back =
        pace.tensor_back + (stage.worked(back.dense) * dense.sums) * base.dense_tensor;
  }
  if (sparse.sums.value() > 0 && back.sparse.value() > 0) {
    pace.tensor_back =
        pace.tensor_back + (stage.worked(back.sparse) * sparse.sums) * base.sparse_tensor;
  }
  if (dense.others.value() > 0) {
    pace.context_back = pace.context_back + cost.context_again;
    pace.expert_back = pace.expert_back + cost.expert_backward;
  }
  const auto states = pass_transfers(in.layout.sharding, base, cost);
  pace.forward_data = states.forward;
  pace.back_data = states.back;
}

/// Hops between stages: those that fill and drain the pipeline are exposed; the rest may overlap.
template <class R>
void add_pipeline(Pace<R>& pace, const StepInput<R>& in, const StepBase<R>& base) {
  const auto& layout = in.layout;
  if (layout.pipeline.value() <= 1) return;
  const auto others = layout.pipeline - one<R>();
  const auto times = base.micro_batches * stage_crossings(layout) - one<R>();
  auto window = base.micro_batches * (pace.micro_forward + pace.micro_backward);
  // There and back; where gradients end their way early, those stages alone pass them on.
  auto ways = scalar<R>(2);
  auto filling = ways;
  if (base.some_end) {
    filling = one<R>() + base.returns;
    if (pace.cost->backward.expected.value() <= 0) ways = one<R>();
  }
  const auto rest = ways * times * base.hop.expected;
  pace.exposed_pipeline = named<term::kExposedPipeline>(
      filling * others * base.hop.expected + exposed(rest, pipeline_overlap(in), window));
  pace.pipeline =
      (base.some_end ? ways * times + filling * others : scalar<R>(2) * (times + others)) *
      base.hop;
}

/// Weights that come from the host for each pass of each micro-batch, to as many chips that share
/// them: forward all of a stage, and back those that are passed through.
template <class R>
Bytes<R> weights_of_passes(const StepInput<R>& in, const StepBase<R>& base, const Stage<R>& stage,
                           Count<R> ways) {
  const auto weights = weights_of(in.model, in.run, in.layout, stage);
  const auto forward = base.micro_batches * (weights.dense() + weights.experts) / ways;
  if (!in.run.ends_early()) return 2.0 * forward;
  const auto weight = bytes_of<R, kByte / kParam>(in.run.weight_format);
  const auto& back = stage.back;
  return forward +
         base.micro_batches * (weight * (back.matrices + back.vocabulary + back.experts)) / ways;
}

/// The update of the parameters `own` of a stage on their chip.
template <class R>
Timed<R> update_on_chip(const StepInput<R>& in, const Stage<R>& stage, const Updated<R>& own) {
  const auto moved = [&](auto bytes) {
    return bytes(in, true) * own.matrices + bytes(in, false) * own.vocabulary;
  };
  const auto rate = of_one_chip(in.chip.memory_bandwidth);
  const auto update = moved(update_bytes<R>);
  Timed<R> time{update / rate, update / (rate * memory_share(in))};
  if (in.measured() && in.stack.unfused) {
    const auto unfused = moved(unfused_update_bytes<R>);
    time.expected = max(unfused / (rate * memory_share(in)), update_launches(in, stage));
  }
  if (in.measured() && bytes_of<R>(in.matmul_format()).value() < 2 && !in.run.adapts()) {
    // Weights are cast once, in both orders.
    const auto cast = 4.0 * constant<kByte / kParam, R>(in.constants.cast) *
                      (stage.back.multiplied + stage.back.experts);
    time.expected = time.expected + cast / (rate * memory_share(in));
  }
  return named<term::kTimeOptimizer>(time);
}

/// Adds what waits on the host. Gradients go down and weights come up, and the host works while the
/// chips do. Moments of 8 bits come to the chip, which alone updates them, while others leave: its
/// kernels wait. Source: DeepSpeed, ZeRO-Offload; bitsandbytes, PagedAdamW8bit.
template <class R>
void add_host(Pace<R>& pace, const StepInput<R>& in, const StepBase<R>& base, const Updated<R>& own,
              Seconds<R> window) {
  const auto& layout = in.layout;
  const Stage<R>& stage = pace.cost->stage;
  const bool pages =
      layout.offload == Offload::kOptimizer && layout.optimizer == Optimizer::kAdam8bit;
  const auto weight = bytes_of<R, kByte / kParam>(in.run.weight_format);
  const auto gradient = max(gradient_bytes(layout), constant<kByte / kParam, R>(2));
  const auto each = [&](bool matrices) {
    return pages ? optimizer_bytes(in.model, layout, matrices) : weight + gradient;
  };
  auto bytes = each(true) * own.matrices + each(false) * own.vocabulary;
  if (layout.offload == Offload::kAll) {
    const bool divided = pace.forward_data.expected.value() > 0;
    bytes = bytes + weights_of_passes(in, base, stage, divided ? base.ways.dense : one<R>());
  }
  const auto rate = of_one_chip(in.chip.host_bandwidth.value);
  pace.host = {bytes / rate, bytes / (rate * host_link_share(in))};
  if (pages) {
    pace.optimizer = update_on_chip(in, stage, own);
    pace.exposed_host = pace.host.expected;
    return;
  }
  const auto overlap = in.measured() ? scalar<R>(1) : in.assumptions.overlap_data;
  pace.exposed_host = exposed(pace.host.expected, overlap, window);
}

/// Adds the parts that a step has once: gradients after the last backward pass, weights before the
/// next forward one, and the update between them, here or on the host.
template <class R>
void add_update(Pace<R>& pace, const StepInput<R>& in, const StepBase<R>& base) {
  const auto& layout = in.layout;
  const auto& assumptions = in.assumptions;
  const StageCost<R>& cost = *pace.cost;
  const Stage<R>& stage = cost.stage;
  Timed<R> reduced = cost.replicas;
  Timed<R> gathered{};
  switch (layout.sharding) {
    case StateSharding::kNone:
      reduced = reduced + cost.reduce;
      break;
    case StateSharding::kOptimizer:
      reduced = reduced + cost.scatter;
      gathered = cost.renewal;
      break;
    case StateSharding::kGradients:
      gathered = cost.renewal;
      break;
    case StateSharding::kParameters:
      break;
  }
  if (in.measured() && !in.stack.data_overlap && gathered.expected.value() > 0) {
    // Software without overlap sends one chip's share after another.
    gathered.expected =
        gathered.expected + base.ways.dense * constant<kSecond, R>(in.constants.share_start);
  }
  pace.once = reduced + gathered;
  // The window for overlap is what the passes' own transfers of states leave.
  const auto left = [](Seconds<R> pass, Seconds<R> data) {
    return data.value() > 0 ? max(pass - data, Seconds<R>{}) : pass;
  };
  auto window_back = left(pace.micro_backward, pace.back_data.expected);
  auto window_forward = left(pace.micro_forward, pace.forward_data.expected);
  if (in.measured()) {
    // Stages that work in chunks can hide it behind as many micro-batches as there are stages.
    const auto passes =
        layout.virtual_stages.value() > 1 ? min(layout.pipeline, base.micro_batches) : scalar<R>(1);
    // Software that overlaps nothing else reduces gradients beside the last backward pass. Source:
    // InternEvo, overlap_sync_grad and overlap_sync_param.
    const auto shown = beside_pass(in, reduced.expected, passes * window_back);
    pace.exposed_once = shown + exposed_data(in, gathered.expected, passes * window_forward);
    // Work that hides this transfer hides none to the host.
    if (reduced.expected.value() > 0) {
      window_back = max(window_back - (reduced.expected - shown) / passes, Seconds<R>{});
    }
  } else {
    pace.exposed_once = exposed(reduced.expected, assumptions.overlap_data, window_back) +
                        exposed(gathered.expected, assumptions.overlap_data, window_forward);
  }

  const auto own = updated(in, base, stage);
  if (layout.offload == Offload::kNone) {
    pace.optimizer = update_on_chip(in, stage, own);
    return;
  }
  add_host(pace, in, base, own, window_back);
}

/// The time in which the activations of one micro-batch leave for the host, or come back.
template <class R>
Timed<R> host_pass(const StepInput<R>& in, const Stage<R>& stage, const Kept<R>& dense,
                   const Kept<R>& sparse) {
  const auto& part = in.layout.host_activations;
  if (part.value() <= 0) return {};
  auto sent = stage.back.dense * dense.sendable;
  if (stage.back.sparse.value() > 0) sent = sent + stage.back.sparse * sparse.sendable;
  const auto rate = of_one_chip(in.chip.host_bandwidth.value);
  return {part * sent / rate, part * sent / (rate * host_link_share(in))};
}

}  // namespace

template <class R>
Seconds<R> overhead_of(const StepInput<R>& in, Seconds<R> seconds) {
  const double doublings = std::fmax(tree_steps(in.run.chips.value()) - 3, 0);
  return constant<kSecond, R>(in.fixed_time()) +
         scalar<R>(in.constants.growth) * scalar<R>(doublings) * seconds;
}

template <class R>
Seconds<R> waiting_time(const StepInput<R>& in, Count<R> micro_batches, const PassTimes<R>& times) {
  const auto bubble = bubble_time(in.layout, micro_batches, times);
  const auto longest = longest_chunk(in.model.layers, in.layout);
  return longest.value() > 1 ? longest * bubble : bubble;
}

template <class R>
void set_pace(Pace<R>& pace, const StepInput<R>& in, const StepBase<R>& base,
              const StageCost<R>& cost, const KeptStages<R>& kept) {
  const auto& m = base.micro_batches;
  const auto& [dense, sparse] = kept.of(cost.stage);
  pace = {};
  pace.cost = &cost;
  pace.again = work_again(cost.stage, dense, sparse);
  add_transfers(pace, in, base, dense, sparse);
  pace.tensor = m * (cost.tensor + pace.tensor_back);
  pace.context = m * (cost.context + pace.context_back);
  pace.expert = m * (cost.expert + pace.expert_back);

  pace.forward = expose(in, cost.forward.expected, cost.tensor.expected, cost.context.expected,
                        cost.expert.expected, pace.forward_data.expected);
  const auto computing = cost.backward.expected + pace.again.expected;
  // Where gradients of weights are passes of their own, transfers hide beside those of inputs, and
  // each waits for its own launches. Frozen weights have no such passes.
  const bool split = in.layout.pipeline.value() > 1 && row_of(in.layout.schedule).splits_backward &&
                     cost.weights_expected.value() > 0;
  const auto beside = split ? max(computing - cost.weights_expected, Seconds<R>{}) : computing;
  pace.back = expose(in, beside, pace.tensor_back.expected, pace.context_back.expected,
                     pace.expert_back.expected, pace.back_data.expected);
  add_launches(pace, in);
  const auto pass_time = [&](Seconds<R> chip, Seconds<R> launches) {
    if (launches.value() <= 0) return chip;
    const auto wait = wait_for(chip, launches, waits_often(in, cost.stage));
    pace.waits = pace.waits + m * wait;
    return chip + wait;
  };
  pace.host_pass = host_pass(in, cost.stage, dense, sparse);
  // A pass lasts no shorter than what leaves for the host in it, or comes back.
  const auto with_host = [&](Seconds<R> pass) {
    if (pace.host_pass.expected.value() <= 0) return pass;
    const auto overlap = in.measured() ? one<R>() : in.assumptions.overlap_data;
    auto window = pass;
    const auto wait = exposed(pace.host_pass.expected, overlap, window);
    pace.host_waits = pace.host_waits + m * wait;
    return pass + wait;
  };
  const auto f = pace.micro_forward = named<term::kMicroForward>(
      with_host(pass_time(cost.forward.expected + pace.forward.total(), pace.launches_forward)));
  pace.weights = cost.weights_expected;
  auto b = beside + pace.back.total();
  if (split) {
    const auto half = pace.launches_back / 2.0;
    pace.weights = pass_time(pace.weights, half);
    b = with_host(pass_time(b, half)) + pace.weights;
  } else {
    b = with_host(pass_time(b, pace.launches_back));
  }
  b = pace.micro_backward = named<term::kMicroBackward>(b);
  pace.bubble = waiting_time(in, m, base.in_bubble({f, b, pace.weights}));
  add_pipeline(pace, in, base);
  add_update(pace, in, base);
  pace.data = m * (pace.forward_data + pace.back_data) + pace.once;
  auto expected = m * (f + b) + pace.bubble + pace.exposed_pipeline + pace.exposed_once +
                  pace.optimizer.expected + pace.exposed_host;
  if (in.measured()) {
    expected = named<term::kStepSum>(expected);
    pace.overhead = overhead_of(in, expected);
    expected = expected + pace.overhead;
  }
  pace.expected = named<term::kStepExpected>(expected);
}

template void set_pace(Pace<SCALING_REP>&, const StepInput<SCALING_REP>&,
                       const StepBase<SCALING_REP>&, const StageCost<SCALING_REP>&,
                       const KeptStages<SCALING_REP>&);
template Quantity<kSecond, SCALING_REP> waiting_time(const StepInput<SCALING_REP>&,
                                                     Count<SCALING_REP>,
                                                     const PassTimes<SCALING_REP>&);
template Quantity<kSecond, SCALING_REP> overhead_of(const StepInput<SCALING_REP>&,
                                                    Quantity<kSecond, SCALING_REP>);
template PassTransfers<SCALING_REP> pass_transfers(StateSharding, const StepBase<SCALING_REP>&,
                                                   const StageCost<SCALING_REP>&);

}  // namespace scaling
