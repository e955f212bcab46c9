// SPDX-License-Identifier: MIT
#include "scaling/training/layer_work.hpp"

#include "scaling/model/kinds/feed_forward.hpp"
#include "scaling/model/kinds/short_convolution.hpp"
#include "scaling/training/layer_time.hpp"

namespace scaling {
namespace {

/// Prices kernels at full rates and at those that are reached.
template <class R>
class Pricer {
 public:
  Pricer(const Chip<R>& chip, const Assumptions<R>& assumptions, Format format) {
    full_.matrix = chip.peak(format).value;
    // Where no vector rate is listed, the peak of the matrix units stands in for it, so that memory
    // alone prices vector kernels; a notice says so.
    full_.vector = chip.vector_rate().present() ? chip.vector_rate() : full_.matrix;
    full_.memory = chip.memory_bandwidth;
    reached_.matrix = full_.matrix * assumptions.compute_efficiency;
    reached_.vector = full_.vector.value * assumptions.compute_efficiency;
    reached_.memory = full_.memory * assumptions.memory_efficiency;
  }

  Work<R> operator()(const Operations<R>& list) const {
    if (list.items().empty()) return {};
    const auto full = price(list.items(), full_, NetworkUse<R>{});
    const auto reached = price(list.items(), reached_, NetworkUse<R>{});
    return {full.flops, full.math_time, full.memory_time, full.lower.value, reached.lower.value};
  }

 private:
  Rates<R> full_, reached_;
};

/// The kernels of one chip under a layout.
template <class R>
class ChipKernels {
 public:
  /// The kernels of a chip with `imbalance` times the tokens for experts that it would have on
  /// average.
  ChipKernels(const Chip<R>& chip, const Model<R>& model, const TrainingJob<R>& run,
              const Layout<R>& layout, Count<R> imbalance)
      : chip_(chip),
        model_(model),
        run_(run),
        layout_(layout),
        imbalance_(imbalance),
        local_(model) {
    const auto& t = layout.tensor;
    local_ = divided_heads(model, t);
    local_.feed_forward = scaling::dense_width(model) / t;
    local_.vocabulary = model.vocabulary / t;
    request_.sequences = layout.micro_batch / layout.context;
    request_.queries = as<kOne>(run.sequence_length);
    request_.keys = request_.queries;
    request_.attention_kernel = layout.attention_kernel;
    request_.attention_mask = run.attention_mask;
    request_.activation_format = run.activation_format;
    request_.key_value_format = run.activation_format;
    request_.output_format = run.activation_format;
    request_.weight_format = run.weight_format;
  }

  /// A list whose gradients of weights are summed over micro-batches.
  Operations<R> summing() const {
    Operations<R> list;
    list.add_gradients_to(constant<kByte, R>(gradient_sum_width(layout_.gradient_format)));
    return list;
  }

  void add(Operations<R>& list, OperationKind kind, Pass pass) const {
    add(list, kind, pass, request_, local_);
  }

  /// Adds a kernel over tokens that sequence parallelism divides.
  void add_divided(Operations<R>& list, OperationKind kind, Pass pass) const {
    auto request = request_;
    if (layout_.sequence_parallel) request.sequences = request.sequences / layout_.tensor;
    add(list, kind, pass, request, local_);
  }

  void add_norms(Operations<R>& list, Pass pass) const {
    for (int i = 0; i < model_.norms_per_layer.value(); ++i) {
      add_divided(list, kOperation<operations::Norm>, pass);
    }
    if (model_.per_layer_input.value() > 0) add_divided(list, kOperation<operations::Norm>, pass);
  }

  /// The gate of a layer's own input and the way back, which are whole on each of the tensor ways.
  void add_per_layer_input(Operations<R>& list, Pass pass) const {
    const auto& width = model_.per_layer_input;
    if (width.value() <= 0) return;
    add_weights(list, pass, divided_rows(), model_.hidden, width);
    add_weights(list, pass, divided_rows(), width, model_.hidden);
  }

