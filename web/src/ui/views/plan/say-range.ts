import type { RenderContext } from '../../kit/render-context.ts';

/** `64.5–88.0 days`: the unit once, where both have the same. */
export function sayRange(
  { format }: RenderContext,
  low: number,
  high: number,
  unit: string,
): string {
  const [from, to] = [format.read(low, unit), format.read(high, unit)];
  const behind = unit === '%' ? '%' : '';
  if (from.unit !== to.unit) return `${format.say(low, unit)}–${format.say(high, unit)}`;
  return to.unit && !behind
    ? `${from.number}–${format.say(high, unit)}`
    : `${from.number}–${to.number}${behind}`;
}
