// SPDX-License-Identifier: MIT
#include "scaling/model/kernels/parts.hpp"

namespace scaling {
namespace {

template <class R>
bool alike(const LayerPart<R>& a, const LayerPart<R>& b) {
  return a.mixes == b.mixes && a.whole == b.whole && a.mixer == b.mixer &&
         a.size.value() == b.size.value() && a.shares == b.shares && a.indexes == b.indexes &&
         a.feed_forward == b.feed_forward && a.width.value() == b.width.value() &&
         a.hashes == b.hashes;
}

/// Key heads of layers with a window.
template <class R>
Count<R> window_key_heads(const Model<R>& model) {
  const bool latent = model.attention == Attention::kLatent;
  return latent ? model.kv_heads : own_or(model.window_kv_heads, model.kv_heads);
}

}  // namespace

template <class R>
LayerParts<R>::LayerParts(const Model<R>& model)
    : indexers_(own_or(model.index_layers, model.layers)), hashed_(model.hash_layers) {
  if (model.pattern.empty()) {
    add_counts(model);
  } else {
    add_pattern(model);
  }
}

template <class R>
void LayerParts<R>::add(const LayerPart<R>& part) {
  if (!given(part.layers)) return;
  for (LayerPart<R>& known : std::span(items_).first(size_)) {
    if (!alike(known, part)) continue;
    known.layers = known.layers + part.layers;
    return;
  }
  if (size_ < kMost) items_[size_++] = part;
}

/// Some sparse layers may use what an indexer of another layer found: those behind the first
/// `indexers_`.
template <class R>
void LayerParts<R>::add_mixer(LayerPart<R> part, Count<R> layers) {
  part.mixes = true;
  part.layers = layers;
  if (part.mixer != Mixer::kSparse) return add(part);
  part.indexes = true;
  if (!(indexers_ < layers)) {
    indexers_ = indexers_ - layers;
    return add(part);
  }
  part.layers = indexers_;
  add(part);
  part.indexes = false;
  part.layers = layers - indexers_;
  add(part);
  indexers_ = {};
}

/// Of layers with experts, a table of tokens chooses those of the first.
template <class R>
void LayerParts<R>::add_experts(bool whole, Count<R> layers) {
  LayerPart<R> part;
  part.whole = whole;
  part.feed_forward = FeedForward::kExperts;
  part.layers = layers;
  if (given(hashed_)) {
    part.hashes = true;
    part.layers = min(hashed_, layers);
    add(part);
    part.hashes = false;
    const auto left = layers - part.layers;
    hashed_ = hashed_ - part.layers;
    part.layers = left;
  }
  add(part);
}

template <class R>
void LayerParts<R>::add_counts(const Model<R>& model) {
  LayerPart<R> mixer;
  mixer.size = model.kv_heads;
  mixer.mixer = given(model.index_top_k) ? Mixer::kSparse : Mixer::kAttention;
  const bool windows = given(model.sliding_window) && given(model.windowed_layers);
  add_mixer(mixer, windows ? model.layers - model.windowed_layers : model.layers);
  if (windows) {
    mixer.mixer = Mixer::kWindowed;
    mixer.size = window_key_heads(model);
    add_mixer(mixer, model.windowed_layers);
  }
  LayerPart<R> dense;
  dense.feed_forward = FeedForward::kDense;
  dense.width = model.feed_forward;
  dense.layers = model.layers;
  if (!model.sparse()) return add(dense);
  const auto experts = floor((model.layers - model.dense_layers) / model.moe_every);
  dense.layers = model.layers - experts;
  add(dense);
  add_experts(true, experts);
}

template <class R>
void LayerParts<R>::add_pattern(const Model<R>& model) {
  for (const LayerPattern::Group& group : model.pattern.groups()) {
    const auto layers = group.layers < model.pattern.layers
                            ? named_number<term::kKindLayers, R>(group.layers)
                            : model.layers;
    const bool mixes = group.mixer != Mixer::kNone;
    const bool feeds = group.feed_forward != FeedForward::kNone;
    if (mixes) {
      LayerPart<R> part;
      part.whole = feeds;
      part.mixer = group.mixer;
      part.shares = group.shares;
      part.size = group.mixer_size > 0 ? named_number<term::kKindSize, R>(group.mixer_size)
                  : group.mixer == Mixer::kWindowed ? window_key_heads(model)
                                                    : model.kv_heads;
      add_mixer(part, layers);
    }
    if (group.feed_forward == FeedForward::kDense) {
      LayerPart<R> part;
      part.whole = mixes;
      part.feed_forward = FeedForward::kDense;
      part.width =
          group.width > 0 ? named_number<term::kKindWidth, R>(group.width) : model.feed_forward;
      part.layers = layers;
      add(part);
    }
    if (group.feed_forward == FeedForward::kExperts) add_experts(mixes, layers);
  }
}

template <class R>
ModelKernels<R>::ModelKernels(const Model<R>& model) : made_of_(&model) {
  const LayerParts<R> parts(model);
  for (const LayerPart<R>& part : parts.items()) {
    const auto list = kernels_of(model, part);
    const auto kernels = list.items();
    if (size_ == kMostParts || used_ + kernels.size() > kMostKernels) break;
    places_[size_++] = {part, used_, kernels.size()};
    for (const Kernel<R>& kernel : kernels) pool_[used_++] = kernel;
  }
  whole_ = size_ == parts.items().size();
}

template <class R>
std::span<const Kernel<R>> ModelKernels<R>::find(const LayerPart<R>& part) const {
  for (const Place& place : std::span(places_).first(size_)) {
    if (alike(place.part, part)) return std::span(pool_).subspan(place.first, place.size);
  }
  return {};
}

template <class R>
void visit_parts(const Model<R>& model, const PartVisitor<R>& use) {
  const ModelKernels<R>* const compiled = model.compiled.of == &model ? model.compiled.at : nullptr;
  if (compiled != nullptr && compiled->are_all_of(model)) return compiled->each(use);
  const LayerParts<R> parts(model);
  for (const LayerPart<R>& part : parts.items()) {
    if (compiled != nullptr) {
      if (const auto known = compiled->find(part); !known.empty()) {
        use(part, known);
        continue;
      }
    }
    const auto list = kernels_of(model, part);
    use(part, list.items());
  }
}

template <class R>
[[gnu::noinline]] Model<R> with_layers(const Model<R>& model, const LayerPattern::Counts& counts) {
  const auto layers_of = [](const LayerPattern& pattern, auto has) {
    double layers = 0;
    for (const LayerPattern::Group& group : pattern.groups())
      layers += has(group) ? group.layers : 0;
    return layers;
  };
  Model<R> result = model;
  // Its kinds are some of the model's.
  if (model.compiled.of == &model) model.compiled.at->serve(result);
  result.pattern.keep(counts);
  result.layers = named_number<term::kKindLayers, R>(result.pattern.layers);
  const auto share = [&](Count<R>& some, auto has) {
    if (some.value() <= 0) return;
    const double all = layers_of(model.pattern, has);
    const auto own = named_number<term::kKindLayers, R>(layers_of(result.pattern, has));
    if (all > 0) some = some * (own / named_number<term::kKindLayers, R>(all));
  };
  share(result.index_layers,
        [](const LayerPattern::Group& group) { return group.mixer == Mixer::kSparse; });
  share(result.hash_layers, [](const LayerPattern::Group& group) {
    return group.feed_forward == FeedForward::kExperts;
  });
  return result;
}

template Model<SCALING_REP> with_layers(const Model<SCALING_REP>&, const LayerPattern::Counts&);
template void visit_parts(const Model<SCALING_REP>&, const PartVisitor<SCALING_REP>&);
template class LayerParts<SCALING_REP>;
template class ModelKernels<SCALING_REP>;

}  // namespace scaling
