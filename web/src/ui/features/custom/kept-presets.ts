// The presets that the reader keeps, as options of the lists of presets, and as files.

import { download } from '../../../charts/kit/export.ts';
import {
  isIn,
  stateWith,
  writeCustomPreset,
  type CustomPreset,
  type Kind,
} from '../../../custom/custom-presets.ts';
import * as storage from '../../../custom/storage.ts';
import { chipOf, modelOf, own as ownPreset } from '../../../model/presets.ts';
import type { State } from '../../../model/state.ts';
import type { Option } from '../../kit/preset-control.ts';
import type { RenderContext } from '../../kit/render-context.ts';

const optionId = (index: number): string => `kept-${index}`;

export const keptOf = (ctx: RenderContext, kind: Kind): readonly CustomPreset[] =>
  storage.kept(ctx.description).presets.filter((preset) => preset.kind === kind);

/** The stored presets as options of the preset list. */
export const keptOptions = (ctx: RenderContext, kind: Kind): Option[] =>
  keptOf(ctx, kind).map((preset, index) => ({
    id: optionId(index),
    name: preset.name,
    group: ctx.text.ui.own.group,
    detail: preset.base === ownPreset ? '' : presetName(kind, preset.base),
  }));

export function stateWithKept(ctx: RenderContext, kind: Kind, id: string): State | undefined {
  const preset = keptOf(ctx, kind).find((_, index) => optionId(index) === id);
  return preset && stateWith(ctx.description, ctx.state, preset);
}

export function takeKept(ctx: RenderContext, kind: Kind, id: string): void {
  const state = stateWithKept(ctx, kind, id);
  if (state) ctx.actions.go(state);
}

export function currentKept(ctx: RenderContext, kind: Kind): string | undefined {
  const index = keptOf(ctx, kind).findIndex((preset) => isIn(ctx.description, ctx.state, preset));
  return index < 0 ? undefined : optionId(index);
}

export const presetName = (kind: Kind, id: string): string =>
  kind === 'chip' ? chipOf(id).name : modelOf(id).name;

/** Hands the reader a file, called after the preset. */
export function downloadPreset(preset: CustomPreset): void {
  const name = preset.name.replace(/[^\p{L}\p{N}.]+/gu, '-').replace(/^[-.]+|[-.]+$/g, '');
  const file = [name, 'scaling-calculator.json'].filter(Boolean).join('.');
  download(new Blob([writeCustomPreset(preset)], { type: 'application/json' }), file);
}
