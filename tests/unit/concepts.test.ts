// The index of concepts: its data, its words in every language, its pictures, and how it is searched.

import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import file from '../../shared/concepts.json' with { type: 'json' };
import schema from '../../shared/concepts.schema.json' with { type: 'json' };
import { draw } from '../../web/src/charts/concepts/draw.ts';
import { isPart, looks } from '../../web/src/charts/kit/looks.ts';
import { extent, height, width, type Picture } from '../../web/src/charts/concepts/marks.ts';
import { pictures } from '../../web/src/charts/concepts/pictures.ts';
import { createEngine } from '../../web/src/engine/index.ts';
import { loadPart } from '../../web/src/i18n/dictionary.ts';
import { languages } from '../../web/src/i18n/language.ts';
import {
  calledOf,
  concepts,
  groups,
  isMeant,
  readings,
  type Called,
  type Terms,
} from '../../web/src/ui/features/glossary/concepts.ts';
import {
  scheduledConcepts,
  schedulePictures,
} from '../../web/src/ui/features/glossary/counting.ts';

let terms: Terms[];
let called: ReadonlyMap<string, Called>;
let scheduled: Record<string, Picture>;
beforeAll(async () => {
  terms = await Promise.all(languages.map((language) => loadPart(language, 'terms')));
  called = calledOf(terms);
  const engine = await createEngine();
  await engine.planner();
  scheduled = schedulePictures(engine);
});

const ids = concepts.map(({ id }) => id);
const pictureOf = (id: string): Picture => pictures[id] ?? scheduled[id] ?? [];

describe('the file', () => {
  test('is valid by its schema, with each concept once', () => {
    const validate = new Ajv2020({ allErrors: true }).compile(schema);
    validate(file);
    expect(validate.errors).toBeNull();
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(concepts.map(({ group }) => group))).toEqual(new Set(groups));
    for (const { id, number } of concepts) expect(file.others, id).toHaveProperty(number.other);
  });

  test('is of the glossary’s terms, in every language', () => {
    for (const language of terms) {
      for (const id of ids) expect(language[id]?.name, id).toMatch(/\S/);
      const names = Object.values(language).map(({ name }) => name);
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    }
  });
});

