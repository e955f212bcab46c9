// SPDX-License-Identifier: MIT
//
// Shared by the tests of kinds of layers: counts of a model as the core has them.
#pragma once

#include "kind_models.hpp"
#include "scaling/model/transformer.hpp"

namespace scaling::test::kind_counts {

/// Parameters of all layers and of what lies around them, added up part by part.
inline double sum_of_parts(const Raw<Model>& raw) {
  const auto model = typed(raw);
  const auto parts = layer_parameters(model);
  const auto ends = end_parameters(model);
  const auto moe = moe_layers(model);
  const auto dense = model.layers - moe;
  const auto tied = model.tied_embeddings ? 1.0 : 2.0;
  const auto sum = (parts.attention + parts.norms) * model.layers + parts.feed_forward * dense +
                   (parts.router + parts.shared + parts.experts) * moe + tied * ends.head +
                   ends.norms + ends.own_inputs + ends.own_projection;
  return sum.value();
}

/// Bytes of the cache of a sequence of `tokens` tokens, in bf16.
inline double cache_at(const Raw<Model>& model, double tokens) {
  return cache_of_sequence(typed(model), Format::kBf16, Count<double>(tokens)).value();
}

/// Bytes of the state of a sequence, with inputs of convolutions in bf16.
inline double state_of(const Raw<Model>& model) {
  return state_of_sequence(typed(model), Format::kBf16).value();
}

/// FLOPs of a token without weights, where each token sees `length` tokens.
inline double products_at(const Raw<Model>& model, double length) {
  const auto run = typed(make<Run>(
      {{"sequenceLength", length}, {"batchTokens", 1e9}, {"attentionMask", AttentionMask::kFull}}));
  const auto of = typed(model);
  return count_token_flops(of, count_parameters(of), run).attention.value();
}

}  // namespace scaling::test::kind_counts
