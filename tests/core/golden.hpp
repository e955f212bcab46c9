// SPDX-License-Identifier: MIT
//
// Worked answers (tests/golden/), each asked of the core: a runner builds the core's input from
// the golden's inputs and reads an answer off it. No formula is written here a second time; where
// the core answers a neighbouring question, the runner takes a quotient or a product of its
// answers and says why.
#pragma once

#include <map>
#include <set>
#include <string>

#include "presets.hpp"
#include "support.hpp"

namespace scaling::test {

/// The inputs of a golden, and the preset that its model is, if it names one. Remembers what was
/// read: a runner that leaves something out asks another question than the golden does.
class Given {
 public:
  explicit Given(std::map<std::string, double> values, std::string model = "")
      : values_(std::move(values)), model_(std::move(model)), model_read_(model_.empty()) {}

  bool has(const std::string& key) const { return values_.count(key) > 0; }

  bool has_model() const { return !model_.empty(); }

  Raw<Model> model() const {
    static const auto presets = model_presets();
    model_read_ = true;
    return presets.at(model_);
  }

  double operator()(const std::string& key) const {
    if (!has(key)) FAIL("no input " << key);
    read_.insert(key);
    return values_.at(key);
  }

  bool all_read() const { return model_read_ && read_.size() == values_.size(); }

