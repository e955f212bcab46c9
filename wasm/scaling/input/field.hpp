// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include "scaling/input/field_info.hpp"
#include "scaling/input/issue.hpp"
#include "scaling/quantity/shown.hpp"
#include "scaling/quantity/term.hpp"

namespace scaling {

// The field table. Each input struct ("group") is a template over the representation and lists its
// fields once, in `fields()`; binding, validation, description, forms, URL keys, TypeScript types
// and the README's reference all come from that list.

/// A mask of values of an enumeration.
template <class... Enum>
constexpr std::uint32_t choice_mask(Enum... values) {
  return ((1u << static_cast<unsigned>(values)) | ...);
}

template <class Group, class Member>
struct Field {
  using MemberType = Member;
  FieldInfo info;
  Member Group::*member;

  constexpr Field about(Topic topic) const {
    Field result = *this;
    result.info.topic = topic;
    return result;
  }
  constexpr Field asked() const {
    Field result = *this;
    result.info.rank = Rank::kAsked;
    return result;
  }
  constexpr Field rare() const {
    Field result = *this;
    result.info.rank = Rank::kRare;
    return result;
  }
  constexpr Field in_percent() const {
    Field result = *this;
    result.info.shown = Shown::kPercent;
    return result;
  }
  constexpr Field doubling() const {
    Field result = *this;
    result.info.shown = Shown::kDoubling;
    return result;
  }

  /// A reader may choose it otherwise to meet a target; see views/target.hpp.
  constexpr Field for_targets() const {
    Field result = *this;
    result.info.for_targets = true;
    return result;
  }

  /// A search of servers chooses it where an input leaves it out.
  constexpr Field searched() const {
    Field result = *this;
    result.info.searched = true;
    return result;
  }

  constexpr Field fallback(double value) const {
    Field result = *this;
    result.info.has_fallback = true;
    result.info.fallback = value;
    return result;
  }
  template <class Enum>
  requires std::is_enum_v<Enum>
  constexpr Field fallback(Enum value) const { return fallback(static_cast<double>(value)); }

  /// The default of a number may be another one; `instead` must outlive the table.
  constexpr Field or_instead(const Instead& instead) const {
    Field result = *this;
    result.info.instead = &instead;
    return result;
  }

  /// The field matters only while the choice field `key` has one of `values`.
  template <class... Enum>
  constexpr Field when(const char* key, Enum... values) const {
    Field result = *this;
    result.info.when_key = key;
    result.info.when_mask = choice_mask(values...);
    return result;
  }

  /// The field matters only while the choice field `key` has a choice in `mask`; see choices_where.
  constexpr Field when_in(const char* key, std::uint32_t mask) const {
    Field result = *this;
    result.info.when_key = key;
    result.info.when_mask = mask;
    return result;
  }

  /// The field matters only while the text `key` is empty.
  constexpr Field when_empty(const char* key) const { return when_positive(key); }

