import { bare } from '../engine/bare.ts';
import type { FieldValue } from '../engine/index.ts';
import { Lazy } from '../engine/lazy.ts';
import {
  chipEntries as chipList,
  first,
  modelEntries as modelList,
  providers,
} from 'virtual:presets';
import optimizersFile from '../../../shared/optimizers.json';
import { ownValue } from './own-value.ts';

/** A group of fields, by key. */
export type InputGroup = Readonly<Record<string, FieldValue>>;

export type Figures = 'book' | 'vendor';

export interface Cited {
  value: FieldValue;
  source?: string;
  /** Provider and date of a price. */
  provider?: string;
  date?: string;
  note?: string;
}

export interface Figure extends Cited {
  /** The book's figure, if it differs. */
  book?: Cited;
}

/** A price of a chip-hour [USD], with what it rests on. */
export type Price = Cited & {
  value: number;
  /** The cost of owning the chip: date and source are those of its purchase. */
  owned?: boolean;
};

/** The entry of a chip in the first part of the presets. */
export interface ChipEntry {
  id: string;
  name: string;
  vendor: string;
  year: number;
  /** The maker's name of its architecture. */
  family: string;
  /** Whether it can't be had yet, and its figures are its maker's announcement. */
  announced?: boolean;
  /** The generation of its kernels. */
  generation: string;
}

export interface Chip extends ChipEntry {
  /** The source of figures that name none. */
  source?: string;
  figures: Record<string, Figure>;
  /** Beside the one among the figures. */
  otherPrices?: Price[];
}

/** The entry of a model in the first part of the presets. */
export interface ModelEntry {
  id: string;
  name: string;
  organisation: string;
  year: number;
  /** All that were published, rounded as there. */
  parameters?: number;
}

export interface Model extends ModelEntry {
  architecture: Record<string, FieldValue>;
  /** The formats of its published weights, as fields of a server; without them 16 bits. */
  formats?: InputGroup;
  sources?: { architecture: string };
  /** Rounded values that the book computes with, e.g. 70B parameters. */
  book?: Record<string, { value: FieldValue; source: string }>;
}

export interface Optimizer {
  id: string;
  fields: InputGroup;
}

export interface Source {
  title: string;
  url?: string;
}

/** The later part of the presets, by their ids. */
export interface MorePresets {
  chips: Record<string, Omit<Chip, keyof ChipEntry>>;
  models: Record<string, Omit<Model, keyof ModelEntry>>;
  /** The sources of their prices. */
  chipSources: Record<string, Source>;
  modelSources?: Record<string, Source>;
}

/** The preset without figures of its own: all are the reader's. */
export const own = 'own';
const ownChip: Chip = {
  id: own,
  name: '',
  vendor: '',
  year: 0,
  family: '',
  generation: '',
  figures: {},
};
const ownModel: Model = {
  id: own,
  name: '',
  organisation: '',
  year: 0,
  architecture: {},
};

/** All presets, as lists and links know them. */
export const chipEntries: readonly ChipEntry[] = chipList;
export const modelEntries: readonly ModelEntry[] = modelList;
/** Presets whose figures have loaded, in the same order; all once `LaterPresets.more` has. */
export const chips: Chip[] = [];
export const models: Model[] = [];

export const optimizers: Optimizer[] = optimizersFile.optimizers.map(
  ({ id, weightFormat, gradientBytes, optimizerBytes }) => ({
    id,
    fields: { weightFormat, gradientBytes, optimizerBytes },
  }),
);
/** Sources of prices, and all once `LaterPresets.sources` has loaded. */
export const chipSources: Record<string, Source> = {};
/** Empty until `LaterPresets.sources` has loaded. */
export const modelSources: Record<string, Source> = {};
/** The page's own modules of the presets beside the first, and of the sources of all figures. */
interface PresetModules {
  more(): Promise<{ more: MorePresets }>;
  sources(): Promise<{ chips: Record<string, Source>; models: Record<string, Source> }>;
}

/** The parts of the presets that load later. */
export interface LaterPresets {
  /** The presets beside the first. */
  more: Lazy<boolean>;
  /** The sources of all figures. */
  sources: Lazy<boolean>;
}

