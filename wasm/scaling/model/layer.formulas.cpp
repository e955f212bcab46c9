// SPDX-License-Identifier: MIT
#include "scaling/model/layer.hpp"

#include "scaling/model/kernel_operations.hpp"
#include "scaling/model/transformer.hpp"

namespace scaling {
namespace {

template <class R>
KernelWork<R> work_of(const OperationRequest<R>& request, Maybe<Quantity<kByte, R>> block_memory) {
  KernelWork<R> work;
  work.sequences = request.sequences;
  work.queries = request.queries;
  work.keys = request.keys;
  work.causal = request.attention_mask == AttentionMask::kCausal;
  work.flash = request.attention_kernel == AttentionKernel::kFlash;
  work.latent =
      request.latent_form == LatentForm::kAbsorbed ? KernelForm::kAbsorbed : KernelForm::kUnfolded;
  work.activations = request.activation_format;
  work.weights = request.weight_format;
  work.key_values = request.key_value_format;
  work.block_memory = block_memory;
  work.batch.tokens = work.batch.logits = request.sequences * request.queries;
  return work;
}

/// The feed-forward part of layers with this mixer: experts where any has them.
template <class R>
FeedForward part_behind(const Model<R>& model, const LayerPart<R>& mixer) {
  if (model.pattern.empty()) {
    return has_experts(model) ? FeedForward::kExperts : FeedForward::kDense;
  }
  FeedForward found = FeedForward::kNone;
  for (const LayerPattern::Group& group : model.pattern.groups()) {
    if (group.mixer != mixer.mixer) continue;
    if (group.feed_forward == FeedForward::kExperts) return group.feed_forward;
    if (group.feed_forward == FeedForward::kDense) found = group.feed_forward;
  }
  return found;
}

}  // namespace

/// The kernels of one pass through a layer, or sections of it: what their kinds add to.
template <class R>
class LayerKernels {
 public:
  LayerKernels(Operations<R>& list, const OperationRequest<R>& request, const Model<R>& model,
               Pass pass, Maybe<Quantity<kByte, R>> block_memory)
      : list_(list),
        request_(request),
        model_(model),
        mixer_(asked_mixer(request, model)),
        pass_(pass),
        work_(work_of(request, block_memory)) {}

  void norm() {
    list_.add(rms_norm(work_.batch.tokens, model_.hidden, request_.activation_format,
                       request_.weight_format, request_.activation_format, pass_));
  }

  void mixer(Section section) {
    add(mixer_, [=](Section of, const Kernel<R>&) { return of == section; });
  }

  /// Adds what `part` says of the attention of the layer.
  void attention(void (*part)(Operations<R>&, Pass, const AttentionShape<R>&)) {
    if (const auto shape = asked_attention(request_, model_)) part(list_, pass_, *shape);
  }

  void dense() {
    add(feed_forward(FeedForward::kDense),
        [](Section of, const Kernel<R>&) { return of == Section::kMatmuls; });
  }
  void router() {
    add(feed_forward(FeedForward::kExperts),
        [](Section, const Kernel<R>& kernel) { return kernel.part == ParameterPart::kRouter; });
  }
  void experts() {
    add(feed_forward(FeedForward::kExperts), [](Section of, const Kernel<R>& kernel) {
      return of == Section::kMatmuls && kernel.part != ParameterPart::kRouter;
    });
  }

  void lm_head() {
    add_ends([](const Kernel<R>& kernel) { return kernel.rows == RowsOf::kLogits; });
  }
  void embedding() {
    add_ends([](const Kernel<R>& kernel) {
      return given(kernel.table) && kernel.format == FormatClass::kHead;
    });
  }

  /// The mixer reads its cache for tokens to come; shared keys count where they are looked at.
  void kv_read() {
    const auto list = kernels_of(model_, mixer_);
    const auto& keys = request_.keys;
    const auto number = bytes_of<R>(request_.key_value_format);
    Quantity<kByte, R> bytes{};
    for (const Kernel<R>& kernel : list.items()) {
      const auto& cache = kernel.cache;
      auto numbers = (cache.kept + cache.reread) * keys + cache.inputs;
      const auto windowed = cache.windowed + cache.reread_windowed;
      if (given(windowed)) numbers = numbers + windowed * min(keys, cache.window);
      if (given(cache.chosen)) numbers = numbers + cache.chosen * min(keys, cache.limit);
      if (given(numbers)) bytes = bytes + number * request_.sequences * numbers;
      if (given(cache.state)) {
        bytes = bytes + bytes_of<R>(Format::kFp32) * request_.sequences * cache.state;
      }
    }
    list_.add({{}, bytes, {}, {}});
  }

