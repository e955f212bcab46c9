// SPDX-License-Identifier: MIT
//
// Models that see: the tower that makes tokens of images, and its projector.

#include "scaling/model/tower.hpp"
#include "plans.hpp"
#include "presets.hpp"
#include "scaling/training/launches.hpp"
#include "scaling/training/tower_work.hpp"
#include "servers.hpp"

namespace scaling::test::tower_test {
namespace {

using inputs::seeing;

void expect_issue(const Issues& issues, IssueCode code, const char* group, const char* field) {
  REQUIRE(issues.items().size() == 1);
  const Issue& issue = issues.items()[0];
  CHECK(static_cast<int>(issue.code) == static_cast<int>(code));
  CHECK(std::string_view(issue.group) == group);
  CHECK(std::string_view(issue.field) == field);
}

constexpr double kHidden = 1152, kWidth = 4304, kLayers = 27, kPatches = 4096, kTokens = 256;
constexpr double kMatrices = kLayers * (4 * kHidden * kHidden + 2 * kHidden * kWidth);

TEST_CASE("a tower has as many parameters as is published of it") {
  // Gemma 3's report, table 1: a vision encoder of 417M, beside 27B's embeddings and layers; the
  // projector's matrix, of 1152 x 5376, is no part of it. Its checkpoint has 27,432,406,640.
  const auto gemma = typed(model_presets().at("gemma-3-27b"));
  const double projector = kHidden * gemma.hidden.value();
  CHECK_THAT(tower_parameters(gemma).value() - projector, WithinRel(417e6, 0.002));
  const double own = count_parameters(gemma).total.value();
  CHECK(own + tower_parameters(gemma).value() == 27432406640);
  // Its own parameters are those of the language model.
  const auto text = typed(with(model_presets().at("gemma-3-27b"), {{"towerLayers", 0}}));
  CHECK(count_parameters(text).total.value() == own);
}

TEST_CASE("heads of a tower may be wider than its hidden size over their number") {
  // Kimi K3: 27 layers of 1,024 with 12 heads of 128, two matrices of 4,096, no biases. Its model
  // card gives 401M.
  const auto kimi = typed(model_presets().at("kimi-k3"));
  const double matrices = 27 * (4 * 1024 * 12 * 128 + 2 * 1024 * 4096);
  const double positions = 64 * 64 * 1024, patches = 3 * 14 * 14 * 1024;
  const double beside = tower_parameters(kimi).value() - kimi.projector_parameters.value();
  CHECK_THAT(beside, WithinRel(matrices + positions + patches, 1e-3));
  CHECK_THAT(beside, WithinRel(401e6, 1e-3));
  const double scores = 27 * 4 * 5476 * 12 * 128;
  CHECK_THAT(image_flops(kimi).value(), WithinRel(5476 * (2 * matrices + scores) +
                                                      2 * 1369 * kimi.projector_parameters.value(),
                                                  1e-12));
}

TEST_CASE("an image costs 2 FLOPs for each parameter and patch, and attention among all patches") {
  const auto model = typed(seeing(llama3_8b()));
  const double scores = 4 * kPatches * kHidden * kLayers;
  CHECK_THAT(image_flops(model).value(),
             WithinRel(kPatches * (2 * kMatrices + scores) + kTokens * 2 * kHidden * 4096, 1e-12));
}

TEST_CASE("layers with a window have scores for as many patches") {
  // Qwen2.5-VL: 28 of 32 layers see 8 x 8 patches of 14 pixels; 629.9M in matrices of the layers.
  const double hidden = 1280, width = 3420, layers = 32, patches = 5476;
  const Settings whole = {{"towerLayers", layers},     {"towerHidden", hidden},
                          {"towerFeedForward", width}, {"towerHeads", 16},
                          {"towerGated", 1},           {"imagePatches", patches},
                          {"imageTokens", patches / 4}};
  const auto flops = [&](const Settings& windows) {
    return image_flops(typed(with(with(llama3_8b(), whole), windows))).value();
  };
  const double matrices = layers * (4 * hidden * hidden + 3 * hidden * width);
  const double score = 4 * hidden * patches;
  CHECK_THAT(flops({}), WithinRel(patches * 2 * matrices + layers * patches * score, 1e-12));
  CHECK_THAT(flops({{"towerWindow", 64}, {"towerWindowedLayers", 28}}),
             WithinRel(patches * 2 * matrices + 4 * patches * score + 28 * 64 * score, 1e-12));
}

Planned trained_on(double images, const Settings& run = {}) {
  Planned in;
  in.model = seeing(in.model);
  in = in.on({{"chips", 1},
              {"batchTokens", 16384},
              {"sequenceLength", 4096},
              {"imagesPerSequence", images}});
  return in.on(run);
}

// --- serving ---

ServingQuestion::Input served(double images, double prompt, const Settings& server = {}) {
  auto input = serve("h100-sxm", "llama-3.1-8b",
                     {{"chips", 1}, {"users", 4}, {"promptTokens", prompt}}, server);
  input.model = seeing(input.model);
  input.serving["imagesPerPrompt"] = images;
  return input;
}

TEST_CASE("images are tokens of a prompt, and their tower is a part of its prefill") {
  const AskedServer with(served(3, 1000));
  const AskedServer text(served(0, 1000 + 3 * kTokens));
  CHECK(with.in.serving.prompt().value() == 1000 + 3 * kTokens);
  CHECK(with.room().mean.value() == text.room().mean.value());
  const double tower = with.prefill() - text.prefill();
  // Never faster than the chip's peak, and not far from it: 4,096 rows are many.
  const double peak = 3 * image_flops(with.in.model).value() / 989e12;
  CHECK(tower > peak);
  CHECK(tower < 3 * peak);
  // Prompts in pieces, and a cache that holds half of each, have as many images for each new token.
  const AskedServer pieces(served(3, 1000, {{"tokenBudget", 442}}));
  const AskedServer text_pieces(served(0, 1000 + 3 * kTokens, {{"tokenBudget", 442}}));
  CHECK_THAT(pieces.prefill() - text_pieces.prefill(), WithinRel(tower, 0.3));
  auto cached = served(4, 1024);
  cached.serving["prefixShare"] = 0.5;
  auto text_cached = served(0, 1024 + 4 * kTokens);
  text_cached.serving["prefixShare"] = 0.5;
  CHECK_THAT(AskedServer(cached).prefill() - AskedServer(text_cached).prefill(),
             WithinRel(2.0 / 3 * tower, 0.1));
  // Servers that decode know no images.
  CHECK(with.cycle(4).step.value() == text.cycle(4).step.value());
}

TEST_CASE("a server holds the tower in 16 bits, whatever images there are") {
  const auto weights = [](const Settings& server) { return AskedServer(served(0, 1, server)); };
  const double tower = 2 * tower_parameters(weights({}).in.model).value();
  const AskedServer eight = weights({{"weights", WeightFormat::kFp8}});
  CHECK(eight.weights.tower.value() == tower);
  const auto ways = answering_ways(eight.in.serving);
  CHECK_THAT(weights_of_chip(eight.weights, ways).value(),
             WithinRel(eight.weights.total().value() + tower, 1e-12));
  const auto answers = answers_to<ServingQuestion>(served(2, 1000));
  CHECK(number<term::kTowerBytes>(answers) == tower);
  CHECK(number<term::kPromptWithImages>(answers) == 1000 + 2 * kTokens);
  CHECK(number<term::kTowerTime>(answers) > 0);
  CHECK(number<term::kTowerTime>(answers) < number<term::kPrefillTime>(answers));
}

TEST_CASE("at stated rates a tower takes its FLOPs at them") {
  const Settings stated = {{"rates", RatesFrom::kStated}, {"computeEfficiency", 0.5}};
  const auto answers = answers_to<ServingQuestion>(served(2, 1000, stated));
  CHECK_THAT(number<term::kTowerTime>(answers),
             WithinRel(2 * image_flops(typed(seeing(llama3_8b()))).value() / (0.5 * 989e12), 0.01));
}

TEST_CASE("nothing shows images sooner than their FLOPs at the peak in 16 bits") {
  const double peak = chip_presets().at("h100-sxm")["peakBf16"];
  for (const auto weights : {WeightFormat::kBf16, WeightFormat::kFp8}) {
    for (const auto rates : {RatesFrom::kMeasured, RatesFrom::kStated}) {
      const Settings server = {{"weights", weights},
                               {"rates", rates},
                               {"computeEfficiency", 1},
                               {"memoryEfficiency", 1}};
      const auto seen = answers_to<ServingQuestion>(served(3, 1000, server));
      const auto text = answers_to<ServingQuestion>(served(0, 1000 + 3 * kTokens, server));
      const double tower = 3 * image_flops(typed(seeing(llama3_8b()))).value() / peak;
      CHECK_THAT(number<term::kFirstTokenLower>(seen) - number<term::kFirstTokenLower>(text),
                 WithinRel(tower, 1e-9));
      CHECK(number<term::kFirstTokenLower>(seen) <= number<term::kPrefillTime>(seen) * (1 + 1e-12));
      CHECK(number<term::kTowerTime>(seen) >= tower * (1 - 1e-12));
      CHECK(number<term::kDecodeFloor>(seen) == number<term::kDecodeFloor>(text));
    }
  }
}

TEST_CASE("a tower's kernels are launched as those of other layers") {
  // An image so small that its kernels take less than their launches.
  const auto time = [](double images, PromptLaunch launch) {
    auto input = served(images, 16 + (images > 0 ? 0 : 4), {{"promptLaunch", launch}});
    input.model = with(input.model, {{"imagePatches", 16}, {"imageTokens", 4}});
    return number<term::kPrefillTime>(answers_to<ServingQuestion>(input));
  };
  const ServingConstants& constants = kServingConstants;
  const double each = constants.kernels_layer.value * constants.eager_launch.value;
  CHECK_THAT(time(1, PromptLaunch::kEager) - time(0, PromptLaunch::kEager),
             WithinRel(kLayers * each, 1e-9));
  // Small kernels stand in the time of those that a graph holds, too.
  const double small = kLayers * constants.small_kernels.value * constants.small_kernel.value;
  CHECK(time(1, PromptLaunch::kAhead) - time(0, PromptLaunch::kAhead) > small);
  // A training launches those of its first stage.
  const auto launched = [](double images, bool trained) {
    auto in = trained_on(images, {{"trainTower", trained ? 1.0 : 0.0}});
    const auto groups = in.run_by({{"kernels", KernelLaunch::kEager}})
                            .under({{"rates", RatesFrom::kMeasured}})
                            .groups();
    const StepInput<double> step(groups);
    const auto stages = make_stages(step.model, step.layout, Count<double>(1));
    return launch_times(step, stages.list()[0]);
  };
  const auto text = launched(0, true), seen = launched(1, true), frozen = launched(1, false);
  const double share = kLayers / 32;
  CHECK_THAT(seen.forward.value(), WithinRel(text.forward.value() * (1 + share), 1e-12));
  CHECK_THAT(seen.back.value(), WithinRel(text.back.value() * (1 + 1.5 * share), 1e-12));
  CHECK_THAT(frozen.forward.value(), WithinRel(seen.forward.value(), 1e-12));
  CHECK(frozen.back.value() == text.back.value());
}

TEST_CASE("images without a tower, and more than a sequence holds, are refused") {
  auto blind = serve("h100-sxm", "llama-3.1-8b", {{"imagesPerPrompt", 1}});
  expect_issue(estimate<ServingQuestion>(blind).issues, IssueCode::kNoTower, "serving",
               "imagesPerPrompt");
  const Planned text = Planned{}.on({{"imagesPerSequence", 1}});
  expect_issue(text.outcome().issues, IssueCode::kNoTower, "run", "imagesPerSequence");
  Planned many = Planned{}.on({{"imagesPerSequence", 17}, {"sequenceLength", 4096}});
  many.model = seeing(many.model);
  expect_issue(many.outcome().issues, IssueCode::kAboveMaximum, "run", "imagesPerSequence");
}

// --- training ---

TEST_CASE("windows make an image's time shorter, in serving and in training") {
  const Settings windows = {{"towerWindow", 64}, {"towerWindowedLayers", 24}};
  const auto served_time = [](const ServingQuestion::Input& input) {
    return number<term::kTowerTime>(answers_to<ServingQuestion>(input));
  };
  auto input = served(2, 1000);
  const double all = served_time(input);
  input.model = with(input.model, windows);
  CHECK(served_time(input) < all);
  Planned in = trained_on(2);
  const double step = in.step().expected.value();
  in.model = with(in.model, windows);
  CHECK(in.step().expected.value() < step);
}

TEST_CASE("a frozen tower goes forward alone, one that is trained three times") {
  const auto flops = [](double images, const Settings& run) {
    const auto in = trained_on(images, run).groups();
    const auto computed = count_parameters(in.model);
    return training_flops(in.model, in.run, computed, used_parameters(in.model, computed))
        .training.value();
  };
  const double each = image_flops(typed(seeing(llama3_8b()))).value() / 4096;
  for (const auto trained : {Trained::kLora, Trained::kQlora, Trained::kLast}) {
    const Settings run = {{"trained", trained}};
    CHECK_THAT(flops(2, run) - flops(0, run), WithinRel(2 * each, 1e-9));
  }
  CHECK_THAT(flops(2, {{"trainTower", 0}}) - flops(0, {}), WithinRel(2 * each, 1e-9));
  CHECK_THAT(flops(2, {{"trainTower", 1}}) - flops(0, {}), WithinRel(6 * each, 1e-9));
}

TEST_CASE("a frozen tower has weights, one that is trained gradients and states besides") {
  const double tower = tower_parameters(typed(seeing(llama3_8b()))).value();
  const auto states = [](double images, const Settings& run) {
    return trained_on(images, run).step().memory.states;
  };
  for (const auto trained : {Trained::kLora, Trained::kQlora, Trained::kLast}) {
    const Settings run = {{"trained", trained}};
    CHECK_THAT(states(1, run).parameters.value() - states(0, run).parameters.value(),
               WithinRel(2 * tower, 1e-9));
    CHECK(states(1, run).gradients.value() == states(0, run).gradients.value());
    CHECK(states(1, run).optimizer.value() == states(0, run).optimizer.value());
  }
  const auto frozen = states(1, {{"trainTower", 0}});
  const auto all = states(1, {{"trainTower", 1}});
  const auto none = states(0, {});
  CHECK_THAT(frozen.parameters.value() - none.parameters.value(), WithinRel(2 * tower, 1e-9));
  CHECK_THAT(frozen.optimizer.value(), WithinRel(none.optimizer.value(), 1e-12));
  CHECK_THAT(all.optimizer.value() - none.optimizer.value(), WithinRel(12 * tower, 1e-9));
  CHECK(all.gradients.value() > frozen.gradients.value());
}

TEST_CASE("a step takes its tower's time, on the stage of the embedding") {
  const auto time = [](const Planned& in) { return in.step().expected.value(); };
  // At stated rates of 1: 4 sequences with an image each.
  const auto rates = [](const Planned& in) {
    Planned result = in;
    result.assumptions = ideal();
    return result;
  };
  const double image = image_flops(typed(seeing(llama3_8b()))).value() / 989e12;
  const Settings frozen = {{"trainTower", 0}};
  const double more = time(rates(trained_on(1, frozen))) - time(rates(trained_on(0, frozen)));
  CHECK(more > 4 * image);
  CHECK(more < 1.3 * 4 * image);
  // Forward, backward, and forward again, as its layers are computed again.
  const double back = time(rates(trained_on(1))) - time(rates(trained_on(0)));
  CHECK(back > 3.8 * more);
  CHECK(back < 4.4 * more);
}

}  // namespace
}  // namespace scaling::test::tower_test
