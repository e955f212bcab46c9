// Runs that the reader measured: kept in the browser, if that is allowed.

import { recall, remember } from '../../../dom/storage.ts';
import { longestLink } from '../../../link/address.ts';

/** A measured step of the reader's with what was predicted of it [s]. */
export interface OwnRun {
  /** The plan's link, without the measurement. */
  readonly link: string;
  readonly name: string;
  readonly kind: 'dense' | 'moe';
  readonly measured: number;
  readonly lower: number;
  readonly low: number;
  readonly expected: number;
  readonly high: number;
  readonly upper: number;
}

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
    times.every((key) => {
      const time = run[key];
      return typeof time === 'number' && time > 0 && time < 1e12;
    })
  );
}

/** What a stored text holds; what is no run is left out. */
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

/** Keeps a run, the latest first; another measurement of the same plan takes its place. */
export const keepOwnRun = (run: OwnRun): void =>
  store([run, ...ownRuns().filter(({ link }) => link !== run.link)].slice(0, most));

export const forgetOwnRun = (link: string): void =>
  store(ownRuns().filter((run) => run.link !== link));
