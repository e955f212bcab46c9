// SPDX-License-Identifier: MIT
//
// Matmuls over the chips of a mesh: book, chapter 3. Each way to divide X[B,D] and Y[D,F] has its
// own computation, transfers and waits, forward and backward.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "support.hpp"

namespace scaling::test::sharding_test {
namespace {

using enum CollectiveKind;

constexpr double kBatch = 1024;
constexpr double kContraction = 8192;
constexpr double kOutput = 3072;
constexpr double kChips = 16;  // a ring of v5e

// X and dX in bf16, Y and dY in int8, Z and dZ in fp32: three sizes that tell them apart.
constexpr double kX = 2 * kBatch * kContraction;
constexpr double kY = kContraction * kOutput;
constexpr double kZ = 4 * kBatch * kOutput;

Raw<OperationRequest> sharded(const Settings& others) {
  return with(make<OperationRequest>({{"kind", kOperation<operations::ShardedMatmul>},
                                      {"batch", kBatch},
                                      {"contraction", kContraction},
                                      {"output", kOutput},
                                      {"weightFormat", Format::kInt8},
                                      {"outputFormat", Format::kFp32}}),
              others);
}

Raw<Mesh> along_x(double chips) { return make<Mesh>({{"x", chips}}); }

struct Transfer {
  CollectiveKind kind;
  double bytes;
};

/// A way to divide a matmul, and what is expected of it.
struct Case {
  ActivationSharding activations;
  WeightSharding weights;
  Gathered gathered;
  double flops_share;  ///< of the whole on each chip
  std::vector<Transfer> forward, backward;
};

using A = ActivationSharding;
using W = WeightSharding;

/// Chapter 3's four cases (nothing, gather, reduce, gather one of two), with data parallelism, FSDP
/// and tensor parallelism among them.
std::vector<Case> cases() {
  constexpr double kPart = 1 / kChips;
  const auto either = Gathered::kWeights;
  return {
      {A::kNone, W::kNone, either, 1, {}, {}},
      // Each chip has all gradients of activations, or of weights.
      {A::kNone, W::kContraction, either, 1, {{kAllGather, kY}}, {{kAllGather, kY}}},
      {A::kContraction, W::kNone, either, 1, {{kAllGather, kX}}, {{kAllGather, kX}}},
      // Columns of Z need nothing; dX is a sum over columns.
      {A::kNone, W::kOutput, either, kPart, {}, {{kAllReduce, kX}}},
      // Data parallelism: dY is a sum over rows.
      {A::kBatch, W::kNone, either, kPart, {}, {{kAllReduce, kY}}},
      // FSDP: weights are gathered both ways, their gradients scattered.
      {A::kBatch,
       W::kContraction,
       either,
       kPart,
       {{kAllGather, kY}},
       {{kAllGather, kY}, {kReduceScatter, kY}}},
      {A::kBatch,
       W::kOutput,
       Gathered::kWeights,
       kPart,
       {{kAllGather, kY}},
       {{kAllGather, kY}, {kReduceScatter, kY}}},
      // Tensor parallelism.
      {A::kBatch,
       W::kOutput,
       Gathered::kActivations,
       kPart,
       {{kAllGather, kX}},
       {{kAllGather, kX}, {kReduceScatter, kX}}},
      {A::kContraction,
       W::kOutput,
       either,
       kPart,
       {{kAllGather, kX}},
       {{kAllGather, kX}, {kReduceScatter, kX}}},
      {A::kContraction, W::kContraction, either, kPart, {{kAllReduce, kZ}}, {}},
  };
}

/// The cost of all transfers together, as the collective question answers it.
struct Cost {
  double bytes = 0, time = 0, steps = 0, bandwidth_time = 0, latency_time = 0;
  double longest = 0;
  int kind = 0;  ///< as the answer says: 0 is none
};

Cost cost_of(const Raw<Chip>& chip, const Raw<Mesh>& mesh, const std::vector<Transfer>& transfers) {
  Cost sum;
  for (const Transfer& transfer : transfers) {
    const auto answers = collective(
        chip, mesh, make<CollectiveRequest>({{"kind", transfer.kind}, {"bytes", transfer.bytes}}));
    const double time = number<term::kCollectiveTime>(answers);
    sum.bytes += number<term::kBytesSent>(answers);
    sum.time += time;
    sum.steps += number<term::kCollectiveSteps>(answers);
    sum.bandwidth_time += number<term::kCollectiveBandwidthTime>(answers);
    sum.latency_time += number<term::kCollectiveLatencyTime>(answers);
    if (time > sum.longest) {
      sum.longest = time;
      sum.kind = static_cast<int>(transfer.kind) + 1;
    }
  }
  return sum;
}

template <class Answers>
void check_network(const Answers& answers, const Cost& cost) {
  CHECK(number<term::kNetworkCollective>(answers) == cost.kind);
  if (cost.kind == 0) {
    CHECK(absence<term::kNetworkBytes>(answers) == Absence::kNotApplicable);
    CHECK(absence<term::kNetworkTime>(answers) == Absence::kNotApplicable);
    CHECK(absence<term::kNetworkSteps>(answers) == Absence::kNotApplicable);
    CHECK(absence<term::kNetworkIntensity>(answers) == Absence::kNotApplicable);
    return;
  }
  CHECK_THAT(number<term::kNetworkBytes>(answers), WithinRel(cost.bytes, 1e-14));
  CHECK_THAT(number<term::kNetworkTime>(answers), WithinRel(cost.time, 1e-14));
  CHECK(number<term::kNetworkSteps>(answers) == cost.steps);
  CHECK_THAT(number<term::kNetworkBandwidthTime>(answers), WithinRel(cost.bandwidth_time, 1e-14));
  CHECK_THAT(number<term::kNetworkLatencyTime>(answers), WithinRel(cost.latency_time, 1e-14));
  CHECK(number<term::kLowerBound>(answers) >= number<term::kNetworkTime>(answers));
}

template <class Test>
void each_case(Test test) {
  for (const Case& each : cases()) {
    const Settings settings{{"activationSharding", each.activations},
                            {"weightSharding", each.weights},
                            {"gathered", each.gathered}};
    INFO("X by " << kActivationShardingNames[static_cast<int>(each.activations)] << ", Y by "
                 << kWeightShardingNames[static_cast<int>(each.weights)]);
    test(each, settings);
  }
}

std::vector<Transfer> joined(std::vector<Transfer> a, const std::vector<Transfer>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST_CASE("each way to divide a matmul sends what chapter 3 says, forward and backward") {
  struct Network {
    Raw<Chip> chip;
    Raw<Mesh> mesh;
  };
  const Network networks[] = {{tpu_v5e(), along_x(kChips)},
                              {tpu_v5p(), make<Mesh>({{"x", 8}, {"y", 2}})},
                              {h100(), along_x(kChips)}};
  for (const auto& [chip, mesh] : networks) {
    each_case([&, &of_chip = chip, &of_mesh = mesh](const Case& each, const Settings& settings) {
      const auto request = sharded(settings);
      const auto of_pass = [&](Pass pass) {
        return operation(of_chip, of_mesh, with(request, {{"pass", pass}}));
      };
      const auto cost = [&](const std::vector<Transfer>& transfers) {
        return cost_of(of_chip, of_mesh, transfers);
      };
      check_network(of_pass(Pass::kForward), cost(each.forward));
      check_network(of_pass(Pass::kBackward), cost(each.backward));
      check_network(of_pass(Pass::kBoth), cost(joined(each.forward, each.backward)));
    });
  }
}

TEST_CASE("each way to divide a matmul leaves each chip its share of the work") {
  each_case([&](const Case& each, const Settings& settings) {
    const auto flops = [&](Pass pass) {
      return number<term::kFlops>(
          operation(tpu_v5e(), along_x(kChips), with(sharded(settings), {{"pass", pass}})));
    };
    const double whole = 2 * kBatch * kContraction * kOutput * each.flops_share;
    CHECK(flops(Pass::kForward) == whole);
    CHECK(flops(Pass::kBackward) == 2 * whole);
    CHECK(flops(Pass::kBoth) == 3 * whole);
  });
}

TEST_CASE("what is gathered is worked on whole, what stays divided is a share") {
  each_case([&](const Case& each, const Settings& settings) {
    const auto answers = operation(tpu_v5e(), along_x(kChips), sharded(settings));
    double x = kX;
    double y = kY;
    double z = kZ;
    const bool gathers_x = !each.forward.empty() && each.forward[0].bytes == kX;
    const bool gathers_y = !each.forward.empty() && each.forward[0].bytes == kY;
    if (each.activations != A::kNone && !gathers_x) x /= kChips;
    if (each.weights != W::kNone && !gathers_y) y /= kChips;
    // Z is divided like the rows or columns that stay.
    if (each.activations == A::kBatch || each.weights == W::kOutput) z /= kChips;
    CHECK(number<term::kMemoryBytes>(answers) == x + y + z);
  });
}

TEST_CASE("partial sums may be scattered: half an AllReduce, and a gather on the way back") {
  const auto request = sharded({{"reduction", Reduction::kReduceScatter}});
  const auto of_pass = [&](Pass pass) {
    return operation(tpu_v5e(), along_x(kChips), with(request, {{"pass", pass}}));
  };
  const auto cost = [](const std::vector<Transfer>& transfers) {
    return cost_of(tpu_v5e(), along_x(kChips), transfers);
  };
  check_network(of_pass(Pass::kForward), cost({{kReduceScatter, kZ}}));
  check_network(of_pass(Pass::kBackward), cost({{kAllGather, kZ}}));
  check_network(of_pass(Pass::kBoth), cost({{kReduceScatter, kZ}, {kAllGather, kZ}}));
  const auto all = operation(tpu_v5e(), along_x(kChips), sharded({}));
  CHECK(number<term::kNetworkTime>(all) == 2 * number<term::kNetworkTime>(of_pass(Pass::kForward)));
}

TEST_CASE("on one chip nothing is divided and nothing sent") {
  const auto whole =
      operation(tpu_v5e(), with(sharded({}), {{"kind", kOperation<operations::Matmul>}}));
  each_case([&](const Case&, const Settings& settings) {
    const auto alone = operation(tpu_v5e(), along_x(1), sharded(settings));
    CHECK(number<term::kFlops>(alone) == number<term::kFlops>(whole));
    CHECK(number<term::kMemoryBytes>(alone) == number<term::kMemoryBytes>(whole));
    CHECK(number<term::kLowerBound>(alone) == number<term::kLowerBound>(whole));
    CHECK(number<term::kNetworkCollective>(alone) == 0);
    CHECK(absence<term::kNetworkTime>(alone) == Absence::kNotApplicable);
    CHECK(absence<term::kGatherTime>(alone) == Absence::kNotApplicable);
    CHECK(absence<term::kCriticalWays>(alone) == Absence::kNotApplicable);
  });
}

TEST_CASE("a chip without a network names what it would send but not how long that takes") {
  const auto chip =
      with(h100(), {{"network", Network::kNone}, {"scaleOutBandwidth", std::nan("")}});
  const auto answers = operation(chip, along_x(4), sharded({}));
  CHECK(number<term::kNetworkCollective>(answers) == 3);
  CHECK(number<term::kNetworkBytes>(answers) == 2 * kZ * 3 / 4);
  CHECK(absence<term::kNetworkTime>(answers) == Absence::kNotListed);
  CHECK(absence<term::kNetworkBandwidthTime>(answers) == Absence::kNotListed);
  CHECK(number<term::kNetworkLatencyTime>(answers) > 0);
  CHECK(absence<term::kGatherTime>(answers) == Absence::kNotListed);
  CHECK(absence<term::kBetterStrategy>(answers) == Absence::kNotListed);
}

TEST_CASE("a small matmul waits for the hops, not for the bytes") {
  const auto answers = operation(tpu_v5e(), along_x(16),
                                 sharded({{"batch", 1}, {"contraction", 16}, {"output", 1}}));
  CHECK(number<term::kNetworkTime>(answers) == 16e-6);  // 8 hops, twice
  CHECK(number<term::kNetworkBandwidthTime>(answers) < 1e-9);
  CHECK(bound<term::kBound>(answers) == Bound::kNetwork);
}

TEST_CASE("the exact critical batch is of all rows, on however many chips they are") {
  // On a network that never binds, chips are bound by memory below it, by computing from it on.
  const auto chip = with(tpu_v5e(), {{"linkBandwidth", 1e18}, {"hopLatency", 0}});
  each_case([&](const Case& each, const Settings& settings) {
    const Settings large{{"batch", 1e6}, {"contraction", 1e6}, {"output", 1e6}};
    const OperationQuestion::Input input{chip, Raw<Model>::defaults(), along_x(kChips),
                                         with(sharded(settings), large)};
    std::array<Crossing, 4> found{};
    REQUIRE(find_crossings<OperationQuestion>(
                input, place_of<OperationQuestion>("operation.batch"), kChips, 1e9,
                answer_of<OperationQuestion>(term::kBound), found) == 1);
    const auto answers = answers_to<OperationQuestion>(input);
    CHECK_THAT(number<term::kExactCriticalBatch>(answers), WithinRel(found[0].at, 1e-12));
    const bool rows = each.activations == A::kBatch && each.gathered == Gathered::kWeights;
    const double rule = 1.97e14 / 8.2e11 / 2;  // weights in int8
    CHECK_THAT(number<term::kCriticalBatch>(answers),
               WithinRel(rows ? kChips * rule : rule, 1e-12));
  });
}

// --- gather the weights, or reduce the result (chapter 3, question 4) ---

auto strategies(const Settings& request, double chips = kChips) {
  const Settings bf16{{"weightFormat", Format::kBf16}, {"outputFormat", Format::kBf16}};
  return operation(tpu_v5e(), along_x(chips), with(sharded(bf16), request));
}

TEST_CASE("gathering computes all on each chip, reducing a share") {
  const auto answers = strategies({});
  // Rings of even length gather V in V / 2W.
  const double flops = 2 * kBatch * kContraction * kOutput;
  const double gather = std::max(flops / 1.97e14, 2 * kContraction * kOutput / 9e10);
  const double reduce = std::max(flops / kChips / 1.97e14, 2 * 2 * kBatch * kOutput / 9e10);
  CHECK_THAT(number<term::kGatherTime>(answers), WithinRel(gather, 1e-14));
  CHECK_THAT(number<term::kReduceTime>(answers), WithinRel(reduce, 1e-14));
  CHECK(chosen<Strategy, term::kBetterStrategy>(answers) == Strategy::kReduce);
}

TEST_CASE("the better strategy is the faster one, gathering where they are equal") {
  inputs::Numbers numbers;
  int reduces = 0;
  for (int i = 0; i < 500; ++i) {
    const auto answers =
        strategies({{"batch", 1 + static_cast<double>(numbers.below(100000))},
                    {"contraction", 16 + static_cast<double>(numbers.below(100000))},
                    {"output", 1 + static_cast<double>(numbers.below(100000))}});
    const bool reduce = number<term::kReduceTime>(answers) < number<term::kGatherTime>(answers);
    reduces += reduce;
    CHECK((chosen<Strategy, term::kBetterStrategy>(answers) == Strategy::kReduce) == reduce);
  }
  CHECK(reduces > 100);
  CHECK(reduces < 490);
}

TEST_CASE("strategies do not depend on how the request itself divides the matmul") {
  const auto expected = strategies({});
  each_case([&](const Case&, const Settings& settings) {
    const auto answers = strategies(settings);
    CHECK(number<term::kGatherTime>(answers) == number<term::kGatherTime>(expected));
    CHECK(number<term::kReduceTime>(answers) == number<term::kReduceTime>(expected));
    CHECK(number<term::kCriticalWays>(answers) == number<term::kCriticalWays>(expected));
  });
}

TEST_CASE("reducing is bound by its network from X = D / 2 alpha on") {
  // alpha = C / 2W of a v5e ring is 2189; D / 2 alpha, as an AllReduce of 2BF / W hides behind
  // 2BDF / XC.
  for (const double contraction : {8192.0, 65536.0, 1e6}) {
    const auto answers = strategies({{"contraction", contraction}});
    const double alpha = 1.97e14 / 9e10;
    CHECK_THAT(number<term::kCriticalWays>(answers), WithinRel(contraction / 2 / alpha, 1e-12));
  }
}

}  // namespace
}  // namespace scaling::test::sharding_test
