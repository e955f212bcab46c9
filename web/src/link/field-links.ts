import type { Description, FieldInfo, FieldValue, GroupName } from '../engine/index.ts';
import { parseNumber } from '../number/parse.ts';
import { writeForLink } from '../number/write.ts';
import { currentKey, currentValue } from './migrations.ts';
import { shortened } from '../model/shortened.ts';
import { notationOf } from '../model/presentation.ts';
import { fieldInfo, splitId, type FieldId } from '../model/fields.ts';
import { ownValue } from '../model/own-value.ts';

/** Short names for the fields a link holds most often; the long ones are understood too. */
const aliases: Record<string, FieldId> = {
  batch: 'run.batchTokens',
  sequence: 'run.sequenceLength',
};

/** The groups that come first in a link; all others keep the order in which they are described. */
const first: readonly GroupName[] = ['run', 'operation', 'collective', 'mesh'];

/** Words for flags in links. A Map, since every object has a `constructor`, too. */
const flags: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['no', false],
  ['true', true],
  ['false', false],
]);

/** The names of fields in links, and the notation of their values. */
export class FieldLinks {
  /** Every field, in the order in which a link holds them. */
  readonly ids: readonly FieldId[];
  /** Answers that can be drawn: numbers. */
  readonly answers: ReadonlySet<string>;
  private readonly byKey: ReadonlyMap<string, FieldId>;

  private constructor(private readonly description: Description) {
    // A module describes only the groups of its own questions.
    const groups = new Set([...first, ...(Object.keys(description.groups) as GroupName[])]);
    this.ids = [...groups].flatMap((group) =>
      (ownValue(description.groups, group) ?? []).map(({ key }): FieldId => `${group}.${key}`),
    );
    this.answers = new Set(
      Object.values(description.questions)
        .flatMap(({ answers }) => answers)
        .filter(({ kind }) => kind === 'number')
        .map(({ key }) => key),
    );
    this.byKey = new Map([
      ...this.ids.map((id): [string, FieldId] => [this.longKey(id), id]),
      ...Object.entries(aliases),
    ]);
  }

  static of(description: Description): FieldLinks {
    const links = known.get(description) ?? new FieldLinks(description);
    known.set(description, links);
    return links;
  }

  find(key: string): FieldId | undefined {
    return this.byKey.get(currentKey(key));
  }

  key(id: FieldId): string {
    return Object.keys(aliases).find((key) => aliases[key] === id) ?? this.longKey(id);
  }

  private longKey(id: FieldId): string {
    const [group, key] = splitId(id);
    return this.description.prefixes[group] + key;
  }

  info(id: FieldId): FieldInfo {
    return fieldInfo(this.description, id)!;
  }

  read(id: FieldId, text: string): FieldValue | undefined {
    const field = this.info(id);
    if (text === 'none' && (field.optional || field.searched)) return null;
    if (field.kind === 'choice') {
      const choice = currentValue(this.key(id), text);
      return field.choices.includes(choice) ? choice : undefined;
    }
    if (field.kind === 'flag') return flags.get(text);
    if (field.kind === 'text') {
      const short = shortened(id, text);
      return short.length <= field.max ? short : undefined;
    }
    const parsed = parseNumber(text, notationOf(field));
    return parsed.ok ? parsed.value : undefined;
  }

  write(id: FieldId, value: FieldValue): string {
    if (value === null) return 'none';
    if (typeof value === 'boolean') return value ? 'yes' : 'no';
    if (typeof value === 'string') return value;
    return writeForLink(value, notationOf(this.info(id)));
  }
}

const known = new WeakMap<Description, FieldLinks>();
