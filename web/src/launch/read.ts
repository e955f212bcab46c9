// Reads a launch: a command, a script, or settings in YAML, TOML, JSON or Python, by the software's table.

import type { Description, FieldValue } from '../engine/index.ts';
import { readEntries, type Reading } from '../custom/config.ts';
import { largestText, type Json } from '../custom/json.ts';
import { cleanName } from '../link/address.ts';
import { fieldInfo, valueFits, type FieldId } from '../model/fields.ts';
import { has } from '../model/own-value.ts';
import { chipIn, maxtext } from './maxtext.ts';
import { deepspeed } from './deepspeed.ts';
import { readJson, readPython, readToml, readYaml, type Document, type Pair } from './documents.ts';
import { llamaCpp } from './llama-cpp.ts';
import { megatron } from './megatron.ts';
import { peft } from './peft.ts';
import { architectureAlike, presetNamed } from './names.ts';
import { formatNamed } from './serving-rows.ts';
import { sglang } from './sglang.ts';
import { fileName, readScript, Swollen, Unclosed, type Script } from './shell.ts';
import type { Software, SoftwareId } from './software.ts';
import { tensorrt } from './tensorrt.ts';
import { torchtitan } from './torchtitan.ts';
import {
  byId,
  numberOf,
  switchOf,
  textOf,
  type Ours,
  type Read,
  type Row,
  type Value,
} from './values.ts';
import { vllm } from './vllm.ts';

export const software: Readonly<Record<SoftwareId, Software>> = {
  megatron,
  torchtitan,
  maxtext,
  deepspeed,
  peft,
  vllm,
  sglang,
  tensorrt,
  'llama-cpp': llamaCpp,
};

/** A field that the text gives. */
export interface Used {
  /** The option, as it is written there. */
  key: string;
  written: string;
  field: FieldId;
  value: FieldValue;
}

/** A field that the text leaves out. */
export interface Supposed {
  code: 'software' | 'follows';
  field: FieldId;
  value: FieldValue;
}

/** What can't be used of the text. */
export interface Trouble {
  code: 'noValue' | 'badValue' | 'outOfRange' | 'auto' | 'more';
  key: string;
  written: string;
  field: FieldId | undefined;
}

/** The model that the text names, or whose sizes it gives. */
export type Modelled =
  | { by: 'name' | 'sizes'; preset: string; written: string }
  | { by: 'own'; reading: Reading }
  | { by: 'unknown'; written: string }
  | undefined;

export interface Launch {
  software: SoftwareId;
  question: 'plan' | 'serving';
  used: Used[];
  assumptions: Supposed[];
  troubles: Trouble[];
  /** Options that change what the software does, and that no field describes. */
  unplaced: string[];
  /** Options that are not known here. */
  unknown: string[];
  model: Modelled;
  chip: string | undefined;
  /** All fields that follow. */
  fields: Ours;
}

export type NoLaunch = { code: 'unclosed'; line: number } | { code: 'tooLarge'; size: number };

/** An option of the text. */
interface Entry {
  key: string;
  name: string;
  value: Value;
}

/** Names without what differs by taste. */
const plain = (key: string): string =>
  key
    .toLowerCase()
    .replaceAll('-', '_')
    .replace(/(^|\.)_+/g, '$1');

interface Place {
  row?: Row;
  config?: string;
  take?: (value: Value) => Json | undefined;
  isSwitch: boolean;
}

const indexes = new Map<SoftwareId, ReadonlyMap<string, Place>>();

/** Rows and sizes by each of their names. */
function indexOf({ id, rows, sizes = [] }: Software): ReadonlyMap<string, Place> {
  const known = indexes.get(id);
  if (known) return known;
  const index = new Map<string, Place>();
  for (const { keys, config, take, is } of sizes) {
    for (const key of keys)
      index.set(plain(key), { config, ...(take && { take }), isSwitch: is === 'switch' });
  }
  for (const row of rows) {
    for (const key of row.keys) index.set(plain(key), { row, isSwitch: row.is === 'switch' });
  }
  // Names that say enough without what stands before them; recipes in Python leave it out.
  for (const [key, place] of [...index]) {
    const last = key.split('.').pop()!;
    if (last.includes('_') && !index.has(last)) index.set(last, place);
  }
  indexes.set(id, index);
  return index;
}

