import { html, svg, nothing, type TemplateResult } from 'lit';

export interface Part {
  key: string;
  value: number;
  label: string;
}

export interface Stack {
  title: string;
  /** Memory is orange, as everywhere; anything else is ink. */
  tone: 'memory' | 'ink';
  parts: Part[];
  /** The limit that they should fit into. */
  room?: { value: number; label: string };
}

/** Parts of a whole in a row; beyond the room's end they are drawn as what they are: too much. */
export function stack({ title, tone, parts, room }: Stack): TemplateResult {
  const total = parts.reduce((sum, part) => sum + part.value, 0);
  const whole = Math.max(total, room?.value ?? 0) || 1;
  const percent = (value: number): number => (100 * value) / whole;
  let at = 0;
  const placed = parts.map((part) => {
    const left = at;
    at += percent(part.value);
    return { ...part, left, width: percent(part.value) };
  });
  const end = room ? percent(room.value) : 100;
  return html`<svg class="stack ${tone}" role="img" aria-label=${title} height="20">
      ${room ? svg`<rect class="room" x="0" y="2" width="${end}%" height="16" />` : nothing}
      ${placed.map(
        ({ left, width }, index) =>
          svg`<rect class="part part-${index}" x="${left}%" y="2" width="${width}%" height="16" />`,
      )}
      ${
        total > (room?.value ?? total)
          ? svg`<pattern id="too-much" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                <line class="hatch" x1="0" x2="0" y1="0" y2="6" />
              </pattern>
              <rect class="too-much" x="${end}%" y="2" width="${100 - end}%" height="16" fill="url(#too-much)" />
              <line class="limit" x1="${end}%" x2="${end}%" y1="-2" y2="22" />`
          : nothing
      }
    </svg>
    <ul class="parts ${tone}">
      ${placed.map(({ label }, index) => html`<li class="part-${index}">${label}</li>`)}
    </ul>`;
}
