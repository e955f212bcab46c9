// SPDX-License-Identifier: MIT
//
// The search for the best division of servers against brute force that shares no code with it: it
// goes through all numbers, asks the question of serving about each division as a reader would, and
// believes what it answers.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "scaling/quantity/divisors.hpp"
#include "scaling/search/serving_division.hpp"
#include "scaling/search/serving_frontier.hpp"
#include "servers.hpp"
#include "share.hpp"

namespace scaling::test::serving_division_test {
namespace {

using Input = ServingQuestion::Input;

/// The answers of the question by which readers rank divisions.
struct Ranked {
  bool fits = false, keeps_up = false;
  double excess = 0, speed = 0, answer = 0, weights = 0;
};

bool is_better(const Ranked& one, const Ranked& other) {
  if (one.fits != other.fits) return one.fits;
  if (!one.fits) return one.weights < other.weights;
  if (one.keeps_up != other.keeps_up) return one.keeps_up;
  if ((one.excess <= 1) != (other.excess <= 1)) return one.excess <= 1;
  if (one.excess > 1 && one.excess != other.excess) return one.excess < other.excess;
  if (one.speed != other.speed) return one.speed > other.speed;
  return one.answer < other.answer;
}

/// Nothing where the question refuses the division.
std::optional<Ranked> rank(const Input& input) {
  const auto outcome = estimate<ServingQuestion>(input);
  if (!outcome.issues.empty()) return std::nullopt;
  const auto& answers = outcome.answers;
  Ranked ranked;
  ranked.fits = number<term::kServingFits>(answers) > 0;
  ranked.weights = number<term::kWeightsOnChip>(answers);
  if (const auto first = answers.get<term::kPrefillWeightsOnChip>(); first.present()) {
    ranked.weights = std::fmax(ranked.weights, first.value.value());
  }
  if (!ranked.fits) return ranked;
  ranked.keeps_up = number<term::kSaturated>(answers) == 0;
  ranked.speed = number<term::kOutputSpeed>(answers);
  if (ranked.keeps_up) ranked.answer = number<term::kAnswerTime>(answers);
  if (const auto excess = answers.get<term::kTargetExcess>(); excess.present()) {
    ranked.excess = excess.value.value();
    CHECK((number<term::kMeetsTargets>(answers) > 0) == (ranked.excess <= 1));
    CHECK((number<term::kTargetLimit>(answers) == 0) == (ranked.excess <= 1));
  }
  return ranked;
}

bool is_power_of_two(double whole) {
  return std::has_single_bit(static_cast<std::uint64_t>(whole));
}

double figure(const Raw<Chip>& chip, const char* key) { return chip.values[index_of<Chip>(key)]; }

bool is_on(Network network, const Raw<Chip>& chip) {
  return figure(chip, "network") == static_cast<double>(network);
}

/// Whether chips of these presets can be bought in so many.
bool sold(const Raw<Chip>& chip, double chips) {
  if (is_on(Network::kTorus, chip)) return is_power_of_two(chips);
  const bool cards = is_on(Network::kNone, chip) || is_on(Network::kPcie, chip);
  return cards || std::fmod(chips, figure(chip, "scaleUpChips")) == 0;
}

/// Whether servers of so many of them leave none of a node of 8 idle.
bool fills_nodes(const Raw<Chip>& chip, double chips) {
  if (!is_on(Network::kSwitched, chip)) return sold(chip, chips);
  REQUIRE(figure(chip, "scaleUpChips") == 8);
  return sold(chip, chips) || (chips < 8 && is_power_of_two(chips));
}

class BruteForce {
 public:
  explicit BruteForce(const Input& input) : input_(input) {
    const auto in_of = [&](const char* key) {
      return input.serving.values[index_of<Serving>(key)];
    };
    const auto model = typed(input.model);
    const double all = in_of("chips");
    const bool apart = in_of("apart") > 0;
    for (double prefill = apart ? 1 : 0; prefill <= (apart ? all - 1 : 0); ++prefill) {
      const double most = all - prefill;
      for (double t = 1; t <= std::fmin(most, model.heads.value()); ++t) {
        for (double d = 1; d <= (model.sparse() ? most : 1); ++d) {
          for (double p = 1; p <= 16 && t * d * p <= most; ++p) {
            for (double e = 1; e <= t * d; ++e) try_ways(t, d, e, p, prefill);
          }
        }
      }
    }
  }

