// SPDX-License-Identifier: MIT
#include "scaling/training/recompute.hpp"

#include "scaling/model/kinds/feed_forward.hpp"
#include "scaling/model/kinds/mixer.hpp"

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
      break;
  }
  return named<term::kAgainResults>(value);
}

}  // namespace

template <class R>
LayerActivations<R> layer_activations(const Model<R>& model, const TrainingJob<R>& run,
                                      const Layout<R>& layout, bool sparse, Count<R> imbalance) {
  const auto& t = layout.tensor;
  const auto tokens = as<kOne>(micro_batch_tokens(run, layout));
  const auto number = bytes_of<R>(run.activation_format);
  const auto matmul_input = layout.fp8_matmuls ? bytes_of<R>(Format::kFp8) : number;
  const auto one_byte = constant<kByte, R>(1);
  const auto rows = layout.sequence_parallel ? tokens / t : tokens;  // of undivided tensors
  const auto& d = model.hidden;
  const auto width = attention_widths(model);

  LayerActivations<R> result{};
  const auto& streams = model.residual_streams;
  result.input = streams.value() > 0 ? number * rows * d * streams : number * rows * d;
  result.middle = result.input;
  result.norms = 2.0 * (matmul_input * rows * d);
  if (!model.pattern.empty()) {
    // Layers with one part have neither a middle nor its norm.
    const auto mix = layer_mix(model);
    if (mix.both < mix.layers) {
      result.middle = mix.both / mix.layers * result.middle;
      result.norms = (mix.both + mix.one_part / 2.0) / mix.layers * result.norms;
    }
  }
  if (model.per_layer_input.value() > 0) {
    // The gate's input and the way back's, the gate, a layer's own input, and the norm's input.
    const auto& own = model.per_layer_input;
    result.norms = result.norms + matmul_input * rows * (d + own) + number * rows * (2.0 * own + d);
  }
  auto qkv = (width.query + width.key + width.value) / t;
  if (width.others.value() > 0) qkv = qkv + width.others / t;
  if (model.attention == Attention::kLatent) {
    // The compressed vectors are the inputs of the matmuls that expand them.
    const auto compressed = model.query_rank + model.kv_rank + model.rope_dim;
    if (model.pattern.empty()) {
      qkv = qkv + model.query_rank + model.kv_rank + model.rope_dim;
    } else {
      const auto mix = layer_mix(model);
      qkv = qkv + sum_over(mix.mixers(), [&](const MixerGroup<R>& group) {
              const bool latent = group.mixer <= Mixer::kCompressed;
              return latent ? group.layers / mix.layers * compressed : Count<R>{};
            });
    }
  } else if (model.kv_heads < t && has_one_mixer(model) && !(width.others.value() > 0)) {
    qkv = width.query / t + 2.0 * model.head_dim;  // more ways than heads: copies
  }
  result.qkv = number * tokens * qkv;
  result.attention = number * tokens * width.output / t;
  if (layout.attention_kernel == AttentionKernel::kFlash) {
    result.attention = result.attention + 4.0 * one_byte * tokens * attention_heads(model) / t;
  } else {
    const auto scores = tokens * as<kOne>(run.sequence_length) * attention_heads(model) / t;
    result.scores = layout.dropout ? (2.0 * number + one_byte) * scores : number * scores;
  }
  const auto active = model.experts_per_token * imbalance;
  const bool alike =
      model.shared_expert_feed_forward.value() <= 0 && model.dense_beside_experts.value() <= 0;
  const auto of_experts = alike ? (active + model.shared_experts) * model.expert_feed_forward
                                : active * model.expert_feed_forward + shared_width(model);
  const auto feed_forward = sparse ? of_experts : dense_width(model);
  const auto numbers = tokens * feed_forward / t;
  const auto first = model.gated_feed_forward ? 2.0 * numbers : numbers;
  result.hidden = number * first;
  result.product = matmul_input * numbers;
  if (sparse) {
    const auto routed = tokens / t * layout.expert_tensor * active;
    const auto inputs = expert_inputs(model);
    result.experts = matmul_input * routed * inputs + 4.0 * one_byte * rows * router_outputs(model);
    result.results = number * routed * inputs;
  }
  if (layout.dropout) result.masks = 2.0 * (one_byte * rows * d);

  // Gradients have the format of activations, whatever matmuls take. Behind the experts each token
  // has one for each of them.
  const auto of_feed_forward = number * (numbers + first) + result.results;
  const auto scores =
      result.scores.value() > 0
          ? number * (tokens * as<kOne>(run.sequence_length) * attention_heads(model) / t)
          : Bytes<R>{};
  const auto of_attention = result.qkv + number * tokens * width.output / t + scores;
  result.gradients = result.input + max(of_feed_forward, of_attention);
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
  const auto forward = sparse ? work.sparse_forward() : work.dense_forward();
  const auto one = scalar<R>(1);
  Kept<R> result{};
  result.bytes = kept_tensors(activations, model, run, layout, dropped).total();
  result.gradients = activations.gradients;
  const auto pass_again = [&](Bytes<R> working) {
    result.working = working;
    result.work = forward;
    result.sums = result.others = one;
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
      return pass_again(total - result.bytes);
    case Recompute::kEveryN:
      return pass_again(layout.recompute_layers * total - result.bytes);
    case Recompute::kCopies:
      return pass_again(max(total - result.bytes, Bytes<R>{}));
    case Recompute::kCheapest:
      break;
  }
  const auto drop = [&](Dropped kind, Bytes<R> bytes, const Work<R>& cost) {
    const double part = dropped[static_cast<std::size_t>(kind)];
    if (part <= 0) return;
    result.working = result.working + bytes;
    result.work = result.work + share_again<R>(kind, part) * cost;
  };
  drop(Dropped::kNorms, activations.norms, work.norms);
  drop(Dropped::kProduct, activations.product,
       sparse ? work.sparse_activation : work.dense_activation);
  drop(Dropped::kQkv, activations.qkv, work.projections);
  drop(Dropped::kAttention, activations.attention + activations.scores, work.attention);
  drop(Dropped::kHidden, activations.hidden, sparse ? work.sparse_up : work.dense_up);
  drop(Dropped::kMiddle, activations.middle, work.output);
  drop(Dropped::kResults, activations.results, work.sparse_down);
  // The sum over tensor ways that attention ends with is repeated: a quarter of the forward
  // transfers.
  const double middle = dropped[static_cast<std::size_t>(Dropped::kMiddle)];
  if (middle > 0) result.sums = scalar<R>(middle / 4);
  return result;
}

template LayerActivations<SCALING_REP> layer_activations(const Model<SCALING_REP>&,
                                                         const TrainingJob<SCALING_REP>&,
                                                         const Layout<SCALING_REP>&, bool,
                                                         Count<SCALING_REP>);
template LayerActivations<SCALING_REP> kept_tensors(const LayerActivations<SCALING_REP>&,
                                                    const Model<SCALING_REP>&,
                                                    const TrainingJob<SCALING_REP>&,
                                                    const Layout<SCALING_REP>&,
                                                    const DroppedShares&);
template Kept<SCALING_REP> keep(const LayerActivations<SCALING_REP>&, const LayerWork<SCALING_REP>&,
                                bool, const Model<SCALING_REP>&, const TrainingJob<SCALING_REP>&,
                                const Layout<SCALING_REP>&, const DroppedShares&);

}  // namespace scaling
