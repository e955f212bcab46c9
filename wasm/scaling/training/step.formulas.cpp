// SPDX-License-Identifier: MIT
#include "scaling/training/step.hpp"

namespace scaling {
namespace {

template <class R>
using Bytes = Quantity<kByte, R>;
template <class R>
using Seconds = Quantity<kSecond, R>;

template <class R>
Count<R> number(double x) {
  return Count<R>(R(x));
}

/// What the layout's transfers take at full bandwidth and at that which is reached.
template <class R>
class Clock {
 public:
  explicit Clock(const Assumptions<R>& assumptions) : efficiency_(assumptions.network_efficiency) {}

  Timed<R> operator()(const Transfer<R>& transfer, Bytes<R> bytes) const {
    return {transfer.at_least(bytes), transfer.expected(bytes, efficiency_)};
  }

 private:
  Count<R> efficiency_;
};

/// Bytes that one micro-batch brings to a layer's tensor ways: each gathers and scatters them.
template <class R>
Timed<R> tensor_time(const StepInput<R>& in, const StepTransfers<R>& transfers,
                     const Clock<R>& clock, bool sparse) {
  if (in.layout.tensor.value() <= 1) return {};
  const auto tokens = as<kOne>(micro_batch_tokens(in.run, in.layout));
  const auto rows = bytes_of<R>(in.run.activation_format) * tokens * in.model.hidden;
  // Attention, and the feed-forward part where its columns are divided: an AllReduce each, which
  // sequence parallelism splits in two.
  const bool feed_forward = !sparse || in.model.shared_experts.value() > 0;
  const double sums = feed_forward ? 2 : 1;
  auto time = in.layout.sequence_parallel
                  ? number<R>(2 * sums) * clock(transfers.tensor_gather, rows)
                  : number<R>(sums) * clock(transfers.tensor_reduce, rows);
  if (sparse && in.layout.expert_tensor.value() > 1) {
    const auto routed =
        rows / in.layout.tensor * in.layout.expert_tensor * in.model.experts_per_token;
    time = time + number<R>(2) * clock(transfers.expert_tensor_gather, routed);
  }
  return time;
}

/// What sequence parallelism gathers once more in the backward pass of a layer: the inputs of its
/// matmuls, of which each of the tensor ways keeps its share only. Source: Korthikanti et
/// al. 4.2.2.
template <class R>
Timed<R> regather_time(const StepInput<R>& in, const StepTransfers<R>& transfers,
                       const Clock<R>& clock, bool sparse) {
  if (in.layout.tensor.value() <= 1 || !in.layout.sequence_parallel) return {};
  const auto tokens = as<kOne>(micro_batch_tokens(in.run, in.layout));
  const auto rows = bytes_of<R>(in.run.activation_format) * tokens * in.model.hidden;
  const bool feed_forward = !sparse || in.model.shared_experts.value() > 0;
  return number<R>(feed_forward ? 2 : 1) * clock(transfers.tensor_gather, rows);
}

/// Keys and values of a micro-batch on their way to all context ways, or heads instead of tokens.
template <class R>
Timed<R> context_time(const StepInput<R>& in, const StepTransfers<R>& transfers,
                      const Clock<R>& clock) {
  const auto& c = in.layout.context;
  if (c.value() <= 1) return {};
  const auto tokens = as<kOne>(micro_batch_tokens(in.run, in.layout));
  const auto row = bytes_of<R>(in.run.activation_format) * tokens;
  const auto width = attention_widths(in.model);
  // Of latent attention, the compressed vector goes around and is expanded where it arrives.
  const auto keys = in.model.attention == Attention::kLatent
                        ? row * (in.model.kv_rank + in.model.rope_dim)
                        : row * (width.key + width.value) / in.layout.tensor;
  switch (in.layout.context_kind) {
    case ContextKind::kRing:
      return (c - one<R>()) * clock(transfers.context_hop, keys);
    case ContextKind::kAllGather:
      return clock(transfers.context_gather, c * keys);
    case ContextKind::kUlysses:
      break;
  }
  const auto numbers = width.query + width.key + width.value + width.output;
  return clock(transfers.context_swap, c * (row * numbers / in.layout.tensor));
}

/// Tokens on their way to their experts and back.
template <class R>
Timed<R> expert_time(const StepInput<R>& in, const StepTransfers<R>& transfers,
                     const Clock<R>& clock) {
  const auto& layout = in.layout;
  if (layout.expert.value() <= 1) return {};
  const auto tokens = as<kOne>(micro_batch_tokens(in.run, layout)) / layout.tensor *
                      layout.expert_tensor * layout.expert *
                      expert_imbalance(layout, in.assumptions);
  const auto numbers = tokens * in.model.hidden;
  const auto back = bytes_of<R>(in.run.activation_format) * numbers;
  const auto there = layout.fp8_matmuls ? bytes_of<R>(Format::kFp8) * numbers : back;
  return clock(transfers.expert_swap, there) + clock(transfers.expert_swap, back);
}

/// Collectives of all states of a stage, layer by layer, by `dense` for what all data ranks share
/// and `experts` for what fewer do; `bytes` for each parameter.
template <class R>
Timed<R> state_time(const Stage<R>& stage, const Clock<R>& clock, const Transfer<R>& dense,
                    const Transfer<R>& experts, Quantity<kByte / kParam, R> bytes) {
  const auto layers = stage.dense + stage.sparse;
  Timed<R> time{};
  if (layers.value() > 0) time = layers * clock(dense, bytes * stage.matrices / layers);
  if (stage.vocabulary.value() > 0) time = time + clock(dense, bytes * stage.vocabulary);
  if (stage.sparse.value() > 0) {
    time = time + stage.sparse * clock(experts, bytes * stage.experts / stage.sparse);
  }
  return time;
}

template <class R>
StageCost<R> stage_cost(const StepInput<R>& in, const StepBase<R>& base, const EndsWork<R>& ends,
                        const StepTransfers<R>& transfers, const Placement& placement,
                        const Clock<R>& clock, const Stage<R>& stage) {
  const auto& work = base.work;
  const auto dense = stage.worked(stage.dense);
  const auto sparse = stage.worked(stage.sparse);
  StageCost<R> cost{};
  cost.stage = stage;
  Work<R> weights{};
  if (dense.value() > 0) {
    cost.forward = dense * work.dense_forward();
    cost.backward = dense * work.dense_backward;
    weights = dense * (work.projections + work.output + work.feed_forward);
    cost.tensor = dense * base.dense_tensor;
    cost.regather = dense * base.dense_regather;
  }
  if (sparse.value() > 0) {
    cost.forward = cost.forward + sparse * work.sparse_forward();
    cost.backward = cost.backward + sparse * work.sparse_backward;
    weights = weights + sparse * (work.projections + work.output + work.experts);
    cost.tensor = cost.tensor + sparse * base.sparse_tensor;
    cost.regather = cost.regather + sparse * base.sparse_regather;
    cost.expert = sparse * base.expert;
  }
  if (stage.embedding) {
    const auto lookups = stage.worked(one<R>());
    cost.forward = cost.forward + lookups * ends.embedding_forward;
    cost.backward = cost.backward + lookups * ends.embedding_backward;
  }
  if (stage.head) {
    const auto heads = stage.worked(stage.heads);
    cost.forward = cost.forward + heads * ends.head_forward;
    cost.backward = cost.backward + heads * ends.head_backward;
    weights = weights + heads * ends.head_forward;
  }
  cost.forward = named<term::kStageForward>(cost.forward);
  cost.backward = named<term::kStageBackward>(cost.backward);
  cost.weights_lower = weights.lower;
  cost.weights_expected = weights.expected;
  cost.context = (dense + sparse) * base.context;
  // Keys and values once more, and their gradients back; of Ulysses, all as they came.
  cost.context_backward =
      in.layout.context_kind == ContextKind::kUlysses ? cost.context : number<R>(2) * cost.context;

  const auto weight = bytes_of<R, kByte / kParam>(in.run.weight_format);
  const auto gradient = max(gradient_bytes(in.layout), constant<kByte / kParam, R>(2));
  const auto& dense_gather = transfers.shard_gather;
  const auto& expert_gather = transfers.expert_shard_gather;
  cost.gather =
      named<term::kGatherTransfer>(state_time(stage, clock, dense_gather, expert_gather, weight));
  cost.scatter = named<term::kScatterTransfer>(
      state_time(stage, clock, dense_gather, expert_gather, gradient));
  cost.reduce = named<term::kReduceTransfer>(
      state_time(stage, clock, transfers.shard_reduce, transfers.expert_shard_reduce, gradient));
  const auto shares = gradient * ((stage.matrices + stage.vocabulary) / base.ways.dense);
  if (placement.replicas.chips > 1) cost.replicas = clock(transfers.replica_reduce, shares);
  if (placement.slices > 1) {
    const auto of_experts = gradient * (stage.experts / base.ways.experts);
    cost.replicas = cost.replicas + clock(transfers.slice_reduce, shares + of_experts);
  }
  cost.transient = transient_memory(in.model, in.run, in.layout, in.assumptions, stage);
  return cost;
}

/// What is left to see of a transfer once as much of it hides as may and can; takes its place
/// from `window`.
template <class R>
Seconds<R> exposed(Seconds<R> transfer, Count<R> overlap, Seconds<R>& window) {
  if (transfer.value() <= 0) return {};
  const auto hidden = min(overlap * transfer, window);
  window = window - hidden;
  return transfer - hidden;
}

template <class R>
struct Exposed {
  Seconds<R> tensor, context, expert, data;

