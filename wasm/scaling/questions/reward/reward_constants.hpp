// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/quantity/constant.hpp"

namespace scaling {

/// The constants of training by reward, beside those of serving and of training; from
/// shared/efficiency.json, `reward`.
struct RewardConstants {
  Constant turn_rate{1};        ///< weights over the time to give chips to the other side [B/s]
  Constant start_resharded;     ///< time of a hand-over before the first byte [s]
  Constant start_packed;        ///< the same, of tensors that are packed [s]
  Constant share_resharded{1};  ///< bytes a second of each chip that gets weights, over its link's
  Constant share_packed{1};     ///< bytes a second of all weights, over the rate of one link
  Constant share_rdma{1};       ///< the same, read by the chips that generate
  Constant share_gathered{1};   ///< the same, through one chip
  Constant step_low{1}, step_high{1};  ///< measured over expected: 5 and 95 % stay above
};

extern const RewardConstants kRewardConstants;

}  // namespace scaling
