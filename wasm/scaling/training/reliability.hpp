// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/assumptions.hpp"
#include "scaling/training/step_memory.hpp"

namespace scaling {

namespace term {

inline constexpr Term kJobMttf{"jobMttf", "MTTF", kSecond, "definition"};
inline constexpr Term kFailuresPerDay{"failuresPerDay", "n_fail", kOne, "definition"};
inline constexpr Term kSaveBytes{"checkpointBytes", "V_save", kByte, "sc21"};
inline constexpr Term kSaveTime{"checkpointTime", "t_save", kSecond, "young-daly"};
inline constexpr Term kSaveInterval{"checkpointInterval", "t_interval", kSecond, "young-daly"};
inline constexpr Term kGoodput = Term{"goodput", "goodput", kOne, "young-daly"}.in_percent();

}  // namespace term

/// A long run among failures.
template <class R>
struct Reliability {
  Quantity<kSecond, R> mttf;  ///< until the first of all chips fails
  Count<R> failures_per_day;
  Quantity<kByte, R> save_bytes;
  Quantity<kSecond, R> save_time, interval;
  Count<R> goodput;  ///< share of the time that counts
};

/// Best interval between blocking saves of `save` seconds: sqrt(2 save mttf). Source: Young
/// 1974.
template <class R>
Quantity<kSecond, R> save_interval(Quantity<kSecond, R> save, Quantity<kSecond, R> mttf);

/// Share of time lost, to first order: save / interval + (interval / 2 + restart) / mttf.
/// Source: Young 1974.
template <class R>
Count<R> save_waste(Quantity<kSecond, R> save, Quantity<kSecond, R> interval,
                    Quantity<kSecond, R> restart, Quantity<kSecond, R> mttf);

/// Share of time that counts, for failures that come independently:
/// interval / (mttf e^(restart/mttf) (e^((interval + save)/mttf) - 1)). Source: Daly 2006.
template <class R>
Count<R> goodput(Quantity<kSecond, R> save, Quantity<kSecond, R> interval,
                 Quantity<kSecond, R> restart, Quantity<kSecond, R> mttf);

/// Failures of a run on `run.chips`, which fail independently, each after `chip_mttf` on average. A
/// save holds weights and optimizer states once.
template <class R>
Reliability<R> reliability(const Model<R>& model, const TrainingJob<R>& run,
                           const Layout<R>& layout, const Assumptions<R>& assumptions,
                           Quantity<kParam, R> parameters);

}  // namespace scaling