  Seconds<R> total() const { return tensor + context + expert + data; }
};

template <class R>
Exposed<R> expose(const Assumptions<R>& assumptions, Seconds<R> window, Seconds<R> tensor,
                  Seconds<R> context, Seconds<R> expert, Seconds<R> data) {
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
  if (stage.dense.value() > 0) again = stage.worked(stage.dense) * dense.work;
  if (stage.sparse.value() > 0) again = again + stage.worked(stage.sparse) * sparse.work;
  return again;
}

/// Bytes that the optimizer reads and writes of each parameter.
template <class R>
Quantity<kByte / kParam, R> update_bytes(const StepInput<R>& in, bool matrices) {
  const auto gradient = max(gradient_bytes(in.layout), constant<kByte / kParam, R>(2));
  return gradient + 2.0 * optimizer_bytes(in.model, in.layout, matrices) +
         bytes_of<R, kByte / kParam>(in.run.weight_format);
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
  return {share(stage.matrices, base.ways.dense) + share(stage.experts, base.ways.experts),
          share(stage.vocabulary, base.ways.dense)};
}

/// What one stage makes of a step, if it sets the pace.
template <class R>
struct Pace {
  const StageCost<R>* cost;
  Work<R> again;
  Timed<R> tensor, context, expert, data;  ///< of both passes of all micro-batches
  Timed<R> forward_data, back_data;        ///< of one
  Timed<R> tensor_back, context_back, expert_back;
  Timed<R> pipeline, once, optimizer, host;
  Exposed<R> forward, back;
  Seconds<R> micro_forward, micro_backward, bubble;
  Seconds<R> exposed_pipeline, exposed_once, exposed_host;
  Seconds<R> expected;
};

/// Transfers of one micro-batch, forward and back.
template <class R>
void add_transfers(Pace<R>& pace, const StepInput<R>& in, const StepBase<R>& base,
                   const Kept<R>& dense, const Kept<R>& sparse) {
  const StageCost<R>& cost = *pace.cost;
  const Stage<R>& stage = cost.stage;
  pace.tensor_back = cost.tensor + cost.regather;
  pace.context_back = cost.context_backward;
  pace.expert_back = cost.expert;
  if (dense.sums.value() > 0 && stage.dense.value() > 0) {
    pace.tensor_back =
        pace.tensor_back + (stage.worked(stage.dense) * dense.sums) * base.dense_tensor;
  }
  if (sparse.sums.value() > 0 && stage.sparse.value() > 0) {
    pace.tensor_back =
        pace.tensor_back + (stage.worked(stage.sparse) * sparse.sums) * base.sparse_tensor;
  }
  if (dense.others.value() > 0) {
    pace.context_back = pace.context_back + cost.context;
    pace.expert_back = pace.expert_back + cost.expert;
  }
  if (in.layout.sharding == StateSharding::kParameters && base.ways.dense.value() > 1) {
    const auto gather = stage.worked(one<R>()) * cost.gather;
    pace.forward_data = gather;
    pace.back_data = gather + stage.worked(one<R>()) * cost.scatter;
  } else if (in.layout.sharding == StateSharding::kGradients) {
    pace.back_data = stage.worked(one<R>()) * cost.scatter;
  }
}

/// Hops between stages: those that fill and drain the pipeline are exposed; the rest may overlap.
template <class R>
void add_pipeline(Pace<R>& pace, const StepInput<R>& in, const StepBase<R>& base) {
  const auto& layout = in.layout;
  if (layout.pipeline.value() <= 1) return;
  const auto others = layout.pipeline - one<R>();
  const auto times = base.micro_batches * stage_crossings(layout) - one<R>();
  auto window = base.micro_batches * (pace.micro_forward + pace.micro_backward);
  const auto rest = number<R>(2) * times * base.hop.expected;
  pace.exposed_pipeline =
      named<term::kExposedPipeline>(number<R>(2) * others * base.hop.expected +
                                    exposed(rest, in.assumptions.overlap_pipeline, window));
  pace.pipeline = (number<R>(2) * (times + others)) * base.hop;
}

/// Once a step: gradients behind the last backward pass, weights before the next forward one, and
/// the update between them, here or on the host.
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
      gathered = cost.gather;
      break;
    case StateSharding::kGradients:
      gathered = cost.gather;
      break;
    case StateSharding::kParameters:
      break;
  }
  pace.once = reduced + gathered;
  // The window for overlap is what the passes' own transfers of states leave.
  const auto left = [](Seconds<R> pass, Seconds<R> data) {
    return data.value() > 0 ? max(pass - data, Seconds<R>{}) : pass;
  };
  auto window_back = left(pace.micro_backward, pace.back_data.expected);
  auto window_forward = left(pace.micro_forward, pace.forward_data.expected);
  pace.exposed_once = exposed(reduced.expected, assumptions.overlap_data, window_back) +
                      exposed(gathered.expected, assumptions.overlap_data, window_forward);

