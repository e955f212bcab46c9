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

const textureOf = (name: string, index: number): string => `${name}-${index}`;

const textures = (name: string, parts: readonly Part[]): unknown[] =>
  parts.map(({ look }, index) => (look.texture ? pattern(textureOf(name, index), look) : nothing));

/** A part's box in a row of `height` px; its texture is that of the name. */
function filled(
  texture: string,
  look: Look,
  left: string,
  width: string,
  height: number,
): TemplateResult {
  const y = (20 - height) / 2;
  return svg`<rect class="part" x=${left} y=${y} width=${width} height=${height}
      fill=${groundOf(look)} stroke=${edgeOf(look)} stroke-width="0.75" />
    ${
      look.texture
        ? svg`<rect x=${left} y=${y} width=${width} height=${height} fill="url(#${texture})" />`
        : nothing
    }`;
}

/** The boxes of parts in a row that is `whole` wide. */
const boxes = (
  name: string,
  parts: readonly Part[],
  whole: number,
  height: number,
): TemplateResult[] => {
  let at = 0;
  return parts.map(({ value, look }, index) => {
    const left = at;
    const wide = (100 * value) / whole;
    at += wide;
    return filled(textureOf(name, index), look, `${left}%`, `${wide}%`, height);
  });
};

/** Parts of a whole in a row without their names, on a scale where `whole` is its width. */
export const strip = ({ name, title, parts }: Stack, whole: number): TemplateResult =>
  html`<svg class="strip" role="img" aria-label=${title} height="20">
    <defs>${textures(name, parts)}</defs>
    ${boxes(name, parts, whole, 12)}
  </svg>`;

/** Parts of a whole in a row; beyond the room's end they are drawn as what they are: too much. */
export function stack({ name, title, parts, room }: Stack): TemplateResult {
  const total = parts.reduce((sum, part) => sum + part.value, 0);
  const whole = Math.max(total, room?.value ?? 0) || 1;
  const percent = (value: number): number => (100 * value) / whole;
  const end = room ? percent(room.value) : 100;
  const isOver = total > (room?.value ?? total);
  const bars = boxes(name, parts, whole, 16);
  return html`<svg class="stack" role="img" aria-label=${title} height="20">
      <defs>
        ${textures(name, parts)} ${isOver ? pattern(`${name}-over`, looks.over) : nothing}
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
              ${filled(textureOf(name, index), parts[index]!.look, '0%', '100%', 12)}</svg
            >${label}
          </li>`,
      )}
    </ul>`;
}
