// Answers as tables, for pages and papers.

import { linkTo } from './address.ts';
import { forHtml, forLatex, forMarkdown } from './escape.ts';
import { caption, type Shared } from './shared.ts';

/** The table that stands where scripts do not run. */
export function table(shared: Shared): string {
  return [
    '<table>',
    `  <caption>${forHtml(caption(shared))}</caption>`,
    ...shared.headlineAnswers.map(
      ({ label, said }) =>
        `  <tr><th scope="row">${forHtml(label)}</th><td>${forHtml(said)}</td></tr>`,
    ),
    '</table>',
  ].join('\n');
}

/** Escapes a link destination between round brackets. */
const forDestination = (address: string): string =>
  address.replace(/[()\\<>|\s]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);

/** The answers as rows below their headings, with ranges where any is known. */
function rowsOf({ headlineAnswers, words }: Shared): string[][] {
  const isRanged = headlineAnswers.some(({ range }) => range);
  return [
    [words.answer, words.value, ...(isRanged ? [words.interval] : [])],
    ...headlineAnswers.map(({ label, said, range = '' }) => [
      label,
      said,
      ...(isRanged ? [range] : []),
    ]),
  ];
}

export function markdown(shared: Shared): string {
  const { words } = shared;
  const link = forDestination(linkTo(shared.address, shared.link));
  const cells = (texts: readonly string[]): string => `| ${texts.map(forMarkdown).join(' | ')} |`;
  const [head = [], ...rows] = rowsOf(shared);
  return [
    forMarkdown(caption(shared)),
    '',
    cells(head),
    `| ${head.map(() => '---').join(' | ')} |`,
    ...rows.map(cells),
    '',
    `[${forMarkdown(words.open)}](${link}), ${shared.date}`,
    '',
  ].join('\n');
}

export function latex(shared: Shared): string {
  const cells = (texts: readonly string[]): string => `${texts.map(forLatex).join(' & ')} \\\\`;
  const [head = [], ...rows] = rowsOf(shared);
  return [
    // Chinese needs its own fonts.
    `% \\usepackage{booktabs,url${shared.language.startsWith('zh') ? ',ctex' : ''}}`,
    '\\begin{table}',
    '  \\centering',
    `  \\caption{${forLatex(caption(shared))}}`,
    `  \\begin{tabular}{${'l'.repeat(head.length)}}`,
    '    \\toprule',
    `    ${cells(head)}`,
    '    \\midrule',
    ...rows.map((row) => `    ${cells(row)}`),
    '    \\bottomrule',
    '  \\end{tabular}',
    '',
    '  \\smallskip',
    `  \\footnotesize\\url{${linkTo(shared.address, shared.link)}}`,
    '\\end{table}',
    '',
  ].join('\n');
}

/** Escapes text for BibTeX, without braces. */
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** The calculator at this link, as literature. */
export function bibtex(shared: Shared): string {
  const { words } = shared;
  const [year = '', month = ''] = shared.date.split('-');
  const link = linkTo(shared.address, shared.link);
  const fields: [string, string][] = [
    // Double braces keep every part from being taken for a surname, and letters from being made
    // small.
    ['author', `{${forLatex(shared.name)}}`],
    ['title', `{${forLatex(caption(shared))}}`],
    ['year', year],
    ['month', months[Number(month) - 1]!],
    ['howpublished', `\\url{${link}}`],
    ['url', link],
    ['urldate', shared.date],
    [
      'note',
      forLatex(
        `${words.version} ${shared.version}, ${words.data} ${shared.data}. ${words.accessed} ${shared.date}`,
      ),
    ],
  ];
  return [
    `@misc{scaling-calculator-${shared.date},`,
    ...fields.map(([name, value]) => `  ${name} = ${name === 'month' ? value : `{${value}}`},`),
    '}',
    '',
  ].join('\n');
}
