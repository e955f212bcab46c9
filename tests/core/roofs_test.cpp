// SPDX-License-Identifier: MIT
//
// The lines that a roofline chart draws for a chip.

#include <limits>

#include "scaling/views/roofs.hpp"
#include "support.hpp"

namespace scaling::test::roofs_test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Roofs roofs_of(const Raw<Chip>& chip, const Settings& mesh = {{"x", 16}}) {
  return make_roofs(typed(chip), typed(make<Mesh>(mesh)));
}

double peak(const Roofs& roofs, Format format) {
  return roofs.peaks[static_cast<std::size_t>(format)];
}

/// A slope; the network's is the last.
double slope(const Roofs& roofs, MemoryLevel level) {
  return roofs.slopes[static_cast<std::size_t>(level)];
}
double network_slope(const Roofs& roofs) { return roofs.slopes[Roofs::kSlopes - 1]; }

Raw<Chip> equipped() {
  return with(tpu_v5e(), {{"onChipBandwidth", 1.804e13}, {"hostBandwidth", 1.6e10}});
}

TEST_CASE("peaks are those that the chip lists, the vector units' last") {
  const auto roofs = roofs_of(equipped());
  CHECK(peak(roofs, Format::kBf16) == 1.97e14);
  CHECK(peak(roofs, Format::kInt8) == 3.94e14);
  CHECK(peak(roofs, Format::kFp4) == 0);
  CHECK(roofs.peaks[Roofs::kPeaks - 1] == 6.144e12);
  const auto without = with(equipped(), {{"peakVector", kNan}});
  CHECK(roofs_of(without).peaks[Roofs::kPeaks - 1] == 0);
  CHECK(roofs_of(with(without, {{"peakFp32", 5e13}})).peaks[Roofs::kPeaks - 1] == 5e13);
}

TEST_CASE("slopes are those of the memories that the chip lists") {
  const auto roofs = roofs_of(equipped());
  CHECK(slope(roofs, MemoryLevel::kHbm) == 8.2e11);
  CHECK(slope(roofs, MemoryLevel::kOnChip) == 1.804e13);
  CHECK(slope(roofs, MemoryLevel::kHost) == 1.6e10);
  CHECK(slope(roofs_of(tpu_v5e()), MemoryLevel::kOnChip) == 0);
  CHECK(slope(roofs_of(tpu_v5e()), MemoryLevel::kHost) == 0);
}

TEST_CASE("the network's slope is what a chip sends in a second of a gather") {
  // Around a ring (n - 1) / n of V in V / 2W, on a line in (n - 1) / n of V / W.
  CHECK_THAT(network_slope(roofs_of(tpu_v5e())), WithinRel(2 * 4.5e10 * 15 / 16, 1e-14));
  CHECK_THAT(network_slope(roofs_of(tpu_v5e(), {{"x", 4}})), WithinRel(4.5e10, 1e-14));
  CHECK_THAT(network_slope(roofs_of(tpu_v5e(), {{"x", 16}, {"y", 16}})),
             WithinRel(4 * 4.5e10 * 255 / 256, 1e-14));
  CHECK_THAT(network_slope(roofs_of(h100(), {{"x", 8}})), WithinRel(4.5e11, 1e-14));
  // Latency is no slope, and neither is a network that is not there or not used.
  CHECK_THAT(network_slope(roofs_of(with(tpu_v5e(), {{"hopLatency", 1}}), {{"x", 4}})),
             WithinRel(4.5e10, 1e-14));
  CHECK(network_slope(roofs_of(tpu_v5e(), {{"x", 1}})) == 0);
  const auto alone = with(h100(), {{"network", Network::kNone}, {"scaleOutBandwidth", kNan}});
  CHECK(network_slope(roofs_of(alone)) == 0);
}

TEST_CASE("a slope meets a peak at the critical intensity") {
  const auto roofs = roofs_of(equipped());
  for (std::size_t i = 0; i < Roofs::kPeaks; ++i) {
    for (std::size_t k = 0; k < Roofs::kSlopes; ++k) {
      const double ridge = roofs.ridges[i * Roofs::kSlopes + k];
      CHECK(ridge == (roofs.peaks[i] > 0 ? roofs.peaks[i] / roofs.slopes[k] : 0));
    }
  }
  const std::size_t bf16 = static_cast<std::size_t>(Format::kBf16) * Roofs::kSlopes;
  CHECK(roofs.ridges[bf16] ==
        number<term::kCriticalIntensity>(operation(tpu_v5e(), Raw<OperationRequest>::defaults())));
}

}  // namespace
}  // namespace scaling::test::roofs_test
