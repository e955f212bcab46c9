// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/assumptions.hpp"
#include "scaling/input/expert_dispatch.hpp"
#include "scaling/input/field.hpp"

namespace scaling {

/// The format of weights in memory.
enum class WeightFormat : std::uint8_t {
  kBf16,
  kFp8,       ///< one scale for a matrix, known beforehand
  kFp8Block,  ///< an fp32 scale for each block of 128 x 128; activations are scaled as they come
  kInt8,      ///< 16-bit scales for each row of the result
  kInt4,      ///< AWQ, GPTQ: scales and zeros for groups along the contraction
  kMxfp4,     ///< a byte for each 32
  kNvfp4,     ///< a byte for each 16
};
inline constexpr const char* kWeightFormatNames[] = {"bf16", "fp8",   "fp8Block", "int8",
                                                     "int4", "mxfp4", "nvfp4"};

/// The format of a part of the weights: that of the others, or one of its own.
enum class PartFormat : std::uint8_t {
  kAsWeights,
  kBf16,
  kFp8,
  kFp8Block,
  kInt8,
  kInt4,
  kMxfp4,
  kNvfp4,
};
inline constexpr const char* kPartFormatNames[] = {"asWeights", "bf16", "fp8",   "fp8Block",
                                                   "int8",      "int4", "mxfp4", "nvfp4"};

constexpr WeightFormat format_of_part(PartFormat part, WeightFormat weights) {
  if (part == PartFormat::kAsWeights) return weights;
  return static_cast<WeightFormat>(static_cast<int>(part) - 1);
}

/// The zero points beside the scales of int4.
enum class ZeroPoints : std::uint8_t {
  kNone,
  kSixteen,  ///< in 16 bits, and rows of groups padded as its kernels want: AWQ
  kFour,     ///< in 4 bits: GPTQ
};
inline constexpr const char* kZeroPointsNames[] = {"none", "sixteen", "four"};

/// The format in which matmuls compute.
enum class ComputeIn : std::uint8_t {
  kAsWeights,   ///< where the chip can; int4 and mxfp4 in 16 bits
  kBf16,        ///< weights are widened first
  kInt8Blocks,  ///< in integers of 8 bits, with a scale for each 32, where the chip can: llama.cpp
};
inline constexpr const char* kComputeInNames[] = {"asWeights", "bf16", "int8Blocks"};

/// The format of keys and values in memory.
enum class KvFormat : std::uint8_t {
  kBf16,
  kFp8,
  kInt8,
  kInt4,
  kScaled8,  ///< 8 bits with an fp32 scale for each token and head; of a latent vector, for each
             ///< 128, its rotary part in 16 bits
  kNvfp4,    ///< 4 bits with a byte for each 16
};
inline constexpr const char* kKvFormatNames[] = {"bf16", "fp8", "int8", "int4", "scaled8", "nvfp4"};

/// The part of the cache that a sequence holds.
enum class CacheAllocation : std::uint8_t {
  kPaged,    ///< blocks as it grows
  kWhole,    ///< blocks for all that it will be
  kLongest,  ///< room for the longest that may come
};
inline constexpr const char* kCacheAllocationNames[] = {"paged", "whole", "longest"};

/// The memory that the cache has a share of.
enum class MemoryShareOf : std::uint8_t {
  kWhole,  ///< the memory: weights and what is reserved go off that share
  kFree,   ///< the memory that weights leave
};
inline constexpr const char* kMemoryShareOfNames[] = {"whole", "free"};

/// The host's work between steps.
enum class HostWork : std::uint8_t {
  kBetween,   ///< it schedules each step when the last one is done
  kBeside,    ///< it schedules the next step while one runs
  kCompiled,  ///< one graph for all steps, no scheduler
  kScripted,  ///< as beside, by an interpreted program: no step is faster than its loop
};
inline constexpr const char* kHostWorkNames[] = {"between", "beside", "compiled", "scripted"};

/// The way kernels of a prompt come to the chip.
enum class PromptLaunch : std::uint8_t {
  kAhead,  ///< as a graph, or by an engine that launches faster than kernels run
  kEager,  ///< the host launches each as its program runs
};
inline constexpr const char* kPromptLaunchNames[] = {"ahead", "eager"};

/// Who computes many tokens with weights that lie in a host's memory.
enum class HostPrompts : std::uint8_t {
  kCopied,    ///< the chip: they come to it for each step; few tokens the host: llama.cpp
  kComputed,  ///< the host, as it does few tokens: KTransformers
};
inline constexpr const char* kHostPromptsNames[] = {"copied", "computed"};

/// The query heads of a key head that read it together.
enum class GroupedRead : std::uint8_t { kAll, kPowersOfTwo, kEights, kNone };
/// The format in which tokens go to their experts; they come back in 16 bits.
enum class DispatchFormat : std::uint8_t {
  kAsExperts,  ///< the one that experts compute in
  kBf16,
  kFp8,
  kNvfp4,
};
inline constexpr const char* kDispatchFormatNames[] = {"asExperts", "bf16", "fp8", "nvfp4"};

inline constexpr const char* kGroupedReadNames[] = {"all", "powersOfTwo", "eights", "none"};

/// The software that serves, its formats, and how much of its rates a chip reaches. Presets are in
/// shared/servers.json.
template <class R>
struct Server {
  static constexpr const char* kGroup = "server";
  static constexpr const char* kPrefix = "server.";
  template <class T>
  struct Slot {
    T server;
    static constexpr T Slot::*kMember = &Slot::server;
  };