/** The row of a name: of the whole path, or of what is left of it without the first parts. */
function placeOf(software: Software, name: string): Place | undefined {
  const index = indexOf(software);
  for (let rest = name; ; rest = rest.slice(rest.indexOf('.') + 1)) {
    const found = index.get(rest);
    if (found) return found;
    if (!rest.includes('.')) return undefined;
  }
}

/** No option has a longer name. */
const longestName = 200;

const entryOf = ([key, value]: Pair): Entry => ({
  key: key.slice(0, longestName),
  name: plain(key.slice(0, longestName)),
  value,
});

/** The options among the words of a command. */
function optionsOf(
  software: Software,
  words: readonly string[],
): { entries: Entry[]; others: string[] } {
  const entries: Entry[] = [];
  const others: string[] = [];
  const isValue = (text: string | undefined): text is string =>
    text !== undefined && (!/^--?[A-Za-z]/.test(text) || /\s/.test(text));
  for (let at = 0; at < words.length; at += 1) {
    const text = words[at]!;
    // A module for Python to run.
    if (text === '-m' && software.id !== 'llama-cpp') continue;
    const [, dashed, given] = /^--?([A-Za-z][\w.:-]*)(?:=([\s\S]*))?$/.exec(text) ?? [];
    if (dashed === undefined) {
      const [, key, value] = /^\+{0,2}([A-Za-z_][\w./-]*)=([\s\S]*)$/.exec(text) ?? [];
      const policy = /^([a-z-]+):([a-z-]+)$/.exec(text);
      if (key !== undefined) entries.push(entryOf([key, value!]));
      else if (policy && software.id === 'torchtitan')
        entries.push(entryOf([policy[1]!, policy[2]!]));
      else others.push(text);
      continue;
    }
    if (given !== undefined) {
      entries.push(entryOf([dashed, given]));
      continue;
    }
    const place = placeOf(software, plain(dashed));
    const off = /^no-(.+)$/.exec(dashed)?.[1];
    if (!place && off && placeOf(software, plain(off))?.isSwitch) {
      entries.push({ key: dashed, name: plain(off), value: false });
      continue;
    }
    const next = words[at + 1];
    if (!isValue(next) || (place?.isSwitch && switchOf(next) === undefined)) {
      entries.push(entryOf([dashed, true]));
      continue;
    }
    at += 1;
    if (place?.row?.is !== 'list') {
      entries.push(entryOf([dashed, next]));
      continue;
    }
    const list = [next];
    while (isValue(words[at + 1])) list.push(words[(at += 1)]!);
    entries.push(entryOf([dashed, list]));
  }
  return { entries, others };
}

/** A command of some software, with its options. */
interface Found {
  software: Software;
  entries: Entry[];
  /** Words that are no options: a model among them. */
  others: readonly string[];
  isLoad?: boolean;
}

