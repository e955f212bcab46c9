// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/hardware/kernel_time.hpp"
#include "scaling/hardware/roofline.hpp"
#include "scaling/model/kernel_operations.hpp"
#include "scaling/training/layer_work.hpp"

namespace scaling {

/// The work of a kernel in both passes.
template <class R>
struct PassWork {
  Work<R> forward{}, backward{};

  friend PassWork operator+(const PassWork& a, const PassWork& b) {
    return {a.forward + b.forward, a.backward + b.backward};
  }
};

/// Prices the kernels of a training on a chip: the only place that does. At full, stated and
/// measured rates; see layer_work.
template <class R>
class TrainingPrices {
 public:
  TrainingPrices(const StepInput<R>& in, WorkOf of);

  /// The chip's share of a matmul.
  LocalMatmul<R> share(const Kernel<R>& kernel) const {
    return local(kernel, work_.batch, work_.by);
  }

  /// The chip's share of the launch that begins at `first`; see launch_of.
  LocalMatmul<R> launch(std::span<const Kernel<R>> kernels, std::size_t& first) const {
    return launch_of(kernels, first, work_.batch, work_.by);
  }

  /// A launch of matmuls, of which `kernel` is the first.
  PassWork<R> matmul(const LocalMatmul<R>& launch, const Kernel<R>& kernel) const;

  /// Whether a training has anything beside the kernels of its model; see beside.
  bool tunes() const { return in_.run.adapts(); }

  /// Whether nobody asks for gradients of a kernel's weights.
  bool freezes(const Kernel<R>& kernel) const {
    if (!in_.run.ends_early()) return tunes();
    return kernel.rows == RowsOf::kLogits && in_.run.freezes_head();
  }

  /// What stands beside a matmul whose weights are frozen: its adapter, and the time in which its
  /// matrices are dequantised, for each pass.
  PassWork<R> beside(const Kernel<R>& kernel) const;

  /// Any other kernel.
  PassWork<R> other(const Kernel<R>& kernel) const;

  /// The price of a kernel that a neighbour may do on the way: it takes nothing at full rates, nor
  /// where efficiencies are stated.
  PassWork<R> fused(const PassWork<R>& work) const {
    if (!in_.measured()) return {};
    return with_expected({}, {work.forward.expected, work.backward.expected});
  }

  /// The time of the loss beside the head's matmul.
  PassWork<R> loss(const LocalMatmul<R>& head) const;

 private:
  struct Passes {
    Quantity<kSecond, R> forward{}, backward{};
  };

  // At full and at stated rates.
  struct Rates {
    PeakRate<R> matrix, vector;
    Bandwidth<R> memory;
  };
  Work<R> roofline(const Operations<R>& list, Format format) const;
  PassWork<R> matmul_rooflines(const LocalMatmul<R>& launch, const Kernel<R>& kernel) const;
  PassWork<R> rooflines(const Kernel<R>& kernel) const;
  Operations<R> operations(const Kernel<R>& kernel) const;
  PassWork<R> with_expected(PassWork<R> work, const Passes& expected) const;

  // At measured rates.
  Passes measured_matmul(const LocalMatmul<R>& launch, KernelFormat format, bool experts,
                         bool frozen) const;
  Passes measured(const Kernel<R>& kernel, const PassWork<R>& rooflines) const;
  Passes measured_attention(const Kernel<R>& kernel) const;
  Passes naive_attention(const Kernel<R>& kernel) const;
  Passes index_scores(const Kernel<R>& kernel) const;
  Passes elementwise(Quantity<kByte, R> bytes) const;
  PassWork<R> adapter(const Kernel<R>& kernel) const;
  PassWork<R> restored(const Kernel<R>& kernel) const;

  Format format_of(FormatClass format) const {
    const bool wide = format == FormatClass::kSixteenBit || format == FormatClass::kHead;
    return wide ? in_.run.compute_format : weights_;
  }
  Count<R> at_clocks(Count<R> share) const { return clocks_ * share; }
  Quantity<kByte, R> number() const { return bytes_of<R>(in_.run.activation_format); }

  const StepInput<R>& in_;
  const TrainingRates& of_;
  WorkOf work_of_;
  Format weights_;  ///< in which weight matmuls of layers compute
  KernelFormat format_;
  Count<R> clocks_;
  KernelChip<R> chip_;
  Quantity<kByte / kSecond, R> memory_;
  KernelWork<R> work_;  ///< the tokens and the division of kernels
};

}  // namespace scaling
