// SPDX-License-Identifier: MIT
//
// Issues of fields that do not fit together, and notices that leave the answers valid.

#include <limits>
#include <set>
#include <string>

#include "support.hpp"

namespace scaling::test::issue_test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Asked {
  Raw<Chip> chip = tpu_v5p();
  Raw<Model> model = llama3_70b();
  Raw<Run> run = chapter6_run();

  auto outcome() const { return estimate<TrainingQuestion>({chip, model, run}); }
};

/// Expects `issues` to be one finding, with this code at this field.
void expect_only(const Issues& issues, IssueCode code, const std::string& group,
                 const std::string& field, std::array<double, kMostArguments> arguments = {}) {
  REQUIRE(issues.items().size() == 1);
  const Issue& issue = issues.items()[0];
  CHECK(static_cast<int>(issue.code) == static_cast<int>(code));
  CHECK(std::string(issue.group) == group);
  CHECK(std::string(issue.field) == field);
  CHECK(issue.arguments == arguments);
}

void expect_issue(const Asked& asked, IssueCode code, const std::string& group,
                  const std::string& field, std::array<double, kMostArguments> arguments = {}) {
  const auto outcome = asked.outcome();
  expect_only(outcome.issues, code, group, field, arguments);
  CHECK(outcome.notices.empty());
}

/// Expects valid answers with one notice.
void expect_notice(const Asked& asked, IssueCode code, const std::string& field, double argument) {
  const auto outcome = asked.outcome();
  CHECK(outcome.issues.empty());
  expect_only(outcome.notices, code, "run", field, {argument, 0});
}

void expect_clean(const Asked& asked) {
  const auto outcome = asked.outcome();
  CHECK(outcome.issues.empty());
  CHECK(outcome.notices.empty());
}

Outcome<OperationQuestion> operation_outcome(const Raw<Chip>& chip,
                                             const Raw<OperationRequest>& request,
                                             const Raw<Mesh>& mesh = Raw<Mesh>::defaults(),
                                             const Raw<Model>& model = Raw<Model>::defaults()) {
  return estimate<OperationQuestion>({chip, model, mesh, request});
}

TEST_CASE("each code has a name, and no name is used twice") {
  std::set<std::string> names;
  for (const IssueName& name : kIssueNames) {
    REQUIRE(name.code != nullptr);
    CHECK(names.insert(name.code).second);
    for (std::size_t i = 1; i < kMostArguments; ++i) {
      if (name.arguments[i - 1] == nullptr) CHECK(name.arguments[i] == nullptr);
    }
  }
  CHECK(kIssueNames.size() == static_cast<std::size_t>(IssueCode::kNotWholeNodes) + 1);
  // The order of names is that of the codes.
  const auto name = [](IssueCode code) {
    return std::string(kIssueNames[static_cast<std::size_t>(code)].code);
  };
  CHECK(name(IssueCode::kNotANumber) == "notANumber");
  CHECK(name(IssueCode::kUnknownChoice) == "unknownChoice");
  CHECK(name(IssueCode::kMoreChipsThanNetwork) == "moreChipsThanNetwork");
  CHECK(name(IssueCode::kBatchAboveTokens) == "batchAboveTokens");
  CHECK(name(IssueCode::kNoExperts) == "noExperts");
  CHECK(name(IssueCode::kWaysDontDivide) == "waysDontDivide");
  CHECK(name(IssueCode::kBandwidthNotListed) == "bandwidthNotListed");
  CHECK(name(IssueCode::kIdleChips) == "idleChips");
  CHECK(name(IssueCode::kOperandsTooLarge) == "operandsTooLarge");
  CHECK(name(IssueCode::kIdleReplicas) == "idleReplicas");
  CHECK(name(IssueCode::kMfuAbovePeak) == "mfuAbovePeak");
  CHECK(name(IssueCode::kFlopsOvercounted) == "flopsOvercounted");
  CHECK(name(IssueCode::kPlacementsLeftOut) == "placementsLeftOut");
}

