// Answers as text in columns, for terminals.

import { linkTo } from '../export/address.ts';
import { caption, type Shared } from '../export/shared.ts';
import { viewOf } from '../ui/parts/view.ts';
import type { Answered } from '../asking/asking.ts';

/** Columns that a text takes: signs of Chinese take two. */
export const widthOf = (text: string): number =>
  [...text].reduce((sum, sign) => sum + (/[\u2e80-\u9fff\uff00-\uffef]/u.test(sign) ? 2 : 1), 0);

const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - widthOf(text)));

/** A text in lines of at most `width` columns, broken between words, or anywhere between signs of Chinese. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/(?<= )|(?<=[\u2e80-\uffef])/u)) {
    if (line && widthOf(line + word.trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += word;
  }
  return line ? [...lines, line.trimEnd()] : lines;
}

const indent = '    ';

/** The question, the answers that stand large on the page with what they mean, and the link. */
export function table(shared: Shared, { ctx, results, reply }: Answered, columns: number): string {
  const rows = viewOf(ctx).rows(ctx, results);
  const labels = Math.max(...shared.headlineAnswers.map(({ label }) => widthOf(label)));
  const means = (key: string): string => rows.find((row) => row.key === key)?.means ?? '';
  const notices = reply.ok ? reply.notices.map((notice) => ctx.issueMessage(notice)) : [];
  return [
    ...wrapped(caption(shared), columns),
    '',
    ...shared.headlineAnswers.flatMap(({ key, label, said }) => [
      `${padded(label, labels)}  ${said}`,
      ...wrapped(means(key), columns - indent.length).map((line) => indent + line),
    ]),
    '',
    ...notices.flatMap((notice) => [...wrapped(notice, columns), '']),
    linkTo(shared.address, shared.link),
    '',
  ].join('\n');
}
