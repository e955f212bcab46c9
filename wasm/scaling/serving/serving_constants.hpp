// SPDX-License-Identifier: MIT
#pragma once

namespace scaling {

/// The constants of serving beside those of its kernels; see shared/efficiency.json, `serving`.
struct ServingConstants {
  double collective = 1;       ///< time of a collective in a step over that of it alone
  double collective_wait = 0;  ///< time besides that of it alone, for ranks that come late [s]
  double host_between = 0;     ///< host time of each step, where it waits for the last one [s]
  double host_beside = 0;      ///< the same, where it works beside the step [s]
  double host_compiled = 0;    ///< the same, of one graph without a scheduler [s]
  double host_loop = 0;      ///< the least time of a step that an interpreted program schedules [s]
  double eager_launch = 0;   ///< host time of each kernel of a prompt that it launches alone [s]
  double kernels_layer = 0;  ///< kernels of a prompt in a layer: attention and a dense part
  double kernels_experts = 0;  ///< further ones where experts take the place of the dense part
  double kernels_latent = 0;   ///< further ones of latent attention
  double kernels_state = 0;    ///< further ones of a state
  double kernels_index = 0;    ///< further ones of an indexer
  double first_token = 0;     ///< time of a request before its prefill, and of its first answer [s]
  double front_end = 0;       ///< time of a request that comes to a server, before all that [s]
  double imbalance = 0;       ///< variance of tokens of expert ranks, over that of choice by chance
  double expert_sixteen = 1;  ///< time of experts in a model over that of their kernels alone
  double expert_low = 1;      ///< the same, in 8 bits
  double expert_block = 1;    ///< the same, in 8 bits with scales of blocks
  double expert_four = 1;     ///< the same, in 4 bits
  double expert_each = 1;     ///< exposed share of the kernel's time for each expert that it holds
  double small_kernel = 0;    ///< time of a norm, a rotation or a residual sum [s]
  double small_kernels = 0;   ///< number of these in a layer
  double memory = 1;          ///< share of the bandwidth that elementwise kernels reach
  double pcie = 1;            ///< share of a host link that transfers among chips reach
  double pcie_start = 0;      ///< start of a collective over host links [s]
  double pcie_step = 0;       ///< time of each of its steps [s]
  double across = 0;          ///< share of a collective's bandwidth beyond a scale-up domain
  double torus = 1;           ///< share of torus links
  double absorbed = 0;        ///< time of each of the two matmuls for queries in latent space [s]
  double sampling = 0;        ///< bytes that sampling moves for each logit [B]
  double residents = 1;       ///< blocks of attention that share a core
  double shared_reads = 0;    ///< rate of keys that heads read one by one, from L2 [B/s]
  double stage_hop = 0;       ///< time of a hop between pipeline stages [s]
  double clump = 0;           ///< requests that come together, over the root of all in flight
  double most_busy = 0;       ///< share of the time that queues are counted up to
  /// Measured over expected: what 5 and 95 % of measurements stay above, of dense models and
  /// others.
  double rate_low = 1, rate_high = 1, token_low = 1, token_high = 1, first_low = 1, first_high = 1;
  double sparse_rate_low = 1, sparse_rate_high = 1, sparse_token_low = 1, sparse_token_high = 1,
         sparse_first_low = 1, sparse_first_high = 1;
  /// The same where prompts have chips of their own, and of batches that are steady.
  double apart_rate_low = 1, apart_rate_high = 1, apart_token_low = 1, apart_token_high = 1,
         steady_rate_low = 1, steady_rate_high = 1, steady_token_low = 1, steady_token_high = 1,
         apart_first_low = 1, apart_first_high = 1, steady_first_low = 1, steady_first_high = 1;
  /// By which the slow sides of both are further off, for the share of time that prompts take where
  /// models with experts answer beside them.
  double sparse_prompts = 0;
  /// Widening of both sides there, on generations of which fewer served models were measured than
  /// of Blackwell.
  double sparse_elsewhere = 1;
  double unmeasured = 1;   ///< widening of these on chips without measured kernels
  double steady_four = 1;  ///< widening in 4 bits, of requests that do not wait for answers
};

/// The constants of shared/efficiency.json.
extern const ServingConstants kServingConstants;

}  // namespace scaling
