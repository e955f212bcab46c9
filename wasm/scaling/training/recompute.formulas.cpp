// SPDX-License-Identifier: MIT
#include "scaling/training/recompute.hpp"

namespace scaling {
namespace {

template <class R>
using Bytes = Quantity<kByte, R>;

/// The share of layers that compute a tensor again, by its name.
template <class R>
Count<R> share_again(Dropped kind, double share) {
  const auto value = scalar<R>(share);
  switch (kind) {
    case Dropped::kNorms:
      return named<term::kAgainNorms>(value);
    case Dropped::kProduct:
      return named<term::kAgainProduct>(value);
    case Dropped::kQkv:
      return named<term::kAgainQkv>(value);
    case Dropped::kAttention:
      return named<term::kAgainAttention>(value);
    case Dropped::kHidden:
      return named<term::kAgainHidden>(value);
    case Dropped::kMiddle:
      return named<term::kAgainMiddle>(value);
    case Dropped::kResults:
    case Dropped::kNever:
      break;
  }
  return named<term::kAgainResults>(value);
}

/// The sum that a kept tensor belongs to.
template <class R>
Bytes<R>& tensor_of(LayerActivations<R>& result, const Kernel<R>& kernel, Dropped drop) {
  switch (drop) {
    case Dropped::kNorms:
      return result.norms;
    case Dropped::kProduct:
      return result.product;
    case Dropped::kQkv:
      return result.qkv;
    case Dropped::kAttention:
      return result.attention;
    case Dropped::kHidden:
      return result.hidden;
    case Dropped::kMiddle:
      return result.middle;
    case Dropped::kResults:
      return result.results;
    case Dropped::kNever:
      break;
  }
  return kernel.part == ParameterPart::kJoint ? result.input : result.experts;
}

/// Adds what software keeps beside the tensors of a layer: copies that kernels which fuse nothing
/// leave, weights that autocast makes of wider ones for each matmul, and what adapters ask for.
/// Source: transformers, LlamaRMSNorm, apply_rotary_pos_emb and LlamaMLP; PyTorch, autocast's
/// cached_cast; PEFT, Linear.forward.
template <class R>
class AddCopies {
 public:
  AddCopies(LayerActivations<R>& result, const TrainingJob<R>& run, const Layout<R>& layout,
            const TensorCopies& copies, Count<R> tokens, const KernelDegrees<R>& by)
      : result_(result), run_(run), layout_(layout), copies_(copies), tokens_(tokens), by_(by) {}

  void operator()(std::span<const Kernel<R>> kernels, const Count<R>& share) const {
    for (const Kernel<R>& kernel : kernels) {
      if (copies_.unfused) of_unfused(kernel, share);
      if (!has_adapter(run_, kernel)) continue;
      const auto input = input_of(kernel);
      const auto rank = bytes_of<R>(copies_.casts() ? Format::kFp32 : run_.activation_format);
      const bool experts = kernel.type == KernelType::kExperts;
      add(kernel,
          {run_.lora_rank, {}, experts ? KeptShare::kRouted : KeptShare::kWhole, input.drop}, rank,
          share);
      if (copies_.casts()) {
        add(kernel, input, bytes_of<R>(Format::kFp32), share);
      } else if (layout_.dropout && !kernel.joined) {
        add(kernel, input, constant<kByte, R>(1), share);
      }
    }
  }

 private:
  void of_unfused(const Kernel<R>& kernel, const Count<R>& share) const {
    const auto number = bytes_of<R>(run_.activation_format);
    const auto& [first, second] = kernel.kept;
    // A norm of copies in fp32, queries before they are turned, the activated half of a gated part.
    if (kernel.part == ParameterPart::kJoint && second.drop == Dropped::kNorms) {
      add(kernel, {second.numbers, {}, second.share, Dropped::kNorms}, number, share);
    } else if (kernel.projects == Projects::kQuery) {
      add(kernel, first, number, share);
    } else if (first.drop == Dropped::kProduct && kernel.read.value() > kernel.written.value()) {
      add(kernel, {first.numbers, {}, first.share, Dropped::kHidden}, number, share);
    }
    if (is_quantised(run_, kernel)) {
      if (kernel.joined || run_.base().unpacked != 0) return;
      add(kernel, input_of(kernel), scalar<R>(copies_.quantised_inputs) * number, share);
    } else if (casts_weights() && kernel.multiplies() && !kernel.again) {
      const auto numbers = elements(local(kernel, KernelBatch<R>{}, by_));
      result_.casts = result_.casts + number * (share * numbers);
    }
  }

  /// Gradients of inputs ask for the weights that matmuls took; those that FSDP gathers are cast
  /// on the way, and gathered again.
  bool casts_weights() const {
    return bytes_of<R>(run_.weight_format) > bytes_of<R>(run_.activation_format) &&
           layout_.sharding != StateSharding::kParameters;
  }

  void add(const Kernel<R>& kernel, const KeptTensor<R>& kept, Bytes<R> each,
           const Count<R>& share) const {
    auto& tensor = tensor_of(result_, kernel, kept.drop);
    tensor = tensor + each * (share * kept_numbers(kernel, kept, tokens_, by_));
  }

