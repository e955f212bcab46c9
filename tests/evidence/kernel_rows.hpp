// SPDX-License-Identifier: MIT
//
// Measured kernels, as files of their publisher hold them, and what is predicted of them.
#pragma once

#include <functional>
#include <iosfwd>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "scaling/hardware/attention_time.hpp"
#include "scaling/hardware/collective_time.hpp"
#include "scaling/hardware/kernel_time.hpp"

namespace scaling::evidence {

/// A layer's experts, with the loads that its kernel refers to.
struct MeasuredExperts {
  std::vector<ExpertLoad<double>> loads;
  MoeLayerKernel<double> kernel;
};

using MeasuredKernel =
    std::variant<MatmulKernel<double>, MeasuredExperts, PrefillKernel<double>, DecodeKernel<double>,
                 LatentPrefillKernel<double>, LatentDecodeKernel<double>, CollectiveKernel<double>,
                 StreamingKernel<double>>;

/// A measured kernel, or the reason why its time is not predicted.
struct KernelRow {
  std::string kind;    ///< of its file
  std::string chip;    ///< id of a preset
  std::size_t row{};   ///< in its file, from 1, without the line of names
  std::string format;  ///< that errors are told by
  std::string reason;  ///< empty: it is predicted
  double measured{};   ///< [s]; 0: not said
  MeasuredKernel kernel;
};

/// A chip as kernels find it, by id; none, with the reason in the string, where that is not known.
using ChipSource = std::function<const KernelChip<double>*(const std::string&, std::string&)>;

/// Reads the rows of a file named `<kind>-<chip>.csv`; a column `chip` tells the chip instead, and
/// `kind` the kind. Calls `take` for each row as soon as it is read: no file is too long. Never
/// throws: what can't be read is a row with its reason.
void read_kernel_rows(const std::string& path, const ChipSource& chips,
                      const std::function<void(KernelRow&&)>& take);

/// The same of a table that is open, of one kind and chip unless its columns tell otherwise.
void read_kernel_table(std::istream& table, const std::string& kind, const std::string& chip,
                       const ChipSource& chips, const std::function<void(KernelRow&&)>& take);

/// The time of a row on a chip.
KernelTime<double> predict(const KernelChip<double>& chip, const MeasuredKernel& kernel);

/// Rows of the experts on the busiest rank of `ep`, for `tokens` that choose `top_k` of `experts`
/// each: all alike ("balanced"), or by a power law ("power_law_1.2"), as the publisher draws them,
/// but without chance. Empty where that is not known.
std::vector<ExpertLoad<double>> expert_loads(double tokens, double top_k, double experts, double ep,
                                             const std::string& distribution);

}  // namespace scaling::evidence
