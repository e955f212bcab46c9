// Marks as SVG for the page.

import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Mark, PathMark, RectMark, TextMark } from './marks.ts';
import type { Hole, Outline } from './outline.ts';

interface Hatch {
  /** The class that colours its lines. */
  tone: string;
  size: number;
  d: string;
  turn?: number;
  /** Dots rather than lines. */
  filled?: boolean;
}

const line = 'M0 0V6';
const dots = (r: number): string =>
  `M${3 - r} 3a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

/** What lies over the colour of a piece, so that no two are told apart by colour alone. */
export const hatches: Readonly<Record<string, Hatch>> = {
  recomputed: { tone: 'paper', size: 6, d: line, turn: 45 },
  tensor: { tone: 'network', size: 6, d: line },
  context: { tone: 'network', size: 6, d: dots(1), filled: true },
  expert: { tone: 'network', size: 6, d: dots(1.6), filled: true },
  pipeline: { tone: 'network', size: 6, d: line, turn: 90 },
  data: { tone: 'network', size: 6, d: line, turn: 45 },
  host: { tone: 'network', size: 6, d: 'M0 0L6 6M6 0L0 6' },
  bubble: { tone: 'quiet', size: 6, d: line, turn: 45 },
  launch: { tone: 'quiet', size: 6, d: dots(1), filled: true },
  overhead: { tone: 'quiet', size: 6, d: line, turn: -45 },
  failures: { tone: 'ink', size: 6, d: 'M0 0L6 6M6 0L0 6' },
  states: { tone: 'paper thin', size: 8, d: 'M0 0V8', turn: 90 },
  logits: { tone: 'memory', size: 6, d: dots(1), filled: true },
  runtime: { tone: 'memory', size: 6, d: line, turn: -45 },
  alike: { tone: 'quiet', size: 6, d: line, turn: 45 },
  over: { tone: 'ink', size: 7, d: 'M0 0V7', turn: 45 },
};

const hatchOf = (look: string): string | undefined =>
  look.split(' ').find((word) => Object.hasOwn(hatches, word));

/** The hatches, and the ramp of stages that hold layers of all depths. */
export const definitions = (): TemplateResult => svg`<defs>
  ${Object.entries(hatches).map(
    ([name, { tone, size, d, turn = 0, filled = false }]) =>
      svg`<pattern id="drawn-${name}" width=${size} height=${size} patternUnits="userSpaceOnUse" patternTransform="rotate(${turn})">
        <path class="hatch ${tone} ${filled ? 'filled' : ''}" d=${d} />
      </pattern>`,
  )}
  <linearGradient id="drawn-ramp" x1="0" x2="1">
    <stop class="slate" offset="0" stop-opacity="0.35" />
    <stop class="slate" offset="1" />
  </linearGradient>
</defs>`;

function rect({ x, y, width, height, look, part = '' }: RectMark): TemplateResult {
  const wide = Math.max(0, width);
  const hatch = hatchOf(look);
  const place = (fill?: string): TemplateResult =>
    fill
      ? svg`<rect x=${x} y=${y} width=${wide} height=${height} fill=${fill} />`
      : svg`<rect class=${look} data-part=${part} x=${x} y=${y} width=${wide} height=${height} />`;
  return svg`${place()}${hatch ? place(`url(#drawn-${hatch})`) : ''}`;
}

const path = ({ d, look, shade = 1, thick, part = '' }: PathMark): TemplateResult =>
  look === 'chunks'
    ? svg`<path class=${look} data-part=${part} d=${d} fill="url(#drawn-ramp)" />`
    : svg`<path class=${look} data-part=${part} d=${d} fill-opacity=${shade} stroke-width=${thick ?? nothing} />`;

const text = ({ x, y, text, look, anchor, size, weight, part = '' }: TextMark): TemplateResult =>
  svg`<text class=${look} data-part=${part} x=${x} y=${y} text-anchor=${anchor} font-size=${size} font-weight=${weight}>${text}</text>`;

export const draw = (mark: Mark): TemplateResult =>
  mark.kind === 'rect' ? rect(mark) : mark.kind === 'path' ? path(mark) : text(mark);

const drawHole = ({ x, width, y, height, isOpen }: Hole): TemplateResult => {
  if (!isOpen) return svg`<rect x="${x}%" width="${width}%" y=${y} height=${height} />`;
  const [left, right, foot] = [`${x}%`, `${x + width}%`, y + height];
  return svg`<line x1=${left} x2=${left} y1=${y} y2=${foot} /><line x1=${left} x2=${right} y1=${foot} y2=${foot} /><line x1=${right} x2=${right} y1=${y} y2=${foot} />`;
};

/** Both forms: the page shows the one for its width. Heights are those of the drawing [px]. */
export const renderOutline = (
  outline: Outline,
  heights: readonly [narrow: number, wide: number],
): TemplateResult[] =>
  (['narrow', 'wide'] as const).map(
    (form, index) =>
      html`<svg class="outline ${form}" aria-hidden="true" width="100%" height=${heights[index]!}>
        ${outline[form].map(drawHole)}
      </svg>`,
  );
