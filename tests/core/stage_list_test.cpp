// SPDX-License-Identifier: MIT

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "plans.hpp"
#include "scaling/input/stage_list.hpp"

namespace scaling::test::stage_list_test {
namespace {

StageList read(const std::string& text) {
  StageList list;
  TextFault fault{};
  INFO(text);
  REQUIRE(StageList::parse(text, list, fault));
  return list;
}

std::vector<int> layers_of(const std::string& text) {
  const auto list = read(text);
  return {list.items.begin(), list.items.begin() + static_cast<std::ptrdiff_t>(list.size)};
}

void expect_fault(const std::string& text, IssueCode code, double argument = 0) {
  StageList list;
  TextFault fault{};
  INFO(text);
  REQUIRE_FALSE(StageList::parse(text, list, fault));
  CHECK(static_cast<int>(fault.code) == static_cast<int>(code));
  CHECK(fault.argument == argument);
}

TEST_CASE("a list of stages is read as numbers, or as Megatron-LM writes it") {
  using Layers = std::vector<int>;
  CHECK(read("").empty());
  CHECK(read(" , ").empty());
  CHECK(layers_of("3,2, 2 0") == Layers{3, 2, 2, 0});
  CHECK(layers_of("3,2*3,0*2") == Layers{3, 2, 2, 2, 0, 0});
  CHECK(layers_of("0,4") == Layers{0, 4});
  CHECK(layers_of("Ettt|tt|L") == Layers{3, 2, 0});
  CHECK(layers_of("E|(t|)*3,mm||L") == Layers{0, 1, 1, 1, 0, 0, 0});
  CHECK(layers_of("Et*2|((t|)*2tt|)*2L") == Layers{2, 1, 1, 2, 1, 1, 2, 0});

  // Source: the example of Megatron-LM, for DeepSeek-V3 on 16 stages of 2 chunks.
  const auto list = read("Et*3|(tt|)*29,m|L");
  CHECK(list.size == 32);
  CHECK(list.layers == 61);
  CHECK(list.items[0] == 3);
  CHECK(list.items[29] == 2);
  CHECK(list.before(30) == 61);
  CHECK(list.longest() == 3);
  CHECK(list.modules == 1);
  CHECK(list.modules_at == 30);
  // Source: Megatron-Bridge, DeepSeek-V3 on GB300.
  CHECK(read("Et*4|(t*4|)*14tmL").size == 16);
  CHECK(read("Et*4|(t*4|)*14tmL").layers == 61);
}

TEST_CASE("what a list of stages can't be is told by place") {
  expect_fault("Et|xL", IssueCode::kStagesUnreadable, 4);
  expect_fault("3,2|2", IssueCode::kStagesUnreadable, 4);
  expect_fault("3,,-2", IssueCode::kStagesUnreadable, 4);
  expect_fault("Et*0L", IssueCode::kStagesUnreadable, 4);
  expect_fault("Et*L", IssueCode::kStagesUnreadable, 4);
  expect_fault("E()t|L", IssueCode::kStagesUnreadable, 3);
  expect_fault("E(t|L", IssueCode::kPatternBrackets, 2);
  expect_fault("Et)|L", IssueCode::kPatternBrackets, 3);
  expect_fault("E(((((((((t)))))))))L", IssueCode::kPatternBrackets, 10);
  for (const char* text :
       {"tE|tL", "tt|tL", "Et|t", "Et|Lt", "EEt|L", "Et|LL", "E(t|L)*2", "|EtL"}) {
    expect_fault(text, IssueCode::kStagesEnds);
  }
  expect_fault("Et|m|tL", IssueCode::kStagesModules);
  expect_fault("Et|m|mL", IssueCode::kStagesModules);
  expect_fault("1*257", IssueCode::kStagesMost, 256);
  expect_fault("E(t|)*256L", IssueCode::kStagesMost, 256);
  expect_fault("5000", IssueCode::kPatternLayers, 4096);
  expect_fault("4096,1", IssueCode::kPatternLayers, 4096);
  expect_fault("E(t*4000)*4000L", IssueCode::kPatternLayers, 4096);
}

/// A plan whose stages have the layers of a list.
Planned listed(Planned in, const std::string& list) {
  in.layout.text("stageLayers") = Text(list);
  return in;
}

/// 32 layers in `stages`, interleaved where there are chunks.
Planned staged(double stages, double chunks = 1) {
  return Planned{}.as({{"pipeline", stages},
                       {"schedule", kSchedule<Interleaved>},
                       {"virtualStages", chunks},
                       {"recompute", Recompute::kFull},
                       {"sharding", StateSharding::kOptimizer}});
}

Planned deepseek(double stages, double chunks) {
  Planned in = staged(stages, chunks).as({{"expert", 8}});
  in.model = deepseek_v3();
  in.model = with(in.model, {{"mtpModules", 1}});
  return in.on({{"chips", 2048}, {"batchTokens", 1 << 24}});
}

/// Expects two plans to be answered alike.
void expect_same(const Planned& some, const Planned& others) {
  const auto a = some.answers();
  const auto b = others.answers();
  for (std::size_t i = 0; i < a.values().size(); ++i) {
    const double x = a.values()[i];
    const double y = b.values()[i];
    CAPTURE(std::string(a.kList[i]->key));
    if (std::isfinite(x) || std::isfinite(y)) CHECK(x == y);
  }
}

TEST_CASE("a list that says what is cut anyway changes nothing") {
  const auto of = [](Planned in, double layers) { return in.changed<Model>({{"layers", layers}}); };
  expect_same(listed(staged(1), "32"), staged(1));
  expect_same(listed(staged(4), "8*4"), staged(4));
  expect_same(listed(staged(4), "Et*8|(t*8|)*2,t*8L"), staged(4));
  expect_same(listed(staged(4, 2), "4*8"), staged(4, 2));
  expect_same(listed(of(staged(4), 30), "7,8,8,7"), of(staged(4), 30));
  expect_same(listed(of(staged(4, 2), 30), "3,4*6,3"), of(staged(4, 2), 30));
  for (const auto schedule : {kSchedule<Zbv>, kSchedule<DualPipe>}) {
    const auto in = staged(4).as({{"schedule", schedule}});
    expect_same(listed(in, schedule == kSchedule<Zbv> ? "4*8" : "8*4"), in);
  }
  expect_same(listed(deepseek(16, 1), "3,4*13,3*2"), deepseek(16, 1));
  expect_same(listed(deepseek(16, 1), "Et*3|(t*4|)*13t*3|t*3mL"), deepseek(16, 1));

  Planned mixed = of(staged(4, 2), 16);
  mixed.model = with(mixed.model, {{"slidingWindow", 1024}});
  mixed.model.text("layerPattern") = Text("4x(3xwd.ad)");
  expect_same(listed(mixed, "2*8"), mixed);
}

TEST_CASE("a list moves layers, and with them memory and time") {
  const auto even = staged(4).answers();
  const auto uneven = listed(staged(4), "14,6,6,6").answers();
  CHECK(number<term::kLayersPerStage>(even) == 8);
  CHECK(number<term::kLayersPerStage>(uneven) == 14);
  CHECK(number<term::kFullestLayers>(uneven) == 14);
  CHECK(number<term::kFullestStage>(uneven) == 1);
  CHECK(number<term::kMemoryUsed>(uneven) > number<term::kMemoryUsed>(even));
  CHECK(number<term::kStepExpected>(uneven) > 1.2 * number<term::kStepExpected>(even));
  CHECK(number<term::kStepLower>(uneven) > 1.2 * number<term::kStepLower>(even));
  // Layers taken off the end that has the head shorten a step.
  const auto off = listed(staged(8).changed<Model>({{"layers", 31}}), "4*7,3").answers();
  const auto on = listed(staged(8).changed<Model>({{"layers", 31}}), "3,4*7").answers();
  CHECK(number<term::kStepExpected>(off) < number<term::kStepExpected>(on));
  // The longest chunk sets the pace of the bubble.
  CHECK(number<term::kBubbleTime>(listed(staged(4, 2), "8,4,4,4,0,4,4,4").answers()) >
        1.5 * number<term::kBubbleTime>(staged(4, 2).answers()));
}

TEST_CASE("embedding, loss and modules lie where the list has them") {
  const auto in = listed(deepseek(16, 2), "Et*3|(tt|)*29,m|L").groups();
  const auto stage = [&](double index) {
    return make_stage(in.model, in.layout, count_of(16), index);
  };
  double dense = 0;
  double sparse = 0;
  for (double i = 0; i < 16; ++i) {
    dense += stage(i).dense.value();
    sparse += stage(i).sparse.value();
    CHECK(stage(i).heads.value() == (i >= 14 ? 1 : 0));
  }
  CHECK(dense == 3);
  CHECK(sparse == 58 + 1);
  CHECK(stage(0).dense.value() == 3);
  CHECK(stage(0).sparse.value() == 2);
  CHECK(stage(14).sparse.value() == 2 + 1);
  CHECK(stage(15).sparse.value() == 2);
  CHECK(stage(14).vocabulary.value() == 2 * stage(15).vocabulary.value());

  // Ends that have a stage to themselves.
  const auto alone = listed(staged(4), "E|t*16|t*16|L");
  const auto groups = alone.groups();
  const auto last = make_stage(groups.model, groups.layout, count_of(8), 3);
  CHECK((last.dense + last.sparse).value() == 0);
  CHECK(last.heads.value() == 1);
  CHECK(last.vocabulary.value() > 0);
  for (const double value : alone.answers().values()) CHECK_FALSE(std::isinf(value));
  CHECK(number<term::kFullestStage>(alone.answers()) == 2);
}

TEST_CASE("stages that a list makes the slowest or the fullest are costed") {
  inputs::Numbers numbers;
  for (int i = 0; i < 60; ++i) {
    Planned in = staged(8, 2);
    std::string list;
    double layers = 0;
    for (int part = 0; part < 16; ++part) {
      const auto count = static_cast<double>(numbers.below(6));
      layers += count;
      list += (part > 0 ? "," : "") + std::to_string(static_cast<int>(count));
    }
    in = listed(in.changed<Model>({{"layers", layers}}), list);
    const auto groups = in.groups();
    double most = 0;
    double all = 0;
    for (double index = 0; index < 8; ++index) {
      const auto stage = make_stage(groups.model, groups.layout, count_of(16), index);
      most = std::fmax(most, stage.dense.value());
      all += stage.dense.value();
    }
    double costed = 0;
    const auto chosen = make_stages(groups.model, groups.layout, count_of(16));
    for (const auto& stage : chosen.list()) costed = std::fmax(costed, stage.dense.value());
    INFO(list);
    CHECK(all == layers);
    CHECK(costed == most);
    CHECK(busiest_layers(groups.model.layers, groups.layout).value() == most);
    CHECK(in.outcome().issues.empty());
  }
}

TEST_CASE("a stage may have as many layers as a model") {
  // A count that does not hold them is found by the sanitizers.
  const auto of = [](double layers) {
    return staged(1).changed<Model>({{"layers", layers}}).answers();
  };
  CHECK_THAT(number<term::kMemoryParameters>(of(1e5)),
             WithinRel(10 * number<term::kMemoryParameters>(of(1e4)), 0.01));
}

TEST_CASE("a list that does not fit the model or the layout is refused by name") {
  const auto expect = [](const Planned& in, IssueCode code, double wanted, double given) {
    const auto issues = in.outcome().issues;
    REQUIRE(issues.items().size() == 1);
    const Issue& issue = issues.items()[0];
    CHECK(static_cast<int>(issue.code) == static_cast<int>(code));
    CHECK(std::string(issue.field) == "stageLayers");
    CHECK(issue.arguments[0] == wanted);
    CHECK(issue.arguments[1] == given);
  };
  expect(listed(staged(4), "8*3"), IssueCode::kStagesCount, 4, 3);
  expect(listed(staged(4, 2), "8*4"), IssueCode::kStagesCount, 8, 4);
  expect(listed(staged(4).as({{"schedule", kSchedule<Zbv>}}), "8*4"), IssueCode::kStagesCount, 8,
         4);
  expect(listed(staged(4), "8*3,9"), IssueCode::kPatternSum, 32, 33);
  expect(listed(staged(4), "Et*8|(t*8|)*2t*8mL"), IssueCode::kStagesModulesSum, 0, 1);
  expect(listed(staged(4), "8*3,?"), IssueCode::kStagesUnreadable, 5, 0);
  expect(listed(staged(4), "t*8|(t*8|)*2t*8"), IssueCode::kStagesEnds, 0, 0);
  // More chunks than layers: those without layers are empty.
  CHECK(listed(staged(4, 16), "1*32,0*32").outcome().issues.empty());
  CHECK_FALSE(staged(4, 16).outcome().issues.empty());
}

TEST_CASE("a search spreads layers evenly, whatever the list") {
  // They hold too much for a stack.
  const auto with_list_kept = std::make_unique<LayoutSearch>(
      listed(staged(4), "14,6,6,6").groups(), MapField::kTensor, MapField::kPipeline);
  const auto without_kept =
      std::make_unique<LayoutSearch>(staged(4).groups(), MapField::kTensor, MapField::kPipeline);
  LayoutSearch& with_list = *with_list_kept;
  LayoutSearch& without = *without_kept;
  with_list.find_best();
  without.find_best();
  REQUIRE(with_list.best().size() == without.best().size());
  CHECK(with_list.best()[0].expected == without.best()[0].expected);
  CHECK(with_list.best()[0].layout.stage_layers.empty());
}

}  // namespace
}  // namespace scaling::test::stage_list_test
