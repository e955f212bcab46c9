import type { Bound, Line, Mark, SweepData } from '../../charts/index.ts';
import type { Crossing, FieldValue } from '../../engine/index.ts';
import { isNumeric, mostLines } from '../../state/charts.ts';
import { isPercent } from '../../state/presentation.ts';
import type { FieldId } from '../../state/state.ts';
import type { Scope } from '../scope.ts';
import { fieldsOf } from '../view.ts';
import { matters, rangedAxis, usualAxis, valuesAlong, type Ranged } from './axis.ts';
import { finding, inSentence, sayPlace } from './finding.ts';
import { choicesOf } from './roofline-data.ts';
import { Subject, type Changes } from './subject.ts';

const samples = 512;

interface Setting {
  label: string;
  changes: Changes;
  own: boolean;
}

/** An answer along an axis, a line for each setting. */
export function sweepData(subject: Subject): SweepData | undefined {
  const { scope } = subject;
  const axis = rangedAxis(scope, scope.state.charts.over, usualAxis(scope));
  const answer = sweptAnswer(scope);
  const lines = settings(scope).map((setting) => {
    const crossings = subject.crossings(axis, setting.changes);
    return { setting, crossings };
  });
  const critical = lines.flatMap(({ crossings }) => crossings.map(({ at }) => reached(axis, at)));
  const values = valuesAlong(axis, samples, [axis.own, ...critical]);
  const drawn = lines.flatMap(({ setting, crossings }) =>
    line(subject, axis, values, answer, setting, crossings),
  );
  if (drawn.length === 0) return undefined;
  const own = lines.find(({ setting }) => setting.own)?.crossings ?? [];
  const { label, unit } = answerInfo(scope, answer);
  const percent = unit === '%';
  return {
    title: finding(subject, axis, own),
    description: scope.fill(scope.text.charts.descriptions.sweep, {
      answer: label,
      field: inSentence(scope.label(axis.field)),
      from: sayPlace(subject, axis, axis.from),
      to: sayPlace(subject, axis, axis.to),
      lines: drawn.map(({ line: { label: name } }) => name).join(', '),
    }),
    file: `${answer}-${axis.field.replace('.', '-')}`,
    x: { label: scope.label(axis.field), unit: axis.info.unit, scale: 'log', values },
    y: { label, unit, scale: percent ? 'linear' : 'log' },
    lines: drawn.map(({ line: each }) => each),
    marks: drawn.flatMap(({ marks }) => marks),
    absences: scope.description.absences.map((reason) => scope.text.absences[reason]),
    ...(values.includes(axis.own) && { own: axis.own }),
  };
}

/** What a sweep draws: what the reader chose, if the question has it, or the usual. */
export function sweptAnswer(scope: Scope): string {
  const chosen = scope.state.charts.answer;
  const has = scope.description.questions[scope.state.view].answers.some(
    ({ key }) => key === chosen,
  );
  if (chosen && has) return chosen;
  return scope.state.view === 'collective' ? 'collectiveTime' : 'achievedFlops';
}

function answerInfo(scope: Scope, key: string): { label: string; unit: string } {
  const { answers } = scope.description.questions[scope.state.view];
  const unit = answers.find((info) => info.key === key)?.unit ?? '';
  return { label: scope.answer(key).label, unit: isPercent(key) ? '%' : unit };
}

/** The reader's own setting and, where lines are asked for, those of each line. */
function settings(scope: Scope): Setting[] {
  const { lines } = scope.state.charts;
  const fields = lines?.fields.filter((id) => lineFields(scope).includes(id)) ?? [];
  if (!lines || fields.length === 0)
    return [{ label: scope.text.charts.own, changes: [], own: true }];
  const values = fields.map((id) => scope.value(id));
  const same = values.every((value) => value === values[0]);
  const others = lines.values.map((value): Setting => ({
    label: sayFields(scope, fields, value),
    changes: fields.map((id) => [id, value] as const),
    own: same && value === values[0],
  }));
  if (others.some(({ own }) => own) || others.length >= mostLines) return others;
  const label = same ? sayFields(scope, fields, values[0]!) : scope.text.charts.own;
  return [{ label, changes: [], own: true }, ...others];
}

/** `D = F = 1,024`, `Format of the weights int8`. */
function sayFields(scope: Scope, fields: readonly FieldId[], value: FieldValue): string {
  const names = fields.map((id) => {
    const { symbol } = scope.info(id);
    return /^\p{L}+$/u.test(symbol) ? symbol : scope.label(id);
  });
  const said = scope.say(fields[0]!, value);
  return isNumeric(scope.info(fields[0]!)) ? [...names, said].join(' = ') : `${names[0]}: ${said}`;
}

/** Fields that lines can differ in: what matters here and is no axis already. */
export function lineFields(scope: Scope): FieldId[] {
  const { charts, view } = scope.state;
  const over = rangedAxis(scope, charts.over, usualAxis(scope)).field;
  return scope.description.questions[view].groups
    .flatMap((group) => fieldsOf(scope, group))
    .filter((id) => id !== over && id !== 'operation.kind' && matters(scope, id));
}

function line(
  subject: Subject,
  axis: Ranged,
  values: number[],
  answer: string,
  { label, changes, own }: Setting,
  crossings: readonly Crossing[],
): { line: Line; marks: Mark[] }[] {
  const { scope, bound } = subject;
  const series = subject.sweep(axis.field, values, [answer, bound], changes);
  const drawn = series?.[answer];
  if (!drawn) return [];
  const first = values.findIndex((_, index) => !series?.[bound]?.absent[index]);
  const start = choicesOf(scope, bound)[series?.[bound]?.values[first] ?? -1];
  const parts = [
    ...crossings.map(({ at, before }) => ({ until: at, bound: before })),
    { bound: crossings.at(-1)?.after ?? start },
  ];
  const marks = crossings.map(({ at, after }): Mark => {
    const value = drawn.values[values.indexOf(reached(axis, at))];
    return {
      at,
      label: sayPlace(subject, axis, at),
      ...(value !== undefined && { value }),
      ...(isBound(after) && { bound: after }),
    };
  });
  return [
    {
      line: {
        label,
        values: drawn.values,
        absent: drawn.absent,
        ...(own && { own }),
        ...(parts.every(({ bound: each }) => isBound(each)) && {
          parts: parts as NonNullable<Line['parts']>,
        }),
      },
      marks,
    },
  ];
}

/** Between whole numbers nothing can be asked: the first one past a critical point shows it. */
const reached = ({ info }: Ranged, at: number): number =>
  info.kind === 'count' ? Math.ceil(at) : at;

const isBound = (choice: string | undefined): choice is Bound =>
  choice === 'compute' || choice === 'memory' || choice === 'network';
