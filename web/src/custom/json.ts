// Text from outside, up to a plain object: a config.json, or a file that this page wrote.

/** A config is 2 KB; lists of the modules that are quantised, or not, have made some 3 MB. */
export const largestText = 8 * 1024 * 1024;

/** Deeper than any config; parsers of text that nests without end have been known to fall over. */
const deepest = 32;

/** A number that no double holds, such as 1e400, as it was written. */
export class Beyond {
  constructor(readonly written: string) {}
}

export type Json = null | boolean | number | string | Beyond | readonly Json[] | JsonObject;
type JsonObject = { readonly [key: string]: Json };

/** The reason why a text is not read at all. */
export type Unreadable =
  | { code: 'empty' }
  | { code: 'tooLarge'; size: number }
  | { code: 'webPage' }
  | { code: 'address' }
  | { code: 'tooDeep' }
  | { code: 'notJson'; line: number | undefined }
  | { code: 'notAnObject' };

/** Values by name: keys such as `__proto__` and `constructor` are keys like any other. */
export type Entries = ReadonlyMap<string, Json>;

export function readObject(text: string): { entries: Entries } | { unreadable: Unreadable } {
  const refuse = (unreadable: Unreadable) => ({ unreadable });
  if (text.length > largestText) return refuse({ code: 'tooLarge', size: text.length });
  const body = text.replace(/^\uFEFF/, '').trim();
  if (body === '') return refuse({ code: 'empty' });
  if (body.startsWith('<')) return refuse({ code: 'webPage' });
  if (/^https?:\/\/\S+$/i.test(body)) return refuse({ code: 'address' });
  const { depth, plain, beyond } = scan(body);
  if (depth > deepest) return refuse({ code: 'tooDeep' });
  let value: Json;
  try {
    value = JSON.parse(plain, beyond ? reviveBeyond : undefined) as Json;
  } catch (error) {
    return refuse({ code: 'notJson', line: lineOf(error, body) });
  }
  const entries = entriesOf(value);
  return entries ? { entries } : refuse({ code: 'notAnObject' });
}

export function entriesOf(value: Json | undefined): Entries | undefined {
  if (typeof value !== 'object' || value === null || value instanceof Beyond) return undefined;
  if (Array.isArray(value)) return undefined;
  return new Map(Object.entries(value as JsonObject));
}

/** Whether a value is a number above a limit. Objects are not converted: they may refuse it. */
export function isAbove(value: Json | undefined, limit: number): boolean {
  const number = value instanceof Beyond ? Number(value.written) : value;
  return typeof number === 'number' && number > limit;
}

/** Stands before a number that is beyond all, in a string, while JSON is parsed or written. */
const beyondMark = '\u0000beyond ';

const numeral = String.raw`-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const marked = new RegExp(`^${beyondMark}(${numeral})$`);

function reviveBeyond(_key: string, value: unknown): unknown {
  const written = typeof value === 'string' && marked.exec(value)?.[1];
  return written ? new Beyond(written) : value;
}

/** The text again: numbers beyond all as they were written. */
export const textOf = (value: Json): string =>
  JSON.stringify(value, (_key, each: unknown) =>
    each instanceof Beyond ? beyondMark + each.written : each,
  ).replace(/"\\u0000beyond ([^"]*)"/g, '$1');

/** The text as far as it fits a line. */
export function brief(value: Json): string {
  const text = textOf(beginningOf(value, { left: 40 }));
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** The first of all that is in a value: lists have up to a million entries. */
function beginningOf(value: Json, room: { left: number }): Json {
  room.left -= 1;
  if (typeof value === 'string') return value.slice(0, 80);
  if (typeof value !== 'object' || value === null || value instanceof Beyond) return value;
  const kept: [string, Json][] = [];
  for (const [key, each] of Object.entries(value as JsonObject)) {
    if (room.left <= 0) break;
    kept.push([key.slice(0, 80), beginningOf(each, room)]);
  }
  return Array.isArray(value) ? kept.map(([, each]) => each) : Object.fromEntries(kept);
}

const number = new RegExp(numeral, 'y');

/**
 * The depth of nesting, and the text as JSON: Python also writes NaN and Infinity. Numbers out of
 * range become a marked string.
 */
function scan(text: string): { depth: number; plain: string; beyond: boolean } {
  let beyond = false;
  let depth = 0;
  let level = 0;
  let quoted = false;
  let plain = '';
  let kept = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (quoted) {
      if (sign === '\\') at += 1;
      else if (sign === '"') quoted = false;
    } else if (sign === '"') quoted = true;
    else if (sign === '{' || sign === '[') depth = Math.max(depth, (level += 1));
    else if (sign === '}' || sign === ']') level -= 1;
    else if (sign === '-' || (sign! >= '0' && sign! <= '9')) {
      number.lastIndex = at;
      const written = number.exec(text)?.[0];
      if (!written) continue;
      if (!Number.isFinite(Number(written))) {
        beyond = true;
        plain += text.slice(kept, at) + JSON.stringify(beyondMark + written);
        kept = at + written.length;
      }
      at += written.length - 1;
    } else if (sign === 'N' || sign === 'I') {
      const word = ['NaN', 'Infinity'].find((each) => text.startsWith(each, at));
      if (!word) continue;
      const start = text[at - 1] === '-' ? at - 1 : at;
      plain += `${text.slice(kept, start)}null`;
      at += word.length - 1;
      kept = at + 1;
    }
  }
  return { depth, plain: plain + text.slice(kept), beyond };
}

/** Browsers say it in their own ways; most name the line or the position. */
function lineOf(error: unknown, text: string): number | undefined {
  const message = String(error);
  const line = /\bline (\d+)/.exec(message)?.[1];
  if (line) return Number(line);
  const position = /\bposition (\d+)/.exec(message)?.[1];
  return position ? text.slice(0, Number(position)).split('\n').length : undefined;
}
