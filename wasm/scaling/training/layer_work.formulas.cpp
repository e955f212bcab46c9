// SPDX-License-Identifier: MIT
#include "scaling/training/layer_work.hpp"

#include "scaling/model/kernels/sections.hpp"
#include "scaling/training/kernel_prices.hpp"
#include "scaling/training/tower_work.hpp"

namespace scaling {
namespace {

/// The work of a part's kernels.
template <class R>
struct PartWork {
  std::array<Work<R>, kSections> forward{};  ///< by Section
  Work<R> backward{};
  Work<R> last{};                              ///< forward, of the last matmul
  std::array<Work<R>, kDroppedKinds> again{};  ///< by LayerWork::place_of

  const Work<R>& of(Section section) const { return forward[static_cast<std::size_t>(section)]; }
};

/// Adds the work of all kernels of a list to `work`.
template <class R>
PartWork<R> work_of(const TrainingPrices<R>& prices, std::span<const Kernel<R>> kernels,
                    bool mixes) {
  PartWork<R> work;
  const auto add = [&](Section section, const PassWork<R>& priced, const Kernel<R>& kernel) {
    const PassWork<R> counted = kernel.fused ? prices.fused(priced) : priced;
    auto& forward = work.forward[static_cast<std::size_t>(section)];
    forward = forward + counted.forward;
    work.backward = work.backward + counted.backward;
  };
  const auto add_again = [&](const Work<R>& forward, const Kernel<R>& kernel) {
    // One kernel is computed again once, whatever it keeps.
    Dropped before = Dropped::kNever;
    for (const KeptTensor<R>& kept : kernel.kept) {
      if (kept.drop == Dropped::kNever || kept.drop == before || !given(kept.numbers)) continue;
      before = kept.drop;
      auto& again = work.again[LayerWork<R>::place_of(kept.drop)];
      again = again + forward;
    }
  };
  Sections<R> sections(mixes);
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const Kernel<R>& kernel = kernels[i];
    if (kernel.form == KernelForm::kAbsorbed) continue;
    const Section section = sections.of(kernel);
    if (!kernel.multiplies()) {
      const auto priced = prices.other(kernel);
      add(section, priced, kernel);
      add_again(priced.forward, kernel);
      continue;
    }
    // Matmuls that read the same rows are one launch.
    const std::size_t first = i;
    const auto launch = prices.launch(kernels, i);
    auto priced = prices.matmul(launch, kernel);
    if (prices.tunes()) {
      for (std::size_t at = first; at <= i; ++at) priced = priced + prices.beside(kernels[at]);
    }
    add(section, priced, kernel);
    work.last = priced.forward;
    // Of a launch, the kernel that keeps its result speaks for all.
    for (std::size_t at = i + 1; at-- > first;) {
      if (!given(kernels[at].kept[0].numbers)) continue;
      add_again(priced.forward, kernels[at]);
      break;
    }
  }
  return work;
}

/// Whether software leaves the last matmul of a layer out when it computes the layer again. One
/// program knows that no gradient asks for its result, which the residual adds, where no norm of
/// its own reads it either, nor what mixes streams of residuals. Software that calls the layer's
/// function again computes all of it. Source: JAX, remat_dce in ad_checkpoint.py.
template <class R>
bool leaves_last(const StepInput<R>& in) {
  const auto& m = in.model;
  return in.stack.kernels == KernelLaunch::kCompiled && m.norms_per_layer.value() <= 2 &&
         !given(m.residual_streams) && !given(m.residual_block) && !given(m.per_layer_input);
}

}  // namespace

template <class R>
LayerWork<R> layer_work(const StepInput<R>& in, WorkOf of) {
  const TrainingPrices<R> prices(in, of);
  const auto sparse = moe_layers(in.model);
  const auto& layers = in.model.layers;
  const bool leaves = leaves_last(in);
  const auto dense = layers - sparse;
  LayerWork<R> result{};
  Work<R> any_backward{};
  // Adds the share of a part to what its kind of layers computes again, from `first` on.
  const auto add_again = [](auto& sums, Count<R> share, const PartWork<R>& work,
                            std::size_t first) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] = sums[i] + share * work.again[first + i];
    }
  };
  const std::size_t of_any = result.any_again.size();
  each_part(in.model, [&](const LayerPart<R>& part, std::span<const Kernel<R>> kernels) {
    const auto work = work_of(prices, kernels, part.mixes);
    const auto of_all = part.layers / layers;
    result.norms = result.norms + of_all * work.of(Section::kNorms);
    if (part.mixes) {
      result.projections = result.projections + of_all * work.of(Section::kProjections);
      result.attention = result.attention + of_all * work.of(Section::kMixing);
      result.output = result.output + of_all * work.of(Section::kOutput);
      any_backward = any_backward + of_all * work.backward;
      add_again(result.any_again, of_all, work, 0);
      return;
    }
    // Its norm is counted with the others, of any layer.
    add_again(result.any_again, of_all, work, 0);
    const auto share = part.layers / (part.has_experts() ? sparse : dense);
    if (part.has_experts()) {
      result.experts = result.experts + share * work.of(Section::kMatmuls);
      result.routing = result.routing + share * work.of(Section::kMoves);
      result.sparse_backward = result.sparse_backward + share * work.backward;
      add_again(result.sparse_again, share, work, of_any);
      // The gradients of routing weights ask for the results of experts, not of what is beside
      // them.
      const bool beside = given(in.model.shared_experts) || given(in.model.dense_beside_experts);
      if (leaves && beside) result.sparse_last = result.sparse_last + share * work.last;
    } else {
      result.feed_forward =
          result.feed_forward + share * (work.of(Section::kMatmuls) + work.of(Section::kMoves));
      result.dense_backward = result.dense_backward + share * work.backward;
      add_again(result.dense_again, share, work, of_any);
      if (leaves) result.dense_last = result.dense_last + share * work.last;
    }
  });
  result.norms = named<term::kNormsTime>(result.norms);
  result.projections = named<term::kProjectionsTime>(result.projections);
  result.attention = named<term::kAttentionTime>(result.attention);
  result.output = named<term::kOutputTime>(result.output);
  result.feed_forward = named<term::kFeedForwardTime>(result.feed_forward);
  result.experts = named<term::kExpertsTime>(result.experts);
  result.routing = named<term::kRoutingTime>(result.routing);
  result.dense_backward = named<term::kDenseBackwardTime>(any_backward + result.dense_backward);
  result.sparse_backward = named<term::kSparseBackwardTime>(any_backward + result.sparse_backward);
  return result;
}

