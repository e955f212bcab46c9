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

/// A collective of chips of several domains. `near` and `far` are the least times of its bytes
/// inside a domain and beyond, `out` the bandwidth out of a domain of all its ranks there.
template <class R>
struct FarCollectiveKernel {
  CollectiveKernel<R> of;  ///< in_network: the switches of a domain add up
  Count<R> in_domain;      ///< ranks
  bool adds;               ///< the switches beyond add up
  Quantity<kSecond, R> near, far;
  Quantity<kByte / kSecond, R> out;
};

/// Prices it [s], as NCCL does it, by the least of
///
///   ring: start + step k + V / min(link share, out ring), its small messages
///         start + hops + V / (small min(...));
///   tree, of an AllReduce: start + 2 hops + max(2 bytes / (link share), 2 bytes / (out tree)), the
///         first of which is what the ranks of a domain pass on to one another, up and down; or
///         what switches take that add up. Of two domains each sends its sum once, so one counts.
///
/// A ring goes through all ranks, so each link carries V = bytes (r - 1)/r, or twice that, on a
/// domain's way out, too; no share of it stays inside. A tree leaves a domain once for a sum and
/// comes back once. An AllToAll, or what goes from one to another, takes the longer of `near` and
/// `far` at shares of their rates. Source: NCCL's tuning model and measured collectives,
/// shared/efficiency.json.
template <class R>
KernelTime<R> kernel_time(const KernelChip<R>& chip, const FarCollectiveKernel<R>& kernel);

}  // namespace scaling
