// SPDX-License-Identifier: MIT
#include "scaling/model/kinds/layer_mix.hpp"

namespace scaling {
namespace {

/// Whether windowed layers have other sizes than those of full attention.
template <class R>
bool windows_differ(const Model<R>& model) {
  if (model.window_sinks || model.key_is_value) return true;
  if (model.attention == Attention::kLatent) return false;
  return model.window_heads.value() > 0 || model.window_kv_heads.value() > 0 ||
         model.window_head_dim.value() > 0 || model.window_value_dim.value() > 0;
}

template <class R>
bool has_windows(const Model<R>& model) {
  return model.sliding_window.value() > 0 && model.windowed_layers.value() > 0;
}

template <class R>
Count<R> windowed_kv_heads(const Model<R>& model) {
  return model.window_kv_heads.value() > 0 ? model.window_kv_heads : model.kv_heads;
}

/// Adds sparse layers. Some may use what an indexer of another layer found: those behind the first
/// `indexers`, of which these layers take theirs.
template <class R>
void add_sparse(LayerMix<R>& mix, Count<R> kv_heads, Count<R> layers, Count<R>& indexers) {
  if (!(indexers < layers)) {
    mix.add(MixerGroup<R>{Mixer::kSparse, kv_heads, layers, {}, true});
    indexers = indexers - layers;
    return;
  }
  const auto others = layers - indexers;
  if (indexers.value() > 0) mix.add(MixerGroup<R>{Mixer::kSparse, kv_heads, indexers, {}, true});
  mix.add(MixerGroup<R>{Mixer::kSparse, kv_heads, others, {}, false});
  indexers = {};
}

template <class R>
Count<R> indexers_of(const Model<R>& model) {
  return model.index_layers.value() > 0 ? model.index_layers : model.layers;
}

/// The mix that the counts of dense, sparse and windowed layers make.
template <class R>
LayerMix<R> mix_of_counts(const Model<R>& model) {
  LayerMix<R> mix{};
  mix.layers = mix.mixing = mix.both = model.layers;
  if (model.sparse()) {
    mix.with_experts = floor((model.layers - model.dense_layers) / model.moe_every);
    mix.without_experts = model.layers - mix.with_experts;
  } else {
    mix.without_experts = model.layers;
  }
  mix.add(DenseGroup<R>{model.feed_forward, mix.without_experts});

  const bool windows = has_windows(model);
  const auto windowed = windows ? model.windowed_layers : Count<R>{};
  const bool sparse = model.index_top_k.value() > 0;
  if (!sparse && !(windows && windows_differ(model))) {
    mix.add(MixerGroup<R>{Mixer::kAttention, model.kv_heads, model.layers, windowed, false});
    return mix;
  }
  const auto whole = windows ? model.layers - windowed : model.layers;
  auto indexers = indexers_of(model);
  if (whole.value() > 0 && sparse) add_sparse(mix, model.kv_heads, whole, indexers);
  if (whole.value() > 0 && !sparse) {
    mix.add(MixerGroup<R>{Mixer::kAttention, model.kv_heads, whole, {}, false});
  }
  if (windows) {
    const auto kv_heads = windowed_kv_heads(model);
    mix.add(MixerGroup<R>{Mixer::kWindowed, kv_heads, windowed, windowed, false});
  }
  return mix;
}

/// Groups of a pattern come in the order of their kinds and sizes, whatever that in the text.
template <class R>
void add_mixers(LayerMix<R>& mix, const Model<R>& model) {
  const bool folded = !windows_differ(model);
  auto indexers = indexers_of(model);
  std::array<bool, LayerPattern::kMostKinds> done{};
  const auto groups = model.pattern.groups();
  const auto fold = [&](Mixer mixer) {
    return folded && mixer == Mixer::kWindowed ? Mixer::kAttention : mixer;
  };
  for (int kind = 0; kind < static_cast<int>(Mixer::kNone); ++kind) {
    const auto mixer = static_cast<Mixer>(kind);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (done[i] || fold(groups[i].mixer) != mixer) continue;
      const double size = groups[i].mixer_size;
      const bool shares = groups[i].shares;
      double layers = 0;
      double windowed = 0;
      for (std::size_t j = i; j < groups.size(); ++j) {
        if (done[j] || fold(groups[j].mixer) != mixer || groups[j].mixer_size != size) continue;
        if (groups[j].shares != shares) continue;
        done[j] = true;
        layers += groups[j].layers;
        if (groups[j].mixer == Mixer::kWindowed) windowed += groups[j].layers;
      }
      const auto& of_model = mixer == Mixer::kWindowed ? windowed_kv_heads(model) : model.kv_heads;
      const auto heads = size > 0 ? named_number<term::kKindSize, R>(size) : of_model;
      const auto all =
          layers < model.pattern.layers ? named_number<term::kKindLayers, R>(layers) : model.layers;
      if (mixer == Mixer::kSparse) {
        add_sparse(mix, heads, all, indexers);
      } else {
        mix.add(MixerGroup<R>{mixer, heads, all, named_number<term::kKindLayers, R>(windowed),
                              false, shares});
      }
    }
  }
}

template <class R>
void add_dense(LayerMix<R>& mix, const Model<R>& model) {
  std::array<bool, LayerPattern::kMostKinds> done{};
  const auto groups = model.pattern.groups();
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (done[i] || groups[i].feed_forward != FeedForward::kDense) continue;
    const double width = groups[i].width;
    double layers = 0;
    for (std::size_t j = i; j < groups.size(); ++j) {
      if (groups[j].feed_forward != FeedForward::kDense || groups[j].width != width) continue;
      done[j] = true;
      layers += groups[j].layers;
    }
    mix.add(DenseGroup<R>{width > 0 ? named_number<term::kKindWidth, R>(width) : model.feed_forward,
                          named_number<term::kKindLayers, R>(layers)});
  }
}

template <class R>
LayerMix<R> mix_of_pattern(const Model<R>& model) {
  LayerMix<R> mix{};
  double experts = 0;
  double mixing = 0;
  double both = 0;
  double one_part = 0;
  for (const LayerPattern::Group& group : model.pattern.groups()) {
    const bool mixes = group.mixer != Mixer::kNone;
    const bool feeds = group.feed_forward != FeedForward::kNone;
    if (group.feed_forward == FeedForward::kExperts) experts += group.layers;
    if (mixes) mixing += group.layers;
    if (mixes && feeds) both += group.layers;
    if (mixes != feeds) one_part += group.layers;
  }
  mix.layers = model.layers;
  mix.with_experts = named_number<term::kKindLayers, R>(experts);
  mix.without_experts = model.layers - mix.with_experts;
  mix.mixing =
      mixing < model.pattern.layers ? named_number<term::kKindLayers, R>(mixing) : model.layers;
  mix.both = both < model.pattern.layers ? named_number<term::kKindLayers, R>(both) : model.layers;
  mix.one_part = named_number<term::kKindLayers, R>(one_part);
  add_mixers(mix, model);
  add_dense(mix, model);
  return mix;
}

}  // namespace

template <class R>
[[gnu::noinline]] LayerMix<R> layer_mix(const Model<R>& model) {
  return model.pattern.empty() ? mix_of_counts(model) : mix_of_pattern(model);
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

template LayerMix<SCALING_REP> layer_mix(const Model<SCALING_REP>&);
template Model<SCALING_REP> with_layers(const Model<SCALING_REP>&, const LayerPattern::Counts&);

}  // namespace scaling
