// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>

#include "inputs.hpp"

namespace scaling::test {

/// Gives one field in `one_in` of an object a value of any kind, by chance.
inline void change_fields(nlohmann::json& object, inputs::Numbers& numbers, std::size_t one_in) {
  using Json = nlohmann::json;
  static const Json values[] = {nullptr,
                                true,
                                -1,
                                0,
                                0.5,
                                1e18,
                                1e308,
                                "",
                                "unknown",
                                "none",
                                Json::array({1}),
                                Json::object({{"L", 4}}),
                                "FSDP2 8",
                                "fp8",
                                3,
                                7,
                                64};
  for (auto& field : object) {
    if (numbers.below(one_in) == 0) field = values[numbers.place(std::size(values))];
  }
}

}  // namespace scaling::test
