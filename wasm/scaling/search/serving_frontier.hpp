// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "scaling/search/serving_division.hpp"
#include "scaling/serving/load.hpp"

namespace scaling {

/// A server and the batch that it works on.
struct ServingPoint {
  double token;      ///< time of a request, to its last token, for each token of its answer [s]
  double speed;      ///< tokens of answers a second, of one chip
  double sequences;  ///< of the server at a time
  double chips, tensor, data, expert, pipeline;
  bool by_batch;  ///< whether tensor ways beyond key heads divide the sequences
  double cost;    ///< of a million tokens of answers [USD]; NaN where no price is known

  /// Whether it differs from `other` in ways alone that change neither time nor speed, and has
  /// fewer data ways, or as many and fewer expert ways: such a server stands for all of them.
  bool is_twin_before(const ServingPoint& other) const {
    const double each = sequences / (data * pipeline);
    const double of_other = other.sequences / (other.data * other.pipeline);
    if (token != other.token || speed != other.speed || each != of_other) return false;
    if (tensor != other.tensor || by_batch != other.by_batch) return false;
    return data != other.data ? data < other.data : expert < other.expert;
  }
};

/// Time of a request for each token of its answer against tokens a second of a chip, both as the
/// question answers for as many users as sequences. Without the time to the first token, servers
/// whose requests wait longer for it would seem faster.
///
/// Goes through servers of up to `most_chips` chips in all divisions of `DivisionSearch` with
/// prefill on the same chips, in sizes that leave none of a node idle (hardware/nodes.hpp), each
/// rank of attention with 1, 2, 4, ... sequences, up to 4,096 of a server; those that fit. Keeps
/// the points that no other beats in both, by time.
///
/// Bounds keep most of them from being priced. Stages only add hops to a step, so of each division
/// the fewest count that hold the sequences. A rank by itself never takes longer than with experts
/// and transfers, which rules out all divisions with as many tensor ways at once; with transfers,
/// and with the least that experts can add, all with as many data ways; with the least of its
/// experts, each one by itself. Of equal tensor ways and sequences, a server that takes less time
/// also gives more tokens a second: those whose bounds are the soonest come first and rule out most
/// others. Transfers among tensor ways are computed once for all data ways, those among data ways
/// once for all tensor ways.
class ServingFrontier {
 public:
  explicit ServingFrontier(const ServingInput<double>& in, double most_chips = kMostServerChips);

  std::span<const ServingPoint> points() const { return points_; }
  /// Bounds that were computed: of servers and batches, or of all with as many data ways.
  std::size_t grid() const { return grid_; }
  std::size_t evaluated() const { return evaluated_; }  ///< servers and batches that were priced

 private:
  class Search;

  bool is_beaten(double token, double speed) const;
  void add(const ServingPoint& point);

  std::vector<ServingPoint> points_;  ///< by time
  std::size_t grid_ = 0, evaluated_ = 0;
};

}  // namespace scaling
