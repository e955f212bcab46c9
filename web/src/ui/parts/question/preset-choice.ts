// Where the reader's own chips and models stand beside the presets. The page has them; a calculator
// in someone else's page has none but the one that its state names.

import { nothing, type TemplateResult } from 'lit';
import type { Kind } from '../../../custom/custom-presets.ts';
import { own } from '../../../model/presets.ts';
import { following } from '../../../i18n/language.ts';
import type { Option } from '../../kit/preset-control.ts';
import type { RenderContext } from '../../kit/render-context.ts';

interface CustomPresets {
  /** What opens them, in the panel of their kind. */
  entry(ctx: RenderContext, kind: Kind): TemplateResult;
  /** What that is called. */
  called(ctx: RenderContext, kind: Kind): string;
  open(ctx: RenderContext, kind: Kind): void;
  options(ctx: RenderContext, kind: Kind): Option[];
  /** Takes one of `options`. */
  take(ctx: RenderContext, kind: Kind, id: string): void;
  /** Which of `options` the state has, if it is as it was kept. */
  current(ctx: RenderContext, kind: Kind): string | undefined;
}

let source: CustomPresets | undefined;

export function provideCustomPresets(offered: CustomPresets): void {
  source = offered;
}

export const customPresetEntry = (
  ctx: RenderContext,
  kind: Kind,
): TemplateResult | typeof nothing => source?.entry(ctx, kind) ?? nothing;

/** What can be chosen, what is, and what follows its name. */
export interface Choice {
  options: readonly Option[];
  value: string;
  mark: string;
  choose(id: string): void;
}

/** Stands for what the state has and no list holds. */
const present = 'present';
/** Stands for the way to one's own, where none of the list will do. */
const other = 'other';

export function choiceOf(ctx: RenderContext, kind: Kind, presets: readonly Option[]): Choice {
  const { state, text, actions } = ctx;
  const kept = source?.options(ctx, kind) ?? [];
  const edited = Object.keys(state.edits[kind]).length > 0;
  const { group } = text.ui.own;
  const all = [
    ...kept,
    ...presets,
    ...(source
      ? [{ id: other, name: source.called(ctx, kind), group, detail: '', offer: true }]
      : []),
  ];
  const choose = (id: string): void => {
    if (id === other) source!.open(ctx, kind);
    else if (kept.some((each) => each.id === id)) source!.take(ctx, kind, id);
    else if (id !== present) actions.choosePreset(kind, id);
  };
  const name = state.names[kind] ?? (state[kind] === own ? text.ui.own[kind] : undefined);
  if (name === undefined) {
    const mark = edited ? following(text.ui.edited) : '';
    return { options: all, value: state[kind], mark, choose };
  }
  const unchanged = source?.current(ctx, kind);
  if (unchanged) return { options: all, value: unchanged, mark: '', choose };
  const options = [{ id: present, name, group, detail: '' }, ...all];
  return { options, value: present, mark: '', choose };
}
