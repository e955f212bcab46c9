// SPDX-License-Identifier: MIT
//
// Predictions of serving on published measurements (shared/serving-runs.json and
// shared/serving-silicon.csv): errors as npm run evidence has written them, and rows that can't be
// used.

#include <map>
#include <set>
#include <tuple>

#include "files.hpp"
#include "odd_rows.hpp"
#include "presets.hpp"
#include "serving.hpp"
#include "serving_predictions.hpp"
#include "serving_recipes.hpp"

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

TEST_CASE("ranges hold figures of each engine that is left out about as often as of others") {
  const auto golden = read_json(SCALING_GOLDEN_DIR "/evidence.json").at("serving");
  const auto& left_out = golden.at("engineLeftOut");
  for (const char* slice : {"tokensPerSecond", "timePerToken", "timeToFirstToken loaded"}) {
    INFO(slice);
    CHECK(left_out.at(slice).at("sound").get<double>() == 100);
    CHECK(left_out.at(slice).at("figures").get<double>() >
          0.75 * golden.at("groupLeftOut").at(slice).at("figures").get<double>());
    CHECK_THAT(left_out.at(slice).at("band").get<double>(), Catch::Matchers::WithinAbs(90, 6));
  }
  // A range of its own for engines that are not named would hardly be wider.
  for (const auto& [kind, widening] : left_out.at("widening").items()) {
    INFO(kind);
    CHECK(widening.at("times").get<double>() < 1.35);
  }
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

TEST_CASE("submissions to MLPerf keep the limits of their category") {
  const auto run_of = [](const char* load, const char* model) {
    auto row = usable();
    row["group"] = "mlperf-inference";
    row["load"] = load;
    row["n_chips"] = 8;
    row.erase("tp");
    row["model"]["name"] = model;
    return evidence::read_serving_run(row, presets());
  };
  const auto offline = run_of("MLPerf Offline", "Llama-3.1-8B");
  const auto server = run_of("MLPerf Server", "Llama-3.1-8B");
  const auto interactive = run_of("MLPerf Interactive", "Llama-3.1-8B");
  CHECK(offline.token_limit == 0);
  CHECK(server.token_limit == 0.1);
  CHECK(interactive.token_limit == 0.03);
  const auto speed = [](const evidence::ServingRun& run) {
    INFO(run.reason);
    REQUIRE(run.reason.empty());
    return evidence::predict(run, kServingConstants)[0].expected;
  };
  CHECK(speed(interactive) <= speed(server));
  CHECK(speed(server) <= speed(offline));
  // The limits go by the name; 15 ms a token leave room for fewer users.
  const char* const strict = "DeepSeek-R1";
  CHECK(speed(run_of("MLPerf Interactive", strict)) < speed(run_of("MLPerf Server", strict)));
  CHECK(run_of("MLPerf Interactive", "Mixtral-8x7B").reason == "a category without limits");
}

using Cells = std::map<std::string, std::string>;

/// A silicon point with other cells.
evidence::ServingRun silicon(const Cells& other) {
  Cells row{{"id", "a"},
            {"backend", "sglang"},
            {"system", "b200_sxm"},
            {"model_path", "Qwen/Qwen3.5-397B-A17B"},
            {"precision", "fp8"},
            {"mode", "agg"},
            {"isl", "1024"},
            {"osl", "1024"},
            {"tp_size", "8"},
            {"attention_dp_size", "1"},
            {"moe_tp_size", "8"},
            {"moe_ep_size", "1"},
            {"concurrency", "16"},
            {"silicon_tpot_ms", "9"},
            {"silicon_ttft_ms", "200"}};
  for (const auto& [key, value] : other) row[key] = value;
  auto run = evidence::read_silicon_run(row, presets());
  INFO(run.reason);
  REQUIRE(run.reason.empty());
  return run;
}

TEST_CASE("a silicon point is served as its benchmark's scripts start the software") {
  const auto interval = [](const Cells& cells) {
    return silicon(cells).typed.server.stream_interval.value();
  };
  CHECK(interval({{"backend_version", "0.5.9"}}) == 30);
  CHECK(interval({{"backend_version", "0.5.10.post1"}}) == 10);
  // Lengths that are not those of the benchmark say nothing of its scripts.
  CHECK(interval({{"backend_version", "0.5.9"}, {"isl", "1000"}}) == 1);
  const auto server = [](const Cells& cells) { return silicon(cells).server; };
  const Cells vllm{
      {"backend", "vllm"}, {"model_path", "MiniMaxAI/MiniMax-M2.5"}, {"uneven", "blocks"}};
  const auto of_version = [&](const char* version) {
    auto cells = vllm;
    cells["backend_version"] = version;
    return server(cells);
  };
  CHECK(of_version("0.19.0") == "vllm");
  CHECK(of_version("0.14.1") == "vllm");
  CHECK(of_version("0.12.0") == "vllm-0.13");
  CHECK(of_version("") == "vllm-0.13");
}

TEST_CASE("drafts that a benchmark has without saying so are counted") {
  const auto drafts = [](const Cells& cells) {
    return silicon(cells).typed.serving.draft_tokens.value();
  };
  const Cells four{{"backend_version", "0.5.9"}, {"tp_size", "4"}, {"moe_tp_size", "4"}};
  const auto with = [&](const char* key, const char* value) {
    auto cells = four;
    cells[key] = value;
    return drafts(cells);
  };
  CHECK(drafts(four) == 3);
  CHECK(with("precision", "fp4") == 0);
  CHECK(with("backend_version", "0.5.10") == 0);
  CHECK(drafts({{"backend_version", "0.5.9"}}) == 0);
  auto divided = four;
  divided["moe_tp_size"] = "1";
  divided["moe_ep_size"] = "4";
  CHECK(drafts(divided) == 0);
}

/// DeepSeek-R1 in fp8 on GB300: one server of 4 chips reads prompts of 36 users, four of 8 answer
/// eight sequences each (srt-slurm, gb300-fp8/1k8k/stp/ctx1_gen4_tep8_batch8_eplb0_mtp0_36).
const Cells kSplit{
    {"backend", "trtllm"}, {"system", "gb300"},       {"model_path", "deepseek-ai/DeepSeek-R1"},
    {"mode", "disagg"},    {"isl", "1024"},           {"osl", "8192"},
    {"tp_size", ""},       {"attention_dp_size", ""}, {"moe_tp_size", ""},
    {"moe_ep_size", ""},   {"concurrency", "36"}};

Cells but_for(Cells cells, const Cells& other) {
  for (const auto& [key, value] : other) cells[key] = value;
  return cells;
}

TEST_CASE("servers that split prefill from decoding have what their recipe says") {
  const auto run = silicon(kSplit);
  CHECK(run.typed.server.most_sequences.value() == 8);
  CHECK(run.typed.serving.chips.value() == 4 + 4 * 8);
  CHECK(run.typed.serving.prefill_data.value() == 4);
  CHECK(run.typed.serving.tensor.value() == 8);
  CHECK(run.typed.serving.expert.value() == 8);
  // Four of 36 users wait for a place: 10.4 s were measured, and 11.3 ms a token.
  const auto answers = evidence::predict(run);
  CHECK_THAT(answers[2].expected, Catch::Matchers::WithinRel(10.433, 0.15));
  CHECK_THAT(answers[1].expected, Catch::Matchers::WithinRel(11.263e-3, 0.05));
}

TEST_CASE("a recipe is that of a row only where it can't be another") {
  const auto& recipes = presets().recipes;
  CHECK(recipes.size() > 300);
  const auto of = [&](const Cells& other) {
    const auto* found =
        evidence::recipe_of(but_for(kSplit, but_for({{"precision", "fp8"}}, other)), recipes);
    return found != nullptr ? found->at("recipe") : "";
  };
  const std::string own = "gb300-fp8/1k8k/stp/ctx1_gen4_tep8_batch8_eplb0_mtp0_36";
  const auto workers = [](const char* prefill, const char* decode) {
    return Cells{{"prefill_num_workers", prefill}, {"decode_num_workers", decode}};
  };
  CHECK(of({}) == own);
  CHECK(of(workers("1", "4")) == own);
  CHECK(of(workers("1", "5")).empty());
  CHECK(of({{"backend", "vllm"}}).empty());
  CHECK(of({{"model_path", "moonshotai/Kimi-K2.5"}}).empty());
  CHECK(of({{"concurrency", "37"}}).empty());
  // 24 users have a recipe with drafts and one without.
  const Cells twins{{"osl", "1024"}, {"concurrency", "24"}};
  CHECK(of(twins).empty());
  CHECK(of(but_for(twins, workers("1", "4"))) ==
        "gb300-fp8/1k1k/stp/ctx1_gen4_tep8_batch4_eplb0_mtp0_24");
}

TEST_CASE("a measurement that is listed under two names counts once") {
  const auto measurement = [](const evidence::ServingRun& run) {
    return std::tuple(run.software, run.chip, run.precision, run.apart,
                      run.typed.serving.prompt().value(), run.typed.serving.answer.value(),
                      run.typed.serving.users.value(), run.measured);
  };
  std::set<decltype(measurement(all_runs().front()))> counted;
  std::size_t twice = 0;
  for (const auto& run : all_runs()) {
    twice += run.reason == "a measurement that the source lists twice" ? 1 : 0;
    if (!run.silicon || !run.reason.empty()) continue;
    INFO(run.id);
    CHECK(counted.insert(measurement(run)).second);
  }
  CHECK(twice > 100);
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
