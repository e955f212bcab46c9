// SPDX-License-Identifier: MIT
#include "scaling/search/serving_frontier.hpp"

#include <algorithm>

namespace scaling {
namespace {

constexpr int kFrontierChips = 256;
constexpr int kFrontierSequences = 4096;

}  // namespace

ServingFrontier::ServingFrontier(const ServingInput<double>& in) {
  Serving<double> serving = in.serving;
  serving.load = ServingLoad::kClosed;
  serving.apart = false;
  serving.pipeline = Count<double>(1);
  struct Asked {
    const Chip<double>& chip;
    const Model<double>& model;
    const Serving<double>& serving;
    const Server<double>& server;
  };
  const ServingInput<double> asked(Asked{in.chip, in.model, serving, in.server}, in.constants);
  const auto weights = weight_bytes(asked);
  const bool sparse = in.model.sparse();
  // More chips than the network joins are no server.
  const double joined = in.chip.network == Network::kNone && !in.chip.host_bandwidth.present()
                            ? 1
                            : std::min<double>(kFrontierChips, in.chip.network == Network::kTorus
                                                                   ? in.chip.domain_chips().value()
                                                                   : kFrontierChips);
  const double heads = in.model.heads.value();
  for (int doubling = 1; doubling <= kFrontierChips; doubling *= 2) {
    const double chips = doubling;
    if (chips > joined) break;
    serving.chips = Quantity<kChip, double>(chips);
    for (int ways_doubling = 1; ways_doubling <= doubling; ways_doubling *= 2) {
      const double tensor = ways_doubling;
      if (tensor > heads) break;
      const double data = chips / tensor;
      // Without experts, data ways are servers of their own.
      if (data > 1 && !sparse) continue;
      serving.tensor = Count<double>(tensor);
      serving.attention_data = Count<double>(data);
      for (const bool spread : {false, true}) {
        if (spread && (!sparse || chips <= 1)) continue;
        if (spread && chips > in.model.experts.value()) continue;
        serving.expert = Count<double>(spread ? chips : 1);
        const auto ways = server_ways(serving);
        const double most = cache_room(asked, weights, ways).sequences.value();
        for (int sequences = 1; sequences <= kFrontierSequences; sequences *= 2) {
          const double batch = sequences;
          const double each = batch / data;
          if (each < 1 || each > most || each > in.server.most_sequences.value()) continue;
          const auto cycle = serving_cycle(asked, weights, Count<double>(each));
          ++evaluated_;
          const double answer = serving.answer.value();
          add({cycle.time.value() / answer, batch * answer / cycle.time.value() / chips, batch,
               chips, tensor, data, serving.expert.value()});
        }
      }
    }
  }
}

void ServingFrontier::add(const ServingPoint& point) {
  for (std::size_t i = 0; i < size_; ++i) {
    if (points_[i].token <= point.token && points_[i].speed >= point.speed) return;
  }
  // What it beats goes.
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
