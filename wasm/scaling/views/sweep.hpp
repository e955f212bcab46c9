// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <span>

#include "scaling/questions/estimate.hpp"

namespace scaling {

/// A field of a question's input, by its place.
struct FieldPlace {
  std::size_t group;
  std::size_t field;
};

/// The buffers for a sweep's results: a value and a reason for each sample.
struct SampleSpace {
  std::span<double> values;
  std::span<Absence> absences;

  bool holds(std::size_t samples) const {
    return samples <= values.size() && samples <= absences.size();
  }
};

/// Whether the question has a field at `place` that numbers can go through: a text is none.
template <class Question>
bool has_field(FieldPlace place) {
  return place.group < std::size(Question::kGroups) &&
         place.field < Question::kGroups[place.group].size() &&
         Question::kGroups[place.group][place.field].kind != Kind::kText;
}

/// Whether the question has an answer at `index` of its list.
template <class Question>
bool has_answer(std::size_t index) {
  return index < Question::template Answers<double>::kSize;
}

/// Answers to inputs that differ in a few fields. Where these decide nothing about others, only
/// they are checked for each sample: that is half of an estimate's time.
template <class Question>
class Sampler {
 public:
  Sampler(const typename Question::Input& input, std::initializer_list<FieldPlace> places)
      : input_(input) {
    for (const FieldPlace place : places) places_[size_++] = place;
    for (const FieldPlace place : this->places()) {
      decisive_ = decisive_ || decides(place);
      // The field gets other values, so its own must not count against the others.
      value(place) = info(place).minimum;
    }
    if (decisive_) return;
    others_right_ = nothing_told(input_);
    for (std::size_t i = 0; i < size_; ++i) {
      // A field or group that does not matter gets no issue, whatever its value.
      harmless_[i] = value(places_[i]);
      typename Question::Input wrong = input_;
      Question::groups(wrong)[places_[i].group][places_[i].field] =
          -std::numeric_limits<double>::infinity();
      matters_[i] = !nothing_told(wrong);
    }
  }

  void set(FieldPlace place, double x) { value(place) = x; }

  void put(std::size_t answer, double& value, Absence& absence) const {
    value = 0;
    absence = Absence::kNotAllowed;
    if (decisive_) {
      const auto outcome = estimate<Question>(input_);
      if (outcome.issues.empty()) read(outcome.answers, answer, value, absence);
      return;
    }
    if (!others_right_) return;
    typename Question::Input input = input_;
    for (std::size_t i = 0; i < size_; ++i) {
      double& own = Question::groups(input)[places_[i].group][places_[i].field];
      own += 0.0;  // -0 is 0
      if (!matters_[i]) {
        own = harmless_[i];
      } else if (!is_allowed(info(places_[i]), own)) {
        return;
      }
    }
    Issues issues;
    Issues notices;
    complete(input, notices);
    const auto typed = Question::template read<double>(input);
    Question::check_relations(typed, issues, notices);
    if (issues.empty()) read(Question::answer(typed), answer, value, absence);
  }

 private:
  std::span<const FieldPlace> places() const { return std::span(places_).first(size_); }

  static const FieldInfo& info(FieldPlace place) {
    return Question::kGroups[place.group][place.field];
  }

  double& value(FieldPlace place) { return Question::groups(input_)[place.group][place.field]; }

  /// Whether each field of `input` by itself is right; those that don't matter become harmless.
  static bool nothing_told(typename Question::Input& input) {
    Issues issues;
    Question::check_fields(input, issues);
    return issues.empty();
  }

  /// Whether other fields matter only by what this one says.
  static bool decides(FieldPlace place) {
    for (const FieldInfo& each : Question::kGroups[place.group]) {
      if (each.when_index == static_cast<int>(place.field)) return true;
    }
    return false;
  }

  static void read(const typename Question::template Answers<double>& answers, std::size_t answer,
                   double& value, Absence& absence) {
    absence = answers.absences()[answer];
    if (absence == Absence::kPresent) value = answers.values()[answer];
  }

  typename Question::Input input_;
  std::array<FieldPlace, 2> places_{};
  std::array<bool, 2> matters_{};
  std::array<double, 2> harmless_{};
  std::size_t size_ = 0;
  bool decisive_ = false;
  bool others_right_ = false;
};

/// The answer at a place of the question's list to `input` with a field at each of `xs` in turn.
/// False, and nothing done, where there is no such field or answer or `out` has too little room.
template <class Question>
bool sample(const typename Question::Input& input, FieldPlace place, std::span<const double> xs,
            std::size_t answer, SampleSpace out) {
  if (!has_field<Question>(place) || !has_answer<Question>(answer) || !out.holds(xs.size())) {
    return false;
  }
  Sampler<Question> sampler(input, {place});
  for (std::size_t i = 0; i < xs.size(); ++i) {
    sampler.set(place, xs[i]);
    sampler.put(answer, out.values[i], out.absences[i]);
  }
  return true;
}

/// Samples over two fields, a row for each of `ys`.
template <class Question>
bool sample_map(const typename Question::Input& input, FieldPlace x_place,
                std::span<const double> xs, FieldPlace y_place, std::span<const double> ys,
                std::size_t answer, SampleSpace out) {
  constexpr std::size_t kMost = 1u << 16;  // their product must not overflow
  const bool fields = has_field<Question>(x_place) && has_field<Question>(y_place);
  if (!fields || !has_answer<Question>(answer)) return false;
  if (xs.size() >= kMost || ys.size() >= kMost || !out.holds(xs.size() * ys.size())) return false;
  Sampler<Question> sampler(input, {x_place, y_place});
  std::size_t at = 0;
  for (const double y : ys) {
    sampler.set(y_place, y);
    for (const double x : xs) {
      sampler.set(x_place, x);
      sampler.put(answer, out.values[at], out.absences[at]);
      ++at;
    }
  }
  return true;
}

/// A place at which a choice such as the bound changes.
struct Crossing {
  double at;
  double before, after;
};

/// A choice along a field, between whole numbers as well: critical points are seldom whole.
template <class Question>
class Along {
 public:
  Along(const typename Question::Input& input, FieldPlace place, std::size_t answer)
      : input_(input), place_(place), answer_(answer) {}

