import type {
  Description,
  FieldInfo,
  FieldValue,
  GroupName,
  QuestionName,
} from '../engine/index.ts';
import type { ChartSettings } from './charts.ts';
import {
  architectureOf,
  chipOf,
  figuresOf,
  modelOf,
  optimizerOf,
  type Figures,
  type InputGroup,
} from './presets.ts';

export type Question = QuestionName;
export const questions: readonly Question[] = ['training', 'plan', 'operation', 'collective'];

/** All that a link says: which presets, what differs from them, and what the charts show. */
export interface State {
  readonly view: Question;
  readonly figures: Figures;
  readonly chip: string;
  readonly model: string;
  readonly optimizer: string;
  /** What the reader calls a chip or a model that is their own. */
  readonly names: Readonly<{ chip?: string; model?: string }>;
  readonly edits: Readonly<Record<GroupName, InputGroup>>;
  readonly charts: ChartSettings;
  /** What is kept for comparison: without one of its own. */
  readonly pinned?: State;
}

/** A field by its address: `run.chips`, `chip.memory`. */
export type FieldId = `${GroupName}.${string}`;

export const initialState: State = {
  view: 'training',
  figures: 'book',
  chip: 'tpu-v5p',
  model: 'llama-3-70b',
  optimizer: 'book',
  names: {},
  edits: {
    chip: {},
    model: {},
    run: {},
    operation: {},
    mesh: {},
    collective: {},
    layout: {},
    assumptions: {},
    search: {},
  },
  charts: {},
};

export function splitId(id: FieldId): [GroupName, string] {
  const dot = id.indexOf('.');
  return [id.slice(0, dot) as GroupName, id.slice(dot + 1)];
}

const indexes = new WeakMap<Description, Map<string, FieldInfo>>();

export function fieldInfo(description: Description, id: FieldId): FieldInfo | undefined {
  let index = indexes.get(description);
  if (!index) {
    const groups = Object.entries(description.groups);
    index = new Map(
      groups.flatMap(([group, fields]) => fields.map((field) => [`${group}.${field.key}`, field])),
    );
    indexes.set(description, index);
  }
  return index.get(id);
}

/** Groups as the engine takes them, each with those that its question has. */
export type InputGroups = Readonly<Partial<Record<GroupName, InputGroup>>>;

/** A group's values before the reader's edits: the core's defaults and the presets over them. */
export function baseOf(description: Description, state: State, group: GroupName): InputGroup {
  const base: Record<string, FieldValue> = {};
  const preset = presetOf(state, group);
  for (const field of description.groups[group])
    base[field.key] = preset[field.key] ?? field.default;
  return base;
}

function presetOf(state: State, group: GroupName): InputGroup {
  if (group === 'chip') return figuresOf(chipOf(state.chip), state.figures);
  if (group === 'model') return architectureOf(modelOf(state.model), state.figures);
  if (group === 'run') {
    const optimizer = optimizerOf(state.optimizer).fields;
    return state.view === 'plan' ? { ...optimizer, ...planned.run } : optimizer;
  }
  return group === 'layout' ? planned.layout : {};
}

/** What a chip or a model is called; nothing where it is the reader's and has no name yet. */
export const nameOf = ({ names, chip, model }: State, thing: 'chip' | 'model'): string =>
  names[thing] ?? (thing === 'chip' ? chipOf(chip) : modelOf(model)).name;

/** Where planning starts: a sound layout of a batch of whole sequences. */
const planned = {
  run: { batchTokens: 2 ** 22 },
  layout: { tensor: 8, context: 2 },
};

/** The group as the engine takes it. */
export function inputOf(description: Description, state: State, group: GroupName): InputGroup {
  return { ...baseOf(description, state, group), ...state.edits[group] };
}

/** The state with one field set; back at its base value it is no edit any more. */
export function withField(
  description: Description,
  state: State,
  id: FieldId,
  value: FieldValue,
): State {
  const [group, key] = splitId(id);
  const edits = { ...state.edits[group] };
  if (value === baseOf(description, state, group)[key]) delete edits[key];
  else edits[key] = value;
  return { ...state, edits: { ...state.edits, [group]: edits } };
}

/** The state with another preset; edits of the old one's figures go with it. */
export function withPreset(
  state: State,
  preset: 'chip' | 'model' | 'optimizer' | 'figures',
  id: string,
): State {
  const next = { ...state, [preset]: id };
  if (preset === 'figures') return next;
  if (preset !== 'optimizer') {
    const { [preset]: _, ...names } = next.names;
    return { ...next, names, edits: { ...next.edits, [preset]: {} } };
  }
  const run = { ...next.edits.run };
  for (const key of Object.keys(optimizerOf(id).fields)) delete run[key];
  return { ...next, edits: { ...next.edits, run } };
}

/** Whether the field matters, given the others of its group, which must matter themselves. */
export function applies(description: Description, id: FieldId, values: InputGroup): boolean {
  const [group] = splitId(id);
  const when = fieldInfo(description, id)?.when;
  if (!when) return true;
  const other = values[when.field];
  const fits = when.choices.length > 0 ? when.choices.includes(String(other)) : Number(other) > 0;
  return fits && applies(description, `${group}.${when.field}`, values);
}
