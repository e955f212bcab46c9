// SPDX-License-Identifier: MIT
#include "scaling/training/launches.hpp"

#include "scaling/training/tuning.hpp"

namespace scaling {
namespace {

template <class R>
using Seconds = Quantity<kSecond, R>;

/// Launches of an expert, forward and back, where a loop in Python goes over all of them. Source:
/// transformers 4, MixtralSparseMoeBlock.forward.
constexpr double kExpertLaunches = 36;

/// Whether the host launches kernels, and the time of that is known.
template <class R>
bool launches(const StepInput<R>& in) {
  return in.measured() && in.generation().host > 0 && in.stack.graphs != CudaGraphs::kFull &&
         in.stack.kernels != KernelLaunch::kCompiled;
}

/// Time of the host to launch the kernels of a dense layer. As many kernels are launched on each of
/// the ranks that divide it, whatever its size.
template <class R>
Seconds<R> launches_of_layer(const StepInput<R>& in) {
  switch (in.stack.kernels) {
    case KernelLaunch::kFused:
      return seconds_of<R>(in.constants.host_dense);
    case KernelLaunch::kEager:
      // Software that fuses nothing has as many kernels as all had in 2022.
      if (in.stack.unfused) break;
      return seconds_of<R>(in.constants.host_eager);
    case KernelLaunch::kEager2022:
      break;
    case KernelLaunch::kCompiled:
      return {};
  }
  return seconds_of<R>(in.constants.host_early);
}

/// The same of a layer's collectives of tensor ways: later software launches them beside others.
template <class R>
Seconds<R> launches_of_collectives(const StepInput<R>& in) {
  const auto& t = in.layout.tensor;
  if (in.stack.kernels != KernelLaunch::kEager2022 || t.value() <= 1) return {};
  const auto some = seconds_of<R>(in.constants.host_tensor);
  // The ranks of a host share its cores.
  return t.value() < 8 ? some : some + seconds_of<R>(in.constants.host_full);
}

}  // namespace

template <class R>
Launches<R> launch_times(const StepInput<R>& in, const Stage<R>& stage) {
  const auto& constants = in.constants;
  if (!launches(in)) return {};
  const auto partial =
      scalar<R>(in.stack.graphs == CudaGraphs::kPartial ? constants.host_partial : Constant{1});
  const auto collectives = launches_of_collectives(in);
  const auto with_collectives = [&](Seconds<R> layer) {
    return partial * (collectives.value() > 0 ? layer + collectives : layer);
  };
  const auto more = more_launches(in);
  const auto of_layer = [&](Seconds<R> layer, const Count<R>& beside) {
    return given(beside) ? layer + beside * launches_of_layer(in) : layer;
  };
  const auto of_layers = [&](const auto& part) {
    auto host =
        stage.worked(part.dense) * with_collectives(of_layer(launches_of_layer(in), more.dense));
    if (part.sparse.value() > 0) {
      const auto experts = in.model.experts / in.layout.expert;
      const auto of_expert =
          in.stack.unfused
              ? named_number<term::kMoreLaunches, R>(kExpertLaunches / kLayerLaunches) *
                    launches_of_layer(in)
              : seconds_of<R>(constants.host_expert);
      host = host +
             stage.worked(part.sparse) *
                 (with_collectives(of_layer(seconds_of<R>(constants.host_sparse), more.sparse)) +
                  experts * of_expert);
    }
    return host / scalar<R>(3);
  };
  const auto forward = of_layers(stage);
  const auto back = 2.0 * (in.run.ends_early() ? of_layers(stage.back) : forward);
  if (!stage.embedding || !in.run.sees()) return {forward, back};
  // A tower that is trained goes forward again, besides.
  const auto tower = in.model.tower_layers * with_collectives(launches_of_layer(in)) / scalar<R>(3);
  return {forward + tower, in.run.trains_tower() ? back + 3.0 * tower : back};
}

template <class R>
Seconds<R> update_launches(const StepInput<R>& in, const Stage<R>& stage) {
  if (!launches(in) || !in.stack.unfused || !in.run.adapts()) return {};
  const auto layer = launches_of_layer(in);
  const auto each = launches_of_updates(in.model, in.run);
  auto host = stage.dense * (each.dense * layer);
  if (stage.sparse.value() > 0) host = host + stage.sparse * (each.sparse * layer);
  return host;
}

template Launches<SCALING_REP> launch_times(const StepInput<SCALING_REP>&,
                                            const Stage<SCALING_REP>&);
template Quantity<kSecond, SCALING_REP> update_launches(const StepInput<SCALING_REP>&,
                                                        const Stage<SCALING_REP>&);

}  // namespace scaling
