import type { FieldValue, MapField } from '../engine/index.ts';
import type { FieldId } from './fields.ts';
import type { Chart } from './views.ts';

/** A field that an axis goes along, and from where to where; without ends, those that suit it. */
export interface Axis {
  readonly field: FieldId;
  readonly range?: readonly [from: number, to: number] | undefined;
}

/** Settings of a field, or the same of several, each drawn as a line. */
export interface Lines {
  readonly fields: readonly FieldId[];
  readonly values: readonly FieldValue[];
}

/** Fields for the axes of a plan's map. */
export const mapFields: readonly MapField[] = [
  'tensor',
  'context',
  'pipeline',
  'expert',
  'microBatch',
  'data',
];
/** Strong scaling keeps the batch as chips are added, weak scaling grows it with them. */
export const scalings = ['strong', 'weak'] as const;

/** The reader's chart settings; defaults follow from the question. */
export interface ChartSettings {
  readonly chart?: Chart | undefined;
  /** Chips whose roofs are drawn beside the reader's. */
  readonly overlay?: readonly string[] | undefined;
  /** Models whose cache and FLOPs are drawn beside those of the reader's. */
  readonly models?: readonly string[] | undefined;
  readonly over?: Axis | undefined;
  /** The second axis of a heat map. */
  readonly against?: Axis | undefined;
  /** The answer that a sweep draws. */
  readonly answer?: string | undefined;
  readonly lines?: Lines | undefined;
  /** Across and upwards, of a plan's map. */
  readonly map?: readonly [x: MapField, y: MapField] | undefined;
  readonly scaling?: (typeof scalings)[number] | undefined;
  /** State of the charts of measured kernels and runs, as links have it: whether kernels stand
   * under the roof, the measure and the identity of the shown runs, their groups, the selected one,
   * and the time of the reader's own. */
  readonly kernels?: string | undefined;
  readonly measure?: string | undefined;
  readonly runs?: string | undefined;
  readonly by?: string | undefined;
  readonly run?: string | undefined;
  readonly measured?: string | undefined;
  /** The target of an answer: `trainingTime:atMost:1209600`. */
  readonly target?: string | undefined;
  /** State of tables, as links have it: the sides of the comparison, its deadline or budget, the
   * shown columns, and the column that sorts the rows. */
  readonly sides?: string | undefined;
  readonly deadline?: string | undefined;
  readonly budget?: string | undefined;
  readonly columns?: string | undefined;
  readonly sort?: string | undefined;
  /** Of the index of concepts: the one that is pointed at, and the chapter or article whose concepts are shown. */
  readonly concept?: string | undefined;
  readonly reading?: string | undefined;
}

export const mostLines = 6;
export const mostOverlays = 4;
export const mostModels = mostLines - 1;

/** Answers with failures and with attention, by those without that had their targets in earlier links. */
export const targetBefore: Readonly<Record<string, string>> = {
  mfuExact: 'mfu',
  wallTime: 'trainingTime',
  wallCost: 'cost',
};
