// SPDX-License-Identifier: MIT
#include "scaling/training/stages.hpp"

#include <cmath>

#include "scaling/model/tower.hpp"
#include "scaling/training/cut_layers.hpp"

namespace scaling {
namespace {

/// Layers with experts among `layers` next to each other, away from the dense ones that come first.
template <class R>
Count<R> sparse_among(const Model<R>& model, Count<R> layers) {
  if (!has_experts(model)) return {};
  return min(moe_layers(model), ceil(layers / model.moe_every));
}

/// Parameters of so many layers on a chip.
template <class R>
struct LayersHeld {
  Quantity<kParam, R> matrices, multiplied, experts{};
};
template <class R>
LayersHeld<R> held_of_layers(const LayerParameters<R>& each, const Degrees<R>& layout,
                             Count<R> dense, Count<R> sparse) {
  const auto& t = layout.tensor;
  const auto all = dense + sparse;
  LayersHeld<R> held;
  // Norms and router are whole on each of the tensor ways.
  held.multiplied = (all * each.attention + dense * each.feed_forward) / t;
  held.matrices = held.multiplied + all * each.norms;
  if (sparse.value() > 0) {
    const auto shared = sparse * each.shared / t;
    held.multiplied = held.multiplied + shared;
    held.matrices = held.matrices + shared + sparse * each.router;
    held.experts = sparse * each.experts / (layout.expert * layout.expert_tensor);
  }
  return held;
}

/// All of a stage, of which nothing is left out on the way back.
template <class R>
BackPart<R> whole_of(const Stage<R>& stage) {
  return {stage.dense,   stage.sparse,     stage.matrices, stage.vocabulary,
          stage.experts, stage.multiplied, stage.kinds,    stage.own};
}

/// The part of a stage whose layers are trained, with its MTP modules, which stand behind the last
/// layer.
template <class R>
BackPart<R> last_of_cut(const Stage<R>& stage, const Model<R>& model, const Degrees<R>& layout,
                        const KindCounts& counts, const EndParameters<R>& ends,
                        const Tuning<R>& tuning) {
  BackPart<R> back{};
  back.kinds = counts.kinds;
  const bool by_kinds = !model.pattern.empty();
  const double sparse = by_kinds ? model.pattern.experts_of(counts.kinds) : counts.sparse;
  // Without a pattern, a stage's layers with experts are rounded up.
  const double dense = std::fmin(counts.all - sparse, stage.dense.value());
  back.dense = named_number<term::kKindLayers, R>(dense);
  back.sparse = named_number<term::kKindLayers, R>(counts.all - dense);
  const auto& modules = stage.modules;
  if (modules.value() > 0) {
    auto& kind = stage.sparse.value() > 0 ? back.sparse : back.dense;
    kind = kind + modules;
    if (by_kinds && counts.all <= 0) {
      model.pattern.count_between(model.pattern.layers - 1, model.pattern.layers, back.kinds);
    }
  }
  const bool some = back.dense.value() + back.sparse.value() > 0;
  if (some) {
    const bool own = model.pattern.differs();
    const auto each = layer_parameters(own ? model_of(model, back) : model);
    const auto held = held_of_layers(each, layout, back.dense, back.sparse);
    back.matrices = held.matrices;
    back.multiplied = held.multiplied;
    back.experts = held.experts;
  }
  if (modules.value() > 0) {
    const auto projection = ends.module / layout.tensor;
    back.multiplied = back.multiplied + modules * projection;
    back.matrices = back.matrices + modules * (projection + ends.module_norms);
  }
  if (stage.head) {
    if (tuning.train_head) back.matrices = back.matrices + ends.norms;
    back.vocabulary = ends.head / layout.tensor;
  }
  return back;
}

/// Sets which of a part's layers have experts, and of a pattern, their kinds.
template <class R>
void set_kinds(Stage<R>& stage, const Model<R>& model, const Degrees<R>& layout,
               const StageLayers<R>& all_cuts, double cuts, Count<R> layers) {
  const double index = stage.index.value();
  const bool own = stages_differ(model, layout);
  if (!model.pattern.empty() && cuts > 1) {
    const auto kinds = kinds_of_cut(model, layout, all_cuts, cuts, index).kinds;
    stage.sparse = named_number<term::kKindLayers, R>(model.pattern.experts_of(kinds));
    if (own) stage.kinds = kinds;
    // Modules of a stage without layers are of the last one's kind.
    if (own && layers.value() <= 0) {
      model.pattern.count_between(model.pattern.layers - 1, model.pattern.layers, stage.kinds);
    }
  } else if (cuts <= 1) {
    stage.sparse = moe_layers(model);
  } else if (!layout.stage_layers.empty()) {
    const double sparse = kinds_of_cut(model, layout, all_cuts, cuts, index).sparse;
    stage.sparse = named_number<term::kKindLayers, R>(sparse);
  } else if (stage.embedding) {
    stage.sparse = sparse_among(model, max(layers - model.dense_layers, Count<R>{}));
  } else {
    stage.sparse = sparse_among(model, layers);
  }
}

/// Whether embedding and head are one matrix. A head that is trained above a frozen embedding is a
/// copy of its own.
template <class R>
bool ties_ends(const Model<R>& model, const Tuning<R>& tuning) {
  return model.tied_embeddings && !(tuning.ends_early() && tuning.train_head);
}

/// Part `index` of those that the layout cuts the model into, whoever works on it.
template <class R>
Stage<R> cut_stage(const Model<R>& model, const Degrees<R>& layout, double index,
                   const Tuning<R>& tuning) {
  const auto count = model_cuts(layout);
  const double cuts = count.value();
  Stage<R> stage{};
  stage.index = Count<R>(R(index));
  stage.embedding = index == 0;
  stage.head = index == cuts - 1;
  const bool listed = !layout.stage_layers.empty();
  const auto all_cuts = listed ? StageLayers<R>{} : stage_layers(model.layers, count);
  const auto layers = listed
                          ? named_number<term::kGivenLayers, R>(given_layers(layout, cuts, index))
                          : layers_of_cut(all_cuts, cuts, index);
  const bool own = stages_differ(model, layout);
  set_kinds(stage, model, layout, all_cuts, cuts, layers);
  stage.dense = layers - stage.sparse;
  const auto parts = layer_parameters(own ? model_of(model, stage) : model);
  const auto ends = end_parameters(model);
  const auto modules = modules_of_cut(model, layout, cuts, index);
  if (stage.head) stage.heads = one<R>();
  stage.modules = modules;
  if (modules.value() > 0) {
    // A layer of the last one's kind each, behind a projection of two hidden states to one.
    stage.heads = stage.head ? stage.heads + modules : modules;
    const bool sparse = layers.value() > 0 ? stage.sparse.value() > 0 : has_experts(model);
    auto& kind = sparse ? stage.sparse : stage.dense;
    kind = kind + modules;
  }
  const auto& t = layout.tensor;
  const auto held = held_of_layers(parts, layout, stage.dense, stage.sparse);
  stage.multiplied = held.multiplied;
  stage.matrices = held.matrices;
  stage.experts = held.experts;
  if (modules.value() > 0) {
    const auto projection = ends.module / t;
    stage.multiplied = stage.multiplied + modules * projection;
    stage.matrices = stage.matrices + modules * (projection + ends.module_norms);
  }
  if (stage.embedding) {
    stage.vocabulary = (ends.embedding + ends.positions) / t;
    if (model.per_layer_input.value() > 0) {
      stage.vocabulary = stage.vocabulary + ends.own_inputs / t;
      const auto projection = ends.own_projection / t;
      stage.multiplied = stage.multiplied + projection;
      stage.matrices = stage.matrices + projection;
    }
    if (tuning.sees()) {
      const auto tower = tower_parameters(model) / t;
      stage.vocabulary = stage.vocabulary + tower;
      if (!tuning.trains_tower()) stage.frozen = tower;
    }
  }
  if (stage.head) {
    stage.matrices = stage.matrices + ends.norms;
    // Tied, a single stage has one matrix for both ends; of several, the last holds a copy.
    const bool shared = ties_ends(model, tuning) && stage.embedding;
    if (!shared) stage.vocabulary = stage.vocabulary + ends.head / t;
  } else if (modules.value() > 0) {
    // Apart from both ends, modules hold copies of embedding and head. Source: Megatron-LM,
    // mtp_process in gpt_model.py.
    const bool tied = model.tied_embeddings;
    if (!stage.embedding && !tied) stage.vocabulary = ends.embedding / t;
    if (!stage.embedding || !tied) stage.vocabulary = stage.vocabulary + ends.head / t;
  }
  if (tuning.ends_early()) {
    const auto counts = kinds_of_cut(model, layout, all_cuts, cuts, index, tuning);
    stage.back = last_of_cut(stage, model, layout, counts, ends, tuning);
  }
  return stage;
}

/// Adds the part of the model that a stage holds besides, as far from the other end.
template <class R>
void add_other(Stage<R>& stage, const Stage<R>& other, bool tied) {
  stage.dense = stage.dense + other.dense;
  stage.sparse = stage.sparse + other.sparse;
  stage.matrices = stage.matrices + other.matrices;
  stage.multiplied = stage.multiplied + other.multiplied;
  stage.experts = stage.experts + other.experts;
  // Both ends of tied embeddings are one matrix again.
  stage.vocabulary = tied && (stage.embedding || stage.head)
                         ? max(stage.vocabulary, other.vocabulary)
                         : stage.vocabulary + other.vocabulary;
  for (std::size_t i = 0; i < stage.kinds.size(); ++i) stage.kinds[i] += other.kinds[i];
  stage.frozen = stage.frozen + other.frozen;
  stage.heads = stage.heads + other.heads;
  stage.modules = stage.modules + other.modules;
  stage.embedding = stage.embedding || other.embedding;
  stage.head = stage.head || other.head;
  BackPart<R>& back = stage.back;
  back.dense = back.dense + other.back.dense;
  back.sparse = back.sparse + other.back.sparse;
  back.matrices = back.matrices + other.back.matrices;
  back.multiplied = back.multiplied + other.back.multiplied;
  back.experts = back.experts + other.back.experts;
  back.vocabulary = back.vocabulary + other.back.vocabulary;
  for (std::size_t i = 0; i < back.kinds.size(); ++i) back.kinds[i] += other.back.kinds[i];
}

}  // namespace

template <class R>
Count<R> held_by(const Stage<R>& stage, const Degrees<R>& layout, Count<R> micro_batches) {
  const auto held = in_flight(layout, micro_batches, stage.index);
  return stage.both_ends ? held / 2.0 : held;  // of both together
}

template <class R>
Stage<R> make_stage(const Model<R>& model, const Degrees<R>& layout, Count<R> micro_batches,
                    double index, const Tuning<R>& tuning) {
  Stage<R> stage = cut_stage(model, layout, index, tuning);
  if (holds_pairs(layout)) {
    stage.both_ends = course_of(layout) == PipelineCourse::kBothEnds;
    const auto other = cut_stage(model, layout, model_cuts(layout).value() - 1 - index, tuning);
    add_other(stage, other, ties_ends(model, tuning));
  }
  if (!tuning.ends_early()) stage.back = whole_of(stage);
  stage.in_flight = held_by(stage, layout, micro_batches);
  return stage;
}

template <class R>
BackwardParts backward_parts(const Model<R>& model, const Degrees<R>& layout,
                             const Tuning<R>& tuning) {
  const double cuts = model_cuts(layout).value();
  const auto all_cuts = layout.stage_layers.empty() ? stage_layers(model.layers, model_cuts(layout))
                                                    : StageLayers<R>{};
  const double from = first_back(model, tuning);
  BackwardParts parts{};
  for (int index = 0; index < static_cast<int>(cuts); ++index) {
    each_chunk(layout, all_cuts, cuts, index, [&](double, double last) {
      ++parts.all;
      if (last > from) ++parts.back;
    });
  }
  // Whatever is trained, gradients begin at the loss.
  parts.back = std::fmax(parts.back, 1);
  return parts;
}

template <class R>
LastLayers<R> last_layers(const Model<R>& model, const Tuning<R>& tuning) {
  KindCounts counts;
  counts.add(model, first_back(model, tuning), model.layers.value());
  const double sparse =
      model.pattern.empty() ? counts.sparse : model.pattern.experts_of(counts.kinds);
  return {named_number<term::kKindLayers, R>(counts.all - sparse),
          named_number<term::kKindLayers, R>(sparse), counts.kinds};
}

namespace {

constexpr double kUnlimited = 1e300;  // parameters

/// The layers of a stage, by their kinds: all, and those that are passed through on the way back.
struct StageKinds {
  LayerPattern::Counts all{}, back{};

