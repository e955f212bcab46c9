// SPDX-License-Identifier: MIT
//
// The expected times of operations and collectives on real chips.

#include "scaling/questions/expected_time.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "presets.hpp"
#include "support.hpp"

namespace scaling::test::expected_time_test {
namespace {

/// All tests of this program ask a core that holds the constants of kernels.
[[maybe_unused]] const bool kAnswers = [] {
  answer_expected_times<double>();
  answer_expected_times<Traced>();
  return true;
}();

template <template <class> class Group>
Raw<Group> group_of(const nlohmann::json& given) {
  auto raw = Raw<Group>::defaults();
  for (const auto& [key, value] : given.items()) set_field(raw, key, value);
  return raw;
}

/// The least that a golden kernel can take, and what is expected of it [s].
struct Answered {
  double lower, expected;
};

Answered answer(const nlohmann::json& row) {
  static const auto chips = chip_presets();
  const auto& chip = chips.at(row.at("chip").get<std::string>());
  if (row.at("question") == "collective") {
    const auto answers = collective(chip, group_of<Mesh>(row.at("mesh")),
                                    group_of<CollectiveRequest>(row.at("collective")));
    return {number<term::kCollectiveTime>(answers), number<term::kTimeExpected>(answers)};
  }
  const auto answers = operation(chip, group_of<OperationRequest>(row.at("operation")));
  return {number<term::kLowerBound>(answers), number<term::kTimeExpected>(answers)};
}

TEST_CASE(
    "measured kernels take about as long as is expected of them, and never less than they can") {
  std::vector<double> errors;
  const auto file = read_json(SCALING_GOLDEN_DIR "/kernels.json");
  for (const auto& row : file.at("kernels")) {
    const double measured = row.at("measured").get<double>();
    const auto [lower, expected] = answer(row);
    INFO(row.dump() << ": at least " << lower << ", expected " << expected);
    CHECK(lower <= measured);
    CHECK(expected >= lower);
    errors.push_back(std::abs(expected / measured - 1));
    CHECK(errors.back() < 0.35);
  }
  REQUIRE(errors.size() > 15);
  std::sort(errors.begin(), errors.end());
  CHECK(errors[errors.size() / 2] < 0.08);
}

/// A measured collective, as nccl-tests tells it.
struct Measured {
  const char* source;
  const char* chip;
  double domains;
  CollectiveKind kind;
  double bytes;
  bool in_network;
  double rate;     ///< busbw [B/s]
  double out = 0;  ///< bandwidth out of a domain for each chip, where it isn't the preset's
  double tolerance = 0.2;
};

CollectiveQuestion::Answers<double> answers_of(const Measured& row) {
  static const auto chips = chip_presets();
  auto chip = chips.at(row.chip);
  if (row.out > 0) set_field(chip, "scaleOutBandwidth", row.out);
  const Settings request{
      {"kind", row.kind}, {"bytes", row.bytes}, {"inNetworkReduction", row.in_network}};
  return collective(chip, make<Mesh>({{"x", 8 * row.domains}}), make<CollectiveRequest>(request));
}

/// The rate of what a rank of a ring sends and receives.
double busbw(const Measured& row, double seconds) {
  const double n = 8 * row.domains;
  const double twice = row.kind == CollectiveKind::kAllReduce ? 2 : 1;
  return twice * row.bytes * (n - 1) / n / seconds;
}

constexpr auto kAllReduce = CollectiveKind::kAllReduce;
constexpr auto kAllGather = CollectiveKind::kAllGather;
constexpr auto kReduceScatter = CollectiveKind::kReduceScatter;
constexpr double kGi = 1 << 30;

constexpr Measured kMeasured[] = {
    {"nccl-tests#212, ring", "h100-sxm", 1, kAllReduce, 8e9, false, 370e9},
    {"nccl-tests#212", "h100-sxm", 1, kAllReduce, 8e9, true, 480e9},
    {"nccl-tests#272", "h200-sxm", 1, kAllReduce, 4 * kGi, true, 475e9},
    {"nccl#1374", "h800-sxm", 1, kAllReduce, 8e9, true, 215e9},
    {"nccl#1047, ring", "h100-sxm", 1, kReduceScatter, 8 * kGi, false, 362e9},
    {"nccl-tests#290, ring", "h100-sxm", 2, kAllReduce, 8 * kGi, false, 376e9},
    {"nccl#1218", "h100-sxm", 32, kAllReduce, 2 * kGi, false, 340e9},
    {"nccl#1218", "h100-sxm", 32, kAllGather, 2 * kGi, false, 200e9},
    {"nccl#1368, 4 NICs", "h100-sxm", 5, kAllReduce, kGi, false, 190e9, 25e9},
    {"nccl-tests#119, 4 NICs", "a100-sxm-40gb", 3, kAllReduce, kGi / 8, false, 96e9, 12.5e9},
    // Sizes are not told; 8 GiB is where nccl-tests are read.
    {"nccl#1229", "h100-sxm", 4, kReduceScatter, 8 * kGi, false, 360e9},
    {"nccl#1229", "h100-sxm", 8, kReduceScatter, 8 * kGi, false, 345e9},
    {"nccl#1229", "h100-sxm", 16, kReduceScatter, 8 * kGi, false, 320e9},
    {"nccl#1229", "h100-sxm", 32, kReduceScatter, 8 * kGi, false, 300e9},
    {"nccl#1229", "h100-sxm", 64, kReduceScatter, 8 * kGi, false, 280e9},
    {"nccl#1229", "h100-sxm", 128, kReduceScatter, 8 * kGi, false, 260e9},
};

TEST_CASE("collectives take the time of their kind and algorithm, as measured") {
  std::vector<double> errors;
  for (const Measured& row : kMeasured) {
    INFO(row.source << " among " << row.domains << " domains");
    const double rate = busbw(row, number<term::kTimeExpected>(answers_of(row)));
    errors.push_back(std::abs(rate / row.rate - 1));
    CAPTURE(rate);
    CHECK(errors.back() < row.tolerance);
  }
  std::sort(errors.begin(), errors.end());
  CHECK(errors[errors.size() / 2] < 0.08);
}

TEST_CASE("a small AllReduce among many nodes waits for a tree's hops") {
  // nccl#652: 63 to 71 us for 4 to 128 bytes among 32 nodes of 8 A100.
  const Measured row{"nccl#652", "a100-sxm-80gb", 32, kAllReduce, 128, false, 0, 12.5e9};
  const double time = number<term::kTimeExpected>(answers_of(row));
  CHECK(time > 50e-6);
  CHECK(time < 80e-6);
}

TEST_CASE("no expected rate of a collective beats its bound, and more bytes take no less time") {
  for (const char* chip : {"h100-sxm", "a100-sxm-80gb", "gb200-nvl72", "mi355x", "gaudi-3"}) {
    for (const double domains : {1, 2, 3, 16, 200}) {
      for (int kind = 0; kind < 5; ++kind) {
        for (const bool in_network : {false, true}) {
          double before = 0;
          for (double bytes = 64; bytes < 1e12; bytes *= 7) {
            const auto answers = answers_of(
                {"", chip, domains, static_cast<CollectiveKind>(kind), bytes, in_network, 0});
            const double expected = number<term::kTimeExpected>(answers);
            INFO(chip << " " << domains << " kind " << kind << " bytes " << bytes);
            CHECK(expected >= number<term::kCollectiveTime>(answers));
            CHECK(expected >= before);
            before = expected;
          }
        }
      }
    }
  }
}

TEST_CASE("switches add up where the network's can, and it is no slower") {
  const auto both = [](const char* chip, double domains) {
    const Measured ring{"", chip, domains, kAllReduce, 8 * kGi, false, 0};
    auto network = ring;
    network.in_network = true;
    return std::pair(answers_of(ring), answers_of(network));
  };
  for (const char* chip : {"h100-sxm", "b200-sxm", "a100-sxm-80gb", "mi355x"}) {
    for (const double domains : {1, 2, 16}) {
      INFO(chip << " " << domains);
      const auto [ring, network] = both(chip, domains);
      CHECK(number<term::kTimeExpected>(network) <= number<term::kTimeExpected>(ring));
      CHECK(number<term::kCollectiveTime>(network) <= number<term::kCollectiveTime>(ring));
    }
  }
  const auto [ring, network] = both("a100-sxm-80gb", 1);  // its NVSwitch adds nothing up
  CHECK(network.values() == ring.values());
  const auto [far_ring, far_network] = both("a100-sxm-80gb", 16);  // its InfiniBand does
  CHECK(number<term::kCollectiveTime>(far_network) < number<term::kCollectiveTime>(far_ring));
  const auto [amd, amd_network] = both("mi355x", 16);
  CHECK(amd_network.values() == amd.values());
}

}  // namespace
}  // namespace scaling::test::expected_time_test
