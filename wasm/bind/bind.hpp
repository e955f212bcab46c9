// SPDX-License-Identifier: MIT
//
// Shared by the modules' bindings: how inputs cross into the core, and issues and answers out of
// it. One call crosses for each question: plain objects in, and out come issues
// or views of flat arrays, whose meaning `describe()` tells once. The views lie in the module's
// memory and hold until the next call. Included once by each module.
#pragma once

#include <emscripten/bind.h>

#include <array>
#include <cstdlib>
#include <new>
#include <span>
#include <string>
#include <type_traits>

#include "scaling/questions/estimate.hpp"

// Replacements for the parts of the standard library that embind hardly uses: the library's own
// `new` and `sprintf` would bring all of printf along, to say that memory is exhausted and to name
// the address of a type that is not registered.
extern "C" int siprintf(char* text, const char*, ...) {
  *text = '\0';
  return 0;
}

void* operator new(std::size_t size) {
  void* memory = std::malloc(size);
  if (memory == nullptr) std::abort();
  return memory;
}

namespace scaling {
namespace {

using emscripten::typed_memory_view;
using emscripten::val;

inline val string_list(std::span<const char* const> names) {
  val list = val::array();
  unsigned index = 0;
  for (const char* name : names) list.set(index++, val(name));
  return list;
}

// --- in ---

/// Reads a group that crosses as {numbers, texts}, in the order of its table; a text's place among
/// the numbers is not read. Throws what JavaScript throws at values that are no numbers and no
/// texts.
inline void read_group(const val& given, std::span<double> values, std::span<Text> texts) {
  const val numbers = given["numbers"];
  for (unsigned i = 0; i < values.size(); ++i) values[i] = numbers[i].as<double>();
  const val words = given["texts"];
  for (unsigned i = 0; i < texts.size(); ++i) texts[i] = Text(words[i].as<std::string>());
}

/// The input of a question, which crosses as an object of its groups: field by field, it would take
/// two functions for each field.
template <class Question>
typename Question::Input read_input(const val& given) {
  typename Question::Input input{};
  Question::for_each_group([&]<template <class> class Group>() {
    Raw<Group>& raw = input.*SlotOf<Group, Raw<Group>>::kMember;
    read_group(given[Group<double>::kGroup], raw.values, raw.texts);
  });
  return input;
}

// --- out ---

/// As a std::string, which crosses as UTF-8: units may have a raised dot.
inline val unit_string(Dimension dimension) {
  return val(std::string(UnitName(dimension).c_str()));
}

inline val issue_list(const Issues& issues) {
  val list = val::array();
  unsigned index = 0;
  for (const Issue& issue : issues.items()) {
    const IssueName& name = kIssueNames[static_cast<std::size_t>(issue.code)];
    val arguments = val::object();
    for (std::size_t i = 0; i < name.arguments.size(); ++i) {
      if (name.arguments[i] != nullptr) arguments.set(name.arguments[i], issue.arguments[i]);
    }
    val item = val::object();
    item.set("code", val(name.code));
    item.set("group", val(issue.group));
    item.set("key", val(issue.field));
    item.set("arguments", arguments);
    list.set(index++, item);
  }
  return list;
}

/// `use` of the typed input, writing into what is returned; or {issues}.
template <class Question, class Use>
val with_input(const val& given, Use use) {
  val object = val::object();
  Issues issues;
  Issues notices;
  auto checked = read_input<Question>(given);
  check<Question>(checked, issues, notices, [&](const auto& typed) { use(typed, object); });
  if (!issues.empty()) object.set("issues", issue_list(issues));
  return object;
}

template <class Question>
val estimate_question(const val& given) {
  static typename Question::template Answers<double> answers;  // outlives the call, for the views
  const Outcome<Question> outcome = estimate<Question>(read_input<Question>(given));
  val result = val::object();
  if (!outcome.issues.empty()) {
    result.set("issues", issue_list(outcome.issues));
    return result;
  }
  answers = outcome.answers;
  const auto& values = answers.values();
  const auto& absences = answers.absences();
  using Byte = std::underlying_type_t<Absence>;
  result.set("values", typed_memory_view(values.size(), values.data()));
  result.set("absences",
             typed_memory_view(absences.size(), reinterpret_cast<const Byte*>(absences.data())));
  if (!outcome.notices.empty()) result.set("notices", issue_list(outcome.notices));
  return result;
}

}  // namespace
}  // namespace scaling
