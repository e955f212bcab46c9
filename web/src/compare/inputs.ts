// The differences of two states of one question.

import type { Description, FieldValue, GroupName } from '../engine/index.ts';
import type { InputGroup } from '../model/presets.ts';
import { applies, countingOf, inputOf, nameOf, type State } from '../model/state.ts';
import type { FieldId } from '../model/fields.ts';

export type Thing = 'chip' | 'model' | 'optimizer' | 'figures';

export interface FieldDifference {
  id: FieldId;
  before: FieldValue;
  now: FieldValue;
}

export interface Differences {
  /** Presets that are others, and how both are counted, where that is. */
  things: (Thing | 'counting')[];
  /** Fields that the reader set otherwise. */
  fields: FieldDifference[];
  /** Fields that differ because presets do, by what brings them. */
  follow: { thing: Thing; fields: FieldDifference[] }[];
}

/** The preset that brings the values of a group's fields. */
const bringers: Partial<Record<GroupName, Thing[]>> = {
  chip: ['chip', 'figures'],
  model: ['model', 'figures'],
  run: ['optimizer'],
  server: ['model'],
};

export function differences(description: Description, before: State, now: State): Differences {
  const { groups } = description.questions[now.view];
  const asks = (thing: Thing): boolean =>
    groups.some((group) => bringers[group]?.includes(thing) ?? false);
  const things: Differences['things'] = (['chip', 'model', 'optimizer', 'figures'] as const).filter(
    (thing) => asks(thing) && isOther(before, now, thing),
  );
  const fields: FieldDifference[] = [];
  const follow = new Map<Thing, FieldDifference[]>();
  for (const group of groups) {
    const [olds, news] = [before, now].map((state) => inputOf(description, state, group));
    for (const { key } of description.groups[group]) {
      const id: FieldId = `${group}.${key}`;
      const difference = { id, before: olds![key] ?? null, now: news![key] ?? null };
      const matters = [olds, news].some((values: InputGroup | undefined) =>
        applies(description, id, values!),
      );
      if (difference.before === difference.now || !matters) continue;
      const thing = bringers[group]?.find((each) => things.includes(each));
      const edited = [before, now].some(({ edits }) => Object.hasOwn(edits[group], key));
      // Figures of two chips differ anyway, whether they were edited or not.
      if (thing && (!edited || thing === group)) {
        follow.set(thing, [...(follow.get(thing) ?? []), difference]);
      } else fields.push(difference);
    }
  }
  if (isCountedOtherwise(before, now)) things.push('counting');
  // A preset of another name that brings no different values is no difference.
  return {
    things: things.filter((thing) => thing !== 'figures' || follow.has('figures')),
    fields,
    follow: [...follow].map(([thing, list]) => ({ thing, fields: list })),
  };
}

const isCountedOtherwise = (before: State, now: State): boolean =>
  before.view === now.view && countingOf(before) !== countingOf(now);

function isOther(before: State, now: State, thing: Thing): boolean {
  if (before[thing] !== now[thing]) return true;
  if (thing !== 'chip' && thing !== 'model') return false;
  return nameOf(before, thing) !== nameOf(now, thing);
}
