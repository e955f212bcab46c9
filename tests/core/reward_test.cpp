// SPDX-License-Identifier: MIT
//
// Training by reward: lengths of answers, the drain of a batch, a step of both sides, its split,
// its memory, and what is wrong with an input.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "inputs.hpp"
#include "presets.hpp"
#include "scaling/questions/reward/question.hpp"
#include "scaling/serving/rollout.hpp"

namespace scaling::test::reward_test {
namespace {

RewardQuestion::Input input_of(const char* chip, const char* model, const Settings& reward = {},
                               const Settings& pools = {}) {
  static const auto chips = chip_presets();
  static const auto models = model_presets();
  return {chips.at(chip), models.at(model), make<Reward>(reward), make<Pools>(pools)};
}

auto reward_of(const Settings& reward = {}, const Settings& pools = {}) {
  return answers_to<RewardQuestion>(input_of("h100-sxm", "qwen3-30b-a3b", reward, pools));
}

Issues issues_of(const Settings& reward, const Settings& pools) {
  return estimate<RewardQuestion>(input_of("h100-sxm", "qwen3-30b-a3b", reward, pools)).issues;
}

void check_issue(const Settings& reward, const Settings& pools, IssueCode code,
                 std::string_view field) {
  const auto issues = issues_of(reward, pools);
  REQUIRE(issues.items().size() == 1);
  CHECK(issues.items()[0].code == code);
  CHECK(issues.items()[0].field == field);
}

const double kTurns = inputs::index(PoolSharing::kTurns);
const double kApart = inputs::index(PoolSharing::kApart);

/// Lengths of answers drawn at random, with the median at which their mean is the wanted one.
std::vector<double> drawn(const LengthSpread& spread, std::size_t count) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  std::vector<double> deviations(count);
  for (double& z : deviations) z = normal(random);
  double low = -20;
  double high = 40;
  std::vector<double> lengths(count);
  for (int round = 0; round < 60; ++round) {
    const double middle = (low + high) / 2;
    for (std::size_t i = 0; i < count; ++i) {
      lengths[i] = std::fmin(spread.longest, std::exp(middle + spread.sigma * deviations[i]));
    }
    const double mean =
        std::accumulate(lengths.begin(), lengths.end(), 0.0) / static_cast<double>(count);
    (mean < spread.mean ? low : high) = middle;
  }
  return lengths;
}

TEST_CASE("lengths of answers are those of a log-normal spread that is cut") {
  for (const LengthSpread spread : {LengthSpread{2048, 8192, 1}, LengthSpread{600, 1436, 0.7},
                                    LengthSpread{1600, 28672, 1.3}, LengthSpread{3000, 4000, 1}}) {
    auto sample = drawn(spread, 200000);
    std::sort(sample.begin(), sample.end());
    const auto above = [&](double left) {
      return sample[static_cast<std::size_t>((1 - left) * 199999)];
    };
    const auto lengths = lengths_of(spread, 256, 256);
    INFO(spread.mean << " " << spread.longest << " " << spread.sigma);
    CHECK_THAT(lengths.stretches[2].until, WithinRel(above(0.1), 0.02));
    CHECK_THAT(lengths.stretches.back().until, WithinRel(above(0.5 / 256), 0.06));
    double squares = 0;
    double sum = 0;
    for (const double length : sample) {
      squares += length * length;
      sum += length;
    }
    CHECK_THAT(lengths.weighted, WithinRel(squares / sum, 0.03));
    // More samples have a longer one.
    CHECK(lengths_of(spread, 256, 1e6).stretches.back().until >= lengths.stretches.back().until);
  }
}

TEST_CASE("answers of one length end together") {
  const auto lengths = lengths_of(LengthSpread{1000, 8000, 0}, 64, 64);
  for (const auto& stretch : lengths.stretches) {
    CHECK(stretch.until == 1000);
    CHECK(stretch.active == 1);
    CHECK(!stretch.tail);
  }
  CHECK(lengths.weighted == 1000);
}

/// A list of as many answers in each of its bins.
LengthList listed(std::vector<double> sample) {
  std::sort(sample.begin(), sample.end());
  std::string text;
  for (std::size_t i = 0; i < LengthList::kMostBins; ++i) {
    const auto at = [&](std::size_t bin) {
      const double length = sample[bin * (sample.size() - 1) / LengthList::kMostBins];
      return std::to_string(std::llround(length));
    };
    text += at(i) == at(i + 1) ? at(i) : at(i) + "-" + at(i + 1);
    text += " ";
  }
  LengthList list;
  TextFault fault{};
  REQUIRE(LengthList::parse(text, list, fault));
  return list;
}

TEST_CASE("a list of lengths is drained as the spread that it was drawn from") {
  for (const LengthSpread spread : {LengthSpread{2048, 8192, 1}, LengthSpread{600, 1436, 0.7}}) {
    const auto list = listed(drawn(spread, 200000));
    const auto drained = lengths_of(list, 256, 256);
    const auto expected = lengths_of(spread, 256, 256);
    CHECK_THAT(drained.weighted, WithinRel(expected.weighted, 0.02));
    // The cut at the longest falls into the last bin.
    CHECK_THAT(drained.stretches.back().until, WithinRel(expected.stretches.back().until, 0.05));
    double tokens = 0;
    double from = 0;
    for (const auto& [until, active, tail] : drained.stretches) {
      tokens += (until - from) * active;
      from = until;
    }
    CHECK_THAT(tokens, WithinRel(list.mean, 0.01));
  }
}

TEST_CASE("answers of listed lengths end by these") {
  LengthList list;
  TextFault fault{};
  REQUIRE(LengthList::parse("1000:3 4000:1", list, fault));
  const auto lengths = lengths_of(list, 64, 64);
  CHECK_THAT(lengths.weighted, WithinRel((3 * 1e6 + 16e6) / (3 * 1e3 + 4e3), 1e-12));
  double from = 0;
  for (const auto& [until, active, tail] : lengths.stretches) {
    if (until > from) CHECK_THAT(active, WithinRel(until <= 1000 ? 1 : 0.25, 1e-9));
    from = until;
  }
  CHECK_THAT(from, WithinRel(4000, 1e-12));
}

TEST_CASE("listed lengths take the place of mean, longest and spread") {
  const auto of = [](const char* text, const Settings& reward) {
    auto input = input_of("h100-sxm", "qwen3-8b", reward);
    input.reward.text("answerLengths") = Text(text);
    return input;
  };
  const Settings alike = {{"answerTokens", 1500}, {"longestAnswer", 1500}, {"sigma", 0}};
  const auto stated = answers_to<RewardQuestion>(of("", alike));
  const auto named = answers_to<RewardQuestion>(of("1500", {{"longestAnswer", 8}}));
  CHECK_THAT(number<term::kGenerateTime>(named),
             WithinRel(number<term::kGenerateTime>(stated), 1e-9));
  CHECK_THAT(number<term::kStepExpected>(named),
             WithinRel(number<term::kStepExpected>(stated), 1e-9));
  CHECK_THAT(number<term::kLongestOfBatch>(named), WithinRel(1500, 1e-9));
  const auto issues = estimate<RewardQuestion>(of("1500, much", {})).issues;
  REQUIRE(issues.items().size() == 1);
  CHECK(issues.items()[0].code == IssueCode::kLengthsUnreadable);
  CHECK(std::string_view(issues.items()[0].field) == "answerLengths");
}

TEST_CASE("a drain takes as long as its answers one by one") {
  static const auto chips = chip_presets();
  static const auto models = model_presets();
  const auto chip = typed(chips.at("h100-sxm"));
  const auto model = typed(models.at("qwen3-30b-a3b"));
  const auto server = typed(Raw<Server>::defaults());
  auto serving = typed(make<Serving>({{"tensor", 2}, {"promptTokens", 150}}));
  for (const LengthSpread spread :
       {LengthSpread{2048, 8192, 1}, LengthSpread{1600, 28672, 1}, LengthSpread{600, 1436, 0.7}}) {
    constexpr std::size_t kAnswers = 256;
    serving.answer = Quantity<kToken, double>(spread.mean);
    const ReplicaInput<double> replica{chip, model, serving, server};
    const ServingInput<double> in(replica);
    const auto weights = weight_bytes(in);
    Rollout<double> rollout{Count<double>(kAnswers), Count<double>(kAnswers), 16,
                            lengths_of(spread, kAnswers, kAnswers)};
    const auto drained = drain(in, weights, rollout);
    // The same of each answer: quantiles of the spread, and a step whenever one ends.
    auto sample = drawn(spread, 200000);
    std::sort(sample.begin(), sample.end());
    double seconds = prefill_time(in, weights, answering_ways(serving), 16).value();
    double from = 0;
    for (std::size_t i = 0; i < kAnswers; ++i) {
      const double until = sample[(2 * i + 1) * sample.size() / (2 * kAnswers)];
      const auto left = static_cast<double>(kAnswers - i);
      seconds += (until - from) * decode_time(in, weights, Count<double>(left),
                                              Count<double>(150 + (from + until) / 2))
                                      .value();
      from = until;
    }
    INFO(spread.longest);
    CHECK_THAT(drained.time.value(), WithinRel(seconds, 0.03));
    CHECK(drained.tail < drained.time);
    CHECK(drained.busy.value() < 1);
    CHECK(rollout_floor(in, weights, rollout) < drained.time);
    CHECK(drain_even(in, weights, rollout) < drained.time);
    // Twice as many samples on as many slots wait for a place.
    rollout.samples = Count<double>(2.0 * kAnswers);
    CHECK(drain(in, weights, rollout).time > drained.time);
  }
}

TEST_CASE("a step of training by reward is the sum of its parts on chips that take turns") {
  const auto answers = reward_of();
  const double parts = number<term::kGenerateTime>(answers) + number<term::kLogProbTime>(answers) +
                       number<term::kUpdateTime>(answers) + number<term::kHandOverTime>(answers) +
                       number<term::kRestTime>(answers);
  CHECK_THAT(number<term::kStepExpected>(answers), WithinRel(parts, 1e-12));
  CHECK(number<term::kStepLower>(answers) <= number<term::kStepLow>(answers));
  CHECK(number<term::kStepLow>(answers) < number<term::kStepExpected>(answers));
  CHECK(number<term::kStepExpected>(answers) < number<term::kStepHigh>(answers));
  CHECK(number<term::kRewardFits>(answers) == 1);
  CHECK(number<term::kTrainingTime>(answers) == 1000 * number<term::kStepExpected>(answers));
  CHECK(number<term::kStepTokens>(answers) == 64 * 16 * 2560);
  CHECK(number<term::kGenerateEven>(answers) < number<term::kGenerateTime>(answers));
  CHECK(number<term::kGenerateAlone>(answers) < number<term::kGenerateTime>(answers));
  CHECK(!answers.get<term::kIdleTraining>().present());
}

TEST_CASE("chips apart work at the same time from one step behind on") {
  const auto apart = [](double behind) {
    return reward_of({}, {{"sharing", kApart}, {"generationChips", 32}, {"behind", behind}});
  };
  const auto in_step = apart(0);
  const auto one_off = apart(1);
  const auto steady = apart(8);
  const double generation = number<term::kGenerateTime>(one_off);
  const double training = number<term::kUpdateTime>(one_off) + number<term::kLogProbTime>(one_off);
  const double over = number<term::kHandOverTime>(one_off);
  CHECK_THAT(number<term::kStepExpected>(one_off),
             WithinRel(std::fmax(generation, training) + over, 1e-12));
  CHECK(number<term::kStepExpected>(in_step) > number<term::kStepExpected>(one_off));
  CHECK(number<term::kStepExpected>(steady) < number<term::kStepExpected>(one_off));
  CHECK(number<term::kGenerateTime>(in_step) == generation);
  CHECK(number<term::kBusySlots>(steady) == 1);
  CHECK(number<term::kIdleTraining>(one_off) > 0);
  CHECK(number<term::kGenerationChips>(one_off) == 32);
  CHECK(number<term::kTrainingChips>(one_off) == 32);
}

TEST_CASE("the split that is found is the best of those that are tried") {
  const auto found = reward_of({}, {{"sharing", kApart}});
  const double best = number<term::kStepExpected>(found);
  CHECK(number<term::kApartStep>(found) == best);
  CHECK(number<term::kBestSplit>(found) == number<term::kGenerationChips>(found));
  for (double chips = 8; chips < 64; chips += 8) {
    const auto other = reward_of({}, {{"sharing", kApart}, {"generationChips", chips}});
    INFO(chips);
    const double seconds = number<term::kStepExpected>(other);
    CHECK(seconds >= best);
    const bool flat =
        chips >= number<term::kSplitLow>(found) && chips <= number<term::kSplitHigh>(found);
    if (flat) CHECK(seconds <= 1.05 * best);
  }
  const auto turns = reward_of();
  CHECK(number<term::kTurnsStep>(found) == number<term::kStepExpected>(turns));
  CHECK_THAT(number<term::kGainApart>(found),
             WithinRel(number<term::kStepExpected>(turns) / best, 1e-12));
}

TEST_CASE("each part of a method takes its time and its memory") {
  const Settings all[] = {
      {{"oldPass", 0}}, {}, {{"referencePass", 1}}, {{"referencePass", 1}, {"rewardModel", 1}}};
  double passes = 0;
  for (const auto& reward : all) {
    const auto answers = reward_of(reward);
    const auto log_probs = answers.get<term::kLogProbTime>();
    CHECK(log_probs.present() == (passes > 0));
    const double factor = make<Pools>({})["trainingFactor"];
    if (passes > 0) {
      CHECK_THAT(log_probs.value.value(),
                 WithinRel(passes * factor * number<term::kForwardPass>(answers), 1e-12));
    }
    ++passes;
  }
  const auto grpo = reward_of();
  const auto ppo = reward_of({{"algorithm", inputs::index(RewardAlgorithm::kPpo)}});
  CHECK(!grpo.get<term::kCriticTime>().present());
  CHECK(number<term::kCriticTime>(ppo) == number<term::kUpdateTime>(ppo));
  CHECK(number<term::kHostUsed>(ppo) > number<term::kHostUsed>(grpo));
}

TEST_CASE("states that stay leave less room for answers") {
  const auto leave = reward_of({}, {{"chips", 16}});
  const auto stay = reward_of({}, {{"chips", 16}, {"statesLeave", 0}});
  CHECK(number<term::kHostUsed>(leave) > 0);
  CHECK(!stay.get<term::kHostUsed>().present());
  CHECK(number<term::kMemoryGenerating>(stay) > number<term::kMemoryGenerating>(leave));
}

TEST_CASE("other models beside the policy are made room for") {
  const auto ppo = answers_to<RewardQuestion>(
      input_of("h100-sxm", "llama-3.1-70b",
               {{"algorithm", inputs::index(RewardAlgorithm::kPpo)}, {"referencePass", 1}}));
  CHECK(number<term::kRewardFits>(ppo) == 1);
  CHECK(number<term::kMemoryTraining>(ppo) > 0);
}

TEST_CASE("what does not fit is answered all the same") {
  const auto answers =
      answers_to<RewardQuestion>(input_of("rtx-4090", "qwen3-8b", {}, {{"chips", 1}}));
  CHECK(number<term::kRewardFits>(answers) == 0);
  CHECK(number<term::kMemoryTraining>(answers) > number<term::kMemoryLimit>(answers));
  CHECK(number<term::kStepExpected>(answers) > 0);
  CHECK(!answers.get<term::kBestSplit>().present());
}

TEST_CASE("inputs of training by reward that contradict each other are refused") {
  check_issue({{"longestAnswer", 1024}}, {}, IssueCode::kBelowMinimum, "longestAnswer");
  check_issue({{"updates", 3}}, {}, IssueCode::kNotWholeSequences, "updates");
  check_issue({}, {{"chips", 1}, {"sharing", kApart}}, IssueCode::kBelowMinimum, "chips");
  check_issue({}, {{"sharing", kApart}, {"generationChips", 64}}, IssueCode::kAboveMaximum,
              "generationChips");
  check_issue({}, {{"generationTensor", 3}}, IssueCode::kTensorDoesntDivideHeads,
              "generationTensor");
  check_issue({}, {{"chips", 2}, {"generationTensor", 4}}, IssueCode::kAboveMaximum,
              "generationTensor");
  check_issue({}, {{"trainingTensor", 64}}, IssueCode::kTensorDoesntDivideHeads, "trainingTensor");
  check_issue({}, {{"trainingPipeline", 64}}, IssueCode::kMoreThanLayers, "trainingPipeline");
  check_issue({}, {{"trainingExpert", 3}}, IssueCode::kExpertsDontDivide, "trainingExpert");
  check_issue({}, {{"trainingContext", 128}}, IssueCode::kWaysDontDivide, "trainingTensor");
  CHECK(issues_of({}, {{"sharing", kTurns}, {"generationChips", 64}}).empty());
}

TEST_CASE("a chip without fp8 does not train in it") {
  const auto outcome =
      estimate<RewardQuestion>(input_of("a100-sxm-80gb", "qwen3-8b", {}, {{"fp8Training", 1}}));
  REQUIRE(outcome.issues.items().size() == 1);
  CHECK(outcome.issues.items()[0].code == IssueCode::kFormatNotSupported);
  CHECK(std::string_view(outcome.issues.items()[0].field) == "fp8Training");
}

TEST_CASE("weights are handed over by each way, or as measured") {
  const auto over = [](HandOver way, const Settings& more = {}) {
    Settings pools{{"sharing", kApart},
                   {"generationChips", 32},
                   {"generationTensor", 4},
                   {"handOver", inputs::index(way)}};
    pools.insert(pools.end(), more.begin(), more.end());
    return number<term::kHandOverTime>(reward_of({}, pools));
  };
  CHECK(over(HandOver::kResharded) < over(HandOver::kPackedRdma));
  CHECK(over(HandOver::kPackedRdma) < over(HandOver::kPacked));
  CHECK(over(HandOver::kPacked) < over(HandOver::kGathered));
  CHECK(over(HandOver::kPacked, {{"handOverSeconds", 12}}) == 12);
}

TEST_CASE("derivations of training by reward come to the answers") {
  for (const double sharing : {kTurns, kApart}) {
    const auto input = input_of("h100-sxm", "qwen3-30b-a3b", {}, {{"sharing", sharing}});
    const auto answers = answers_to<RewardQuestion>(input);
    for (std::size_t i = 0; i < answers.kSize; ++i) {
      if (answers.absences()[i] != Absence::kPresent) continue;
      static std::array<Node, 1u << 15> nodes;
      Tape tape(nodes);
      Issues issues;
      const NodeId root = explain<RewardQuestion>(input, i, tape, issues);
      INFO(answers.kList[i]->key);
      REQUIRE(root != kNowhere);
      CHECK(!tape.full());
      CHECK(tape[root].value == answers.values()[i]);
    }
  }
}

}  // namespace
}  // namespace scaling::test::reward_test
