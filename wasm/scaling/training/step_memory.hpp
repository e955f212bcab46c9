// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>

#include "scaling/hardware/placement.hpp"
#include "scaling/input/chip.hpp"
#include "scaling/input/stack.hpp"
#include "scaling/model/kernels/parts.hpp"
#include "scaling/training/pipeline.hpp"
#include "scaling/training/recompute.hpp"
#include "scaling/training/stages.hpp"

namespace scaling {

namespace term {

inline constexpr Term kShardWaysTerm{"shardWays", "n_shard", kOne, "zero"};
inline constexpr Term kExpertShardWays{"expertShardWays", "n_shard,e", kOne, "zero"};

inline constexpr Term kMemoryParameters{"memoryParameters", "M_w", kByte, "zero"};
inline constexpr Term kMemoryGradients{"memoryGradients", "M_g", kByte, "zero"};
inline constexpr Term kMemoryOptimizer{"memoryOptimizer", "M_o", kByte, "zero"};
inline constexpr Term kMemoryActivations{"memoryActivations", "M_act", kByte, "korthikanti"};
inline constexpr Term kMemoryWorking{"memoryWorking", "M_again", kByte, "korthikanti"};
inline constexpr Term kMemoryLogits{"memoryLogits", "M_logits", kByte, "korthikanti"};
inline constexpr Term kMemoryBuffers{"memoryBuffers", "M_buf", kByte, "deepspeed"};
inline constexpr Term kMemoryOverhead{"memoryOverhead", "M_runtime", kByte, "ml-engineering"};
inline constexpr Term kMemoryAllocator{"memoryAllocator", "M_held", kByte, "ml-engineering"};
inline constexpr Term kMemoryUsed{"memoryUsed", "M", kByte, "definition"};
inline constexpr Term kMemoryLow{"memoryLow", "M_low", kByte, "measured-steps"};
inline constexpr Term kMemoryHigh{"memoryHigh", "M_high", kByte, "measured-steps"};
inline constexpr Term kMemoryLimit{"memoryLimit", "M_max", kByte, "definition"};
inline constexpr Term kMemoryRoom{"memoryRoom", "M_max-M", kByte, "definition"};
inline constexpr Term kLayerActivations{"layerActivations", "a_layer", kByte, "korthikanti"};
inline constexpr Term kOptimizerBytes{"optimizerBytesPerParameter", "s_o", kByte / kParam, "zero"};

}  // namespace term

/// Ways by which states are divided among data ranks, for dense parameters and for experts.
template <class R>
struct ShardWays {
  Count<R> dense, experts;
};

template <class R>
ShardWays<R> shard_ways(const Placement& placement) {
  return {named_number<term::kShardWaysTerm, R>(placement.shards.chips),
          named_number<term::kExpertShardWays, R>(placement.expert_shards.chips)};
}

/// Weights, gradients and optimizer states of a chip [B].
template <class R>
struct StateMemory {
  Quantity<kByte, R> parameters, gradients, optimizer;

