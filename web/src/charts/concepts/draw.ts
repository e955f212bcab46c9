import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { edgeOf, groundOf, isPart, looks, patterns, type Look, type Part } from '../kit/looks.ts';
import {
  height,
  width,
  type Box,
  type Line,
  type Mark,
  type Picture,
  type Point,
} from './marks.ts';

const tip = 5;

/** Both strokes of an arrow's head, from its point. */
function head(from: Point, [x, y]: Point): string {
  const angle = Math.atan2(y - from[1], x - from[0]);
  const stroke = (turn: number): string =>
    `M${x} ${y}l${round(-tip * Math.cos(angle + turn))} ${round(-tip * Math.sin(angle + turn))}`;
  return stroke(0.5) + stroke(-0.5);
}

const round = (value: number): number => Math.round(value * 100) / 100;

function pathOf({ points, bent, arrow }: Line): string {
  const [first, ...rest] = points.map(([x, y]) => `${round(x)} ${round(y)}`);
  const ends = arrow ? head(points.at(-2)!, points.at(-1)!) : '';
  return bent ? `M${first}Q${rest.join(' ')}${ends}` : `M${[first, ...rest].join('L')}${ends}`;
}

function drawPart(box: Box, part: Part, name: string): SVGTemplateResult {
  const { at, size, strength = 1 } = box;
  const [[x, y], [w, h]] = [at.map(round), size.map(round)] as unknown as [Point, Point];
  const look: Look = looks[part];
  const opacity = strength < 1 ? strength : nothing;
  // A line parts two pale ones that meet.
  const edge = look.strength < 10 ? edgeOf(look) : nothing;
  return svg`<rect x=${x} y=${y} width=${w} height=${h} fill=${groundOf(look)} fill-opacity=${opacity}
      stroke=${edge} stroke-width="0.5" />
    ${look.texture ? svg`<rect x=${x} y=${y} width=${w} height=${h} fill="url(#${name}-${part})" opacity=${opacity} />` : nothing}`;
}

function drawMark(mark: Mark, name: string): SVGTemplateResult {
  const { tone, strength = 1 } = mark;
  const classes = (...more: (string | false | undefined)[]): string =>
    [tone, ...more].filter(Boolean).join(' ');
  const opacity = strength < 1 ? strength : nothing;
  if (mark.kind === 'box') {
    if (isPart(tone) && !mark.hollow) return drawPart(mark, tone, name);
    const [x, y] = mark.at;
    const [w, h] = mark.size;
    return svg`<rect class=${classes(mark.hollow && 'hollow', mark.dashed && 'dashed')} fill-opacity=${opacity}
      x=${round(x)} y=${round(y)} width=${round(w)} height=${round(h)} />`;
  }
  if (mark.kind === 'dot') {
    const [x, y] = mark.at;
    return svg`<circle class=${classes(mark.hollow && 'hollow')} fill-opacity=${opacity}
      cx=${round(x)} cy=${round(y)} r=${mark.radius} />`;
  }
  if (mark.kind === 'word') {
    return svg`<text class=${tone} x=${mark.at[0]} y=${mark.at[1]}>${mark.says}</text>`;
  }
  return svg`<path class=${classes(mark.dashed && 'dashed', mark.wide && 'wide')} d=${pathOf(mark)} />`;
}

/** A picture, by its concept's name; what it shows is told by the text around it. */
export const draw = (picture: Picture, name: string): TemplateResult =>
  html`<svg class="picture" viewBox="0 0 ${width} ${height}" aria-hidden="true">
    <defs>${patterns(name, picture.map(({ tone }) => tone).filter(isPart))}</defs>
    ${picture.map((mark) => drawMark(mark, name))}
  </svg>`;