TEST_CASE("heads must be a multiple of KV heads") {
  Asked asked;
  asked.model = with(asked.model, {{"kvHeads", 7}});
  expect_issue(asked, IssueCode::kHeadsNotDivisible, "model", "kvHeads", {64, 0});
  asked.model = with(asked.model, {{"kvHeads", 128}});
  expect_issue(asked, IssueCode::kHeadsNotDivisible, "model", "kvHeads", {64, 0});
  for (const int kv_heads : {1, 2, 64}) {
    asked.model = with(asked.model, {{"kvHeads", kv_heads}});
    CHECK(asked.outcome().issues.empty());
  }
}

TEST_CASE("latent attention has no KV heads that could fail to divide") {
  Asked asked;
  asked.model = with(deepseek_v3(), {{"kvHeads", 7}, {"headDim", kNan}});
  CHECK(asked.outcome().issues.empty());
}

TEST_CASE("a token cannot go to more experts than there are") {
  Asked asked;
  asked.model = with(mixtral_8x7b(), {{"expertsPerToken", 9}});
  expect_issue(asked, IssueCode::kMoreThanExperts, "model", "expertsPerToken", {8, 0});
  asked.model = with(mixtral_8x7b(), {{"expertsPerToken", 8}});
  CHECK(asked.outcome().issues.empty());
  // The number means nothing for a dense model.
  asked.model = with(llama3_70b(), {{"expertsPerToken", 9}});
  CHECK(asked.outcome().issues.empty());
}

TEST_CASE("no more special layers than layers") {
  Asked asked;
  asked.model = with(mixtral_8x7b(), {{"denseLayers", 33}});
  expect_issue(asked, IssueCode::kMoreThanLayers, "model", "denseLayers", {32, 0});
  asked.model = with(llama3_70b(), {{"slidingWindow", 4096}, {"windowedLayers", 81}});
  expect_issue(asked, IssueCode::kMoreThanLayers, "model", "windowedLayers", {80, 0});
  asked.model = with(llama3_70b(), {{"slidingWindow", 4096}, {"windowedLayers", 80}});
  CHECK(asked.outcome().issues.empty());
  asked.model = with(llama3_70b(), {{"windowedLayers", 81}});  // no window, no matter
  CHECK(asked.outcome().issues.empty());
}

TEST_CASE("no more stated active parameters than stated ones") {
  Asked asked;
  asked.model =
      with(mixtral_8x7b(), {{"statedParameters", 47e9}, {"statedActiveParameters", 48e9}});
  expect_issue(asked, IssueCode::kMoreThanStated, "model", "statedActiveParameters", {47e9, 0});
  asked.model =
      with(mixtral_8x7b(), {{"statedParameters", 47e9}, {"statedActiveParameters", 13e9}});
  CHECK(asked.outcome().issues.empty());
}

TEST_CASE("a chip computes only in the formats it has a peak for") {
  Asked asked;
  asked.run = with(asked.run, {{"computeFormat", Format::kFp4}});
  expect_issue(asked, IssueCode::kFormatNotSupported, "run", "computeFormat");
  const auto outcome =
      operation_outcome(tpu_v5e(), make<OperationRequest>({{"computeFormat", Format::kTf32}}));
  expect_only(outcome.issues, IssueCode::kFormatNotSupported, "operation", "computeFormat");
}

TEST_CASE("numbers in memory may be of a format that the chip does not compute in") {
  Asked asked;
  asked.run =
      with(asked.run, {{"weightFormat", Format::kInt4}, {"activationFormat", Format::kFp8}});
  CHECK(asked.outcome().issues.empty());
}

TEST_CASE("chips are a multiple of slices") {
  Asked asked;
  asked.run = with(asked.run, {{"chips", 8960}, {"slices", 3}});
  expect_issue(asked, IssueCode::kSlicesDontDivide, "run", "slices", {8960, 0});
  asked.run = with(asked.run, {{"chips", 4}, {"slices", 8}});
  expect_issue(asked, IssueCode::kSlicesDontDivide, "run", "slices", {4, 0});
}