  /// The rows of all layers' own inputs, which are looked up with a token's embedding.
  void add_per_layer_lookup(Operations<R>& list, Pass pass) const {
    auto local = local_;
    local.hidden = model_.layers * model_.per_layer_input;
    auto request = request_;
    if (layout_.sequence_parallel) request.sequences = request.sequences / layout_.tensor;
    add(list, kOperation<operations::Embedding>, pass, request, local);
  }

  /// The projection of a token's embedding to the inputs of all layers.
  void add_per_layer_projection(Operations<R>& list, Pass pass) const {
    const auto width = model_.layers * model_.per_layer_input / layout_.tensor;
    add_weights(list, pass, rows(), model_.hidden, width);
  }

  /// A part of the mixer of a group of layers.
  void add_of(const MixerGroup<R>& group, Operations<R>& list, OperationKind kind,
              Pass pass) const {
    add(list, kind, pass, request_, local_, local_group(group));
  }

  /// Attention, or what else mixes tokens, of a group of layers on average: some may see a window
  /// only.
  Work<R> attention(const Pricer<R>& price, Pass pass, const MixerGroup<R>& group) const {
    const auto local = local_group(group);
    const auto& window = model_.sliding_window;
    const bool windowed = group.mixer <= Mixer::kWindowed && window.value() > 0 &&
                          group.windowed.value() > 0 && window < request_.keys;
    Operations<R> whole;
    if (!windowed) {
      add(whole, kOperation<operations::AttentionCore>, pass, request_, local_, local);
      return price(whole);
    }
    auto unmasked = local;
    if (unmasked.mixer == Mixer::kWindowed) unmasked.windowed = {};
    auto request = request_;
    const bool causal = run_.attention_mask == AttentionMask::kCausal;
    request.keys = causal ? window - window * window / (2.0 * request_.keys) : window;
    request.attention_mask = AttentionMask::kFull;
    Operations<R> few;
    add(few, kOperation<operations::AttentionCore>, pass, request, local_, unmasked);
    if (!(group.windowed < group.layers)) return price(few);
    add(whole, kOperation<operations::AttentionCore>, pass, request_, local_, local);
    const auto share = group.windowed / group.layers;
    return share * price(few) + (one<R>() - share) * price(whole);
  }

  /// Experts and shared experts.
  void add_experts(Operations<R>& list, Pass pass) const {
    auto request = request_;
    // The tokens that come to this chip: on average as many as it sends away.
    request.sequences = request.sequences * layout_.expert_tensor / layout_.tensor * imbalance_;
    auto local = local_;
    local.experts = model_.experts / layout_.expert;
    local.expert_feed_forward = model_.expert_feed_forward / layout_.expert_tensor;
    local.shared_experts = Count<R>{};
    local.dense_beside_experts = Count<R>{};
    // The way into the experts' width is the tokens' own, on each of the tensor ways.
    const auto ways = model_.expert_latent;
    local.expert_latent = Count<R>{};
    if (ways.value() > 0) {
      local.hidden = ways;
      for (const bool there : {true, false}) {
        add_matmul(
            list, pass,
            MatmulShape<R>{rows(), there ? model_.hidden : ways, there ? ways : model_.hidden,
                           run_.activation_format, run_.weight_format, run_.activation_format});
      }
    }
    add(list, kOperation<operations::Experts>, pass, request, local);
    if (shared_width(model_).value() <= 0) return;
    local.hidden = model_.hidden;
    local.feed_forward = shared_width(model_) / layout_.tensor;
    add(list, kOperation<operations::FeedForward>, pass, request_, local);
  }

