// SPDX-License-Identifier: MIT
//
// Attention: book, chapter 4, and the FlashAttention papers; MHA, GQA, MQA and latent attention.
// Expected values are counted score by score, block by block, or worked out at each line.

#include <algorithm>
#include <cmath>
#include <limits>

#include "support.hpp"

namespace scaling::test::attention_test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Raw<OperationRequest> attention_of(const Settings& others = {}) {
  return with(make<OperationRequest>({{"kind", kOperation<operations::Attention>}}), others);
}

/// One token against a long cache.
Raw<OperationRequest> decode_of(const Settings& others) {
  return with(attention_of({{"queries", 1}, {"keys", 1e6}}), others);
}

/// All that fits is read once.
auto answers_of(const Raw<OperationRequest>& request) { return operation(tpu_v5e(), request); }

double flops(const Raw<OperationRequest>& request) {
  return number<term::kFlops>(answers_of(request));
}

double bytes(const Raw<OperationRequest>& request) {
  return number<term::kMemoryBytes>(answers_of(request));
}

double intensity(const Raw<OperationRequest>& request) {
  return number<term::kIntensity>(answers_of(request));
}

/// The bytes to and from HBM where blocks have `memory` bytes.
double bytes_with(double memory, const Raw<OperationRequest>& request) {
  return number<term::kMemoryBytes>(operation(with(tpu_v5e(), {{"tileMemory", memory}}), request));
}

// --- FLOPs ---

TEST_CASE("scores and values take 4 B T S N H FLOPs, however few keys the heads share") {
  for (const double kv_heads : {1.0, 2.0, 8.0, 32.0}) {
    CHECK(flops(attention_of({{"sequences", 3},
                              {"queries", 100},
                              {"keys", 700},
                              {"heads", 32},
                              {"kvHeads", kv_heads},
                              {"headDim", 64}})) == 4.0 * 3 * 100 * 700 * 32 * 64);
  }
}

/// Scores that a causal mask shows of the last `queries` of `keys` positions.
double visible(int queries, int keys) {
  double scores = 0;
  for (int query = 0; query < queries; ++query) scores += keys - queries + query + 1;
  return scores;
}

TEST_CASE("a causal mask leaves what it shows: half of a long sequence's, all of one token's") {
  const auto causal = [](double queries, double keys) {
    return flops(attention_of({{"attentionMask", AttentionMask::kCausal},
                               {"queries", queries},
                               {"keys", keys},
                               {"heads", 1},
                               {"kvHeads", 1},
                               {"headDim", 1}}));
  };
  for (int keys = 1; keys <= 20; ++keys) {
    for (int queries = 1; queries <= keys; ++queries) {
      CHECK(causal(queries, keys) == 4 * visible(queries, keys));
    }
  }
  CHECK_THAT(causal(1e6, 1e6) / (4 * 1e12), WithinRel(0.5, 1e-5));
  CHECK(causal(1, 1e6) == 4e6);
}

TEST_CASE("the backward pass computes scores again: 2.5 times the FLOPs, half of them by a mask") {
  for (const auto mask : {AttentionMask::kFull, AttentionMask::kCausal}) {
    for (const double kv_heads : {1.0, 8.0, 32.0}) {
      const auto request = attention_of({{"attentionMask", mask}, {"kvHeads", kv_heads}});
      const double forward = flops(request);
      const double backward = flops(with(request, {{"pass", Pass::kBackward}}));
      CHECK_THAT(backward, WithinRel(2.5 * forward, 1e-14));
      CHECK_THAT(flops(with(request, {{"pass", Pass::kBoth}})), WithinRel(3.5 * forward, 1e-14));
    }
  }
}

TEST_CASE("the naive backward pass keeps its scores: twice the FLOPs of its matmuls") {
  const auto request = attention_of({{"attentionKernel", AttentionKernel::kNaive}});
  const double scores = 32 * 4096.0 * 4096;
  const double matmuls = 4 * scores * 128;
  CHECK(flops(request) == matmuls + 5 * scores);
  CHECK(flops(with(request, {{"pass", Pass::kBackward}})) == 2 * matmuls + 4 * scores);
}

