import type {
  Description,
  FieldInfo,
  FieldValue,
  GroupName,
  QuestionInfo,
} from '../engine/index.ts';
import { ownValue } from './own-value.ts';

/** A field by its address: `run.chips`, `chip.memory`. */
export type FieldId = `${GroupName}.${string}`;

export function splitId(id: FieldId): [GroupName, string] {
  const dot = id.indexOf('.');
  return [id.slice(0, dot) as GroupName, id.slice(dot + 1)];
}

const indexes = new WeakMap<Description, Map<string, FieldInfo>>();

export function fieldInfo(description: Description, id: FieldId): FieldInfo | undefined {
  let index = indexes.get(description);
  if (!index) {
    const groups = Object.entries(description.groups);
    index = new Map(
      groups.flatMap(([group, fields]) => fields.map((field) => [`${group}.${field.key}`, field])),
    );
    indexes.set(description, index);
  }
  return index.get(id);
}

/** All fields of a group. */
export const fieldIds = (description: Description, group: GroupName): FieldId[] =>
  description.groups[group].map(({ key }): FieldId => `${group}.${key}`);

/** Whether a question asks for a group, given the value of the field that decides it. */
export function asksFor(
  { groups, when }: QuestionInfo,
  group: GroupName,
  valueOf: (id: FieldId) => FieldValue,
): boolean {
  const condition = ownValue(when, group);
  if (!condition) return groups.includes(group);
  return condition.choices.includes(String(valueOf(`${condition.group}.${condition.field}`)));
}

export const isNumeric = ({ kind }: FieldInfo): boolean => kind === 'number' || kind === 'count';

/** Whether a text says nothing, as the core reads it. */
export const isEmptyText = (text: string): boolean => !/[^ \t\r\n]/.test(text);

/** Whether a field can have a value at all, whatever the others are. */
export function valueFits(field: FieldInfo, value: FieldValue | undefined): value is FieldValue {
  if (value === undefined) return false;
  if (value === null) return field.optional;
  if (field.kind === 'text') return typeof value === 'string' && value.length <= field.max;
  if (typeof value === 'string') return field.choices.includes(value);
  if (typeof value === 'boolean') return field.kind === 'flag';
  const whole = field.kind !== 'count' || Number.isInteger(value);
  return isNumeric(field) && whole && value >= field.min && value <= field.max;
}

/** Axes are logarithmic: they begin above nothing. */
export const rangeFits = (field: FieldInfo, from: number, to: number): boolean =>
  from > 0 && from < to && valueFits(field, from) && valueFits(field, to);
