// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/field.hpp"

namespace scaling {

enum class Direction : std::uint8_t { kBidirectional, kOneWay };
inline constexpr const char* kDirectionNames[] = {"bidirectional", "oneWay"};

/// The chips that take part in an operation or a collective: a mesh axis of the book, laid over one
/// to three axes of a torus. A switched network sees only how many they are.
template <class R>
struct Mesh {
  static constexpr const char* kGroup = "mesh";
  static constexpr const char* kPrefix = "mesh.";
  template <class T>
  struct Slot {
    T mesh;
    static constexpr T Slot::*kMember = &Slot::mesh;
  };

  Count<R> x, y, z;       ///< chips along each axis of the torus; 1: the axis is not used
  Count<R> other_shards;  ///< ways the array is divided over chips that do not take part
  Direction direction;    ///< whether rings send both ways at once

  static constexpr auto fields() {
    constexpr Range kAxis{1, 1e6};
    return Fields{
        count(&Mesh::x, "x", "X", kAxis).asked().for_targets().doubling().fallback(4),
        count(&Mesh::y, "y", "Y", kAxis).asked().for_targets().doubling().fallback(1),
        count(&Mesh::z, "z", "Z", kAxis).asked().for_targets().doubling().fallback(1),
        count(&Mesh::other_shards, "otherShards", "n_other", kAxis).rare().fallback(1),
        choice(&Mesh::direction, "direction", kDirectionNames)
            .rare()
            .fallback(Direction::kBidirectional),
    };
  }

  Count<R> chips() const { return x * y * z; }
};

}  // namespace scaling
