// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/questions/serving_question.hpp"
#include "scaling/search/serving_division.hpp"
#include "scaling/views/target_search.hpp"

namespace scaling {

/// Asks servers forward, divided the best way that the reader leaves open. Prices change no way.
class ServingForward {
 public:
  explicit ServingForward(const GivenWays& given) : given_(given) {}

  static bool turns(const FieldInfo& info) { return searched(info) || is_steady(info); }
  static bool searched(const FieldInfo& info) {
    const std::string_view group = info.group;
    return !is_steady(info) &&
           (group == Serving<double>::kGroup || group == Server<double>::kGroup);
  }
  static bool is_chips(const FieldInfo& info) { return &info == &field_of<Serving>("chips"); }
  static double slices(const ServingQuestion::Typed<double>&) { return 1; }
  static double sequence(const ServingQuestion::Typed<double>&) { return 1; }

  void begin(const ServingQuestion::Input& input, const FieldInfo& field) {
    asked_ = input;
    if (searched(field) || !kept_.has_value()) {
      divide(asked_);
      if (!searched(field)) kept_ = asked_;
    } else {
      // The ways of the load as it is.
      copy_ways(*kept_, asked_);
    }
  }

  bool advance(std::size_t) { return true; }

  double answered(std::size_t answer) const {
    return detail::answer_to<ServingQuestion>(asked_, answer);
  }

  /// Divides the chips of an input the best way, as far as it is left open; of one that is not
  /// valid, leaves the ways as they are.
  void divide(ServingQuestion::Input& input) const {
    Issues issues;
    Issues notices;
    ServingQuestion::Input checked = input;
    check<ServingQuestion>(checked, issues, notices, [&](const auto& typed) {
      const ServingInput<double> in(typed.plain);
      const DivisionSearch search{in, given_};
      const ServingDivision& best = search.best();
      auto& serving = input.serving;
      serving["tensor"] = best.tensor;
      serving["attentionData"] = best.data;
      serving["expert"] = best.expert;
      serving["pipeline"] = best.pipeline;
      serving["prefillChips"] = best.prefill_chips;
      serving["prefillTensor"] = best.prefill_tensor;
      serving["prefillData"] = best.prefill_data;
      serving["prefillExpert"] = best.prefill_expert;
      input.server["divideByBatch"] = best.by_batch ? 1 : 0;
    });
  }

 private:
  static bool is_steady(const FieldInfo& info) {
    return info.topic == Topic::kPrice || &info == &field_of<Serving>("pue");
  }

  static void copy_ways(ServingQuestion::Input& from, ServingQuestion::Input& to) {
    for (const char* key : {"tensor", "attentionData", "expert", "pipeline", "prefillChips",
                            "prefillTensor", "prefillData", "prefillExpert"}) {
      to.serving[key] = from.serving[key];
    }
    to.server["divideByBatch"] = from.server["divideByBatch"];
  }

  GivenWays given_;
  ServingQuestion::Input asked_;
  std::optional<ServingQuestion::Input> kept_;  ///< divided for the load as it is
};

using ServingTarget = TargetSearch<ServingQuestion, ServingForward>;

}  // namespace scaling
