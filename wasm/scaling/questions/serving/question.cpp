// SPDX-License-Identifier: MIT
#include "scaling/questions/serving/question.hpp"

#include <cmath>
#include <utility>

#include "scaling/input/check.hpp"
#include "scaling/quantity/divisors.hpp"
#include "scaling/serving/server_layout.hpp"

namespace scaling {
namespace {

/// The fields of a role's ways.
struct WaysKeys {
  const char *tensor, *data, *expert, *pipeline;
};

/// Checks the ways of servers, which share their chips.
void check_role(const ServingInput<double>& in, const Servers<double>& servers,
                const WaysKeys& keys, Issues& issues) {
  const char* group = Serving<double>::kGroup;
  const auto& model = in.model;
  const auto& ways = servers.ways;
  // The first that leaves no chip for the others is at fault.
  double left = servers.chips.value();
  for (const auto& [key, number] : {std::pair{keys.tensor, ways.tensor.value()},
                                    {keys.data, ways.data.value()},
                                    {keys.pipeline, ways.pipeline.value()}}) {
    if (number > left) {
      issues.add(IssueCode::kAboveMaximum, group, key, 1, left);
      break;
    }
    left = std::floor(left / number);
  }
  if (ways.pipeline > model.layers) {
    issues.add(IssueCode::kMoreThanLayers, group, keys.pipeline, model.layers.value());
  }
  const auto refuse = [&](const char* key, const LayoutFault& fault) {
    issues.add(fault.code, group, key, fault.first, fault.second);
  };
  if (ways.tensor > model.heads) {
    issues.add(IssueCode::kMoreChipsThanRows, group, keys.tensor, model.heads.value());
  } else if (const auto fault = tensor_fault(in, ways.tensor.value())) {
    refuse(keys.tensor, *fault);
  }
  const double beside = (ways.tensor * ways.data).value();
  if (ways.expert.value() > 1 && !model.sparse()) {
    issues.add(IssueCode::kNoExperts, group, keys.expert);
  } else if (ways.expert.value() > 1 && !divides(ways.expert.value(), beside)) {
    issues.add(IssueCode::kExpertWaysDontDivide, group, keys.expert, beside);
  } else if (const auto fault = expert_fault(in, ways)) {
    const bool data = fault->code == IssueCode::kHostAlone && ways.data.value() > 1;
    refuse(data ? keys.data : keys.expert, *fault);
  }
}

/// Checks that a chip has layers of its own, and its host room for the others.
void check_host(const ServingInput<double>& in, Issues& issues) {
  const auto& serving = in.serving;
  const char* group = Serving<double>::kGroup;
  const double others = in.model.layers.value() - 1;
  const double sparse = in.layers.experts.layers.value();
  if (serving.host_layers.value() > others) {
    issues.add(IssueCode::kAboveMaximum, group, "hostLayers", 0, others);
  } else if (serving.host_experts.value() > sparse) {
    if (!in.model.sparse()) {
      issues.add(IssueCode::kNoExperts, group, "hostExperts");
    } else {
      issues.add(IssueCode::kAboveMaximum, group, "hostExperts", 0, sparse);
    }
  }
  if (!serving.on_host() || !issues.empty()) return;
  if (!in.chip.host_bandwidth.present()) {
    issues.add(IssueCode::kBandwidthNotListed, Chip<double>::kGroup, "hostBandwidth");
  }
  const auto needed = weight_bytes(in).on_host() / serving.pipeline;
  if (needed > serving.host_memory) {
    // In whole GB, so that the sentence is short.
    const double least = 1e9 * std::ceil(needed.value() / 1e9);
    issues.add(IssueCode::kBelowMinimum, group, "hostMemory", least,
               field_of<Serving>("hostMemory").maximum);
  }
}

void check_ways(const ServingInput<double>& in, Issues& issues) {
  const auto& serving = in.serving;
  const char* group = Serving<double>::kGroup;
  const double chips = serving.chips.value();
  if (serving.apart) {
    if (chips < 2) {
      issues.add(IssueCode::kBelowMinimum, group, "chips", 2, field_of<Serving>("chips").maximum);
      return;
    }
    if (serving.prefill_chips.value() >= chips) {
      issues.add(IssueCode::kAboveMaximum, group, "prefillChips", 1, chips - 1);
      return;
    }
    check_role(in, servers_of(serving, ServerRole::kPrefills),
               {"prefillTensor", "prefillData", "prefillExpert", "pipeline"}, issues);
  }
  check_role(in, servers_of(serving, ServerRole::kAnswers),
             {"tensor", "attentionData", "expert", "pipeline"}, issues);
}

}  // namespace

void ServingQuestion::check_relations(const Typed<double>& input, Issues& issues, Issues& notices) {
  check_model(input.model, issues);
  check_images(input.model, Serving<double>::kGroup, "imagesPerPrompt",
               input.serving.images.value(), issues);
  // Of a model that contradicts itself, nothing can be divided.
  if (issues.empty()) {
    const ServingInput<double> in(input);
    check_ways(in, issues);
    check_host(in, issues);
  }
  const auto& chip = input.chip;
  const auto chips_of = [&](ServerRole role) {
    return servers_of(input.serving, role).ways.chips().value();
  };
  const double widest = std::fmax(chips_of(ServerRole::kAnswers), chips_of(ServerRole::kPrefills));
  // A chip whose network nobody describes has transfers that take no time.
  if (issues.empty() && linked_chip(chip).network != Network::kNone &&
      widest > linked_chip(chip).domain_chips().value() && !chip.scale_out_bandwidth.present()) {
    issues.add(IssueCode::kBandwidthNotListed, Chip<double>::kGroup, "scaleOutBandwidth");
  }
  if (input.serving.in_turns() && input.serving.host_cache.value() > 0 &&
      !chip.host_bandwidth.present()) {
    issues.add(IssueCode::kBandwidthNotListed, Chip<double>::kGroup, "hostBandwidth");
  }
  // Attention computes in 16 bits, whatever the weights do.
  check_sixteen_bits(input.chip, issues);
  if (!issues.empty()) return;
  const double context = input.model.context_length.value();
  const double tokens = input.serving.longest().value();
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