  Ranked best;
  int tried = 0;

 private:
  bool can_be(double size, double of_chips) const {
    const bool odd = !sold(input_.chip, input_.serving.values[index_of<Serving>("chips")]);
    return fills_nodes(input_.chip, size) || (odd && size == of_chips);
  }

  void try_ways(double t, double d, double e, double p, double prefill) {
    const double all = input_.serving.values[index_of<Serving>("chips")];
    if (!can_be(t * d * p, all - prefill)) return;
    Input input = input_;
    input.serving["tensor"] = t;
    input.serving["attentionData"] = d;
    input.serving["expert"] = e;
    input.serving["pipeline"] = p;
    const auto model = typed(input.model);
    if (prefill == 0) {
      for (const double by_batch : {0.0, 1.0}) {
        const double heads = model.attention == Attention::kLatent ? 1 : model.kv_heads.value();
        if (by_batch > 0 && t <= heads) continue;
        input.server["divideByBatch"] = by_batch;
        ask(input);
      }
      return;
    }
    input.serving["prefillChips"] = prefill;
    for (double pt = 1; pt <= prefill; ++pt) {
      for (double pd = 1; pd <= (model.sparse() ? prefill / pt : 1); ++pd) {
        if (!can_be(pt * pd, all - 1)) continue;
        for (double pe = 1; pe <= pt * pd; ++pe) {
          input.serving["prefillTensor"] = pt;
          input.serving["prefillData"] = pd;
          input.serving["prefillExpert"] = pe;
          ask(input);
        }
      }
    }
  }

  void ask(const Input& input) {
    const auto ranked = rank(input);
    if (!ranked) return;
    if (tried == 0 || is_better(*ranked, best)) best = *ranked;
    ++tried;
  }

