// The data of the charts of serving.

import type { SweepData } from '../../../charts/kit/data.ts';
import type {
  Engine,
  FieldValue,
  Samples,
  ServingModule,
  ServingPoint,
} from '../../../engine/index.ts';
import type { FieldId } from '../../../model/fields.ts';
import type { InputGroups } from '../../../model/state.ts';
import { type Answers } from '../../../model/evaluate.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { stepParts } from './answers.ts';

type Input = Parameters<ServingModule['sweep']>[0];
type Key = Parameters<ServingModule['sweep']>[2][number];

/** Values by doubling, and the reader's own. */
export function doublings(from: number, to: number, own: number): number[] {
  const values = new Set([own]);
  for (let value = from; value <= to; value *= 2) values.add(value);
  return [...values].sort((a, b) => a - b);
}

type Series = Partial<Record<Key, Samples>>;

function sweep(
  engine: Engine,
  inputs: InputGroups,
  field: string,
  values: readonly number[],
  answers: readonly Key[],
): Series | undefined {
  const reply = engine.loaded('serving')!.sweep(inputs as Input, { field, values }, answers);
  return reply.ok ? reply.series : undefined;
}

const lineOf = (
  label: string,
  { values, absent }: Samples,
  own = false,
): SweepData['lines'][number] => ({ label, values, absent, ...(own && { own }) });

const hasAny = ({ absent }: Samples): boolean => absent.some((reason) => reason === 0);

const reasonsOf = (ctx: RenderContext): string[] => {
  const words: Record<string, string> = ctx.text.absences;
  return ctx.description.absences.map((absence) => words[absence] ?? absence);
};

const mostUsers = 4096;
const longestPrompt = 2 ** 20;

/** The parts of a decode step against the users that are served at a time. */
export function stepData(ctx: RenderContext, inputs: InputGroups): SweepData | undefined {
  const words = ctx.text.served.parts;
  const own = Number(ctx.value('serving.users'));
  const users = doublings(1, mostUsers, own);
  const keys: Key[] = ['decodeStep', ...stepParts];
  const series = sweep(ctx.engine, inputs, 'serving.users', users, keys);
  if (!series?.decodeStep || !hasAny(series.decodeStep)) return undefined;
  const at = users.indexOf(own);
  const valueAt = (key: Key): number =>
    series[key] && !series[key].absent[at] ? series[key].values[at]! : 0;
  const parts = stepParts.filter((key) => series[key] && hasAny(series[key]));
  // A chart tells at most six lines apart: the step, and its largest parts.
  const most = (key: Key): number => Math.max(...series[key]!.values);
  const shown = [...parts].sort((a, b) => most(b) - most(a)).slice(0, 5);
  const largest = [...parts].sort((a, b) => valueAt(b) - valueAt(a))[0];
  const fits = valueAt('decodeStep') > 0 && largest !== undefined;
  return {
    title: fits
      ? ctx.fill(
          words.finding,
          {
            users: ctx.format.count(own),
            step: ctx.format.say(valueAt('decodeStep'), 's/step'),
            most: ctx.answer(largest).label,
          },
          { users: own },
        )
      : words.title,
    description: words.description,
    file: 'decode-step-users',
    x: { label: ctx.label('serving.users'), unit: '', scale: 'log', values: users },
    y: { label: words.y, unit: 's', scale: 'log' },
    lines: [
      lineOf(ctx.answer('decodeStep').label, series.decodeStep, true),
      ...shown.map((key) => lineOf(ctx.answer(key).label, series[key]!)),
    ],
    marks: [],
    absences: reasonsOf(ctx),
    own,
  };
}

/** The time to the first token, or the KV cache, against the tokens of a prompt. */
export function promptData(
  ctx: RenderContext,
  inputs: InputGroups,
  which: 'prefill' | 'cacheOver',
): SweepData | undefined {
  const words = ctx.text.served[which];
  // Lengths that are listed have no one mean to vary.
  if (!ctx.applies('serving.promptTokens')) return undefined;
  const own = Number(ctx.value('serving.promptTokens'));
  const tokens = doublings(128, longestPrompt, own);
  const keys: Key[] =
    which === 'prefill'
      ? ['firstToken', 'prefillTime', 'firstTokenLower']
      : ['kvPerSequence', 'kvOfSequences', 'cacheRoom'];
  const unit = which === 'prefill' ? 's' : 'B';
  const series = sweep(ctx.engine, inputs, 'serving.promptTokens', tokens, keys);
  const first = series?.[keys[0]!];
  if (!series || !first || !hasAny(first)) return undefined;
  const at = tokens.indexOf(own);
  const said = first.absent[at] ? undefined : ctx.format.say(first.values[at]!, unit);
  return {
    title: said
      ? ctx.fill(words.finding, { tokens: ctx.format.count(own), first: said, bytes: said })
      : words.title,
    description: words.description,
    file: which === 'prefill' ? 'first-token-prompt' : 'cache-prompt',
    x: { label: ctx.label('serving.promptTokens'), unit: '', scale: 'log', values: tokens },
    y: { label: words.y, unit, scale: 'log' },
    lines: keys
      .filter((key) => series[key] && hasAny(series[key]))
      .map((key, index) => lineOf(ctx.answer(key).label, series[key]!, index === 0)),
    marks: [],
    absences: reasonsOf(ctx),
    own,
  };
}

/** The fields that make a server of the frontier, with its load. */
export const placesOf = ({
  chips,
  tensor,
  attentionData,
  expert,
  pipeline,
  sequences,
  divideByBatch,
}: ServingPoint): (readonly [FieldId, FieldValue])[] => [
  ['serving.load', 'closed'],
  ['serving.apart', false],
  ['serving.chips', chips],
  ['serving.users', sequences],
  ['serving.tensor', tensor],
  ['serving.attentionData', attentionData],
  ['serving.expert', expert],
  ['serving.pipeline', pipeline],
  ['server.divideByBatch', divideByBatch],
];

/** The tokens of a prompt or an answer: as stated, or the mean of those that are listed. */
export function tokensOf(
  ctx: RenderContext,
  answers: Answers | undefined,
  of: 'prompt' | 'answer',
): number {
  const id: FieldId = `serving.${of}Tokens`;
  return Number(ctx.applies(id) ? ctx.value(id) : answers?.[`${of}Mean`]);
}

/** The point of the reader's own servers, with answers of so many tokens. */
export function ownPoint(
  answers: Answers | undefined,
  tokens: number,
): { x: number; y: number } | undefined {
  const { answerTime, outputSpeedPerChip: y } = answers ?? {};
  if (typeof answerTime !== 'number' || typeof y !== 'number') return undefined;
  return { x: answerTime / tokens, y };
}
