// The formats of "Share", one by one: no text may become markup, code or a formula.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addressOf,
  folderOf,
  isPublic,
  linkTo,
  readAddress,
} from '../../web/src/export/address.ts';
import { card } from '../../web/src/export/card.ts';
import { csv, json } from '../../web/src/export/data.ts';
import { element, frame, hugo, jekyll } from '../../web/src/export/embeds.ts';
import { forHtml, forLatex, forMarkdown, forParameter } from '../../web/src/export/escape.ts';
import { bibtex, latex, markdown, table } from '../../web/src/export/tables.ts';
import { line, saying, shared, texts } from './handed-out.ts';

describe('addresses', () => {
  const place = (address: string) => new URL(address);

  test.each([
    ['https://calc.example/scaling/?q=1#chips=8', 'https://calc.example/scaling/'],
    ['https://calc.example/index.html#x', 'https://calc.example/index.html'],
    ['http://localhost:8080/', 'http://localhost:8080/'],
    ['file:///home/me/offline.html#chips=8', ''],
  ])('of the page at %s', (at, address) => {
    expect(addressOf(place(at))).toBe(address);
  });

  test.each([
    ['calc.example/scaling', 'https://calc.example/scaling/'],
    [' https://calc.example/scaling/?a#b ', 'https://calc.example/scaling/'],
    ['http://calc.example/index.html', 'http://calc.example/index.html'],
    ['https://calc.example', 'https://calc.example/'],
    ['http://计算.example/"<', 'http://xn--lzzl24a.example/%22%3C/'],
    ['javascript:alert(1)', undefined],
    ['file:///etc/passwd', undefined],
    ['https://name:word@calc.example/', undefined],
    ['https://', undefined],
    ['', undefined],
    ['two words', undefined],
  ])('as typed: %j', (typed, address) => {
    expect(readAddress(typed)).toBe(address);
  });

  test.each([
    ['https://calc.example/', true],
    ['http://localhost:8080/', false],
    ['http://127.0.0.1/', false],
    ['http://[::1]/', false],
    ['http://calc.localhost/', false],
    ['', false],
  ])('others can open %j: %s', (address, open) => {
    expect(isPublic(address)).toBe(open);
  });

  test('links and the folder of the files', () => {
    expect(linkTo('https://a.example/b/', 'chips=8')).toBe('https://a.example/b/#chips=8');
    expect(linkTo('https://a.example/b/', '')).toBe('https://a.example/b/');
    expect(folderOf('https://a.example/b/index.html')).toBe('https://a.example/b/');
  });
});

