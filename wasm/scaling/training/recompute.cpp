// SPDX-License-Identifier: MIT
#include "scaling/training/recompute.hpp"

#include <cmath>

namespace scaling {

DroppedShares selective_drops(Selective selective) {
  DroppedShares drops{};
  const auto drop = [&](Dropped kind) { drops[static_cast<std::size_t>(kind)] = 1; };
  switch (selective) {
    case Selective::kScores:
      break;
    case Selective::kAttention:
      drop(Dropped::kAttention);
      break;
    case Selective::kMatmuls:
      drop(Dropped::kAttention);
      drop(Dropped::kNorms);
      drop(Dropped::kProduct);
      break;
    case Selective::kLatent:
      drop(Dropped::kQkv);
      drop(Dropped::kNorms);
      drop(Dropped::kProduct);
      break;
    case Selective::kProjections:
      drop(Dropped::kAttention);
      [[fallthrough]];
    case Selective::kBehindAttention:
      drop(Dropped::kMiddle);
      [[fallthrough]];
    case Selective::kExperts:
    case Selective::kOperators:
      if (selective == Selective::kExperts) drop(Dropped::kResults);
      drop(Dropped::kHidden);
      [[fallthrough]];
    case Selective::kActivations:
      drop(Dropped::kNorms);
      drop(Dropped::kProduct);
      break;
  }
  return drops;
}

DroppedShares shares_again(const Layout<double>& layout, const DroppedShares& dropped,
                           const LayerActivations<double>& activations) {
  DroppedShares shares = dropped;
  const auto set = [&](Dropped kind, double share) {
    shares[static_cast<std::size_t>(kind)] = share;
  };
  switch (layout.recompute) {
    case Recompute::kNone:
      shares.fill(0);
      break;
    case Recompute::kSelective:
      if (shares == DroppedShares{} && activations.scores.value() > 0) set(Dropped::kAttention, 1);
      break;
    case Recompute::kFull:
    case Recompute::kEveryN:
    case Recompute::kCopies:
      shares.fill(1);
      break;
    case Recompute::kCheapest:
      break;
  }
  const auto only_if = [&](Dropped kind, Quantity<kByte, double> bytes) {
    if (!(bytes.value() > 0)) set(kind, 0);
  };
  only_if(Dropped::kNorms, activations.norms);
  only_if(Dropped::kProduct, activations.product);
  only_if(Dropped::kQkv, activations.qkv);
  only_if(Dropped::kAttention, activations.attention + activations.scores);
  only_if(Dropped::kHidden, activations.hidden);
  only_if(Dropped::kMiddle, activations.middle);
  only_if(Dropped::kResults, activations.results);
  return shares;
}

namespace {

/// Layers that have to drop a kind that frees `bytes` in each, so that all free `lacking` more.
double layers_that_drop(double lacking, double bytes, double in_flight) {
  return std::ceil((lacking / bytes + 1) / in_flight);
}

/// The cost of one choice that is enough: kinds that free the most for their cost go first. An
/// upper bound of the cheapest; infinite if the last of them can't be divided by layers.
double cost_of_cheapest_first(const std::array<DropOption, kDroppedKinds>& options, double layers,
                              double in_flight, double needed) {
  const double times = layers * in_flight - 1;
  std::array<std::size_t, kDroppedKinds> order{};
  std::size_t size = 0;
  for (std::size_t kind = 0; kind < kDroppedKinds; ++kind) {
    if (!(options[kind].bytes > 0)) continue;
    const auto later = [&](std::size_t other) {
      return options[other].cost * options[kind].bytes > options[kind].cost * options[other].bytes;
    };
    std::size_t place = size++;
    for (; place > 0 && later(order[place - 1]); --place) order[place] = order[place - 1];
    order[place] = kind;
  }
  double cost = 0;
  double lacking = needed;
  for (std::size_t i = 0; i < size; ++i) {
    const DropOption& option = options[order[i]];
    const double some = layers_that_drop(lacking, option.bytes, in_flight);
    if (some <= layers) return cost + std::fmax(some, 0) * option.cost;
    cost += option.cost * layers;
    lacking -= option.bytes * times;
  }
  return HUGE_VAL;
}

/// Goes through the sets of kinds, as binary numbers go up, for the cheapest choice.
class CheapestDrops {
 public:
  CheapestDrops(const std::array<DropOption, kDroppedKinds>& options, double layers,
                double in_flight, double needed)
      : options_(options),
        layers_(layers),
        in_flight_(in_flight),
        times_(layers * in_flight - 1),
        needed_(needed),
        enough_(kFarMore * cost_of_cheapest_first(options, layers, in_flight, needed)) {
    for (std::size_t kind = 0; kind < kDroppedKinds; ++kind) {
      const double frees = std::fmax(options[kind].bytes, 0) * times_;
      up_to_[kind + 1] = up_to_[kind] + frees;
      largest_ = std::fmax(largest_, frees);
    }
  }

  const DroppedShares& choose() {
    go_through(kDroppedKinds, 0, 0, 0);
    return best_;
  }

 private:
  static constexpr double kFarMore = 1 + 1e-9;

  /// The sets that have of the kinds from `above` on those in `set`, which free and cost so much.
  void go_through(std::size_t above, unsigned set, double freed, double cost) {
    if (cost >= least_ || cost > enough_) return;
    // All kinds below, and a part of one more, are not enough.
    if (needed_ - freed > kFarMore * (up_to_[above] + largest_)) return;
    if (above == 0) return try_with_one_more(set, freed, cost);
    const std::size_t kind = above - 1;
    go_through(kind, set, freed, cost);
    const DropOption& option = options_[kind];
    if (!(option.bytes > 0)) return;
    go_through(kind, set | 1u << kind, freed + option.bytes * times_, cost + option.cost * layers_);
  }

  void try_with_one_more(unsigned set, double freed, double cost) {
    const double lacking = needed_ - freed;
    for (std::size_t kind = 0; kind < kDroppedKinds; ++kind) {
      const double bytes = options_[kind].bytes;
      if (((set >> kind) & 1u) != 0 || bytes <= 0) continue;
      // Seen without a division where it is far from enough.
      if (lacking > kFarMore * bytes * times_) continue;
      const double some = layers_that_drop(lacking, bytes, in_flight_);
      if (some > layers_) continue;
      const double total = cost + std::fmax(some, 0) * options_[kind].cost;
      if (total >= least_) continue;
      least_ = total;
      for (std::size_t other = 0; other < kDroppedKinds; ++other)
        best_[other] = (set >> other) & 1u;
      best_[kind] = std::fmax(some, 0) / layers_;
    }
  }

  const std::array<DropOption, kDroppedKinds>& options_;
  double layers_, in_flight_;
  double times_;  ///< that each is gone: each is there once
  double needed_;
  double enough_;                                  ///< the cost of a choice that is known
  std::array<double, kDroppedKinds + 1> up_to_{};  ///< bytes that the kinds below free
  double largest_ = 0;
  double least_ = 1e300;
  DroppedShares best_{};
};

}  // namespace

DroppedShares cheapest_drops(const std::array<DropOption, kDroppedKinds>& options, double layers,
                             double in_flight, double needed) {
  DroppedShares best{};
  if (needed <= 0) return best;
  const double times = layers * in_flight - 1;  // each is there once
  double all = 0;
  for (const DropOption& option : options) all += option.bytes * times;
  if (all < needed) {
    best.fill(1);
    return best;
  }
  return CheapestDrops(options, layers, in_flight, needed).choose();
}

}  // namespace scaling