TEST_CASE("a slice has no more chips than the pod") {
  Asked asked;
  // Their only halves and thirds are no boxes.
  asked.run = with(asked.run, {{"chips", 8961}});
  expect_issue(asked, IssueCode::kMoreChipsThanNetwork, "run", "chips", {8960, 2});
  asked.run = with(asked.run, {{"chips", 36000}, {"slices", 4}});
  expect_issue(asked, IssueCode::kMoreChipsThanNetwork, "run", "chips", {35840, 5});
  asked.run = with(asked.run, {{"chips", 35840}, {"slices", 4}});
  CHECK(asked.outcome().issues.empty());
}

TEST_CASE("slices are joined by themselves where one pod has too few chips, and it is said") {
  Asked asked;
  asked.run = with(asked.run, {{"chips", 35840}, {"batchTokens", 1 << 22}});
  const auto joined = asked.outcome();
  expect_only(joined.notices, IssueCode::kSlicesJoined, "run", "slices", {4, 8960});
  asked.run = with(asked.run, {{"slices", 4}});
  const auto given = asked.outcome();
  CHECK(given.notices.empty());
  CHECK(joined.answers.values() == given.answers.values());
}

TEST_CASE("a chip without bf16 computes in fp16, and it is said") {
  Asked asked;
  asked.chip = with(h100(), {{"peakBf16", kNan}, {"peakFp16", 1e15}});
  asked.run = with(asked.run, {{"batchTokens", 4096 * 1024}});
  const auto chosen = asked.outcome();
  expect_only(chosen.notices, IssueCode::kComputesInFp16, "run", "computeFormat");
  asked.run = with(asked.run, {{"computeFormat", Format::kFp16}});
  const auto given = asked.outcome();
  CHECK(given.notices.empty());
  CHECK(chosen.answers.values() == given.answers.values());
  asked.chip = with(asked.chip, {{"peakFp16", kNan}});
  expect_issue(asked, IssueCode::kFormatNotSupported, "run", "computeFormat");
}

TEST_CASE("a switched network grows beyond its domain") {
  Asked asked;
  asked.chip = h100();
  asked.run = with(asked.run, {{"chips", 16384}});
  CHECK(asked.outcome().issues.empty());
}

TEST_CASE("a batch holds at least a sequence and at most all tokens") {
  Asked asked;
  asked.run = with(asked.run, {{"batchTokens", 4095}, {"chips", 64}});
  expect_issue(asked, IssueCode::kBatchBelowSequence, "run", "batchTokens", {4096, 0});
  asked.run = with(chapter6_run(), {{"tokens", 4096000 - 1}, {"batchTokens", 4096000}});
  expect_issue(asked, IssueCode::kBatchAboveTokens, "run", "batchTokens", {4095999, 0});
  asked.run = with(chapter6_run(), {{"tokens", 4096000}, {"batchTokens", 4096000}});
  expect_clean(asked);
}

TEST_CASE("relations are looked at only when each field by itself is right") {
  Asked asked;
  asked.model = with(asked.model, {{"kvHeads", 7}, {"layers", 0.5}});
  asked.run = with(asked.run, {{"mfu", 2}});
  const auto outcome = asked.outcome();
  REQUIRE(outcome.issues.items().size() == 2);
  CHECK(std::string(outcome.issues.items()[0].field) == "layers");
  CHECK(std::string(outcome.issues.items()[1].field) == "mfu");
}

TEST_CASE("all relations that fail are told at once") {
  Asked asked;
  asked.model = with(asked.model, {{"kvHeads", 7}});
  asked.run = with(asked.run, {{"batchTokens", 1}, {"slices", 3}});
  CHECK(asked.outcome().issues.items().size() == 3);
}

