// SPDX-License-Identifier: MIT
//
// The placement of a layout's ways on a network, and the cost of their collectives there.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "plans.hpp"

namespace scaling::test::placement_test {
namespace {

using enum CollectiveKind;

constexpr double kLink = 9e10;  // a v5p link, one way

double product(const Lengths& lengths) { return lengths[0] * lengths[1] * lengths[2]; }

Lengths sorted(Lengths lengths) {
  std::sort(lengths.begin(), lengths.end());
  return lengths;
}

// --- slices ---

TEST_CASE("the shape of a slice of v5p: axes of whole cubes, as even as can be") {
  const auto pod = pod_of(typed(tpu_v5p()));
  CHECK(slice_shape(pod, 64) == Lengths{4, 4, 4});
  CHECK(slice_shape(pod, 512) == Lengths{8, 8, 8});
  CHECK(sorted(slice_shape(pod, 1024)) == Lengths{8, 8, 16});
  CHECK(slice_shape(pod, 8960) == Lengths{16, 20, 28});
  // Below a cube nothing closes (book ch. 2: 2x2x1, 2x2x2, 2x2x4). This held 1 x 4 x 4 and a line
  // of 8 for rings.
  CHECK(sorted(slice_shape(pod, 16)) == Lengths{2, 2, 4});
  CHECK(sorted(slice_shape(pod, 8)) == Lengths{2, 2, 2});
  CHECK(sorted(slice_shape(pod, 4)) == Lengths{1, 2, 2});
  CHECK(slice_shape(pod, 1) == Lengths{1, 1, 1});
  CHECK(sorted(slice_shape(pod, 36)) == Lengths{3, 3, 4});
}

TEST_CASE("a prime is a line along one axis, or no slice at all") {
  const auto pod = pod_of(typed(tpu_v5p()));
  CHECK(sorted(slice_shape(pod, 7)) == Lengths{1, 1, 7});
  CHECK(slice_shape(pod, 23) == Lengths{1, 1, 23});  // of 16 x 20 x 28, only one is so long
  CHECK(slice_shape(pod, 29) == Lengths{0, 0, 0});
  CHECK(slice_shape(pod, 8961) == Lengths{0, 0, 0});
  CHECK(slice_shape(pod, 16 * 29) == Lengths{0, 0, 0});
}

TEST_CASE("the shape of a slice of v5e: only full axes close") {
  const auto pod = pod_of(typed(tpu_v5e()));
  CHECK(slice_shape(pod, 256) == Lengths{16, 16, 1});
  CHECK(sorted(slice_shape(pod, 128)) == Lengths{1, 8, 16});
  // 4 x 16 closes one of its axes, 8 x 8 none.
  CHECK(sorted(slice_shape(pod, 64)) == Lengths{1, 4, 16});
  // A corner of 2 x 4 has two links, an end of a line one; of 4 x 4 as many as a chip of a ring.
  CHECK(sorted(slice_shape(pod, 8)) == Lengths{1, 2, 4});
  CHECK(sorted(slice_shape(pod, 16)) == Lengths{1, 4, 4});
  CHECK(slice_shape(pod, 17) == Lengths{0, 0, 0});
}

TEST_CASE("every slice has as many chips as are asked for, within the pod") {
  const auto pod = pod_of(typed(tpu_v5p()));
  for (double chips = 1; chips <= 9000; ++chips) {
    const auto shape = slice_shape(pod, chips);
    if (shape[0] == 0) continue;
    CAPTURE(chips);
    CHECK(product(shape) == chips);
    CHECK(shape[0] <= 16);
    CHECK(shape[1] <= 20);
    CHECK(shape[2] <= 28);
  }
}

/// Looks at every shape, in the order of their lengths.
Lengths shape_by_all(const Pod& pod, double chips) {
  Lengths best{};
  int most_links = -1;
  double least_sum = 0;
  for (double x = 1; x <= std::fmin(chips, pod.lengths[0]); ++x) {
    if (!divides(x, chips)) continue;
    for (double y = 1; y <= std::fmin(chips / x, pod.lengths[1]); ++y) {
      const Lengths shape{x, y, chips / x / y};
      if (!divides(y, chips / x) || shape[2] > pod.lengths[2]) continue;
      const auto closed = closed_axes(pod, shape, SingleChip::kShort);
      int links = 0;
      for (std::size_t i = 0; i < 3; ++i) links += shape[i] <= 1 ? 0 : closed[i] ? 2 : 1;
      const double sum = x + y + shape[2];
      if (links < most_links || (links == most_links && sum >= least_sum)) continue;
      best = shape;
      most_links = links;
      least_sum = sum;
    }
  }
  return best;
}

TEST_CASE("a slice has the shape that is best of all shapes") {
  const Lengths pods[] = {{16, 20, 28}, {16, 16, 1}, {1, 16, 16}, {28, 16, 20}, {5, 7, 3},
                          {1, 1, 64},   {2, 2, 2},   {4, 2, 8},   {12, 12, 12}, {1000, 36, 3}};
  for (const Wraparound wraparound :
       {Wraparound::kNever, Wraparound::kFullAxis, Wraparound::kCubes}) {
    for (const Lengths& lengths : pods) {
      const Pod pod{lengths, wraparound};
      for (double chips = 1; chips <= 1200; ++chips) {
        INFO(lengths[0] << " x " << lengths[1] << " x " << lengths[2] << ", wraparound "
                        << static_cast<int>(wraparound) << ": " << chips << " chips");
        REQUIRE(slice_shape(pod, chips) == shape_by_all(pod, chips));
      }
      const double all = product(lengths);
      for (const double part : {1.0, 2.0, 3.0, 4.0}) {
        if (divides(part, all)) {
          REQUIRE(slice_shape(pod, all / part) == shape_by_all(pod, all / part));
        }
      }
    }
  }
}

TEST_CASE("a slice of a torus that is larger than any is as even as can be") {
  for (const Wraparound wraparound :
       {Wraparound::kNever, Wraparound::kFullAxis, Wraparound::kCubes}) {
    // 735,134,400 has more divisors than any other number up to 1e9.
    const Lengths shape = slice_shape({{1e6, 1e6, 1e6}, wraparound}, 735134400);
    CHECK(product(shape) == 735134400);
    // 880 x 910 x 918, or 884 x 900 x 924 of whole cubes.
    CHECK(shape[0] + shape[1] + shape[2] == 2708);
  }
}

// --- collectives on a torus ---

double per_byte(const Raw<Chip>& chip, const Way& way, CollectiveKind kind) {
  return make_transfer(typed(chip), way, kind).per_byte.value();
}

TEST_CASE("collectives over axes that close and axes that do not") {
  // A chip has two links of the ring of 4 and one of the line of 2, over which it receives 7 of 8.
  const Way way{.chips = 8, .lengths = {4, 2, 1}, .rings = {true, false, false}};
  const auto close = [](double x) { return WithinRel(x, 1e-14); };
  CHECK_THAT(per_byte(tpu_v5p(), way, kAllGather), close(7.0 / 8 / (3 * kLink)));
  CHECK_THAT(per_byte(tpu_v5p(), way, kAllReduce), close(2 * 7.0 / 8 / (3 * kLink)));
  // 2 + 1 hops of 1 us.
  CHECK_THAT(make_transfer(typed(tpu_v5p()), way, kAllGather).latency.value(), close(3e-6));
  CHECK_THAT(make_transfer(typed(tpu_v5p()), way, kAllReduce).latency.value(), close(6e-6));
  // The middle links of the ring carry an eighth each of half of the array in an AllToAll, those of
  // the line a quarter of a quarter.
  CHECK_THAT(per_byte(tpu_v5p(), way, kAllToAll), close(1 / (16 * kLink)));
}

TEST_CASE("ways that lie between each other share the links") {
  // Four chips, every other one of eight: 2 hops of 2 links, which two such rings share.
  const Way apart{
      .chips = 4, .lengths = {4, 1, 1}, .strides = {2, 1, 1}, .rings = {true, false, false}};
  CHECK_THAT(per_byte(tpu_v5p(), apart, kAllGather), WithinRel(1 / kLink, 1e-14));
  const Way beside{.chips = 4, .lengths = {4, 1, 1}, .rings = {true, false, false}};
  CHECK_THAT(per_byte(tpu_v5p(), beside, kAllGather), WithinRel(1 / (2 * kLink), 1e-14));
  // A neighbour two links away receives all that both ways send.
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
  CHECK(make_expert_exchange(typed(h100()), Way{}, {count_of(8), count_of(0), true})
            .per_byte.value() == 0);
}

TEST_CASE("a transfer takes its bytes' time and its latency, at least the longer of both") {
  const Transfer<double> transfer{Quantity<kSecond / kByte, double>(1e-9),
                                  Quantity<kSecond, double>(1e-3)};
  const auto least = [&](double bytes) {
    return transfer.at_least(Quantity<kByte, double>(bytes)).value();
  };
  const auto expected = [&](double bytes, double efficiency) {
    return transfer.expected(Quantity<kByte, double>(bytes), count_of(efficiency)).value();
  };
  CHECK(least(1e9) == 1);
  CHECK(least(1) == 1e-3);
  CHECK_THAT(expected(1e9, 1), WithinRel(1 + 1e-3, 1e-15));
  CHECK_THAT(expected(1e9, 0.5), WithinRel(2 + 1e-3, 1e-15));
  CHECK_THAT(expected(1, 0.5), WithinRel(1e-3 + 2e-9, 1e-15));
}

// --- levels of switches ---

/// Chips of a way in the fullest and in the emptiest domain of `size`, in a layout of these nested
/// products.
std::array<double, 2> inside(double ways, double stride, double size,
                             std::vector<double> products = {}) {
  if (products.empty()) products = {stride, stride * ways};
  const auto chip = typed(with(h100(), {{"scaleUpChips", size}}));
  std::vector<Count<double>> nested;
  for (const double product : products) nested.push_back(count_of(product));
  const auto places =
      places_of(chip, count_of(ways), count_of(stride), SwitchUse<double>(chip, nested));
  return {places.domain.most.value(), places.domain.least.value()};
}

TEST_CASE("how many of a way's chips lie in one domain") {
  using Inside = std::array<double, 2>;
  CHECK(inside(8, 1, 8) == Inside{8, 8});
  CHECK(inside(4, 1, 8) == Inside{4, 4});
  CHECK(inside(16, 1, 8) == Inside{8, 8});
  CHECK(inside(4, 2, 8) == Inside{4, 4});
  CHECK(inside(8, 4, 8) == Inside{2, 2});
  CHECK(inside(8, 8, 8) == Inside{1, 1});
  CHECK(inside(8, 16, 8) == Inside{1, 1});
  CHECK(inside(6, 1, 72) == Inside{6, 6});
  // These held the greatest common divisor with the domain for all that lies inside: 1 of 3, 4 of
  // 12, 1 of 8 at stride 3, and of 72 chips 8 for 64 or 16 ways, 1 for 32 at stride 8. A domain
  // need not be full for a group to lie in it.
  CHECK(inside(3, 1, 8) == Inside{3, 3});
  CHECK(inside(12, 1, 8) == Inside{6, 6});
  CHECK(inside(8, 3, 8) == Inside{2, 2});
  CHECK(inside(64, 1, 72) == Inside{64, 64});
  CHECK(inside(16, 1, 72) == Inside{16, 16});
  CHECK(inside(32, 8, 72) == Inside{8, 8});
  // The split is as even as it can be: 11 are 6 and 5, 100 lie in 13 domains.
  CHECK(inside(11, 1, 8) == Inside{6, 5});
  CHECK(inside(100, 1, 8) == Inside{8, 7});
}

TEST_CASE("a layout's degrees agree on what of a domain they use") {
  using Inside = std::array<double, 2>;
  // 256 chips in racks of 72, tensor 8, experts 64: a block of 64 each.
  const std::vector<double> products{8, 64, 256};
  CHECK(inside(8, 1, 72, products) == Inside{8, 8});
  CHECK(inside(32, 8, 72, products) == Inside{8, 8});
  CHECK(inside(64, 1, 72, products) == Inside{64, 64});
  CHECK(inside(4, 64, 72, products) == Inside{1, 1});
  // Stages of 24 chips: 48 of 72 would do for 2, but 3 fit.
  CHECK(inside(4, 24, 72, {8, 24, 96}) == Inside{2, 2});
  CHECK(inside(6, 24, 72, {8, 24, 144}) == Inside{3, 3});
}

TEST_CASE("a layout's ways cost what the same collective costs by itself") {
  for (const double domain : {1.0, 3.0, 8.0, 72.0}) {
    const auto chip = with(h100(), {{"scaleUpChips", domain}, {"oversubscription", 2}});
    for (const double stride : {1.0, 2.0, 4.0, 8.0, 9.0, 64.0}) {
      for (const double ways : {2.0, 3.0, 8.0, 12.0, 16.0, 32.0, 64.0, 100.0, 256.0}) {
        CAPTURE(domain);
        CAPTURE(stride);
        CAPTURE(ways);
        const auto mesh = make<Mesh>({{"x", ways}, {"otherShards", stride}});
        for (const auto kind : {kAllGather, kReduceScatter, kAllReduce, kAllToAll}) {
          const auto answers =
              collective(chip, mesh, make<CollectiveRequest>({{"kind", kind}, {"bytes", stride}}));
          const auto transfer = make_transfer(typed(chip), {.chips = ways, .stride = stride}, kind);
          const double per_byte = number<term::kCollectiveBandwidthTime>(answers);
          if (stride == 1 || kind == kAllToAll) {
            CHECK_THAT(transfer.per_byte.value(), WithinRel(per_byte, 1e-13));
          } else {
            // The book's (D - 1) / D of all chips of a level, other shards among them, is more than
            // that of the ways alone.
            CHECK(transfer.per_byte.value() <= per_byte * (1 + 1e-13));
            CHECK(transfer.per_byte.value() >= per_byte / 2 * (1 - 1e-13));
          }
          CHECK_THAT(transfer.latency.value(),
                     WithinRel(number<term::kCollectiveLatencyTime>(answers), 1e-13));
        }
      }
    }
  }
}

/// Seconds for each byte at each level of H100s: 8 in a domain at 450 GB/s, 32 domains below a leaf
/// at 50 GB/s a chip, above them half of that.
struct Levels {
  double domain, leaf, spine;
};

Levels gather_levels(double ways, double stride) {
  const auto chip = typed(with(h100(), {{"oversubscription", 2}}));
  const Count<double> nested[] = {count_of(stride), count_of(stride * ways)};
  const auto places =
      places_of(chip, count_of(ways), count_of(stride), SwitchUse<double>(chip, nested));
  const auto levels = switch_levels(chip, count_of(ways), places);
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
  // Ways that do not fill domains lie in as few as hold them: 3 in one, 12 in two.
  is(3, 1, {2.0 / 3 / kUp, 0, 0});
  is(12, 1, {5.0 / 6 / kUp, 1.0 / 2 / (6 * kOut), 0});
  // 6 and 5 of 11: the five receive what six have.
  is(11, 1, {5.0 / 6 / kUp, 6.0 / 11 / (5 * kOut), 0});
}

// --- tokens on their way to experts ---

double swap(const Raw<Chip>& chip, const Way& way, double k, double nodes = 0) {
  return make_expert_exchange(typed(chip), way, {count_of(k), count_of(nodes), true})
             .per_byte.value() /
         way.chips;
}

/// The number of n places that k picks reach on average. Source: book ch. 12, footnote on
/// AllToAlls. (These tests had min(k, n), as if no two experts of a token lay on one chip or node.)
double distinct(double n, double k) { return n * (1 - std::pow(1 - 1 / n, k)); }

TEST_CASE("expert swap in one node: each of a chip's tokens goes to k experts, 1 of n stays") {
  // A byte of all 8 chips: 1/8 on each, a copy for each chip with one of k, 7 of 8 leave.
  CHECK_THAT(swap(h100(), {.chips = 8}, 2),
             WithinRel(distinct(8, 2) * 7.0 / 8 / 8 / 4.5e11, 1e-12));
  CHECK_THAT(swap(h100(), {.chips = 8}, 8),
             WithinRel(5.2511286735534664 * 7.0 / 8 / 8 / 4.5e11, 1e-6));
  CHECK_THAT(swap(h100(), {.chips = 8}, 1), WithinRel(1 * 7.0 / 8 / 8 / 4.5e11, 1e-14));
}

TEST_CASE("expert swap over several nodes: a copy to each node, and from there to each expert") {
  // 64 chips in 8 nodes: 1/64 on each; 8 experts on 5.25 of 8 nodes, 7 of 8 are others.
  CHECK_THAT(swap(h100(), {.chips = 64}, 8),
             WithinRel(distinct(8, 8) * 7.0 / 8 / 64 / 5e10, 1e-12));
  // DeepSeek-V3, 3.2.2: at most 4 nodes.
  CHECK_THAT(swap(h100(), {.chips = 64}, 8, 4),
             WithinRel(distinct(4, 8) * 7.0 / 8 / 64 / 5e10, 1e-12));
  // Experts fall on fewer nodes of six than of eight.
  CHECK(swap(h100(), {.chips = 64}, 8, 6) < swap(h100(), {.chips = 64}, 8));
  // A limit that does not bind.
  CHECK(swap(h100(), {.chips = 64}, 8, 8) == swap(h100(), {.chips = 64}, 8));
  // A copy goes to almost each of two nodes, whatever the number of experts.
  CHECK_THAT(swap(h100(), {.chips = 16}, 8),
             WithinRel(distinct(2, 8) * 1.0 / 2 / 16 / 5e10, 1e-12));
  // A copy that comes to every chip has 7 others to go to inside its own node.
  const auto fast = with(h100(), {{"scaleOutBandwidth", 1e12}});
  CHECK_THAT(swap(fast, {.chips = 16}, 4000), WithinRel(7.0 / 16 / 4.5e11, 1e-12));
}

TEST_CASE("expert swap over several nodes is bound by the nodes' own links if these are slower") {
  // Copies for each chip with one of 8 experts inside a node, an eighth of all, 7 of 8 to other
  // chips, at 450 GB/s; a copy to one node of 8 at 1 TB/s.
  const auto chip = with(h100(), {{"scaleOutBandwidth", 1e12}});
  CHECK_THAT(swap(chip, {.chips = 64}, 8, 1),
             WithinRel(distinct(64, 8) / 8 * 7.0 / 8 / 64 / 4.5e11, 1e-12));
}

TEST_CASE("expert swap on a torus: each copy by itself") {
  // A ring of 4: a quarter on each, copies for each chip with one of k, one hop on average, eight
  // links one way each.
  const Way ring{.chips = 4, .lengths = {4, 1, 1}, .rings = {true, false, false}};
  CHECK_THAT(swap(tpu_v5p(), ring, 2), WithinRel(distinct(4, 2) / 8 / kLink, 1e-12));
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
  is(p.shards, 16, 4);  // data and context ways together
  is(p.replicas, 1, 64);
  is(p.pipeline, 8, 64);
  is(p.expert_tensor, 1, 1);
  is(p.expert, 16, 1);
  is(p.expert_shards, 4, 16);
  CHECK(p.slices == 2);
  CHECK(p.domains.domains == 128);
  CHECK(p.domains.used == 8);
  CHECK(p.domains.idle == 0);
}

TEST_CASE("experts and tensor ways lie inside racks of 72, of which 64 are used") {
  const auto rack = typed(gb200_nvl72());
  const auto placed = [&](const Settings& settings, double chips, double slices = 1) {
    return Placements(rack, layout_with(settings), chips, slices, true).items()[0];
  };
  const auto experts = placed({{"expert", 64}, {"pipeline", 4}}, 256);
  CHECK(experts.expert.places.domain.most.value() == 64);
  CHECK(experts.domains.domains == 4);
  CHECK(experts.domains.used == 64);
  CHECK(experts.domains.idle == 32);
  // All over NVLink: in one step of 1 us, and at 900 GB/s a copy of a token for each chip that has
  // any of its 8 experts: of 64 chips, 64 (1 - (63 / 64)^8) on average.
  const double copies = 64 * (1 - std::pow(63.0 / 64, 8));
  const auto swap = make_expert_exchange(rack, experts.expert, {count_of(8), count_of(0), true});
  CHECK_THAT(swap.per_byte.value(), WithinRel(copies * 63.0 / 64 / 9e11, 1e-12));
  CHECK_THAT(swap.latency.value(), WithinRel(1e-6, 1e-14));

  const auto wide = placed({{"tensor", 16}}, 128);
  CHECK(wide.tensor.places.domain.most.value() == 16);
  CHECK(wide.shards.places.domain.most.value() == 4);
  CHECK(wide.domains.used == 64);

  const auto shards = placed({{"tensor", 8}}, 256, 2);
  CHECK(shards.shards.places.domain.most.value() == 8);
  CHECK(shards.domains.domains == 8);
  CHECK(shards.domains.idle == 64);
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

TEST_CASE("a slice's block is filled by its groups, on axes of the slice's shape") {
  const auto chip = typed(tpu_v5p());
  const Settings layouts[] = {
      {},
      {{"tensor", 4}},
      {{"tensor", 4}, {"context", 2}, {"pipeline", 2}},
      {{"tensor", 16}, {"context", 4}},
      {{"tensor", 4}, {"shardGroup", 2}},
      {{"tensor", 2}, {"context", 2}, {"shardGroup", 4}},
  };
  for (const double chips : {16, 64, 128, 512}) {
    for (const Settings& settings : layouts) {
      const auto layout = layout_with(settings);
      const double ways = (layout.tensor * layout.context * layout.pipeline).value();
      if (chips < ways) continue;
      const Placements placements(chip, layout, chips, 1, false);
      REQUIRE(!placements.items().empty());
      for (const Placement& placement : placements.items()) {
        const SliceBlock block = slice_block(chip, placement);
        CHECK(block.slice == slice_shape(pod_of(chip), chips));
        CHECK(product(block.tensor) == layout.tensor.value());
        CHECK(product(block.context) == layout.context.value());
        CHECK(product(block.pipeline) == layout.pipeline.value());
        CHECK(product(block.data) == chips / ways);
        // Whole cubes close, smaller slices do not (book ch. 2).
        CHECK(block.rings[0] == (chips >= 64));
        for (std::size_t i = 0; i < 3; ++i) {
          CHECK(block.data[i] == std::floor(block.data[i]));
          CHECK(block.tensor[i] * block.context[i] * block.data[i] * block.pipeline[i] ==
                block.slice[i]);
        }
      }
    }
  }
}

TEST_CASE("plans answer the block of a slice on a torus, and none on switches") {
  const auto on_torus = Planned{tpu_v5p()}.on({{"chips", 64}}).as({{"tensor", 4}}).answers();
  CHECK(number<term::kSliceAlongX>(on_torus) == 4);
  CHECK(number<term::kSliceAlongZ>(on_torus) == 4);
  CHECK(number<term::kTensorAlongX>(on_torus) * number<term::kTensorAlongY>(on_torus) *
            number<term::kTensorAlongZ>(on_torus) ==
        4);
  CHECK(number<term::kDataAlongX>(on_torus) * number<term::kDataAlongY>(on_torus) *
            number<term::kDataAlongZ>(on_torus) ==
        number<term::kDataWays>(on_torus));
  CHECK(static_cast<AxisShape>(number<term::kSliceShapeX>(on_torus)) == AxisShape::kRing);
  const auto on_switches = Planned{}.on({{"chips", 64}}).as({{"tensor", 4}}).answers();
  CHECK(absence<term::kSliceAlongX>(on_switches) == Absence::kNotApplicable);
  CHECK(absence<term::kSliceShapeX>(on_switches) == Absence::kNotApplicable);
}

/// The seconds of a byte on a torus, by this test's own count.
struct Torus {
  Lengths shape;
  std::array<bool, 3> closed;

  double gather(const Lengths& lengths, const Lengths& strides) const {
    double rate = 0;
    bool even_rings = true;
    for (std::size_t i = 0; i < 3; ++i) {
      const double x = lengths[i];
      if (x <= 1) continue;
      const bool ring = closed[i] && x * strides[i] == shape[i];
      rate += kLink * (ring ? 2 : 1) / strides[i];
      even_rings = even_rings && ring && std::fmod(x, 2) == 0;
    }
    if (rate == 0) return 0;
    return even_rings ? 1 / rate : (1 - 1 / product(lengths)) / rate;
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
    const Lengths shape = slice_shape(pod_of(chip), chips);
    Torus torus{shape, {}};
    bool cubes = true;
    for (const double x : shape) cubes = cubes && std::fmod(x, 4) == 0;
    for (std::size_t i = 0; i < 3; ++i) torus.closed[i] = cubes;
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
  CHECK(placements.complete());
  for (const Placement& p : placements.items()) {
    CHECK(p.tensor.chips * p.shards.chips * p.pipeline.chips == 8960);
  }
}

TEST_CASE("a torus beyond any that is built takes no time, and says what is left untried") {
  // 735,134,400 chips, which have more divisors than any other number below 1e9.
  const auto chip = typed(with(tpu_v5p(), {{"torusX", 1e6}, {"torusY", 1e6}, {"torusZ", 1e6}}));
  const auto layout = layout_with({{"tensor", 5040}, {"context", 60}, {"pipeline", 143}});
  const Placements placements(chip, layout, 735134400, 1, false);
  REQUIRE_FALSE(placements.items().empty());
  for (const Placement& p : placements.items()) {
    CHECK(p.tensor.chips == 5040);
    CHECK(p.tensor.chips * p.shards.chips * p.pipeline.chips == 735134400);
  }
  // The kept sizes are whole, whatever is divided, and however.
  const auto hardest = layout_with({{"tensor", 55440},
                                    {"context", 60},
                                    {"pipeline", 17},
                                    {"expert", 720720},
                                    {"expertTensor", 1},
                                    {"shardGroup", 15}});
  const Placements few(chip, hardest, 735134400, 1, true);
  REQUIRE_FALSE(few.items().empty());
  for (const Placement& p : few.items()) {
    CHECK(p.expert.chips == 720720);
    CHECK(p.shards.chips == 15);
    CHECK(p.shards.chips * p.replicas.chips * p.tensor.chips * p.pipeline.chips == 735134400);
  }
  // Powers of two split in most ways of all.
  const auto split =
      layout_with({{"tensor", 64}, {"context", 64}, {"pipeline", 64}, {"expert", 64}});
  const Placements some(chip, split, 0x1p29, 1, true);
  CHECK_FALSE(some.complete());
  CHECK(some.tries() < 1.1 * (1 << 19));
  REQUIRE_FALSE(some.items().empty());
  for (const Placement& p : some.items()) {
    CHECK(p.tensor.chips * p.shards.chips * p.pipeline.chips == 0x1p29);
  }
}

TEST_CASE("on pods that are built, all placements of all degrees are tried") {
  for (const auto& [raw, chips] :
       {std::pair(tpu_v5p(), 8960.0), std::pair(tpu_v5p(), 4096.0), std::pair(tpu_v5e(), 256.0)}) {
    const auto chip = typed(raw);
    const Divisors ways(chips);
    for (const double t : ways.items()) {
      if (t > 64) break;
      for (const double p : ways.items()) {
        if (p > 64 || !divides(t * p, chips)) continue;
        for (const double e : {1.0, 8.0, 64.0}) {
          if (!divides(e, chips / t / p)) continue;
          const auto layout = layout_with({{"tensor", t}, {"pipeline", p}, {"expert", e}});
          CHECK(Placements(chip, layout, chips, 1, true).complete());
        }
      }
    }
  }
}

TEST_CASE("between slices, each chip's part goes to all slices over the scale-out network") {
  const auto transfers = [](double slices) {
    const auto layout = layout_with({});
    const Placements placements(typed(tpu_v5p()), layout, 64, slices, false);
    return make_step_transfers(typed(tpu_v5p()), typed(llama3_8b()), layout, placements.items()[0],
                               false, {})
        .slice_reduce;
  };
  CHECK(transfers(1).per_byte.value() == 0);
  CHECK_THAT(transfers(4).per_byte.value(), WithinRel(2 * 3.0 / 4 / 6.25e9, 1e-14));
  CHECK_THAT(transfers(4).latency.value(), WithinRel(2 * 2 * 5e-6, 1e-14));
  CHECK_THAT(transfers(5).latency.value(), WithinRel(2 * 3 * 5e-6, 1e-14));
}

/// The numbers of all transfers.
std::vector<double> numbers_of(const StepTransfers<double>& transfers) {
  using Transfers = StepTransfers<double>;
  std::vector<double> numbers;
  for (const auto member :
       {&Transfers::tensor, &Transfers::context, &Transfers::expert_exchange,
        &Transfers::expert_tensor_gather, &Transfers::shard_gather, &Transfers::shard_reduce,
        &Transfers::replica_reduce, &Transfers::expert_shard_gather,
        &Transfers::expert_shard_reduce, &Transfers::pipeline_hop, &Transfers::slice_reduce}) {
    const auto& transfer = transfers.*member;
    for (const double number : {transfer.per_byte.value(), transfer.latency.value(),
                                transfer.reached.value(), transfer.start.value()}) {
      numbers.push_back(number);
    }
  }
  return numbers;
}

/// Prices a placement anew, and again with what is known of another.
class Repricing {
 public:
  void price(const SearchInput<double>& in, const Placement& placement) {
    const auto anew = step_transfers<double>(in, placement);
    const auto taken = step_transfers<double>(in, placement, &known_);
    CHECK(numbers_of(taken) == numbers_of(anew));
    const Way& expert = placement.expert;
    alike_ += expert.chips > 1 && expert == known_.placement.expert ? 1 : 0;
    known_ = {placement, taken};
  }
  int alike() const { return alike_; }

 private:
  PlacedTransfers<double> known_{};  // before the first, those of ways of one chip each
  int alike_ = 0;
};

TEST_CASE("over ways that another placement has, too, transfers are those that were priced") {
  for (const auto& chip : {h100(), tpu_v5p()}) {
    for (const auto kind : {ContextKind::kAllGather, ContextKind::kRing, ContextKind::kUlysses}) {
      Repricing repricing;
      for (const auto& [t, e, c] : {std::array{1, 1, 1}, {1, 4, 1}, {1, 4, 2}, {2, 16, 2}}) {
        for (const int p : {1, 2, 4, 8}) {
          Planned planned;
          planned.chip = chip;
          planned.model = inputs::deepseek_v3();
          planned.assumptions = Raw<Assumptions>::defaults();
          planned = planned.as({{"tensor", t},
                                {"expert", e},
                                {"context", c},
                                {"pipeline", p},
                                {"contextKind", kind}});
          const auto in = planned.groups();
          const Placements placements(in.chip, in.layout, 64, 1, true);
          for (const Placement& placement : placements.items()) repricing.price(in, placement);
        }
      }
      CHECK(repricing.alike() > 0);
    }
  }
}

TEST_CASE("sums in the switches send what they reduce once") {
  const auto reduce = [](bool in_network) {
    return make_transfer(typed(h100()), {.chips = 8}, kAllReduce, in_network).per_byte.value();
  };
  CHECK_THAT(reduce(false), WithinRel(2 * 7.0 / 8 / 4.5e11, 1e-14));
  CHECK_THAT(reduce(true), WithinRel(1 / 4.5e11, 1e-14));
}

}  // namespace
}  // namespace scaling::test::placement_test
