// SPDX-License-Identifier: MIT
#include "tuning_runs.hpp"

#include <fstream>

#include "rows.hpp"
#include "training_software.hpp"

namespace scaling::evidence {
namespace {

/// A measurement of a row that is predicted.
enum class Measurement { kStep, kMemory, kCard };

template <template <class> class Group>
void set_all(Raw<Group>& raw, const Row& row, const char* name) {
  const Json* const fields = row.object(name);
  if (fields == nullptr) return;
  for (const auto& [key, value] : fields->items()) set(raw, key, value);
}

void read_model(const Row& row, const Json& models, const Presets& presets, TrainingRun& run) {
  const auto id = row.text("model");
  const auto preset = presets.models.find(id);
  if (preset != presets.models.end()) {
    run.model = presets.model_names.at(id);
    run.input.model = preset->second;
    return;
  }
  const auto own = models.find(id);
  if (own == models.end()) throw Unusable{"the model is missing"};
  const Row model(*own);
  run.model = model.text("name");
  run.input.model = Raw<Model>::defaults();
  set_all(run.input.model, model, "fields");
}

/// Leaves out what a source does not count: PyTorch tells of tensors, or of its allocator.
void count_as(const std::string& counts, Raw<Assumptions>& assumptions) {
  if (counts == "process") return;
  if (counts != "allocated" && counts != "reserved") throw Unusable{"a count that is not known"};
  set(assumptions, "runtimeOverhead", 0.0);
  if (counts == "allocated") set(assumptions, "allocatorShare", 0.0);
}

void read(const Json& json, const Json& file, const Presets& presets, Measurement what,
          TrainingRun& run) {
  const Row row(json);
  run.id = row.text("id");
  run.source = row.text("source");
  run.configuration = run.source;
  run.chip = row.text("chip");
  run.precision = row.text("precision");
  run.citation = file.at("sources").at(run.source).at("title").get<std::string>();
  const Json* const measurements = row.object("measured");
  if (measurements == nullptr) throw Unusable{"nothing is measured"};
  const Row measured(*measurements);
  read_model(row, file.at("models"), presets, run);
  if (const Json* unfit = row.object("unfit")) {
    const auto reason = Row(*unfit).text(what == Measurement::kStep ? "stepTime" : "memory");
    if (!reason.empty()) throw Unusable{reason};
  }
  if (presets.chips.count(run.chip) == 0) throw Unusable{"a chip without figures"};
  start_on(run, run.chip, presets);
  if (row.has("chipMemory")) set(run.input.chip, "memory", row.number("chipMemory"));

  auto& input = run.input;
  const Json* const stack = stack_by_id(row.text("stack"), presets);
  if (stack == nullptr) throw Unusable{"software that is not known"};
  run.stack = stack->at("id");
  take_software(input, *stack);
  set_all(input.stack, row, "software");
  set_all(input.run, row, "run");
  set_all(input.layout, row, "layout");
  set_all(input.assumptions, row, "assumptions");
  const Json* const run_fields_json = row.object("run");
  if (run_fields_json == nullptr) throw Unusable{"the run is missing"};
  const Row run_fields(*run_fields_json);
  const double tokens = run_fields.number("batchTokens");
  const double length = run_fields.number("sequenceLength");
  set(input.run, "tokens", std::max(tokens, 1e12));
  run.sparse = input.model.values[index_of<Model>("experts")] > 0;
  if (what == Measurement::kStep) {
    run.measured = measured.number("stepTime", 0);
  } else {
    const double longest = row.number("longest", length);
    set(input.run, "batchTokens", tokens / length * longest);
    set(input.run, "sequenceLength", longest);
    run.memory = measured.number("memory", 0);
    if (what == Measurement::kMemory) count_as(measured.text("counts"), input.assumptions);
  }
  take_input(run);
  if (what == Measurement::kStep && run.measured <= 0) throw Unusable{"no step time"};
}

TrainingRun read_run(const Json& row, const Json& file, const Presets& presets, Measurement what) {
  return run_of<TrainingRun>([&](TrainingRun& run) { read(row, file, presets, what, run); });
}

}  // namespace

TuningRuns tuning_runs_of(const Json& file, const Presets& presets) {
  TuningRuns runs;
  for (const auto& row : file.at("runs")) {
    const auto found = row.find("measured");
    const bool says = found != row.end() && found->is_object();
    const bool memory = says && found->contains("memory");
    const bool failed = says && found->contains("ran") && found->at("ran") == false;
    const bool step = says && found->contains("stepTime");
    const auto read = [&](Measurement what) { return read_run(row, file, presets, what); };
    if (step || (!memory && !failed)) runs.steps.push_back(read(Measurement::kStep));
    if (memory) runs.memory.push_back(read(Measurement::kMemory));
    if (memory || failed) runs.cards.push_back({read(Measurement::kCard), !failed});
  }
  return runs;
}

TuningRuns read_tuning_runs(const std::string& file, const Presets& presets, std::string& error) {
  std::ifstream stream(file);
  const Json json = Json::parse(stream, nullptr, false);
  const bool known = json.is_object() && json.contains("sources") && json.contains("models") &&
                     json.contains("runs") && json.at("runs").is_array();
  if (!known) error = file + " holds no fine-tunings";
  return known ? tuning_runs_of(json, presets) : TuningRuns{};
}

}  // namespace scaling::evidence
