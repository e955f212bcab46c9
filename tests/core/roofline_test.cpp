// SPDX-License-Identifier: MIT
//
// Operations and their price on a chip: book, chapter 1, and chapters 3 and 4 for the operations
// over several chips and of attention.

#include <algorithm>
#include <cmath>
#include <limits>

#include "support.hpp"

namespace scaling::test::roofline_test {
namespace {

using Number = Count<double>;

Raw<OperationRequest> matmul_of(double batch, double contraction, double output,
                                const Settings& others = {}) {
  return with(
      make<OperationRequest>({{"batch", batch}, {"contraction", contraction}, {"output", output}}),
      others);
}

/// A matmul whose contraction is divided among chips: each has a part of every sum.
Raw<OperationRequest> split_of(double batch, double contraction, double output) {
  return matmul_of(batch, contraction, output, {{"kind", kOperation<operations::ShardedMatmul>}});
}

Raw<Mesh> along_x(double chips) { return make<Mesh>({{"x", chips}}); }

MatmulShape<double> shape_of(double batch, double contraction, double output,
                             Format activations = Format::kBf16, Format weights = Format::kBf16,
                             Format result = Format::kBf16) {
  return {Number(batch), Number(contraction), Number(output), activations, weights, result};
}

// --- operations ---

TEST_CASE("a dot product reads both vectors and writes one number") {
  const auto dot = dot_product(Number(1000), Format::kBf16, Format::kFp32);
  CHECK(dot.flops.value() == 1999);  // N products, N - 1 sums
  CHECK(dot.activation_bytes.value() == 2000);
  CHECK(dot.weight_bytes.value() == 2000);
  CHECK(dot.output_bytes.value() == 4);
  CHECK_FALSE(dot.on_vector_units);
  CHECK(dot.memory_bytes().value() == 4004);
}

TEST_CASE("a matmul counts each of its matrices in its own format") {
  const auto product = matmul(shape_of(3, 5, 7, Format::kBf16, Format::kInt4, Format::kFp32));
  CHECK(product.flops.value() == 2 * 3 * 5 * 7);
  CHECK(product.activation_bytes.value() == 2 * 3 * 5);
  CHECK(product.weight_bytes.value() == 0.5 * 5 * 7);
  CHECK(product.output_bytes.value() == 4 * 3 * 7);
}

TEST_CASE("weights of their own for each row are read once for each row") {
  const auto shape = shape_of(3, 5, 7, Format::kInt8, Format::kInt8, Format::kInt8);
  const auto shared = matmul(shape);
  const auto own = matmul_per_batch_weights(shape);
  CHECK(own.weight_bytes.value() == 3 * shared.weight_bytes.value());
  CHECK(own.flops.value() == shared.flops.value());
  CHECK(own.activation_bytes.value() == shared.activation_bytes.value());
}

TEST_CASE("chips that split a matmul share its FLOPs and weights but not its result") {
  const auto whole = matmul(shape_of(64, 4096, 1024));
  for (const double chips : {2.0, 4.0, 16.0}) {
    const auto share = operation(tpu_v5e(), along_x(chips), split_of(64, 4096, 1024));
    CHECK(number<term::kFlops>(share) * chips == whole.flops.value());
    CHECK(number<term::kMemoryBytes>(share) ==
          (whole.activation_bytes + whole.weight_bytes).value() / chips +
              whole.output_bytes.value());
    // An AllReduce: (n-1)/n of the result out to be summed, and as much again as sums.
    CHECK_THAT(number<term::kNetworkBytes>(share),
               WithinRel(2 * (chips - 1) / chips * whole.output_bytes.value(), 1e-15));
  }
}

TEST_CASE("two chips each send the half that the other sums, and its sums back: BF numbers") {
  const auto share = operation(tpu_v5e(), along_x(2), split_of(64, 4096, 1024));
  CHECK(number<term::kNetworkBytes>(share) == 2 * 64 * 1024);  // chapter 1: 2BF bytes in bf16
}

TEST_CASE("attention: FLOPs, bytes and intensity of chapter 4, question 4") {
  const auto intensity = [](double queries, double keys, double group) {
    const AttentionShape<double> shape{Number(3), Number(queries), Number(keys), Number(8 * group),
                                       Number(8), Number(128),     Number(128),  false,
                                       false,     Format::kBf16,   Format::kBf16};
    Operations<double> kernels;
    add_flash_attention(kernels, Pass::kForward, shape,
                        Maybe<Quantity<kByte, double>>(Absence::kNotListed));
    REQUIRE(kernels.items().size() == 1);
    const auto& layer = kernels.items()[0];
    CHECK(layer.flops.value() == 4 * 3 * queries * keys * 8 * group * 128);  // 4BTSNH
    CHECK(layer.memory_bytes().value() == 4 * 3 * 8 * 128 * (queries * group + keys));
    return (layer.flops / layer.memory_bytes()).value();
  };
  // Prefill T = S: TG/(G + 1). Generation T = 1: SG/(S + G), which tends to G.
  CHECK_THAT(intensity(4096, 4096, 8), WithinRel(4096 * 8.0 / 9, 1e-12));
  CHECK_THAT(intensity(4096, 4096, 1), WithinRel(4096 / 2.0, 1e-12));
  CHECK_THAT(intensity(1, 8192, 8), WithinRel(8192 * 8.0 / 8200, 1e-12));
}

// --- prices ---

TEST_CASE("times are FLOPs and bytes over the chip's rates") {
  const auto answers = operation(tpu_v5e(), matmul_of(512, 4096, 8192));
  CHECK(number<term::kFlops>(answers) == 2.0 * 512 * 4096 * 8192);
  CHECK(number<term::kMemoryBytes>(answers) == 2.0 * (512 * 4096 + 4096.0 * 8192 + 512 * 8192));
  CHECK(number<term::kMathTime>(answers) == number<term::kFlops>(answers) / 1.97e14);
  CHECK(number<term::kMemoryTime>(answers) == number<term::kMemoryBytes>(answers) / 8.2e11);
  CHECK(number<term::kCommunicationTime>(answers) == number<term::kMemoryTime>(answers));
  CHECK(absence<term::kNetworkTime>(answers) == Absence::kNotApplicable);
  CHECK(absence<term::kNetworkBytes>(answers) == Absence::kNotApplicable);
  CHECK(absence<term::kCriticalContraction>(answers) == Absence::kNotApplicable);
}

TEST_CASE("lower bound <= upper bound <= twice the lower bound, and the bound is the longest") {
  for (const auto& chip : {tpu_v5e(), tpu_v5p(), h100(), b200()}) {
    for (const double batch : {1.0, 16.0, 240.0, 241.0, 4096.0, 1e6}) {
      for (const double size : {1.0, 128.0, 1024.0, 8755.0, 65536.0}) {
        for (const double chips : {0.0, 2.0, 8.0}) {
          if (chips > size) continue;
          const auto answers = chips > 0
                                   ? operation(chip, along_x(chips), split_of(batch, size, size))
                                   : operation(chip, matmul_of(batch, size, size));
          const double math = number<term::kMathTime>(answers);
          const double memory = number<term::kMemoryTime>(answers);
          const double network = chips > 0 ? number<term::kNetworkTime>(answers) : 0;
          const double lower = number<term::kLowerBound>(answers);
          const double upper = number<term::kUpperBound>(answers);
          CHECK(lower == std::max(math, std::max(memory, network)));
          CHECK(upper >= lower);
          CHECK(upper <= 2 * lower);
          const auto expected = network > std::max(math, memory) ? Bound::kNetwork
                                : memory > math                  ? Bound::kMemory
                                                                 : Bound::kCompute;
          CHECK(static_cast<int>(bound<term::kBound>(answers)) == static_cast<int>(expected));
          const double fraction = number<term::kFractionOfPeak>(answers);
          CHECK(fraction > 0);
          CHECK(fraction <= 1);
          CHECK((fraction == 1) == (expected == Bound::kCompute));
          CHECK_THAT(number<term::kAchievedFlops>(answers),
                     WithinRel(number<term::kFlops>(answers) / lower, 1e-15));
        }
      }
    }
  }
}

TEST_CASE("compute-bound means an intensity of at least the critical one") {
  for (const double batch : {1.0, 200.0, 250.0, 300.0, 1000.0}) {
    const auto answers = operation(tpu_v5e(), matmul_of(batch, 4096, 4096));
    const bool intense =
        number<term::kIntensity>(answers) >= number<term::kCriticalIntensity>(answers);
    CHECK(intense == (bound<term::kBound>(answers) == Bound::kCompute));
  }
}

TEST_CASE("the intensity of a bf16 matmul tends to the batch when the matrices are large") {
  const auto answers = operation(tpu_v5e(), matmul_of(240, 1e7, 1e7));
  CHECK_THAT(number<term::kIntensity>(answers), WithinRel(240, 1e-4));
}

TEST_CASE("rates are those of the compute format, bytes those of the stored ones") {
  const auto bf16 = operation(tpu_v5e(), matmul_of(64, 1024, 1024));
  const auto int8 =
      operation(tpu_v5e(), matmul_of(64, 1024, 1024, {{"computeFormat", Format::kInt8}}));
  CHECK(number<term::kMathTime>(bf16) == 2 * number<term::kMathTime>(int8));
  CHECK(number<term::kMemoryTime>(bf16) == number<term::kMemoryTime>(int8));
}

// --- critical batches ---

TEST_CASE("at the exact critical batch computing takes as long as moving") {
  const Settings formats[] = {{},
                              {{"weightFormat", Format::kInt8}},
                              {{"weightFormat", Format::kInt4}, {"outputFormat", Format::kFp32}}};
  for (const Settings& format : formats) {
    for (const double size : {1024.0, 4096.0, 28672.0}) {
      const auto request = matmul_of(1, size, size, format);
      const double critical = number<term::kExactCriticalBatch>(operation(tpu_v5e(), request));
      const auto below = operation(tpu_v5e(), with(request, {{"batch", std::floor(critical)}}));
      const auto above = operation(tpu_v5e(), with(request, {{"batch", std::ceil(critical)}}));
      CHECK(bound<term::kBound>(below) == Bound::kMemory);
      CHECK(bound<term::kBound>(above) == Bound::kCompute);
    }
  }
}

TEST_CASE("the exact critical batch is above the rule and tends to it on large matrices") {
  double previous = std::numeric_limits<double>::infinity();
  for (const double size : {1024.0, 4096.0, 16384.0, 1e6, 1e9}) {
    const auto answers = operation(tpu_v5e(), matmul_of(1, size, size));
    const double rule = number<term::kCriticalBatch>(answers);
    const double exact = number<term::kExactCriticalBatch>(answers);
    CHECK_THAT(rule, WithinRel(240.2439, 1e-6));
    CHECK(exact > rule);
    CHECK(exact < previous);
    previous = exact;
  }
  CHECK_THAT(previous, WithinRel(240.2439, 1e-6));
}

TEST_CASE("chapter 1, question 3: int8 weights at D = F = 4096 and 1024") {
  // B* = (s_w DF/W) / (2DF/C - (s_a D + s_o F)/W), by hand: 136.09 and 226.31.
  const auto exact = [](double size) {
    return number<term::kExactCriticalBatch>(
        operation(tpu_v5e(), matmul_of(1, size, size, {{"weightFormat", Format::kInt8}})));
  };
  CHECK_THAT(exact(4096), WithinRel(136.0857, 1e-6));
  CHECK_THAT(exact(1024), WithinRel(226.3148, 1e-6));
}

TEST_CASE("small matrices never become compute-bound") {
  // 2D/C > 4/W holds for D = F only if D > 2C/W = 480.5.
  const auto answers = operation(tpu_v5e(), matmul_of(1e9, 480, 480));
  CHECK(absence<term::kExactCriticalBatch>(answers) == Absence::kNever);
  CHECK(bound<term::kBound>(answers) == Bound::kMemory);
  const double batch =
      number<term::kExactCriticalBatch>(operation(tpu_v5e(), matmul_of(1, 481, 481)));
  CHECK(bound<term::kBound>(operation(tpu_v5e(), matmul_of(std::ceil(batch), 481, 481))) ==
        Bound::kCompute);
}

TEST_CASE("chapter 2: weights may stay on the host of a TPU v6e from 57,500 tokens on") {
  const auto v6e = with(tpu_v5e(), {{"peakBf16", 9.2e14}, {"hostBandwidth", 1.6e10}});
  CHECK(number<term::kHostCriticalBatch>(operation(v6e, matmul_of(1, 1e6, 1e6))) == 57500);
  CHECK(absence<term::kHostCriticalBatch>(operation(tpu_v5e(), matmul_of(1, 1e6, 1e6))) ==
        Absence::kNotListed);
}

TEST_CASE("dot products and weights of their own have no critical batch") {
  for (const auto kind :
       {kOperation<operations::DotProduct>, kOperation<operations::PerBatchWeights>}) {
    const auto answers = operation(tpu_v5e(), make<OperationRequest>({{"kind", kind}}));
    CHECK(absence<term::kCriticalBatch>(answers) == Absence::kNotApplicable);
    CHECK(absence<term::kExactCriticalBatch>(answers) == Absence::kNotApplicable);
    CHECK(bound<term::kBound>(answers) == Bound::kMemory);
  }
}

// --- several chips ---

TEST_CASE("splitting over n chips needs a contraction of (n - 1) s C / W, half of it on a ring") {
  const auto critical = [](const Raw<Chip>& chip, double chips) {
    return number<term::kCriticalContraction>(
        operation(chip, along_x(chips), split_of(1024, 1e6, 1e6)));
  };
  CHECK_THAT(critical(tpu_v5e(), 2), WithinRel(8755.56, 1e-6));  // 2 x 1.97e14 / 4.5e10
  // On a line, the last shard of V/n arrives after n - 1 hops; twice that for an AllReduce.
  CHECK_THAT(critical(tpu_v5e(), 4), WithinRel(3 * 8755.56, 1e-6));
  CHECK_THAT(critical(h100(), 8), WithinRel(7 * 2 * 2200, 1e-12));  // 990e12 / 450e9 = 2200
  // Around a ring of 16 it takes half as many hops as chips, as both ways are used.
  CHECK_THAT(critical(tpu_v5e(), 16), WithinRel(8 * 8755.56, 1e-6));
}

TEST_CASE("the critical contraction does not depend on the batch and separates the bounds") {
  for (const double batch : {4096.0, 1e6}) {
    for (const double chips : {2.0, 4.0, 8.0}) {
      const auto request = split_of(batch, 1e5, 1e6);
      const double critical =
          number<term::kCriticalContraction>(operation(h100(), along_x(chips), request));
      const auto at = [&](double contraction) {
        return bound<term::kBound>(
            operation(h100(), along_x(chips), with(request, {{"contraction", contraction}})));
      };
      CHECK(at(std::ceil(critical) - 1) == Bound::kNetwork);
      CHECK(at(std::ceil(critical)) == Bound::kCompute);
    }
  }
}

TEST_CASE("the network's intensity and its critical value say the same") {
  const auto answers = operation(tpu_v5e(), along_x(2), split_of(1024, 8192, 8192));
  CHECK_THAT(number<term::kNetworkIntensity>(answers), WithinRel(8192 / 2.0, 1e-15));  // D/2
  CHECK_THAT(number<term::kCriticalNetworkIntensity>(answers), WithinRel(4377.78, 1e-6));
  CHECK(bound<term::kBound>(answers) == Bound::kNetwork);
}

TEST_CASE("across nodes the scale-out links of all their chips carry the sums together") {
  const double result = 2.0 * 1024 * 65536;
  const auto time = [](const Raw<Chip>& chip, double chips) {
    return number<term::kNetworkTime>(
        operation(chip, along_x(chips), split_of(1024, 65536, 65536)));
  };
  CHECK_THAT(time(h100(), 8), WithinRel(2 * result * 7 / 8 / 4.5e11, 1e-12));
  // Eight nodes of W_node = 8 x 50e9 (chapter 12); each chip sends 63/64, a node 7/8 of the sums.
  CHECK_THAT(time(h100(), 64), WithinRel(2 * result * 7 / 8 / 4e11, 1e-12));
  // The rack's own network is the narrower one: 900e9 against 72 x 50e9.
  CHECK_THAT(time(gb200_nvl72(), 144), WithinRel(2 * result * 71 / 72 / 9e11, 1e-12));
}

TEST_CASE("without a known network there is no time of it, nor any bounds") {
  const auto chip =
      make<Chip>({{"memory", 24e9}, {"memoryBandwidth", 1e12}, {"peakBf16", 1.65e14}});
  const auto answers = operation(chip, along_x(2), split_of(1024, 65536, 65536));
  CHECK(absence<term::kNetworkTime>(answers) == Absence::kNotListed);
  CHECK(absence<term::kLowerBound>(answers) == Absence::kNotListed);
  CHECK(absence<term::kUpperBound>(answers) == Absence::kNotListed);
  CHECK(absence<term::kCriticalContraction>(answers) == Absence::kNotListed);
  CHECK(number<term::kNetworkBytes>(answers) > 0);
  CHECK(number<term::kMathTime>(answers) > 0);
}

TEST_CASE("bytes of half a byte and sizes of 1e12 keep their answers finite") {
  const auto answers =
      operation(tpu_v5e(), matmul_of(1e12, 1e12, 1e12, {{"weightFormat", Format::kInt4}}));
  CHECK(number<term::kFlops>(answers) == 2e36);
  CHECK(number<term::kLowerBound>(answers) > 0);
}

}  // namespace
}  // namespace scaling::test::roofline_test
