import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { roundTime } from '../../web/src/charts/kit/ticks.ts';
import { Formatter, timeUnitOf } from '../../web/src/number/format.ts';
import { isBox } from '../../web/src/ui/parts/question/machines.ts';
import { alongMultiples, alongThese, alongWhich, divisorsOf } from '../../web/src/number/along.ts';
import { inPowersOfTwo, parseNumber } from '../../web/src/number/parse.ts';
import { sayShare } from '../../web/src/number/share.ts';
import { step, type Along } from '../../web/src/number/step.ts';
import { writeForControl, writeForLink, writeForReading } from '../../web/src/number/write.ts';
import { loadDictionary } from '../../web/src/i18n/dictionary.ts';
import { languages } from '../../web/src/i18n/language.ts';

const plain = { unit: '', percent: false };
const percent = { unit: '', percent: true };
const bytes = { unit: 'B/chip', percent: false };
const rate = { unit: 'FLOPs/s/chip', percent: false };
const time = { unit: 's', percent: false };
const notations = [plain, percent, bytes, rate, time, { unit: 'USD/chip/h', percent: false }];

describe('reading numbers', () => {
  test.each([
    ['4M', 4e6],
    ['15T', 15e12],
    ['15 t', 15e12],
    ['1e12', 1e12],
    ['2.4e-3', 0.0024],
    ['4 194 304', 4194304],
    ['4,194,304', 4194304],
    ["4'194'304", 4194304],
    ['4\u00a0194\u202f304', 4194304],
    ['4Mi', 4194304],
    ['4.1M', 4100000],
    ['70.55B', 70.55e9],
    ['8960', 8960],
    ['.5', 0.5],
    ['5.', 5],
    ['-3', -3],
    ['−3', -3],
    ['-0', 0],
    ['1e-400', 0],
    ['15万亿', 15e12],
    ['400万', 4e6],
    ['4百万', 4e6],
    ['1.5 亿', 1.5e8],
    ['８９６０', 8960],
    ['40%', 0.4],
    ['４０％', 0.4],
  ])('%s', (text, value) => {
    expect(parseNumber(text, plain)).toEqual({ ok: true, value });
  });

  test.each([
    ['40 %', 0.4],
    ['40', 0.4],
    ['0.4', 0.4],
    ['1', 1],
    ['0.5%', 0.005],
  ])('%s where percent is meant', (text, value) => {
    expect(parseNumber(text, percent)).toEqual({ ok: true, value });
  });

  test.each([
    ['96 GB', bytes, 96e9],
    ['96G', bytes, 96e9],
    ['95 GiB', bytes, 95 * 2 ** 30],
    ['80B', bytes, 80],
    ['2.8 TB/s', { unit: 'B/s/chip', percent: false }, 2.8e12],
    ['459 TFLOPs/s', rate, 459e12],
    ['$4.20', { unit: 'USD/chip/h', percent: false }, 4.2],
    ['1 µs', time, 1e-6],
    ['1us', time, 1e-6],
    ['0.7 微秒', time, 7e-7],
    ['500 ns', time, 5e-7],
    ['2 ms', time, 2e-3],
    ['3 s', time, 3],
    ['3e-6', time, 3e-6],
  ])('%s with its unit', (text, notation, value) => {
    expect(parseNumber(text, notation)).toEqual({ ok: true, value });
  });

  test.each([
    ['', 'empty'],
    ['  ', 'empty'],
    ['abc', 'notANumber'],
    ['1,5', 'notANumber'],
    ['1.2.3', 'notANumber'],
    ['4MM', 'notANumber'],
    ['NaN', 'notANumber'],
    ['Infinity', 'notANumber'],
    ['--1', 'notANumber'],
    ['1e400', 'tooLarge'],
    ['999T万亿', 'notANumber'],
  ])('%s is refused', (text, reason) => {
    expect(parseNumber(text, plain)).toEqual({ ok: false, reason });
  });

  test('no text makes a number that is none', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom(...notations),
        (text, notation) => {
          const parsed = parseNumber(text, notation);
          return !parsed.ok || (Number.isFinite(parsed.value) && !Object.is(parsed.value, -0));
        },
      ),
    );
  });
});

const numbers = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc
    .tuple(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: -20, max: 20 }))
    .map(([digits, power]) => Number(`${digits}e${power}`)),
  fc.integer({ min: 1, max: 4096 }).map((n) => n * 2 ** 30),
);

