// SPDX-License-Identifier: MIT
#include "scaling/recompute.hpp"

#include <cmath>

namespace scaling {
namespace {

using Counts = std::array<double, kDropOptions>;

/// Branch and bound over options in the order of their cost a byte.
class Chooser {
 public:
  Chooser(std::span<const DropOption, kDropOptions> options, double in_flight)
      : options_(options), in_flight_(in_flight) {
    for (std::size_t i = 0; i < kDropOptions; ++i) {
      if (options[i].bytes <= 0 || options[i].layers < 1) continue;
      std::size_t place = size_++;
      for (; place > 0 && price(i) < price(order_[place - 1]); --place) {
        order_[place] = order_[place - 1];
      }
      order_[place] = i;
    }
  }

  /// Whether there is a choice that frees `needed`.
  bool choose(double needed) {
    double all = 0;
    for (std::size_t i = 0; i < size_; ++i) all += freed(order_[i], options_[order_[i]].layers);
    if (all < needed) return false;
    Counts counts{};
    visit(0, needed, 0, counts);
    return true;
  }

  const Counts& best() const { return best_; }

 private:
  double price(std::size_t i) const { return options_[i].cost / options_[i].bytes; }

  double freed(std::size_t i, double layers) const {
    return layers < 1 ? 0 : std::fmax(0, options_[i].bytes * (layers * in_flight_ - 1));
  }

  void visit(std::size_t place, double needed, double cost, Counts& counts) {
    if (needed <= 0) {
      if (cost < least_) {
        least_ = cost;
        best_ = counts;
      }
      return;
    }
    if (place == size_) return;
    const std::size_t i = order_[place];
    const DropOption& option = options_[i];
    const double enough = std::ceil((needed / option.bytes + 1) / in_flight_);
    for (double layers = std::fmin(option.layers, enough); layers >= 0; --layers) {
      const double rest = needed - freed(i, layers);
      const double so_far = cost + layers * option.cost;
      // What is left costs at least this option's price a byte: they are sorted.
      const double bound = rest > 0 ? so_far + rest / in_flight_ * price(i) : so_far;
      if (bound >= least_) break;
      counts[i] = layers;
      visit(place + 1, rest, so_far, counts);
    }
    counts[i] = 0;
  }

  std::span<const DropOption, kDropOptions> options_;
  double in_flight_;
  std::array<std::size_t, kDropOptions> order_{};
  std::size_t size_ = 0;
  double least_ = 1e300;
  Counts best_{};
};

}  // namespace

std::array<double, kDropOptions> cheapest_drops(std::span<const DropOption, kDropOptions> options,
                                                double in_flight, double needed) {
  if (needed <= 0) return {};
  Chooser chooser(options, in_flight);
  if (chooser.choose(needed)) return chooser.best();
  Counts all{};
  for (std::size_t i = 0; i < kDropOptions; ++i) {
    all[i] = options[i].bytes > 0 ? options[i].layers : 0;
  }
  return all;
}

}  // namespace scaling