const servers: readonly (readonly [
  Software,
  begins: (words: readonly string[], at: number) => number,
  isLoad?: boolean,
])[] = [
  [
    vllm,
    (words, at) => (/(^|\/)vllm$/.test(words[at]!) && words[at + 1] === 'bench' ? at + 3 : -1),
    true,
  ],
  [
    vllm,
    (words, at) => (/(^|\/)vllm$/.test(words[at]!) && words[at + 1] === 'serve' ? at + 2 : -1),
  ],
  [vllm, (words, at) => (/^(vllm\.entrypoints\.|dynamo\.vllm$)/.test(words[at]!) ? at + 1 : -1)],
  [vllm, (words, at) => (/benchmark_serving\.py$/.test(words[at]!) ? at + 1 : -1), true],
  [sglang, (words, at) => (/^sglang\.bench_serving$/.test(words[at]!) ? at + 1 : -1), true],
  [
    sglang,
    (words, at) =>
      /^(sglang\.launch_server|sglang_router\.launch_server|dynamo\.sglang)/.test(words[at]!)
        ? at + 1
        : -1,
  ],
  [sglang, (words, at) => (words[at] === 'sglang' && words[at + 1] === 'serve' ? at + 2 : -1)],
  [
    tensorrt,
    (words, at) =>
      /(^|\/)trtllm-serve$/.test(words[at]!) ? at + (words[at + 1] === 'serve' ? 2 : 1) : -1,
  ],
  [
    llamaCpp,
    (words, at) => (/(^|\/)llama-(server|cli|bench)(\.exe)?$/.test(words[at]!) ? at + 1 : -1),
  ],
  // Images that begin the server by themselves come last: a command may stand behind them.
  [vllm, (words, at) => (/vllm-openai|vllm\/vllm/.test(words[at]!) ? at + 1 : -1)],
  [sglang, (words, at) => (/lmsysorg\/sglang/.test(words[at]!) ? at + 1 : -1)],
  [llamaCpp, (words, at) => (/ggml-org\/llama\.cpp:/.test(words[at]!) ? at + 1 : -1)],
];

const trainers: readonly (readonly [Software, RegExp])[] = [
  [torchtitan, /torchtitan|run_train\.sh$/],
  [maxtext, /maxtext|base\.yml$/i],
  [deepspeed, /^--deepspeed(_config)?\b|(^|\/)deepspeed$/],
  [megatron, /(^|\/)(pretrain|train|finetune)_\w*\.py$|(^|\/)pretrain\.py$|megatron/i],
];

const isSaid = (words: readonly string[]): boolean =>
  /^(echo|printf|cat|cd|ls|pip3?|git|source|tee|sleep|wait|curl)$/.test(words[0] ?? '');

function commandOf(words: readonly string[]): Found | undefined {
  if (isSaid(words)) return undefined;
  for (const [software, begins, isLoad] of servers) {
    for (let at = 0; at < words.length; at += 1) {
      const from = begins(words, at);
      if (from < 0) continue;
      const { entries, others } = optionsOf(software, words.slice(from));
      return { software, entries, others, ...(isLoad && { isLoad }) };
    }
  }
  const marked = trainers.find(([, sign]) => words.some((each) => sign.test(each)));
  const software = marked?.[0] ?? likeliest((each) => optionsOf(each, words).entries);
  if (!software) return undefined;
  // Flags of Megatron-LM tell more than the name of a script does.
  const { entries, others } = optionsOf(software, words);
  return scoreOf(software, entries) > 0 ? { software, entries, others } : undefined;
}

const scoreOf = (software: Software, entries: readonly Entry[]): number =>
  entries.filter(({ name }) => placeOf(software, name)).length;

/** The software whose names most options have. */
function likeliest(
  entriesOf: (software: Software) => readonly Entry[],
  least = 2,
): Software | undefined {
  const scored = Object.values(software).map(
    (each) => [each, scoreOf(each, entriesOf(each))] as const,
  );
  const [best, score] = scored.reduce((one, other) => (other[1] > one[1] ? other : one));
  return score >= least ? best : undefined;
}

/** Reads a text that is no config of a model; undefined where it is no launch at all. */
export async function readLaunch(
  description: Description,
  text: string,
  base: Ours,
): Promise<Launch | NoLaunch | undefined> {
  if (text.length > largestText) return { code: 'tooLarge', size: text.length };
  let found: Found[];
  try {
    found = await commandsIn(text);
  } catch (error) {
    if (error instanceof Unclosed) return { code: 'unclosed', line: error.line };
    if (error instanceof Swollen) return { code: 'tooLarge', size: text.length };
    throw error;
  }
  const main = found.find(({ isLoad }) => !isLoad) ?? found[0];
  if (!main) return undefined;
  const same = found.filter((each) => each.software === main.software);
  const loads = same
    .filter((each) => each.isLoad && each !== main)
    .flatMap(({ entries }) => entries);
  const roles = same.filter((each) => !each.isLoad);
  const prefill = roles.find((each) => roleOf(each) === 'prefill');
  const decode = roles.find((each) => roleOf(each) === 'decode');
  const first = prefill && decode ? decode : main;
  const launch = new TableReader(description, first, loads, base).read();
  // An adapter of another kind than those that are known.
  if (launch.software === 'peft' && launch.fields['run.trained'] === undefined) return undefined;
  return prefill && decode
    ? apart(description, launch, new TableReader(description, prefill, [], base).read())
    : launch;
}