  WeightFormat weights;
  PartFormat attention_weights, expert_weights, head_weights;
  ZeroPoints zeros;
  ComputeIn compute_in;
  KvFormat cache;
  CacheAllocation allocation;
  MemoryShareOf share_of;
  HostWork host;
  PromptLaunch prompt_launch;
  HostPrompts host_prompts;
  GroupedRead grouped_read;
  ExpertDispatch expert_dispatch;
  DispatchFormat dispatch_format;
  RatesFrom rates;
  bool divide_by_batch;  ///< beyond key heads, tensor ways divide the cache by sequences
  bool small_all_reduce;
  bool two_batches;  ///< halves of a step take turns, so that one's exchange hides behind the other
  bool uneven_heads;   ///< pads heads that tensor ways don't divide
  bool uneven_blocks;  ///< pads matrices whose columns or blocks ways don't divide
  /// Bits of a weight in memory, with its share of scales: of all whose format is that of the
  /// weights, and of routed experts; none: those of the format.
  Maybe<Count<R>> weight_bits, expert_bits;
  Count<R> group_size;
  Count<R> block;
  Quantity<kToken, R> longest;
  Count<R> memory_share;
  Quantity<kByte, R> reserved;
  Quantity<kToken, R> token_budget;
  Count<R> most_sequences;
  Maybe<Quantity<kToken, R>> cache_tokens;  ///< that the cache of a server holds; none: by memory
  Count<R> stream_interval;                 ///< tokens of an answer that are sent together
  Count<R> redundant_experts;  ///< copies of experts, so that expert ways divide them all
  Count<R> compute_efficiency, memory_efficiency, network_efficiency;

