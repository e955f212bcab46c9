// SPDX-License-Identifier: MIT
//
// How requests of one load differ, against servers that are played step by step at the engine's own
// prices.

#include "scaling/serving/percentiles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <deque>
#include <random>
#include <string_view>
#include <vector>

#include "inputs.hpp"
#include "servers.hpp"

namespace scaling::test::percentiles_test {
namespace {

using Input = ServingQuestion::Input;

auto ask(const Input& input) { return answers_to<ServingQuestion>(input); }

struct Request {
  double first, token, whole;
};

/// Requests of a group whose steps take what the engine says of each batch, and longer by a prompt
/// where one waits.
class Played {
 public:
  Played(const AskedServer& asked, double prompt)
      : prompt_(prompt),
        answers_(asked.in.serving.answer_list, asked.in.serving.answer.value(),
                 asked.in.serving.answer_spread.value(), 5),
        prompts_(asked.in.serving.prompt_list, 1, asked.in.serving.prompt_spread.value(), 6),
        asked_(&asked) {}

  /// Requests that come at a rate.
  std::vector<Request> open(double rate, std::size_t requests) {
    double next = gap() / rate;
    while (all_.size() < requests) {
      for (; next <= now_; next += gap() / rate) ask_at(next);
      if (active_.empty() && waiting_.empty()) {
        now_ = next;
        continue;
      }
      step();
    }
    return all_;
  }

  /// Users that ask again once they are answered; they begin one by one within a round.
  std::vector<Request> closed(double users, double round, std::size_t requests) {
    double begun = 0;
    while (all_.size() < requests) {
      for (; begun < users && begun * round / users <= now_; ++begun) ask_at(now_);
      if (active_.empty() && waiting_.empty()) {
        now_ = begun * round / users;
        continue;
      }
      const std::size_t before = all_.size();
      step();
      for (std::size_t i = before; i < all_.size(); ++i) ask_at(now_);
    }
    return all_;
  }

  /// Users that all ask again once the last of them is answered.
  std::vector<Request> rounds(std::size_t users, std::size_t requests) {
    while (all_.size() < requests) {
      for (std::size_t i = 0; i < users; ++i) ask_at(now_);
      while (!active_.empty() || !waiting_.empty()) step();
    }
    return all_;
  }

 private:
  struct Waiting {
    double came, work;
  };
  struct Active {
    double left, steps, began, waited;
  };

  double gap() { return -std::log((static_cast<double>(numbers_() >> 11) + 0.5) * 0x1p-53); }

  void ask_at(double time) { waiting_.push_back({time, prompt_ * prompts_.draw()}); }

  double step_of(std::size_t batch) {
    while (steps_.size() <= batch) {
      const auto n = static_cast<double>(std::max<std::size_t>(1, steps_.size()));
      steps_.push_back(asked_->cycle(n).step.value());
    }
    return batch == 0 ? 0 : steps_[batch];
  }

  void step() {
    now_ += step_of(active_.size());
    const bool prompt = !waiting_.empty();
    if (prompt) now_ += waiting_.front().work;
    for (Active& each : active_) {
      if (--each.left > 0) continue;
      const double token = (now_ - each.began) / each.steps;
      all_.push_back({each.waited, token, each.waited + (each.steps - 1) * token});
    }
    std::erase_if(active_, [](const Active& each) { return each.left <= 0; });
    if (!prompt) return;
    const double steps = std::fmax(1, std::round(answers_.draw()));
    active_.push_back({steps, steps, now_, now_ - waiting_.front().came});
    waiting_.pop_front();
  }

  double prompt_, now_ = 0;
  DrawnLengths answers_, prompts_;
  const AskedServer* asked_;
  std::mt19937_64 numbers_{7};
  std::vector<double> steps_;
  std::deque<Waiting> waiting_;
  std::vector<Active> active_;
  std::vector<Request> all_;
};

/// One of their times in order, and the mean of these.
struct Times {
  std::vector<double> sorted;
  double mean = 0;

  explicit Times(const std::vector<Request>& all, double Request::*time = &Request::token) {
    for (const Request& each : all) {
      sorted.push_back(each.*time);
      mean += each.*time / static_cast<double>(all.size());
    }
    std::sort(sorted.begin(), sorted.end());
  }
  double at(double share) const {
    return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size()))] / mean;
  }
};

/// What the engine says of the times per token, over their mean.
std::array<double, 3> percentiles(const Input& input) {
  const auto answers = ask(input);
  const double mean = number<term::kTokenTime>(answers);
  return {number<term::kTokenTimeP50>(answers) / mean, number<term::kTokenTimeP90>(answers) / mean,
          number<term::kTokenTimeP99>(answers) / mean};
}

