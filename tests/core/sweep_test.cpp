// SPDX-License-Identifier: MIT
//
// Many answers at once: that each sample is the estimate it stands for, bit for bit, and that
// places where a choice changes are found exactly.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>
#include <vector>

#include "share.hpp"
#include "support.hpp"

namespace scaling::test::sweep_test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

struct Sample {
  double value;
  Absence absence;

  bool operator==(const Sample& other) const {
    return same_bits(value, other.value) && absence == other.absence;
  }
};

/// The sample that a single evaluation gives.
template <class Question>
Sample single(const typename Question::Input& input, std::size_t answer) {
  const auto outcome = estimate<Question>(input);
  if (!outcome.issues.empty()) return {0, Absence::kNotAllowed};
  const Absence absence = outcome.answers.absences()[answer];
  return {absence == Absence::kPresent ? outcome.answers.values()[answer] : 0, absence};
}

template <class Question>
typename Question::Input changed(typename Question::Input input, FieldPlace place, double x) {
  Question::groups(input)[place.group][place.field] = x;
  return input;
}

template <class Question>
std::vector<Sample> sweep(const typename Question::Input& input, FieldPlace place,
                          const std::vector<double>& xs, std::size_t answer) {
  std::vector<double> values(xs.size());
  std::vector<Absence> absences(xs.size());
  sample<Question>(input, place, xs, answer, {values, absences});
  std::vector<Sample> result;
  for (std::size_t i = 0; i < xs.size(); ++i) result.push_back({values[i], absences[i]});
  return result;
}

template <class Question>
std::vector<Sample> map(const typename Question::Input& input, FieldPlace x_place,
                        const std::vector<double>& xs, FieldPlace y_place,
                        const std::vector<double>& ys, std::size_t answer) {
  std::vector<double> values(xs.size() * ys.size());
  std::vector<Absence> absences(values.size());
  sample_map<Question>(input, x_place, xs, y_place, ys, answer, {values, absences});
  std::vector<Sample> result;
  for (std::size_t i = 0; i < values.size(); ++i) result.push_back({values[i], absences[i]});
  return result;
}

template <class Question>
std::vector<FieldPlace> all_places() {
  std::vector<FieldPlace> places;
  for (std::size_t group = 0; group < std::size(Question::kGroups); ++group) {
    for (std::size_t field = 0; field < Question::kGroups[group].size(); ++field) {
      if (has_field<Question>({group, field})) places.push_back({group, field});
    }
  }
  return places;
}

template <class Question>
const FieldInfo& info_of(FieldPlace place) {
  return Question::kGroups[place.group][place.field];
}

/// Values that a field may have, and some that it may not.
std::vector<double> values_of(const FieldInfo& info) {
  std::vector<double> xs;
  for (const double share : {0.0, 0.2, 0.35, 0.5, 0.65, 0.8, 1.0}) {
    xs.push_back(inputs::spread(info, share));
  }
  xs.insert(xs.end(), {-0.0, -1, 0.5, info.maximum + 1, kNan, kInfinity, -kInfinity, 1e308});
  return xs;
}

// --- samples ---

/// Sweeps every field of `bases` inputs, each time another answer; others may be wrong as well.
template <class Question>
void check_sweeps(std::size_t bases) {
  inputs::Numbers numbers;
  Share share;
  std::size_t present = 0;
  for (std::size_t base = 0; base < bases; ++base) {
    for (const FieldPlace place : all_places<Question>()) {
      const FieldInfo& info = info_of<Question>(place);
      const auto input = inputs::vary<Question>(inputs::base<Question>(base), numbers, 1);
      const std::size_t answer = numbers.place(Question::template Answers<double>::kSize);
      if (!share.takes()) continue;
      const auto xs = values_of(info);
      const auto found = sweep<Question>(input, place, xs, answer);
      std::ostringstream wrong;
      for (std::size_t i = 0; i < xs.size(); ++i) {
        const auto expected = single<Question>(changed<Question>(input, place, xs[i]), answer);
        if (!(found[i] == expected)) wrong << xs[i] << " ";
        present += expected.absence == Absence::kPresent;
      }
      INFO(info.group << "." << info.key << ", answer " << answer << ", base " << base << ": "
                      << wrong.str());
      CHECK(wrong.str().empty());
    }
  }
  CHECK(present > 1000 / Share::one_in());
}

