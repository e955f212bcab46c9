// SPDX-License-Identifier: MIT
#include "scaling/search/serving_frontier.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scaling/hardware/chip_hour.hpp"
#include "scaling/quantity/divisors.hpp"
#include "scaling/search/serving_division.hpp"

namespace scaling {
namespace {

constexpr int kFrontierSequences = 4096;

/// The fewest stages up to `most` at which a group holds `each` sequences; 0: none.
double fewest_stages(const ServingInput<double>& in, const WeightBytes<double>& weights,
                     ServerWays<double> ways, double each, double most) {
  for (int stage = 1; stage <= static_cast<int>(most); ++stage) {
    const double stages = stage;
    ways.pipeline = Count<double>(stages);
    if (cache_room(in, weights, ways).sequences.value() / stages >= each) return stages;
  }
  return 0;
}

}  // namespace

ServingFrontier::ServingFrontier(const ServingInput<double>& in) {
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
  const double joined = joined_chips(in.chip);
  const double answer = serving.answer.value();
  const double most_experts = in.model.sparse() ? in.model.experts.value() : 1;
  const Divisors tensor_ways(in.model.heads.value(), joined);
  const auto cycle_time = [&](double each) {
    return serving_cycle(asked, weights, Count<double>(each)).time.value();
  };
  const auto price = chip_hour(in.chip, in.serving.pue);
  const double million = price.present() ? price.value.value() * (1e6 / 3600)
                                         : std::numeric_limits<double>::quiet_NaN();
  // From the largest batches on, which take the most of a chip.
  for (int halved = kFrontierSequences; halved >= 1; halved /= 2) {
    const double each = halved;
    if (each > in.server.most_sequences.value()) continue;
    for (const double tensor : tensor_ways.items()) {
      const bool can_split = tensor > heads_of_cache(in.model).value();
      for (const bool by_batch : {false, true}) {
        if (by_batch && !can_split) continue;
        server.divide_by_batch = by_batch;
        serving.tensor = Count<double>(tensor);
        serving.attention_data = Count<double>(1);
        serving.expert = Count<double>(1);
        serving.pipeline = Count<double>(1);
        memo.depth = StepMemo::Depth::kRanks;
        const double least = cycle_time(each);
        memo.depth = StepMemo::Depth::kAll;
        if (is_beaten(least / answer, each * answer / (least * tensor))) continue;
        const double most_data =
            in.model.sparse() ? std::floor(std::fmin(joined / tensor, kFrontierSequences / each))
                              : 1;
        for (int way = 1; way <= static_cast<int>(most_data); ++way) {
          const double data = way;
          serving.attention_data = Count<double>(data);
          const double beside = tensor * data;
          serving.expert = Count<double>(1);
          const double most_stages =
              std::floor(std::fmin(std::fmin(kMostServerStages, in.model.layers.value()),
                                   std::fmin(joined / beside, kFrontierSequences / (each * data))));
          const double stages =
              fewest_stages(asked, weights, server_ways(serving), each, most_stages);
          if (stages < 1) continue;
          serving.pipeline = Count<double>(stages);
          memo.depth = StepMemo::Depth::kTransfers;
          const double without = cycle_time(each);
          memo.depth = StepMemo::Depth::kAll;
          const Divisors expert_ways(in.model.sparse() ? beside : 1, most_experts);
          for (const double expert : expert_ways.items()) {
            ++grid_;
            if (is_beaten(without / answer, each * answer / (without * tensor))) continue;
            serving.expert = Count<double>(expert);
            const double time = cycle_time(each);
            ++evaluated_;
            const double chips = beside * stages;
            const double batch = each * data * stages;
            const double speed = batch * answer / time / chips;
            add({time / answer, speed, batch, chips, tensor, data, expert, stages,
                 million / speed});
          }
        }
      }
    }
  }
}

bool ServingFrontier::is_beaten(double token, double speed) const {
  for (std::size_t i = 0; i < size_ && points_[i].token <= token; ++i) {
    if (points_[i].speed >= speed) return true;
  }
  return false;
}

void ServingFrontier::add(const ServingPoint& point) {
  if (is_beaten(point.token, point.speed)) return;
  // Drops the points that it beats.
  std::size_t kept = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    if (point.token <= points_[i].token && point.speed >= points_[i].speed) continue;
    points_[kept++] = points_[i];
  }
  size_ = kept;
  if (size_ == kMost) return;
  std::size_t place = size_;
  while (place > 0 && points_[place - 1].token > point.token) {
    points_[place] = points_[place - 1];
    --place;
  }
  points_[place] = point;
  ++size_;
}

}  // namespace scaling
