// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/hardware/collective_time.hpp"
#include "scaling/hardware/placement.hpp"

namespace scaling {

// The price of a transfer, whoever asks: trainings, servers, operations and collectives. What it
// moves, among ranks that are placed on a network, takes the least time by collective_cost, and an
// expected one by what was measured.

namespace term {

inline constexpr Term kPlaces{"places", "n_places", kOne, "definition"};
inline constexpr Term kPlacesLogarithm{"placesLogarithm", "l_places", kOne, "book-gpus"};
inline constexpr Term kSlicesUsed{"slicesUsed", "n_slices", kOne, "definition"};

}  // namespace term

/// Time to move an array of V bytes: V times `per_byte` at full bandwidth, and the
/// latency.
template <class R>
struct Transfer {
  Quantity<kSecond / kByte, R> per_byte;
  Quantity<kSecond, R> latency;
  Quantity<kSecond / kByte, R> reached{};  ///< at the bandwidths that are reached, if known
  Quantity<kSecond, R> start{};            ///< besides, where bandwidths are reached

  /// The time at the full bandwidth, if steps wait while bytes move.
  Quantity<kSecond, R> at_least(Quantity<kByte, R> bytes) const {
    return max(bytes * per_byte, latency);
  }
  /// The time at the bandwidths that are reached, else at `efficiency` of the bandwidth; steps and
  /// bytes one after another.
  Quantity<kSecond, R> expected(Quantity<kByte, R> bytes, Count<R> efficiency) const {
    if (reached.value() > 0) return bytes * reached + latency + start;
    return bytes * per_byte / efficiency + latency;
  }
};

/// The collectives of a training step, each over its way. They all take no time on a single chip.
template <class R>
struct StepTransfers {
  Transfer<R> tensor;           ///< AllGather with sequence parallelism, else AllReduce
  Transfer<R> context;          ///< AllGather, AllToAll or to neighbours: see ContextKind
  Transfer<R> expert_exchange;  ///< for each byte of the tokens of one rank

  Transfer<R> expert_tensor_gather;
  Transfer<R> shard_gather, shard_reduce, replica_reduce;  ///< of the dense states
  Transfer<R> expert_shard_gather, expert_shard_reduce;    ///< of the experts' states
  Transfer<R> pipeline_hop;
  Transfer<R> slice_reduce;  ///< AllReduce over the scale-out network, of what a chip has left
};

/// The transfers of a placement.
template <class R>
struct PlacedTransfers {
  Placement placement;
  StepTransfers<R> transfers;
};

/// Shares of the data sheet's bandwidths that collectives reach.
struct NetworkShares {
  Constant scale_up{1};    ///< of links inside a domain
  Constant all_to_all{1};  ///< the same, of an AllToAll
  Constant scale_out{1};   ///< of the network between domains
};

/// The measured rates of an exchange of tokens with their experts: its time with nothing to send,
/// and shares of the data sheet's bandwidths.
struct ExchangeRates {
  Constant start;  ///< [s]
  Constant near;   ///< of links inside a domain
  Constant far;    ///< of a rank's own way out of it
};

/// The tokens of a rank on their way to their experts, or back.
template <class R>
struct ExpertExchange {
  Count<R> experts_per_token;
  Count<R> nodes;          ///< domains that a token's experts may lie in, at most; 0: any number
  bool forwarded = false;  ///< one copy to each domain, which passes it on; else to each expert
};

/// Prices them by collective_cost, with `reached` also at the bandwidths that are reached. The
/// chip's network lists its bandwidths. Those of another placement, with the same of all else, may
/// be `known`: what moves over a way that both have is taken from there. Source: book ch. 3, 5 and
/// 12.
template <class R>
StepTransfers<R> make_step_transfers(const Chip<R>& chip, const Model<R>& model,
                                     const Degrees<R>& layout, const Placement& placement,
                                     bool in_network_reduction, const ExpertExchange<R>& exchange,
                                     const NetworkShares* reached = nullptr,
                                     const ExchangeRates* rates = nullptr,
                                     const PlacedTransfers<R>* known = nullptr);

/// Prices a byte of an exchange over `way`, and its start [s]. At least, each of m domains that
/// holds any expert of a token gets a copy, and what stays in a domain goes over its links:
///
///   max(D(m) (1 - 1/m) / out, D(n)/m (1 - 1/g) / link),  D(x) = x (1 - (1 - 1/x)^k) places of x
///
/// among n ranks, g of them in a domain, with m no more than `nodes`. As measured, at the shares
/// that `reached` gives: forwarded copies cross once for each domain and go on to D(m g) ranks;
/// others go k times, each for itself. On a torus copies take an AllToAll's routes.
/// Source: DeepSeek-V3, 2.1.2 and 3.2.2; DeepEP and others, shared/efficiency.json.
template <class R>
Transfer<R> make_expert_exchange(const Chip<R>& chip, const Way& way,
                                 const ExpertExchange<R>& exchange,
                                 const ExchangeRates* reached = nullptr);

/// The cost of `V` bytes of one kind of collective over a way.
template <class R>
Transfer<R> make_transfer(const Chip<R>& chip, const Way& way, CollectiveKind kind,
                          bool in_network_reduction = false, Count<R> destinations = {});

/// The ranks of a collective and their cost at full rates, which its measured time starts from.
template <class R>
struct PlacedCollective {
  CollectiveCost<R> cost;
  CollectiveKernel<R> kernel;  ///< as a library sees it
  Count<R> in_domain;          ///< ranks
  bool beyond;                 ///< of one domain
  bool one_ring = false;       ///< on a torus: steps are those of one ring through all ranks
};

/// A collective among the chips of a mesh.
template <class R>
PlacedCollective<R> place(const Chip<R>& chip, const Mesh<R>& mesh,
                          const CollectiveRequest<R>& request);

/// A collective of one of a layout's ways.
template <class R>
PlacedCollective<R> place(const Chip<R>& chip, const Reach<R>& reach,
                          const CollectiveRequest<R>& request);

/// The time of a collective as measured [s], never below its cost: on switches as NCCL does it,
/// through the host of a server after its start and steps, on a torus at a share of its links.
template <class R>
Maybe<Quantity<kSecond, R>> measured_time(const Chip<R>& chip, const KernelChip<R>& kernels,
                                          const PlacedCollective<R>& placed);

}  // namespace scaling