TEST_CASE("a sweep's samples are the estimates they stand for, bit for bit") {
  check_sweeps<TrainingQuestion>(9);
  check_sweeps<OperationQuestion>(3 * std::size(kOperationKindNames) + 7);
  check_sweeps<CollectiveQuestion>(9 * std::size(kCollectiveKindNames));
}

/// Maps over pairs of fields.
template <class Question>
void check_maps(std::size_t count) {
  inputs::Numbers numbers;
  Share share;
  const auto places = all_places<Question>();
  std::size_t present = 0;
  for (std::size_t n = 0; n < count; ++n) {
    const auto input = inputs::vary<Question>(inputs::base<Question>(n), numbers, 1);
    const FieldPlace x_place = places[numbers.place(places.size())];
    const FieldPlace y_place = places[numbers.place(places.size())];
    const std::size_t answer = numbers.place(Question::template Answers<double>::kSize);
    if (!share.takes()) continue;
    const auto xs = values_of(info_of<Question>(x_place));
    const auto ys = values_of(info_of<Question>(y_place));
    const auto found = map<Question>(input, x_place, xs, y_place, ys, answer);
    std::size_t at = 0;
    std::size_t differing = 0;
    for (const double y : ys) {
      for (const double x : xs) {
        const auto expected = single<Question>(
            changed<Question>(changed<Question>(input, y_place, y), x_place, x), answer);
        differing += !(found[at++] == expected);
        present += expected.absence == Absence::kPresent;
      }
    }
    INFO(info_of<Question>(x_place).key << " by " << info_of<Question>(y_place).key << ", answer "
                                        << answer << ", base " << n);
    CHECK(differing == 0);
  }
  CHECK(present > 1000 / Share::one_in());
}

TEST_CASE("a map's samples are the estimates they stand for, a row for each y") {
  check_maps<TrainingQuestion>(200);
  check_maps<OperationQuestion>(600);
  check_maps<CollectiveQuestion>(300);
}

TEST_CASE("a field over itself is a map of the columns' values") {
  const auto input = inputs::base<OperationQuestion>(15);
  const auto place = place_of<OperationQuestion>("operation.batch");
  const auto answer = answer_of<OperationQuestion>(term::kFlops);
  const std::vector<double> xs{1, 2, 3};
  const auto row = sweep<OperationQuestion>(input, place, xs, answer);
  const auto found = map<OperationQuestion>(input, place, xs, place, {7, -1}, answer);
  for (std::size_t i = 0; i < 6; ++i) CHECK(found[i] == row[i % 3]);
}

TEST_CASE("a sweep over kinds gives a layer's operations, over choices a value for each") {
  const OperationQuestion::Input input{tpu_v5e(), mixtral_8x7b(), Raw<Mesh>::defaults(),
                                       Raw<OperationRequest>::defaults()};
  std::vector<double> kinds(std::size(kOperationKindNames));
  for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i] = static_cast<double>(i);
  const auto flops = sweep<OperationQuestion>(input, place_of<OperationQuestion>("operation.kind"),
                                              kinds, answer_of<OperationQuestion>(term::kFlops));
  double parts = 0;
  const auto at = [&](OperationKind kind) { return flops[static_cast<std::size_t>(kind)].value; };
  for (const Sample& each : flops) CHECK(each.absence == Absence::kPresent);
  for (const auto kind :
       {kOperation<operations::Norm>, kOperation<operations::Norm>,
        kOperation<operations::QkvProjection>, kOperation<operations::AttentionCore>,
        kOperation<operations::OutputProjection>, kOperation<operations::Router>,
        kOperation<operations::Experts>}) {
    parts += at(kind);
  }
  CHECK_THAT(at(kOperation<operations::Layer>), WithinRel(parts, 1e-14));
}

