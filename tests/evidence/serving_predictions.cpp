// SPDX-License-Identifier: MIT
#include "serving_predictions.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <fstream>

#include "scaling/model/transformer.hpp"
#include "written.hpp"

namespace scaling::evidence {
namespace {

constexpr int kDigits = 4;
constexpr int kShareDigits = 3;

/// Fields of a group that are not as in `usual`, by their keys.
template <template <class> class Group>
Json changes_of(const Raw<Group>& raw, const Raw<Group>& usual) {
  Json all = Json::object();
  add_changes(all, raw, usual);
  Json changes = Json::object();
  for (const auto& [id, value] : all.items()) changes[id.substr(id.find('.') + 1)] = value;
  return changes;
}

/// Letters and digits of a name.
std::string letters_of(const std::string& name) {
  std::string result;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) result += c;
  }
  return lower_case(result);
}

/// Whether a model goes by the name of a preset.
bool is_called(const std::string& model, const std::string& preset) {
  return letters_of(model).rfind(letters_of(preset), 0) == 0;
}

/// A model as a preset with what differs, or as sizes of its own.
Json model_of(const ServingRun& run, const ServingPresets& presets) {
  const double parameters = with_digits(
      count_parameters(ServingQuestion::read<double>(run.input).model).total.value(), kDigits);
  // The context that a model was trained for changes no prediction.
  const auto context = index_of<Model>("contextLength");
  const auto alike = [&](Raw<Model> model) {
    const auto& other = run.input.model;
    // Most presets differ in their first fields, which is told sooner than all that differs.
    if (model.values[0] != other.values[0] || model.values[1] != other.values[1]) return false;
    model.values[context] = other.values[context];
    return changes_of(other, model).empty();
  };
  // The preset of that name is preferred among models that are alike.
  const std::pair<const std::string, Raw<Model>>* found = nullptr;
  for (const auto& preset : presets.models) {
    if (!alike(preset.second)) continue;
    if (found == nullptr || is_called(run.model, preset.first)) found = &preset;
  }
  if (found != nullptr) {
    // It matters where a sequence is longer.
    const double trained = found->second.values[index_of<Model>("contextLength")];
    const auto& serving = run.input.serving;
    const double longest = serving.values[index_of<Serving>("promptTokens")] +
                           serving.values[index_of<Serving>("answerTokens")];
    const bool fits = !(trained > 0) || longest <= trained;
    return {run.model, parameters, found->first,
            fits ? Json::object() : changes_of(run.input.model, found->second)};
  }
  return {run.model, parameters, nullptr, changes_of(run.input.model, Raw<Model>::defaults())};
}

/// A field of the load, taken out of its changes: a column of its own.
Json take(Json& changes, const char* key, const Raw<Serving>& usual) {
  const auto found = changes.find(key);
  if (found == changes.end()) return plain(usual.values[index_of<Serving>(key)]);
  Json value = *found;
  changes.erase(found);
  return value;
}

/// Fields of the load that have a column each.
constexpr const char* kColumns[] = {"chips", "users", "promptTokens", "answerTokens"};

/// Columns of numbers, a line each: `"name": [1, 2]`.
std::string columns(const Json& table, const char* indent) {
  std::string text = "{";
  for (const auto& [name, values] : table.items()) {
    text += (text.size() > 1 ? ",\n" : "\n") + std::string(indent) + "\"" + name +
            "\": " + values.dump();
  }
  return text + "\n}";
}

}  // namespace

std::vector<ServingRun> all_serving_runs(const std::string& shared, const ServingPresets& presets,
                                         std::string& error) {
  std::vector<ServingRun> runs;
  for (const char* name : {"/serving-runs.json", "/serving-silicon.csv"}) {
    if (!error.empty()) return {};
    auto read = read_serving_runs(shared + name, presets, error);
    for (auto& run : read) runs.push_back(std::move(run));
  }
  return runs;
}

