// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/questions/collective/question.hpp"
#include "scaling/questions/operation/question.hpp"

namespace scaling {

namespace term {

inline constexpr Term kMatmulKernels{"matmulKernels", "t_mm", kSecond, "measured-kernels"};
inline constexpr Term kExpertKernels{"expertKernels", "t_exp", kSecond, "measured-kernels"};
inline constexpr Term kAttentionKernels{"attentionKernels", "t_attn", kSecond, "measured-kernels"};
inline constexpr Term kOtherKernels{"otherKernels", "t_rest", kSecond, "measured-kernels"};
inline constexpr Term kExpectedNetwork{"expectedNetwork", "t_net", kSecond, "measured-kernels"};

}  // namespace term

/// The time of an operation on real chips [s], never below the roofline's bound: each kernel by its
/// shape, as kernels of the chip's generation were measured, one after another, then what the chips
/// send, with nothing to hide it. Not applicable where operands lie in other memory than the
/// chip's own. Source: fitted to measured kernels, shared/efficiency.json.
template <class R>
Maybe<Quantity<kSecond, R>> measured_operation(const OperationQuestion::Typed<R>& in,
                                               const Maybe<Quantity<kSecond, R>>& lower);

/// The time of a collective on real chips [s], never below its bound: on switches as NCCL does it;
/// on a torus latency, and bytes at the share of the bandwidth that trainings reached.
/// Source: fitted to measured collectives and trainings, shared/efficiency.json.
template <class R>
Maybe<Quantity<kSecond, R>> measured_collective(const Chip<R>& chip, const Mesh<R>& mesh,
                                                const CollectiveRequest<R>& request);

/// Makes answers to questions about operations and collectives hold the expected time from now on.
/// Modules that don't call this do without the constants of kernels.
template <class R>
void answer_expected_times();

}  // namespace scaling