/// The same of whole requests.
std::array<double, 3> whole_percentiles(const Input& input) {
  const auto answers = ask(input);
  const double mean = number<term::kAnswerTime>(answers);
  return {number<term::kAnswerTimeP50>(answers) / mean,
          number<term::kAnswerTimeP90>(answers) / mean,
          number<term::kAnswerTimeP99>(answers) / mean};
}

struct Case {
  double rate, users, prompt, answer, prompt_spread, answer_spread;
  const char* prompts = "";  ///< listed
  const char* answers = "";
};

Input input_of(const Case& each, ServingLoad load) {
  auto input = serve("h100-sxm", "llama-3.1-8b",
                     {{"load", static_cast<double>(load)},
                      {"requestRate", each.rate},
                      {"users", each.users},
                      {"chips", 1},
                      {"promptTokens", each.prompt},
                      {"answerTokens", each.answer},
                      {"promptSpread", each.prompt_spread},
                      {"answerSpread", each.answer_spread}});
  input.serving.text("promptLengths") = Text(each.prompts);
  input.serving.text("answerLengths") = Text(each.answers);
  return input;
}

TEST_CASE("times per token of an open loop differ as when it is played") {
  for (const Case& each :
       {Case{2, 0, 4096, 256, 0, 0}, Case{4, 0, 4096, 256, 0, 0}, Case{4, 0, 4096, 256, 0, 0.8},
        Case{3, 0, 4096, 256, 1, 0.8}, Case{2, 0, 1024, 1024, 0, 0}, Case{8, 0, 1024, 512, 0, 1},
        Case{3, 0, 0, 0, 0, 0, "512:20, 2048:50, 8192:30", "64-512"}}) {
    INFO(each.rate << " a second, " << each.prompt << " and " << each.answer << " tokens, spread "
                   << each.prompt_spread << " and " << each.answer_spread);
    const auto input = input_of(each, ServingLoad::kOpen);
    const AskedServer asked(input);
    const auto answers = ask(input);
    const double prompt = number<term::kPrefillShare>(answers) / each.rate;
    const Times played(Played(asked, prompt).open(each.rate, 20000));
    const auto said = percentiles(input);
    CHECK_THAT(said[0], WithinRel(played.at(0.5), 0.05));
    CHECK_THAT(said[1], WithinRel(played.at(0.9), 0.08));
    CHECK_THAT(said[2], WithinRel(played.at(0.99), 0.15));
  }
}

TEST_CASE("times per token of a closed loop differ as when it is played") {
  for (const Case& each : {Case{1, 16, 4096, 256, 0, 0}, Case{1, 16, 4096, 256, 0, 0.3},
                           Case{1, 16, 4096, 256, 0, 0.8}, Case{1, 32, 4096, 256, 1, 1},
                           Case{1, 64, 1024, 512, 0, 0.8}, Case{1, 16, 8192, 128, 0, 1.5},
                           Case{1, 32, 0, 0, 0, 0, "512:20, 2048:50, 8192:30", "64-512"}}) {
    INFO(each.users << " users, " << each.prompt << " and " << each.answer << " tokens, spread "
                    << each.prompt_spread << " and " << each.answer_spread);
    const auto input = input_of(each, ServingLoad::kClosed);
    const AskedServer asked(input);
    const auto cycle = asked.cycle(each.users);
    const double prompt = (cycle.time - cycle.steps * cycle.step).value() / each.users;
    const Times played(Played(asked, prompt).closed(each.users, cycle.time.value(), 20000));
    const auto said = percentiles(input);
    CHECK_THAT(said[0], WithinRel(played.at(0.5), 0.05));
    CHECK_THAT(said[1], WithinRel(played.at(0.9), 0.08));
    CHECK_THAT(said[2], WithinRel(played.at(0.99), 0.15));
  }
}

