// SPDX-License-Identifier: MIT
#include "scaling/questions/reward/reward_constants.hpp"

// Written by web/tools/efficiency.mjs from shared/efficiency.json, into the folder of the build.
#include <efficiency_table.hpp>

namespace scaling {
namespace {

constexpr RewardConstants make_reward_constants() {
  RewardConstants constants;
  set_reward_constants(constants);
  return constants;
}

}  // namespace

constinit const RewardConstants kRewardConstants = make_reward_constants();

}  // namespace scaling
