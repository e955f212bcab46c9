// SPDX-License-Identifier: MIT
//
// The book's rules of thumb, found where an answer changes: by bisection on the cost model, which
// knows nothing of them, within half a percent of their closed forms.

#include <array>
#include <string_view>

#include "support.hpp"

namespace scaling::test::crossover_test {
namespace {

constexpr double kClose = 0.005;

/// The value of a field at which `term` changes; it must do so once, from `before` to `after`.
template <class Question, class Choice>
double crossing(const typename Question::Input& input, std::string_view field, double from,
                double to, const Term& term, Choice before, Choice after) {
  std::array<Crossing, 8> found{};
  const std::size_t count = find_crossings<Question>(input, place_of<Question>(field), from, to,
                                                     answer_of<Question>(term), found);
  REQUIRE(count == 1);
  CHECK(found[0].before == static_cast<double>(before));
  CHECK(found[0].after == static_cast<double>(after));
  return found[0].at;
}

OperationQuestion::Input ask(const Raw<Chip>& chip, const Settings& request,
                             const Settings& mesh = {}) {
  return {chip, Raw<Model>::defaults(), make<Mesh>(mesh), make<OperationRequest>(request)};
}

/// The value of a field from which an operation is compute-bound.
double compute_bound_from(const OperationQuestion::Input& input, std::string_view field,
                          double from, double to, Bound before = Bound::kMemory) {
  return crossing<OperationQuestion>(input, field, from, to, term::kBound, before, Bound::kCompute);
}

/// Matrices so large that the weights are all that counts.
Settings large(const Settings& others = {}) {
  Settings settings{{"contraction", 1e6}, {"output", 1e6}};
  settings.insert(settings.end(), others.begin(), others.end());
  return settings;
}

double critical_batch_found(const Raw<Chip>& chip, const Settings& others = {}) {
  return compute_bound_from(ask(chip, large(others)), "operation.batch", 1, 1e5);
}

// --- chapter 1 ---

TEST_CASE("rule: a matmul on TPU v5e is compute-bound from a batch of 240 on") {
  CHECK_THAT(critical_batch_found(tpu_v5e()), WithinRel(1.97e14 / 8.2e11, kClose));
  CHECK_THAT(critical_batch_found(tpu_v5e()), WithinRel(240.0, kClose));
}

TEST_CASE("rule: from 120 with weights in int8, 240 again if it computes in int8") {
  const Settings weights{{"weightFormat", Format::kInt8}};
  CHECK_THAT(critical_batch_found(tpu_v5e(), weights), WithinRel(120.0, kClose));
  CHECK_THAT(critical_batch_found(
                 tpu_v5e(), {{"weightFormat", Format::kInt8}, {"computeFormat", Format::kInt8}}),
             WithinRel(240.0, kClose));
}

TEST_CASE("rule: from 295 on an H100, 281 on a B200") {
  const auto h100_exact = with(h100(), {{"peakBf16", 9.89e14}});
  CHECK_THAT(critical_batch_found(h100_exact), WithinRel(295.0, kClose));
  CHECK_THAT(critical_batch_found(b200()), WithinRel(2.25e15 / 8e12, kClose));
}

TEST_CASE("rule: the exact critical batch of small matrices, too") {
  for (const double size : {512.0, 1024.0, 4096.0}) {
    const auto input = ask(tpu_v5e(), {{"contraction", size}, {"output", size}});
    CHECK_THAT(
        compute_bound_from(input, "operation.batch", 1, 1e6),
        WithinRel(number<term::kExactCriticalBatch>(answers_to<OperationQuestion>(input)), 1e-12));
  }
}

TEST_CASE("rule: a matmul split over two v5e is compute-bound from D = 8755 on, at any batch") {
  for (const double batch : {1024.0, 8192.0, 1e6}) {
    const auto input =
        ask(tpu_v5e(),
            {{"kind", kOperation<operations::ShardedMatmul>}, {"batch", batch}, {"output", 65536}},
            {{"x", 2}});
    CHECK_THAT(compute_bound_from(input, "operation.contraction", 100, 1e6, Bound::kNetwork),
               WithinRel(8755.0, kClose));
  }
}

// --- chapter 2 ---

TEST_CASE("rule: out of VMEM at 22 times HBM's bandwidth, an intensity of 10 to 20 is enough") {
  const auto chip = with(tpu_v5e(), {{"onChipBandwidth", 22 * 8.2e11}});
  const Settings on_chip{{"operandsIn", MemoryLevel::kOnChip}};
  const double found = critical_batch_found(chip, on_chip);
  CHECK_THAT(found, WithinRel(1.97e14 / (22 * 8.2e11), kClose));
  CHECK_THAT(found, WithinRel(10.92, kClose));
  CHECK(found > 10);
  CHECK(found < 20);
}

TEST_CASE("rule: weights on the host of a v6e need 57,500 tokens") {
  const auto chip = with(tpu_v5e(), {{"peakBf16", 9.2e14}, {"hostBandwidth", 1.6e10}});
  const auto input =
      ask(chip, {{"contraction", 1e9}, {"output", 1e9}, {"operandsIn", MemoryLevel::kHost}});
  CHECK_THAT(compute_bound_from(input, "operation.batch", 1, 1e7), WithinRel(57500.0, kClose));
}

// --- chapter 3 ---

CollectiveQuestion::Input exchange(const Raw<Chip>& chip, const Settings& mesh,
                                   const Settings& request) {
  return {chip, make<Mesh>(mesh), make<CollectiveRequest>(request)};
}

double bandwidth_bound_from(const CollectiveQuestion::Input& input) {
  return crossing<CollectiveQuestion>(input, "collective.bytes", 1, 1e12, term::kCollectiveBound,
                                      CollectiveBound::kLatency, CollectiveBound::kBandwidth);
}

TEST_CASE("rule: a hop on v5e takes its microsecond up to 45 kB") {
  const auto hop = exchange(tpu_v5e(), {{"x", 2}}, {{"kind", CollectiveKind::kPointToPoint}});
  CHECK_THAT(bandwidth_bound_from(hop), WithinRel(45e3, kClose));
  // A gather around all 16 chips: 45 kB on each hop are 16 times as much in all.
  for (const auto kind :
       {CollectiveKind::kAllGather, CollectiveKind::kReduceScatter, CollectiveKind::kAllReduce}) {
    const auto ring = exchange(tpu_v5e(), {{"x", 16}}, {{"kind", kind}});
    CHECK_THAT(bandwidth_bound_from(ring) / 16, WithinRel(45e3, kClose));
    // The same holds on a line, and around both axes at once.
    const auto line = exchange(tpu_v5e(), {{"x", 8}}, {{"kind", kind}});
    CHECK_THAT(bandwidth_bound_from(line) / 8, WithinRel(45e3, kClose));
    const auto both = exchange(tpu_v5e(), {{"x", 16}, {"y", 16}}, {{"kind", kind}});
    CHECK_THAT(bandwidth_bound_from(both) / 64, WithinRel(45e3, kClose));
  }
}

/// Strategy 2: the contraction is divided, the result reduced.
Settings reducing(const Settings& others) {
  Settings settings{
      {"kind", kOperation<operations::ShardedMatmul>}, {"batch", 65536}, {"output", 65536}};
  settings.insert(settings.end(), others.begin(), others.end());
  return settings;
}

TEST_CASE("rule: strategy 2 is compute-bound while X < D / 2 alpha") {
  // Around rings: alpha = C / 2W. The D that X ways need, and the other way round.
  const double alpha = 4.59e14 / 1.8e11;
  for (const double ways : {4.0, 8.0, 12.0, 16.0}) {
    const auto input = ask(tpu_v5p(), reducing({}), {{"x", ways}});
    CHECK_THAT(compute_bound_from(input, "operation.contraction", 1e3, 1e7, Bound::kNetwork),
               WithinRel(2 * alpha * ways, kClose));
  }
  const auto bound_at = [&](double ways) {
    return bound<term::kBound>(answers_to<OperationQuestion>(
        ask(tpu_v5p(), reducing({{"contraction", 2 * alpha * 10}}), {{"x", ways}})));
  };
  CHECK(bound_at(8) == Bound::kCompute);
  CHECK(bound_at(12) == Bound::kNetwork);
  // Switches have alpha = C / W; each of many chips sends all of the result but a little.
  const auto switched = with(h100(), {{"scaleUpChips", 1e5}});
  const double contraction = 2 * 2200 * 1000;
  const auto input = ask(switched, reducing({{"contraction", contraction}, {"batch", 1e6}}));
  CHECK_THAT(crossing<OperationQuestion>(input, "mesh.x", 2, 1e5, term::kBound, Bound::kCompute,
                                         Bound::kNetwork),
             WithinRel(1000.0, kClose));
}

TEST_CASE("rule: where the network binds both, strategy 2 wins if D > 2B") {
  for (const double batch : {64.0, 128.0, 512.0}) {
    const auto input =
        ask(tpu_v5e(),
            {{"kind", kOperation<operations::ShardedMatmul>}, {"batch", batch}, {"output", 65536}},
            {{"x", 16}});
    CHECK_THAT(
        crossing<OperationQuestion>(input, "operation.contraction", 16, 1e5, term::kBetterStrategy,
                                    Strategy::kGather, Strategy::kReduce),
        WithinRel(2 * batch, kClose));
    // The other way round: larger batches make gathering the better one.
    auto swept = input;
    swept.operation = with(input.operation, {{"contraction", 2 * batch}});
    CHECK_THAT(crossing<OperationQuestion>(swept, "operation.batch", 1, 1000, term::kBetterStrategy,
                                           Strategy::kReduce, Strategy::kGather),
               WithinRel(batch, kClose));
  }
}

// --- chapter 4 ---

TEST_CASE("rule: prefill attention of as many heads as keys is compute-bound from 480 tokens on") {
  const auto attention = [](double keys, const Settings& others = {}) {
    Settings settings{{"kind", kOperation<operations::Attention>},
                      {"heads", 32},
                      {"kvHeads", 32},
                      {"keys", keys}};
    settings.insert(settings.end(), others.begin(), others.end());
    return ask(tpu_v5e(), settings);
  };
  const auto bound_at = [&](double length, const Settings& others = {}) {
    auto input = attention(length, others);
    input.operation = with(input.operation, {{"queries", length}});
    return bound<term::kBound>(answers_to<OperationQuestion>(input));
  };
  CHECK(bound_at(480) == Bound::kMemory);  // T/2 = 240 < 240.24
  CHECK(bound_at(481) == Bound::kCompute);
  // Queries against 480 keys and a bit: T S / (T + S) = 240.24.
  const double length = 2 * 1.97e14 / 8.2e11;
  CHECK_THAT(compute_bound_from(attention(length), "operation.queries", 1, 1e5),
             WithinRel(length, kClose));
  CHECK_THAT(length, WithinRel(480.0, kClose));
  // T G / (G + 1) = 240 with eight queries a key: compute-bound above 270.
  const Settings grouped{{"kvHeads", 4}};
  CHECK(bound_at(270, grouped) == Bound::kMemory);
  CHECK(bound_at(271, grouped) == Bound::kCompute);
}

TEST_CASE("rule: decoding attends memory-bound at any batch") {
  const auto input =
      ask(tpu_v5e(), {{"kind", kOperation<operations::Attention>}, {"queries", 1}, {"keys", 8192}});
  std::array<Crossing, 8> found{};
  CHECK(find_crossings<OperationQuestion>(input, place_of<OperationQuestion>("operation.sequences"),
                                          1, 1e6, answer_of<OperationQuestion>(term::kBound),
                                          found) == 0);
  CHECK(bound<term::kBound>(answers_to<OperationQuestion>(input)) == Bound::kMemory);
}

// --- chapters 5 and 12 ---

/// Data parallelism: the backward pass against the AllReduce of its weights' gradients.
OperationQuestion::Input data_parallel(const Raw<Chip>& chip, double chips) {
  return ask(chip,
             {{"kind", kOperation<operations::ShardedMatmul>},
              {"pass", Pass::kBackward},
              {"activationSharding", ActivationSharding::kBatch},
              {"weightSharding", WeightSharding::kNone},
              {"contraction", 32768},
              {"output", 32768}},
             {{"x", chips}});
}

double tokens_a_chip(const Raw<Chip>& chip, double chips) {
  return compute_bound_from(data_parallel(chip, chips), "operation.batch", 100 * chips, 1e5 * chips,
                            Bound::kNetwork) /
         chips;
}

TEST_CASE("rule: data parallelism needs 2200 tokens a GPU inside a node, 2475 beyond") {
  // 4BDF/NC against 2 x 2DF (D - 1) / D W: C / W, of a level of many groups D.
  const auto large_domain = with(h100(), {{"scaleUpChips", 1000}});
  CHECK_THAT(tokens_a_chip(large_domain, 1000), WithinRel(2200.0, kClose));
  CHECK_THAT(tokens_a_chip(h100(), 8), WithinRel(2200.0 * 7 / 8, kClose));  // D of a node is 8
  const auto many_nodes = with(h100(), {{"leafDomains", 1000}});
  CHECK_THAT(tokens_a_chip(many_nodes, 8000), WithinRel(2475.0, kClose));
  CHECK_THAT(tokens_a_chip(h100(), 256), WithinRel(2475.0 * 31 / 32, kClose));
}

TEST_CASE("rule: FSDP needs 850 tokens a chip on a v5p pod, 2550 on one ring of it") {
  // C / 2W of each axis, as in the threshold of training.
  const auto fsdp = [](const Settings& mesh, double chips) {
    auto input = ask(tpu_v5p(),
                     {{"kind", kOperation<operations::ShardedMatmul>},
                      {"activationSharding", ActivationSharding::kBatch},
                      {"weightSharding", WeightSharding::kContraction},
                      {"contraction", 65536},
                      {"output", 65536}},
                     mesh);
    return compute_bound_from(input, "operation.batch", 10 * chips, 1e5 * chips, Bound::kNetwork) /
           chips;
  };
  CHECK_THAT(fsdp({{"x", 16}}, 16), WithinRel(2550.0, kClose));
  CHECK_THAT(fsdp({{"x", 16}, {"y", 20}}, 320), WithinRel(1275.0, kClose));
  CHECK_THAT(fsdp({{"x", 16}, {"y", 20}, {"z", 28}}, 8960), WithinRel(850.0, kClose));
  CHECK_THAT(number<term::kFsdpThreshold>(training(tpu_v5p(), llama3_70b(), chapter6_run())),
             WithinRel(fsdp({{"x", 16}, {"y", 20}, {"z", 28}}, 8960), kClose));
}

TEST_CASE("rule: tensor parallelism helps up to F / 2550 ways on one ring of a v5p") {
  // Gathering X hides behind 2BDF / XC while F / X > C / 2W.
  for (const double ways : {4.0, 8.0, 16.0}) {
    const auto input = ask(tpu_v5p(),
                           {{"kind", kOperation<operations::ShardedMatmul>},
                            {"activationSharding", ActivationSharding::kContraction},
                            {"weightSharding", WeightSharding::kOutput},
                            {"batch", 65536},
                            {"contraction", 65536}},
                           {{"x", ways}});
    CHECK_THAT(compute_bound_from(input, "operation.output", 1e2, 1e7, Bound::kNetwork) / ways,
               WithinRel(2550.0, kClose));
  }
}

}  // namespace
}  // namespace scaling::test::crossover_test
