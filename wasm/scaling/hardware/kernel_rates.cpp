// SPDX-License-Identifier: MIT
#include "scaling/hardware/kernel_rates.hpp"

#include <array>
#include <span>

// Written by web/tools/efficiency.mjs from shared/efficiency.json, into the folder of the build.
#include <efficiency_table.hpp>

namespace scaling {
namespace {

using Table = std::array<KernelRates, kChipGenerations>;

/// Reads a table from its start to its end.
class TableReader {
 public:
  TableReader(std::span<const std::int16_t> digits, std::span<const std::int16_t> powers,
              ConstantId first_name)
      : digits_(digits), powers_(powers), first_name_(first_name) {}

  /// Sets of the next generation have the names of the last one's.
  void next_generation() { name_ = first_name_; }

  double next() {
    const double digits = digits_[at_];
    const int power = powers_[at_++];
    // Powers up to 22 are exact, so one division or product rounds as a literal does.
    double scale = 1;
    for (int i = power < 0 ? -power : power; i > 0; --i) scale *= 10;
    return power < 0 ? digits / scale : digits * scale;
  }

  template <class Set, std::size_t N>
  void operator()(Set& set, Constant Set::*const (&members)[N]) {
    for (const auto member : members) set.*member = Constant(next(), name_++);
    set.fitted = next() != 0;
  }

 private:
  std::span<const std::int16_t> digits_, powers_;
  std::size_t at_ = 0;
  ConstantId first_name_, name_ = 0;
};

Table training_table() {
  Table table{};
  TableReader reader(kTrainingDigits, kTrainingPowers, kTrainingNames);
  for (KernelRates& rates : table) {
    reader.next_generation();
    each_training_set(rates, [&](auto& set, const auto& members) { reader(set, members); });
  }
  return table;
}

Table whole_table() {
  Table table = training_table();
  TableReader reader(kOtherDigits, kOtherPowers, kOtherNames);
  for (KernelRates& rates : table) {
    reader.next_generation();
    each_other_set(rates, [&](auto& set, const auto& members) { reader(set, members); });
  }
  return table;
}

constexpr KernelConstants make_kernel_constants() {
  KernelConstants constants;
  set_kernels_constants(constants);
  return constants;
}

}  // namespace

constinit const KernelConstants kKernelConstants = make_kernel_constants();

const ConstantName& constant_name(ConstantId id) { return kNames[id]; }

const KernelRates& training_kernel_rates(ChipGeneration generation) {
  static const Table table = training_table();
  return table[static_cast<std::size_t>(generation)];
}

const KernelRates& kernel_rates(ChipGeneration generation) {
  static const Table table = whole_table();
  return table[static_cast<std::size_t>(generation)];
}

}  // namespace scaling
