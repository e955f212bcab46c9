// Encodes a caller's object as the numbers that cross into the core: choices become their index,
// flags 0 or 1, and what is not given its default, or NaN, which the core reads as "absent".

import { defaultOf } from './defaults.ts';
import type { RawInput } from './core.ts';
import type { GroupName } from './generated.ts';
import type { FieldInfo, Issue } from './types.ts';

const absent = NaN;
/** Marks a wrong value of a field that may be absent; the core then checks fields alone. */
const wrong = Infinity;
const noSuchChoice = -1;
/** Marks a wrong text: no pattern has it, so the core refuses it where the text matters. */
const wrongText = '?';

/** The value as it crosses; undefined if no reading of it makes sense. */
function encode(field: FieldInfo, value: unknown): number | string | undefined {
  if (field.kind === 'text') return typeof value === 'string' ? value : undefined;
  if (value === null) return absent;
  switch (field.kind) {
    case 'choice':
      return typeof value === 'string' ? field.choices.indexOf(value) : noSuchChoice;
    case 'flag':
      return typeof value === 'boolean' ? Number(value) : noSuchChoice;
    default:
      return typeof value === 'number' && !Number.isNaN(value) ? value : undefined;
  }
}

/** Encodes all groups; what has no number to send is reported in `issues`. */
export function encodeInput(
  groups: GroupName[],
  fields: Record<GroupName, FieldInfo[]>,
  input: unknown,
  issues: Issue[],
): RawInput {
  const raw: RawInput = { numbers: [], texts: [] };
  for (const group of groups) {
    const given = readGroup(input, group, issues);
    const valueOf = (key: string): unknown => (Object.hasOwn(given, key) ? given[key] : undefined);
    for (const field of fields[group]) {
      const own = valueOf(field.key);
      const value = encode(field, own === undefined ? defaultOf(field, valueOf) : own);
      if (field.kind === 'text') {
        if (value === undefined) {
          issues.push({ code: 'notText', field: `${group}.${field.key}`, arguments: {} });
        }
        raw.numbers.push(0);
        raw.texts.push(typeof value === 'string' ? value : wrongText);
        continue;
      }
      // A field that must be given is the core's to refuse, and only where it matters.
      if (value === undefined && field.optional) {
        const range = { minimum: field.min, maximum: field.max };
        issues.push({ code: 'notANumber', field: `${group}.${field.key}`, arguments: range });
      }
      raw.numbers.push(typeof value === 'number' ? value : field.optional ? wrong : absent);
    }
    const known = new Set(fields[group].map(({ key }) => key));
    for (const key of Object.keys(given)) {
      if (!known.has(key)) {
        issues.push({ code: 'unknownField', field: `${group}.${key}`, arguments: {} });
      }
    }
  }
  return raw;
}

const utf8 = new TextEncoder();
/** The bytes of a text that are written: more than the core takes, so that it sees when one is too
 * long. */
const mostOfText = 1000;

/** Writes an input to where a module reads it: the numbers, then the texts, each ended by a zero. */
export function writeInput(place: Uint8Array, { numbers, texts }: RawInput): void {
  new Float64Array(place.buffer, place.byteOffset).set(numbers);
  let end = 8 * numbers.length;
  for (const text of texts) {
    // A zero that a text holds itself must not end it.
    const given = text.replaceAll('\0', '?');
    end += utf8.encodeInto(given, place.subarray(end, end + mostOfText)).written;
    place[end++] = 0;
  }
}

function readGroup(input: unknown, group: string, issues: Issue[]): Record<string, unknown> {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, group)) return {};
  const value = (input as Record<string, unknown>)[group] ?? {};
  if (typeof value === 'object') return value as Record<string, unknown>;
  issues.push({ code: 'unknownField', field: group, arguments: {} });
  return {};
}