TEST_CASE("a sharded matmul stays within the network and within what it divides") {
  const auto sharded = [](const Settings& others) {
    return with(make<OperationRequest>({{"kind", kOperation<operations::ShardedMatmul>}}), others);
  };
  const auto issues = [&](const Raw<Chip>& chip, const Settings& mesh, const Settings& others) {
    return operation_outcome(chip, sharded(others), make<Mesh>(mesh)).issues;
  };
  const auto pod = [](double x, double y) { return Settings{{"x", x}, {"y", y}}; };
  expect_only(issues(tpu_v5e(), pod(17, 1), {}), IssueCode::kMoreChipsThanAxis, "mesh", "x",
              {16, 0});
  expect_only(issues(tpu_v5e(), pod(1, 17), {}), IssueCode::kMoreChipsThanAxis, "mesh", "y",
              {16, 0});
  expect_only(issues(tpu_v5e(), {{"x", 1}, {"z", 2}}, {}), IssueCode::kMoreChipsThanAxis, "mesh",
              "z", {1, 0});
  expect_only(issues(h100(), pod(257, 1), {{"contraction", 256}}), IssueCode::kMoreChipsThanRows,
              "mesh", "x", {256, 0});
  CHECK(issues(tpu_v5e(), pod(16, 16), {{"contraction", 256}}).empty());
  expect_only(issues(tpu_v5e(), pod(16, 16), {{"contraction", 255}}), IssueCode::kMoreChipsThanRows,
              "mesh", "x", {255, 0});
  // Rows or columns where these are divided, and only then.
  const Settings rows{{"activationSharding", ActivationSharding::kBatch},
                      {"weightSharding", WeightSharding::kNone},
                      {"batch", 7},
                      {"contraction", 1}};
  expect_only(issues(h100(), pod(8, 1), rows), IssueCode::kMoreChipsThanRows, "mesh", "x", {7, 0});
  CHECK(issues(h100(), pod(7, 1), rows).empty());
  const Settings columns{{"activationSharding", ActivationSharding::kNone},
                         {"weightSharding", WeightSharding::kOutput},
                         {"output", 7},
                         {"contraction", 1}};
  expect_only(issues(h100(), pod(8, 1), columns), IssueCode::kMoreChipsThanRows, "mesh", "x",
              {7, 0});
  CHECK(issues(h100(), pod(7, 1), columns).empty());
  // The mesh matters only to a sharded matmul.
  CHECK(operation_outcome(tpu_v5e(), make<OperationRequest>({}), make<Mesh>({{"x", 1e6}}))
            .issues.empty());
  CHECK(operation_outcome(tpu_v5e(), make<OperationRequest>({}), make<Mesh>({{"x", kNan}}))
            .issues.empty());
}

TEST_CASE("a collective stays within the torus, and its goal within the mesh") {
  const auto issues = [](const Raw<Chip>& chip, const Settings& mesh, const Settings& request) {
    return estimate<CollectiveQuestion>({chip, make<Mesh>(mesh), make<CollectiveRequest>(request)})
        .issues;
  };
  expect_only(issues(tpu_v5p(), {{"x", 4}, {"y", 21}}, {}), IssueCode::kMoreChipsThanAxis, "mesh",
              "y", {20, 0});
  CHECK(issues(h100(), {{"x", 1e6}, {"y", 1e6}, {"z", 1e6}}, {}).empty());
  const auto send = [](const char* key, double distance) {
    return Settings{{"kind", CollectiveKind::kPointToPoint}, {"distanceX", 0}, {key, distance}};
  };
  const Settings mesh{{"x", 4}, {"y", 3}, {"z", 2}};
  const auto beyond = IssueCode::kDistanceBeyondAxis;
  expect_only(issues(tpu_v5p(), mesh, send("distanceX", 4)), beyond, "collective", "distanceX",
              {3, 0});
  expect_only(issues(tpu_v5p(), mesh, send("distanceY", 3)), beyond, "collective", "distanceY",
              {2, 0});
  expect_only(issues(tpu_v5p(), mesh, send("distanceZ", 2)), beyond, "collective", "distanceZ",
              {1, 0});
  CHECK(issues(tpu_v5p(), mesh, send("distanceZ", 1)).empty());
  // Switches know no axes, and a gather no goal.
  CHECK(issues(h100(), mesh, send("distanceX", 1e6)).empty());
  CHECK(issues(tpu_v5p(), mesh, {{"distanceX", 4}}).empty());
}

