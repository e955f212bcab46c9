// The common part of measured runs, of training and of serving.

import { chipEntries } from '../../../../model/presets.ts';

/** The formats of matmuls that are told apart. */
export const formats = ['bf16', 'fp8', 'fp4', 'int8', 'int4'] as const;
export type Format = (typeof formats)[number];

/** Whether all of a model's parameters see each token. */
export type Kind = 'dense' | 'moe';

/** The arrival of requests: one batch, as many as fit in flight, as users ask; or with prefill and
 * decode on chips of their own. */
export const loads = ['static', 'inflight', 'online', 'split'] as const;
export type Load = (typeof loads)[number];

/** The measures of a run, by the answer that predicts each. */
export const measures = [
  'stepTime',
  'tuningStep',
  'tuningMemory',
  'outputSpeed',
  'tokenTime',
  'firstToken',
] as const;
export type Measure = (typeof measures)[number];

/** The measures of fine-tunings: seconds of a step, and bytes of a chip. */
export type TuningMeasure = 'tuningStep' | 'tuningMemory';
export type TrainingMeasure = 'stepTime' | TuningMeasure;

export const isOfTraining = (measure: Measure): measure is TrainingMeasure =>
  measure === 'stepTime' || measure.startsWith('tuning');

export const isSpeed = (measure: Measure): boolean => measure === 'outputSpeed';

/** The users of servers, where the load is of a fixed number. */
export const fixedUsers = (load: unknown, users: unknown): Pick<Traits, 'users'> =>
  load === 'open' || load === 'most' ? {} : { users: Number(users) };

/** The publication of a run. */
export interface Citation {
  /** The source's name, by which runs are filtered. */
  readonly group: string;
  readonly text: string;
  readonly url: string | undefined;
}

/** The traits by which runs are alike. */
export interface Traits {
  readonly generation: string;
  readonly kind: Kind;
  readonly format: Format;
  readonly chips: number;
  readonly parameters: number;
  /** The load of servers, and their users where these are a fixed number. */
  readonly load?: Load;
  readonly users?: number;
  /** What a fine-tuning trains. */
  readonly trained?: string;
}

/** A measurement with what is predicted of it, and what it should not pass: seconds, or tokens a
 * second. */
export interface Pair {
  readonly measured: number;
  readonly lower: number;
  readonly low: number;
  readonly expected: number;
  readonly high: number;
  readonly upper: number;
}

export interface Run extends Traits, Pair {
  readonly id: string;
  readonly citation: Citation;
  /** The name that its source gives it. */
  readonly model: string;
  /** The id of a preset. */
  readonly chip: string;
  /** The formats, as its source says them. */
  readonly precision: string;
  readonly stack: string | undefined;
}

/** Published runs without a prediction, for one reason. */
export interface Unpredicted {
  /** Given if it is a single run. */
  readonly id?: string;
  readonly citation: Citation;
  readonly model: string;
  readonly chip: string;
  readonly precision: string;
  readonly reason: string;
  readonly count: number;
}

/** The formats of published runs, by what they are told apart as. */
export function formatOf(precision: string): Format {
  const said = precision.toLowerCase();
  if (/^(int8|q8)/.test(said)) return 'int8';
  if (/^(u?int4|q4|4-bit)/.test(said)) return 'int4';
  if (said.includes('fp4')) return 'fp4';
  return /fp8|e4m3/.test(said) ? 'fp8' : 'bf16';
}

/** A page of a repository or a paper, where a citation names one. */
export function urlOf(text: string): string | undefined {
  const paper = /arXiv:(\d{4}\.\d{4,5})/.exec(text);
  if (paper) return `https://arxiv.org/abs/${paper[1]}`;
  const repository = /\b([A-Za-z][\w-]*\/[\w.-]+)(?=[\s@])/.exec(text);
  if (!repository) return undefined;
  const [, name] = repository;
  const after = text.slice(repository.index + name!.length);
  const commit = /@(?:v[\w.]+ \()?([0-9a-f]{7,40})\b/.exec(after)?.[1];
  if (!commit) return `https://github.com/${name}`;
  const path = /^ ([\w][\w./-]*\.(?:mdx?|csv|svg|png|py|sh))(?= |$)/.exec(after)?.[1];
  return `https://github.com/${name}/${path ? 'blob' : 'tree'}/${commit}${path ? `/${path}` : ''}`;
}

export const citationsOf = (sources: readonly (readonly string[])[]): Citation[] =>
  sources.map(([group, text]) => ({ group: group!, text: text!, url: urlOf(text!) }));

/** The generation of a chip: kernels of one generation resemble each other. */
export const generationOf = (chip: string): string => {
  const found = chipEntries.find(({ id }) => id === chip);
  return found?.generation ?? 'general';
};
