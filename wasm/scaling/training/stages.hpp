// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>

#include "scaling/model/kernels/parts.hpp"
#include "scaling/model/transformer.hpp"
#include "scaling/training/pipeline.hpp"

namespace scaling {

/// The part of a stage that its backward pass goes through: all of it, but of a training of the
/// last layers.
template <class R>
struct BackPart {
  Count<R> dense, sparse;
  /// Parameters, as of a stage; of the last layers, `vocabulary` is the head's, and `matrices` has
  /// the norm before it only if both are trained.
  Quantity<kParam, R> matrices, vocabulary, experts, multiplied;
  LayerPattern::Counts kinds{};
  std::size_t own = 0;  ///< its place among the layers that differ, as of a stage

  Count<R> layers() const { return dense + sparse; }
};

/// The part of the model on a chip of one pipeline stage, before states are shared. A V-shaped
/// schedule gives it two chunks, as far from each end of the model, so that the first stage has
/// embedding and head. With DualPipe, which feeds the pipeline from both ends, it holds two stages,
/// as far from each end, and works on half of the micro-batches in each.
template <class R>
struct Stage {
  Count<R> index;          ///< from 0
  Count<R> dense, sparse;  ///< layers of each kind
  bool embedding, head;
  bool both_ends;                            ///< DualPipe
  Count<R> heads;                            ///< LM heads: with each MTP module one more
  Count<R> modules{};                        ///< MTP modules among them
  Quantity<kParam, R> matrices, vocabulary;  ///< dense parameters; those of embedding and head
  Quantity<kParam, R> experts;
  Quantity<kParam, R> multiplied;  ///< the part of `matrices` in matmuls of the layers
  Quantity<kParam, R> frozen{};    ///< the part of `vocabulary` in a tower that is not trained
  Count<R> in_flight;
  /// Counts of each kind of layer, where a pattern's layers differ.
  LayerPattern::Counts kinds{};
  std::size_t own = 0;  ///< its place among the stages with layers of their own; 0: it has none
  BackPart<R> back;

  /// The part of each micro-batch that the chip works on.
  template <class Q>
  Q worked(Q whole) const {
    return both_ends ? whole / 2.0 : whole;
  }
};

/// The most stages that are looked at.
inline constexpr std::size_t kStagesCosted = 8;
/// The most that have layers of their own: stages, and parts of them that are passed through on the
/// way back.
inline constexpr std::size_t kOwnLayers = 2 * kStagesCosted;

/// The stages that can be the fullest or the slowest: the first, the last, and the second where it
/// has layers that the first has not. Where a stage holds two parts of the model, the first, the
/// second and the one in the middle. Where the layers of a pattern differ, all that no stage before
/// them has the layers of; of too many, those with the most parameters.
template <class R>
struct Stages {
  std::array<Stage<R>, kStagesCosted> items;
  std::size_t size;

  std::span<const Stage<R>> list() const { return std::span(items).first(size); }
};

/// Micro-batches whose activations a stage holds at most, of `micro_batches`.
template <class R>
Count<R> held_by(const Stage<R>& stage, const Degrees<R>& layout, Count<R> micro_batches);

/// Stage `index` of a layout that cuts each gradient step into `micro_batches`. A pattern says
/// which layers lie on it, chunk by chunk. Without one, layers with experts lie as the model has
/// them, and which stages have the dense ones is known of the first.
template <class R>
Stage<R> make_stage(const Model<R>& model, const Degrees<R>& layout, Count<R> micro_batches,
                    double index, const Tuning<R>& tuning = {});

template <class R>
Stages<R> make_stages(const Model<R>& model, const Degrees<R>& layout, Count<R> micro_batches,
                      const Tuning<R>& tuning = {});

/// The parts of the model that the layout cuts it into; see BackwardParts.
template <class R>
BackwardParts backward_parts(const Model<R>& model, const Degrees<R>& layout,
                             const Tuning<R>& tuning);

/// The layers that a training of the last ones changes, of each kind; of a pattern by its kinds.
template <class R>
struct LastLayers {
  Count<R> dense, sparse;
  LayerPattern::Counts kinds{};
};
template <class R>
LastLayers<R> last_layers(const Model<R>& model, const Tuning<R>& tuning);

/// Whether the stages of a layout have layers of their own, of other kinds each.
template <class R>
bool stages_differ(const Model<R>& model, const Degrees<R>& layout) {
  return layout.pipeline.value() > 1 && model.pattern.differs();
}

/// The model whose layers are those of the stage, or of its part that the backward pass goes
/// through.
template <class R, template <class> class Part>
Model<R> model_of(const Model<R>& model, const Part<R>& part) {
  return with_layers(model, part.kinds);
}

}  // namespace scaling