  static constexpr auto fields() {  // NOLINT(readability-function-size): a table
    constexpr Range kEfficiency{0.01, 1};
    constexpr Range kBits{0.5, 32};
    return Fields{
        choice(&Server::weights, "weights", kWeightFormatNames)
            .asked()
            .fallback(WeightFormat::kBf16),
        choice(&Server::attention_weights, "attentionWeights", kPartFormatNames)
            .fallback(PartFormat::kAsWeights),
        choice(&Server::expert_weights, "expertWeights", kPartFormatNames)
            .asked()
            .fallback(PartFormat::kAsWeights),
        choice(&Server::head_weights, "headWeights", kPartFormatNames)
            .rare()
            .fallback(PartFormat::kBf16),
        number(&Server::weight_bits, "weightBits", "b_stored", kBits).rare(),
        number(&Server::expert_bits, "expertBits", "b_stored,moe", kBits).rare(),
        count(&Server::group_size, "groupSize", "g", {1, 1e6}).rare().doubling().fallback(128),
        choice(&Server::zeros, "zeroPoints", kZeroPointsNames)
            .rare()
            .fallback(ZeroPoints::kSixteen),
        choice(&Server::compute_in, "computeIn", kComputeInNames)
            .rare()
            .fallback(ComputeIn::kAsWeights),
        choice(&Server::cache, "cacheFormat", kKvFormatNames).fallback(KvFormat::kBf16),
        count(&Server::block, "blockTokens", "b_page", {1, 1e6}).rare().doubling().fallback(16),
        flag(&Server::divide_by_batch, "divideByBatch").rare().searched().fallback(0),
        choice(&Server::allocation, "allocation", kCacheAllocationNames)
            .rare()
            .fallback(CacheAllocation::kPaged),
        count(&Server::longest, "longestSequence", "T_max", {1, 1e9})
            .rare()
            .doubling()
            .fallback(131072)
            .when("allocation", CacheAllocation::kLongest),
        choice(&Server::share_of, "shareOf", kMemoryShareOfNames)
            .rare()
            .fallback(MemoryShareOf::kWhole),
        number(&Server::memory_share, "memoryShare", "u_hbm", kEfficiency)
            .in_percent()
            .fallback(0.83),
        number(&Server::reserved, "reservedMemory", "M_reserved", {0, 1e13}).rare().fallback(1e9),
        count(&Server::token_budget, "tokenBudget", "T_step", {1, 1e9}).doubling().fallback(8192),
        count(&Server::most_sequences, "mostSequences", "B_most", {1, 1e7})
            .doubling()
            .fallback(2048),
        count(&Server::cache_tokens, "cacheTokens", "T_cache", {1, 1e12}).rare(),
        count(&Server::stream_interval, "streamInterval", "n_send", {1, 1e6})
            .rare()
            .doubling()
            .fallback(1),
        choice(&Server::host, "host", kHostWorkNames).rare().fallback(HostWork::kBetween),
        choice(&Server::prompt_launch, "promptLaunch", kPromptLaunchNames)
            .rare()
            .fallback(PromptLaunch::kAhead),
        choice(&Server::host_prompts, "hostPrompts", kHostPromptsNames)
            .rare()
            .fallback(HostPrompts::kCopied),
        choice(&Server::grouped_read, "groupedRead", kGroupedReadNames)
            .rare()
            .fallback(GroupedRead::kAll),
        flag(&Server::small_all_reduce, "smallAllReduce").rare().fallback(1),
        choice(&Server::expert_dispatch, "expertDispatch", kExpertDispatchNames)
            .rare()
            .fallback(ExpertDispatch::kUsual),
        choice(&Server::dispatch_format, "dispatchFormat", kDispatchFormatNames)
            .rare()
            .fallback(DispatchFormat::kAsExperts),
        flag(&Server::two_batches, "twoBatches").rare().fallback(0),
        flag(&Server::uneven_heads, "unevenHeads").rare().fallback(0),
        flag(&Server::uneven_blocks, "unevenBlocks").rare().fallback(0),
        count(&Server::redundant_experts, "redundantExperts", "E_redundant", {0, 1e5})
            .rare()
            .fallback(0),
        choice(&Server::rates, "rates", kRatesFromNames).rare().fallback(RatesFrom::kMeasured),
        number(&Server::compute_efficiency, "computeEfficiency", "eta_C", kEfficiency)
            .rare()
            .in_percent()
            .fallback(1)
            .when("rates", RatesFrom::kStated),
        number(&Server::memory_efficiency, "memoryEfficiency", "eta_hbm", kEfficiency)
            .rare()
            .in_percent()
            .fallback(1)
            .when("rates", RatesFrom::kStated),
        number(&Server::network_efficiency, "networkEfficiency", "eta_net", kEfficiency)
            .rare()
            .in_percent()
            .fallback(1)
            .when("rates", RatesFrom::kStated),
    };
  }
};

}  // namespace scaling
