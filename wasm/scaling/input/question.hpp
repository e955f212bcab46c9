// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/groups.hpp"
#include "scaling/quantity/sheet.hpp"

namespace scaling {

/// A group that a question asks for only while a choice field of another has one of the choices in
/// the mask.
struct GroupCondition {
  const char* group;
  const FieldInfo* field;
  std::uint32_t mask;
};

/// The way in which one answer bounds another.
enum class BoundKind : std::uint8_t {
  kLow,    ///< the low end of the range in which 9 of 10 measurements lie
  kHigh,   ///< the high end of it
  kLower,  ///< the other answer is never less
  kUpper,  ///< the other answer is never more
};
inline constexpr const char* kBoundKindNames[] = {"low", "high", "lower", "upper"};

/// An answer that bounds another of its question.
struct AnswerBound {
  const Term* bound;
  BoundKind kind;
  const Term* of;
};

/// The parts of a question that follow from the list of its groups. A question adds its name, its
/// answers, those that come first (kFirst), those that bound others (kBounds, if any), how its
/// fields fit together and its formula; see TrainingQuestion.
template <template <class> class... Group>
struct QuestionOf {
  using Input = RawGroups<Group...>;

  template <class R>
  using Typed = Groups<R, Group...>;

  /// The fields and, of an input, the values of its groups, in one order.
  static constexpr std::span<const FieldInfo> kGroups[] = {kFields<Group>...};
  /// The beginning of the words that links have for the fields of each group.
  static constexpr const char* kPrefixes[] = {Group<double>::kPrefix...};
  static std::array<std::span<double>, sizeof...(Group)> groups(Input& in) {
    return {std::span<double>(raw_group<Group>(in).values)...};
  }

  /// Each field may have one issue before relations between fields are checked.
  static_assert((kFieldCount<Group> + ...) <= Issues::kMost);

  /// Checks each field for itself; see scaling::check_fields.
  static void check_fields(Input& input, Issues& issues) {
    (scaling::check_fields(raw_group<Group>(input), issues), ...);
  }

  /// The typed input, of one whose fields are right.
  template <class R>
  static Typed<R> read(const Input& input) {
    return input.template read<R>();
  }

  /// Calls `use` with each group as its template argument.
  template <class Use>
  static constexpr void for_each_group(Use use) {
    (use.template operator()<Group>(), ...);
  }
};

}  // namespace scaling