TEST_CASE("whole requests differ as when they are played") {
  for (const auto load : {ServingLoad::kOpen, ServingLoad::kClosed}) {
    for (const Case& each : {Case{4, 16, 4096, 256, 0, 0}, Case{4, 16, 4096, 256, 0, 0.3},
                             Case{3, 32, 4096, 256, 1, 0.8}, Case{2, 64, 1024, 1024, 0, 0},
                             Case{8, 64, 1024, 512, 0, 1}, Case{2, 16, 8192, 128, 0.5, 1.5},
                             Case{3, 32, 0, 0, 0, 0, "512:20, 2048:50, 8192:30", "64-512"}}) {
      const bool open = load == ServingLoad::kOpen;
      INFO((open ? "open, " : "closed, ")
           << each.rate << " a second, " << each.users << " users, " << each.prompt << " and "
           << each.answer << " tokens, spread " << each.prompt_spread << " and "
           << each.answer_spread);
      auto input = input_of(each, load);
      if (!open) input.serving["together"] = 0;  // as those that are played
      const AskedServer asked(input);
      const auto cycle = asked.cycle(each.users);
      const double prompt = open ? number<term::kPrefillShare>(ask(input)) / each.rate
                                 : (cycle.time - cycle.steps * cycle.step).value() / each.users;
      Played server(asked, prompt);
      const Times played(open ? server.open(each.rate, 20000)
                              : server.closed(each.users, cycle.time.value(), 20000),
                         &Request::whole);
      CHECK_THAT(number<term::kAnswerTime>(ask(input)), WithinRel(played.mean, 0.02));
      const auto said = whole_percentiles(input);
      CHECK_THAT(said[0], WithinRel(played.at(0.5), 0.05));
      CHECK_THAT(said[1], WithinRel(played.at(0.9), 0.08));
      CHECK_THAT(said[2], WithinRel(played.at(0.99), 0.15));
    }
  }
}

/// The share of requests with both times at most those that a share of requests has by itself.
double both_within(std::vector<Request> all, double share) {
  const auto at = [&](double Request::*time) {
    std::vector<double> times;
    for (const Request& each : all) times.push_back(each.*time);
    std::sort(times.begin(), times.end());
    return times[static_cast<std::size_t>(share * static_cast<double>(times.size()))];
  };
  const double first = at(&Request::first);
  const double token = at(&Request::token);
  const auto within = std::count_if(all.begin(), all.end(), [&](const Request& each) {
    return each.first <= first && each.token <= token;
  });
  return static_cast<double>(within) / static_cast<double>(all.size());
}

/// What the engine says of that share: both targets are at its own percentile.
double said_within(Input input) {
  const auto answers = ask(input);
  input.serving["firstTarget"] = number<term::kFirstTokenP90>(answers);
  input.serving["tokenTarget"] = number<term::kTokenTimeP90>(answers);
  return number<term::kWithinTargets>(ask(input));
}

TEST_CASE("as many requests meet both targets as when servers are played") {
  for (const auto load : {ServingLoad::kOpen, ServingLoad::kClosed}) {
    for (const Case& each : {Case{4, 16, 4096, 256, 0, 0.8}, Case{3, 32, 4096, 256, 1, 0.8},
                             Case{8, 16, 1024, 512, 0, 1}}) {
      const auto input = input_of(each, load);
      const AskedServer asked(input);
      const auto answers = ask(input);
      const auto cycle = asked.cycle(each.users);
      const bool open = load == ServingLoad::kOpen;
      const double prompt = open ? number<term::kPrefillShare>(answers) / each.rate
                                 : (cycle.time - cycle.steps * cycle.step).value() / each.users;
      Played server(asked, prompt);
      const auto played = open ? server.open(each.rate, 20000)
                               : server.closed(each.users, cycle.time.value(), 20000);
      // In a closed loop both come soon while few prompts come.
      CHECK_THAT(said_within(input), WithinAbs(both_within(played, 0.9), open ? 0.01 : 0.08));
    }
  }
}

TEST_CASE("of requests that come together, those that wait the longest are answered the fastest") {
  for (const double users : {8.0, 32.0}) {
    auto input = input_of({1, users, 4096, 256, 0, 0}, ServingLoad::kClosed);
    input.serving["together"] = 1;
    const AskedServer asked(input);
    const auto cycle = asked.cycle(users);
    const double prompt = (cycle.time - cycle.steps * cycle.step).value() / users;
    const auto all = Played(asked, prompt).rounds(static_cast<std::size_t>(users), 4000);
    const Times played(all);
    CHECK_THAT(said_within(input), WithinAbs(both_within(all, 0.9), 0.05));
    const auto said = percentiles(input);
    INFO(played.at(0.5) << " " << played.at(0.9) << " " << played.at(0.99));
    CHECK_THAT(said[0], WithinRel(played.at(0.5), 0.03));
    CHECK_THAT(said[1], WithinRel(played.at(0.9), 0.03));
    CHECK_THAT(said[2], WithinRel(played.at(0.99), 0.03));
  }
}

TEST_CASE("requests of which none differs have the mean at every percentile") {
  for (const Settings& serving :
       {Settings{{"users", 1}}, Settings{{"load", static_cast<double>(ServingLoad::kMost)}}}) {
    const auto answers = ask(serve("h100-sxm", "llama-3.1-8b", serving));
    const double first = number<term::kFirstToken>(answers);
    const double token = number<term::kTokenTime>(answers);
    CHECK(number<term::kFirstTokenP50>(answers) == first);
    CHECK(number<term::kFirstTokenP99>(answers) == first);
    CHECK(number<term::kTokenTimeP50>(answers) == token);
    CHECK(number<term::kTokenTimeP99>(answers) == token);
  }
  const auto batch =
      ask(serve("h100-sxm", "llama-3.1-8b", {{"load", static_cast<double>(ServingLoad::kStatic)}}));
  CHECK(absence<term::kTokenTimeP99>(batch) == Absence::kNotApplicable);
}

