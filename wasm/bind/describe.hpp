// SPDX-License-Identifier: MIT
//
// The description of a module: its fields, questions and answers.
#pragma once

#include "bind.hpp"
#include "questions.hpp"

namespace scaling {
namespace {

/// The names of the choices in a mask.
inline val choices_in(std::uint32_t mask, Choices choices) {
  val names = val::array();
  unsigned index = 0;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (((mask >> i) & 1u) != 0) names.set(index++, val(choices[i]));
  }
  return names;
}

inline val describe_field(const FieldInfo& info, std::span<const FieldInfo> group) {
  val object = val::object();
  object.set("key", val(info.key));
  object.set("symbol", val(info.symbol));
  object.set("unit", unit_string(info.dimension));
  object.set("kind", val(kKindNames[static_cast<std::size_t>(info.kind)]));
  object.set("shown", val(kShownNames[static_cast<std::size_t>(info.shown)]));
  object.set("topic", val(kTopicNames[static_cast<std::size_t>(info.topic)]));
  object.set("rank", val(kRankNames[static_cast<std::size_t>(info.rank)]));
  object.set("optional", info.optional);
  object.set("searched", info.searched);
  object.set("required", !info.optional && !info.has_fallback);
  object.set("min", info.minimum);
  object.set("max", info.maximum);
  val fallback = val::null();
  if (info.has_fallback) {
    if (info.kind == Kind::kChoice) {
      fallback = val(info.choices[static_cast<std::size_t>(info.fallback)]);
    } else if (info.kind == Kind::kFlag) {
      fallback = val(info.fallback != 0);
    } else if (info.kind == Kind::kText) {
      fallback = val("");
    } else {
      fallback = val(info.fallback);
    }
  }
  object.set("default", fallback);
  val instead = val::null();
  if (info.instead != nullptr) {
    instead = val::object();
    instead.set("default", info.instead->fallback);
    val whiles = val::object();
    for (const FieldInfo& other : group) {
      for (const auto& [key, mask] : info.instead->whiles) {
        if (key == other.key) whiles.set(other.key, choices_in(mask, other.choices));
      }
    }
    instead.set("while", whiles);
  }
  object.set("instead", instead);
  object.set("choices", string_list(info.choices));
  val when = val::null();
  if (info.when_index >= 0) {
    const FieldInfo& other = group[static_cast<std::size_t>(info.when_index)];
    when = val::object();
    when.set("field", val(other.key));
    // Letters, for a text that has one of them. Without choices: while the number is above 0, or
    // the text empty.
    when.set("choices", choices_in(info.when_mask, other.choices));
  }
  object.set("when", when);
  return object;
}

/// The groups of some questions, each once.
class GroupDescriptions {
 public:
  void add(std::span<const FieldInfo> fields) {
    for (std::size_t i = 0; i < size_; ++i) {
      if (added_[i] == fields.data()) return;
    }
    added_[size_++] = fields.data();
    val list = val::array();
    unsigned index = 0;
    for (const FieldInfo& info : fields) list.set(index++, describe_field(info, fields));
    all_.set(fields[0].group, list);
  }

  const val& all() const { return all_; }

 private:
  val all_ = val::object();
  std::array<const FieldInfo*, 16> added_;
  std::size_t size_ = 0;
};

/// What an answer bounds, and how; null where it bounds none.
template <class Question>
val bound_of_answer(const Term* term) {
  if constexpr (requires { Question::kBounds; }) {
    for (const AnswerBound& bound : Question::kBounds) {
      if (bound.bound != term) continue;
      val object = val::object();
      object.set("answer", val(bound.of->key));
      object.set("kind", val(kBoundKindNames[static_cast<std::size_t>(bound.kind)]));
      return object;
    }
  }
  return val::null();
}

template <class Question>
void describe_question(val& questions, val& prefixes, GroupDescriptions& described) {
  val answers = val::array();
  unsigned index = 0;
  for (const Term* term : Question::template Answers<double>::kList) {
    val object = val::object();
    object.set("key", val(term->key));
    object.set("symbol", val(term->symbol));
    object.set("unit", unit_string(term->dimension));
    object.set("shown", val(kShownNames[static_cast<std::size_t>(term->shown)]));
    object.set("kind", val(term->choices.empty() ? "number" : "choice"));
    object.set("choices", string_list(term->choices));
    object.set("source", val(term->source));
    object.set("bounds", bound_of_answer<Question>(term));
    answers.set(index++, object);
  }
  val groups = val::array();
  index = 0;
  for (const auto& fields : Question::kGroups) {
    prefixes.set(fields[0].group, val(Question::kPrefixes[index]));
    groups.set(index++, val(fields[0].group));
    described.add(fields);
  }
  val first = val::array();
  index = 0;
  for (const Term* term : Question::kFirst) first.set(index++, val(term->key));
  val when = val::object();
  if constexpr (requires { Question::kGroupConditions; }) {
    for (const GroupCondition& condition : Question::kGroupConditions) {
      val object = val::object();
      object.set("group", val(condition.field->group));
      object.set("field", val(condition.field->key));
      object.set("choices", choices_in(condition.mask, condition.field->choices));
      when.set(condition.group, object);
    }
  }
  val object = val::object();
  object.set("groups", groups);
  object.set("when", when);
  object.set("answers", answers);
  object.set("first", first);
  questions.set(Question::kName, object);
}

/// {groups, prefixes, questions, issueCodes, absences}: the questions, the groups that they have,
/// and the names that every module has.
template <class... Question>
val description_of(QuestionList<Question...>) {
  GroupDescriptions groups;
  val prefixes = val::object();
  val questions = val::object();
  (describe_question<Question>(questions, prefixes, groups), ...);

  val codes = val::array();
  unsigned index = 0;
  for (const IssueName& name : kIssueNames) codes.set(index++, val(name.code));

  val result = val::object();
  result.set("groups", groups.all());
  result.set("prefixes", prefixes);
  result.set("questions", questions);
  result.set("issueCodes", codes);
  result.set("absences", string_list(std::span(kAbsenceNames).subspan(1)));  // without "present"
  return result;
}

}  // namespace
}  // namespace scaling
