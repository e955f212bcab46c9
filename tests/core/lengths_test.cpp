// SPDX-License-Identifier: MIT
//
// Prompts and answers of unlike lengths, against servers that are played step by step and against
// each prompt priced by itself.

#include "scaling/serving/lengths.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "inputs.hpp"
#include "servers.hpp"

namespace scaling::test::lengths_test {
namespace {

using Input = ServingQuestion::Input;

auto ask(const Input& input) { return answers_to<ServingQuestion>(input); }

/// The length that a share of them stays below.
double length_at(double share, double mean, double spread) {
  double low = -9;
  double high = 9;
  for (int round = 0; round < 60; ++round) {
    const double middle = (low + high) / 2;
    (std::erfc(-middle / std::sqrt(2.0)) / 2 < share ? low : high) = middle;
  }
  const double sigma = std::sqrt(std::log1p(spread * spread));
  return std::fmax(1, mean * std::exp(sigma * low - sigma * sigma / 2));
}

Input server(const Settings& serving, const Settings& settings = {}) {
  auto all = serve("h100-sxm", "llama-3.1-70b", serving, settings);
  all.serving["chips"] = all.serving["tensor"] = 4;
  return all;
}

/// Tokens that slots hold on average, of which each takes the next request as soon as its answer is
/// whole: those that are there, and those that are reserved from the start.
struct Held {
  double there, reserved;
};

Held played(DrawnLengths prompts, DrawnLengths answers, std::size_t slots, std::size_t steps) {
  struct Slot {
    double prompt = 0, answer = 0, given = 0;
  };
  std::vector<Slot> all(slots);
  Held sum{0, 0};
  std::size_t counted = 0;
  for (std::size_t step = 0; step < steps; ++step) {
    for (Slot& slot : all) {
      if (slot.given >= slot.answer) {
        slot = {prompts.draw(), std::fmax(1, std::round(answers.draw())), 0};
      }
      if (step >= steps / 4) {
        sum.there += slot.prompt + slot.given + 0.5;
        sum.reserved += slot.prompt + slot.answer;
        ++counted;
      }
      ++slot.given;
    }
  }
  const auto all_counted = static_cast<double>(counted);
  return {sum.there / all_counted, sum.reserved / all_counted};
}

TEST_CASE("slots hold as many tokens of unlike answers as when they are played") {
  constexpr double kPrompt = 1000;
  constexpr double kAnswer = 200;
  for (const double spread : {0.0, 0.5, 1.0, 1.5}) {
    INFO("spread " << spread);
    const Held held = played({kPrompt, 0.7, 1}, {kAnswer, spread, 2}, 2000, 16000);
    const Settings asked{{"promptTokens", kPrompt},
                         {"answerTokens", kAnswer},
                         {"promptSpread", 0.7},
                         {"answerSpread", spread}};
    const AskedServer paged(server(asked, {{"blockTokens", 1}}));
    const double token = kv_of_chip(paged.in, answering_ways(paged.in.serving)).per_token.value();
    CHECK_THAT(paged.cycle(8).decode_tokens.context.value(), WithinRel(held.there, 0.01));
    CHECK_THAT(paged.room().mean.value() / token, WithinRel(held.there, 0.01));
    CHECK_THAT(paged.room().filled.value() / token, WithinRel(held.there, 0.01));
    const auto whole = static_cast<double>(CacheAllocation::kWhole);
    const AskedServer reserving(server(asked, {{"blockTokens", 1}, {"allocation", whole}}));
    CHECK_THAT(reserving.room().mean.value() / token, WithinRel(held.reserved, 0.01));
  }
}

LengthList list_of(const char* text) {
  LengthList list;
  TextFault fault{};
  REQUIRE(LengthList::parse(text, list, fault));
  return list;
}

TEST_CASE("slots hold as many tokens of listed lengths as when they are played") {
  const auto prompts = list_of("500-1500");
  for (const char* text : {"200", "100-300", "20:70, 620:30"}) {
    INFO(text);
    const auto answers = list_of(text);
    const Held held =
        played({prompts, prompts.mean, 0, 1}, {answers, answers.mean, 0, 2}, 2000, 16000);
    auto input = server({}, {{"blockTokens", 1}});
    input.serving.text("promptLengths") = Text("500-1500");
    input.serving.text("answerLengths") = Text(text);
    const AskedServer paged(input);
    const double token = kv_of_chip(paged.in, answering_ways(paged.in.serving)).per_token.value();
    CHECK_THAT(paged.cycle(8).decode_tokens.context.value(), WithinRel(held.there, 0.01));
    CHECK_THAT(paged.room().mean.value() / token, WithinRel(held.there, 0.01));
    // A cache that is reserved at its longest holds the longest of each, whatever the field says.
    input.server["allocation"] = static_cast<double>(CacheAllocation::kLongest);
    input.server["longestSequence"] = 1;
    CHECK_THAT(AskedServer(input).room().mean.value() / token,
               WithinRel(prompts.longest + answers.longest, 1e-9));
  }
}

TEST_CASE("a prefill of unlike prompts takes as long as the mean of each of them") {
  for (const double mean : {500.0, 4000.0, 30000.0}) {
    for (const double spread : {0.5, 1.0, 1.5}) {
      for (const double found : {0.0, 0.5}) {
        INFO(mean << " tokens, spread " << spread << ", found " << found);
        const Settings asked{{"promptTokens", mean}, {"prefixShare", found}};
        constexpr int kPrompts = 300;
        double sum = 0;
        double tokens = 0;
        double squares = 0;
        for (int i = 0; i < kPrompts; ++i) {
          auto input = server(asked);
          const double prompt = std::round(length_at((i + 0.5) / kPrompts, mean, spread));
          input.serving["promptTokens"] = prompt;
          tokens += prompt;
          squares += prompt * prompt;
          sum += AskedServer(input).prefill();
        }
        // So few prompts have another mean and deviation than those that they are drawn by.
        auto input = server(asked);
        const double drawn = tokens / kPrompts;
        input.serving["promptTokens"] = std::round(drawn);
        input.serving["promptSpread"] = std::sqrt(squares / kPrompts / (drawn * drawn) - 1);
        const double unlike = AskedServer(input).prefill();
        input.serving["promptSpread"] = 0;
        const double alike = AskedServer(input).prefill();
        const double truth = sum / kPrompts;
        // Weights are read for the shortest prompts, too.
        CHECK_THAT(unlike, WithinRel(truth, mean < 1000 ? 0.05 : 0.015));
        CHECK(std::fabs(unlike - truth) < std::fabs(alike - truth));
      }
    }
  }
}

TEST_CASE(
    "the more lengths differ, the fewer sequences fit, and the longer steps and prefills take") {
  for (const char* model : {"llama-3.1-70b", "deepseek-v3", "gpt-oss-120b"}) {
    for (const char* field : {"promptSpread", "answerSpread"}) {
      const bool of_answers = std::string_view(field) == "answerSpread";
      double most = std::numeric_limits<double>::infinity();
      double step = 0;
      double prefill = 0;
      double first = 0;
      for (const double spread : {0.0, 0.5, 1.0, 2.0, 4.0}) {
        INFO(model << ", " << field << " " << spread);
        const auto answers = ask(serve(
            "h200-sxm", model,
            {{"chips", 8}, {"tensor", 8}, {"users", 8}, {"answerTokens", 1024}, {field, spread}},
            {{"weights", static_cast<double>(WeightFormat::kFp8)}}));
        const double sequences = number<term::kMaxSequences>(answers);
        CHECK((of_answers && spread > 0 ? sequences < most : sequences <= most));
        most = sequences;
        const double decode = number<term::kDecodeStep>(answers);
        CHECK((of_answers ? decode > step : decode >= step));
        step = decode;
        const double prompt = number<term::kPrefillTime>(answers);
        CHECK((of_answers ? prompt >= prefill : prompt > prefill));
        prefill = prompt;
        // Prompts take a smaller share of the time where steps take longer.
        CHECK((of_answers || number<term::kFirstToken>(answers) > first));
        first = number<term::kFirstToken>(answers);
      }
    }
  }
}

TEST_CASE("one batch is of requests that are alike") {
  const auto of = [](double spread) {
    return number<term::kOutputSpeed>(
        ask(server({{"load", static_cast<double>(ServingLoad::kStatic)},
                    {"users", 8},
                    {"promptSpread", spread},
                    {"answerSpread", spread}})));
  };
  CHECK(of(2) == of(0));
}

TEST_CASE("stated rates count unlike answers, and no attention among the tokens of prompts") {
  const auto of = [](const char* field) {
    return ask(server({{field, 1}}, {{"rates", static_cast<double>(RatesFrom::kStated)}}));
  };
  const auto alike = ask(server({}, {{"rates", static_cast<double>(RatesFrom::kStated)}}));
  CHECK(number<term::kPrefillTime>(of("promptSpread")) == number<term::kPrefillTime>(alike));
  // 4,096 tokens of a prompt and half of 512, or of 1,024, that are answered.
  CHECK_THAT(
      number<term::kDecodeAttention>(of("answerSpread")) / number<term::kDecodeAttention>(alike),
      WithinRel((4096 + 512) / (4096 + 256.0), 1e-9));
}

/// Servers that prefill apart, on four chips, with so many requests a second.
Input prefilling(double rate, double prompt, double spread) {
  auto input = server({{"load", static_cast<double>(ServingLoad::kOpen)},
                       {"requestRate", rate},
                       {"promptTokens", prompt},
                       {"promptSpread", spread},
                       {"answerTokens", 16},
                       {"apart", 1},
                       {"prefillChips", 4},
                       {"prefillTensor", 4}});
  input.serving["chips"] = 8;
  return input;
}

/// The times of prompts by their lengths, each priced by itself, as lines between some.
class Prices {
 public:
  explicit Prices(double most) {
    for (double tokens = 1; tokens < 2 * most; tokens *= 1.15) {
      tokens_.push_back(std::round(tokens));
      times_.push_back(AskedServer(prefilling(1, tokens_.back(), 0)).prefill());
    }
  }