TEST_CASE(
    "what vector units alone compute needs their rate, or that of fp32; what they do beside is "
    "noted") {
  const auto chip = with(tpu_v5e(), {{"peakVector", kNan}});
  const auto asks = [](OperationKind kind, AttentionKernel kernel) {
    return make<OperationRequest>({{"kind", kind}, {"attentionKernel", kernel}});
  };
  for (std::size_t i = 0; i < std::size(kOperationKindNames); ++i) {
    INFO(kOperationKindNames[i]);
    const auto kind = static_cast<OperationKind>(i);
    const auto model =
        kind == kOperation<operations::Router> || kind == kOperation<operations::Experts>
            ? mixtral_8x7b()
            : llama3_8b();
    const auto outcome = [&](const Raw<Chip>& asked, AttentionKernel kernel) {
      return operation_outcome(asked, asks(kind, kernel), Raw<Mesh>::defaults(), model);
    };
    const bool attends =
        kind == kOperation<operations::Attention> || kind == kOperation<operations::AttentionCore>;
    const bool alone =
        kind == kOperation<operations::Elementwise> || kind == kOperation<operations::Reduction> ||
        kind == kOperation<operations::Softmax> || kind == kOperation<operations::RmsNorm> ||
        kind == kOperation<operations::Norm>;
    for (const auto kernel : {AttentionKernel::kFlash, AttentionKernel::kNaive}) {
      const bool beside =
          kind == kOperation<operations::Layer> || (attends && kernel == AttentionKernel::kNaive);
      const auto found = outcome(chip, kernel);
      const auto of_fp32 = outcome(with(chip, {{"peakFp32", 1e13}}), kernel);
      const auto of_its_own = outcome(tpu_v5e(), kernel);
      CHECK(of_fp32.issues.empty());
      CHECK(of_fp32.notices.empty());
      CHECK(of_its_own.issues.empty());
      CHECK(of_its_own.notices.empty());
      if (alone) {
        expect_only(found.issues, IssueCode::kRateNotListed, "chip", "peakVector");
        continue;
      }
      CHECK(found.issues.empty());
      CHECK(found.notices.empty() == !beside);
      if (!beside) continue;
      expect_only(found.notices, IssueCode::kVectorWorkNotCounted, "chip", "peakVector");
      // The rest is counted as ever, and a bound from below stays one.
      CHECK(number<term::kFlops>(found.answers) == number<term::kFlops>(of_fp32.answers));
      CHECK(number<term::kMemoryTime>(found.answers) == number<term::kMemoryTime>(of_fp32.answers));
      CHECK(number<term::kMathTime>(found.answers) < number<term::kMathTime>(of_fp32.answers));
      CHECK(number<term::kLowerBound>(found.answers) <= number<term::kLowerBound>(of_fp32.answers));
    }
  }
}

TEST_CASE("what no matrix unit computes may be of a chip without a rate in the format") {
  const auto chip = with(tpu_v5e(), {{"peakBf16", kNan}});
  for (const auto kind : {kOperation<operations::Elementwise>, kOperation<operations::Reduction>,
                          kOperation<operations::Softmax>, kOperation<operations::RmsNorm>,
                          kOperation<operations::Norm>, kOperation<operations::Embedding>,
                          kOperation<operations::KvRead>}) {
    CHECK(operation_outcome(chip, make<OperationRequest>({{"kind", kind}}), Raw<Mesh>::defaults(),
                            llama3_8b())
              .issues.empty());
  }
  for (const auto kind : {kOperation<operations::Matmul>, kOperation<operations::DotProduct>,
                          kOperation<operations::Attention>, kOperation<operations::Layer>,
                          kOperation<operations::LmHead>}) {
    expect_only(operation_outcome(chip, make<OperationRequest>({{"kind", kind}}),
                                  Raw<Mesh>::defaults(), llama3_8b())
                    .issues,
                IssueCode::kFormatNotSupported, "operation", "computeFormat");
  }
}

