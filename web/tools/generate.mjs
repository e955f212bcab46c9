// Writes what follows from the core's description of itself, the engine's types and the reference of
// fields in wasm/fields.md, and from the list of views: the links in the templates of site generators.
// `npm run check` fails when they differ.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compile } from './cmake.mjs';
import { describe } from './modules.mjs';
import { Failure, main, root, step } from './run.mjs';
import { setUp } from './setup.mjs';
import { featureTexts, linksOfViews, viewTexts } from './views.mjs';

/** The parts of the texts, as literals that types can name. */
function partsOf() {
  const literals = (names) => `[${names.map((name) => `'${name}'`).join(', ')}] as const`;
  return [
    '// Written by web/tools/generate.mjs from web/src/model/views.json; not to be edited.',
    '',
    '/** Parts that are merged into the dictionary once a view that names them in views.json is opened. */',
    `export const viewParts = ${literals(viewTexts)};`,
    '',
    '/**',
    ' * The texts that are no part of the first dictionary: keys of shared/text/*.json, each a file of its',
    ' * own in the page, loaded when it is first needed.',
    ' */',
    `export const parts = ${literals([...viewTexts, ...featureTexts])};`,
    '',
  ].join('\n');
}

const upper = (name) => name[0].toUpperCase() + name.slice(1);
const union = (values) => values.map((value) => `'${value}'`).join(' | ') || 'never';

function typeOf({ kind, choices, optional }) {
  const type = {
    number: 'number',
    count: 'number',
    flag: 'boolean',
    choice: union(choices),
    text: 'string',
  }[kind];
  return optional ? `${type} | null` : type;
}

/** The topics of all fields, each once. */
const topicsOf = (groups) => [
  ...new Set(Object.values(groups).flatMap((fields) => fields.map(({ topic }) => topic))),
];

function typesOf({ groups, questions, issueCodes, absences }) {
  const lines = [
    '// Written by web/tools/generate.mjs from what the core says of itself; not to be edited.',
    '',
    `export type IssueCode = ${union(issueCodes)};`,
    `export type AbsenceReason = ${union(absences)};`,
    `export type Topic = ${union(topicsOf(groups))};`,
    `export type GroupName = ${union(Object.keys(groups))};`,
    '',
    '/** The reason why an answer has no value. */',
    'export interface Absence { absent: AbsenceReason }',
    '',
  ];
  for (const [group, fields] of Object.entries(groups)) {
    lines.push(`export interface ${upper(group)}Fields {`);
    for (const field of fields) {
      const note = [field.symbol, field.unit && `in ${field.unit}`].filter(Boolean).join(' ');
      if (note) lines.push(`/** ${note} */`);
      lines.push(`${field.key}: ${typeOf(field)};`);
    }
    lines.push('}', '');
  }
  for (const [question, { groups: names, answers }] of Object.entries(questions)) {
    lines.push(`export interface ${upper(question)}Input {`);
    for (const name of names) lines.push(`${name}: ${upper(name)}Fields;`);
    lines.push('}', '', `export interface ${upper(question)}Answers {`);
    for (const { key, kind, choices } of answers) {
      lines.push(`${key}: ${kind === 'choice' ? union(choices) : 'number'} | Absence;`);
    }
    lines.push('}', '');
  }
  for (const side of ['Input', 'Answers']) {
    lines.push(
      `/** The ${side.toLowerCase()} of each question. */`,
      `export interface ${side}Of {`,
    );
    for (const question of Object.keys(questions)) {
      lines.push(`${question}: ${upper(question)}${side};`);
    }
    lines.push('}', '');
  }
  return lines.join('\n');
}

/** The groups of each question, which links are read and written by. */
const groupsOf = ({ questions }) =>
  [
    '// Written by web/tools/generate.mjs from what the core says of itself; not to be edited.',
    '',
    "import type { GroupName } from './generated.ts';\nimport type { QuestionName } from './types.ts';",
    '',
    '/** The groups that each question asks for, also where a description has one question alone, as in posts. */',
    `export const groupsOf: Readonly<Record<QuestionName, readonly GroupName[]>> = ${JSON.stringify(
      Object.fromEntries(Object.entries(questions).map(([name, { groups }]) => [name, groups])),
    )};`,
    '',
  ].join('\n');

/** A number as people write it: 1e12, not 1000000000000. */
function written(value) {
  const short = value.toExponential().replace('e+', 'e');
  const plain = String(value);
  return Math.abs(value) < 1e6 || plain.length < short.length ? plain : short;
}

/** A name and a sentence in a cell of a table. */
const meaningOf = ({ label = '', name = label, help = '' } = {}) =>
  `${name}. ${help}`.replaceAll('|', '\\|');

