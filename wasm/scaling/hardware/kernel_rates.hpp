// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "scaling/input/generation.hpp"

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
// each explained in shared/efficiency.json. Seconds, bytes; shares are those of the data sheet's
// figure. Work of a core scales with the number of cores, work of the memory with its bandwidth.
// `fitted` is false where the chips have no measurements of their own and take general figures.

struct MatmulRates {
  double start = 0;           ///< before the first tile and after the last [s]
  double efficiency = 0;      ///< share of the peak that tiles reach whose operands are there
  double feed = 0;            ///< bytes that a core takes in for its tiles [B/s]
  double step = 0;            ///< a tile's least time for one unit of the contraction [s]
  double tile = 0;            ///< further time of a tile [s]
  double memory = 0;          ///< share of the memory's bandwidth
  double throttle = 0;        ///< longer by this share where power limits the clock
  double split = 0;           ///< time to add the parts of a split contraction [s]
  double parts = 1;           ///< most parts of a split contraction
  double wave = 0;            ///< share of the last wave's idle time that counts
  double least_tile = 0;      ///< rows and columns that a tile has at least
  double hot = 0;             ///< bytes of L2 that keep what is read again [B]
  double cache = 0;           ///< bytes from L2 that a core takes in [B/s]
  double writes = 0;          ///< 1: L2 keeps what is written, too
  double quantise_start = 0;  ///< time of kernels that quantise activations, with nothing to do [s]
  double quantise_bytes = 0;  ///< that they move for each element
  double quantise = 0;        ///< share of the memory's bandwidth that they reach
  bool fitted = false;
};

struct PrefillRates {
  double start = 0;       ///< the kernel and the update of the cache, with nothing to do [s]
  double efficiency = 0;  ///< share of the 16-bit peak
  double score = 0;       ///< time of one core for a query and a key, besides the matmuls [s]
  double block = 0;       ///< time of each block of queries [s]
  double tail = 0;        ///< share of the longest block that nothing else hides
  double memory = 0;      ///< share of the memory's bandwidth
  double write = 0;       ///< time of one core for a number of the cache [s]
  double query_tile = 0;  ///< rows of a block
  double overlaps = 0;    ///< 1: exponentials run beside the matmuls
  double packs = 0;       ///< 1: heads that share a key head fill a block of few queries together
  double hot = 0;         ///< bytes of L2 that keep what is read again [B]
  bool fitted = false;
};

struct DecodeRates {
  double start = 0;   ///< the kernel and the update of the cache, with nothing to do [s]
  double block = 0;   ///< time of each block [s]
  double feed = 0;    ///< bytes that a core takes in [B/s]
  double memory = 0;  ///< share of the memory's bandwidth
  double split = 0;   ///< time to add the parts of split sequences [s]
  double margin = 0;  ///< keys that a window reads besides its own: tiles begin where they may
  double eager = 0;   ///< 1: splits sequences of groups of heads whenever cores are idle, no others
  double hot = 0;     ///< bytes of L2 that keep what is read again [B]
  double cache = 0;   ///< bytes from L2 that a core takes in [B/s]
  bool fitted = false;
};

struct LatentPrefillRates {
  double start = 0;         ///< [s]
  double efficiency = 0;    ///< share of the 16-bit peak
  double block = 0;         ///< time of each block of queries [s]
  double tail = 0;          ///< share of the longest block that nothing else hides
  double memory = 0;        ///< share of the memory's bandwidth
  double write = 0;         ///< time of one core for a number of unfolded keys and values [s]
  double write_latent = 0;  ///< the same, of the cache [s]
  double query_tile = 0;    ///< rows of a block
  double hot = 0;           ///< bytes of L2 that keep what is read again [B]
  bool fitted = false;
};

struct LatentDecodeRates {
  double start = 0;       ///< [s]
  double block = 0;       ///< time of each block [s]
  double feed = 0;        ///< bytes that a core takes in [B/s]
  double memory = 0;      ///< share of the memory's bandwidth
  double efficiency = 0;  ///< share of the 16-bit peak
  double split = 0;       ///< time to add the parts of split sequences [s]
  double parts = 1;       ///< most parts of a split sequence
  double head_tile = 0;   ///< heads of a block, where there are more than 32
  double small_tile = 0;  ///< the same, where there are not
  double hot = 0;         ///< bytes of L2 that keep what is read again [B]
  double cache = 0;       ///< bytes from L2 that a core takes in [B/s]
  bool fitted = false;
};

