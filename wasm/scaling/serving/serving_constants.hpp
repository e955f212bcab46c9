// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/quantity/constant.hpp"

namespace scaling {

/// The constants of serving beside those of its kernels; from shared/efficiency.json, `serving`.
struct ServingConstants {
  Constant collective{1};    ///< time of a collective in a step over that of it alone
  Constant collective_wait;  ///< time besides that of it alone, for ranks that come late [s]
  Constant host_between;     ///< host time of each step, where it waits for the last one [s]
  Constant host_beside;      ///< the same, where it works beside the step [s]
  Constant host_compiled;    ///< the same, of one graph without a scheduler [s]
  Constant host_loop;        ///< the least time of a step that an interpreted program schedules [s]
  Constant eager_launch;     ///< host time of each kernel of a prompt that it launches alone [s]
  Constant kernels_layer;    ///< kernels of a prompt in a layer: attention and a dense part
  Constant kernels_experts;  ///< further ones where experts take the place of the dense part
  Constant kernels_latent;   ///< further ones of latent attention
  Constant kernels_state;    ///< further ones of a state
  Constant kernels_index;    ///< further ones of an indexer
  Constant first_token;      ///< time of a request before its prefill, and of its first answer [s]
  Constant front_end;        ///< time of a request that comes to a server, before all that [s]
  Constant imbalance;        ///< variance of tokens of expert ranks, over that of choice by chance
  Constant expert_sixteen{1};  ///< time of experts in a model over that of their kernels alone
  Constant expert_low{1};      ///< the same, in 8 bits
  Constant expert_block{1};    ///< the same, in 8 bits with scales of blocks
  Constant expert_four{1};     ///< the same, in 4 bits
  Constant block_rate{1};      ///< share of the peak in int8 that kernels reach which scale blocks
  Constant block_tile;         ///< rows of a tile of these kernels
  Constant expert_each{1};     ///< exposed share of the kernel's time for each expert that it holds
  Constant small_kernel;       ///< time of a norm, a rotation or a residual sum [s]
  Constant small_kernels;      ///< number of these in a layer
  Constant memory{1};          ///< share of the bandwidth that elementwise kernels reach
  Constant absorbed;           ///< time of each of the two matmuls for queries in latent space [s]
  Constant sampling;           ///< bytes that sampling moves for each logit [B]
  Constant residents{1};       ///< blocks of attention that share a core
  Constant shared_reads;       ///< rate of keys that heads read one by one, from L2 [B/s]
  Constant host_memory{1};     ///< share of its memory's bandwidth that a host's kernels reach
  Constant host_tokens;        ///< tokens of a step from which on the chip computes, not the host
  Constant stage_hop;          ///< time of a hop between pipeline stages [s]
  Constant clump;              ///< requests that come together, over the root of all in flight
  Constant most_wave;          ///< share of a cycle that a wave of prompts takes at most
  Constant gauss_point;        ///< the first of three points at which a mean over answers is taken
  Constant most_busy;          ///< share of the time that queues are counted up to
  /// Measured over expected: what 5 and 95 % of measurements stay above, of dense models and
  /// others.
  Constant rate_low{1}, rate_high{1}, token_low{1}, token_high{1}, first_low{1}, first_high{1};
  Constant sparse_rate_low{1}, sparse_rate_high{1}, sparse_token_low{1}, sparse_token_high{1},
      sparse_first_low{1}, sparse_first_high{1};
  /// The same where prompts have chips of their own, and of batches that are steady.
  Constant apart_rate_low{1}, apart_rate_high{1}, apart_token_low{1}, apart_token_high{1},
      steady_rate_low{1}, steady_rate_high{1}, steady_token_low{1}, steady_token_high{1},
      apart_first_low{1}, apart_first_high{1}, steady_first_low{1}, steady_first_high{1};
  /// By which the slow sides of both are further off, for the share of time that prompts take where
  /// models with experts answer beside them.
  Constant sparse_prompts;
  /// Widening of both sides there, on generations of which fewer served models were measured than
  /// of Blackwell.
  Constant sparse_elsewhere{1};
  Constant unmeasured{1};   ///< widening of these on chips without measured kernels
  Constant steady_four{1};  ///< widening in 4 bits, of requests that do not wait for answers
};

/// The constants of shared/efficiency.json.
extern const ServingConstants kServingConstants;

}  // namespace scaling
