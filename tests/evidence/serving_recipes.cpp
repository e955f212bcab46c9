// SPDX-License-Identifier: MIT
#include "serving_recipes.hpp"

#include <algorithm>
#include <fstream>

namespace scaling::evidence {
namespace {

bool same(const CsvRow& row, const CsvRow& recipe, const char* column) {
  return cell_of(row, column) == cell_of(recipe, column);
}

bool drafts(const CsvRow& recipe) { return cell_of(recipe, "draft_tokens") != "0"; }

bool states_workers(const CsvRow& row) { return !cell_of(row, "decode_num_workers").empty(); }

bool matches(const CsvRow& row, const CsvRow& recipe) {
  for (const char* column : {"backend", "system", "precision", "isl", "osl", "concurrency"}) {
    if (!same(row, recipe, column)) return false;
  }
  if (cell_of(row, "model_path").find(cell_of(recipe, "model")) == std::string::npos) return false;
  if (!states_workers(row)) return true;
  return same(row, recipe, "prefill_num_workers") && same(row, recipe, "decode_num_workers");
}

/// Whether two recipes start the same servers.
bool alike(const CsvRow& a, const CsvRow& b) {
  return std::all_of(a.begin(), a.end(), [&](const auto& cell) {
    return cell.first == "recipe" || cell.second == cell_of(b, cell.first);
  });
}

}  // namespace

std::vector<CsvRow> read_serving_recipes(const std::string& folder, std::string& error) {
  const auto file = folder + "/serving-recipes.csv";
  std::ifstream stream(file);
  auto table = csv_table(stream);
  if (table.rows.empty()) error = "cannot read " + file;
  return std::move(table.rows);
}

const CsvRow* recipe_of(const CsvRow& row, const std::vector<CsvRow>& recipes) {
  const CsvRow* found = nullptr;
  for (const auto& recipe : recipes) {
    if (!matches(row, recipe)) continue;
    if (drafts(recipe)) {
      if (states_workers(row)) continue;
      return nullptr;
    }
    if (found != nullptr && !alike(*found, recipe)) return nullptr;
    found = &recipe;
  }
  return found;
}

}  // namespace scaling::evidence
