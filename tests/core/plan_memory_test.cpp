// SPDX-License-Identifier: MIT
//
// How sure a plan's memory is, what room in it costs, and what is computed again.

#include <cmath>
#include <memory>

#include "plans.hpp"

namespace scaling::test::plan_memory_test {
namespace {

/// LLaMA 3-8B on 8 H100, its states shared, as tight as the batch makes it.
Planned on_eight(const Settings& layout) {
  Planned in;
  in.assumptions = Raw<Assumptions>::defaults();
  return in.on({{"chips", 8}, {"batchTokens", 1 << 20}, {"sequenceLength", 8192}})
      .as({{"sharding", StateSharding::kParameters}})
      .as(layout);
}

Planned with_memory(Planned in, double bytes) {
  in.chip = with(in.chip, {{"memory", bytes}});
  return in;
}

template <const Term& kTerm>
bool says(const PlanQuestion::Answers<double>& answers) {
  return answers.template get<kTerm>().present();
}

TEST_CASE("memory has a likely range, which says whether it fits, is tight or does not") {
  const Planned in = on_eight({{"recompute", Recompute::kFull}});
  const auto sure = in.answers();
  const double used = number<term::kMemoryUsed>(sure);
  const double high = number<term::kMemoryHigh>(sure);
  CHECK(number<term::kMemoryLow>(sure) < used);
  CHECK(high > used);
  // What the allocator holds need not fit.
  const double allocated = number<term::kMemoryLimit>(sure) - number<term::kMemoryRoom>(sure);
  REQUIRE(allocated < 0.95 * used);
  const double share = Raw<Assumptions>::defaults()["usableMemory"];
  const auto state_at = [&](double limit) {
    const auto answers = with_memory(in, limit / share).answers();
    CHECK(number<term::kFits>(answers) ==
          (allocated <= number<term::kMemoryLimit>(answers) ? 1 : 0));
    return static_cast<MemoryState>(static_cast<int>(number<term::kMemoryStateTerm>(answers)));
  };
  CHECK(state_at(1.001 * high) == MemoryState::kFits);
  CHECK(state_at(0.999 * high) == MemoryState::kTight);
  CHECK(state_at(used) == MemoryState::kTight);
  CHECK(state_at(1.001 * allocated) == MemoryState::kTight);
  CHECK(state_at(0.999 * allocated) == MemoryState::kOver);
}

TEST_CASE("no chip is likely to hold less than its states") {
  inputs::Numbers numbers;
  for (int n = 0; n < 200; ++n) {
    const Planned in = any_plan({}, numbers);
    const auto outcome = in.outcome();
    if (!outcome.issues.empty()) continue;
    const auto step = in.step();
    const auto groups = in.groups();
    const auto band = memory_band<double>(StepInput<double>(groups), step.memory);
    CHECK(band.low >= step.memory.states.total());
    CHECK(band.low <= step.memory.total());
    CHECK(band.high >= step.memory.total());
  }
}

TEST_CASE("memory that is kept free is filled by no choice, and changes no verdict") {
  const Planned in = on_eight({{"recompute", Recompute::kCheapest}, {"microBatch", 1}});
  const auto filled = in.answers();
  const auto roomy = in.under({{"memoryReserve", 0.1}}).answers();
  const double limit = number<term::kMemoryLimit>(filled);
  REQUIRE(number<term::kMemoryUsed>(filled) > 0.9 * limit);
  CHECK(number<term::kMemoryLimit>(roomy) == limit);
  CHECK(number<term::kMemoryUsed>(roomy) <= 0.9 * limit);
  CHECK(number<term::kStepExpected>(roomy) > number<term::kStepExpected>(filled));
  // One that fills what others keep free still fits.
  const auto pinned = on_eight({{"recompute", Recompute::kNone}, {"microBatch", 1}});
  CHECK(number<term::kFits>(pinned.answers()) ==
        number<term::kFits>(pinned.under({{"memoryReserve", 0.5}}).answers()));
}

TEST_CASE("a search tells the fastest layout that leaves a tenth of the memory free") {
  Planned in = on_eight({});
  const auto search_in_heap =
      std::make_unique<LayoutSearch>(in.groups(), MapField::kTensor, MapField::kPipeline);
  LayoutSearch& search = *search_in_heap;
  search.find_best();
  CHECK(search.roomy().empty());
  while (!search.roomy_known()) search.advance(4096);
  REQUIRE(search.roomy().size() == 1);
  const CostedLayout roomy = search.roomy()[0];
  CHECK(roomy.memory <= 0.9 * search.limit());
  CHECK(roomy.expected >= search.best()[0].expected);
  // The same as a search that has to keep it free.
  const Planned kept = in.under({{"memoryReserve", 0.1}});
  const auto other_in_heap =
      std::make_unique<LayoutSearch>(kept.groups(), MapField::kTensor, MapField::kPipeline);
  other_in_heap->find_best();
  CHECK(other_in_heap->best()[0].expected == roomy.expected);
  while (!other_in_heap->done()) other_in_heap->advance(4096);
  CHECK(other_in_heap->limit() == search.limit());
  // And as estimated alone.
  while (!search.done()) search.advance(4096);
  CHECK(search.roomy()[0].expected == roomy.expected);
}

TEST_CASE("what is computed again is told by its tensors and the share of layers") {
  const auto none = on_eight({{"recompute", Recompute::kNone}}).answers();
  CHECK_FALSE(says<term::kAgainAttention>(none));
  CHECK_FALSE(says<term::kAgainNorms>(none));
  CHECK(number<term::kFullestLayers>(none) == 32);

  const auto full = on_eight({{"recompute", Recompute::kFull}}).answers();
  CHECK(number<term::kAgainAttention>(full) == 1);
  CHECK(number<term::kAgainHidden>(full) == 1);
  CHECK_FALSE(says<term::kAgainResults>(full));  // a dense model has no experts

  // Megatron-Core's core_attn.
  const auto attention = on_eight({{"recompute", Recompute::kSelective}})
                             .run_by({{"selective", Selective::kAttention}})
                             .answers();
  CHECK(number<term::kAgainAttention>(attention) == 1);
  CHECK_FALSE(says<term::kAgainNorms>(attention));
  CHECK_FALSE(says<term::kAgainQkv>(attention));

  // FlashAttention writes no scores that could be computed again.
  const auto scores = on_eight({{"recompute", Recompute::kSelective}});
  CHECK_FALSE(says<term::kAgainAttention>(scores.answers()));
  CHECK(number<term::kAgainAttention>(
            scores.as({{"attentionKernel", AttentionKernel::kNaive}}).answers()) == 1);
}

TEST_CASE("recomputation as needed names whole layers of the fullest stage") {
  const auto answers = on_eight({{"recompute", Recompute::kCheapest}, {"microBatch", 1}}).answers();
  const double layers = number<term::kFullestLayers>(answers);
  int parts = 0;
  const auto check = [&](const auto& maybe) {
    if (!maybe.present()) return;
    const double of_layers = maybe.value.value() * layers;
    CHECK(maybe.value.value() > 0);
    CHECK_THAT(of_layers, WithinAbs(std::round(of_layers), 1e-9));
    ++parts;
  };
  check(answers.get<term::kAgainNorms>());
  check(answers.get<term::kAgainProduct>());
  check(answers.get<term::kAgainQkv>());
  check(answers.get<term::kAgainAttention>());
  check(answers.get<term::kAgainHidden>());
  check(answers.get<term::kAgainMiddle>());
  CHECK(parts > 0);
}

TEST_CASE("a search's layouts name the same tensors as their estimates") {
  const Planned in = on_eight({});
  const auto search_in_heap =
      std::make_unique<LayoutSearch>(in.groups(), MapField::kTensor, MapField::kPipeline);
  search_in_heap->find_best();
  for (const CostedLayout& plan : search_in_heap->best()) {
    SearchInput<double> there = in.groups();
    there.layout = plan.layout;
    const auto choice = choose_for_layout(StepInput<double>(there));
    CHECK(shares_again(StepInput<double>(there), choice.dropped) == plan.again);
  }
}

}  // namespace
}  // namespace scaling::test::plan_memory_test
