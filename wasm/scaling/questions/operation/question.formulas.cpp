// SPDX-License-Identifier: MIT
#include "scaling/questions/operation/question.hpp"

#include "scaling/input/read_groups.hpp"
#include "scaling/model/layer.hpp"

namespace scaling {
namespace {

template <class R>
using Typed = OperationQuestion::Typed<R>;

template <class R>
Maybe<Bandwidth<R>> memory_rate(const Chip<R>& chip, MemoryLevel level) {
  switch (level) {
    case MemoryLevel::kHbm:
      break;
    case MemoryLevel::kOnChip:
      return chip.on_chip_bandwidth;
    case MemoryLevel::kHost:
      return chip.host_bandwidth;
  }
  return chip.memory_bandwidth;
}

/// X, Y and Z of a sharded matmul, whole [B].
template <class R>
struct MatmulBytes {
  Quantity<kByte, R> activations, weights, result;
};

template <class R>
MatmulBytes<R> matmul_bytes(const OperationRequest<R>& request) {
  const auto whole = matmul(matmul_shape(request));
  return {whole.activation_bytes, whole.weight_bytes, whole.output_bytes};
}

template <class R>
CollectiveRequest<R> collective_of(CollectiveKind kind, Quantity<kByte, R> bytes) {
  CollectiveRequest<R> request{};
  request.kind = kind;
  request.bytes = bytes;
  return request;
}

/// The collectives of a request, one after another.
template <class R>
struct CollectivesCost {
  NetworkUse<R> use;
  Count<R> steps{};
  Maybe<Quantity<kSecond, R>> bandwidth_time, latency_time;
  CollectiveKind longest{};
};

template <class R>
CollectivesCost<R> cost_of(const Typed<R>& in, const OperandCollectives<R>& transfers) {
  CollectivesCost<R> result;
  result.bandwidth_time = Absence::kNotApplicable;
  result.latency_time = Absence::kNotApplicable;
  double longest = 0;
  bool first = true;
  const auto add = [&](auto& sum, const auto& part) {
    sum = first || !part.present() ? part
          : sum.present()          ? decltype(part)(sum.value + part.value)
                                   : sum;
  };
  for (const auto& transfer : transfers.items()) {
    const auto cost = collective_cost(in.chip, in.mesh, transfer);
    result.steps = result.steps + cost.steps;
    add(result.use.bytes, Maybe<Quantity<kByte, R>>(cost.bytes_sent));
    add(result.use.time, cost.time);
    add(result.bandwidth_time, cost.bandwidth_time);
    add(result.latency_time, Maybe<Quantity<kSecond, R>>(cost.latency_time));
    const double time = cost.time.present() ? cost.time.value.value() : 0;
    if (first || time > longest) {
      longest = time;
      result.longest = transfer.kind;
    }
    first = false;
  }
  return result;
}

/// Gathering the weights against reducing the result, with X[B,D] whole or divided alike. Source:
/// book ch. 3, question 4.
template <class R, class Answers>
void answer_strategies(const Typed<R>& in, const Rates<R>& rates, Answers& sheet) {
  const auto& request = in.operation;
  const auto chips = in.mesh.chips();
  const auto bytes = matmul_bytes(request);
  const auto time_of = [&](CollectiveKind kind, Quantity<kByte, R> moved,
                           const MatmulShape<R>& share) {
    const auto cost = collective_cost(in.chip, in.mesh, collective_of(kind, moved));
    const auto kernel = matmul(share);
    return price(std::span(&kernel, 1), rates, NetworkUse<R>{cost.bytes_sent, cost.time});
  };
  const auto gather_share = matmul_shape(request);
  auto reduce_share = gather_share;
  reduce_share.contraction = reduce_share.contraction / chips;
  const auto gather = time_of(CollectiveKind::kAllGather, bytes.weights, gather_share);
  const auto reduce = time_of(CollectiveKind::kAllReduce, bytes.result, reduce_share);
  const auto gather_time = sheet.template put<term::kGatherTime>(gather.lower);
  const auto reduce_time = sheet.template put<term::kReduceTime>(reduce.lower);
  sheet.template put<term::kBetterStrategy>(when_present(
      [](auto with_reduce, auto with_gather) {
        return choose_if_below(with_reduce, with_gather, Strategy::kReduce);
      },
      reduce_time, gather_time));
  // Computing shrinks with the ways, the AllReduce does not.
  const auto reducing =
      collective_cost(in.chip, in.mesh, collective_of(CollectiveKind::kAllReduce, bytes.result));
  sheet.template put<term::kCriticalWays>(
      when_present([&](auto t) { return chips * (reduce.math_time / t); }, reducing.time));
}

template <class R, class Answers>
void answer_network(const CollectivesCost<R>& cost, Answers& sheet) {
  const bool any = cost.use.bytes.absence != Absence::kNotApplicable;
  const double collective = any ? static_cast<double>(cost.longest) + 1 : 0;
  sheet.template put<term::kNetworkCollective>(Count<R>(R(collective)));
  if (!any) return;
  sheet.template put<term::kNetworkSteps>(cost.steps);
  sheet.template put<term::kNetworkBandwidthTime>(cost.bandwidth_time);
  sheet.template put<term::kNetworkLatencyTime>(cost.latency_time);
}

/// The closed forms of a matmul: the sizes from which it is compute-bound.
template <class R, class Answers>
void answer_matmul(const Typed<R>& in, const Rates<R>& rates, const Roofline<R>& roofline,
                   const CollectivesCost<R>& network, Answers& sheet) {
  const auto& request = in.operation;
  const bool sharded = row_of(request.kind).has(kAsksMesh);
  const bool reduces = sharded && request.activation_sharding == ActivationSharding::kContraction &&
                       request.weight_sharding == WeightSharding::kContraction;
  const auto share = sharded ? local_shape(request, in.mesh.chips()) : matmul_shape(request);
  // If rows are divided, each chip needs as many.
  const bool rows = share.batch < request.batch;
  const auto of_all = [&](Quantity<kToken, R> batch) {
    return rows ? in.mesh.chips() * batch : batch;
  };
  sheet.template put<term::kCriticalBatch>(
      of_all(critical_batch(rates.matrix, rates.memory, request.weight_format)));
  sheet.template put<term::kExactCriticalBatch>(
      when_present(of_all, exact_critical_batch(share.contraction, share.output, rates.matrix,
                                                rates.memory, request.activation_format,
                                                request.weight_format, request.output_format)));
  // Weights that stay in the host's memory come over its link.
  sheet.template put<term::kHostCriticalBatch>(when_present(
      [&](auto bandwidth) {
        return of_all(critical_batch(rates.matrix, bandwidth, request.weight_format));
      },
      in.chip.host_bandwidth));
  if (!reduces) return;
  sheet.template put<term::kCriticalContraction>(when_present(
      [&](auto t) { return critical_contraction(request.contraction, roofline.math_time, t); },
      network.use.time));
}

template <class R, class Answers>
void answer_attention(const Typed<R>& in, Answers& sheet) {
  const auto shape = row_of(in.operation.kind).has(kAsksModel)
                         ? asked_attention(in.operation, in.model)
                         : std::optional(attention_shape(in.operation));
  if (!shape) return;
  const auto rows = sheet.template put<term::kAttentionBlockRows>(
      attention_block_rows(*shape, in.chip.block_memory()));
  sheet.template put<term::kAttentionPasses>(attention_passes(*shape, rows));
}

}  // namespace

template <class R>
void add_kernels(Operations<R>& list, const OperationQuestion::Typed<R>& in) {
  if (row_of(in.operation.kind).has(kAsksModel)) {
    add_layer_operation(list, in.operation, in.model, in.chip.block_memory());
  } else {
    add_operation(list, in.operation, in.mesh.chips(), in.chip.block_memory());
  }
}

template <class R>
OperandCollectives<R> operand_collectives(const OperationRequest<R>& request) {
  using enum CollectiveKind;
  const bool forward = request.pass != Pass::kBackward;
  const bool backward = request.pass != Pass::kForward;
  const auto bytes = matmul_bytes(request);
  const auto x = request.activation_sharding;
  const auto y = request.weight_sharding;
  OperandCollectives<R> result;

  if (x == ActivationSharding::kContraction && y == WeightSharding::kContraction) {
    const bool scatter = request.reduction == Reduction::kReduceScatter;
    if (forward) result.add(scatter ? kReduceScatter : kAllReduce, bytes.result);
    if (backward && scatter) result.add(kAllGather, bytes.result);
    return result;
  }
  const bool rows = x == ActivationSharding::kBatch;
  const bool columns = y == WeightSharding::kOutput;
  const bool gathers_weights = y == WeightSharding::kContraction ||
                               (rows && columns && request.gathered == Gathered::kWeights);
  const bool gathers_activations = x == ActivationSharding::kContraction ||
                                   (rows && columns && request.gathered == Gathered::kActivations);
  if (gathers_weights || gathers_activations) {
    const auto gathered = gathers_weights ? bytes.weights : bytes.activations;
    if (forward) result.add(kAllGather, gathered);
    if (backward) result.add(kAllGather, gathered);
    // Each chip has a part of the gradient's sum if the other operand divides the work.
    const bool divides_work = gathers_weights ? rows : columns;
    if (backward && divides_work) result.add(kReduceScatter, gathered);
    return result;
  }
  if (!backward) return result;
  if (rows) result.add(kAllReduce, bytes.weights);
  if (columns) result.add(kAllReduce, bytes.activations);
  return result;
}

template <class R>
OperationQuestion::Answers<R> OperationQuestion::answer(const Typed<R>& in) {
  const auto& chip = in.chip;
  const auto& request = in.operation;
  const bool sharded = row_of(request.kind).has(kAsksMesh);
  Operations<R> operations;
  add_kernels(operations, in);
  const Rates<R> rates{chip.peak(request.compute_format).value, chip.vector_rate(),
                       memory_rate(chip, request.operands_in).value};
  const auto network = sharded && in.mesh.chips().value() > 1
                           ? cost_of(in, operand_collectives(request))
                           : cost_of(in, {});
  const auto roofline = price(operations.items(), rates, network.use);

  Answers<R> sheet;
  sheet.template put<term::kFlops>(roofline.flops);
  sheet.template put<term::kMemoryBytes>(roofline.memory_bytes);
  sheet.template put<term::kNetworkBytes>(network.use.bytes);
  sheet.template put<term::kMathTime>(roofline.math_time);
  sheet.template put<term::kMemoryTime>(roofline.memory_time);
  sheet.template put<term::kNetworkTime>(network.use.time);
  sheet.template put<term::kCommunicationTime>(roofline.communication_time);
  sheet.template put<term::kLowerBound>(roofline.lower);
  sheet.template put<term::kUpperBound>(roofline.upper);
  if (expected_operation<R> != nullptr) {
    sheet.template put<term::kTimeExpected>(expected_operation<R>(in, roofline.lower));
  }
  sheet.template put<term::kIntensity>(roofline.intensity);
  if (roofline.rate.value() > 0) {
    sheet.template put<term::kComputeRate>(roofline.rate);
    sheet.template put<term::kCriticalIntensity>(roofline.critical_intensity);
  }
  sheet.template put<term::kNetworkIntensity>(roofline.network_intensity);
  sheet.template put<term::kCriticalNetworkIntensity>(roofline.critical_network_intensity);
  sheet.template put<term::kBound>(roofline.bound);
  sheet.template put<term::kAchievedFlops>(roofline.achieved);
  sheet.template put<term::kFractionOfPeak>(roofline.fraction_of_peak);
  sheet.template put<term::kMemoryRate>(rates.memory);

  const OperationKindRow& kind = row_of(request.kind);
  if (sharded) answer_network(network, sheet);
  if (kind.has(kHasCriticalBatch) && request.pass == Pass::kForward) {
    answer_matmul(in, rates, roofline, network, sheet);
  }
  if (sharded && in.mesh.chips().value() > 1) answer_strategies(in, rates, sheet);
  if (kind.has(kAsksTile)) {
    sheet.template put<term::kTileBytes>(tile_bytes(
        matmul_shape(request), {request.tile_rows, request.tile_contraction, request.tile_output}));
  }
  if (kind.has(kHasBlockRows) && request.attention_kernel == AttentionKernel::kFlash) {
    answer_attention(in, sheet);
  }
  return sheet;
}

template OperationQuestion::Typed<SCALING_REP> OperationQuestion::Input::read<SCALING_REP>() const;
template void add_kernels(Operations<SCALING_REP>&, const OperationQuestion::Typed<SCALING_REP>&);
template OperandCollectives<SCALING_REP> operand_collectives(const OperationRequest<SCALING_REP>&);
template OperationQuestion::Answers<SCALING_REP> OperationQuestion::answer(
    const Typed<SCALING_REP>&);

}  // namespace scaling
