import type { FieldValue, MapField } from '../engine/index.ts';
import type { FieldId } from './fields.ts';
import type { Chart } from './views.ts';

/** A field that an axis goes along, and from where to where; without ends, those that suit it. */
export interface Axis {
  readonly field: FieldId;
  readonly range?: readonly [from: number, to: number];
}

/** Settings of a field, or the same of several, each drawn as a line. */
export interface Lines {
  readonly fields: readonly FieldId[];
  readonly values: readonly FieldValue[];
}

/** What the map of a plan can go along. */
export const mapFields: readonly MapField[] = [
  'tensor',
  'context',
  'pipeline',
  'expert',
  'microBatch',
  'data',
];
/** What happens to the batch as chips are added: nothing, or it grows with them. */
export const scalings = ['strong', 'weak'] as const;

/** What the reader chose to see; what is left out follows from the question. */
export interface ChartSettings {
  readonly chart?: Chart | undefined;
  /** Chips whose roofs are drawn beside the reader's. */
  readonly overlay?: readonly string[] | undefined;
  readonly over?: Axis | undefined;
  /** The second axis of a heat map. */
  readonly against?: Axis | undefined;
  /** What a sweep draws. */
  readonly answer?: string | undefined;
  readonly lines?: Lines | undefined;
  /** Across and upwards, of a plan's map. */
  readonly map?: readonly [x: MapField, y: MapField] | undefined;
  readonly scaling?: (typeof scalings)[number] | undefined;
}

export const mostLines = 6;
export const mostOverlays = 4;
