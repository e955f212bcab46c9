// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "scaling/questions/plan_question.hpp"
#include "scaling/search/layout_search.hpp"
#include "scaling/views/target_search.hpp"

namespace scaling {

/// Asks a plan forward. Tokens, prices and power change no layout; other chips, batches and formats
/// have the best layout that the reader leaves open.
class PlanForward {
 public:
  static bool turns(const FieldInfo& info) { return searched(info) || is_steady(info); }
  static bool searched(const FieldInfo& info) {
    return is_chips(info) || &info == &field_of<Run>("batchTokens") ||
           &info == &field_of<Layout>("fp8Matmuls");
  }
  static bool is_chips(const FieldInfo& info) { return &info == &field_of<Run>("chips"); }
  static double slices(const PlanQuestion::Typed<double>& typed) {
    return typed.run.slices.value();
  }
  static double sequence(const PlanQuestion::Typed<double>& typed) {
    return typed.run.sequence_length.value();
  }

  void begin(const PlanQuestion::Input& input, const FieldInfo& field) {
    asked_ = input;
    search_.reset();
    state_ = State::kAsked;
    if (!searched(field)) return;
    leave_open(asked_);
    Issues issues;
    PlanQuestion::Input checked = asked_;
    PlanQuestion::check_fields(checked, issues);
    if (!issues.empty()) return;
    const auto in = PlanQuestion::read<double>(checked).plain;
    check_machine(in, issues);
    if (!issues.empty()) {
      state_ = State::kNothing;
      return;
    }
    search_.emplace(in, MapField::kTensor, MapField::kPipeline);
    state_ = State::kSearching;
  }

  bool advance(std::size_t count) {
    if (state_ != State::kSearching) return true;
    search_->advance(count);
    if (!search_->best_known()) return false;
    const auto chosen = search_->chosen();
    state_ = chosen.empty() ? State::kNothing : State::kAsked;
    if (!chosen.empty()) choose(chosen[0].layout);
    return true;
  }

  /// The MFU that would meet a target for what falls as the MFU rises, all else being as it is: of
  /// a plan no input, but what its kernels would have to reach.
  static bool add_more(const PlanQuestion::Input& input, const Target& target, double now,
                       Turn& turn) {
    const Term* const asked = PlanQuestion::Answers<double>::kList[target.answer];
    const Term* const of_time[] = {&term::kTrainingTime, &term::kCost, &term::kEnergy,
                                   &term::kChipHours};
    if (std::find(std::begin(of_time), std::end(of_time), asked) == std::end(of_time)) return false;
    const double mfu = detail::answer_to<PlanQuestion>(input, answer_index(term::kMfu));
    const Inverse answer(now * mfu);
    const FieldInfo& field = field_of<Run>("mfu");
    turn = turn_number(answer, {field}, target, mfu);
    turn.place = {0, static_cast<std::size_t>(&field - kFields<Run>.data())};
    while (PlanQuestion::kGroups[turn.place.group].data() != kFields<Run>.data()) {
      ++turn.place.group;
    }
    return true;
  }

  double answered(std::size_t answer) const {
    if (state_ == State::kNothing) return std::numeric_limits<double>::quiet_NaN();
    return detail::answer_to<PlanQuestion>(asked_, answer);
  }

 private:
  enum class State : std::uint8_t {
    kSearching,
    kAsked,    ///< the layout is chosen
    kNothing,  ///< nothing fits, or the machine is none
  };

  /// An answer that falls as x rises.
  class Inverse final : public AnswerAlong {
   public:
    explicit Inverse(double work) : work_(work) {}
    double operator()(double x) const override { return work_ / x; }

   private:
    double work_;
  };

  static std::size_t answer_index(const Term& term) {
    const auto& list = PlanQuestion::Answers<double>::kList;
    return static_cast<std::size_t>(std::find(list.begin(), list.end(), &term) - list.begin());
  }

  static bool is_steady(const FieldInfo& info) {
    return info.topic == Topic::kPrice || &info == &field_of<Run>("tokens") ||
           &info == &field_of<Run>("pue");
  }

  /// What the search chooses itself is no reason to search otherwise.
  static void leave_open(PlanQuestion::Input& input) {
    for (const FieldInfo& info : kFields<SearchSpace>) {
      if (input.search[info.key] > 0) {
        input.layout[info.key] = Raw<Layout>::defaults()[info.key];
      }
    }
  }

  void choose(const Layout<double>& layout) {
    auto& raw = asked_.layout;
    raw["tensor"] = layout.tensor.value();
    raw["context"] = layout.context.value();
    raw["pipeline"] = layout.pipeline.value();
    raw["schedule"] = static_cast<double>(layout.schedule);
    raw["virtualStages"] = layout.virtual_stages.value();
    raw["expert"] = layout.expert.value();
    raw["expertTensor"] = layout.expert_tensor.value();
    raw["microBatch"] = layout.micro_batch.value();
    raw["sharding"] = static_cast<double>(layout.sharding);
    raw["recompute"] = static_cast<double>(layout.recompute);
  }

  PlanQuestion::Input asked_;
  std::optional<LayoutSearch> search_;  // large: to be kept off the stack
  State state_ = State::kNothing;
};

using PlanTarget = TargetSearch<PlanQuestion, PlanForward>;

}  // namespace scaling
