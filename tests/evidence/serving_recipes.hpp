// SPDX-License-Identifier: MIT
//
// Settings of servers that split prefill from decoding, which rows of shared/serving-silicon.csv
// leave out: the recipe with which a benchmark started them (shared/serving-recipes.csv).
#pragma once

#include <string>
#include <vector>

#include "csv.hpp"

namespace scaling::evidence {

/// The recipes of `folder`. Empty, with a message in `error`, if they can't be read.
std::vector<CsvRow> read_serving_recipes(const std::string& folder, std::string& error);

/// The recipe of a row, or null if none is known to be its own. A row matches by its system,
/// precision, lengths and users, and by its workers where it states them. Rows that state workers
/// have no drafts; of others it is not known, so that one with a drafting twin has no recipe.
const CsvRow* recipe_of(const CsvRow& row, const std::vector<CsvRow>& recipes);

}  // namespace scaling::evidence