TEST_CASE("the naive kernel computes all scores, whatever the mask") {
  const auto request = attention_of({{"attentionKernel", AttentionKernel::kNaive}});
  CHECK(flops(with(request, {{"attentionMask", AttentionMask::kCausal}})) == flops(request));
}

// --- bytes ---

TEST_CASE("FlashAttention reads queries, keys and values and writes the result: no scores") {
  // B = 2, T = 10, S = 30, N = 6, K = 3, H = 4 in bf16, the cache in int8.
  const auto request = attention_of({{"sequences", 2},
                                     {"queries", 10},
                                     {"keys", 30},
                                     {"heads", 6},
                                     {"kvHeads", 3},
                                     {"headDim", 4},
                                     {"keyValueFormat", Format::kInt8}});
  CHECK(bytes(request) == 2 * (2 * 10 * 6 * 4) * 2 + 2 * (2 * 30 * 3 * 4));
  // The naive kernel writes and reads scores, then probabilities: 4 B T S N numbers more.
  CHECK(bytes(with(request, {{"attentionKernel", AttentionKernel::kNaive}})) ==
        bytes(request) + 4 * 2 * (2 * 10 * 30 * 6));
}

TEST_CASE("scores in memory cost what the sequence squared does, FlashAttention what it is long") {
  const auto growth = [](AttentionKernel kernel) {
    const auto at = [&](double length) {
      return bytes(
          attention_of({{"attentionKernel", kernel}, {"queries", length}, {"keys", length}}));
    };
    return at(131072) / at(65536);
  };
  CHECK(growth(AttentionKernel::kFlash) == 2);
  CHECK(growth(AttentionKernel::kNaive) > 3.9);
}

// --- passes ---

TEST_CASE("blocks are a quarter of the memory: queries, keys, values and result") {
  const auto rows = [](const Settings& chip, const Settings& request) {
    return number<term::kAttentionBlockRows>(
        operation(with(tpu_v5e(), chip), attention_of(request)));
  };
  CHECK(rows({{"tileMemory", 262144}}, {}) == 256);  // 262144 / (4 x 128 x 2 B)
  CHECK(rows({{"tileMemory", 262143}}, {}) == 255);
  CHECK(rows({{"tileMemory", 262144}}, {{"headDim", 64}}) == 512);
  CHECK(rows({{"tileMemory", 262144}}, {{"activationFormat", Format::kFp8}}) == 512);
  CHECK(rows({{"tileMemory", 1}}, {}) == 1);
  // The tile holds all queries that share keys if no memory is listed: T N/K.
  CHECK(rows({}, {}) == 4096 * 4);
  // Cores share what is on the chip.
  CHECK(rows({{"tileMemory", 262144}, {"onChipMemory", 1048576}}, {}) == 1024);
}

/// Rows of keys that blocks of `block` queries read, one block after another: of a causal mask,
/// those up to the block's last query.
double rows_read(int queries, int keys, int block, bool causal) {
  double rows = 0;
  for (int first = 0; first < queries; first += block) {
    rows += causal ? keys - queries + std::min(first + block, queries) : keys;
  }
  return rows;
}

TEST_CASE("each block of queries reads all keys and values that its mask shows") {
  for (const auto mask : {AttentionMask::kFull, AttentionMask::kCausal}) {
    const bool causal = mask == AttentionMask::kCausal;
    for (const int keys : {64, 96, 1000}) {
      for (const int block : {1, 2, 4, 8, 16, 32, 64}) {
        // 4 x 2 B x 1 number a row.
        const auto answers = operation(with(tpu_v5e(), {{"tileMemory", 8 * block}}),
                                       attention_of({{"attentionMask", mask},
                                                     {"queries", 64},
                                                     {"keys", keys},
                                                     {"heads", 1},
                                                     {"kvHeads", 1},
                                                     {"headDim", 1}}));
        const double read = rows_read(64, keys, block, causal);
        CHECK(number<term::kAttentionBlockRows>(answers) == block);
        CHECK_THAT(number<term::kAttentionPasses>(answers), WithinRel(read / keys, 1e-14));
        // Queries and result once, two numbers a row of keys and values.
        CHECK_THAT(number<term::kMemoryBytes>(answers), WithinRel(2 * (2 * 64 + 2 * read), 1e-14));
      }
    }
  }
}

