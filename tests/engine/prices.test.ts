// Prices of chips: each with its own provider, date and source, and one basis in a comparison.

import { describe, expect, test } from 'vitest';
import priceFile from '../../shared/prices.json' with { type: 'json' };
import { evaluate, type Answers } from '../../web/src/model/evaluate.ts';
import { bases } from '../../web/src/ui/parts/question/basis.ts';
import { isOwnPrice, onBasis, priceIn } from '../../web/src/ui/features/compare/prices.ts';
import { createEngine } from '../../web/src/engine/index.ts';
import { readAddress, writeAddress } from '../../web/src/link/address.ts';
import {
  chipOf,
  chips,
  latest,
  priceOn,
  providerNames,
  type Chip,
  type Price,
} from '../../web/src/model/presets.ts';
import {
  initialState,
  inputOf,
  withField,
  withPreset,
  type State,
} from '../../web/src/model/state.ts';

const engine = await createEngine();
const description = engine.describe();

const listed = (id: string, basis?: string): Partial<Price> => {
  const { value, provider, date, source } = priceOn(chipOf(id), basis)!;
  return { value, provider, date, source } as Partial<Price>;
};

describe('each price', () => {
  // The book's price of February 2025 was dated by the list price beside it: "September 2026".
  test('has its own date, provider and source, the book’s too', () => {
    expect(listed('h100-sxm', 'google-cloud')).toEqual({
      value: 10.8,
      provider: 'Google Cloud',
      date: '2025-02',
      source: 'book-applied-inference',
    });
    expect(listed('h100-sxm')).toEqual({
      value: 3.99,
      provider: 'Lambda',
      date: '2026-09',
      source: 'lambda',
    });
    expect(listed('h200-sxm', 'google-cloud')).toMatchObject({ value: 10, date: '2025-08' });
    expect(listed('h200-sxm')).toMatchObject({ value: 3.99, date: '2026-08' });
  });

  test('is complete, whatever it is listed beside', () => {
    const all = chips.flatMap(({ id, figures: { price }, otherPrices = [] }) =>
      [price as Price | undefined, ...otherPrices].flatMap((each) =>
        each ? [{ id, ...each }] : [],
      ),
    );
    expect(all.length).toBeGreaterThan(20);
    for (const { id, provider, date, source } of all) {
      expect(provider, id).toBeTruthy();
      expect(date, id).toMatch(/^20\d\d-\d\d$/);
      expect(priceFile.sources, id).toHaveProperty([source!]);
    }
  });
});

describe('a comparison, like the page,', () => {
  const onChip = (id: string, state: State = initialState): State => withPreset(state, 'chip', id);
  const priceOf = (state: State): unknown => inputOf(description, state, 'chip').price;

  test('has one basis for all chips: never the book’s price of some beside list prices of others', () => {
    for (const figures of ['book', 'vendor'] as const) {
      const state = { ...initialState, figures };
      for (const chip of chips) {
        const alone = onChip(chip.id, state);
        expect(priceOf(alone), chip.id).toBe(chip.figures.price?.value ?? null);
        expect(onBasis(alone, latest), chip.id).toEqual(alone);
      }
    }
    expect(priceOf(onChip('h100-sxm'))).toBe(3.99);
    const newest = ({ id }: Chip): string | undefined =>
      priceFile.prices
        .filter((price) => price.chip === id && price.provider !== 'deepseek')
        .map(({ date }) => date)
        .sort()
        .at(-1);
    for (const chip of chips) expect(priceOn(chip)?.date, chip.id).toBe(newest(chip));
  });

  test('can be of one provider’s list alone; what that does not list has no price', () => {
    expect([...bases].sort()).toEqual(
      ['latest', 'google-cloud', 'lambda', 'hyperstack', 'crusoe', 'aws-blocks', 'owned'].sort(),
    );
    const google = 'google-cloud';
    expect(priceOf(onBasis(onChip('h100-sxm'), google))).toBe(10.8);
    expect(priceOf(onBasis(onChip('tpu-v5p'), google))).toBe(4.2);
    expect(priceOf(onBasis(onChip('b200-sxm'), google))).toBeNull();
    for (const basis of bases) {
      if (basis === latest) continue;
      for (const chip of chips) {
        const price = priceOn(chip, basis);
        if (price) expect(price.provider).toBe(providerNames[basis]);
      }
    }
  });

  // Links of before had the book's price of an H100, of February 2025, until a basis was chosen.
  test('is in the link, unless it is the latest list prices', () => {
    const read = (link: string) => readAddress(description, link);
    const hyperstack = read('chip=h100-sxm&prices=hyperstack');
    expect(hyperstack.problems).toEqual([]);
    expect(priceOf(hyperstack.state)).toBe(3.2);
    expect(writeAddress(description, hyperstack.state)).toContain('prices=hyperstack');
    for (const link of ['', '&figures=vendor', '&prices=latest']) {
      const { state } = read(`chip=h100-sxm${link}`);
      expect(priceOf(state)).toBe(3.99);
      expect(writeAddress(description, state)).not.toContain('prices');
    }
    expect(priceOf(read('chip=h100-sxm&prices=lambda&chip.price=2').state)).toBe(2);
    expect(read('prices=nobody').problems).toEqual([
      { reason: 'badValue', key: 'prices', value: 'nobody' },
    ]);
  });

  test('leaves the reader’s own price as it is, and says that it is theirs', () => {
    const own = withField(description, onChip('h100-sxm'), 'chip.price', 2.1);
    expect(isOwnPrice(own)).toBe(true);
    for (const basis of bases) {
      expect(onBasis(own, basis)).toBe(own);
      expect(priceIn(description, onBasis(own, basis))).toEqual({ value: 2.1 });
    }
    const none = withField(description, onChip('h100-sxm'), 'chip.price', null);
    expect(priceIn(description, onBasis(none, latest))).toBeUndefined();
    expect(priceIn(description, onBasis(onChip('h100-sxm'), latest))).toMatchObject({
      value: 3.99,
    });
  });
});

