// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "scaling/schedules/schedule.hpp"

namespace scaling {

enum class PassKind : std::uint8_t {
  kForward,
  kBackward,
  kWeights,  ///< gradients of weights, where a schedule puts them off
};

/// A pass of a micro-batch through a chunk of a stage, as a schedule orders it.
struct PipelinePass {
  PassKind kind;
  bool joined;          ///< worked on with the next one of its stage: both end when both are done
  std::uint16_t chunk;  ///< from 0; of a course from both ends, the end from which it came
  std::uint16_t micro_batch;  ///< from 0, of its chunk
};

/// Calls `body` with 0, 1, ... below `count`.
template <class Body>
void repeat(double count, const Body& body) {
  const auto times = static_cast<std::int64_t>(std::ceil(count));
  for (std::int64_t i = 0; i < times; ++i) body(static_cast<double>(i));
}

/// The order in which each stage takes its passes: all that are drawn, stage by stage. A schedule
/// fills it.
class PipelineOrder {
 public:
  static constexpr std::size_t kMostStages = 64;

  /// Room for the order of `micro_batches`, and as much to find it in.
  PipelineOrder(std::span<PipelinePass> room, std::span<double> spare, PipelineCourse course,
                double stages, double chunks, double micro_batches)
      : room_(room),
        spare_(spare),
        both_ends_(course == PipelineCourse::kBothEnds),
        stages_(stages),
        chunks_(chunks),
        micro_batches_(micro_batches),
        each_(both_ends_ ? std::ceil(micro_batches / 2) : micro_batches) {}

  double stages() const { return stages_; }
  double chunks() const { return chunks_; }
  double micro_batches() const { return micro_batches_; }
  /// Micro-batches that come to each chunk; from both ends, to the first end.
  double each() const { return each_; }

  std::span<const PipelinePass> of(std::size_t stage) const {
    return room_.subspan(ends_[stage], ends_[stage + 1] - ends_[stage]);
  }

  /// Calls `body` with each stage, from 0, which adds the stage's passes.
  template <class Body>
  void of_each_stage(const Body& body) {
    repeat(stages_, [&](double i) {
      ends_[static_cast<std::size_t>(i)] = size_;
      body(i);
    });
    ends_[static_cast<std::size_t>(stages_)] = size_;
  }

  /// Micro-batches that are not there are left out: orders are made for whole rounds.
  void add(PassKind kind, double chunk, double micro_batch) {
    const bool there = micro_batch < (both_ends_ && chunk != 0 ? micro_batches_ - each_ : each_);
    if (!there || size_ == room_.size()) return;
    room_[size_++] = {kind, false, static_cast<std::uint16_t>(chunk),
                      static_cast<std::uint16_t>(micro_batch)};
  }

  /// Passes that have been added so far.
  std::size_t size() const { return size_; }

  /// Passes that are worked on as one: what was added from `first` on.
  void join(std::size_t first) {
    for (std::size_t i = first; i + 1 < size_; ++i) room_[i].joined = true;
  }

  /// Gives each stage `count` passes, to be put in turns; see `put`.
  void divide(std::size_t count) {
    const auto stages = static_cast<std::size_t>(stages_);
    for (std::size_t i = 0; i <= stages; ++i) ends_[i] = i * count;
    size_ = ends_[stages];
  }
  std::size_t begin_of(std::size_t stage) const { return ends_[stage]; }
  void put(std::size_t place, const PipelinePass& pass) { room_[place] = pass; }

  std::span<double> spare() const { return spare_; }

 private:
  std::span<PipelinePass> room_;
  std::span<double> spare_;
  bool both_ends_;
  double stages_, chunks_, micro_batches_, each_;
  std::array<std::size_t, kMostStages + 1> ends_{};
  std::size_t size_ = 0;
};

}  // namespace scaling
