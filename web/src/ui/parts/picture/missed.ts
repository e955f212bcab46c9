// A part of the verdict tells of the reader's target for it, while that is not met.

import { spokenUnit } from '../../../model/presentation.ts';
import { isMetBy, readTarget } from '../../../model/target.ts';
import type { RenderContext } from '../../kit/render-context.ts';
import type { Results } from '../../kit/results.ts';
import { signs } from './signs.ts';

/** What it needs of a part. */
interface Noted {
  key: string;
  sign?: string | undefined;
  note?: string;
}

/** The part with a sign and the target before its note; as it is where there is none, or it is met. */
export function withMissed<Part extends Noted>(
  { state, description, format, fill, text }: RenderContext,
  results: Results,
  slot: Part,
): Part {
  const { answers } = description.questions[state.view];
  const target = readTarget(answers, state.charts.target);
  const now = results.number(slot.key);
  if (!target || target.wanted === 'is' || target.answer !== slot.key) return slot;
  if (now === undefined || isMetBy(target.wanted, target.value, now)) return slot;
  const info = answers.find(({ key }) => key === slot.key)!;
  const missed = fill(text.drawn.missed[target.wanted], {
    target: format.say(target.value, spokenUnit(info)),
  });
  return {
    ...slot,
    sign: slot.sign ?? signs.over,
    note: [missed, slot.note].filter(Boolean).join(' · '),
  };
}
