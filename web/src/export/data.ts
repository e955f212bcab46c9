// Inputs and answers for programs.

import { csv as csvOf, type Cell } from './csv.ts';
import { linkTo } from './address.ts';
import type { Line, Shared } from './shared.ts';

/** A line for each input and answer: the number in its unit, and as on the page. */
export function csv(shared: Shared): string {
  const { words } = shared;
  const rowsOf = (kind: string, lines: Line[]): Cell[][] =>
    lines.map(({ key, label, value, unit, said }) => [
      kind,
      key,
      label,
      typeof value === 'number' ? value : String(value ?? ''),
      unit,
      said,
    ]);
  const about = [
    [words.link, linkTo(shared.address, shared.link)],
    [words.version, shared.version],
    [words.data, shared.data],
    [words.accessed, shared.date],
  ].map(([label, value]) => [words.about, '', label, value, '', '']);
  return csvOf({
    columns: [words.kind, words.key, words.name, words.value, words.unit, words.reading].map(
      (label) => ({ label }),
    ),
    rows: [
      ...rowsOf(words.input, shared.inputs),
      ...rowsOf(words.answer, shared.answers),
      ...about,
    ],
  });
}

/** `chip.memory` as `{ chip: { memory } }`: what programs give the engine. */
function byGroup<Value>(lines: Line[], value: (line: Line) => Value) {
  const groups = new Map<string, [string, Value][]>();
  for (const line of lines) {
    const [group = '', key = ''] = line.key.split('.');
    groups.set(group, [...(groups.get(group) ?? []), [key, value(line)]]);
  }
  return Object.fromEntries(
    [...groups].map(([group, pairs]) => [group, Object.fromEntries(pairs)]),
  );
}

/** Everything: `input` is as the engine takes it, `units` tells what its numbers mean. */
export function everything(shared: Shared) {
  const answers = <Value>(value: (line: Line) => Value) =>
    Object.fromEntries(shared.answers.map((line) => [line.key, value(line)]));
  return {
    calculator: shared.name,
    version: shared.version,
    data: shared.data,
    date: shared.date,
    link: linkTo(shared.address, shared.link),
    question: shared.question,
    input: byGroup(shared.inputs, ({ value }) => value),
    answers: answers(({ value }) => value),
    units: {
      input: byGroup(shared.inputs, ({ unit }) => unit),
      answers: answers(({ unit }) => unit),
    },
  };
}

export const json = (shared: Shared): string => `${JSON.stringify(everything(shared), null, 2)}\n`;
