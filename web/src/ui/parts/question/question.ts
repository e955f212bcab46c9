import { html, type TemplateResult } from 'lit';
import type { Issue } from '../../../engine/index.ts';
import { fieldInfo, splitId, type FieldId } from '../../../model/fields.ts';
import { following } from '../../../i18n/language.ts';
import { interpolate } from '../../../i18n/interpolate.ts';
import { isOpen } from '../folds.ts';
import { fieldBeside, mayStandBeside } from './field-beside.ts';
import { control, messages } from './field.ts';
import { chipOptions, modelOptions } from './options.ts';
import { choiceOf } from './preset-choice.ts';
import type { Option } from '../../kit/preset-control.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import { trains } from '../../kit/trained.ts';
import { withTerms } from '../term.ts';
import { viewOf, type Panel } from '../view.ts';

/** The content of a place in the sentence: a field, or the repeated value of an earlier one. */
interface Place {
  name: string;
  id: FieldId;
  again: boolean;
}

/** The question in words, which may say more than the sentence with controls. */
export function wordsOf(ctx: RenderContext): string {
  const view = viewOf(ctx);
  return view.words?.(ctx) ?? view.sentence(ctx);
}

const sentenceOf = (ctx: RenderContext): string =>
  wordsOf(ctx) + (ctx.features.ending?.sentence(ctx) ?? '');

