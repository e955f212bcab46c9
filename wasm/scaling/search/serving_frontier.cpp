// SPDX-License-Identifier: MIT
#include "scaling/search/serving_frontier.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>

#include "scaling/hardware/chip_hour.hpp"
#include "scaling/hardware/nodes.hpp"
#include "scaling/model/kernels/parts.hpp"
#include "scaling/quantity/divisors.hpp"
#include "scaling/serving/server_layout.hpp"
#include "scaling/serving/transfers.hpp"

namespace scaling {
namespace {

constexpr int kFrontierSequences = 4096;

/// A bound may be as much above the truth by rounding.
constexpr double kUnderBound = 1 - 1e-9;

/// The cache of a chip for each number of stages, the same whatever divides attention by sequences:
/// computed when it is first asked for.
class CacheOfStages {
 public:
  const KvBytes<double>& of(const ServingInput<double>& in, const ServerWays<double>& ways) {
    auto& place = kept_[static_cast<std::size_t>(ways.pipeline.value()) - 1];
    if (!place.has_value()) place = kv_of_chip(in, ways);
    return *place;
  }

 private:
  std::array<std::optional<KvBytes<double>>, static_cast<std::size_t>(kMostServerStages)> kept_;
};

/// The fewest stages up to `most` at which a group holds `each` sequences; 0: none.
double fewest_stages(const ServingInput<double>& in, const WeightBytes<double>& weights,
                     ServerWays<double> ways, double each, double most, CacheOfStages& cache) {
  for (int stage = 1; stage <= static_cast<int>(most); ++stage) {
    const double stages = stage;
    ways.pipeline = Count<double>(stages);
    const auto room = cache_room(in, weights, ways, cache.of(in, ways));
    if (room.sequences.value() / stages >= each) return stages;
  }
  return 0;
}

/// The fewest stages from `least` to `most` of `beside` chips each that leave none of a node idle;
/// 0: none.
double stages_of_server(const Chip<double>& chip, double beside, double least, double most) {
  for (int stage = static_cast<int>(least); stage <= static_cast<int>(most); ++stage) {
    if (is_server_size(chip, beside * stage)) return stage;
  }
  return 0;
}

/// The times of a step that decodes and of a cycle [s], or the least that they can be.
struct CycleTimes {
  double step, cycle;

  CycleTimes operator+(const CycleTimes& other) const {
    return {step + other.step, cycle + other.cycle};
  }
};

CycleTimes times_of(const ServingCycle<double>& cycle) {
  return {cycle.step.value(), cycle.time.value()};
}

/// The time that is added to steps and cycle if a step of some tokens takes `of(tokens)` longer.
template <class Of>
CycleTimes added(const ServingCycle<double>& cycle, Of of) {
  const double mixed = cycle.mixed_steps.value();
  const double alone = std::fmax(0, cycle.steps.value() - mixed);
  const double step = of(cycle.decode_tokens);
  return {step, alone * step + (mixed > 0 ? mixed * of(cycle.mixed_tokens) : 0)};
}

/// Bounds of what experts and transfers add to the cycles of servers whose ranks have `each`
/// sequences.
class Bounds {
 public:
  Bounds(const ServingInput<double>& in) : in_(in) {}

  /// Must be called before another number of sequences.
  void clear() { reached_ = {}; }
  /// Must be called before other tensor ways, or another division of the cache.
  void clear_tensor() {
    by_tensor_ = {};
    by_data_ = {};
  }

  /// A bound for `ways.expert` = 0 holds for any number of expert ways.
  CycleTimes experts(const ServingCycle<double>& cycle, const ServerWays<double>& ways) {
    return added(cycle, [&](const StepTokens<double>& tokens) {
      const bool mixed = tokens.prompts.value() > 0;
      const Count<double> all(std::fmax(1, tokens.all().value() * ways.data.value()));
      auto& reached = reached_[mixed ? 1 : 0][static_cast<std::size_t>(ways.data.value()) - 1];
      if (!(reached > 0)) {
        reached = reached_experts(in_.model.experts, in_.model.experts_per_token, all).value();
      }
      return experts_floor(in_, ways, all, Count<double>(reached)).value();
    });
  }

  /// A bound for any number of expert ways. The parts of several ways are computed once: among
  /// tensor ways, and among data ways.
  CycleTimes transfers(const ServingCycle<double>& cycle, const ServerWays<double>& ways) {
    if (!in_.measured()) return {0, 0};
    const double data = ways.data.value();
    auto& of_tensor = by_tensor_[data > 1 ? 1 : 0];
    if (!of_tensor.has_value()) {
      of_tensor = added(cycle, [&](const StepTokens<double>& tokens) {
        return in_.constants.collective * tensor_transfers(in_, ways, tokens).value();
      });
    }
    auto& of_data = by_data_[static_cast<std::size_t>(data) - 1];
    if (!of_data.has_value()) {
      of_data = added(
          cycle, [&](const StepTokens<double>& tokens) { return least_of_data(ways, tokens); });
    }
    const double stages = ways.pipeline.value();
    const double hops = stages > 1 ? stages * in_.constants.stage_hop : 0;
    return *of_tensor + *of_data + added(cycle, [&](const auto&) { return hops; });
  }

