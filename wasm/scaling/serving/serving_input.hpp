// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include "scaling/hardware/kernel_time.hpp"
#include "scaling/input/chip.hpp"
#include "scaling/input/model.hpp"
#include "scaling/input/server.hpp"
#include "scaling/input/serving.hpp"
#include "scaling/model/kernels/kernel.hpp"
#include "scaling/serving/conversation.hpp"
#include "scaling/serving/served_layers.hpp"
#include "scaling/serving/serving_constants.hpp"

namespace scaling {

class StepMemo;

/// Whether matmuls compute in integers of 8 bits with a scale for each block of them. A chip that
/// multiplies no integers widens weights.
template <class R>
bool computes_in_blocks(const Chip<R>& chip, const Server<R>& server) {
  return server.compute_in == ComputeIn::kInt8Blocks && chip.peak(Format::kInt8).present();
}

/// The format in which a server has the weights of a class.
template <class R>
WeightFormat format_of(const Server<R>& server, FormatClass weights) {
  switch (weights) {
    case FormatClass::kAttention:
      return format_of_part(server.attention_weights, server.weights);
    case FormatClass::kExpert:
      return format_of_part(server.expert_weights, server.weights);
    case FormatClass::kHead:
      return format_of_part(server.head_weights, server.weights);
    case FormatClass::kSixteenBit:
      return WeightFormat::kBf16;
    case FormatClass::kDense:
      break;
  }
  return server.weights;
}

/// The bits of a weight of a class in memory, where they are told apart from its format: a part
/// with a format of its own keeps that.
template <class R>
Maybe<Count<R>> stored_bits(const Server<R>& server, FormatClass weights) {
  const auto of_all = [&](PartFormat part) {
    return part == PartFormat::kAsWeights ? server.weight_bits : Maybe<Count<R>>{};
  };
  switch (weights) {
    case FormatClass::kAttention:
      return of_all(server.attention_weights);
    case FormatClass::kExpert:
      return server.expert_bits.present() ? server.expert_bits : of_all(server.expert_weights);
    case FormatClass::kHead:
      return of_all(server.head_weights);
    case FormatClass::kSixteenBit:
      return {};
    case FormatClass::kDense:
      break;
  }
  return server.weight_bits;
}

/// The bytes that a kernel reads for a weight of a class; 0: those of its format.
template <class R>
Quantity<kByte, R> stored_weight(const Server<R>& server, FormatClass weights) {
  const auto bits = stored_bits(server, weights);
  if (!bits.present()) return {};
  return bits.value * constant<kByte, R>(0.125);
}

/// The chip as the kernels of a server find it: weights in integers compute at its rate for them.
template <class R>
KernelChip<R> serving_kernels(const Chip<R>& chip, const Server<R>& server,
                              const KernelRates& rates);

/// The chip as the transfers of a server find it: chips without a network of their own, neither
/// inside a server nor beyond, talk through its host.
template <class R>
Chip<R> linked_chip(const Chip<R>& chip);

/// The input of serving's formulas, and what they ask of its model and chip again and again. Holds
/// references: what it is made of must outlive it.
template <class R>
struct ServingInput {
  const Chip<R>& chip;
  const Model<R>& model;
  const Serving<R>& serving;
  const Server<R>& server;
  const ServingConstants& constants;
  const KernelRates& kernels;
  const ServedLayers<R> layers;      ///< of the model
  const KernelChip<R> kernels_chip;  ///< the chip as its kernels find it
  const Chip<R> links;               ///< the chip as its transfers find it
  FoundPrefix<R> prefix{};           ///< of conversations, by the memory that it is found in
  Count<R> found;                    ///< share of prompts, as if caches had room for all
  StepMemo* memo = nullptr;          ///< of a search, on plain numbers

  template <class Input>
  explicit ServingInput(const Input& in, const ServingConstants& given = kServingConstants)
      : chip(in.chip),
        model(in.model),
        serving(in.serving),
        server(in.server),
        constants(given),
        kernels(kernel_rates(in.chip.generation)),
        layers(served_layers(in.model)),
        kernels_chip(serving_kernels(chip, server, kernels)),
        links(linked_chip(chip)),
        found(findable_share(in.serving)) {}

  /// Finds of prompts what the caches of these servers have room for.
  void find_prefixes(const WeightBytes<R>& weights) {
    if (!serving.in_turns()) return;
    prefix = found_prefix(*this, weights);
    found = named<term::kPrefixFound>(prefix.all());
  }

  bool measured() const { return server.rates == RatesFrom::kMeasured; }
};

/// Experts that expert ways divide: the model's, and redundant copies of some.
template <class R>
Count<R> held_experts(const ServingInput<R>& in) {
  const auto& copies = in.server.redundant_experts;
  return copies.value() > 0 ? in.model.experts + copies : in.model.experts;
}

/// The division of the chips that a step runs on.
template <class R>
struct ServerWays {
  Count<R> tensor, data, expert, pipeline;

  /// Tensor ways of an expert.
  Count<R> expert_tensor() const { return tensor * data / expert; }
  Count<R> chips() const { return tensor * data * pipeline; }
};

/// The work of servers: those that answer also prefill, unless that is apart.
enum class ServerRole : std::uint8_t { kAnswers, kPrefills };

/// Servers of one role.
template <class R>
struct Servers {
  ServerRole role;
  ServerWays<R> ways;
  Quantity<kChip, R> chips;  ///< of all of them

  /// How many there are.
  double count() const {
    const double whole = std::floor(chips.value() / ways.chips().value());
    return whole > 1 ? whole : 1;
  }
};

template <class R>
Servers<R> servers_of(const Serving<R>& serving, ServerRole role) {
  const bool prefill = serving.apart && role == ServerRole::kPrefills;
  const ServerWays<R> ways = prefill ? ServerWays<R>{serving.prefill_tensor, serving.prefill_data,
                                                     serving.prefill_expert, Count<R>(R(1))}
                                     : ServerWays<R>{serving.tensor, serving.attention_data,
                                                     serving.expert, serving.pipeline};
  if (!serving.apart) return {role, ways, serving.chips};
  return {role, ways, prefill ? serving.prefill_chips : serving.chips - serving.prefill_chips};
}

/// The ways of servers that decode, or do both.
template <class R>
ServerWays<R> answering_ways(const Serving<R>& serving) {
  return servers_of(serving, ServerRole::kAnswers).ways;
}

}  // namespace scaling
