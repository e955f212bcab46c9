import type { Bound, Line, Mark, SweepData } from '../../../../../charts/index.ts';
import type { Crossing, FieldValue, Samples } from '../../../../../engine/index.ts';
import { mostLines } from '../../../../../model/charts.ts';
import { isNumeric, type FieldId } from '../../../../../model/fields.ts';
import { spokenUnit } from '../../../../../model/presentation.ts';
import { listed } from '../../../../../i18n/language.ts';
import type { RenderContext } from '../../../../kit/render-context.ts';
import { exploredIn } from '../../questions.ts';
import { matters, rangedAxis, usualAxis, valuesAlong, type Ranged } from '../../axis.ts';
import { finding, inSentence, sayPlace } from '../../finding.ts';
import { ChartQuery, type Changes } from '../../chart-query.ts';

const samples = 512;

interface Setting {
  label: string;
  changes: Changes;
  own: boolean;
}

/** An answer along an axis, a line for each setting. */
export function sweepData(query: ChartQuery): SweepData | undefined {
  const { ctx } = query;
  const axis = rangedAxis(ctx, ctx.state.charts.over, usualAxis(ctx));
  const answer = sweptAnswer(ctx);
  const lines = settings(ctx).map((setting) => {
    const crossings = query.crossings(axis, setting.changes);
    return { setting, crossings };
  });
  const critical = lines.flatMap(({ crossings }) => crossings.map(({ at }) => reached(axis, at)));
  const values = valuesAlong(axis, samples, [axis.own, ...critical]);
  const drawn = lines.flatMap(({ setting, crossings }) =>
    line(query, axis, values, answer, setting, crossings),
  );
  if (drawn.length === 0) return undefined;
  const own = lines.find(({ setting }) => setting.own)?.crossings ?? [];
  const { label, unit } = answerInfo(ctx, answer);
  const percent = unit === '%';
  return {
    title: finding(query, axis, own),
    description: ctx.fill(ctx.text.charts.descriptions.sweep, {
      answer: label,
      field: inSentence(ctx.label(axis.field)),
      from: sayPlace(query, axis, axis.from),
      to: sayPlace(query, axis, axis.to),
      lines: listed(drawn.map(({ line: { label: name } }) => name)),
    }),
    file: `${answer}-${axis.field.replace('.', '-')}`,
    x: { label: ctx.label(axis.field), unit: axis.info.unit, scale: 'log', values },
    y: { label, unit, scale: percent ? 'linear' : 'log' },
    lines: drawn.map(({ line: each }) => each),
    marks: distinct(drawn.flatMap(({ marks }) => marks)),
    absences: ctx.description.absences.map((reason) => ctx.text.absences[reason]),
    ...(values.includes(axis.own) && { own: axis.own }),
  };
}

/** The answer that a sweep draws: the reader's choice if the question has it, or the default. */
export function sweptAnswer(ctx: RenderContext): string {
  const chosen = ctx.state.charts.answer;
  const has = ctx.description.questions[ctx.state.view].answers.some(({ key }) => key === chosen);
  if (chosen && has) return chosen;
  return exploredIn(ctx).answer;
}

function answerInfo(ctx: RenderContext, key: string): { label: string; unit: string } {
  const { answers } = ctx.description.questions[ctx.state.view];
  const info = answers.find((each) => each.key === key);
  return { label: ctx.answer(key).label, unit: info ? spokenUnit(info) : '' };
}

/** The reader's own setting and, where lines are asked for, those of each line. */
function settings(ctx: RenderContext): Setting[] {
  const { own } = ctx.text.charts;
  const fields = drawnFields(ctx);
  if (fields.length === 0) return [{ label: own, changes: [], own: true }];
  const values = fields.map((id) => ctx.value(id));
  const same = values.every((value) => value === values[0]);
  const others = ctx.state.charts.lines!.values.map((value): Setting => ({
    label: sayFields(ctx, fields, value),
    changes: fields.map((id) => [id, value] as const),
    own: same && value === values[0],
  }));
  if (others.some((setting) => setting.own) || others.length >= mostLines) return others;
  const label = same ? sayFields(ctx, fields, values[0]!) : own;
  return [{ label, changes: [], own: true }, ...others];
}

/** The fields that lines differ in, if all of them matter here and none is the axis. */
export function drawnFields(ctx: RenderContext): readonly FieldId[] {
  const { lines, over } = ctx.state.charts;
  const axis = rangedAxis(ctx, over, usualAxis(ctx)).field;
  const fits = lines?.fields.every(
    (id) => id !== axis && id !== 'operation.kind' && matters(ctx, id),
  );
  return lines && fits ? lines.fields : [];
}

/** The names of fields; their letters, where they have no more. */
export const namesOf = (ctx: RenderContext, fields: readonly FieldId[]): string[] =>
  fields.map((id) => {
    const { symbol } = ctx.info(id);
    return /^\p{L}+$/u.test(symbol) ? symbol : ctx.label(id);
  });

/** `D = F = 1,024`, `Format of the weights: int8`. */
function sayFields(ctx: RenderContext, fields: readonly FieldId[], value: FieldValue): string {
  const names = namesOf(ctx, fields);
  const said = ctx.say(fields[0]!, value);
  if (isNumeric(ctx.info(fields[0]!))) return [...names, said].join(' = ');
  return names.join(' = ') + ctx.text.charts.colon + said;
}

function line(
  query: ChartQuery,
  axis: Ranged,
  values: number[],
  answer: string,
  { label, changes, own }: Setting,
  crossings: readonly Crossing[],
): { line: Line; marks: Mark[] }[] {
  const drawn = query.sweep(axis.field, values, [answer], changes)?.[answer];
  if (!drawn) return [];
  const last = crossings.at(-1)?.after ?? boundThroughout(query, axis, values, drawn, changes);
  const parts = [
    ...crossings.map(({ at, before }) => ({ until: at, bound: before })),
    { bound: last },
  ];
  const marks = crossings.map(({ at, after }): Mark => {
    const value = drawn.values[values.indexOf(reached(axis, at))];
    return {
      at,
      label: sayPlace(query, axis, at),
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

/** The bound along a line on which it never changes. */
function boundThroughout(
  query: ChartQuery,
  axis: Ranged,
  values: number[],
  drawn: Samples,
  changes: Changes,
): string | undefined {
  const place = values[drawn.absent.indexOf(0)];
  if (place === undefined) return undefined;
  const { bound } = query;
  const sample = query.sweep(axis.field, [place], [bound], changes)?.[bound];
  return sample && query.choices(bound)[sample.values[0]!];
}

/** Marks a critical point once if several lines meet there. */
const distinct = (marks: Mark[]): Mark[] =>
  marks.filter(
    ({ at, value }, index) =>
      marks.findIndex((other) => other.at === at && other.value === value) === index,
  );

/** Counts have no values between whole numbers: the first one past a critical point shows it. */
const reached = ({ info }: Ranged, at: number): number =>
  info.kind === 'count' ? Math.ceil(at) : at;

const isBound = (choice: string | undefined): choice is Bound =>
  choice === 'compute' || choice === 'memory' || choice === 'network';
