// SPDX-License-Identifier: MIT
//
// Feeds any doubles to the planner: it tells what is wrong with them, or costs a layout soundly,
// draws it, and searches all others in slices without an end to wait for.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>

#include "expect.hpp"
#include "scaling/search/layout_search.hpp"
#include "scaling/search/levers.hpp"
#include "scaling/views/timeline.hpp"

namespace {

using namespace scaling;
using namespace scaling::fuzz;

using Searched = SearchInput<double>;

// Adding up rounds.
constexpr double kRounding = 1 + 1e-9;

void expect_not_above(const char* what, double least, double most) {
  if (!(least <= most * kRounding)) fail(what, "more than it may be", least);
}

template <const Term& kTerm>
double value_of(const PlanQuestion::Answers<double>& answers) {
  const auto answer = answers.get<kTerm>();
  return answer.present() ? answer.value.value() : 0;
}

void expect_consistent(const PlanQuestion::Answers<double>& answers) {
  using namespace term;
  const bool all = answers.get<kStepLower>().present() && answers.get<kStepUpper>().present() &&
                   answers.get<kStepExpected>().present();
  if (all) {
    expect_not_above("lower", value_of<kStepLower>(answers), value_of<kStepExpected>(answers));
    expect_not_above("expected", value_of<kStepExpected>(answers), value_of<kStepUpper>(answers));
  }
  const auto shows_no_more = [&]<const Term & kExposed, const Term & kTime>() {
    if (!answers.get<kTime>().present()) return;
    expect_not_above(kExposed.key, value_of<kExposed>(answers), value_of<kTime>(answers));
  };
  shows_no_more.template operator()<kExposedTensor, kTimeTensor>();
  shows_no_more.template operator()<kExposedContext, kTimeContext>();
  shows_no_more.template operator()<kExposedExpert, kTimeExpert>();
  shows_no_more.template operator()<kExposedData, kTimeData>();
  shows_no_more.template operator()<kExposedPipeline, kTimePipeline>();
  shows_no_more.template operator()<kExposedHost, kTimeHost>();
  expect_not_above("goodput", value_of<kGoodput>(answers), 1);
}

void expect_plan(const CostedLayout& plan, double limit, bool fits) {
  const double numbers[] = {plan.data_ways, plan.micro_batches, plan.expected,
                            plan.lower,     plan.upper,         plan.memory};
  for (const double number : numbers) {
    if (std::isnan(number) || number < 0) fail("a plan's number", "", number);
  }
  const auto& layout = plan.layout;
  for (const auto ways : {layout.tensor, layout.context, layout.pipeline, layout.virtual_stages,
                          layout.expert, layout.expert_tensor, layout.micro_batch}) {
    if (!(ways.value() >= 1) || ways.value() != std::floor(ways.value())) {
      fail("a plan's ways", "", ways.value());
    }
  }
  if (fits && !(plan.memory <= limit)) fail("a plan that does not fit", "", plan.memory);
}

/// A layout that was found is one that may be asked for.
void expect_askable(Searched in, const CostedLayout& plan) {
  in.layout = plan.layout;
  const auto& layout = plan.layout;
  const std::pair<const FieldInfo&, double> values[] = {
      {field_of<Layout>("tensor"), layout.tensor.value()},
      {field_of<Layout>("context"), layout.context.value()},
      {field_of<Layout>("pipeline"), layout.pipeline.value()},
      {field_of<Layout>("virtualStages"), layout.virtual_stages.value()},
      {field_of<Layout>("expert"), layout.expert.value()},
      {field_of<Layout>("expertTensor"), layout.expert_tensor.value()},
      {field_of<Layout>("microBatch"), layout.micro_batch.value()}};
  for (const auto& [field, value] : values) {
    if (!is_allowed(field, value)) fail("a plan's field out of range", field.key, value);
  }
  if (!fits_together(in)) fail("a plan that does not fit together");
}

/// The same on other chips, or with a lever pulled: what can be done is an input again.
void test_changes(Searched in, FuzzedDataProvider& data) {
  if (data.ConsumeBool()) {
    pull(in, static_cast<Lever>(
                 data.ConsumeIntegralInRange<std::size_t>(0, std::size(kLeverNames) - 1)));
    return;
  }
  const FieldInfo& field = field_of<Run>("chips");
  const double chips = some_value(field, data.ConsumeIntegral<std::uint8_t>(), data);
  if (!set_chips(in, chips, data.ConsumeBool())) return;
  const std::pair<const FieldInfo&, double> values[] = {
      {field, in.run.chips.value()},
      {field_of<Run>("slices"), in.run.slices.value()},
      {field_of<Run>("batchTokens"), in.run.batch_tokens.value()}};
  for (const auto& [info, value] : values) {
    if (!is_allowed(info, value)) fail("chips bring a value out of range", info.key, value);
  }
}

/// A search of a few slices, of what no layout has to mend.
void test_search(const Searched& in, FuzzedDataProvider& data) {
  Issues issues;
  check_machine(in, issues);
  expect_named(issues);
  if (!issues.empty()) return;
  test_changes(in, data);
  constexpr std::size_t kFields = std::size(kMapFieldNames);
  const auto field = [&] {
    return static_cast<MapField>(data.ConsumeIntegralInRange<std::size_t>(0, kFields - 1));
  };
  const MapField x = field();
  const auto search = std::make_unique<LayoutSearch>(in, x, field());
  for (int slices = 0; slices < 4; ++slices) {
    const auto count = data.ConsumeIntegralInRange<std::size_t>(0, 64);
    const std::size_t evaluated = search->evaluated();
    if (search->advance(count)) break;
    // Four ways to divide the states, each with three choices, are costed at once.
    if (search->evaluated() > evaluated + count + 12) fail("a slice longer than it was asked for");
  }
  const double fraction = search->fraction();
  if (!(fraction >= 0 && fraction <= 1)) fail("a search's fraction", "", fraction);
  if (search->fitting() > search->evaluated()) fail("more fit than there are");
  double before = 0;
  for (const CostedLayout& plan : search->best()) {
    expect_plan(plan, search->limit(), true);
    expect_askable(in, plan);
    if (plan.expected < before) fail("the best are out of order");
    before = plan.expected;
  }
  before = 0;
  for (const CostedLayout& plan : search->front()) {
    expect_plan(plan, search->limit(), false);
    expect_askable(in, plan);
    if (plan.memory < before) fail("the front is out of order");
    before = plan.memory;
  }
}

void test_picture(const Searched& in, FuzzedDataProvider& data) {
  static Timeline timeline;
  make_timeline(in, timeline);
  for (std::size_t i = 0; i < timeline.size; ++i) {
    const TimelineEvent& event = timeline.events[i];
    if (!(event.start >= 0 && event.start < event.end && event.end <= timeline.end)) {
      fail("an event's time", "", event.start);
    }
    if (!(event.lane >= 0 && event.lane < timeline.lanes)) fail("an event's lane", "", event.lane);
  }
  const LayoutChoice choice = choose_for_layout(in);
  const double stages = in.layout.pipeline.value();
  const double index = std::floor(stages * data.ConsumeIntegral<std::uint8_t>() / 256.0);
  const double total = memory_of_stage(in, choice, index).total().value();
  if (std::isnan(total) || total < 0) fail("a stage's memory", "", total);
}

/// Numbers of this size are beyond any machine, but not beyond doubles: sums of them are infinite.
bool overflows(const PlanQuestion::Answers<double>& answers) {
  const auto& absences = answers.absences();
  return std::find(absences.begin(), absences.end(), Absence::kOutOfRange) != absences.end();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  FuzzedDataProvider data(bytes, size);
  const bool any = data.ConsumeIntegralInRange<int>(0, 15) == 0;
  constexpr std::size_t kAnswers = PlanQuestion::Answers<double>::kSize;
  const auto explained = data.ConsumeIntegralInRange<std::size_t>(0, kAnswers - 1);
  const auto room = data.ConsumeIntegral<std::uint8_t>();
  const bool searches = data.ConsumeBool();
  // Most changes at once break a layout.
  const int changes = data.ConsumeIntegralInRange<int>(0, 12);
  auto input = any ? any_input<PlanQuestion>(data) : changed_input<PlanQuestion>(data, changes);

  const Outcome<PlanQuestion> outcome = estimate<PlanQuestion>(input);
  expect_named(outcome.issues);
  expect_named(outcome.notices);
  if (outcome.issues.empty()) {
    for (std::size_t i = 0; i < kAnswers; ++i) {
      expect_answer(*outcome.answers.kList[i], outcome.answers.values()[i],
                    outcome.answers.absences()[i]);
    }
    expect_consistent(outcome.answers);
  }
  expect_explained<PlanQuestion, 1u << 15>(input, outcome, explained);
  expect_bounded<PlanQuestion>(input, explained, room);

  Issues issues;
  PlanQuestion::check_fields(input, issues);
  if (!issues.empty()) return 0;
  inputs::visit_fields(input, expect_valid);
  const Searched in = PlanQuestion::read<double>(input).plain;
  if (outcome.issues.empty() && !overflows(outcome.answers)) test_picture(in, data);
  if (searches) test_search(in, data);
  return 0;
}
