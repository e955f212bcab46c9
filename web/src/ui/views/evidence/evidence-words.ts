import type { PartTexts } from '../../../i18n/dictionary.ts';
import type { RunChoice } from './settings.ts';
import { chipEntries } from '../../../model/presets.ts';
import { stacks } from '../../../model/stacks.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import type { Run } from './data.ts';
import { none } from './filter.ts';

export type EvidenceWords = PartTexts<'evidence'>;

/** A value by which runs are filtered, as readers know it. */
export function sayChoice(
  ctx: RenderContext,
  words: EvidenceWords,
  by: RunChoice,
  value: string,
): string {
  switch (by) {
    case 'chip':
      return chipEntries.find(({ id }) => id === value)?.name ?? value;
    case 'generation':
      return ctx.choice('chip.generation', value);
    case 'format':
      return (words.formats as Record<string, string>)[value] ?? value;
    case 'kind':
      return (words.kinds as Record<string, string>)[value] ?? value;
    case 'stack':
      return value === none
        ? words.undescribed
        : (stacks.find(({ id }) => id === value)?.name ?? value);
    default:
      return value;
  }
}

/** A run in a few words: model, chips, format. */
export const callRun = (ctx: RenderContext, words: EvidenceWords, run: Run): string =>
  ctx.fill(words.run, {
    model: run.model,
    chips: ctx.format.count(run.chips),
    chip: sayChoice(ctx, words, 'chip', run.chip),
    format: run.precision,
  });

/** `+4.2 %`: how much longer than measured the prediction is, or shorter. */
export function sayError({ format }: RenderContext, error: number): string {
  const size = format.say(Math.abs(error), '%');
  return error < 0 ? `−${size}` : `+${size}`;
}

/** What a chip reaches, of all matmuls. */
export const sayRate = ({ format }: RenderContext, run: Run, seconds: number): string =>
  format.say(run.flops / seconds, 'FLOPs/s');

const reasons: Readonly<Record<string, keyof EvidenceWords['reasons']>> = {
  'no step time': 'noTime',
  'what is computed again is not stated': 'recompute',
  'a fine-tuning': 'tuning',
  'drops tokens; the work of a token is not stated': 'drops',
  'not read in the source': 'unread',
  'before a fix that the source itself reports': 'fixed',
  'the micro-batch of the pipeline is not stated': 'pipeline',
  'the optimizer is on the host': 'offload',
  'a precision that is not known': 'precision',
  'a chip without figures': 'chip',
  'the model is missing': 'model',
  'the width of the feed-forward part is missing': 'width',
  'a kind of attention that is not known': 'attention',
  'the ways do not divide the chips': 'ways',
  'fewer sequences than data ways': 'sequences',
  'the planner refuses layout.virtualStages: virtualStagesDontDivide': 'stages',
  'the planner refuses run.chips: moreChipsThanNetwork': 'network',
};

/** What the rows of published runs call what can be missing. */
const columns: Readonly<Record<string, keyof EvidenceWords['missing']>> = {
  global_batch_tokens: 'batchTokens',
  seq_len: 'sequenceLength',
  L: 'layers',
  D: 'hidden',
  F: 'feedForward',
  N: 'heads',
  V: 'vocabulary',
  micro_batch: 'microBatch',
  tp: 'tensor',
  pp: 'pipeline',
  n_chips: 'chips',
};

/** Why a run has no prediction, in the reader's language; undefined for a reason without words. */
export function sayReason(
  ctx: RenderContext,
  words: EvidenceWords,
  reason: string,
): string | undefined {
  const key = reasons[reason];
  if (key) return words.reasons[key];
  const missing = /^(\w+) is missing$/.exec(reason)?.[1];
  const column = missing && columns[missing];
  if (column) return ctx.fill(words.reasons.missing, { what: words.missing[column] });
  return reason.startsWith('the planner refuses ') ? words.reasons.refused : undefined;
}
