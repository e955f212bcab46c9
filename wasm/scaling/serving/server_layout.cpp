// SPDX-License-Identifier: MIT
#include "scaling/serving/server_layout.hpp"

#include <cmath>

#include "scaling/model/kinds/feed_forward.hpp"
#include "scaling/model/kinds/mixer.hpp"
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

/// Looks for what `ways` leave in pieces, and keeps the first.
class Division {
 public:
  Division(const ServingInput<double>& in, double ways, std::optional<LayoutFault>& fault)
      : server_(in.server),
        lists_matrices_(!in.model.stated_parameters.present()),
        ways_(ways),
        fault_(fault) {}

  void heads(double heads, double kv_heads) {
    if (server_.uneven_heads) return;
    if (!divides(ways_, heads) || !(divides(ways_, kv_heads) || divides(kv_heads, ways_))) {
      keep({IssueCode::kTensorDoesntDivideHeads, heads, kv_heads});
    }
  }
  /// Outputs of a projection of heads, each `width` wide.
  void outputs_of(double heads, double width, WeightFormat format) {
    outputs(std::ceil(heads / ways_) * ways_ * width, format);
  }
  void inputs_of(double heads, double width, WeightFormat format) {
    inputs(std::ceil(heads / ways_) * ways_ * width, format);
  }
  void outputs(double width, WeightFormat format) { whole(width, block(format).outputs); }
  void inputs(double width, WeightFormat format) {
    // A scale for all inputs is the same on each rank.
    const double each = block(format).inputs;
    whole(width, each < width ? each : 1);
  }
  /// A feed-forward part: its width is that of outputs, then of inputs.
  void feed_forward(double width, WeightFormat format) {
    outputs(width, format);
    inputs(width, format);
  }

 private:
  Block block(WeightFormat format) const { return block_of(format, server_.group_size.value()); }
  void whole(double width, double block) {
    if (!lists_matrices_ || server_.uneven_blocks || divides(block * ways_, width)) return;
    keep({IssueCode::kBlocksDontDivide, width, block});
  }
  void keep(const LayoutFault& fault) {
    if (!fault_) fault_ = fault;
  }

  const Server<double>& server_;
  bool lists_matrices_;  ///< parameters that are stated lie in none
  double ways_;
  std::optional<LayoutFault>& fault_;
};

void divide_mixer(const ServingInput<double>& in, const MixerGroup<double>& group,
                  Division& division) {
  const auto& model = in.model;
  const auto format = format_of_part(in.server.attention_weights, in.server.weights);
  switch (group.mixer) {
    case Mixer::kAttention:
    case Mixer::kWindowed:
    case Mixer::kSparse:
    case Mixer::kCompressed: {
      const auto dims = attention_dims(model, group);
      const double heads = dims.heads.value();
      // A latent vector, or a key that is the value, too, is on each rank.
      const bool shared = dims.latent || model.shared_key_value;
      division.heads(heads, shared ? heads : dims.kv_heads.value());
      if (dims.latent) {
        division.outputs_of(heads, (model.nope_dim + model.rope_dim).value(), format);
        division.outputs_of(heads, (model.nope_dim + dims.value).value(), format);
      } else {
        division.outputs_of(heads, dims.key.value(), format);
        if (!shared && !dims.shares) {
          division.outputs_of(dims.kv_heads.value(), dims.key.value(), format);
          division.outputs_of(dims.kv_heads.value(), dims.value.value(), format);
        }
      }
      if (!(model.output_groups.value() > 0)) {
        division.inputs_of(heads, dims.value.value(), format);
      }
      break;
    }
    case Mixer::kLinear:
      division.heads(model.linear_value_heads.value(), model.linear_key_heads.value());
      division.outputs_of(model.linear_key_heads.value(), model.linear_key_dim.value(), format);
      division.outputs_of(model.linear_value_heads.value(), model.linear_value_dim.value(), format);
      division.inputs_of(model.linear_value_heads.value(), model.linear_value_dim.value(), format);
      break;
    case Mixer::kMamba: {
      const double width = mamba_widths(model).value.value();
      if (!(model.mamba_rank.value() > 0)) {
        division.heads(model.mamba_heads.value(), model.mamba_groups.value());
      }
      division.feed_forward(width, format);
      break;
    }
    case Mixer::kConvolution:
      division.feed_forward(convolution_widths(model).value.value(), format);
      break;
    case Mixer::kNone:
      break;
  }
}

}  // namespace

std::optional<LayoutFault> tensor_fault(const ServingInput<double>& in, double tensor) {
  std::optional<LayoutFault> fault;
  if (tensor <= 1) return fault;
  const auto& model = in.model;
  const WeightFormat format = in.server.weights;
  Division division(in, tensor, fault);
  for (const MixerGroup<double>& group : in.mix.mixers()) divide_mixer(in, group, division);
  for (const DenseGroup<double>& group : in.mix.dense()) {
    if (group.layers.value() > 0) division.feed_forward(group.width.value(), format);
  }
  if (in.mix.with_experts.value() > 0) {
    const double shared = (model.shared_experts * shared_expert_width(model)).value();
    if (shared > 0) division.feed_forward(shared, format);
    const double beside = model.dense_beside_experts.value();
    if (beside > 0) division.feed_forward(beside, format);
  }
  return fault;
}

std::optional<LayoutFault> expert_fault(const ServingInput<double>& in,
                                        const ServerWays<double>& ways) {
  std::optional<LayoutFault> fault;
  const auto& model = in.model;
  if (!model.sparse()) return fault;
  const double held = (model.experts + in.server.redundant_experts).value();
  if (!divides(ways.expert.value(), held)) {
    return LayoutFault{IssueCode::kExpertsDontDivide, held};
  }
  const double tensor = ways.expert_tensor().value();
  if (tensor > 1) {
    Division(in, tensor, fault)
        .feed_forward(model.expert_feed_forward.value(),
                      format_of_part(in.server.expert_weights, in.server.weights));
  }
  return fault;
}

}  // namespace scaling
