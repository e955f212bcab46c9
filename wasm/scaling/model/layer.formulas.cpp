// SPDX-License-Identifier: MIT
#include "scaling/model/layer.hpp"

#include "scaling/model/kinds/feed_forward.hpp"
#include "scaling/model/kinds/matrices.hpp"
#include "scaling/model/transformer.hpp"

namespace scaling {
/// The kernels of one pass through parts of a layer: what their kinds add to.
template <class R>
class LayerKernels {
 public:
  LayerKernels(Operations<R>& list, const OperationRequest<R>& request, const Model<R>& model,
               const MixerGroup<R>& group, Pass pass, Maybe<Quantity<kByte, R>> block_memory)
      : list_(list),
        request_(request),
        model_(model),
        group_(group),
        pass_(pass),
        block_memory_(block_memory),
        tokens_(request.sequences * request.queries) {}

  const OperationRequest<R>& request() const { return request_; }
  const Model<R>& model() const { return model_; }
  Pass pass() const { return pass_; }
  Operations<R>& list() { return list_; }
  const Count<R>& tokens() const { return tokens_; }
  AttentionShape<R> attention() const { return attention_shape(request_, model_, group_); }

  void weights(Count<R> rows, Count<R> from, Count<R> to, Count<R> copies = Count<R>(R(1)),
               bool are_experts = false) {
    add_matmul(list_, pass_,
               MatmulShape<R>{rows, from, to, request_.activation_format, request_.weight_format,
                              request_.activation_format},
               copies, are_experts);
  }

  void norm(Count<R> copies) {
    list_.add(
        repeated(copies, rms_norm(tokens_, model_.hidden, request_.activation_format,
                                  request_.weight_format, request_.activation_format, pass_)));
  }

  void qkv_projection() {
    const auto& d = model_.hidden;
    if (!latent()) {
      if (!is_standard(model_, group_)) return matrices(false);
      const auto dims = attention_dims(model_, group_);
      return weights(tokens_, d, (dims.heads + 2.0 * dims.kv_heads) * dims.key);
    }
    if (!is_standard(model_, group_) && !absorbed()) return matrices(false);
    const auto value_width = attention_dims(model_, group_).value;
    const auto query_width = model_.heads * (model_.nope_dim + model_.rope_dim);
    if (model_.query_rank.value() > 0) {
      weights(tokens_, d, model_.query_rank);
      weights(tokens_, model_.query_rank, query_width);
    } else {
      weights(tokens_, d, query_width);
    }
    weights(tokens_, d, model_.kv_rank + model_.rope_dim);
    if (absorbed()) {
      // Each head takes its queries into the latent space.
      weights(tokens_, model_.nope_dim, model_.kv_rank, model_.heads);
      if (!is_standard(model_, group_)) extras_of_latent(value_width);
    } else {
      weights(tokens_, model_.kv_rank, model_.heads * (model_.nope_dim + value_width));
    }
  }

  void attention_core() { add_mixing(list_, pass_, request_, model_, group_, block_memory_); }

  void output_projection() {
    if (!latent()) {
      if (!is_standard(model_, group_)) return matrices(true);
      const auto dims = attention_dims(model_, group_);
      return weights(tokens_, dims.heads * dims.key, model_.hidden);
    }
    if (!is_standard(model_, group_) && !absorbed()) return matrices(true);
    const auto value_width = attention_dims(model_, group_).value;
    if (absorbed()) weights(tokens_, model_.kv_rank, value_width, model_.heads);
    weights(tokens_, model_.heads * value_width, model_.hidden);
  }

  void feed_forward(Count<R> width) {
    weights(tokens_, model_.hidden, model_.gated_feed_forward ? 2.0 * width : width);
    weights(tokens_, width, model_.hidden);
  }

  void experts() {
    const auto& width = model_.expert_feed_forward;
    const auto inputs = expert_inputs(model_);
    const auto routed = tokens_ * model_.experts_per_token;
    const auto touched = min(model_.experts, routed);
    const auto rows = routed / touched;
    if (model_.expert_latent.value() > 0) weights(tokens_, model_.hidden, inputs);
    weights(rows, inputs, model_.gated_feed_forward ? 2.0 * width : width, touched, true);
    weights(rows, width, inputs, touched, true);
    if (model_.expert_latent.value() > 0) weights(tokens_, inputs, model_.hidden);
    if (shared_width(model_).value() > 0) feed_forward(shared_width(model_));
  }

