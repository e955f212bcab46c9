// SPDX-License-Identifier: MIT
#include "scaling/training/step_base.hpp"

#include "scaling/training/tower_work.hpp"

namespace scaling {
namespace {

template <class R>
using Bytes = Quantity<kByte, R>;
template <class R>
using Seconds = Quantity<kSecond, R>;

/// Times of the layout's transfers, at full and at reached bandwidth.
template <class R>
class TransferClock {
 public:
  explicit TransferClock(const Assumptions<R>& assumptions)
      : efficiency_(assumptions.network_efficiency) {}

  Timed<R> operator()(const Transfer<R>& transfer, Bytes<R> bytes) const {
    return {transfer.at_least(bytes), transfer.expected(bytes, efficiency_)};
  }

 private:
  Count<R> efficiency_;
};

/// Bytes that one micro-batch brings to a layer's tensor ways: each part that they divide ends with
/// an AllReduce, which sequence parallelism splits in two.
template <class R>
Timed<R> tensor_time(const StepInput<R>& in, const LayerSums<R>& sums,
                     const StepTransfers<R>& transfers, const TransferClock<R>& clock,
                     bool sparse) {
  if (in.layout.tensor.value() <= 1) return {};
  const auto tokens = as<kOne>(micro_batch_tokens(in.run, in.layout));
  const auto rows = bytes_of<R>(in.run.activation_format) * tokens;
  const auto parts = scalar<R>(in.layout.sequence_parallel ? 2 : 1);
  auto time =
      parts * (sparse ? sums.sparse : sums.dense) * clock(transfers.tensor, rows * in.model.hidden);
  if (given(sums.inner)) {
    time = time + parts * sums.inner * clock(transfers.tensor, rows * sums.inner_numbers);
  }
  return time;
}

/// The second gather of sequence parallelism in the backward pass of a layer: the inputs of its
/// matmuls, of which each of the tensor ways keeps its share only. Source: Korthikanti et
/// al. 4.2.2.
template <class R>
Timed<R> regather_time(const StepInput<R>& in, const LayerSums<R>& sums,
                       const StepTransfers<R>& transfers, const TransferClock<R>& clock,
                       bool sparse) {
  if (in.layout.tensor.value() <= 1 || !in.layout.sequence_parallel) return {};
  const auto tokens = as<kOne>(micro_batch_tokens(in.run, in.layout));
  const auto rows = bytes_of<R>(in.run.activation_format) * tokens * in.model.hidden;
  return (sparse ? sums.sparse : sums.dense) * clock(transfers.tensor, rows);
}

/// Keys and values of a micro-batch on their way to all context ways, or heads instead of tokens.
template <class R>
Timed<R> context_time(const StepInput<R>& in, const StepTransfers<R>& transfers,
                      const TransferClock<R>& clock) {
  const auto& c = in.layout.context;
  if (c.value() <= 1) return {};
  const auto tokens = as<kOne>(micro_batch_tokens(in.run, in.layout));
  const auto row = bytes_of<R>(in.run.activation_format) * tokens;
  const auto width = context_widths(in.model);
  const auto keys = row * (width.sent_whole + width.sent_divided / in.layout.tensor);
  switch (in.layout.context_kind) {
    case ContextKind::kRing:
      return (c - one<R>()) * clock(transfers.context, keys);
    case ContextKind::kAllGather:
      return clock(transfers.context, c * keys);
    case ContextKind::kUlysses:
      break;
  }
  return clock(transfers.context, c * (row * width.all / in.layout.tensor));
}

/// Tokens on their way to their experts and back. Each of the tensor ways sends its own share of
/// them; where tensor ways divide an expert, they gather what has come, and scatter the sums,
/// before and behind its matmuls, which don't overlap with that. Source: Megatron-LM,
/// MoEAlltoAllTokenDispatcher.
template <class R>
Timed<R> expert_time(const StepInput<R>& in, const LayerSums<R>& sums,
                     const StepTransfers<R>& transfers, const TransferClock<R>& clock) {
  const auto& layout = in.layout;
  const auto tokens = as<kOne>(micro_batch_tokens(in.run, layout)) / layout.tensor *
                      expert_imbalance(layout, in.assumptions);
  Timed<R> time{};
  if (layout.expert.value() > 1) {
    const auto numbers = tokens * sums.exchanged;
    const auto back = bytes_of<R>(in.run.activation_format) * numbers;
    const bool eight = layout.fp8_matmuls && in.stack.fp8_dispatch;
    const auto there = eight ? bytes_of<R>(Format::kFp8) * numbers : back;
    time = clock(transfers.expert_exchange, there) + clock(transfers.expert_exchange, back);
  }
  if (layout.expert_tensor.value() > 1) {
    const auto routed = bytes_of<R>(in.run.activation_format) * tokens * layout.expert_tensor *
                        in.model.experts_per_token * sums.exchanged;
    time = time + scalar<R>(2) * clock(transfers.expert_tensor_gather, routed);
  }
  return time;
}

/// Collectives of states of a stage, layer by layer, by `dense` for what all data ranks share and
/// `experts` for what fewer do.
template <class R, template <class> class Part>
Timed<R> state_time(const Part<R>& stage, const TransferClock<R>& clock, const Transfer<R>& dense,
                    const Transfer<R>& experts, const WeightsOfStage<R>& states) {
  const auto layers = stage.dense + stage.sparse;
  Timed<R> time{};
  if (layers.value() > 0 && states.matrices.value() > 0) {
    time = layers * clock(dense, states.matrices / layers);
  }
  if (states.vocabulary.value() > 0) time = time + clock(dense, states.vocabulary);
  if (stage.sparse.value() > 0 && states.experts.value() > 0) {
    time = time + stage.sparse * clock(experts, states.experts / stage.sparse);
  }
  return time;
}

/// Times of a micro-batch's passes on `cost.stage`.
template <class R>
void set_passes(StageCost<R>& cost, const StepInput<R>& in, const StepBase<R>& base,
                const EndsWork<R>& ends) {
  const Stage<R>& stage = cost.stage;
  const LayerCost<R>& layers = base.layers_of(stage);
  const LayerCost<R>& layers_back = base.layers_of(stage.back);
  const auto dense = stage.worked(stage.dense);
  const auto sparse = stage.worked(stage.sparse);
  const auto dense_back = stage.worked(stage.back.dense);
  const auto sparse_back = stage.worked(stage.back.sparse);
  cost.forward = cost.backward = {};
  cost.tensor = cost.expert = cost.tensor_backward = cost.expert_backward = {};
  if (dense.value() > 0) {
    cost.forward = dense * layers.work.dense_forward();
    cost.tensor = dense * base.dense_tensor;
  }
  if (sparse.value() > 0) {
    cost.forward = cost.forward + sparse * layers.work.sparse_forward();
    cost.tensor = cost.tensor + sparse * base.sparse_tensor;
    cost.expert = sparse * base.expert;
  }
  Work<R> weights{};
  Timed<R> regather{};
  const auto& work = layers_back.work;
  if (dense_back.value() > 0) {
    cost.backward = dense_back * work.dense_backward;
    weights = dense_back * (work.projections + work.output + work.feed_forward);
    cost.tensor_backward = dense_back * base.dense_tensor;
    regather = dense_back * base.dense_regather;
  }
  if (sparse_back.value() > 0) {
    cost.backward = cost.backward + sparse_back * work.sparse_backward;
    weights = weights + sparse_back * (work.projections + work.output + work.experts);
    cost.tensor_backward = cost.tensor_backward + sparse_back * base.sparse_tensor;
    regather = regather + sparse_back * base.sparse_regather;
    cost.expert_backward = sparse_back * base.expert;
  }
  cost.tensor_backward = cost.tensor_backward + regather;
  if (stage.embedding) {
    const auto lookups = stage.worked(one<R>());
    cost.forward = cost.forward + lookups * ends.embedding_forward;
    cost.backward = cost.backward + lookups * ends.embedding_backward;
    if (in.run.sees()) cost.tensor = cost.tensor + lookups * base.tower_tensor;
    if (in.run.trains_tower()) {
      cost.tensor_backward = cost.tensor_backward + 2.0 * lookups * base.tower_tensor;
    }
  }
  if (stage.heads.value() > 0) {
    const auto heads = stage.worked(stage.heads);
    cost.forward = cost.forward + heads * ends.head_forward;
    cost.backward = cost.backward + heads * ends.head_backward;
    if (!in.run.freezes_head()) weights = weights + heads * ends.head_forward;
    if (given(stage.modules)) {
      const auto modules = stage.worked(stage.modules);
      cost.forward = cost.forward + modules * ends.mtp_forward;
      cost.backward = cost.backward + modules * ends.mtp_backward;
      weights = weights + modules * ends.mtp_forward;
    }
  }
  cost.forward = named<term::kStageForward>(cost.forward);
  cost.backward = named<term::kStageBackward>(cost.backward);
  // Of frozen weights there are none to put off.
  if (in.run.adapts()) weights = {};
  cost.weights_lower = weights.lower;
  cost.weights_expected = weights.expected;
  cost.context = (dense + sparse) * layers.context;
  cost.context_again = (dense_back + sparse_back) * layers_back.context;
  // Keys and values once more, and their gradients back; of Ulysses, all as they came.
  cost.context_backward = in.layout.context_kind == ContextKind::kUlysses
                              ? cost.context_again
                              : scalar<R>(2) * cost.context_again;
}

/// The collectives of a stage's states.
template <class R>
void set_states(StageCost<R>& cost, const StepInput<R>& in, const ShardWays<R>& ways,
                const StepTransfers<R>& transfers, const Placement& placement) {
  const TransferClock<R> clock(in.assumptions);
  const Stage<R>& stage = cost.stage;
  const auto trained = trained_of(in.model, in.run, in.layout, stage);
  auto weights = weights_of(in.model, in.run, in.layout, stage);
  auto weight = bytes_of<R, kByte / kParam>(in.run.weight_format);
  if (in.stack.fp8_gather && in.layout.fp8_matmuls && !in.run.quantises()) {
    weight = bytes_of<R, kByte / kParam>(Format::kFp8);
    weights = {weight * stage.matrices, weight * stage.vocabulary, weight * stage.experts};
  }
  const auto gradient = in.stack.reduce_format == ReduceFormat::kBf16
                            ? constant<kByte / kParam, R>(2)
                            : max(gradient_bytes(in.layout), constant<kByte / kParam, R>(2));
  const auto& dense_gather = transfers.shard_gather;
  const auto& expert_gather = transfers.expert_shard_gather;
  const WeightsOfStage<R> gradients{gradient * trained.matrices, gradient * trained.vocabulary,
                                    gradient * trained.experts};
  cost.gather =
      named<term::kGatherTransfer>(state_time(stage, clock, dense_gather, expert_gather, weights));
  cost.gather_back = cost.renewal = cost.gather;
  const auto& back = stage.back;
  const auto gathered = [&](const WeightsOfStage<R>& some) {
    return state_time(back, clock, dense_gather, expert_gather, some);
  };
  if (in.run.ends_early()) {
    cost.gather_back = named<term::kGatherTransfer>(
        gathered({weight * back.matrices, weight * back.vocabulary, weight * back.experts}));
  }
  if (in.run.adapts() || in.run.ends_early()) {
    // Frozen weights stay as they are on each of the ranks. Adapters are multiplied in no 8 bits.
    const auto each = in.run.adapts() ? bytes_of<R, kByte / kParam>(in.run.weight_format) : weight;
    cost.renewal = named<term::kRenewalTransfer>(
        gathered({each * trained.matrices, each * trained.vocabulary, each * trained.experts}));
  }
  cost.scatter = named<term::kScatterTransfer>(
      state_time(back, clock, dense_gather, expert_gather, gradients));
  cost.reduce = named<term::kReduceTransfer>(
      state_time(back, clock, transfers.shard_reduce, transfers.expert_shard_reduce, gradients));
  const auto shares = gradient * ((trained.matrices + trained.vocabulary) / ways.dense);
  if (placement.replicas.chips > 1) cost.replicas = clock(transfers.replica_reduce, shares);
  if (placement.slices > 1) {
    const auto of_experts = gradient * (trained.experts / ways.experts);
    cost.replicas = cost.replicas + clock(transfers.slice_reduce, shares + of_experts);
  }
}

}  // namespace

template <class R>
Count<R> count_micro_batches(const TrainingJob<R>& run, const Degrees<R>& layout) {
  const auto replicas = as<kOne>(run.chips) / layout.model_ways();
  const auto sequences = run.batch_tokens / run.sequence_length;
  return named<term::kMicroBatches>(ceil(sequences / (replicas * layout.micro_batch)));
}

template <class R>
StepTransfers<R> step_transfers(const StepInput<R>& in, const Placement& placement,
                                const PlacedTransfers<R>* known) {
  const auto& of = in.generation();
  const bool torus = in.chip.network == Network::kTorus;
  const auto& inside = torus ? in.constants.exchange_torus : in.constants.exchange_near;
  const NetworkShares reached{of.scale_up, inside, of.scale_out};
  const auto& limit = in.layout.expert_nodes;
  const ExpertExchange<R> exchange{in.model.experts_per_token,
                                   limit.value() > 0 ? limit : in.model.routed_groups,
                                   in.stack.expert_dispatch == ExpertDispatch::kKernels};
  const Constant start = torus ? Constant{} : kKernelConstants.exchange_start;
  const ExchangeRates rates{start, inside, in.constants.exchange_far};
  auto transfers = make_step_transfers(
      in.chip, in.model, in.layout, placement, in.assumptions.in_network_reduction, exchange,
      in.measured() ? &reached : nullptr, in.measured() ? &rates : nullptr, known);
  if (!in.measured() || in.chip.network == Network::kTorus) return transfers;
  // Gathers of states go around in rings, chip by chip.
  const auto rounds = [&](Count<R> chips) {
    return seconds_of<R>(in.constants.ring_step) * (chips - one<R>());
  };
  const auto ways = shard_ways<R>(placement);
  transfers.shard_gather.start = rounds(ways.dense);
  transfers.shard_reduce.start = 2.0 * rounds(ways.dense);
  if (in.model.sparse()) {
    transfers.expert_shard_gather.start = rounds(ways.experts);
    transfers.expert_shard_reduce.start = 2.0 * rounds(ways.experts);
  }
  return transfers;
}

template <class R>
void set_stages(StepBase<R>& base, const StepInput<R>& in) {
  base.stage_count = 0;
  base.sums = layer_sums(in.model);
  const auto stages = make_stages(in.model, in.layout, one<R>(), in.run);
  base.some_end = in.run.ends_early() && in.layout.pipeline.value() > 1;
  if (base.some_end) {
    base.returns = backward_share(in.layout, backward_parts(in.model, in.layout, in.run));
  }
  for (const Stage<R>& stage : stages.list()) {
    StageCost<R>& cost = base.stages[base.stage_count++];
    cost = {};
    cost.stage = stage;
    cost.transient.gathered =
        stage.own == 0
            ? gathered_memory(in.model, in.run, in.layout, in.stack, stage)
            : gathered_memory(model_of(in.model, stage), in.run, in.layout, in.stack, stage);
  }
}

template <class R>
void set_states(StepBase<R>& base, const StepInput<R>& in, const StepTransfers<R>& transfers,
                const Placement& placement) {
  for (std::size_t i = 0; i < base.stage_count; ++i) {
    set_states(base.stages[i], in, base.ways, transfers, placement);
  }
}

template <class R>
[[gnu::noinline]] void set_activations(LayerCost<R>& cost, const StepInput<R>& in) {
  cost.dense_activations =
      layer_activations(in.model, in.run, in.layout, false, one<R>(), TensorCopies(in));
  if (has_experts(in.model)) {
    cost.sparse_activations =
        layer_activations(in.model, in.run, in.layout, true,
                          expert_imbalance(in.layout, in.assumptions), TensorCopies(in));
  }
}

template <class R>
[[gnu::noinline]] void set_transients(StepBase<R>& base, const StepInput<R>& in) {
  for (std::size_t i = 0; i < base.stage_count; ++i) {
    StageCost<R>& cost = base.stages[i];
    const auto set_stage = [&](const Model<R>& model) {
      cost.transient = transient_memory(model, in.run, in.layout, in.assumptions, cost.stage,
                                        cost.transient.gathered);
    };
    cost.stage.in_flight = held_by(cost.stage, in.layout, base.micro_batches);
    if (cost.stage.own == 0) {
      set_stage(in.model);
    } else {
      set_stage(model_of(in.model, cost.stage));
    }
  }
}

template <class R>
void set_layers(StepBase<R>& base, const StepInput<R>& in, const LayerWork<R>& work,
                const StepTransfers<R>& transfers) {
  base.micro_batches = count_micro_batches(in.run, in.layout);
  const TransferClock<R> clock(in.assumptions);
  base.work = work;
  base.dense_tensor =
      named<term::kTensorTransfer>(tensor_time(in, base.sums, transfers, clock, false));
  base.dense_regather = regather_time(in, base.sums, transfers, clock, false);
  if (has_experts(in.model)) {
    base.sparse_tensor = tensor_time(in, base.sums, transfers, clock, true);
    base.sparse_regather = regather_time(in, base.sums, transfers, clock, true);
    base.expert = named<term::kExpertTransfer>(expert_time(in, base.sums, transfers, clock));
  }
  base.context = named<term::kContextTransfer>(context_time(in, transfers, clock));
  for (LayerCost<R>& own : base.own) own.context = {};
  if (in.layout.context.value() > 1) {
    each_own(base, in.model, [&](const Model<R>& model, const auto& part) {
      base.own[part.own - 1].context = context_time(StepInput<R>(in, model), transfers, clock);
    });
  }
  base.tower_tensor = {};
  if (in.run.sees()) {
    const TowerStep<R> tower(in, as<kToken>(in.model.image_patches));
    base.tower_tensor = tower.model.layers * tensor_time(tower.input(in), layer_sums(tower.model),
                                                         transfers, clock, false);
  }
  base.hop = {};
  if (in.layout.pipeline.value() > 1) {
    const auto rows = bytes_of<R>(in.run.activation_format) *
                      as<kOne>(micro_batch_tokens(in.run, in.layout)) * in.model.hidden;
    const bool divided = in.layout.sequence_parallel && in.layout.tensor.value() > 1;
    base.hop = named<term::kHopTime>(
        clock(transfers.pipeline_hop, divided ? rows / in.layout.tensor : rows));
  }
}

template <class R>
void set_own_layers(StepBase<R>& base, const StepInput<R>& in) {
  each_own(base, in.model, [&](const Model<R>& model, const auto& part) {
    const StepInput<R> of_part(in, model);
    LayerCost<R>& own = base.own[part.own - 1];
    own.work = layer_work(of_part);
    set_activations(own, of_part);
  });
}

template <class R>
[[gnu::noinline]] KeptStages<R> keep_layers(const StepInput<R>& in, const StepBase<R>& base,
                                            const DroppedShares& dropped) {
  const auto kept = [&](const LayerCost<R>& cost) -> KeptLayers<R> {
    return {keep(cost.dense_activations, cost.work, false, in.model, in.run, in.layout, dropped),
            keep(cost.sparse_activations, cost.work, true, in.model, in.run, in.layout, dropped)};
  };
  KeptStages<R> result;
  static_cast<KeptLayers<R>&>(result) = kept(base);
  for (std::size_t i = 0; i < base.stage_count; ++i) {
    const std::size_t own = base.stages[i].stage.back.own;
    if (own > 0) result.own[own - 1] = kept(base.own[own - 1]);
  }
  return result;
}

template <class R>
void set_passes(StepBase<R>& base, const StepInput<R>& in, const EndsWork<R>& ends) {
  for (std::size_t i = 0; i < base.stage_count; ++i) set_passes(base.stages[i], in, base, ends);
}

template <class R>
StepBase<R> make_step_base(const StepInput<R>& in, const LayerWork<R>& work,
                           const EndsWork<R>& ends, const StepTransfers<R>& transfers,
                           const Placement& placement) {
  StepBase<R> base{};
  set_ways(base, placement);
  set_stages(base, in);
  set_states(base, in, transfers, placement);
  set_layers(base, in, work, transfers);
  set_own_layers(base, in);
  set_activations(base, in);
  set_transients(base, in);
  set_passes(base, in, ends);
  return base;
}

template Count<SCALING_REP> count_micro_batches(const TrainingJob<SCALING_REP>&,
                                                const Degrees<SCALING_REP>&);
template StepTransfers<SCALING_REP> step_transfers(const StepInput<SCALING_REP>&, const Placement&,
                                                   const PlacedTransfers<SCALING_REP>*);
template StepBase<SCALING_REP> make_step_base(const StepInput<SCALING_REP>&,
                                              const LayerWork<SCALING_REP>&,
                                              const EndsWork<SCALING_REP>&,
                                              const StepTransfers<SCALING_REP>&, const Placement&);
template void set_stages(StepBase<SCALING_REP>&, const StepInput<SCALING_REP>&);
template void set_states(StepBase<SCALING_REP>&, const StepInput<SCALING_REP>&,
                         const StepTransfers<SCALING_REP>&, const Placement&);
template void set_activations(LayerCost<SCALING_REP>&, const StepInput<SCALING_REP>&);
template void set_transients(StepBase<SCALING_REP>&, const StepInput<SCALING_REP>&);
template void set_layers(StepBase<SCALING_REP>&, const StepInput<SCALING_REP>&,
                         const LayerWork<SCALING_REP>&, const StepTransfers<SCALING_REP>&);
template void set_own_layers(StepBase<SCALING_REP>&, const StepInput<SCALING_REP>&);
template KeptStages<SCALING_REP> keep_layers(const StepInput<SCALING_REP>&,
                                             const StepBase<SCALING_REP>&, const DroppedShares&);
template void set_passes(StepBase<SCALING_REP>&, const StepInput<SCALING_REP>&,
                         const EndsWork<SCALING_REP>&);

}  // namespace scaling
