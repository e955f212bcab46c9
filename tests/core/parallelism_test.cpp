// SPDX-License-Identifier: MIT
//
// The limits at which splitting stops paying: book, chapter 5 (rings on a torus) and chapter 12
// (nodes of GPUs).

#include <algorithm>
#include <cmath>
#include <tuple>

#include "support.hpp"

namespace scaling::test::parallelism_test {
namespace {

/// Chapter 5 names models by their width alone.
Raw<Model> of_width(double feed_forward) {
  return with(llama3_70b(), {{"feedForward", feed_forward}});
}

Raw<Run> on(double chips, double batch_tokens, const Settings& more = {}) {
  return with(make<Run>({{"chips", chips}, {"batchTokens", batch_tokens}}), more);
}

constexpr double kBatch = 4 << 20;

double fsdp_threshold(const Raw<Chip>& chip, double chips, const Settings& more = {}) {
  return number<term::kFsdpThreshold>(training(chip, llama3_70b(), on(chips, kBatch, more)));
}

double mixed_threshold(const Raw<Chip>& chip, const Raw<Model>& model, double chips) {
  return number<term::kMixedThreshold>(training(chip, model, on(chips, kBatch)));
}

double tensor_limit(const Raw<Chip>& chip, double feed_forward, double chips) {
  return number<term::kTensorLimit>(training(chip, of_width(feed_forward), on(chips, kBatch)));
}

const Settings kInt8{{"computeFormat", Format::kInt8},
                     {"weightFormat", Format::kInt8},
                     {"activationFormat", Format::kInt8}};

// --- a torus ---

TEST_CASE("FSDP on TPU v5p: 2550 tokens a chip over one axis, 1275 over two, 850 over three") {
  CHECK(fsdp_threshold(tpu_v5p(), 8960) == 850);
  CHECK(fsdp_threshold(with(tpu_v5p(), {{"torusX", 320}, {"torusZ", 1}}), 6400) == 1275);
  const auto line = with(tpu_v5p(), {{"torusX", 8960}, {"torusY", 1}, {"torusZ", 1}});
  CHECK(fsdp_threshold(line, 8960) == 2550);
}

TEST_CASE("critical intensities of the networks of other TPUs") {
  // C over the bandwidth of a link in both directions, two axes.
  CHECK_THAT(fsdp_threshold(tpu_v5e(), 256), WithinRel(1.97e14 / 9e10 / 2, 1e-12));  // 2189 / 2
  const auto v6e = with(tpu_v5e(), {{"peakBf16", 9.2e14}, {"linkBandwidth", 9e10}});
  CHECK_THAT(fsdp_threshold(v6e, 256), WithinRel(5111 / 2.0, 1e-4));
  const auto v4 = with(tpu_v5p(), {{"peakBf16", 2.75e14}, {"linkBandwidth", 4.5e10}});
  CHECK_THAT(fsdp_threshold(v4, 4096), WithinRel(3056 / 3.0, 1e-3));
}

TEST_CASE("a slice whose axes do not close has half the bandwidth") {
  CHECK(fsdp_threshold(tpu_v5p(), 64) == 850);        // one 4x4x4 cube
  CHECK(fsdp_threshold(tpu_v5p(), 32) == 2 * 850);    // less than a cube
  const double pod = fsdp_threshold(tpu_v5e(), 256);  // 16 x 16
  CHECK(fsdp_threshold(tpu_v5e(), 128) == 2 * pod);
  const auto never = with(tpu_v5e(), {{"wraparound", Wraparound::kNever}});
  CHECK(fsdp_threshold(never, 256) == 2 * pod);
}

TEST_CASE("int8 throughout doubles the rate and halves the bytes: no limit moves") {
  CHECK(fsdp_threshold(tpu_v5p(), 8960, kInt8) == fsdp_threshold(tpu_v5p(), 8960));
  const auto bf16 = training(tpu_v5p(), llama3_70b(), on(8960, kBatch));
  const auto int8 = training(tpu_v5p(), llama3_70b(), on(8960, kBatch, kInt8));
  CHECK(number<term::kTensorLimit>(int8) == number<term::kTensorLimit>(bf16));
  CHECK(number<term::kMixedThreshold>(int8) == number<term::kMixedThreshold>(bf16));
  CHECK(number<term::kOptimalData>(int8) == number<term::kOptimalData>(bf16));
}

TEST_CASE("chapter 5: chips that a batch of 16e6 tokens keeps busy by FSDP over three axes") {
  // The pod has 8960; the number is how far the batch would carry.
  const auto answers = training(tpu_v5p(), llama3_70b(), on(8960, 16e6));
  CHECK_THAT(number<term::kFsdpMaximumChips>(answers), WithinRel(18823.53, 1e-6));
}

TEST_CASE("chapter 5: most ways of tensor parallelism over one axis, F / 2550") {
  CHECK_THAT(tensor_limit(tpu_v5p(), 30000, 8960), WithinRel(11.7647, 1e-5));
  CHECK_THAT(tensor_limit(tpu_v5p(), 28672, 8960), WithinRel(11.2439, 1e-5));
  CHECK_THAT(tensor_limit(tpu_v5p(), 50000, 8960), WithinRel(19.6078, 1e-5));  // Gemma 7B
  CHECK_THAT(tensor_limit(tpu_v5p(), 40800, 8960), WithinRel(16, 1e-12));
}

TEST_CASE("chapters 5 and 6: fewest tokens a chip for FSDP with tensor parallelism") {
  // alpha^2 / (2 F): 99 at F = 32768, 108 at 30000, 235 for LLaMA 2 13B, 61 for 405B.
  CHECK_THAT(mixed_threshold(tpu_v5p(), of_width(32768), 8960), WithinRel(99.2203, 1e-6));
  CHECK_THAT(mixed_threshold(tpu_v5p(), of_width(30000), 8960), WithinRel(108.375, 1e-12));
  CHECK_THAT(mixed_threshold(tpu_v5p(), of_width(28672), 8960), WithinRel(113.3946, 1e-6));
  CHECK_THAT(mixed_threshold(tpu_v5p(), of_width(13824), 4096), WithinRel(235.1888, 1e-6));
  CHECK_THAT(mixed_threshold(tpu_v5p(), of_width(53248), 8960), WithinRel(61.0586, 1e-6));
}

TEST_CASE("chapter 5: best split of 64 chips at F = 32768 and 48,000 tokens: 16 x 4") {
  const auto run = on(64, 48000, {{"sequenceLength", 1000}});
  const auto answers = training(tpu_v5p(), of_width(32768), run);
  CHECK_THAT(number<term::kOptimalData>(answers), WithinRel(13.69306, 1e-6));  // printed: 13.9
  CHECK(number<term::kMeshData>(answers) == 16);
  CHECK(number<term::kMeshTensor>(answers) == 4);
}

TEST_CASE("chapter 5: 2e6 tokens on two pods, 111 a chip against 108") {
  const auto run = on(2 * 8960, 2e6, {{"slices", 2}});
  const auto answers = training(tpu_v5p(), of_width(30000), run);
  CHECK_THAT(number<term::kTokensEachChip>(answers), WithinRel(111.607, 1e-5));
  CHECK_THAT(number<term::kMixedThreshold>(answers), WithinRel(108.375, 1e-12));
  CHECK(bound<term::kFsdpBound>(answers) == Bound::kNetwork);
  CHECK(bound<term::kMixedBound>(answers) == Bound::kCompute);
  CHECK(bound<term::kSliceBound>(answers) == Bound::kCompute);
}

TEST_CASE("chapter 5, question 3: 732 tokens a chip lie between the two limits of 13B") {
  const auto answers = training(tpu_v5p(), of_width(13824), on(4096, 3e6));
  CHECK_THAT(number<term::kTokensEachChip>(answers), WithinRel(732.42, 1e-5));
  CHECK(bound<term::kFsdpBound>(answers) == Bound::kNetwork);
  CHECK(bound<term::kMixedBound>(answers) == Bound::kCompute);
}

TEST_CASE("chapter 5: tokens a slice needs before its gradients hide behind the computation") {
  const auto threshold = [](const Raw<Chip>& chip, double chips) {
    return number<term::kSliceThreshold>(
        training(chip, llama3_70b(), on(chips, kBatch, {{"slices", 2}})));
  };
  CHECK(threshold(tpu_v5p(), 2 * 8960) == 73440);
  CHECK(threshold(tpu_v5e(), 2 * 256) == 63040);
  CHECK(threshold(with(tpu_v5e(), {{"peakBf16", 9.2e14}, {"scaleOutBandwidth", 12.5e9}}),
                  2 * 256) == 73600);
  const auto one = training(tpu_v5p(), llama3_70b(), on(8960, kBatch));
  CHECK(absence<term::kSliceThreshold>(one) == Absence::kNotApplicable);
}

TEST_CASE("gradients cross between slices in bf16, whatever the weights are kept in") {
  for (const Format format : {Format::kFp8, Format::kFp32}) {
    const auto answers = training(
        tpu_v5p(), llama3_70b(),
        on(2 * 8960, kBatch, {{"slices", 2}, {"weightFormat", static_cast<double>(format)}}));
    CHECK(number<term::kSliceThreshold>(answers) == 73440);
  }
}

TEST_CASE("on a switched network the mesh has no more tensor ways than the batch asks for") {
  const auto mesh = [](double tokens_per_chip) {
    const auto answers = training(h100(), llama3_70b(), on(64, 64 * tokens_per_chip));
    return std::pair(number<term::kMeshData>(answers), number<term::kMeshTensor>(answers));
  };
  CHECK(mesh(4096) == std::pair(64.0, 1.0));  // FSDP alone needs 2475
  CHECK(mesh(2048) == std::pair(8.0, 8.0));
}

TEST_CASE("a batch that would fill more chips than there are is divided among all of them") {
  const auto answers = training(tpu_v5p(), llama3_8b(), on(512, kBatch));  // sqrt(...) is 541
  CHECK(number<term::kOptimalData>(answers) == 512);
  CHECK(number<term::kOptimalTensor>(answers) == 1);
}

TEST_CASE(
    "Llama 4 Maverick: half of the layers are dense, and every token meets the shared expert") {
  // A dense and a MoE layer store (128 + 1) 8192 + 16384 and use (1 + 1) 8192 + 16384.
  auto maverick = llama3_70b();
  for (const auto& [key, value] :
       std::initializer_list<std::pair<const char*, double>>{{"layers", 48},
                                                             {"hidden", 5120},
                                                             {"feedForward", 16384},
                                                             {"heads", 40},
                                                             {"experts", 128},
                                                             {"expertsPerToken", 1},
                                                             {"expertFeedForward", 8192},
                                                             {"sharedExperts", 1},
                                                             {"denseLayers", 0},
                                                             {"moeEvery", 2},
                                                             {"routerBias", 0},
                                                             {"expertBias", 0},
                                                             {"scoreBias", 0}}) {
    maverick[key] = value;
  }
  const auto answers = training(tpu_v5p(), maverick, on(8960, kBatch));
  CHECK_THAT(number<term::kFsdpThreshold>(answers),
             WithinRel(850 * (129.0 * 8192 + 16384) / (2.0 * 8192 + 16384), 1e-12));
}

TEST_CASE("the scale-out network decides where the one inside would do") {
  const auto run = on(64 * 128, 64 * 64000, {{"slices", 64}, {"sequenceLength", 1000}});
  const auto answers = training(tpu_v5p(), of_width(65536), run);
  CHECK(bound<term::kMixedBound>(answers) == Bound::kCompute);
  CHECK(number<term::kTokensEachSlice>(answers) == 64000);  // below 73,440
  CHECK(bound<term::kSliceBound>(answers) == Bound::kNetwork);
  CHECK(bound<term::kBound>(answers) == Bound::kNetwork);
}

/// A layer of two matrices as chapter 5 prices it: seconds of the forward pass on X x Y chips, with
/// X over two axes and Y over one. `experts` are moved, `active` of them work on a token.
struct Layer {
  double hidden, width, experts, active;
  double chips, tokens, alpha;

