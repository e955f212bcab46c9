// The measured servers: what `npm run evidence` wrote of them, in the page's terms.

import type { FieldValue } from '../../../../engine/index.ts';
import { modelOf, type InputGroup } from '../../../../model/presets.ts';
import {
  citationsOf,
  fixedUsers,
  formatOf,
  generationOf,
  isSpeed,
  type Kind,
  type Load,
  type Measure,
  type Run,
  type TrainingMeasure,
  type Unpredicted,
} from './run.ts';
import file from '../../../../../../shared/serving-predictions.json';

type Fields = Readonly<Record<string, FieldValue>>;

/** One of the runs of servers with one of its measures. */
export interface ServingRun extends Run {
  readonly load: Load;
  /** A preset, and the fields in which the measured model differs from it; else all its fields. */
  readonly architecture: { readonly preset: string | null; readonly fields: InputGroup };
  readonly groups: Readonly<Record<'chip' | 'serving' | 'server', Fields>>;
}

type ModelRow = [name: string, parameters: number, preset: string | null, fields: InputGroup];
type ChipRow = [preset: string, fields: Fields];
type OtherRow = [
  source: number,
  model: string,
  chip: string,
  precision: string,
  reason: number,
  count: number,
];

const { runs: columns, precisions, software, servers, reasons, all, predicted, shownOneIn } = file;
const models = file.models as unknown as ModelRow[];
const chips = file.chips as unknown as ChipRow[];
const loads = file.loads as unknown as Fields[];
const citations = citationsOf(file.sources);

/** The numbers of measurements and of predicted ones; one in `shownOneIn` silicon points is
 * here. */
export const counts = { all, predicted, shownOneIn };

function loadOf({ load, apart }: Fields): Load {
  if (apart === true) return 'split';
  if (load === 'static') return 'static';
  return load === 'most' ? 'inflight' : 'online';
}

/** The part of a run that all its measures share. */
function shared(index: number) {
  const [model, parameters, preset, fields] = models[columns.model[index]!]!;
  const [chip, ofChip] = chips[columns.chip[index]!]!;
  const load = loads[columns.load[index]!]!;
  const precision = precisions[columns.precision[index]!]!;
  const experts = fields['experts'] ?? (preset ? modelOf(preset).architecture['experts'] : 0);
  return {
    id: columns.id[index]!,
    citation: citations[columns.source[index]!]!,
    model,
    parameters,
    architecture: { preset, fields },
    chip,
    generation: generationOf(chip),
    precision,
    format: formatOf(precision),
    kind: (Number(experts ?? 0) > 0 ? 'moe' : 'dense') as Kind,
    stack: software[columns.software[index]!] ?? undefined,
    load: loadOf(load),
    ...fixedUsers(load['load'], columns.users[index]),
    chips: columns.chips[index]!,
    groups: {
      chip: ofChip,
      server: servers[columns.server[index]!] as unknown as Fields,
      serving: {
        ...load,
        chips: columns.chips[index]!,
        users: columns.users[index]!,
        promptTokens: columns.promptTokens[index]!,
        answerTokens: columns.answerTokens[index]!,
      },
    },
  };
}

const tables = {
  outputSpeed: file.tokensPerSecond,
  tokenTime: file.timePerToken,
  firstToken: file.timeToFirstToken,
} as const;

export type ServingMeasure = Exclude<Measure, TrainingMeasure>;
const known = new Map<ServingMeasure, readonly ServingRun[]>();

/** The runs of which this was measured. A time's bound is its least, a speed's its greatest. */
export function runsOf(measure: ServingMeasure): readonly ServingRun[] {
  const found = known.get(measure);
  if (found) return found;
  const table = tables[measure];
  const runs = table.run.map((index, row): ServingRun => {
    const expected = table.expected[row]!;
    const low = table.low[row]! * expected;
    const high = table.high[row]! * expected;
    const bound = table.bound[row]!;
    // A band that ends at the bound may lie beyond it by the digits that its ends are written with.
    const ends = isSpeed(measure)
      ? { lower: low, low, high: Math.min(high, bound), upper: bound }
      : { lower: bound, low: Math.max(low, bound), high, upper: high };
    return { ...shared(index), measured: table.measured[row]!, expected, ...ends };
  });
  known.set(measure, runs);
  return runs;
}

/** Measurements that are not predicted, or that a rule keeps out. */
export const unpredicted: readonly Unpredicted[] = (file.others as unknown as OtherRow[]).map(
  ([source, model, chip, precision, reason, count]) => ({
    citation: citations[source]!,
    model,
    chip,
    precision,
    reason: reasons[reason]!,
    count,
  }),
);
