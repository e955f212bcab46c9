// SPDX-License-Identifier: MIT
//
// The contents of each chip, step by step: the steps begin with what each chip has, end with what
// the collective promises, lose and invent nothing on the way, and send only over links there are.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "scaling/views/collective_steps.hpp"
#include "support.hpp"

namespace scaling::test::collective_steps_test {
namespace {

using enum CollectiveKind;

/// A chip's network and a mesh on it.
struct Place {
  Raw<Chip> chip;
  Raw<Mesh> mesh;
};

Raw<Mesh> mesh_of(double x, double y = 1, double z = 1) {
  return make<Mesh>({{"x", x}, {"y", y}, {"z", z}});
}

/// Every network for 2 to 16 chips: lines, rings both ways and one way, several axes, switches.
std::vector<Place> places() {
  std::vector<Place> result;
  const auto add = [&](const Raw<Mesh>& mesh) {
    auto chip = with(tpu_v5p(), {{"wraparound", Wraparound::kNever}});
    result.push_back({chip, mesh});
    // Each axis as long as the pod's.
    for (const auto& [pod, axis] : {std::pair{"torusX", "x"}, {"torusY", "y"}, {"torusZ", "z"}}) {
      chip = with(chip, {{pod, mesh.values[index_of<Mesh>(axis)]}});
    }
    chip = with(chip, {{"wraparound", Wraparound::kFullAxis}});
    result.push_back({chip, mesh});
    result.push_back({chip, with(mesh, {{"direction", Direction::kOneWay}})});
    result.push_back({tpu_v5p(), mesh});  // rings of whole cubes, lines of the rest
    for (const double domain : {1.0, 2.0, 4.0, 72.0}) {
      result.push_back(
          {with(h100(), {{"scaleUpChips", domain}, {"leafDomains", domain < 3 ? 2 : 32}}), mesh});
    }
  };
  for (double chips = 2; chips <= 16; ++chips) add(mesh_of(chips));
  for (double x = 1; x <= 8; ++x) {
    for (double y = 2; x * y <= 16; ++y) add(mesh_of(x, y));
  }
  for (double x = 1; x <= 4; ++x) {
    for (double y = 1; x * y <= 8; ++y) {
      for (double z = 2; x * y * z <= 16; ++z) add(mesh_of(x, y, z));
    }
  }
  return result;
}

CollectiveRequest<double> request_of(CollectiveKind kind, const Settings& others = {}) {
  return typed(with(make<CollectiveRequest>({{"kind", kind}}), others));
}

CollectiveSteps told_of(const Place& place, const CollectiveRequest<double>& request) {
  return make_collective_steps(typed(place.chip), typed(place.mesh), request);
}

double steps_of(const Place& place, const CollectiveRequest<double>& request) {
  return collective_cost(typed(place.chip), typed(place.mesh), request).steps.value();
}

/// Calls `test` with each place and the steps told of it.
template <class Test>
void each_place(CollectiveKind kind, Test test) {
  for (const Place& place : places()) {
    auto told = told_of(place, request_of(kind));
    const auto mesh = typed(place.mesh);
    INFO("network " << static_cast<int>(typed(place.chip).network) << ", " << mesh.x.value()
                    << " x " << mesh.y.value() << " x " << mesh.z.value());
    REQUIRE(told.chips == static_cast<std::size_t>(mesh.chips().value()));
    test(place, told);
  }
}

/// Whether at a moment each chip holds of each part what `expected(chip, part)` says.
template <class Expected>
bool holds(CollectiveSteps& told, std::size_t step, Expected expected) {
  const auto moment = told.moment(step);
  for (std::size_t chip = 0; chip < told.chips; ++chip) {
    for (std::size_t part = 0; part < told.chips; ++part) {
      if (moment[chip * told.chips + part] != expected(chip, part)) return false;
    }
  }
  return true;
}

std::size_t all_pieces(CollectiveSteps& told, std::size_t step) {
  const auto moment = told.moment(step);
  return std::accumulate(moment.begin(), moment.end(), std::size_t{0});
}

TEST_CASE("a gather begins with a part on each chip and ends with all on all") {
  each_place(kAllGather, [](const Place&, CollectiveSteps& told) {
    CHECK(holds(told, 0, [](std::size_t chip, std::size_t part) { return chip == part; }));
    CHECK(holds(told, told.steps, [](std::size_t, std::size_t) { return 1; }));
    // A chip keeps all that it has, and each step brings something.
    for (std::size_t step = 1; step <= told.steps; ++step) {
      const auto before = told.moment(step - 1);
      CHECK(holds(told, step, [&](std::size_t chip, std::size_t part) {
        const std::size_t at = chip * told.chips + part;
        return before[at] == 1 ? 1 : told.moment(step)[at];
      }));
      CHECK(all_pieces(told, step) > all_pieces(told, step - 1));
    }
  });
}

TEST_CASE("a reduction begins with all on all and ends with one whole sum on each chip") {
  each_place(kReduceScatter, [](const Place&, CollectiveSteps& told) {
    CHECK(holds(told, 0, [](std::size_t, std::size_t) { return 1; }));
    CHECK(holds(told, told.steps,
                [&](std::size_t chip, std::size_t part) { return chip == part ? told.chips : 0; }));
    // At each moment, each part is there once from each chip.
    for (std::size_t step = 0; step <= told.steps; ++step) {
      for (std::size_t part = 0; part < told.chips; ++part) {
        std::size_t pieces = 0;
        for (std::size_t chip = 0; chip < told.chips; ++chip) {
          pieces += told.moment(step)[chip * told.chips + part];
        }
        CHECK(pieces == told.chips);
      }
    }
  });
}

TEST_CASE("an AllReduce ends with all sums on all chips: a reduction, then a gather") {
  each_place(kAllReduce, [](const Place& place, CollectiveSteps& told) {
    CHECK(holds(told, 0, [](std::size_t, std::size_t) { return 1; }));
    CHECK(holds(told, told.steps, [&](std::size_t, std::size_t) { return told.chips; }));
    auto reduction = told_of(place, request_of(kReduceScatter));
    auto gather = told_of(place, request_of(kAllGather));
    REQUIRE(told.steps == reduction.steps + gather.steps);
    for (std::size_t step = 0; step <= reduction.steps; ++step) {
      CHECK(holds(told, step, [&](std::size_t chip, std::size_t part) {
        return reduction.moment(step)[chip * told.chips + part];
      }));
    }
    for (std::size_t step = 0; step <= gather.steps; ++step) {
      CHECK(holds(told, reduction.steps + step, [&](std::size_t chip, std::size_t part) {
        return gather.moment(step)[chip * told.chips + part] * told.chips;
      }));
    }
  });
}

TEST_CASE("an AllToAll begins with a piece for each on each chip and ends with its own on each") {
  each_place(kAllToAll, [](const Place&, CollectiveSteps& told) {
    CHECK(holds(told, 0, [](std::size_t, std::size_t) { return 1; }));
    CHECK(holds(told, told.steps,
                [&](std::size_t chip, std::size_t part) { return chip == part ? told.chips : 0; }));
    for (std::size_t step = 0; step <= told.steps; ++step) {
      CHECK(all_pieces(told, step) == told.chips * told.chips);
    }
  });
}

/// Links from chip to chip of a mesh on a torus, by the rules that the tests of collectives have.
struct Links {
  std::array<int, 3> lengths;
  std::array<bool, 3> rings;
  bool one_way;

