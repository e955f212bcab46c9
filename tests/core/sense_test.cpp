// SPDX-License-Identifier: MIT
//
// Every answer to every question is a number, its bounds are in order, and a faster chip is no
// slower.

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ends.hpp"
#include "plans.hpp"
#include "presets.hpp"
#include "scaling/search/serving_frontier.hpp"
#include "servers.hpp"
#include "share.hpp"

namespace scaling::test::sense_test {
namespace {

/// `value` by name, and where it stands, for the reader of a failure.
template <class Question>
std::string changes_of(typename Question::Input input) {
  std::string said;
  inputs::visit_fields(input, [&](const FieldInfo& info, double value) {
    if (std::string(info.group) == "chip" || std::string(info.group) == "model") return;
    if (value != info.fallback && !std::isnan(value)) {
      said += std::string(" ") + info.key + "=" + std::to_string(value);
    }
  });
  return said;
}

template <class Question>
void check_numbers(const typename Question::Input& input) {
  const auto outcome = estimate<Question>(input);
  if (!outcome.issues.empty()) return;
  // One check for all: a check for each of millions of numbers takes longer than all the numbers.
  std::string wrong;
  for (std::size_t i = 0; i < outcome.answers.kSize; ++i) {
    const Absence absence = outcome.answers.absences()[i];
    const bool present = absence == Absence::kPresent;
    if (absence == Absence::kOutOfRange || (present && !std::isfinite(outcome.answers.values()[i])))
      wrong += std::string(" ") + outcome.answers.kList[i]->key;
  }
  CHECK(wrong == "");
}

PlanQuestion::Input plan_of(const Raw<Chip>& chip, const Raw<Model>& model, const Settings& run,
                            const Settings& layout = {}, const Settings& stack = {}) {
  return {chip,
          model,
          make<Run>(run),
          make<Layout>(layout),
          make<Stack>(stack),
          Raw<Assumptions>::defaults(),
          Raw<SearchSpace>::defaults()};
}

/// The value of an answer, or NaN where there is none.
template <class Answers>
double value_of(const Answers& answers, const Term& term) {
  const auto& list = Answers::kList;
  const auto at =
      static_cast<std::size_t>(std::find(list.begin(), list.end(), &term) - list.begin());
  REQUIRE(at < list.size());
  const bool present = answers.absences()[at] == Absence::kPresent;
  return present ? answers.values()[at] : std::nan("");
}

/// Whether the answers that are there do not fall from one to the next.
template <class Answers>
void check_order(const Answers& answers, std::initializer_list<const Term*> terms) {
  double before = 0;
  for (const Term* term : terms) {
    const double value = value_of(answers, *term);
    if (std::isnan(value)) continue;
    CAPTURE(term->key);
    CHECK(before <= value);
    before = value;
  }
}

constexpr std::initializer_list<const Term*> kStepOrder = {
    &term::kStepLower, &term::kStepLow, &term::kStepExpected, &term::kStepHigh, &term::kStepUpper};

constexpr const char* kRates[] = {"peakBf16",
                                  "peakFp16",
                                  "peakFp32",
                                  "peakTf32",
                                  "peakFp8",
                                  "peakInt8",
                                  "peakFp4",
                                  "peakVector",
                                  "memoryBandwidth",
                                  "memory",
                                  "onChipMemory",
                                  "onChipBandwidth",
                                  "scaleUpBandwidth",
                                  "scaleOutBandwidth",
                                  "linkBandwidth",
                                  "hostBandwidth",
                                  "power"};

/// A preset by chance whose 16- or 32-bit peak is known.
const std::pair<const std::string, Raw<Chip>>& any_chip(inputs::Numbers& numbers) {
  for (;;) {
    const auto& found =
        *std::next(chips().begin(), static_cast<long>(numbers.place(chips().size())));
    if (has_wide_peak(found.second)) return found;
  }
}

Planned any_plan_of_presets(inputs::Numbers& numbers) {
  Planned in;
  const auto& [id, chip] = any_chip(numbers);
  in.chip = chip;
  in.model = std::next(models().begin(), static_cast<long>(numbers.place(models().size())))->second;
  in = any_plan(in, numbers);
  if (numbers.below(3) > 0) in = in.under({{"rates", RatesFrom::kMeasured}});
  if (!(in.chip["peakBf16"] > 0)) in = in.on({{"computeFormat", compute_format_of(chip)}});
  return in;
}

ServingQuestion::Input any_server(inputs::Numbers& numbers) {
  const auto one_of = [&](std::initializer_list<double> values) {
    return values.begin()[numbers.place(values.size())];
  };
  const auto& model =
      std::next(models().begin(), static_cast<long>(numbers.place(models().size())))->second;
  const double tensor = one_of({1, 2, 4, 8});
  const bool sparse = typed(model).sparse();
  return {any_chip(numbers).second, model,
          make<Serving>({{"load", numbers.below(std::size(kServingLoadNames))},
                         {"users", one_of({1, 4, 16, 64, 256, 1000})},
                         {"requestRate", one_of({0.1, 1, 5, 20})},
                         {"promptTokens", one_of({128, 1024, 8192})},
                         {"answerTokens", one_of({1, 64, 512})},
                         {"chips", tensor * one_of({1, 2, 4})},
                         {"tensor", tensor},
                         {"attentionData", one_of({1, 1, 2})},
                         {"expert", sparse ? one_of({1, tensor}) : 1},
                         {"draftTokens", one_of({0, 0, 3})},
                         {"prefixShare", one_of({0, 0.5})},
                         {"furtherTurns", one_of({0, 0, 10})},
                         {"turnGaps", numbers.below(std::size(kTurnGapsNames))},
                         {"thinkTime", one_of({0, 0, 10})},
                         {"promptSpread", one_of({0, 0, 1})},
                         {"answerSpread", one_of({0, 0, 1.5})},
                         {"apart", numbers.below(4) == 0},
                         {"prefillChips", one_of({1, 2, 4})},
                         {"prefillTensor", one_of({1, 2})}}),
          make<Server>({{"weights", numbers.below(std::size(kWeightFormatNames))},
                        {"cacheFormat", numbers.below(std::size(kKvFormatNames))},
                        {"rates", numbers.below(3) == 0}})};
}

/// Whether two plans compute the same tensors again, of as many layers.
template <class Answers>
bool recomputes_alike(const Answers& one, const Answers& other) {
  for (const Term* tensor :
       {&term::kAgainNorms, &term::kAgainProduct, &term::kAgainQkv, &term::kAgainAttention,
        &term::kAgainHidden, &term::kAgainMiddle, &term::kAgainResults}) {
    const double was = value_of(one, *tensor);
    const double is = value_of(other, *tensor);
    if (was != is && !(std::isnan(was) && std::isnan(is))) return false;
  }
  return true;
}

/// Whether a chip that is faster in one way takes no longer: with a rate by chance up to ten times
/// as high, no answer of `times` that `may_compare` allows rises.
template <class Question, class May>
void check_faster(const typename Question::Input& input, std::initializer_list<const Term*> times,
                  inputs::Numbers& numbers, May may_compare) {
  const auto before = estimate<Question>(input);
  if (!before.issues.empty()) return;
  for (const char* rate : kRates) {
    auto faster = input;
    double& value = raw_group<Chip>(faster)[rate];
    const double times_as_high[] = {1.1, 2, 10};
    const double scale = times_as_high[numbers.place(std::size(times_as_high))];
    if (!(value > 0)) continue;
    value *= scale;
    const auto after = estimate<Question>(faster);
    if (!after.issues.empty()) continue;
    for (const Term* time : times) {
      if (!may_compare(rate, *time, before.answers, after.answers)) continue;
      const double was = value_of(before.answers, *time);
      const double is = value_of(after.answers, *time);
      if (std::isnan(was) || std::isnan(is)) continue;
      CAPTURE(rate);
      CAPTURE(scale);
      CAPTURE(time->key);
      CAPTURE(changes_of<Question>(input));
      CHECK(is <= was * (1 + 1e-9));
    }
  }
}

}  // namespace

TEST_CASE("answers are numbers with any one field at its least or its most") {
  Share share;
  // One of each generation and network: others differ in their figures alone.
  std::set<std::pair<double, double>> tried;
  for (const auto& [id, chip] : chips()) {
    // Other chips compute in formats that a question must name.
    if (!has_wide_peak(chip) || !share.takes()) continue;
    const auto& values = chip.values;
    const double generation = values[index_of<Chip>("generation")];
    if (!tried.emplace(generation, values[index_of<Chip>("network")]).second) continue;
    CAPTURE(id);
    const double format = static_cast<double>(compute_format_of(chip));
    for (const char* name : {"llama-3-8b", "deepseek-v3", "gpt-oss-120b"}) {
      CAPTURE(name);
      const auto& model = models().at(name);
      const Settings run = {{"chips", 8}, {"computeFormat", format}};
      at_ends<PlanQuestion>(plan_of(chip, model, run), check_numbers<PlanQuestion>);
      at_ends<TrainingQuestion>({chip, model, make<Run>(run)}, check_numbers<TrainingQuestion>);
      for (std::size_t load = 0; load < std::size(kServingLoadNames); ++load) {
        at_ends<ServingQuestion>(
            {chip, model, make<Serving>({{"chips", 8}, {"tensor", 8}, {"load", load}}),
             Raw<Server>::defaults()},
            check_numbers<ServingQuestion>);
      }
    }
  }
}

// A sequence of one token was priced as if it read a cache, which a training has none of.
TEST_CASE("a plan of sequences of one token has times, and so has its search") {
  for (const auto& [id, chip] : chips()) {
    if (!has_wide_peak(chip)) continue;
    CAPTURE(id);
    const auto in =
        plan_of(chip, models().at("llama-3-8b"),
                {{"chips", 8}, {"sequenceLength", 1}, {"computeFormat", compute_format_of(chip)}});
    const auto outcome = estimate<PlanQuestion>(in);
    if (!outcome.issues.empty()) continue;
    CHECK(value_of(outcome.answers, term::kStepExpected) > 0);
    const auto search = std::make_unique<LayoutSearch>(PlanQuestion::read<double>(in).plain,
                                                       MapField::kTensor, MapField::kMicroBatch);
    while (!search->advance(1 << 16)) {
    }
    CHECK(std::isfinite(search->lower()));
    for (const auto list : {search->best(), search->chosen(), search->front()}) {
      for (const CostedLayout& plan : list) {
        CHECK(std::isfinite(plan.expected));
        CHECK(std::isfinite(plan.upper));
        CHECK(std::isfinite(plan.memory));
      }
    }
  }
}

TEST_CASE("a search has numbers with any one field at its least or its most") {
  Share share;
  const auto base = plan_of(chips().at("h100-sxm"), models().at("llama-3-8b"),
                            {{"chips", 8}, {"batchTokens", 1 << 18}});
  at_ends<PlanQuestion>(base, [&](const PlanQuestion::Input& asked) {
    auto in = asked;
    Issues issues;
    PlanQuestion::check_fields(in, issues);
    if (!issues.empty() || !share.takes()) return;
    const auto typed = PlanQuestion::read<double>(in).plain;
    if (typed.run.chips.value() > 64 || typed.run.batch_tokens.value() > 1e8) return;
    check_machine(typed, issues);
    if (!issues.empty()) return;
    const auto search =
        std::make_unique<LayoutSearch>(typed, MapField::kTensor, MapField::kMicroBatch);
    while (!search->advance(1 << 16)) {
    }
    CHECK(std::isfinite(search->lower()));
    for (const auto list : {search->best(), search->chosen(), search->front()}) {
      for (const CostedLayout& plan : list) {
        CHECK(std::isfinite(plan.lower));
        CHECK(std::isfinite(plan.expected));
        CHECK(std::isfinite(plan.upper));
        CHECK(std::isfinite(plan.memory));
      }
    }
    for (std::size_t x = 0; x < search->map_x().size(); ++x) {
      for (std::size_t y = 0; y < search->map_y().size(); ++y) {
        // A cell without a layout is 0.
        CHECK(search->map_at(x, y) >= 0);
        CHECK(std::isfinite(search->map_at(x, y)));
      }
    }
  });
}

TEST_CASE("what is likely of a step lies between its bounds") {
  inputs::Numbers numbers;
  Share share;
  for (int i = 0; i < 3000; ++i) {
    const Planned in = any_plan_of_presets(numbers);
    if (!share.takes()) continue;
    const auto outcome = in.outcome();
    if (!outcome.issues.empty()) continue;
    CAPTURE(changes_of<PlanQuestion>(in.input()));
    check_order(outcome.answers, kStepOrder);
  }
}

TEST_CASE("what is likely of the best layouts of presets lies between their bounds") {
  Share share;
  for (const auto& [id, chip] : chips()) {
    if (!has_wide_peak(chip)) continue;
    for (const char* name : {"llama-3-8b", "llama-3-70b", "deepseek-v3", "kimi-k2.5"}) {
      if (!share.takes()) continue;
      CAPTURE(id);
      CAPTURE(name);
      auto in = plan_of(chip, models().at(name),
                        {{"chips", 256}, {"computeFormat", compute_format_of(chip)}});
      auto plain = PlanQuestion::read<double>(in).plain;
      Issues issues;
      check_machine(plain, issues);
      if (!issues.empty()) continue;
      const auto search =
          std::make_unique<LayoutSearch>(plain, MapField::kTensor, MapField::kPipeline);
      search->find_best();
      for (const CostedLayout& plan : search->best()) {
        plain.layout = plan.layout;
        const auto step = cost_step<double>(plain, choose_for_layout(plain));
        const auto band = step_band<double>(plain, step);
        CHECK(step.lower <= band.low);
        CHECK(band.low <= step.expected);
        CHECK(step.expected <= band.high);
        CHECK(band.high <= step.upper);
      }
    }
  }
}

TEST_CASE("what is likely of a server lies between its bounds") {
  inputs::Numbers numbers;
  Share share;
  for (int i = 0; i < 3000; ++i) {
    const auto in = any_server(numbers);
    if (!share.takes()) continue;
    const auto outcome = estimate<ServingQuestion>(in);
    if (!outcome.issues.empty()) continue;
    CAPTURE(changes_of<ServingQuestion>(in));
    const auto& answers = outcome.answers;
    check_order(answers, {&term::kFirstTokenLower, &term::kFirstTokenLow, &term::kFirstToken,
                          &term::kFirstTokenHigh});
    check_order(answers, {&term::kTokenTimeLower, &term::kTokenTimeLow, &term::kTokenTime,
                          &term::kTokenTimeHigh});
    check_order(answers, {&term::kOutputSpeedLow, &term::kOutputSpeed, &term::kOutputSpeedHigh,
                          &term::kOutputSpeedUpper});
  }
}

TEST_CASE("a plan on a faster chip takes no longer") {
  inputs::Numbers numbers;
  Share share;
  for (int i = 0; i < 4000; ++i) {
    const Planned in = any_plan_of_presets(numbers);
    if (!share.takes()) continue;
    // Bubbles of split backward passes are sums that hold where those of weights are the shortest
    // and those of inputs the longest; elsewhere they are off by a few thousandths to both sides.
    const auto layout = typed(in.layout);
    if (layout.pipeline.value() > 1 && row_of(layout.schedule).splits_backward) continue;
    // Bounds are those of the layout that is expected to be the fastest. With more memory it
    // computes less again, or something else; on a torus it lies elsewhere. What is computed again
    // as needed is what costs the least for a byte, in whole layers: another choice may take
    // longer.
    const bool torus = typed(in.chip).network == Network::kTorus;
    const auto may = [&](const std::string& rate, const Term& time, const auto& was,
                         const auto& is) {
      if (rate != "memory" && !recomputes_alike(was, is)) return false;
      return &time == &term::kStepExpected || (rate != "memory" && !torus);
    };
    check_faster<PlanQuestion>(
        in.input(),
        {&term::kStepExpected, &term::kStepLower, &term::kStepUpper, &term::kTrainingTime}, numbers,
        may);
  }
}

// Power for a higher peak was taken from kernels that do not work at it: at four times its peak,
// a step of the second took 5.76 s for 3.00.
TEST_CASE("where power limits a chip, a higher peak takes no longer") {
  for (const char* id : {"h100-sxm", "b200-sxm", "gb300-nvl72"}) {
    CAPTURE(id);
    double before = 1e300;
    for (const double scale : {1.0, 1.25, 1.5, 2.0, 4.0, 10.0}) {
      auto chip = chips().at(id);
      chip["peakBf16"] *= scale;
      const auto answers =
          answers_to<PlanQuestion>(plan_of(chip, models().at("llama-3-8b"), {{"chips", 8}}));
      const double step = value_of(answers, term::kStepExpected);
      CHECK(step <= before);
      before = step;
    }
  }
}

TEST_CASE("steps of a server on a faster chip take no longer") {
  inputs::Numbers numbers;
  Share share;
  for (int i = 0; i < 3000; ++i) {
    const auto in = any_server(numbers);
    if (!share.takes()) continue;
    // Faster servers have other batches: more memory holds more sequences, and sooner answers leave
    // fewer at a time.
    const auto may = [&](const std::string& rate, const Term&, const auto& was, const auto& is) {
      return rate != "memory" &&
             value_of(was, term::kServingBatch) == value_of(is, term::kServingBatch);
    };
    check_faster<ServingQuestion>(in, {&term::kPrefillTime, &term::kDecodeStep}, numbers, may);
  }
}

// Source: NVIDIA-NeMo/Megatron-Bridge perf_recipes, deepseek_v3 on GB300: 61 layers on two stages
// of eight chunks, the last of which is short.
TEST_CASE("layers are placed in chunks as software places them") {
  const auto plan = [](const Settings& layout) {
    return estimate<PlanQuestion>(plan_of(chips().at("gb300-nvl72"), models().at("deepseek-v3"),
                                          {{"chips", 256}, {"batchTokens", 16777216}}, layout));
  };
  const auto time = [](const auto& outcome) {
    return value_of(outcome.answers, term::kStepExpected);
  };
  const Settings stages = {{"expert", 32}, {"schedule", kSchedule<Interleaved>}, {"pipeline", 2}};
  double before = 1e300;
  for (const double chunks : {1, 2, 4, 8}) {
    Settings layout = stages;
    layout.emplace_back("virtualStages", chunks);
    const auto outcome = plan(layout);
    CAPTURE(chunks);
    REQUIRE(outcome.issues.empty());
    // More chunks wait less.
    CHECK(value_of(outcome.answers, term::kBubbleTime) < before);
    before = value_of(outcome.answers, term::kBubbleTime);
    CHECK(time(outcome) > 0);
  }
  // The bubble is that of the longest chunk: 31 layers in 8 chunks, of 4 at most.
  CHECK(longest_chunk(count_of(61), typed(make<Layout>({{"schedule", kSchedule<Interleaved>},
                                                        {"pipeline", 2},
                                                        {"virtualStages", 8}})))
            .value() == 32.0 / 31);
}

TEST_CASE("a pattern's layers all lie on a stage, in chunks of any length") {
  Raw<Model> model = models().at("llama-3-8b");
  const double letters = 13;
  model = with(model, {{"layers", letters}, {"slidingWindow", 1024}});
  model.text("layerPattern") = Text("3x(ad wd) 4xad 3xwd");
  const auto typed_model = typed(model);
  for (const double stages : {2, 3, 4, 5}) {
    const double most = std::ceil(letters / stages);
    for (double chunks = 1; chunks <= most; ++chunks) {
      CAPTURE(stages);
      CAPTURE(chunks);
      const auto layout = typed(make<Layout>(
          {{"schedule", kSchedule<Interleaved>}, {"pipeline", stages}, {"virtualStages", chunks}}));
      double all = 0;
      double full = 0;
      for (double index = 0; index < stages; ++index) {
        const auto stage = make_stage(typed_model, layout, count_of(stages), index);
        all += (stage.dense + stage.sparse).value();
        for (const auto kinds : stage.kinds) full += kinds;
        CHECK((stage.dense + stage.sparse).value() <= most);
      }
      CHECK(all == letters);
      CHECK(full == letters);
    }
  }
}

// Source: yanring/Megatron-MoE-ModelZoo, best_practice/qwen3: 17.6 s a step of Qwen3-235B. FSDP may
// keep for the backward pass what it has gathered.
TEST_CASE("no lower bound counts a gather that software may avoid") {
  const auto answers = answers_to<PlanQuestion>(
      plan_of(chips().at("h100-sxm"), models().at("qwen3-235b-a22b"),
              {{"chips", 256}, {"batchTokens", 8388608}, {"sequenceLength", 4096}},
              {{"tensor", 2},
               {"expert", 8},
               {"microBatch", 4},
               {"sharding", StateSharding::kParameters},
               {"recompute", Recompute::kFull}}));
  CHECK(value_of(answers, term::kStepLower) < 17.6);
}

}  // namespace scaling::test::sense_test
