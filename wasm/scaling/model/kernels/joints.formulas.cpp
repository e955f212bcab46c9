// SPDX-License-Identifier: MIT
//
// Joints between the parts of a layer and the residual, and the ends of a model. Source:
// transformers, modeling_deepseek_v4.py (streams), modeling_gemma4.py (per_layer_input_gate,
// per_layer_projection, post_per_layer_input_norm, embed_tokens_per_layer,
// per_layer_model_projection); mHC (arXiv 2512.24880), table 2, for the passes over streams besides
// the product with their coefficients' matrix; Kimi K3's modeling_kimi_linear.py (attention to
// residuals); DeepSeek-V3, section 2.2 (multi-token prediction).
#include "scaling/model/kernels/joints.hpp"

#include "scaling/model/kernels/attention.hpp"
#include "scaling/model/kernels/feed_forward.hpp"
#include "scaling/model/kernels/states.hpp"

namespace scaling {
namespace {

/// Square, add, scale, weight.
constexpr double kNormFlops = 4;

}  // namespace

template <class R>
void JointKernels<R>::mixer(const LayerPart<R>& part) {
  joint(part);
  if (model_.relative_positions) {
    move("relativePositions", ParameterPart::kPositions, {}, {}).extras =
        model_.heads * model_.head_dim * hidden_;
  }
  switch (part.mixer) {
    case Mixer::kAttention:
    case Mixer::kWindowed:
    case Mixer::kSparse:
    case Mixer::kCompressed:
      AttentionKernels<R>(model_, list_).attention(part);
      break;
    case Mixer::kLinear:
      StateKernels<R>(model_, list_).linear();
      break;
    case Mixer::kMamba:
      StateKernels<R>(model_, list_).mamba();
      break;
    case Mixer::kConvolution:
      StateKernels<R>(model_, list_).convolution();
      break;
    case Mixer::kNone:
      break;
  }
  if (part.whole) {
    if (parallel_) {
      last().behind = {};  // parallel parts are added before one sum
    } else {
      keep_middle();
    }
  }
  if (given(model_.per_layer_input)) own_input();
}

template <class R>
void JointKernels<R>::feed_forward(const LayerPart<R>& part) {
  joint(part);
  if (part.has_experts()) {
    FeedForwardKernels<R>(model_, list_).experts(part);
  } else if (part.feed_forward == FeedForward::kDense) {
    FeedForwardKernels<R>(model_, list_).dense(part);
    last().behind = sum();
  }
  if (!part.whole && given(model_.per_layer_input)) own_input();
}

template <class R>
[[gnu::noinline]] void JointKernels<R>::joint(const LayerPart<R>& part) {
  const bool first = part.mixes || !part.whole;
  if (parallel_ && !first) return;  // the other part's norm is this one's
  const C half = ceil(model_.norms_per_layer / 2.0);
  const C norms = first ? half : model_.norms_per_layer - half;
  const C& streams = model_.residual_streams;
  if (given(streams)) {
    const C numbers = (streams + scalar<R>(2)) * streams;
    Kernel<R>& mixing =
        matmul("streams", FormatClass::kSixteenBit, DividedBy::kNothing, residual(), numbers);
    mixing.part = ParameterPart::kJoint;
    mixing.rows = RowsOf::kShare;
    mixing.extras = numbers + scalar<R>(3);
    // The part's input is read from the streams, and its result is added to all of them.
    Kernel<R>& mixed = move("streamsMixed", ParameterPart::kJoint, 2.0 * residual(), residual());
    mixed.rows = RowsOf::kShare;
    mixed.fused = true;
  }
  // The sum with the residual reads two and writes one, a norm reads and writes one; servers join
  // both, trainings don't. Results of parallel parts are both added there.
  const bool adds_both = parallel_ && part.whole;
  Kernel<R>& norm =
      move("norm", ParameterPart::kJoint, (adds_both ? 4.0 : 3.0) * hidden_, 2.0 * hidden_);
  norm.rows = RowsOf::kShare;
  norm.handed = hidden_;
  norm.norms = norms * vectors_ * hidden_;
  norm.least_read = norm.least_written = norms * hidden_;
  norm.flops = kNormFlops;
  if (given(model_.residual_block)) norm.extras = 2.0 * hidden_;
  if (first) {
    norm.kept[0] = {residual(), KeptFormat::kActivation, KeptShare::kSequence, Dropped::kNever};
  }
  norm.kept[1] = {hidden_, KeptFormat::kMatmulInput, KeptShare::kSequence, Dropped::kNorms};
}

template <class R>
void JointKernels<R>::keep_middle() {
  last().kept[0] = {residual(), KeptFormat::kActivation, KeptShare::kSequence, Dropped::kMiddle};
}

template <class R>
[[gnu::noinline]] void JointKernels<R>::own_input() {
  const C& own = model_.per_layer_input;
  Kernel<R>& gate =
      matmul("ownInputGate", FormatClass::kSixteenBit, DividedBy::kNothing, hidden_, own);
  gate.part = ParameterPart::kJoint;
  gate.rows = RowsOf::kShare;
  gate.kept[0] = {hidden_ + own, KeptFormat::kMatmulInput, KeptShare::kSequence, Dropped::kNorms};
  Kernel<R>& back =
      matmul("ownInputBack", FormatClass::kSixteenBit, DividedBy::kNothing, own, hidden_);
  back.part = ParameterPart::kJoint;
  back.rows = RowsOf::kShare;
  back.kept[0] = {2.0 * own + hidden_, KeptFormat::kActivation, KeptShare::kSequence,
                  Dropped::kNorms};
  Kernel<R>& norm =
      move("ownInputNorm", ParameterPart::kJoint, 2.0 * own + 2.0 * hidden_, own + hidden_);
  norm.rows = RowsOf::kShare;
  norm.norms = vectors_ * hidden_;
  norm.least_read = norm.least_written = hidden_;
  norm.flops = kNormFlops;
}

template <class R>
void JointKernels<R>::ends() {
  Kernel<R>& lookup = move("embedding", ParameterPart::kVocabulary, hidden_, hidden_);
  lookup.table = model_.vocabulary * hidden_;
  lookup.format = FormatClass::kHead;
  lookup.rows = RowsOf::kShare;
  if (given(model_.learned_positions)) {
    move("learnedPositions", ParameterPart::kPositions, {}, {}).extras =
        model_.learned_positions * hidden_;
  }
  const C& own = model_.per_layer_input;
  if (given(own)) {
    const C all = model_.layers * own;
    Kernel<R>& rows = move("ownInputs", ParameterPart::kVocabulary, all, all);
    rows.table = own_or(model_.per_layer_vocabulary, model_.vocabulary) * all;
    rows.rows = RowsOf::kShare;
    Kernel<R>& projected =
        matmul("ownInputProjection", FormatClass::kSixteenBit, DividedBy::kOutputs, hidden_, all);
    projected.part = ParameterPart::kJoint;
    projected.norms = vectors_ * own;
  }
  // Its time is not told apart from that of the layers' norms, which were fitted with it.
  Kernel<R>& norm = move("finalNorm", ParameterPart::kJoint, {}, {});
  norm.norms = (model_.embedding_norm ? 2.0 : 1.0) * vectors_ * hidden_;
  const C& streams = model_.residual_streams;
  if (given(streams)) norm.extras = streams * streams * hidden_ + streams + one<R>();
  if (given(model_.residual_block)) norm.extras = norm.extras + 2.0 * hidden_;
  Kernel<R>& head =
      matmul("head", FormatClass::kHead, DividedBy::kOutputs, hidden_, model_.vocabulary);
  head.part = ParameterPart::kVocabulary;
  head.rows = RowsOf::kLogits;
  head.again = model_.tied_embeddings;  // the lookup's table
  if (model_.head_bias) head.extras = model_.vocabulary;
}

template <class R>
void JointKernels<R>::mtp_entry() {
  Kernel<R>& projected =
      matmul("mtpProjection", FormatClass::kDense, DividedBy::kOutputs, 2.0 * hidden_, hidden_);
  projected.part = ParameterPart::kJoint;
  projected.norms = 3.0 * vectors_ * hidden_;
}

template <class R>
KernelList<R> kernels_of(const Model<R>& model, const LayerPart<R>& part) {
  KernelList<R> list;
  JointKernels<R> writer(model, list);
  if (part.mixes) {
    writer.mixer(part);
  } else {
    writer.feed_forward(part);
  }
  return list;
}

template <class R>
KernelList<R> kernels_of_ends(const Model<R>& model) {
  KernelList<R> list;
  JointKernels<R> writer(model, list);
  writer.ends();
  return list;
}

template <class R>
KernelList<R> kernels_of_mtp_entry(const Model<R>& model) {
  KernelList<R> list;
  JointKernels<R> writer(model, list);
  writer.mtp_entry();
  return list;
}

template KernelList<SCALING_REP> kernels_of(const Model<SCALING_REP>&,
                                            const LayerPart<SCALING_REP>&);
template KernelList<SCALING_REP> kernels_of_ends(const Model<SCALING_REP>&);
template KernelList<SCALING_REP> kernels_of_mtp_entry(const Model<SCALING_REP>&);

}  // namespace scaling