describe('chapters and articles', () => {
  test('are those of the book, from its introduction on, and the articles', async () => {
    const kinds = (kind: string) =>
      readings.filter((each) => each.kind === kind).map(({ id }) => id);
    expect(kinds('book')).toEqual([
      ...['intro', 'roofline', 'tpus', 'sharding', 'transformers', 'training', 'applied-training'],
      ...['inference', 'applied-inference', 'profiling', 'jax-stuff', 'conclusion', 'gpus'],
    ]);
    expect(kinds('article')).toHaveLength(5);
    for (const language of languages) {
      const { chapters } = await loadPart(language, 'workedExamples');
      const { readings: own } = await loadPart(language, 'concepts');
      const titles: Record<string, string> = { ...chapters, ...own };
      for (const { id } of readings) expect(titles[id], `${language} ${id}`).toMatch(/\S/);
    }
  });

  test('speak of terms that there are; each that is pictured is spoken of or of the trade', () => {
    for (const { id, concepts: spoken } of readings) {
      expect(spoken.length, id).toBeGreaterThan(2);
      for (const term of spoken) expect(terms[0], `${id}: ${term}`).toHaveProperty(term);
    }
    for (const { url, id } of readings.filter(({ kind }) => kind === 'book'))
      expect(url, id).toMatch(/^https:\/\/jax-ml\.github\.io\/scaling-book\//);
    const spoken = new Set(readings.flatMap((reading) => reading.concepts));
    expect(ids.filter((id) => spoken.has(id)).length).toBeGreaterThan(35);
  });

  test('the articles find what they explain', () => {
    const of = (id: string) => readings.find((reading) => reading.id === id)!.concepts;
    expect(of('article-engineering')).toEqual(
      expect.arrayContaining([
        ...['dataParallel', 'zero1', 'zero2', 'zero3', 'tensorParallel', 'pipelineParallel'],
        ...['sequenceParallel', 'expertParallel', 'recompute', 'gradientAccumulation'],
        ...['pagedAttention', 'quantization', 'fp8', 'flash'],
      ]),
    );
    expect(of('article-time')).toEqual(expect.arrayContaining(['roofline', 'intensity']));
  });
});

describe('pictures', () => {
  test.each(ids)('%s has one, within its frame, unlike all others', (id) => {
    const picture = pictureOf(id);
    expect(picture.length).toBeGreaterThan(2);
    for (const mark of picture) {
      const [[left, top], [right, bottom]] = extent(mark);
      expect(
        [left, top].every((at) => at >= 0),
        JSON.stringify(mark),
      ).toBe(true);
      expect(right, JSON.stringify(mark)).toBeLessThanOrEqual(width);
      // The bend of a line lies outside of it.
      const isBent = mark.kind === 'line' && mark.bent;
      expect(bottom, JSON.stringify(mark)).toBeLessThanOrEqual(isBent ? 1.25 * height : height);
    }
    const same = ids.filter(
      (other) => JSON.stringify(pictureOf(other)) === JSON.stringify(picture),
    );
    expect(same).toEqual([id]);
  });

  test('those of schedules are the engine’s own steps: each pass once, none over another', () => {
    expect(scheduledConcepts.every((id) => pictures[id] === undefined)).toBe(true);
    const passes = (id: string) =>
      pictureOf(id).filter((mark) => isPart(mark.tone) && looks[mark.tone].tone === 'compute');
    // 8 micro-batches forward and backward over 4 stages; of 2 chunks each; gradients of weights apart.
    expect(passes('gpipe')).toHaveLength(64);
    expect(passes('oneFOneB')).toHaveLength(64);
    expect(passes('interleaved')).toHaveLength(128);
    expect(passes('zeroBubble')).toHaveLength(96);
    for (const id of scheduledConcepts) {
      const boxes = pictureOf(id).map(extent);
      for (const [[x, y], [right]] of boxes) {
        const over = boxes.filter(
          ([[left, top], [end]]) => top === y && left < right - 1 && end > x + 1,
        );
        expect(over, id).toHaveLength(1);
      }
    }
  });

  test('shards of ZeRO are a quarter on each of four chips', () => {
    const area = (id: string): number =>
      pictureOf(id)
        .filter((mark) => isPart(mark.tone))
        .reduce((sum, mark) => {
          const [[left, top], [right, bottom]] = extent(mark);
          return sum + (right - left) * (bottom - top);
        }, 0);
    expect(area('zero3') / area('dataParallel')).toBeCloseTo(0.25, 2);
    expect(area('zero1')).toBeGreaterThan(area('zero2'));
    expect(area('zero2')).toBeGreaterThan(area('zero3'));
  });

  test('are drawn without styles of their own, which strict hosts refuse', () => {
    expect(JSON.stringify(draw(pictureOf('zero1'), 'zero1').strings)).not.toContain('style=');
  });
});

describe('the search', () => {
  const found = (typed: string): string[] =>
    [...called.keys()].filter((key) => isMeant(called.get(key), typed));

  test.each([
    ['zero', ['zero1', 'zero2', 'zero3']],
    ['ZeRO 3', ['zero3']],
    ['zero3', ['zero3']],
    ['DDP', ['dataParallel']],
    ['remat', ['recompute', 'selectiveRecompute']],
    ['梯度检查点', ['recompute']],
    ['气泡', ['bubble', 'interleaved']],
    ['bubble', ['bubble', 'oneFOneB', 'interleaved']],
    ['KV', ['kvCache', 'gqa', 'mla', 'pagedAttention']],
    ['键值缓存', ['kvCache']],
    ['vLLM', ['pagedAttention']],
    ['投机', ['speculative']],
    ['awq', ['quantization']],
    ['Chinchilla', ['scalingLaws']],
    ['all-reduce', ['allReduce']],
    ['allreduce', ['allReduce']],
    ['HBM', ['hbm']],
    ['pipeline schedule', ['schedule']],
    ['PD 分离', ['disaggregated']],
  ])('finds “%s” in either language', (typed, wanted) => {
    expect(found(typed)).toEqual(expect.arrayContaining(wanted));
  });

  test('a few letters begin names, not any word', () => {
    expect(found('TP')).toEqual(expect.arrayContaining(['tensorParallel']));
    expect(found('TP').length).toBeLessThan(8);
    expect(found('xyzzy')).toEqual([]);
    expect(found('  ')).toHaveLength(called.size);
  });
});
