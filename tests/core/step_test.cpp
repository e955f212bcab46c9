// SPDX-License-Identifier: MIT
//
// A training step: its bounds, what its time is made of, what its transfers move.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "kind_models.hpp"
#include "plans.hpp"
#include "presets.hpp"
#include "share.hpp"

namespace scaling::test::step_test {
namespace {

/// Adding up rounds.
constexpr double kRounding = 1 + 1e-12;

/// Calls `use(name, planned)` with layouts by chance of every chip that has a network, and several
/// models; those that do not fit are left out.
template <class Use>
int each_plan(int of_each, Use use) {
  inputs::Numbers numbers;
  int count = 0;
  Share share;
  const auto models = model_presets();
  for (const auto& [id, chip] : chip_presets()) {
    if (static_cast<Network>(static_cast<int>(with(chip, {})["network"])) == Network::kNone) {
      continue;
    }
    if (!has_wide_peak(chip)) continue;
    for (const char* name : {"llama-3-8b", "llama-3-70b", "mixtral-8x7b", "deepseek-v3",
                             "gpt-oss-120b", "gemma-2-27b", "gpt-3-175b"}) {
      for (int i = 0; i < of_each; ++i) {
        Planned in;
        in.chip = chip;
        in.model = models.at(name);
        in = in.on({{"computeFormat", compute_format_of(chip)}});
        in = any_plan(in, numbers);
        if (!share.takes() || !in.outcome().issues.empty()) continue;
        ++count;
        use(id + " " + name + " " + std::to_string(i), in);
      }
    }
  }
  return count;
}

TEST_CASE("lower <= expected <= upper, and all of it finite, for thousands of layouts") {
  const int count = each_plan(150, [](const std::string& name, const Planned& in) {
    INFO(name);
    const auto step = in.step();
    CHECK(step.lower.value() > 0);
    CHECK(step.lower.value() <= kRounding * step.expected.value());
    CHECK(step.expected.value() <= kRounding * step.upper.value());
    CHECK(std::isfinite(step.upper.value()));
    CHECK(std::isfinite(step.memory.total().value()));
  });
  INFO(count);
  CHECK(count > 3000 / int(Share::one_in()));
}

TEST_CASE("lower <= expected <= upper to the bit, wherever in their ranges the fields lie") {
  inputs::Numbers numbers;
  Share share;
  std::array<int, 2> checked{};  // indexed by the source of rates
  for (std::size_t n = 0; n < 20000; ++n) {
    const auto input = inputs::vary<PlanQuestion>(inputs::base<PlanQuestion>(n), numbers, 6);
    if (!share.takes()) continue;
    const auto outcome = estimate<PlanQuestion>(input);
    if (!outcome.issues.empty()) continue;
    const auto lower = outcome.answers.get<term::kStepLower>();
    const auto expected = outcome.answers.get<term::kStepExpected>();
    const auto upper = outcome.answers.get<term::kStepUpper>();
    if (!lower.present() || !expected.present() || !upper.present()) continue;
    CAPTURE(n);
    CHECK(lower.value <= expected.value);
    CHECK(expected.value <= upper.value);
    const auto low = outcome.answers.get<term::kStepLow>();
    if (low.present()) {
      CHECK(lower.value <= low.value);
      CHECK(low.value <= expected.value);
      CHECK(expected.value <= outcome.answers.get<term::kStepHigh>().value);
    }
    ++checked[input.assumptions.values[index_of<Assumptions>("rates")] > 0 ? 1 : 0];
  }
  for (const int count : checked) CHECK(count > 5000 / static_cast<int>(Share::one_in()));
}

TEST_CASE("a likely step is off by a part of its kernels and more of the rest, in few bits most") {
  const auto& constants = kStepConstants;
  const std::pair<Format, double> formats[] = {{Format::kBf16, 1},
                                               {Format::kFp8, constants.spread_eight},
                                               {Format::kFp4, constants.spread_four}};
  for (const char* model : {"llama-3-8b", "mixtral-8x7b"}) {
    for (const auto& [format, times] : formats) {
      INFO(model << " " << kFormatNames[static_cast<std::size_t>(format)]);
      Planned in;
      in.chip = chip_presets().at("gb200-nvl72");
      in.model = model_presets().at(model);
      in.assumptions = make<Assumptions>({{"rates", RatesFrom::kMeasured}});
      in = in.on({{"computeFormat", format}}).run_by({{"software", SoftwareFit::kKnown}});
      const auto answers = in.answers();
      const double expected = number<term::kStepExpected>(answers);
      const double kernels =
          number<term::kTimeForward>(answers) + number<term::kTimeBackward>(answers);
      const auto launches = answers.get<term::kTimeLaunch>();
      const double waits = launches.present() ? launches.value.value() : 0;
      CHECK(waits < expected - kernels);
      const double more = times * (constants.spread_kernels * kernels +
                                   constants.spread_rest * (expected - kernels));
      const double less = constants.spread_low * more +
                          (1 - constants.spread_low) * times * constants.spread_rest * waits;
      CHECK_THAT(number<term::kStepHigh>(answers), WithinRel(expected + more, 1e-12));
      CHECK_THAT(number<term::kStepLow>(answers), WithinRel(expected - less, 1e-12));
    }
  }
}

TEST_CASE("of software that is not in the fit, steps are as many times less sure in logarithms") {
  for (const char* model : {"llama-3-8b", "mixtral-8x7b"}) {
    INFO(model);
    Planned in;
    in.chip = chip_presets().at("h100-sxm");
    in.model = model_presets().at(model);
    in.assumptions = make<Assumptions>({{"rates", RatesFrom::kMeasured}});
    const auto range_of = [&](const Settings& run, SoftwareFit software) {
      const auto answers = in.on(run).run_by({{"software", software}}).answers();
      const double expected = number<term::kStepExpected>(answers);
      return std::array{std::log(expected / number<term::kStepLow>(answers)),
                        std::log(number<term::kStepHigh>(answers) / expected),
                        std::log(number<term::kStepUpper>(answers) / expected), expected,
                        number<term::kStepLower>(answers)};
    };
    const auto known = range_of({}, SoftwareFit::kKnown);
    const auto other = range_of({}, SoftwareFit::kOther);
    CHECK(other[3] == known[3]);
    CHECK(other[4] == known[4]);
    const double times = in.model.values[index_of<Model>("experts")] > 0
                             ? kStepConstants.spread_other_experts
                             : kStepConstants.spread_other;
    CHECK(times > 1.5);
    CHECK_THAT(other[0], WithinRel(times * known[0], 1e-9));
    CHECK_THAT(other[1], WithinRel(times * known[1], 1e-9));
    CHECK(other[2] > known[2]);
    // The software of adapters was measured apart.
    const Settings lora{{"trained", Trained::kLora}};
    CHECK(range_of(lora, SoftwareFit::kOther) == range_of(lora, SoftwareFit::kKnown));
    // Whoever says no software has this.
    CHECK_THAT(std::log(number<term::kStepHigh>(in.answers()) / other[3]),
               WithinRel(other[1], 1e-9));
  }
}

TEST_CASE("a step is what is computed, what shows of each transfer, and what is waited for") {
  each_plan(40, [](const std::string& name, const Planned& in) {
    INFO(name);
    const auto step = in.step();
    const auto sum = step.forward + step.backward + step.recompute + step.exposed_tensor +
                     step.exposed_context + step.exposed_expert + step.exposed_data +
                     step.exposed_pipeline + step.exposed_host + step.launches + step.overhead +
                     step.bubble + step.optimizer;
    CHECK_THAT(step.expected.value(), WithinRel(sum.value(), 1e-12));
    // No more of a transfer shows than there is of it.
    CHECK(step.exposed_tensor <= kRounding * step.tensor);
    CHECK(step.exposed_context <= kRounding * step.context);
    CHECK(step.exposed_expert <= kRounding * step.expert);
    CHECK(step.exposed_data <= kRounding * step.data);
    CHECK(step.exposed_pipeline <= kRounding * step.pipeline);
    CHECK(step.exposed_host <= kRounding * step.host);
  });
}

TEST_CASE("without overlap all of every transfer shows, with it as much as computing hides") {
  each_plan(15, [](const std::string& name, const Planned& in) {
    INFO(name);
    const auto overlapping = [&](double share) {
      return in
          .under({{"rates", RatesFrom::kStated},
                  {"overlapTensor", share},
                  {"overlapContext", share},
                  {"overlapExpert", share},
                  {"overlapData", share},
                  {"overlapPipeline", share}})
          .as({{"recompute", Recompute::kFull}})
          .step();
    };
    const auto none = overlapping(0);
    const auto all = overlapping(1);
    for (const auto& [shown, time] :
         {std::pair(none.exposed_tensor, none.tensor),
          std::pair(none.exposed_context, none.context),
          std::pair(none.exposed_expert, none.expert), std::pair(none.exposed_data, none.data),
          std::pair(none.exposed_pipeline, none.pipeline),
          std::pair(none.exposed_host, none.host)}) {
      CHECK_THAT(shown.value(), WithinRel(time.value(), 1e-12));
    }
    CHECK(all.expected <= kRounding * none.expected);
  });
}

TEST_CASE("efficiencies of 1 are the fastest, and each makes a step longer the lower it is") {
  each_plan(20, [](const std::string& name, const Planned& in) {
    INFO(name);
    // Dropped tensors do not depend on them then, nor does the work that zero-bubble schedules put
    // off.
    const auto base = in.as({{"recompute", Recompute::kFull}, {"schedule", kSchedule<OneFOneB>}})
                          .under({{"rates", RatesFrom::kStated}});
    for (const char* key : {"computeEfficiency", "memoryEfficiency", "networkEfficiency"}) {
      const auto fast = base.under({{key, 1}}).step();
      const auto slow = base.under({{key, 0.4}}).step();
      CHECK(fast.expected <= kRounding * slow.expected);
      // The expected time chooses where the layout lies: bounds compare in one place only.
      const auto place = choose_for_layout(base.under({{key, 1}}).groups());
      const auto there = cost_step<double>(base.under({{key, 0.4}}).groups(), place);
      CHECK(fast.upper <= kRounding * there.upper);
    }
  });
}

/// The step if one of its stages alone set the pace.
Step<double> step_of(const SearchInput<double>& in, const LayoutChoice& choice, std::size_t stage) {
  const auto work = layer_work<double>(in);
  const auto ends = ends_work<double>(in);
  const auto transfers = step_transfers<double>(in, choice.placement);
  auto base = make_step_base<double>(in, work, ends, transfers, choice.placement);
  base.stages[0] = base.stages[std::min(stage, base.stage_count - 1)];
  base.stage_count = 1;
  return finish_step<double>(in, base, keep_layers<double>(in, base, choice.dropped));
}

TEST_CASE("the slowest stage sets the pace") {
  each_plan(20, [](const std::string& name, const Planned& in) {
    const auto groups = in.groups();
    const auto choice = choose_for_layout(groups);
    const auto step = cost_step<double>(groups, choice);
    double longest = 0;
    for (std::size_t i = 0; i < kStagesCosted; ++i) {
      longest = std::max(longest, step_of(groups, choice, i).expected.value());
    }
    INFO(name);
    CHECK_THAT(step.expected.value(), WithinRel(longest, 1e-12));
  });
}

TEST_CASE("the time of a stage is that of the layers of its place in the pattern") {
  Planned in;
  in.model = kind_models::patterned("8xld.8xad", kind_models::qwen35_27b());
  in = in.on({{"chips", 16}, {"sequenceLength", 32768}, {"batchTokens", 32768 * 64}})
           .as({{"pipeline", 2}, {"sharding", StateSharding::kOptimizer}});
  const auto base_of = [](const Planned& planned) {
    const auto groups = planned.groups();
    const auto choice = choose_for_layout(groups);
    return make_step_base<double>(groups, layer_work<double>(groups), ends_work<double>(groups),
                                  step_transfers<double>(groups, choice.placement),
                                  choice.placement);
  };
  const auto mixed = base_of(in);
  REQUIRE(mixed.stage_count == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    Planned alone = in;
    alone.model = kind_models::patterned(i == 0 ? "16xld" : "16xad", kind_models::qwen35_27b());
    const auto one = base_of(alone).stages[i];
    const auto& other = mixed.stages[i];
    CHECK_THAT(other.forward.expected.value(), WithinRel(one.forward.expected.value(), 1e-12));
    CHECK_THAT(other.backward.lower.value(), WithinRel(one.backward.lower.value(), 1e-12));
    CHECK_THAT(other.stage.matrices.value(), WithinRel(one.stage.matrices.value(), 1e-12));
  }
  // Attention to 32,768 tokens takes longer than a state: the second half sets the pace.
  CHECK(mixed.stages[1].forward.expected > 1.2 * mixed.stages[0].forward.expected);
}

TEST_CASE(
    "each of the tensor ways swaps its own tokens, and gathers those of an expert it shares") {
  const auto base_of = [](double expert_tensor, double expert) {
    Planned in;
    in.model = mixtral_8x7b();
    in = in.on({{"chips", 8}})
             .as({{"tensor", 4},
                  {"expert", expert},
                  {"expertTensor", expert_tensor},
                  {"sequenceParallel", true},
                  {"sharding", StateSharding::kOptimizer}});
    const auto groups = in.groups();
    const auto choice = choose_for_layout(groups);
    return make_step_base<double>(groups, layer_work<double>(groups), ends_work<double>(groups),
                                  step_transfers<double>(groups, choice.placement),
                                  choice.placement);
  };
  const auto seconds = [&](double expert_tensor, double expert) {
    return base_of(expert_tensor, expert).expert.lower.value();
  };
  // 2 experts a token, 4096 tokens of 4096 numbers in bf16; 3 of 4 come from others, at 450 GB/s;
  // there and back.
  const double gathers = 2 * 2 * 4096.0 * 4096 * 2 * 3 / 4 / 450e9;
  const double swaps = seconds(1, 2);
  CHECK(swaps > 0);
  CHECK_THAT(seconds(4, 2), WithinRel(swaps + gathers, 1e-9));
  CHECK_THAT(seconds(4, 1), WithinRel(gathers, 1e-9));
  CHECK(seconds(1, 1) == 0);
  // Attention's sums are the same, whoever divides the experts.
  CHECK(base_of(4, 2).sparse_tensor.lower.value() == base_of(1, 2).sparse_tensor.lower.value());
}

TEST_CASE("software overlaps tensor transfers only inside a domain of switches") {
  const auto exposed = [](double tensor) {
    Planned in;
    in.model = llama3_70b();
    const auto step = in.on({{"chips", 64}})
                          .under({{"rates", RatesFrom::kMeasured}})
                          .as({{"tensor", tensor}, {"sharding", StateSharding::kOptimizer}})
                          .step();
    return step.exposed_tensor.value() / step.tensor.value();
  };
  CHECK(exposed(8) < 0.5);
  CHECK_THAT(exposed(16), WithinRel(1.0, 1e-12));
}

/// GPT of 24 layers in one replica on A100, as vTrain timed it with Megatron-DeepSpeed.
Planned of_2022(double tensor, double micro_batch, double sequences) {
  Planned in;
  in.chip = chip_presets().at("a100-sxm-80gb");
  in.model = make<Model>({{"layers", 24},
                          {"hidden", 2048},
                          {"feedForward", 8192},
                          {"heads", 16},
                          {"kvHeads", 16},
                          {"headDim", 128},
                          {"gatedFeedForward", false},
                          {"vocabulary", 51200},
                          {"tiedEmbeddings", true},
                          {"learnedPositions", 1024}});
  in.assumptions = make<Assumptions>({{"rates", RatesFrom::kMeasured}});
  return in.on({{"chips", tensor}, {"batchTokens", 1024 * sequences}, {"sequenceLength", 1024}})
      .as({{"tensor", tensor},
           {"microBatch", micro_batch},
           {"recompute", Recompute::kFull},
           {"sequenceParallel", false},
           {"attentionKernel", AttentionKernel::kNaive},
           {"gradientFormat", GradientCopies::kShare},
           {"dropout", true}})
      .run_by({{"kernels", KernelLaunch::kEager2022},
               {"timer", StepTimer::kIteration},
               {"reduceFormat", ReduceFormat::kBf16},
               {"tensorOverlap", false},
               {"dataOverlap", false}});
}

TEST_CASE("a host launches as many kernels of a layer whatever divides it") {
  // Source: vTrain, data of single nodes, tensor ways 2, 4 and 8.
  const double measured[][3] = {{2, 1, 0.6987}, {4, 1, 0.6074}, {8, 1, 0.9436}, {4, 8, 0.3849}};
  for (const auto& [tensor, micro_batch, seconds] : measured) {
    INFO(tensor << " ways of " << micro_batch);
    const double sequences = micro_batch == 8 ? 16 : 8;
    const auto plan = of_2022(tensor, micro_batch, sequences);
    CHECK_THAT(plan.step().expected.value(), WithinRel(seconds, 0.1));
    CHECK(plan.step().upper.value() > seconds);
  }
  // Fewer launches, shorter steps, and no less than the chips alone.
  const auto of = [](KernelLaunch kernels, CudaGraphs graphs) {
    return of_2022(8, 1, 8)
        .run_by({{"kernels", kernels}, {"graphs", graphs}})
        .step()
        .expected.value();
  };
  using enum KernelLaunch;
  CHECK(of(kEager2022, CudaGraphs::kNone) > of(kEager, CudaGraphs::kNone));
  CHECK(of(kEager, CudaGraphs::kNone) > of(kEager, CudaGraphs::kPartial));
  CHECK(of(kEager, CudaGraphs::kPartial) > of(kFused, CudaGraphs::kPartial));
  CHECK(of(kFused, CudaGraphs::kPartial) > of(kFused, CudaGraphs::kFull));
  CHECK(of(kEager2022, CudaGraphs::kFull) == of(kFused, CudaGraphs::kFull));
}

TEST_CASE("the fixed time of a step is that of what is timed, small for one graph") {
  const auto fixed = [](StepTimer timer, CudaGraphs graphs) {
    const auto in = of_2022(1, 1, 8).run_by({{"timer", timer}, {"graphs", graphs}});
    return in.step().overhead.value();
  };
  using enum StepTimer;
  CHECK(fixed(kLoop, CudaGraphs::kPartial) == kStepConstants.overhead);
  CHECK(fixed(kIteration, CudaGraphs::kPartial) == kStepConstants.iteration);
  CHECK(fixed(kLoop, CudaGraphs::kFull) == kStepConstants.iteration);
}

TEST_CASE("a stage waits for hops unless it has another chunk or other passes to work on") {
  const auto shown = [](PipelineSchedule schedule, double chunks) {
    Planned in;
    in.model = llama3_70b();
    const auto step =
        in.on({{"chips", 32}})
            .under({{"rates", RatesFrom::kMeasured}})
            .as({{"tensor", 4}, {"pipeline", 4}, {"schedule", schedule}, {"virtualStages", chunks}})
            .step();
    return step.exposed_pipeline.value() / step.pipeline.value();
  };
  CHECK_THAT(shown(kSchedule<OneFOneB>, 1), WithinRel(1.0, 1e-12));
  CHECK_THAT(shown(kSchedule<Gpipe>, 1), WithinRel(1.0, 1e-12));
  CHECK_THAT(shown(kSchedule<Interleaved>, 1), WithinRel(1.0, 1e-12));
  CHECK(shown(kSchedule<Interleaved>, 5) < 0.5);
  CHECK(shown(kSchedule<Zb1p>, 1) < 0.5);
}

TEST_CASE("integers compute at their own rate, where a chip has one for floating point, too") {
  const auto forward = [](Format format, double floating, double integers) {
    Planned in;
    in.chip = with(in.chip, {{"peakFp8", floating}, {"peakInt8", integers}});
    return in.on({{"computeFormat", format}})
        .under({{"rates", RatesFrom::kMeasured}})
        .step()
        .forward.value();
  };
  const double at_two = forward(Format::kFp8, 2e15, 1e15);
  CHECK(forward(Format::kInt8, 2e15, 2e15) == at_two);
  CHECK(forward(Format::kInt8, 1e15, 2e15) == at_two);
  CHECK(forward(Format::kInt8, 2e15, 1e15) == forward(Format::kFp8, 1e15, 1e15));
  CHECK(forward(Format::kInt8, 2e15, 1e15) > at_two);
}

// --- computing ---

/// One chip, one sequence, all at its full rate.
Planned alone(const Raw<Model>& model) {
  Planned in;
  in.chip = tpu_v5p();
  in.model = model;
  in.assumptions = ideal();
  return in.on({{"chips", 1}, {"batchTokens", 4096}});
}

double kernels(const Raw<Chip>& chip, const Raw<Model>& model, OperationKind kind,
               double sequences = 1) {
  return number<term::kLowerBound>(
      operation(chip, model,
                make<OperationRequest>({{"kind", kind},
                                        {"pass", Pass::kBoth},
                                        {"sequences", sequences},
                                        {"attentionMask", AttentionMask::kCausal}})));
}

/// Seconds of what is neither matmul nor norm in a layer with experts, there and back, for 4096
/// tokens in bf16 at v5p's 2.8 TB/s: rows to the experts' order and back, each read and written,
/// and SwiGLU, which reads two and writes one forward, and backward reads three and writes two.
double routing(Raw<Model> model) {
  const double routed = 4096 * model["expertsPerToken"];
  if (model["experts"] == 0) return 0;
  const double moved = 2 * 2 * 2 * 2 * routed * model["hidden"];
  const double activation = 2 * (3 + 5) * routed * model["expertFeedForward"];
  return (moved + activation) / 2.8e12;
}

TEST_CASE("of one chip at its full rates, a step is its kernels one after another") {
  for (const auto& model : {llama3_8b(), mixtral_8x7b()}) {
    // Gradients of weights are written once, as an operation alone writes them.
    const auto in = alone(model).as({{"gradientFormat", GradientCopies::kNone}});
    const auto step = in.step();
    const double layers =
        32 * (kernels(in.chip, model, kOperation<operations::Layer>) + routing(model));
    const double ends = kernels(in.chip, model, kOperation<operations::LmHead>) +
                        kernels(in.chip, model, kOperation<operations::Embedding>);
    // The optimizer reads and writes master weights and moments, reads gradients, writes weights.
    const double parameters = count_parameters(typed(model)).total.value();
    const double update = (2 * 12 + 2 + 2) * parameters / 2.8e12;
    CHECK_THAT(step.optimizer.value(), WithinRel(update, 1e-12));
    CHECK_THAT(step.expected.value(), WithinRel(layers + ends + update, 1e-12));
    CHECK_THAT(step.lower.value(), WithinRel(layers + ends + update, 1e-12));
    CHECK_THAT((step.forward + step.backward).value(), WithinRel(layers + ends, 1e-12));
  }
}

TEST_CASE("micro-batches follow each other, each with its kernels") {
  const auto in = alone(llama3_8b())
                      .on({{"batchTokens", 4096 * 6}})
                      .as({{"microBatch", 2}, {"gradientFormat", GradientCopies::kNone}});
  const double once = 32 * kernels(in.chip, in.model, kOperation<operations::Layer>, 2) +
                      kernels(in.chip, in.model, kOperation<operations::LmHead>, 2) +
                      kernels(in.chip, in.model, kOperation<operations::Embedding>, 2);
  const auto step = in.step();
  CHECK(step.micro_batches.value() == 3);
  CHECK_THAT((step.forward + step.backward).value(), WithinRel(3 * once, 1e-12));
}

/// Makes memory and vector units take no time: only matmuls and attention count.
Planned only_math(Planned in) {
  in.chip = with(in.chip, {{"memoryBandwidth", 1e18}, {"peakVector", 1e21}});
  return in;
}

double computing(const Planned& in) {
  const auto step = in.step();
  return (step.forward + step.backward).value();
}

TEST_CASE("six FLOPs for each matmul parameter and token, and attention") {
  const auto in = only_math(alone(llama3_8b()));
  const double n = 4096;
  // All parameters but embedding lookup and norms; causal attention 4 T (T + 1) / 2 forward with
  // FlashAttention, 2.5 times as much backward (it computes the scores again).
  const double parameters = 8030261248.0 - 128256.0 * 4096 - 65 * 4096;
  const double attention = 32 * 4 * n * (n + 1) / 2 * 4096 * 3.5;
  CHECK_THAT(computing(in), WithinRel((6 * parameters * n + attention) / 4.59e14, 1e-6));
}

TEST_CASE("the LM head counts three times, once forward and twice backward, on the last stage") {
  const double head = 2 * 4096.0 * 128256 * 4096 / 4.59e14;  // one pass of 4096 tokens
  const auto doubled = [](Planned in) {
    in.model = with(in.model, {{"vocabulary", 2 * 128256}});
    return computing(in);
  };
  const auto in = only_math(alone(llama3_8b()));
  CHECK_THAT(doubled(in) - computing(in), WithinRel(3 * head, 1e-6));
  // The last stage sets the pace of a pipeline: 8 layers and the head.
  const auto piped = in.on({{"chips", 4}, {"batchTokens", 4096 * 8}}).as({{"pipeline", 4}});
  CHECK_THAT(doubled(piped) - computing(piped), WithinRel(8 * 3 * head, 1e-6));
}

TEST_CASE("tensor and context ways divide the computing") {
  const auto in = only_math(alone(llama3_8b()));
  const double whole = computing(in);
  for (const double ways : {2, 4, 8}) {
    const auto chips = in.on({{"chips", ways}});
    CHECK_THAT(computing(chips.as({{"tensor", ways}})), WithinRel(whole / ways, 1e-6));
    CHECK_THAT(computing(chips.as({{"context", ways}})), WithinRel(whole / ways, 1e-6));
  }
}

TEST_CASE("expert ways leave each chip as much work, spread over fewer experts") {
  const auto in = only_math(alone(mixtral_8x7b())).on({{"chips", 8}, {"batchTokens", 4096 * 8}});
  const double whole = computing(in);
  CHECK_THAT(computing(in.as({{"expert", 8}})), WithinRel(whole, 1e-6));
  CHECK_THAT(computing(in.as({{"expert", 4}})), WithinRel(whole, 1e-6));
}

TEST_CASE("full recomputation computes every layer's forward pass again, not the head's") {
  const auto in = only_math(alone(llama3_8b()));
  const auto step = in.as({{"recompute", Recompute::kFull}}).step();
  const double n = 4096;
  const double parameters = 8030261248.0 - 2 * 128256.0 * 4096 - 65 * 4096;
  const double forward = (2 * parameters * n + 32 * 4 * n * (n + 1) / 2 * 4096) / 4.59e14;
  CHECK_THAT(step.recompute.value(), WithinRel(forward, 1e-6));
  CHECK_THAT(step.recompute_flops.value(), WithinRel(forward * 4.59e14, 1e-3));
}

TEST_CASE("one program computes a layer again without its last matmul, if no norm reads that") {
  const auto again = [](const Settings& model, const Settings& layout, KernelLaunch kernels) {
    return only_math(alone(with(llama3_8b(), model)))
        .as(layout)
        .run_by({{"kernels", kernels}})
        .step();
  };
  using enum KernelLaunch;
  const Settings full{{"recompute", Recompute::kFull}};
  const auto whole = again({}, full, kFused);
  const auto part = again({}, full, kCompiled);
  const double last = 32 * 2 * 4096.0 * 4096 * 14336;
  CHECK_THAT((whole.recompute - part.recompute).value(), WithinRel(last / 4.59e14, 1e-6));
  CHECK_THAT((whole.recompute_flops - part.recompute_flops).value(), WithinRel(last, 1e-6));
  CHECK(part.lower < whole.lower);
  // Norms behind attention and feed-forward part, as Gemma 2 has them.
  const Settings norms{{"normsPerLayer", 4}};
  CHECK(again(norms, full, kCompiled).recompute.value() ==
        again(norms, full, kFused).recompute.value());
  // Of several layers between two inputs, the next one reads the result.
  const Settings second{{"recompute", Recompute::kEveryN}, {"recomputeLayers", 2}};
  CHECK(again({}, second, kCompiled).recompute.value() ==
        again({}, second, kFused).recompute.value());
}

TEST_CASE("of layers with experts, one program leaves the last matmul out beside these alone") {
  const auto again = [](double shared, KernelLaunch kernels) {
    return only_math(alone(with(mixtral_8x7b(), {{"sharedExperts", shared}})))
        .as({{"recompute", Recompute::kFull}})
        .run_by({{"kernels", kernels}})
        .step()
        .recompute.value();
  };
  using enum KernelLaunch;
  CHECK(again(0, kCompiled) == again(0, kFused));
  const double shared = 32 * 2 * 4096.0 * 4096 * 14336 / 4.59e14;
  CHECK_THAT(again(1, kFused) - again(1, kCompiled), WithinRel(shared, 1e-6));
}

TEST_CASE("gradients of weights are read and written in their format with each micro-batch") {
  // Memory alone counts: at 1e9 FLOPs/B less, every kernel takes what it moves.
  Planned in = alone(llama3_8b()).on({{"batchTokens", 4096 * 3}});
  in.chip = with(in.chip, {{"peakBf16", 1e21}, {"peakVector", 1e21}});
  const auto seconds = [&](GradientCopies format) {
    return in.as({{"gradientFormat", format}}).step().backward.value();
  };
  // All but norms, which are as they were, and of the lookup as many rows as there are tokens.
  const double matrices = 8030261248.0 - 128256.0 * 4096 - 65 * 4096;
  const double rows = 4096 * 4096;
  // Written once in 2 bytes; read and written in 2, and in 4. Rows are read and written in any
  // case.
  CHECK_THAT(seconds(GradientCopies::kBf16) - seconds(GradientCopies::kNone),
             WithinRel(3 * 2 * matrices / 2.8e12, 1e-9));
  CHECK_THAT(seconds(GradientCopies::kFp32) - seconds(GradientCopies::kNone),
             WithinRel(3 * (6 * matrices + 4 * rows) / 2.8e12, 1e-9));
}

TEST_CASE("V-shaped schedules have the LM head on the first stage, DualPipe on both ends") {
  // 64 layers of 4 stages lie evenly in any way: whichever stage has the head sets the pace.
  auto in = only_math(alone(with(llama3_8b(), {{"layers", 64}})))
                .on({{"chips", 4}, {"batchTokens", 4096 * 16}});
  const auto of = [&](PipelineSchedule schedule) {
    return in.as({{"pipeline", 4}, {"schedule", schedule}});
  };
  for (const auto schedule : {kSchedule<Zbv>, kSchedule<VHalf>, kSchedule<VMin>}) {
    INFO(row_of(schedule).name);
    CHECK_THAT(computing(of(schedule)), WithinRel(computing(of(kSchedule<OneFOneB>)), 1e-6));
    const auto groups = of(schedule).groups();
    const auto first = make_stage(groups.model, groups.layout, count_of(16), 0);
    const auto last = make_stage(groups.model, groups.layout, count_of(16), 3);
    CHECK((first.embedding && first.head && first.heads.value() == 1));
    CHECK_FALSE((last.embedding || last.head));
    CHECK(first.vocabulary.value() == 2 * 128256.0 * 4096);
    CHECK(last.vocabulary.value() == 0);
    // The first stage has the logits, too: with as many activations as the others it is the
    // fullest.
    CHECK(of(schedule).step().fullest.value() == 0);
    CHECK(of(schedule).step().memory.logits.value() > 0);
  }
}

TEST_CASE("the busiest expert way takes its imbalance more, all chips together compute the same") {
  Planned in;
  in.model = deepseek_v3();
  // The imbalance is one of bytes; latency stays as it is.
  in.chip = with(in.chip, {{"hopLatency", 0}, {"scaleOutLatency", 0}});
  in = in.on({{"chips", 64}, {"batchTokens", 4096 * 64}})
           .as({{"expert", 64}, {"recompute", Recompute::kFull}});
  const auto even = in.step();
  const auto same = in.under({{"expertImbalance", 1}}).step();
  CHECK(same.expected.value() == even.expected.value());
  const auto groups = in.under({{"expertImbalance", 2}}).groups();
  const auto work = [](const SearchInput<double>& of) { return layer_work<double>(of); };
  const auto one = work(in.groups());
  const auto two = work(groups);
  const auto uneven = in.under({{"expertImbalance", 2}}).step();
  CHECK_THAT(uneven.expert.value(), WithinRel(2 * even.expert.value(), 1e-12));
  CHECK_THAT(uneven.recompute_flops.value(), WithinRel(even.recompute_flops.value(), 1e-12));
  CHECK(uneven.memory.total() > even.memory.total());
  CHECK(two.experts.flops.value() == one.experts.flops.value());
  CHECK(two.experts.math > 1.5 * one.experts.math);  // not router and shared expert
  CHECK(two.experts.math < 2.0 * one.experts.math);
  CHECK(two.routing.expected > 1.5 * one.routing.expected);
  CHECK(two.dense_forward().expected.value() == one.dense_forward().expected.value());
  // Chips that each have all experts have nothing uneven, and no more than all tokens can come to
  // one of a few.
  const auto alone_with_all = in.as({{"expert", 1}});
  CHECK(alone_with_all.under({{"expertImbalance", 8}}).step().expected.value() ==
        alone_with_all.step().expected.value());
  const auto few = in.as({{"expert", 2}});
  CHECK(few.under({{"expertImbalance", 8}}).step().expected.value() ==
        few.under({{"expertImbalance", 2}}).step().expected.value());
}

TEST_CASE("the router does not run at the fp8 peak") {
  // DeepSeek-V3, 3.3.1: gating stays in its format.
  Planned in = only_math(alone(with(deepseek_v3(), {{"mtpModules", 0}})));
  in.chip = with(in.chip, {{"peakFp8", 9.18e14}});
  const auto model = typed(in.model);
  const auto parts = layer_parameters(model);
  // One of 256 experts' matrices each for 8, and the shared one.
  const double experts = (parts.experts.value() * 8 / 256 + parts.shared.value()) * 58;
  const double dense = parts.attention.value() * 61 + parts.feed_forward.value() * 3;
  const double matmuls = 6 * (experts + dense) * 4096 / 4.59e14;
  // Norms within attention are no matmuls.
  CHECK_THAT(computing(in) - computing(in.as({{"fp8Matmuls", true}})),
             WithinRel(matmuls / 2, 1e-4));
}

TEST_CASE("DualPipe works on half of the micro-batches from each end") {
  // Four stages of 8 layers: as much computing as 1F1B, head and embedding shared by both ends.
  const auto in = only_math(alone(llama3_8b())).on({{"chips", 4}, {"batchTokens", 4096 * 16}});
  const auto of = [&](PipelineSchedule schedule) {
    return computing(in.as({{"pipeline", 4}, {"schedule", schedule}}));
  };
  const double head = 2 * 4096.0 * 128256 * 4096 / 4.59e14;
  CHECK_THAT(of(kSchedule<OneFOneB>) - of(kSchedule<DualPipe>), WithinRel(16 * 3 * head / 2, 1e-5));
}

TEST_CASE("fp8 doubles the rate of the layers' weight matmuls, of attention and head not") {
  Planned in = only_math(alone(llama3_8b()));
  in.chip = with(in.chip, {{"peakFp8", 9.18e14}});
  const double n = 4096;
  const double matmuls = 6 * (8030261248.0 - 2 * 128256.0 * 4096 - 65 * 4096) * n / 4.59e14;
  CHECK_THAT(computing(in) - computing(in.as({{"fp8Matmuls", true}})),
             WithinRel(matmuls / 2, 1e-6));
}

// --- transfers, on one domain of switches without latency ---

constexpr double kRate = 1e11;

Planned on_switch(double chips) {
  Planned in;
  in.chip = with(in.chip, {{"scaleUpChips", 1e6},
                           {"scaleUpBandwidth", kRate},
                           {"hopLatency", 0},
                           {"scaleOutLatency", 0}});
  in.assumptions = with(ideal(), {{"overlapData", 0}, {"overlapPipeline", 0}});
  return in.on({{"chips", chips}, {"batchTokens", 4096 * chips}});
}

TEST_CASE("a step moves 2 Psi up to ZeRO-2 and 3 Psi with ZeRO-3") {
  // ZeRO, section 7: Psi numbers of 2 bytes, each ring of 8 sends 7 of 8.
  const double psi = 2 * 8030261248.0 * 7 / 8 / kRate;
  const auto data = [](StateSharding sharding) {
    return on_switch(8)
        .as({{"sharding", sharding}, {"gradientFormat", GradientCopies::kBf16}})
        .step()
        .data.value();
  };
  CHECK_THAT(data(StateSharding::kNone), WithinRel(2 * psi, 1e-12));
  CHECK_THAT(data(StateSharding::kOptimizer), WithinRel(2 * psi, 1e-12));
  CHECK_THAT(data(StateSharding::kGradients), WithinRel(2 * psi, 1e-12));
  CHECK_THAT(data(StateSharding::kParameters), WithinRel(3 * psi, 1e-12));
}

TEST_CASE("what sharding moves for each micro-batch, and what once a step") {
  const double psi = 8030261248.0 * 7 / 8 / kRate;  // seconds for a byte of each parameter
  const auto data = [&](StateSharding sharding, double micro_batches) {
    return on_switch(8)
               .on({{"batchTokens", 4096 * 8 * micro_batches}})
               .as({{"sharding", sharding}})
               .step()
               .data.value() /
           psi;
  };
  // Gradients in fp32, weights in bf16.
  for (const double m : {1.0, 4.0}) {
    CHECK_THAT(data(StateSharding::kNone, m), WithinRel(4 + 4.0, 1e-12));
    CHECK_THAT(data(StateSharding::kOptimizer, m), WithinRel(4 + 2.0, 1e-12));
    CHECK_THAT(data(StateSharding::kGradients, m), WithinRel(4 * m + 2, 1e-12));
    CHECK_THAT(data(StateSharding::kParameters, m), WithinRel(m * (2 + 2 + 4), 1e-12));
  }
}

TEST_CASE("a single replica shares nothing") {
  for (const auto sharding : {StateSharding::kNone, StateSharding::kParameters}) {
    const auto step = on_switch(8).as({{"tensor", 8}, {"sharding", sharding}}).step();
    CHECK(step.data.value() == 0);
  }
}

TEST_CASE("shares of gradients cross groups and slices once a step") {
  // Groups of 2 among 8: AllReduce over 4 of half of the gradients.
  const auto in = on_switch(8).as({{"sharding", StateSharding::kGradients}});
  const double psi = 8030261248.0 / kRate;
  const double grouped = in.as({{"shardGroup", 2}}).step().data.value();
  CHECK_THAT(grouped, WithinRel(psi * (4.0 / 2 + 2.0 / 2 + 2 * 3.0 / 4 * 4 / 2), 1e-12));
  // Two slices of 4: over the scale-out network, 50 GB/s.
  const double sliced = in.on({{"slices", 2}}).step().data.value();
  CHECK_THAT(sliced, WithinRel(psi * (4 + 2) * 3.0 / 4 + 8030261248.0 * 4 / 4 / 5e10, 1e-12));
}

/// Seconds of an AllReduce of one micro-batch's hidden state over 8 ways.
constexpr double kAllReduced = 2 * 7.0 / 8 * 2 * 4096 * 4096 / kRate;

TEST_CASE("tensor ways sum four times a layer, six times with full recomputation") {
  // Megatron-LM: two AllReduces forward, two backward; as gathers and scatters with sequence
  // parallelism, which in the backward pass also gathers the inputs of both matmuls whose columns
  // are divided once more (Korthikanti et al. 4.2.2; this test did not have that).
  for (const bool divided : {false, true}) {
    const auto in =
        on_switch(8).on({{"batchTokens", 4096}}).as({{"tensor", 8}, {"sequenceParallel", divided}});
    const double again = divided ? 2 * kAllReduced / 2 : 0;
    CHECK_THAT(in.step().tensor.value(), WithinRel(32 * (4 * kAllReduced + again), 1e-12));
    CHECK_THAT(in.as({{"recompute", Recompute::kSelective}}).step().tensor.value(),
               WithinRel(32 * (4 * kAllReduced + again), 1e-12));
    CHECK_THAT(in.as({{"recompute", Recompute::kFull}}).step().tensor.value(),
               WithinRel(32 * (6 * kAllReduced + again), 1e-12));
    // One program leaves the sum behind a layer's last matmul out, or the scatter of two.
    const auto one =
        in.as({{"recompute", Recompute::kFull}}).run_by({{"kernels", KernelLaunch::kCompiled}});
    CHECK_THAT(one.step().tensor.value(),
               WithinRel(32 * ((divided ? 5.5 : 5) * kAllReduced + again), 1e-12));
  }
}

TEST_CASE("context ways move keys and values: once forward, twice backward") {
  const auto context = [](ContextKind kind, double recompute = 0) {
    return on_switch(4)
        .on({{"batchTokens", 4096}})
        .as({{"context", 4}, {"contextKind", kind}, {"recompute", recompute}})
        .step()
        .context.value();
  };
  // 1024 tokens, keys and values of 8 heads of 128; three quarters come from others.
  const double keys = 4 * 2 * 1024 * (2 * 1024) * 3.0 / 4 / kRate;
  CHECK_THAT(context(ContextKind::kAllGather), WithinRel(32 * 3 * keys, 1e-12));
  CHECK_THAT(context(ContextKind::kRing), WithinRel(32 * 3 * keys, 1e-12));
  const double full = static_cast<double>(Recompute::kFull);
  CHECK_THAT(context(ContextKind::kAllGather, full), WithinRel(32 * 4 * keys, 1e-12));
  // Ulysses sends queries, keys, values and results, a quarter of three quarters each.
  const double heads = 2 * 1024 * (4096 + 1024 + 1024 + 4096) * 3.0 / 4 / kRate;
  CHECK_THAT(context(ContextKind::kUlysses), WithinRel(32 * 2 * heads, 1e-12));
}

TEST_CASE("tokens go to their experts and back, forward and backward") {
  Planned in = on_switch(8);
  in.model = mixtral_8x7b();
  in = in.as({{"expert", 8}});
  // 4096 tokens of a chip, a copy to each chip with one of two experts, which are 8 (1 - (7/8)^2)
  // on average (it was two: as if no two experts were on one chip), 7 of 8 to other chips.
  const double once = 2 * 4096 * 4096 * 1.875 * 7.0 / 8 / kRate;
  CHECK_THAT(in.step().expert.value(), WithinRel(32 * 4 * once, 1e-12));
  CHECK_THAT(in.as({{"recompute", Recompute::kFull}}).step().expert.value(),
             WithinRel(32 * 6 * once, 1e-12));
  // DeepSeek-V3, 3.3: in fp8 there, in bf16 back.
  in.chip = with(in.chip, {{"peakFp8", 2e15}});
  CHECK_THAT(in.as({{"fp8Matmuls", true}}).step().expert.value(), WithinRel(32 * 3 * once, 1e-12));
}

TEST_CASE("between stages: 2BD / (W m) (m + stages - 2) each way") {
  // The book, chapter 12; here of both ways. A micro-batch is 4096 x 4096 numbers in bf16.
  const double hop = 2 * 4096.0 * 4096 / kRate;
  const auto in = on_switch(4).on({{"batchTokens", 4096 * 6}}).as({{"pipeline", 4}});
  const auto step = in.step();
  CHECK(step.micro_batches.value() == 6);
  CHECK_THAT(step.pipeline.value(), WithinRel(2 * hop * (6 + 4 - 2), 1e-12));
  CHECK_THAT(step.exposed_pipeline.value(), WithinRel(2 * hop * (6 + 4 - 2), 1e-12));
  // Hidden, the way in and out still shows.
  CHECK_THAT(in.under({{"overlapPipeline", 1}}).step().exposed_pipeline.value(),
             WithinRel(2 * hop * 3, 1e-12));
  // Chunks cross more often.
  const auto chunks = in.on({{"batchTokens", 4096 * 8}})
                          .as({{"schedule", kSchedule<Interleaved>}, {"virtualStages", 4}});
  CHECK_THAT(chunks.step().pipeline.value(), WithinRel(2 * hop * (8 * 4 + 4 - 2), 1e-12));
  // Sequence parallelism divides what crosses.
  const auto divided =
      on_switch(8).on({{"batchTokens", 4096 * 6}}).as({{"tensor", 2}, {"pipeline", 4}});
  CHECK_THAT(divided.step().pipeline.value(), WithinRel(hop * (6 + 4 - 2), 1e-12));
}

TEST_CASE("states on the host: gradients go down, weights come up") {
  Planned in = on_switch(1).on({{"batchTokens", 4096}});
  in.chip = with(in.chip, {{"hostBandwidth", 5e10}});
  const double parameters = 8030261248.0;
  const auto optimizer = in.as({{"offload", Offload::kOptimizer}}).step();
  CHECK_THAT(optimizer.host.value(), WithinRel((4 + 2) * parameters / 5e10, 1e-12));
  CHECK(optimizer.optimizer.value() == 0);
  // All weights once more for each pass.
  const auto all = in.as({{"offload", Offload::kAll}}).step();
  CHECK_THAT(all.host.value(), WithinRel((4 + 2 + 2 * 2) * parameters / 5e10, 1e-12));
}

TEST_CASE("activations on the host cross twice, and show where a pass is too short") {
  const auto step = [](double bandwidth, double part) {
    Planned in = on_switch(1).on({{"batchTokens", 4096 * 4}}).under({{"overlapData", 1}});
    in.chip = with(in.chip, {{"hostBandwidth", bandwidth}});
    return in.as({{"recompute", Recompute::kFull}, {"hostActivations", part}}).step();
  };
  // The inputs of 32 layers in bf16, of each of 4 sequences, out and in.
  const double way = 4.0 * 32 * 4096 * 4096 * 2;
  CHECK_THAT(step(5e10, 1).host.value(), WithinRel(2 * way / 5e10, 1e-12));
  CHECK_THAT(step(5e10, 0.5).host.value(), WithinRel(way / 5e10, 1e-12));
  CHECK(step(5e10, 0).host.value() == 0);
  CHECK(step(1e15, 1).exposed_host.value() == 0);
  CHECK(step(1e9, 1).exposed_host.value() > 0);
  CHECK(step(1e9, 1).expected.value() > step(5e10, 1).expected.value());
  CHECK(step(1e9, 1).lower.value() >= way / 1e9);
}

TEST_CASE("the optimizer updates each rank's share from ZeRO-1 on") {
  const auto optimizer = [](StateSharding sharding) {
    return on_switch(8).as({{"sharding", sharding}}).step().optimizer.value();
  };
  const double whole = (4 + 2 * 12 + 2) * 8030261248.0 / 3.35e12;
  CHECK_THAT(optimizer(StateSharding::kNone), WithinRel(whole, 1e-12));
  CHECK_THAT(optimizer(StateSharding::kOptimizer), WithinRel(whole / 8, 1e-12));
  CHECK_THAT(optimizer(StateSharding::kParameters), WithinRel(whole / 8, 1e-12));
}

// --- what a step comes to ---

TEST_CASE("the busiest replica decides how many micro-batches there are") {
  const auto micro_batches = [](double sequences, double micro_batch) {
    return Planned{}
        .on({{"chips", 8}, {"batchTokens", 4096 * sequences}})
        .as({{"tensor", 2}, {"microBatch", micro_batch}})
        .step()
        .micro_batches.value();
  };
  // Four replicas.
  CHECK(micro_batches(8, 1) == 2);
  CHECK(micro_batches(9, 1) == 3);
  CHECK(micro_batches(10, 2) == 2);  // of 3 sequences
  CHECK(micro_batches(3, 1) == 1);   // one is idle
  CHECK(micro_batches(1, 8) == 1);
}

TEST_CASE("a batch that is uneven takes as long as the next even one") {
  const auto expected = [](double sequences) {
    return Planned{}
        .on({{"chips", 8}, {"batchTokens", 4096 * sequences}})
        .as({{"tensor", 2}})
        .step()
        .expected.value();
  };
  CHECK(expected(9) == expected(12));
  CHECK(expected(12) > expected(8));
}

TEST_CASE("MFU, HFU and what follows from a step's time, by hand") {
  const auto in = Planned{}.on({{"tokens", 15e12}}).as({{"recompute", Recompute::kFull}});
  const auto answers = in.answers();
  const double seconds = number<term::kStepExpected>(answers);
  const double batch = 1 << 20;
  const double flops = 6 * 8030261248.0 * batch;
  CHECK_THAT(number<term::kMfu>(answers), WithinRel(flops / (64 * 9.9e14 * seconds), 1e-12));
  // A forward pass of all layers again: two FLOPs for each of their matmul parameters, and
  // attention to half of the sequence.
  const double attention = 32 * 4 * 4096.0 / 2 * 4096;
  const double layers = 2 * (8030261248.0 - 2 * 128256.0 * 4096 - 65 * 4096) + attention;
  // Thrice forward, with the logits, and the layers once more: no lookup, which 6N counts.
  const double run = (3 * (layers + 2 * 128256.0 * 4096) + layers) * batch;
  CHECK_THAT(number<term::kHfu>(answers), WithinRel(run / (64 * 9.9e14 * seconds), 1e-3));
  CHECK_THAT(number<term::kTokensPerSecond>(answers), WithinRel(batch / seconds, 1e-14));
  CHECK_THAT(number<term::kTokensPerSecondPerChip>(answers),
             WithinRel(batch / seconds / 64, 1e-14));
  const double time = seconds * 15e12 / batch;
  CHECK_THAT(number<term::kTrainingTime>(answers), WithinRel(time, 1e-14));
  CHECK_THAT(number<term::kChipHours>(answers), WithinRel(64 * time / 3600, 1e-14));
  CHECK_THAT(number<term::kCost>(answers), WithinRel(10.8 * 64 * time / 3600, 1e-14));
  CHECK_THAT(number<term::kEnergy>(answers), WithinRel(700 * 64 * time, 1e-14));
}

TEST_CASE("MFU never exceeds what the peak allows, where all FLOPs are counted") {
  each_plan(10, [](const std::string& name, const Planned& in) {
    INFO(name);
    const auto answers = in.on({{"flopsRule", FlopsRule::kExact}}).answers();
    CHECK(number<term::kMfu>(answers) <= 1);
    CHECK(number<term::kMfu>(answers) <= number<term::kHfu>(answers));
  });
}

// HFU was counted by the rule that the run chooses, MFU with attention: 38 % beside an HFU of 2.5
// %, at a million tokens.
TEST_CASE("HFU counts as MFU with attention does, and what is computed again besides") {
  each_plan(10, [](const std::string& name, const Planned& in) {
    for (const double length : {1024.0, 1048576.0}) {
      for (const auto rule : {FlopsRule::kSixN, FlopsRule::kExact}) {
        INFO(name << " " << length);
        const auto answers =
            in.on({{"sequenceLength", length}, {"batchTokens", 1 << 26}, {"flopsRule", rule}})
                .answers();
        const double mfu = number<term::kMfuExact>(answers), hfu = number<term::kHfu>(answers);
        const bool again = answers.get<term::kTimeRecompute>().present();
        CHECK((again ? hfu > mfu : hfu == mfu));
        CHECK(hfu <= 1);
      }
    }
  });
}

TEST_CASE("the bound is what takes longest, the next one what does behind it") {
  each_plan(15, [](const std::string& name, const Planned& in) {
    INFO(name);
    const auto step = in.step();
    const double transfers[] = {0,
                                0,
                                step.tensor.value(),
                                step.context.value(),
                                step.expert.value(),
                                step.data.value(),
                                step.pipeline.value(),
                                step.host.value()};
    const auto bound = static_cast<std::size_t>(step.bound.value());
    const auto next = static_cast<std::size_t>(step.next_bound.value());
    CHECK(bound != next);
    REQUIRE(bound < std::size(transfers));
    REQUIRE(next < std::size(transfers));
    const double longest = *std::max_element(std::begin(transfers), std::end(transfers));
    if (bound > 1) CHECK(transfers[bound] == longest);
    if (next > 1 && bound > 1) CHECK(transfers[next] <= transfers[bound]);
    for (std::size_t i = 2; i < std::size(transfers); ++i) {
      if (next > 1 && i != bound) CHECK(transfers[i] <= transfers[next]);
    }
  });
}

}  // namespace
}  // namespace scaling::test::step_test
