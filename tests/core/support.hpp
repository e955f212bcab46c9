// SPDX-License-Identifier: MIT
//
// Shared by the tests of the core: inputs by name, and answers that must be there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <vector>

#include "catch.hpp"
#include "inputs.hpp"
#include "scaling/questions/estimate.hpp"
#include "scaling/views/sweep.hpp"

namespace scaling::test {

/// A field and its value; choices and flags cross as numbers too.
struct Setting {
  template <class T>
  Setting(std::string_view name, T setting) : key(name), value(static_cast<double>(setting)) {}

  std::string_view key;
  double value;
};
using Settings = std::vector<Setting>;

template <template <class> class Group>
std::size_t index_of(std::string_view key) {
  const auto& fields = kFields<Group>;
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const FieldInfo& info) { return key == info.key; });
  if (found == fields.end()) FAIL("no field " << key);
  return static_cast<std::size_t>(found - fields.begin());
}

/// `raw` with some of its fields changed.
template <template <class> class Group>
Raw<Group> with(Raw<Group> raw, const Settings& settings) {
  for (const Setting& setting : settings) raw.values[index_of<Group>(setting.key)] = setting.value;
  return raw;
}

template <template <class> class Group>
Raw<Group> make(const Settings& settings) {
  return with(Raw<Group>::defaults(), settings);
}

inline void fail_on(const Issues& issues) {
  for (const Issue& issue : issues.items()) {
    FAIL(issue.group << "." << issue.field << ": "
                     << kIssueNames[static_cast<std::size_t>(issue.code)].code);
  }
}

/// The checked and typed group that the core's functions take.
template <template <class> class Group>
Group<double> typed(Raw<Group> raw) {
  Issues issues;
  check_fields(raw, issues);
  fail_on(issues);
  return read_group<Group, double>(raw);
}

/// The answers to an input that has nothing wrong with it.
template <class Question>
auto answers_to(const typename Question::Input& input) {
  const auto outcome = estimate<Question>(input);
  fail_on(outcome.issues);
  return outcome.answers;
}

inline auto training(const Raw<Chip>& chip, const Raw<Model>& model, const Raw<Run>& run) {
  return answers_to<TrainingQuestion>({chip, model, run});
}

/// Answers for a kind that has sizes of its own, on one chip.
inline auto operation(const Raw<Chip>& chip, const Raw<OperationRequest>& request) {
  return answers_to<OperationQuestion>(
      {chip, Raw<Model>::defaults(), Raw<Mesh>::defaults(), request});
}

inline auto operation(const Raw<Chip>& chip, const Raw<Mesh>& mesh,
                      const Raw<OperationRequest>& request) {
  return answers_to<OperationQuestion>({chip, Raw<Model>::defaults(), mesh, request});
}

/// Answers for a kind that takes its sizes from the model.
inline auto operation(const Raw<Chip>& chip, const Raw<Model>& model,
                      const Raw<OperationRequest>& request) {
  return answers_to<OperationQuestion>({chip, model, Raw<Mesh>::defaults(), request});
}

inline auto collective(const Raw<Chip>& chip, const Raw<Mesh>& mesh,
                       const Raw<CollectiveRequest>& request) {
  return answers_to<CollectiveQuestion>({chip, mesh, request});
}

/// The place of a field, `group.key`, in a question's lists.
template <class Question>
FieldPlace place_of(std::string_view name) {
  const std::size_t dot = name.find('.');
  for (std::size_t group = 0; group < std::size(Question::kGroups); ++group) {
    const auto fields = Question::kGroups[group];
    for (std::size_t field = 0; field < fields.size(); ++field) {
      if (fields[field].group == name.substr(0, dot) && fields[field].key == name.substr(dot + 1)) {
        return {group, field};
      }
    }
  }
  FAIL("no field " << name);
  return {};
}

/// The place of an answer in a question's list.
template <class Question>
std::size_t answer_of(const Term& term) {
  const auto& list = Question::template Answers<double>::kList;
  const auto found = std::find(list.begin(), list.end(), &term);
  if (found == list.end()) FAIL("no answer " << term.key);
  return static_cast<std::size_t>(found - list.begin());
}

