// The measured trainings: what `npm run evidence` wrote of them, in the page's terms.

import type { FieldValue } from '../../../../engine/index.ts';
import type { InputGroup } from '../../../../model/presets.ts';
import type { FieldId } from '../../../../model/fields.ts';
import { citationsOf, formatOf, generationOf, type Run, type Unpredicted } from './run.ts';
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

const { models, settings, reasons } = file;

const citations = citationsOf(file.sources);

export const runs: readonly TrainingRun[] = (file.runs as unknown as Row[]).map(
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
      settings: settings[setting] as unknown as TrainingRun['settings'],
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
    count: 1,
  }),
);
