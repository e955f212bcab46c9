// SPDX-License-Identifier: MIT
#include "scaling/views/roofs.hpp"

#include "scaling/hardware/roofline.hpp"

namespace scaling {
namespace {

template <class Q>
double value_or_0(const Maybe<Q>& maybe) {
  return maybe.present() ? maybe.value.value() : 0;
}

double network_slope(const Chip<double>& chip, const Mesh<double>& mesh) {
  CollectiveRequest<double> gather{};
  gather.bytes = constant<kByte, double>(1);
  const auto cost = collective_cost(chip, mesh, gather);
  return value_or_0(
      when_present([&](auto time) { return cost.bytes_sent / time; }, cost.bandwidth_time));
}

}  // namespace

Roofs make_roofs(const Chip<double>& chip, const Mesh<double>& mesh) {
  Roofs roofs;
  for (std::size_t i = 0; i + 1 < Roofs::kPeaks; ++i) {
    roofs.peaks[i] = value_or_0(chip.peak(static_cast<Format>(i)));
  }
  roofs.peaks[Roofs::kPeaks - 1] = value_or_0(chip.vector_rate());
  roofs.slopes = {chip.memory_bandwidth.value(), value_or_0(chip.on_chip_bandwidth),
                  value_or_0(chip.host_bandwidth), network_slope(chip, mesh)};
  for (std::size_t i = 0; i < Roofs::kPeaks; ++i) {
    for (std::size_t k = 0; k < Roofs::kSlopes; ++k) {
      if (roofs.peaks[i] <= 0 || roofs.slopes[k] <= 0) continue;
      roofs.ridges[i * Roofs::kSlopes + k] =
          critical_intensity(PeakRate<double>(roofs.peaks[i]), Bandwidth<double>(roofs.slopes[k]))
              .value();
    }
  }
  return roofs;
}

}  // namespace scaling
