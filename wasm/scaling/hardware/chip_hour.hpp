// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/chip.hpp"

namespace scaling {

namespace term {

inline constexpr Term kChipHourPrice{"chipHourPrice", "p_hour", kDollar / kChip / kHour,
                                     "definition"};

}  // namespace term

/// The cost of an hour of work of an owned chip [USD/chip/h]: its purchase over the hours that it
/// works, the power that it then draws with the site's overhead (`pue`), and its place in the hours
/// between them, too. It draws nothing while it is idle. Not listed where the purchase or the
/// power is not. A year has 365.25 days. The method is that of Cottier et al. 2024
/// (arXiv:2405.21015), with an even write-off in place of the fall of prices.
template <class R>
Maybe<Quantity<kDollar / kChip / kHour, R>> owned_chip_hour(const Chip<R>& chip,
                                                            const Count<R>& pue) {
  const auto life = chip.years * constant<kHour, R>(365.25 * 24);
  const auto hour = constant<kSecond / kHour, R>(3600);
  const auto kilowatt_hour = constant<kJoule / kKilowattHour, R>(3.6e6);
  return when_present(
      [&](auto purchase, auto power) {
        return purchase / (life * chip.utilisation) +
               power * hour / kilowatt_hour * pue * chip.tariff + chip.hosting / chip.utilisation;
      },
      chip.purchase, chip.power);
}

/// The price of an hour of a chip [USD/chip/h]: its list price, or what owning it comes to, which
/// `owned` says.
template <class R, class Owned>
Maybe<Quantity<kDollar / kChip / kHour, R>> chip_hour_by(const Chip<R>& chip, Owned owned) {
  return chip.payment == Payment::kRented ? chip.price : owned();
}

template <class R>
Maybe<Quantity<kDollar / kChip / kHour, R>> chip_hour(const Chip<R>& chip, const Count<R>& pue) {
  return chip_hour_by(chip, [&] { return owned_chip_hour(chip, pue); });
}

/// The same, for all questions: what owning a chip comes to is an answer of its own.
template <class R, class Answers>
Maybe<Quantity<kDollar / kChip / kHour, R>> answer_chip_hour(const Chip<R>& chip,
                                                             const Count<R>& pue, Answers& sheet) {
  return chip_hour_by(
      chip, [&] { return sheet.template put<term::kChipHourPrice>(owned_chip_hour(chip, pue)); });
}

}  // namespace scaling
