import { html, type TemplateResult } from 'lit';
import type { FieldInfo, FieldValue } from '../../../../../engine/index.ts';
import { mostLines, type ChartSettings } from '../../../../../model/charts.ts';
import { isNumeric, valueFits, type FieldId } from '../../../../../model/fields.ts';
import type { RenderContext } from '../../../../kit/render-context.ts';
import { rangedAxis, usualAxis, variedFields } from '../../axis.ts';
import type { Piece, Setting } from '../../setting.ts';
import { drawnFields, namesOf, sweptAnswer } from './data.ts';

/** The most frequent answers of sweeps. Links can name others. */
const usualAnswers = [
  'achievedFlops',
  'fractionOfPeak',
  'lowerBound',
  'mathTime',
  'memoryTime',
  'networkTime',
  'intensity',
  'flops',
  'memoryBytes',
  'networkBytes',
  'collectiveTime',
  'effectiveBandwidth',
  'bytesSent',
  'collectiveSteps',
];
/** Fields that lines differ in together: square weights. */
const pairs = ['operation.contraction=operation.output'];
const none = '';

/** The sentence of a sweep: answer, axis and lines. */
export function sweepSetting(setting: Setting): TemplateResult {
  const { ctx } = setting;
  const axis = rangedAxis(ctx, ctx.state.charts.over, usualAxis(ctx));
  const { field: over, from, to } = setting.axis('over', axis);
  return setting.sentence(ctx.text.charts.sentences.sweep, {
    answer: answer(setting),
    over,
    from,
    to,
    lines: lines(setting, axis.field),
    values: drawnFields(ctx).length > 0 ? values(setting) : '',
  });
}

function answer(setting: Setting): Piece {
  const { ctx, query } = setting;
  const chosen = sweptAnswer(ctx);
  const keys = usualAnswers.filter((key) => query.results.number(key) !== undefined);
  const options = [...new Set([...keys, chosen])].map((key) => ({
    value: key,
    label: ctx.answer(key).label,
  }));
  return setting.select('answer', ctx.text.charts.answer, options, chosen, (key) => ({
    answer: key,
  }));
}

function lines(setting: Setting, axis: FieldId): Piece {
  const { ctx } = setting;
  const { charts } = ctx.text;
  const ids = variedFields(ctx).filter((id) => id !== axis);
  const fieldsOf = (name: string): FieldId[] => name.split('=').filter(Boolean) as FieldId[];
  const offered = pairs.filter((pair) => fieldsOf(pair).every((id) => ids.includes(id)));
  const chosen = drawnFields(ctx).join('=');
  const names = [...new Set([none, ...offered, ...ids, chosen])];
  const options = names.map((name) => {
    const fields = fieldsOf(name);
    const said = fields.length > 1 ? namesOf(ctx, fields).join(' = ') : undefined;
    return {
      value: name,
      label: said ?? (name === none ? charts.noLines : ctx.label(fields[0]!)),
    };
  });
  const choose = (name: string): ChartSettings => {
    const fields = fieldsOf(name);
    return { lines: fields[0] ? { fields, values: [firstValue(ctx, fields[0])] } : undefined };
  };
  return setting.select('lines', charts.lines, options, chosen, choose, 'line-');
}

function values(setting: Setting): TemplateResult {
  const { ctx } = setting;
  const { charts } = ctx.text;
  const { fields, values: items } = ctx.state.charts.lines!;
  const id = fields[0]!;
  const put = (next: readonly FieldValue[]): ChartSettings => ({
    lines: { fields, values: [...new Set(next)] },
  });
  const label = (index: number): string =>
    ctx.fill(charts.line, { n: String(index + 1), field: ctx.label(id) });
  const list = setting.list({
    name: 'line',
    items,
    control: (item, index, name) => {
      const replace = (by: FieldValue): ChartSettings =>
        put(items.map((each, at) => (at === index ? by : each)));
      return value(setting, `line-${index}`, name, item, replace);
    },
    label,
    say: (_, index) => label(index),
    least: 1,
    next: items.length < mostLines ? nextValue(ctx, id, items) : undefined,
    addLabel: charts.addLine,
    put,
  });
  return html`${charts.colon}${list}`;
}

/** The setting of a line: a number, or a choice that no other line has. */
function value(
  setting: Setting,
  name: string,
  label: string,
  own: FieldValue,
  replace: (by: FieldValue) => ChartSettings,
): TemplateResult {
  const { ctx } = setting;
  const { fields, values: all } = ctx.state.charts.lines!;
  const id = fields[0]!;
  const info = ctx.info(id);
  const isTaken = (given: FieldValue): boolean => given !== own && all.includes(given);
  if (typeof own === 'number') {
    const fits = (given: number): boolean =>
      fields.every((field) => valueFits(ctx.info(field), given));
    return setting.number({
      name,
      label,
      field: id,
      value: own,
      fault: (given) => (isTaken(given) || !fits(given) ? ctx.text.charts.lineTaken : ''),
      take: replace,
    });
  }
  const choices = choicesOf(info).filter((choice) => !isTaken(choice));
  const options = choices.map((each) => ({ value: String(each), label: ctx.say(id, each) }));
  return setting.select(name, label, options, String(own), (chosen) =>
    replace(choices.find((each) => String(each) === chosen)!),
  );
}

const choicesOf = ({ kind, choices }: FieldInfo): FieldValue[] =>
  kind === 'flag' ? [false, true] : choices;

/** A line to begin with: a quarter of the reader's own number, another choice. */
function firstValue(ctx: RenderContext, id: FieldId): FieldValue {
  const info = ctx.info(id);
  const own = ctx.value(id);
  if (!isNumeric(info)) return choicesOf(info).find((choice) => choice !== own) ?? own;
  const less = Number(own) / 4;
  const quarter = info.kind === 'count' ? Math.round(less) : less;
  return valueFits(info, quarter) ? quarter : info.max;
}

/** One more line: four times the last number, a choice that no line has yet. */
function nextValue(
  ctx: RenderContext,
  id: FieldId,
  values: readonly FieldValue[],
): FieldValue | undefined {
  const info = ctx.info(id);
  if (!isNumeric(info)) return choicesOf(info).find((choice) => !values.includes(choice));
  const next = Number(values.at(-1)) * 4;
  return valueFits(info, next) && !values.includes(next) ? next : undefined;
}
