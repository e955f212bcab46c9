// SPDX-License-Identifier: MIT
#include "scaling/training/pipeline.hpp"

namespace scaling {

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
Count<R> layers_of_cut(const StageLayers<R>& layers, double cuts, double index) {
  if (index == 0) return layers.first;
  if (index == cuts - 1) return layers.last;
  const bool fewer = index >= cuts - 1 - layers.fewer.value();
  return fewer ? layers.most - one<R>() : layers.most;
}

template <class R>
Count<R> model_cuts(const Layout<R>& layout) {
  const bool folded = layout.pipeline.value() > 1 && is_v_shaped(layout.schedule);
  return folded ? 2.0 * layout.pipeline : layout.pipeline;
}

template <class R>
Count<R> busiest_layers(Count<R> layers, const Layout<R>& layout) {
  const auto cuts = model_cuts(layout);
  const auto parts = stage_layers(layers, cuts);
  if (!holds_pairs(layout)) return parts.most;
  const double count = cuts.value();
  const auto both = [&](double index) {
    return layers_of_cut(parts, count, index) + layers_of_cut(parts, count, count - 1 - index);
  };
  // The parts before the last have fewer layers: of the pairs between the ends, that which has the
  // most is next to the ends, or in the middle.
  const auto most = max(both(0), max(both(1), both(count / 2 - 1)));
  return layout.schedule == PipelineSchedule::kDualPipe ? most / 2.0 : most;
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
  // Of a single micro-batch, and what each further one fills of that.
  const auto inputs = max(times.backward - times.weights, Seconds{});
  const auto alone = others * (times.forward + inputs);
  const auto filled = min(times.forward, times.weights);
  const auto further = [&](Count<R> held) { return min(micro_batches, held) - one<R>(); };
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
      return name(max(alone - further(p) * filled, Seconds{}));
    case PipelineSchedule::kZb2p:
      return name(max(alone - further(2.0 * p - one<R>()) * filled, Seconds{}));
    case PipelineSchedule::kZbv: {
      const auto ahead = further(2.0 * p - one<R>());
      const auto first = min(ahead, others);
      return name(
          max(alone - first * min(times.forward, inputs) - (ahead - first) * min(filled, inputs),
              Seconds{}));
    }
    case PipelineSchedule::kVHalf:
    case PipelineSchedule::kVMin: {
      const double part = layout.schedule == PipelineSchedule::kVHalf ? 1.0 / 2 : 2.0 / 3;
      const auto few = alone - (micro_batches - one<R>()) * filled / 2.0;
      return name(max(part * others * both, few));
    }
    case PipelineSchedule::kDualPipe: {
      const auto whole = (p / 2.0 - one<R>()) * (times.forward + 2.0 * inputs - filled);
      const auto enough = 2.0 * p;
      if (micro_batches >= enough) {
        // Each end takes a half of them; the last one of an odd number has no other beside it.
        const auto odd = 2.0 * ceil(micro_batches / 2.0) - micro_batches;
        return name(odd.value() > 0 ? whole + odd * both : whole);
      }
      const auto each = max(2.0 * filled, (alone - whole) / (enough - one<R>()));
      return name(max(whole, alone - (micro_batches - one<R>()) * each));
    }
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
template Count<SCALING_REP> layers_of_cut(const StageLayers<SCALING_REP>&, double, double);
template Count<SCALING_REP> model_cuts(const Layout<SCALING_REP>&);
template Count<SCALING_REP> busiest_layers(Count<SCALING_REP>, const Layout<SCALING_REP>&);
template Quantity<kSecond, SCALING_REP> bubble_time(const Layout<SCALING_REP>&, Count<SCALING_REP>,
                                                    const PassTimes<SCALING_REP>&);
template Count<SCALING_REP> in_flight(const Layout<SCALING_REP>&, Count<SCALING_REP>,
                                      Count<SCALING_REP>);

}  // namespace scaling
