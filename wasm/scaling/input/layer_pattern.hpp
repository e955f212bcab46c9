// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "scaling/input/issue.hpp"

namespace scaling {

/// The part of a layer that mixes the tokens of a sequence.
enum class Mixer : std::uint8_t {
  kAttention,    ///< the model's own, over all tokens
  kWindowed,     ///< over a window
  kSparse,       ///< over the tokens or blocks that an indexer chooses
  kCompressed,   ///< over a window, and keys that stand for several tokens each
  kLinear,       ///< linear attention: a state of constant size
  kMamba,        ///< Mamba: likewise
  kConvolution,  ///< a short convolution with gates: the last few tokens
  kNone,
};

/// The part that follows it in the layer.
enum class FeedForward : std::uint8_t { kDense, kExperts, kNone };

/// The marks of mixers and of feed-forward parts in a pattern, in the order of their enumerations.
inline constexpr char kMixerMarks[] = {'a', 'w', 's', 'c', 'l', 'm', 'v', '-'};
inline constexpr char kFeedForwardMarks[] = {'d', 'e', '-'};
/// The letters of a pattern, on which fields may depend.
inline constexpr const char* kPatternLetters[] = {"a", "w", "s", "c", "l", "m", "v", "d", "e"};

/// A mask of the letters that fields depend on; see Field::when_in.
constexpr std::uint32_t letters_in(std::string_view letters) {
  std::uint32_t mask = 0;
  for (std::size_t i = 0; i < std::size(kPatternLetters); ++i) {
    if (letters.find(kPatternLetters[i][0]) != std::string_view::npos) mask |= 1u << i;
  }
  return mask;
}

/// The layers of a model, as a text tells them:
///
///   pattern = item { separator item }          separators: . , and spaces
///   item    = [ count "x" ] ( layer | "(" pattern ")" )
///   layer   = mixer feed-forward
///
/// Mixers: a w s c l m v, or - for none; behind a w s the layer's key/value heads, behind c the
/// tokens of one key. a0 and w0 have no keys and values of their own: they look at those of the
/// last layer before them that has the same mixer and its own. Feed-forward parts: d, with its
/// width where it is not the model's; e; or -. Empty: the counts of the model say what its layers
/// are.
struct LayerPattern {
  static constexpr std::size_t kMostKinds = 32;  ///< that differ
  static constexpr std::size_t kMostLayers = 4096;
  static constexpr std::size_t kMostNested = 8;  ///< brackets in brackets
  static constexpr double kMostNumber = 1e7;

  /// Layers that are alike, wherever they are.
  struct Group {
    Mixer mixer;
    FeedForward feed_forward;
    double mixer_size;  ///< key/value heads, or tokens of a key; 0: the model's
    double width;       ///< of the feed-forward part; 0: the model's
    double layers;
    bool shares;  ///< keys and values are those of an earlier layer
  };

  /// Layers of each kind, in the order of the groups.
  using Counts = std::array<std::uint32_t, kMostKinds>;

  std::array<Group, kMostKinds> items{};  ///< in the order in which they come first
  std::size_t size = 0;
  double layers = 0;
  std::uint32_t letters = 0;                      ///< that it has; see letters_in
  std::array<std::uint8_t, kMostLayers> kinds{};  ///< the group number of each layer

  bool empty() const { return size == 0; }
  std::span<const Group> groups() const { return std::span(items).first(size); }

  /// Adds the layers from `first` on, before `last`, to those of their kinds.
  void count_between(double first, double last, Counts& counts) const;

  /// Layers with experts among so many of each kind.
  double experts_of(const Counts& counts) const;

  /// Whether layers differ in more than whether they have experts: in their mixers, in the widths
  /// of dense parts, or in the parts that they have.
  bool differs() const;

  /// Keeps so many layers of each kind, wherever they are.
  void keep(const Counts& counts);

  /// Reads a text into `pattern`. Reports the fault of a wrong one, and returns false.
  static bool parse(std::string_view text, LayerPattern& pattern, TextFault& fault);
};

}  // namespace scaling
