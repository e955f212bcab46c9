// SPDX-License-Identifier: MIT
//
// Where a layout's ways lie on a network, and what their collectives cost there.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "plans.hpp"

namespace scaling::test {
namespace {

using Lengths = std::array<double, 3>;
using enum CollectiveKind;

constexpr double kLink = 9e10;  // of v5p, one way

double product(const Lengths& lengths) { return lengths[0] * lengths[1] * lengths[2]; }

Lengths sorted(Lengths lengths) {
  std::sort(lengths.begin(), lengths.end());
  return lengths;
}

// --- slices ---

TEST_CASE("the shape of a slice of v5p: axes of whole cubes, as even as can be") {
  const auto chip = typed(tpu_v5p());
  CHECK(slice_shape(chip, 64) == Lengths{4, 4, 4});
  CHECK(slice_shape(chip, 512) == Lengths{8, 8, 8});
  CHECK(sorted(slice_shape(chip, 1024)) == Lengths{8, 8, 16});
  CHECK(slice_shape(chip, 8960) == Lengths{16, 20, 28});
  // 16 x 4 closes both axes, 8 x 8 as well and is more even; 4 x 4 x 4 closes all.
  CHECK(sorted(slice_shape(chip, 16)) == Lengths{1, 4, 4});
  CHECK(sorted(slice_shape(chip, 8)) == Lengths{1, 1, 8});
  CHECK(slice_shape(chip, 1) == Lengths{1, 1, 1});
  // 36 = 4 x 9: one axis that closes, and one that does not.
  CHECK(sorted(slice_shape(chip, 36)) == Lengths{1, 4, 9});
}

TEST_CASE("a prime is a line along one axis, or no slice at all") {
  const auto chip = typed(tpu_v5p());
  CHECK(sorted(slice_shape(chip, 7)) == Lengths{1, 1, 7});
  CHECK(slice_shape(chip, 23) == Lengths{1, 1, 23});  // of 16 x 20 x 28, only one is so long
  CHECK(slice_shape(chip, 29) == Lengths{0, 0, 0});
  CHECK(slice_shape(chip, 8961) == Lengths{0, 0, 0});
  CHECK(slice_shape(chip, 16 * 29) == Lengths{0, 0, 0});
}

TEST_CASE("the shape of a slice of v5e: only full axes close") {
  const auto chip = typed(tpu_v5e());
  CHECK(slice_shape(chip, 256) == Lengths{16, 16, 1});
  CHECK(sorted(slice_shape(chip, 128)) == Lengths{1, 8, 16});
  // 4 x 16 closes one of its axes, 8 x 8 none.
  CHECK(sorted(slice_shape(chip, 64)) == Lengths{1, 4, 16});
  CHECK(slice_shape(chip, 17) == Lengths{0, 0, 0});
}

TEST_CASE("every slice has as many chips as are asked for, within the pod") {
  const auto chip = typed(tpu_v5p());
  for (double chips = 1; chips <= 9000; ++chips) {
    const auto shape = slice_shape(chip, chips);
    if (shape[0] == 0) continue;
    CAPTURE(chips);
    CHECK(product(shape) == chips);
    CHECK(shape[0] <= 16);
    CHECK(shape[1] <= 20);
    CHECK(shape[2] <= 28);
  }
}

// --- collectives on a torus ---

double per_byte(const Raw<Chip>& chip, const Way& way, CollectiveKind kind) {
  return make_transfer(typed(chip), way, kind).per_byte.value();
}

TEST_CASE("collectives over axes that close and axes that do not") {
  // A ring of 4 gathers at 4 / 2 links, a line of 2 at 2 / 1: both at once.
  const Way way{.chips = 8, .lengths = {4, 2, 1}, .rings = {true, false, false}};
  const auto close = [](double x) { return WithinRel(x, 1e-14); };
  CHECK_THAT(per_byte(tpu_v5p(), way, kAllGather), close(1 / (4 * kLink)));
  CHECK_THAT(per_byte(tpu_v5p(), way, kAllReduce), close(2 / (4 * kLink)));
  // 2 + 1 hops of 1 us.
  CHECK_THAT(make_transfer(typed(tpu_v5p()), way, kAllGather).latency.value(), close(3e-6));
  CHECK_THAT(make_transfer(typed(tpu_v5p()), way, kAllReduce).latency.value(), close(6e-6));
  // Of an AllToAll the ring's middles carry an eighth each of half of the array, the line's a
  // quarter of a quarter.
  CHECK_THAT(per_byte(tpu_v5p(), way, kAllToAll), close(1 / (16 * kLink)));
}

TEST_CASE("ways that lie between each other share the links") {
  // Four chips, every other one of eight: 2 hops of 2 links, which two such rings share.
  const Way apart{
      .chips = 4, .lengths = {4, 1, 1}, .strides = {2, 1, 1}, .rings = {true, false, false}};
  CHECK_THAT(per_byte(tpu_v5p(), apart, kAllGather), WithinRel(1 / kLink, 1e-14));
  const Way beside{.chips = 4, .lengths = {4, 1, 1}, .rings = {true, false, false}};
  CHECK_THAT(per_byte(tpu_v5p(), beside, kAllGather), WithinRel(1 / (2 * kLink), 1e-14));
  // To a neighbour two links away, all that both ways send.
  CHECK_THAT(per_byte(tpu_v5p(), apart, kPointToPoint), WithinRel(2 / kLink, 1e-14));
  CHECK_THAT(per_byte(tpu_v5p(), beside, kPointToPoint), WithinRel(1 / kLink, 1e-14));
  CHECK_THAT(make_transfer(typed(tpu_v5p()), apart, kPointToPoint).latency.value(),
             WithinRel(2e-6, 1e-14));
}

TEST_CASE("of one chip, nothing moves") {
  for (const auto kind : {kAllGather, kReduceScatter, kAllReduce, kAllToAll, kPointToPoint}) {
    for (const auto& chip : {tpu_v5p(), h100()}) {
      const auto transfer = make_transfer(typed(chip), Way{}, kind);
      CHECK(transfer.per_byte.value() == 0);
      CHECK(transfer.latency.value() == 0);
    }
  }
  CHECK(make_expert_swap(typed(h100()), Way{}, count_of(8), count_of(0)).per_byte.value() == 0);
}

TEST_CASE("a transfer takes its bytes' time at the rate that is reached, but its hops at least") {
  const Transfer<double> transfer{Quantity<kSecond / kByte, double>(1e-9),
                                  Quantity<kSecond, double>(1e-3)};
  const auto time = [&](double bytes, double efficiency) {
    return transfer.time(Quantity<kByte, double>(bytes), count_of(efficiency)).value();
  };
  CHECK(time(1e9, 1) == 1);
  CHECK(time(1e9, 0.5) == 2);
  CHECK(time(1, 0.5) == 1e-3);
}

// --- levels of switches ---

TEST_CASE("how many of a way's chips lie in one domain") {
  CHECK(ways_inside(8, 1, 8) == 8);
  CHECK(ways_inside(4, 1, 8) == 4);
  CHECK(ways_inside(16, 1, 8) == 8);
  CHECK(ways_inside(4, 2, 8) == 4);
  CHECK(ways_inside(8, 4, 8) == 2);
  CHECK(ways_inside(8, 8, 8) == 1);
  CHECK(ways_inside(8, 16, 8) == 1);
  // 3 and 12 do not fill domains of 8 evenly: as many as can lie alike in all of them.
  CHECK(ways_inside(3, 1, 8) == 1);
  CHECK(ways_inside(12, 1, 8) == 4);
  CHECK(ways_inside(6, 1, 72) == 6);
  CHECK(ways_inside(8, 3, 8) == 1);
}

/// Seconds for each byte at each level of H100s: 8 in a domain at 450 GB/s, 32 domains below a leaf
/// at 50 GB/s a chip, above them half of that.
struct Levels {
  double domain, leaf, spine;
};

Levels gather_levels(double ways, double stride) {
  const auto chip = typed(with(h100(), {{"oversubscription", 2}}));
  const auto levels = strided_levels(chip, count_of(ways), count_of(stride));
  const auto seconds = [](const Level<double>& level) {
    const double d = level.degree.value();
    return (d - 1) / d / (level.below.value() * level.bandwidth.value.value());
  };
  return {seconds(levels[0]), seconds(levels[1]), seconds(levels[2])};
}

TEST_CASE("levels that ways span on domains of 8, 32 of them below a leaf") {
  const auto is = [](double ways, double stride, const Levels& expected) {
    CAPTURE(ways);
    CAPTURE(stride);
    const auto found = gather_levels(ways, stride);
    CHECK_THAT(found.domain, WithinRel(expected.domain, 1e-14));
    CHECK_THAT(found.leaf, WithinRel(expected.leaf, 1e-14));
    CHECK_THAT(found.spine, WithinRel(expected.spine, 1e-14));
    const Way way{.chips = ways, .stride = stride};
    CHECK_THAT(per_byte(with(h100(), {{"oversubscription", 2}}), way, kAllGather),
               WithinRel(std::max({expected.domain, expected.leaf, expected.spine}), 1e-14));
  };
  constexpr double kUp = 4.5e11;
  constexpr double kOut = 5e10;
  is(8, 1, {7.0 / 8 / kUp, 0, 0});
  is(16, 1, {7.0 / 8 / kUp, 1.0 / 2 / (8 * kOut), 0});
  is(512, 1, {7.0 / 8 / kUp, 31.0 / 32 / (8 * kOut), 1.0 / 2 / (256 * kOut / 2)});
  is(8, 8, {0, 7.0 / 8 / kOut, 0});
  is(8, 4, {1.0 / 2 / kUp, 3.0 / 4 / (2 * kOut), 0});
  is(2, 256, {0, 0, 1.0 / 2 / (kOut / 2)});
  // Unevenly, over what is above.
  is(3, 1, {0, 0, 2.0 / 3 / (kOut / 2)});
  is(12, 1, {3.0 / 4 / kUp, 0, 2.0 / 3 / (4 * kOut / 2)});
}

// --- tokens on their way to experts ---

double swap(const Raw<Chip>& chip, const Way& way, double k, double nodes = 0) {
  return make_expert_swap(typed(chip), way, count_of(k), count_of(nodes)).per_byte.value();
}

TEST_CASE("expert swap in one node: each of a chip's tokens goes to k experts, 1 of n stays") {
  // A byte of all 8 chips: 1/8 on each, k copies, 7 of 8 leave.
  CHECK_THAT(swap(h100(), {.chips = 8}, 2), WithinRel(2 * 7.0 / 8 / 8 / 4.5e11, 1e-14));
  CHECK_THAT(swap(h100(), {.chips = 8}, 1), WithinRel(1 * 7.0 / 8 / 8 / 4.5e11, 1e-14));
}

TEST_CASE("expert swap over several nodes: a copy to each node, and from there to each expert") {
  // 64 chips in 8 nodes: 1/64 on each; 8 experts on 8 nodes, 7 of 8 are others.
  CHECK_THAT(swap(h100(), {.chips = 64}, 8), WithinRel(8 * 7.0 / 8 / 64 / 5e10, 1e-14));
  // DeepSeek-V3, 3.2.2: at most 4 nodes.
  CHECK_THAT(swap(h100(), {.chips = 64}, 8, 4), WithinRel(4 * 7.0 / 8 / 64 / 5e10, 1e-14));
  // A limit that does not bind.
  CHECK(swap(h100(), {.chips = 64}, 8, 8) == swap(h100(), {.chips = 64}, 8));
  CHECK(swap(h100(), {.chips = 64}, 4, 6) == swap(h100(), {.chips = 64}, 4));
  // Of two nodes a copy goes to each, whatever the number of experts.
  CHECK_THAT(swap(h100(), {.chips = 16}, 8), WithinRel(2 * 1.0 / 2 / 16 / 5e10, 1e-14));
}

TEST_CASE("expert swap over several nodes is bound by the nodes' own links if these are slower") {
  // 8 copies inside a node, 7 of 8 to other chips, at 450 GB/s; a copy to one node of 8 at 1 TB/s.
  const auto chip = with(h100(), {{"scaleOutBandwidth", 1e12}});
  CHECK_THAT(swap(chip, {.chips = 64}, 8, 1), WithinRel(8 * 7.0 / 8 / 64 / 4.5e11, 1e-14));
}

TEST_CASE("expert swap on a torus: each copy by itself") {
  // A ring of 4: a quarter on each, k copies, one hop on average, eight links one way each.
  const Way ring{.chips = 4, .lengths = {4, 1, 1}, .rings = {true, false, false}};
  CHECK_THAT(swap(tpu_v5p(), ring, 2), WithinRel(2.0 / 8 / kLink, 1e-14));
  CHECK_THAT(swap(tpu_v5p(), ring, 1), WithinRel(1.0 / 8 / kLink, 1e-14));
}

// --- where layouts lie ---

Layout<double> layout_with(const Settings& settings) { return typed(make<Layout>(settings)); }

TEST_CASE("on switches, ways lie one inside the other: tensor, context and data, pipeline") {
  const auto layout = layout_with({{"tensor", 4}, {"context", 2}, {"pipeline", 8}, {"expert", 16}});
  const Placements placements(typed(h100()), layout, 512, 2, true);
  REQUIRE(placements.items().size() == 1);
  const Placement& p = placements.items()[0];
  const auto is = [](const Way& way, double chips, double stride) {
    CHECK(way.chips == chips);
    CHECK(way.stride == stride);
  };
  is(p.tensor, 4, 1);
  is(p.context, 2, 4);
  is(p.shards, 16, 4);  // of data and context ways together
  is(p.replicas, 1, 64);
  is(p.pipeline, 8, 64);
  is(p.expert_tensor, 1, 1);
  is(p.expert, 16, 1);
  is(p.expert_shards, 4, 16);
  CHECK(p.slices == 2);
}

TEST_CASE("groups that share states lie inside, their copies outside") {
  const auto layout = layout_with({{"tensor", 4}, {"shardGroup", 2}});
  const Placements placements(typed(h100()), layout, 64, 1, false);
  const Placement& p = placements.items()[0];
  CHECK(p.shards.chips == 2);
  CHECK(p.shards.stride == 4);
  CHECK(p.replicas.chips == 8);
  CHECK(p.replicas.stride == 8);
}

/// What this test knows of a torus by itself: the seconds a byte takes.
struct Torus {
  Lengths shape;
  std::array<bool, 3> closed;

