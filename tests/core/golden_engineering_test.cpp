// SPDX-License-Identifier: MIT
//
// Papers and repositories of LLM engineering (tests/golden/engineering.json): attention, KV caches,
// collectives. Measurements must not be faster than the core's lower bound.

#include "golden_plan.hpp"

namespace scaling::test::golden_engineering_test {
namespace {

// --- attention ---

Settings attention_of(Pass pass, AttentionKernel kernel = AttentionKernel::kFlash) {
  return {{"kind", kOperation<operations::Attention>}, {"attentionKernel", kernel}, {"pass", pass}};
}

/// The matmuls alone: two forward, four backward.
double attention_matmul_flops(const Given& in) {
  const auto flops = [&](OperationKind kind) {
    return number<term::kFlops>(operate(in, {{"kind", kind}, {"pass", Pass::kBoth}}));
  };
  return flops(kOperation<operations::AttentionScores>) +
         flops(kOperation<operations::AttentionValues>);
}

double flash_bytes(const Given& in) {
  return number<term::kMemoryBytes>(operate(in, attention_of(Pass::kBoth)));
}

double flash_time(const Given& in) {
  return number<term::kLowerBound>(operate(in, attention_of(Pass::kBoth)));
}

double flash_forward_time(const Given& in) {
  return number<term::kLowerBound>(operate(in, attention_of(Pass::kForward)));
}

double causal_forward_time(const Given& in) {
  auto request = attention_of(Pass::kForward);
  request.push_back({"attentionMask", AttentionMask::kCausal});
  return number<term::kLowerBound>(operate(in, request));
}

double standard_time(const Given& in) {
  return number<term::kLowerBound>(operate(in, attention_of(Pass::kBoth, AttentionKernel::kNaive)));
}

/// Attending to a block grows with its square, passing its keys and values on with its size: the
/// size at which both take as long is their quotient at any, times that.
double ring_attention_block(const Given& in) {
  const double block = 4096;
  const auto attended = operate(in, {{"kind", kOperation<operations::Attention>},
                                     {"queries", block},
                                     {"keys", block},
                                     {"heads", 1},
                                     {"kvHeads", 1}});
  const auto passed =
      collect(chip_of(in), make<Mesh>({{"x", 2}}),
              {{"kind", CollectiveKind::kPointToPoint}, {"bytes", 2 * block * 128 * 2}});
  return block * number<term::kCollectiveBandwidthTime>(passed) / number<term::kMathTime>(attended);
}

// --- collectives ---

/// One domain of `chips`, each with `bandwidth`.
Raw<Chip> domain_of(double chips, double bandwidth, double latency = 0) {
  return make<Chip>({{"memory", 1e15},
                     {"memoryBandwidth", 1e12},
                     {"peakBf16", 1e15},
                     {"network", Network::kSwitched},
                     {"scaleUpChips", chips},
                     {"scaleUpBandwidth", bandwidth},
                     {"hopLatency", latency}});
}

/// The time over that in which a GPU sends the 1e9 bytes of its buffer.
double bus_factor(CollectiveKind kind, const Given& in) {
  // The buffer of an AllToAll is a GPU's part of the array; else it is the array.
  const double bytes = kind == CollectiveKind::kAllToAll ? 1e9 * in("x") : 1e9;
  return number<term::kCollectiveTime>(
      collect(domain_of(in("x"), 1e9), in, {{"kind", kind}, {"bytes", bytes}}));
}
double all_reduce_factor(const Given& in) { return bus_factor(CollectiveKind::kAllReduce, in); }
double reduce_scatter_factor(const Given& in) {
  return bus_factor(CollectiveKind::kReduceScatter, in);
}
double all_gather_factor(const Given& in) { return bus_factor(CollectiveKind::kAllGather, in); }
double all_to_all_factor(const Given& in) { return bus_factor(CollectiveKind::kAllToAll, in); }

/// Latency and bandwidth added, as expected; Calculon's latency is of a whole collective, whatever
/// its ranks.
double latency_and_bandwidth(CollectiveKind kind, const Given& in, bool in_network = false) {
  const double slowdown = in.has("slowdown") ? in("slowdown") : 1;
  const double bandwidth = in("bandwidth") * in("efficiency") / slowdown;
  const Settings request{{"kind", kind}, {"inNetworkReduction", in_network}};
  const double steps =
      number<term::kCollectiveSteps>(collect(domain_of(in("x"), 1e9), in, request));
  return number<term::kCollectiveExpected>(
      collect(domain_of(in("x"), bandwidth, in("latency") / steps), in, request));
}
double calculon_all_reduce(const Given& in) {
  return latency_and_bandwidth(CollectiveKind::kAllReduce, in);
}
double calculon_reduce_scatter(const Given& in) {
  return latency_and_bandwidth(CollectiveKind::kReduceScatter, in);
}
double calculon_all_gather(const Given& in) {
  return latency_and_bandwidth(CollectiveKind::kAllGather, in);
}
double calculon_in_network(const Given& in) {
  return latency_and_bandwidth(CollectiveKind::kAllReduce, in, true);
}

/// Point to point, the core adds them too.
double calculon_send(const Given& in) {
  const double bandwidth = in("bandwidth") * in("efficiency");
  return collective_time(domain_of(in("x"), bandwidth, in("latency")), in,
                         CollectiveKind::kPointToPoint);
}

double gradient_all_reduce(const Given& in) {
  return number<term::kCollectiveTime>(collect(
      domain_of(in("x"), in("scaleUpBandwidth")), in,
      {{"kind", CollectiveKind::kAllReduce}, {"bytes", in("parameters") * in("elementBytes")}}));
}

double tensor_parallel_traffic(const Given& in) {
  const auto reduction =
      collect(domain_of(in("x"), 1e9), in,
              {{"kind", CollectiveKind::kAllReduce}, {"bytes", in("tokens") * in("hidden")}});
  const double sent = in("reductions") * in("layers") * number<term::kBytesSent>(reduction);
  // A step moves as much, in bf16. Sequence parallelism adds two AllGathers of eight, of the inputs
  // in the backward pass (Korthikanti et al. 4.2.2; this once held as much with it as without).
  for (const bool sequences : {false, true}) {
    const Given step({{"sequenceLength", in("tokens")}, {"tensor", in("x")}});
    const auto model = with(model_of(in), {{"heads", in("x")}, {"kvHeads", in("x")}});
    const auto layout = layout_of(step, {{"sequenceParallel", sequences}});
    CHECK_THAT(number<term::kTimeTensor>(plan(step, model, layout)) * 1e9,
               WithinRel((sequences ? 2.5 : 2) * sent, kPrecise));
  }
  return sent;
}

/// Bytes sent for one number for each parameter; ZeRO-1 and 2 scatter gradients and gather weights,
/// ZeRO-3 gathers these twice.
double zero_traffic(const Given& in, double gathers) {
  const auto sent = [&](CollectiveKind kind) {
    return number<term::kBytesSent>(
        collect(domain_of(in("x"), 1e9), in, {{"kind", kind}, {"bytes", 1}}));
  };
  return sent(CollectiveKind::kReduceScatter) + gathers * sent(CollectiveKind::kAllGather);
}

/// Queries, keys, values and the result.
double ulysses_traffic(const Given& in) {
  const auto turned = collect(
      domain_of(in("x"), 1e9), in,
      {{"kind", CollectiveKind::kAllToAll}, {"bytes", in("sequenceLength") * in("hidden")}});
  return 4 * number<term::kBytesSent>(turned);
}

/// Each GPU has the golden's tokens, and sends each once to every node, or in one node to every
/// GPU, that has one of its experts.
double experts_exchange(const Given& in) {
  const double gpus = in("x");
  const double places = gpus > in("scaleUpChips") ? gpus / in("scaleUpChips") : gpus;
  return number<term::kCollectiveBandwidthTime>(
      collect(chip_of(in), in,
              {{"kind", CollectiveKind::kAllToAll},
               {"bytes", gpus * in("tokens") * in("tokenBytes") * places},
               {"destinations", in("expertsPerToken")}}));
}

double experts_threshold(const Given& in) {
  return number<term::kFsdpThreshold>(training(chip_of(in), model_of(in), run_of(in)));
}

// --- caches ---

/// Bytes of the cache that generating a token reads, all layers.
double cache_bytes(const Given& in) {
  const double layers = in.has("layers") ? in("layers") : 1;
  const double keys = in.has("keys") ? in("keys") : 1;
  const auto read = operate(in, {{"kind", kOperation<operations::KvRead>},
                                 {"keys", keys},
                                 {"keyValueFormat", format_of(in("elementBytes"))}});
  return layers * number<term::kMemoryBytes>(read);
}

/// The same as training's answer.
double cache_per_token(const Given& in) {
  const auto run = with(run_of(in), {{"activationFormat", format_of(in("elementBytes"))}});
  CHECK(number<term::kKvCachePerToken>(training(chip_of(in), model_of(in), run)) ==
        cache_bytes(in));
  return cache_bytes(in);
}

ENGINEERING_GOLDEN("fa1-flops", attention_matmul_flops)
ENGINEERING_GOLDEN("fa1-flash-bytes", flash_bytes)
ENGINEERING_GOLDEN("fa1-standard-time", standard_time)
ENGINEERING_GOLDEN("fa1-flash-time", flash_time)
ENGINEERING_GOLDEN("fa2-time", math_time)
ENGINEERING_GOLDEN("fa3-time", flash_forward_time)
ENGINEERING_GOLDEN("fa3-wide-causal-time", causal_forward_time)
ENGINEERING_GOLDEN("ring-attention-block", ring_attention_block)

ENGINEERING_GOLDEN("nccl-all-reduce-2", all_reduce_factor)
ENGINEERING_GOLDEN("nccl-reduce-scatter-8", reduce_scatter_factor)
ENGINEERING_GOLDEN("nccl-all-gather-8", all_gather_factor)
ENGINEERING_GOLDEN("nccl-all-to-all-8", all_to_all_factor)
ENGINEERING_GOLDEN("nccl-all-reduce-64", all_reduce_factor)
ENGINEERING_GOLDEN("nccl-all-reduce-1024", all_reduce_factor)
ENGINEERING_GOLDEN("nccl-all-gather-1024", all_gather_factor)
ENGINEERING_GOLDEN("nccl-all-to-all-1024", all_to_all_factor)
ENGINEERING_GOLDEN("calculon-nvlink-all-reduce", calculon_all_reduce)
ENGINEERING_GOLDEN("calculon-nvlink-reduce-scatter-mib", calculon_reduce_scatter)
ENGINEERING_GOLDEN("calculon-nvlink-reduce-scatter-gib", calculon_reduce_scatter)
ENGINEERING_GOLDEN("calculon-nvlink-all-gather-gib", calculon_all_gather)
ENGINEERING_GOLDEN("calculon-nvlink-send", calculon_send)
ENGINEERING_GOLDEN("calculon-network-all-reduce", calculon_in_network)
ENGINEERING_GOLDEN("calculon-network-send-mib", calculon_send)
ENGINEERING_GOLDEN("calculon-network-send-gib", calculon_send)
ENGINEERING_GOLDEN("dp-all-reduce-node", gradient_all_reduce)
ENGINEERING_GOLDEN("dp-all-reduce-network", gradient_all_reduce)
ENGINEERING_GOLDEN("tensor-parallel-traffic-12288", tensor_parallel_traffic)
ENGINEERING_GOLDEN("tensor-parallel-traffic-8192", tensor_parallel_traffic)
ENGINEERING_GOLDEN("tensor-parallel-traffic-16384", tensor_parallel_traffic)
ENGINEERING_GOLDEN("zero-2-traffic", [](const Given& in) { return zero_traffic(in, 1); })
ENGINEERING_GOLDEN("zero-3-traffic", [](const Given& in) { return zero_traffic(in, 2); })
ENGINEERING_GOLDEN("ulysses-traffic", ulysses_traffic)
ENGINEERING_GOLDEN("deepep-combine-8", experts_exchange)
ENGINEERING_GOLDEN("deepep-dispatch-32", experts_exchange)
ENGINEERING_GOLDEN("deepep-combine-32", experts_exchange)
ENGINEERING_GOLDEN("deepep-combine-128", experts_exchange)
ENGINEERING_GOLDEN("deepep-dispatch-256", experts_exchange)
ENGINEERING_GOLDEN("deepep-combine-256", experts_exchange)

ENGINEERING_GOLDEN("sheet-h100-node-threshold", data_threshold)
ENGINEERING_GOLDEN("sheet-h100-threshold", data_threshold)
ENGINEERING_GOLDEN("sheet-h100-experts-threshold", experts_threshold)
ENGINEERING_GOLDEN("sheet-h800-threshold", data_threshold)
ENGINEERING_GOLDEN("sheet-v5p-threshold", ring_threshold)
ENGINEERING_GOLDEN("sheet-h100-node-gather", switched_gather)
ENGINEERING_GOLDEN("sheet-gather-bandwidth-leaf", leaf_bandwidth)
ENGINEERING_GOLDEN("sheet-gather-bandwidth-spine", spine_bandwidth)

ENGINEERING_GOLDEN("kv-per-token-llama-2-7b", cache_per_token)
ENGINEERING_GOLDEN("kv-per-token-llama-2-70b", cache_per_token)
ENGINEERING_GOLDEN("kv-per-token-llama-3-8b", cache_per_token)
ENGINEERING_GOLDEN("kv-per-token-llama-3-70b", cache_per_token)
ENGINEERING_GOLDEN("kv-per-token-llama-3-70b-fp8", cache_per_token)
ENGINEERING_GOLDEN("kv-per-token-mixtral-8x7b", cache_per_token)
ENGINEERING_GOLDEN("kv-per-token-opt-13b", cache_per_token)
ENGINEERING_GOLDEN("kv-per-token-gpt-neox-20b", cache_per_token)
ENGINEERING_GOLDEN("kv-page16-llama-2-7b", cache_bytes)
ENGINEERING_GOLDEN("kv-page16-llama-2-13b", cache_bytes)
ENGINEERING_GOLDEN("kv-page16-llama-2-70b", cache_bytes)
ENGINEERING_GOLDEN("kv-page16-llama-3-8b", cache_bytes)
ENGINEERING_GOLDEN("kv-page16-llama-3.1-405b", cache_bytes)
ENGINEERING_GOLDEN("kv-page16-llama-3-70b-fp8", cache_bytes)
ENGINEERING_GOLDEN("kv-page16-gpt-neox-20b", cache_bytes)
ENGINEERING_GOLDEN("kv-page16-gpt-3-175b", cache_bytes)
ENGINEERING_GOLDEN("sheet-llama-2-13b-cache", cache_bytes)
ENGINEERING_GOLDEN("sheet-int8-cache", cache_bytes)

}  // namespace
}  // namespace scaling::test::golden_engineering_test
