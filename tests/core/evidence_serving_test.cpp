// SPDX-License-Identifier: MIT
//
// Predictions of serving on published measurements (shared/serving-runs.json and
// shared/serving-silicon.csv): errors as npm run evidence has written them, and rows that can't be
// used.

#include <map>
#include <set>

#include "files.hpp"
#include "odd_rows.hpp"
#include "presets.hpp"
#include "serving.hpp"
#include "serving_predictions.hpp"

namespace scaling::test::evidence_serving_test {
namespace {

using evidence::Json;

const evidence::ServingPresets& presets() {
  static const auto result = [] {
    std::string error;
    auto read = evidence::read_serving_presets(SCALING_SHARED_DIR, error);
    INFO(error);
    REQUIRE(error.empty());
    return read;
  }();
  return result;
}

const std::vector<evidence::ServingRun>& all_runs() {
  static const auto result = [] {
    std::string error;
    auto runs = evidence::all_serving_runs(SCALING_SHARED_DIR, presets(), error);
    INFO(error);
    REQUIRE(error.empty());
    return runs;
  }();
  return result;
}

TEST_CASE("predictions of serving are as far from measurements as the evidence says") {
  const auto golden = read_json(SCALING_GOLDEN_DIR "/evidence.json").at("serving").at("asShipped");
  evidence::ServingRuns used;
  for (const auto& run : all_runs()) {
    if (run.reason.empty()) used.push_back(&run);
  }
  REQUIRE(used.size() > 2500);
  const auto figures = evidence::serving_figures(used, false);
  std::size_t slices = 0;
  for (const auto& slice : evidence::serving_slices()) {
    const auto e = evidence::serving_error(figures, slice);
    if (e.error.count == 0) continue;
    const auto& written = golden.at(slice.name);
    INFO(slice.name << ": " << e.error.median << " / " << e.error.ninth << " %");
    CHECK(e.error.count == written.at("figures").get<std::size_t>());
    CHECK(e.error.median <= written.at("median").get<double>() + 0.5);
    CHECK(e.error.ninth <= written.at("ninth").get<double>() + 1.5);
    // Nothing that was measured soundly beats the bound.
    CHECK(e.sound == 100);
    ++slices;
  }
  CHECK(slices > 20);
}

TEST_CASE("what the page shows of serving is what is predicted; npm run evidence renews it") {
  const auto shown = text_of(SCALING_SHARED_DIR "/serving-predictions.json");
  REQUIRE(shown.size() > 100000);
  const auto lines = difference(shown, evidence::serving_predictions_text(all_runs(), presets()));
  CHECK(lines.first == lines.second);
}

TEST_CASE("of silicon points every so many-th of a model on a chip is shown, and all other runs") {
  std::map<std::string, std::pair<std::size_t, std::size_t>> groups;
  const auto file = read_json(SCALING_SHARED_DIR "/serving-predictions.json");
  std::set<std::string> shown;
  for (const auto& id : file.at("runs").at("id")) shown.insert(id.get<std::string>());
  std::size_t others = 0;
  for (const auto& run : all_runs()) {
    if (!run.reason.empty() || !run.unfit.empty()) {
      ++others;
      continue;
    }
    INFO(run.id);
    if (!run.silicon) CHECK(shown.count(run.id) == 1);
    if (!run.silicon) continue;
    auto& [all, kept] = groups[run.model + "|" + run.chip + (run.apart ? "|apart" : "")];
    ++all;
    kept += shown.count(run.id);
  }
  for (const auto& [name, counts] : groups) {
    INFO(name);
    CHECK(counts.second == (counts.first + evidence::kShownOneIn - 1) / evidence::kShownOneIn);
  }
  std::size_t counted = 0;
  for (const auto& other : file.at("others")) counted += other.at(5).get<std::size_t>();
  CHECK(counted == others);
  CHECK(file.at("all").get<std::size_t>() == all_runs().size());
}

TEST_CASE("of every measurement of serving that is not predicted the reason is told") {
  std::size_t without = 0;
  for (const auto& run : all_runs()) {
    if (run.reason.empty()) continue;
    ++without;
    INFO(run.id);
    CHECK(run.reason.size() > 5);
  }
  CHECK(without > 100);
  CHECK(without < all_runs().size() / 2);
}

/// A row that is predicted.
Json usable() {
  return Json::parse(R"({"id": "a", "group": "vllm-load", "cluster": "c", "chip": "H100-80GB-SXM",
    "n_chips": 1, "tp": 1, "weight_precision": "bf16", "kv_precision": "bf16", "isl": 1024,
    "osl": 128, "batch_or_concurrency": 8, "load": "closed loop", "software": "vLLM 0.19",
    "note": "", "measured": {"tpot_ms": 9}, "model": {"name": "8B", "L": 32, "D": 4096,
    "F": 14336, "N": 32, "K": 8, "H": 128, "V": 128256, "gated_mlp": true, "tied": false}})");
}

TEST_CASE("a row of serving that says too little has a reason and no prediction") {
  CHECK(evidence::read_serving_run(usable(), presets()).reason.empty());
  const auto reason = [](const char* key, const Json& value) {
    auto row = usable();
    row[key] = value;
    return evidence::read_serving_run(row, presets()).reason;
  };
  CHECK(reason("isl", nullptr) == "the length of prompts is not stated");
  CHECK(reason("isl", "long") == "isl is no number");
  CHECK(reason("osl", nullptr) == "the length of answers is not stated");
  CHECK(reason("chip", "Z9000") == "a chip without figures");
  CHECK(reason("weight_precision", "fp3") == "a precision that is not known");
  CHECK(reason("model", 7) == "the model is missing");
  CHECK(reason("measured", 7) == "nothing is measured");
  CHECK(evidence::read_serving_run(Json(3), presets()).reason == "the row is no object");
  CHECK(evidence::read_silicon_run({}, presets()).reason == "a chip without figures");
  std::string error;
  CHECK(evidence::read_serving_runs("/no/such/file.csv", presets(), error).empty());
  CHECK(!error.empty());
}

TEST_CASE("a row of serving of anything at all is read without a crash") {
  inputs::Numbers numbers;
  const auto row = usable();
  for (int n = 0; n < 1000; ++n) {
    auto other = row;
    change_fields(other, numbers, 6);
    const auto run = evidence::read_serving_run(other, presets());
    if (!run.reason.empty()) continue;
    for (const auto& p : evidence::predict(run)) {
      if (!p.present) continue;
      CHECK(p.expected > 0);
      CHECK(p.low <= p.expected);
      CHECK(p.high >= p.expected);
    }
  }
}

}  // namespace
}  // namespace scaling::test::evidence_serving_test