  const auto own = updated(in, base, stage);
  if (layout.offload == Offload::kNone) {
    const auto update =
        update_bytes(in, true) * own.matrices + update_bytes(in, false) * own.vocabulary;
    const auto rate = of_one_chip(in.chip.memory_bandwidth);
    pace.optimizer = {update / rate, update / (rate * assumptions.memory_efficiency)};
    return;
  }
  // Gradients go down and weights come up; the host works while the chips do.
  const auto weight = bytes_of<R, kByte / kParam>(in.run.weight_format);
  const auto gradient = max(gradient_bytes(layout), constant<kByte / kParam, R>(2));
  auto bytes = (weight + gradient) * (own.matrices + own.vocabulary);
  if (layout.offload == Offload::kAll) {
    // Weights come for each pass of each micro-batch.
    const auto whole = stage.matrices + stage.vocabulary + stage.experts;
    const bool divided = pace.forward_data.expected.value() > 0;
    bytes = bytes +
            2.0 * (base.micro_batches * (weight * whole) / (divided ? base.ways.dense : one<R>()));
  }
  const auto rate = of_one_chip(in.chip.host_bandwidth.value);
  pace.host = {bytes / rate, bytes / (rate * assumptions.network_efficiency)};
  pace.exposed_host =
      named<term::kExposedHost>(exposed(pace.host.expected, assumptions.overlap_data, window_back));
}

