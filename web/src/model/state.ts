import torus from '../../../shared/torus-stack.json';
import { bare } from '../engine/bare.ts';
import { decidesDefaults, defaultOf } from '../engine/defaults.ts';
import type { Description, FieldValue, GroupName } from '../engine/index.ts';
import type { ChartSettings } from './charts.ts';
import { fieldInfo, isEmptyText, splitId, type FieldId } from './fields.ts';
import {
  architectureOf,
  chipOf,
  figuresOf,
  isLoaded,
  modelOf,
  optimizerOf,
  owned,
  priceOn,
  type Figures,
  type InputGroup,
  type Price,
} from './presets.ts';
import { ownValue } from './own-value.ts';
import { isPage, tabOf, tabs, views, type Page, type Question } from './views.ts';

/**
 * All that a link says: which presets, what differs from them, and what the charts show. What it does
 * not say is there, too: scripts of a page may have given all objects what an object lacks.
 */
export interface State {
  readonly view: Question;
  /** The page shown in place of a question; `view` then has its initial value. */
  readonly page: Page | undefined;
  readonly figures: Figures;
  /** The basis of all chips' prices, unless it is the latest of each: a provider, or own hardware. */
  readonly prices: string | undefined;
  readonly chip: string;
  readonly model: string;
  readonly optimizer: string;
  /** Names of custom chips and models. */
  readonly names: Readonly<{ chip?: string; model?: string }>;
  readonly edits: Readonly<Record<GroupName, InputGroup>>;
  /** The division of a plan's chips: the best way, or the reader's. */
  readonly layout: 'best' | 'fixed';
  /** The best layout, once it is found. It follows from the rest: links don't hold it. */
  readonly found: FoundLayout | undefined;
  /** The best ways to divide servers, where the state leaves them open, once they are found; they
   * follow from the rest, too. */
  readonly ways:
    { readonly of: string; readonly serving: InputGroup; readonly server: InputGroup } | undefined;
  /** How a question is counted that takes its MFU from a plan, or as the book does. */
  readonly counting: Counting;
  readonly charts: ChartSettings;
  /** The state kept for comparison; it keeps none itself. */
  readonly pinned: State | undefined;
}

export const countings = ['predicted', 'book'] as const;
/** At the MFU that the best layout reaches, or at the one that is assumed. */
export type Counting = (typeof countings)[number];
export const isCounting = (given: unknown): given is Counting =>
  countings.some((each) => each === given);

/** A layout that a search found, with what it was asked for. */
export interface FoundLayout {
  readonly of: string;
  readonly fields: InputGroup;
}

export const initialState: State = {
  view: 'training',
  page: undefined,
  figures: 'book',
  prices: undefined,
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
    stack: {},
    assumptions: {},
    search: {},
    serving: {},
    server: {},
    reward: {},
    pools: {},
    budget: {},
  },
  layout: 'best',
  found: undefined,
  ways: undefined,
  counting: 'predicted',
  charts: bare({}),
  pinned: undefined,
};

/** The page shows this without a link: the same question, predicted. */
export const landing: State = { ...initialState, view: tabs[0]! };

/** Groups as the engine takes them, each with those that its question has. */
export type InputGroups = Readonly<Partial<Record<GroupName, InputGroup>>>;

/** A group's values before the reader's edits: the core's defaults and the presets over them. */
export function baseOf(description: Description, state: State, group: GroupName): InputGroup {
  const base: Record<string, FieldValue> = {};
  const preset = group === 'layout' ? layoutOf(description, state) : presetOf(state, group);
  const given = (key: string): FieldValue | undefined => ownValue(state.edits[group], key);
  for (const field of description.groups[group]) {
    const { key, searched } = field;
    // Ways that nobody has found yet are not known.
    base[key] = searched ? null : (ownValue(preset, key) ?? defaultOf(field, given));
  }
  return { ...base, ...(group === 'serving' || group === 'server' ? state.ways?.[group] : {}) };
}

/** The ways of servers, which a state leaves open until the reader fixes them. */
export const waysOf = ({ groups }: Description, group: 'serving' | 'server'): readonly string[] =>
  groups[group].filter(({ searched }) => searched).map(({ key }) => key);

/** Whether the figures of all presets that the state names have loaded: else it can't be asked of. */
export const hasPresets = ({ chip, model, charts, pinned }: State): boolean =>
  isLoaded('chip', chip) &&
  isLoaded('model', model) &&
  (charts.overlay ?? []).every((id) => isLoaded('chip', id)) &&
  (charts.models ?? []).every((id) => isLoaded('model', id)) &&
  (pinned === undefined || hasPresets(pinned));

