// The calculator in somebody's page: in a frame, as an element, by a site generator.

import snippet from '../../hosts/frame.js?raw';
import { folderOf, linkTo } from './address.ts';
import { forHtml, forParameter } from './escape.ts';
import type { Shared, Shown } from './shared.ts';
import { table } from './tables.ts';

/** The entries of `shown` that differ from defaults, as attributes or parameters. */
const settings = (shared: Shared, shown: Shown): [string, string][] => [
  ...(shared.link ? [['state', shared.link] as [string, string]] : []),
  ...(Object.entries(shown) as [string, string][]),
  ['lang', shared.language],
];

const attributes = (pairs: [string, string][]): string =>
  pairs.map(([name, value]) => ` ${name}="${forHtml(value)}"`).join('');

const parameters = (pairs: [string, string][]): string =>
  pairs.map(([name, value]) => ` ${name}="${forParameter(value)}"`).join('');

/** Least height in which a frame makes sense without the snippet; and the height of a question with
 * its drawing, below which the rest is scrolled to [px]. */
const frameHeight = 420;
const firstSight = 800;

export function frame(shared: Shared, shown: Shown): string {
  const query = new URLSearchParams({ embed: '', ...shown, lang: shared.language });
  const source = linkTo(`${shared.address}?${query}`.replace('embed=', 'embed'), shared.link);
  const most = shown.view ? '' : ` max-height: ${firstSight}px;`;
  const style = `width: 100%; min-height: ${frameHeight}px;${most} border: 0`;
  return [
    `<iframe${attributes([
      ['src', source],
      ['title', `${shared.name}: ${shared.question}`],
      ['loading', 'lazy'],
      ['style', style],
      ['allow', 'clipboard-write'],
    ])}></iframe>`,
    `<script${attributes([['data-calculator', folderOf(shared.address)]])}>`,
    snippet.trim(),
    '</script>',
    '',
  ].join('\n');
}

/** Content for readers without scripts: answers, and a link to the calculator. */
function fallback(shared: Shared): string {
  const link = linkTo(shared.address, shared.link);
  return `${table(shared)}\n<p><a href="${forHtml(link)}">${forHtml(shared.words.open)}</a></p>`;
}

/** An answer alone is a word of the sentence around it. */
const word = ({ headlineAnswers }: Shared, { answer }: Shown): string | undefined => {
  const line = headlineAnswers.find(({ key }) => key === answer);
  return line && forHtml(line.said);
};

const indented = (text: string): string => text.replace(/^/gm, '  ');

export function element(shared: Shared, shown: Shown): string {
  const start = `<scaling-calculator${attributes(settings(shared, shown))}>`;
  const end = '</scaling-calculator>';
  const one = word(shared, shown);
  const script = `<script src="${forHtml(folderOf(shared.address))}embed.js" defer></script>`;
  if (one !== undefined) return start + one + end + script;
  return [start, indented(fallback(shared)), end, script, ''].join('\n');
}

/** The address of the files, and the element's other attributes. */
const given = (shared: Shared, shown: Shown): string =>
  parameters([['base', folderOf(shared.address)], ...settings(shared, shown)]);

export function hugo(shared: Shared, shown: Shown): string {
  const start = `{{< scaling-calculator${given(shared, shown)} >}}`;
  const end = '{{< /scaling-calculator >}}';
  const one = word(shared, shown);
  return one === undefined ? [start, fallback(shared), end, ''].join('\n') : start + one + end;
}

export function jekyll(shared: Shared, shown: Shown): string {
  const include = (more: string): string =>
    `{% include scaling-calculator.html${given(shared, shown)} fallback=${more} %}`;
  const one = word(shared, shown);
  if (one !== undefined) return include(`"${forParameter(one)}"`);
  return [
    '{% capture fallback %}',
    fallback(shared),
    '{% endcapture %}',
    include('fallback'),
    '',
  ].join('\n');
}
