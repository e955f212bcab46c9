// The answers as a picture that stands alone: presentation attributes only, fonts of the system.

import { isPublic } from './address.ts';
import { forXml } from './escape.ts';
import { caption, type Shared } from './shared.ts';

export interface Paints {
  paper: string;
  ink: string;
  quiet: string;
  hairline: string;
}

/** Breaks a text into lines of at most `most` pixels, as it is set in `font`. */
type Wrap = (text: string, font: string, most: number) => string[];

const width = 640;
const margin = 32;
const fonts = "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'Noto Sans CJK SC', sans-serif";
/** The left edge of answers, beside their names. */
const column = 268;

interface Style {
  size: number;
  weight: number;
  fill: string;
  lead: number;
}

export function card(shared: Shared, paints: Paints, wrap: Wrap): string {
  const question = { size: 19, weight: 600, fill: paints.ink, lead: 27 };
  const label = { size: 15, weight: 400, fill: paints.quiet, lead: 21 };
  const value = { size: 17, weight: 600, fill: paints.ink, lead: 23 };
  const small = { size: 12, weight: 400, fill: paints.quiet, lead: 17 };
  const drawn: string[] = [];
  let y = margin;
  /** Writes a text from `from` on, in as many lines as it takes; tells where it ends. */
  const write = (text: string, { size, weight, fill, lead }: Style, x: number, most: number) => {
    const lines = wrap(text, `${weight} ${size}px ${fonts}`, most);
    lines.forEach((line, index) => {
      const at = y + index * lead + size;
      drawn.push(
        `<text x="${x}" y="${at}" font-size="${size}" font-weight="${weight}" fill="${fill}">${forXml(line)}</text>`,
      );
    });
    return y + lines.length * lead;
  };
  const rule = (): void => {
    drawn.push(
      `<line x1="${margin}" x2="${width - margin}" y1="${y}" y2="${y}" stroke="${paints.hairline}"/>`,
    );
  };

  y = write(caption(shared), question, margin, width - 2 * margin) + 16;
  for (const { label: name, said } of shared.headlineAnswers) {
    rule();
    y += 10;
    const ends = [
      write(name, label, margin, column - margin - 16),
      write(said, value, column, width - margin - column),
    ];
    y = Math.max(...ends) + 10;
  }
  rule();
  y += 12;
  const host = isPublic(shared.address) && new URL(shared.address).host;
  const source = [shared.name, host, `${shared.words.version} ${shared.version}`, shared.date];
  y = write(source.filter(Boolean).join(' · '), small, margin, width - 2 * margin);
  const height = y + margin - 12;
  const description = shared.headlineAnswers
    .map(({ label: name, said }) => `${name}: ${said}`)
    .join('; ');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="${forXml(fonts)}" role="img">`,
    `<title>${forXml(caption(shared))}</title>`,
    `<desc>${forXml(description)}</desc>`,
    `<rect width="${width}" height="${height}" fill="${paints.paper}"/>`,
    ...drawn,
    '</svg>\n',
  ].join('\n');
}
