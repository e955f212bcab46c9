// SPDX-License-Identifier: MIT
#include "scaling/training/pipeline.hpp"

#include <cmath>

#include "scaling/training/odd_round.hpp"

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
  const auto parts = stage_layers(layers, cuts);
  if (!holds_pairs(layout)) return parts.most;
  const double count = cuts.value();
  const auto both = [&](double index) {
    return layers_of_cut(parts, count, index) + layers_of_cut(parts, count, count - 1 - index);
  };
  // The parts before the last have fewer layers: of the pairs between the ends, that which has the
  // most is next to the ends, or in the middle.
  const auto most = max(both(0), max(both(1), both(count / 2 - 1)));
  return course_of(layout) == PipelineCourse::kBothEnds ? most / 2.0 : most;
}

namespace {

/// Passes that bubbles are made up of: gradients of inputs are what is left of the backward pass.
template <class R>
struct Passes {
  Quantity<kSecond, R> forward, inputs, weights;

  Quantity<kSecond, R> all() const { return forward + inputs + weights; }
};

/// The parts of a bubble.
template <class R>
struct Pipeline {
  const Degrees<R>& layout;
  Count<R> micro_batches;
  PassTimes<R> times;
  Passes<R> passes;
  Count<R> others;              ///< stages
  Quantity<kSecond, R> alone;   ///< of a single micro-batch
  Quantity<kSecond, R> filled;  ///< by each further one