  explicit Links(const Place& place) {
    const auto chip = typed(place.chip);
    const auto mesh = typed(place.mesh);
    lengths = {static_cast<int>(mesh.x.value()), static_cast<int>(mesh.y.value()),
               static_cast<int>(mesh.z.value())};
    const double pod[] = {chip.torus_x.value(), chip.torus_y.value(), chip.torus_z.value()};
    bool cubes = true;
    for (const int x : lengths) cubes = cubes && (x == 1 || x % 4 == 0);
    for (std::size_t i = 0; i < 3; ++i) {
      const bool closes = chip.wraparound == Wraparound::kCubes      ? cubes
                          : chip.wraparound == Wraparound::kFullAxis ? lengths[i] >= pod[i]
                                                                     : false;
      rings[i] = closes && lengths[i] > 2;
    }
    one_way = mesh.direction == Direction::kOneWay;
  }

  bool join(std::size_t from, std::size_t to) const {
    int different = 0;
    bool joined = false;
    auto a = static_cast<int>(from);
    auto b = static_cast<int>(to);
    for (std::size_t i = 0; i < 3; ++i) {
      const int x = lengths[i];
      const int ahead = (b % x - a % x + x) % x;
      if (ahead != 0) {
        ++different;
        const bool next = b % x - a % x == 1 || (rings[i] && ahead == 1);
        const bool back = b % x - a % x == -1 || (rings[i] && ahead == x - 1);
        joined = next || (back && !(one_way && rings[i]));
      }
      a /= x;
      b /= x;
    }
    return different == 1 && joined;
  }
};

TEST_CASE("what a chip of a torus gains in a step, a neighbour had before") {
  each_place(kAllGather, [](const Place& place, CollectiveSteps& told) {
    if (typed(place.chip).network != Network::kTorus) return;
    const Links links(place);
    const std::size_t n = told.chips;
    bool sound = true;
    double busiest = 0;  // parts over the links of the chip that receives most, added up
    for (std::size_t step = 1; step <= told.steps; ++step) {
      const auto before = told.moment(step - 1);
      const auto after = told.moment(step);
      double most = 0;
      for (std::size_t to = 0; to < n; ++to) {
        double gained = 0;
        double neighbours = 0;
        for (std::size_t from = 0; from < n; ++from) neighbours += links.join(from, to) ? 1 : 0;
        for (std::size_t part = 0; part < n; ++part) {
          if (after[to * n + part] == before[to * n + part]) continue;
          ++gained;
          bool had = false;
          for (std::size_t from = 0; from < n; ++from) {
            had = had || (before[from * n + part] == 1 && links.join(from, to));
          }
          sound = sound && had;
        }
        most = std::max(most, gained / neighbours);
      }
      busiest += most;
    }
    CHECK(sound);
    // No chip takes in what is drawn in less time than is told.
    const auto chip = typed(place.chip);
    const auto request = request_of(kAllGather);
    const auto cost = collective_cost(chip, typed(place.mesh), request);
    const double drawn =
        busiest * request.bytes.value() / static_cast<double>(n) / chip.link_bandwidth.value();
    const bool even_rings = [&] {
      bool all = true;
      for (std::size_t i = 0; i < 3; ++i) {
        const int x = links.lengths[i];
        all = all && (x == 1 || (links.rings[i] && !links.one_way && x % 2 == 0));
      }
      return all;
    }();
    // The book's even ring sends the farthest shard whole on both ways; a chip takes it once.
    const double counted = cost.bandwidth_time.value.value() *
                           (even_rings ? static_cast<double>(n - 1) / static_cast<double>(n) : 1);
    CHECK(drawn >= counted * (1 - 1e-12));
  });
}

TEST_CASE("as many steps are told as the cost counts") {
  for (const auto kind : {kAllGather, kReduceScatter, kAllReduce, kAllToAll}) {
    each_place(kind, [&](const Place& place, CollectiveSteps& told) {
      CHECK(static_cast<double>(told.steps) == steps_of(place, request_of(kind)));
    });
  }
}

TEST_CASE("switches that add do so on the way: no steps back") {
  const auto request = request_of(kAllReduce, {{"inNetworkReduction", 1}});
  for (const Place& place : places()) {
    if (typed(place.chip).network != Network::kSwitched) continue;
    auto told = told_of(place, request);
    CHECK(static_cast<double>(told.steps) == steps_of(place, request));
    CHECK(holds(told, 0, [](std::size_t, std::size_t) { return 1; }));
    CHECK(holds(told, told.steps, [&](std::size_t, std::size_t) { return told.chips; }));
  }
}

TEST_CASE("a message goes from the first chip to its goal, one hop a step") {
  for (const Place& place : places()) {
    const auto mesh = typed(place.mesh);
    const bool torus = typed(place.chip).network == Network::kTorus;
    const auto last = static_cast<int>(mesh.chips().value()) - 1;
    for (int goal = torus ? 0 : last; goal <= last; ++goal) {
      const auto x = static_cast<int>(mesh.x.value());
      const auto y = static_cast<int>(mesh.y.value());
      const auto request = request_of(
          kPointToPoint,
          {{"distanceX", goal % x}, {"distanceY", goal / x % y}, {"distanceZ", goal / x / y}});
      auto told = told_of(place, request);
      INFO("to " << goal << " of " << last);
      if (torus) CHECK(static_cast<double>(told.steps) == steps_of(place, request));
      for (std::size_t step = 0; step <= told.steps; ++step) {
        CHECK(all_pieces(told, step) == 1);
      }
      CHECK(told.moment(0)[0] == 1);
      CHECK(told.moment(told.steps)[static_cast<std::size_t>(goal) * told.chips] == 1);
    }
  }
}

TEST_CASE("around a ring both neighbours send at once, one way only the one before") {
  const Place both{with(tpu_v5e(), {{"torusX", 5}}), mesh_of(5)};
  auto told = told_of(both, request_of(kAllGather));
  CHECK(told.steps == 2);
  CHECK(holds(told, 1, [](std::size_t chip, std::size_t part) {
    return part == chip || part == (chip + 1) % 5 || part == (chip + 4) % 5;
  }));
  const Place one{both.chip, with(both.mesh, {{"direction", Direction::kOneWay}})};
  auto slow = told_of(one, request_of(kAllGather));
  CHECK(slow.steps == 4);
  CHECK(holds(slow, 1, [](std::size_t chip, std::size_t part) {
    return part == chip || part == (chip + 4) % 5;
  }));
}

TEST_CASE("on a line only neighbours send, and the ends do not meet") {
  const Place line{tpu_v5e(), mesh_of(4)};
  auto told = told_of(line, request_of(kAllGather));
  CHECK(told.steps == 3);
  for (std::size_t step = 0; step <= 3; ++step) {
    CHECK(holds(told, step, [&](std::size_t chip, std::size_t part) {
      return std::abs(static_cast<int>(chip) - static_cast<int>(part)) <= static_cast<int>(step);
    }));
  }
}

TEST_CASE("switched domains gather inside first, then across") {
  const Place nodes{with(h100(), {{"scaleUpChips", 4}}), mesh_of(8)};
  auto told = told_of(nodes, request_of(kAllGather));
  // Two steps among the four of a domain, each doubling what is held, then one across.
  CHECK(told.steps == 3);
  CHECK(holds(told, 2, [](std::size_t chip, std::size_t part) { return chip / 4 == part / 4; }));
}

TEST_CASE("more than 16 chips, or one alone, are told no steps") {
  for (const double chips : {1.0, 17.0, 1e6}) {
    const auto told = told_of({h100(), mesh_of(chips)}, request_of(kAllReduce));
    CHECK(told.chips == 0);
    CHECK(told.steps == 0);
  }
  CHECK(told_of({h100(), mesh_of(1e6, 1e6, 1e6)}, request_of(kAllReduce)).chips == 0);
  CHECK(told_of({tpu_v5e(), mesh_of(16)}, request_of(kAllReduce)).chips == 16);
}

TEST_CASE("a chip without a network still tells who would hold what") {
  const Place place{with(h100(), {{"network", Network::kNone}}), mesh_of(4)};
  auto told = told_of(place, request_of(kAllGather));
  CHECK(holds(told, told.steps, [](std::size_t, std::size_t) { return 1; }));
}

}  // namespace
}  // namespace scaling::test::collective_steps_test
