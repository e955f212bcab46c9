// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/layout.hpp"

namespace scaling {

namespace term {

inline constexpr Term kLayersPerStage{"layersPerStage", "L_p", kOne, "sc21"};
inline constexpr Term kInFlight{"inFlight", "n_flight", kOne, "korthikanti"};
inline constexpr Term kBubbleTime{"timeBubble", "T_bubble", kSecond, "sc21"};

}  // namespace term

/// Layers of the fullest stage and of both ends. Where layers do not divide evenly, the ends, which
/// also hold embedding and head, have one fewer first (as LLaMA 3 405B does), then the stages
/// before the last.
template <class R>
struct StageLayers {
  Count<R> most, first, last;
  Count<R> fewer;  ///< stages between the ends that have one layer less than the most
};

template <class R>
StageLayers<R> stage_layers(Count<R> layers, Count<R> pipeline);

/// What one micro-batch takes a stage [s]. `weights` is the part of the backward pass that computes
/// the gradients of weights, which zero-bubble schedules may put off.
template <class R>
struct PassTimes {
  Quantity<kSecond, R> forward, backward, weights;
};

/// Seconds in which a stage waits in each step for its pipeline to fill and drain.
///
/// GPipe and 1F1B (p-1)(F+B); interleaved 1/v of it, and (v-1) chunks more for each micro-batch
/// that is missing to a multiple of p; ZB1P (p-1)(F+B-2W); ZB2P and ZBV none; V-Half and V-Min a
/// half and two thirds of the share of 1F1B; DualPipe (p/2-1)(F&B+B-3W), with F&B = F+B.
/// Source: Megatron-LM (SC21) 2.2; zero-bubble and DualPipe READMEs; Calculon for the remainder.
template <class R>
Quantity<kSecond, R> bubble_time(const Layout<R>& layout, Count<R> micro_batches,
                                 const PassTimes<R>& times);

/// Micro-batches whose activations stage `stage` (from 0) holds at most; of interleaved schedules a
/// fraction, as chunks count. Source: Korthikanti et al. 4.2.3 and appendix C; zero-bubble README.
template <class R>
Count<R> in_flight(const Layout<R>& layout, Count<R> micro_batches, Count<R> stage);

}  // namespace scaling
