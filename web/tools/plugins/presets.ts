// The presets of shared/chips.json and shared/models.json, in the parts in which they load: a list of
// all with the figures of the first, the figures of the others, and where all figures come from.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import type { Chip, Cited, Model, MorePresets, Price } from '../../src/model/presets.ts';
import { placeOf } from '../modules.mjs';
import { firstPresets } from '../views.mjs';

const fileOf = (name: string): string =>
  path.resolve(import.meta.dirname, `../../../shared/${name}.json`);

/** The commit at which a source was read. */
const commit = / \(\S+@[0-9a-f]{7,}\)|@[0-9a-f]{7,}\b/g;

/** The keys that only the maintainers of the files read. */
const forKeepers = new Set(['$schema', 'note', 'notes', 'published', 'training']);

type Sources = Record<string, { title: string }>;

interface ChipsFile {
  sources: Sources;
  chips: Chip[];
}

type PublishedModel = Model & { published?: { parameters?: number } };

interface PricesFile {
  sources: Sources;
  providers: { id: string; name: string; kind: string }[];
  prices: (Price & { chip: string; provider: string })[];
  purchases: (Price & { chip: string; chips: number })[];
}

interface ModelsFile {
  sources: Sources;
  models: PublishedModel[];
}

/** Short ids for the sources of presets in a build: each figure names one. */
const shortIds = (sources: object): ReadonlyMap<string, string> =>
  new Map(Object.keys(sources).map((id, index) => [id, index.toString(36)]));

function read<File extends ChipsFile | ModelsFile>(kind: 'chips' | 'models', lean: boolean): File {
  const parse = <T>(name: string): T =>
    JSON.parse(readFileSync(fileOf(name), 'utf8'), (key, value: unknown) =>
      lean && forKeepers.has(key) ? undefined : value,
    ) as T;
  const file = parse<File>(kind);
  if ('chips' in file) givePrices(file, parse('prices'));
  if (!lean) return file;
  if ('chips' in file) file.chips.forEach(nameMainSource);
  else for (const model of file.models) keepArchitectureSource(model);
  const ids = shortIds(file.sources);
  const renamed = JSON.parse(JSON.stringify(file), (key, value: unknown) =>
    (key === 'source' || key === 'architecture') && typeof value === 'string'
      ? (ids.get(value) ?? value)
      : value,
  ) as File;
  renamed.sources = Object.fromEntries(
    Object.entries(file.sources).map(([id, { title, ...more }]) => [
      ids.get(id)!,
      { title: title.replace(commit, ''), ...more },
    ]),
  );
  return renamed;
}

/** Gives each chip its latest list price as a figure, and all others beside it, of which the latest
 * of a provider comes first. What someone reckons with is no list price. */
function givePrices(file: ChipsFile, { sources, providers, prices, purchases }: PricesFile): void {
  file.sources = { ...file.sources, ...sources };
  const names = new Map(providers.map(({ id, name }) => [id, name]));
  const assumed = new Set(
    providers.filter(({ kind }) => kind === 'assumption').map(({ name }) => name),
  );
  const dated = prices
    .map(({ provider, ...price }) => ({ ...price, provider: names.get(provider)! }))
    .sort((one, other) => (other.date ?? '').localeCompare(one.date ?? ''));
  for (const chip of file.chips) {
    const own = dated.filter((price) => price.chip === chip.id);
    const latest = own.find(({ provider }) => !assumed.has(provider));
    if (latest) chip.figures['price'] = plain(latest);
    const others = own.filter((price) => price !== latest).map(plain);
    if (others.length > 0) chip.otherPrices = others;
    const bought = purchases.find((each) => each.chip === chip.id);
    // A chip has its share of what the server was sold for.
    if (bought) chip.figures['purchase'] = plain({ ...bought, value: bought.value / bought.chips });
  }
}

/** Names or kinds of the providers that list prices of more than one chip, by their ids in
 * links. */
function providersOf(chips: readonly Chip[], what: 'name' | 'kind'): Record<string, string> {
  const { providers } = JSON.parse(readFileSync(fileOf('prices'), 'utf8')) as PricesFile;
  const lists = (name: string, { figures: { price }, otherPrices = [] }: Chip): boolean =>
    [price as Price | undefined, ...otherPrices].some((each) => each?.provider === name);
  return Object.fromEntries(
    providers
      .filter(({ name }) => chips.filter((chip) => lists(name, chip)).length > 1)
      .map((provider) => [provider.id, provider[what]]),
  );
}

const plain = ({ value, provider, date, source, note }: Price): Price => ({
  value,
  ...(provider && { provider }),
  ...(date && { date }),
  ...(source && { source }),
  ...(note && { note }),
});

/** Names the source of most of a chip's figures once, and those of others beside them. */
function nameMainSource(chip: Chip): void {
  const figures = Object.values(chip.figures);
  const count = (source?: string): number =>
    figures.filter((figure) => figure.source === source).length;
  chip.source = figures.map(({ source }) => source!).sort((a, b) => count(b) - count(a))[0]!;
  for (const figure of figures) if (figure.source === chip.source) delete figure.source;
}

function keepArchitectureSource({ sources }: Model): void {
  const others: Record<string, string> = sources ?? {};
  for (const key of Object.keys(others)) if (key !== 'architecture') delete others[key];
}

