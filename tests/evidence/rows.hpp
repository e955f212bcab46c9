// SPDX-License-Identifier: MIT
//
// Reads rows of published measurements into inputs of the core.
#pragma once

#include <algorithm>
#include <cmath>
#include <exception>
#include <istream>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "training_runs.hpp"

namespace scaling::evidence {

/// The reason why a row can't be used.
struct Unusable {
  std::string reason;
};

template <template <class> class Group>
std::size_t index_of(const std::string& key) {
  const auto& fields = kFields<Group>;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (key == fields[i].key) return i;
  }
  throw Unusable{"no field " + key};
}

template <template <class> class Group>
void set(Raw<Group>& raw, const std::string& key, double value) {
  raw.values[index_of<Group>(key)] = value;
}

/// A value as JSON has it: a number, a flag, a choice by name, or null.
template <template <class> class Group>
void set(Raw<Group>& raw, const std::string& key, const Json& value) {
  const std::size_t i = index_of<Group>(key);
  const auto& info = kFields<Group>[i];
  if (info.kind == Kind::kText && value.is_string()) {
    raw.text(key) = Text(value.get<std::string>());
  } else if (value.is_null()) {
    raw.values[i] = std::numeric_limits<double>::quiet_NaN();
  } else if (value.is_boolean()) {
    raw.values[i] = value.get<bool>() ? 1 : 0;
  } else if (value.is_number()) {
    raw.values[i] = value.get<double>();
  } else if (value.is_string()) {
    const auto name = value.get<std::string>();
    const auto found = std::find(info.choices.begin(), info.choices.end(), name);
    if (found == info.choices.end()) throw Unusable{key + " has no choice " + name};
    raw.values[i] = static_cast<double>(found - info.choices.begin());
  } else {
    throw Unusable{key + " is neither a number nor a word"};
  }
}

template <template <class> class Group, class Enum>
void choose(Raw<Group>& raw, const std::string& key, Enum value) {
  set(raw, key, static_cast<double>(value));
}

inline std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

