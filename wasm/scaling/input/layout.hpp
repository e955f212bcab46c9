// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/degrees.hpp"
#include "scaling/input/training_policy.hpp"

namespace scaling {

/// The layout of a training as links and forms have it: one group of fields.
template <class R>
struct Layout : Degrees<R>, TrainingPolicy<R> {
  static constexpr const char* kGroup = "layout";
  static constexpr const char* kPrefix = "layout.";
  template <class T>
  struct Slot {
    T layout;
    static constexpr T Slot::*kMember = &Slot::layout;
  };

  static constexpr auto fields() {
    constexpr Range kWays{1, 1e6};
    return Fields{
        count(&Layout::tensor, "tensor", "t", kWays).asked().doubling().fallback(1),
        flag(&Layout::sequence_parallel, "sequenceParallel").rare().fallback(1),
        count(&Layout::context, "context", "c", kWays).asked().doubling().fallback(1),
        choice(&Layout::context_kind, "contextKind", kContextKindNames)
            .rare()
            .fallback(ContextKind::kAllGather),
        count(&Layout::pipeline, "pipeline", "p", kWays).asked().doubling().fallback(1),
        choice(&Layout::schedule, "schedule", kPipelineScheduleNames)
            .fallback(kSchedule<Interleaved>),
        count(&Layout::virtual_stages, "virtualStages", "v", {1, 1e4})
            .doubling()
            .fallback(1)
            .when_in("schedule",
                     choices_where(PipelineSchedules::kRows,
                                   [](const PipelineScheduleRow& row) { return row.asks_chunks; })),
        text(&Layout::stage_layers, "stageLayers", {}).rare(),
        count(&Layout::expert, "expert", "e", kWays).asked().doubling().fallback(1),
        count(&Layout::expert_tensor, "expertTensor", "t_e", kWays).doubling().fallback(1),
        count(&Layout::expert_nodes, "expertNodes", "n_node", {0, 1e6}).rare().fallback(0),
        count(&Layout::micro_batch, "microBatch", "b", {1, 1e6}).doubling().fallback(1),
        choice(&Layout::sharding, "sharding", kStateShardingNames)
            .fallback(StateSharding::kParameters),
        count(&Layout::shard_group, "shardGroup", "n_shard", {0, 1e6}).rare().fallback(0),
        choice(&Layout::recompute, "recompute", kRecomputeNames)
            .about(Topic::kStates)
            .fallback(Recompute::kCheapest),
        count(&Layout::recompute_layers, "recomputeLayers", "n_re", {1, 1e4})
            .rare()
            .about(Topic::kStates)
            .fallback(2)
            .when("recompute", Recompute::kEveryN),
        number(&Layout::saved_copies, "savedCopies", "n_ckpt", {1, 1000})
            .rare()
            .about(Topic::kStates)
            .fallback(4)
            .when("recompute", Recompute::kCopies),
        choice(&Layout::optimizer, "optimizer", kOptimizerNames)
            .about(Topic::kStates)
            .fallback(Optimizer::kAdam),
        choice(&Layout::master_format, "masterFormat", kCopyNames)
            .rare()
            .about(Topic::kStates)
            .fallback(Copy::kFp32),
        choice(&Layout::gradient_format, "gradientFormat", kGradientCopiesNames)
            .about(Topic::kStates)
            .fallback(GradientCopies::kFp32),
        flag(&Layout::fp8_matmuls, "fp8Matmuls").about(Topic::kFormats).fallback(0),
        choice(&Layout::offload, "offload", kOffloadNames)
            .rare()
            .about(Topic::kStates)
            .fallback(Offload::kNone),
        number(&Layout::host_activations, "hostActivations", "f_host", {0, 1})
            .rare()
            .in_percent()
            .about(Topic::kStates)
            .fallback(0),
        choice(&Layout::attention_kernel, "attentionKernel", kAttentionKernelNames)
            .rare()
            .about(Topic::kStates)
            .fallback(AttentionKernel::kFlash),
        flag(&Layout::dropout, "dropout").rare().about(Topic::kStates).fallback(0),
        flag(&Layout::expert_results, "expertResults").rare().about(Topic::kStates).fallback(1),
        flag(&Layout::fp8_hidden, "fp8Hidden").rare().about(Topic::kStates).fallback(0),
    };
  }
};

}  // namespace scaling
