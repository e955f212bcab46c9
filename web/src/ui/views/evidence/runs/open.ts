// A measured run as the question that it answers.

import type { Description, FieldValue, GroupName } from '../../../../engine/index.ts';
import { splitId, type FieldId } from '../../../../model/fields.ts';
import { models, own, type InputGroup } from '../../../../model/presets.ts';
import { baseOf, initialState, withPreset, type State } from '../../../../model/state.ts';
import type { TrainingRun } from './data.ts';
import type { ServingRun } from './serving-data.ts';

/** The preset with this very architecture, if there is one. */
function presetOf(description: Description, architecture: InputGroup): string | undefined {
  const fields = description.groups.model;
  return models.find((model) =>
    fields.every(
      ({ key, default: usual }) =>
        (model.architecture[key] ?? usual) === (architecture[key] ?? usual),
    ),
  )?.id;
}

type Told = Partial<Record<GroupName, Readonly<Record<string, FieldValue>>>>;

/** Ways of servers that prefill, where there are none. */
const isIdle = (key: string, { apart }: Readonly<Record<string, FieldValue>>): boolean =>
  key.startsWith('prefill') && apart !== true;

/** The state with these groups, their other fields as by default, or as a preset has them. */
function withTold(
  description: Description,
  start: State,
  run: { readonly chip: string; readonly model: string },
  preset: string | undefined,
  told: Told,
  groups: readonly GroupName[],
): State {
  const chosen = withPreset(withPreset(start, 'chip', run.chip), 'model', preset ?? own);
  const state: State = {
    ...chosen,
    figures: 'vendor',
    ...(preset ? {} : { names: { model: run.model } }),
  };
  const edits = { ...state.edits };
  for (const group of groups) {
    const base = baseOf(description, state, group);
    const given = told[group] ?? {};
    // Chips and models are their presets but for what is told; all else is as by default.
    const ofPreset = group === 'chip' || (group === 'model' && preset !== undefined);
    const wanted = description.groups[group].flatMap(({ key, default: usual }) => {
      if (isIdle(key, given)) return [];
      const value = Object.hasOwn(given, key) ? given[key]! : ofPreset ? base[key]! : usual;
      return value === base[key] ? [] : [[key, value] as const];
    });
    edits[group] = Object.fromEntries(wanted);
  }
  return { ...state, edits };
}

/** The plan that the planner was asked about for a run, with its layout fixed. */
export function stateOf(description: Description, run: TrainingRun): State {
  const told: Partial<Record<GroupName, Record<string, FieldValue>>> = {
    run: { chips: run.chips, batchTokens: run.tokens, sequenceLength: run.sequence },
  };
  for (const [id, value] of Object.entries(run.settings)) {
    const [group, key] = splitId(id as FieldId);
    (told[group] ??= {})[key] = value;
  }
  // What a source counts of memory, and what its software does, differ from the defaults.
  const groups = ['chip', 'model', 'run', 'layout', 'stack', 'assumptions'] as const;
  const preset = presetOf(description, run.architecture);
  if (!preset) told.model = { ...run.architecture };
  return withTold(
    description,
    { ...initialState, view: 'plan', layout: 'fixed' },
    run,
    preset,
    told,
    groups.filter((group) => group !== 'assumptions' || told.assumptions),
  );
}

/** The servers that were asked about for a run, with their division fixed. */
export function stateOfServing(description: Description, run: ServingRun): State {
  const { preset, fields } = run.architecture;
  return withTold(
    description,
    { ...initialState, view: 'serving' },
    run,
    preset ?? undefined,
    { ...run.groups, model: fields },
    ['chip', 'model', 'serving', 'server'],
  );
}
