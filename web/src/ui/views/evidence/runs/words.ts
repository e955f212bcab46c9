import type { PartTexts } from '../../../../i18n/dictionary.ts';
import type { RunChoice } from './settings.ts';
import { chipEntries } from '../../../../model/presets.ts';
import { servers } from '../../../../model/servers.ts';
import { stacks } from '../../../../model/stacks.ts';
import type { RenderContext } from '../../../kit/render-context.ts';
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
    case 'load':
      return (words.loads as Record<string, string>)[value] ?? value;
    case 'trained':
      return ctx.choice('run.trained', value);
    case 'stack':
      if (value === none) return words.undescribed;
      return [...stacks, ...servers].find(({ id }) => id === value)?.name ?? value;
    default:
      return value;
  }
}

/** `+4.2%`: how much more than measured the prediction is, or less. */
export function sayError({ format }: RenderContext, error: number): string {
  const size = format.say(Math.abs(error), '%');
  return error < 0 ? `−${size}` : `+${size}`;
}

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
  'the planner refuses run.chips: moreChipsThanNetwork': 'network',
  'the routing of the test weights is not known': 'routing',
  'preliminary figures': 'preliminary',
  'the largest batch is in a build table that the row lacks': 'buildTable',
  'kernels of a fallback': 'fallback',
  'saturated: fewer requests were served than came': 'saturated',
  'saturated: requests come faster than they are served': 'saturated',
  'drafts, their acceptance not stated': 'drafts',
  'an outlier by its source': 'outlier',
  'the source contradicts itself': 'contradicts',
  'the sizes of the model are not given': 'sizes',
  'the load is not stated': 'load',
  'the length of prompts is not stated': 'prompts',
  'the length of answers is not stated': 'answers',
  'the lengths are not stated': 'lengths',
  'the number of chips is a guess': 'guess',
  'the mesh is not stated': 'mesh',
  'kernels were not tuned': 'untuned',
  'it does not fit the stated chips': 'room',
  'prompts repeat: more of them a second than the peak allows': 'repeated',
  'the number of users is not stated': 'users',
  'the number of workers is not stated': 'workers',
  'a measurement that the source lists twice': 'twice',
  '4 bits on a chip that computes in none': 'fourBits',
  'the mesh counts the chips of all servers': 'meshOfAll',
  'prefill in stages is not counted': 'prefillStages',
  'nothing is measured': 'nothing',
  'adapters of another kind': 'adapters',
  'embedding and head are trained, too': 'ends',
  'the memory is that of the card': 'card',
  'the division is not stated': 'mesh',
  'an optimizer of its own': 'optimizer',
  '97 % of the peak, against its neighbours': 'tooFast',
  'the batch is not stated': 'batch',
  'what is on the host is not stated': 'onHost',
  'what is frozen is not stated': 'frozen',
  'no division of the chips holds the model': 'division',
};

/** The names that the rows of published runs give to missing facts. */
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

/** Says why a run has no prediction, in the reader's language; undefined for a reason without
 * words. */
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
  return /^the (planner|question) refuses /.test(reason) ? words.reasons.refused : undefined;
}