TEST_CASE("operands lie only in a memory whose bandwidth the chip lists") {
  const auto issues = [](const Settings& chip, MemoryLevel level) {
    return operation_outcome(with(tpu_v5e(), chip), make<OperationRequest>({{"operandsIn", level}}))
        .issues;
  };
  for (const auto level : {MemoryLevel::kOnChip, MemoryLevel::kHost}) {
    expect_only(issues({}, level), IssueCode::kLevelNotListed, "operation", "operandsIn");
  }
  CHECK(issues({{"onChipBandwidth", 1.8e13}}, MemoryLevel::kOnChip).empty());
  CHECK(issues({{"hostBandwidth", 1.6e10}}, MemoryLevel::kHost).empty());
}

TEST_CASE("attention has groups of heads, and sees at least as many keys as it has queries") {
  const auto issues = [](const Settings& request) {
    return operation_outcome(
               tpu_v5e(),
               with(make<OperationRequest>({{"kind", kOperation<operations::Attention>}}), request))
        .issues;
  };
  expect_only(issues({{"kvHeads", 7}}), IssueCode::kHeadsNotDivisible, "operation", "kvHeads",
              {32, 0});
  CHECK(issues({{"kvHeads", 7}, {"attention", Attention::kLatent}}).empty());
  const Settings causal{{"attentionMask", AttentionMask::kCausal}, {"keys", 4095}};
  expect_only(issues(causal), IssueCode::kKeysBelowQueries, "operation", "keys", {4096, 0});
  CHECK(issues({{"keys", 4095}}).empty());
  // The naive kernel computes all scores, whatever the mask.
  CHECK(issues({{"attentionMask", AttentionMask::kCausal},
                {"keys", 4095},
                {"attentionKernel", AttentionKernel::kNaive}})
            .empty());
}

TEST_CASE("a model without experts has neither them nor a router") {
  for (const auto kind : {kOperation<operations::Router>, kOperation<operations::Experts>}) {
    const auto request = make<OperationRequest>({{"kind", kind}});
    expect_only(operation_outcome(tpu_v5e(), request, Raw<Mesh>::defaults(), llama3_8b()).issues,
                IssueCode::kNoExperts, "operation", "kind");
    CHECK(operation_outcome(tpu_v5e(), request, Raw<Mesh>::defaults(), mixtral_8x7b())
              .issues.empty());
  }
  // The model matters only to its own parts.
  CHECK(operation_outcome(tpu_v5e(), make<OperationRequest>({})).issues.empty());
  CHECK_FALSE(
      operation_outcome(tpu_v5e(), make<OperationRequest>({{"kind", kOperation<operations::Norm>}}))
          .issues.empty());
}

TEST_CASE("notices: sequences longer than the model was made for") {
  Asked asked;
  asked.run = with(asked.run, {{"batchTokens", 4 << 20}});
  asked.model = with(asked.model, {{"contextLength", 2048}});
  expect_notice(asked, IssueCode::kContextExceeded, "sequenceLength", 2048);
  asked.model = with(asked.model, {{"contextLength", 4096}});
  expect_clean(asked);
  asked.model = with(asked.model, {{"contextLength", 0}});  // not known
  expect_clean(asked);
}

TEST_CASE("notices: a batch that is not a whole number of sequences") {
  Asked asked;
  asked.run = with(asked.run, {{"batchTokens", 4e6}});
  expect_notice(asked, IssueCode::kNotWholeSequences, "batchTokens", 4e6 / 4096);
}

TEST_CASE("notices: more chips than tokens in the batch") {
  Asked asked;
  asked.run = with(asked.run, {{"batchTokens", 4096}, {"chips", 8192}});
  expect_notice(asked, IssueCode::kIdleChips, "chips", 4096);
}

