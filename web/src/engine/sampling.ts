// Many estimates in one crossing: an answer along one field or over two, and where a choice among
// the answers changes.

import { nameOf, questionOf } from './asking.ts';
import type { Axis, Description, FieldInfo, MapSamples, QuestionName, Samples } from './types.ts';

/** Views into the module's memory that hold until the next call. */
export interface RawSamples {
  values: Float64Array;
  absences: Uint8Array;
}

/** Null where there is no such field or answer, or no room for so many. */
export type Sweep = (
  group: number,
  field: number,
  count: number,
  answer: number,
) => RawSamples | null;
export type SampleMap = (
  xGroup: number,
  xField: number,
  xCount: number,
  yGroup: number,
  yField: number,
  yCount: number,
  answer: number,
) => (RawSamples & { borders: Float64Array }) | null;

/** A module that samples. */
interface Sampled {
  /** Memory for the values of axes, written before a sweep or a map. */
  axis(): Float64Array;
}

interface Place {
  group: number;
  field: number;
}

/** Indices of a field and an answer in the core's lists. Throws a RangeError for unknown ones. */
export function placeOf(description: Description, question: QuestionName, id: string): Place {
  const [name = '', key] = typeof id === 'string' ? id.split('.') : [];
  const { groups } = questionOf(description, question);
  const group = groups.findIndex((each) => each === name);
  const fields = groups[group];
  const field = fields ? description.groups[fields].findIndex((info) => info.key === key) : -1;
  if (field < 0) throw new RangeError(`${question} has no field ${nameOf(id)}`);
  if (description.groups[fields!][field]!.kind === 'text') {
    throw new RangeError(`${id} is a text, along which there are no values`);
  }
  return { group, field };
}

export function answerOf(description: Description, question: QuestionName, key: string): number {
  const index = questionOf(description, question).answers.findIndex((info) => info.key === key);
  if (index < 0) throw new RangeError(`${question} has no answer ${nameOf(key)}`);
  return index;
}

/** The number that stands for a value of an axis: choices and flags their numbers, NaN for null
 * where a field may be that. A value that no field may have is not allowed here either. */
function numberOf(info: FieldInfo, value: unknown): number {
  if (typeof value === 'number') return value;
  if (value === null) return NaN;
  if (typeof value === 'string' && info.kind === 'choice') return info.choices.indexOf(value);
  if (typeof value === 'boolean' && info.kind === 'flag') return Number(value);
  return Infinity;
}

/** Writes an axis where the core looks for it. */
function writeAxis(
  core: Sampled,
  description: Description,
  question: QuestionName,
  { field: id, values }: Axis,
  offset: number,
): Place & { count: number } {
  const place = placeOf(description, question, id);
  const count = values.length;
  const target = core.axis();
  if (!(offset + count <= target.length)) throw new RangeError(`more than ${target.length} values`);
  const info =
    description.groups[description.questions[question].groups[place.group]!][place.field]!;
  for (let i = 0; i < count; i++) target[offset + i] = numberOf(info, values[i]);
  return { ...place, count };
}

/** The samples of a call. Throws where the core has no room for as many. */
function given<Raw extends RawSamples>(samples: Raw | null): Raw {
  if (!samples) throw new RangeError('more samples than there is room for');
  return samples;
}

/** A copy of what the core shows until its next call. */
const keep = ({ values, absences }: RawSamples): Samples => ({
  values: values.slice(),
  absent: absences.slice(),
});

export function sampleAlong(
  core: Sampled,
  description: Description,
  question: QuestionName,
  call: Sweep,
  axis: Axis,
  answers: readonly string[],
): Record<string, Samples> {
  const { group, field, count } = writeAxis(core, description, question, axis, 0);
  return Object.fromEntries(
    answers.map((key) => [
      key,
      keep(given(call(group, field, count, answerOf(description, question, key)))),
    ]),
  );
}

export function sampleOver(
  core: Sampled,
  description: Description,
  question: QuestionName,
  call: SampleMap,
  x: Axis,
  y: Axis,
  answer: string,
): MapSamples {
  const columns = writeAxis(core, description, question, x, 0);
  const rows = writeAxis(core, description, question, y, columns.count);
  const samples = given(
    call(
      columns.group,
      columns.field,
      columns.count,
      rows.group,
      rows.field,
      rows.count,
      answerOf(description, question, answer),
    ),
  );
  const right = new Map<number, number>();
  const up = new Map<number, number>();
  for (let i = 0; i < samples.borders.length; i += 3) {
    const [sample, isUp, at] = samples.borders.subarray(i, i + 3) as unknown as [
      number,
      number,
      number,
    ];
    (isUp ? up : right).set(sample, at);
  }
  return { ...keep(samples), right, up };
}