  void layer() {
    const auto all = [](Section of, const Kernel<R>& kernel) {
      return of != Section::kMoves && (of == Section::kNorms || kernel.type != KernelType::kMove);
    };
    const FeedForward behind = part_behind(model_, mixer_);
    auto mixer = mixer_;
    mixer.whole = behind != FeedForward::kNone;
    if (mixer.mixes) add(mixer, all);
    if (behind != FeedForward::kNone) add(feed_forward(behind), all);
  }

 private:
  LayerPart<R> feed_forward(FeedForward kind) const {
    LayerPart<R> part;
    part.feed_forward = kind;
    part.width = model_.feed_forward;
    part.whole = mixer_.mixes;
    return part;
  }

  template <class Asked>
  void add(const LayerPart<R>& part, Asked asked) {
    const auto list = kernels_of(model_, part);
    const auto kernels = list.items();
    Sections<R> sections(part.mixes);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      const Kernel<R>& kernel = kernels[i];
      const Section section = sections.of(kernel);
      const bool other_form = kernel.form != KernelForm::kAny && kernel.form != work_.latent;
      if (kernel.fused || other_form || !asked(section, kernel)) continue;
      if (kernel.multiplies()) {
        const auto launch = launch_of(kernels, i, work_.batch, work_.by);
        add_launch(list_, pass_, launch, kernel, work_);
      } else if (kernel.type != KernelType::kMove || given(kernel.least_written)) {
        add_kernel(list_, pass_, kernel, work_);
      }
    }
  }

  template <class Asked>
  void add_ends(Asked asked) {
    const auto list = kernels_of_ends(model_);
    const auto kernels = list.items();
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      const Kernel<R>& kernel = kernels[i];
      if (!asked(kernel)) continue;
      if (kernel.multiplies()) {
        const auto launch = launch_of(kernels, i, work_.batch, work_.by);
        add_launch(list_, pass_, launch, kernel, work_);
      } else {
        add_kernel(list_, pass_, kernel, work_);
      }
    }
  }

  Operations<R>& list_;
  const OperationRequest<R>& request_;
  const Model<R>& model_;
  LayerPart<R> mixer_;
  Pass pass_;
  KernelWork<R> work_;
};

template <class R>
LayerPart<R> asked_mixer(const OperationRequest<R>& request, const Model<R>& model) {
  const bool any = request.mixer == AskedMixer::kFirst;
  const auto asked = any ? Mixer::kNone : static_cast<Mixer>(static_cast<int>(request.mixer) - 1);
  LayerPart<R> first, found;
  const LayerParts<R> parts(model);
  const auto take = [](LayerPart<R>& known, const LayerPart<R>& part) {
    const bool both = part.mixer == known.mixer && part.whole && !known.whole;
    if (part.mixer < known.mixer || both) known = part;
  };
  for (const LayerPart<R>& part : parts.items()) {
    if (!part.mixes) continue;
    take(first, part);
    if (part.mixer == asked) take(found, part);
  }
  return found.mixes ? found : first;
}

template <class R>
std::optional<AttentionShape<R>> asked_attention(const OperationRequest<R>& request,
                                                 const Model<R>& model) {
  const auto list = kernels_of(model, asked_mixer(request, model));
  const auto work = work_of(request, Maybe<Quantity<kByte, R>>(Absence::kNotApplicable));
  for (const Kernel<R>& kernel : list.items()) {
    if (kernel.attends()) return attention_shape(kernel, work);
  }
  return std::nullopt;
}

template <class R>
void add_layer_operation(Operations<R>& list, const OperationRequest<R>& request,
                         const Model<R>& model, Maybe<Quantity<kByte, R>> block_memory) {
  const auto add_pass = [&](Pass pass) {
    LayerKernels<R> kernels(list, request, model, pass, block_memory);
    OperationKinds::with(request.kind, [&]<class Kind>() {
      if constexpr (Kind::kRow.has(kAsksModel)) Kind::add(kernels);
    });
  };
  const bool backward = row_of(request.kind).has(kHasBackward);
  if (!backward || request.pass != Pass::kBackward) add_pass(Pass::kForward);
  if (backward && request.pass != Pass::kForward) add_pass(Pass::kBackward);
}

template LayerPart<SCALING_REP> asked_mixer(const OperationRequest<SCALING_REP>&,
                                            const Model<SCALING_REP>&);
template std::optional<AttentionShape<SCALING_REP>> asked_attention(
    const OperationRequest<SCALING_REP>&, const Model<SCALING_REP>&);
template void add_layer_operation(Operations<SCALING_REP>&, const OperationRequest<SCALING_REP>&,
                                  const Model<SCALING_REP>&, Maybe<Quantity<kByte, SCALING_REP>>);

}  // namespace scaling
