// SPDX-License-Identifier: MIT
#include "scaling/search/layer_prices.hpp"

#include <cstdint>
#include <cstring>

#include "scaling/training/layer_time.hpp"

namespace scaling {

LayerPrices::Key LayerPrices::key_of(const StepInput<double>& in,
                                     const LayerPattern::Counts& kinds) {
  const auto& layout = in.layout;
  // Kernels see of micro-batch and context ways only how many sequences a chip has of both.
  return {{layout.micro_batch.value() / layout.context.value(), layout.expert.value(),
           layout.tensor.value(), layout.expert_tensor.value()},
          kinds};
}

std::size_t LayerPrices::hash_of(const Key& key) {
  std::uint64_t hash = 0;
  const auto add = [&](std::uint64_t bits) {
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  };
  std::array<std::uint64_t, sizeof key.of / 8> of;
  std::memcpy(of.data(), key.of.data(), sizeof of);
  std::array<std::uint64_t, sizeof key.kinds / 8> kinds;
  std::memcpy(kinds.data(), key.kinds.data(), sizeof kinds);
  for (const std::uint64_t bits : of) add(bits);
  for (const std::uint64_t bits : kinds) {
    if (bits != 0) add(bits);
  }
  return static_cast<std::size_t>(hash ^ hash >> 32);
}

template <class Price, std::size_t kRows>
template <class Make>
const Price& LayerPrices::Table<Price, kRows>::find(const Key& wanted, std::size_t hash,
                                                    Make make) {
  Row& row = rows[hash % kRows];
  for (std::size_t i = 0; i < kEntries; ++i) {
    if (row.keys[i] == wanted) return row.prices[i];
  }
  const std::size_t place = row.next++ % kEntries;
  row.keys[place] = wanted;
  return row.prices[place] = make();
}

LayerSeconds LayerPrices::seconds(const StepInput<double>& asked,
                                  const LayerPattern::Counts& kinds) {
  const Key key = key_of(asked, kinds);
  return seconds_.find(key, hash_of(key), [&]() -> LayerSeconds {
    ++made_;
    StepInput<double> in = asked;
    in.matmuls = &matmuls_;
    if (!in.measured()) return LayerSeconds(layer_work<double>(in), ends_work<double>(in));
    LayerWork<double> layers;
    set_measured_times<double>(layers, in);
    EndsWork<double> ends;
    set_measured_times<double>(ends, in);
    return LayerSeconds(layers, ends);
  });
}

const LayerPrice& LayerPrices::find(const StepInput<double>& asked,
                                    const LayerPattern::Counts& kinds) {
  const Key key = key_of(asked, kinds);
  return prices_.find(key, hash_of(key), [&]() -> LayerPrice {
    ++made_;
    StepInput<double> in = asked;
    in.matmuls = &matmuls_;
    LayerPrice price{};
    price.layers.work = layer_work<double>(in);
    set_activations<double>(price.layers, in);
    price.ends = ends_work<double>(in);
    return price;
  });
}

}  // namespace scaling
