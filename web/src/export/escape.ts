// Text as each format holds it: nothing in a name or a number may become markup or code.

const inOneLine = (text: string): string => text.replace(/[^\S\u00a0 ]+/g, ' ');

/**
 * Escapes text for HTML and for quoted attributes. Escapes braces too, which templates of posts
 * read, and ends of lines, so that the text stays where it stands.
 */
export const forHtml = (text: string): string =>
  text.replace(/[&<>"'{}\n\r]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Text as XML may hold it, which knows no control characters but these three. */
export const ofXml = (text: string): string =>
  text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ' ');

/** Escapes text for XML. */
export const forXml = (text: string): string => forHtml(ofXml(text));

/** Is not seen, and parts what stands around it. */
const joiner = '\u2060';

/**
 * Keeps renderers from making links by themselves, escaped or not, of addresses, hosts, names, and
 * numbers of issues. Sources: GitHub Flavored Markdown, 6.9; linkify-it.
 */
const unlinked = (text: string): string =>
  text
    .replace(/:(?=\/\/)|\/(?=\/)|@|#(?=\d)/g, `$&${joiner}`)
    .replace(/(?<=[\p{L}\p{N}-])\.(?=\p{L})|(?<=www)\./giu, `${joiner}.${joiner}`);

/** Escapes a cell of a Markdown table: one line, and no sign that would mean something. */
export const forMarkdown = (text: string): string =>
  unlinked(inOneLine(text)).replace(/[\\`*_[\]|~$<>&{}]/g, (sign) =>
    /[<>&{}]/.test(sign) ? forHtml(sign) : `\\${sign}`,
  );

const latexSigns: Record<string, string> = {
  '\\': '\\textbackslash{}',
  // BibTeX counts even those behind a backslash.
  '{': '\\textbraceleft{}',
  '}': '\\textbraceright{}',
  // Brackets and a star at the start of a row would belong to the end of the one before.
  '[': '{[}',
  ']': '{]}',
  '*': '{*}',
  $: '\\$',
  '&': '\\&',
  '#': '\\#',
  '%': '\\%',
  _: '\\_',
  '^': '\\textasciicircum{}',
  '~': '\\textasciitilde{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '"': "''",
  '\u00a0': '~',
  // Characters that LaTeX's default fonts lack or have only in formulas.
  '×': '$\\times$',
  '÷': '$\\div$',
  '±': '$\\pm$',
  '−': '$-$',
  '≈': '$\\approx$',
  '≤': '$\\le$',
  '≥': '$\\ge$',
  '≠': '$\\ne$',
  '→': '$\\to$',
  '∞': '$\\infty$',
  '⌊': '$\\lfloor$',
  '⌋': '$\\rfloor$',
  '·': '$\\cdot$',
  µ: '$\\mu$',
  μ: '$\\mu$',
  α: '$\\alpha$',
  β: '$\\beta$',
  '…': '\\ldots{}',
};
const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const exponent = (signs: string): string =>
  `$^{${[...signs].map((sign) => (sign === '⁻' ? '-' : raised.indexOf(sign))).join('')}}$`;

/** Escapes text for LaTeX, in text and in cells of a table. */
export const forLatex = (text: string): string =>
  inOneLine(text)
    .replace(/[\u0000-\u001f\u007f]/g, '')
    .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+|[^A-Za-z0-9 ]/gu, (piece) =>
      /^[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]/.test(piece) ? exponent(piece) : (latexSigns[piece] ?? piece),
    );

/** Escapes a parameter in double quotes, as Hugo and Jekyll read them. */
export const forParameter = (text: string): string => text.replace(/["\\]/g, '\\$&');
