// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "scaling/questions/plan/question.hpp"
#include "scaling/questions/serving/question.hpp"
#include "scaling/views/target.hpp"

namespace scaling {

// Targets of questions whose answers take a search each: plans, whose best layout is searched, and
// servers, which are divided anew. Whoever asks finds one answer at a time.

/// A field that a reader may choose otherwise to meet such a target.
struct SearchedField {
  std::span<const FieldInfo> group;
  FieldPlace place;
  /// With another value, another division may be the best: it has to be searched anew. Otherwise
  /// the answer follows from the present one.
  bool divides;

  constexpr const FieldInfo& info() const { return group[place.field]; }
};

namespace detail {

/// The field `key` of a group that the question has; one that there is not does not compile.
template <class Question, template <class> class Group>
consteval SearchedField searched_field(std::string_view key, bool divides) {
  std::size_t groups = 0;
  std::size_t group = 0;
  Question::for_each_group([&]<template <class> class Each>() {
    if (kFields<Each>.data() == kFields<Group>.data()) group = groups;
    ++groups;
  });
  std::size_t field = 0;
  while (key != kFields<Group>[field].key) ++field;
  return {kFields<Group>, {group, field}, divides};
}

template <template <class> class Group>
consteval SearchedField of_plan(std::string_view key, bool divides = false) {
  return searched_field<PlanQuestion, Group>(key, divides);
}

template <template <class> class Group>
consteval SearchedField of_servers(std::string_view key) {
  return searched_field<ServingQuestion, Group>(key, false);
}

/// First those that need no search. A plan's MFU is an answer, and what its chips can do is not for
/// the reader to choose.
inline constexpr SearchedField kOfPlan[] = {
    of_plan<Run>("tokens"),
    of_plan<Run>("pue"),
    of_plan<Chip>("price"),
    of_plan<Chip>("purchase"),
    of_plan<Chip>("years"),
    of_plan<Chip>("utilisation"),
    of_plan<Chip>("tariff"),
    of_plan<Chip>("hosting"),
    of_plan<Layout>("fp8Matmuls", true),
    of_plan<Run>("chips", true),
    of_plan<Run>("batchTokens", true),
};

/// Servers that are divided the best way are divided anew with each answer: none needs a search.
inline constexpr SearchedField kOfServers[] = {
    of_servers<Serving>("users"),        of_servers<Serving>("requestRate"),
    of_servers<Serving>("chips"),        of_servers<Serving>("promptTokens"),
    of_servers<Serving>("answerTokens"), of_servers<Server>("weights"),
    of_servers<Server>("cacheFormat"),   of_servers<Serving>("pue"),
    of_servers<Chip>("price"),           of_servers<Chip>("purchase"),
    of_servers<Chip>("years"),           of_servers<Chip>("utilisation"),
    of_servers<Chip>("tariff"),          of_servers<Chip>("hosting"),
};

}  // namespace detail

/// The fields of a question in the order in which they are turned.
template <class Question>
inline constexpr std::span<const SearchedField> kSearchedFields;
template <>
inline constexpr std::span<const SearchedField> kSearchedFields<PlanQuestion> = detail::kOfPlan;
template <>
inline constexpr std::span<const SearchedField> kSearchedFields<ServingQuestion> =
    detail::kOfServers;

/// How such a field is turned: chips by those that their network has, batches by whole sequences of
/// `sequence` tokens [token].
TurnedField turned_field(const SearchedField& field, const ChipCounts& chips, double sequence);

/// The effect of one field on a target, asked for one answer at a time: that of a number, or of
/// each choice that meets the target.
class SearchedTurns {
 public:
  /// `now`: its present value; `answered`: the present answer. Choices are not gone through where
  /// that meets the target.
  SearchedTurns(const TurnedField& field, const Target& target, double now, double answered);

  bool done() const { return done_; }
  /// The value whose answer it needs, while it is not done.
  double asks() const { return number_ ? number_->asks() : choice_; }
  /// NaN where the input is not valid or has no answer.
  void tell(double answered);
  /// Once it is done. They have no place and no slices yet.
  std::span<const Turn> turns() const { return std::span(turns_).first(size_); }

 private:
  void next_choice();

  const FieldInfo& info_;
  Target target_;
  double now_;
  std::optional<LongTurn> number_;
  double choice_;
  bool done_ = false;
  std::array<Turn, 32> turns_;
  std::size_t size_ = 0;
};

}  // namespace scaling
