// SPDX-License-Identifier: MIT
#include "scaling/pipeline.hpp"

namespace scaling {
namespace {

template <class R>
Count<R> one() {
  return Count<R>(R(1));
}

/// A bubble that takes `share` of the whole time, of which `work` is what is not bubble.
template <class R>
Quantity<kSecond, R> bubble_of_share(Count<R> share, Quantity<kSecond, R> work) {
  return work * share / (one<R>() - share);
}

}  // namespace

template <class R>
StageLayers<R> stage_layers(Count<R> layers, Count<R> pipeline) {
  if (pipeline.value() <= 1) return {layers, layers, layers, {}};
  const auto most = named<term::kLayersPerStage>(ceil(layers / pipeline));
  const auto spare = pipeline * most - layers;
  const auto first = spare.value() > 1 ? most - one<R>() : most;
  const auto last = spare.value() > 0 ? most - one<R>() : most;
  return {most, first, last, max(spare - (one<R>() + one<R>()), Count<R>{})};
}

template <class R>
Quantity<kSecond, R> bubble_time(const Layout<R>& layout, Count<R> micro_batches,
                                 const PassTimes<R>& times) {
  using Seconds = Quantity<kSecond, R>;
  const auto& p = layout.pipeline;
  if (p.value() <= 1) return Seconds{};
  const auto both = times.forward + times.backward;
  const auto others = p - one<R>();
  const auto name = [](Seconds t) { return named<term::kBubbleTime>(t); };
  const auto share = [&](double part) {
    return bubble_of_share(part * others / (micro_batches + others), micro_batches * both);
  };
  switch (layout.schedule) {
    case PipelineSchedule::kGpipe:
    case PipelineSchedule::kOneFOneB:
      break;
    case PipelineSchedule::kInterleaved: {
      const auto& v = layout.virtual_stages;
      if (v.value() <= 1) break;
      const auto chunk = both / v;
      const auto missing = ceil(micro_batches / p) * p - micro_batches;
      if (missing.value() <= 0) return name(others * chunk);
      return name((others + missing * (v - one<R>())) * chunk);
    }
    case PipelineSchedule::kZb1p:
      return name(max(others * (both - 2.0 * times.weights), Seconds{}));
    case PipelineSchedule::kZb2p:
    case PipelineSchedule::kZbv:
      return Seconds{};
    case PipelineSchedule::kVHalf:
      return name(share(1.0 / 2));
    case PipelineSchedule::kVMin:
      return name(share(2.0 / 3));
    case PipelineSchedule::kDualPipe:
      return name(
          max((p / 2.0 - one<R>()) * (both + times.backward - 3.0 * times.weights), Seconds{}));
  }
  return name(others * both);
}

template <class R>
Count<R> in_flight(const Layout<R>& layout, Count<R> micro_batches, Count<R> stage) {
  const auto& p = layout.pipeline;
  const auto& m = micro_batches;
  if (p.value() <= 1) return one<R>();
  const auto name = [](Count<R> count) { return named<term::kInFlight>(count); };
  switch (layout.schedule) {
    case PipelineSchedule::kGpipe:
      return name(m);
    case PipelineSchedule::kOneFOneB:
    case PipelineSchedule::kZb1p:
      break;
    case PipelineSchedule::kInterleaved: {
      const auto& v = layout.virtual_stages;
      if (v.value() <= 1) break;
      return name(min(m, p + (p - one<R>() - 2.0 * stage) / v));
    }
    case PipelineSchedule::kZb2p:
      return name(min(m, 2.0 * p));
    case PipelineSchedule::kZbv:
      return name(min(m, p));
    case PipelineSchedule::kVHalf:
      return name(max(min(m, p) / 2.0, one<R>()));
    case PipelineSchedule::kVMin:
      return name(max(min(m, p) / 3.0, one<R>()));
    case PipelineSchedule::kDualPipe:
      return name(min(m, p + one<R>()));
  }
  return name(min(m, p - stage));
}

template StageLayers<SCALING_REP> stage_layers(Count<SCALING_REP>, Count<SCALING_REP>);
template Quantity<kSecond, SCALING_REP> bubble_time(const Layout<SCALING_REP>&, Count<SCALING_REP>,
                                                    const PassTimes<SCALING_REP>&);
template Count<SCALING_REP> in_flight(const Layout<SCALING_REP>&, Count<SCALING_REP>,
                                      Count<SCALING_REP>);

}  // namespace scaling
