// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "scaling/input/issue.hpp"

namespace scaling {

/// The layers of each part of a pipeline, in the order of the model, as a text tells them: as
/// numbers, or as Megatron-LM's `pipeline_model_parallel_layout`.
///
///   numbers = number [ "*" times ] { "," number [ "*" times ] }
///   layout  = { ( "E" | "t" | "m" | "L" | "|" | "(" layout ")" ) [ "*" times ] }
///
/// E is the embedding, t a layer, m an MTP module, L the loss with the LM head; | divides parts.
/// Commas and spaces of a layout change nothing. Modules that no m names lie with the loss. Empty:
/// layers are spread evenly. Source: Megatron-LM, pipeline_parallel_layer_layout.py.
struct StageList {
  static constexpr std::size_t kMostParts = 256;
  static constexpr std::size_t kMostLayers = 4096;
  static constexpr std::size_t kMostNested = 8;  ///< brackets in brackets

  std::array<std::uint16_t, kMostParts> items{};  ///< layers of each part
  std::size_t size = 0;
  double layers = 0;           ///< of all parts
  double modules = 0;          ///< MTP modules that it names
  std::size_t modules_at = 0;  ///< the part that has them
  std::uint32_t letters = 0;   ///< no field depends on it

  bool empty() const { return size == 0; }

  /// Layers of the parts before `part`.
  double before(std::size_t part) const;

  /// Layers of the longest part.
  double longest() const;

  /// Reads a text into `list`. Reports the fault of a wrong one, and returns false.
  static bool parse(std::string_view text, StageList& list, TextFault& fault);
};

}  // namespace scaling
