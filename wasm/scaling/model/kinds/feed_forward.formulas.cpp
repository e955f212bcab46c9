// SPDX-License-Identifier: MIT
//
// Source: transformers, modeling_deepseek_v3.py (router, shared experts), modeling_qwen3_next.py
// (a gate of the shared expert), modeling_nemotron_h.py and Kimi K3's modeling_kimi_linear.py
// (experts in a width of their own), modeling_gemma4.py (a dense part beside the experts, scales of
// the router), modeling_deepseek_v4.py (layers that hash), modeling_longcat_flash.py (experts that
// compute nothing).
#include "scaling/model/kinds/feed_forward.hpp"

namespace scaling {

template <class R>
Count<R> feed_forward_weights(const Model<R>& model, Count<R> inputs, Count<R> width) {
  return (model.gated_feed_forward ? 3.0 : 2.0) * inputs * width;
}

template <class R>
[[gnu::noinline]] Count<R> feed_forward_block(const Model<R>& model, Count<R> inputs,
                                              Count<R> width, bool biases) {
  const auto weights = feed_forward_weights(model, inputs, width);
  if (!biases) return weights;
  return weights + (model.gated_feed_forward ? 2.0 * width : width) + inputs;
}

template <class R>
[[gnu::noinline]] ExpertParameters<R> expert_parameters(const Model<R>& model) {
  const auto& d = model.hidden;
  const auto inputs = expert_inputs(model);
  const auto& width = model.expert_feed_forward;
  ExpertParameters<R> result{};
  result.expert = feed_forward_block(model, inputs, width, model.expert_bias);
  result.expert_weights = feed_forward_weights(model, inputs, width);
  const auto shared = shared_expert_width(model);
  result.shared = model.shared_experts * feed_forward_block(model, d, shared, model.expert_bias);
  result.others_weights = model.shared_experts * feed_forward_weights(model, d, shared);

  const auto outputs = router_outputs(model);
  result.router_weights = d * outputs;
  if (model.shared_expert_gate) result.router_weights = result.router_weights + d;
  const double biases = model.router_bias ? 1 : 0;
  result.router = result.router_weights;
  if (biases > 0) result.router = result.router + biases * outputs;
  if (model.score_bias) {
    result.score = outputs;
    result.router = result.router + result.score;
  }
  if (model.router_scale) result.router = result.router + d + outputs;

  if (model.expert_latent.value() > 0) {
    const auto ways = 2.0 * d * model.expert_latent;
    result.beside = model.expert_latent_norm ? ways + model.expert_latent : ways;
    result.others_weights = result.others_weights + ways;
  }
  if (model.dense_beside_experts.value() > 0) {
    const auto dense =
        feed_forward_block(model, d, model.dense_beside_experts, model.feed_forward_bias);
    result.beside = result.beside + dense;
    result.others_weights =
        result.others_weights + feed_forward_weights(model, d, model.dense_beside_experts);
  }
  return result;
}

template <class R>
[[gnu::noinline]] Count<R> dense_width(const Model<R>& model) {
  const auto mix = layer_mix(model);
  const auto groups = mix.dense();
  if (groups.size() == 1 && !(groups[0].layers < mix.without_experts)) return groups[0].width;
  if (mix.without_experts.value() <= 0) return model.feed_forward;
  return sum_over(groups, [](const DenseGroup<R>& group) { return group.width * group.layers; }) /
         mix.without_experts;
}

template Count<SCALING_REP> feed_forward_weights(const Model<SCALING_REP>&, Count<SCALING_REP>,
                                                 Count<SCALING_REP>);
template Count<SCALING_REP> feed_forward_block(const Model<SCALING_REP>&, Count<SCALING_REP>,
                                               Count<SCALING_REP>, bool);
template ExpertParameters<SCALING_REP> expert_parameters(const Model<SCALING_REP>&);
template Count<SCALING_REP> dense_width(const Model<SCALING_REP>&);

}  // namespace scaling