  double gather(const Lengths& lengths, const Lengths& strides) const {
    double rate = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double x = lengths[i];
      if (x <= 1) continue;
      const bool ring = closed[i] && x * strides[i] == shape[i];
      rate += kLink * x / ((ring ? std::floor(x / 2) : x - 1) * strides[i]);
    }
    return rate > 0 ? 1 / rate : 0;
  }

  double swap(const Lengths& lengths, const Lengths& strides) const {
    double longest = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double x = lengths[i];
      if (x <= 1) continue;
      const bool ring = closed[i] && x * strides[i] == shape[i];
      const double middle = std::floor(x * x / 4) / (x * x) / (ring ? 2 : 1);
      longest = std::max(longest, x / product(lengths) * middle * strides[i] / kLink);
    }
    return longest;
  }
};

template <class Use>
void for_each_split(double ways, const Lengths& room, Use use) {
  for (double x = 1; x <= room[0]; ++x) {
    for (double y = 1; y <= room[1]; ++y) {
      for (double z = 1; z <= room[2]; ++z) {
        const bool fits =
            std::fmod(room[0], x) == 0 && std::fmod(room[1], y) == 0 && std::fmod(room[2], z) == 0;
        if (fits && x * y * z == ways) use(Lengths{x, y, z});
      }
    }
  }
}

