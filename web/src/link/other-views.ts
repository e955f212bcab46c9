// Keys of other views: whose they are, what they may be meant for, and how a link says that they are
// no mistake. All of it follows from the link alone, whatever modules have loaded.

import type { GroupName } from '../engine/index.ts';
import { groupsOf } from '../engine/question-groups.ts';
import type { FieldId } from '../model/fields.ts';
import { splitId } from '../model/fields.ts';
import type { State } from '../model/state.ts';
import { questions, type Question } from '../model/views.ts';
import type { FieldLinks } from './field-links.ts';

/** Chips and models are the same in all views. */
const isShared = (group: GroupName): boolean => group === 'chip' || group === 'model';

const asksFor = (view: Question, id: FieldId): boolean => {
  const [group] = splitId(id);
  return isShared(group) || groupsOf[view].includes(group);
};

/** The first view that has a use for a field. */
export const viewOfField = (id: FieldId): Question =>
  questions.find((view) => asksFor(view, id)) ?? 'training';

/**
 * The view of a link that names none: training, where it has a use for any of its fields, as such
 * links have always meant; else the one that has a use for them all.
 */
export function viewOfFields(ids: readonly FieldId[]): Question {
  const own = ids.filter((id) => !isShared(splitId(id)[0]));
  if (own.length === 0 || own.some((id) => asksFor('training', id))) return 'training';
  return questions.find((view) => own.every((id) => asksFor(view, id))) ?? 'training';
}

/** The views whose fields stand in a link beside those of its own; nothing of them is a mistake. */
export function viewsBeside({ view, page }: State, ids: readonly FieldId[]): Question[] {
  if (page !== undefined) return [];
  const others = ids.filter((id) => !asksFor(view, id)).map(viewOfField);
  return questions.filter((each) => others.includes(each));
}

/** The part of a key behind its prefix: `chips` of `serve.chips`. */
const bare = (key: string): string => key.slice(key.lastIndexOf('.') + 1);

/** How a key is of no use to a view. */
export interface OtherView {
  /** The key of the present view that is called alike. */
  meant?: string;
}

/**
 * Whether a key of a link is of no use to its view, and likely a mistake: one that a field of the view
 * is called like, and of a link that names no view, any. `keys` are all that the link has, `beside` the
 * views whose keys it has on purpose.
 */
export function ofOtherView(
  links: FieldLinks,
  { view, page }: State,
  [key, value]: readonly [key: string, value: string],
  { keys, beside, named }: { keys: readonly string[]; beside: readonly Question[]; named: boolean },
): OtherView | undefined {
  const id = links.find(key);
  if (page !== undefined) return undefined;
  if (id && (asksFor(view, id) || beside.some((each) => asksFor(each, id)))) {
    return undefined;
  }
  const twins = links.ids.filter(
    (each) =>
      !isShared(splitId(each)[0]) &&
      asksFor(view, each) &&
      [each, links.key(each)].some((name) => bare(name) === bare(key)),
  );
  // A link that has both says what it means by each.
  if (keys.some((each) => twins.includes(links.find(each)!))) return undefined;
  const meant = twins.find((each) => links.read(each, value) !== undefined);
  if (meant) return { meant: links.key(meant) };
  return id && !named ? {} : undefined;
}
