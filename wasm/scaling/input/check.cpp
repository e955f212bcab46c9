// SPDX-License-Identifier: MIT
#include "scaling/input/check.hpp"

#include <cmath>

#include "scaling/quantity/divisors.hpp"

namespace scaling {

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

void check_chips(const Chip<double>& chip, const Run<double>& run, Issues& issues) {
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
}

void check_run(const Chip<double>& chip, const Run<double>& run, Issues& issues) {
  const char* group = Run<double>::kGroup;
  check_chips(chip, run, issues);
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

void notice_domains(const Chip<double>& chip, const char* group, const char* key, double domains,
                    double used, Issues& notices) {
  const double size = chip.domain_chips().value();
  if (domains > 1 && used < size) {
    notices.add(IssueCode::kIdleInDomains, group, key, used, size);
  }
}

}  // namespace scaling