TEST_CASE("where an input is not valid, so is its sample; elsewhere it says why it has no value") {
  const auto input = inputs::base<OperationQuestion>(15);
  const auto samples_of = [&](const char* field, const std::vector<double>& xs, const Term& term) {
    return sweep<OperationQuestion>(input, place_of<OperationQuestion>(field), xs,
                                    answer_of<OperationQuestion>(term));
  };
  const auto flops = samples_of("operation.batch", {0, 0.5, 1, 1e12, 1e13, kNan}, term::kFlops);
  const bool allowed[] = {false, false, true, true, false, false};
  for (std::size_t i = 0; i < flops.size(); ++i) {
    CHECK((flops[i].absence == Absence::kPresent) == allowed[i]);
    CHECK((flops[i].absence == Absence::kNotAllowed) != allowed[i]);
    if (!allowed[i]) CHECK(flops[i].value == 0);
  }
  const auto network = samples_of("operation.batch", {1}, term::kNetworkTime);
  CHECK(network[0].absence == Absence::kNotApplicable);
}

TEST_CASE("one other field that is wrong, and no sample is allowed") {
  auto input = inputs::base<CollectiveQuestion>(0);
  input.chip = with(input.chip, {{"memory", -1}});
  for (const char* field : {"collective.bytes", "collective.kind", "mesh.x"}) {
    for (const Sample& each :
         sweep<CollectiveQuestion>(input, place_of<CollectiveQuestion>(field), {1, 2},
                                   answer_of<CollectiveQuestion>(term::kCollectiveTime))) {
      CHECK(each.absence == Absence::kNotAllowed);
    }
  }
  // The input's own value of the swept field does not matter.
  const auto memory =
      sweep<CollectiveQuestion>(input, place_of<CollectiveQuestion>("chip.memory"), {-1, 1e9},
                                answer_of<CollectiveQuestion>(term::kCollectiveTime));
  CHECK(memory[0].absence == Absence::kNotAllowed);
  CHECK(memory[1].absence == Absence::kPresent);
}

TEST_CASE("no values, no samples") {
  CHECK(sweep<OperationQuestion>(inputs::base<OperationQuestion>(0), {0, 0}, {}, 0).empty());
  CHECK(map<OperationQuestion>(inputs::base<OperationQuestion>(0), {0, 0}, {}, {3, 0}, {1}, 0)
            .empty());
}

// --- crossings ---

template <class Question>
std::vector<Crossing> crossings(const typename Question::Input& input, const char* field,
                                double from, double to, const Term& term, std::size_t most = 16) {
  std::vector<Crossing> found(most);
  found.resize(find_crossings<Question>(input, place_of<Question>(field), from, to,
                                        answer_of<Question>(term), found));
  return found;
}

OperationQuestion::Input matmul_of(const Raw<Chip>& chip, const Settings& settings,
                                   const Settings& mesh = {}) {
  return {chip, Raw<Model>::defaults(), make<Mesh>(mesh), make<OperationRequest>(settings)};
}

TEST_CASE("a crossing lies between whole numbers, as exact as doubles are") {
  const auto input = matmul_of(tpu_v5e(), {});
  const auto found = crossings<OperationQuestion>(input, "operation.batch", 1, 1e6, term::kBound);
  REQUIRE(found.size() == 1);
  const double exact = number<term::kExactCriticalBatch>(answers_to<OperationQuestion>(input));
  CHECK(exact != std::floor(exact));
  CHECK_THAT(found[0].at, WithinRel(exact, 1e-13));
  CHECK(found[0].before == static_cast<double>(Bound::kMemory));
  CHECK(found[0].after == static_cast<double>(Bound::kCompute));
}