  double of(double tokens) const {
    const auto after = std::upper_bound(tokens_.begin() + 1, tokens_.end() - 1, tokens);
    const auto i = static_cast<std::size_t>(after - tokens_.begin());
    const double share = (tokens - tokens_[i - 1]) / (tokens_[i] - tokens_[i - 1]);
    return times_[i - 1] + share * (times_[i] - times_[i - 1]);
  }

 private:
  std::vector<double> tokens_, times_;
};

TEST_CASE("first tokens come as late as in a queue of unlike prompts that is played") {
  constexpr double kContext = 131072;
  const Prices prices(kContext);
  for (const double prompt : {4096.0, 20000.0}) {
    for (const double spread : {0.2, 0.5, 1.0, 1.5}) {
      for (const double busy : {0.3, 0.8}) {
        INFO(prompt << " tokens, spread " << spread << ", busy " << busy);
        DrawnLengths lengths(prompt, spread, 3);
        std::mt19937_64 numbers(4);
        const auto gap = [&] {
          return -std::log((static_cast<double>(numbers() >> 11) + 0.5) * 0x1p-53);
        };
        constexpr int kRequests = 100000;
        std::vector<double> works(kRequests);
        double work = 0;
        double tokens = 0;
        double squares = 0;
        for (double& each : works) {
          const double length = std::fmin(kContext, lengths.draw());
          tokens += length / kRequests;
          squares += length * length / kRequests;
          work += each = prices.of(length);
        }
        // DrawnLengths that are cut at the context have another mean and deviation than those that
        // are drawn.
        const double deviation = std::sqrt(std::fmax(0, squares / (tokens * tokens) - 1));
        const double rate = busy * kRequests / work;
        std::vector<double> firsts;
        double wait = 0;
        double waits = 0;
        for (const double each : works) {
          waits += wait;
          firsts.push_back(wait + each);
          wait = std::fmax(0, wait + each - gap() / rate);
        }
        std::sort(firsts.begin(), firsts.end());
        auto input = prefilling(rate, std::round(tokens), deviation);
        const auto mean = ask(input);
        // An exponential wait is too long where prompts are nearly alike, and too short where
        // several long ones come before.
        const double near = spread > 1 ? 0.27 : spread < 0.5 ? 0.2 : 0.13;
        CHECK_THAT(number<term::kQueueTime>(mean), WithinRel(waits / kRequests, near));
        for (const double share : {0.5, 0.9, 0.99}) {
          input.serving["targetShare"] = share;
          const auto answers = ask(input);
          const double first = number<term::kFirstTokenTail>(answers) -
                               number<term::kBeginTime>(answers) -
                               number<term::kTransferTime>(answers);
          const auto place = static_cast<std::size_t>(share * kRequests);
          CHECK_THAT(first, WithinRel(firsts[place], near));
        }
      }
    }
  }
}

TEST_CASE("the more prompts differ, the later come the last of the first tokens") {
  for (const auto load : {ServingLoad::kClosed, ServingLoad::kOpen, ServingLoad::kMost}) {
    for (const double apart : {0.0, 1.0}) {
      for (const double share : {0.9, 0.99}) {
        double before = 0;
        for (const double spread : {0.0, 1e-9, 0.05, 0.2, 0.5, 1.0, 2.0, 4.0}) {
          INFO(static_cast<int>(load)
               << ", apart " << apart << ", share " << share << ", spread " << spread);
          auto input = prefilling(0.7, 4096, spread);
          input.serving["load"] = static_cast<double>(load);
          input.serving["users"] = 16;
          input.serving["answerTokens"] = 256;
          input.serving["apart"] = apart;
          input.serving["targetShare"] = share;
          const double tail = number<term::kFirstTokenTail>(ask(input));
          CHECK(tail >= before * (1 - 1e-9));
          before = tail;
        }
      }
    }
  }
}

TEST_CASE("prompts of a list keep to the times of its lengths where none waits") {
  const auto alone = [](double tokens) {
    auto alike = prefilling(1e-6, 4096, 0);
    alike.serving["promptTokens"] = tokens;
    return AskedServer(alike).prefill();
  };
  auto input = prefilling(1e-6, 4096, 0);
  input.serving.text("promptLengths") = Text("1000:60, 4000:35, 12000:5");
  for (const auto& [share, tokens] : {std::pair{0.5, 1000.0}, {0.9, 4000.0}, {0.96, 12000.0}}) {
    input.serving["targetShare"] = share;
    const auto answers = ask(input);
    const double first = number<term::kFirstTokenTail>(answers) -
                         number<term::kBeginTime>(answers) - number<term::kTransferTime>(answers);
    // A prompt is a part by its length and a part by its square.
    CHECK_THAT(first, WithinRel(alone(tokens), 0.1));
  }
}

TEST_CASE("the context has to hold the longest of a list") {
  auto input = server({{"promptTokens", 1000}, {"answerTokens", 100}});
  const auto notices = [&] { return estimate<ServingQuestion>(input).notices.items().size(); };
  const double context = input.model["contextLength"];
  CHECK(notices() == 0);
  input.serving.text("promptLengths") = Text("1000:99, " + std::to_string(context));
  CHECK(notices() == 1);
}

TEST_CASE("a target that long prompts alone miss is missed by the prompt") {
  const auto limit = [](double spread) {
    auto input = prefilling(0.01, 4096, spread);
    input.serving["targetShare"] = 0.99;
    input.serving["firstTarget"] = 1;
    return number<term::kTargetLimit>(ask(input));
  };
  CHECK(limit(0) == static_cast<double>(TargetLimit::kNone));
  CHECK(limit(2) == static_cast<double>(TargetLimit::kPrompt));
}

}  // namespace
}  // namespace scaling::test::lengths_test
