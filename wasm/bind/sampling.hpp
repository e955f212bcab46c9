// SPDX-License-Identifier: MIT
//
// Many answers in one crossing: JavaScript writes the values of an axis into `axis_values` and
// reads the samples from views.
#pragma once

#include "bind.hpp"
#include "scaling/views/sweep.hpp"

namespace scaling {
namespace {

inline constexpr std::size_t kAxisValues = 4096;   // of both axes of a map together
inline constexpr std::size_t kSamples = 1u << 16;  // a map of 256 x 256

inline std::array<double, kAxisValues> axis_values;
inline std::array<double, kSamples> sample_values;
inline std::array<Absence, kSamples> sample_absences;

inline val axis_view() { return val(typed_memory_view(axis_values.size(), axis_values.data())); }

inline val sample_views(std::size_t count) {
  using Byte = std::underlying_type_t<Absence>;
  val result = val::object();
  result.set("values", typed_memory_view(count, sample_values.data()));
  result.set("absences",
             typed_memory_view(count, reinterpret_cast<const Byte*>(sample_absences.data())));
  return result;
}

/// Samples of `answer` at the first `count` axis values of a field; null where there is no such
/// field or answer, or no room for so many.
template <class Question>
val sweep_question(std::size_t group, std::size_t field, std::size_t count, std::size_t answer) {
  if (count > kAxisValues) return val::null();
  const auto input = read_input<Question>();
  const bool sampled = sample<Question>(input, {group, field}, std::span(axis_values).first(count),
                                        answer, {sample_values, sample_absences});
  return sampled ? sample_views(count) : val::null();
}

inline std::array<Border, 4096> map_borders;

/// Samples of `answer` over two fields: the first `x_count` axis values are the columns', the next
/// `y_count` the rows'; null as above. The map of a choice also has `borders`, three numbers each;
/// see Border.
template <class Question>
val map_question(std::size_t x_group, std::size_t x_field, std::size_t x_count, std::size_t y_group,
                 std::size_t y_field, std::size_t y_count, std::size_t answer) {
  if (x_count > kAxisValues || y_count > kAxisValues - x_count) return val::null();
  const auto input = read_input<Question>();
  const auto xs = std::span(axis_values).first(x_count);
  const auto ys = std::span(axis_values).subspan(x_count, y_count);
  const FieldPlace x{x_group, x_field};
  const FieldPlace y{y_group, y_field};
  const SampleSpace samples{sample_values, sample_absences};
  if (!sample_map<Question>(input, x, xs, y, ys, answer, samples)) return val::null();
  const bool is_choice = !Question::template Answers<double>::kList[answer]->choices.empty();
  const std::size_t found =
      is_choice ? find_borders<Question>(input, x, xs, y, ys, answer, samples, map_borders) : 0;
  val result = sample_views(x_count * y_count);
  result.set("borders", typed_memory_view(3 * found, &map_borders[0].sample));
  return result;
}

}  // namespace
}  // namespace scaling
