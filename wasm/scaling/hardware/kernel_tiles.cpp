// SPDX-License-Identifier: MIT
#include "scaling/hardware/kernel_tiles.hpp"

#include <limits>

namespace scaling {

TileChoice choose_tiles(const TileWork& work, const MatmulRates& rates) {
  constexpr std::size_t kSplits = 5;  // 1, 2, 4, 8, 16 parts
  std::array<double, kSplits> depth{};
  std::size_t splits = 0;
  for (double parts = 1; splits < kSplits && (splits == 0 || parts <= rates.parts); parts *= 2) {
    depth[splits++] = kTileDepth * ceil_of(work.contraction / (kTileDepth * parts));
  }
  const double per_core = 1 / work.cores;
  TileChoice best{kTileSizes[0], 1};
  double least = std::numeric_limits<double>::infinity();
  double rows = 0;
  double row_blocks = 0;
  for (const TileSize& listed : kTileSizes) {
    const TileSize size{listed.rows < rates.least_tile ? rates.least_tile : listed.rows,
                        listed.columns < rates.least_tile ? rates.least_tile : listed.columns};
    if (size.rows != rows) {
      rows = size.rows;
      row_blocks = ceil_of(work.rows / rows) * work.copies * per_core;
    }
    double unit = work.element_time * size.rows * size.columns;
    const double feed = work.row_time * size.rows + work.column_time * size.columns;
    if (unit < feed) unit = feed;
    if (unit < rates.step) unit = rates.step;
    double waves = row_blocks * ceil_of(work.columns / size.columns);
    double parts = 1;
    for (std::size_t i = 0; i < splits; ++i, waves *= 2, parts *= 2) {
      double counted = waves < 1 ? 1 : waves;
      if (rates.wave > 0) {
        counted = (1 - rates.wave) * counted + rates.wave * ceil_of(waves);
      }
      double time = counted * (unit * depth[i] + rates.tile);
      if (i > 0) time += rates.split + work.part_time * parts;
      if (time < least) {
        least = time;
        best = {size, parts};
      }
      // More parts only keep cores at work that have none.
      if (waves >= 8 || (waves >= 1 && !(rates.wave > 0))) break;
    }
  }
  return best;
}

}  // namespace scaling
