// SPDX-License-Identifier: MIT
//
// Nanoseconds per `estimate` of a training and of an operation, per sample of a map of 10,000, and
// of searches for the best layout and for divisions of servers; the same loops natively and as wasm
// in Node. Prints one JSON object: the medians of several rounds, each long enough that the clock's
// grain does not matter.

#include <algorithm>
#include <array>
#include <cstdio>

#include "../core/inputs.hpp"
#include "bench.hpp"
#include "scaling/views/sweep.hpp"

namespace {

using scaling::Absence;
using scaling::FieldPlace;
using scaling::kOperation;
using scaling::OperationQuestion;
using scaling::TrainingQuestion;
namespace inputs = scaling::inputs;
namespace operations = scaling::operations;
namespace term = scaling::term;

/// LLaMA 3 70B on TPU v5p: the book's chapter 6.
TrainingQuestion::Input chapter_six() { return inputs::base<TrainingQuestion>(0); }

/// A matmul over a ring of the same chips, the operation that takes the longest to price but for a
/// whole layer.
OperationQuestion::Input sharded_matmul() {
  auto input = inputs::base<OperationQuestion>(0);
  input.operation["kind"] = inputs::index(kOperation<operations::ShardedMatmul>);
  return input;
}

/// The place of a field of the operation, the input's last group.
FieldPlace operation_field(std::string_view key) {
  const auto fields = OperationQuestion::kGroups[3];
  std::size_t field = 0;
  while (fields[field].key != key) ++field;
  return {3, field};
}

constexpr std::size_t kSide = 100;

/// A heat map of the bound over batch and contraction, as the page draws it.
double bound_map(const OperationQuestion::Input& input) {
  static std::array<double, kSide> axis;
  static std::array<double, kSide * kSide> values;
  static std::array<Absence, kSide * kSide> absences;
  static const FieldPlace batch = operation_field("batch");
  static const FieldPlace contraction = operation_field("contraction");
  const auto& terms = OperationQuestion::Answers<double>::kList;
  const auto answer = std::find(terms.begin(), terms.end(), &term::kBound) - terms.begin();
  for (std::size_t i = 0; i < kSide; ++i) axis[i] = 16 * static_cast<double>(i + 1);
  scaling::sample_map<OperationQuestion>(input, batch, axis, contraction, axis,
                                         static_cast<std::size_t>(answer), {values, absences});
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

template <class Question>
double first_answer(const typename Question::Input& input) {
  return scaling::estimate<Question>(input).answers.values()[0];
}

struct Measurement {
  double nanoseconds;  ///< of a call
  double sum;          ///< of the results: the same however it was compiled
};

/// The median over rounds of the time of `calls` calls; `vary` changes the input before each, so
/// that nothing can be computed once for all.
template <class Input, class Vary>
Measurement measure(double (*function)(const Input&), int calls, Input input, Vary vary) {
  // Called through a pointer that no optimiser sees through, so that each call is one: an engine
  // that first compiles quickly and then well puts the better code in place between calls, never
  // within one. The page calls like that, too.
  double (*volatile called)(const Input&) = function;

  constexpr int kRounds = 15;
  std::array<double, kRounds> nanoseconds{};
  double sum = 0;
  for (double& round : nanoseconds) {
    const double elapsed = scaling::bench::time_of([&] {
      for (int call = 0; call < calls; ++call) {
        vary(input, call);
        sum += called(input);
      }
    });
    round = elapsed / calls;
  }
  return {scaling::bench::median(nanoseconds), sum};
}

}  // namespace

int main() {
  const auto training =
      measure(first_answer<TrainingQuestion>, 20000, chapter_six(),
              [](auto& input, int call) { input.run["chips"] = 1024 + call % 4096; });
  const auto operation =
      measure(first_answer<OperationQuestion>, 20000, sharded_matmul(),
              [](auto& input, int call) { input.operation["batch"] = 1024 + call % 4096; });
  const auto map = measure(bound_map, 4, sharded_matmul(),
                           [](auto& input, int call) { input.operation["output"] = 4096 + call; });
  const auto searches = scaling::bench::measure_searches();
  double sum = 0;
  std::printf(
      "{\"estimateNanoseconds\": %.3f, \"operationNanoseconds\": %.3f, "
      "\"mapSampleNanoseconds\": %.3f, \"searches\": {",
      training.nanoseconds, operation.nanoseconds, map.nanoseconds / (kSide * kSide));
  const char* separator = "";
  for (const auto& search : searches) {
    std::printf("%s\"%s\": {\"best\": %.0f, \"all\": %.0f, \"layouts\": %.0f}", separator,
                search.name, search.best, search.all, search.layouts);
    separator = ", ";
    sum += search.sum;
  }
  std::printf("}, \"serving\": {");
  separator = "";
  double served = 0;
  for (const auto& search : scaling::bench::measure_serving()) {
    std::printf("%s\"%s\": {\"median\": %.0f, \"p99\": %.0f, \"grid\": %.0f}", separator,
                search.name, search.median, search.p99, search.grid);
    separator = ", ";
    served += search.sum;
  }
  // Each of its own magnitude, or the digits of one would hide those of the other.
  std::printf("}, \"checksums\": [%.17g, %.17g, %.17g]}\n", training.sum + operation.sum + map.sum,
              sum, served);
  return 0;
}