/** How the chips of a state are joined, as in the field `chip.network`. */
export const networkOf = (state: State): FieldValue | undefined =>
  ownValue({ ...presetOf(state, 'chip'), ...state.edits.chip }, 'network');

/** The fields of a group that the state's presets fill. */
export function presetOf(state: State, group: GroupName): InputGroup {
  if (group === 'chip') return figuresOf(chipOf(state.chip), state.figures, state.prices);
  if (group === 'model') return architectureOf(modelOf(state.model), state.figures);
  if (group === 'server') return modelOf(state.model).formats ?? {};
  if ((group === 'stack' || group === 'assumptions') && networkOf(state) === 'torus') {
    return torus[group];
  }
  return group === 'run' ? optimizerOf(state.optimizer).fields : {};
}

/** Whether the state's chip is the reader's own. */
export const isOwned = ({ edits, prices }: State): boolean =>
  (ownValue(edits.chip, 'payment') ?? prices) === owned;

/** The list price of the state's chip, with whose it is and of when; none where the reader gave one. */
export const listedPrice = (state: State): Price | undefined =>
  Object.hasOwn(state.edits.chip, 'price') || isOwned(state)
    ? undefined
    : priceOn(chipOf(state.chip), state.prices);

/** Fields of a layout that the state leaves to the search. */
export function leftToSearch(description: Description, { edits }: State): string[] {
  // A module describes only the groups of its own questions.
  const left = (ownValue(description.groups, 'search') ?? [])
    .filter(({ key, default: usual }) => (ownValue(edits.search, key) ?? usual) === true)
    .map(({ key }) => key);
  // A search spreads layers evenly: a list of them belongs to a layout of the reader's own.
  return left.length > 0 ? [...left, 'stageLayers'] : left;
}

/** Fields of a layout that a search could choose, but which the reader has set and keeps. */
export function keptInSearch(description: Description, state: State): string[] {
  const left = leftToSearch(description, state);
  return (ownValue(description.groups, 'search') ?? [])
    .map(({ key }) => key)
    .filter((key) => !left.includes(key) && Object.hasOwn(state.edits.layout, key));
}

/** The starting point of the reader's layouts. */
const startingLayout: InputGroup = { tensor: 8, context: 2 };

/** The layout before the reader's edits: the starting one, or for the best way the one found. */
function layoutOf(description: Description, state: State): InputGroup {
  const { layout, found } = state;
  if (layout === 'fixed' || !found) return startingLayout;
  const left = leftToSearch(description, state);
  const fields = Object.entries(found.fields).filter(([key]) => left.includes(key));
  return { ...startingLayout, ...Object.fromEntries(fields) };
}

/** The name of a chip or model; empty for a custom one without a name. */
export const nameOf = ({ names, chip, model }: State, thing: 'chip' | 'model'): string =>
  ownValue(names, thing) ?? (thing === 'chip' ? chipOf(chip) : modelOf(model)).name;

/** The group as the engine takes it. */
export function inputOf(description: Description, state: State, group: GroupName): InputGroup {
  return { ...baseOf(description, state, group), ...state.edits[group] };
}

/** Whether the reader has fixed a way of the servers. */
export const hasFixedWays = (description: Description, { edits }: State): boolean =>
  waysOf(description, 'serving').some((key) => Object.hasOwn(edits.serving, key));

/** The state with all ways of its servers left open. */
export function withOpenWays(description: Description, state: State): State {
  const ways = waysOf(description, 'serving');
  const left = Object.entries(state.edits.serving).filter(([key]) => !ways.includes(key));
  return {
    ...state,
    ways: undefined,
    edits: { ...state.edits, serving: Object.fromEntries(left) },
  };
}

/**
 * The state with one field set; back at its base value it is no edit any more. To set a field that is
 * left to the search is to fix the layout.
 */
export function withField(
  description: Description,
  state: State,
  id: FieldId,
  value: FieldValue,
): State {
  const [group, key] = splitId(id);
  const fixes = group === 'layout' && leftToSearch(description, state).includes(key);
  const before = fixes ? withLayoutFixed(description, state) : state;
  const after = withEdit(description, before, group, key, value);
  return group === 'search' ? withSearch(description, before, after, key) : after;
}

function withEdit(
  description: Description,
  state: State,
  group: GroupName,
  key: string,
  value: FieldValue,
): State {
  const edits = { ...state.edits[group] };
  if (value === baseOf(description, state, group)[key]) delete edits[key];
  else edits[key] = value;
  const next = { ...state, edits: { ...state.edits, [group]: edits } };
  return decidesDefaults(description.groups[group], key)
    ? withoutUsual(description, next, group)
    : next;
}