TEST_CASE("queries of heads that share keys share blocks") {
  // T N/K = 4096 x 4 rows in blocks of 256.
  const auto chip = with(tpu_v5e(), {{"tileMemory", 262144}});
  const auto passes = [&](const Settings& request) {
    return number<term::kAttentionPasses>(operation(chip, attention_of(request)));
  };
  CHECK(passes({}) == 64);
  CHECK(passes({{"kvHeads", 32}}) == 16);
  CHECK(passes({{"queries", 1}}) == 1);
  CHECK(passes({{"queries", 65}}) == 2);
}

TEST_CASE("twice the memory, half the passes; enough of it, and all is read once") {
  const auto request = attention_of({{"kvHeads", 32}});
  const auto keys_and_values = 2 * 2 * 4096.0 * 32 * 128;
  const double once = bytes(request);
  for (const double memory : {16384.0, 65536.0, 1048576.0}) {
    const double more = bytes_with(memory, request) - once + keys_and_values;
    const double twice = bytes_with(2 * memory, request) - once + keys_and_values;
    CHECK(more == 2 * twice);
  }
  CHECK(bytes_with(4.0 * 4096 * 128 * 2, request) == once);
  CHECK(bytes_with(4.0 * 4096 * 128 * 2 - 1, request) > once);
}

TEST_CASE("backward, blocks of keys stay while queries and gradients pass by") {
  // T = S = 8, one head of one number, in blocks of two rows: four turns.
  const auto request = attention_of({{"pass", Pass::kBackward},
                                     {"queries", 8},
                                     {"keys", 8},
                                     {"heads", 1},
                                     {"kvHeads", 1},
                                     {"headDim", 1}});
  // Read: K, V and O once, in each turn Q, dQ and dO; written: dQ in each turn, dK and dV.
  CHECK(bytes_with(16, request) == 2 * (8 * 3 + 4 * 8 * 3 + 4 * 8 + 8 * 2));
  CHECK(bytes(request) == 2 * (8 * 3 + 8 * 3 + 8 + 8 * 2));
}

// --- intensity ---

TEST_CASE("decoding, the intensity tends to the queries that share a key: G") {
  for (const double kv_heads : {32.0, 16.0, 8.0, 4.0, 1.0}) {
    CHECK_THAT(intensity(decode_of({{"heads", 32}, {"kvHeads", kv_heads}})),
               WithinRel(32 / kv_heads, 1e-4));
  }
  // A cache in int8 doubles it, and batches change nothing.
  CHECK_THAT(intensity(decode_of({{"keyValueFormat", Format::kInt8}})), WithinRel(8.0, 1e-4));
  CHECK_THAT(intensity(decode_of({{"sequences", 512}})), WithinRel(4.0, 1e-4));
}

TEST_CASE("prefill, the intensity is T G / (G + 1)") {
  for (const double group : {1.0, 4.0, 32.0}) {
    CHECK_THAT(intensity(attention_of({{"heads", 32}, {"kvHeads", 32 / group}})),
               WithinRel(4096 * group / (group + 1), 1e-14));
  }
}

// --- latent attention ---

Raw<OperationRequest> latent_of(LatentForm form, const Settings& others = {}) {
  return with(
      attention_of({{"attention", Attention::kLatent}, {"heads", 128}, {"latentForm", form}}),
      others);
}