describe('signs', () => {
  test.each([
    ['a & b < c > d', 'a &#38; b &#60; c &#62; d'],
    [`"it's"`, '&#34;it&#39;s&#34;'],
    ['{{ site.name }} {% raw %}', '&#123;&#123; site.name &#125;&#125; &#123;% raw %&#125;'],
  ])('HTML: %s', (text, written) => expect(forHtml(text)).toBe(written));

  test.each([
    ['a|b', 'a\\|b'],
    ['*a* _b_ ~c~ `d`', '\\*a\\* \\_b\\_ \\~c\\~ \\`d\\`'],
    ['[a](b)', '\\[a\\](b)'],
    ['$40M', '\\$40M'],
    ['a\\b', 'a\\\\b'],
    ['<b> & {{', '&#60;b&#62; &#38; &#123;&#123;'],
    ['two\nlines\r\nmore', 'two lines more'],
  ])('Markdown: %j', (text, written) => expect(forMarkdown(text)).toBe(written));

  // Links as renderers find them in text, after they have taken escapes away: GFM 6.9, and others
  // that GitHub and markdown-it link.
  const links = [
    /\b(https?|ftp|file|javascript):\//i,
    /\bwww\./i,
    /[\w.+-]@[\w-]/,
    /(^|\W)@\w/,
    /#\d/,
    /\/\//,
    /[\w-]\.[a-z]{2,}/i,
  ];
  test.each([
    'https://evil.example/x',
    'HTTP://evil.example',
    'ftp://a.example',
    'www.evil.example',
    'www.1.example',
    'evil.com',
    'mailto:me@evil.example',
    'xmpp:me@evil.example',
    'ping @someone',
    'fixes #12',
    '计算.example 与 a@b.cn',
  ])('Markdown: no link is made of %j', (text) => {
    const written = forMarkdown(text);
    const read = written
      .replace(/\\([!-/:-@[-`{-~])/g, '$1')
      .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    for (const link of links) expect(read).not.toMatch(link);
    // Nothing else changes for the eye.
    expect(read.replaceAll('\u2060', '')).toBe(text);
  });

  test.each(['Llama 3.1 405B', 'TPU v5p', 'a: b', '44.3\u00a0days', 'C#'])(
    'Markdown: %j stays as it is',
    (text) => expect(forMarkdown(text)).toBe(text),
  );

  test.each([
    ['\\', '\\textbackslash{}'],
    ['{', '\\textbraceleft{}'],
    ['}', '\\textbraceright{}'],
    ['$', '\\$'],
    ['&', '\\&'],
    ['#', '\\#'],
    ['%', '\\%'],
    ['_', '\\_'],
    ['^', '\\textasciicircum{}'],
    ['~', '\\textasciitilde{}'],
    ['<', '\\textless{}'],
    ['>', '\\textgreater{}'],
    ['|', '\\textbar{}'],
    ['"', "''"],
    ['[', '{[}'],
    [']', '{]}'],
    ['*', '{*}'],
    ['\u00a0', '~'],
    ['×', '$\\times$'],
    ['10²⁴', '10$^{24}$'],
    ['10⁻³', '10$^{-3}$'],
    ['a\nb\u0007', 'a b'],
    ['X[B, D] 中', 'X{[}B, D{]} 中'],
  ])('LaTeX: %j', (text, written) => expect(forLatex(text)).toBe(written));

  test('LaTeX: nothing special is left, and braces are balanced', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const written = forLatex(text);
        const bare = written.replace(/\\[$&#%_]|\\[a-z]+(\{\})?|\$[^$]*\$|\{[[\]*]\}/g, '');
        expect(bare).not.toMatch(/[\\{}$&#%_^[\]*\n]/);
        let depth = 0;
        for (const sign of written) {
          depth += sign === '{' ? 1 : sign === '}' ? -1 : 0;
          expect(depth).toBeGreaterThanOrEqual(0);
        }
        expect(depth).toBe(0);
      }),
      { numRuns: 500 },
    );
  });

  test('parameters in quotes', () => {
    expect(forParameter('a "b" \\ c')).toBe('a \\"b\\" \\\\ c');
  });
});

describe('in pages', () => {
  test('a frame, with what gives it its height', () => {
    expect(frame(shared, {})).toContain(
      'src="https://calc.example/scaling/?embed&#38;lang=en#chip=h100-sxm&#38;mfu=40%25"',
    );
    expect(frame(shared, { theme: 'dark', answer: 'cost' })).toContain(
      '?embed&#38;theme=dark&#38;answer=cost&#38;lang=en#',
    );
    const script =
      /<script data-calculator="https:\/\/calc\.example\/scaling\/">\n([^]*)\n<\/script>/.exec(
        frame(shared, {}),
      )![1]!;
    expect(script).toContain('contentWindow !== source');
    expect(script.split('\n').length).toBeLessThanOrEqual(15);
  });

  test('an element, its answers in it for those without scripts', () => {
    expect(element(shared, { reveal: 'interaction' })).toBe(
      `<scaling-calculator state="chip=h100-sxm&#38;mfu=40%25" reveal="interaction" lang="en">
  <table>
    <caption>Train Llama 3 70B on 8,960 × H100 with 15T tokens.</caption>
    <tr><th scope="row">Training time</th><td>44.3\u00a0days</td></tr>
    <tr><th scope="row">Cost</th><td>$40.0M</td></tr>
  </table>
  <p><a href="https://calc.example/scaling/#chip=h100-sxm&#38;mfu=40%25">Open in the Scaling Calculator</a></p>
</scaling-calculator>
<script src="https://calc.example/scaling/embed.js" defer></script>
`,
    );
    expect(element({ ...shared, link: '' }, {})).toContain('<scaling-calculator lang="en">');
    const edited = { ...shared, given: [line('a', 'A', '1', 1), line('b', 'B', '2', 2)] };
    expect(element(edited, {})).toContain('15T tokens. With A\u00a01, B\u00a02.</caption>');
  });

  test('for Hugo and for Jekyll', () => {
    const fallback = [
      table(shared),
      '<p><a href="https://calc.example/scaling/#chip=h100-sxm&#38;mfu=40%25">Open in the Scaling Calculator</a></p>',
    ].join('\n');
    const parameters =
      'base="https://calc.example/scaling/" state="chip=h100-sxm&mfu=40%25" lang="en"';
    expect(hugo(shared, {})).toBe(
      `{{< scaling-calculator ${parameters} >}}\n${fallback}\n{{< /scaling-calculator >}}\n`,
    );
    expect(jekyll(shared, {})).toBe(
      `{% capture fallback %}\n${fallback}\n{% endcapture %}\n{% include scaling-calculator.html ${parameters} fallback=fallback %}\n`,
    );
  });

  test('one answer, as a word of a sentence', () => {
    const shown = { answer: 'cost' };
    const state = 'state="chip=h100-sxm&mfu=40%25" answer="cost" lang="en"';
    expect(element(shared, shown)).toBe(
      `<scaling-calculator ${state.replace('&', '&#38;')}>$40.0M</scaling-calculator><script src="https://calc.example/scaling/embed.js" defer></script>`,
    );
    const base = 'base="https://calc.example/scaling/"';
    expect(hugo(shared, shown)).toBe(
      `{{< scaling-calculator ${base} ${state} >}}$40.0M{{< /scaling-calculator >}}`,
    );
    expect(jekyll(shared, shown)).toBe(
      `{% include scaling-calculator.html ${base} ${state} fallback="$40.0M" %}`,
    );
  });

  test('a picture needs nothing but itself', () => {
    const paints = { paper: '#ffffff', ink: '#111111', quiet: '#666666', hairline: '#dddddd' };
    const wrap = (text: string): string[] => text.match(/[^]{1,90}/gu) ?? [];
    const drawn = card(shared, paints, wrap);
    expect(drawn).not.toMatch(/class=|style|var\(|url\(|<script|href/);
    expect(drawn).toContain('>44.3\u00a0days</text>');
    expect(drawn).toContain('Scaling Calculator · calc.example · version 1234abcd · 2026-11-21');
  });
});

describe('in texts', () => {
  test('a table in Markdown', () => {
    expect(markdown(shared)).toBe(`Train Llama 3 70B on 8,960 × H100 with 15T tokens.

| Answer | Value |
| --- | --- |
| Training time | 44.3\u00a0days |
| Cost | \\$40.0M |

[Open in the Scaling Calculator](https://calc.example/scaling/#chip=h100-sxm&mfu=40%25), 2026-11-21
`);
  });

  test('with a column of ranges, where any answer has one', () => {
    const [first, ...others] = shared.headlineAnswers;
    const ranged = { ...shared, headlineAnswers: [{ ...first!, range: '40–50 days' }, ...others] };
    expect(markdown(ranged)).toContain(`| Answer | Value | 90% interval |
| --- | --- | --- |
| Training time | 44.3\u00a0days | 40–50 days |
| Cost | \\$40.0M |  |
`);
    expect(latex(ranged)).toContain('\\begin{tabular}{lll}');
  });

  test('of as many cells as it has columns, whatever it says', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const rows = markdown(saying(text)).split('\n').slice(2, 5);
        for (const row of rows) expect(row.match(/(?<!\\)(\\\\)*\|/g)).toHaveLength(3);
      }),
      { numRuns: 500 },
    );
  });

  test('a link in it ends where it ends', () => {
    const text = markdown({ ...shared, link: "model.name=a(b)'" });
    expect(text).toContain("(https://calc.example/scaling/#model.name=a%28b%29'), 2026-11-21\n");
  });

  test('a table in LaTeX', () => {
    expect(latex(shared)).toBe(`% \\usepackage{booktabs,url}
\\begin{table}
  \\centering
  \\caption{Train Llama 3 70B on 8,960 $\\times$ H100 with 15T tokens.}
  \\begin{tabular}{ll}
    \\toprule
    Answer & Value \\\\
    \\midrule
    Training time & 44.3~days \\\\
    Cost & \\$40.0M \\\\
    \\bottomrule
  \\end{tabular}

  \\smallskip
  \\footnotesize\\url{https://calc.example/scaling/#chip=h100-sxm&mfu=40%25}
\\end{table}
`);
    expect(latex({ ...shared, language: 'zh-Hans' })).toContain('\\usepackage{booktabs,url,ctex}');
  });

  test('an entry for BibTeX', () => {
    expect(bibtex(shared)).toBe(`@misc{scaling-calculator-2026-11-21,
  author = {{Scaling Calculator}},
  title = {{Train Llama 3 70B on 8,960 $\\times$ H100 with 15T tokens.}},
  year = {2026},
  month = nov,
  howpublished = {\\url{https://calc.example/scaling/#chip=h100-sxm&mfu=40%25}},
  url = {https://calc.example/scaling/#chip=h100-sxm&mfu=40%25},
  urldate = {2026-11-21},
  note = {version 1234abcd, data 2026-09-ab12. Accessed 2026-11-21},
}
`);
  });
});

/** Reads CSV as RFC 4180 has it. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/gy;
  while (cell.lastIndex < text.length) {
    const [, quoted, plain, end] = cell.exec(text)!;
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain!);
    if (end === '\r\n') rows.push([]);
  }
  rows.pop();
  return rows;
}

describe('as data', () => {
  test('CSV: one line each, numbers bare', () => {
    const [mark, ...rest] = csv(shared);
    expect(mark).toBe('\ufeff');
    expect(parseCsv(rest.join('')).slice(0, 6)).toEqual([
      ['Kind', 'Key', 'Name', 'Value', 'Unit', 'In words'],
      ['Input', 'chip.memory', 'Memory (HBM)', '80000000000', 'B/chip', '80 GB'],
      ['Input', 'run.chips', 'Chips', '8960', 'chips', '8,960'],
      ['Input', 'run.price', 'Price', '', '$', 'not given'],
      ['Input', 'operation.kind', 'Operation', 'matmul', '', 'matmul'],
      ['Answer', 'trainingTime', 'Training time', '3827520', 's', '44.3\u00a0days'],
    ]);
  });

  test('CSV: texts come back as they were, and none is a formula', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const rows = parseCsv(csv(saying(text)).slice(1));
        const runs = /^[\p{C}\s]*[=+\-@]|^[\t\r\n]/u.test(text.normalize('NFKC'));
        const written = runs ? `'${text}` : text;
        expect(rows[1]).toEqual([written, 'run.a', written, written, written, written]);
        for (const cell of rows.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r\n]/);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    '=1+1',
    '＝1+1',
    '＋1',
    '－1',
    '＠SUM(A1)',
    '﹦1',
    ' =1',
    '\u200b=1',
    '\n=1',
    '\ufeff+1',
  ])('CSV: a spreadsheet does not run %j', (text) => {
    expect(parseCsv(csv(saying(text)).slice(1))[1]![0]).toBe(`'${text}`);
  });

  test('CSV: a cell stays one where cells are parted by other signs', () => {
    expect(csv(saying('a;=1+1'))).toContain('"a;=1+1"');
    expect(csv(saying('a\t=1+1'))).toContain('"a\t=1+1"');
  });

  test('JSON: inputs as the engine takes them, units beside', () => {
    expect(JSON.parse(json(shared))).toEqual({
      calculator: 'Scaling Calculator',
      version: '1234abcd',
      data: '2026-09-ab12',
      date: '2026-11-21',
      link: 'https://calc.example/scaling/#chip=h100-sxm&mfu=40%25',
      question: shared.question,
      input: {
        chip: { memory: 8e10 },
        run: { chips: 8960, price: null },
        operation: { kind: 'matmul' },
      },
      answers: { trainingTime: 3827520, bound: 'compute', fewest: null },
      units: {
        input: {
          chip: { memory: 'B/chip' },
          run: { chips: 'chips', price: '$' },
          operation: { kind: '' },
        },
        answers: { trainingTime: 's', bound: '', fewest: 'chips' },
      },
    });
  });
});
