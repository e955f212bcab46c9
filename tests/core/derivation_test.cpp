// SPDX-License-Identifier: MIT
//
// Derivations hold numbers with a name and a source, and no operand without an effect.

#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "plans.hpp"
#include "scaling/questions/expected_time.hpp"
#include "servers.hpp"

namespace scaling::test::derivation_test {
namespace {

/// Numbers that explain themselves: small whole ones, powers of two as sizes of tiles are, steps of
/// units, and the half byte of a format of four bits.
bool is_plain(double value) {
  const double size = std::fabs(value);
  if (size != std::floor(size)) return size == 0.5;
  if (size <= 20) return true;
  const std::set<double> steps{24, 100, 1e3, 3600, 86400, 1e6};
  return steps.count(size) > 0 || (size <= 1024 && std::exp2(std::round(std::log2(size))) == size);
}

bool is_literal(const Node& node) { return node.op == Op::kNumber && node.constant == 0; }

/// Faults of derivations: each once, with the step that it lies in and the question that first had
/// it.
class Faults {
 public:
  /// Looks at all that leads to `root`.
  void look_at(const Tape& tape, NodeId root, const std::string& question) {
    std::vector<bool> needed(root + 1, false);
    std::vector<const char*> step(root + 1, "");
    needed[root] = true;
    for (NodeId id = root; id != kNowhere; --id) {
      if (!needed[id]) continue;
      const Node& node = tape[id];
      ++nodes_;
      const char* own = node.op == Op::kStep ? node.term->key : step[id];
      for (const NodeId argument : {node.left, node.right}) {
        if (argument == kNowhere) continue;
        needed[argument] = true;
        step[argument] = own;
      }
      look_at_node(tape, node, question + ": " + own + ": ");
    }
  }

  std::size_t nodes() const { return nodes_; }
  std::string told() const {
    std::ostringstream out;
    std::size_t all = 0;
    for (const auto& [fault, times] : found_) {
      out << fault << " (" << times << ")\n";
      all += times;
    }
    out << found_.size() << " kinds, " << all << " places";
    return found_.empty() ? "" : out.str();
  }

 private:
  void look_at_node(const Tape& tape, const Node& node, const std::string& place) {
    const auto add = [&](const std::string& fault) { ++found_[place + fault]; };
    const auto said = [](double value) {
      std::ostringstream out;
      out << value;
      return out.str();
    };
    if (node.op == Op::kStep) return;
    const Node& left = tape[node.left];
    const Node& right = tape[node.right];
    for (const NodeId argument : {node.left, node.right}) {
      const Node& number = tape[argument];
      if (argument == kNowhere || !is_literal(number)) continue;
      if (!is_plain(number.value)) add("a number without a name: " + said(number.value));
    }
    const auto is = [&](const Node& x, double value) {
      const Node* number = &x;
      while (value == 0 && number->op == Op::kStep) number = &tape[number->left];
      return is_literal(*number) && number->value == value;
    };
    switch (node.op) {
      case Op::kAdd:
        if (is(left, 0) || is(right, 0)) add("a sum with 0");
        break;
      case Op::kSubtract:
        if (is(right, 0)) add("less 0");
        break;
      case Op::kMultiply:
        if (is(left, 0) || is(right, 0)) add("a product with 0");
        if (is(left, 1) || is(right, 1)) add("a product with 1");
        break;
      case Op::kDivide:
        if (is(left, 0)) add("0 divided");
        if (is(right, 1)) add("a division by 1");
        if (node.left == node.right) add("divided by itself");
        break;
      case Op::kMin:
      case Op::kMax:
        if (node.left == node.right) add("a limit of one");
        for (const Node* limit : {&left, &right}) {
          const Node& other = limit == &left ? right : left;
          if (is_literal(*limit) && other.value == node.value) {
            add("a limit that is not one: " + said(limit->value));
          }
        }
        break;
      case Op::kCeil:
      case Op::kFloor:
        if (is_literal(left)) add("a rounded literal");
        break;
      default:
        break;
    }
  }

