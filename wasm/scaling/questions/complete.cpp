// SPDX-License-Identifier: MIT
#include "scaling/questions/complete.hpp"

#include "scaling/hardware/network.hpp"

namespace scaling {

void complete_run(const Raw<Chip>& raw, Raw<Run>& run, Issues& notices) {
  const auto chip = read_group<Chip, double>(raw);
  const double chips = run["chips"];
  const double domain = chip.domain_chips().value();
  if (chip.network == Network::kTorus && run["slices"] == 1 && chips > domain) {
    const double slices = fewest_slices(pod_of(chip), domain, chips);
    if (slices > 0) {
      run["slices"] = slices;
      notices.add(IssueCode::kSlicesJoined, Run<double>::kGroup, "slices", slices, chips / slices);
    }
  }
  const bool bf16 = run["computeFormat"] == static_cast<double>(Format::kBf16);
  if (bf16 && !chip.peak_bf16.present() && chip.peak_fp16.present()) {
    run["computeFormat"] = static_cast<double>(Format::kFp16);
    notices.add(IssueCode::kComputesInFp16, Run<double>::kGroup, "computeFormat");
  }
}

}  // namespace scaling