function roleOf({ software, entries }: Found): 'prefill' | 'decode' | undefined {
  const mode = entries.find(({ name }) => name === 'disaggregation_mode' || name === 'role')?.value;
  if (mode === 'prefill' || mode === 'decode') return mode;
  const transfer = String(entries.find(({ name }) => name === 'kv_transfer_config')?.value ?? '');
  if (/kv_producer/.test(transfer)) return 'prefill';
  if (/kv_consumer/.test(transfer)) return 'decode';
  const config = entries.find(
    ({ name }) => software.id === 'tensorrt' && /^(config|extra_llm_api_options)$/.test(name),
  );
  return (
    ((
      /^(prefill|ctx|context|gen|generation|decode)/.exec(
        fileName(String(config?.value ?? '')),
      )?.[0] ?? ''
    )
      .replace(/^(ctx|context)$/, 'prefill')
      .replace(/^gen(eration)?$/, 'decode') as 'prefill' | 'decode' | undefined) || undefined
  );
}

const parts = {
  'serving.tensor': 'serving.prefillTensor',
  'serving.attentionData': 'serving.prefillData',
  'serving.expert': 'serving.prefillExpert',
  'serving.chips': 'serving.prefillChips',
} as const;

/** The answering servers, with those that prefill beside them. */
function apart(description: Description, decode: Launch, prefill: Launch): Launch {
  const moved = (id: FieldId): FieldId | undefined =>
    (parts as Partial<Record<FieldId, FieldId>>)[id];
  const fields: Record<FieldId, FieldValue> = { ...decode.fields } as Record<FieldId, FieldValue>;
  for (const [id, value] of Object.entries(prefill.fields) as [FieldId, FieldValue][]) {
    const to = moved(id);
    if (to) fields[to] = value;
  }
  fields['serving.apart'] = true;
  fields['serving.chips'] =
    Number(decode.fields['serving.chips']) + Number(prefill.fields['serving.chips']);
  const rename = <T extends { field: FieldId }>(list: readonly T[]): T[] =>
    list.flatMap((each) => {
      const to = moved(each.field);
      return to && fieldInfo(description, to) ? [{ ...each, field: to }] : [];
    });
  return {
    ...decode,
    fields,
    used: [...decode.used, ...rename(prefill.used)],
    assumptions: [
      ...decode.assumptions.map((each) =>
        each.field === 'serving.chips' ? { ...each, value: fields['serving.chips']! } : each,
      ),
      ...rename(prefill.assumptions),
    ],
    troubles: [...decode.troubles, ...prefill.troubles],
    unplaced: [...new Set([...decode.unplaced, ...prefill.unplaced])],
    unknown: [...new Set([...decode.unknown, ...prefill.unknown])],
  };
}

// ---- what kind of text it is