/// Not inlined: the kernels of a tower take room of the stack only where there is one.
template <class R>
[[gnu::noinline]] PassWork<R> tower_work(const StepInput<R>& in, WorkOf of) {
  const TowerStep<R> tower(in, as<kToken>(in.model.image_patches));
  const auto layer = layer_work(tower.input(in), of);
  const TowerStep<R> merged(in, in.model.image_tokens);
  const auto merged_in = merged.input(in);
  const TrainingPrices<R> prices(merged_in, of);
  const auto projector = projector_of(in.model);
  PassWork<R> work{};
  if (given(projector.contraction)) work = prices.matmul(prices.share(projector), projector);
  const auto& layers = tower.model.layers;
  const auto forward = layers * layer.dense_forward();
  work.forward = named<term::kTowerForwardTime>(work.forward + forward);
  if (in.run.trains_tower()) {
    work.backward =
        named<term::kTowerBackwardTime>(work.backward + layers * layer.dense_backward + forward);
  } else {
    work.backward = {};
  }
  return work;
}

template <class R>
EndsWork<R> ends_work(const StepInput<R>& in, WorkOf of) {
  const TrainingPrices<R> prices(in, of);
  EndsWork<R> result{};
  const auto add = [](Work<R>& forward, Work<R>& backward, const PassWork<R>& priced) {
    forward = forward + priced.forward;
    backward = backward + priced.backward;
  };
  const auto ends = kernels_of_ends(in.model);
  for (const Kernel<R>& kernel : ends.items()) {
    auto priced =
        kernel.multiplies() ? prices.matmul(prices.share(kernel), kernel) : prices.other(kernel);
    const bool head = kernel.rows == RowsOf::kLogits;
    // Nobody asks for gradients of a frozen table, nor for any below the first trained layer.
    const bool forward_alone = in.run.ends_early() ? !head : prices.tunes() && !kernel.multiplies();
    if (forward_alone) priced.backward = {};
    if (head) {
      add(result.head_forward, result.head_backward, priced);
      add(result.head_forward, result.head_backward, prices.loss(prices.share(kernel)));
    } else {
      add(result.embedding_forward, result.embedding_backward, priced);
    }
  }
  if (in.run.sees()) {
    const auto tower = tower_work(in, of);
    add(result.embedding_forward, result.embedding_backward, tower);
  }
  result.head_forward = named<term::kHeadForwardTime>(result.head_forward);
  result.head_backward = named<term::kHeadBackwardTime>(result.head_backward);
  if (given(in.model.mtp_modules)) {
    const auto entry = kernels_of_mtp_entry(in.model);
    for (const Kernel<R>& kernel : entry.items()) {
      add(result.mtp_forward, result.mtp_backward, prices.matmul(prices.share(kernel), kernel));
    }
  }
  return result;
}

template <class R>
LayerSums<R> layer_sums(const Model<R>& model) {
  const auto sparse = moe_layers(model);
  LayerSums<R> sums{};
  each_part(model, [&](const LayerPart<R>& part, std::span<const Kernel<R>> kernels) {
    Count<R> wide{};
    for (const Kernel<R>& kernel : kernels) {
      if (kernel.before.kind == KernelCollective::kDispatch) {
        sums.exchanged = kernel.before.numbers;
      }
      if (kernel.behind.kind != KernelCollective::kSum) continue;
      if (kernel.outputs < model.hidden) {
        sums.inner = sums.inner + part.layers / model.layers;
        sums.inner_numbers = kernel.behind.numbers;
      } else {
        wide = wide + one<R>();
      }
    }
    sums.add(model, sparse, part, wide);
  });
  return sums;
}

template LayerSums<SCALING_REP> layer_sums(const Model<SCALING_REP>&);
template LayerWork<SCALING_REP> layer_work(const StepInput<SCALING_REP>&, WorkOf);
template PassWork<SCALING_REP> tower_work(const StepInput<SCALING_REP>&, WorkOf);
template EndsWork<SCALING_REP> ends_work(const StepInput<SCALING_REP>&, WorkOf);

}  // namespace scaling
