// Rules for texts besides those that `npm run check` looks for.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createEngine, type Description } from '../../web/src/engine/index.ts';
import { Formatter } from '../../web/src/number/format.ts';
import { writeForControl } from '../../web/src/number/write.ts';
import { loadDictionary, type Dictionary } from '../../web/src/i18n/dictionary.ts';
import { languages } from '../../web/src/i18n/language.ts';
import { interpolate } from '../../web/src/i18n/interpolate.ts';
import { filesUnder, root } from '../../web/tools/run.mjs';
import { flatTexts, readTexts } from '../../web/tools/texts.mjs';

const files: Record<string, object> = readTexts(path.join(root, 'shared/text'));
/** Every text of a language, by its path. */
const flat = (language: string): [string, string][] => flatTexts(files[language]);

let description: Description;
let texts: Record<string, Dictionary>;
beforeAll(async () => {
  description = (await createEngine()).describe();
  texts = Object.fromEntries(
    await Promise.all(languages.map(async (name) => [name, await loadDictionary(name)] as const)),
  );
});

const places = (sentence: string): string[] => [
  ...new Set([...sentence.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)),
];

test('a sentence takes the plural form of its language', () => {
  const sentence = '{n} {n|čip|čipa|čipi|čipov}';
  const said = (form: number): string => interpolate(sentence, { n: 'n' }, () => form).join('');
  expect([0, 1, 2, 3].map(said)).toEqual(['n čip', 'n čipa', 'n čipi', 'n čipov']);
  // A language with fewer forms than the number calls for.
  expect(interpolate('{n|chip|chips}', {}, () => 3).join('')).toBe('chips');
  const english = new Formatter('en', texts.en!.units);
  const forms = (n: number): string =>
    interpolate('{n|one|other}', {}, () => english.plural(n)).join('');
  expect([0, 1, 2, 1.5].map(forms)).toEqual(['other', 'one', 'other', 'other']);
});

describe.each(languages)('%s', (language) => {
  test('names every choice that an answer can be', () => {
    const { bounds, answerChoices } = texts[language]!;
    const named: Record<string, Record<string, string>> = answerChoices;
    const all = Object.values(description.questions).flatMap(({ answers }) => answers);
    for (const { key, choices } of all) {
      for (const choice of choices) {
        expect({ ...bounds, ...named[key] }, `${key} ${choice}`).toHaveProperty(choice);
      }
    }
  });

  test('asks for every operation in a sentence of fields that matter to it', () => {
    const { operation } = texts[language]!.sentence;
    const fields = new Map(description.groups.operation.map((field) => [field.key, field]));
    const likewise: Record<string, string> = {
      modelTokens: 'feedForward',
      modelTokensMoved: 'norm',
      modelAttention: 'attentionCore',
      latentAttention: 'attention',
    };
    for (const [name, sentence] of Object.entries(operation)) {
      const kind = likewise[name] ?? name;
      for (const place of places(sentence)) {
        const when = fields.get(place.replace(/2$/, ''))?.when;
        if (when?.field === 'kind') expect(when.choices, `${name} {${place}}`).toContain(kind);
      }
    }
  });
});