  void add(const StageKinds& others) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] += others.all[i];
      back[i] += others.back[i];
    }
  }
  /// Whether it has at least the layers of `others`.
  bool has(const StageKinds& others) const {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i] < others.all[i] || back[i] < others.back[i]) return false;
    }
    return true;
  }
};

/// Stages whose layers are not all in an earlier stage, and those with LM heads. The first of
/// several stages with the same layers holds the most micro-batches.
template <class R>
Stages<R> stages_that_differ(const Model<R>& model, const Degrees<R>& layout,
                             Count<R> micro_batches, const Tuning<R>& tuning) {
  Stages<R> result{};
  const double count = layout.pipeline.value();
  // DualPipe's second half of the stages mirrors the first.
  const bool mirrored = course_of(layout) == PipelineCourse::kBothEnds;
  const double last = mirrored ? std::ceil(count / 2) : count;
  // Those with LM heads stay, however few parameters they have.
  const auto weight = [](const Stage<R>& stage) {
    const double all = (stage.matrices + stage.experts + stage.vocabulary).value();
    return stage.heads.value() > 0 ? kUnlimited : all;
  };
  std::array<StageKinds, kStagesCosted> found;
  const bool listed = !layout.stage_layers.empty();
  const auto cuts = listed ? StageLayers<R>{} : stage_layers(model.layers, model_cuts(layout));
  const double cut_count = model_cuts(layout).value();
  const auto kinds_of = [&](double index) {
    const auto of_cut = [&](const Tuning<R>& of) {
      return kinds_of_cut(model, layout, cuts, cut_count, index, of).kinds;
    };
    return StageKinds{of_cut({}), of_cut(tuning)};
  };
  for (int at = 0; at < static_cast<int>(last); ++at) {
    const double index = at;
    const bool end =
        !holds_pairs(layout) &&
        (index == count - 1 || modules_of_cut(model, layout, cut_count, index).value() > 0);
    auto kinds = kinds_of(index);
    if (holds_pairs(layout)) kinds.add(kinds_of(cut_count - 1 - index));
    bool known = false;
    for (std::size_t i = 0; i < result.size; ++i) known = known || found[i].has(kinds);
    if (known && !end) continue;
    const auto stage = make_stage(model, layout, micro_batches, index, tuning);
    std::size_t place = result.size;
    if (place == kStagesCosted) {
      place = 1;
      for (std::size_t i = 2; i < kStagesCosted; ++i) {
        if (weight(result.items[i]) < weight(result.items[place])) place = i;
      }
      if (!(weight(result.items[place]) < weight(stage))) continue;
    } else {
      ++result.size;
    }
    result.items[place] = stage;
    found[place] = kinds;
  }
  const bool own = stages_differ(model, layout);
  for (std::size_t i = 0; i < result.size; ++i) {
    Stage<R>& stage = result.items[i];
    stage.own = stage.back.own = own ? i + 1 : 0;
    const bool all = found[i].all == found[i].back;
    const bool some = stage.back.dense.value() + stage.back.sparse.value() > 0;
    if (model.pattern.differs() && some && !all) stage.back.own = kStagesCosted + i + 1;
  }
  return result;
}

}  // namespace

