// SPDX-License-Identifier: MIT
//
// Chapter 12 of the book, GPUs: rates, networks of switches, and where splitting stops paying.

#include "golden_plan.hpp"

namespace scaling::test::golden_gpus_test {
namespace {

double l2_over_hbm(const Given& in) {
  const auto rate = [&](MemoryLevel level) {
    return number<term::kMemoryRate>(
        operate(book_chip("h100-sxm", in), in, {{"operandsIn", level}}));
  };
  return rate(MemoryLevel::kOnChip) / rate(MemoryLevel::kHbm);
}

double h200_over_v5p(const Given& in) {
  const double h200 = number<term::kComputeRate>(operate(book_chip("h200-sxm", Given({})), in, {}));
  CHECK(h200 == in("rate"));
  return h200 / number<term::kComputeRate>(operate(book_chip("tpu-v5p", in), in, {}));
}

double fp8_critical_intensity(const Given& in) {
  return number<term::kCriticalIntensity>(operate(in, {{"computeFormat", Format::kFp8}}));
}

double matmul_time(const Given& in) { return number<term::kLowerBound>(operate(in, {})); }

const Settings kVectorAdd{{"kind", kOperation<operations::Elementwise>},
                          {"activationFormat", Format::kFp32},
                          {"outputFormat", Format::kFp32}};

double vector_add_intensity(const Given& in) {
  REQUIRE(in("elementBytes") == 4);
  return number<term::kIntensity>(
      operate(with(chip_of(in), {{"peakVector", 1e13}}), in, kVectorAdd));
}

double vector_critical_intensity(const Given& in) {
  return number<term::kCriticalIntensity>(operate(book_chip("h100-sxm", in), in, kVectorAdd));
}

/// The bandwidth from one chip to another of its domain.
double domain_bandwidth(const char* id, const Given& in) {
  const auto chip = with(book_chip(id, Given({})), {{"hopLatency", 0}});
  const double bandwidth = number<term::kEffectiveBandwidth>(
      collect(chip, make<Mesh>({{"x", 2}}), {{"kind", CollectiveKind::kPointToPoint}}));
  CHECK(bandwidth == in("links") * in("rate"));
  return bandwidth;
}

/// Times of the same gather between two domains of either chip.
double gb200_over_h100(const Given& in) {
  const auto time = [&](double domain) {
    return number<term::kLeafTime>(collect(with(chip_of(in), {{"scaleUpChips", domain}}),
                                           make<Mesh>({{"x", 2 * domain}}), {{"bytes", 1e9}}));
  };
  return time(in("h100Chips")) / time(in("gb200Chips"));
}

/// The time of a collective among the chips of the golden in one domain of 1e9 B/s.
double time_in_domain(const Given& in, const Settings& request) {
  const auto chip = make<Chip>({{"memory", 1e15},
                                {"memoryBandwidth", 1e12},
                                {"peakBf16", 1e15},
                                {"network", Network::kSwitched},
                                {"scaleUpChips", in("x")},
                                {"scaleUpBandwidth", 1e9}});
  return number<term::kCollectiveTime>(collect(chip, in, request));
}

const Settings kAllToAll{{"kind", CollectiveKind::kAllToAll}, {"bytes", 1e9}};

/// A ring whose two directions together have 1e9 B/s.
double tpu_over_gpu_all_to_all(const Given& in) {
  const auto ring = with(ring_chip(in), {{"linkBandwidth", 5e8}});
  return number<term::kCollectiveTime>(collect(ring, in, kAllToAll)) /
         time_in_domain(in, kAllToAll);
}

/// The time over that in which a chip sends all that it holds.
double ragged_all_to_all(const Given& in) { return time_in_domain(in, kAllToAll) * in("x"); }

double in_network_gain(const Given& in) {
  const auto time = [&](bool in_network) {
    return time_in_domain(
        in,
        {{"kind", CollectiveKind::kAllReduce}, {"bytes", 1e9}, {"inNetworkReduction", in_network}});
  };
  return time(false) / time(true);
}

double domain_level_bandwidth(const Given& in) {
  return 1e12 / number<term::kDomainTime>(gather_among_all(in));
}

double gather_bandwidth(const Given& in) {
  return number<term::kEffectiveBandwidth>(gather_among_all(in));
}

double two_nodes_over_one(const Given& in) {
  const auto time = [&](double chips) {
    return number<term::kCollectiveTime>(
        collect(chip_of(in), make<Mesh>({{"x", chips}}), kAllToAll));
  };
  return time(2 * in("scaleUpChips")) / time(in("scaleUpChips"));
}

double gather_with_inner_axis(const Given& in) {
  const auto chip = with(chip_of(in), {{"scaleUpChips", 8}});
  return number<term::kCollectiveTime>(
      collect(chip, mesh_of(in), {{"bytes", in("rows") * in("columns") * in("elementBytes")}}));
}

double smallest_batch(const Given& in) { return data_threshold(in) * in("chips"); }

/// FLOPs in the time in which gathering takes a byte through the leaf switches: 2 FLOPs of a token
/// for 2 bytes of a weight.
double few_nodes_threshold(const Given& in) {
  const auto answers =
      collect(chip_of(in), make<Mesh>({{"x", in("nodes") * in("scaleUpChips")}}), {{"bytes", 1e9}});
  return number<term::kComputeRate>(operate(in, {})) * number<term::kLeafTime>(answers) / 1e9;
}

double tensor_limit(const Given& in) { return number<term::kTensorLimit>(train(in)); }

double gb200_threshold_gain(const Given& in) {
  const auto threshold = [&](double peak, double domain) {
    return number<term::kFsdpThreshold>(
        training(with(chip_of(in), {{"peakBf16", peak}, {"scaleUpChips", domain}}), model_of(in),
                 run_of(in)));
  };
  return threshold(in("peak"), in("h100Chips")) / threshold(in("gb200Peak"), in("gb200Chips"));
}

/// All GPUs of a node together.
double node_egress(const Given& in) {
  const auto answers =
      collect(chip_of(in), in, {{"kind", CollectiveKind::kAllGather}, {"bytes", 1e9}});
  return in("x") * number<term::kBytesSent>(answers) / number<term::kDomainTime>(answers);
}

/// The bandwidth into each of a level's `groups` of switches, of 1024 H100.
double into_each(double groups, double seconds) { return 1e12 * (groups - 1) / groups / seconds; }

auto gather_of_1024() {
  return collect(book_chip("h100-sxm", Given({})), make<Mesh>({{"x", 1024}}), {{"bytes", 1e12}});
}

double leaf_switch_bandwidth(const Given& in) {
  CHECK(in("switches") * in("ports") * in("rate") == 1.28e13);
  return into_each(4, number<term::kSpineTime>(gather_of_1024()));
}

double spine_switch_bandwidth(const Given& in) {
  CHECK(in("leafSwitches") * in("spineSwitches") * in("cables") * in("rate") == 1.28e13);
  return into_each(4, number<term::kSpineTime>(gather_of_1024()));
}

double spine_bandwidth_per_node(const Given& in) {
  CHECK(in("rate") / in("nodes") == 4e11);
  return into_each(32, number<term::kLeafTime>(gather_of_1024()));
}

/// The time of one token's product with one weight.
double seconds_per_weight(const Given& in) {
  return number<term::kMathTime>(operate(in, {{"batch", 1}, {"contraction", 1}, {"output", 1}}));
}

/// Each of Y GPUs multiplies by its part of two matrices and takes part in gathering and reducing
/// B x D in bf16. The F at which both take equally long, of a token and D = 1, grows with Y - 8.
double tensor_limit_of_two_nodes(const Given& in) {
  const double node = in("scaleUpChips");
  const auto gather = collect(chip_of(in), make<Mesh>({{"x", 2 * node}}), {{"bytes", 2}});
  const double width = 2 * node * number<term::kLeafTime>(gather) / seconds_per_weight(in);
  return node + in("feedForward") * (2 * node - node) / width;
}

/// Each of Z GPUs multiplies k / Z of the tokens by two matrices of its experts, between two
/// AllToAlls of bf16 that send a token to each node at most once. The F at which both take equally
/// long, of a token and D = 1.
double expert_width_of(const Given& in, double ways) {
  const double nodes = ways / in("scaleUpChips");
  const double active = in("expertsPerToken");
  const auto sent = collect(
      chip_of(in), make<Mesh>({{"x", ways}}),
      {{"kind", CollectiveKind::kAllToAll}, {"bytes", 2 * nodes}, {"destinations", active}});
  return ways / active * number<term::kLeafTime>(sent) / seconds_per_weight(in);
}

double expert_width_of_two_nodes(const Given& in) { return expert_width_of(in, in("ways")); }

/// The width without the share that a node keeps for itself.
double expert_width(const Given& in) {
  const double ways = 256;
  return expert_width_of(in, ways) * ways / (ways - in("scaleUpChips"));
}

/// Model parallelism across nodes divides what each of them gathers.
double threshold_of_model_parallel_nodes(const Given& in) {
  const auto time = [&](double model_ways) {
    return number<term::kLeafTime>(collect(
        chip_of(in), make<Mesh>({{"x", in("chips") / model_ways}, {"otherShards", model_ways}}),
        {{"bytes", 1e9}}));
  };
  return data_threshold(in) * time(in("modelWays")) / time(1);
}

/// Adam of 10 bytes, not divided among data-parallel ranks.
double tensor_parallel_states(const Given& in) {
  REQUIRE(in("weightBytes") + in("optimizerBytes") == 10);
  const auto answers = plan(
      in, model_of(in),
      layout_of(in, {{"masterFormat", Copy::kNone}, {"gradientFormat", GradientCopies::kNone}}));
  return number<term::kMemoryParameters>(answers) + number<term::kMemoryOptimizer>(answers);
}

double data_ways(const Given& in) {
  const auto model = in.has_model() ? model_of(in) : llama3_70b();
  return number<term::kDataWays>(plan(in, model, layout_of(in)));
}

double data_over_expert_ways(const Given& in) { return data_ways(in) / in("expert"); }

/// One way of what goes both ways. Only the product of tokens and width counts: tokens in whole
/// sequences, one a micro-batch.
double pipeline_transfer(const Given& in) {
  const double fraction = 32;
  const auto model =
      with(model_of(in), {{"layers", in("pipeline")}, {"hidden", in("hidden") / fraction}});
  const Given tokens({{"sequenceLength", in("batchTokens") * fraction / in("microBatches")},
                      {"microBatches", in("microBatches")},
                      {"pipeline", in("pipeline")},
                      {"scaleUpBandwidth", in("scaleUpBandwidth")}});
  return number<term::kTimePipeline>(plan(tokens, model, layout_of(tokens))) / 2;
}

BOOK_GOLDEN("h100-l2-over-hbm", l2_over_hbm)
BOOK_GOLDEN("h200-over-v5p", h200_over_v5p)
BOOK_GOLDEN("h100-matrix-over-vector", matrix_over_vector)
BOOK_GOLDEN("h100-critical-intensity", critical_intensity_of)
BOOK_GOLDEN("b200-critical-intensity", critical_intensity_of)
BOOK_GOLDEN("b200-fp8-critical-intensity", fp8_critical_intensity)
BOOK_GOLDEN("b200-small-matmul", matmul_time)
BOOK_GOLDEN("vector-add-intensity", vector_add_intensity)
BOOK_GOLDEN("h100-vector-critical-intensity", vector_critical_intensity)
BOOK_GOLDEN("a100-nvlink", [](const Given& in) { return domain_bandwidth("a100-sxm-80gb", in); })
BOOK_GOLDEN("b200-nvlink", [](const Given& in) { return domain_bandwidth("b200-sxm", in); })
BOOK_GOLDEN("h100-node-gather", switched_gather)
BOOK_GOLDEN("gb200-over-h100-egress", gb200_over_h100)
BOOK_GOLDEN("gpu-over-tpu-all-to-all", tpu_over_gpu_all_to_all)
BOOK_GOLDEN("ragged-all-to-all", ragged_all_to_all)
BOOK_GOLDEN("llama3-70b-shard", array_bytes)
BOOK_GOLDEN("in-network-gain", in_network_gain)
BOOK_GOLDEN("gather-bandwidth-node", domain_level_bandwidth)
BOOK_GOLDEN("gather-bandwidth-leaf", leaf_bandwidth)
BOOK_GOLDEN("gather-bandwidth-spine", spine_bandwidth)
BOOK_GOLDEN("gather-bandwidth", gather_bandwidth)
BOOK_GOLDEN("all-to-all-two-nodes", two_nodes_over_one)
BOOK_GOLDEN("gather-with-inner-axis", gather_with_inner_axis)
BOOK_GOLDEN("h100-node-threshold", data_threshold)
BOOK_GOLDEN("h100-threshold", data_threshold)
BOOK_GOLDEN("h100-batch", smallest_batch)
BOOK_GOLDEN("h100-two-nodes-threshold", few_nodes_threshold)
BOOK_GOLDEN("h100-node-tensor-limit", tensor_limit)
BOOK_GOLDEN("h100-tensor-limit", tensor_limit)
BOOK_GOLDEN("deepseek-batch", local_batch)
BOOK_GOLDEN("b200-node-threshold", data_threshold)
BOOK_GOLDEN("b200-threshold", data_threshold)
BOOK_GOLDEN("gb200-threshold", data_threshold)
BOOK_GOLDEN("gb200-threshold-gain", gb200_threshold_gain)
BOOK_GOLDEN("llama3-70b-states", model_states)
BOOK_GOLDEN("llama3-70b-h100-seconds", training_time)
BOOK_GOLDEN("llama3-70b-h100-days", training_time)
BOOK_GOLDEN("llama3-70b-node-tensor-limit", tensor_limit)
BOOK_GOLDEN("llama3-70b-tokens-per-gpu", tokens_per_chip)
BOOK_GOLDEN("megatron-16b-tokens-per-gpu", local_batch)
BOOK_GOLDEN("megatron-70b-tokens-per-gpu", local_batch)
BOOK_GOLDEN("h100-node-egress", node_egress)
BOOK_GOLDEN("leaf-switch-bandwidth", leaf_switch_bandwidth)
BOOK_GOLDEN("spine-switch-bandwidth", spine_switch_bandwidth)
BOOK_GOLDEN("spine-bandwidth-per-node", spine_bandwidth_per_node)
BOOK_GOLDEN("h100-two-nodes-tensor-limit", tensor_limit_of_two_nodes)
BOOK_GOLDEN("expert-width", expert_width)
BOOK_GOLDEN("expert-width-two-nodes", expert_width_of_two_nodes)
BOOK_GOLDEN("megatron-70b-threshold", threshold_of_model_parallel_nodes)
BOOK_GOLDEN("megatron-314b-threshold", threshold_of_model_parallel_nodes)
BOOK_GOLDEN("llama3-70b-tensor-memory", tensor_parallel_states)
BOOK_GOLDEN("llama3-70b-data-ways", data_ways)
BOOK_GOLDEN("deepseek-data-ways", data_over_expert_ways)
BOOK_GOLDEN("pipeline-transfer", pipeline_transfer)
BOOK_GOLDEN("a100-critical-batch",
            [](const Given& in) { return critical_batch_of_preset("a100-sxm-80gb", in); })
BOOK_GOLDEN("h200-critical-batch",
            [](const Given& in) { return critical_batch_of_preset("h200-sxm", in); })
BOOK_GOLDEN("b200-critical-batch", critical_batch_of)

}  // namespace
}  // namespace scaling::test::golden_gpus_test
