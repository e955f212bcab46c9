// The measured runs: what `npm run evidence` wrote of them, in the page's terms.

import type { FieldValue } from '../../../engine/index.ts';
import { chipEntries, type InputGroup } from '../../../model/presets.ts';
import type { FieldId } from '../../../model/fields.ts';
import file from '../../../../../shared/predictions.json';

/** The formats of matmuls that are told apart. */
export const formats = ['bf16', 'fp8', 'fp4', 'int8'] as const;
export type Format = (typeof formats)[number];

/** Whether all of a model's parameters see each token. */
export type Kind = 'dense' | 'moe';

/** Where a run was published. */
export interface Citation {
  /** The source's name, by which runs are filtered. */
  readonly group: string;
  readonly text: string;
  readonly url: string | undefined;
}

/** What runs have in common that are alike. */
export interface Traits {
  readonly generation: string;
  readonly kind: Kind;
  readonly format: Format;
  readonly chips: number;
  readonly parameters: number;
}

/** A measured step with what is predicted of it: seconds, unless said otherwise. */
export interface Run extends Traits {
  readonly id: string;
  readonly citation: Citation;
  /** As its source calls it. */
  readonly model: string;
  readonly architecture: InputGroup;
  /** Of a preset. */
  readonly chip: string;
  /** As its source says it. */
  readonly precision: string;
  readonly stack: string | undefined;
  /** All other fields of the planner that are not as by default. */
  readonly settings: Readonly<Record<FieldId, FieldValue>>;
  readonly tokens: number;
  readonly sequence: number;
  /** Of a chip in a step, each matmul counted. */
  readonly flops: number;
  readonly measured: number;
  readonly lower: number;
  readonly low: number;
  readonly expected: number;
  readonly high: number;
  readonly upper: number;
}

/** A published run without a prediction. */
export interface Unpredicted {
  readonly id: string;
  readonly citation: Citation;
  readonly model: string;
  readonly chip: string;
  readonly precision: string;
  readonly reason: string;
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

/** The formats of published runs, by what they are told apart as. */
export function formatOf(precision: string): Format {
  const said = precision.toLowerCase();
  if (said.startsWith('int8')) return 'int8';
  if (said.includes('fp4')) return 'fp4';
  return said.includes('fp8') ? 'fp8' : 'bf16';
}

type Row = [
  id: string,
  source: number,
  model: number,
  chip: string,
  precision: string,
  stack: string | null,
  settings: number,
  chips: number,
  tokens: number,
  sequence: number,
  flops: number,
  measured: number,
  lower: number,
  low: number,
  expected: number,
  high: number,
  upper: number,
];
type Other = [
  id: string,
  source: number,
  model: string,
  chip: string,
  precision: string,
  reason: number,
];

const { models, settings, reasons } = file;

const citations = (file.sources as [group: string, text: string][]).map(
  ([group, text]): Citation => ({ group, text, url: urlOf(text) }),
);

/** What is said of a chip's kernels: chips of a generation resemble each other. */
export const generationOf = (chip: string): string => {
  const found = chipEntries.find(({ id }) => id === chip);
  return found?.generation ?? 'general';
};

export const runs: readonly Run[] = (file.runs as unknown as Row[]).map(
  ([id, source, model, chip, precision, stack, setting, chips, tokens, sequence, ...times]) => {
    const [flops, measured, lower, low, expected, high, upper] = times;
    const [name, parameters, architecture] = models[model] as unknown as [
      string,
      number,
      InputGroup,
    ];
    return {
      id,
      citation: citations[source]!,
      model: name,
      parameters,
      architecture,
      chip,
      generation: generationOf(chip),
      precision,
      format: formatOf(precision),
      kind: Number(architecture['experts'] ?? 0) > 0 ? 'moe' : 'dense',
      stack: stack ?? undefined,
      settings: settings[setting] as unknown as Run['settings'],
      chips,
      tokens,
      sequence,
      flops,
      measured,
      lower,
      low,
      expected,
      high,
      upper,
    };
  },
);

export const unpredicted: readonly Unpredicted[] = (file.others as unknown as Other[]).map(
  ([id, source, model, chip, precision, reason]) => ({
    id,
    citation: citations[source]!,
    model,
    chip,
    precision,
    reason: reasons[reason]!,
  }),
);
