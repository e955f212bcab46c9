// SPDX-License-Identifier: MIT
//
// Long runs: failures, checkpoints and what they cost.

#include "golden_plan.hpp"

namespace scaling::test::golden_reliability_test {
namespace {

using Seconds = Quantity<kSecond, double>;

double hours(double seconds) { return seconds / 3600; }

double job_mttf(const Given& in) {
  const double chip_mttf = hours(86400) * in("nodeChips") / in("nodeFailuresPerDay");
  return number<term::kJobMttf>(plan(in, model_of(in), layout_of(in), {{"chipMttf", chip_mttf}}));
}

Seconds mttf(const Given& in) { return Seconds(86400 * in("days") / in("failures")); }

Seconds save(const Given& in) { return Seconds(60 * in("saveMinutes")); }

Seconds restart(const Given& in) { return Seconds(60 * in("restartMinutes")); }

double interval(const Given& in) { return save_interval(save(in), mttf(in)).value(); }

double waste(const Given& in) {
  return save_waste(save(in), Seconds(interval(in)), restart(in), mttf(in)).value();
}

double goodput_of_run(const Given& in) {
  return goodput(save(in), Seconds(interval(in)), restart(in), mttf(in)).value();
}

/// Nothing fails.
double share_of_saving(const Given& in) {
  return save_waste(Seconds(in("saveSeconds")), Seconds(3600 * in("intervalHours")), Seconds(0),
                    Seconds(1e30))
      .value();
}

double save_bytes(const Given& in) {
  REQUIRE(in("momentBytes") == 8);
  const auto run = typed(with(run_of(in), {{"weightFormat", format_of(in("weightBytes"))}}));
  const auto layout =
      typed(layout_of(in, {{"masterFormat", in("masterBytes") > 0 ? Copy::kFp32 : Copy::kNone}}));
  const auto model = typed(model_of(in));
  const auto parameters = used_parameters(model, count_parameters(model)).total;
  return reliability(model, run, layout, typed(Raw<Assumptions>::defaults()), parameters)
      .save_bytes.value();
}

ENGINEERING_GOLDEN("meta-mttf", job_mttf)
ENGINEERING_GOLDEN("young-interval", interval)
ENGINEERING_GOLDEN("young-waste", waste)
ENGINEERING_GOLDEN("daly-goodput", goodput_of_run)
ENGINEERING_GOLDEN("sc21-checkpoint", save_bytes)
ENGINEERING_GOLDEN("nanogpt-checkpoint", save_bytes)
ENGINEERING_GOLDEN("nanogpt-checkpoint-file", save_bytes)
ENGINEERING_GOLDEN("bloom-checkpoints", share_of_saving)

}  // namespace
}  // namespace scaling::test::golden_reliability_test
