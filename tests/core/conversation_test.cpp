// SPDX-License-Identifier: MIT
//
// Conversations in turns: what of their prompts a cache still holds, by simulation and as published
// (tests/golden/prefix-reuse.json), and what that and pauses do to servers.

#include "scaling/serving/conversation.hpp"

#include <algorithm>
#include <cmath>
#include <list>
#include <numeric>
#include <string>
#include <vector>

#include "inputs.hpp"
#include "servers.hpp"

namespace scaling::test::conversation_test {
namespace {

using Json = nlohmann::json;
using Input = ServingQuestion::Input;

auto ask(const Input& input) { return answers_to<ServingQuestion>(input); }

double held(TurnGaps gaps, double share) {
  return still_held<double>(gaps, Count<double>(share)).value();
}

double findable(const Settings& settings) {
  const auto serving = read_group<Serving, double>(make<Serving>(settings));
  return findable_share(serving).value();
}

/// The share of turns that find their conversation in a cache of `room`, least recently used first
/// to go, once it is full: `next` gives the conversation of the next turn.
template <class Next>
double simulated(std::size_t conversations, std::size_t room, std::size_t turns, Next next) {
  std::list<std::size_t> kept;  // the latest first
  std::vector<std::list<std::size_t>::iterator> places(conversations, kept.end());
  std::size_t found = 0;
  std::size_t counted = 0;
  for (std::size_t turn = 0; turn < turns; ++turn) {
    const std::size_t who = next();
    auto& place = places[who];
    const bool hit = place != kept.end();
    if (turn >= turns / 4) {
      ++counted;
      found += hit ? 1 : 0;
    }
    if (hit) kept.erase(place);
    kept.push_front(who);
    place = kept.begin();
    if (kept.size() > room) {
      places[kept.back()] = kept.end();
      kept.pop_back();
    }
  }
  return static_cast<double>(found) / static_cast<double>(counted);
}

TEST_CASE("turns find what a simulated cache, least recently used first to go, still holds") {
  constexpr std::size_t kConversations = 400;
  constexpr std::size_t kTurns = 120 * kConversations;
  inputs::Numbers numbers;
  for (const double share : {0.1, 0.3, 0.5, 0.7, 0.9, 0.97}) {
    INFO("share " << share);
    const auto room = static_cast<std::size_t>(share * kConversations);
    // After times of chance: of so many conversations, any one is next.
    const double random =
        simulated(kConversations, room, kTurns, [&] { return numbers.place(kConversations); });
    CHECK_THAT(held(TurnGaps::kRandom, share), WithinAbs(random, 0.01));
    std::vector<std::size_t> order(kConversations);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::size_t at = 0;
    const double rounds = simulated(kConversations, room, kTurns, [&] {
      if (at == 0) {
        for (std::size_t i = kConversations - 1; i > 0; --i) {
          std::swap(order[i], order[numbers.place(i + 1)]);
        }
      }
      const auto who = order[at];
      at = (at + 1) % kConversations;
      return who;
    });
    CHECK_THAT(held(TurnGaps::kRounds, share), WithinAbs(rounds, 0.015));
    const double even = simulated(kConversations, room, kTurns, [&] {
      at = (at + 1) % kConversations;
      return at;
    });
    CHECK(held(TurnGaps::kEven, share) == even);
  }
  for (const auto gaps : {TurnGaps::kRandom, TurnGaps::kRounds, TurnGaps::kEven}) {
    CHECK(held(gaps, 1) == 1);
    CHECK(held(gaps, 3) == 1);
    CHECK(held(gaps, 0) == 0);
  }
}

TEST_CASE("published rounds find as much as conversations in an order of chance") {
  const Json rows = read_json(SCALING_GOLDEN_DIR "/prefix-reuse.json");
  std::vector<double> errors;
  for (const Json& row : rows.at("rounds")) {
    const double clients = row.at("clients");
    const double first = row.at("first");
    const double each = row.at("new").get<double>() + row.at("answer").get<double>();
    for (const auto& [name, value] : row.at("found").items()) {
      const double round = std::stod(name);
      INFO(row.at("id") << ", round " << round);
      const double prompt = first + round * each;
      const double before = prompt - each;
      // Half of the others were asked in this round already, and keep as much.
      const double kept = (prompt + before) / 2 + row.at("answer").get<double>();
      const double share = row.at("pool").get<double>() / (clients * kept);
      const double expected = before / prompt * held(TurnGaps::kRounds, share);
      const double measured = value;
      if (share >= 1) {
        CHECK_THAT(expected, WithinAbs(measured, 0.03));
      } else if (row.value("ordered", false)) {
        CHECK(measured < expected);
      } else {
        errors.push_back(std::fabs(expected - measured));
        CHECK_THAT(expected, WithinAbs(measured, 0.05));
      }
    }
  }
  REQUIRE(errors.size() == 7);
  std::sort(errors.begin(), errors.end());
  CHECK(errors[errors.size() / 2] < 0.04);
}

TEST_CASE("later turns find all but their new tokens, and first ones what is common") {
  const double first = 30000;
  const double turn = 2048;
  const double answer = 900;
  for (const double further : {1.0, 2.0, 29.0}) {
    INFO(further);
    double found = 20000;
    double all = first;
    for (double k = 1; k <= further; ++k) {
      const double prompt = first + k * (turn + answer);
      found += prompt - turn;
      all += prompt;
    }
    CHECK_THAT(findable({{"promptTokens", first},
                         {"prefixShare", 20000 / first},
                         {"answerTokens", answer},
                         {"furtherTurns", further},
                         {"turnTokens", turn}}),
               WithinRel(found / all, 1e-12));
  }
  // Mooncake's run with these lengths found above 95 % of prompts (mooncake-store-scaling).
  CHECK(findable({{"promptTokens", first},
                  {"prefixShare", 20000 / first},
                  {"answerTokens", answer},
                  {"furtherTurns", 29},
                  {"turnTokens", turn}}) > 0.95);
  CHECK(findable({{"prefixShare", 0.25}}) == 0.25);
}

const Settings kAgents = {{"users", 64},         {"promptTokens", 20000}, {"prefixShare", 0.5},
                          {"answerTokens", 500}, {"furtherTurns", 40},    {"turnTokens", 2000},
                          {"chips", 8},          {"tensor", 8},           {"turnGaps", 1}};

Input agents(const Settings& more, const Settings& server = {}) {
  auto input = serve("h100-sxm", "llama-3.1-70b", kAgents, server);
  for (const auto& [key, value] : more) input.serving[key] = value;
  return input;
}

TEST_CASE("conversations beyond a cache's room fall off a cliff") {
  double before = 1;
  double speed_of_one = 0;
  for (const double users : {1.0, 4.0, 16.0, 64.0}) {
    INFO(users);
    const auto answers = ask(agents({{"users", users}}));
    const double found = number<term::kPrefixFound>(answers);
    const double findable_at_best = number<term::kPrefixFindable>(answers);
    CHECK(found <= before);
    CHECK(found <= findable_at_best * (1 + 1e-12));
    before = found;
    const double held_now = number<term::kConversationsHeld>(answers);
    CHECK(held_now <= users);
    if (users == 1) {
      CHECK(found == findable_at_best);
      CHECK(held_now == 1);
      speed_of_one = number<term::kOutputSpeed>(answers);
    }
  }
  // Most of a prompt is found with room, and hardly more than what is common without.
  CHECK(before < 0.5);
  CHECK(speed_of_one > 0);
  const auto lost = ask(agents({}));
  CHECK(number<term::kFirstTokenLost>(lost) > 10 * number<term::kFirstTokenCached>(lost));
}

TEST_CASE("hosts and disks hold what the chips do not, and it takes time to bring it") {
  const auto without = ask(agents({}));
  const auto hosts = ask(agents({{"hostCache", 100e9}}));
  const auto disks = ask(agents({{"hostCache", 100e9}, {"diskCache", 1e12}}));
  CHECK(number<term::kPrefixFound>(hosts) > number<term::kPrefixFound>(without));
  CHECK(number<term::kPrefixFound>(disks) >= number<term::kPrefixFound>(hosts));
  CHECK_THAT(number<term::kPrefixFound>(disks),
             WithinRel(number<term::kPrefixFindable>(disks), 1e-9));
  CHECK(number<term::kOutputSpeed>(hosts) > number<term::kOutputSpeed>(without));
  // 64 GB/s a chip bring a chip's part of the cache: 8 of 80 heads x 128 x 2 x 2 B a layer.
  const double bytes = 80 * 2 * 128 * 2.0 * number<term::kPromptMean>(hosts);
  const double rate =
      hosts.get<term::kFetchTime>().present()
          ? number<term::kFoundOnHost>(hosts) * bytes / number<term::kFetchTime>(hosts)
          : 0;
  CHECK_THAT(rate, WithinRel(typed(chips().at("h100-sxm")).host_bandwidth.value.value(), 1e-9));
}

TEST_CASE("the tokens that a server reports are its cache") {
  const auto of = [](double tokens) {
    return ask(agents({{"users", 8}}, {{"cacheTokens", tokens}}));
  };
  // A conversation has 70,000 tokens of prompt on average and 500 of an answer, half of the first
  // prompt common to all.
  const double each = 20000 + 40 * 2500 / 2.0 + 500 - 10000;
  const auto answers = of(5 * each + 10000);
  CHECK_THAT(number<term::kConversationsHeld>(answers), WithinRel(5.0, 2e-3));
  CHECK(number<term::kPrefixFound>(of(9 * each)) == number<term::kPrefixFindable>(answers));
  CHECK(number<term::kMaxSequences>(of(7e5)) == std::floor(7e5 / (70000 + 250)));
}

TEST_CASE("users who pause ask less often: as many as Little's law says are answered at a time") {
  for (const double pause : {1.0, 10.0, 100.0}) {
    for (const double users : {4.0, 64.0, 4000.0}) {
      INFO(pause << " s, " << users << " users");
      const auto input = serve("h100-sxm", "llama-3.1-8b",
                               {{"users", users},
                                {"promptTokens", 1000},
                                {"answerTokens", 200},
                                {"chips", 1},
                                {"thinkTime", pause}});
      const auto answers = ask(input);
      const double round = number<term::kAnswerTime>(answers) + pause;
      CHECK_THAT(number<term::kOutputSpeed>(answers) / 200 * round, WithinRel(users, 0.02));
      auto eager = input;
      eager.serving["thinkTime"] = 0;
      const auto without = ask(eager);
      CHECK(number<term::kOutputSpeed>(answers) <= number<term::kOutputSpeed>(without) * 1.001);
      CHECK(number<term::kFirstToken>(answers) <= number<term::kFirstToken>(without) * 1.001);
    }
  }
}

}  // namespace
}  // namespace scaling::test::conversation_test
