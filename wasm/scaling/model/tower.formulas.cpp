// SPDX-License-Identifier: MIT
#include "scaling/model/tower.hpp"

#include "scaling/model/kernels/parts.hpp"
#include "scaling/model/kernels/share.hpp"

namespace scaling {
namespace {

/// Sums over the kernels of a tower's layers.
template <class R>
struct TowerSums {
  Count<R> multiplied{}, norms{};  ///< parameters
  Count<R> products{};             ///< of a patch, without weights

  explicit TowerSums(const Model<R>& model) {
    each_part(tower_of(model), [&](const LayerPart<R>& part, std::span<const Kernel<R>> kernels) {
      for (const Kernel<R>& kernel : kernels) {
        const auto weights = kernel.contraction * kernel.outputs;
        if (kernel.multiplies()) multiplied = multiplied + part.layers * weights;
        norms = norms + part.layers * kernel.norms;
        products = products + part.layers * products_of(kernel, model.image_patches, false);
      }
    });
  }
};

}  // namespace

template <class R>
Model<R> tower_of(const Model<R>& model) {
  Model<R> tower{};
  tower.layers = model.tower_layers;
  tower.hidden = model.tower_hidden;
  tower.feed_forward = model.tower_feed_forward;
  tower.heads = model.tower_heads;
  tower.kv_heads = model.tower_heads;
  tower.head_dim =
      given(model.tower_head_dim) ? model.tower_head_dim : model.tower_hidden / model.tower_heads;
  tower.sliding_window = model.tower_window;
  tower.windowed_layers = model.tower_windowed_layers;
  tower.gated_feed_forward = model.tower_gated;
  tower.norms_per_layer = scalar<R>(2);
  return tower;
}

template <class R>
Kernel<R> projector_of(const Model<R>& model) {
  Kernel<R> projector;
  projector.name = "projector";
  projector.divided = DividedBy::kOutputs;
  projector.contraction = as<kOne>(model.projector_parameters) / model.hidden;
  projector.outputs = model.hidden;
  return projector;
}

template <class R>
Quantity<kParam, R> tower_parameters(const Model<R>& model) {
  const TowerSums<R> layers(model);
  return named<term::kTowerParameters>(as<kParam>(layers.multiplied + layers.norms) +
                                       model.tower_rest + model.projector_parameters);
}

template <class R>
Quantity<kFlop, R> image_flops(const Model<R>& model) {
  const TowerSums<R> layers(model);
  const auto projected = as<kOne>(model.image_tokens) * as<kOne>(model.projector_parameters);
  return named<term::kImageFlops>(
      constant<kFlop, R>(2) *
      (model.image_patches * (layers.multiplied + layers.products) + projected));
}

template Model<SCALING_REP> tower_of(const Model<SCALING_REP>&);
template Kernel<SCALING_REP> projector_of(const Model<SCALING_REP>&);
template Quantity<kParam, SCALING_REP> tower_parameters(const Model<SCALING_REP>&);
template Quantity<kFlop, SCALING_REP> image_flops(const Model<SCALING_REP>&);

}  // namespace scaling
