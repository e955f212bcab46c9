// SPDX-License-Identifier: MIT
//
// Time, energy and utilisation of whole training runs, as their reports have them.

#include "golden.hpp"

namespace scaling::test::golden_runs_test {
namespace {

double time_of_parameters(const Given& in) { return number<term::kTrainingTime>(train(in)); }

/// The energy of a chip-hour, in any run.
double energy_of(const Given& in, double chip_hours) {
  const auto answers = train(in);
  return chip_hours * number<term::kEnergy>(answers) / number<term::kChipHours>(answers);
}

double energy(const Given& in) { return energy_of(in, in("chipHours")); }

/// Emissions [kg], scaled from another run with the same power and the same source of it.
double emissions(const Given& in) {
  return in("otherEmissions") * energy(in) / energy_of(in, in("otherChipHours"));
}

double time_of_chip_hours(const Given& in) {
  const auto answers = train(in);
  return in("chipHours") * number<term::kTrainingTime>(answers) / number<term::kChipHours>(answers);
}

double fp8_training_time(const Given& in) {
  const auto run =
      with(run_of(in), {{"computeFormat", Format::kFp8}, {"flopsRule", FlopsRule::kExact}});
  return number<term::kTrainingTime>(training(chip_of(in), model_of(in), run));
}

ENGINEERING_GOLDEN("nanogpt-days", time_of_parameters)
ENGINEERING_GOLDEN("sheet-llama-3-70b-days", training_time)
ENGINEERING_GOLDEN("utilisation-llama-3.1-405b", utilisation)
ENGINEERING_GOLDEN("utilisation-llama-3.1-70b", utilisation)
ENGINEERING_GOLDEN("utilisation-llama-3.1-8b", utilisation)
ENGINEERING_GOLDEN("utilisation-llama-2-70b", utilisation)
ENGINEERING_GOLDEN("utilisation-llama-2-7b", utilisation)
ENGINEERING_GOLDEN("energy-llama-3.1-70b", energy)
ENGINEERING_GOLDEN("energy-llama-2-70b", energy)
ENGINEERING_GOLDEN("emissions-llama-3.1-70b", emissions)
ENGINEERING_GOLDEN("emissions-llama-3.1-8b", emissions)
ENGINEERING_GOLDEN("emissions-llama-2-7b", emissions)
ENGINEERING_GOLDEN("deepseek-v3-days", time_of_chip_hours)
ENGINEERING_GOLDEN("deepseek-v3-hours", fp8_training_time)

}  // namespace
}  // namespace scaling::test::golden_runs_test
