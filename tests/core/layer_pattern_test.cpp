// SPDX-License-Identifier: MIT

#include <string>

#include "kind_models.hpp"

namespace scaling::test::layer_pattern_test {
namespace {

using kind_models::patterned;

LayerPattern read(const std::string& text) {
  LayerPattern pattern;
  TextFault fault{};
  INFO(text);
  REQUIRE(LayerPattern::parse(text, pattern, fault));
  return pattern;
}

double experts_between(const LayerPattern& pattern, double first, double last) {
  LayerPattern::Counts counts{};
  pattern.count_between(first, last, counts);
  return pattern.experts_of(counts);
}

/// A letter for each layer: with experts or without.
std::string experts_of(const LayerPattern& pattern) {
  std::string layers;
  for (double i = 0; i < pattern.layers; ++i) {
    layers += experts_between(pattern, i, i + 1) > 0 ? 'e' : '.';
  }
  return layers;
}

void expect_fault(const std::string& text, IssueCode code, double argument) {
  LayerPattern pattern;
  TextFault fault{};
  INFO(text);
  REQUIRE_FALSE(LayerPattern::parse(text, pattern, fault));
  CHECK(static_cast<int>(fault.code) == static_cast<int>(code));
  CHECK(fault.argument == argument);
}

TEST_CASE("a pattern is read in order, and layers that are alike are counted together") {
  const auto pattern = read("ad.2xle.ae.le");
  REQUIRE(pattern.groups().size() == 3);
  CHECK(pattern.layers == 5);
  CHECK(pattern.groups()[0].mixer == Mixer::kAttention);
  CHECK(pattern.groups()[0].feed_forward == FeedForward::kDense);
  CHECK(pattern.groups()[1].mixer == Mixer::kLinear);
  CHECK(pattern.groups()[1].layers == 3);
  CHECK(experts_of(pattern) == ".eeee");
  CHECK(experts_of(read("2x(m-.2x(-e.ad)).c4e")) == ".e.e..e.e.e");
}

TEST_CASE("sizes of a layer tell it from others") {
  const auto pattern = read("a8d14336.a8d.ad14336.c128e.--");
  REQUIRE(pattern.groups().size() == 5);
  CHECK(pattern.groups()[0].mixer_size == 8);
  CHECK(pattern.groups()[0].width == 14336);
  CHECK(pattern.groups()[1].width == 0);
  CHECK(pattern.groups()[2].mixer_size == 0);
  CHECK(pattern.groups()[3].mixer_size == 128);
  CHECK(pattern.groups()[4].mixer == Mixer::kNone);
}

TEST_CASE("separators are points, commas and spaces") {
  for (const char* text : {"2xad.se.ld", "2xad,se,ld", "2xad se ld", " 2xad . se,\n ld. "}) {
    CHECK(read(text).layers == 4);
  }
  CHECK(read("").empty());
  CHECK(read(" . ").empty());
}

TEST_CASE("what can't be read is told by its place") {
  using enum IssueCode;
  expect_fault("ad.xe", kPatternUnreadable, 4);
  expect_fault("ad.aq", kPatternUnreadable, 5);
  expect_fault("ad.a", kPatternUnreadable, 5);
  expect_fault("3ad", kPatternUnreadable, 2);
  expect_fault("0xad", kPatternUnreadable, 1);
  expect_fault("adae", kPatternUnreadable, 3);
  expect_fault("ce", kPatternUnreadable, 2);   // the number of tokens is missing
  expect_fault("l4d", kPatternUnreadable, 2);  // has no key/value heads
  expect_fault("ae8", kPatternUnreadable, 3);  // experts' width is the model's
  expect_fault("()", kPatternUnreadable, 2);
  expect_fault("a0d", kPatternUnreadable, 2);
  expect_fault("ad99999999", kPatternUnreadable, 3);
  expect_fault("2x(ad", kPatternBrackets, 3);
  expect_fault("ad.(le.(ad)", kPatternBrackets, 4);
  expect_fault("ad)", kPatternBrackets, 3);
  expect_fault("((((((((ad))))))))x", kPatternUnreadable, 19);
  expect_fault("(((((((((ad)))))))))", kPatternBrackets, 9);
}

TEST_CASE("a million layers, or too many kinds, are refused by their limits") {
  using enum IssueCode;
  CHECK(read("4096xad").layers == 4096);
  CHECK(read("64x(64xad)").layers == 4096);
  expect_fault("4097xad", kPatternLayers, 4096);
  expect_fault("1000000xad", kPatternLayers, 4096);
  expect_fault("1000x(1000xad)", kPatternLayers, 4096);
  expect_fault("65x(64xad)", kPatternLayers, 4096);
  std::string kinds;
  for (int width = 1; width <= 32; ++width) kinds += ".ad" + std::to_string(width);
  CHECK(read(kinds).groups().size() == 32);
  expect_fault(kinds + ".ae", kPatternKinds, 32);
}

TEST_CASE("experts are counted between any two layers") {
  const auto pattern = read("3xad.100x(ae.2xad).7xae");
  const auto layers = experts_of(pattern);
  for (double first = 0; first <= pattern.layers; first += 7) {
    for (double last = first; last <= pattern.layers; last += 5) {
      const auto part =
          layers.substr(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
      CHECK(experts_between(pattern, first, last) ==
            static_cast<double>(std::count(part.begin(), part.end(), 'e')));
    }
  }
}

TEST_CASE("no text makes the reader fall over, and what it reads adds up") {
  inputs::Numbers numbers;
  const std::string marks = "aawslcm--dddee()x0123456789.., ?\n";
  int right = 0;
  for (int i = 0; i < 200000; ++i) {
    std::string text;
    for (auto length = numbers.below(14); length > 0; --length)
      text += marks[numbers.place(marks.size())];
    LayerPattern pattern;
    TextFault fault{};
    if (!LayerPattern::parse(text, pattern, fault)) {
      const bool placed =
          fault.code == IssueCode::kPatternUnreadable || fault.code == IssueCode::kPatternBrackets;
      if (placed &&
          !(fault.argument >= 1 && fault.argument <= static_cast<double>(text.size()) + 1)) {
        FAIL(text << " is wrong at " << fault.argument);
      }
      continue;
    }
    ++right;
    double layers = 0;
    double experts = 0;
    for (const auto& group : pattern.groups()) {
      if (!(group.layers >= 1)) FAIL(text << " has a kind without layers");
      layers += group.layers;
      if (group.feed_forward == FeedForward::kExperts) experts += group.layers;
    }
    if (layers != pattern.layers) FAIL(text << " does not add up");
    if (experts_between(pattern, 0, layers) != experts) FAIL(text << ": experts do not add up");
  }
  CHECK(right > 1000);
}

// --- in a model ---

Issues issues_of(const Raw<Model>& model) {
  auto input = inputs::base<TrainingQuestion>(0);
  input.model = model;
  return estimate<TrainingQuestion>(input).issues;
}

void expect_issue(const Raw<Model>& model, IssueCode code, const std::string& field,
                  double first = 0, double second = 0) {
  const Issues issues = issues_of(model);
  REQUIRE(issues.items().size() == 1);
  const Issue& issue = issues.items()[0];
  CHECK(static_cast<int>(issue.code) == static_cast<int>(code));
  CHECK(std::string(issue.field) == field);
  CHECK(issue.arguments[0] == first);
  CHECK(issue.arguments[1] == second);
}

TEST_CASE("layers and pattern are of one number") {
  Raw<Model> model = inputs::llama3_70b();
  model.text("layerPattern") = Text("79xad");
  expect_issue(model, IssueCode::kPatternSum, "layerPattern", 80, 79);
  model.text("layerPattern") = Text("80xad");
  CHECK(issues_of(model).empty());
}

TEST_CASE("a kind of layer asks for its sizes") {
  using enum IssueCode;
  const auto of = [](const char* pattern) { return patterned(pattern, inputs::llama3_70b()); };
  expect_issue(of("wd"), kPartNeeded, "slidingWindow");
  expect_issue(of("sd"), kPartNeeded, "indexTopK");
  expect_issue(of("ae"), kPartNeeded, "experts");
  expect_issue(with(of("c4d"), {{"slidingWindow", 128}}), kPartNeeded, "sharedKeyValue");
  CHECK(issues_of(of("ld")).items().size() == 4);  // heads and sizes of keys and values
  CHECK(std::string(issues_of(of("ld")).items()[0].field) == "linearKeyHeads");
  CHECK(issues_of(of("m-")).items().size() == 3);
  CHECK(issues_of(with(of("m-"), {{"mambaHeads", 8}, {"mambaHeadDim", 64}, {"mambaState", 128}}))
            .empty());
  expect_issue(
      with(of("m-"),
           {{"mambaHeads", 8}, {"mambaHeadDim", 64}, {"mambaState", 128}, {"mambaGroups", 3}}),
      kGroupsDontDivide, "mambaGroups", 8);
  expect_issue(of("a7d"), kGroupsDontDivide, "layerPattern", 64);
  expect_issue(of("ad.xx"), kPatternUnreadable, "layerPattern", 4);
}

TEST_CASE("a text that is too long is refused by the limit") {
  Raw<Model> model = inputs::llama3_70b();
  model.text("layerPattern") = Text(std::string(800, ' ') + "80xad");
  expect_issue(model, IssueCode::kTextTooLong, "layerPattern", 800);
  model.text("layerPattern") = Text(std::string(795, ' ') + "80xad");
  CHECK(issues_of(model).empty());
}

TEST_CASE("fields of kinds that a model has not do not matter") {
  Raw<Model> model = inputs::llama3_70b();
  CHECK(issues_of(with(model, {{"linearKeyHeads", -1}, {"mambaState", 0.5}})).empty());
}

}  // namespace
}  // namespace scaling::test::layer_pattern_test
