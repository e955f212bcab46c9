// The best way to divide the chips of servers: the core's search, asked with the ways that are given.

import type { RawIssue } from './core.ts';
import type { Description, FieldInfo, FieldValue, Inputs, ServingDivision } from './types.ts';

type Input = Inputs['serving'];
type Group = keyof ServingDivision;
const groups = ['serving', 'server'] as const;

/** Ways by the keys of their fields. */
type Ways = Readonly<Record<string, number>>;

/** The search as the binding exports it. */
export interface RawDivision {
  /** The keys of the ways. */
  wayColumns(): string[];
  /** Memory for the ways that are given, which are written before the search; NaN where it chooses. */
  ways(): Float64Array;
  divide(): { issues?: RawIssue[]; ways?: Float64Array } | null;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** A group of the input; none where it is no object, of which the module tells. */
const groupIn = (input: unknown, name: Group): Record<string, unknown> => {
  const group = isObject(input) && Object.hasOwn(input, name) ? input[name] : undefined;
  // Some pages give properties to all objects; these are no fields.
  return isObject(group) ? { __proto__: null, ...group } : { __proto__: null };
};

/** The way that is given; NaN where the search chooses. */
const givenWay = ({ key, kind }: FieldInfo, group: Record<string, unknown>): number => {
  const value = group[key];
  if (kind === 'flag') return typeof value === 'boolean' ? Number(value) : NaN;
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : NaN;
};

const waysOf = (description: Description, group: Group): FieldInfo[] =>
  description.groups[group].filter(({ searched }) => searched);

/** The input without its ways, which the search is given apart from it, and these. */
export function withoutDegrees(
  description: Description,
  input: Input,
): { input: Input; given: Ways } {
  const given = groups.flatMap((name) =>
    waysOf(description, name).map((field) => [field.key, givenWay(field, groupIn(input, name))]),
  );
  const ways = waysOf(description, 'serving').map(({ key }) => key);
  const others = Object.entries(groupIn(input, 'serving')).filter(([key]) => !ways.includes(key));
  const bare = { serving: Object.fromEntries(others) as NonNullable<Input['serving']> };
  return {
    input: isObject(input) && isObject(input.serving) ? { ...input, ...bare } : input,
    given: Object.fromEntries(given) as Ways,
  };
}

/** The ways that were found; what is given, and else one of each, where the input is not valid. */
export function decodeLayout(
  description: Description,
  input: Input,
  found: Ways | undefined,
): ServingDivision {
  const of = (name: Group): object => {
    const group = groupIn(input, name);
    const wayOf = (field: FieldInfo): FieldValue => {
      const way = found?.[field.key] ?? givenWay(field, group);
      if (Number.isNaN(way)) return field.default;
      return field.kind === 'flag' ? way === 1 : way;
    };
    return Object.fromEntries(
      waysOf(description, name)
        .filter(({ when }) => !when || group[when.field] === true)
        .map((field) => [field.key, wayOf(field)]),
    );
  };
  return { serving: of('serving'), server: of('server') } as ServingDivision;
}

/** The input divided so. */
export const withWays = (input: Input, { serving, server }: ServingDivision): Input => ({
  ...input,
  serving: { ...input.serving, ...serving },
  server: { ...input.server, ...server },
});
