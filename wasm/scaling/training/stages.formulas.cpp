// SPDX-License-Identifier: MIT
#include "scaling/training/stages.hpp"

#include <cmath>

namespace scaling {
namespace {

/// Layers with experts among `layers` next to each other, away from the dense ones that come first.
template <class R>
Count<R> sparse_among(const Model<R>& model, Count<R> layers) {
  if (!has_experts(model)) return {};
  return min(moe_layers(model), ceil(layers / model.moe_every));
}

/// Layers of a stage's chunk `round` of `rounds`, as even as they go: the first stage, which has
/// the embedding, lacks layers in its first chunks, others in their last ones.
double layers_of_chunk(double of_stage, double rounds, double round, bool first) {
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

/// The layers of cut `index` by their kinds in the pattern.
template <class R>
LayerPattern::Counts kinds_of_cut(const Model<R>& model, const Degrees<R>& layout,
                                  const StageLayers<R>& all_cuts, double cuts, double index) {
  LayerPattern::Counts counts{};
  each_chunk(layout, all_cuts, cuts, index,
             [&](double first, double last) { model.pattern.count_between(first, last, counts); });
  return counts;
}

/// Layers with experts of cut `index`, where a list says which layers it has.
template <class R>
Count<R> listed_sparse(const Model<R>& model, const Degrees<R>& layout, double cuts, double index) {
  const double most = moe_layers(model).value();
  const auto before = [&](double layer) {
    const double behind = std::fmax(layer - model.dense_layers.value(), 0);
    return std::fmin(most, std::ceil(behind / model.moe_every.value()));
  };
  double sparse = 0;
  each_chunk(layout, {}, cuts, index,
             [&](double first, double last) { sparse += before(last) - before(first); });
  return named_number<term::kKindLayers, R>(sparse);
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

/// Sets which of a part's layers have experts, and of a pattern, their kinds.
template <class R>
void set_kinds(Stage<R>& stage, const Model<R>& model, const Degrees<R>& layout,
               const StageLayers<R>& all_cuts, double cuts, Count<R> layers) {
  const double index = stage.index.value();
  const bool own = stages_differ(model, layout);
  if (!model.pattern.empty() && cuts > 1) {
    const auto kinds = kinds_of_cut(model, layout, all_cuts, cuts, index);
    stage.sparse = named_number<term::kKindLayers, R>(model.pattern.experts_of(kinds));
    if (own) stage.kinds = kinds;
    // Modules of a stage without layers are of the last one's kind.
    if (own && layers.value() <= 0) {
      model.pattern.count_between(model.pattern.layers - 1, model.pattern.layers, stage.kinds);
    }
  } else if (cuts <= 1) {
    stage.sparse = moe_layers(model);
  } else if (!layout.stage_layers.empty()) {
    stage.sparse = listed_sparse(model, layout, cuts, index);
  } else if (stage.embedding) {
    stage.sparse = sparse_among(model, max(layers - model.dense_layers, Count<R>{}));
  } else {
    stage.sparse = sparse_among(model, layers);
  }
}

/// Part `index` of those that the layout cuts the model into, whoever works on it.
template <class R>
Stage<R> cut_stage(const Model<R>& model, const Degrees<R>& layout, double index) {
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
  const auto all = stage.dense + stage.sparse;
  // Norms and router are whole on each of the tensor ways.
  stage.multiplied = (all * parts.attention + stage.dense * parts.feed_forward) / t;
  stage.matrices = stage.multiplied + all * parts.norms;
  if (stage.sparse.value() > 0) {
    const auto shared = stage.sparse * parts.shared / t;
    stage.multiplied = stage.multiplied + shared;
    stage.matrices = stage.matrices + shared + stage.sparse * parts.router;
    stage.experts = stage.sparse * parts.experts / (layout.expert * layout.expert_tensor);
  }
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
  }
  if (stage.head) {
    stage.matrices = stage.matrices + ends.norms;
    // Tied, a single stage has one matrix for both ends; of several, the last holds a copy.
    const bool shared = model.tied_embeddings && stage.embedding;
    if (!shared) stage.vocabulary = stage.vocabulary + ends.head / t;
  } else if (modules.value() > 0) {
    // Apart from both ends, modules hold copies of embedding and head. Source: Megatron-LM,
    // mtp_process in gpt_model.py.
    const bool tied = model.tied_embeddings;
    if (!stage.embedding && !tied) stage.vocabulary = ends.embedding / t;
    if (!stage.embedding || !tied) stage.vocabulary = stage.vocabulary + ends.head / t;
  }
  return stage;
}

}  // namespace

template <class R>
Count<R> held_by(const Stage<R>& stage, const Degrees<R>& layout, Count<R> micro_batches) {
  const auto held = in_flight(layout, micro_batches, stage.index);
  return stage.both_ends ? held / 2.0 : held;  // of both together
}

template <class R>
Stage<R> make_stage(const Model<R>& model, const Degrees<R>& layout, Count<R> micro_batches,
                    double index) {
  Stage<R> stage = cut_stage(model, layout, index);
  if (!holds_pairs(layout)) {
    stage.in_flight = held_by(stage, layout, micro_batches);
    return stage;
  }
  const auto other = cut_stage(model, layout, model_cuts(layout).value() - 1 - index);
  stage.both_ends = course_of(layout) == PipelineCourse::kBothEnds;
  stage.dense = stage.dense + other.dense;
  stage.sparse = stage.sparse + other.sparse;
  stage.matrices = stage.matrices + other.matrices;
  stage.multiplied = stage.multiplied + other.multiplied;
  stage.experts = stage.experts + other.experts;
  // Both ends of tied embeddings are one matrix again.
  const bool tied = model.tied_embeddings && (stage.embedding || stage.head);
  stage.vocabulary =
      tied ? max(stage.vocabulary, other.vocabulary) : stage.vocabulary + other.vocabulary;
  for (std::size_t i = 0; i < stage.kinds.size(); ++i) stage.kinds[i] += other.kinds[i];
  stage.heads = stage.heads + other.heads;
  stage.modules = stage.modules + other.modules;
  stage.embedding = stage.embedding || other.embedding;
  stage.head = stage.head || other.head;
  stage.in_flight = held_by(stage, layout, micro_batches);
  return stage;
}

namespace {

constexpr double kUnlimited = 1e300;  // parameters

/// Whether `some` has at least the layers of `others`.
bool has_layers_of(const LayerPattern::Counts& some, const LayerPattern::Counts& others) {
  for (std::size_t i = 0; i < some.size(); ++i) {
    if (some[i] < others[i]) return false;
  }
  return true;
}

/// Stages whose layers are not all in an earlier stage, and those with LM heads. The first of
/// several stages with the same layers holds the most micro-batches.
template <class R>
Stages<R> stages_that_differ(const Model<R>& model, const Degrees<R>& layout,
                             Count<R> micro_batches) {
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
  std::array<LayerPattern::Counts, kStagesCosted> found;
  const bool listed = !layout.stage_layers.empty();
  const auto cuts = listed ? StageLayers<R>{} : stage_layers(model.layers, model_cuts(layout));
  const double cut_count = model_cuts(layout).value();
  const auto kinds_of = [&](double index) {
    if (!model.pattern.empty()) return kinds_of_cut(model, layout, cuts, cut_count, index);
    const double sparse = listed_sparse(model, layout, cut_count, index).value();
    const double dense = given_layers(layout, cut_count, index) - sparse;
    return LayerPattern::Counts{static_cast<std::uint16_t>(dense),
                                static_cast<std::uint16_t>(sparse)};
  };
  for (int at = 0; at < static_cast<int>(last); ++at) {
    const double index = at;
    const bool end =
        !holds_pairs(layout) &&
        (index == count - 1 || modules_of_cut(model, layout, cut_count, index).value() > 0);
    auto kinds = kinds_of(index);
    if (holds_pairs(layout)) {
      const auto other = kinds_of(cut_count - 1 - index);
      for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i] += other[i];
    }
    bool known = false;
    for (std::size_t i = 0; i < result.size; ++i) {
      known = known || has_layers_of(found[i], kinds);
    }
    if (known && !end) continue;
    const auto stage = make_stage(model, layout, micro_batches, index);
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
  if (stages_differ(model, layout)) {
    for (std::size_t i = 0; i < result.size; ++i) result.items[i].own = i + 1;
  }
  return result;
}

}  // namespace

template <class R>
Stages<R> make_stages(const Model<R>& model, const Degrees<R>& layout, Count<R> micro_batches) {
  const double stages = layout.pipeline.value();
  if (stages_differ(model, layout) || !layout.stage_layers.empty()) {
    return stages_that_differ(model, layout, micro_batches);
  }
  Stages<R> result{};
  result.items[result.size++] = make_stage(model, layout, micro_batches, 0);
  const auto add = [&](double index) {
    result.items[result.size++] = make_stage(model, layout, micro_batches, index);
  };
  // The first one has all that those between the ends have, and the embedding, unless it has fewer
  // layers.
  const auto add_if_more = [&](double index) {
    const auto stage = make_stage(model, layout, micro_batches, index);
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
      const auto kinds = kinds_of_cut(model, layout, cuts, stages, index);
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
                                       Count<SCALING_REP>, double);
template Stages<SCALING_REP> make_stages(const Model<SCALING_REP>&, const Degrees<SCALING_REP>&,
                                         Count<SCALING_REP>);

}  // namespace scaling
