// SPDX-License-Identifier: MIT
#include "scaling/serving/computing.hpp"

namespace scaling {

template <class R>
Computing computing_of(const ServingInput<R>& in, WeightFormat format) {
  const bool eight =
      in.chip.peak(Format::kFp8).present() && in.server.compute_in == ComputeIn::kAsWeights;
  const bool integers =
      in.chip.peak(Format::kInt8).present() && in.server.compute_in == ComputeIn::kAsWeights;
  const bool four =
      in.chip.peak(Format::kFp4).present() && in.server.compute_in == ComputeIn::kAsWeights;
  const Computing widened8{KernelFormat::kBf16, Format::kFp8, Format::kBf16};
  const Computing widened4{KernelFormat::kBf16, Format::kInt4, Format::kBf16};
  if (computes_in_blocks(in.chip, in.server) && format != WeightFormat::kBf16) {
    const bool wide = format <= WeightFormat::kInt8;
    return {KernelFormat::kFp8, wide ? Format::kInt8 : Format::kInt4, Format::kInt8, true};
  }
  switch (format) {
    case WeightFormat::kBf16:
      return {KernelFormat::kBf16, Format::kBf16, Format::kBf16};
    case WeightFormat::kFp8:
      if (!eight) return widened8;
      return {KernelFormat::kFp8, Format::kFp8, Format::kFp8};
    case WeightFormat::kFp8Block:
      if (!eight) return widened8;
      return {KernelFormat::kFp8Block, Format::kFp8, Format::kFp8};
    case WeightFormat::kInt8:
      if (!integers) return widened8;
      return {KernelFormat::kFp8, Format::kInt8, Format::kInt8};
    case WeightFormat::kInt4:
      return widened4;
    case WeightFormat::kMxfp4:
    case WeightFormat::kNvfp4:
      break;
  }
  if (!four) return widened4;
  return {KernelFormat::kFp4, Format::kFp4, Format::kFp4};
}

template <class R>
[[gnu::noinline]] KernelChip<R> serving_kernels(const Chip<R>& chip, const Server<R>& server,
                                                const KernelRates& rates) {
  auto kernels = kernel_chip(chip, chip.multiprocessors, rates);
  if (server.weights == WeightFormat::kInt8 || computes_in_blocks(chip, server)) {
    kernels = computing_in(Format::kInt8, chip, kernels);
  }
  return kernels;
}

template Computing computing_of(const ServingInput<SCALING_REP>&, WeightFormat);
template KernelChip<SCALING_REP> serving_kernels(const Chip<SCALING_REP>&,
                                                 const Server<SCALING_REP>&, const KernelRates&);

}  // namespace scaling
