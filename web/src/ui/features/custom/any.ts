// Any text: a model's config, one of the calculator's own files, or a launch.

import { readText, type Found, type Reason } from '../../../custom/read.ts';
import { dictionaryOf, type Dictionary } from '../../../i18n/dictionary.ts';
import type { Launch } from '../../../launch/read.ts';
import { evaluate } from '../../../model/evaluate.ts';
import { has } from '../../../model/own-value.ts';
import type { State } from '../../../model/state.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import type { Kind } from '../../../custom/custom-presets.ts';

/** What the dialog opens with. */
export type Place = Kind | 'launch';

export interface FoundLaunch {
  is: 'launch';
  launch: Launch;
  /** The software's name, and that of the preset for what the launch leaves open. */
  software: string;
  /** The state that the launch asks. */
  state: State;
  /** What the software, or the core, refuses of it. */
  refusals: readonly string[];
  issues: readonly string[];
  /** Texts with the words of the fields. */
  text: Dictionary;
}

export type AnyFound =
  Exclude<Found, { is: 'refused' }> | FoundLaunch | { is: 'refused'; reason: AnyReason };

export type AnyReason = Reason | { code: 'unclosed'; line: number } | { code: 'noLaunch' };

/** Reads a text. What launches take loads with the first text that may be one. */
export async function readAny(ctx: RenderContext, text: string): Promise<AnyFound> {
  const found = readText(ctx.description, text);
  if (found.is !== 'refused' || !mayBeLaunch(found.reason)) return found;
  try {
    const launch = await readAsLaunch(ctx, text);
    if (launch) return launch;
    // What is no JSON at all was not meant as one.
    const isOther = found.reason.code === 'notJson' && !/^\s*[{[]/.test(text);
    return isOther ? { is: 'refused', reason: { code: 'noLaunch' } } : found;
  } catch {
    return found; // a module has not loaded
  }
}

const mayBeLaunch = ({ code }: Reason): boolean =>
  ['otherFile', 'notJson', 'notAModel', 'notAnObject', 'notAThing'].includes(code);

async function readAsLaunch(ctx: RenderContext, text: string): Promise<AnyFound | undefined> {
  const { engine, language, features } = ctx;
  const [{ readLaunch, software }, { fieldsOf, stateOf }, { refusalsOf }, words] =
    await Promise.all([
      import('../../../launch/read.ts'),
      import('../../../launch/state.ts'),
      import('../../../launch/write.ts'),
      dictionaryOf(language, ['plan', 'serving']).get(),
      features.presets.more.get(),
      engine.planner(),
      engine.serving(),
    ]);
  const description = engine.describe();
  const { state: before } = ctx;
  const bases = {
    ...fieldsOf(engine, { ...before, view: 'serving' }),
    ...fieldsOf(engine, { ...before, view: 'plan' }),
  };
  const launch = await readLaunch(description, text, bases);
  if (!launch) return undefined;
  if (!has(launch, 'fields')) return { is: 'refused', reason: launch };
  const state = stateOf(description, before, launch);
  const reply = evaluate(engine, state);
  const there = ctx.with({ text: words, state });
  return {
    is: 'launch',
    launch,
    software: software[launch.software].name,
    state,
    refusals: refusalsOf(launch.software, fieldsOf(engine, state)).map(({ says }) => says),
    issues: reply.ok ? [] : reply.issues.map((issue) => there.issueMessage(issue)),
    text: words,
  };
}
