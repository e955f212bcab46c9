// SPDX-License-Identifier: MIT
//
// Feed-forward parts: dense, or experts with all that stands beside them. Source: transformers,
// modeling_deepseek_v3.py (router, shared experts), modeling_qwen3_next.py (a gate of the shared
// expert), modeling_nemotron_h.py and Kimi K3's modeling_kimi_linear.py (experts in a width of
// their own), modeling_gemma4.py (a dense part beside the experts, scales of the router),
// modeling_deepseek_v4.py (layers that hash), modeling_longcat_flash.py (experts that compute
// nothing). Megatron-LM, MoELayer: the way into the experts' width and back is whole on each tensor
// rank, around dispatch and combine.
#include "scaling/model/kernels/feed_forward.hpp"

namespace scaling {
namespace {

constexpr double kActivationFlops = 2;

}  // namespace

template <class R>
[[gnu::noinline]] void FeedForwardKernels<R>::dense(const DenseNames& names, C width, bool biases,
                                                    C blocks) {
  const bool gated = model_.gated_feed_forward;
  const C all = blocks * width;
  const C first = gated ? 2.0 * all : all;
  if (gated) {
    matmul(names.gate, FormatClass::kDense, DividedBy::kOutputs, hidden_, all).part =
        ParameterPart::kFeedForward;
  }
  Kernel<R>& up =
      matmul(names.up, FormatClass::kDense, DividedBy::kOutputs, hidden_, all, {}, gated);
  up.part = ParameterPart::kFeedForward;
  if (biases) up.extras = blocks * ((gated ? 2.0 * width : width) + hidden_);
  up.kept[0] = {first, KeptFormat::kActivation, KeptShare::kTensor, Dropped::kHidden};
  Kernel<R>& function = move(names.activation, ParameterPart::kFeedForward, first, all);
  function.divided = DividedBy::kOutputs;
  function.fused = true;
  function.flops = kActivationFlops;
  function.kept[0] = {all, KeptFormat::kMatmulInput, KeptShare::kTensor, Dropped::kProduct};
  matmul(names.down, FormatClass::kDense, DividedBy::kInputs, all, hidden_).part =
      ParameterPart::kFeedForward;
}

template <class R>
void FeedForwardKernels<R>::dense(const LayerPart<R>& part) {
  dense({"gate", "up", "activation", "down"}, part.width, model_.feed_forward_bias, one<R>());
}

template <class R>
void FeedForwardKernels<R>::route(const LayerPart<R>& part) {
  const Model<R>& m = model_;
  const C outputs = given(m.zero_experts) ? m.experts + m.zero_experts : m.experts;
  Kernel<R>& router =
      matmul("router", FormatClass::kSixteenBit, DividedBy::kNothing, hidden_, outputs);
  router.part = ParameterPart::kRouter;
  router.rows = RowsOf::kShare;
  if (m.router_bias) router.extras = outputs;
  if (m.score_bias && !part.hashes) router.extras = router.extras + outputs;
  if (m.router_scale) router.extras = router.extras + hidden_ + outputs;
  router.kept[0] = {outputs, KeptFormat::kFp32, KeptShare::kSequence, Dropped::kNever};
  if (m.shared_expert_gate) {
    // One column beside the router's: a launch of its own would take a tenth of a decode step's
    // matmuls, and no measurement shows that.
    Kernel<R>& gate = matmul("sharedGate", FormatClass::kSixteenBit, DividedBy::kNothing, hidden_,
                             one<R>(), {}, true);
    gate.part = ParameterPart::kRouter;
    gate.rows = RowsOf::kShare;
  }
}

template <class R>
void FeedForwardKernels<R>::experts(const LayerPart<R>& part) {
  const Model<R>& m = model_;
  const bool gated = m.gated_feed_forward;
  const C inputs = own_or(m.expert_latent, hidden_);
  const C& width = m.expert_feed_forward;
  const C& chosen = m.experts_per_token;
  const C first = gated ? 2.0 * width : width;

  route(part);
  if (given(m.expert_latent)) {
    Kernel<R>& there =
        matmul("latentIn", FormatClass::kDense, DividedBy::kNothing, hidden_, inputs);
    there.part = ParameterPart::kFeedForward;
    there.rows = RowsOf::kShare;
    if (m.expert_latent_norm) there.extras = inputs;
  }
  Kernel<R>& there = move("permute", ParameterPart::kFeedForward, inputs, inputs);
  there.rows = RowsOf::kRouted;
  there.chosen = chosen;
  there.before = {KernelCollective::kDispatch, inputs};
  there.kept[0] = {inputs, KeptFormat::kMatmulInput, KeptShare::kRouted, Dropped::kNever};

  const auto matrix = [&](const char* name, DividedBy divided, const C& from, const C& to,
                          bool joined = false) -> Kernel<R>& {
    Kernel<R>& kernel = matmul(name, FormatClass::kExpert, divided, from, to, {}, joined);
    kernel.type = KernelType::kExperts;
    kernel.part = ParameterPart::kFeedForward;
    kernel.rows = RowsOf::kRouted;
    kernel.copies = m.experts;
    kernel.chosen = chosen;
    return kernel;
  };
  if (gated) matrix("expertGate", DividedBy::kOutputs, inputs, width);
  Kernel<R>& up = matrix("expertUp", DividedBy::kOutputs, inputs, width, gated);
  if (m.expert_bias) up.extras = first + inputs;  // of each expert
  up.kept[0] = {chosen * first, KeptFormat::kActivation, KeptShare::kTensor, Dropped::kHidden};
  Kernel<R>& function =
      move("expertActivation", ParameterPart::kFeedForward, chosen * first, chosen * width);
  function.divided = DividedBy::kOutputs;
  function.rows = RowsOf::kRouted;
  function.flops = kActivationFlops;
  function.kept[0] = {chosen * width, KeptFormat::kMatmulInput, KeptShare::kTensor,
                      Dropped::kProduct};
  matrix("expertDown", DividedBy::kInputs, width, inputs).kept[0] = {
      inputs, KeptFormat::kActivation, KeptShare::kRouted, Dropped::kResults};
  Kernel<R>& back = move("unpermute", ParameterPart::kFeedForward, inputs, inputs);
  back.rows = RowsOf::kRouted;
  back.chosen = chosen;
  back.flops = 2;  // weighted and added
  back.behind = {KernelCollective::kCombine, inputs};
  if (given(m.expert_latent)) {
    Kernel<R>& home =
        matmul("latentOut", FormatClass::kDense, DividedBy::kNothing, inputs, hidden_);
    home.part = ParameterPart::kFeedForward;
    home.rows = RowsOf::kShare;
    home.kept[0] = {inputs, KeptFormat::kMatmulInput, KeptShare::kSequence, Dropped::kNever};
  }
  if (given(m.shared_experts)) {
    dense({"sharedGateUp", "sharedUp", "sharedActivation", "sharedDown"},
          own_or(m.shared_expert_feed_forward, width), m.expert_bias, m.shared_experts);
  }
  if (given(m.dense_beside_experts)) {
    dense({"besideGate", "besideUp", "besideActivation", "besideDown"}, m.dense_beside_experts,
          m.feed_forward_bias, one<R>());
  }
  // Tensor parallelism divides the parts that every token passes, and sums them once.
  if (given(m.shared_experts) || given(m.dense_beside_experts)) last().behind = sum();
}

template void FeedForwardKernels<SCALING_REP>::dense(const LayerPart<SCALING_REP>&);
template void FeedForwardKernels<SCALING_REP>::experts(const LayerPart<SCALING_REP>&);

}  // namespace scaling
