// SPDX-License-Identifier: MIT
#include "scaling/search/layer_prices.hpp"

#include "scaling/quantity/hash.hpp"
#include "scaling/training/layer_time.hpp"

namespace scaling {

std::size_t LayerPrices::place_of(const StepInput<double>& in, const LayerPattern::Counts& kinds) {
  const auto& layout = in.layout;
  // Kernels see of micro-batch and context ways only how many sequences a chip has of both.
  const Key wanted{{layout.micro_batch.value() / layout.context.value(), layout.expert.value(),
                    layout.tensor.value(), layout.expert_tensor.value()},
                   kinds};
  // Without a pattern, kinds tell nothing.
  const bool plain = in.model.pattern.empty();
  const std::size_t at = hash_bytes(&wanted, plain ? sizeof wanted.of : sizeof wanted) % kRows;
  Row& row = rows_[at];
  for (std::size_t i = 0; i < kEntries; ++i) {
    if (same_bytes(&row.keys[i], &wanted, sizeof wanted)) return at * kEntries + i;
  }
  const std::size_t i = row.next++ % kEntries;
  row.keys[i] = wanted;
  entries_[at * kEntries + i] = {};
  return at * kEntries + i;
}

LayerSeconds LayerPrices::seconds(const StepInput<double>& asked, const LayerPattern::Counts& kinds,
                                  bool lower) {
  Entry& entry = entries_[place_of(asked, kinds)];
  if (entry.has_price || (entry.has_seconds && !lower)) return entry.seconds;
  if (lower || !asked.measured()) {
    find(asked, kinds);
    return entry.seconds;
  }
  ++made_;
  StepInput<double> in = asked;
  in.matmuls = &matmuls_;
  LayerWork<double> layers;
  EndsWork<double> ends;
  set_measured_times<double>(layers, in);
  set_measured_times<double>(ends, in);
  entry.seconds = LayerSeconds(layers, ends);
  entry.has_seconds = true;
  return entry.seconds;
}

const LayerPrice& LayerPrices::find(const StepInput<double>& asked,
                                    const LayerPattern::Counts& kinds) {
  const std::size_t place = place_of(asked, kinds);
  LayerPrice& price = prices_[place];
  Entry& entry = entries_[place];
  if (entry.has_price) return price;
  ++made_;
  StepInput<double> in = asked;
  in.matmuls = &matmuls_;
  price.layers.work = layer_work<double>(in);
  set_activations<double>(price.layers, in);
  price.ends = ends_work<double>(in);
  entry.seconds = LayerSeconds(price.layers.work, price.ends);
  entry.has_seconds = entry.has_price = true;
  return price;
}

}  // namespace scaling