template <class R>
void set_pace(Pace<R>& pace, const StepInput<R>& in, const StepBase<R>& base,
              const StageCost<R>& cost, const Kept<R>& dense, const Kept<R>& sparse) {
  const auto& m = base.micro_batches;
  pace = {};
  pace.cost = &cost;
  pace.again = work_again(cost.stage, dense, sparse);
  add_transfers(pace, in, base, dense, sparse);
  pace.tensor = m * (cost.tensor + pace.tensor_back);
  pace.context = m * (cost.context + pace.context_back);
  pace.expert = m * (cost.expert + pace.expert_back);

  pace.forward = expose(in.assumptions, cost.forward.expected, cost.tensor.expected,
                        cost.context.expected, cost.expert.expected, pace.forward_data.expected);
  const auto computing = cost.backward.expected + pace.again.expected;
  pace.back =
      expose(in.assumptions, computing, pace.tensor_back.expected, pace.context_back.expected,
             pace.expert_back.expected, pace.back_data.expected);
  const auto f = pace.micro_forward =
      named<term::kMicroForward>(cost.forward.expected + pace.forward.total());
  const auto b = pace.micro_backward = named<term::kMicroBackward>(computing + pace.back.total());
  pace.bubble = bubble_time(in.layout, m, PassTimes<R>{f, b, cost.weights_expected});
  add_pipeline(pace, in, base);
  add_update(pace, in, base);
  pace.data = m * (pace.forward_data + pace.back_data) + pace.once;
  pace.expected =
      named<term::kStepExpected>(m * (f + b) + pace.bubble + pace.exposed_pipeline +
                                 pace.exposed_once + pace.optimizer.expected + pace.exposed_host);
}