Lengths times(const Lengths& a, const Lengths& b) {
  return {a[0] * b[0], a[1] * b[1], a[2] * b[2]};
}

Lengths over(const Lengths& a, const Lengths& b) { return {a[0] / b[0], a[1] / b[1], a[2] / b[2]}; }

using Score = std::array<double, 4>;

/// All ways to lay out, by tensor, context, shards and experts (the best of these).
std::vector<Score> all_scores(const Torus& torus, const Layout<double>& layout) {
  const Lengths one{1, 1, 1};
  std::vector<Score> scores;
  for_each_split(layout.tensor.value(), torus.shape, [&](const Lengths& t) {
    const Lengths room = over(torus.shape, t);
    for_each_split(layout.context.value(), room, [&](const Lengths& c) {
      for_each_split(layout.pipeline.value(), over(room, c), [&](const Lengths& p) {
        const Lengths data = over(room, p);
        const Lengths inside = layout.expert_tensor.value() == layout.tensor.value() ? t : one;
        double experts = 1e300;
        for_each_split(layout.expert.value(), over(times(t, data), inside), [&](const Lengths& e) {
          experts = std::min(experts, torus.swap(e, inside));
        });
        scores.push_back(
            {torus.gather(t, one), torus.gather(c, t), torus.gather(data, t), experts});
      });
    });
  });
  return scores;
}

