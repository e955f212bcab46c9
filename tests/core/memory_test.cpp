// SPDX-License-Identifier: MIT
//
// Memory of a training, and the chips that it fits on: book, chapters 5 and 6; ZeRO, section 5.

#include <cmath>
#include <limits>
#include <string>

#include "presets.hpp"

namespace scaling::test::memory_test {
namespace {

/// A model of stated size that keeps nothing for the backward pass, and Adam with 16 bytes.
Raw<Run> states_only(const Settings& settings) {
  return with(make<Run>({{"gradientBytes", 2}, {"optimizerBytes", 12}, {"checkpointsPerLayer", 0}}),
              settings);
}

Raw<Model> stated(double parameters) {
  return with(llama3_8b(), {{"statedParameters", parameters}});
}

TrainingMemory<double> memory(const Raw<Chip>& chip, const Raw<Model>& model, const Raw<Run>& run) {
  const auto m = typed(model);
  return training_memory(typed(chip), m, typed(run), used_parameters(m, count_parameters(m)).total);
}

constexpr StateSharding kStages[] = {StateSharding::kNone, StateSharding::kOptimizer,
                                     StateSharding::kGradients, StateSharding::kParameters};

TEST_CASE("ZeRO Table 1: 7.5e9 parameters on 64 chips take 120, 31.4, 16.6 and 1.88 GB") {
  const auto on = [](StateSharding stage) {
    return memory(h100(), stated(7.5e9), states_only({{"chips", 64}, {"stateSharding", stage}}))
        .per_chip.value();
  };
  CHECK(on(StateSharding::kNone) == 120e9);             // 16 P
  CHECK(on(StateSharding::kOptimizer) == 31.40625e9);   // 4 P + 12 P / 64
  CHECK(on(StateSharding::kGradients) == 16.640625e9);  // 2 P + 14 P / 64
  CHECK(on(StateSharding::kParameters) == 1.875e9);     // 16 P / 64
}

TEST_CASE("bytes per parameter by convention") {
  struct Convention {
    const char* id;
    double bytes;
  };
  const auto file = read_json(SCALING_SHARED_DIR "/optimizers.json");
  const auto bytes = [&](const std::string& id) {
    for (const auto& optimizer : file.at("optimizers")) {
      if (optimizer["id"] != id) continue;
      Raw<Run> run = make<Run>({});
      for (const char* key : {"weightFormat", "gradientBytes", "optimizerBytes"}) {
        set_field(run, key, optimizer[key]);
      }
      return number<term::kBytesPerParameter>(training(h100(), llama3_8b(), run));
    }
    FAIL("no optimizer " << id);
    return 0.0;
  };
  // Book, chapter 5; ZeRO 3.1; Megatron; DeepSpeed.
  for (const Convention& convention : {Convention{"book", 10}, Convention{"zero", 16},
                                       Convention{"megatron", 18}, Convention{"deepspeed", 20}}) {
    INFO(convention.id);
    CHECK(bytes(convention.id) == convention.bytes);
  }
}

TEST_CASE("chapter 5: pure data parallelism holds models of a tenth of the memory") {
  const auto run = make<Run>(
      {{"chips", 64}, {"stateSharding", StateSharding::kNone}, {"checkpointsPerLayer", 0}});
  CHECK(memory(tpu_v5p(), stated(9.6e9), run).per_chip.value() == 96e9);
  CHECK(memory(tpu_v5p(), stated(9.5e9), run).minimum_chips.value.value() == 1);
  CHECK(memory(tpu_v5p(), stated(9.7e9), run).minimum_chips.absence == Absence::kNever);
}

TEST_CASE("chapter 5, questions 2 and 3: LLaMA 2 13B on a 16x16x16 slice") {
  const auto model = with(model_presets().at("llama-2-13b"), {{"statedParameters", 13e9}});
  const auto run = make<Run>(
      {{"chips", 4096}, {"batchTokens", 3e6}, {"checkpointRule", CheckpointRule::kBigMatmuls}});
  const auto held = memory(tpu_v5p(), model, run);
  CHECK((held.weights + held.optimizer).value() == 130e9);
  CHECK_THAT(held.checkpoints.value(), WithinRel(7.86432e12, 1e-12));
  CHECK_THAT(held.per_chip.value(), WithinRel(1.95174e9, 1e-5));
}

TEST_CASE("the parts are the whole, over all chips and on each") {
  for (const StateSharding stage : kStages) {
    for (const double slices : {1.0, 4.0}) {
      const auto run = states_only({{"chips", 256},
                                    {"slices", slices},
                                    {"stateSharding", stage},
                                    {"checkpointsPerLayer", 4}});
      const auto held = memory(tpu_v5p(), llama3_70b(), run);
      CHECK_THAT((held.weights + held.gradients + held.optimizer + held.checkpoints).value(),
                 WithinRel(held.total.value(), 1e-15));
      CHECK_THAT((held.weights_per_chip + held.gradients_per_chip + held.optimizer_per_chip +
                  held.checkpoints_per_chip)
                     .value(),
                 WithinRel(held.per_chip.value(), 1e-15));
      const auto answers = training(tpu_v5p(), llama3_70b(), run);
      CHECK(number<term::kMemoryLeft>(answers) == 96e9 - held.per_chip.value());
      CHECK(number<term::kMemoryFraction>(answers) == held.per_chip.value() / 96e9);
    }
  }
}

TEST_CASE("each stage of sharding takes less memory, and the total stays") {
  for (const double chips : {2.0, 64.0, 8192.0}) {
    double previous = std::numeric_limits<double>::infinity();
    for (const StateSharding stage : kStages) {
      const auto run = states_only({{"chips", chips}, {"stateSharding", stage}});
      const auto held = memory(h100(), llama3_8b(), run);
      CHECK(held.per_chip.value() < previous);
      previous = held.per_chip.value();
      CHECK(held.total.value() == 16 * 8030261248.0);
    }
  }
}

TEST_CASE("on one chip no stage differs from another") {
  for (const StateSharding stage : kStages) {
    const auto run = states_only({{"chips", 1}, {"stateSharding", stage}});
    CHECK(memory(h100(), llama3_8b(), run).per_chip.value() == 16 * 8030261248.0);
  }
}

TEST_CASE("more chips never take more memory each") {
  for (const StateSharding stage : kStages) {
    double previous = std::numeric_limits<double>::infinity();
    for (double chips = 1; chips <= 1 << 20; chips *= 2) {
      const auto held =
          memory(h100(), llama3_70b(), make<Run>({{"chips", chips}, {"stateSharding", stage}}));
      CHECK(held.per_chip.value() < previous);
      previous = held.per_chip.value();
    }
  }
}

TEST_CASE("slices each hold all states, and share the checkpoints") {
  const auto held = [](double slices) {
    return memory(tpu_v5p(), llama3_70b(), make<Run>({{"chips", 1024}, {"slices", slices}}));
  };
  CHECK(held(8).weights_per_chip.value() == 8 * held(1).weights_per_chip.value());
  CHECK(held(8).optimizer_per_chip.value() == 8 * held(1).optimizer_per_chip.value());
  CHECK(held(8).checkpoints_per_chip.value() == held(1).checkpoints_per_chip.value());
}

TEST_CASE("the fewest chips hold it, and one slice-wide step fewer do not") {
  const Raw<Run> runs[] = {make<Run>({}), states_only({}),
                           states_only({{"checkpointsPerLayer", 4}}),
                           make<Run>({{"checkpointRule", CheckpointRule::kModernLayer}})};
  for (const auto& chip : {tpu_v5e(), tpu_v5p(), h100(), b200()}) {
    for (const auto& model : {llama3_8b(), llama3_70b(), llama3_405b(), mixtral_8x7b()}) {
      for (const auto& conventions : runs) {
        for (const StateSharding stage : kStages) {
          for (const double slices : {1.0, 2.0, 8.0}) {
            const auto run = with(conventions, {{"stateSharding", stage}, {"slices", slices}});
            const auto on = [&](double chips) {
              return memory(chip, model, with(run, {{"chips", chips}})).per_chip.value();
            };
            const double room = typed(chip).memory.value();
            const auto fewest = memory(chip, model, with(run, {{"chips", slices}})).minimum_chips;
            if (!fewest.present()) {
              CHECK(on(8e8) > room);  // undivided states are too much for any number of chips
              continue;
            }
            const double chips = fewest.value.value();
            CHECK(std::fmod(chips, slices) == 0);
            CHECK(on(chips) <= room);
            if (chips > slices) CHECK(on(chips - slices) > room);
          }
        }
      }
    }
  }
}

TEST_CASE("the fewest chips do not depend on how many are given") {
  const auto fewest = [](double chips) {
    return memory(tpu_v5p(), llama3_70b(), make<Run>({{"chips", chips}}))
        .minimum_chips.value.value();
  };
  CHECK(fewest(1) == fewest(8960));
}

TEST_CASE("a model that fits takes at least one chip") {
  const auto run = states_only({{"chips", 64}});
  const auto held = memory(h100(), stated(1e6), run);
  CHECK(held.fractional_minimum_chips.value.value() < 1);
  CHECK(held.minimum_chips.value.value() == 1);
  // Each slice needs a chip, even where there is nothing to divide.
  const auto copied =
      states_only({{"chips", 64}, {"slices", 4}, {"stateSharding", StateSharding::kNone}});
  CHECK(memory(h100(), stated(1e6), copied).minimum_chips.value.value() == 4);
}

TEST_CASE("checkpoints grow with the batch, states do not") {
  const auto once = memory(tpu_v5p(), llama3_70b(), make<Run>({{"batchTokens", 4 << 20}}));
  const auto twice = memory(tpu_v5p(), llama3_70b(), make<Run>({{"batchTokens", 8 << 20}}));
  CHECK(twice.checkpoints.value() == 2 * once.checkpoints.value());
  CHECK(twice.weights.value() == once.weights.value());
  CHECK(twice.optimizer.value() == once.optimizer.value());
}

TEST_CASE("twice the memory holds it on half the chips") {
  const auto fractional = [](double bytes) {
    return memory(with(tpu_v5p(), {{"memory", bytes}}), llama3_70b(), make<Run>({}))
        .fractional_minimum_chips.value.value();
  };
  CHECK(fractional(96e9) == 2 * fractional(192e9));
}

}  // namespace
}  // namespace scaling::test::memory_test
