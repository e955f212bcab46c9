// The value of a field that an input leaves out.

import type { FieldInfo, FieldValue } from './types.ts';

/** The default of a field beside the `given` values of others of its group. */
export const defaultOf = (
  { default: usual, instead }: FieldInfo,
  given: (key: string) => unknown,
): FieldValue =>
  instead &&
  Object.entries(instead.while).some(([key, of]) => of.some((choice) => choice === given(key)))
    ? instead.default
    : usual;

/** Whether the default of another field of the group depends on the field. */
export const decidesDefaults = (fields: readonly FieldInfo[], key: string): boolean =>
  fields.some(({ instead }) => instead && Object.hasOwn(instead.while, key));
