// Many estimates in one crossing: an answer along one field or over two, and where a choice among
// the answers changes.

import type { Core, RawInput, RawSamples, SampleMap, Sweep } from './core.ts';
import type { Axis, Description, QuestionName, Samples } from './types.ts';

/** Values that both axes of a map may have together, as the core has room for them. */
const mostValues = 4096;
/** Samples in one call, likewise. */
const mostSamples = 65536;

interface Place {
  group: number;
  field: number;
}

/** Where a field and an answer stand in the core's lists. Throws of one that there is not. */
export function placeOf(description: Description, question: QuestionName, id: string): Place {
  const [name = '', key] = id.split('.');
  const group = description.questions[question].groups.findIndex((each) => each === name);
  const fields = description.questions[question].groups[group];
  const field = fields ? description.groups[fields].findIndex((info) => info.key === key) : -1;
  if (field < 0) throw new RangeError(`${question} has no field ${id}`);
  return { group, field };
}

export function answerOf(description: Description, question: QuestionName, key: string): number {
  const index = description.questions[question].answers.findIndex((info) => info.key === key);
  if (index < 0) throw new RangeError(`${question} has no answer ${key}`);
  return index;
}

/** Writes an axis where the core looks for it; choices and flags as their numbers. */
function writeAxis(
  core: Core,
  description: Description,
  question: QuestionName,
  { field: id, values }: Axis,
  offset: number,
): Place & { count: number } {
  const place = placeOf(description, question, id);
  const count = values.length;
  if (offset + count > mostValues) throw new RangeError(`more than ${mostValues} values`);
  const info =
    description.groups[description.questions[question].groups[place.group]!][place.field]!;
  const target = core.axis();
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    target[offset + i] = typeof value === 'string' ? info.choices.indexOf(value) : Number(value);
  }
  return { ...place, count };
}

/** A copy of what the core shows until its next call. */
function keep({ values, absences }: RawSamples): Samples {
  return { values: values.slice(), absent: absences.slice() };
}

export function sampleAlong(
  core: Core,
  description: Description,
  question: QuestionName,
  call: Sweep,
  input: RawInput,
  axis: Axis,
  answers: readonly string[],
): Record<string, Samples> {
  const { group, field, count } = writeAxis(core, description, question, axis, 0);
  return Object.fromEntries(
    answers.map((key) => [
      key,
      keep(call(input, group, field, count, answerOf(description, question, key))),
    ]),
  );
}

export function sampleOver(
  core: Core,
  description: Description,
  question: QuestionName,
  call: SampleMap,
  input: RawInput,
  x: Axis,
  y: Axis,
  answer: string,
): Samples {
  if (x.values.length * y.values.length > mostSamples) {
    throw new RangeError(`more than ${mostSamples} samples`);
  }
  const columns = writeAxis(core, description, question, x, 0);
  const rows = writeAxis(core, description, question, y, columns.count);
  return keep(
    call(
      input,
      columns.group,
      columns.field,
      columns.count,
      rows.group,
      rows.field,
      rows.count,
      answerOf(description, question, answer),
    ),
  );
}
