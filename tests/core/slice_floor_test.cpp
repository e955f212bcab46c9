// SPDX-License-Identifier: MIT
//
// Collectives against physics: a slice is a graph of links, of which every cut has to carry what
// one side has to get from the other. The graph, its cuts and its floors are this file's own.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "support.hpp"

namespace scaling::test {
namespace {

using enum CollectiveKind;

constexpr double kBytes = 16e9;
constexpr double kLink = 4.5e10;

using Shape = std::array<int, 3>;

/// The rule by which axes of a slice close.
enum class Rule { kLines, kRings, kOneWayRings, kV5e, kV5p };
constexpr Rule kRules[] = {Rule::kLines, Rule::kRings, Rule::kOneWayRings, Rule::kV5e, Rule::kV5p};

/// The directed links of a slice, each of one unit.
struct Slice {
  Shape shape;
  std::array<bool, 3> rings{};
  bool one_way;
  int chips;
  std::vector<std::array<int, 2>> links;

  Slice(const Shape& lengths, Rule rule)
      : shape(lengths),
        one_way(rule == Rule::kOneWayRings),
        chips(lengths[0] * lengths[1] * lengths[2]) {
    const bool cubes =
        std::all_of(shape.begin(), shape.end(), [](int x) { return x == 1 || x % 4 == 0; });
    int stride = 1;
    for (std::size_t i = 0; i < 3; ++i) {
      const int x = shape[i];
      // Two chips have one link each way.
      rings[i] = x > 2 && (rule == Rule::kRings || rule == Rule::kOneWayRings ||
                           (rule == Rule::kV5e && x == 16) || (rule == Rule::kV5p && cubes));
      for (int from = 0; from < chips; ++from) {
        const int place = from / stride % x;
        const int next = from + (place + 1 == x ? 1 - x : 1) * stride;
        if (place + 1 == x && !rings[i]) continue;
        links.push_back({from, next});
        if (!(one_way && rings[i])) links.push_back({next, from});
      }
      stride *= x;
    }
  }

  /// Links into the chips of which `inside` says yes.
  template <class Inside>
  double into(Inside inside) const {
    double width = 0;
    for (const auto& [from, to] : links) width += !inside(from) && inside(to) ? 1 : 0;
    return width;
  }

  bool even_rings() const {
    for (std::size_t i = 0; i < 3; ++i) {
      if (shape[i] > 1 && (!rings[i] || one_way || shape[i] % 2 != 0)) return false;
    }
    return true;
  }

  std::string name() const {
    std::string text;
    for (std::size_t i = 0; i < 3; ++i) {
      text += std::to_string(shape[i]) + (rings[i] ? "o " : "- ");
    }
    return text;
  }
};

/// Least seconds of a gather and of an AllToAll, by the cuts that were tried.
struct Floors {
  double gather = 0;
  double all_to_all = 0;

