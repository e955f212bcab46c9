// A table of a software's options: each row gives their value for ours, and ours for theirs, so that
// what is written and what is read can't disagree.

import type { FieldValue } from '../engine/index.ts';
import type { FieldId } from '../model/fields.ts';
import type { InputGroup } from '../model/presets.ts';

/** A value of an option: of a switch, whether it is on. */
export type Value = string | number | boolean | readonly Value[];

/** Fields of the calculator by their ids. */
export type Ours = Readonly<Partial<Record<FieldId, FieldValue>>>;

/** Groups of fields as fields by their ids. */
export const byId = (groups: Readonly<Record<string, InputGroup | undefined>>): Ours =>
  Object.fromEntries(
    Object.entries(groups).flatMap(([group, fields]) =>
      Object.entries(fields ?? {}).map(([key, value]) => [`${group}.${key}`, value]),
    ),
  ) as Ours;

/** What reading a row may ask: what has been read so far, and other options. */
export interface Read {
  /** What was read so far; of what the text leaves open, what the reader has. */
  of(id: FieldId): FieldValue;
  number(id: FieldId): number;
  /** What the text, or the software's default, has said so far. */
  said(id: FieldId): FieldValue | undefined;
  /** The number of another option, or the one that the software takes without it. */
  other(key: string, otherwise: number): number;
  /** Whether an option stands there and is on. */
  on(key: string): boolean;
  /** Whether an option has this word. */
  is(key: string, word: string): boolean;
  /** Whether an option's word begins so. */
  starts(key: string, begin: string): boolean;
  /** An option as it is written; empty where there is none. */
  text(key: string): string;
}

/** What writing a row may ask. */
export interface Write {
  of(id: FieldId): FieldValue;
  number(id: FieldId): number;
  /** What is computed again as needed: shares of the layers, by answer. */
  again(answer: string): number;
}

export interface Row {
  /** Its names: the first is written, all are read. */
  keys: readonly string[];
  /** A switch takes no value behind it, a list several. */
  is?: 'switch' | 'list';
  /** Whether it is the launcher's, and not the program's. */
  place?: 'launcher';
  /** Their value for ours; undefined leaves the option out. */
  put: (ours: Write) => Value | undefined;
  /** Ours for their value; undefined where it has no such value. */
  take: (value: Value, read: Read) => Ours | undefined;
  /** Whether ours for their value is more than that. */
  isMore?: (value: Value) => boolean;
  /** Ours where the option is left out; undefined says nothing. */
  usual?: (read: Read) => Ours | undefined;
}

export const numberOf = (value: Value | undefined): number => {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return NaN;
  const text = value.trim().replaceAll('_', '');
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text) ? Number(text) : NaN;
};

/** A whole number as people write it for some software: 1k is 1,000, 1K is 1,024. */
export const scaledOf = (value: Value): number => {
  const [, digits = '', sign = ''] =
    /^(\d+\.?\d*)\s*([kmgKMG]?)i?$/.exec(String(value).trim()) ?? [];
  const scale = { k: 1e3, m: 1e6, g: 1e9, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 }[sign] ?? 1;
  return digits === '' ? NaN : Number(digits) * scale;
};

export const switchOf = (value: Value): boolean | undefined => {
  if (typeof value === 'boolean') return value;
  const text = String(value).toLowerCase();
  if (['true', 'yes', 'on', '1'].includes(text)) return true;
  return ['false', 'no', 'off', '0', 'none', 'null'].includes(text) ? false : undefined;
};

export const textOf = (value: Value | undefined): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

type Keys = string | readonly string[];
const listed = (keys: Keys): readonly string[] => (typeof keys === 'string' ? [keys] : keys);

const whole = (value: number): number | undefined =>
  Number.isSafeInteger(value) && value >= 0 ? value : undefined;

interface Extra extends Partial<Pick<Row, 'is' | 'place' | 'usual'>> {
  /** Whether it is written at all. */
  if?: (ours: Write) => boolean;
}

const rest = ({ is, place, usual }: Extra): Partial<Row> => ({
  ...(is && { is }),
  ...(place && { place }),
  ...(usual && { usual }),
});

/** A number that is one of ours as it is. */
export const number = (keys: Keys, id: FieldId, extra: Extra = {}): Row => ({
  keys: listed(keys),
  put: (ours) => ((extra.if?.(ours) ?? true) ? ours.number(id) : undefined),
  take: (value) => {
    const read = numberOf(value);
    return Number.isFinite(read) && read >= 0 ? { [id]: read } : undefined;
  },
  ...rest(extra),
});

/** A number that is one of ours times others. */
export const scaled = (
  keys: Keys,
  id: FieldId,
  times: (of: { number(id: FieldId): number }) => number,
  extra: Extra = {},
): Row => ({
  keys: listed(keys),
  put: (ours) => ((extra.if?.(ours) ?? true) ? whole(ours.number(id) * times(ours)) : undefined),
  take: (value, read) => {
    const found = numberOf(value) / times(read);
    return Number.isFinite(found) && found > 0
      ? { [id]: Math.max(1, Math.floor(found)) }
      : undefined;
  },
  ...rest(extra),
});

/** A word for each choice; further words that are only read come behind the first. */
export const choice = (
  keys: Keys,
  id: FieldId,
  words: Readonly<Record<string, string | readonly string[]>>,
  extra: Extra = {},
): Row => ({
  keys: listed(keys),
  put: (ours) => {
    if (extra.if && !extra.if(ours)) return undefined;
    const own = String(ours.of(id));
    return Object.hasOwn(words, own) ? [words[own]!].flat()[0] : undefined;
  },
  take: (value) => {
    const said = String(value).toLowerCase();
    const found = Object.entries(words).find(([, each]) =>
      [each].flat().some((word) => word.toLowerCase() === said),
    );
    return found && { [id]: found[0] };
  },
  ...rest(extra),
});

/** A switch: what it is for ours, and ours for on and off. */
export const toggle = (
  keys: Keys,
  on: (ours: Write) => boolean,
  take: (on: boolean, read: Read) => Ours | undefined,
  extra: Omit<Extra, 'if'> = {},
): Row => ({
  keys: listed(keys),
  is: 'switch',
  put: (ours) => on(ours) || undefined,
  take: (value, read) => {
    const said = switchOf(value);
    return said === undefined ? undefined : take(said, read);
  },
  ...rest(extra),
});

/** Something that follows from what was read, and has no option of its own. */
export const follows = (usual: NonNullable<Row['usual']>): Row => ({
  keys: [],
  put: () => undefined,
  take: () => undefined,
  usual,
});

/** A number of tokens or chips, where there is one. */
export const positive = (id: FieldId, value: number): Ours | undefined =>
  Number.isFinite(value) && value > 0 ? { [id]: value } : undefined;
