// SPDX-License-Identifier: MIT
//
// What a training that changes a part of its model has beside the model's kernels, or lacks of
// them: adapters, matrices in few bits, and gradients that nobody asks for.
#pragma once

#include <array>
#include <span>

#include "scaling/input/run.hpp"
#include "scaling/model/kernels/parts.hpp"
#include "scaling/model/kernels/share.hpp"
#include "scaling/training/stages.hpp"
#include "scaling/training/step_input.hpp"

namespace scaling {

namespace term {

inline constexpr Term kTrainedParameters{"trainedParameters", "N_train", kParam, "lora"};
inline constexpr Term kBaseBytes{"baseBytes", "s_base", kByte / kParam, "qlora"};
inline constexpr Term kUnpackedBytes{"unpackedBytes", "s_unpacked", kByte, "qlora"};
inline constexpr Term kMoreLaunches{"moreLaunches", "f_launch", kOne, "lora"};

}  // namespace term

/// Whether an adapter stands beside a kernel's matrices.
template <class R>
bool has_adapter(const Tuning<R>& tuning, const Kernel<R>& kernel);

/// Whether a kernel's matrices are held in the base's format: all of the layers, but for routers
/// and what else recipes keep in 16 bits. Source: QLoRA, section 3; bitsandbytes, Linear4bit.
template <class R>
bool is_quantised(const Tuning<R>& tuning, const Kernel<R>& kernel);

/// The two matrices of an adapter beside `kernel`, with its copies and its division: from inputs to
/// the rank, and from there to outputs. Source: LoRA, section 4.1.
template <class R>
std::array<Kernel<R>, 2> adapter_of(const Tuning<R>& tuning, const Kernel<R>& kernel);

/// Bytes of a parameter of the model that is not trained, in matrices of its layers.
template <class R>
Quantity<kByte / kParam, R> base_bytes(const TrainingJob<R>& run);

/// All adapters of a model, whole; or, of `active` ones, those that a token passes.
template <class R>
Quantity<kParam, R> adapter_parameters(const Model<R>& model, const Tuning<R>& tuning,
                                       bool active = false);

/// Parameters that a training changes, of a model that has so many.
template <class R>
Quantity<kParam, R> trained_parameters(const Model<R>& model, const Tuning<R>& tuning,
                                       Quantity<kParam, R> all);

/// The parameters that a token is multiplied by in the layers that are trained, and its FLOPs there
/// in attention's own products forward.
template <class R>
struct LastOfToken {
  Quantity<kParam, R> multiplied;
  Quantity<kFlop / kToken, R> attention;
};
template <class R>
LastOfToken<R> last_of_token(const Model<R>& model, const TrainingJob<R>& run);

/// Parameters of the model in matrices that are held in the base's format.
template <class R>
Quantity<kParam, R> quantised_parameters(const Model<R>& model, const Tuning<R>& tuning);

/// Parameters of a stage on a chip that a training changes, which alone have gradients, an
/// optimizer's states and a master copy.
template <class R>
struct TrainedOfStage {
  Quantity<kParam, R> matrices, vocabulary, experts;
};
template <class R>
TrainedOfStage<R> trained_of(const Model<R>& model, const TrainingJob<R>& run,
                             const Layout<R>& layout, const Stage<R>& stage);

/// Weights that a chip holds of a stage, before states are sharded.
template <class R>
struct WeightsOfStage {
  Quantity<kByte, R> matrices, vocabulary, experts;

  Quantity<kByte, R> dense() const { return matrices + vocabulary; }
};
template <class R>
WeightsOfStage<R> weights_of(const Model<R>& model, const TrainingJob<R>& run,
                             const Layout<R>& layout, const Stage<R>& stage);

/// The widest matrix as it is dequantised before a matmul: it is there once.
template <class R>
Quantity<kByte, R> widest_restored(const Model<R>& model, const TrainingJob<R>& run,
                                   const Layout<R>& layout);

/// How software keeps tensors for the backward pass.
struct TensorCopies {
  bool unfused = false, adapter_casts = false;
  Constant quantised_inputs{};  ///< see StepConstants

  TensorCopies() = default;
  template <class R>
  explicit TensorCopies(const StepInput<R>& in)
      : unfused(in.stack.unfused),
        adapter_casts(in.stack.adapter_casts),
        quantised_inputs(in.constants.quantised_inputs) {}

  bool casts() const { return unfused && adapter_casts; }
};

/// The input of a matmul as a tensor that is kept.
template <class R>
KeptTensor<R> input_of(const Kernel<R>& kernel);

/// Whether a matmul that reads what `kernels[index]` keeps for gradients of weights has any: an
/// adapter, or matrices that are trained.
template <class R>
bool asks_inputs(const Tuning<R>& tuning, std::span<const Kernel<R>> kernels, std::size_t index);

/// Launches of the host for what a training has beside a layer's own kernels, and for gathers of
/// its modules, over those of a dense layer: see kLayerLaunches.
template <class R>
LayerMeans<R> more_launches(const StepInput<R>& in);

/// The same of unfused updates of a layer's adapters, once a step.
template <class R>
LayerMeans<R> launches_of_updates(const Model<R>& model, const Tuning<R>& tuning);

}  // namespace scaling