  void kv_read() {
    if (group_.mixer == Mixer::kAttention) {
      const auto positions = request_.sequences * request_.keys;
      const auto width = cached_numbers(model_, group_);
      list_.add({{}, bytes_of<R>(request_.key_value_format) * positions * width, {}, {}});
      return;
    }
    // Shared keys are read where they are looked at.
    auto group = group_;
    group.shares = false;
    const auto cache = mixer_cache(model_, group);
    const auto& keys = request_.keys;
    const auto number = bytes_of<R>(request_.key_value_format);
    const auto& window = model_.sliding_window;
    auto numbers = cache.kept * keys;
    if (cache.windowed.value() > 0) numbers = numbers + cache.windowed * min(keys, window);
    if (cache.chosen.value() > 0) numbers = numbers + cache.chosen * min(keys, cache.limit);
    auto bytes = number * request_.sequences * (numbers + cache.inputs);
    if (cache.state.value() > 0) {
      bytes = bytes + bytes_of<R>(Format::kFp32) * request_.sequences * cache.state;
    }
    list_.add({{}, bytes, {}, {}});
  }

  void layer() {
    const FeedForward part = part_behind();
    const auto& norms = model_.norms_per_layer;
    if (norms.value() > 0) norm(part == FeedForward::kNone ? ceil(norms / 2.0) : norms);
    qkv_projection();
    attention_core();
    output_projection();
    per_layer_input();
    switch (part) {
      case FeedForward::kExperts:
        weights(tokens_, model_.hidden, router_outputs(model_));
        return experts();
      case FeedForward::kDense:
        return feed_forward(model_.feed_forward);
      case FeedForward::kNone:
        break;
    }
  }

 private:
  bool absorbed() const { return request_.latent_form == LatentForm::kAbsorbed; }

  bool latent() const {
    return model_.attention == Attention::kLatent && group_.mixer <= Mixer::kCompressed;
  }

  /// Matrices of a mixer that is more than standard attention: those before the output, or those of
  /// it, which begin where heads come together.
  void matrices(bool of_output) {
    const MixerMatrices<R> all(model_, group_);
    bool output = false;
    for (const MixerMatrix<R>& each : all.items()) {
      output = output || each.divided == DividedBy::kInputs || each.copies.value() > 1;
      const bool last = output;
      // An indexer and a compressor come behind the output in the list.
      if (each.divided == DividedBy::kInputs) output = false;
      if (last == of_output) weights(tokens_, each.rows, each.columns, each.copies);
    }
  }

  /// The optional parts of latent attention: a gate, and an indexer.
  void extras_of_latent(Count<R> value_width) {
    const auto& d = model_.hidden;
    if (model_.output_gate == OutputGate::kHeadwise) weights(tokens_, d, model_.heads);
    if (model_.output_gate == OutputGate::kElementwise) {
      weights(tokens_, d, model_.heads * value_width);
    }
    if (!group_.indexes) return;
    weights(tokens_, model_.query_rank.value() > 0 ? model_.query_rank : d,
            model_.index_heads * model_.index_head_dim);
    weights(tokens_, d, model_.index_head_dim + model_.index_heads);
  }

  /// The parts that layers of this mixer have, in the pattern; experts where any has them.
  FeedForward part_behind() const {
    if (model_.pattern.empty()) {
      return has_experts(model_) ? FeedForward::kExperts : FeedForward::kDense;
    }
    FeedForward found = FeedForward::kNone;
    for (const LayerPattern::Group& each : model_.pattern.groups()) {
      const bool windowed = each.mixer == Mixer::kWindowed && group_.windowed.value() > 0;
      if (each.mixer != group_.mixer && !windowed) continue;
      if (each.feed_forward == FeedForward::kExperts) return each.feed_forward;
      if (each.feed_forward == FeedForward::kDense) found = each.feed_forward;
    }
    return found;
  }

  /// The gate of a layer's own input, the way back, and the norm behind it.
  void per_layer_input() {
    const auto& width = model_.per_layer_input;
    if (width.value() <= 0) return;
    weights(tokens_, model_.hidden, width);
    weights(tokens_, width, model_.hidden);
    norm(Count<R>(R(1)));
  }

