// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "scaling/hardware/transfer.hpp"
#include "scaling/quantity/memo.hpp"
#include "scaling/serving/forward.hpp"

namespace scaling {

/// Remembers the parts of steps of one input, whose ways a search changes: most ways share what
/// they do by themselves. Gives the very bits that `step_parts` gives. A place is overwritten by
/// the next part that falls on it.
class StepMemo {
 public:
  /// Forgets all; before another chip, model, load or software.
  void clear();

  /// The parts of steps; without some of them, steps never take longer.
  enum class Depth : std::uint8_t {
    kRanks,  ///< the work of a rank of attention by itself
    kAll,    ///< and transfers and experts
  };
  Depth depth = Depth::kAll;

  StepParts<double> step(const ServingInput<double>& in, const WeightBytes<double>& weights,
                         const ServerWays<double>& ways, const StepTokens<double>& tokens);

  FloorNumbers<double> floor_numbers(const Model<double>& model);

  /// ln of a number of chips.
  double logarithm_of(double chips);

  /// The places of a way of so many chips; `make` finds those that are not there.
  template <class Make>
  const Reach<double>& reach(double chips, double stride, Make make) {
    return reaches_.find({chips, stride}, make);
  }

  /// The exchange of tokens with `expert` ways of `tensor` chips each; `make` prices one that is
  /// not there.
  template <class Make>
  const Transfer<double>& exchange(double expert, double tensor, bool prompts, Make make) {
    return expert_exchanges_.find({expert, tensor, prompts ? 1.0 : 0.0}, make);
  }

 private:
  StepParts<double> serial(const ServingInput<double>& in, const WeightBytes<double>& weights,
                           const ServerWays<double>& ways, const StepTokens<double>& tokens);

  std::optional<FloorNumbers<double>> floor_numbers_;
  std::array<double, 257> logarithms_{};  ///< of whole numbers; 0: not computed
  using Time = Quantity<kSecond, double>;
  Memo<std::array<double, 8>, StepParts<double>, 1024> ranks_;
  Memo<std::array<double, 7>, Time, 1024> attention_;
  Memo<std::array<double, 7>, Time, 4096> networks_;
  Memo<std::array<double, 5>, Time, 4096> exchanges_;
  Memo<std::array<double, 4>, Time, 16384> experts_;
  Memo<std::array<double, 2>, Reach<double>, 2048> reaches_;
  Memo<std::array<double, 3>, Transfer<double>, 2048> expert_exchanges_;
};

}  // namespace scaling