TEST_CASE("latent attention, expanded: each head has keys of 192 and values of 128 numbers") {
  const auto request = latent_of(LatentForm::kExpanded, {{"queries", 100}, {"keys", 300}});
  CHECK(flops(request) == 2.0 * 100 * 300 * 128 * (192 + 128));
  CHECK(bytes(request) == 2.0 * 128 * (100 * (192 + 128) + 300 * (192 + 128)));
  // 2.5 x of equal widths; here Q K^T three times, with V twice.
  CHECK(flops(with(request, {{"pass", Pass::kBackward}})) ==
        2.0 * 100 * 300 * 128 * (3 * 192 + 2 * 128));
}

TEST_CASE("latent attention, absorbed: all heads share one vector of 576, values are part of it") {
  const auto request = latent_of(LatentForm::kAbsorbed, {{"queries", 100}, {"keys", 300}});
  CHECK(flops(request) == 2.0 * 100 * 300 * 128 * (576 + 512));
  CHECK(bytes(request) == 2.0 * (100 * 128 * (576 + 512) + 300 * 576));
}

TEST_CASE("decoding, absorbed latent attention has the intensity of 242, expanded that of 1") {
  // 2 N (576 + 512) FLOPs for 576 numbers.
  const Settings one{{"queries", 1}, {"keys", 1e8}};
  CHECK_THAT(intensity(latent_of(LatentForm::kAbsorbed, one)), WithinRel(128 * 1088.0 / 576, 1e-4));
  CHECK_THAT(intensity(latent_of(LatentForm::kExpanded, one)), WithinRel(1.0, 1e-4));
}

TEST_CASE("the numbers of latent attention mean nothing to grouped attention, nor the other way") {
  const auto grouped = attention_of();
  CHECK(flops(with(grouped, {{"latentRank", kNan}, {"nopeDim", -1}, {"valueDim", 0.5}})) ==
        flops(grouped));
  const auto latent = latent_of(LatentForm::kExpanded);
  CHECK(flops(with(latent, {{"kvHeads", kNan}, {"headDim", -1}})) == flops(latent));
}

// --- answers ---

TEST_CASE("only FlashAttention works in blocks") {
  const auto naive = answers_of(attention_of({{"attentionKernel", AttentionKernel::kNaive}}));
  CHECK(absence<term::kAttentionBlockRows>(naive) == Absence::kNotApplicable);
  CHECK(absence<term::kAttentionPasses>(naive) == Absence::kNotApplicable);
  const auto matmul = answers_of(make<OperationRequest>({}));
  CHECK(absence<term::kAttentionBlockRows>(matmul) == Absence::kNotApplicable);
  CHECK(absence<term::kCriticalBatch>(answers_of(attention_of())) == Absence::kNotApplicable);
}

TEST_CASE("FlashAttention runs on matrix units, the softmax of the naive kernel does not") {
  const auto naive = answers_of(attention_of({{"attentionKernel", AttentionKernel::kNaive}}));
  const double scores = 32 * 4096.0 * 4096;
  CHECK_THAT(number<term::kMathTime>(naive),
             WithinRel(4 * scores * 128 / 1.97e14 + 5 * scores / 6.144e12, 1e-14));
  const auto flash = answers_of(attention_of());
  CHECK_THAT(number<term::kMathTime>(flash), WithinRel(4 * scores * 128 / 1.97e14, 1e-14));
  CHECK(bound<term::kBound>(flash) == Bound::kCompute);
  CHECK(bound<term::kBound>(naive) == Bound::kMemory);
}

TEST_CASE("a model's attention is that of its sizes") {
  const auto of_model = [](const Raw<Model>& model, const Settings& others = {}) {
    return operation(tpu_v5e(), model,
                     with(make<OperationRequest>({{"kind", kOperation<operations::AttentionCore>}}),
                          others))
        .values();
  };
  CHECK(of_model(llama3_70b()) ==
        answers_of(attention_of({{"heads", 64}, {"kvHeads", 8}, {"headDim", 128}})).values());
  for (const auto form : {LatentForm::kExpanded, LatentForm::kAbsorbed}) {
    CHECK(of_model(deepseek_v3(), {{"latentForm", form}}) == answers_of(latent_of(form)).values());
  }
}

}  // namespace
}  // namespace scaling::test::attention_test
