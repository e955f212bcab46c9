// SPDX-License-Identifier: MIT
#include "scaling/model/transformer.hpp"

#include "scaling/model/kernels/parts.hpp"
#include "scaling/model/kernels/share.hpp"

namespace scaling {
namespace {

template <class R>
Quantity<kParam, R> parameters(Count<R> elements) {
  return as<kParam>(elements);
}

/// The sum of what `of` says of each kernel of all layers.
template <class R, class Of>
auto sum_over_layers(const Model<R>& model, Of of) {
  decltype(of(Kernel<R>{})) sum{};
  each_part(model, [&](const LayerPart<R>& part, std::span<const Kernel<R>> kernels) {
    decltype(sum) of_part{};
    for (const Kernel<R>& kernel : kernels) of_part = of_part + of(kernel);
    sum = sum + part.layers * of_part;
  });
  return sum;
}

// --- parameters ---

/// Weights of one of a kernel's matrices.
template <class R>
Count<R> matrix(const Kernel<R>& kernel) {
  return kernel.multiplies() ? kernel.contraction * kernel.outputs : Count<R>{};
}

/// Parameters of a list of kernels by what they count as, in elements.
template <class R>
struct PartParameters {
  std::array<Count<R>, kParameterParts> of{};
  Count<R> norms{};  ///< inside mixers and experts

  Count<R>& operator[](ParameterPart part) { return of[static_cast<std::size_t>(part)]; }
  const Count<R>& operator[](ParameterPart part) const {
    return of[static_cast<std::size_t>(part)];
  }
  Count<R> joints() const { return (*this)[ParameterPart::kJoint] + norms; }

  friend PartParameters operator+(PartParameters a, const PartParameters& b) {
    for (std::size_t i = 0; i < kParameterParts; ++i) a.of[i] = a.of[i] + b.of[i];
    a.norms = a.norms + b.norms;
    return a;
  }
  friend PartParameters operator*(Count<R> n, PartParameters a) {
    for (Count<R>& each : a.of) each = n * each;
    a.norms = n * a.norms;
    return a;
  }
};

/// The part of a kernel's parameters that is counted.
enum class CountOf : std::uint8_t {
  kStored,      ///< all
  kActive,      ///< those a token passes through; the book counts an embedding's table among them
  kMultiplied,  ///< those a token is multiplied by
};

template <class R>
void add_counted(PartParameters<R>& sum, const Kernel<R>& kernel, CountOf counted) {
  auto& of_part = sum[kernel.part];
  const bool experts = kernel.type == KernelType::kExperts;
  const auto weights = matrix(kernel);
  if (counted == CountOf::kMultiplied) {
    if (kernel.form == KernelForm::kAbsorbed) return;
    of_part = of_part + own_or(experts ? kernel.chosen : kernel.copies, one<R>()) * weights;
    return;
  }
  const bool stored = counted == CountOf::kStored;
  Count<R> own = kernel.extras;
  if (experts) {
    own = (stored ? kernel.copies : kernel.chosen) * (weights + kernel.extras);
  } else if (!kernel.again) {
    own = own_or(kernel.copies, one<R>()) * weights + kernel.extras;
    if (stored || kernel.format == FormatClass::kHead) own = own + kernel.table;
  }
  if (kernel.part == ParameterPart::kJoint) {
    own = own + kernel.norms;
  } else {
    sum.norms = sum.norms + kernel.norms;
  }
  of_part = of_part + own;
}

template <class R>
PartParameters<R> count(std::span<const Kernel<R>> kernels, CountOf counted) {
  PartParameters<R> sum;
  for (const Kernel<R>& kernel : kernels) add_counted(sum, kernel, counted);
  return sum;
}

/// The mean over so many layers of what kinds of parts have; of a single kind, that itself.
template <class R>
class LayerMean {
 public:
  explicit LayerMean(Count<R> layers) : layers_(layers) {}

  void add(const Count<R>& layers, const Count<R>& each) {
    whole_ = !(layers < layers_);
    sum_ = whole_ ? each : sum_ + layers * each;
  }
  Count<R> value() const { return whole_ || sum_.value() == 0 ? sum_ : sum_ / layers_; }

