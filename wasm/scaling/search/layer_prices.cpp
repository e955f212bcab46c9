// SPDX-License-Identifier: MIT
#include "scaling/search/layer_prices.hpp"

#include <cmath>

#include "scaling/training/layer_work.hpp"

namespace scaling {

namespace {

/// Kernels see of micro-batch and context ways only how many sequences a chip has of both.
double sequences_of(const StepInput<double>& in) {
  return in.layout.micro_batch.value() / in.layout.context.value();
}

}  // namespace

[[gnu::noinline]] LayerPrices::Entry& LayerPrices::entry_of(const StepInput<double>& in,
                                                            const LayerPattern::Counts& kinds,
                                                            double sequences) {
  const auto& layout = in.layout;
  const Key key{
      {sequences, layout.expert.value(), layout.tensor.value(), layout.expert_tensor.value()},
      kinds};
  // Without a pattern, kinds tell nothing.
  const std::size_t size = in.model.pattern.empty() ? sizeof key.of : sizeof key;
  return entries_.find(
      key, [] { return Entry{}; }, size);
}

LayerSeconds LayerPrices::seconds(const StepInput<double>& asked, const LayerPattern::Counts& kinds,
                                  bool lower) {
  const double sequences = sequences_of(asked);
  Entry& entry = entry_of(asked, kinds, sequences);
  if (!entry.has_seconds) set_seconds(entry, asked);
  LayerSeconds result = entry.seconds;
  if (!lower || entry.has_price) return result;
  // At full rates no sequence takes less than one of very many, as all read the same weights.
  const double many =
      std::fmax(sequences, (asked.run.batch_tokens / asked.run.sequence_length).value());
  Entry& entry_of_many = entry_of(asked, kinds, many);
  if (!entry_of_many.has_price) {
    Layout<double> layout = asked.layout;
    layout.micro_batch = layout.context * many;
    price(entry_of_many, StepInput<double>(asked, layout));
  }
  const LayerSeconds& of_many = entry_of_many.seconds;
  const double share = sequences / many;
  result.dense_lower = share * of_many.dense_lower;
  result.sparse_lower = share * of_many.sparse_lower;
  result.head_lower = share * of_many.head_lower;
  return result;
}

void LayerPrices::set_seconds(Entry& entry, const StepInput<double>& asked) {
  if (!asked.measured()) {
    price(entry, asked);
    return;
  }
  ++made_;
  StepInput<double> in = asked;
  in.matmuls = &matmuls_;
  entry.seconds = LayerSeconds(layer_work(in, WorkOf::kExpected), ends_work(in, WorkOf::kExpected));
  entry.has_seconds = true;
}

const LayerPrice& LayerPrices::find(const StepInput<double>& asked,
                                    const LayerPattern::Counts& kinds) {
  return price(entry_of(asked, kinds, sequences_of(asked)), asked);
}

[[gnu::noinline]] const LayerPrice& LayerPrices::price(Entry& entry,
                                                       const StepInput<double>& asked) {
  LayerPrice& price = entry.price;
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
