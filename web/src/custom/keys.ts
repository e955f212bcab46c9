import type { Architecture } from './architectures.ts';
import { Beyond, brief, entriesOf, type Entries, type Json } from './json.ts';

/** A value, the key it stands behind, and who says so. */
export interface Given {
  key: string;
  /** A number beyond all is an infinity. */
  value: Exclude<Json, null | Beyond>;
  written: string;
  by: 'file' | 'library';
}

/** A key that nothing was read from; `name`: without the prefix of the text part. */
export interface Unread extends Given {
  name: string;
}

const given = (key: string, value: Exclude<Json, null>, by: Given['by']): Given => ({
  key,
  value: value instanceof Beyond ? Number(value.written) : value,
  written: brief(value),
  by,
});

/** Keys under which multimodal models describe their text part. */
const nests = ['text_config', 'language_config', 'llm_config', 'text_model', 'thinker_config'];

/** Keys that such a model may have for all its parts, outside of them. */
const common: ReadonlySet<string> = new Set([
  'tie_word_embeddings',
  'vocab_size',
  'max_position_embeddings',
  'quantization_config',
]);

/** The keys of a config, and which of them were understood. */
export class Keys {
  private readonly used = new Set<string>();
  /** The used keys that stand in objects of their own, with the object's name. */
  private readonly usedInner = new Set<string>();
  /** Other parts of the file that were read, by their names. */
  private readonly parts = new Set<string>();
  private architecture: Architecture | undefined;

  private constructor(
    private readonly root: Entries,
    /** The prefix of the text part's keys: `text_config.`, or empty. */
    private readonly prefix: string,
    private readonly text: Entries,
    /** The objects around the text part, the innermost first; the file where there are none. */
    private readonly around: readonly Entries[],
  ) {}

  static of(root: Entries): Keys {
    let text = root;
    let prefix = '';
    const around: Entries[] = [];
    for (let nest = nestOf(text); nest; nest = nestOf(text)) {
      prefix += `${nest.key}.`;
      around.unshift(text);
      text = nest.entries;
    }
    return new Keys(root, prefix, text, around.length > 0 ? around : [root]);
  }

  /** The names that the file gives its kind, the text part's own first. */
  names(): string[] {
    const named = [this.text, this.root].flatMap((entries) => [
      entries.get('model_type'),
      ...[entries.get('architectures') ?? []].flat(),
      entries.get('_class_name'),
    ]);
    return named.filter((name): name is string => typeof name === 'string' && name !== '');
  }

  suppose(architecture: Architecture | undefined): void {
    this.architecture = architecture;
  }

  /** The first of these keys that has a value; what the library would take, if none has. */
  find(...names: string[]): Given | undefined {
    for (const name of names) {
      const found = this.look(name);
      if (found) return found;
    }
    for (const name of names) {
      const value = this.architecture?.defaults[name];
      // `null` in the file is a value to the library.
      if (value != null && !this.text.has(name)) return given(name, value, 'library');
    }
    return undefined;
  }

  /** Whether the text part has a key, even if there is nothing in it. */
  states(name: string): boolean {
    return this.text.has(name);
  }

  /** The object under a key of the file, if there is one. */
  entriesOf(name: string): Entries | undefined {
    return entriesOf(this.text.get(name)) ?? entriesOf(this.root.get(name));
  }

  /** The first of these keys that has a value in another part of the file. */
  inPart(part: string, ...names: string[]): Given | undefined {
    const entries = this.partOf(part);
    for (const name of names) {
      const [own, inner] = name.split('.') as [string, string?];
      const value = inner ? entriesOf(entries?.get(own))?.get(inner) : entries?.get(own);
      if (value == null) continue;
      this.usedInner.add(`${part}.${own}`);
      this.usedInner.add(`${part}.${name}`);
      return given(`${part}.${name}`, value, 'file');
    }
    return undefined;
  }

  /** A key beside the parts of the file. */
  outside(name: string): Given | undefined {
    const value = this.beside(name);
    return value == null ? undefined : given(name, value, 'file');
  }

