// SPDX-License-Identifier: MIT
//
// The layouts that serving software runs: vLLM, SGLang and TensorRT-LLM refuse the others when they
// start.
#pragma once

#include <optional>

#include "scaling/input/issue.hpp"
#include "scaling/serving/serving_input.hpp"

namespace scaling {

/// The reason why no server runs so, with the arguments of its sentence.
struct LayoutFault {
  IssueCode code;
  double first = 0, second = 0;
};

/// Tells what tensor ways of attention and of dense feed-forward parts leave in pieces: heads, or
/// key heads, which several ranks may hold alike; columns, or blocks that share a scale. Software
/// that pads runs them all the same. Hosts that hold layers or experts work for one chip of a
/// stage: llama.cpp.
std::optional<LayoutFault> tensor_fault(const ServingInput<double>& in, double tensor);

/// The same of experts: expert ways that hold unlike numbers of them, redundant ones counted, and
/// blocks of an expert that its tensor ways cut.
std::optional<LayoutFault> expert_fault(const ServingInput<double>& in,
                                        const ServerWays<double>& ways);

}  // namespace scaling
