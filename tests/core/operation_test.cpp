// SPDX-License-Identifier: MIT
//
// Operations of sizes of their own on one chip: what they compute and move, fused, tiled, backward,
// and out of which memory. Matmuls, their bounds and those of several chips are in roofline_test
// and sharding_test.

#include <cmath>
#include <iterator>
#include <limits>

#include "support.hpp"

namespace scaling::test::operation_test {
namespace {

Raw<OperationRequest> request_of(OperationKind kind, const Settings& others = {}) {
  return with(make<OperationRequest>({{"kind", kind}}), others);
}

auto answers_of(OperationKind kind, const Settings& others = {}) {
  return operation(tpu_v5e(), request_of(kind, others));
}

/// FLOPs and bytes of memory.
struct Work {
  double flops;
  double bytes;

  bool operator==(const Work&) const = default;
};

Work work(OperationKind kind, const Settings& others = {}) {
  const auto answers = answers_of(kind, others);
  return {number<term::kFlops>(answers), number<term::kMemoryBytes>(answers)};
}

Work backward(OperationKind kind, Settings others = {}) {
  others.push_back({"pass", Pass::kBackward});
  return work(kind, others);
}

void check_work(const Work& found, double flops, double bytes) {
  CHECK(found.flops == flops);
  CHECK(found.bytes == bytes);
}

// --- elementwise ---

TEST_CASE("an elementwise operation reads its inputs and writes one array") {
  check_work(work(kOperation<operations::Elementwise>, {{"length", 1000}}), 1000,
             2 * 3000);  // z = x + y in bf16
  check_work(work(kOperation<operations::Elementwise>, {{"length", 1000}, {"inputs", 1}}), 1000,
             2 * 2000);
  check_work(work(kOperation<operations::Elementwise>, {{"length", 1000},
                                                        {"activationFormat", Format::kFp32},
                                                        {"outputFormat", Format::kInt8}}),
             1000, 4 * 2000 + 1000);
  CHECK_THAT(
      number<term::kIntensity>(answers_of(kOperation<operations::Elementwise>, {{"inputs", 1}})),
      WithinRel(0.25, 1e-15));
}

TEST_CASE("operations that are fused pass their results on without memory") {
  const auto of_chain = [](double chain, double fused, double inputs) {
    return work(kOperation<operations::Elementwise>,
                {{"length", 1000}, {"chain", chain}, {"fused", fused}, {"inputs", inputs}});
  };
  // One input each: every kernel reads and writes an array.
  check_work(of_chain(6, 1, 1), 6000, 2 * 6 * 2000);
  check_work(of_chain(6, 2, 1), 6000, 2 * 3 * 2000);
  check_work(of_chain(6, 4, 1), 6000, 2 * 2 * 2000);  // four and two
  check_work(of_chain(6, 6, 1), 6000, 2 * 1 * 2000);
  check_work(of_chain(6, 100, 1), 6000, 2 * 1 * 2000);
  // The second input of each is read in any case.
  check_work(of_chain(6, 1, 2), 6000, 2 * (6 * 2000 + 6 * 1000));
  check_work(of_chain(6, 6, 2), 6000, 2 * (1 * 2000 + 6 * 1000));
}

TEST_CASE("fusing all of a long chain multiplies the intensity by its length") {
  const auto intensity = [](double fused) {
    return number<term::kIntensity>(answers_of(kOperation<operations::Elementwise>,
                                               {{"chain", 64}, {"fused", fused}, {"inputs", 1}}));
  };
  CHECK_THAT(intensity(64), WithinRel(64 * intensity(1), 1e-15));
  CHECK_THAT(intensity(8), WithinRel(8 * intensity(1), 1e-15));
}

TEST_CASE("backward, gradients come in and go out like the arrays they are of") {
  // Reads x, y and dz, writes dx and dy: a multiplication's.
  check_work(backward(kOperation<operations::Elementwise>, {{"length", 1000}}), 2000,
             2 * (3000 + 2000));
}

// --- reductions and norms ---

TEST_CASE("a reduction adds each row up to one number") {
  const Settings size{{"batch", 10}, {"contraction", 100}, {"outputFormat", Format::kFp32}};
  check_work(work(kOperation<operations::Reduction>, size), 10 * 99, 2 * 1000 + 4 * 10);
  // Backward each number gets a copy of its row's gradient: nothing to compute.
  check_work(backward(kOperation<operations::Reduction>, size), 0, 4 * 10 + 2 * 1000);
  const auto copies = answers_of(kOperation<operations::Reduction>, {{"pass", Pass::kBackward}});
  CHECK(number<term::kFractionOfPeak>(copies) == 0);
  CHECK(bound<term::kBound>(copies) == Bound::kMemory);
}

TEST_CASE("a softmax reads each row once and takes 5 FLOPs a number, backward 4") {
  const Settings size{{"batch", 10}, {"contraction", 100}};
  check_work(work(kOperation<operations::Softmax>, size), 5 * 1000, 2 * 2000);
  check_work(backward(kOperation<operations::Softmax>, size), 4 * 1000,
             2 * 3000);  // result, its gradient, the input's
}

TEST_CASE("a norm reads its rows and one row of weights and takes 4 FLOPs a number, backward 8") {
  const Settings size{{"batch", 10}, {"contraction", 100}, {"weightFormat", Format::kFp32}};
  check_work(work(kOperation<operations::RmsNorm>, size), 4 * 1000, 2 * 2000 + 4 * 100);
  check_work(backward(kOperation<operations::RmsNorm>, size), 8 * 1000, 2 * 3000 + 2 * 4 * 100);
}

TEST_CASE("what is no matmul runs on the vector units") {
  for (const auto kind : {kOperation<operations::Elementwise>, kOperation<operations::Reduction>,
                          kOperation<operations::Softmax>, kOperation<operations::RmsNorm>}) {
    const auto answers = answers_of(kind);
    CHECK(number<term::kComputeRate>(answers) == 6.144e12);
    CHECK(number<term::kMathTime>(answers) == number<term::kFlops>(answers) / 6.144e12);
    CHECK_THAT(number<term::kCriticalIntensity>(answers), WithinRel(6.144e12 / 8.2e11, 1e-15));
    CHECK(bound<term::kBound>(answers) == Bound::kMemory);
  }
  for (const auto kind :
       {kOperation<operations::DotProduct>, kOperation<operations::Matmul>,
        kOperation<operations::PerBatchWeights>, kOperation<operations::TiledMatmul>}) {
    CHECK(number<term::kComputeRate>(answers_of(kind)) == 1.97e14);
  }
}

TEST_CASE("where no rate of the vector units is listed, that of fp32 stands in") {
  const auto chip = with(
      tpu_v5e(), {{"peakVector", std::numeric_limits<double>::quiet_NaN()}, {"peakFp32", 5e13}});
  CHECK(number<term::kComputeRate>(operation(chip, request_of(kOperation<operations::Softmax>))) ==
        5e13);
}

// --- backward ---

TEST_CASE("a dot product's gradients are one vector times a number each") {
  check_work(backward(kOperation<operations::DotProduct>, {{"length", 1000}}), 2000,
             2 * 2000 + 2 * 2000);
}

TEST_CASE("backward, a matmul is two: of the activations' gradient and of the weights'") {
  const Settings size{{"batch", 3}, {"contraction", 5}, {"output", 7}};
  const double all = 2 * (3 * 5 + 5 * 7 + 3 * 7);
  check_work(work(kOperation<operations::Matmul>, size), 2 * 105, all);
  check_work(backward(kOperation<operations::Matmul>, size), 4 * 105, 2 * all);
  // dX[B,D] = dZ Y^T and dY = X^T dZ, each array in its own format.
  Settings formats = size;
  formats.insert(formats.end(), {{"weightFormat", Format::kInt4}, {"outputFormat", Format::kFp32}});
  check_work(backward(kOperation<operations::Matmul>, formats), 4 * 105,
             2 * (2 * 15 + 0.5 * 35 + 4 * 21));
}

TEST_CASE("backward, weights of their own for each row get an outer product of their own") {
  const Settings size{{"batch", 3}, {"contraction", 5}, {"output", 7}};
  // dX reads dZ and all weights and writes dX; dY reads X and dZ and writes all weights.
  check_work(backward(kOperation<operations::PerBatchWeights>, size), 2 * 105 + 105,
             2 * (21 + 105 + 15) + 2 * (15 + 21 + 105));
}

TEST_CASE("both passes are the one after the other") {
  inputs::Numbers numbers;
  int compared = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    auto input = inputs::vary<OperationQuestion>(inputs::base<OperationQuestion>(i), numbers, 3);
    if (input.operation["kind"] == static_cast<double>(kOperation<operations::KvRead>))
      continue;  // knows no passes
    const auto of_pass = [&](Pass pass) {
      input.operation = with(input.operation, {{"pass", pass}});
      return estimate<OperationQuestion>(input);
    };
    const auto forward = of_pass(Pass::kForward);
    const auto backward = of_pass(Pass::kBackward);
    const auto both = of_pass(Pass::kBoth);
    // Backward, an embedding's gradients are added, which takes a rate.
    if (!forward.issues.empty() || !backward.issues.empty()) continue;
    REQUIRE(both.issues.empty());
    ++compared;
    INFO(kOperationKindNames[static_cast<std::size_t>(input.operation["kind"])]);
    const auto sum = [&](auto value_of) {
      CHECK_THAT(value_of(both.answers),
                 WithinRel(value_of(forward.answers) + value_of(backward.answers), 1e-12));
    };
    sum([](const auto& answers) { return number<term::kFlops>(answers); });
    sum([](const auto& answers) { return number<term::kMemoryBytes>(answers); });
    sum([](const auto& answers) { return number<term::kMathTime>(answers); });
  }
  CHECK(compared > 500);
}

// --- several kernels ---

TEST_CASE("kernels follow one another: each takes the longer of its computing and its moving") {
  // Attention by naive kernels: scores and values compute or move, the softmax moves.
  const auto request = request_of(
      kOperation<operations::Attention>,
      {{"attentionKernel", AttentionKernel::kNaive}, {"headDim", 1024}, {"kvHeads", 32}});
  const auto answers = operation(tpu_v5e(), request);
  const double scores = 32 * 4096.0 * 4096;
  const double operands = 2 * 32 * 4096.0 * 1024;
  const double matmul = std::max(2 * scores * 1024 / 1.97e14, 2 * (operands + scores) / 8.2e11);
  const double softmax = std::max(5 * scores / 6.144e12, 2 * 2 * scores / 8.2e11);
  CHECK_THAT(number<term::kLowerBound>(answers), WithinRel(2 * matmul + softmax, 1e-14));
  CHECK(number<term::kLowerBound>(answers) > number<term::kMathTime>(answers));
  CHECK(number<term::kLowerBound>(answers) > number<term::kMemoryTime>(answers));
  CHECK_THAT(
      number<term::kUpperBound>(answers),
      WithinRel(number<term::kMathTime>(answers) + number<term::kMemoryTime>(answers), 1e-15));
}

TEST_CASE("bounds of several kernels hold, and the bound is what most of the time goes to") {
  inputs::Numbers numbers;
  for (std::size_t i = 0; i < 2000; ++i) {
    const auto outcome = estimate<OperationQuestion>(
        inputs::vary<OperationQuestion>(inputs::base<OperationQuestion>(i), numbers, 3));
    if (!outcome.issues.empty() || !outcome.answers.get<term::kLowerBound>().present()) {
      continue;
    }
    const auto& answers = outcome.answers;
    const double lower = number<term::kLowerBound>(answers);
    const double math = number<term::kMathTime>(answers);
    const double memory = number<term::kMemoryTime>(answers);
    const auto network = answers.get<term::kNetworkTime>();
    const double sending = network.present() ? network.value.value() : 0;
    CHECK(lower >= std::max({math, memory, sending}) * (1 - 1e-12));
    CHECK(lower <= std::max(math + memory, sending) * (1 + 1e-12));
    CHECK(number<term::kUpperBound>(answers) <= 2 * lower * (1 + 1e-12));
    const auto found = bound<term::kBound>(answers);
    if (found == Bound::kNetwork) CHECK(lower == sending);
    if (found == Bound::kMemory) CHECK(memory > 0);
  }
}

// --- tiles ---

TEST_CASE("blocks as large as the matrices are the matmul itself") {
  for (const double size : {64.0, 1000.0, 4096.0}) {
    const Settings sizes{{"batch", size}, {"contraction", size}, {"output", size}};
    Settings tiled = sizes;
    tiled.insert(tiled.end(), {{"tileRows", size}, {"tileContraction", 16}, {"tileOutput", size}});
    CHECK(work(kOperation<operations::TiledMatmul>, tiled) ==
          work(kOperation<operations::Matmul>, sizes));
    tiled.insert(tiled.end(), {{"tileRows", 1e6}, {"tileOutput", 1e6}});
    CHECK(work(kOperation<operations::TiledMatmul>, tiled) ==
          work(kOperation<operations::Matmul>, sizes));
    CHECK(backward(kOperation<operations::TiledMatmul>, {{"batch", size},
                                                         {"contraction", size},
                                                         {"output", size},
                                                         {"tileRows", 1e6},
                                                         {"tileContraction", 1e6},
                                                         {"tileOutput", 1e6}}) ==
          backward(kOperation<operations::Matmul>, sizes));
  }
}

TEST_CASE("X is read once for each column of blocks, Y once for each row of them") {
  // 1000 x 500 x 700 in blocks of 128 x 64 x 300: 8 rows, 3 columns.
  check_work(work(kOperation<operations::TiledMatmul>, {{"batch", 1000},
                                                        {"contraction", 500},
                                                        {"output", 700},
                                                        {"tileRows", 128},
                                                        {"tileContraction", 64},
                                                        {"tileOutput", 300}}),
             2.0 * 1000 * 500 * 700, 2 * (3 * 1000 * 500 + 8 * 500 * 700 + 1000.0 * 700));
}

TEST_CASE("chapter 1: the intensity of blocks is bm bn / (bm + bn)") {
  const auto intensity = [](double rows, double output) {
    return number<term::kIntensity>(
        answers_of(kOperation<operations::TiledMatmul>, {{"batch", 1048576},
                                                         {"contraction", 1e9},
                                                         {"output", 1048576},
                                                         {"tileRows", rows},
                                                         {"tileOutput", output}}));
  };
  CHECK_THAT(intensity(128, 128), WithinRel(64, 1e-4));
  CHECK_THAT(intensity(256, 64), WithinRel(256 * 64 / 320.0, 1e-4));
  CHECK_THAT(intensity(1024, 512), WithinRel(1024 * 512 / 1536.0, 1e-4));
}

TEST_CASE("a tile takes two blocks of each operand and the sums in fp32") {
  const auto tile = [](const Settings& others) {
    Settings settings{{"tileRows", 100}, {"tileContraction", 200}, {"tileOutput", 300}};
    settings.insert(settings.end(), others.begin(), others.end());
    return number<term::kTileBytes>(answers_of(kOperation<operations::TiledMatmul>, settings));
  };
  CHECK(tile({}) == 2 * (2 * 100 * 200 + 2 * 200 * 300) + 4 * 100 * 300);
  CHECK(tile({{"weightFormat", Format::kInt8}}) == 2 * (2 * 100 * 200 + 200 * 300) + 4 * 100 * 300);
  CHECK(absence<term::kTileBytes>(answers_of(kOperation<operations::Matmul>)) ==
        Absence::kNotApplicable);
}

// --- memories ---

TEST_CASE("operands come over the bandwidth of where they are") {
  const auto chip = with(tpu_v5e(), {{"onChipBandwidth", 1.804e13}, {"hostBandwidth", 1.6e10}});
  const auto at = [&](MemoryLevel level) {
    return operation(chip, request_of(kOperation<operations::Matmul>, {{"operandsIn", level}}));
  };
  const double bytes = number<term::kMemoryBytes>(at(MemoryLevel::kHbm));
  for (const auto& [level, rate] : {std::pair{MemoryLevel::kHbm, 8.2e11},
                                    {MemoryLevel::kOnChip, 1.804e13},
                                    {MemoryLevel::kHost, 1.6e10}}) {
    const auto answers = at(level);
    CHECK(number<term::kMemoryRate>(answers) == rate);
    CHECK(number<term::kMemoryTime>(answers) == bytes / rate);
    CHECK(number<term::kCriticalIntensity>(answers) == 1.97e14 / rate);
    CHECK_THAT(number<term::kCriticalBatch>(answers), WithinRel(1.97e14 / rate, 1e-15));
    CHECK(number<term::kMemoryBytes>(answers) == bytes);
  }
}

TEST_CASE("weights on the host need C / W_host tokens, wherever the rest is") {
  const auto chip = with(tpu_v5e(), {{"onChipBandwidth", 1.804e13}, {"hostBandwidth", 1.6e10}});
  for (const auto level : {MemoryLevel::kHbm, MemoryLevel::kOnChip, MemoryLevel::kHost}) {
    CHECK_THAT(number<term::kHostCriticalBatch>(operation(
                   chip, request_of(kOperation<operations::Matmul>, {{"operandsIn", level}}))),
               WithinRel(12312.5, 1e-15));
  }
}

TEST_CASE("what only moves takes its time to move, also on a chip without a rate in bf16") {
  const auto chip = with(tpu_v5e(), {{"peakBf16", std::numeric_limits<double>::quiet_NaN()}});
  for (const auto kind : {kOperation<operations::Embedding>, kOperation<operations::KvRead>}) {
    const auto answers = operation(chip, llama3_8b(), request_of(kind));
    CHECK(number<term::kMathTime>(answers) == 0);
    CHECK(number<term::kLowerBound>(answers) == number<term::kMemoryTime>(answers));
    CHECK(number<term::kUpperBound>(answers) == number<term::kMemoryTime>(answers));
    CHECK(number<term::kAchievedFlops>(answers) == 0);
    CHECK(number<term::kFractionOfPeak>(answers) == 0);
    CHECK(bound<term::kBound>(answers) == Bound::kMemory);
    CHECK(absence<term::kComputeRate>(answers) == Absence::kNotApplicable);
    CHECK(absence<term::kCriticalIntensity>(answers) == Absence::kNotApplicable);
    CHECK(number<term::kComputeRate>(operation(tpu_v5e(), llama3_8b(), request_of(kind))) ==
          1.97e14);
  }
}

// --- which answers there are ---

TEST_CASE("critical batches are of matmuls going forward") {
  for (std::size_t i = 0; i < std::size(kOperationKindNames); ++i) {
    const auto kind = static_cast<OperationKind>(i);
    for (const auto pass : {Pass::kForward, Pass::kBackward, Pass::kBoth}) {
      const auto answers = operation(tpu_v5e(), mixtral_8x7b(), request_of(kind, {{"pass", pass}}));
      INFO(kOperationKindNames[i]);
      const bool expected = (kind == kOperation<operations::Matmul> ||
                             kind == kOperation<operations::ShardedMatmul>)&&pass == Pass::kForward;
      CHECK(answers.get<term::kCriticalBatch>().present() == expected);
      CHECK(answers.get<term::kTileBytes>().present() ==
            (kind == kOperation<operations::TiledMatmul>));
      const bool sharded = kind == kOperation<operations::ShardedMatmul>;
      CHECK(answers.get<term::kNetworkCollective>().present() == sharded);
      CHECK(answers.get<term::kBetterStrategy>().present() == sharded);
      CHECK(number<term::kMemoryBytes>(answers) > 0);
    }
  }
}

}  // namespace
}  // namespace scaling::test::operation_test