template <class R>
Stages<R> make_stages(const Model<R>& model, const Degrees<R>& layout, Count<R> micro_batches,
                      const Tuning<R>& tuning) {
  const double stages = layout.pipeline.value();
  if (stages_differ(model, layout) || !layout.stage_layers.empty() || tuning.ends_early()) {
    return stages_that_differ(model, layout, micro_batches, tuning);
  }
  Stages<R> result{};
  result.items[result.size++] = make_stage(model, layout, micro_batches, 0, tuning);
  const auto add = [&](double index) {
    result.items[result.size++] = make_stage(model, layout, micro_batches, index, tuning);
  };
  // The first one has all that those between the ends have, and the embedding, unless it has fewer
  // layers.
  const auto add_if_more = [&](double index) {
    const auto stage = make_stage(model, layout, micro_batches, index, tuning);
    const auto& first = result.items[0];
    const bool more = stage.dense > first.dense || stage.sparse > first.sparse;
    if (more) result.items[result.size++] = stage;
  };
  if (holds_pairs(layout)) {
    // Among the pairs between, the one next to the first and the one in the middle have the most
    // layers (see busiest_layers). DualPipe's second half of the stages mirrors the first.
    const double last = model_cuts(layout).value() / 2 - 1;
    if (last >= 1) add_if_more(1);
    if (last >= 2) add_if_more(last);
    return result;
  }
  if (stages > 2 && !model.pattern.empty()) {
    // The one that has the most experts may be any of those between.
    const auto cuts = stage_layers(model.layers, layout.pipeline);
    double most = 1;
    double found = -1;
    for (int index = 1; index < stages - 1; ++index) {
      const auto kinds = kinds_of_cut(model, layout, cuts, stages, index).kinds;
      const double sparse = model.pattern.experts_of(kinds);
      if (!(sparse > found)) continue;
      found = sparse;
      most = index;
    }
    add_if_more(most);
  } else if (stages > 2) {
    add_if_more(1);
  }
  if (stages > 1) add(stages - 1);
  return result;
}

template Count<SCALING_REP> held_by(const Stage<SCALING_REP>&, const Degrees<SCALING_REP>&,
                                    Count<SCALING_REP>);
template Stage<SCALING_REP> make_stage(const Model<SCALING_REP>&, const Degrees<SCALING_REP>&,
                                       Count<SCALING_REP>, double, const Tuning<SCALING_REP>&);
template Stages<SCALING_REP> make_stages(const Model<SCALING_REP>&, const Degrees<SCALING_REP>&,
                                         Count<SCALING_REP>, const Tuning<SCALING_REP>&);
template BackwardParts backward_parts(const Model<SCALING_REP>&, const Degrees<SCALING_REP>&,
                                      const Tuning<SCALING_REP>&);
template LastLayers<SCALING_REP> last_layers(const Model<SCALING_REP>&, const Tuning<SCALING_REP>&);

}  // namespace scaling
