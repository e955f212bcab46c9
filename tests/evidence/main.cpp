// SPDX-License-Identifier: MIT
//
// evidence SHARED GOLDEN                     fits and cross-validates the constants of steps and
//                                            serving, renews what the page shows of it in SHARED
// evidence SHARED --predictions              renews only that
// evidence SHARED --fit OUT                  fits the constants of steps, and writes them to OUT
// evidence SHARED --rows FILE [OUT]          predicts published trainings, or serving
// evidence SHARED --serving GOLDEN           of serving alone
// evidence SHARED --tuning GOLDEN            of fine-tunings alone
// evidence SHARED --kernels FOLDER [OUT]     predicts measured kernels
// evidence SHARED --fit-kernels FOLDER [OUT] fits the constants of kernels
// evidence SHARED --sample-kernels FOLDER OUT samples them for the page

#include <cstdio>
#include <string>

#include "kernels.hpp"
#include "predictions.hpp"
#include "serving.hpp"
#include "serving_evidence.hpp"
#include "training.hpp"
#include "tuning_evidence.hpp"

int main(int argc, char** argv) {
  using namespace scaling::evidence;
  if (argc < 3) {
    std::fprintf(stderr, "evidence SHARED GOLDEN | --rows FILE | --kernels FOLDER [OUT]\n");
    return 2;
  }
  const std::string shared = argv[1];
  const std::string what = argv[2];
  const std::string from = argc > 3 ? argv[3] : "";
  const std::string out = argc > 4 ? argv[4] : "";
  if (what == "--rows" && holds_tuning_rows(from)) return predict_tuning_rows(shared, from);
  if (what == "--rows") {
    return holds_serving_rows(from) ? predict_serving_rows(shared, from, out)
                                    : predict_rows(shared, from, out);
  }
  if (what == "--fit") return fit_steps(shared, from);
  if (what == "--serving") return serving_evidence(shared, from);
  if (what == "--tuning") return tuning_evidence(shared, from);
  if (what == "--kernels") return kernel_evidence(shared, from, out);
  if (what == "--fit-kernels") return fit_kernels(shared, from, out);
  if (what == "--predictions") return write_predictions(shared);
  if (what == "--sample-kernels") return sample_kernels(shared, from, out);
  int code = training_evidence(shared, what);
  if (code == 0) code = tuning_evidence(shared, what);
  return code == 0 ? serving_evidence(shared, what) : code;
}
