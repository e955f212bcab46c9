// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/hardware/roofline.hpp"
#include "scaling/model/layer.hpp"
#include "scaling/model/transformer.hpp"
#include "scaling/training/step_input.hpp"

namespace scaling {

namespace term {

/// Seconds of one micro-batch in one layer, at the rates that are reached.
inline constexpr Term kNormsTime{"normsTime", "t_norm", kSecond, "book-transformers"};
inline constexpr Term kProjectionsTime{"projectionsTime", "t_qkv", kSecond, "book-transformers"};
inline constexpr Term kAttentionTime{"attentionTime", "t_attn", kSecond, "flash-attention"};
inline constexpr Term kOutputTime{"outputTime", "t_out", kSecond, "book-transformers"};
inline constexpr Term kFeedForwardTime{"feedForwardTime", "t_ffn", kSecond, "book-transformers"};
inline constexpr Term kExpertsTime{"expertsTime", "t_moe", kSecond, "book-transformers"};
inline constexpr Term kRoutingTime{"routingTime", "t_route", kSecond, "megatron"};
inline constexpr Term kDenseBackwardTime{"denseBackwardTime", "t_bwd,dense", kSecond,
                                         "book-transformers"};
inline constexpr Term kSparseBackwardTime{"sparseBackwardTime", "t_bwd,moe", kSecond,
                                          "book-transformers"};
inline constexpr Term kHeadForwardTime{"headForwardTime", "t_head", kSecond, "book-transformers"};
inline constexpr Term kHeadBackwardTime{"headBackwardTime", "t_bwd,head", kSecond,
                                        "book-transformers"};

}  // namespace term

/// The time of kernels on a chip, one after another.
template <class R>
struct Work {
  Quantity<kFlop, R> flops{};
  Quantity<kSecond, R> math{}, memory{};  ///< at full rates, each for itself
  Quantity<kSecond, R> lower{};           ///< at full rates, each kernel's longer one
  Quantity<kSecond, R> expected{};        ///< the same at the rates that are reached

  friend Work operator+(const Work& a, const Work& b) {
    return {a.flops + b.flops, a.math + b.math, a.memory + b.memory, a.lower + b.lower,
            a.expected + b.expected};
  }
  friend Work operator*(Count<R> n, const Work& a) {
    return {n * a.flops, n * a.math, n * a.memory, n * a.lower, n * a.expected};
  }
};

/// Gives the time that is expected its name.
template <const Term& kTerm, class R>
Work<R> named(Work<R> work) {
  work.expected = scaling::named<kTerm>(work.expected);
  return work;
}

/// One micro-batch's way through one layer of each kind on one chip, by its parts; backward as a
/// whole. Where attention or experts are missing, their work is none.
template <class R>
struct LayerWork {
  Work<R> norms, projections, attention, output;  ///< forward, of any layer
  Work<R> feed_forward, experts;                  ///< forward, of a dense or a sparse one
  Work<R> routing;                                ///< forward, of a sparse one: no matmuls
  Work<R> dense_backward, sparse_backward;        ///< of a whole layer
  Work<R> dense_up, sparse_up;                    ///< the first matmul of the feed-forward part
  Work<R> sparse_down;                            ///< the second one of the experts
  Work<R> dense_activation, sparse_activation;    ///< the function between its matmuls

  Work<R> shared_forward() const { return norms + projections + attention + output; }
  Work<R> dense_forward() const { return shared_forward() + feed_forward; }
  Work<R> sparse_forward() const { return shared_forward() + experts + routing; }
};

/// The ends of the model: a lookup at the first stage, the LM head at the last.
template <class R>
struct EndsWork {
  Work<R> embedding_forward, embedding_backward, head_forward, head_backward;
};

/// Tokens that the busiest expert way has over those of the mean, as assumed: at most as many as if
/// all went to it, and 1 where each chip has all experts.
template <class R>
Count<R> expert_imbalance(const Degrees<R>& layout, const Assumptions<R>& assumptions) {
  return min(assumptions.expert_imbalance, layout.expert);
}

/// One chip's share of the work under a layout: which rows and columns of each matmul are its own.
/// Tokens, heads and feed-forward columns are divided by context and tensor ways, the tokens of
/// norms and router by tensor ways too if sequences are; each chip of an expert way holds its share
/// of the experts, and the busiest one `expert_imbalance` times its share of the tokens. The tokens
/// that go to experts are put in their order and back, and each of the two reads and writes them
/// once, and the function between an expert's matmuls is a kernel of its own. With `fp8_matmuls`,
/// weight matmuls of the layers run at the fp8 peak, attention, router and head do not
/// (DeepSeek-V3, 3.3). Gradients of weights are added to sums in the format of gradients: each is
/// read and written. Source: book ch. 4 and 5; Korthikanti et al. 4.2; Megatron-LM for experts and
/// gradients.
template <class R>
LayerWork<R> layer_work(const StepInput<R>& in);

template <class R>
EndsWork<R> ends_work(const StepInput<R>& in);

/// Tokens of one micro-batch on one chip, before tensor ways divide them [tokens].
template <class R>
Quantity<kToken, R> micro_batch_tokens(const TrainingJob<R>& run, const Degrees<R>& layout) {
  return layout.micro_batch * run.sequence_length / layout.context;
}

}  // namespace scaling
