// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include "scaling/estimate.hpp"

namespace scaling {

/// A field of a question's input, by its place.
struct FieldPlace {
  std::size_t group;
  std::size_t field;
};

/// Where a sweep's results go: a value and a reason for each sample.
struct SampleSpace {
  std::span<double> values;
  std::span<Absence> absences;
};

namespace detail {

template <class Question>
void put_sample(const Outcome<Question>& outcome, std::size_t answer, double& value,
                Absence& absence) {
  if (outcome.issues.empty()) {
    value = outcome.answers.values()[answer];
    absence = outcome.answers.absences()[answer];
  } else {
    absence = Absence::kNotAllowed;
  }
  if (absence != Absence::kPresent) value = 0;
}

}  // namespace detail

/// The answer at a place of the question's list to `input` with a field at each of `xs` in turn.
template <class Question>
void sample(typename Question::Input input, FieldPlace place, std::span<const double> xs,
            std::size_t answer, SampleSpace out) {
  for (std::size_t i = 0; i < xs.size(); ++i) {
    Question::groups(input)[place.group][place.field] = xs[i];
    detail::put_sample(estimate<Question>(input), answer, out.values[i], out.absences[i]);
  }
}

/// The same over two fields, a row for each of `ys`.
template <class Question>
void sample_map(typename Question::Input input, FieldPlace x_place, std::span<const double> xs,
                FieldPlace y_place, std::span<const double> ys, std::size_t answer,
                SampleSpace out) {
  std::size_t at = 0;
  for (const double y : ys) {
    Question::groups(input)[y_place.group][y_place.field] = y;
    for (const double x : xs) {
      Question::groups(input)[x_place.group][x_place.field] = x;
      detail::put_sample(estimate<Question>(input), answer, out.values[at], out.absences[at]);
      ++at;
    }
  }
}

/// Where a choice such as the bound changes.
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

/// The places between `from` and `to` (0 < from < to) where the choice `answer` changes, exact to
/// the last bits: brackets on a logarithmic grid, then bisection. At most crossings.size() of them;
/// returns how many. Choices that come and go between two grid points are missed.
template <class Question>
std::size_t find_crossings(const typename Question::Input& input, FieldPlace place, double from,
                           double to, std::size_t answer, std::span<Crossing> crossings) {
  constexpr int kBrackets = 256;
  const Along<Question> choice(input, place, answer);
  const double step = std::log(to / from) / kBrackets;
  std::size_t found = 0;
  double left = from;
  double at_left = choice(left);
  for (int i = 1; i <= kBrackets && found < crossings.size(); ++i) {
    const double right = i == kBrackets ? to : from * std::exp(step * i);
    const double at_right = choice(right);
    if (at_left != at_right && !std::isnan(at_left) && !std::isnan(at_right)) {
      double low = left;
      double high = right;
      while (high - low > 1e-14 * high) {
        const double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) break;
        (choice(middle) == at_left ? low : high) = middle;
      }
      crossings[found++] = {high, at_left, at_right};
    }
    left = right;
    at_left = at_right;
  }
  return found;
}

}  // namespace scaling