TEST_CASE("notices: a tile that does not fit the core's memory") {
  const auto chip = with(tpu_v5e(), {{"tileMemory", 1e6}});
  const auto notices = [&](double rows, const Settings& others = {}) {
    const auto request = with(
        make<OperationRequest>({{"kind", kOperation<operations::TiledMatmul>}, {"tileRows", rows}}),
        others);
    const auto outcome = operation_outcome(chip, request);
    CHECK(outcome.issues.empty());
    return outcome.notices;
  };
  // Two blocks of each operand in bf16, the sums in fp32: 2 x 2 (128 r + 128^2) + 4 x 128 r.
  CHECK(notices(912).empty());  // 999,424
  expect_only(notices(913), IssueCode::kTileTooLarge, "operation", "tileRows", {1e6, 1000448});
  CHECK(notices(913, {{"kind", kOperation<operations::Matmul>}}).empty());
}

TEST_CASE("notices: operands that the on-chip memory does not hold") {
  const auto chip = with(tpu_v5e(), {{"onChipBandwidth", 1.8e13}, {"onChipMemory", 2e6}});
  const auto notices = [&](double batch, MemoryLevel level) {
    const auto request = make<OperationRequest>(
        {{"batch", batch}, {"contraction", 500}, {"output", 1000}, {"operandsIn", level}});
    const auto outcome = operation_outcome(chip, request);
    CHECK(outcome.issues.empty());
    return outcome.notices;
  };
  // 2 (500 B + 500 x 1000 + 1000 B) bytes.
  CHECK(notices(333, MemoryLevel::kOnChip).empty());
  expect_only(notices(334, MemoryLevel::kOnChip), IssueCode::kOperandsTooLarge, "operation",
              "operandsIn", {2e6, 2002000});
  CHECK(notices(334, MemoryLevel::kHbm).empty());
}

TEST_CASE("there is room for an issue of every field that matters") {
  PlanQuestion::Input input{};
  inputs::visit_fields(input, [](const FieldInfo&, double& value) {
    value = -std::numeric_limits<double>::infinity();
  });
  // These choices make most fields matter: they hang on a choice, or on a number above 0.
  input.chip["network"] = static_cast<double>(Network::kTorus);
  input.assumptions["rates"] = static_cast<double>(RatesFrom::kStated);
  input.model["attention"] = static_cast<double>(Attention::kLatent);
  input.model["experts"] = 1.5;
  input.model["slidingWindow"] = 1.5;
  for (const char* key : {"sharedExperts", "expertLatent", "indexTopK", "outputGroups"}) {
    input.model[key] = 1.5;
  }
  std::size_t wrong = 0;
  const auto count = [&]<template <class> class Group>(const Raw<Group>& group) {
    for (std::size_t i = 0; i < group.values.size(); ++i) {
      const FieldInfo& info = kFields<Group>[i];
      if (field_matters(kFields<Group>, info, group.values) && !is_allowed(info, group.values[i])) {
        ++wrong;
      }
    }
  };
  count(input.chip);
  count(input.model);
  count(input.run);
  count(input.layout);
  count(input.stack);
  count(input.assumptions);
  count(input.search);
  Issues issues;
  PlanQuestion::check_fields(input, issues);
  CHECK(wrong > 100);
  CHECK(issues.items().size() == wrong);
}

TEST_CASE("an MFU that attention makes more than the peak is a notice") {
  Asked asked;
  asked.run = with(asked.run, {{"sequenceLength", 131072}, {"batchTokens", 1 << 22}});
  const auto exact = [&] { return number<term::kMfuExact>(asked.outcome().answers); };
  CHECK(exact() > 0.4);
  CHECK(exact() < 1);
  CHECK(asked.outcome().notices.empty());
  asked.run = with(asked.run, {{"mfu", 0.9}});
  CHECK(exact() > 1);
  expect_notice(asked, IssueCode::kMfuAbovePeak, "mfu", exact());
  // The exact rule counts attention: FLOPs asked for and FLOPs done are the same.
  asked.run = with(asked.run, {{"flopsRule", FlopsRule::kExact}});
  CHECK_THAT(exact(), WithinRel(0.9, 1e-12));
  CHECK(asked.outcome().notices.empty());
}

}  // namespace
}  // namespace scaling::test::issue_test