describe('own hardware', () => {
  const stateOf = (link: string): State => {
    const { state, problems } = readAddress(description, link);
    expect(problems).toEqual([]);
    return state;
  };
  const answersTo = (link: string): Answers => {
    const reply = evaluate(engine, stateOf(link));
    if (!reply.ok) throw new Error(JSON.stringify(reply.issues));
    return reply.answers;
  };

  // A DGX H100 at $270,000 (SemiAnalysis, May 2023) for 8 chips over 5.5 years of 8,766 hours:
  // $0.70002; 0.7 kW at 8.06 cents: $0.05642.
  test('is a basis of prices: what an H100 cost, over years, with its power', () => {
    const state = stateOf('chip=h100-sxm&prices=owned');
    expect(inputOf(description, state, 'chip')).toMatchObject({
      payment: 'owned',
      purchase: 33750,
      years: 5.5,
      utilisation: 1,
      tariff: 0.0806,
      hosting: 0,
    });
    const answers = answersTo('chip=h100-sxm&prices=owned');
    expect(answers.chipHourPrice).toBeCloseTo(33750 / (5.5 * 8766) + 0.7 * 0.0806, 12);
    expect(Number(answers.cost)).toBeCloseTo(
      Number(answers.chipHourPrice) * Number(answers.chipHours),
      3,
    );
    expect(priceIn(description, state, answers)).toMatchObject({
      value: answers.chipHourPrice,
      owned: true,
      date: '2023-05',
      source: 'semianalysis-dgx',
    });
  });

  test('without a purchase that has a source asks for it, and invents none', () => {
    const link = 'chip=tpu-v5p&prices=owned';
    expect(answersTo(link)).toMatchObject({
      cost: { absent: 'notListed' },
      chipHourPrice: { absent: 'notListed' },
    });
    expect(priceIn(description, stateOf(link), answersTo(link))).toBeUndefined();
    const asked = `${link}&chip.purchase=20000&chip.power=450`;
    const own = priceIn(description, stateOf(asked), answersTo(asked))!;
    // A price that the reader gave has no source and no date.
    expect(own).toEqual({ value: answersTo(asked).chipHourPrice, owned: true });
  });

  test('is in the link, and how long and how much chips work stays with another chip', () => {
    const link = 'chip=h100-sxm&chip.years=4&chip.utilisation=70%25&chip.tariff=0.12&prices=owned';
    const state = stateOf(link);
    expect(stateOf(writeAddress(description, state))).toEqual(state);
    const other = withPreset(
      withField(description, state, 'chip.memory', 1e11),
      'chip',
      'h200-sxm',
    );
    expect(other.edits.chip).toEqual({ years: 4, utilisation: 0.7, tariff: 0.12 });
  });
});
