// Lists custom presets beside the built-in ones, where there are any: an embedded calculator knows none
// but the one in its state.

import type { Kind } from '../../../custom/custom-presets.ts';
import { own } from '../../../model/presets.ts';
import { following } from '../../../i18n/language.ts';
import type { Option } from '../../kit/preset-control.ts';
import type { RenderContext } from '../../kit/render-context.ts';

/** The options, the chosen one, and the mark after its name. */
interface Choice {
  options: readonly Option[];
  value: string;
  mark: string;
  choose(id: string): void;
}

/** The id of a preset that is in the state and in no list. */
const present = 'present';
/** The id of the option that opens the library of custom presets. */
const other = 'other';

export function choiceOf(ctx: RenderContext, kind: Kind, presets: readonly Option[]): Choice {
  const { state, text, actions } = ctx;
  const source = ctx.features.customPresets;
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
