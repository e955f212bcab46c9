// SPDX-License-Identifier: MIT
//
// Goldens that the planner answers: a layout from the golden's inputs.
#pragma once

#include "golden.hpp"
#include "scaling/questions/plan/question.hpp"

namespace scaling::test {

inline double ways_of(const Given& in, const char* key) { return in.has(key) ? in(key) : 1; }

/// The golden's layout, changed by `layout`: by default nothing is divided that it does not name,
/// nothing computed again, and 1F1B, or with chunks the interleaved schedule.
inline Raw<Layout> layout_of(const Given& in, const Settings& layout = {}) {
  const auto schedule = in.has("virtualStages") ? kSchedule<Interleaved> : kSchedule<OneFOneB>;
  const auto raw = make<Layout>({{"schedule", schedule},
                                 {"sharding", StateSharding::kNone},
                                 {"recompute", Recompute::kNone}});
  return with(fill(raw, in), layout);
}

/// On as many chips as its ways take, if it does not say how many, each with `microBatches` to do,
/// or all with `sequences`.
inline Raw<Run> plan_run_of(const Given& in) {
  const double data = ways_of(in, "data");
  const double ways =
      data * ways_of(in, "tensor") * ways_of(in, "context") * ways_of(in, "pipeline");
  const double chips = in.has("chips") ? in("chips") : ways;
  const double sequences = in.has("sequences")
                               ? in("sequences")
                               : data * ways_of(in, "microBatches") * ways_of(in, "microBatch");
  const auto run = run_of(in);
  const double length = run.values[index_of<Run>("sequenceLength")];
  return with(run, {{"chips", chips}, {"batchTokens", sequences * length}});
}

/// Everything at its full rate, nothing for the runtime.
inline const Settings kIdeal{{"rates", RatesFrom::kStated}, {"computeEfficiency", 1},
                             {"memoryEfficiency", 1},       {"networkEfficiency", 1},
                             {"runtimeOverhead", 0},        {"allocatorShare", 0}};

inline auto plan(const Given& in, const Raw<Model>& model, const Raw<Layout>& layout,
                 const Settings& assumptions = {}) {
  const double bandwidth = in.has("scaleUpBandwidth") ? in("scaleUpBandwidth") : 1e9;
  const auto chip = with(chip_of(in), {{"network", Network::kSwitched},
                                       {"scaleUpChips", 1e6},
                                       {"scaleUpBandwidth", bandwidth},
                                       {"hopLatency", 0},
                                       {"scaleOutLatency", 0}});
  return answers_to<PlanQuestion>({chip, model, plan_run_of(in), layout, Raw<Stack>::defaults(),
                                   with(make<Assumptions>(kIdeal), assumptions),
                                   Raw<SearchSpace>::defaults()});
}

}  // namespace scaling::test
