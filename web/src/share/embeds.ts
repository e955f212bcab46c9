// The calculator in somebody's page: in a frame, as an element, by a site generator.

import snippet from '../../hosts/frame.js?raw';
import { folderOf, linkTo } from './address.ts';
import { forHtml, forParameter } from './escape.ts';
import type { Shared, Shown } from './shared.ts';
import { table } from './tables.ts';

/** What of `shown` is said, as attributes or parameters. */
const settings = (shared: Shared, shown: Shown): [string, string][] => [
  ...(shared.link ? [['state', shared.link] as [string, string]] : []),
  ...(Object.entries(shown) as [string, string][]),
  ['lang', shared.language],
];

const attributes = (pairs: [string, string][]): string =>
  pairs.map(([name, value]) => ` ${name}="${forHtml(value)}"`).join('');

const parameters = (pairs: [string, string][]): string =>
  pairs.map(([name, value]) => ` ${name}="${forParameter(value)}"`).join('');

/** Least height in which a frame makes sense without the snippet. */
const frameHeight = 420;

export function frame(shared: Shared, shown: Shown): string {
  const query = new URLSearchParams({ embed: '', ...shown, lang: shared.language });
  const source = linkTo(`${shared.address}?${query}`.replace('embed=', 'embed'), shared.link);
  const style = `width: 100%; min-height: ${frameHeight}px; border: 0`;
  return [
    `<iframe${attributes([
      ['src', source],
      ['title', `${shared.name}: ${shared.question}`],
      ['loading', 'lazy'],
      ['style', style],
      ['allow', 'clipboard-write'],
    ])}></iframe>`,
    '<script>',
    snippet.trim(),
    '</script>',
    '',
  ].join('\n');
}

/** What stands there for readers without scripts: answers, and a way to the calculator. */
function fallback(shared: Shared): string {
  const link = linkTo(shared.address, shared.link);
  return `${table(shared)}\n<p><a href="${forHtml(link)}">${forHtml(shared.words.open)}</a></p>`;
}

const indented = (text: string): string => text.replace(/^/gm, '  ');

export function element(shared: Shared, shown: Shown): string {
  return [
    `<scaling-calculator${attributes(settings(shared, shown))}>`,
    indented(fallback(shared)),
    '</scaling-calculator>',
    `<script src="${forHtml(folderOf(shared.address))}embed.js" defer></script>`,
    '',
  ].join('\n');
}

export function hugo(shared: Shared, shown: Shown): string {
  const given = parameters([['base', folderOf(shared.address)], ...settings(shared, shown)]);
  return [
    `{{< scaling-calculator${given} >}}`,
    fallback(shared),
    '{{< /scaling-calculator >}}',
    '',
  ].join('\n');
}

export function jekyll(shared: Shared, shown: Shown): string {
  const given = parameters([['base', folderOf(shared.address)], ...settings(shared, shown)]);
  return [
    '{% capture fallback %}',
    fallback(shared),
    '{% endcapture %}',
    `{% include scaling-calculator.html${given} fallback=fallback %}`,
    '',
  ].join('\n');
}
