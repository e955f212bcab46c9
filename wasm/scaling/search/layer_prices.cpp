// SPDX-License-Identifier: MIT
#include "scaling/search/layer_prices.hpp"

#include <cmath>

#include "scaling/quantity/hash.hpp"
#include "scaling/training/layer_work.hpp"

namespace scaling {

namespace {

/// Kernels see of micro-batch and context ways only how many sequences a chip has of both.
double sequences_of(const StepInput<double>& in) {
  return in.layout.micro_batch.value() / in.layout.context.value();
}

}  // namespace

[[gnu::noinline]] std::size_t LayerPrices::place_of(const StepInput<double>& in,
                                                    const LayerPattern::Counts& kinds,
                                                    double sequences) {
  const auto& layout = in.layout;
  const Key wanted{
      {sequences, layout.expert.value(), layout.tensor.value(), layout.expert_tensor.value()},
      kinds};
  // Without a pattern, kinds tell nothing.
  const std::size_t size = in.model.pattern.empty() ? sizeof wanted.of : sizeof wanted;
  const std::size_t at = hash_bytes(&wanted, size) % kRows;
  Row& row = rows_[at];
  for (std::size_t i = 0; i < kEntries; ++i) {
    if (same_bytes(&row.keys[i], &wanted, size)) return at * kEntries + i;
  }
  const std::size_t i = row.next++ % kEntries;
  row.keys[i] = wanted;
  entries_[at * kEntries + i] = {};
  return at * kEntries + i;
}

LayerSeconds LayerPrices::seconds(const StepInput<double>& asked, const LayerPattern::Counts& kinds,
                                  bool lower) {
  const double sequences = sequences_of(asked);
  const std::size_t place = place_of(asked, kinds, sequences);
  Entry& entry = entries_[place];
  if (!entry.has_seconds) set_seconds(place, asked);
  LayerSeconds result = entry.seconds;
  if (!lower || entry.has_price) return result;
  // At full rates no sequence takes less than one of very many, as all read the same weights.
  const double many =
      std::fmax(sequences, (asked.run.batch_tokens / asked.run.sequence_length).value());
  const std::size_t place_of_many = place_of(asked, kinds, many);
  if (!entries_[place_of_many].has_price) {
    Layout<double> layout = asked.layout;
    layout.micro_batch = layout.context * many;
    price(place_of_many, StepInput<double>(asked, layout));
  }
  const LayerSeconds& of_many = entries_[place_of_many].seconds;
  const double share = sequences / many;
  result.dense_lower = share * of_many.dense_lower;
  result.sparse_lower = share * of_many.sparse_lower;
  result.head_lower = share * of_many.head_lower;
  return result;
}

void LayerPrices::set_seconds(std::size_t place, const StepInput<double>& asked) {
  if (!asked.measured()) {
    price(place, asked);
    return;
  }
  ++made_;
  StepInput<double> in = asked;
  in.matmuls = &matmuls_;
  entries_[place].seconds =
      LayerSeconds(layer_work(in, WorkOf::kExpected), ends_work(in, WorkOf::kExpected));
  entries_[place].has_seconds = true;
}

const LayerPrice& LayerPrices::find(const StepInput<double>& asked,
                                    const LayerPattern::Counts& kinds) {
  return price(place_of(asked, kinds, sequences_of(asked)), asked);
}

[[gnu::noinline]] const LayerPrice& LayerPrices::price(std::size_t place,
                                                       const StepInput<double>& asked) {
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
