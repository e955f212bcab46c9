// SPDX-License-Identifier: MIT
//
// The part of a model that a training changes, and the data set that it goes through.
#pragma once

#include <algorithm>

#include "scaling/input/format.hpp"

namespace scaling {

/// The parameters that are trained.
enum class Trained : std::uint8_t {
  kAll,
  kLast,   ///< the last layers, above frozen ones to which nothing goes back
  kLora,   ///< low-rank adapters beside frozen matrices
  kQlora,  ///< the same beside matrices that are held in few bits
};
inline constexpr const char* kTrainedNames[] = {"all", "last", "lora", "qlora"};

/// The matrices that have an adapter.
enum class LoraTargets : std::uint8_t {
  kAll,          ///< all of the layers, but for routers
  kAttention,    ///< those of attention
  kQkv,          ///< of queries, keys and values
  kQueryValue,   ///< of queries and values (Hu et al.)
  kFeedForward,  ///< of feed-forward parts
};
inline constexpr const char* kLoraTargetsNames[] = {"all", "attention", "qkv", "queryValue",
                                                    "feedForward"};

/// The format of matrices that are dequantised at each use. A row has the bits of a number with its
/// scales.
enum class BaseFormat : std::uint8_t {
  kNf4Double,  ///< scales of 64 numbers are 8 bits, with one of fp32 for 256 of them
  kNf4,        ///< a scale of fp32 for 64 numbers
  kInt4,       ///< GPTQ, AWQ, HQQ: in groups
  kInt8,
};
struct BaseFormatRow {
  BaseFormat kind;
  const char* name;
  double bits;
  /// Bytes of a number that tensors between its bits and 16 bits have, where PyTorch unpacks it
  /// operation by operation; what comes out is then a tensor of autograd's, which the backward pass
  /// takes. Of int4: written as integers of 4 bytes, read and written as 1 byte, masked, less the
  /// zero, and read for the scale. Source: AutoGPTQ, QuantLinear.forward (qlinear_cuda_old).
  double unpacked;
};
inline constexpr BaseFormatRow kBaseFormats[] = {
    {BaseFormat::kNf4Double, "nf4Double", 4.0 + 8.0 / 64 + 32.0 / (64 * 256), 0},
    {BaseFormat::kNf4, "nf4", 4.0 + 32.0 / 64, 0},
    {BaseFormat::kInt4, "int4", 4.25, 4 + 4 + 1 + 2 + 2 + 1},
    {BaseFormat::kInt8, "int8", 8.25, 0},
};
static_assert(in_order(kBaseFormats));
inline constexpr auto kBaseFormatNames = names_of(kBaseFormats);

/// How the amount of data is said.
enum class Corpus : std::uint8_t { kTokens, kExamples };
inline constexpr const char* kCorpusNames[] = {"tokens", "examples"};

/// The parts of its model that a training changes, and how.
template <class R>
struct Tuning {
  Trained trained{};
  Count<R> trained_layers{};  ///< the last ones
  bool train_head{};          ///< with them: the LM head and the norm before it
  Count<R> lora_rank{};
  LoraTargets lora_targets{};
  BaseFormat base_format{};
  Count<R> images{};   ///< of a sequence, whose tokens are among its own; 0: no tower is there
  bool train_tower{};  ///< of a model whose layers are all trained; else it is frozen

  bool adapts() const { return trained == Trained::kLora || quantises(); }
  /// Whether the backward pass ends at the first trained layer.
  bool ends_early() const { return trained == Trained::kLast; }
  bool freezes_head() const { return adapts() || (ends_early() && !train_head); }
  bool sees() const { return images.value() > 0; }
  bool trains_tower() const { return sees() && trained == Trained::kAll && train_tower; }
  bool quantises() const { return trained == Trained::kQlora; }
  const BaseFormatRow& base() const { return kBaseFormats[static_cast<std::size_t>(base_format)]; }
};

/// The data set of a training.
template <class R>
struct DataSet {
  Corpus corpus{};
  Quantity<kToken, R> tokens{}, example_tokens{};
  Count<R> examples{}, epochs{};
  bool packing{};  ///< several examples in a sequence; else each is padded to one
};

}  // namespace scaling
