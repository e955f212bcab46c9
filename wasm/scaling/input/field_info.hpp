// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include "scaling/quantity/shown.hpp"
#include "scaling/quantity/term.hpp"

namespace scaling {

// The table describes each field by its kind, topic, rank, range and choices.

enum class Kind : std::uint8_t { kNumber, kCount, kChoice, kFlag, kText };
inline constexpr const char* kKindNames[] = {"number", "count", "choice", "flag", "text"};

/// The part of its group that a field belongs to. Views choose and arrange fields by topic, so that
/// none of them lists fields.
enum class Topic : std::uint8_t {
  kMain,         ///< all that has no topic of its own
  kKernels,      ///< a chip's generation and cores: they find measured kernels like its own
  kUnits,        ///< a chip's vector units, on-chip memory, and link to the host
  kBlocks,       ///< a chip's memory for blocks: only single operations go into such detail
  kNetwork,      ///< a chip's links
  kTransfers,    ///< a chip's latencies and switches: only single transfers depend on them
  kPrice,        ///< a chip's price: only costs depend on it
  kFormats,      ///< number formats of weights, activations and matmuls
  kMemory,       ///< how the memory of a training is counted
  kEfficiency,   ///< the efficiency that a training is assumed to reach
  kStates,       ///< a layout's sharding and recomputation
  kReliability,  ///< failures and restarts
  kTuning,       ///< what a training changes, and the data set that it goes through
};
inline constexpr const char* kTopicNames[] = {
    "main",    "kernels", "units",      "blocks", "network",     "transfers", "price",
    "formats", "memory",  "efficiency", "states", "reliability", "tuning"};

/// How early a field is asked for.
enum class Rank : std::uint8_t {
  kAssumption,  ///< it has a sensible value, which readers check
  kAsked,       ///< the question in words names it
  kRare,        ///< few inputs change it
};
inline constexpr const char* kRankNames[] = {"assumption", "asked", "rare"};

using Choices = std::span<const char* const>;

/// A default instead of the usual one, while any of some choice fields of the same group has one of
/// the choices in its mask.
struct Instead {
  struct While {
    std::string_view key;
    std::uint32_t mask;
  };

  double fallback;
  std::array<While, 2> whiles;
};

/// The longest text of a field [characters].
inline constexpr std::size_t kMostText = 800;

/// A text as it comes in; of one that is too long, its beginning.
class Text {
 public:
  constexpr Text() = default;
  constexpr Text(std::string_view text) {  // NOLINT(google-explicit-constructor)
    size_ = text.size() < kMostText ? text.size() : kMostText;
    for (std::size_t i = 0; i < size_; ++i) characters_[i] = text[i];
    too_long_ = text.size() > kMostText;
  }

  constexpr std::string_view view() const { return {characters_.data(), size_}; }
  constexpr bool too_long() const { return too_long_; }

 private:
  std::array<char, kMostText> characters_{};
  std::size_t size_ = 0;
  bool too_long_ = false;
};

/// Everything about a field but its place in the struct.
struct FieldInfo {
  const char* group = nullptr;
  const char* key = nullptr;
  const char* symbol = nullptr;
  Dimension dimension{};
  Kind kind = Kind::kNumber;
  Shown shown = Shown::kPlain;
  Topic topic = Topic::kMain;
  Rank rank = Rank::kAssumption;
  bool optional = false;      ///< may be absent ("not listed")
  bool has_fallback = false;  ///< used where the input leaves the field out
  bool for_targets = false;   ///< a reader may choose another value to meet a target
  bool searched = false;      ///< a search of servers chooses it where an input leaves it out
  double fallback = 0;
  double minimum = 0;
  double maximum = 0;
  Choices choices{};

  // The field matters only while another of its group, `when_key`, matters and has one of the
  // choices (or, of a number, a value above 0; of a text, one of the letters) in the mask. Without
  // a mask, a text must be empty.
  const char* when_key = nullptr;
  std::uint32_t when_mask = 0;
  int when_index = -1;

  const Instead* instead = nullptr;  ///< of a number
};

}  // namespace scaling