/// FLOPs that all chips do again: of all layers, for each token of the batch.
template <class R>
Quantity<kFlop, R> flops_again(const StepInput<R>& in, const Kept<R>& dense,
                               const Kept<R>& sparse) {
  const auto of_layers = [&](Count<R> layers, const Kept<R>& kept) {
    return layers.value() > 0 ? layers * kept.work.flops : Quantity<kFlop, R>{};
  };
  const auto moe = moe_layers(in.model);
  const auto layers = of_layers(in.model.layers - moe, dense) + of_layers(moe, sparse);
  const auto micro_batches = in.run.batch_tokens / (in.layout.micro_batch * in.run.sequence_length);
  return layers * in.layout.tensor * in.layout.context * micro_batches;
}

/// What all of a step takes at full rates and with perfect overlap.
template <class R>
Seconds<R> lower_bound(const StepInput<R>& in, const StepBase<R>& base, const Pace<R>& pace) {
  const auto& m = base.micro_batches;
  const StageCost<R>& cost = *pace.cost;
  const auto f = named<term::kLowerForward>(cost.forward.lower);
  const auto b = named<term::kLowerBackward>(cost.backward.lower + pace.again.lower);
  auto lower = m * (f + b) + bubble_time(in.layout, m, PassTimes<R>{f, b, cost.weights_lower}) +
               pace.optimizer.lower;
  for (const Seconds<R>& transfer : {pace.tensor.lower, pace.context.lower, pace.expert.lower,
                                     pace.data.lower, pace.pipeline.lower, pace.host.lower}) {
    if (transfer.value() > 0) lower = max(lower, transfer);
  }
  return lower;
}

