// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <tuple>

#include "predictions.hpp"

namespace scaling::evidence {

int sample_kernels(const std::string& shared, const std::string& folder, const std::string& out) {
  std::string error;
  const auto tables = tables_of(folder, error);
  const auto chips = read_kernel_chips(shared, error);
  std::ifstream stream(shared + "/kernels.json");
  Json head = Json::parse(stream, nullptr, false);
  if (error.empty() && !head.is_object()) error = "cannot read kernels.json in " + shared;
  if (!error.empty()) {
    std::fprintf(stderr, "error: %s\n", error.c_str());
    return 1;
  }
  const ChipSource source = [&](const std::string& id, std::string& why) {
    const auto found = chips.find(id);
    if (found == chips.end()) why = "chip is not known: " + id;
    return found == chips.end() ? nullptr : &found->second.chip;
  };
  std::map<std::pair<std::string, std::string>, std::vector<KernelRow>> groups;
  for (const auto& table : tables) {
    read_kernel_rows(table, source, [&](KernelRow&& row) {
      if (!row.reason.empty() || row.kind != "gemm") return;
      auto& group = groups[{row.chip, row.format}];
      group.push_back(std::move(row));
    });
  }
  Json rows = Json::array();
  for (auto& each : groups) {
    auto& group = each.second;
    const auto key = [](const KernelRow& row) {
      const auto& kernel = std::get<MatmulKernel<double>>(row.kernel);
      return std::make_tuple(intensity_of(kernel), kernel.shape.batch.value(),
                             kernel.shape.output.value(), row.row);
    };
    std::sort(group.begin(), group.end(),
              [&](const KernelRow& a, const KernelRow& b) { return key(a) < key(b); });
    const std::size_t count = std::min(kSampled, group.size());
    for (std::size_t i = 0; i < count; ++i) {
      const auto& row = group[(2 * i + 1) * group.size() / (2 * count)];
      const auto& shape = std::get<MatmulKernel<double>>(row.kernel).shape;
      rows.push_back({row.chip, row.format, plain(shape.batch.value()), plain(shape.output.value()),
                      plain(shape.contraction.value()), with_digits(1e3 * row.measured)});
    }
  }
  head["kernels"] = rows;
  const auto text = kernels_text(head, chips, error);
  std::ofstream file(out);
  file << text;
  if (!error.empty() || !file) {
    std::fprintf(stderr, "error: %s\n", error.empty() ? "cannot write" : error.c_str());
    return 1;
  }
  std::printf("%zu kernels\n", rows.size());
  return 0;
}

}  // namespace scaling::evidence
