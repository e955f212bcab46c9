// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "scaling/input/layout.hpp"
#include "scaling/search/search_input.hpp"
#include "scaling/training/step.hpp"

namespace scaling {

/// The parts of a step's time: the chips work, or wait for transfers that do not hide.
enum class StepPart : std::uint8_t {
  kComputing,
  kRecompute,
  kTensor,
  kContext,
  kExpert,
  kData,
  kPipeline,
  kBubble,
  kOptimizer,
  kHost,
  kLaunch,    ///< waiting for the host's kernel launches
  kOverhead,  ///< of each step
};
inline constexpr std::size_t kStepParts = 12;
inline constexpr const char* kStepPartNames[kStepParts] = {
    "computing", "recompute", "tensor",    "context", "expert", "data",
    "pipeline",  "bubble",    "optimizer", "host",    "launch", "overhead"};

/// A layout that a search has costed.
struct CostedLayout {
  CostedLayout();  // a call: lists of them would be zeroed field by field where they are made

  Layout<double> layout;
  double data_ways;
  double micro_batches;
  double expected, lower, upper;   ///< of a step [s]
  double memory;                   ///< of the fullest chip [B]
  double allocated;                ///< the part of it that has to fit [B]
  double memory_low, memory_high;  ///< its likely range [B]
  double bound, next_bound;        ///< StepBound
  std::array<double, kStepParts> parts;
  DroppedShares again;    ///< shares of layers that compute each tensor again
  double fullest_layers;  ///< of the fullest stage
};

/// A field of the layout over which a search keeps the best.
enum class MapField : std::uint8_t { kTensor, kContext, kPipeline, kExpert, kMicroBatch, kData };
inline constexpr const char* kMapFieldNames[] = {"tensor", "context",    "pipeline",
                                                 "expert", "microBatch", "data"};

/// The record of a layout that has this step and computes `dropped` again.
CostedLayout make_costed(const SearchInput<double>& search, double data_ways,
                         const Step<double>& step, const DroppedShares& dropped);

double map_value(MapField field, const Layout<double>& layout, double data_ways);

/// The fastest layouts, and the one to use.
class BestLayouts {
 public:
  static constexpr std::size_t kMost = 16;
  static constexpr double kUnlimited = 1e300;  ///< seconds that no step takes

  /// The fastest, one for each way to split by tensor, context, pipeline and expert.
  std::span<const CostedLayout> items() const { return std::span(best_).first(size_); }
  /// The layout to use: none, or one. Candidates take at most 1 % longer than the fastest, and at
  /// most 1 % more memory than the least of these. The choice is the one with the fewest kinds of
  /// ways, then the fastest.
  std::span<const CostedLayout> chosen() const;

  /// The time of a step from which on a layout that divides the model as `layout` does is neither
  /// among the fastest nor a candidate [s].
  double limit_for(const Layout<double>& layout) const;
  void keep(const CostedLayout& plan);

 private:
  static constexpr std::size_t kTies = 64;

  void keep_best(const CostedLayout& plan);
  void keep_tie(const CostedLayout& plan);

  std::array<CostedLayout, kMost> best_;
  std::size_t size_ = 0;
  /// Layouts as fast as the best; none beats another in all that counts.
  std::array<CostedLayout, kTies> ties_;
  std::size_t ties_size_ = 0;
};

/// Layouts of which none is faster with as much memory, by memory.
class LayoutFront {
 public:
  static constexpr std::size_t kMost = 256;

  std::span<const CostedLayout> items() const { return std::span(items_).first(size_); }

  /// Whether a layout on the front needs no more and takes no longer.
  bool is_behind(double memory, double seconds) const;
  /// Keeps a layout that is not behind the front; whether there was room.
  bool keep(const CostedLayout& plan);

 private:
  /// The place of the first that needs more than so many bytes.
  std::size_t above(double memory) const;

  std::array<CostedLayout, kMost> items_;
  std::array<double, kMost> bytes_, seconds_;  ///< of each, next to each other
  std::size_t size_ = 0;
};

/// The times of the fastest that fit, by the values of two fields.
class LayoutMap {
 public:
  static constexpr std::size_t kMost = 48;  ///< values of a field

  std::span<const double> x() const { return x_.items(); }
  std::span<const double> y() const { return y_.items(); }
  /// Seconds at a place of each; 0: none fits.
  double at(std::size_t x, std::size_t y) const { return cells_[y * kMost + x]; }
  /// The same at values, whether they are there or not.
  double at_values(double x, double y) const;

  /// Keeps a time at values; whether there was room for them.
  bool keep(double x, double y, double seconds);

 private:
  /// Values as they came.
  class Axis {
   public:
    std::span<const double> items() const { return std::span(values_).first(size_); }
    std::size_t find(double value) const;
    void add(double value);

   private:
    std::array<double, kMost> values_;
    std::size_t size_ = 0;
  };

  Axis x_, y_;
  std::array<double, kMost * kMost> cells_{};
};

}  // namespace scaling
