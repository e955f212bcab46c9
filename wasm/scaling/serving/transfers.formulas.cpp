// SPDX-License-Identifier: MIT
#include "scaling/serving/transfers.hpp"

#include <type_traits>

#include "scaling/serving/computing.hpp"
#include "scaling/serving/step_memo.hpp"

namespace scaling {
namespace {

/// Ranks of attention that gather tokens, at most, where software chooses.
constexpr double kMostGathering = 8;

/// A way of a server's chips, each `stride` apart; on a torus, the axes of a slice of as many.
template <class R>
Way way_of_server(const Chip<R>& chip, double chips, double stride) {
  Way way;
  way.chips = chips;
  way.stride = stride;
  if (chip.network != Network::kTorus) return way;
  const Pod pod = pod_of(chip);
  way.lengths = slice_shape(pod, chips);
  if (way.lengths[0] > 0) {
    way.rings = closed_axes(pod, way.lengths, SingleChip::kShort);
  } else {
    // No slice has so many: a line.
    way.lengths = {chips, 1, 1};
  }
  return way;
}

/// The places of such a way.
template <class R>
Reach<R> reach_of_server(const ServingInput<R>& in, Count<R> chips, Count<R> stride) {
  const auto make = [&] {
    return reach_of(in.links, way_of_server(in.links, chips.value(), stride.value()));
  };
  if constexpr (std::is_same_v<R, double>) {
    if (in.memo != nullptr) return in.memo->reach(chips.value(), stride.value(), make);
  }
  return make();
}

/// A collective of `bytes` of each rank along a way of several chips.
template <class R>
PlacedCollective<R> place_on(const ServingInput<R>& in, CollectiveKind kind,
                             Quantity<kByte, R> bytes, const Reach<R>& way) {
  CollectiveRequest<R> request{};
  request.kind = kind;
  request.bytes = kind == CollectiveKind::kAllToAll ? way.chips * bytes : bytes;
  request.in_network_reduction = in.measured() && kind == CollectiveKind::kAllReduce;
  auto placed = place(in.links, way, request);
  placed.one_ring = true;
  placed.kernel.small = in.server.small_all_reduce && !placed.beyond;
  return placed;
}

/// Its time [s]: as alone, and for the ranks that come late.
template <class R>
Quantity<kSecond, R> time_of(const ServingInput<R>& in, const PlacedCollective<R>& placed) {
  if (!placed.cost.time.present()) return {};
  if (!in.measured()) return placed.cost.bandwidth_time.value / in.server.network_efficiency;
  const auto time = measured_time(in.links, in.kernels_chip, placed).value;
  if (in.links.network != Network::kSwitched) return time;
  return time + seconds_of<R>(in.constants.collective_wait);
}

template <class R>
Quantity<kSecond, R> collective_of(const ServingInput<R>& in, CollectiveKind kind,
                                   Quantity<kByte, R> bytes, const Reach<R>& way) {
  if (way.chips.value() <= 1) return {};
  return time_of(in, place_on(in, kind, bytes, way));
}

/// The times of an AllGather, and of a ReduceScatter, which moves as much the other way.
template <class R>
struct ThereAndBack {
  Quantity<kSecond, R> gather, scatter;
};

template <class R>
ThereAndBack<R> gather_and_scatter(const ServingInput<R>& in, Quantity<kByte, R> bytes,
                                   const Reach<R>& way) {
  auto placed = place_on(in, CollectiveKind::kAllGather, bytes, way);
  const auto gather = time_of(in, placed);
  placed.kernel.kind = CollectiveKind::kReduceScatter;
  return {gather, time_of(in, placed)};
}

/// The format in which tokens go to their experts: as asked, else as experts compute.
template <class R>
Format dispatched_format(const ServingInput<R>& in) {
  switch (in.server.dispatch_format) {
    case DispatchFormat::kBf16:
      return Format::kBf16;
    case DispatchFormat::kFp8:
      return Format::kFp8;
    case DispatchFormat::kNvfp4:
      return Format::kFp4;
    case DispatchFormat::kAsExperts:
      break;
  }
  return computing_of(in, format_of(in.server, FormatClass::kExpert)).activation;
}

/// Bytes of a token that goes to an expert: a format of 8 bits has a scale for each 128 numbers,
/// one of 4 bits a byte for each 16.
template <class R>
Quantity<kByte, R> dispatched_row(const ServingInput<R>& in) {
  const auto width = in.layers.experts.inputs;
  const Format format = dispatched_format(in);
  if (format == Format::kFp4) return width * stored_bytes<R>(Format::kFp4);
  if (format == Format::kFp8 || format == Format::kInt8) {
    return width * (constant<kByte, R>(1) + constant<kByte, R>(4) / 128.0);
  }
  return width * constant<kByte, R>(2);
}

/// The transfer of tokens to their experts, or back, in a step with prompts or without.
template <class R>
Transfer<R> expert_exchange(const ServingInput<R>& in, const ServerWays<R>& ways, bool prompts) {
  const auto inner = ways.expert_tensor();
  const auto make = [&] {
    const auto& chip = in.links;
    const auto& of = kKernelConstants;
    const bool kernels = in.server.expert_dispatch != ExpertDispatch::kAllToAll;
    ExchangeRates rates{prompts || !kernels ? of.exchange_start : of.exchange_quick,
                        of.exchange_near, of.exchange_far};
    if (chip.network == Network::kPcie) rates.near = of.host_link;
    if (chip.network == Network::kTorus) {
      rates = {Constant{}, in.kernels.collective.torus_all_to_all, Constant{1}};
    }
    const ExpertExchange<R> exchange{in.model.experts_per_token, in.model.routed_groups,
                                     kernels && prompts};
    const Way way = way_of_server(chip, ways.expert.value(), inner.value());
    return make_expert_exchange(chip, way, exchange, in.measured() ? &rates : nullptr);
  };
  if constexpr (std::is_same_v<R, double>) {
    if (in.memo != nullptr) {
      return in.memo->exchange(ways.expert.value(), inner.value(), prompts, make);
    }
  }
  return make();
}

template <class R>
Quantity<kByte, R> hidden_states(const ServingInput<R>& in, const StepTokens<R>& tokens) {
  return tokens.all() * in.model.hidden * constant<kByte, R>(2);
}

}  // namespace

template <class R>
Chip<R> linked_chip(const Chip<R>& chip) {
  if (chip.network != Network::kNone || chip.scale_out_bandwidth.present() ||
      !chip.host_bandwidth.present()) {
    return chip;
  }
  auto linked = chip;
  linked.network = Network::kPcie;
  linked.scale_up_chips = constant<kChip, R>(1e6);
  linked.scale_up_bandwidth = chip.host_bandwidth.value;
  return linked;
}

template <class R>
bool gathers_tokens(const ServingInput<R>& in, const ServerWays<R>& ways) {
  if (ways.expert.value() <= 1) return true;
  if (in.server.expert_dispatch == ExpertDispatch::kAllGather) return true;
  if (in.server.expert_dispatch != ExpertDispatch::kUsual) return false;
  return ways.data.value() <= kMostGathering &&
         (ways.tensor * ways.data).value() <= in.links.domain_chips().value();
}

template <class R>
Quantity<kSecond, R> tensor_transfers(const ServingInput<R>& in, const ServerWays<R>& ways,
                                      const StepTokens<R>& tokens) {
  using enum CollectiveKind;
  const auto& model = in.model;
  if (ways.tensor.value() <= 1) return {};
  const auto way = reach_of_server(in, ways.tensor, one<R>());
  const auto state = hidden_states(in, tokens);
  const auto& layers = in.layers;
  // Tensor ranks that hold all experts add what they give to what is beside them; of experts that
  // ranks of attention share, the sum comes back.
  const bool adds = given(layers.experts.layers) && ways.data.value() <= 1;
  const auto sums = adds ? layers.sums + layers.experts.layers : layers.sums;
  auto time = sums * collective_of(in, kAllReduce, state, way);
  if (given(layers.narrow_sums)) {
    const auto narrow = tokens.all() * layers.narrow * constant<kByte, R>(2);
    time = time + layers.narrow_sums * collective_of(in, kAllReduce, narrow, way);
  }
  if (in.server.divide_by_batch && ways.tensor > heads_of_cache(model)) {
    time = time + in.layers.mixing * 2.0 * collective_of(in, kAllToAll, state / ways.tensor, way);
  }
  const auto logits =
      (tokens.decoded() + tokens.prompts) * model.vocabulary * constant<kByte, R>(2);
  return time + collective_of(in, kAllGather, logits, way);
}

template <class R>
Quantity<kSecond, R> gather_transfers(const ServingInput<R>& in, const ServerWays<R>& ways,
                                      const StepTokens<R>& tokens) {
  const auto& moe = in.layers.experts.layers;
  if (ways.data.value() <= 1 || !(moe.value() > 0) || !gathers_tokens(in, ways)) return {};
  const auto way = reach_of_server(in, ways.data, ways.tensor);
  const auto all = tokens.all() * in.layers.experts.inputs * constant<kByte, R>(2) * ways.data;
  const auto [gather, scatter] = gather_and_scatter(in, all, way);
  return moe * (gather + scatter);
}

template <class R>
Quantity<kSecond, R> exchange_transfers(const ServingInput<R>& in, const ServerWays<R>& ways,
                                        const StepTokens<R>& tokens) {
  const auto& moe = in.layers.experts.layers;
  if (ways.data.value() <= 1 || !(moe.value() > 0) || gathers_tokens(in, ways)) return {};
  const auto& chip = in.links;
  if (chip.network == Network::kNone && !chip.scale_out_bandwidth.present()) return {};
  const auto inner = ways.expert_tensor();
  const auto transfer = expert_exchange(in, ways, tokens.prompts.value() > 0);
  // Each of the tensor ways sends its share of the tokens.
  const auto sent = tokens.all() / ways.tensor;
  const auto back = sent * in.layers.experts.inputs * constant<kByte, R>(2);
  const auto time_of = [&](Quantity<kByte, R> bytes) {
    return in.measured() ? transfer.expected(bytes, one<R>())
                         : bytes * transfer.per_byte / in.server.network_efficiency;
  };
  auto time = time_of(sent * dispatched_row(in)) + time_of(back);
  if (inner.value() > 1) {
    // Tensor ways of an expert gather what has come, and scatter the sums.
    const auto routed = inner * in.model.experts_per_token * back;
    const auto within = reach_of_server(in, inner, one<R>());
    const auto [gather, scatter] = gather_and_scatter(in, routed, within);
    time = time + gather + scatter;
  }
  return moe * time;
}

template <class R>
Quantity<kSecond, R> stage_hops(const ServingInput<R>& in, const ServerWays<R>& ways,
                                const StepTokens<R>& tokens) {
  if (ways.pipeline.value() <= 1) return {};
  const auto way = reach_of_server(in, ways.pipeline, ways.tensor * ways.data);
  const auto hop = collective_of(in, CollectiveKind::kPointToPoint,
                                 hidden_states(in, tokens) / ways.tensor, way);
  return ways.pipeline * max(hop, seconds_of<R>(in.constants.stage_hop));
}

template Chip<SCALING_REP> linked_chip(const Chip<SCALING_REP>&);
template bool gathers_tokens(const ServingInput<SCALING_REP>&, const ServerWays<SCALING_REP>&);
template Quantity<kSecond, SCALING_REP> tensor_transfers(const ServingInput<SCALING_REP>&,
                                                         const ServerWays<SCALING_REP>&,
                                                         const StepTokens<SCALING_REP>&);
template Quantity<kSecond, SCALING_REP> gather_transfers(const ServingInput<SCALING_REP>&,
                                                         const ServerWays<SCALING_REP>&,
                                                         const StepTokens<SCALING_REP>&);
template Quantity<kSecond, SCALING_REP> exchange_transfers(const ServingInput<SCALING_REP>&,
                                                           const ServerWays<SCALING_REP>&,
                                                           const StepTokens<SCALING_REP>&);
template Quantity<kSecond, SCALING_REP> stage_hops(const ServingInput<SCALING_REP>&,
                                                   const ServerWays<SCALING_REP>&,
                                                   const StepTokens<SCALING_REP>&);

}  // namespace scaling