function placesOf(ctx: RenderContext, sentence = viewOf(ctx).sentence(ctx)): Place[] {
  const view = viewOf(ctx);
  const names = [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return names.flatMap((name) => {
    // A size that comes twice, as D does in X[B, D] Y[D, F], is set where it comes first.
    const key = name.replace(/2$/, '');
    const id = view.groups
      .map((group): FieldId => `${group}.${key}`)
      .find((each) => fieldInfo(ctx.description, each));
    return id ? [{ name, id, again: key !== name }] : [];
  });
}

/** Fields whose control is in the sentence, not in a panel. */
export const questionFields = (ctx: RenderContext): FieldId[] =>
  placesOf(ctx).flatMap(({ id, again }) => (again ? [] : [id]));

/** Whether the sentence tells a field that it leaves out where it is as usual: while it is edited, it
 * stays where it is. */
export function isUnusual(ctx: RenderContext, id: FieldId, usual: number): boolean {
  const { focused } = ctx;
  return focused?.id === id ? focused.place === 'sentence' : ctx.value(id) !== usual;
}

/** The sentence of a run with its slices, where there are several, and its images, where there are
 * any. */
export function withUnusual(ctx: RenderContext, sentence: string): string {
  const { inSlices, withImages } = ctx.text.sentence;
  return sentence
    .replace('{inSlices}', isUnusual(ctx, 'run.slices', 1) ? inSlices : '')
    .replace('{withImages}', isUnusual(ctx, 'run.imagesPerSequence', 0) ? withImages : '');
}

/** The sentence of a training of all, or of a fine-tuning, with its data as they are counted. */
export function withData(ctx: RenderContext, training: string, tuning: string): string {
  const { ofTokens, ofExamples, subject } = ctx.text.sentence;
  const head = ctx.value('run.trainHead') === true;
  const what = trains(ctx, 'last') ? (head ? subject.lastAndHead : subject.last) : subject.adapters;
  const counted = ctx.value('run.corpus') === 'examples';
  if (!counted && trains(ctx, 'all')) return training;
  return tuning
    .replace('{subject}', what)
    .replace('{data}', counted ? ofExamples : ofTokens)
    .replace('{inExamples}', counted ? batchInExamples(ctx) : '');
}

/** The examples of a batch, in words; those that are not packed are sequences of their own. */
function batchInExamples(ctx: RenderContext): string {
  const packed = ctx.value('run.packing') === true;
  const each = Number(ctx.value(packed ? 'run.exampleTokens' : 'run.sequenceLength'));
  const n = Number(ctx.value('run.batchTokens')) / each;
  const said = ctx.format.count(n >= 10 ? Math.round(n) : Number(n.toPrecision(2)));
  return ctx.fill(ctx.text.sentence.batchInExamples, { n: said }, { n });
}

/** The question in words alone. */
export function questionText(ctx: RenderContext, sentence = sentenceOf(ctx)): string {
  const parts: Record<string, string> = {};
  const numbers: Record<string, number> = {};
  for (const which of ['chip', 'model'] as const) {
    const edited = Object.keys(ctx.state.edits[which]).length > 0;
    const mark = edited && !ctx.state.names[which] ? following(ctx.text.ui.edited) : '';
    parts[which] = ctx.called(which) + mark;
  }
  for (const { name, id } of placesOf(ctx, sentence)) {
    parts[name] = ctx.say(id, ctx.value(id));
    numbers[name] = Number(ctx.value(id));
  }
  Object.assign(parts, ctx.features.ending?.say(ctx));
  return ctx.fill(sentence, parts, numbers);
}

/** The question as a sentence with controls in it, and what is wrong with them. */
export function question(ctx: RenderContext): TemplateResult {
  const parts: Record<string, TemplateResult | string> = {
    chip: presetOrName(ctx, 'chip', () => chipOptions(ctx)),
    model: presetOrName(ctx, 'model', () => modelOptions(ctx)),
  };
  const places = placesOf(ctx);
  for (const { name, id, again } of places) {
    const said = ctx.say(id, ctx.value(id));
    if (again) parts[name] = said;
    else parts[name] = ctx.fixed(name) ? fixed(said) : control(ctx, id);
  }
  const plural = (name: string): number => {
    const place = places.find((each) => each.name === name);
    return ctx.format.plural(place ? Number(ctx.value(place.id)) : 0);
  };
  return html`<p class="question" part="question" data-question=${ctx.state.view}>
      ${words(ctx, interpolate(viewOf(ctx).sentence(ctx), parts, plural))}
    </p>
    <div class="messages">
      ${places.map(({ id, again }) => (again ? '' : messages(ctx, id)))} ${amiss(ctx)}
    </div>`;
}

/** The codes of notices of what the core chose where the reader left it open. */
const chosenByCore = ['slicesJoined', 'computesInFp16'];

/** The fields that are wrong and that the sentence has no place for: each stands below it, to be filled
 * in, unless the reader has its panel open. */
function wrongFields(
  ctx: RenderContext,
  placed: ReadonlySet<string>,
): { id: FieldId; filledIn: boolean }[] {
  const panels = viewOf(ctx).panels(ctx);
  const panelOf = (id: FieldId): Panel | undefined =>
    panels.find(({ fields }) => fields.includes(id)) ??
    panels.filter(({ group }) => group === splitId(id)[0]).at(-1);
  const { focused } = ctx;
  const typed = focused?.place === 'below' ? (focused.id as FieldId) : undefined;
  const wrong = new Set(ctx.issues.map(({ field }) => field as FieldId));
  const open = (id: FieldId): boolean =>
    isOpen(ctx, 'assumptions') && ctx.open.has(`panel ${panelOf(id)?.key}`);
  if (typed) wrong.add(typed);
  return [...wrong]
    .filter((id) => !placed.has(id) && fieldInfo(ctx.description, id))
    .map((id) => ({ id, filledIn: ctx.besides && (!open(id) || id === typed) }));
}

/** What stands below the sentence: wrong fields, and notices of what was chosen for the reader. */
function belowSentence(ctx: RenderContext): {
  wrong: ReturnType<typeof wrongFields>;
  notices: readonly Issue[];
} {
  const placed = new Set<string>(placesOf(ctx).map(({ id }) => id));
  const wrong = wrongFields(ctx, placed);
  for (const { id, filledIn } of wrong) if (filledIn) placed.add(id);
  return {
    wrong,
    notices: ctx.notices.filter(
      ({ code, field }) => chosenByCore.includes(code) && !placed.has(field),
    ),
  };
}

/** Fields whose control stands with the question, in its sentence or below. */
export const fieldsOfQuestion = (ctx: RenderContext): FieldId[] => [
  ...questionFields(ctx),
  ...belowSentence(ctx).wrong.flatMap(({ id, filledIn }) =>
    filledIn && mayStandBeside(ctx, id) ? [id] : [],
  ),
];

/** Fields whose notices stand below the sentence, so that no closed panel repeats them. */
export const toldBelow = (ctx: RenderContext): ReadonlySet<string> =>
  new Set(belowSentence(ctx).notices.map(({ field }) => field));

function amiss(ctx: RenderContext): TemplateResult[] {
  const { wrong, notices } = belowSentence(ctx);
  return [
    ...wrong.map(({ id, filledIn }) =>
      filledIn
        ? html`${fieldBeside(ctx, id)}`
        : html`<p class="reason">${ctx.messages(id).join(' ')}</p>`,
    ),
    ...notices.map(
      (notice) =>
        html`<p class="reason" data-notice=${notice.field}>${ctx.issueMessage(notice)}</p>`,
    ),
  ];
}

const fixed = (text: string): TemplateResult => html`<span class="fixed">${text}</span>`;

const presetOrName = (
  ctx: RenderContext,
  which: 'chip' | 'model',
  options: () => readonly Option[],
): TemplateResult => (ctx.fixed(which) ? fixed(ctx.called(which)) : preset(ctx, which, options()));

/** A line never breaks between a control and the bracket or comma beside it. */
function words(ctx: RenderContext, pieces: (string | TemplateResult)[]): unknown[] {
  const words: unknown[] = [];
  let whole: (string | TemplateResult)[] = [];
  const close = (): void => {
    if (whole.length > 0) words.push(html`<span class="whole">${whole}</span>`);
    whole = [];
  };
  for (const piece of pieces) {
    if (typeof piece !== 'string') {
      whole.push(piece);
      continue;
    }
    for (const run of piece.split(/([ \p{L}\p{N}]+)/u).filter(Boolean)) {
      if (/^[ \p{L}\p{N}]/u.test(run)) {
        close();
        words.push(withTerms(ctx, run, 'question'));
      } else {
        whole.push(run);
        if (!/[[(（]$/.test(run)) close();
      }
    }
  }
  close();
  return words;
}

export function preset(
  ctx: RenderContext,
  which: 'chip' | 'model',
  presets: readonly Option[],
): TemplateResult {
  const { options, value, mark, choose } = choiceOf(ctx, which, presets);
  return html`<scaling-preset
    class="control"
    .fieldId=${which}
    .label=${ctx.text.ui[which]}
    .options=${options}
    .value=${value}
    .mark=${mark}
    .nothingFound=${ctx.text.ui.nothingFound}
    @browse=${() => {
      const { more } = ctx.features.presets;
      more.retry(ctx.actions);
      more.use(ctx.actions);
    }}
    @choose=${(event: CustomEvent<string>) => choose(event.detail)}
  ></scaling-preset>`;
}
