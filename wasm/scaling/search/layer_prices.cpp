// SPDX-License-Identifier: MIT
#include "scaling/search/layer_prices.hpp"

#include <cstdint>
#include <cstring>

namespace scaling {

std::size_t LayerPrices::hash_of(const Key& key) {
  std::uint64_t hash = 0;
  for (const double number : key.of) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  }
  for (const std::uint16_t count : key.kinds) hash = (hash ^ count) * 0x9e3779b97f4a7c15;
  return static_cast<std::size_t>(hash ^ hash >> 32);
}

const LayerPrice& LayerPrices::find(const StepInput<double>& in,
                                    const LayerPattern::Counts& kinds) {
  const auto& layout = in.layout;
  // Kernels see of micro-batch and context ways only how many sequences a chip has of both.
  const Key wanted{{layout.micro_batch.value() / layout.context.value(), layout.expert.value(),
                    layout.tensor.value(), layout.expert_tensor.value()},
                   kinds};
  Row& row = rows_[hash_of(wanted) % rows_.size()];
  for (std::size_t i = 0; i < kEntries; ++i) {
    if (row.keys[i] == wanted) return row.prices[i];
  }
  ++made_;
  const std::size_t place = row.next++ % kEntries;
  row.keys[place] = wanted;
  LayerPrice& price = row.prices[place];
  price.layers.work = layer_work<double>(in);
  set_activations<double>(price.layers, in);
  price.ends = ends_work<double>(in);
  price.seconds = LayerSeconds(price.layers.work, price.ends);
  return price;
}

}  // namespace scaling
