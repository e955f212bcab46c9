import { nothing, svg, type TemplateResult } from 'lit';
import { small } from './axes.ts';
import type { Kind } from './data.ts';
import { pattern } from './looks.ts';
import { px } from './shape.ts';
import type { Measure } from './text.ts';
import { cutBy } from './wrap.ts';

export const letterOf = ({ letter }: Kind, index: number): string =>
  letter ?? String.fromCharCode(65 + (index % 26));

/** The fill of paths: `url(#kind-3)`. */
export const patterns = (kinds: readonly Kind[]): TemplateResult => svg`<defs>
  ${kinds.map(({ look }, index) => pattern(`kind-${index}`, look, true))}
  ${hatching('beyond')}
</defs>`;

/** A pattern for where there is nothing, or too much. */
export const hatching = (id: string): TemplateResult =>
  svg`<pattern id=${id} width="6" height="6" patternUnits="userSpaceOnUse">
    <path class=${id} d="M-1 1l2 -2M0 6l6 -6M5 7l2 -2" />
  </pattern>`;

/** A rectangle of a path. */
export const rectangle = (x: number, y: number, width: number, height: number): string =>
  `M${px(x)} ${px(y)}h${px(width)}v${px(height)}H${px(x)}z`;

/** Room that a letter needs upwards. */
export const letterHeight = 13;

/** Room that the letter of each kind needs across. */
export const letterWidths = (kinds: readonly Kind[], measure: Measure): number[] =>
  kinds.map((kind, index) => measure(letterOf(kind, index), 600, small) + 3);

/** The same letter at many places: one text, which places each of its characters. */
export interface Letters {
  x: number[];
  y: number[];
}

export const letters = (kinds: readonly Kind[], placed: readonly Letters[]): TemplateResult[] =>
  kinds.map((kind, index) => {
    const { x, y } = placed[index]!;
    if (x.length === 0) return svg``;
    return svg`<text class="letter halo middle" x=${x.join(' ')} y=${y.join(' ')}>${letterOf(kind, index).repeat(x.length)}</text>`;
  });

// ---- what the kinds are

const row = 20;
const swatch = { width: 20, height: 14 };
const gap = 24;

export interface Legend {
  height: number;
  entries: { kind: number; label: string; x: number; y: number; right: number }[];
}

/**
 * Columns of kinds, read downwards, each with room for a value at its right; `values` are as wide
 * as any will be. Only kinds that `occur` are listed.
 */
export function layLegend(
  kinds: readonly Kind[],
  occur: readonly boolean[],
  values: readonly string[],
  top: number,
  width: number,
  measure: Measure,
): Legend {
  const listed = kinds.flatMap((_, index) => (occur[index] ? [index] : []));
  const value = Math.max(0, ...values.map((text) => measure(text, 600, small))) + 10;
  const label = Math.max(0, ...listed.map((index) => measure(kinds[index]!.label, 400, small)));
  const needed = swatch.width + 6 + label + value;
  const columns = Math.max(1, Math.min(listed.length, Math.floor((width + gap) / (needed + gap))));
  const rows = Math.ceil(listed.length / columns);
  const across = Math.min(needed * 1.4, (width + gap) / columns - gap);
  return {
    height: rows * row,
    entries: listed.map((kind, index) => {
      const x = Math.floor(index / rows) * (across + gap);
      return {
        kind,
        label: cutBy(
          (text) => measure(text, 400, small),
          kinds[kind]!.label,
          across - swatch.width - 6 - value,
        ),
        x: px(x),
        y: top + (index % rows) * row,
        right: px(x + across),
      };
    }),
  };
}

/** `values` by kind; the `strong` one is under the pointer. */
export const legend = (
  kinds: readonly Kind[],
  { entries }: Legend,
  values: readonly string[],
  strong: number | undefined,
): TemplateResult => svg`<g class="legend" aria-hidden="true">
  ${entries.map(
    ({ kind, label, x, y, right }) => svg`
      <rect class="piece" x=${x} y=${y} width=${swatch.width} height=${swatch.height} fill="url(#kind-${kind})" />
      <text class="letter halo middle" x=${x + swatch.width / 2} y=${y + 11}>${letterOf(kinds[kind]!, kind)}</text>
      <text class=${kind === strong ? 'value' : ''} x=${x + swatch.width + 6} y=${y + 11}>${label}</text>
      ${values[kind] ? svg`<text class="end ${kind === strong ? 'value' : 'quiet'}" x=${right} y=${y + 11}>${values[kind]}</text>` : nothing}`,
  )}
</g>`;
