// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "scaling/model/kernels/parts.hpp"
#include "scaling/model/kernels/share.hpp"
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
inline constexpr Term kTowerForwardTime{"towerForwardTime", "t_vit", kSecond, "vit"};
inline constexpr Term kTowerBackwardTime{"towerBackwardTime", "t_bwd,vit", kSecond, "vit"};
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
  friend Work operator-(const Work& a, const Work& b) {
    return {a.flops - b.flops, a.math - b.math, a.memory - b.memory, a.lower - b.lower,
            a.expected - b.expected};
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
/// whole. Layers of a kind are averaged over all that differ in more. Where attention or experts
/// are missing, their work is none.
template <class R>
struct LayerWork {
  Work<R> norms, projections, attention, output;  ///< forward, of any layer
  Work<R> feed_forward, experts;                  ///< forward, of a dense or a sparse one
  Work<R> routing;                                ///< forward, of a sparse one: no matmuls
  Work<R> dense_backward, sparse_backward;        ///< of a whole layer
  /// Forward, of a layer's last matmul, where it is left out of what is computed again: see
  /// leaves_last. None elsewhere.
  Work<R> dense_last, sparse_last;
  /// Forward, of the kernels whose results may be computed again: those of any layer, and of the
  /// feed-forward part of a dense or a sparse one; see place_of.
  std::array<Work<R>, 4> any_again;
  std::array<Work<R>, 3> dense_again, sparse_again;

  Work<R> shared_forward() const { return norms + projections + attention + output; }
  Work<R> dense_forward() const { return shared_forward() + feed_forward; }
  Work<R> sparse_forward() const { return shared_forward() + experts + routing; }
  /// Whether a whole layer is computed again without its last matmul.
  bool leaves_last(bool sparse) const {
    return (sparse ? sparse_last : dense_last).flops.value() > 0;
  }
  /// A whole layer computed again.
  Work<R> all_again(bool sparse) const {
    const auto forward = sparse ? sparse_forward() : dense_forward();
    if (!leaves_last(sparse)) return forward;
    return forward - (sparse ? sparse_last : dense_last);
  }
  Work<R> again(Dropped kind, bool sparse) const {
    const std::size_t at = place_of(kind);
    if (at < any_again.size()) return any_again[at];
    return (sparse ? sparse_again : dense_again)[at - any_again.size()];
  }
  /// The place of a kind of tensor: those of any layer first.
  static constexpr std::size_t place_of(Dropped kind) {
    switch (kind) {
      case Dropped::kNorms:
        return 0;
      case Dropped::kQkv:
        return 1;
      case Dropped::kAttention:
        return 2;
      case Dropped::kMiddle:
        return 3;
      case Dropped::kProduct:
        return 4;
      case Dropped::kHidden:
        return 5;
      case Dropped::kResults:
      case Dropped::kNever:
        break;
    }
    return 6;
  }
};

/// The ends of the model: lookups at the first stage, the LM head at the last, and what a module
/// for multi-token prediction has before its layer.
template <class R>
struct EndsWork {
  Work<R> embedding_forward, embedding_backward, head_forward, head_backward;
  Work<R> mtp_forward, mtp_backward;
};

/// Tokens that the busiest expert way has over those of the mean, as assumed: at most as many as if
/// all went to it, and 1 where each chip has all experts.
template <class R>
Count<R> expert_imbalance(const Degrees<R>& layout, const Assumptions<R>& assumptions) {
  return min(assumptions.expert_imbalance, layout.expert);
}

/// The prices that are asked for: a search may ask for the expected time alone at measured rates.
enum class WorkOf : std::uint8_t { kAll, kExpected };

/// One chip's share of the work under a layout: the kernels of the model's parts, each with the
/// rows and columns of its matmuls that are the chip's own (see share.hpp). The busiest rank of
/// experts has `expert_imbalance` times its share of the tokens. At full and at stated rates a
/// kernel takes the longer of computing and moving; what a neighbour may do on the way takes
/// nothing. At measured rates each matmul forward and both of its backward ones are priced by their
/// shapes (`kernel_time`), as is attention; all others by the bytes that they move. Rates are lower
/// than those of a kernel alone by the constants of the chip's generation, and by the power that
/// the chip is given for its peak. Weight matmuls of layers run in the layout's or the run's
/// format; attention, router and head in 16 bits (DeepSeek-V3, 3.3). Gradients of weights are added
/// to sums in the format of gradients: each is read and written. Source: book ch. 4 and 5;
/// Korthikanti et al. 4.2; Megatron-LM for experts and gradients; shared/efficiency.json.
template <class R>
LayerWork<R> layer_work(const StepInput<R>& in, WorkOf of = WorkOf::kAll);

template <class R>
EndsWork<R> ends_work(const StepInput<R>& in, WorkOf of = WorkOf::kAll);

/// The collectives of one layer forward, on average over those of its kind: sums over tensor ranks,
/// and tokens that go to experts and back.
template <class R>
struct LayerSums : LayerMeans<R> {    ///< sums of the hidden width
  Count<R> inner{}, inner_numbers{};  ///< inside a mixer, of any layer; numbers of a token in one
  Count<R> exchanged{};  ///< numbers of a token that each of its experts takes, and gives back
};

template <class R>
LayerSums<R> layer_sums(const Model<R>& model);

/// The degrees of a layout by which a chip's share of a kernel is known.
template <class R>
KernelDegrees<R> kernel_degrees(const Layout<R>& layout, Count<R> imbalance) {
  return {layout.tensor, layout.expert, layout.expert_tensor, layout.sequence_parallel, imbalance};
}

/// Tokens of one micro-batch on one chip, before tensor ways divide them [tokens].
template <class R>
Quantity<kToken, R> micro_batch_tokens(const TrainingJob<R>& run, const Degrees<R>& layout) {
  return layout.micro_batch * run.sequence_length / layout.context;
}

}  // namespace scaling
