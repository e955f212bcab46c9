// The compressed size of everything that ships.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { filesUnder, root } from './run.mjs';
import { views } from './views.mjs';

/** The views that load on first use, by the core's module that answers them. */
const lazyViews = Object.fromEntries(
  Object.entries(views)
    .filter(([, { lazy }]) => lazy)
    .map(([view, { engine }]) => [engine, view]),
);

const eagerViews = Object.values(views).filter(({ lazy }) => !lazy);

/** Bytes, compressed, in one language; those of views that load on first use stand in views.json. */
export const budgets = {
  /** The files that a visit loads before the reader asks for more. */
  'first view': 150_000,
  /** The page in its views of training, operations and collectives, with all their charts. */
  page: 192_000,
  /** The views that load on first use, each with its module, its texts and its drawing. */
  ...Object.fromEntries(
    Object.entries(lazyViews).map(([module, view]) => [module, views[view].budget]),
  ),
  /** Derivations, with a module of their own. */
  derivations: 90_000,
  /** The rates of measured kernels, for operations and collectives. */
  kernels: 54_000,
  /** Derivations of plans. */
  'plan derivations': 108_000,
  /** The measured runs and kernels with what is predicted of them, and what shows them. */
  evidence: 96_000,
  /** The measured servers with what is predicted of them. */
  'serving evidence': 72_000,
  /** The frontiers of several chips. */
  frontiers: 9_600,
  /** Figures of the chips and models that few first views need; each visit loads them later. */
  'more presets': 19_200,
  /** The strip of a model's layers. */
  layers: 6_000,
  /** Sources of chips' and models' figures, for readers who open their panels. */
  'preset sources': 6_000,
  /** Side by side, with its chart, and tables as files. */
  'side by side': 24_000,
  /** Derivations of serving. */
  'serving derivations': 90_000,
  /** Worked questions, for those who open them. */
  'worked questions': 25_200,
  /** The reader's own chips and models, and what reads their files. */
  'own presets': 32_400,
  /** All else that opens when it is asked for: comparison, dialogs, terms, ... */
  extras: 63_600,
  /** The script of the element. */
  'embed.js': 100_000,
};

/** Views that load on first use and have no budget. */
export const withoutBudget = Object.keys(lazyViews).filter((module) => !(budgets[module] > 0));

const sizes = new Map();
const gzOf = (file) => {
  if (!sizes.has(file)) {
    const bytes = gzipSync(readFileSync(path.join(root, file)), { level: 9 }).length;
    sizes.set(file, bytes);
  }
  return sizes.get(file);
};
const gz = (files) => files.map(gzOf).reduce((sum, size) => sum + size, 0);
const largest = (files) => Math.max(0, ...files.map(gzOf));

/** Copied or loaded alone, not by the page. */
const alone = ['offline.html', 'engine.js', 'engine.d.ts', 'embed.js', 'element.js'];

/** Chunks that the views that load on first use share: each of them has these. */
const shared = ['pareto-front'];

/** Further chunks of a view, by its module. */
const beside = { serving: ['divide-servers', 'drawings'], targets: ['turns'] };

/** Chunks by the name that the bundler gives them, from what they begin with. */
const chunks = {
  page: ['explorer', 'sweep', 'keys', 'ticks', 'labels', 'grid-map'],
  'more presets': ['more-presets'],
  'preset sources': ['preset-sources'],
  layers: ['strip'],
  derivations: ['derivations', 'explaining', 'turns'],
  'plan derivations': ['plan-derivations', 'explaining', 'turns'],
  'serving derivations': ['serving-derivations', 'explaining', 'turns'],
  kernels: ['kernel-rates'],
  'side by side': ['sides', 'trade', 'dot-picker', 'table-files', 'prices'],
  'worked questions': ['examples-list'],
  'own presets': ['preset-library'],
  evidence: [
    'evidence',
    'evidence-words',
    'how-sure',
    'own-run',
    'kept',
    'traits',
    'statistics',
    'kernels',
    'training-collection',
    'training-evidence',
    'open',
    'subject',
  ],
  'serving evidence': ['serving-collection', 'serving-evidence'],
  frontiers: ['frontiers'],
  ...Object.fromEntries(
    Object.entries(lazyViews).map(([module, view]) => [
      module,
      [view, `${view}-page`, module, ...shared, ...(beside[module] ?? [])],
    ]),
  ),
};