inline bool holds(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

/// A row's fields, each checked as it is asked for.
class Row {
 public:
  explicit Row(const Json& json) : json_(json) {
    if (!json.is_object()) throw Unusable{"the row is no object"};
  }

  std::string text(const char* key) const {
    const auto found = json_.find(key);
    return found != json_.end() && found->is_string() ? found->get<std::string>() : "";
  }
  bool has(const char* key) const {
    const auto found = json_.find(key);
    return found != json_.end() && !found->is_null();
  }
  /// A positive number, or `missing` if it is not there.
  double number(const char* key, double missing) const {
    const auto found = json_.find(key);
    if (found == json_.end() || found->is_null()) return missing;
    if (!found->is_number()) throw Unusable{std::string(key) + " is no number"};
    const double value = found->get<double>();
    if (!(value >= 0) || value > 1e18) throw Unusable{std::string(key) + " is out of range"};
    return value > 0 ? value : missing;
  }
  double number(const char* key) const {
    const double value = number(key, 0);
    if (value <= 0) throw Unusable{std::string(key) + " is missing"};
    return value;
  }
  bool flag(const char* key) const {
    const auto found = json_.find(key);
    return found != json_.end() && found->is_boolean() && found->get<bool>();
  }
  const Json* object(const char* key) const {
    const auto found = json_.find(key);
    return found != json_.end() && found->is_object() ? &*found : nullptr;
  }
  const Json& json() const { return json_; }

 private:
  const Json& json_;
};

/// A model of the sizes that a row gives, with grouped attention that sees all.
inline Raw<Model> sizes_of(const Row& m) {
  auto model = Raw<Model>::defaults();
  for (const auto& [key, field] : {std::pair{"L", "layers"},
                                   {"D", "hidden"},
                                   {"N", "heads"},
                                   {"K", "kvHeads"},
                                   {"V", "vocabulary"}}) {
    set(model, field, m.number(key));
  }
  const double inner = m.number("F", m.number("moe_F", 0));
  if (inner <= 0) throw Unusable{"the width of the feed-forward part is missing"};
  set(model, "feedForward", inner);
  set(model, "headDim", m.number("H", std::floor(m.number("D") / m.number("N"))));
  set(model, "gatedFeedForward", m.flag("gated_mlp") ? 1.0 : 0.0);
  set(model, "tiedEmbeddings", m.flag("tied") ? 1.0 : 0.0);
  if (m.number("experts", 0) > 0) {
    set(model, "experts", m.number("experts"));
    set(model, "expertsPerToken", m.number("top_k"));
    set(model, "expertFeedForward", m.number("moe_F", inner));
    set(model, "sharedExperts", m.number("shared_experts", 0));
    set(model, "denseLayers", m.number("dense_layers", 0));
    set(model, "moeEvery", m.number("moe_every", 1));
  }
  return model;
}

/// Gives a model the latent attention of DeepSeek-V3, which is all that rows have.
inline void set_latent(Raw<Model>& model) {
  choose(model, "attention", Attention::kLatent);
  for (const auto& [key, value] : {std::pair{"queryRank", 1536.0},
                                   {"kvRank", 512.0},
                                   {"nopeDim", 128.0},
                                   {"ropeDim", 64.0},
                                   {"valueDim", 128.0}}) {
    set(model, key, value);
  }
}

/// Refuses a kind of attention that is not known.
inline void check_attention(const std::string& attention) {
  if (!attention.empty() && attention != "None" && attention != "GQA" && attention != "MHA" &&
      attention != "MQA") {
    throw Unusable{"a kind of attention that is not known"};
  }
}

/// Reads a row into `run` by `read`; keeps the reason where it can't be used.
template <class Run, class Read>
Run run_of(Read read) {
  Run run;
  try {
    read(run);
  } catch (const Unusable& unusable) {
    run.reason = unusable.reason;
  } catch (const std::exception& error) {
    run.reason = error.what();
  }
  return run;
}

/// The rows of a file: a list, or an object with a list `runs`.
inline const Json& rows_of(const Json& file) {
  return file.is_object() && file.contains("runs") ? file.at("runs") : file;
}

/// Reads each row of a JSON file by `read_run`.
template <class Run, class ReadRun>
std::vector<Run> read_list(std::istream& stream, const std::string& file, std::string& error,
                           ReadRun read_run) {
  std::vector<Run> runs;
  const Json json = Json::parse(stream, nullptr, false);
  if (json.is_discarded()) {
    error = file + " is no JSON file";
    return runs;
  }
  const Json& rows = rows_of(json);
  if (!rows.is_array()) {
    error = file + " holds no list of runs";
    return runs;
  }
  for (const auto& row : rows) runs.push_back(read_run(row));
  return runs;
}

/// The id of a chip's preset from what sources call it; empty if there is none.
inline std::string chip_id(const std::string& name, const Presets& presets) {
  if (presets.chips.count(name) > 0) return name;
  static const std::map<std::string, std::string> kNames{{"h100-80gb-sxm", "h100-sxm"},
                                                         {"h100-96gb-hbm2e-500w", "h100-sxm"},
                                                         {"h100", "h100-sxm"},
                                                         {"h100-pcie", "h100-pcie"},
                                                         {"h200", "h200-sxm"},
                                                         {"h800-80gb", "h800-sxm"},
                                                         {"h800", "h800-sxm"},
                                                         {"a100-80gb-sxm", "a100-sxm-80gb"},
                                                         {"a100-40gb-sxm", "a100-sxm-40gb"},
                                                         {"a100", "a100-sxm-80gb"},
                                                         {"a800-80gb", "a100-sxm-80gb"},
                                                         {"b200", "b200-sxm"},
                                                         {"b300", "b300-sxm"},
                                                         {"gb200", "gb200-nvl72"},
                                                         {"gb300", "gb300-nvl72"},
                                                         {"tpu7x (ironwood)", "tpu-v7"},
                                                         {"tpu v7", "tpu-v7"},
                                                         {"ironwood", "tpu-v7"},
                                                         {"tpu v6e", "tpu-v6e"},
                                                         {"tpu v5p", "tpu-v5p"},
                                                         {"tpu v5e", "tpu-v5e"},
                                                         {"tpu v4", "tpu-v4"},
                                                         {"tpu v3", "tpu-v3"},
                                                         {"mi300x", "mi300x"},
                                                         {"mi325x", "mi325x"},
                                                         {"mi355x", "mi355x"},
                                                         {"gaudi2", "gaudi-2"},
                                                         {"gaudi3", "gaudi-3"},
                                                         {"trainium1", "trainium-1"},
                                                         {"trainium2", "trainium-2"},
                                                         {"l40s", "l40s"},
                                                         {"l4", "l4"}};
  const auto found = kNames.find(lower_case(name));
  return found != kNames.end() && presets.chips.count(found->second) > 0 ? found->second : "";
}

}  // namespace scaling::evidence