  void add(double members, double chips, double width) {
    const double others = chips - members;
    gather = std::max(gather, kBytes / chips * others / (width * kLink));
    all_to_all = std::max(all_to_all, kBytes / chips / chips * others * members / (width * kLink));
  }
};

/// The floors of every cut of a slice of few chips.
Floors floors_of_all_cuts(const Slice& slice) {
  Floors floors;
  const std::uint32_t all = (1u << slice.chips) - 1;
  for (std::uint32_t set = 1; set < all; ++set) {
    double width = 0;
    for (const auto& [from, to] : slice.links) {
      width += (set >> from & 1) == 0 && (set >> to & 1) == 1 ? 1 : 0;
    }
    int members = 0;
    for (std::uint32_t rest = set; rest != 0; rest &= rest - 1) ++members;
    floors.add(members, slice.chips, width);
  }
  return floors;
}

/// The floors of all boxes with a corner in the slice's: among them each corner, each half, each
/// end.
Floors floors_of_boxes(const Slice& slice) {
  Floors floors;
  const auto& [a, b, c] = slice.shape;
  for (int x = 1; x <= a; ++x) {
    for (int y = 1; y <= b; ++y) {
      for (int z = 1; z <= c; ++z) {
        if (x * y * z == slice.chips) continue;
        const double width = slice.into([&, &of_x = a, &of_y = b](int chip) {
          return chip % of_x < x && chip / of_x % of_y < y && chip / of_x / of_y < z;
        });
        floors.add(x * y * z, slice.chips, width);
      }
    }
  }
  return floors;
}

Raw<Chip> chip_of(const Shape& shape, Rule rule) {
  if (rule == Rule::kV5p) return with(tpu_v5p(), {{"linkBandwidth", kLink}});
  const auto chip = with(tpu_v5e(), {{"linkBandwidth", kLink}});
  if (rule == Rule::kV5e) return with(chip, {{"torusZ", 16}});
  return with(chip,
              {{"torusX", shape[0]},
               {"torusY", shape[1]},
               {"torusZ", shape[2]},
               {"wraparound", rule == Rule::kLines ? Wraparound::kNever : Wraparound::kFullAxis}});
}

double seconds(const Shape& shape, Rule rule, CollectiveKind kind) {
  const auto direction =
      rule == Rule::kOneWayRings ? Direction::kOneWay : Direction::kBidirectional;
  const auto mesh =
      make<Mesh>({{"x", shape[0]}, {"y", shape[1]}, {"z", shape[2]}, {"direction", direction}});
  const auto answers = collective(chip_of(shape, rule), mesh,
                                  make<CollectiveRequest>({{"kind", kind}, {"bytes", kBytes}}));
  return number<term::kCollectiveBandwidthTime>(answers);
}

constexpr double kRounding = 1e-12;

void check_floors(const Slice& slice, Rule rule, const Floors& floors) {
  CAPTURE(slice.name());
  const double gather = seconds(slice.shape, rule, kAllGather);
  CHECK(gather >= floors.gather * (1 - kRounding));
  // ForestColl (Zhao et al. 2024), theorem 1: trees that reach the widest cut's bound exist on
  // every graph, so no time above it is physics. An even ring is the book's V / 2W, and slices of
  // these.
  const double book = slice.even_rings() ? slice.chips / (slice.chips - 1.0) : 1;
  CHECK_THAT(gather, WithinRel(book * floors.gather, kRounding));
  CHECK(seconds(slice.shape, rule, kReduceScatter) == gather);
  CHECK(seconds(slice.shape, rule, kAllReduce) == 2 * gather);
  // Routes along one axis after the other reach what the cuts allow; one way around, a ring is
  // bound by the length of its ways instead.
  const double all_to_all = seconds(slice.shape, rule, kAllToAll);
  CHECK(all_to_all >= floors.all_to_all * (1 - kRounding));
  if (!slice.one_way) CHECK_THAT(all_to_all, WithinRel(floors.all_to_all, kRounding));
}

template <class Use>
void for_each_shape(int most_chips, int longest, Use use) {
  for (int x = 1; x <= longest; ++x) {
    for (int y = 1; y <= longest && x * y <= most_chips; ++y) {
      for (int z = 1; z <= longest && x * y * z <= most_chips; ++z) {
        if (x * y * z > 1) use(Shape{x, y, z});
      }
    }
  }
}

TEST_CASE("no collective on a slice beats any of its cuts, and a gather reaches the narrowest") {
  for (const Rule rule : kRules) {
    for_each_shape(12, 12, [&](const Shape& shape) {
      const Slice slice(shape, rule);
      check_floors(slice, rule, floors_of_all_cuts(slice));
    });
  }
}

TEST_CASE("no collective on a larger slice beats its corners, ends and halves") {
  for (const Rule rule : kRules) {
    for (const int x : {1, 2, 3, 4, 5, 8, 16}) {
      for (const int y : {1, 2, 4, 7, 16}) {
        for (const int z : {1, 2, 4}) {
          if (x * y * z <= 12) continue;
          const Slice slice({x, y, z}, rule);
          check_floors(slice, rule, floors_of_boxes(slice));
        }
      }
    }
  }
}

TEST_CASE("gathers of 16 GB on small slices: what a corner chip can receive, not less") {
  // Shares of the floor were once 0.67, 0.57, 0.69, 0.80 and 0.83.
  const auto of = [](const Raw<Chip>& chip, int x, int y, int z) {
    const auto mesh = make<Mesh>({{"x", x}, {"y", y}, {"z", z}});
    return number<term::kCollectiveTime>(
        collective(chip, mesh, make<CollectiveRequest>({{"bytes", kBytes}})));
  };
  const auto is = [](double bytes, double links, double bandwidth) {
    return WithinRel(bytes / links / bandwidth, 1e-14);
  };
  const auto v6e = with(tpu_v5e(), {{"linkBandwidth", 9e10}});
  CHECK_THAT(of(tpu_v5e(), 2, 2, 1), is(12e9, 2, 4.5e10));
  CHECK_THAT(of(tpu_v5p(), 2, 2, 2), is(14e9, 3, 9e10));
  CHECK_THAT(of(v6e, 2, 4, 1), is(14e9, 2, 9e10));
  CHECK_THAT(of(tpu_v5e(), 4, 4, 1), is(15e9, 2, 4.5e10));
  CHECK_THAT(of(tpu_v5e(), 4, 4, 1), WithinRel(0.16667, 1e-4));
  CHECK_THAT(of(v6e, 4, 8, 1), is(15.5e9, 2, 9e10));
  // A message of as many bytes over the same two links, diagonally.
  const auto message = collective(
      tpu_v5e(), make<Mesh>({{"x", 4}, {"y", 4}}),
      make<CollectiveRequest>(
          {{"kind", kPointToPoint}, {"bytes", 15e9}, {"distanceX", 3}, {"distanceY", 3}}));
  CHECK_THAT(of(tpu_v5e(), 4, 4, 1),
             WithinRel(number<term::kCollectiveBandwidthTime>(message), 1e-14));
}

TEST_CASE("parts of an array that take the axes in different orders use all links all the time") {
  // A part that goes along some axes last receives 1 - 1 / N of it along these, N their chips.
  // Parts that receive along each axis as many bytes as it has links exist if and only if none of
  // the sets of axes has to take more than that (a base of a polymatroid).
  for (const Rule rule : kRules) {
    for_each_shape(512, 16, [&](const Shape& shape) {
      const Slice slice(shape, rule);
      std::array<double, 3> links{};
      double all = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        links[i] = shape[i] == 1 ? 0 : slice.rings[i] && !slice.one_way ? 2 : 1;
        all += links[i];
      }
      bool possible = true;
      for (unsigned set = 1; set < 8; ++set) {
        double own = 0;
        double members = 1;
        for (unsigned i = 0; i < 3; ++i) {
          if ((set >> i & 1) == 0) continue;
          own += links[i];
          members *= shape[i];
        }
        const double wanted = own / all * (1 - 1.0 / slice.chips);
        possible = possible && wanted <= (1 - 1 / members) * (1 + kRounding);
      }
      CAPTURE(slice.name());
      CHECK(possible);
    });
  }
}

}  // namespace
}  // namespace scaling::test