const looksLikeToml = (text: string): boolean =>
  /^\s*\[{1,2}[\w."-]+\]{1,2}\s*(#.*)?$/m.test(text) && /^\s*[\w."-]+\s*=/m.test(text);

const looksLikePython = (text: string): boolean =>
  /^\s*(def |from [\w.]+ import|import \w|class |@|(config|cfg|recipe)\.)/m.test(text) ||
  /\b\w*(Config|config|recipe|Provider)\w*\(\s*[\w]+\s*=/.test(text);

function looksLikeYaml(text: string): boolean {
  const lines = text
    .split('\n', 2000)
    .filter((line) => /\S/.test(line) && !/^\s*(#|---)/.test(line));
  const settings = lines.filter((line) => /^\s*(- )?("?[\w./ -]+"?\s*:(\s|$)|- )/.test(line));
  return lines.length > 0 && settings.length > 0.5 * lines.length;
}

async function commandsIn(text: string): Promise<Found[]> {
  const body = text.replace(/^\uFEFF/, '').trim();
  if (/^[[{]/.test(body) && !looksLikeToml(body)) {
    const read = readJson(body);
    return has(read, 'unreadable') ? [] : inDocument(read);
  }
  if (looksLikeToml(body)) {
    const read = await readToml(body);
    if (read) return inDocument(read);
  }
  if (looksLikeYaml(body) && !/^#!/.test(body)) {
    const read = await readYaml(body);
    if (read) return inDocument(read);
  }
  if (looksLikePython(body)) {
    const found = await inDocument(readPython(body));
    if (found.length > 0) return found;
  }
  const script = readScript(body);
  const found = await inScript(script);
  return found.length > 0 ? found : inDocument(readPython(body));
}

async function inDocument({ pairs, commands }: Document): Promise<Found[]> {
  const found: Found[] = [];
  for (const command of commands.slice(0, 50)) found.push(...(await inScript(readScript(command))));
  if (found.length > 0) return found;
  const entries = pairs.map(entryOf);
  const software = likeliest(() => entries);
  return software ? [{ software, entries, others: [] }] : [];
}

async function inScript({ commands, files, variables }: Script): Promise<Found[]> {
  const found = commands.flatMap(({ words }) => commandOf(words) ?? []);
  // Some scripts keep the command in a variable, for a file that is written elsewhere.
  if (!found.some(({ isLoad }) => !isLoad)) {
    const held = [...variables.values()].filter((value) => /\s--?[a-z]/i.test(value));
    for (const value of held.sort((one, other) => other.length - one.length).slice(0, 5)) {
      const inside = readScript(value.replaceAll('$', ''));
      found.push(...inside.commands.flatMap(({ words }) => commandOf(words) ?? []));
      if (found.length > 0) break;
    }
  }
  for (const each of found) {
    const inFiles: Entry[] = [];
    for (const { value } of each.entries) {
      const file = files.get(fileName(String(value)));
      if (file === undefined) continue;
      const read = /^\s*[[{]/.test(file) ? readJson(file) : await readYaml(file);
      if (read && !has(read, 'unreadable')) inFiles.push(...read.pairs.map(entryOf));
    }
    // What stands on the command line goes before what a file says.
    each.entries = [...inFiles, ...each.entries];
    if (each.software.question === 'plan') launchedBy(each, variables);
  }
  return found;
}

/** The number of processes where no launcher names it: variables of scripts and of jobs. */
function launchedBy(found: Found, variables: ReadonlyMap<string, string>): void {
  const has = (name: string): boolean => found.entries.some((each) => each.name === name);
  const from: readonly (readonly [name: string, ...variables: string[]])[] = [
    ['nproc_per_node', 'NGPU', 'SLURM_GPUS_ON_NODE', 'GPUS_PER_NODE'],
    ['nnodes', 'SLURM_NNODES', 'NNODES', 'NUM_NODES'],
  ];
  if (
    has('gpus_per_node') ||
    has('ntasks_per_node') ||
    has('num_gpus') ||
    found.software === maxtext
  )
    return;
  for (const [name, ...names] of from) {
    const variable = names.find((each) => /^\d+$/.test(variables.get(each) ?? ''));
    if (!has(name) && variable) {
      found.entries.unshift({ key: variable, name, value: variables.get(variable)! });
    }
  }
}

// ---- a table

/** The vocabulary of Llama 3. */
const usualVocabulary = 128_256;

/** Where software says which model it is, the surest first. */
const modelKeys = [
  ...[
    'model',
    'model_path',
    'model_name_or_path',
    'model_name',
    'model_id',
    'hf_path',
    'hf_model_id',
  ],
  ...[
    'pretrained_model_name_or_path',
    'base_model_name_or_path',
    'hf_assets_path',
    'initial_load_path',
    'recipe',
    'config',
    'flavor',
  ],
  ...['tokenizer_path', 'tokenizer_model', 'served_model_name', 'load', 'checkpoint'],
  ...['hf_repo', 'hf_file', 'hf', 'hfr', 'hff', 'm'],
];

class TableReader {
  private readonly fields: Record<FieldId, FieldValue> = Object.create(null) as Record<
    FieldId,
    FieldValue
  >;
  private readonly used: Used[] = [];
  private assumptions: Supposed[] = [];
  private readonly troubles: Trouble[] = [];
  private readonly taken = new Set<Entry>();
  private readonly byRow = new Map<Row, Entry>();
  private readonly sizes = new Map<string, { entry: Entry; value: Json }>();
  private readonly software: Software;
  private readonly entries: readonly Entry[];
  private model: Modelled;
  private modelFields: Ours = {};

  constructor(
    private readonly description: Description,
    private readonly found: Found,
    loads: readonly Entry[],
    private readonly base: Ours,
  ) {
    this.software = found.software;
    this.entries = [...found.entries, ...loads];
  }

  read(): Launch {
    for (const entry of this.entries) this.place(entry);
    this.readModel();
    const { software } = this;
    for (const row of software.rows) this.readRow(row);
    const others = this.entries.filter(
      (each) => !this.taken.has(each) && !software.isNothing?.(each.value),
    );
    const names = [...new Set(others.map(({ key }) => key))].map((key) => cleanName(key));
    const unplaced = names.filter((key) => matches(software.unplaced, key));
    const fields = this.fields;
    if (this.model?.by === 'own') Object.assign(fields, this.modelFields);
    return {
      software: software.id,
      question: software.question,
      used: this.used,
      assumptions: this.assumptions,
      troubles: this.troubles,
      unplaced,
      unknown: names.filter((key) => !unplaced.includes(key) && !matches(software.quiet, key)),
      model: this.model,
      chip: this.chip(),
      fields,
    };
  }

  private place(entry: Entry): void {
    const place = placeOf(this.software, entry.name);
    if (!place) return;
    this.taken.add(entry);
    const isOpen =
      /^(auto|\$?\{?\w*[}]|\$\w+|<.*>)$/.test(String(entry.value)) && entry.value !== 'auto';
    if (isOpen || (entry.value === true && !place.isSwitch && place.row)) {
      const isTrue =
        /^(true|false)$/i.test(String(entry.value)) &&
        place.row?.take(true, this.reading) !== undefined;
      if (isOpen || !isTrue) {
        this.trouble('noValue', entry, undefined);
        return;
      }
    }
    if (entry.value === 'auto' && place.row?.take('auto', this.reading) === undefined) {
      this.trouble('auto', entry, undefined);
      return;
    }
    if (place.row) {
      this.byRow.set(place.row, entry);
      return;
    }
    const value = place.take ? place.take(entry.value) : scalar(entry.value);
    if (value === undefined) this.trouble('badValue', entry, undefined);
    else this.sizes.set(place.config!, { entry, value });
  }

  private trouble(code: Trouble['code'], { key, value }: Entry, field: FieldId | undefined): void {
    const written = String(value).slice(0, 40);
    this.troubles.push({
      code,
      key: cleanName(key),
      written: code === 'noValue' ? '' : written,
      field,
    });
  }

  private readModel(): void {
    const { entries, found } = this;
    const named = modelKeys
      .flatMap((name) =>
        entries.filter((each) => each.name === name || each.name.endsWith(`.${name}`)),
      )
      .map((entry) => ({ entry, text: textOf(entry.value) }))
      .filter(({ text }) => text !== '');
    const flavor = entries.find(({ name }) => /(^|\.)flavor$/.test(name));
    const family = entries.find(({ name }) => name === 'model.name' || name === 'name');
    const words = [
      ...(flavor && family ? [`${textOf(family.value)}_${textOf(flavor.value)}`] : []),
      ...(this.software.question === 'serving' ? found.others.slice(0, 3) : []),
      ...named.map(({ text }) => text),
    ].filter((text) => !/^(\$[^/]*$|<)/.test(text));
    const name = words.find((text) => presetNamed(text) !== undefined);
    for (const { entry } of named) this.taken.add(entry);
    if (flavor) this.taken.add(flavor);
    const preset = name === undefined ? undefined : presetNamed(name);
    const sized = this.readSizes(preset);
    if (sized) this.model = sized;
    else if (preset !== undefined) this.model = { by: 'name', preset, written: cleanName(name!) };
    else if (words[0] !== undefined && namesModel(this.software)) {
      this.model = { by: 'unknown', written: cleanName(words[0]) };
    }
    const { model } = this;
    if (model?.by === 'name' || model?.by === 'sizes')
      this.modelFields = architectureAlike.of(model.preset);
    if (model?.by === 'own') {
      this.modelFields = byId({ model: model.reading.model });
    }
    // The end of a checkpoint's name tells the format of its weights, unless a row reads that.
    const isOpen = this.software.question === 'serving' && !indexOf(this.software).has('model');
    const format = isOpen && name ? formatAtEnd(name) : undefined;
    if (format) this.use('server.weights', format, { key: 'model', name: 'model', value: name! });
  }

  /** The model whose sizes are given, a preset where one has them all. */
  private readSizes(named: string | undefined): Modelled {
    const { sizes, software } = this;
    const isModel = ['num_layers', 'hidden_size', 'num_attention_heads'].every((key) =>
      sizes.has(key),
    );
    if (!isModel) return undefined;
    const given = new Map<string, Json>([...sizes].map(([key, { value }]) => [key, value]));
    const usual = new Map(software.usualSizes?.(given) ?? []);
    const entries = new Map([...usual, ...given]);
    // The vocabulary is often left to the tokenizer.
    const unsaid = !entries.has('vocab_size');
    if (unsaid) entries.set('vocab_size', usualVocabulary);
    const reading = readEntries(entries, this.description.groups.model);
    if (!reading.ok) return undefined;
    if (unsaid) {
      reading.fields = reading.fields.filter(({ field }) => field !== 'vocabulary');
      reading.assumptions.push({ code: 'usual', field: 'vocabulary', value: usualVocabulary });
    }
    const told = reading.fields.map(({ field, value }): [string, FieldValue] => [field, value]);
    const preset = architectureAlike.find(told, named, this.reading.other('seq-length', 0));
    if (preset !== undefined) {
      for (const { entry } of sizes.values()) this.taken.add(entry);
      const written = told.filter(([key]) => ['layers', 'hidden', 'heads'].includes(key));
      return {
        by: 'sizes',
        preset,
        written: written.map(([, value]) => String(value)).join(' × '),
      };
    }
    // What the software takes by itself does not stand in the text.
    for (const { field, value } of reading.fields.filter(({ key }) => usual.has(key))) {
      this.assumptions.push({ code: 'software', field: `model.${field}`, value });
    }
    reading.fields = reading.fields.filter(({ key }) => !usual.has(key));
    // The keys under which they stand in the text.
    for (const each of reading.fields) {
      const found = sizes.get(each.key);
      if (found) each.key = found.entry.key;
    }
    return { by: 'own', reading };
  }

  private chip(): string | undefined {
    const topology = this.entries.find(({ name }) =>
      /^(compile_topology|device_type|tpu_type)$/.test(name),
    );
    return topology && chipIn(String(topology.value));
  }

  private readonly reading: Read = {
    of: (id) =>
      this.fields[id] ??
      this.modelFields[id] ??
      this.base[id] ??
      fieldInfo(this.description, id)?.default ??
      null,
    number: (id) => Number(this.reading.of(id) ?? NaN),
    said: (id) => this.fields[id],
    other: (key, otherwise) => {
      const value = numberOf(this.entry(key)?.value);
      return Number.isNaN(value) ? otherwise : value;
    },
    on: (key) => {
      const entry = this.exactly(key);
      return entry !== undefined && switchOf(entry.value) !== false;
    },
    starts: (key, begin) =>
      String(this.entry(key)?.value ?? '')
        .toLowerCase()
        .startsWith(begin),
    is: (key, word) => this.reading.text(key).toLowerCase() === word,
    text: (key) => String(this.exactly(key)?.value ?? ''),
  };

  /** The last option of a name. */
  private exactly(key: string): Entry | undefined {
    const name = plain(key);
    return this.entries
      .filter(
        (each) =>
          each.name === name || each.name.endsWith(`.${name}`) || name.endsWith(`.${each.name}`),
      )
      .pop();
  }

  /** The same; for the first of a row's names, one with any of them. */
  private entry(key: string): Entry | undefined {
    const row = indexOf(this.software).get(plain(key))?.row;
    const isFirst = row && plain(row.keys[0]!) === plain(key);
    return this.exactly(key) ?? (isFirst ? this.byRow.get(row) : undefined);
  }

  private readRow(row: Row): void {
    const entry = this.byRow.get(row);
    if (!entry) {
      const code = row.keys.length > 0 ? 'software' : 'follows';
      this.suppose(code, row.usual?.(this.reading));
      return;
    }
    const found = row.take(entry.value, this.reading);
    if (!found) {
      this.trouble('badValue', entry, undefined);
      this.suppose('software', row.usual?.(this.reading));
      return;
    }
    for (const [id, value] of Object.entries(found) as [FieldId, FieldValue][]) {
      this.use(id, value, entry);
      if (row.isMore?.(entry.value)) this.trouble('more', entry, id);
    }
  }

  private use(id: FieldId, value: FieldValue, entry: Entry): void {
    const info = fieldInfo(this.description, id);
    if (!info) return;
    if (!valueFits(info, value)) {
      this.trouble('outOfRange', entry, id);
      return;
    }
    this.fields[id] = value;
    this.assumptions = this.assumptions.filter(({ field }) => field !== id);
    this.used.push({ key: entry.key, written: String(entry.value).slice(0, 80), field: id, value });
  }

  private suppose(code: Supposed['code'], found: Ours | undefined): void {
    for (const [field, value] of Object.entries(found ?? {}) as [FieldId, FieldValue][]) {
      const info = fieldInfo(this.description, field);
      if (!info || !valueFits(info, value) || this.used.some((each) => each.field === field))
        continue;
      this.fields[field] = value;
      this.assumptions = this.assumptions.filter((each) => each.field !== field);
      this.assumptions.push({ code, field, value });
    }
  }
}

/** Whether what names a model always names the one that is meant: recipes of trainers name others. */
const namesModel = ({ id, question }: Software): boolean => question === 'serving' || id === 'peft';

const scalar = (value: Value): Json => {
  const count = typeof value === 'string' ? numberOf(value) : NaN;
  return Number.isNaN(count) ? (value as Json) : count;
};

/** A name or the end of a path is one of these. */
const matches = (pattern: RegExp, key: string): boolean => {
  const name = key.toLowerCase();
  return [name, name.replaceAll('_', '-'), name.replaceAll('-', '_'), name.split('.').pop()!].some(
    (each) => pattern.test(each),
  );
};

const formatAtEnd = (name: string): string | undefined => {
  const last = name.split('/').pop()!;
  const found =
    /(nvfp4|mxfp4|fp4|fp8|awq|gptq(-int\d)?|int4|int8|w4a16|w8a8|4bit|8bit|bf16)[^/]*$/i.exec(
      last,
    )?.[0];
  if (!found) return undefined;
  if (/^bf16/i.test(found)) return 'bf16';
  const format = formatNamed(found);
  return format === 'none' ? undefined : format;
};
