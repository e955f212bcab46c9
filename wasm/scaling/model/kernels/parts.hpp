// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/model/kernels/kernel.hpp"
#include "scaling/quantity/term.hpp"

namespace scaling {

namespace term {

inline constexpr Term kKindLayers{"kindLayers", "L_kind", kOne, "definition"};
inline constexpr Term kKindSize{"kindSize", "K_kind", kOne, "definition"};
inline constexpr Term kKindWidth{"kindWidth", "F_kind", kOne, "definition"};

}  // namespace term

/// A kind of part that layers are made of, and how many layers have it: a mixer, or a feed-forward
/// part. A layer has one of each, or one of them.
template <class R>
struct LayerPart {
  Count<R> layers{};
  bool mixes = false;  ///< a mixer
  bool whole = true;   ///< its layer has the other part, too
  Mixer mixer = Mixer::kNone;
  Count<R> size{};       ///< of a mixer: key heads, or tokens of a compressed key
  bool shares = false;   ///< keys and values are those of an earlier layer
  bool indexes = false;  ///< has an indexer of its own
  FeedForward feed_forward = FeedForward::kNone;
  Count<R> width{};     ///< of a dense feed-forward part
  bool hashes = false;  ///< a table of tokens chooses the experts

  bool has_experts() const { return feed_forward == FeedForward::kExperts; }
};

/// A number of a layer, on average over the dense layers and over those with experts.
template <class R>
struct LayerMeans {
  Count<R> dense{}, sparse{};

  /// Adds `number` of each layer of a part; a mixer stands in layers of both kinds. `with_experts`:
  /// the layers that have them.
  void add(const Model<R>& model, Count<R> with_experts, const LayerPart<R>& part,
           Count<R> number) {
    if (part.mixes) {
      const auto of_all = part.layers / model.layers * number;
      dense = dense + of_all;
      sparse = sparse + of_all;
    } else if (part.has_experts()) {
      sparse = sparse + part.layers / with_experts * number;
    } else {
      dense = dense + part.layers / (model.layers - with_experts) * number;
    }
  }
};

/// The kinds of parts of a model's layers, each once. Where the pattern and the counts of a model
/// tell the same, so do the parts; no position of a layer is needed.
template <class R>
class LayerParts {
 public:
  /// Mixers and feed-forward parts of as many kinds of layers as a pattern has; sparse attention
  /// and experts count twice.
  static constexpr std::size_t kMost = 2 * LayerPattern::kMostKinds + 2;

  explicit LayerParts(const Model<R>& model);

  std::span<const LayerPart<R>> items() const { return std::span(items_).first(size_); }

 private:
  void add(const LayerPart<R>& part);
  void add_mixer(LayerPart<R> part, Count<R> layers);
  void add_experts(bool whole, Count<R> layers);
  void add_counts(const Model<R>& model);
  void add_pattern(const Model<R>& model);

  union {
    std::array<LayerPart<R>, kMost> items_;
  };
  std::size_t size_ = 0;
  Count<R> indexers_, hashed_;  ///< layers that have these and are not yet among the parts
};

/// Whether a mixer looks at keys of tokens.
constexpr bool has_keys(Mixer mixer) {
  switch (mixer) {
    case Mixer::kAttention:
    case Mixer::kWindowed:
    case Mixer::kSparse:
    case Mixer::kCompressed:
      return true;
    case Mixer::kLinear:
    case Mixer::kMamba:
    case Mixer::kConvolution:
    case Mixer::kNone:
      break;
  }
  return false;
}

/// Whether keys that stand for `ratio` tokens overlap, and an indexer chooses among them:
/// DeepSeek-V4 has keys of 4 tokens, which do, and of 128.
template <class R>
bool overlapping_keys(const Count<R>& ratio) {
  return ratio.value() < 16;
}

/// The kernels of a part, with the norms and sums that join it to the residual.
template <class R>
KernelList<R> kernels_of(const Model<R>& model, const LayerPart<R>& part);

/// The kernels of a model's parts, compiled once; parts for which there is no room are compiled
/// where they are asked for.
template <class R>
class ModelKernels {
 public:
  explicit ModelKernels(const Model<R>& model);

  /// The kernels of a part; none if they are not here.
  std::span<const Kernel<R>> find(const LayerPart<R>& part) const;

  /// All that fold over the kernels of `model`, which has the parts of that model or some of them,
  /// find them here from now on: neither may be moved, and this must not end before it.
  void serve(const Model<R>& model) const { model.compiled = {this, &model}; }

  /// Whether these are all parts of the very model.
  bool are_all_of(const Model<R>& model) const { return whole_ && &model == made_of_; }

  /// Calls `use(part, kernels)` for each part.
  template <class Use>
  void each(Use& use) const {
    for (const Place& place : std::span(places_).first(size_)) {
      use(place.part, std::span<const Kernel<R>>(pool_).subspan(place.first, place.size));
    }
  }

 private:
  static constexpr std::size_t kMostParts = 24, kMostKernels = 224;
  struct Place {
    LayerPart<R> part;
    std::size_t first, size;
  };

  const Model<R>* made_of_;
  bool whole_ = false;
  std::size_t size_ = 0;
  std::size_t used_ = 0;
  std::array<Place, kMostParts> places_{};
  union {
    std::array<Kernel<R>, kMostKernels> pool_;
  };
};

/// Compiles the kernels of a model for as long as it lives.
template <class R>
class CompiledModel {
 public:
  explicit CompiledModel(const Model<R>& model) : model_(model), kernels_(model) {
    kernels_.serve(model);
  }
  ~CompiledModel() { model_.compiled = {}; }
  CompiledModel(const CompiledModel&) = delete;
  CompiledModel& operator=(const CompiledModel&) = delete;

 private:
  const Model<R>& model_;
  ModelKernels<R> kernels_;
};

/// The function that is called for each part: a pointer, so that the code of those who call stands
/// once, wherever the kernels are from.
template <class R>
struct PartVisitor {
  void* context;
  void (*visit)(void* context, const LayerPart<R>& part, std::span<const Kernel<R>> kernels);

  void operator()(const LayerPart<R>& part, std::span<const Kernel<R>> kernels) const {
    visit(context, part, kernels);
  }
};

template <class R>
void visit_parts(const Model<R>& model, const PartVisitor<R>& use);

/// Calls `use(part, kernels)` for each part of a model's layers.
template <class R, class Use>
void each_part(const Model<R>& model, Use use) {
  const auto visit = [](void* context, const LayerPart<R>& part,
                        std::span<const Kernel<R>> kernels) {
    (*static_cast<Use*>(context))(part, kernels);
  };
  visit_parts(model, PartVisitor<R>{&use, visit});
}

/// The model with so many layers of each kind of its pattern alone: what its layers cost on average
/// is the average of these. Indexers and routers by hash are shared among layers evenly.
template <class R>
Model<R> with_layers(const Model<R>& model, const LayerPattern::Counts& counts);

/// Kernels before the first layer and behind the last: lookups, final norm, LM head.
template <class R>
KernelList<R> kernels_of_ends(const Model<R>& model);

/// Kernels before the layer of an MTP module: two hidden states become one.
template <class R>
KernelList<R> kernels_of_mtp_entry(const Model<R>& model);

}  // namespace scaling
