import { has } from '../../../model/own-value.ts';
import type { Issue } from '../../../engine/index.ts';
import type { Assumption, Problem, Reading } from '../../../custom/config.ts';
import { contradicts, type Nominal } from '../../../custom/nominal.ts';
import type { Reason } from '../../../custom/read.ts';
import type { CustomPreset, CustomPresetProblem } from '../../../custom/custom-presets.ts';
import type { FieldId } from '../../../model/fields.ts';
import type { PartTexts } from '../../../i18n/dictionary.ts';
import type { RenderContext } from '../../kit/render-context.ts';

export type Words = PartTexts<'own'>;

/** Says in words why nothing could be read. */
export function refusal(
  { own, ctx }: Says,
  reason: Reason | { code: 'unclosed'; line: number } | { code: 'noLaunch' },
): string {
  switch (reason.code) {
    case 'tooLarge':
      return ctx.fill(own.refused.tooLarge, { size: ctx.format.say(reason.size, 'B') });
    case 'notJson': {
      if (reason.line === undefined) return own.refused.notJson;
      return ctx.fill(own.refused.notJsonAt, { line: String(reason.line) });
    }
    case 'unclosed':
      return ctx.fill(own.refused.unclosed, { line: String(reason.line) });
    case 'otherFile': {
      const { otherFiles, needed, neededOf } = own.refused;
      const { kind, base } = reason;
      const what = base ? ctx.fill(neededOf, { base }) : needed;
      return ctx.fill(own.refused.sentences, { first: otherFiles[kind], second: what });
    }
    default: {
      const architecture = has(reason, 'architecture') ? reason.architecture : '';
      const parts = has(reason, 'parts') ? reason.parts : '';
      return ctx.fill(own.refused[reason.code], { architecture, parts });
    }
  }
}

/** Texts with the context that fills them. */
export interface Says {
  own: Words;
  ctx: RenderContext;
}

const idOf = (field: string): FieldId => `model.${field}`;

/** The problem with a key of a config, as a sentence. */
export function problemOf({ own, ctx }: Says, problem: Problem, model: Reading['model']): string {
  const { code, field, key, written } = problem;
  const { problems } = own;
  const sentence = {
    missing: problems.missing,
    notANumber: problems.notANumber,
    notWhole: problems.range,
    belowMinimum: problems.range,
    aboveMaximum: problems.range,
    notAFlag: problems.notAFlag,
    notAList: problems.notAList,
    varies: problems.varies,
    notDivisible: problems.notDivisible,
    listLength: problems.listLength,
    spokenOf: problems.spokenOf,
  }[code];
  const id = idOf(field);
  // Some values follow from others in the file.
  return ctx.fill(key ? sentence : problems.derived, {
    field: ctx.label(id),
    key,
    written,
    layers: String(model.layers ?? ''),
    ...limits(ctx, id),
  });
}

/** The problem with a key of the calculator's own files, as a sentence. */
export function presetProblemOf(
  { own, ctx }: Says,
  preset: CustomPreset,
  problem: CustomPresetProblem,
): string {
  const { code, key, written } = problem;
  const known = code === 'badField' || code === 'badChoice';
  const id: FieldId = `${preset.kind}.${key}`;
  const field = known ? { field: ctx.label(id), ...limits(ctx, id) } : {};
  return ctx.fill(own.problems[code], { key, written, ...field });
}

function limits(ctx: RenderContext, id: FieldId): Record<string, string> {
  const { min, max } = ctx.info(id);
  return { minimum: ctx.say(id, min), maximum: ctx.say(id, max) };
}

export const reasonOf = ({ own, ctx }: Says, { code }: Assumption, reading: Reading): string =>
  ctx.fill(own.reasons[code], { architecture: reading.architecture });

/** The core's issues with combinations of valid fields. */
const between = new Set([
  ...['headsNotDivisible', 'moreThanLayers', 'moreThanExperts', 'groupsDontDivide', 'partNeeded'],
  ...['patternSum', 'patternLayers', 'patternKinds', 'patternNoKeys'],
]);

export interface Counted {
  /** Parameters in a few words; empty where they can't be counted. */
  counts: string;
  parameters: number | undefined;
  active: number | undefined;
  issues: string[];
}

/** The parameters of a model, by the core. */
export function countedOf({ own, ctx }: Says, model: object): Counted {
  // Any chip does: parameters are the model's alone.
  const chip = { memory: 8e10, memoryBandwidth: 3e12, peakBf16: 1e15 };
  const outcome = ctx.engine.estimate({ chip, model, run: { chips: 1 } });
  const issues = outcome.ok
    ? []
    : outcome.issues
        .filter(({ code }: Issue) => between.has(code))
        .map((issue: Issue) => ctx.issueMessage(issue));
  const { computedParameters: all, computedActiveParameters: active } = outcome.ok
    ? outcome.answers
    : {};
  if (typeof all !== 'number' || typeof active !== 'number') {
    return { counts: '', parameters: undefined, active: undefined, issues };
  }
  const say = (count: number): string => ctx.format.count(count);
  const sentence = active < all ? own.counts.sparse : own.counts.dense;
  const counts = ctx.fill(sentence, { parameters: say(all), active: say(active) });
  return { counts, parameters: all, active, issues };
}

/** The contradiction between a count and the size in the model's name; empty if there is none. */
export function contradiction(
  { own, ctx }: Says,
  nominal: Nominal | undefined,
  { parameters, active }: Counted,
): string {
  if (!nominal || parameters === undefined || active === undefined) return '';
  if (!contradicts(nominal, parameters, active)) return '';
  const whole = nominal.parameters !== undefined;
  return ctx.fill(whole ? own.nominal.all : own.nominal.active, {
    name: nominal.name,
    said: ctx.format.count(whole ? nominal.parameters! : nominal.active!),
    counted: ctx.format.count(whole ? parameters : active),
  });
}
