// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "scaling/quantity/hash.hpp"

namespace scaling {

/// Keeps the values that a search made lately, by keys that are compared by their bytes: a key has
/// no padding, and one of zeros alone stands for nothing. Any of the few entries of a row may hold
/// a value; the one that came first gives way. Keeps nothing on the heap.
template <class Key, class Value, std::size_t kRows, std::size_t kEntries = 1>
class Memo {
  static_assert(sizeof(Key) % sizeof(std::uint64_t) == 0);
  static_assert(std::is_trivially_copyable_v<Value>);

 public:
  /// Forgets all.
  void clear() { ++generation_; }

  /// The value of a key; `make` makes one that is not there. Valid until the next call. Where only
  /// the first `size` bytes of keys differ, the others are not looked at.
  template <class Make>
  Value& find(const Key& key, Make make, std::size_t size = sizeof(Key)) {
    Row& row = rows_[kRows > 1 ? hash_bytes(&key, size) % kRows : 0];
    if (row.generation != generation_) {
      row.generation = generation_;
      row.keys = {};
    }
    for (std::size_t i = 0; i < kEntries; ++i) {
      if (same_bytes(&row.keys[i], &key, size)) return row.places[i].value;
    }
    const std::size_t at = row.next++ % kEntries;
    row.keys[at] = key;
    return *std::construct_at(&row.places[at].value, make());
  }

 private:
  /// Empty at first, whatever a value is: a memo has no bytes in a module, and none to set.
  union Place {
    constexpr Place() : empty(0) {}
    char empty;
    Value value;
  };
  struct Row {
    std::uint64_t generation;
    std::size_t next;
    std::array<Key, kEntries> keys;
    std::array<Place, kEntries> places;
  };

  std::uint64_t generation_ = 0;
  std::array<Row, kRows> rows_{};
};

}  // namespace scaling