function tableOf({ groups }) {
  const { fields: words } = JSON.parse(
    readFileSync(path.join(root, 'shared/text/en.json'), 'utf8'),
  );
  const code = (text) => (text === '' ? '' : `\`${text}\``);
  const lines = [];
  for (const [group, fields] of Object.entries(groups)) {
    lines.push(
      `## ${group}`,
      '',
      '| key | meaning | symbol | unit | values | default |',
      '| - | - | - | - | - | - |',
    );
    for (const field of fields) {
      const { key, symbol, unit, kind, optional, min, max, choices, instead } = field;
      const values = {
        number: () => `${written(min)} to ${written(max)}`,
        count: () => `whole, ${written(min)} to ${written(max)}`,
        choice: () => choices.map(code).join(' '),
        flag: () => 'yes or no',
        text: () => `text, up to ${max} characters`,
      }[kind]();
      const standardOf = (value) =>
        ({ null: '', true: 'yes', false: 'no' })[value] ??
        (['choice', 'text'].includes(kind) ? value : written(value));
      const others = Object.entries(instead?.while ?? {}).map(
        ([key, choices]) => `${code(key)} is ${choices.map(code).join(' or ')}`,
      );
      const standard = instead
        ? `${standardOf(field.default)}; ${standardOf(instead.default)} while ${others.join(', or ')}`
        : standardOf(field.default);
      lines.push(
        `| ${code(key)} | ${meaningOf(words[group]?.[key])} | ${code(symbol)} | ${unit} | ${values}${optional ? ', or none' : ''} | ${standard} |`,
      );
    }
    lines.push('');
  }
  return lines.join('\n');
}

/** A template with its lines for the names of views, of which `one` is the pattern, written anew. */
function withViews(template, one, lineOf) {
  const lines = linksOfViews().map(lineOf).join('');
  const block = new RegExp(`(${one.source})+`);
  if (!block.test(template)) throw new Failure('a template of a site generator has lost its views');
  return template.replace(block, () => lines);
}

/** Hugo's shortcode: what is appended to the link for a view. */
const hugoLine = ({ names, link }, index) => {
  const list = names.map((name) => `"${name}"`).join(' ');
  const named = link.includes('{}');
  const pair = named ? `(printf "${link.replace('{}', '%s')}" $view)` : `"${link}"`;
  return `    {{- ${index ? 'else ' : ''}if in (slice ${list}) $view }}{{ $pairs = $pairs | append ${pair} }}\n`;
};

/** Jekyll's include: likewise. */
const jekyllLine = ({ names, link }) => {
  const list = names.map((name) => `'${name}'`).join(', ');
  return `      {%- when ${list} -%}&${link.replace('{}', '{{ include.view }}')}\n`;
};

/** Each generated file as it is and as it should be. */
export async function generated() {
  const { format, resolveConfig } = await import('prettier');
  const description = await describe();
  const file = async (name, next) => {
    const place = path.join(root, name);
    let is = '';
    try {
      is = readFileSync(place, 'utf8');
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
    return { name, place, is, should: await next(is, place) };
  };
  const formatted = (next) => async (is, place) =>
    format(next(is), { ...(await resolveConfig(place)), filepath: place });
  const manual = 'wasm/fields.md';
  const marks = /(<!-- fields:start -->)[^]*(<!-- fields:end -->)/;
  return [
    await file(
      'web/src/engine/generated.ts',
      formatted(() => typesOf(description)),
    ),
    await file(
      'web/src/engine/question-groups.ts',
      formatted(() => groupsOf(description)),
    ),
    await file('web/src/i18n/parts.ts', formatted(partsOf)),
    await file(
      manual,
      formatted((text) => {
        if (!marks.test(text))
          throw new Failure(`${manual} has lost the marks of its field tables`);
        return text.replace(
          marks,
          (_, start, end) => `${start}\n\n${tableOf(description)}\n${end}`,
        );
      }),
    ),
    await file('web/hosts/hugo/layouts/shortcodes/scaling-calculator.html', (template) =>
      withViews(template, / *\{\{- (?:else )?if in \(slice .*\n/, hugoLine),
    ),
    await file('web/hosts/jekyll/_includes/scaling-calculator.html', (template) =>
      withViews(template, / *\{%- when .*\n/, jekyllLine),
    ),
  ];
}

/** Writes the generated files that differ. */
export async function generate() {
  for (const { name, place, is, should } of await generated()) {
    if (is === should) continue;
    step(`writing ${name}`);
    writeFileSync(place, should);
  }
}

await main(import.meta, async () => {
  await setUp('build');
  await compile('wasm', 'compiling the core to WebAssembly', { targets: ['modules'] });
  await generate();
});
