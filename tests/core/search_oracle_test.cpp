// SPDX-License-Identifier: MIT
//
// The search against brute force over spaces by chance. The oracle shares no code with the search:
// it goes through all numbers, asks the planner's `estimate` about each layout as a reader would,
// and believes what it answers.

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "kind_models.hpp"
#include "plans.hpp"
#include "share.hpp"

namespace scaling::test::search_oracle_test {
namespace {

using kind_models::patterned;

/// The estimate of a layout.
struct Estimated {
  std::map<std::string_view, double> layout;
  double expected, lower, upper, memory, data;
  bool fits;
};

std::vector<double> up_to(double most) {
  std::vector<double> numbers;
  for (double i = 1; i <= most; ++i) numbers.push_back(i);
  return numbers;
}

/// Estimates every layout of the space that is open, in no particular order.
class BruteForce {
 public:
  explicit BruteForce(const Planned& in) : in_(in), chips_(in_of<Run>("chips")) {
    slice_ = chips_ / in_of<Run>("slices");
    for (const double t : open("tensor", heads())) {
      for (const double c : open("context", slice_)) {
        for (const double p : open("pipeline", std::min(slice_, layers()))) {
          if (std::fmod(slice_, t * c * p) == 0) try_ways(t, c, p);
        }
      }
    }
  }

  const std::vector<Estimated>& all() const { return all_; }

 private:
  template <template <class> class Group>
  double in_of(std::string_view key) const {
    const Planned& in = in_;
    if constexpr (std::is_same_v<Raw<Group>, Raw<Run>>) return in.run.values[index_of<Run>(key)];
    if constexpr (std::is_same_v<Raw<Group>, Raw<Model>>) {
      return in.model.values[index_of<Model>(key)];
    }
    if constexpr (std::is_same_v<Raw<Group>, Raw<Layout>>) {
      return in.layout.values[index_of<Layout>(key)];
    }
    if constexpr (std::is_same_v<Raw<Group>, Raw<SearchSpace>>) {
      return in.search.values[index_of<SearchSpace>(key)];
    }
  }

  double heads() const { return in_of<Model>("heads"); }
  double layers() const { return in_of<Model>("layers"); }
  bool sparse() const { return in_of<Model>("experts") > 0; }
  bool is_open(std::string_view key) const { return in_of<SearchSpace>(key) > 0; }

  std::vector<double> open(std::string_view key, double most) const {
    return is_open(key) ? up_to(most) : std::vector<double>{in_of<Layout>(key)};
  }

  void try_ways(double t, double c, double p) {
    const double replicas = chips_ / (t * c * p);
    const double sequences =
        std::ceil(in_of<Run>("batchTokens") / in_of<Run>("sequenceLength") / replicas);
    const auto experts = sparse() ? open("expert", in_of<Model>("experts"))
                                  : std::vector<double>{in_of<Layout>("expert")};
    const auto expert_tensors =
        sparse() ? open("expertTensor", t) : std::vector<double>{in_of<Layout>("expertTensor")};
    const bool schedules = is_open("schedule") && p > 1;
    for (const double e : experts) {
      for (const double et : expert_tensors) {
        for (const double b : open("microBatch", sequences)) {
          // A micro-batch that does not divide them leaves the last one short.
          if (is_open("microBatch") && std::fmod(sequences, b) != 0) continue;
          for (std::size_t s = 0; s < std::size(kPipelineScheduleNames); ++s) {
            const double schedule = schedules ? static_cast<double>(s) : in_of<Layout>("schedule");
            if (!schedules && s > 0) break;
            const auto which = static_cast<PipelineSchedule>(static_cast<int>(schedule));
            const bool chunks = row_of(which).asks_chunks && p > 1;
            for (const double v :
                 chunks ? open("virtualStages", layers()) : std::vector<double>{1}) {
              // A search cuts a stage in chunks of one length.
              if (is_open("virtualStages") && std::fmod(std::ceil(layers() / p), v) != 0) continue;
              try_states({{"tensor", t},
                          {"context", c},
                          {"pipeline", p},
                          {"expert", e},
                          {"expertTensor", et},
                          {"microBatch", b},
                          {"schedule", schedule},
                          {"virtualStages", v}});
            }
          }
        }
      }
    }
  }

