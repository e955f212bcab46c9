// SPDX-License-Identifier: MIT
//
// Shared by the tests of the planner: inputs that are easy to change, and their answers.
#pragma once

#include <initializer_list>
#include <iterator>

#include "scaling/search/layout_search.hpp"
#include "scaling/search/levers.hpp"
#include "scaling/views/timeline.hpp"
#include "support.hpp"

namespace scaling::test {

/// Everything at its full rate, all that may hide hidden, nothing for the runtime.
inline Raw<Assumptions> ideal() {
  return make<Assumptions>({{"rates", RatesFrom::kStated},
                            {"computeEfficiency", 1},
                            {"memoryEfficiency", 1},
                            {"networkEfficiency", 1},
                            {"usableMemory", 1},
                            {"runtimeOverhead", 0},
                            {"allocatorShare", 0}});
}

/// A planner's input: LLaMA 3-8B on 64 H100, nothing divided, states in full on each, all kept.
struct Planned {
  Raw<Chip> chip = h100();
  Raw<Model> model = llama3_8b();
  Raw<Run> run = make<Run>({{"chips", 64}, {"batchTokens", 1 << 20}});
  Raw<Layout> layout = make<Layout>({{"schedule", kSchedule<OneFOneB>},
                                     {"sharding", StateSharding::kNone},
                                     {"recompute", Recompute::kNone}});
  Raw<Stack> stack = Raw<Stack>::defaults();
  Raw<Assumptions> assumptions = make<Assumptions>({{"rates", RatesFrom::kStated}});
  Raw<SearchSpace> search = Raw<SearchSpace>::defaults();

  PlanQuestion::Input input() const {
    return {chip, model, run, layout, stack, assumptions, search};
  }

  /// The groups of fields that are right by themselves.
  SearchInput<double> groups() const { return PlanQuestion::read<double>(input()).plain; }

  auto outcome() const { return estimate<PlanQuestion>(input()); }
  auto answers() const { return answers_to<PlanQuestion>(input()); }

  Step<double> step() const {
    fail_on(outcome().issues);
    const auto in = groups();
    return cost_step<double>(in, choose_for_layout(in));
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
  Planned run_by(const Settings& settings) const { return changed<Stack>(settings); }
  Planned under(const Settings& settings) const { return changed<Assumptions>(settings); }

 private:
  template <template <class> class Group>
  Raw<Group>& get() {
    if constexpr (std::is_same_v<Raw<Group>, Raw<Chip>>) return chip;
    if constexpr (std::is_same_v<Raw<Group>, Raw<Model>>) return model;
    if constexpr (std::is_same_v<Raw<Group>, Raw<Run>>) return run;
    if constexpr (std::is_same_v<Raw<Group>, Raw<Layout>>) return layout;
    if constexpr (std::is_same_v<Raw<Group>, Raw<Stack>>) return stack;
    if constexpr (std::is_same_v<Raw<Group>, Raw<Assumptions>>) return assumptions;
    if constexpr (std::is_same_v<Raw<Group>, Raw<SearchSpace>>) return search;
  }
};

/// `in` with a layout, a batch and assumptions by chance; most fit model and chips.
inline Planned any_plan(Planned in, inputs::Numbers& numbers) {
  const auto one_of = [&](std::initializer_list<double> values) {
    return values.begin()[numbers.place(values.size())];
  };
  const bool sparse = in.model["experts"] > 0;
  const double chips = one_of({1, 8, 16, 48, 64, 96, 256});
  const double length = one_of({2048, 4096, 8192});
  in = in.on({{"chips", chips},
              {"slices", numbers.below(4) == 0 && chips > 1 ? 2 : 1},
              {"sequenceLength", length},
              {"batchTokens", length * one_of({1, 24, 100, 512})}});
  in = in.as({{"tensor", one_of({1, 1, 2, 3, 4, 8})},
              {"sequenceParallel", numbers.below(4) > 0},
              {"context", one_of({1, 1, 2, 4})},
              {"contextKind", numbers.below(std::size(kContextKindNames))},
              {"pipeline", one_of({1, 1, 2, 3, 4, 8})},
              {"schedule", numbers.below(std::size(kPipelineScheduleNames))},
              {"expert", sparse ? one_of({1, 2, 4, 8}) : 1},
              {"expertTensor", sparse ? one_of({1, 1, 2}) : 1},
              {"expertNodes", one_of({0, 4})},
              {"microBatch", one_of({1, 2, 3, 8})},
              {"sharding", numbers.below(std::size(kStateShardingNames))},
              {"shardGroup", one_of({0, 0, 2})},
              {"recompute", numbers.below(std::size(kRecomputeNames))},
              {"optimizer", numbers.below(std::size(kOptimizerNames))},
              {"gradientFormat", numbers.below(std::size(kGradientCopiesNames))},
              {"attentionKernel", numbers.below(std::size(kAttentionKernelNames))},
              {"dropout", numbers.below(2)}});
  if (in.chip["hostBandwidth"] > 0) {
    in = in.as({{"offload", one_of({0, 0, 1, 2})}});
  }
  if (in.chip["peakFp8"] > 0) in = in.as({{"fp8Matmuls", numbers.below(2)}});
  auto beside = numbers;  // later fields leave the plans as they were
  if (in.chip["hostBandwidth"] > 0) {
    auto later = numbers;
    in = in.as({{"hostActivations", 0.5 * static_cast<double>(later.below(3))}});
  }
  in = in.run_by({{"flash", numbers.below(std::size(kFlashVersionNames))},
                  {"selective", numbers.below(std::size(kSelectiveNames))},
                  {"graphs", numbers.below(std::size(kCudaGraphsNames))},
                  {"kernels", beside.below(std::size(kKernelLaunchNames))},
                  {"timer", beside.below(std::size(kStepTimerNames))},
                  {"reduceFormat", numbers.below(std::size(kReduceFormatNames))},
                  {"tensorOverlap", numbers.below(2)},
                  {"dataOverlap", numbers.below(2)},
                  {"fp8Gather", numbers.below(2)},
                  {"rowwiseScales", numbers.below(2)}});
  if (beside.below(4) == 0) {
    const auto layers = static_cast<std::uint32_t>(in.model["layers"]);
    in = in.on({{"trained", Trained::kLast},
                {"trainedLayers", 1 + beside.below(layers)},
                {"trainHead", beside.below(2)}});
  }
  return in.under({{"rates", numbers.below(2)},
                   {"computeEfficiency", one_of({1, 0.7})},
                   {"memoryEfficiency", one_of({1, 0.85})},
                   {"networkEfficiency", one_of({1, 0.8})},
                   {"overlapTensor", one_of({0, 0.5, 1})},
                   {"overlapContext", one_of({0, 0.5, 1})},
                   {"overlapExpert", one_of({0, 0.5, 1})},
                   {"overlapData", one_of({0, 0.5, 1})},
                   {"overlapPipeline", one_of({0, 0.5, 1})},
                   {"inNetworkReduction", numbers.below(2)}});
}

inline Count<double> count_of(double x) { return Count<double>(x); }

}  // namespace scaling::test