TEST_CASE("a target at a percentile is kept by that share of requests") {
  for (const auto load : {ServingLoad::kOpen, ServingLoad::kClosed}) {
    for (const double spread : {0.0, 0.8}) {
      for (const double apart : {0.0, 1.0}) {
        INFO(static_cast<int>(load) << ", spread " << spread << ", apart " << apart);
        auto input = input_of({3, 32, 4096, 256, spread, spread}, load);
        input.serving["chips"] = 2;
        input.serving["apart"] = apart;
        const auto answers = ask(input);
        const auto within = [&](const char* target, double time) {
          auto aimed = input;
          aimed.serving[target] = time;
          const auto met = ask(aimed);
          const double share = number<term::kWithinTargets>(met);
          CHECK_THAT(number<term::kRequestGoodput>(met),
                     WithinRel(share * number<term::kRequestSpeed>(met), 1e-12));
          CHECK_THAT(number<term::kRequestGoodputPerChip>(met),
                     WithinRel(number<term::kRequestGoodput>(met) / 2, 1e-12));
          return share;
        };
        const double first = number<term::kFirstTokenP90>(answers);
        const double token = number<term::kTokenTimeP90>(answers);
        CHECK(number<term::kFirstTokenP50>(answers) < first);
        CHECK(number<term::kFirstTokenP99>(answers) > first);
        CHECK_THAT(within("firstTarget", first), WithinAbs(0.9, 1e-6));
        CHECK(within("firstTarget", first / 100) == 0);
        CHECK(within("firstTarget", first * 100) == 1);
        CHECK(within("tokenTarget", token / 100) == 0);
        CHECK(within("tokenTarget", token * 100) == 1);
        if (load == ServingLoad::kClosed && apart > 0) continue;  // answers are undisturbed there
        CHECK_THAT(within("tokenTarget", token), WithinAbs(0.9, 1e-6));
        CHECK(number<term::kTokenTimeP50>(answers) < token);
        CHECK(number<term::kTokenTimeP99>(answers) > token);
      }
    }
  }
}

TEST_CASE("targets of a share are met where so many requests are within them") {
  for (const auto load : {ServingLoad::kOpen, ServingLoad::kClosed, ServingLoad::kMost}) {
    for (const double apart : {0.0, 1.0}) {
      for (const char* target : {"firstTarget", "tokenTarget"}) {
        auto input = input_of({3, 32, 4096, 256, 0.7, 0.8}, load);
        input.serving["chips"] = 2;
        input.serving["apart"] = apart;
        input.serving["targetShare"] = 0.9;
        const auto answers = ask(input);
        const double tail = std::string_view(target) == "firstTarget"
                                ? number<term::kFirstTokenTail>(answers)
                                : number<term::kTokenTail>(answers);
        for (const double times : {0.8, 0.97, 1.03, 1.3}) {
          INFO(static_cast<int>(load) << ", apart " << apart << ", " << target << " " << times);
          input.serving[target] = times * tail;
          const auto met = ask(input);
          CHECK((number<term::kMeetsTargets>(met) == 1) == (times > 1));
          CHECK((number<term::kWithinTargets>(met) >= 0.9) == (times > 1));
        }
      }
    }
  }
}

TEST_CASE("servers that cannot keep up keep no request to its targets") {
  auto input = input_of({1000, 0, 4096, 256, 0, 0}, ServingLoad::kOpen);
  CHECK(absence<term::kWithinTargets>(ask(input)) == Absence::kNotApplicable);
  input.serving["firstTarget"] = 10;
  const auto answers = ask(input);
  CHECK(number<term::kSaturated>(answers) == 1);
  CHECK(number<term::kWithinTargets>(answers) == 0);
  CHECK(number<term::kRequestGoodput>(answers) == 0);
}

TEST_CASE("the more requests come, the fewer keep to their targets") {
  double before = 1;
  for (const double rate : {0.5, 1.0, 2.0, 4.0, 6.0, 8.0}) {
    auto input = input_of({rate, 0, 4096, 256, 0.5, 0.5}, ServingLoad::kOpen);
    input.serving["firstTarget"] = 0.5;
    input.serving["tokenTarget"] = 0.015;
    const double within = number<term::kWithinTargets>(ask(input));
    CHECK(within <= before);
    before = within;
  }
  CHECK(before < 0.5);
}

}  // namespace
}  // namespace scaling::test::percentiles_test
