// Links of questions that are asked field by field, not written down as a link.

import { defaultOf } from '../engine/defaults.ts';
import type { Description } from '../engine/index.ts';
import { initialState } from '../model/state.ts';
import { views, type Question } from '../model/views.ts';
import { FieldLinks } from './field-links.ts';

/**
 * The link of a question with these words. A field without a word has its default: a training names
 * its batch, since links that leave it out mean another one than trainings start with; and what takes
 * its MFU from a plan says so, since links that leave it out count as the book does.
 */
export function linkOf(
  description: Description,
  question: Question,
  pairs: Iterable<readonly [key: string, value: string]>,
): string {
  const links = FieldLinks.of(description);
  const words = new URLSearchParams({ view: question });
  for (const [key, value] of pairs) words.set(key, value);
  const id = 'run.batchTokens';
  const batch = links.key(id);
  if (views[question].unsaidBatch && !words.has(batch)) {
    const given = (key: string): string | undefined =>
      words.get(links.key(`run.${key}`)) ?? undefined;
    const usual = defaultOf(links.info(id), given);
    words.set(batch, links.write(id, usual));
  }
  if (views[question].predictedBy && !words.has('counting')) {
    words.set('counting', initialState.counting);
  }
  return words.toString();
}

/** The sentence that tells programs of both ways of counting. */
export const sayCounting =
  'predicted: at the MFU that the best layout reaches, with failures; book: at the MFU that is assumed (run.mfu), without';
