// SPDX-License-Identifier: MIT
#include "scaling/input/field.hpp"

#include <cmath>

namespace scaling {
namespace {

/// Whether the condition that a field has is met by the other field's value. An invalid choice
/// meets none; it is reported once, at its own field.
bool is_met(const FieldInfo& info, Kind kind, double other) {
  if (info.when_mask == 0) return kind == Kind::kText ? other == 0 : other > 0;
  if (kind == Kind::kText) return (info.when_mask & static_cast<std::uint32_t>(other)) != 0;
  return other >= 0 && other < 32 && ((info.when_mask >> static_cast<int>(other)) & 1u) != 0;
}

bool is_right(const FieldInfo& info, double value) {
  return value >= info.minimum && value <= info.maximum &&
         (info.kind == Kind::kNumber || value == std::floor(value));
}

/// The problem with a value.
IssueCode fault(const FieldInfo& info, double value) {
  if (std::isnan(value)) return IssueCode::kNotANumber;
  if (info.kind == Kind::kChoice || info.kind == Kind::kFlag) return IssueCode::kUnknownChoice;
  if (std::isinf(value)) return IssueCode::kNotFinite;
  if (value < info.minimum) return IssueCode::kBelowMinimum;
  if (value > info.maximum) return IssueCode::kAboveMaximum;
  return IssueCode::kNotWhole;
}

double harmless(const FieldInfo& info) { return info.has_fallback ? info.fallback : info.minimum; }

}  // namespace

bool field_matters(std::span<const FieldInfo> fields, const FieldInfo& info,
                   std::span<const double> values) {
  // The other field may have a condition of its own.
  for (const FieldInfo* each = &info; each->when_index >= 0;) {
    const auto other = static_cast<std::size_t>(each->when_index);
    if (!is_met(*each, fields[other].kind, values[other])) return false;
    each = &fields[other];
  }
  return true;
}

bool is_allowed(const FieldInfo& info, double value) {
  return is_right(info, value) || (info.optional && std::isnan(value));
}

void ignore_fields(std::span<const FieldInfo> fields, std::span<double> values) {
  for (std::size_t i = 0; i < fields.size(); ++i) values[i] = harmless(fields[i]);
}

void add_fault(const FieldInfo& info, const Text& text, const TextFault& fault, Issues& issues) {
  if (text.too_long()) {
    issues.add(IssueCode::kTextTooLong, info.group, info.key, info.maximum);
  } else {
    issues.add(fault.code, info.group, info.key, fault.argument);
  }
}

void check_fields(std::span<const FieldInfo> fields, std::span<double> values, Issues& issues) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const FieldInfo& info = fields[i];
    if (info.kind == Kind::kText) continue;  // read before, as others may depend on it
    double& value = values[i];
    value += 0.0;  // -0 is 0
    if (!field_matters(fields, info, values)) {
      value = harmless(info);
    } else if (!is_allowed(info, value)) {
      issues.add(fault(info, value), info.group, info.key, info.minimum, info.maximum);
    }
  }
}

}  // namespace scaling
