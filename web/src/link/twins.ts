// Keys of other views that look like one of the present view's.

import type { Description, FieldValue } from '../engine/index.ts';
import type { FieldId } from '../model/fields.ts';
import { splitId } from '../model/fields.ts';
import { baseOf, type State } from '../model/state.ts';
import type { FieldLinks } from './field-links.ts';

/** The part of a key behind its prefix: `chips` of `serve.chips`. */
const bare = (key: string): string => key.slice(key.lastIndexOf('.') + 1);

/**
 * The fields of a state's view that are called like a key of another view, or like one that no view
 * has. Chips and models are the same in all views.
 */
function twinsOf(
  description: Description,
  links: FieldLinks,
  state: State,
  key: string,
): FieldId[] {
  const asked = description.questions[state.view]?.groups;
  if (!asked || state.page !== undefined) return [];
  const id = links.find(key);
  if (id && asked.includes(splitId(id)[0])) return [];
  return links.ids.filter((each) => {
    const [group] = splitId(each);
    return (
      group !== 'chip' &&
      group !== 'model' &&
      asked.includes(group) &&
      [each, links.key(each)].some((name) => bare(name) === bare(key))
    );
  });
}

/** The key of the present view that is meant by one that it has no use for, unless a link with `keys`
 * has it, too. */
export function twinMeant(
  description: Description,
  links: FieldLinks,
  state: State,
  [key, value]: readonly [key: string, value: string],
  keys: readonly string[],
): string | undefined {
  const twins = twinsOf(description, links, state, key);
  const said = keys.some((each) => twins.includes(links.find(each)!));
  const meant = said ? undefined : twins.find((id) => links.read(id, value) !== undefined);
  return meant && links.key(meant);
}

/** What a link says beside keys of other views, so that nobody is thought to have meant another: the
 * values of the state's view as they stand without it. */
export function besideTwins(
  description: Description,
  links: FieldLinks,
  state: State,
  pairs: readonly (readonly [key: string, value: string])[],
): [key: string, value: string][] {
  const keys = pairs.map(([key]) => key);
  // What a search found is not the reader's to say.
  const { found: _, ways: __, ...asked } = state;
  const said = new Map<string, string>();
  for (const pair of pairs) {
    if (twinMeant(description, links, state, pair, keys) === undefined) continue;
    // A degree of a layout would fix it; that it is searched says as much.
    const twins = twinsOf(description, links, state, pair[0]);
    const id = twins.find((each) => state.layout === 'best' && each.startsWith('search.'));
    const [group, key] = splitId(id ?? twins[0]!);
    const value: FieldValue = baseOf(description, asked, group)[key] ?? null;
    said.set(links.key(`${group}.${key}`), links.write(`${group}.${key}`, value));
  }
  return [...said];
}