 private:
  Count<R> layers_, sum_{};
  bool whole_ = false;
};

template <class R>
Count<R> total(const PartParameters<R>& parameters) {
  Count<R> sum = parameters.norms;
  for (const Count<R>& each : parameters.of) sum = sum + each;
  return sum;
}

/// A module for multi-token prediction: a layer with the model's own attention, before any other
/// kind, and the last layer's feed-forward part, behind a projection of two hidden states to one;
/// embedding and head are the model's own.
template <class R>
Count<R> mtp_module(const Model<R>& model) {
  const LayerParts<R> parts(model);
  const LayerPart<R>* mixer = nullptr;
  const LayerPart<R>* feed_forward = nullptr;
  for (const LayerPart<R>& part : parts.items()) {
    if (!part.mixes && (feed_forward == nullptr || part.has_experts())) feed_forward = &part;
    if (!part.mixes || !has_keys(part.mixer)) continue;
    if (mixer == nullptr || part.mixer < mixer->mixer) mixer = &part;
  }
  const auto entry = kernels_of_mtp_entry(model);
  auto sum = total(count(entry.items(), CountOf::kStored));
  const auto add = [&](LayerPart<R> part) {
    part.whole = true;
    // A layer's own input is of the model's layers alone.
    Model<R> module = model;
    module.per_layer_input = {};
    const auto list = kernels_of(module, part);
    sum = sum + total(count(list.items(), CountOf::kStored));
  };
  if (mixer != nullptr) add(*mixer);
  if (feed_forward != nullptr) add(*feed_forward);
  return sum;
}

/// Numbers that sequences keep in the cache of a kernel.
template <class R>
Count<R> cached(const Kernel<R>& kernel, const Count<R>& tokens) {
  const auto& cache = kernel.cache;
  return (cache.kept + cache.chosen) * tokens + cache.windowed * min(tokens, cache.window);
}

/// Numbers of the hidden state that layers keep for their backward pass: what joins parts to the
/// residual, and what a layer's own input takes.
template <class R>
Count<R> kept_of_joints(const Kernel<R>& kernel) {
  Count<R> sum{};
  for (const KeptTensor<R>& kept : kernel.kept) {
    if (kernel.part == ParameterPart::kJoint || kept.drop == Dropped::kMiddle)
      sum = sum + kept.numbers;
  }
  return sum;
}

/// Numbers of queries, keys, values, the result, gates and what convolutions take.
template <class R>
Count<R> kept_of_mixer(const Kernel<R>& kernel) {
  Count<R> sum{};
  for (const KeptTensor<R>& kept : kernel.kept) {
    const bool mixed = kept.drop == Dropped::kQkv || kept.drop == Dropped::kAttention;
    if (mixed && kept.format != KeptFormat::kFp32 && kept.share == KeptShare::kTensor) {
      sum = sum + kept.numbers;
    }
  }
  return sum;
}

}  // namespace

template <class R>
Count<R> attention_heads(const Model<R>& model) {
  return sum_over_layers(model, [&](const Kernel<R>& kernel) {
    return kernel.attends() ? kernel.heads.heads / model.layers : Count<R>{};
  });
}

template <class R>
ContextWidths<R> context_widths(const Model<R>& model) {
  ContextWidths<R> widths{};
  each_part(model, [&](const LayerPart<R>& part, std::span<const Kernel<R>> kernels) {
    if (!part.mixes) return;
    const auto share = part.layers / model.layers;
    const auto add = [&](Count<R>& sum, const Count<R>& numbers) { sum = sum + share * numbers; };
    for (const Kernel<R>& kernel : kernels) {
      if (kernel.type == KernelType::kScan) {
        // What a scan reads and writes: queries, keys, values, results.
        add(widths.all, kernel.scan.least);
        add(widths.keys, kernel.scan.least / 2.0);
        add(widths.sent_divided, kernel.scan.least / 2.0);
      }
      if (!kernel.attends()) continue;
      const auto& heads = kernel.heads;
      add(widths.all, heads.heads * (heads.key + heads.value));
      if (part.shares) continue;
      const auto keys = heads.kv_heads * (heads.one_vector ? heads.key : heads.key + heads.value);
      add(widths.all, keys);
      add(widths.keys, keys);
      // Latent attention passes the compressed vector on, and expands it where it arrives.
      if (given(heads.rank)) {
        add(widths.sent_whole, heads.rank + heads.rope);
      } else {
        add(widths.sent_divided, keys);
      }
    }
  });
  return widths;
}

template <class R>
Count<R> moe_layers(const Model<R>& model) {
  if (!model.pattern.empty()) {
    double layers = 0;
    for (const LayerPattern::Group& group : model.pattern.groups()) {
      if (group.feed_forward == FeedForward::kExperts) layers += group.layers;
    }
    return named_number<term::kKindLayers, R>(layers);
  }
  if (!model.sparse()) return Count<R>{};
  return floor((model.layers - model.dense_layers) / model.moe_every);
}

template <class R>
bool has_experts(const Model<R>& model) {
  return moe_layers(model).value() > 0;
}

template <class R>
FeedForwardWidths<R> feed_forward_widths(const Model<R>& model) {
  FeedForwardWidths<R> widths{};
  each_part(model, [&](const LayerPart<R>& part, std::span<const Kernel<R>> kernels) {
    if (part.mixes) return;
    for (const Kernel<R>& kernel : kernels) {
      // What goes down again is as wide as what went up.
      if (kernel.divided != DividedBy::kInputs) continue;
      const bool experts = kernel.type == KernelType::kExperts;
      const auto& width = kernel.contraction;
      widths.stored = widths.stored + part.layers * (experts ? kernel.copies * width : width);
      widths.active = widths.active + part.layers * (experts ? kernel.chosen * width : width);
    }
  });
  return widths;
}

template <class R>
Parameters<R> count_parameters(const Model<R>& model) {
  using enum ParameterPart;
  PartParameters<R> stored, active, multiplied;
  const auto add = [&](Count<R> layers, std::span<const Kernel<R>> kernels) {
    stored = stored + layers * count(kernels, CountOf::kStored);
    active = active + layers * count(kernels, CountOf::kActive);
    multiplied = multiplied + layers * count(kernels, CountOf::kMultiplied);
  };
  each_part(model, [&](const LayerPart<R>& part, std::span<const Kernel<R>> kernels) {
    add(part.layers, kernels);
  });
  const auto ends = kernels_of_ends(model);
  add(one<R>(), ends.items());

  Parameters<R> result;
  result.feed_forward = named<term::kParametersFeedForward>(parameters(stored[kFeedForward]));
  result.router = parameters(stored[kRouter]);
  if (model.sparse()) result.router = named<term::kParametersRouter>(result.router);
  result.attention = named<term::kParametersAttention>(parameters(stored[kMixer]));
  result.vocabulary = named<term::kParametersVocabulary>(parameters(stored[kVocabulary]));
  result.norms = named<term::kParametersNorms>(parameters(stored.joints()));
  result.positions = named<term::kParametersPositions>(parameters(stored[kPositions]));

  const auto common =
      result.attention + result.vocabulary + result.norms + result.positions + result.router;
  result.total = named<term::kComputedParameters>(result.feed_forward + common);
  result.active = result.total;
  if (model.sparse() || given(model.per_layer_input)) {
    const auto not_read = parameters(stored[kVocabulary] - active[kVocabulary]);
    result.active = named<term::kComputedActiveParameters>(parameters(active[kFeedForward]) +
                                                           (common - not_read));
  }
  result.matmul = named<term::kMatmulParameters>(parameters(total(multiplied)));
  result.mtp = {};
  if (given(model.mtp_modules)) {
    result.mtp = named<term::kMtpParameters>(parameters(model.mtp_modules * mtp_module(model)));
  }
  return result;
}

template <class R>
LayerParameters<R> layer_parameters(const Model<R>& model) {
  using enum ParameterPart;
  const auto sparse = moe_layers(model);
  const auto dense = model.layers - sparse;
  LayerMean<R> of_mixers(model.layers), of_feed_forward(model.layers), attention(model.layers);
  LayerMean<R> router(sparse), shared(sparse), all_experts(sparse), feed_forward(dense);
  each_part(model, [&](const LayerPart<R>& part, std::span<const Kernel<R>> kernels) {
    const auto counted = count(kernels, CountOf::kStored);
    (part.mixes ? of_mixers : of_feed_forward).add(part.layers, counted.joints());
    if (part.mixes) {
      attention.add(part.layers, counted[kMixer] + counted[kPositions]);
    } else if (part.has_experts()) {
      Count<R> experts{};
      for (const Kernel<R>& kernel : kernels) {
        if (kernel.type == KernelType::kExperts) {
          experts = experts + count(std::span(&kernel, 1), CountOf::kStored)[kFeedForward];
        }
      }
      all_experts.add(part.layers, experts);
      shared.add(part.layers, counted[kFeedForward] - experts);
      router.add(part.layers, counted[kRouter]);
    } else {
      feed_forward.add(part.layers, counted[kFeedForward]);
    }
  });
  LayerParameters<R> result{};
  result.norms = parameters(of_mixers.value() + of_feed_forward.value());
  result.attention = parameters(attention.value());
  result.router = parameters(router.value());
  result.shared = parameters(shared.value());
  result.experts = parameters(all_experts.value());
  result.feed_forward = parameters(feed_forward.value());
  return result;
}

template <class R>
EndParameters<R> end_parameters(const Model<R>& model) {
  EndParameters<R> result{};
  const auto ends = kernels_of_ends(model);
  Count<R> joints{};
  for (const Kernel<R>& kernel : ends.items()) {
    const auto weights = parameters(matrix(kernel));
    joints = joints + kernel.norms;
    if (given(kernel.table)) {
      const bool of_tokens = kernel.format == FormatClass::kHead;
      (of_tokens ? result.embedding : result.own_inputs) = parameters(kernel.table);
    } else if (kernel.rows == RowsOf::kLogits) {
      // Tied, the head is a copy; see EndParameters.
      result.head = weights + parameters(kernel.extras);
    } else if (kernel.part == ParameterPart::kPositions) {
      result.positions = result.positions + parameters(kernel.extras);
    } else {
      result.own_projection = result.own_projection + weights;
      joints = joints + kernel.extras;
    }
  }
  result.norms = parameters(joints);
  if (!given(model.mtp_modules)) return result;
  const auto entry = kernels_of_mtp_entry(model);
  for (const Kernel<R>& kernel : entry.items()) {
    result.module = result.module + parameters(matrix(kernel));
    result.module_norms = result.module_norms + parameters(kernel.norms);
  }
  return result;
}

template <class R>
TokenFlops<R> count_token_flops(const Model<R>& model, const Parameters<R>& parameters_,
                                const TrainingJob<R>& run) {
  const auto length = as<kOne>(run.attention_length());
  const bool causal = run.attention_mask == AttentionMask::kCausal;
  const auto per_product = constant<term::kFlopsPerToken, R>(2);
  TokenFlops<R> result;
  const auto products = sum_over_layers(
      model, [&](const Kernel<R>& kernel) { return products_of(kernel, length, causal); });
  result.attention = named<term::kAttentionFlopsPerToken>(per_product * products);
  const auto per_parameter = constant<kFlop / kToken / kParam, R>(2);
  const auto matmul = run.count_lm_head
                          ? parameters_.matmul
                          : parameters_.matmul - as<kParam>(model.vocabulary * model.hidden);
  result.exact = named<term::kForwardFlopsExact>(per_parameter * matmul + result.attention);
  return result;
}

template <class R>
Quantity<kByte / kToken, R> kv_cache_per_token(const Model<R>& model, Format format) {
  // Layers that see only a window keep each token for a while; of compressed keys, the window is
  // what a sequence keeps besides.
  const auto values = sum_over_layers(model, [](const Kernel<R>& kernel) {
    const auto& cache = kernel.cache;
    const bool compressed = given(kernel.heads.reach.ratio) && given(kernel.heads.reach.window);
    return cache.kept + cache.chosen + (compressed ? Count<R>{} : cache.windowed);
  });
  return named<term::kKvCachePerToken>(as<kByte / kToken>(bytes_of<R>(format) * values));
}

template <class R>
Quantity<kByte, R> state_of_sequence(const Model<R>& model, Format format) {
  return sum_over_layers(model, [&](const Kernel<R>& kernel) {
    return bytes_of<R>(Format::kFp32) * kernel.cache.state +
           bytes_of<R>(format) * kernel.cache.inputs;
  });
}

template <class R>
Quantity<kByte, R> cache_of_sequence(const Model<R>& model, Format format, Count<R> tokens) {
  const auto numbers =
      sum_over_layers(model, [&](const Kernel<R>& kernel) { return cached(kernel, tokens); });
  return bytes_of<R>(format) * numbers;
}

template <class R>
Quantity<kByte / kToken, R> checkpoint_bytes_per_token(const Model<R>& model, const Run<R>& run) {
  const auto bytes = bytes_of<R, kByte / kToken>(run.activation_format);
  const auto one_byte = constant<kByte / kToken, R>(1);
  const auto& d = model.hidden;
  const auto& layers = model.layers;
  const auto save = [](auto quantity) { return named<term::kCheckpointBytesPerToken>(quantity); };
  switch (run.checkpoint_rule) {
    case CheckpointRule::kBigMatmuls:
      return save(bytes * (layers * d + 2.0 * feed_forward_widths(model).active));
    case CheckpointRule::kModernLayer: {
      // Two norm inputs and the inputs of QKV and MLP; Q, K, V and the attention output; gate, up
      // and their product; FlashAttention's log-sum-exp in fp32.
      const auto kept = sum_over_layers(model, [](const Kernel<R>& kernel) {
        return kept_of_joints(kernel) + kept_of_mixer(kernel);
      });
      const double wide = model.gated_feed_forward ? 3 : 2;
      return save(bytes * (kept + wide * feed_forward_widths(model).active) +
                  4.0 * one_byte * (layers * attention_heads(model)));
    }
    case CheckpointRule::kKorthikantiSelective:
    case CheckpointRule::kKorthikantiNone: {
      // 16-bit tensors count by the format, the two dropout masks a layer one byte each: 34 D for
      // F = 4D, and 5 N T more with the scores.
      const auto selective = bytes * (8.0 * d * layers + 2.0 * feed_forward_widths(model).active) +
                             2.0 * one_byte * (d * layers);
      if (run.checkpoint_rule == CheckpointRule::kKorthikantiSelective) return save(selective);
      const auto scores = attention_heads(model) * as<kOne>(run.sequence_length) * layers;
      return save(selective + (2.0 * bytes + one_byte) * scores);
    }
    case CheckpointRule::kCopies:
      break;
  }
  return save(bytes * run.checkpoints_per_layer * d * layers);
}

template <class R>
Operation<R> feed_forward_matmul(const Model<R>& model, const TrainingJob<R>& run, Count<R> rows) {
  const auto& width = has_experts(model) ? model.expert_feed_forward : model.feed_forward;
  return matmul(MatmulShape<R>{rows, model.hidden, width, run.activation_format, run.weight_format,
                               run.activation_format});
}

template ContextWidths<SCALING_REP> context_widths(const Model<SCALING_REP>&);
template Count<SCALING_REP> attention_heads(const Model<SCALING_REP>&);
template Count<SCALING_REP> moe_layers(const Model<SCALING_REP>&);
template bool has_experts(const Model<SCALING_REP>&);
template FeedForwardWidths<SCALING_REP> feed_forward_widths(const Model<SCALING_REP>&);
template Parameters<SCALING_REP> count_parameters(const Model<SCALING_REP>&);
template LayerParameters<SCALING_REP> layer_parameters(const Model<SCALING_REP>&);
template EndParameters<SCALING_REP> end_parameters(const Model<SCALING_REP>&);
template TokenFlops<SCALING_REP> count_token_flops(const Model<SCALING_REP>&,
                                                   const Parameters<SCALING_REP>&,
                                                   const TrainingJob<SCALING_REP>&);
template Quantity<kByte / kToken, SCALING_REP> kv_cache_per_token(const Model<SCALING_REP>&,
                                                                  Format);
template Quantity<kByte, SCALING_REP> state_of_sequence(const Model<SCALING_REP>&, Format);
template Quantity<kByte, SCALING_REP> cache_of_sequence(const Model<SCALING_REP>&, Format,
                                                        Count<SCALING_REP>);
template Quantity<kByte / kToken, SCALING_REP> checkpoint_bytes_per_token(const Model<SCALING_REP>&,
                                                                          const Run<SCALING_REP>&);
template Operation<SCALING_REP> feed_forward_matmul(const Model<SCALING_REP>&,
                                                    const TrainingJob<SCALING_REP>&,
                                                    Count<SCALING_REP>);

}  // namespace scaling
