// A launch as a state of the calculator, and a state as what a launch is written of.

import type { Description, Engine, FieldValue } from '../engine/index.ts';
import { normalized, stateWith } from '../custom/custom-presets.ts';
import { inputsOf } from '../model/evaluate.ts';
import { fieldInfo, type FieldId } from '../model/fields.ts';
import { own } from '../model/presets.ts';
import { servers, withServer } from '../model/servers.ts';
import { stacks, withStack } from '../model/stacks.ts';
import {
  baseOf,
  withField,
  withLayoutFixed,
  withOpenWays,
  withPreset,
  withView,
  type State,
} from '../model/state.ts';
import { software, type Launch } from './read.ts';
import { byId, type Ours } from './values.ts';
import { recomputed, type Given } from './write.ts';

/** The fields of a state, for what a launch leaves open. */
export const fieldsOf = (engine: Engine, state: State): Ours => byId(inputsOf(engine, state));

/** What a launch is written of: the state's input, once its layout is found. */
export function givenOf(
  engine: Engine,
  state: State,
  answers: Readonly<Record<string, unknown>>,
): Given {
  const description = engine.describe();
  return {
    fields: fieldsOf(engine, state),
    model: state.model,
    preset: presetFields(description, state),
    again: recomputed(answers),
  };
}

/** The formats that the model's own weights have. */
const presetFields = (description: Description, state: State): Ours =>
  Object.hasOwn(description.groups, 'server')
    ? Object.fromEntries(
        Object.entries(baseOf(description, state, 'server'))
          .filter(([key]) => /weights$/i.test(key))
          .map(([key, value]) => [`server.${key}`, value]),
      )
    : {};

/** The state that a launch asks; what it leaves open stays as it was. */
export function stateOf(description: Description, before: State, launch: Launch): State {
  const { model, chip, question } = launch;
  const { preset } = software[launch.software];
  let state = withView({ ...before, pinned: before.pinned }, question);
  if (chip !== undefined) state = withPreset(state, 'chip', chip);
  if (model?.by === 'name' || model?.by === 'sizes') {
    if (model.preset !== state.model || Object.keys(state.edits.model).length > 0)
      state = withPreset(state, 'model', model.preset);
  } else if (model?.by === 'own') {
    state = stateWith(
      description,
      state,
      normalized(description, {
        kind: 'model',
        name: model.reading.name,
        base: own,
        fields: model.reading.model as Record<string, FieldValue>,
      }),
    );
  }
  // A layout of another launch is none of this one's.
  if (preset === undefined) {
    // It says nothing of a layout.
  } else if (question === 'plan') {
    const stack = stacks.find(({ id }) => id === preset);
    const open: State = {
      ...state,
      edits: { ...state.edits, layout: {} },
      layout: 'best',
      found: undefined,
    };
    state = withLayoutFixed(description, stack ? withStack(description, open, stack) : open);
  } else {
    const server = servers.find(({ id }) => id === preset);
    state = withOpenWays(description, { ...state, edits: { ...state.edits, server: {} } });
    if (server) state = withServer(description, state, server);
  }
  for (const [id, value] of Object.entries(launch.fields) as [FieldId, FieldValue][]) {
    if (id.startsWith('model.') || !fieldInfo(description, id)) continue;
    state = withField(description, state, id, value);
  }
  return state;
}