  LayerActivations<R>& result_;
  const TrainingJob<R>& run_;
  const Layout<R>& layout_;
  const TensorCopies& copies_;
  Count<R> tokens_;
  const KernelDegrees<R>& by_;
};

/// Bytes of a number that a matmul keeps for its backward pass, in the format that it computes in.
template <class R>
Quantity<kByte, R> matmul_input_bytes(const TrainingJob<R>& run, const Layout<R>& layout) {
  if (layout.fp8_matmuls) return bytes_of<R>(Format::kFp8);
  if (run.compute_format == Format::kFp4) return constant<kByte, R>(kNvfp4Width);
  return bytes_of<R>(run.activation_format);
}

}  // namespace

template <class R>
LayerActivations<R> layer_activations(const Model<R>& model, const TrainingJob<R>& run,
                                      const Layout<R>& layout, bool sparse, Count<R> imbalance,
                                      const TensorCopies& copies) {
  const auto degrees = kernel_degrees(layout, imbalance);
  const auto tokens = as<kOne>(micro_batch_tokens(run, layout));
  const auto number = bytes_of<R>(run.activation_format);
  const auto matmul_input = matmul_input_bytes(run, layout);
  const auto one_byte = constant<kByte, R>(1);
  const bool naive = layout.attention_kernel == AttentionKernel::kNaive;
  const auto bytes_each = [&](KeptFormat format) -> Bytes<R> {
    switch (format) {
      case KeptFormat::kActivation:
        break;
      case KeptFormat::kMatmulInput:
        return matmul_input;
      case KeptFormat::kFp32:
        return bytes_of<R>(Format::kFp32);
    }
    return number;
  };
  LayerActivations<R> result{};
  // Numbers of gradients, which have the format of activations whatever matmuls take.
  Count<R> of_attention{}, of_feed_forward{}, score_rows{};
  // Fused kernels of a feed-forward part with adapters write its gradients over what they came
  // from: one tensor as wide as an input of the activation function is new. Source: Unsloth,
  // swiglu_DWf_DW_dfg_kernel.
  const bool in_place = run.adapts() && !copies.unfused;
  const auto sparse_layers = moe_layers(model);
  each_part(model, [&](const LayerPart<R>& part, std::span<const Kernel<R>> kernels) {
    if (!part.mixes && part.has_experts() != sparse) return;
    const auto share = part.layers / (part.mixes ? model.layers
                                      : sparse   ? sparse_layers
                                                 : model.layers - sparse_layers);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      const Kernel<R>& kernel = kernels[i];
      for (const KeptTensor<R>& kept : kernel.kept) {
        if (!given(kept.numbers)) continue;
        // Gradients of frozen weights ask for no inputs.
        if (kept.format == KeptFormat::kMatmulInput &&
            (!asks_inputs(run, kernels, i) || (run.adapts() && copies.casts()))) {
          continue;
        }
        if (kept.drop == Dropped::kResults && !layout.expert_results) continue;
        // The sums of rows are FlashAttention's; kernels without it keep all scores.
        const bool of_rows = kept.format == KeptFormat::kFp32 && kept.drop == Dropped::kAttention;
        const auto numbers = share * kept_numbers(kernel, kept, tokens, degrees);
        if (of_rows && naive) {
          score_rows = score_rows + numbers;
          continue;
        }
        auto& tensor = tensor_of(result, kernel, kept.drop);
        const bool fp8_hidden = kept.drop == Dropped::kHidden && layout.fp8_hidden;
        const auto bytes = fp8_hidden ? bytes_of<R>(Format::kFp8) : bytes_each(kept.format);
        tensor = tensor + bytes * numbers;
        if (of_rows || kernel.part == ParameterPart::kJoint) continue;
        if (kept.drop == Dropped::kQkv || kept.drop == Dropped::kAttention) {
          of_attention = of_attention + numbers;
        } else if (kept.drop == Dropped::kHidden) {
          of_feed_forward =
              of_feed_forward + (in_place && model.gated_feed_forward ? numbers / 2.0 : numbers);
        } else if (!in_place &&
                   (kept.drop == Dropped::kProduct || kept.drop == Dropped::kResults)) {
          of_feed_forward = of_feed_forward + numbers;
        }
      }
    }
    if (copies.unfused || run.adapts()) {
      AddCopies<R>(result, run, layout, copies, tokens, degrees)(kernels, share);
    }
    if (layout.dropout && !run.adapts()) {
      const auto rows = layout.sequence_parallel ? tokens / layout.tensor : tokens;
      result.masks = result.masks + share * (one_byte * rows * model.hidden);
    }
  });
  if (naive) {
    const auto scores = score_rows * as<kOne>(run.sequence_length);
    result.scores = layout.dropout ? (2.0 * number + one_byte) * scores : number * scores;
    of_attention = of_attention + scores;
  }
  result.gradients = result.input + number * max(of_feed_forward, of_attention);
  return result;
}