/** The first part of every preset: the figures that lists and links need. */
const entriesOf = {
  chips: ({ id, name, vendor, year, family, announced, figures }: Chip) => ({
    id,
    name,
    vendor,
    year,
    family,
    announced,
    generation: figures['generation']?.value,
  }),
  models: ({ id, name, organisation, year, published }: PublishedModel) => ({
    id,
    name,
    organisation,
    year,
    parameters: published?.parameters,
  }),
};

/** The later part of a chip or a model. */
function restOf<Preset extends object>(preset: Preset, entry: object): [string, object] {
  const { id } = entry as { id: string };
  const rest = Object.entries(preset).filter(([key]) => !(key in entry));
  return [id, Object.fromEntries(rest)];
}

/** The first presets, or the others. */
function part(
  [{ chips, sources }, { models }]: readonly [ChipsFile, ModelsFile],
  first: boolean,
): MorePresets {
  const wanted = (kind: 'chips' | 'models', id: string): boolean =>
    firstPresets[kind].includes(id) === first;
  const some = chips.filter(({ id }) => wanted('chips', id));
  return {
    chips: Object.fromEntries(some.map((chip) => restOf(chip, entriesOf.chips(chip)))),
    models: Object.fromEntries(
      models
        .filter(({ id }) => wanted('models', id))
        .map((model) => restOf(model, entriesOf.models(model))),
    ),
    chipSources: ofPrices(some, sources),
  } as MorePresets;
}

/** The sources that stand beside answers; those of other figures load when a reader asks. */
function ofPrices(chips: readonly Chip[], sources: Sources): Sources {
  const named = new Set(
    chips.flatMap(({ source, figures, otherPrices = [] }) =>
      // The main source of a chip is that of the figures that name none.
      [figures['price'], figures['power'], ...otherPrices].flatMap(
        (figure?: Cited & { book?: Cited }) =>
          figure ? [figure.source ?? source, figure.book?.source] : [],
      ),
    ),
  );
  return Object.fromEntries(Object.entries(sources).filter(([id]) => named.has(id)));
}

/** The sources that some preset of a file names. */
function namedSources({ sources, ...file }: ChipsFile | ModelsFile): object {
  const named = new Set<unknown>();
  JSON.stringify(file, (key, value: unknown) => {
    if (key === 'source' || key === 'architecture') named.add(value);
    return value;
  });
  return Object.fromEntries(Object.entries(sources).filter(([id]) => named.has(id)));
}

/** `lean`: without what only the files' keepers read, and with short ids of sources. */
const modulesOf: Record<string, (lean: boolean) => string> = {
  /** All presets as lists know them, and the figures of the first. */
  'virtual:presets'(lean) {
    const [{ chips }, { models }] = readBoth(false);
    return exported({
      chipEntries: chips.map(entriesOf.chips),
      modelEntries: models.map(entriesOf.models),
      providers: providersOf(chips, 'name'),
      first: part(readBoth(lean), true),
    });
  },
  /** The figures of the others. */
  'virtual:more-presets': (lean) => exported({ more: part(readBoth(lean), false) }),
  /** The kinds of the providers that list prices. */
  'virtual:provider-kinds': () =>
    exported({ kinds: providersOf(readBoth(false)[0].chips, 'kind') }),
  /** The sources of the figures. */
  'virtual:preset-sources'(lean) {
    const [chips, models] = readBoth(lean);
    return exported({ chips: namedSources(chips), models: namedSources(models) });
  },
};

const readBoth = (lean: boolean): [ChipsFile, ModelsFile] => [
  read<ChipsFile>('chips', lean),
  read<ModelsFile>('models', lean),
];

const exported = (values: object): string =>
  Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join('\n');

/** `virtual:presets`, `virtual:more-presets` and `virtual:preset-sources`: lean in builds, whole for
 * tests. */
export function presets(): Plugin {
  let builds = false;
  return {
    name: 'presets',
    config(_, { command }) {
      builds = command === 'build';
    },
    resolveId: (asked) => (Object.hasOwn(modulesOf, asked) ? asked : null),
    load(asked) {
      if (!Object.hasOwn(modulesOf, asked)) return null;
      for (const kind of ['chips', 'models', 'prices']) this.addWatchFile(fileOf(kind));
      return modulesOf[asked]!(builds);
    },
  };
}

/** Optimizers, stacks, software that serves and the core's sources without what only their keepers
 * read. */
export function leanFiles(): Plugin {
  return {
    name: 'lean-files',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      const kind = /\/shared\/(optimizers|servers|sources|stacks)\.json$/.exec(id)?.[1];
      if (!kind) return null;
      this.addWatchFile(id);
      const file = JSON.parse(readFileSync(id, 'utf8'), (key, value: unknown) =>
        forKeepers.has(key) ? undefined : value,
      );
      if (kind !== 'sources') {
        const kept = { optimizers: 'source', servers: 'software', stacks: 'sources' }[kind]!;
        for (const each of file[kind]) delete each[kept];
        return JSON.stringify(file);
      }
      // The core names the sources of its rules.
      const core = readFileSync(placeOf('derive'), 'latin1');
      for (const source of Object.keys(file.sources)) {
        if (!core.includes(source)) delete file.sources[source];
      }
      return JSON.stringify(file);
    },
  };
}