  /// The kernels of a layer with experts that are neither matmul nor norm: their activation
  /// functions, and rows put in the experts' order and back in that of the tokens.
  void add_routing(Operations<R>& list, Pass pass) const {
    const auto routed =
        rows() / layout_.tensor * layout_.expert_tensor * imbalance_ * model_.experts_per_token;
    const auto inputs = expert_inputs(model_);
    const auto moved = bytes_of<R>(run_.activation_format) * routed * inputs;
    list.add({{}, moved, {}, moved, true});                                       // there
    list.add({constant<kFlop, R>(2) * routed * inputs, moved, {}, moved, true});  // and back
    const auto forward = activation(sparse_width());
    const auto& kernel = forward.items()[0];
    if (pass == Pass::kForward) {
      list.add(kernel);
    } else {
      // Reads what it read and the gradient of what it wrote, and writes those of what it read.
      list.add({2.0 * kernel.flops,
                kernel.activation_bytes + kernel.output_bytes,
                {},
                kernel.activation_bytes,
                true});
    }
  }

  /// X[B,D] W[D,2F] of a feed-forward part that is `width` wide.
  Operations<R> up(Count<R> width) const {
    Operations<R> list;
    add_matmul(
        list, Pass::kForward,
        MatmulShape<R>{rows(), model_.hidden, model_.gated_feed_forward ? 2.0 * width : width,
                       run_.activation_format, run_.weight_format, run_.activation_format});
    return list;
  }

  /// X[B,F] W[F,D] of the experts that a token is sent to.
  Operations<R> experts_down() const {
    const auto width =
        imbalance_ * model_.experts_per_token * model_.expert_feed_forward / layout_.tensor;
    Operations<R> list;
    add_matmul(list, Pass::kForward,
               MatmulShape<R>{rows(), width, expert_inputs(model_), run_.activation_format,
                              run_.weight_format, run_.activation_format});
    return list;
  }

  /// Reads what comes from it and writes what the next matmul takes; 2 FLOPs a number.
  Operations<R> activation(Count<R> width) const {
    const auto numbers = rows() * width;
    const auto bytes = bytes_of<R>(run_.activation_format) * numbers;
    Operations<R> list;
    list.add({constant<kFlop, R>(2) * numbers,
              model_.gated_feed_forward ? 2.0 * bytes : bytes,
              {},
              bytes,
              true});
    return list;
  }

  Count<R> dense_width() const { return local_.feed_forward; }

  /// The width of all experts that a token passes through.
  Count<R> sparse_width() const {
    if (model_.shared_expert_feed_forward.value() > 0 || model_.dense_beside_experts.value() > 0) {
      return (imbalance_ * model_.experts_per_token * model_.expert_feed_forward +
              shared_width(model_)) /
             layout_.tensor;
    }
    return (imbalance_ * model_.experts_per_token + model_.shared_experts) *
           model_.expert_feed_forward / layout_.tensor;
  }

 private:
  Count<R> rows() const { return request_.sequences * request_.queries; }
  Count<R> divided_rows() const {
    return layout_.sequence_parallel ? rows() / layout_.tensor : rows();
  }

  void add_weights(Operations<R>& list, Pass pass, Count<R> rows, Count<R> from,
                   Count<R> to) const {
    add_matmul(list, pass,
               MatmulShape<R>{rows, from, to, run_.activation_format, run_.weight_format,
                              run_.activation_format});
  }

  void add(Operations<R>& list, OperationKind kind, Pass pass, OperationRequest<R> request,
           const Model<R>& model, const MixerGroup<R>& group = {}) const {
    request.kind = kind;
    request.pass = pass;
    add_layer_operation(list, request, model, group, chip_.block_memory());
  }

  /// The group as `local_` has it: key heads are divided as far as there are any.
  MixerGroup<R> local_group(const MixerGroup<R>& group) const {
    auto local = group;
    if (group.mixer != Mixer::kCompressed) local.size = max(group.size / layout_.tensor, one<R>());
    return local;
  }

  static Model<R> divided_heads(const Model<R>& model, Count<R> t) {
    Model<R> local = model;
    const auto some = [&](Count<R>& groups) {
      if (groups.value() > 0) groups = max(groups / t, one<R>());
    };
    local.heads = model.heads / t;
    local.kv_heads = max(model.kv_heads / t, one<R>());
    if (model.window_heads.value() > 0) local.window_heads = model.window_heads / t;
    some(local.window_kv_heads);
    some(local.output_groups);
    if (!model.pattern.empty()) {
      some(local.linear_key_heads);
      local.linear_value_heads = model.linear_value_heads / t;
      local.mamba_heads = model.mamba_heads / t;
      some(local.mamba_groups);
      local.convolution_channels = convolution_widths(model).value / t;
    }
    return local;
  }

