// SPDX-License-Identifier: MIT
#include "scaling/training/tuning.hpp"

#include "scaling/training/launches.hpp"
#include "scaling/training/layer_work.hpp"

namespace scaling {
namespace {

template <class R>
using Bytes = Quantity<kByte, R>;

/// Launches of an adapter, unfused and fused, and of one use of a quantised matrix. Counted in
/// traces of PEFT: casts, dropout, two matmuls, a scale and a sum, and twice as many back.
constexpr double kAdapterLaunches = 18, kFusedAdapterLaunches = 8;
constexpr double kRestoringLaunches = 5, kFusedRestoringLaunches = 1;
/// Launches of a module's hooks in a pass, where its weights are gathered for it: a buffer, a view
/// and a gather of its part, an event and waits, an empty tensor where they are freed, and two
/// functions of autograd around the module. Counted in DeepSpeed's
/// partitioned_param_coordinator.py, partition_parameters.py and parameter_offload.py.
constexpr double kGatherLaunches = 12;
/// Launches of an adapter's update, unfused: those of Adam, of clipping and of zeroing gradients.
constexpr double kUpdateLaunches = 12;

bool of_layers(FormatClass format) {
  switch (format) {
    case FormatClass::kAttention:
    case FormatClass::kDense:
    case FormatClass::kExpert:
      return true;
    case FormatClass::kSixteenBit:
    case FormatClass::kHead:
      break;
  }
  return false;
}

/// Layers that have a part among so many dense ones and so many with experts: their share of all.
template <class R>
Count<R> share_of(const Model<R>& model, const LayerPart<R>& part, Count<R> sparse_layers,
                  Count<R> dense, Count<R> sparse) {
  if (part.mixes) return part.layers / model.layers * (dense + sparse);
  if (part.has_experts()) return part.layers / sparse_layers * sparse;
  return part.layers / (model.layers - sparse_layers) * dense;
}

}  // namespace

template <class R>
bool has_adapter(const Tuning<R>& tuning, const Kernel<R>& kernel) {
  if (!tuning.adapts() || !kernel.multiplies() || kernel.again || !of_layers(kernel.format)) {
    return false;
  }
  switch (tuning.lora_targets) {
    case LoraTargets::kAll:
      break;
    case LoraTargets::kAttention:
      return kernel.format == FormatClass::kAttention;
    case LoraTargets::kQkv:
      return kernel.projects != Projects::kOther;
    case LoraTargets::kQueryValue:
      return kernel.projects == Projects::kQuery || kernel.projects == Projects::kValue;
    case LoraTargets::kFeedForward:
      return kernel.format != FormatClass::kAttention;
  }
  return true;
}

template <class R>
bool is_quantised(const Tuning<R>& tuning, const Kernel<R>& kernel) {
  return tuning.quantises() && kernel.multiplies() && !kernel.again && of_layers(kernel.format);
}

template <class R>
std::array<Kernel<R>, 2> adapter_of(const Tuning<R>& tuning, const Kernel<R>& kernel) {
  Kernel<R> down;
  down.type = kernel.type;
  down.format = FormatClass::kSixteenBit;
  down.rows = kernel.rows;
  down.contraction = kernel.contraction;
  down.outputs = tuning.lora_rank;
  down.copies = kernel.copies;
  down.chosen = kernel.chosen;
  Kernel<R> up = down;
  up.contraction = tuning.lora_rank;
  up.outputs = kernel.outputs;
  switch (kernel.divided) {
    case DividedBy::kNothing:
      break;
    case DividedBy::kOutputs:
      up.divided = kernel.divided;
      up.grain = kernel.grain;
      break;
    case DividedBy::kInputs:
      down.divided = kernel.divided;
      down.grain = kernel.grain;
      break;
    case DividedBy::kCopies:
      down.divided = up.divided = kernel.divided;
      break;
  }
  return {down, up};
}

template <class R>
Quantity<kByte / kParam, R> base_bytes(const TrainingJob<R>& run) {
  if (!run.quantises()) return bytes_of<R, kByte / kParam>(run.weight_format);
  return named_number<term::kBaseBytes, R>(run.base().bits / 8);
}

template <class R>
Quantity<kParam, R> adapter_parameters(const Model<R>& model, const Tuning<R>& tuning,
                                       bool active) {
  Count<R> sum{};
  each_part(model, [&](const LayerPart<R>& part, std::span<const Kernel<R>> kernels) {
    for (const Kernel<R>& kernel : kernels) {
      if (!has_adapter(tuning, kernel)) continue;
      const bool experts = kernel.type == KernelType::kExperts;
      const auto copies = own_or(experts && active ? kernel.chosen : kernel.copies, one<R>());
      sum = sum + part.layers * copies * (tuning.lora_rank * (kernel.contraction + kernel.outputs));
    }
  });
  return named<term::kTrainedParameters>(as<kParam>(sum));
}

template <class R>
Quantity<kParam, R> trained_parameters(const Model<R>& model, const Tuning<R>& tuning,
                                       Quantity<kParam, R> all) {
  if (tuning.adapts()) return adapter_parameters(model, tuning);
  if (!tuning.ends_early()) return all;
  const auto last = last_layers(model, tuning);
  const auto each = layer_parameters(model.pattern.differs() ? model_of(model, last) : model);
  auto sum = (last.dense + last.sparse) * (each.attention + each.norms);
  if (last.dense.value() > 0) sum = sum + last.dense * each.feed_forward;
  if (last.sparse.value() > 0) {
    sum = sum + last.sparse * (each.router + each.shared + each.experts);
  }
  if (tuning.train_head) {
    const auto ends = end_parameters(model);
    sum = sum + ends.head + ends.norms;
  }
  return named<term::kTrainedParameters>(sum);
}

template <class R>
LastOfToken<R> last_of_token(const Model<R>& model, const TrainingJob<R>& run) {
  const auto last = last_layers(model, run);
  const auto length = as<kOne>(run.attention_length());
  const bool causal = run.attention_mask == AttentionMask::kCausal;
  Count<R> multiplied{}, products{};
  const auto fold = [&](const Model<R>& of) {
    const auto sparse_layers = moe_layers(of);
    each_part(of, [&](const LayerPart<R>& part, std::span<const Kernel<R>> kernels) {
      const auto layers = share_of(of, part, sparse_layers, last.dense, last.sparse);
      for (const Kernel<R>& kernel : kernels) {
        products = products + layers * products_of(kernel, length, causal);
        if (!kernel.multiplies() || kernel.form == KernelForm::kAbsorbed) continue;
        const bool experts = kernel.type == KernelType::kExperts;
        multiplied = multiplied + layers *
                                      own_or(experts ? kernel.chosen : kernel.copies, one<R>()) *
                                      (kernel.contraction * kernel.outputs);
      }
    });
  };
  fold(model.pattern.differs() ? model_of(model, last) : model);
  return {as<kParam>(multiplied), constant<kFlop / kToken, R>(2) * products};
}

template <class R>
Quantity<kParam, R> quantised_parameters(const Model<R>& model, const Tuning<R>& tuning) {
  Count<R> sum{};
  each_part(model, [&](const LayerPart<R>& part, std::span<const Kernel<R>> kernels) {
    for (const Kernel<R>& kernel : kernels) {
      if (!is_quantised(tuning, kernel)) continue;
      sum = sum +
            part.layers * own_or(kernel.copies, one<R>()) * (kernel.contraction * kernel.outputs);
    }
  });
  return as<kParam>(sum);
}

template <class R>
TrainedOfStage<R> trained_of(const Model<R>& model, const TrainingJob<R>& run,
                             const Layout<R>& layout, const Stage<R>& stage) {
  if (run.ends_early()) {
    const auto& back = stage.back;
    if (run.freezes_head()) return {back.matrices, {}, back.experts};
    return {back.matrices, back.vocabulary, back.experts};
  }
  if (!run.adapts()) {
    const bool some = stage.frozen.value() > 0;
    return {stage.matrices, some ? stage.vocabulary - stage.frozen : stage.vocabulary,
            stage.experts};
  }
  const auto by = kernel_degrees(layout, one<R>());
  const auto sparse_layers = moe_layers(model);
  TrainedOfStage<R> trained{};
  each_part(model, [&](const LayerPart<R>& part, std::span<const Kernel<R>> kernels) {
    const auto layers = share_of(model, part, sparse_layers, stage.dense, stage.sparse);
    for (const Kernel<R>& kernel : kernels) {
      if (!has_adapter(run, kernel)) continue;
      auto& sum = kernel.type == KernelType::kExperts ? trained.experts : trained.matrices;
      for (const Kernel<R>& each : adapter_of(run, kernel)) {
        sum = sum + as<kParam>(layers * elements(local(each, KernelBatch<R>{}, by)));
      }
    }
  });
  return trained;
}

template <class R>
WeightsOfStage<R> weights_of(const Model<R>& model, const TrainingJob<R>& run,
                             const Layout<R>& layout, const Stage<R>& stage) {
  const auto weight = bytes_of<R, kByte / kParam>(run.weight_format);
  WeightsOfStage<R> weights{weight * stage.matrices, weight * stage.vocabulary,
                            weight * stage.experts};
  if (!run.adapts()) return weights;
  if (run.quantises()) {
    const auto base = base_bytes(run);
    weights.matrices = base * stage.multiplied + weight * (stage.matrices - stage.multiplied);
    weights.experts = base * stage.experts;
  }
  const auto adapters = trained_of(model, run, layout, stage);
  weights.matrices = weights.matrices + weight * adapters.matrices;
  weights.experts = weights.experts + weight * adapters.experts;
  return weights;
}

template <class R>
Bytes<R> widest_restored(const Model<R>& model, const TrainingJob<R>& run,
                         const Layout<R>& layout) {
  Count<R> widest{};
  if (!run.quantises()) return {};
  const auto by = kernel_degrees(layout, one<R>());
  each_part(model, [&](const LayerPart<R>&, std::span<const Kernel<R>> kernels) {
    for (const Kernel<R>& kernel : kernels) {
      if (is_quantised(run, kernel)) {
        widest = max(widest, elements(local(kernel, KernelBatch<R>{}, by)));
      }
    }
  });
  return bytes_of<R>(run.activation_format) * widest;
}

template <class R>
KeptTensor<R> input_of(const Kernel<R>& kernel) {
  const bool inner = kernel.divided == DividedBy::kInputs;  // of a part, divided as that is
  if (kernel.type == KernelType::kExperts) {
    if (!inner) return {kernel.contraction, {}, KeptShare::kRouted, Dropped::kNever};
    return {kernel.chosen * kernel.contraction, {}, KeptShare::kTensor, Dropped::kProduct};
  }
  if (!inner) return {kernel.contraction, {}, KeptShare::kSequence, Dropped::kNorms};
  const bool mixes = kernel.part == ParameterPart::kMixer;
  return {
      kernel.contraction, {}, KeptShare::kTensor, mixes ? Dropped::kAttention : Dropped::kProduct};
}

template <class R>
bool asks_inputs(const Tuning<R>& tuning, std::span<const Kernel<R>> kernels, std::size_t index) {
  if (!tuning.adapts()) return true;
  const auto& numbers = kernels[index].kept[0].format == KeptFormat::kMatmulInput
                            ? kernels[index].kept[0].numbers
                            : kernels[index].kept[1].numbers;
  bool behind = true;  // what stands before the next tensor of this kind reads this one
  for (std::size_t i = index + 1; i < kernels.size(); ++i) {
    const Kernel<R>& kernel = kernels[i];
    if (!kernel.multiplies()) {
      for (const KeptTensor<R>& kept : kernel.kept) {
        if (given(kept.numbers) && kept.format == KeptFormat::kMatmulInput) behind = false;
      }
      if (kernel.type != KernelType::kMove) behind = false;
      continue;
    }
    // Dense parts beside experts read what goes to these.
    const bool beside = kernel.type != KernelType::kExperts && kernel.rows == RowsOf::kAll &&
                        kernel.format == FormatClass::kDense &&
                        kernel.contraction.value() == numbers.value();
    if ((behind || beside) && has_adapter(tuning, kernel)) return true;
  }
  return false;
}

namespace {

/// The mean launches of a layer over those of its own kernels, where `each` counts a kernel's.
template <class R, class Each>
LayerMeans<R> launches_beside(const Model<R>& model, Each each) {
  LayerMeans<R> more{};
  const auto sparse_layers = moe_layers(model);
  each_part(model, [&](const LayerPart<R>& part, std::span<const Kernel<R>> kernels) {
    double launches = 0;
    for (const Kernel<R>& kernel : kernels) launches += each(kernel);
    const auto share = named_number<term::kMoreLaunches, R>(launches / kLayerLaunches);
    more.add(model, sparse_layers, part, share);
  });
  return more;
}

}  // namespace

template <class R>
LayerMeans<R> more_launches(const StepInput<R>& in) {
  const TrainingJob<R>& tuning = in.run;
  const bool unfused = in.stack.unfused;
  const bool gathers = in.stack.module_gathers && in.layout.sharding == StateSharding::kParameters;
  if (!tuning.adapts() && !gathers) return {};
  return launches_beside(in.model, [&](const Kernel<R>& kernel) {
    double launches = 0;
    if (gathers && kernel.multiplies() && !kernel.again) {
      // Forward and back, of the matrix and of the two of its adapter, for each expert alone.
      const double modules = own_or(kernel.copies, one<R>()).value();
      launches += 2 * kGatherLaunches * modules * (has_adapter(tuning, kernel) ? 3 : 1);
    }
    // Matrices that read the same rows are one module, as they are one matmul.
    if (kernel.joined) return launches;
    if (has_adapter(tuning, kernel)) launches += unfused ? kAdapterLaunches : kFusedAdapterLaunches;
    // Forward, and for gradients of its inputs.
    if (is_quantised(tuning, kernel)) {
      launches += 2 * (unfused ? kRestoringLaunches : kFusedRestoringLaunches);
    }
    return launches;
  });
}

template <class R>
LayerMeans<R> launches_of_updates(const Model<R>& model, const Tuning<R>& tuning) {
  // Each target has parameters of its own, whatever launches them.
  return launches_beside(model, [&](const Kernel<R>& kernel) {
    return has_adapter(tuning, kernel) ? kUpdateLaunches : 0;
  });
}

template bool has_adapter(const Tuning<SCALING_REP>&, const Kernel<SCALING_REP>&);
template bool is_quantised(const Tuning<SCALING_REP>&, const Kernel<SCALING_REP>&);
template std::array<Kernel<SCALING_REP>, 2> adapter_of(const Tuning<SCALING_REP>&,
                                                       const Kernel<SCALING_REP>&);
template Quantity<kByte / kParam, SCALING_REP> base_bytes(const TrainingJob<SCALING_REP>&);
template Quantity<kParam, SCALING_REP> adapter_parameters(const Model<SCALING_REP>&,
                                                          const Tuning<SCALING_REP>&, bool);
template Quantity<kParam, SCALING_REP> trained_parameters(const Model<SCALING_REP>&,
                                                          const Tuning<SCALING_REP>&,
                                                          Quantity<kParam, SCALING_REP>);
template LastOfToken<SCALING_REP> last_of_token(const Model<SCALING_REP>&,
                                                const TrainingJob<SCALING_REP>&);
template Quantity<kParam, SCALING_REP> quantised_parameters(const Model<SCALING_REP>&,
                                                            const Tuning<SCALING_REP>&);
template TrainedOfStage<SCALING_REP> trained_of(const Model<SCALING_REP>&,
                                                const TrainingJob<SCALING_REP>&,
                                                const Layout<SCALING_REP>&,
                                                const Stage<SCALING_REP>&);
template WeightsOfStage<SCALING_REP> weights_of(const Model<SCALING_REP>&,
                                                const TrainingJob<SCALING_REP>&,
                                                const Layout<SCALING_REP>&,
                                                const Stage<SCALING_REP>&);
template Bytes<SCALING_REP> widest_restored(const Model<SCALING_REP>&,
                                            const TrainingJob<SCALING_REP>&,
                                            const Layout<SCALING_REP>&);
template KeptTensor<SCALING_REP> input_of(const Kernel<SCALING_REP>&);
template bool asks_inputs(const Tuning<SCALING_REP>&, std::span<const Kernel<SCALING_REP>>,
                          std::size_t);
template LayerMeans<SCALING_REP> more_launches(const StepInput<SCALING_REP>&);
template LayerMeans<SCALING_REP> launches_of_updates(const Model<SCALING_REP>&,
                                                     const Tuning<SCALING_REP>&);

}  // namespace scaling
