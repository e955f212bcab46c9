// SPDX-License-Identifier: MIT
//
// What the tests of the planner share: inputs that are easy to change, and what comes of them.
#pragma once

#include "scaling/plan.hpp"
#include "scaling/timeline.hpp"
#include "support.hpp"

namespace scaling::test {

/// Everything at its full rate, all that may hide hidden, nothing for the runtime.
inline Raw<Assumptions> ideal() {
  return make<Assumptions>({{"computeEfficiency", 1},
                            {"memoryEfficiency", 1},
                            {"networkEfficiency", 1},
                            {"usableMemory", 1},
                            {"runtimeOverhead", 0}});
}

/// A planner's input: LLaMA 3-8B on 64 H100, nothing divided, states in full on each, all kept.
struct Planned {
  Raw<Chip> chip = h100();
  Raw<Model> model = llama3_8b();
  Raw<Run> run = make<Run>({{"chips", 64}, {"batchTokens", 1 << 20}});
  Raw<Layout> layout = make<Layout>({{"schedule", PipelineSchedule::kOneFOneB},
                                     {"sharding", StateSharding::kNone},
                                     {"recompute", Recompute::kNone}});
  Raw<Assumptions> assumptions = Raw<Assumptions>::defaults();
  Raw<SearchSpace> search = Raw<SearchSpace>::defaults();

  PlanQuestion::Input input() const { return {chip, model, run, layout, assumptions, search}; }

  /// Of fields that are right by themselves.
  PlanQuestion::Groups<double> groups() const {
    return {typed(chip),   typed(model),       typed(run),
            typed(layout), typed(assumptions), typed(search)};
  }

  auto outcome() const { return estimate<PlanQuestion>(input()); }
  auto answers() const { return answers_to<PlanQuestion>(input()); }

  Step<double> step() const {
    fail_on(outcome().issues);
    const auto in = groups();
    return cost_step(in, choose_for_layout(in));
  }

  template <template <class> class Group>
  Planned changed(const Settings& settings) const {
    Planned result = *this;
    auto& group = result.template get<Group>();
    group = with(group, settings);
    return result;
  }

  Planned on(const Settings& settings) const { return changed<Run>(settings); }
  Planned as(const Settings& settings) const { return changed<Layout>(settings); }
  Planned under(const Settings& settings) const { return changed<Assumptions>(settings); }

 private:
  template <template <class> class Group>
  Raw<Group>& get() {
    if constexpr (std::is_same_v<Raw<Group>, Raw<Chip>>) return chip;
    if constexpr (std::is_same_v<Raw<Group>, Raw<Model>>) return model;
    if constexpr (std::is_same_v<Raw<Group>, Raw<Run>>) return run;
    if constexpr (std::is_same_v<Raw<Group>, Raw<Layout>>) return layout;
    if constexpr (std::is_same_v<Raw<Group>, Raw<Assumptions>>) return assumptions;
    if constexpr (std::is_same_v<Raw<Group>, Raw<SearchSpace>>) return search;
  }
};

inline Count<double> count_of(double x) { return Count<double>(x); }

}  // namespace scaling::test