test('every text is of something that there is', () => {
  const { groups, questions, issueCodes, absences } = description;
  const answers = Object.values(questions).flatMap((question) => question.answers);
  const fields = Object.values(groups).flat();
  const file = (name: string): string => readFileSync(path.join(root, name), 'utf8');
  // The names that the core, the presets and the examples use.
  const named = [
    ...Object.keys(groups),
    ...[...fields, ...answers].flatMap(({ key, unit, choices }) => [key, unit, ...choices]),
    ...[...issueCodes, ...absences],
    ...['examples', 'optimizers', 'concepts'].flatMap((name) =>
      [...file(`shared/${name}.json`).matchAll(/"id": "([^"]+)"/g)].map(([, id = '']) => id),
    ),
    ...(file('shared/prices.schema.json')
      .match(/(?<="enum": \[)"cloud"[^\]]*/)?.[0]
      .match(/\w+/g) ?? []),
    ...Object.keys((JSON.parse(file('shared/sources.json')) as { sources: object }).sources),
  ];
  const sources = filesUnder('web/src', 'web/tools').map(file).join('\n');
  // Steps of derivations are named by the core alone.
  const modules = filesUnder('build/wasm')
    .filter((name) => name.endsWith('.wasm'))
    .map((name) => readFileSync(path.join(root, name), 'latin1'));
  // Words, and parts of words: `${kind}Gist`.
  const words = new Set([
    ...named,
    ...[sources, ...modules].flatMap((text) => text.match(/\w+/g) ?? []),
  ]);
  const ends = [...sources.matchAll(/\$\{[\w.]+\}(\w{3,})[`\]]/g)].map(([, end = '']) => end);
  const known = (key: string): boolean =>
    words.has(key) ||
    ends.some((end) => key.endsWith(end)) ||
    (key.includes('=') && key.split(/[&=]/).every((part) => part !== ''));
  const keysOf = (value: object, at = ''): string[] =>
    Object.entries(value).flatMap(([key, inner]: [string, object | string]) => {
      // Terms are found by their words; the examples' own test is of their links.
      if (at === 'terms.' || key === '' || at === 'examples.notes.') return [];
      const unknown = known(key) ? [] : [at + key];
      return [...unknown, ...(typeof inner === 'string' ? [] : keysOf(inner, `${at}${key}.`))];
    });
  expect(keysOf(files.en!)).toEqual([]);
});

describe('Chinese', () => {
  const han = '\\p{Script=Han}';
  const found = (pattern: RegExp, but?: RegExp): string[] =>
    flat('zh')
      .filter(([key]) => !key.startsWith('language.'))
      .filter(([, text]) => pattern.test(but ? text.replaceAll(but, '') : text))
      .map(([key, text]) => `${key}: ${text}`);

  test.each([
    // Each row has the term that is used throughout, and a pattern of those that it replaces.
    [
      '显存, where it is that of the chip',
      /内存/,
      /片上内存|主机内存|共享内存|写回内存|高带宽内存|(核心的?|分块用)内存/gu,
    ],
    ['重计算', /重算/, undefined],
    ['激活', /激活值/, undefined],
    ['注意力分数', /得分/, undefined],
    ['KV', /键值|Key-Value/, undefined],
    ['算术强度', /(计算|运算|算力)强度/, undefined],
    ['临界强度', /(关键|阈值)强度/, undefined],
    ['批次, 批大小', /批量|批尺寸|\bbatch\b/i, /\{\w+\}/gu],
    ['张量并行', /张量模型并行|模型并行/, undefined],
    ['流水线并行', /流水并行|管道并行/, undefined],
    ['流水级', /流水线?阶段/, undefined],
    ['切分', /分割|划片/, undefined],
    ['收敛比', /超额订阅|超订/, undefined],
    ['GPU 小时, 卡时', /GPU 时|芯片小时|芯片·小时/, undefined],
    ['并行策略 of chips, 切分 of arrays', /划分|最佳切分|切分方式/, undefined],
    ['并行策略 of a model', /布局/, /流水线布局/gu],
    ['TP, CP, EP, DP, PP of traffic', /(张量|上下文|专家|数据|流水线)(并行)?通信/, undefined],
    ['90% 区间', /可能的?(范围|上限|下限)|九成情形|大致在/, undefined],
    ['通信受限', /网络受限/, undefined],
    ['token/s', /token\/秒/, undefined],
    ['混合步', /混入提示词|夹带其他/, undefined],
    ['输入, 输出长度', /回答长度|提示词长度/, undefined],
  ] as const)('says %s', (_, other, but) => {
    expect(found(other, but)).toEqual([]);
  });

  test('has full-width punctuation, and spaces where scripts meet', () => {
    // Formulas are set as formulas.
    const formulas = /√\([^)]*\)/gu;
    expect(found(new RegExp(`${han}[,;:!?()]|[,;:!?()]${han}`, 'u'), formulas)).toEqual([]);
    expect(found(new RegExp(`${han}[A-Za-z]|[A-Za-z%]${han}`, 'u'), /\{\w+\}/gu)).toEqual([]);
    expect(found(new RegExp(`${han}\\d|\\d(?![万亿])${han}`, 'u'))).toEqual([]);
    expect(found(/\d [万亿]/u)).toEqual([]);
    expect(found(/(?<!…)…(?!…)|[。，；：！？、] /u)).toEqual([]);
  });

  test('ends sentences where English does', () => {
    const english = new Map(flat('en'));
    const whole = /[.。]$/;
    // Parts that the page itself puts together and ends with a stop.
    const parts = /^(plan\.)?summary\.|^explorer\.holdings\.stop$/;
    expect(
      flat('zh')
        .filter(([key, text]) => text && !parts.test(key) && english.get(key) !== '')
        .filter(([key, text]) => whole.test(text) !== whole.test(english.get(key)!)),
    ).toEqual([]);
  });
});

// Each row has the term that is used throughout, and a pattern of those that it replaces.
test.each([
  ['8-way, TP 8, degree', /\bways (of|by)\b|\{\w+\} ways\b/],
  ['TP communication', /(tensor|context|expert|data|pipeline)(-parallel)? (traffic|transfers)/i],
  ['90% interval', /\blikely (\{|range|from|to\b|at most)|than is likely/i],
  ['peak rates', /\bfull rates\b/i],
  ['lower bound', /\bat best\b|never (less|more) than/i],
  ['per chip-hour, per second', /\ba (chip-hour|second)\b|(tokens|requests|failures) a \w+/i],
  ['per token', /\{\w+\} a (token|chip|step)\b/],
  ['fits, doesn’t fit', /^It (doesn’t )?fits?\b|does not fit/],
  ['bottleneck', /\bwhat binds\b|^Bound$|\b(next|its) bound\b/i],
  ['layout', /\bdivision\b|(?<!\{)\bdivided\b(?! by)/],
  ['mixed step', /prompts of others|steps? with prompts/i],
  ['recomputation', /computed again$|selectively/i],
  ['MoE', /(layers|models) with experts/i],
  ['instance', /\bof servers of\b|prefill servers?\b/],
] as const)('English says %s', (_, other) => {
  // Articles and papers are titled as they are; worked examples speak as the book does.
  const own = flat('en').filter(([key]) => !/^(sources|workedExamples|examples)\./.test(key));
  expect(own.filter(([, text]) => other.test(text))).toEqual([]);
});

test.each(['en', 'zh'])('%s writes 37.5%%, in texts as in numbers', (language) => {
  const written = '37.5%';
  const format = new Formatter(language as 'en', texts[language]!.units);
  expect(format.say(0.375, '%')).toBe(written);
  expect(writeForControl(0.375, { unit: '', percent: true }, language as 'en')).toBe(written);
  expect(flat(language).filter(([, text]) => /[\d}]\s%/.test(text))).toEqual([]);
});

test('English has its own apostrophes and quotation marks', () => {
  // Policies are written as hosts write them.
  const policies = /'[\w-]+'/g;
  const wrong = flat('en').filter(([, text]) =>
    /['"]|\.\.\.|  /.test(text.replaceAll(policies, 'none')),
  );
  expect(wrong).toEqual([]);
});
