// SPDX-License-Identifier: MIT
#include "scaling/questions/training/question.hpp"

#include "scaling/input/read_groups.hpp"
#include "scaling/model/kernels/parts.hpp"
#include "scaling/model/tower.hpp"

namespace scaling {
namespace {

/// The parts of the sheet, each from the rooms that know about it.

template <class R, class Answers>
UsedParameters<R> answer_parameters(const TrainingQuestion::Typed<R>& in,
                                    const Parameters<R>& computed, Answers& sheet) {
  sheet.template put<term::kParametersFeedForward>(computed.feed_forward);
  sheet.template put<term::kParametersAttention>(computed.attention);
  sheet.template put<term::kParametersVocabulary>(computed.vocabulary);
  sheet.template put<term::kParametersNorms>(computed.norms);
  sheet.template put<term::kParametersRouter>(computed.router);
  sheet.template put<term::kParametersPositions>(computed.positions);
  sheet.template put<term::kComputedParameters>(computed.total);
  sheet.template put<term::kComputedActiveParameters>(computed.active);
  sheet.template put<term::kMatmulParameters>(computed.matmul);
  sheet.template put<term::kMtpParameters>(computed.mtp);
  if (in.model.sees()) sheet.template put<term::kTowerParameters>(tower_parameters(in.model));
  sheet.template put<term::kShareFeedForward>(computed.feed_forward / computed.total);
  sheet.template put<term::kShareAttention>(computed.attention / computed.total);
  sheet.template put<term::kShareVocabulary>(computed.vocabulary / computed.total);
  sheet.template put<term::kKvCachePerToken>(
      kv_cache_per_token(in.model, in.run.activation_format));
  const UsedParameters<R> used = used_parameters(in.model, computed);
  sheet.template put<term::kParameters>(used.total);
  sheet.template put<term::kActiveParameters>(used.active);
  return used;
}

/// Returns the FLOPs of the whole training.
template <class R, class Answers>
Quantity<kFlop, R> answer_time(const TrainingQuestion::Typed<R>& in, const Parameters<R>& computed,
                               const UsedParameters<R>& used, PeakRate<R> peak, Answers& sheet) {
  const auto& run = in.run;
  const auto flops = training_flops(in.model, run, computed, used);
  sheet.template put<term::kForwardFlopsPerToken>(flops.forward);
  const auto per_token = sheet.template put<term::kTrainingFlopsPerToken>(flops.training);
  sheet.template put<term::kSixNFlopsPerToken>(flops.six_n);
  const auto exact = sheet.template put<term::kExactFlopsPerToken>(flops.exact);
  sheet.template put<term::kMfuExact>(run.mfu * exact / per_token);
  sheet.template put<term::kRematFlopsPerToken>(flops.remat);
  const auto total = sheet.template put<term::kTotalFlops>(per_token * run.all_tokens());

  const auto one_chip = of_one_chip(peak);
  sheet.template put<term::kOneChipTokenTime>(per_token / one_chip);
  sheet.template put<term::kOneChipTime>(total / one_chip);
  const auto time =
      sheet.template put<term::kTrainingTime>(time_for(total, run.chips, peak, run.mfu));
  sheet.template put<term::kSteps>(run.all_tokens() / run.batch_tokens);
  const auto step = sheet.template put<term::kStepTime>(
      time_for(per_token * run.batch_tokens, run.chips, peak, run.mfu));
  sheet.template put<term::kTokensPerSecond>(run.batch_tokens / step);
  const auto hours = sheet.template put<term::kChipHours>(chip_hours(run.chips, time));
  sheet.template put<term::kCost>(when_present([&](auto price) { return price * hours; },
                                               answer_chip_hour(in.chip, run.pue, sheet)));
  sheet.template put<term::kEnergy>(
      when_present([&](auto power) { return run.chips * power * run.pue * time; }, in.chip.power));
  return total;
}

template <class R, class Answers>
void answer_memory(const TrainingQuestion::Typed<R>& in, const UsedParameters<R>& used,
                   Quantity<kFlop, R> total_flops, PeakRate<R> peak, Answers& sheet) {
  const auto& chip = in.chip;
  const auto& run = in.run;
  const auto memory = training_memory(chip, in.model, run, used.total);
  sheet.template put<term::kBytesPerParameter>(
      run.trained != Trained::kAll
          ? (memory.weights + memory.gradients + memory.optimizer) / used.total
          : bytes_of<R, kByte / kParam>(run.weight_format) + run.gradient_bytes +
                run.optimizer_bytes);
  sheet.template put<term::kWeightMemory>(memory.weights);
  sheet.template put<term::kGradientMemory>(memory.gradients);
  sheet.template put<term::kOptimizerMemory>(memory.optimizer);
  sheet.template put<term::kCheckpointMemory>(memory.checkpoints);
  sheet.template put<term::kTotalMemory>(memory.total);
  sheet.template put<term::kWeightsPerChip>(memory.weights_per_chip);
  sheet.template put<term::kGradientsPerChip>(memory.gradients_per_chip);
  sheet.template put<term::kOptimizerPerChip>(memory.optimizer_per_chip);
  sheet.template put<term::kCheckpointsPerChip>(memory.checkpoints_per_chip);
  sheet.template put<term::kMemoryPerChip>(memory.per_chip);
  sheet.template put<term::kMemoryFraction>(memory.per_chip / chip.memory);
  sheet.template put<term::kMemoryLeft>(chip.memory - memory.per_chip);
  sheet.template put<term::kFractionalMinimumChips>(memory.fractional_minimum_chips);
  const auto minimum = sheet.template put<term::kMinimumChips>(memory.minimum_chips);
  sheet.template put<term::kTimeOnMinimum>(when_present(
      [&](auto chips) { return time_for(total_flops, chips, peak, run.mfu); }, minimum));
}

/// Returns the bound of the layer's matmul on its chip: compute or memory.
template <class R, class Answers>
Count<R> answer_matmul(const TrainingQuestion::Typed<R>& in, const LayerShape<R>& layer,
                       Quantity<term::kTokensPerChip, R> tokens_per_chip, PeakRate<R> peak,
                       Answers& sheet) {
  const auto& chip = in.chip;
  const auto& model = in.model;
  const auto& run = in.run;
  // Each weight of an expert sees only the tokens that are routed to it: k of E.
  const auto routed = model.experts / model.experts_per_token;
  const auto local = of_one_chip(tokens_per_chip);
  const auto rows = sheet.template put<term::kRowsPerWeight>(layer.sparse ? local / routed : local);
  const auto matmul = feed_forward_matmul(model, run, as<kOne>(rows));
  const auto roofline =
      price(std::span(&matmul, 1), Rates<R>{peak, chip.vector_rate(), chip.memory_bandwidth},
            NetworkUse<R>{});
  sheet.template put<term::kIntensity>(roofline.intensity);
  sheet.template put<term::kCriticalIntensity>(roofline.critical_intensity);
  sheet.template put<term::kFractionOfPeak>(roofline.fraction_of_peak);
  const auto bound = sheet.template put<term::kMatmulBound>(roofline.bound);

  const auto of_whole_batch = [&](auto rows_needed) {
    return layer.sparse ? rows_needed * routed : rows_needed;
  };
  const auto& width = layer.sparse ? model.expert_feed_forward : model.feed_forward;
  sheet.template put<term::kCriticalBatch>(
      of_whole_batch(critical_batch(peak, chip.memory_bandwidth, run.weight_format)));
  sheet.template put<term::kExactCriticalBatch>(when_present(
      of_whole_batch,
      exact_critical_batch(model.hidden, width, peak, chip.memory_bandwidth, run.activation_format,
                           run.weight_format, run.activation_format)));
  return bound;
}

/// Returns the bound with the networks in view; `matmul_bound` where none of them is known.
template <class R, class Answers>
Count<R> answer_network(const TrainingQuestion::Typed<R>& in, const LayerShape<R>& layer,
                        Quantity<term::kTokensPerChip, R> tokens_per_chip, PeakRate<R> peak,
                        Count<R> matmul_bound, Answers& sheet) {
  const auto& run = in.run;
  const bool several_slices = run.slices.value() > 1;
  const auto slice_chips = several_slices ? run.chips / run.slices : run.chips;
  const auto slice_tokens = sheet.template put<term::kTokensEachSlice>(
      several_slices ? run.batch_tokens / run.slices : run.batch_tokens);
  const auto limits = parallel_limits(in.chip, layer, peak, run.weight_format,
                                      run.activation_format, slice_chips, slice_tokens);
  const auto most_chips = [&](auto threshold) { return run.batch_tokens / threshold; };

  sheet.template put<term::kSequences>(run.batch_tokens / run.sequence_length);
  sheet.template put<term::kTensorLimit>(limits.tensor_limit);
  sheet.template put<term::kOptimalData>(limits.optimal_data);
  sheet.template put<term::kOptimalTensor>(limits.optimal_tensor);
  sheet.template put<term::kMeshData>(limits.mesh_data);
  sheet.template put<term::kMeshTensor>(limits.mesh_tensor);

  const auto fsdp = sheet.template put<term::kFsdpThreshold>(limits.fsdp_threshold);
  const auto mixed = sheet.template put<term::kMixedThreshold>(limits.mixed_threshold);
  sheet.template put<term::kFsdpMaximumChips>(when_present(most_chips, fsdp));
  sheet.template put<term::kMixedMaximumChips>(when_present(most_chips, mixed));

  auto bound = matmul_bound;
  if (fsdp.present()) {
    auto layer_bound = sheet.template put<term::kFsdpBound>(
        choose_if_below(tokens_per_chip, fsdp.value, Bound::kNetwork));
    if (mixed.present()) {
      // A training that is bound by FSDP alone can add tensor parallelism.
      layer_bound = min(layer_bound, sheet.template put<term::kMixedBound>(choose_if_below(
                                         tokens_per_chip, mixed.value, Bound::kNetwork)));
    }
    bound = max(bound, layer_bound);
  }
  if (several_slices) {
    const auto threshold =
        sheet.template put<term::kSliceThreshold>(slice_threshold(in.chip, layer, peak));
    if (threshold.present()) {
      bound = max(bound, sheet.template put<term::kSliceBound>(
                             choose_if_below(slice_tokens, threshold.value, Bound::kNetwork)));
    }
  }
  return bound;
}

}  // namespace

template <class R>
TrainingQuestion::Answers<R> TrainingQuestion::answer(const Typed<R>& in) {
  const PeakRate<R> peak = in.chip.peak(in.run.compute_format).value;
  Answers<R> sheet;

  const CompiledModel<R> kernels(in.model);
  const auto computed = count_parameters(in.model);
  const auto used = answer_parameters(in, computed, sheet);
  const auto total_flops = answer_time(in, computed, used, peak, sheet);
  answer_memory(in, used, total_flops, peak, sheet);

  const auto tokens_per_chip =
      sheet.template put<term::kTokensEachChip>(in.run.batch_tokens / in.run.chips);
  const bool sparse = has_experts(in.model);
  const auto widths = feed_forward_widths(in.model);
  const LayerShape<R> layer{sparse ? widths.active / in.model.layers : in.model.feed_forward,
                            sparse ? widths.stored / widths.active : Count<R>(R(1)), sparse};
  const auto matmul_bound = answer_matmul(in, layer, tokens_per_chip, peak, sheet);
  sheet.template put<term::kBound>(
      answer_network(in, layer, tokens_per_chip, peak, matmul_bound, sheet));
  return sheet;
}

template TrainingQuestion::Typed<SCALING_REP> TrainingQuestion::Input::read<SCALING_REP>() const;
template TrainingQuestion::Answers<SCALING_REP> TrainingQuestion::answer(const Typed<SCALING_REP>&);

}  // namespace scaling