  Operations<R>& list_;
  const OperationRequest<R>& request_;
  const Model<R>& model_;
  const MixerGroup<R>& group_;
  Pass pass_;
  Maybe<Quantity<kByte, R>> block_memory_;
  Count<R> tokens_;
};

namespace {

/// Products of a state with what tokens bring, for which `numbers` of each token are read and
/// written; backward twice as many.
template <class R>
void add_state(Operations<R>& list, Pass pass, const OperationRequest<R>& request,
               Count<R> products, Count<R> numbers) {
  const auto tokens = request.sequences * request.queries;
  const double times = pass == Pass::kForward ? 1 : 2;
  const auto moved = bytes_of<R>(request.activation_format) * tokens * numbers;
  list.add({constant<kFlop, R>(2 * times) * tokens * products, times * moved, {}, {}});
}

}  // namespace

template <class R>
void add_mixing(Operations<R>& list, Pass pass, const OperationRequest<R>& request,
                const Model<R>& model, const MixerGroup<R>& group,
                Maybe<Quantity<kByte, R>> block_memory) {
  const auto attention = [&] {
    const auto shape = attention_shape(request, model, group);
    if (request.attention_kernel == AttentionKernel::kNaive) {
      add_naive_attention(list, pass, shape);
    } else {
      add_flash_attention(list, pass, shape, block_memory);
    }
  };
  // Queries of an indexer against its keys, of which each stands for `ratio` tokens.
  const auto index = [&](Count<R> ratio) {
    const bool causal =
        request.attention_mask == AttentionMask::kCausal && !(request.queries < request.keys);
    const auto seen = (causal ? request.keys / 2.0 : request.keys) / ratio;
    add_state(list, pass, request, seen * model.index_heads * model.index_head_dim,
              model.index_heads * model.index_head_dim +
                  request.keys / ratio / request.queries * model.index_head_dim);
  };
  switch (group.mixer) {
    case Mixer::kAttention:
    case Mixer::kWindowed:
      return attention();
    case Mixer::kSparse:
      attention();
      if (group.indexes) index(one<R>());
      return;
    case Mixer::kCompressed:
      attention();
      if (overlapping_keys(group.size) && model.index_top_k.value() > 0) index(group.size);
      return;
    case Mixer::kLinear: {
      const auto width = linear_widths(model);
      return add_state(list, pass, request, linear_products(model),
                       width.query + width.key + width.value + width.output + width.others);
    }
    case Mixer::kMamba: {
      const auto width = mamba_widths(model);
      return add_state(list, pass, request, mamba_products(model),
                       width.query + width.key + width.value + width.output + width.others);
    }
    case Mixer::kConvolution: {
      const auto width = convolution_widths(model);
      return add_state(list, pass, request, convolution_products(model),
                       width.query + width.key + width.value + width.output);
    }
    case Mixer::kNone:
      break;
  }
}

template <class R>
MixerGroup<R> asked_group(const OperationRequest<R>& request, const Model<R>& model) {
  const auto mix = layer_mix(model);
  if (request.mixer != AskedMixer::kFirst) {
    const auto asked = static_cast<Mixer>(static_cast<int>(request.mixer) - 1);
    for (const MixerGroup<R>& group : mix.mixers()) {
      const bool windowed = asked == Mixer::kWindowed && group.windowed.value() > 0;
      if (group.mixer == asked && !(asked == Mixer::kAttention && !(group.windowed < group.layers)))
        return group;
      if (windowed) {
        return {Mixer::kWindowed, group.size, group.windowed, group.windowed, false, group.shares};
      }
    }
  }
  if (mix.mixers().empty()) return {Mixer::kNone, {}, model.layers, {}, false};
  return mix.mixers()[0];
}

template <class R>
void add_layer_operation(Operations<R>& list, const OperationRequest<R>& request,
                         const Model<R>& model, const MixerGroup<R>& group,
                         Maybe<Quantity<kByte, R>> block_memory) {
  const auto add_pass = [&](Pass pass) {
    LayerKernels<R> kernels(list, request, model, group, pass, block_memory);
    OperationKinds::with(request.kind, [&]<class Kind>() {
      if constexpr (Kind::kRow.has(kAsksModel)) Kind::add(kernels);
    });
  };
  const bool backward = row_of(request.kind).has(kHasBackward);
  if (!backward || request.pass != Pass::kBackward) add_pass(Pass::kForward);
  if (backward && request.pass != Pass::kForward) add_pass(Pass::kBackward);
}

template void add_mixing(Operations<SCALING_REP>&, Pass, const OperationRequest<SCALING_REP>&,
                         const Model<SCALING_REP>&, const MixerGroup<SCALING_REP>&,
                         Maybe<Quantity<kByte, SCALING_REP>>);
template MixerGroup<SCALING_REP> asked_group(const OperationRequest<SCALING_REP>&,
                                             const Model<SCALING_REP>&);
template void add_layer_operation(Operations<SCALING_REP>&, const OperationRequest<SCALING_REP>&,
                                  const Model<SCALING_REP>&, const MixerGroup<SCALING_REP>&,
                                  Maybe<Quantity<kByte, SCALING_REP>>);

}  // namespace scaling
