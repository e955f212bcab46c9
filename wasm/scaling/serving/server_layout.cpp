// SPDX-License-Identifier: MIT
#include "scaling/serving/server_layout.hpp"

#include <cmath>
#include <utility>

#include "scaling/model/kernels/parts.hpp"
#include "scaling/quantity/divisors.hpp"

namespace scaling {
namespace {

/// Inputs and outputs of a matrix that share a scale, and that no rank may have a part of. Kernels
/// for mxfp4 pad the last block of a rank, as gpt-oss needs it. Source: vLLM's fp8_utils.py
/// (validate_fp8_block_shape), awq.py, gptq_marlin.py, modelopt.py and mxfp4.py.
struct Block {
  double inputs = 1, outputs = 1;
};

Block block_of(WeightFormat format, double group) {
  switch (format) {
    case WeightFormat::kFp8Block:
      return {128, 128};
    case WeightFormat::kInt4:
      return {group, 1};
    case WeightFormat::kNvfp4:
      return {16, 1};
    case WeightFormat::kBf16:
    case WeightFormat::kFp8:
    case WeightFormat::kInt8:
    case WeightFormat::kMxfp4:
      break;
  }
  return {};
}

/// Looks for what `ways` leave in pieces, and keeps one of that.
class Division {
 public:
  Division(const ServingInput<double>& in, double ways)
      : server_(in.server), has_matrices_(!in.model.stated_parameters.present()), ways_(ways) {}

  /// Heads of a mixer, and its matrices.
  void mixer(std::span<const Kernel<double>> kernels) {
    bool scans = false;
    for (const Kernel<double>& kernel : kernels) {
      const auto& of = kernel.heads;
      scans = scans || kernel.type == KernelType::kScan;
      if (!given(of.value)) continue;
      // A key that is the value is on each rank.
      heads(of.heads.value(), (of.one_vector ? of.heads : of.kv_heads).value());
      if (scans) outputs(of.kv_heads * of.key, of.kv_heads, FormatClass::kAttention);
    }
    for (const Kernel<double>& kernel : kernels) {
      if (!scans) {
        matrix(kernel);
      } else if (kernel.divided == DividedBy::kInputs) {
        // A projection may hold several matrices, the widest as wide as what comes out.
        outputs(kernel.contraction, kernel.grain, kernel.format);
        matrix(kernel);
      }
    }
  }

  void matrix(const Kernel<double>& kernel) {
    if (!kernel.multiplies()) return;
    if (kernel.divided == DividedBy::kOutputs) {
      // A gate of a number for each head has no blocks.
      const bool narrow = given(kernel.grain) && !(kernel.grain < kernel.outputs);
      if (!narrow) outputs(kernel.outputs, kernel.grain, kernel.format);
    }
    if (kernel.divided == DividedBy::kInputs) {
      // A scale for all inputs is the same on each rank.
      const double width = padded(kernel.contraction, kernel.grain);
      const double each = block(kernel.format).inputs;
      whole(width, each < width ? each : 1);
    }
  }

  const std::optional<LayoutFault>& fault() const { return fault_; }

 private:
  Block block(FormatClass format) const {
    return block_of(format_of(server_, format), server_.group_size.value());
  }
  void heads(double heads, double kv_heads) {
    if (server_.uneven_heads) return;
    if (!divides(ways_, heads) || !(divides(ways_, kv_heads) || divides(kv_heads, ways_))) {
      keep({IssueCode::kTensorDoesntDivideHeads, heads, kv_heads});
    }
  }
  void outputs(const Count<double>& width, const Count<double>& grain, FormatClass format) {
    whole(padded(width, grain), block(format).outputs);
  }
  /// Columns with those of the heads that fill up the last rank.
  double padded(const Count<double>& width, const Count<double>& grain) const {
    if (!(given(grain) && grain < width)) return width.value();
    return std::ceil(grain.value() / ways_) * ways_ * (width / grain).value();
  }
  void whole(double width, double block) {
    if (!has_matrices_ || server_.uneven_blocks || divides(block * ways_, width)) return;
    keep({IssueCode::kBlocksDontDivide, width, block});
  }
  /// Heads are told before blocks, and of several mixers' those that are the fewest.
  void keep(const LayoutFault& fault) {
    const bool of_heads = fault.code == IssueCode::kTensorDoesntDivideHeads;
    const bool before =
        of_heads && fault_ &&
        (fault_->code != fault.code ||
         std::pair(fault.first, fault.second) < std::pair(fault_->first, fault_->second));
    if (!fault_ || before) fault_ = fault;
  }

  const Server<double>& server_;
  bool has_matrices_;  ///< parameters that are stated lie in none
  double ways_;
  std::optional<LayoutFault> fault_;
};

}  // namespace

std::optional<LayoutFault> tensor_fault(const ServingInput<double>& in, double tensor) {
  if (tensor <= 1) return std::nullopt;
  if (in.serving.on_host()) return LayoutFault{IssueCode::kHostAlone};
  Division division(in, tensor);
  each_part(in.model, [&](const LayerPart<double>& part, std::span<const Kernel<double>> kernels) {
    if (part.mixes) return division.mixer(kernels);
    for (const Kernel<double>& kernel : kernels) {
      if (kernel.type != KernelType::kExperts) division.matrix(kernel);
    }
  });
  return division.fault();
}

std::optional<LayoutFault> expert_fault(const ServingInput<double>& in,
                                        const ServerWays<double>& ways) {
  if (in.serving.on_host() && ways.data * ways.expert > one<double>()) {
    return LayoutFault{IssueCode::kHostAlone};
  }
  if (!in.model.sparse()) return std::nullopt;
  const double held = held_experts(in).value();
  if (!divides(ways.expert.value(), held)) {
    return LayoutFault{IssueCode::kExpertsDontDivide, held};
  }
  const double tensor = ways.expert_tensor().value();
  if (tensor <= 1) return std::nullopt;
  Division division(in, tensor);
  each_part(in.model, [&](const LayerPart<double>& part, std::span<const Kernel<double>> kernels) {
    if (!part.has_experts()) return;
    for (const Kernel<double>& kernel : kernels) {
      if (kernel.type == KernelType::kExperts) division.matrix(kernel);
    }
  });
  return division.fault();
}

}  // namespace scaling
