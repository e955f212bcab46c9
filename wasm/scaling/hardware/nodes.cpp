// SPDX-License-Identifier: MIT
#include "scaling/hardware/nodes.hpp"

#include "scaling/quantity/divisors.hpp"

namespace scaling {
namespace {

/// Chips of a tray: racks of GB200, MI455X and Trainium3 have four on each.
double tray_of(double node) { return divides(4, node) ? 4 : divides(2, node) ? 2 : 1; }

}  // namespace

bool is_bought(const Chip<double>& chip, double chips) {
  return bought_chips(chip, Quantity<kChip, double>(chips)).value() == chips;
}

bool is_server_size(const Chip<double>& chip, double chips) {
  const double node = node_chips(chip).value();
  if (chips >= node) return is_bought(chip, chips);
  const double tray = tray_of(node);
  return divides(chips, node) && (divides(chips, tray) || divides(tray, chips));
}

}  // namespace scaling
