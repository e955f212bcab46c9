import { html, nothing, svg, type TemplateResult } from 'lit';

export interface Zone {
  /** Names the colour and the shape, as everywhere on the page. */
  bound: 'compute' | 'memory' | 'network';
  label: string;
}

interface Gauge {
  /** The finding, for those who cannot see the figure. */
  title: string;
  value: number;
  valueLabel: string;
  /** One fewer than the zones that they part. */
  thresholds: { value: number; label: string }[];
  zones: Zone[];
}

/** The reach of the line beyond its thresholds and the value, as a factor. */
const reach = 25;
const margin = 1.5;

/** Widths of gauges [px]: of the narrowest, and of those in containers that show tight labels. */
const narrow = 300;
const medium = 520;

/** At most the width of a label with the gap beside it [px]: hosts choose its type. Chinese is wide. */
const widthOf = (label: string): number =>
  label.replace(/\p{Script=Han}/gu, '  ').length * 7.6 + 12;

/** A value on a logarithmic line that thresholds part into zones. */
export function gauge({ title, value, valueLabel, thresholds, zones }: Gauge): TemplateResult {
  // The thresholds hold the line in place, so that it is the value that moves.
  const marks = thresholds.map((threshold) => threshold.value);
  const from = Math.log(Math.min(Math.min(...marks) / reach, value / margin));
  const to = Math.log(Math.max(Math.max(...marks) * reach, value * margin));
  const place = (at: number): number => (100 * (Math.log(at) - from)) / (to - from);
  const edges = [0, ...thresholds.map((threshold) => place(threshold.value)), 100];
  return html`<svg class="gauge" role="img" aria-label=${title} height="68">
    ${zones.map((zone, index) => {
      const left = edges[index] ?? 0;
      const right = edges[index + 1] ?? 100;
      const room = (right - left) / 100;
      const width = widthOf(zone.label);
      return svg`<rect class="zone ${zone.bound}" x="${left}%" y="26" width="${Math.max(0, right - left)}%" height="6" />
        ${
          width < room * medium
            ? svg`<text class="zone-label ${width < room * narrow ? '' : 'tight'}" x="${(left + right) / 2}%" y="64" text-anchor="middle">${zone.label}</text>`
            : nothing
        }`;
    })}
    ${thresholds.map((threshold, index) => {
      const x = place(threshold.value);
      // Labels of thresholds that stand close grow away from each other.
      const crowded = thresholds.length > 1 && Math.abs(edges[1]! - edges[2]!) < 16;
      const side = index === 0 ? 'end' : 'start';
      return svg`<line class="threshold" x1="${x}%" x2="${x}%" y1="20" y2="38" />
        <text x="${x}%" y="50" text-anchor=${crowded ? side : 'middle'} class="threshold-label">${threshold.label}</text>`;
    })}
    <g class="own">
      ${svg`<circle cx="${place(value)}%" cy="29" r="6" />
      <text x="${place(value)}%" y="14" text-anchor=${anchor(place(value))}>${valueLabel}</text>`}
    </g>
  </svg>`;
}

/** Labels near an edge grow away from it. */
const anchor = (at: number): string => (at < 15 ? 'start' : at > 85 ? 'end' : 'middle');
