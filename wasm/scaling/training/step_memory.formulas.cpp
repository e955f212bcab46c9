// SPDX-License-Identifier: MIT
#include "scaling/training/step_memory.hpp"

#include <cmath>

#include "scaling/training/tower_work.hpp"
#include "scaling/training/tuning.hpp"

namespace scaling {
namespace {

template <class R>
using Bytes = Quantity<kByte, R>;
template <class R>
using BytesPerParameter = Quantity<kByte / kParam, R>;

template <class R>
BytesPerParameter<R> copy_bytes(Copy copy) {
  return constant<kByte / kParam, R>(copy_width(copy));
}

}  // namespace

template <class R>
BytesPerParameter<R> optimizer_bytes(const Model<R>& model, const TrainingPolicy<R>& policy,
                                     bool matrices) {
  const auto bytes = [](double x) { return constant<kByte / kParam, R>(x); };
  const auto moments = [&]() -> BytesPerParameter<R> {
    switch (policy.optimizer) {
      case Optimizer::kAdam:
        return bytes(8);
      case Optimizer::kAdam8bit:
        return bytes(2);
      case Optimizer::kAdamBf16:
        return bytes(4);
      case Optimizer::kAdafactor:
        // A sum for each row and column of a D x F matrix.
        return bytes(4) * (one<R>() / model.hidden + one<R>() / model.feed_forward);
      case Optimizer::kLion:
      case Optimizer::kSgd:
        return bytes(4);
      case Optimizer::kMuon:
        break;
    }
    return bytes(matrices ? 4 : 8);
  };
  return named<term::kOptimizerBytes>(copy_bytes<R>(policy.master_format) + moments());
}

template <class R>
BytesPerParameter<R> gradient_bytes(const TrainingPolicy<R>& policy) {
  return constant<kByte / kParam, R>(gradient_sum_width(policy.gradient_format));
}

template <class R>
BytesPerParameter<R> cast_bytes(const TrainingJob<R>& run, const TrainingPolicy<R>& policy) {
  const auto wide = bytes_of<R, kByte / kParam>(run.weight_format);
  const auto byte = bytes_of<R, kByte / kParam>(Format::kFp8);
  if (policy.fp8_matmuls) return wide > byte ? byte : BytesPerParameter<R>{};
  // Scaled in blocks of a row, each order has numbers and scales of its own.
  const auto both = constant<kByte / kParam, R>(2 * kNvfp4Width);
  return run.compute_format == Format::kFp4 && wide > both ? both : BytesPerParameter<R>{};
}

namespace {

/// Whether weights that matmuls take in fp8 are nowhere in 16 bits: data ranks gather what an
/// update has made of the master copy in fp8, and keep that. Frozen weights are never gathered.
template <class R>
bool keeps_fp8_weights(const TrainingJob<R>& run, const Layout<R>& layout, const Stack<R>& stack,
                       const ShardWays<R>& ways) {
  const bool gathered =
      layout.sharding == StateSharding::kOptimizer || layout.sharding == StateSharding::kGradients;
  return gathered && ways.dense.value() > 1 && stack.fp8_gather && layout.fp8_matmuls &&
         !run.adapts() && !run.ends_early() && layout.master_format != Copy::kNone;
}

/// Whether a chip has its weights nowhere but in the master copy, of which it gathers casts.
template <class R>
bool has_master_alone(const TrainingJob<R>& run, const Layout<R>& layout, const Stack<R>& stack) {
  return stack.shards_master && layout.sharding == StateSharding::kParameters &&
         layout.offload == Offload::kNone && layout.master_format != Copy::kNone && !run.adapts() &&
         !run.ends_early();
}

}  // namespace

template <class R>
StateMemory<R> state_memory(const Model<R>& model, const TrainingJob<R>& run,
                            const Layout<R>& layout, const Stack<R>& stack, const Stage<R>& stage,
                            const ShardWays<R>& ways) {
  const auto gradient = constant<kByte / kParam, R>(gradient_width(layout.gradient_format));
  const auto trained = trained_of(model, run, layout, stage);
  const auto dense = trained.matrices + trained.vocabulary;
  const auto weights = weights_of(model, run, layout, stage);
  const auto shared = [&](Bytes<R> of_dense, Bytes<R> of_experts, StateSharding from) {
    const bool divided = layout.sharding >= from;
    if (divided) of_dense = of_dense / ways.dense;
    if (of_experts.value() <= 0) return of_dense;
    return of_dense + (divided ? of_experts / ways.experts : of_experts);
  };
  StateMemory<R> result{};
  auto parameters = has_master_alone(run, layout, stack)
                        ? Bytes<R>{}
                        : shared(weights.dense(), weights.experts, StateSharding::kParameters);
  const auto cast = cast_bytes(run, layout);
  if (cast.value() > 0 && layout.sharding < StateSharding::kParameters) {
    const auto wide = bytes_of<R, kByte / kParam>(run.weight_format);
    const auto more = keeps_fp8_weights(run, layout, stack, ways) ? cast - wide : cast;
    parameters = parameters + more * (stage.multiplied + stage.experts);
  }
  auto gradients = shared(gradient * dense, gradient * trained.experts, StateSharding::kGradients);
  if (layout.gradient_format == GradientCopies::kShare && layout.offload == Offload::kNone) {
    const auto whole = copy_bytes<R>(Copy::kFp32);
    gradients =
        gradients + shared(whole * dense, whole * trained.experts, StateSharding::kOptimizer);
  }
  auto optimizer =
      shared(optimizer_bytes(model, layout, true) * trained.matrices +
                 optimizer_bytes(model, layout, false) * trained.vocabulary,
             optimizer_bytes(model, layout, true) * trained.experts, StateSharding::kOptimizer);
  if (layout.offload != Offload::kAll) {
    result.parameters = named<term::kMemoryParameters>(parameters);
    result.gradients = named<term::kMemoryGradients>(gradients);
  }
  if (layout.offload == Offload::kNone) {
    result.optimizer = named<term::kMemoryOptimizer>(optimizer);
  }
  return result;
}

namespace {

/// Weights of the largest kernel of a dense or sparse layer, on one chip.
template <class R>
Quantity<kParam, R> largest_weights(const Model<R>& model, const Layout<R>& layout, bool sparse) {
  Quantity<kParam, R> largest{};
  const auto one = constant<kParam, R>(1);
  each_part(model, [&](const LayerPart<R>& part, std::span<const Kernel<R>> kernels) {
    if (!part.mixes && part.has_experts() != sparse) return;
    for (const Kernel<R>& kernel : kernels) {
      if (!kernel.multiplies()) continue;
      const auto matrix = one * kernel.contraction * kernel.outputs;
      const bool experts = kernel.type == KernelType::kExperts;
      const auto own = given(kernel.copies) ? matrix * kernel.copies : matrix;
      largest = max(largest,
                    experts ? own / (layout.expert * layout.expert_tensor) : own / layout.tensor);
    }
  });
  return largest;
}

}  // namespace

template <class R>
Bytes<R> gathered_memory(const Model<R>& model, const TrainingJob<R>& run, const Layout<R>& layout,
                         const Stack<R>& stack, const Stage<R>& stage) {
  const auto& t = layout.tensor;
  const auto weight = bytes_of<R, kByte / kParam>(run.weight_format);
  const auto parts = layer_parameters(model);
  auto multiplied = parts.attention / t;
  auto others = parts.norms;
  if (stage.sparse.value() > 0) {
    const auto experts = parts.experts / (layout.expert * layout.expert_tensor);
    multiplied = multiplied + parts.shared / t + experts;
    others = others + parts.router;
  } else {
    multiplied = multiplied + parts.feed_forward / t;
  }
  auto layer = multiplied + others;
  auto gradient = max(gradient_bytes(layout), weight);
  if (stack.kernels == KernelLaunch::kCompiled) {
    layer = multiplied = largest_weights(model, layout, stage.sparse.value() > 0);
    others = {};
    // The sum over ranks is part of the program: what it adds up is added up in its share.
    gradient = weight;
  }
  // Two layers are there whole, and gradients of one: of adapters, they are next to nothing.
  const bool frozen_layers = run.ends_early() && stage.back.layers().value() <= 0;
  const bool trains = !run.adapts() && !frozen_layers;
  auto held = trains ? (2.0 * weight + gradient) * layer
                     : 2.0 * (base_bytes(run) * multiplied + weight * others);
  const auto cast = cast_bytes(run, layout);
  if (cast.value() > 0) held = held + 2.0 * (cast * multiplied);
  if (stage.embedding || stage.heads.value() > 0) {
    const auto ends = end_parameters(model);
    auto end = ends.embedding / t;
    if (stage.embedding) end = end + ends.own_inputs / t;
    const bool frozen = run.freezes_head() || (run.ends_early() && stage.heads.value() <= 0);
    held = max(held, frozen ? weight * end : (weight + gradient) * end);
  }
  return held;
}

template <class R>
TransientMemory<R> transient_memory(const Model<R>& model, const TrainingJob<R>& run,
                                    const Layout<R>& layout, const Assumptions<R>& assumptions,
                                    const Stage<R>& stage, Bytes<R> gathered) {
  const auto& t = layout.tensor;
  const auto tokens = as<kOne>(micro_batch_tokens(run, layout));
  const auto number = bytes_of<R>(run.activation_format);
  TransientMemory<R> result{};
  if (stage.heads.value() > 0) {
    const auto rows = layout.sequence_parallel ? tokens / t : tokens;
    const auto logits =
        assumptions.logit_bytes * tokens * model.vocabulary / t / assumptions.loss_chunks;
    // The inputs of the last norm and of the head.
    result.logits = named<term::kMemoryLogits>(logits + 2.0 * (number * rows * model.hidden));
  }
  Bytes<R> buffers{};
  const auto add = [&](Bytes<R> bytes) { buffers = buffers.value() > 0 ? buffers + bytes : bytes; };
  if (t.value() > 1 && layout.sequence_parallel) add(number * tokens * model.hidden);
  if (layout.context.value() > 1 && layout.context_kind != ContextKind::kUlysses) {
    const auto own = number * tokens * context_widths(model).keys / t;
    // All keys and values, or those at work and those on their way.
    add(layout.context_kind == ContextKind::kAllGather ? layout.context * own : 2.0 * own);
  }
  if (stage.sparse.value() > 0 && layout.expert.value() > 1) {
    const auto by = kernel_degrees(layout, expert_imbalance(layout, assumptions));
    const auto routed = routed_tokens(model.experts_per_token, tokens, by);
    add(2.0 * (number * routed * layer_sums(model).exchanged));
  }
  if (run.quantises()) add(widest_restored(model, run, layout));
  result.buffers = buffers;
  result.gathered = gathered;
  result.tower = tower_kept(model, run, layout, stage);
  return result;
}

template <class R>
StageMemory<R> stage_memory(const Layout<R>& layout, const Stack<R>& stack,
                            const StateMemory<R>& states, const TransientMemory<R>& transient,
                            const Kept<R>& dense, const Kept<R>& sparse, const Stage<R>& stage,
                            const Assumptions<R>& assumptions) {
  Bytes<R> kept{};
  Bytes<R> sent_off{};
  Bytes<R> layer{};
  Bytes<R> working{};
  Bytes<R> largest{};
  const auto& back = stage.back;
  if (back.dense.value() > 0) {
    kept = back.dense * dense.bytes;
    sent_off = back.dense * dense.sendable;
    layer = dense.sendable;
    working = dense.working + dense.gradients;
    largest = dense.largest;
  }
  if (back.sparse.value() > 0) {
    kept = kept + back.sparse * sparse.bytes;
    sent_off = sent_off + back.sparse * sparse.sendable;
    layer = max(layer, sparse.sendable);
    working = max(working, sparse.working + sparse.gradients);
    largest = max(largest, sparse.largest);
  }
  const bool gathered =
      layout.sharding == StateSharding::kParameters || layout.offload == Offload::kAll;
  const auto buffers = gathered ? transient.gathered + transient.buffers : transient.buffers;
  kept = kept * stage.in_flight;
  if (layout.host_activations.value() > 0) {
    // Of those on the host, one layer's are on their way and another's at work.
    sent_off = sent_off * stage.in_flight;
    kept = kept - layout.host_activations * max(sent_off - 2.0 * layer, Bytes<R>{});
  }
  if (transient.tower.value() > 0) kept = kept + transient.tower;
  const auto activations = named<term::kMemoryActivations>(kept);
  working = named<term::kMemoryWorking>(working);
  const auto sent = named<term::kMemoryBuffers>(buffers);
  const auto logits = logits_beside(stack, transient.logits, working);
  // States stay where they are; what comes and goes leaves gaps.
  const auto passing = activations + working + logits + sent;
  StageMemory<R> result{states,
                        activations,
                        working,
                        logits,
                        sent,
                        named<term::kMemoryOverhead>(assumptions.runtime_overhead),
                        named<term::kMemoryAllocator>(assumptions.allocator_share * passing)};
  if (stack.kernels == KernelLaunch::kCompiled) {
    result.spare = working + logits - max(transient.logits, min(working, largest));
  }
  return result;
}

template BytesPerParameter<SCALING_REP> optimizer_bytes(const Model<SCALING_REP>&,
                                                        const TrainingPolicy<SCALING_REP>&, bool);
template BytesPerParameter<SCALING_REP> gradient_bytes(const TrainingPolicy<SCALING_REP>&);
template BytesPerParameter<SCALING_REP> cast_bytes(const TrainingJob<SCALING_REP>&,
                                                   const TrainingPolicy<SCALING_REP>&);
template StateMemory<SCALING_REP> state_memory(const Model<SCALING_REP>&,
                                               const TrainingJob<SCALING_REP>&,
                                               const Layout<SCALING_REP>&,
                                               const Stack<SCALING_REP>&, const Stage<SCALING_REP>&,
                                               const ShardWays<SCALING_REP>&);
template Bytes<SCALING_REP> gathered_memory(const Model<SCALING_REP>&,
                                            const TrainingJob<SCALING_REP>&,
                                            const Layout<SCALING_REP>&, const Stack<SCALING_REP>&,
                                            const Stage<SCALING_REP>&);
template TransientMemory<SCALING_REP> transient_memory(
    const Model<SCALING_REP>&, const TrainingJob<SCALING_REP>&, const Layout<SCALING_REP>&,
    const Assumptions<SCALING_REP>&, const Stage<SCALING_REP>&, Bytes<SCALING_REP>);
template StageMemory<SCALING_REP> stage_memory(
    const Layout<SCALING_REP>&, const Stack<SCALING_REP>&, const StateMemory<SCALING_REP>&,
    const TransientMemory<SCALING_REP>&, const Kept<SCALING_REP>&, const Kept<SCALING_REP>&,
    const Stage<SCALING_REP>&, const Assumptions<SCALING_REP>&);

}  // namespace scaling