  const Chip<R>& chip_;
  const Model<R>& model_;
  const TrainingJob<R>& run_;
  const Layout<R>& layout_;
  Count<R> imbalance_;
  Model<R> local_;
  OperationRequest<R> request_{};
};

}  // namespace

template <class R>
LayerWork<R> layer_work(const StepInput<R>& in) {
  const auto& chip = in.chip;
  const auto& model = in.model;
  const auto& run = in.run;
  const auto& layout = in.layout;
  const auto& assumptions = in.assumptions;
  const auto imbalance = expert_imbalance(layout, assumptions);
  const ChipKernels<R> kernels(chip, model, run, layout, imbalance);
  const Pricer<R> other(chip, assumptions, run.compute_format);
  const Pricer<R> matmuls = layout.fp8_matmuls ? Pricer<R>(chip, assumptions, Format::kFp8) : other;
  const auto matmul_part = [&](OperationKind kind) {
    Operations<R> list;
    kernels.add(list, kind, Pass::kForward);
    return matmuls(list);
  };
  LayerWork<R> result;
  const auto mix = layer_mix(model);
  const auto of_layer = [&](const auto& of) { return mean_over(mix, of); };
  const auto mixer_part = [&](OperationKind kind) {
    return of_layer([&](const MixerGroup<R>& group) {
      Operations<R> list;
      kernels.add_of(group, list, kind, Pass::kForward);
      return matmuls(list);
    });
  };
  const auto attention = [&](Pass pass) {
    return of_layer(
        [&](const MixerGroup<R>& group) { return kernels.attention(other, pass, group); });
  };
  const bool sparse = has_experts(model);
  const bool dense = moe_layers(model) < model.layers;

  Operations<R> norms;
  kernels.add_norms(norms, Pass::kForward);
  const auto whole = [&](const Work<R>& work) {
    return mix.both < mix.layers ? (mix.both + mix.one_part / 2.0) / mix.layers * work : work;
  };
  result.norms = named<term::kNormsTime>(whole(other(norms)));
  const bool own_inputs = model.per_layer_input.value() > 0;
  const auto per_layer = [&](Pass pass) {
    auto list = pass == Pass::kForward ? Operations<R>{} : kernels.summing();
    kernels.add_per_layer_input(list, pass);
    return matmuls(list);
  };
  auto projections = mixer_part(kOperation<operations::QkvProjection>);
  if (own_inputs) projections = projections + per_layer(Pass::kForward);
  result.projections = named<term::kProjectionsTime>(projections);
  result.attention = named<term::kAttentionTime>(attention(Pass::kForward));
  result.output = named<term::kOutputTime>(mixer_part(kOperation<operations::OutputProjection>));

  Operations<R> norms_backward;
  kernels.add_norms(norms_backward, Pass::kBackward);
  auto projections_backward = of_layer([&](const MixerGroup<R>& group) {
    auto list = kernels.summing();
    kernels.add_of(group, list, kOperation<operations::QkvProjection>, Pass::kBackward);
    kernels.add_of(group, list, kOperation<operations::OutputProjection>, Pass::kBackward);
    return matmuls(list);
  });
  if (own_inputs) projections_backward = projections_backward + per_layer(Pass::kBackward);
  const auto shared_backward =
      whole(other(norms_backward)) + projections_backward + attention(Pass::kBackward);
  if (dense) {
    result.feed_forward =
        named<term::kFeedForwardTime>(matmul_part(kOperation<operations::FeedForward>));
    auto backward = kernels.summing();
    kernels.add(backward, kOperation<operations::FeedForward>, Pass::kBackward);
    result.dense_backward = named<term::kDenseBackwardTime>(shared_backward + matmuls(backward));
    result.dense_up = matmuls(kernels.up(kernels.dense_width()));
    result.dense_activation = other(kernels.activation(kernels.dense_width()));
  }
  if (sparse) {
    const auto experts = [&](const ChipKernels<R>& of, Pass pass) {
      auto matrices = of.summing();
      of.add_experts(matrices, pass);
      auto router = of.summing();
      of.add_divided(router, kOperation<operations::Router>, pass);
      return other(router) + matmuls(matrices);
    };
    const auto routing = [&](const ChipKernels<R>& of, Pass pass) {
      Operations<R> list;
      of.add_routing(list, pass);
      return other(list);
    };
    // Times are the busiest chip's; all chips together compute as if tokens were spread evenly.
    const ChipKernels<R> even(chip, model, run, layout, one<R>());
    const auto of_busiest = [&](const auto& work) {
      Work<R> busiest = work(kernels);
      if (imbalance.value() > 1) busiest.flops = work(even).flops;
      return busiest;
    };
    using Kernels = ChipKernels<R>;
    result.experts = named<term::kExpertsTime>(
        of_busiest([&](const Kernels& of) { return experts(of, Pass::kForward); }));
    result.routing = named<term::kRoutingTime>(
        of_busiest([&](const Kernels& of) { return routing(of, Pass::kForward); }));
    const auto back = of_busiest([&](const Kernels& of) {
      return experts(of, Pass::kBackward) + routing(of, Pass::kBackward);
    });
    result.sparse_backward = named<term::kSparseBackwardTime>(shared_backward + back);
    result.sparse_up =
        of_busiest([&](const Kernels& of) { return matmuls(of.up(of.sparse_width())); });
    result.sparse_down = of_busiest([&](const Kernels& of) { return matmuls(of.experts_down()); });
    result.sparse_activation =
        of_busiest([&](const Kernels& of) { return other(of.activation(of.sparse_width())); });
  }
  if (in.measured()) set_measured_times(result, in);
  return result;
}

template <class R>
EndsWork<R> ends_work(const StepInput<R>& in) {
  const ChipKernels<R> kernels(in.chip, in.model, in.run, in.layout, one<R>());
  const Pricer<R> price(in.chip, in.assumptions, in.run.compute_format);
  const auto of = [&](OperationKind kind, Pass pass) {
    auto list = kernels.summing();
    kernels.add_divided(list, kind, pass);
    return price(list);
  };
  const auto head = [&](Pass pass) {
    auto list = kernels.summing();
    kernels.add(list, kOperation<operations::LmHead>, pass);
    return price(list);
  };
  EndsWork<R> result{of(kOperation<operations::Embedding>, Pass::kForward),
                     of(kOperation<operations::Embedding>, Pass::kBackward),
                     named<term::kHeadForwardTime>(head(Pass::kForward)),
                     named<term::kHeadBackwardTime>(head(Pass::kBackward))};
  if (in.model.per_layer_input.value() > 0) {
    const auto inputs = [&](Pass pass, bool looked_up) {
      auto list = kernels.summing();
      if (looked_up) {
        kernels.add_per_layer_lookup(list, pass);
      } else {
        kernels.add_per_layer_projection(list, pass);
      }
      return price(list);
    };
    result.embedding_forward = result.embedding_forward + inputs(Pass::kForward, true);
    result.embedding_backward = result.embedding_backward + inputs(Pass::kBackward, true);
    result.input_forward = inputs(Pass::kForward, false);
    result.input_backward = inputs(Pass::kBackward, false);
  }
  if (in.measured()) set_measured_times(result, in);
  if (in.model.per_layer_input.value() > 0) {
    result.embedding_forward = result.embedding_forward + result.input_forward;
    result.embedding_backward = result.embedding_backward + result.input_backward;
  }
  return result;
}

template LayerWork<SCALING_REP> layer_work(const StepInput<SCALING_REP>&);
template EndsWork<SCALING_REP> ends_work(const StepInput<SCALING_REP>&);

}  // namespace scaling
