// SPDX-License-Identifier: MIT
//
// Feeds any doubles to sampling: each sample of a sweep or a map is the estimate it stands for, bit
// for bit; crossings lie in their range, in order; roofs and the steps of collectives are what they
// can be.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "input.hpp"
#include "scaling/views/collective_steps.hpp"
#include "scaling/views/roofs.hpp"
#include "scaling/views/sweep.hpp"
#include "scaling/views/target.hpp"

namespace {

using namespace scaling;
using namespace scaling::fuzz;

constexpr std::size_t kMostValues = 5;

/// Values for a field, mostly valid ones.
struct AxisValues {
  std::array<double, kMostValues> values{};
  std::size_t count = 0;

  AxisValues(const FieldInfo& info, FuzzedDataProvider& data)
      : count(data.ConsumeIntegralInRange<std::size_t>(0, kMostValues)) {
    for (double& value : values) {
      value = some_value(info, data.ConsumeIntegral<std::uint8_t>(), data);
    }
  }

  std::span<const double> span() const { return std::span(values).first(count); }
};

template <class Question>
FieldPlace any_place(FuzzedDataProvider& data) {
  const auto group = data.ConsumeIntegralInRange<std::size_t>(0, std::size(Question::kGroups) - 1);
  return {group, data.ConsumeIntegralInRange<std::size_t>(0, Question::kGroups[group].size() - 1)};
}

template <class Question>
const FieldInfo& info_of(FieldPlace place) {
  return Question::kGroups[place.group][place.field];
}

template <class Question>
void expect_sample(const typename Question::Input& input, std::size_t answer, double value,
                   Absence absence) {
  const char* key = Question::template Answers<double>::kList[answer]->key;
  if (!std::isfinite(value)) fail("a sample is not finite", key, value);
  const auto outcome = estimate<Question>(input);
  const bool allowed = outcome.issues.empty();
  const Absence expected = allowed ? outcome.answers.absences()[answer] : Absence::kNotAllowed;
  if (absence != expected) fail("a sample is absent for another reason", key);
  if (absence != Absence::kPresent) return;
  if (!same_bits(value, outcome.answers.values()[answer])) {
    fail("a sample is not its estimate", key, value);
  }
}

template <class Question>
void test_samples(const typename Question::Input& input, std::size_t answer,
                  FuzzedDataProvider& data) {
  const FieldPlace x_place = any_place<Question>(data);
  const FieldPlace y_place = any_place<Question>(data);
  const AxisValues xs(info_of<Question>(x_place), data);
  const AxisValues ys(info_of<Question>(y_place), data);
  std::array<double, kMostValues * kMostValues> values;
  std::array<Absence, kMostValues * kMostValues> absences;
  const auto at = [&](typename Question::Input changed, FieldPlace place, double value) {
    Question::groups(changed)[place.group][place.field] = value;
    return changed;
  };

  // There is nothing to go along in a text.
  const auto is_text = [](FieldPlace place) {
    return info_of<Question>(place).kind == Kind::kText;
  };
  const bool sampled = sample<Question>(input, x_place, xs.span(), answer, {values, absences});
  if (sampled == is_text(x_place))
    fail("a field is sampled or not", info_of<Question>(x_place).key);
  if (!sampled) return;
  for (std::size_t i = 0; i < xs.count; ++i) {
    expect_sample<Question>(at(input, x_place, xs.values[i]), answer, values[i], absences[i]);
  }
  const bool mapped = sample_map<Question>(input, x_place, xs.span(), y_place, ys.span(), answer,
                                           {values, absences});
  if (mapped == is_text(y_place)) fail("a field is mapped or not", info_of<Question>(y_place).key);
  if (!mapped) return;
  std::size_t i = 0;
  for (const double y : ys.span()) {
    for (const double x : xs.span()) {
      expect_sample<Question>(at(at(input, y_place, y), x_place, x), answer, values[i],
                              absences[i]);
      ++i;
    }
  }
}

template <class Question>
void test_crossings(const typename Question::Input& input, std::size_t answer,
                    FuzzedDataProvider& data) {
  const FieldPlace place = any_place<Question>(data);
  const FieldInfo& info = info_of<Question>(place);
  // Any doubles must come to an end; of an ascending range the crossings must be in order.
  double from = some_value(info, data.ConsumeIntegral<std::uint8_t>(), data);
  double to = some_value(info, data.ConsumeIntegral<std::uint8_t>(), data);
  if (data.ConsumeIntegralInRange<int>(0, 7) > 0 && to < from) std::swap(from, to);
  std::array<Crossing, 4> storage;
  const auto room = data.ConsumeIntegralInRange<std::size_t>(0, storage.size());
  const std::size_t found =
      find_crossings<Question>(input, place, from, to, answer, std::span(storage).first(room));
  if (found > room) fail("more crossings than there is room for");
  if (!(from > 0 && from < to)) return;
  double before = from;
  for (const Crossing& crossing : std::span(storage).first(found)) {
    if (!(crossing.at > before && crossing.at <= to)) {
      fail("a crossing out of order", info.key, crossing.at);
    }
    if (std::isnan(crossing.before) || std::isnan(crossing.after) ||
        crossing.before == crossing.after) {
      fail("a crossing from nothing to nothing", info.key, crossing.at);
    }
    before = crossing.at;
  }
}

/// Tries any target: each turn leaves a valid input, and a forward evaluation confirms it.
template <class Question>
void test_target(const typename Question::Input& input, std::size_t answer,
                 FuzzedDataProvider& data) {
  const Target target{answer, static_cast<Wanted>(data.ConsumeIntegralInRange<int>(0, 2)),
                      data.ConsumeFloatingPoint<double>()};
  std::array<Turn, 64> storage;
  const auto room = data.ConsumeIntegralInRange<std::size_t>(0, storage.size());
  Solved solved;
  solve_target<Question>(input, target, std::span(storage).first(room), solved);
  if (solved.size > room) fail("more turns than there is room for");
  if ((solved.met || !solved.issues.empty()) && solved.size > 0) fail("turns of nothing");
  for (const Turn& turn : std::span(storage).first(solved.size)) {
    const FieldInfo& info = info_of<Question>(turn.place);
    auto turned = input;
    Question::groups(turned)[turn.place.group][turn.place.field] = turn.value;
    if constexpr (requires { turned.run; }) {
      if (turn.slices > 0) turned.run["slices"] = turn.slices;
    }
    const auto outcome = estimate<Question>(turned);
    if (!outcome.issues.empty()) fail("a turn leaves an invalid input", info.key, turn.value);
    if (turn.effect == Effect::kNone) continue;
    if (!same_bits(outcome.answers.values()[answer], turn.reached)) {
      fail("a turn tells another answer", info.key, turn.reached);
    }
    if (target.is_met_by(turn.reached) != (turn.effect == Effect::kMeets)) {
      fail("a turn is taken for another", info.key, turn.value);
    }
  }
}

template <class Question>
void test_question(FuzzedDataProvider& data) {
  const auto input = changed_input<Question>(data, 4);
  const auto answer =
      data.ConsumeIntegralInRange<std::size_t>(0, Question::template Answers<double>::kSize - 1);
  test_samples<Question>(input, answer, data);
  test_crossings<Question>(input, answer, data);
  test_target<Question>(input, answer, data);
}

void expect_roofs(const Roofs& roofs) {
  for (const auto figures :
       {std::span<const double>(roofs.peaks), std::span<const double>(roofs.slopes),
        std::span<const double>(roofs.ridges)}) {
    for (const double figure : figures) {
      if (!(figure >= 0) || std::isinf(figure)) fail("a roof is no number", "", figure);
    }
  }
}

void expect_steps(CollectiveSteps told, const CollectiveRequest<double>& request) {
  if (told.chips > CollectiveSteps::kMostChips || told.steps > CollectiveSteps::kMostSteps) {
    fail("more steps than there is room for");
  }
  const bool gathers =
      request.kind == CollectiveKind::kAllGather || request.kind == CollectiveKind::kPointToPoint;
  for (std::size_t step = 0; told.chips > 0 && step <= told.steps; ++step) {
    for (const std::uint8_t pieces : told.moment(step)) {
      if (pieces > (gathers ? 1 : told.chips)) fail("more pieces than there are");
    }
  }
}

void test_pictures(FuzzedDataProvider& data) {
  auto input = changed_input<CollectiveQuestion>(data);
  Issues issues;
  Issues notices;
  check<CollectiveQuestion>(input, issues, notices, [](const auto& typed) {
    expect_roofs(make_roofs(typed.chip, typed.mesh));
    expect_steps(make_collective_steps(typed.chip, typed.mesh, typed.collective), typed.collective);
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  FuzzedDataProvider data(bytes, size);
  switch (data.ConsumeIntegralInRange<int>(0, 4)) {
    case 0:
      test_question<TrainingQuestion>(data);
      break;
    case 1:
      test_question<OperationQuestion>(data);
      break;
    case 2:
      test_question<CollectiveQuestion>(data);
      break;
    case 3:
      test_question<BudgetQuestion>(data);
      break;
    default:
      test_pictures(data);
  }
  return 0;
}
