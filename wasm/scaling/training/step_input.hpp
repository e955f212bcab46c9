// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/assumptions.hpp"
#include "scaling/input/chip.hpp"
#include "scaling/input/layout.hpp"
#include "scaling/input/model.hpp"
#include "scaling/input/run.hpp"
#include "scaling/input/stack.hpp"
#include "scaling/schedules/schedules.hpp"
#include "scaling/training/step_constants.hpp"

namespace scaling {

struct MatmulTimes;

/// The groups that a step is costed by, of any input that has them, and the constants of measured
/// rates. It refers to both, which must outlive it.
template <class R>
struct StepInput {
  const Chip<R>& chip;
  const Model<R>& model;
  const TrainingJob<R>& run;
  const Layout<R>& layout;
  const Stack<R>& stack;
  const Assumptions<R>& assumptions;
  const StepConstants& constants;
  const KernelRates& kernels;
  /// Times of matmuls that a search has priced before, of the same chip and software; or none.
  MatmulTimes* matmuls = nullptr;

  template <class Input>
  StepInput(const Input& in, const StepConstants& step_constants = kStepConstants)
      : StepInput(in, step_constants, training_kernel_rates(in.chip.generation)) {}

  template <class Input>
  StepInput(const Input& in, const StepConstants& step_constants, const KernelRates& rates)
      : chip(in.chip),
        model(in.model),
        run(in.run),
        layout(in.layout),
        stack(in.stack),
        assumptions(in.assumptions),
        constants(step_constants),
        kernels(rates) {}

  /// `in` of another model, which must outlive it, too.
  StepInput(const StepInput& in, const Model<R>& other)
      : chip(in.chip),
        model(other),
        run(in.run),
        layout(in.layout),
        stack(in.stack),
        assumptions(in.assumptions),
        constants(in.constants),
        kernels(in.kernels),
        matmuls(in.matmuls) {}

  /// `in` of another layout, which must outlive it, too.
  StepInput(const StepInput& in, const Layout<R>& other)
      : chip(in.chip),
        model(in.model),
        run(in.run),
        layout(other),
        stack(in.stack),
        assumptions(in.assumptions),
        constants(in.constants),
        kernels(in.kernels),
        matmuls(in.matmuls) {}

  /// The format in which the weight matmuls of layers compute.
  Format matmul_format() const { return layout.fp8_matmuls ? Format::kFp8 : run.compute_format; }

  bool measured() const { return assumptions.rates == RatesFrom::kMeasured; }

  /// Whether software overlaps the transfers of tensor ways with matmuls: on switches only inside
  /// a domain. Source: Transformer Engine, examples/pytorch/comm_gemm_overlap.
  bool overlaps_tensor() const {
    const bool inside =
        chip.network == Network::kTorus || layout.tensor.value() <= chip.domain_chips().value();
    return stack.tensor_overlap && inside;
  }

  /// The share of hops between stages that shows, at measured rates. A stage with one chunk waits
  /// for each; with several, it works on another meanwhile, and so where the backward pass is
  /// split. Source: Megatron-LM, overlap_p2p_comm.
  Constant exposed_hops() const {
    const PipelineScheduleRow& schedule = row_of(layout.schedule);
    const bool chunks = schedule.asks_chunks && layout.virtual_stages.value() > 1;
    const bool others =
        chunks || schedule.splits_backward || schedule.course != PipelineCourse::kLoop;
    return others ? constants.exposed_pipeline : Constant{1};
  }

  /// The share of tokens' transfers to experts that shows, at measured rates.
  Constant exposed_experts() const {
    return stack.expert_overlap ? constants.exposed_expert : Constant{1};
  }

  /// The time of a step that no work of it takes. A graph of the whole iteration asks nothing of
  /// the host between steps.
  Constant fixed_time() const {
    const bool alone = stack.timer == StepTimer::kIteration || stack.graphs == CudaGraphs::kFull;
    return alone ? constants.iteration : constants.overhead;
  }

  const TrainingRates& generation() const {
    return constants.generations[static_cast<std::size_t>(chip.generation)];
  }
};

}  // namespace scaling