  /// The field matters only while the count `key` is above 0.
  constexpr Field when_positive(const char* key) const {
    Field result = *this;
    result.info.when_key = key;
    result.info.when_mask = 0;
    return result;
  }
};

struct Range {
  double minimum;
  double maximum;
};

// An enumeration whose values differ in more than a name has a table with a row for each value: the
// value as `kind`, its name, and its properties.

/// Whether a table has the enumeration's values in their order, so that they index it.
template <class Row, std::size_t kRows>
constexpr bool in_order(const Row (&rows)[kRows]) {
  for (std::size_t i = 0; i < kRows; ++i) {
    if (static_cast<std::size_t>(rows[i].kind) != i) return false;
  }
  return true;
}

template <class Row, std::size_t kRows>
constexpr std::array<const char*, kRows> names_of(const Row (&rows)[kRows]) {
  std::array<const char*, kRows> names{};
  for (std::size_t i = 0; i < kRows; ++i) names[i] = rows[i].name;
  return names;
}

/// A mask of the values whose row passes `test`.
template <class Row, std::size_t kRows, class Test>
constexpr std::uint32_t choices_where(const Row (&rows)[kRows], Test test) {
  static_assert(kRows <= 32);
  std::uint32_t mask = 0;
  for (std::size_t i = 0; i < kRows; ++i) mask |= test(rows[i]) ? 1u << i : 0u;
  return mask;
}

/// A measured or chosen number, e.g. a bandwidth.
template <class Group, Dimension D, class R>
constexpr auto number(Quantity<D, R> Group::*member, const char* key, const char* symbol,
                      Range range) {
  return Field<Group, Quantity<D, R>>{{.key = key,
                                       .symbol = symbol,
                                       .dimension = D,
                                       .kind = Kind::kNumber,
                                       .minimum = range.minimum,
                                       .maximum = range.maximum},
                                      member};
}

/// A number that may be unknown.
template <class Group, Dimension D, class R>
constexpr auto number(Maybe<Quantity<D, R>> Group::*member, const char* key, const char* symbol,
                      Range range) {
  return Field<Group, Maybe<Quantity<D, R>>>{{.key = key,
                                              .symbol = symbol,
                                              .dimension = D,
                                              .kind = Kind::kNumber,
                                              .optional = true,
                                              .minimum = range.minimum,
                                              .maximum = range.maximum},
                                             member};
}

/// A whole number, e.g. of layers.
template <class Group, class M>
constexpr auto count(M Group::*member, const char* key, const char* symbol, Range range) {
  auto field = number(member, key, symbol, range);
  field.info.kind = Kind::kCount;
  return field;
}

/// One of an enumeration's values, whose names are `choices`.
template <class Group, class Enum>
constexpr auto choice(Enum Group::*member, const char* key, Choices choices) {
  return Field<Group, Enum>{{.key = key,
                             .symbol = "",
                             .kind = Kind::kChoice,
                             .maximum = static_cast<double>(choices.size()) - 1,
                             .choices = choices},
                            member};
}

/// Yes or no.
template <class Group>
constexpr auto flag(bool Group::*member, const char* key) {
  return Field<Group, bool>{{.key = key, .symbol = "", .kind = Kind::kFlag, .maximum = 1}, member};
}

/// A text, which reads into a `Member` by its `parse` and has letters that others may depend on.
/// A text's number is the mask of the letters that it has.
template <class Group, class Member>
constexpr auto text(Member Group::*member, const char* key, Choices letters) {
  return Field<Group, Member>{{.key = key,
                               .symbol = "",
                               .kind = Kind::kText,
                               .has_fallback = true,
                               .maximum = kMostText,
                               .choices = letters},
                              member};
}

namespace detail {

template <std::size_t kIndex, class F>
struct PlacedField {
  F field;
};

template <class Indices, class... F>
struct PlacedFields;

template <std::size_t... kIndex, class... F>
struct PlacedFields<std::index_sequence<kIndex...>, F...> : PlacedField<kIndex, F>... {
  static constexpr std::size_t kCount = sizeof...(F);

  constexpr explicit PlacedFields(const F&... field) : PlacedField<kIndex, F>{field}... {}

