// SPDX-License-Identifier: MIT
#include "scaling/training/reliability.hpp"

namespace scaling {

template <class R>
Quantity<kSecond, R> save_interval(Quantity<kSecond, R> save, Quantity<kSecond, R> mttf) {
  const auto one_second = constant<kSecond, R>(1);
  return named<term::kSaveInterval>(one_second *
                                    sqrt(2.0 * (save / one_second) * (mttf / one_second)));
}

template <class R>
Count<R> save_waste(Quantity<kSecond, R> save, Quantity<kSecond, R> interval,
                    Quantity<kSecond, R> restart, Quantity<kSecond, R> mttf) {
  return save / interval + (interval / 2.0 + restart) / mttf;
}

template <class R>
Count<R> goodput(Quantity<kSecond, R> save, Quantity<kSecond, R> interval,
                 Quantity<kSecond, R> restart, Quantity<kSecond, R> mttf) {
  const auto one = Count<R>(R(1));
  const auto again = exp_minus_one(restart / mttf) + one;
  return named<term::kGoodput>(interval / (mttf * again * exp_minus_one((interval + save) / mttf)));
}

template <class R>
Reliability<R> reliability(const Model<R>& model, const TrainingJob<R>& run,
                           const Layout<R>& layout, const Assumptions<R>& assumptions,
                           Quantity<kParam, R> parameters) {
  Reliability<R> result;
  const auto hour = constant<kSecond / kHour, R>(3600);
  result.mttf = named<term::kJobMttf>(assumptions.chip_mttf * hour / as<kOne>(run.chips));
  result.failures_per_day = named<term::kFailuresPerDay>(constant<kSecond, R>(86400) / result.mttf);
  result.save_bytes = named<term::kSaveBytes>(
      (bytes_of<R, kByte / kParam>(run.weight_format) + optimizer_bytes(model, layout, true)) *
      parameters);
  result.save_time =
      named<term::kSaveTime>(result.save_bytes / (run.chips * assumptions.storage_bandwidth));
  result.interval = save_interval(result.save_time, result.mttf);
  result.goodput =
      goodput(result.save_time, result.interval, assumptions.restart_time, result.mttf);
  return result;
}

template Quantity<kSecond, SCALING_REP> save_interval(Quantity<kSecond, SCALING_REP>,
                                                      Quantity<kSecond, SCALING_REP>);
template Count<SCALING_REP> save_waste(Quantity<kSecond, SCALING_REP>,
                                       Quantity<kSecond, SCALING_REP>,
                                       Quantity<kSecond, SCALING_REP>,
                                       Quantity<kSecond, SCALING_REP>);
template Count<SCALING_REP> goodput(Quantity<kSecond, SCALING_REP>, Quantity<kSecond, SCALING_REP>,
                                    Quantity<kSecond, SCALING_REP>, Quantity<kSecond, SCALING_REP>);
template Reliability<SCALING_REP> reliability(const Model<SCALING_REP>&,
                                              const TrainingJob<SCALING_REP>&,
                                              const Layout<SCALING_REP>&,
                                              const Assumptions<SCALING_REP>&,
                                              Quantity<kParam, SCALING_REP>);

}  // namespace scaling
