// Reads the metadata and the names of tensors at the beginning of llama.cpp's files.
// Source: ggml, docs/gguf.md (versions 2 and 3, little-endian).

import type { Entries, Json } from './json.ts';

/** The bytes of a file that are read of it: lists of a quarter million tokens and their merges have
 * taken 20 MB. */
export const ggufBytes = 64 * 1024 * 1024;

const magic = 0x46554747;

/** The types of values that are no numbers. */
const [string, array] = [8, 9];

/** A kind of number: its bytes, and how it is read. */
type Kind = readonly [
  size: number,
  read: (view: DataView, at: number) => number | bigint | boolean,
];

/** Kinds of numbers by their types. */
const kinds: Readonly<Record<number, Kind>> = {
  0: [1, (view, at) => view.getUint8(at)],
  1: [1, (view, at) => view.getInt8(at)],
  2: [2, (view, at) => view.getUint16(at, true)],
  3: [2, (view, at) => view.getInt16(at, true)],
  4: [4, (view, at) => view.getUint32(at, true)],
  5: [4, (view, at) => view.getInt32(at, true)],
  6: [4, (view, at) => view.getFloat32(at, true)],
  7: [1, (view, at) => view.getUint8(at) !== 0],
  10: [8, (view, at) => view.getBigUint64(at, true)],
  11: [8, (view, at) => view.getBigInt64(at, true)],
  12: [8, (view, at) => view.getFloat64(at, true)],
};
/** Longer lists are told by their length alone, as those of strings are. */
const mostItems = 4096;

/** Reads values one after the other; what lies behind the end is a RangeError. */
class Reader {
  private at = 0;
  private readonly view: DataView;

  constructor(private readonly bytes: ArrayBuffer) {
    this.view = new DataView(bytes);
  }

  u32(): number {
    return this.view.getUint32(this.skip(4), true);
  }

  count(): number {
    const value = Number(this.view.getBigUint64(this.skip(8), true));
    if (value > this.bytes.byteLength) throw new RangeError('longer than the file');
    return value;
  }

  string(): string {
    const length = this.count();
    return new TextDecoder().decode(new Uint8Array(this.bytes, this.skip(length), length));
  }

  value(type: number): Json {
    if (type === string) return this.string();
    if (type === array) return this.array();
    return this.number(type);
  }

  /** The items, or how many there are. */
  private array(): Json {
    const [type, count] = [this.u32(), this.count()];
    if (type === string) {
      for (let item = 0; item < count; ++item) this.skip(this.count());
      return count;
    }
    const kind = kinds[type];
    if (kind && count > mostItems) {
      this.skip(count * kind[0]);
      return count;
    }
    return Array.from({ length: count }, () => this.number(type));
  }

  private number(type: number): Json {
    const kind = kinds[type];
    if (!kind) throw new RangeError('of no type');
    const [size, read] = kind;
    const value = read(this.view, this.skip(size));
    return typeof value === 'bigint' ? Number(value) : value;
  }

  private skip(length: number): number {
    const at = this.at;
    if (at + length > this.bytes.byteLength) throw new RangeError('beyond the end');
    this.at += length;
    return at;
  }

  /** A tensor's dimensions and type, behind which is its place. */
  tensor(): Json {
    const shape = Array.from({ length: this.u32() }, () => this.number(10));
    const type = this.u32();
    this.skip(8);
    return { shape, type };
  }
}

/** Whether this is the beginning of such a file. */
export const isGguf = (bytes: ArrayBuffer): boolean =>
  bytes.byteLength >= 4 && new DataView(bytes).getUint32(0, true) === magic;

/** The metadata of a file, and its tensors by their names; as much of them as lies in these bytes.
 * Undefined where it is no file of these versions. */
export function ggufFile(bytes: ArrayBuffer): Entries | undefined {
  if (!isGguf(bytes)) return undefined;
  const found = new Map<string, Json>();
  const reader = new Reader(bytes);
  try {
    reader.u32();
    const version = reader.u32();
    if (version !== 2 && version !== 3) return undefined;
    const [tensors, pairs] = [reader.count(), reader.count()];
    for (let pair = 0; pair < pairs; ++pair) {
      const key = reader.string();
      found.set(key, reader.value(reader.u32()));
    }
    for (let tensor = 0; tensor < tensors; ++tensor) {
      const name = reader.string();
      found.set(name, true);
      found.set(name, reader.tensor());
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return found;
}
