// SPDX-License-Identifier: MIT
#include "scaling/input/check.hpp"

#include <cmath>
#include <string_view>

#include "scaling/quantity/divisors.hpp"

namespace scaling {

void check_format(const Chip<double>& chip, const char* group, Format format, Issues& issues) {
  if (!chip.peak(format).present()) {
    issues.add(IssueCode::kFormatNotSupported, group, "computeFormat");
  }
}

void check_sixteen_bits(const Chip<double>& chip, Issues& issues) {
  if (chip.peak_bf16.present() || chip.peak_fp16.present()) return;
  issues.add(IssueCode::kFormatNotSupported, Chip<double>::kGroup, "peakBf16");
}

namespace {

/// Checks that a pattern's layers fit the rest of the model.
void check_pattern(const Model<double>& model, Issues& issues) {
  const char* group = Model<double>::kGroup;
  const LayerPattern& pattern = model.pattern;
  if (pattern.empty()) return;
  if (pattern.layers != model.layers.value()) {
    issues.add(IssueCode::kPatternSum, group, "layerPattern", model.layers.value(), pattern.layers);
  }
  const auto need = [&](std::string_view letters, bool there, const char* field) {
    if ((pattern.letters & letters_in(letters)) != 0 && !there) {
      issues.add(IssueCode::kPartNeeded, group, field);
    }
  };
  const bool grouped = model.attention == Attention::kGrouped;
  need("wc", model.sliding_window.value() > 0, "slidingWindow");
  need("s", model.index_top_k.value() > 0, "indexTopK");
  need("c", grouped && model.shared_key_value, "sharedKeyValue");
  need("e", model.sparse(), "experts");
  for (const LayerPattern::Group& kind : pattern.groups()) {
    if (kind.shares && !grouped) {
      issues.add(IssueCode::kPartNeeded, group, "kvHeads");
      return;
    }
    if (kind.mixer_size <= 0 || kind.mixer == Mixer::kCompressed) continue;
    const bool windowed = kind.mixer == Mixer::kWindowed && model.window_heads.value() > 0;
    const double heads = (windowed ? model.window_heads : model.heads).value();
    if (!grouped) {
      issues.add(IssueCode::kPartNeeded, group, "kvHeads");
    } else if (!divides(kind.mixer_size, heads)) {
      issues.add(IssueCode::kGroupsDontDivide, group, "layerPattern", heads);
    } else {
      continue;
    }
    return;
  }
}

/// Checks that sizes of heads fit each other in layers other than full attention.
void check_kinds(const Model<double>& model, Issues& issues) {
  const char* group = Model<double>::kGroup;
  const auto divide = [&](bool asked, Count<double> groups, Count<double> heads,
                          const char* field) {
    if (asked && !divides(groups.value(), heads.value())) {
      issues.add(IssueCode::kGroupsDontDivide, group, field, heads.value());
    }
  };
  const auto or_else = [](Count<double> own, Count<double> other) {
    return own.value() > 0 ? own : other;
  };
  const bool grouped = model.attention == Attention::kGrouped;
  const bool own = model.window_heads.value() > 0 || model.window_kv_heads.value() > 0;
  divide(grouped && own, or_else(model.window_kv_heads, model.kv_heads),
         or_else(model.window_heads, model.heads), "windowKvHeads");
  divide(model.output_groups.value() > 0, model.output_groups, model.heads, "outputGroups");
  const auto letters = model.pattern.letters;
  divide((letters & letters_in("l")) != 0, model.linear_key_heads, model.linear_value_heads,
         "linearKeyHeads");
  divide((letters & letters_in("m")) != 0, model.mamba_groups, model.mamba_heads, "mambaGroups");
}

}  // namespace

void check_model(const Model<double>& model, Issues& issues) {
  const char* group = Model<double>::kGroup;
  const double layers = model.layers.value();
  check_pattern(model, issues);
  check_kinds(model, issues);
  const auto at_most_layers = [&](Count<double> some, const char* field) {
    if (some > model.layers) issues.add(IssueCode::kMoreThanLayers, group, field, layers);
  };
  at_most_layers(model.index_layers, "indexLayers");
  at_most_layers(model.hash_layers, "hashLayers");
  if (model.attention == Attention::kGrouped &&
      !divides(model.kv_heads.value(), model.heads.value())) {
    issues.add(IssueCode::kHeadsNotDivisible, group, "kvHeads", model.heads.value());
  }
  if (model.sparse()) {
    if (model.experts_per_token > model.experts) {
      issues.add(IssueCode::kMoreThanExperts, group, "expertsPerToken", model.experts.value());
    }
    at_most_layers(model.dense_layers, "denseLayers");
  }
  if (model.sliding_window.value() > 0) at_most_layers(model.windowed_layers, "windowedLayers");
  if (model.sees() && model.tower_windowed_layers > model.tower_layers) {
    issues.add(IssueCode::kMoreThanLayers, group, "towerWindowedLayers",
               model.tower_layers.value());
  }
  if (model.stated_parameters.present() && model.stated_active_parameters.present() &&
      model.stated_active_parameters.value > model.stated_parameters.value) {
    issues.add(IssueCode::kMoreThanStated, group, "statedActiveParameters",
               model.stated_parameters.value.value());
  }
}

void check_images(const Model<double>& model, const char* group, const char* field, double images,
                  Issues& issues) {
  if (images > 0 && !model.sees()) issues.add(IssueCode::kNoTower, group, field);
}

void check_chips(const Chip<double>& chip, const TrainingJob<double>& run, Issues& issues) {
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

void check_tuning(const Model<double>& model, const TrainingJob<double>& run, Issues& issues) {
  if (run.ends_early() && run.trained_layers > model.layers) {
    issues.add(IssueCode::kMoreThanLayers, Run<double>::kGroup, "trainedLayers",
               model.layers.value());
  }
  const char* group = Run<double>::kGroup;
  check_images(model, group, "imagesPerSequence", run.images.value(), issues);
  if (!model.sees()) return;
  const double most = std::floor((run.sequence_length / model.image_tokens).value());
  if (run.images.value() > most) {
    issues.add(IssueCode::kAboveMaximum, group, "imagesPerSequence", 0, most);
  }
}

void check_run(const Chip<double>& chip, const Model<double>& model, const TrainingJob<double>& run,
               Issues& issues) {
  const char* group = Run<double>::kGroup;
  check_chips(chip, run, issues);
  check_tuning(model, run, issues);
  if (run.batch_tokens < run.sequence_length) {
    issues.add(IssueCode::kBatchBelowSequence, group, "batchTokens", run.sequence_length.value());
  }
  if (run.batch_tokens > run.all_tokens()) {
    issues.add(IssueCode::kBatchAboveTokens, group, "batchTokens", run.all_tokens().value());
  }
}

void notice_run(const Model<double>& model, const TrainingJob<double>& run, Issues& notices) {
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