export const laterPresets = (modules: PresetModules): LaterPresets => ({
  more: new Lazy(async () => {
    addPresets((await modules.more()).more);
    return true;
  }),
  sources: new Lazy(async () => {
    const { chips, models } = await modules.sources();
    Object.assign(chipSources, chips);
    Object.assign(modelSources, models);
    return true;
  }),
});

const chipsById = new Map([[own, ownChip]]);
const modelsById = new Map([[own, ownModel]]);
const optimizersById = new Map(optimizers.map((each) => [each.id, each]));

const idsOf = (entries: readonly { id: string }[]): string[] => entries.map(({ id }) => id);
export const presetIds: Record<'chip' | 'model' | 'optimizer', ReadonlySet<string>> = {
  chip: new Set([own, ...idsOf(chipList)]),
  model: new Set([own, ...idsOf(modelList)]),
  optimizer: new Set(optimizersById.keys()),
};

/** Whether all presets have loaded. */
let isWhole = false;

/** Adds the figures of presets; `whole`: of all that were missing. */
export function addPresets(more: MorePresets, whole = true): void {
  isWhole = whole;
  put(chipsById, chips, chipList, more.chips);
  put(modelsById, models, modelList, more.models);
  // A build names the source of most of a chip's figures once.
  for (const { source, figures } of chips) {
    if (source) for (const figure of Object.values(figures)) figure.source ??= source;
  }
  Object.assign(chipSources, more.chipSources);
  Object.assign(modelSources, more.modelSources);
}

function put<Entry extends { id: string }, Preset extends Entry>(
  byId: Map<string, Preset>,
  all: Preset[],
  entries: readonly Entry[],
  more: Record<string, Omit<Preset, keyof Entry>>,
): void {
  for (const entry of entries) {
    const rest = ownValue(more, entry.id);
    if (rest) byId.set(entry.id, bare({ ...entry, ...rest }) as unknown as Preset);
  }
  all.splice(0, all.length, ...entries.flatMap(({ id }) => byId.get(id) ?? []));
}

addPresets(first, false);

/** Whether the figures of a preset are there; of an unknown one, whether all are. */
export const isLoaded = (kind: 'chip' | 'model', id: string): boolean =>
  isWhole || (kind === 'chip' ? chipsById : modelsById).has(id);

// Ids come from the initial state or through the link codec, which refuses unknown ones; states and
// links wait until their presets have loaded.
export const chipOf = (id: string): Chip => chipsById.get(id)!;
export const modelOf = (id: string): Model => modelsById.get(id)!;
export const optimizerOf = (id: string): Optimizer => optimizersById.get(id)!;

/** The book's own figure or the vendor's, with its own source and date. */
export const citedOf = (figure: Figure, figures: Figures): Cited =>
  figures === 'book' && figure.book ? figure.book : figure;

export const chosen = (figure: Figure, figures: Figures): FieldValue =>
  citedOf(figure, figures).value;

/** A model's fields; as in the book, they include the rounded counts that it reckons with. */
export function architectureOf({ architecture, book }: Model, figures: Figures): InputGroup {
  if (figures !== 'book' || !book) return architecture;
  const rounded = Object.entries(book).map(([key, { value }]) => [key, value]);
  return { ...architecture, ...Object.fromEntries(rounded) };
}

/** The chip's fields, its price on the basis that all chips have. */
export function figuresOf(chip: Chip, figures: Figures, prices = latest): InputGroup {
  const fields = Object.fromEntries(
    Object.entries(chip.figures).map(([key, figure]) => [key, chosen(figure, figures)]),
  );
  if (prices === owned) fields['payment'] = owned;
  else if (prices !== latest) fields['price'] = priceOn(chip, prices)?.value ?? null;
  return fields;
}

/** The basis of prices that takes the latest list price of each chip. */
export const latest = 'latest';
/** The basis on which chips are the reader's own: what they cost is reckoned from their purchase. */
export const owned = 'owned';
/** Names by id of the providers whose list prices can be the basis of all. */
export const providerNames: Readonly<Record<string, string>> = providers;
export const isBasis = (id: string): boolean =>
  id === latest || id === owned || Object.hasOwn(providers, id);

/** The price of a chip on a basis. */
export function priceOn(
  { figures: { price }, otherPrices = [] }: Chip,
  basis = latest,
): Price | undefined {
  if (basis === latest) return price as Price | undefined;
  const all = [price as Price | undefined, ...otherPrices];
  return all.find((each) => each && each.provider === providers[basis]);
}
