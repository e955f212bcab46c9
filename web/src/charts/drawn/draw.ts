// Marks as SVG for the page.

import { html, nothing, svg, type TemplateResult } from 'lit';
import { edgeOf, groundOf, isPart, looks, patterns, type Look } from '../kit/looks.ts';
import type { Mark, PathMark, RectMark, TextMark } from './marks.ts';
import type { Hole, Outline } from './outline.ts';

const allParts = Object.keys(looks).filter(isPart);

/** The textures, and the ramp of stages that hold layers of all depths. */
export const definitions = (): TemplateResult => svg`<defs>
  ${patterns('drawn', allParts)}
  <linearGradient id="drawn-ramp" x1="0" x2="1">
    <stop class="slate" offset="0" stop-opacity="0.35" />
    <stop class="slate" offset="1" />
  </linearGradient>
</defs>`;

function rect({ x, y, width, height, look, part = '' }: RectMark): TemplateResult {
  const wide = Math.max(0, width);
  const words = look.split(' ');
  const kind = words.find(isPart);
  if (!kind) {
    return svg`<rect class=${look} data-part=${part} x=${x} y=${y} width=${wide} height=${height} />`;
  }
  if (words.includes('plate')) {
    const ground = words.includes('full') ? `var(--${looks[kind].tone})` : groundOf(looks[kind]);
    return svg`<rect data-part=${part} x=${x} y=${y} width=${wide} height=${height} rx="2" fill=${ground} />`;
  }
  // The excess lies over the colours of its parts.
  const ground = kind === 'over' ? 'none' : groundOf(looks[kind]);
  const edge = words.includes('swatch') ? 'var(--quiet)' : edgeOf(looks[kind]);
  const texture: string | undefined = (looks[kind] as Look).texture;
  return svg`<rect class=${look} data-part=${part} x=${x} y=${y} width=${wide} height=${height}
      fill=${ground} stroke=${kind === 'over' ? 'none' : edge} stroke-width="0.75" />
    ${texture ? svg`<rect x=${x} y=${y} width=${wide} height=${height} fill="url(#drawn-${kind})" />` : nothing}`;
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
