// What stays of a drawing without an answer.

import { expect, test } from 'vitest';
import {
  outlineOfPools,
  outlineOfRace,
  outlineOfRivals,
  outlineOfServing,
  outlineOfTraining,
  type Hole,
} from '../../web/src/charts/drawn/outline.ts';
import { heightOf as poolsHeight } from '../../web/src/charts/drawn/pools/heights.ts';
import { heights as raceHeights } from '../../web/src/charts/drawn/race/layout.ts';
import { leastHeightOf as rivalsHeight } from '../../web/src/charts/drawn/rivals/layout.ts';

/** Outlines with the heights of their drawings; those of trainings and servers have several parts. */
const cases = {
  training: [outlineOfTraining(64), [550, 550]],
  'one chip': [outlineOfTraining(1), [362, 332]],
  serving: [outlineOfServing, [720, 498]],
  race: [outlineOfRace, [raceHeights.narrow, raceHeights.wide]],
  pool: [outlineOfPools(1), [poolsHeight(1, 'narrow'), poolsHeight(1, 'wide')]],
  pools: [outlineOfPools(2), [poolsHeight(2, 'narrow'), poolsHeight(2, 'wide')]],
  'four rivals': [outlineOfRivals(4), [rivalsHeight(4, 2, 'narrow'), rivalsHeight(4, 2, 'wide')]],
  'five rivals': [outlineOfRivals(5), [rivalsHeight(5, 2, 'narrow'), rivalsHeight(5, 2, 'wide')]],
} as const;

const overlap = (a: Hole, b: Hole): boolean =>
  Math.min(a.x + a.width, b.x + b.width) > Math.max(a.x, b.x) &&
  Math.min(a.y + a.height, b.y + b.height) > Math.max(a.y, b.y);

test.each(Object.entries(cases))('the places of %s lie apart and in the drawing', (_, given) => {
  const [outline, heights] = given;
  (['narrow', 'wide'] as const).forEach((form, index) => {
    const holes = outline[form];
    expect(holes.length).toBeGreaterThan(0);
    holes.forEach((hole, at) => {
      expect(hole.x).toBeGreaterThanOrEqual(0);
      expect(hole.x + hole.width).toBeLessThanOrEqual(100);
      expect(hole.y + hole.height, form).toBeLessThanOrEqual(heights[index]!);
      for (const other of holes.slice(at + 1)) expect(overlap(hole, other), form).toBe(false);
    });
  });
});
