// SPDX-License-Identifier: MIT
//
// The presets of shared/, as the core takes them.
#pragma once

#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "support.hpp"

namespace scaling::test {

inline nlohmann::json read_json(const std::string& path) {
  std::ifstream stream(path);
  if (!stream) FAIL("cannot read " << path);
  return nlohmann::json::parse(stream);
}

/// The value of a field as JSON has it: a number, a choice by name, a flag, or null.
inline double field_value(const FieldInfo& info, const nlohmann::json& value) {
  if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  if (value.is_number()) return value.get<double>();
  const auto name = value.get<std::string>();
  const auto found = std::find(info.choices.begin(), info.choices.end(), name);
  if (found == info.choices.end()) FAIL(info.key << " has no choice " << name);
  return static_cast<double>(std::distance(info.choices.begin(), found));
}

template <template <class> class Group>
void set_field(Raw<Group>& raw, const std::string& key, const nlohmann::json& value) {
  const std::size_t i = index_of<Group>(key);
  if (kFields<Group>[i].kind == Kind::kText) {
    raw.text(key) = Text(value.get<std::string>());
    return;
  }
  raw.values[i] = field_value(kFields<Group>[i], value);
}

/// All chips by id, with the vendors' figures or the book's.
inline std::map<std::string, Raw<Chip>> chip_presets(bool book = false) {
  std::map<std::string, Raw<Chip>> presets;
  const auto file = read_json(SCALING_SHARED_DIR "/chips.json");
  for (const auto& chip : file.at("chips")) {
    auto raw = Raw<Chip>::defaults();
    for (const auto& [key, figure] : chip["figures"].items()) {
      set_field(raw, key,
                book && figure.contains("book") ? figure["book"]["value"] : figure["value"]);
    }
    presets[chip["id"].get<std::string>()] = raw;
  }
  REQUIRE(presets.size() > 10);
  return presets;
}

/// All models by id.
inline std::map<std::string, Raw<Model>> model_presets() {
  std::map<std::string, Raw<Model>> presets;
  const auto file = read_json(SCALING_SHARED_DIR "/models.json");
  for (const auto& model : file.at("models")) {
    auto raw = Raw<Model>::defaults();
    for (const auto& [key, value] : model["architecture"].items()) set_field(raw, key, value);
    presets[model["id"].get<std::string>()] = raw;
  }
  REQUIRE(presets.size() > 10);
  return presets;
}

/// Whether its rate in 16 or 32 bits is known, which a step takes, whatever its matmuls compute in.
inline bool has_wide_peak(const Raw<Chip>& raw) {
  const auto chip = typed(raw);
  return chip.peak(Format::kBf16).present() || chip.peak(Format::kFp16).present() ||
         chip.peak(Format::kFp32).present();
}

/// Presets whose layers are alike except for windows and experts, and attend to all tokens before
/// them: a statement about one layer holds for the model.
inline std::map<std::string, Raw<Model>> plain_presets() {
  auto presets = model_presets();
  std::erase_if(presets, [](const auto& preset) {
    const auto model = typed(preset.second);
    return !model.pattern.empty() || model.index_top_k.value() > 0;
  });
  REQUIRE(presets.size() > 10);
  return presets;
}

/// A format that the chip computes in.
inline Format compute_format_of(const Raw<Chip>& raw) {
  const auto chip = typed(raw);
  for (const Format format :
       {Format::kBf16, Format::kFp16, Format::kFp32, Format::kFp8, Format::kFp4}) {
    if (chip.peak(format).present()) return format;
  }
  FAIL("the chip has no peak in any format");
  return Format::kBf16;
}

}  // namespace scaling::test
