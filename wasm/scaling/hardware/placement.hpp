// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "scaling/hardware/collective.hpp"
#include "scaling/input/degrees.hpp"
#include "scaling/input/model.hpp"
#include "scaling/quantity/hash.hpp"
#include "scaling/quantity/term.hpp"

namespace scaling {

namespace term {

inline constexpr Term kWayChips{"wayChips", "n_way", kOne, "definition"};
inline constexpr Term kWayStride{"wayStride", "n_stride", kOne, "definition"};
inline constexpr Term kWayLength{"wayLength", "X_way", kOne, "definition"};
inline constexpr Term kFillMost{"fillMost", "n_most", kOne, "definition"};
inline constexpr Term kFillLeast{"fillLeast", "n_least", kOne, "definition"};
inline constexpr Term kFillGroups{"fillGroups", "D_way", kOne, "definition"};
inline constexpr Term kPlaces{"places", "n_places", kOne, "definition"};
inline constexpr Term kPlacesLogarithm{"placesLogarithm", "l_places", kOne, "book-gpus"};
inline constexpr Term kSlicesUsed{"slicesUsed", "n_slices", kOne, "definition"};

}  // namespace term

/// The chips of one way of a layout: each `stride`-th on a network of switches, at
/// `places` where the rest of the layout decides on these (else at those that it has alone); on a
/// torus, so many along each axis, each `strides`-th of it, closed to a ring or not.
struct Way {
  double chips = 1;
  double stride = 1;
  Lengths lengths{1, 1, 1};
  Lengths strides{1, 1, 1};
  std::array<bool, 3> rings{};
  SwitchPlaces<double> places{};

  bool operator==(const Way&) const = default;
};

/// The switched domains that a layout uses: so many of them, of each so many chips (of the
/// fullest), and what is left idle in all.
struct DomainUse {
  double domains = 0, used = 0, idle = 0;
};

/// The placement of a layout on the network, from the inside out: tensor, context, data, pipeline;
/// expert ways cross context and data (and tensor, unless experts are divided as the rest is).
/// States are shared in `shards` and copied across `replicas`.
struct Placement {
  Way tensor, context, shards, replicas, expert_tensor, expert, expert_shards, pipeline;
  double slices = 1;
  DomainUse domains;
};

inline constexpr std::size_t kMostPlacements = 8;

/// Seconds per byte of collectives on ways along the axes of one slice, for placements that a
/// search makes one after another. Keeps nothing on the heap.
class WayTimes {
 public:
  struct Place {
    Lengths lengths{}, strides{};
    double kind = 0;

    Place() = default;
    Place(const Lengths& of, const Lengths& at, CollectiveKind collective)
        : lengths(of), strides(at), kind(static_cast<double>(collective)) {}
  };

  /// The seconds at a place; `make` prices one that has not been asked for lately.
  template <class Make>
  double find(const Place& place, Make make) {
    Entry& entry = entries_[hash_bytes(&place, sizeof place) % kEntries];
    if (!same_bytes(&entry.place, &place, sizeof place)) entry = {place, make()};
    return entry.seconds;
  }

 private:
  static constexpr std::size_t kEntries = 2048;
  struct Entry {
    Place place;  ///< of no length where none is there
    double seconds;
  };

  std::array<Entry, kEntries> entries_{};
};

/// The number of chips of one slice, and the lengths of its torus.
struct Slice {
  double chips;
  Lengths shape{};

  Slice(const Chip<double>& chip, double count)
      : chips(count),
        shape(chip.network == Network::kTorus ? slice_shape(pod_of(chip), count) : Lengths{}) {}
};

/// The placements of a layout on a slice that no other is better than in every way; one, on a
/// network of switches. The layout's degrees divide the slice's chips.
class Placements {
 public:
  Placements(const Chip<double>& chip, const Degrees<double>& layout, const Slice& slice,
             double slices, bool experts) {
    place(chip, layout, slice, slices, experts);
  }
  Placements(const Chip<double>& chip, const Degrees<double>& layout, double slice_chips,
             double slices, bool experts)
      : Placements(chip, layout, Slice(chip, slice_chips), slices, experts) {}

