// SPDX-License-Identifier: MIT
#pragma once

#include "scaling/input/chip.hpp"
#include "scaling/quantity/term.hpp"

namespace scaling {

// How chips are bought, and which servers lie in what is bought. A chip on switches is bought with
// its whole domain: a node of 8, a rack of 72. On a torus, slices are powers of two.

namespace term {

inline constexpr Term kNodeChips{"nodeChips", "n_node", kChip, "definition"};

}  // namespace term

/// Domains of more chips than this are let in parts, as a torus is.
inline constexpr double kLargestNode = 256;

/// Chips of a domain that are bought together: 1 where they are bought one by one, as cards are
/// that a bridge or a cable joins in pairs.
template <class R>
Quantity<kChip, R> node_chips(const Chip<R>& chip) {
  const double domain = chip.domain_chips().value();
  const bool whole = chip.network == Network::kSwitched && domain > 2 && domain <= kLargestNode;
  return whole ? chip.domain_chips() : constant<kChip, R>(1);
}

/// Whether chips are let in slices of powers of two.
template <class R>
bool in_slices(const Chip<R>& chip) {
  return chip.network == Network::kTorus || chip.domain_chips().value() > kLargestNode;
}

/// The power of two that is no fewer than so many chips.
template <class R>
Quantity<kChip, R> slice_of(Quantity<kChip, R> chips) {
  const auto whole = ceil(as<kOne>(chips));
  const auto below = power_of_two_below(whole);
  return as<kChip>(below < whole ? 2.0 * below : below);
}

/// The fewest chips that can be bought and are no fewer than `chips`: whole nodes, or a slice.
template <class R>
Quantity<kChip, R> bought_chips(const Chip<R>& chip, Quantity<kChip, R> chips) {
  if (in_slices(chip)) return slice_of(chips);
  const auto node = node_chips(chip);
  if (node.value() <= 1) return ceil(chips);
  return ceil(chips / node) * node;
}

/// The most chips that can be bought and are no more than `chips`; 0 where there are none.
template <class R>
Quantity<kChip, R> bought_within(const Chip<R>& chip, Quantity<kChip, R> chips) {
  const auto whole = floor(as<kOne>(chips));
  if (in_slices(chip)) return as<kChip>(whole.value() < 1 ? whole : power_of_two_below(whole));
  const auto node = node_chips(chip);
  if (node.value() <= 1) return as<kChip>(whole);
  return floor(chips / node) * node;
}

/// Whether so many chips can be bought.
bool is_bought(const Chip<double>& chip, double chips);

/// Whether servers of so many chips leave none of a node idle: they divide it, and its trays where
/// it is a rack, or are whole nodes; on a torus they are slices.
bool is_server_size(const Chip<double>& chip, double chips);

}  // namespace scaling
