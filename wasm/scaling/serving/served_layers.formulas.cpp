// SPDX-License-Identifier: MIT
#include "scaling/serving/served_layers.hpp"

namespace scaling {
namespace {

/// Sums over the kernels of one part.
struct PartTraits {
  bool norm = false, state = false, latent = false, index = false;
};

template <class R>
PartTraits traits_of(std::span<const Kernel<R>> kernels) {
  PartTraits traits;
  for (const Kernel<R>& kernel : kernels) {
    if (given(kernel.handed)) traits.norm = true;
    if (kernel.type == KernelType::kScan && given(kernel.cache.state)) traits.state = true;
    if (kernel.type != KernelType::kAttention) continue;
    if (given(kernel.heads.rank)) traits.latent = true;
    if (!kernel.attends()) traits.index = true;
  }
  return traits;
}

template <class R>
void add_transfers(ServedLayers<R>& all, const LayerPart<R>& part,
                   std::span<const Kernel<R>> kernels, const Count<R>& hidden) {
  for (const Kernel<R>& kernel : kernels) {
    if (kernel.before.kind == KernelCollective::kDispatch) {
      all.experts.inputs = kernel.before.numbers;
    }
    if (kernel.type == KernelType::kExperts) {
      all.experts.gated = all.experts.gated || kernel.joined;
      if (kernel.divided == DividedBy::kOutputs) all.experts.width = kernel.outputs;
    }
    // The sum behind experts adds what is beside them, too; see tensor_transfers.
    if (kernel.behind.kind != KernelCollective::kSum || part.has_experts()) continue;
    if (kernel.behind.numbers < hidden) {
      all.narrow_sums = all.narrow_sums + part.layers;
      all.narrow = kernel.behind.numbers;
    } else {
      all.sums = all.sums + part.layers;
    }
  }
}

}  // namespace

template <class R>
ServedLayers<R> served_layers(const Model<R>& model) {
  ServedLayers<R> all{};
  Count<R> parts{};
  each_part(model, [&](const LayerPart<R>& part, std::span<const Kernel<R>> kernels) {
    const auto add = [&](Count<R>& sum) { sum = sum + part.layers; };
    const auto traits = traits_of(kernels);
    add(parts);
    if (part.mixes) add(all.mixing);
    if (part.has_experts()) add(all.experts.layers);
    if (!traits.norm) add(all.normless);
    if (traits.state) add(all.eager_state);
    if (traits.latent) add(all.eager_latent);
    if (traits.index) add(all.eager_index);
    add_transfers(all, part, kernels, model.hidden);
  });
  all.whole = parts.value() == 2 * model.layers.value() ? model.layers : parts / 2.0;
  return all;
}

template ServedLayers<SCALING_REP> served_layers(const Model<SCALING_REP>&);

}  // namespace scaling