  const Count<R>& stages() const { return layout.pipeline; }
  /// Micro-batches behind the first, of at most `held`.
  Count<R> further(Count<R> held) const { return min(micro_batches, held) - one<R>(); }
};

template <class R>
Quantity<kSecond, R> not_negative(Quantity<kSecond, R> time) {
  return max(time, Quantity<kSecond, R>{});
}

template <class R>
Quantity<kSecond, R> one_f_one_b_bubble(const Pipeline<R>& in) {
  return in.others * (in.times.forward + in.times.backward);
}

/// A round of chunks that is not full leaves its gaps free. Its forward passes fill those of the
/// round before it, except for some if there are three chunks or more.
template <class R>
Quantity<kSecond, R> interleaved_bubble(const Pipeline<R>& in) {
  const auto& p = in.stages();
  const auto& v = in.layout.virtual_stages;
  if (v.value() <= 1) return one_f_one_b_bubble(in);
  const auto& times = in.times;
  const auto both = times.forward + times.backward;
  const auto missing = ceil(in.micro_batches / p) * p - in.micro_batches;
  if (missing.value() <= 0) return in.others * (both / v);
  const auto waiting = in.others + missing * (v - one<R>());
  if (in.micro_batches < p) return waiting * (both / v);
  const double late = late_passes(p.value(), v.value(), missing.value());
  const auto forward = late > 0 ? in.others + Count<R>(R(late)) : in.others;
  return (forward * times.forward + waiting * times.backward) / v;
}

template <class R>
Quantity<kSecond, R> zb1p_bubble(const Pipeline<R>& in) {
  return not_negative(in.alone - in.further(in.stages()) * in.filled);
}

template <class R>
Quantity<kSecond, R> zb2p_bubble(const Pipeline<R>& in) {
  return not_negative(in.alone - in.further(2.0 * in.stages() - one<R>()) * in.filled);
}

template <class R>
Quantity<kSecond, R> zbv_bubble(const Pipeline<R>& in) {
  const auto& inputs = in.passes.inputs;
  const auto ahead = in.further(2.0 * in.stages() - one<R>());
  const auto first = min(ahead, in.others);
  return not_negative(in.alone - first * min(in.times.forward, inputs) -
                      (ahead - first) * min(in.filled, inputs));
}

/// The wait of a V's first stage for a single micro-batch. The other chunk's gradients of
/// weights fill what they take.
template <class R>
Quantity<kSecond, R> folded_alone(Count<R> stages, const Passes<R>& t) {
  return (stages - one<R>()) * (t.forward + t.inputs) - t.weights / 2.0;
}

/// Each further micro-batch takes three times the longest pass, as neighbours wait for each other
/// in each slot. Where three divides the stages, the block has a gap, which shortens that once.
template <class R>
Quantity<kSecond, R> v_min_wait(Count<R> stages, Count<R> micro_batches, const Passes<R>& t) {
  const auto& [f, i, w] = t;
  const auto none = Quantity<kSecond, R>{};
  const auto further = micro_batches - one<R>();
  const auto alone = folded_alone(stages, t);
  if (stages.value() == 2) {
    return alone + further * max(max(2.0 * i - f - w, f + i - 2.0 * w), none) / 2.0;
  }
  const auto all = alone + further * max(3.0 * max(f, i) - t.all(), none);
  const bool gap = std::fmod(stages.value(), 3) == 0;
  if (!gap || micro_batches.value() * 3 <= stages.value()) return all;
  return all - max(min(i - f / 2.0, 2.0 * (i - f)), none);
}

/// Each micro-batch fills F + W - I of the first one's bubble, until there are half as many as
/// stages; from then on it adds what gradients of inputs take longer than the other passes.
template <class R>
Quantity<kSecond, R> v_half_wait(Count<R> stages, Count<R> micro_batches, const Passes<R>& t) {
  const auto& [f, i, w] = t;
  const auto none = Quantity<kSecond, R>{};
  const double p = stages.value();
  const double m = micro_batches.value();
  const auto half = ceil(stages / 2.0);
  const auto filling = min(micro_batches, half) - one<R>();
  const auto first = folded_alone(stages, t) + filling * (i - min(f, i) - w);
  if (m <= half.value()) return first;
  const auto longer = i - f - w / 2.0;
  const auto further = micro_batches - half;
  if (half.value() * 2 > p) return first + further * max(longer, none);
  // The block has a gap if the number of stages is even; W fills it.
  const bool two = p == 2;
  if (further.value() == 1 || (two && m == 3)) {
    return first - (two ? w / 2.0 : w) - min(f, i - f) / 2.0;
  }
  const auto ends = max(max(longer - f / 2.0, (i - f - w) / 2.0), none);
  auto more = max((further - (one<R>() + one<R>())) * longer + ends, none);
  if (m <= p) {
    // Passes of the last one are still on their way when gradients of weights are put off.
    const auto turn = (further + one<R>() / 2.0) * f - further * i - w / 2.0;
    more = max(more, max(1.5 * f - i - further * w / 2.0, turn));
  }
  return two ? first + more : first - w + more;
}

/// Each end takes a half of the micro-batches; the last one of an odd number has no other beside
/// it. The order is one of 2p: fewer leave the others' places free.
template <class R>
Quantity<kSecond, R> dual_pipe_wait(Count<R> stages, Count<R> micro_batches, const Passes<R>& t) {
  const auto& [f, i, w] = t;
  const auto inner = stages - (one<R>() + one<R>());
  const auto even = 2.0 * ceil(micro_batches / 2.0);
  auto bubble = (stages - even) * f + inner * i + inner / 2.0 * w;
  if (even > stages) {
    // The first two passes in the middle are not worked on as one.
    const auto way = max(inner * f + inner / 2.0 * i, inner / 2.0 * f + inner * i - f);
    bubble = way - (min(even, 2.0 * stages) - stages - stages / 2.0 - one<R>()) * w;
  }
  return even > micro_batches ? bubble + t.all() : bubble;
}

template <class R>
Quantity<kSecond, R> v_half_bubble(const Pipeline<R>& in) {
  return not_negative(v_half_wait(in.stages(), in.micro_batches, in.passes));
}

template <class R>
Quantity<kSecond, R> v_min_bubble(const Pipeline<R>& in) {
  return not_negative(v_min_wait(in.stages(), in.micro_batches, in.passes));
}

template <class R>
Quantity<kSecond, R> dual_pipe_bubble(const Pipeline<R>& in) {
  return not_negative(dual_pipe_wait(in.stages(), in.micro_batches, in.passes));
}

/// Micro-batches that a stage holds, of `m` in all.
template <class R>
struct Held {
  const Degrees<R>& layout;
  Count<R> m, stage;