/** All files that ship, and the modules' own parts, each with its size in bytes after gzip. */
export function artefacts() {
  const languages = filesUnder('shared/text').map((file) => path.basename(file, '.json'));
  const ofElement = alone.map((file) => `dist/${file}`);
  const isForHosts = (file) => /^dist\/(hosts\/|icon|worker\.js)/.test(file);
  const site = filesUnder('dist').filter((file) => !ofElement.includes(file) && !isForHosts(file));

  const hash = '-01234567.js'.length;
  const nameOf = (file) => path.basename(file).slice(0, -hash);
  // A dictionary is a file of its language, its parts are `en.plan`: a reader loads one of each.
  const textsOf = (part) => {
    const ending = part ? `.${part}` : '';
    return site.filter((file) => languages.some((name) => nameOf(file) === name + ending));
  };
  const isText = (file) => languages.includes(nameOf(file).split('.')[0]);
  const parts = new Set(site.filter(isText).map((file) => nameOf(file).split('.')[1] ?? ''));

  // The files that the document names, and all that these can't start without.
  const document = readFileSync(path.join(root, 'dist/index.html'), 'utf8');
  const started = new Set();
  const start = (file) => {
    if (started.has(file)) return;
    started.add(file);
    const text = readFileSync(path.join(root, file), 'utf8');
    for (const [, name] of text.matchAll(/\bfrom"\.\/([^"]+)"/g)) start(`dist/assets/${name}`);
  };
  for (const [, name] of document.matchAll(/"\.\/(assets\/[^"]+\.js)"/g)) start(`dist/${name}`);
  const first = site.filter((file) => !file.endsWith('.js') || started.has(file));
  const named = (group) => site.filter((file) => chunks[group].includes(nameOf(file)));
  const apart = [...first, ...Object.keys(chunks).flatMap(named)];
  const rest = site.filter((file) => !apart.includes(file) && !isText(file));
  const ofParts = (names) => names.reduce((sum, part) => sum + largest(textsOf(part)), 0);
  const ofPage = [...new Set(eagerViews.flatMap(({ texts = [] }) => texts))];
  const ofViews = Object.values(views).flatMap(({ texts = [] }) => texts);
  const withBudgets = ['evidence', 'sides', 'frontier', 'worked', 'own', 'layers'];
  const extraTexts = [...parts].filter(
    (part) => part && !withBudgets.includes(part) && !ofViews.includes(part),
  );
  const firstView = gz(first) + largest(textsOf(''));
  const ofWasm = (name) => gzOf(`build/wasm/${name}.wasm`);
  return [
    { name: 'wasm of the core', gz: ofWasm('core') },
    { name: 'wasm of derivations', gz: ofWasm('derivations') },
    { name: 'wasm of derivations of plans', gz: ofWasm('plan_derivations') },
    { name: 'wasm of the planner', gz: ofWasm('planner') },
    { name: 'wasm of derivations of serving', gz: ofWasm('serving_derivations') },
    { name: 'wasm of serving', gz: ofWasm('serving') },
    { name: 'wasm of targets', gz: ofWasm('targets') },
    { name: 'wasm of training alone', gz: ofWasm('training') },
    { name: 'glue', gz: gzOf('build/wasm/core.js') },
    { name: 'first view', gz: firstView },
    { name: 'page', gz: firstView + gz(named('page')) + ofParts(ofPage) },
    ...Object.entries(lazyViews).map(([module, view]) => ({
      name: module,
      gz: gz(named(module)) + ofParts(views[view].texts.filter((part) => !ofPage.includes(part))),
    })),
    { name: 'derivations', gz: gz(named('derivations')) },
    { name: 'plan derivations', gz: gz(named('plan derivations')) },
    { name: 'kernels', gz: gz(named('kernels')) },
    { name: 'more presets', gz: gz(named('more presets')) },
    { name: 'layers', gz: gz(named('layers')) + largest(textsOf('layers')) },
    { name: 'preset sources', gz: gz(named('preset sources')) },
    { name: 'evidence', gz: gz(named('evidence')) + largest(textsOf('evidence')) },
    { name: 'serving evidence', gz: gz(named('serving evidence')) },
    { name: 'frontiers', gz: gz(named('frontiers')) + largest(textsOf('frontier')) },
    { name: 'side by side', gz: gz(named('side by side')) + largest(textsOf('sides')) },
    { name: 'serving derivations', gz: gz(named('serving derivations')) },
    { name: 'own presets', gz: gz(named('own presets')) + largest(textsOf('own')) },
    {
      name: 'worked questions',
      gz: gz(named('worked questions')) + largest(textsOf('worked')),
    },
    {
      name: 'extras',
      gz: gz(rest) + ofParts(extraTexts),
    },
    { name: 'all in all languages', gz: gz(site) },
    ...ofElement.map((file) => ({
      name: path.basename(file),
      // It has all languages; a further one takes none of the others' room.
      gz: gzOf(file) - (file.endsWith('/embed.js') ? gz(textsOf('')) - largest(textsOf('')) : 0),
    })),
  ];
}
