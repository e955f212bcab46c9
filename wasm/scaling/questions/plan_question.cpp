// SPDX-License-Identifier: MIT
//
// What is wrong with an input: its fields one by one, then how they fit together.

#include <cmath>
#include <iterator>

#include "scaling/quantity/divisors.hpp"
#include "scaling/questions/estimate.hpp"
#include "scaling/model/layer.hpp"
#include "scaling/questions/plan_question.hpp"

namespace scaling {
namespace {

static_assert(kFieldCount<Chip> + kFieldCount<Model> + kFieldCount<Run> + kFieldCount<Layout> +
                  kFieldCount<Assumptions> + kFieldCount<SearchSpace> <=
              Issues::kMost);
static_assert(kFieldCount<Chip> + kFieldCount<Model> + kFieldCount<Mesh> +
                  kFieldCount<OperationRequest> <=
              Issues::kMost);

void check_format(const Chip<double>& chip, const char* group, Format format, Issues& issues) {
  if (!chip.peak(format).present()) {
    issues.add(IssueCode::kFormatNotSupported, group, "computeFormat");
  }
}

void check_model(const Model<double>& model, Issues& issues) {
  const char* group = Model<double>::kGroup;
  const double layers = model.layers.value();
  if (model.attention == Attention::kGrouped &&
      !divides(model.kv_heads.value(), model.heads.value())) {
    issues.add(IssueCode::kHeadsNotDivisible, group, "kvHeads", model.heads.value());
  }
  if (model.sparse()) {
    if (model.experts_per_token > model.experts) {
      issues.add(IssueCode::kMoreThanExperts, group, "expertsPerToken", model.experts.value());
    }
    if (model.dense_layers > model.layers) {
      issues.add(IssueCode::kMoreThanLayers, group, "denseLayers", layers);
    }
  }
  if (model.sliding_window.value() > 0 && model.windowed_layers > model.layers) {
    issues.add(IssueCode::kMoreThanLayers, group, "windowedLayers", layers);
  }
  if (model.stated_parameters.present() && model.stated_active_parameters.present() &&
      model.stated_active_parameters.value > model.stated_parameters.value) {
    issues.add(IssueCode::kMoreThanStated, group, "statedActiveParameters",
               model.stated_parameters.value.value());
  }
}

void check_run(const Chip<double>& chip, const Run<double>& run, Issues& issues) {
  const char* group = Run<double>::kGroup;
  const double chips = run.chips.value();
  const double slices = run.slices.value();
  check_format(chip, group, run.compute_format, issues);
  if (!divides(slices, chips)) {
    issues.add(IssueCode::kSlicesDontDivide, group, "slices", chips);
  } else if (chip.network == Network::kTorus) {
    const double pod = chip.domain_chips().value();
    if (chips / slices > pod) {
      issues.add(IssueCode::kMoreChipsThanNetwork, group, "chips", pod * slices,
                 std::ceil(chips / pod));
    }
  }
  if (run.batch_tokens < run.sequence_length) {
    issues.add(IssueCode::kBatchBelowSequence, group, "batchTokens", run.sequence_length.value());
  }
  if (run.batch_tokens > run.tokens) {
    issues.add(IssueCode::kBatchAboveTokens, group, "batchTokens", run.tokens.value());
  }
}

void notice_run(const Model<double>& model, const Run<double>& run, Issues& notices) {
  const char* group = Run<double>::kGroup;
  const double context = model.context_length.value();
  const double sequences = run.batch_tokens.value() / run.sequence_length.value();
  if (context > 0 && run.sequence_length.value() > context) {
    notices.add(IssueCode::kContextExceeded, group, "sequenceLength", context);
  }
  if (sequences != std::floor(sequences)) {
    notices.add(IssueCode::kNotWholeSequences, group, "batchTokens", sequences);
  }
  if (run.batch_tokens.value() < run.chips.value()) {
    notices.add(IssueCode::kIdleChips, group, "chips", run.batch_tokens.value());
  }
}

}  // namespace

void TrainingQuestion::check_fields(Input& input, Issues& issues) {
  scaling::check_fields(input.chip, issues);
  scaling::check_fields(input.model, issues);
  scaling::check_fields(input.run, issues);
}

void TrainingQuestion::check_relations(const Typed<double>& input, Issues& issues,
                                       Issues& notices) {
  check_model(input.model, issues);
  check_run(input.chip, input.run, issues);
  if (issues.empty()) notice_run(input.model, input.run, notices);
}

namespace {

bool takes_mesh(OperationKind kind) { return kind == OperationKind::kShardedMatmul; }

/// Which units an operation runs on is the formulas' to say; these kinds run on vector units.
bool takes_vector_units(const OperationRequest<double>& request) {
  switch (request.kind) {
    case OperationKind::kElementwise:
    case OperationKind::kReduction:
    case OperationKind::kSoftmax:
    case OperationKind::kRmsNorm:
    case OperationKind::kNorm:
    case OperationKind::kLayer:
      return true;
    case OperationKind::kEmbedding:
      return request.pass != Pass::kForward;
    case OperationKind::kAttention:
    case OperationKind::kAttentionCore:
      return request.attention_kernel == AttentionKernel::kNaive;
    default:
      return false;
  }
}

bool takes_matrix_units(OperationKind kind) {
  switch (kind) {
    case OperationKind::kElementwise:
    case OperationKind::kReduction:
    case OperationKind::kSoftmax:
    case OperationKind::kRmsNorm:
    case OperationKind::kNorm:
    case OperationKind::kEmbedding:
    case OperationKind::kKvRead:
      return false;
    default:
      return true;
  }
}

void check_mesh(const Chip<double>& chip, const Mesh<double>& mesh, Issues& issues) {
  if (chip.network != Network::kTorus) return;
  const auto check_axis = [&](Count<double> chips, const char* key, Count<double> of_pod) {
    if (chips > of_pod) {
      issues.add(IssueCode::kMoreChipsThanAxis, Mesh<double>::kGroup, key, of_pod.value());
    }
  };
  check_axis(mesh.x, "x", chip.torus_x);
  check_axis(mesh.y, "y", chip.torus_y);
  check_axis(mesh.z, "z", chip.torus_z);
}

void check_rates(const OperationQuestion::Typed<double>& in, Issues& issues) {
  const auto& [chip, model, mesh, request] = in;
  const char* group = OperationRequest<double>::kGroup;
  if (takes_matrix_units(request.kind)) check_format(chip, group, request.compute_format, issues);
  const bool only_vector_units = takes_vector_units(request) && !takes_matrix_units(request.kind);
  if (only_vector_units && !chip.vector_rate().present()) {
    issues.add(IssueCode::kRateNotListed, Chip<double>::kGroup, "peakVector");
  }
  const bool listed =
      request.operands_in == MemoryLevel::kHbm ||
      (request.operands_in == MemoryLevel::kOnChip ? chip.on_chip_bandwidth.present()
                                                   : chip.host_bandwidth.present());
  if (!listed) issues.add(IssueCode::kLevelNotListed, group, "operandsIn");
}

void check_attention(const OperationRequest<double>& request, Issues& issues) {
  const char* group = OperationRequest<double>::kGroup;
  if (request.kind == OperationKind::kAttention && request.attention == Attention::kGrouped &&
      !divides(request.kv_heads.value(), request.heads.value())) {
    issues.add(IssueCode::kHeadsNotDivisible, group, "kvHeads", request.heads.value());
  }
  const bool masked = request.kind == OperationKind::kAttention ||
                      request.kind == OperationKind::kAttentionCore ||
                      request.kind == OperationKind::kLayer;
  if (masked && request.attention_kernel == AttentionKernel::kFlash &&
      request.attention_mask == AttentionMask::kCausal && request.keys < request.queries) {
    issues.add(IssueCode::kKeysBelowQueries, group, "keys", request.queries.value());
  }
}

void notice_operation(const OperationQuestion::Typed<double>& in, Issues& notices) {
  const auto& [chip, model, mesh, request] = in;
  const char* group = OperationRequest<double>::kGroup;
  const bool both_units = takes_vector_units(request) && takes_matrix_units(request.kind);
  if (both_units && !chip.vector_rate().present()) {
    notices.add(IssueCode::kVectorWorkNotCounted, Chip<double>::kGroup, "peakVector");
  }
  if (request.kind == OperationKind::kTiledMatmul && chip.tile_memory.present()) {
    const auto bytes = tile_bytes(
        matmul_shape(request), {request.tile_rows, request.tile_contraction, request.tile_output});
    if (bytes > chip.tile_memory.value) {
      notices.add(IssueCode::kTileTooLarge, group, "tileRows", chip.tile_memory.value.value(),
                  bytes.value());
    }
  }
  if (request.operands_in == MemoryLevel::kOnChip && chip.on_chip_memory.present()) {
    const auto answers = OperationQuestion::answer(in);
    const auto bytes = answers.get<term::kMemoryBytes>();
    if (bytes.present() && bytes.value.value() > chip.on_chip_memory.value.value()) {
      notices.add(IssueCode::kOperandsTooLarge, group, "operandsIn",
                  chip.on_chip_memory.value.value(), bytes.value.value());
    }
  }
}

}  // namespace

void OperationQuestion::check_fields(Input& input, Issues& issues) {
  scaling::check_fields(input.chip, issues);
  scaling::check_fields(input.operation, issues);
  // An unknown kind is told once; what it would take besides can't be known.
  const double kind = input.operation["kind"];
  const bool known = kind >= 0 && kind < static_cast<double>(std::size(kOperationKindNames));
  const auto which = known ? static_cast<OperationKind>(static_cast<int>(kind)) : OperationKind{};
  if (of_model(which)) {
    scaling::check_fields(input.model, issues);
  } else {
    ignore_fields(input.model);
  }
  if (takes_mesh(which)) {
    scaling::check_fields(input.mesh, issues);
  } else {
    ignore_fields(input.mesh);
  }
}

void OperationQuestion::check_relations(const Typed<double>& input, Issues& issues,
                                        Issues& notices) {
  const auto& [chip, model, mesh, request] = input;
  const char* group = OperationRequest<double>::kGroup;
  check_rates(input, issues);
  if (of_model(request.kind)) check_model(model, issues);
  check_attention(request, issues);
  const bool of_experts =
      request.kind == OperationKind::kRouter || request.kind == OperationKind::kExperts;
  if (of_experts && !model.sparse()) issues.add(IssueCode::kNoExperts, group, "kind");
  if (takes_mesh(request.kind)) {
    check_mesh(chip, mesh, issues);
    const auto chips = mesh.chips();
    const bool divides_rows = request.activation_sharding == ActivationSharding::kBatch;
    const bool divides_contraction =
        request.activation_sharding == ActivationSharding::kContraction ||
        request.weight_sharding == WeightSharding::kContraction;
    const bool divides_columns = request.weight_sharding == WeightSharding::kOutput;
    const auto check_rows = [&](bool divided, Count<double> size) {
      if (divided && chips > size) {
        issues.add(IssueCode::kMoreChipsThanRows, Mesh<double>::kGroup, "x", size.value());
      }
    };
    check_rows(divides_rows, request.batch);
    check_rows(divides_contraction, request.contraction);
    check_rows(divides_columns, request.output);
  }
  if (issues.empty()) notice_operation(input, notices);
}

void CollectiveQuestion::check_fields(Input& input, Issues& issues) {
  scaling::check_fields(input.chip, issues);
  scaling::check_fields(input.mesh, issues);
  scaling::check_fields(input.collective, issues);
}

namespace {

/// Names what is left idle of domains that the chips do not fill; one alone may be shared.
void notice_domains(const Chip<double>& chip, const char* group, const char* key, double domains,
                    double used, Issues& notices) {
  const double size = chip.domain_chips().value();
  if (domains > 1 && used < size) {
    notices.add(IssueCode::kIdleInDomains, group, key, used, size);
  }
}

}  // namespace

void CollectiveQuestion::check_relations(const Typed<double>& input, Issues& issues,
                                         Issues& notices) {
  const auto& [chip, mesh, request] = input;
  check_mesh(chip, mesh, issues);
  if (chip.network == Network::kSwitched) {
    const auto use = switch_use(chip, mesh).domain;
    notice_domains(chip, Mesh<double>::kGroup, "x", use.groups.value(), use.most.value(), notices);
  }
  if (request.kind != CollectiveKind::kPointToPoint || chip.network != Network::kTorus) return;
  const auto check_distance = [&](Count<double> distance, const char* key, Count<double> chips) {
    if (distance >= chips) {
      issues.add(IssueCode::kDistanceBeyondAxis, CollectiveRequest<double>::kGroup, key,
                 chips.value() - 1);
    }
  };
  check_distance(request.distance_x, "distanceX", mesh.x);
  check_distance(request.distance_y, "distanceY", mesh.y);
  check_distance(request.distance_z, "distanceZ", mesh.z);
}

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

void check_plan_network(const PlanQuestion::Groups<double>& in, Issues& issues) {
  const auto& chip = in.chip;
  const double chips = in.run.chips.value();
  const double slices = in.run.slices.value();
  const double slice_chips = chips / slices;
  const char* group = Chip<double>::kGroup;
  if (chip.network == Network::kNone && chips > 1) {
    issues.add(IssueCode::kMoreChipsThanNetwork, Run<double>::kGroup, "chips", 1, chips);
    return;
  }
  const bool leaves_domain = slices > 1 || (chip.network == Network::kSwitched &&
                                            slice_chips > chip.domain_chips().value());
  if (leaves_domain && !chip.scale_out_bandwidth.present()) {
    issues.add(IssueCode::kBandwidthNotListed, group, "scaleOutBandwidth");
  }
  if (in.layout.offload != Offload::kNone && !chip.host_bandwidth.present()) {
    issues.add(IssueCode::kBandwidthNotListed, group, "hostBandwidth");
  }
  if (chip.network == Network::kTorus && slice_shape(pod_of(chip), slice_chips)[0] == 0) {
    const auto nearest = chips_with_slices(chip, slice_chips);
    issues.add(IssueCode::kNoSliceShape, Run<double>::kGroup, "chips", nearest[0] * slices,
               nearest[1] * slices);
  }
}

/// How a layout's ways fit the model and the chips.
void check_ways(const PlanQuestion::Groups<double>& in, Issues& issues) {
  const auto& [chip, model, run, layout, assumptions, search] = in;
  const char* group = Layout<double>::kGroup;
  const double t = layout.tensor.value();
  const double c = layout.context.value();
  const double p = layout.pipeline.value();
  const double slice_chips = run.chips.value() / run.slices.value();
  const double ways = t * c * p;
  if (!divides(ways, slice_chips)) {
    issues.add(IssueCode::kWaysDontDivide, group, "tensor", slice_chips, ways);
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
  if (p > model.layers.value()) {
    issues.add(IssueCode::kMoreThanLayers, group, "pipeline", model.layers.value());
  } else if (layout.schedule == PipelineSchedule::kInterleaved) {
    const double of_stage = std::ceil(model.layers.value() / p);
    const double v = layout.virtual_stages.value();
    if (!divides(v, of_stage) || (p <= 1 && v > 1)) {
      issues.add(IssueCode::kVirtualStagesDontDivide, group, "virtualStages",
                 p <= 1 ? 1 : of_stage);
    }
  } else if (layout.schedule == PipelineSchedule::kDualPipe && p > 1 && !divides(2, p)) {
    issues.add(IssueCode::kOddStages, group, "pipeline");
  }
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

void notice_plan(const PlanQuestion::Groups<double>& in, Issues& notices) {
  const double replicas = in.run.chips.value() / in.layout.model_ways().value();
  const double sequences = in.run.batch_tokens.value() / in.run.sequence_length.value();
  if (!in.chip.vector_rate().present()) {
    notices.add(IssueCode::kVectorWorkNotCounted, Chip<double>::kGroup, "peakVector");
  }
  const double slices = in.run.slices.value();
  const Placements placements(in.chip, in.layout, in.run.chips.value() / slices, slices,
                              in.model.sparse());
  if (!placements.complete()) {
    notices.add(IssueCode::kPlacementsLeftOut, Layout<double>::kGroup, "tensor");
  }
  if (in.chip.network == Network::kSwitched) {
    const DomainUse& use = placements.items()[0].domains;
    notice_domains(in.chip, Run<double>::kGroup, "chips", use.domains, use.used, notices);
  }
  if (replicas > sequences) {
    notices.add(IssueCode::kIdleReplicas, Layout<double>::kGroup, "tensor", replicas, sequences);
  }
}

}  // namespace

void PlanQuestion::check_fields(Input& input, Issues& issues) {
  scaling::check_fields(input.chip, issues);
  scaling::check_fields(input.model, issues);
  scaling::check_fields(input.run, issues);
  scaling::check_fields(input.layout, issues);
  scaling::check_fields(input.assumptions, issues);
  scaling::check_fields(input.search, issues);
}

void PlanQuestion::check_machine(const Groups<double>& in, Issues& issues) {
  check_model(in.model, issues);
  check_run(in.chip, in.run, issues);
  if (in.layout.fp8_matmuls && !in.chip.peak(Format::kFp8).present()) {
    issues.add(IssueCode::kFormatNotSupported, Layout<double>::kGroup, "fp8Matmuls");
  }
  if (issues.empty()) check_plan_network(in, issues);
}

bool PlanQuestion::fits_together(const Groups<double>& in) {
  Issues issues;
  check_ways(in, issues);
  return issues.empty();
}

void PlanQuestion::check_relations(const Typed<double>& input, Issues& issues, Issues& notices) {
  check_machine(input, issues);
  if (issues.empty()) check_ways(input, issues);
  if (!issues.empty()) return;
  notice_run(input.model, input.run, notices);
  notice_plan(input, notices);
}

namespace {

/// A share that an answer gives; 0 where it has none.
double share_of(const Maybe<Count<double>>& answer) {
  return answer.present() ? answer.value.value() : 0;
}

}  // namespace

void PlanQuestion::check_answers(const Answers<double>& answers, Issues& notices) {
  const double mfu =
      std::fmax(share_of(answers.get<term::kMfu>()), share_of(answers.get<term::kHfu>()));
  if (mfu <= 1) return;
  notices.add(IssueCode::kFlopsOvercounted, Run<double>::kGroup, "flopsRule", mfu,
              share_of(answers.get<term::kMfuExact>()));
}

}  // namespace scaling
