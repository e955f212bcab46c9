/** Chips beyond which nothing is tried. */
const mostChips = 2 ** 16;

/**
 * The fewest chips of which `holds` is true; undefined if none are. More chips never hold less, as
 * some may stay idle: so they are found by doubling, and then by halves.
 */
export function fewestChips(
  holds: (chips: number) => boolean,
  most = mostChips,
): number | undefined {
  let enough = 1;
  while (!holds(enough)) {
    enough *= 2;
    if (enough > most) return undefined;
  }
  let tooFew = enough / 2;
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (holds(middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}