/// The number that answers `kTerm`, which must be present.
template <const Term& kTerm, class Answers>
double number(const Answers& answers) {
  const auto answer = answers.template get<kTerm>();
  if (!answer.present()) FAIL("no answer " << kTerm.key);
  return answer.value.value();
}

template <const Term& kTerm, class Answers>
Bound bound(const Answers& answers) {
  return static_cast<Bound>(static_cast<int>(number<kTerm>(answers)));
}

/// The answer as one of the choices that `kTerm` has.
template <class Enum, const Term& kTerm, class Answers>
Enum chosen(const Answers& answers) {
  return static_cast<Enum>(static_cast<int>(number<kTerm>(answers)));
}

template <const Term& kTerm, class Answers>
Absence absence(const Answers& answers) {
  return answers.template get<kTerm>().absence;
}

// Chips with the figures of the book's chapters 2 and 12, prices of chapter 8.

inline Raw<Chip> tpu_v5e() {
  return make<Chip>({{"memory", 16e9},
                     {"memoryBandwidth", 8.2e11},
                     {"peakBf16", 1.97e14},
                     {"peakInt8", 3.94e14},
                     {"peakVector", 6.144e12},
                     {"network", Network::kTorus},
                     {"torusX", 16},
                     {"torusY", 16},
                     {"wraparound", Wraparound::kFullAxis},
                     {"linkBandwidth", 4.5e10},
                     {"scaleOutBandwidth", 3.125e9},
                     {"price", 1.2}});
}

inline Raw<Chip> tpu_v5p() {
  return make<Chip>({{"memory", 96e9},
                     {"memoryBandwidth", 2.8e12},
                     {"peakBf16", 4.59e14},
                     {"peakInt8", 9.18e14},
                     {"peakVector", 1.4336e13},
                     {"network", Network::kTorus},
                     {"torusX", 16},
                     {"torusY", 20},
                     {"torusZ", 28},
                     {"wraparound", Wraparound::kCubes},
                     {"linkBandwidth", 9e10},
                     {"scaleOutBandwidth", 6.25e9},
                     {"price", 4.2}});
}

/// The rate of chapter 12's worked answers, 990e12; chapter 1 has 9.89e14.
inline Raw<Chip> h100() {
  return make<Chip>({{"memory", 80e9},
                     {"memoryBandwidth", 3.35e12},
                     {"peakBf16", 9.9e14},
                     {"peakFp8", 2e15},
                     {"peakVector", 3.35e13},
                     {"network", Network::kSwitched},
                     {"scaleUpChips", 8},
                     {"scaleUpBandwidth", 4.5e11},
                     {"scaleOutBandwidth", 5e10},
                     {"price", 10.8},
                     {"power", 700}});
}

inline Raw<Chip> b200() {
  return with(h100(), {{"memory", 192e9},
                       {"memoryBandwidth", 8e12},
                       {"peakBf16", 2.25e15},
                       {"peakFp8", 4.5e15},
                       {"scaleUpBandwidth", 9e11}});
}

inline Raw<Chip> gb200_nvl72() { return with(b200(), {{"scaleUpChips", 72}}); }

// Models, by their published configurations.

inline Raw<Model> llama3_8b() {
  return make<Model>({{"layers", 32},
                      {"hidden", 4096},
                      {"feedForward", 14336},
                      {"heads", 32},
                      {"kvHeads", 8},
                      {"headDim", 128},
                      {"vocabulary", 128256}});
}

using inputs::llama3_70b;

inline Raw<Model> llama3_405b() {
  return with(llama3_8b(),
              {{"layers", 126}, {"hidden", 16384}, {"feedForward", 53248}, {"heads", 128}});
}

inline Raw<Model> mixtral_8x7b() {
  return with(llama3_8b(), {{"vocabulary", 32000},
                            {"experts", 8},
                            {"expertsPerToken", 2},
                            {"expertFeedForward", 14336}});
}

using inputs::deepseek_v3;

/// The run of the book's chapter 6: 15e12 tokens on a TPU v5p pod at 40 % MFU, Adam of 10 bytes,
/// and 4e6 tokens in a batch. Where it shards, the book takes 4 x 2^20 of them.
inline Raw<Run> chapter6_run() { return with(Raw<Run>::defaults(), {{"batchTokens", 4e6}}); }

}  // namespace scaling::test
