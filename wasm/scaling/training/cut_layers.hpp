// SPDX-License-Identifier: MIT
//
// Which layers lie on each part that a layout cuts the model into.
#pragma once

#include <cmath>

#include "scaling/model/transformer.hpp"
#include "scaling/training/pipeline.hpp"

namespace scaling {

/// Layers of a stage's chunk `round` of `rounds`, as even as they go: the first stage, which has
/// the embedding, lacks layers in its first chunks, others in their last ones.
inline double layers_of_chunk(double of_stage, double rounds, double round, bool first) {
  const double least = std::floor(of_stage / rounds);
  const double longer = of_stage - least * rounds;
  const bool more = first ? round >= rounds - longer : round < longer;
  return more ? least + 1 : least;
}

/// Calls `visit` with the first layer of each chunk of cut `index`, and with the one behind its
/// last. A stage of an interleaved schedule has a chunk of each round.
template <class R, class Visit>
void each_chunk(const Degrees<R>& layout, const StageLayers<R>& all_cuts, double cuts, double index,
                Visit visit) {
  if (const StageList& list = layout.stage_layers; !list.empty()) {
    each_listed_chunk(list, cuts, index, [&](std::size_t part) {
      const double first = list.before(part);
      visit(first, first + list.items[part]);
    });
    return;
  }
  const double rounds = works_in_chunks(layout) ? layout.virtual_stages.value() : 1;
  const double most = all_cuts.most.value();
  const double of_first = all_cuts.first.value();
  const double of_last = all_cuts.last.value();
  const double fewer = all_cuts.fewer.value();
  const double full = std::fmax(cuts - 2 - fewer, 0);  // those between the ends with the most
  double start = 0;
  for (int i = 0; i < static_cast<int>(rounds); ++i) {
    const auto chunk = [&](double of_stage, bool first = false) {
      return layers_of_chunk(of_stage, rounds, i, first);
    };
    /// Layers of this round on the stages before one.
    const auto before = [&](double stage) {
      if (stage <= 0) return 0.0;
      const double between = std::fmin(stage - 1, cuts - 2);
      const double of_full = std::fmin(between, full);
      double layers = chunk(of_first, true) + of_full * chunk(most);
      if (between > of_full) layers += (between - of_full) * chunk(most - 1);
      return stage >= cuts ? layers + chunk(of_last) : layers;
    };
    visit(start + before(index), start + before(index + 1));
    start += before(cuts);
  }
}

/// Layers with experts before a layer, in a model without a pattern.
template <class R>
double sparse_before(const Model<R>& model, double layer) {
  const double behind = std::fmax(layer - model.dense_layers.value(), 0);
  return std::fmin(moe_layers(model).value(), std::ceil(behind / model.moe_every.value()));
}

/// The first layer that is passed through on the way back.
template <class R>
double first_back(const Model<R>& model, const Tuning<R>& tuning) {
  if (!tuning.ends_early()) return 0;
  return std::fmax(model.layers.value() - tuning.trained_layers.value(), 0);
}

/// Layers of a part of the model by their kinds: of its pattern, or without one, dense ones and
/// those with experts.
struct KindCounts {
  LayerPattern::Counts kinds{};
  double sparse = 0, all = 0;

  template <class R>
  void add(const Model<R>& model, double first, double last) {
    if (last <= first) return;
    all += last - first;
    if (!model.pattern.empty()) return model.pattern.count_between(first, last, kinds);
    sparse += sparse_before(model, last) - sparse_before(model, first);
    kinds = {static_cast<std::uint32_t>(all - sparse), static_cast<std::uint32_t>(sparse)};
  }
};

/// The layers of cut `index` that are passed through on the way back; without a tuning, all.
template <class R>
KindCounts kinds_of_cut(const Model<R>& model, const Degrees<R>& layout,
                        const StageLayers<R>& all_cuts, double cuts, double index,
                        const Tuning<R>& tuning = {}) {
  const double from = first_back(model, tuning);
  KindCounts counts;
  each_chunk(layout, all_cuts, cuts, index,
             [&](double first, double last) { counts.add(model, std::fmax(first, from), last); });
  return counts;
}

/// MTP modules of cut `index` of `cuts`. A list may place them apart from the loss.
template <class R>
Count<R> modules_of_cut(const Model<R>& model, const Degrees<R>& layout, double cuts,
                        double index) {
  const StageList& list = layout.stage_layers;
  const double at =
      list.modules > 0 ? std::fmod(static_cast<double>(list.modules_at), cuts) : cuts - 1;
  return index == at ? model.mtp_modules : Count<R>{};
}

}  // namespace scaling
