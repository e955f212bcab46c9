// SPDX-License-Identifier: MIT
#include "scaling/serving/serving_constants.hpp"

// Written by web/tools/efficiency.mjs from shared/efficiency.json, into the folder of the build.
#include <efficiency_table.hpp>

namespace scaling {
namespace {

constexpr ServingConstants make_serving_constants() {
  ServingConstants constants;
  set_serving_constants(constants);
  return constants;
}

}  // namespace

constinit const ServingConstants kServingConstants = make_serving_constants();

}  // namespace scaling
