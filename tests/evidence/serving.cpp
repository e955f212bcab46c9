// SPDX-License-Identifier: MIT
//
// The errors of predictions of serving against published measurements.
#include "serving.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "csv.hpp"
#include "rows.hpp"

namespace scaling::evidence {
std::vector<ServingFigure> serving_figures(const ServingRuns& runs, bool all,
                                           const ServingConstants& constants) {
  std::vector<ServingFigure> figures;
  for (const ServingRun* run : runs) {
    if (!all && !run->unfit.empty()) continue;
    const auto predicted = predict(*run, constants);
    for (std::size_t i = 0; i < kServingMeasures; ++i) {
      if (!(run->measured[i] > 0) || !predicted[i].present) continue;
      figures.push_back({run, static_cast<ServingMeasure>(i), run->measured[i], predicted[i]});
    }
  }
  return figures;
}

std::vector<ServingSlice> serving_slices() {
  using enum ServingMeasure;
  const auto described = [](const ServingFigure& f) {
    return !f.run->silicon && f.run->group.rfind("trtllm", 0) == 0;
  };
  const auto is = [](ServingMeasure measure, auto test) {
    return [=](const ServingFigure& f) { return f.measure == measure && test(f); };
  };
  const auto any = [](const ServingFigure&) { return true; };
  const auto rows = [](const ServingFigure& f) { return !f.run->silicon; };
  const auto silicon = [](const ServingFigure& f) { return f.run->silicon; };
  std::vector<ServingSlice> slices{
      {"tokensPerSecond", is(kSpeed, any)},
      {"timePerToken", is(kToken, any)},
      {"described: tokensPerSecond", is(kSpeed, described)},
      {"rows: tokensPerSecond", is(kSpeed, rows)},
      {"rows: timePerToken", is(kToken, rows)},
      {"timeToFirstToken unloaded",
       is(kFirst, [](const ServingFigure& f) { return !f.run->loaded; })},
      {"timeToFirstToken loaded", is(kFirst, [](const ServingFigure& f) { return f.run->loaded; })},
      {"silicon: tokensPerSecond", is(kSpeed, silicon)},
      {"silicon: timePerToken", is(kToken, silicon)},
      {"silicon: timeToFirstToken", is(kFirst, silicon)},
      {"silicon dense: tokensPerSecond",
       is(kSpeed, [=](const ServingFigure& f) { return silicon(f) && !f.run->sparse; })},
      {"silicon dense: timePerToken",
       is(kToken, [=](const ServingFigure& f) { return silicon(f) && !f.run->sparse; })},
      {"silicon experts: timePerToken",
       is(kToken, [=](const ServingFigure& f) { return silicon(f) && f.run->sparse; })},
      {"silicon apart: tokensPerSecond",
       is(kSpeed, [=](const ServingFigure& f) { return silicon(f) && f.run->apart; })},
      {"silicon apart: timePerToken",
       is(kToken, [=](const ServingFigure& f) { return silicon(f) && f.run->apart; })},
  };
  for (const char* chip : {"b200_sxm", "gb200", "b300_sxm", "gb300", "h100_sxm", "h200_sxm"}) {
    const std::string name = chip;
    slices.push_back({"experts on " + name + ": timePerToken",
                      is(kToken, [name, silicon](const ServingFigure& f) {
                        return silicon(f) && f.run->sparse && f.run->chip == name;
                      })});
  }
  for (const char* group :
       {"trtllm-static", "trtllm-ifb", "trtllm-online", "gpt-fast", "vllm-load", "vllm-itl-fit",
        "aws-neuron", "tpu-recipes", "mlperf-inference", "inferencex-decode-slo"}) {
    const std::string name = group;
    for (std::size_t i = 0; i < kServingMeasures; ++i) {
      slices.push_back({name + ": " + kServingMeasureNames[i],
                        is(static_cast<ServingMeasure>(i),
                           [name](const ServingFigure& f) { return f.run->group == name; })});
    }
  }
  return slices;
}

ServingError serving_error(const std::vector<ServingFigure>& figures, const ServingSlice& slice) {
  std::vector<double> errors, ratios;
  double sound = 0;
  double band = 0;
  for (const auto& f : figures) {
    if (!slice.holds(f)) continue;
    errors.push_back(100 * std::fabs(f.ratio() - 1));
    ratios.push_back(f.ratio());
    sound += f.sound() ? 1 : 0;
    band += f.in_band() ? 1 : 0;
  }
  ServingError result;
  result.error.count = errors.size();
  if (errors.empty()) return result;
  result.error.median = quantile(errors, 0.5);
  result.error.ninth = quantile(errors, 0.9);
  result.error.bias = 100 * (quantile(ratios, 0.5) - 1);
  const auto n = static_cast<double>(errors.size());
  result.sound = 100 * sound / n;
  result.band = 100 * band / n;
  return result;
}

bool holds_serving_rows(const std::string& file) {
  if (is_csv(file)) return true;
  std::ifstream stream(file);
  const Json json = Json::parse(stream, nullptr, false);
  if (json.is_discarded()) return false;
  const Json& rows = rows_of(json);
  return rows.is_array() && std::any_of(rows.begin(), rows.end(), is_serving_row);
}

}  // namespace scaling::evidence