  /** The names of the parts that lie beside the text, and of another part's keys. */
  partNames(): string[] {
    return this.around.flatMap((entries) =>
      [...entries].flatMap(([name, value]) => (entriesOf(value)?.size ? [name] : [])),
    );
  }

  namesIn(part: string): string[] {
    return [...(this.partOf(part)?.keys() ?? [])];
  }

  /** Says that another part of the file was read: its keys that were not are unread ones. */
  readPart(part: string): void {
    this.used.add(part);
    this.parts.add(part);
  }

  private beside(name: string): Json | undefined {
    return this.around.map((entries) => entries.get(name)).find((value) => value != null);
  }

  private partOf(part: string): Entries | undefined {
    return entriesOf(this.beside(part));
  }

  /** Says that these keys of the file were understood. */
  understood(...names: string[]): void {
    for (const name of names) this.used.add(name);
  }

  private look(name: string): Given | undefined {
    const dot = name.indexOf('.');
    const [own, inner] = dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1)];
    const pick = (entries: Entries): Json | undefined =>
      inner ? entriesOf(entries.get(own))?.get(inner) : entries.get(own);
    const value = pick(this.text);
    if (value != null) {
      this.used.add(this.prefix + own);
      if (inner) this.usedInner.add(name);
      return given(this.prefix + name, value, 'file');
    }
    if (this.prefix === '' || !common.has(name)) return undefined;
    const outer = this.root.get(name);
    if (outer == null) return undefined;
    this.used.add(name);
    return given(name, outer, 'file');
  }

  /** Whether the file, in any of its parts, has such a key with something in it. */
  mentions(...names: string[]): boolean {
    return names.some((name) =>
      [this.text, ...this.around].some((entries) => {
        const value = entries.get(name);
        return value != null && value !== false && value !== 0;
      }),
    );
  }

  /** Lists the keys of the text part that nothing was read from, its objects' among them. */
  unread(): Unread[] {
    const found: Unread[] = [];
    const add = (name: string, value: Json, prefix = this.prefix): void => {
      if (value !== null) found.push({ ...given(prefix + name, value, 'file'), name });
    };
    for (const [name, value] of this.text) {
      const inner = otherPart.test(name) ? undefined : entriesOf(value);
      for (const [own, each] of inner ?? []) {
        if (!this.usedInner.has(`${name}.${own}`)) add(`${name}.${own}`, each);
      }
      if (!this.used.has(this.prefix + name) && !otherPart.test(name)) add(name, value);
    }
    if (this.prefix === '') return found;
    for (const [name, value] of this.root) {
      if (!this.used.has(name) && !otherPart.test(name) && !entriesOf(value)) add(name, value, '');
    }
    return found;
  }

  /** Keys that nothing was read from. */
  ignored(): string[] {
    const own = [...this.text.keys()].map((key) => this.prefix + key);
    const outer =
      this.prefix === ''
        ? []
        : [...this.root.keys()].filter((key) => key !== this.prefix.split('.')[0]);
    const inner = [...this.parts].flatMap((part) =>
      this.namesIn(part).map((key) => `${part}.${key}`),
    );
    const used = (key: string) => this.used.has(key) || this.usedInner.has(key);
    return [...own, ...outer, ...inner].filter((key) => !used(key) && !isName(key));
  }
}

/** Keys of parts beside the text's layers, and of how files are written. */
const otherPart =
  /vision|visual|image|video|audio|speech|talker|encoder|projector|rope|rotary|quant|draft|auto_map|task_|id2label|label2id|token_id|generation/;

/** Keys that say what the model is called. */
const isName = (key: string): boolean =>
  /(^|\.)(model_type|architectures|_name_or_path|_class_name)$/.test(key);

function nestOf(entries: Entries): { key: string; entries: Entries } | undefined {
  for (const key of nests) {
    const inner = entriesOf(entries.get(key));
    if (inner && inner.size > 0) return { key, entries: inner };
  }
  return undefined;
}
