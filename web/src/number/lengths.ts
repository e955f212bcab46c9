// Lengths of requests that a reader pastes, as a list that a link holds.

/** Lengths that differ, as many as the core reads. */
const most = 32;

const number = String.raw`(\d+(?:\.\d+)?)`;
const item = new RegExp(`^${number}(?::${number})?$`);

/**
 * A column of lengths, of up to any number, with or without weights and a header, as a list in the
 * grammar of the core's `promptLengths`. Too many that differ are joined in even steps of their
 * logarithm, each at its mean, so that the mean of all stays; the longest stays by itself. What is
 * no such column stays as it is: the core says what is wrong with it.
 */
export function listOfLengths(text: string): string {
  const column = text.replace(/^[^\d\n]*\n/, '').trim();
  const items = column.split(/[\s,;]+/);
  if (items.length <= most) return column.replace(/\s*\n\s*/g, ', ');
  const weights = new Map<number, number>();
  for (const each of items) {
    const [, length, weight = '1'] = item.exec(each) ?? [];
    if (length === undefined) return text;
    weights.set(Number(length), (weights.get(Number(length)) ?? 0) + Number(weight));
  }
  const counted = [...weights].sort(([one], [other]) => one - other);
  const bins = counted.length > most ? joined(counted) : counted;
  return bins.map(([length, weight]) => `${length}:${Number(weight.toPrecision(9))}`).join(', ');
}

/** Lengths and their weights in rising order, as many as are read. */
function joined(counted: readonly (readonly [number, number])[]): [number, number][] {
  const [shortest] = counted[0]!;
  const [longest] = counted.at(-1)!;
  const logarithm = (length: number): number => Math.log(Math.max(1, length));
  const step = (logarithm(longest) - logarithm(shortest)) / (most - 1);
  const bins = new Map<number, { tokens: number; weight: number }>();
  for (const [length, weight] of counted) {
    const place = Math.floor((logarithm(length) - logarithm(shortest)) / step);
    const at = length === longest ? most : Math.min(place, most - 2);
    const { tokens, weight: others } = bins.get(at) ?? { tokens: 0, weight: 0 };
    bins.set(at, { tokens: tokens + length * weight, weight: others + weight });
  }
  return [...bins.values()].map(({ tokens, weight }) => [Math.round(tokens / weight), weight]);
}
