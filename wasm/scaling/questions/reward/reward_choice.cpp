// SPDX-License-Identifier: MIT
#include "scaling/questions/reward/reward_choice.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <optional>

#include "scaling/hardware/nodes.hpp"
#include "scaling/model/kernels/parts.hpp"
#include "scaling/quantity/divisors.hpp"
#include "scaling/search/layout_search.hpp"
#include "scaling/serving/kv_cache.hpp"
#include "scaling/serving/server_layout.hpp"

namespace scaling {
namespace {

/// Tensor ways of a replica are powers of two, on up to so many chips.
constexpr double kMostTensor = 64;

/// Splits that take at most so much longer are as good.
constexpr double kFlat = 1.05;

/// The training of some of the chips, chosen once for all splits that leave it as many.
struct ChosenTraining {
  double generation_chips;
  Raw<Layout> layout;
  bool fits;
  TrainingSide<double> side;
};

RewardChoice with_generation(double generation, const Pools<double>& pools) {
  RewardChoice choice{};
  choice.generation_chips = generation;
  choice.training_chips = pools.apart() ? pools.chips.value() - generation : pools.chips.value();
  choice.tensor = 1;
  choice.layout = Raw<Layout>::defaults();
  auto& layout = choice.layout;
  layout["microBatch"] = 1;
  layout["recompute"] = static_cast<double>(Recompute::kFull);
  layout["fp8Matmuls"] = pools.fp8_training ? 1 : 0;
  const auto pin = [&](const char* key, const Maybe<Count<double>>& given) {
    if (given.present()) layout[key] = given.value.value();
  };
  pin("tensor", pools.tensor);
  pin("context", pools.context);
  pin("pipeline", pools.pipeline);
  pin("expert", pools.expert);
  return choice;
}

void put_ways(const Layout<double>& chosen, Raw<Layout>& layout) {
  layout["tensor"] = chosen.tensor.value();
  layout["context"] = chosen.context.value();
  layout["pipeline"] = chosen.pipeline.value();
  layout["expert"] = chosen.expert.value();
  layout["sharding"] = static_cast<double>(chosen.sharding);
}

/// The fastest layout that fits; none where none does.
std::optional<Layout<double>> fastest(const SearchInput<double>& in) {
  // One for all, as it is large.
  alignas(LayoutSearch) static unsigned char place[sizeof(LayoutSearch)];
  auto* const search = new (place) LayoutSearch(in, MapField::kTensor, MapField::kPipeline);
  search->find_best();
  if (search->chosen().empty()) return std::nullopt;
  return search->chosen()[0].layout;
}

/// The layout that divides the states the most, of those that fit together.
Layout<double> most_divided(const SearchInput<double>& in) {
  SearchInput<double> tried = in;
  auto& layout = tried.layout;
  layout.sharding = StateSharding::kParameters;
  if (!in.search.tensor) return layout;
  for (int tensor = 8; tensor > 1; tensor /= 2) {
    layout.tensor = Count<double>(static_cast<double>(tensor));
    if (fits_together(tried)) return layout;
  }
  layout.tensor = Count<double>(1);
  return layout;
}

class RewardSearch {
 public:
  explicit RewardSearch(const RewardGroups<double>& in) : in_(in) {}

  struct Tried {
    RewardChoice choice;
    double seconds;
  };

  /// A step with so many chips that generate.
  Tried at(double generation) {
    const auto& training = training_at(generation);
    RewardChoice choice = with_generation(generation, in_.pools);
    choice.layout = training.layout;
    choice.trains = training.fits;
    const bool stay = !in_.pools.apart() && !in_.pools.states_leave;
    const auto states = stay ? training.side.states : Quantity<kByte, double>{};
    double least = -1;
    RewardChoice best = choice;
    Generation<double> side{};
    const auto consider = [&](double tensor) {
      choice.tensor = tensor;
      const auto replica = replica_of(in_, in_.chip, in_.model, choice, states);
      const ServingInput<double> serving(replica);
      if (!in_.pools.generation_tensor.present() && tensor_fault(serving, tensor)) return;
      const auto now = generation_of(in_, serving);
      choice.generates = now.holds;
      const double seconds = now.time.time.value();
      const bool better = least < 0 || now.holds > best.generates ||
                          (now.holds == best.generates && seconds < least);
      if (!better) return;
      least = seconds;
      best = choice;
      side = now;
    };
    if (in_.pools.generation_tensor.present()) {
      consider(in_.pools.generation_tensor.value.value());
    } else {
      const double heads = in_.model.heads.value();
      const double most = std::fmin(std::fmin(kMostTensor, heads), generation);
      for (int power = 1; power <= static_cast<int>(most); power *= 2) {
        const double tensor = power;
        if (divides(tensor, generation)) consider(tensor);
      }
    }
    const RewardTime<double> time{side.time.time, training.side.time(),
                                  hand_over_time(in_, best, in_.model),
                                  in_.reward.reward_time + in_.pools.fixed_time};
    return {best, time.step(in_.pools, in_.reward).value()};
  }

