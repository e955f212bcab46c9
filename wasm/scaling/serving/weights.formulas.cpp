// SPDX-License-Identifier: MIT
#include "scaling/serving/weights.hpp"

#include "scaling/model/kernels/parts.hpp"
#include "scaling/model/tower.hpp"
#include "scaling/model/transformer.hpp"
#include "scaling/quantity/logarithm.hpp"
#include "scaling/serving/host.hpp"

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

/// Sets the part of them that lies in hosts' memory.
template <class R>
void set_host_part(const ServingInput<R>& in, WeightBytes<R>& weights) {
  if (!in.serving.on_host()) return;
  const auto host = host_share(in);
  weights.host_layers = named<term::kHostLayerBytes>(
      host.layers * (weights.attention + weights.feed_forward + weights.rest));
  if (weights.experts.value() > 0) {
    weights.host_experts = named<term::kHostExpertBytes>(host.experts * weights.experts);
  }
}

/// Adds what makes tokens of images.
template <class R>
void add_tower(const Model<R>& model, WeightBytes<R>& weights) {
  if (!model.sees()) return;
  weights.tower = named<term::kTowerBytes>(bytes(as<kOne>(tower_parameters(model)), 2));
}

/// The weights of a list of kernels by the class of their format: matrices with their scales, and
/// all else in 16 bits.
template <class R>
class KernelWeights {
 public:
  KernelWeights(const Server<R>& server, std::span<const Kernel<R>> kernels) : server_(server) {
    for (const Kernel<R>& kernel : kernels) add(kernel);
    add(FormatClass::kSixteenBit, bytes(others_, 2));
  }

  const Quantity<kByte, R>& operator[](FormatClass format) const {
    return of_[static_cast<std::size_t>(format)];
  }
  Quantity<kByte, R> lookups{};  ///< of layers' own inputs

 private:
  void add(const Kernel<R>& kernel) {
    const auto copies = own_or(kernel.copies, one<R>());
    // Latent attention in its absorbed form and a tied head have no weights of their own.
    if (kernel.multiplies() && !kernel.again) {
      add(kernel.format, copies * matrix(kernel.format, kernel.contraction, kernel.outputs));
    }
    if (given(kernel.table)) {
      if (kernel.format == FormatClass::kHead) {
        add(kernel.format, matrix(kernel.format, kernel.written, kernel.table / kernel.written));
      } else {
        lookups = lookups + bytes(kernel.table, 2);
      }
    }
    others_ = others_ + copies * kernel.extras + kernel.norms;
  }
  void add(FormatClass format, Quantity<kByte, R> more) {
    auto& sum = of_[static_cast<std::size_t>(format)];
    sum = sum + more;
  }
  Quantity<kByte, R> matrix(FormatClass format, Count<R> rows, Count<R> columns) const {
    const auto each = stored_weight(server_, format);
    if (each.value() > 0) return rows * columns * each;
    return matrix_bytes(format_of(server_, format), rows, columns, server_.group_size,
                        server_.zeros);
  }

  const Server<R>& server_;
  std::array<Quantity<kByte, R>, kFormatClasses> of_{};
  Count<R> others_{};  ///< norms, biases, positions
};

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
  return bytes(numbers, kNvfp4Width);
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
    const auto each = stored_weight(server, FormatClass::kDense);
    all.feed_forward =
        each.value() > 0                                                     ? numbers * each
        : format == WeightFormat::kInt8 || format == WeightFormat::kFp8Block ? bytes(numbers, 1)
        : format == WeightFormat::kInt4 && server.zeros == ZeroPoints::kNone
            ? bytes(numbers, 0.5)
            : matrix_bytes(format, numbers, scalar<R>(1), server.group_size, server.zeros);
    add_drafts(in, all.feed_forward, all);
    set_host_part(in, all);
    add_tower(model, all);
    return all;
  }
  WeightBytes<R> result{};
  const auto add = [&](Count<R> layers, std::span<const Kernel<R>> kernels) {
    const KernelWeights<R> of(server, kernels);
    result.attention = result.attention + layers * of[FormatClass::kAttention];
    result.feed_forward = result.feed_forward + layers * of[FormatClass::kDense];
    result.experts = result.experts + layers * of[FormatClass::kExpert];
    result.ends = result.ends + layers * of[FormatClass::kHead];
    result.rest = result.rest + layers * of[FormatClass::kSixteenBit];
    result.lookups = result.lookups + layers * of.lookups;
  };
  each_part(model, [&](const LayerPart<R>& part, std::span<const Kernel<R>> kernels) {
    add(part.layers, kernels);
  });
  const auto ends = kernels_of_ends(model);
  add(one<R>(), ends.items());
  if (in.serving.draft_tokens.value() > 0 && model.mtp_modules.value() > 0) {
    result.rest = result.rest + bytes(as<kOne>(count_parameters(model).mtp), 2);
  }
  if (result.experts.value() > 0) {
    if (server.redundant_experts.value() > 0) {
      result.redundant = result.experts * server.redundant_experts / model.experts;
    }
    const auto used = model.experts_per_token / model.experts;
    add_drafts(in, result.total() - (scalar<R>(1) - used) * result.experts, result);
  } else {
    add_drafts(in, result.total(), result);
  }
  add_tower(model, result);
  result.attention = named<term::kBytesAttention>(result.attention);
  result.feed_forward = named<term::kBytesFeedForward>(result.feed_forward);
  result.experts = named<term::kBytesExperts>(result.experts);
  result.ends = named<term::kBytesEnds>(result.ends);
  result.rest = named<term::kBytesRest>(result.rest);
  set_host_part(in, result);
  return result;
}

template <class R>
Quantity<kByte, R> weights_of_chip(const WeightBytes<R>& weights, const ServerWays<R>& ways) {
  auto shared = weights.attention + weights.feed_forward + weights.ends + weights.rest;
  if (weights.lookups.value() > 0) shared = shared + weights.lookups;
  if (weights.drafts.value() > 0) shared = shared + weights.drafts;
  if (weights.host_layers.value() > 0) shared = shared - weights.host_layers;
  if (weights.tower.value() > 0) shared = shared + weights.tower;
  auto experts = weights.experts;
  if (weights.redundant.value() > 0) experts = experts + weights.redundant;
  if (weights.host_experts.value() > 0) experts = experts - weights.host_experts;
  return (shared / ways.tensor + experts / (ways.tensor * ways.data)) / ways.pipeline;
}

template <class R>
ReadWeights<R> read_weights(const ServingInput<R>& in, const WeightBytes<R>& weights) {
  const auto head = in.model.tied_embeddings ? weights.ends : weights.ends / 2.0;
  auto shared = weights.attention + weights.feed_forward + head + weights.rest;
  if (weights.host_layers.value() > 0) shared = shared - weights.host_layers;
  if (!(weights.host_experts.value() > 0)) return {shared, weights.experts};
  return {shared, weights.experts - weights.host_experts};
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
