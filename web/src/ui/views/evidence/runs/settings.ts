// The settings of measured runs in links: which of them are shown, and the reader's own. The page
// keeps the text of the link; the view that shows them reads it here.

import { parseNumber } from '../../../../number/parse.ts';
import type { Notation } from '../../../../number/unit.ts';
import { writeForLink } from '../../../../number/write.ts';
import { isOfTraining, measures, type Measure, type TuningMeasure } from './run.ts';

/** The filters of runs, in their order. */
export const runChoices = [
  'chip',
  'generation',
  'source',
  'model',
  'format',
  'kind',
  'load',
  'trained',
  'stack',
] as const;
/** Sizes that runs can be near to. */
export const runSizes = ['chips', 'parameters'] as const;

export type RunChoice = (typeof runChoices)[number];
export type RunSize = (typeof runSizes)[number];

/** The values of the runs that are shown; sizes show the runs near to them. */
export type RunFilter = Readonly<
  Partial<Record<RunChoice, string>> & Partial<Record<RunSize, number>>
>;

/** Traits by which errors of runs are grouped. */
export const runGroups = [
  'trained',
  'chip',
  'source',
  'model',
  'format',
  'kind',
  'load',
  'stack',
] as const;
export type RunGroup = (typeof runGroups)[number];

/** The measure of the runs that are shown; by default the steps of trainings. */
export const measureIn = (text: string | undefined): Measure =>
  measures.find((each) => each === text) ?? 'stepTime';

/** Undefined for steps. */
export const writeMeasure = (measure: Measure): string | undefined =>
  measure === 'stepTime' ? undefined : measure;

/** The reader's measurement. A training has seconds of a step, or tokens a second; servers have
 * tokens of answers a second, seconds for a token, or to the first one. */
export const own = ['step', 'speed', 'output', 'token', 'first'] as const;
export type Own = (typeof own)[number];
export interface Measured {
  readonly as: Own;
  readonly value: number;
}

const owns: Readonly<Record<Exclude<Measure, TuningMeasure>, Own>> = {
  stepTime: 'step',
  outputSpeed: 'output',
  tokenTime: 'token',
  firstToken: 'first',
};
/** The name of a measure in links of the reader's own run. */
export const ownOf = (measure: Measure): Own =>
  isOfTraining(measure) ? owns.stepTime : owns[measure];

/** Nothing is measured beyond these. */
export const measuredRange = {
  step: { min: 1e-6, max: 1e6 },
  speed: { min: 1e-3, max: 1e12 },
  output: { min: 1e-3, max: 1e12 },
  token: { min: 1e-6, max: 1e6 },
  first: { min: 1e-6, max: 1e6 },
} as const;

/** Whether a measurement can be one at all. */
export const measuredFits = ({ as, value }: Measured): boolean =>
  value >= measuredRange[as].min && value <= measuredRange[as].max;

const plain: Notation = { unit: '', percent: false };
const numberIn = (text: string): number => {
  const parsed = parseNumber(text, plain);
  return parsed.ok ? parsed.value : NaN;
};

/** Parts of a list, each `key:value`. */
const pairIn = (text: string): string[] => /^(\w+):([^:]+)$/.exec(text)?.slice(1) ?? [];

/** Reads `chip:h100-sxm,kind:dense,chips:1024`; undefined where that makes no sense. */
export function readFilter(text: string): RunFilter | undefined {
  const filter: Record<string, string | number> = {};
  for (const part of text.split(',')) {
    const [key = '', value = ''] = pairIn(part);
    const size = numberIn(value);
    const isSize = runSizes.some((each) => each === key) && size >= 1 && size <= 1e15;
    const isName = runChoices.some((each) => each === key);
    if (!(isSize || isName) || Object.hasOwn(filter, key)) return undefined;
    filter[key] = isSize ? size : value;
  }
  return filter;
}

/** Undefined where all runs are shown. */
export const writeFilter = (filter: RunFilter): string | undefined =>
  [...runChoices, ...runSizes]
    .filter((key) => filter[key] !== undefined)
    .map((key) => {
      const value = filter[key]!;
      return `${key}:${typeof value === 'number' ? writeForLink(value, plain) : value}`;
    })
    .join(',') || undefined;

/** Reads `step:4.45`, `token:0.02` and `first:0.5` in seconds, `speed:1.2M` and `output:1500` in tokens a second;
 * undefined for anything else. */
export function readMeasured(text: string): Measured | undefined {
  const [name, value = ''] = pairIn(text);
  const as = own.find((each) => each === name);
  const found = as && { as, value: numberIn(value) };
  return found && measuredFits(found) ? found : undefined;
}

export const writeMeasured = ({ as, value }: Measured): string =>
  `${as}:${writeForLink(value, plain)}`;
