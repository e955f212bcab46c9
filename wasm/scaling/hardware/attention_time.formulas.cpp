// SPDX-License-Identifier: MIT
#include "scaling/hardware/attention_time.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "scaling/hardware/kernel_tiles.hpp"

namespace scaling {
namespace {

/// Rows of queries that one block of a decode holds.
constexpr double kDecodeTile = 64;
/// Keys that a block of a decode reads at a time.
constexpr double kKeyTile = 64;

template <class R>
Quantity<kByte, R> bytes_each(double x) {
  return constant<kByte, R>(x);
}

std::size_t index_of(CacheFormat format) { return format == CacheFormat::kFp8 ? 1 : 0; }

/// Bytes of a number of the cache.
double bytes_in(CacheFormat format) { return format == CacheFormat::kFp8 ? 1 : 2; }

/// The bytes that come from memory, and the time of the rest from L2.
template <class R>
Quantity<kSecond, R> read_time(const KernelChip<R>& chip, Quantity<kByte, R> bytes, Heat heat,
                               const Constant& memory, const Constant& hot, const Constant& cache) {
  const auto bandwidth = chip.memory * scalar<R>(memory);
  if (heat != Heat::kHot) return bytes / bandwidth;
  const auto kept = hot_share(bytes, hot) * bytes;
  auto time = (bytes - kept) / bandwidth;
  if (cache > 0) time = time + kept / (chip.cores * constant<kByte / kSecond, R>(cache));
  return time;
}

/// The lower bound of a kernel that reads and writes `bytes`.
template <class R>
Quantity<kSecond, R> floor_time(const KernelChip<R>& chip, Quantity<kFlop, R> flops,
                                Quantity<kByte, R> bytes, Heat heat, CacheFormat cache) {
  if (heat == Heat::kHot) bytes = max(bytes - chip.cache, Quantity<kByte, R>{});
  // A kernel may compute in 8 bits if keys have 8 bits.
  const auto peak =
      chip.peak_in(cache == CacheFormat::kFp8 ? KernelFormat::kFp8 : KernelFormat::kBf16);
  return max(flops / peak, bytes / chip.memory);
}

/// Blocks of queries of one head of a sequence: how many, the keys that all of them read together,
/// and those of the longest one.
template <class R>
struct QueryBlocks {
  Count<R> blocks, keys, longest;
};

/// The blocks of a causal mask. The i-th of n blocks of m queries sees past + (i + 1) m keys, the
/// last one past + queries; a window hides those that lie before it: past + i m - window.
template <class R>
QueryBlocks<R> causal_blocks(Count<R> queries, Count<R> past, Count<R> window,
                             const Constant& tile) {
  const auto one = scalar<R>(1);
  const auto rows = scalar<R>(tile);
  const auto blocks = ceil(queries / rows);
  const auto all = past + queries;
  auto keys = blocks * past + rows * blocks * (blocks - one) / 2.0 + queries;
  auto longest = all;
  if (window.value() > 0 && window.value() < all.value()) {
    const auto first =
        window.value() < past.value() ? Count<R>{} : floor((window - past) / rows) + one;
    if (first.value() < blocks.value()) {
      const auto limited = blocks - first;
      keys = keys - limited * (past - window + rows * (first + blocks - one) / 2.0);
    }
    longest = min(longest, rows + window);
  }
  return {blocks, keys, longest};
}

/// Pairs of a query and a key that a causal mask and a window show.
template <class R>
Count<R> shown_pairs(Count<R> queries, Count<R> past, Count<R> window) {
  const auto one = scalar<R>(1);
  const auto unlimited = queries * past + queries * (queries + one) / 2.0;
  if (!(window.value() > 0) || window.value() >= past.value() + queries.value()) return unlimited;
  // The first queries see all before them.
  const auto first = window.value() > past.value() ? floor(window - past) : Count<R>{};
  return first * past + first * (first + one) / 2.0 + (queries - first) * window;
}

}  // namespace

template <class R>
KernelTime<R> kernel_time(const KernelChip<R>& chip, const PrefillKernel<R>& kernel) {
  // A training reads no cache, and has no rates of kernels that decode.
  if (kernel.queries.value() <= 1 && kernel.cache != CacheFormat::kNone) {
    return kernel_time(chip, DecodeKernel<R>{kernel.sequences, kernel.past + kernel.queries,
                                             kernel.heads, kernel.kv_heads, kernel.head_dim,
                                             kernel.window, kernel.cache, kernel.heat});
  }
  const PrefillRates& rates = chip.rates->prefill[index_of(kernel.cache)];
  const auto& [sequences, queries, past, heads, kv_heads, head_dim, window, cache, heat] = kernel;
  const auto rows = scalar<R>(rates.query_tile);
  auto block = causal_blocks(queries, past, window, rates.query_tile);
  auto blocks = sequences * heads * block.blocks;
  auto keys = sequences * heads * block.keys;
  if (rates.packs > 0 && queries.value() < rates.query_tile) {
    const auto group = heads / kv_heads;
    const auto packed = sequences * kv_heads * ceil(queries * group / rows);
    auto seen = past + queries;
    if (window.value() > 0) seen = min(seen, window + rows / group);
    if ((packed * seen).value() < keys.value()) {
      blocks = packed;
      keys = packed * seen;
      block.longest = seen;
    }
  }
  // The work of one core for one pair of a query and a key.
  const auto flops = constant<kFlop, R>(4) * head_dim;
  const auto rate = chip.peak_in(KernelFormat::kBf16) / chip.cores * scalar<R>(rates.efficiency);
  const auto scores = seconds_of<R>(rates.score);
  const auto pair = rates.overlaps > 0 ? max(flops / rate, scores) : flops / rate + scores;
  const auto computing = (keys * rows * pair + blocks * seconds_of<R>(rates.block)) / chip.cores +
                         scalar<R>(rates.tail) * block.longest * rows * pair;

  auto bytes = sequences * queries * head_dim * (heads + kv_heads) * bytes_each<R>(4);
  if (past.value() > 0) {
    const auto read = window.value() > 0 ? min(past, window) : past;
    bytes = bytes + sequences * read * kv_heads * head_dim * bytes_each<R>(2 * bytes_in(cache));
  }
  const auto moving = read_time(chip, bytes, heat, rates.memory, rates.hot, Constant{});
  auto expected = seconds_of<R>(rates.start) + together(computing, moving);
  if (cache != CacheFormat::kNone) {
    expected = expected +
               sequences * queries * kv_heads * head_dim * seconds_of<R>(rates.write) / chip.cores;
  }
  const auto pairs = sequences * heads * shown_pairs(queries, past, window);
  const auto floor = floor_time(chip, pairs * flops, bytes, heat, cache);
  return {floor, max(expected, floor)};
}

template <class R>
KernelTime<R> kernel_time(const KernelChip<R>& chip, const DecodeKernel<R>& kernel) {
  const DecodeRates& rates = chip.rates->decode[index_of(kernel.cache)];
  const auto& [sequences, keys, heads, kv_heads, head_dim, window, cache, heat, residents,
               one_by_one] = kernel;
  const bool windowed = window.value() > 0 && window.value() < keys.value();
  const auto shown = windowed ? window : keys;
  const auto read = windowed ? min(keys, window + scalar<R>(rates.margin)) : keys;
  const auto group = heads / kv_heads;
  const bool eager = rates.eager > 0;
  // Kernels with a window do not group heads there.
  const bool apart = (eager && window.value() > 0) || one_by_one > 0;
  const auto units =
      apart ? sequences * heads : sequences * kv_heads * ceil(group / scalar<R>(kDecodeTile));
  const auto key = head_dim * bytes_each<R>(2 * bytes_in(cache));
  const auto queries = sequences * heads * head_dim * bytes_each<R>(4);
  const auto moving = read_time(chip, sequences * kv_heads * read * key + queries, heat,
                                rates.memory, rates.hot, rates.cache);
  auto feed = constant<kByte / kSecond, R>(rates.feed);
  const auto from_cache = constant<kByte / kSecond, R>(one_by_one);
  // Keys that other heads have read come from L2, where there is one.
  if (one_by_one > 0 && rates.hot > 0) feed = max(feed, from_cache / chip.cores);
  // The bytes that each part of a sequence writes and reads, in fp32.
  const auto sums = 2.0 * queries / (chip.memory * scalar<R>(rates.memory));

  const double cores = chip.cores.value();
  double parts = 1;
  double least = 0;
  const bool whole = eager && ((window.value() > 0) || !(group.value() > 1));
  const bool split = eager && !whole && read.value() > 128 && units.value() < 0.8 * cores;
  for (int power = 1; power <= 128; power *= 2) {
    const double j = power;
    if (j > 1 && whole) break;
    if (j == 1 && split) continue;
    const double waves = ceil_of(units.value() * j / cores);
    const double rounds = residents > 1 ? std::fmax(1, waves / residents) : waves;
    const double computing =
        rounds * (rates.block +
                  kKeyTile * ceil_of(read.value() / (kKeyTile * j)) * key.value() / feed.value());
    double time = std::sqrt(computing * computing + moving.value() * moving.value());
    if (j > 1) time += rates.split + j * sums.value();
    if (least > 0 && !(time < least)) continue;
    least = time;
    parts = j;
  }
  const auto part = scalar<R>(parts);
  const auto waves = ceil(units * part / chip.cores);
  const auto tiles = scalar<R>(kKeyTile) * ceil(read / (scalar<R>(kKeyTile) * part));
  auto rounds = waves;
  if (residents > 1) rounds = max(scalar<R>(1), waves / scalar<R>(residents));
  const auto computing = rounds * (seconds_of<R>(rates.block) + tiles * key / feed);
  auto working = together(computing, moving);
  if (parts > 1) working = working + seconds_of<R>(rates.split) + part * sums;
  if (one_by_one > 0) working = max(working, sequences * heads * shown * key / from_cache);
  auto expected = seconds_of<R>(rates.start) + working;

  const auto flops = constant<kFlop, R>(4) * sequences * heads * shown * head_dim;
  const auto bytes = sequences * kv_heads * shown * key + queries;
  const auto floor = floor_time(chip, flops, bytes, heat, cache);
  return {floor, max(expected, floor)};
}

template <class R>
KernelTime<R> kernel_time(const KernelChip<R>& chip, const LatentPrefillKernel<R>& kernel) {
  const LatentPrefillRates& rates = chip.rates->latent_prefill[index_of(kernel.cache)];
  const auto& [sequences, queries, past, heads, rank, nope, rope, value, cache, heat] = kernel;
  const auto rows = scalar<R>(rates.query_tile);
  const auto block = causal_blocks(queries, past, Count<R>{}, rates.query_tile);
  const auto width = nope + rope + value;
  const auto flops = constant<kFlop, R>(2) * width;
  const auto rate = chip.peak_in(KernelFormat::kBf16) / chip.cores * scalar<R>(rates.efficiency);
  const auto pair = flops / rate;
  const auto computing =
      (sequences * heads * (block.keys * rows * pair + block.blocks * seconds_of<R>(rates.block))) /
          chip.cores +
      scalar<R>(rates.tail) * block.longest * rows * pair;
  // Queries and result of the new tokens, keys and values of all.
  const auto bytes = sequences * heads * (2.0 * queries + past) * width * bytes_each<R>(2);
  const auto moving = read_time(chip, bytes, heat, rates.memory, rates.hot, Constant{});
  auto expected = seconds_of<R>(rates.start) + together(computing, moving);
  if (cache != CacheFormat::kNone) {
    expected = expected + sequences * queries *
                              (heads * width * seconds_of<R>(rates.write) +
                               (rank + rope) * seconds_of<R>(rates.write_latent)) /
                              chip.cores;
  }
  const auto pairs = sequences * heads * shown_pairs(queries, past, Count<R>{});
  const auto floor = floor_time(chip, pairs * flops, bytes, heat, cache);
  return {floor, max(expected, floor)};
}

template <class R>
KernelTime<R> kernel_time(const KernelChip<R>& chip, const LatentDecodeKernel<R>& kernel) {
  const LatentDecodeRates& rates = chip.rates->latent_decode[index_of(kernel.cache)];
  const auto& [sequences, keys, heads, rank, rope, cache, heat] = kernel;
  // Few heads fill a tile of their own; more than 32 take larger ones.
  const Constant& tile = heads.value() > 32 ? rates.head_tile : rates.small_tile;
  const auto units = sequences * ceil(heads / scalar<R>(tile));
  const auto width = 2.0 * rank + rope;  // keys hold the values
  const auto key = (rank + rope) * bytes_each<R>(bytes_in(cache));
  const auto queries = sequences * heads * width * bytes_each<R>(2);
  const auto bytes = sequences * keys * key + queries;
  const auto moving = read_time(chip, bytes, heat, rates.memory, rates.hot, rates.cache);
  const auto flops = constant<kFlop, R>(2) * sequences * heads * keys * width;
  // Matrix units work on 16 rows at least.
  const auto filled = scalar<R>(16) * ceil(heads / scalar<R>(16)) / heads;
  const auto matrix =
      filled * flops / (chip.peak_in(KernelFormat::kBf16) * scalar<R>(rates.efficiency));
  const auto feed = constant<kByte / kSecond, R>(rates.feed);

  const double cores = chip.cores.value();
  const double beside = together(moving, matrix).value();
  double parts = 1;
  double least = 0;
  for (int power = 1; power <= rates.parts; power *= 2) {
    const double j = power;
    const double waves = ceil_of(units.value() * j / cores);
    const double blocks = waves * (rates.block + kKeyTile * ceil_of(keys.value() / (kKeyTile * j)) *
                                                     key.value() / rates.feed);
    double time = std::sqrt(blocks * blocks + beside * beside);
    if (j > 1) time += rates.split;
    if (least > 0 && !(time < least)) continue;
    least = time;
    parts = j;
  }
  const auto part = scalar<R>(parts);
  const auto waves = ceil(units * part / chip.cores);
  const auto tiles = scalar<R>(kKeyTile) * ceil(keys / (scalar<R>(kKeyTile) * part));
  const auto blocks = waves * (seconds_of<R>(rates.block) + tiles * key / feed);
  auto expected = seconds_of<R>(rates.start) + together(blocks, together(moving, matrix));
  if (parts > 1) expected = expected + seconds_of<R>(rates.split);
  const auto floor = floor_time(chip, flops, bytes, heat, cache);
  return {floor, max(expected, floor)};
}

template KernelTime<SCALING_REP> kernel_time(const KernelChip<SCALING_REP>&,
                                             const PrefillKernel<SCALING_REP>&);
template KernelTime<SCALING_REP> kernel_time(const KernelChip<SCALING_REP>&,
                                             const DecodeKernel<SCALING_REP>&);
template KernelTime<SCALING_REP> kernel_time(const KernelChip<SCALING_REP>&,
                                             const LatentPrefillKernel<SCALING_REP>&);
template KernelTime<SCALING_REP> kernel_time(const KernelChip<SCALING_REP>&,
                                             const LatentDecodeKernel<SCALING_REP>&);

}  // namespace scaling
