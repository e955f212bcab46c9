// SPDX-License-Identifier: MIT
//
// The planner's predictions on published fine-tunings (shared/tuning-runs.json): errors as npm run
// evidence has written them, and rows that can't be used.

#include <cmath>
#include <set>
#include <string>

#include "evidence_presets.hpp"
#include "files.hpp"
#include "odd_rows.hpp"
#include "predictions.hpp"
#include "presets.hpp"
#include "tuning.hpp"

namespace scaling::test::evidence_tuning_test {
namespace {

using evidence::Json;
using evidence_presets::presets;

const Json& file() {
  static const Json read = read_json(SCALING_SHARED_DIR "/tuning-runs.json");
  return read;
}

const evidence::TuningRuns& all_runs() {
  static const auto runs = evidence::tuning_runs_of(file(), presets());
  return runs;
}

/// Compares figures, which have a digit behind the point, by their names.
void check_figures(const Json& found, const Json& written, const std::string& name) {
  INFO(name << ": " << found.dump());
  if (found.is_object()) {
    REQUIRE(found.size() == written.size());
    for (const auto& [key, value] : found.items()) {
      check_figures(value, written.at(key), name + " / " + key);
    }
    return;
  }
  CHECK(std::fabs(found.get<double>() - written.get<double>()) <= 0.1 + 1e-9);
}

TEST_CASE("predicted fine-tunings are as far from measured ones as the evidence says") {
  const auto golden = read_json(SCALING_GOLDEN_DIR "/evidence.json");
  const auto errors = evidence::tuning_errors(all_runs());
  check_figures(errors, golden.at("tuning").at("asShipped"), "asShipped");
  for (const char* measure : {"stepTime", "memory"}) {
    for (const auto& slice : evidence::kinds_of_tunings()) {
      if (!errors.at(measure).contains(slice.name)) continue;
      CHECK(golden.at("tuning").at("sourceLeftOut").at(measure).contains(slice.name));
    }
  }
}

TEST_CASE("every published fine-tuning is used, or has a reason that its row gives") {
  std::set<std::string> ids;
  for (const auto& row : file().at("runs")) ids.insert(row.at("id").get<std::string>());
  CHECK(ids.size() == 209);
  std::set<std::string> seen;
  const auto see = [&](const evidence::TrainingRun& run) {
    INFO(run.id << ": " << run.reason);
    seen.insert(run.id);
    CHECK(run.reason.find("refuses") == std::string::npos);
    CHECK(run.readable == run.reason.empty());
  };
  for (const auto& run : all_runs().steps) see(run);
  for (const auto& run : all_runs().memory) see(run);
  for (const auto& card : all_runs().cards) see(card.run);
  CHECK(seen == ids);
  CHECK(evidence::predictable(all_runs().steps).size() > 60);
  CHECK(evidence::predictable(all_runs().memory).size() > 110);
}

TEST_CASE("the page has the predictions of fine-tunings as they are") {
  const auto steps = difference(text_of(SCALING_SHARED_DIR "/tuning-predictions.json"),
                                evidence::predictions_text(all_runs().steps, presets()));
  CHECK(steps.first == steps.second);
  const auto memory = difference(
      text_of(SCALING_SHARED_DIR "/tuning-memory.json"),
      evidence::predictions_text(all_runs().memory, presets(), &evidence::TrainingRun::memory));
  CHECK(memory.first == memory.second);
}

/// A file with one row, which can be used.
Json usable() {
  return Json::parse(R"({"sources": {"s": {"title": "A source"}}, "models": {}, "runs": [{
    "id": "a", "source": "s", "model": "llama-3.1-8b", "chip": "rtx-4090", "stack": "peft",
    "precision": "bf16", "run": {"chips": 1, "batchTokens": 4096, "sequenceLength": 1024,
    "trained": "qlora"}, "layout": {"microBatch": 2, "recompute": "full", "sharding": "none"},
    "longest": 2048, "measured": {"stepTime": 2, "memory": 12e9, "counts": "process"}}]})");
}

TEST_CASE("a fine-tuning goes by its mean sequences in time, by its longest in memory") {
  const auto runs = evidence::tuning_runs_of(usable(), presets());
  REQUIRE(runs.steps.size() == 1);
  REQUIRE(runs.memory.size() == 1);
  REQUIRE(runs.cards.size() == 1);
  CHECK(runs.steps[0].groups.run.sequence_length.value() == 1024);
  CHECK(runs.memory[0].groups.run.sequence_length.value() == 2048);
  CHECK(runs.memory[0].groups.run.batch_tokens.value() == 8192);
  CHECK(runs.cards[0].ran);
  // A source that tells of tensors alone says less than one that tells of a process.
  auto row = usable();
  const auto memory = [&](const char* counts) {
    row["runs"][0]["measured"]["counts"] = counts;
    return evidence::predict(evidence::tuning_runs_of(row, presets()).memory[0], kStepConstants)
        .memory;
  };
  CHECK(memory("allocated") < memory("reserved"));
  CHECK(memory("reserved") < memory("process"));
}

TEST_CASE("a fine-tuning that says too little, or what can't be, has a reason") {
  const auto reason = [](const char* key, const Json& value) {
    auto row = usable();
    row["runs"][0][key] = value;
    const auto runs = evidence::tuning_runs_of(row, presets());
    return runs.memory.empty() ? runs.steps.at(0).reason : runs.memory[0].reason;
  };
  CHECK(reason("note", "fine").empty());
  CHECK(reason("chip", "z9000") == "a chip without figures");
  CHECK(reason("model", "no-model") == "the model is missing");
  CHECK(reason("stack", "no-stack") == "software that is not known");
  CHECK(reason("run", 7) == "the run is missing");
  CHECK(reason("run", Json::object()) == "batchTokens is missing");
  CHECK(reason("longest", "long") == "longest is no number");
  CHECK(reason("unfit", {{"memory", "a reason"}}) == "a reason");
  CHECK(reason("layout", {{"tensor", 3}}).find("the planner refuses") == 0);
  CHECK(reason("layout", {{"speed", 3}}) == "no field speed");
  CHECK(reason("measured", {{"memory", 1e9}, {"counts", "all"}}) == "a count that is not known");
  CHECK(reason("measured", Json::object()) == "no step time");
  CHECK(reason("measured", nullptr) == "nothing is measured");
  std::string error;
  CHECK(evidence::read_tuning_runs("/no/such/file", presets(), error).steps.empty());
  CHECK(!error.empty());
}

TEST_CASE("a fine-tuning of anything at all is read without a crash") {
  inputs::Numbers numbers;
  for (int n = 0; n < 500; ++n) {
    auto other = usable();
    auto& row = other["runs"][0];
    change_fields(row, numbers, 8);
    for (const char* part : {"run", "layout", "measured"}) {
      if (row[part].is_object()) change_fields(row[part], numbers, 8);
    }
    const auto runs = evidence::tuning_runs_of(other, presets());
    for (const auto& run : runs.steps) {
      if (!run.reason.empty()) continue;
      const auto p = evidence::predict(run, kStepConstants);
      CHECK(p.lower > 0);
      CHECK(p.expected <= p.upper);
    }
  }
}

}  // namespace
}  // namespace scaling::test::evidence_tuning_test