std::string serving_predictions_text(const std::vector<ServingRun>& runs,
                                     const ServingPresets& presets) {
  Places sources, models, chips, precisions, software, servers, loads, reasons;
  std::map<std::string, std::size_t> counted;
  std::map<std::string, std::pair<Json, std::size_t>> others;
  std::size_t predicted = 0;
  std::size_t shown = 0;
  Json table;
  std::array<Json, kServingMeasures> measures;
  const auto usual = Raw<Serving>::defaults();
  for (const auto& run : runs) {
    const auto source = sources.of({run.group, run.citation});
    const auto& reason = run.reason.empty() ? run.unfit : run.reason;
    if (!reason.empty()) {
      Json other{source, run.model, run.chip, run.precision, reasons.of(reason)};
      auto& entry = others.try_emplace(other.dump(), other, 0).first->second;
      ++entry.second;
      continue;
    }
    ++predicted;
    const auto group = run.model + "|" + run.chip + "|" + (run.apart ? "apart" : "");
    if (run.silicon && counted[group]++ % kShownOneIn != 0) continue;
    const auto answers = predict(run);
    Json load = changes_of(run.input.serving, usual);
    table["id"].push_back(run.id);
    table["source"].push_back(source);
    table["model"].push_back(models.of(model_of(run, presets)));
    table["chip"].push_back(
        chips.of({run.preset, changes_of(run.input.chip, presets.presets.chips.at(run.preset))}));
    table["precision"].push_back(precisions.of(run.precision));
    table["software"].push_back(software.of(run.server.empty() ? Json() : Json(run.server)));
    table["server"].push_back(servers.of(changes_of(run.input.server, Raw<Server>::defaults())));
    for (const char* key : kColumns) table[key].push_back(take(load, key, usual));
    table["load"].push_back(loads.of(load));
    for (std::size_t i = 0; i < kServingMeasures; ++i) {
      const auto& p = answers[i];
      if (!(run.measured[i] > 0) || !p.present) continue;
      auto& measure = measures[i];
      measure["run"].push_back(shown);
      measure["measured"].push_back(with_digits(run.measured[i], kDigits));
      measure["expected"].push_back(with_digits(p.expected, kDigits));
      measure["low"].push_back(with_digits(p.low / p.expected, kShareDigits));
      measure["high"].push_back(with_digits(p.high / p.expected, kShareDigits));
      measure["bound"].push_back(with_digits(p.bound, kDigits));
    }
    ++shown;
  }
  Json left_out = Json::array();
  for (auto& [_, other] : others) {
    other.first.push_back(other.second);
    left_out.push_back(other.first);
  }
  std::string text = "{\n\"$schema\": \"./serving-predictions.schema.json\",\n\"all\": " +
                     std::to_string(runs.size()) +
                     ",\n\"predicted\": " + std::to_string(predicted) +
                     ",\n\"shownOneIn\": " + std::to_string(kShownOneIn);
  for (const auto& [name, places] : {std::pair<const char*, const Places*>{"sources", &sources},
                                     {"models", &models},
                                     {"chips", &chips},
                                     {"precisions", &precisions},
                                     {"software", &software},
                                     {"servers", &servers},
                                     {"loads", &loads},
                                     {"reasons", &reasons}}) {
    text += ",\n" + list(name, places->all());
  }
  text += ",\n\"runs\": " + columns(table, " ");
  for (std::size_t i = 0; i < kServingMeasures; ++i) {
    text += std::string(",\n\"") + kServingMeasureNames[i] + "\": " + columns(measures[i], " ");
  }
  return text + ",\n" + list("others", left_out) + "\n}\n";
}

int write_serving_predictions(const std::string& shared) {
  std::string error;
  const auto presets = read_serving_presets(shared, error);
  const auto runs = all_serving_runs(shared, presets, error);
  if (!error.empty()) {
    std::fprintf(stderr, "error: %s\n", error.c_str());
    return 1;
  }
  std::ofstream stream(shared + "/serving-predictions.json");
  stream << serving_predictions_text(runs, presets);
  return stream ? 0 : 1;
}

}  // namespace scaling::evidence