 private:
  const ChosenTraining& training_at(double generation) {
    for (std::size_t i = 0; i < size_; ++i) {
      if (trained_[i].generation_chips == generation) return trained_[i];
    }
    auto& training = trained_[size_ < trained_.size() - 1 ? size_++ : size_];
    training.generation_chips = generation;
    auto choice = with_generation(generation, in_.pools);
    auto search = training_search(in_, generation);
    const double limit = memory_limit(in_.chip, search.assumptions).value();
    // What other models hold beside the policy is known once there is a layout.
    for (int round = 0; round < 3; ++round) {
      const auto found = fastest(search);
      put_ways(found.has_value() ? *found : most_divided(search), choice.layout);
      training.layout = choice.layout;
      auto input = training_of(in_, choice);
      const CompiledModel<double> kernels(input.model);
      training.side = training_side(in_, input, input);
      training.fits = training.side.fitted.value() <= limit;
      if (training.fits || !found.has_value()) break;
      const double own = training.side.own.value() / training.side.fitted.value();
      const double reserve = 1 - own * (1 - search.assumptions.memory_reserve.value());
      if (round > 0 && !(reserve > search.assumptions.memory_reserve.value())) break;
      search.assumptions.memory_reserve = Count<double>(reserve);
    }
    return training;
  }

  const RewardGroups<double>& in_;
  std::array<ChosenTraining, 12> trained_;
  std::size_t size_ = 0;
};

/// Sides that fit their chips.
int works(const RewardChoice& choice) { return int{choice.generates} + int{choice.trains}; }

}  // namespace

SearchInput<double> training_search(const RewardGroups<double>& in, double generation_chips) {
  auto search = training_of(in, with_generation(generation_chips, in.pools));
  auto& space = search.search;
  space.tensor = !in.pools.tensor.present();
  space.context = !in.pools.context.present();
  space.pipeline = !in.pools.pipeline.present();
  space.expert = !in.pools.expert.present() && in.model.sparse();
  space.sharding = true;
  space.virtual_stages = space.schedule = space.expert_tensor = false;
  space.micro_batch = space.recompute = false;
  return search;
}

bool can_split(const RewardGroups<double>& in, double generation_chips) {
  const auto& tensor = in.pools.generation_tensor;
  if (tensor.present() && !divides(tensor.value.value(), generation_chips)) return false;
  const auto search = training_search(in, generation_chips);
  Issues issues;
  check_machine(search, issues);
  if (issues.empty()) check_ways(search, issues);
  return issues.empty();
}

TriedSplits tried_splits(const RewardGroups<double>& in) {
  const double chips = in.pools.chips.value();
  // Parts of nodes, where whole ones would leave few splits.
  double unit = node_chips(in.chip).value();
  while (unit > 1 && (!divides(unit, chips) || chips / unit < 8)) unit = std::floor(unit / 2);
  unit = std::fmax(unit, 1);
  TriedSplits splits{{}, 0};
  double last = 0;
  for (int eighth = 1; eighth < 8; ++eighth) {
    const double part = unit * std::floor(chips / unit * eighth / 8 + 0.5);
    if (!(part > last) || part >= chips) continue;
    splits.chips[splits.size++] = part;
    last = part;
  }
  return splits;
}

double usual_split(const Pools<double>& pools) {
  if (!pools.apart()) return pools.chips.value();
  if (pools.generation_chips.present()) return pools.generation_chips.value.value();
  return std::floor(pools.chips.value() / 2);
}

RewardPlan choose_reward(const RewardGroups<double>& given) {
  RewardPlan plan{};
  RewardGroups<double> in = given;
  // Kernels are compiled once for all that is tried.
  const CompiledModel<double> kernels(in.model);
  const auto& pools = given.pools;
  const double chips = pools.chips.value();

  in.pools.sharing = PoolSharing::kTurns;
  if (can_split(in, chips)) {
    const auto tried = RewardSearch(in).at(chips);
    if (works(tried.choice) == 2) plan.in_turns = tried.seconds;
    if (!pools.apart()) plan.choice = tried.choice;
  }

  in.pools.sharing = PoolSharing::kApart;
  if (!pools.apart()) in.pools.behind = Count<double>(1);
  RewardSearch search(in);
  const auto& splits = plan.tried = tried_splits(in);
  auto& seconds = plan.took;
  std::optional<RewardSearch::Tried> best;
  for (std::size_t i = 0; i < splits.size; ++i) {
    if (!can_split(in, splits.chips[i])) continue;
    const auto tried = search.at(splits.chips[i]);
    if (works(tried.choice) == 2) seconds[i] = tried.seconds;
    const bool better =
        !best.has_value() || works(tried.choice) > works(best->choice) ||
        (works(tried.choice) == works(best->choice) && tried.seconds < best->seconds);
    if (better) best = tried;
  }
  if (best.has_value() && works(best->choice) == 2) {
    plan.split = {best->choice.generation_chips, best->choice.generation_chips,
                  best->choice.generation_chips, best->seconds};
    for (std::size_t i = 0; i < splits.size; ++i) {
      if (!(seconds[i] > 0) || seconds[i] > kFlat * best->seconds) continue;
      plan.split.low = std::fmin(plan.split.low, splits.chips[i]);
      plan.split.high = std::fmax(plan.split.high, splits.chips[i]);
    }
  }
  if (pools.apart()) {
    const bool found = best.has_value() && !pools.generation_chips.present();
    plan.choice = found ? best->choice : search.at(usual_split(pools)).choice;
  }
  return plan;
}

}  // namespace scaling