 private:
  /// The least that tokens take to their experts and back, whatever the expert ways. On switches no
  /// division is faster than a gather by all ranks, or an exchange among all: tensor ways of an
  /// expert gather what comes to them besides. An exchange may hide where halves take turns.
  double least_of_data(ServerWays<double> ways, const StepTokens<double>& tokens) const {
    if (ways.data.value() <= 1 || !in_.model.sparse()) return 0;
    const double all = (ways.tensor * ways.data).value();
    double least = std::numeric_limits<double>::infinity();
    const auto consider = [&](double expert) {
      ways.expert = Count<double>(expert);
      double time = in_.constants.collective * gather_transfers(in_, ways, tokens).value();
      if (!in_.server.two_batches) time += exchange_transfers(in_, ways, tokens).value();
      least = std::fmin(least, time);
    };
    if (in_.chip.network != Network::kTorus) {
      consider(1);
      consider(all);
    } else {
      const Divisors expert_ways(all, all);
      for (const double expert : expert_ways.items()) consider(expert);
    }
    return least;
  }

  static constexpr auto kWays = static_cast<std::size_t>(kMostServerChips);

  const ServingInput<double>& in_;
  /// Experts that the tokens of a step reach, without prompts and with them, by data ways.
  std::array<std::array<double, kWays>, 2> reached_{};
  std::array<std::optional<CycleTimes>, kWays> by_data_{};
  std::array<std::optional<CycleTimes>, 2> by_tensor_{};  ///< of one data way, and of several
};

/// Servers of some data ways, and the least that they take.
struct DataWays {
  double data, stages;
  CycleTimes without;  ///< experts
  double whole;        ///< of a request, with the least of experts [s]

