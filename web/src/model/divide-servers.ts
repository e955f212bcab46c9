// The best ways to divide servers, where a state leaves them open.

import type { Description, ServingModule } from '../engine/index.ts';
import type { InputGroup } from './presets.ts';
import { waysOf, type InputGroups, type State } from './state.ts';

type Input = Parameters<ServingModule['divide']>[0];

/** The state with the best ways of its servers; `groupsOf` are those that a state itself says. */
export function withWays(
  serving: ServingModule,
  description: Description,
  state: State,
  groupsOf: (state: State) => InputGroups,
): State {
  const { ways: known } = state;
  const open: State = { ...state, ways: undefined };
  const inputs = groupsOf(open);
  const of = JSON.stringify([inputs, open.edits.serving, open.edits.server]);
  if (known?.of === of) return state;
  const { serving: found, server } = serving.divide({
    ...inputs,
    serving: leftBy(open, 'serving', inputs, waysOf(description, 'serving')),
    server: leftBy(open, 'server', inputs, waysOf(description, 'server')),
  } as Input);
  return { ...state, ways: { of, serving: { ...found }, server: { ...server } } };
}

/** The fields of a group without those of `keys` that the reader has not fixed. */
const leftBy = (
  { edits }: State,
  group: 'serving' | 'server',
  inputs: InputGroups,
  keys: readonly string[],
): InputGroup =>
  Object.fromEntries(
    Object.entries(inputs[group] ?? {}).filter(
      ([key]) => !keys.includes(key) || Object.hasOwn(edits[group], key),
    ),
  );
