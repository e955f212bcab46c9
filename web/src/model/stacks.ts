// Software to train with, each a set of fields.

import type { Description, FieldValue } from '../engine/index.ts';
import file from '../../../shared/stacks.json';
import torus from '../../../shared/torus-stack.json';
import { fieldInfo, type FieldId } from './fields.ts';
import { chipOf, type InputGroup } from './presets.ts';
import { baseOf, inputOf, leftToSearch, withField, type State } from './state.ts';

export interface Stack {
  id: string;
  name: string;
  /** The trainings of adapters that it is offered for, on chips of these vendors. */
  tunes?: readonly string[];
  vendors?: readonly string[];
  stack: InputGroup;
  /** Fields of the layout that it fixes. */
  layout: InputGroup;
  /** The assumptions that a prediction takes from it. */
  assumptions?: InputGroup;
}

/** The fallbacks of the core. */
export const usualStack: Stack = { id: 'usual', name: '', stack: {}, layout: {} };
export const stacks = [usualStack, ...(file.stacks as Stack[]), torus as Stack];

/** Fields of layouts that some software does not leave to choose. */
const layoutKeys = [...new Set(stacks.flatMap(({ layout }) => Object.keys(layout)))];

/** Assumptions that some software sets. */
const assumedKeys = [...new Set(stacks.flatMap((each) => Object.keys(each.assumptions ?? {})))];

/** All that the software sets, with the defaults that it keeps. */
function valuesOf(
  description: Description,
  state: State,
  { stack, layout, assumptions }: Stack,
): [FieldId, FieldValue][] {
  const assumed = baseOf(description, state, 'assumptions');
  const of = (id: FieldId, own: FieldValue | undefined): [FieldId, FieldValue] => [
    id,
    own ?? fieldInfo(description, id)!.default,
  ];
  return [
    ...description.groups.stack.map(({ key }) => of(`stack.${key}`, stack[key])),
    // A searched field is pinned first, since setting it would fix the whole layout.
    ...layoutKeys
      .filter((key) => isSearched(description, key))
      .map((key) => of(`search.${key}`, Object.hasOwn(layout, key) ? false : undefined)),
    ...layoutKeys.map((key) => of(`layout.${key}`, layout[key])),
    ...assumedKeys.map((key) => of(`assumptions.${key}`, assumptions?.[key] ?? assumed[key])),
  ];
}

const isSearched = (description: Description, key: string): boolean =>
  fieldInfo(description, `search.${key}`) !== undefined;

/** The state with all fields as that software has them. */
export function withStack(description: Description, state: State, stack: Stack): State {
  return valuesOf(description, state, stack).reduce((next, [id, value]) => {
    const isOpen = leftToSearch(description, next).some((key) => id === `layout.${key}`);
    return isOpen && next.layout === 'best' ? next : withField(description, next, id, value);
  }, state);
}

/** The software that has all fields as they are, if any; what it leaves to a search may be anything. */
export function stackIn(description: Description, state: State): Stack | undefined {
  const groups = {
    stack: inputOf(description, state, 'stack'),
    search: inputOf(description, state, 'search'),
    layout: inputOf(description, state, 'layout'),
    assumptions: inputOf(description, state, 'assumptions'),
  };
  return stacks.find((stack) =>
    valuesOf(description, state, stack).every(([id, value]) => {
      const [group = '', key = ''] = id.split('.');
      const isLeft =
        group === 'layout' && isSearched(description, key) && !Object.hasOwn(stack.layout, key);
      return isLeft || groups[group as keyof typeof groups][key] === value;
    }),
  );
}

/** Whether two states train with the same software: chips bring theirs where the reader chose none. */
export function haveSameSoftware(description: Description, one: State, other: State): boolean {
  const same = (group: 'stack' | 'assumptions', keys: readonly string[]): boolean => {
    const [here, there] = [one, other].map((state) => inputOf(description, state, group));
    return keys.every((key) => here![key] === there![key]);
  };
  return (
    same(
      'stack',
      description.groups.stack.map(({ key }) => key),
    ) && same('assumptions', assumedKeys)
  );
}

/** Other software than the state's that trains the same adapters on its chip. */
export function otherTuners(description: Description, state: State): Stack[] {
  const { trained } = inputOf(description, state, 'run');
  const { vendor } = chipOf(state.chip);
  const tuners = stacks.filter(
    ({ tunes, vendors }) => tunes?.includes(String(trained)) && vendors?.includes(vendor),
  );
  const own = tuners.length > 0 ? stackIn(description, state) : undefined;
  return tuners.filter((stack) => stack !== own);
}
