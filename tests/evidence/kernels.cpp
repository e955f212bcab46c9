// SPDX-License-Identifier: MIT
#include "kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "errors.hpp"
#include "kernel_chips.hpp"
#include "training_runs.hpp"

namespace scaling::evidence {
namespace {

/// A list in JSON, written as its objects come: it may be long.
class Rows {
 public:
  explicit Rows(const std::string& file) {
    if (!file.empty()) file_ = std::fopen(file.c_str(), "w");
    if (file_ != nullptr) std::fputs("[", file_);
  }
  ~Rows() { close(); }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  void add(const KernelRow& row, const KernelTime<double>* time) {
    if (file_ == nullptr) return;
    Json object{{"kind", row.kind}, {"chip", row.chip}, {"row", row.row}};
    if (row.measured > 0) object["measured"] = row.measured;
    if (time == nullptr) {
      object["reason"] = row.reason;
    } else {
      object["floor"] = time->floor.value();
      object["expected"] = time->expected.value();
    }
    const auto text = object.dump(-1, ' ', true, Json::error_handler_t::replace);
    std::fprintf(file_, "%s\n%s", first_ ? "" : ",", text.c_str());
    first_ = false;
  }

  /// Whether all was written, or there was nothing to write to.
  bool close() {
    if (file_ == nullptr) return true;
    std::fputs("\n]\n", file_);
    const bool written = std::ferror(file_) == 0 && std::fclose(file_) == 0;
    file_ = nullptr;
    return written;
  }
  bool open() const { return file_ != nullptr; }

 private:
  std::FILE* file_ = nullptr;
  bool first_ = true;
};

/// Ratios of predicted to measured times of alike rows, and how many the floor was above.
struct Group {
  std::vector<double> ratios;
  std::size_t below_floor = 0;

  void print(const std::string& name) const {
    std::vector<double> errors(ratios.size());
    std::transform(ratios.begin(), ratios.end(), errors.begin(),
                   [](double ratio) { return 100 * std::abs(ratio - 1); });
    std::printf("  %-58s %7zu %7.1f %7.1f %+7.1f %7zu\n", name.c_str(), ratios.size(),
                quantile(errors, 0.5), quantile(errors, 0.9), 100 * (quantile(ratios, 0.5) - 1),
                below_floor);
  }
};

/// Sizes by which errors are told besides: the ones that the aims are stated for.
std::string size_of(const KernelRow& row) {
  if (const auto* matmul = std::get_if<MatmulKernel<double>>(&row.kernel)) {
    return matmul->shape.batch.value() >= 64 ? "64 rows or more" : "fewer than 64 rows";
  }
  if (const auto* collective = std::get_if<CollectiveKernel<double>>(&row.kernel)) {
    return collective->bytes.value() >= 65536 ? "from 64 KB" : "below 64 KB";
  }
  return "";
}

}  // namespace

std::vector<std::string> tables_of(const std::string& folder, std::string& error) {
  std::vector<std::string> tables;
  std::error_code problem;
  for (std::filesystem::directory_iterator each(folder, problem), end; !problem && each != end;
       each.increment(problem)) {
    if (each->path().extension() == ".csv") tables.push_back(each->path().string());
  }
  std::sort(tables.begin(), tables.end());
  if (tables.empty()) error = "no tables (*.csv) in " + folder;
  return tables;
}

int kernel_evidence(const std::string& shared, const std::string& folder, const std::string& out) {
  std::string error;
  const auto tables = tables_of(folder, error);
  const auto chips = read_kernel_chips(shared, error);
  Rows rows(out);
  if (error.empty() && !out.empty() && !rows.open()) error = "cannot write " + out;
  if (!error.empty()) {
    std::fprintf(stderr, "error: %s\n", error.c_str());
    return 1;
  }
  const ChipSource source = [&](const std::string& id, std::string& why) {
    const auto found = chips.find(id);
    if (found == chips.end()) {
      why = "chip is not known: " + id;
      return static_cast<const KernelChip<double>*>(nullptr);
    }
    if (!(found->second.chip.peak_in(KernelFormat::kBf16).value() > 0)) {
      why = "the chip lists no peak: " + id;
      return static_cast<const KernelChip<double>*>(nullptr);
    }
    return &found->second.chip;
  };

  std::map<std::string, Group> by_format, by_kind;
  std::map<std::string, std::size_t> reasons;
  std::size_t count = 0;
  for (const auto& table : tables) {
    read_kernel_rows(table, source, [&](KernelRow&& row) {
      ++count;
      if (!row.reason.empty()) {
        ++reasons[row.kind + ": " + row.reason];
        rows.add(row, nullptr);
        return;
      }
      const auto time = predict(chips.at(row.chip).chip, row.kernel);
      rows.add(row, &time);
      const double ratio = time.expected.value() / row.measured;
      const bool below = time.floor.value() > row.measured;
      const auto note = [&](Group& group) {
        group.ratios.push_back(ratio);
        group.below_floor += below ? 1 : 0;
      };
      const std::string size = size_of(row);
      note(by_format[row.kind + " " + row.chip + " " + row.format + (size.empty() ? "" : ", ") +
                     size]);
      note(by_kind[row.kind + (size.empty() ? "" : ", ") + size]);
    });
  }
  std::printf("  %-58s %7s %7s %7s %7s %7s\n", "kernels", "rows", "median", "p90", "bias",
              "< floor");
  for (const auto& [name, group] : by_format) group.print(name);
  std::printf("\n");
  for (const auto& [name, group] : by_kind) group.print(name);
  std::printf("\n%zu rows; not predicted:\n", count);
  for (const auto& [reason, rows_of] : reasons) {
    std::printf("  %7zu %s\n", rows_of, reason.c_str());
  }
  if (!rows.close()) {
    std::fprintf(stderr, "error: cannot write %s\n", out.c_str());
    return 1;
  }
  return 0;
}

}  // namespace scaling::evidence
