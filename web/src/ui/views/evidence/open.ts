// A measured run as a plan, and a plan's traits.

import type { Description, FieldValue, GroupName } from '../../../engine/index.ts';
import { splitId, type FieldId } from '../../../model/fields.ts';
import { models, own, type InputGroup } from '../../../model/presets.ts';
import { baseOf, initialState, withPreset, type State } from '../../../model/state.ts';
import type { Run } from './data.ts';

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

/** The plan that the planner was asked about for a run, with its layout fixed. */
export function stateOf(description: Description, run: Run): State {
  const preset = presetOf(description, run.architecture);
  const chosen = withPreset(
    withPreset({ ...initialState, view: 'plan', layout: 'fixed' }, 'chip', run.chip),
    'model',
    preset ?? own,
  );
  const state: State = {
    ...chosen,
    figures: 'vendor',
    ...(preset ? {} : { names: { model: run.model } }),
  };
  const told: Partial<Record<GroupName, Record<string, FieldValue>>> = {
    model: { ...run.architecture },
    run: { chips: run.chips, batchTokens: run.tokens, sequenceLength: run.sequence },
  };
  for (const [id, value] of Object.entries(run.settings)) {
    const [group, key] = splitId(id as FieldId);
    (told[group] ??= {})[key] = value;
  }
  const edits = { ...state.edits };
  for (const group of ['chip', 'model', 'run', 'layout', 'stack'] as const) {
    const base = baseOf(description, state, group);
    const given = told[group] ?? {};
    const wanted = description.groups[group].flatMap(({ key, default: usual }) => {
      // A chip is its preset but for what is told; all else is as by default.
      const value = key in given ? given[key]! : group === 'chip' ? base[key]! : usual;
      return value === base[key] ? [] : [[key, value] as const];
    });
    edits[group] = Object.fromEntries(wanted);
  }
  return { ...state, edits };
}
