// SPDX-License-Identifier: MIT
#include "scaling/questions/serving/question.hpp"

#include <cmath>

#include "scaling/input/check.hpp"
#include "scaling/quantity/divisors.hpp"

namespace scaling {
namespace {

void check_ways(const ServingQuestion::Typed<double>& in, Issues& issues) {
  const auto& serving = in.serving;
  const char* group = Serving<double>::kGroup;
  const double chips = serving.chips.value();
  double answering = chips;
  if (serving.apart) {
    const auto first = prefill_ways(serving);
    if (chips < 2) {
      issues.add(IssueCode::kBelowMinimum, group, "chips", 2, field_of<Serving>("chips").maximum);
      return;
    }
    if (serving.prefill_chips.value() >= chips) {
      issues.add(IssueCode::kAboveMaximum, group, "prefillChips", 1, chips - 1);
      return;
    }
    answering -= serving.prefill_chips.value();
    if (first.chips().value() > serving.prefill_chips.value()) {
      issues.add(IssueCode::kAboveMaximum, group, "prefillTensor", 1,
                 serving.prefill_chips.value());
    }
  }
  if (serving.server_chips().value() > answering) {
    issues.add(IssueCode::kAboveMaximum, group, "tensor", 1, answering);
  }
  const auto check_experts = [&](const ServerWays<double>& ways, const char* key) {
    const double expert = ways.expert.value();
    if (expert <= 1) return;
    if (!in.model.sparse()) {
      issues.add(IssueCode::kNoExperts, group, key);
    } else if (!divides(expert, (ways.tensor * ways.data).value())) {
      issues.add(IssueCode::kExpertWaysDontDivide, group, key, (ways.tensor * ways.data).value());
    } else if (expert > in.model.experts.value()) {
      issues.add(IssueCode::kExpertsDontDivide, group, key, in.model.experts.value());
    }
  };
  check_experts(server_ways(serving), "expert");
  if (serving.apart) check_experts(prefill_ways(serving), "prefillExpert");
  if (serving.tensor > in.model.heads) {
    issues.add(IssueCode::kMoreChipsThanRows, group, "tensor", in.model.heads.value());
  }
  if (serving.apart && serving.prefill_tensor > in.model.heads) {
    issues.add(IssueCode::kMoreChipsThanRows, group, "prefillTensor", in.model.heads.value());
  }
  if (serving.pipeline > in.model.layers) {
    issues.add(IssueCode::kMoreThanLayers, group, "pipeline", in.model.layers.value());
  }
}

bool has_peak(const Chip<double>& chip) {
  for (const Format format :
       {Format::kBf16, Format::kFp16, Format::kTf32, Format::kFp32, Format::kFp8, Format::kInt8}) {
    if (chip.peak(format).present()) return true;
  }
  return false;
}

}  // namespace

void ServingQuestion::check_relations(const Typed<double>& input, Issues& issues, Issues& notices) {
  check_model(input.model, issues);
  check_ways(input, issues);
  if (!has_peak(input.chip)) {
    issues.add(IssueCode::kFormatNotSupported, Server<double>::kGroup, "weights");
  }
  if (!issues.empty()) return;
  const double context = input.model.context_length.value();
  const double tokens = (input.serving.prompt + input.serving.answer).value();
  if (context > 0 && tokens > context) {
    notices.add(IssueCode::kContextExceeded, Serving<double>::kGroup, "promptTokens", context);
  }
  const double used = std::floor(input.serving.chips.value());
  const double server = input.serving.server_chips().value();
  if (!input.serving.apart && used > server && !divides(server, used)) {
    notices.add(IssueCode::kIdleInDomains, Serving<double>::kGroup, "chips",
                server * std::floor(used / server), used);
  }
  const double node = node_chips(input.chip).value();
  if (node > 1 && !is_bought(input.chip, used) && !is_server_size(input.chip, used)) {
    notices.add(IssueCode::kNotWholeNodes, Serving<double>::kGroup, "chips", node,
                bought_chips(input.chip, input.serving.chips).value());
  }
}

}  // namespace scaling
