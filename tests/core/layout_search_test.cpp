// SPDX-License-Identifier: MIT
//
// The search against trying all: independent loops over every number of ways.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "plans.hpp"
#include "presets.hpp"

namespace scaling::test::plan_search_test {
namespace {

using Groups = SearchInput<double>;

/// A search that has come to its end.
struct Searched {
  explicit Searched(const Planned& in, MapField x = MapField::kTensor,
                    MapField y = MapField::kPipeline)
      : in_heap(std::make_unique<LayoutSearch>(in.groups(), x, y)), search(*in_heap) {
    while (!search.advance(10000)) {
    }
  }

  std::unique_ptr<LayoutSearch> in_heap;  // it is too large for the stack
  LayoutSearch& search;
};

/// A layout that was tried by itself.
struct Tried {
  Layout<double> layout;
  double expected, lower, upper, memory;
  bool fits;
  double data;
};

std::vector<double> from_1_to(double most) {
  std::vector<double> numbers;
  for (double i = 1; i <= most; ++i) numbers.push_back(i);
  return numbers;
}

/// All layouts that `search` leaves open: each number of ways up to the chips, heads, layers or
/// experts is tried, and asked whether it fits.
std::vector<Tried> try_anew(const Planned& planned) {
  Groups in = planned.groups();
  const auto asked = in.layout;
  const auto& search = in.search;
  const double chips = (in.run.chips / as<kChip>(in.run.slices)).value();
  const auto degrees = [&](bool open, Count<double> pinned, double most) {
    return open ? from_1_to(most) : std::vector<double>{pinned.value()};
  };
  const auto limit = memory_limit(in.chip, in.assumptions);
  std::vector<Tried> tried;
  const auto try_states = [&] {
    for (int sharding = 0; sharding < 4; ++sharding) {
      if (!search.sharding && sharding > 0) break;
      in.layout.sharding = search.sharding ? static_cast<StateSharding>(sharding) : asked.sharding;
      for (const auto recompute : {Recompute::kCheapest, Recompute::kNone, Recompute::kFull}) {
        if (!search.recompute && recompute != Recompute::kCheapest) break;
        in.layout.recompute = search.recompute ? recompute : asked.recompute;
        const auto step = cost_step<double>(in, choose_for_layout(in));
        tried.push_back({in.layout, step.expected.value(), step.lower.value(), step.upper.value(),
                         step.memory.total().value(), step.memory.total() <= limit,
                         (in.run.chips / as<kChip>(in.layout.model_ways())).value()});
      }
    }
  };
  const auto experts = [&] {
    return degrees(search.expert && in.model.sparse(), asked.expert, in.model.experts.value());
  };
  const auto expert_tensors = [&] {
    const bool open = search.expert_tensor && in.model.sparse();
    return degrees(open, asked.expert_tensor, in.layout.tensor.value());
  };
  for (const double t : degrees(search.tensor, asked.tensor, in.model.heads.value())) {
    for (const double c : degrees(search.context, asked.context, chips)) {
      for (const double p : degrees(search.pipeline, asked.pipeline, in.model.layers.value())) {
        if (std::fmod(chips, t * c * p) != 0) continue;
        in.layout = asked;
        in.layout.tensor = count_of(t);
        in.layout.context = count_of(c);
        in.layout.pipeline = count_of(p);
        const double replicas = in.run.chips.value() / (t * c * p);
        const double sequences =
            std::ceil(in.run.batch_tokens.value() / in.run.sequence_length.value() / replicas);
        for (const double e : experts()) {
          for (const double et : expert_tensors()) {
            for (const double b : degrees(search.micro_batch, asked.micro_batch, sequences)) {
              if (search.micro_batch && std::fmod(sequences, b) != 0) continue;
              for (std::size_t s = 0; s < std::size(kPipelineScheduleNames); ++s) {
                if (!search.schedule && s > 0) break;
                in.layout.schedule =
                    search.schedule ? static_cast<PipelineSchedule>(s) : asked.schedule;
                const bool chunks = row_of(in.layout.schedule).asks_chunks && p > 1;
                for (const double v : degrees(search.virtual_stages && chunks,
                                              chunks ? asked.virtual_stages : count_of(1),
                                              in.model.layers.value())) {
                  // A search cuts a stage in chunks of one length.
                  const double of_stage = std::ceil(in.model.layers.value() / p);
                  if (search.virtual_stages && std::fmod(of_stage, v) != 0) continue;
                  in.layout.expert = count_of(e);
                  in.layout.expert_tensor = count_of(et);
                  in.layout.micro_batch = count_of(b);
                  in.layout.virtual_stages = count_of(v);
                  if (fits_together(in)) try_states();
                }
              }
            }
          }
        }
      }
    }
  }
  return tried;
}

/// Every layout of a small case, tried once for all tests.
const std::vector<Tried>& try_all(const std::string& name, const Planned& in) {
  static std::map<std::string, std::vector<Tried>> known;
  const auto [place, fresh] = known.try_emplace(name);
  if (fresh) place->second = try_anew(in);
  return place->second;
}

/// A model small enough to try all of its layouts.
Raw<Model> small_model(double layers, double heads, double kv_heads) {
  return make<Model>({{"layers", layers},
                      {"hidden", heads * 128},
                      {"feedForward", heads * 384},
                      {"heads", heads},
                      {"kvHeads", kv_heads},
                      {"headDim", 128},
                      {"vocabulary", 32000}});
}

/// The cases that all comparisons go through, by name.
std::map<std::string, Planned> small_cases() {
  std::map<std::string, Planned> cases;
  Planned in;
  in.layout = make<Layout>({});
  in.model = small_model(12, 16, 8);
  in = in.on({{"chips", 16}, {"batchTokens", 4096 * 16}});
  cases["dense on switches"] = in;

  auto tight = in;
  tight.chip = with(tight.chip, {{"memory", 8e9}});
  cases["dense on switches, little memory"] = tight;

  auto torus = in.on({{"chips", 32}, {"slices", 2}, {"batchTokens", 4096 * 48}});
  torus.chip = with(tpu_v5p(), {{"memory", 16e9}});
  cases["dense on a torus, two slices"] = torus;

  auto experts = in.on({{"chips", 16}, {"batchTokens", 4096 * 8}});
  experts.model = with(small_model(6, 16, 8), {{"experts", 12},
                                               {"expertsPerToken", 2},
                                               {"expertFeedForward", 2048},
                                               {"sharedExperts", 1},
                                               {"denseLayers", 1}});
  experts.search = make<SearchSpace>({{"expertTensor", true}});
  cases["experts"] = experts;
  auto on_torus = experts;
  on_torus.chip = with(tpu_v5p(), {{"memory", 8e9}});
  on_torus.search = make<SearchSpace>({});
  cases["experts on a torus"] = on_torus;

  auto odd = in.on({{"chips", 96}, {"batchTokens", 4096 * 96}});
  odd.model = small_model(24, 12, 12);
  odd.chip = with(odd.chip, {{"memory", 6e9}});
  odd.search = make<SearchSpace>({{"context", false}});
  cases["96 chips, 24 layers, 12 heads"] = odd;

  auto schedules = in.on({{"batchTokens", 4096 * 8}});
  schedules.search = make<SearchSpace>({{"schedule", true}, {"context", false}});
  cases["all schedules"] = schedules;

  auto pinned = in.as({{"pipeline", 2}, {"microBatch", 2}, {"recompute", Recompute::kFull}});
  pinned.search =
      make<SearchSpace>({{"pipeline", false}, {"microBatch", false}, {"recompute", false}});
  cases["pinned"] = pinned;

  auto both_ends = in.as({{"schedule", kSchedule<DualPipe>}});
  cases["DualPipe"] = both_ends;

  // Five layers on four stages: of each pair, one stage has a layer less, so that none is as busy
  // as the longest stage alone would be.
  auto uneven = in.as({{"schedule", kSchedule<DualPipe>}, {"pipeline", 4}});
  uneven.model = small_model(5, 16, 8);
  uneven.search = make<SearchSpace>({{"pipeline", false}, {"context", false}});
  cases["DualPipe, uneven"] = uneven;

  auto ulysses = in.as({{"contextKind", ContextKind::kUlysses}, {"shardGroup", 2}});
  cases["Ulysses, groups of two"] = ulysses;
  return cases;
}

using Split = std::tuple<double, double, double, double, double>;

Split split_of(const Layout<double>& layout) {
  return {layout.tensor.value(), layout.context.value(), layout.pipeline.value(),
          layout.expert.value(), layout.expert_tensor.value()};
}

TEST_CASE("the best layouts are those that trying all finds, and their order is") {
  for (const auto& [name, in] : small_cases()) {
    INFO(name);
    const Searched searched(in);
    std::map<Split, double> best_of;
    for (const Tried& tried : try_all(name, in)) {
      if (!tried.fits) continue;
      auto [place, fresh] = best_of.try_emplace(split_of(tried.layout), tried.expected);
      place->second = std::min(place->second, tried.expected);
    }
    std::vector<double> expected;
    for (const auto& [split, seconds] : best_of) expected.push_back(seconds);
    std::sort(expected.begin(), expected.end());
    REQUIRE_FALSE(expected.empty());
    const auto best = searched.search.best();
    REQUIRE(best.size() == std::min(expected.size(), LayoutSearch::kBest));
    for (std::size_t i = 0; i < best.size(); ++i) {
      CAPTURE(i);
      CHECK(best[i].expected == expected[i]);
      CHECK(best[i].expected == best_of.at(split_of(best[i].layout)));
    }
  }
}

int kinds_of(const Layout<double>& layout, double data) {
  const auto several = [](Count<double> ways) { return ways.value() > 1 ? 1 : 0; };
  return several(layout.tensor) + several(layout.context) + several(layout.pipeline) +
         several(layout.expert) + several(layout.expert_tensor) + several(count_of(data));
}

TEST_CASE("of all that are as fast and small to 1 %, the simplest is chosen, then the fastest") {
  for (const auto& [name, in] : small_cases()) {
    INFO(name);
    const Searched searched(in);
    const auto& all = try_all(name, in);
    double fastest = 1e300;
    for (const Tried& tried : all) {
      if (tried.fits) fastest = std::min(fastest, tried.expected);
    }
    const auto tied = [&](const Tried& tried) {
      return tried.fits && tried.expected <= 1.01 * fastest;
    };
    double least = 1e300;
    for (const Tried& tried : all) {
      if (tied(tried)) least = std::min(least, tried.memory);
    }
    // Layouts within 1 % of the least memory rank by the fewest kinds of ways, then by time. Ranked
    // by memory again, DeepSeek-V3 on 2,048 TPU v5p took 32 context ways for 4,096 tokens, not 2.
    int fewest = 99;
    double time = 1e300;
    for (const Tried& tried : all) {
      if (!tied(tried) || tried.memory > 1.01 * least) continue;
      const int kinds = kinds_of(tried.layout, tried.data);
      if (kinds < fewest) time = 1e300;
      fewest = std::min(fewest, kinds);
      if (kinds == fewest) time = std::min(time, tried.expected);
    }
    REQUIRE(searched.search.chosen().size() == 1);
    const CostedLayout& chosen = searched.search.chosen()[0];
    CHECK(chosen.expected == time);
    CHECK(kinds_of(chosen.layout, chosen.data_ways) == fewest);
    CHECK(chosen.memory <= 1.01 * least);
    CHECK(chosen.memory <= 1.01 * searched.search.best()[0].memory);
  }
}

TEST_CASE("the map is what trying all finds, over any two fields") {
  using enum MapField;
  for (const auto& [name, in] : small_cases()) {
    INFO(name);
    const auto& all = try_all(name, in);
    for (const auto& [x, y] : {std::pair(kTensor, kPipeline), std::pair(kContext, kMicroBatch),
                               std::pair(kExpert, kData)}) {
      const auto value = [](MapField field, const Tried& tried) {
        switch (field) {
          case kTensor:
            return tried.layout.tensor.value();
          case kContext:
            return tried.layout.context.value();
          case kPipeline:
            return tried.layout.pipeline.value();
          case kExpert:
            return tried.layout.expert.value();
          case kMicroBatch:
            return tried.layout.micro_batch.value();
          case kData:
            break;
        }
        return tried.data;
      };
      std::map<std::pair<double, double>, double> expected;
      for (const Tried& tried : all) {
        if (!tried.fits) continue;
        auto [place, fresh] =
            expected.try_emplace({value(x, tried), value(y, tried)}, tried.expected);
        place->second = std::min(place->second, tried.expected);
      }
      const Searched searched(in, x, y);
      std::size_t cells = 0;
      for (std::size_t row = 0; row < searched.search.map_y().size(); ++row) {
        for (std::size_t column = 0; column < searched.search.map_x().size(); ++column) {
          const double seconds = searched.search.map_at(column, row);
          if (seconds == 0) continue;
          ++cells;
          const auto found =
              expected.find({searched.search.map_x()[column], searched.search.map_y()[row]});
          REQUIRE(found != expected.end());
          CHECK(seconds == found->second);
        }
      }
      CHECK(cells == expected.size());
    }
  }
}

TEST_CASE("the front is a Pareto front, and what trying all finds lies on it or behind it") {
  for (const auto& [name, in] : small_cases()) {
    INFO(name);
    const Searched searched(in);
    const auto front = searched.search.front();
    REQUIRE_FALSE(front.empty());
    REQUIRE(front.size() < LayoutSearch::kFront);
    for (std::size_t i = 1; i < front.size(); ++i) {
      CHECK(front[i - 1].memory < front[i].memory);
      CHECK(front[i - 1].expected > front[i].expected);
    }
    const auto& all = try_all(name, in);
    for (const CostedLayout& plan : front) {
      const auto is = [&](const Tried& tried) {
        return tried.memory == plan.memory && tried.expected == plan.expected;
      };
      CHECK(std::any_of(all.begin(), all.end(), is));
    }
    for (const Tried& tried : all) {
      const auto covers = [&](const CostedLayout& plan) {
        return plan.memory <= tried.memory && plan.expected <= tried.expected;
      };
      CHECK(std::any_of(front.begin(), front.end(), covers));
    }
  }
}

TEST_CASE("no layout that fits can be faster than the least lower bound") {
  for (const auto& [name, in] : small_cases()) {
    INFO(name);
    const Searched searched(in);
    double least = 1e300;
    std::size_t fitting = 0;
    for (const Tried& tried : try_all(name, in)) {
      if (!tried.fits) continue;
      least = std::min(least, tried.lower);
      ++fitting;
    }
    CHECK(searched.search.lower() == least);
    CHECK(searched.search.lower() <= searched.search.best()[0].expected);
    CHECK(searched.search.fitting() > 0);
    CHECK(searched.search.fitting() <= fitting);
  }
}

/// The search's own costs are those of the layout asked for by itself, to the bit.
void check_as_asked(const Planned& in, const CostedLayout& plan) {
  const auto& layout = plan.layout;
  const auto asked = in.as({{"tensor", layout.tensor.value()},
                            {"context", layout.context.value()},
                            {"pipeline", layout.pipeline.value()},
                            {"schedule", layout.schedule},
                            {"virtualStages", layout.virtual_stages.value()},
                            {"expert", layout.expert.value()},
                            {"expertTensor", layout.expert_tensor.value()},
                            {"microBatch", layout.micro_batch.value()},
                            {"sharding", layout.sharding},
                            {"recompute", layout.recompute}});
  const auto answers = asked.answers();
  CHECK(number<term::kStepExpected>(answers) == plan.expected);
  CHECK(number<term::kStepLower>(answers) == plan.lower);
  CHECK(number<term::kStepUpper>(answers) == plan.upper);
  CHECK(number<term::kMemoryUsed>(answers) == plan.memory);
  CHECK(number<term::kDataWays>(answers) == plan.data_ways);
  CHECK(number<term::kMicroBatches>(answers) == plan.micro_batches);
  CHECK(number<term::kPlanBound>(answers) == plan.bound);
  CHECK(number<term::kNextBound>(answers) == plan.next_bound);
  double sum = 0;
  for (const double part : plan.parts) sum += part;
  CHECK_THAT(sum, WithinRel(plan.expected, 1e-12));
}

TEST_CASE("a layout that was found comes to the same when it is asked for, to the bit") {
  for (const auto& [name, in] : small_cases()) {
    INFO(name);
    const Searched searched(in);
    for (const CostedLayout& plan : searched.search.best()) check_as_asked(in, plan);
    for (const CostedLayout& plan : searched.search.front()) check_as_asked(in, plan);
  }
}

/// LLaMA 3-405B on 16,384 H100s, its 16 M tokens a batch.
Planned llama_405b() {
  Planned in;
  in.layout = make<Layout>({});
  in.model = llama3_405b();
  return in.on({{"chips", 16384}, {"batchTokens", 1 << 24}, {"sequenceLength", 8192}});
}

/// The same on eight pods of v5p.
Planned llama_405b_on_pods() {
  auto in = llama_405b().on({{"chips", 71680}, {"slices", 8}, {"batchTokens", 71680.0 * 8192}});
  in.chip = tpu_v5p();
  return in;
}

/// DeepSeek-V3 on 2,048 H800s.
Planned deepseek_v3_on_h800() {
  Planned in;
  in.layout = make<Layout>({{"expertNodes", 4}, {"fp8Matmuls", true}});
  in.chip = chip_presets().at("h800-sxm");
  in.model = model_presets().at("deepseek-v3");
  return in.on({{"chips", 2048}, {"batchTokens", 15360.0 * 4096}});
}

TEST_CASE("large machines: what is found is what its layout comes to, and fits") {
  using enum LeftOut;
  for (const Planned& in : {llama_405b(), llama_405b_on_pods(), deepseek_v3_on_h800()}) {
    const auto search_in_heap =
        std::make_unique<LayoutSearch>(in.groups(), MapField::kTensor, MapField::kPipeline);
    LayoutSearch& search = *search_in_heap;
    search.find_best();
    REQUIRE(search.best_known());
    REQUIRE(search.best().size() == LayoutSearch::kBest);
    for (const CostedLayout& plan : search.best()) {
      check_as_asked(in, plan);
      CHECK(plan.memory <= search.limit());
    }
    for (std::size_t i = 1; i < search.best().size(); ++i) {
      CHECK(search.best()[i - 1].expected <= search.best()[i].expected);
    }
    for (const auto what : {kDegrees, kPlacements, kMap}) CHECK_FALSE(search.left_out(what));
  }
}

TEST_CASE("in slices of any size a search finds the same") {
  for (const auto& [name, in] : small_cases()) {
    INFO(name);
    const Searched whole(in);
    const auto search_in_heap =
        std::make_unique<LayoutSearch>(in.groups(), MapField::kTensor, MapField::kPipeline);
    LayoutSearch& search = *search_in_heap;
    double before = 0;
    bool known = false;
    bool roomy_known = false;
    while (!search.advance(7)) {
      if (search.best_known() && !known) {
        known = true;
        before = 0;
        REQUIRE_FALSE(search.best().empty());
        CHECK(search.best()[0].expected == whole.search.best()[0].expected);
      }
      // Each turn begins anew: that for the best, the one for what leaves room, and the rest.
      if (search.roomy_known() && !roomy_known) {
        roomy_known = true;
        before = 0;
      }
      CHECK(search.lower() == 0);
      CHECK(search.fraction() >= before);
      CHECK(search.fraction() <= 1);
      before = search.fraction();
    }
    CHECK(search.done());
    CHECK(search.fraction() == 1);
    CHECK(search.grid() == whole.search.grid());
    CHECK(search.evaluated() == whole.search.evaluated());
    CHECK(search.fitting() == whole.search.fitting());
    CHECK(search.lower() == whole.search.lower());
    REQUIRE(search.best().size() == whole.search.best().size());
    for (std::size_t i = 0; i < search.best().size(); ++i) {
      CHECK(search.best()[i].expected == whole.search.best()[i].expected);
      CHECK(search.best()[i].memory == whole.search.best()[i].memory);
    }
    CHECK(search.advance(1));  // and stays done
  }
}

TEST_CASE("pinned fields stay as they are") {
  Planned in = small_cases().at("dense on switches");
  in = in.as({{"tensor", 4},
              {"context", 2},
              {"pipeline", 2},
              {"virtualStages", 3},
              {"microBatch", 2},
              {"sharding", StateSharding::kGradients},
              {"recompute", Recompute::kSelective}});
  in.search = make<SearchSpace>({{"tensor", false},
                                 {"context", false},
                                 {"pipeline", false},
                                 {"virtualStages", false},
                                 {"microBatch", false},
                                 {"sharding", false},
                                 {"recompute", false}});
  const Searched searched(in);
  REQUIRE(searched.search.best().size() == 1);
  const CostedLayout& plan = searched.search.best()[0];
  CHECK(plan.layout.tensor.value() == 4);
  CHECK(plan.layout.context.value() == 2);
  CHECK(plan.layout.pipeline.value() == 2);
  CHECK(plan.layout.virtual_stages.value() == 3);
  CHECK(plan.layout.micro_batch.value() == 2);
  CHECK(plan.layout.sharding == StateSharding::kGradients);
  CHECK(plan.layout.recompute == Recompute::kSelective);
  CHECK(plan.data_ways == 1);
  CHECK(searched.search.evaluated() == 1);
  check_as_asked(in, plan);
  // Each by itself, while the others are open.
  for (const char* key : {"tensor", "context", "pipeline", "microBatch"}) {
    Planned one = small_cases().at("dense on switches").as({{key, 2}});
    one.search = make<SearchSpace>({{key, false}});
    const Searched found(one);
    REQUIRE_FALSE(found.search.best().empty());
    for (const CostedLayout& each : found.search.best()) {
      const auto asked = typed(with(make<Layout>({}), {{"tensor", each.layout.tensor.value()}}));
      CHECK(asked.tensor.value() == each.layout.tensor.value());
      const std::map<std::string, double> values{{"tensor", each.layout.tensor.value()},
                                                 {"context", each.layout.context.value()},
                                                 {"pipeline", each.layout.pipeline.value()},
                                                 {"microBatch", each.layout.micro_batch.value()}};
      CHECK(values.at(key) == 2);
    }
  }
}

TEST_CASE("where nothing fits, nothing is found, and the front says how much it would take") {
  Planned in = small_cases().at("dense on switches");
  in.chip = with(in.chip, {{"memory", 1e9}});
  const Searched searched(in);
  CHECK(searched.search.best().empty());
  CHECK(searched.search.chosen().empty());
  CHECK(searched.search.lower() == 0);
  CHECK(searched.search.fitting() == 0);
  CHECK(searched.search.evaluated() > 0);
  CHECK(searched.search.map_x().empty());
  REQUIRE_FALSE(searched.search.front().empty());
  CHECK(searched.search.front()[0].memory > searched.search.limit());
}

TEST_CASE("a pinned layout that fits nothing leaves an empty search") {
  Planned in = small_cases().at("dense on switches").as({{"tensor", 5}});
  in.search = make<SearchSpace>({{"tensor", false}});
  const Searched searched(in);
  CHECK(searched.search.evaluated() == 0);
  CHECK(searched.search.best().empty());
  CHECK(searched.search.front().empty());
}

TEST_CASE("a single chip has a single split") {
  Planned in;
  in.layout = make<Layout>({});
  in.model = small_model(4, 8, 8);
  for (const auto& chip : {h100(), tpu_v5p(), with(h100(), {{"network", Network::kNone}})}) {
    in.chip = chip;
    const Searched searched(in.on({{"chips", 1}, {"batchTokens", 4096 * 4}}));
    REQUIRE(searched.search.best().size() == 1);
    CHECK(searched.search.best()[0].data_ways == 1);
    check_as_asked(in.on({{"chips", 1}, {"batchTokens", 4096 * 4}}), searched.search.best()[0]);
  }
}

/// Whether the planner takes a found layout as an input: every field in its range, and all
/// together.
void check_is_input(const Planned& in, const CostedLayout& plan) {
  auto input = in.input();
  const auto& layout = plan.layout;
  input.layout = with(in.layout, {{"tensor", layout.tensor.value()},
                                  {"context", layout.context.value()},
                                  {"pipeline", layout.pipeline.value()},
                                  {"schedule", layout.schedule},
                                  {"virtualStages", layout.virtual_stages.value()},
                                  {"expert", layout.expert.value()},
                                  {"expertTensor", layout.expert_tensor.value()},
                                  {"microBatch", layout.micro_batch.value()},
                                  {"sharding", layout.sharding},
                                  {"recompute", layout.recompute}});
  fail_on(estimate<PlanQuestion>(input).issues);
}

// A search used to return 33,323 virtual stages of a stage of as many layers, which a layout may
// not have; context ways and micro-batches were not held to their fields' ranges either.
TEST_CASE("what is found is a layout that can be asked for, whatever the sizes") {
  Planned deep;
  deep.layout = make<Layout>({{"pipeline", 3}, {"schedule", kSchedule<Interleaved>}});
  deep.model = with(small_model(99969, 1, 1), {{"hidden", 8}, {"feedForward", 8}, {"headDim", 8}});
  deep = deep.on({{"chips", 3}, {"batchTokens", 4096 * 12}});
  deep.search = make<SearchSpace>({{"pipeline", false}});

  Planned many;
  many.layout = make<Layout>({});
  many.model = small_model(1, 1, 1);
  many.chip = with(many.chip, {{"memory", 1e15}});
  many = many.on({{"chips", 1}, {"sequenceLength", 1}, {"tokens", 1e15}, {"batchTokens", 0x1p39}});

  Planned wide = many.on({{"chips", 0x1p29}, {"sequenceLength", 0x1p29}, {"batchTokens", 0x1p39}});
  wide.search = make<SearchSpace>({{"microBatch", false}, {"recompute", false}});
  for (const Planned& in : {deep, many, wide}) {
    const Searched searched(in);
    REQUIRE_FALSE(searched.search.front().empty());
    for (const CostedLayout& plan : searched.search.best()) check_is_input(in, plan);
    for (const CostedLayout& plan : searched.search.front()) check_is_input(in, plan);
  }
  // Chunks of 709 layers and of 47 are found all the same.
  const Searched searched(deep);
  REQUIRE_FALSE(searched.search.best().empty());
  CHECK(std::fmod(33323, searched.search.best()[0].layout.virtual_stages.value()) == 0);
}

TEST_CASE("small machines leave nothing out") {
  using enum LeftOut;
  for (const auto& [name, in] : small_cases()) {
    INFO(name);
    const Searched searched(in);
    for (const auto what : {kDegrees, kPlacements, kFront, kMap}) {
      CHECK_FALSE(searched.search.left_out(what));
    }
  }
}

TEST_CASE("what there is no room for is said") {
  Planned in;
  in.layout = make<Layout>({});
  in.model = small_model(1, 1, 1);
  in.chip = with(in.chip, {{"memory", 1e15}});
  in.search = make<SearchSpace>({{"recompute", false}, {"sharding", false}});
  // 963,761,198,400 sequences have 6,720 divisors, more than are looked for.
  in = in.on(
      {{"chips", 1}, {"sequenceLength", 1}, {"tokens", 1e15}, {"batchTokens", 963761198400.0}});
  const Searched divisors(in, MapField::kMicroBatch, MapField::kTensor);
  CHECK(divisors.search.left_out(LeftOut::kDegrees));
  CHECK(divisors.search.left_out(LeftOut::kMap));
  CHECK(divisors.search.map_x().size() == LayoutSearch::kMapValues);
  // All 1,344 divisors of 735,134,400 are tried: more than there was room for once.
  const auto all = in.on({{"batchTokens", 735134400}});
  const Searched complete(all, MapField::kMicroBatch, MapField::kTensor);
  CHECK_FALSE(complete.search.left_out(LeftOut::kDegrees));
  CHECK(complete.search.left_out(LeftOut::kFront));
  CHECK(complete.search.front().size() == LayoutSearch::kFront);
  CHECK(complete.search.left_out(LeftOut::kMap));
  std::size_t below = 0;
  const Divisors numbers(735134400);
  for (const double number : numbers.items()) below += number <= 1e6 ? 1 : 0;
  CHECK(complete.search.evaluated() == below);
}

/// The link that froze a page for two seconds: chips, heads and layers with very many divisors.
Planned highly_composite() {
  Planned in;
  in.layout = make<Layout>({});
  in.model = with(llama3_8b(), {{"layers", 5040}, {"heads", 55440}, {"kvHeads", 55440}});
  in.search = make<SearchSpace>({{"schedule", true}});
  return in.on({{"chips", 735134400},
                {"sequenceLength", 1024},
                {"batchTokens", 735134400.0 * 1024},
                {"tokens", 1e15}});
}

// One call costed all layouts of the degrees it came to, which could be tens of thousands.
TEST_CASE("a search goes on in slices of even work, whatever is searched") {
  auto experts = deepseek_v3_on_h800();
  experts.search = make<SearchSpace>({{"schedule", true}, {"expertTensor", true}});
  auto sequences = highly_composite().on({{"chips", 16}});
  for (const Planned& in : {highly_composite(), sequences, experts, llama_405b_on_pods()}) {
    const auto search_in_heap =
        std::make_unique<LayoutSearch>(in.groups(), MapField::kTensor, MapField::kPipeline);
    LayoutSearch& search = *search_in_heap;
    std::size_t most = 0;
    for (int turn = 0; turn < 3000; ++turn) {
      const std::size_t before = search.evaluated();
      if (search.advance(1)) break;
      if (search.evaluated() > before) most = std::max(most, search.evaluated() - before);
    }
    // Four ways to divide the states, each with three choices of what to compute again.
    CHECK(most <= 12);
  }
}

// --- levers ---

double best_time(const Groups& in) {
  const auto search_in_heap =
      std::make_unique<LayoutSearch>(in, MapField::kTensor, MapField::kPipeline);
  LayoutSearch& search = *search_in_heap;
  search.find_best();
  return search.best().empty() ? 1e300 : search.best()[0].expected;
}

TEST_CASE("levers change what they name, and nothing else") {
  const Planned planned = small_cases().at("dense on switches");
  const auto before = planned.groups();
  const auto pulled = [&](Lever lever) {
    auto in = before;
    CHECK(pull(in, lever));
    return in;
  };
  CHECK(pulled(Lever::kMoreChips).run.chips.value() == 32);
  CHECK(pulled(Lever::kLargerBatch).run.batch_tokens.value() == 2 * 4096 * 16);
  CHECK(pulled(Lever::kFp8).layout.fp8_matmuls);
  CHECK(pulled(Lever::kFasterNetwork).chip.scale_up_bandwidth.value() == 9e11);
  CHECK(pulled(Lever::kFasterNetwork).chip.scale_out_bandwidth.value.value() == 1e11);
  CHECK(pulled(Lever::kMoreMemory).chip.memory.value() == 160e9);
  CHECK(pulled(Lever::kFasterMemory).chip.memory_bandwidth.value() == 6.7e12);
  CHECK(pulled(Lever::kMoreOverlap).assumptions.overlap_tensor.value() == 1);
  CHECK(pulled(Lever::kLessRecompute).layout.recompute == Recompute::kNone);
}

TEST_CASE("levers that cannot be pulled say so") {
  auto in = small_cases().at("dense on switches").groups();
  in.chip.peak_fp8 = Absence::kNotListed;
  CHECK_FALSE(pull(in, Lever::kFp8));
  in.run.tokens = in.run.batch_tokens;
  CHECK_FALSE(pull(in, Lever::kLargerBatch));
  in.run.chips = Quantity<kChip, double>(1);
  CHECK_FALSE(pull(in, Lever::kFasterNetwork));
  CHECK_FALSE(pull(in, Lever::kMoreOverlap));
  // More chips without a network of their own talk over the one outside, if its rate is known.
  in.chip.network = Network::kNone;
  REQUIRE(pull(in, Lever::kMoreChips));
  in.chip.scale_out_bandwidth = Absence::kNotListed;
  Issues issues;
  check_machine(in, issues);
  CHECK_FALSE(issues.empty());
}

TEST_CASE("no lever that gives more makes the best step longer") {
  for (const char* name :
       {"dense on switches, little memory", "experts", "dense on a torus, two slices"}) {
    const auto before = small_cases().at(name).groups();
    const double best = best_time(before);
    for (const auto lever : {Lever::kFasterNetwork, Lever::kMoreMemory, Lever::kFasterMemory,
                             Lever::kMoreOverlap, Lever::kLessRecompute}) {
      auto in = before;
      REQUIRE(pull(in, lever));
      INFO(name << ": " << kLeverNames[static_cast<std::size_t>(lever)]);
      CHECK(best_time(in) <= best * (1 + 1e-12));
    }
  }
}

TEST_CASE("other numbers of chips: in as few pods as have room, the batch as asked") {
  const auto before = llama_405b_on_pods().groups();
  auto in = before;
  REQUIRE(set_chips(in, 8960, false));
  CHECK(in.run.slices.value() == 1);
  CHECK(in.run.chips.value() == 8960);
  CHECK(in.run.batch_tokens.value() == before.run.batch_tokens.value());
  in = before;
  REQUIRE(set_chips(in, 17920, true));
  CHECK(in.run.slices.value() == 2);
  CHECK(in.run.batch_tokens.value() == before.run.batch_tokens.value() / 4);
  in = before;
  REQUIRE(set_chips(in, 3, true));  // whole sequences, however few
  CHECK(std::fmod(in.run.batch_tokens.value(), in.run.sequence_length.value()) == 0);
  CHECK(in.run.batch_tokens.value() > 0);
  in = before;
  REQUIRE(set_chips(in, before.run.chips.value(), false));
  CHECK(in.run.slices.value() == before.run.slices.value());
  // There is no slice for a prime above a pod's longest axis.
  CHECK_FALSE(set_chips(in, 7919, false));
}

// NaN went on for ever on a torus; twice the most chips, or a batch beyond its range, was given
// back as an input.
TEST_CASE("numbers of chips that no input may have are refused, and so is what goes with them") {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const Planned& planned : {llama_405b_on_pods(), llama_405b()}) {
    const auto before = planned.groups();
    for (const double chips : {kNan, kInfinity, -kInfinity, 0.0, -1.0, 0.5, 1.5, 1e300, 2e9}) {
      CAPTURE(chips);
      auto in = before;
      CHECK_FALSE(set_chips(in, chips, false));
      CHECK_FALSE(set_chips(in, chips, true));
      CHECK(in.run.chips.value() == before.run.chips.value());
      CHECK(in.run.slices.value() == before.run.slices.value());
      CHECK(in.run.batch_tokens.value() == before.run.batch_tokens.value());
    }
  }
  const auto large = llama_405b().on({{"tokens", 1e18}, {"batchTokens", 0x1p39}}).groups();
  auto in = large;
  CHECK_FALSE(set_chips(in, 32768, true));  // 2^40 tokens
  CHECK(set_chips(in, 32768, false));
  in = large;
  CHECK_FALSE(pull(in, Lever::kLargerBatch));
}

}  // namespace
}  // namespace scaling::test::plan_search_test
