// Layouts as launches of software, and launches as inputs.

import type { Description, FieldValue, Issue } from '../engine/types.ts';
import { readLaunch, software as known, type Launch } from '../launch/read.ts';
import { byId } from '../launch/values.ts';
import { recomputed, writeLaunch } from '../launch/write.ts';
import { has } from '../model/own-value.ts';
import { presetIds, type InputGroup } from '../model/presets.ts';
import { initialState, presetOf } from '../model/state.ts';
import { servers } from '../model/servers.ts';
import { stacks } from '../model/stacks.ts';
import type { LaunchedBy, ReadLaunch, WrittenLaunch } from './launch-types.ts';

type Groups = Readonly<Record<string, InputGroup | undefined>>;

/** Writes an answered input; `groups` is all of it, with the layout or the ways. */
export async function written(
  description: Description,
  software: LaunchedBy,
  groups: Groups,
  model: unknown,
  answers: object,
): Promise<WrittenLaunch> {
  const usual = Object.fromEntries(
    Object.entries(description.groups).map(([group, fields]) => [
      group,
      Object.fromEntries(fields.map((field) => [field.key, field.default])),
    ]),
  );
  const id = typeof model === 'string' && presetIds.model.has(model) ? model : 'own';
  const { text, refusals, lost, instances } = await writeLaunch(description, software, {
    fields: { ...byId(usual), ...byId(groups) },
    model: id,
    preset: byId({ server: presetOf({ ...initialState, model: id }, 'server') }),
    again: recomputed(answers),
  });
  return {
    ok: true,
    text,
    refusals,
    instances,
    lost: lost.map(({ field, value, becomes }) => ({
      field,
      value,
      ...(becomes !== undefined && { becomes }),
    })),
  };
}

/** Reads a launch as an input; an issue where the text is none. */
export async function read(
  description: Description,
  text: string,
): Promise<ReadLaunch | { ok: false; issues: Issue[] }> {
  const launch = await readLaunch(description, text, {});
  if (!launch || !has(launch, 'fields')) {
    return { ok: false, issues: [{ code: 'notText', field: 'text', arguments: {} }] };
  }
  const { software, question, used, assumptions, troubles, unplaced, unknown } = launch;
  return {
    ok: true,
    software,
    question,
    input: inputOf(launch),
    used: used.map(({ key, field, value }) => ({ key, field, value })),
    assumed: assumptions.map(({ field, value }) => ({ field, value })),
    unusable: troubles.map(({ key, written, code }) => ({ key, written, code })),
    unplaced,
    unknown,
  };
}

/** The fields by their groups, over those of the software's preset. */
function inputOf({ software, question, fields, model, chip }: Launch): ReadLaunch['input'] {
  const groups: Record<string, Record<string, FieldValue>> = {};
  const { preset } = known[software];
  const base: Groups =
    question === 'plan'
      ? { stack: stacks.find(({ id }) => id === preset)?.stack }
      : { server: servers.find(({ id }) => id === preset)?.server };
  for (const [id, value] of [...Object.entries(byId(base)), ...Object.entries(fields)]) {
    const [group = '', key = ''] = id.split('.');
    (groups[group] ??= {})[key] = value as FieldValue;
  }
  const named = model?.by === 'name' || model?.by === 'sizes' ? { model: model.preset } : {};
  return { ...groups, ...named, ...(chip !== undefined && { chip }) };
}

/** The question that a software's launches are of. */
export const questionOf = (software: LaunchedBy): 'plan' | 'serving' => known[software].question;