  /// No placement: a search starts from it.
  Placements() = default;

  /// Takes the placements of another layout, in place. `times`, if any, are of the same chip and
  /// slice.
  void place(const Chip<double>& chip, const Degrees<double>& layout, const Slice& slice,
             double slices, bool experts, WayTimes* times = nullptr);

  std::span<const Placement> items() const { return std::span(items_).first(size_); }

  /// Whether all ways to place the layout were tried, and all that may be best kept: so it is on
  /// any torus that is built.
  bool complete() const { return complete_; }

  /// Ways along the axes of a torus that were looked at: what making the placements cost.
  double tries() const { return tries_; }

 private:
  struct Score {
    std::array<double, 4> seconds;  ///< per byte: tensor, context, shards, expert
  };

  template <class Make>
  void add(const Score& score, Make make);
  void place_on_torus(const Chip<double>& chip, const Degrees<double>& layout, const Lengths& shape,
                      double slices, bool experts, WayTimes* times);

  std::array<Placement, kMostPlacements> items_;
  std::array<Score, kMostPlacements> scores_;
  std::size_t size_ = 0;
  bool complete_ = true;
  double tries_ = 0;
};

/// Time to move an array of V bytes: V times `per_byte` at full bandwidth, and the
/// latency.
template <class R>
struct Transfer {
  Quantity<kSecond / kByte, R> per_byte;
  Quantity<kSecond, R> latency;
  Quantity<kSecond / kByte, R> reached{};  ///< at the bandwidths that are reached, if known
  Quantity<kSecond, R> rounds{};           ///< of a ring's steps, where these are known

  /// The time at the full bandwidth, if steps wait while bytes move.
  Quantity<kSecond, R> at_least(Quantity<kByte, R> bytes) const {
    return max(bytes * per_byte, latency);
  }
  /// The time at the bandwidths that are reached, else at `efficiency` of the bandwidth; steps and
  /// bytes one after another.
  Quantity<kSecond, R> expected(Quantity<kByte, R> bytes, Count<R> efficiency) const {
    if (reached.value() > 0) return bytes * reached + latency + rounds;
    return bytes * per_byte / efficiency + latency;
  }
};

/// The collectives of a training step, each over its way. They all take no time on a single chip.
template <class R>
struct StepTransfers {
  Transfer<R> tensor;   ///< AllGather with sequence parallelism, else AllReduce
  Transfer<R> context;  ///< AllGather, AllToAll or to neighbours: see ContextKind
  /// Transfers to the experts of each token, for each byte that the tokens of all expert ways have
  /// together.
  Transfer<R> expert_swap;
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

/// Prices them by collective_cost, with `reached` also at the bandwidths that are reached. The
/// chip's network lists its bandwidths. Those of another placement, with the same of all else, may
/// be `known`: what moves over a way that both have is taken from there. Source: book ch. 3, 5 and
/// 12.
template <class R>
StepTransfers<R> make_step_transfers(const Chip<R>& chip, const Model<R>& model,
                                     const Degrees<R>& layout, const Placement& placement,
                                     bool in_network_reduction,
                                     const NetworkShares* reached = nullptr,
                                     const PlacedTransfers<R>* known = nullptr);

/// Sends each token to its k experts, spread evenly over `way`, once to each chip that holds any of
/// them: of n chips, n (1 - (1 - 1/n)^k) on average. Across domains of switches a copy goes once to
/// each domain that holds any, as many on average, but at most `nodes` if above 0, and from there
/// to each chip; on a torus each copy goes by itself. Source: book ch. 12; DeepSeek-V3, 2.1.2 and
/// 3.2.2.
template <class R>
Transfer<R> make_expert_swap(const Chip<R>& chip, const Way& way, Count<R> experts_per_token,
                             Count<R> nodes);

/// The cost of `V` bytes of one kind of collective over a way.
template <class R>
Transfer<R> make_transfer(const Chip<R>& chip, const Way& way, CollectiveKind kind,
                          bool in_network_reduction = false, Count<R> destinations = {});

}  // namespace scaling
