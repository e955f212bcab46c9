// SPDX-License-Identifier: MIT
#include "scaling/training/pipeline.hpp"

#include <cmath>

namespace scaling {

template <class R>
StageLayers<R> stage_layers(Count<R> layers, Count<R> pipeline) {
  if (pipeline.value() <= 1) return {layers, layers, layers, {}};
  const auto most = named<term::kLayersPerStage>(most_layers(layers, pipeline));
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
Count<R> model_cuts(const Degrees<R>& layout) {
  return course_of(layout) == PipelineCourse::kFold ? 2.0 * layout.pipeline : layout.pipeline;
}

template <class R>
Count<R> chunks_of_stage(const Degrees<R>& layout) {
  const PipelineScheduleRow& schedule = row_of(layout.schedule);
  if (schedule.course != PipelineCourse::kLoop) return Count<R>(R(2));
  return schedule.asks_chunks ? layout.virtual_stages : one<R>();
}

template <class R>
Count<R> stage_crossings(const Degrees<R>& layout) {
  return row_of(layout.schedule).course == PipelineCourse::kBothEnds ? one<R>()
                                                                     : chunks_of_stage(layout);
}

template <class R>
Count<R> busiest_layers(Count<R> layers, const Degrees<R>& layout) {
  const auto cuts = model_cuts(layout);
  const double count = cuts.value();
  if (!layout.stage_layers.empty()) {
    double most = 0;
    for (int index = 0; index < static_cast<int>(count); ++index) {
      const double other = holds_pairs(layout) ? given_layers(layout, count, count - 1 - index) : 0;
      most = std::fmax(most, given_layers(layout, count, index) + other);
    }
    const bool both_ends = course_of(layout) == PipelineCourse::kBothEnds;
    return named_number<term::kGivenLayers, R>(both_ends ? most / 2 : most);
  }
  const auto parts = stage_layers(layers, cuts);
  if (!holds_pairs(layout)) return parts.most;
  const auto both = [&](double index) {
    return layers_of_cut(parts, count, index) + layers_of_cut(parts, count, count - 1 - index);
  };
  // The parts before the last have fewer layers: of the pairs between the ends, that which has the
  // most is next to the ends, or in the middle.
  const auto most = max(both(0), max(both(1), both(count / 2 - 1)));
  return course_of(layout) == PipelineCourse::kBothEnds ? most / 2.0 : most;
}

template <class R>
Quantity<kSecond, R> bubble_time(const Degrees<R>& layout, Count<R> micro_batches,
                                 const PassTimes<R>& times) {
  using Seconds = Quantity<kSecond, R>;
  const auto& p = layout.pipeline;
  if (p.value() <= 1) return Seconds{};
  const auto others = p - one<R>();
  const auto inputs = max(times.backward - times.weights, Seconds{});
  const Pipeline<R> pipeline{p,
                             layout.virtual_stages,
                             micro_batches,
                             times,
                             {times.forward, inputs, times.weights},
                             others,
                             others * (times.forward + inputs),
                             min(times.forward, times.weights)};
  return named<term::kBubbleTime>(PipelineSchedules::with(
      layout.schedule, [&]<class Schedule>() { return Schedule::bubble(pipeline); }));
}

template <class R>
Count<R> in_flight(const Degrees<R>& layout, Count<R> micro_batches, Count<R> stage) {
  if (layout.pipeline.value() <= 1) return one<R>();
  const Held<R> held{layout.pipeline, layout.virtual_stages, micro_batches, stage};
  return named<term::kInFlight>(PipelineSchedules::with(
      layout.schedule, [&]<class Schedule>() { return Schedule::held(held); }));
}

template StageLayers<SCALING_REP> stage_layers(Count<SCALING_REP>, Count<SCALING_REP>);
template Count<SCALING_REP> layers_of_cut(const StageLayers<SCALING_REP>&, double, double);
template Count<SCALING_REP> model_cuts(const Degrees<SCALING_REP>&);
template Count<SCALING_REP> chunks_of_stage(const Degrees<SCALING_REP>&);
template Count<SCALING_REP> stage_crossings(const Degrees<SCALING_REP>&);
template Count<SCALING_REP> busiest_layers(Count<SCALING_REP>, const Degrees<SCALING_REP>&);
template Quantity<kSecond, SCALING_REP> bubble_time(const Degrees<SCALING_REP>&, Count<SCALING_REP>,
                                                    const PassTimes<SCALING_REP>&);
template Count<SCALING_REP> in_flight(const Degrees<SCALING_REP>&, Count<SCALING_REP>,
                                      Count<SCALING_REP>);

}  // namespace scaling
