// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "scaling/input/generation.hpp"
#include "scaling/quantity/constant.hpp"

namespace scaling {

/// Operands of the matrix units: two bytes an element (bf16, fp16), fp8 (int8) with one scale for
/// a matrix or for each block of it, and fp4 with scales of blocks.
enum class KernelFormat : std::uint8_t { kBf16, kFp8, kFp8Block, kFp4 };
inline constexpr const char* kKernelFormatNames[] = {"bf16", "fp8", "fp8Block", "fp4"};
inline constexpr std::size_t kKernelFormats = std::size(kKernelFormatNames);

/// The format of the cache of keys and values of earlier tokens.
enum class CacheFormat : std::uint8_t {
  kNone,  ///< nothing does: a training
  kBf16,
  kFp8,
};
/// Constants differ by the format of the cache: 16 bits or none, 8 bits.
inline constexpr const char* kCacheFormatNames[] = {"bf16", "fp8"};
inline constexpr std::size_t kCacheFormats = std::size(kCacheFormatNames);

// The constants of the formulas of kernel_time.hpp, attention_time.hpp and collective_time.hpp,
// from shared/efficiency.json; shared/text says what each is. Seconds, bytes; shares are those of
// the data sheet's figure. Work of a core scales with the number of cores, work of the memory with
// its bandwidth. `fitted` is false where the chips have no measurements of their own and take
// general figures.

struct MatmulRates {
  Constant start;           ///< before the first tile and after the last [s]
  Constant efficiency;      ///< share of the peak that tiles reach whose operands are there
  Constant feed;            ///< bytes that a core takes in for its tiles [B/s]
  Constant step;            ///< a tile's least time for one unit of the contraction [s]
  Constant tile;            ///< further time of a tile [s]
  Constant memory;          ///< share of the memory's bandwidth
  Constant throttle;        ///< longer by this share where power limits the clock
  Constant split;           ///< time to add the parts of a split contraction [s]
  Constant parts{1};        ///< most parts of a split contraction
  Constant wave;            ///< share of the last wave's idle time that counts
  Constant least_tile;      ///< rows and columns that a tile has at least
  Constant hot;             ///< bytes of L2 that keep what is read again [B]
  Constant cache;           ///< bytes from L2 that a core takes in [B/s]
  Constant writes;          ///< 1: L2 keeps what is written, too
  Constant quantise_start;  ///< time of kernels that quantise activations, with nothing to do [s]
  Constant quantise_bytes;  ///< that they move for each element
  Constant quantise;        ///< share of the memory's bandwidth that they reach
  bool fitted = false;
};

struct PrefillRates {
  Constant start;       ///< the kernel and the update of the cache, with nothing to do [s]
  Constant efficiency;  ///< share of the 16-bit peak
  Constant score;       ///< time of one core for a query and a key, besides the matmuls [s]
  Constant block;       ///< time of each block of queries [s]
  Constant tail;        ///< share of the longest block that nothing else hides
  Constant memory;      ///< share of the memory's bandwidth
  Constant write;       ///< time of one core for a number of the cache [s]
  Constant query_tile;  ///< rows of a block
  Constant overlaps;    ///< 1: exponentials run beside the matmuls
  Constant packs;       ///< 1: heads that share a key head fill a block of few queries together
  Constant hot;         ///< bytes of L2 that keep what is read again [B]
  bool fitted = false;
};

struct DecodeRates {
  Constant start;   ///< the kernel and the update of the cache, with nothing to do [s]
  Constant block;   ///< time of each block [s]
  Constant feed;    ///< bytes that a core takes in [B/s]
  Constant memory;  ///< share of the memory's bandwidth
  Constant split;   ///< time to add the parts of split sequences [s]
  Constant margin;  ///< keys that a window reads besides its own: tiles begin where they may
  Constant eager;   ///< 1: splits sequences of groups of heads whenever cores are idle, no others
  Constant hot;     ///< bytes of L2 that keep what is read again [B]
  Constant cache;   ///< bytes from L2 that a core takes in [B/s]
  bool fitted = false;
};

struct LatentPrefillRates {
  Constant start;         ///< [s]
  Constant efficiency;    ///< share of the 16-bit peak
  Constant block;         ///< time of each block of queries [s]
  Constant tail;          ///< share of the longest block that nothing else hides
  Constant memory;        ///< share of the memory's bandwidth
  Constant write;         ///< time of one core for a number of unfolded keys and values [s]
  Constant write_latent;  ///< the same, of the cache [s]
  Constant query_tile;    ///< rows of a block
  Constant hot;           ///< bytes of L2 that keep what is read again [B]
  bool fitted = false;
};

struct LatentDecodeRates {
  Constant start;       ///< [s]
  Constant block;       ///< time of each block [s]
  Constant feed;        ///< bytes that a core takes in [B/s]
  Constant memory;      ///< share of the memory's bandwidth
  Constant efficiency;  ///< share of the 16-bit peak
  Constant split;       ///< time to add the parts of split sequences [s]
  Constant parts{1};    ///< most parts of a split sequence
  Constant head_tile;   ///< heads of a block, where there are more than 32
  Constant small_tile;  ///< the same, where there are not
  Constant hot;         ///< bytes of L2 that keep what is read again [B]
  Constant cache;       ///< bytes from L2 that a core takes in [B/s]
  bool fitted = false;
};

/// Rates of experts, where they differ from those of a matmul in the same format.
struct ExpertsRates {
  Constant start;       ///< routing, sorting and both matmuls, with nothing to do [s]
  Constant efficiency;  ///< share of the efficiency of a matmul alone
  Constant tile;        ///< time of a tile [s]
  Constant memory;      ///< share of the memory's bandwidth
  Constant permute;     ///< the same, of what moves tokens and applies the activation
  Constant per_token;   ///< time of each token for each of its experts [s]
  Constant per_expert;  ///< time of each expert that the chip holds [s]
  Constant hot;         ///< bytes of L2 that keep what is read again [B]
  bool fitted = false;
};

/// Rates of collectives in one scale-up domain; bandwidths are shares of a chip's link, one way.
struct CollectiveRates {
  Constant start;                           ///< [s]
  Constant all_to_all_start;                ///< further start of an AllToAll [s]
  Constant step;                            ///< time of each step of a ring [s]
  Constant gather, reduce, all_to_all;      ///< among many ranks
  Constant gather_few, reduce_few;          ///< lost among r: this / r squared
  Constant all_reduce_few, all_to_all_few;  ///< likewise
  Constant pipeline;                        ///< time of each piece on its way [s]
  Constant large_pipeline;                  ///< the same, of large messages [s]
  Constant in_network;                      ///< times as fast is an AllReduce that switches add up
  Constant in_network_start;                ///< until they do [s]
  Constant torus;                           ///< share of the links of a torus
  Constant torus_all_to_all;                ///< the same, of an AllToAll
  bool fitted = false;
};

/// Rates of collectives that leave their domain; shares of a rate are of that over the same links.
struct FarCollectiveRates {
  Constant ring;        ///< share of the bandwidth out of a domain that a ring reaches
  Constant tree;        ///< the same, of a tree of domains
  Constant all_to_all;  ///< the same, of an AllToAll
  Constant step;        ///< of a ring: each waits for the hop that leaves its domain [s]
  Constant near_hop;    ///< inside a domain, of small messages [s]
  Constant ring_hop;    ///< out of a domain, of a ring's small messages [s]
  Constant tree_hop;    ///< the same, of a tree's [s]
  Constant small;       ///< share of a rate that small messages reach
  bool fitted = false;
};

/// Rates of an AllReduce that writes into the other chips' memory at once; no such kernel where
/// `bandwidth` is 0.
struct SmallAllReduceRates {
  Constant start, step;  ///< [s]
  Constant bandwidth;    ///< share of the link
  Constant second;       ///< further time in two shots [s]
  bool fitted = false;
};

/// Rates of kernels that move more than they compute.
struct StreamRates {
  Constant start;    ///< [s]
  Constant memory;   ///< share of the memory's bandwidth
  Constant feed;     ///< bytes that a core takes in at most [B/s]; 0: no limit of its own
  Constant per_row;  ///< time of each row [s]
  Constant chunk;    ///< time of each chunk that waits for the one before [s]
  bool fitted = false;
};

enum class StreamKernel : std::uint8_t {
  kElementwise,
  kQuantiseScale,           ///< largest magnitude of a matrix
  kDeltaRecurrent,          ///< gated delta rule, one token
  kDeltaChunked,            ///< the same, prompts
  kKimiRecurrent,           ///< Kimi delta attention, one token
  kKimiChunked,             ///< the same, prompts
  kDeltaConvolution,        ///< causal, of prompts, before a gated delta rule
  kDeltaConvolutionUpdate,  ///< the same, of one token
  kKimiConvolution,
  kMambaConvolution,
  kMambaConvolutionUpdate,
};
inline constexpr const char* kStreamKernelNames[] = {
    "elementwise",     "quantiseScale",    "deltaRecurrent",        "deltaChunked",
    "kimiRecurrent",   "kimiChunked",      "deltaConvolution",      "deltaConvolutionUpdate",
    "kimiConvolution", "mambaConvolution", "mambaConvolutionUpdate"};
inline constexpr std::size_t kStreamKernels = std::size(kStreamKernelNames);

/// The part of its kernels' rates that trainings of a generation reach; from
/// shared/efficiency.json.
struct TrainingRates {
  Constant sustained_bf16, sustained_fp8, sustained_fp8_block, sustained_fp4;
  Constant sustained_attention;
  Constant flash1, flash2;
  Constant grouped, grouped_low;
  Constant scale_up, scale_out;
  Constant power;      ///< [W s/FLOP]
  Constant watts;      ///< of the chips that have this power for their peak
  Constant four_bits;  ///< peak in 4 bits over that in 16
  Constant host;
  Constant spread;  ///< times as far off are its steps
  bool fitted;

