// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace scaling {

/// The way in which software sends tokens to their experts and back.
enum class ExpertDispatch : std::uint8_t {
  kAllToAll,   ///< each copy of a token by itself, by the library of collectives
  kKernels,    ///< kernels of their own (DeepEP): a copy to each node, in decoding to each expert
  kAllGather,  ///< each rank gathers all tokens, and scatters the sums; only servers do
  kUsual,      ///< as most servers: gathers inside a small domain, else kernels
};
inline constexpr const char* kExpertDispatchNames[] = {"allToAll", "kernels", "allGather", "usual"};
/// Trainings have the first of these.
inline constexpr const char* kTrainingDispatchNames[] = {"allToAll", "kernels"};

}  // namespace scaling
