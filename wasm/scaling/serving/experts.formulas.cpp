// SPDX-License-Identifier: MIT
#include "scaling/serving/experts.hpp"

#include <array>
#include <type_traits>

#include "scaling/quantity/logarithm.hpp"
#include "scaling/serving/computing.hpp"
#include "scaling/serving/host.hpp"
#include "scaling/serving/step_memo.hpp"
#include "scaling/serving/weights.hpp"

namespace scaling {
namespace {

/// Time of experts in a model over that of their kernels alone.
template <class R>
const Constant& expert_share(const ServingInput<R>& in, KernelFormat format) {
  const auto& of = in.constants;
  const Constant* const shares[] = {&of.expert_sixteen, &of.expert_low, &of.expert_block,
                                    &of.expert_four};
  return *shares[static_cast<std::size_t>(format)];
}

/// Experts that tokens reach, and the tokens that are routed to them.
template <class R>
struct ExpertWork {
  Count<R> active, routed;
};

/// ln of so many expert ways, which a search computes once.
template <class R>
Count<R> kept_logarithm(const ServingInput<R>& in, Count<R> expert) {
  if constexpr (std::is_same_v<R, double>) {
    if (in.memo != nullptr) return Count<R>(in.memo->logarithm_of(expert.value()));
  }
  return logarithm(expert);
}

/// The work of the slowest of `expert` ranks that share it.
template <class R>
ExpertWork<R> slowest_rank(const ServingInput<R>& in, Count<R> expert, const ExpertWork<R>& all) {
  auto active = max(all.active / expert, one<R>());
  auto routed = all.routed / expert;
  if (expert.value() > 1) {
    // The largest of n counts lies some sqrt(2 ln n) deviations above the mean.
    const auto above = 2.0 * scalar<R>(in.constants.imbalance) * kept_logarithm(in, expert);
    const auto most = max(held_experts(in) / expert, one<R>());
    active = min(active + sqrt(above * active), most);
    routed = routed + sqrt(above * routed);
  }
  return {active, routed};
}

}  // namespace

template <class R>
Quantity<kSecond, R> experts_time(const ServingInput<R>& in, const ServerWays<R>& ways,
                                  const StepTokens<R>& of_rank) {
  const auto& model = in.model;
  const auto& routed_experts = in.layers.experts;
  const auto how = computing_of(in, format_of(in.server, FormatClass::kExpert));
  const auto tokens = max(of_rank.all() * ways.data, one<R>());
  const auto reached = reached_experts(model.experts, model.experts_per_token, tokens);
  const auto [active, routed] =
      slowest_rank(in, ways.expert, {reached, tokens * model.experts_per_token});
  const std::array<ExpertLoad<R>, 1> loads{{{active, max(routed / active, one<R>())}}};
  const MoeLayerKernel<R> kernel{
      .loads = loads,
      .experts =
          scalar<R>(in.constants.expert_each) * max(held_experts(in) / ways.expert, one<R>()),
      .tokens = tokens,
      .top_k = model.experts_per_token,
      .hidden = routed_experts.inputs,
      .inner = max(routed_experts.width / ways.expert_tensor(), one<R>()),
      .gated = routed_experts.gated,
      .format = how.kernel,
      .weight_format = how.weight,
      .sustained = of_rank.sustained,
      .stored = stored_weight(in.server, FormatClass::kExpert)};
  const auto time =
      kernel_time(in.kernels_chip, kernel).expected * scalar<R>(expert_share(in, how.kernel));
  if (!how.blocks) return time;
  // The rows of each expert fill their last tile by half.
  const auto tile = min(scalar<R>(in.constants.block_tile), tokens);
  const auto matrices = scalar<R>(routed_experts.gated ? 3 : 2);
  return max(time, time_in_blocks(in, routed + active * tile / 2.0,
                                  matrices * kernel.hidden * kernel.inner));
}

template <class R>
Quantity<kSecond, R> experts_floor(const ServingInput<R>& in, const ServerWays<R>& ways,
                                   Count<R> tokens, Count<R> reached) {
  const auto& model = in.model;
  const auto& moe = in.layers.experts;
  if (!in.measured() || !(given(moe.layers))) return {};
  const auto how = computing_of(in, format_of(in.server, FormatClass::kExpert));
  const auto format = static_cast<std::size_t>(how.kernel);
  const ExpertsRates& rates = in.kernels.experts[format];
  const auto efficiency =
      scalar<R>(in.kernels.matmul[format].efficiency) * scalar<R>(rates.efficiency);
  const auto& chip = in.kernels_chip;
  const auto ranks = ways.tensor * ways.data;
  const bool any = !(ways.expert.value() > 0);
  const auto expert = any ? min(ranks, model.experts) : ways.expert;
  // The work of all ranks, as if each had that of the slowest one.
  ExpertWork<R> work{reached, tokens * model.experts_per_token};
  if (!any) {
    const auto slowest = slowest_rank(in, expert, work);
    work = {slowest.active * expert, slowest.routed * expert};
  }
  const auto matrices = scalar<R>(moe.gated ? 3 : 2);
  const auto numbers = matrices * moe.inputs * moe.width / ranks;
  const auto computing =
      constant<kFlop, R>(2) * work.routed * numbers / (chip.peak_in(how.kernel) * efficiency);
  const auto moving = work.active * numbers *
                      stored_or(stored_weight(in.server, FormatClass::kExpert), how.weight) /
                      (chip.memory * scalar<R>(rates.memory));
  const auto permuted = (2.0 * work.routed / expert + tokens) * moe.inputs * constant<kByte, R>(2) /
                        (chip.memory * scalar<R>(rates.permute));
  const auto each = scalar<R>(in.constants.expert_each) * model.experts / expert;
  const auto time = seconds_of<R>(rates.start) + together(computing, moving) + permuted +
                    tokens * model.experts_per_token * seconds_of<R>(rates.per_token) +
                    each * seconds_of<R>(rates.per_expert);
  const auto all = moe.layers * time * scalar<R>(expert_share(in, how.kernel));
  return host_computes(in, tokens) ? (one<R>() - host_share(in).experts) * all : all;
}

template Quantity<kSecond, SCALING_REP> experts_time(const ServingInput<SCALING_REP>&,
                                                     const ServerWays<SCALING_REP>&,
                                                     const StepTokens<SCALING_REP>&);
template Quantity<kSecond, SCALING_REP> experts_floor(const ServingInput<SCALING_REP>&,
                                                      const ServerWays<SCALING_REP>&,
                                                      Count<SCALING_REP>, Count<SCALING_REP>);

}  // namespace scaling
