// SPDX-License-Identifier: MIT
#include "scaling/questions/operation/question.hpp"

#include <iterator>

#include "scaling/input/check.hpp"
#include "scaling/model/layer.hpp"
#include "scaling/quantity/divisors.hpp"

namespace scaling {
namespace {

/// Whether all or part of an operation runs on vector units, as its formula has it.
bool takes_vector_units(const OperationRequest<double>& request) {
  const OperationKindRow& kind = row_of(request.kind);
  return kind.has(kOnVectorUnits) ||
         (kind.has(kVectorBackward) && request.pass != Pass::kForward) ||
         (kind.has(kVectorNaive) && request.attention_kernel == AttentionKernel::kNaive);
}

void check_rates(const OperationQuestion::Typed<double>& in, Issues& issues) {
  const auto& chip = in.chip;
  const auto& request = in.operation;
  const char* group = OperationRequest<double>::kGroup;
  const bool matrix_units = row_of(request.kind).has(kOnMatrixUnits);
  if (matrix_units) check_format(chip, group, request.compute_format, issues);
  const bool only_vector_units = takes_vector_units(request) && !matrix_units;
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
  const OperationKindRow& kind = row_of(request.kind);
  if (kind.has(kAsksHeads) && request.attention == Attention::kGrouped &&
      !divides(request.kv_heads.value(), request.heads.value())) {
    issues.add(IssueCode::kHeadsNotDivisible, group, "kvHeads", request.heads.value());
  }
  if (kind.has(kAsksKernel) && request.attention_kernel == AttentionKernel::kFlash &&
      request.attention_mask == AttentionMask::kCausal && request.keys < request.queries) {
    issues.add(IssueCode::kKeysBelowQueries, group, "keys", request.queries.value());
  }
}

void check_mixer(const OperationRequest<double>& request, const Model<double>& model,
                 Issues& issues) {
  const char* group = OperationRequest<double>::kGroup;
  const OperationKindRow& kind = row_of(request.kind);
  const bool named = kind.has(kAsksMixer) && request.mixer != AskedMixer::kFirst;
  if (named) {
    const auto asked = static_cast<Mixer>(static_cast<int>(request.mixer) - 1);
    if (asked_mixer(request, model).mixer != asked) {
      return issues.add(IssueCode::kNoSuchLayers, group, "mixer");
    }
  }
  if (kind.has(kAsksScores) && !asked_attention(request, model)) {
    issues.add(IssueCode::kNoScores, group, named ? "mixer" : "kind");
  }
}

void notice_operation(const OperationQuestion::Typed<double>& in, Issues& notices) {
  const auto& chip = in.chip;
  const auto& request = in.operation;
  const char* group = OperationRequest<double>::kGroup;
  const bool both_units = takes_vector_units(request) && row_of(request.kind).has(kOnMatrixUnits);
  if (both_units && !chip.vector_rate().present()) {
    notices.add(IssueCode::kVectorWorkNotCounted, Chip<double>::kGroup, "peakVector");
  }
  if (row_of(request.kind).has(kAsksTile) && chip.tile_memory.present()) {
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
  if (row_of(which).has(kAsksModel)) {
    scaling::check_fields(input.model, issues);
  } else {
    ignore_fields(input.model);
  }
  if (row_of(which).has(kAsksMesh)) {
    scaling::check_fields(input.mesh, issues);
  } else {
    ignore_fields(input.mesh);
  }
}

void OperationQuestion::check_relations(const Typed<double>& input, Issues& issues,
                                        Issues& notices) {
  const auto& request = input.operation;
  const auto& model = input.model;
  const auto& mesh = input.mesh;
  const char* group = OperationRequest<double>::kGroup;
  const OperationKindRow& kind = row_of(request.kind);
  check_rates(input, issues);
  if (kind.has(kAsksModel)) check_model(model, issues);
  check_attention(request, issues);
  if (kind.has(kAsksExperts) && !model.sparse()) issues.add(IssueCode::kNoExperts, group, "kind");
  if (issues.empty()) check_mixer(request, model, issues);
  if (kind.has(kAsksMesh)) {
    check_mesh(input.chip, mesh, issues);
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

}  // namespace scaling
