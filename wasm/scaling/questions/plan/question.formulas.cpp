// SPDX-License-Identifier: MIT
#include "scaling/questions/plan/question.hpp"

#include <type_traits>

#include "scaling/input/read_groups.hpp"

namespace scaling {
namespace {

/// The places of the layout's groups on a torus.
template <class R, class Answers>
void answer_block(const SliceBlock& block, Answers& sheet) {
  const auto put = [&]<const Term & kX, const Term & kY, const Term & kZ>(const Lengths& lengths) {
    sheet.template put<kX>(Count<R>(R(lengths[0])));
    sheet.template put<kY>(Count<R>(R(lengths[1])));
    sheet.template put<kZ>(Count<R>(R(lengths[2])));
  };
  put.template operator()<term::kSliceAlongX, term::kSliceAlongY, term::kSliceAlongZ>(block.slice);
  put.template operator()<term::kTensorAlongX, term::kTensorAlongY, term::kTensorAlongZ>(
      block.tensor);
  put.template operator()<term::kContextAlongX, term::kContextAlongY, term::kContextAlongZ>(
      block.context);
  put.template operator()<term::kDataAlongX, term::kDataAlongY, term::kDataAlongZ>(block.data);
  put.template operator()<term::kPipelineAlongX, term::kPipelineAlongY, term::kPipelineAlongZ>(
      block.pipeline);
  Lengths shapes;
  for (std::size_t i = 0; i < 3; ++i) {
    shapes[i] = static_cast<double>(block.rings[i] ? AxisShape::kRing : AxisShape::kLine);
  }
  put.template operator()<term::kSliceShapeX, term::kSliceShapeY, term::kSliceShapeZ>(shapes);
}

template <class R, class Answers>
void answer_memory(const PlanQuestion::Typed<R>& in, const Step<R>& step,
                   const DroppedShares& dropped, Answers& sheet) {
  const auto& memory = step.memory;
  sheet.template put<term::kMemoryUsed>(memory.total());
  const auto allocated = memory.allocated();
  const auto limit = sheet.template put<term::kMemoryLimit>(memory_limit(in.chip, in.assumptions));
  sheet.template put<term::kMemoryRoom>(limit - allocated);
  const auto one = Count<R>(R(1));
  sheet.template put<term::kFits>(one - choose_if_below(limit, allocated, 1));
  const auto band = memory_band<R>(in, memory);
  sheet.template put<term::kMemoryLow>(band.low);
  const auto high = sheet.template put<term::kMemoryHigh>(band.high);
  sheet.template put<term::kMemoryStateTerm>(memory_state(limit, allocated, high));
  sheet.template put<term::kFullestStage>(step.fullest + one);
  sheet.template put<term::kFullestLayers>(
      Count<R>(R(fullest_layers(in.plain, step.micro_batches.value(), step.fullest.value()))));
  const auto put = [&]<const Term & kTerm>(Quantity<kByte, R> bytes) {
    if (bytes.value() > 0) sheet.template put<kTerm>(bytes);
  };
  put.template operator()<term::kMemoryParameters>(memory.states.parameters);
  put.template operator()<term::kMemoryGradients>(memory.states.gradients);
  put.template operator()<term::kMemoryOptimizer>(memory.states.optimizer);
  put.template operator()<term::kMemoryActivations>(memory.activations);
  put.template operator()<term::kMemoryWorking>(memory.working);
  put.template operator()<term::kMemoryLogits>(memory.logits);
  put.template operator()<term::kMemoryBuffers>(memory.buffers);
  put.template operator()<term::kMemoryOverhead>(memory.overhead);
  put.template operator()<term::kMemoryAllocator>(memory.cached);
  sheet.template put<term::kLayerActivations>(kept_of_layer<R>(in, dropped).total());
  sheet.template put<term::kOptimizerBytes>(optimizer_bytes(in.model, in.layout, true));
}

/// Answers which tensors are computed again, and in which share of the layers.
template <class R, class Answers>
void answer_again(const PlanQuestion::Typed<R>& in, const DroppedShares& dropped, Answers& sheet) {
  const auto shares = shares_again(in.plain, dropped);
  const auto put = [&]<const Term & kTerm>(Dropped kind) {
    const double share = shares[static_cast<std::size_t>(kind)];
    if (share > 0) sheet.template put<kTerm>(scalar<R>(share));
  };
  put.template operator()<term::kAgainNorms>(Dropped::kNorms);
  put.template operator()<term::kAgainProduct>(Dropped::kProduct);
  put.template operator()<term::kAgainQkv>(Dropped::kQkv);
  put.template operator()<term::kAgainAttention>(Dropped::kAttention);
  put.template operator()<term::kAgainHidden>(Dropped::kHidden);
  put.template operator()<term::kAgainMiddle>(Dropped::kMiddle);
  put.template operator()<term::kAgainResults>(Dropped::kResults);
}

template <class R, class Answers>
void answer_time(const PlanQuestion::Typed<R>& in, const Step<R>& step, Answers& sheet) {
  sheet.template put<term::kStepExpected>(step.expected);
  sheet.template put<term::kStepLower>(step.lower);
  sheet.template put<term::kStepUpper>(step.upper);
  if (in.assumptions.rates == RatesFrom::kMeasured) {
    const auto band = step_band<R>(in, step);
    sheet.template put<term::kStepLow>(band.low);
    sheet.template put<term::kStepHigh>(band.high);
  }
  if (in.layout.pipeline.value() > 1) {
    sheet.template put<term::kSlowestStage>(step.slowest + Count<R>(R(1)));
  }
  sheet.template put<term::kPlanBound>(step.bound);
  sheet.template put<term::kNextBound>(step.next_bound);
  sheet.template put<term::kIntensity>(step.intensity);
  const auto peak = in.chip.peak(StepInput<R>(in).matmul_format()).value;
  sheet.template put<term::kCriticalIntensity>(critical_intensity(peak, in.chip.memory_bandwidth));
  sheet.template put<term::kTimeForward>(step.forward);
  sheet.template put<term::kTimeBackward>(step.backward);
  sheet.template put<term::kMicroForward>(step.micro_forward);
  sheet.template put<term::kMicroBackward>(step.micro_backward);
  // Terms of ways that a layout does not have are skipped.
  const auto put = [&]<const Term & kTerm>(Quantity<kSecond, R> time, bool asked) {
    if (asked) sheet.template put<kTerm>(time);
  };
  const auto both = [&]<const Term & kTime, const Term & kExposed>(Quantity<kSecond, R> time,
                                                                   Quantity<kSecond, R> exposed) {
    put.template operator()<kTime>(time, time.value() > 0);
    put.template operator()<kExposed>(exposed, time.value() > 0);
  };
  put.template operator()<term::kTimeRecompute>(step.recompute, step.recompute.value() > 0);
  put.template operator()<term::kTimeOptimizer>(step.optimizer, step.optimizer.value() > 0);
  put.template operator()<term::kTimeLaunch>(step.launches, step.launches.value() > 0);
  put.template operator()<term::kTimeOverhead>(step.overhead, step.overhead.value() > 0);
  put.template operator()<term::kBubbleTime>(step.bubble, in.layout.pipeline.value() > 1);
  both.template operator()<term::kTimeTensor, term::kExposedTensor>(step.tensor,
                                                                    step.exposed_tensor);
  both.template operator()<term::kTimeContext, term::kExposedContext>(step.context,
                                                                      step.exposed_context);
  both.template operator()<term::kTimeExpert, term::kExposedExpert>(step.expert,
                                                                    step.exposed_expert);
  both.template operator()<term::kTimeData, term::kExposedData>(step.data, step.exposed_data);
  both.template operator()<term::kTimePipeline, term::kExposedPipeline>(step.pipeline,
                                                                        step.exposed_pipeline);
  both.template operator()<term::kTimeHost, term::kExposedHost>(step.host, step.exposed_host);
}

template <class R, class Answers>
void answer_run(const PlanQuestion::Typed<R>& in, const Step<R>& step, Answers& sheet) {
  const auto& run = in.run;
  auto yield = step_yield<R>(in);
  yield.flops_per_token = sheet.template put<term::kTrainingFlopsPerToken>(yield.flops_per_token);
  yield.exact_per_token = sheet.template put<term::kExactFlopsPerToken>(yield.exact_per_token);
  sheet.template put<term::kMfu>(yield.mfu(step.expected));
  sheet.template put<term::kMfuExact>(yield.mfu_exact(step.expected));
  sheet.template put<term::kHfu>(step.recompute.value() > 0
                                     ? yield.hfu(step.expected, step.recompute_flops)
                                     : yield.mfu_exact(step.expected));
  const auto speed = sheet.template put<term::kTokensPerSecond>(yield.speed(step.expected));
  sheet.template put<term::kTokensPerSecondPerChip>(speed / run.chips);
  const auto steps = sheet.template put<term::kSteps>(run.all_tokens() / run.batch_tokens);
  const auto time = sheet.template put<term::kTrainingTime>(steps * step.expected);
  const auto hours = sheet.template put<term::kChipHours>(chip_hours(run.chips, time));
  const auto an_hour = answer_chip_hour(in.chip, run.pue, sheet);
  sheet.template put<term::kCost>(when_present([&](auto price) { return price * hours; }, an_hour));
  sheet.template put<term::kEnergy>(
      when_present([&](auto power) { return run.chips * power * run.pue * time; }, in.chip.power));

  const auto parameters = trained_parameters(in.model, run, count_parameters(in.model).total);
  if (run.trained != Trained::kAll) sheet.template put<term::kTrainedParameters>(parameters);
  const auto long_run = reliability(in.model, run, in.layout, in.assumptions, parameters);
  sheet.template put<term::kFailuresPerDay>(long_run.failures_per_day);
  sheet.template put<term::kJobMttf>(long_run.mttf);
  sheet.template put<term::kSaveBytes>(long_run.save_bytes);
  sheet.template put<term::kSaveTime>(long_run.save_time);
  sheet.template put<term::kSaveInterval>(long_run.interval);
  const auto good = sheet.template put<term::kGoodput>(long_run.goodput);
  // Where failures come faster than a save and a restart, it never ends.
  using Time = Maybe<Quantity<kSecond, R>>;
  const auto wall =
      sheet.template put<term::kWallTime>(good.value() > 0 ? Time(time / good) : Absence::kNever);
  const auto wall_hours = sheet.template put<term::kWallChipHours>(
      when_present([&](auto seconds) { return chip_hours(run.chips, seconds); }, wall));
  sheet.template put<term::kWallCost>(
      when_present([](auto price, auto count) { return price * count; }, an_hour, wall_hours));
}

}  // namespace

template <class R>
PlanQuestion::Typed<R> PlanQuestion::read(const Input& input) {
  Typed<R> typed{QuestionOf::read<R>(input), {}};
  if constexpr (std::is_same_v<R, double>) {
    typed.plain = static_cast<const SearchInput<double>&>(typed);
  } else {
    typed.plain = QuestionOf::read<double>(input);
  }
  return typed;
}

template <class R>
PlanQuestion::Answers<R> PlanQuestion::answer(const Typed<R>& in) {
  const CompiledModel<double> plain_kernels(in.plain.model);
  const CompiledModel<R> kernels(in.model);
  const LayoutChoice choice = choose_for_layout(in.plain);
  const Step<R> step = cost_step<R>(in, choice);
  Answers<R> sheet;
  const auto& layout = in.layout;
  const auto replicas =
      sheet.template put<term::kDataWays>(as<kOne>(in.run.chips) / layout.model_ways());
  sheet.template put<term::kShardWaysTerm>(shard_ways<R>(choice.placement).dense);
  if (const DomainUse& use = choice.placement.domains; use.domains > 0) {
    sheet.template put<term::kDomains>(Count<R>(R(use.domains)));
    sheet.template put<term::kDomainUsed>(Count<R>(R(use.used)));
    sheet.template put<term::kDomainIdle>(Count<R>(R(use.idle)));
  }
  if (in.chip.network == Network::kTorus) {
    answer_block<R>(slice_block(in.plain.chip, choice.placement), sheet);
  }
  sheet.template put<term::kMicroBatches>(step.micro_batches);
  sheet.template put<term::kMicroTokens>(micro_batch_tokens(in.run, layout));
  const auto slots =
      sheet.template put<term::kSequenceSlots>(replicas * layout.micro_batch * step.micro_batches);
  sheet.template put<term::kIdleSlots>(slots - in.run.batch_tokens / in.run.sequence_length);
  const bool folded = course_of(layout) == PipelineCourse::kFold;
  sheet.template put<term::kLayersPerStage>(
      folded || !layout.stage_layers.empty() ? busiest_layers(in.model.layers, layout)
                                             : stage_layers(in.model.layers, layout.pipeline).most);
  sheet.template put<term::kInFlight>(in_flight(layout, step.micro_batches, step.fullest));
  answer_memory(in, step, choice.dropped, sheet);
  answer_again(in, choice.dropped, sheet);
  answer_time(in, step, sheet);
  answer_run(in, step, sheet);
  return sheet;
}

template PlanQuestion::Typed<SCALING_REP> PlanQuestion::read(const Input&);
template PlanQuestion::Answers<SCALING_REP> PlanQuestion::answer(const Typed<SCALING_REP>&);

}  // namespace scaling
