// SPDX-License-Identifier: MIT
//
// Shared by the tests of serving: servers of presets, and what it takes to play them.
#pragma once

#include <cmath>
#include <map>
#include <random>
#include <string>

#include "presets.hpp"
#include "scaling/questions/serving/question.hpp"
#include "scaling/serving/cycle.hpp"

namespace scaling::test {

inline const std::map<std::string, Raw<Chip>>& chips() {
  static const auto presets = chip_presets();
  return presets;
}
inline const std::map<std::string, Raw<Model>>& models() {
  static const auto presets = model_presets();
  return presets;
}

inline ServingQuestion::Input serve(const char* chip, const char* model, const Settings& serving,
                                    const Settings& server = {}) {
  return {chips().at(chip), models().at(model), make<Serving>(serving), make<Server>(server)};
}

/// Log-normal lengths of a mean and a deviation over it, drawn by Box and Muller; or those of a
/// list.
class DrawnLengths {
 public:
  DrawnLengths(double mean, double spread, unsigned seed)
      : numbers_(seed),
        sigma_(std::sqrt(std::log1p(spread * spread))),
        shift_(std::log(mean) - sigma_ * sigma_ / 2) {}
  DrawnLengths(const LengthList& list, double mean, double spread, unsigned seed)
      : DrawnLengths(mean, spread, seed) {
    list_ = list;
    over_ = list.empty() ? 1 : mean / list.mean;
  }

  double draw() {
    if (!list_.empty()) {
      double left = uniform();
      std::size_t i = 0;
      while (i + 1 < list_.size && left > list_.items[i].share) left -= list_.items[i++].share;
      const auto& bin = list_.items[i];
      return over_ * (bin.from + (bin.to - bin.from) * uniform());
    }
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return std::exp(shift_ + sigma_ * radius * std::cos(2 * std::acos(-1.0) * uniform()));
  }

 private:
  double uniform() { return (static_cast<double>(numbers_() >> 11) + 0.5) * 0x1p-53; }

  std::mt19937_64 numbers_;
  double sigma_, shift_, over_ = 1;
  LengthList list_{};
};

/// The input of serving, for the core's own functions.
struct AskedServer {
  explicit AskedServer(const ServingQuestion::Input& input)
      : read(ServingQuestion::read<double>(input)),
        kernels(read.model),
        in(read),
        weights(weight_bytes(in)) {}

  CacheRoom<double> room() const {
    return cache_room(in, weights, servers_of(in.serving, ServerRole::kAnswers));
  }
  double prefill() const {
    return prefill_time(in, weights, servers_of(in.serving, ServerRole::kPrefills).ways, 1).value();
  }
  ServingCycle<double> cycle(double batch) const {
    return serving_cycle(in, weights, Count<double>(batch));
  }

  ServingQuestion::Typed<double> read;
  CompiledModel<double> kernels;
  ServingInput<double> in;
  WeightBytes<double> weights;
};

}  // namespace scaling::test