  const Constant& sustained(KernelFormat format) const {
    const Constant* const rates[] = {&sustained_bf16, &sustained_fp8, &sustained_fp8_block,
                                     &sustained_fp4};
    return *rates[static_cast<std::size_t>(format)];
  }

  Constant peak_over_sixteen(KernelFormat format) const {
    if (format == KernelFormat::kBf16) return Constant{1};
    return format == KernelFormat::kFp4 ? four_bits : Constant{2};
  }
};

/// All constants of a generation. A plain value: a fit changes a copy of it.
struct KernelRates {
  std::array<MatmulRates, kKernelFormats> matmul{};
  std::array<PrefillRates, kCacheFormats> prefill{};
  std::array<DecodeRates, kCacheFormats> decode{};
  std::array<LatentPrefillRates, kCacheFormats> latent_prefill{};
  std::array<LatentDecodeRates, kCacheFormats> latent_decode{};
  std::array<ExpertsRates, kKernelFormats> experts{};
  CollectiveRates collective{};
  FarCollectiveRates far_collective{};
  SmallAllReduceRates small_all_reduce{};
  std::array<StreamRates, kStreamKernels> stream{};
};

/// Constants common to all kernels.
struct KernelConstants {
  Constant throttle_time;   ///< in which the clock falls from that of a burst [s]
  Constant host_link;       ///< share of a host link that transfers among chips reach
  Constant host_start;      ///< start of a collective over host links [s]
  Constant host_step;       ///< time of each of its steps [s]
  Constant exchange_start;  ///< of tokens with their experts, with nothing to send [s]
  Constant exchange_quick;  ///< the same, of kernels for few tokens [s]
  Constant exchange_near;   ///< share of links inside a domain that its kernels reach
  Constant exchange_far;    ///< share of a rank's way out of it
};
extern const KernelConstants kKernelConstants;

/// The name of a constant in derivations.
const ConstantName& constant_name(ConstantId id);

/// The constants of shared/efficiency.json. They live as long as the program.
const KernelRates& kernel_rates(ChipGeneration generation);

/// The rates that trainings need: of matmuls and attention of whole sequences; the others are zero.
/// A module that asks for these alone does without the rest.
const KernelRates& training_kernel_rates(ChipGeneration generation);

}  // namespace scaling