/** The state without edits of a group that have come to be its defaults. */
function withoutUsual(description: Description, state: State, group: GroupName): State {
  const base = baseOf(description, state, group);
  const edits = Object.entries(state.edits[group]).filter(([key, value]) => value !== base[key]);
  return { ...state, edits: { ...state.edits, [group]: Object.fromEntries(edits) } };
}

/** A field that the search no longer chooses keeps the value that was found. */
function withSearch(description: Description, before: State, after: State, key: string): State {
  const left = leftToSearch(description, after);
  // There is nothing to fix if nothing is left to the search.
  if (before.layout === 'fixed') return left.length > 0 ? after : { ...after, layout: 'best' };
  const value = inputOf(description, before, 'layout')[key]!;
  if (!left.includes(key)) return withEdit(description, after, 'layout', key, value);
  const { [key]: _, ...layout } = after.edits.layout;
  return { ...after, edits: { ...after.edits, layout } };
}

/** The state with its layout as it stands, now the reader's. */
export function withLayoutFixed(description: Description, state: State): State {
  if (state.layout === 'fixed') return state;
  const fixed: State = { ...state, found: undefined, layout: 'fixed' };
  const base = baseOf(description, fixed, 'layout');
  const layout = Object.entries(inputOf(description, state, 'layout')).filter(
    ([key, value]) => value !== base[key],
  );
  return { ...fixed, edits: { ...fixed.edits, layout: Object.fromEntries(layout) } };
}

/** The state divided the best way, whatever layout the reader has fixed. */
export function withLayoutBest(description: Description, state: State): State {
  const left = leftToSearch(description, state);
  const layout = Object.entries(state.edits.layout).filter(([key]) => !left.includes(key));
  const edits = { ...state.edits, layout: Object.fromEntries(layout) };
  return { ...state, edits, layout: 'best' };
}

/** The state divided the best way, with nothing kept that a search could choose. */
export function withNothingKept(description: Description, state: State): State {
  const kept = keptInSearch(description, state);
  const without = (edits: InputGroup): InputGroup =>
    Object.fromEntries(Object.entries(edits).filter(([key]) => !kept.includes(key)));
  const { layout, search } = state.edits;
  const edits = { ...state.edits, layout: without(layout), search: without(search) };
  return withLayoutBest(description, { ...state, edits });
}

/** The state at another question, or at a page. */
export const withView = (state: State, view: Question | Page): State =>
  isPage(view)
    ? { ...state, view: initialState.view, page: view }
    : { ...state, view, page: undefined };

/** Whether a state takes its MFU from the best layout of another view. */
export const isPlanned = ({ view, counting }: State): boolean =>
  views[view].predictedBy !== undefined && counting === 'predicted';

/** The same question counted each way; nothing where there is but one. */
export function countingsOf(state: State): Readonly<Record<Counting, State>> | undefined {
  const { view } = state;
  if (views[view].predictedBy) {
    return { predicted: { ...state, counting: 'predicted' }, book: { ...state, counting: 'book' } };
  }
  const predicted = tabOf(view);
  const { book } = views[predicted];
  return book && { predicted: withView(state, predicted), book: withView(state, book) };
}

/** How a state is counted, or was where its question has but one way. */
export const countingOf = (state: State): Counting => {
  const { view, page, counting } = state;
  if (page || views[view].predictedBy || !countingsOf(state)) return counting;
  return tabOf(view) === view ? 'predicted' : 'book';
};

/** The state counted so, now and in the questions after it. */
export const countedAs = (counting: Counting, state: State): State => ({
  ...(state.page ? state : (countingsOf(state)?.[counting] ?? state)),
  counting,
});

/** Fields that say how the reader pays for chips, whatever chips these are. */
const ofOwner = (chip: InputGroup): InputGroup =>
  Object.fromEntries(Object.entries(chip).filter(([key]) => ownersFields.includes(key)));
const ownersFields: readonly string[] = ['payment', 'years', 'utilisation', 'tariff', 'hosting'];

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
    const kept = preset === 'chip' ? ofOwner(next.edits.chip) : {};
    return { ...next, names, edits: { ...next.edits, [preset]: kept } };
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
  const decisive: FieldId = `${group}.${when.field}`;
  const isText = fieldInfo(description, decisive)?.kind === 'text';
  const has = (choice: string): boolean =>
    isText ? String(other).includes(choice) : choice === String(other);
  const hasNone = (): boolean => (isText ? isEmptyText(String(other ?? '')) : Number(other) > 0);
  const fits = when.choices.length > 0 ? when.choices.some(has) : hasNone();
  return fits && applies(description, decisive, values);
}
