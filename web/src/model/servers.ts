// Software to serve with, each a set of fields.

import type { Description, FieldValue } from '../engine/index.ts';
import file from '../../../shared/servers.json';
import { fieldInfo, type FieldId } from './fields.ts';
import type { InputGroup } from './presets.ts';
import { inputOf, withField, type State } from './state.ts';

export interface ServerPreset {
  id: string;
  name: string;
  server: InputGroup;
}

/** The core's default where the reader gives none. */
const usualServer: ServerPreset = { id: 'usual', name: '', server: {} };
export const servers: readonly ServerPreset[] = [
  usualServer,
  ...file.servers.map(({ id, name, server }) => ({ id, name, server: server as InputGroup })),
];

/** The fields that software decides; formats are the reader's. */
const decided = [...new Set(servers.flatMap(({ server }) => Object.keys(server)))];

/** All that the software decides, with the defaults that it keeps. */
const valuesOf = (description: Description, { server }: ServerPreset): [FieldId, FieldValue][] =>
  decided.map((key) => {
    const id: FieldId = `server.${key}`;
    return [id, server[key] ?? fieldInfo(description, id)!.default];
  });

/** The state with all fields as that software has them. */
export const withServer = (description: Description, state: State, preset: ServerPreset): State =>
  valuesOf(description, preset).reduce(
    (next, [id, value]) => withField(description, next, id, value),
    state,
  );

/** The software that has all fields as they are, if any. */
export function serverIn(description: Description, state: State): ServerPreset | undefined {
  const present = inputOf(description, state, 'server');
  return servers.find((preset) =>
    valuesOf(description, preset).every(([id, value]) => present[id.split('.')[1]!] === value),
  );
}