  constexpr std::array<FieldInfo, kCount> infos() const {
    return {PlacedField<kIndex, F>::field.info...};
  }
};

template <std::size_t kIndex, class F>
constexpr const F& field_at(const PlacedField<kIndex, F>& placed) {
  return placed.field;
}

}  // namespace detail

/// The fields of a group, each of its own type. In a std::tuple, whose constructors ask of each
/// type what it is made from, they take 40 % of the time of compiling the core.
template <class... F>
struct Fields : detail::PlacedFields<std::index_sequence_for<F...>, F...> {
  using detail::PlacedFields<std::index_sequence_for<F...>, F...>::PlacedFields;
};
template <class... F>
Fields(const F&...) -> Fields<F...>;

/// The fields of both, one after the other.
template <class... F, class... G>
constexpr auto operator+(const Fields<F...>& first, const Fields<G...>& second) {
  return [&]<std::size_t... kFirst, std::size_t... kSecond>(std::index_sequence<kFirst...>,
                                                            std::index_sequence<kSecond...>) {
    return Fields{detail::field_at<kFirst>(first)..., detail::field_at<kSecond>(second)...};
  }
  (std::index_sequence_for<F...>{}, std::index_sequence_for<G...>{});
}

template <template <class> class Group>
inline constexpr std::size_t kFieldCount = decltype(Group<double>::fields())::kCount;

namespace detail {

/// Made once for a group, not once for each of its fields. None of it need exist at run time.
template <class Group>
inline constexpr auto kFieldsOf = Group::fields();

template <template <class> class Group>
constexpr auto describe_fields() {
  auto infos = kFieldsOf<Group<double>>.infos();
  for (FieldInfo& info : infos) {
    info.group = Group<double>::kGroup;
    if (info.when_key == nullptr) continue;
    for (std::size_t i = 0; i < infos.size(); ++i) {
      if (std::string_view(infos[i].key) == info.when_key) info.when_index = static_cast<int>(i);
    }
  }
  return infos;
}

}  // namespace detail

template <template <class> class Group>
inline constexpr auto kFields = detail::describe_fields<Group>();

/// The field `key` of a group; one that there is not does not compile.
template <template <class> class Group>
consteval const FieldInfo& field_of(std::string_view key) {
  std::size_t i = 0;
  while (key != kFields<Group>[i].key) ++i;
  return kFields<Group>[i];
}

/// Texts of a group.
template <template <class> class Group>
inline constexpr std::size_t kTextCount = [] {
  std::size_t count = 0;
  for (const FieldInfo& info : kFields<Group>) count += info.kind == Kind::kText ? 1u : 0u;
  return count;
}();

/// The place of the text `field` among those of its group.
template <template <class> class Group>
consteval std::size_t text_place(std::size_t field) {
  std::size_t place = 0;
  for (std::size_t i = 0; i < field; ++i) place += kFields<Group>[i].kind == Kind::kText ? 1u : 0u;
  return place;
}

/// A group as it comes in: one double a field, in the table's order. NaN stands for "absent",
/// choices are their index, flags 0 or 1; anything may be wrong with it. Texts stand apart.
template <template <class> class Group>
struct Raw {
  std::array<double, kFieldCount<Group>> values;
  std::array<Text, kTextCount<Group>> texts;

  /// Every field at its fallback; NaN where it has none.
  static constexpr Raw defaults() {
    Raw raw{};
    for (std::size_t i = 0; i < raw.values.size(); ++i) {
      const FieldInfo& info = kFields<Group>[i];
      raw.values[i] = info.has_fallback ? info.fallback : std::numeric_limits<double>::quiet_NaN();
    }
    return raw;
  }

  constexpr double& operator[](std::string_view key) {
    std::size_t i = 0;
    while (key != kFields<Group>[i].key) {
      if (++i == values.size())
        std::abort();  // no such field: the caller's mistake, not an input's
    }
    return values[i];
  }

