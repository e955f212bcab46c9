// SPDX-License-Identifier: MIT
//
// Tensors kept for the backward pass: Korthikanti et al., table 2, and those dropped where
// memory lacks.

#include <algorithm>
#include <cmath>
#include <vector>

#include "plans.hpp"

namespace scaling::test::recompute_test {
namespace {

// --- Korthikanti et al. ---

/// A GPT as the paper has it: F = 4 h, multi-head attention, dropout, scores in memory.
struct Gpt {
  double s = 2048, b = 4, h = 6144, a = 64, t = 8;

  Planned planned(bool sequence_parallel, Recompute recompute, double tensor) const {
    Planned in;
    in.model = make<Model>({{"layers", 3},
                            {"hidden", h},
                            {"feedForward", 4 * h},
                            {"heads", a},
                            {"kvHeads", a},
                            {"headDim", h / a},
                            {"vocabulary", 51200},
                            {"gatedFeedForward", false}});
    in.run = make<Run>({{"chips", 64}, {"sequenceLength", s}, {"batchTokens", 64 * b * s}});
    return in.as({{"tensor", tensor},
                  {"sequenceParallel", sequence_parallel},
                  {"microBatch", b},
                  {"attentionKernel", AttentionKernel::kNaive},
                  {"dropout", true},
                  {"recompute", recompute}});
  }

