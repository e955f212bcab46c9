import { describe, expect, test } from 'vitest';

import { mainCauses, type Cause } from '../../web/src/compare/reason.ts';

const cause = (key: string, difference: number): Cause => ({
  kind: 'input',
  key,
  unit: 's',
  difference,
});

describe('what brought a change about', () => {
  test('is the largest cause that goes its way', () => {
    const [time, price] = [cause('time', -3), cause('price', 2)];
    expect(mainCauses(-1, [time, price])).toEqual({ main: time });
  });

  test('is told with what would have brought more the other way', () => {
    const [price, time, rest] = [cause('price', 2.79), cause('time', -2), cause('rest', -0.9)];
    expect(mainCauses(-0.11, [price, time, rest])).toEqual({ main: time, against: price });
  });

  test('is unknown where no cause goes its way', () => {
    expect(mainCauses(1, [cause('price', -1)])).toBeUndefined();
    expect(mainCauses(0, [cause('price', -1)])).toBeUndefined();
    expect(mainCauses(1, [])).toBeUndefined();
  });
});
