// SPDX-License-Identifier: MIT
//
// Collectives on their own: book, chapter 3 for the torus, chapter 12 for switches. Expected times
// are counted on the links, piece by piece, or worked out at each line.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "support.hpp"

namespace scaling::test::collective_test {
namespace {

using enum CollectiveKind;

constexpr double kLink = 4e10;
constexpr double kBytes = 1e9;
constexpr double kHop = 1e-6;
constexpr double kOut = 5e-6;  // latency of a step between domains

enum class Shape { kLine, kRing, kOneWayRing };

/// A torus whose pod is just the mesh: its axes are rings, or lines if it never closes.
Raw<Chip> torus(double x, double y = 1, double z = 1, bool rings = true) {
  return with(tpu_v5e(), {{"torusX", x},
                          {"torusY", y},
                          {"torusZ", z},
                          {"linkBandwidth", kLink},
                          {"wraparound", rings ? Wraparound::kFullAxis : Wraparound::kNever}});
}

Raw<Mesh> mesh_of(double x, double y = 1, double z = 1, const Settings& others = {}) {
  return with(make<Mesh>({{"x", x}, {"y", y}, {"z", z}}), others);
}

Raw<CollectiveRequest> request_of(CollectiveKind kind, const Settings& others = {}) {
  return with(make<CollectiveRequest>({{"kind", kind}, {"bytes", kBytes}}), others);
}

auto on_axis(double chips, Shape shape, CollectiveKind kind, const Settings& others = {}) {
  const auto direction =
      shape == Shape::kOneWayRing ? Direction::kOneWay : Direction::kBidirectional;
  return collective(torus(chips, 1, 1, shape != Shape::kLine),
                    mesh_of(chips, 1, 1, {{"direction", direction}}), request_of(kind, others));
}

template <class Answers>
double bandwidth_time(const Answers& answers) {
  return number<term::kCollectiveBandwidthTime>(answers);
}

template <class Answers>
double steps(const Answers& answers) {
  return number<term::kCollectiveSteps>(answers);
}

template <class Answers>
double time(const Answers& answers) {
  return number<term::kCollectiveTime>(answers);
}

constexpr Shape kShapes[] = {Shape::kLine, Shape::kRing, Shape::kOneWayRing};

// --- one axis of a torus ---

/// A ring of two has one link: both ways around are the same.
Shape joined(int chips, Shape shape) { return chips == 2 ? Shape::kLine : shape; }

/// Hops from one chip to another and on which way, +1 or -1.
struct Way {
  int hops;
  int direction;
};

std::vector<Way> shortest_ways(int from, int to, int chips, Shape shape) {
  const int ahead = ((to - from) % chips + chips) % chips;
  shape = joined(chips, shape);
  if (shape == Shape::kLine) return {{std::abs(to - from), to > from ? 1 : -1}};
  if (shape == Shape::kOneWayRing) return {{ahead, 1}};
  if (2 * ahead == chips) return {{ahead, 1}, {ahead, -1}};
  return {2 * ahead < chips ? Way{ahead, 1} : Way{chips - ahead, -1}};
}

/// The load of the busiest link if each chip sends a piece to each other one.
double busiest_link(int chips, Shape shape) {
  std::vector<std::array<double, 2>> carried(static_cast<std::size_t>(chips), {0, 0});
  for (int from = 0; from < chips; ++from) {
    for (int to = 0; to < chips; ++to) {
      if (from == to) continue;
      const auto ways = shortest_ways(from, to, chips, shape);
      for (const Way& way : ways) {
        int place = from;
        for (int hop = 0; hop < way.hops; ++hop) {
          const int next = (place + way.direction + chips) % chips;
          const int link = way.direction > 0 ? place : next;
          carried[static_cast<std::size_t>(link)][way.direction > 0 ? 0 : 1] +=
              1.0 / static_cast<double>(ways.size());
          place = next;
        }
      }
    }
  }
  double most = 0;
  for (const auto& link : carried) most = std::max({most, link[0], link[1]});
  return most;
}

int farthest(int chips, Shape shape) { return shape == Shape::kRing ? chips / 2 : chips - 1; }

TEST_CASE("a gather takes as many hops as the farthest shard is away, each of one shard") {
  for (const Shape shape : kShapes) {
    for (int chips = 2; chips <= 17; ++chips) {
      const auto answers = on_axis(chips, shape, kAllGather);
      CAPTURE(chips);
      CHECK(steps(answers) == farthest(chips, shape));
      CHECK_THAT(bandwidth_time(answers),
                 WithinRel(farthest(chips, shape) * kBytes / chips / kLink, 1e-14));
      CHECK_THAT(number<term::kBytesSent>(answers), WithinRel(kBytes * (chips - 1) / chips, 1e-15));
      CHECK(number<term::kShardBytes>(answers) == kBytes / chips);
      CHECK(number<term::kCollectiveChips>(answers) == chips);
    }
  }
}

TEST_CASE("an even ring gathers in V / 2W, whatever its length") {
  for (const double chips : {4.0, 16.0, 1000.0}) {
    CHECK_THAT(bandwidth_time(on_axis(chips, Shape::kRing, kAllGather)),
               WithinRel(kBytes / (2 * kLink), 1e-14));
  }
}

TEST_CASE("a reduction is a gather backwards") {
  for (const Shape shape : kShapes) {
    for (int chips = 2; chips <= 9; ++chips) {
      const auto gather = on_axis(chips, shape, kAllGather);
      const auto reduction = on_axis(chips, shape, kReduceScatter);
      CHECK(gather.values() == reduction.values());
    }
  }
}

TEST_CASE("an AllToAll waits for the busiest link") {
  for (const Shape shape : kShapes) {
    for (int chips = 2; chips <= 17; ++chips) {
      const auto answers = on_axis(chips, shape, kAllToAll);
      const double piece = kBytes / chips / chips;
      CAPTURE(chips);
      CHECK_THAT(bandwidth_time(answers),
                 WithinRel(busiest_link(chips, shape) * piece / kLink, 1e-14));
      CHECK(steps(answers) == farthest(chips, shape));
      CHECK_THAT(number<term::kBytesSent>(answers), WithinRel(piece * (chips - 1), 1e-15));
    }
  }
}

TEST_CASE("chapter 3: an AllToAll takes a quarter of a gather on a ring, half of it one way") {
  for (const double chips : {4.0, 16.0, 64.0}) {
    const auto part = [&](Shape shape) {
      return bandwidth_time(on_axis(chips, shape, kAllToAll)) /
             bandwidth_time(on_axis(chips, shape, kAllGather));
    };
    CHECK_THAT(part(Shape::kRing), WithinRel(0.25, 1e-14));
    CHECK_THAT(part(Shape::kOneWayRing), WithinRel(0.5, 1e-14));
  }
}

TEST_CASE("an AllToAll with few destinations sends only what goes there") {
  for (const Shape shape : kShapes) {
    const auto whole = on_axis(16, shape, kAllToAll);
    for (const double destinations : {1.0, 4.0, 15.0, 16.0, 17.0, 1e6}) {
      const auto some = on_axis(16, shape, kAllToAll, {{"destinations", destinations}});
      const double share = std::min(destinations / 16, 1.0);
      CHECK_THAT(bandwidth_time(some), WithinRel(share * bandwidth_time(whole), 1e-14));
      CHECK_THAT(number<term::kBytesSent>(some),
                 WithinRel(share * number<term::kBytesSent>(whole), 1e-14));
      CHECK(steps(some) == steps(whole));
    }
  }
}

TEST_CASE("one way around only rings can send: a line needs both") {
  const auto sent = [](bool rings, Direction direction) {
    return bandwidth_time(collective(torus(8, 1, 1, rings),
                                     mesh_of(8, 1, 1, {{"direction", direction}}),
                                     request_of(kAllGather)));
  };
  CHECK(sent(false, Direction::kOneWay) == sent(false, Direction::kBidirectional));
  CHECK_THAT(sent(true, Direction::kOneWay),
             WithinRel(sent(true, Direction::kBidirectional) * 7 / 4, 1e-14));
}

// --- wraparound ---

TEST_CASE("slices that are not of whole cubes close no axis") {
  const auto steps_of = [](double x, double y, double z) {
    return steps(collective(tpu_v5p(), mesh_of(x, y, z), request_of(kAllGather)));
  };
  // Book, ch. 2: 2x2x1, 2x2x2 and 2x2x4 have no wraparound.
  CHECK(steps_of(2, 2, 4) == 1 + 1 + 3);
  CHECK(steps_of(4, 4, 2) == 3 + 3 + 1);
  CHECK(steps_of(4, 4, 4) == 2 + 2 + 2);
  CHECK(steps_of(8, 12, 4) == 4 + 6 + 2);
  // An axis that the mesh does not use may be as long as it takes.
  CHECK(steps_of(4, 4, 1) == 2 + 2);
}

TEST_CASE("axes close by the chip's rule") {
  const auto is_ring = [](const Raw<Chip>& chip, double x) {
    return steps(collective(chip, mesh_of(x), request_of(kAllGather))) < x - 1;
  };
  // v5e: only the pod's full 16. v5p: whole cubes of four.
  for (const double x : {4.0, 8.0, 12.0, 15.0}) CHECK_FALSE(is_ring(tpu_v5e(), x));
  CHECK(is_ring(tpu_v5e(), 16));
  for (const double x : {4.0, 8.0, 12.0, 16.0}) CHECK(is_ring(tpu_v5p(), x));
  for (const double x : {3.0, 5.0, 6.0, 10.0, 15.0}) CHECK_FALSE(is_ring(tpu_v5p(), x));
  const auto never = with(tpu_v5p(), {{"wraparound", Wraparound::kNever}});
  for (const double x : {4.0, 16.0}) CHECK_FALSE(is_ring(never, x));
}

TEST_CASE("two chips are one hop apart, closed or not") {
  for (const Shape shape : kShapes) {
    CHECK(steps(on_axis(2, shape, kAllGather)) == 1);
    CHECK_THAT(bandwidth_time(on_axis(2, shape, kAllGather)), WithinRel(kBytes / 2 / kLink, 1e-15));
  }
}

// --- several axes ---

TEST_CASE("axes work at once: their rates add up, their hops follow one another") {
  const auto both = [](double x, double y, double z) {
    return collective(torus(x, y, z), mesh_of(x, y, z), request_of(kAllGather));
  };
  // Rings of even length gather 2W each.
  CHECK_THAT(bandwidth_time(both(4, 8, 1)), WithinRel(kBytes / (4 * kLink), 1e-14));
  CHECK_THAT(bandwidth_time(both(4, 8, 16)), WithinRel(kBytes / (6 * kLink), 1e-14));
  CHECK(steps(both(4, 8, 1)) == 2 + 4);
  CHECK(steps(both(4, 8, 16)) == 2 + 4 + 8);
  CHECK_THAT(number<term::kBytesSent>(both(4, 8, 16)), WithinRel(kBytes * 511 / 512, 1e-15));
  // An axis of one chip is none; which one it is makes no difference.
  const auto cost = [](const auto& answers) {
    return std::array{bandwidth_time(answers), steps(answers), time(answers)};
  };
  CHECK(cost(both(4, 1, 8)) == cost(both(4, 8, 1)));
  CHECK(cost(both(1, 1, 4)) == cost(both(4, 1, 1)));
}

TEST_CASE("rings and lines side by side: the worst-placed chip's links count") {
  // This case held V / (2W + 4/3 W) right, of 16 x 4: rates of axes do not add up where they are
  // lines, as a chip at an end has but one link there. It is below what that chip can receive. On a
  // v5e, 16 chips along x close, 4 along y do not: 2 links and 1.
  const auto answers = collective(tpu_v5e(), mesh_of(16, 4), request_of(kAllGather));
  CHECK_THAT(bandwidth_time(answers), WithinRel(kBytes * 63 / 64 / (4.5e10 * 3), 1e-14));
  CHECK(steps(answers) == 8 + 3);
  // A v5p slice of 8 x 3 x 2 is not made of cubes of 4 x 4 x 4, so nothing closes (book ch. 2).
  const auto three = collective(tpu_v5p(), mesh_of(8, 3, 2), request_of(kAllGather));
  CHECK_THAT(bandwidth_time(three), WithinRel(kBytes * 47 / 48 / (9e10 * 3), 1e-14));
  CHECK(steps(three) == 7 + 2 + 1);
  // An odd ring takes V (X - 1) / 2XW alone; beside an even one, all four links receive as much.
  const auto odd = collective(torus(5, 16), mesh_of(5, 16), request_of(kReduceScatter));
  CHECK_THAT(bandwidth_time(odd), WithinRel(kBytes * 79 / 80 / (kLink * 4), 1e-14));
}

TEST_CASE("an AllToAll over several axes waits for the longest") {
  // V max(X, Y, Z) / 4N of both directions (chapter 3).
  for (const auto& [x, y, z] : {std::array{4.0, 8.0, 1.0}, {16.0, 4.0, 2.0}, {4.0, 4.0, 4.0}}) {
    const auto answers = collective(torus(x, y, z), mesh_of(x, y, z), request_of(kAllToAll));
    const double longest = std::max({x, y, z});
    CHECK_THAT(bandwidth_time(answers),
               WithinRel(kBytes * longest / (4 * x * y * z * 2 * kLink), 1e-14));
  }
  // A line of 4 has one middle where a ring of 8 has two: equally long.
  const auto mixed = collective(with(torus(8, 16), {}), mesh_of(8, 4), request_of(kAllToAll));
  CHECK_THAT(bandwidth_time(mixed), WithinRel(kBytes / 32 * 4 / 4 / kLink, 1e-14));
}

TEST_CASE("what other chips hold of the array is not gathered") {
  const auto answers = [](double others, CollectiveKind kind) {
    return collective(torus(8), mesh_of(8, 1, 1, {{"otherShards", others}}), request_of(kind));
  };
  for (const auto kind : {kAllGather, kReduceScatter, kAllReduce, kAllToAll}) {
    CHECK_THAT(bandwidth_time(answers(4, kind)),
               WithinRel(bandwidth_time(answers(1, kind)) / 4, 1e-15));
    CHECK(number<term::kBytesSent>(answers(4, kind)) ==
          number<term::kBytesSent>(answers(1, kind)) / 4);
    CHECK(number<term::kShardBytes>(answers(4, kind)) == kBytes / 32);
    CHECK(steps(answers(4, kind)) == steps(answers(1, kind)));
  }
}

// --- point to point ---

TEST_CASE("from chip to chip, hops and bytes add up") {
  const auto send = [](const Raw<Chip>& chip, const Raw<Mesh>& mesh, double x, double y, double z) {
    return collective(
        chip, mesh,
        request_of(kPointToPoint, {{"distanceX", x}, {"distanceY", y}, {"distanceZ", z}}));
  };
  const auto mesh = mesh_of(8, 4, 4);
  const auto one = send(torus(8, 4, 4), mesh, 1, 0, 0);
  CHECK(steps(one) == 1);
  CHECK(number<term::kBytesSent>(one) == kBytes);
  CHECK(number<term::kCollectiveLatencyTime>(one) == kHop);
  CHECK_THAT(time(one), WithinRel(kHop + kBytes / kLink, 1e-15));
  CHECK(absence<term::kShardBytes>(one) == Absence::kNotApplicable);
  // The shorter way around; on a line there is but one.
  CHECK(steps(send(torus(8, 4, 4), mesh, 5, 0, 0)) == 3);
  CHECK(steps(send(torus(8, 4, 4, false), mesh, 5, 0, 0)) == 5);
  CHECK(steps(send(torus(8, 4, 4), with(mesh, {{"direction", Direction::kOneWay}}), 5, 0, 0)) == 5);
  // Each axis towards the goal has a link to start on.
  CHECK_THAT(bandwidth_time(send(torus(8, 4, 4), mesh, 4, 2, 0)),
             WithinRel(kBytes / 2 / kLink, 1e-15));
  const auto across = send(torus(8, 4, 4), mesh, 4, 2, 3);
  CHECK_THAT(bandwidth_time(across), WithinRel(kBytes / 3 / kLink, 1e-15));
  CHECK(steps(across) == 4 + 2 + 1);
  CHECK_THAT(time(across), WithinRel(7 * kHop + kBytes / 3 / kLink, 1e-15));
}

TEST_CASE("a message to where it is takes no time") {
  const auto answers =
      collective(torus(8), mesh_of(8), request_of(kPointToPoint, {{"distanceX", 0}}));
  CHECK(steps(answers) == 0);
  CHECK(time(answers) == 0);
  CHECK(absence<term::kEffectiveBandwidth>(answers) == Absence::kNotApplicable);
  CHECK(absence<term::kLatencyBytes>(answers) == Absence::kNotApplicable);
}

TEST_CASE("a message across switches goes at the rate of the slowest level it crosses") {
  const auto send = [](double chips, const Settings& others = {}) {
    return collective(with(h100(), others), mesh_of(chips), request_of(kPointToPoint));
  };
  CHECK_THAT(bandwidth_time(send(8)), WithinRel(kBytes / 4.5e11, 1e-15));
  CHECK_THAT(bandwidth_time(send(16)), WithinRel(kBytes / 5e10, 1e-15));
  CHECK_THAT(bandwidth_time(send(512, {{"oversubscription", 2}})),
             WithinRel(kBytes / 2.5e10, 1e-15));
  CHECK_THAT(bandwidth_time(send(512, {{"scaleUpBandwidth", 1e10}})),
             WithinRel(kBytes / 1e10, 1e-15));
  CHECK(steps(send(8)) == 1);
  CHECK(steps(send(16)) == 2);
  CHECK(steps(send(512)) == 3);
  const double latency = number<term::kCollectiveLatencyTime>(send(512));
  CHECK_THAT(latency, WithinRel(kHop + 2 * kOut, 1e-14));
  CHECK_THAT(time(send(512)), WithinRel(latency + kBytes / 5e10, 1e-14));
}

// --- switches ---

/// Nodes of 8, leaves over 32 of them: chapter 12's DGX SuperPod.
auto on_switches(double chips, CollectiveKind kind, const Settings& request = {},
                 const Settings& chip = {}, double others = 1) {
  return collective(with(h100(), chip), mesh_of(chips, 1, 1, {{"otherShards", others}}),
                    request_of(kind, request));
}

TEST_CASE("in a switched domain a gather takes V (n - 1) / n W") {
  for (double chips = 2; chips <= 8; ++chips) {
    const auto answers = on_switches(chips, kAllGather);
    CHECK_THAT(time(answers), WithinRel(kBytes * (chips - 1) / chips / 4.5e11, 1e-14));
    CHECK(number<term::kDomainTime>(answers) == time(answers));
    CHECK(absence<term::kLeafTime>(answers) == Absence::kNotApplicable);
    CHECK(absence<term::kSpineTime>(answers) == Absence::kNotApplicable);
    CHECK(steps(answers) == std::ceil(std::log2(chips)));
  }
}

TEST_CASE("chapter 12: a SuperPod gathers at 514, 413 and 17,100 GB/s, so at 413") {
  const auto answers = on_switches(1024, kAllGather);
  const auto rate = [](double time) { return kBytes / time / 1e9; };
  CHECK_THAT(rate(number<term::kDomainTime>(answers)), WithinRel(450 * 8 / 7.0, 1e-14));
  CHECK_THAT(rate(number<term::kLeafTime>(answers)), WithinRel(400 * 32 / 31.0, 1e-14));
  CHECK_THAT(rate(number<term::kSpineTime>(answers)), WithinRel(12800 * 4 / 3.0, 1e-14));
  CHECK_THAT(rate(time(answers)), WithinRel(412.9, 1e-3));
  CHECK_THAT(number<term::kEffectiveBandwidth>(answers), WithinRel(412.9e9, 1e-3));
  CHECK(steps(answers) == 3 + 5 + 2);
}

TEST_CASE("latency on switches: of each level, a step's times ceil(log2 D)") {
  // It was one step a level, whatever the ranks.
  const auto is = [](double chips, double inside, double above) {
    CAPTURE(chips);
    for (const auto kind : {kAllGather, kReduceScatter, kAllToAll}) {
      const auto answers = on_switches(chips, kind);
      CHECK(steps(answers) == inside + above);
      CHECK_THAT(number<term::kCollectiveLatencyTime>(answers),
                 WithinRel(inside * kHop + above * kOut, 1e-14));
    }
    const auto both = on_switches(chips, kAllReduce);
    CHECK_THAT(number<term::kCollectiveLatencyTime>(both),
               WithinRel(2 * (inside * kHop + above * kOut), 1e-14));
  };
  is(2, 1, 0);
  is(3, 2, 0);
  is(5, 3, 0);
  is(8, 3, 0);
  is(16, 3, 1);
  is(24, 3, 2);
  is(256, 3, 5);
  is(512, 3, 5 + 1);
  is(2048, 3, 5 + 3);
  // A network without domains has none of that level.
  const auto flat =
      collective(with(h100(), {{"scaleUpChips", 1}}), mesh_of(16), request_of(kAllGather));
  CHECK(steps(flat) == 4);
  CHECK(absence<term::kDomainTime>(flat) == Absence::kNotApplicable);
  CHECK_THAT(number<term::kLeafTime>(flat), WithinRel(kBytes * 15 / 16 / 5e10, 1e-14));
}

TEST_CASE("latency adds to the expected time, and is a floor of the least") {
  const Settings latencies[] = {{{"hopLatency", 2e-6}, {"scaleOutLatency", 3e-5}},
                                {{"hopLatency", 0}, {"scaleOutLatency", 0}},
                                {{"hopLatency", 1e-2}, {"scaleOutLatency", 0}}};
  for (const Settings& chip : latencies) {
    for (const double chips : {2.0, 8.0, 64.0, 1024.0}) {
      for (const auto kind : {kAllGather, kReduceScatter, kAllReduce, kAllToAll}) {
        const auto answers = on_switches(chips, kind, {}, chip);
        const double moving = bandwidth_time(answers);
        const double waiting = number<term::kCollectiveLatencyTime>(answers);
        CHECK(time(answers) == std::max(moving, waiting));
        CHECK(number<term::kCollectiveExpected>(answers) == waiting + moving);
      }
    }
  }
  const auto ring = on_axis(16, Shape::kRing, kAllGather);
  CHECK(number<term::kCollectiveExpected>(ring) == 8 * kHop + bandwidth_time(ring));
}

TEST_CASE("oversubscription slows what crosses the spine, and nothing else") {
  const auto even = on_switches(1024, kAllGather);
  const auto over = on_switches(1024, kAllGather, {}, {{"oversubscription", 4}});
  CHECK_THAT(number<term::kSpineTime>(over), WithinRel(4 * number<term::kSpineTime>(even), 1e-14));
  CHECK(number<term::kLeafTime>(over) == number<term::kLeafTime>(even));
  CHECK(number<term::kDomainTime>(over) == number<term::kDomainTime>(even));
  const auto inside = on_switches(256, kAllGather, {}, {{"oversubscription", 4}});
  CHECK(time(inside) == time(on_switches(256, kAllGather)));
}

TEST_CASE("switches that add send and receive the array once") {
  for (const double chips : {8.0, 64.0, 1024.0}) {
    const auto twice = on_switches(chips, kAllReduce);
    const auto once = on_switches(chips, kAllReduce, {{"inNetworkReduction", 1}});
    CHECK(number<term::kBytesSent>(once) == kBytes);
    CHECK(steps(once) == 1 + (chips > 8) + (chips > 256));  // up through each level's switches
    CHECK(steps(twice) >= 2 * steps(once));
    CHECK_THAT(number<term::kDomainTime>(once), WithinRel(kBytes / 4.5e11, 1e-14));
    CHECK(time(once) < time(twice));
  }
  // Whether a switch can add means nothing to a torus, nor to a gather.
  const auto on_ring = [](double adds) {
    return on_axis(8, Shape::kRing, kAllReduce, {{"inNetworkReduction", adds}}).values();
  };
  CHECK(on_ring(1) == on_ring(0));
  CHECK(on_switches(64, kAllGather, {{"inNetworkReduction", 1}}).values() ==
        on_switches(64, kAllGather).values());
}

TEST_CASE("on switches an inner axis that divides the array lightens each level until its groups") {
  // Chapter 12: V max over levels of (D - 1) / (D max(Y, S) W), S chips in a group.
  for (const double others : {2.0, 4.0, 8.0, 16.0, 64.0}) {
    const auto answers = on_switches(1024 / others, kAllGather, {}, {}, others);
    CHECK_THAT(number<term::kDomainTime>(answers),
               WithinRel(kBytes * 7 / 8 / (others * 4.5e11), 1e-14));
    CHECK_THAT(number<term::kLeafTime>(answers),
               WithinRel(kBytes * 31 / 32 / (std::max(others, 8.0) * 5e10), 1e-14));
    CHECK_THAT(number<term::kSpineTime>(answers),
               WithinRel(kBytes * 3 / 4 / (std::max(others, 256.0) * 5e10), 1e-14));
  }
}

TEST_CASE(
    "chapter 12: an AllToAll takes V (n - 1) / n n W in a node, V (M - 1) / M M W_node beyond") {
  for (const double chips : {2.0, 4.0, 8.0}) {
    CHECK_THAT(time(on_switches(chips, kAllToAll)),
               WithinRel(kBytes * (chips - 1) / (chips * chips * 4.5e11), 1e-13));
  }
  for (const double nodes : {2.0, 8.0, 32.0}) {
    CHECK_THAT(time(on_switches(8 * nodes, kAllToAll)),
               WithinRel(kBytes * (nodes - 1) / (nodes * nodes * 4e11), 1e-13));
  }
  // Top-1 of 16: to one place of two nodes' half as often.
  const auto some = on_switches(16, kAllToAll, {{"destinations", 1}});
  CHECK_THAT(number<term::kLeafTime>(some),
             WithinRel(number<term::kLeafTime>(on_switches(16, kAllToAll)) / 2, 1e-14));
  CHECK_THAT(number<term::kDomainTime>(some),
             WithinRel(number<term::kDomainTime>(on_switches(16, kAllToAll)) / 16, 1e-14));
}

TEST_CASE("without the scale-out bandwidth only what stays inside has a time") {
  const Settings unknown{{"scaleOutBandwidth", std::numeric_limits<double>::quiet_NaN()}};
  CHECK(time(on_switches(8, kAllGather, {}, unknown)) > 0);
  for (const auto kind : {kAllGather, kAllReduce, kAllToAll, kPointToPoint}) {
    const auto answers = on_switches(16, kind, {}, unknown);
    CHECK(absence<term::kCollectiveTime>(answers) == Absence::kNotListed);
    CHECK(absence<term::kCollectiveBandwidthTime>(answers) == Absence::kNotListed);
    CHECK(absence<term::kEffectiveBandwidth>(answers) == Absence::kNotListed);
    CHECK(absence<term::kCollectiveBound>(answers) == Absence::kNotListed);
    CHECK(number<term::kBytesSent>(answers) > 0);
    CHECK(number<term::kCollectiveLatencyTime>(answers) > 0);
  }
}

// --- what each link carries ---

constexpr double kNoBytes = -1;

/// Bytes on the busiest link of each axis, or out of a chip at each level; kNoBytes of one without.
template <const Term& kFirst, const Term& kSecond, const Term& kThird, class Answers>
auto loads_of(const Answers& answers) {
  const auto load = [](const auto& answer) {
    return answer.present() ? answer.value.value() : kNoBytes;
  };
  return std::array{load(answers.template get<kFirst>()), load(answers.template get<kSecond>()),
                    load(answers.template get<kThird>())};
}

template <class Answers>
auto on_axes(const Answers& answers) {
  return loads_of<term::kAxisBytesX, term::kAxisBytesY, term::kAxisBytesZ>(answers);
}

template <class Answers>
auto on_levels(const Answers& answers) {
  return loads_of<term::kDomainBytes, term::kLeafBytes, term::kSpineBytes>(answers);
}

void check_loads(const std::array<double, 3>& found, const std::array<double, 3>& wanted) {
  for (std::size_t i = 0; i < 3; ++i) CHECK_THAT(found[i], WithinRel(wanted[i], 1e-13));
}

TEST_CASE("links of a torus carry what a gather brings, one way") {
  // Half of the shards come each way around an even ring, the farthest on both.
  check_loads(on_axes(on_axis(8, Shape::kRing, kAllGather)), {kBytes / 2, kNoBytes, kNoBytes});
  check_loads(on_axes(on_axis(8, Shape::kRing, kAllReduce)), {kBytes, kNoBytes, kNoBytes});
  check_loads(on_axes(on_axis(8, Shape::kOneWayRing, kAllGather)),
              {kBytes * 7 / 8, kNoBytes, kNoBytes});
  check_loads(on_axes(on_axis(8, Shape::kLine, kAllGather)), {kBytes * 7 / 8, kNoBytes, kNoBytes});
  const auto plane = collective(torus(4, 1, 8), mesh_of(4, 1, 8), request_of(kReduceScatter));
  check_loads(on_axes(plane), {kBytes / 4, kNoBytes, kBytes / 4});
}

TEST_CASE("the middle of the longest axis carries most of an AllToAll") {
  // Of 8 x 4 chips, a quarter of the pairs along an axis crosses each of a ring's two middles,
  // half of them each way.
  const auto answers = collective(torus(8, 4), mesh_of(8, 4), request_of(kAllToAll));
  check_loads(on_axes(answers), {kBytes * 8 / 32 / 8, kBytes * 4 / 32 / 8, kNoBytes});
  CHECK(number<term::kAxisTimeX>(answers) == bandwidth_time(answers));
  CHECK_THAT(number<term::kAxisTimeY>(answers), WithinRel(bandwidth_time(answers) / 2, 1e-14));
  const auto some =
      collective(torus(8, 4), mesh_of(8, 4), request_of(kAllToAll, {{"destinations", 8}}));
  check_loads(on_axes(some), {kBytes / 128, kBytes / 256, kNoBytes});
}

TEST_CASE("a message leaves over one link for each axis of its way") {
  const auto answers = collective(torus(8, 8, 8), mesh_of(8, 8, 8),
                                  request_of(kPointToPoint, {{"distanceX", 3}, {"distanceZ", 1}}));
  check_loads(on_axes(answers), {kBytes / 2, kNoBytes, kBytes / 2});
  check_loads(on_levels(on_switches(1024, kPointToPoint)), {kBytes, kBytes, kBytes});
  check_loads(on_levels(on_switches(16, kPointToPoint)), {kBytes, kBytes, kNoBytes});
}

TEST_CASE("out of a chip goes its share of what its group lacks") {
  check_loads(on_levels(on_switches(8, kAllGather)), {kBytes * 7 / 8, kNoBytes, kNoBytes});
  check_loads(on_levels(on_switches(1024, kAllGather)),
              {kBytes * 7 / 8, kBytes * 31 / 32 / 8, kBytes * 3 / 4 / 256});
  check_loads(on_levels(on_switches(64, kAllReduce, {{"inNetworkReduction", 1}})),
              {kBytes, kBytes / 8, kNoBytes});
  // One chip of each domain takes part, beside 8 shards of others.
  check_loads(on_levels(on_switches(4, kAllGather, {}, {}, 8)),
              {kBytes * 7 / 8 / 8, kBytes * 3 / 4 / 8, kNoBytes});
  const auto over = on_switches(1024, kAllGather, {}, {{"oversubscription", 4}});
  CHECK_THAT(number<term::kSpineRate>(over), WithinRel(1.25e10, 1e-14));
  CHECK(number<term::kLeaves>(over) == 4);
  CHECK(number<term::kLeaves>(on_switches(16, kAllGather)) == 1);
}

TEST_CASE("axes say whether they close, and switches have none") {
  const auto shape = [](const auto& answers) {
    return static_cast<AxisShape>(number<term::kAxisShapeX>(answers));
  };
  CHECK(shape(on_axis(8, Shape::kLine, kAllGather)) == AxisShape::kLine);
  CHECK(shape(on_axis(8, Shape::kRing, kAllGather)) == AxisShape::kRing);
  CHECK(shape(on_axis(8, Shape::kOneWayRing, kAllGather)) == AxisShape::kOneWayRing);
  // Also of a message to where it is.
  CHECK(shape(collective(torus(8), mesh_of(8), request_of(kPointToPoint, {{"distanceX", 0}}))) ==
        AxisShape::kRing);
  CHECK(absence<term::kAxisShapeY>(on_axis(8, Shape::kRing, kAllGather)) ==
        Absence::kNotApplicable);
  CHECK(absence<term::kAxisShapeX>(on_switches(16, kAllGather)) == Absence::kNotApplicable);
  CHECK(absence<term::kDomainBytes>(on_axis(8, Shape::kRing, kAllGather)) ==
        Absence::kNotApplicable);
}

// --- domains that the chips do not fill ---

auto use_of(double domain, double chips, double others = 1) {
  const auto answers = on_switches(chips, kAllGather, {}, {{"scaleUpChips", domain}}, others);
  return std::array{number<term::kDomains>(answers), number<term::kDomainUsed>(answers),
                    number<term::kDomainIdle>(answers)};
}

TEST_CASE("as much of each domain is used as the chips divide into, and the rest is idle") {
  using Use = std::array<double, 3>;
  CHECK(use_of(8, 4) == Use{1, 4, 4});
  CHECK(use_of(8, 64) == Use{8, 8, 0});
  CHECK(use_of(8, 12) == Use{2, 6, 4});
  CHECK(use_of(72, 72) == Use{1, 72, 0});
  CHECK(use_of(72, 64) == Use{1, 64, 8});
  // Racks of 72 of which 64 are used.
  CHECK(use_of(72, 128) == Use{2, 64, 16});
  CHECK(use_of(72, 256) == Use{4, 64, 32});
  CHECK(use_of(72, 144) == Use{2, 72, 0});
  CHECK(use_of(72, 96) == Use{2, 48, 48});
  // 32 shards of 8: 8 of them in a domain.
  CHECK(use_of(72, 32, 8) == Use{4, 64, 32});
  // A prime number of chips is spread as evenly as it can be: 6 and 5.
  CHECK(use_of(8, 11) == Use{2, 6, 5});
}

TEST_CASE("a notice names the idle chips of domains that are not filled") {
  const auto notices = [](double domain, double chips) {
    return estimate<CollectiveQuestion>(
               {with(h100(), {{"scaleUpChips", domain}}), mesh_of(chips), request_of(kAllGather)})
        .notices;
  };
  const auto found = notices(72, 256);
  REQUIRE(found.items().size() == 1);
  CHECK(found.items()[0].code == IssueCode::kIdleInDomains);
  CHECK(found.items()[0].arguments == std::array{64.0, 72.0, 0.0, 0.0});
  CHECK(notices(72, 144).empty());
  CHECK(notices(72, 4).empty());  // one domain may be shared
  CHECK(notices(8, 64).empty());
}

TEST_CASE("no chips on switches gather faster than the emptiest domain can receive") {
  for (const double domain : {1.0, 3.0, 4.0, 8.0, 72.0}) {
    for (double chips = 2; chips <= 300; ++chips) {
      CAPTURE(domain);
      CAPTURE(chips);
      const Settings chip{{"scaleUpChips", domain}, {"leafDomains", 1e6}};
      const auto gather = on_switches(chips, kAllGather, {}, chip);
      const auto swap = on_switches(chips, kAllToAll, {}, chip);
      // The array is spread evenly over as few domains as hold it: one has no more than its share.
      const double least = std::floor(chips / std::ceil(chips / domain));
      const double received = chips <= domain ? 0 : kBytes * (chips - least) / chips / least / 5e10;
      const double inside = kBytes * (std::min(least, chips) - 1) / std::min(least, chips) / 4.5e11;
      CHECK(bandwidth_time(gather) >= std::max(received, inside) * (1 - 1e-12));
      CHECK(bandwidth_time(swap) >= received / chips * least * (1 - 1e-12));
    }
  }
}

// --- latency ---

TEST_CASE("nothing is faster than its hops") {
  const auto gather = [](double bytes) {
    return collective(torus(16), mesh_of(16), request_of(kAllGather, {{"bytes", bytes}}));
  };
  const auto small = gather(1);
  CHECK(time(small) == 8 * kHop);
  CHECK(chosen<CollectiveBound, term::kCollectiveBound>(small) == CollectiveBound::kLatency);
  const auto large = gather(1e9);
  CHECK(time(large) == bandwidth_time(large));
  CHECK(chosen<CollectiveBound, term::kCollectiveBound>(large) == CollectiveBound::kBandwidth);
  // 8 hops of 1/16 of V at 4e10: V = 16 x 40 kB, whatever V is asked for.
  for (const auto& answers : {small, large}) {
    CHECK_THAT(number<term::kLatencyBytes>(answers), WithinRel(640e3, 1e-14));
  }
  CHECK_THAT(number<term::kEffectiveBandwidth>(large), WithinRel(2 * kLink, 1e-14));
}

TEST_CASE("one chip has nobody to exchange with") {
  for (const auto& chip : {tpu_v5e(), h100()}) {
    const auto answers = collective(chip, mesh_of(1), request_of(kAllReduce));
    CHECK(number<term::kCollectiveChips>(answers) == 1);
    for (std::size_t i = 1; i < answers.kSize; ++i) {
      CHECK(answers.absences()[i] == Absence::kNotApplicable);
    }
  }
}

// --- invariants ---

constexpr CollectiveKind kGathers[] = {kAllGather, kReduceScatter, kAllReduce, kAllToAll};

/// Calls `test` with many collectives that are allowed.
template <class Test>
void each_collective(int count, Test test) {
  inputs::Numbers numbers;
  int tested = 0;
  for (int i = 0; i < count; ++i) {
    const auto base = inputs::base<CollectiveQuestion>(static_cast<std::size_t>(i));
    const auto input = inputs::vary<CollectiveQuestion>(base, numbers, 4);
    const auto outcome = estimate<CollectiveQuestion>(input);
    if (!outcome.issues.empty() || number<term::kCollectiveChips>(outcome.answers) < 2) continue;
    ++tested;
    test(input, outcome.answers);
  }
  CHECK(tested > count / 2);
}

template <const Term& kTerm>
double value_or_0(const CollectiveQuestion::Answers<double>& answers) {
  const auto answer = answers.get<kTerm>();
  return answer.present() ? answer.value.value() : 0;
}

TEST_CASE("an AllReduce is a ReduceScatter and an AllGather") {
  each_collective(1000, [](CollectiveQuestion::Input input, const auto&) {
    input.collective = with(input.collective, {{"inNetworkReduction", 0}});
    const auto of_kind = [&](CollectiveKind kind) {
      return answers_to<CollectiveQuestion>(
          {input.chip, input.mesh, with(input.collective, {{"kind", kind}})});
    };
    const auto all = of_kind(kAllReduce);
    const auto gather = of_kind(kAllGather);
    const auto scatter = of_kind(kReduceScatter);
    CHECK(value_or_0<term::kCollectiveTime>(all) ==
          value_or_0<term::kCollectiveTime>(gather) + value_or_0<term::kCollectiveTime>(scatter));
    CHECK(number<term::kBytesSent>(all) ==
          number<term::kBytesSent>(gather) + number<term::kBytesSent>(scatter));
    CHECK(steps(all) == steps(gather) + steps(scatter));
  });
}

TEST_CASE("no collective is faster than its hops or its bytes, and more bytes never are") {
  each_collective(1000, [](const CollectiveQuestion::Input& input, const auto& answers) {
    const double latency = number<term::kCollectiveLatencyTime>(answers);
    const auto chip = typed(input.chip);
    const double hop = chip.hop_latency.value();
    const double out = chip.scale_out_latency.value();
    if (chip.network == Network::kTorus) CHECK(latency == steps(answers) * hop);
    CHECK(latency >= steps(answers) * std::min(hop, out) * (1 - 1e-12));
    CHECK(latency <= steps(answers) * std::max(hop, out) * (1 + 1e-12));
    if (!answers.template get<term::kCollectiveTime>().present()) return;
    CHECK(time(answers) >= latency);
    CHECK(time(answers) >= bandwidth_time(answers));
    CHECK(time(answers) <= latency + bandwidth_time(answers));
    auto more = input;
    more.collective = with(input.collective, {{"bytes", 1e18}});
    CHECK(time(answers_to<CollectiveQuestion>(more)) >= time(answers));
  });
}

TEST_CASE("time is the bytes' beyond those that hops hide") {
  each_collective(1000, [](CollectiveQuestion::Input input, const auto& answers) {
    const auto hidden = answers.template get<term::kLatencyBytes>();
    if (!hidden.present() || input.collective["kind"] == static_cast<double>(kPointToPoint)) return;
    const auto at = [&](double bytes) {
      input.collective = with(input.collective, {{"bytes", bytes}});
      return chosen<CollectiveBound, term::kCollectiveBound>(answers_to<CollectiveQuestion>(input));
    };
    const double below = hidden.value.value() * 0.999;
    const double above = hidden.value.value() * 1.001;
    if (below >= 1 && below <= 1e18) CHECK(at(below) == CollectiveBound::kLatency);
    if (above >= 1 && above <= 1e18) CHECK(at(above) == CollectiveBound::kBandwidth);
  });
}

TEST_CASE("longer axes of one shape never gather faster, more axes never slower") {
  for (const auto kind : kGathers) {
    if (kind == kAllToAll) continue;  // more chips each hold less to send
    for (double chips = 2; chips < 32; ++chips) {
      for (const Shape shape : kShapes) {
        const bool even = shape == Shape::kRing;  // an odd ring wastes nothing on its last hop
        const auto shorter = on_axis(even ? 2 * chips : chips, shape, kind);
        const auto longer = on_axis(even ? 2 * chips + 2 : chips + 1, shape, kind);
        CHECK(bandwidth_time(longer) >= bandwidth_time(shorter) * (1 - 1e-14));
      }
    }
    const auto one = collective(torus(8, 8, 8), mesh_of(8), request_of(kind));
    const auto two = collective(torus(8, 8, 8), mesh_of(8, 8), request_of(kind));
    const auto three = collective(torus(8, 8, 8), mesh_of(8, 8, 8), request_of(kind));
    CHECK(bandwidth_time(two) < bandwidth_time(one));
    CHECK(bandwidth_time(three) < bandwidth_time(two));
  }
}

TEST_CASE("a switched network sees only how many chips there are") {
  for (const auto kind : kGathers) {
    const auto flat = collective(h100(), mesh_of(48), request_of(kind));
    CHECK(collective(h100(), mesh_of(4, 6, 2), request_of(kind)).values() == flat.values());
    CHECK(
        collective(h100(), mesh_of(1, 1, 48, {{"direction", Direction::kOneWay}}), request_of(kind))
            .values() == flat.values());
  }
}

}  // namespace
}  // namespace scaling::test::collective_test
