// The measured trainings: what `npm run evidence` wrote of them, in the page's terms.

import type { FieldValue } from '../../../../engine/index.ts';
import type { InputGroup } from '../../../../model/presets.ts';
import type { FieldId } from '../../../../model/fields.ts';
import {
  citationsOf,
  formatOf,
  generationOf,
  type Kind,
  type Run,
  type Unpredicted,
} from './run.ts';
import file from '../../../../../../shared/predictions.json';

/** A measured step of a training with what is predicted of it [s]. */
export interface TrainingRun extends Run {
  readonly architecture: InputGroup;
  /** All other fields of the planner that are not as by default. */
  readonly settings: Readonly<Record<FieldId, FieldValue>>;
  readonly tokens: number;
  readonly sequence: number;
  /** FLOPs of a chip in a step, each matmul counted. */
  readonly flops: number;
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

/** A file of measured trainings, and of what is predicted of them. */
interface TrainingFile {
  readonly sources: readonly (readonly string[])[];
  readonly models: readonly unknown[];
  readonly settings: readonly unknown[];
  readonly reasons: readonly string[];
  readonly runs: readonly unknown[];
  readonly others: readonly unknown[];
}

export interface Trainings {
  readonly runs: readonly TrainingRun[];
  readonly unpredicted: readonly Unpredicted[];
}

/** The trainings of a file in the page's terms. */
export function trainingsOf(file: TrainingFile): Trainings {
  const { models, settings, reasons } = file;
  const citations = citationsOf(file.sources);
  const runs = (file.runs as unknown as Row[]).map(
    ([id, source, model, chip, precision, stack, setting, chips, tokens, sequence, ...times]) => {
      const [flops, measured, lower, low, expected, high, upper] = times;
      const [name, parameters, architecture] = models[model] as unknown as [
        string,
        number,
        InputGroup,
      ];
      const told = settings[setting] as TrainingRun['settings'];
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
        kind: (Number(architecture['experts'] ?? 0) > 0 ? 'moe' : 'dense') as Kind,
        stack: stack ?? undefined,
        settings: told,
        trained: String(told['run.trained'] ?? 'all'),
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

  const unpredicted = (file.others as unknown as Other[]).map(
    ([id, source, model, chip, precision, reason]) => ({
      id,
      citation: citations[source]!,
      model,
      chip,
      precision,
      reason: reasons[reason]!,
      count: 1,
    }),
  );
  return { runs, unpredicted };
}

export const { runs, unpredicted } = trainingsOf(file);
