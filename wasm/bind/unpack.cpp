// SPDX-License-Identifier: MIT
//
// A module of its own, a kilobyte, which unpacks the others: the build packs them by LZMA, and
// browsers know no better than deflate, which leaves a fifth more. Source: the LZMA specification
// of the LZMA SDK 24. The packer's parameters are lc = 3, lp = 0, pb = 0: instructions of wasm are
// not aligned.

#include <cstdint>

namespace {

using Byte = std::uint8_t;
using Word = std::uint32_t;

// Places of the probabilities, each that the next bit is 0. The first ones have one for each of
// twelve states: the kinds of the last steps.
constexpr Word kIsMatch = 0;
constexpr Word kIsRepeat = 12;
constexpr Word kIsOlder = 24;  ///< than the newest distance; the second; the third
constexpr Word kIsLong = 60;
constexpr Word kLengths = 128;
constexpr Word kRepeatLengths = 640;
constexpr Word kDistanceSlots = 1152;
constexpr Word kAlignedBits = 1408;
constexpr Word kDistanceBits = 1424;
constexpr Word kLiterals = 2048;
constexpr Word kOfLiteral = 768;
constexpr Word kProbabilities = kLiterals + 8 * kOfLiteral;

constexpr Word kScale = 1u << 11;  ///< of a probability of 1
constexpr Word kShift = 5;         ///< how slowly probabilities follow the bits

std::uint16_t probabilities[kProbabilities];
const Byte* packed;
Word range;
Word code;

void refill() {
  if (range >= 1u << 24) return;
  range <<= 8;
  code = code << 8 | *packed++;
}

[[gnu::noinline]] Word bit(Word place) {
  refill();
  const Word probability = probabilities[place];
  const Word bound = (range / kScale) * probability;
  const bool is_zero = code < bound;
  if (is_zero) {
    range = bound;
  } else {
    range -= bound;
    code -= bound;
  }
  const Word change = is_zero ? (kScale - probability) >> kShift : 0u - (probability >> kShift);
  probabilities[place] = static_cast<std::uint16_t>(probability + change);
  return is_zero ? 0 : 1;
}

/// A number of `bits` bits, the highest first, each with probabilities by those before it.
Word number(Word place, Word bits) {
  Word node = 1;
  for (Word i = 0; i < bits; ++i) node = node << 1 | bit(place + node);
  return node - (1u << bits);
}

/// The same, the lowest bit first.
Word reversed_number(Word place, Word bits) {
  Word node = 1;
  Word value = 0;
  for (Word i = 0; i < bits; ++i) {
    const Word one = bit(place + node);
    node = node << 1 | one;
    value |= one << i;
  }
  return value;
}

Word length_of_match(Word place) {
  if (bit(place) == 0) return 2 + number(place + 8, 3);
  if (bit(place + 1) == 0) return 10 + number(place + 16, 3);
  return 18 + number(place + 256, 8);
}

/// Bytes back, less one.
Word new_distance(Word length) {
  const Word slot = number(kDistanceSlots + 64 * (length < 5 ? length - 2 : 3), 6);
  if (slot < 4) return slot;
  const Word bits = slot / 2 - 1;
  const Word distance = (2 | (slot & 1)) << bits;
  if (slot < 14) return distance + reversed_number(kDistanceBits + distance - slot, bits);
  Word middle = 0;  // bits without probabilities
  for (Word i = bits; i > 4; --i) {
    refill();
    range >>= 1;
    middle <<= 1;
    if (code >= range) {
      code -= range;
      middle |= 1;
    }
  }
  return distance + (middle << 4) + reversed_number(kAlignedBits, 4);
}

/// The byte `like` stands where the last distance points to, or is 0 and does not count.
Word literal(Word last, bool after_match, Word like) {
  const Word place = kLiterals + kOfLiteral * (last >> 5);
  Word node = 1;
  while (node < 256) {
    like <<= 1;
    const Word expected = like >> 8 & 1;
    const Word one = bit(place + node + (after_match ? 256 + 256 * expected : 0));
    node = node << 1 | one;
    if (one != expected) after_match = false;
  }
  return node & 255;
}

}  // namespace

/// Called once in an instance, with room behind `out` for all `size` bytes. The build wrote the
/// input: it is not checked.
extern "C" [[clang::export_name("unpack")]] void unpack(const Byte* from, Byte* out, Word size) {
  for (std::uint16_t& probability : probabilities) probability = kScale / 2;
  packed = from + 1;  // the first byte is always 0
  for (int i = 0; i < 4; ++i) code = code << 8 | *packed++;
  range = ~0u;

  Word state = 0;
  Word distances[4] = {};  // the newest first
  Byte last = 0;
  for (const Byte* const end = out + size; out < end; last = out[-1]) {
    const bool after_match = state > 6;
    if (bit(kIsMatch + state) == 0) {
      const Word like = after_match ? *(out - distances[0] - 1) : 0u;
      *out++ = static_cast<Byte>(literal(last, after_match, like));
      state = state < 4 ? 0 : state - (state < 10 ? 3 : 6);
      continue;
    }
    Word length = 1;
    Word distance = distances[0];
    Word which = 0;
    if (bit(kIsRepeat + state) == 0) {
      length = length_of_match(kLengths);
      distance = new_distance(length);
      which = 3;
      state = after_match ? 10 : 7;
    } else {
      while (which < 3 && bit(kIsOlder + 12 * which + state) != 0) ++which;
      if (which == 0 && bit(kIsLong + state) == 0) {
        state = after_match ? 11 : 9;
      } else {
        distance = distances[which];
        length = length_of_match(kRepeatLengths);
        state = after_match ? 11 : 8;
      }
    }
    for (; which > 0; --which) distances[which] = distances[which - 1];
    distances[0] = distance;
    for (; length > 0; --length, ++out) *out = *(out - distance - 1);
  }
}
