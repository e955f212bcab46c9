// The layout of the chart of measured runs.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ScatterData } from '../../web/src/charts/kit/data.ts';
import { layScatter } from '../../web/src/charts/scatter/scatter-layout.ts';
import { Formatter } from '../../web/src/number/format.ts';
import { loadDictionary } from '../../web/src/i18n/dictionary.ts';
import { expectNumbers } from '../page/charts/numbers.ts';

const format = new Formatter('en', (await loadDictionary('en')).units);
const measure = (text: string, _: number, size: number): number => text.length * size * 0.55;

const scatter = (points: ScatterData['points'], more: Partial<ScatterData> = {}): ScatterData => ({
  title: '',
  description: '',
  file: 'evidence',
  x: { label: 'Predicted step', unit: 's/step' },
  y: { label: 'Measured step', unit: 's/step' },
  kinds: ['dense', 'with experts'],
  points,
  band: { from: 0.9, to: 1.2 },
  diagonal: 'as predicted',
  ...more,
});

const time = fc.double({ min: 1e-3, max: 1e4, noNaN: true });
const point = fc
  .tuple(time, time, fc.constantFrom(0, 1))
  .map(([x, y, kind]): ScatterData['points'][number] => ({
    label: 'run',
    x,
    y,
    kind,
    likely: [0.9 * x, 1.2 * x],
    bounds: [0.4 * x, 2 * x],
  }));

describe('a scatter', () => {
  test('has each point within its plot, above the diagonal if it took longer', () => {
    const points = fc.array(point, { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(points, fc.constantFrom(300, 720, 1200), (list, width) => {
        const layout = layScatter(scatter(list), width, format, measure);
        const { plot, dots, x, y } = layout;
        expectNumbers(layout);
        dots.forEach((dot, index) => {
          expect(dot.x).toBeGreaterThanOrEqual(plot.left - 0.1);
          expect(dot.x).toBeLessThanOrEqual(plot.right + 0.1);
          expect(dot.y).toBeGreaterThanOrEqual(plot.top - 0.1);
          expect(dot.y).toBeLessThanOrEqual(plot.bottom + 0.1);
          const { x: predicted, y: measured } = list[index]!;
          const across = (dot.x - plot.left) / (plot.right - plot.left);
          const up = (plot.bottom - dot.y) / (plot.bottom - plot.top);
          if (measured > 1.01 * predicted) expect(up).toBeGreaterThan(across - 1e-3);
          if (predicted > 1.01 * measured) expect(up).toBeLessThan(across + 1e-3);
        });
        expect(x.domain).toEqual(y.domain);
      }),
      { numRuns: 60 },
    );
  });

  test('draws the whiskers of few, and has room for them', () => {
    const few = Array.from({ length: 5 }, (_, index) => ({
      label: '',
      x: index + 1,
      y: index + 1,
      kind: 0,
      likely: [0.9 * (index + 1), 1.2 * (index + 1)] as const,
      bounds: [0.1 * (index + 1), 9 * (index + 1)] as const,
    }));
    const { whiskers, y } = layScatter(scatter(few), 720, format, measure);
    expect(whiskers).toHaveLength(5);
    expect(y.domain[0]).toBeLessThanOrEqual(0.1);
    expect(y.domain[1]).toBeGreaterThanOrEqual(45);
    const many = Array.from({ length: 20 }, () => few).flat();
    expect(layScatter(scatter(many), 720, format, measure).whiskers).toEqual([]);
    // The chosen run always has room for its whiskers, too.
    const chosen = layScatter(scatter(many, { chosen: 4 }), 720, format, measure);
    expect(chosen.y.domain[1]).toBeGreaterThanOrEqual(45);
  });

  test('of one point, or of none, is a chart', () => {
    expectNumbers(layScatter(scatter([]), 720, format, measure));
    expectNumbers(layScatter(scatter([{ label: '', x: 1, y: 1, kind: 0 }]), 720, format, measure));
  });
});
