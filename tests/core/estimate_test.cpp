// SPDX-License-Identifier: MIT
//
// The questions as a whole: which bound wins, and that a derivation is the computation itself,
// over all presets and conventions.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ends.hpp"
#include "presets.hpp"
#include "recompute.hpp"
#include "scaling/questions/plan/question.hpp"
#include "share.hpp"

namespace scaling::test::estimate_test {
namespace {

constexpr std::size_t kTapeNodes = 1u << 15;  // the size of the binding's tape
constexpr std::size_t kPlanNodes = 1u << 15;  // the planner's

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// --- the overall bound ---

TEST_CASE("the batch a chip works on decides between compute and memory") {
  const auto bound_at = [](double batch) {
    return bound<term::kBound>(
        training(tpu_v5e(), llama3_8b(),
                 make<Run>({{"chips", 1}, {"batchTokens", batch}, {"sequenceLength", 1}})));
  };
  const auto answers = training(tpu_v5e(), llama3_8b(), make<Run>({{"chips", 1}}));
  const double critical = number<term::kExactCriticalBatch>(answers);
  CHECK(bound_at(std::floor(critical)) == Bound::kMemory);
  CHECK(bound_at(std::ceil(critical)) == Bound::kCompute);
}

TEST_CASE("experts see their part of the batch, so that it must be E/k times as large") {
  const auto answers =
      training(tpu_v5e(), mixtral_8x7b(), make<Run>({{"chips", 1}, {"batchTokens", 4096}}));
  CHECK(number<term::kRowsPerWeight>(answers) == 4096 / 4.0);
  CHECK_THAT(number<term::kCriticalBatch>(answers), WithinRel(4 * 240.2439, 1e-6));
  const auto bound_at = [](double batch) {
    return bound<term::kMatmulBound>(
        training(tpu_v5e(), mixtral_8x7b(),
                 make<Run>({{"chips", 1}, {"batchTokens", batch}, {"sequenceLength", 1}})));
  };
  const double critical = number<term::kExactCriticalBatch>(answers);
  CHECK(bound_at(std::floor(critical)) == Bound::kMemory);
  CHECK(bound_at(std::ceil(critical)) == Bound::kCompute);
}

TEST_CASE("a network that binds FSDP alone is no bound where tensor parallelism helps") {
  const auto run = make<Run>({{"chips", 8960}, {"batchTokens", 4 << 20}});
  const auto answers = training(tpu_v5p(), llama3_70b(), run);
  CHECK(bound<term::kFsdpBound>(answers) == Bound::kNetwork);
  CHECK(bound<term::kMixedBound>(answers) == Bound::kCompute);
  CHECK(bound<term::kBound>(answers) == Bound::kCompute);
  const auto small = training(tpu_v5p(), llama3_70b(), with(run, {{"batchTokens", 1 << 19}}));
  CHECK(bound<term::kMixedBound>(small) == Bound::kNetwork);
  CHECK(bound<term::kBound>(small) == Bound::kNetwork);
}

TEST_CASE("the thresholds are where the bounds change") {
  for (const auto& chip : {tpu_v5p(), h100(), b200()}) {
    const double chips = 4096;
    const auto at = [&](double tokens) {
      return training(
          chip, llama3_70b(),
          make<Run>(
              {{"chips", chips}, {"batchTokens", std::round(tokens)}, {"sequenceLength", 1}}));
    };
    const double fsdp = number<term::kFsdpThreshold>(at(1e6)) * chips;
    CHECK(bound<term::kFsdpBound>(at(fsdp - 2)) == Bound::kNetwork);
    CHECK(bound<term::kFsdpBound>(at(fsdp + 2)) == Bound::kCompute);
    const double mixed = number<term::kMixedThreshold>(at(1e6)) * chips;
    CHECK(bound<term::kMixedBound>(at(mixed - 2)) == Bound::kNetwork);
    CHECK(bound<term::kMixedBound>(at(mixed + 2)) == Bound::kCompute);
    // The most chips for a batch are those at which it just reaches the threshold.
    CHECK_THAT(number<term::kFsdpMaximumChips>(at(fsdp)), WithinRel(chips, 1e-5));
    CHECK_THAT(number<term::kMixedMaximumChips>(at(mixed)), WithinRel(chips, 1e-5));
  }
}

// --- the lists of answers ---

template <class Question>
void check_terms() {
  const auto file = read_json(SCALING_SHARED_DIR "/sources.json");
  std::set<std::string> keys;
  for (const Term* term : Question::template Answers<double>::kList) {
    INFO(term->key);
    CHECK(keys.insert(term->key).second);
    CHECK(std::string(term->symbol).empty() == !term->choices.empty());
    CHECK(file.at("sources").contains(term->source));
  }
}

TEST_CASE("answers have a key of their own, a symbol and a known source") {
  check_terms<TrainingQuestion>();
  check_terms<OperationQuestion>();
  check_terms<CollectiveQuestion>();
  check_terms<PlanQuestion>();
  check_terms<ServingQuestion>();
}

// --- derivations ---

using InputValues = std::unordered_map<const FieldInfo*, double>;

/// The values that fields have in a checked input.
template <class Input>
InputValues values_of(Input& input) {
  InputValues values;
  inputs::visit_fields(input, [&](const FieldInfo& info, double& value) { values[&info] = value; });
  return values;
}

/// The result of a node's operation on the values of its arguments.
double evaluate(const Tape& tape, const Node& node) {
  const double left = node.left == kNowhere ? 0 : tape[node.left].value;
  const double right = node.right == kNowhere ? 0 : tape[node.right].value;
  return recompute(node, left, right);
}

bool is_binary(Op op) {
  return op == Op::kAdd || op == Op::kSubtract || op == Op::kMultiply || op == Op::kDivide ||
         op == Op::kMin || op == Op::kMax || op == Op::kChooseIfBelow;
}

std::set<std::string, std::less<>> known_sources() {
  std::set<std::string, std::less<>> keys;
  const auto file = read_json(SCALING_SHARED_DIR "/sources.json");
  for (const auto& [key, source] : file.at("sources").items()) keys.insert(key);
  return keys;
}

/// The fault of node `id` of a tape; empty if it has none.
std::string fault(const Tape& tape, NodeId id, const InputValues& input,
                  const std::set<std::string, std::less<>>& sources) {
  const Node& node = tape[id];
  const bool leaf = node.op == Op::kNumber || node.op == Op::kInput;
  if (leaf != (node.left == kNowhere)) return "has the wrong arguments";
  if (is_binary(node.op) != (node.right != kNowhere)) return "has the wrong arguments";
  if (node.left >= id || node.right >= id) return "comes before its arguments";
  if (!same_bits(node.value, evaluate(tape, node))) return "is not what its expression gives";
  if ((node.op == Op::kInput) != (node.field != nullptr)) return "has or lacks a field";
  if (node.op == Op::kInput) {
    const auto put_in = input.find(node.field);
    if (put_in == input.end() || !same_bits(node.value, put_in->second)) {
      return "is not what was put in";
    }
  }
  if ((node.op == Op::kStep) != (node.term != nullptr)) return "has or lacks a name";
  if (node.op == Op::kStep) {
    const Term& term = *node.term;
    if (std::string_view(term.key).empty()) return "has no name";
    if (std::string_view(term.symbol).empty() == term.choices.empty()) {
      return "has the wrong symbol";
    }
    if (!term.choices.empty() &&
        !(node.value >= 0 && node.value < static_cast<double>(term.choices.size())))
      return "is no choice";
    if (!sources.contains(std::string_view(term.source))) return "has no known source";
  }
  return "";
}

/// Checks that `input` has the same answers on doubles and on a tape, and that the tape is sound.
template <class Question>
void check_derivations(typename Question::Input input, std::vector<Node>& storage) {
  static const auto sources = known_sources();
  Issues issues;
  Issues notices;
  check<Question>(input, issues, notices, [](const auto&) {});
  fail_on(issues);
  const auto plain = Question::template answer<double>(Question::template read<double>(input));

  Tape tape(storage);
  const Tape::Recording recording(tape);
  const auto traced = Question::template answer<Traced>(Question::template read<Traced>(input));
  CHECK_FALSE(tape.full());

  const InputValues values = values_of(input);
  std::string found;
  for (std::size_t i = 0; i < plain.kSize; ++i) {
    const Term& term = *plain.kList[i];
    if (plain.absences()[i] != traced.absences()[i]) {
      found += std::string(term.key) + " is absent in one; ";
    } else if (plain.absences()[i] == Absence::kPresent) {
      if (!same_bits(plain.values()[i], traced.values()[i].value())) {
        found += std::string(term.key) + " differs; ";
      }
      if (!std::isfinite(plain.values()[i])) found += std::string(term.key) + " is not finite; ";
      if (tape[traced.values()[i].node()].term != &term) {
        found += std::string(term.key) + " does not bear its name; ";
      }
    }
  }
  for (NodeId id = 1; id < tape.size(); ++id) {
    const std::string wrong = fault(tape, id, values, sources);
    if (!wrong.empty()) found += "node " + std::to_string(id) + " " + wrong + "; ";
  }
  INFO(found);
  CHECK(found.empty());
}

std::vector<Node> tape_storage() { return std::vector<Node>(kTapeNodes); }

TEST_CASE("on every chip, a derivation is the computation") {
  auto storage = tape_storage();
  for (const bool book : {false, true}) {
    for (const auto& [id, chip] : chip_presets(book)) {
      INFO(id);
      for (const auto& model : {llama3_70b(), mixtral_8x7b(), deepseek_v3()}) {
        for (const double chips : {1.0, 2.0, 64.0}) {
          const double most = std::max(1.0, typed(chip).network == Network::kTorus
                                                ? typed(chip).domain_chips().value()
                                                : chips);
          check_derivations<TrainingQuestion>(
              {chip, model,
               make<Run>(
                   {{"chips", std::min(chips, most)}, {"computeFormat", compute_format_of(chip)}})},
              storage);
        }
      }
    }
  }
}

TEST_CASE("with every model, a derivation is the computation") {
  auto storage = tape_storage();
  for (const auto& [id, model] : model_presets()) {
    INFO(id);
    for (const auto& chip : {tpu_v5p(), h100()}) {
      for (const auto rule : {FlopsRule::kSixN, FlopsRule::kExact}) {
        for (const auto checkpoints :
             {CheckpointRule::kModernLayer, CheckpointRule::kKorthikantiNone}) {
          check_derivations<TrainingQuestion>(
              {chip, model, make<Run>({{"flopsRule", rule}, {"checkpointRule", checkpoints}})},
              storage);
        }
      }
    }
  }
}

TEST_CASE("by every convention, a derivation is the computation") {
  auto storage = tape_storage();
  const auto presets = model_presets();
  for (const char* id : {"llama-3-70b", "deepseek-v3", "gpt-oss-120b"}) {
    for (double stage = 0; stage <= 3; ++stage) {
      for (double rule = 0; rule <= 4; ++rule) {
        for (double flops = 0; flops <= 2; ++flops) {
          for (const double slices : {1.0, 4.0}) {
            for (const bool bytes : {false, true}) {
              const auto run = make<Run>({{"chips", 4096},
                                          {"slices", slices},
                                          {"stateSharding", stage},
                                          {"checkpointRule", rule},
                                          {"flopsRule", flops},
                                          {"attentionMask", bytes},
                                          {"countLmHead", bytes},
                                          {"weightFormat", bytes ? Format::kFp8 : Format::kBf16},
                                          {"gradientBytes", bytes ? 4 : 0}});
              check_derivations<TrainingQuestion>({tpu_v5p(), presets.at(id), run}, storage);
            }
          }
        }
      }
    }
  }
}

TEST_CASE("with stated counts and strange shapes, a derivation is the computation") {
  auto storage = tape_storage();
  const Raw<Model> models[] = {
      with(llama3_8b(), {{"statedParameters", 8e9}}),
      with(mixtral_8x7b(), {{"statedParameters", 47e9}, {"statedActiveParameters", 13e9}}),
      with(mixtral_8x7b(), {{"denseLayers", 32}}),  // experts, but no layer that has them
      with(llama3_8b(), {{"layers", 1}, {"hidden", 1}, {"feedForward", 1}, {"vocabulary", 1}}),
      with(llama3_8b(), {{"slidingWindow", 1}, {"windowedLayers", 32}}),
      with(deepseek_v3(), {{"queryRank", 0}, {"ropeDim", 0}, {"mtpModules", 3}})};
  const Raw<Run> runs[] = {make<Run>({{"chips", 1}}),
                           make<Run>({{"tokens", 1}, {"batchTokens", 1}, {"sequenceLength", 1}}),
                           make<Run>({{"chips", 1e9}, {"slices", 1e6}, {"optimizerBytes", 0}}),
                           make<Run>({{"checkpointsPerLayer", 0}, {"mfu", 1e-4}, {"pue", 10}})};
  for (const auto& model : models) {
    for (const auto& run : runs) {
      check_derivations<TrainingQuestion>({h100(), model, run}, storage);
    }
  }
}

/// Chips with all that any operation asks for.
std::vector<Raw<Chip>> equipped_chips() {
  const Settings others{{"onChipBandwidth", 1.8e13}, {"hostBandwidth", 1.6e10}};
  return {with(with(tpu_v5e(), others), {{"tileMemory", 1.3e8}}), with(h100(), others),
          with(with(h100(), others), {{"network", Network::kNone}})};
}

TEST_CASE("of every operation, a derivation is the computation") {
  auto storage = tape_storage();
  for (const auto& chip : equipped_chips()) {
    for (std::size_t kind = 0; kind < std::size(kOperationKindNames); ++kind) {
      for (double pass = 0; pass < 3; ++pass) {
        for (const double batch : {1.0, 256.0, 1e12}) {
          for (const double size : {64.0, 480.0, 1e12}) {
            for (const Format weights : {Format::kBf16, Format::kInt4}) {
              const auto level = static_cast<MemoryLevel>(kind % 3);
              check_derivations<OperationQuestion>(
                  {chip, mixtral_8x7b(), make<Mesh>({{"x", 8}}),
                   make<OperationRequest>({{"kind", kind},
                                           {"pass", pass},
                                           {"operandsIn", level},
                                           {"length", size},
                                           {"chain", 3},
                                           {"fused", 2},
                                           {"batch", batch},
                                           {"contraction", size},
                                           {"output", size},
                                           {"sequences", std::min(batch, 1e6)},
                                           {"queries", std::min(size, 1e6)},
                                           {"keys", size},
                                           {"weightFormat", weights}})},
                  storage);
            }
          }
        }
      }
    }
  }
}

TEST_CASE("of every way to shard a matmul, a derivation is the computation") {
  auto storage = tape_storage();
  for (const auto& chip : equipped_chips()) {
    for (const Settings& mesh : {Settings{{"x", 1}}, Settings{{"x", 2}},
                                 Settings{{"x", 16}, {"y", 4}}, Settings{{"x", 3}, {"y", 5}}}) {
      for (double ways = 0; ways < 36; ++ways) {
        const auto digit = [&](double step, double base) {
          return std::fmod(std::floor(ways / step), base);
        };
        for (double pass = 0; pass < 3; ++pass) {
          check_derivations<OperationQuestion>(
              {chip, Raw<Model>::defaults(), make<Mesh>(mesh),
               make<OperationRequest>({{"kind", kOperation<operations::ShardedMatmul>},
                                       {"pass", pass},
                                       {"activationSharding", digit(1, 3)},
                                       {"weightSharding", digit(3, 3)},
                                       {"gathered", digit(9, 2)},
                                       {"reduction", digit(18, 2)}})},
              storage);
        }
      }
    }
  }
}

TEST_CASE("of every part of every model, a derivation is the computation") {
  auto storage = tape_storage();
  const auto chip = equipped_chips()[0];
  for (const auto& [id, model] : model_presets()) {
    INFO(id);
    for (std::size_t kind = static_cast<std::size_t>(kOperation<operations::Norm>);
         kind < std::size(kOperationKindNames); ++kind) {
      const bool of_experts = kind == static_cast<std::size_t>(kOperation<operations::Router>) ||
                              kind == static_cast<std::size_t>(kOperation<operations::Experts>);
      if (of_experts && !typed(model).sparse()) continue;
      for (const auto kernel : {AttentionKernel::kFlash, AttentionKernel::kNaive}) {
        for (const auto form : {LatentForm::kExpanded, LatentForm::kAbsorbed}) {
          check_derivations<OperationQuestion>(
              {chip, model, Raw<Mesh>::defaults(),
               make<OperationRequest>({{"kind", kind},
                                       {"pass", Pass::kBoth},
                                       {"attentionKernel", kernel},
                                       {"attentionMask", AttentionMask::kCausal},
                                       {"latentForm", form}})},
              storage);
        }
      }
    }
  }
}

TEST_CASE("of every collective, a derivation is the computation") {
  auto storage = tape_storage();
  auto chips = equipped_chips();
  chips.push_back(with(tpu_v5p(), {{"wraparound", Wraparound::kNever}}));
  chips.push_back(with(h100(), {{"leafDomains", 2}, {"oversubscription", 3}}));
  for (const auto& chip : chips) {
    for (const Settings& mesh :
         {Settings{{"x", 1}}, Settings{{"x", 2}}, Settings{{"x", 16}, {"y", 4}},
          Settings{{"x", 16}, {"y", 3}, {"otherShards", 4}},
          Settings{{"x", 16}, {"direction", 1}}}) {
      for (std::size_t kind = 0; kind < std::size(kCollectiveKindNames); ++kind) {
        for (const double bytes : {1.0, 1e9, 1e18}) {
          for (const double option : {0.0, 1.0}) {
            check_derivations<CollectiveQuestion>(
                {chip, make<Mesh>(mesh),
                 make<CollectiveRequest>({{"kind", kind},
                                          {"bytes", bytes},
                                          {"inNetworkReduction", option},
                                          {"destinations", 3 * option},
                                          {"distanceX", 0}})},
                storage);
          }
        }
      }
    }
  }
}

/// The inputs that tests start from have every kind of chip, model and layout, and each schedule.
constexpr std::size_t kPlans = 36 * std::size(kPipelineScheduleNames);

TEST_CASE("of every kind of layout, a derivation is the computation") {
  std::vector<Node> storage(kPlanNodes);
  for (std::size_t which = 0; which < kPlans; ++which) {
    INFO("plan " << which);
    check_derivations<PlanQuestion>(inputs::base<PlanQuestion>(which), storage);
  }
}

TEST_CASE("of layouts with anything changed, a derivation is the computation") {
  std::vector<Node> storage(kPlanNodes);
  inputs::Numbers numbers;
  for (std::size_t n = 0; n < 1500; ++n) {
    const auto input = inputs::vary<PlanQuestion>(inputs::base<PlanQuestion>(n), numbers, 4);
    if (!estimate<PlanQuestion>(input).issues.empty()) continue;
    INFO("plan " << n);
    check_derivations<PlanQuestion>(input, storage);
  }
}

/// Each load, number of ways, format and kind of rates.
constexpr std::size_t kServings = 9 * 28;

TEST_CASE("of every kind of serving, a derivation is the computation") {
  std::vector<Node> storage(kPlanNodes);
  for (std::size_t which = 0; which < kServings; ++which) {
    INFO("serving " << which);
    check_derivations<ServingQuestion>(inputs::base<ServingQuestion>(which), storage);
  }
}

TEST_CASE("of serving with anything changed, a derivation is the computation") {
  std::vector<Node> storage(kPlanNodes);
  inputs::Numbers numbers;
  for (std::size_t n = 0; n < 1000; ++n) {
    const auto input = inputs::vary<ServingQuestion>(inputs::base<ServingQuestion>(n), numbers, 4);
    if (!estimate<ServingQuestion>(input).issues.empty()) continue;
    INFO("serving " << n);
    check_derivations<ServingQuestion>(input, storage);
  }
}

template <class Question>
void check_explain(const typename Question::Input& input, std::size_t nodes = kTapeNodes) {
  const auto answers = answers_to<Question>(input);
  std::vector<Node> storage(nodes);
  for (std::size_t i = 0; i < answers.kSize; ++i) {
    Tape tape(storage);
    Issues issues;
    const NodeId root = explain<Question>(input, i, tape, issues);
    const Term& term = *answers.kList[i];
    INFO(term.key);
    CHECK(issues.empty());
    CHECK_FALSE(tape.full());
    if (answers.absences()[i] != Absence::kPresent) {
      CHECK(root == kNowhere);
      continue;
    }
    REQUIRE(root != kNowhere);
    CHECK(tape[root].op == Op::kStep);
    CHECK(tape[root].term == &term);
    CHECK(same_bits(tape[root].value, answers.values()[i]));
  }
}

TEST_CASE("each answer that is there can be explained, under its own name") {
  check_explain<TrainingQuestion>({tpu_v5p(), llama3_70b(), chapter6_run()});
  check_explain<TrainingQuestion>({h100(), deepseek_v3(), chapter6_run()});
  const auto asks = [](OperationKind kind) { return make<OperationRequest>({{"kind", kind}}); };
  check_explain<OperationQuestion>({tpu_v5e(), Raw<Model>::defaults(), make<Mesh>({{"x", 2}}),
                                    asks(kOperation<operations::ShardedMatmul>)});
  for (const auto kind : {kOperation<operations::Matmul>, kOperation<operations::TiledMatmul>,
                          kOperation<operations::Attention>}) {
    check_explain<OperationQuestion>(
        {h100(), Raw<Model>::defaults(), Raw<Mesh>::defaults(), asks(kind)});
  }
  check_explain<OperationQuestion>(
      {h100(), deepseek_v3(), Raw<Mesh>::defaults(), asks(kOperation<operations::Layer>)});
  check_explain<CollectiveQuestion>(
      {h100(), make<Mesh>({{"x", 4096}}), Raw<CollectiveRequest>::defaults()});
  for (std::size_t which = 0; which < kPlans; which += 9) {
    check_explain<PlanQuestion>(inputs::base<PlanQuestion>(which), kPlanNodes);
  }
  for (std::size_t which = 0; which < kServings; which += 7) {
    check_explain<ServingQuestion>(inputs::base<ServingQuestion>(which), kPlanNodes);
  }
}

TEST_CASE("what cannot be answered is not explained") {
  auto storage = tape_storage();
  Tape tape(storage);
  Issues issues;
  const auto wrong = with(chapter6_run(), {{"mfu", 2}});
  CHECK(explain<TrainingQuestion>({tpu_v5p(), llama3_70b(), wrong}, 0, tape, issues) == kNowhere);
  CHECK_FALSE(issues.empty());
  CHECK(tape.size() == 1);

  Issues none;
  for (const std::size_t index : {TrainingQuestion::Answers<double>::kSize, std::size_t{1} << 31}) {
    Tape fresh(storage);
    CHECK(explain<TrainingQuestion>({tpu_v5p(), llama3_70b(), chapter6_run()}, index, fresh,
                                    none) == kNowhere);
  }
  CHECK(none.empty());
}

/// Whether the answers are finite numbers or say why not, where there are some.
template <class Question>
bool is_sound(const typename Question::Input& input) {
  const auto outcome = estimate<Question>(input);
  if (!outcome.issues.empty()) return true;
  const auto& answers = outcome.answers;
  for (std::size_t i = 0; i < answers.kSize; ++i) {
    if (answers.absences()[i] == Absence::kPresent && !std::isfinite(answers.values()[i])) {
      return false;
    }
  }
  return true;
}

/// Each field of each group at its least and its greatest, the others as they are.
template <class Question>
void check_extremes(const typename Question::Input& base) {
  at_ends<Question>(base, [](const auto& input) { CHECK(is_sound<Question>(input)); });
}

TEST_CASE("the extremes that fields allow give answers or say why not, never nonsense") {
  Share share;
  check_extremes<TrainingQuestion>({tpu_v5p(), deepseek_v3(), chapter6_run()});
  for (std::size_t which = 0; which < 9 * std::size(kOperationKindNames); ++which) {
    if (share.takes()) check_extremes<OperationQuestion>(inputs::base<OperationQuestion>(which));
  }
  for (std::size_t which = 0; which < 9 * std::size(kCollectiveKindNames); ++which) {
    if (share.takes()) check_extremes<CollectiveQuestion>(inputs::base<CollectiveQuestion>(which));
  }
  for (std::size_t which = 0; which < kPlans; which += 5) {
    if (share.takes()) check_extremes<PlanQuestion>(inputs::base<PlanQuestion>(which));
  }
  for (std::size_t which = 0; which < kServings; which += 5) {
    if (share.takes()) check_extremes<ServingQuestion>(inputs::base<ServingQuestion>(which));
  }
}

TEST_CASE("the inputs that tests start from have nothing wrong with them") {
  for (std::size_t which = 0; which < 9 * std::size(kOperationKindNames); ++which) {
    INFO("operation " << which);
    CHECK(estimate<OperationQuestion>(inputs::base<OperationQuestion>(which)).issues.empty());
  }
  for (std::size_t which = 0; which < 9 * std::size(kCollectiveKindNames); ++which) {
    INFO("collective " << which);
    CHECK(estimate<CollectiveQuestion>(inputs::base<CollectiveQuestion>(which)).issues.empty());
  }
  for (std::size_t which = 0; which < kPlans; ++which) {
    INFO("plan " << which);
    CHECK(estimate<PlanQuestion>(inputs::base<PlanQuestion>(which)).issues.empty());
  }
  for (std::size_t which = 0; which < kServings; ++which) {
    INFO("serving " << which);
    CHECK(estimate<ServingQuestion>(inputs::base<ServingQuestion>(which)).issues.empty());
  }
}

}  // namespace
}  // namespace scaling::test::estimate_test