/// What it takes at the rates that are reached, if nothing overlaps. The fewer gradients of weights
/// a schedule can put off, the longer its bubble.
template <class R>
Seconds<R> upper_bound(const StepInput<R>& in, const StepBase<R>& base, const Pace<R>& pace) {
  const auto& m = base.micro_batches;
  const StageCost<R>& cost = *pace.cost;
  const auto slow = [&](const Work<R>& work) {
    return work.math / in.assumptions.compute_efficiency +
           work.memory / in.assumptions.memory_efficiency;
  };
  const auto f = slow(cost.forward) + cost.tensor.expected + cost.context.expected +
                 cost.expert.expected + pace.forward_data.expected;
  const auto b = slow(cost.backward) + slow(pace.again) + pace.tensor_back.expected +
                 pace.context_back.expected + pace.expert_back.expected + pace.back_data.expected;
  return m * (f + b) + bubble_time(in.layout, m, PassTimes<R>{f, b, cost.weights_lower}) +
         pace.pipeline.expected + pace.once.expected + pace.optimizer.expected + pace.host.expected;
}

/// Names the two longest of a step's parts.
template <class R>
void name_bounds(Step<R>& step, const std::array<double, 8>& parts) {
  std::size_t first = 0;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (parts[i] > parts[first]) first = i;
  }
  std::size_t second = first == 0 ? 1 : 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i != first && parts[i] > parts[second]) second = i;
  }
  step.bound = number<R>(static_cast<double>(first));
  step.next_bound = number<R>(static_cast<double>(second));
}

}  // namespace

template <class R>
Count<R> count_micro_batches(const Run<R>& run, const Layout<R>& layout) {
  const auto replicas = as<kOne>(run.chips) / layout.model_ways();
  const auto sequences = run.batch_tokens / run.sequence_length;
  return named<term::kMicroBatches>(ceil(sequences / (replicas * layout.micro_batch)));
}

template <class R>
StepBase<R> make_step_base(const StepInput<R>& in, const LayerWork<R>& work,
                           const EndsWork<R>& ends, const StepTransfers<R>& transfers,
                           const Placement& placement) {
  const Clock<R> clock(in.assumptions);
  const bool sparse = has_experts(in.model);
  StepBase<R> base{};
  base.micro_batches = count_micro_batches(in.run, in.layout);
  base.work = work;
  base.dense_activations = layer_activations(in.model, in.run, in.layout, false);
  base.dense_tensor = named<term::kTensorTransfer>(tensor_time(in, transfers, clock, false));
  base.dense_regather = regather_time(in, transfers, clock, false);
  if (sparse) {
    base.sparse_activations = layer_activations(in.model, in.run, in.layout, true,
                                                expert_imbalance(in.layout, in.assumptions));
    base.sparse_tensor = tensor_time(in, transfers, clock, true);
    base.sparse_regather = regather_time(in, transfers, clock, true);
    base.expert = named<term::kExpertTransfer>(expert_time(in, transfers, clock));
  }
  base.context = named<term::kContextTransfer>(context_time(in, transfers, clock));
  base.ways = {number<R>(placement.shards.chips), number<R>(placement.expert_shards.chips)};
  if (in.layout.pipeline.value() > 1) {
    const auto rows = bytes_of<R>(in.run.activation_format) *
                      as<kOne>(micro_batch_tokens(in.run, in.layout)) * in.model.hidden;
    const bool divided = in.layout.sequence_parallel && in.layout.tensor.value() > 1;
    base.hop = named<term::kHopTime>(
        clock(transfers.pipeline_hop, divided ? rows / in.layout.tensor : rows));
  }
  const auto stages = make_stages(in.model, in.layout, base.micro_batches);
  for (const Stage<R>& stage : stages.list()) {
    base.stages[base.stage_count++] =
        stage_cost(in, base, ends, transfers, placement, clock, stage);
  }
  return base;
}