TEST_CASE("a crossing is the same from whatever range it is looked for in") {
  const auto input = matmul_of(tpu_v5e(), {});
  const double at =
      crossings<OperationQuestion>(input, "operation.batch", 1, 1e6, term::kBound)[0].at;
  for (const auto& [from, to] : {std::pair{1.0, 1e12}, {at * 0.999, at * 1.001}, {at / 2, 1e3}}) {
    const auto found =
        crossings<OperationQuestion>(input, "operation.batch", from, to, term::kBound);
    REQUIRE(found.size() == 1);
    CHECK_THAT(found[0].at, WithinRel(at, 1e-13));
  }
  CHECK(
      crossings<OperationQuestion>(input, "operation.batch", 1, at * 0.999, term::kBound).empty());
  CHECK(crossings<OperationQuestion>(input, "operation.batch", at * 1.001, 1e12, term::kBound)
            .empty());
}

/// Partial sums of few rows wait for hops, of more for weights, of many for their bytes.
OperationQuestion::Input two_crossings() {
  return matmul_of(
      with(tpu_v5e(), {{"linkBandwidth", 4e11}}),
      {{"kind", kOperation<operations::ShardedMatmul>}, {"output", 16384}, {"contraction", 4096}},
      {{"x", 16}});
}

TEST_CASE("several crossings, in order, each from where the one before led") {
  const auto found =
      crossings<OperationQuestion>(two_crossings(), "operation.batch", 1, 1e6, term::kBound);
  REQUIRE(found.size() == 2);
  CHECK(found[0].at < found[1].at);
  CHECK(found[0].before == static_cast<double>(Bound::kNetwork));
  CHECK(found[0].after == static_cast<double>(Bound::kMemory));
  CHECK(found[1].before == static_cast<double>(Bound::kMemory));
  CHECK(found[1].after == static_cast<double>(Bound::kNetwork));
}

TEST_CASE("a crossing close behind another is found as well") {
  // Gathering its weights takes a little less than moving what the critical batch moves: network,
  // memory and computing bind one after another within 3 %.
  const double size = 4096;
  const auto request = matmul_of(tpu_v5e(),
                                 {{"kind", kOperation<operations::ShardedMatmul>},
                                  {"activationSharding", ActivationSharding::kNone},
                                  {"contraction", size},
                                  {"output", size}},
                                 {{"x", 16}});
  const double critical = number<term::kExactCriticalBatch>(answers_to<OperationQuestion>(request));
  const double close = 0.97 * critical;
  const double memory_time = 2 * (2 * close * size + size * size) / 8.2e11;
  auto input = request;
  input.chip = with(input.chip, {{"linkBandwidth", size * size / memory_time}});
  const auto found =
      crossings<OperationQuestion>(input, "operation.batch", 0.95 * critical, 1e9, term::kBound);
  REQUIRE(found.size() == 2);
  CHECK_THAT(found[0].at, WithinRel(close, 1e-12));
  CHECK(found[0].before == static_cast<double>(Bound::kNetwork));
  CHECK(found[0].after == static_cast<double>(Bound::kMemory));
  CHECK_THAT(found[1].at, WithinRel(critical, 1e-12));
  CHECK(found[1].before == static_cast<double>(Bound::kMemory));
  CHECK(found[1].after == static_cast<double>(Bound::kCompute));
}

TEST_CASE("there is room for as many crossings as asked for, the first ones") {
  const auto at_most = [](std::size_t most) {
    return crossings<OperationQuestion>(two_crossings(), "operation.batch", 1, 1e6, term::kBound,
                                        most);
  };
  REQUIRE(at_most(1).size() == 1);
  CHECK(at_most(1)[0].at == at_most(16)[0].at);
  CHECK(at_most(0).empty());
}

