// Prices of chips: each with its own provider, date and source, and one basis in a comparison.

import { describe, expect, test } from 'vitest';
import chipFile from '../../shared/chips.json' with { type: 'json' };
import {
  bases,
  isOwnPrice,
  onBasis,
  priceIn,
  priceOn,
} from '../../web/src/ui/features/compare/prices.ts';
import { createEngine } from '../../web/src/engine/index.ts';
import { chipOf, chips, citedOf, type Figures, type Price } from '../../web/src/model/presets.ts';
import {
  initialState,
  inputOf,
  withField,
  withPreset,
  type State,
} from '../../web/src/model/state.ts';

const description = (await createEngine()).describe();

const cited = (id: string, figures: Figures): Partial<Price> => {
  const { value, provider, date, source } = citedOf(chipOf(id).figures.price!, figures) as Price;
  return { value, provider, date, source } as Partial<Price>;
};

describe('each price', () => {
  // The book's price of February 2025 was dated by the list price beside it: "September 2026".
  test('has its own date, provider and source, the book’s too', () => {
    expect(cited('h100-sxm', 'book')).toEqual({
      value: 10.8,
      provider: 'Google Cloud',
      date: '2025-02',
      source: 'book-applied-inference',
    });
    expect(cited('h100-sxm', 'vendor')).toEqual({
      value: 3.99,
      provider: 'Lambda',
      date: '2026-09',
      source: 'lambda',
    });
    expect(cited('h200-sxm', 'book')).toMatchObject({ value: 10, date: '2025-08' });
    expect(cited('h200-sxm', 'vendor')).toMatchObject({ value: 3.99, date: '2026-08' });
  });

  test('is complete, whatever it is listed beside', () => {
    const all = chips.flatMap(({ id, figures: { price }, otherPrices = [] }) =>
      [price, price?.book, ...otherPrices].flatMap((each) => (each ? [{ id, ...each }] : [])),
    );
    expect(all.length).toBeGreaterThan(20);
    for (const { id, provider, date, source } of all) {
      expect(provider, id).toBeTruthy();
      expect(date, id).toMatch(/^20\d\d-\d\d$/);
      expect(chipFile.sources, id).toHaveProperty([source!]);
    }
  });
});

describe('a comparison', () => {
  const onChip = (id: string, state: State = initialState): State => withPreset(state, 'chip', id);
  const priceOf = (state: State): unknown => inputOf(description, state, 'chip').price;

  test('has one basis for all chips: never the book’s price of some beside list prices of others', () => {
    for (const figures of ['book', 'vendor'] as const) {
      const state = { ...initialState, figures };
      for (const chip of chips) {
        const priced = onBasis(description, onChip(chip.id, state), 'latest');
        expect(priceOf(priced), chip.id).toBe(chip.figures.price?.value ?? null);
      }
    }
    expect(priceOf(onBasis(description, onChip('h100-sxm'), 'latest'))).toBe(3.99);
  });

  test('can be of one provider’s list alone; what that does not list has no price', () => {
    const names = bases.map((basis) => (basis === 'latest' ? basis : basis.provider));
    expect(names).toEqual(['latest', 'Google Cloud', 'Lambda', 'Hyperstack', 'Crusoe']);
    const google = { provider: 'Google Cloud' };
    expect(priceOf(onBasis(description, onChip('h100-sxm'), google))).toBe(10.8);
    expect(priceOf(onBasis(description, onChip('tpu-v5p'), google))).toBe(4.2);
    expect(priceOf(onBasis(description, onChip('b200-sxm'), google))).toBeNull();
    for (const basis of bases) {
      if (basis === 'latest') continue;
      for (const chip of chips) {
        const price = priceOn(basis, chip);
        if (price) expect(price.provider).toBe(basis.provider);
      }
    }
  });

  test('leaves the reader’s own price as it is, and says that it is theirs', () => {
    const own = withField(description, onChip('h100-sxm'), 'chip.price', 2.1);
    expect(isOwnPrice(own)).toBe(true);
    for (const basis of bases) {
      expect(onBasis(description, own, basis)).toBe(own);
      expect(priceIn(description, own, basis)).toEqual({ value: 2.1 });
    }
    const none = withField(description, onChip('h100-sxm'), 'chip.price', null);
    expect(priceIn(description, none, 'latest')).toBeUndefined();
    expect(priceIn(description, onChip('h100-sxm'), 'latest')).toMatchObject({ value: 3.99 });
  });
});
