// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace scaling {

/// A hash of `size` bytes, a multiple of eight, taken eight at a time.
[[gnu::noinline]] inline std::size_t hash_bytes(const void* bytes, std::size_t size) {
  const auto* at = static_cast<const unsigned char*>(bytes);
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  std::uint64_t hash = size;
  for (; size >= sizeof hash; size -= sizeof hash, at += sizeof hash) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    hash = (hash ^ word) * kOdd;
    hash ^= hash >> 32;
  }
  // Small numbers differ in a double's upper bits alone, which a product carries no further down.
  return static_cast<std::size_t>(hash * kOdd >> 32);
}

/// Whether two objects without padding are the same `size` bytes, a multiple of eight, compared
/// eight at a time: a memcmp of wasm goes byte by byte.
[[gnu::noinline]] inline bool same_bytes(const void* one, const void* other, std::size_t size) {
  const auto* a = static_cast<const unsigned char*>(one);
  const auto* b = static_cast<const unsigned char*>(other);
  for (std::size_t i = 0; i < size; i += sizeof(std::uint64_t)) {
    std::uint64_t word_of_one = 0;
    std::uint64_t word_of_other = 0;
    std::memcpy(&word_of_one, a + i, sizeof word_of_one);
    std::memcpy(&word_of_other, b + i, sizeof word_of_other);
    if (word_of_one != word_of_other) return false;
  }
  return true;
}

}  // namespace scaling