  Input input_;
};

/// Calls `use` with the input as the question reads it, once it is found to be valid.
template <class Use>
void with_checked(Input input, Use use) {
  Issues issues, notices;
  check<ServingQuestion>(input, issues, notices, use);
  REQUIRE(issues.empty());
}

ServingDivision found_for(const Input& input, std::size_t* evaluated = nullptr) {
  ServingDivision best;
  with_checked(input, [&](const auto& typed_input) {
    const DivisionSearch search{ServingInput<double>(typed_input), {}};
    if (evaluated != nullptr) *evaluated = search.evaluated();
    best = search.best();
  });
  return best;
}

/// The input divided as found.
Input divided(Input input, const ServingDivision& division) {
  input.serving["tensor"] = division.tensor;
  input.serving["attentionData"] = division.data;
  input.serving["expert"] = division.expert;
  input.serving["pipeline"] = division.pipeline;
  input.serving["prefillChips"] = division.prefill_chips;
  input.serving["prefillTensor"] = division.prefill_tensor;
  input.serving["prefillData"] = division.prefill_data;
  input.serving["prefillExpert"] = division.prefill_expert;
  input.server["divideByBatch"] = division.by_batch;
  return input;
}

void expect_best(const Input& input) {
  std::size_t evaluated = 0;
  const auto division = found_for(input, &evaluated);
  const BruteForce force(input);
  const auto& best = force.best;
  INFO("tensor " << division.tensor << ", data " << division.data << ", expert " << division.expert
                 << ", stages " << division.pipeline << ", by batch " << division.by_batch
                 << ", prefill " << division.prefill_chips << "; tried " << force.tried);
  REQUIRE(force.tried > 0);
  CHECK(division.fits == best.fits);
  if (!best.fits) {
    CHECK(division.weights == best.weights);
    return;
  }
  CHECK(division.keeps_up == best.keeps_up);
  if (best.keeps_up) CHECK(division.excess == best.excess);
  CHECK(division.speed == best.speed);
  CHECK(division.answer == best.answer);
  CHECK(evaluated <= static_cast<std::size_t>(force.tried));
  // The question says the same of what was found.
  const auto again = rank(divided(input, division));
  REQUIRE(again.has_value());
  CHECK(again->speed == division.speed);
  CHECK(again->answer == division.answer);
}

TEST_CASE("the best division is that of all divisions: presets") {
  Share share;
  for (const char* chip : {"h100-sxm", "b200-sxm", "tpu-v5e", "a100-sxm-80gb"}) {
    for (const char* model :
         {"llama-3.1-8b", "llama-3.1-70b", "mixtral-8x7b", "deepseek-v3", "gpt-oss-120b"}) {
      for (const auto load :
           {ServingLoad::kClosed, ServingLoad::kOpen, ServingLoad::kMost, ServingLoad::kStatic}) {
        for (const double many : {1.0, 8.0, 12.0}) {
          if (!share.takes()) continue;
          INFO(model << " on " << many << " " << chip << ", "
                     << kServingLoadNames[static_cast<std::size_t>(load)]);
          expect_best(serve(chip, model,
                            {{"load", load},
                             {"users", 3 * many},
                             {"requestRate", many / 4},
                             {"promptTokens", 2000},
                             {"answerTokens", 200},
                             {"chips", many}},
                            {{"weights", WeightFormat::kFp8}}));
        }
      }
    }
  }
}

TEST_CASE("the best division is that of all divisions: prefill apart") {
  Share share;
  for (const char* model : {"llama-3.1-8b", "mixtral-8x7b"}) {
    for (const auto load :
         {ServingLoad::kClosed, ServingLoad::kOpen, ServingLoad::kMost, ServingLoad::kStatic}) {
      for (const double many : {2.0, 5.0, 8.0}) {
        if (!share.takes()) continue;
        INFO(model << " on " << many << ", " << kServingLoadNames[static_cast<std::size_t>(load)]);
        expect_best(serve("h100-sxm", model,
                          {{"load", load},
                           {"users", 20 * many},
                           {"requestRate", many},
                           {"promptTokens", 3000},
                           {"answerTokens", 100},
                           {"apart", 1},
                           {"chips", many}}));
      }
    }
  }
}

TEST_CASE("the best division is that of all divisions: prefill apart, and weights fill the chips") {
  // Some servers of each role are too small, or all are.
  for (const double memory : {30e9, 16e9, 6e9}) {
    for (const auto load : {ServingLoad::kOpen, ServingLoad::kMost}) {
      INFO(memory << ", " << kServingLoadNames[static_cast<std::size_t>(load)]);
      auto input = serve("h100-sxm", "mixtral-8x7b",
                         {{"load", load},
                          {"requestRate", 2},
                          {"promptTokens", 3000},
                          {"answerTokens", 100},
                          {"apart", 1},
                          {"chips", 7}},
                         {{"weights", WeightFormat::kFp8}});
      input.chip["memory"] = memory;
      expect_best(input);
    }
  }
}

/// The bytes of a model's weights on each chip of servers in these ways, reckoned without the
/// core's division: all of it on the chips of a server together.
double least_on_chip(const Input& input, double chips) {
  Input alone = input;
  for (const char* key : {"tensor", "attentionData", "expert", "pipeline", "chips"}) {
    alone.serving[key] = 1;
  }
  alone.serving["apart"] = 0;
  const auto outcome = estimate<ServingQuestion>(alone);
  REQUIRE(outcome.issues.empty());
  return number<term::kServingWeights>(outcome.answers) / chips;
}

TEST_CASE("each server of a division, and of the frontier, holds its weights") {
  Share share;
  for (const char* chip : {"h100-sxm", "b200-sxm", "mi300x", "tpu-v6e"}) {
    for (const char* model :
         {"llama-3.1-70b", "llama-3.1-405b", "deepseek-v3", "qwen3-235b-a22b"}) {
      for (const bool apart : {false, true}) {
        for (const auto load : {ServingLoad::kMost, ServingLoad::kClosed}) {
          if (!share.takes()) continue;
          const auto input =
              serve(chip, model, {{"chips", 64}, {"load", load}, {"apart", apart ? 1.0 : 0.0}},
                    {{"weights", WeightFormat::kFp8}});
          INFO(model << " on " << chip << (apart ? ", prefill apart" : ""));
          const auto found = found_for(input);
          REQUIRE(found.fits);
          const double memory = chips().at(chip).values[index_of<Chip>("memory")];
          const auto holds = [&](double of_server) {
            return least_on_chip(input, of_server) < memory;
          };
          CHECK(holds(found.tensor * found.data * found.pipeline));
          if (apart) CHECK(holds(found.prefill_tensor * found.prefill_data));
          // The question says so of both.
          const auto outcome = estimate<ServingQuestion>(divided(input, found));
          REQUIRE(outcome.issues.empty());
          CHECK(number<term::kServingFits>(outcome.answers) == 1);
          if (apart) {
            CHECK(number<term::kPrefillWeightsOnChip>(outcome.answers) < memory);
            CHECK(number<term::kPrefillCacheRoom>(outcome.answers) > 0);
          } else if (load == ServingLoad::kMost) {
            with_checked(input, [&](const auto& typed_input) {
              const ServingFrontier frontier{ServingInput<double>(typed_input)};
              REQUIRE(!frontier.points().empty());
              for (const ServingPoint& point : frontier.points()) CHECK(holds(point.chips));
            });
          }
        }
      }
    }
  }
}

TEST_CASE("a load whose prompts no server holds does not fit, whatever the others hold") {
  auto input = serve("h100-sxm", "llama-3.1-405b",
                     {{"chips", 64},
                      {"load", ServingLoad::kMost},
                      {"apart", 1},
                      {"tensor", 8},
                      {"prefillChips", 39},
                      {"prefillTensor", 1}},
                     {{"weights", WeightFormat::kFp8}});
  const auto fits = [&] {
    const auto outcome = estimate<ServingQuestion>(input);
    REQUIRE(outcome.issues.empty());
    return number<term::kServingFits>(outcome.answers) == 1;
  };
  CHECK_FALSE(fits());
  input.serving["prefillTensor"] = 8;
  CHECK(fits());
  // Prefill holds no answers: those that answer fall out first.
  input.serving["answerTokens"] = 1e7;
  CHECK_FALSE(fits());
}

TEST_CASE("no prefill server is left out: those that are given are never better") {
  // 128 heads and 256 experts have more ways than any other preset.
  const auto input = serve("h100-sxm", "deepseek-v3",
                           {{"chips", 288},
                            {"load", ServingLoad::kMost},
                            {"apart", 1},
                            {"promptTokens", 32768},
                            {"answerTokens", 128}},
                           {{"weights", WeightFormat::kFp8}});
  const auto typed_input = ServingQuestion::read<double>(input);
  const auto best_with = [&](const GivenWays& given) {
    return DivisionSearch(ServingInput<double>(typed_input), given).best();
  };
  GivenWays given;
  given.prefill_chips = 256;
  given.tensor = 1;
  given.data = 32;
  given.expert = 32;
  given.pipeline = 1;
  const auto best = best_with(given);
  for (const double data : {16.0, 32.0, 64.0, 128.0}) {
    auto fixed = given;
    fixed.prefill_tensor = 1;
    fixed.prefill_data = data;
    fixed.prefill_expert = data;
    INFO("data ways " << data);
    CHECK_FALSE(best_with(fixed).better_than(best));
  }
}

/// A generator whose numbers are the same everywhere.
class Chance {
 public:
  double up_to(double most) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return std::floor(static_cast<double>(state_ >> 33) / 2147483648.0 * most);
  }
  double one_of(std::initializer_list<double> choices) {
    return choices.begin()[static_cast<std::size_t>(up_to(static_cast<double>(choices.size())))];
  }

