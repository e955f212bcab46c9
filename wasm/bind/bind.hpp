// SPDX-License-Identifier: MIT
//
// Shared by the modules' bindings: how inputs cross into the core, and issues and answers out of
// it. One call crosses for each question: plain objects in, and out come issues
// or views of flat arrays, whose meaning `describe()` tells once. The views lie in the module's
// memory and hold until the next call. Included once by each module.
#pragma once

#include <emscripten/bind.h>
#include <emscripten/emscripten.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <span>
#include <string>
#include <string_view>
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

// Likewise embind's own list of C++ types: it has strings of UTF-16 and UTF-32 and views of ten
// kinds of numbers, for which the glue then has code. CMakeLists.txt leaves the library out where
// this fits the version of Emscripten.
#ifdef SCALING_REGISTERS_TYPES

/// Named in messages about types that are not registered.
extern "C" EMSCRIPTEN_KEEPALIVE const char* __getTypeName(const void*) { return nullptr; }

EMSCRIPTEN_BINDINGS(types) {
  using namespace emscripten::internal;
  _embind_register_bool(TypeID<bool>::get(), "", sizeof(bool), true, false);
  // The name "unsigned" tells embind which way to read a number.
  constexpr const char* kUnsigned = "unsigned";
  _embind_register_integer(TypeID<unsigned>::get(), kUnsigned, 4, 0, ~0ul);
  _embind_register_integer(TypeID<unsigned long>::get(), kUnsigned, 4, 0, ~0ul);
  _embind_register_float(TypeID<double>::get(), "", sizeof(double));
  _embind_register_std_string(TypeID<std::string>::get(), "std::string");
  _embind_register_emval(TypeID<emscripten::val>::get(), "");
  // Embind knows Uint8Array and Float64Array by these numbers.
  _embind_register_memory_view(TypeID<emscripten::memory_view<unsigned char>>::get(), 1, "");
  _embind_register_memory_view(TypeID<emscripten::memory_view<double>>::get(), 7, "");
}
#endif

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

/// A group as it crosses: the bytes of its numbers, one of each field in the table's order (that of
/// a text is not read), and its texts, with a zero between them. Field by field it would take two
/// functions for each. What is neither bytes nor text is refused before anything is called: what
/// throws below a call leaves the stack as it was there.
struct PackedGroup {
  std::string numbers, texts;
};

/// Missing numbers are absent, and missing texts empty.
inline void unpack(const PackedGroup& packed, std::span<double> values, std::span<Text> texts) {
  for (double& value : values) value = std::numeric_limits<double>::quiet_NaN();
  std::memcpy(values.data(), packed.numbers.data(),
              std::min(packed.numbers.size(), values.size_bytes()));
  std::string_view rest(packed.texts);
  for (Text& text : texts) {
    const std::string_view one = rest.substr(0, rest.find('\0'));
    text = Text(one);
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
  }
}

template <class Input>
struct PackedOf;
template <template <class> class... Group>
struct PackedOf<RawGroups<Group...>> : SlotOf<Group, PackedGroup>... {};

/// The input of a question as it crosses: an object of its groups.
template <class Question>
using Packed = PackedOf<typename Question::Input>;

template <class Question>
typename Question::Input read_input(const Packed<Question>& packed) {
  typename Question::Input input{};
  Question::for_each_group([&]<template <class> class Group>() {
    Raw<Group>& raw = raw_group<Group>(input);
    unpack(packed.*SlotOf<Group, PackedGroup>::kMember, raw.values, raw.texts);
  });
  return input;
}

template <class Question>
void bind_question() {
  emscripten::value_object<Packed<Question>> object(Question::kName);
  Question::for_each_group([&]<template <class> class Group>() {
    PackedGroup Packed<Question>::*const member = SlotOf<Group, PackedGroup>::kMember;
    object.field(Group<double>::kGroup, member);
  });
}

/// Called once in a module.
template <class... Question>
void bind_questions() {
  emscripten::value_object<PackedGroup>("group")
      .field("numbers", &PackedGroup::numbers)
      .field("texts", &PackedGroup::texts);
  (bind_question<Question>(), ...);
}

// --- out ---

/// The unit as a std::string, which crosses as UTF-8: units may have a raised dot.
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
val with_input(const Packed<Question>& given, Use use) {
  val object = val::object();
  Issues issues;
  Issues notices;
  auto checked = read_input<Question>(given);
  check<Question>(checked, issues, notices, [&](const auto& typed) { use(typed, object); });
  if (!issues.empty()) object.set("issues", issue_list(issues));
  return object;
}

template <class Question>
val estimate_question(const Packed<Question>& given) {
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