  /// The text `key`, which the group must have.
  constexpr Text& text(std::string_view key) {
    std::size_t place = 0;
    for (const FieldInfo& info : kFields<Group>) {
      if (info.kind != Kind::kText) continue;
      if (key == info.key) return texts[place];
      ++place;
    }
    std::abort();
  }
};

/// Whether a field matters among `values` of its group; see FieldInfo::when_key.
bool field_matters(std::span<const FieldInfo> fields, const FieldInfo& info,
                   std::span<const double> values);

/// Whether a field that matters may have this value.
bool is_allowed(const FieldInfo& info, double value);

/// Checks each value of a group against its field and adds what is wrong to `issues`. Fields that
/// do not matter (see FieldInfo::when_key) are not checked but set to a harmless value.
void check_fields(std::span<const FieldInfo> fields, std::span<double> values, Issues& issues);

/// Adds that a text is too long, or else what reading it found.
void add_fault(const FieldInfo& info, const Text& text, const TextFault& fault, Issues& issues);

/// Brings all values of a group that does not matter to harmless ones.
void ignore_fields(std::span<const FieldInfo> fields, std::span<double> values);

template <template <class> class Group>
void ignore_fields(Raw<Group>& raw) {
  ignore_fields(kFields<Group>, raw.values);
  for (Text& text : raw.texts) text = {};
}

namespace detail {

/// Reads a text for the letters in it, on which other fields may depend.
template <template <class> class Group, std::size_t kIndex>
void check_text(Raw<Group>& raw, Issues& issues) {
  if constexpr (kFields<Group>[kIndex].kind == Kind::kText) {
    using Member =
        typename std::decay_t<decltype(field_at<kIndex>(kFieldsOf<Group<double>>))>::MemberType;
    const Text& text = raw.texts[text_place<Group>(kIndex)];
    Member member;
    TextFault fault{};
    const bool right = !text.too_long() && Member::parse(text.view(), member, fault);
    raw.values[kIndex] = right ? member.letters : 0;
    if (!right) add_fault(kFields<Group>[kIndex], text, fault, issues);
  }
}

}  // namespace detail

template <template <class> class Group>
void check_fields(Raw<Group>& raw, Issues& issues) {
  if constexpr (kTextCount < Group >> 0) {
    [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
      (detail::check_text<Group, kIndex>(raw, issues), ...);
    }
    (std::make_index_sequence<kFieldCount<Group>>());
  }
  check_fields(kFields<Group>, raw.values, issues);
}

namespace detail {

template <class Member>
struct Reader;  // turns a checked double into a member

template <Dimension D>
struct Reader<Quantity<D, double>> {
  static Quantity<D, double> read(double value, const FieldInfo&) {
    return Quantity<D, double>(value);
  }
};

template <Dimension D>
struct Reader<Quantity<D, Traced>> {
  static Quantity<D, Traced> read(double value, const FieldInfo& info) {
    return Quantity<D, Traced>(Traced::input(value, info));
  }
};

template <class Q>
struct Reader<Maybe<Q>> {
  static Maybe<Q> read(double value, const FieldInfo& info) {
    if (value != value) return Absence::kNotListed;
    return Reader<Q>::read(value, info);
  }
};

template <class Enum>
requires std::is_enum_v<Enum>
struct Reader<Enum> {
  static Enum read(double value, const FieldInfo&) {
    return static_cast<Enum>(static_cast<int>(value));
  }
};

template <>
struct Reader<bool> {
  static bool read(double value, const FieldInfo&) { return value != 0; }
};

template <template <class> class Group, class R, std::size_t kIndex>
void read_field(Group<R>& group, const Raw<Group>& raw) {
  constexpr auto member = field_at<kIndex>(kFieldsOf<Group<R>>).member;
  using Member = std::remove_reference_t<decltype(group.*member)>;
  if constexpr (kFields<Group>[kIndex].kind == Kind::kText) {
    TextFault none{};
    Member::parse(raw.texts[text_place<Group>(kIndex)].view(), group.*member, none);
  } else {
    group.*member = Reader<Member>::read(raw.values[kIndex], kFields<Group>[kIndex]);
  }
}

}  // namespace detail

/// The typed group of a raw one that `check_fields` has found no fault with. A group whose fields
/// take the place of others has a `settle` that sees to it.
template <template <class> class Group, class R>
Group<R> read_group(const Raw<Group>& raw) {
  Group<R> result{};
  [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
    (detail::read_field<Group, R, kIndex>(result, raw), ...);
  }
  (std::make_index_sequence<kFieldCount<Group>>());
  if constexpr (requires { result.settle(); }) result.settle();
  return result;
}

}  // namespace scaling
