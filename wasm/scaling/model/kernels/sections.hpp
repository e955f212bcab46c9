// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/model/kernels/kernel.hpp"

namespace scaling {

/// The section of a layer that a kernel belongs to: norms with all that joins parts to the
/// residual; of a mixer what comes before it mixes tokens, that, and what comes behind; of a
/// feed-forward part its matmuls, and passes over memory.
enum class Section : std::uint8_t { kNorms, kProjections, kMixing, kOutput, kMatmuls, kMoves };
inline constexpr std::size_t kSections = 6;

/// Tells the sections of a part's kernels, one after another.
template <class R>
class Sections {
 public:
  explicit Sections(bool mixes) : mixes_(mixes) {}

  Section of(const Kernel<R>& kernel) {
    if (kernel.part == ParameterPart::kJoint) return Section::kNorms;
    const bool moves = kernel.type == KernelType::kMove;
    if (!mixes_) return moves ? Section::kMoves : Section::kMatmuls;
    if (kernel.multiplies() || moves) return mixed_ ? Section::kOutput : Section::kProjections;
    // The scores of an indexer come before the attention that they choose for.
    mixed_ = kernel.type == KernelType::kScan || given(kernel.heads.value);
    return Section::kMixing;
  }

 private:
  bool mixes_;
  bool mixed_ = false;
};

}  // namespace scaling
