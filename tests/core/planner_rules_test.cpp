// SPDX-License-Identifier: MIT
//
// The book's rules on how to split a training (chapters 5, 6 and 12), found in the planner's cost
// model, which knows nothing of them: by bisection, within one percent of their closed forms, under
// the book's assumptions. These are an MLP of two matrices, transfers that hide as far as there is
// anything to hide behind, full rates, no latency, and nothing but computing and links that counts.
//
// The model is one layer with so little else (heads of one number, no norms, a vocabulary of one
// word, sequences of one token) that it takes less than a thousandth. One thing stays: attention
// sums its result over the tensor ways as the feed-forward part does, however narrow it is. Rules
// on tensor parallelism therefore take the feed-forward part's half of a layer's transfers.

#include <algorithm>
#include <cmath>
#include <utility>

#include "scaling/questions/plan/question.hpp"
#include "support.hpp"

namespace scaling::test::planner_rules_test {
namespace {

constexpr double kClose = 0.01;
constexpr double kHidden = 8192;
constexpr double kWidth = 28672;  // LLaMA 3 70B

/// The least number for which a condition, false at `from` and true at `to`, is true.
template <class Holds>
double least(double from, double to, Holds holds) {
  REQUIRE_FALSE(holds(from));
  REQUIRE(holds(to));
  while (to > from * (1 + 1e-9)) {
    const double middle = std::sqrt(from * to);
    (holds(middle) ? to : from) = middle;
  }
  return to;
}

/// HBM is no bound in these chapters.
Raw<Chip> ideal(const Raw<Chip>& chip) {
  return with(chip, {{"memoryBandwidth", 1e18}, {"hopLatency", 0}, {"scaleOutLatency", 0}});
}

Raw<Model> mlp(const Settings& others = {}) {
  const auto model = make<Model>({{"layers", 1},
                                  {"hidden", kHidden},
                                  {"feedForward", kWidth},
                                  {"heads", 1},
                                  {"kvHeads", 1},
                                  {"headDim", 1},
                                  {"vocabulary", 1},
                                  {"normsPerLayer", 0},
                                  {"gatedFeedForward", 0}});
  return with(model, others);
}

/// Each layer has `experts` of the MLP's width, a token passes through `active` of them.
Raw<Model> mixture(double experts, double active) {
  return mlp({{"experts", experts}, {"expertsPerToken", active}, {"expertFeedForward", kWidth}});
}

/// `micro_batch` tokens for each replica, all at once.
PlanQuestion::Input plan(const Raw<Chip>& chip, const Raw<Model>& model, const Settings& run,
                         double micro_batch, const Settings& layout) {
  const double tokens = std::round(micro_batch);
  const auto of_layout = with(make<Layout>({{"schedule", kSchedule<OneFOneB>},
                                            {"recompute", Recompute::kNone},
                                            {"gradientFormat", GradientCopies::kBf16},
                                            {"microBatch", tokens}}),
                              layout);
  auto of_run = with(make<Run>({{"sequenceLength", 1}, {"tokens", 1e15}}), run);
  const double replicas = typed(of_run).chips.value() / typed(of_layout).model_ways().value();
  of_run = with(of_run, {{"batchTokens", replicas * tokens}});
  const auto assumptions = make<Assumptions>({{"rates", RatesFrom::kStated},
                                              {"computeEfficiency", 1},
                                              {"memoryEfficiency", 1},
                                              {"networkEfficiency", 1},
                                              {"overlapTensor", 1},
                                              {"overlapContext", 1},
                                              {"overlapExpert", 1}});
  return {ideal(chip),
          model,
          of_run,
          of_layout,
          Raw<Stack>::defaults(),
          assumptions,
          Raw<SearchSpace>::defaults()};
}

/// Tokens of a replica from which on transfers of data parallelism hide behind computing.
double data_hides_from(const Raw<Chip>& chip, const Raw<Model>& model, const Settings& run,
                       const Settings& layout = {}) {
  return least(1, 1e6, [&](double tokens) {
    const auto answers = answers_to<PlanQuestion>(plan(chip, model, run, tokens, layout));
    return number<term::kExposedData>(answers) == 0;
  });
}

// --- chapter 5 ---

/// TPU v5p in pods of one to three axes.
Raw<Chip> pod_of_axes(double axes) {
  Settings unused;
  if (axes < 2) unused.push_back({"torusY", 1});
  if (axes < 3) unused.push_back({"torusZ", 1});
  return with(tpu_v5p(), unused);
}

TEST_CASE("planner rule: FSDP needs 2550 / M_X tokens a v5p chip") {
  // Slices whose axes are one ring, two and three; below a cube, only pods of fewer axes have
  // rings.
  CHECK_THAT(data_hides_from(pod_of_axes(1), mlp(), {{"chips", 8}}), WithinRel(2550.0, kClose));
  CHECK_THAT(data_hides_from(pod_of_axes(2), mlp(), {{"chips", 16}}), WithinRel(1275.0, kClose));
  CHECK_THAT(data_hides_from(tpu_v5p(), mlp(), {{"chips", 64}}), WithinRel(850.0, kClose));
  CHECK_THAT(data_hides_from(tpu_v5p(), mlp(), {{"chips", 8960}}), WithinRel(850.0, kClose));
}

TEST_CASE("planner rule: each stage of ZeRO costs the same as data parallelism") {
  for (const auto sharding : {StateSharding::kNone, StateSharding::kOptimizer,
                              StateSharding::kGradients, StateSharding::kParameters}) {
    const double found =
        data_hides_from(tpu_v5p(), mlp(), {{"chips", 8960}}, {{"sharding", sharding}});
    CHECK_THAT(found, WithinRel(850.0, kClose));
  }
}

TEST_CASE("planner rule: with experts FSDP needs E / k times the tokens") {
  for (const auto& [experts, active] : {std::pair{8.0, 2.0}, {16.0, 1.0}, {64.0, 8.0}}) {
    CHECK_THAT(data_hides_from(tpu_v5p(), mixture(experts, active), {{"chips", 8960}}),
               WithinRel(850.0 * experts / active, kClose));
  }
}

/// Time of the MLP's forward pass [s].
struct Forward {
  double math, tensor, gather;
};

StepBase<double> base_of(const SearchInput<double>& in, const Placement& placement) {
  const auto work = layer_work<double>(in);
  const auto ends = ends_work<double>(in);
  const auto transfers = make_step_transfers(in.chip, in.model, in.layout, placement, false,
                                             {in.model.experts_per_token, in.layout.expert_nodes});
  return make_step_base<double>(in, work, ends, transfers, placement);
}

Forward forward_of(const SearchInput<double>& in, const Placement& placement) {
  const auto base = base_of(in, placement);
  return {base.work.feed_forward.math.value(), base.dense_tensor.lower.value() / 2,
          base.stages[0].gather.lower.value()};
}

SearchInput<double> read(const PlanQuestion::Input& input) {
  return PlanQuestion::read<double>(input).plain;
}

/// Tokens of a slice from which on its gradients reach the other slices during the backward pass.
double slices_hide_from(double slice_chips, double slices) {
  const double of_chip = least(1, 1e6, [&](double tokens) {
    const auto in = read(
        plan(tpu_v5p(), mlp(), {{"chips", slice_chips * slices}, {"slices", slices}}, tokens, {}));
    const auto base = base_of(in, choose_for_layout(in).placement);
    return base.stages[0].replicas.lower <= base.stages[0].backward.math;
  });
  return of_chip * slice_chips;
}

TEST_CASE("planner rule: data parallelism over DCN needs 73,440 tokens a slice") {
  for (const double slice_chips : {1.0, 64.0, 256.0}) {
    CHECK_THAT(slices_hide_from(slice_chips, 512), WithinRel(73440.0, kClose));
    // Each of a few slices sends (S - 1) / S of that.
    CHECK_THAT(slices_hide_from(slice_chips, 2), WithinRel(73440.0 / 2, kClose));
    CHECK_THAT(slices_hide_from(slice_chips, 4), WithinRel(73440.0 * 3 / 4, kClose));
  }
  // The whole step: nothing shows, as long as chips have nothing else to move.
  CHECK_THAT(data_hides_from(tpu_v5p(), mlp(), {{"chips", 512}, {"slices", 512}}),
             WithinRel(73440.0, kClose));
}

TEST_CASE("planner rule: tensor parallelism helps up to M_Y F / 2550 ways") {
  struct Case {
    double ways, axes;
  };
  for (const auto& of : {Case{8, 1}, {16, 2}, {64, 3}, {8960, 3}}) {
    const double ways = of.ways;
    for (const bool sequence_parallel : {false, true}) {
      const Settings layout{{"tensor", ways}, {"sequenceParallel", sequence_parallel}};
      const double width = least(10, 1e8, [&](double of_layer) {
        auto in = read(
            plan(pod_of_axes(of.axes), mlp({{"heads", ways}}), {{"chips", ways}}, 65536, layout));
        in.model.feed_forward = Count<double>(of_layer);
        const auto forward = forward_of(in, choose_for_layout(in).placement);
        return forward.math >= forward.tensor;
      });
      CHECK_THAT(ways, WithinRel(of.axes * width / 2550, kClose));
    }
  }
}

// Chapters 5 and 6: FSDP on two axes, tensor parallelism on the third. Degrees need not be whole
// here: rings of any even length gather at the same rate.

/// A v5p pod, X ways of FSDP, `batch` tokens in all.
Forward mixed(double width, double batch, double data) {
  constexpr double kPod = 8960;
  auto in = read(plan(tpu_v5p(), mlp(), {{"chips", kPod}}, 1, {}));
  in.model.feed_forward = Count<double>(width);
  in.layout.tensor = Count<double>(kPod / data);
  in.layout.micro_batch = Count<double>(batch / data);
  Placement placement;
  placement.tensor = {16, 1, {16, 1, 1}, {1, 1, 1}, {true, false, false}};
  placement.shards = {560, 1, {1, 20, 28}, {1, 1, 1}, {false, true, true}};
  return forward_of(in, placement);
}

/// Both transfers at once, or as the first edition had it one after the other.
double at_once(const Forward& forward) { return std::max(forward.tensor, forward.gather); }
double in_turn(const Forward& forward) { return forward.tensor + forward.gather; }

/// The X with the shortest transfers.
double best_data_ways(double width, double batch, double (*moving)(const Forward&)) {
  double from = 1;
  double to = 8960;
  while (to > from * (1 + 1e-6)) {
    const double third = std::cbrt(to / from);
    const bool left =
        moving(mixed(width, batch, from * third)) < moving(mixed(width, batch, to / third));
    (left ? to : from) = left ? to / third : from * third;
  }
  return from;
}

double mixed_threshold_found(double width, double (*moving)(const Forward&)) {
  return least(1, 1e4, [&](double tokens) {
    const double batch = tokens * 8960;
    const auto forward = mixed(width, batch, best_data_ways(width, batch, moving));
    return forward.math >= moving(forward);
  });
}

TEST_CASE("planner rule: FSDP with tensor parallelism needs 113 tokens a chip for F = 28,672") {
  CHECK_THAT(mixed_threshold_found(28672, at_once), WithinRel(2550.0 * 2550 / 2 / 28672, kClose));
  CHECK_THAT(mixed_threshold_found(28672, at_once), WithinRel(113.0, kClose));
  CHECK_THAT(mixed_threshold_found(32768, at_once), WithinRel(99.0, kClose));
  // Transfers that do not overlap each other need four times as many.
  CHECK_THAT(mixed_threshold_found(28672, in_turn), WithinRel(453.0, kClose));
}

TEST_CASE("planner rule: LLaMA 3 70B on a v5p pod is best on X = 1618") {
  const double batch = 4 * 1024 * 1024;
  const double closed = std::sqrt(batch / kWidth * 2 * 8960);
  CHECK_THAT(closed, WithinRel(1618.0, 0.001));
  CHECK_THAT(best_data_ways(kWidth, batch, at_once), WithinRel(closed, kClose));
  CHECK_THAT(best_data_ways(kWidth, batch, in_turn), WithinRel(closed, kClose));
}

// --- chapter 12 ---

/// 400 GB/s out of a node.
Raw<Chip> book_h100() { return with(h100(), {{"scaleOutBandwidth", 4e11 / 8}}); }

TEST_CASE("planner rule: data parallelism needs 2200 tokens an H100 in its node, 2475 beyond") {
  // A level of D groups needs (D - 1) / D of it.
  const auto large_node = with(book_h100(), {{"scaleUpChips", 512}});
  CHECK_THAT(data_hides_from(large_node, mlp(), {{"chips", 512}}), WithinRel(2200.0, kClose));
  CHECK_THAT(data_hides_from(book_h100(), mlp(), {{"chips", 8}}),
             WithinRel(2200.0 * 7 / 8, kClose));
  const auto flat = with(book_h100(), {{"leafDomains", 512}});
  CHECK_THAT(data_hides_from(flat, mlp(), {{"chips", 4096}}), WithinRel(2475.0, kClose));
  CHECK_THAT(data_hides_from(book_h100(), mlp(), {{"chips", 256}}),
             WithinRel(2475.0 * 31 / 32, kClose));
  // However states are divided.
  for (const auto sharding : {StateSharding::kNone, StateSharding::kOptimizer}) {
    CHECK_THAT(data_hides_from(flat, mlp(), {{"chips", 4096}}, {{"sharding", sharding}}),
               WithinRel(2475.0, kClose));
  }
}

TEST_CASE("planner rule: with experts a GPU needs E / k times the tokens") {
  const auto flat = with(book_h100(), {{"leafDomains", 512}});
  CHECK_THAT(data_hides_from(flat, mixture(16, 4), {{"chips", 4096}}),
             WithinRel(2475.0 * 4, kClose));
}

TEST_CASE("planner rule: a model on m nodes needs an m-th of the tokens a GPU") {
  const auto flat = with(book_h100(), {{"leafDomains", 4096}});
  for (const double stages : {2.0, 4.0, 8.0}) {
    const double replica = data_hides_from(
        flat, mlp({{"layers", stages}, {"heads", 8}}), {{"chips", 512 * 8 * stages}},
        {{"pipeline", stages}, {"tensor", 8}, {"sharding", StateSharding::kNone}});
    CHECK_THAT(replica / (8 * stages), WithinRel(2475.0 / stages, kClose));
  }
}

/// Width from which on tokens reach their experts on `ways` GPUs while these compute.
double experts_hide_from(double ways, double active) {
  const auto chip = with(book_h100(), {{"leafDomains", 4096}});
  const auto model = mixture(ways, active);
  return least(10, 1e7, [&](double width) {
    auto input = plan(chip, model, {{"chips", ways}}, 65536, {{"expert", ways}});
    input.model = with(input.model, {{"expertFeedForward", std::round(width)}});
    return number<term::kExposedExpert>(answers_to<PlanQuestion>(input)) == 0;
  });
}

/// Nodes of `ways` GPUs that have any of a token's experts, if these may be anywhere. The book's
/// rules take min(k, Z/8), its footnote (and these tests, which had the former) this.
double distinct_nodes(double ways, double active) {
  const double nodes = ways / 8;
  return nodes * (1 - std::pow(1 - 1 / nodes, active));
}

TEST_CASE("planner rule: experts on Z GPUs need F > alpha (Z - 8) / k where k > Z / 8") {
  for (const auto& [ways, active] :
       {std::pair{16.0, 4.0}, {16.0, 8.0}, {32.0, 8.0}, {64.0, 16.0}}) {
    const double part = distinct_nodes(ways, active) / (ways / 8);
    CHECK_THAT(experts_hide_from(ways, active),
               WithinRel(2475 * (ways - 8) / active * part, kClose));
  }
}

TEST_CASE("planner rule: else F > 8 alpha (Z - 8) / Z, of many nodes the 8 alpha of the book") {
  for (const auto& [ways, active] :
       {std::pair{16.0, 1.0}, {64.0, 8.0}, {64.0, 4.0}, {256.0, 8.0}}) {
    const double part = distinct_nodes(ways, active) / active;
    CHECK_THAT(experts_hide_from(ways, active),
               WithinRel(8 * 2475 * (ways - 8) / ways * part, kClose));
  }
  // A token has so many experts that the router's computation does not matter.
  CHECK_THAT(experts_hide_from(2048, 64),
             WithinRel(19800.0 * distinct_nodes(2048, 64) / 64, kClose));
}

TEST_CASE("planner rule: a pipeline's hops take 2BD / (W N_MB) (N_MB + stages - 2) each way") {
  constexpr double kTokens = 4096;
  for (const double stages : {2.0, 4.0, 16.0}) {
    for (const double micro_batches : {1.0, 8.0, 64.0}) {
      // A stage is a node, each of whose GPUs sends its part.
      auto input =
          plan(book_h100(), mlp({{"layers", stages}, {"heads", 8}}), {{"chips", 8 * stages}},
               kTokens / micro_batches, {{"pipeline", stages}, {"tensor", 8}});
      input.run = with(input.run, {{"batchTokens", kTokens}});
      const double both_ways = number<term::kTimePipeline>(answers_to<PlanQuestion>(input));
      CHECK_THAT(both_ways / 2, WithinRel(2 * kTokens * kHidden / (4e11 * micro_batches) *
                                              (micro_batches + stages - 2),
                                          kClose));
    }
  }
}

}  // namespace
}  // namespace scaling::test::planner_rules_test