/// Rates of experts, where they differ from those of a matmul in the same format.
struct ExpertsRates {
  double start = 0;       ///< routing, sorting and both matmuls, with nothing to do [s]
  double efficiency = 0;  ///< share of the efficiency of a matmul alone
  double tile = 0;        ///< time of a tile [s]
  double memory = 0;      ///< share of the memory's bandwidth
  double permute = 0;     ///< the same, of what moves tokens and applies the activation
  double per_token = 0;   ///< time of each token for each of its experts [s]
  double per_expert = 0;  ///< time of each expert that the chip holds [s]
  double hot = 0;         ///< bytes of L2 that keep what is read again [B]
  bool fitted = false;
};

/// Rates of collectives in one scale-up domain; bandwidths are shares of a chip's link, one way.
struct CollectiveRates {
  double start = 0;                               ///< [s]
  double all_to_all_start = 0;                    ///< further start of an AllToAll [s]
  double step = 0;                                ///< time of each step of a ring [s]
  double gather = 0, reduce = 0, all_to_all = 0;  ///< among many ranks
  double gather_few = 0, reduce_few = 0;          ///< lost among r: this / r squared
  double all_reduce_few = 0, all_to_all_few = 0;  ///< likewise
  double pipeline = 0;                            ///< time of each piece on its way [s]
  double large_pipeline = 0;                      ///< the same, of large messages [s]
  double in_network = 0;        ///< times as fast is an AllReduce that switches add up
  double in_network_start = 0;  ///< until they do [s]
  bool fitted = false;
};

/// Rates of collectives that leave their domain; shares of a rate are of that over the same links.
struct FarCollectiveRates {
  double ring = 0;        ///< share of the bandwidth out of a domain that a ring reaches
  double tree = 0;        ///< the same, of a tree of domains
  double all_to_all = 0;  ///< the same, of an AllToAll
  double step = 0;        ///< of a ring: each waits for the hop that leaves its domain [s]
  double near_hop = 0;    ///< inside a domain, of small messages [s]
  double ring_hop = 0;    ///< out of a domain, of a ring's small messages [s]
  double tree_hop = 0;    ///< the same, of a tree's [s]
  double small = 0;       ///< share of a rate that small messages reach
  bool fitted = false;
};

/// Rates of an AllReduce that writes into the other chips' memory at once; no such kernel where
/// `bandwidth` is 0.
struct SmallAllReduceRates {
  double start = 0, step = 0;  ///< [s]
  double bandwidth = 0;        ///< share of the link
  double second = 0;           ///< further time in two shots [s]
  bool fitted = false;
};

/// Rates of kernels that move more than they compute.
struct StreamRates {
  double start = 0;    ///< [s]
  double memory = 0;   ///< share of the memory's bandwidth
  double feed = 0;     ///< bytes that a core takes in at most [B/s]; 0: no limit of its own
  double per_row = 0;  ///< time of each row [s]
  double chunk = 0;    ///< time of each chunk that waits for the one before [s]
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

/// The part of its kernels' rates that trainings of a generation reach; see shared/efficiency.json.
struct TrainingRates {
  double sustained_bf16, sustained_fp8, sustained_fp8_block, sustained_fp4;
  double sustained_attention;
  double flash1, flash2;
  double grouped, grouped_low;
  double scale_up, all_to_all, scale_out;
  double power;      ///< [W s/FLOP]
  double watts;      ///< of the chips that have this power for their peak
  double four_bits;  ///< peak in 4 bits over that in 16
  double host;
  double spread;  ///< times as far off are its steps
  bool fitted;

  double sustained(KernelFormat format) const {
    const double rates[] = {sustained_bf16, sustained_fp8, sustained_fp8_block, sustained_fp4};
    return rates[static_cast<std::size_t>(format)];
  }

  double peak_over_sixteen(KernelFormat format) const {
    const double ratios[] = {1, 2, 2, four_bits};
    return ratios[static_cast<std::size_t>(format)];
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

/// The constants of shared/efficiency.json. They live as long as the program.
const KernelRates& kernel_rates(ChipGeneration generation);

/// The rates that trainings need: of matmuls and attention of whole sequences; the others are zero.
/// A module that asks for these alone does without the rest.
const KernelRates& training_kernel_rates(ChipGeneration generation);

}  // namespace scaling
