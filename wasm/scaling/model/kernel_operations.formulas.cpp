// SPDX-License-Identifier: MIT
#include "scaling/model/kernel_operations.hpp"

namespace scaling {
namespace {

template <class R>
void add_lookup(Operations<R>& list, Pass pass, const Kernel<R>& kernel, const Count<R>& tokens,
                const KernelWork<R>& work) {
  // A row of the table for each token; backward its gradient is added to the row's sum.
  const auto rows = tokens * kernel.least_read;
  const auto written = bytes_of<R>(work.activations) * tokens * kernel.least_written;
  const auto weight = bytes_of<R>(work.weights);
  const auto sums = (list.gradient_sum().value() > 0 ? list.gradient_sum() : weight) * rows;
  if (pass == Pass::kForward) {
    list.add({{}, {}, weight * rows, written});
  } else {
    list.add({constant<kFlop, R>(1) * rows, written, sums, sums, true});
  }
}

template <class R>
void add_move(Operations<R>& list, Pass pass, const Kernel<R>& kernel, const KernelWork<R>& work) {
  const auto tokens = moving_tokens(kernel, work.batch, work.by);
  if (given(kernel.table)) return add_lookup(list, pass, kernel, tokens, work);
  const auto number = bytes_of<R>(work.activations);
  const auto read = number * tokens * kernel.least_read;
  const auto written = number * tokens * kernel.least_written;
  auto flops = constant<kFlop, R>(kernel.flops) * tokens * kernel.least_written;
  if (kernel.rows == RowsOf::kRouted) flops = flops / work.by.imbalance;
  // A norm reads its weights besides.
  const auto weights =
      given(kernel.norms) ? bytes_of<R>(work.weights) * kernel.least_written : Quantity<kByte, R>{};
  if (pass == Pass::kForward || reorders(kernel)) {
    list.add({flops, read, weights, written, true});
  } else {
    list.add({2.0 * flops, read + written, weights, read + weights, true});
  }
}

/// Queries of an indexer against its keys, of which each stands for several tokens.
template <class R>
void add_scores(Operations<R>& list, Pass pass, const Kernel<R>& kernel,
                const KernelWork<R>& work) {
  const auto& heads = kernel.heads;
  const double times = pass == Pass::kForward ? 1 : 2;
  const bool causal = work.causal && !work.continues();
  const auto width = heads.heads * heads.key;
  // Keys of the sequence, for each query.
  const auto key = work.continues() ? work.keys / work.queries * heads.key : heads.key;
  list.add(
      {constant<kFlop, R>(2 * times) * work.batch.tokens * products_of(kernel, work.keys, causal),
       times *
           (bytes_of<R>(work.activations) * work.batch.tokens * (width + key / heads.reach.ratio)),
       {},
       {}});
}

template <class R>
void add_scan(Operations<R>& list, Pass pass, const Kernel<R>& kernel, const KernelWork<R>& work) {
  const double times = pass == Pass::kForward ? 1 : 2;
  const auto tokens = work.batch.tokens / work.by.tensor;
  list.add({constant<kFlop, R>(2 * times) * tokens * kernel.scan.products,
            times * (bytes_of<R>(work.activations) * tokens * kernel.scan.least),
            {},
            {}});
}

}  // namespace

template <class R>
AttentionShape<R> attention_shape(const Kernel<R>& kernel, const KernelWork<R>& work) {
  const auto& heads = kernel.heads;
  AttentionShape<R> shape{};
  shape.sequences = work.sequences;
  shape.queries = work.queries;
  shape.keys = work.keys;
  shape.causal = work.flash && work.causal;
  shape.format = work.activations;
  shape.key_value_format = work.key_values;
  if (sees_part(heads.reach, shape.keys)) {
    // The last tokens of a sequence all see the most that their layer allows.
    shape.keys = seen_keys(heads.reach, shape.keys, shape.causal && !work.continues());
    shape.causal = false;
  }
  shape.heads = share_of(heads.heads, heads.heads, work.by.tensor);
  if (given(heads.rank) && work.latent == KernelForm::kAbsorbed) {
    // All heads look at the one latent vector, which is key and value at once.
    shape.kv_heads = one<R>();
    shape.key_width = heads.rank + heads.rope;
    shape.value_width = heads.rank;
    shape.values_in_keys = true;
    return shape;
  }
  shape.kv_heads = share_of(heads.kv_heads, heads.kv_heads, work.by.tensor);
  shape.key_width = heads.key;
  shape.value_width = heads.value;
  shape.values_in_keys = heads.one_vector;
  return shape;
}

template <class R>
void add_launch(Operations<R>& list, Pass pass, const LocalMatmul<R>& launch,
                const Kernel<R>& kernel, const KernelWork<R>& work) {
  const bool experts = kernel.type == KernelType::kExperts;
  const auto routed = launch.rows * launch.copies;
  const auto copies = experts ? min(launch.copies, routed) : launch.copies;
  const MatmulShape<R> shape{experts ? routed / copies : launch.rows,
                             launch.contraction,
                             launch.outputs,
                             work.activations,
                             work.weights,
                             work.activations};
  add_matmul(list, pass, shape, copies, experts);
}

template <class R>
void add_kernel(Operations<R>& list, Pass pass, const Kernel<R>& kernel,
                const KernelWork<R>& work) {
  switch (kernel.type) {
    case KernelType::kAttention:
      if (!given(kernel.heads.value)) return add_scores(list, pass, kernel, work);
      if (work.flash) {
        return add_flash_attention(list, pass, attention_shape(kernel, work), work.block_memory);
      }
      return add_naive_attention(list, pass, attention_shape(kernel, work));
    case KernelType::kScan:
      return add_scan(list, pass, kernel, work);
    case KernelType::kMove:
      return add_move(list, pass, kernel, work);
    case KernelType::kMatmul:
    case KernelType::kExperts:
      break;
  }
}

template AttentionShape<SCALING_REP> attention_shape(const Kernel<SCALING_REP>&,
                                                     const KernelWork<SCALING_REP>&);
template void add_launch(Operations<SCALING_REP>&, Pass, const LocalMatmul<SCALING_REP>&,
                         const Kernel<SCALING_REP>&, const KernelWork<SCALING_REP>&);
template void add_kernel(Operations<SCALING_REP>&, Pass, const Kernel<SCALING_REP>&,
                         const KernelWork<SCALING_REP>&);

}  // namespace scaling
