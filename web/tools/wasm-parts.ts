// Changes to linked modules that make them smaller on the wire, and change nothing of what they do.

const importSection = 2;
const exportSection = 7;
const dataSection = 11;
const dataCountSection = 12;
const preamble = 8; // the magic number and the version
const functionKind = 0;

/** Reads what lies one behind the other. */
class Reader {
  at = 0;
  constructor(readonly bytes: Buffer) {}

  get done(): boolean {
    return this.at >= this.bytes.length;
  }
  byte(): number {
    return this.bytes[this.at++]!;
  }
  /** LEB128, without a sign. */
  number(): number {
    let value = 0;
    for (let place = 1; ; place *= 128) {
      const byte = this.byte();
      value += (byte & 127) * place;
      if (byte < 128) return value;
    }
  }
  take(length: number): Buffer {
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}

/** LEB128; of a number with a sign, one more bit says that there is none. */
function leb(value: number, { signed = false } = {}): Buffer {
  const bytes: number[] = [];
  for (let left = value; ;) {
    const low = left % 128;
    left = Math.floor(left / 128);
    if (left === 0 && !(signed && low > 63)) return Buffer.from([...bytes, low]);
    bytes.push(low | 128);
  }
}

/** The module with `change` made to each section; it may write into what it is given. */
function eachSection(module: Buffer, change: (id: number, body: Buffer) => Buffer): Buffer {
  const reader = new Reader(Buffer.from(module));
  const parts = [reader.take(preamble)];
  while (!reader.done) {
    const id = reader.byte();
    const body = change(id, reader.take(reader.number()));
    parts.push(Buffer.from([id]), leb(body.length), body);
  }
  return Buffer.concat(parts);
}

/** The module, with its imports and exports of one letter under other letters. */
export const withLetters = (module: Buffer, letters: Map<string, string>): Buffer =>
  eachSection(module, (id, body) => {
    if (id !== importSection && id !== exportSection) return body;
    const reader = new Reader(body);
    for (let left = reader.number(); left > 0; left -= 1) {
      if (id === importSection) reader.take(reader.number()); // the name of all that is imported
      const name = reader.take(reader.number());
      name.write(letters.get(name.toString('latin1')) ?? '', 'latin1');
      if (reader.byte() !== functionKind && id === importSection) {
        throw new Error('only functions are imported');
      }
      reader.number();
    }
    return body;
  });

/** The module with these of its exports alone: em++ exports more of those without glue. */
export const withExports = (module: Buffer, wanted: readonly string[]): Buffer =>
  eachSection(module, (id, body) => {
    if (id !== exportSection) return body;
    const reader = new Reader(body);
    const kept: Buffer[] = [];
    for (let left = reader.number(); left > 0; left -= 1) {
      const start = reader.at;
      const name = reader.take(reader.number()).toString('latin1');
      reader.byte();
      reader.number();
      if (wanted.includes(name)) kept.push(body.subarray(start, reader.at));
    }
    return Buffer.concat([leb(kept.length), ...kept]);
  });

const i32const = 0x41;
const end = 0x0b;

/** The contents of a data section as one segment; undefined if its places are not known. */
function joined(data: Buffer): Buffer | undefined {
  const reader = new Reader(data);
  const segments: { place: number; bytes: Buffer }[] = [];
  for (let left = reader.number(); left > 0; left -= 1) {
    if (reader.byte() !== 0 || reader.byte() !== i32const) return undefined;
    const place = reader.number();
    if (reader.byte() !== end) return undefined;
    segments.push({ place, bytes: reader.take(reader.number()) });
  }
  const first = Math.min(...segments.map(({ place }) => place));
  const last = Math.max(...segments.map(({ place, bytes }) => place + bytes.length));
  const all = Buffer.alloc(last - first);
  for (const { place, bytes } of segments) bytes.copy(all, place - first);
  const where = [Buffer.from([0, i32const]), leb(first, { signed: true }), Buffer.from([end])];
  return Buffer.concat([leb(1), ...where, leb(all.length), all]);
}

/** The module with its data in one segment. Binaryen divides it wherever there are a few zeros,
 * which makes a module smaller that is not packed: packed, zeros cost less than the places of the
 * parts. */
export function withDataJoined(module: Buffer): Buffer {
  let whole: Buffer | undefined;
  eachSection(module, (id, body) => {
    if (id === dataSection) whole = joined(body);
    return body;
  });
  if (!whole) return module;
  const replaced = new Map([
    [dataSection, whole],
    [dataCountSection, leb(1)],
  ]);
  return eachSection(module, (id, body) => replaced.get(id) ?? body);
}
