// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/hardware/kernel_time.hpp"
#include "scaling/input/collective_request.hpp"

namespace scaling {

/// A collective among `ranks` chips of one scale-up domain. `bytes` is the whole buffer of one
/// rank: the result of a gather, the input of a reduction, what one rank has before an AllToAll,
/// what it sends point to point.
template <class R>
struct CollectiveKernel {
  CollectiveKind kind;
  Quantity<kByte, R> bytes;
  Count<R> ranks;
  bool in_network = true;  ///< an AllReduce may be added up by switches, where they can
  bool small = false;      ///< and may take the kernels for small ones, as serving does
};

/// Prices it [s], as NCCL does it:
///
///   start + step k + t + 2 sqrt(pipeline t),  t = V / (link share (1 - few / r^2))
///
/// of k steps of a ring, r - 1 or twice that; and of what a rank sends, V = bytes (r - 1)/r or
/// twice that, cut into as many pieces as take the least. Messages of a megabyte or more for each
/// rank go in larger pieces. An AllReduce among 8 or more takes the least of that and of having
/// switches add up; a small one also of writing to all others in one shot or in two. One rank has
/// nothing to send: 0. The chip needs a link. Source: form and constants fitted to NCCL's
/// times among up to 8 ranks, shared/efficiency.json; beyond, steps are those of a tree, a guess.
template <class R>
KernelTime<R> kernel_time(const KernelChip<R>& chip, const CollectiveKernel<R>& kernel);

}  // namespace scaling
