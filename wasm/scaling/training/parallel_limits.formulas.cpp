// SPDX-License-Identifier: MIT
#include "scaling/training/parallel_limits.hpp"

namespace scaling {
namespace {

template <class R>
Quantity<term::kTokensPerChip, R> per_chip(Quantity<kToken, R> tokens) {
  return as<term::kTokensPerChip>(tokens);
}

/// FSDP must move all experts for the work of k.
template <class R>
Quantity<kToken, R> for_experts(const LayerShape<R>& layer, Quantity<kToken, R> tokens) {
  return layer.sparse ? tokens * layer.weights_ratio : tokens;
}

/// Chapter 5: rings on each axis of a torus; X takes all axes but one, Y one. Axes count as
/// collective_cost has them, W of a line's end and 2W of a ring, but alike: where one is a line,
/// all are. A gather of V takes V over these, V (n - 1) / n there: the book's rounding, which is
/// never below what the worst-placed chip needs.
template <class R>
ParallelLimits<R> torus_limits(const Chip<R>& chip, const LayerShape<R>& layer, PeakRate<R> peak,
                               Format weight_format, Format activation_format,
                               Quantity<kChip, R> chips, Quantity<kToken, R> tokens) {
  ParallelLimits<R> result;
  const auto [axes, rings] = slice_axes(pod_of(chip), chips.value());
  // A ring without wraparound goes back along the same links: half the bandwidth.
  const auto ring =
      named<term::kNetworkBandwidth>(rings ? 2.0 * chip.link_bandwidth : 1.0 * chip.link_bandwidth);
  const auto alpha = named<term::kNetworkAlpha>(critical_intensity(peak, ring));
  const auto weights = tokens_per_moved_weight(alpha, weight_format);
  const auto activations = as<kOne>(tokens_per_moved_weight(alpha, activation_format));
  const double all_axes = axes;
  const double data_axes = axes - 1;

  result.fsdp_threshold = per_chip(for_experts(layer, weights / all_axes));
  result.tensor_limit = named<term::kTensorLimit>(layer.active_width / activations);
  if (axes < 2) {
    result.mixed_threshold = Absence::kNotApplicable;
    result.optimal_data = Absence::kNotApplicable;
    result.optimal_tensor = Absence::kNotApplicable;
    result.mesh_data = Absence::kNotApplicable;
    result.mesh_tensor = Absence::kNotApplicable;
    return result;
  }
  result.mixed_threshold =
      per_chip(for_experts(layer, weights / data_axes)) / result.tensor_limit.value;

  // Both transfers take equally long where X/Y = (B s_a M_X) / (F s_w M_Y).
  const auto weight_bytes = bytes_of<R>(weight_format);
  const auto activation_bytes = bytes_of<R>(activation_format);
  const auto width = layer.sparse ? layer.active_width * layer.weights_ratio : layer.active_width;
  auto ratio = as<kOne>(tokens) / width * Count<R>(R(data_axes)) * as<kOne>(chips);
  if (weight_format != activation_format) ratio = ratio * (activation_bytes / weight_bytes);
  const auto most = as<kOne>(chips);
  const auto data = named<term::kOptimalData>(min(sqrt(ratio), most));
  result.optimal_data = data;
  result.optimal_tensor = named<term::kOptimalTensor>(most / data);
  const auto mesh_data =
      named<term::kMeshData>(min(nearest_power_of_two(data), power_of_two_below(most)));
  result.mesh_data = mesh_data;
  result.mesh_tensor = named<term::kMeshTensor>(power_of_two_below(most / mesh_data));
  return result;
}

/// Chapter 12: a switched domain (node) of full bandwidth between all, and between domains what
/// their chips send out together. Reductions are hierarchical.
template <class R>
ParallelLimits<R> switched_limits(const Chip<R>& chip, const LayerShape<R>& layer, PeakRate<R> peak,
                                  Format weight_format, Format activation_format,
                                  Quantity<kChip, R> chips, Quantity<kToken, R> tokens) {
  ParallelLimits<R> result;
  result.optimal_data = Absence::kNotApplicable;  // a closed form for a torus only
  result.optimal_tensor = Absence::kNotApplicable;

  const auto domain = as<kOne>(chip.domain_chips());
  const bool one_domain = chips <= chip.domain_chips();
  if (!one_domain && !chip.scale_out_bandwidth.present()) {
    result.fsdp_threshold = chip.scale_out_bandwidth.absence;
    result.tensor_limit = chip.scale_out_bandwidth.absence;
    result.mixed_threshold = chip.scale_out_bandwidth.absence;
    result.mesh_data = chip.scale_out_bandwidth.absence;
    result.mesh_tensor = chip.scale_out_bandwidth.absence;
    return result;
  }

  const bool switched = chip.network != Network::kTorus && domain.value() > 1;
  const auto node = named<term::kNodeBandwidth>(
      switched ? (one_domain ? chip.scale_up_bandwidth : domain * chip.scale_out_bandwidth.value)
               : chip.scale_out_bandwidth.value);
  const auto node_alpha = named<term::kNodeAlpha>(critical_intensity(peak, node));
  const auto inner = switched ? chip.scale_up_bandwidth : node;
  const auto alpha = named<term::kNetworkAlpha>(critical_intensity(peak, inner));

  const auto inner_weights = tokens_per_moved_weight(alpha, weight_format);
  const auto node_weights = tokens_per_moved_weight(node_alpha, weight_format);
  result.fsdp_threshold = per_chip(for_experts(layer, max(inner_weights, node_weights)));

  // Tensor parallelism within the domain as long as it pays there, across domains by their egress.
  const auto within =
      layer.active_width / as<kOne>(tokens_per_moved_weight(alpha, activation_format));
  const auto across =
      layer.active_width / as<kOne>(tokens_per_moved_weight(node_alpha, activation_format));
  const auto limit = within <= domain || one_domain ? within : max(domain, across);
  result.tensor_limit = named<term::kTensorLimit>(limit);

  // Y ways of tensor parallelism divide what a domain gathers only as far as they leave it, and
  // what each chip gathers inside only up to the domain's size.
  const auto one = Count<R>(R(1));
  const auto ways = max(one, min(limit, as<kOne>(chips)));
  const auto inside = inner_weights / min(ways, domain);
  if (one_domain) {
    result.mixed_threshold = per_chip(for_experts(layer, inner_weights / ways));
  } else {
    const auto outside = node_weights * (domain / max(domain, ways));
    result.mixed_threshold = per_chip(for_experts(layer, max(inside, outside)));
  }
  // FSDP alone is simplest where it is enough; else as many ways of tensor parallelism as pay.
  const bool fsdp_does = tokens / chips >= result.fsdp_threshold.value;
  const auto mesh_tensor =
      named<term::kMeshTensor>(fsdp_does ? one : power_of_two_below(min(ways, domain)));
  result.mesh_tensor = mesh_tensor;
  result.mesh_data = named<term::kMeshData>(power_of_two_below(as<kOne>(chips) / mesh_tensor));
  return result;
}

}  // namespace

template <class R>
ParallelLimits<R> parallel_limits(const Chip<R>& chip, const LayerShape<R>& layer, PeakRate<R> peak,
                                  Format weight_format, Format activation_format,
                                  Quantity<kChip, R> slice_chips,
                                  Quantity<kToken, R> slice_tokens) {
  if (slice_chips.value() <= 1) {
    const Absence none = Absence::kNotApplicable;
    return {none, none, none, none, none, none, none};
  }
  ParallelLimits<R> result = chip.network == Network::kTorus
                                 ? torus_limits(chip, layer, peak, weight_format, activation_format,
                                                slice_chips, slice_tokens)
                                 : switched_limits(chip, layer, peak, weight_format,
                                                   activation_format, slice_chips, slice_tokens);
  const auto name_fsdp = [](auto threshold) { return named<term::kFsdpThreshold>(threshold); };
  const auto name_mixed = [](auto threshold) { return named<term::kMixedThreshold>(threshold); };
  result.fsdp_threshold = when_present(name_fsdp, result.fsdp_threshold);
  result.mixed_threshold = when_present(name_mixed, result.mixed_threshold);
  return result;
}

template <class R>
Maybe<Quantity<kToken, R>> slice_threshold(const Chip<R>& chip, const LayerShape<R>& layer,
                                           PeakRate<R> peak) {
  return when_present(
      [&](auto bandwidth) {
        const auto alpha = named<term::kSliceAlpha>(critical_intensity(peak, bandwidth));
        return named<term::kSliceThreshold>(
            for_experts(layer, tokens_per_moved_weight(alpha, Format::kBf16)));
      },
      chip.scale_out_bandwidth);
}

template ParallelLimits<SCALING_REP> parallel_limits(const Chip<SCALING_REP>&,
                                                     const LayerShape<SCALING_REP>&,
                                                     PeakRate<SCALING_REP>, Format, Format,
                                                     Quantity<kChip, SCALING_REP>,
                                                     Quantity<kToken, SCALING_REP>);
template Maybe<Quantity<kToken, SCALING_REP>> slice_threshold(const Chip<SCALING_REP>&,
                                                              const LayerShape<SCALING_REP>&,
                                                              PeakRate<SCALING_REP>);

}  // namespace scaling
