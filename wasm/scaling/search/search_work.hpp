// SPDX-License-Identifier: MIT
#pragma once

namespace scaling {

// Times of parts of a search, as shares of the time that a layout takes to cost: measured on the
// machines of tests/core/layout_search_test.cpp.
inline constexpr double kWorkOfDegrees = 1.0 / 16;   // to see whether degrees fit model and chips
inline constexpr double kWorkOfTry = 1.0 / 128;      // one of Placements::tries()
inline constexpr double kWorkOfDivisor = 1.0 / 256;  // to see whether one number divides another
inline constexpr double kWorkOfStages = 1;           // to make the stages that micro-batches share
inline constexpr double kWorkOfTransfers = 4;        // to price a placement's transfers
inline constexpr double kWorkOfStates = 1;           // to price the transfers of its states
inline constexpr double kWorkOfMemory = 1.0 / 4;     // to see what a micro-batch needs at least
inline constexpr double kWorkOfKernels = 8;          // to price a micro-batch's
inline constexpr double kWorkOfQuick = 1.0 / 8;      // to see that a micro-batch is hopeless
inline constexpr double kWorkOfFloor = 1.0 / 2;      // to see how long a micro-batch takes at least
inline constexpr double kWorkOfBytes = 1.0 / 8;      // to add up what a layout needs
inline constexpr double kWorkOfChoice = 4;           // to choose what to compute again

}  // namespace scaling
