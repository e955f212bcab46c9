import type { Formatter } from './format.ts';

const least = 1e-4;

/** A fraction in percent; small ones are written as less than the least, e.g. `< 0.01%`. */
export const sayShare = (format: Formatter, fraction: number): string =>
  0 < fraction && fraction < least
    ? `< ${format.exactly(100 * least, '%')}`
    : format.say(fraction, '%');
