// A picture that does not move: for a file, and for paper.

import { html, render, svg } from 'lit';
import { adopt, sheetOf } from '../../dom/sheet.ts';
import { measureBy, type Measure } from '../kit/text.ts';
import type { Layer } from './card.ts';
import { definitions, draw } from './draw.ts';
import style from './drawn.css?inline';

const sheet = sheetOf(style);

/** Measures text as it is written in `host`. */
export function measureIn(host: Element): Measure {
  const { fontFamily } = getComputedStyle(host);
  return measureBy(() => fontFamily);
}

/** Draws into a host that is on the page. */
export function still(
  host: HTMLElement,
  layers: readonly Layer[],
  { width, height }: { width: number; height: number },
  title: string,
): SVGSVGElement {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  adopt(root, sheet);
  render(
    html`<svg role="img" aria-label=${title} viewBox="0 0 ${width} ${height}">
      ${definitions()}
      ${layers.map(
        ({ sheet, x, y, scale, isFaint = false }) =>
          svg`<g class=${isFaint ? 'faint' : ''} transform="translate(${x} ${y}) scale(${scale})">
            ${sheet.marks.map(draw)}
          </g>`,
      )}
    </svg>`,
    root,
  );
  return root.querySelector('svg')!;
}