 private:
  std::map<std::string, double> values_;
  std::string model_;
  mutable std::set<std::string> read_;
  mutable bool model_read_;
};

/// Takes over every input that bears the name of a field.
template <template <class> class Group>
Raw<Group> fill(Raw<Group> raw, const Given& in) {
  for (std::size_t i = 0; i < raw.values.size(); ++i) {
    if (in.has(kFields<Group>[i].key)) raw.values[i] = in(kFields<Group>[i].key);
  }
  return raw;
}

// Fields that a golden does not mention are 1, or whatever keeps the arithmetic exact: its answer
// cannot depend on them.

inline Raw<Chip> chip_of(const Given& in) {
  auto chip = make<Chip>({{"memory", 1e15}, {"memoryBandwidth", 1e12}, {"peakBf16", 1e15}});
  if (in.has("peak")) {
    for (const char* key : {"peakBf16", "peakInt8", "peakFp8", "peakFp32"}) {
      chip = with(chip, {{key, in("peak")}});
    }
  }
  if (in.has("linkBandwidth")) chip = with(chip, {{"network", Network::kTorus}, {"torusX", 16}});
  if (in.has("scaleUpBandwidth") || in.has("scaleOutBandwidth")) {
    chip = with(
        chip, {{"network", Network::kSwitched}, {"scaleUpChips", 1e6}, {"scaleUpBandwidth", 1e18}});
  }
  return fill(chip, in);
}

inline Raw<Model> model_of(const Given& in) {
  if (in.has_model()) return fill(in.model(), in);
  auto model = make<Model>({{"layers", 1},
                            {"hidden", 1},
                            {"feedForward", 1},
                            {"heads", 1},
                            {"kvHeads", 1},
                            {"headDim", 1},
                            {"vocabulary", 1},
                            {"expertFeedForward", 1}});
  if (in.has("parameters")) model = with(model, {{"statedParameters", in("parameters")}});
  if (in.has("activeParameters")) {
    model = with(model, {{"statedActiveParameters", in("activeParameters")}});
  }
  if (in.has("attentionWidth")) {
    const double head_dim = in("attentionWidth") / 32;
    model = with(model, {{"heads", 32}, {"kvHeads", 32}, {"headDim", head_dim}});
  }
  // Models without query heads of their own have one for each key head.
  if (in.has("kvHeads")) model = with(model, {{"heads", in("kvHeads")}});
  return fill(model, in);
}

/// A run whose batch is one sequence.
inline Raw<Run> run_of(const Given& in) {
  const double length = in.has("sequenceLength") ? in("sequenceLength") : 1;
  return fill(
      make<Run>({{"chips", 1}, {"batchTokens", length}, {"sequenceLength", length}, {"mfu", 1}}),
      in);
}

/// One chip's share where the golden names no mesh.
inline Raw<Mesh> mesh_of(const Given& in) { return fill(make<Mesh>({{"x", 1}}), in); }

inline auto train(const Given& in) { return training(chip_of(in), model_of(in), run_of(in)); }

inline auto operate(const Raw<Chip>& chip, const Given& in, const Settings& request) {
  return answers_to<OperationQuestion>(
      {chip, model_of(in), mesh_of(in), fill(make<OperationRequest>(request), in)});
}

inline auto operate(const Given& in, const Settings& request) {
  return operate(chip_of(in), in, request);
}

inline auto collect(const Raw<Chip>& chip, const Raw<Mesh>& mesh, const Settings& request) {
  return answers_to<CollectiveQuestion>({chip, mesh, make<CollectiveRequest>(request)});
}

inline auto collect(const Raw<Chip>& chip, const Given& in, const Settings& request) {
  return answers_to<CollectiveQuestion>(
      {chip, mesh_of(in), fill(make<CollectiveRequest>(request), in)});
}

/// A chip on a torus that is just the golden's mesh, each axis a ring.
inline Raw<Chip> ring_chip(const Given& in) {
  const auto axis = [&](const char* key) { return in.has(key) ? in(key) : 1; };
  const double link = in.has("linkBandwidth") ? in("linkBandwidth") : 1e9;
  return with(chip_of(in), {{"network", Network::kTorus},
                            {"torusX", axis("x")},
                            {"torusY", axis("y")},
                            {"torusZ", axis("z")},
                            {"wraparound", Wraparound::kFullAxis},
                            {"linkBandwidth", link}});
}

/// A preset with the book's figures. Figures that the golden gives too must be the same.
inline Raw<Chip> book_chip(const char* id, const Given& in) {
  static const auto presets = chip_presets(true);
  const auto& chip = presets.at(id);
  for (std::size_t i = 0; i < chip.values.size(); ++i) {
    const char* key = kFields<Chip>[i].key;
    if (in.has(key)) REQUIRE(chip.values[i] == in(key));
  }
  if (in.has("peak")) REQUIRE(chip.values[index_of<Chip>("peakBf16")] == in("peak"));
  return chip;
}

/// A TPU v5p pod (three axes) whose compute rate is `linkIntensity` times its ring bandwidth.
inline Raw<Chip> pod_of(const Given& in) {
  return with(tpu_v5p(), {{"linkBandwidth", 1e11}, {"peakBf16", in("linkIntensity") * 2e11}});
}

/// Time in which a chip reads `bytes` and writes none: those of a KV cache, 4 B a token.
inline double read_time(const Raw<Chip>& chip, double bytes,
                        MemoryLevel level = MemoryLevel::kHbm) {
  const auto model = with(llama3_8b(), {{"heads", 1}, {"kvHeads", 1}, {"headDim", 1}});
  const auto request = make<OperationRequest>(
      {{"kind", kOperation<operations::KvRead>}, {"keys", bytes / 4}, {"operandsIn", level}});
  return number<term::kMemoryTime>(
      answers_to<OperationQuestion>({chip, model, make<Mesh>({}), request}));
}

/// Numbers of so many bytes.
inline Format format_of(double element_bytes) {
  if (element_bytes == 1) return Format::kInt8;
  return element_bytes == 2 ? Format::kBf16 : Format::kFp32;
}

/// A run that takes the golden's FLOPs, of one token or in all: those of 6N with a stated N.
inline auto train_for(const Given& in, double flops_per_token, double tokens) {
  return training(chip_of(in), with(model_of(in), {{"statedParameters", flops_per_token / 6}}),
                  with(run_of(in), {{"tokens", tokens}}));
}

constexpr double kTokens = 15e12;

inline auto train_for_all(const Given& in) { return train_for(in, in("flops") / kTokens, kTokens); }

// Runners that several chapters share.

inline double math_time(const Given& in) {
  // 2BDF FLOPs with B = 1, D = 1e6.
  return number<term::kMathTime>(
      operate(in, {{"batch", 1}, {"contraction", 1e6}, {"output", in("flops") / 2e6}}));
}

inline double critical_intensity_of(const Given& in) {
  return number<term::kCriticalIntensity>(operate(in, {}));
}

inline double critical_batch_of(const Given& in) {
  if (in.has("weightBytes")) REQUIRE(in("weightBytes") == 2);
  return number<term::kCriticalBatch>(operate(in, {}));
}

inline double critical_batch_of_preset(const char* id, const Given& in) {
  return number<term::kCriticalBatch>(operate(book_chip(id, in), in, {}));
}

/// The ratio of the vector units' time to the matrix units' for the same FLOPs.
inline double matrix_over_vector(const Given& in) {
  return number<term::kComputeRate>(operate(in, {})) /
         number<term::kComputeRate>(operate(in, {{"kind", kOperation<operations::Elementwise>}}));
}

/// Bytes of an array of rows x columns: an operand of a matmul.
inline double array_bytes(const Given& in) {
  const Format format = format_of(in("elementBytes"));
  const MatmulShape<double> shape{Count<double>(in("sequences") * in("rows")),
                                  Count<double>(in("columns")),
                                  Count<double>(1),
                                  format,
                                  format,
                                  format};
  return matmul(shape).activation_bytes.value();
}

inline Parameters<double> parameters_of(const Given& in) {
  return count_parameters(typed(model_of(in)));
}

/// The parameters with the norms of the layers but without the last one.
inline double parameters_without_last_norm(const Given& in) {
  const auto norms = [&](double norms_per_layer) {
    return count_parameters(typed(with(model_of(in), {{"normsPerLayer", norms_per_layer}}))).norms;
  };
  return (parameters_of(in).total - norms(0)).value();
}

inline double feed_forward_parameters(const Given& in) {
  return number<term::kParametersFeedForward>(train(in));
}

inline double attention_parameters(const Given& in) {
  return number<term::kParametersAttention>(train(in));
}

/// The book leaves out the norms.
inline Quantity<kParam, double> without_norms(const Parameters<double>& parameters) {
  return parameters.feed_forward + parameters.attention + parameters.vocabulary;
}

inline double parameters_without_norms(const Given& in) {
  return without_norms(parameters_of(in)).value();
}

inline double checkpoint_memory(const Given& in) {
  if (in.has("elementBytes")) REQUIRE(in("elementBytes") == 2);
  return number<term::kCheckpointMemory>(train(in));
}

inline double total_memory(const Given& in) { return number<term::kTotalMemory>(train(in)); }

/// Weights and optimizer, nothing else.
inline double model_states(const Given& in) {
  REQUIRE(in("weightBytes") == 2);
  return number<term::kTotalMemory>(
      training(chip_of(in), model_of(in), with(run_of(in), {{"checkpointsPerLayer", 0}})));
}

/// The memory of all chips: the memory that a run takes, over its share of the whole.
inline double pod_memory(const Given& in) {
  const auto answers =
      training(chip_of(in), with(model_of(in), {{"statedParameters", 7e10}}), run_of(in));
  return number<term::kMemoryPerChip>(answers) * in("chips") /
         number<term::kMemoryFraction>(answers);
}

inline double tokens_per_chip(const Given& in) { return number<term::kTokensEachChip>(train(in)); }

inline double local_batch(const Given& in) {
  const auto run = with(run_of(in), {{"batchTokens", in("sequences") * in("sequenceLength")}});
  const auto answers = training(chip_of(in), model_of(in), run);
  CHECK(number<term::kSequences>(answers) == in("sequences"));
  return number<term::kTokensEachChip>(answers);
}

inline double training_time(const Given& in) {
  return number<term::kTrainingTime>(train_for_all(in));
}

/// Chip-hours that the run would take at peak over those that it took.
inline double utilisation(const Given& in) {
  return number<term::kChipHours>(train(in)) / in("chipHours");
}

/// The threshold of FSDP (or data parallelism) alone.
inline double data_threshold(const Given& in) { return number<term::kFsdpThreshold>(train(in)); }

/// The threshold of FSDP on one ring of a torus.
inline double ring_threshold(const Given& in) {
  const auto chip = with(ring_chip(in), {{"torusX", 16}});
  return number<term::kFsdpThreshold>(
      training(chip, model_of(in), with(run_of(in), {{"chips", 16}})));
}

// Thresholds on a pod are those of any slice of it whose axes close to rings.

inline auto train_on_pod(const Given& in) {
  auto run = run_of(in);
  if (!in.has("chips")) run = with(run, {{"chips", 8960}});
  return training(pod_of(in), model_of(in), run);
}

inline double fsdp_threshold(const Given& in) {
  REQUIRE(in("dataAxes") == 3);
  return number<term::kFsdpThreshold>(train_on_pod(in));
}

/// Two axes for the data, one for the tensors: M_X M_Y = 2.
inline double mixed_threshold(const Given& in) {
  REQUIRE(in("axisProduct") == 2);
  return number<term::kMixedThreshold>(train_on_pod(in));
}

/// The first edition added the two transfers where the book now overlaps them: at the optimum
/// both are equal, so twice the time, and four times the tokens.
inline double mixed_threshold_without_overlap(const Given& in) { return 4 * mixed_threshold(in); }

inline double optimal_data_ways(const Given& in) {
  if (in.has("dataAxes")) REQUIRE(in("dataAxes") == 2);
  if (in.has("tensorAxes")) REQUIRE(in("tensorAxes") == 1);
  return number<term::kOptimalData>(training(tpu_v5p(), model_of(in), run_of(in)));
}

inline double axis_tensor_limit(const Given& in) {
  REQUIRE(in("tensorAxes") == 1);
  return number<term::kTensorLimit>(train_on_pod(in));
}

inline double collective_time(const Raw<Chip>& chip, const Given& in, CollectiveKind kind) {
  return number<term::kCollectiveTime>(collect(chip, in, {{"kind", kind}}));
}

/// Time of a ring's gather, or of one among switches, of the golden's bytes.
inline double ring_gather(const Given& in) {
  return collective_time(ring_chip(in), in, CollectiveKind::kAllGather);
}
inline double switched_gather(const Given& in) {
  return collective_time(chip_of(in), in, CollectiveKind::kAllGather);
}

/// A gather among all the golden's chips, of a network of switches.
inline auto gather_among_all(const Given& in) {
  return collect(chip_of(in), make<Mesh>({{"x", in("chips")}}),
                 {{"kind", CollectiveKind::kAllGather}, {"bytes", 1e12}});
}
inline double leaf_bandwidth(const Given& in) {
  return 1e12 / number<term::kLeafTime>(gather_among_all(in));
}
inline double spine_bandwidth(const Given& in) {
  return 1e12 / number<term::kSpineTime>(gather_among_all(in));
}

// The check.

using Runner = double (*)(const Given&);

constexpr double kPrecise = 1e-9;

/// Notes that a golden has a runner; false if it had one already.
bool announce_golden(const char* file, const char* id);

/// Runs a golden of tests/golden/`file`.json and compares.
void check_golden(const char* file, const char* id, Runner run, double precision = kPrecise);

}  // namespace scaling::test

#define SCALING_JOIN_(a, b) a##b
#define SCALING_JOIN(a, b) SCALING_JOIN_(a, b)
#define GOLDEN_WITHIN(file, id, runner, precision)                                            \
  [[maybe_unused]] const bool SCALING_JOIN(announced_, __LINE__) = announce_golden(file, id); \
  TEST_CASE("golden " id) { check_golden(file, id, runner, precision); }
#define GOLDEN(file, id, runner) GOLDEN_WITHIN(file, id, runner, kPrecise)
#define BOOK_GOLDEN(id, runner) GOLDEN("book", id, runner)
#define ENGINEERING_GOLDEN(id, runner) GOLDEN("engineering", id, runner)
