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
                     double each, double most, CacheOfStages& cache) {
  auto servers = servers_of(in.serving, ServerRole::kAnswers);
  auto& ways = servers.ways;
  for (int stage = 1; stage <= static_cast<int>(most); ++stage) {
    const double stages = stage;
    ways.pipeline = Count<double>(stages);
    const auto room = cache_room(in, weights, servers, cache.of(in, ways));
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
  /// Must be called before other tensor ways.
  void clear_data() { by_data_ = {}; }
  /// Must be called before other tensor ways, or another division of the cache.
  void clear_tensor() { by_tensor_ = {}; }

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

/// Goes through the divisions, the largest batches first, and drops those that a point beats.
class ServingFrontier::Search {
 public:
  Search(ServingFrontier& found, const ServingInput<double>& in, double most_chips);
  void run();

 private:
  using Depth = StepMemo::Depth;

  ServingCycle<double> cycle_of(Depth depth) {
    asked_.memo->depth = depth;
    return serving_cycle(asked_, weights_, Count<double>(each_));
  }
  ServerWays<double> ways() const { return answering_ways(serving_); }
  /// The least time of a request whose steps and cycles take no longer than so: it takes its prompt
  /// and its further steps, and no less than a cycle but one step.
  double whole_of(CycleTimes times) const {
    return kUnderBound *
           std::fmax(prompt_ + further_ * times.step, times.cycle * further_ / steps_);
  }
  bool has_no_chance(double whole) const {
    return found_.is_beaten(whole / answer_, each_ * answer_ / (whole * tensor_));
  }
  CycleTimes with_experts(const ServingCycle<double>& ranks, double expert) {
    serving_.expert = Count<double>(expert);
    return bounds_.experts(ranks, ways());
  }
  void search_tensor(bool by_batch);
  std::optional<DataWays> with_data(const ServingCycle<double>& ranks, double data,
                                    CacheOfStages& cache);
  void search_experts(const ServingCycle<double>& ranks, const DataWays& data, bool by_batch);
  void add(const DataWays& data, double expert, bool by_batch);

  ServingFrontier& found_;
  CompiledModel<double> compiled_;
  const Model<double>& model_;
  Serving<double> serving_;  ///< with the division in hand
  Server<double> server_;
  ServingInput<double> asked_;
  WeightBytes<double> weights_;
  Bounds bounds_;
  double joined_, answer_, most_experts_, million_;
  bool in_parts_;  ///< with stated rates, nothing is known before all ways are
  // Of the batch and the tensor ways in hand.
  double each_ = 0, tensor_ = 0, steps_ = 0, further_ = 0, prompt_ = 0;
  CycleTimes least_{0, 0};
};

ServingFrontier::Search::Search(ServingFrontier& found, const ServingInput<double>& in,
                                double most_chips)
    : found_(found),
      compiled_(in.model),
      model_(in.model),
      serving_(in.serving),
      server_(in.server),
      asked_(AskedServing{in.chip, in.model, serving_, server_}, in.constants),
      bounds_(asked_),
      joined_(std::fmin(most_chips, joined_chips(in.chip))),
      answer_(serving_.answer.value()),
      most_experts_(in.model.sparse() ? held_experts(in).value() : 1),
      in_parts_(asked_.measured()) {
  serving_.load = ServingLoad::kClosed;
  serving_.apart = false;
  serving_.pipeline = Count<double>(1);
  auto& memo = search_memo();
  memo.clear();
  memo.depth = Depth::kAll;
  asked_.memo = &memo;
  weights_ = weight_bytes(asked_);
  const auto price = chip_hour(in.chip, in.serving.pue);
  million_ = price.present() ? price.value.value() * (1e6 / 3600)
                             : std::numeric_limits<double>::quiet_NaN();
}

void ServingFrontier::Search::run() {
  const double most_tensor = std::fmin(model_.heads.value(), joined_);
  std::array<bool, static_cast<std::size_t>(kMostServerChips)> divides{};
  for (int divided = 1; divided <= static_cast<int>(most_tensor); ++divided) {
    divides[static_cast<std::size_t>(divided) - 1] = !tensor_fault(asked_, divided);
  }
  // The largest batches come first: they take the most of a chip.
  for (int halved = kFrontierSequences; halved >= 1; halved /= 2) {
    each_ = halved;
    if (each_ > server_.most_sequences.value()) continue;
    bounds_.clear();
    for (int divided = 1; divided <= static_cast<int>(most_tensor); ++divided) {
      tensor_ = divided;
      if (!divides[static_cast<std::size_t>(divided) - 1]) continue;
      bounds_.clear_data();
      search_tensor(false);
      if (tensor_ > heads_of_cache(model_).value()) search_tensor(true);
    }
  }
}

/// Looks at the tensor ways in hand with all others.
void ServingFrontier::Search::search_tensor(bool by_batch) {
  server_.divide_by_batch = by_batch;
  serving_.tensor = Count<double>(tensor_);
  serving_.attention_data = Count<double>(1);
  serving_.expert = Count<double>(1);
  serving_.pipeline = Count<double>(1);
  bounds_.clear_tensor();
  const auto ranks = cycle_of(Depth::kRanks);
  steps_ = ranks.steps.value();
  further_ = std::fmax(steps_ - 1, 0);
  // With stated rates, data ways also divide what a rank reads: nothing is known before them.
  prompt_ = in_parts_ ? prefill_time(asked_, weights_, ways(), 1).value() : 0;
  least_ = in_parts_ ? times_of(ranks) : CycleTimes{0, 0};
  if (has_no_chance(whole_of(least_))) return;
  CacheOfStages cache;
  const double most =
      model_.sparse() ? std::floor(std::fmin(joined_ / tensor_, kFrontierSequences / each_)) : 1;
  std::array<DataWays, static_cast<std::size_t>(kMostServerChips)> left;
  std::size_t count = 0;
  for (int data = 1; data <= static_cast<int>(most); ++data) {
    const auto found = with_data(ranks, data, cache);
    if (found.has_value()) left[count++] = *found;
  }
  // The soonest first: it gives the most tokens a second, too, and beats most of the others.
  std::sort(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(count));
  for (const DataWays& data : std::span(left).first(count)) {
    if (has_no_chance(data.whole)) break;
    search_experts(ranks, data, by_batch);
  }
}

/// The fewest stages of servers with these data ways, and the least that they take; none if they
/// hold no such batch, or have no chance.
std::optional<DataWays> ServingFrontier::Search::with_data(const ServingCycle<double>& ranks,
                                                           double data, CacheOfStages& cache) {
  serving_.attention_data = Count<double>(data);
  const double beside = tensor_ * data;
  const double most =
      std::floor(std::fmin(std::fmin(kMostServerStages, model_.layers.value()),
                           std::fmin(joined_ / beside, kFrontierSequences / (each_ * data))));
  if (stages_of_server(asked_.chip, beside, 1, most) < 1) return {};
  ++found_.grid_;
  // Transfers first: most ranks of attention share what they take.
  serving_.pipeline = Count<double>(1);
  auto without = least_ + bounds_.transfers(ranks, ways());
  if (has_no_chance(whole_of(without))) return {};
  const auto experts = with_experts(ranks, 0);
  if (has_no_chance(whole_of(without + experts))) return {};
  double stages = fewest_stages(asked_, weights_, each_, most, cache);
  if (stages < 1) return {};
  stages = stages_of_server(asked_.chip, beside, stages, most);
  if (stages < 1) return {};
  serving_.pipeline = Count<double>(stages);
  without = in_parts_ ? least_ + bounds_.transfers(ranks, ways()) : times_of(cycle_of(Depth::kAll));
  const double whole = whole_of(without + experts);
  if (has_no_chance(whole)) return {};
  return DataWays{data, stages, without, whole};
}

void ServingFrontier::Search::search_experts(const ServingCycle<double>& ranks,
                                             const DataWays& data, bool by_batch) {
  serving_.attention_data = Count<double>(data.data);
  serving_.pipeline = Count<double>(data.stages);
  // With stated rates, expert ways change nothing.
  const Divisors expert_ways(model_.sparse() && in_parts_ ? tensor_ * data.data : 1, most_experts_);
  for (const double expert : expert_ways.items()) {
    serving_.expert = Count<double>(expert);
    if (expert_fault(asked_, ways())) continue;
    ++found_.grid_;
    if (has_no_chance(whole_of(data.without + with_experts(ranks, expert)))) continue;
    ++found_.evaluated_;
    if (has_no_chance(whole_of(times_of(cycle_of(Depth::kAll))))) continue;
    add(data, expert, by_batch);
  }
}

/// Adds the question's own answers of the division in hand, for as many users as its batches hold.
void ServingFrontier::Search::add(const DataWays& data, double expert, bool by_batch) {
  const double chips = tensor_ * data.data * data.stages;
  LoadChoice choice;
  choice.fits = true;
  choice.groups = data.data * data.stages;
  choice.wanted = choice.most = choice.batch = each_;
  serving_.users = Count<double>(each_ * choice.groups);
  const auto served = serve(asked_, weights_, choice);
  const double first = std::fmax(served.first.value(), served.first_floor.value());
  const double token = std::fmax(served.token.value(), served.token_floor.value());
  const double speed = served.speed.value() / chips;
  found_.add({(first + (answer_ - 1) * token) / answer_, speed, serving_.users.value(), chips,
              tensor_, data.data, expert, data.stages, by_batch, million_ / speed});
}

ServingFrontier::ServingFrontier(const ServingInput<double>& in, double most_chips) {
  Search(*this, in, most_chips).run();
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