  std::map<std::string, std::size_t> found_;
  std::size_t nodes_ = 0;
};

/// Looks at the derivations of all answers to `input`, if it is valid: not each operation is one of
/// each model.
template <class Question>
void look(Faults& faults, const std::string& name, const typename Question::Input& input) {
  static std::vector<Node> storage(1 << 16);
  Tape tape(storage);
  Issues issues;
  Issues notices;
  typename Question::Input own = input;
  check<Question>(own, issues, notices, [&](const auto&) {
    const Tape::Recording recording(tape);
    const auto answers = Question::answer(Question::template read<Traced>(own));
    for (std::size_t i = 0; i < answers.kSize; ++i) {
      if (answers.absences()[i] != Absence::kPresent) continue;
      faults.look_at(tape, answers.values()[i].node(), name);
    }
  });
  REQUIRE_FALSE(tape.full());
}

Raw<Model> model(const char* id) { return models().at(id); }
Raw<Chip> chip(const char* id) { return chips().at(id); }

TEST_CASE("derivations of trainings and budgets name their numbers and waste no word") {
  Faults faults;
  for (const char* on : {"h100-sxm", "tpu-v5p", "b200-sxm"}) {
    for (const char* of : {"llama-3-8b", "llama-3.1-405b", "deepseek-v3", "gpt-oss-120b"}) {
      look<TrainingQuestion>(faults, "tuning",
                             {chip(on), model(of),
                              make<Run>({{"chips", 256},
                                         {"batchTokens", 1 << 20},
                                         {"trained", Trained::kQlora},
                                         {"corpus", Corpus::kExamples},
                                         {"flopsRule", FlopsRule::kExact}})});
      look<TrainingQuestion>(faults, "training",
                             {chip(on), model(of), make<Run>({{"chips", 256}})});
      look<BudgetQuestion>(faults, "budget",
                           {chip(on), model(of), make<Run>({{"chips", 256}}), make<Budget>({})});
    }
  }
  CHECK(faults.told() == "");
  CHECK(faults.nodes() > 10'000);
}

TEST_CASE("derivations of operations and collectives name their numbers and waste no word") {
  answer_expected_times<double>();
  answer_expected_times<Traced>();
  Faults faults;
  for (const char* on : {"h100-sxm", "tpu-v5p", "b200-sxm", "l40s"}) {
    for (std::size_t kind = 0; kind < std::size(kCollectiveKindNames); ++kind) {
      for (const double chips : {8, 64}) {
        look<CollectiveQuestion>(faults, "collective",
                                 {chip(on), make<Mesh>({{"x", chips}}),
                                  make<CollectiveRequest>({{"kind", kind}, {"bytes", 1e8}})});
      }
    }
    for (std::size_t kind = 0; kind < kOperationKindNames.size(); ++kind) {
      const auto request = make<OperationRequest>({{"kind", kind}, {"batch", 512}});
      look<OperationQuestion>(faults, "operation",
                              {chip(on), model("llama-3-8b"), make<Mesh>({}), request});
      look<OperationQuestion>(faults, "operation",
                              {chip(on), model("deepseek-v3"), make<Mesh>({{"x", 8}}), request});
    }
  }
  CHECK(faults.told() == "");
  CHECK(faults.nodes() > 10'000);
}

TEST_CASE("derivations of plans name their numbers and waste no word") {
  Faults faults;
  const auto plan = [&](const char* on, const char* of, const Settings& layout,
                        const Settings& stack = {}) {
    Planned in;
    in.chip = chip(on);
    in.model = model(of);
    in.assumptions = make<Assumptions>({});
    look<PlanQuestion>(faults, "plan", in.on({{"chips", 256}}).as(layout).run_by(stack).input());
  };
  plan("h100-sxm", "llama-3-8b", {});
  plan("h100-sxm", "llama-3-8b", {{"sharding", StateSharding::kParameters}, {"fp8Matmuls", 1}});
  plan("h100-sxm", "llama-3.1-405b",
       {{"tensor", 8}, {"pipeline", 8}, {"context", 2}, {"sharding", StateSharding::kOptimizer}});
  plan("b200-sxm", "deepseek-v3",
       {{"expert", 32}, {"pipeline", 4}, {"recompute", Recompute::kSelective}},
       {{"graphs", CudaGraphs::kPartial}, {"rowwiseScales", 1}});
  plan("tpu-v5p", "gpt-oss-120b", {{"tensor", 4}, {"recompute", Recompute::kFull}});
  plan("h100-sxm", "qwen3.5-397b-a17b", {{"expert", 16}, {"pipeline", 2}},
       {{"flash", FlashVersion::kFlash2}});
  const auto tuned = [&](const char* of, Trained trained, const Settings& layout,
                         const Settings& stack) {
    Planned in;
    in.chip = chip("h100-sxm");
    in.model = model(of);
    in.assumptions = make<Assumptions>({});
    const Settings run{{"chips", 16}, {"trained", trained}};
    look<PlanQuestion>(faults, "tuning", in.on(run).as(layout).run_by(stack).input());
  };
  tuned("llama-3-8b", Trained::kLora, {{"tensor", 2}, {"dropout", 1}}, {});
  tuned("llama-3-8b", Trained::kLast,
        {{"pipeline", 4}, {"schedule", kSchedule<OneFOneB>}, {"offload", Offload::kAll}}, {});
  tuned("qwen3-next-80b-a3b", Trained::kLast,
        {{"expert", 8}, {"pipeline", 2}, {"sharding", StateSharding::kParameters}}, {});
  tuned("qwen3-30b-a3b", Trained::kQlora, {{"sharding", StateSharding::kParameters}},
        {{"unfused", 1},
         {"adapterCasts", 1},
         {"moduleGathers", 1},
         {"kernels", KernelLaunch::kEager}});
  tuned("llama-3-8b", Trained::kAll,
        {{"optimizer", Optimizer::kAdam8bit}, {"offload", Offload::kOptimizer}}, {});
  Planned stated;
  stated.chip = chip("h100-sxm");
  look<PlanQuestion>(faults, "plan", stated.as({{"tensor", 8}}).input());
  CHECK(faults.told() == "");
  CHECK(faults.nodes() > 10'000);
}

/// How often the formula of the step at `id` names a step of `term`, as it is written.
int times_named(const Tape& tape, NodeId id, const Term& term, bool top = true) {
  if (id == kNowhere) return 0;
  const Node& node = tape[id];
  if (node.op == Op::kStep && !top) return node.term == &term ? 1 : 0;
  return times_named(tape, node.left, term, false) + times_named(tape, node.right, term, false);
}

TEST_CASE("the formula of a step names the update of the optimizer once") {
  for (const double fp8 : {0.0, 1.0}) {
    Planned in = Planned{}.as({{"fp8Matmuls", fp8}});
    in.assumptions = make<Assumptions>({});
    std::vector<Node> storage(1 << 16);
    Tape tape(storage);
    const Tape::Recording recording(tape);
    const auto answers = PlanQuestion::answer(PlanQuestion::read<Traced>(in.input()));
    int updates = 0;
    int named = 0;
    for (NodeId id = 0; id < tape.size(); ++id) {
      const Node& node = tape[id];
      if (node.op != Op::kStep) continue;
      if (node.term == &term::kTimeOptimizer) ++updates;
      if (node.term == &term::kStepSum) named += times_named(tape, id, term::kTimeOptimizer);
    }
    CHECK(updates == 1);
    CHECK(named == 1);
    const auto step = answers.get<term::kStepExpected>().value.rep().node();
    CHECK(times_named(tape, step, term::kTimeOptimizer) == 0);
    CHECK(times_named(tape, step, term::kStepSum) > 0);
  }
}

TEST_CASE("derivations of servers name their numbers and waste no word") {
  Faults faults;
  const auto ask = [&](const char* on, const char* of, const Settings& serving,
                       const Settings& server = {}) {
    look<ServingQuestion>(faults, "serving", serve(on, of, serving, server));
  };
  ask("h100-sxm", "llama-3.1-70b", {{"chips", 8}, {"tensor", 8}, {"users", 64}});
  ask("h200-sxm", "llama-3.1-8b", {{"chips", 8}, {"users", 1000}, {"prefixShare", 0.2}},
      {{"weights", WeightFormat::kFp8}});
  ask("b200-sxm", "deepseek-v3", {{"chips", 16}, {"tensor", 1}, {"expert", 8}, {"users", 256}},
      {{"weights", WeightFormat::kFp8Block}, {"cacheFormat", KvFormat::kFp8}});
  ask("h100-sxm", "gpt-oss-120b",
      {{"chips", 8}, {"tensor", 4}, {"requestRate", 2}, {"load", ServingLoad::kOpen}});
  ask("tpu-v6e", "llama-3.1-8b", {{"chips", 4}, {"tensor", 4}, {"users", 8}});
  ask("l40s", "qwen3.5-27b", {{"chips", 4}, {"tensor", 4}, {"users", 8}});
  ask("h100-sxm", "llama-3.1-8b", {{"chips", 1}, {"users", 8}, {"load", ServingLoad::kStatic}},
      {{"rates", RatesFrom::kStated}});
  CHECK(faults.told() == "");
  CHECK(faults.nodes() > 10'000);
}

}  // namespace
}  // namespace scaling::test::derivation_test
