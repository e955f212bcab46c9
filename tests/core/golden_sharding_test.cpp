// SPDX-License-Identifier: MIT
//
// Chapter 3 of the book, sharded matrices: shards, collectives on rings and lines, matmuls.

#include "golden.hpp"

namespace scaling::test::golden_sharding_test {
namespace {

double bytes_of_array(const Given& in) { return in("rows") * in("columns") * in("elementBytes"); }

/// A gather of the golden's array on the golden's mesh, all of whose axes are rings.
auto gather(const Given& in) {
  return collect(ring_chip(in), mesh_of(in), {{"bytes", bytes_of_array(in)}});
}

double shard_bytes(const Given& in) { return number<term::kShardBytes>(gather(in)); }

double shard_elements(const Given& in) { return shard_bytes(in) / in("elementBytes"); }

/// Each chip has a shard, also those along an axis that divides nothing.
double bytes_of_all_copies(const Given& in) {
  return shard_bytes(in) * in("x") * in("y") * in("copies");
}

double copies_on_idle_axes(const Given& in) {
  const auto on_x =
      collect(with(ring_chip(in), {{"torusX", 4}}), make<Mesh>({{"x", in("x")}}), {{"bytes", 1e9}});
  return number<term::kShardBytes>(on_x) * in("x") * in("y") * in("z") / 1e9;
}

double load_time(const Given& in) { return read_time(chip_of(in), in("bytes")); }

/// One hop between neighbours.
auto hop(const Given& in, double bytes) {
  return collect(fill(tpu_v5e(), in), make<Mesh>({{"x", 2}}),
                 {{"kind", CollectiveKind::kPointToPoint}, {"bytes", bytes}});
}

double latency_bytes(const Given& in) { return number<term::kLatencyBytes>(hop(in, 1e9)); }

double hop_time(const Given& in) {
  return number<term::kCollectiveBandwidthTime>(hop(in, in("bytes")));
}

/// Four of the sixteen chips along an axis of TPU v5e are no ring.
double line_gather(const Given& in) {
  return collective_time(fill(tpu_v5e(), in), in, CollectiveKind::kAllGather);
}

double v4_time(const Given& in, CollectiveKind kind) {
  const auto answers = collect(fill(book_chip("tpu-v4", in), in), mesh_of(in),
                               {{"kind", kind}, {"bytes", bytes_of_array(in)}});
  return number<term::kCollectiveTime>(answers);
}

double v4_gather(const Given& in) { return v4_time(in, CollectiveKind::kAllGather); }

double v4_all_reduce(const Given& in) { return v4_time(in, CollectiveKind::kAllReduce); }

double ring_latency(const Given& in) {
  const auto answers = collect(ring_chip(in), in, {});
  CHECK(number<term::kCollectiveBound>(answers) == static_cast<double>(CollectiveBound::kLatency));
  return number<term::kCollectiveTime>(answers);
}

double critical_ways(const Given& in) {
  return number<term::kCriticalWays>(
      answers_to<OperationQuestion>({pod_of(in), model_of(in), make<Mesh>({{"x", 4}}),
                                     fill(make<OperationRequest>({
                                              {"kind", kOperation<operations::ShardedMatmul>},
                                              {"batch", 8192},
                                          }),
                                          in)}));
}

double split_weights_load(const Given& in) {
  return read_time(chip_of(in), in("matrices") * in("contraction") * in("output") *
                                    in("elementBytes") / in("chips"));
}

/// The first matmul divides its result, the second, back to D, its contraction.
double split_math(const Given& in) {
  const auto time = [&](double contraction, double output, ActivationSharding activations,
                        WeightSharding weights) {
    return number<term::kMathTime>(answers_to<OperationQuestion>(
        {fill(tpu_v5e(), in), model_of(in), mesh_of(in),
         make<OperationRequest>({{"kind", kOperation<operations::ShardedMatmul>},
                                 {"batch", in("batch")},
                                 {"contraction", contraction},
                                 {"output", output},
                                 {"activationSharding", activations},
                                 {"weightSharding", weights}})}));
  };
  REQUIRE(in("peak") == 1.97e14);
  return time(in("contraction"), in("output"), ActivationSharding::kNone, WeightSharding::kOutput) +
         time(in("output"), in("contraction"), ActivationSharding::kContraction,
              WeightSharding::kContraction);
}

/// Numbers that cross a link of a one-way ring: what it moves in the time of the collective.
double one_way_traffic(const Given& in, CollectiveKind kind) {
  const auto chip = ring_chip(in);
  const auto answers = collect(chip, with(mesh_of(in), {{"direction", Direction::kOneWay}}),
                               {{"kind", kind}, {"bytes", in("rows") * in("columns")}});
  return number<term::kCollectiveBandwidthTime>(answers) * typed(chip).link_bandwidth.value();
}

double one_way_gather_traffic(const Given& in) {
  return one_way_traffic(in, CollectiveKind::kAllGather);
}
double one_way_all_to_all_traffic(const Given& in) {
  return one_way_traffic(in, CollectiveKind::kAllToAll);
}

double one_way_ring_gather(const Given& in) {
  return number<term::kCollectiveTime>(
      collect(ring_chip(in), with(mesh_of(in), {{"direction", Direction::kOneWay}}),
              {{"bytes", in("bytes")}}));
}

double all_to_all(const Given& in) {
  return collective_time(ring_chip(in), in, CollectiveKind::kAllToAll);
}

double all_to_all_over_gather(const Given& in) { return all_to_all(in) / ring_gather(in); }

/// The tokens a chip needs on one ring: FLOPs per byte, as bf16 has 2 FLOPs for 2 bytes.
double link_intensity(const Given& in) {
  const auto chip = with(ring_chip(in), {{"torusX", 16}});
  return number<term::kFsdpThreshold>(
      training(chip, model_of(in), with(run_of(in), {{"chips", 16}})));
}

BOOK_GOLDEN("shard-fp32", shard_bytes)
BOOK_GOLDEN("shard-fp32-load", load_time)
BOOK_GOLDEN("shard-int8", shard_bytes)
BOOK_GOLDEN("shard-int8-copies", bytes_of_all_copies)
BOOK_GOLDEN("shard-elements", shard_elements)
BOOK_GOLDEN("v5e-latency-bytes", latency_bytes)
BOOK_GOLDEN("v5e-line-gather", line_gather)
BOOK_GOLDEN("v5e-small-shard", shard_bytes)
BOOK_GOLDEN("v5e-small-hop", hop_time)
BOOK_GOLDEN("v5e-small-gather", line_gather)
BOOK_GOLDEN("copies-on-idle-axes", copies_on_idle_axes)
BOOK_GOLDEN("v4-gather", v4_gather)
BOOK_GOLDEN("v4-all-reduce", v4_all_reduce)
BOOK_GOLDEN("v4-gather-two-axes", v4_gather)
BOOK_GOLDEN("v4-gather-three-axes", v4_gather)
BOOK_GOLDEN("tiny-array-bytes", array_bytes)
BOOK_GOLDEN("v4-tiny-gather", ring_latency)
BOOK_GOLDEN("v5p-critical-ways", critical_ways)
BOOK_GOLDEN("feed-forward-bytes", array_bytes)
BOOK_GOLDEN("activation-bytes", array_bytes)
BOOK_GOLDEN("v5e-split-weights-load", split_weights_load)
BOOK_GOLDEN("v5e-split-math", split_math)
BOOK_GOLDEN("one-way-gather-traffic", one_way_gather_traffic)
BOOK_GOLDEN("one-way-all-to-all-traffic", one_way_all_to_all_traffic)
BOOK_GOLDEN("all-to-all-over-gather", all_to_all_over_gather)
BOOK_GOLDEN("all-to-all-4x4", all_to_all)
BOOK_GOLDEN("v5e-ring-latency", ring_latency)
BOOK_GOLDEN("v5p-link-intensity", link_intensity)
BOOK_GOLDEN("odd-ring-gather", ring_gather)
BOOK_GOLDEN("one-way-ring-gather", one_way_ring_gather)

}  // namespace
}  // namespace scaling::test::golden_sharding_test
