// SPDX-License-Identifier: MIT
//
// The questions that several modules answer. One that is named here is described, estimated, swept,
// mapped, explained and solved for a target by the functions of each module, which bear its name.
#pragma once

#include <emscripten/bind.h>

#include <array>
#include <cstddef>
#include <string_view>

#include "scaling/questions/collective/question.hpp"
#include "scaling/questions/operation/question.hpp"
#include "scaling/questions/training/question.hpp"

namespace scaling {
namespace {

template <class... Question>
struct QuestionList {
  template <class... Other>
  using With = QuestionList<Question..., Other...>;

  /// Calls `use` with each question as its template argument.
  template <class Use>
  static void each(const Use& use) {
    (use.template operator()<Question>(), ...);
  }
};

/// Questions about one operation or collective, whose charts sample them.
using OperationQuestions = QuestionList<OperationQuestion, CollectiveQuestion>;

/// Questions that are answered without a search, explained, and asked backward.
using CoreQuestions = QuestionList<TrainingQuestion, OperationQuestion, CollectiveQuestion>;

/// The beginning of the names of a question's functions: a verb.
template <std::size_t kSize>
struct Verb {
  consteval Verb(const char (&text)[kSize]) {  // NOLINT(google-explicit-constructor)
    for (std::size_t i = 0; i < kSize; ++i) letters[i] = text[i];
  }
  char letters[kSize];
};

/// `kFunctionName<"estimate", TrainingQuestion>` is "estimateTraining", with its zero.
template <Verb kVerb, class Question>
inline constexpr auto kFunctionName = [] {
  constexpr std::string_view verb = kVerb.letters;
  constexpr std::string_view name = Question::kName;
  std::array<char, verb.size() + name.size() + 1> all{};
  for (std::size_t i = 0; i < verb.size(); ++i) all[i] = verb[i];
  for (std::size_t i = 0; i < name.size(); ++i) all[verb.size() + i] = name[i];
  all[verb.size()] = static_cast<char>(name[0] - 'a' + 'A');
  return all;
}();

/// Binds a function of a question under its name, such as estimateTraining.
template <Verb kVerb, class Question, class Function>
void bind_of(Function function) {
  emscripten::function(kFunctionName<kVerb, Question>.data(), function);
}

}  // namespace
}  // namespace scaling
