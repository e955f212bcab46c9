import type { FieldInfo } from '../engine/index.ts';
import type { Told } from '../engine/told.ts';
import { stepTime, type Notation } from '../number/unit.ts';

/** The unit in which people say it: fractions in percent, steps in seconds. */
export const spokenUnit = ({ unit, shown }: Told): string =>
  shown === 'percent' ? '%' : shown === 'step' ? stepTime : unit;

export const notationOf = ({ unit, shown }: Pick<FieldInfo, 'unit' | 'shown'>): Notation => ({
  unit,
  percent: shown === 'percent',
});
