// The sides, as links have them: `chip:h100-sxm,b200-sxm`, `sequence:4096,8192`, or whole
// questions, `kept:…`, each as its own link has it.

import type { Description } from '../../../../engine/index.ts';
import { FieldLinks } from '../../../../link/field-links.ts';
import { currentValue } from '../../../../link/migrations.ts';
import { isNumeric, type FieldId } from '../../../../model/fields.ts';
import { presetIds } from '../../../../model/presets.ts';
import { inputOf, type State } from '../../../../model/state.ts';
import { chipsBeside, present } from '../usual-chips.ts';

export const mostSides = 6;

/** The input in which those side by side differ. */
export type Along = 'chip' | 'model' | 'kept' | FieldId;

export interface Sides {
  readonly along: Along;
  /** Items as links write them: ids of presets, edits of one, values of the field, links. */
  readonly items: readonly string[];
}

const things = ['chip', 'model', 'kept'] as const;
export const isThing = (along: Along): along is (typeof things)[number] =>
  things.some((thing) => thing === along);

/** The meaning of a link; undefined where it has none. `refused` are the items that make no sense. */
export function readSides(
  description: Description,
  text: string,
): (Sides & { refused: readonly string[] }) | undefined {
  const at = text.indexOf(':');
  const key = text.slice(0, at);
  const links = FieldLinks.of(description);
  const along = things.find((thing) => thing === key) ?? links.find(key);
  if (!along) return undefined;
  const items: string[] = [];
  const refused: string[] = [];
  for (const each of text.slice(at + 1).split(',')) {
    const item = decoded(each);
    const known = item === undefined ? undefined : itemIn(links, along, item);
    if (known === undefined) refused.push(item ?? each);
    else items.push(known);
  }
  return {
    along,
    items: [...new Set(items)].slice(0, mostSides),
    refused: refused.filter(Boolean),
  };
}

export function writeSides(description: Description, { along, items }: Sides): string {
  const key = isThing(along) ? along : FieldLinks.of(description).key(along);
  return `${key}:${items.map(encodeURIComponent).join(',')}`;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The item as links have it now; undefined where it can't be one. */
export function itemIn(links: FieldLinks, along: Along, item: string): string | undefined {
  if (along === 'kept' || item === present) return item;
  if (along === 'chip' || along === 'model') {
    const id = currentValue(along, item);
    return item.includes('=') || presetIds[along].has(id) ? id : undefined;
  }
  const value = links.read(along, item);
  if (value === undefined || value === null) return undefined;
  const { min, max, kind } = links.info(along);
  const fits =
    typeof value !== 'number' ||
    (value >= min && value <= max && (kind !== 'count' || Number.isInteger(value)));
  return fits ? links.write(along, value) : undefined;
}

const contexts = [4096, 8192, 32768, 131072];

/** The sides of a reader who asks for `along` alone. */
export function usualSides(description: Description, state: State, along: Along): Sides {
  if (along === 'chip') return { along, items: chipsBeside(state) };
  if (along === 'model') return { along, items: [present] };
  if (along === 'kept') return { along, items: [] };
  const links = FieldLinks.of(description);
  const info = links.info(along);
  const [group, key] = along.split('.') as ['run', string];
  const now = inputOf(description, state, group)[key] ?? null;
  const written = (value: number | string): string => links.write(along, value);
  const wanted: (number | string)[] = !isNumeric(info)
    ? ['bf16', 'fp8'].filter((choice) => info.choices.includes(choice))
    : key === 'chips'
      ? [0.5, 1, 2, 4].map((factor) => Number(now) * factor)
      : contexts;
  const items = wanted.map(written).flatMap((item) => itemIn(links, along, item) ?? []);
  return { along, items: items.length > 0 ? items : [written(now as number)] };
}
