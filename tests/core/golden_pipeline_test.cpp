// SPDX-License-Identifier: MIT
//
// Pipelines: bubbles, what passes between stages, and how long a layer takes.

#include "golden_plan.hpp"

namespace scaling::test::golden_pipeline_test {
namespace {

/// The times of a micro-batch's passes, by default a second forward and two backward.
PassTimes<double> pass_times(const Given& in) {
  const auto seconds = [&](const char* key, double otherwise) {
    return Quantity<kSecond, double>(in.has(key) ? in(key) : otherwise);
  };
  return {seconds("forward", 1), seconds("backward", 2), seconds("weights", 1)};
}

double work(const Given& in) {
  const auto times = pass_times(in);
  return in("microBatches") * (times.forward + times.backward).value();
}

double bubble(const Given& in, const Settings& layout = {}) {
  return bubble_time(typed(layout_of(in, layout)), Count<double>(in("microBatches")),
                     pass_times(in))
      .value();
}

double bubble_of(const Given& in, PipelineSchedule schedule) {
  return bubble(in, {{"schedule", schedule}});
}

double share_of(const Given& in, double bubble) { return bubble / (bubble + work(in)); }

/// The README of zero-bubble has its rates as shares of the time that 1F1B takes: ZB1P's third of
/// 1F1B's rate is its formula's bubble over that time, not over its own. V-Half's half is rounded:
/// its order waits a second less.
double share_of_one_f_one_b(const Given& in, PipelineSchedule schedule) {
  return bubble_of(in, schedule) / (work(in) + bubble_of(in, kSchedule<OneFOneB>));
}

double bubble_over_work(const Given& in) {
  // GPipe waits as long.
  if (!in.has("virtualStages")) CHECK(bubble_of(in, kSchedule<Gpipe>) == bubble(in));
  return bubble(in) / work(in);
}

double bubble_share(const Given& in) { return share_of(in, bubble(in)); }

double zbv_share(const Given& in) { return share_of_one_f_one_b(in, kSchedule<Zbv>); }
double v_half_share(const Given& in) { return share_of_one_f_one_b(in, kSchedule<VHalf>); }

double pipeline_time(const Given& in) { return work(in) + bubble(in); }

double one_f_one_b_bubble(const Given& in) { return bubble_of(in, kSchedule<OneFOneB>); }
double zb1p_bubble(const Given& in) { return bubble_of(in, kSchedule<Zb1p>); }
double dualpipe_bubble(const Given& in) { return bubble_of(in, kSchedule<DualPipe>); }

/// A micro-batch crosses from the first of two stages to the second, and its gradient back.
double pipeline_traffic(const Given& in) {
  const auto model = with(model_of(in), {{"layers", 2}, {"heads", 8}, {"kvHeads", 8}});
  const double bandwidth = 1e9;
  return number<term::kTimePipeline>(plan(in, model, layout_of(in))) * bandwidth / 2 / 2;
}

double micro_batches(const Given& in) {
  return number<term::kMicroBatches>(plan(in, model_of(in), layout_of(in)));
}

/// The time of a layer at full rates; the sums over tensor ways are exposed.
double layer_time(const Given& in) {
  const auto model = with(model_of(in), {{"gatedFeedForward", false}, {"layers", 1}});
  const auto layout =
      layout_of(in, {{"attentionKernel", AttentionKernel::kNaive}, {"dropout", true}});
  const auto answers = plan(in, model, layout);
  return number<term::kMicroForward>(answers) + number<term::kMicroBackward>(answers);
}

ENGINEERING_GOLDEN("bubble-4-8", bubble_over_work)
ENGINEERING_GOLDEN("bubble-share-4-8", bubble_share)
ENGINEERING_GOLDEN("bubble-8-32", bubble_over_work)
ENGINEERING_GOLDEN("bubble-8-32-2", bubble_over_work)
ENGINEERING_GOLDEN("bubble-16-16-8", bubble_over_work)
ENGINEERING_GOLDEN("bubble-64-512", bubble_over_work)
ENGINEERING_GOLDEN("bubble-share-64-512", bubble_share)
ENGINEERING_GOLDEN("bubble-share-35-280-3", bubble_share)
ENGINEERING_GOLDEN("bubble-8-8", bubble_over_work)
ENGINEERING_GOLDEN("pipeline-time", pipeline_time)
ENGINEERING_GOLDEN("zero-bubble-zbv-8", zbv_share)
ENGINEERING_GOLDEN("zero-bubble-zbv-16", zbv_share)
ENGINEERING_GOLDEN("zero-bubble-vhalf-16", v_half_share)
ENGINEERING_GOLDEN("dualpipe-zb1p-16", zb1p_bubble)
ENGINEERING_GOLDEN("dualpipe-dualpipe-16", dualpipe_bubble)
ENGINEERING_GOLDEN("dualpipe-1f1b-8", one_f_one_b_bubble)
ENGINEERING_GOLDEN("dualpipe-zb1p-8", zb1p_bubble)
ENGINEERING_GOLDEN("pipeline-traffic-12288", pipeline_traffic)
ENGINEERING_GOLDEN("pipeline-traffic-6144", pipeline_traffic)
ENGINEERING_GOLDEN("pipeline-traffic-8192", pipeline_traffic)
ENGINEERING_GOLDEN("pipeline-traffic-16384", pipeline_traffic)
ENGINEERING_GOLDEN("mle-micro-batches", micro_batches)
ENGINEERING_GOLDEN("korthikanti-layer-time", layer_time)
ENGINEERING_GOLDEN("korthikanti-layer-time-sequence", layer_time)

}  // namespace
}  // namespace scaling::test::golden_pipeline_test
