// SPDX-License-Identifier: MIT
#include "tuning_evidence.hpp"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <set>

#include "fit.hpp"
#include "tuning.hpp"

namespace scaling::evidence {
namespace {

void print(const char* title, const Json& errors) {
  std::printf("%s\n", title);
  for (const auto& [name, e] : errors.items()) {
    std::printf("  %-28s %4d rows  %5.1f / %5.1f %%  bias %+.1f  in the band %.1f %%\n",
                name.c_str(), e.at("rows").get<int>(), e.at("median").get<double>(),
                e.at("ninth").get<double>(), e.at("bias").get<double>(),
                e.at("band").get<double>());
  }
}

/// The constants that only fine-tunings and software that fuses nothing have.
std::vector<Fitted> fitted_to_steps() {
  return {{"unfused", 2.2, 0.4, {"step.unfused"}, {}},
          {"adapter", 1, 0.5, {"step.adapter"}, {}},
          {"adapter fused", 0.3, 0.5, {"step.adapterFused"}, {}},
          {"restoring", 0.5, 0.5, {"step.restoring"}, {}},
          {"restoring fused", 1, 0.5, {"step.restoringFused"}, {}}};
}

std::vector<Fitted> fitted_to_memory() {
  return {{"quantised inputs", 2.2, 0.5, {"step.quantisedInputs"}, {}}};
}

double memory_ratio(const TrainingRun& run, const StepConstants& constants) {
  return predict(run, constants).memory / run.memory;
}

/// The errors of each source, with constants fitted to all others.
Json without_source(const char* title, const std::vector<TrainingRun>& all, Measured measured) {
  constexpr int kRounds = 8;
  const bool steps = measured == &TrainingRun::measured;
  const auto list = steps ? fitted_to_steps() : fitted_to_memory();
  const auto fit_to = [&](const Runs& runs) {
    const std::vector<double> start(list.size(), 0);
    return fit(runs, list, start, kRounds, steps ? step_ratio : memory_ratio);
  };
  const auto runs = predictable(all);
  std::set<std::string> sources;
  for (const TrainingRun* run : runs) sources.insert(run->source);
  Tunings predictions;
  for (const auto& source : sources) {
    Runs rest, left_out;
    for (const TrainingRun* run : runs) (run->source == source ? left_out : rest).push_back(run);
    predictions.merge(predict_all(left_out, with_constants(list, fit_to(rest))));
  }
  const Json errors = errors_of(predictions, measured);
  print(title, errors);
  const auto x = fit_to(runs);
  std::printf("fitted to all of them\n");
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::printf("  %-28s %.4g\n", list[i].name.c_str(), list[i].prior * std::exp(x[i]));
  }
  return errors;
}

Json evidence_of(const TuningRuns& runs) {
  const Json shipped = tuning_errors(runs);
  print("steps of fine-tunings", shipped.at("stepTime"));
  print("memory of fine-tunings", shipped.at("memory"));
  std::printf("ran %s, ran out of memory %s\n", shipped.at("ran").dump().c_str(),
              shipped.at("ranOut").dump().c_str());
  return {{"asShipped", shipped},
          {"sourceLeftOut",
           {{"stepTime", without_source("steps of fine-tunings, each source left out", runs.steps,
                                        &TrainingRun::measured)},
            {"memory", without_source("memory of fine-tunings, each source left out", runs.memory,
                                      &TrainingRun::memory)}}}};
}

/// The fine-tunings of a file; none, with a message, if that fails.
TuningRuns read(const std::string& shared, const std::string& file) {
  std::string error;
  const Presets presets = read_presets(shared, error);
  auto runs = error.empty() ? read_tuning_runs(file, presets, error) : TuningRuns{};
  if (!error.empty()) std::fprintf(stderr, "%s\n", error.c_str());
  return runs;
}

void print_steps(const std::vector<TrainingRun>& runs) {
  for (const auto& run : runs) {
    if (!run.reason.empty()) {
      std::printf("step   %-60s %s\n", run.id.c_str(), run.reason.c_str());
      continue;
    }
    const auto p = predict(run, kStepConstants);
    std::printf("step   %-60s %8.3f of %8.3f s: %.2f\n", run.id.c_str(), p.expected, run.measured,
                p.expected / run.measured);
  }
}

void print_cards(const std::vector<CardRun>& cards) {
  for (const auto& card : cards) {
    if (!card.run.reason.empty()) continue;
    const auto p = predict(card.run, kStepConstants);
    if ((p.state == MemoryState::kOver) != card.ran) continue;
    std::printf("card   %-60s %7.2f GB, said %s, %s\n", card.run.id.c_str(), p.memory / 1e9,
                kMemoryStateNames[static_cast<std::size_t>(p.state)],
                card.ran ? "ran" : "ran out of memory");
  }
}

}  // namespace

void print_memory(const std::vector<TrainingRun>& runs) {
  for (const auto& run : runs) {
    if (!run.readable) {
      std::printf("memory %-60s %s\n", run.id.c_str(), run.reason.c_str());
      continue;
    }
    const StepInput<double> in(run.groups, kStepConstants);
    const auto memory = cost_step<double>(in, run.choice).memory;
    std::printf("memory %-60s %7.2f of %7.2f GB: %.2f ", run.id.c_str(),
                memory.total().value() / 1e9, run.memory / 1e9,
                memory.total().value() / run.memory);
    for (const auto& [name, part] : {std::pair{"weights", memory.states.parameters},
                                     {"gradients", memory.states.gradients},
                                     {"optimizer", memory.states.optimizer},
                                     {"kept", memory.activations},
                                     {"working", memory.working},
                                     {"logits", memory.logits},
                                     {"buffers", memory.buffers},
                                     {"overhead", memory.overhead},
                                     {"allocator", memory.cached}}) {
      if (part.value() > 0) std::printf(" %s %.2f", name, part.value() / 1e9);
    }
    std::printf("\n");
  }
}

int tuning_evidence(const std::string& shared, const std::string& golden) {
  const auto runs = read(shared, shared + "/tuning-runs.json");
  if (runs.steps.empty()) return 1;
  const Json result = evidence_of(runs);
  return golden.empty() ? 0 : add_to_golden(golden, "tuning", result);
}

int predict_tuning_rows(const std::string& shared, const std::string& file) {
  const auto runs = read(shared, file);
  if (runs.steps.empty() && runs.memory.empty()) return 1;
  print_steps(runs.steps);
  print_memory(runs.memory);
  print_cards(runs.cards);
  evidence_of(runs);
  return 0;
}

bool holds_tuning_rows(const std::string& file) {
  std::ifstream stream(file);
  const Json json = Json::parse(stream, nullptr, false);
  return json.is_object() && json.value("$schema", "") == "./tuning-runs.schema.json";
}

}  // namespace scaling::evidence