  /// Bytes of one layer.
  double kept(bool sequence_parallel, Recompute recompute, double tensor) const {
    const auto in = planned(sequence_parallel, recompute, tensor).groups();
    const auto activations = layer_activations(in.model, in.run, in.layout, false);
    return keep(activations, LayerWork<double>{}, false, in.model, in.run, in.layout, {})
        .bytes.value();
  }
};

TEST_CASE("activations of a layer, Korthikanti et al. table 2") {
  for (const Gpt& gpt : {Gpt{}, Gpt{2048, 1, 12288, 96, 8}, Gpt{1024, 2, 4096, 32, 4}}) {
    const auto& [s, b, h, a, t] = gpt;
    const double sbh = s * b * h;
    const double scores = 5 * a * s / h;
    const auto none = Recompute::kNone;
    const auto selective = Recompute::kSelective;
    const auto close = [](double bytes) { return WithinRel(bytes, 1e-14); };
    CHECK_THAT(gpt.kept(false, none, 1), close(sbh * (34 + scores)));
    CHECK_THAT(gpt.kept(false, none, t), close(sbh * (10 + 24 / t + scores / t)));
    CHECK_THAT(gpt.kept(true, none, t), close(sbh * (34 / t + scores / t)));
    CHECK_THAT(gpt.kept(false, selective, t), close(sbh * (10 + 24 / t)));
    CHECK_THAT(gpt.kept(true, selective, t), close(sbh * (34 / t)));
    CHECK_THAT(gpt.kept(false, Recompute::kFull, t), close(sbh * 2));
    // The table lacks this case: sequence parallelism divides the inputs too.
    CHECK_THAT(gpt.kept(true, Recompute::kFull, t), close(sbh * 2 / t));
  }
}

TEST_CASE("the same as an answer, of all layers of the stage") {
  const Gpt gpt;
  const auto answers = gpt.planned(true, Recompute::kSelective, 8).answers();
  const double layer = gpt.s * gpt.b * gpt.h * 34 / 8;
  CHECK_THAT(number<term::kMemoryActivations>(answers), WithinRel(3 * layer, 1e-14));
  // The scores of one layer are there while it is computed again, and the gradients of what is at
  // work (which this test did not have): of the hidden state, of queries, keys and values, of the
  // result of attention, and of the scores.
  const double scores = 5 * gpt.a * gpt.s * gpt.s * gpt.b / 8;
  const double gradients =
      (2 + 6 + 2) * gpt.s * gpt.b * gpt.h / 8 + 2 * gpt.a * gpt.s * gpt.s * gpt.b / 8;
  CHECK_THAT(number<term::kMemoryWorking>(answers), WithinRel(scores + gradients, 1e-14));
  // Activations that one layer keeps follow recomputation (this once gave all that it has).
  CHECK_THAT(number<term::kLayerActivations>(answers), WithinRel(layer, 1e-14));
}

// --- modern layers ---

TEST_CASE("activations of a layer of LLaMA 3-8B") {
  // RMSNorm, SwiGLU, 8 KV heads for 32, FlashAttention: by hand, of 8192 tokens in bf16.
  Planned in = Planned{}.on({{"sequenceLength", 8192}}).as({{"microBatch", 1}});
  const auto groups = in.groups();
  const auto a = layer_activations(groups.model, groups.run, groups.layout, false);
  const double n = 8192;
  CHECK(a.input.value() == 2 * n * 4096);
  CHECK(a.middle.value() == 2 * n * 4096);
  CHECK(a.norms.value() == 2 * 2 * n * 4096);
  CHECK(a.qkv.value() == 2 * n * (4096 + 1024 + 1024));
  CHECK(a.attention.value() == 2 * n * 4096 + 4 * n * 32);  // with a sum in fp32 for each row
  CHECK(a.scores.value() == 0);
  CHECK(a.hidden.value() == 2 * n * 2 * 14336);
  CHECK(a.product.value() == 2 * n * 14336);
  CHECK(a.experts.value() == 0);
  CHECK(a.masks.value() == 0);
}

TEST_CASE("tensor ways divide all of a layer with sequence parallelism; context ways always do") {
  const auto total = [](const Settings& layout) {
    const auto in = Planned{}.as(layout).groups();
    return layer_activations(in.model, in.run, in.layout, false).total().value();
  };
  const double whole = total({});
  CHECK_THAT(total({{"tensor", 8}}), WithinRel(whole / 8, 1e-14));
  CHECK_THAT(total({{"context", 4}}), WithinRel(whole / 4, 1e-14));
  CHECK_THAT(total({{"tensor", 2}, {"context", 2}}), WithinRel(whole / 4, 1e-14));
  CHECK(total({{"tensor", 8}, {"sequenceParallel", false}}) > whole / 8);
  // There are more ways than KV heads, so keys and values are copies, 128 numbers each.
  const auto in = Planned{}.as({{"tensor", 16}}).groups();
  CHECK(layer_activations(in.model, in.run, in.layout, false).qkv.value() ==
        2 * 4096.0 * (4096 / 16 + 2 * 128));
}

TEST_CASE("latent attention keeps its compressed vectors, experts what goes to them") {
  Planned in;
  in.model = deepseek_v3();
  const auto groups = in.as({{"tensor", 2}}).groups();
  const auto a = layer_activations(groups.model, groups.run, groups.layout, true);
  const double n = 4096;
  // 128 heads of 128 + 64 for queries and keys, of 128 for values; ranks 1536 and 512, rope 64.
  CHECK(a.qkv.value() == 2 * n * (128 * (192 + 192 + 128) / 2 + 1536 + 512 + 64));
  // 8 experts and one shared, 2048 wide.
  CHECK(a.hidden.value() == 2 * n * 2 * 9 * 2048 / 2);
  CHECK(a.product.value() == 2 * n * 9 * 2048 / 2);
  // Each token goes to 8, with a result from each; the router's scores are in fp32.
  CHECK(a.experts.value() == 2 * n / 2 * 8 * 7168 + 4 * n / 2 * 256);
  CHECK(a.results.value() == 2 * n / 2 * 8 * 7168);
  // Inputs of matmuls are half as large in fp8.
  const auto fp8 = in.as({{"tensor", 2}, {"fp8Matmuls", true}}).groups();
  const auto b = layer_activations(fp8.model, fp8.run, fp8.layout, true);
  CHECK(b.norms.value() == a.norms.value() / 2);
  CHECK(b.product.value() == a.product.value() / 2);
  CHECK(b.hidden.value() == a.hidden.value());
  CHECK(b.experts.value() == 1 * n / 2 * 8 * 7168 + 4 * n / 2 * 256);
  CHECK(b.results.value() == a.results.value());
}

TEST_CASE("what the rules keep, and what they compute again") {
  const auto groups = Planned{}.groups();
  const auto work = layer_work<double>(groups);
  const auto a = layer_activations(groups.model, groups.run, groups.layout, false);
  const auto kept = [&](const Settings& layout) {
    return keep(a, work, false, groups.model, groups.run, typed(make<Layout>(layout)), {});
  };
  const double all = a.total().value();
  const double input = 2 * 4096.0 * 4096;
  const double forward = work.dense_forward().expected.value();

  const auto none = kept({{"recompute", Recompute::kNone}});
  CHECK(none.bytes.value() == all);
  CHECK(none.working.value() == 0);
  CHECK(none.work.expected.value() == 0);

  // FlashAttention writes no scores that could be dropped.
  const auto selective = kept({{"recompute", Recompute::kSelective}});
  CHECK(selective.bytes.value() == all);
  CHECK(selective.work.expected.value() == 0);

  const auto full = kept({{"recompute", Recompute::kFull}});
  CHECK(full.bytes.value() == input);
  CHECK(full.working.value() == all - input);
  CHECK(full.work.expected.value() == forward);
  CHECK(full.sums.value() == 1);

  const auto fourth = kept({{"recompute", Recompute::kEveryN}, {"recomputeLayers", 4}});
  CHECK(fourth.bytes.value() == input / 4);
  CHECK(fourth.working.value() == 4 * all - input / 4);
  CHECK(fourth.work.expected.value() == forward);

  // The book, chapter 6: 4 copies of B x D in bf16.
  const auto copies = kept({{"recompute", Recompute::kCopies}, {"savedCopies", 4}});
  CHECK(copies.bytes.value() == 4 * input);
}

TEST_CASE("the tensors that are kept add up to what is kept, whatever the rule") {
  inputs::Numbers numbers;
  for (int n = 0; n < 400; ++n) {
    Planned in;
    if (n % 2 == 1) in.model = deepseek_v3();
    in = any_plan(in, numbers).under({{"expertImbalance", n % 3 == 0 ? 2 : 1}});
    if (!in.outcome().issues.empty()) continue;
    const auto groups = in.groups();
    const auto choice = choose_for_layout(groups);
    const bool sparse = n % 2 == 1;
    const auto work = layer_work<double>(groups);
    const auto all = layer_activations(groups.model, groups.run, groups.layout, sparse,
                                       expert_imbalance(groups.layout, groups.assumptions));
    const auto kept =
        keep(all, work, sparse, groups.model, groups.run, groups.layout, choice.dropped);
    const auto tensors = kept_of_layer<double>(groups, choice.dropped);
    CAPTURE(n);
    CHECK(tensors.total().value() == kept.bytes.value());
    CHECK(number<term::kLayerActivations>(in.answers()) == kept.bytes.value());
    CHECK(tensors.hidden <= all.hidden);
    CHECK(tensors.results <= all.results);
  }
  // The rules keep everything, only the input, or a part of it.
  const auto kept = [](Recompute rule) {
    const auto in = Planned{}.as({{"recompute", rule}, {"recomputeLayers", 4}}).groups();
    return kept_of_layer<double>(in, {});
  };
  const double input = 2 * 4096.0 * 4096;
  CHECK(kept(Recompute::kFull).total().value() == input);
  CHECK(kept(Recompute::kFull).hidden.value() == 0);
  CHECK(kept(Recompute::kEveryN).total().value() == input / 4);
  CHECK(kept(Recompute::kNone).hidden.value() == 2 * 4096.0 * 2 * 14336);
}

TEST_CASE("every tensor that is there and can be computed again is offered to be") {
  for (const bool naive : {false, true}) {
    for (const auto& model : {llama3_8b(), mixtral_8x7b(), deepseek_v3()}) {
      Planned in;
      in.model = model;
      in = in.as({{"attentionKernel", naive ? AttentionKernel::kNaive : AttentionKernel::kFlash}});
      const auto groups = in.groups();
      const auto work = layer_work<double>(groups);
      const auto ends = ends_work<double>(groups);
      const auto choice = choose_for_layout(groups);
      const auto transfers =
          make_step_transfers(groups.chip, groups.model, groups.layout, choice.placement, false,
                              {groups.model.experts_per_token, groups.layout.expert_nodes});
      const auto base = make_step_base<double>(groups, work, ends, transfers, choice.placement);
      const auto& stage = base.stages[0].stage;
      const auto options = drop_options(base, stage);
      // All but what always stays: inputs of layers and experts, dropout's masks.
      double offered = 0;
      for (const auto& option : options) {
        offered += option.bytes * (stage.dense + stage.sparse).value();
        CHECK((option.bytes == 0) == (option.cost == 0));
      }
      const auto of = [](const LayerActivations<double>& a) {
        return (a.total() - a.input - a.experts - a.masks).value();
      };
      CHECK_THAT(offered, WithinRel(stage.dense.value() * of(base.dense_activations) +
                                        stage.sparse.value() * of(base.sparse_activations),
                                    1e-12));
    }
  }
}

// --- the cheapest set ---

using Options = std::array<DropOption, kDroppedKinds>;

double cost_of(const Options& options, const DroppedShares& shares, double layers) {
  double cost = 0;
  for (std::size_t i = 0; i < kDroppedKinds; ++i) cost += options[i].cost * shares[i] * layers;
  return cost;
}

/// The bytes that are freed: in each layer and micro-batch in flight that drops it, but once.
double freed_by(const Options& options, const DroppedShares& shares, double layers,
                double in_flight) {
  double freed = 0;
  for (std::size_t i = 0; i < kDroppedKinds; ++i) {
    if (shares[i] > 0) freed += options[i].bytes * (shares[i] * layers * in_flight - 1);
  }
  return freed;
}

/// The least cost of all choices in which at most one kind goes in some of the layers only.
double least_cost(const Options& options, double layers, double in_flight, double needed) {
  double least = 1e300;
  const auto try_one = [&](const DroppedShares& shares) {
    if (freed_by(options, shares, layers, in_flight) < needed * (1 - 1e-12)) return;
    least = std::min(least, cost_of(options, shares, layers));
  };
  for (unsigned set = 0; set < 1u << kDroppedKinds; ++set) {
    DroppedShares shares{};
    for (unsigned i = 0; i < kDroppedKinds; ++i) shares[i] = (set >> i) & 1u;
    try_one(shares);
    for (unsigned i = 0; i < kDroppedKinds; ++i) {
      if (shares[i] > 0) continue;
      for (double some = 1; some < layers; ++some) {
        auto partly = shares;
        partly[i] = some / layers;
        try_one(partly);
      }
    }
  }
  return least;
}

TEST_CASE("the cheapest drops are those that trying all finds") {
  inputs::Numbers numbers;
  for (int n = 0; n < 600; ++n) {
    Options options;
    for (auto& option : options) {
      const bool there = numbers.below(6) > 0;
      option = {there ? 1 + 99 * numbers.share() : 0, numbers.share()};
    }
    const auto layers = static_cast<double>(1 + numbers.below(9));
    const double in_flight =
        n % 2 == 0 ? static_cast<double>(1 + numbers.below(9)) : 1 + 8 * numbers.share();
    double all = 0;
    for (const auto& option : options) all += option.bytes * (layers * in_flight - 1);
    const double needed = 1.1 * numbers.share() * all;
    const auto shares = cheapest_drops(options, layers, in_flight, needed);
    CAPTURE(n);
    CAPTURE(layers);
    CAPTURE(in_flight);
    CAPTURE(needed / all);
    if (needed > all) {
      for (const double share : shares) CHECK(share == 1);
      continue;
    }
    CHECK(freed_by(options, shares, layers, in_flight) >= needed * (1 - 1e-12));
    CHECK_THAT(cost_of(options, shares, layers),
               WithinRel(least_cost(options, layers, in_flight, needed), 1e-12));
  }
}

TEST_CASE("nothing is dropped where nothing lacks") {
  Options options;
  options.fill({1, 1});
  CHECK(cheapest_drops(options, 4, 4, 0) == DroppedShares{});
  CHECK(cheapest_drops(options, 4, 4, -1) == DroppedShares{});
}

TEST_CASE("the more has to go, the more it costs") {
  const Options options{{{10, 1}, {20, 1}, {5, 3}, {1, 0.1}, {40, 9}, {8, 2}}};
  double before = 0;
  for (double needed = 0; needed < 4000; needed += 7) {
    const double cost = cost_of(options, cheapest_drops(options, 8, 6, needed), 8);
    CHECK(cost >= before);
    before = cost;
  }
}

/// The bytes that the fullest stage of the layout lacks with `dropped`.
double worst_lack(const SearchInput<double>& in, const LayoutChoice& choice,
                  const DroppedShares& dropped) {
  double worst = -1e300;
  for (double stage = 0; stage < in.layout.pipeline.value(); ++stage) {
    const auto memory = memory_of_stage(in, {choice.placement, dropped}, stage);
    worst = std::max(worst, (memory.total() - memory_limit(in.chip, in.assumptions)).value());
  }
  return worst;
}

TEST_CASE("with the cheapest recomputation a layout fits wherever dropping all would make it fit") {
  inputs::Numbers numbers;
  int tight = 0;
  for (int n = 0; n < 4000; ++n) {
    Planned in;
    const bool sparse = n % 4 == 3;
    in.model = sparse ? mixtral_8x7b() : llama3_8b();
    if (n % 8 == 3) in.model = with(in.model, {{"denseLayers", 3}});
    in = in.on({{"batchTokens", 4096.0 * 512}})
             .as({{"tensor", std::ldexp(1, static_cast<int>(numbers.below(4)))},
                  {"pipeline", std::ldexp(1, static_cast<int>(numbers.below(4)))},
                  {"microBatch", std::ldexp(1, static_cast<int>(numbers.below(4)))},
                  {"schedule", numbers.below(4)},
                  {"sharding", numbers.below(4)},
                  {"recompute", Recompute::kCheapest}});
    in.chip = with(in.chip, {{"memory", 8e9 * std::exp2(4 * numbers.share())}});
    const auto groups = in.groups();
    const auto choice = choose_for_layout(groups);
    DroppedShares all;
    all.fill(1);
    if (worst_lack(groups, choice, {}) <= 0 || worst_lack(groups, choice, all) > 0) continue;
    ++tight;
    CAPTURE(n);
    CHECK(worst_lack(groups, choice, choice.dropped) <= 0);
  }
  CHECK(tight > 100);
}

}  // namespace
}  // namespace scaling::test::recompute_test
