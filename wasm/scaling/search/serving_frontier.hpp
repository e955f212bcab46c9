// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>

#include "scaling/serving/load.hpp"

namespace scaling {

/// A server and the batch that it works on.
struct ServingPoint {
  double token;      ///< time for each further token, prompts of others included [s]
  double speed;      ///< tokens of answers a second, of one chip
  double sequences;  ///< of the server at a time
  double chips, tensor, data, expert;
};

/// Time per token against tokens a second of a chip.
///
/// Goes through batches of 1 to 4,096 sequences by doubling, servers of 1 to 256 chips by doubling,
/// and all of their divisions into tensor and data ways that are powers of two, of models with
/// experts each with experts divided by tensor ways alone or by all; those that fit. Keeps the
/// points that no other beats in both, by time.
class ServingFrontier {
 public:
  static constexpr std::size_t kMost = 512;

  explicit ServingFrontier(const ServingInput<double>& in);

  std::span<const ServingPoint> points() const { return std::span(points_).first(size_); }
  std::size_t evaluated() const { return evaluated_; }

 private:
  void add(const ServingPoint& point);

  std::array<ServingPoint, kMost> points_;
  std::size_t size_ = 0;
  std::size_t evaluated_ = 0;
};

}  // namespace scaling