  Quantity<kByte, R> total() const { return parameters + gradients + optimizer; }
};

/// Bytes that optimizer and master copy hold for each parameter; of Muon, `matrices` have one
/// moment and the rest two. Source: ZeRO 3.1; DeepSeek-V3 3.3.3; ml-engineering.
template <class R>
Quantity<kByte / kParam, R> optimizer_bytes(const Model<R>& model, const TrainingPolicy<R>& policy,
                                            bool matrices);

/// Bytes of the sum of a gradient; none where each is freed as soon as it is reduced.
template <class R>
Quantity<kByte / kParam, R> gradient_bytes(const TrainingPolicy<R>& policy);

/// Bytes of the copies that matmuls in few bits take of a weight in `run`'s format, made once a
/// step: in fp8 one byte (scaled in blocks of 128 x 128, which serve both passes), in fp4 one copy
/// for each pass. None where weights are in so few bits themselves, or matmuls are not. Source:
/// DeepSeek-V3 3.3.2 and 3.3.3; Transformer Engine, NVFP4BlockScaling.
template <class R>
Quantity<kByte / kParam, R> cast_bytes(const TrainingJob<R>& run, const TrainingPolicy<R>& policy);

/// States of one chip under `sharding`: each kind divided by `ways` from its stage on (ZeRO 1, 2,
/// 3). Weights that are not divided have their copies in fewer bits beside them, or in their place
/// where these are what ranks gather (`fp8_gather`); of those that are, the layers that are
/// gathered have. Where the master copy alone is divided (`shards_master`), no weights are beside
/// it. Source: ZeRO, section 5; Megatron-Core, fp8_param_gather; PyTorch FSDP, MixedPrecision;
/// MaxText, weight_dtype.
template <class R>
StateMemory<R> state_memory(const Model<R>& model, const TrainingJob<R>& run,
                            const Layout<R>& layout, const Stack<R>& stack, const Stage<R>& stage,
                            const ShardWays<R>& ways);

/// Memory beside states and kept activations [B]: logits where the LM head is, what
/// collectives gather into, and layers that are gathered where parameters are divided.
template <class R>
struct TransientMemory {
  Quantity<kByte, R> logits, buffers, gathered;
  Quantity<kByte, R> tower{};  ///< kept of the images of all micro-batches in flight
};

/// Bytes that a chip gathers where parameters are divided: the layer at work and the next one, or
/// an end of the model if that is larger, and the gradient of one until it is divided [B]. A
/// compiled program gathers kernel by kernel: the weights at work and the next ones. The same for
/// micro-batches of any size. Source: PyTorch FSDP2; XLA, latency-hiding scheduler.
template <class R>
Quantity<kByte, R> gathered_memory(const Model<R>& model, const TrainingJob<R>& run,
                                   const Layout<R>& layout, const Stack<R>& stack,
                                   const Stage<R>& stage);

/// `gathered` is gathered_memory of the same stage.
template <class R>
TransientMemory<R> transient_memory(const Model<R>& model, const TrainingJob<R>& run,
                                    const Layout<R>& layout, const Assumptions<R>& assumptions,
                                    const Stage<R>& stage, Quantity<kByte, R> gathered);

/// Memory of a chip of a stage [B], by item; `working` is of the layer at work in the backward
/// pass: what is computed again of it, and the gradients of its activations; `overhead` is what the
/// runtime takes, `cached` what the allocator holds beyond its tensors if there is room.
template <class R>
struct StageMemory {
  StateMemory<R> states;
  Quantity<kByte, R> activations, working, logits, buffers, overhead, cached;
  /// The part that is there only if there is room: all but the largest tensor of the layer at work,
  /// which a compiler computes again as it needs.
  Quantity<kByte, R> spare{};

  Quantity<kByte, R> total() const { return held() + cached; }
  /// The part that has to fit: an allocator that runs short gives back what it holds, and a
  /// compiler plans anew. Source: XLA, HloRematerialization.
  Quantity<kByte, R> allocated() const { return spare.value() > 0 ? held() - spare : held(); }

 private:
  Quantity<kByte, R> held() const {
    return states.total() + activations + working + logits + buffers + overhead;
  }
};

/// Logits beyond the room of the layer at work [B]: they are gone before the first layer works
/// backward, and a compiler's plan gives their room to it, as does PyTorch's allocator where all
/// kernels run one by one. Fused software takes both. Source: PyTorch, saved tensors are freed as
/// each node of the backward pass has run.
template <class R>
Quantity<kByte, R> logits_beside(const Stack<R>& stack, Quantity<kByte, R> logits,
                                 Quantity<kByte, R> working) {
  if (!stack.reuses_logits()) return logits;
  return max(logits - working, Quantity<kByte, R>{});
}

template <class R>
StageMemory<R> stage_memory(const Layout<R>& layout, const Stack<R>& stack,
                            const StateMemory<R>& states, const TransientMemory<R>& transient,
                            const Kept<R>& dense, const Kept<R>& sparse, const Stage<R>& stage,
                            const Assumptions<R>& assumptions);

/// Bytes that may be used of a chip's memory: a share of what its runtime leaves to programs.
template <class R>
Quantity<kByte, R> memory_limit(const Chip<R>& chip, const Assumptions<R>& assumptions) {
  auto memory = of_one_chip(chip.memory);
  const auto& reserved = chip.reserved_memory;
  if (reserved.value() > 0) memory = (Count<R>(R(1)) - reserved) * memory;
  return named<term::kMemoryLimit>(assumptions.usable_memory * memory);
}

/// The part of it that a search, and the choice of what to compute again, fill at most.
template <class R>
Quantity<kByte, R> memory_budget(const Chip<R>& chip, const Assumptions<R>& assumptions) {
  return (Count<R>(R(1)) - assumptions.memory_reserve) * memory_limit(chip, assumptions);
}

}  // namespace scaling
