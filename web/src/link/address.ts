import { bare } from '../engine/bare.ts';
import { decidesDefaults } from '../engine/defaults.ts';
import type { Description } from '../engine/index.ts';
import { chartKeys, isChartKey, readChartSetting, writeChartSetting } from './chart-links.ts';
import { FieldLinks } from './field-links.ts';
import { ofOtherView, viewOfFields, viewsBeside } from './other-views.ts';
import { currentValue, impliedBy, migrate, unsaidBatch } from './migrations.ts';
import { isBasis, isLoaded, modelOf, presetIds } from '../model/presets.ts';
import { withBasis } from '../model/price-basis.ts';
import {
  baseOf,
  initialState,
  inputOf,
  isCounting,
  isPlanned,
  leftToSearch,
  withField,
  withPreset,
  withView,
  type State,
} from '../model/state.ts';
import { ownValue } from '../model/own-value.ts';
import { isPage, questions, views, type Question } from '../model/views.ts';
import { fieldInfo, splitId, type FieldId } from '../model/fields.ts';

/** Longer links are noise: every field fits, with names, and all of it again in what is kept. */
export const longestLink = 40960;

export interface Problem {
  reason: 'unknownKey' | 'otherView' | 'badValue' | 'tooLong';
  key: string;
  value: string;
  /** The key of the present view that is called alike. */
  meant?: string;
}

export interface Reading {
  state: State;
  problems: Problem[];
  language: string | null;
}

const batch: FieldId = 'run.batchTokens';
/** The link of the initial state: without one, the page begins with another view. */
const startLink = `view=${initialState.view}`;

/** Whether a link of the state that leaves out the batch means another than it starts with. */
function meansUnsaidBatch(description: Description, state: State): boolean {
  const { view, page } = state;
  const asks = views[view].unsaidBatch && !page && Object.hasOwn(description.groups, 'run');
  if (!asks) return false;
  // The batch of a fine-tuning is its own.
  return (
    baseOf(description, state, 'run')['batchTokens'] === fieldInfo(description, batch)!.default
  );
}

/** Whether all presets that a link names have loaded, which reading it takes. */
export function canReadAddress(text: string, pin = true): boolean {
  if (text.length > longestLink) return true; // it is refused
  const pairs = new URLSearchParams(text);
  migrate(pairs);
  const kept = pin ? pairs.get('pin') : null;
  const listed = (key: string): readonly string[] => pairs.get(key)?.split(',') ?? [];
  return (
    named.every((kind) => isLoaded(kind, pairs.get(kind) ?? initialState[kind])) &&
    listed('overlay').every((id) => isLoaded('chip', currentValue('chip', id))) &&
    listed('models').every((id) => isLoaded('model', currentValue('model', id))) &&
    (kept === null || canReadAddress(kept, false))
  );
}

/** The presets that a reader can name. */
const named = ['chip', 'model'] as const;
const longestName = 60;

/** A name as it may stand anywhere: one line, not too long. */
export const cleanName = (text: string): string =>
  [...text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()].slice(0, longestName).join('');

/**
 * Reads what follows # (or ?) in an address. It reports the parts that it does not understand, and
 * uses the rest. `pin`: also what it keeps for comparison, which keeps nothing itself.
 */
export function readAddress(description: Description, text: string, pin = true): Reading {
  const problems: Problem[] = [];
  let state = initialState;
  if (text.length > longestLink) {
    return { state, problems: [{ reason: 'tooLong', key: '', value: '' }], language: null };
  }
  const pairs = new URLSearchParams(text);
  migrate(pairs);
  const bad = (key: string): void => {
    problems.push({ reason: 'badValue', key, value: pairs.get(key) ?? '' });
  };

  // Presets first, whatever their place: choosing one clears the edits of the one before.
  for (const preset of ['chip', 'model', 'optimizer'] as const) {
    const id = pairs.get(preset);
    if (id === null) continue;
    if (presetIds[preset].has(id)) state = withPreset(state, preset, id);
    else bad(preset);
  }
  const figures = pairs.get('figures');
  if (figures === 'book' || figures === 'vendor') state = withPreset(state, 'figures', figures);
  else if (figures !== null) bad('figures');
  const prices = pairs.get('prices');
  if (prices !== null && isBasis(prices)) state = withBasis(state, prices);
  else if (prices !== null) bad('prices');
  const links = FieldLinks.of(description);
  const view = pairs.get('view');
  const also = pairs.get('also')?.split(',') ?? [];
  const beside = questions.filter((each) => also.includes(each));
  if (beside.length < also.length) bad('also');
  if (view === null && beside.length === 0) {
    const ids = [...pairs.keys()].flatMap((key) => links.find(key) ?? []);
    const opened = viewOfFields(ids);
    if (opened !== state.view) state = withView(state, opened);
  } else if (questions.includes(view as Question) || (view !== null && isPage(view))) {
    state = withView(state, view as Question);
  } else if (view !== null) bad('view');

  const { predictedBy } = views[state.view];
  const counting = pairs.get('counting');
  // Links from before there was a choice count as the book does.
  const counted = counting ?? 'book';
  if (predictedBy && isCounting(counted)) state = { ...state, counting: counted };
  else if (counting !== null) bad('counting');

  for (const thing of named) {
    const text = pairs.get(`${thing}.name`);
    if (text === null) continue;
    const name = cleanName(text);
    if (name) state = { ...state, names: { ...state.names, [thing]: name } };
    else bad(`${thing}.name`);
  }
  const kept = pairs.get('pin');
  if (kept !== null && pin) {
    const inner = readAddress(description, kept, false);
    if (inner.problems.every(({ reason }) => reason === 'otherView'))
      state = { ...state, pinned: inner.state };
    else bad('pin');
  }

  // The search group comes first, since it decides which fields fix a layout; what decides defaults
  // comes before what has them.
  const decides = (key: string): boolean => {
    const [group, field] = splitId(links.find(key) ?? 'run.');
    return decidesDefaults(description.groups[group] ?? [], field);
  };
  const isFirst = (key: string): number => Number(key.startsWith('search.') || decides(key));
  const read = new Set<string>();
  const keys = [...new Set(pairs.keys())].sort((one, other) => isFirst(other) - isFirst(one));
  for (const key of keys) {
    if (notFields.has(key)) continue;
    const text = pairs.get(key) ?? '';
    if (isChartKey(key)) {
      const setting = readChartSetting(key, text, links);
      if (setting) state = { ...state, charts: bare({ ...state.charts, ...setting }) };
      else bad(key);
      continue;
    }
    const id = links.find(key);
    const value = id && links.read(id, text);
    const other = ofOtherView(links, state, [key, text], { keys, beside, named: view !== null });
    if (id && value === undefined && other?.meant === undefined) bad(key);
    else if (!id || other) {
      problems.push({ reason: id ? 'otherView' : 'unknownKey', key, value: text, ...other });
    }
    if (!id || value === undefined) continue;
    state = withField(description, state, id, value);
    read.add(links.key(id));
  }
  // A link that names a format means all others as in the core, whatever the model's own are.
  for (const id of formatsBeside(state, [...read])) {
    if (!read.has(links.key(id))) {
      state = withField(description, state, id, fieldInfo(description, id)!.default);
    }
  }
  for (const { key, value } of impliedBy(read)) {
    state = withField(description, state, links.find(key)!, value);
  }
  if (!read.has(links.key(batch)) && meansUnsaidBatch(description, state)) {
    // Parameters that change nothing are the page's start, not a link.
    const starts = pin && writeAddress(description, state) === startLink;
    if (!starts) state = withField(description, state, batch, unsaidBatch);
  }
  return { state, problems, language: pairs.get('lang') };
}