  void try_states(const Settings& ways) {
    const Planned divided = in_.as(ways);
    const auto shardings = is_open("sharding") ? std::vector<double>{0, 1, 2, 3}
                                               : std::vector<double>{in_of<Layout>("sharding")};
    std::vector<double> recomputes{in_of<Layout>("recompute")};
    if (is_open("recompute")) {
      recomputes.clear();
      for (const auto each : {Recompute::kCheapest, Recompute::kNone, Recompute::kFull}) {
        recomputes.push_back(static_cast<double>(each));
      }
    }
    for (const double sharding : shardings) {
      for (const double recompute : recomputes) {
        const Planned in = divided.as({{"sharding", sharding}, {"recompute", recompute}});
        const auto outcome = in.outcome();
        if (!outcome.issues.empty()) return;  // a refused combination stays refused
        // One rank has nobody to share states with: to gather what it holds only takes memory.
        if (is_open("sharding") && sharding > 0 && is_one_rank(in, outcome.answers)) continue;
        add(in, outcome.answers);
      }
    }
  }

  /// Whether no other chip has the same part of the model, be it dense or of an expert.
  bool is_one_rank(const Planned& in, const PlanQuestion::Answers<double>& answers) const {
    const auto way = [&](std::string_view key) { return in.layout.values[index_of<Layout>(key)]; };
    const double ranks = number<term::kDataWays>(answers) * way("context");
    const double of_experts = ranks * way("tensor") / (way("expert") * way("expertTensor"));
    return ranks == 1 && (!sparse() || of_experts <= 1);
  }

  void add(const Planned& in, const PlanQuestion::Answers<double>& answers) {
    Estimated estimated;
    for (const char* key :
         {"tensor", "context", "pipeline", "expert", "expertTensor", "microBatch"}) {
      estimated.layout[key] = in.layout.values[index_of<Layout>(key)];
    }
    estimated.expected = number<term::kStepExpected>(answers);
    estimated.lower = number<term::kStepLower>(answers);
    estimated.upper = number<term::kStepUpper>(answers);
    estimated.memory = number<term::kMemoryUsed>(answers);
    estimated.data = number<term::kDataWays>(answers);
    // A search leaves room for what an allocator holds.
    estimated.fits = estimated.memory <= number<term::kMemoryLimit>(answers);
    all_.push_back(estimated);
  }

