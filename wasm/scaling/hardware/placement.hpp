// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "scaling/hardware/collective.hpp"
#include "scaling/input/degrees.hpp"
#include "scaling/input/model.hpp"
#include "scaling/quantity/memo.hpp"
#include "scaling/quantity/term.hpp"

namespace scaling {

namespace term {

inline constexpr Term kWayChips{"wayChips", "n_way", kOne, "definition"};
inline constexpr Term kWayStride{"wayStride", "n_stride", kOne, "definition"};
inline constexpr Term kWayLength{"wayLength", "X_way", kOne, "definition"};
inline constexpr Term kSliceAlongX{"sliceAlongX", "X_x", kOne, "book-tpus"};
inline constexpr Term kSliceAlongY{"sliceAlongY", "X_y", kOne, "book-tpus"};
inline constexpr Term kSliceAlongZ{"sliceAlongZ", "X_z", kOne, "book-tpus"};
inline constexpr Term kTensorAlongX{"tensorAlongX", "t_x", kOne, "book-tpus"};
inline constexpr Term kTensorAlongY{"tensorAlongY", "t_y", kOne, "book-tpus"};
inline constexpr Term kTensorAlongZ{"tensorAlongZ", "t_z", kOne, "book-tpus"};
inline constexpr Term kContextAlongX{"contextAlongX", "c_x", kOne, "book-tpus"};
inline constexpr Term kContextAlongY{"contextAlongY", "c_y", kOne, "book-tpus"};
inline constexpr Term kContextAlongZ{"contextAlongZ", "c_z", kOne, "book-tpus"};
inline constexpr Term kDataAlongX{"dataAlongX", "d_x", kOne, "book-tpus"};
inline constexpr Term kDataAlongY{"dataAlongY", "d_y", kOne, "book-tpus"};
inline constexpr Term kDataAlongZ{"dataAlongZ", "d_z", kOne, "book-tpus"};
inline constexpr Term kPipelineAlongX{"pipelineAlongX", "p_x", kOne, "book-tpus"};
inline constexpr Term kPipelineAlongY{"pipelineAlongY", "p_y", kOne, "book-tpus"};
inline constexpr Term kPipelineAlongZ{"pipelineAlongZ", "p_z", kOne, "book-tpus"};
inline constexpr Term kSliceShapeX{"sliceShapeX", "", kOne, "book-tpus", kAxisShapeNames};
inline constexpr Term kSliceShapeY{"sliceShapeY", "", kOne, "book-tpus", kAxisShapeNames};
inline constexpr Term kSliceShapeZ{"sliceShapeZ", "", kOne, "book-tpus", kAxisShapeNames};
inline constexpr Term kFillMost{"fillMost", "n_most", kOne, "definition"};
inline constexpr Term kFillLeast{"fillLeast", "n_least", kOne, "definition"};
inline constexpr Term kFillGroups{"fillGroups", "D_way", kOne, "definition"};

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

/// The lengths along the axes of a torus of one slice and, from the inside out, of its layout's
/// groups: chips that lie so far apart as the groups inside are long.
struct SliceBlock {
  Lengths slice, tensor, context, data, pipeline;
  std::array<bool, 3> rings;  ///< axes of the slice that close
};

SliceBlock slice_block(const Chip<double>& chip, const Placement& placement);

inline constexpr std::size_t kMostPlacements = 8;

/// The place of a collective on a way along the axes of one slice.
struct WayPlace {
  Lengths lengths{}, strides{};
  double kind = 0;

  WayPlace() = default;
  WayPlace(const Lengths& of, const Lengths& at, CollectiveKind collective)
      : lengths(of), strides(at), kind(static_cast<double>(collective)) {}
};

/// Its seconds per byte, for placements that a search makes one after another.
using WayTimes = Memo<WayPlace, double, 2048>;

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

/// The chips of a way as collective_cost takes them; if its layout does not say where it lies on
/// switches, as if it were alone.
template <class R>
Reach<R> reach_of(const Chip<R>& chip, const Way& way);

}  // namespace scaling
