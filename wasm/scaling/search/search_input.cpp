// SPDX-License-Identifier: MIT
#include "scaling/search/search_input.hpp"

#include <cmath>

#include "scaling/hardware/network.hpp"
#include "scaling/input/check.hpp"
#include "scaling/quantity/divisors.hpp"
#include "scaling/training/pipeline.hpp"

namespace scaling {
namespace {

/// The nearest numbers of chips, below and above, that a torus has a slice of; 0: none near.
std::array<double, 2> chips_with_slices(const Chip<double>& chip, double chips) {
  constexpr int kFar = 256;
  const Pod pod = pod_of(chip);
  const double most = chip.domain_chips().value();
  std::array<double, 2> nearest{};
  for (int away = 1; away <= kFar; ++away) {
    const double below = chips - away;
    const double above = chips + away;
    if (nearest[0] == 0 && below >= 1 && slice_shape(pod, below)[0] > 0) nearest[0] = below;
    if (nearest[1] == 0 && above <= most && slice_shape(pod, above)[0] > 0) nearest[1] = above;
  }
  return nearest;
}

void check_plan_network(const SearchInput<double>& in, Issues& issues) {
  const auto& chip = in.chip;
  const double chips = in.run.chips.value();
  const double slices = in.run.slices.value();
  const double slice_chips = chips / slices;
  const char* group = Chip<double>::kGroup;
  const bool leaves_domain =
      slices > 1 || (chip.network != Network::kTorus && slice_chips > chip.domain_chips().value());
  if (leaves_domain && !chip.scale_out_bandwidth.present()) {
    issues.add(IssueCode::kBandwidthNotListed, group, "scaleOutBandwidth");
  }
  const bool uses_host =
      in.layout.offload != Offload::kNone || in.layout.host_activations.value() > 0;
  if (uses_host && !chip.host_bandwidth.present()) {
    issues.add(IssueCode::kBandwidthNotListed, group, "hostBandwidth");
  }
  if (chip.network == Network::kTorus && slice_shape(pod_of(chip), slice_chips)[0] == 0) {
    const auto nearest = chips_with_slices(chip, slice_chips);
    issues.add(IssueCode::kNoSliceShape, Run<double>::kGroup, "chips", nearest[0] * slices,
               nearest[1] * slices);
  }
}

/// Checks that a list of stages fits the model and the layout's parts.
void check_list(const Model<double>& model, const Layout<double>& layout, Issues& issues) {
  const char* group = Layout<double>::kGroup;
  const StageList& list = layout.stage_layers;
  const double parts = listed_parts(layout).value();
  const auto size = static_cast<double>(list.size);
  if (size != parts) {
    issues.add(IssueCode::kStagesCount, group, "stageLayers", parts, size);
  } else if (list.layers != model.layers.value()) {
    issues.add(IssueCode::kPatternSum, group, "stageLayers", model.layers.value(), list.layers);
  } else if (list.modules > 0 && list.modules != model.mtp_modules.value()) {
    issues.add(IssueCode::kStagesModulesSum, group, "stageLayers", model.mtp_modules.value(),
               list.modules);
  }
}

}  // namespace

void check_machine(const SearchInput<double>& in, Issues& issues) {
  check_model(in.model, issues);
  check_run(in.chip, in.model, in.run, issues);
  if (in.layout.fp8_matmuls && !in.chip.peak(Format::kFp8).present()) {
    issues.add(IssueCode::kFormatNotSupported, Layout<double>::kGroup, "fp8Matmuls");
  }
  if (issues.empty() && bytes_of<double>(in.run.compute_format).value() < 2) {
    check_sixteen_bits(in.chip, issues);  // for what is not computed in so few
  }
  if (issues.empty()) check_plan_network(in, issues);
}

void check_ways(const SearchInput<double>& in, Issues& issues) {
  const auto& chip = in.chip;
  const auto& model = in.model;
  const auto& run = in.run;
  const auto& layout = in.layout;
  const char* group = Layout<double>::kGroup;
  const double t = layout.tensor.value();
  const double c = layout.context.value();
  const double p = layout.pipeline.value();
  const double slice_chips = run.chips.value() / run.slices.value();
  if (!divides(t * c * p, slice_chips)) {
    issues.add(IssueCode::kWaysDontDivide, group, "tensor", slice_chips, t, c, p);
  }
  const double heads = model.heads.value();
  const double kv_heads = model.attention == Attention::kLatent ? heads : model.kv_heads.value();
  if (!divides(t, heads) || !(divides(t, kv_heads) || divides(kv_heads, t))) {
    issues.add(IssueCode::kTensorDoesntDivideHeads, group, "tensor", heads, kv_heads);
  }
  const bool by_heads = layout.context_kind == ContextKind::kUlysses;
  const double divided = by_heads ? std::floor(heads / t) : run.sequence_length.value();
  if (!divides(c, divided)) {
    issues.add(IssueCode::kContextDoesntDivide, group, "context", divided);
  }
  const bool listed = !layout.stage_layers.empty();
  if (!listed && p > model.layers.value()) {
    issues.add(IssueCode::kMoreThanLayers, group, "pipeline", model.layers.value());
  } else if (row_of(layout.schedule).asks_chunks) {
    const double of_stage = most_layers(model.layers, layout.pipeline).value();
    const double v = layout.virtual_stages.value();
    if (p <= 1 && v > 1) {
      issues.add(IssueCode::kAboveMaximum, group, "virtualStages", 1, 1);
    } else if (!listed && v > of_stage) {
      issues.add(IssueCode::kMoreChunksThanLayers, group, "virtualStages", of_stage);
    }
  } else if (row_of(layout.schedule).even_stages && p > 1 && !divides(2, p)) {
    issues.add(IssueCode::kOddStages, group, "pipeline");
  }
  if (listed) check_list(model, layout, issues);
  const double e = layout.expert.value();
  const double et = layout.expert_tensor.value();
  const double ranks = slice_chips / p;
  if (!model.sparse()) {
    if (e > 1) issues.add(IssueCode::kNoExperts, group, "expert");
    if (et > 1) issues.add(IssueCode::kNoExperts, group, "expertTensor");
  } else if (!divides(e, model.experts.value())) {
    issues.add(IssueCode::kExpertsDontDivide, group, "expert", model.experts.value());
  } else if (!divides(et, t)) {
    issues.add(IssueCode::kExpertWaysDontDivide, group, "expertTensor", t);
  } else if (!divides(e * et, ranks) ||
             (chip.network == Network::kTorus && et == t && !divides(e, ranks / t))) {
    issues.add(IssueCode::kExpertWaysDontDivide, group, "expert", ranks / et);
  }
  const double shards = layout.shard_group.value();
  const double data = ranks / t;
  if (shards > 0 && (shards > data || !divides(shards, data))) {
    issues.add(IssueCode::kShardGroupDoesntDivide, group, "shardGroup", data);
  }
}

bool fits_together(const SearchInput<double>& in) {
  Issues issues;
  check_ways(in, issues);
  return issues.empty();
}

}  // namespace scaling