TEST_CASE("where there is no choice there is nothing to cross to") {
  // A v5e has no network beyond 16 chips along x: the answer ends, it does not change.
  const auto input = matmul_of(tpu_v5e(), {{"kind", kOperation<operations::ShardedMatmul>}});
  for (const auto& crossing : crossings<OperationQuestion>(input, "mesh.x", 1, 1e3, term::kBound)) {
    CHECK(crossing.at <= 16);
  }
  auto wrong = input;
  wrong.chip = with(wrong.chip, {{"memory", -1}});
  CHECK(crossings<OperationQuestion>(wrong, "operation.batch", 1, 1e6, term::kBound).empty());
}

/// Checks that on both sides of each crossing the choice is the stated one, and that no
/// neighbouring samples of a grid differ without a crossing between them.
template <class Question>
void check_crossings(std::size_t bases, const Term& term) {
  inputs::Numbers numbers;
  Share share;
  std::size_t found_some = 0;
  for (std::size_t base = 0; base < bases; ++base) {
    const auto input = inputs::vary<Question>(inputs::base<Question>(base), numbers, 2);
    for (const FieldPlace place : all_places<Question>()) {
      const FieldInfo& info = info_of<Question>(place);
      if (info.kind == Kind::kChoice || info.kind == Kind::kFlag) continue;
      const double from = std::max(info.minimum, 1e-6);
      if (info.maximum <= from || numbers.below(4) > 0 || !share.takes()) continue;
      std::array<Crossing, 8> found;
      const std::size_t answer = answer_of<Question>(term);
      const std::size_t count =
          find_crossings<Question>(input, place, from, info.maximum, answer, found);
      const Along<Question> choice(input, place, answer);
      INFO(info.group << "." << info.key << ", base " << base);
      for (std::size_t i = 0; i < count; ++i) {
        ++found_some;
        CHECK(found[i].at > from);
        CHECK(found[i].at <= info.maximum);
        CHECK(found[i].before != found[i].after);
        CHECK(choice(found[i].at) == found[i].after);
        const double before = choice(found[i].at * (1 - 3e-14));
        // Between whole numbers, a count may have no answer: chips of no shape of a torus.
        const bool none = info.kind == Kind::kCount && std::isnan(before);
        CHECK((none || before == found[i].before));
        if (i > 0) CHECK(found[i].at > found[i - 1].at);
      }
    }
  }
  CHECK(found_some > 20 / Share::one_in());
}

TEST_CASE(
    "between samples of a map that differ there is a border, and on both sides the choice is "
    "theirs") {
  const auto input = matmul_of(tpu_v5e(), {});
  const FieldPlace x = place_of<OperationQuestion>("operation.batch");
  const FieldPlace y = place_of<OperationQuestion>("operation.output");
  std::vector<double> xs;
  for (double value = 1; value <= 65536; value *= 2) xs.push_back(value);
  std::vector<double> ys;
  for (double value = 128; value <= 65536; value *= 2) ys.push_back(value);
  const std::size_t answer = answer_of<OperationQuestion>(term::kBound);
  std::vector<double> values(xs.size() * ys.size());
  std::vector<Absence> absences(values.size());
  sample_map<OperationQuestion>(input, x, xs, y, ys, answer, {values, absences});
  std::array<Border, 256> borders;
  const auto find = [&](std::span<Border> space) {
    return find_borders<OperationQuestion>(input, x, xs, y, ys, answer, {values, absences}, space);
  };
  const std::size_t count = find(borders);
  std::size_t differing = 0;
  for (std::size_t row = 0; row < ys.size(); ++row) {
    for (std::size_t column = 0; column < xs.size(); ++column) {
      const std::size_t at = row * xs.size() + column;
      if (column + 1 < xs.size() && values[at] != values[at + 1]) ++differing;
      if (row + 1 < ys.size() && values[at] != values[at + xs.size()]) ++differing;
    }
  }
  CHECK(count == differing);
  CHECK(count > 10);
  for (const Border& border : std::span(borders).first(count)) {
    const auto sample = static_cast<std::size_t>(border.sample);
    const std::size_t column = sample % xs.size();
    const std::size_t row = sample / xs.size();
    const bool up = border.up > 0;
    const auto there = changed<OperationQuestion>(input, up ? x : y, up ? xs[column] : ys[row]);
    const Along<OperationQuestion> choice(there, up ? y : x, answer);
    INFO("sample " << sample << (up ? " up" : " to the right") << " at " << border.at);
    CHECK(border.at > (up ? ys[row] : xs[column]));
    CHECK(border.at <= (up ? ys[row + 1] : xs[column + 1]));
    CHECK(choice(border.at * (1 - 2e-6)) == values[sample]);
    CHECK(choice(border.at) == values[sample + (up ? xs.size() : 1)]);
  }
  CHECK(find(std::span(borders).first(3)) == 3);
  // Choices and flags have nothing between them.
  const FieldPlace kind = place_of<OperationQuestion>("operation.kind");
  CHECK(find_borders<OperationQuestion>(input, kind, xs, y, ys, answer, {values, absences},
                                        borders) == 0);
}