  double math() const { return 4 * tokens * active * hidden * width / chips; }
  double gather(double y) const { return 4 * experts * hidden * width * alpha / (2 * y); }
  double reduce(double y) const { return 4 * tokens * hidden * alpha * y / chips; }
};

TEST_CASE("at the best split both transfers take equally long, and no other split is better") {
  struct Case {
    Raw<Model> model;
    Layer layer;
  };
  const Case cases[] = {
      {llama3_70b(), {8192, 28672, 1, 1, 8960, kBatch, 2550}},
      {llama3_8b(), {4096, 14336, 1, 1, 1024, kBatch, 2550}},
      {mixtral_8x7b(), {4096, 14336, 8, 2, 4096, kBatch, 2550}},
      // 58 layers of 256 routed experts (8 active) and a shared one, 3 dense
      // layers of nine times the width: the mean of all.
      {deepseek_v3(),
       {7168, 2048, (58 * 257 + 3 * 9) / 61.0, (58 * 9 + 3 * 9) / 61.0, 8960, kBatch, 2550}}};
  for (const auto& [model, layer] : cases) {
    const auto answers = training(tpu_v5p(), model, on(layer.chips, layer.tokens));
    const double data = number<term::kOptimalData>(answers);
    const double best = number<term::kOptimalTensor>(answers);
    CHECK_THAT(data * best, WithinRel(layer.chips, 1e-12));
    CHECK_THAT(layer.gather(best), WithinRel(layer.reduce(best), 1e-12));
    for (const double factor : {0.25, 0.5, 0.9, 1.1, 2.0, 4.0}) {
      CHECK(std::max(layer.gather(best * factor), layer.reduce(best * factor)) >
            layer.gather(best));
    }
  }
}

TEST_CASE("at the mixed threshold the best split's transfers take as long as computing") {
  for (const auto& [model, experts, active, hidden, width] :
       {std::tuple{llama3_70b(), 1.0, 1.0, 8192.0, 28672.0},
        std::tuple{llama3_405b(), 1.0, 1.0, 16384.0, 53248.0},
        std::tuple{mixtral_8x7b(), 8.0, 2.0, 4096.0, 14336.0}}) {
    const double chips = 4096;
    // A batch at the threshold for so many chips, and its best split.
    const double tokens = std::round(mixed_threshold(tpu_v5p(), model, chips) * chips);
    const auto answers = training(tpu_v5p(), model, on(chips, tokens, {{"sequenceLength", 1}}));
    const Layer layer{hidden, width, experts, active, chips, tokens, 2550};
    const double best = number<term::kOptimalTensor>(answers);
    CHECK_THAT(layer.math(), WithinRel(layer.gather(best), 1e-5));
    CHECK_THAT(layer.math(), WithinRel(layer.reduce(best), 1e-5));
  }
}

TEST_CASE("experts raise FSDP's thresholds by E/k") {
  const auto experts = with(
      llama3_70b(), {{"experts", 64}, {"expertsPerToken", 4}, {"expertFeedForward", 28672 / 4}});
  const auto dense = training(tpu_v5p(), llama3_70b(), on(8960, kBatch));
  const auto sparse = training(tpu_v5p(), experts, on(8960, kBatch));
  CHECK(number<term::kFsdpThreshold>(sparse) == 16 * number<term::kFsdpThreshold>(dense));
  // The active width is the same, so is the limit of tensor parallelism.
  CHECK(number<term::kTensorLimit>(sparse) == number<term::kTensorLimit>(dense));
  const auto pods = training(tpu_v5p(), experts, on(2 * 8960, kBatch, {{"slices", 2}}));
  CHECK(number<term::kSliceThreshold>(pods) == 16 * 73440);
}

TEST_CASE("meshes are powers of two that fit on the chips") {
  const auto is_power = [](double x) { return std::exp2(std::round(std::log2(x))) == x; };
  for (const auto& chip : {tpu_v5e(), tpu_v5p(), h100(), gb200_nvl72()}) {
    for (const double chips : {4.0, 6.0, 8.0, 60.0, 64.0, 100.0, 256.0}) {
      for (const double tokens : {4096.0, 65536.0, 1e6, 64e6}) {
        for (const auto& model : {llama3_8b(), llama3_405b(), mixtral_8x7b()}) {
          const auto answers = training(chip, model, on(chips, tokens));
          const double data = number<term::kMeshData>(answers);
          const double tensor = number<term::kMeshTensor>(answers);
          CHECK(is_power(data));
          CHECK(is_power(tensor));
          CHECK(data * tensor <= chips);
          CHECK(data * tensor > chips / 4);
        }
      }
    }
  }
}

TEST_CASE("with one axis there is no second one for tensors") {
  const auto line = with(tpu_v5e(), {{"torusX", 16}, {"torusY", 1}});
  const auto answers = training(line, llama3_8b(), on(16, kBatch));
  CHECK(absence<term::kMixedThreshold>(answers) == Absence::kNotApplicable);
  CHECK(absence<term::kOptimalData>(answers) == Absence::kNotApplicable);
  CHECK(absence<term::kMixedBound>(answers) == Absence::kNotApplicable);
  CHECK(number<term::kFsdpThreshold>(answers) > 0);
}

TEST_CASE("a few chips have few axes: two one, four two, eight three") {
  // So few chips do not close to rings, which halves the bandwidth.
  CHECK(fsdp_threshold(tpu_v5p(), 2) == 2 * 2550);
  CHECK(fsdp_threshold(tpu_v5p(), 4) == 2 * 1275);
  CHECK(fsdp_threshold(tpu_v5p(), 8) == 2 * 850);
  const auto two = training(tpu_v5p(), llama3_8b(), on(2, kBatch));
  CHECK(absence<term::kMixedThreshold>(two) == Absence::kNotApplicable);
  CHECK(slice_axes(pod_of(typed(tpu_v5e())), 256).axes == 2);
}

TEST_CASE("slices close in the closed forms where collectives find them closed") {
  // 96 chips have no slice of whole cubes: 4 x 4 x 6. They counted as rings, by their number alone.
  CHECK(fsdp_threshold(tpu_v5p(), 96) == 2 * 850);
  CHECK(fsdp_threshold(tpu_v5p(), 64) == 850);
  // Seven are a line: one axis.
  CHECK(fsdp_threshold(tpu_v5p(), 7) == 2 * 2550);
}

TEST_CASE("the closed forms' gathers are no faster than the worst-placed chip's links") {
  // Tokens a chip at which a gather of the weights takes as long as computing: FLOPs and bytes.
  for (const auto& chip : {tpu_v5e(), tpu_v5p()}) {
    const auto values = typed(chip);
    const Pod pod = pod_of(values);
    for (double chips = 2; chips <= 512; ++chips) {
      const Lengths shape = slice_shape(pod, chips);
      if (shape[0] == 0) continue;
      CAPTURE(chips);
      const auto mesh = make<Mesh>({{"x", shape[0]}, {"y", shape[1]}, {"z", shape[2]}});
      const auto gather = collective(chip, mesh, make<CollectiveRequest>({{"bytes", 2}}));
      const double seconds = number<term::kCollectiveBandwidthTime>(gather);
      const double tokens = seconds * values.peak_bf16.value.value() / 2;
      const bool all_axes_of_pod = (shape[0] > 1 || pod.lengths[0] <= 1) &&
                                   (shape[1] > 1 || pod.lengths[1] <= 1) &&
                                   (shape[2] > 1 || pod.lengths[2] <= 1);
      // A mesh that leaves out an axis may close on a longer slice.
      if (all_axes_of_pod) CHECK(fsdp_threshold(chip, chips) >= tokens * (1 - 1e-9));
    }
  }
}

TEST_CASE("one chip has nothing to split") {
  for (const auto& chip : {tpu_v5p(), h100()}) {
    const auto answers = training(chip, llama3_8b(), on(1, kBatch));
    CHECK(absence<term::kFsdpThreshold>(answers) == Absence::kNotApplicable);
    CHECK(absence<term::kMixedThreshold>(answers) == Absence::kNotApplicable);
    CHECK(absence<term::kFsdpMaximumChips>(answers) == Absence::kNotApplicable);
    CHECK(absence<term::kFsdpBound>(answers) == Absence::kNotApplicable);
    CHECK(bound<term::kBound>(answers) == Bound::kCompute);
  }
}

// --- nodes of GPUs ---

TEST_CASE("chapter 12: FSDP on H100 needs 2200 tokens a chip in a node, 2475 across nodes") {
  CHECK(fsdp_threshold(h100(), 8) == 2200);
  CHECK(fsdp_threshold(h100(), 16000) == 2475);
  const auto answers = training(h100(), llama3_70b(), on(16000, 39.6e6));
  CHECK_THAT(number<term::kFsdpMaximumChips>(answers), WithinRel(16000, 1e-12));
}

TEST_CASE("chapter 12: B200, 2500 in a node and 5625 across; the rack of GB200 2500 throughout") {
  CHECK(fsdp_threshold(b200(), 8) == 2500);
  CHECK(fsdp_threshold(b200(), 4096) == 5625);
  CHECK(fsdp_threshold(gb200_nvl72(), 72) == 2500);
  // Across racks 625 would do, so the rack's own network is the narrower one.
  CHECK(fsdp_threshold(gb200_nvl72(), 7200) == 2500);
}

TEST_CASE("chapter 12: ways of tensor parallelism, F / 2200 in a node, F / 2475 across") {
  CHECK_THAT(tensor_limit(h100(), 28672, 8), WithinRel(13.0327, 1e-5));  // printed: 14.37
  CHECK_THAT(tensor_limit(h100(), 28000, 8), WithinRel(12.7273, 1e-5));
  CHECK_THAT(tensor_limit(h100(), 28000, 4096), WithinRel(11.3131, 1e-5));
  // A narrow layer is spent before the node is.
  CHECK_THAT(tensor_limit(h100(), 8800, 4096), WithinRel(4, 1e-12));
  // One that just fills a node does not reach beyond it.
  CHECK(tensor_limit(h100(), 18000, 4096) == 8);
}

TEST_CASE("chapter 12: tensor parallelism within a node spares the node's network, not the other") {
  // Four ways: a quarter of the node's bytes, but each node still gathers all.
  const auto four_ways = of_width(8800);
  CHECK_THAT(mixed_threshold(h100(), four_ways, 8), WithinRel(2200 / 4.0, 1e-12));
  CHECK(mixed_threshold(h100(), four_ways, 4096) == 2475);
}

TEST_CASE("chapter 12: a model over m nodes divides the threshold by m") {
  // Quiz 5, question 3: 16 ways span two nodes, 1237; 64 ways eight, 309.
  CHECK_THAT(mixed_threshold(h100(), of_width(16 * 2475), 4096), WithinRel(1237.5, 1e-12));
  CHECK_THAT(mixed_threshold(h100(), of_width(64 * 2475), 4096), WithinRel(309.375, 1e-12));
}

TEST_CASE("tensor parallelism never needs more tokens on GPUs") {
  for (const auto& chip : {h100(), b200(), gb200_nvl72()}) {
    for (const double width : {100.0, 2048.0, 14336.0, 28672.0, 1e6}) {
      for (const double chips : {2.0, 8.0, 16.0, 72.0, 4096.0}) {
        CHECK(mixed_threshold(chip, of_width(width), chips) <= fsdp_threshold(chip, chips));
      }
    }
  }
}

TEST_CASE("beyond the domain a chip without a known network gives no limits") {
  Raw<Chip> chip = h100();
  chip.values[index_of<Chip>("scaleOutBandwidth")] = std::nan("");
  CHECK(fsdp_threshold(chip, 8) == 2200);
  const auto answers = training(chip, llama3_70b(), on(16, kBatch));
  CHECK(absence<term::kFsdpThreshold>(answers) == Absence::kNotListed);
  CHECK(absence<term::kMixedThreshold>(answers) == Absence::kNotListed);
  CHECK(absence<term::kTensorLimit>(answers) == Absence::kNotListed);
  CHECK(absence<term::kMeshData>(answers) == Absence::kNotListed);
  CHECK(absence<term::kFsdpMaximumChips>(answers) == Absence::kNotListed);
}

TEST_CASE("chips without a scale-up network are nodes of one") {
  const auto chip = with(h100(), {{"network", Network::kNone}});
  CHECK_THAT(fsdp_threshold(chip, 64), WithinRel(9.9e14 / 5e10, 1e-12));
}

// --- networks ---

TEST_CASE("what one chip, or one node, sends in a reduction") {
  const auto bandwidth = [](const Raw<Chip>& chip, double chips, double groups) {
    const auto answers =
        collective(chip, make<Mesh>({{"x", chips}}),
                   make<CollectiveRequest>({{"kind", CollectiveKind::kReduceScatter}}));
    // The slowest level has so many groups, each of which sends all but its own part.
    return 1e9 * (groups - 1) / groups / number<term::kCollectiveBandwidthTime>(answers);
  };
  CHECK_THAT(bandwidth(tpu_v5e(), 2, 2), WithinRel(4.5e10, 1e-15));
  CHECK_THAT(bandwidth(h100(), 8, 8), WithinRel(4.5e11, 1e-15));
  CHECK_THAT(bandwidth(h100(), 16, 2), WithinRel(4.5e11 * 8 / 7 / 2, 1e-15));  // inside the node
  CHECK_THAT(bandwidth(h100(), 64, 8), WithinRel(8 * 5e10, 1e-15));
  CHECK_THAT(bandwidth(with(h100(), {{"network", Network::kNone}}), 2, 2), WithinRel(5e10, 1e-15));
}

TEST_CASE("chips of a domain") {
  CHECK(typed(tpu_v5p()).domain_chips().value() == 8960);
  CHECK(typed(h100()).domain_chips().value() == 8);
  CHECK(typed(with(h100(), {{"network", Network::kNone}})).domain_chips().value() == 1);
  CHECK(typed(tpu_v5e()).torus_axes() == 2);
  CHECK(typed(tpu_v5p()).torus_axes() == 3);
}

// --- scaling laws ---

TEST_CASE("thresholds are of the chip: they do not move with the batch") {
  for (const auto& chip : {tpu_v5p(), h100()}) {
    const auto at = [&](double tokens) { return training(chip, llama3_70b(), on(4096, tokens)); };
    CHECK(number<term::kFsdpThreshold>(at(1e6)) == number<term::kFsdpThreshold>(at(64e6)));
    CHECK(number<term::kMixedThreshold>(at(1e6)) == number<term::kMixedThreshold>(at(64e6)));
  }
}

TEST_CASE("four times the batch doubles the best data ways") {
  const auto data = [](double tokens) {
    return number<term::kOptimalData>(training(tpu_v5p(), llama3_70b(), on(8960, tokens)));
  };
  CHECK_THAT(data(4 * kBatch), WithinRel(2 * data(kBatch), 1e-15));
}

TEST_CASE("twice the links, half the tokens") {
  const auto fast = with(tpu_v5p(), {{"linkBandwidth", 1.8e11}});
  CHECK(fsdp_threshold(fast, 8960) == 850 / 2.0);
  CHECK_THAT(mixed_threshold(fast, llama3_70b(), 8960),
             WithinRel(mixed_threshold(tpu_v5p(), llama3_70b(), 8960) / 4, 1e-12));
}

}  // namespace
}  // namespace scaling::test::parallelism_test
