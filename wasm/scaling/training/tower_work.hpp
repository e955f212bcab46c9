// SPDX-License-Identifier: MIT
//
// The tower of a training whose sequences have images: it stands with the embedding, on the first
// stage.
#pragma once

#include "scaling/model/tower.hpp"
#include "scaling/training/kernel_prices.hpp"

namespace scaling {

/// The step of a tower: a model of its own, whose sequences are images. Its layers are divided as
/// those behind it, compute in 16 bits, and see all of an image.
template <class R>
struct TowerStep {
  const Chip<R>& chip;
  const Stack<R>& stack;
  const Assumptions<R>& assumptions;
  Model<R> model;
  TrainingJob<R> run;
  Layout<R> layout;

  /// `length`: what stands in it of an image, patches or tokens.
  TowerStep(const StepInput<R>& in, Quantity<kToken, R> length)
      : chip(in.chip),
        stack(in.stack),
        assumptions(in.assumptions),
        model(tower_of(in.model)),
        run(in.run),
        layout(in.layout) {
    static_cast<Tuning<R>&>(run) = {};
    run.corpus = Corpus::kTokens;
    run.sequence_length = length;
    run.attention_mask = AttentionMask::kFull;
    if (run.compute_format == Format::kFp4) run.compute_format = Format::kBf16;
    layout.fp8_matmuls = false;
    layout.micro_batch = in.layout.micro_batch * in.run.images;
  }

  StepInput<R> input(const StepInput<R>& in) const {
    return StepInput<R>(*this, in.constants, in.kernels);
  }
};

/// The work of a tower and its projector for the images of a micro-batch. Trained, it keeps what
/// goes into each layer and computes the layer again.
template <class R>
PassWork<R> tower_work(const StepInput<R>& in, WorkOf of);

/// The bytes that a stage keeps of a trained tower for its backward pass, of all micro-batches in
/// flight: inputs of each layer; 0 on a stage without one.
template <class R>
Quantity<kByte, R> tower_kept(const Model<R>& model, const TrainingJob<R>& run,
                              const Layout<R>& layout, const Stage<R>& stage) {
  if (!stage.embedding || !run.trains_tower()) return {};
  const auto patches =
      run.images * as<kOne>(model.image_patches) * layout.micro_batch / layout.context;
  const auto kept =
      bytes_of<R>(run.activation_format) * patches * model.tower_hidden * model.tower_layers;
  return stage.in_flight * (layout.sequence_parallel ? kept / layout.tensor : kept);
}

}  // namespace scaling