  Count<R> at_most(Count<R> count) const { return min(m, count); }
};

template <class R>
Count<R> gpipe_held(const Held<R>& in) {
  return in.m;
}

template <class R>
Count<R> one_f_one_b_held(const Held<R>& in) {
  return in.at_most(in.layout.pipeline - in.stage);
}

template <class R>
Count<R> interleaved_held(const Held<R>& in) {
  const auto& p = in.layout.pipeline;
  const auto& v = in.layout.virtual_stages;
  if (v.value() <= 1) return one_f_one_b_held(in);
  return in.at_most(p + (p - one<R>() - 2.0 * in.stage) / v);
}

template <class R>
Count<R> zb2p_held(const Held<R>& in) {
  return in.at_most(2.0 * in.layout.pipeline);
}

template <class R>
Count<R> zbv_held(const Held<R>& in) {
  return in.at_most(in.layout.pipeline);
}

template <class R>
Count<R> v_half_held(const Held<R>& in) {
  return in.at_most(floor(in.layout.pipeline / 2.0) + one<R>());
}

template <class R>
Count<R> v_min_held(const Held<R>& in) {
  return in.at_most(floor((in.layout.pipeline + one<R>()) / 3.0) + one<R>());
}

template <class R>
Count<R> dual_pipe_held(const Held<R>& in) {
  return in.at_most(in.layout.pipeline + one<R>());
}

/// The formulas of a schedule.
template <class R>
struct ScheduleFormulas {
  Quantity<kSecond, R> (*bubble)(const Pipeline<R>& in);
  Count<R> (*held)(const Held<R>& in);
};

template <class R>
ScheduleFormulas<R> formulas_of(PipelineSchedule schedule) {
  switch (schedule) {
    case PipelineSchedule::kGpipe:
      return {one_f_one_b_bubble, gpipe_held};
    case PipelineSchedule::kOneFOneB:
      break;
    case PipelineSchedule::kInterleaved:
      return {interleaved_bubble, interleaved_held};
    case PipelineSchedule::kZb1p:
      return {zb1p_bubble, one_f_one_b_held};
    case PipelineSchedule::kZb2p:
      return {zb2p_bubble, zb2p_held};
    case PipelineSchedule::kZbv:
      return {zbv_bubble, zbv_held};
    case PipelineSchedule::kVHalf:
      return {v_half_bubble, v_half_held};
    case PipelineSchedule::kVMin:
      return {v_min_bubble, v_min_held};
    case PipelineSchedule::kDualPipe:
      return {dual_pipe_bubble, dual_pipe_held};
  }
  return {one_f_one_b_bubble, one_f_one_b_held};
}

}  // namespace

template <class R>
Quantity<kSecond, R> bubble_time(const Degrees<R>& layout, Count<R> micro_batches,
                                 const PassTimes<R>& times) {
  using Seconds = Quantity<kSecond, R>;
  const auto& p = layout.pipeline;
  if (p.value() <= 1) return Seconds{};
  const auto others = p - one<R>();
  const auto inputs = max(times.backward - times.weights, Seconds{});
  const Pipeline<R> pipeline{layout,
                             micro_batches,
                             times,
                             {times.forward, inputs, times.weights},
                             others,
                             others * (times.forward + inputs),
                             min(times.forward, times.weights)};
  return named<term::kBubbleTime>(formulas_of<R>(layout.schedule).bubble(pipeline));
}

template <class R>
Count<R> in_flight(const Degrees<R>& layout, Count<R> micro_batches, Count<R> stage) {
  if (layout.pipeline.value() <= 1) return one<R>();
  return named<term::kInFlight>(
      formulas_of<R>(layout.schedule).held(Held<R>{layout, micro_batches, stage}));
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
