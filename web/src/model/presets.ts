import type { FieldValue } from '../engine/index.ts';
import { Lazy } from '../engine/lazy.ts';
import chipsFile from '../../../shared/chips.json';
import modelsFile from '../../../shared/models.json';
import optimizersFile from '../../../shared/optimizers.json';

/** A group of fields, by key. */
export type InputGroup = Readonly<Record<string, FieldValue>>;

export type Figures = 'book' | 'vendor';

interface Cited {
  value: FieldValue;
  /** An element that shows little does without. */
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
export type Price = Cited & { value: number };

export interface Chip {
  id: string;
  name: string;
  vendor: string;
  /** The source of figures that name none. */
  source?: string;
  figures: Record<string, Figure>;
  /** Beside the one among the figures. */
  otherPrices?: Price[];
}

export interface Model {
  id: string;
  name: string;
  organisation: string;
  year: number;
  architecture: Record<string, FieldValue>;
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

export const chips = chipsFile.chips as unknown as Chip[];
// A build names the source of most of a chip's figures once.
for (const { source, figures } of chips) {
  if (source) for (const figure of Object.values(figures)) figure.source ??= source;
}
export const models = modelsFile.models as unknown as Model[];

/** The preset without figures of its own: all are the reader's. */
export const own = 'own';
const ownChip: Chip = { id: own, name: '', vendor: '', figures: {} };
const ownModel: Model = {
  id: own,
  name: '',
  organisation: '',
  year: 0,
  architecture: {},
};
export const optimizers: Optimizer[] = optimizersFile.optimizers.map(
  ({ id, weightFormat, gradientBytes, optimizerBytes }) => ({
    id,
    fields: { weightFormat, gradientBytes, optimizerBytes },
  }),
);
/** Those of prices, and all once `presetSources` has loaded. */
export const chipSources: Record<string, Source> = { ...chipsFile.sources };
/** Empty until `presetSources` has loaded. */
export const modelSources: Record<string, Source> = {};
/** Loads the sources of the presets' figures. */
export const presetSources = new Lazy(async () => {
  const { chips, models } = await import('./preset-sources.ts');
  Object.assign(chipSources, chips);
  Object.assign(modelSources, models);
  return true;
});

const byId = <T extends { id: string }>(items: T[]): ReadonlyMap<string, T> =>
  new Map(items.map((item) => [item.id, item]));
const chipsById = byId([...chips, ownChip]);
const modelsById = byId([...models, ownModel]);
const optimizersById = byId(optimizers);

// Ids come from the initial state or through the link codec, which refuses unknown ones.
export const chipOf = (id: string): Chip => chipsById.get(id)!;
export const modelOf = (id: string): Model => modelsById.get(id)!;
export const optimizerOf = (id: string): Optimizer => optimizersById.get(id)!;

export const presetIds: Record<'chip' | 'model' | 'optimizer', ReadonlySet<string>> = {
  chip: new Set(chipsById.keys()),
  model: new Set(modelsById.keys()),
  optimizer: new Set(optimizersById.keys()),
};

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

export function figuresOf(chip: Chip, figures: Figures): InputGroup {
  return Object.fromEntries(
    Object.entries(chip.figures).map(([key, figure]) => [key, chosen(figure, figures)]),
  );
}
