import type { Bound } from './data.ts';

/** Signs of bounds in text, as everywhere on the page. */
export const glyphs: Record<Bound, string> = { compute: '●', memory: '■', network: '▲' };

/** The shape of a bound around 0, 0, of about the same area for each. */
export function shapePath(bound: Bound | undefined, radius: number): string {
  const r = radius;
  switch (bound) {
    case 'memory': {
      const half = r * 0.9;
      return `M${-half} ${-half}h${2 * half}v${2 * half}h${-2 * half}z`;
    }
    case 'network': {
      const half = r * 1.2;
      return `M0 ${-half * 1.05}L${half} ${half * 0.75}H${-half}z`;
    }
    default:
      return `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  }
}

/** Pixels to a tenth: what is finer cannot be seen and makes paths longer. */
export const px = (value: number): number => Math.round(value * 10) / 10;

/** The path of a circle around a point. */
export const circle = (x: number, y: number, r: number): string =>
  `M${px(x - r)} ${px(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