  const Planned& in_;
  double chips_, slice_ = 0;
  std::vector<Estimated> all_;
};

/// Up to eight layers of kinds by chance, in any order.
std::string any_pattern(inputs::Numbers& numbers, bool sparse) {
  const char* mixers[] = {"a", "w", "l", "m", "a1", "-"};
  const char* parts[] = {"d", "e", "d256", "-"};
  std::string pattern;
  for (auto layers = 1 + numbers.below(8); layers > 0; --layers) {
    std::size_t mixer = numbers.place(std::size(mixers));
    std::size_t part = numbers.place(std::size(parts));
    if (!sparse && part == 1) part = 0;
    if (mixer == 5 && part == 3) mixer = 0;
    if (!pattern.empty()) pattern += ".";
    pattern += mixers[mixer];
    pattern += parts[part];
  }
  return pattern;
}

/// A small space by chance: few chips, few layers and heads, a batch of few sequences; with
/// `mixed`, layers that differ.
Planned any_space(inputs::Numbers& numbers, bool mixed) {
  const auto one_of = [&](std::initializer_list<double> values) {
    return values.begin()[numbers.place(values.size())];
  };
  Planned in;
  in.layout = make<Layout>({});
  const bool torus = numbers.below(4) == 0;
  in.chip = torus ? tpu_v5p() : h100();
  in.chip = with(in.chip, {{"memory", one_of({3e9, 6e9, 1e10, 2e10, 8e10})},
                           {"scaleUpChips", one_of({2, 4, 8})}});
  const double heads = one_of({2, 3, 4, 8});
  in.model = make<Model>({{"layers", one_of({1, 2, 3, 4, 5, 6})},
                          {"hidden", heads * 256},
                          {"feedForward", heads * 640},
                          {"heads", heads},
                          {"kvHeads", numbers.below(2) == 0 && heads != 3 ? heads / 2 : heads},
                          {"headDim", 128},
                          {"vocabulary", 32000}});
  const bool sparse = numbers.below(2) == 0;
  if (sparse) {
    in.model = with(in.model, {{"experts", one_of({2, 4, 6})},
                               {"expertsPerToken", 2},
                               {"expertFeedForward", 512},
                               {"sharedExperts", numbers.below(2)},
                               {"denseLayers", numbers.below(2)}});
  }
  if (mixed) {
    const std::string pattern = any_pattern(numbers, sparse);
    in.model = patterned(pattern, with(in.model, {{"slidingWindow", 512},
                                                  {"denseLayers", 0},
                                                  {"linearKeyHeads", heads},
                                                  {"linearValueHeads", heads},
                                                  {"linearKeyDim", 128},
                                                  {"linearValueDim", 128},
                                                  {"mambaHeads", heads},
                                                  {"mambaHeadDim", 64},
                                                  {"mambaState", 64},
                                                  {"mambaGroups", heads}}));
  }
  const double chips = one_of({1, 2, 4, 4, 8, 12});
  in = any_plan(in, numbers);
  in = in.on({{"chips", chips},
              {"slices", chips > 1 && numbers.below(5) == 0 ? 2 : 1},
              {"sequenceLength", 2048},
              {"batchTokens", 2048 * one_of({1, 4, 8, 12, 24})}});
  in = in.as({{"tensor", one_of({1, 2})},
              {"context", one_of({1, 2})},
              {"pipeline", one_of({1, 2})},
              {"virtualStages", 1},
              {"expert", sparse ? one_of({1, 2}) : 1},
              {"expertTensor", 1}});
  if (in.layout.values[index_of<Layout>("fp8Matmuls")] > 0 && torus) {
    in = in.as({{"fp8Matmuls", 0}});
  }
  auto search = Raw<SearchSpace>::defaults();
  for (double& flag : search.values) flag = numbers.below(8) == 0 ? 0 : 1;
  search.values[index_of<SearchSpace>("schedule")] = numbers.below(4) == 0 ? 1 : 0;
  if (numbers.below(3) > 0) search.values[index_of<SearchSpace>("context")] = 0;
  in.search = search;
  return in;
}

using Split = std::array<double, 5>;

Split split_of(const Estimated& estimated) {
  const auto& of = estimated.layout;
  return {of.at("tensor"), of.at("context"), of.at("pipeline"), of.at("expert"),
          of.at("expertTensor")};
}

Split split_of(const CostedLayout& plan) {
  const auto& of = plan.layout;
  return {of.tensor.value(), of.context.value(), of.pipeline.value(), of.expert.value(),
          of.expert_tensor.value()};
}

void check_best(const LayoutSearch& search, const std::vector<Estimated>& all) {
  std::map<Split, double> best_of;
  for (const Estimated& each : all) {
    if (!each.fits) continue;
    const auto [place, fresh] = best_of.try_emplace(split_of(each), each.expected);
    place->second = std::min(place->second, each.expected);
  }
  std::vector<double> expected;
  for (const auto& [split, seconds] : best_of) expected.push_back(seconds);
  std::sort(expected.begin(), expected.end());
  const auto best = search.best();
  REQUIRE(best.size() == std::min(expected.size(), LayoutSearch::kBest));
  for (std::size_t i = 0; i < best.size(); ++i) {
    CAPTURE(i);
    CHECK(best[i].expected == expected[i]);
    CHECK(best[i].expected == best_of.at(split_of(best[i])));
  }
}

int kinds_of(const Split& split, double data) {
  const auto several = [](double ways) { return ways > 1; };
  return static_cast<int>(std::count_if(split.begin(), split.end(), several)) + (data > 1 ? 1 : 0);
}

void check_chosen(const LayoutSearch& search, const std::vector<Estimated>& all) {
  double fastest = 1e300;
  for (const Estimated& each : all) {
    if (each.fits) fastest = std::min(fastest, each.expected);
  }
  REQUIRE(search.chosen().size() == (fastest < 1e300 ? 1 : 0));
  if (search.chosen().empty()) return;
  const auto tied = [&](const Estimated& each) {
    return each.fits && each.expected <= 1.01 * fastest;
  };
  double least = 1e300;
  for (const Estimated& each : all) {
    if (tied(each)) least = std::min(least, each.memory);
  }
  std::pair<int, double> first{99, 1e300};
  for (const Estimated& each : all) {
    if (!tied(each) || each.memory > 1.01 * least) continue;
    first = std::min(first, {kinds_of(split_of(each), each.data), each.expected});
  }
  const CostedLayout& chosen = search.chosen()[0];
  CHECK(chosen.memory <= 1.01 * least);
  CHECK(kinds_of(split_of(chosen), chosen.data_ways) == first.first);
  CHECK(chosen.expected == first.second);
}

/// The fastest that leaves a tenth of the memory free, with what is computed again chosen for that.
void check_roomy(const LayoutSearch& search, const Planned& in) {
  double fastest = 1e300;
  const auto all = BruteForce(in.under({{"memoryReserve", 0.1}})).all();
  for (const Estimated& each : all) {
    if (each.memory <= 0.9 * search.limit()) fastest = std::min(fastest, each.expected);
  }
  REQUIRE(search.roomy().size() == (fastest < 1e300 ? 1 : 0));
  if (search.roomy().empty()) return;
  CHECK(search.roomy()[0].memory <= 0.9 * search.limit());
  CHECK(search.roomy()[0].expected == fastest);
}

double value_of(MapField field, const Estimated& of) {
  switch (field) {
    case MapField::kTensor:
      return of.layout.at("tensor");
    case MapField::kContext:
      return of.layout.at("context");
    case MapField::kPipeline:
      return of.layout.at("pipeline");
    case MapField::kExpert:
      return of.layout.at("expert");
    case MapField::kMicroBatch:
      return of.layout.at("microBatch");
    case MapField::kData:
      break;
  }
  return of.data;
}

void check_map(const LayoutSearch& search, MapField x, MapField y,
               const std::vector<Estimated>& all) {
  std::map<std::pair<double, double>, double> expected;
  for (const Estimated& each : all) {
    if (!each.fits) continue;
    const auto [place, fresh] =
        expected.try_emplace({value_of(x, each), value_of(y, each)}, each.expected);
    place->second = std::min(place->second, each.expected);
  }
  std::map<std::pair<double, double>, double> found;
  for (std::size_t row = 0; row < search.map_y().size(); ++row) {
    for (std::size_t column = 0; column < search.map_x().size(); ++column) {
      const double seconds = search.map_at(column, row);
      if (seconds > 0) found[{search.map_x()[column], search.map_y()[row]}] = seconds;
    }
  }
  CHECK(found == expected);
}

void check_front(const LayoutSearch& search, const std::vector<Estimated>& all) {
  std::vector<std::pair<double, double>> points;
  for (const Estimated& each : all) points.push_back({each.memory, each.expected});
  std::sort(points.begin(), points.end());
  std::vector<std::pair<double, double>> expected;
  for (const auto& point : points) {
    if (expected.empty() || point.second < expected.back().second) expected.push_back(point);
  }
  std::vector<std::pair<double, double>> found;
  for (const CostedLayout& plan : search.front()) found.push_back({plan.memory, plan.expected});
  CHECK(found == expected);
}

void compare_spaces(bool mixed, int tries, bool images = false) {
  inputs::Numbers numbers;
  Share share;
  int searched = 0;
  int fitting = 0;
  for (int n = 0; n < tries; ++n) {
    CAPTURE(n);
    Planned in = any_space(numbers, mixed);
    if (images) {
      in.model = inputs::seeing(in.model);
      in = in.on({{"imagesPerSequence", 1 + n % 3}, {"trainTower", n % 2}});
    }
    const auto x = static_cast<MapField>(numbers.below(std::size(kMapFieldNames)));
    const auto y = static_cast<MapField>(numbers.below(std::size(kMapFieldNames)));
    Issues issues;
    check_machine(in.groups(), issues);
    if (!issues.empty() || !share.takes()) continue;
    const auto all = BruteForce(in).all();
    const auto search_in_heap = std::make_unique<LayoutSearch>(in.groups(), x, y);
    LayoutSearch& search = *search_in_heap;
    while (!search.advance(10000)) {
    }
    for (const auto what :
         {LeftOut::kDegrees, LeftOut::kPlacements, LeftOut::kFront, LeftOut::kMap}) {
      REQUIRE_FALSE(search.left_out(what));
    }
    check_best(search, all);
    check_chosen(search, all);
    check_map(search, x, y, all);
    check_front(search, all);
    if (n % 2 == 0) check_roomy(search, in);
    double least = 1e300;
    bool any = false;
    for (const Estimated& each : all) {
      CHECK(each.lower <= each.expected);
      CHECK(each.expected <= each.upper);
      if (each.fits) least = std::min(least, each.lower);
      any = any || each.fits;
    }
    // The oracle knows only the fastest of several placements on a torus.
    const bool torus = search.chosen().size() == 1 && in.groups().chip.network == Network::kTorus;
    if (torus) {
      CHECK(search.lower() <= least);
    } else {
      CHECK(search.lower() == (any ? least : 0));
    }
    ++searched;
    fitting += any ? 1 : 0;
  }
  INFO(searched << " searched");
  CHECK(8 * searched > 5 * tries / static_cast<int>(Share::one_in()));
  CHECK(fitting > searched / 2);
}

TEST_CASE("over spaces by chance, a search finds what estimating every layout does") {
  compare_spaces(false, 400);
}

TEST_CASE("so it does where layers differ and a stage has those of its place") {
  // Each stage of each layout is estimated: builds that run slower try half as many spaces.
  compare_spaces(true, Share::one_in() > 1 ? 125 : 250);
}

TEST_CASE("so it does where sequences have images, whose tower is frozen or trained") {
  compare_spaces(false, 80, true);
}

}  // namespace
}  // namespace scaling::test::search_oracle_test