template <class R>
Step<R> finish_step(const StepInput<R>& in, const StepBase<R>& base, const Kept<R>& dense,
                    const Kept<R>& sparse) {
  const auto& m = base.micro_batches;
  Step<R> step{};
  step.micro_batches = m;

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
    set_pace(own, in, base, cost, dense, sparse);
    const auto lower = lower_bound(in, base, own);
    const auto upper = upper_bound(in, base, own);
    step.lower = longest < 0 ? lower : max(step.lower, lower);
    step.upper = longest < 0 ? upper : max(step.upper, upper);
    if (own.expected.value() > longest) {
      longest = own.expected.value();
      slowest = other;
    }
    const auto states = state_memory(in.model, in.run, in.layout, cost.stage, base.ways);
    const auto memory =
        stage_memory(in.layout, states, cost.transient, dense, sparse, cost.stage, in.assumptions);
    if (memory.total().value() > most) {
      most = memory.total().value();
      step.memory = memory;
      step.fullest = cost.stage.index;
    }
  }

  const Pace<R>& pace = paces[slowest];
  const StageCost<R>& cost = *pace.cost;
  step.expected = pace.expected;
  step.lower = named<term::kStepLower>(step.lower);
  step.upper = named<term::kStepUpper>(step.upper);
  step.micro_forward = pace.micro_forward;
  step.micro_backward = pace.micro_backward;
  step.weights = cost.weights_expected;
  step.bubble = pace.bubble;
  step.forward = named<term::kTimeForward>(m * cost.forward.expected);
  step.backward = named<term::kTimeBackward>(m * cost.backward.expected);
  if (pace.again.expected.value() > 0) {
    step.recompute = named<term::kTimeRecompute>(m * pace.again.expected);
    step.recompute_flops = flops_again(in, dense, sparse);
  }
  step.tensor = named<term::kTimeTensor>(pace.tensor.expected);
  step.context = named<term::kTimeContext>(pace.context.expected);
  step.expert = named<term::kTimeExpert>(pace.expert.expected);
  step.data = named<term::kTimeData>(pace.data.expected);
  step.pipeline = named<term::kTimePipeline>(pace.pipeline.expected);
  step.optimizer = named<term::kTimeOptimizer>(pace.optimizer.expected);
  step.host = named<term::kTimeHost>(pace.host.expected);
  const auto& f = pace.forward;
  const auto& b = pace.back;
  step.exposed_tensor = named<term::kExposedTensor>(m * (f.tensor + b.tensor));
  step.exposed_context = named<term::kExposedContext>(m * (f.context + b.context));
  step.exposed_expert = named<term::kExposedExpert>(m * (f.expert + b.expert));
  step.exposed_data = named<term::kExposedData>(m * (f.data + b.data) + pace.exposed_once);
  step.once = pace.once.expected;
  step.exposed_once = pace.exposed_once;
  step.exposed_pipeline = pace.exposed_pipeline;
  step.exposed_host = pace.exposed_host;

  const auto busy = cost.forward + cost.backward + pace.again;
  name_bounds(step, {(m * busy.math / in.assumptions.compute_efficiency).value(),
                     (m * busy.memory / in.assumptions.memory_efficiency).value(),
                     step.tensor.value(), step.context.value(), step.expert.value(),
                     step.data.value(), step.pipeline.value(), step.host.value()});
  return step;
}

template Count<SCALING_REP> count_micro_batches(const Run<SCALING_REP>&,
                                                const Layout<SCALING_REP>&);
template StepBase<SCALING_REP> make_step_base(const StepInput<SCALING_REP>&,
                                              const LayerWork<SCALING_REP>&,
                                              const EndsWork<SCALING_REP>&,
                                              const StepTransfers<SCALING_REP>&, const Placement&);
template Step<SCALING_REP> finish_step(const StepInput<SCALING_REP>&, const StepBase<SCALING_REP>&,
                                       const Kept<SCALING_REP>&, const Kept<SCALING_REP>&);

}  // namespace scaling
