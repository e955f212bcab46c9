// Runs that the reader measured: kept in the browser, if that is allowed.

import { recall, remember } from '../../../../dom/storage.ts';
import { longestLink } from '../../../../link/address.ts';
import { measures, type Kind, type Measure, type Pair } from './run.ts';

/** A measurement of the reader with its prediction [s; tokens/s]. */
export interface OwnRun extends Pair {
  /** The question's link, without the measurement. */
  readonly link: string;
  readonly name: string;
  readonly kind: Kind;
  /** Steps of trainings where nothing is said, as in what earlier versions kept. */
  readonly measure?: Measure;
}

export const measureOf = ({ measure }: OwnRun): Measure => measure ?? 'stepTime';

const most = 20;
const times = ['measured', 'lower', 'low', 'expected', 'high', 'upper'] as const;
const longestName = 200;

const isText = (value: unknown, longest: number): boolean =>
  typeof value === 'string' && value.length <= longest;

/** Whether something is a run as it was kept; storage may hold anything. */
function isOwnRun(value: unknown): value is OwnRun {
  if (typeof value !== 'object' || value === null) return false;
  const run = value as Record<string, unknown>;
  return (
    isText(run['link'], longestLink) &&
    isText(run['name'], longestName) &&
    (run['kind'] === 'dense' || run['kind'] === 'moe') &&
    (run['measure'] === undefined || measures.some((each) => each === run['measure'])) &&
    times.every((key) => {
      const time = run[key];
      return typeof time === 'number' && time > 0 && time < 1e12;
    })
  );
}

/** The runs of a stored text; leaves out whatever is no run. */
export function readOwnRuns(text: string | null): OwnRun[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(list) ? list.filter(isOwnRun).slice(0, most) : [];
  } catch {
    return [];
  }
}

export const ownRuns = (): OwnRun[] => readOwnRuns(recall('runs'));

const store = (runs: readonly OwnRun[]): void => remember('runs', JSON.stringify(runs));

const isSame = (one: OwnRun, other: OwnRun): boolean =>
  one.link === other.link && measureOf(one) === measureOf(other);

/** Keeps a run, the latest first; another measurement of the same question takes its place. */
export const keepOwnRun = (run: OwnRun): void =>
  store([run, ...ownRuns().filter((other) => !isSame(other, run))].slice(0, most));

export const forgetOwnRun = (run: OwnRun): void =>
  store(ownRuns().filter((other) => !isSame(other, run)));