template <class R>
LayerActivations<R> kept_tensors(const LayerActivations<R>& activations, const Model<R>& model,
                                 const TrainingJob<R>& run, const Layout<R>& layout,
                                 const DroppedShares& dropped) {
  LayerActivations<R> kept{};
  switch (layout.recompute) {
    case Recompute::kNone:
      return activations;
    case Recompute::kSelective:
      if (dropped != DroppedShares{}) break;
      kept = activations;
      kept.scores = Bytes<R>{};
      return kept;
    case Recompute::kFull:
      kept.input = activations.input;
      return kept;
    case Recompute::kEveryN:
      kept.input = activations.input / layout.recompute_layers;
      return kept;
    case Recompute::kCopies: {
      const auto tokens = as<kOne>(micro_batch_tokens(run, layout));
      const auto rows = layout.sequence_parallel ? tokens / layout.tensor : tokens;
      kept.input = bytes_of<R>(run.activation_format) * rows * model.hidden * layout.saved_copies;
      return kept;
    }
    case Recompute::kCheapest:
      break;
  }
  kept = activations;
  const auto drop = [&](Dropped kind, Bytes<R>& tensor) {
    const double part = dropped[static_cast<std::size_t>(kind)];
    if (part >= 1) {
      tensor = Bytes<R>{};
    } else if (part > 0) {
      tensor = (scalar<R>(1) - share_again<R>(kind, part)) * tensor;
    }
  };
  drop(Dropped::kNorms, kept.norms);
  drop(Dropped::kProduct, kept.product);
  drop(Dropped::kQkv, kept.qkv);
  drop(Dropped::kAttention, kept.attention);
  drop(Dropped::kAttention, kept.scores);
  drop(Dropped::kHidden, kept.hidden);
  drop(Dropped::kMiddle, kept.middle);
  drop(Dropped::kResults, kept.results);
  return kept;
}

template <class R>
Kept<R> keep(const LayerActivations<R>& activations, const LayerWork<R>& work, bool sparse,
             const Model<R>& model, const TrainingJob<R>& run, const Layout<R>& layout,
             const DroppedShares& dropped) {
  const auto total = activations.total();
  Kept<R> result{};
  result.bytes = kept_tensors(activations, model, run, layout, dropped).total();
  // What is computed again as needed is dropped where room lacks, rather than sent.
  result.sendable = layout.recompute == Recompute::kCheapest
                        ? activations.input + activations.experts + activations.masks
                        : result.bytes;
  result.gradients = activations.gradients;
  result.largest = activations.largest();
  const auto pass_again = [&](Bytes<R> working) {
    result.working = working;
    result.work = sparse ? work.sparse_forward() : work.dense_forward();
    result.sums = result.others = scalar<R>(1);
    return result;
  };
  switch (layout.recompute) {
    case Recompute::kNone:
      return result;
    case Recompute::kSelective:
      if (dropped != DroppedShares{}) break;
      if (activations.scores.value() <= 0) return result;
      result.working = activations.scores;
      result.work = work.attention;
      return result;
    case Recompute::kFull:
      result.working = total - result.bytes;
      result.compute_all(work, sparse, layout.sequence_parallel);
      return result;
    case Recompute::kEveryN:
      return pass_again(layout.recompute_layers * total - result.bytes);
    case Recompute::kCopies:
      return pass_again(max(total - result.bytes, Bytes<R>{}));
    case Recompute::kCheapest:
      break;
  }
  const auto drop = [&](Dropped kind, Bytes<R> bytes) {
    const double part = dropped[static_cast<std::size_t>(kind)];
    if (part <= 0) return;
    result.working = result.working + bytes;
    result.work = result.work + share_again<R>(kind, part) * work.again(kind, sparse);
  };
  drop(Dropped::kNorms, activations.norms);
  drop(Dropped::kProduct, activations.product);
  drop(Dropped::kQkv, activations.qkv);
  drop(Dropped::kAttention, activations.attention + activations.scores);
  drop(Dropped::kHidden, activations.hidden);
  drop(Dropped::kMiddle, activations.middle);
  drop(Dropped::kResults, activations.results);
  // The sum over tensor ways that attention ends with is repeated: a quarter of the forward
  // transfers.
  const double middle = dropped[static_cast<std::size_t>(Dropped::kMiddle)];
  if (middle > 0) result.sums = scalar<R>(middle / 4);
  return result;
}

template LayerActivations<SCALING_REP> layer_activations(const Model<SCALING_REP>&,
                                                         const TrainingJob<SCALING_REP>&,
                                                         const Layout<SCALING_REP>&, bool,
                                                         Count<SCALING_REP>, const TensorCopies&);
template LayerActivations<SCALING_REP> kept_tensors(const LayerActivations<SCALING_REP>&,
                                                    const Model<SCALING_REP>&,
                                                    const TrainingJob<SCALING_REP>&,
                                                    const Layout<SCALING_REP>&,
                                                    const DroppedShares&);
template Kept<SCALING_REP> keep(const LayerActivations<SCALING_REP>&, const LayerWork<SCALING_REP>&,
                                bool, const Model<SCALING_REP>&, const TrainingJob<SCALING_REP>&,
                                const Layout<SCALING_REP>&, const DroppedShares&);

}  // namespace scaling
