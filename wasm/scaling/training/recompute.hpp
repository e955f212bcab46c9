// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "scaling/training/layer_work.hpp"
#include "scaling/training/tuning.hpp"

namespace scaling {

namespace term {

/// Shares of layers that compute a tensor again in the backward pass, by Dropped.
inline constexpr Term kAgainNorms = Term{"againNorms", "f_norms", kOne, "korthikanti"}.in_percent();
inline constexpr Term kAgainProduct =
    Term{"againProduct", "f_act", kOne, "korthikanti"}.in_percent();
inline constexpr Term kAgainQkv = Term{"againQkv", "f_qkv", kOne, "korthikanti"}.in_percent();
inline constexpr Term kAgainAttention =
    Term{"againAttention", "f_attn", kOne, "korthikanti"}.in_percent();
inline constexpr Term kAgainHidden = Term{"againHidden", "f_up", kOne, "korthikanti"}.in_percent();
inline constexpr Term kAgainMiddle = Term{"againMiddle", "f_out", kOne, "korthikanti"}.in_percent();
inline constexpr Term kAgainResults =
    Term{"againResults", "f_down", kOne, "korthikanti"}.in_percent();

}  // namespace term

/// Bytes that one layer keeps of one micro-batch for the backward pass on one chip, by tensor [B].
/// Source: Korthikanti et al. 4.1 (which it reproduces in its setting); DeepSeek-V3 3.3.3 for fp8.
template <class R>
struct LayerActivations {
  Quantity<kByte, R> input;      ///< of the layer
  Quantity<kByte, R> middle;     ///< between attention and feed-forward part
  Quantity<kByte, R> norms;      ///< results of the two norms: inputs of the matmuls behind them
  Quantity<kByte, R> qkv;        ///< queries, keys and values
  Quantity<kByte, R> attention;  ///< its result; of FlashAttention with the sums of its rows
  Quantity<kByte, R> scores;     ///< softmax and its dropout, where the kernel writes them
  Quantity<kByte, R> hidden;     ///< results of the first feed-forward matmul
  Quantity<kByte, R> product;    ///< input of the second one
  Quantity<kByte, R> experts;    ///< tokens as they came to their experts, and the router's scores
  Quantity<kByte, R> results;    ///< of the experts, before they are weighted and added
  Quantity<kByte, R> masks;      ///< dropout masks of attention and feed-forward results
  Quantity<kByte, R> casts;      ///< copies of weights in the format that matmuls take
  /// The gradients that exist while the layer works backward and are not kept: those of the hidden
  /// state, and of the tensors of the part with the most.
  Quantity<kByte, R> gradients;

  Quantity<kByte, R> total() const {
    return input + middle + norms + qkv + attention + scores + hidden + product + experts +
           results + masks + casts;
  }
  Quantity<kByte, R> largest() const {
    const auto of_attention = max(max(norms, qkv), max(attention, scores));
    return max(of_attention, max(max(hidden, product), max(experts, results)));
  }
};

/// Activations that a dense or a sparse layer keeps if nothing is computed again. The chip has
/// `imbalance` times the tokens for experts that it would have if they were spread evenly.
template <class R>
LayerActivations<R> layer_activations(const Model<R>& model, const TrainingJob<R>& run,
                                      const Layout<R>& layout, bool sparse,
                                      Count<R> imbalance = Count<R>(R(1)),
                                      const TensorCopies& copies = {});

/// The part of a stage's layers that compute each tensor again, from 0 to 1.
using DroppedShares = std::array<double, kDroppedKinds>;

/// Bytes that a rule leaves of a layer, and the work that it costs.
template <class R>
struct Kept {
  Quantity<kByte, R> bytes;      ///< kept for each micro-batch in flight
  Quantity<kByte, R> sendable;   ///< of these: what a share may wait of on the host
  Quantity<kByte, R> working;    ///< there while a layer is computed again
  Quantity<kByte, R> gradients;  ///< of activations, there while a layer works backward
  Quantity<kByte, R> largest;    ///< tensor of a layer, whether it is kept or not
  Work<R> work;                  ///< again in the backward pass
  Count<R> sums;                 ///< fraction of forward tensor collectives repeated in backward
  Count<R> others;               ///< the same fraction of context and expert transfers

  /// Sets what it costs to compute each layer again from its input. Where its last matmul is left
  /// out, so is the sum behind it: one of two, or with sequence parallelism its half, the scatter.
  void compute_all(const LayerWork<R>& of, bool sparse, bool sequence_parallel) {
    work = of.all_again(sparse);
    const double left = sequence_parallel ? 0.75 : 0.5;
    sums = scalar<R>(of.leaves_last(sparse) ? left : 1);
    others = scalar<R>(1);
  }
};

/// The share of layers that compute each tensor again, of those that there are: 0 of others, and 1
/// of all if a rule keeps nothing but inputs. Between its copies, kCopies computes all again.
DroppedShares shares_again(const Layout<double>& layout, const DroppedShares& dropped,
                           const LayerActivations<double>& activations);

/// The tensors that selective recomputation drops of each layer; none of kScores, which drops what
/// only some kernels keep.
DroppedShares selective_drops(Selective selective);

/// The tensors that `layout.recompute` keeps of a layer, on average; with kCheapest, and with
/// kSelective if it names any, what `dropped` leaves. Copies that the rule kCopies counts stand
/// under `input`.
template <class R>
LayerActivations<R> kept_tensors(const LayerActivations<R>& activations, const Model<R>& model,
                                 const TrainingJob<R>& run, const Layout<R>& layout,
                                 const DroppedShares& dropped);

/// Bytes that `layout.recompute` keeps of a layer; see kept_tensors for `dropped`.
/// Source: Korthikanti et al. 4 and 5; Chen et al. for every n-th layer; book ch. 4 for copies.
template <class R>
Kept<R> keep(const LayerActivations<R>& activations, const LayerWork<R>& work, bool sparse,
             const Model<R>& model, const TrainingJob<R>& run, const Layout<R>& layout,
             const DroppedShares& dropped);

/// One kind of tensor, as the choice of what to drop sees it: of a stage's layers on average.
struct DropOption {
  double bytes;  ///< that it frees in each layer and micro-batch in flight
  double cost;   ///< seconds to compute it again
};

/// The cheapest choice of kinds to drop that frees `needed` bytes, with `layers` layers and
/// `in_flight` micro-batches: among all sets of kinds that go in every layer, with one more kind
/// that goes in as few as are enough. A kind that is dropped is there once while it is recomputed.
/// Drops everything if even that is not enough.
DroppedShares cheapest_drops(const std::array<DropOption, kDroppedKinds>& options, double layers,
                             double in_flight, double needed);

}  // namespace scaling
