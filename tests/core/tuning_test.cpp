// SPDX-License-Identifier: MIT
//
// Trainings that change adapters beside frozen matrices, or beside matrices in few bits.

#include <cmath>

#include "plans.hpp"
#include "presets.hpp"
#include "scaling/training/training_flops.hpp"
#include "scaling/training/tuning.hpp"

namespace scaling::test::tuning_test {
namespace {

Run<double> run_of(const Settings& settings) { return typed(make<Run>(settings)); }

double adapters(const Raw<Model>& model, const Settings& settings, bool active = false) {
  return adapter_parameters(typed(model), run_of(settings), active).value();
}

/// One chip, all kept, no allocator: what parts of memory are.
Planned one_card(const Settings& run = {}) {
  Planned in;
  in.assumptions = make<Assumptions>({});
  in = in.on({{"chips", 1}, {"batchTokens", 8192}, {"sequenceLength", 1024}});
  return in.on(run);
}

StageMemory<double> memory(const Planned& in) { return in.step().memory; }

// --- parameters ---

TEST_CASE("adapters have as many parameters as PEFT prints") {
  // `print_trainable_parameters` of published trainings: alpaca-lora (LLaMA-7B, queries and values,
  // rank 8); Unsloth's notebooks of Llama 3 8B (all, rank 16).
  const auto llama = model_presets().at("llama-1-7b");
  CHECK(adapters(llama, {{"trained", Trained::kLora},
                         {"loraRank", 8},
                         {"loraTargets", LoraTargets::kQueryValue}}) == 4194304);
  CHECK(adapters(llama3_8b(), {{"trained", Trained::kQlora}, {"loraRank", 16}}) == 41943040);
}

TEST_CASE("targets are parts of all") {
  const auto of = [](LoraTargets targets) {
    return adapters(llama3_8b(), {{"trained", Trained::kLora}, {"loraTargets", targets}});
  };
  using enum LoraTargets;
  CHECK(of(kAttention) + of(kFeedForward) == of(kAll));
  CHECK(of(kQueryValue) < of(kQkv));
  CHECK(of(kQkv) < of(kAttention));
}

TEST_CASE("each expert has adapters, of which a token passes those of its own") {
  const auto model = mixtral_8x7b();
  const Settings all{{"trained", Trained::kLora}, {"loraTargets", LoraTargets::kFeedForward}};
  CHECK(adapters(model, all) == 32 * 8 * 3 * 16 * (4096 + 14336));
  CHECK(adapters(model, all, true) == 32 * 2 * 3 * 16 * (4096 + 14336));
}

// --- FLOPs ---

TEST_CASE("frozen weights cost 4 FLOPs a token where trained ones cost 6") {
  const auto model = typed(model_presets().at("llama-2-70b"));
  const auto computed = count_parameters(model);
  const auto used = used_parameters(model, computed);
  const auto flops = [&](Trained trained, FlopsRule rule) {
    const auto run = run_of({{"trained", trained}, {"flopsRule", rule}, {"loraRank", 16}});
    return training_flops(model, run, computed, used).training.value();
  };
  const double n = used.active.value();
  using enum Trained;
  const double adapters = adapter_parameters(model, run_of({{"trained", kLora}})).value();
  CHECK(flops(kLora, FlopsRule::kSixN) == 4 * n + 6 * adapters);
  // Published TFLOP/s over tokens/s of LoRA of a 70B by Megatron-Bridge are 3.95 N, of SFT 6.12 N.
  const double ratio = flops(kLora, FlopsRule::kExact) / flops(kAll, FlopsRule::kExact);
  CHECK(ratio > 3.95 / 6.12);
  CHECK(ratio < 0.7);
}

// --- memory ---

TEST_CASE("adapters alone have gradients and an optimizer's states") {
  const auto full = memory(one_card());
  const auto lora = memory(one_card({{"trained", Trained::kLora}}));
  const double n = 41943040;
  CHECK(lora.states.gradients.value() == 4 * n);
  CHECK(lora.states.optimizer.value() == 12 * n);
  CHECK(lora.states.parameters.value() == full.states.parameters.value() + 2 * n);
}

TEST_CASE("a quantised base takes its bits and leaves embedding and head in 16") {
  // 6.98e9 parameters in matrices of layers; embedding, head and norms are the rest.
  const double matrices = 32.0 * (2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096.0 * 14336);
  const double others = 2 * 128256.0 * 4096 + 65 * 4096;
  const double adapters = 41943040;
  const auto weights = [&](BaseFormat format) {
    const auto in = one_card({{"trained", Trained::kQlora}, {"baseFormat", format}});
    return memory(in).states.parameters.value();
  };
  CHECK_THAT(weights(BaseFormat::kNf4),
             WithinRel(4.5 / 8 * matrices + 2 * (others + adapters), 1e-12));
  // A double quantised scale saves 0.373 bits: QLoRA, section 3.
  const double saved = weights(BaseFormat::kNf4) - weights(BaseFormat::kNf4Double);
  CHECK_THAT(8 * saved / matrices, WithinRel(0.373, 0.001));
}

TEST_CASE("of a stated count no more is quantised than there is") {
  const auto model = with(llama3_8b(), {{"statedParameters", 1e6}});
  const auto run = make<Run>({{"trained", Trained::kQlora}, {"baseFormat", BaseFormat::kNf4}});
  const auto answers = answers_to<TrainingQuestion>({h100(), model, run});
  CHECK_THAT(number<term::kWeightMemory>(answers),
             WithinRel(4.5 / 8 * 1e6 + 2 * adapters(model, {{"trained", Trained::kQlora}}), 1e-12));
}

TEST_CASE("what only gradients of frozen weights ask for is not kept") {
  const auto kept = [](const Settings& run) {
    const auto in = one_card(run).groups();
    const auto tokens = 1024 * 2.0;
    const auto a = layer_activations(in.model, in.run, in.layout, false);
    return std::array{a.norms.value() / tokens, a.product.value() / tokens,
                      a.total().value() / tokens};
  };
  using enum LoraTargets;
  const auto full = kept({});
  const auto none = kept({{"trained", Trained::kLora}, {"loraTargets", kQueryValue}});
  // The norm before attention is read by adapters; the other norm and the product by none. An
  // adapter keeps its rank.
  CHECK(full[0] == 2 * 4096);
  CHECK(none[0] == 4096 + 2 * 16);
  CHECK(full[1] == 14336);
  CHECK(none[1] == 0);
  const auto all = kept({{"trained", Trained::kLora}, {"loraTargets", kAll}});
  CHECK(all[0] == 2 * 4096 + 5 * 16);
  CHECK(all[1] == 14336 + 16);
  CHECK(none[2] < all[2]);
}

TEST_CASE("fused kernels of adapters write gradients over what these came from") {
  const auto gradients = [](const Settings& run, bool unfused) {
    const auto in = one_card(run).groups();
    TensorCopies copies;
    copies.unfused = unfused;
    const auto layer =
        layer_activations(in.model, in.run, in.layout, false, Count<double>{1}, copies);
    return layer.gradients.value() / (1024 * 2.0);
  };
  // Of the two inputs of an activation function and of its product, one is new.
  const Settings lora{{"trained", Trained::kLora}};
  CHECK(gradients({}, false) == 4096 + 3 * 14336);
  CHECK(gradients({}, true) == 4096 + 3 * 14336);
  CHECK(gradients(lora, true) == 4096 + 3 * 14336);
  CHECK(gradients(lora, false) == 4096 + 14336);
}

TEST_CASE("unfused software keeps copies, and casts one for each adapter") {
  const auto kept = [](const Settings& run, const Settings& stack) {
    return memory(one_card(run).run_by(stack)).activations.value();
  };
  const Settings lora{{"trained", Trained::kLora}};
  CHECK(kept({}, {{"unfused", 1}}) > kept({}, {}));
  CHECK(kept(lora, {{"unfused", 1}}) > kept(lora, {}));
  CHECK(kept(lora, {{"unfused", 1}, {"adapterCasts", 1}}) > kept(lora, {{"unfused", 1}}));
  // Kernels that are fused cast on the way.
  CHECK(kept(lora, {{"adapterCasts", 1}}) == kept(lora, {}));
  // Seven copies of inputs in fp32 instead of three in 16 bits, and ranks as wide.
  const double one =
      kept(lora, {{"unfused", 1}, {"adapterCasts", 1}}) - kept(lora, {{"unfused", 1}});
  const double inputs = 4.0 * (6 * 4096 + 14336) - 2.0 * (2 * 4096 + 14336);
  CHECK_THAT(one, WithinRel(32 * 1024 * (inputs + 7 * 2 * 16), 1e-12));
}

TEST_CASE("kernels one by one work in the room that logits leave") {
  const auto of = [](const Settings& stack, double bytes) {
    const auto in = one_card({{"trained", Trained::kLora}}).as({{"recompute", Recompute::kFull}});
    return memory(in.run_by(stack).under({{"logitBytes", bytes}}));
  };
  const Settings unfused{{"unfused", 1}};
  for (const double bytes : {0.0, 6.0, 15.0}) {
    const auto fused = of({}, bytes);
    const auto one = of(unfused, bytes);
    CHECK_THAT((one.logits + one.working).value(),
               WithinRel(std::max(fused.logits, one.working).value(), 1e-12));
  }
  CHECK(of({}, 15).logits > of(unfused, 15).logits);
  CHECK(of(unfused, 0).logits.value() == 0);
}

TEST_CASE("unfused software keeps the weights that autocast makes of wider ones") {
  const auto of = [](const Settings& run, const Settings& layout = {}) {
    return memory(one_card(run).as(layout).run_by({{"unfused", 1}}));
  };
  const auto more = [&](Settings run, const Settings& layout = {}) {
    const auto narrow = of(run, layout);
    run.emplace_back("weightFormat", Format::kFp32);
    const auto wide = of(run, layout);
    return std::pair{(wide.activations - narrow.activations).value(),
                     (wide.working - narrow.working).value()};
  };
  // litgpt's bf16-mixed takes 48 bits a parameter. A row of tokens is not looked up in a copy.
  const Settings lora{{"trained", Trained::kLora}};
  const double layer = 2 * (2 * 4096.0 * 4096 + 2 * 4096 * 1024 + 3 * 4096.0 * 14336);
  CHECK(more(lora) == std::pair{32 * layer, 0.0});
  CHECK(more({}) == std::pair{32 * layer, 0.0});
  // Computed again, one layer's are there at a time; dequantised matrices have 16 bits.
  CHECK(more(lora, {{"recompute", Recompute::kFull}}) == std::pair{0.0, layer});
  CHECK(more({{"trained", Trained::kQlora}}) == std::pair{0.0, 0.0});
  const auto fused = [&](Format format) {
    const auto in = one_card(lora).on({{"weightFormat", format}});
    return memory(in).activations.value();
  };
  CHECK(fused(Format::kFp32) == fused(Format::kBf16));
}

TEST_CASE("weights that are gathered are cast on the way") {
  const auto kept = [](Format format) {
    auto in = one_card({{"trained", Trained::kLora}, {"weightFormat", format}});
    in = in.on({{"chips", 8}, {"batchTokens", 65536}});
    in = in.as({{"sharding", StateSharding::kParameters}}).run_by({{"unfused", 1}});
    return memory(in).activations.value();
  };
  CHECK(kept(Format::kFp32) == kept(Format::kBf16));
}

// --- time ---

TEST_CASE("a frozen layer goes back in half the time or less") {
  const auto step = [](Trained trained) {
    return one_card({{"trained", trained}, {"loraTargets", LoraTargets::kQueryValue}}).step();
  };
  const auto full = step(Trained::kAll);
  const auto lora = step(Trained::kLora);
  CHECK(lora.backward < 0.62 * full.backward);
  CHECK(lora.backward > 0.45 * full.backward);
  CHECK(lora.optimizer < 0.01 * full.optimizer);
  CHECK(lora.lower < full.lower);
}

TEST_CASE("dequantising takes as long for few tokens as for many") {
  const auto more = [](double tokens) {
    const auto seconds = [&](Trained trained) {
      const auto in = one_card({{"trained", trained}, {"sequenceLength", tokens}});
      const auto step =
          in.on({{"batchTokens", tokens}}).run_by({{"graphs", CudaGraphs::kFull}}).step();
      return (step.forward + step.backward).value();
    };
    return seconds(Trained::kQlora) - seconds(Trained::kLora);
  };
  CHECK_THAT(more(256), WithinRel(more(8192), 1e-9));
  CHECK(more(256) > 0);
}

TEST_CASE("PyTorch unpacks int4 by operations, whose result the backward pass takes") {
  const auto step = [](const Settings& run, bool unfused) {
    const auto in = one_card()
                        .on(run)
                        .as({{"microBatch", 8}})
                        .run_by({{"unfused", unfused}, {"graphs", CudaGraphs::kFull}});
    return in.step();
  };
  const auto qlora = [&](BaseFormat format, bool unfused) {
    return step({{"trained", Trained::kQlora}, {"baseFormat", format}}, unfused);
  };
  const auto in = one_card({{"trained", Trained::kQlora}});
  const double rate = in.groups().chip.memory_bandwidth.value() * kStepConstants.memory;
  const double n = quantised_parameters(typed(llama3_8b()), in.groups().run).value();
  const auto lora = step({{"trained", Trained::kLora}}, true);
  // AutoGPTQ, qlinear_cuda_old.py: 4.25 bits are shifted into 4 bytes, these cast to one, which is
  // masked, less the zero, and scaled to two. Tensors of one byte take as long as of two.
  const auto int4 = qlora(BaseFormat::kInt4, true);
  const double bytes = 4.25 / 8 + 4 + (4 + 2) + (2 + 2) + (2 + 2) + (2 + 2);
  CHECK_THAT((int4.forward - lora.forward).value(), WithinRel(n * bytes / rate, 1e-6));
  CHECK_THAT(int4.backward.value(), WithinRel(lora.backward.value(), 1e-9));
  // A kernel of its own reads 4 bits and writes 16, in both passes.
  const auto fused = qlora(BaseFormat::kInt4, false);
  const auto plain = step({{"trained", Trained::kLora}}, false);
  const double each = n * (4.25 / 8 + 2) / (rate * kStepConstants.restoring_fused);
  CHECK_THAT((fused.forward - plain.forward).value(), WithinRel(each, 1e-6));
  CHECK_THAT((fused.backward - plain.backward).value(), WithinRel(each, 1e-6));
  CHECK(qlora(BaseFormat::kNf4, true).backward > lora.backward);
}

TEST_CASE("more targets cost more than a higher rank") {
  const auto seconds = [](const Settings& run) {
    return one_card({{"trained", Trained::kLora}}).on(run).run_by({{"unfused", 1}}).step().expected;
  };
  const auto few = seconds({{"loraTargets", LoraTargets::kQueryValue}});
  const auto wide = seconds({{"loraTargets", LoraTargets::kQueryValue}, {"loraRank", 64}});
  const auto all = seconds({{"loraTargets", LoraTargets::kAll}});
  CHECK(wide - few < 0.1 * (all - few));
}

TEST_CASE("frozen states are gathered, but no gradients of them reduced") {
  const auto data = [](Trained trained, StateSharding sharding) {
    auto in = one_card({{"trained", trained}}).on({{"chips", 8}, {"batchTokens", 65536}});
    return in.as({{"sharding", sharding}}).step().data.value();
  };
  using enum StateSharding;
  CHECK(data(Trained::kLora, kNone) < 0.02 * data(Trained::kAll, kNone));
  // An update changes adapters alone: frozen weights stay as they are where states are divided.
  CHECK(data(Trained::kLora, kOptimizer) < 0.02 * data(Trained::kAll, kOptimizer));
  CHECK(data(Trained::kLora, kGradients) < 0.02 * data(Trained::kAll, kGradients));
  const double sharded = data(Trained::kLora, kParameters) / data(Trained::kAll, kParameters);
  CHECK(sharded > 0.3);
  CHECK(sharded < 0.7);
  CHECK(data(Trained::kQlora, kParameters) < 0.5 * data(Trained::kLora, kParameters));
}

TEST_CASE("an update that is not fused goes over its parameters for each operation") {
  // PyTorch's _multi_tensor_adamw in 16 bits: weights 4 times, gradients 2, moments 3 and 11.
  const auto in = one_card().as({{"optimizer", Optimizer::kAdamBf16},
                                 {"masterFormat", Copy::kNone},
                                 {"gradientFormat", GradientCopies::kBf16}});
  const auto groups = in.groups();
  const double rate = groups.chip.memory_bandwidth.value() * kStepConstants.memory;
  const auto n = count_parameters(typed(llama3_8b())).total.value();
  const double unfused = in.run_by({{"unfused", 1}}).step().optimizer.value();
  CHECK_THAT(unfused, WithinRel(n * 2 * (4 + 2 + 3 + 11) / rate, 1e-3));
  CHECK(unfused > 3 * in.step().optimizer.value());
  // Adapters are small, but many: the host is what takes time, at 12 launches of each of the seven
  // targets of a layer.
  const Settings lora{{"trained", Trained::kLora}};
  const auto eager = in.on(lora).run_by({{"unfused", 1}, {"kernels", KernelLaunch::kEager}});
  CHECK_THAT(eager.step().optimizer.value(),
             WithinRel(32 * 7 * 12 * kStepConstants.host_early / 75, 1e-9));
}

TEST_CASE("moments of 8 bits come to the chip that updates them") {
  auto card = one_card();
  card.chip = chip_presets().at("rtx-4090");
  const auto in = card.as({{"optimizer", Optimizer::kAdam8bit},
                           {"masterFormat", Copy::kNone},
                           {"gradientFormat", GradientCopies::kNone}});
  const auto paged = in.as({{"offload", Offload::kOptimizer}}).step();
  // bitsandbytes, PagedAdamW8bit: 2 bytes of a parameter come while as many leave, and nothing else
  // runs. The host updates moments of fp32 itself, beside the passes.
  const auto groups = in.groups();
  const StepInput<double> input(groups, kStepConstants);
  const auto n = count_parameters(typed(llama3_8b())).total.value();
  const double rate = groups.chip.host_bandwidth.value.value() * input.generation().scale_up;
  CHECK_THAT(paged.exposed_host.value(), WithinRel(n * 2 / rate, 1e-3));
  CHECK(paged.optimizer.value() == in.step().optimizer.value());
  const auto host = card.as({{"offload", Offload::kOptimizer}}).step();
  CHECK(host.optimizer.value() == 0);
  CHECK(host.exposed_host < host.host);
}

TEST_CASE("gathers for each module cost the host its hooks") {
  const auto launches = [](bool gathers, StateSharding sharding) {
    auto in = one_card({{"trained", Trained::kLora}}).on({{"chips", 8}, {"batchTokens", 65536}});
    in = in.as({{"sharding", sharding}});
    const auto groups =
        in.run_by({{"unfused", 1}, {"kernels", KernelLaunch::kEager}, {"moduleGathers", gathers}})
            .groups();
    const StepInput<double> step(groups);
    const auto stages = make_stages(step.model, step.layout, Count<double>(1));
    const auto [forward, back] = launch_times(step, stages.list()[0]);
    return (forward + back).value();
  };
  using enum StateSharding;
  // 12 forward and 12 back, of a layer's seven matrices and of the two of the adapter of each.
  CHECK_THAT(launches(true, kParameters) - launches(false, kParameters),
             WithinRel(32 * 7 * 3 * 24 * kStepConstants.host_early / 75, 1e-9));
  CHECK(launches(true, kGradients) == launches(false, kGradients));
}

TEST_CASE("a loop over experts launches kernels of each") {
  const auto launches = [](double experts) {
    auto in = one_card({{"trained", Trained::kLora}, {"loraTargets", LoraTargets::kAttention}});
    in.model = with(mixtral_8x7b(), {{"experts", experts}});
    const auto groups = in.run_by({{"unfused", 1}, {"kernels", KernelLaunch::kEager}}).groups();
    const StepInput<double> step(groups);
    const auto stages = make_stages(step.model, step.layout, Count<double>(1));
    const auto [forward, back] = launch_times(step, stages.list()[0]);
    return (forward + back).value();
  };
  // 12 forward and 24 back of each, where kernels for all ask for the tokens of each alone.
  CHECK_THAT(launches(16) - launches(8),
             WithinRel(32 * 8 * 36 * kStepConstants.host_early / 75, 1e-9));
}

TEST_CASE("a peak that has much power is reached nearly in full") {
  // RTX 4090 has 2.8 times as much power for its peak as L40S, L20 2.4 times. cuBLAS reaches 0.88
  // to 0.96 of L20's peak (DefTruth/CUDA-Learn-Notes, hgemm), trainings some less.
  const auto reached = [](const char* chip) {
    auto in = one_card({{"trained", Trained::kLora}, {"batchTokens", 4096}});
    in.chip = chip_presets().at(chip);
    const auto run = in.groups();
    const auto step = in.as({{"microBatch", 4}}).step();
    const double flops = 2 * 7.5e9 * 4096;
    return flops / step.forward.value() / run.chip.peak_bf16.value.value();
  };
  CHECK(reached("rtx-4090") > 0.6);
  CHECK(reached("rtx-4090") < 0.96);
  CHECK(reached("l40s") < 0.55);
}

TEST_CASE("no gradients of weights are put off to fill a bubble") {
  const auto bubble = [](Trained trained) {
    auto in = one_card({{"trained", trained}}).on({{"chips", 4}, {"batchTokens", 65536}});
    return in.as({{"pipeline", 4}, {"schedule", kSchedule<Zb1p>}}).step();
  };
  const auto full = bubble(Trained::kAll);
  const auto lora = bubble(Trained::kLora);
  CHECK(full.bubble / full.expected < lora.bubble / lora.expected);
}

// --- the last layers ---

/// Parameters of a layer of LLaMA 3-8B: its matrices, and its two norms; of the head.
constexpr double kLayerMatrices = 2 * 4096.0 * 4096 + 2 * 4096.0 * 1024 + 3 * 4096.0 * 14336;
constexpr double kLayerNorms = 2 * 4096;
constexpr double kHead = 128256.0 * 4096;

Settings last(double layers, bool head = false) {
  return {{"trained", Trained::kLast}, {"trainedLayers", layers}, {"trainHead", head}};
}

TEST_CASE("the last layers alone have gradients, an optimizer's states and kept tensors") {
  const auto full = memory(one_card());
  const auto some = memory(one_card(last(4)));
  const double n = 4 * (kLayerMatrices + kLayerNorms);
  CHECK(some.states.parameters.value() == full.states.parameters.value());
  CHECK(some.states.gradients.value() == 4 * n);
  CHECK(some.states.optimizer.value() == 12 * n);
  CHECK_THAT(some.activations.value(), WithinRel(full.activations.value() * 4 / 32, 1e-12));
  CHECK(some.logits.value() == full.logits.value());
  // The head is trained with the norm before it.
  const auto head = memory(one_card(last(4, true)));
  CHECK(head.states.gradients.value() == 4 * (n + kHead + 4096));
  CHECK(head.activations.value() == some.activations.value());
}

TEST_CASE("a tied head that is trained above a frozen embedding is a copy of its own") {
  auto in = one_card(last(4));
  in.model = with(in.model, {{"tiedEmbeddings", 1}});
  const auto frozen = memory(in).states;
  const auto trained = memory(in.on({{"trainHead", 1}})).states;
  CHECK((trained.parameters - frozen.parameters).value() == 2 * kHead);
  CHECK((trained.gradients - frozen.gradients).value() == 4 * (kHead + 4096));
}

TEST_CASE("a token costs 2 FLOPs of frozen parameters and 6 of trained ones") {
  const auto model = typed(llama3_8b());
  const auto computed = count_parameters(model);
  const auto used = used_parameters(model, computed);
  const auto flops = [&](const Settings& settings, FlopsRule rule) {
    const auto run = typed(with(make<Run>(settings), {{"flopsRule", rule}}));
    return training_flops(model, run, computed, used).training.value();
  };
  const double all = used.active.value();
  const double trained = 4 * kLayerMatrices;
  // Gradients pass through a frozen head.
  CHECK(flops(last(4), FlopsRule::kSixN) == 2 * all + 4 * trained + 2 * kHead);
  CHECK(flops(last(4, true), FlopsRule::kSixN) == 2 * all + 4 * trained + 4 * kHead);
  CHECK(flops(last(4), FlopsRule::kSixNMatmul) ==
        2 * computed.matmul.value() + 4 * trained + 2 * kHead);
  // With attention; of all layers and the head, no less than a whole training.
  const double attention = 2 * 2 * 4096.0 * 4096 / 2;  // of a layer: causal, 4,096 tokens
  CHECK_THAT(
      flops(last(4), FlopsRule::kExact),
      WithinRel(2 * computed.matmul.value() + 4 * trained + 2 * kHead + (32 + 2 * 4) * attention,
                1e-12));
  CHECK_THAT(flops(last(32, true), FlopsRule::kExact),
             WithinRel(flops({}, FlopsRule::kExact), 1e-12));
}

TEST_CASE("nothing goes back below the first trained layer") {
  const auto step = [](const Settings& run) { return one_card(run).step(); };
  const auto full = step({});
  const auto four = step(last(4));
  const auto eight = step(last(8));
  const auto all = step(last(32, true));
  CHECK(four.forward.value() == full.forward.value());
  // A layer takes as long back as in a whole training, whichever others are trained.
  const double layer = (eight.backward - four.backward).value() / 4;
  CHECK_THAT((all.backward - step(last(4, true)).backward).value(), WithinRel(28 * layer, 1e-9));
  // Nothing is left of the embedding, whose gradients are scattered.
  CHECK(all.backward < full.backward);
  CHECK(all.backward > 0.97 * full.backward);
  // A frozen head passes gradients on, which is half of its way back, but for its loss.
  const double head = four.backward.value() - 4 * layer;
  CHECK(head > 0);
  CHECK(head < step(last(4, true)).backward.value() - 4 * layer);
  CHECK(four.optimizer < 0.15 * full.optimizer);
  CHECK(four.lower < 0.6 * full.lower);
}

TEST_CASE("recomputation does the trained layers alone again") {
  for (const auto recompute : {Recompute::kFull, Recompute::kEveryN}) {
    const auto again = [&](const Settings& run) {
      return one_card(run).as({{"recompute", recompute}}).step();
    };
    const auto full = again({});
    const auto four = again(last(4));
    CHECK_THAT(four.recompute.value(), WithinRel(full.recompute.value() / 8, 1e-9));
    CHECK_THAT(four.recompute_flops.value(), WithinRel(full.recompute_flops.value() / 8, 1e-9));
    CHECK_THAT(four.memory.activations.value(),
               WithinRel(full.memory.activations.value() / 8, 1e-9));
    CHECK(four.memory.working.value() == full.memory.working.value());
  }
}

TEST_CASE("tensor ways sum each trained layer twice and a frozen one once") {
  const auto tensor = [](const Settings& run) {
    auto in = one_card(run).on({{"chips", 8}});
    return in.as({{"tensor", 8}, {"sequenceParallel", 0}}).step().tensor.value();
  };
  const double whole = tensor({});
  CHECK_THAT(tensor(last(8)), WithinRel(whole * (32 + 8) / 64, 1e-12));
  CHECK_THAT(tensor(last(32, true)), WithinRel(whole, 1e-12));
}

TEST_CASE("sharded, all layers are gathered forward, the trained ones again, and reduced alone") {
  const auto data = [](const Settings& run, StateSharding sharding) {
    auto in = one_card(run).on({{"chips", 8}, {"batchTokens", 65536}});
    return in.as({{"sharding", sharding}}).step().data.value();
  };
  using enum StateSharding;
  for (const auto sharding : {kNone, kOptimizer, kGradients}) {
    const double share = data(last(8), sharding) / data(last(32, true), sharding);
    CHECK(share > 8.0 / 35);
    CHECK(share < 9.0 / 34);
  }
  // A gather and, of a quarter of the layers, another and a reduction of gradients twice as wide.
  const double share = data(last(8), kParameters) / data(last(32, true), kParameters);
  CHECK(share > 0.4);
  CHECK(share < 0.47);
}

TEST_CASE("stages of frozen layers go forward alone, and the last one sets the pace") {
  const auto in = one_card(last(4))
                      .on({{"chips", 4}, {"batchTokens", 65536}})
                      .as({{"pipeline", 4}, {"schedule", kSchedule<OneFOneB>}});
  const auto full = in.on({{"trained", Trained::kAll}}).step();
  const auto some = in.step();
  CHECK(some.slowest.value() == 3);
  CHECK(some.expected < 0.75 * full.expected);
  CHECK(number<term::kSlowestStage>(in.answers()) == 4);
  // The pipeline fills, and drains through no other stage.
  CHECK_THAT(some.bubble.value(), WithinRel(3 * some.micro_forward.value(), 1e-12));
  const auto groups = in.groups();
  const auto choice = choose_for_layout(groups);
  const auto first = memory_of_stage(groups, choice, 0);
  CHECK(first.states.gradients.value() == 0);
  CHECK(first.states.optimizer.value() == 0);
  CHECK(first.activations.value() == 0);
  const auto final = memory_of_stage(groups, choice, 3);
  CHECK(final.states.gradients.value() == 4 * 4 * (kLayerMatrices + kLayerNorms));
  // The fullest of all stages is among those that a step looks at.
  double most = 0;
  for (double stage = 0; stage < 4; ++stage) {
    most = std::fmax(most, memory_of_stage(groups, choice, stage).total().value());
  }
  CHECK(some.memory.total().value() == most);
}

TEST_CASE("every way to divide a model has the last layers once") {
  for (const char* id : {"llama-3.1-8b", "gpt-oss-120b", "deepseek-v3", "qwen3-next-80b-a3b"}) {
    auto in = one_card(last(5));
    in.model = model_presets().at(id);
    const auto model = typed(in.model);
    for (const auto schedule : {kSchedule<OneFOneB>, kSchedule<Interleaved>, kSchedule<Zbv>}) {
      for (const double stages : {1, 2, 4, 6}) {
        const auto layout = typed(
            make<Layout>({{"pipeline", stages}, {"schedule", schedule}, {"virtualStages", 2}}));
        INFO(id << " " << stages);
        const auto run = run_of(last(5));
        double layers = 0;
        double parameters = 0;
        for (double at = 0; at < stages; ++at) {
          const auto stage = make_stage(model, layout, count_of(8), at, run);
          layers += stage.back.layers().value() - stage.modules.value();
          if (stage.modules.value() > 0) continue;
          parameters +=
              trained_of(model, typed(make<Run>(last(5))), layout, stage).matrices.value() +
              stage.back.experts.value();
        }
        CHECK(layers == 5);
        if (model.mtp_modules.value() > 0) continue;
        const auto all = trained_parameters(model, run, count_parameters(model).total);
        CHECK_THAT(parameters, WithinRel(all.value(), 1e-12));
      }
    }
  }
}

TEST_CASE("layers of a pattern are trained by their own kinds") {
  // Qwen3-Next: three layers of linear attention, then one of full attention.
  auto in = one_card(last(1));
  in.model = model_presets().at("qwen3-next-80b-a3b");
  in = in.on({{"chips", 8}}).as({{"expert", 8}});
  const auto kept = [&](double layers) {
    return in.on(last(layers)).step().memory.activations.value();
  };
  const double full = kept(1);
  const double linear = kept(2) - full;
  CHECK(std::fabs(full / linear - 1) > 0.05);
  CHECK_THAT(kept(4), WithinRel(full + 3 * linear, 1e-9));
  CHECK_THAT(kept(8), WithinRel(2 * (full + 3 * linear), 1e-9));
}

TEST_CASE("more layers than the model has are named with their range") {
  for (const auto& issues :
       {one_card(last(33)).outcome().issues,
        estimate<TrainingQuestion>({h100(), llama3_8b(), make<Run>(last(33))}).issues}) {
    REQUIRE(issues.items().size() == 1);
    const Issue& issue = issues.items()[0];
    CHECK(issue.code == IssueCode::kMoreThanLayers);
    CHECK(std::string_view(issue.field) == "trainedLayers");
    CHECK(issue.arguments[0] == 32);
  }
}

// --- data ---

TEST_CASE("a data set is its examples, packed or each padded to a sequence") {
  const Settings examples{{"corpus", Corpus::kExamples},
                          {"examples", 1000},
                          {"exampleTokens", 300},
                          {"epochs", 2},
                          {"sequenceLength", 1024}};
  CHECK(run_of(examples).all_tokens().value() == 600e3);
  const auto padded = with(make<Run>(examples), {{"packing", 0}});
  CHECK(typed(padded).all_tokens().value() == 2048e3);
  // Packed examples see themselves alone.
  CHECK(run_of(examples).attention_length().value() == 300);
  CHECK(typed(padded).attention_length().value() == 1024);
}

TEST_CASE("a batch larger than the data set names what there is") {
  const auto in = one_card(
      {{"corpus", Corpus::kExamples}, {"examples", 4}, {"exampleTokens", 100}, {"epochs", 1}});
  const auto outcome = in.outcome();
  REQUIRE(outcome.issues.items().size() == 1);
  const Issue& issue = outcome.issues.items()[0];
  CHECK(issue.code == IssueCode::kBatchAboveTokens);
  CHECK(issue.arguments[0] == 400);
}

}  // namespace
}  // namespace scaling::test::tuning_test
