// Writes layers in the grammar of the core's `layerPattern`: `3xad.58xae`, `15x(3xle.ae)`.

/** Longer lists are written as runs alone: the search for repeats takes the square of the length. */
const searched = 512;

/** Layers of a group that repeats, at most. */
const widest = 32;

/** The shortest way to write the layers that is found by repeats of groups; groups do not nest. */
export function patternOf(layers: readonly string[]): string {
  const n = layers.length;
  if (n > searched) return runsOf(layers);
  // best[at] is the shortest text for the layers from `at` on, so it is filled from the end.
  const best: string[] = Array.from({ length: n + 1 }, () => '');
  for (let at = n - 1; at >= 0; at -= 1) {
    best[at] = joined(layers[at]!, best[at + 1]!);
    for (let width = 1; width <= Math.min(widest, (n - at) >> 1); width += 1) {
      const times = repeats(layers, at, width);
      if (times < 2) continue;
      const group = runsOf(layers.slice(at, at + width));
      const item = width === 1 ? group : `(${group})`;
      const written = joined(`${times}x${item}`, best[at + times * width]!);
      if (written.length < best[at]!.length) best[at] = written;
    }
  }
  return best[0]!;
}

const joined = (item: string, rest: string): string => (rest ? `${item}.${rest}` : item);

function repeats(layers: readonly string[], at: number, width: number): number {
  let end = at + width;
  while (end < layers.length && layers[end] === layers[end - width]) end += 1;
  return Math.floor((end - at) / width);
}

function runsOf(layers: readonly string[]): string {
  const items: string[] = [];
  for (let at = 0; at < layers.length;) {
    const times = repeats(layers, at, 1);
    items.push(times > 1 ? `${times}x${layers[at]!}` : layers[at]!);
    at += times;
  }
  return items.join('.');
}