 private:
  std::uint64_t state_ = 15;
};

TEST_CASE("the best division is that of all divisions: models by chance") {
  Chance chance;
  Share share;
  const char* const names[] = {"h100-sxm", "a100-sxm-80gb", "h200-sxm", "b200-sxm",
                               "tpu-v5e",  "l40s",          "tpu-v5p",  "mi300x"};
  for (int round = 0; round < 240; ++round) {
    Input input = serve(names[static_cast<std::size_t>(chance.up_to(std::size(names)))],
                        chance.up_to(2) > 0 ? "llama-3.1-8b" : "mixtral-8x7b", {});
    input.model["layers"] = 1 + chance.up_to(40);
    input.model["heads"] = chance.one_of({4, 8, 12, 24, 32, 40});
    input.model["kvHeads"] = chance.one_of({1, 2, 4});
    input.model["hidden"] = chance.one_of({1024, 4096, 8192});
    input.chip["memory"] = input.chip["memory"] * chance.one_of({0.05, 0.2, 1});
    input.serving["load"] = chance.up_to(std::size(kServingLoadNames));
    input.serving["users"] = std::pow(2, chance.up_to(11));
    input.serving["requestRate"] = std::pow(2, chance.up_to(10) - 3);
    input.serving["promptTokens"] = std::pow(2, 4 + chance.up_to(13));
    input.serving["answerTokens"] = std::pow(2, chance.up_to(12));
    input.serving["chips"] = 1 + chance.up_to(20);
    input.serving["draftTokens"] = chance.one_of({0, 0, 0, 3});
    input.serving["prefixShare"] = chance.one_of({0, 0, 0.5});
    input.serving["furtherTurns"] = chance.one_of({0, 0, 12});
    input.serving["turnGaps"] = chance.up_to(std::size(kTurnGapsNames));
    input.serving["thinkTime"] = chance.one_of({0, 0, 5});
    input.serving["promptSpread"] = chance.one_of({0, 0, 1});
    input.serving["answerSpread"] = chance.one_of({0, 0, 2});
    input.server["weights"] = chance.up_to(std::size(kWeightFormatNames));
    input.server["allocation"] = chance.up_to(3);
    input.server["rates"] = chance.one_of({0, 0, 1});
    input.server["groupSize"] = chance.one_of({32, 128});
    input.server["unevenHeads"] = chance.one_of({0, 0, 1});
    input.server["unevenBlocks"] = chance.one_of({0, 1});
    input.server["redundantExperts"] = chance.one_of({0, 0, 2});
    if (chance.up_to(3) == 0) {
      input.serving["firstTarget"] = std::pow(2, chance.up_to(10) - 6);
      input.serving["tokenTarget"] = std::pow(2, -chance.up_to(10));
      if (chance.up_to(2) > 0) input.serving["targetShare"] = 0.95;
    }
    if (round % 4 == 3) {
      input.model = inputs::seeing(input.model);
      input.serving["imagesPerPrompt"] = 1 + round % 3;
    }
    if (!share.takes()) continue;
    INFO("round " << round);
    expect_best(input);
  }
}

/// All servers of up to `most` chips and their batches, as the question answers for them: each rank
/// of attention has so many users. Servers leave none of a node idle; on a torus they are slices.
std::vector<std::pair<double, double>> all_points(Input input, double most) {
  std::vector<std::pair<double, double>> points;  // time of a request per token, speed of a chip
  const auto model = typed(input.model);
  const double latent = model.attention == Attention::kLatent ? 1 : model.kv_heads.value();
  input.serving["load"] = static_cast<double>(ServingLoad::kClosed);
  const double tokens = input.serving["answerTokens"];
  for (double t = 1; t <= std::fmin(most, model.heads.value()); ++t) {
    for (double d = 1; d <= (model.sparse() ? most / t : 1); ++d) {
      for (double p = 1; p <= 16 && t * d * p <= most; ++p) {
        if (!fills_nodes(input.chip, t * d * p)) continue;
        for (double e = 1; e <= t * d; ++e) {
          if (std::fmod(t * d, e) != 0) continue;
          for (double each = 1; each * d * p <= 4096; each *= 2) {
            for (const double by_batch : {0.0, 1.0}) {
              if (by_batch > 0 && t <= latent) continue;
              input.serving["chips"] = t * d * p;
              input.serving["tensor"] = t;
              input.serving["attentionData"] = d;
              input.serving["pipeline"] = p;
              input.serving["expert"] = e;
              input.serving["users"] = each * d * p;
              input.server["divideByBatch"] = by_batch;
              const auto outcome = estimate<ServingQuestion>(input);
              if (!outcome.issues.empty()) continue;
              const auto& answers = outcome.answers;
              if (number<term::kServingFits>(answers) == 0) continue;
              if (number<term::kServingBatch>(answers) != each) continue;
              points.emplace_back(number<term::kAnswerTime>(answers) / tokens,
                                  number<term::kOutputSpeedPerChip>(answers));
            }
          }
        }
      }
    }
  }
  return points;
}

/// Few enough chips to try all servers of them.
constexpr double kFewChips = 12;

void expect_all_servers(const Input& input) {
  std::vector<ServingPoint> found;
  with_checked(input, [&](const auto& typed_input) {
    const ServingFrontier frontier{ServingInput<double>(typed_input), kFewChips};
    CHECK(frontier.evaluated() <= frontier.grid());
    found.assign(frontier.points().begin(), frontier.points().end());
  });
  const auto all = all_points(input, kFewChips);
  REQUIRE(all.size() > found.size());
  // Nothing beats a point that was found, and each point that nothing beats was found.
  for (const auto& [token, speed] : all) {
    bool covered = false;
    for (const auto& point : found) {
      covered |= point.token <= token * (1 + 1e-9) && point.speed >= speed * (1 - 1e-9);
    }
    CHECK(covered);
  }
  for (const auto& point : found) {
    bool real = false;
    for (const auto& [token, speed] : all) {
      real |=
          std::fabs(point.token / token - 1) < 1e-9 && std::fabs(point.speed / speed - 1) < 1e-9;
    }
    CHECK(real);
  }
}

/// On a switch, and on a torus.
void expect_frontier(Input input) {
  expect_all_servers(input);
  input.chip["network"] = static_cast<double>(Network::kTorus);
  input.chip["linkBandwidth"] = 4.5e10;
  input.chip["torusX"] = 4;
  input.chip["torusY"] = 4;
  input.chip["torusZ"] = 1;
  expect_all_servers(input);
}

TEST_CASE("servers of the frontier leave none of a node idle, and are slices on a torus") {
  const auto chips_of = [](const char* chip, const char* model = "llama-3-70b") {
    const auto input = serve(chip, model, {}, {{"weights", WeightFormat::kFp8}});
    const ServingFrontier frontier{ServingInput<double>(ServingQuestion::read<double>(input))};
    std::vector<double> chips;
    for (const ServingPoint& point : frontier.points()) chips.push_back(point.chips);
    return chips;
  };
  const auto on_torus = chips_of("tpu-v6e");
  REQUIRE(on_torus.size() > 3);
  CHECK(std::all_of(on_torus.begin(), on_torus.end(), is_power_of_two));
  for (const char* model : {"gpt-oss-120b", "qwen3-235b-a22b", "llama-3.1-405b"}) {
    for (const char* chip : {"h200-sxm", "b200-sxm"}) {
      INFO(model << " on " << chip);
      for (const double size : chips_of(chip, model)) {
        INFO(size);
        CHECK((size < 8 ? is_power_of_two(size) : std::fmod(size, 8) == 0));
      }
    }
    for (const double size : chips_of("gb200-nvl72", model)) {
      INFO(model << " on a rack: " << size);
      CHECK((std::fmod(72, size) == 0 || std::fmod(size, 72) == 0));
      CHECK((size < 4 ? is_power_of_two(size) : std::fmod(size, 4) == 0));
    }
  }
}

TEST_CASE("servers of a division leave none of a node idle, unless the reader says so") {
  const auto size_of = [](double chips, const GivenWays& given) {
    const auto input = serve("b200-sxm", "qwen3-235b-a22b", {{"chips", chips}, {"users", 1000}});
    const auto typed_input = ServingQuestion::read<double>(input);
    const auto best = DivisionSearch(ServingInput<double>(typed_input), given).best();
    return best.tensor * best.data * best.pipeline;
  };
  for (const double chips : {8.0, 24.0, 40.0, 64.0}) {
    INFO(chips);
    const double size = size_of(chips, {});
    CHECK((size < 8 ? is_power_of_two(size) : std::fmod(size, 8) == 0));
  }
  // Chips that nobody sells so are asked for all the same: they may be one server.
  CHECK(size_of(5, {}) == 5);
  GivenWays given;
  given.data = 5;
  CHECK(std::fmod(size_of(40, given), 5) == 0);
}

TEST_CASE("the frontier is that of all servers and batches") {
  for (const char* model : {"llama-3.1-8b", "llama-3.1-70b", "mixtral-8x7b"}) {
    for (const double memory : {80e9, 40e9, 24e9}) {
      INFO(model << " in " << memory);
      auto input = serve("l40s", model, {{"promptTokens", 1000}, {"answerTokens", 200}},
                         {{"weights", WeightFormat::kFp8}});
      input.chip["memory"] = memory;
      expect_frontier(input);
    }
  }
}

TEST_CASE("the frontier is that of all servers, with many experts, drafts, or stated rates") {
  // More experts per token than data ways, and fewer.
  const auto of = [](const char* model, const Settings& serving, const Settings& server) {
    INFO(model);
    Settings asked = {{"promptTokens", 2000}, {"answerTokens", 50}};
    asked.insert(asked.end(), serving.begin(), serving.end());
    expect_frontier(serve("h100-sxm", model, asked, server));
  };
  of("gpt-oss-20b", {},
     {{"weights", WeightFormat::kMxfp4}, {"promptLaunch", PromptLaunch::kEager}});
  of("qwen3-30b-a3b", {{"draftTokens", 2}}, {{"weights", WeightFormat::kFp8}});
  of("deepseek-v2", {}, {{"weights", WeightFormat::kInt4}, {"tokenBudget", 512}});
  of("mixtral-8x7b", {{"prefixShare", 0.5}},
     {{"weights", WeightFormat::kFp8}, {"rates", RatesFrom::kStated}});
}

TEST_CASE("of servers that take the same, the frontier has the one with the fewest ways") {
  // With stated rates, expert ways change nothing.
  const auto input = serve("h100-sxm", "mixtral-8x7b", {{"chips", 8}},
                           {{"weights", WeightFormat::kFp8}, {"rates", RatesFrom::kStated}});
  const ServingFrontier frontier{ServingInput<double>(ServingQuestion::read<double>(input))};
  REQUIRE(frontier.points().size() > 3);
  for (const ServingPoint& point : frontier.points()) CHECK(point.expert == 1);
}

TEST_CASE("a chip without a rate that kernels need has no frontier") {
  auto input = serve("h100-sxm", "llama-3-8b", {}, {{"weights", WeightFormat::kFp8}});
  for (const char* peak : {"peakFp32", "peakTf32", "peakBf16", "peakFp16"}) {
    input.chip[peak] = std::numeric_limits<double>::quiet_NaN();
  }
  const ServingFrontier frontier{ServingInput<double>(ServingQuestion::read<double>(input))};
  CHECK(frontier.points().empty());
}

TEST_CASE("given ways stay, and what cannot be divided so keeps them") {
  const auto input =
      serve("h100-sxm", "deepseek-v3", {{"chips", 16}}, {{"weights", WeightFormat::kFp8Block}});
  const auto typed_input = ServingQuestion::read<double>(input);
  GivenWays given;
  given.tensor = 4;
  const auto best = DivisionSearch(ServingInput<double>(typed_input), given).best();
  CHECK(best.tensor == 4);
  CHECK(best.fits);
  given.tensor = 100;
  const auto none = DivisionSearch(ServingInput<double>(typed_input), given).best();
  CHECK(none.tensor == 100);
  CHECK_FALSE(none.fits);
}

TEST_CASE("what a search remembers of a step is the step, to the bit") {
  Chance chance;
  static StepMemo memo;
  for (const char* model : {"llama-3.1-70b", "mixtral-8x7b", "deepseek-v3", "gpt-oss-120b"}) {
    const auto input = serve("h100-sxm", model, {}, {{"weights", WeightFormat::kFp8}});
    const auto typed_input = ServingQuestion::read<double>(input);
    auto server = typed_input.server;
    const ServingInput<double> in(
        AskedServing{typed_input.chip, typed_input.model, typed_input.serving, server});
    ServingInput<double> remembering = in;
    remembering.memo = &memo;
    const auto weights = weight_bytes(in);
    memo.clear();
    for (int round = 0; round < 400; ++round) {
      const double tensor = std::pow(2, chance.up_to(4));
      const double data = std::pow(2, chance.up_to(3));
      const double expert = chance.one_of({1, tensor * data});
      const ServerWays<double> ways{Count<double>(tensor), Count<double>(data),
                                    Count<double>(in.model.sparse() ? expert : 1),
                                    Count<double>(1 + chance.up_to(3))};
      const StepTokens<double> tokens{Count<double>(std::pow(2, chance.up_to(5))),
                                      Count<double>(1024),
                                      Count<double>(1),
                                      Count<double>(chance.up_to(2)),
                                      Count<double>(512),
                                      Count<double>(0)};
      server.divide_by_batch = chance.up_to(1) > 0;
      const auto remembered = memo.step(in, weights, ways, tokens);
      const auto step = step_parts(in, weights, ways, tokens);
      CHECK(remembered.total().value() == step.total().value());
      CHECK(step_floor(remembering, weights, ways, tokens).value() ==
            step_floor(in, weights, ways, tokens).value());
      memo.depth = StepMemo::Depth::kRanks;
      CHECK(memo.step(in, weights, ways, tokens).total().value() <= step.total().value());
      memo.depth = StepMemo::Depth::kAll;
    }
  }
}

TEST_CASE("experts never take less than their floor, whichever ways divide them") {
  Chance chance;
  for (const char* model : {"mixtral-8x7b", "deepseek-v3", "gpt-oss-120b", "kimi-k3"}) {
    for (int round = 0; round < 200; ++round) {
      const char* chip = chance.up_to(2) > 0 ? "h100-sxm" : "gb200-nvl72";
      const auto input = serve(chip, model, {},
                               {{"weights", chance.up_to(std::size(kWeightFormatNames))},
                                {"rates", chance.one_of({0, 0, 0, 1})}});
      const auto typed_input = ServingQuestion::read<double>(input);
      const ServingInput<double> in(typed_input);
      const auto weights = weight_bytes(in);
      const double tensor = std::pow(2, chance.up_to(4));
      const double data = 1 + chance.up_to(20);
      double expert = 1 + chance.up_to(tensor * data);
      while (!divides(expert, tensor * data)) expert -= 1;
      ServerWays<double> ways{Count<double>(tensor), Count<double>(data),
                              Count<double>(std::fmin(expert, in.model.experts.value())),
                              Count<double>(1)};
      const StepTokens<double> tokens{
          Count<double>(1 + chance.up_to(3000)), Count<double>(1024), Count<double>(1),
          Count<double>(chance.up_to(2)),        Count<double>(512),  Count<double>(0)};
      INFO(model << " on " << chip << ", " << round);
      const auto time = serial_parts(in, weights, ways, tokens, {false, true, false, false, false})
                            .experts.value();
      const auto all = tokens.all() * ways.data;
      const auto reached = reached_experts(in.model.experts, in.model.experts_per_token, all);
      const double these = experts_floor(in, ways, all, reached).value();
      ways.expert = Count<double>(0);
      const double any = experts_floor(in, ways, all, reached).value();
      CHECK(these <= time * (1 + 1e-12));
      CHECK(any <= these * (1 + 1e-12));
      CHECK((any > 0) == in.measured());
    }
  }
}

}  // namespace
}  // namespace scaling::test::serving_division_test
