// SPDX-License-Identifier: MIT
#include "scaling/search/levers.hpp"

#include <cmath>

#include "scaling/hardware/network.hpp"
#include "scaling/quantity/divisors.hpp"

namespace scaling {

bool set_chips(SearchInput<double>& in, double chips, bool weak) {
  if (!is_allowed(field_of<Run>("chips"), chips)) return false;
  auto& run = in.run;
  if (chips == run.chips.value()) return true;
  double slices = divides(run.slices.value(), chips) ? run.slices.value() : 1;
  if (in.chip.network == Network::kTorus) {
    slices = fewest_slices(pod_of(in.chip), in.chip.domain_chips().value(), chips);
    if (slices == 0) return false;
  }
  auto batch = run.batch_tokens;
  if (weak) {
    const double own = (run.batch_tokens / run.sequence_length).value();
    const double sequences = std::round(own * chips / run.chips.value());
    batch = Count<double>(sequences < 1 ? 1 : sequences) * run.sequence_length;
  }
  // The settings for so many chips are an input like any other.
  if (!is_allowed(field_of<Run>("slices"), slices)) return false;
  if (!is_allowed(field_of<Run>("batchTokens"), batch.value())) return false;
  run.chips = Quantity<kChip, double>(chips);
  run.slices = Count<double>(slices);
  run.batch_tokens = batch;
  return true;
}

bool pull(SearchInput<double>& in, Lever lever) {
  switch (lever) {
    case Lever::kMoreChips:
      return set_chips(in, 2 * in.run.chips.value(), false);
    case Lever::kLargerBatch:
      in.run.batch_tokens = 2.0 * in.run.batch_tokens;
      return in.run.batch_tokens <= in.run.all_tokens() &&
             is_allowed(field_of<Run>("batchTokens"), in.run.batch_tokens.value());
    case Lever::kFp8:
      if (in.layout.fp8_matmuls || !in.chip.peak(Format::kFp8).present()) return false;
      in.layout.fp8_matmuls = true;
      return true;
    case Lever::kFasterNetwork:
      in.chip.link_bandwidth = 2.0 * in.chip.link_bandwidth;
      in.chip.scale_up_bandwidth = 2.0 * in.chip.scale_up_bandwidth;
      if (in.chip.scale_out_bandwidth.present()) {
        in.chip.scale_out_bandwidth.value = 2.0 * in.chip.scale_out_bandwidth.value;
      }
      return in.run.chips.value() > 1;
    case Lever::kMoreMemory:
      in.chip.memory = 2.0 * in.chip.memory;
      return true;
    case Lever::kFasterMemory:
      in.chip.memory_bandwidth = 2.0 * in.chip.memory_bandwidth;
      return true;
    case Lever::kMoreOverlap:
      in.assumptions.overlap_tensor = Count<double>(1);
      in.assumptions.overlap_expert = Count<double>(1);
      return in.run.chips.value() > 1;
    case Lever::kLessRecompute:
      in.chip.memory = 1e3 * in.chip.memory;
      in.layout.recompute = Recompute::kNone;
      in.search.recompute = false;
      return true;
  }
  return false;
}

}  // namespace scaling
