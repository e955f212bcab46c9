// SPDX-License-Identifier: MIT
//
// The price of a transfer: tokens on their way to their experts, as published kernels take
// (tests/golden/expert-transfers.json), and the ways of a server on its nodes.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "files.hpp"
#include "scaling/hardware/transfer.hpp"
#include "scaling/serving/forward.hpp"
#include "scaling/serving/transfers.hpp"
#include "scaling/serving/weights.hpp"
#include "servers.hpp"

namespace scaling::test::transfer_test {
namespace {

using Json = nlohmann::json;

/// A published kernel: its time, what is expected of it, and the least that it can take [s].
struct Row {
  std::string library, hardware, kernel;
  double ranks, domain, units;
  double measured, expected, floor;
};

double distinct(double places, double k) { return places * (1 - std::pow(1 - 1 / places, k)); }

Row row_of(const Json& json) {
  Row row;
  row.library = json.at("library");
  row.hardware = json.at("hardware");
  row.kernel = json.at("kernel");
  row.ranks = json.at("ep");
  row.units = json.value("sms", 24.0);
  row.domain = json.value("domain", 8.0);
  const double k = json.at("top_k");
  const double hidden = json.at("hidden");
  const double tokens = json.at("tokens");
  const double groups = json.value("route_groups", 0.0);
  const bool eight = json.at("format") == "fp8";
  const double bytes = tokens * hidden * (eight ? 1 + 4.0 / 128 : 2);
  const auto chip =
      with(h100(), {{"scaleUpBandwidth", 1e9 * json.at("nvlink_nominal_GBps").get<double>()},
                    {"scaleOutBandwidth", 1e9 * json.at("nic_nominal_GBps").get<double>()},
                    {"scaleUpChips", row.domain}});
  const bool throughput = row.kernel == "throughput";
  const auto& of = kKernelConstants;
  const ExchangeRates rates{throughput ? of.exchange_start : of.exchange_quick, of.exchange_near,
                            of.exchange_far};
  const Way way{.chips = row.ranks};
  const auto transfer =
      make_expert_exchange(typed(chip), way, {count_of(k), count_of(groups), throughput}, &rates);
  const Quantity<kByte, double> sent(bytes);
  row.expected = transfer.expected(sent, count_of(1)).value();
  row.floor = transfer.at_least(sent).value();
  if (json.contains("us")) {
    row.measured = 1e-6 * json.at("us").get<double>();
    return row;
  }
  const double nodes = std::ceil(row.ranks / row.domain);
  const double places = json.at("bandwidth_convention") == "distinct ranks, over NVLink" ? row.ranks
                        : groups > 0 ? std::fmin(nodes, groups)
                                     : nodes;
  row.measured = bytes * distinct(places, k) / (1e9 * json.at("bandwidth_GBps").get<double>());
  return row;
}

const std::vector<Row>& rows() {
  static const auto result = [] {
    std::vector<Row> read;
    const auto file = read_json(SCALING_GOLDEN_DIR "/expert-transfers.json");
    for (const auto& json : file.at("rows")) {
      if (json.at("format") != "as dispatched") read.push_back(row_of(json));
    }
    return read;
  }();
  return result;
}

/// Median and 90th percentile of the errors of some rows [%].
struct Errors {
  std::size_t count;
  double median, ninth;
};

template <class Holds>
Errors errors_of(Holds holds) {
  std::vector<double> errors;
  for (const Row& row : rows()) {
    if (holds(row)) errors.push_back(100 * std::fabs(row.expected / row.measured - 1));
  }
  std::sort(errors.begin(), errors.end());
  const auto at = [&](double share) {
    return errors[static_cast<std::size_t>(share * static_cast<double>(errors.size() - 1))];
  };
  return {errors.size(), at(0.5), at(0.9)};
}

bool begins(const std::string& text, const char* start) { return text.rfind(start, 0) == 0; }

TEST_CASE("kernels for few tokens take as long as they were measured over InfiniBand") {
  const auto found = errors_of([](const Row& row) {
    return row.kernel == "low latency" &&
           (begins(row.library, "DeepEP V1 (2025-06") || row.library == "DeepEP" ||
            (row.library == "pplx-garden" && begins(row.hardware, "H100")));
  });
  CHECK(found.count == 28);
  CHECK(found.median < 4);
  CHECK(found.ninth < 9);
}

TEST_CASE("kernels for many tokens take as long as they were measured over nodes") {
  const auto found = errors_of([](const Row& row) {
    return row.kernel == "throughput" && row.ranks > row.domain && row.units >= 8 &&
           ((begins(row.library, "DeepEP V1 (24") && row.hardware == "H800") ||
            begins(row.library, "DeepEP V2") ||
            (begins(row.library, "HybridEP") && row.hardware == "H100") ||
            begins(row.hardware, "MI300X"));
  });
  CHECK(found.count == 36);
  CHECK(found.median < 5);
  CHECK(found.ninth < 19);
}

TEST_CASE("kernels for many tokens take as long as they were measured in one domain") {
  const auto found = errors_of([](const Row& row) {
    return row.kernel == "throughput" && row.ranks <= row.domain &&
           (begins(row.library, "DeepEP V2") || begins(row.library, "HybridEP (32") ||
            (begins(row.library, "DeepEP V1 (24") && row.hardware == "H800"));
  });
  CHECK(found.count == 19);
  CHECK(found.median < 8);
  CHECK(found.ninth < 18);
}

TEST_CASE("no published kernel beats the least that an exchange takes") {
  CHECK(rows().size() == 198);
  for (const Row& row : rows()) {
    INFO(row.library << " on " << row.hardware << ", " << row.ranks << " ranks");
    CHECK(row.floor <= row.measured);
    CHECK(row.floor <= row.expected);
  }
}

TEST_CASE("128 tokens go to their experts and back on H800 in the time of DeepEP") {
  // Measured: 118 + 195 us among 16 ranks, 192 + 369 us among 128.
  const auto input = ServingQuestion::read<double>(
      serve("h800-sxm", "deepseek-v3", {}, {{"weights", WeightFormat::kFp8Block}}));
  const ServingInput<double> in(input);
  const StepTokens<double> tokens{count_of(128), count_of(4096), count_of(1), {}, {}, {}};
  const auto of_layer = [&](double ranks) {
    const ServerWays<double> ways{count_of(1), count_of(ranks), count_of(ranks), count_of(1)};
    return exchange_transfers(in, ways, tokens).value() / in.layers.experts.layers.value();
  };
  CHECK_THAT(of_layer(16), WithinRel(313e-6, 0.03));
  CHECK_THAT(of_layer(128), WithinRel(561e-6, 0.08));
}

// --- the ways of a server on its nodes ---

double step_of(const Raw<Chip>& chip, ServerWays<double> ways, const Settings& server = {}) {
  auto settings = server;
  settings.emplace_back("weights", WeightFormat::kFp8Block);
  const auto input = ServingQuestion::read<double>(ServingQuestion::Input{
      chip, models().at("deepseek-v3"), make<Serving>({}), make<Server>(settings)});
  const ServingInput<double> in(input);
  const StepTokens<double> tokens{count_of(64), count_of(4096), count_of(1), {}, {}, {}};
  return step_parts(in, weight_bytes(in), ways, tokens).total().value();
}

TEST_CASE("a server wider than a node is as fast as its network lets it") {
  const auto with_nic = [](double rate) {
    return with(chips().at("h100-sxm"), {{"scaleOutBandwidth", rate}});
  };
  // Experts, tensor ways and stages over nodes.
  const ServerWays<double> wide[] = {{count_of(1), count_of(32), count_of(32), count_of(1)},
                                     {count_of(16), count_of(1), count_of(16), count_of(1)},
                                     {count_of(8), count_of(2), count_of(16), count_of(1)},
                                     {count_of(8), count_of(2), count_of(1), count_of(1)},
                                     {count_of(8), count_of(1), count_of(8), count_of(2)}};
  for (const auto& ways : wide) {
    CAPTURE(ways.tensor.value());
    CAPTURE(ways.data.value());
    CAPTURE(ways.pipeline.value());
    const double slow = step_of(with_nic(1e9), ways);
    const double usual = step_of(with_nic(5e10), ways);
    CHECK(slow > usual);
    CHECK(usual >= step_of(with_nic(4e11), ways));
  }
  const ServerWays<double> ep32{count_of(1), count_of(32), count_of(32), count_of(1)};
  CHECK(step_of(with_nic(5e9), ep32) > 1.5 * step_of(with_nic(5e10), ep32));
  CHECK(step_of(with_nic(5e10), ep32) > 1.1 * step_of(with_nic(4e11), ep32));
  // In one node, nothing leaves it.
  const ServerWays<double> node{count_of(1), count_of(8), count_of(8), count_of(1)};
  CHECK(step_of(with_nic(5e9), node) == step_of(with_nic(4e11), node));
}

TEST_CASE("halves of a step that take turns hide what they exchange, and no more than that") {
  const auto chip = chips().at("h100-sxm");
  for (const double ranks : {16.0, 32.0, 128.0}) {
    const ServerWays<double> ways{count_of(1), count_of(ranks), count_of(ranks), count_of(1)};
    const double serial = step_of(chip, ways);
    const double turns = step_of(chip, ways, {{"twoBatches", true}});
    CHECK(turns <= serial);
    CHECK(turns >= step_of(with(chip, {{"scaleOutBandwidth", 1e15}, {"scaleUpBandwidth", 1e15}}),
                           ways, {{"twoBatches", true}}) *
                       (1 - 1e-12));
  }
}

TEST_CASE("fewer bytes, a router's limit and kernels of their own make an exchange no slower") {
  const auto chip = chips().at("h100-sxm");
  const ServerWays<double> ways{count_of(1), count_of(64), count_of(64), count_of(1)};
  const auto dispatch = [&](DispatchFormat format) {
    return step_of(chip, ways, {{"dispatchFormat", format}});
  };
  CHECK(dispatch(DispatchFormat::kNvfp4) < dispatch(DispatchFormat::kFp8));
  CHECK(dispatch(DispatchFormat::kFp8) < dispatch(DispatchFormat::kBf16));
  CHECK(dispatch(DispatchFormat::kFp8) == dispatch(DispatchFormat::kAsExperts));
  const auto by = [&](ExpertDispatch way) {
    return step_of(chip, ways, {{"expertDispatch", way}});
  };
  CHECK(by(ExpertDispatch::kKernels) < by(ExpertDispatch::kAllToAll));
  CHECK(by(ExpertDispatch::kKernels) < by(ExpertDispatch::kAllGather));
  CHECK(by(ExpertDispatch::kKernels) == by(ExpertDispatch::kUsual));
}

TEST_CASE("the batch from which weights no longer bind is that of the format that computes") {
  const auto critical = [](const char* chip, WeightFormat format) {
    return number<term::kServingCriticalBatch>(
        answers_to<ServingQuestion>(serve(chip, "llama-3.1-8b", {}, {{"weights", format}})));
  };
  // A100 has no fp8, and H100 no fp4: both widen weights to 16 bits.
  CHECK_THAT(critical("a100-sxm-80gb", WeightFormat::kFp8), WithinRel(76.5, 0.001));
  CHECK_THAT(critical("h100-sxm", WeightFormat::kNvfp4), WithinRel(73.8, 0.001));
  // B200 computes in fp4, whichever scales the weights have.
  CHECK_THAT(critical("b200-sxm", WeightFormat::kNvfp4), WithinRel(281.25, 0.001));
  CHECK(critical("b200-sxm", WeightFormat::kMxfp4) == critical("b200-sxm", WeightFormat::kNvfp4));
  CHECK_THAT(critical("b200-sxm", WeightFormat::kInt4), WithinRel(70.3, 0.001));
}

}  // namespace
}  // namespace scaling::test::transfer_test
