// SPDX-License-Identifier: MIT
//
// Parts of the files that the page reads of the evidence.
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "training_runs.hpp"

namespace scaling::evidence {

/// A number as JSON has it, to as many digits as a page shows.
Json with_digits(double value, int digits = 5);
/// A number as JSON has it, a whole one without a fraction.
Json plain(double value);

/// A field's value as JSON has it: a choice by name.
inline Json value_of(const FieldInfo& info, double value) {
  if (std::isnan(value)) return nullptr;
  if (info.kind == Kind::kChoice) return info.choices[static_cast<std::size_t>(value)];
  if (info.kind == Kind::kFlag) return value > 0;
  return plain(value);
}

/// The fields of `raw` that are not as in `usual`.
template <template <class> class Group>
void add_changes(Json& changes, const Raw<Group>& raw, const Raw<Group>& usual) {
  const auto& fields = kFields<Group>;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].kind == Kind::kText) continue;
    const double value = raw.values[i];
    if (value == usual.values[i] || (std::isnan(value) && std::isnan(usual.values[i]))) continue;
    changes[std::string(Group<double>::kGroup) + "." + fields[i].key] = value_of(fields[i], value);
  }
  if constexpr (kTextCount < Group >> 0) {
    std::size_t place = 0;
    for (const FieldInfo& info : fields) {
      if (info.kind != Kind::kText) continue;
      const auto& text = raw.texts[place];
      const auto& other = usual.texts[place++];
      if (text.view() == other.view()) continue;
      changes[std::string(Group<double>::kGroup) + "." + info.key] = std::string(text.view());
    }
  }
}

/// Values, each once, by the place of their first use.
class Places {
 public:
  std::size_t of(const Json& value) {
    const auto [found, isNew] = places_.emplace(value.dump(), all_.size());
    if (isNew) all_.push_back(value);
    return found->second;
  }
  const Json& all() const { return all_; }

 private:
  std::map<std::string, std::size_t> places_;
  Json all_ = Json::array();
};

/// A list of `"name": [...]`, a line for each item: so that changes of the file can be read.
inline std::string list(const char* name, const Json& items) {
  std::string text = std::string("\"") + name + "\": [";
  for (std::size_t i = 0; i < items.size(); ++i) {
    text += (i > 0 ? ",\n" : "\n") + items[i].dump();
  }
  return text + "\n]";
}

}  // namespace scaling::evidence