describe('writing numbers', () => {
  test('what a link or a control shows reads back as the same number', () => {
    fc.assert(
      fc.property(numbers, fc.constantFrom(...notations), (value, notation) => {
        const written = [
          writeForLink(value, notation),
          ...languages.map((language) => writeForControl(value, notation, language)),
        ];
        for (const text of written) {
          expect(parseNumber(text, notation), text).toEqual({
            ok: true,
            value: value === 0 ? 0 : value,
          });
        }
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    [15e12, plain, '15T', '15T', '15万亿'],
    [4e6, plain, '4M', '4M', '400万'],
    [8960, plain, '8960', '8,960', '8,960'],
    [4194304, plain, '4194304', '4,194,304', '4,194,304'],
    [0.4, percent, '40%', '40%', '40%'],
    [96e9, bytes, '96G', '96 GB', '96 GB'],
    [95 * 2 ** 30, bytes, '102005473280', '95 GiB', '95 GiB'],
    [459e12, rate, '459T', '459 TFLOPs/s', '459 TFLOPs/s'],
    [1e-6, time, '1us', '1 µs', '1 µs'],
    [0, time, '0s', '0 s', '0 s'],
  ])('%d', (value, notation, link, en, zh) => {
    expect(writeForLink(value, notation)).toBe(link);
    expect(writeForControl(value, notation, 'en')).toBe(en);
    expect(writeForControl(value, notation, 'zh')).toBe(zh);
  });

  test('what is beyond the names of scales has an exponent in a control', () => {
    const count = { unit: 'chips', percent: false };
    expect(writeForControl(1e30, count, 'en')).toBe('1e30');
    expect(writeForControl(2.5e21, count, 'zh')).toBe('2.5e21');
    expect(writeForControl(1e24, { unit: 'B', percent: false }, 'en')).toBe('1e24 B');
    expect(writeForControl(1e18, count, 'en')).toBe('1,000P');
  });

  test('says what a computation gave in short, and what a person wrote as it was written', () => {
    const tokens = { unit: 'tokens', percent: false };
    const says = (value: number) => writeForReading(value, tokens, 'en');
    expect(says(5_765_534_913_516)).toBe('5.77T');
    expect(writeForReading(5_765_534_913_516, tokens, 'zh')).toBe('5.77万亿');
    expect(says(865_123_457)).toBe('865M');
    for (const typed of [8960, 4_194_304, 2 ** 30, 15.6e12, 1_234_567]) {
      expect(says(typed)).toBe(writeForControl(typed, tokens, 'en'));
    }
    // Links and controls in hand stay exact.
    expect(writeForLink(5_765_534_913_516, tokens)).toBe('5765534913516');
    expect(writeForControl(5_765_534_913_516, tokens, 'en')).toBe('5,765,534,913,516');
  });
});

describe('saying numbers', async () => {
  const [en, zh] = await Promise.all(
    languages.map(
      async (language) => new Formatter(language, (await loadDictionary(language)).units),
    ),
  );
  const space = (text: string) => text.replaceAll('\u00a0', ' ');

  test.each([
    [3829656.86, 's', '44.3 days', '44.3 天'],
    [1752.1777 * 86400, 's', '4.80 years', '4.80 年'],
    [9.15e-4, 's', '915 µs', '915 微秒'],
    [86399, 's', '24.0 hours', '24.0 小时'],
    [90.6, 's', '1.51 min', '1.51 分钟'],
    // Steps are told in seconds, however long.
    [90.6, 's/step', '90.6 s', '90.6 秒'],
    [5400, 's/step', '5,400 s', '5,400 秒'],
    [0.0453, 's/step', '45.3 ms', '45.3 毫秒'],
    [40032679, 'USD', '$40.0M', '4,003万美元'],
    [4.2, 'USD', '$4.20', '4.20 美元'],
    [2.41869e9, 'B/chip', '2.42 GB', '2.42 GB'],
    [6.3e24, 'FLOPs', '6.30 × 10²⁴ FLOPs', '6.30 × 10²⁴ FLOPs'],
    [70.553706496e9, 'params', '70.6B parameters', '706亿参数'],
    [4194304, 'tokens', '4.19M tokens', '419万 token'],
    [35840, 'chips', '35,840 chips', '35,840 块芯片'],
    [1, 'chips', '1 chip', '1 块芯片'],
    [0.0252, '%', '2.52%', '2.52%'],
    [9.15e-4, 's/token', '915 µs per token', '915 微秒/token'],
    [9.53e6, 'chip·h', '9.53M chip-hours', '953万卡时'],
    [999.6e6, 'params', '1.00B parameters', '10.0亿参数'],
    [27.6e12, 'J', '7.67 GWh', '7.67 GWh'],
    [0, 'B', '0 B', '0 B'],
  ])('%d %s', (value, unit, english, chinese) => {
    expect(space(en!.say(value, unit))).toBe(english);
    expect(space(zh!.say(value, unit))).toBe(chinese);
  });

  test.each([
    [64.5 * 86400, 88 * 86400, 's', '64.5–88.0 days', '64.5–88.0 天'],
    [0.9, 1.2, 's', '900 ms–1.20 s', '900 毫秒–1.20 秒'],
    [26.5e9, 43.4e9, 'B', '26.5–43.4 GB', '26.5–43.4 GB'],
    [0.368, 0.68, '%', '36.8–68.0%', '36.8–68.0%'],
    [24.5e6, 45.3e6, 'USD', '$24.5M–$45.3M', '2,450万–4,530万美元'],
    [1.5e12, 2e12, 'tokens', '1.50T–2.00T tokens', '1.50万亿–2.00万亿 token'],
  ])('a range from %s to %s %s says its unit once', (low, high, unit, english, chinese) => {
    expect(space(en!.range(low, high, unit))).toBe(english);
    expect(space(zh!.range(low, high, unit))).toBe(chinese);
  });

  test.each(['s', 's/step', 's/token', 'USD', 'B/chip', 'FLOPs', 'tokens', '%', 'J', 'W/chip', ''])(
    'no number of %s is a dash, not an error',
    (unit) => {
      for (const value of [NaN, Infinity, -Infinity]) {
        for (const format of [en!, zh!]) {
          expect(format.say(value, unit)).toBe('–');
          expect(format.exactly(value, unit)).toBe('–');
          expect(format.count(value)).toBe('–');
          expect(format.number(value)).toBe('–');
          expect(() => format.plural(value)).not.toThrow();
        }
      }
      expect(() => timeUnitOf(NaN, unit)).not.toThrow();
    },
  );

  test('shares too small for two digits are less than the least', () => {
    expect(space(sayShare(en!, 6.63e-8))).toBe('< 0.01%');
    expect(space(sayShare(zh!, 6.63e-8))).toBe('< 0.01%');
    expect(space(sayShare(en!, 0.00656))).toBe('0.656%');
    expect(space(sayShare(en!, 0))).toBe('0%');
  });

  test('units that have no name of their own are named by their parts', () => {
    expect(space(zh!.exactly(3600, 's/h'))).toBe('3,600 秒/小时');
    expect(space(zh!.exactly(12, 'tokens·s/chip'))).toBe('12 token·秒/芯片');
    expect(space(zh!.exactly(2, 's'))).toBe('2 秒');
    expect(space(zh!.say(4.59e14, 'FLOPs/s'))).toBe('459 TFLOPs/s');
    expect(space(en!.exactly(3600, 's/h'))).toBe('3,600 s/h');
  });

  test('round times have the singular where there is one', () => {
    const said = (amount: number, unit: 'days' | 'years' | 'minutes'): string[] =>
      [en!, zh!].map((format) => space(roundTime(amount, unit, format)));
    expect(said(1, 'days')).toEqual(['1 day', '1 天']);
    expect(said(10, 'years')).toEqual(['10 years', '10 年']);
    expect(said(30, 'minutes')).toEqual(['30 min', '30 分钟']);
  });

  test('whatever the number, it is never NaN, Infinity, -0 or 1e+21', () => {
    const units = [
      '',
      's',
      'B',
      'B/s',
      'FLOPs',
      'FLOPs/s',
      'USD',
      'J',
      'W',
      'chips',
      'params',
      '%',
      'tokens/chip',
    ];
    fc.assert(
      fc.property(
        numbers,
        fc.constantFrom(...units),
        fc.constantFrom(en!, zh!),
        (value, unit, format) => {
          fc.pre(unit !== '%' || Math.abs(value) < 1e300);
          for (const text of [format.say(value, unit), format.exactly(value, unit)]) {
            expect(text).not.toMatch(/NaN|Infinity|∞|\d[eE][+-]?\d|^[-−]0([^.\d]|$)/);
            expect(text).toMatch(/\d/);
          }
        },
      ),
      { numRuns: 3000 },
    );
  });
});

describe('stepping', () => {
  const rule = { unit: '', percent: false, whole: true, doubles: false, min: 1, max: 1e18 };
  test.each([
    [8960, 1, false, 9000],
    [9000, 1, false, 9100],
    [9000, -1, false, 8900],
    [10000, -1, false, 9900],
    [15e12, 1, false, 16e12],
    [15e12, 1, true, 20e12],
    [3, 1, false, 4],
    [1, -1, false, 1],
  ] as const)('%d by %d', (value, direction, large, next) => {
    expect(step(value, direction, large, rule)).toBe(next);
  });

  test('percents by points, powers of two by doubling', () => {
    const share = { ...rule, whole: false, percent: true, min: 0.0001, max: 1 };
    expect(step(0.4, 1, false, share)).toBe(0.41);
    expect(step(0.4, 1, true, share)).toBe(0.5);
    expect(step(4096, 1, false, { ...rule, doubles: true })).toBe(8192);
    expect(step(4096, -1, true, { ...rule, doubles: true })).toBe(512);
    expect(step(5000, -1, false, { ...rule, doubles: true })).toBe(4096);
  });

  // An arrow went from 8,960 chips to 9,000, which no slices of a v5p are.
  test('chips step along boxes of the torus, and along whole domains', () => {
    const boxes = alongWhich((chips) => isBox(chips, [16, 20, 28]));
    const of = (along: Along) => ({ ...rule, along });
    expect(step(8960, 1, false, of(boxes))).toBe(8960);
    expect(step(9000, -1, false, of(boxes))).toBe(8960);
    for (let chips = 8960; chips > 1;) {
      const next = step(chips, -1, false, of(boxes));
      expect(next).toBeLessThan(chips);
      expect(isBox(next, [16, 20, 28]), `${next}`).toBe(true);
      chips = next;
    }
    const domains = alongWhich((chips) => (chips < 8 ? 8 % chips === 0 : chips % 8 === 0));
    expect(step(1000, 1, false, of(domains))).toBe(1104);
    expect(step(4, 1, false, of(domains))).toBe(8);
    expect(step(8, -1, false, of(domains))).toBe(4);
  });

  test('ways step along divisors, a batch along whole sequences', () => {
    const ways = { ...rule, doubles: true, along: alongThese(() => divisorsOf(100)) };
    expect(divisorsOf(100)).toEqual([1, 2, 4, 5, 10, 20, 25, 50, 100]);
    expect([4, 5, 10, 100].map((from) => step(from, 1, false, ways))).toEqual([5, 10, 20, 100]);
    expect([5, 1].map((from) => step(from, -1, false, ways))).toEqual([4, 1]);
    expect(step(4, 1, true, ways)).toBe(25);
    expect(step(7, 1, false, ways)).toBe(10);
    const batch = { ...rule, along: alongMultiples(8192) };
    expect(step(8192 * 512, 1, false, batch)).toBe(8192 * 513);
    expect(step(8192, -1, false, batch)).toBe(8192);
    expect(step(4e6, 1, false, batch)).toBe(4.1e6);
  });

  test('round thousands that powers of two may be meant by', () => {
    const meant: [number, number | undefined][] = [
      [8000, 8192],
      [4e6, 4194304],
      [1.5e6, 1572864],
      [256e3, 262144],
      [2e9, 2147483648],
      [8192, undefined],
      [999, undefined],
      [1001e3, undefined],
      [0, undefined],
    ];
    for (const [value, binary] of meant) expect(inPowersOfTwo(value), `${value}`).toBe(binary);
  });

  test('a step moves the way it should and stays in range', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e15 }),
        fc.constantFrom(1, -1),
        fc.boolean(),
        fc.boolean(),
        (value, direction, large, doubles) => {
          const next = step(value, direction as 1 | -1, large, { ...rule, doubles });
          expect(Number.isInteger(next)).toBe(true);
          expect(next).toBeGreaterThanOrEqual(1);
          expect(direction > 0 ? next > value : next < value || value === 1).toBe(true);
        },
      ),
    );
  });
});
