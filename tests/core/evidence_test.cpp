// SPDX-License-Identifier: MIT
//
// The planner's predictions on published trainings (shared/runs.json): errors as npm run evidence
// has written them (tests/golden/evidence.json), and rows that can't be used.

#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "errors.hpp"
#include "evidence_presets.hpp"
#include "files.hpp"
#include "kernel_chips.hpp"
#include "odd_rows.hpp"
#include "predictions.hpp"
#include "presets.hpp"
#include "scaling/search/layout_search.hpp"
#include "share.hpp"
#include "training_runs.hpp"
#include "training_software.hpp"
#include "tuning_runs.hpp"

namespace scaling::test::evidence_test {
namespace {

using evidence::Json;
using evidence_presets::presets;

const std::vector<evidence::TrainingRun>& all_runs() {
  static const auto result = [] {
    std::string error;
    auto runs = evidence::read_runs(SCALING_SHARED_DIR "/runs.json", presets(), error);
    INFO(error);
    REQUIRE(error.empty());
    return runs;
  }();
  return result;
}

evidence::Runs used_runs() { return evidence::predictable(all_runs()); }

/// Whether a figure is the one that is committed, which has one digit behind the point. A better
/// one is to be committed, too, by npm run evidence; a worse one with its reason.
bool is_figure(double found, const Json& written) {
  return std::fabs(found - written.get<double>()) <= 0.05 + 1e-9;
}

TEST_CASE("a share lies 1.96 standard errors from the ends of its range") {
  for (const double n : {5.0, 34.0, 111.0, 718.0}) {
    for (const double held : {0.0, 0.5, 0.865, 1.0}) {
      const auto range = evidence::range_of_share(100 * held, static_cast<std::size_t>(n));
      for (const double percent : {range.low, range.high}) {
        const double end = percent / 100;
        const double error = std::sqrt(std::fmax(0, end * (1 - end)) / n);
        CHECK(std::fabs(std::fabs(held - end) - 1.96 * error) < 1e-9);
      }
      CHECK(range.low <= 100 * held + 1e-9);
      CHECK(range.high >= 100 * held - 1e-9);
    }
  }
  CHECK(evidence::range_of_share(100, 5).low < 60);
}

TEST_CASE("predicted steps are as far from measured ones as the evidence says") {
  const auto golden = read_json(SCALING_GOLDEN_DIR "/evidence.json");
  const auto runs = used_runs();
  evidence::Predicted predicted;
  for (const auto* run : runs) {
    predicted[run] = evidence::predict(*run, kStepConstants).expected;
  }
  std::size_t slices = 0;
  for (const auto& list : {evidence::kinds_of_runs(), evidence::sources_of(runs)}) {
    for (const auto& slice : list) {
      const auto error = evidence::error_of(runs, predicted, slice.holds);
      const auto& written = golden.at("asShipped").at("errors").at(slice.name);
      INFO(slice.name << ": " << error.median << " / " << error.ninth << " %");
      CHECK(error.count == written.at("rows").get<std::size_t>());
      CHECK(is_figure(error.median, written.at("median")));
      CHECK(is_figure(error.ninth, written.at("ninth")));
      ++slices;
    }
  }
  CHECK(slices >= 20);
  const auto memory = evidence::memory_error(all_runs(), kStepConstants);
  CHECK(is_figure(memory.median, golden.at("memory").at("median")));
  CHECK(is_figure(memory.ninth, golden.at("memory").at("ninth")));
  // The likely range is what rows come to, in whole percents, and holds 9 of 10 of them.
  const auto tunings =
      evidence::tuning_runs_of(read_json(SCALING_SHARED_DIR "/tuning-runs.json"), presets());
  const auto held = evidence::memory_coverage(
      evidence::runs_with_memory(all_runs(), tunings.memory), kStepConstants);
  CHECK_THAT(held.low, WithinAbs(1 - kStepConstants.memory_less, 0.015));
  CHECK_THAT(held.high, WithinAbs(1 + kStepConstants.memory_more, 0.015));
  CHECK(is_figure(held.band, golden.at("memory").at("band")));
  CHECK(held.band >= 90);
  CHECK(is_figure(held.left_out, golden.at("memory").at("sourceLeftOut")));
  for (const bool torus : {false, true}) {
    const auto said = evidence::verdicts_of(all_runs(), kStepConstants, torus);
    const auto& ran = golden.at("memory").at("ran").at(torus ? "TPU" : "GPU");
    CHECK(said.fits == ran.at("fits").get<std::size_t>());
    CHECK(said.tight == ran.at("tight").get<std::size_t>());
    CHECK(said.over == ran.at("over").get<std::size_t>());
    CHECK(said.ran_out == (torus ? ran.at("ranOut").at("rows").get<std::size_t>() : 0));
    CHECK(said.missed == (torus ? ran.at("ranOut").at("missed").get<std::size_t>() : 0));
  }
  const auto order = evidence::order_of(runs, predicted);
  const auto& ordered = golden.at("asShipped").at("order");
  CHECK(order.pairs == ordered.at("pairs").get<std::size_t>());
  CHECK(is_figure(order.right, ordered.at("right")));
  CHECK(is_figure(order.ninth_regret, ordered.at("regretNinth")));
}

TEST_CASE("so are those of trainings with nothing known of their software") {
  const auto golden = read_json(SCALING_GOLDEN_DIR "/evidence.json");
  std::string error;
  const auto usual = evidence::read_runs(SCALING_SHARED_DIR "/runs.json", presets(), error,
                                         evidence::Software::kUsual);
  REQUIRE(usual.size() == all_runs().size());
  evidence::Runs runs;
  evidence::Predicted predicted;
  for (std::size_t i = 0; i < usual.size(); ++i) {
    if (!all_runs()[i].reason.empty()) continue;
    CHECK(usual[i].stack == "");
    CHECK(usual[i].groups.stack.software == SoftwareFit::kOther);
    runs.push_back(&usual[i]);
    predicted[&usual[i]] = evidence::predict(usual[i], kStepConstants).expected;
  }
  for (const auto& slice : evidence::kinds_of_runs()) {
    const auto found = evidence::error_of(runs, predicted, slice.holds);
    if (found.count == 0) continue;
    const auto& written = golden.at("asShipped").at("undescribed").at(slice.name);
    INFO(slice.name << ": " << found.median << " / " << found.ninth << " %");
    CHECK(found.count == written.at("rows").get<std::size_t>());
    CHECK(is_figure(found.median, written.at("median")));
    CHECK(is_figure(found.ninth, written.at("ninth")));
  }
}

TEST_CASE("the software of a training is what it names, else its source's, else the usual one") {
  const auto id = [](const Json* stack) -> std::string {
    return stack == nullptr ? "" : stack->at("id");
  };
  const auto stated = [&](const char* name, const char* source) {
    return id(evidence::stated_stack(name, source, presets()));
  };
  CHECK(stated("NeMo 24.05", "a-source") == "nemo");
  CHECK(stated("NeMo 26.04.01", "a-source") == "megatron-core");
  CHECK(stated("Megatron-Core r0.8", "megatron-lm-readme-2024") == "megatron-core");
  CHECK(stated("Megatron-Core", "a-source") == "megatron-lm");
  CHECK(stated("MaxText", "nvidia-dgxc-benchmarking") == "maxtext");
  CHECK(stated("", "nvidia-dgxc-benchmarking") == "nemo");
  CHECK(stated("a new one", "a-source") == "");
  const auto usual = [&](const char* generation, const char* precision, StateSharding sharding) {
    return id(evidence::usual_stack(generation, precision, sharding, presets()));
  };
  CHECK(usual("hopper", "bf16", StateSharding::kOptimizer) == "nemo");
  CHECK(usual("hopper", "bf16", StateSharding::kParameters) == "torchtitan");
  CHECK(usual("ampere", "fp16", StateSharding::kOptimizer) == "megatron-2022");
  CHECK(usual("ampere", "bf16", StateSharding::kOptimizer) == "nemo-2023");
  CHECK(usual("amd", "bf16", StateSharding::kOptimizer) == "");
}

TEST_CASE("no measured step is faster than the lower bound, and 19 of 20 are below the upper one") {
  const auto runs = used_runs();
  REQUIRE(runs.size() > 700);
  evidence::Predictions predictions;
  for (const auto* run : runs) predictions[run] = evidence::predict(*run, kStepConstants);
  const auto all = [](const evidence::TrainingRun&) { return true; };
  const auto coverage = evidence::coverage_of(runs, predictions, all);
  CHECK(coverage.lower == 100);
  CHECK(coverage.upper >= 95);
  CHECK(coverage.band >= 88);
  CHECK(coverage.band <= 92);
  // By kind and chip, as the evidence says; of many runs, also with constants of other runs.
  const auto golden = read_json(SCALING_GOLDEN_DIR "/evidence.json");
  std::size_t groups = 0;
  for (const auto& slices : {evidence::kinds_of_runs(), evidence::chips_of(runs)}) {
    for (const auto& slice : slices) {
      INFO(slice.name);
      const auto share = evidence::coverage_of(runs, predictions, slice.holds);
      const auto& written = golden.at("coverage").at(slice.name);
      CHECK(share.count == written.at("rows").get<std::size_t>());
      CHECK(is_figure(share.band, written.at("band")));
      CHECK(is_figure(share.lower, written.at("lower")));
      CHECK(is_figure(share.upper, written.at("upper")));
      if (share.count < 15) continue;
      const auto& left_out = golden.at("sixFold").at("coverage").at(slice.name);
      CHECK(left_out.at("band").get<double>() >= 80);
      ++groups;
    }
  }
  CHECK(groups >= 12);
}

TEST_CASE("ranges of other software hold 9 of 10 steps of each software that is left out") {
  const auto golden = read_json(SCALING_GOLDEN_DIR "/evidence.json").at("softwareLeftOut");
  const auto& coverage = golden.at("coverage");
  for (const auto& slice : evidence::kinds_of_runs()) {
    INFO(slice.name);
    CHECK(coverage.at(slice.name).at("lower").get<double>() == 100);
    CHECK(coverage.at(slice.name).at("band").get<double>() >= 85);
    CHECK(coverage.at(slice.name).at("band") > golden.at("asKnown").at(slice.name).at("band"));
  }
  CHECK(coverage.at("all").at("upper").get<double>() >= 95);
  CHECK_THAT(coverage.at("all").at("band").get<double>(), WithinAbs(90, 2));
  const auto& widening = golden.at("widening");
  const auto times = [&](const char* kind) { return widening.at(kind).at("times").get<double>(); };
  CHECK_THAT(kStepConstants.spread_other.value, WithinAbs(times("dense"), 0.05));
  CHECK_THAT(kStepConstants.spread_other_experts.value, WithinAbs(times("experts"), 0.05));
  for (const char* kind : {"dense", "experts"}) {
    CHECK(widening.at(kind).at("held").get<double>() >= 85);
  }
  // Rows say whether theirs is in the fit.
  for (const auto* run : used_runs()) {
    INFO(run->id);
    const auto fit = run->groups.stack.software;
    CHECK((fit == SoftwareFit::kKnown) == !run->stack.empty());
  }
}

TEST_CASE("what the page shows of the evidence is what is predicted; npm run evidence renews it") {
  const auto shown = text_of(SCALING_SHARED_DIR "/predictions.json");
  REQUIRE(shown.size() > 100000);
  const auto runs = difference(shown, evidence::predictions_text(all_runs(), presets()));
  CHECK(runs.first == runs.second);

  std::string error;
  const auto chips = evidence::read_kernel_chips(SCALING_SHARED_DIR, error);
  const auto kernels = text_of(SCALING_SHARED_DIR "/kernels.json");
  REQUIRE(kernels.size() > 10000);
  const auto renewed = evidence::kernels_text(Json::parse(kernels), chips, error);
  CHECK(error == "");
  const auto lines = difference(kernels, renewed);
  CHECK(lines.first == lines.second);
}

TEST_CASE("kernels with a state take about as long as they were measured to, kind by kind") {
  const auto golden = read_json(SCALING_GOLDEN_DIR "/state-kernels.json");
  std::string error;
  const auto chips = evidence::read_kernel_chips(SCALING_SHARED_DIR, error);
  REQUIRE(error.empty());
  const evidence::ChipSource source = [&](const std::string& id, std::string&) {
    const auto found = chips.find(id);
    return found == chips.end() ? nullptr : &found->second.chip;
  };
  std::map<std::string, std::map<std::string, std::vector<double>>> errors;
  for (const auto& table : golden.at("tables")) {
    std::stringstream lines;
    for (const auto& row : table.at("rows")) lines << row.get<std::string>() << "\n";
    const auto kind = table.at("kind").get<std::string>();
    const auto chip = table.at("chip").get<std::string>();
    evidence::read_kernel_table(lines, kind, chip, source, [&](evidence::KernelRow&& row) {
      if (!row.reason.empty()) return;
      const auto time = evidence::predict(chips.at(chip).chip, row.kernel);
      INFO(kind << " " << chip << " row " << row.row);
      CHECK(time.floor.value() <= row.measured);
      errors[kind][row.format].push_back(std::fabs(time.expected.value() / row.measured - 1));
    });
  }
  std::size_t kernels = 0;
  for (const auto& [kind, names] : golden.at("errors").items()) {
    for (const auto& [name, written] : names.items()) {
      const auto& found = errors[kind][name];
      const double median = 100 * evidence::quantile(found, 0.5);
      const double ninth = 100 * evidence::quantile(found, 0.9);
      INFO(kind << " " << name << ": " << median << " / " << ninth << " %");
      CHECK(found.size() == written.at("rows").get<std::size_t>());
      CHECK(median <= written.at("median").get<double>() + 0.5);
      CHECK(ninth <= written.at("ninth").get<double>() + 1.5);
      ++kernels;
    }
  }
  CHECK(kernels == 10);
}

TEST_CASE("a kernel that can't be predicted is named, not left out") {
  std::string error;
  const auto chips = evidence::read_kernel_chips(SCALING_SHARED_DIR, error);
  const auto wrong = [&](const char* json) {
    std::string why;
    CHECK(evidence::kernels_text(Json::parse(json), chips, why).empty());
    return why;
  };
  CHECK(wrong("{}") == "there is no list of kernels");
  CHECK(wrong(R"({"kernels": [[1]]})") == "a kernel is a list: chip, format, m, n, k, latency");
  CHECK(wrong(R"({"kernels": [["h100-sxm", "fp3", 1, 2, 3, 0.1]]})") ==
        "gemm_dtype is not known: fp3");
  CHECK(wrong(R"({"kernels": [["z9000", "fp8", 1, 2, 3, 0.1]]})") == "chip is not known: z9000");
}

TEST_CASE("of every run that is not predicted the reason is told") {
  std::size_t without = 0;
  for (const auto& run : all_runs()) {
    if (run.reason.empty()) continue;
    ++without;
    INFO(run.id);
    CHECK(run.reason.size() > 5);
  }
  CHECK(without > 100);
  CHECK(without < all_runs().size() / 3);
}

/// A row that is predicted.
Json usable() {
  return Json::parse(R"({"id": "a", "group": "nvidia-dgxc-benchmarking", "cluster": "c",
    "provenance": "read in the source", "chip": "H100-80GB-SXM", "n_chips": 64,
    "precision": "bf16", "global_batch_tokens": 1048576, "seq_len": 8192, "micro_batch": 1,
    "tp": 4, "pp": 1, "vp": 1, "cp": 1, "ep": 1, "zero_or_fsdp": "ZeRO-1", "recompute": "none",
    "note": "", "measured": {"step_time_s": 2.5}, "model": {"name": "8B", "L": 32, "D": 4096,
    "F": 14336, "N": 32, "K": 8, "V": 128256, "gated_mlp": true, "tied": false}})");
}

TEST_CASE("a row that says too little, or what can't be, has a reason and no prediction") {
  CHECK(evidence::read_training_run(usable(), presets()).reason.empty());
  const auto reason = [](const char* key, const Json& value) {
    auto row = usable();
    row[key] = value;
    return evidence::read_training_run(row, presets()).reason;
  };
  CHECK(reason("tp", nullptr) == "tp is missing");
  CHECK(reason("tp", "four") == "tp is no number");
  CHECK(reason("tp", -4) == "tp is out of range");
  CHECK(reason("tp", 5) == "the ways do not divide the chips");
  CHECK(reason("chip", "Z9000") == "a chip without figures");
  CHECK(reason("precision", "fp3") == "a precision that is not known");
  CHECK(reason("measured", Json::object()) == "no step time");
  CHECK(reason("model", 7) == "the model is missing");
  CHECK(reason("model", Json::object()) == "L is missing");
  CHECK(reason("seq_len", 0) == "seq_len is missing");
  CHECK(reason("n_chips", 1e300) == "n_chips is out of range");
  CHECK(reason("provenance", "guessed") == "not read in the source");
  CHECK(reason("global_batch_tokens", 8192) == "fewer sequences than data ways");
  CHECK(evidence::read_training_run(Json(3), presets()).reason == "the row is no object");
  CHECK(evidence::read_training_run(Json(), presets()).reason == "the row is no object");
  std::string error;
  CHECK(evidence::read_runs("/no/such/file", presets(), error).empty());
  CHECK(!error.empty());
}

TEST_CASE("MaxText's batch of a device is a part of what ranks that divide sequences work on") {
  // 2 sequences of each of 64 chips: 16 groups of 4 tensor ways work on 8 each, all at once.
  auto row = usable();
  row["group"] = "maxtext-readme";
  row["chip"] = "TPU v5p";
  row["zero_or_fsdp"] = "FSDP";
  row["micro_batch"] = 2;
  row["global_batch_tokens"] = 64 * 2 * 8192;
  const auto run = evidence::read_training_run(row, presets());
  CHECK(run.reason.empty());
  CHECK(run.groups.layout.micro_batch.value() == 8);
  CHECK(count_micro_batches(run.groups.run, run.groups.layout).value() == 1);
  // Other software counts that of a data rank.
  row["chip"] = "H100-80GB-SXM";
  CHECK(evidence::read_training_run(row, presets()).groups.layout.micro_batch.value() == 2);
}

TEST_CASE("memory that a source reads from PyTorch is without what it does not count") {
  const auto assumed = [](const char* note) {
    auto row = usable();
    row["note"] = note;
    row["measured"]["memory_gb_per_chip"] = 60;
    return evidence::read_training_run(row, presets()).groups.assumptions;
  };
  CHECK(assumed("nvidia-smi").runtime_overhead.value() > 0);
  const auto reserved = assumed("torch peak");
  CHECK(reserved.runtime_overhead.value() == 0);
  CHECK(reserved.allocator_share.value() == kAllocatorShare);
  const auto allocated = assumed("max_memory allocated, torch peak");
  CHECK(allocated.runtime_overhead.value() == 0);
  CHECK(allocated.allocator_share.value() == 0);
}

TEST_CASE("layers of published trainings lie on the stages where their software places them") {
  // The code of nanotron and InternEvo makes these stages of these models.
  const std::map<std::string, const char*> expected = {
      {"nanotron-1.34b-8", "11,5"},
      {"nanotron-1.34b-32", "11,5"},
      {"nanotron-1.34b-64", "11,5"},
      {"nanotron-1.34b-512", "11,5"},
      {"nanotron-3.57b-8", "16,12"},
      {"nanotron-3.57b-16", "16,12"},
      {"nanotron-3.57b-32", "16,12"},
      {"nanotron-3.57b-64", "16,12"},
      {"nanotron-8.86b-32", "18,14"},
      {"nanotron-8.86b-64", "18,14"},
      {"nanotron-8.86b-8", "9,9,8,6"},
      {"nanotron-80.0b-32", "21,20,20,19"},
      {"nanotron-80.0b-64", "6,5,5,5,5,5,5,5,5,5,5,5,5,5,6,3"},
      {"internevo-mem-7b-3-tp1pp3", "10,11,11"},
      {"internevo-mem-7b-5-tp1pp5", "6,6,6,7,7"},
      {"internevo-mem-7b-6-tp1pp6", "5,5,5,5,6,6"},
      {"internevo-mem-20b-16-tp1pp16", "3,3,3,3,4,4,4,4,4,4,4,4,4,4,4,4"},
  };
  std::size_t found = 0;
  for (const auto& run : all_runs()) {
    const bool places = run.source == "nanotron-ultrascale" || run.source == "internevo-memory";
    if (!run.readable || !places || run.groups.layout.pipeline.value() <= 1) continue;
    INFO(run.id);
    const auto& list = run.groups.layout.stage_layers;
    std::string layers;
    for (std::size_t i = 0; i < list.size; ++i) {
      layers += (i > 0 ? "," : "") + std::to_string(list.items[i]);
    }
    CHECK(layers == expected.at(run.id));
    ++found;
  }
  CHECK(found == 17);
}

TEST_CASE("a row of anything at all is read without a crash") {
  inputs::Numbers numbers;
  const auto row = usable();
  for (int n = 0; n < 2000; ++n) {
    auto other = row;
    change_fields(other, numbers, 6);
    if (other["model"].is_object()) change_fields(other["model"], numbers, 8);
    const auto run = evidence::read_training_run(other, presets());
    if (!run.reason.empty()) continue;
    const auto p = evidence::predict(run, kStepConstants);
    CHECK(p.lower > 0);
    CHECK(p.lower <= p.upper);
    CHECK(p.expected <= p.upper);
    CHECK(p.upper < 1e30);
  }
}

TEST_CASE("large trainings took as long as predicted, in layouts that the search finds good") {
  // Teams that pay for a thousand chips choose well: a search that found far better layouts would
  // be wrong about them.
  std::vector<double> errors, slower;
  Share share;
  const auto search = std::make_unique<std::optional<LayoutSearch>>();
  for (const auto* run : used_runs()) {
    if (run->groups.run.chips.value() < 1024 || !share.takes()) continue;
    const double expected = evidence::predict(*run, kStepConstants).expected;
    errors.push_back(std::fabs(expected / run->measured - 1));
    auto& searched = search->emplace(run->groups, MapField::kTensor, MapField::kPipeline);
    searched.find_best();
    INFO(run->id);
    REQUIRE(!searched.best().empty());
    slower.push_back(expected / searched.best().front().expected);
  }
  CHECK(errors.size() > 80 / Share::one_in() / 2);
  CHECK(evidence::quantile(errors, 0.5) <= 0.08);
  CHECK(evidence::quantile(slower, 0.5) <= 1.1);
}

}  // namespace
}  // namespace scaling::test::evidence_test