  /// The choice's index at `x`; NaN where it has none.
  double operator()(double x) const {
    typename Question::Input input = input_;
    Question::groups(input)[place_.group][place_.field] = x;
    Issues issues;
    Issues notices;
    Question::check_fields(input, issues);
    for (const Issue& issue : issues.items()) {
      if (issue.code != IssueCode::kNotWhole) return kNone;
    }
    complete(input, notices);
    const auto typed = Question::template read<double>(input);
    Issues relations;
    Question::check_relations(typed, relations, notices);
    if (!relations.empty()) return kNone;
    const auto answers = Question::answer(typed);
    return answers.absences()[answer_] == Absence::kPresent ? answers.values()[answer_] : kNone;
  }

 private:
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  typename Question::Input input_;
  FieldPlace place_;
  std::size_t answer_;
};

/// Narrows low..high, at whose ends the choice differs, down to `tolerance` of `high`: the choice
/// at `low` stays `at_low`.
template <class Choice>
void bisect(const Choice& choice, double at_low, double& low, double& high, double tolerance) {
  while (high - low > tolerance * high) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return;
    (choice(middle) == at_low ? low : high) = middle;
  }
}

/// The places where a choice changes between a sample of a map and the next one in its row (to the
/// right) or in its column (up).
struct Border {
  double sample;  // the first of the two: row * columns + column
  double up;      // 0 or 1
  double at;      // on the axis between them
};

/// The borders between samples of the choice `answer` over two ascending axes of numbers above 0,
/// as sample_map gave them, each to a millionth of its place: between whole numbers, too. None is
/// next to a sample without a value. At most borders.size() of them; returns how many.
template <class Question>
std::size_t find_borders(const typename Question::Input& input, FieldPlace x_place,
                         std::span<const double> xs, FieldPlace y_place, std::span<const double> ys,
                         std::size_t answer, SampleSpace samples, std::span<Border> borders) {
  constexpr double kTolerance = 1e-6;
  const auto continuous = [](FieldPlace place) {
    const Kind kind = Question::kGroups[place.group][place.field].kind;
    return kind == Kind::kNumber || kind == Kind::kCount;
  };
  if (!continuous(x_place) || !continuous(y_place)) return 0;
  std::size_t found = 0;
  const auto look = [&](FieldPlace fixed, double fixed_at, FieldPlace place, double low,
                        double high, std::size_t sample, std::size_t next) {
    if (found == borders.size() || !(low > 0) || !(high > low)) return;
    const bool both = samples.absences[sample] == Absence::kPresent &&
                      samples.absences[next] == Absence::kPresent;
    if (!both || samples.values[sample] == samples.values[next]) return;
    typename Question::Input there = input;
    Question::groups(there)[fixed.group][fixed.field] = fixed_at;
    const Along<Question> choice(there, place, answer);
    bisect(choice, samples.values[sample], low, high, kTolerance);
    borders[found++] = {static_cast<double>(sample), next == sample + 1 ? 0.0 : 1.0, high};
  };
  for (std::size_t row = 0; row < ys.size(); ++row) {
    for (std::size_t column = 0; column < xs.size(); ++column) {
      const std::size_t at = row * xs.size() + column;
      if (column + 1 < xs.size()) {
        look(y_place, ys[row], x_place, xs[column], xs[column + 1], at, at + 1);
      }
      if (row + 1 < ys.size()) {
        look(x_place, xs[column], y_place, ys[row], ys[row + 1], at, at + xs.size());
      }
    }
  }
  return found;
}

/// The places between `from` and `to` (0 < from < to) where the choice `answer` changes, exact to
/// the last bits: brackets on a logarithmic grid, then bisection. At most crossings.size() of them;
/// returns how many. Choices that come and go between two grid points are missed. None of a field
/// or answer that there is not, and of ranges that are none.
template <class Question>
std::size_t find_crossings(const typename Question::Input& input, FieldPlace place, double from,
                           double to, std::size_t answer, std::span<Crossing> crossings) {
  if (!has_field<Question>(place) || !has_answer<Question>(answer)) return 0;
  constexpr int kBrackets = 256;
  const Along<Question> choice(input, place, answer);
  double step = to / from;  // its 256th root, without the tables that logarithms need
  for (int i = 1; i < kBrackets; i *= 2) step = std::sqrt(step);
  std::size_t found = 0;
  double left = from;
  double at_left = choice(left);
  for (int i = 1; i <= kBrackets && found < crossings.size(); ++i) {
    const double right = i == kBrackets ? to : left * step;
    const double at_right = choice(right);
    if (std::isnan(at_left) || std::isnan(at_right)) {
      left = right;
      at_left = at_right;
      continue;
    }
    // The answer may change more than once between two grid points.
    while (at_left != at_right && found < crossings.size()) {
      double low = left;
      double high = right;
      bisect(choice, at_left, low, high, 1e-14);
      const double at_high = choice(high);
      if (std::isnan(at_high)) break;  // not to another choice, but to none
      crossings[found++] = {high, at_left, at_high};
      left = high;
      at_left = at_high;
    }
    left = right;
    at_left = at_right;
  }
  return found;
}

}  // namespace scaling