bool no_worse(const Score& a, const Score& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i] * (1 + 1e-12)) return false;
  }
  return true;
}

TEST_CASE("on a torus, the placements that are kept are those that no other beats in every way") {
  const auto chip = typed(tpu_v5p());
  const Settings layouts[] = {
      {{"tensor", 4}},
      {{"tensor", 2}, {"context", 2}},
      {{"tensor", 4}, {"context", 2}, {"pipeline", 2}},
      {{"tensor", 8}, {"pipeline", 4}},
      {{"tensor", 2}, {"pipeline", 3}},
      {{"tensor", 4}, {"expert", 8}},
      {{"tensor", 4}, {"expert", 8}, {"expertTensor", 4}},
      {{"tensor", 16}, {"context", 4}},
  };
  for (const double chips : {64, 48, 128, 96}) {
    const Lengths shape = slice_shape(chip, chips);
    Torus torus{shape, {}};
    for (std::size_t i = 0; i < 3; ++i) {
      torus.closed[i] = shape[i] > 1 && std::fmod(shape[i], 4) == 0;
    }
    for (const Settings& settings : layouts) {
      const auto layout = layout_with(settings);
      if (std::fmod(chips, layout.model_ways().value()) != 0) continue;
      const Placements placements(chip, layout, chips, 1, true);
      REQUIRE_FALSE(placements.items().empty());
      std::vector<Score> kept;
      for (const Placement& p : placements.items()) {
        // Lengths multiply to the slice's.
        CHECK(times(times(p.tensor.lengths, p.shards.lengths), p.pipeline.lengths) == shape);
        kept.push_back({torus.gather(p.tensor.lengths, p.tensor.strides),
                        torus.gather(p.context.lengths, p.context.strides),
                        torus.gather(p.shards.lengths, p.shards.strides),
                        torus.swap(p.expert.lengths, p.expert.strides)});
      }
      REQUIRE(kept.size() < kMostPlacements);
      CAPTURE(chips);
      CAPTURE(layout.tensor.value());
      for (const Score& score : all_scores(torus, layout)) {
        bool beaten = false;
        for (const Score& other : kept) {
          beaten = beaten || no_worse(other, score);
          CHECK((!no_worse(score, other) || no_worse(other, score)));
        }
        CHECK(beaten);
      }
    }
  }
}