  bool operator<(const DataWays& other) const {
    return whole != other.whole ? whole < other.whole : data < other.data;
  }
};

}  // namespace

ServingFrontier::ServingFrontier(const ServingInput<double>& in, double most_chips) {
  const CompiledModel<double> compiled(in.model);
  Serving<double> serving = in.serving;
  serving.load = ServingLoad::kClosed;
  serving.apart = false;
  serving.pipeline = Count<double>(1);
  Server<double> server = in.server;
  ServingInput<double> asked(AskedServing{in.chip, in.model, serving, server}, in.constants);
  auto& memo = search_memo();
  memo.clear();
  memo.depth = StepMemo::Depth::kAll;
  asked.memo = &memo;
  const auto weights = weight_bytes(asked);
  const double joined = std::fmin(most_chips, joined_chips(in.chip));
  const double answer = serving.answer.value();
  const double most_experts = in.model.sparse() ? held_experts(in).value() : 1;
  const double most_tensor = std::fmin(in.model.heads.value(), joined);
  const auto cycle_of = [&](double each, StepMemo::Depth depth) {
    memo.depth = depth;
    return serving_cycle(asked, weights, Count<double>(each));
  };
  Bounds bounds(asked);
  const bool in_parts = asked.measured();
  const auto price = chip_hour(in.chip, in.serving.pue);
  const double million = price.present() ? price.value.value() * (1e6 / 3600)
                                         : std::numeric_limits<double>::quiet_NaN();
  std::array<DataWays, static_cast<std::size_t>(kMostServerChips)> left;
  // The largest batches come first: they take the most of a chip.
  for (int halved = kFrontierSequences; halved >= 1; halved /= 2) {
    const double each = halved;
    if (each > in.server.most_sequences.value()) continue;
    bounds.clear();
    for (int divided = 1; divided <= static_cast<int>(most_tensor); ++divided) {
      const double tensor = divided;
      if (tensor_fault(asked, tensor)) continue;
      const bool can_split = tensor > heads_of_cache(in.model).value();
      for (const bool by_batch : {false, true}) {
        if (by_batch && !can_split) continue;
        server.divide_by_batch = by_batch;
        serving.tensor = Count<double>(tensor);
        serving.attention_data = Count<double>(1);
        serving.expert = Count<double>(1);
        serving.pipeline = Count<double>(1);
        bounds.clear_tensor();
        const auto ranks = cycle_of(each, StepMemo::Depth::kRanks);
        const double steps = ranks.steps.value();
        const double further = std::fmax(steps - 1, 0);
        // With stated rates, data ways also divide what a rank reads: nothing is known before them.
        const double prompt =
            in_parts ? prefill_time(asked, weights, server_ways(serving), 1).value() : 0;
        // The least time of a request whose steps and cycles take no longer than so: it takes its
        // prompt and its further steps, and no less than a cycle but one step.
        const auto whole_of = [&](CycleTimes times) {
          return kUnderBound *
                 std::fmax(prompt + further * times.step, times.cycle * further / steps);
        };
        const auto has_no_chance = [&](double whole) {
          return is_beaten(whole / answer, each * answer / (whole * tensor));
        };
        const auto least = in_parts ? times_of(ranks) : CycleTimes{0, 0};
        if (has_no_chance(whole_of(least))) continue;
        CacheOfStages cache;
        const double most_data =
            in.model.sparse() ? std::floor(std::fmin(joined / tensor, kFrontierSequences / each))
                              : 1;
        const auto with_experts = [&](double expert) {
          serving.expert = Count<double>(expert);
          return bounds.experts(ranks, server_ways(serving));
        };
        std::size_t count = 0;
        for (int way = 1; way <= static_cast<int>(most_data); ++way) {
          const double data = way;
          serving.attention_data = Count<double>(data);
          const double beside = tensor * data;
          const double most_stages =
              std::floor(std::fmin(std::fmin(kMostServerStages, in.model.layers.value()),
                                   std::fmin(joined / beside, kFrontierSequences / (each * data))));
          if (stages_of_server(in.chip, beside, 1, most_stages) < 1) continue;
          ++grid_;
          // Transfers first: most ranks of attention share what they take.
          serving.pipeline = Count<double>(1);
          auto without = least + bounds.transfers(ranks, server_ways(serving));
          if (has_no_chance(whole_of(without))) continue;
          const auto experts = with_experts(0);
          if (has_no_chance(whole_of(without + experts))) continue;
          double stages =
              fewest_stages(asked, weights, server_ways(serving), each, most_stages, cache);
          if (stages < 1) continue;
          stages = stages_of_server(in.chip, beside, stages, most_stages);
          if (stages < 1) continue;
          serving.pipeline = Count<double>(stages);
          without = in_parts ? least + bounds.transfers(ranks, server_ways(serving))
                             : times_of(cycle_of(each, StepMemo::Depth::kAll));
          const double whole = whole_of(without + experts);
          if (!has_no_chance(whole)) left[count++] = {data, stages, without, whole};
        }
        // The soonest first: it gives the most tokens a second, too, and beats most of the others.
        std::sort(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(count));
        for (const DataWays& ways : std::span(left).first(count)) {
          if (has_no_chance(ways.whole)) break;
          serving.attention_data = Count<double>(ways.data);
          serving.pipeline = Count<double>(ways.stages);
          const double beside = tensor * ways.data;
          // With stated rates, expert ways change nothing.
          const Divisors expert_ways(in.model.sparse() && in_parts ? beside : 1, most_experts);
          for (const double expert : expert_ways.items()) {
            serving.expert = Count<double>(expert);
            if (expert_fault(asked, server_ways(serving))) continue;
            ++grid_;
            if (has_no_chance(whole_of(ways.without + with_experts(expert)))) continue;
            ++evaluated_;
            if (has_no_chance(whole_of(times_of(cycle_of(each, StepMemo::Depth::kAll))))) continue;
            // These are the question's own answers for as many users.
            const double chips = beside * ways.stages;
            LoadChoice choice;
            choice.fits = true;
            choice.groups = ways.data * ways.stages;
            choice.wanted = choice.most = choice.batch = each;
            serving.users = Count<double>(each * choice.groups);
            const auto served = serve(asked, weights, choice);
            const double first = std::fmax(served.first.value(), served.first_floor.value());
            const double token = std::fmax(served.token.value(), served.token_floor.value());
            const double speed = served.speed.value() / chips;
            add({(first + (answer - 1) * token) / answer, speed, serving.users.value(), chips,
                 tensor, ways.data, expert, ways.stages, by_batch, million / speed});
          }
        }
      }
    }
  }
}

bool ServingFrontier::is_beaten(double token, double speed) const {
  // Each is slower than the one before, and faster in all: the last one that is soon enough counts.
  const auto found = points();
  const auto later =
      std::upper_bound(found.begin(), found.end(), token,
                       [](double time, const ServingPoint& point) { return time < point.token; });
  return later != found.begin() && std::prev(later)->speed >= speed;
}

void ServingFrontier::add(const ServingPoint& point) {
  // A chip may lack the rate that a kernel computes at.
  if (!std::isfinite(point.token) || !std::isfinite(point.speed)) return;
  for (ServingPoint& other : points_) {
    if (point.is_twin_before(other)) {
      other = point;
      return;
    }
  }
  if (is_beaten(point.token, point.speed)) return;
  std::erase_if(points_, [&](const ServingPoint& other) {
    return point.token <= other.token && point.speed >= other.speed;
  });
  const auto later =
      std::upper_bound(points_.begin(), points_.end(), point.token,
                       [](double time, const ServingPoint& other) { return time < other.token; });
  points_.insert(later, point);
}

}  // namespace scaling
