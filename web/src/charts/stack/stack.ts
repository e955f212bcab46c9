import { html, svg, nothing, type TemplateResult } from 'lit';
import { edgeOf, groundOf, looks, pattern, type Look } from '../kit/looks.ts';

export interface Part {
  value: number;
  label: string;
  look: Look;
}

export interface Stack {
  /** Tells it from others on the page: its textures have this before their names. */
  name: string;
  title: string;
  parts: readonly Part[];
  /** The limit that they should fit into. */
  room?: { value: number; label: string };
}

/** Parts of a whole in a row; beyond the room's end they are drawn as what they are: too much. */
export function stack({ name, title, parts, room }: Stack): TemplateResult {
  const total = parts.reduce((sum, part) => sum + part.value, 0);
  const whole = Math.max(total, room?.value ?? 0) || 1;
  const percent = (value: number): number => (100 * value) / whole;
  const end = room ? percent(room.value) : 100;
  const isOver = total > (room?.value ?? total);
  const filled = (index: number, left: number, width: string, height: number): TemplateResult => {
    const { look } = parts[index]!;
    const y = (20 - height) / 2;
    const texture = svg`<rect x="${left}%" y=${y} width=${width} height=${height} fill="url(#${name}-${index})" />`;
    return svg`<rect class="part" x="${left}%" y=${y} width=${width} height=${height}
        fill=${groundOf(look)} stroke=${edgeOf(look)} stroke-width="0.75" />
      ${look.texture ? texture : nothing}`;
  };
  let at = 0;
  const bars = parts.map(({ value }, index) => {
    const left = at;
    at += percent(value);
    return filled(index, left, `${percent(value)}%`, 16);
  });
  return html`<svg class="stack" role="img" aria-label=${title} height="20">
      <defs>
        ${parts.map(({ look }, index) => (look.texture ? pattern(`${name}-${index}`, look) : nothing))}
        ${isOver ? pattern(`${name}-over`, looks.over) : nothing}
      </defs>
      ${room ? svg`<rect class="room" x="0" y="2" width="${end}%" height="16" />` : nothing} ${bars}
      ${
        isOver
          ? svg`<rect class="too-much" x="${end}%" y="2" width="${100 - end}%" height="16" fill="url(#${name}-over)" />
              <line class="limit" x1="${end}%" x2="${end}%" y1="-2" y2="22" />`
          : nothing
      }
    </svg>
    <ul class="parts">
      ${parts.map(
        ({ label }, index) =>
          html`<li>
            <svg class="swatch" aria-hidden="true" viewBox="0 4 12 12">
              ${filled(index, 0, '100%', 12)}</svg
            >${label}
          </li>`,
      )}
    </ul>`;
}
