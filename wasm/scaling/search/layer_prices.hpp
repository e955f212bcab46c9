// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/search/layout_bounds.hpp"
#include "scaling/training/matmul_times.hpp"

namespace scaling {

/// The time of a layer of each kind for a micro-batch, the bytes that it keeps, and both ends of
/// the model.
struct LayerPrice {
  LayerCost<double> layers;  ///< but for context
  EndsWork<double> ends;
};

/// Prices of layers that layouts share: those with as many sequences, experts and tensor ways on a
/// chip. Most layouts ask for no more than the seconds. Keeps nothing on the heap.
class LayerPrices {
 public:
  /// The seconds of the layers of `in`, with a lower bound of those at full rates if `lower` asks
  /// for it; `kinds` tells those of a stage from the average, which has none.
  LayerSeconds seconds(const StepInput<double>& in, const LayerPattern::Counts& kinds, bool lower);
  /// All of their price. Valid until the next call.
  const LayerPrice& find(const StepInput<double>& in, const LayerPattern::Counts& kinds);

  /// Seconds and prices that were made so far, because none was there.
  std::size_t made() const { return made_; }

 private:
  struct Key {
    std::array<double, 4> of{};  ///< sequences on a chip, expert, tensor and expert tensor ways
    LayerPattern::Counts kinds{};
  };
  static_assert(sizeof(Key) == sizeof Key::of + sizeof Key::kinds, "compared by its bytes");
  struct Entry {
    bool has_seconds, has_price;
    LayerSeconds seconds;
    LayerPrice price;
  };

  /// The entry of these layers and so many sequences on a chip; a new one has neither seconds nor a
  /// price.
  Entry& entry_of(const StepInput<double>& in, const LayerPattern::Counts& kinds, double sequences);
  void set_seconds(Entry& entry, const StepInput<double>& in);
  const LayerPrice& price(Entry& entry, const StepInput<double>& in);

  /// Room for the prices that a search of 2,048 chips with 256 experts meets.
  Memo<Key, Entry, 512, 4> entries_;
  MatmulTimes matmuls_;
  std::size_t made_ = 0;
};

}  // namespace scaling