TEST_CASE("on both sides of a crossing the choice is what the crossing says") {
  check_crossings<OperationQuestion>(3 * std::size(kOperationKindNames), term::kBound);
  check_crossings<CollectiveQuestion>(9 * std::size(kCollectiveKindNames), term::kCollectiveBound);
  check_crossings<TrainingQuestion>(27, term::kBound);
}

// The arguments of the binding are checked here: places beyond its lists were read before.
TEST_CASE("fields and answers that there are not, and too little room, are refused") {
  const OperationQuestion::Input input = inputs::base<OperationQuestion>(0);
  std::array<double, 8> values;
  std::array<Absence, 8> absences;
  const SampleSpace out{values, absences};
  const std::array<double, 8> xs{1, 2, 3, 4, 5, 6, 7, 8};
  const std::array<double, 9> nine{};
  const FieldPlace good{3, 0};
  constexpr std::size_t kAnswers = OperationQuestion::Answers<double>::kSize;
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  values.fill(-7);
  CHECK(sample<OperationQuestion>(input, good, xs, 0, out));
  CHECK(values[7] != -7);
  values.fill(-7);
  for (const FieldPlace bad : {FieldPlace{4, 0}, FieldPlace{0, 1000}, FieldPlace{kMost, 0},
                               FieldPlace{0, kMost}, FieldPlace{kMost, kMost}}) {
    CHECK_FALSE(sample<OperationQuestion>(input, bad, xs, 0, out));
    CHECK_FALSE(sample_map<OperationQuestion>(input, bad, std::span(xs).first(2), good,
                                              std::span(xs).first(2), 0, out));
    CHECK_FALSE(sample_map<OperationQuestion>(input, good, std::span(xs).first(2), bad,
                                              std::span(xs).first(2), 0, out));
    std::array<Crossing, 2> crossings;
    CHECK(find_crossings<OperationQuestion>(input, bad, 1, 2, 0, crossings) == 0);
  }
  for (const std::size_t answer : {kAnswers, kAnswers + 1, kMost}) {
    CHECK_FALSE(sample<OperationQuestion>(input, good, xs, answer, out));
    std::array<Crossing, 2> crossings;
    CHECK(find_crossings<OperationQuestion>(input, good, 1, 2, answer, crossings) == 0);
  }
  CHECK_FALSE(sample<OperationQuestion>(input, good, nine, 0, out));
  CHECK_FALSE(sample_map<OperationQuestion>(input, good, std::span(xs).first(3), good,
                                            std::span(xs).first(3), 0, out));
  CHECK(values == std::array<double, 8>{-7, -7, -7, -7, -7, -7, -7, -7});
}

}  // namespace
}  // namespace scaling::test::sweep_test
