// SPDX-License-Identifier: MIT
//
// Checks of a golden, and of the list of all goldens.

#include <algorithm>
#include <cmath>
#include <utility>

#include "golden.hpp"

namespace scaling::test {
namespace {

constexpr const char* kFiles[] = {"book", "engineering"};

const nlohmann::json& file(const std::string& name) {
  static std::map<std::string, nlohmann::json> files;
  const auto [found, fresh] = files.try_emplace(name);
  if (fresh) found->second = read_json(SCALING_GOLDEN_DIR "/" + name + ".json");
  return found->second;
}

std::set<std::pair<std::string, std::string>>& runners() {
  static std::set<std::pair<std::string, std::string>> ids;
  return ids;
}

}  // namespace

bool announce_golden(const char* file_name, const char* id) {
  return runners().emplace(file_name, id).second;
}

void check_golden(const char* file_name, const char* id, Runner run, double precision) {
  const auto& cases = file(file_name).at("cases");
  const auto golden =
      std::find_if(cases.begin(), cases.end(), [&](const auto& item) { return item["id"] == id; });
  REQUIRE(golden != cases.end());
  INFO(golden->at("question").get<std::string>());

  const Given given(golden->at("inputs").get<std::map<std::string, double>>(),
                    golden->value("model", ""));
  const auto unit = golden->at("unit").get<std::string>();
  const double core = run(given) / file(file_name).at("units").at(unit).get<double>();
  CHECK(given.all_read());
  const bool measured = golden->at("kind") == "measurement";
  if (!measured || !golden->at("value").is_null()) {
    CHECK_THAT(core, WithinRel(golden->at("value").get<double>(), precision));
  }

  if (golden->at("published").is_null()) return;
  const double published = golden->at("published").get<double>();
  INFO("published " << published << ", the core says " << core);
  if (measured) {
    // The core bounds what can be measured, and is no bound at all if it is far off.
    CHECK(core <= published);
    CHECK(core > published / 10);
    return;
  }
  const double off = std::fabs(published - core);
  const double allowed = golden->at("publishedTolerance").get<double>() * std::fabs(core);
  if (golden->at("agrees").get<bool>()) {
    CHECK(off <= allowed + kPrecise * std::fabs(core));
  } else {
    // An erratum stays one: if the core came round to it, one of the two would be wrong.
    CHECK(off > allowed);
    CHECK(!golden->at("note").get<std::string>().empty());
  }
}

TEST_CASE("every golden has a runner, and only once") {
  std::set<std::pair<std::string, std::string>> goldens;
  for (const std::string name : kFiles) {
    for (const auto& golden : file(name).at("cases")) {
      const auto id = golden["id"].get<std::string>();
      INFO(name << " " << id);
      CHECK(goldens.emplace(name, id).second);
      CHECK(runners().count({name, id}) == 1);
    }
  }
  CHECK(goldens.size() == runners().size());
}

}  // namespace scaling::test
