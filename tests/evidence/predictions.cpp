// SPDX-License-Identifier: MIT
#include "predictions.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "scaling/model/transformer.hpp"
#include "scaling/training/step_input.hpp"
#include "scaling/training/step_yield.hpp"
#include "serving_predictions.hpp"
#include "tuning_runs.hpp"

namespace scaling::evidence {

Json plain(double value) {
  constexpr double kExact = 9007199254740992;  // 2^53
  if (value == std::floor(value) && std::fabs(value) < kExact) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

// Finer values would only make files longer.
Json with_digits(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return plain(std::strtod(text, nullptr));
}

namespace {

/// The fields of one group, without its name in front of their keys, taken out of an input.
Json take_group(Json& input, const std::string& group) {
  Json fields = Json::object();
  for (auto each = input.begin(); each != input.end();) {
    if (each.key().rfind(group + ".", 0) == 0) {
      fields[each.key().substr(group.size() + 1)] = each.value();
      each = input.erase(each);
    } else {
      ++each;
    }
  }
  return fields;
}

}  // namespace

Json input_of(const TrainingRun& run, const Presets& presets) {
  Json input{{"chip", run.preset}};
  add_changes(input, run.input.chip, presets.chips.at(run.preset));
  add_changes(input, run.input.model, Raw<Model>::defaults());
  add_changes(input, run.input.run, Raw<Run>::defaults());
  add_changes(input, run.input.layout, Raw<Layout>::defaults());
  add_changes(input, run.input.stack, Raw<Stack>::defaults());
  return input;
}

std::string predictions_text(const std::vector<TrainingRun>& runs, const Presets& presets,
                             Measured measured) {
  const bool steps = measured == &TrainingRun::measured;
  Places sources, models, settings, reasons;
  Json predicted = Json::array();
  Json others = Json::array();
  for (const auto& run : runs) {
    const auto source = sources.of({run.source, run.citation});
    if (!run.reason.empty()) {
      others.push_back(
          {run.id, source, run.model, run.chip, run.precision, reasons.of(run.reason)});
      continue;
    }
    Json input = input_of(run, presets);
    if (!steps) add_changes(input, run.input.assumptions, Raw<Assumptions>::defaults());
    const auto take = [&](const char* key, double usual) {
      const auto found = input.find(key);
      const double value = found == input.end() ? usual : found->get<double>();
      if (found != input.end()) input.erase(found);
      return value;
    };
    const auto usual = [](const char* key) {
      const auto& fields = kFields<Run>;
      for (std::size_t i = 0; i < fields.size(); ++i) {
        if (std::string(fields[i].key) == key) return Raw<Run>::defaults().values[i];
      }
      return 0.0;
    };
    const double chips = take("run.chips", usual("chips"));
    const double tokens = take("run.batchTokens", usual("batchTokens"));
    const double length = take("run.sequenceLength", usual("sequenceLength"));
    // A step is the same however many there are.
    input.erase("run.tokens");
    input.erase("chip");
    const StepInput<double> in(run.groups, kStepConstants);
    const auto work = step_yield<double>(in);
    const double flops = work.exact_per_token.value() * tokens / chips;
    const auto model =
        models.of({run.model, with_digits(count_parameters(run.groups.model).total.value()),
                   take_group(input, "model")});
    const auto p = predict(run, kStepConstants);
    Json row{run.id,
             source,
             model,
             run.preset,
             run.precision,
             run.stack.empty() ? Json() : Json(run.stack),
             settings.of(input),
             plain(chips),
             plain(tokens),
             plain(length),
             with_digits(flops),
             with_digits(run.*measured)};
    // Nothing bounds memory.
    const auto ends =
        steps ? std::array{p.lower, p.low, p.expected, p.high, p.upper}
              : std::array{p.memory_low, p.memory_low, p.memory, p.memory_high, p.memory_high};
    for (const double value : ends) row.push_back(with_digits(value));
    predicted.push_back(std::move(row));
  }
  return std::string("{\n\"$schema\": \"./predictions.schema.json\",\n") +
         list("sources", sources.all()) + ",\n" + list("models", models.all()) + ",\n" +
         list("settings", settings.all()) + ",\n" + list("reasons", reasons.all()) + ",\n" +
         list("runs", predicted) + ",\n" + list("others", others) + "\n}\n";
}

namespace {

/// Bytes that a matmul reads and writes once.
double bytes_of(const MatmulKernel<double>& kernel) {
  const auto& shape = kernel.shape;
  const double m = shape.batch.value(), k = shape.contraction.value(), n = shape.output.value();
  return m * k * stored_bytes<double>(shape.activation_format).value() +
         k * n * stored_bytes<double>(shape.weight_format).value() +
         m * n * stored_bytes<double>(shape.output_format).value();
}

double flops_of(const MatmulKernel<double>& kernel) {
  const auto& shape = kernel.shape;
  return 2 * shape.batch.value() * shape.contraction.value() * shape.output.value();
}

ChipSource source_of(const std::map<std::string, PricedChip>& chips) {
  return [&chips](const std::string& id, std::string& why) {
    const auto found = chips.find(id);
    if (found == chips.end()) why = "chip is not known: " + id;
    return found == chips.end() ? nullptr : &found->second.chip;
  };
}

}  // namespace

double intensity_of(const MatmulKernel<double>& kernel) {
  return flops_of(kernel) / bytes_of(kernel);
}

std::string kernel_file(const Json& head, const Json& rows) {
  Json without = head;
  without.erase("kernels");
  std::string text = without.dump();
  text.back() = ',';
  return text + "\n" + list("kernels", rows) + "}\n";
}

std::string kernels_text(const Json& kernels, const std::map<std::string, PricedChip>& chips,
                         std::string& error) {
  Json rows = Json::array();
  const auto found = kernels.find("kernels");
  if (found == kernels.end() || !found->is_array()) {
    error = "there is no list of kernels";
    return "";
  }
  for (const auto& each : *found) {
    if (!each.is_array() || each.size() < 6) {
      error = "a kernel is a list: chip, format, m, n, k, latency";
      return "";
    }
    std::stringstream table;
    table << "gemm_dtype,m,n,k,latency\n"
          << each[1].get<std::string>() << ',' << each[2].dump() << ',' << each[3].dump() << ','
          << each[4].dump() << ',' << each[5].dump() << '\n';
    read_kernel_table(table, "gemm", each[0].get<std::string>(), source_of(chips),
                      [&](KernelRow&& row) {
                        if (!row.reason.empty()) {
                          error = row.reason;
                          return;
                        }
                        const auto& kernel = std::get<MatmulKernel<double>>(row.kernel);
                        const auto time = predict(chips.at(row.chip).chip, row.kernel);
                        const double flops = flops_of(kernel);
                        rows.push_back({each[0], each[1], each[2], each[3], each[4], each[5],
                                        with_digits(intensity_of(kernel), 4),
                                        with_digits(flops / row.measured, 4),
                                        with_digits(flops / time.expected.value(), 4)});
                      });
    if (!error.empty()) return "";
  }
  return kernel_file(kernels, rows);
}

int write_predictions(const std::string& shared) {
  std::string error;
  const Presets presets = read_presets(shared, error);
  const auto runs =
      error.empty() ? read_runs(shared + "/runs.json", presets, error) : std::vector<TrainingRun>{};
  const auto tunings =
      error.empty() ? read_tuning_runs(shared + "/tuning-runs.json", presets, error) : TuningRuns{};
  const auto chips =
      error.empty() ? read_kernel_chips(shared, error) : std::map<std::string, PricedChip>{};
  std::ifstream stream(shared + "/kernels.json");
  const Json kernels = Json::parse(stream, nullptr, false);
  const auto text = error.empty() ? kernels_text(kernels, chips, error) : std::string();
  if (!error.empty()) {
    std::fprintf(stderr, "error: %s\n", error.c_str());
    return 1;
  }
  std::ofstream predictions(shared + "/predictions.json");
  predictions << predictions_text(runs, presets);
  std::ofstream steps(shared + "/tuning-predictions.json");
  steps << predictions_text(tunings.steps, presets);
  std::ofstream memory(shared + "/tuning-memory.json");
  memory << predictions_text(tunings.memory, presets, &TrainingRun::memory);
  std::ofstream renewed(shared + "/kernels.json");
  renewed << text;
  return predictions && steps && memory && renewed ? write_serving_predictions(shared) : 1;
}

}  // namespace scaling::evidence
