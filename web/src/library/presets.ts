// Presets by their ids, in place of the groups that they fill.

import type { Description, FieldValue, Inputs, Issue, QuestionName } from '../engine/types.ts';
import {
  addPresets,
  architectureOf,
  chipEntries,
  chipOf,
  figuresOf,
  modelEntries,
  modelOf,
  presetIds,
  type InputGroup,
} from '../model/presets.ts';
import { servers } from '../model/servers.ts';
import { stacks } from '../model/stacks.ts';
import { initialState, presetOf, type State } from '../model/state.ts';
import { more } from 'virtual:more-presets';

/** A chip or a model, with the fields that it fills. */
export interface Preset {
  id: string;
  name: string;
  /** Vendor or organisation. */
  maker: string;
  year: number;
  /** Values of fields, in SI units. Where the book has another figure than the vendor, the book's. */
  fields: Readonly<Record<string, FieldValue>>;
}

/** Brings the figures of all presets, and lists the chips and the models. */
export function allPresets(): Record<'chips' | 'models', readonly Preset[]> {
  addPresets(more);
  return {
    chips: chipEntries.map(({ id, name, vendor: maker, year }) => ({
      id,
      name,
      maker,
      year,
      fields: figuresOf(chipOf(id), 'book'),
    })),
    models: modelEntries.map(({ id, name, organisation: maker, year }) => ({
      id,
      name,
      maker,
      year,
      fields: architectureOf(modelOf(id), 'book'),
    })),
  };
}

/** An input in which the id of a preset may stand for the fields of a chip, of a model, or of the
 *  software that trains (`stack`) or serves (`server`). */
export type GivenInput<Q extends QuestionName> = {
  [Group in keyof Inputs[Q]]:
    Inputs[Q][Group] | (Group extends 'chip' | 'model' | 'stack' | 'server' ? string : never);
};

export type Filled<Q extends QuestionName> =
  { ok: true; input: Inputs[Q] } | { ok: false; issues: Issue[] };

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const unknown = (group: string): Issue => ({ code: 'unknownChoice', field: group, arguments: {} });

/**
 * The input with presets in place of their ids. With a chip or a model by its id, what the page takes
 * from them fills other groups, too, so that the answers are the page's: formats of published weights,
 * the bytes of the optimizer. An unknown id is an issue.
 */
export function filled<Q extends QuestionName>(
  { questions }: Description,
  question: Q,
  input: GivenInput<Q>,
): Filled<Q> {
  const given: unknown = input;
  // What is no input is for the engine to refuse.
  if (!isObject(given)) return { ok: true, input: given as Inputs[Q] };
  const issues: Issue[] = [];
  let state: State = initialState;
  for (const kind of ['chip', 'model'] as const) {
    const id = given[kind];
    if (typeof id !== 'string') continue;
    if (presetIds[kind].has(id)) state = { ...state, [kind]: id };
    else issues.push(unknown(kind));
  }
  const added: Record<string, InputGroup> = {};
  for (const [kind, list] of [['stack', stacks] as const, ['server', servers] as const]) {
    const id = given[kind];
    if (typeof id !== 'string') continue;
    const preset = list.find((each) => each.id === id);
    if (!preset) issues.push(unknown(kind));
    else {
      const { id: _, name: __, ...fields } = preset;
      Object.assign(added, fields);
    }
  }
  if (issues.length > 0) return { ok: false, issues };
  const byId = typeof given['chip'] === 'string' || typeof given['model'] === 'string';
  const isOwn = (group: string): boolean => group === 'chip' || group === 'model';
  const groups = questions[question].groups.flatMap((group): [string, unknown][] => {
    const own = given[group];
    const fills = isOwn(group) ? typeof own === 'string' : byId;
    const base = { ...(fills ? presetOf(state, group) : {}), ...added[group] };
    if (typeof own === 'string') return [[group, base]];
    // What is no group is for the engine to refuse.
    if (own !== undefined && !isObject(own)) return [[group, own]];
    const all = { ...base, ...own };
    return own === undefined && Object.keys(all).length === 0 ? [] : [[group, all]];
  });
  return { ok: true, input: { ...given, ...Object.fromEntries(groups) } as Inputs[Q] };
}
