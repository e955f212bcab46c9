// SPDX-License-Identifier: MIT
#include "scaling/serving/weights.hpp"

#include "scaling/model/kinds/feed_forward.hpp"
#include "scaling/model/kinds/matrices.hpp"
#include "scaling/model/transformer.hpp"
#include "scaling/quantity/logarithm.hpp"

namespace scaling {
namespace {

template <class R>
Quantity<kByte, R> bytes(Count<R> numbers, double each) {
  return numbers * constant<kByte, R>(each);
}

/// Adds the model that makes drafts, unless modules of its own do: decoding reads the bytes that a
/// token passes through, so that a share of a step is that share of these.
template <class R>
void add_drafts(const ServingInput<R>& in, Quantity<kByte, R> read, WeightBytes<R>& weights) {
  if (!(in.serving.draft_tokens.value() > 0) || in.model.mtp_modules.value() > 0) return;
  weights.drafts = in.serving.draft_cost * read;
}

}  // namespace

template <class R>
Quantity<kByte, R> matrix_bytes(WeightFormat format, Count<R> rows, Count<R> columns,
                                Count<R> group, ZeroPoints zeros) {
  const auto numbers = rows * columns;
  switch (format) {
    case WeightFormat::kBf16:
      return bytes(numbers, 2);
    case WeightFormat::kFp8:
      return bytes(numbers, 1);
    case WeightFormat::kFp8Block:
      return bytes(numbers, 1) +
             bytes(ceil(rows / scalar<R>(128)) * ceil(columns / scalar<R>(128)), 4);
    case WeightFormat::kInt8:
      return bytes(numbers, 1) + bytes(columns, 2);
    case WeightFormat::kInt4: {
      auto groups = ceil(rows / group);
      double each = 2;
      if (zeros == ZeroPoints::kSixteen) {
        const double multiple = group.value() >= 128 ? 8 : group.value() >= 64 ? 16 : 32;
        groups = scalar<R>(multiple) * ceil(groups / scalar<R>(multiple));
        each = 4;
      }
      if (zeros == ZeroPoints::kFour) each = 2.5;
      return bytes(numbers, 0.5) + bytes(groups * columns, each);
    }
    case WeightFormat::kMxfp4:
      return bytes(numbers, 0.5 + 1.0 / 32);
    case WeightFormat::kNvfp4:
      break;
  }
  return bytes(numbers, 0.5 + 1.0 / 16);
}

template <class R>
WeightBytes<R> weight_bytes(const ServingInput<R>& in) {
  const auto& model = in.model;
  const auto& server = in.server;
  if (model.stated_parameters.present()) {
    // One matrix of a column: its scales are those of as many groups.
    WeightBytes<R> all{};
    const auto numbers = as<kOne>(model.stated_parameters.value);
    const WeightFormat format = server.weights;
    all.feed_forward =
        format == WeightFormat::kInt8 || format == WeightFormat::kFp8Block ? bytes(numbers, 1)
        : format == WeightFormat::kInt4 && server.zeros == ZeroPoints::kNone
            ? bytes(numbers, 0.5)
            : matrix_bytes(format, numbers, scalar<R>(1), server.group_size, server.zeros);
    add_drafts(in, all.feed_forward, all);
    return all;
  }
  const auto counted = layer_parameters(model);
  const auto& mix = in.mix;
  const auto& moe = mix.with_experts;
  const auto& dense = mix.without_experts;
  const auto& hidden = model.hidden;

  struct Sum {
    const Server<R>& server;
    WeightFormat format;
    Quantity<kByte, R> bytes{};
    Count<R> numbers{};

    void add(Count<R> rows, Count<R> columns, Count<R> copies) {
      bytes = bytes + copies * matrix_bytes(format, rows, columns, server.group_size, server.zeros);
      numbers = numbers + copies * rows * columns;
    }
  };
  const auto one = scalar<R>(1);
  const auto attention_format = format_of_part(server.attention_weights, server.weights);
  Quantity<kByte, R> attention_bytes{};
  Count<R> attention_numbers{};
  for (const MixerGroup<R>& group : mix.mixers()) {
    Sum sum{server, attention_format};
    const MixerMatrices<R> matrices(model, group);
    for (const MixerMatrix<R>& each : matrices.items()) {
      sum.add(each.rows, each.columns, each.copies);
    }
    const bool all = mix.mixers().size() == 1;
    attention_bytes = all ? group.layers * sum.bytes : attention_bytes + group.layers * sum.bytes;
    attention_numbers =
        all ? sum.numbers : attention_numbers + group.layers / mix.layers * sum.numbers;
    if (all && group.layers < mix.layers) {
      attention_numbers = group.layers / mix.layers * sum.numbers;
    }
  }

  const auto inputs = scalar<R>(model.gated_feed_forward ? 2 : 1);
  Quantity<kByte, R> feed_forward_bytes{};
  Count<R> feed_forward_numbers{};
  Sum shared{server, server.weights};
  Sum experts{server, format_of_part(server.expert_weights, server.weights)};
  for (const DenseGroup<R>& group : mix.dense()) {
    if (!(group.layers.value() > 0)) continue;
    Sum sum{server, server.weights};
    sum.add(hidden, group.width, inputs);
    sum.add(group.width, hidden, one);
    const bool all = mix.dense().size() == 1;
    feed_forward_bytes =
        all ? group.layers * sum.bytes : feed_forward_bytes + group.layers * sum.bytes;
    const bool each = all && !(group.layers < dense);
    feed_forward_numbers =
        each ? sum.numbers : feed_forward_numbers + group.layers / dense * sum.numbers;
  }
  if (moe.value() > 0) {
    const auto width = expert_inputs(model);
    experts.add(width, model.expert_feed_forward, inputs * model.experts);
    experts.add(model.expert_feed_forward, width, model.experts);
    if (model.shared_experts.value() > 0) {
      const auto of_shared = shared_expert_width(model);
      shared.add(hidden, of_shared, inputs * model.shared_experts);
      shared.add(of_shared, hidden, model.shared_experts);
    }
    if (model.expert_latent.value() > 0) {
      shared.add(hidden, model.expert_latent, one);
      shared.add(model.expert_latent, hidden, one);
    }
    if (model.dense_beside_experts.value() > 0) {
      shared.add(hidden, model.dense_beside_experts, inputs);
      shared.add(model.dense_beside_experts, hidden, one);
    }
  }
  Sum ends{server, format_of_part(server.head_weights, server.weights)};
  ends.add(hidden, model.vocabulary, one);

  WeightBytes<R> result{};
  result.attention = attention_bytes;
  result.feed_forward = feed_forward_bytes + moe * shared.bytes;
  result.experts = moe * experts.bytes;
  result.ends = (model.tied_embeddings ? 1.0 : 2.0) * ends.bytes;
  auto others = model.layers * (as<kOne>(counted.attention + counted.norms) - attention_numbers) +
                dense * (as<kOne>(counted.feed_forward) - feed_forward_numbers) +
                moe * (as<kOne>(counted.router + counted.shared + counted.experts) -
                       shared.numbers - experts.numbers) +
                as<kOne>(counted.ends_norms + counted.positions);
  if (model.per_layer_input.value() > 0) {
    others = others + per_layer_projection(model);
    result.lookups = bytes(per_layer_table(model), 2);
  }
  result.rest = bytes(max(others, Count<R>{}), 2);
  if (in.serving.draft_tokens.value() > 0 && model.mtp_modules.value() > 0) {
    result.rest = result.rest + bytes(as<kOne>(count_parameters(model).mtp), 2);
  }
  if (moe.value() > 0) {
    if (server.redundant_experts.value() > 0) {
      result.redundant = result.experts * server.redundant_experts / model.experts;
    }
    const auto used = model.experts_per_token / model.experts;
    add_drafts(in, result.total() - (scalar<R>(1) - used) * result.experts, result);
  } else {
    add_drafts(in, result.total(), result);
  }
  result.attention = named<term::kBytesAttention>(result.attention);
  result.feed_forward = named<term::kBytesFeedForward>(result.feed_forward);
  result.experts = named<term::kBytesExperts>(result.experts);
  result.ends = named<term::kBytesEnds>(result.ends);
  result.rest = named<term::kBytesRest>(result.rest);
  return result;
}

template <class R>
Quantity<kByte, R> weights_of_chip(const WeightBytes<R>& weights, const ServerWays<R>& ways) {
  auto shared = weights.attention + weights.feed_forward + weights.ends + weights.rest;
  if (weights.lookups.value() > 0) shared = shared + weights.lookups;
  if (weights.drafts.value() > 0) shared = shared + weights.drafts;
  auto experts = weights.experts;
  if (weights.redundant.value() > 0) experts = experts + weights.redundant;
  return (shared / ways.tensor + experts / (ways.tensor * ways.data)) / ways.pipeline;
}

template <class R>
ReadWeights<R> read_weights(const ServingInput<R>& in, const WeightBytes<R>& weights) {
  const auto head = in.model.tied_embeddings ? weights.ends : weights.ends / 2.0;
  return {weights.attention + weights.feed_forward + head + weights.rest, weights.experts};
}

template <class R>
Count<R> active_parameters(const Model<R>& model) {
  if (model.stated_active_parameters.present()) {
    return as<kOne>(model.stated_active_parameters.value);
  }
  if (model.stated_parameters.present()) return as<kOne>(model.stated_parameters.value);
  return as<kOne>(count_parameters(model).active);
}

template <class R>
Count<R> reached_experts(Count<R> experts, Count<R> chosen, Count<R> tokens) {
  if (chosen.value() >= experts.value()) return experts;
  const auto kept = experts / (experts - chosen);
  const auto grown = scalar<R>(1) + exp_minus_one(tokens * logarithm(kept));
  return experts - experts / grown;
}

template Quantity<kByte, SCALING_REP> matrix_bytes(WeightFormat, Count<SCALING_REP>,
                                                   Count<SCALING_REP>, Count<SCALING_REP>,
                                                   ZeroPoints);
template WeightBytes<SCALING_REP> weight_bytes(const ServingInput<SCALING_REP>&);
template Quantity<kByte, SCALING_REP> weights_of_chip(const WeightBytes<SCALING_REP>&,
                                                      const ServerWays<SCALING_REP>&);
template ReadWeights<SCALING_REP> read_weights(const ServingInput<SCALING_REP>&,
                                               const WeightBytes<SCALING_REP>&);
template Count<SCALING_REP> active_parameters(const Model<SCALING_REP>&);
template Count<SCALING_REP> reached_experts(Count<SCALING_REP>, Count<SCALING_REP>,
                                            Count<SCALING_REP>);

}  // namespace scaling