TEST_CASE("a whole pod is one of the machines that layouts are placed on") {
  const auto layout = layout_with({{"tensor", 8}, {"pipeline", 4}});
  const Placements placements(typed(tpu_v5p()), layout, 8960, 1, false);
  REQUIRE_FALSE(placements.items().empty());
  for (const Placement& p : placements.items()) {
    CHECK(p.tensor.chips * p.shards.chips * p.pipeline.chips == 8960);
  }
}

TEST_CASE("a torus beyond any that is built leaves some placements untried, and takes no time") {
  // 735,134,400 chips, which have more divisors than any other number below 1e9.
  const auto chip = typed(with(tpu_v5p(), {{"torusX", 1e6}, {"torusY", 1e6}, {"torusZ", 1e6}}));
  const auto layout = layout_with({{"tensor", 5040}, {"context", 60}, {"pipeline", 143}});
  const Placements placements(chip, layout, 735134400, 1, false);
  REQUIRE_FALSE(placements.items().empty());
  for (const Placement& p : placements.items()) {
    CHECK(p.tensor.chips == 5040);
    CHECK(p.tensor.chips * p.shards.chips * p.pipeline.chips == 735134400);
  }
}

TEST_CASE("between slices, each chip's part goes around a ring of slices") {
  const auto transfers = [](double slices) {
    const auto layout = layout_with({});
    const Placements placements(typed(tpu_v5p()), layout, 64, slices, false);
    return make_transfers(typed(tpu_v5p()), typed(llama3_8b()), layout, placements.items()[0],
                          false)
        .slice_reduce;
  };
  CHECK(transfers(1).per_byte.value() == 0);
  CHECK_THAT(transfers(4).per_byte.value(), WithinRel(2 * 3.0 / 4 / 6.25e9, 1e-14));
  CHECK_THAT(transfers(4).latency.value(), WithinRel(6e-6, 1e-14));
}

TEST_CASE("sums in the switches send what they reduce once") {
  const auto reduce = [](bool in_network) {
    return make_transfer(typed(h100()), {.chips = 8}, kAllReduce, in_network).per_byte.value();
  };
  CHECK_THAT(reduce(false), WithinRel(2 * 7.0 / 8 / 4.5e11, 1e-14));
  CHECK_THAT(reduce(true), WithinRel(1 / 4.5e11, 1e-14));
}

}  // namespace
}  // namespace scaling::test