/**
 * The part of an address that says how `state` differs from the initial one; keys in a fixed order.
 * `alone`: not as a part of another link, where nothing is not the initial state.
 */
export function writeAddress(description: Description, state: State, alone = true): string {
  const pairs: [string, string][] = [];
  if (state.page) pairs.push(['view', state.page]);
  for (const key of ['view', 'figures', 'chip', 'model', 'optimizer'] as const) {
    if (state[key] !== initialState[key]) pairs.push([key, state[key]]);
  }
  if (state.prices) pairs.push(['prices', state.prices]);
  if (!state.page && isPlanned(state)) pairs.push(['counting', state.counting]);
  for (const thing of named) {
    const name = ownValue(state.names, thing);
    if (name !== undefined) pairs.push([`${thing}.name`, name]);
  }
  const links = FieldLinks.of(description);
  const fixing = fixingField(description, state);
  const batchMatters = meansUnsaidBatch(description, state);
  const formats = formatsBeside(state, Object.keys(state.edits.server));
  const said: FieldId[] = [];
  for (const id of links.ids) {
    const [group, key] = splitId(id);
    const whole = id === fixing || (id === batch && batchMatters) || formats.includes(id);
    const value = ownValue(whole ? inputOf(description, state, group) : state.edits[group], key);
    if (value === undefined) continue;
    pairs.push([links.key(id), links.write(id, value)]);
    said.push(id);
  }
  // The defaults are written, where the keys would imply other values.
  for (const { key } of impliedBy(new Set(pairs.map(([key]) => key)))) {
    const id = links.find(key)!;
    pairs.push([key, links.write(id, fieldInfo(description, id)!.default)]);
  }
  const beside = viewsBeside(state, said);
  if (beside.length > 0) pairs.push(['also', beside.join()]);
  for (const key of chartKeys) {
    const written = writeChartSetting(key, state.charts, links);
    if (written !== undefined) pairs.push([key, written]);
  }
  if (state.pinned) pairs.push(['pin', writeAddress(description, state.pinned, false)]);
  if (batchMatters) {
    const { batchTokens: start } = baseOf(description, state, 'run');
    const unsaid = alone && pairs.length === 1 ? start! : unsaidBatch;
    const left = pairs.findIndex(([key]) => key === links.key(batch));
    if (pairs[left]![1] === links.write(batch, unsaid)) pairs.splice(left, 1);
  }
  const link = pairs.map(([key, value]) => `${key}=${readable(value)}`).join('&');
  return link === '' && alone ? startLink : link;
}

/** Fields that the formats of the model's published weights set, where some are named among `keys`. */
const formatsBeside = ({ model }: State, keys: readonly string[]): FieldId[] =>
  keys.some((key) => /^(server\.)?\w*weights$/i.test(key))
    ? Object.keys(modelOf(model).formats ?? {}).map((key): FieldId => `server.${key}`)
    : [];

/** The field that marks a fixed layout without edits in a link. */
function fixingField(description: Description, state: State): FieldId | undefined {
  const left = state.layout === 'fixed' ? leftToSearch(description, state) : [];
  return left[0] && !left.some((key) => Object.hasOwn(state.edits.layout, key))
    ? `layout.${left[0]}`
    : undefined;
}

/** Lists and ranges stay as they read: what parts them is no sign to an address. */
const readable = (value: string): string =>
  encodeURIComponent(value).replace(/%(3A|2C|3D)/g, decodeURIComponent);

const notFields: ReadonlySet<string> = new Set([
  'view',
  'also',
  'figures',
  'prices',
  'counting',
  'chip',
  'model',
  'optimizer',
  'chip.name',
  'model.name',
  'lang',
  'pin',
]);
