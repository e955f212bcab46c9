// SPDX-License-Identifier: MIT
//
// Chapter 2 of the book, TPUs: rates, memories and links of a chip.

#include "golden.hpp"

namespace scaling::test::golden_tpus_test {
namespace {

/// The core counts the FLOPs of what a unit does at a time; how often it does is the golden's.
double matrix_unit_rate(const Given& in) {
  const double units = in.has("units") ? in("units") : 1;
  return number<term::kFlops>(operate(in, {})) / in("cycles") * in("clock") * units;
}

/// The FLOP/s of a run's chips at their peak.
double pod_rate(const Given& in) {
  const auto answers = train(in);
  return number<term::kTotalFlops>(answers) / number<term::kTrainingTime>(answers);
}

double pod_chips(const Given& in) { return typed(fill(tpu_v5p(), in)).domain_chips().value(); }

const Settings kOutOfVmem{{"operandsIn", MemoryLevel::kOnChip}};

double vmem_bandwidth(const Given& in) {
  REQUIRE(in("ratio") == 22);
  return number<term::kMemoryRate>(operate(book_chip("tpu-v5e", in), in, kOutOfVmem));
}

double vmem_critical_intensity(const Given& in) {
  REQUIRE(in("ratio") == 22);
  return number<term::kCriticalIntensity>(operate(book_chip("tpu-v5e", in), in, kOutOfVmem));
}

double vmem_critical_batch(const Given& in) {
  return number<term::kExactCriticalBatch>(operate(in, {{"operandsIn", MemoryLevel::kOnChip},
                                                        {"activationFormat", Format::kInt8},
                                                        {"weightFormat", Format::kInt8},
                                                        {"outputFormat", Format::kInt8},
                                                        {"computeFormat", Format::kInt8}}));
}

double load_time(const Given& in) {
  return read_time(chip_of(in), in("parameters") * in("elementBytes") / in("chips"));
}

double memory_load_time(const Given& in) { return read_time(chip_of(in), in("bytes")); }

double host_load_time(const Given& in) {
  return read_time(chip_of(in), in("bytes") / in("chips"), MemoryLevel::kHost);
}

double host_critical_batch(const Given& in) {
  return number<term::kHostCriticalBatch>(operate(in, {}));
}

/// The intensity of a huge batch grows with D = F / 4: the D at which it is the critical one.
double host_smallest_contraction(const Given& in) {
  const auto of = [&](double batch, double contraction) {
    return operate(in, {{"operandsIn", MemoryLevel::kHost},
                        {"batch", batch},
                        {"contraction", contraction},
                        {"output", 4 * contraction}});
  };
  CHECK(absence<term::kExactCriticalBatch>(of(1, 71874)) == Absence::kNever);
  CHECK(number<term::kExactCriticalBatch>(of(1, 71876)) > 0);
  const auto unit = of(1e12, 1);
  return number<term::kCriticalIntensity>(unit) / number<term::kIntensity>(unit);
}

double matmul_flops(const Given& in) { return number<term::kFlops>(operate(in, {{"batch", 1}})); }

const Settings kSend{{"kind", CollectiveKind::kPointToPoint}};

double send_time(const Given& in) {
  return number<term::kCollectiveBandwidthTime>(collect(fill(tpu_v5e(), in), in, kSend));
}

double first_byte(const Given& in) {
  return number<term::kCollectiveLatencyTime>(collect(fill(tpu_v5e(), in), in, kSend));
}

/// Into a corner lead two links. The other stages: from the hosts, from HBM, and the matmul itself.
double slowest_stage(const Given& in) {
  const auto chip = with(fill(tpu_v5e(), in), {{"hostBandwidth", 1.6e10}});
  const double time = number<term::kCollectiveBandwidthTime>(
      collect(chip, fill(make<Mesh>({{"x", 4}, {"y", 4}}), in),
              {{"kind", CollectiveKind::kPointToPoint},
               {"bytes", in("bytes")},
               {"distanceX", 1},
               {"distanceY", 1}}));
  CHECK(read_time(chip, 1e9, MemoryLevel::kHost) < time);
  CHECK(read_time(chip, 1.6e10) < time);
  const auto product = operate(
      chip, in,
      {{"batch", 8}, {"contraction", 131072}, {"output", 131072}, {"weightFormat", Format::kInt8}});
  CHECK(number<term::kMathTime>(product) < time);
  return time;
}

double vector_unit_rate(const Given& in) {
  const double chip = number<term::kComputeRate>(
      operate(book_chip("tpu-v5p", in), in, {{"kind", kOperation<operations::Elementwise>}}));
  CHECK(chip == in("lanes") * in("sublanes") * in("units") * in("clock") * in("cores"));
  return chip / in("cores");
}

/// Sixteen chips of a torus of one axis, which is a ring.
double axis_threshold(const char* id, const Given& in) {
  const auto chip =
      with(book_chip(id, in),
           {{"torusX", 16}, {"torusY", 1}, {"torusZ", 1}, {"wraparound", Wraparound::kFullAxis}});
  return number<term::kFsdpThreshold>(
      training(chip, model_of(in), with(run_of(in), {{"chips", 16}})));
}

double slice_threshold(const char* id, const Given& in) {
  return number<term::kSliceThreshold>(
      training(book_chip(id, in), model_of(in), with(run_of(in), {{"chips", 2}, {"slices", 2}})));
}

BOOK_GOLDEN("v5e-mxu-rate", matrix_unit_rate)
BOOK_GOLDEN("v5e-rate-of-four-mxus", matrix_unit_rate)
BOOK_GOLDEN("v5p-pod-rate", pod_rate)
BOOK_GOLDEN("v5p-pod-chips", pod_chips)
BOOK_GOLDEN("tpu7x-pod-chips", pod_chips)
BOOK_GOLDEN("v5e-vmem-bandwidth", vmem_bandwidth)
BOOK_GOLDEN("v5e-vmem-critical-intensity", vmem_critical_intensity)
BOOK_GOLDEN("v4-load-time", load_time)
BOOK_GOLDEN("v5e-pod-rate", pod_rate)
BOOK_GOLDEN("v5p-pod-memory", pod_memory)
BOOK_GOLDEN("v6e-host-critical-batch", host_critical_batch)
BOOK_GOLDEN("v6e-host-smallest-contraction", host_smallest_contraction)
BOOK_GOLDEN("int8-matmul-operations", matmul_flops)
BOOK_GOLDEN("v5e-vmem-critical-batch", vmem_critical_batch)
BOOK_GOLDEN("array-bytes", array_bytes)
BOOK_GOLDEN("v5e-corner-to-corner", send_time)
BOOK_GOLDEN("v5e-first-byte", first_byte)
BOOK_GOLDEN("v5e-host-load", host_load_time)
BOOK_GOLDEN("v5e-slowest-stage", slowest_stage)
BOOK_GOLDEN("v5e-memory-load", memory_load_time)
BOOK_GOLDEN("v5e-int8-weights-flops", matmul_flops)
BOOK_GOLDEN("v5p-vector-rate", vector_unit_rate)
BOOK_GOLDEN("v5p-matrix-over-vector", matrix_over_vector)

// The tables: the book's figures of the presets.
BOOK_GOLDEN("v3-critical-batch",
            [](const Given& in) { return critical_batch_of_preset("tpu-v3", in); })
BOOK_GOLDEN("v5p-critical-batch",
            [](const Given& in) { return critical_batch_of_preset("tpu-v5p", in); })
BOOK_GOLDEN("v5e-table-critical-batch",
            [](const Given& in) { return critical_batch_of_preset("tpu-v5e", in); })
BOOK_GOLDEN("v6e-critical-batch",
            [](const Given& in) { return critical_batch_of_preset("tpu-v6e", in); })
BOOK_GOLDEN("tpu7x-critical-batch",
            [](const Given& in) { return critical_batch_of_preset("tpu-v7", in); })
BOOK_GOLDEN("v3-axis-threshold", [](const Given& in) { return axis_threshold("tpu-v3", in); })
BOOK_GOLDEN("v4-axis-threshold", [](const Given& in) { return axis_threshold("tpu-v4", in); })
BOOK_GOLDEN("v5p-axis-threshold", [](const Given& in) { return axis_threshold("tpu-v5p", in); })
BOOK_GOLDEN("tpu7x-axis-threshold", [](const Given& in) { return axis_threshold("tpu-v7", in); })
BOOK_GOLDEN("v4-slice-threshold", [](const Given& in) { return slice_threshold("tpu-v4", in); })
BOOK_GOLDEN("v5p-slice-threshold", [](const Given& in) { return slice_threshold("tpu-v5p", in); })
BOOK_GOLDEN("v5e-slice-threshold", [](const Given& in) { return slice_threshold("tpu-v5e", in); })
BOOK_GOLDEN("v6e-slice-threshold", [](const Given& in) { return slice_threshold("tpu-v6e", in); })
BOOK_GOLDEN("tpu7x-slice-threshold", [](const Given& in) { return slice_threshold("tpu-v7", in); })

// Earlier editions.
BOOK_GOLDEN("v6e-host-critical-batch-2025", host_critical_batch)

}  // namespace
}  // namespace scaling::test::golden_tpus_test
